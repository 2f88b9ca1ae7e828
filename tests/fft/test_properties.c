/* What every transform has to satisfy, whatever its size (Ergun, Testing multivariate linear functions, STOC 1995):
 * linearity, the impulse in two random parts, shifts in time and in frequency; for each way of computing. Then
 * Parseval, an impulse and the way back for a transform of 2^24 points, and the symmetry of real ones. */
#include "reference.h"

enum { MAX = 1 << 21 };

struct shape {
    enum tw_fft_kind kind;
    int rank;
    tw_int n[3], batch;
    const char *path;
};

static const struct shape shapes[] = {
    {TW_FFT_C2C, 1, {1 << 16}, 1, "six-step"},    {TW_FFT_C2C, 1, {3 * 5 * 7 * 11 * 13 * 4}, 1, "six-step"},
    {TW_FFT_C2C, 1, {65537}, 1, "bluestein"},     {TW_FFT_C2C, 1, {3 * 20011}, 1, "bluestein"},
    {TW_FFT_C2C, 2, {200, 300}, 1, "slabs"},      {TW_FFT_C2C, 3, {41, 30, 36}, 1, "slabs"},
    {TW_FFT_C2C, 1, {1000}, 60, "slabs"},         {TW_FFT_C2C, 1, {1 << 20}, 2, "six-step"},
    {TW_FFT_R2C, 1, {1 << 17}, 1, "six-step"},    {TW_FFT_R2C, 1, {59049}, 1, "six-step"},
    {TW_FFT_R2C, 1, {2 * 30011}, 1, "bluestein"}, {TW_FFT_R2C, 1, {65537}, 1, "bluestein"},
    {TW_FFT_R2C, 2, {150, 301}, 1, "slabs"},      {TW_FFT_R2C, 3, {40, 31, 50}, 1, "slabs"},
};

/* One transform under test: its arrays hold all of the batch, the tests below look at the last one. */
struct run {
    const struct shape *s;
    enum tw_type type;
    tw_fft *plan;
    tw_int points, stored, in_reals, out_reals; /* of one transform: points, output elements; of all, reals */
    char *in, *out;
    double bound;
    uint64_t seed;
};

static double real_at(const struct run *r, const void *a, tw_int k)
{
    return r->type == TW_FLOAT ? ((const float *)a)[k] : ((const double *)a)[k];
}

static void set(const struct run *r, void *a, tw_int k, double x)
{
    if (r->type == TW_FLOAT)
        ((float *)a)[k] = (float)x;
    else
        ((double *)a)[k] = x;
}

/* The transform of x (reals, all of the batch) to doubles. */
static void transform(struct run *r, const double *x, double *y)
{
    for (tw_int k = 0; k < r->in_reals; k++)
        set(r, r->in, k, x[k]);
    if (tw_fft_execute(r->plan, r->in, r->out)) fail_msg("%s", tw_last_message());
    for (tw_int k = 0; k < r->out_reals; k++)
        y[k] = real_at(r, r->out, k);
}

static void near(const struct run *r, const char *what, const double *a, const double *b)
{
    double d = 0, n = 0;
    for (tw_int k = 0; k < r->out_reals; k++)
        d += (a[k] - b[k]) * (a[k] - b[k]), n += b[k] * b[k];
    if (!(sqrt(d / n) <= r->bound))
        fail_msg("%s, %s, kind %d, %lld points: %.3g, allowed %.3g", what, r->s->path, (int)r->s->kind,
                 (long long)r->points, sqrt(d / n), r->bound);
}

static void randomize(struct run *r, double *x)
{
    for (tw_int k = 0; k < r->in_reals; k++) /* exactly what the arrays hold */
        x[k] = r->type == TW_FLOAT ? (double)(float)uniform(&r->seed) : uniform(&r->seed);
}

static tw_int size_of_in(const struct run *r)
{
    return r->in_reals / r->s->batch;
}

/* The frequency of an output element along dimension d, and the place along it of an input element. */
static tw_int along(const struct run *r, tw_int element, int d, int output)
{
    tw_int n = 0;
    for (int k = r->s->rank - 1; k >= d; k--) {
        n = output && k == r->s->rank - 1 && r->s->kind == TW_FFT_R2C ? r->s->n[k] / 2 + 1 : r->s->n[k];
        if (k > d) element /= n;
    }
    return element % n;
}

static void linearity(struct run *r, double *x, double *y, double *fx, double *fy, double *fz)
{
    randomize(r, x);
    randomize(r, y);
    transform(r, x, fx);
    transform(r, y, fy);
    for (tw_int k = 0; k < r->in_reals; k++)
        x[k] = 0.75 * x[k] - 0.3125 * y[k];
    transform(r, x, fz);
    for (tw_int k = 0; k < r->out_reals; k++)
        fx[k] = 0.75 * fx[k] - 0.3125 * fy[k];
    near(r, "linearity", fz, fx);
}

/* x and impulse - x: together the transform of the impulse, which is 1 everywhere. */
static void impulse(struct run *r, double *x, double *fx, double *fy, double *one)
{
    tw_int size = size_of_in(r), stored = r->out_reals / r->s->batch;

    randomize(r, x);
    transform(r, x, fx);
    for (tw_int k = 0; k < r->in_reals; k++)
        x[k] = (k % size == 0 ? 1 : 0) - x[k];
    transform(r, x, fy);
    for (tw_int k = 0; k < r->out_reals; k++)
        fy[k] += fx[k], one[k] = k % stored % 2 == 0;
    /* relative to what was added, not to the sum */
    for (tw_int k = 0; k < r->out_reals; k++)
        fy[k] += fx[k] - one[k];
    near(r, "impulse", fy, fx);
}

/* Shifted by one along dimension d, the transform turns by exp(-2 pi i k / n). */
static void time_shift(struct run *r, int d, double *x, double *y, double *fx, double *fy)
{
    tw_int n = r->s->n[d], stride = r->s->kind == TW_FFT_C2C ? 2 : 1, complexes = r->out_reals / 2;
    tw_int parts = stride;

    for (int k = r->s->rank - 1; k > d; k--)
        stride *= r->s->n[k];
    randomize(r, x);
    transform(r, x, fx);
    for (tw_int k = 0; k < r->in_reals; k += parts) {
        tw_int at = along(r, k / parts % r->points, d, 0), to = at == n - 1 ? k - at * stride : k + stride;
        for (tw_int part = 0; part < parts; part++)
            y[to + part] = x[k + part];
    }
    transform(r, y, fy);
    for (tw_int k = 0; k < complexes; k++) {
        long double angle = -2 * PI * (long double)along(r, k % r->stored, d, 1) / (long double)n;
        double c = (double)cosl(angle), s = (double)sinl(angle), re = fx[2 * k], im = fx[2 * k + 1];
        fx[2 * k] = re * c - im * s;
        fx[2 * k + 1] = re * s + im * c;
    }
    near(r, "time shift", fy, fx);
}

/* Multiplied by exp(2 pi i j / n), the transform moves on by one. */
static void frequency_shift(struct run *r, int d, double *x, double *y, double *fx, double *fy)
{
    tw_int n = r->s->n[d], stride = 2;

    for (int k = r->s->rank - 1; k > d; k--)
        stride *= r->s->n[k];
    randomize(r, x);
    transform(r, x, fx);
    for (tw_int k = 0; k < r->in_reals / 2; k++) {
        long double angle = 2 * PI * (long double)along(r, k % r->points, d, 0) / (long double)n;
        double c = (double)cosl(angle), s = (double)sinl(angle);
        y[2 * k] = x[2 * k] * c - x[2 * k + 1] * s;
        y[2 * k + 1] = x[2 * k] * s + x[2 * k + 1] * c;
    }
    transform(r, y, fy);
    for (tw_int k = 0; k < r->out_reals; k += 2) {
        tw_int at = along(r, k / 2 % r->points, d, 0), to = at == n - 1 ? k - at * stride : k + stride;
        y[to] = fx[k], y[to + 1] = fx[k + 1];
    }
    near(r, "frequency shift", fy, y);
}

static void one_shape(const struct shape *s, enum tw_type type)
{
    struct run r = {.s = s, .type = type, .points = 1, .seed = 77};
    struct fft_case c = dense_case(type, s->kind, s->rank, s->n[0], s->n[1], s->n[2], s->batch);
    tw_int last = s->n[s->rank - 1];
    tw_fft_options o;
    tw_fft_info info;
    double *a[5];

    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    o.time_limit = 0.05;
    assert_int_equal(tw_fft_plan(&r.plan, type, s->kind, s->rank, s->n, s->batch, TW_FFT_FORWARD, &o), 0);
    for (int d = 0; d < s->rank; d++)
        r.points *= s->n[d];
    r.stored = s->kind == TW_FFT_C2C ? r.points : r.points / last * (last / 2 + 1);
    r.in_reals = s->batch * r.points * (s->kind == TW_FFT_C2C ? 2 : 1);
    r.out_reals = s->batch * r.stored * 2;
    r.in = malloc(8 * (size_t)r.in_reals);
    r.out = malloc(8 * (size_t)r.out_reals);
    for (int k = 0; k < 5; k++)
        a[k] = malloc(8 * (size_t)(r.in_reals > r.out_reals ? r.in_reals : r.out_reals));
    /* two transforms, and inputs that are rounded to the type: three times the bound of one */
    r.bound = 3 * tolerance(&c);
    linearity(&r, a[0], a[1], a[2], a[3], a[4]);
    impulse(&r, a[0], a[1], a[2], a[3]);
    for (int d = 0; d < s->rank; d++) {
        time_shift(&r, d, a[0], a[1], a[2], a[3]);
        if (s->kind == TW_FFT_C2C) frequency_shift(&r, d, a[0], a[1], a[2], a[3]);
    }
    assert_int_equal(tw_fft_get_info(r.plan, &info), 0);
    if (info.gpus == 0) assert_string_equal(info.path, s->path);
    tw_fft_destroy(r.plan);
    for (int k = 0; k < 5; k++)
        free(a[k]);
    free(r.in);
    free(r.out);
}

static void ergun(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int type = TW_FLOAT; type <= TW_DOUBLE; type++) {
            if (shapes[k].n[0] * shapes[k].batch >= MAX && type == TW_FLOAT) continue; /* too small for turns */
            one_shape(&shapes[k], (enum tw_type)type);
        }
}

/* In place, 2^24 points: Parseval and the way back for random numbers, then an impulse. */
static void huge(void **state)
{
    const tw_int n = 1 << 24, place = 1234567, step = 4099;
    const double bound = 8 * 0x1p-24 * sqrt(24);
    float *x = malloc(8 * (size_t)n);
    double sx = 0, sf = 0, error = 0;
    uint64_t seed = 5;
    tw_fft_options o;
    tw_fft *forward, *backward;
    (void)state;

    tw_fft_options_init(&o);
    assert_int_equal(tw_fft_plan(&forward, TW_FLOAT, TW_FFT_C2C, 1, &n, 1, TW_FFT_FORWARD, &o), 0);
    o.norm = TW_FFT_BY_N;
    assert_int_equal(tw_fft_plan(&backward, TW_FLOAT, TW_FFT_C2C, 1, &n, 1, TW_FFT_BACKWARD, &o), 0);
    for (tw_int k = 0; k < 2 * n; k++) {
        x[k] = (float)uniform(&seed);
        sx += (double)x[k] * x[k];
    }
    assert_int_equal(tw_fft_execute(forward, x, x), 0);
    for (tw_int k = 0; k < 2 * n; k++)
        sf += (double)x[k] * x[k];
    if (!(fabs(sf / (double)n / sx - 1) < bound)) fail_msg("Parseval: %.3g", sf / (double)n / sx - 1);
    assert_int_equal(tw_fft_execute(backward, x, x), 0);
    seed = 5;
    for (tw_int k = 0; k < 2 * n; k++) {
        double d = x[k] - (double)(float)uniform(&seed);
        error += d * d;
    }
    if (!(sqrt(error / sx) < bound)) fail_msg("there and back: %.3g", sqrt(error / sx));
    memset(x, 0, 8 * (size_t)n);
    x[2 * place] = 1;
    assert_int_equal(tw_fft_execute(forward, x, x), 0);
    error = 0;
    for (tw_int k = 0; k < n; k += step) { /* coprime to n: all remainders */
        long double angle = -2 * PI * (long double)(k * place % n) / (long double)n;
        error = fmax(error, hypot(x[2 * k] - (double)cosl(angle), x[2 * k + 1] - (double)sinl(angle)));
    }
    if (!(error < bound)) fail_msg("impulse: %.3g", error);
    tw_fft_destroy(forward);
    tw_fft_destroy(backward);
    free(x);
}

/* A real transform is the complex one of the same numbers, of which the other half is its mirror. */
static void symmetry(void **state)
{
    static const tw_int n[] = {4096, 59049, 10007, 2 * 10007};
    (void)state;
    for (size_t t = 0; t < sizeof n / sizeof *n; t++) {
        tw_int half = n[t] / 2 + 1;
        double *x = malloc(8 * (size_t)n[t]), *z = calloc((size_t)n[t], 16), *y = malloc(16 * (size_t)half),
               *w = malloc(16 * (size_t)n[t]), error = 0, mirror = 0, norm = 0,
               bound = 20 * 0x1p-53 * sqrt(log2((double)n[t]));
        uint64_t seed = 31;
        tw_fft_options o;
        tw_fft *real, *whole;
        tw_fft_options_init(&o);
        o.path = TW_FFT_TASKS;
        o.rigor = TW_FFT_ESTIMATE;
        assert_int_equal(tw_fft_plan(&real, TW_DOUBLE, TW_FFT_R2C, 1, &n[t], 1, 0, &o), 0);
        assert_int_equal(tw_fft_plan(&whole, TW_DOUBLE, TW_FFT_C2C, 1, &n[t], 1, TW_FFT_FORWARD, &o), 0);
        for (tw_int k = 0; k < n[t]; k++)
            z[2 * k] = x[k] = uniform(&seed);
        assert_int_equal(tw_fft_execute(real, x, y), 0);
        assert_int_equal(tw_fft_execute(whole, z, w), 0);
        assert_true(y[1] == 0); /* real by definition, not by luck */
        if (n[t] % 2 == 0) assert_true(y[2 * half - 1] == 0);
        for (tw_int k = 0; k < half; k++) {
            tw_int m = (n[t] - k) % n[t];
            error += pow(y[2 * k] - w[2 * k], 2) + pow(y[2 * k + 1] - w[2 * k + 1], 2);
            mirror += pow(w[2 * m] - w[2 * k], 2) + pow(w[2 * m + 1] + w[2 * k + 1], 2);
            norm += pow(w[2 * k], 2) + pow(w[2 * k + 1], 2);
        }
        if (!(sqrt(error / norm) < bound) || !(sqrt(mirror / norm) < bound))
            fail_msg("%lld points: real and complex differ by %.3g, the mirror by %.3g", (long long)n[t],
                     sqrt(error / norm), sqrt(mirror / norm));
        tw_fft_destroy(real);
        tw_fft_destroy(whole);
        free(x), free(z), free(y), free(w);
    }
}

/* A few large transforms are done one after another: each as if it were alone, at its place, all kinds. */
static void turns(void **state)
{
    static const struct {
        enum tw_fft_kind kind;
        tw_int n;
        int in_place;
    } cases[] = {{TW_FFT_C2C, 1 << 20, 0},
                 {TW_FFT_R2C, 1 << 21, 0},
                 {TW_FFT_R2C, 1 << 21, 1},
                 {TW_FFT_C2R, 2097153, 0}, /* 3 x 699051 = 3^2 43 5419: odd steps */
                 {TW_FFT_R2C, 2097169, 0} /* a prime */};
    (void)state;
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        enum tw_fft_kind kind = cases[t].kind;
        tw_int n = cases[t].n, half = n / 2 + 1, complexes = kind == TW_FFT_C2C ? n : half,
               reals = cases[t].in_place ? 2 * half : n, is = kind == TW_FFT_R2C ? reals : complexes,
               os = kind == TW_FFT_C2R ? reals : complexes;
        size_t ib = (size_t)is * (kind == TW_FFT_R2C ? 8 : 16), ob = (size_t)os * (kind == TW_FFT_C2R ? 8 : 16),
               bytes = ib > ob ? ib : ob;
        char *x = malloc(2 * bytes), *y = cases[t].in_place ? x : malloc(2 * bytes), *first = malloc(2 * bytes);
        uint64_t seed = 3;
        tw_fft_options o;
        tw_fft *two, *one;
        tw_fft_dim dim = {n, 1, 1}, loop = {2, is, os};
        tw_fft_info info;
        tw_fft_options_init(&o);
        o.path = TW_FFT_TASKS;
        o.rigor = TW_FFT_ESTIMATE;
        o.norm = TW_FFT_ORTHO;
        for (size_t k = 0; k < ib / 4; k++)
            ((double *)x)[k] = uniform(&seed);
        assert_int_equal(tw_fft_plan_guru(&two, TW_DOUBLE, kind, 1, &dim, 1, &loop, TW_FFT_BACKWARD, &o), 0);
        assert_int_equal(tw_fft_plan_guru(&one, TW_DOUBLE, kind, 1, &dim, 0, NULL, TW_FFT_BACKWARD, &o), 0);
        for (int k = 0; k < 2; k++) {
            char *in = first + bytes * (size_t)k;
            memcpy(in, x + ib * (size_t)k, ib);
            if (kind == TW_FFT_C2R) continue;
            if (tw_fft_execute(one, cases[t].in_place ? in : x + ib * (size_t)k, in)) fail_msg("%s", tw_last_message());
        }
        if (kind == TW_FFT_C2R)
            for (int k = 0; k < 2; k++)
                assert_int_equal(tw_fft_execute(one, x + ib * (size_t)k, first + ob * (size_t)k), 0);
        assert_int_equal(tw_fft_execute(two, x, y), 0);
        assert_int_equal(tw_fft_get_info(two, &info), 0);
        if (info.gpus == 0) assert_string_not_equal(info.path, "slabs");
        for (int k = 0; k < 2; k++)
            for (tw_int j = 0; j < (kind == TW_FFT_C2R ? n : 2 * complexes); j++) {
                double a = ((double *)(y + ob * (size_t)k))[j],
                       b = ((double *)(first + (kind == TW_FFT_C2R ? ob : bytes) * (size_t)k))[j];
                if (!(fabs(a - b) < 1e-12))
                    fail_msg("case %zu, transform %d, element %lld: %g, not %g", t, k, (long long)j, a, b);
            }
        tw_fft_destroy(one);
        tw_fft_destroy(two);
        if (y != x) free(y);
        free(x);
        free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ergun), cmocka_unit_test(huge), cmocka_unit_test(symmetry),
                                       cmocka_unit_test(turns)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() ? 1 : failed;
}
