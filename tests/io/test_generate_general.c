/* Generators of general matrices: blocks, shapes, seeds, and the property that each kind states, in the four types. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)

static const char *const every_kind[] = {"svd",        "svd:100,1", "svd:10,2", "svd:1e3,4",  "svd:50,5",  "svd:1,6",
                                         "orthogonal", "lowrank:3", "graded",   "graded:1e3", "dominant",  "zerocol:2",
                                         "kahan",      "kahan:0.9", "foster",   "wilkinson",  "chebyshev", "dyadic"};
static const int shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 9}, {9, 1}, {67, 67}, {70, 31}, {31, 70}};

static int is_square(const char *kind)
{
    return !strcmp(kind, "foster") || !strcmp(kind, "wilkinson");
}
static int has_number(const char *kind) /* one that has to lie within the shape */
{
    return !strncmp(kind, "lowrank", 7) || !strncmp(kind, "zerocol", 7);
}
static int is_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
static int min_of(int a, int b)
{
    return a < b ? a : b;
}
static int max_of(int a, int b)
{
    return a > b ? a : b;
}

static tw_generator *create(const char *kind, enum tw_type t, tw_int m, tw_int n, uint64_t seed)
{
    tw_generator *g = NULL;
    tt_expect_info(tw_generator_create(&g, kind, t, m, n, seed), 0, "%s, %d x %d", kind, (int)m, (int)n);
    assert_non_null(g);
    assert_int_equal(tw_generator_is_spd(g), 0);
    return g;
}

static void *generate(const char *kind, enum tw_type t, tw_int m, tw_int n, uint64_t seed)
{
    tw_generator *g = create(kind, t, m, n, seed);
    void *a = tt_array(t, m, n);
    tt_expect_info(tw_generator_block(g, 0, 0, m, n, a, max_of(1, (int)m)), 0, "%s", kind);
    tw_generator_destroy(g);
    return a;
}

/* ---- entries depend on (i, j, seed) alone ------------------------------------------------------------------------ */

static void compare_blocks(const char *kind, enum tw_type t, int m, int n, int bm, int bn)
{
    tw_generator *g = create(kind, t, m, n, 42);
    const int lda = bm + 3;
    const size_t size = tt_size(t);
    char *whole = generate(kind, t, m, n, 42), *block = tt_array(t, lda, bn);

    for (int j0 = 0; j0 < n; j0 += bn)
        for (int i0 = 0; i0 < m; i0 += bm) {
            const int rows = min_of(m - i0, bm), cols = min_of(n - j0, bn);
            memset(block, 0xff, (size_t)(lda * bn) * size);
            tt_expect_info(tw_generator_block(g, i0, j0, rows, cols, block, lda), 0, "%s", kind);
            for (int j = 0; j < cols; j++)
                assert_memory_equal(block + (size_t)(j * lda) * size, whole + (size_t)((j0 + j) * m + i0) * size,
                                    (size_t)rows * size);
            assert_int_equal(tt_touched(t, 'G', rows, cols, block, lda), 0);
        }
    assert_int_equal(tt_touched(t, 'G', m, n, whole, max_of(1, m)), 0);
    for (size_t k = 0; k < (size_t)m * (size_t)n; k++)
        if (!isfinite(cabs(tt_get(t, whole, k)))) fail_msg("%s %d x %d: element %zu", kind, m, n, k);
    free(whole), free(block);
    tw_generator_destroy(g);
}

static void test_blocks(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(every_kind); k++)
        FOR_TYPES(t)
            for (size_t s = 0; s < COUNT(shapes); s++) {
                const int m = shapes[s][0], n = shapes[s][1];
                if ((is_square(every_kind[k]) && m != n) || (has_number(every_kind[k]) && min_of(m, n) < 3)) continue;
                compare_blocks(every_kind[k], t, m, n, 16, 5);
                compare_blocks(every_kind[k], t, m, n, 7, 64);
            }
    compare_blocks("svd", TW_COMPLEX_DOUBLE, 1200, 600, 700, 511);
    compare_blocks("dyadic", TW_COMPLEX_FLOAT, 1200, 600, 700, 511);
    compare_blocks("kahan", TW_FLOAT, 1200, 1200, 700, 511);
}

static void test_seed(void **state)
{
    static const char *const random[] = {"svd",      "orthogonal", "lowrank:30", "graded",
                                         "dominant", "zerocol:2",  "dyadic"};
    (void)state;
    for (size_t k = 0; k < COUNT(random); k++)
        FOR_TYPES(t) {
            void *a = generate(random[k], t, 40, 40, 1), *b = generate(random[k], t, 40, 40, 1),
                 *c = generate(random[k], t, 40, 40, 2);
            assert_memory_equal(a, b, 1600 * tt_size(t));
            assert_memory_not_equal(a, c, 1600 * tt_size(t));
            free(a), free(b), free(c);
        }
}

/* ---- singular values --------------------------------------------------------------------------------------------- */

static void singular_values(enum tw_type t, int m, int n, void *a, double *sigma)
{
    tt_z *full = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, m), none;
    assert_int_equal(LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, full, m, sigma, &none, 1, &none, 1), 0);
    free(full);
}

/* Descending; NaN where the seed says. */
static double wanted(int mode, int i, int k, double c)
{
    switch (mode) {
    case 1: return i == 0 ? 1 : 1 / c;
    case 2: return i < k - 1 ? 1 : 1 / c;
    case 3: return exp(-log(c) * i / (k - 1));
    case 4: return 1 - (1 - 1 / c) * i / (k - 1);
    default: return NAN;
    }
}

static void check_svd(enum tw_type t, int m, int n, double c, int mode)
{
    char kind[64];
    const int k = min_of(m, n);
    double sigma[128], worst = 0;

    snprintf(kind, sizeof kind, "svd:%g,%d", c, mode);
    void *a = generate(kind, t, m, n, 11);
    size_t small = 0;
    for (size_t at = 0; at < (size_t)(m * n); at++)
        small += cabs(tt_get(t, a, at)) < 1e-6 / n;
    if (mode > 2) assert_true(small < (size_t)(m * n) / 20); /* a full matrix */
    singular_values(t, m, n, a, sigma);
    if (mode < 5) {
        for (int i = 0; i < k; i++)
            worst = fmax(worst, fabs(sigma[i] - wanted(mode, i, k, c)));
        tt_expect("svd", t, worst / (max_of(max_of(m, n), 10) * tt_eps(t)), 0, "%d x %d, %s", m, n, kind);
        if (!is_single(t) && mode < 4)
            assert_true(fabs(sigma[k - 1] * c - 1) < 0.01); /* the smallest one, relatively */
    } else if (mode == 5) {                                 /* the middle one of many whose logarithms are uniform */
        const double slack = 1 + 100 * tt_eps(t) * c;
        assert_true(sigma[0] <= slack && sigma[k - 1] >= 1 / c / slack);
        assert_true(sigma[k / 2] > pow(c, -0.75) && sigma[k / 2] < pow(c, -0.25));
    } else {
        assert_true(sigma[0] < 1.001 && sigma[0] > 0.8 && sigma[k / 2] > 0.3 && sigma[k / 2] < 0.7);
    }
    free(a);
}

static void test_svd(void **state)
{
    static const int sizes[][2] = {{100, 100}, {120, 70}, {70, 120}, {33, 2}};
    (void)state;
    FOR_TYPES(t)
        for (int mode = 1; mode <= 6; mode++)
            for (size_t s = 0; s < COUNT(sizes); s++) {
                if (mode > 4 && min_of(sizes[s][0], sizes[s][1]) < 50) continue;
                check_svd(t, sizes[s][0], sizes[s][1], 25, mode);
                if (s < 3) check_svd(t, sizes[s][0], sizes[s][1], is_single(t) ? 1e4 : 1e10, mode);
            }
    FOR_TYPES(t) /* the defaults */
    {
        void *a = generate("svd", t, 50, 40, 3), *b = generate(is_single(t) ? "svd:1e4,3" : "svd:1e10", t, 50, 40, 3);
        assert_memory_equal(a, b, 2000 * tt_size(t));
        free(a), free(b);
    }
}

static void test_orthogonal(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 2}, {101, 101}, {128, 128}, {150, 60}, {60, 150}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            const int m = sizes[s][0], n = sizes[s][1];
            void *a = generate("orthogonal", t, m, n, 3);
            tt_z *q = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, m);
            double largest = 0;
            tt_expect("orthogonal", t, tt_orthogonality(t, m, n, q), 0, "%d x %d", m, n);
            for (size_t at = 0; at < (size_t)(m * n); at++)
                largest = fmax(largest, cabs(q[at]));
            assert_true(largest < 1.5 / sqrt(max_of(m, n))); /* no element stands out */
            free(a), free(q);
        }
}

/* The rank of a real matrix of multiples of 1/64, to the last bit: modulo a prime it cannot be higher, and by accident
 * only is it lower. */
static int exact_rank(int m, int n, const void *a, enum tw_type t)
{
    const uint64_t prime = 2147483647;
    uint64_t *x = calloc((size_t)(m * n), sizeof *x);
    int rank = 0;

    for (size_t at = 0; at < (size_t)(m * n); at++) {
        const double y = 64 * creal(tt_get(t, a, at));
        assert_true(y == rint(y));
        x[at] = (uint64_t)((int64_t)y + (int64_t)prime) % prime;
    }
    for (int j = 0; j < n && rank < m; j++) {
        int p = rank;
        while (p < m && x[p + j * m] == 0)
            p++;
        if (p == m) continue;
        uint64_t inverse = 1, base = x[p + j * m];
        for (uint64_t e = prime - 2; e; e >>= 1, base = base * base % prime)
            if (e & 1) inverse = inverse * base % prime;
        for (int c = 0; c < n; c++) {
            const uint64_t y = x[p + c * m];
            x[p + c * m] = x[rank + c * m], x[rank + c * m] = y;
        }
        for (int i = rank + 1; i < m; i++) {
            const uint64_t l = x[i + j * m] * inverse % prime;
            for (int c = j; c < n; c++)
                x[i + c * m] = (x[i + c * m] + prime - l * x[rank + c * m] % prime) % prime;
        }
        rank++;
    }
    free(x);
    return rank;
}

static void test_lowrank(void **state)
{
    static const int cases[][3] = {{40, 40, 0}, {40, 40, 1}, {40, 40, 17}, {60, 35, 20}, {35, 60, 34}, {30, 30, 30}};
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(cases); k++) {
            const int m = cases[k][0], n = cases[k][1], rank = cases[k][2];
            char kind[32];
            double sigma[64];
            snprintf(kind, sizeof kind, "lowrank:%d", rank);
            void *a = generate(kind, t, m, n, 5);
            if (!tt_complex(t)) assert_int_equal(exact_rank(m, n, a, t), rank);
            singular_values(t, m, n, a, sigma);
            for (int i = 0; i < min_of(m, n); i++)
                assert_int_equal(sigma[i] > 1e-13 * (1 + sigma[0]), i < rank);
            free(a);
        }
}

/* ---- random ones ------------------------------------------------------------------------------------------------- */

static void test_graded(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const int m = 41, n = 21;
        void *a = generate("graded:1e6", t, m, n, 5), *b = generate("random", t, m, n, 5);
        int before = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                int e, f;
                const tt_z x = tt_get(t, a, (size_t)(i + j * m)), y = tt_get(t, b, (size_t)(i + j * m));
                assert_true(frexp(creal(x), &e) == frexp(creal(y), &f)); /* a power of two times random's */
                if (tt_complex(t)) assert_true(cimag(x) == ldexp(cimag(y), e - f));
                if (i > 0 && j == 0) assert_true(e - f <= before);
                before = e - f;
                if (i == 0 && j == 0) assert_int_equal(e, f);
                if (i == m - 1 && j == n - 1) assert_int_equal(f - e, 20); /* log2(1e6) = 19.93, half of it for rows */
            }
        free(a), free(b);
    }
}

static void test_dominant(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 2}, {60, 60}, {60, 33}, {33, 60}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            const int m = sizes[s][0], n = sizes[s][1], k = min_of(m, n);
            void *a = generate("dominant", t, m, n, 5);
            int ipiv[64], negative = 0;
            for (int d = 0; d < k; d++) {
                double row = 0, column = 0;
                for (int j = 0; j < n; j++)
                    row += j == d ? 0 : cabs(tt_get(t, a, (size_t)(d + j * m)));
                for (int i = 0; i < m; i++)
                    column += i == d ? 0 : cabs(tt_get(t, a, (size_t)(i + d * m)));
                const tt_z x = tt_get(t, a, (size_t)(d + d * m));
                assert_true(cabs(x) > 1.4 * row && cabs(x) > 1.4 * column);
                negative += creal(x) < 0;
            }
            if (k > 10) assert_in_range(negative, k / 4, 3 * k / 4);
            assert_int_equal(tt_lapack_getrf(t, m, n, a, m, ipiv), 0);
            for (int i = 0; i < k; i++)
                assert_int_equal(ipiv[i], i + 1);
            free(a);
        }
}

static void test_zerocol(void **state)
{
    static const int columns[] = {1, 2, 33, 60};
    (void)state;
    FOR_TYPES(t)
        for (size_t c = 0; c < COUNT(columns); c++) {
            const int n = 60;
            char kind[32];
            int ipiv[64];
            snprintf(kind, sizeof kind, "zerocol:%d", columns[c]);
            void *a = generate(kind, t, n, n, 5), *b = generate("random", t, n, n, 5);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    assert_true(tt_get(t, a, (size_t)(i + j * n)) ==
                                (j == columns[c] - 1 ? 0 : tt_get(t, b, (size_t)(i + j * n))));
            assert_int_equal(tt_lapack_getrf(t, n, n, a, n, ipiv), columns[c]);
            free(a), free(b);
        }
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* The largest element of U by LAPACK's getrf; nobody is exchanged. */
static double growth(const char *kind, enum tw_type t, int n)
{
    void *a = generate(kind, t, n, n, 5);
    int *ipiv = calloc((size_t)n, sizeof *ipiv);
    double most = 0, before = 0;

    for (size_t at = 0; at < (size_t)(n * n); at++)
        before = fmax(before, cabs(tt_get(t, a, at)));
    assert_int_equal(tt_lapack_getrf(t, n, n, a, n, ipiv), 0);
    for (int j = 0; j < n; j++) {
        assert_int_equal(ipiv[j], j + 1);
        for (int i = 0; i <= j; i++)
            most = fmax(most, cabs(tt_get(t, a, (size_t)(i + j * n))));
    }
    free(a), free(ipiv);
    return most / before;
}

static void test_growth(void **state)
{
    static const int orders[] = {1, 2, 3, 20, 100};
    (void)state;
    FOR_TYPES(t)
        for (size_t o = 0; o < COUNT(orders); o++) {
            const int n = orders[o];
            assert_true(growth("wilkinson", t, n) == ldexp(1, n - 1));
            const double f = growth("foster", t, n);
            if (n > 3) assert_true(fabs(f / (1.3125 * pow(21 / 11., n - 2)) - 1) < 0.6); /* over |a|: 1 and 1.3125 */
            if (n > 3) assert_true(growth("foster", t, n + 1) / f > 1.90 && growth("foster", t, n + 1) / f < 1.92);
        }
    double *a = generate("foster", TW_DOUBLE, 5, 5, 1);
    static const double five[5][5] = {{1, 0, 0, 0, -1},
                                      {-.3125, .6875, 0, 0, -1},
                                      {-.3125, -.625, .6875, 0, -1},
                                      {-.3125, -.625, -.625, .6875, -1},
                                      {-.3125, -.625, -.625, -.625, -.3125}};
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            assert_true(a[i + 5 * j] == five[i][j]);
    free(a);
    a = generate("wilkinson", TW_DOUBLE, 9, 9, 1);
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++)
            assert_true(a[i + 9 * j] == (j == 8 || i == j ? 1 : i > j ? -1 : 0));
    free(a);
}

/* Columns of trailing parts are of the same length: pivoting leaves them where they are, and |r_nn| is far above
 * sigma_n. */
static void test_kahan(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const int n = is_single(t) ? 30 : 60;
        const double theta = 1.2, c = cos(theta), s = sin(theta), ulp = 2 * tt_eps(t);
        void *a = generate("kahan", t, n, n, 5), *b = generate("kahan:1.2", t, n, n, 6);
        double sigma[64];
        assert_memory_equal(a, b, (size_t)(n * n) * tt_size(t));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                const double want = i > j ? 0 : i < j ? -c * pow(s, i) : pow(s, i) + 25 * ulp * (n - j);
                assert_true(cabs(tt_get(t, a, (size_t)(i + j * n)) - want) <= 40 * tt_eps(t) * fabs(want));
            }
        singular_values(t, n, n, a, sigma);
        const double last = cabs(tt_get(t, a, (size_t)(n * n - 1)));
        assert_true(last > (is_single(t) ? 50 : 1000) * sigma[n - 1]); /* what R's diagonal does not show */
        free(a), free(b);
    }
}

static void test_chebyshev(void **state)
{
    static const int sizes[][2] = {{1, 1}, {60, 60}, {90, 30}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            const int m = sizes[s][0], n = sizes[s][1];
            void *a = generate("chebyshev", t, m, n, 5);
            double sigma[64];
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++) {
                    const double x = cos((2 * i + 1) * acos(-1) / (2 * m));
                    assert_true(cabs(tt_get(t, a, (size_t)(i + j * m)) - cos(j * acos(x))) < 2 * tt_eps(t) + 1e-12);
                }
            singular_values(t, m, n, a, sigma);
            for (int i = 0; i < n; i++) /* sqrt(m), then sqrt(m / 2) */
                assert_true(fabs(sigma[i] / sqrt(i == 0 ? m : m / 2.) - 1) < 20 * tt_eps(t));
            free(a);
        }
}

/* ---- dyadic ------------------------------------------------------------------------------------------------------ */

/* A textbook's elimination in exact arithmetic (sums of few small multiples of 1/8 are), with LAPACK's pivots; how many
 * candidates were as large as the pivot. */
static void eliminate(enum tw_type t, int m, int n, const void *a, tt_z *f, int *ipiv, int *ties)
{
    *ties = 0;
    for (size_t at = 0; at < (size_t)(m * n); at++)
        f[at] = tt_get(t, a, at);
    for (int k = 0; k < min_of(m, n); k++) {
        int p = k, same = 0;
        for (int i = k; i < m; i++) {
            const tt_z x = f[i + k * m], y = f[p + k * m];
            if (fabs(creal(x)) + fabs(cimag(x)) > fabs(creal(y)) + fabs(cimag(y))) p = i;
        }
        const tt_z pivot = f[p + k * m];
        assert_true(pivot != 0);
        for (int i = p + 1; i < m; i++)
            same += fabs(creal(f[i + k * m])) + fabs(cimag(f[i + k * m])) == fabs(creal(pivot)) + fabs(cimag(pivot));
        *ties += same > 0;
        ipiv[k] = p + 1;
        for (int j = 0; j < n; j++) {
            const tt_z x = f[k + j * m];
            f[k + j * m] = f[p + j * m], f[p + j * m] = x;
        }
        for (int i = k + 1; i < m; i++) {
            f[i + k * m] /= pivot;
            for (int j = k + 1; j < n && f[i + k * m] != 0; j++)
                f[i + j * m] -= f[i + k * m] * f[k + j * m];
        }
    }
}

static void check_dyadic(enum tw_type t, int m, int n, uint64_t seed)
{
    const int k = min_of(m, n);
    void *a = generate("dyadic", t, m, n, seed);
    tt_z *f = calloc((size_t)(m * n + 1), sizeof *f);
    int *want = calloc((size_t)k + 1, sizeof *want), *ipiv = calloc((size_t)k + 1, sizeof *ipiv), ties, exchanges = 0,
        zeros = 0;

    for (size_t at = 0; at < (size_t)(m * n); at++) {
        const tt_z x = 8 * tt_get(t, a, at);
        assert_true(creal(x) == rint(creal(x)) && cimag(x) == rint(cimag(x)) && cabs(x) <= 256);
        zeros += x == 0;
    }
    eliminate(t, m, n, a, f, want, &ties);
    for (size_t at = 0; at < (size_t)(m * n); at++) { /* the factors are as small */
        const tt_z x = 8 * f[at];
        assert_true(creal(x) == rint(creal(x)) && cimag(x) == rint(cimag(x)) && cabs(x) <= 64);
    }
    assert_int_equal(tt_lapack_getrf(t, m, n, a, max_of(1, m), ipiv), 0);
    for (int i = 0; i < k; i++) {
        if (ipiv[i] != want[i]) fail_msg("%c %d x %d: pivot %d is %d, not %d", tt_letter(t), m, n, i, ipiv[i], want[i]);
        exchanges += ipiv[i] != i + 1;
    }
    for (size_t at = 0; at < (size_t)(m * n); at++)
        assert_true(tt_get(t, a, at) == f[at]); /* LAPACK's are the exact ones */
    if (k >= 60) {
        assert_true(ties > k / 4);
        assert_in_range(exchanges, k / 5, 4 * k / 5);
        assert_true(zeros < m * n * 3 / 4);
    }
    free(a), free(f), free(want), free(ipiv);
}

static void test_dyadic(void **state)
{
    static const int sizes[][2] = {{0, 0},     {1, 1},    {2, 2},    {3, 3},  {60, 60},
                                   {211, 211}, {190, 80}, {80, 190}, {50, 1}, {1, 50}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (uint64_t seed = 0; seed < 4; seed++)
                check_dyadic(t, sizes[s][0], sizes[s][1], seed);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

static void test_bad_descriptions(void **state)
{
    static const char *const bad[][2] = {
        {"svd:", "from 1 on"},     {"svd:0.5", "0.5"},       {"svd:nan", "nan"},
        {"svd:1e400", "1e400"},    {"svd:10,0", "1 to 6"},   {"svd:10,7", "1 to 6"},
        {"svd:10,geo", "geo"},     {"svd:10,", "1 to 6"},    {"svd:10,3,1", "3,1"},
        {"orthogonal:1", "\"1\""}, {"lowrank", "lowrank:R"}, {"lowrank:-1", "-1"},
        {"lowrank:11", "10"},      {"lowrank:2.5", "2.5"},   {"graded:0.5", "0.5"},
        {"graded:1e301", "1e300"}, {"graded:", "1e300"},     {"dominant:2", "\"2\""},
        {"zerocol", "zerocol:J"},  {"zerocol:0", "0 does"},  {"zerocol:11", "11 does"},
        {"zerocol:1,2", "1,2"},    {"kahan:0", "pi/2"},      {"kahan:1.6", "pi/2"},
        {"kahan:x", "pi/2"},       {"foster:1", "\"1\""},    {"wilkinson:", "no parameters"},
        {"chebyshev:1", "\"1\""},  {"dyadic:1", "\"1\""}};
    (void)state;
    for (size_t k = 0; k < COUNT(bad) + 2; k++) {
        const int shape = k >= COUNT(bad); /* foster and wilkinson are square */
        const char *kind = shape ? every_kind[COUNT(every_kind) - 4 + (k - COUNT(bad))] : bad[k][0];
        tw_generator *g = (tw_generator *)&g;
        tt_expect_info(tw_generator_create(&g, kind, TW_DOUBLE, shape ? 9 : 10, 10, 1), TW_E_OPTION, "%s", kind);
        assert_null(g);
        if (!strstr(tw_last_message(), shape ? "9 x 10" : bad[k][1])) fail_msg("%s: %s", kind, tw_last_message());
        if (strstr(tw_last_message(), "the kinds are")) fail_msg("%s: %s", kind, tw_last_message());
    }
    /* one that is unknown, and only that, is answered with the list */
    tw_generator *unknown = (tw_generator *)&unknown;
    const char *name;
    tt_expect_info(tw_generator_create(&unknown, "hilbret", TW_DOUBLE, 10, 10, 1), TW_E_OPTION, "hilbret");
    assert_null(unknown);
    for (int i = 0; (name = tw_generator_name(i, NULL)); i++)
        if (!strstr(tw_last_message(), name)) fail_msg("%s: %s", name, tw_last_message());
    static const char *const large[] = {"svd", "lowrank:1000000", "orthogonal", "chebyshev", "dyadic"};
    for (size_t k = 0; k < COUNT(large); k++) {
        tw_generator *g;
        const tw_int n = k < 2 ? (tw_int)1 << 50 : k < 4 ? (tw_int)1 << 40 : (tw_int)1 << 50;
        tt_expect_info(tw_generator_create(&g, large[k], TW_DOUBLE, n, n, 1),
                       k == 2 || k == 3 ? TW_E_OPTION : TW_E_MEMORY, "%s", large[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),          cmocka_unit_test(test_seed),      cmocka_unit_test(test_svd),
        cmocka_unit_test(test_orthogonal),      cmocka_unit_test(test_lowrank),   cmocka_unit_test(test_graded),
        cmocka_unit_test(test_dominant),        cmocka_unit_test(test_zerocol),   cmocka_unit_test(test_growth),
        cmocka_unit_test(test_kahan),           cmocka_unit_test(test_chebyshev), cmocka_unit_test(test_dyadic),
        cmocka_unit_test(test_bad_descriptions)};
    return tt_run(tests);
}
