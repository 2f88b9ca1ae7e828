/* tw_times as JSON, and as lines for a reader. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

static void place(int number, char *text, size_t size)
{
    if (number < 0)
        snprintf(text, size, "host");
    else
        snprintf(text, size, "GPU %d", number);
}

static void tasks_by_kind(const tw_times *t, uint64_t *cpu, uint64_t *cuda)
{
    *cpu = *cuda = 0;
    for (int i = 0; i < t->devices; i++)
        *(t->device[i].is_cuda ? cuda : cpu) += t->device[i].tasks;
}

/* Bytes that crossed between main memory and GPUs beyond what each tile needs once. */
static void again(const tw_times *t, double *to, double *from)
{
    *to = -t->bytes_needed_in, *from = -t->bytes_needed_out;
    for (int i = 0; i < t->links; i++) {
        if (t->link[i].from < 0) *to += (double)t->link[i].bytes;
        if (t->link[i].to < 0) *from += (double)t->link[i].bytes;
    }
    if (*to < 0) *to = 0;
    if (*from < 0) *from = 0;
}

/* "0.3 ms" */
static const char *readable(double seconds, char text[32])
{
    if (seconds < 1e-3)
        snprintf(text, 32, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, 32, "%.1f ms", seconds * 1e3);
    else
        snprintf(text, 32, "%.2f s", seconds);
    return text;
}

/* Why the cores did what they did; "" where there is no GPU to compare with. */
static void cpu_reason(const tw_times *t, char *text, size_t size)
{
    const tw_kernel_times *k = &t->kernel[0];
    char core[32], gpu[32];
    uint64_t cpu, cuda;

    *text = 0;
    tasks_by_kind(t, &cpu, &cuda);
    if (cuda == 0 || t->kernels == 0) return;
    if (t->devices == 0 || t->device[0].is_cuda) {
        snprintf(text, size, "no CPU workers");
    } else if (cpu == 0 && k->cpu_seconds > 0) {
        snprintf(text, size, "no task on CPU: a tile %s takes a core %s and the GPU %s", k->name,
                 readable(k->cpu_seconds, core), readable(k->cuda_seconds, gpu));
    } else {
        snprintf(text, size, "%llu tasks on CPU: a tile %s takes a core %s and the GPU %s", (unsigned long long)cpu,
                 k->name, readable(k->cpu_seconds, core), readable(k->cuda_seconds, gpu));
    }
}

json_t *bench_split_json(const tw_times *t)
{
    json_t *o = json_object(), *devices = json_array(), *links = json_array(), *kernels = json_array();
    char reason[256], from[16], to[16];
    double to_gpu, from_gpu;
    uint64_t cpu, cuda;

    for (int i = 0; i < t->devices; i++) {
        const tw_device_times *d = &t->device[i];
        json_array_append_new(devices, json_pack("{s:s, s:b, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name",
                                                 d->name, "cuda", d->is_cuda, "workers", d->workers, "tasks",
                                                 (json_int_t)d->tasks, "gflop", d->flops * 1e-9, "seconds", d->seconds,
                                                 "kernels", d->kernels, "data", d->data, "runtime", d->runtime, "idle",
                                                 d->idle, "home", d->home, "in_flight", d->in_flight));
    }
    for (int i = 0; i < t->links; i++) {
        const tw_link_times *l = &t->link[i];
        place(l->from, from, sizeof from);
        place(l->to, to, sizeof to);
        json_array_append_new(links, json_pack("{s:s, s:s, s:I, s:I, s:f, s:f}", "from", from, "to", to, "bytes",
                                               (json_int_t)l->bytes, "transfers", (json_int_t)l->transfers, "bandwidth",
                                               l->bandwidth, "busy", l->busy));
    }
    for (int i = 0; i < t->kernels; i++) {
        const tw_kernel_times *k = &t->kernel[i];
        json_array_append_new(kernels, json_pack("{s:s, s:I, s:I, s:f, s:f, s:f}", "name", k->name, "cpu_tasks",
                                                 (json_int_t)k->cpu_tasks, "cuda_tasks", (json_int_t)k->cuda_tasks,
                                                 "gflop", k->flops * 1e-9, "cpu_seconds", k->cpu_seconds,
                                                 "cuda_seconds", k->cuda_seconds));
    }
    tasks_by_kind(t, &cpu, &cuda);
    cpu_reason(t, reason, sizeof reason);
    again(t, &to_gpu, &from_gpu);
    bench_put(o, "seconds", json_real(t->seconds));
    bench_put(o, "tasks", json_integer((json_int_t)t->tasks));
    bench_put(o, "cpu_tasks", json_integer((json_int_t)cpu));
    bench_put(o, "cuda_tasks", json_integer((json_int_t)cuda));
    bench_put(o, "cpu_reason", json_string(reason));
    bench_put(o, "devices", devices);
    bench_put(o, "links", links);
    bench_put(o, "kernels", kernels);
    bench_put(o, "bytes_needed_in", json_real(t->bytes_needed_in));
    bench_put(o, "bytes_needed_out", json_real(t->bytes_needed_out));
    bench_put(o, "bytes_fetched_again", json_real(cuda ? to_gpu : 0));
    bench_put(o, "bytes_written_again", json_real(cuda ? from_gpu : 0));
    bench_put(o, "area_bound", json_real(t->area_bound));
    bench_put(o, "path_bound", json_real(t->path_bound));
    bench_put(o, "transfer_bound", json_real(t->transfer_bound));
    bench_put(o, "bound", json_real(t->bound));
    bench_put(o, "over_bound", bench_real(t->seconds / t->bound));
    return o;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

void bench_split_print(const tw_times *t)
{
    char reason[256], from[16], to[16];
    double to_gpu, from_gpu;

    for (int i = 0; i < t->devices; i++) {
        const tw_device_times *d = &t->device[i];
        printf("    %-6s x%-2d kernels %5.1f %%  data %5.1f %%  runtime %5.1f %%  idle %5.1f %%  home %5.1f %%  | %llu "
               "tasks, %.2f kernels at once\n",
               d->name, d->workers, percent(d->kernels, d->seconds), percent(d->data, d->seconds),
               percent(d->runtime, d->seconds), percent(d->idle, d->seconds), percent(d->home, d->seconds),
               (unsigned long long)d->tasks, d->in_flight);
    }
    for (int i = 0; i < t->links; i++) {
        const tw_link_times *l = &t->link[i];
        place(l->from, from, sizeof from);
        place(l->to, to, sizeof to);
        printf("    %s -> %s: %.3f GB in %llu transfers, %.1f GB/s of %.1f: busy %.1f %%\n", from, to,
               (double)l->bytes * 1e-9, (unsigned long long)l->transfers,
               t->seconds > 0 ? (double)l->bytes * 1e-9 / t->seconds : 0, l->bandwidth * 1e-9, 100 * l->busy);
    }
    again(t, &to_gpu, &from_gpu);
    if (t->links)
        printf("    needed %.3f GB in, %.3f GB out; fetched again %.3f GB, written again %.3f GB\n",
               t->bytes_needed_in * 1e-9, t->bytes_needed_out * 1e-9, to_gpu * 1e-9, from_gpu * 1e-9);
    printf("    lower bounds: area %.4f s, path %.4f s, transfer %.4f s; this run took %.2f x the largest\n",
           t->area_bound, t->path_bound, t->transfer_bound, t->bound > 0 ? t->seconds / t->bound : 0);
    cpu_reason(t, reason, sizeof reason);
    if (*reason) printf("    %s\n", reason);
}
