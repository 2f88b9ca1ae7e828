/* Executions in a sequence: arrays are operands, ordered by overlapping addresses and by nothing else. */
#include "reference.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include <tilework/dense.h>
#include "runtime/task/arrays.h"
#include "runtime/task/submit.h"
#include "runtime/watch/record.h"

static tw_fft *plan(enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch, int sign, enum tw_fft_path path)
{
    tw_fft_options o;
    tw_fft *p;

    tw_fft_options_init(&o);
    o.path = path;
    o.norm = TW_FFT_ORTHO; /* lengths stay */
    o.rigor = TW_FFT_ESTIMATE;
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, kind, rank, n, batch, sign, &o), 0);
    return p;
}
static tw_sequence *sequence(void)
{
    tw_sequence *seq;
    assert_int_equal(tw_sequence_create(&seq), 0);
    return seq;
}
static void fill(double *x, size_t n, unsigned seed)
{
    for (size_t k = 0; k < n; k++)
        x[k] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
}

/* ---- a task that waits until the test lets it go on, and one that says that it ran ------------------------------- */

static atomic_int opened, said;
static int wait_body(const struct tw_body *body)
{
    (void)body;
    for (int k = 0; k < 60000 && !atomic_load(&opened); k++)
        usleep(1000);
    return atomic_load(&opened) ? 0 : TW_E_INTERNAL;
}
static int say_body(const struct tw_body *body)
{
    (void)body;
    atomic_fetch_add(&said, 1);
    return 0;
}
static int fail_body(const struct tw_body *body)
{
    (void)body;
    return TW_E_INTERNAL;
}
static struct tw_codelet waits = {.name = "waits", .rate = TW_RATE_MEMORY, .cpu = wait_body},
                         says = {.name = "says", .rate = TW_RATE_MEMORY, .cpu = say_body},
                         fails = {.name = "fails", .rate = TW_RATE_MEMORY, .cpu = fail_body};
static void one_task(struct tw_sequence *seq, void *args)
{
    tw_submit(seq, &(struct tw_task){.codelet = *(struct tw_codelet **)args, .type = TW_DOUBLE, .place = TW_ON_CPUS});
}
static void queue_task(tw_sequence *seq, struct tw_codelet *codelet, const void *array, size_t bytes, enum tw_mode mode)
{
    const struct tw_range range = {array, bytes, mode};
    assert_int_equal(tw_call_arrays_async(seq, codelet->name, one_task, &codelet, sizeof codelet, 0, &range, 1), 0);
}
static void expect_said(int n)
{
    for (int k = 0; k < 30000 && atomic_load(&said) < n; k++)
        usleep(1000);
    assert_int_equal(atomic_load(&said), n);
}

/* ---- what is beside goes on -------------------------------------------------------------------------------------- */

enum { N = 1 << 14 };

/* One execution waits for a task on its array; others on other arrays, and dense routines, end meanwhile. */
static void beside(void **state)
{
    const tw_int n[] = {N};
    tw_fft *p = plan(TW_FFT_C2C, 1, n, 1, TW_FFT_FORWARD, TW_FFT_TASKS);
    double *x = calloc(2 * N, 16), *y = x + 2 * N, *z = calloc(2 * N, 16), *w = z + 2 * N;
    tw_sequence *seq = sequence();
    tw_matrix *A;
    int ncuda;

    (void)state;
    if (tw_worker_count(&ncuda) - ncuda < 2) skip(); /* the task that waits has one to itself */
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 200, 200, 64, NULL), 0);
    assert_int_equal(tw_laset(TW_GENERAL, (tw_scalar){1, 0}, (tw_scalar){2, 0}, A), 0);
    x[0] = z[0] = 1;
    atomic_store(&opened, 0), atomic_store(&said, 0);
    queue_task(seq, &waits, x, 16, TW_RW);
    assert_int_equal(tw_fft_execute_async(p, x, y, seq), 0); /* behind it */
    assert_int_equal(tw_lascl_async(TW_GENERAL, 1, 2, A, seq), 0);
    assert_int_equal(tw_fft_execute_async(p, z, w, seq), 0);
    queue_task(seq, &says, w, 16, TW_R);
    queue_task(seq, &says, y, 16, TW_R); /* behind the first one */
    expect_said(1);
    usleep(50000);
    expect_said(1);
    assert_int_equal(tw_sequence_test(seq), 0);
    atomic_store(&opened, 1);
    assert_int_equal(tw_sequence_wait(seq), 0);
    expect_said(2);
    for (int k = 0; k < 2 * N; k++)
        if (fabs(y[k] - (k % 2 ? 0 : 1 / sqrt(N))) > 1e-15 || y[k] != w[k])
            fail_msg("element %d: %g, %g", k, y[k], w[k]);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    tw_fft_destroy(p);
    free(x), free(z);
}

/* ---- in a recorded trace ----------------------------------------------------------------------------------------- */

static double first[2], last[2];
static char folder[] = "/tmp/test_overlap_XXXXXX", written[64];
static int spans(const struct tw_recording *r, const char *prefix)
{
    if (strcmp(prefix, written)) return 0;
    for (int k = 0; k < 2; k++)
        first[k] = HUGE_VAL, last[k] = 0;
    for (size_t k = 0; k < r->nrecords; k++) {
        const struct tw_record *t = &r->records[k];
        const int which = t->routine - 1; /* the first one is what waits */
        if (strncmp(t->name, "fft", 3) || which < 0 || which > 1) continue;
        first[which] = fmin(first[which], t->start);
        last[which] = fmax(last[which], t->end);
    }
    return 0;
}

/* Two executions, the second on other arrays or on the first one's output. */
static void record(tw_fft *p, const double *x, double *y, const double *u, double *v)
{
    tw_sequence *seq = sequence();

    atomic_store(&opened, 0);
    assert_int_equal(tw_trace_start(), 0);
    queue_task(seq, &waits, v, 0, TW_R); /* keeps one worker, while both are submitted */
    assert_int_equal(tw_fft_execute_async(p, x, y, seq), 0);
    assert_int_equal(tw_fft_execute_async(p, u, v, seq), 0);
    usleep(1000);
    atomic_store(&opened, 1);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_trace_stop(), 0);
    (void)tw_trace_write(written);
    for (size_t k = 0; k < 4; k++) {
        static const char *const ending[] = {"paje", "json", "svg", "html"};
        char path[80];
        snprintf(path, sizeof path, "%s.%s", written, ending[k]);
        (void)remove(path);
    }
    assert_true(last[0] > first[0] && last[1] > first[1]);
}

static void in_a_trace(void **state)
{
    enum { LONG = 1 << 20 };
    const tw_int n[] = {LONG};
    tw_fft *p = plan(TW_FFT_C2C, 1, n, 1, TW_FFT_FORWARD, TW_FFT_TASKS);
    double *x = calloc(2 * LONG, sizeof *x), *y = calloc(2 * LONG, sizeof *y), *u = calloc(2 * LONG, sizeof *u),
           *v = calloc(2 * LONG, sizeof *v);
    int together = 0;

    (void)state;
    tw_trace_register_writer(spans);
    assert_non_null(mkdtemp(folder));
    snprintf(written, sizeof written, "%s/run", folder);
    for (int k = 0; k < 20 && !together; k++) {
        record(p, x, y, u, v);
        together = first[1] < last[0] && first[0] < last[1];
    }
    assert_true(together);
    for (int k = 0; k < 3; k++) {
        record(p, x, y, y, v);
        assert_true(first[1] >= last[0]);
        record(p, x, y, x, v + 0); /* both only read x */
        record(p, x, y, u, (double *)x);
        assert_true(first[1] >= last[0]);
    }
    (void)rmdir(folder);
    tw_fft_destroy(p);
    free(x), free(y), free(u), free(v);
}

/* ---- random ranges, against sequential order --------------------------------------------------------------------- */

struct shape {
    enum tw_fft_kind kind;
    enum tw_fft_path path;
    int rank;
    tw_int n[3], batch;
    size_t in, out; /* bytes */
};
static const struct shape shapes[] = {
    {TW_FFT_C2C, TW_FFT_TASKS, 1, {1024}, 1, 16384, 16384},
    {TW_FFT_C2C, TW_FFT_TASKS, 2, {32, 24}, 1, 16 * 768, 16 * 768},
    {TW_FFT_C2C, TW_FFT_TASKS, 1, {60}, 12, 16 * 720, 16 * 720},
    {TW_FFT_C2C, TW_FFT_TASKS, 1, {1009}, 1, 16 * 1009, 16 * 1009},
    {TW_FFT_C2C, TW_FFT_DIRECT, 1, {512}, 1, 8192, 8192},
    {TW_FFT_R2C, TW_FFT_TASKS, 1, {2048}, 1, 8 * 2048, 16 * 1025},
    {TW_FFT_C2R, TW_FFT_TASKS, 1, {2048}, 1, 16 * 1025, 8 * 2048},
    {TW_FFT_R2C, TW_FFT_TASKS, 1, {2025}, 1, 8 * 2025, 16 * 1013},
    {TW_FFT_C2R, TW_FFT_TASKS, 2, {20, 30}, 1, 16 * 20 * 16, 8 * 600},
    {TW_FFT_R2R, TW_FFT_TASKS, 1, {1500}, 1, 8 * 1500, 8 * 1500},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, ROOM = 1 << 17, STEPS = 60 };

struct step {
    int shape; /* SHAPES: a matrix over the array is scaled */
    size_t in, out;
    tw_matrix *A;
    tw_int rows, columns;
};

static size_t somewhere(unsigned *seed, size_t bytes)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 9) % ((ROOM - bytes) / 64) * 64;
}

static size_t end_of(const struct step *s)
{
    return s->in + (size_t)(s->rows * s->columns) * 8;
}

/* Two matrices over the same memory do not know of each other: a transform that writes all of what they share has to
 * stand between them. */
static int ordered(const struct step *steps, int n, const struct step *s)
{
    for (int k = 0; k < n; k++) {
        if (steps[k].shape < SHAPES || steps[k].in >= end_of(s) || s->in >= end_of(&steps[k])) continue;
        const size_t from = steps[k].in > s->in ? steps[k].in : s->in,
                     to = end_of(&steps[k]) < end_of(s) ? end_of(&steps[k]) : end_of(s);
        int between = 0;
        for (int i = k + 1; i < n && !between; i++)
            between =
                steps[i].shape < SHAPES && steps[i].out <= from && to <= steps[i].out + shapes[steps[i].shape].out;
        if (!between) return 0;
    }
    return 1;
}

/* Behind steps[0..n-1] */
static struct step choose(unsigned *seed, const struct step *steps, int n)
{
    struct step s = {0};

    *seed = *seed * 1664525u + 1013904223u;
    s.shape = (int)((*seed >> 12) % (SHAPES + 2));
    if (s.shape >= SHAPES) {
        s.shape = SHAPES;
        s.rows = 10 + (tw_int)(*seed >> 20) % 30, s.columns = 5 + (tw_int)(*seed >> 25) % 10;
        do
            s.in = somewhere(seed, (size_t)(s.rows * s.columns) * 8);
        while (!ordered(steps, n, &s));
        return s;
    }
    const struct shape *f = &shapes[s.shape];
    do {
        s.in = somewhere(seed, f->in);
        s.out = *seed % 3 || f->in != f->out ? somewhere(seed, f->out) : s.in;
    } while (s.in != s.out && s.in < s.out + f->out && s.out < s.in + f->in);
    return s;
}

static void step(struct step *s, tw_fft *const *plans, char *at, tw_sequence *seq)
{
    if (s->shape < SHAPES) {
        if (seq)
            assert_int_equal(tw_fft_execute_async(plans[s->shape], at + s->in, at + s->out, seq), 0);
        else
            assert_int_equal(tw_fft_execute(plans[s->shape], at + s->in, at + s->out), 0);
        return;
    }
    assert_int_equal(tw_matrix_wrap(&s->A, TW_DOUBLE, TW_GENERAL, s->rows, s->columns, at + s->in, s->rows, 16), 0);
    if (seq)
        assert_int_equal(tw_lascl_async(TW_GENERAL, 1, -1, s->A, seq), 0);
    else
        assert_int_equal(tw_lascl(TW_GENERAL, 1, -1, s->A), 0);
    if (!seq) assert_int_equal(tw_matrix_destroy(s->A), 0);
}

static void random_ranges(void **state)
{
    static const unsigned seeds[] = {1, 2, 3, 4, 5, 6};
    tw_fft *plans[SHAPES];
    char *a = aligned_alloc(64, ROOM), *b = aligned_alloc(64, ROOM);

    (void)state;
    for (int k = 0; k < SHAPES; k++)
        plans[k] = plan(shapes[k].kind, shapes[k].rank, shapes[k].n, shapes[k].batch,
                        TW_FFT_FORWARD * (shapes[k].kind == TW_FFT_C2R ? -1 : 1), shapes[k].path);
    for (size_t r = 0; r < sizeof seeds / sizeof *seeds; r++) {
        struct step steps[STEPS];
        unsigned seed = seeds[r];
        tw_sequence *seq = sequence();

        fill((double *)(void *)a, ROOM / 8, seed);
        memcpy(b, a, ROOM);
        for (int k = 0; k < STEPS; k++)
            steps[k] = choose(&seed, steps, k);
        for (int k = 0; k < STEPS; k++)
            step(&steps[k], plans, b, NULL);
        for (int k = 0; k < STEPS; k++)
            step(&steps[k], plans, a, seq);
        assert_int_equal(tw_sequence_wait(seq), 0);
        for (int k = 0; k < STEPS; k++)
            assert_int_equal(tw_matrix_destroy(steps[k].A), 0);
        assert_int_equal(tw_sequence_destroy(seq), 0);
        if (memcmp(a, b, ROOM)) fail_msg("seed %u: not what one after another gives", seeds[r]);
    }
    for (int k = 0; k < SHAPES; k++)
        tw_fft_destroy(plans[k]);
    free(a), free(b);
}

/* A batch of transforms that take turns, in place and many times over: workspaces and claims do not pile up. */
static void again_and_again(void **state)
{
    const tw_int n[] = {512};
    tw_fft *p = plan(TW_FFT_C2C, 1, n, 1, TW_FFT_FORWARD, TW_FFT_TASKS),
           *q = plan(TW_FFT_C2C, 1, n, 1, TW_FFT_BACKWARD, TW_FFT_TASKS);
    double x[1024], y[1024], z[1024];
    tw_sequence *seq = sequence();

    (void)state;
    fill(x, 1024, 5);
    memcpy(y, x, sizeof x);
    for (int k = 0; k < 300; k++) {
        assert_int_equal(tw_fft_execute_async(p, x, z, seq), 0);
        assert_int_equal(tw_fft_execute_async(q, z, x, seq), 0);
    }
    assert_int_equal(tw_sequence_destroy(seq), 0);
    for (int k = 0; k < 1024; k++)
        assert_true(fabs(x[k] - y[k]) < 1e-11);
    tw_fft_destroy(p), tw_fft_destroy(q);
}

/* ---- failures, cancelling, stopping ------------------------------------------------------------------------------ */

static void failures(void **state)
{
    const tw_int n[] = {N};
    tw_fft *p = plan(TW_FFT_C2C, 1, n, 1, TW_FFT_FORWARD, TW_FFT_TASKS);
    double *x = calloc(2 * N, 8), *y = calloc(2 * N, 8), *u = calloc(2 * N, 8), *v = calloc(2 * N, 8);
    tw_sequence *seq = sequence(), *other = sequence();

    (void)state;
    for (int k = 0; k < 8; k++) {
        memset(v, 0, 2 * N * sizeof *v);
        x[0] = u[0] = 1;
        if (k % 4 == 0) queue_task(seq, &fails, x, 16, TW_RW);
        assert_int_equal(tw_fft_execute_async(p, x, y, seq), 0);
        assert_int_equal(tw_fft_execute_async(p, y, x, seq), 0);
        assert_int_equal(tw_fft_execute_async(p, u, v, other), 0);
        if (k % 4 == 1) queue_task(seq, &fails, x, 16, TW_RW);
        if (k % 4 == 2) assert_int_equal(tw_sequence_cancel(seq), 0);
        assert_int_equal(tw_sequence_wait(other), 0);
        for (int i = 0; i < 2 * N; i++)
            assert_true(fabs(v[i] - (i % 2 ? 0 : 1 / sqrt(N))) < 1e-15);
        const int e = tw_sequence_wait(seq);
        assert_true(k % 4 < 2 ? e == TW_E_INTERNAL : k % 4 == 2 ? e == TW_E_CANCELLED || e == 0 : e == 0);
        memset(x, 0, 2 * N * sizeof *x);
    }
    assert_int_equal(tw_sequence_destroy(seq), 0);
    assert_int_equal(tw_sequence_destroy(other), 0);
    tw_fft_destroy(p);
    free(x), free(y), free(u), free(v);
}

static void *use(void *arg)
{
    const tw_int n[] = {256};
    tw_fft *p = plan(TW_FFT_C2C, 1, n, 1, TW_FFT_FORWARD, TW_FFT_TASKS);
    double x[512] = {1}, y[512];
    int *wrong = arg;

    for (int k = 0; k < 15; k++) {
        tw_sequence *seq;
        if (tw_sequence_create(&seq)) continue;
        for (int j = 0; j < 5; j++)
            *wrong |= tw_fft_execute_async(p, x, y, seq) != 0;
        *wrong |= tw_sequence_destroy(seq) != 0 || fabs(y[510] - 1.0 / 16) > 1e-15;
    }
    tw_fft_destroy(p);
    return NULL;
}
/* The library is stopped while several threads use it. */
static void stopped_under_load(void **state)
{
    pthread_t thread[3];
    int wrong[3] = {0};

    (void)state;
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, use, &wrong[k]), 0);
    for (int k = 0; k < 10; k++) {
        usleep(3000);
        (void)tw_finalize(); /* TW_E_STATE while sequences live */
    }
    for (int k = 0; k < 3; k++) {
        assert_int_equal(pthread_join(thread[k], NULL), 0);
        assert_int_equal(wrong[k], 0);
    }
    (void)tw_finalize();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside),          cmocka_unit_test(in_a_trace), cmocka_unit_test(random_ranges),
        cmocka_unit_test(again_and_again), cmocka_unit_test(failures),   cmocka_unit_test(stopped_under_load),
    };
    setenv("STARPU_NCPU", "3", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
