/* Continuations that wait for values, and the tasks that are held back behind them.
 *
 * They form one list in the order in which the loops said them. An item may go when no earlier one that is still there
 * touches, in a way that conflicts, what it touches. Everything here happens in the thread that submits; only a value's
 * arrival comes from elsewhere. */
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <starpu.h>

#include "runtime/base/loop.h"
#include "runtime/base/sequence.h"
#include "runtime/base/state.h"
#include "runtime/data/data_private.h"
#include "runtime/data/grid.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"
#include "runtime/task/values.h"
#include "runtime/task/when.h"

enum kind { WHEN, TASK, HOME };

struct item {
    TAILQ_ENTRY(item) link;
    enum kind kind;
    struct tw_run *run; /* the routine that said it */
    const char *stage;  /* and which of its stages */
    enum tw_lane lane;
    enum tw_products products; /* and of what those of single precision are made */
    struct tw_values values;   /* that saying it waited for; WHEN, once that is asked for: and its own */
    int naccess;
    struct tw_access *access; /* TASK: the task's; WHEN: its uses, the value last; HOME: the object */
    /* WHEN */
    struct tw_sequence *seq;
    int blocked; /* behind others: its value is not asked for yet */
    int ready;   /* its value is there: under the sequence's lock */
    const void *modelled;
    tw_when_fn fn;
    tw_release_fn release; /* or NULL */
    void *args, *value;
    /* TASK */
    struct tw_task task;
    _Alignas(16) char more[]; /* accesses, arguments and moves, copied */
};

/* Which objects are touched, and how. */
struct touched {
    const void *object;
    int mode;
};
struct tw_pending {
    TAILQ_HEAD(list, item) list;
    struct item *running; /* its fn submits now: what it says goes before it */
    struct touched *set;  /* a hash table, open addressing */
    size_t room, used;
    int lost; /* no memory for the table: everything conflicts */
};

/* ---- the set of what is touched ---------------------------------------------------------------------------------- */

static struct touched *slot(const struct touched *set, size_t room, const void *object)
{
    size_t at = (size_t)(((uintptr_t)object >> 4) * 0x9e3779b97f4a7c15ull >> 20) & (room - 1);
    while (set[at].object && set[at].object != object)
        at = (at + 1) & (room - 1);
    return (struct touched *)&set[at];
}

static void set_clear(struct tw_pending *p)
{
    if (p->room) memset(p->set, 0, p->room * sizeof *p->set);
    p->used = 0;
    p->lost = 0;
}

static void set_add(struct tw_pending *p, const struct tw_access *a, int n)
{
    for (int k = 0; k < n; k++) {
        if (!a[k].data || a[k].mode == TW_SCRATCH) continue;
        if (2 * (p->used + 1) > p->room) {
            const size_t room = p->room ? 2 * p->room : 256;
            struct touched *set = calloc(room, sizeof *set);
            if (!set) {
                p->lost = 1;
                return;
            }
            for (size_t j = 0; j < p->room; j++)
                if (p->set[j].object) *slot(set, room, p->set[j].object) = p->set[j];
            free(p->set);
            p->set = set;
            p->room = room;
        }
        struct touched *t = slot(p->set, p->room, a[k].data);
        if (!t->object) p->used++;
        t->object = a[k].data;
        t->mode |= a[k].mode & TW_RW;
    }
}

static int conflicts(const struct tw_pending *p, const struct tw_access *a, int n)
{
    if (p->lost) return 1;
    for (int k = 0; k < n && p->used; k++) {
        const struct touched *t;
        if (!a[k].data || a[k].mode == TW_SCRATCH) continue;
        t = slot(p->set, p->room, a[k].data);
        if (t->object && ((t->mode | a[k].mode) & TW_W)) return 1;
    }
    return 0;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

static void hold_objects(const struct item *i, int change)
{
    for (int k = 0; k < i->naccess; k++)
        if (i->access[k].data && i->access[k].mode != TW_SCRATCH) tw_data_held(i->access[k].data, change);
}

static struct tw_pending *pending_of(struct tw_sequence *seq)
{
    if (!seq->pending && (seq->pending = calloc(1, sizeof *seq->pending))) TAILQ_INIT(&seq->pending->list);
    return seq->pending;
}

/* Append, or put before the continuation that runs. */
static void insert(struct tw_sequence *seq, struct item *i)
{
    struct tw_pending *p = seq->pending;

    i->seq = seq;
    i->run->items++;
    if (p->running)
        TAILQ_INSERT_BEFORE(p->running, i, link);
    else
        TAILQ_INSERT_TAIL(&p->list, i, link);
    hold_objects(i, 1);
    set_add(p, i->access, i->naccess);
    starpu_pthread_mutex_lock(&seq->lock);
    seq->items++;
    starpu_pthread_mutex_unlock(&seq->lock);
}

static void drop(struct tw_sequence *seq, struct item *i)
{
    struct tw_run *run = i->run;

    TAILQ_REMOVE(&seq->pending->list, i, link);
    if (i->release) i->release(i->args); /* first: what it frees may describe objects that go when nobody holds them */
    hold_objects(i, -1);
    free(i);
    tw_run_item_done(seq, run);
    starpu_pthread_mutex_lock(&seq->lock); /* last: who waits for the sequence sees all of it done */
    seq->items--;
    starpu_pthread_cond_broadcast(&seq->changed);
    starpu_pthread_mutex_unlock(&seq->lock);
}

static void *aligned(struct item *i, size_t at)
{
    return i->more + (at + 15) / 16 * 16;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static size_t bytes_of(const struct tw_data *d)
{
    return (size_t)d->m * d->elemsize;
}

static void take_value(void *to, const struct tw_data *d, const void *modelled)
{
    memcpy(to, modelled && tw_rt.config.modelled ? modelled : d->host, bytes_of(d));
}

static void ready(struct item *i)
{
    struct tw_sequence *seq = i->seq;
    starpu_pthread_mutex_lock(&seq->lock);
    i->ready = 1;
    seq->ready++;
    starpu_pthread_cond_broadcast(&seq->changed);
    starpu_pthread_mutex_unlock(&seq->lock);
}

static struct tw_data *value_object(const struct item *i)
{
    return i->access[i->naccess - 1].data;
}

static void arrived(void *arg) /* on any thread */
{
    struct item *i = arg;
    struct tw_data *d = value_object(i);

    take_value(i->value, d, i->modelled);
    starpu_data_release(tw_data_used(d));
    ready(i);
}

static void arm(struct tw_sequence *seq, struct item *i)
{
    starpu_data_handle_t handle = tw_data_handle(value_object(i));
    const struct tw_values own = tw_values_of(value_object(i));

    i->values = tw_values_after(&i->values, &own);
    i->blocked = 0;
    if (handle && starpu_data_acquire_cb(handle, STARPU_R, arrived, i) == 0) return;
    tw_loop_fail(seq, TW_E_STARPU, "a value could not be asked for");
    ready(i);
}

/* ---- letting go -------------------------------------------------------------------------------------------------- */

/* What can go, goes, now that there was what `values` says; with a failed sequence all but what StarPU still has. */
static void let_go(struct tw_sequence *seq, const struct tw_values *values)
{
    struct tw_pending *p = seq->pending;
    struct item *next;

    set_clear(p);
    for (struct item *i = TAILQ_FIRST(&p->list); i; i = next) {
        const int stopped = tw_sequence_stopped(seq) != 0;
        next = TAILQ_NEXT(i, link);
        if (i->kind == WHEN) {
            if (i->blocked && stopped) {
                drop(seq, i);
                continue;
            }
            if (i->blocked && !conflicts(p, &i->access[i->naccess - 1], 1)) {
                i->values = tw_values_after(&i->values, values);
                arm(seq, i);
            }
        } else if (stopped || !conflicts(p, i->access, i->naccess)) {
            struct tw_run *const now = seq->run;
            const char *const stage = tw_loop_in_stage(seq, i->stage);
            const enum tw_lane lane = tw_loop_in_lane(seq, i->lane);
            const struct tw_values before = *tw_values_now(seq);
            seq->run = i->run;
            seq->values = tw_values_after(&i->values, values);
            if (!stopped && i->kind == TASK) tw_submit_now(seq, &i->task);
            if (!stopped && i->kind == HOME) (void)tw_bring_home_now(seq, i->access->data);
            seq->run = now;
            seq->values = before;
            (void)tw_loop_in_stage(seq, stage);
            (void)tw_loop_in_lane(seq, lane);
            drop(seq, i);
            continue;
        }
        set_add(p, i->access, i->naccess);
    }
}

static struct item *first_ready(struct tw_sequence *seq)
{
    struct item *i = NULL;

    starpu_pthread_mutex_lock(&seq->lock);
    if (seq->ready > 0) {
        TAILQ_FOREACH(i, &seq->pending->list, link)
        if (i->kind == WHEN && i->ready) break;
        if (i) seq->ready--;
    }
    starpu_pthread_mutex_unlock(&seq->lock);
    return i;
}

/* The continuations whose values are there. */
void tw_pending_poll(struct tw_sequence *seq)
{
    struct tw_pending *p = seq->pending;
    struct item *i;

    if (!p || p->running) return;
    while ((i = first_ready(seq))) {
        struct tw_values values = i->values;
        values.since = tw_record_coming_id();
        if (!tw_sequence_stopped(seq)) {
            struct tw_run *const now = seq->run;
            const char *const stage = tw_loop_in_stage(seq, i->stage);
            const enum tw_lane lane = tw_loop_in_lane(seq, i->lane);
            const enum tw_products products = tw_loop_products(seq, i->products);
            set_clear(p);
            for (struct item *before = TAILQ_FIRST(&p->list); before != i; before = TAILQ_NEXT(before, link))
                set_add(p, before->access, before->naccess);
            const struct tw_values before = *tw_values_now(seq);
            p->running = i;
            seq->run = i->run;
            seq->values = values;
            i->fn(seq, i->value, i->args);
            values = seq->values; /* it may have read more */
            seq->run = now;
            seq->values = before;
            seq->ran = tw_values_after(&seq->ran, &values);
            (void)tw_loop_in_stage(seq, stage);
            (void)tw_loop_in_lane(seq, lane);
            (void)tw_loop_products(seq, products);
            p->running = NULL;
        }
        drop(seq, i);
        let_go(seq, &values);
    }
    if (tw_sequence_stopped(seq)) let_go(seq, &seq->values);
    if (TAILQ_EMPTY(&p->list)) {
        seq->pending = NULL;
        free(p->set);
        free(p);
    }
}

void tw_loop_settle(struct tw_sequence *seq)
{
    if (!seq->pending || seq->pending->running) return;
    seq->ran.count = 0;
    while (seq->pending && !seq->pending->running) {
        tw_pending_poll(seq);
        starpu_pthread_mutex_lock(&seq->lock);
        while (seq->items > 0 && seq->ready == 0)
            starpu_pthread_cond_wait(&seq->changed, &seq->lock);
        starpu_pthread_mutex_unlock(&seq->lock);
    }
    seq->values = tw_values_after(&seq->values, &seq->ran);
    seq->ran.count = 0;
}

/* ---- holding back ------------------------------------------------------------------------------------------------ */

static struct item *new_item(struct tw_sequence *seq, enum kind kind, int naccess, size_t more)
{
    const size_t list = (size_t)naccess * sizeof(struct tw_access);
    struct item *i = pending_of(seq) ? malloc(sizeof *i + list + more + 32) : NULL;

    if (i) {
        *i = (struct item){.kind = kind,
                           .naccess = naccess,
                           .run = tw_run_of(seq),
                           .stage = seq->stage,
                           .lane = seq->lane,
                           .products = (enum tw_products)seq->products,
                           .values = *tw_values_now(seq)};
        i->access = aligned(i, 0);
        if (i->run) return i;
        free(i);
    }
    tw_loop_fail(seq, TW_E_MEMORY, "no memory to hold a task back");
    return NULL;
}

int tw_pending_task(struct tw_sequence *seq, const struct tw_task *t)
{
    const size_t list = (size_t)t->naccess * sizeof *t->access, moves = (size_t)t->nmoves * sizeof *t->moves;
    struct item *i;

    tw_pending_poll(seq);
    if (!seq->pending || !conflicts(seq->pending, t->access, t->naccess)) return 0;
    if (!(i = new_item(seq, TASK, t->naccess, t->args_size + 16 + moves))) return 1;
    if (list) memcpy(i->access, t->access, list);
    i->task = *t;
    i->task.access = i->access;
    i->task.args = aligned(i, list);
    if (t->args_size) memcpy((void *)i->task.args, t->args, t->args_size);
    if (t->nmoves > 0) { /* the caller's, who goes on */
        i->task.moves = aligned(i, (size_t)((const char *)i->task.args - i->more) + t->args_size);
        memcpy((void *)i->task.moves, t->moves, moves);
    }
    insert(seq, i);
    return 1;
}

static int home(struct tw_sequence *seq, struct tw_data *d)
{
    const struct tw_access access = {d, TW_R};
    struct item *i;

    if (!conflicts(seq->pending, &access, 1)) return 0;
    if (!(i = new_item(seq, HOME, 1, 0))) return 1;
    *i->access = access;
    insert(seq, i);
    return 1;
}

static const struct tw_pending_hooks hooks = {.settle = tw_loop_settle, .home = home};

static int count_uses(const struct tw_use *uses, int n, struct tw_access *list)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        const struct tw_matrix *A = uses[k].matrix;
        for (size_t j = 0, tiles = A ? tw_count_tiles(A) : 0; j < tiles; j++, count++)
            if (list) list[count] = (struct tw_access){&A->objects[j], uses[k].mode};
        if (uses[k].data) {
            if (list) list[count] = (struct tw_access){uses[k].data, uses[k].mode};
            count++;
        }
    }
    return count;
}

/* 0: it is in the list. */
static int say(struct tw_sequence *seq, struct tw_data *data, const void *modelled, const struct tw_use *uses,
               int nuses, tw_when_fn fn, tw_release_fn release, const void *args, size_t size)
{
    struct item *i;
    size_t list, value;
    int n, blocked;

    if (tw_sequence_stopped(seq) || !data) return -1;
    n = count_uses(uses, nuses, NULL) + (seq->run->fence != NULL);
    list = (size_t)(n + 1) * sizeof(struct tw_access);
    value = (bytes_of(data) + 15) / 16 * 16;
    seq->hooks = &hooks;
    if (!(i = new_item(seq, WHEN, n + 1, value + size + 16))) return -1;
    (void)count_uses(uses, nuses, i->access);
    if (seq->run->fence) i->access[n - 1] = (struct tw_access){seq->run->fence, TW_R};
    i->access[n] = (struct tw_access){data, TW_R};
    i->modelled = modelled;
    i->fn = fn;
    i->release = release;
    i->value = aligned(i, list);
    i->args = (char *)i->value + value;
    if (size) memcpy(i->args, args, size);
    i->blocked = 1;
    blocked = conflicts(seq->pending, &i->access[n], 1);
    insert(seq, i);
    if (!blocked) arm(seq, i);
    return 0;
}

void tw_when_owning(struct tw_sequence *seq, struct tw_data *data, const void *modelled, const struct tw_use *uses,
                    int nuses, tw_when_fn fn, tw_release_fn release, const void *args, size_t size)
{
    if (say(seq, data, modelled, uses, nuses, fn, release, args, size)) release((void *)args);
}

void tw_when(struct tw_sequence *seq, struct tw_data *data, const void *modelled, const struct tw_use *uses, int nuses,
             tw_when_fn fn, const void *args, size_t size)
{
    (void)say(seq, data, modelled, uses, nuses, fn, NULL, args, size);
}

int tw_loop_value(struct tw_sequence *seq, struct tw_data *data, const void *modelled, void *value)
{
    const struct tw_access access = {data, TW_R};
    const void *host;

    if (seq->pending && conflicts(seq->pending, &access, 1)) {
        if (seq->pending->running) {
            tw_loop_fail(seq, TW_E_INTERNAL, "a continuation waits for a value that waits for it");
            return tw_loop_status(seq);
        }
        tw_loop_settle(seq);
    }
    if (tw_loop_status(seq)) return tw_loop_status(seq);
    struct tw_values own = tw_values_of(data);
    host = tw_data_acquire(data, 'r');
    if (!host) {
        tw_loop_fail(seq, TW_E_STARPU, "a value could not be read");
        return tw_loop_status(seq);
    }
    take_value(value, data, modelled);
    tw_data_release(data);
    own.since = tw_record_coming_id();
    seq->values = tw_values_after(tw_values_now(seq), &own);
    return tw_loop_status(seq);
}
