/* Routines that look at values while their tasks run: the path goes back over what was submitted late to the run's
 * beginning, in PREFIX.tw as in what grows beside it. Then calls one after another. */
#include <math.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tt.h"
#include <tilework/trace.h>
#include "runtime/task/submit.h"
#include "runtime/task/when.h"
#include "traces/analysis.h"
#include "traces/recorded.h"

enum { N = 300, NB = 60, RHS = 2 };
static char folder[] = "/tmp/tw-values-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_TRACE_FORMATS", "tw", 1);
    return !mkdtemp(folder) || chdir(folder) || tw_init(NULL);
}
static int tear_down(void **state)
{
    char command[100];
    (void)state;
    (void)tw_finalize();
    snprintf(command, sizeof command, "cd / && rm -rf %s", folder);
    return system(command);
}

/* ---- what is recorded -------------------------------------------------------------------------------------------- */

/* H D H, H a reflection, D from 1 down to 1e-5: that much single precision does not solve at once. */
static void fill(double *a, double *b)
{
    double v[N], w[N], square = 0, both = 0;

    for (int k = 0; k < N; k++)
        v[k] = cos(k * 1.7) + 1.5, square += v[k] * v[k];
    for (int k = 0; k < N; k++)
        v[k] /= sqrt(square), w[k] = pow(10, -5. * k / (N - 1)) * v[k], both += v[k] * w[k];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i + j * N] =
                (i == j ? pow(10, -5. * j / (N - 1)) : 0) - 2 * v[i] * w[j] - 2 * w[i] * v[j] + 4 * both * v[i] * v[j];
    for (int k = 0; k < N * RHS; k++)
        b[k] = sin(k + 1.);
}

struct system {
    double a[N * N], b[N * RHS], x[N * RHS], w[N];
    tw_matrix *A, *B, *X, *F, *P;
};
static struct system s;

static void begin(void)
{
    fill(s.a, s.b);
    tt_expect_info(tw_matrix_wrap(&s.A, TW_DOUBLE, TW_GENERAL, N, N, s.a, N, NB), 0, "A");
    tt_expect_info(tw_matrix_wrap(&s.B, TW_DOUBLE, TW_GENERAL, N, RHS, s.b, N, NB), 0, "B");
    tt_expect_info(tw_matrix_wrap(&s.X, TW_DOUBLE, TW_GENERAL, N, RHS, s.x, N, NB), 0, "X");
    tt_expect_info(tw_matrix_create(&s.F, TW_DOUBLE, TW_GENERAL, N, N, NB, NULL), 0, "F");
    tt_expect_info(tw_pivots_create(&s.P, s.A), 0, "P");
    tt_expect_info(tw_trace_start_to("run"), 0, "start");
}

static int corrections;
static void mixed(void)
{
    double berr;
    tt_expect_info(tw_posv_mixed(TW_LOWER, s.A, s.B, s.X, &corrections, &berr), 0, "posv_mixed");
    if (corrections < 2) fail_msg("%d corrections: that is no test", corrections);
}
static void eigenvalues(void)
{
    tt_expect_info(tw_syevd(TW_VECTORS, TW_LOWER, s.A, s.w, s.F), 0, "syevd");
}
static void expert(void)
{
    int equed;
    double r[N], c[N], rcond, ferr[RHS], berr[RHS], growth;
    tt_expect_info(tw_gesvx(TW_FACT_EQUILIBRATE, TW_NOTRANS, s.A, s.F, s.P, &equed, r, c, s.B, s.X, &rcond, ferr, berr,
                            &growth, NULL),
                   0, "gesvx");
}
static void in_a_sequence(void)
{
    tw_sequence *seq;
    double berr;
    tt_expect_info(tw_sequence_create(&seq), 0, "sequence");
    tt_expect_info(tw_posv_mixed_async(TW_LOWER, s.A, s.B, s.X, &corrections, &berr, seq), 0, "posv_mixed");
    tt_expect_info(tw_sequence_wait(seq), 0, "wait");
    tt_expect_info(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, s.A, s.X, (tw_scalar){0, 0}, s.B, seq), 0,
                   "gemm");
    tt_expect_info(tw_sequence_wait(seq), 0, "wait");
    tt_expect_info(tw_sequence_destroy(seq), 0, "destroy");
}
static void calls(void)
{
    for (int k = 0; k < 3; k++)
        tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, s.A, s.X, (tw_scalar){1, 0}, s.B), 0, "gemm");
}

/* ---- what the recording says ------------------------------------------------------------------------------------- */

static size_t value_edges(const struct tw_recording *v)
{
    size_t n = 0;
    for (size_t k = 0; k < v->nrecords; k++)
        n += v->records[k].values;
    return n;
}

/* Every writer ended before what waited for its value was submitted. */
static int writers(const struct tw_recording *v)
{
    unsigned char *is = calloc(v->nrecords, 1);
    int n = 0;

    for (size_t k = 0; k < v->nrecords; k++)
        for (size_t j = v->first_edge[k]; j < v->first_edge[k] + v->records[k].values; j++) {
            const struct tw_record *t = &v->records[k], *w = &v->records[v->edge[j]];
            assert_true(w->id < t->id && w->end <= t->submit + 1e-9);
            n += !is[v->edge[j]];
            is[v->edge[j]] = 1;
        }
    free(is);
    return n;
}

/* It begins with what was submitted before anything was waited for, and nothing but a value stands between. */
static void check_path(const struct tw_recording *v, int least)
{
    struct tw_analysis *a;
    unsigned long first = ~0ul;
    int through = 0;

    assert_int_equal(tw_analysis_make(&a, v), 0);
    const tw_trace_facts *f = &a->facts;
    assert_true(a->nsteps > 1);
    for (size_t k = 0; k < v->nrecords; k++)
        if (v->records[k].values && v->records[k].id < first) first = v->records[k].id;
    const struct tw_record *begins = &v->records[a->step_record[0]];
    if (begins->values || begins->id >= first)
        fail_msg("the path begins with task %lu: the first that waited for a value is %lu", begins->id, first);
    for (size_t k = 1; k < a->nsteps; k++) {
        const tw_trace_step *x = &a->steps[k], *before = x - 1;
        assert_true(x->because >= 2);
        const double waits = x->submission + x->scheduler + x->data + x->begin + x->lost - x->lost_at_work;
        if (fabs(before->end + waits - x->start) > 1e-9) fail_msg("step %zu: pieces do not add up", k);
        assert_true(x->because == 4 || x->submission == 0);
        through += x->because == 4;
    }
    if (through < least) fail_msg("the path goes through %d values only, not %d", through, least);
    const double all = f->path_tasks + f->path_submission + f->path_scheduler + f->path_lost + f->path_data +
                       f->path_start + f->path_return;
    assert_true(fabs(all - f->seconds) <= 1e-8 && f->graph <= f->seconds);
    tw_analysis_free(a);
}

static int by_id(const void *a, const void *b)
{
    const struct tw_waits *x = a, *y = b;
    if (x->task != y->task) return x->task < y->task ? -1 : 1;
    return (x->before > y->before) - (x->before < y->before);
}
static struct tw_waits *pairs(const struct tw_recording *v)
{
    struct tw_waits *list = calloc(value_edges(v) + 1, sizeof *list);
    size_t n = 0;
    for (size_t k = 0; k < v->nrecords; k++)
        for (unsigned j = 0; j < v->records[k].values; j++)
            list[n++] = (struct tw_waits){v->records[k].id, v->records[v->edge[v->first_edge[k] + j]].id, 1};
    qsort(list, n, sizeof *list, by_id);
    return list;
}

/* Both files say the same: the growing one stays where the other cannot be written. */
static void check_part(const struct tw_recording *v, const struct tw_recording *part)
{
    struct tw_waits *a = pairs(v), *b = pairs(part);
    assert_int_equal(v->nrecords, part->nrecords);
    assert_int_equal(value_edges(v), value_edges(part));
    for (size_t k = 0; k < value_edges(v); k++)
        assert_true(a[k].task == b[k].task && a[k].before == b[k].before);
    free(a), free(b);
}

static void check(void (*run)(void), int values, int least)
{
    tw_recorded *r, *part;
    double seconds, sooner;

    begin();
    run();
    tt_expect_info(tw_trace_stop(), 0, "stop");
    assert_int_equal(mkdir("run.tw", 0777), 0);
    tt_expect_info(tw_trace_write("run"), TW_E_IO, "write over a folder");
    tt_expect_info(tw_recorded_read(&part, "run.tw.part"), 0, "read the part");
    assert_int_equal(rmdir("run.tw"), 0);
    tt_expect_info(tw_trace_write("run"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "run.tw"), 0, "read");
    const int n = writers(&r->view);
    if (n < values) fail_msg("%d values were waited for, of %d", n, values);
    check_path(&r->view, least);
    check_part(&r->view, &part->view);
    tt_expect_info(tw_recorded_replay(r, "", &seconds), 0, "replay");
    tt_expect_info(tw_recorded_replay(r, "submit=0,overhead=0,lost=0", &sooner), 0, "replay");
    tw_trace_facts f;
    tt_expect_info(tw_recorded_facts(r, &f), 0, "facts");
    printf("%zu tasks, %zu waits for %d values, chain %g s, %g s, all at once %g s\n", r->view.nrecords,
           value_edges(&r->view), n, f.graph, f.seconds, sooner);
    assert_true(sooner <= seconds * (1 + 1e-9));
    tw_recorded_destroy(r), tw_recorded_destroy(part);
    assert_int_equal(unlink("run.tw"), 0);
    tw_matrix *all[] = {s.A, s.B, s.X, s.F, s.P};
    for (int k = 0; k < 5; k++)
        tt_expect_info(tw_matrix_destroy(all[k]), 0, "destroy");
}

static void refinement(void **state)
{
    (void)state;
    check(mixed, 2, 2); /* a look before each correction */
}
static void divide_and_conquer(void **state)
{
    (void)state;
    check(eigenvalues, 1, 0); /* other work may hold the path up where the value is there */
}
static void expert_driver(void **state)
{
    (void)state;
    check(expert, 4, 2);
}
static void sequences(void **state)
{
    (void)state;
    check(in_a_sequence, 3, 3);
}
static void call_after_call(void **state)
{
    (void)state;
    check(calls, 2, 2);
}

/* ---- who waits for whom ------------------------------------------------------------------------------------------ */

enum { V1, V2, V3, A, B, C, D, OBJECTS };
static struct tw_data *object[OBJECTS];
static atomic_int all_said;

/* The first value is not there before everything is said. */
static int hold_body(const struct tw_body *body)
{
    (void)body;
    while (!atomic_load(&all_said))
        usleep(1000);
    return 0;
}
static int body(const struct tw_body *b)
{
    *(double *)b->buf[0].ptr += 1;
    return 0;
}
static struct tw_codelet holds = {.name = "holds", .color = 1, .rate = TW_RATE_MEMORY, .cpu = hold_body};
static struct tw_codelet adds = {.name = "adds", .color = 1, .rate = TW_RATE_MEMORY, .cpu = body};

static void task(struct tw_sequence *seq, int label, int writes, int reads)
{
    const struct tw_access access[] = {{object[writes], TW_RW}, {object[reads], TW_R}};
    tw_submit(seq, &(struct tw_task){.codelet = label ? &adds : &holds,
                                     .type = TW_DOUBLE,
                                     .access = access,
                                     .naccess = writes == reads ? 1 : 2,
                                     .coord = {label, -1, -1, -1}});
}
static void inner(struct tw_sequence *seq, const void *value, void *args)
{
    (void)value, (void)args;
    task(seq, 11, D, D);
}
static void first(struct tw_sequence *seq, const void *value, void *args)
{
    (void)value, (void)args;
    task(seq, 2, A, A);
    tw_when(seq, object[V1], NULL, &(struct tw_use){object[D], NULL, TW_RW}, 1, inner, NULL, 0);
}
static void second(struct tw_sequence *seq, const void *value, void *args)
{
    (void)value, (void)args;
    task(seq, 5, B, B);
}
static void loop(struct tw_sequence *seq, void *args)
{
    double value;
    (void)args;
    for (int k = 0; k < OBJECTS; k++)
        assert_non_null(object[k] = tw_data_vector(1, sizeof(double), (int[2]){-1, -1}));
    task(seq, 0, V1, V1);
    tw_when(seq, object[V1], NULL, &(struct tw_use){object[A], NULL, TW_RW}, 1, first, NULL, 0);
    task(seq, 1, A, A); /* held back */
    task(seq, 3, B, B);
    task(seq, 4, V2, A); /* held back */
    tw_when(seq, object[V2], NULL, &(struct tw_use){object[B], NULL, TW_RW}, 1, second, NULL, 0);
    atomic_store(&all_said, 1);
    tw_loop_settle(seq);
    task(seq, 6, C, C);
    task(seq, 7, V3, V3);
    assert_int_equal(tw_loop_value(seq, object[V3], NULL, &value), 0);
    task(seq, 8, C, D); /* after 11, and the next after 5: it is the last to end */
    assert_int_equal(tw_loop_value(seq, object[V1], NULL, &value), 0); /* an old one */
    task(seq, 9, C, B);
    tw_loop_wait(seq);
    task(seq, 10, C, C);
    for (int k = 0; k < OBJECTS; k++)
        tw_data_free_later(object[k]);
}

static void whose_values(void **state)
{
    static const int expected[][2] = {{-1, -1}, {0, -1}, {0, -1}, {-1, -1}, {0, -1}, {4, -1},
                                      {4, -1},  {4, -1}, {7, -1}, {0, 7},   {9, -1}, {0, -1}};
    enum { TASKS = sizeof expected / sizeof *expected };
    tw_recorded *r;
    int seen = 0;
    (void)state;

    tt_expect_info(tw_trace_start(), 0, "start");
    tt_expect_info(tw_call("values", loop, NULL, 0), 0, "call");
    tt_expect_info(tw_trace_stop(), 0, "stop");
    tt_expect_info(tw_trace_write("whose"), 0, "write");
    tt_expect_info(tw_recorded_read(&r, "whose.tw"), 0, "read");
    const struct tw_recording *v = &r->view;
    assert_int_equal(v->nrecords, TASKS);
    for (size_t k = 0; k < TASKS; k++) {
        const int label = v->records[k].coord[0], *want = expected[label];
        int got[2] = {-1, -1};
        assert_true(v->records[k].values <= 2);
        for (unsigned j = 0; j < v->records[k].values; j++)
            got[j] = v->records[v->edge[v->first_edge[k] + j]].coord[0];
        if (got[1] >= 0 && got[1] < got[0]) got[0] ^= got[1], got[1] ^= got[0], got[0] ^= got[1];
        if (got[0] != want[0] || got[1] != want[1])
            fail_msg("task %d waited for the values of %d, %d instead of %d, %d", label, got[0], got[1], want[0],
                     want[1]);
        seen |= 1 << label;
    }
    assert_int_equal(seen, (1 << TASKS) - 1);
    tw_recorded_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refinement),      cmocka_unit_test(divide_and_conquer),
                                       cmocka_unit_test(expert_driver),   cmocka_unit_test(sequences),
                                       cmocka_unit_test(call_after_call), cmocka_unit_test(whose_values)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
