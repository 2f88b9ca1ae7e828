/* PREFIX.json: Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open. Times are µs. */
#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "traces/analysis.h"
#include "traces/text.h"
#include "traces/writers.h"

/* Metadata event: the name of a process or a thread. */
static void put_name(FILE *f, const char *what, int tid, const char *name)
{
    fprintf(f, "{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"", tid, what);
    tw_put_json(f, name);
    fputs("\"}},\n", f);
}

static void put_metadata(FILE *f, const struct tw_recording *r)
{
    put_name(f, "process_name", 0, r->machine && *r->machine ? r->machine : "machine");
    for (int w = 0; w < r->nworkers; w++) {
        put_name(f, "thread_name", w + 1, r->workers[w].name);
        fprintf(f, "{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}},\n",
                w + 1, w + 1);
    }
}

/* Routines overlap, so they are async events, a track of their own. */
static void put_routines(FILE *f, const struct tw_summary *s)
{
    for (int i = 0; i < s->recording->nroutines; i++) {
        const struct tw_routine_stats *routine = &s->routines[i];
        if (!routine->all.count) continue;
        for (int end = 0; end <= 1; end++) {
            fprintf(f, "{\"ph\":\"%s\",\"cat\":\"routine\",\"id\":%d,\"pid\":1,\"tid\":0,\"ts\":%.3f,\"name\":\"",
                    end ? "e" : "b", i + 1, (end ? routine->last : routine->submitted) * 1e6);
            tw_put_json(f, s->recording->routines[i]);
            fputs("\"},\n", f);
        }
    }
}

/* So do stages: from the first start to the last end of their tasks. */
static void put_stages(FILE *f, const struct tw_summary *s)
{
    for (int i = 0; i < s->nstages; i++)
        for (int end = 0; end <= 1; end++) {
            fprintf(f, "{\"ph\":\"%s\",\"cat\":\"stage\",\"id\":%d,\"pid\":1,\"tid\":0,\"ts\":%.3f,\"name\":\"",
                    end ? "e" : "b", i + 1, (end ? s->stages[i].last : s->stages[i].first) * 1e6);
            tw_put_json(f, s->stages[i].name);
            fputs("\"},\n", f);
        }
}

/* What the program marked: nested ranges of its threads, and those of several threads overlap. */
static void put_marks(FILE *f, const struct tw_summary *s)
{
    for (size_t i = 0; i < s->recording->nmarks; i++) {
        const struct tw_mark *m = &s->recording->marks[i];
        for (int end = 0; end <= 1; end++) {
            fprintf(f, "{\"ph\":\"%s\",\"cat\":\"mark\",\"id\":%d,\"pid\":1,\"tid\":0,\"ts\":%.3f,\"name\":\"",
                    end ? "e" : "b", m->thread + 1, ((end ? m->to : m->from) - s->origin) * 1e6);
            tw_put_json(f, m->name);
            fputs("\"},\n", f);
        }
    }
}

static void put_task(FILE *f, const struct tw_summary *s, int worker, const struct tw_span *p)
{
    const struct tw_record *t = &s->recording->records[p->record];
    struct tw_work work = {1, p->to - p->from, tw_summary_flops(t)};

    fputs("{\"ph\":\"X\",\"cat\":\"task\",\"name\":\"", f);
    tw_put_json(f, s->kernels[p->kernel].label);
    fprintf(f, "\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"id\":%lu,\"type\":\"%c\"", worker + 1,
            p->from * 1e6, (p->to - p->from) * 1e6, t->id,
            tw_kernel_letter(s->kernels[p->kernel].name, s->kernels[p->kernel].type));
    fprintf(f, ",\"tile\":\"%s\",\"priority\":%d,\"flops\":%.17g,\"gflops_per_s\":%.6g,\"submitted_us\":%.3f",
            tw_coord_text(t->coord).text, t->priority, work.flops, tw_summary_rate(work),
            (tw_summary_submit(t) - s->origin) * 1e6);
    if (t->moved > 0) fprintf(f, ",\"moved_bytes\":%.17g", t->moved);
    if (t->routine >= 0 && t->routine < s->recording->nroutines) {
        fputs(",\"routine\":\"", f);
        tw_put_json(f, s->recording->routines[t->routine]);
        fputc('"', f);
    }
    if (t->stage) {
        fputs(",\"stage\":\"", f);
        tw_put_json(f, t->stage);
        fputc('"', f);
    }
    fputs("}},\n", f);
}

typedef int (*steps_fn)(const struct tw_summary *s, struct tw_running_step **steps, size_t *n);

static int put_counter(FILE *f, const struct tw_summary *s, const char *name, steps_fn of)
{
    struct tw_running_step *steps;
    size_t n;
    int status = of(s, &steps, &n);

    if (status != 0) return status;
    for (size_t i = 0; i < n; i++)
        fprintf(f, "{\"ph\":\"C\",\"pid\":1,\"name\":\"%s\",\"ts\":%.3f,\"args\":{\"tasks\":%.4g}},\n", name,
                steps[i].time * 1e6, steps[i].running);
    free(steps);
    return 0;
}

static void put_used(FILE *f, const struct tw_summary *s)
{
    for (size_t i = 0; i < s->recording->nused; i++) {
        const struct tw_used *u = &s->recording->used[i];
        fputs("{\"ph\":\"C\",\"pid\":1,\"name\":\"used memory, ", f);
        tw_put_json(f, tw_memory_name(s->recording, u->memory).text);
        fprintf(f, "\",\"ts\":%.3f,\"args\":{\"MB\":%.6g}},\n", fmax(u->time - s->origin, 0) * 1e6, u->bytes * 1e-6);
    }
}

/* Threads that submit, below the workers. */
static int put_stays(FILE *f, const struct tw_summary *s)
{
    struct tw_stay_piece *p;
    size_t n;
    int named = -1, status = tw_summary_stays(s, &p, &n);

    for (size_t i = 0; i < n; i++) {
        const int tid = s->recording->nworkers + 1 + p[i].thread;
        if (named != p[i].thread) {
            char name[100];
            snprintf(name, sizeof name, "submitting %s", tw_thread_name(s->recording, p[i].thread).text);
            put_name(f, "thread_name", tid, name);
        }
        named = p[i].thread;
        fprintf(
            f, "{\"ph\":\"X\",\"cat\":\"submission\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f},\n",
            tw_stay_name(p[i].what), tid, p[i].from * 1e6, (p[i].to - p[i].from) * 1e6);
    }
    free(p);
    return status;
}

/* Transfers overlap: async events, of the memory where they end. */
static int put_transfers(FILE *f, const struct tw_summary *s)
{
    const int memories = tw_memory_count(s->recording);
    struct tw_memory_name *name = malloc(((size_t)memories + 1) * sizeof *name);

    if (!name) return tw_fail(TW_E_MEMORY, "no memory to write a trace");
    for (int k = 0; k < memories; k++)
        name[k] = tw_memory_name(s->recording, k - 1);
    for (size_t i = 0; i < s->recording->ntransfers; i++) {
        const struct tw_transfer *t = &s->recording->transfers[i];
        for (int end = 0; end <= 1; end++) {
            fprintf(f, "{\"ph\":\"%s\",\"cat\":\"transfer\",\"id\":%zu,\"pid\":1,\"tid\":0,\"ts\":%.3f,\"name\":\"",
                    end ? "e" : "b", i + 1, ((end ? t->to : t->from) - s->origin) * 1e6);
            tw_put_json(f, name[t->source < 0 ? 0 : t->source + 1].text);
            fputs(" to ", f);
            tw_put_json(f, name[t->target < 0 ? 0 : t->target + 1].text);
            fputc('"', f);
            if (!end) fprintf(f, ",\"args\":{\"bytes\":%.17g,\"inferred\":%d}", t->bytes, t->inferred);
            fputs("},\n", f);
        }
    }
    free(name);
    return 0;
}

/* From each predecessor's end to the start. Large graphs have too many to be seen: a part has its own. */
enum { FLOWS_MOST = 200000 };

static void put_flows(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;

    if (!r->first_edge || r->nrecords > FLOWS_MOST) return;
    for (size_t i = 0; i < r->nrecords; i++)
        for (size_t j = r->first_edge[i]; j < r->first_edge[i + 1]; j++) {
            const struct tw_record *a = &r->records[r->edge[j]], *b = &r->records[i];
            if (!tw_counts(r, a) || !tw_counts(r, b) || a->end > b->start) continue; /* arrows go forward */
            const char *name = j < r->first_edge[i] + b->values ? "value" : "waits";
            fprintf(f,
                    "{\"ph\":\"s\",\"cat\":\"edge\",\"name\":\"%s\",\"id\":%zu,\"pid\":1,\"tid\":%d,\"ts\":%.3f},\n"
                    "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"edge\",\"name\":\"%s\",\"id\":%zu,\"pid\":1,\"tid\":%d,"
                    "\"ts\":%.3f},\n",
                    name, j + 1, a->worker + 1, (fmax(a->start, a->end - 1e-9) - s->origin) * 1e6, name, j + 1,
                    b->worker + 1, (b->start - s->origin) * 1e6);
        }
}

static int put_trace(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;

    fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"program\":\"tilework\",\"scheduler\":\"", f);
    tw_put_json(f, r->sched);
    fputs("\",\"machine\":\"", f);
    tw_put_json(f, r->machine);
    fprintf(f, "\",\"tasks\":\"%zu\"},\n\"traceEvents\":[\n", s->ntasks);
    put_metadata(f, r);
    put_routines(f, s);
    put_stages(f, s);
    put_marks(f, s);
    for (int w = 0; w < r->nworkers; w++)
        for (size_t i = s->first_span[w]; i < s->first_span[w + 1]; i++)
            put_task(f, s, w, &s->spans[i]);
    int status = put_transfers(f, s);
    put_flows(f, s);
    if (!status) status = put_stays(f, s);
    if (!status) status = put_counter(f, s, "running tasks", tw_summary_steps);
    if (!status) status = put_counter(f, s, "ready tasks", tw_summary_ready);
    put_used(f, s);
    /* The one event that is always there stands last, without a comma after it. */
    fputs("{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"routines\"}}\n]}\n", f);
    return status;
}

int tw_write_perfetto(const struct tw_recording *recording, const char *prefix)
{
    struct tw_summary s;
    struct tw_tracefile file;
    int status = tw_summary_make(&s, recording);

    if (status != 0) return status;
    status = tw_tracefile_open(&file, prefix, ".json");
    if (status == 0) status = tw_tracefile_close(&file, put_trace(file.out.stream, &s));
    tw_summary_free(&s);
    return status;
}
