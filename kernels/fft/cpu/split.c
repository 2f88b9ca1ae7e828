/* Real transforms through complex ones of half the length, scaling and products. */
#include "kernels/fft/cpu/typed_fft.h"

/* With w = exp(-2 pi i k / 2h):  y_k = (z_k + conj z_{h-k}) / 2 - i w (z_k - conj z_{h-k}) / 2,  z_h = z_0. */
void FFT(split)(const struct tw_fft_split *s)
{
    R *z = s->out;
    R half = (R)(0.5 * s->scale), scale = (R)s->scale;

    for (tw_int k = s->from; k < s->to; k++) {
        tw_int m = s->h - k;
        double wr, wi;
        R ar, ai, br, bi, sr, si, dr, di, tr, ti;

        if (k == 0) {
            ar = z[0];
            ai = z[1];
            z[0] = scale * (ar + ai);
            z[1] = 0;
            z[2 * s->h] = scale * (ar - ai);
            z[2 * s->h + 1] = 0;
            continue;
        }
        tw_fft_root(s->roots, k, &wr, &wi);
        ar = z[2 * k], ai = z[2 * k + 1], br = z[2 * m], bi = z[2 * m + 1];
        sr = ar + br, si = ai - bi; /* z_k + conj z_m */
        dr = ar - br, di = ai + bi; /* z_k - conj z_m */
        /* t = -i w d */
        tr = (R)wr * di + (R)wi * dr;
        ti = (R)wi * di - (R)wr * dr;
        z[2 * k] = half * (sr + tr);
        z[2 * k + 1] = half * (si + ti);
        z[2 * m] = half * (sr - tr);
        z[2 * m + 1] = half * (ti - si);
    }
}

/* z_k = (y_k + conj y_{h-k}) + i conj(w) (y_k - conj y_{h-k}): twice the inverse of the above, as an unnormalised
 * backward transform wants it. */
void FFT(join)(const struct tw_fft_split *s)
{
    const R *y = s->in;
    R *z = s->out;
    R scale = (R)s->scale;

    for (tw_int k = s->from; k < s->to; k++) {
        tw_int m = s->h - k;
        double wr, wi;
        R ar = y[2 * k], ai = y[2 * k + 1], br = y[2 * m], bi = y[2 * m + 1], sr, si, dr, di, tr, ti;

        if (k == 0) { /* the imaginary parts of the first and the last element are taken as 0 */
            z[0] = scale * (ar + br);
            z[1] = scale * (ar - br);
            continue;
        }
        tw_fft_root(s->roots, k, &wr, &wi);
        sr = ar + br, si = ai - bi;
        dr = ar - br, di = ai + bi;
        /* t = i conj(w) d, conj(w) = wr - i wi */
        tr = (R)wi * dr - (R)wr * di;
        ti = (R)wr * dr + (R)wi * di;
        z[2 * k] = scale * (sr + tr);
        z[2 * k + 1] = scale * (si + ti);
        z[2 * m] = scale * (sr - tr);
        z[2 * m + 1] = scale * (ti - si);
    }
}

TW_WIDE static void scale_all(tw_int count, R *x, R scale)
{
    for (tw_int i = 0; i < count; i++)
        x[i] *= scale;
}

void FFT(scale)(tw_int count, tw_int stride, void *x_, double scale)
{
    R *x = x_;

    if (stride == 1)
        scale_all(count, x, (R)scale);
    else
        for (tw_int i = 0; i < count; i++)
            x[i * stride] *= (R)scale;
}

TW_WIDE static void multiply(tw_int count, R *a, const R *b)
{
    for (tw_int i = 0; i < count; i++) {
        R ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
        a[2 * i] = ar * br - ai * bi;
        a[2 * i + 1] = ar * bi + ai * br;
    }
}

void FFT(multiply)(tw_int count, void *a, const void *b)
{
    multiply(count, a, b);
}
