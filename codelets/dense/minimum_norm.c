/* The shortest solutions of a block column, from what tzrzf made; and rows of solutions back where their columns were.
 *
 * minimum_norm  F R (m x (n + TW_COLUMNS_BEHIND), as tzrzf left it; complex ones RW: LAPACK's ?larzt conjugates them
 *               for a while), tau R (m elements), Y R each (m rows and more), X W each (n rows), work SCRATCH ((n + 32)
 *               k + 4160 elements)
 * permute_rows  jpvt R (n int32_t), X RW each, work SCRATCH (n elements) */
#include "codelets/dense/grid.h"

struct args {
    int y, x; /* tiles */
};

static int cpu_solve(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *f = &body->buf[0];
    struct tw_grid_seen y, x;
    int e = tw_grid_begin(&y, body, 2, g->y, 1), d = tw_grid_begin(&x, body, 2 + g->y, g->x, 1);

    if (!e && !d)
        TW_CPU(body)->minimum_norm(f->m, f->n - TW_COLUMNS_BEHIND, f->ptr, body->buf[1].ptr, &y.grid, &x.grid,
                                   body->buf[2 + g->y + g->x].ptr);
    tw_grid_end(&y);
    tw_grid_end(&x);
    return e ? e : d;
}
static int cpu_permute(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_grid_seen x;
    int e = tw_grid_begin(&x, body, 1, g->x, 1);

    if (!e) TW_CPU(body)->permute_rows(&x.grid, body->buf[0].ptr, body->buf[1 + g->x].ptr);
    tw_grid_end(&x);
    return e;
}

static struct tw_codelet solve = {.name = "minimum_norm", .color = 0xDD8833, .rate = TW_RATE_TRSM, .cpu = cpu_solve},
                         permute = {
                             .name = "permute_rows", .color = 0x88CCBB, .rate = TW_RATE_MEMORY, .cpu = cpu_permute};

void tw_task_minimum_norm(struct tw_sequence *seq, int priority, struct tw_data *F, struct tw_data *tau,
                          struct tw_data *const *Y, int y, struct tw_data *const *X, int x)
{
    const struct args args = {y, x};
    const size_t k = (size_t)X[0]->n, bytes = ((size_t)(F->n + 32) * k + 4160) * tw_sizeof(F->type);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "minimum_norm", 3 + x + y, few);

    if (!access) return;
    access[0] = (struct tw_access){F, tw_is_complex(F->type) ? TW_RW : TW_R};
    access[1] = (struct tw_access){tau, TW_R};
    for (int i = 0; i < y; i++)
        access[2 + i] = (struct tw_access){Y[i], TW_R};
    for (int i = 0; i < x; i++)
        access[2 + y + i] = (struct tw_access){X[i], TW_W};
    access[2 + y + x] = (struct tw_access){tw_scratch(bytes), TW_SCRATCH};
    tw_submit(seq,
              &(struct tw_task){.codelet = &solve,
                                .type = F->type,
                                .args = &args,
                                .args_size = sizeof args,
                                .access = access,
                                .naccess = 3 + x + y,
                                .priority = priority,
                                .flops = tw_flops_trsm(F->type, 'L', F->m, (double)k) +
                                         2 * tw_flops_gemm(F->type, F->m, (double)k, F->n - TW_COLUMNS_BEHIND - F->m),
                                .m = F->n - TW_COLUMNS_BEHIND,
                                .n = (double)k,
                                .k = F->m,
                                .coord = {X[0]->coord[0], X[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}

void tw_task_permute_rows(struct tw_sequence *seq, int priority, struct tw_data *jpvt, struct tw_data *const *X, int x)
{
    const struct args args = {0, x};
    const enum tw_type type = X[0]->type;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "permute_rows", 2 + x, few);

    if (!access) return;
    access[0] = (struct tw_access){jpvt, TW_R};
    for (int i = 0; i < x; i++)
        access[1 + i] = (struct tw_access){X[i], TW_RW};
    access[1 + x] = (struct tw_access){tw_scratch((size_t)jpvt->m * tw_sizeof(type)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &permute,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2 + x,
                                     .priority = priority,
                                     .size = X[0]->n,
                                     .coord = {X[0]->coord[0], X[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
