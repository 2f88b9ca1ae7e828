/* Tasks that a program gives to StarPU itself, in the recording beside Tilework's: under every policy, in a StarPU that
 * Tilework started and in one that the program did. */
#include <stdatomic.h>
#include <tilework/starpu.h>
#include <unistd.h>

#include "tt.h"
#include "traces/recorded.h"

enum { N = 200, NB = 50, TILES = 4, STORED = TILES * (TILES + 1) / 2 };
static char folder[] = "/tmp/tw-own-XXXXXX";
static atomic_int gate_open, begun;

static void scale_body(void *buffers[], void *arg)
{
    double *a = (double *)STARPU_MATRIX_GET_PTR(buffers[0]);
    (void)arg;
    for (size_t j = 0; j < STARPU_MATRIX_GET_NY(buffers[0]); j++)
        for (size_t i = 0; i < STARPU_MATRIX_GET_NX(buffers[0]); i++)
            a[i + j * STARPU_MATRIX_GET_LD(buffers[0])] *= 2;
}
static void wait_body(void *buffers[], void *arg)
{
    (void)buffers, (void)arg;
    atomic_store(&begun, 1);
    while (!atomic_load(&gate_open))
        usleep(100);
}
static void empty_body(void *buffers[], void *arg)
{
    (void)buffers, (void)arg;
}

static struct starpu_codelet scale = {
    .cpu_funcs = {scale_body}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "scale", .color = 0x123456};
static struct starpu_codelet waits = {.cpu_funcs = {wait_body}, .name = "gemm"};
static struct starpu_codelet nameless = {.cpu_funcs = {empty_body}};

static struct starpu_task *task_of(struct starpu_codelet *codelet)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = codelet;
    return task;
}

static void scale_tiles(tw_matrix *A, int in_order)
{
    for (int j = 0; j < TILES; j++)
        for (int i = j; i < TILES; i++) {
            struct starpu_task *task = task_of(&scale);
            task->handles[0] = tw_tile_handle(A, i, j);
            task->flops = NB * NB;
            task->priority = 1;
            task->sequential_consistency = in_order != 0;
            assert_int_equal(starpu_task_submit(task), 0);
        }
}

/* A chain by declared dependencies, of a codelet that is gone when the recording is written. */
static void chain(int length)
{
    struct starpu_codelet *codelet = malloc(sizeof *codelet);
    char *name = strdup("link");
    struct starpu_task *before = NULL;

    starpu_codelet_init(codelet);
    codelet->cpu_funcs[0] = empty_body;
    codelet->name = name;
    for (int k = 0; k < length; k++) {
        struct starpu_task *task = task_of(codelet);
        if (before) {
            starpu_task_declare_deps_array(task, 1, &before);
            assert_int_equal(starpu_task_submit(before), 0); /* the later one is declared: it cannot be missed */
        }
        before = task;
    }
    assert_int_equal(starpu_task_submit(before), 0);
    starpu_task_wait_for_all();
    memset(name, 'X', strlen(name));
    free(name), free(codelet);
}

static const tw_trace_kernel *kernel_named(const tw_trace_kernel *k, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(k[i].name, name)) return &k[i];
    fail_msg("no kernel %s", name);
    return NULL;
}

/* How many predecessors of that name task `at` has. */
static int waits_for(const struct tw_recording *v, size_t at, const char *name)
{
    int n = 0;
    for (size_t i = v->first_edge[at]; i < v->first_edge[at + 1]; i++)
        n += !strcmp(v->records[v->edge[i]].name, name);
    return n;
}

static void check_edges(const struct tw_recording *v)
{
    int scales = 0, links = 0, first = 0;

    assert_non_null(v->first_edge);
    for (size_t k = 0; k < v->nrecords; k++) {
        const struct tw_record *t = &v->records[k];
        const int all = (int)(v->first_edge[k + 1] - v->first_edge[k]);
        if (!strcmp(t->name, "link (own)")) {
            assert_int_equal(all, first == 0 ? 0 : 1);
            assert_int_equal(waits_for(v, k, "link (own)"), all);
            first = 1, links++;
        } else if (!strcmp(t->name, "scale (own)")) {
            scales++;
            if (scales > STORED) assert_true(all >= 1); /* behind potrf's tasks on that tile */
            if (scales <= STORED) assert_int_equal(all, 0);
        } else {
            assert_true(all >= 1);
            if (!strcmp(t->name, "potrf") && t->coord[0] == 0) {
                assert_int_equal(all, 1);
                assert_int_equal(waits_for(v, k, "scale (own)"), 1);
            }
        }
        for (size_t i = v->first_edge[k]; i < v->first_edge[k + 1]; i++) /* and in time */
            assert_true(v->records[v->edge[i]].end <= t->start + 1e-9);
    }
    assert_int_equal(scales, 2 * STORED);
    assert_int_equal(links, 5);
}

static void check_records(const struct tw_recording *v, int priority)
{
    for (size_t k = 0; k < v->nrecords; k++) {
        const struct tw_record *t = &v->records[k];
        assert_true(t->submit <= t->start && t->start <= t->end && t->submit >= 0);
        assert_true(t->ready <= t->taken && t->taken <= t->start + 1e-9);
        if (strcmp(t->name, "scale (own)") != 0) continue;
        assert_string_equal(v->routines[t->routine], "own tasks");
        assert_true(t->flops == NB * NB && t->color == 0x123456 && t->coord[0] == -1);
        assert_int_equal(t->priority, priority);
        assert_int_equal(v->workers[t->worker].is_cuda, 0);
    }
}

static void run_and_check(const char *what)
{
    double *a = tt_array(TW_DOUBLE, N, N);
    tw_trace_kernel kernel[16];
    tw_trace_facts f;
    tw_recorded *r;
    tw_matrix *A;
    int n;

    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    tt_expect_info(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, NB), 0, what);
    scale_tiles(A, 1); /* before the recording: not in it */
    starpu_task_wait_for_all();
    tt_expect_info(tw_trace_start(), 0, what);
    scale_tiles(A, 1);
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, what);
    scale_tiles(A, 1);
    chain(5);
    tt_expect_info(tw_trace_stop(), 0, what);
    chain(2);
    tt_expect_info(tw_trace_write("own"), 0, what);
    tt_expect_info(tw_recorded_read(&r, "own.tw"), 0, what);
    tt_expect_info(tw_recorded_facts(r, &f), 0, what);
    assert_int_equal(f.tasks, 2 * STORED + 20 + 5); /* potrf of 4 x 4 tiles: 20 tasks */
    n = tw_recorded_kernels(r, kernel, 16);
    assert_int_equal(kernel_named(kernel, n, "scale (own)")->tasks, 2 * STORED);
    assert_int_equal(kernel_named(kernel, n, "scale (own)")->type, ' ');
    assert_int_equal(kernel_named(kernel, n, "potrf")->type, 'd');
    check_records(&r->view, starpu_sched_get_max_priority() < 1 ? starpu_sched_get_max_priority() : 1);
    check_edges(&r->view);
    tw_recorded_destroy(r);
    assert_int_equal(tw_matrix_destroy(A), 0);
    free(a);
}

static void tileworks_starpu(void **state)
{
    static const char *const policies[] = {"lws", "prio", "eager", "tilework", "dmdas"};
    (void)state;
    for (size_t k = 0; k < sizeof policies / sizeof *policies; k++) {
        setenv("STARPU_SCHED", policies[k], 1);
        tt_expect_info(tw_workers_hold(), 0, policies[k]);
        run_and_check(policies[k]);
        run_and_check(policies[k]); /* a second recording */
        tt_expect_info(tw_workers_release(), 0, policies[k]);
        tt_expect_info(tw_finalize(), 0, policies[k]);
    }
    unsetenv("STARPU_SCHED");
}

static void programs_starpu(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(starpu_init(NULL), 0);
        run_and_check("the program's");
        tt_expect_info(tw_finalize(), 0, "finalize");
        chain(3); /* StarPU runs on, nobody records */
        run_and_check("the program's, again");
        tt_expect_info(tw_finalize(), 0, "finalize");
        starpu_shutdown();
    }
}

/* Its submission is before the recording, its end in it; a codelet without a name; one with a name of Tilework's. */
static void under_way(void **state)
{
    struct starpu_task *task;
    tw_recorded *r;
    tw_trace_kernel kernel[8];
    int n;
    (void)state;
    tt_expect_info(tw_workers_hold(), 0, "hold");
    atomic_store(&gate_open, 0);
    assert_int_equal(starpu_task_submit(task_of(&waits)), 0);
    while (!atomic_load(&begun))
        usleep(100);
    usleep(10000);
    tt_expect_info(tw_trace_start(), 0, "start");
    task = task_of(&nameless);
    task->name = "a task's own name";
    assert_int_equal(starpu_task_submit(task), 0);
    assert_int_equal(starpu_task_submit(task_of(&nameless)), 0);
    atomic_store(&gate_open, 1);
    starpu_task_wait_for_all();
    tt_expect_info(tw_trace_write("own"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "own.tw"), 0, "read");
    n = tw_recorded_kernels(r, kernel, 8);
    assert_int_equal(n, 3);
    assert_true(kernel_named(kernel, n, "gemm (own)")->seconds >= 0.01);
    assert_int_equal(kernel_named(kernel, n, "a task's own name (own)")->tasks, 1);
    assert_int_equal(kernel_named(kernel, n, "task (own)")->tasks, 1);
    tw_recorded_destroy(r);
    tt_expect_info(tw_workers_release(), 0, "release");
    tt_expect_info(tw_finalize(), 0, "finalize");
}

/* What StarPU does not order has no predecessors. */
static void out_of_order(void **state)
{
    double *a = tt_array(TW_DOUBLE, N, N);
    tw_recorded *r;
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    tt_expect_info(tw_workers_hold(), 0, "hold");
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, NB), 0);
    tt_expect_info(tw_trace_start(), 0, "start");
    scale_tiles(A, 1);
    scale_tiles(A, 0);
    starpu_task_wait_for_all();
    tt_expect_info(tw_trace_write("own"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "own.tw"), 0, "read");
    assert_int_equal(r->view.nrecords, 2 * STORED);
    assert_null(r->view.first_edge); /* none at all */
    tw_recorded_destroy(r);
    assert_int_equal(tw_matrix_destroy(A), 0);
    free(a);
    tt_expect_info(tw_workers_release(), 0, "release");
    tt_expect_info(tw_finalize(), 0, "finalize");
}

static void limited(void **state)
{
    tw_trace_facts f;
    tw_recorded *r;
    (void)state;
    setenv("TILEWORK_TRACE_LIMIT", "10", 1);
    tt_expect_info(tw_workers_hold(), 0, "hold");
    tt_expect_info(tw_trace_start(), 0, "start");
    chain(30);
    tt_expect_info(tw_trace_write("own"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "own.tw"), 0, "read");
    tt_expect_info(tw_recorded_facts(r, &f), 0, "facts");
    assert_int_equal(f.tasks, 10);
    assert_int_equal(f.dropped, 20);
    tw_recorded_destroy(r);
    tt_expect_info(tw_workers_release(), 0, "release");
    tt_expect_info(tw_finalize(), 0, "finalize");
    unsetenv("TILEWORK_TRACE_LIMIT");
}

/* A name for each task, if it is the program's wish: not one for each in memory. */
static void many_names(void **state)
{
    char name[32];
    tw_trace_kernel *kernel = calloc(2000, sizeof *kernel);
    tw_recorded *r;
    int n;
    (void)state;
    tt_expect_info(tw_workers_hold(), 0, "hold");
    tt_expect_info(tw_trace_start(), 0, "start");
    for (int k = 0; k < 1500; k++) {
        struct starpu_task *task = task_of(&nameless);
        snprintf(name, sizeof name, "number %d", k);
        task->name = name;
        task->synchronous = 1;
        assert_int_equal(starpu_task_submit(task), 0);
    }
    setenv("TILEWORK_TRACE_FORMATS", "tw", 1);
    tt_expect_info(tw_trace_write("own"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "own.tw"), 0, "read");
    n = tw_recorded_kernels(r, kernel, 2000);
    assert_true(n > 500 && n <= 1001);
    assert_true(kernel_named(kernel, n, "others (own)")->tasks >= 500);
    tw_recorded_destroy(r);
    free(kernel);
    tt_expect_info(tw_workers_release(), 0, "release");
    tt_expect_info(tw_finalize(), 0, "finalize");
}

static int set_up(void **state)
{
    (void)state;
    setenv("TILEWORK_TRACE_FORMATS", "tw,paje,json,svg,html,csv,dot", 1);
    setenv("TILEWORK_NB", "50", 1), setenv("TILEWORK_CROSSOVER", "0", 1);
    return !mkdtemp(folder) || chdir(folder);
}
static int tear_down(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "cd / && rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tileworks_starpu), cmocka_unit_test(programs_starpu), cmocka_unit_test(under_way),
        cmocka_unit_test(out_of_order),     cmocka_unit_test(limited),         cmocka_unit_test(many_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
