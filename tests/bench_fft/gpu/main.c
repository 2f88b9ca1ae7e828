/* tilework-bench-fft-gpu: Tilework's transforms on GPUs beside cuFFT's on one, in one run.
 *
 *   tilework-bench-fft-gpu [--repeat R] [--type s|d] [--no-peer] MODE:SIZE…
 *
 * MODE  host      arrays in pinned host memory before and after
 *       device    two arrays on the GPU (one GPU; in and out of place)
 *       array     a tw_fft_array: on all GPUs
 * SIZE  2^29, 512x512x512, a batch in front: 64*2^23
 *
 * One JSON object per job: medians of R (7) executions after a first one, which is given by itself, each execution's
 * time, cuFFT's times on one GPU with its data there and with copies, the copies alone and both at once, how far the
 * two results differ (relative, 2-norm). The exit status is 1 where they differ by more than rounding. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tilework/runtime.h>
#include <tilework/fft.h>
#include "cli/words.h"
#include "peer.h"

struct job {
    const char *name;
    int rank, single;
    tw_int n[3], batch, points;
    size_t bytes;
    char *in, *out;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static tw_int number(const char *text, char **end)
{
    tw_int n = strtoll(text, end, 10), base = n;

    if (*end == text || n < 1) return -1;
    if (**end == '^') {
        long power = strtol(*end + 1, end, 10);
        for (n = 1; power-- > 0 && n < (tw_int)1 << 40;)
            n *= base;
    }
    return n;
}

static int parse(const char *text, struct job *j)
{
    char *end;
    tw_int n = number(text, &end);

    j->rank = 0, j->batch = 1;
    if (n > 0 && *end == '*') {
        j->batch = n;
        n = number(end + 1, &end);
    }
    j->points = 1;
    for (;; n = number(end + 1, &end)) {
        if (n < 1 || j->rank == 3) return -1;
        j->n[j->rank++] = n;
        j->points *= n;
        if (!*end) break;
        if (*end != 'x') return -1;
    }
    j->bytes = (size_t)(j->points * j->batch) * (j->single ? 8 : 16);
    return j->points * j->batch > (tw_int)1 << 34 ? -1 : 0;
}

static void fill(struct job *j)
{
    for (tw_int k = 0; k < j->points * j->batch; k++) {
        double re = (double)((uint64_t)k * 2654435761u % 1000003) / 1000003 - 0.5,
               im = (double)((uint64_t)k * 40503u % 999983) / 999983 - 0.5;
        if (j->single)
            ((float *)j->in)[2 * k] = (float)re, ((float *)j->in)[2 * k + 1] = (float)im;
        else
            ((double *)j->in)[2 * k] = re, ((double *)j->in)[2 * k + 1] = im;
    }
}

enum { MOST = 64 };
struct measured {
    double first, runs[MOST], seconds, least; /* runs: in their order */
};

static void summarize(struct measured *m, int n)
{
    double sorted[MOST];
    memcpy(sorted, m->runs, sizeof sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    m->seconds = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    m->least = sorted[0];
}

static int host(struct job *j, tw_fft *plan, int repeat, struct measured *m)
{
    for (int r = -1; r < repeat; r++) {
        double start = now();
        if (tw_fft_execute(plan, j->in, j->out)) return 1;
        start = now() - start;
        if (r < 0)
            m->first = start;
        else
            m->runs[r] = start;
    }
    summarize(m, repeat);
    return 0;
}

static int device(struct job *j, tw_fft *plan, int repeat, struct measured *m)
{
    void *a = NULL, *b = NULL;
    int e = peer_device_array(&a, j->bytes, j->in) || peer_device_array(&b, j->bytes, j->in);

    for (int r = -1; !e && r < repeat; r++) {
        double start = now();
        e = tw_fft_execute(plan, a, b);
        start = now() - start;
        if (r < 0)
            m->first = start;
        else
            m->runs[r] = start;
    }
    if (!e) e = peer_download(j->out, b, j->bytes);
    peer_device_free(a);
    peer_device_free(b);
    if (e) return 1;
    summarize(m, repeat);
    return 0;
}

static int array(struct job *j, tw_fft *plan, int repeat, struct measured *m)
{
    tw_fft_array *a = NULL;
    int e = tw_fft_array_create(&a, plan);

    if (!e) e = tw_fft_array_set(a, j->in);
    for (int r = -1; !e && r < repeat; r++) {
        double start = now();
        e = tw_fft_array_execute(plan, a);
        start = now() - start;
        if (r >= 0) {
            m->runs[r] = start;
            continue;
        }
        m->first = start;
        if (!e) e = tw_fft_array_get(a, j->out); /* before the next execution transforms it again */
    }
    tw_fft_array_destroy(a);
    if (e) return 1;
    summarize(m, repeat);
    return 0;
}

static int run(struct job *j, int repeat, int peers)
{
    static const struct {
        const char *name;
        int (*measure)(struct job *j, tw_fft *plan, int repeat, struct measured *m);
    } modes[] = {{"host:", host}, {"device:", device}, {"array:", array}};
    const char *size = strchr(j->name, ':');
    struct peer_times peer = {0};
    struct measured m = {0};
    tw_fft *plan = NULL;
    tw_fft_info info;
    double planned;
    int mode = 0, e;
    char *scratch;
    json_t *o, *runs;

    while (mode < 3 && strncmp(j->name, modes[mode].name, strlen(modes[mode].name)) != 0)
        mode++;
    if (mode == 3 || !size || parse(size + 1, j)) return fprintf(stderr, "%s: no MODE:SIZE\n", j->name), 2;
    j->in = tw_fft_alloc(j->bytes);
    j->out = tw_fft_alloc(j->bytes);
    if (!j->in || !j->out) return fprintf(stderr, "%s: %s\n", j->name, tw_last_message()), 1;
    fill(j);
    planned = now();
    e = tw_fft_plan(&plan, j->single ? TW_FLOAT : TW_DOUBLE, TW_FFT_C2C, j->rank, j->n, j->batch, TW_FFT_FORWARD, NULL);
    planned = now() - planned;
    if (e || modes[mode].measure(j, plan, repeat, &m))
        return fprintf(stderr, "%s: %s\n", j->name, tw_last_message()), 1;
    (void)tw_fft_get_info(plan, &info); /* neither is NULL */
    if (peers) {
        long long n[3] = {j->n[0], j->n[1], j->n[2]};
        scratch = tw_fft_alloc(j->bytes);
        if (!scratch || peer_measure(&peer, j->single, j->rank, n, j->batch, j->in, j->out, scratch, repeat)) return 1;
        tw_fft_free(scratch, j->bytes);
    }
    runs = json_array();
    for (int r = 0; r < repeat; r++)
        json_array_append_new(runs, json_real(m.runs[r]));
    o = json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:s, s:i, s:i, s:I, s:f, s:f, s:f, s:s}", "bench", "fft-gpu",
                  "job", j->name, "type", j->single ? "c" : "z", "seconds", m.seconds, "least", m.least, "first",
                  m.first, "plan_seconds", planned, "path", info.path, "tasks", info.tasks, "gpus", info.gpus,
                  "cpu_transforms", (json_int_t)info.cpu_transforms, "cpu_estimate", info.cpu_seconds, "gpu_estimate",
                  info.gpu_seconds, "both_estimate", info.both_seconds, "gpu", peer_name());
    json_object_set_new(o, "runs", runs);
    if (peers) {
        json_t *p = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "cufft_resident", peer.resident, "cufft_host",
                              peer.host, "copy_in", peer.in, "copy_out", peer.out, "copy_both", peer.duplex,
                              "times_cufft_resident", peer.resident / m.seconds, "times_cufft_host",
                              peer.host / m.seconds, "difference", peer.worst);
        json_object_update(o, p);
        json_decref(p);
    }
    json_dumpf(o, stdout, JSON_REAL_PRECISION(6));
    puts("");
    fflush(stdout);
    json_decref(o);
    tw_fft_destroy(plan);
    tw_fft_free(j->in, j->bytes);
    tw_fft_free(j->out, j->bytes);
    if (peers && !(peer.worst < (j->single ? 1e-5 : 1e-14)))
        return fprintf(stderr, "%s: the two results differ\n", j->name), 1;
    return 0;
}

static const char usage[] = "usage: tilework-bench-fft-gpu [--repeat R] [--type s|d] [--no-peer] MODE:SIZE...\n";

int main(int argc, char **argv)
{
    int repeat = 7, single = 0, peers = 1, failed = 0, at = 1;

    if (cli_word_answered(argc, argv, "tilework-bench-fft-gpu", usage)) return 0;
    for (; at < argc && !strncmp(argv[at], "--", 2); at++) {
        if (!strcmp(argv[at], "--no-peer"))
            peers = 0;
        else if (at + 1 < argc && !strcmp(argv[at], "--repeat"))
            repeat = atoi(argv[++at]);
        else if (at + 1 < argc && !strcmp(argv[at], "--type"))
            single = *argv[++at] == 's' || *argv[at] == 'c';
        else
            at = argc;
    }
    if (at >= argc || repeat < 1 || repeat > MOST) return fputs(usage, stderr), 2;
    if (tw_init(NULL)) return fprintf(stderr, "%s\n", tw_last_message()), 1;
    for (; at < argc; at++) {
        struct job j = {.name = argv[at], .single = single};
        failed |= run(&j, repeat, peers);
    }
    return tw_finalize() || failed;
}
