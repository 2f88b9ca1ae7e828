/* One stage of a long transform (types/fft/stage.h), a transform at a time. On CPUs long transforms take two stages
 * (columns.c); this is what the CUDA kernel is compared with. */
#include "kernels/fft/cpu/typed_fft.h"

static void gather(const struct tw_fft_stage *s, const R *in, R *x)
{
    for (tw_int k = 0; k < s->n; k++) {
        x[2 * k] = in[2 * k * s->in.point];
        x[2 * k + 1] = in[2 * k * s->in.point + 1];
    }
}

/* The roots are those of a multiple of s->roots. */
static void scatter(const struct tw_fft_stage *s, const struct tw_fft_roots *roots, tw_int column, const R *x, R *out)
{
    const double turn = s->sign < 0 ? 1 : -1;

    for (tw_int k = 0; k < s->n; k++) {
        double re = 1, im = 0;
        R *y = out + 2 * k * s->out.point;
        if (s->roots)
            tw_fft_root(roots, (tw_int)((__int128)k * (s->first + column) % s->roots) * (roots->n / s->roots), &re,
                        &im);
        re *= s->scale, im *= s->scale * turn;
        y[0] = (R)(x[2 * k] * re - x[2 * k + 1] * im);
        y[1] = (R)(x[2 * k] * im + x[2 * k + 1] * re);
    }
}

int FFT(stage)(const struct tw_fft_stage *s, const struct tw_fftw *plan, const struct tw_fft_roots *roots,
               const void *in, void *out)
{
    R *x = tw_fft_buffer((size_t)s->n * 2 * sizeof *x);

    if (!x) return -1;
    for (tw_int o = 0; o < s->outer; o++)
        for (tw_int c = 0; c < s->cols; c++) {
            gather(s, (const R *)in + 2 * (o * s->in.outer + c * s->in.col), x);
            FFT(run)(plan, x, x);
            scatter(s, roots, c, x, (R *)out + 2 * (o * s->out.outer + c * s->out.col));
        }
    return 0;
}
