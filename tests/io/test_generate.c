/* Generators: every kind in the four types. */
#include <complex.h>
#include <lapacke.h>
#include <pthread.h>

#include "common.h"

static const char *const every_kind[] = {"random",
                                         "spd",
                                         "symmetric",
                                         "spectrum",
                                         "spectrum:100,arith",
                                         "spectrum:1e4,cluster0",
                                         "spectrum:7.5,cluster1",
                                         "hilbert",
                                         "minij",
                                         "lehmer",
                                         "kms",
                                         "kms:-0.25",
                                         "laplacian",
                                         "identity",
                                         "zero",
                                         "minor:3",
                                         "nan:2,5",
                                         "gp"};
enum { NKINDS = sizeof every_kind / sizeof every_kind[0] };

/* "gp" stands for the small table with a length and a noise. */
static const char *description(const char *kind)
{
    static char text[1100];
    if (strcmp(kind, "gp")) return kind;
    snprintf(text, sizeof text, "gp:%s,1.5,0.2", test_data("points.csv"));
    return text;
}

static tw_generator *create(const char *kind, enum tw_type t, tw_int m, tw_int n, uint64_t seed)
{
    tw_generator *g = NULL;
    tt_expect_info(tw_generator_create(&g, description(kind), t, m, n, seed), 0, "%s", kind);
    assert_non_null(g);
    return g;
}

/* The whole matrix. */
static void *generate(const char *kind, enum tw_type t, tw_int m, tw_int n, uint64_t seed)
{
    tw_generator *g = create(kind, t, m, n, seed);
    void *a = tt_array(t, m, n);
    tt_expect_info(tw_generator_block(g, 0, 0, m, n, a, m), 0, "%s", kind);
    tw_generator_destroy(g);
    return a;
}

/* ---- entries depend on (i, j, seed) alone ---------------------------------------------------------------------- */

static void compare_blocks(const char *kind, enum tw_type t, tw_int m, tw_int n, tw_int bm, tw_int bn)
{
    tw_generator *g = create(kind, t, m, n, 42);
    const tw_int lda = bm + 3;
    char *whole = tt_array(t, m, n), *block = tt_array(t, lda, bn);
    const size_t size = tt_size(t);

    tt_expect_info(tw_generator_block(g, 0, 0, m, n, whole, m), 0, "%s", kind);
    for (tw_int j0 = 0; j0 < n; j0 += bn)
        for (tw_int i0 = 0; i0 < m; i0 += bm) {
            tw_int rows = m - i0 < bm ? m - i0 : bm, cols = n - j0 < bn ? n - j0 : bn;
            memset(block, 0xff, (size_t)(lda * bn) * size);
            tt_expect_info(tw_generator_block(g, i0, j0, rows, cols, block, lda), 0, "%s", kind);
            for (tw_int j = 0; j < cols; j++)
                assert_memory_equal(block + (size_t)(j * lda) * size, whole + (size_t)((j0 + j) * m + i0) * size,
                                    (size_t)rows * size);
            assert_int_equal(tt_touched(t, 'G', rows, cols, block, lda), 0);
        }
    free(whole);
    free(block);
    tw_generator_destroy(g);
}

static void test_blocks(void **state)
{
    (void)state;
    for (int k = 0; k < NKINDS; k++)
        for (int t = 0; t < TW_NTYPES; t++) {
            compare_blocks(every_kind[k], t, 67, 67, 16, 16);
            compare_blocks(every_kind[k], t, 67, 67, 1, 67);
            compare_blocks(every_kind[k], t, 67, 67, 64, 5);
        }
    compare_blocks("spd", TW_DOUBLE, 1200, 1200, 700, 511);
    compare_blocks("spectrum", TW_COMPLEX_DOUBLE, 1200, 1200, 513, 700);
    static const char *const rectangular[] = {"random", "hilbert",   "minij",    "lehmer",
                                              "kms",    "laplacian", "identity", "zero"};
    for (int k = 0; k < 8; k++) {
        compare_blocks(rectangular[k], TW_COMPLEX_FLOAT, 70, 31, 8, 9);
        compare_blocks(rectangular[k], TW_DOUBLE, 31, 70, 9, 8);
    }
}

static void test_seed(void **state)
{
    (void)state;
    static const char *const random[] = {"random", "spd", "symmetric", "spectrum", "minor:3"};
    for (int k = 0; k < 5; k++)
        for (int t = 0; t < TW_NTYPES; t++) {
            double complex *a = generate(random[k], t, 40, 40, 1), *b = generate(random[k], t, 40, 40, 1);
            double complex *c = generate(random[k], t, 40, 40, 2);
            assert_memory_equal(a, b, 1600 * tt_size(t));
            int same = 0;
            for (size_t at = 0; at < 1600; at++)
                same += tt_get(t, a, at) == tt_get(t, c, at);
            assert_in_range(same, 0, 4);
            free(a), free(b), free(c);
        }
}

/* Mean 0, variance 1/3, neighbours unrelated: within five standard deviations of 1e6 numbers. */
static void test_uniform(void **state)
{
    (void)state;
    const tw_int n = 1000;
    double *a = generate("random", TW_DOUBLE, n, n, 7), mean = 0, square = 0, down = 0, right = 0, diagonal = 0;
    const double size = (double)(n * n), five = 5 / sqrt(size);

    for (tw_int j = 0; j < n - 1; j++)
        for (tw_int i = 0; i < n - 1; i++) {
            double x = a[i + j * n];
            assert_true(x > -1 && x < 1 && x != 0);
            mean += x, square += x * x;
            down += x * a[i + 1 + j * n], right += x * a[i + (j + 1) * n], diagonal += x * a[i + 1 + (j + 1) * n];
        }
    assert_true(fabs(mean / size) < five * sqrt(1 / 3.0));
    assert_true(fabs(square / size - 1 / 3.0) < five + 2 / (double)n); /* and the edge that was left out */
    assert_true(fabs(down / size) < five / 3 && fabs(right / size) < five / 3 && fabs(diagonal / size) < five / 3);
    free(a);
}

/* ---- structure ------------------------------------------------------------------------------------------------- */

static void test_hermitian(void **state)
{
    (void)state;
    const tw_int n = 67;
    for (int k = 1; k < NKINDS; k++)
        for (int t = 0; t < TW_NTYPES; t++) {
            void *a = generate(every_kind[k], t, n, n, 5);
            int nans = 0, imaginary = 0;
            for (tw_int j = 0; j < n; j++)
                for (tw_int i = 0; i <= j; i++) {
                    double complex x = tt_get(t, a, (size_t)(i + j * n)), y = tt_get(t, a, (size_t)(j + i * n));
                    if (isnan(creal(x)) && isnan(creal(y)))
                        nans++;
                    else if (creal(x) != creal(y) || cimag(x) != -cimag(y))
                        fail_msg("%s: (%d, %d)", every_kind[k], (int)i, (int)j);
                    imaginary += cimag(x) != 0;
                    if (i == j) assert_true(cimag(x) == 0);
                }
            assert_int_equal(nans, !strncmp(every_kind[k], "nan", 3));
            if (!tt_complex(t))
                assert_int_equal(imaginary, 0);
            else if (k <= 3)
                assert_true(imaginary > n * (n - 1) / 2 - 5);
            free(a);
        }
}

static void eigenvalues(enum tw_type t, int n, void *a, double *w)
{
    float s[256];
    int e = -1;
    switch (t) {
    case TW_FLOAT: e = LAPACKE_ssyevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, s); break;
    case TW_DOUBLE: e = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w); break;
    case TW_COMPLEX_FLOAT: e = LAPACKE_cheevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, s); break;
    default: e = LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w); break;
    }
    assert_int_equal(e, 0);
    if (t == TW_FLOAT || t == TW_COMPLEX_FLOAT)
        for (int i = 0; i < n; i++)
            w[i] = s[i];
}

/* Descending, as the header promises. */
static double wanted(const char *mode, int i, int n, double c)
{
    if (!strcmp(mode, "geo")) return exp(-log(c) * i / (n - 1));
    if (!strcmp(mode, "arith")) return 1 - (1 - 1 / c) * i / (n - 1);
    if (!strcmp(mode, "cluster0")) return i == 0 ? 1 : 1 / c;
    return i < n - 1 ? 1 : 1 / c;
}

static void check_spectrum(enum tw_type t, int n, double c, const char *mode)
{
    char kind[64];
    double w[256], worst = 0;

    snprintf(kind, sizeof kind, "spectrum:%g,%s", c, mode);
    void *a = generate(kind, t, n, n, 11);
    size_t small = 0;
    for (size_t k = 0; k < (size_t)(n * n); k++)
        small += cabs(tt_get(t, a, k)) < 1e-6 / n;
    if (n > 20 && c > 1 && strncmp(mode, "cluster", 7)) assert_true(small < (size_t)(n * n) / 20); /* a full matrix */
    eigenvalues(t, n, a, w);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(w[n - 1 - i] - wanted(mode, i, n, c)));
    /* three reflectors round even at n = 2 */
    tt_expect("spectrum", t, worst / (fmax(n, 10) * tt_eps(t)), 0, "n %d, C %g, %s", n, c, mode);
    if (t == TW_DOUBLE || t == TW_COMPLEX_DOUBLE)
        assert_true(fabs(w[0] * c - 1) < 0.01); /* the smallest one, relatively */
    free(a);
}

static void test_spectrum(void **state)
{
    (void)state;
    static const char *const modes[] = {"geo", "arith", "cluster0", "cluster1"};
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < 4; k++) {
            check_spectrum(t, 100, t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 1e4 : 1e12, modes[k]);
            check_spectrum(t, 100, 25, modes[k]);
            check_spectrum(t, 2, 25, modes[k]);
            check_spectrum(t, 37, 1, modes[k]);
        }
    /* the defaults: 1e12 or 1e4, geo */
    for (int t = 0; t < TW_NTYPES; t++) {
        const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
        void *a = generate("spectrum", t, 50, 50, 3),
             *b = generate(single ? "spectrum:1e4,geo" : "spectrum:1e12,geo", t, 50, 50, 3);
        assert_memory_equal(a, b, 2500 * tt_size(t));
        free(a), free(b);
        a = generate("spectrum", t, 1, 1, 3);
        assert_true(tt_get(t, a, 0) == 1);
        free(a);
    }
}

/* Positive definite by construction, as LAPACK sees it. */
static void test_spd(void **state)
{
    (void)state;
    static const int orders[] = {1, 2, 3, 100};
    static const char *const spd[] = {"spd", "spectrum", "minij", "lehmer", "kms:0.9", "laplacian", "identity", "gp"};
    for (int t = 0; t < TW_NTYPES; t++)
        for (int o = 0; o < 4; o++)
            for (int k = 0; k < 8; k++)
                for (uint64_t seed = 0; seed < 8; seed++) {
                    const int n = orders[o];
                    tw_generator *g = create(spd[k], t, n, n, seed);
                    assert_int_equal(tw_generator_is_spd(g), 1);
                    tw_generator_destroy(g);
                    void *a = generate(spd[k], t, n, n, seed);
                    tt_expect_info(tt_lapack_potrf(t, 'L', n, a, n), 0, "%s, n %d", spd[k], n);
                    free(a);
                }
    static const char *const others[] = {"random", "symmetric", "zero", "minor:1", "nan:1,1"};
    for (int k = 0; k < 5; k++) {
        tw_generator *g = create(others[k], TW_DOUBLE, 9, 9, 1);
        assert_int_equal(tw_generator_is_spd(g), 0);
        tw_generator_destroy(g);
    }
    tw_generator *g = create("hilbert", TW_DOUBLE, 9, 8, 1); /* not square */
    assert_int_equal(tw_generator_is_spd(g), 0);
    tw_generator_destroy(g);
    assert_int_equal(tw_generator_is_spd(NULL), 0);

    double w[100], *a = generate("symmetric", TW_DOUBLE, 100, 100, 3);
    eigenvalues(TW_DOUBLE, 100, a, w);
    assert_true(w[0] < -1 && w[99] > 1); /* indefinite */
    free(a);
    a = generate("spd", TW_DOUBLE, 100, 100, 3);
    eigenvalues(TW_DOUBLE, 100, a, w);
    assert_true(w[0] > 1 && w[99] / w[0] < 2); /* well-conditioned */
    free(a);
}

static void test_minor(void **state)
{
    (void)state;
    static const int orders[] = {1, 2, 70, 99, 100};
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < 5; k++)
            for (int u = 0; u < 2; u++) {
                char kind[32];
                snprintf(kind, sizeof kind, "minor:%d", orders[k]);
                void *a = generate(kind, t, 100, 100, 9);
                tt_expect_info(tt_lapack_potrf(t, tt_uplos[u], 100, a, 100), orders[k], "%s", kind);
                free(a);
            }
}

static void test_nan(void **state)
{
    (void)state;
    const tw_int n = 12;
    for (int t = 0; t < TW_NTYPES; t++) {
        void *a = generate("nan:3,10", t, n, n, 9), *b = generate("spd", t, n, n, 9);
        for (tw_int j = 0; j < n; j++)
            for (tw_int i = 0; i < n; i++) {
                size_t at = (size_t)(i + j * n);
                if ((i == 2 && j == 9) || (i == 9 && j == 2))
                    assert_true(isnan(creal(tt_get(t, a, at))));
                else
                    assert_true(tt_get(t, a, at) == tt_get(t, b, at));
            }
        free(a), free(b);
    }
}

static double formula(const char *kind, double i, double j)
{
    if (!strcmp(kind, "hilbert")) return 1 / (i + j - 1);
    if (!strcmp(kind, "minij")) return fmin(i, j);
    if (!strcmp(kind, "lehmer")) return fmin(i, j) / fmax(i, j);
    if (!strcmp(kind, "kms:-0.75")) return pow(-0.75, fabs(i - j));
    if (!strcmp(kind, "laplacian")) return i == j ? 2 : fabs(i - j) == 1 ? -1 : 0;
    return !strcmp(kind, "identity") && i == j;
}

static void test_formulas(void **state)
{
    (void)state;
    static const char *const kinds[] = {"hilbert", "minij", "lehmer", "kms:-0.75", "laplacian", "identity", "zero"};
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < 7; k++) {
            void *a = generate(kinds[k], t, 20, 30, 9);
            for (int j = 0; j < 30; j++)
                for (int i = 0; i < 20; i++) {
                    double x = formula(kinds[k], i + 1, j + 1);
                    assert_true(cabs(tt_get(t, a, (size_t)(i + 20 * j)) - x) <= 2 * tt_eps(t) * fabs(x));
                }
            free(a);
        }
}

/* ---- gp -------------------------------------------------------------------------------------------------------- */

/* The numeric, varying columns of tests/data/points.csv; NAN is missing. */
static const double points[3][6] = {{0, 1, 2, 3, 5, -1}, {1, 2, 4, NAN, 0.5, -2}, {1, NAN, 3, NAN, 2, NAN}};

static double scaled[3][6];
static void scale_points(void)
{
    for (int c = 0; c < 3; c++) {
        double sum = 0, count = 0, variance = 0, mean;
        for (int i = 0; i < 6; i++)
            if (!isnan(points[c][i])) sum += points[c][i], count++;
        mean = sum / count;
        for (int i = 0; i < 6; i++)
            scaled[c][i] = isnan(points[c][i]) ? 0 : points[c][i] - mean;
        for (int i = 0; i < 6; i++)
            variance += scaled[c][i] * scaled[c][i] / 6;
        for (int i = 0; i < 6; i++)
            scaled[c][i] /= sqrt(variance);
    }
}

static double covariance(int i, int j, double length, double noise)
{
    double s = 0;
    for (int c = 0; c < 3; c++)
        s += (scaled[c][i] - scaled[c][j]) * (scaled[c][i] - scaled[c][j]);
    return exp(-s / (2 * length * length)) + (i == j ? noise * noise : 0);
}

static void check_gp(const char *parameters, enum tw_type t, int n, double length, double noise)
{
    char kind[1200];
    snprintf(kind, sizeof kind, "gp:%s%s", test_data("points.csv"), parameters);
    void *a = generate(kind, t, n, n, 1);
    for (int j = 0; j < n && j < 6; j++)
        for (int i = 0; i < n && i < 6; i++)
            assert_true(cabs(tt_get(t, a, (size_t)(i + n * j)) - covariance(i, j, length, noise)) < 4 * tt_eps(t));
    free(a);
}

static void test_gp(void **state)
{
    (void)state;
    scale_points();
    for (int t = 0; t < TW_NTYPES; t++) {
        check_gp("", t, 6, 1, 0.1);
        check_gp(",2.5", t, 6, 2.5, 0.1);
        check_gp(",0.5,0.3", t, 4, 0.5, 0.3);
        check_gp(",0.5,0.3", t, 40, 0.5, 0.3); /* refined: the rows of the table come first */
    }
    const char *commas = make_file("a,b.csv", "x\n1\n2\n", 6);
    char kind[1200];
    snprintf(kind, sizeof kind, "gp:%s,2,0.5", commas);
    double *a = generate(kind, TW_DOUBLE, 2, 2, 1); /* scaled to -1 and 1 */
    assert_true(fabs(a[0] - 1.25) < 1e-15 && fabs(a[1] - exp(-0.5)) < 1e-15);
    free(a);

    /* Refined points are new ones near the rows, from the seed. */
    double *b = generate("gp", TW_DOUBLE, 300, 300, 1), *c = generate("gp", TW_DOUBLE, 300, 300, 2);
    for (int j = 0; j < 300; j++) {
        assert_true(fabs(b[j + 300 * j] - 1.04) < 1e-15);
        for (int i = 0; i < j; i++)
            assert_true(b[i + 300 * j] > 0 && b[i + 300 * j] < 1);
    }
    assert_true(b[10 + 300 * 20] != c[10 + 300 * 20] && b[1 + 300 * 2] == c[1 + 300 * 2]);
    tt_expect_info(tt_lapack_potrf(TW_DOUBLE, 'L', 300, b, 300), 0, "refined");
    free(b), free(c);
}

/* ---- errors ---------------------------------------------------------------------------------------------------- */

static void refuse(const char *kind, enum tw_type t, tw_int m, tw_int n, int code, const char *part)
{
    tw_generator *g = (tw_generator *)&g;
    tt_expect_info(tw_generator_create(&g, kind, t, m, n, 1), code, "%s", kind);
    assert_null(g);
    expect_in_message(part);
    /* a kind that nobody knows is answered with all that there are; one whose parameters are wrong is not */
    const int unknown = strstr(tw_last_message(), "is unknown") != NULL;
    assert_int_equal(strstr(tw_last_message(), "the kinds are") != NULL, unknown);
    const char *name;
    for (int k = 0; unknown && (name = tw_generator_name(k, NULL)); k++)
        expect_in_message(name);
}

static void test_bad_descriptions(void **state)
{
    (void)state;
    static const char *const bad[][2] = {{"", "unknown"},
                                         {"randomm", "\"randomm\""},
                                         {"Random", "\"Random\""},
                                         {":", "unknown"},
                                         {"spd:3", "\"3\""},
                                         {"zero:", "no parameters"},
                                         {"spectrum:", "1e+12"},
                                         {"spectrum:0.5", "0.5"},
                                         {"spectrum:1e13", "1e13"},
                                         {"spectrum:nan", "nan"},
                                         {"spectrum:inf", "inf"},
                                         {"spectrum:1e400", "1e400"},
                                         {"spectrum:10,flat", "flat"},
                                         {"spectrum:10,", "cluster1"},
                                         {"spectrum:10;geo", "10;geo"},
                                         {"spectrum:0x10", "0x10"},
                                         {"kms:1", "rho"},
                                         {"kms:-1.5", "rho"},
                                         {"kms:x", "rho"},
                                         {"kms:0.5,1", "0.5,1"},
                                         {"kms:", "rho"},
                                         {"minor", "minor:K"},
                                         {"minor:", "minor:K"},
                                         {"minor:0", "0 does not lie"},
                                         {"minor:11", "n = 10"},
                                         {"minor:1.5", "1.5"},
                                         {"minor:-1", "-1"},
                                         {"minor:99999999999999999999", "minor:K"},
                                         {"minor:1,2", "1,2"},
                                         {"nan:1", "nan:I,J"},
                                         {"nan:1,", "nan:I,J"},
                                         {"nan:1,11", "11"},
                                         {"nan:0,1", "0"},
                                         {"nan:1,2,3", "1,2,3"},
                                         {"gp", "file name"},
                                         {"gp:", "file name"},
                                         {"gp:x.csv,0", "positive"},
                                         {"gp:x.csv,-1,0.1", "positive"},
                                         {"gp:x.csv,1,-1", "negative"},
                                         {"gp:x.csv,1e-300", "range"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        refuse(bad[k][0], TW_DOUBLE, 10, 10, TW_E_OPTION, bad[k][1]);
    refuse("spectrum:1e6", TW_FLOAT, 10, 10, TW_E_OPTION, "single");
    static const char *const square[] = {"spd", "symmetric", "spectrum", "minor:1", "nan:1,1", "gp:x.csv"};
    for (int k = 0; k < 6; k++)
        refuse(square[k], TW_DOUBLE, 10, 11, TW_E_OPTION, "10 x 11");

    refuse("gp:/nowhere/at-all.csv", TW_DOUBLE, 10, 10, TW_E_IO, "/nowhere/at-all.csv");
    char kind[1200];
    snprintf(kind, sizeof kind, "gp:%s", make_file("text.csv", "a,b\nx,1\ny,1\n", 12));
    refuse(kind, TW_DOUBLE, 10, 10, TW_E_FORMAT, "no numeric column");
    snprintf(kind, sizeof kind, "gp:%s", make_file("bad.csv", "a,b\n1,2\n1,two\n", 14));
    refuse(kind, TW_DOUBLE, 10, 10, TW_E_FORMAT, "bad.csv:3:");
    refuse("spectrum", TW_DOUBLE, (tw_int)1 << 50, (tw_int)1 << 50, TW_E_MEMORY,
           "117093590311632896 bytes"); /* 13 * 2^53 */
    refuse("kms", TW_DOUBLE, 1, (tw_int)1 << 60, TW_E_MEMORY, "9223372036854775808 bytes");
}

static void test_arguments(void **state)
{
    (void)state;
    tw_generator *g;
    double a[100];
    tt_expect_info(tw_generator_create(NULL, "spd", TW_DOUBLE, 1, 1, 1), -1, "g");
    tt_expect_info(tw_generator_create(&g, NULL, TW_DOUBLE, 1, 1, 1), -2, "kind");
    tt_expect_info(tw_generator_create(&g, "spd", (enum tw_type)7, 1, 1, 1), -3, "type");
    tt_expect_info(tw_generator_create(&g, "spd", TW_DOUBLE, -1, 1, 1), -4, "m");
    tt_expect_info(tw_generator_create(&g, "spd", TW_DOUBLE, 1, -1, 1), -5, "n");
    g = create("random", TW_DOUBLE, 10, 8, 1);
    tt_expect_info(tw_generator_block(NULL, 0, 0, 1, 1, a, 10), -1, "g");
    tt_expect_info(tw_generator_block(g, -1, 0, 1, 1, a, 10), -2, "i0");
    tt_expect_info(tw_generator_block(g, 11, 0, 0, 1, a, 10), -2, "i0");
    tt_expect_info(tw_generator_block(g, 0, 9, 1, 0, a, 10), -3, "j0");
    tt_expect_info(tw_generator_block(g, 3, 0, 8, 1, a, 10), -4, "m");
    tt_expect_info(tw_generator_block(g, 0, 3, 1, 6, a, 10), -5, "n");
    tt_expect_info(tw_generator_block(g, 0, 0, 1, 1, NULL, 10), -6, "a");
    tt_expect_info(tw_generator_block(g, 0, 0, 4, 1, a, 3), -7, "lda");
    tt_expect_info(tw_generator_block(g, 10, 8, 0, 0, NULL, 1), 0, "nothing");
    tw_generator_destroy(g);
    tw_generator_destroy(NULL);
    for (int k = 0; k < NKINDS; k++)
        for (int t = 0; t < TW_NTYPES; t++) {
            if (!strncmp(every_kind[k], "minor", 5) || !strncmp(every_kind[k], "nan", 3)) continue;
            g = create(every_kind[k], t, 0, 0, 1);
            tt_expect_info(tw_generator_block(g, 0, 0, 0, 0, NULL, 1), 0, "%s of order 0", every_kind[k]);
            tw_generator_destroy(g);
        }
    const char *text = NULL;
    assert_string_equal(tw_generator_name(0, &text), "random");
    assert_non_null(text);
    assert_null(tw_generator_name(-1, &text));
    assert_null(tw_generator_name(25, NULL));
}

/* ---- threads --------------------------------------------------------------------------------------------------- */

static void *in_thread(void *g)
{
    double *a = malloc(200 * 200 * sizeof *a);
    if (a && tw_generator_block(g, 0, 0, 200, 200, a, 200)) a[0] = NAN;
    return a;
}

static void test_threads(void **state)
{
    (void)state;
    for (int k = 0; k < NKINDS; k++) {
        tw_generator *g = create(every_kind[k], TW_DOUBLE, 200, 200, 1);
        pthread_t thread[4];
        void *a[4];
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, in_thread, g), 0);
        for (int i = 0; i < 4; i++)
            pthread_join(thread[i], &a[i]);
        for (int i = 0; i < 4; i++)
            assert_non_null(a[i]);
        for (int i = 1; i < 4; i++)
            assert_memory_equal(a[0], a[i], 200 * 200 * sizeof(double));
        for (int i = 0; i < 4; i++)
            free(a[i]);
        tw_generator_destroy(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_seed),
                                       cmocka_unit_test(test_uniform),
                                       cmocka_unit_test(test_hermitian),
                                       cmocka_unit_test(test_spectrum),
                                       cmocka_unit_test(test_spd),
                                       cmocka_unit_test(test_minor),
                                       cmocka_unit_test(test_nan),
                                       cmocka_unit_test(test_formulas),
                                       cmocka_unit_test(test_gp),
                                       cmocka_unit_test(test_bad_descriptions),
                                       cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_threads)};
    int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    tt_summary();
    return failed != 0;
}
