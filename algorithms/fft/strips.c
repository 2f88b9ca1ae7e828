/* Stages of a transform whose tasks work on arrays in main memory and are ordered by tokens. */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "algorithms/fft/strips.h"

static tw_int block(const struct tw_fft *p, tw_int width, tw_int chunk)
{
    tw_int w = tw_fft_ceil(width, tw_fft_parts(p->reproducible));
    return tw_min(width, tw_fft_ceil(w, chunk) * chunk);
}

struct tw_fft_strips tw_fft_strips_of(const struct tw_fft *p, const struct tw_fft_column_plan *c, tw_int width,
                                      const void *in, tw_int ld_in, void *out, tw_int ld_out)
{
    double n = (double)c->n;

    return (struct tw_fft_strips){.columns = {.plan = c->plan,
                                              .n = c->n,
                                              .chunk = c->chunk,
                                              .pitch = c->pitch,
                                              .in = in,
                                              .ld_in = ld_in,
                                              .out = out,
                                              .ld_out = ld_out,
                                              .scale = 1},
                                  .width = width,
                                  .block = block(p, width, c->chunk),
                                  .flops = 5 * n * log2(n),
                                  .type = p->type};
}

void tw_fft_strips_twist(struct tw_fft_strips *s, const struct tw_fft_roots *roots, int sign)
{
    s->columns.transposed = 1;
    s->columns.roots = roots;
    s->columns.sign = sign;
}

int tw_fft_strips(struct tw_sequence *seq, const struct tw_fft_strips *s, const struct tw_fft_signs *after,
                  struct tw_fft_signs *done)
{
    *done = (struct tw_fft_signs){.n = (int)tw_fft_ceil(s->width, s->block)};
    if (tw_fft_tokens_make(seq, done->n, &done->token)) return 0;
    for (int q = 0; q < done->n; q++)
        tw_task_fft_strip(seq, s, q, done->token[q], after ? after->n : 0, after ? after->token : NULL);
    return done->n;
}

size_t tw_fft_workspace_bytes(const struct tw_fft *p)
{
    return p->workspace_bytes + (p->method->kept ? p->method->kept(p) : 0);
}

void *tw_fft_block(size_t bytes)
{
    void *block = NULL;

    if (posix_memalign(&block, bytes < (size_t)4 << 20 ? 64 : 2 << 20, bytes)) return NULL;
    if (bytes >= (size_t)4 << 20) (void)madvise(block, bytes, MADV_HUGEPAGE); /* advice only */
    return block;
}
