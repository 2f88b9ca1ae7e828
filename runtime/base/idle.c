/* Waiting for the library to be idle. */
#include "runtime/base/idle.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/base/gate.h"
#include "runtime/base/helper.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stop_now;
static pthread_t thread;
static int active, stopping;
static double limit;
static int (*work)(void);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* With the lock. */
static void sleep_until(double time)
{
    const struct timespec t = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
    while (!stopping && pthread_cond_timedwait(&stop_now, &lock, &t) != ETIMEDOUT) {}
}

/* No call tells this thread: a call costs one number more. */
static void *watch(void *unused)
{
    unsigned long seen = tw_gate_visits();
    double since = now();
    int done = 0;

    (void)unused;
    pthread_mutex_lock(&lock);
    while (!stopping) {
        const double next = since + limit, soon = now() + limit / 2;
        sleep_until(!done && next > now() && next < soon ? next : soon);
        if (stopping) break;
        if (tw_gate_visits() != seen || tw_gate_inside()) {
            seen = tw_gate_visits();
            since = now();
            done = 0;
        } else if (!done && now() - since >= limit) {
            pthread_mutex_unlock(&lock);
            done = work();
            pthread_mutex_lock(&lock);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int tw_idle_start(double seconds, int (*idle)(void))
{
    pthread_condattr_t clock;

    limit = seconds;
    work = idle;
    stopping = 0;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&stop_now, &clock);
    pthread_condattr_destroy(&clock);
    active = tw_helper_start(&thread, watch, NULL) == 0;
    if (!active) pthread_cond_destroy(&stop_now);
    return active;
}

void tw_idle_stop(void)
{
    if (!active) return;
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_cond_signal(&stop_now);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&stop_now);
    active = 0;
}
