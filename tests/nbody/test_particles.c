/* Particles: recipes, files that are read and written, files that are wrong. */
#include <math.h>
#include <unistd.h>

#include "tt.h"

static char path[600];
static const char *file(const char *suffix, const char *content)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.500s/tw_particles_%ld%s", dir ? dir : "/tmp", (long)getpid(), suffix);
    if (content) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_true(fputs(content, f) >= 0);
        assert_int_equal(fclose(f), 0);
    }
    return path;
}

static void recipes(void **state)
{
    static const char *const kinds[] = {"uniform", "sphere", "plummer", "collision"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        tw_particles p, again, none;
        double mass = 0, kinetic = 0;
        assert_int_equal(tw_particles_generate(&p, kinds[k], 20000, 1), 0);
        assert_int_equal(tw_particles_generate(&again, kinds[k], 20000, 1), 0);
        assert_memory_equal(p.x, again.x, 3 * 20000 * sizeof(double));
        assert_memory_equal(p.v, again.v, 3 * 20000 * sizeof(double));
        for (int i = 0; i < 20000; i++) {
            const double *x = p.x + 3 * i, *v = p.v + 3 * i, r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            mass += p.q[i];
            kinetic += 0.5 * p.q[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (k == 0) assert_true(x[0] > 0 && x[0] < 1 && x[2] > 0 && x[2] < 1);
            if (k == 1) assert_true(fabs(r - 1) < 1e-14);
            if (k == 2) assert_true(r < 10.001);
        }
        if (k) assert_true(fabs(mass - 1) < 1e-12);
        if (k == 2) assert_true(fabs(kinetic - 3 * M_PI / 64) < 0.004); /* virial equilibrium */
        assert_int_equal(tw_particles_generate(&none, kinds[k], 0, 1), 0);
        assert_int_equal(none.n, 0);
        tw_particles_free(&p), tw_particles_free(&again), tw_particles_free(&none);
    }
}

static void there_and_back(void **state)
{
    static const char *const suffix[] = {".xyz", ".csv"};
    tw_particles p, q;
    (void)state;
    assert_int_equal(tw_particles_generate(&p, "collision", 333, 5), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(tw_particles_write(file(suffix[k], NULL), &p), 0);
        assert_int_equal(tw_particles_read(path, &q), 0);
        assert_int_equal(q.n, p.n);
        assert_memory_equal(p.x, q.x, 3 * 333 * sizeof(double));
        assert_memory_equal(p.v, q.v, 3 * 333 * sizeof(double));
        assert_memory_equal(p.q, q.q, 333 * sizeof(double));
        tw_particles_free(&q);
        assert_int_equal(unlink(path), 0);
    }
    tw_particles_free(&p);
}

static void accepted(void **state)
{
    static const struct {
        const char *text;
        tw_int n;
        double x1, q0, v0; /* x of particle 1, charge and vx of particle 0 */
    } good[] = {
        {"2\ncomment\nH 1 2 3\nHe 4 5 6\n", 2, 4, 1, 0},
        {" 2 \n\nH\t1 2 3 -7\r\nHe 4 5 6 1 9 9 9", 2, 4, -7, 0},
        {"0\n", 0, 0, 0, 0},
        {"z,y,x,mass,vx\n1,2,3,4,5\n6,7,8,9,10\n", 2, 8, 4, 5},
        {"X,Y,Z,name\n1,2,3,a\n4,5,6,b\n", 2, 4, 1, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        tw_particles p;
        tt_expect_info(tw_particles_read(file(".txt", good[k].text), &p), 0, "%s", good[k].text);
        assert_int_equal(p.n, good[k].n);
        if (p.n) assert_true(p.x[3] == good[k].x1 && p.q[0] == good[k].q0 && p.v[0] == good[k].v0);
        tw_particles_free(&p);
    }
    unlink(path);
}

static void refused(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"2\ncomment\nH 1 2 3\n", "ends behind 1 of 2"},
        {"1\ncomment\nH 1 2\n", "line 3"},
        {"1\ncomment\nH 1 2 nan\n", "line 3"},
        {"1\ncomment\nH 1 2 1e999\n", "line 3"},
        {"1\ncomment\nH 1 2 3 4 5\n", "line 3"},
        {"1\ncomment\nH 1 2 3 4 5 6 7 8\n", "line 3"},
        {"1\ncomment\nH 1 2 3\nH 1 2 3\n", "behind the last"},
        {"1x\ncomment\n", "number of particles"},
        {"1", "comment line"},
        {"x,y\n1,2\n", "\"z\""},
        {"x,y,z\n1,2,\n", "\"z\""},
        {"x,y,z\n1,2,3\n1,2,x\n", ""},
        {"", ""},
    };
    tw_particles p;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tt_expect_info(tw_particles_read(file(".txt", bad[k].text), &p), TW_E_FORMAT, "%s", bad[k].text);
        assert_non_null(strstr(tw_last_message(), bad[k].says));
        assert_non_null(strstr(tw_last_message(), path));
        assert_true(p.n == 0 && !p.x && !p.v && !p.q);
    }
    unlink(path);
    tt_expect_info(tw_particles_read(path, &p), TW_E_IO, "gone");
    tt_expect_info(tw_particles_read(NULL, &p), -1, "NULL");
    tt_expect_info(tw_particles_read(path, NULL), -2, "NULL");
    tt_expect_info(tw_particles_write("/nonexistent/a.xyz", &p), TW_E_IO, "no folder");
    tt_expect_info(tw_particles_generate(&p, "ring", 5, 1), TW_E_OPTION, "no such kind");
    tt_expect_info(tw_particles_generate(&p, "uniform", -5, 1), -3, "n");
    tt_expect_info(tw_particles_generate(&p, "uniform", (tw_int)1 << 60, 1), TW_E_MEMORY, "too many");
    tt_expect_info(tw_particles_generate(NULL, "uniform", 5, 1), -1, "NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recipes), cmocka_unit_test(there_and_back),
                                       cmocka_unit_test(accepted), cmocka_unit_test(refused)};
    return tt_run(tests);
}
