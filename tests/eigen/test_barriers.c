/* TILEWORK_BARRIERS: what overlaps else goes stage by stage, with the same results; and without it nothing is held
 * back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/tilework.h>
#include "checks/checks.h"
#include "tt.h"

enum { MOST = 32, N = 400 };

/* Stages, in the order in which they are to come; their values stay in w. */
struct run {
    tw_stage_report stage[MOST];
    int stages;
    double w[N];
};

static const tw_stage_report *find(const struct run *r, const char *name)
{
    for (int k = 0; k < r->stages; k++)
        if (!strcmp(r->stage[k].name, name)) return &r->stage[k];
    return NULL;
}
static int overlaps(const struct run *r, const char *const *names)
{
    int count = 0;

    for (int k = 0; names[k]; k++)
        if (!find(r, names[k])) fail_msg("no stage %s", names[k]);
    for (int k = 0; names[k + 1]; k++)
        count += find(r, names[k + 1])->first_start < find(r, names[k])->last_end;
    return count;
}

static void tell(struct run *r)
{
    r->stages = tw_stage_reports(r->stage, MOST);
    assert_true(r->stages > 0 && r->stages <= MOST);
}

typedef void (*solve_fn)(enum tw_type t, struct run *r);

/* Both ways; values are the same numbers within rounding, whichever of them are equal to the bit. */
static void compare(enum tw_type t, const char *what, solve_fn solve, const char *const *names)
{
    struct run *free_ = calloc(1, sizeof *free_), *fenced = calloc(1, sizeof *fenced);
    double most = 0, largest = 0;

    assert_true(free_ && fenced);
    for (int turn = 0, together = 0; turn < 20 && !together;
         turn++) { /* a busy machine may run them one after another */
        tw_counters_reset();
        solve(t, free_);
        together = overlaps(free_, names) > 0;
        if (turn == 19 && !together) fail_msg("%s: no stages overlap without barriers", what);
    }
    assert_int_equal(setenv("TILEWORK_BARRIERS", "1", 1), 0);
    tw_counters_reset();
    solve(t, fenced);
    unsetenv("TILEWORK_BARRIERS");
    if (overlaps(fenced, names) > 0) fail_msg("%s: stages overlap in spite of barriers", what);
    for (int i = 0; i < N; i++) {
        most = fmax(most, fabs(fenced->w[i] - free_->w[i]));
        largest = fmax(largest, fabs(free_->w[i]));
    }
    assert_true(largest > 0);
    tt_expect("|w - w|", t, most / (N * tt_eps(t) * largest), 0, "%s", what);
    free(free_), free(fenced);
}

/* ---- eigenvalues ------------------------------------------------------------------------------------------------- */

static void *hermitian(enum tw_type t)
{
    void *a = tt_array(t, N, N);

    tt_random(t, 'L', N, N, a, N, 5);
    for (int i = 0; i < N; i++)
        tt_put(t, a, (size_t)i * (size_t)(N + 1), tt_uniform(3, i, i));
    return a;
}
static void judge(enum tw_type t, const void *a, int m, const struct run *r, const void *z)
{
    struct check_array array = {CHECK_HERMITIAN, t, TW_LOWER, TW_NONUNIT, N, N, a, N};
    const struct check_matrix A = check_of_array(&array);
    double residual[2];

    assert_int_equal(check_syevd(&A, m, r->w, z, N, residual), 0);
    tt_expect("|A Z - Z w|", t, residual[0], 0, "%d vectors", m);
    tt_expect("|Z^H Z - I|", t, residual[1], 0, "%d vectors", m);
}

static void by_matrices(enum tw_type t, struct run *r)
{
    void *a = hermitian(t), *z = tt_array(t, N, N);
    struct tt_place pa, pz;
    tw_matrix *A = tt_enter(&pa, TT_CREATED, t, TW_LOWER, N, N, a, N, 96),
              *Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, N, z, N, 90);

    tt_expect_info(tw_syevd(TW_VECTORS, TW_LOWER, A, r->w, Z), 0, "syevd");
    tell(r);
    tt_leave(&pz), tt_leave(&pa);
    judge(t, a, N, r, z);
    free(a), free(z);
}

/* How many there are is known on the way; two sequences' barriers have nothing to do with each other. */
static void by_interval(enum tw_type t, struct run *r)
{
    void *a = hermitian(t), *z = tt_array(t, N, N);
    struct tt_place pa, pz;
    tw_matrix *A = tt_enter(&pa, TT_CREATED, t, TW_LOWER, N, N, a, N, 96),
              *Z = tt_enter(&pz, TT_CREATED, t, TW_GENERAL, N, N, z, N, 90);
    tw_sequence *seq, *other;
    double w[N];
    tw_int m = 0;

    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_sequence_create(&other), 0);
    assert_int_equal(tw_syevr_async(TW_VECTORS, TW_INTERVAL, TW_LOWER, A, -4, 4, 0, 0, &m, r->w, Z, seq), 0);
    tt_expect_info(tw_sequence_wait(seq), 0, "syevr");
    tell(r);
    assert_int_equal(tw_syevd_async(TW_NOVECTORS, TW_LOWER, A, w, NULL, other), 0);
    tt_expect_info(tw_sequence_wait(other), 0, "syevd");
    tt_leave(&pz), tt_leave(&pa);
    assert_true(m > 10 && m < N);
    judge(t, a, (int)m, r, z);
    for (int i = 0; i < m; i++)
        assert_true(r->w[i] > -4 && r->w[i] <= 4);
    tw_sequence_destroy(seq), tw_sequence_destroy(other);
    free(a), free(z);
}

/* On the caller's arrays, whose tasks have a token of their own. */
static void by_arrays(enum tw_type t, struct run *r)
{
    void *a = hermitian(t), *z = hermitian(t);
    const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
    float w[N];

    switch (t) {
    case TW_FLOAT: tt_expect_info((int)tw_ssyevd('V', 'L', N, z, N, w), 0, "ssyevd"); break;
    case TW_DOUBLE: tt_expect_info((int)tw_dsyevd('V', 'L', N, z, N, r->w), 0, "dsyevd"); break;
    case TW_COMPLEX_FLOAT: tt_expect_info((int)tw_cheevd('V', 'L', N, z, N, w), 0, "cheevd"); break;
    default: tt_expect_info((int)tw_zheevd('V', 'L', N, z, N, r->w), 0, "zheevd");
    }
    tell(r);
    for (int i = 0; single && i < N; i++)
        r->w[i] = (double)w[i];
    judge(t, a, N, r, z);
    free(a), free(z);
}

static void eigenvalues(void **state)
{
    static const char *const names[] = {"band", "tridiagonal", "solve", "back_tridiagonal", "back_band", NULL};

    (void)state;
    TT_TYPES(t) {
        compare(t, "syevd", by_matrices, names);
        compare(t, "syevr", by_interval, names);
        compare(t, "LAPACK's names", by_arrays, names);
    }
}

static void one_stage(void **state)
{
    static const char *const names[] = {"tridiagonal", "solve", "back_tridiagonal", NULL};

    (void)state;
    setenv("TILEWORK_ROUTE", "one", 1);
    compare(TW_DOUBLE, "one stage", by_matrices, names);
    unsetenv("TILEWORK_ROUTE");
}

/* ---- singular values --------------------------------------------------------------------------------------------- */

static void gesdd(enum tw_type t, struct run *r, int m)
{
    void *a = tt_array(t, m, N), *u = tt_array(t, m, N), *vt = tt_array(t, N, N);
    struct check_array array = {CHECK_GENERAL, t, TW_LOWER, TW_NONUNIT, m, N, a, m};
    const struct check_matrix A_ = check_of_array(&array);
    double residual[3];
    struct tt_place pa, pu, pv;
    tw_matrix *A, *U, *V;

    tt_random(t, 'G', m, N, a, m, 7);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, N, a, m, 96);
    U = tt_enter(&pu, TT_CREATED, t, TW_GENERAL, m, N, u, m, 96);
    V = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, N, N, vt, N, 96);
    tt_expect_info(tw_gesdd(TW_SVD_SOME, A, r->w, U, V), 0, "gesdd");
    tell(r);
    tt_leave(&pu), tt_leave(&pv), tt_leave(&pa);
    tt_random(t, 'G', m, N, a, m, 7);
    assert_int_equal(check_gesdd(&A_, r->w, N, u, m, N, vt, N, residual), 0);
    for (int k = 0; k < 3; k++)
        tt_expect("a factor", t, residual[k], 0, "m = %d: %d", m, k);
    free(a), free(u), free(vt);
}
static void square(enum tw_type t, struct run *r)
{
    gesdd(t, r, N);
}
static void tall(enum tw_type t, struct run *r)
{
    gesdd(t, r, 2 * N);
}

static void singular_values(void **state)
{
    static const char *const names[] = {"band", "bidiagonal", "solve", "back_bidiagonal", "back_band", NULL},
                             *const with_qr[] = {"band",      "bidiagonal", "solve", "back_bidiagonal",
                                                 "back_band", "back_qr",    NULL};

    (void)state;
    compare(TW_DOUBLE, "gesdd", square, names);
    compare(TW_COMPLEX_FLOAT, "gesdd, tall", tall, with_qr);
}

/* A word that it does not know is refused, as other variables' are. */
static void bad_word(void **state)
{
    double w[4];
    tw_matrix *A;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    assert_int_equal(setenv("TILEWORK_BARRIERS", "2", 1), 0);
    assert_int_equal(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), TW_E_OPTION);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_BARRIERS=2"));
    unsetenv("TILEWORK_BARRIERS");
    tw_matrix_destroy(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(eigenvalues), cmocka_unit_test(one_stage),
                                       cmocka_unit_test(singular_values), cmocka_unit_test(bad_word)};

    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_BAND", "24", 1);
    setenv("TILEWORK_LEAF", "64", 1);
    return tt_run(tests);
}
