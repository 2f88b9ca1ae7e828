/* Staged matrices without a GPU: TILEWORK_STAGE forces the machinery of docs/memory.md, with tiles in main memory, so
 * that what is loaded when, what goes home, and what is never written can be seen. tests/dense/test_lapack_door.c and
 * others run the routines themselves over it (tests.cmake). */
#include <malloc.h>
#include <tilework/starpu.h>
#include <unistd.h>

#include "tt.h"
#include "runtime/task/submit.h"

enum { N = 230, NB = 50, TILES = 5, STORED = 15, LD = N + 3 };

static int start(const char *stage)
{
    setenv("TILEWORK_STAGE", stage, 1);
    return tw_init(NULL);
}
static int stop(void **state)
{
    (void)state;
    unsetenv("TILEWORK_STAGE");
    return tw_finalize() != 0;
}
static int always(void **state)
{
    (void)state;
    return start("1");
}
/* Slots of a few elements: every column is cut. */
static int tiny_slots(void **state)
{
    (void)state;
    return start("72");
}

static tw_matrix *wrap(enum tw_type t, enum tw_uplo uplo, void *a)
{
    tw_matrix *A;
    tt_expect_info(tw_matrix_wrap(&A, t, uplo, N, N, a, LD, NB), 0, "wrap");
    return A;
}
static void *spd(enum tw_type t, char uplo)
{
    void *a = tt_array(t, LD, N);
    tt_spd(t, uplo, N, a, LD, 3);
    return a;
}
static void record(void)
{
    assert_int_equal(tw_trace_start(), 0);
}
/* Tasks since record(), loads and unloads among them. */
static void expect_tasks(size_t want)
{
    assert_int_equal(tw_trace_stop(), 0);
    assert_int_equal(tw_trace_count(), want);
}

/* ---- what travels -------------------------------------------------------------------------------------------- */

enum { POTRF_TASKS = TILES + TILES * (TILES - 1) + TILES * (TILES - 1) * (TILES - 2) / 6 };

static void each_tile_travels_once(void **state)
{
    double *a = spd(TW_DOUBLE, 'L'), *f = tt_copy(TW_DOUBLE, LD, N, a);
    tw_matrix *A = wrap(TW_DOUBLE, TW_LOWER, f);
    (void)state;
    record();
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf");
    assert_int_equal(tw_matrix_destroy(A), 0);
    expect_tasks(POTRF_TASKS + 2 * STORED);
    assert_int_equal(tt_touched(TW_DOUBLE, 'L', N, N, f, LD), 0);
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', N, a, LD, f, LD), N, "staged");
    free(a), free(f);
}

static void untouched_tiles_stay(void **state)
{
    double *a = spd(TW_DOUBLE, 'U'), *before = tt_copy(TW_DOUBLE, LD, N, a), norm;
    tw_matrix *A = wrap(TW_DOUBLE, TW_UPPER, a);
    (void)state;
    record();
    assert_int_equal(tw_matrix_destroy(A), 0);
    expect_tasks(0);
    A = wrap(TW_DOUBLE, TW_UPPER, a);
    assert_int_equal(tw_lansy(TW_MAX_NORM, TW_UPPER, A, &norm), 0);
    record();
    assert_int_equal(tw_release_to_host(A), 0); /* read, not written: nothing to bring home */
    assert_int_equal(tw_matrix_destroy(A), 0);
    expect_tasks(0);
    assert_memory_equal(a, before, sizeof *a * LD * N);
    free(a), free(before);
}

/* Whole tiles that are only written are not loaded. */
static void what_is_overwritten_is_not_read(void **state)
{
    double *a = tt_array(TW_DOUBLE, LD, N);
    tw_matrix *A = wrap(TW_DOUBLE, TW_GENERAL, a);
    tw_generator *g;
    (void)state;
    assert_int_equal(tw_generator_create(&g, "identity", TW_DOUBLE, N, N, 1), 0);
    record();
    assert_int_equal(tw_matrix_generate(A, g), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    expect_tasks(2 * TILES * TILES);
    tw_generator_destroy(g);
    assert_int_equal(tt_touched(TW_DOUBLE, 'G', N, N, a, LD), 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            assert_true(a[i + j * LD] == (i == j));
    free(a);
}

/* A tile of 18 MB travels in two pieces. */
static void large_tiles_go_in_pieces(void **state)
{
    int n = 1500;
    double *a = tt_array(TW_DOUBLE, n, n), *f;
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', n, a, n, 4);
    f = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, n, n, f, n, n), 0);
    record();
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf");
    assert_int_equal(tw_matrix_destroy(A), 0);
    expect_tasks(1 + 2 + 2);
    assert_int_equal(tt_touched(TW_DOUBLE, 'L', n, n, f, n), 0);
    assert_int_equal(tt_lapack_potrf(TW_DOUBLE, 'L', n, a, n), 0);
    tt_expect("potrf vs LAPACK", TW_DOUBLE, tt_difference(TW_DOUBLE, 'L', 'N', n, n, f, n, a, n), 0, "one tile");
    free(a), free(f);
}

/* ---- in and out by the matrix door ------------------------------------------------------------------------------ */

static void copies(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int u = 0; u < 2; u++) {
            char uplo = tt_uplos[u];
            void *a = spd(t, uplo), *own = tt_array(t, LD, N), *out = tt_array(t, N, N), *g = tt_copy(t, LD, N, a);
            tw_matrix *A = wrap(t, (enum tw_uplo)uplo, own);
            assert_int_equal(tt_lapack_potrf(t, uplo, N, g, LD), 0);
            for (int round = 0; round < 2; round++) { /* the second finds tiles that were there before */
                assert_int_equal(tw_matrix_set_lapack(A, a, LD), 0);
                if (round == 1) assert_int_equal(tw_prefetch(A, -1), 0);
                tt_expect_info(tw_potrf((enum tw_uplo)uplo, A), 0, "potrf");
                if (round == 1) assert_int_equal(tw_prefetch(A, -1), 0);
                assert_int_equal(tw_matrix_to_lapack(A, out, N), 0);
                assert_int_equal(tt_touched(t, uplo, N, N, out, N), 0);
                tt_expect("potrf vs LAPACK", t, tt_difference(t, uplo, 'N', N, N, out, N, g, LD), 0, "set, to");
                assert_int_equal(tw_release_to_host(A), 0);
                tt_expect("potrf vs LAPACK", t, tt_difference(t, uplo, 'N', N, N, own, LD, g, LD), 0, "released");
            }
            assert_int_equal(tw_matrix_destroy(A), 0);
            assert_int_equal(tt_touched(t, uplo, N, N, own, LD), 0);
            free(a), free(own), free(out), free(g);
        }
}

static void twice_body(void *buffers[], void *arg)
{
    double *a = (double *)STARPU_MATRIX_GET_PTR(buffers[0]);
    size_t m = STARPU_MATRIX_GET_NX(buffers[0]), n = STARPU_MATRIX_GET_NY(buffers[0]),
           ld = STARPU_MATRIX_GET_LD(buffers[0]);
    (void)arg;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < m; i++)
            a[i + j * ld] *= 2;
}
static struct starpu_codelet twice = {
    .cpu_funcs = {twice_body}, .cpu_funcs_name = {"twice_body"}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "twice"};

static void double_a_tile(tw_matrix *A)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &twice;
    task->handles[0] = tw_tile_handle(A, 2, 1);
    assert_non_null(task->handles[0]);
    assert_int_equal(starpu_task_submit(task), 0);
}

/* Who has a handle may write the tile at any time: it always goes home, and it always has content. */
static void handles_of_the_user(void **state)
{
    double *a = tt_array(TW_DOUBLE, LD, N), *b = tt_array(TW_DOUBLE, LD, N);
    tw_matrix *A;
    (void)state;
    tt_random(TW_DOUBLE, 'G', N, N, b, LD, 9);
    tt_random(TW_DOUBLE, 'G', N, N, a, LD, 8);
    A = wrap(TW_DOUBLE, TW_GENERAL, a);
    assert_int_equal(tw_workers_hold(), 0);
    double_a_tile(A);
    assert_int_equal(tw_release_to_host(A), 0);
    double_a_tile(A);
    assert_int_equal(tw_release_to_host(A), 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            assert_true(a[i + j * LD] == (i / NB == 2 && j / NB == 1 ? 4 : 1) * tt_uniform(8, i, j));
    assert_int_equal(tw_matrix_set_lapack(A, b, LD), 0);
    double_a_tile(A);
    assert_int_equal(tw_workers_release(), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            assert_true(a[i + j * LD] == (i / NB == 2 && j / NB == 1 ? 2 : 1) * b[i + j * LD]);
    assert_int_equal(tt_touched(TW_DOUBLE, 'G', N, N, a, LD), 0);
    free(a), free(b);
}

/* ---- several at once, stopped, failed --------------------------------------------------------------------------- */

/* Two sequences ask for the same tiles at the same time: they are loaded once. */
static void two_readers(void **state)
{
    double *f = spd(TW_DOUBLE, 'L'), *b[2], *x[2];
    (void)state;
    assert_int_equal(tt_lapack_potrf(TW_DOUBLE, 'L', N, f, LD), 0);
    for (int round = 0; round < 10; round++) {
        tw_matrix *A = wrap(TW_DOUBLE, TW_LOWER, f), *B[2];
        tw_sequence *seq[2];
        for (int k = 0; k < 2; k++) {
            b[k] = tt_array(TW_DOUBLE, LD, N);
            tt_random(TW_DOUBLE, 'G', N, N, b[k], LD, 50 + (uint64_t)k);
            x[k] = tt_copy(TW_DOUBLE, LD, N, b[k]);
            B[k] = wrap(TW_DOUBLE, TW_GENERAL, x[k]);
            assert_int_equal(tw_sequence_create(&seq[k]), 0);
        }
        record();
        for (int k = 0; k < 2; k++)
            assert_int_equal(tw_potrs_async(TW_LOWER, A, B[k], seq[k]), 0);
        for (int k = 0; k < 2; k++)
            tt_expect_info(tw_sequence_destroy(seq[k]), 0, "potrs");
        for (int k = 0; k < 2; k++)
            assert_int_equal(tw_matrix_destroy(B[k]), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
        /* Two solves of each side: TILES^2 trsm and TILES^2 (TILES - 1) / 2 gemm each; A is loaded once, B goes both
         * ways. */
        expect_tasks(2 * 2 * (TILES * TILES + TILES * TILES * (TILES - 1) / 2) + STORED + 2 * 2 * TILES * TILES);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(tt_lapack_potrs(TW_DOUBLE, 'L', N, N, f, LD, b[k], LD), 0);
            tt_expect("potrs vs LAPACK", TW_DOUBLE, tt_difference(TW_DOUBLE, 'G', 'N', N, N, x[k], LD, b[k], LD), 0,
                      "of two");
            free(b[k]), free(x[k]);
        }
    }
    free(f);
}

/* Cancelled at any moment, with a window of three tasks: nothing hangs, and nothing beside the triangle is written. */
static void cancelled(void **state)
{
    void *a = spd(TW_COMPLEX_FLOAT, 'L');
    (void)state;
    assert_int_equal(tw_finalize(), 0);
    setenv("TILEWORK_WINDOW", "3", 1);
    assert_int_equal(start("300"), 0);
    unsetenv("TILEWORK_WINDOW");
    for (int round = 0; round < 20; round++) {
        void *f = tt_copy(TW_COMPLEX_FLOAT, LD, N, a);
        tw_matrix *A = wrap(TW_COMPLEX_FLOAT, TW_LOWER, f);
        tw_sequence *seq;
        int e;
        assert_int_equal(tw_sequence_create(&seq), 0);
        for (int k = 0; k < 3; k++)
            assert_int_equal(tw_lauum_async(TW_LOWER, A, seq), 0);
        usleep((unsigned)(round * round) * 20);
        assert_int_equal(tw_sequence_cancel(seq), 0);
        e = tw_sequence_wait(seq);
        if (e != 0) tt_expect_info(e, TW_E_CANCELLED, "cancelled");
        if (round & 1) assert_int_equal(tw_release_to_host(A), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tt_touched(TW_COMPLEX_FLOAT, 'L', N, N, f, LD), 0);
        free(f);
    }
    free(a);
}

static int failing_body(const struct tw_body *body)
{
    (void)body;
    return TW_E_IO;
}
static struct tw_codelet failing = {.name = "failing", .color = 0x808080, .rate = TW_RATE_MEMORY, .cpu = failing_body};

static void failing_loop(struct tw_sequence *seq, void *args)
{
    tw_matrix *A = *(tw_matrix **)args;
    for (int i = 0; i < TILES; i++)
        tw_submit(seq, &(struct tw_task){.codelet = &failing,
                                         .type = TW_DOUBLE,
                                         .access = &(struct tw_access){tw_tile(A, i, 0), TW_RW},
                                         .naccess = 1,
                                         .size = 1,
                                         .coord = {i, 0, -1, -1}});
}

/* A failed sequence leaves what its kernels left: here, nothing was changed. And the error is still the last
 * message. */
static void failed(void **state)
{
    double *a = spd(TW_DOUBLE, 'L'), *before = tt_copy(TW_DOUBLE, LD, N, a);
    tw_matrix *A = wrap(TW_DOUBLE, TW_LOWER, a);
    (void)state;
    tt_expect_info(tw_call("failing", failing_loop, &A, 0), TW_E_IO, "failing");
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_non_null(strstr(tw_last_message(), "failing"));
    assert_memory_equal(a, before, sizeof *a * LD * N);
    free(a), free(before);
}

/* A leading minor that is not positive: what LAPACK defines is there, the rest of the array is untouched. */
static void infos(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int k = 1; k <= N; k += 76) {
                char uplo = tt_uplos[u];
                void *a = tt_array(t, LD, N), *g;
                tw_matrix *A;
                tt_spd_failing(t, uplo, N, a, LD, 6, k);
                g = tt_copy(t, LD, N, a);
                A = wrap(t, (enum tw_uplo)uplo, a);
                tt_expect_info(tw_potrf((enum tw_uplo)uplo, A), k, "potrf");
                assert_int_equal(tw_matrix_destroy(A), 0);
                assert_int_equal(tt_touched(t, uplo, N, N, a, LD), 0);
                assert_int_equal(tt_lapack_potrf(t, uplo, N, g, LD), k);
                tt_expect("leading factor", t, tt_difference(t, uplo, 'N', k - 1, k - 1, a, LD, g, LD), 0, "minor %d",
                          k);
                free(a), free(g);
            }
}

/* Reproducible mode: the same bits however the tiles travel. */
static void reproducible(void **state)
{
    static const char *const stage[] = {"1", "200", "1"};
    int n = 700, ld = n + 1;
    double *a = tt_array(TW_DOUBLE, ld, n), *first = NULL;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', n, a, ld, 12);
    for (int k = 0; k < 3; k++) {
        double *f = tt_copy(TW_DOUBLE, ld, n, a);
        tw_matrix *A;
        tw_options o;
        tw_options_init(&o);
        o.reproducible = 1;
        setenv("TILEWORK_STAGE", stage[k], 1);
        assert_int_equal(tw_init(&o), 0);
        assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, n, n, f, ld, 0), 0);
        tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf");
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_finalize(), 0);
        if (first) assert_memory_equal(f, first, sizeof *f * (size_t)ld * (size_t)n);
        if (first)
            free(f);
        else
            first = f;
    }
    free(a), free(first);
    assert_int_equal(start("1"), 0);
}

/* ---- options and memory ------------------------------------------------------------------------------------------ */

static void options(void **state)
{
    static const char *const good[] = {"auto", "0", "1", "64", "3M", "64M", ""};
    static const char *const bad[] = {"yes", "-1", "63", "65M", "1e40", "2 M"};
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        tt_expect_info(start(good[k]), 0, "TILEWORK_STAGE=%s", good[k]);
        assert_int_equal(tw_finalize(), 0);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tt_expect_info(start(bad[k]), TW_E_OPTION, "TILEWORK_STAGE=%s", bad[k]);
        assert_non_null(strstr(tw_last_message(), "TILEWORK_STAGE"));
    }
    assert_int_equal(start("auto"), 0);
}

static double status(const char *key)
{
    char line[256];
    double kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key))) kib = strtod(line + strlen(key) + 1, NULL);
    if (f) fclose(f);
    return kib * 1024;
}

enum { TOO_MUCH = 4 };
/* What one factorization in a plain array adds to the resident set while its tiles exist; negative: something
 * failed. */
static double growth(int n)
{
    double *a = tt_array(TW_DOUBLE, n, n), before, after;
    tw_matrix *A;

    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    malloc_trim(0); /* what was freed before must not hide a copy */
    before = status("VmRSS:");
    if (tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, n, n, a, n, 500) || tw_potrf(TW_LOWER, A)) return -1;
    after = status("VmRSS:");
    if (before < 0 || after < 0 || tw_matrix_destroy(A)) return -1;
    free(a);
    return after > before ? after - before : 0;
}

static int memory_child(void)
{
    double first = growth(1500), bytes; /* what is taken once: slots, the CUDA libraries' own */

    bytes = growth(3000);
    printf("%.1f MB, then %.1f MB beyond an array of 72 MB\n", first / 1e6, bytes / 1e6);
    if (first < 0 || bytes < 0 || tw_finalize() != 0) return 1;
    return bytes > 12e6 ? TOO_MUCH : 0;
}

/* The library's own choice for a plain array needs no second copy of it, on a machine with GPUs as little as without.
 * With the tiles in main memory there is one, and it is seen. */
static void no_second_copy(void **state)
{
    char out[4096];
    tw_machine m;
    int rc = tt_run_self("memory", (const char *[]){"TILEWORK_STAGE", NULL}, 100, out, sizeof out);
    (void)state;
    printf("%s", out);
    assert_int_equal(rc, 0);
    assert_int_equal(tw_machine_info(&m), 0);
    assert_int_equal(tw_finalize(), 0);
    if (m.cuda_devices > 0) return;
    rc = tt_run_self("memory", (const char *[]){"TILEWORK_STAGE=1", NULL}, 100, out, sizeof out);
    printf("%s", out);
    assert_int_equal(rc, TOO_MUCH);
}

#define STAGED(f)     cmocka_unit_test_setup_teardown(f, always, stop)
#define TINY_SLOTS(f) cmocka_unit_test_setup_teardown(f, tiny_slots, stop)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        STAGED(each_tile_travels_once),
        TINY_SLOTS(each_tile_travels_once),
        STAGED(untouched_tiles_stay),
        STAGED(what_is_overwritten_is_not_read),
        STAGED(large_tiles_go_in_pieces),
        STAGED(copies),
        TINY_SLOTS(copies),
        STAGED(handles_of_the_user),
        STAGED(two_readers),
        STAGED(cancelled),
        STAGED(failed),
        STAGED(infos),
        cmocka_unit_test_teardown(reproducible, stop),
        cmocka_unit_test_teardown(options, stop),
        cmocka_unit_test(no_second_copy),
    };
    if (argc > 1 && !strcmp(argv[1], "memory")) return memory_child();
    return tt_run(tests);
}
