/* What routines say that they need, beside what they are seen to make: every temporary matrix and tile passes by the linker's wraps of the functions that make them
 * (tests.cmake). */
#include <math.h>
#include <stdatomic.h>

#include "algorithms/dense/dense_loops.h"
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/svd/svd_loops.h"
#include "tt.h"

static _Atomic double made;

static void count(double bytes)
{
    double old = atomic_load(&made);
    while (!atomic_compare_exchange_weak(&made, &old, old + bytes)) {}
}

struct tw_matrix *__real_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
struct tw_matrix *__wrap_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb);
struct tw_matrix *__wrap_tw_matrix_temporary(enum tw_type type, tw_int m, tw_int n, tw_int mb, tw_int nb)
{
    count((double)m * (double)n * (double)tw_type_size(type));
    return __real_tw_matrix_temporary(type, m, n, mb, nb);
}
struct tw_data *__real_tw_data_tile(enum tw_type type, int m, int n);
struct tw_data *__wrap_tw_data_tile(enum tw_type type, int m, int n);
struct tw_data *__wrap_tw_data_tile(enum tw_type type, int m, int n)
{
    count((double)m * (double)n * (double)tw_type_size(type));
    return __real_tw_data_tile(type, m, n);
}

enum { M = 300, N = 260, K = 150, NB = 64 };

static tw_matrix *matrix(enum tw_type t, enum tw_uplo uplo, int m, int n, const char *kind)
{
    tw_generator *g;
    tw_matrix *A;

    assert_int_equal(tw_matrix_create(&A, t, uplo, m, n, NB, NULL), 0);
    assert_int_equal(tw_generator_create(&g, kind, t, m, n, 7), 0);
    assert_int_equal(tw_matrix_generate(A, g), 0);
    tw_generator_destroy(g);
    return A;
}

static double bytes_of(tw_matrix *const *list, int count_)
{
    double all = 0;
    for (int i = 0; i < count_; i++)
        all += (double)list[i]->bytes;
    return all;
}

/* The routine has run on these operands, all of which it says it needs, and made what was counted. */
static void compare(const char *routine, enum tw_type t, int m, int n, int k, tw_matrix **list, int operands)
{
    const double seen = atomic_exchange(&made, 0);
    tw_memory said;

    assert_int_equal(tw_routine_memory(routine, t, m, n, k, NB, &said), 0);
    assert_int_equal(said.nb, NB);
    if ((double)said.host != bytes_of(list, operands))
        fail_msg("%s: operands take %zu bytes, it says, and take %.0f", routine, said.host, bytes_of(list, operands));
    if (tw_has_cuda()) {
        assert_true(said.gpus >= said.host + said.own && said.per_gpu <= said.gpus);
    } else {
        assert_int_equal(said.gpus, 0);
        if (fabs(seen - (double)said.own) > 0.02 * seen + 4096)
            fail_msg("%s: %zu bytes of its own, it says, and makes %.0f", routine, said.own, seen);
    }
    for (int i = 0; i < operands; i++)
        assert_int_equal(tw_matrix_destroy(list[i]), 0);
    atomic_store(&made, 0);
}

static void symmetric_systems(void **state)
{
    (void)state;
    TT_TYPES(t)
    {
        tw_matrix *A = matrix(t, TW_LOWER, N, N, "spd"), *B = matrix(t, TW_GENERAL, N, K, "random"), *X;
        atomic_store(&made, 0);
        assert_int_equal(tw_potrf(TW_LOWER, A), 0);
        compare("potrf", t, N, N, 0, &A, 1);
        A = matrix(t, TW_LOWER, N, N, "spd");
        atomic_store(&made, 0);
        assert_int_equal(tw_posv(TW_LOWER, A, B), 0);
        compare("posv", t, N, N, K, (tw_matrix *[]){A, B}, 2);
        if (t != TW_DOUBLE && t != TW_COMPLEX_DOUBLE) continue;
        A = matrix(t, TW_LOWER, N, N, "spd"), B = matrix(t, TW_GENERAL, N, K, "random");
        X = matrix(t, TW_GENERAL, N, K, "random");
        int iter;
        double berr[K];
        atomic_store(&made, 0);
        assert_int_equal(tw_posv_mixed(TW_LOWER, A, B, X, &iter, berr), 0);
        compare("posv_mixed", t, N, N, K, (tw_matrix *[]){A, B, X}, 3);
    }
}

static void general_systems(void **state)
{
    (void)state;
    TT_TYPES(t)
    {
        tw_matrix *A = matrix(t, TW_GENERAL, M, N, "random"), *B = matrix(t, TW_GENERAL, N, K, "random"), *X, *p;
        assert_int_equal(tw_pivots_create(&p, A), 0);
        atomic_store(&made, 0);
        assert_int_equal(tw_getrf(A, p), 0);
        compare("getrf", t, M, N, 0, (tw_matrix *[]){A, p}, 2);
        A = matrix(t, TW_GENERAL, N, N, "random");
        assert_int_equal(tw_pivots_create(&p, A), 0);
        atomic_store(&made, 0);
        assert_int_equal(tw_gesv(A, p, B), 0);
        compare("gesv", t, N, N, K, (tw_matrix *[]){A, p, B}, 3);
        if (t != TW_DOUBLE && t != TW_COMPLEX_DOUBLE) continue;
        A = matrix(t, TW_GENERAL, N, N, "random"), B = matrix(t, TW_GENERAL, N, K, "random");
        X = matrix(t, TW_GENERAL, N, K, "random");
        assert_int_equal(tw_pivots_create(&p, A), 0);
        int iter;
        double berr[K];
        atomic_store(&made, 0);
        assert_int_equal(tw_gesv_mixed(A, p, B, X, &iter, berr), 0);
        compare("gesv_mixed", t, N, N, K, (tw_matrix *[]){A, p, B, X}, 4);
    }
}

static void orthogonal(void **state)
{
    (void)state;
    TT_TYPES(t)
    {
        tw_matrix *A = matrix(t, TW_GENERAL, M, N, "random"), *C = matrix(t, TW_GENERAL, M, K, "random"), *tau;
        assert_int_equal(tw_tau_create(&tau, A), 0);
        atomic_store(&made, 0);
        assert_int_equal(tw_geqrf(A, tau), 0);
        compare("geqrf", t, M, N, 0, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, TW_GENERAL, N, M, "random");
        assert_int_equal(tw_tau_create(&tau, A), 0);
        atomic_store(&made, 0);
        assert_int_equal(tw_gelqf(A, tau), 0);
        compare("gelqf", t, N, M, 0, (tw_matrix *[]){A, tau}, 2);
        A = matrix(t, TW_GENERAL, M, K, "random");
        assert_int_equal(tw_tau_create(&tau, A), 0);
        assert_int_equal(tw_geqrf(A, tau), 0);
        atomic_store(&made, 0);
        assert_int_equal(tw_unmqr(TW_LEFT, TW_CONJTRANS, A, tau, C), 0);
        compare("unmqr", t, M, K, K, (tw_matrix *[]){A, tau, C}, 3);
    }
}

static void products(void **state)
{
    const tw_scalar one = {1, 0};
    (void)state;
    TT_TYPES(t)
    {
        tw_matrix *A = matrix(t, TW_GENERAL, M, K, "random"), *B = matrix(t, TW_GENERAL, K, N, "random"),
                  *C = matrix(t, TW_GENERAL, M, N, "random");
        atomic_store(&made, 0);
        assert_int_equal(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, B, one, C), 0);
        compare("gemm", t, M, N, K, (tw_matrix *[]){A, B, C}, 3);
        A = matrix(t, TW_LOWER, M, M, "spd"), B = matrix(t, TW_GENERAL, M, N, "random"),
        C = matrix(t, TW_GENERAL, M, N, "random");
        atomic_store(&made, 0);
        assert_int_equal(tw_symm(TW_LEFT, TW_LOWER, one, A, B, one, C), 0);
        compare("symm", t, M, N, 0, (tw_matrix *[]){A, B, C}, 3);
        A = matrix(t, TW_GENERAL, N, K, "random"), C = matrix(t, TW_LOWER, N, N, "spd");
        atomic_store(&made, 0);
        assert_int_equal(tw_syrk(TW_LOWER, TW_NOTRANS, one, A, one, C), 0);
        compare("syrk", t, N, N, K, (tw_matrix *[]){A, C}, 2);
        A = matrix(t, TW_LOWER, M, M, "spd"), B = matrix(t, TW_GENERAL, M, N, "random");
        atomic_store(&made, 0);
        assert_int_equal(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, one, A, B), 0);
        compare("trsm", t, M, N, 0, (tw_matrix *[]){A, B}, 2);
    }
}

/* Every row's shapes can be read, grow with the sizes, and are nothing where these are. */
static void every_row(void **state)
{
    const struct tw_routine *const *const families[] = {tw_dense_routines, tw_eigen_routines, tw_svd_routines};
    int counted = 0;
    (void)state;

    for (int f = 0; f < 3; f++)
        for (const struct tw_routine *const *r = families[f]; *r; r++) {
            tw_memory none, some, twice;
            const int e = tw_routine_memory((*r)->name, TW_COMPLEX_FLOAT, 0, 0, 0, NB, &none);
            assert_int_equal(e, (*r)->needs.given ? 0 : -1);
            if (e) continue;
            counted++;
            assert_int_equal(tw_routine_memory((*r)->name, TW_COMPLEX_FLOAT, M, N, K, NB, &some), 0);
            assert_int_equal(tw_routine_memory((*r)->name, TW_COMPLEX_FLOAT, 4 * M, 4 * N, 4 * K, NB, &twice), 0);
            if (none.host + none.own > 4096) fail_msg("%s: %zu bytes for nothing", (*r)->name, none.host + none.own);
            assert_true(some.host > (size_t)N * N / 2 * 8 / 2 && twice.host > 4 * some.host / 2);
            assert_true(twice.own >= some.own);
            for (const char *list = (*r)->needs.given; *list; list++)
                if (!strchr("23456789Tmnklgbef1:rsdi ", *list)) fail_msg("%s: '%c' in a shape", (*r)->name, *list);
        }
    assert_true(counted > 45);
    /* larger than any memory, and than any number of bytes */
    tw_memory huge;
    assert_int_equal(tw_routine_memory("gesv", TW_DOUBLE, 1 << 20, 1 << 20, 1, 0, &huge), 0);
    assert_true(huge.host >= (size_t)8 << 40);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, (tw_int)1 << 40, (tw_int)1 << 40, 1, 512, &huge), 0);
    assert_true(huge.host == SIZE_MAX);
}

static void refusals(void **state)
{
    tw_memory m;
    (void)state;
    assert_int_equal(tw_routine_memory(NULL, TW_DOUBLE, 1, 1, 1, 0, &m), -1);
    assert_int_equal(tw_routine_memory("gemn", TW_DOUBLE, 1, 1, 1, 0, &m), -1);
    assert_int_equal(tw_routine_memory("geqp3rk", TW_DOUBLE, 1, 1, 1, 0, &m), -1);
    assert_int_equal(tw_routine_memory("gemm", TW_INT32, 1, 1, 1, 0, &m), -2);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, -1, 1, 1, 0, &m), -3);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, -1, 1, 0, &m), -4);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, 1, -1, 0, &m), -5);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, 1, 1, -1, &m), -6);
    assert_int_equal(tw_routine_memory("gemm", TW_DOUBLE, 1, 1, 1, 0, NULL), -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(symmetric_systems), cmocka_unit_test(general_systems),
                                       cmocka_unit_test(orthogonal),        cmocka_unit_test(products),
                                       cmocka_unit_test(every_row),         cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
