/* PREFIX.paje: the Paje format ("Paje trace file", Kergommeaux, Stein, Martin, 2003), as ViTE and pj_dump read it.
 *
 * Each worker is a container with one state, the kernel it runs; the machine has the number of running tasks as a
 * variable. Times are milliseconds, as in the Paje files that StarPU makes from FxT: the two can be compared. */
#include <stdlib.h>

#include "runtime/base/error.h"
#include "traces/text.h"
#include "traces/writers.h"

/* Field names beyond Paje's own are those of StarPU's files, so that scripts written for them find theirs. */
static const char header[] = "%EventDef PajeDefineContainerType 1\n"
                             "% Alias string\n% Type string\n% Name string\n"
                             "%EndEventDef\n"
                             "%EventDef PajeDefineStateType 2\n"
                             "% Alias string\n% Type string\n% Name string\n"
                             "%EndEventDef\n"
                             "%EventDef PajeDefineVariableType 3\n"
                             "% Alias string\n% Type string\n% Name string\n% Color color\n"
                             "%EndEventDef\n"
                             "%EventDef PajeDefineEntityValue 4\n"
                             "% Alias string\n% Type string\n% Name string\n% Color color\n"
                             "%EndEventDef\n"
                             "%EventDef PajeCreateContainer 5\n"
                             "% Time date\n% Alias string\n% Type string\n% Container string\n% Name string\n"
                             "%EndEventDef\n"
                             "%EventDef PajeDestroyContainer 6\n"
                             "% Time date\n% Type string\n% Name string\n"
                             "%EndEventDef\n"
                             "%EventDef PajeSetState 7\n"
                             "% Time date\n% Type string\n% Container string\n% Value string\n"
                             "%EndEventDef\n"
                             "%EventDef PajeSetState 8\n"
                             "% Time date\n% Type string\n% Container string\n% Value string\n"
                             "% JobId string\n% Params string\n% Priority int\n% GFlop double\n% SubmitTime date\n"
                             "%EndEventDef\n"
                             "%EventDef PajeSetVariable 9\n"
                             "% Time date\n% Type string\n% Container string\n% Value double\n"
                             "%EndEventDef\n";

enum what { BEGIN, END, COUNT };
struct event {
    double time;  /* seconds */
    size_t order; /* among events of one time */
    size_t index; /* of the span; of the step */
    int worker;
    enum what what;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static size_t list_events(const struct tw_summary *s, const struct tw_running_step *steps, size_t nsteps,
                          struct event *e)
{
    size_t n = 0;

    for (int w = 0; w < s->recording->nworkers; w++) {
        size_t end = s->first_span[w + 1];
        for (size_t i = s->first_span[w]; i < end; i++) {
            e[n] = (struct event){s->spans[i].from, n, i, w, BEGIN};
            n++;
            if (i + 1 < end && s->spans[i + 1].from <= s->spans[i].to) continue; /* the next task follows at once */
            e[n] = (struct event){s->spans[i].to, n, i, w, END};
            n++;
        }
    }
    for (size_t i = 0; i < nsteps; i++, n++)
        e[n] = (struct event){steps[i].time, n, i, 0, COUNT};
    qsort(e, n, sizeof *e, by_time);
    return n;
}

static void put_color(FILE *f, unsigned color)
{
    fprintf(f, " \"%.3f %.3f %.3f\"\n", (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
}

static void put_types(FILE *f, const struct tw_summary *s)
{
    fputs("1 M 0 \"Machine\"\n1 W M \"Worker\"\n2 S W \"Task\"\n3 R M \"Running tasks\" \"0.2 0.4 0.7\"\n", f);
    fputs("4 idle S \"Idle\" \"0.93 0.93 0.93\"\n", f);
    for (int k = 0; k < s->nkernels; k++) {
        fprintf(f, "4 k%d S \"", k);
        tw_put_paje(f, s->kernels[k].label);
        fputc('"', f);
        put_color(f, s->kernels[k].color);
    }
}

static void put_containers(FILE *f, const struct tw_summary *s)
{
    const struct tw_recording *r = s->recording;

    fputs("5 0.000000 m M 0 \"Machine\"\n9 0.000000 R m 0\n", f); /* ViTE has little room for a name here */
    for (int w = 0; w < r->nworkers; w++) {
        fprintf(f, "5 0.000000 w%d W m \"", w);
        if (*r->workers[w].name)
            tw_put_paje(f, r->workers[w].name);
        else
            fprintf(f, "worker %d", w);
        fprintf(f, "\"\n7 0.000000 S w%d idle\n", w);
    }
}

static void put_task(FILE *f, const struct tw_summary *s, const struct event *e)
{
    const struct tw_span *p = &s->spans[e->index];
    const struct tw_record *t = &s->recording->records[p->record];

    fprintf(f, "8 %.6f S w%d k%d %lu \"%s\" %d %.6g %.6f\n", e->time * 1e3, e->worker, p->kernel, t->id,
            tw_coord_text(t->coord).text, t->priority, tw_summary_flops(t) * 1e-9,
            (tw_summary_submit(t) - s->origin) * 1e3);
}

static int put_events(FILE *f, const struct tw_summary *s)
{
    struct tw_running_step *steps;
    size_t nsteps, n;
    int status = tw_summary_steps(s, &steps, &nsteps);

    if (status != 0) return status;
    struct event *e = malloc((2 * s->ntasks + nsteps + 1) * sizeof *e);
    if (!e) {
        free(steps);
        return tw_fail(TW_E_MEMORY, "no memory to order the events of %zu tasks", s->ntasks);
    }
    n = list_events(s, steps, nsteps, e);
    for (size_t i = 0; i < n; i++) {
        if (e[i].what == BEGIN)
            put_task(f, s, &e[i]);
        else if (e[i].what == END)
            fprintf(f, "7 %.6f S w%d idle\n", e[i].time * 1e3, e[i].worker);
        else
            fprintf(f, "9 %.6f R m %.4g\n", e[i].time * 1e3, steps[e[i].index].running);
    }
    free(e);
    free(steps);
    return 0;
}

static void put_end(FILE *f, const struct tw_summary *s)
{
    double end = s->duration * 1e3;

    for (int w = 0; w < s->recording->nworkers; w++)
        fprintf(f, "6 %.6f W w%d\n", end, w);
    fprintf(f, "6 %.6f M m\n", end);
}

int tw_write_paje(const struct tw_recording *recording, const char *prefix)
{
    struct tw_summary s;
    struct tw_tracefile file;
    int status = tw_summary_make(&s, recording);

    if (status != 0) return status;
    status = tw_tracefile_open(&file, prefix, ".paje");
    if (status == 0) {
        FILE *f = file.out.stream;
        fputs(header, f);
        put_types(f, &s);
        put_containers(f, &s);
        status = put_events(f, &s);
        put_end(f, &s);
        status = tw_tracefile_close(&file, status);
    }
    tw_summary_free(&s);
    return status;
}
