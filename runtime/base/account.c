/* What routines and kernels tell of themselves: small tables of names, filled from any thread, also while the library
 * does not run. */
#include "runtime/base/account.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <tilework/runtime.h>

enum { MOST = 64 };

/* Rows stay: kernels come by often and from all cores, so that only a new name takes the lock. */
struct vendor {
    const char *name;
    _Atomic uint64_t calls;
    _Atomic int64_t largest;
};
struct figure {
    const char *name;
    double value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vendor vendors[MOST];
static struct figure figures[MOST];
static atomic_int nvendors;
static int nfigures;

static struct vendor *known(const char *routine)
{
    const int n = atomic_load(&nvendors);

    for (int k = 0; k < n; k++)
        if (vendors[k].name == routine || !strcmp(vendors[k].name, routine)) return &vendors[k];
    return NULL;
}

static struct vendor *added(const char *routine)
{
    struct vendor *v;

    pthread_mutex_lock(&lock);
    v = known(routine);
    if (!v && nvendors < MOST) {
        v = &vendors[nvendors];
        v->name = routine;
        atomic_fetch_add(&nvendors, 1);
    }
    pthread_mutex_unlock(&lock);
    return v;
}

void tw_account_vendor(const char *routine, int64_t order)
{
    struct vendor *v = known(routine);
    int64_t largest;

    if (!v) v = added(routine);
    if (!v) return;
    atomic_fetch_add(&v->calls, 1);
    largest = atomic_load(&v->largest);
    while (order > largest && !atomic_compare_exchange_weak(&v->largest, &largest, order)) {}
}

void tw_account_figure(const char *name, double value)
{
    int k = 0;

    pthread_mutex_lock(&lock);
    while (k < nfigures && strcmp(figures[k].name, name) != 0)
        k++;
    if (k == nfigures && nfigures < MOST) figures[nfigures++] = (struct figure){.name = name};
    if (k < nfigures) figures[k].value = value;
    pthread_mutex_unlock(&lock);
}

void tw_account_clear(void)
{
    for (int k = 0; k < atomic_load(&nvendors); k++) {
        atomic_store(&vendors[k].calls, 0);
        atomic_store(&vendors[k].largest, 0);
    }
    pthread_mutex_lock(&lock);
    nfigures = 0;
    pthread_mutex_unlock(&lock);
}

int tw_vendor_reports(tw_vendor_report *r, int max)
{
    int count = 0;

    for (int k = 0; k < atomic_load(&nvendors); k++) {
        const uint64_t calls = atomic_load(&vendors[k].calls);
        if (!calls) continue;
        if (r && count < max) {
            memset(&r[count], 0, sizeof r[count]);
            snprintf(r[count].name, sizeof r[count].name, "%s", vendors[k].name);
            r[count].calls = calls;
            r[count].largest = atomic_load(&vendors[k].largest);
        }
        count++;
    }
    return count;
}

int tw_figure(const char *name, double *value)
{
    int found = 0;

    pthread_mutex_lock(&lock);
    for (int k = 0; name && k < nfigures && !found; k++)
        if ((found = !strcmp(figures[k].name, name)) && value) *value = figures[k].value;
    pthread_mutex_unlock(&lock);
    return found;
}
