/* Two block reflectors, one after the other, as one of both's columns: products with twice as many run faster.
 *
 * (I - V1 T1 V1^H) (I - V2 T2 V2^H) = I - V T V^H with V = [V1 V2] and T = [T1 -T1 (V1^H V2) T2; 0 T2] (Schreiber, Van
 * Loan, SIAM J. Sci. Stat. Comput. 10, 1989).
 *
 * Arguments  none: V2's rows are V1's last ones
 * Buffers    V1, T1, V2, T2  R        m x k1, k1 x k1, m2 x k2, k2 x k2; ones and zeros are written out
 *            V               W        m x (k1 + k2)
 *            T               W        (k1 + k2) x (k1 + k2)
 *            work            SCRATCH  2 k1 x k2 elements */
#include "codelets/eigen/eigen_bodies.h"

static const tw_scalar zero = {0, 0}, one = {1, 0}, minus_one = {-1, 0};

static int join(const struct tw_body *body)
{
    const struct tw_buffer *V1 = &body->buf[0], *T1 = V1 + 1, *V2 = V1 + 2, *T2 = V1 + 3, *V = V1 + 4, *T = V1 + 5;
    const int k1 = V1->n, k2 = V2->n, above = V1->m - V2->m;
    char *g = body->buf[6].ptr, *x = g + (size_t)k1 * (size_t)k2 * tw_sizeof(body->type);

    TW_STEP(TW_DO(body, gemm, tw_real_trans(body->type, 'C'), 'N', k1, k2, V2->m, one, tw_at(body, V1, above, 0),
                  V1->ld, V2->ptr, V2->ld, zero, g, k1));
    TW_STEP(TW_DO(body, gemm, 'N', 'N', k1, k2, k1, one, T1->ptr, T1->ld, g, k1, zero, x, k1));
    TW_STEP(TW_DO(body, lacpy, 'G', k1, k1, T1->ptr, T1->ld, T->ptr, T->ld));
    TW_STEP(TW_DO(body, laset, 'G', k2, k1, zero, zero, tw_at(body, T, k1, 0), T->ld));
    TW_STEP(
        TW_DO(body, gemm, 'N', 'N', k1, k2, k2, minus_one, x, k1, T2->ptr, T2->ld, zero, tw_at(body, T, 0, k1), T->ld));
    TW_STEP(TW_DO(body, lacpy, 'G', k2, k2, T2->ptr, T2->ld, tw_at(body, T, k1, k1), T->ld));
    TW_STEP(TW_DO(body, lacpy, 'G', V1->m, k1, V1->ptr, V1->ld, V->ptr, V->ld));
    if (above) TW_STEP(TW_DO(body, laset, 'G', above, k2, zero, zero, tw_at(body, V, 0, k1), V->ld));
    return TW_DO(body, lacpy, 'G', V2->m, k2, V2->ptr, V2->ld, tw_at(body, V, above, k1), V->ld);
}

static struct tw_codelet codelet = {.name = "larft_pair",
                                    .color = 0xDDCC77,
                                    .rate = TW_RATE_GEMM,
                                    .share = 0.5,
                                    .cpu = join,
                                    .cuda = TW_CUDA_BODY(join),
                                    .urgent = 1};

void tw_task_larft_pair(struct tw_sequence *seq, int priority, struct tw_data *V1, struct tw_data *T1,
                        struct tw_data *V2, struct tw_data *T2, struct tw_data *V, struct tw_data *T)
{
    const size_t work = 2 * (size_t)V1->n * (size_t)V2->n * tw_sizeof(V->type);
    const struct tw_access access[] = {
        {V1, TW_R}, {T1, TW_R}, {V2, TW_R}, {T2, TW_R}, {V, TW_W}, {T, TW_W}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = V->type,
                                     .access = access,
                                     .naccess = 7,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(V->type, V1->n, V2->n, V2->m) +
                                              tw_flops_gemm(V->type, V1->n, V2->n, V1->n + V2->n),
                                     .m = V2->m,
                                     .n = V2->n,
                                     .k = V1->n,
                                     .coord = {-1, -1, -1, -1}});
}
