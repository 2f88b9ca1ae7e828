/* How much workspace CUDA kernels want: asked once for each key, on a CUDA worker, and known from then on. */
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "runtime/machine/machine.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"

struct entry {
    struct tw_workspace_key key; /* its query is NULL where the slot is free */
    size_t bytes;
};
static struct entry *table; /* open addressing; at most half full; for good */
static size_t room, used;
/* Held while a worker is asked: two threads never ask for the same key. */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static uint64_t hash(const struct tw_workspace_key *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key->query * 0x9e3779b97f4a7c15ull + (uint64_t)key->type;
    for (int k = 0; k < 4; k++)
        h = (h ^ (unsigned)key->extent.v[k]) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
    return h;
}

static int same(const struct tw_workspace_key *a, const struct tw_workspace_key *b)
{
    return a->query == b->query && a->type == b->type && !memcmp(&a->extent, &b->extent, sizeof a->extent);
}

static struct entry *slot(struct entry *in, size_t size, const struct tw_workspace_key *key)
{
    size_t at = hash(key) & (size - 1);
    while (in[at].key.query && !same(&in[at].key, key))
        at = (at + 1) & (size - 1);
    return &in[at];
}

static int grow(void)
{
    const size_t bigger = room ? 2 * room : 64;
    struct entry *t = calloc(bigger, sizeof *t);

    if (!t) return 0;
    for (size_t k = 0; k < room; k++)
        if (table[k].key.query) *slot(t, bigger, &table[k].key) = table[k];
    free(table);
    table = t;
    room = bigger;
    return 1;
}

int tw_workspace_known(const struct tw_workspace_key *key, int (*ask)(const struct tw_workspace_key *, size_t *),
                       size_t *bytes)
{
    struct entry *e;
    int status = 0;

    *bytes = 0;
    starpu_pthread_mutex_lock(&lock);
    if (room && (e = slot(table, room, key))->key.query) {
        *bytes = e->bytes;
    } else {
        status = ask(key, bytes);
        if (status)
            *bytes = 0; /* and the next one asks again */
        else if (2 * (used + 1) <= room || grow()) {
            *slot(table, room, key) = (struct entry){*key, *bytes};
            used++;
        }
    }
    starpu_pthread_mutex_unlock(&lock);
    return status;
}

void tw_workspace_forget(void)
{
    starpu_pthread_mutex_lock(&lock);
    free(table);
    table = NULL;
    room = used = 0;
    starpu_pthread_mutex_unlock(&lock);
}

struct question {
    const struct tw_workspace_key *key;
    size_t bytes;
    int status;
};
static void answer(void *arg)
{
    struct question *q = arg;
    const struct tw_cuda cuda = tw_cuda_local();
    q->status = q->key->query(&cuda, q->key->type, &q->key->extent, &q->bytes);
}

static int ask_worker(const struct tw_workspace_key *key, size_t *bytes)
{
    struct question q = {.key = key};
    unsigned worker = 0;

    while (worker < starpu_worker_get_count() && starpu_worker_get_type((int)worker) != STARPU_CUDA_WORKER)
        worker++;
    starpu_execute_on_specific_workers(answer, &q, 1, &worker, "tw_workspace");
    *bytes = q.bytes;
    return q.status;
}

size_t tw_cuda_workspace(tw_workspace_fn query, enum tw_type type, struct tw_extent extent)
{
    const struct tw_workspace_key key = {query, type, extent};
    size_t bytes = 0;
    int status;

    if (tw_rt.ncuda == 0) return 0;
    if ((status = tw_workspace_known(&key, ask_worker, &bytes)))
        tw_log(TW_LOG_ERROR, "a GPU workspace query failed: %s", tw_cuda_text(status));
    return bytes;
}
