/* The pool of pinned memory: what a matrix gives back serves the next one, since pinning is slow (2.5 s for 4.4 GB). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/base/stack.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"

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
/* With GPUs memory is pinned; without, plain aligned memory does. */
static int pinned(void)
{
    return tw_rt.ncuda > 0;
}

/* ---- getting memory: 2 MiB pages, touched by several threads, then pinned -------------------------------------------
 * cudaHostAlloc takes 2.5 s for 4.4 GB and clears the pages on one thread; and StarPU, which calls it, aborts when
 * there is no memory. */

struct share {
    volatile char *base;
    size_t bytes;
};
static void *touch(void *arg)
{
    const struct share *s = arg;
    for (size_t k = 0; k < s->bytes; k += 4096)
        s->base[k] = 0;
    return NULL;
}

#define MAX_TOUCHERS 8
/* At least 32 MiB for each thread, to be worth its start. */
static void touch_all(char *base, size_t bytes)
{
    starpu_pthread_t thread[MAX_TOUCHERS];
    struct share share[MAX_TOUCHERS];
    size_t threads = bytes >> 25, part;
    int started[MAX_TOUCHERS] = {0};

    if (threads > (size_t)tw_core_count()) threads = (size_t)tw_core_count();
    threads = threads < 1 ? 1 : threads > MAX_TOUCHERS ? MAX_TOUCHERS : threads;
    part = (bytes / threads + 4095) & ~(size_t)4095;
    for (size_t t = 0; t < threads; t++) {
        size_t from = t * part < bytes ? t * part : bytes;
        share[t] = (struct share){base + from, t + 1 < threads && from + part < bytes ? part : bytes - from};
        started[t] = t > 0 && starpu_pthread_create(&thread[t], tw_stack_attributes(), touch, &share[t]) == 0;
        if (t > 0 && !started[t]) touch(&share[t]);
    }
    touch(&share[0]);
    for (size_t t = 1; t < threads; t++)
        if (started[t]) starpu_pthread_join(thread[t], NULL);
}

static void *take(size_t bytes)
{
    void *p = NULL;
    double begin;

    /* Pages of their own: two pinned ranges may not share one. The room behind is address space that nobody writes. */
    if (posix_memalign(&p, bytes >= 2 << 20 ? 2 << 20 : pinned() ? 4096 : 64, bytes + tw_room_behind(bytes)) != 0)
        return NULL;
    if (bytes >= 8 << 20) madvise(p, bytes, MADV_HUGEPAGE); /* advice only: its failure means small pages */
    if (!pinned()) return p;
    begin = tw_now();
    touch_all(p, bytes);
    if (starpu_memory_pin(p, bytes) != 0) {
        tw_device_forget_error();
        tw_log(TW_LOG_WARNING, "%zu bytes could not be pinned: copies to and from the GPU will be slow", bytes);
    } else if (bytes >= 8 << 20) {
        tw_log(TW_LOG_INFO, "%.0f MB pinned in %.3f s", (double)bytes * 1e-6, tw_now() - begin);
    }
    return p;
}
static void drop(void *p, size_t bytes)
{
    if (pinned() && starpu_memory_unpin(p, bytes) != 0)
        tw_device_forget_error(); /* it was not pinned, or the GPU is lost */
    free(p);
}

void tw_pool_let_go(void *p, size_t bytes)
{
    bytes = rounded(bytes ? bytes : 1);
    tw_memory_account(-(double)bytes);
    if (p && pinned() && starpu_memory_unpin(p, bytes) != 0) tw_device_forget_error();
}

void *tw_pool_alloc(size_t bytes)
{
    void *p = NULL;
    double others;

    if (bytes > SIZE_MAX / 2) { /* no rounding past the end of the numbers */
        tw_fail(TW_E_MEMORY, "an allocation of %zu bytes is larger than any memory", bytes);
        return NULL;
    }
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
    if (others > 0 && tw_memory_check("an allocation", (double)bytes + others) != 0) (void)tw_pool_clear();
    if (tw_memory_check("an allocation", (double)bytes) != 0) return NULL;
    p = take(bytes);
    if (!p) {
        (void)tw_pool_clear();
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

double tw_pool_clear(void)
{
    double bytes;

    pthread_mutex_lock(&lock);
    while (idle) {
        struct slab *s = idle;
        idle = s->next;
        drop(s->base, s->bytes);
        free(s);
    }
    bytes = idle_bytes;
    idle_bytes = 0;
    pthread_mutex_unlock(&lock);
    return bytes;
}
