/* From one rectangle to another of the same shape: between a user's array and data objects that are laid out otherwise.
 *
 * Buffers    in   R
 *            out  W */
#include <string.h>
#include "codelets/fft/fft_bodies.h"
#include "kernels/fft/cuda/moves.h"

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *in = body->buf, *out = body->buf + 1;
    const size_t size = tw_is_single(body->type) ? 8 : 16;

    for (int i = 0; i < out->n; i++)
        memcpy((char *)out->ptr + size * (size_t)i * (size_t)out->ld,
               (const char *)in->ptr + size * (size_t)i * (size_t)in->ld, size * (size_t)out->m);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct tw_buffer *in = body->buf, *out = body->buf + 1;

    const int64_t m = out->m, n = out->n, all = m * n;
    const struct tw_fft_gpu q = tw_fft_gpu_of(body->cuda);

    if (in->ld == m && out->ld == m) /* one line, however short the rows are */
        return tw_fft_cuda_copy(&q, tw_is_single(body->type), 2, 1, all, in->ptr, all, out->ptr, all, 1);
    return tw_fft_cuda_copy(&q, tw_is_single(body->type), 2, n, m, in->ptr, in->ld, out->ptr, out->ld, 1);
}

static struct tw_codelet codelet = {
    .name = "fft_move", .color = 0x81A4CD, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_fft_move(struct tw_sequence *seq, enum tw_type type, int place, struct tw_data *in, struct tw_data *out)
{
    const struct tw_access access[] = {{in, TW_R}, {out, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .access = access,
                                     .naccess = 2,
                                     .size = (double)out->m,
                                     .coord = {-1, -1, -1, -1},
                                     .place = place});
}
