/* Products of tiles one under the other: over an array, and in the library's own matrices, LU's and QR's updates are
 * tall ones on cores, and right; in reproducible mode, where the number of cores must not matter, there are none. */
#include <stdlib.h>

#include "tt.h"

static int reproducible;

static int64_t tasks_of(const tw_times *t, const char *kernel)
{
    for (int k = 0; k < t->kernels; k++)
        if (strstr(t->kernel[k].name, kernel)) return t->kernel[k].cpu_tasks + t->kernel[k].cuda_tasks;
    return 0;
}

static void pivots_of(tw_matrix *ipiv, tw_int k, tw_int *out)
{
    int32_t *p = malloc((size_t)k * sizeof *p);

    assert_int_equal(tw_matrix_to_lapack(ipiv, p, k), 0);
    for (tw_int i = 0; i < k; i++)
        out[i] = p[i];
    free(p);
}

static tw_matrix *entered(enum tw_type t, int m, int n, void *f, int lda, int nb, int over_array)
{
    tw_matrix *A;

    if (over_array)
        assert_int_equal(tw_matrix_wrap(&A, t, TW_GENERAL, m, n, f, lda, nb), 0);
    else
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, m, n, f, lda, nb), 0);
    return A;
}

/* Factors `f` in place, or from and to a matrix of the library. */
static int64_t factor(enum tw_type t, int m, int n, void *f, int lda, int nb, int over_array, tw_int *pivots)
{
    static tw_times times;
    tw_matrix *A, *ipiv;

    A = entered(t, m, n, f, lda, nb, over_array);
    assert_int_equal(tw_pivots_create(&ipiv, A), 0);
    assert_int_equal(tw_times_start(), 0);
    tt_expect_info(tw_getrf(A, ipiv), 0, "%d x %d in tiles of %d", m, n, nb);
    assert_int_equal(tw_times_stop(&times), 0);
    pivots_of(ipiv, m < n ? m : n, pivots);
    if (!over_array) assert_int_equal(tw_matrix_to_lapack(A, f, lda), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(ipiv), 0);
    return tasks_of(&times, "gemm_column");
}

static void factors(void **state)
{
    static const int sizes[][3] = {{97, 97, 8}, {160, 70, 8}, {70, 160, 8}, {131, 131, 11}, {30, 30, 16}};
    tw_machine machine;

    (void)state;
    assert_int_equal(tw_machine_info(&machine), 0);
    TT_TYPES(t)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int m = sizes[s][0], n = sizes[s][1], nb = sizes[s][2], lda = m + 3, k = m < n ? m : n;
            const int few = m == 30, gpus = machine.cuda_workers > 0;
            void *a = tt_array(t, lda, n), *f, *g;
            tw_int p[200], q[200];
            int64_t stacks;

            tt_random(t, 'G', m, n, a, lda, 5);
            f = tt_copy(t, lda, n, a);
            g = tt_copy(t, lda, n, a);
            stacks = factor(t, m, n, f, lda, nb, 1, p);
            if ((stacks > 0) != (!few && !gpus && !reproducible))
                fail_msg("%d x %d in tiles of %d: %lld tall products", m, n, nb, (long long)stacks);
            assert_int_equal(factor(t, m, n, g, lda, nb, 0, q), stacks);
            tt_expect("getrf", t, tt_lu_residual(t, m, n, a, lda, f, lda, p), 0, "%d x %d over an array", m, n);
            tt_expect("getrf", t, tt_lu_residual(t, m, n, a, lda, g, lda, q), 0, "%d x %d of the library", m, n);
            assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
            if (t == TW_DOUBLE || t == TW_COMPLEX_DOUBLE) assert_memory_equal(p, q, (size_t)k * sizeof *p);
            free(a), free(f), free(g);
        }
}

/* QR: what a block of reflectors takes off, the same way. */
static void reflectors(void **state)
{
    const int m = 131, n = 97, nb = 11, lda = m + 3;
    tw_machine machine;

    (void)state;
    assert_int_equal(tw_machine_info(&machine), 0);
    TT_TYPES(t)
        for (int over_array = 0; over_array < 2; over_array++) {
            static tw_times times;
            void *a = tt_array(t, lda, n), *f, *tau = tt_array(t, n, 1);
            tw_matrix *A, *of_tau;

            tt_random(t, 'G', m, n, a, lda, 6);
            f = tt_copy(t, lda, n, a);
            A = entered(t, m, n, f, lda, nb, over_array);
            assert_int_equal(tw_tau_create(&of_tau, A), 0);
            assert_int_equal(tw_times_start(), 0);
            tt_expect_info(tw_geqrf(A, of_tau), 0, "%d x %d in tiles of %d", m, n, nb);
            assert_int_equal(tw_times_stop(&times), 0);
            assert_int_equal(tasks_of(&times, "gemm_column") > 0, machine.cuda_workers == 0 && !reproducible);
            if (!over_array) assert_int_equal(tw_matrix_to_lapack(A, f, lda), 0);
            assert_int_equal(tw_matrix_to_lapack(of_tau, tau, n), 0);
            tt_expect("geqrf", t, tt_qr_residual(t, 'C', m, n, a, lda, f, lda, tau), 0, "%d x %d", m, n);
            assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
            assert_int_equal(tw_matrix_destroy(A), 0);
            assert_int_equal(tw_matrix_destroy(of_tau), 0);
            free(a), free(f), free(tau);
        }
}

static int run(int how)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(factors), cmocka_unit_test(reflectors)};
    tw_options options;
    int failed;

    tw_options_init(&options);
    options.reproducible = reproducible = how;
    if (tw_init(&options)) return 1;
    failed = tt_run(tests);
    return failed | (tw_finalize() < 0);
}

/* So many cores that these matrices have tiles enough for each. */
int main(void)
{
    return setenv("STARPU_NCPU", "2", 1) || run(0) | run(1);
}
