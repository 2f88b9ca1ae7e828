/* PREFIX.paje: the Paje format ("Paje trace file", Kergommeaux, Stein, Martin, 2003), as ViTE and pj_dump read it.
 *
 * Each worker is a container with one state, the kernel it runs; the machine has the number of running tasks as a
 * variable. Times are milliseconds, as in the Paje files that StarPU makes from FxT: the two can be compared. */
#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"
#include "traces/text.h"
#include "traces/writers.h"

/* Field names beyond Paje's own are those of StarPU's files, so that scripts written for them find theirs. */
static const char header[] =
    "%EventDef PajeDefineContainerType 1\n"
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
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 10\n"
    "% Alias string\n% Type string\n% StartContainerType string\n% EndContainerType string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeStartLink 11\n"
    "% Time date\n% Type string\n% Container string\n% StartContainer string\n% Value string\n% Key string\n"
    "% MByte double\n"
    "%EndEventDef\n"
    "%EventDef PajeEndLink 12\n"
    "% Time date\n% Type string\n% Container string\n% EndContainer string\n% Value string\n% Key string\n"
    "%EndEventDef\n";

enum what { BEGIN, END, COUNT, READY, USED, STAY, LEAVE, DEPART, ARRIVE };
struct event {
    double time;  /* seconds */
    size_t order; /* among events of one time */
    size_t index; /* of the span; of the step; of the piece; of the transfer */
    int worker;
    enum what what;
};

/* What stands in the file beside tasks. */
struct extras {
    struct tw_running_step *running, *ready;
    size_t nrunning, nready, npieces;
    struct tw_stay_piece *pieces; /* of threads */
    int threads, memories;        /* memories: main memory and GPUs, where something travels; else 0 */
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void list_extras(const struct tw_summary *s, const struct extras *b, struct event *e, size_t *n)
{
    for (size_t i = 0; i < b->nrunning; i++, ++*n)
        e[*n] = (struct event){b->running[i].time, *n, i, 0, COUNT};
    for (size_t i = 0; i < b->nready; i++, ++*n)
        e[*n] = (struct event){b->ready[i].time, *n, i, 0, READY};
    for (size_t i = 0; i < b->npieces; i++) {
        const struct tw_stay_piece *p = &b->pieces[i];
        e[*n] = (struct event){p->from, *n, i, p->thread, STAY}, ++*n;
        if (i + 1 < b->npieces && p[1].thread == p->thread && p[1].from <= p->to) continue;
        e[*n] = (struct event){p->to, *n, i, p->thread, LEAVE}, ++*n;
    }
    for (size_t i = 0; i < s->recording->nused; i++, ++*n)
        e[*n] = (struct event){s->recording->used[i].time - s->origin, *n, i, s->recording->used[i].memory + 1, USED};
    for (size_t i = 0; i < s->recording->ntransfers; i++) {
        const struct tw_transfer *t = &s->recording->transfers[i];
        e[*n] = (struct event){t->from - s->origin, *n, i, 0, DEPART}, ++*n;
        e[*n] = (struct event){t->to - s->origin, *n, i, 0, ARRIVE}, ++*n;
    }
}

static size_t list_events(const struct tw_summary *s, const struct extras *b, struct event *e)
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
    list_extras(s, b, e, &n);
    for (size_t k = 0; k < n; k++)
        e[k].time = fmax(e[k].time, 0); /* what began before the first submission */
    qsort(e, n, sizeof *e, by_time);
    return n;
}

static void put_color(FILE *f, unsigned color)
{
    fprintf(f, " \"%.3f %.3f %.3f\"\n", (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
}

static void put_types(FILE *f, const struct tw_summary *s, const struct extras *b)
{
    fputs("1 M 0 \"Machine\"\n1 W M \"Worker\"\n2 S W \"Task\"\n3 R M \"Running tasks\" \"0.2 0.4 0.7\"\n", f);
    if (b->nready) fputs("3 Q M \"Ready tasks\" \"0.8 0.5 0.1\"\n", f);
    if (b->threads)
        fputs("1 T M \"Thread\"\n2 D T \"Submission\"\n4 none D \"Elsewhere\" \"0.93 0.93 0.93\"\n4 d0 D "
              "\"submitting\" \"0.3 0.5 0.3\"\n"
              "4 d1 D \"window full\" \"0.8 0.7 0.2\"\n4 d2 D \"waiting\" \"0.7 0.7 0.8\"\n"
              "4 d3 D \"in LAPACK or BLAS\" \"0.2 0.4 0.7\"\n4 d4 D \"in FFTW\" \"0.5 0.3 0.6\"\n",
              f);
    if (b->memories)
        fputs("1 Y M \"Memory\"\n2 U Y \"Use\"\n4 there U \"There\" \"0.93 0.93 0.93\"\n10 X M Y Y \"Transfer\"\n"
              "3 V Y \"Used MB\" \"0.4 0.6 0.4\"\n4 x0 X \"timed\" \"0.1 0.1 0.1\"\n4 x1 X \"inferred\" \"0.5 0.5 "
              "0.5\"\n",
              f);
    fputs("4 idle S \"Idle\" \"0.93 0.93 0.93\"\n", f);
    for (int k = 0; k < s->nkernels; k++) {
        fprintf(f, "4 k%d S \"", k);
        tw_put_paje(f, s->kernels[k].label);
        fputc('"', f);
        put_color(f, s->kernels[k].color);
    }
}

static void put_container(FILE *f, char letter, int number, char type, const char *name, char state, const char *value)
{
    fprintf(f, "5 0.000000 %c%d %c m \"", letter, number, type);
    tw_put_paje(f, name);
    fprintf(f, "\"\n7 0.000000 %c %c%d %s\n", state, letter, number, value);
}

static void put_containers(FILE *f, const struct tw_summary *s, const struct extras *b)
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
    for (int t = 0; t < b->threads; t++)
        put_container(f, 't', t, 'T', tw_thread_name(r, t).text, 'D', "none");
    for (int y = 0; y < b->memories; y++)
        put_container(f, 'y', y, 'Y', tw_memory_name(r, y - 1).text, 'U', "there");
    for (int y = 0; r->nused && y < b->memories; y++)
        fprintf(f, "9 0.000000 V y%d 0\n", y);
    if (b->nready) fputs("9 0.000000 Q m 0\n", f);
}

static void put_task(FILE *f, const struct tw_summary *s, const struct event *e)
{
    const struct tw_span *p = &s->spans[e->index];
    const struct tw_record *t = &s->recording->records[p->record];

    fprintf(f, "8 %.6f S w%d k%d %lu \"%s\" %d %.6g %.6f\n", e->time * 1e3, e->worker, p->kernel, t->id,
            tw_coord_text(t->coord).text, t->priority, tw_summary_flops(t) * 1e-9,
            (tw_summary_submit(t) - s->origin) * 1e3);
}

static void put_event(FILE *f, const struct tw_summary *s, const struct extras *b, const struct event *e)
{
    const struct tw_transfer *t = e->what >= DEPART ? &s->recording->transfers[e->index] : NULL;
    const double ms = e->time * 1e3;

    switch (e->what) {
    case BEGIN: put_task(f, s, e); break;
    case END: fprintf(f, "7 %.6f S w%d idle\n", ms, e->worker); break;
    case COUNT: fprintf(f, "9 %.6f R m %.4g\n", ms, b->running[e->index].running); break;
    case READY: fprintf(f, "9 %.6f Q m %.4g\n", ms, b->ready[e->index].running); break;
    case USED: fprintf(f, "9 %.6f V y%d %.6g\n", ms, e->worker, s->recording->used[e->index].bytes * 1e-6); break;
    case STAY: fprintf(f, "7 %.6f D t%d d%d\n", ms, e->worker, b->pieces[e->index].what); break;
    case LEAVE: fprintf(f, "7 %.6f D t%d none\n", ms, e->worker); break;
    case DEPART:
        fprintf(f, "11 %.6f X m y%d x%d %zu %.6g\n", ms, t->source + 1, t->inferred, e->index, t->bytes * 1e-6);
        break;
    case ARRIVE: fprintf(f, "12 %.6f X m y%d x%d %zu\n", ms, t->target + 1, t->inferred, e->index); break;
    }
}

static int put_events(FILE *f, const struct tw_summary *s, const struct extras *b)
{
    struct event *e = malloc(
        (2 * (s->ntasks + b->npieces + s->recording->ntransfers) + b->nrunning + b->nready + s->recording->nused + 1) *
        sizeof *e);
    if (!e) return tw_fail(TW_E_MEMORY, "no memory to order the events of %zu tasks", s->ntasks);
    const size_t n = list_events(s, b, e);
    for (size_t i = 0; i < n; i++)
        put_event(f, s, b, &e[i]);
    free(e);
    return 0;
}

static void put_end(FILE *f, const struct tw_summary *s, const struct extras *b)
{
    double end = s->duration * 1e3;

    for (size_t i = 0; i < b->npieces; i++)
        end = fmax(end, b->pieces[i].to * 1e3);
    for (size_t i = 0; i < s->recording->ntransfers; i++)
        end = fmax(end, (s->recording->transfers[i].to - s->origin) * 1e3);
    for (size_t i = 0; i < s->recording->nused; i++)
        end = fmax(end, (s->recording->used[i].time - s->origin) * 1e3);
    for (int w = 0; w < s->recording->nworkers; w++)
        fprintf(f, "6 %.6f W w%d\n", end, w);
    for (int t = 0; t < b->threads; t++)
        fprintf(f, "6 %.6f T t%d\n", end, t);
    for (int y = 0; y < b->memories; y++)
        fprintf(f, "6 %.6f Y y%d\n", end, y);
    fprintf(f, "6 %.6f M m\n", end);
}

static int find_extras(const struct tw_summary *s, struct extras *b)
{
    int e = tw_summary_steps(s, &b->running, &b->nrunning);

    if (!e) e = tw_summary_ready(s, &b->ready, &b->nready);
    if (!e) e = tw_summary_stays(s, &b->pieces, &b->npieces);
    for (size_t i = 0; !e && i < b->npieces; i++)
        if (b->pieces[i].thread >= b->threads) b->threads = b->pieces[i].thread + 1;
    b->memories = tw_memory_count(s->recording);
    return e;
}

int tw_write_paje(const struct tw_recording *recording, const char *prefix)
{
    struct tw_summary s;
    struct tw_tracefile file;
    struct extras b = {0};
    int status = tw_summary_make(&s, recording);

    if (status != 0) return status;
    status = find_extras(&s, &b);
    if (status == 0) status = tw_tracefile_open(&file, prefix, ".paje");
    if (status == 0) {
        FILE *f = file.out.stream;
        fputs(header, f);
        put_types(f, &s, &b);
        put_containers(f, &s, &b);
        status = put_events(f, &s, &b);
        put_end(f, &s, &b);
        status = tw_tracefile_close(&file, status);
    }
    free(b.running), free(b.ready), free(b.pieces);
    tw_summary_free(&s);
    return status;
}
