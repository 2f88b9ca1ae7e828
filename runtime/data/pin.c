/* Arrays of the caller, pinned while a routine's tasks carry them to GPUs and back: pinned memory travels some five
 * times as fast, and while kernels run. Pinning what has been touched takes some 0.05 s per gigabyte.
 *
 * Pages are pinned, and CUDA refuses to copy what is pinned in part. So an array is pinned only if it has its pages to
 * itself, which is so of large ones from malloc (they are mapped one by one from 32 MiB on, at the latest). Smaller
 * ones travel as they are, and are listed only so that nobody pins half of them meanwhile. */
#include <stdint.h>
#include <stdlib.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"

struct range {
    uintptr_t from, to; /* whole pages */
    int users, pinned;
    struct range *next;
};
static struct range *ranges;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
#define PAGE  ((uintptr_t)4096)
#define LARGE ((size_t)32 << 20)

static struct range *add(uintptr_t from, uintptr_t to, int large)
{
    struct range *r = malloc(sizeof *r);

    if (r && (!large || tw_host_pin((void *)from, to - from) == 0)) {
        *r = (struct range){from, to, 0, large, ranges};
        return ranges = r;
    }
    tw_device_forget_error(); /* the caller computes elsewhere */
    free(r);
    return NULL;
}

/* Under the lock: 0 and the range, or none if the caller pinned it all; -1. A pinned range that holds all of it is
 * used, too; one that holds some of it is in the way. What travels as it is may share pages with its like. */
static int pin(uintptr_t first, uintptr_t last, int large, struct range **range)
{
    const uintptr_t from = first / PAGE * PAGE, to = (last / PAGE + 1) * PAGE;
    int ends;

    *range = NULL;
    for (struct range *r = ranges; r; r = r->next) {
        if (r->from <= from && to <= r->to && r->pinned) {
            *range = r;
            return 0;
        }
        if (r->from < to && from < r->to && (r->pinned || large)) return -1;
    }
    ends = tw_device_knows((const void *)first) + tw_device_knows((const void *)last);
    if (ends == 2) return 0;
    if (ends == 0) *range = add(from, to, large);
    return *range ? 0 : -1;
}

int tw_pin(const void *base, size_t bytes, struct tw_pinned *pinned)
{
    struct range *r;
    int e;

    *pinned = (struct tw_pinned){NULL};
    if (tw_rt.ncuda == 0 || bytes == 0) return -1;
    starpu_pthread_mutex_lock(&lock);
    e = pin((uintptr_t)base, (uintptr_t)base + bytes - 1, bytes >= LARGE, &r);
    if (r) r->users++;
    starpu_pthread_mutex_unlock(&lock);
    pinned->range = r;
    return e;
}

void tw_unpin(struct tw_pinned *pinned)
{
    struct range *r = pinned->range, **at = &ranges;

    if (!r) return;
    starpu_pthread_mutex_lock(&lock);
    if (--r->users == 0) {
        while (*at != r)
            at = &(*at)->next;
        *at = r->next;
        if (r->pinned && tw_host_unpin((void *)r->from)) tw_device_forget_error(); /* it stays pinned: no harm */
        free(r);
    }
    starpu_pthread_mutex_unlock(&lock);
    pinned->range = NULL;
}
