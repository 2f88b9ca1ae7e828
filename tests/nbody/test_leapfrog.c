/* Motion: an orbit known in closed form, conservation, second order, reversal, both ways to sum, what is refused. */
#include <math.h>
#include <unistd.h>

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

/* Two masses 1/2 on a circle of diameter 1: angular velocity 1. Distance of body 0 from where it should be after a
 * turn. */
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

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static const char *file_name(void)
{
    static char path[600];
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.500s/tw_motion_%ld", dir ? dir : "/tmp", (long)getpid());
    return path;
}

static int last_step(void *user, const tw_particles *p, const tw_motion_state *s)
{
    tw_motion_state *last = user;
    (void)p;
    *last = *s;
    return 0;
}

/* Stopped and gone on: the bits of a motion that never stopped, by both ways to sum. */
static void restarted(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        tw_motion m = {.g = 1, .dt = 0.01, .eps = k ? 1e-5 : 0, .softening = k ? 0 : 0.05}, again;
        tw_particles a, b, c;
        tw_motion_state whole, half;
        assert_int_equal(tw_particles_generate(&a, "collision", 400, 5), 0);
        assert_int_equal(tw_particles_generate(&b, "collision", 400, 5), 0);
        tt_expect_info(tw_leapfrog(&a, &m, 7, last_step, &whole), 0, "7 steps");
        tt_expect_info(tw_leapfrog(&b, &m, 3, NULL, NULL), 0, "3 steps");
        tt_expect_info(tw_motion_save(file_name(), &b, &m, 3), 0, "save");
        tt_expect_info(tw_motion_load(file_name(), &c, &again), 0, "load");
        assert_true(again.start == 3 && again.g == m.g && again.dt == m.dt && again.eps == m.eps);
        assert_true(again.softening == m.softening);
        tt_expect_info(tw_leapfrog(&c, &again, 4, last_step, &half), 0, "4 more");
        assert_int_equal(c.n, a.n);
        assert_memory_equal(a.x, c.x, (size_t)a.n * 24);
        assert_memory_equal(a.v, c.v, (size_t)a.n * 24);
        assert_memory_equal(&whole, &half, sizeof whole);
        tw_particles_free(&a), tw_particles_free(&b), tw_particles_free(&c);
    }
    assert_int_equal(unlink(file_name()), 0);
}

/* Every byte matters, and the length. */
static void damaged(void **state)
{
    double x[3] = {1, 2, 3}, v[3] = {4, 5, 6}, q[1] = {7}, nan[3] = {NAN, 0, 0};
    tw_particles p = {1, x, v, q}, back, odd = {1, nan, v, q}, none = {0};
    tw_motion m = {.g = 1, .dt = 0.5}, again = {.g = 17};
    unsigned char bytes[200];
    (void)state;
    tt_expect_info(tw_motion_save(file_name(), &p, &m, 11), 0, "save");
    FILE *f = fopen(file_name(), "rb");
    assert_non_null(f);
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_int_equal(size, 64 + 56 + 8);
    for (size_t k = 0; k <= size; k++) {
        f = fopen(file_name(), "wb");
        assert_non_null(f);
        if (k < size) bytes[k] ^= 16;
        fwrite(bytes, 1, k < size ? size : size - 1, f); /* last: a byte is missing */
        if (k < size) bytes[k] ^= 16;
        fclose(f);
        tt_expect_info(tw_motion_load(file_name(), &back, &again), TW_E_FORMAT, "byte %d", (int)k);
        assert_non_null(strstr(tw_last_message(), file_name()));
        assert_true(back.n == 0 && !back.x && !back.v && !back.q && again.g == 17);
    }
    tt_expect_info(tw_motion_save(file_name(), &odd, &m, 0), 0, "NaN");
    tt_expect_info(tw_motion_load(file_name(), &back, &again), TW_E_FORMAT, "NaN");
    tt_expect_info(tw_motion_save(file_name(), &none, &m, 0), 0, "nobody");
    tt_expect_info(tw_motion_load(file_name(), &back, &again), 0, "nobody");
    assert_int_equal(back.n, 0);
    tw_particles_free(&back);
    assert_int_equal(unlink(file_name()), 0);
    tt_expect_info(tw_motion_load(file_name(), &back, &again), TW_E_IO, "no file");
    tt_expect_info(tw_motion_load(NULL, &back, &again), -1, "NULL");
    tt_expect_info(tw_motion_load(file_name(), NULL, &again), -2, "NULL");
    tt_expect_info(tw_motion_load(file_name(), &back, NULL), -3, "NULL");
    tt_expect_info(tw_motion_save(NULL, &p, &m, 0), -1, "NULL");
    tt_expect_info(tw_motion_save(file_name(), NULL, &m, 0), -2, "NULL");
    tt_expect_info(tw_motion_save(file_name(), &p, NULL, 0), -3, "NULL");
    tt_expect_info(tw_motion_save(file_name(), &p, &m, -1), -4, "negative");
    tt_expect_info(tw_motion_save("/nonexistent/m", &p, &m, 0), TW_E_IO, "no folder");
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
    odd = (tw_motion){.g = 1, .dt = 1, .start = -1};
    tt_expect_info(tw_leapfrog(&p, &odd, 5, NULL, NULL), -2, "start");
    odd = (tw_motion){.g = 1, .dt = 1, .eps = 2};
    tt_expect_info(tw_leapfrog(&p, &odd, 5, NULL, NULL), -2, "eps");
    tt_expect_info(tw_leapfrog(&p, &m, -1, NULL, NULL), -3, "steps");
    m.dt = 1e120;
    tt_expect_info(tw_leapfrog(&p, &m, 5, NULL, NULL), TW_E_STATE, "away");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orbit),     cmocka_unit_test(reversal),
                                       cmocka_unit_test(both_ways), cmocka_unit_test(restarted),
                                       cmocka_unit_test(damaged),   cmocka_unit_test(ends)};
    return tt_run(tests);
}
