/* Measuring the machine profile.
 *
 * Every number is measured several times, in rounds over all of them, so that what disturbs the machine for a moment
 * does not meet all samples of one number; the best of them counts. Double precision comes first; what the deadline
 * cuts off keeps its guess, scaled as the same kernel's smaller orders were, or as gemm's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

static tw_probe_fn probe;
void tw_profile_register_probe(tw_probe_fn p)
{
    probe = p;
}

/* ---- operands: square, `source` is what each run starts from ----------------------------------------------------- */

#define MAX_STREAMS 4
struct operands {
    int is_cuda;
    void *pristine; /* on the host */
    void *source, *a, *b, *c, *work;
    size_t bytes, work_bytes;
    struct tw_cuda cuda[MAX_STREAMS]; /* [0]: the one that probes */
    int streams;
    void *event[2];
};

static void put(void *p, enum tw_type type, size_t index, double v)
{
    size_t reals = tw_is_complex(type) ? 2 : 1;
    if (tw_is_single(type))
        ((float *)p)[index * reals] = (float)v;
    else
        ((double *)p)[index * reals] = v;
}

#define PATTERN                                                                                                        \
    512 /* columns of a GPU's operands repeat after so many times PATTERN elements: no host fills gigabytes */

/* Small pseudo-random entries; on the CPU n on the diagonal. On the GPU the diagonal is set there. */
static void fill(const struct operands *o, enum tw_type type, int n)
{
    size_t count = o->is_cuda ? (size_t)PATTERN * PATTERN : (size_t)n * (size_t)n;
    uint32_t x = 12345;

    memset(o->pristine, 0, count * tw_sizeof(type));
    for (size_t k = 0; k < count; k++) {
        x = x * 1664525u + 1013904223u;
        put(o->pristine, type, k, (double)x / 4294967296.0 - 0.5);
    }
    if (!o->is_cuda)
        for (int k = 0; k < n; k++)
            put(o->pristine, type, (size_t)k * (size_t)n + (size_t)k, n);
}

/* The pattern over and over, then n on the diagonal: a column of n values, spread with a pitch of one diagonal step. */
static int fill_gpu(const struct operands *o, enum tw_type type, int n)
{
    size_t element = tw_sizeof(type), all = (size_t)n * (size_t)n * element, have = (size_t)PATTERN * PATTERN * element;

    if (have > all) have = all;
    if (tw_device_copy(o->source, o->pristine, have, TW_WAY_IN) != 0) return 0;
    for (size_t more; have < all; have += more) {
        more = have < all - have ? have : all - have;
        if (tw_device_copy((char *)o->source + have, o->source, more, TW_WAY_WITHIN) != 0) return 0;
    }
    memset(o->pristine, 0, (size_t)n * element);
    for (int k = 0; k < n; k++)
        put(o->pristine, type, (size_t)k, n);
    return tw_device_copy(o->work, o->pristine, (size_t)n * element, TW_WAY_IN) == 0 &&
           tw_device_copy_lines(o->source, ((size_t)n + 1) * element, o->work, element, element, (size_t)n,
                                TW_WAY_WITHIN) == 0;
}

static int prepare(const struct operands *o, enum tw_type type, int n)
{
    fill(o, type, n);
    return o->is_cuda ? fill_gpu(o, type, n) : 1;
}

static void operands_free(struct operands *o)
{
    if (o->is_cuda) {
        tw_device_free(o->source), tw_device_free(o->a), tw_device_free(o->b), tw_device_free(o->c),
            tw_device_free(o->work);
        for (int k = 0; k < 2; k++)
            if (o->event[k]) tw_event_destroy(o->event[k]);
    } else {
        free(o->a), free(o->b), free(o->c), free(o->work);
    }
    free(o->pristine);
    memset(o, 0, sizeof *o);
}

static int operands_make(struct operands *o, int is_cuda, int largest)
{
    o->is_cuda = is_cuda;
    o->bytes = (size_t)largest * (size_t)largest * 16;
    o->work_bytes = 2 * o->bytes;
    if (is_cuda) {
        o->pristine = malloc((size_t)PATTERN * PATTERN * 16);
        /* source with a diagonal step more, which copying the diagonal may count as touched */
        return o->pristine && !tw_device_alloc(&o->source, o->bytes + 16 * ((size_t)largest + 1)) &&
               !tw_device_alloc(&o->a, o->bytes) && !tw_device_alloc(&o->b, o->bytes) &&
               !tw_device_alloc(&o->c, o->bytes) && !tw_device_alloc(&o->work, o->work_bytes) &&
               !tw_event_create(&o->event[0], 1) && !tw_event_create(&o->event[1], 1);
    }
    o->pristine = malloc(o->bytes);
    o->source = o->pristine;
    o->a = malloc(o->bytes), o->b = malloc(o->bytes), o->c = malloc(o->bytes), o->work = malloc(o->work_bytes);
    return o->pristine && o->a && o->b && o->c && o->work;
}

/* ---- one sample -------------------------------------------------------------------------------------------------- */

static int run(const struct operands *o, enum tw_rate rate, enum tw_type type, int n, int times)
{
    for (int k = 0; k < times; k++)
        if (probe(o->is_cuda ? &o->cuda[0] : NULL, rate, type, n, o->a, o->b, o->c, o->work, o->work_bytes) != 0)
            return 0;
    return 1;
}

/* This thread's CPU time: it does not count what other programs take of the core. */
static double cpu_time(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return tw_now();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Small kernels run several times in a row, since the clock is read in tens of nanoseconds. */
static double sample_cpu(const struct operands *o, enum tw_rate rate, enum tw_type type, int n)
{
    size_t bytes = (size_t)n * (size_t)n * tw_sizeof(type);
    int times = n <= 72 ? 8 : 1;
    double begin;

    memcpy(o->a, o->source, bytes), memcpy(o->b, o->source, bytes), memcpy(o->c, o->source, bytes);
    begin = cpu_time();
    return run(o, rate, type, n, times) ? (cpu_time() - begin) / times : -1;
}

/* Kernels back to back between two events. The copies before them keep the GPU busy until they are all enqueued. */
static double sample_gpu_times(const struct operands *o, enum tw_rate rate, enum tw_type type, int n, int times)
{
    size_t bytes = (size_t)n * (size_t)n * tw_sizeof(type);
    void *const to[3] = {o->a, o->b, o->c};
    float ms = 0;

    for (int k = 0; k < 3; k++)
        if (tw_device_enqueue_copy(to[k], o->source, bytes, TW_WAY_WITHIN, o->cuda[0].stream) != 0) return -1;
    if (tw_event_record(o->event[0], o->cuda[0].stream) != 0 || !run(o, rate, type, n, times) ||
        tw_event_record(o->event[1], o->cuda[0].stream) != 0 || tw_stream_wait(o->cuda[0].stream) != 0 ||
        tw_event_between(o->event[0], o->event[1], &ms) != 0)
        return -1;
    return ms * 1e-3 / times;
}
static double sample_gpu(const struct operands *o, enum tw_rate rate, enum tw_type type, int n)
{
    return sample_gpu_times(o, rate, type, n, n <= 1024 ? 4 : 1);
}

static double sample(const struct operands *o, enum tw_rate rate, enum tw_type type, int n)
{
    return o->is_cuda ? sample_gpu(o, rate, type, n) : sample_cpu(o, rate, type, n);
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

/* The two best samples. A best one that is less than half of the next is a clock's mistake, unless there is no
 * other. */
struct best {
    double first, second;
};
static void note(struct best *b, double s)
{
    if (!(s > 0)) return;
    if (b->first == 0 || s < b->first)
        b->second = b->first, b->first = s;
    else if (b->second == 0 || s < b->second)
        b->second = s;
}
static double value_of(const struct best *b, int samples)
{
    return samples > 2 && b->second > 0 && b->first < 0.5 * b->second ? b->second : b->first;
}

static const enum tw_type order_of_types[TW_NTYPES] = {TW_DOUBLE, TW_FLOAT, TW_COMPLEX_DOUBLE, TW_COMPLEX_FLOAT};

/* How long the samples may take. On CPUs it is this thread's own time that counts, or on a busy machine the first, cold
 * samples would be all that there are; but no more than some times as long by the clock. */
struct limit {
    double cpu, wall; /* until when; cpu 0: the clock alone */
};
static struct limit limit_of_cpu(double seconds)
{
    return (struct limit){cpu_time() + seconds, tw_now() + 5 * seconds};
}
static int is_over(const struct limit *l)
{
    return tw_now() >= l->wall || (l->cpu > 0 && cpu_time() >= l->cpu);
}

static void probe_rates(struct tw_rates *rates, const struct operands *o, const struct limit *limit, int samples)
{
    const int *sizes = o->is_cuda ? tw_profile_size_cuda : tw_profile_size_cpu;
    static struct best best[TW_NTYPES][TW_NRATES][TW_PROFILE_SIZES]; /* one probe at a time: under start.c's lock */
    double scale[TW_NRATES];

    memset(best, 0, sizeof best);
    /* The first round takes two samples at once: the first of them loads the kernel and its data. */
    for (int done = 0; done < samples && !is_over(limit); done += done ? 1 : 2)
        for (int t = 0; t < TW_NTYPES; t++)
            for (int k = 0; k < TW_PROFILE_SIZES && !is_over(limit); k++) {
                enum tw_type type = order_of_types[t];
                int sound = prepare(o, type, sizes[k]);
                for (int r = 0; r < TW_NRATES && sound; r++)
                    for (int twice = 0; twice < (done ? 1 : 2) && !is_over(limit); twice++)
                        note(&best[type][r][k], sample(o, (enum tw_rate)r, type, sizes[k]));
            }
    for (int r = 0; r < TW_NRATES; r++)
        scale[r] = 1;
    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_NRATES; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++) {
                enum tw_type type = order_of_types[t];
                double *g = &rates->gflops[type][r][k], old = *g, s = value_of(&best[type][r][k], samples);
                *g = s > 0 ? tw_profile_flops((enum tw_rate)r, type, sizes[k]) / s * 1e-9 : old * scale[r];
                scale[r] = *g / old;
            }
}

/* ---- host: memcpy, and what an empty task costs ------------------------------------------------------------------ */

static void probe_memcpy(struct tw_profile *p)
{
    const size_t bytes = (size_t)32 << 20; /* more than a core's share of the caches */
    char *from = malloc(bytes), *to = malloc(bytes);
    struct best b = {0, 0};

    if (from && to) {
        memset(from, 1, bytes);
        for (int k = 0; k < 4; k++) { /* the first one also touches the target's pages */
            double begin = cpu_time();
            memcpy(to, from, bytes);
            __asm__ volatile("" : : "r"(to) : "memory"); /* or the compiler sees that nobody reads it */
            note(&b, cpu_time() - begin);
        }
        if (value_of(&b, 4) > 0) p->link[TW_LINK_HOST] = (double)bytes / value_of(&b, 4) * 1e-9;
    }
    free(from), free(to);
}

static void nothing(void *buffers[], void *arg)
{
    (void)buffers, (void)arg;
}

static void probe_tasks(struct tw_profile *p)
{
    enum { TASKS = 500 };
    static struct starpu_codelet codelet = {
        .cpu_funcs = {nothing}, .cpu_funcs_name = {"nothing"}, .nbuffers = 0, .name = "tw_nothing"};
    struct best b = {0, 0};

    if (tw_rt.ncpu == 0 || !tw_rt.owns_starpu) return; /* a user's StarPU may hold tasks that wait for the user */
    starpu_resume();
    for (int round = 0; round < 5; round++) {
        double begin = tw_now();
        int k = 0;
        for (; k < TASKS; k++) {
            struct starpu_task *task = starpu_task_create();
            task->cl = &codelet;
            if (starpu_task_submit(task) != 0) {
                task->destroy = 0;
                starpu_task_destroy(task);
                break;
            }
        }
        starpu_task_wait_for_all();
        if (k == TASKS) note(&b, (tw_now() - begin) / TASKS);
    }
    starpu_pause();
    if (value_of(&b, 4) > 0) p->launch[0] = fmin(value_of(&b, 4), 1e-3); /* a machine that sleeps tells nothing */
}

/* ---- GPU: streams side by side, launches, links ------------------------------------------------------------------ */

struct gpu_job {
    struct tw_profile *p;
    double seconds;
    int samples;
    int device, other; /* CUDA's numbers; other < 0: one GPU */
    struct tw_cuda cuda[MAX_STREAMS];
    int streams;
};

static int settle(const struct operands *o, int streams)
{
    for (int s = 0; s < streams; s++)
        if (tw_stream_wait(o->cuda[s].stream) != 0) return 0;
    return 1;
}

/* Seconds of `rounds` gemms on each stream, with a C for each stream in the workspace; launches are part of it. */
static double sample_streams(const struct operands *o, enum tw_type type, int n, int streams, int rounds)
{
    size_t bytes = (size_t)n * (size_t)n * tw_sizeof(type);
    double begin;

    if (!settle(o, streams)) return -1;
    begin = tw_now();
    for (int k = 0; k < rounds; k++)
        for (int s = 0; s < streams; s++)
            if (probe(&o->cuda[s], TW_RATE_GEMM, type, n, o->a, o->b, (char *)o->work + (size_t)s * bytes, NULL, 0) !=
                0)
                return -1;
    return settle(o, streams) ? tw_now() - begin : -1;
}

/* gemm's total rate on 2 and 4 streams over that on one. Each run lasts about a millisecond or one gemm. Counts that
 * this GPU has no workers for, and what the deadline cuts off, keep their guess; other types than double inherit its
 * ratios. */
static void probe_streams(struct tw_profile *p, const struct operands *o, double deadline)
{
    for (int t = 0; t < TW_NTYPES; t++) {
        enum tw_type type = order_of_types[t];
        if (t > 0) memcpy(p->gain[type], p->gain[TW_DOUBLE], sizeof p->gain[type]);
        for (int k = 0; k < TW_PROFILE_SIZES; k++) {
            int n = tw_profile_size_cuda[k], rounds = n <= 512 ? 32 : n <= 1024 ? 8 : 1;
            double one = 0;
            if (tw_now() > deadline || MAX_STREAMS * (size_t)n * (size_t)n * tw_sizeof(type) > o->work_bytes) break;
            for (int s = 0; s < TW_PROFILE_STREAMS && tw_profile_stream_count[s] <= o->streams; s++) {
                int streams = tw_profile_stream_count[s];
                struct best b = {0, 0};
                for (int sampled = 0; sampled < 3; sampled++)
                    note(&b, sample_streams(o, type, n, streams, rounds));
                if (s == 0) one = b.first;
                if (one > 0 && b.first > 0) p->gain[type][k][s] = one * streams / b.first;
            }
        }
    }
}

/* The smallest kernel, from its launch until its end is known. */
static void probe_launch(struct tw_profile *p, const struct operands *o)
{
    struct best b = {0, 0};
    for (int k = 0; k < 30; k++) {
        double begin = tw_now();
        if (probe(&o->cuda[0], TW_RATE_MEMORY, TW_DOUBLE, 8, o->a, o->b, o->c, NULL, 0) != 0 || !settle(o, 1)) return;
        note(&b, tw_now() - begin);
    }
    p->launch[1] = value_of(&b, 30);
}

#define LINK_BYTES ((size_t)32 << 20)
/* GB/s of copies to the GPU, from it, or both at once on two streams. */
static double copies(const struct operands *o, char *pinned, int to_gpu, int from_gpu)
{
    struct best b = {0, 0};
    for (int k = 0; k < 4; k++) {
        double begin = tw_now();
        if (to_gpu && tw_device_enqueue_copy(o->a, pinned, LINK_BYTES, TW_WAY_IN, o->cuda[0].stream) != 0) return 0;
        if (from_gpu && tw_device_enqueue_copy(pinned + LINK_BYTES, o->b, LINK_BYTES, TW_WAY_OUT,
                                               o->cuda[o->streams > 1].stream) != 0)
            return 0;
        if (!settle(o, o->streams > 1 ? 2 : 1)) return 0;
        note(&b, tw_now() - begin);
    }
    return b.first > 0 ? (double)(to_gpu + from_gpu) * (double)LINK_BYTES / b.first * 1e-9 : 0;
}

static void probe_host_links(struct tw_profile *p, const struct operands *o)
{
    void *pinned = NULL;
    double v;

    if (tw_pinned_alloc(&pinned, 2 * LINK_BYTES) != 0) {
        tw_device_forget_error(); /* not sticky: the guesses serve */
        return;
    }
    if ((v = copies(o, pinned, 1, 0)) > 0) p->link[TW_LINK_TO_GPU] = v;
    if ((v = copies(o, pinned, 0, 1)) > 0) p->link[TW_LINK_FROM_GPU] = v;
    p->link[TW_LINK_BOTH_WAYS] = p->link[TW_LINK_TO_GPU]; /* with one stream the two wait for each other */
    if (o->streams > 1 && (v = copies(o, pinned, 1, 1)) > 0) p->link[TW_LINK_BOTH_WAYS] = v;
    tw_pinned_free(pinned);
}

static void probe_peer(struct tw_profile *p, const struct operands *o, int device, int other)
{
    struct best b = {0, 0};
    void *remote = NULL;

    if (tw_device_set(other) != 0 || tw_device_alloc(&remote, LINK_BYTES) != 0) {
        tw_device_forget_error();
        (void)tw_device_set(device);
        return;
    }
    (void)tw_device_set(device); /* it was current a moment ago */
    for (int k = 0; k < 4; k++) {
        double begin = tw_now();
        if (tw_device_enqueue_peer(remote, other, o->a, device, LINK_BYTES, o->cuda[0].stream) != 0 || !settle(o, 1))
            break;
        note(&b, tw_now() - begin);
    }
    if (b.first > 0) p->link[TW_LINK_GPU_TO_GPU] = (double)LINK_BYTES / b.first * 1e-9;
    tw_device_free(remote);
}

static void find_streams(void *arg)
{
    struct gpu_job *job = arg;
    job->cuda[job->streams++] = tw_cuda_local();
}

static void probe_on_gpu(void *arg)
{
    struct gpu_job *job = arg;
    double begin = tw_now();
    struct operands o = {.streams = job->streams};

    memcpy(o.cuda, job->cuda, sizeof o.cuda);
    if (operands_make(&o, 1, tw_profile_size_cuda[TW_PROFILE_SIZES - 1])) {
        probe_launch(job->p, &o);
        probe_host_links(job->p, &o);
        if (job->other >= 0) probe_peer(job->p, &o, job->device, job->other);
        if (prepare(&o, TW_DOUBLE, tw_profile_size_cuda[TW_PROFILE_SIZES - 1])) {
            (void)tw_device_copy(o.a, o.source, o.bytes / 2, TW_WAY_WITHIN); /* any numbers do */
            (void)tw_device_copy(o.b, o.source, o.bytes / 2, TW_WAY_WITHIN);
            (void)tw_device_clear(o.work, o.work_bytes);
            probe_streams(job->p, &o, begin + 0.3 * job->seconds);
        }
        probe_rates(&job->p->cuda, &o, &(struct limit){0, begin + job->seconds}, job->samples);
    }                         /* else no memory to measure with: the guesses serve */
    tw_device_forget_error(); /* what failed was not measured, and is nobody else's business */
    operands_free(&o);
}

/* ---- GPUs beside the first: how much slower they do the same ----------------------------------------------------- */

struct same_job {
    int n; /* order of the products and copies */
    double alone[TW_NFACTORS], seconds[TW_NFACTORS];
    double most; /* seconds that all of it may take, but for what kernels' loading takes */
};

/* A sample is some kernels back to back, 10 ms of them: what shares the GPU with another program by turns of
 * milliseconds shows its mean. The middle of the samples counts, but for the first, which loads the kernel and wakes
 * the clocks: only from then on time counts, too. */
#define SAME_SECONDS 10e-3
#define SAME_SAMPLES 5
#define SAME_TIMES   8 /* of a product, after which its sums are still small */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double typical(const struct operands *o, enum tw_rate rate, int n, double alone, double most)
{
    const int times = (int)fmin(fmax(1, ceil(SAME_SECONDS / alone)), rate == TW_RATE_MEMORY ? 100 : SAME_TIMES);
    double seconds[SAME_SAMPLES], until = 0;
    int count = 0;

    for (int k = 0; k <= SAME_SAMPLES && (count == 0 || tw_now() < until); k++) {
        const double s = sample_gpu_times(o, rate, TW_DOUBLE, n, times);
        if (!(s > 0)) return 0;
        if (k > 0)
            seconds[count++] = s;
        else
            until = tw_now() + most;
    }
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    return seconds[count / 2];
}

static void probe_same(void *arg)
{
    struct same_job *job = arg;
    struct operands o = {.streams = 1};

    job->seconds[TW_FACTOR_PRODUCTS] = job->seconds[TW_FACTOR_MEMORY] = 0;
    o.cuda[0] = tw_cuda_local();
    if (operands_make(&o, 1, job->n) && prepare(&o, TW_DOUBLE, job->n)) {
        job->seconds[TW_FACTOR_PRODUCTS] =
            typical(&o, TW_RATE_GEMM, job->n, job->alone[TW_FACTOR_PRODUCTS], 0.6 * job->most);
        job->seconds[TW_FACTOR_MEMORY] =
            typical(&o, TW_RATE_MEMORY, job->n, job->alone[TW_FACTOR_MEMORY], 0.2 * job->most);
    }
    tw_device_forget_error();
    operands_free(&o);
}

static double alone_on_first(const struct tw_profile *p, enum tw_rate rate, int size)
{
    return tw_profile_flops(rate, TW_DOUBLE, tw_profile_size_cuda[size]) /
           (1e9 * p->cuda.gflops[TW_DOUBLE][rate][size]);
}

/* One after another, the first again among them. A GPU without memory for it keeps its place as one of whom nothing is
 * known. */
static void probe_factors(struct tw_profile *p, double seconds)
{
    struct same_job job = {.most = seconds / tw_gpus()};
    double first[TW_NFACTORS] = {0};
    int size = TW_PROFILE_SIZES - 1;

    while (size > 0 && alone_on_first(p, TW_RATE_GEMM, size) > SAME_SECONDS / 2)
        size--;
    job.n = tw_profile_size_cuda[size];
    job.alone[TW_FACTOR_PRODUCTS] = alone_on_first(p, TW_RATE_GEMM, size);
    job.alone[TW_FACTOR_MEMORY] = alone_on_first(p, TW_RATE_MEMORY, size);
    memset(p->factor, 0, sizeof p->factor);
    for (int g = 0; g < tw_gpus(); g++) {
        unsigned worker = (unsigned)tw_gpu_worker(g);
        const int device = tw_gpu_device(g);
        starpu_execute_on_specific_workers(probe_same, &job, 1, &worker, "tw_probe");
        if (g == 0) memcpy(first, job.seconds, sizeof first);
        if (device < 0 || device >= TW_PROFILE_GPUS) continue;
        for (int k = 0; k < TW_NFACTORS; k++)
            p->factor[device][k] = tw_factor_of(first[k], job.seconds[k]);
        if (!(p->factor[device][TW_FACTOR_PRODUCTS] > 0 && p->factor[device][TW_FACTOR_MEMORY] > 0))
            memset(p->factor[device], 0, sizeof p->factor[device]); /* both, or nothing */
    }
}

/* Rates are the first GPU's; those of the others are told as shares of them. */
static void probe_gpu(struct tw_profile *p, double seconds, int samples)
{
    const double others = tw_gpus() > 1 ? fmin(0.25 * seconds, 0.1 * tw_gpus()) : 0;
    struct gpu_job job = {.p = p, .seconds = seconds - others, .samples = samples, .device = -1, .other = -1};
    unsigned mine[MAX_STREAMS];

    for (unsigned w = 0, n = 0; w < starpu_worker_get_count(); w++) {
        if (starpu_worker_get_type((int)w) != STARPU_CUDA_WORKER) continue;
        int device = starpu_worker_get_devid((int)w);
        if (job.device < 0) job.device = device;
        if (device == job.device && n < MAX_STREAMS) mine[n++] = w;
        if (device != job.device && job.other < 0) job.other = device;
        if (n > 0) job.streams = (int)n;
    }
    if (job.streams == 0) return;
    if (tw_rt.owns_starpu) starpu_resume();
    for (int n = job.streams, k = job.streams = 0; k < n; k++)
        starpu_execute_on_specific_workers(find_streams, &job, 1, &mine[k], "tw_probe");
    starpu_execute_on_specific_workers(probe_on_gpu, &job, 1, mine, "tw_probe");
    if (others > 0) probe_factors(p, others);
    if (tw_rt.owns_starpu) starpu_pause();
}

void tw_profile_measure(struct tw_profile *p, double cpu_seconds, double cuda_seconds, int samples)
{
    struct operands o = {0};
    struct limit limit;

    if (!probe) return;
    probe_memcpy(p);
    probe_tasks(p);
    limit = limit_of_cpu(cpu_seconds);
    if (operands_make(&o, 0, tw_profile_size_cpu[TW_PROFILE_SIZES - 1])) probe_rates(&p->cpu, &o, &limit, samples);
    operands_free(&o);
    if (tw_rt.ncuda) probe_gpu(p, cuda_seconds, samples);
}
