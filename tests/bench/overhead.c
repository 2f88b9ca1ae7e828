/* What one task costs: empty tasks, read-write on a set of handles, submitted and run by plain StarPU and through
 * runtime/task/submit.h, with the same handles, workers, scheduler and kind of model.
 *
 * Plain StarPU runs as it comes (no profiling) and with the profiling that Tilework's counters and traces use. */
#include <stdlib.h>
#include <tilework/starpu.h>

#include "bench/bench.h"
#include "runtime/task/submit.h"

#define HANDLES 64
static struct tw_data *data[HANDLES];
static long count;

/* ---- plain StarPU ------------------------------------------------------------------------------------------------ */

static void nothing(void *buffers[], void *arg)
{
    (void)buffers, (void)arg;
}

static double microsecond(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    (void)task, (void)arch, (void)nimpl;
    return 1;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .arch_cost_function = microsecond, .symbol = "tw_bench_nothing"};
static struct starpu_codelet plain = {.name = "nothing",
                                      .cpu_funcs = {nothing},
                                      .cpu_funcs_name = {"nothing"},
                                      .nbuffers = 1,
                                      .modes = {STARPU_RW},
                                      .model = &model};

static int by_starpu(double *us)
{
    double begin = bench_seconds();

    for (long i = 0; i < count; i++) {
        struct starpu_task *task = starpu_task_create();
        task->cl = &plain;
        task->handles[0] = tw_data_handle(data[i % HANDLES]);
        if (starpu_task_submit(task) != 0) return bench_fail("StarPU refused a task");
    }
    if (starpu_task_wait_for_all() != 0) return bench_fail("StarPU: waiting failed");
    *us = (bench_seconds() - begin) * 1e6 / (double)count;
    return 0;
}

static int by_profiled_starpu(double *us)
{
    int e;
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    e = by_starpu(us);
    starpu_profiling_status_set(STARPU_PROFILING_DISABLE);
    return e;
}

/* ---- Tilework ---------------------------------------------------------------------------------------------------- */

static int empty(const struct tw_body *body)
{
    (void)body;
    return 0;
}

static struct tw_codelet codelet = {.name = "nothing", .color = 0x808080, .rate = TW_RATE_GEMM, .cpu = empty};

static void loop(struct tw_sequence *seq, void *args)
{
    (void)args;
    for (long i = 0; i < count; i++) {
        struct tw_access access = {data[i % HANDLES], TW_RW};
        struct tw_task task = {.codelet = &codelet,
                               .type = TW_DOUBLE,
                               .access = &access,
                               .naccess = 1,
                               .size = 1,
                               .coord = {(int)(i % HANDLES), -1, -1, -1}};
        tw_submit(seq, &task);
    }
}

static int by_tilework(double *us)
{
    double begin;
    int e;

    starpu_profiling_status_set(STARPU_PROFILING_ENABLE); /* as the library sets it when it starts */
    begin = bench_seconds();
    e = tw_call("overhead", loop, NULL, 0);
    *us = (bench_seconds() - begin) * 1e6 / (double)count;
    starpu_profiling_status_set(STARPU_PROFILING_DISABLE);
    return e ? bench_fail("Tilework: %s: %s", tw_strerror(e), tw_last_message()) : 0;
}

/* ---- the contest ------------------------------------------------------------------------------------------------- */

static int compete(const struct bench_options *o, double median[3])
{
    static int (*const contestants[3])(double *) = {by_starpu, by_profiled_starpu, by_tilework};
    int rounds = o->repeat < 5 ? 5 : o->repeat, e = 0;
    double *us = bench_alloc(3.0 * rounds * sizeof *us), warm;

    for (int c = 0; c < 3 && !e; c++)
        e = contestants[c](&warm);
    for (int r = 0; r < rounds && !e; r++)
        for (int c = 0; c < 3 && !e; c++)
            e = contestants[c](&us[c * rounds + r]);
    for (int c = 0; c < 3 && !e; c++)
        median[c] = bench_median(rounds, us + c * rounds);
    free(us);
    return e;
}

static int report(const struct bench_options *o, const double median[3])
{
    json_t *record = bench_record(o, "overhead");

    json_object_update_new(record, json_pack("{s:I, s:i, s:f, s:f, s:f, s:f}", "tasks", (json_int_t)count, "handles",
                                             HANDLES, "starpu_us", median[0], "starpu_profiled_us", median[1],
                                             "tilework_us", median[2], "difference_us", median[2] - median[0]));
    if (!o->json)
        printf("%ld empty tasks on %d handles: StarPU %.2f us a task, with profiling %.2f; Tilework %.2f; difference "
               "%.2f us\n",
               count, HANDLES, median[0], median[1], median[2], median[2] - median[0]);
    bench_print(o, record);
    return 0;
}

int bench_overhead(const struct bench_options *o)
{
    tw_machine m;
    double median[3];
    int e = 0;

    if (o->record) return bench_overhead_record(o);
    if (tw_machine_info(&m) || tw_workers_hold()) return bench_fail("starting: %s", tw_last_message());
    count = (long)o->tasks;
    for (int i = 0; i < HANDLES; i++)
        if (!(data[i] = tw_data_vector(1, 8, (const int[2]){i, -1}))) return bench_fail("no memory for handles");
    starpu_profiling_status_set(STARPU_PROFILING_DISABLE);
    e = compete(o, median);
    if (!e) e = report(o, median);
    for (int i = 0; i < HANDLES; i++)
        tw_data_free_later(data[i]);
    starpu_task_wait_for_all();
    tw_workers_release();
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
