/* What recording costs (tw_trace_start): empty tasks, and tasks of 100 us, run with and without it in turn, and the
 * memory that a task takes in a recording. */
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <tilework/starpu.h>
#include <tilework/trace.h>

#include "bench/bench.h"
#include "runtime/task/submit.h"

enum { HANDLES = 64, LONG = 20 }; /* LONG: of the tasks of 100 us there are so many times fewer */
static struct tw_data *data[HANDLES];

struct job {
    long count;
    double seconds; /* of each task */
};

static int spin(const struct tw_body *body)
{
    const double seconds = *(const double *)body->args;
    const double end = seconds > 0 ? bench_seconds() + seconds : 0;

    while (seconds > 0 && bench_seconds() < end) {}
    return 0;
}

static struct tw_codelet codelet = {.name = "spin", .color = 0x808080, .rate = TW_RATE_GEMM, .cpu = spin};

static void loop(struct tw_sequence *seq, void *args)
{
    const struct job *job = args;

    for (long i = 0; i < job->count; i++) { /* two accesses, as few have fewer */
        struct tw_access access[2] = {{data[i % HANDLES], TW_RW}, {data[(i + 7) % HANDLES], TW_R}};
        struct tw_task task = {.codelet = &codelet,
                               .type = TW_DOUBLE,
                               .access = access,
                               .naccess = 2,
                               .size = 1,
                               .args = &job->seconds,
                               .args_size = sizeof job->seconds,
                               .coord = {(int)(i % HANDLES), -1, -1, -1}};
        tw_submit(seq, &task);
    }
}

/* Seconds of one run. bytes: what the recording took, NULL: none is made. */
static int run(struct job *job, double *seconds, double *bytes)
{
    double begin;
    int e = bytes ? tw_trace_start() : 0; /* forgets the one before */
    const double before = (double)mallinfo2().uordblks + (double)mallinfo2().hblkhd;

    begin = bench_seconds();
    if (!e) e = tw_call("spin", loop, job, 0);
    *seconds = bench_seconds() - begin;
    if (bytes) *bytes = (double)mallinfo2().uordblks + (double)mallinfo2().hblkhd - before;
    if (bytes && !e && (long)tw_trace_count() != job->count)
        return bench_fail("%zu of %ld tasks were recorded", tw_trace_count(), job->count);
    if (bytes) tw_trace_stop();
    return e ? bench_fail("Tilework: %s: %s", tw_strerror(e), tw_last_message()) : 0;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of v (sorted here) and between which two of its values it lies with 95 %: those that a fair coin would
 * leave out that seldom. */
static void interval(double *v, int n, double out[3])
{
    double tail = pow(0.5, n), sum = tail;
    int k = 0;

    qsort(v, (size_t)n, sizeof *v, ascending);
    while (sum <= 0.025 && k < n / 2) {
        k++;
        tail *= (double)(n - k + 1) / k;
        sum += tail;
    }
    out[0] = 0.5 * (v[(n - 1) / 2] + v[n / 2]);
    out[1] = v[k > 0 ? k - 1 : 0];
    out[2] = v[n - 1 - (k > 0 ? k - 1 : 0)];
}

/* us: of a task more; share: of the time more. */
static int compete(struct job *job, int rounds, double us[3], double share[3], double *bytes)
{
    double *more = bench_alloc(rounds * sizeof *more), *part = bench_alloc(rounds * sizeof *part), with, without, warm;
    int e = run(job, &warm, NULL) || run(job, &warm, bytes);

    for (int r = 0; r < rounds && !e; r++) {
        e = r % 2 ? run(job, &with, bytes) || run(job, &without, NULL)
                  : run(job, &without, NULL) || run(job, &with, bytes);
        more[r] = 1e6 * (with - without) / (double)job->count;
        part[r] = (with - without) / without;
    }
    if (!e) interval(more, rounds, us), interval(part, rounds, share);
    free(more), free(part);
    *bytes /= (double)job->count;
    return e;
}

int bench_overhead_record(const struct bench_options *o)
{
    struct job empty = {(long)o->tasks, 0}, full = {(long)o->tasks / LONG + 1, 100e-6};
    const int rounds = o->repeat < 11 ? 11 : o->repeat;
    double us[3], share[3], unused[3], bytes = 0, ignored;
    tw_machine m;
    int e;

    if (tw_machine_info(&m) || tw_workers_hold()) return bench_fail("starting: %s", tw_last_message());
    for (int i = 0; i < HANDLES; i++)
        if (!(data[i] = tw_data_vector(1, 8, (const int[2]){i, -1}))) return bench_fail("no memory for handles");
    e = compete(&empty, rounds, us, unused, &bytes);
    if (!e) e = compete(&full, rounds, unused, share, &ignored);
    if (!e) {
        json_t *record = bench_record(o, "overhead --record");
        json_object_update_new(record,
                               json_pack("{s:I, s:i, s:[f,f,f], s:[f,f,f], s:f}", "tasks", (json_int_t)empty.count,
                                         "rounds", rounds, "record_us", us[0], us[1], us[2], "record_share_at_100_us",
                                         share[0], share[1], share[2], "bytes_per_task", bytes));
        if (!o->json)
            printf("recording costs %.2f us for each of %ld empty tasks (95 %%: %.2f to %.2f), %.2f %% of the time of "
                   "tasks of 100 us (%.2f to %.2f), "
                   "%.0f bytes a task\n",
                   us[0], empty.count, us[1], us[2], 100 * share[0], 100 * share[1], 100 * share[2], bytes);
        bench_print(o, record);
    }
    for (int i = 0; i < HANDLES; i++)
        tw_data_free_later(data[i]);
    starpu_task_wait_for_all();
    tw_workers_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
