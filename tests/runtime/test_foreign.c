/* Tilework's own calls of BLAS and LAPACK are not those of the program: here the program has functions of the same
 * names, as one that a drop-in is preloaded for. */
#include <stdatomic.h>
#include <math.h>
#include "tt.h"

static atomic_int ours;
#define TAKEN(name)                                                                                                    \
    int name(void);                                                                                                    \
    __attribute__((visibility("default"))) int name(void)                                                              \
    {                                                                                                                  \
        atomic_fetch_add(&ours, 1);                                                                                    \
        return -7;                                                                                                     \
    }
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
TAKEN(cblas_strsm)
TAKEN(cblas_ssyrk)
TAKEN(cblas_sgemm)
TAKEN(LAPACKE_spotrf_work)
TAKEN(LAPACKE_sgetrf_work)
TAKEN(LAPACKE_strtri_work)

enum { N = 150 };
static float a[N * N], b[N * N], l[N * N];

static void check(const char *what)
{
    double worst = 0;
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++) {
            double s = 0;
            for (int k = 0; k <= j; k++)
                s += (double)l[i + k * N] * (double)l[j + k * N];
            const double d = fabs(s - (double)a[i + j * N]);
            worst = d > worst ? d : worst;
        }
    if (!(worst < 1e-2)) fail_msg("%s: |A - L L^T| = %g", what, worst);
    assert_int_equal(atomic_load(&ours), 0);
}

static void not_ours(void **state)
{
    (void)state;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i + j * N] = i == j ? 3 * N : (float)((i * j) % 7);
    memcpy(l, a, sizeof a);
    assert_int_equal(tw_spotrf('L', N, l, N), 0); /* LAPACK itself */
    check("straight");
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "40", 1);
    memcpy(l, a, sizeof a);
    assert_int_equal(tw_spotrf('L', N, l, N), 0);
    check("by tiles");
    unsetenv("TILEWORK_CROSSOVER");
    assert_int_equal(tw_sgemm('N', 'N', N, N, N, 1, a, N, a, N, 0, b, N), 0);
    double s = 0;
    for (int k = 0; k < N; k++)
        s += (double)a[3 + k * N] * (double)a[k + 5 * N];
    assert_true(fabs(s - (double)b[3 + 5 * N]) < 1e-3 * fabs(s));
    assert_int_equal(atomic_load(&ours), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(not_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
