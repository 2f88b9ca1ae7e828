/* What if: the recorded graph scheduled again, with something changed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/doing.h"
#include "runtime/base/error.h"
#include "traces/analysis.h"
#include "traces/index.h"
#include "traces/links.h"
#include "traces/recorded.h"

enum order { KEPT, FIFO, PRIORITY };
enum { MOST_WORKERS = 100000 };
struct change {
    const struct tw_recording *v;
    struct tw_index kernel; /* names */
    int *of;                /* the kernel of each record */
    double *factor;         /* how many times as fast each is */
    double all, link;
    int workers[2], were[2], streams; /* streams: of a GPU */
    int at_once, bare, quiet;         /* submit=0, overhead=0, lost=0 */
    enum order order;
    unsigned given; /* of all that is no kernel: a bit each */
};

/* ---- words ------------------------------------------------------------------------------------------------------- */

static int bad(const char *word, size_t length, const char *why)
{
    return tw_fail(TW_E_OPTION, "what-if %.*s: %s", (int)(length < 80 ? length : 80), word, why);
}

static int count(const char *word, size_t length, const char *value, int *to)
{
    char *end;
    const long v = strtol(value, &end, 10);

    if (end == value || end != word + length || v < 0 || v > MOST_WORKERS)
        return bad(word, length, "expected a number of workers");
    *to = (int)v;
    return 0;
}

enum { ALL = 6, LINK };

/* Of two values for one thing, none is meant more than the other. */
static int once(struct change *c, int what, const char *word, size_t length)
{
    const unsigned before = c->given;

    c->given |= 1u << what;
    return before & 1u << what ? bad(word, length, "that is said twice") : 0;
}

static int no_kernel(const struct change *c, const char *word, size_t length)
{
    char names[200], why[360];

    tw_kernel_names(c->v, names, sizeof names);
    snprintf(why, sizeof why, "there is no such kernel, and nothing else of that name to change; there are: %s", names);
    return bad(word, length, why);
}

static int factor(struct change *c, const char *word, size_t length, const char *value)
{
    const size_t name = (size_t)(value - 1 - word);
    char *end;
    const double v = strtod(value, &end);
    int any = 0;

    if (end != value && *end == 'x') end++;
    if (end == value || end != word + length || !(v >= 1e-6) || v > 1e6)
        return bad(word, length, "expected how many times as fast, as 2x");
    if (name == 3 && !strncmp(word, "all", 3)) return once(c, ALL, word, length) ? TW_E_OPTION : (c->all = v, 0);
    if (name == 4 && !strncmp(word, "link", 4)) return once(c, LINK, word, length) ? TW_E_OPTION : (c->link = v, 0);
    for (int k = 0; k < c->kernel.count; k++) {
        if (!tw_kernel_is(c->kernel.key[k].text, (unsigned char)c->kernel.key[k].tag, word, name)) continue;
        if (c->factor[k] != 0) return bad(word, length, "that kernel is changed twice");
        c->factor[k] = v;
        any = 1;
    }
    return any ? 0 : no_kernel(c, word, length);
}

static int order(struct change *c, const char *word, size_t length)
{
    static const char *const orders[] = {"order=kept", "order=fifo", "order=priority"};

    for (int k = 0; k < 3; k++)
        if (strlen(orders[k]) == length && !strncmp(word, orders[k], length)) {
            c->order = (enum order)k;
            return 0;
        }
    return bad(word, length, "expected order=kept, order=fifo or order=priority");
}

/* submit=0 and the like: nothing but 0 has a meaning. */
static int zero(int *to, const char *word, size_t length)
{
    if (word[length - 1] != '0' || word[length - 2] != '=')
        return bad(word, length, "can be 0 only: as if it cost no time");
    *to = 1;
    return 0;
}

static int workers(struct change *c, int kind, const char *word, size_t length)
{
    if (kind && !c->were[1])
        return bad(word, length, "nothing ran on a GPU: how long these tasks would take there is not known");
    return count(word, length, strchr(word, '=') + 1, &c->workers[kind]);
}

static int begins(const char *word, const char *with)
{
    return !strncmp(word, with, strlen(with));
}

static int one_word(struct change *c, const char *word, size_t length)
{
    static const char *const names[] = {"cores=", "gpus=", "submit=", "overhead=", "lost=", "order="};
    int k = 0;

    while (k < 6 && !begins(word, names[k]))
        k++;
    if (k < 6 && once(c, k, word, length)) return TW_E_OPTION;
    switch (k) {
    case 0: return workers(c, 0, word, length);
    case 1: return workers(c, 1, word, length);
    case 2: return zero(&c->at_once, word, length);
    case 3: return zero(&c->bare, word, length);
    case 4: return zero(&c->quiet, word, length);
    case 5: return order(c, word, length);
    default: break;
    }
    if (!memchr(word, '=', length))
        return bad(word, length,
                   "expected KERNEL=2x, link=2x, cores=N, gpus=N, submit=0, overhead=0, lost=0 or "
                   "order=kept|fifo|priority");
    return factor(c, word, length, (const char *)memchr(word, '=', length) + 1);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int kind_of(const struct tw_recording *v, const struct tw_record *t)
{
    return !!v->workers[t->worker].is_cuda;
}

static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, ascending);
    return n ? 0.5 * (x[(n - 1) / 2] + x[n / 2]) : 0;
}

/* Behind those whose values its submission waited for. */
static size_t data_begin(const struct tw_recording *v, size_t i)
{
    return v->first_edge ? v->first_edge[i] + v->records[i].values : 0;
}

/* The predecessor of record i that ended last; NULL: it has none. */
static const struct tw_record *last_before(const struct tw_recording *v, size_t i)
{
    const struct tw_record *last = NULL;

    for (size_t j = data_begin(v, i); v->first_edge && j < v->first_edge[i + 1]; j++) {
        const struct tw_record *t = &v->records[v->edge[j]];
        if (v->edge[j] < i && tw_counts(v, t) && (!last || t->end > last->end)) last = t;
    }
    return last;
}

/* From the end of a task until those behind it may run: on a GPU, by whose clock it ended, the host has yet to notice.
 * One figure for each kind of worker. */
static int releases(const struct tw_recording *v, double release[2])
{
    double *late = malloc((v->nrecords + 1) * sizeof *late);

    if (!late) return tw_fail(TW_E_MEMORY, "no memory to replay a recording");
    for (int kind = 0; kind < 2; kind++) {
        size_t n = 0;
        for (size_t i = 0; i < v->nrecords; i++) {
            const struct tw_record *t = &v->records[i], *last = tw_counts(v, t) ? last_before(v, i) : NULL;
            if (last && kind_of(v, last) == kind && t->ready > 0 && last->end > t->submit)
                late[n++] = fmax(0, t->ready - last->end);
        }
        release[kind] = median(late, n);
    }
    free(late);
    return 0;
}

/* When everything that record i waits for was there. before: 1 + its worker's task before, or 0. */
static double could_start(const struct tw_recording *v, size_t i, unsigned before, double origin,
                          const double release[2])
{
    double t = fmax(origin, fmin(v->records[i].submit, v->records[i].start));

    for (size_t j = data_begin(v, i); v->first_edge && j < v->first_edge[i + 1]; j++) {
        const struct tw_record *p = &v->records[v->edge[j]];
        if (v->edge[j] < i && tw_counts(v, p)) t = fmax(t, p->end + release[kind_of(v, p)]);
    }
    return before ? fmax(t, v->records[before - 1].end) : t;
}

/* How long record i waited for its data, once taken and with all else there. */
static double data_wait(const struct tw_record *t, double could_start)
{
    return t->taken > 0 && t->loaded > 0 ? fmax(0, fmin(t->loaded, t->start) - fmax(t->taken, could_start)) : 0;
}

/* Between that moment and the start its core may have been another program's: taken[i]. What links carry is replayed by
 * itself. The rest is what a task costs beside its work, one figure for each kind of worker. */
static int overheads(const struct tw_recording *v, const unsigned *before, const struct tw_links *links, double origin,
                     const double release[2], double overhead[2], double *taken)
{
    double *gap = malloc((v->nrecords + 1) * sizeof *gap);
    unsigned char *waits = calloc(v->nrecords + 1, 1);

    if (!gap || !waits) {
        free(gap), free(waits);
        return tw_fail(TW_E_MEMORY, "no memory to replay a recording");
    }
    for (size_t k = 0; k < links->n; k++)
        waits[links->span[k].record] = 1;
    for (int kind = 0; kind < 2; kind++) {
        size_t n = 0;
        for (size_t i = 0; i < v->nrecords; i++) {
            if (!tw_counts(v, &v->records[i]) || kind_of(v, &v->records[i]) != kind) continue;
            const double could = could_start(v, i, before[i], origin, release),
                         whole =
                             fmax(0, v->records[i].start - could - (waits[i] ? data_wait(&v->records[i], could) : 0));
            taken[i] = fmin(v->records[i].lost_before, whole);
            gap[n++] = whole - taken[i];
        }
        overhead[kind] = median(gap, n);
    }
    free(gap), free(waits);
    return 0;
}

/* Waits of submission because as many tasks were under way as may be, in order, and how long they were until then. */
struct full {
    double from, to, before;
};

static int sooner(const void *a, const void *b)
{
    const struct full *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Of another machine's, or another order's, submission: this one's waits were for this one's tasks. *all: to be
 * freed. */
static int find_full(const struct tw_recording *v, struct full **all, size_t *n)
{
    double before = 0;

    *n = 0;
    if (!(*all = malloc((v->nstays + 1) * sizeof **all)))
        return tw_fail(TW_E_MEMORY, "no memory to replay a recording");
    for (size_t k = 0; k < v->nstays; k++)
        if (v->stays[k].what == TW_DOING_FULL) (*all)[(*n)++] = (struct full){v->stays[k].from, v->stays[k].to, 0};
    qsort(*all, *n, sizeof **all, sooner);
    for (size_t k = 0; k < *n; k++) {
        (*all)[k].before = before;
        before += (*all)[k].to - (*all)[k].from;
    }
    return 0;
}

static double full_until(const struct full *all, size_t n, double t)
{
    size_t low = 0, high = n; /* those that began before t */

    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (all[mid].from < t)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? all[low - 1].before + fmin(t, all[low - 1].to) - all[low - 1].from : 0;
}

/* From what a task waited for until it was submitted. */
static void subtract_full(struct tw_schedule_task *s, const struct tw_recording *v, size_t i, const struct full *all,
                          size_t n)
{
    const double until = full_until(all, n, v->records[i].submit);

    if (s->values)
        s->delay = fmax(0, s->delay - until + full_until(all, n, v->records[tw_value_before(v, i)].end));
    else
        s->submit = fmax(0, s->submit - until);
}

static double faster(const struct change *c, const struct tw_links *links, size_t record)
{
    const double own = c->factor[c->of[record]];
    return c->all * (own > 0 ? own : 1) * (links->carries[record] ? c->link : 1);
}

static double rank(const struct change *c, const struct tw_record *t, double most)
{
    if (c->order == KEPT) return -t->start;
    return (c->order == PRIORITY ? t->priority : 0) - (double)t->id / (most + 1);
}

static void prepare(const struct change *c, struct tw_schedule_task *s, const struct tw_links *links, double origin,
                    const double release[2], const double overhead[2], const double *taken)
{
    const struct tw_recording *v = c->v;
    double most = 0;

    for (size_t i = 0; i < v->nrecords; i++)
        most = fmax(most, (double)v->records[i].id);
    for (size_t i = 0; i < v->nrecords; i++) {
        const struct tw_record *t = &v->records[i];
        s[i] = (struct tw_schedule_task){.kind = c->workers[0] == 0};
        if (!tw_counts(v, t)) continue; /* takes no time, anywhere */
        s[i].kind = kind_of(v, t);
        s[i].release = c->bare ? 0 : release[s[i].kind];
        const double lost = fmin(t->lost, t->end - t->start);
        s[i].seconds = (t->end - t->start - lost) / faster(c, links, i) + (c->quiet ? 0 : lost);
        s[i].seconds += (c->bare ? 0 : overhead[s[i].kind]) + (c->quiet || c->order != KEPT ? 0 : taken[i]);
        if (tw_value_before(v, i) == SIZE_MAX) {
            s[i].submit = c->at_once ? 0 : fmax(0, fmin(t->submit, t->start) - origin);
        } else { /* when these have ended, however fast all is submitted */
            s[i].values = t->values;
            s[i].delay = c->at_once ? 0 : tw_value_delay(v, i);
        }
        s[i].rank = rank(c, t, most);
    }
}

/* With more GPUs cores get less of what both can do, which is mostly what GPUs had no time for: as long as such tasks
 * took there on average. */
static int give_to_gpus(const struct change *c, struct tw_schedule_task *s, const struct tw_links *links,
                        const double release[2], const double overhead[2])
{
    const struct tw_recording *v = c->v;
    double *sum = calloc(2 * (size_t)c->kernel.count + 2, sizeof *sum), *n = sum + c->kernel.count;

    if (!sum) return tw_fail(TW_E_MEMORY, "no memory to replay a recording");
    for (size_t i = 0; i < v->nrecords; i++) {
        const struct tw_record *t = &v->records[i];
        if (tw_counts(v, t) && kind_of(v, t)) sum[c->of[i]] += t->end - t->start, n[c->of[i]]++;
    }
    for (size_t i = 0; i < v->nrecords; i++) {
        const struct tw_record *t = &v->records[i];
        if (!tw_counts(v, t) || kind_of(v, t) || !n[c->of[i]]) continue;
        s[i].kind = 1;
        s[i].seconds = sum[c->of[i]] / n[c->of[i]] / faster(c, links, i) + (c->bare ? 0 : overhead[1]);
        s[i].release = c->bare ? 0 : release[1];
    }
    free(sum);
    return 0;
}

/* ---- in the order kept ------------------------------------------------------------------------------------------- */

static double end_of(const struct tw_schedule_task *s, size_t i)
{
    return s[i].start + s[i].seconds;
}

/* When the predecessors of record i have ended that are among the first `known`, and it is submitted: what that waited
 * for has ended, too. */
static double ready(const struct tw_recording *v, const struct tw_schedule_task *s, size_t i, size_t known)
{
    double t = s[i].submit;

    for (unsigned k = 0; k < s[i].values; k++) {
        const unsigned p = v->edge[v->first_edge[i] + k];
        if (p < known) t = fmax(t, end_of(s, p) + s[i].delay);
    }

    for (size_t j = data_begin(v, i); v->first_edge && j < v->first_edge[i + 1]; j++)
        if (v->edge[j] < known) t = fmax(t, end_of(s, v->edge[j]) + s[v->edge[j]].release);
    return t;
}

/* When its worker asks for a task's data. A GPU's worker does so while an earlier task runs: as far into that one as it
 * did. */
static double asked(const struct tw_recording *v, const struct tw_schedule_task *s, const unsigned *before,
                    const struct tw_link_span *span, size_t known)
{
    enum { DEPTH = 16 }; /* of a worker's pipeline, at most */
    const double t = ready(v, s, span->record, known);
    unsigned at = before[span->record];

    for (int k = 0; at && k < DEPTH; k++, at = before[at - 1]) {
        const struct tw_record *b = &v->records[at - 1];
        if (span->from < b->start) continue;
        const double part = b->end > b->start ? fmin(1, (span->from - b->start) / (b->end - b->start)) : 1;
        return fmax(t, s[at - 1].start + part * s[at - 1].seconds);
    }
    return t;
}

/* Each worker's tasks, and each link's transfers, in their order: no choices are left. there: room for a time of each
 * record; link: of each link. */
static double keep(const struct change *c, struct tw_schedule_task *s, const unsigned *before,
                   const struct tw_links *links, double *there, double *link)
{
    const struct tw_recording *v = c->v;
    double last = 0;
    size_t m = 0;

    for (size_t i = 0; i < v->nrecords; i++) {
        for (; m < links->n && links->span[m].to <= v->records[i].start; m++) {
            const struct tw_link_span *span = &links->span[m];
            const double t = asked(v, s, before, span, i),
                         end = (span->link < 0 ? t : fmax(t, link[span->link])) + span->seconds / c->link;
            if (span->link >= 0) link[span->link] = end;
            there[span->record] = fmax(there[span->record], end);
        }
        double t = fmax(ready(v, s, i, i), there[i]);
        if (before[i]) t = fmax(t, end_of(s, before[i] - 1));
        s[i].start = t;
        last = fmax(last, end_of(s, i));
    }
    return last;
}

static int replay_kept(const struct change *c, struct tw_schedule_task *s, const unsigned *before,
                       const struct tw_links *links, double *seconds)
{
    double *there = calloc(c->v->nrecords + 1, sizeof *there), *link = calloc((size_t)links->count + 1, sizeof *link);
    const int e = there && link ? 0 : tw_fail(TW_E_MEMORY, "no memory to replay a recording");

    if (!e) *seconds = keep(c, s, before, links, there, link);
    free(there), free(link);
    return e;
}

/* ---- by list scheduling ------------------------------------------------------------------------------------------ */

/* The spans, by their tasks. */
static int replay_anew(const struct change *c, struct tw_schedule_task *s, const struct tw_links *links,
                       double *seconds)
{
    const struct tw_recording *v = c->v;
    const size_t n = v->nrecords;
    size_t *first = calloc(n + 2, sizeof *first);
    struct tw_schedule_move *move = malloc((links->n + 1) * sizeof *move);
    int e = first && move ? 0 : tw_fail(TW_E_MEMORY, "no memory to replay a recording");

    for (size_t k = 0; !e && k < links->n; k++)
        first[links->span[k].record + 2]++;
    for (size_t i = 2; !e && i <= n; i++)
        first[i] += first[i - 1];
    for (size_t k = 0; !e && k < links->n; k++) /* first[i + 1]: where task i's next one goes */
        move[first[links->span[k].record + 1]++] =
            (struct tw_schedule_move){links->span[k].way, links->span[k].seconds / c->link};
    if (!e &&
        (e = tw_schedule(s, n, v->first_edge, v->edge,
                         links->n ? &(struct tw_schedule_moves){first, move, 2, links->ways - 2, c->streams} : NULL,
                         c->workers, seconds)) == TW_E_FORMAT)
        e = tw_fail(e, "tasks of the recording wait for each other in a circle");
    free(first), free(move);
    return e;
}

static int replay(const struct change *c, double *seconds)
{
    const struct tw_recording *v = c->v;
    struct tw_schedule_task *s = malloc((v->nrecords + 1) * sizeof *s);
    unsigned *before = calloc(v->nrecords + 1, sizeof *before), *last = calloc((size_t)v->nworkers + 1, sizeof *last);
    double origin = INFINITY, release[2] = {0, 0}, overhead[2] = {0, 0},
           *taken = calloc(v->nrecords + 1, sizeof *taken);
    struct tw_links links = {0};
    struct full *full = NULL;
    size_t nfull = 0;
    int e = s && before && last && taken ? 0 : tw_fail(TW_E_MEMORY, "no memory to replay a recording");

    for (size_t i = 0; !e && i < v->nrecords; i++) {
        const struct tw_record *t = &v->records[i];
        if (!tw_counts(v, t)) continue;
        before[i] = last[t->worker];
        last[t->worker] = (unsigned)i + 1;
        origin = fmin(origin, fmin(t->submit, t->start));
        if (c->workers[!!v->workers[t->worker].is_cuda] == 0)
            e = tw_fail(TW_E_OPTION, "what-if: no worker would be left for tasks that ran on %s",
                        v->workers[t->worker].name);
    }
    if (!e) e = tw_links_find(&links, v);
    if (!e) e = releases(v, release);
    if (!e) e = overheads(v, before, &links, origin, release, overhead, taken);
    const int kept = c->order == KEPT && c->workers[0] == c->were[0] && c->workers[1] == c->were[1];
    if (!e && !kept) e = find_full(v, &full, &nfull);
    if (!e) {
        prepare(c, s, &links, origin, release, overhead, taken);
        for (size_t i = 0; i < v->nrecords && nfull; i++)
            subtract_full(&s[i], v, i, full, nfull);
        if (c->workers[1] > c->were[1]) e = give_to_gpus(c, s, &links, release, overhead);
        if (!e) e = kept ? replay_kept(c, s, before, &links, seconds) : replay_anew(c, s, &links, seconds);
    }
    tw_links_free(&links);
    free(s), free(before), free(last), free(taken), free(full);
    return e;
}

static int find_kernels(struct change *c)
{
    const size_t n = c->v->nrecords;
    int e = (c->of = malloc((n + 1) * sizeof *c->of)) ? 0 : TW_E_MEMORY;

    for (size_t i = 0; !e && i < n; i++) {
        const char *name = c->v->records[i].name;
        if ((c->of[i] = tw_index_of(&c->kernel, name ? name : "(unnamed)", c->v->records[i].type)) < 0) e = TW_E_MEMORY;
    }
    if (!e && !(c->factor = malloc(((size_t)c->kernel.count + 1) * sizeof *c->factor))) e = TW_E_MEMORY;
    for (int k = 0; !e && k < c->kernel.count; k++)
        c->factor[k] = 0; /* nothing said: as it was */
    return e ? tw_fail(e, "no memory to replay a recording") : 0;
}

/* "gpus" are GPUs, workers their streams: as many for each as there were. */
static int count_workers(struct change *c)
{
    const struct tw_recording *v = c->v;
    struct tw_index gpus = {0};
    int e = 0;

    for (int w = 0; w < v->nworkers && !e; w++) {
        c->were[!!v->workers[w].is_cuda]++;
        if (v->workers[w].is_cuda && tw_index_of(&gpus, "", v->workers[w].device) < 0) e = TW_E_MEMORY;
    }
    c->streams = gpus.count ? c->were[1] / gpus.count : 1;
    c->workers[0] = c->were[0];
    c->workers[1] = gpus.count;
    tw_index_free(&gpus);
    return e ? tw_fail(e, "no memory to replay a recording") : 0;
}

int tw_replay(const struct tw_recording *v, const char *changes, double *seconds)
{
    struct change c = {.v = v, .all = 1, .link = 1, .streams = 1};
    int e;

    *seconds = 0;
    if (tw_recorded_is_merged(v))
        return tw_fail(TW_E_STATE,
                       "what-if: of one rank's recording only: what ranks waited for of each other is not known");
    e = find_kernels(&c);
    if (!e) e = count_workers(&c);
    for (const char *at = changes ? changes : ""; !e && *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        e = one_word(&c, at, length);
        at += length;
    }
    if (!e && c.workers[1] > MOST_WORKERS / c.streams)
        e = tw_fail(TW_E_OPTION, "what-if gpus=%d: of %d streams each that is more than %d workers", c.workers[1],
                    c.streams, MOST_WORKERS);
    if (!e) c.workers[1] *= c.streams;
    if (!e) e = replay(&c, seconds);
    tw_index_free(&c.kernel);
    free(c.of), free(c.factor);
    return e;
}

int tw_recorded_replay(const tw_recorded *r, const char *changes, double *seconds)
{
    tw_clear_message();
    if (!r) return tw_illegal("tw_recorded_replay", 1, "NULL");
    if (!seconds) return tw_illegal("tw_recorded_replay", 3, "NULL");
    *seconds = 0;
    if (r->view.nrecords == 0) return tw_fail(TW_E_STATE, "tw_recorded_replay: the recording has no tasks");
    return tw_replay(&r->view, changes, seconds);
}

/* ---- those that are always worth a look -------------------------------------------------------------------------- */

/* What stands for something else than a kernel. */
static int is_word(const char *name)
{
    static const char *const words[] = {"all", "link", "cores", "gpus", "submit", "overhead", "lost", "order"};

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(name, words[k])) return 1;
    return 0;
}

int tw_standard_change(const struct tw_recording *v, const struct tw_analysis *a, int k, char *text, size_t length)
{
    struct change c = {.v = v};
    int kernels = 0;

    if (tw_recorded_is_merged(v)) return 0;
    length = length < 100 ? length : 100;
    for (int i = 0; i < a->nkernels && kernels < 6; i++) { /* of one name in several types they are one */
        int again = strpbrk(a->kernels[i].name, ",=") || is_word(a->kernels[i].name);
        for (int j = 0; j < i; j++)
            again |= !strcmp(a->kernels[j].name, a->kernels[i].name);
        if (again || kernels++ != k) continue;
        snprintf(text, length, "%.60s=1.1x", a->kernels[i].name);
        return 1;
    }
    k -= kernels;
    if (count_workers(&c)) return TW_E_MEMORY;
    if (a->facts.transfers > 0 && k-- == 0) return snprintf(text, length, "link=2x"), 1;
    if (c.workers[0] > 0 && k-- == 0) return snprintf(text, length, "cores=%d", c.workers[0] + 1), 1;
    if (c.workers[1] > 0 && k-- == 0) return snprintf(text, length, "gpus=%d", c.workers[1] + 1), 1;
    if (k == 0) return snprintf(text, length, "order=priority"), 1;
    if (k == 1) return snprintf(text, length, "overhead=0"), 1;
    if (k == 2) return snprintf(text, length, "submit=0"), 1;
    if (k == 3) return snprintf(text, length, "overhead=0,submit=0"), 1;
    if (k == 4 && a->facts.lost + a->facts.lost_idle > 0) return snprintf(text, length, "lost=0"), 1;
    return 0;
}
