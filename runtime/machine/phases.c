/* Where the time of starting and stopping goes. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

#define MAX_PHASES 16
static struct list {
    tw_phase phase[MAX_PHASES];
    int count;
} starting, stopping;
static struct list *current = &starting;
static double mark;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one thread starts or stops, any may ask */

static double clock_of(clockid_t id)
{
    struct timespec t;
    return clock_gettime(id, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/* Seconds since exec, to the kernel's 10 ms: field 22 of /proc/self/stat, counted behind the name, which may hold
 * anything. */
static double process_age(void)
{
    char text[1024], *p;
    FILE *f = fopen("/proc/self/stat", "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    unsigned long long ticks = 0;
    double age;

    if (f) fclose(f);
    text[n] = 0;
    p = strrchr(text, ')');
    if (!p ||
        sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
        return 0;
    age = clock_of(CLOCK_BOOTTIME) - (double)ticks / (double)sysconf(_SC_CLK_TCK);
    return age > 0 ? age : 0;
}

void tw_phases_begin(int stop)
{
    const double age = stop ? 0 : process_age();

    pthread_mutex_lock(&lock);
    current = stop ? &stopping : &starting;
    current->count = 0;
    mark = clock_of(CLOCK_MONOTONIC);
    if (!stop) current->phase[current->count++] = (tw_phase){"program before the start", age};
    pthread_mutex_unlock(&lock);
}

void tw_phase_done(const char *name)
{
    const double now = clock_of(CLOCK_MONOTONIC), seconds = now - mark;

    pthread_mutex_lock(&lock);
    if (current->count < MAX_PHASES) current->phase[current->count++] = (tw_phase){name, seconds};
    mark = now;
    pthread_mutex_unlock(&lock);
    tw_log(TW_LOG_INFO, "%s: %s %.3f s", current == &stopping ? "stop" : "start", name, seconds);
}

static int copy(const struct list *from, tw_phase *to, int max)
{
    pthread_mutex_lock(&lock);
    const int count = from->count;
    for (int k = 0; to && k < count && k < max; k++)
        to[k] = from->phase[k];
    pthread_mutex_unlock(&lock);
    return count;
}
int tw_start_phases(tw_phase *phases, int max)
{
    return copy(&starting, phases, max);
}
int tw_stop_phases(tw_phase *phases, int max)
{
    return copy(&stopping, phases, max);
}
