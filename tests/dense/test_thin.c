/* Thin matrices of more than 2^31 elements under LAPACK's names, in single precision: 268,435,475 x 8. Elements are 0,
 * 1 and -1, one in 64 not 0, so that sums of their products are exact. Checks are loops of this file over all rows. */
#include <math.h>
#include <tilework/lapack.h>

#include "support/tt.h"

enum { N = 8 };
static const tw_int M = ((tw_int)1 << 28) + 19;

static float element(tw_int i, int j)
{
    uint64_t x = ((uint64_t)i * N + (uint64_t)j + 1) * 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 32;
    return x & 63 ? 0 : x & 64 ? 1 : -1;
}
static void fill(float *a)
{
    for (int j = 0; j < N; j++)
        for (tw_int i = 0; i < M; i++)
            a[i + j * M] = element(i, j);
}

/* The largest |sum over k of left(i, k) right(k, j) - A(row(i), j)|, right N x N. */
static double off(const float *left, const double right[N][N], tw_int (*row)(tw_int i), int unit_lower)
{
    double most = 0;

    for (tw_int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double s = -element(row ? row(i) : i, j);
            for (int k = 0; k < N; k++)
                s += (!unit_lower || i > k ? left[i + k * M] : i == k) * right[k][j];
            if (!(fabs(s) <= most)) most = fabs(s);
        }
    return most;
}

static float *array;

static int set_up(void **state)
{
    (void)state;
    return tw_init(NULL) || !(array = malloc((size_t)M * N * sizeof *array)) ? -1 : 0;
}
static int tear_down(void **state)
{
    (void)state;
    free(array);
    return tw_finalize() < 0;
}

static void products(void **state)
{
    float g[N * N], h[N * N];
    double exact[N][N] = {{0}};

    (void)state;
    fill(array);
    memset(h, 0, sizeof h);
    for (tw_int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            if (element(i, j) != 0)
                for (int k = 0; k < N; k++)
                    exact[j][k] += element(i, j) * element(i, k);
    assert_int_equal(tw_sgemm('T', 'N', N, N, M, 1, array, M, array, M, 0, g, N), 0);
    assert_int_equal(tw_ssyrk('U', 'T', N, M, 1, array, M, 0, h, N), 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++) {
            assert_true(g[i + j * N] == (float)exact[i][j] && g[j + i * N] == (float)exact[i][j]);
            assert_true(h[i + j * N] == (float)exact[i][j]);
        }
}

static tw_int exchanged[2 * N][2]; /* which row of A is in the row */
static int exchanges;
static tw_int *from(tw_int i)
{
    for (int k = 0; k < exchanges; k++)
        if (exchanged[k][0] == i) return &exchanged[k][1];
    exchanged[exchanges][0] = exchanged[exchanges][1] = i;
    return &exchanged[exchanges++][1];
}
static tw_int row(tw_int i)
{
    for (int k = 0; k < exchanges; k++)
        if (exchanged[k][0] == i) return exchanged[k][1];
    return i;
}

static void lu(void **state)
{
    double u[N][N] = {{0}};
    tw_int ipiv[N];

    (void)state;
    fill(array);
    assert_int_equal(tw_sgetrf(M, N, array, M, ipiv), 0);
    exchanges = 0;
    for (int k = 0; k < N; k++) {
        assert_in_range(ipiv[k], k + 1, M);
        tw_int *const one = from(k), *const other = from(ipiv[k] - 1), kept = *one;
        *one = *other, *other = kept;
        for (int j = k; j < N; j++)
            u[k][j] = array[k + j * M];
        assert_true(u[k][k] != 0);
    }
    for (tw_int i = 0; i < M; i++)
        for (int k = 0; k < N; k++)
            if (i > k && !(fabsf(array[i + k * M]) <= 1)) fail_msg("L(%lld, %d) is above 1", (long long)i, k);
    tt_expect("P A = L U", TW_FLOAT, off(array, u, row, 1) / (N * tt_eps(TW_FLOAT)), 0, "%lld x %d", (long long)M, N);
}

static void qr(void **state)
{
    double r[N][N] = {{0}}, gram[N][N] = {{0}}, most = 0;
    float tau[N];
    const double eps = tt_eps(TW_FLOAT);

    (void)state;
    fill(array);
    assert_int_equal(tw_sgeqrf(M, N, array, M, tau), 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++)
            r[i][j] = array[i + j * M];
    assert_int_equal(tw_sorgqr(M, N, N, array, M, tau), 0);
    tt_expect("A = Q R", TW_FLOAT, off(array, r, NULL, 0) / (sqrt((double)M) * eps), 0, "%lld x %d", (long long)M, N);
    for (tw_int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k <= j; k++)
                gram[k][j] += (double)array[i + j * M] * array[i + k * M];
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= j; k++)
            most = fmax(most, fabs(gram[k][j] - (j == k)));
    tt_expect("Q^T Q = I", TW_FLOAT, most / (sqrt((double)M) * eps), 0, "%lld x %d", (long long)M, N);
}

static void least_squares(void **state)
{
    float *b = malloc((size_t)M * sizeof *b);

    (void)state;
    assert_non_null(b);
    fill(array);
    for (tw_int i = 0; i < M; i++) {
        b[i] = 0;
        for (int j = 0; j < N; j++)
            b[i] += (float)(j + 1) * element(i, j);
    }
    assert_int_equal(tw_sgels('N', M, N, 1, array, M, b, M), 0);
    for (int j = 0; j < N; j++)
        if (!(fabs(b[j] - (j + 1)) <= 10 * sqrt((double)M) * tt_eps(TW_FLOAT))) fail_msg("x(%d) = %g", j, b[j]);
    free(b);
}

static double free_bytes(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    double kib = 0;

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lf", &kib) == 1) break;
    if (f) fclose(f);
    return 1024 * kib;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(lu), cmocka_unit_test(qr),
                                       cmocka_unit_test(least_squares)};
    const double wanted = 1.5 * (double)M * N * sizeof *array;

    if (free_bytes() < wanted) {
        printf("skipped: %.0f GB of free memory are needed\n", 1e-9 * wanted);
        return 77;
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
