/* The complete orthogonal factorization of R's first rows, (T 0) Z, LAPACK's tzrzf in one task.
 *
 * Arguments  mt, nt: tiles; m: rows; by: of T in A
 * Buffers    tau   W        m elements
 *            A     RW each  the tiles from the matrix' first row and column on, column-major; the upper trapezoid of m
 *                           rows
 *            F     W        m x (n + TW_COLUMNS_BEHIND): the same, in one tile, and zeros, since OpenBLAS' cgemv and
 *                           zgemv read past their matrix
 *            work  SCRATCH  32 m elements */
#include "codelets/dense/grid.h"

struct args {
    int mt, nt, m;
    double by;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *f = &body->buf[1 + g->mt * g->nt];
    struct tw_grid_seen s;
    int e = tw_grid_begin(&s, body, 1, g->mt, g->nt);

    if (!e) TW_CPU(body)->tzrzf(&s.grid, g->m, g->by, f->ptr, body->buf[0].ptr, f[1].ptr);
    tw_grid_end(&s);
    return e;
}

static struct tw_codelet codelet = {.name = "tzrzf", .color = 0xDDAA33, .rate = TW_RATE_TRI, .cpu = cpu, .urgent = 1};

void tw_task_tzrzf(struct tw_sequence *seq, int priority, struct tw_data *const *grid, int mt, int nt, double by,
                   struct tw_data *F, struct tw_data *tau)
{
    const struct args args = {mt, nt, F->m, by};
    const double m = F->m, n = F->n - TW_COLUMNS_BEHIND;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "tzrzf", 3 + mt * nt, few);

    if (!access) return;
    access[0] = (struct tw_access){tau, TW_W};
    for (int i = 0; i < mt * nt; i++)
        access[1 + i] = (struct tw_access){grid[i], TW_RW};
    access[1 + mt * nt] = (struct tw_access){F, TW_W};
    access[2 + mt * nt] = (struct tw_access){tw_scratch(32 * (size_t)F->m * tw_sizeof(F->type)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = F->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3 + mt * nt,
                                     .priority = priority,
                                     .flops = 2 * tw_flops_gemm(F->type, m, m, n - m),
                                     .m = m,
                                     .n = n,
                                     .k = m,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}
