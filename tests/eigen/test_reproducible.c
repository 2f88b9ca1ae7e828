/* Reproducible mode: eigenvalues and eigenvectors of syevd, syevr and sygvd have the same bits whatever schedules and
 * however many workers there are. */
#include <stdio.h>
#include <string.h>
#include "tt.h"

static uint64_t hash = 1469598103934665603u;
static void mix(const void *data, size_t bytes)
{
    for (const unsigned char *p = data; bytes; bytes--)
        hash = (hash ^ *p++) * 1099511628211u;
}

static void one_problem(enum tw_type t, enum tw_uplo uplo, int kind)
{
    enum { N = 330 }; /* leaves, a merge, more than one tile */
    void *a = tt_array(t, N, N), *b = tt_array(t, N, N), *z = tt_array(t, N, N);
    double w[N] = {0};
    tw_int m = N;
    struct tt_place pa, pb, pz;

    tt_spd(t, (char)uplo, N, a, N, 5 + kind);
    tt_spd(t, (char)uplo, N, b, N, 17);
    for (size_t i = 0; i < (size_t)N * N; i++)
        tt_put(t, z, i, 0);
    tw_matrix *A = tt_enter(&pa, TT_CREATED, t, uplo, N, N, a, N, 64),
              *B = tt_enter(&pb, TT_CREATED, t, uplo, N, N, b, N, 64),
              *Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, N, z, N, 64);
    if (kind == 0) tt_expect_info(tw_syevd(TW_VECTORS, uplo, A, w, Z), 0, "syevd");
    if (kind == 1) tt_expect_info(tw_syevr(TW_VECTORS, TW_INDICES, uplo, A, 0, 0, 20, 90, &m, w, Z), 0, "syevr");
    if (kind == 2) tt_expect_info(tw_sygvd(1, TW_VECTORS, uplo, A, B, w, Z), 0, "sygvd");
    if (kind == 3) tt_expect_info(tw_syevd(TW_NOVECTORS, uplo, A, w, NULL), 0, "values");
    tt_leave(&pz), tt_leave(&pb), tt_leave(&pa);
    mix(w, (size_t)m * sizeof *w), mix(z, (size_t)N * N * tt_size(t));
    free(a), free(b), free(z);
}

static void results(void **state)
{
    static const enum tw_type types[] = {TW_FLOAT, TW_DOUBLE, TW_COMPLEX_FLOAT, TW_COMPLEX_DOUBLE};
    double route;

    (void)state;
    for (int k = 0; k < 4; k++) /* of each type two problems, each problem in two types and triangles */
        for (int kind = k % 2; kind < 4; kind += 2)
            one_problem(types[k], (k + kind / 2) % 2 ? TW_UPPER : TW_LOWER, kind);
    assert_true(tw_figure("route", &route) && route == TW_ROUTE_TWO); /* no prediction decides here */
    tt_expect_info(tw_finalize(), 0, "stop");
    printf("hash %016llx\n", (unsigned long long)hash);
}

static void one_hash(void **state)
{
    static char out[1 << 16];
    static const char *const scheds[] = {"STARPU_SCHED=lws", "STARPU_SCHED=eager", "STARPU_SCHED=dmdas"};
    static const char *const workers[] = {"STARPU_NCPU=1", "STARPU_NCPU=2", "STARPU_NCPU=4"};
    char first[32] = "";

    (void)state;
    for (int k = 0; k < 5; k++) { /* each scheduler, each number of workers */
        const char *sched = scheds[k < 3 ? k : 0], *count = workers[k < 3 ? 1 : k == 3 ? 0 : 2];
        const char *env[] = {sched, count, "STARPU_NCUDA=0", "TILEWORK_REPRODUCIBLE=1", NULL};
        int rc = tt_run_self("child", env, 150, out, sizeof out);
        char *found = strstr(out, "hash ");
        if (rc || !found) fail_msg("%s %s: exit %d\n%s", sched, count, rc, out);
        found[5 + 16] = 0;
        printf("%s %s: %s\n", sched, count, found);
        if (!first[0]) snprintf(first, sizeof first, "%s", found);
        assert_string_equal(first, found);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_hash)};
    const struct CMUnitTest alone[] = {cmocka_unit_test(results)};
    (void)argv;
    return argc > 1 ? tt_run(alone) : tt_run(tests);
}
