/* Recordings with known answers, for tests, lessons and measurements of the tools. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "traces/analysis.h"
#include "traces/recorded.h"

enum { MOST = 2000000 };

struct wish {
    long n, nt, workers, rank;
    double t, move, wait; /* move: of a transfer; wait: from a value until what waits for it is submitted */
};

/* "n=10,t=1e-3". Each key once, and only those that the kind has. */
static int parse(const char *what, const char *at, struct wish *w)
{
    static const char *const keys[] = {"n", "nt", "workers", "rank", "t", "move", "wait"};
    enum { N, NT, WORKERS, RANK, T, MOVE, WAIT, KEYS };
    double *const real[] = {&w->t, &w->move, &w->wait};
    long *const whole[] = {&w->n, &w->nt, &w->workers, &w->rank};
    const int cholesky = !strcmp(what, "cholesky"), transfers = !strcmp(what, "transfers"),
              values = !strcmp(what, "values");
    int given[KEYS] = {0};

    while (*at) {
        char *end;
        const char *equal = strchr(at, '=');
        double v = equal ? strtod(equal + 1, &end) : 0;
        int k = 0;
        if (!equal || end == equal + 1 || (*end && *end != ','))
            return tw_fail(TW_E_OPTION, "example %s: expected KEY=NUMBER with commas between, at '%s'", what, at);
        const int length = (int)(equal - at);
        while (k < KEYS && ((int)strlen(keys[k]) != length || strncmp(at, keys[k], (size_t)length) != 0))
            k++;
        if (k == KEYS || (k == N && cholesky) || (k == NT && !cholesky) || (k == MOVE && !transfers) ||
            (k == WAIT && !values))
            return tw_fail(TW_E_OPTION, "example %s: there is %s, workers=, rank=%s and t=, but no '%.*s'", what,
                           cholesky ? "nt=" : "n=",
                           transfers ? ", move="
                           : values  ? ", wait="
                                     : "",
                           length, at);
        if (given[k]++) return tw_fail(TW_E_OPTION, "example %s: %s= is given twice", what, keys[k]);
        if (!(v > 0 || (v == 0 && k == RANK)) || v > 1e9 || (k < T && v != floor(v)))
            return tw_fail(TW_E_OPTION, "example %s: %.*s: expected a %s", what, (int)(end - at), at,
                           k == RANK ? "whole number"
                           : k < T   ? "whole number above 0"
                                     : "number above 0, of seconds");
        if (k < T)
            *whole[k] = (long)v;
        else
            *real[k - T] = v;
        at = end + (*end == ',');
    }
    if (w->rank > TW_RANK_MOST) return tw_fail(TW_E_OPTION, "example %s: rank= up to %d", what, TW_RANK_MOST);
    if (w->workers > 4096) return tw_fail(TW_E_OPTION, "example %s: 1 to 4096 workers", what);
    return 0;
}

struct made {
    struct tw_recorded *r;
    double t;
    int e;
    unsigned long id;
};

static void task(struct made *m, const char *name, unsigned color, double seconds, int i, int j, int k, int priority)
{
    struct tw_record t = {.name = name,
                          .color = color,
                          .end = seconds,
                          .flops = 1e9 * seconds / m->t,
                          .priority = priority,
                          .coord = {i, j, k, -1},
                          .type = TW_DOUBLE,
                          .id = m->id++};
    if (!m->e) m->e = tw_recorded_add_task(m->r, &t);
}
static void after(struct made *m, long before)
{
    if (!m->e && before >= 0) m->e = tw_recorded_add_edge(m->r, (unsigned)before);
}

static void make_cholesky(struct made *m, long nt)
{
    long *writer = malloc((size_t)(nt * nt) * sizeof *writer), at = 0;

    if (!writer) m->e = tw_fail(TW_E_MEMORY, "no memory for an example");
    for (long k = 0; !m->e && k < nt * nt; k++)
        writer[k] = -1;
#define WRITER(i, j) writer[(i)*nt + (j)]
    for (long k = 0; !m->e && k < nt; k++) {
        const int left = (int)(3 * (nt - k));
        task(m, "potrf", 0xD62728, m->t / 3, (int)k, (int)k, -1, left);
        after(m, WRITER(k, k)), WRITER(k, k) = at++;
        for (long i = k + 1; i < nt; i++) {
            task(m, "trsm", 0x9467BD, m->t, (int)i, (int)k, -1, left - 1);
            after(m, WRITER(k, k)), after(m, WRITER(i, k)), WRITER(i, k) = at++;
        }
        for (long j = k + 1; j < nt; j++) {
            task(m, "syrk", 0xFF7F0E, m->t, (int)j, (int)j, (int)k, left - 2);
            after(m, WRITER(j, k)), after(m, WRITER(j, j)), WRITER(j, j) = at++;
            for (long i = j + 1; i < nt; i++) {
                task(m, "gemm", 0x2CA02C, 2 * m->t, (int)i, (int)j, (int)k, left - 2);
                after(m, WRITER(i, k)), after(m, WRITER(j, k)), after(m, WRITER(i, j)), WRITER(i, j) = at++;
            }
        }
    }
#undef WRITER
    free(writer);
}

static void make(struct made *m, const char *kind, const struct wish *w)
{
    if (!strcmp(kind, "cholesky")) {
        make_cholesky(m, w->nt);
        return;
    }
    if (!strcmp(kind, "fork")) task(m, "fork", 0xD62728, w->t, -1, -1, -1, 0);
    for (long k = 0; k < w->n && !m->e; k++) {
        task(m, !strcmp(kind, "chain") || !strcmp(kind, "values") ? "step" : "leaf", 0x2CA02C, w->t, (int)k, -1, -1, 0);
        if (!strcmp(kind, "fork")) after(m, 0);
        if (!strcmp(kind, "chain") || !strcmp(kind, "values")) after(m, k - 1);
        if (!strcmp(kind, "values") && k > 0 && !m->e) m->r->records[k].values = 1;
    }
    if (strcmp(kind, "fork") != 0) return;
    task(m, "join", 0x9467BD, w->t, -1, -1, -1, 0);
    for (long k = 0; k < w->n && !m->e; k++)
        after(m, k + 1);
}

static double whole_ns(double seconds)
{
    return 1e-9 * round(1e9 * seconds); /* as a file keeps it: the same order when it is read */
}

/* Files hold no later times. */
static int too_long(double seconds)
{
    return seconds < 2e9 ? 0 : TW_E_OPTION;
}

/* When and where they run; wait: what is submitted when a value is there is so much later. */
static int run(struct tw_recorded *r, int workers, double wait)
{
    struct tw_schedule_task *s = calloc(r->nrecords + 1, sizeof *s);
    double last;
    int e = s ? 0 : tw_fail(TW_E_MEMORY, "no memory for an example");

    for (size_t k = 0; !e && k < r->nrecords; k++)
        s[k] = (struct tw_schedule_task){.seconds = r->records[k].end,
                                         .rank = r->records[k].priority,
                                         .delay = wait,
                                         .values = r->records[k].values};
    if (!e) e = tw_schedule(s, r->nrecords, r->first_edge, r->edge, NULL, (const int[2]){workers, 0}, &last);
    if (!e) e = too_long(last);
    for (size_t k = 0; !e && k < r->nrecords; k++) {
        if (r->records[k].values) r->records[k].submit = whole_ns(s[k].submit);
        r->records[k].start = whole_ns(s[k].start);
        r->records[k].end = whole_ns(s[k].start + s[k].seconds);
        r->records[k].worker = s[k].worker;
    }
    free(s);
    return e;
}

/* Each fetches something from main memory first, over the GPU's one link. Time 0 would mean "not known": all is
 * submitted some time behind it. */
static int run_with_transfers(struct tw_recorded *r, int workers, double seconds)
{
    const size_t n = r->nrecords;
    const double submit = 1e-3;
    struct tw_schedule_task *s = calloc(n + 1, sizeof *s);
    struct tw_schedule_move *move = calloc(n + 1, sizeof *move);
    size_t *first = calloc(n + 2, sizeof *first);
    double last;
    int e = s && move && first ? 0 : tw_fail(TW_E_MEMORY, "no memory for an example");

    for (size_t k = 0; !e && k < n; k++) {
        s[k] = (struct tw_schedule_task){.seconds = r->records[k].end, .kind = 1};
        move[k].seconds = seconds;
        first[k + 1] = k + 1;
    }
    if (!e)
        e = tw_schedule(s, n, NULL, NULL, &(struct tw_schedule_moves){first, move, 1, 0, workers},
                        (const int[2]){0, workers}, &last);
    if (!e) e = too_long(submit + last);
    for (size_t k = 0; !e && k < n; k++) {
        struct tw_record *t = &r->records[k];
        t->submit = t->ready = submit;
        t->taken = whole_ns(submit + s[k].taken);
        t->loaded = t->start = whole_ns(submit + s[k].start);
        t->end = whole_ns(submit + s[k].start + s[k].seconds);
        t->worker = s[k].worker;
        e = tw_recorded_add_transfer(
            r, &(struct tw_transfer){t->taken, t->loaded, 8e6, -1, 0, t->id + 1, 1}); /* a tile of order 1000 */
    }
    free(s), free(move), free(first);
    return e;
}

int tw_recorded_example(tw_recorded **recorded, const char *what)
{
    static const char *const kinds[] = {"chain", "independent", "fork", "cholesky", "transfers", "values"};
    enum { CHOLESKY = 3, TRANSFERS, VALUES, KINDS };
    struct wish w = {10, 8, 1, 0, 1e-3, 0, 0};
    struct made m = {0};
    const char *why = NULL;
    int kind = 0;
    char name[48];

    tw_clear_message();
    if (!recorded) return tw_illegal("tw_recorded_example", 1, "NULL");
    *recorded = NULL;
    if (!what) return tw_illegal("tw_recorded_example", 2, "NULL");
    while (kind < KINDS &&
           (strncmp(what, kinds[kind], strlen(kinds[kind])) != 0 || !strchr(":", what[strlen(kinds[kind])])))
        kind++;
    if (kind == KINDS)
        return tw_fail(
            TW_E_OPTION,
            "example %s: expected chain, independent, fork, cholesky, transfers or values, and :KEY=VALUE,...", what);
    what += strlen(kinds[kind]);
    if ((m.e = parse(kinds[kind], what + (*what == ':'), &w))) return m.e;
    if (kind == CHOLESKY ? w.nt > 227 : w.n > MOST - 2)
        return tw_fail(TW_E_OPTION, "example %s: more than %d tasks", kinds[kind], MOST);
    m.t = w.t;
    if ((m.e = tw_recorded_new(&m.r))) return m.e;
    make(&m, kinds[kind], &w);
    for (long k = 0; k < w.workers && !m.e; k++) {
        snprintf(name, sizeof name, kind == TRANSFERS ? "GPU 0 stream %ld" : "CPU %ld", k);
        m.e = tw_recorded_add_worker(m.r, name, strlen(name), kind == TRANSFERS, kind == TRANSFERS ? 0 : (int)k);
    }
    if (!m.e) m.e = tw_names_add(&m.r->routines, kinds[kind], strlen(kinds[kind]));
    if (!m.e) m.e = tw_recorded_add_fact(m.r, "machine", 7, "made up", 7);
    if (!m.e) m.e = tw_recorded_add_fact(m.r, "scheduler", 9, "list", 4);
    if (!m.e) m.e = tw_recorded_add_fact(m.r, "command", 7, kinds[kind], strlen(kinds[kind]));
    snprintf(name, sizeof name, "%ld", w.rank);
    if (!m.e) m.e = tw_recorded_add_fact(m.r, "rank", 4, name, strlen(name));
    if (!m.e) m.e = tw_recorded_add_fact(m.r, "began ns since 1970", 19, "0", 1);
    if (!m.e && kind == TRANSFERS)
        m.e = run_with_transfers(m.r, (int)w.workers, w.move > 0 ? w.move : w.t / 2);
    else if (!m.e)
        m.e = run(m.r, (int)w.workers, kind != VALUES ? 0 : w.wait > 0 ? w.wait : w.t / 2);
    if (!m.e) m.e = tw_recorded_finish(m.r, &why);
    if (!m.e) {
        *recorded = m.r;
        return 0;
    }
    tw_recorded_destroy(m.r); /* which forgets what was said */
    if (m.e == TW_E_OPTION)
        return tw_fail(m.e, "example %s: it takes 2e9 s or more, which no recording holds", kinds[kind]);
    return m.e == TW_E_MEMORY ? tw_fail(m.e, "no memory for an example") : m.e;
}
