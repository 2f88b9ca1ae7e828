/* tilework-bench-fft: Tilework's transforms beside FFTW with threads, both planned by measuring, the same arrays, in
 * one run and in turns.
 *
 *   tilework-bench-fft [--limit SECONDS] [--repeat R] [--threads T] [--json] [SIZES…]      sizes like 2^24,
 *   256x256x256; an r before: real
 *
 * One line, or JSON object, per size. Times are the least of R; "ratio" is FFTW's time over Tilework's: above 1
 * Tilework is faster. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <fftw3.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <tilework/fft.h>
#include "cli/count.h"
#include "cli/stack.h"
#include "cli/stdout.h"
#include "cli/words.h"

struct settings {
    double limit;
    int repeat, threads, json;
};

struct job {
    int rank, real, n[3];
    tw_int points, in_bytes, out_bytes;
    double *in, *out, *peer, *copy;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int parse(const char *text, struct job *j)
{
    char copy[256], *rest, *piece;

    *j = (struct job){.real = *text == 'r', .points = 1};
    snprintf(copy, sizeof copy, "%s", text + j->real);
    for (piece = strtok_r(copy, "x", &rest); piece; piece = strtok_r(NULL, "x", &rest)) {
        long long n;
        if (j->rank == 3 || !cli_count(piece, &n) || n < 1 || n > 1 << 30) return -1;
        j->n[j->rank++] = (int)n;
        j->points *= n;
    }
    if (j->rank == 0) return -1;
    if (j->points > (tw_int)1 << 34) return -1;
    j->in_bytes = j->points * (j->real ? 8 : 16);
    j->out_bytes = j->real ? j->points / j->n[j->rank - 1] * (j->n[j->rank - 1] / 2 + 1) * 16 : j->points * 16;
    return 0;
}

/* Seconds per transform: enough of them in a row that the clock can see them. */
static double timed(struct job *j, tw_fft *plan, fftw_plan peer)
{
    int runs = (int)(2e6 / (double)(j->points * 20) + 1);
    double t = now();

    for (int r = 0; r < runs; r++) {
        if (!plan)
            fftw_execute(peer);
        else if (tw_fft_execute(plan, j->in, j->out))
            return -1;
    }
    return (now() - t) / runs;
}

static double difference(const struct job *j)
{
    double d = 0, n = 0;
    for (tw_int i = 0; i < j->out_bytes / 8; i++)
        d += (j->out[i] - j->peer[i]) * (j->out[i] - j->peer[i]), n += j->peer[i] * j->peer[i];
    return n > 0 ? d / n : 1;
}

static fftw_plan peer_plan(struct job *j, double limit)
{
    fftw_set_timelimit(limit);
    return j->real ? fftw_plan_dft_r2c(j->rank, j->n, j->in, (fftw_complex *)j->peer, FFTW_MEASURE)
                   : fftw_plan_dft(j->rank, j->n, (fftw_complex *)j->in, (fftw_complex *)j->peer, FFTW_FORWARD,
                                   FFTW_MEASURE);
}

/* What one size gave, as a line of a table or as JSON. */
struct outcome {
    double ours, theirs, planned, peer_planned, difference;
    int threads;
    tw_fft_info info;
};

static void report_json(const char *name, const struct outcome *r)
{
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:i, s:s, s:i, s:f, s:s}", "bench", "fft", "size", name,
                  "type", "z", "seconds", r->ours, "fftw_seconds", r->theirs, "ratio", r->theirs / r->ours,
                  "plan_seconds", r->planned, "fftw_plan_seconds", r->peer_planned, "threads", r->threads, "path",
                  r->info.path, "tasks", r->info.tasks, "difference_squared", r->difference, "fftw", fftw_version);
    json_dumpf(o, stdout, 0);
    puts("");
    json_decref(o);
}

/* Gflop/s as everybody counts them: 5 n lb n, half of it for real data. */
static void report_line(const struct job *j, const char *name, const struct outcome *r)
{
    static int lines;
    const double n = (double)j->points, flops = (j->real ? 2.5 : 5) * n * log2(n > 1 ? n : 2);

    if (!lines++)
        printf("%-14s %11s %8s %11s %8s %7s %8s %8s  %s\n", "size", "Tilework", "Gflop/s", "FFTW", "Gflop/s", "ratio",
               "plan", "FFTW's", "path, FFTW's threads");
    printf("%-14s %9.3g s %8.2f %9.3g s %8.2f %7.2f %6.2g s %6.2g s  %s", name, r->ours, flops / r->ours * 1e-9,
           r->theirs, flops / r->theirs * 1e-9, r->theirs / r->ours, r->planned, r->peer_planned, r->info.path);
    if (r->info.tasks) printf(" (%d)", (int)r->info.tasks);
    printf(", %d\n", r->threads);
}

static int run(struct job *j, const char *name, const struct settings *o, int threads)
{
    struct outcome r = {.ours = 1e300, .theirs = 1e300, .threads = threads};
    tw_int n[3] = {j->n[0], j->n[1], j->n[2]};
    fftw_plan peer;
    tw_fft *plan;
    int e;

    j->in = fftw_malloc((size_t)j->in_bytes);
    j->out = fftw_malloc((size_t)j->out_bytes);
    j->peer = fftw_malloc((size_t)j->out_bytes);
    if (!j->in || !j->out || !j->peer) return fprintf(stderr, "%s: no memory\n", name), 1;
    r.peer_planned = now();
    peer = peer_plan(j, o->limit);
    r.peer_planned = now() - r.peer_planned;
    fftw_plan_with_nthreads(
        1); /* FFTW's threads are a setting of the process that all its plans obey: Tilework's have none */
    r.planned = now();
    if ((e = tw_fft_plan(&plan, TW_DOUBLE, j->real ? TW_FFT_R2C : TW_FFT_C2C, j->rank, n, 1, TW_FFT_FORWARD, NULL)) ||
        !peer)
        return fprintf(stderr, "%s: no plan: %s\n", name, tw_last_message()), 1;
    r.planned = now() - r.planned;
    for (tw_int i = 0; i < j->in_bytes / 8; i++)
        j->in[i] = (double)(i * 2654435761u % 1000003) / 1000003 - 0.5;
    memset(j->out, 0, (size_t)j->out_bytes);
    memset(j->peer, 0, (size_t)j->out_bytes);
    for (int k = -1; k < o->repeat; k++) { /* the first is a warm-up */
        double a = timed(j, plan, NULL), b = timed(j, NULL, peer);
        if (a < 0) return fprintf(stderr, "%s: %s\n", name, tw_last_message()), 1;
        if (k >= 0) r.ours = a < r.ours ? a : r.ours, r.theirs = b < r.theirs ? b : r.theirs;
    }
    (void)tw_fft_get_info(plan, &r.info); /* neither is NULL */
    r.difference = difference(j);
    if (o->json)
        report_json(name, &r);
    else
        report_line(j, name, &r);
    fflush(stdout);
    if (!(r.difference < 1e-24)) return fprintf(stderr, "%s: the two results differ\n", name), 1;
    tw_fft_destroy(plan);
    fftw_destroy_plan(peer);
    fftw_free(j->in), fftw_free(j->out), fftw_free(j->peer);
    return 0;
}

static const char usage[] = "usage: tilework bench fft [flags] [SIZES...]      (or: tilework-bench-fft ...)\n"
                            "Transforms beside FFTW with threads. SIZES: 4096, 2^20, 256x256x256; r in front: real. "
                            "Without any, a list of usual ones.\n"
                            "  --limit SECONDS   that FFTW may plan [60]\n"
                            "  --repeat R        runs of each, of which the fastest counts [5]\n"
                            "  --threads T       of FFTW [one for each core]\n"
                            "  --json            one JSON object per size\n";

static int small(const char *text, int *value)
{
    long long n;
    const int ok = cli_count(text, &n) && n <= 1 << 30;
    if (ok) *value = (int)n;
    return ok;
}

__attribute__((format(printf, 1, 2))) static int refuse(const char *format, ...)
{
    va_list list;

    fputs("tilework-bench-fft: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return 2;
}

static int flag(const char *name, const char *value, struct settings *o)
{
    char *end;
    int *number = !strcmp(name, "--repeat") ? &o->repeat : !strcmp(name, "--threads") ? &o->threads : NULL;

    if (!number && strcmp(name, "--limit") != 0)
        return refuse("%s: no such flag; there are --limit, --repeat, --threads and --json", name);
    if (!value) return refuse("%s: needs a value", name);
    if (number) return small(value, number) && *number >= 1 ? 0 : refuse("%s %s: expected a whole number", name, value);
    o->limit = strtod(value, &end);
    return end == value || *end || !(o->limit >= 0) ? refuse("--limit %s: expected seconds", value) : 0;
}

static int program(int argc, char **argv)
{
    static const char *const usual[] = {"16",   "64",    "256",       "1024",        "4096",         "2^16", "2^20",
                                        "2^24", "r2^24", "4096x4096", "256x256x256", "r256x256x256", NULL};
    const char *const *sizes = usual;
    struct settings o = {.limit = 60, .repeat = 5, .threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    struct job j;
    int failed = 0, given = 0;

    if (cli_word_answered(argc, argv, "tilework-bench-fft", usage)) return 0;
    for (int k = 1; k < argc; k++) /* all of them are read before any runs; sizes gather at the front */
        if (!strcmp(argv[k], "--json")) {
            o.json = 1;
        } else if (!strncmp(argv[k], "--", 2)) {
            if (flag(argv[k], argv[k + 1], &o)) return 2;
            k++;
        } else if (parse(argv[k], &j)) {
            return refuse("%s: no size such as 4096, 2^20, 256x256x256, r2^24; see tilework bench fft -h", argv[k]);
        } else {
            argv[given++] = argv[k];
        }
    argv[given] = NULL;
    if (given) sizes = (const char *const *)argv;
    if (!fftw_init_threads()) return fprintf(stderr, "tilework-bench-fft: FFTW has no threads\n"), 1;
    for (; *sizes; sizes++) {
        if (parse(*sizes, &j)) return refuse("%s: no size", *sizes);
        fftw_plan_with_nthreads(j.points < 1 << 15 ? 1 : o.threads);
        failed |= run(&j, *sizes, &o, j.points < 1 << 15 ? 1 : o.threads);
    }
    return tw_finalize() || failed;
}

int main(int argc, char **argv)
{
    return cli_close_stdout("tilework-bench-fft", cli_with_stack(argc, argv, program));
}
