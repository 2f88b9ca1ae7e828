/* Transforms by their definitions in long double (by FFTW in long double where that would take too long), and the
 * machinery that compares any plan with them. Independent of the library. */
#ifndef TESTS_FFT_REFERENCE_H
#define TESTS_FFT_REFERENCE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <tilework/fft.h>

typedef long double _Complex zl;
#define PI 3.14159265358979323846264338327950288L
enum { NAIVE = 600 }; /* longer dimensions go to FFTW in long double */

static inline double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(int64_t)z * 0x1p-63;
}

/* ---- one dimension ----------------------------------------------------------------------------------------------- */

static inline void dft(tw_int n, int sign, zl *x, tw_int stride)
{
    static zl known[NAIVE];
    static tw_int known_n; /* the roots of the latest call serve the next lines */
    static int known_sign;
    zl *copy = malloc((size_t)n * sizeof *copy), *root = n <= NAIVE ? known : malloc((size_t)n * sizeof *root);
    for (tw_int j = 0; j < n; j++)
        copy[j] = x[j * stride];
    if (n <= NAIVE) {
        for (tw_int j = 0; j < n && (n != known_n || sign != known_sign); j++)
            root[j] = cosl(2 * PI * (long double)j / (long double)n) +
                      sign * I * sinl(2 * PI * (long double)j / (long double)n);
        known_n = n, known_sign = sign;
        for (tw_int k = 0; k < n; k++) {
            zl sum = 0;
            for (tw_int j = 0, at = 0; j < n; j++, at = at + k >= n ? at + k - n : at + k)
                sum += copy[j] * root[at];
            x[k * stride] = sum;
        }
    } else {
        fftwl_plan p = fftwl_plan_dft_1d((int)n, (fftwl_complex *)root, (fftwl_complex *)root, sign, FFTW_ESTIMATE);
        memcpy(root, copy, (size_t)n * sizeof *root);
        fftwl_execute(p);
        fftwl_destroy_plan(p);
        for (tw_int j = 0; j < n; j++)
            x[j * stride] = root[j];
    }
    free(copy);
    if (root != known) free(root);
}

/* The definitions of enum tw_fft_r2r. */
static inline long double r2r_term(enum tw_fft_r2r kind, tw_int n, tw_int j, tw_int k)
{
    long double N = n, a = j, b = k;
    switch (kind) {
    case TW_FFT_DCT1: return j == 0 ? 1 : j == n - 1 ? (k % 2 ? -1 : 1) : 2 * cosl(PI * a * b / (N - 1));
    case TW_FFT_DCT2: return 2 * cosl(PI * (a + 0.5L) * b / N);
    case TW_FFT_DCT3: return j == 0 ? 1 : 2 * cosl(PI * a * (b + 0.5L) / N);
    case TW_FFT_DCT4: return 2 * cosl(PI * (a + 0.5L) * (b + 0.5L) / N);
    case TW_FFT_DST1: return 2 * sinl(PI * (a + 1) * (b + 1) / (N + 1));
    case TW_FFT_DST2: return 2 * sinl(PI * (a + 0.5L) * (b + 1) / N);
    case TW_FFT_DST3: return j == n - 1 ? (k % 2 ? -1 : 1) : 2 * sinl(PI * (a + 1) * (b + 0.5L) / N);
    case TW_FFT_DST4: return 2 * sinl(PI * (a + 0.5L) * (b + 0.5L) / N);
    default: return cosl(2 * PI * (long double)(j * k % n) / N) + sinl(2 * PI * (long double)(j * k % n) / N);
    }
}

static inline void r2r(enum tw_fft_r2r kind, tw_int n, zl *x, tw_int stride)
{
    static enum tw_fft_r2r known_kind;
    static tw_int known_n; /* the matrix of the latest call serves the next lines */
    static long double *matrix;
    zl *copy = malloc((size_t)n * sizeof *copy);

    if (!matrix || known_n != n || known_kind != kind) {
        matrix = realloc(matrix, (size_t)(n * n) * sizeof *matrix);
        known_n = n, known_kind = kind;
        for (tw_int k = 0; k < n; k++)
            for (tw_int j = 0; j < n; j++)
                matrix[k * n + j] = r2r_term(kind, n, j, k);
    }
    for (tw_int j = 0; j < n; j++)
        copy[j] = x[j * stride];
    for (tw_int k = 0; k < n; k++) {
        zl sum = 0;
        for (tw_int j = 0; j < n; j++)
            sum += copy[j] * matrix[k * n + j];
        x[k * stride] = sum;
    }
    free(copy);
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

struct fft_case {
    enum tw_type type;
    enum tw_fft_kind kind;
    int rank, nloops, sign, in_place;
    tw_fft_dim dim[3], loop[3];
    enum tw_fft_norm norm;
    enum tw_fft_path path;
    enum tw_fft_r2r r2r[3];
    enum tw_fft_rigor rigor;
    int async;
};

/* Sizes and strides of an array of the case: loops first, then dimensions. */
struct lattice {
    int levels, is_real;
    tw_int n[6], stride[6], count, span;
};
static inline struct lattice lattice_of(const struct fft_case *c, int output)
{
    struct lattice l = {0};
    l.is_real = c->kind == TW_FFT_R2R || c->kind == (output ? TW_FFT_C2R : TW_FFT_R2C);
    l.count = l.span = 1;
    for (int k = 0; k < c->nloops + c->rank; k++) {
        const tw_fft_dim *d = k < c->nloops ? &c->loop[k] : &c->dim[k - c->nloops];
        int half = k == c->nloops + c->rank - 1 && c->kind == (output ? TW_FFT_R2C : TW_FFT_C2R);
        l.n[l.levels] = half ? d->n / 2 + 1 : d->n;
        l.stride[l.levels] = output ? d->os : d->is;
        l.count *= l.n[l.levels];
        l.span += (l.n[l.levels] - 1) * l.stride[l.levels];
        l.levels++;
    }
    return l;
}
static inline tw_int place(const struct lattice *l, tw_int index)
{
    tw_int at = 0;
    for (int k = l->levels - 1; k >= 0; k--) {
        at += index % l->n[k] * l->stride[k];
        index /= l->n[k];
    }
    return at;
}
static inline zl get(enum tw_type type, int is_real, const void *a, tw_int at)
{
    if (type == TW_FLOAT)
        return is_real ? ((const float *)a)[at] : ((const float *)a)[2 * at] + I * (zl)((const float *)a)[2 * at + 1];
    return is_real ? ((const double *)a)[at] : ((const double *)a)[2 * at] + I * (zl)((const double *)a)[2 * at + 1];
}
static inline void put(enum tw_type type, int is_real, void *a, tw_int at, zl x)
{
    if (type == TW_FLOAT) {
        if (is_real)
            ((float *)a)[at] = (float)creall(x);
        else
            ((float *)a)[2 * at] = (float)creall(x), ((float *)a)[2 * at + 1] = (float)cimagl(x);
    } else {
        if (is_real)
            ((double *)a)[at] = (double)creall(x);
        else
            ((double *)a)[2 * at] = (double)creall(x), ((double *)a)[2 * at + 1] = (double)cimagl(x);
    }
}
static inline size_t bytes_of(enum tw_type type, int is_real, tw_int count)
{
    return (size_t)count * (type == TW_FLOAT ? 4 : 8) * (is_real ? 1 : 2);
}

static inline tw_int points(const struct fft_case *c)
{
    tw_int n = 1;
    for (int d = 0; d < c->rank; d++)
        n *= c->dim[d].n;
    return n;
}
static inline double tolerance(const struct fft_case *c)
{
    double factor = 4, eps = c->type == TW_FLOAT ? 0x1p-24 : 0x1p-53;
    for (int d = 0; d < c->rank; d++) {
        /* the lengths that the complex transform behind a real one has */
        tw_int n = c->dim[d].n;
        if (c->kind == TW_FFT_R2R && c->r2r[d] == TW_FFT_DCT1) n--;
        if (c->kind == TW_FFT_R2R && c->r2r[d] == TW_FFT_DST1) n++;
        for (tw_int p = 2; p <= 13; p++)
            while (n > 1 && n % p == 0)
                n /= p;
        if (n > 1) factor = 10;
    }
    return factor * eps * sqrt(fmax(1, log2((double)points(c))));
}

/* Logical array (all loops), row-major over the full sizes, transformed by the definition. */
static inline void reference(const struct fft_case *c, zl *x)
{
    tw_int total = points(c), batch = 1;
    for (int l = 0; l < c->nloops; l++)
        batch *= c->loop[l].n;
    for (tw_int b = 0; b < batch; b++) {
        tw_int stride = total;
        for (int d = 0; d < c->rank; d++) {
            tw_int n = c->dim[d].n;
            stride /= n;
            for (tw_int line = 0; line < total / n; line++) {
                zl *at = x + b * total + line / stride * stride * n + line % stride;
                if (c->kind == TW_FFT_R2R)
                    r2r(c->r2r[d], n, at, stride);
                else
                    dft(n, c->kind == TW_FFT_R2C ? -1 : c->kind == TW_FFT_C2R ? 1 : c->sign, at, stride);
            }
        }
    }
}

static inline double scale_of(const struct fft_case *c)
{
    double n = 1;
    for (int d = 0; d < c->rank; d++) {
        double m = (double)c->dim[d].n;
        if (c->kind == TW_FFT_R2R && c->r2r[d] != TW_FFT_DHT)
            m = c->r2r[d] == TW_FFT_DCT1 ? 2 * (m - 1) : c->r2r[d] == TW_FFT_DST1 ? 2 * (m + 1) : 2 * m;
        n *= m;
    }
    return c->norm == TW_FFT_UNSCALED ? 1 : c->norm == TW_FFT_BY_N ? 1 / n : 1 / sqrt(n);
}

/* Index of an element of the full logical array as a lattice of half-complex elements counts it; -1 where it is not
 * stored. */
static inline tw_int stored_index(const struct fft_case *c, const struct lattice *l, tw_int index)
{
    tw_int n = c->dim[c->rank - 1].n, last = index % n, m = l->n[l->levels - 1];
    return last >= m ? -1 : index / n * m + last;
}

/* The mirror of a half-complex element: all frequencies negated. */
static inline tw_int mirrored(const struct fft_case *c, tw_int index)
{
    tw_int total = points(c), b = index / total, rest = index % total, result = 0, stride = total;
    for (int d = 0; d < c->rank; d++) {
        tw_int n = c->dim[d].n, k;
        stride /= n;
        k = rest / stride % n;
        result += (k ? n - k : 0) * stride;
    }
    return b * total + result;
}

static inline void describe(const struct fft_case *c, char *text, size_t length)
{
    int at = snprintf(text, length, "%s %s%s%s sign %d norm %d path %d", c->type == TW_FLOAT ? "float" : "double",
                      (const char *[]){"c2c", "r2c", "c2r", "r2r"}[c->kind], c->in_place ? " in place" : "",
                      c->async ? " async" : "", c->sign, (int)c->norm, (int)c->path);
    for (int d = 0; d < c->rank; d++)
        at += snprintf(text + at, length - (size_t)at, " %lld:%lld:%lld", (long long)c->dim[d].n,
                       (long long)c->dim[d].is, (long long)c->dim[d].os);
    for (int d = 0; d < c->nloops; d++)
        at += snprintf(text + at, length - (size_t)at, " v%lld:%lld:%lld", (long long)c->loop[d].n,
                       (long long)c->loop[d].is, (long long)c->loop[d].os);
    for (int d = 0; d < c->rank && c->kind == TW_FFT_R2R; d++)
        at += snprintf(text + at, length - (size_t)at, " kind %d", (int)c->r2r[d]);
}

static inline int untouched(const void *a, size_t from, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        if (((const unsigned char *)a)[from + k] != 0xff) return 0;
    return 1;
}

/* Real data have a hermitian transform: make the logical array of a C2R case so. */
static inline void make_hermitian(const struct fft_case *c, zl *x, tw_int count)
{
    for (tw_int i = 0; i < count; i++) {
        tw_int m = mirrored(c, i);
        if (m == i)
            x[i] = creall(x[i]);
        else if (m > i)
            x[m] = conjl(x[i]);
    }
}

static inline void execute_case(const struct fft_case *c, tw_fft *plan, const void *in, void *out)
{
    if (c->async) {
        tw_sequence *seq;
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_fft_execute_async(plan, in, out, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else if (tw_fft_execute(plan, in, out)) {
        fail_msg("%s", tw_last_message());
    }
}

static int tolerant; /* test_fault: wrong results are what is looked for */

/* Plan and run the case, compare with the definition; the gaps between elements stay as they are, and the input too
 * where that is promised. Returns the relative error in units of the tolerance. */
static inline double check_case(const struct fft_case *c)
{
    struct lattice li = lattice_of(c, 0), lo = lattice_of(c, 1);
    size_t bi = bytes_of(c->type, li.is_real, li.span), bo = bytes_of(c->type, lo.is_real, lo.span),
           room = bi > bo ? bi : bo;
    size_t ei = bytes_of(c->type, li.is_real, 1), eo = bytes_of(c->type, lo.is_real, 1);
    char *in = NULL, *out = NULL, *before = malloc(bi), *used, text[400];
    tw_int batch = 1, total = points(c), full;
    double error = 0, norm = 0, scale = scale_of(c), result;
    uint64_t seed = (uint64_t)total * 31 + (uint64_t)c->kind;
    tw_fft_options o;
    tw_fft *plan;
    zl *x;

    describe(c, text, sizeof text);
    for (int l = 0; l < c->nloops; l++)
        batch *= c->loop[l].n;
    full = batch * total;
    assert_int_equal(posix_memalign((void **)&in, 64, room), 0);
    memset(in, 0xff, room);
    if (c->in_place)
        out = in;
    else {
        assert_int_equal(posix_memalign((void **)&out, 64, bo), 0);
        memset(out, 0xff, bo);
    }
    x = malloc((size_t)full * sizeof *x);
    for (tw_int i = 0; i < full; i++) {
        double re = uniform(&seed), im = uniform(&seed);
        x[i] = c->type == TW_FLOAT ? (float)re + I * (zl)(float)im : re + I * (zl)im;
        if (c->kind == TW_FFT_R2C || c->kind == TW_FFT_R2R) x[i] = creall(x[i]);
    }
    if (c->kind == TW_FFT_C2R) make_hermitian(c, x, full);
    for (tw_int i = 0; i < full; i++) {
        tw_int s = stored_index(c, &li, i);
        if (s >= 0) put(c->type, li.is_real, in, place(&li, s), x[i]);
    }
    memcpy(before, in, bi);
    reference(c, x);

    tw_fft_options_init(&o);
    o.norm = c->norm;
    o.path = c->path;
    o.rigor = c->rigor;
    o.time_limit = 0.1;
    memcpy(o.r2r, c->r2r, sizeof o.r2r);
    if (tw_fft_plan_guru(&plan, c->type, c->kind, c->rank, c->dim, c->nloops, c->loop, c->sign, &o))
        fail_msg("%s: %s", text, tw_last_message());
    execute_case(c, plan, in, out);

    used = calloc((size_t)lo.span, 1);
    for (tw_int i = 0; i < full; i++) {
        tw_int s = stored_index(c, &lo, i);
        zl y, d;
        if (s < 0) continue;
        used[place(&lo, s)] = 1;
        y = get(c->type, lo.is_real, out, place(&lo, s));
        d = y - x[i] * scale;
        error += (double)(creall(d) * creall(d) + cimagl(d) * cimagl(d));
        norm += (double)(creall(x[i]) * creall(x[i]) + cimagl(x[i]) * cimagl(x[i])) * scale * scale;
    }
    if (!c->in_place) {
        for (tw_int i = 0; i < lo.span; i++)
            if (!used[i] && !untouched(out, (size_t)i * eo, eo))
                fail_msg("%s: element %lld of the output's gaps was written", text, (long long)i);
        if ((c->kind != TW_FFT_C2R || c->rank == 1) && memcmp(before, in, bi))
            fail_msg("%s: the input was overwritten", text);
    }
    result = sqrt(error / norm) / tolerance(c);
    if (!(result <= 1) && !tolerant)
        fail_msg("%s: relative error %.3g, allowed %.3g", text, sqrt(error / norm), tolerance(c));
    if (error == 0 && total >= 64) fail_msg("%s: an error of exactly 0 on random input", text);
    tw_fft_destroy(plan);
    free(used);
    free(x);
    free(before);
    if (out != in) free(out);
    free(in);
    (void)ei;
    return result;
}

/* A case without gaps. */
static inline struct fft_case dense_case(enum tw_type type, enum tw_fft_kind kind, int rank, tw_int n0, tw_int n1,
                                         tw_int n2, tw_int batch)
{
    struct fft_case c = {.type = type, .kind = kind, .rank = rank, .sign = -1, .rigor = TW_FFT_ESTIMATE};
    tw_int n[3] = {n0, n1, n2}, is = 1, os = 1;
    for (int d = rank - 1; d >= 0; d--) {
        c.dim[d] = (tw_fft_dim){n[d], is, os};
        is *= d == rank - 1 && kind == TW_FFT_C2R ? n[d] / 2 + 1 : n[d];
        os *= d == rank - 1 && kind == TW_FFT_R2C ? n[d] / 2 + 1 : n[d];
    }
    if (batch > 1) {
        c.nloops = 1;
        c.loop[0] = (tw_fft_dim){batch, is, os};
    }
    return c;
}
/* The same with the padding that an in-place real transform needs. */
static inline struct fft_case in_place_case(enum tw_type type, enum tw_fft_kind kind, int rank, tw_int n0, tw_int n1,
                                            tw_int n2, tw_int batch)
{
    struct fft_case c = dense_case(type, kind, rank, n0, n1, n2, batch);
    tw_int half = c.dim[rank - 1].n / 2 + 1, stride = half;
    c.in_place = 1;
    if (kind == TW_FFT_C2C || kind == TW_FFT_R2R) return c;
    for (int d = rank - 2; d >= 0; d--) {
        c.dim[d].is = kind == TW_FFT_R2C ? 2 * stride : stride;
        c.dim[d].os = kind == TW_FFT_R2C ? stride : 2 * stride;
        stride *= c.dim[d].n;
    }
    if (batch > 1)
        c.loop[0] =
            (tw_fft_dim){batch, kind == TW_FFT_R2C ? 2 * stride : stride, kind == TW_FFT_R2C ? stride : 2 * stride};
    return c;
}
#endif
