/* The tables of expansions that the tasks of the multipole method need, by order: made at first use, then kept. */
#include <stdlib.h>

#include "codelets/nbody/fmm.h"
#include "kernels/nbody/cpu/tables.h"
#include "runtime/base/threads.h"

static struct kept {
    struct tw_fmm_tables *tables;
    int users;
    struct kept *next;
} * all;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

static struct kept *make(int p)
{
    struct kept *k = calloc(1, sizeof *k);

    if (k && (k->tables = tw_fmm_tables_make(p))) return k;
    free(k);
    return NULL;
}

/* Keep what is in use and one more: a time loop asks for the same order again and again. */
static void forget_unused(void)
{
    int spare = 0;
    for (struct kept **k = &all; *k;) {
        struct kept *x = *k;
        if (x->users > 0 || spare++ < 1) {
            k = &x->next;
            continue;
        }
        *k = x->next;
        tw_fmm_tables_free(x->tables);
        free(x);
    }
}

const struct tw_fmm_tables *tw_fmm_tables_get(int p)
{
    struct kept *k;

    starpu_pthread_mutex_lock(&lock);
    for (k = all; k && k->tables->p != p;)
        k = k->next;
    if (!k && (k = make(p))) {
        k->next = all;
        all = k;
    }
    if (k) k->users++;
    forget_unused();
    starpu_pthread_mutex_unlock(&lock);
    return k ? k->tables : NULL;
}

void tw_fmm_tables_put(const struct tw_fmm_tables *t)
{
    if (!t) return;
    starpu_pthread_mutex_lock(&lock);
    for (struct kept *k = all; k; k = k->next)
        if (k->tables == t) k->users--;
    starpu_pthread_mutex_unlock(&lock);
}
