/* Z = (I - V op(T) V^H) Z in some rows of a block of columns, the back-transformation by one panel; or from the right,
 * in some columns of a block of rows.
 *
 * Arguments  side; op; first: row (column) of Z where V begins
 * Buffers    V     R        m x k, with its ones and zeros
 *            T     R        k x k
 *            Z     RW       a whole block of columns, of n rows; or of rows, of n columns
 *            work  SCRATCH  2 k x (columns of Z) elements, or rows */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/sytrd_tasks.h"

static const tw_scalar zero = {0, 0}, one = {1, 0}, minus_one = {-1, 0};

struct args {
    tw_int first;
    char side, op;
};

static int from_right(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *V = &body->buf[0], *T = &body->buf[1], *Z = &body->buf[2];
    const int k = V->n;
    char *w = body->buf[3].ptr, *wt = w + (size_t)k * (size_t)Z->m * tw_sizeof(body->type);
    void *z = tw_at(body, Z, 0, g->first);

    TW_STEP(TW_DO(body, gemm, 'N', 'N', Z->m, k, V->m, one, z, Z->ld, V->ptr, V->ld, zero, w, Z->m));
    TW_STEP(TW_DO(body, gemm, 'N', tw_real_trans(body->type, g->op), Z->m, k, k, one, w, Z->m, T->ptr, T->ld, zero, wt,
                  Z->m));
    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), Z->m, V->m, k, minus_one, wt, Z->m, V->ptr, V->ld,
                 one, z, Z->ld);
}

static int apply(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *V = &body->buf[0], *T = &body->buf[1], *Z = &body->buf[2];
    const int k = V->n;
    char *w = body->buf[3].ptr, *tw = w + (size_t)k * (size_t)Z->n * tw_sizeof(body->type);
    void *z = tw_at(body, Z, g->first, 0);

    if (g->side == 'R') return from_right(body);
    TW_STEP(TW_DO(body, gemm, tw_real_trans(body->type, 'C'), 'N', k, Z->n, V->m, one, V->ptr, V->ld, z, Z->ld, zero, w,
                  k));
    TW_STEP(
        TW_DO(body, gemm, tw_real_trans(body->type, g->op), 'N', k, Z->n, k, one, T->ptr, T->ld, w, k, zero, tw, k));
    return TW_DO(body, gemm, 'N', 'N', V->m, Z->n, k, minus_one, V->ptr, V->ld, tw, k, one, z, Z->ld);
}

static struct tw_codelet codelet = {
    .name = "larfb", .color = 0xAA4499, .rate = TW_RATE_GEMM, .cpu = apply, .cuda = TW_CUDA_BODY(apply)};

void tw_task_larfb_side(struct tw_sequence *seq, int priority, char side, char op, tw_int first, struct tw_data *V,
                        struct tw_data *T, struct tw_data *Z)
{
    const struct args args = {first, side, op};
    const int lines = side == 'L' ? Z->n : Z->m;
    const size_t work = 2 * (size_t)V->n * (size_t)lines * tw_sizeof(Z->type);
    const struct tw_access access[] = {{V, TW_R}, {T, TW_R}, {Z, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = Z->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = 2 * tw_flops_gemm(Z->type, V->m, lines, V->n) +
                                              tw_flops_gemm(Z->type, V->n, lines, V->n),
                                     .m = V->m,
                                     .n = lines,
                                     .k = V->n,
                                     .coord = {Z->coord[0], Z->coord[1], -1, -1}});
}

void tw_task_larfb_rows(struct tw_sequence *seq, int priority, tw_int first, struct tw_data *V, struct tw_data *T,
                        struct tw_data *Z)
{
    tw_task_larfb_side(seq, priority, 'L', 'N', first, V, T, Z);
}
