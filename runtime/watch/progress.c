/* TILEWORK_PROGRESS=1: a bar on stderr while long work runs, by flops done, with rate and remaining time. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/stack.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/watch/watch.h"

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stop_now = PTHREAD_COND_INITIALIZER;
static int active, stopping;

static void draw(double done, double total, double rate)
{
    char bar[41];
    double share = total > 0 ? done / total : 0;
    int filled = (int)(40 * (share > 1 ? 1 : share));
    memset(bar, '.', 40);
    memset(bar, '#', (size_t)filled);
    bar[40] = 0;
    fprintf(stderr, "\r[%s] %5.1f %%  %8.1f GF/s  %6.1f s left ", bar, 100 * share, rate * 1e-9,
            rate > 0 ? (total - done) / rate : 0.0);
    fflush(stderr);
}

/* Only work that lasts is worth a bar: the first one is drawn after half a second of it. */
static void *watch(void *unused)
{
    double last = 0, rate = 0;
    int drawn = 0, busy = 0;

    (void)unused;
    tw_gate_adopt(); /* it ends before the library does */
    pthread_mutex_lock(&lock);
    while (!stopping) {
        struct timespec t;
        tw_counters c;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 250000000;
        if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
        if (pthread_cond_timedwait(&stop_now, &lock, &t) != ETIMEDOUT) continue;
        if (tw_counters_get(&c) != 0) continue;
        rate = 0.5 * rate + 0.5 * (c.flops - last) / 0.25;
        last = c.flops;
        busy = tw_awake() && c.flops_submitted > 0 && c.flops < 0.999 * c.flops_submitted ? busy + 1 : 0;
        if (busy >= 2) {
            draw(c.flops, c.flops_submitted, rate);
            drawn = 1;
        } else if (drawn && !busy) {
            fputs("\r\033[K", stderr);
            drawn = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    if (drawn) fputs("\r\033[K", stderr);
    return NULL;
}

void tw_progress_start(void)
{
    stopping = 0;
    active = pthread_create(&thread, tw_stack_attributes(), watch, NULL) == 0;
    if (!active) tw_log(TW_LOG_WARNING, "no thread for the progress bar");
}

void tw_progress_stop(void)
{
    if (!active) return;
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_cond_signal(&stop_now);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    active = 0;
}
