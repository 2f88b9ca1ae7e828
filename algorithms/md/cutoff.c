/* Localized interactions: the routines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/arguments.h"
#include "algorithms/md/md_loops.h"

void tw_cutoff_init(tw_cutoff *c, double cutoff)
{
    if (!c) return;
    *c = (tw_cutoff){.cutoff = cutoff,
                     .skin = cutoff / 10,
                     .vdw = TW_VDW_SMOOTH,
                     .electrostatics = TW_ELECTROSTATICS_REACTION_FIELD,
                     .constant = 332.0716,
                     .eps_in = 1,
                     .eps_out = 78,
                     .switch_on = cutoff * 2 / 3,
                     .type = TW_DOUBLE,
                     .reuse = 25};
}

/* ---- what is illegal --------------------------------------------------------------------------------------------- */

static const char *bad_model(const tw_cutoff *c)
{
    if (!c) return "NULL";
    if (!(c->cutoff > 0) || c->cutoff > 1e12) return "its cutoff is not a positive number up to 1e12";
    if (!(c->skin >= 0) || c->skin > 1e12) return "its skin is negative, NaN or beyond 1e12";
    if ((int)c->vdw < TW_VDW_NONE || c->vdw > TW_VDW_SMOOTH) return "it has no such van der Waals interaction";
    if ((int)c->electrostatics < TW_ELECTROSTATICS_NONE || c->electrostatics > TW_ELECTROSTATICS_BORN)
        return "it has no such electrostatics";
    if (!isfinite(c->constant)) return "its constant is not finite";
    if (!(c->eps_in > 0) || isinf(c->eps_in) || !(c->eps_out > 0)) return "its eps_in or eps_out is not positive";
    if (c->electrostatics == TW_ELECTROSTATICS_BORN && !(c->switch_on >= 0 && c->switch_on <= c->cutoff))
        return "its switch_on is not in [0, cutoff]";
    if (c->type != TW_FLOAT && c->type != TW_DOUBLE) return "its type is neither TW_FLOAT nor TW_DOUBLE";
    return c->reuse >= 1 && c->reuse <= 1000000 ? NULL : "its reuse is not between 1 and 1000000";
}

/* A coordinate's square, as a distance in lists, must be a number of the type; and lists in float need their margin. */
static double limit_of(const tw_cutoff *c)
{
    return c->type == TW_FLOAT ? 1e15 : 1e16;
}

/* text: room for the answer. */
static const char *bad_box(const tw_cutoff *c, const tw_atoms *a, char text[160])
{
    for (int k = 0; k < 3; k++) {
        if (!(a->box[k] >= 0) || isinf(a->box[k])) return "its box has a period that is negative or not finite";
        if (a->box[k] > limit_of(c)) return "its box has a period beyond the limit of coordinates";
        if (a->box[k] > 0 && c->cutoff > a->box[k] / 2) {
            snprintf(text, 160,
                     "the cut-off %g is larger than half the period %g along %c: an atom would meet several images of "
                     "another",
                     c->cutoff, a->box[k], 'x' + k);
            return text;
        }
    }
    return NULL;
}

static const char *negative(const double *a, tw_int n, int zero, const char *what)
{
    for (tw_int i = 0; a && i < n; i++)
        if (a[i] < 0 || (!zero && a[i] == 0)) return what;
    return NULL;
}

static const char *bad_links(const tw_atoms *a, char text[160])
{
    unsigned char *count;

    if (a->nlinks < 0 || a->nlinks > 31 * a->n) return "its number of links is negative or too large";
    if (a->nlinks == 0) return NULL;
    if (!a->link) return "its links are NULL";
    if (!(count = calloc((size_t)a->n, 1))) return "there is no memory to look at its links";
    text[0] = 0;
    for (tw_int l = 0; l < a->nlinks && !text[0]; l++) {
        const tw_bond *k = &a->link[l];
        if (k->i < 0 || k->i >= a->n || k->j < 0 || k->j >= a->n || k->i == k->j)
            snprintf(text, 160, "its link %lld (from 0) joins atoms %lld and %lld", (long long)l, (long long)k->i,
                     (long long)k->j);
        else if (!(k->stiffness >= 0) || !(k->length >= 0) || isinf(k->stiffness) || isinf(k->length))
            snprintf(text, 160, "its link %lld (from 0) has a stiffness or length that is negative or not finite",
                     (long long)l);
        else if (++count[k->i] > 31 || ++count[k->j] > 31)
            snprintf(text, 160, "more than 31 links end at atom %lld or %lld", (long long)k->i, (long long)k->j);
    }
    free(count);
    return text[0] ? text : NULL;
}

static const char *bad_atoms(const tw_cutoff *c, const tw_atoms *a, char text[160])
{
    const char *why;

    if (!a) return "NULL";
    if (a->n < 0 || a->n > TW_CUT_ATOMS) return "its number of atoms is negative or beyond 2^26";
    if (a->n == 0) return NULL;
    if (!a->x) return "its positions are NULL";
    if ((why = tw_bad_numbers(TW_DOUBLE, a->x, 3 * a->n, limit_of(c), text))) return why;
    if (a->v && (why = tw_bad_numbers(TW_DOUBLE, a->v, 3 * a->n, limit_of(c), text))) return why;
    const double *const arrays[] = {a->mass, a->charge, a->radius, a->depth, a->born, a->volume};
    for (int k = 0; k < 6; k++)
        if (arrays[k] && (why = tw_bad_numbers(TW_DOUBLE, arrays[k], a->n, 1e30, text))) return why;
    if ((why = negative(a->mass, a->n, 0, "one of its masses is not positive"))) return why;
    if ((why = negative(a->radius, a->n, 1, "one of its radii is negative"))) return why;
    if ((why = negative(a->depth, a->n, 1, "one of its depths is negative"))) return why;
    if (c->electrostatics == TW_ELECTROSTATICS_BORN) {
        if (!a->born && !a->radius) return "generalized Born needs radii";
        why = negative(a->born ? a->born : a->radius, a->n, 0, "generalized Born needs positive radii");
        if (!why) why = negative(a->volume, a->n, 0, "generalized Born needs positive volumes");
        if (!why && tw_cut_kinds(c, a, NULL) < 0) why = "more than 1024 kinds of atoms (Born radius, volume)";
        if (why) return why;
    }
    if ((why = bad_links(a, text))) return why;
    return bad_box(c, a, text);
}

#define CHECK_BOTH(routine, c, a)                                                                                      \
    do {                                                                                                               \
        char text_[160];                                                                                               \
        TW_ARGUMENT(routine, 1, bad_model(c));                                                                         \
        TW_ARGUMENT(routine, 2, bad_atoms(c, a, text_));                                                               \
    } while (0)

/* ---- a routine's arguments, for both doors ----------------------------------------------------------------------- */

struct args {
    tw_cutoff o;
    tw_atoms *a;
    struct tw_cut_job job;
    tw_int first, steps, every, done; /* done: of `steps`, in the windows so far */
    int windows, rebuilds;
    tw_int evaluations;
    tw_cutoff_energy *energy;
    double *force;
    tw_verlet_report report;
    tw_minimize_report tell;
    tw_minimize_state *state;
    void *user;
    int word; /* a report's */
};

static tw_cutoff_energy energy_of(const double *total)
{
    return (tw_cutoff_energy){total[TW_TOTAL_VDW], total[TW_TOTAL_ELEC], total[TW_TOTAL_LINK]};
}

static int set_word(struct args *g, int word)
{
    if (word > 0) g->word = word;
    return word;
}

static int64_t next_energy(void *user, const struct tw_cut_control *control, int *e)
{
    struct args *g = user;
    (void)e;
    if (g->windows++ == 0) return 0;
    if (g->energy) *g->energy = energy_of(control->total);
    return -1;
}

static int64_t next_steps(void *user, const struct tw_cut_control *control, int *e)
{
    struct args *g = user;

    if (g->windows++ > 0) {
        tw_verlet_state s = {.step = g->first + g->done,
                             .time = (double)(g->first + g->done) * g->job.dt,
                             .kinetic = control->total[TW_TOTAL_KINETIC],
                             .potential = energy_of(control->total)};
        for (int k = 0; k < 3; k++)
            s.momentum[k] = control->total[TW_TOTAL_MOMENTUM + k];
        s.rebuilds = g->rebuilds += control->rebuilds;
        if (g->report && (*e = set_word(g, g->report(g->user, g->a, &s)))) return -1;
        if (g->done == g->steps) return -1;
    } else if (g->report) {
        return 0; /* the state at the beginning */
    }
    const tw_int more = g->every > 0 && g->report ? g->every - (g->first + g->done) % g->every : g->steps;
    const tw_int window = tw_min(more, g->steps - g->done);
    g->done += window;
    return window;
}

static int64_t next_iterations(void *user, const struct tw_cut_control *control, int *e)
{
    struct args *g = user;

    if (g->windows++ > 0) {
        g->done += control->step;
        g->evaluations += control->evaluations;
        const tw_minimize_state s = {.iteration = g->done,
                                     .evaluations = g->evaluations,
                                     .energy = energy_of(control->kept),
                                     .force = control->force,
                                     .converged = control->converged,
                                     .stalled = control->stalled};
        if (g->state) *g->state = s;
        if (g->tell && (*e = set_word(g, g->tell(g->user, g->a, &s)))) return -1;
        if (g->done >= g->steps || control->converged || control->stalled || control->step == 0) return -1;
    }
    return g->every > 0 && g->tell ? tw_min(g->every, g->steps - g->done) : g->steps - g->done;
}

static void loop(struct tw_sequence *seq, void *p)
{
    struct args g = *(const struct args *)p;
    tw_cut_next next = g.job.mode == TW_CUT_ENERGY   ? next_energy
                       : g.job.mode == TW_CUT_VERLET ? next_steps
                                                     : next_iterations;
    const int e = tw_cut_run(seq, &g.o, g.a, &g.job, next, &g, g.force);

    if (e < 0) {
        char message[512];
        snprintf(message, sizeof message, "%s", tw_last_message());
        tw_loop_fail(seq, e, "%s", message);
    }
    tw_loop_info(seq, g.word);
}

static int call(const char *routine, struct tw_sequence *seq, struct args *g)
{
    const double flops = 100.0 * (double)g->a->n * (double)(g->steps + 1);

    return seq ? tw_call_async(seq, routine, loop, g, sizeof *g, flops) : tw_call(routine, loop, g, flops);
}

/* ---- doors ------------------------------------------------------------------------------------------------------- */

static int forces(const char *routine, struct tw_sequence *seq, const tw_cutoff *c, const tw_atoms *a,
                  tw_cutoff_energy *energy, double *force)
{
    CHECK_BOTH(routine, c, a);
    if (energy) *energy = (tw_cutoff_energy){0};
    if (a->n == 0) return 0;
    return call(
        routine + 3, seq,
        &(struct args){.o = *c, .a = (tw_atoms *)a, .job = {.mode = TW_CUT_ENERGY}, .energy = energy, .force = force});
}
int tw_cutoff_forces(const tw_cutoff *c, const tw_atoms *a, tw_cutoff_energy *energy, double *force)
{
    return forces("tw_cutoff_forces", NULL, c, a, energy, force);
}
int tw_cutoff_forces_async(const tw_cutoff *c, const tw_atoms *a, tw_cutoff_energy *energy, double *force,
                           tw_sequence *seq)
{
    TW_ARGUMENT("tw_cutoff_forces_async", 5, seq ? NULL : "NULL sequence");
    return forces("tw_cutoff_forces", seq, c, a, energy, force);
}

static int verlet(const char *routine, struct tw_sequence *seq, const tw_cutoff *c, tw_atoms *a, double dt,
                  tw_int first, tw_int steps, tw_int every, tw_verlet_report report, void *user)
{
    CHECK_BOTH(routine, c, a);
    TW_ARGUMENT(routine, 2, a->n > 0 && !a->v ? "its velocities are NULL" : NULL);
    TW_ARGUMENT(routine, 3, isfinite(dt) && fabs(dt) <= 1e15 ? NULL : "not a finite number up to 1e15");
    TW_ARGUMENT(routine, 4, first >= 0 ? NULL : "negative");
    TW_ARGUMENT(routine, 5, steps >= 0 ? NULL : "negative");
    TW_ARGUMENT(routine, 6, every >= 0 ? NULL : "negative");
    if (a->n == 0) return 0;
    return call(routine + 3, seq,
                &(struct args){.o = *c,
                               .a = a,
                               .job = {.mode = TW_CUT_VERLET, .dt = dt},
                               .first = first,
                               .steps = steps,
                               .every = every,
                               .report = report,
                               .user = user});
}
int tw_cutoff_verlet(const tw_cutoff *c, tw_atoms *a, double dt, tw_int first, tw_int steps, tw_int every,
                     tw_verlet_report report, void *user)
{
    return verlet("tw_cutoff_verlet", NULL, c, a, dt, first, steps, every, report, user);
}
int tw_cutoff_verlet_async(const tw_cutoff *c, tw_atoms *a, double dt, tw_int first, tw_int steps, tw_int every,
                           tw_verlet_report report, void *user, tw_sequence *seq)
{
    TW_ARGUMENT("tw_cutoff_verlet_async", 9, seq ? NULL : "NULL sequence");
    return verlet("tw_cutoff_verlet", seq, c, a, dt, first, steps, every, report, user);
}

static const char *bad_minimize(const tw_minimize *m)
{
    if (!m) return "NULL";
    if (m->method != TW_STEEPEST_DESCENT && m->method != TW_LBFGS) return "it has no such method";
    if (m->iterations < 0 || m->every < 0) return "its iterations or every are negative";
    if (!(m->tolerance >= 0)) return "its tolerance is negative or NaN";
    if (!(m->first >= 0) || !(m->most >= 0) || isinf(m->first) || isinf(m->most))
        return "its first or most is negative or not finite";
    return m->history >= 0 && m->history <= TW_CUT_HISTORY ? NULL : "its history is not between 0 and 8";
}

static int minimize(const char *routine, struct tw_sequence *seq, const tw_cutoff *c, tw_atoms *a, const tw_minimize *m,
                    tw_minimize_report report, void *user, tw_minimize_state *state)
{
    CHECK_BOTH(routine, c, a);
    TW_ARGUMENT(routine, 3, bad_minimize(m));
    if (state) *state = (tw_minimize_state){.converged = a->n == 0};
    if (a->n == 0) return 0;
    return call(routine + 3, seq,
                &(struct args){.o = *c,
                               .a = a,
                               .job = {.mode = m->method == TW_LBFGS ? TW_CUT_LBFGS : TW_CUT_DESCENT, .minimize = *m},
                               .steps = m->iterations,
                               .every = m->every,
                               .tell = report,
                               .user = user,
                               .state = state});
}
int tw_cutoff_minimize(const tw_cutoff *c, tw_atoms *a, const tw_minimize *m, tw_minimize_report report, void *user,
                       tw_minimize_state *state)
{
    return minimize("tw_cutoff_minimize", NULL, c, a, m, report, user, state);
}
int tw_cutoff_minimize_async(const tw_cutoff *c, tw_atoms *a, const tw_minimize *m, tw_minimize_report report,
                             void *user, tw_minimize_state *state, tw_sequence *seq)
{
    TW_ARGUMENT("tw_cutoff_minimize_async", 7, seq ? NULL : "NULL sequence");
    return minimize("tw_cutoff_minimize", seq, c, a, m, report, user, state);
}
