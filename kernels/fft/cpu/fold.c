/* Real-to-real transforms through a complex or half-complex one: what comes before it (fold) and after it (unfold).
 * Cosine transforms of kinds 2 and 3 after Makhoul (IEEE Trans. ASSP 28, 1980), kind 4 as a complex transform of half
 * the length; sine transforms are cosine ones of reversed or alternating numbers; kinds 1 are the real transform of the
 * array and its mirror image. */
#include "kernels/fft/cpu/typed_fft.h"

struct complex {
    R re, im;
};

static struct complex root(const struct tw_fft_roots *roots, tw_int k)
{
    double re, im;
    tw_fft_root(roots, k, &re, &im);
    return (struct complex){(R)re, (R)im};
}

/* ---- before ------------------------------------------------------------------------------------------------------ */

/* v = the even elements, then the odd ones backwards. */
static void even_odd(const struct tw_fft_fold *f, R sign)
{
    const R *x = f->in;
    R *v = f->out;

    for (tw_int j = f->from; j < f->to; j++) {
        if (2 * j < f->n) v[j] = x[2 * j];
        if (2 * j + 1 < f->n) v[f->n - 1 - j] = sign * x[2 * j + 1];
    }
}

/* V_k = exp(i pi k / 2n) (x_k - i x_(n - k)), x_n = 0. */
static void rotate(const struct tw_fft_fold *f, int reversed)
{
    const R *x = f->in;
    R *v = f->out;
    tw_int n = f->n;

    for (tw_int k = f->from; k < f->to; k++) {
        struct complex w = root(f->roots, k);
        R a = x[reversed ? n - 1 - k : k], b = k == 0 ? 0 : x[reversed ? k - 1 : n - k];
        v[2 * k] = w.re * a - w.im * b;
        v[2 * k + 1] = -w.re * b - w.im * a;
    }
    if (f->from == 0) v[1] = 0;
}

/* z_j = exp(-i pi (4j + 1) / 4n) (x_2j + i x_(n - 1 - 2j)). */
static void fold_type4(const struct tw_fft_fold *f, int reversed)
{
    const R *x = f->in;
    R *z = f->out;
    tw_int n = f->n;

    for (tw_int j = f->from; j < f->to && 2 * j < n; j++) {
        struct complex w = root(f->roots, 4 * j + 1);
        R a = x[2 * j], b = x[n - 1 - 2 * j], t = reversed ? a : b;
        a = reversed ? b : a;
        z[2 * j] = w.re * a - w.im * t;
        z[2 * j + 1] = w.re * t + w.im * a;
    }
}

/* The array and its mirror image; odd: with zeros at the two places where they meet, and the image negative. */
static void mirror(const struct tw_fft_fold *f, int odd)
{
    const R *x = f->in;
    R *v = f->out;
    tw_int n = f->n, whole = odd ? 2 * n + 2 : 2 * n - 2;

    for (tw_int j = f->from; j < f->to; j++) {
        if (!odd) {
            v[j] = x[j];
            if (j > 0 && j < n - 1) v[whole - j] = x[j];
        } else if (j == 0) {
            v[0] = v[n + 1] = 0;
        } else {
            v[j] = x[j - 1];
            v[whole - j] = -x[j - 1];
        }
    }
}

void FFT(fold)(const struct tw_fft_fold *f)
{
    switch (f->kind) {
    case TW_FFT_DCT1: mirror(f, 0); break;
    case TW_FFT_DST1: mirror(f, 1); break;
    case TW_FFT_DCT2: even_odd(f, 1); break;
    case TW_FFT_DST2: even_odd(f, -1); break;
    case TW_FFT_DCT3: rotate(f, 0); break;
    case TW_FFT_DST3: rotate(f, 1); break;
    case TW_FFT_DCT4: fold_type4(f, 0); break;
    case TW_FFT_DST4: fold_type4(f, 1); break;
    case TW_FFT_DHT: break; /* the transform reads the array itself */
    }
}

/* ---- after ------------------------------------------------------------------------------------------------------- */

/* y_k = Re V_k - Im V_k, of which the mirrored half has the other sign. */
static void hartley(const struct tw_fft_fold *f, R scale)
{
    const R *v = f->in;
    R *y = f->out;

    for (tw_int k = f->from; k < f->to; k++) {
        y[k] = scale * (v[2 * k] - v[2 * k + 1]);
        if (k > 0 && 2 * k < f->n) y[f->n - k] = scale * (v[2 * k] + v[2 * k + 1]);
    }
}

/* y_k = 2 Re, y_(n - k) = -2 Im of exp(-i pi k / 2n) V_k. */
static void cosines(const struct tw_fft_fold *f, R scale, int reversed)
{
    const R *v = f->in;
    R *y = f->out;
    tw_int n = f->n;

    for (tw_int k = f->from; k < f->to; k++) {
        struct complex w = root(f->roots, k);
        y[reversed ? n - 1 - k : k] = 2 * scale * (w.re * v[2 * k] - w.im * v[2 * k + 1]);
        if (k > 0 && 2 * k < n) y[reversed ? k - 1 : n - k] = -2 * scale * (w.re * v[2 * k + 1] + w.im * v[2 * k]);
    }
}

static void interleave(const struct tw_fft_fold *f, R scale, R sign)
{
    const R *v = f->in;
    R *y = f->out;

    for (tw_int j = f->from; j < f->to; j++) {
        if (2 * j < f->n) y[2 * j] = scale * v[j];
        if (2 * j + 1 < f->n) y[2 * j + 1] = sign * scale * v[f->n - 1 - j];
    }
}

/* y_2k = 2 Re, y_(n - 1 - 2k) = -2 Im of exp(-i pi k / n) Z_k. */
static void quarters(const struct tw_fft_fold *f, R scale, R sign)
{
    const R *z = f->in;
    R *y = f->out;

    for (tw_int k = f->from; k < f->to && 2 * k < f->n; k++) {
        struct complex w = root(f->roots, 4 * k);
        y[2 * k] = 2 * scale * (w.re * z[2 * k] - w.im * z[2 * k + 1]);
        y[f->n - 1 - 2 * k] = -2 * sign * scale * (w.re * z[2 * k + 1] + w.im * z[2 * k]);
    }
}

/* y_k = Re V_k, or -Im V_(k + 1). */
static void part(const struct tw_fft_fold *f, R scale, int imaginary)
{
    const R *v = f->in;
    R *y = f->out;

    for (tw_int k = f->from; k < f->to && k < f->n; k++)
        y[k] = imaginary ? -scale * v[2 * (k + 1) + 1] : scale * v[2 * k];
}

void FFT(unfold)(const struct tw_fft_fold *f)
{
    R scale = (R)f->scale;

    switch (f->kind) {
    case TW_FFT_DCT1: part(f, scale, 0); break;
    case TW_FFT_DST1: part(f, scale, 1); break;
    case TW_FFT_DCT2: cosines(f, scale, 0); break;
    case TW_FFT_DST2: cosines(f, scale, 1); break;
    case TW_FFT_DCT3: interleave(f, scale, 1); break;
    case TW_FFT_DST3: interleave(f, scale, -1); break;
    case TW_FFT_DCT4: quarters(f, scale, 1); break;
    case TW_FFT_DST4: quarters(f, scale, -1); break;
    case TW_FFT_DHT: hartley(f, scale); break;
    }
}
