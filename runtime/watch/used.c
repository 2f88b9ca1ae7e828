/* Used memory over time, for recordings: of main memory what the library's pools and StarPU itself have, of a GPU what
 * StarPU has. Whoever ends a task looks, when the last look was some time ago. Of a long recording every second point
 * goes, and looks become rarer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/machine/machine.h"
#include "runtime/watch/watch.h"

enum { POINTS = 4096, MEMORIES = 64 };
#define OFTEN 1e-3 /* seconds between two looks at first */

static struct tw_used points[POINTS];
static size_t npoints;
static double last_bytes[1 + MEMORIES]; /* of main memory, and of GPUs */
static _Atomic double interval;
static _Atomic double next_look = INFINITY; /* seconds since the recording began */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

/* With the lock: of each memory every second one. */
static void thin_out(void)
{
    int keeps[1 + MEMORIES] = {0};
    size_t kept = 0;

    for (size_t k = 0; k < npoints; k++)
        if ((keeps[1 + points[k].memory] ^= 1)) {
            points[kept] = points[k];
            last_bytes[1 + points[kept].memory] = points[kept].bytes; /* what is dropped behind it is told anew */
            kept++;
        }
    npoints = kept;
    /* As far apart as those that are left: tasks may have ended less often than anybody wanted to look. */
    atomic_store(&interval, fmax(2 * atomic_load(&interval), (points[kept - 1].time - points[0].time) / (double)kept));
}

/* With the lock. */
static void look(double now)
{
    double bytes[1 + MEMORIES] = {tw_memory_accounted()};
    int known[1 + MEMORIES] = {1};

    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++) {
        const enum starpu_node_kind kind = starpu_node_get_kind(node);
        const int device = kind == STARPU_CUDA_RAM ? starpu_memory_node_get_devid(node) : -1;
        if ((kind != STARPU_CPU_RAM && kind != STARPU_CUDA_RAM) || device >= MEMORIES) continue;
        bytes[1 + device] += (double)starpu_memory_get_used(node);
        known[1 + device] = 1;
    }
    for (int k = 0; k <= MEMORIES; k++) {
        if (!known[k] || bytes[k] == last_bytes[k]) continue;
        if (npoints == POINTS) thin_out();
        points[npoints++] = (struct tw_used){now, bytes[k], k - 1};
        last_bytes[k] = bytes[k];
    }
}

void tw_used_begin(void)
{
    starpu_pthread_mutex_lock(&lock);
    npoints = 0;
    atomic_store(&interval, OFTEN);
    for (int k = 0; k <= MEMORIES; k++)
        last_bytes[k] = -1; /* the first look sees a change everywhere */
    look(0);
    atomic_store(&next_look, OFTEN);
    starpu_pthread_mutex_unlock(&lock);
}

void tw_used_end(void)
{
    atomic_store(&next_look, INFINITY);
}

void tw_used_look(double now)
{
    double next = atomic_load_explicit(&next_look, memory_order_relaxed);

    if (now < next || !atomic_compare_exchange_strong(&next_look, &next, now + atomic_load(&interval))) return;
    starpu_pthread_mutex_lock(&lock);
    look(now);
    starpu_pthread_mutex_unlock(&lock);
}

int tw_used_copy(double after, struct tw_used **out, size_t *n)
{
    size_t first = 0;

    starpu_pthread_mutex_lock(&lock);
    while (first < npoints && points[first].time <= after)
        first++;
    *n = npoints - first;
    *out = malloc((*n + 1) * sizeof **out);
    if (*out) memcpy(*out, points + first, *n * sizeof **out);
    starpu_pthread_mutex_unlock(&lock);
    return *out ? 0 : TW_E_MEMORY;
}
