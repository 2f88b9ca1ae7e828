/* A thread beside each run: the progress bar, and passing a caught signal on again to routines that started after
 * it. */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    int running, started, bar, drawn;
    double flops, begin;
    char title[64];
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .stopped = PTHREAD_COND_INITIALIZER};

static void draw(double done, double seconds)
{
    char bar[33];
    double share = watch.flops > 0 ? fmin(done / watch.flops, 1) : 0, rate = seconds > 0 ? done / seconds : 0;
    int filled = (int)(share * 32);

    memset(bar, ' ', 32);
    memset(bar, '=', (size_t)filled);
    bar[32] = 0;
    fprintf(stderr, "\r%s [%s] %3.0f %%  %7.1f Gflop/s  ", watch.title, bar, share * 100, rate * 1e-9);
    if (rate > 0) fprintf(stderr, "%.0f s left \033[K", (watch.flops - done) > 0 ? (watch.flops - done) / rate : 0);
    fflush(stderr);
    watch.drawn = 1;
}

/* A tenth of a second, or less when the run is over. 1 while it runs. */
static int pause_running(void)
{
    struct timespec until;
    int running;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&watch.lock);
    if (watch.running) pthread_cond_timedwait(&watch.stopped, &watch.lock, &until);
    running = watch.running;
    pthread_mutex_unlock(&watch.lock);
    return running;
}

static void *loop(void *unused)
{
    tw_counters c;

    (void)unused;
    while (pause_running()) {
        if (cli_interrupted()) tw_cancel_all();
        if (watch.bar && cli_seconds() - watch.begin > 0.5 && tw_counters_get(&c) == 0)
            draw(c.flops, cli_seconds() - watch.begin);
    }
    return NULL;
}

void cli_watch_start(const char *title, double flops, int bar)
{
    snprintf(watch.title, sizeof watch.title, "%s", title);
    watch.flops = flops;
    watch.bar = bar;
    watch.drawn = 0;
    watch.begin = cli_seconds();
    watch.running = 1;
    watch.started = pthread_create(&watch.thread, NULL, loop, NULL) == 0; /* without it there is no bar, no more */
}

void cli_watch_stop(void)
{
    pthread_mutex_lock(&watch.lock);
    watch.running = 0;
    pthread_cond_signal(&watch.stopped);
    pthread_mutex_unlock(&watch.lock);
    if (watch.started) pthread_join(watch.thread, NULL);
    watch.started = 0;
    if (watch.drawn) fprintf(stderr, "\r\033[K");
}
