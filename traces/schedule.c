/* List scheduling of a graph: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17
 * (1969). */
#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "traces/analysis.h"

/* A heap of numbers, the one that `less` puts first on top. */
struct heap {
    unsigned *item;
    size_t count;
};
typedef int (*less_fn)(const struct tw_schedule_task *task, unsigned a, unsigned b);

static void push(struct heap *h, unsigned item, const struct tw_schedule_task *task, less_fn less)
{
    size_t at = h->count++;

    for (; at > 0 && less(task, item, h->item[(at - 1) / 2]); at = (at - 1) / 2)
        h->item[at] = h->item[(at - 1) / 2];
    h->item[at] = item;
}

static unsigned pop(struct heap *h, const struct tw_schedule_task *task, less_fn less)
{
    const unsigned top = h->item[0], item = h->item[--h->count];
    size_t at = 0, child;

    for (; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && less(task, h->item[child + 1], h->item[child])) child++;
        if (!less(task, h->item[child], item)) break;
        h->item[at] = h->item[child];
    }
    h->item[at] = item;
    return top;
}

static int more_urgent(const struct tw_schedule_task *task, unsigned a, unsigned b)
{
    return task[a].rank != task[b].rank ? task[a].rank > task[b].rank : a < b;
}
static int ends_sooner(const struct tw_schedule_task *task, unsigned a, unsigned b)
{
    const double x = task[a].start + task[a].seconds, y = task[b].start + task[b].seconds;
    return x != y ? x < y : a < b;
}
static int submitted_sooner(const struct tw_schedule_task *task, unsigned a, unsigned b)
{
    return task[a].submit != task[b].submit ? task[a].submit < task[b].submit : a < b;
}

struct run {
    struct tw_schedule_task *task;
    struct heap ready[2], running, waiting; /* waiting: predecessors done, not submitted yet */
    unsigned *left, *head, *next, *successor;
    const size_t *first;
    int *idle[2], nidle[2];
    const struct tw_schedule_moves *moves; /* NULL: none */
    double *free;                          /* when each link is */
    int devices;
};

static void release(struct run *r, unsigned k, double now)
{
    if (r->task[k].submit > now)
        push(&r->waiting, k, r->task, submitted_sooner);
    else
        push(&r->ready[r->task[k].kind], k, r->task, more_urgent);
}

static double *link_of(struct run *r, const struct tw_schedule_task *t, int link)
{
    const struct tw_schedule_moves *m = r->moves;

    if (link < 0) return NULL;
    return r->free + (link < m->links ? m->links * (t->kind ? t->worker / m->per_device : 0) + link
                                      : m->links * r->devices + link - m->links);
}

/* When all is there that task k waits for. */
static double arrives(struct run *r, unsigned k, double now)
{
    const struct tw_schedule_moves *m = r->moves;
    double t = now;

    for (size_t i = m ? m->first[k] : 0; m && i < m->first[k + 1]; i++) {
        double *link = link_of(r, &r->task[k], m->move[i].link);
        const double end = (link ? fmax(now, *link) : now) + m->move[i].seconds;
        if (link) *link = end;
        t = fmax(t, end);
    }
    return t;
}

static void start_some(struct run *r, double now)
{
    for (int kind = 0; kind < 2; kind++)
        while (r->nidle[kind] > 0 && r->ready[kind].count > 0) {
            const unsigned k = pop(&r->ready[kind], r->task, more_urgent);
            r->task[k].worker = r->idle[kind][--r->nidle[kind]];
            r->task[k].taken = now;
            r->task[k].start = arrives(r, k, now);
            push(&r->running, k, r->task, ends_sooner);
        }
}

/* The next moment at which something ends or is submitted. */
static size_t go_on(struct run *r, double *now)
{
    const double ends =
        r->running.count ? r->task[r->running.item[0]].start + r->task[r->running.item[0]].seconds : INFINITY;
    const double comes = r->waiting.count ? r->task[r->waiting.item[0]].submit : INFINITY;
    size_t ended = 0;

    *now = fmin(ends, comes);
    while (r->waiting.count && r->task[r->waiting.item[0]].submit <= *now) {
        const unsigned k = pop(&r->waiting, r->task, submitted_sooner);
        push(&r->ready[r->task[k].kind], k, r->task, more_urgent);
    }
    while (r->running.count && r->task[r->running.item[0]].start + r->task[r->running.item[0]].seconds <= *now) {
        const unsigned k = pop(&r->running, r->task, ends_sooner);
        const int kind = r->task[k].kind;
        r->idle[kind][r->nidle[kind]++] = r->task[k].worker;
        ended++;
        for (unsigned i = r->head ? r->head[k] : 0; i; i = r->next[i - 1]) {
            struct tw_schedule_task *next = &r->task[r->successor[i - 1]];
            const int value = i - 1 - r->first[r->successor[i - 1]] < next->values;
            next->submit = fmax(next->submit, *now + (value ? next->delay : r->task[k].release));
            if (--r->left[r->successor[i - 1]] == 0) release(r, r->successor[i - 1], *now);
        }
    }
    return ended;
}

static int link_up(struct run *r, size_t n, const size_t *first, const unsigned *edge)
{
    const size_t m = first[n];

    r->first = first;
    r->head = calloc(n + 1, sizeof *r->head);
    r->next = malloc((m + 1) * sizeof *r->next);
    r->successor = malloc((m + 1) * sizeof *r->successor);
    if (!r->head || !r->next || !r->successor) return -1;
    for (size_t k = 0; k < n; k++)
        for (size_t i = first[k]; i < first[k + 1]; i++) {
            r->successor[i] = (unsigned)k;
            r->next[i] = r->head[edge[i]];
            r->head[edge[i]] = (unsigned)i + 1;
            r->left[k]++;
        }
    return 0;
}

int tw_schedule(struct tw_schedule_task *task, size_t n, const size_t *first, const unsigned *edge,
                const struct tw_schedule_moves *moves, const int workers[2], double *seconds)
{
    struct run r = {.task = task,
                    .moves = moves,
                    .devices = moves ? workers[1] / moves->per_device + 1 : 0,
                    .left = calloc(n + 1, sizeof *r.left),
                    .running.item = malloc((n + 1) * sizeof(unsigned)),
                    .waiting.item = malloc((n + 1) * sizeof(unsigned))};
    size_t ended = 0;
    double now = 0;
    int e = r.left && r.running.item && r.waiting.item ? 0 : TW_E_MEMORY;

    for (int kind = 0; kind < 2; kind++) {
        r.ready[kind].item = malloc((n + 1) * sizeof(unsigned));
        r.idle[kind] = malloc(((size_t)workers[kind] + 1) * sizeof(int));
        if (!r.ready[kind].item || !r.idle[kind]) e = TW_E_MEMORY;
        for (int w = workers[kind]; !e && w > 0; w--)
            r.idle[kind][r.nidle[kind]++] = w - 1;
    }
    if (moves && !(r.free = calloc((size_t)(moves->links * r.devices + moves->others) + 1, sizeof *r.free)))
        e = TW_E_MEMORY;
    if (!e && first && link_up(&r, n, first, edge)) e = TW_E_MEMORY;
    for (size_t k = 0; !e && k < n; k++)
        if (r.left[k] == 0) release(&r, (unsigned)k, 0);
    *seconds = 0;
    while (!e && ended < n) {
        start_some(&r, now);
        if (!r.running.count && !r.waiting.count) {
            e = TW_E_FORMAT;
        } else {
            ended += go_on(&r, &now);
            *seconds = now;
        }
    }
    free(r.free), free(r.left), free(r.head), free(r.next), free(r.successor), free(r.running.item),
        free(r.waiting.item);
    for (int kind = 0; kind < 2; kind++)
        free(r.ready[kind].item), free(r.idle[kind]);
    return e == TW_E_MEMORY ? tw_fail(e, "no memory to schedule a graph") : e;
}
