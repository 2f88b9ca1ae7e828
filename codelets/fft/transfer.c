/* Rectangles from one memory to another, beside the kernels of the GPU's other streams: to and from main memory by its
 * copy engines, between GPUs by a kernel of their own. */
#include <string.h>
#include "codelets/fft/at.h"

enum { TW_FFT_PIECES = 64 }; /* more than there are GPUs */

struct args {
    const struct tw_fft_transfer *piece;
    int count;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;

    for (int k = 0; k < g->count; k++) {
        const struct tw_fft_transfer *p = &g->piece[k];
        for (size_t row = 0; row < p->rows; row++)
            memcpy(p->to + row * p->to_pitch, p->from + row * p->from_pitch, p->width);
    }
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_fft_gpu q = tw_fft_gpu_of(body->cuda);

    return tw_fft_cuda_transfers(&q, g->piece, g->count);
}

static int plan(const struct tw_fft_gpu *q, void *arg)
{
    (void)arg;
    return tw_fft_cuda_transfers_plan(q);
}
static int prepare(const struct tw_cuda *cuda, void *message)
{
    return tw_fft_gpu_plan(cuda, plan, NULL, message);
}

void tw_fft_transfer_prepare(struct tw_sequence *seq)
{
    char message[512] = "";
    if (tw_cuda_on_each_gpu(prepare, message)) tw_loop_fail(seq, TW_E_DEVICE, "%s", message);
}

static struct tw_codelet codelet = {
    .name = "fft_transfer", .color = 0x81A4CD, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

void tw_task_fft_transfer(struct tw_sequence *seq, enum tw_type type, const struct tw_fft_transfer *piece, int count,
                          const struct tw_fft_at *t)
{
    const struct args args = {piece, count};
    struct tw_move moves[TW_FFT_PIECES];
    double bytes = 0;

    for (int k = 0; k < count; k++) {
        const double b = (double)piece[k].width * (double)piece[k].rows;
        bytes += 2 * b;
        if (k < TW_FFT_PIECES) moves[k] = (struct tw_move){piece[k].source - 1, piece[k].target - 1, b};
    }
    tw_fft_submit_at(seq,
                     &(struct tw_task){.codelet = &codelet,
                                       .type = type,
                                       .args = &args,
                                       .args_size = sizeof args,
                                       .bytes = bytes,
                                       .moves = moves,
                                       .nmoves = (int)tw_min(count, TW_FFT_PIECES),
                                       .size = (double)piece->width,
                                       .coord = {t->index, -1, -1, -1}},
                     0, t);
}
