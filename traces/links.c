/* Transfers as spans on their links. The recording has, for those that are inferred, the time between the task being
 * taken and its data being there; where several share a link that is the time in its queue, too. */
#include "traces/links.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "traces/analysis.h"
#include "traces/index.h"

struct place {
    unsigned long id;
    size_t record;
};

static int by_id(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_end(const void *a, const void *b)
{
    const struct tw_link_span *x = a, *y = b;

    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static int carries(const struct tw_record *t)
{
    return t->moved > 0 && !(t->flops > 0);
}

/* Tasks that count, by their numbers; copies of staged tiles have none. */
static struct place *places(const struct tw_recording *r, size_t *n)
{
    struct place *p = malloc((r->nrecords + 1) * sizeof *p);

    *n = 0;
    for (size_t i = 0; p && i < r->nrecords; i++)
        if (tw_counts(r, &r->records[i]) && (r->records[i].id || !carries(&r->records[i])))
            p[(*n)++] = (struct place){r->records[i].id, i};
    if (p) qsort(p, *n, sizeof *p, by_id);
    return p;
}

static int add_transfer(struct tw_links *l, const struct tw_recording *r, const struct tw_transfer *t, size_t record,
                        struct tw_index *pairs)
{
    const double start = r->records[record].start, to = fmin(t->to, start);
    const int link = tw_index_of(pairs, "", (t->source + 1) * 2048 + t->target + 1);

    if (link < 0) return TW_E_MEMORY;
    if (t->target < 0 && t->source + 3 > l->ways) l->ways = t->source + 3;
    if (t->source != t->target && isfinite(t->from) && isfinite(to))
        l->span[l->n++] = (struct tw_link_span){.record = record,
                                                .link = link,
                                                .way = t->target < 0   ? 2 + t->source
                                                       : t->source < 0 ? 0
                                                                       : 1,
                                                .from = fmin(t->from, to),
                                                .to = to};
    return 0;
}

/* A GPU's task that waited without a transfer of its own waited for one of another task's: it takes part in the same
 * tile. */
static void add_waits(struct tw_links *l, const struct tw_recording *r, const unsigned char *has)
{
    for (size_t i = 0; i < r->nrecords; i++) {
        const struct tw_record *t = &r->records[i];
        if (has[i] || !tw_counts(r, t) || !r->workers[t->worker].is_cuda) continue;
        if (t->taken > 0 && t->loaded > t->taken && t->loaded <= t->start)
            l->span[l->n++] = (struct tw_link_span){i, -1, -1, t->taken, t->loaded, t->loaded - t->taken};
    }
}

static int one_after_another(struct tw_links *l)
{
    double *last = malloc(((size_t)l->count + 1) * sizeof *last);

    if (!last) return TW_E_MEMORY;
    for (int k = 0; k < l->count; k++)
        last[k] = -INFINITY;
    qsort(l->span, l->n, sizeof *l->span, by_end);
    for (size_t k = 0; k < l->n; k++) {
        struct tw_link_span *s = &l->span[k];
        if (s->link < 0) continue;
        s->seconds = s->to - fmax(s->from, fmin(last[s->link], s->to));
        last[s->link] = s->to;
    }
    free(last);
    return 0;
}

int tw_links_find(struct tw_links *l, const struct tw_recording *r)
{
    struct tw_index pairs = {0};
    unsigned char *has = calloc(r->nrecords + 1, 1);
    struct place *all = NULL;
    size_t n = 0;
    int e = has ? 0 : TW_E_MEMORY, waits = 0;

    *l = (struct tw_links){.ways = 2, .carries = calloc(r->nrecords + 1, 1)};
    if (!l->carries) e = TW_E_MEMORY;
    if (!e && r->ntransfers) {
        l->span = malloc((r->ntransfers + r->nrecords + 1) * sizeof *l->span);
        if (!l->span || !(all = places(r, &n))) e = TW_E_MEMORY;
    }
    for (size_t k = 0; !e && k < r->ntransfers; k++) {
        const struct tw_transfer *t = &r->transfers[k];
        const struct place key = {.id = t->task - 1}, *found = NULL;
        if (t->inferred && t->task) found = bsearch(&key, all, n, sizeof *all, by_id);
        if (!found) continue; /* a task's that carried it: below; or its task is not in the recording */
        e = add_transfer(l, r, t, found->record, &pairs);
        has[found->record] = 1, waits = 1;
    }
    for (size_t i = 0; !e && r->ntransfers && i < r->nrecords; i++)
        l->carries[i] = (unsigned char)carries(&r->records[i]);
    l->count = pairs.count;
    if (!e && waits) add_waits(l, r, has);
    if (!e && l->n) e = one_after_another(l);
    tw_index_free(&pairs);
    free(has), free(all);
    if (e) tw_links_free(l);
    return e ? tw_fail(TW_E_MEMORY, "no memory to replay a recording") : 0;
}

void tw_links_free(struct tw_links *l)
{
    free(l->span), free(l->carries);
    *l = (struct tw_links){0};
}
