/* TILEWORK_REPRODUCIBLE=1: one hash of every result over 3 schedulers x 1, 2 and 4 workers, with tile orders given
 * and chosen. */
#include "rows.h"

static uint64_t hash = 1469598103934665603u;
static void mix(const void *data, size_t bytes)
{
    for (const unsigned char *p = data; bytes; bytes--)
        hash = (hash ^ *p++) * 1099511628211u;
}

/* ---- the child ---------------------------------------------------------------------------------------------- */

static void mix_columns(enum tw_type t, int m, int n, const void *a, int lda)
{
    for (int j = 0; a && j < n; j++)
        mix((const char *)a + (size_t)j * (size_t)lda * tt_size(t), (size_t)m * tt_size(t));
}

/* Through the matrix door, with the tiles that the environment says. */
static void routine(const struct tt_row *r, enum tw_type t, char uplo, int n)
{
    struct tt_case c;

    tt_case_make(&c, r, t, uplo, n, 40, 0, NULL, NULL);
    tt_expect_info(tt_case_run(&c, TT_WRAPPED, 0, 0), 0, r->name);
    mix_columns(t, c.m, c.k, c.f, c.lda);
    mix_columns(t, n, 40, c.x, c.lda);
    mix_columns(t, c.cm, c.cn, c.y, c.cm);
    if (r->vector == TT_PIVOTS) mix(c.ipiv, (size_t)n * sizeof *c.ipiv);
    if (r->vector == TT_TAU) mix(c.tau, (size_t)n * tt_size(t));
    tt_case_free(&c, 0);
}

static void routines(enum tw_type t, int n)
{
    const struct tt_row *r;

    for (int k = 0; (r = tt_row(k)); k++)
        for (const char *uplo = r->uplos; *uplo && tt_row_has(r, t); uplo++)
            routine(r, t, *uplo, n);
}

/* Through the LAPACK door. */
static void factors(enum tw_type t, int n)
{
    void *a = tt_array(t, n, n), *b = tt_array(t, n, 5);
    tw_int *ipiv = calloc((size_t)n, sizeof *ipiv);

    assert_non_null(ipiv);
    tt_spd(t, 'L', n, a, n, 1);
    tt_random(t, 'G', n, 5, b, n, 2);
    tt_expect_info(tt_door_posv(t, 'L', n, 5, a, n, b, n), 0, "posv");
    mix(a, (size_t)n * (size_t)n * tt_size(t));
    mix(b, (size_t)n * 5 * tt_size(t));
    tt_expect_info(tt_door_potri(t, 'L', n, a, n), 0, "potri");
    mix(a, (size_t)n * (size_t)n * tt_size(t));
    tt_random(t, 'G', n, n, a, n, 4);
    tt_expect_info(tt_door_gesv(t, n, 5, a, n, ipiv, b, n), 0, "gesv");
    mix(a, (size_t)n * (size_t)n * tt_size(t));
    mix(b, (size_t)n * 5 * tt_size(t));
    mix(ipiv, (size_t)n * sizeof *ipiv);
    free(a), free(b), free(ipiv);
}

/* Every routine of BLAS-3 on what the ones before left. */
static void products(enum tw_type t, int n)
{
    const size_t bytes = (size_t)n * (size_t)n * tt_size(t);
    void *a = tt_array(t, n, n), *b = tt_array(t, n, n), *c = tt_array(t, n, n);

    tt_random(t, 'G', n, n, a, n, 5);
    tt_random(t, 'G', n, n, b, n, 6);
    tt_expect_info(tt_door_gemm(t, 'N', 'C', n, n, n, 1, a, n, b, n, 0, c, n), 0, "gemm");
    mix(c, bytes);
    tt_expect_info(tt_door_hemm(t, 'R', 'U', n, n, 0.1, a, n, b, n, 1, c, n), 0, "hemm");
    mix(c, bytes);
    tt_expect_info(tt_door_herk(t, 'L', 'N', n, n, 1, b, n, 0.5, c, n), 0, "herk");
    tt_expect_info(tt_door_her2k(t, 'U', 'N', n, n, 1, a, n, b, n, 0.5, c, n), 0, "her2k");
    mix(c, bytes);
    tt_spd(t, 'L', n, a, n, 7);
    tt_expect_info(tt_door_trmm(t, 'L', 'L', 'C', 'N', n, n, 0.1, a, n, b, n), 0, "trmm");
    mix(b, bytes);
    tt_expect_info(tt_door_trsm(t, 'R', 'L', 'N', 'N', n, n, 1, a, n, b, n), 0, "trsm");
    mix(b, bytes);
    free(a), free(b), free(c);
}

static void norms(enum tw_type t, int n)
{
    void *a = tt_array(t, n, n);
    tw_matrix *A;

    tt_random(t, 'G', n, n, a, n, 3);
    assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, n, n, a, n, 0), 0);
    for (const char *kind = "MOIF"; *kind; kind++) {
        double value = -1;
        tt_expect_info(tw_lange((enum tw_norm) * kind, A, &value), 0, "lange");
        mix(&value, sizeof value);
    }
    double value = -1;
    tt_expect_info(tw_norm2est(A, 0.01, &value), 0, "norm2est");
    mix(&value, sizeof value);
    assert_int_equal(tw_matrix_destroy(A), 0);
    free(a);
}

static void results(void **state)
{
    (void)state;
    TT_TYPES(t) {
        routines(t, 130);
        factors(t, 130);
        products(t, 130);
        norms(t, 300);
    }
    for (int again = 0; again < 2; again++)
        factors(TW_DOUBLE, 1031);
    tt_expect_info(tw_finalize(), 0, "stop");
    printf("hash %016llx\n", (unsigned long long)hash);
}

static int child(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results)};
    return tt_run(tests);
}

/* ---- the parent --------------------------------------------------------------------------------------------- */

static void one_hash(const char *nb)
{
    static char out[1 << 16];
    static const char *const scheds[] = {"STARPU_SCHED=lws", "STARPU_SCHED=eager", "STARPU_SCHED=dmdas"};
    static const char *const workers[] = {"STARPU_NCPU=1", "STARPU_NCPU=2", "STARPU_NCPU=4"};
    char first[32] = "";
    int different = 0;

    for (int s = 0; s < 3; s++)
        for (int w = 0; w < 3; w++) {
            const char *env[] = {
                scheds[s], workers[w], "STARPU_NCUDA=0", "TILEWORK_REPRODUCIBLE=1", "TILEWORK_CROSSOVER=0", nb, NULL};
            int rc = tt_run_self("child", env, 150, out, sizeof out);
            char *found = strstr(out, "hash ");
            if (rc || !found) fail_msg("%s %s: exit %d\n%s", scheds[s], workers[w], rc, out);
            found[5 + 16] = 0;
            printf("%s %s %s: %s\n", nb, scheds[s], workers[w], found);
            if (!first[0]) snprintf(first, sizeof first, "%s", found);
            different += strcmp(first, found) != 0;
        }
    assert_int_equal(different, 0);
}

static void given_tiles(void **state)
{
    (void)state;
    one_hash("TILEWORK_NB=96");
}
static void chosen_tiles(void **state)
{
    (void)state;
    one_hash("TILEWORK_NB"); /* unset */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(given_tiles), cmocka_unit_test(chosen_tiles)};
    (void)argv;
    return argc > 1 ? child() : tt_run(tests);
}
