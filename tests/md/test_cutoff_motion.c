/* Localized interactions in motion: conservation, list reuse, restarts with the same bits; minimisation; files of
 * atoms. */
#include <math.h>
#include <unistd.h>

#include "tt.h"

struct trace {
    double energy0, drift, momentum;
    tw_int reports, step, stop_at;
    int rebuilds;
};
static int note(void *user, const tw_atoms *a, const tw_verlet_state *s)
{
    struct trace *t = user;
    const double energy = s->kinetic + s->potential.vdw + s->potential.electrostatic + s->potential.links;
    assert_true(a->n > 0);
    if (t->reports++ == 0) t->energy0 = energy;
    t->drift = fmax(t->drift, fabs(energy - t->energy0) / fabs(t->energy0));
    for (int k = 0; k < 3; k++)
        t->momentum = fmax(t->momentum, fabs(s->momentum[k]));
    t->step = s->step;
    t->rebuilds = s->rebuilds;
    return t->stop_at && s->step >= t->stop_at ? 17 : 0;
}

static void argon(tw_atoms *a, tw_cutoff *c, enum tw_type type)
{
    assert_int_equal(tw_atoms_generate(a, "argon", 500, 1), 0);
    assert_int_equal(a->n, 500);
    tw_cutoff_init(c, 2.5);
    c->electrostatics = TW_ELECTROSTATICS_NONE;
    c->type = type;
}

/* Energy wanders within bounds that shrink with the square of the time step; momentum stays 0. */
static void conservation(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        struct trace coarse = {0}, fine = {0};
        tw_cutoff c;
        tw_atoms a;
        argon(&a, &c, t ? TW_DOUBLE : TW_FLOAT);
        tt_expect_info(tw_cutoff_verlet(&c, &a, 0.004, 0, 100, 10, note, &coarse), 0, "coarse");
        assert_int_equal(coarse.reports, 11);
        assert_int_equal(coarse.step, 100);
        assert_true(coarse.rebuilds >= 11);
        tw_atoms_free(&a);
        argon(&a, &c, t ? TW_DOUBLE : TW_FLOAT);
        tt_expect_info(tw_cutoff_verlet(&c, &a, 0.002, 0, 200, 20, note, &fine), 0, "fine");
        tw_atoms_free(&a);
        print_message("drift %g, with half the step %g; momentum %g\n", coarse.drift, fine.drift, coarse.momentum);
        assert_true(coarse.drift < 2e-4 && fine.drift < coarse.drift / 2.5);
        assert_true(coarse.momentum < (t ? 1e-11 : 1e-2));
    }
}

/* Whatever the margin and however long lists are used, the same motion to rounding: no pair is missed. */
static void reuse(void **state)
{
    tw_cutoff c;
    tw_atoms a, b;
    (void)state;
    argon(&a, &c, TW_DOUBLE);
    c.skin = 0.02; /* stale all the time */
    struct trace t = {0};
    tt_expect_info(tw_cutoff_verlet(&c, &a, 0.005, 0, 60, 0, note, &t), 0, "thin margin");
    assert_true(t.rebuilds > 12);
    argon(&b, &c, TW_DOUBLE);
    c.skin = 0.9;
    c.reuse = 1000;
    t = (struct trace){0};
    tt_expect_info(tw_cutoff_verlet(&c, &b, 0.005, 0, 60, 0, note, &t), 0, "thick margin");
    assert_true(t.rebuilds < 8);
    for (int i = 0; i < 3 * a.n; i++)
        assert_true(fabs(remainder(a.x[i] - b.x[i], a.box[0])) < 1e-11 && fabs(a.v[i] - b.v[i]) < 1e-10);
    tw_atoms_free(&a), tw_atoms_free(&b);
}

/* Two atoms so near each other that reactions on a GPU cannot be summed exactly: every pair goes into both lists until
 * the next report, and the motion is that in double precision. */
static void too_near(void **state)
{
    tw_cutoff c;
    tw_atoms a, b;
    double moved = 0;
    struct trace t = {0};

    (void)state;
    for (int k = 0; k < 2; k++) {
        argon(k ? &b : &a, &c, k ? TW_FLOAT : TW_DOUBLE);
        double *x = k ? b.x : a.x;
        for (int d = 0; d < 3; d++)
            x[3 + d] = x[d] + (d == 0 ? 0.35 : 0);
        t = (struct trace){0};
        tt_expect_info(tw_cutoff_verlet(&c, k ? &b : &a, 1e-6, 0, 40, 20, note, &t), 0, "near atoms");
        assert_int_equal(t.reports, 3);
        assert_int_equal(t.step, 40);
    }
    for (int i = 0; i < 3 * a.n; i++)
        assert_true(fabs(remainder(a.x[i] - b.x[i], a.box[0])) < 1e-5);
    for (int d = 0; d < 3; d++)
        moved += pow(remainder(b.x[3 + d] - b.x[d], b.box[0]), 2);
    print_message("from 0.35 to %g\n", sqrt(moved));
    assert_true(sqrt(moved) > 0.36);
    tw_atoms_free(&a), tw_atoms_free(&b);
}

/* Stopped by a report, written to a file, read, and on: the same bits as without a stop. */
static void restart(void **state)
{
    char path[] = "/tmp/tilework-atoms-XXXXXX";
    struct trace t = {0};
    tw_cutoff c;
    tw_atoms a, b;
    tw_int step = 0;
    (void)state;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (int k = 0; k < 2; k++) {
        argon(&a, &c, k ? TW_FLOAT : TW_DOUBLE);
        tt_expect_info(tw_cutoff_verlet(&c, &a, 0.004, 0, 40, 10, note, &t), 0, "through");
        argon(&b, &c, c.type);
        t = (struct trace){.stop_at = 20};
        tt_expect_info(tw_cutoff_verlet(&c, &b, 0.004, 0, 40, 10, note, &t), 17, "stopped");
        assert_int_equal(tw_atoms_checkpoint(path, &b, t.step), 0);
        tw_atoms_free(&b);
        tt_expect_info(tw_atoms_restart(path, &b, &step), 0, "restart");
        assert_int_equal(step, 20);
        t = (struct trace){0};
        tt_expect_info(tw_cutoff_verlet(&c, &b, 0.004, step, 20, 10, note, &t), 0, "on");
        assert_int_equal(t.step, 40);
        assert_memory_equal(a.x, b.x, 3 * (size_t)a.n * sizeof(double));
        assert_memory_equal(a.v, b.v, 3 * (size_t)a.n * sizeof(double));
        tw_atoms_free(&a), tw_atoms_free(&b);
    }
    unlink(path);
}

static int falls(void *user, const tw_atoms *a, const tw_minimize_state *s)
{
    double *last = user;
    const double energy = s->energy.vdw + s->energy.electrostatic + s->energy.links;
    (void)a;
    assert_true(energy <= *last + 1e-12 * fabs(*last));
    *last = energy;
    return 0;
}

/* Two atoms end at the distance of least energy (a wide cut-off leaves it where it is); a cluster by both methods. */
static void minimum(void **state)
{
    double x[6] = {0, 0, 0, 4.6, 0.3, 0}, radius[2] = {1.9, 1.9}, depth[2] = {0.1, 0.1};
    tw_atoms two = {.n = 2, .x = x, .radius = radius, .depth = depth}, a;
    tw_minimize m = {.method = TW_LBFGS, .iterations = 200, .tolerance = 1e-9};
    tw_minimize_state s;
    tw_cutoff c;
    (void)state;
    tw_cutoff_init(&c, 200);
    tt_expect_info(tw_cutoff_minimize(&c, &two, &m, NULL, NULL, &s), 0, "two atoms");
    assert_true(s.converged && fabs(hypot(x[3] - x[0], hypot(x[4] - x[1], x[5] - x[2])) - 3.8) < 1e-6);
    assert_true(fabs(s.energy.vdw + 0.1) < 1e-9);
    for (int born = 0; born < 2; born++) {
        double last = INFINITY, energy[2];
        assert_int_equal(tw_atoms_generate(&a, "peptide", 60, 1), 0);
        tw_cutoff_init(&c, 12);
        if (born) c.electrostatics = TW_ELECTROSTATICS_BORN, c.eps_in = 4;
        m = (tw_minimize){.method = TW_STEEPEST_DESCENT, .iterations = 150, .every = 50};
        tt_expect_info(tw_cutoff_minimize(&c, &a, &m, falls, &last, &s), 0, "descent");
        energy[0] = last;
        assert_true(s.iteration <= 150 && !s.converged);
        m = (tw_minimize){.method = TW_LBFGS, .iterations = 2000, .tolerance = born ? 0.2 : 1e-3, .history = 8};
        tt_expect_info(tw_cutoff_minimize(&c, &a, &m, falls, &last, &s), 0, "L-BFGS");
        energy[1] = last;
        print_message("peptide: descent %g; L-BFGS %g, force %g, %d iterations, %d evaluations\n", energy[0], energy[1],
                      s.force, (int)s.iteration, (int)s.evaluations);
        assert_true(s.converged && s.force <= m.tolerance && energy[1] <= energy[0] && s.evaluations < 2 * s.iteration);
        tw_atoms_free(&a);
    }
}

static void ends(void **state)
{
    struct trace t = {0};
    tw_cutoff c;
    tw_atoms a, none = {0};
    tw_minimize m = {.method = TW_LBFGS, .iterations = 5};
    tw_minimize_state s;
    (void)state;
    argon(&a, &c, TW_DOUBLE);
    tt_expect_info(tw_cutoff_verlet(&c, &none, 0.1, 0, 5, 0, note, &t), 0, "nobody");
    tt_expect_info(tw_cutoff_minimize(&c, &none, &m, NULL, NULL, &s), 0, "nobody");
    tt_expect_info(tw_cutoff_verlet(&c, &a, NAN, 0, 5, 0, note, &t), -3, "dt");
    tt_expect_info(tw_cutoff_verlet(&c, &a, 0.1, -1, 5, 0, note, &t), -4, "first");
    tt_expect_info(tw_cutoff_verlet(&c, &a, 0.1, 0, -5, 0, note, &t), -5, "steps");
    tt_expect_info(tw_cutoff_verlet(&c, &a, 0.1, 0, 5, -1, note, &t), -6, "every");
    tt_expect_info(tw_cutoff_minimize(&c, &a, NULL, NULL, NULL, &s), -3, "NULL");
    m.history = 9;
    tt_expect_info(tw_cutoff_minimize(&c, &a, &m, NULL, NULL, &s), -3, "history");
    tt_expect_info(tw_cutoff_verlet(&c, &a, 1e14, 0, 50, 0, note, &t), TW_E_STATE, "away");
    tw_atoms_free(&a);
    tt_expect_info(tw_atoms_generate(&a, "steam", 8, 1), TW_E_OPTION, "kind");
    tt_expect_info(tw_atoms_alloc(&a, -1, 0), -2, "n");
    tt_expect_info(tw_atoms_read("/nonexistent/a.pdb", 1, &a), TW_E_IO, "no file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conservation), cmocka_unit_test(reuse),
                                       cmocka_unit_test(too_near),     cmocka_unit_test(restart),
                                       cmocka_unit_test(minimum),      cmocka_unit_test(ends)};
    return tt_run(tests);
}
