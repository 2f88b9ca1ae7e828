/* TILEWORK_PRIORITY: right answers in every mode, and the priorities that tasks really get. */
#include "tt.h"
#include "runtime/watch/record.h"

enum { N = 700, NB = 100, TILES = 7 };
static struct {
    int potrf[TILES], least, greatest, count, panel_least, other_greatest;
} seen;

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
        /* on GPUs they are potrf_inverse and trsm_inverse */
        int factor = !strncmp(t->name, "potrf", 5), panel = factor || !strncmp(t->name, "trsm", 4);
        if (factor && t->coord[0] >= 0 && t->coord[0] < TILES) seen.potrf[t->coord[0]] = t->priority;
        if (t->priority < seen.least) seen.least = t->priority;
        if (t->priority > seen.greatest) seen.greatest = t->priority;
        if (panel && t->priority < seen.panel_least) seen.panel_least = t->priority;
        if (!panel && t->priority > seen.other_greatest) seen.other_greatest = t->priority;
        seen.count++;
    }
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
    assert_int_equal(tw_trace_count(), TILES * (TILES + 1) * (TILES + 2) / 6); /* potrf's closed form */
    write_trace();
    assert_int_equal(seen.count, TILES * (TILES + 1) * (TILES + 2) / 6);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none), cmocka_unit_test(panel), cmocka_unit_test(bottom_level)};
    unsetenv("STARPU_SCHED");
    tw_trace_register_writer(look);
    return tt_run(tests);
}
