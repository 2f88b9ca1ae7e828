/* How routines cut their matrices: each row's own choice, and where it comes from. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/dense/dense_loops.h"
#include "runtime/machine/tuning.h"
#include "tt.h"

static void start(int reproducible, tw_int nb)
{
    tw_options o;
    tw_options_init(&o);
    o.nb = nb;
    o.reproducible = reproducible;
    (void)tw_finalize(); /* TW_E_STATE: it does not run */
    assert_int_equal(tw_init(&o), 0);
}

static tw_int ask(const char *routine, tw_int n, const char *from)
{
    const char *source = NULL;
    const tw_int nb = tw_routine_nb(routine, TW_DOUBLE, n, n, n, &source);

    assert_string_equal(source, from);
    assert_int_equal(nb, tw_routine_nb(routine, TW_DOUBLE, n, n, n, NULL));
    return nb;
}

static void every_routine_answers(void **state)
{
    (void)state;
    start(0, 0);
    for (const struct tw_routine *const *r = tw_dense_routines; *r; r++)
        for (tw_int n = 0; n < 20000; n = 3 * n + 1) {
            assert_in_range(ask((*r)->name, n, "profile"), 16, 2048);
            for (int type = 0; type < TW_NTYPES; type++)
                assert_in_range(tw_routine_nb((*r)->name, (enum tw_type)type, n, 1, 0, NULL), 16,
                                tw_max(2048, n)); /* of a column: as long as it is */
        }
    start(0, 80);
    assert_int_equal(ask("gemm", 4000, "option"), 80);
    start(1, 0);
    assert_int_equal(ask("gemm", 2000, "reproducible"), ask("potrf", 2000, "reproducible"));
    start(0, 0);
}

/* What is thin in two of its sizes is cut into long tiles; a matrix of no routine, which may be a right-hand side, as
 * its square matrix. */
static void thin(void **state)
{
    const tw_int many = 100000000;
    tw_int nb;

    (void)state;
    start(0, 0);
    nb = tw_routine_nb("geqrf", TW_DOUBLE, many, 8, 0, NULL);
    assert_true(nb == 32768 && nb == tw_routine_nb("getrf", TW_DOUBLE, 8, many, 0, NULL));
    assert_int_equal(tw_routine_nb("gels", TW_DOUBLE, many, 8, 1, NULL), nb);
    assert_int_equal(tw_routine_nb("gemm", TW_DOUBLE, 8, 8, many, NULL), 32768);
    assert_in_range(tw_routine_nb("gemm", TW_DOUBLE, 10000, 8, 10000, NULL), 16, 2048);
    assert_in_range(tw_routine_nb("potrs", TW_DOUBLE, 10000, 10000, 1, NULL), 16, 2048);
    static const char *const sided[] = {"symm", "hemm", "trmm", "trsm", "unmtr"};
    for (size_t r = 0; r < sizeof sided / sizeof *sided; r++) { /* a matrix of order 20000 is beside the column */
        tw_memory memory;
        tw_int mb, order;
        assert_in_range(tw_routine_nb(sided[r], TW_DOUBLE, 20000, 1, 0, NULL), 16, 2048);
        assert_int_equal(tw_routine_tiles(sided[r], TW_DOUBLE, 20000, 1, 0, &mb, &order), 0);
        assert_in_range(order, 16, 2048);
        for (tw_int k = 0; k < 2; k++) {
            assert_int_equal(tw_routine_memory(sided[r], TW_DOUBLE, 20000, 1, k, 0, &memory), 0);
            assert_in_range(memory.nb, 16, 2048);
            assert_true(memory.host < (size_t)20000 * 20000 * 5); /* a triangle */
        }
    }
    for (int n = 100; n <= 10000; n *= 10) {
        tw_matrix *A, *B;
        assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, n, n, 0, NULL), 0);
        assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, n, 1, 0, NULL), 0);
        assert_int_equal(tw_matrix_nb(A), tw_matrix_nb(B));
        tw_matrix_destroy(A), tw_matrix_destroy(B);
    }
}

/* Tall least squares on cores go by trees, whose tiles are as wide as the matrix up to 256. */
static void tall(void **state)
{
    static const tw_int shape[][3] = {{200000, 256, 256}, {200000, 64, 128}, {100000, 500, 256}}; /* m, n, the least */
    int ncuda;
    (void)state;
    start(0, 0);
    (void)tw_worker_count(&ncuda);
    for (int k = 0; k < 3 && ncuda == 0; k++)
        assert_true(tw_routine_nb("gels", TW_DOUBLE, shape[k][0], shape[k][1], 1, NULL) >= shape[k][2]);
    assert_int_equal(tw_routine_nb("gels", TW_DOUBLE, 900, 800, 1, NULL),
                     tw_routine_nb("geqrf", TW_DOUBLE, 900, 800, 1, NULL));
    start(1, 0);
    assert_int_equal(tw_routine_nb("gels", TW_DOUBLE, 200000, 64, 1, NULL),
                     tw_routine_nb("geqrf", TW_DOUBLE, 200000, 64, 1, NULL));
    start(0, 0);
}

/* Products take tiles as large as factorizations', or larger, as long as each core has some: four; of the
 * largest eight, or two if all have as many. */
static void products(void **state)
{
    int ncuda;
    (void)state;
    start(0, 0);
    for (tw_int n = 600; n < 10000; n += 517) {
        const tw_int nb = ask("gemm", n, "profile"), tiles = (n + nb - 1) / nb;
        assert_true(nb >= ask("potrf", n, "profile"));
        if (nb > ask("potrf", n, "profile")) {
            const tw_int all = tiles * tiles, workers = tw_worker_count(&ncuda);
            const int alike = nb > 1024 && all >= 2 * workers && all % workers == 0;
            assert_true(alike || all >= (nb > 1184 ? 8 : 4) * workers);
        }
    }
}

/* The door under BLAS' name cuts as it says: one task for each product of tiles. */
static void doors_obey(void **state)
{
    enum { N = 900 };
    const tw_int nb = ask("gemm", N, "profile"), t = (N + nb - 1) / nb;
    double *a = calloc((size_t)N * N, sizeof *a);
    tw_counters c;

    (void)state;
    assert_non_null(a);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    tw_counters_reset();
    double *const b = calloc((size_t)N * N, sizeof *b);
    assert_int_equal(tw_dgemm('N', 'N', N, N, N, 1, a, N, a, N, 0, b, N), 0);
    assert_int_equal(tw_counters_get(&c), 0);
    assert_int_equal(c.tasks, t * t * t);
    unsetenv("TILEWORK_CROSSOVER");
    free(a), free(b);
}

/* A row's own figures are the ones that count. */
static double likes_320(const struct tw_workers *w, const struct tw_sizes *s, double nb)
{
    (void)w;
    return (nb - 320) * (nb - 320) + (double)s->k;
}
static double likes_1024(const struct tw_workers *w, const struct tw_sizes *s, double nb)
{
    (void)w, (void)s;
    return (nb - 1024) * (nb - 1024);
}
static tw_int halved(const struct tw_sizes *s, tw_int nb)
{
    return s->m > 100 ? nb / 2 : nb;
}
static tw_int eighth(enum tw_type type, tw_int nb)
{
    return type == TW_DOUBLE ? nb / 8 : 16;
}

static void own_figures(void **state)
{
    const int cuda = tw_has_cuda();
    const struct tw_tuning best = {.seconds = cuda ? likes_1024 : likes_320,
                                   .nb = halved,
                                   .inner = eighth,
                                   .crossover = 99},
                           none = {0};
    const tw_int want = cuda ? 1024 : 320;
    const char *source;

    (void)state;
    start(0, 0);
    assert_int_equal(tw_choose_nb(&best, &(struct tw_sizes){TW_DOUBLE, 5000, 5000, 7}, &source), want / 2);
    assert_int_equal(tw_choose_nb(&best, &(struct tw_sizes){TW_DOUBLE, 90, 5000, 7}, NULL), want);
    assert_int_equal(tw_choose_nb(&none, &(struct tw_sizes){TW_DOUBLE, 900, 900, 0}, NULL),
                     tw_choose_nb(NULL, &(struct tw_sizes){TW_DOUBLE, 900, 900, 0}, NULL));
    assert_int_equal(tw_choose_inner(&best, TW_DOUBLE, 320), 40);
    assert_int_equal(tw_choose_inner(&best, TW_FLOAT, 320), 16);
    assert_int_equal(tw_choose_inner(NULL, TW_DOUBLE, 320), 0);
    assert_int_equal(tw_crossover(&best, TW_DOUBLE, &source), 99);
    assert_string_equal(source, "default");
    assert_true(tw_prefers_lapack(&best, TW_DOUBLE, 99) && !tw_prefers_lapack(&best, TW_DOUBLE, 100));
    assert_int_equal(tw_crossover(&none, TW_DOUBLE, NULL), tw_crossover(NULL, TW_DOUBLE, NULL));
    setenv("TILEWORK_CROSSOVER", "700", 1);
    assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, &source), 700);
    assert_string_equal(source, "TILEWORK_CROSSOVER");
    unsetenv("TILEWORK_CROSSOVER");
    start(1, 0);
    assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, &source), 0);
    assert_string_equal(source, "reproducible");
    start(0, 0);
}

static void refusals(void **state)
{
    (void)state;
    assert_int_equal(tw_routine_nb(NULL, TW_DOUBLE, 1, 1, 1, NULL), -1);
    assert_int_equal(tw_routine_nb("gemn", TW_DOUBLE, 1, 1, 1, NULL), -1);
    assert_int_equal(tw_routine_nb("gemm", (enum tw_type)17, 1, 1, 1, NULL), -2);
    assert_int_equal(tw_routine_nb("gemm", TW_DOUBLE, -1, 1, 1, NULL), -3);
    assert_int_equal(tw_routine_nb("gemm", TW_DOUBLE, 1, -1, 1, NULL), -4);
    assert_int_equal(tw_routine_nb("gemm", TW_DOUBLE, 1, 1, -1, NULL), -5);
    assert_int_equal(tw_routine_crossover("gemn", TW_DOUBLE, NULL), -1);
    assert_int_equal(tw_routine_crossover("gemm", (enum tw_type)17, NULL), -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_routine_answers),
                                       cmocka_unit_test(thin),
                                       cmocka_unit_test(tall),
                                       cmocka_unit_test(products),
                                       cmocka_unit_test(doors_obey),
                                       cmocka_unit_test(own_figures),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
