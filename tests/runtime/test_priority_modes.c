/* TILEWORK_PRIORITY: right answers in every mode, and the priorities that tasks really get. */
#include "tt.h"
#include "runtime/machine/gpus.h"
#include "runtime/watch/record.h"

enum { N = 700, NB = 100, TILES = 7 };
static struct {
    int potrf[TILES], above[TILES], least, greatest, count, own, panel_least, other_greatest;
} seen;

static int of_potrf(const char *name)
{
    return !strncmp(name, "potrf", 5) || !strncmp(name, "trsm", 4) || !strncmp(name, "herk", 4) ||
           !strncmp(name, "gemm", 4) || !strncmp(name, "syrk", 4);
}

/* Called by tw_trace_write with what was recorded. */
static int look(const struct tw_recording *r, const char *prefix)
{
    (void)prefix;
    memset(&seen, 0, sizeof seen);
    seen.panel_least = INT32_MAX;
    seen.least = INT32_MAX;
    seen.other_greatest = seen.greatest = INT32_MIN;
    for (size_t k = 0; k < r->nrecords; k++) {
        const struct tw_record *t = &r->records[k];
        if (!of_potrf(t->name)) { /* beside GPUs the library makes some of its own, workspaces among them */
            seen.own++;
            print_message("a task of the library's own: %s\n", t->name);
            continue;
        }
        /* on GPUs they are potrf_inverse and trsm_inverse */
        int factor = !strncmp(t->name, "potrf", 5), panel = factor || !strncmp(t->name, "trsm", 4);
        if (factor && t->coord[0] >= 0 && t->coord[0] < TILES) seen.potrf[t->coord[0]] = t->priority;
        if (t->priority < seen.least) seen.least = t->priority;
        if (t->priority > seen.greatest) seen.greatest = t->priority;
        if (panel && t->priority < seen.panel_least) seen.panel_least = t->priority;
        if (!panel && t->priority > seen.other_greatest) seen.other_greatest = t->priority;
        seen.count++;
    }
    for (int d = 0; d < TILES; d++)
        for (size_t k = 0; k < r->nrecords; k++)
            seen.above[d] += r->records[k].priority > seen.potrf[d];
    return 0;
}

/* The library's own writers write their files, too. */
static void write_trace(void)
{
    static const char *const endings[] = {"paje", "json", "svg", "html"};
    const char *folder = getenv("TILEWORK_BUILD");
    char prefix[1024], path[1100];

    snprintf(prefix, sizeof prefix, "%s/priority-modes-test", folder ? folder : ".");
    tt_expect_info(tw_trace_write(prefix), 0, "tw_trace_write");
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s.%s", prefix, endings[k]);
        remove(path);
    }
}

static void factor_in_mode(const char *mode)
{
    double *a = tt_array(TW_DOUBLE, N, N), *f;
    tw_options o;
    tw_matrix *A;

    tw_options_init(&o);
    o.priority = mode;
    o.sched = "prio"; /* has the whole range of integers */
    tt_expect_info(tw_init(&o), 0, "tw_init with %s", mode);
    tt_spd(TW_DOUBLE, 'L', N, a, N, 1);
    f = tt_copy(TW_DOUBLE, N, N, a);
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, N, N, f, N, NB), 0);
    assert_int_equal(tw_trace_start(), 0);
    tt_expect_info(tw_potrf(TW_LOWER, A), 0, "potrf with %s", mode);
    assert_int_equal(tw_trace_stop(), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', N, a, N, f, N), N, "priority %s", mode);
    write_trace();
    assert_int_equal(seen.count, TILES * (TILES + 1) * (TILES + 2) / 6); /* potrf's closed form */
    assert_int_equal(tw_trace_count(), seen.count + seen.own);
    if (tw_gpus() == 0) assert_int_equal(seen.own, 0);
    assert_int_equal(tw_finalize(), 0);
    free(a), free(f);
}

static void none(void **state)
{
    (void)state;
    factor_in_mode("none");
    assert_int_equal(seen.least, 0);
    assert_int_equal(seen.greatest, 0);
}

static void panel(void **state)
{
    (void)state;
    factor_in_mode("panel");
    assert_true(seen.panel_least > seen.other_greatest);
}

/* The path from an earlier diagonal tile to the end contains the later ones. */
static void bottom_level(void **state)
{
    (void)state;
    factor_in_mode("bottom-level");
    for (int k = 1; k < TILES; k++)
        assert_true(seen.potrf[k - 1] > seen.potrf[k]);
    assert_int_equal(seen.potrf[0], seen.greatest);
}

/* With a depth of look-ahead: as many tasks are more urgent than the factorization of diagonal tile `step` as come
 * before it. A panel, its tile and the solves below it, comes `ahead` steps early; so does what it waits for, which is
 * updates of its block column by as many steps before it. */
static int before(int step, int ahead)
{
    int count = 0;

    for (int k = 0; k < TILES; k++) {
        if (k - ahead < step - ahead) count += TILES - k;
        for (int column = k + 1; column < TILES; column++)
            if ((k < column - ahead ? k : column - ahead) < step - ahead) count += TILES - column;
    }
    return count;
}

static void fixed_depths(void **state)
{
    static const char *const depths[] = {"0", "1", "2", "5"};
    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        setenv("TILEWORK_LOOKAHEAD", depths[i], 1);
        factor_in_mode("bottom-level");
        for (int k = 0; k < TILES; k++)
            assert_int_equal(seen.above[k], before(k, atoi(depths[i])));
    }
    setenv("TILEWORK_LOOKAHEAD", "auto", 1);
    factor_in_mode("bottom-level");
    assert_true(seen.above[TILES - 1] != before(TILES - 1, 0) || seen.above[1] != before(1, 0));
    unsetenv("TILEWORK_LOOKAHEAD");
}

/* LU and QR are right with any depth, and the panels' priorities fall by one step each. */
static void other_factorizations(void **state)
{
    const int m = 230, n = 200, nb = 40;
    (void)state;
    for (int depth = 0; depth < 3; depth++) {
        char text[8];
        double *a = tt_array(TW_DOUBLE, m, n), *f = tt_array(TW_DOUBLE, m, n), *tau = tt_array(TW_DOUBLE, n, 1);
        tw_int pivot[200];
        int32_t few[200];
        tw_matrix *A, *V, *P;

        snprintf(text, sizeof text, "%d", depth);
        setenv("TILEWORK_LOOKAHEAD", text, 1);
        tt_random(TW_DOUBLE, 'G', m, n, a, m, 5);
        assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, m, n, nb, NULL), 0);
        assert_int_equal(tw_tau_create(&V, A), 0);
        assert_int_equal(tw_pivots_create(&P, A), 0);
        assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
        assert_int_equal(tw_geqrf(A, V), 0);
        assert_int_equal(tw_matrix_to_lapack(A, f, m), 0);
        assert_int_equal(tw_matrix_to_lapack(V, tau, n), 0);
        tt_expect("geqrf", TW_DOUBLE, tt_qr_residual(TW_DOUBLE, 'C', m, n, a, m, f, m, tau), n, "depth %d", depth);
        assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
        assert_int_equal(tw_getrf(A, P), 0);
        assert_int_equal(tw_matrix_to_lapack(A, f, m), 0);
        assert_int_equal(tw_matrix_to_lapack(P, few, n), 0);
        for (int i = 0; i < n; i++)
            pivot[i] = few[i];
        tt_expect("getrf", TW_DOUBLE, tt_lu_residual(TW_DOUBLE, m, n, a, m, f, m, pivot), n, "depth %d", depth);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(V), 0);
        assert_int_equal(tw_matrix_destroy(P), 0);
        free(a), free(f), free(tau);
    }
    /* it is read at each call */
    tw_matrix *B;
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    setenv("TILEWORK_LOOKAHEAD", "far", 1);
    assert_int_equal(tw_potrf(TW_LOWER, B), TW_E_OPTION);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_LOOKAHEAD"));
    unsetenv("TILEWORK_LOOKAHEAD");
    assert_int_equal(tw_matrix_destroy(B), 0);
    assert_int_equal(tw_finalize(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none), cmocka_unit_test(panel), cmocka_unit_test(bottom_level),
                                       cmocka_unit_test(fixed_depths), cmocka_unit_test(other_factorizations)};
    unsetenv("STARPU_SCHED");
    tw_trace_register_writer(look);
    return tt_run(tests);
}
