/* Several cores for one task. The body's thread publishes a job of some parts; it and whoever has come take groups of
 * parts by one atomic word, and when the last is done the next job may follow. Those invited are StarPU tasks of their
 * own, without operands, each bound to one CPU worker: no scheduler is asked. The body waits for parts that were taken,
 * never for somebody to come. Who finds no part for a while leaves, so that a worker is not lost to a kernel that has
 * gone on alone. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <starpu.h>

#include "runtime/base/state.h"
#include "runtime/task/task_private.h"
#include "runtime/task/team.h"
#include "runtime/watch/watch.h"

enum {
    AT_MOST = 32,  /* members */
    PATIENCE = 64, /* looks at the job between two looks at the clock, or before others get the core */
};
static const double stays = 100e-6; /* seconds without a part after which who was invited leaves */

struct team {
    struct tw_team face;
    _Atomic uint64_t taken;
    atomic_int done, references, closed;
    int members, parts, groups;
    tw_part_fn part;
    void *args;
    struct tw_body_facts body; /* whose team it is */
};

static atomic_uchar inside[STARPU_NMAXWORKERS];
static atomic_ulong helped;

static inline void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static void let_go(struct team *t)
{
    if (atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) == 1) free(t);
}

/* Group g of parts is bit g 64 / groups. */
static int bit_of(int group, int groups)
{
    return group * 64 / groups;
}
static void do_group(const struct team *t, int bit)
{
    const int group = (bit * t->groups + 63) / 64, end = tw_part_begin(group + 1, t->groups, t->parts, 1);

    for (int i = tw_part_begin(group, t->groups, t->parts, 1); i < end; i++)
        t->part(t->args, i);
}

/* How many groups there were for this member. Each begins at its own place and goes round, so that from job to job it
 * finds what its caches have. What a job is, is read after one of its groups was taken: until that is done no other job
 * is published. */
static int take_groups(struct team *t, int member)
{
    const int first = member * 64 / t->members;
    uint64_t free_ones;
    int count = 0;

    while ((free_ones = ~atomic_load_explicit(&t->taken, memory_order_acquire))) {
        const uint64_t turned = first ? free_ones >> first | free_ones << (64 - first) : free_ones;
        const int bit = (__builtin_ctzll(turned) + first) % 64;
        if (atomic_fetch_or_explicit(&t->taken, (uint64_t)1 << bit, memory_order_acq_rel) >> bit & 1) continue;
        do_group(t, bit);
        atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
        count++;
    }
    return count;
}

/* ---- in the body ------------------------------------------------------------------------------------------------- */

static void run(struct tw_team *team, int parts, tw_part_fn part, void *args)
{
    struct team *t = (struct team *)team;
    uint64_t all = 0;
    int looks = 0;

    t->part = part;
    t->args = args;
    t->parts = parts;
    t->groups = parts < 64 ? parts : 64;
    for (int g = 0; g < t->groups; g++)
        all |= (uint64_t)1 << bit_of(g, t->groups);
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    atomic_store_explicit(&t->taken, ~all, memory_order_release);
    take_groups(t, 0);
    while (atomic_load_explicit(&t->done, memory_order_acquire) < t->groups) {
        pause_core();
        if (++looks % PATIENCE == 0) sched_yield(); /* who has the part may be waiting for this core */
    }
}

/* ---- who was invited --------------------------------------------------------------------------------------------- */

struct invitation {
    struct team *team;
    struct starpu_task *task;
    struct tw_body_facts body;
    int member, groups; /* its number in the team; what it did */
};
static struct starpu_codelet visit;

static void come(void *buffers[], void *arg)
{
    struct invitation *i = arg;
    struct team *t = i->team;
    double since = tw_now();
    int looks = 0;

    (void)buffers;
    while (!atomic_load_explicit(&t->closed, memory_order_acquire)) {
        const int count = take_groups(t, i->member);
        if (count) {
            i->groups += count;
            since = tw_now();
            continue;
        }
        pause_core();
        if (++looks % PATIENCE) continue;
        if (tw_now() - since > stays) break;
        sched_yield();
    }
    if (i->groups) atomic_fetch_add_explicit(&helped, (unsigned long)i->groups, memory_order_relaxed);
    let_go(t);
}

/* Time in which others' parts were done is work, of a task that is counted where it was submitted. */
static void gone(void *arg)
{
    struct invitation *i = arg;
    struct starpu_profiling_task_info *info = i->task->profiling_info;
    const int worker = starpu_worker_get_id();

    if (info && worker >= 0 && i->groups) {
        const double start = starpu_timing_timespec_to_us(&info->start_time) * 1e-6,
                     end = starpu_timing_timespec_to_us(&info->end_time) * 1e-6;
        tw_counters_helped(worker, end - start);
        tw_times_helped(worker, info);
        if (tw_record_on())
            tw_record_task(&(struct tw_record){.submit = start,
                                               .start = start,
                                               .end = end,
                                               .name = visit.name,
                                               .color = i->body.color,
                                               .worker = worker,
                                               .type = (unsigned char)i->body.type,
                                               .id = i->body.id,
                                               .routine = i->body.routine,
                                               .part = 1,
                                               .coord = {-1, -1, -1, -1}});
    }
    free(i);
}

static __attribute__((constructor)) void tell_whose(void)
{
    tw_own_except(gone);
}

static struct starpu_codelet visit = {
    .cpu_funcs = {come}, .cpu_funcs_name = {"come"}, .where = STARPU_CPU, .nbuffers = 0, .name = "team"};

static void invite(struct team *t, int member, int worker)
{
    struct invitation *i = malloc(sizeof *i);
    struct starpu_task *task = i ? starpu_task_create() : NULL;

    if (!task) {
        free(i);
        return;
    }
    *i = (struct invitation){t, task, t->body, member, 0};
    atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
    task->cl = &visit;
    task->cl_arg = i;
    task->callback_func = gone;
    task->callback_arg = i;
    task->execute_on_a_specific_worker = 1;
    task->workerid = (unsigned)worker;
    task->priority = starpu_sched_get_max_priority();
    if (starpu_task_submit(task) == 0) return;
    task->destroy = 0;
    starpu_task_destroy(task);
    let_go(t);
    free(i);
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

void tw_team_worker_busy(int busy)
{
    const int worker = starpu_worker_get_id();
    if (worker >= 0) atomic_store_explicit(&inside[worker], (unsigned char)busy, memory_order_relaxed);
}

unsigned long tw_team_helped(void)
{
    return atomic_load_explicit(&helped, memory_order_relaxed);
}

/* CPU workers beside this one that are outside any body. Those inside have work of their own, which is worth more than
 * parts of this: inviting them, too, cost QR of order 4096 on two cores 8 %, and LU 4 %. */
static int others(int self, int *worker, int most)
{
    int all[STARPU_NMAXWORKERS], count = 0;
    const int n = (int)starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, all, STARPU_NMAXWORKERS);

    for (int k = 0; k < n && count < most; k++)
        if (all[k] != self && !atomic_load_explicit(&inside[all[k]], memory_order_relaxed)) worker[count++] = all[k];
    return count;
}

struct tw_team *tw_team_open(const struct tw_body *body, int most)
{
    const int self = starpu_worker_get_id(), limit = tw_rt.config.team < AT_MOST ? (int)tw_rt.config.team : AT_MOST;
    int worker[AT_MOST], count;
    struct team *t;

    if (most > limit) most = limit;
    if (most < 2 || self < 0 || tw_rt.ncpu < 2 || tw_rt.config.reproducible) return NULL;
    if (!(count = others(self, worker, most - 1)) || !(t = calloc(1, sizeof *t))) return NULL;
    t->face.run = run;
    atomic_init(&t->references, 1);
    t->body = tw_body_facts(body);
    t->members = count + 1;
    atomic_init(&t->taken, ~(uint64_t)0);
    for (int k = 0; k < count; k++)
        invite(t, k + 1, worker[k]);
    return &t->face;
}

void tw_team_close(struct tw_team *team)
{
    struct team *t = (struct team *)team;

    if (!t) return;
    atomic_store_explicit(&t->closed, 1, memory_order_release);
    let_go(t);
}
