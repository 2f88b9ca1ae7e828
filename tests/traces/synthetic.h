/* A recording made up for the tests of the writers: a tile Cholesky as a greedy scheduler would run it. */
#ifndef TW_TESTS_TRACES_SYNTHETIC_H
#define TW_TESTS_TRACES_SYNTHETIC_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/watch/record.h"

enum { SYNTHETIC_POTRF, SYNTHETIC_TRSM, SYNTHETIC_SYRK, SYNTHETIC_GEMM };

struct synthetic {
    struct tw_recording recording;
    struct tw_record *records;
    struct tw_recorded_worker *workers;
    const char *routine;
    double *tile_ready; /* nt x nt */
    double *worker_free;
    int nt, ncpu;
};

static inline double synthetic_max(double a, double b)
{
    return a > b ? a : b;
}

/* Run one task of duration `seconds` on a CPU worker on the first free worker; GPU workers are 8 times as fast. */
static inline void synthetic_task(struct synthetic *s, int kernel, int i, int j, int k, double ready)
{
    static const char *const names[] = {"potrf", "trsm", "syrk", "gemm"};
    static const unsigned colors[] = {0xD62728, 0x9467BD, 0xFF7F0E, 0x2CA02C};
    static const double flops[] = {1 / 3., 1, 1, 2}, rate[] = {0.6, 0.8, 0.9, 1};
    struct tw_record *t = &s->records[s->recording.nrecords];
    double cube = 256. * 256 * 256, best = 1e300;
    int worker = 0;

    for (int w = 0; w < s->recording.nworkers; w++) {
        double end = synthetic_max(s->worker_free[w], ready) +
                     cube * flops[kernel] / (rate[kernel] * (w < s->ncpu ? 40e9 : 320e9));
        if (end < best) best = end, worker = w;
    }
    memset(t, 0, sizeof *t);
    t->submit = 2e-6 * (double)s->recording.nrecords + 0.25; /* the recording started a quarter of a second earlier */
    t->start = synthetic_max(synthetic_max(s->worker_free[worker], ready), t->submit);
    t->end = synthetic_max(best, t->start + 1e-6);
    t->flops = cube * flops[kernel];
    t->name = names[kernel];
    t->color = colors[kernel];
    t->worker = worker;
    t->priority = 3 * s->nt - i - j - k;
    memcpy(t->coord, (int[4]){i, j, k, -1}, sizeof t->coord);
    t->type = TW_DOUBLE;
    t->id = s->recording.nrecords++;
    s->worker_free[worker] = t->end;
    s->tile_ready[i + (size_t)j * s->nt] = t->end;
    if (t->end > s->recording.duration) s->recording.duration = t->end;
}

static inline int synthetic_by_start(const void *a, const void *b)
{
    const struct tw_record *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static inline void synthetic_free(struct synthetic *s)
{
    free(s->records);
    free(s->workers);
    free(s->tile_ready);
    free(s->worker_free);
    memset(s, 0, sizeof *s);
}

static inline size_t synthetic_count(int nt)
{
    return (size_t)nt * (size_t)(nt + 1) * (size_t)(nt + 2) / 6;
}

/* nt x nt tiles on ncpu + ncuda workers: nt (nt + 1) (nt + 2) / 6 tasks. 0, or -1 without memory. */
static inline int synthetic_potrf(struct synthetic *s, int nt, int ncpu, int ncuda)
{
    int n = ncpu + ncuda;

    memset(s, 0, sizeof *s);
    s->nt = nt;
    s->ncpu = ncpu;
    s->records = calloc(synthetic_count(nt) + 1, sizeof *s->records);
    s->workers = calloc((size_t)n + 1, sizeof *s->workers);
    s->tile_ready = calloc((size_t)nt * (size_t)nt + 1, sizeof *s->tile_ready);
    s->worker_free = calloc((size_t)n + 1, sizeof *s->worker_free);
    if (!s->records || !s->workers || !s->tile_ready || !s->worker_free) return synthetic_free(s), -1;
    s->recording.nworkers = n;
    for (int w = 0; w < n; w++) {
        s->workers[w].is_cuda = w >= ncpu;
        snprintf(s->workers[w].name, sizeof s->workers[w].name, w < ncpu ? "CPU %d" : "GPU 0 stream %d",
                 w < ncpu ? w : w - ncpu);
        s->worker_free[w] = 0.25;
    }
#define READY(i, j) s->tile_ready[(i) + (size_t)(j)*nt]
    for (int k = 0; k < nt; k++) {
        synthetic_task(s, SYNTHETIC_POTRF, k, k, k, READY(k, k));
        for (int i = k + 1; i < nt; i++)
            synthetic_task(s, SYNTHETIC_TRSM, i, k, k, synthetic_max(READY(k, k), READY(i, k)));
        for (int j = k + 1; j < nt; j++) {
            synthetic_task(s, SYNTHETIC_SYRK, j, j, k, synthetic_max(READY(j, k), READY(j, j)));
            for (int i = j + 1; i < nt; i++)
                synthetic_task(s, SYNTHETIC_GEMM, i, j, k,
                               synthetic_max(READY(i, j), synthetic_max(READY(i, k), READY(j, k))));
        }
    }
#undef READY
    qsort(s->records, s->recording.nrecords, sizeof *s->records, synthetic_by_start);
    s->routine = "dpotrf n=4096 nb=256";
    s->recording.records = s->records;
    s->recording.workers = s->workers;
    s->recording.routines = &s->routine; /* so do not copy the struct */
    s->recording.nroutines = 1;
    s->recording.sched = "dmdas";
    s->recording.machine = "a synthetic machine";
    return 0;
}
#endif
