/* A program that runs StarPU itself: Tilework uses it, leaves it running, and the program's tasks join the graph
 * through the handles of tiles. And the other way round: the program uses the StarPU that Tilework started. */
#include <tilework/starpu.h>

#include "tt.h"

enum { N = 230, NB = 50, TILES = 5 };

static void scale_body(void *buffers[], void *arg)
{
    double *a = (double *)STARPU_MATRIX_GET_PTR(buffers[0]), factor = *(double *)arg;
    size_t m = STARPU_MATRIX_GET_NX(buffers[0]), n = STARPU_MATRIX_GET_NY(buffers[0]),
           ld = STARPU_MATRIX_GET_LD(buffers[0]);

    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < m; i++)
            a[i + j * ld] *= factor;
}
static struct starpu_codelet scale = {
    .cpu_funcs = {scale_body}, .cpu_funcs_name = {"scale_body"}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "scale"};

static void scale_tiles(tw_matrix *A, double *factor)
{
    for (int j = 0; j < TILES; j++)
        for (int i = 0; i < TILES; i++) {
            starpu_data_handle_t handle = tw_tile_handle(A, i, j);
            struct starpu_task *task;
            if (!handle) continue;
            task = starpu_task_create();
            task->cl = &scale;
            task->handles[0] = handle;
            task->cl_arg = factor;
            task->cl_arg_size = sizeof *factor;
            assert_int_equal(starpu_task_submit(task), 0);
        }
}

/* The factor of 4 A is twice the factor of A: the user's tasks run before potrf, others after it, with no wait
 * between. */
static void tasks_join(void)
{
    double *a = tt_array(TW_DOUBLE, N, N), *f = tt_array(TW_DOUBLE, N, N), *g;
    static double four = 4, half = 0.5;
    tw_matrix *A;

    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    assert_int_equal(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, N, N, a, N, NB), 0);
    assert_null(tw_tile_handle(A, 0, 1)); /* not stored */
    assert_null(tw_tile_handle(A, TILES, 0));
    assert_null(tw_tile_handle(A, -1, 0));
    assert_null(tw_tile_handle(NULL, 0, 0));
    assert_non_null(tw_tile_handle(A, TILES - 1, 0));
    scale_tiles(A, &four);
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf");
    scale_tiles(A, &half);
    assert_int_equal(tw_matrix_to_lapack(A, f, N), 0); /* waits for the user's tasks, too */
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', N, a, N, f, N), N, "with a user's tasks");
    g = tt_copy(TW_DOUBLE, N, N, a);
    assert_int_equal(tt_lapack_potrf(TW_DOUBLE, 'L', N, g, N), 0);
    tt_expect("potrf vs LAPACK", TW_DOUBLE, tt_difference(TW_DOUBLE, 'L', 'N', N, N, f, N, g, N), 0,
              "with a user's tasks");
    assert_int_equal(tw_matrix_destroy(A), 0);
    free(a), free(f), free(g);
}

static int user_task_runs(void)
{
    double x[4] = {1, 2, 3, 4}, two = 2;
    starpu_data_handle_t handle;
    struct starpu_task *task = starpu_task_create();

    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)x, 2, 2, 2, sizeof *x);
    task->cl = &scale;
    task->handles[0] = handle;
    task->cl_arg = &two;
    task->cl_arg_size = sizeof two;
    if (starpu_task_submit(task) != 0) return 0;
    starpu_task_wait_for_all();
    starpu_data_unregister(handle);
    return x[3] == 8;
}

static void the_programs_starpu(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(starpu_init(NULL), 0);
        assert_true(user_task_runs());
        for (int again = 0; again < 2; again++) {
            tasks_join();
            assert_true(user_task_runs()); /* Tilework does not pause a StarPU that is not its own */
            assert_int_equal(tw_finalize(), 0);
            assert_true(starpu_is_initialized());
            assert_true(user_task_runs());
        }
        starpu_shutdown();
    }
}

/* The scheduler is the program's choice: options that concern StarPU do not count, nor are they an error. */
static void options_do_not_disturb_it(void **state)
{
    struct starpu_conf conf;
    tw_machine m;
    tw_options o;
    (void)state;
    unsetenv("STARPU_SCHED");
    assert_int_equal(starpu_conf_init(&conf), 0);
    conf.sched_policy_name = "eager";
    assert_int_equal(starpu_init(&conf), 0);
    tw_options_init(&o);
    o.sched = "lws";
    tt_expect_info(tw_init(&o), 0, "tw_init");
    tt_expect_info(tw_machine_info(&m), 0, "machine");
    assert_string_equal(m.sched, "eager");
    assert_int_equal(tw_finalize(), 0);
    starpu_shutdown();
}

static void tileworks_starpu(void **state)
{
    (void)state;
    tt_expect_info(tw_workers_hold(), 0, "hold"); /* starts the library */
    tt_expect_info(tw_workers_hold(), 0, "hold nests");
    tasks_join();
    tt_expect_info(tw_workers_release(), 0, "release");
    assert_true(user_task_runs());
    tt_expect_info(tw_workers_release(), 0, "release");
    assert_int_equal(tw_finalize(), 0);
    assert_false(starpu_is_initialized());
    tt_expect_info(tw_workers_release(), TW_E_STATE, "nothing runs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_starpu),
        cmocka_unit_test(options_do_not_disturb_it),
        cmocka_unit_test(tileworks_starpu),
    };
    return tt_run(tests);
}
