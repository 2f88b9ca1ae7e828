/* How many columns of R, from a QR factorization with pivoting, are to be believed.
 *
 * Arguments  rcond; tiles: R is in tiles x tiles of them; k: its order
 * Buffers    rank  W       one int64_t
 *            R     R each  column-major; the upper triangle is read
 *            work  SCRATCH 3 k elements */
#include "codelets/dense/grid.h"

struct args {
    double rcond;
    int tiles, k;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_grid_seen s;
    int e = tw_grid_begin(&s, body, 1, g->tiles, g->tiles);

    if (!e)
        *(int64_t *)body->buf[0].ptr =
            TW_CPU(body)->rank(&s.grid, g->k, g->rcond, body->buf[1 + g->tiles * g->tiles].ptr);
    tw_grid_end(&s);
    return e;
}

static struct tw_codelet codelet = {.name = "rank", .color = 0xDDCC77, .rate = TW_RATE_MEMORY, .cpu = cpu, .urgent = 1};

void tw_task_rank(struct tw_sequence *seq, int priority, double rcond, int k, struct tw_data *const *grid, int tiles,
                  struct tw_data *rank)
{
    const struct args args = {rcond, tiles, k};
    const enum tw_type type = grid[0]->type;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "rank", 2 + tiles * tiles, few);

    if (!access) return;
    access[0] = (struct tw_access){rank, TW_W};
    for (int i = 0; i < tiles * tiles; i++)
        access[1 + i] = (struct tw_access){grid[i], TW_R};
    access[1 + tiles * tiles] = (struct tw_access){tw_scratch(3 * (size_t)k * tw_sizeof(type)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2 + tiles * tiles,
                                     .priority = priority,
                                     .size = k,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}
