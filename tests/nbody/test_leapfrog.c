/* Motion: an orbit known in closed form, conservation, second order, reversal, both ways to sum, what is refused. */
#include <math.h>

#include "tt.h"

struct trace {
    double energy0, drift, momentum; /* largest |E - E0| / |E0|, largest momentum */
    tw_int reports, stop_at;
};
static int note(void *user, const tw_particles *p, const tw_motion_state *s)
{
    struct trace *t = user;
    const double energy = s->kinetic + s->potential;
    assert_true(p->n > 0 && s->step == t->reports);
    if (s->step == 0) t->energy0 = energy;
    t->drift = fmax(t->drift, fabs((energy - t->energy0) / t->energy0));
    for (int k = 0; k < 3; k++)
        t->momentum = fmax(t->momentum, fabs(s->momentum[k]));
    t->reports++;
    return t->stop_at && s->step == t->stop_at ? 17 : 0;
}

/* Two masses 1/2 on a circle of diameter 1: angular velocity 1. Distance of body 0 from where it should be after a turn. */
static double turn(double eps, tw_int steps, struct trace *t)
{
    double x[6] = {0.5, 0, 0, -0.5, 0, 0}, v[6] = {0, 0.5, 0, 0, -0.5, 0}, q[2] = {0.5, 0.5};
    tw_particles p = {2, x, v, q};
    tw_motion m = {.g = 1, .eps = eps, .dt = 2 * M_PI / (double)steps};

    *t = (struct trace){0};
    tt_expect_info(tw_leapfrog(&p, &m, steps, note, t), 0, "orbit");
    assert_int_equal(t->reports, steps + 1);
    assert_true(fabs(t->energy0 + 0.125) < 1e-15 && t->momentum < 1e-15);
    return hypot(x[0] - 0.5, x[1]);
}

static void orbit(void **state)
{
    struct trace t;
    double coarse, fine;
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double eps = k ? 1e-12 : 0;
        coarse = turn(eps, 100, &t);
        assert_true(t.drift < 1e-3);
        fine = turn(eps, 200, &t);
        assert_true(t.drift < 3e-4);
        assert_true(coarse / fine > 3.8 && coarse / fine < 4.2); /* second order */
    }
}

static double *copy(const double *x, size_t n)
{
    double *y = malloc(n * sizeof *y);
    return memcpy(y, x, n * sizeof *y);
}

/* Forward, then backward: the beginning again. Energy stays near its value. */
static void reversal(void **state)
{
    struct trace t = {0};
    tw_motion m = {.g = 1, .softening = 0.1, .dt = 0.01};
    tw_particles p;
    (void)state;
    assert_int_equal(tw_particles_generate(&p, "plummer", 700, 3), 0);
    double *x = copy(p.x, 2100);
    tt_expect_info(tw_leapfrog(&p, &m, 50, note, &t), 0, "forward");
    assert_true(t.drift > 0 && t.drift < 1e-4);
    m.dt = -m.dt;
    tt_expect_info(tw_leapfrog(&p, &m, 50, NULL, NULL), 0, "backward");
    for (int i = 0; i < 2100; i++)
        assert_true(fabs(p.x[i] - x[i]) < 1e-11);
    free(x);
    tw_particles_free(&p);
}

static void both_ways(void **state)
{
    tw_motion direct = {.g = 1, .dt = 0.001}, fmm = {.g = 1, .dt = 0.001, .eps = 1e-9};
    tw_particles a, b;
    (void)state;
    assert_int_equal(tw_particles_generate(&a, "plummer", 3000, 4), 0);
    assert_int_equal(tw_particles_generate(&b, "plummer", 3000, 4), 0);
    tt_expect_info(tw_leapfrog(&a, &direct, 3, NULL, NULL), 0, "direct");
    tt_expect_info(tw_leapfrog(&b, &fmm, 3, NULL, NULL), 0, "fmm");
    for (int i = 0; i < 9000; i++)
        assert_true(fabs(a.x[i] - b.x[i]) < 1e-9);
    tw_particles_free(&a), tw_particles_free(&b);
}

static void ends(void **state)
{
    struct trace t = {.stop_at = 2};
    double x[6] = {0, 0, 0, 1, 0, 0}, v[6] = {0}, q[2] = {1, 1}, nan[6] = {0, NAN};
    tw_particles p = {2, x, v, q}, bad = {2, nan, v, q}, none = {0};
    tw_motion m = {.g = 1, .dt = 0.01}, odd = m;
    (void)state;
    tt_expect_info(tw_leapfrog(&p, &m, 5, note, &t), 17, "the report's word");
    assert_int_equal(t.reports, 3);
    tt_expect_info(tw_leapfrog(&none, &m, 5, NULL, NULL), 0, "nobody");
    tt_expect_info(tw_leapfrog(NULL, &m, 5, NULL, NULL), -1, "NULL");
    tt_expect_info(tw_leapfrog(&bad, &m, 5, NULL, NULL), -1, "NaN");
    tt_expect_info(tw_leapfrog(&p, NULL, 5, NULL, NULL), -2, "NULL");
    odd.dt = NAN;
    tt_expect_info(tw_leapfrog(&p, &odd, 5, NULL, NULL), -2, "dt");
    odd = (tw_motion){.g = 1, .dt = 1, .eps = 1e-3, .softening = 1};
    tt_expect_info(tw_leapfrog(&p, &odd, 5, NULL, NULL), -2, "softening with eps");
    odd = (tw_motion){.g = 1, .dt = 1, .eps = 2};
    tt_expect_info(tw_leapfrog(&p, &odd, 5, NULL, NULL), -2, "eps");
    tt_expect_info(tw_leapfrog(&p, &m, -1, NULL, NULL), -3, "steps");
    m.dt = 1e120;
    tt_expect_info(tw_leapfrog(&p, &m, 5, NULL, NULL), TW_E_STATE, "away");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orbit), cmocka_unit_test(reversal), cmocka_unit_test(both_ways),
                                       cmocka_unit_test(ends)};
    return tt_run(tests);
}
