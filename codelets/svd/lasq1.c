/* Singular values of a bidiagonal matrix, each to high relative accuracy: on cores LAPACK's lasq1 (dqds), on GPUs
 * bisection, all of them side by side.
 *
 * Buffers    info  RW       one int64_t; larger than 0: the matrix was not finite, and nothing is done
 *            d     RW       n: the diagonal, then the values, descending
 *            e     RW       n - 1: the super-diagonal, then undefined, or if info says so what is left of it
 *            work  SCRATCH  2 n doubles */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/svd_cpu.h"
#include "kernels/svd/cuda/lasd_cuda.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *d = &body->buf[1], *e = &body->buf[2];
    int k;

    if (*(const int64_t *)body->buf[0].ptr != 0) return 0;
    k = tw_svd_kernels[body->type]->lasq1(d->m, d->ptr, e->ptr);
    if (k < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's lasq1 of order %d", d->m);
    tw_combine_info(body->buf[0].ptr, 0, k);
    tw_body_result(body, &(struct tw_buffer){.ptr = d->ptr, .m = d->m, .n = 1, .ld = d->m, .count = 1}, 1);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_buffer *d = &body->buf[1];
    return tw_cuda_lasd_kernels(tw_is_single(body->type))
        ->values(body->cuda, d->m, d->ptr, body->buf[2].ptr, d->ptr, body->buf[3].ptr);
}

static struct tw_codelet codelet = {
    .name = "lasq1", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.05, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_lasq1(struct tw_sequence *seq, int priority, struct tw_data *d, struct tw_data *e, struct tw_data *info)
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
