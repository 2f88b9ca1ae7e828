/* What blocks of columns that were chosen at once have left, and whether it ends within them
 * (algorithms/dense/geqp3rk_random.c). On CPUs.
 *
 * colnorm2    A R, acc RW: the squares of each column are added to a pair of doubles, LAPACK's lassq
 *
 * pivot_look  Arguments  at: the block's first column in the matrix; n: the matrix' columns; width: of the block; 0:
 *                        nothing is factored yet; tiles: of the block's row; sums: pairs' vectors; more: there is
 *                        another block
 *             Buffers    stop  RW       a struct tw_pivot_stop
 *                        info  RW       of the routine
 *                        R     R each   the block's row of tiles, from its own column on
 *                        acc   R each   of the columns behind it, what is below that row; of none: of all columns
 *                        norms SCRATCH  width + 1 doubles */
#include <math.h>
#include "codelets/dense/column.h"
#include "types/dense/pivot_stop.h"

static int cpu_norms(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    double *acc = body->buf[1].ptr;

    for (int j = 0; j < a->n; j++)
        TW_CPU(body)->normfro(TW_STRUCT_GENERAL, 'G', 'N', a->m, 1,
                              (const char *)a->ptr + (size_t)j * (size_t)a->ld * tw_sizeof(body->type), (int)a->ld, 1,
                              acc + 2 * j);
    return 0;
}
static struct tw_codelet norms = {.name = "colnorm2", .color = 0x55AABB, .rate = TW_RATE_MEMORY, .cpu = cpu_norms};

void tw_task_colnorm2(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *acc)
{
    const struct tw_access access[] = {{A, TW_R}, {acc, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &norms,
                                     .type = A->type,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

struct args {
    int64_t at, n;
    int width, tiles, sums, more;
};
enum { STOP, INFO, LISTS };

static double size_of(enum tw_type type, const struct tw_buffer *a, int i, int j)
{
    const size_t at = (size_t)i + (size_t)j * (size_t)a->ld;

    switch (type) {
    case TW_FLOAT: return fabs((double)((const float *)a->ptr)[at]);
    case TW_DOUBLE: return fabs(((const double *)a->ptr)[at]);
    case TW_COMPLEX_FLOAT:
        return hypot((double)((const float *)a->ptr)[2 * at], (double)((const float *)a->ptr)[2 * at + 1]);
    default: return hypot(((const double *)a->ptr)[2 * at], ((const double *)a->ptr)[2 * at + 1]);
    }
}

/* Column c of a tile, `place` columns behind the block's first one: largest[j] = max(largest[j], its norm from row j
 * on), where it is still to come after j columns. A NaN stays. */
static void column(const struct tw_body *body, const struct tw_buffer *a, int c, int place, double below,
                   double *largest)
{
    const struct args *g = body->args;
    double norm = below;

    for (int j = g->width; j >= 0; j--) {
        if (j < g->width && j <= place) norm = hypot(norm, size_of(body->type, a, j, c));
        if (j <= place && (norm > largest[j] || norm != norm)) largest[j] = norm;
    }
}

static double root(const double *acc)
{
    return acc[0] * sqrt(acc[1]);
}

/* largest[j]: the largest norm of a column of what is left after j columns of the block. The place of the first column
 * of A that is not finite, or 0. */
static int look(const struct tw_body *body, double *largest)
{
    const struct args *g = body->args;
    const struct tw_buffer *row = &body->buf[LISTS], *acc = row + g->tiles;
    int place = 0, odd = 0;

    for (int j = 0; j <= g->width; j++)
        largest[j] = 0;
    for (int c = 0; g->tiles > 0 && c < row->n; c++)
        column(body, row, c, place++, 0, largest);
    for (int k = 0; k < g->sums; k++)
        for (int c = 0; c < acc[k].m / 2; c++) {
            const double norm = root((const double *)acc[k].ptr + 2 * c);
            if (!isfinite(norm) && (!odd || (isnan(norm) && !isnan(largest[0])))) odd = place + 1;
            column(body, g->tiles ? &row[k + 1] : NULL, c, place++, norm, largest);
        }
    return odd;
}

static int ends(const struct tw_pivot_stop *s)
{
    return s->k >= s->kmax || s->largest == 0 || s->largest <= s->abstol || s->largest <= s->reltol * s->first;
}

static int cpu_look(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_pivot_stop *s = body->buf[STOP].ptr;
    double *largest = body->buf[LISTS + g->tiles + g->sums].ptr;
    const int odd = look(body, largest), begins = g->width == 0;

    if (begins) s->first = largest[0];
    for (int j = begins ? 0 : 1; j <= g->width && !s->stopped; j++) {
        s->k = g->at + j;
        s->largest = largest[j];
        s->stopped = (j < g->width || g->more) && ends(s);
    }
    if (isfinite(largest[0])) return 0;
    s->stopped = 1, s->k = g->at, s->largest = largest[0]; /* nothing that was done since is to be believed */
    if (isnan(largest[0]))
        s->nan = g->at + (odd ? odd : 1);
    else
        s->inf = g->at + (odd ? odd : 1);
    tw_combine_info(body->buf[INFO].ptr, 0, (int)(s->nan ? s->nan : g->n + s->inf));
    return 0;
}
static struct tw_codelet codelet = {
    .name = "pivot_look", .color = 0xCC79B7, .rate = TW_RATE_MEMORY, .cpu = cpu_look, .urgent = 1};

void tw_task_pivot_look(struct tw_sequence *seq, int priority, enum tw_type type, tw_int at, tw_int n, int width,
                        int more, struct tw_data *const *row, int tiles, struct tw_data *const *acc, int sums,
                        struct tw_data *stop)
{
    const struct args args = {at, n, width, tiles, sums, more};
    const int naccess = LISTS + tiles + sums + 1;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "pivot_look", naccess, few);

    if (!access) return;
    access[STOP] = (struct tw_access){stop, TW_RW};
    access[INFO] = (struct tw_access){tw_info(seq), TW_RW};
    for (int k = 0; k < tiles; k++)
        access[LISTS + k] = (struct tw_access){row[k], TW_R};
    for (int k = 0; k < sums; k++)
        access[LISTS + tiles + k] = (struct tw_access){acc[k], TW_R};
    access[naccess - 1] = (struct tw_access){tw_scratch(((size_t)width + 1) * sizeof(double)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = width + 1,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}
