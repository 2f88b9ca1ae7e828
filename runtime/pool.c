/* The pool of pinned memory: what a matrix gives back serves the next one, since pinning is slow (2.5 s for 4.4 GB). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/internal.h"

struct slab {
    void *base;
    size_t bytes;
    struct slab *next;
};
static struct slab *idle; /* freed slabs, newest first; they are not counted as taken, since they can be given up */
static double idle_bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t rounded(size_t bytes)
{
    return (bytes + 4095) & ~(size_t)4095;
}
/* With GPUs memory is pinned by StarPU; without, plain aligned memory does (starpu_malloc would do the same). */
static int pinned(void)
{
    return tw_rt.ncuda > 0;
}

static void *take(size_t bytes)
{
    void *p = NULL;
    if (pinned()) {
        if (starpu_malloc_flags(&p, bytes, STARPU_MALLOC_PINNED) != 0) return NULL;
        return p;
    }
    if (posix_memalign(&p, bytes >= 2 << 20 ? 2 << 20 : 64, bytes) != 0) return NULL;
    if (bytes >= 8 << 20) madvise(p, bytes, MADV_HUGEPAGE); /* advice only: its failure means small pages */
    return p;
}
static void drop(void *p, size_t bytes)
{
    if (pinned())
        starpu_free_flags(p, bytes, STARPU_MALLOC_PINNED);
    else
        free(p);
}

void *tw_pool_alloc(size_t bytes)
{
    void *p = NULL;
    double others;

    bytes = rounded(bytes ? bytes : 1);
    pthread_mutex_lock(&lock);
    for (struct slab **s = &idle; *s; s = &(*s)->next)
        if ((*s)->bytes == bytes) {
            struct slab *hit = *s;
            p = hit->base;
            *s = hit->next;
            idle_bytes -= (double)bytes;
            free(hit);
            break;
        }
    others = idle_bytes;
    pthread_mutex_unlock(&lock);
    if (p) {
        tw_memory_account((double)bytes);
        return p;
    }
    if (others > 0 && tw_memory_check("an allocation", (double)bytes + others) != 0) tw_pool_clear();
    if (tw_memory_check("an allocation", (double)bytes) != 0) return NULL;
    p = take(bytes);
    if (!p) {
        tw_pool_clear();
        p = take(bytes);
    }
    if (p) tw_memory_account((double)bytes);
    return p;
}

void tw_pool_free(void *p, size_t bytes)
{
    struct slab *s;

    if (!p) return;
    bytes = rounded(bytes ? bytes : 1);
    /* Unpinned memory is cheap to get again: keep only what is costly. */
    tw_memory_account(-(double)bytes);
    s = pinned() ? malloc(sizeof *s) : NULL;
    if (!s) {
        drop(p, bytes);
        return;
    }
    *s = (struct slab){p, bytes, NULL};
    pthread_mutex_lock(&lock);
    s->next = idle;
    idle = s;
    idle_bytes += (double)bytes;
    pthread_mutex_unlock(&lock);
}

void tw_pool_clear(void)
{
    pthread_mutex_lock(&lock);
    while (idle) {
        struct slab *s = idle;
        idle = s->next;
        drop(s->base, s->bytes);
        free(s);
    }
    idle_bytes = 0;
    pthread_mutex_unlock(&lock);
}
