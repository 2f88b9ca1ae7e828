/* Rows of rank-1 transforms beside their definitions, or FFTW in long double where those would take too long, whoever
 * computes them. */
#ifndef TESTS_FFT_LINES_H
#define TESTS_FFT_LINES_H
#include "reference.h"
#include "kernels/fft/cuda/small.h"

/* One row in long double: complex numbers, real parts only where the side is real. */
static inline void line_reference(const struct tw_fft_cuda_lines *l, zl *x)
{
    static const fftwl_r2r_kind kinds[] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00,
                                           FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11, FFTW_DHT};
    long double *y;
    fftwl_plan p;

    if (l->kind == TW_FFT_C2R)
        for (tw_int k = l->n / 2 + 1; k < l->n; k++)
            x[k] = conjl(x[l->n - k]);
    if (l->kind != TW_FFT_R2R) {
        dft(l->n, l->kind == TW_FFT_R2C ? -1 : l->kind == TW_FFT_C2R ? 1 : l->sign, x, 1);
        return;
    }
    if (l->n <= 128) {
        r2r(l->r2r, l->n, x, 1);
        return;
    }
    y = fftwl_malloc((size_t)l->n * sizeof *y);
    p = fftwl_plan_r2r_1d((int)l->n, y, y, kinds[l->r2r], FFTW_ESTIMATE);
    for (tw_int k = 0; k < l->n; k++)
        y[k] = creall(x[k]);
    fftwl_execute(p);
    fftwl_destroy_plan(p);
    for (tw_int k = 0; k < l->n; k++)
        x[k] = y[k];
    fftwl_free(y);
}

struct line_side {
    int reals; /* of an element */
    tw_int n, ld;
    size_t bytes; /* of a row with its gap */
};
static inline struct line_side line_side(const struct tw_fft_cuda_lines *l, int output)
{
    struct line_side s = {1, l->n, output ? l->ld_out : l->ld_in, 0};
    if (l->kind == TW_FFT_C2C || l->kind == (output ? TW_FFT_R2C : TW_FFT_C2R)) s.reals = 2;
    if (l->kind == (output ? TW_FFT_R2C : TW_FFT_C2R)) s.n = l->n / 2 + 1;
    s.bytes = (size_t)(s.ld * s.reals) * (l->single ? 4 : 8);
    return s;
}
static inline double line_real(const struct tw_fft_cuda_lines *l, const char *row, tw_int k)
{
    return l->single ? (double)((const float *)row)[k] : ((const double *)row)[k];
}

/* Pitches of rows with gaps: `gap` elements, more where both sides have to take the same room. */
static inline void line_pitches(struct tw_fft_cuda_lines *l, tw_int gap, int in_place)
{
    const tw_int half = l->n / 2 + 1;

    l->ld_in = (l->kind == TW_FFT_C2R ? half : l->n) + gap;
    l->ld_out = (l->kind == TW_FFT_R2C ? half : l->n) + gap;
    if (in_place && l->kind == TW_FFT_R2C) l->ld_in = 2 * l->ld_out;
    if (in_place && l->kind == TW_FFT_C2R) l->ld_out = 2 * l->ld_in;
}

/* Who computes: arrays of so many bytes, in == out in place. 0, or 1 with the message set. */
typedef int (*lines_fn)(const struct tw_fft_cuda_lines *l, const void *in, size_t in_bytes, void *out,
                        size_t out_bytes);

static inline double line_error(const struct tw_fft_cuda_lines *l, const char *in, const char *out)
{
    const struct line_side si = line_side(l, 0), so = line_side(l, 1);
    zl *x = malloc((size_t)l->n * sizeof *x);
    double d = 0, n = 0;

    for (tw_int k = 0; k < si.n; k++)
        x[k] = si.reals == 1 ? line_real(l, in, k) : line_real(l, in, 2 * k) + I * line_real(l, in, 2 * k + 1);
    if (l->kind == TW_FFT_C2R) {
        x[0] = creall(x[0]);
        if (l->n % 2 == 0) x[l->n / 2] = creall(x[l->n / 2]);
    }
    line_reference(l, x);
    for (tw_int k = 0; k < so.n; k++) {
        zl y = so.reals == 1 ? line_real(l, out, k) : line_real(l, out, 2 * k) + I * line_real(l, out, 2 * k + 1);
        zl want = (long double)l->scale * (so.reals == 1 ? creall(x[k]) : x[k]), e = y - want;
        d += (double)(creall(e) * creall(e) + cimagl(e) * cimagl(e));
        n += (double)(creall(want) * creall(want) + cimagl(want) * cimagl(want));
    }
    free(x);
    return sqrt(d / n);
}

/* Random rows; three of them are compared, and what lies between the rows of the output has to stay as it was. Returns
 * the largest error over the bound of docs/design.md, section 5. */
static inline double check_lines(struct tw_fft_cuda_lines l, tw_int gap, int in_place, lines_fn compute)
{
    const double eps = l.single ? 0x1p-24 : 0x1p-53, bound = 4 * eps * sqrt(fmax(1, log2((double)l.n)));
    struct line_side si, so;
    uint64_t seed = (uint64_t)l.n * 31 + (uint64_t)l.kind;
    char *in, *out, *kept;
    double worst = 0;

    line_pitches(&l, gap, in_place);
    si = line_side(&l, 0), so = line_side(&l, 1);
    in = malloc(si.bytes * (size_t)l.rows);
    kept = malloc(si.bytes * (size_t)l.rows);
    out = in_place ? in : malloc(so.bytes * (size_t)l.rows);
    memset(in, 0, si.bytes * (size_t)l.rows);
    for (tw_int r = 0; r < l.rows; r++)
        for (tw_int k = 0; k < si.n * si.reals; k++) {
            char *row = in + si.bytes * (size_t)r;
            if (l.single)
                ((float *)row)[k] = (float)uniform(&seed);
            else
                ((double *)row)[k] = uniform(&seed);
        }
    memcpy(kept, in, si.bytes * (size_t)l.rows);
    if (!in_place) memset(out, 0xff, so.bytes * (size_t)l.rows);
    if (compute(&l, in, si.bytes * (size_t)l.rows, out, so.bytes * (size_t)l.rows)) fail_msg("%s", tw_last_message());
    for (int k = 0; k < 3; k++) {
        size_t r = (size_t)(k * (l.rows - 1) / 2);
        double e = line_error(&l, kept + si.bytes * r, out + so.bytes * r) / bound;
        if (!(e <= 1))
            fail_msg("%s kind %d r2r %d sign %d n %lld row %zu of %lld%s: %g of the bound",
                     l.single ? "float" : "double", (int)l.kind, (int)l.r2r, l.sign, (long long)l.n, r,
                     (long long)l.rows, in_place ? " in place" : "", e);
        worst = fmax(worst, e);
    }
    for (tw_int r = 0; r < l.rows && !in_place; r++) {
        size_t used = so.bytes / (size_t)so.ld * (size_t)so.n;
        assert_true(untouched(out + so.bytes * (size_t)r, used, so.bytes - used));
    }
    if (!in_place) assert_memory_equal(in, kept, si.bytes * (size_t)l.rows);
    if (out != in) free(out);
    free(kept);
    free(in);
    return worst;
}
#endif
