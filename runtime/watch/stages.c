/* Stages: what tasks are for, as the routine that submits them says (tw_loop_in_stage), and when each stage's tasks
 * ran. The stages of one routine overlap, and several routines may have stages of one name. */
#include <stdio.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/facts.h"
#include "runtime/watch/watch.h"

enum { MOST = 32 };

struct tw_stage {
    const char *name;
    int running;           /* tasks, now */
    double open;           /* when the first of these began */
    double last;           /* the latest end */
    double first, seconds; /* seconds: with a task running, of what is closed */
    uint64_t cpu, cuda;
};
static struct tw_stage stages[MOST];
static int nstages;
static double origin;
static unsigned generation; /* raised by resets */
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

/* Stages stay where they are: tasks point to them. */
struct tw_stage *tw_stage_of(const char *name)
{
    struct tw_stage *s;
    int k = 0;

    if (!name) return NULL;
    starpu_pthread_mutex_lock(&lock);
    while (k < nstages && strcmp(stages[k].name, name) != 0)
        k++;
    if (k == nstages && nstages < MOST) stages[nstages++] = (struct tw_stage){.name = name};
    s = k < nstages ? &stages[k] : NULL;
    starpu_pthread_mutex_unlock(&lock);
    return s;
}

const char *tw_stage_name(const struct tw_stage *s)
{
    return s ? s->name : NULL;
}

unsigned tw_stage_task_begins(struct tw_stage *s)
{
    unsigned now;

    if (!s) return 0;
    starpu_pthread_mutex_lock(&lock);
    if (s->running++ == 0) s->open = s->last = tw_now();
    if (s->cpu + s->cuda == 0 && s->running == 1) s->first = s->open;
    now = generation;
    starpu_pthread_mutex_unlock(&lock);
    return now;
}

void tw_stage_task_ended(struct tw_stage *s, unsigned begun, int cuda, double end)
{
    if (!s) return;
    starpu_pthread_mutex_lock(&lock);
    if (begun == generation) { /* else it began before the last reset */
        if (cuda)
            s->cuda++;
        else
            s->cpu++;
        if (end > s->last) s->last = end;
        if (--s->running == 0) s->seconds += s->last - s->open;
    }
    starpu_pthread_mutex_unlock(&lock);
}

void tw_stages_reset(void)
{
    starpu_pthread_mutex_lock(&lock);
    for (int k = 0; k < nstages; k++) { /* names are read without the lock: they stay */
        struct tw_stage *s = &stages[k];
        s->running = 0;
        s->open = s->last = s->first = s->seconds = 0;
        s->cpu = s->cuda = 0;
    }
    origin = tw_now();
    generation++;
    starpu_pthread_mutex_unlock(&lock);
}

/* The number of the stages of which tasks have ended, in the order of their beginnings, in list. */
static int sorted(const struct tw_stage *list[MOST])
{
    int n = 0;

    for (int k = 0; k < nstages; k++) {
        int at = n;
        if (stages[k].cpu + stages[k].cuda == 0) continue;
        while (at > 0 && list[at - 1]->first > stages[k].first)
            list[at] = list[at - 1], at--;
        list[at] = &stages[k];
        n++;
    }
    return n;
}

int tw_stage_reports(tw_stage_report *r, int max)
{
    const struct tw_stage *list[MOST];
    int n;

    starpu_pthread_mutex_lock(&lock);
    n = sorted(list);
    for (int k = 0; r && k < n && k < max; k++) {
        memset(&r[k], 0, sizeof r[k]);
        snprintf(r[k].name, sizeof r[k].name, "%s", list[k]->name);
        r[k].seconds = list[k]->seconds + (list[k]->running > 0 ? list[k]->last - list[k]->open : 0);
        r[k].first_start = list[k]->first - origin;
        r[k].last_end = list[k]->last - origin;
        r[k].cpu_tasks = list[k]->cpu;
        r[k].cuda_tasks = list[k]->cuda;
    }
    starpu_pthread_mutex_unlock(&lock);
    return n;
}
