/* Loops over columns on all cores, and inputs made that way. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bench/bench.h"

struct team {
    bench_range_fn body;
    void *context;
    tw_int n, width;
    atomic_llong next;
};
struct member {
    struct team *team;
    int number;
};

static void *work(void *arg)
{
    struct member *m = arg;
    struct team *t = m->team;

    for (;;) {
        tw_int first = atomic_fetch_add(&t->next, t->width);
        if (first >= t->n) return NULL;
        t->body(t->context, m->number, first, first + t->width < t->n ? first + t->width : t->n);
    }
}

void bench_parallel(tw_int n, tw_int width, bench_range_fn body, void *context)
{
    struct team team = {body, context, n, width, 0};
    int threads = bench_cores(), started = 0;
    pthread_t *id = bench_alloc((double)threads * sizeof *id);
    struct member *members = bench_alloc((double)threads * sizeof *members);

    for (int i = 0; i < threads; i++)
        members[i] = (struct member){&team, i};
    /* The caller is member 0; whoever could not be started is not missed. */
    while (started + 1 < threads && pthread_create(&id[started], NULL, work, &members[started + 1]) == 0)
        started++;
    work(&members[0]);
    for (int i = 0; i < started; i++)
        pthread_join(id[i], NULL);
    free(id);
    free(members);
}

struct filling {
    const tw_generator *g;
    tw_int n;
    char *a;
    atomic_int failed;
};

static void fill(void *context, int thread, tw_int first, tw_int last)
{
    struct filling *f = context;
    size_t column = (size_t)f->n * bench_sizeof(tw_generator_type(f->g));
    (void)thread;
    if (tw_generator_block(f->g, 0, first, f->n, last - first, f->a + (size_t)first * column, f->n))
        atomic_store(&f->failed, 1);
}

int bench_generate(const tw_generator *g, tw_int n, void *a)
{
    struct filling f = {g, n, a, 0};

    if (n <= 512)
        fill(&f, 0, 0, n);
    else
        bench_parallel(n, 64, fill, &f);
    return f.failed ? bench_fail("the input: %s", tw_last_message()) : 0;
}
