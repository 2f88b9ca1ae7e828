/* A run of localized interactions: memory, segments until it is done, results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/md/md_loops.h"
#include "runtime/base/variables.h"
#include "runtime/task/when.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/place.h"

struct memory { /* of the host */
    void *params, *state;
    struct tw_cut_shape planned; /* with which every window begins */
};

static size_t units(size_t bytes)
{
    return (bytes + 255) / 256;
}

/* A temporary on whatever worker writes it. */
static struct tw_data *temporary(size_t bytes)
{
    const size_t doubles = units(bytes) * 32, rows = 65536;
    return doubles <= rows ? tw_data_tile(TW_DOUBLE, (int)doubles, 1)
                           : tw_data_tile(TW_DOUBLE, (int)rows, (int)((doubles + rows - 1) / rows));
}

static void free_lists(struct tw_cut_problem *p)
{
    for (int g = 0; p->part && g < p->shape.groups; g++)
        tw_data_free_later(p->part[g]);
    free(p->part);
    tw_data_free_later(p->work);
    p->part = NULL;
    p->work = NULL;
}

static int make_lists(struct tw_cut_problem *p)
{
    tw_cut_sizes(p);
    if (!(p->part = calloc((size_t)p->shape.groups, sizeof(struct tw_data *)))) return TW_E_MEMORY;
    for (int g = 0; g < p->shape.groups; g++)
        if (!(p->part[g] = temporary(p->bytes.part))) return TW_E_MEMORY;
    return (p->work = temporary(p->bytes.work)) ? 0 : TW_E_MEMORY;
}

static double sizes(struct tw_cut_problem *p, double *lists)
{
    tw_cut_sizes(p);
    *lists = (double)p->bytes.work + (double)p->bytes.part * p->shape.groups;
    return (double)p->bytes.params + (double)p->bytes.state;
}
/* Whether atoms and lists fit into the memory of the GPU, or into the host's. */
static int fits(struct tw_cut_problem *p, int gpu)
{
    const double host = (double)tw_host_memory_limit(NULL), memory = (double)tw_gpu_memory();
    double lists;
    const double atoms = sizes(p, &lists);
    if (!gpu) return atoms + lists <= host;
    return atoms <= host && !(memory > 0 && atoms + lists > 0.85 * memory);
}

/* Pairs are computed at about a quarter of the GPU's rate of gemm, an eighth of a core's; an iteration costs a dozen
 * launches. */
static const struct tw_place_row usual = {.name = "cutoff",
                                          .cpu_share = 0.12,
                                          .cpu_order = 256,
                                          .gpu_start = 1e-4,
                                          .gpu_share = 0.25,
                                          .gpu_order = 2048,
                                          .several = 1,
                                          .both_slower = 1};
__attribute__((constructor)) static void known(void)
{
    tw_place_register(&usual);
}

/* A run stays where it starts: on the first GPU, or on all CPU workers. */
static int suits_gpu(const struct tw_cut_shape *s, enum tw_type type, double pairs)
{
    const struct tw_place_row *row = tw_place_row(&usual);
    int ncuda;
    const int cores = tw_worker_count(&ncuda) - ncuda;
    struct tw_place_work work = {.type = type, .units = cores, .flops = 30 * pairs * (s->born ? 4 : 1)};
    double on_cpu;

    if (tw_reproducible() || cores == 0 || tw_variable_is_on(TW_TILEWORK_FORCE_CUDA)) return 1;
    on_cpu = tw_place_seconds(row, 0, &work);
    work.units = 1;
    return tw_place_choose(row, on_cpu, tw_place_seconds(row, 1, &work), 0) == TW_PLACE_GPU;
}

/* The number of workers decides nothing about the results: a cluster's list and its sum are the same in any group. */
static int groups_for(tw_int n)
{
    int ncuda;
    const int workers = tw_worker_count(&ncuda) - ncuda, most = (int)tw_min(TW_CUT_GROUPS, n / 256 + 1);
    return workers < 2 ? 1 : (int)tw_min(most, 2 * workers);
}

static void get_state(const struct tw_cut *c, enum tw_type type, tw_atoms *a)
{
    for (tw_int i = 0; i < 3 * a->n; i++) {
        a->x[i] = type == TW_FLOAT ? (double)((const float *)c->x)[i] : ((const double *)c->x)[i];
        if (a->v && c->s.mode == TW_CUT_VERLET)
            a->v[i] = type == TW_FLOAT ? (double)((const float *)c->v)[i] : ((const double *)c->v)[i];
    }
}
static void put_state(const struct tw_cut *c, enum tw_type type, const tw_atoms *a)
{
    for (tw_int i = 0; i < 3 * a->n; i++) {
        const double v = a->v ? a->v[i] : 0;
        if (type == TW_FLOAT) {
            ((float *)c->x)[i] = (float)a->x[i];
            ((float *)c->v)[i] = (float)v;
        } else {
            ((double *)c->x)[i] = a->x[i];
            ((double *)c->v)[i] = v;
        }
    }
}

/* Evaluations of a segment. */
static int length(const struct tw_cut_problem *p, const struct tw_cut_control *control, int reuse)
{
    if (p->shape.mode == TW_CUT_ENERGY) return 1;
    return p->shape.mode == TW_CUT_VERLET ? (int)tw_min(reuse, control->steps - control->step + 1) : reuse;
}
/* Segments to submit before the control is looked at again. */
static int batch(const struct tw_cut_problem *p, const struct tw_cut_control *control, int reuse)
{
    if (p->shape.mode == TW_CUT_ENERGY) return 1;
    const int64_t left = control->steps - control->step + 1, segments = (left + reuse - 1) / reuse;
    return (int)tw_min(segments, p->shape.groups == 1 ? 16 : 4);
}

static int verdict(const struct tw_cut_control *control, const struct tw_cut_shape *s)
{
    double energy = 0;

    for (int k = TW_TOTAL_VDW; k <= TW_TOTAL_KINETIC; k++)
        energy += control->total[k];
    if (s->mode >= TW_CUT_DESCENT) energy = control->energy0;
    if (control->state == TW_CUT_BROKEN || !isfinite(energy))
        return tw_fail(TW_E_STATE, "energies or positions are no longer finite numbers: two atoms at one place, %s",
                       s->mode == TW_CUT_VERLET ? "or too long a time step" : "or forces beyond the range of numbers");
    return 0;
}

/* Lists of another kind or size, for atoms that are where they were. The shape is set. */
static int renew(struct tw_cut_problem *p, struct tw_cut_control *out)
{
    struct tw_cut_control *c;

    free_lists(p);
    if (!fits(p, p->place != TW_ON_CPUS) || make_lists(p))
        return tw_fail(TW_E_MEMORY, "neighbour lists of %g entries: the cut-off holds too many atoms",
                       (double)p->shape.pool * p->shape.groups);
    if (!(c = tw_data_acquire(p->control, 'w'))) return tw_fail(TW_E_STATE, "StarPU refused an access");
    c->state = out->state = TW_CUT_STALE;
    tw_data_release(p->control);
    return 0;
}

/* Until the control says that all is done. Returns 0 or an error that is not the sequence's. */
static int segments(struct tw_sequence *seq, struct tw_cut_problem *p, struct tw_cut_control *out, int reuse)
{
    const int priority = tw_priority(seq, 0, 1, 0);
    union {
        struct tw_cut_control control;
        char units[(sizeof(struct tw_cut_control) + 255) / 256 * 256]; /* as registered */
    } here;
    int e = 0;

    while (!e && !tw_loop_status(seq) && out->state <= TW_CUT_WIDE) {
        if (out->state >= TW_CUT_FULL) { /* lists longer than expected, or sums beyond what is exact */
            e = out->state == TW_CUT_FULL ? tw_cut_enlarge(&p->shape) : tw_cut_full_lists(&p->shape);
            if (e)
                return tw_fail(e, "neighbour lists of %g entries: the cut-off holds too many atoms",
                               2.0 * p->shape.pool * p->shape.groups);
            if ((e = renew(p, out))) return e;
        }
        for (int k = batch(p, out, reuse); k > 0; k--)
            tw_task_cutoff_segment(seq, priority, p, length(p, out, reuse));
        if (tw_loop_value(seq, p->control, NULL, &here)) break; /* nothing else of the sequence is waited for */
        *out = here.control;
    }
    return e;
}

static int start(struct tw_cut_problem *p, struct tw_cut_control *out, int64_t steps)
{
    struct tw_cut_control *c = tw_data_acquire(p->control, 'w');

    if (!c) return tw_fail(TW_E_STATE, "StarPU refused an access");
    memset(c, 0, sizeof *c);
    c->state = TW_CUT_STALE;
    c->steps = steps;
    c->scale = p->shape.first;
    c->t = 1;
    c->store = -1;
    *out = *c;
    tw_data_release(p->control);
    return 0;
}

/* One window: from the atoms as they are to `steps` steps further; forces (3 n or NULL). */
static int window(struct tw_sequence *seq, struct tw_cut_problem *p, const struct memory *m, tw_atoms *a, int reuse,
                  int64_t steps, double *force, struct tw_cut_control *out)
{
    struct tw_cut c;
    int e;

    if (m->planned.once != p->shape.once) {
        free_lists(p);
        p->shape = m->planned;
        if (make_lists(p)) return tw_fail(TW_E_MEMORY, "no memory for the neighbour lists");
    }
    tw_cut_view(p, m->params, m->state, &c);
    memset(m->state, 0, p->bytes.state);
    put_state(&c, p->type, a);
    if ((e = start(p, out, steps))) return e;
    p->state =
        tw_data_rectangle(m->state, (tw_int)units(p->bytes.state), 1, (tw_int)units(p->bytes.state), 256, -1, -1);
    if (!p->state) return tw_fail(TW_E_MEMORY, "no memory to register %lld atoms", (long long)a->n);
    e = segments(seq, p, out, reuse);
    tw_data_forget(p->state, 1);
    if (!e && !tw_loop_status(seq)) e = verdict(out, &p->shape);
    if (e || tw_loop_status(seq)) return e;
    if (p->shape.mode != TW_CUT_ENERGY) get_state(&c, p->type, a);
    for (tw_int i = 0; force && i < 3 * a->n; i++)
        force[i] = p->type == TW_FLOAT ? (double)((const float *)c.f)[i] : ((const double *)c.f)[i];
    return 0;
}

/* 1 if the run shall be on a GPU, and fits. */
static int plan_gpu(struct tw_cut_problem *p, const tw_cutoff *o, const tw_atoms *a, const struct tw_cut_job *job)
{
    if (tw_gpus() == 0 || tw_cut_plan(&p->shape, o, a, job, 1, 1)) return 0;
    if (!fits(p, 1)) return 0;
    return suits_gpu(&p->shape, o->type, (double)p->shape.pool * TW_CUT_LANES / 1.3);
}
static int plan_cpu(struct tw_cut_problem *p, const tw_cutoff *o, const tw_atoms *a, const struct tw_cut_job *job)
{
    if (tw_cut_plan(&p->shape, o, a, job, groups_for(a->n), 0)) return TW_E_MEMORY;
    return fits(p, 0) ? 0 : TW_E_MEMORY;
}

static int prepare(struct tw_cut_problem *p, struct memory *m, const tw_cutoff *o, const tw_atoms *a,
                   const struct tw_cut_job *job)
{
    const int coord[2] = {-1, -1};
    struct tw_cut c;
    int *kind = NULL, gpu;

    p->type = o->type;
    if (!(gpu = plan_gpu(p, o, a, job)) && plan_cpu(p, o, a, job)) return TW_E_MEMORY;
    m->planned = p->shape;
    p->place = gpu ? TW_ON_GPU(0) : TW_ON_CPUS;
    p->pairs = (double)p->shape.pool * p->shape.groups * TW_CUT_LANES / 1.3;
    if (make_lists(p)) return TW_E_MEMORY;
    m->params = tw_pool_alloc(p->bytes.params);
    m->state = tw_pool_alloc(p->bytes.state);
    if (o->electrostatics == TW_ELECTROSTATICS_BORN && !(kind = malloc(((size_t)a->n + 1) * sizeof *kind)))
        return TW_E_MEMORY;
    if (!m->params || !m->state) {
        free(kind);
        return TW_E_MEMORY;
    }
    tw_cut_view(p, m->params, NULL, &c);
    if (kind) tw_cut_kinds(o, a, kind);
    tw_cut_fill(&c, o->type, o, a, kind);
    free(kind);
    p->params =
        tw_data_rectangle(m->params, (tw_int)units(p->bytes.params), 1, (tw_int)units(p->bytes.params), 256, -1, -1);
    p->control = tw_data_vector(units(sizeof(struct tw_cut_control)), 256, coord);
    return p->params && p->control ? 0 : TW_E_MEMORY;
}

int tw_cut_run(struct tw_sequence *seq, const tw_cutoff *o, tw_atoms *a, const struct tw_cut_job *job, tw_cut_next next,
               void *user, double *force)
{
    struct tw_cut_problem p = {0};
    struct memory m = {0};
    struct tw_cut_control control = {0};
    int64_t steps = 0;
    int e = prepare(&p, &m, o, a, job);

    if (e) tw_fail(e, "no memory for %lld atoms and their neighbour lists", (long long)a->n);
    while (!e && !tw_loop_status(seq) && (steps = next(user, &control, &e)) >= 0 && !e)
        e = window(seq, &p, &m, a, (int)o->reuse, steps, force, &control);
    free_lists(&p);
    tw_data_free_later(p.control);
    tw_data_forget(p.params, 0);
    tw_pool_free(m.params, p.bytes.params);
    tw_pool_free(m.state, p.bytes.state);
    return e;
}
