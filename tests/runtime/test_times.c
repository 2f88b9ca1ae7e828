/* Where the time went: the split adds up, the bounds bound, the tables say what ran. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tilework/tilework.h>

#include "runtime/task/submit.h"
#include "runtime/task/when.h"
#include "runtime/watch/record.h"
#include "tt.h"

#define N  768
#define NB 128
#define NT (N / NB)

static tw_matrix *make(void)
{
    tw_matrix *A;
    tw_generator *g;

    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, N, N, NB, NULL), 0);
    assert_int_equal(tw_generator_create(&g, "spd", TW_DOUBLE, N, N, 3), 0);
    assert_int_equal(tw_matrix_generate(A, g), 0);
    tw_generator_destroy(g);
    assert_int_equal(tw_release_to_host(A), 0);
    return A;
}

static void factor(tw_times *t)
{
    tw_matrix *A = make();

    assert_int_equal(tw_times_start(), 0);
    assert_int_equal(tw_potrf(TW_LOWER, A), 0);
    assert_int_equal(tw_release_to_host(A), 0);
    assert_int_equal(tw_times_stop(t), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
}

static void close_to(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected))) fail_msg("%.9g, expected %.9g", value, expected);
}

static void adds_up(const tw_times *t)
{
    uint64_t tasks = 0;

    for (int i = 0; i < t->devices; i++) {
        const tw_device_times *d = &t->device[i];
        assert_true(d->kernels >= 0 && d->data >= 0 && d->runtime >= 0 && d->idle >= -1e-9 && d->home >= 0);
        close_to(d->kernels + d->data + d->runtime + d->idle + d->home, d->seconds, 1e-6);
        close_to(d->seconds, d->is_cuda ? t->seconds : d->workers * t->seconds, 1e-12);
        assert_true(d->workers > 0);
        assert_true(d->tasks == 0 || (d->kernels > 0 && d->in_flight >= 0.999 && d->in_flight <= d->workers + 1e-9));
        tasks += d->tasks;
    }
    assert_int_equal(tasks, t->tasks);
}

static void split_of_a_factorization(void **state)
{
    tw_times t;
    tw_machine m;
    double flops = 0, exact = N * (double)N * N / 3 + N * (double)N / 2 + N / 6.0;
    uint64_t ran = 0;

    (void)state;
    factor(&t);
    assert_int_equal(tw_machine_info(&m), 0);
    if (m.cuda_devices == 0) assert_int_equal(t.tasks, NT + NT * (NT - 1) + NT * (NT - 1) * (NT - 2) / 6);
    assert_int_equal(t.devices, (m.cpu_workers > 0) + m.cuda_devices);
    adds_up(&t);
    for (int i = 0; i < t.kernels; i++) {
        const tw_kernel_times *k = &t.kernel[i];
        flops += k->flops;
        ran += k->cpu_tasks + k->cuda_tasks;
        assert_true(i == 0 || k->flops <= t.kernel[i - 1].flops);
        assert_true(m.cpu_workers == 0 || k->cpu_seconds > 0);
    }
    assert_string_equal(t.kernel[0].name, "dgemm");
    assert_int_equal(ran, t.tasks);
    close_to(flops, exact, 0.01);
    /* Every tile of the triangle is read and written. */
    close_to(t.bytes_needed_in, NT * (NT + 1) / 2 * (double)NB * NB * 8, 1e-3);
    close_to(t.bytes_needed_out, NT * (NT + 1) / 2 * (double)NB * NB * 8, 1e-3);
}

/* Kernels never run faster than the bound assumes, whatever the profile says. */
static void bounds(void **state)
{
    tw_times t;
    double largest;

    (void)state;
    factor(&t);
    largest = fmax(t.area_bound, fmax(t.path_bound, t.transfer_bound));
    assert_true(t.area_bound > 0 && t.path_bound > 0);
    assert_true(t.bound == largest);
    if (t.bound > t.seconds * 1.02) fail_msg("bound %g s, measured %g s", t.bound, t.seconds);
    for (int i = 0; i < t.links; i++)
        assert_true(t.link[i].bytes > 0 && t.link[i].transfers > 0 && t.link[i].from != t.link[i].to);
}

/* One kernel after another on one tile: the chain is all of them. */
static void a_chain(void **state)
{
    tw_matrix *A, *C;
    tw_times t;
    const tw_scalar one = {1, 0};
    double each;

    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, NB, NB, NB, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, NB, NB, NB, NULL), 0);
    for (int k = 0; k < 2; k++) {
        tw_generator *g;
        assert_int_equal(tw_generator_create(&g, "random", TW_DOUBLE, NB, NB, 1), 0);
        assert_int_equal(tw_matrix_generate(k ? C : A, g), 0);
        tw_generator_destroy(g);
    }
    assert_int_equal(tw_times_start(), 0);
    for (int k = 0; k < 10; k++)
        assert_int_equal(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, A, one, C), 0);
    assert_int_equal(tw_times_stop(&t), 0);
    assert_int_equal(t.tasks, 10);
    assert_int_equal(t.kernels, 1);
    each = t.kernel[0].cuda_seconds > 0 && t.kernel[0].cuda_seconds < t.kernel[0].cpu_seconds ? t.kernel[0].cuda_seconds
                                                                                              : t.kernel[0].cpu_seconds;
    assert_true(t.path_bound > 0 && t.path_bound <= 10 * each * 1.0001);
    assert_true(t.path_bound >= t.area_bound);
    adds_up(&t);
    tw_matrix_destroy(A);
    tw_matrix_destroy(C);
}

static void nothing_ran(void **state)
{
    tw_times t;

    (void)state;
    assert_int_equal(tw_times_start(), 0);
    assert_int_equal(tw_times_stop(&t), 0);
    assert_int_equal(t.tasks, 0);
    assert_int_equal(t.kernels, 0);
    assert_true(t.bound == 0 && t.bytes_needed_in == 0);
    for (int i = 0; i < t.devices; i++)
        close_to(t.device[i].idle, t.device[i].seconds, 1e-6);
}

/* ---- tasks on memory that StarPU does not know of ---------------------------------------------------------------- */

enum { COPIED = 1 << 22, COPIES = 6 };
static char copied[COPIES][2][COPIED];
static int copy(const struct tw_body *body)
{
    char(*at)[COPIED] = *(char(**)[COPIED])body->args;
    memcpy(at[1], at[0], COPIED);
    return 0;
}
static struct tw_codelet copy_task = {.name = "copy", .rate = TW_RATE_MEMORY, .cpu = copy};
static int slow(const struct tw_body *body)
{
    (void)body;
    usleep(50000);
    return 0;
}
static struct tw_codelet slow_task = {.name = "slow", .rate = TW_RATE_MEMORY, .cpu = slow};
static void go_on(struct tw_sequence *seq, const void *value, void *args)
{
    (void)seq, (void)value, (void)args;
}
/* A value that comes late, and a continuation that uses it: what reads it is held back until then. */
static struct tw_data *hold_back(struct tw_sequence *seq)
{
    struct tw_data *late = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});
    const struct tw_access access = {late, TW_RW};

    tw_submit(seq, &(struct tw_task){.codelet = &slow_task, .type = TW_DOUBLE, .access = &access, .naccess = 1});
    tw_when(seq, late, NULL, &(struct tw_use){late, NULL, TW_RW}, 1, go_on, NULL, 0);
    return late;
}

struct copying {
    int to, held;
};
static void copies(struct tw_sequence *seq, void *args)
{
    const struct copying *c = args;
    struct tw_data *late = c->held ? hold_back(seq) : NULL;
    const struct tw_access access = {late, TW_R};

    for (int k = 0; k < COPIES; k++) {
        struct tw_move move = {-1, c->to, COPIED};
        void *at = copied[k];
        tw_submit(seq, &(struct tw_task){.codelet = &copy_task,
                                         .type = TW_DOUBLE,
                                         .args = &at,
                                         .args_size = sizeof at,
                                         .bytes = 2.0 * COPIED,
                                         .moves = &move,
                                         .nmoves = 1,
                                         .access = &access,
                                         .naccess = c->held,
                                         .size = COPIED,
                                         .place = TW_ON_CPUS});
        move = (struct tw_move){-1, -1, 0}; /* it is the loop's again, also where the task is held back */
    }
    tw_data_free_later(late);
}

static double moved;
static int sum_moved(const struct tw_recording *r, const char *prefix)
{
    (void)prefix;
    moved = 0;
    for (size_t k = 0; k < r->nrecords; k++)
        moved += r->records[k].moved;
    return 0;
}

/* What was recorded goes to the writers; the files are of no use. */
static void write_and_remove(void)
{
    static const char *const ending[] = {"tw", "paje", "json", "svg", "html"};
    char folder[] = "/tmp/test_times_XXXXXX", written[64], path[80];

    assert_non_null(mkdtemp(folder));
    snprintf(written, sizeof written, "%s/run", folder);
    assert_int_equal(tw_trace_write(written), 0);
    for (size_t f = 0; f < sizeof ending / sizeof *ending; f++) {
        snprintf(path, sizeof path, "%s.%s", written, ending[f]);
        (void)remove(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void declared_moves(void **state)
{
    (void)state;
    memset(copied, 1, sizeof copied);
    tw_trace_register_writer(sum_moved);
    /* within main memory; to a GPU (of which there may be none: the declaration counts), at once and held back */
    for (int k = 0; k < 3; k++) {
        const int to = k ? 0 : -1, held = k == 2;
        struct copying copying = {to, held};
        tw_times t;
        tw_counters c;
        assert_int_equal(tw_trace_start(), 0);
        tw_counters_reset();
        assert_int_equal(tw_times_start(), 0);
        assert_int_equal(tw_call("copies", copies, &copying, 0), 0);
        assert_int_equal(tw_times_stop(&t), 0);
        assert_int_equal(tw_counters_get(&c), 0);
        assert_int_equal(tw_trace_stop(), 0);
        write_and_remove();
        assert_int_equal(t.tasks, COPIES + held);
        assert_true(t.device[0].kernels + t.device[0].data > 0);
        if (!held) assert_true(to < 0 ? t.device[0].data < t.device[0].kernels : t.device[0].kernels <= 0);
        assert_true(moved == (to < 0 ? 0 : (double)COPIES * COPIED));
        if (tw_has_cuda()) assert_int_equal(c.bytes_to_gpu, to < 0 ? 0 : COPIES * COPIED);
        assert_true(t.area_bound > 0 && t.bound <= t.seconds); /* bytes cost time */
    }
}

/* ---- posv solves while it still factors ------------------------------------------------------------------------ */

enum { SYSTEM = 12 * 64, SIDES = 20 * 64, TRIES = 20 };
static double factored, solving = INFINITY; /* when the last diagonal tile was done; when the first task on X began */
static int look_at_posv(const struct tw_recording *r, const char *prefix)
{
    (void)prefix;
    factored = 0, solving = INFINITY;
    for (size_t k = 0; k < r->nrecords; k++) {
        const struct tw_record *t = &r->records[k];
        if (!strcmp(t->name, "potrf") && t->end > factored) factored = t->end;
        if (!strcmp(t->name, "trsm") && t->coord[1] >= SYSTEM / 64 && t->start < solving) solving = t->start;
    }
    return 0;
}

static void posv_overlaps(void **state)
{
    tw_matrix *A, *B;
    tw_generator *g, *h;
    tw_machine m;

    (void)state;
    assert_int_equal(tw_machine_info(&m), 0);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, SYSTEM, SYSTEM, 64, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, SYSTEM, SIDES, 64, NULL), 0);
    assert_int_equal(tw_generator_create(&g, "spd", TW_DOUBLE, SYSTEM, SYSTEM, 3), 0);
    assert_int_equal(tw_generator_create(&h, "random", TW_DOUBLE, SYSTEM, SIDES, 4), 0);
    tw_trace_register_writer(look_at_posv);
    /* Once is enough: where other programs hold up the submitting thread all may be factored before it gets to X. A
     * solve that waits for the factorization begins after it every time. */
    for (int k = 0; k < TRIES && !(solving < factored); k++) {
        assert_int_equal(tw_matrix_generate(A, g) | tw_matrix_generate(B, h), 0);
        assert_int_equal(tw_trace_start(), 0);
        assert_int_equal(tw_posv(TW_LOWER, A, B), 0);
        assert_int_equal(tw_trace_stop(), 0);
        write_and_remove();
        assert_true(factored > 0 && solving < INFINITY);
    }
    if (m.cpu_workers >= 2 && !(solving < factored))
        fail_msg("%d times posv solved %g s and more after it had factored", TRIES, solving - factored);
    tw_generator_destroy(g), tw_generator_destroy(h);
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(B), 0);
}

static void wrong_order(void **state)
{
    tw_times t;

    (void)state;
    assert_int_equal(tw_times_stop(&t), TW_E_STATE);
    assert_non_null(strstr(tw_last_message(), "tw_times_start"));
    assert_int_equal(tw_times_start(), 0);
    assert_int_equal(tw_times_start(), TW_E_STATE);
    assert_int_equal(tw_times_stop(NULL), 0);
    assert_int_equal(tw_times_start(), 0);
    assert_int_equal(tw_finalize(), 0);
    assert_int_equal(tw_times_stop(&t), TW_E_STATE);
    factor(&t); /* the library starts again, and so does recording */
    adds_up(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(split_of_a_factorization),
                                       cmocka_unit_test(bounds),
                                       cmocka_unit_test(a_chain),
                                       cmocka_unit_test(nothing_ran),
                                       cmocka_unit_test(declared_moves),
                                       cmocka_unit_test(posv_overlaps),
                                       cmocka_unit_test(wrong_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
