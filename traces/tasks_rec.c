/* Reading StarPU's tasks.rec: a text of lines "Key: value", a blank line behind each job. Jobs that ran on a worker are
 * tasks; what others stand for (data acquired by the program, barriers) only passes dependencies on. Keys that mean
 * nothing here are passed over. As for .tw files nothing is believed: memory grows with what was read, and an error
 * says at which byte. */
#include "traces/tasks_rec.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "traces/index.h"
#include "traces/recorded.h"

enum { LINE_MOST = 16 << 20, WORKERS_MOST = 100000, VISITS_MOST = 100000000 };

/* What is told of a job until the blank line; and then what is kept of it. */
struct job {
    unsigned long id;
    int rank;
    size_t task; /* 1 + its number; 0: none */
    size_t dep, ndeps;
    size_t seen; /* by which task's search: 1 + its number */
};
struct reader {
    FILE *f;
    const char *name;
    const unsigned char *begin;
    size_t begun, given; /* bytes that were read before */
    char *line;
    size_t length, room, at, next; /* at: the line's first byte in the file; next: the next line's */
    int error;
    struct tw_recorded *r;
    struct tw_index workers, kernels;
    struct tw_record *task; /* until their edges are known */
    size_t ntasks, task_room;
    struct job *job;
    size_t njobs, job_room;
    unsigned long *dep;
    size_t ndeps, dep_room;
    /* The job that is being read. */
    struct job now;
    struct tw_record t;
    int nonempty, worker, node, has_worker, has_start, has_end, has_submit, has_id, has_order;
    char *kernel, *model;
    size_t began; /* its first byte */
};

static int wrong(struct reader *b, size_t at, const char *why)
{
    if (!b->error) b->error = tw_fail(TW_E_FORMAT, "%s: byte %zu: %s", b->name, at, why);
    return b->error;
}
static int no_memory(struct reader *b)
{
    if (!b->error) b->error = tw_fail(TW_E_MEMORY, "%s: no memory to read it", b->name);
    return b->error;
}

static int room_for(struct reader *b, void **array, size_t count, size_t *room, size_t size)
{
    void *more;

    if (count < *room) return 0;
    if (!(more = realloc(*array, (2 * *room + 64) * size))) return no_memory(b);
    *array = more;
    *room = 2 * *room + 64;
    return 0;
}

int tw_is_tasks_rec(const unsigned char *byte, size_t n)
{
    size_t k = 0;

    while (k < n && (byte[k] == '\n' || byte[k] == '\r'))
        k++;
    if (k == n || byte[k] < 'A' || byte[k] > 'Z') return 0;
    while (k < n && ((byte[k] >= 'A' && byte[k] <= 'Z') || (byte[k] >= 'a' && byte[k] <= 'z')))
        k++;
    return k == n || byte[k] == ':';
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static int next_byte(struct reader *b)
{
    return b->given < b->begun ? b->begin[b->given++] : fgetc(b->f);
}

/* 1: there is one, without its end, in b->line; 0: no more, or an error. */
static int next_line(struct reader *b)
{
    int c = next_byte(b);

    b->at = b->next;
    b->length = 0;
    if (c == EOF) return 0;
    for (; c != EOF && c != '\n'; c = next_byte(b)) {
        if (c == 0) return wrong(b, b->at + b->length, "a zero byte"), 0;
        if (b->length == LINE_MOST) return wrong(b, b->at, "a line of more than 16 MiB"), 0;
        if (room_for(b, (void **)&b->line, b->length + 1, &b->room, 1)) return 0;
        b->line[b->length++] = (char)c;
    }
    b->next = b->at + b->length + (c == '\n');
    if (room_for(b, (void **)&b->line, b->length + 1, &b->room, 1)) return 0;
    if (b->length && b->line[b->length - 1] == '\r') b->length--;
    b->line[b->length] = 0;
    return 1;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static long integer(struct reader *b, const char *value, long least, long most)
{
    char *end;

    errno = 0;
    const long v = strtol(value, &end, 10);
    if (end == value || *end || errno || v < least || v > most)
        wrong(b, b->at, "expected a whole number within bounds");
    return b->error ? 0 : v;
}

/* A time in milliseconds, or GFlop. */
static double real(struct reader *b, const char *value)
{
    char *end;
    const double v = strtod(value, &end);

    if (end == value || *end || !isfinite(v) || v < 0 || v > 1e12)
        wrong(b, b->at, "expected a number that is not negative");
    return b->error ? 0 : v;
}

static char *text(struct reader *b, char *old, const char *value)
{
    char *copy = strdup(value);

    free(old);
    if (!copy) no_memory(b);
    return copy;
}

/* Numbers of jobs; MPI's messages are other words, and left out. */
static void depends(struct reader *b, const char *at)
{
    while (*at && !b->error) {
        char *end;
        at += strspn(at, " ");
        const unsigned long v = strtoul(at, &end, 10);
        if (end > at && *at != '-' && (*end == ' ' || !*end)) {
            if (room_for(b, (void **)&b->dep, b->ndeps, &b->dep_room, sizeof *b->dep)) return;
            b->dep[b->ndeps++] = v;
            b->now.ndeps++;
        }
        at += strcspn(at, " ");
    }
}

static void begin_job(struct reader *b)
{
    free(b->kernel), free(b->model);
    b->kernel = b->model = NULL;
    b->now = (struct job){.rank = -1, .dep = b->ndeps};
    b->t = (struct tw_record){.type = TW_DOUBLE, .coord = {-1, -1, -1, -1}};
    b->nonempty = b->worker = b->node = b->has_worker = b->has_start = b->has_end = b->has_submit = b->has_id =
        b->has_order = 0;
}

static void key_value(struct reader *b, const char *key, const char *value)
{
    if (!strcmp(key, "JobId")) b->now.id = (unsigned long)integer(b, value, 0, LONG_MAX), b->has_id = 1;
    if (!strcmp(key, "MPIRank")) b->now.rank = (int)integer(b, value, -1, 1000000);
    if (!strcmp(key, "SubmitOrder")) b->t.id = (unsigned long)integer(b, value, 0, LONG_MAX), b->has_order = 1;
    if (!strcmp(key, "Priority")) b->t.priority = (int)integer(b, value, INT_MIN, INT_MAX);
    if (!strcmp(key, "WorkerId")) b->worker = (int)integer(b, value, 0, INT_MAX), b->has_worker = 1;
    if (!strcmp(key, "MemoryNode")) b->node = (int)integer(b, value, -1, 1000);
    if (!strcmp(key, "SubmitTime")) b->t.submit = 1e-3 * real(b, value), b->has_submit = 1;
    if (!strcmp(key, "StartTime")) b->t.start = 1e-3 * real(b, value), b->has_start = 1;
    if (!strcmp(key, "EndTime")) b->t.end = 1e-3 * real(b, value), b->has_end = 1;
    if (!strcmp(key, "GFlop")) b->t.flops = 1e9 * real(b, value);
    if (!strcmp(key, "Name")) b->kernel = text(b, b->kernel, value);
    if (!strcmp(key, "Model")) b->model = text(b, b->model, value);
    if (!strcmp(key, "DependsOn")) depends(b, value);
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* The file says where a task's data lay, not what its worker is: behind main memory's node there are GPUs. */
static int worker_of(struct reader *b)
{
    char rank[24], name[80];
    const int count = b->workers.count;
    int w;

    snprintf(rank, sizeof rank, "%d", b->now.rank);
    for (w = 0; w < b->r->texts.count; w++) /* the index keeps the text's address */
        if (!strcmp(b->r->texts.name[w], rank)) break;
    if (w == b->r->texts.count && tw_names_add(&b->r->texts, rank, strlen(rank))) return -1;
    if (w == 1000) return wrong(b, b->began, "more than 1000 ranks"), -1;
    if ((w = tw_index_of(&b->workers, b->r->texts.name[w], b->worker)) < 0) return no_memory(b), -1;
    if (w == WORKERS_MOST) return wrong(b, b->began, "more than 100000 workers"), -1;
    if (w < count) return w;
    if (b->now.rank >= 0)
        snprintf(name, sizeof name, "rank %d worker %d%s", b->now.rank, b->worker, b->node > 0 ? " (GPU)" : "");
    else
        snprintf(name, sizeof name, "worker %d%s", b->worker, b->node > 0 ? " (GPU)" : "");
    if ((b->error = tw_recorded_add_worker(b->r, name, strlen(name), b->node > 0, b->node > 0 ? b->node - 1 : 0)))
        return -1;
    return w;
}

/* A colour of the name's own, neither pale nor dark. */
static unsigned color_of(const char *name)
{
    unsigned h = 2166136261u;

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return 0x303030 + (h >> 8 & 0x7F) + ((h >> 15 & 0x7F) << 8) + ((h >> 22 & 0x7F) << 16);
}

static void name_kernel(struct reader *b)
{
    static const char letters[] = "sdcz";
    const char *name = b->kernel ? b->kernel : "(unnamed)", *letter;
    const int count = b->kernels.count;
    int k = tw_index_find(&b->kernels, name, 0);

    if (k < 0) { /* the index keeps the name's address: the recording's copy */
        if ((b->error = tw_recorded_add_kernel(b->r, name, strlen(name), color_of(name)))) return;
        if ((k = tw_index_of(&b->kernels, b->r->kernels.name[count], 0)) < 0) {
            no_memory(b);
            return;
        }
    }
    b->t.name = b->r->kernels.name[k];
    b->t.color = b->r->colors[k];
    /* Tilework's own tasks: the model of gemm in double precision is tw_dgemm. */
    if (b->model && !strncmp(b->model, "tw_", 3) && b->model[3] && (letter = strchr(letters, b->model[3])) &&
        !strcmp(b->model + 4, name))
        b->t.type = (unsigned char)(letter - letters);
}

static void add_task(struct reader *b)
{
    if (!b->has_start || !b->has_end) {
        wrong(b, b->began, "a task with a worker and without its times");
        return;
    }
    if (b->t.end < b->t.start) {
        wrong(b, b->began, "a task that ends before it starts");
        return;
    }
    if (!b->has_submit || b->t.submit > b->t.start) b->t.submit = b->t.start;
    if (!b->has_order) b->t.id = b->now.id;
    if ((b->t.worker = worker_of(b)) < 0) return;
    name_kernel(b);
    if (b->error || room_for(b, (void **)&b->task, b->ntasks, &b->task_room, sizeof *b->task)) return;
    b->task[b->ntasks++] = b->t;
    b->now.task = b->ntasks;
}

static void end_job(struct reader *b)
{
    if (!b->nonempty || b->error) return;
    if (!b->has_id) {
        wrong(b, b->began, "a job without its JobId");
        return;
    }
    if (b->has_worker) add_task(b);
    if (b->error || room_for(b, (void **)&b->job, b->njobs, &b->job_room, sizeof *b->job)) return;
    b->job[b->njobs++] = b->now;
}

static void read_jobs(struct reader *b)
{
    begin_job(b);
    while (!b->error && next_line(b)) {
        char *colon;
        if (b->length == 0) {
            end_job(b);
            begin_job(b);
            continue;
        }
        if (!(colon = strchr(b->line, ':'))) {
            wrong(b, b->at, "expected a line 'Key: value' of StarPU's tasks.rec");
            return;
        }
        if (!b->nonempty) b->began = b->at;
        b->nonempty = 1;
        *colon = 0;
        key_value(b, b->line, colon + 1 + strspn(colon + 1, " "));
    }
    if (!b->error && ferror(b->f)) wrong(b, b->at, "the file cannot be read");
    end_job(b);
}

/* ---- dependencies ------------------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->dep < y->dep ? -1 : x->dep > y->dep;
}

/* The first of the jobs of this number (StarPU tells of some in several pieces), or njobs. */
static size_t find(const struct reader *b, int rank, unsigned long id)
{
    size_t from = 0, to = b->njobs;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const struct job *j = &b->job[middle];
        if (j->rank < rank || (j->rank == rank && j->id < id))
            from = middle + 1;
        else
            to = middle;
    }
    return from < b->njobs && b->job[from].rank == rank && b->job[from].id == id ? from : b->njobs;
}

struct search {
    size_t *stack, count, room, visits;
};

/* What job k names: tasks become predecessors, of other jobs their own are looked for. */
static void look_behind(struct reader *b, struct search *s, size_t k, size_t task)
{
    const struct job from = b->job[k];

    for (size_t d = from.dep; d < from.dep + from.ndeps && !b->error; d++)
        for (size_t i = find(b, from.rank, b->dep[d]);
             i < b->njobs && b->job[i].rank == from.rank && b->job[i].id == b->dep[d] && !b->error; i++) {
            if (++s->visits > VISITS_MOST) {
                wrong(b, b->next, "dependencies that cannot be followed in reasonable time");
                return;
            }
            if (b->job[i].seen == task) continue;
            b->job[i].seen = task;
            if (b->job[i].task) {
                b->error = tw_recorded_add_edge(b->r, (unsigned)(b->job[i].task - 1));
            } else if (!room_for(b, (void **)&s->stack, s->count, &s->room, sizeof *s->stack)) {
                s->stack[s->count++] = i;
            }
        }
}

static void connect(struct reader *b)
{
    size_t *of = malloc((b->ntasks + 1) * sizeof *of);
    struct search s = {0};

    if (!of) {
        no_memory(b);
        return;
    }
    if (b->njobs) qsort(b->job, b->njobs, sizeof *b->job, by_number);
    for (size_t k = 0; k < b->njobs; k++) {
        if (b->job[k].task) of[b->job[k].task - 1] = k;
        if (k && b->job[k].task && b->job[k - 1].task && b->job[k].id == b->job[k - 1].id &&
            b->job[k].rank == b->job[k - 1].rank)
            wrong(b, b->next, "two tasks with one JobId");
    }
    for (size_t t = 0; t < b->ntasks && !b->error; t++) {
        const struct job *j = &b->job[of[t]];
        if ((b->error = tw_recorded_add_task(b->r, &b->task[t]))) break;
        /* All pieces of it. */
        for (size_t k = find(b, j->rank, j->id); k < b->njobs && b->job[k].rank == j->rank && b->job[k].id == j->id;
             k++)
            look_behind(b, &s, k, t + 1);
        while (s.count && !b->error)
            look_behind(b, &s, s.stack[--s.count], t + 1);
    }
    free(of), free(s.stack);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static int facts(struct reader *b)
{
    static const char *const fact[][2] = {
        {"command", "? (StarPU's tasks.rec)"},
        {"lacks",
         "when tasks were ready, taken and had their data; transfers; threads that submit; cores lost to other "
         "programs; what was run, and where; kinds of workers (who has a memory of its own counts as a GPU); "
         "predictions; tiles' coordinates"}};
    int e = 0;

    for (size_t k = 0; !e && k < sizeof fact / sizeof *fact; k++)
        e = tw_recorded_add_fact(b->r, fact[k][0], strlen(fact[k][0]), fact[k][1], strlen(fact[k][1]));
    return e;
}

int tw_read_tasks_rec(struct tw_recorded **recorded, FILE *f, const char *name, const unsigned char *begin, size_t n)
{
    struct reader b = {.f = f, .name = name, .begin = begin, .begun = n};
    const char *why = NULL;
    char kept[600];

    *recorded = NULL;
    if ((b.error = tw_recorded_new(&b.r))) return b.error;
    read_jobs(&b);
    if (!b.error && !b.ntasks) wrong(&b, b.next, "no task of StarPU's ran on any worker");
    if (!b.error) connect(&b);
    if (!b.error) b.error = facts(&b);
    if (!b.error) b.error = tw_recorded_finish(b.r, &why);
    if (why) b.error = tw_fail(TW_E_FORMAT, "%s: byte %zu: %s", name, b.next, why);
    tw_index_free(&b.workers), tw_index_free(&b.kernels);
    free(b.line), free(b.task), free(b.job), free(b.dep), free(b.kernel), free(b.model);
    if (b.error) {
        snprintf(kept, sizeof kept, "%s", tw_last_message());
        tw_recorded_destroy(b.r);
        return tw_fail(b.error, "%s", kept);
    }
    *recorded = b.r;
    return 0;
}
