/* Motion of particles by the leapfrog in its kick-drift-kick form (velocity Verlet). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/nbody_loops.h"
#include "runtime/base/gate.h"

#define TW_NBODY_STEPS 1000000000000000 /* a double counts them all */

struct motion {
    tw_particles *p;
    const tw_motion *m;
    double *field;               /* direct: n x 4 columns; fmm: n potentials, then 3 n gradients */
    tw_matrix *sources, *result; /* direct */
    double *columns;             /* direct: n x 4 */
};

/* Depends on n only, so that the bits do not depend on the machine's size. */
static tw_int tile_order(tw_int n)
{
    return n <= 1024 ? 128 : n <= 16384 ? 1024 : n <= 131072 ? 4096 : 16384;
}

static int direct_field(struct motion *w)
{
    const tw_int n = w->p->n;
    int e;

    for (tw_int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            w->columns[i + k * n] = w->p->x[3 * i + k];
        w->columns[i + 3 * n] = w->p->q[i];
    }
    e = tw_matrix_set_lapack(w->sources, w->columns, n);
    if (!e) e = tw_nbody_direct(w->m->softening, w->sources, NULL, w->result);
    return e ? e : tw_matrix_to_lapack(w->result, w->field, n);
}

/* Potential and gradient at all particles. */
static int compute_field(struct motion *w)
{
    const tw_particles *p = w->p;
    char text[128];
    const char *why = tw_bad_numbers(TW_DOUBLE, p->x, 3 * p->n, TW_NBODY_COORDINATE_MAX, text);

    if (why) return tw_fail(TW_E_STATE, "a particle left the range of numbers: %s; the time step may be too long", why);
    if (p->n == 0) return 0;
    if (w->m->eps == 0) return direct_field(w);
    return tw_fmm3d(w->m->eps, 1, p->n, p->x, p->q, w->field, w->field + p->n, 0, NULL, NULL, NULL);
}

static double gradient(const struct motion *w, tw_int i, int k)
{
    const tw_int n = w->p->n;
    return w->m->eps == 0 ? w->field[i + (1 + k) * n] : w->field[n + 3 * i + k];
}

static void kick(const struct motion *w)
{
    for (tw_int i = 0; i < w->p->n; i++)
        for (int k = 0; k < 3; k++)
            w->p->v[3 * i + k] += 0.5 * w->m->dt * w->m->g * gradient(w, i, k);
}
static void drift(const struct motion *w)
{
    for (tw_int i = 0; i < 3 * w->p->n; i++)
        w->p->x[i] += w->m->dt * w->p->v[i];
}

static tw_motion_state state_of(const struct motion *w, tw_int step)
{
    tw_motion_state s = {.step = step, .time = (double)step * w->m->dt};

    for (tw_int i = 0; i < w->p->n; i++) {
        const double *x = w->p->x + 3 * i, *v = w->p->v + 3 * i, q = w->p->q[i];
        s.kinetic += 0.5 * q * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        s.potential -= 0.5 * w->m->g * q * w->field[i];
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            s.momentum[k] += q * v[k];
            s.angular[k] += q * (x[a] * v[b] - x[b] * v[a]);
        }
    }
    return s;
}

static int tell(const struct motion *w, tw_int step, tw_motion_report report, void *user)
{
    if (!report) return 0;
    const tw_motion_state s = state_of(w, w->m->start + step);
    return report(user, w->p, &s);
}

static int move(struct motion *w, tw_int steps, tw_motion_report report, void *user)
{
    int e = compute_field(w);

    if (!e) e = tell(w, 0, report, user);
    for (tw_int step = 1; step <= steps && !e; step++) {
        kick(w);
        drift(w);
        if ((e = compute_field(w))) break;
        kick(w);
        e = tell(w, step, report, user);
    }
    return e;
}

static int prepare(struct motion *w)
{
    const tw_int n = w->p->n;
    int e = 0;

    if (!(w->field = malloc(((size_t)n + 1) * 4 * sizeof(double)))) return TW_E_MEMORY;
    if (w->m->eps > 0) return 0;
    if (!(w->columns = malloc(((size_t)n + 1) * 4 * sizeof(double)))) return TW_E_MEMORY;
    e = tw_matrix_create(&w->sources, TW_DOUBLE, TW_GENERAL, n, 4, tile_order(n), NULL);
    return e ? e : tw_matrix_create(&w->result, TW_DOUBLE, TW_GENERAL, n, 4, tile_order(n), NULL);
}

int tw_leapfrog(tw_particles *p, const tw_motion *motion, tw_int steps, tw_motion_report report, void *user)
{
    const char *routine = "tw_leapfrog";
    struct motion w = {.p = p, .m = motion};
    char text[128];
    int e;

    TW_ARGUMENT(routine, 1, p && p->n >= 0 && (p->n == 0 || (p->x && p->v && p->q)) ? NULL : "no particles");
    TW_ARGUMENT(routine, 1, tw_bad_numbers(TW_DOUBLE, p->x, 3 * p->n, TW_NBODY_COORDINATE_MAX, text));
    TW_ARGUMENT(routine, 1, tw_bad_numbers(TW_DOUBLE, p->v, 3 * p->n, TW_NBODY_COORDINATE_MAX, text));
    TW_ARGUMENT(routine, 1, tw_bad_numbers(TW_DOUBLE, p->q, p->n, TW_NBODY_COORDINATE_MAX, text));
    TW_ARGUMENT(routine, 2, motion ? NULL : "NULL");
    TW_ARGUMENT(routine, 2, isfinite(motion->g) && isfinite(motion->dt) ? NULL : "g or dt is not finite");
    TW_ARGUMENT(routine, 2, motion->softening >= 0 ? NULL : "its softening is negative or NaN");
    TW_ARGUMENT(routine, 2,
                motion->eps == 0 || (motion->eps >= 1e-14 && motion->eps < 1)
                    ? NULL
                    : "its eps is neither 0 nor in [1e-14, 1)");
    TW_ARGUMENT(routine, 2, motion->eps > 0 && motion->softening > 0 ? "softening needs the direct sum (eps 0)" : NULL);
    TW_ARGUMENT(routine, 2,
                motion->start >= 0 && motion->start <= TW_NBODY_STEPS ? NULL : "its start is not in [0, 10^15]");
    TW_ARGUMENT(routine, 3, steps >= 0 && steps <= TW_NBODY_STEPS ? NULL : "not in [0, 10^15]");
    TW_INSIDE int refused = tw_begin(); /* all of the motion is one call */
    if (refused) return refused;
    e = prepare(&w);
    if (e == TW_E_MEMORY && !w.field) tw_fail(e, "tw_leapfrog: no memory for %lld particles", (long long)p->n);
    if (!e) e = move(&w, steps, report, user);
    tw_matrix_destroy(w.sources);
    tw_matrix_destroy(w.result);
    free(w.field), free(w.columns);
    return e;
}
