/* Triangular solves with one right-hand side that no overflow can spoil: every tile of x has an exponent of its own,
 * and stays of a size at which nothing overflows (the idea of LAPACK's latrs3, and of C. C. Kjelgaard Mikkelsen and L.
 * Karlsson, "Blocked algorithms for robust solution of triangular linear systems", PPAM 2017). Only where a plain solve
 * overflowed, so on CPUs only; the exponents, which all tasks of a solve write, keep them in their order.
 *
 * begin  x as it was before the plain solve, and no exponents
 *   Arguments  tiles
 *   Buffers    e     W       an int64_t for each tile
 *              kept  R       all of x
 *              X     W each  the tiles
 * solve  x(r) := inv(op(A(r, r))) x(r)
 *   Arguments  uplo, trans, diag; r
 *   Buffers    e RW, work SCRATCH, A R, x(r) RW
 * update x(i) -= op(A) x(r)
 *   Arguments  trans; r, i
 *   Buffers    e RW, work SCRATCH, A R, x(r) R, x(i) RW */
#include <string.h>
#include "codelets/dense/column.h"

struct args {
    char uplo, trans, diag;
    int tiles, r, i;
};

/* ---- begin ---- */

static int cpu_begin(const struct tw_body *body)
{
    const struct args *g = body->args;
    const char *from = body->buf[1].ptr;

    memset(body->buf[0].ptr, 0, (size_t)g->tiles * sizeof(int64_t));
    for (int i = 0; i < g->tiles; i++) {
        const struct tw_buffer *x = &body->buf[2 + i];
        TW_CPU(body)->lacpy('G', x->m, 1, from, x->m, x->ptr, x->ld);
        from += (size_t)x->m * tw_sizeof(body->type);
    }
    return 0;
}

static struct tw_codelet begin = {.name = "latrs_begin", .color = 0x997788, .rate = TW_RATE_MEMORY, .cpu = cpu_begin};

void tw_task_latrs_begin(struct tw_sequence *seq, int priority, struct tw_data *e, struct tw_data *kept,
                         struct tw_data *const *X, int count)
{
    const struct args args = {.tiles = count};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "latrs", 2 + count, few);

    if (!access) return;
    access[0] = (struct tw_access){e, TW_W};
    access[1] = (struct tw_access){kept, TW_R};
    for (int i = 0; i < count; i++)
        access[2 + i] = (struct tw_access){X[i], TW_W};
    tw_submit(seq, &(struct tw_task){.codelet = &begin,
                                     .type = X[0]->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2 + count,
                                     .priority = priority,
                                     .size = X[0]->m,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}

/* ---- solve ---- */

static int cpu_solve(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[2], *x = &body->buf[3];

    TW_CPU(body)->latrs(g->uplo, g->trans, g->diag, a->m, a->ptr, a->ld, x->ptr, (int64_t *)body->buf[0].ptr + g->r,
                        body->buf[1].ptr);
    return 0;
}

static struct tw_codelet solve = {.name = "latrs", .color = 0x997799, .rate = TW_RATE_MEMORY, .cpu = cpu_solve};

void tw_task_latrs(struct tw_sequence *seq, int priority, char uplo, char trans, char diag, struct tw_data *A,
                   struct tw_data *x, int r, struct tw_data *e)
{
    const struct args args = {.uplo = uplo, .trans = tw_real_trans(x->type, trans), .diag = diag, .r = r};
    const struct tw_access access[] = {
        {e, TW_RW}, {tw_scratch((size_t)A->m * sizeof(double)), TW_SCRATCH}, {A, TW_R}, {x, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &solve,
                                     .type = x->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flops_trsm(x->type, 'L', A->m, 1),
                                     .size = 1,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

/* ---- update ---- */

static int cpu_update(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[2];
    int64_t *e = body->buf[0].ptr;

    TW_CPU(body)->latrs_update(g->trans, a->m, a->n, a->ptr, a->ld, body->buf[3].ptr, e[g->r], body->buf[4].ptr,
                               &e[g->i], body->buf[1].ptr);
    return 0;
}

static struct tw_codelet update = {
    .name = "latrs_update", .color = 0x9977AA, .rate = TW_RATE_MEMORY, .cpu = cpu_update};

void tw_task_latrs_update(struct tw_sequence *seq, int priority, char trans, struct tw_data *A, struct tw_data *xr,
                          int r, struct tw_data *xi, int i, struct tw_data *e)
{
    const struct args args = {.trans = tw_real_trans(xr->type, trans), .r = r, .i = i};
    const struct tw_access access[] = {
        {e, TW_RW}, {tw_scratch((size_t)xr->m * tw_sizeof(xr->type)), TW_SCRATCH}, {A, TW_R}, {xr, TW_R}, {xi, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &update,
                                     .type = xr->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 5,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(xr->type, A->m, 1, A->n),
                                     .size = 1,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
