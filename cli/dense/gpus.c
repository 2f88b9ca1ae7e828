/* What each of several GPUs did of a run: their workers' counters, summed up by GPU. */
#include <jansson.h>
#include <stdio.h>

#include "cli/cli.h"

/* The library's names of workers: "GPU 1 stream 4". */
static int device_of(const tw_worker_report *w)
{
    int device;
    return w->is_cuda && sscanf(w->name, "GPU %d ", &device) == 1 ? device : -1;
}

void cli_gpus_add(struct cli_gpus *g, const tw_worker_report *w, int count)
{
    for (int i = 0; i < count; i++) {
        const int device = device_of(&w[i]);
        int k = 0;
        if (device < 0) continue;
        while (k < g->count && g->device[k] != device)
            k++;
        if (k == CLI_MOST_GPUS) continue;
        if (k == g->count) {
            g->device[k] = device;
            g->tasks[k] = 0, g->flops[k] = 0;
            g->count++;
        }
        g->tasks[k] += w[i].tasks;
        g->flops[k] += w[i].flops;
    }
}

void cli_gpus_take(struct cli_gpus *g)
{
    static tw_worker_report workers[256];
    const int count = tw_worker_reports(workers, 256);

    g->count = 0;
    cli_gpus_add(g, workers, count < 256 ? count : 256);
}

struct json_t *cli_gpus_json(const struct cli_gpus *g)
{
    json_t *list = json_array();

    for (int k = 0; k < g->count; k++)
        json_array_append_new(list, json_pack("{s:i, s:I, s:f}", "gpu", g->device[k], "tasks", (json_int_t)g->tasks[k],
                                              "flops", g->flops[k]));
    return list;
}
