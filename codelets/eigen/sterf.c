/* Eigenvalues of a tridiagonal matrix: on cores LAPACK's sterf (QR without roots), on GPUs bisection, all of them side
 * by side.
 *
 * Buffers    info  RW       one int64_t
 *            d     RW       n: the diagonal, then the eigenvalues, ascending
 *            e     RW       n - 1: the sub-diagonal, then undefined
 *            work  SCRATCH  2 n doubles */
#include "codelets/eigen/laed_bodies.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *d = &body->buf[1];

    if (*(const int64_t *)body->buf[0].ptr != 0) return 0; /* T is not finite */
    tw_combine_info(body->buf[0].ptr, 0, TW_LAED(body)->values(d->m, d->ptr, body->buf[2].ptr));
    tw_body_result(body, &(struct tw_buffer){.ptr = d->ptr, .m = d->m, .n = 1, .ld = d->m, .count = 1}, 1);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_buffer *d = &body->buf[1];
    return TW_CUDA_LAED(body)->values(body->cuda, d->m, d->ptr, body->buf[2].ptr, d->ptr, body->buf[3].ptr);
}

static struct tw_codelet codelet = {
    .name = "sterf", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.05, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_sterf(struct tw_sequence *seq, int priority, struct tw_data *d, struct tw_data *e, struct tw_data *info)
{
    const struct tw_access access[] = {
        {info, TW_RW}, {d, TW_RW}, {e, TW_RW}, {tw_scratch(2 * (size_t)d->m * sizeof(double)), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = d->type,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = 20.0 * d->m * d->m,
                                     .size = d->m,
                                     .coord = {-1, -1, -1, -1}});
}
