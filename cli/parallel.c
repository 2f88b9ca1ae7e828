/* Loops of the command's own over all cores: checks, touching arrays. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "cli/common.h"

struct loop {
    void (*body)(void *context, long k);
    void *context;
    long count;
    atomic_long next;
};

static void *work(void *p)
{
    struct loop *l = p;
    long k;

    while ((k = atomic_fetch_add(&l->next, 1)) < l->count && !cli_interrupted())
        l->body(l->context, k);
    return NULL;
}

int cli_cores(void)
{
    cpu_set_t set;
    const long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

void cli_parallel(long count, void (*body)(void *context, long k), void *context)
{
    enum { MOST = 256 };
    struct loop l = {.body = body, .context = context, .count = count};
    const int cores = cli_cores();
    pthread_t thread[MOST];
    int n = 0;

    while (n < MOST && n + 1 < cores && n + 1 < count && pthread_create(&thread[n], NULL, work, &l) == 0)
        n++;
    work(&l);
    while (n > 0)
        pthread_join(thread[--n], NULL);
}
