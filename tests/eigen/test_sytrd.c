/* sytrd and hetrd, orgtr and ungtr, ormtr and unmtr: the reduction to tridiagonal form in one stage and its Q, through
 * all doors, and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/blas.h"
#include "checks/checks.h"
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)
enum { MOST = 200, NB = 48 };
enum kind { RANDOM, ZERO, DIAGONAL, TRIDIAGONAL, REPEATED, HUGE_, TINY, GRADED, KINDS };
static const char *const kinds[] = {"random", "zero", "diagonal", "tridiagonal", "repeated", "huge", "tiny", "graded"};

/* Element (i, j), i >= j. */
static tt_z element(enum tw_type t, enum kind kind, int i, int j)
{
    const int single = tw_type_real(t) == TW_FLOAT;
    const tt_z x = tt_uniform(7, i, j) + (tt_complex(t) && i != j ? tt_uniform(8, i, j) * I : 0);

    switch (kind) {
    case ZERO: return 0;
    case DIAGONAL: return i == j ? x : 0;
    case TRIDIAGONAL: return i <= j + 1 ? x : 0;
    case REPEATED: return i == j ? i % 3 : i / 4 == j / 4 ? 1 : 0;
    case HUGE_: return x * (single ? 1e37 : 1e305);
    case TINY: return x * (single ? 1e-37 : 1e-305);
    case GRADED: return x * pow(10, -(single ? 0.2 : 2) * i);
    default: return x;
    }
}
/* The uplo triangle; what is none of the matrix' is NaN. */
static void *input(enum tw_type t, enum kind kind, char uplo, int n, int lda)
{
    void *a = tt_array(t, lda, n);

    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            tt_put(t, a, (size_t)(uplo == 'L' ? i + j * lda : j + i * lda),
                   uplo == 'L' ? element(t, kind, i, j) : conj(element(t, kind, i, j)));
    return a;
}

struct result {
    double d[MOST], e[MOST];
    void *f, *tau; /* LAPACK's storage */
    int ld;
};

static double *wide(enum tw_type t, int n, const void *x, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = creal(tt_get(tw_type_real(t), x, (size_t)i));
    return to;
}

static void judge(const char *what, enum tw_type t, char uplo, int n, void *a, int lda, const struct result *r)
{
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[3];

    assert_int_equal(check_sytrd(&A, (enum tw_uplo)uplo, r->f, r->ld, r->d, r->e, r->tau, residual), 0);
    tt_expect("|A Q - Q T|", t, residual[0], 0, "%s, %c, n = %d", what, uplo, n);
    tt_expect("|Q^H Q - I|", t, residual[1], 0, "%s, %c, n = %d", what, uplo, n);
    assert_true(residual[2] == 0);
    assert_int_equal(tt_touched(t, uplo, n, n, r->f, r->ld), 0);
}
/* T's eigenvalues are LAPACK's of A. */
static void values(const char *what, enum tw_type t, char uplo, int n, void *a, int lda, const struct result *r)
{
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double w[MOST], e[MOST], error;

    memcpy(w, r->d, sizeof w), memcpy(e, r->e, sizeof e);
    if (n > 0) assert_int_equal(LAPACKE_dsterf(n, w, e), 0);
    assert_int_equal(check_eigenvalues(&A, w, &error), 0);
    tt_expect("|w - LAPACK's|", t, error, 0, "%s, %c, n = %d", what, uplo, n);
}

/* Q itself, and C := op(Q) C, C op(Q) beside LAPACK's. */
static int lapacks(enum tw_type t, char side, char uplo, int adjoint, int m, int n, const struct result *r, void *c,
                   int ldc)
{
    return check_reflect_trd(t, (enum tw_side)side, (enum tw_uplo)uplo, adjoint ? TW_CONJTRANS : TW_NOTRANS, m, n, r->f,
                             r->ld, r->tau, c, ldc);
}
static void with_q(enum tw_type t, char uplo, int n, void *a, int lda, const struct result *r, tw_matrix *F,
                   tw_matrix *tau)
{
    enum { OTHER = 61 };
    const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[2];
    void *q = tt_copy(t, r->ld, n, r->f);
    struct tt_place p;

    for (int k = 0; k < 4; k++) {
        const char side = k & 1 ? 'R' : 'L';
        const int m = side == 'L' ? n : OTHER, columns = side == 'L' ? OTHER : n, ldc = m + 1;
        void *c = tt_array(t, ldc, columns), *want;
        tt_random(t, 'G', m, columns, c, ldc, 5);
        want = tt_copy(t, ldc, columns, c);
        assert_int_equal(lapacks(t, side, uplo, k & 2, m, columns, r, want, ldc), 0);
        tt_expect_info(tw_unmtr((enum tw_side)side, (enum tw_uplo)uplo, k & 2 ? TW_CONJTRANS : TW_NOTRANS, F, tau,
                                tt_enter(&p, TT_CREATED, t, TW_GENERAL, m, columns, c, ldc, 29)),
                       0, "%c", side);
        tt_leave(&p);
        if (m > 0 && columns > 0)
            tt_expect("op(Q) C", t, tt_difference(t, 'G', 'N', m, columns, c, ldc, want, ldc), 0, "%c%c, n = %d", side,
                      uplo, n);
        free(c), free(want);
    }
    tt_expect_info(tw_ungtr((enum tw_uplo)uplo, tt_enter(&p, TT_CREATED, t, TW_GENERAL, n, n, q, r->ld, 37), tau), 0,
                   "Q");
    tt_leave(&p);
    assert_int_equal(check_trd_q(&A, r->d, r->e, q, r->ld, residual), 0);
    tt_expect("|A Q - Q T|", t, residual[0], 0, "Q, %c, n = %d", uplo, n);
    tt_expect("|Q^H Q - I|", t, residual[1], 0, "Q, %c, n = %d", uplo, n);
    free(q);
}

static void matrix_door(enum tw_type t, enum kind kind, enum tt_storage storage, char uplo, int n, int nb, int with)
{
    const int lda = n + 3, k = n > 1 ? n - 1 : 0;
    void *a = input(t, kind, uplo, n, lda);
    struct result r = {.f = tt_copy(t, lda, n, a), .ld = lda, .tau = tt_array(t, n + 1, 1)};
    struct tt_place p, pt;
    tw_matrix *F = tt_enter(&p, storage, t, (enum tw_uplo)uplo, n, n, r.f, lda, nb),
              *tau = k ? tt_enter(&pt, TT_CREATED, t, TW_GENERAL, k, 1, r.tau, k, 17) : NULL;

    tt_expect_info(tw_sytrd((enum tw_uplo)uplo, F, r.d, r.e, tau), 0, "%s", kinds[kind]);
    tt_leave(&p);
    if (tau) tt_leave(&pt);
    judge(kinds[kind], t, uplo, n, a, lda, &r);
    if (with && k) {
        F = tt_enter(&p, storage, t, (enum tw_uplo)uplo, n, n, r.f, lda, nb);
        tau = tt_enter(&pt, TT_CREATED, t, TW_GENERAL, k, 1, r.tau, k, 17);
        values(kinds[kind], t, uplo, n, a, lda, &r);
        with_q(t, uplo, n, a, lda, &r, F, tau);
        tt_leave(&p), tt_leave(&pt);
    }
    free(a), free(r.f), free(r.tau);
}

static void sizes(void **state)
{
    static const int orders[] = {0, 1, 2, 3, NB - 1, NB, NB + 1, 97, 200};
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < COUNT(orders); k++)
            for (const char *uplo = "LU"; *uplo; uplo++)
                matrix_door(t, RANDOM, k % 2 ? TT_CREATED : TT_FROM_LAPACK, *uplo, orders[k], NB, 1);
}

static void spectra(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (enum kind kind = ZERO; kind < KINDS; kind++)
            matrix_door(t, kind, TT_CREATED, kind % 2 ? 'L' : 'U', 75, 31, kind < HUGE_);
}

/* Of denormal numbers, whose reciprocals the type does not have: d and e are as exact as their own few digits, Q is as
 * always. */
static void denormal(void **state)
{
    enum { N = 40 };
    (void)state;
    FOR_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            const int single = tw_type_real(t) == TW_FLOAT;
            const double unit = single ? 0x1p-149 : 0x1p-1074;
            void *a = input(t, ZERO, *uplo, N, N), *tau = tt_array(t, N, 1);
            double d[N], e[N], w[N];
            tt_z q[N * N];
            struct tt_place p, pt;
            tw_matrix *A, *T;

            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    if (i == j || (i == N - 1 - j && (*uplo == 'L') == (i > j)))
                        tt_put(t, a, (size_t)(i + j * N), (i == j ? 3 * unit : 5 * unit));
            A = tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, a, N, 17);
            T = tt_enter(&pt, TT_CREATED, t, TW_GENERAL, N - 1, 1, tau, N, 17);
            setenv("TILEWORK_ROUTE", "one", 1);
            tt_expect_info(tw_syevd(TW_NOVECTORS, (enum tw_uplo) * uplo, A, w, NULL), 0, "denormal");
            unsetenv("TILEWORK_ROUTE");
            for (int i = 0; i < N; i++)
                assert_true(fabs(w[i] / unit - (i < N / 2 ? -2 : 8)) <= 1);
            tt_expect_info(tw_sytrd((enum tw_uplo) * uplo, A, d, e, T), 0, "denormal");
            tt_expect_info(tw_ungtr((enum tw_uplo) * uplo, A, T), 0, "denormal");
            tt_leave(&p), tt_leave(&pt);
            for (int i = 0; i < N * N; i++)
                q[i] = tt_get(t, a, (size_t)i);
            tt_expect("|Q^H Q - I|", t, tt_orthogonality(t, N, N, q), 0, "denormal, %c", *uplo);
            free(a), free(tau);
        }
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

#define BY_TYPE(sy, he, ...)                                                                                           \
    (t == TW_FLOAT           ? tw_s##sy(__VA_ARGS__)                                                                   \
     : t == TW_DOUBLE        ? tw_d##sy(__VA_ARGS__)                                                                   \
     : t == TW_COMPLEX_FLOAT ? tw_c##he(__VA_ARGS__)                                                                   \
                             : tw_z##he(__VA_ARGS__))
#define LAPACKE(sy, he, ...)                                                                                           \
    (t == TW_FLOAT           ? tw_LAPACKE_s##sy(__VA_ARGS__)                                                           \
     : t == TW_DOUBLE        ? tw_LAPACKE_d##sy(__VA_ARGS__)                                                           \
     : t == TW_COMPLEX_FLOAT ? tw_LAPACKE_c##he(__VA_ARGS__)                                                           \
                             : tw_LAPACKE_z##he(__VA_ARGS__))
static tw_int reduce(enum tw_type t, int layout, int work, char uplo, int n, void *a, int lda, void *d, void *e,
                     void *tau, void *space, int size)
{
    return work < 0    ? BY_TYPE(sytrd, hetrd, uplo, n, a, lda, d, e, tau)
           : work == 0 ? LAPACKE(sytrd, hetrd, layout, uplo, n, a, lda, d, e, tau)
                       : LAPACKE(sytrd_work, hetrd_work, layout, uplo, n, a, lda, d, e, tau, space, size);
}
static tw_int form(enum tw_type t, int layout, int work, char uplo, int n, void *a, int lda, void *tau, void *space,
                   int size)
{
    return work < 0    ? BY_TYPE(orgtr, ungtr, uplo, n, a, lda, tau)
           : work == 0 ? LAPACKE(orgtr, ungtr, layout, uplo, n, a, lda, tau)
                       : LAPACKE(orgtr_work, ungtr_work, layout, uplo, n, a, lda, tau, space, size);
}
static tw_int multiply(enum tw_type t, int layout, int work, char side, char uplo, char trans, int m, int n, void *a,
                       int lda, void *tau, void *c, int ldc, void *space, int size)
{
    return work < 0 ? BY_TYPE(ormtr, unmtr, side, uplo, trans, m, n, a, lda, tau, c, ldc)
           : work == 0
               ? LAPACKE(ormtr, unmtr, layout, side, uplo, trans, m, n, a, lda, tau, c, ldc)
               : LAPACKE(ormtr_work, unmtr_work, layout, side, uplo, trans, m, n, a, lda, tau, c, ldc, space, size);
}

/* From one layout to the other; NaN stays NaN. */
static void turn(enum tw_type t, int layout, int m, int n, const void *from, int ldf, void *to, int ldt)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, to, tt_layout_at(layout, i, j, ldt), tt_get(t, from, (size_t)(i + j * ldf)));
}
static void turn_back(enum tw_type t, int layout, int m, int n, const void *from, int ldf, void *to, int ldt)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, to, (size_t)(i + j * ldt), tt_get(t, from, tt_layout_at(layout, i, j, ldf)));
}

static void one_door(enum tw_type t, int layout, int work, char uplo)
{
    enum { N = 70, LDA = 75, OTHER = 20, ROOM = 6000 };
    const char trans = tt_complex(t) ? 'C' : 'T', side = uplo == 'L' ? 'L' : 'R';
    const int m = side == 'L' ? N : OTHER, columns = side == 'L' ? OTHER : N;
    void *a = input(t, RANDOM, uplo, N, LDA), *array = tt_array(t, LDA, LDA), *d = tt_array(tw_type_real(t), N, 1),
         *e = tt_array(tw_type_real(t), N, 1), *space = malloc(ROOM * tt_size(t)), *c = tt_array(t, LDA, LDA),
         *want = tt_array(t, LDA, LDA), *got = tt_array(t, LDA, LDA);
    struct result r = {.f = tt_array(t, LDA, N), .ld = LDA, .tau = tt_array(t, N, 1)};
    const struct check_array of = {CHECK_HERMITIAN, t, (enum tw_uplo)uplo, TW_NONUNIT, N, N, a, LDA};
    const struct check_matrix A = check_of_array(&of);
    double residual[2];

    turn(t, layout, N, N, a, LDA, array, LDA);
    if (work > 0) {
        assert_int_equal(reduce(t, layout, 1, uplo, N, array, LDA, d, e, r.tau, space, -1), 0);
        assert_true(creal(tt_get(t, space, 0)) >= 1 && creal(tt_get(t, space, 0)) <= ROOM);
        assert_int_equal(reduce(t, layout, 1, uplo, N, array, LDA, d, e, r.tau, space, 0), -10);
    }
    tt_expect_info(reduce(t, layout, work, uplo, N, array, LDA, d, e, r.tau, space, ROOM), 0, "%c", uplo);
    turn_back(t, layout, N, N, array, LDA, r.f, LDA);
    wide(t, N, d, r.d), wide(t, N - 1, e, r.e);
    judge("LAPACK's names", t, uplo, N, a, LDA, &r);

    for (int j = 0; j < N; j++) /* what LAPACKE looks at, and does not count */
        for (int i = 0; i < N; i++)
            if (uplo == 'L' ? i < j : i > j) tt_put(t, array, tt_layout_at(layout, i, j, LDA), 1);
    tt_random(t, 'G', m, columns, want, LDA, 5);
    turn(t, layout, m, columns, want, LDA, c, LDA);
    assert_int_equal(lapacks(t, side, uplo, 1, m, columns, &r, want, LDA), 0);
    if (work > 0) {
        assert_int_equal(multiply(t, layout, 1, side, uplo, trans, m, columns, array, LDA, r.tau, c, LDA, space, -1),
                         0);
        assert_int_equal(
            multiply(t, layout, 1, side, uplo, trans, m, columns, array, LDA, r.tau, c, LDA, space, OTHER - 1), -13);
        assert_int_equal(form(t, layout, 1, uplo, N, array, LDA, r.tau, space, -1), 0);
        assert_int_equal(form(t, layout, 1, uplo, N, array, LDA, r.tau, space, N - 2), -8);
    }
    tt_expect_info(multiply(t, layout, work, side, uplo, trans, m, columns, array, LDA, r.tau, c, LDA, space, ROOM), 0,
                   "%c", side);
    turn_back(t, layout, m, columns, c, LDA, got, LDA);
    tt_expect("op(Q) C", t, tt_difference(t, 'G', 'N', m, columns, got, LDA, want, LDA), 0, "LAPACK's names, %c%c",
              side, uplo);
    tt_expect_info(form(t, layout, work, uplo, N, array, LDA, r.tau, space, ROOM), 0, "%c", uplo);
    turn_back(t, layout, N, N, array, LDA, got, LDA);
    assert_int_equal(check_trd_q(&A, r.d, r.e, got, LDA, residual), 0);
    tt_expect("|A Q - Q T|", t, residual[0], 0, "LAPACK's names, Q, %c", uplo);
    tt_expect("|Q^H Q - I|", t, residual[1], 0, "LAPACK's names, Q, %c", uplo);
    free(a), free(array), free(d), free(e), free(space), free(c), free(want), free(got), free(r.f), free(r.tau);
}

static void doors(void **state)
{
    static const int layouts[] = {LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR};
    (void)state;
    for (int straight = 0; straight < 2; straight++) {
        setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
        FOR_TYPES(t)
            for (int l = 0; l < 2; l++)
                for (int work = l ? 0 : -1; work < 2; work++)
                    for (const char *uplo = "LU"; *uplo; uplo++)
                        one_door(t, layouts[l], work, *uplo);
    }
    unsetenv("TILEWORK_CROSSOVER");
}

/* The reflectors are LAPACK's to rounding. */
static void as_lapack(void **state)
{
    enum { N = 97 };
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    for (const char *uplo = "LU"; *uplo; uplo++) {
        void *a = input(TW_COMPLEX_DOUBLE, RANDOM, *uplo, N, N), *b = tt_copy(TW_COMPLEX_DOUBLE, N, N, a);
        double d[2][N], e[2][N];
        tt_z tau[2][N];
        assert_int_equal(tw_zhetrd(*uplo, N, a, N, d[0], e[0], (void *)tau[0]), 0);
        assert_int_equal(check_lapack_sytrd(TW_COMPLEX_DOUBLE, (enum tw_uplo) * uplo, N, b, N, d[1], e[1], tau[1]), 0);
        for (int i = 0; i + 1 < N; i++)
            assert_true(fabs(d[0][i] - d[1][i]) < 1e-11 && fabs(e[0][i] - e[1][i]) < 1e-11 &&
                        cabs(tau[0][i] - tau[1][i]) < 1e-11);
        assert_true(tt_difference(TW_COMPLEX_DOUBLE, *uplo, 'N', N, N, a, N, b, N) < 1e4);
        free(a), free(b);
    }
    unsetenv("TILEWORK_CROSSOVER");
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void refusals(void **state)
{
    double a[16] = {4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4}, d[4], e[4], tau[4] = {0}, c[16] = {0};
    tw_matrix *A, *T, *S, *C, *F;
    (void)state;
    assert_int_equal(tw_dsytrd('X', 4, a, 4, d, e, tau), -1);
    assert_int_equal(tw_dsytrd('L', -1, a, 4, d, e, tau), -2);
    assert_int_equal(tw_dsytrd('L', 4, NULL, 4, d, e, tau), -3);
    assert_int_equal(tw_dsytrd('L', 4, a, 3, d, e, tau), -4);
    assert_int_equal(tw_dsytrd('L', 4, a, 4, NULL, e, tau), -5);
    assert_int_equal(tw_dsytrd('L', 4, a, 4, d, NULL, tau), -6);
    assert_int_equal(tw_dsytrd('L', 4, a, 4, d, e, NULL), -7);
    assert_int_equal(tw_dsytrd('L', 0, NULL, 1, NULL, NULL, NULL), 0);
    assert_int_equal(tw_dorgtr('X', 4, a, 4, tau), -1);
    assert_int_equal(tw_dorgtr('L', -1, a, 4, tau), -2);
    assert_int_equal(tw_dorgtr('L', 4, NULL, 4, tau), -3);
    assert_int_equal(tw_dorgtr('L', 4, a, 3, tau), -4);
    assert_int_equal(tw_dorgtr('L', 4, a, 4, NULL), -5);
    assert_int_equal(tw_dormtr('X', 'L', 'N', 4, 4, a, 4, tau, c, 4), -1);
    assert_int_equal(tw_dormtr('L', 'X', 'N', 4, 4, a, 4, tau, c, 4), -2);
    assert_int_equal(tw_dormtr('L', 'L', 'C', 4, 4, a, 4, tau, c, 4), -3);
    assert_int_equal(tw_zunmtr('L', 'L', 'T', 2, 2, (void *)a, 4, (void *)tau, (void *)c, 4), -3);
    assert_int_equal(tw_dormtr('L', 'L', 'N', -1, 4, a, 4, tau, c, 4), -4);
    assert_int_equal(tw_dormtr('L', 'L', 'N', 4, -1, a, 4, tau, c, 4), -5);
    assert_int_equal(tw_dormtr('L', 'L', 'N', 4, 4, NULL, 4, tau, c, 4), -6);
    assert_int_equal(tw_dormtr('L', 'L', 'N', 4, 4, a, 3, tau, c, 4), -7);
    assert_int_equal(tw_dormtr('L', 'L', 'N', 4, 4, a, 4, NULL, c, 4), -8);
    assert_int_equal(tw_dormtr('L', 'L', 'N', 4, 4, a, 4, tau, NULL, 4), -9);
    assert_int_equal(tw_dormtr('L', 'L', 'N', 4, 4, a, 4, tau, c, 3), -10);
    assert_int_equal(tw_LAPACKE_dsytrd(7, 'L', 4, a, 4, d, e, tau), -1);
    assert_int_equal(tw_LAPACKE_dsytrd(LAPACK_ROW_MAJOR, 'L', 4, a, 3, d, e, tau), -5);
    assert_int_equal(tw_LAPACKE_dorgtr(LAPACK_ROW_MAJOR, 'L', 4, a, 3, tau), -5);
    assert_int_equal(tw_LAPACKE_dormtr(LAPACK_ROW_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 3), -11);
    a[3] = NAN; /* LAPACKE's numbers */
    assert_int_equal(tw_LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', 4, a, 4, d, e, tau),
                     LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', 4, a, 4, d, e, tau));
    assert_int_equal(tw_LAPACKE_dorgtr(LAPACK_COL_MAJOR, 'L', 4, a, 4, tau),
                     LAPACKE_dorgtr(LAPACK_COL_MAJOR, 'L', 4, a, 4, tau));
    assert_int_equal(tw_LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 4),
                     LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 4));
    a[3] = 1, tau[1] = NAN;
    assert_int_equal(tw_LAPACKE_dorgtr(LAPACK_COL_MAJOR, 'L', 4, a, 4, tau),
                     LAPACKE_dorgtr(LAPACK_COL_MAJOR, 'L', 4, a, 4, tau));
    assert_int_equal(tw_LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 4),
                     LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 4));
    tau[1] = 0, c[5] = NAN;
    assert_int_equal(tw_LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 4),
                     LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', 4, 4, a, 4, tau, c, 4));

    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&T, TW_DOUBLE, TW_GENERAL, 3, 1, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, 2, 1, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 4, 5, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_sytrd((enum tw_uplo)'X', A, d, e, T), -1);
    assert_int_equal(tw_sytrd(TW_UPPER, A, d, e, T), -2);
    assert_int_equal(tw_sytrd(TW_LOWER, NULL, d, e, T), -2);
    assert_int_equal(tw_sytrd(TW_LOWER, C, d, e, T), -2);
    assert_int_equal(tw_sytrd(TW_LOWER, A, NULL, e, T), -3);
    assert_int_equal(tw_sytrd(TW_LOWER, A, d, NULL, T), -4);
    assert_int_equal(tw_sytrd(TW_LOWER, A, d, e, NULL), -5);
    assert_int_equal(tw_sytrd(TW_LOWER, A, d, e, S), -5);
    assert_int_equal(tw_sytrd(TW_LOWER, F, d, e, T), -5);
    assert_int_equal(tw_sytrd_async(TW_LOWER, A, d, e, T, NULL), -6);
    assert_int_equal(tw_ungtr((enum tw_uplo)'X', F, T), -1);
    assert_int_equal(tw_ungtr(TW_LOWER, A, T), -2);
    assert_int_equal(tw_ungtr(TW_LOWER, F, T), -3);
    assert_int_equal(tw_unmtr((enum tw_side)'X', TW_LOWER, TW_NOTRANS, A, T, C), -1);
    assert_int_equal(tw_unmtr(TW_LEFT, (enum tw_uplo)'X', TW_NOTRANS, A, T, C), -2);
    assert_int_equal(tw_unmtr(TW_LEFT, TW_LOWER, (enum tw_trans)'X', A, T, C), -3);
    assert_int_equal(tw_unmtr(TW_LEFT, TW_UPPER, TW_NOTRANS, A, T, C), -4);
    assert_int_equal(tw_unmtr(TW_LEFT, TW_LOWER, TW_NOTRANS, A, S, C), -5);
    assert_int_equal(tw_unmtr(TW_LEFT, TW_LOWER, TW_NOTRANS, A, T, F), -6);
    assert_int_equal(tw_unmtr(TW_RIGHT, TW_LOWER, TW_NOTRANS, A, T, C), -6);
    tw_matrix *P, *R;
    memset(a, 0, sizeof a);
    assert_int_equal(tw_matrix_wrap(&P, TW_DOUBLE, TW_LOWER, 4, 4, a, 4, 2), 0);
    assert_int_equal(tw_matrix_wrap(&R, TW_DOUBLE, TW_GENERAL, 4, 4, a, 4, 2), 0);
    assert_int_equal(tw_unmtr(TW_LEFT, TW_LOWER, TW_NOTRANS, P, T, R), -6); /* over one array */
    tw_matrix_destroy(P), tw_matrix_destroy(R);
    tw_matrix_destroy(A), tw_matrix_destroy(T), tw_matrix_destroy(S), tw_matrix_destroy(C), tw_matrix_destroy(F);

    /* of order 1 there is no reflector: Q is 1, and tau may be missing */
    setenv("TILEWORK_CROSSOVER", "0", 1);
    a[0] = 5, c[0] = 3;
    assert_int_equal(tw_dsytrd('U', 1, a, 1, d, NULL, NULL), 0);
    assert_true(d[0] == 5 && a[0] == 5);
    assert_int_equal(tw_dormtr('L', 'U', 'N', 1, 1, NULL, 1, NULL, c, 1), 0);
    assert_int_equal(tw_dorgtr('U', 1, a, 1, NULL), 0);
    assert_true(a[0] == 1 && c[0] == 3);
    unsetenv("TILEWORK_CROSSOVER");
}

/* NaN in the triangle that is read goes into d and e, and nothing hangs. */
static void not_a_number(void **state)
{
    enum { N = 60 };
    (void)state;
    setenv("TILEWORK_CROSSOVER", "0", 1);
    FOR_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            void *a = input(t, RANDOM, *uplo, N, N), *d = tt_array(tw_type_real(t), N, 1),
                 *e = tt_array(tw_type_real(t), N, 1), *tau = tt_array(t, N, 1);
            double sum = 0;
            tt_put(t, a, (size_t)(*uplo == 'L' ? 40 + 3 * N : 3 + 40 * N), NAN);
            tt_expect_info(reduce(t, 0, -1, *uplo, N, a, N, d, e, tau, NULL, 0), 0, "NaN");
            for (int i = 0; i < N; i++)
                sum += creal(tt_get(tw_type_real(t), d, (size_t)i));
            assert_true(isnan(sum));
            free(a), free(d), free(e), free(tau);
        }
    unsetenv("TILEWORK_CROSSOVER");
}

/* Reduction, Q and a product with it in one queue, nothing waiting between them. */
static void queued(void **state)
{
    enum { N = 110 };
    (void)state;
    FOR_TYPES(t)
        for (const char *uplo = "LU"; *uplo; uplo++) {
            void *a = input(t, RANDOM, *uplo, N, N), *q = tt_array(t, N, N);
            const struct check_array array = {CHECK_HERMITIAN, t, (enum tw_uplo) * uplo, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            double d[N], e[N], residual[2];
            tw_sequence *seq;
            tw_matrix *F, *Q, *tau;

            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    if (*uplo == 'L' ? i < j : i > j)
                        tt_put(t, q, (size_t)(i + j * N), 0);
                    else
                        tt_put(t, q, (size_t)(i + j * N), tt_get(t, a, (size_t)(i + j * N)));
            assert_int_equal(tw_matrix_create(&F, t, TW_GENERAL, N, N, 31, NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(F, q, N), 0);
            assert_int_equal(tw_tau_create(&tau, F), 0);
            memset(q, 0, (size_t)N * N * tt_size(t));
            for (int i = 0; i < N; i++)
                tt_put(t, q, (size_t)i * (N + 1), 1);
            assert_int_equal(tw_matrix_create(&Q, t, TW_GENERAL, N, N, 50, NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(Q, q, N), 0);
            assert_int_equal(tw_sequence_create(&seq), 0);
            assert_int_equal(tw_sytrd_async((enum tw_uplo) * uplo, F, d, e, tau, seq), 0);
            assert_int_equal(tw_unmtr_async(TW_RIGHT, (enum tw_uplo) * uplo, TW_CONJTRANS, F, tau, Q, seq),
                             0); /* Q^H */
            assert_int_equal(tw_ungtr_async((enum tw_uplo) * uplo, F, tau, seq), 0);
            assert_int_equal(tw_sequence_wait(seq), 0);
            assert_int_equal(tw_sequence_destroy(seq), 0);
            assert_int_equal(tw_matrix_to_lapack(F, q, N), 0);
            assert_int_equal(check_trd_q(&A, d, e, q, N, residual), 0);
            tt_expect("|A Q - Q T|", t, residual[0], 0, "queued, %c", *uplo);
            void *h = tt_array(t, N, N);
            assert_int_equal(tw_matrix_to_lapack(Q, h, N), 0);
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    assert_true(cabs(tt_get(t, q, (size_t)(i + j * N)) - conj(tt_get(t, h, (size_t)(j + i * N)))) <
                                100 * tt_eps(t));
            tw_matrix_destroy(F), tw_matrix_destroy(Q), tw_matrix_destroy(tau);
            free(a), free(q), free(h);
        }
}

/* ---- reproducible mode: one hash over schedulers and workers ----------------------------------------------------- */

static uint64_t hash = 1469598103934665603u;
static void mix(const void *data, size_t bytes)
{
    for (const unsigned char *p = data; bytes; bytes--)
        hash = (hash ^ *p++) * 1099511628211u;
}

static void results(void **state)
{
    enum { N = 150 };
    (void)state;
    for (int k = 0; k < 4; k++) {
        const enum tw_type t = k & 1 ? TW_COMPLEX_FLOAT : TW_DOUBLE;
        const char uplo = k & 2 ? 'U' : 'L';
        void *a = input(t, RANDOM, uplo, N, N), *tau = tt_array(t, N, 1), *q = tt_array(t, N, N);
        double d[N], e[N], w[N];
        struct tt_place p, pt;
        tw_matrix *Q;

        setenv("TILEWORK_ROUTE", "one", 1);
        for (int i = 0; i < N * N; i++)
            tt_put(t, q, (size_t)i, 0);
        for (int j = 0; j < N; j++)
            for (int i = j; i < N; i++) {
                const size_t at = (size_t)(uplo == 'L' ? i + j * N : j + i * N);
                tt_put(t, q, at, tt_get(t, a, at));
            }
        Q = tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, q, N, 64);
        tt_expect_info(tw_syevd(TW_VECTORS, (enum tw_uplo)uplo, Q, w, Q), 0, "syevd");
        tt_leave(&p);
        mix(w, sizeof w), mix(q, N * N * tt_size(t));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                if (uplo == 'L' ? i < j : i > j) tt_put(t, a, (size_t)(i + j * N), 0);
        Q = tt_enter(&p, TT_CREATED, t, TW_GENERAL, N, N, a, N, 64);
        tw_matrix *T = tt_enter(&pt, TT_CREATED, t, TW_GENERAL, N - 1, 1, tau, N, 64);
        tt_expect_info(tw_sytrd((enum tw_uplo)uplo, Q, d, e, T), 0, "sytrd");
        tt_expect_info(tw_ungtr((enum tw_uplo)uplo, Q, T), 0, "ungtr");
        tt_leave(&p), tt_leave(&pt);
        mix(d, sizeof d), mix(e, (N - 1) * sizeof *e), mix(tau, (N - 1) * tt_size(t)), mix(a, N * N * tt_size(t));
        free(a), free(tau), free(q);
    }
    tt_expect_info(tw_finalize(), 0, "stop");
    printf("hash %016llx\n", (unsigned long long)hash);
}

static void one_hash(void **state)
{
    static char out[1 << 16];
    static const char *const scheds[] = {"STARPU_SCHED=lws", "STARPU_SCHED=eager", "STARPU_SCHED=dmdas"};
    static const char *const workers[] = {"STARPU_NCPU=1", "STARPU_NCPU=2", "STARPU_NCPU=4"};
    char first[32] = "";

    (void)state;
    for (int k = 0; k < 5; k++) { /* each scheduler, each number of workers */
        const char *sched = scheds[k < 3 ? k : 0], *count = workers[k < 3 ? 1 : k == 3 ? 0 : 2];
        const char *env[] = {sched, count, "STARPU_NCUDA=0", "TILEWORK_REPRODUCIBLE=1", NULL};
        int rc = tt_run_self("child", env, 150, out, sizeof out);
        char *found = strstr(out, "hash ");
        if (rc || !found) fail_msg("%s %s: exit %d\n%s", sched, count, rc, out);
        found[5 + 16] = 0;
        printf("%s %s: %s\n", sched, count, found);
        if (!first[0]) snprintf(first, sizeof first, "%s", found);
        assert_string_equal(first, found);
    }
}

/* NaN beside the triangle of the reflectors: nobody looks there, LAPACKE's functions neither, and orgtr writes over
 * it. */
static void beside_reflectors(void **state)
{
    enum { N = 61 };
    (void)state;
    for (int straight = 0; straight < 2; straight++)
        for (const char *uplo = "LU"; *uplo; uplo++)
            for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++) {
                double *a = tt_array(TW_DOUBLE, N, N), *q = calloc(N * N, sizeof *q), d[N], e[N], tau[N];
                const int low = (*uplo == 'L') == (layout == LAPACK_COL_MAJOR);

                setenv("TILEWORK_CROSSOVER", straight ? "1000" : "0", 1);
                for (int j = 0; j < N; j++) {
                    for (int i = j; i < N; i++)
                        a[low ? i + j * N : j + i * N] = creal(element(TW_DOUBLE, RANDOM, i, j));
                    for (int i = 0; i < j; i++)
                        a[low ? i + j * N : j + i * N] = NAN;
                    q[j + j * N] = 1;
                }
                assert_int_equal(tw_LAPACKE_dsytrd(layout, *uplo, N, a, N, d, e, tau), 0);
                assert_int_equal(tw_LAPACKE_dormtr(layout, 'L', *uplo, 'N', N, N, a, N, tau, q, N), 0);
                assert_int_equal(tw_LAPACKE_dorgtr(layout, *uplo, N, a, N, tau), 0);
                for (int i = 0; i < N * N; i++)
                    assert_true(fabs(a[i] - q[i]) < 1e-13);
                assert_int_equal(tw_LAPACKE_dsytrd(layout, *uplo, N, a, N, d, e, tau), 0);
                a[low ? N - 1 : (N - 1) * N] = NAN; /* a reflector's */
                assert_int_equal(tw_LAPACKE_dormtr(layout, 'L', *uplo, 'N', N, N, a, N, tau, q, N), -7);
                assert_int_equal(tw_LAPACKE_dorgtr(layout, *uplo, N, a, N, tau), -4);
                free(a), free(q);
            }
    unsetenv("TILEWORK_CROSSOVER");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes),        cmocka_unit_test(denormal),
                                       cmocka_unit_test(spectra),      cmocka_unit_test(doors),
                                       cmocka_unit_test(as_lapack),    cmocka_unit_test(refusals),
                                       cmocka_unit_test(not_a_number), cmocka_unit_test(queued),
                                       cmocka_unit_test(one_hash),     cmocka_unit_test(beside_reflectors)};
    const struct CMUnitTest alone[] = {cmocka_unit_test(results)};
    (void)argv;
    return argc > 1 ? tt_run(alone) : tt_run(tests);
}
