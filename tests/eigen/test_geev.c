/* geev: eigenvalues and eigenvectors of general matrices through all doors, by checks that know nothing of it, beside
 * known spectra and LAPACK's, and bad input. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilework/lapacke.h>
#include "checks/checks.h"
#include "general.h"

/* ---- judges ------------------------------------------------------------------------------------------------------ */

static void judge_vectors(const char *what, enum tw_type t, int n, const void *a, int lda, const double *wr,
                          const double *wi, int left, const void *v, int ldv)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double residual[2];

    assert_int_equal(check_geev(&A, wr, wi, left, v, ldv, residual), 0);
    tt_expect(left ? "|A^H V - V D^H|" : "|A V - V D|", t, residual[0], 0, "%s, n = %d", what, n);
    tt_expect("|v| - 1", t, residual[1], 0, "%s, n = %d", what, n);
    /* the largest element, or one as large to rounding, is real */
    for (int j = 0; j < n; j++) {
        const int pair = !tt_complex(t) && wi[j] != 0;
        double most = 0, real = 0;
        for (int i = 0; i < n; i++) {
            const tt_z x = tt_get(t, v, (size_t)(i + j * ldv)),
                       z = pair ? x + tt_get(t, v, (size_t)(i + (j + 1) * ldv)) * I : x;
            most = fmax(most, cabs(z));
            if (cimag(z) == 0) real = fmax(real, cabs(z));
        }
        assert_true(real >= 0.999 * most);
        j += pair;
    }
}
static void judge_values(const char *what, enum tw_type t, int n, const void *a, int lda, const double *wr,
                         const double *wi)
{
    const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, n, n, a, lda};
    const struct check_matrix A = check_of_array(&array);
    double error;

    assert_int_equal(check_general_values(&A, wr, wi, &error), 0);
    tt_expect("sums of powers", t, error, 0, "%s, n = %d", what, n);
}

/* Each known eigenvalue has one of these near, none of them twice: in units of n eps |A|. For normal matrices. */
static void judge_spectrum(enum tw_type t, enum kind kind, int n, const double *wr, const double *wi)
{
    char *taken = calloc((size_t)n, 1);
    double worst = 0, size = 1;

    for (int k = 0; k < n; k++) {
        tt_z known = 0;
        int best = -1;
        double distance = INFINITY;
        if (kind == COMPANION) known = cexp(2 * M_PI * k * I / n);
        if (kind == CLEMENT) known = n - 1 - 2 * k, size = n;
        if (kind == CIRCULANT)
            for (int j = 0; j < n; j++)
                known += tt_uniform(9, j, 0) * cexp(2 * M_PI * ((long)j * k % n) * I / n);
        if (kind == CIRCULANT) size = n;
        if (kind == IDENTITY) known = 1;
        if (kind == ROTATIONS) known = n % 2 && k == n - 1 ? cos(1 + k / 2) : cexp((k % 2 ? -1 : 1) * (1 + k / 2) * I);
        for (int i = 0; i < n; i++)
            if (!taken[i] && cabs(wr[i] + wi[i] * I - known) < distance)
                distance = cabs(wr[i] + wi[i] * I - known), best = i;
        assert_true(best >= 0);
        taken[best] = 1;
        if (distance > worst) worst = distance;
    }
    tt_expect("known spectrum", t, worst / (n * tt_eps(t) * size), 0, "%s, n = %d", kinds[kind], n);
    free(taken);
}

/* ---- the matrix door --------------------------------------------------------------------------------------------- */

static void matrix_door(enum tw_type t, enum kind kind, int n, int nb)
{
    const int lda = n + 2;
    void *a = tt_array(t, lda, n + 1), *v[2];
    double *w[4][2];
    struct tt_place pa, pv[2];
    tw_matrix *A;

    for (int k = 0; k < 8; k++)
        w[k / 2][k % 2] = malloc((size_t)(n + 1) * sizeof(double));
    fill(t, kind, n, a, lda);
    A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, n, n, a, lda, nb);
    for (int jobs = 0; jobs < 4; jobs++) {
        tw_matrix *V[2] = {NULL, NULL};
        for (int right = 0; right < 2; right++) {
            v[right] = tt_array(t, n + 1, n + 1);
            for (int i = 0; i < (n + 1) * (n + 1); i++)
                tt_put(t, v[right], (size_t)i, 0);
            if (jobs >> right & 1)
                V[right] = tt_enter(&pv[right], TT_CREATED, t, TW_GENERAL, n, n, v[right], n + 1, right ? nb : nb + 3);
        }
        tt_expect_info(tw_geev(V[0] ? TW_VECTORS : TW_NOVECTORS, V[1] ? TW_VECTORS : TW_NOVECTORS, A, w[jobs][0],
                               w[jobs][1], V[0], V[1]),
                       0, "%s, n = %d", kinds[kind], n);
        for (int right = 0; right < 2; right++) {
            if (V[right]) {
                tt_leave(&pv[right]);
                judge_vectors(kinds[kind], t, n, a, lda, w[jobs][0], w[jobs][1], !right, v[right], n + 1);
            }
            free(v[right]);
        }
        assert_memory_equal(w[jobs][0], w[0][0], (size_t)n * sizeof(double)); /* with and without vectors */
        assert_memory_equal(w[jobs][1], w[0][1], (size_t)n * sizeof(double));
    }
    judge_values(kinds[kind], t, n, a, lda, w[0][0], w[0][1]);
    if (kind == COMPANION || kind == CIRCULANT || kind == IDENTITY || (kind == ROTATIONS && !tt_complex(t)) ||
        (kind == CLEMENT && n <= 20))
        judge_spectrum(t, kind, n, w[0][0], w[0][1]);
    tt_leave(&pa);
    for (int j = 0; j < n; j++) /* A stays */
        for (int i = 0; i < n; i++) {
            tt_z x;
            tt_put(t, a, (size_t)(n + j * lda), element(t, kind, n, i, j)); /* rounded */
            x = tt_get(t, a, (size_t)(n + j * lda));
            assert_true(tt_get(t, a, (size_t)(i + j * lda)) == x);
        }
    for (int k = 0; k < 8; k++)
        free(w[k / 2][k % 2]);
    free(a);
}

static void sizes(void **state)
{
    static const int size[] = {0, 1, 2, 3, 4, 5, 31, 64, 65, 97};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < COUNT(size); k++)
            matrix_door(t, RANDOM, size[k], k % 2 ? 16 : 40);
    matrix_door(TW_DOUBLE, RANDOM, 301, 100);
    matrix_door(TW_COMPLEX_FLOAT, RANDOM, 210, 64);
}

static void kinds_of(void **state)
{
    static const int size[] = {20, 75, 130};
    (void)state;
    TT_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++)
            for (int k = 0; k < COUNT(size); k++)
                if (kind != CLEMENT || k < 2) matrix_door(t, (enum kind)kind, size[k], 48);
}

/* Blocks of eigenvectors would part pairs, but do not: all columns are pairs', from the first or from the second on. */
static void pairs(void **state)
{
    (void)state;
    for (int n = 127; n <= 132; n++)
        matrix_door(TW_DOUBLE, ROTATIONS, n, 50), matrix_door(TW_FLOAT, ROTATIONS, n, 50);
}

/* In a sequence, on a matrix that a product before makes, and behind it another one on its eigenvectors. */
static void async(void **state)
{
    enum { N = 90, NB = 32 };
    double *a = tt_array(TW_DOUBLE, N, N), *b = tt_array(TW_DOUBLE, N, N), *p = tt_array(TW_DOUBLE, N, N), wr[N], wi[N];
    double *v = tt_array(TW_DOUBLE, N, N), *av = tt_array(TW_DOUBLE, N, N);
    struct tt_place pa, pb, pp, pv, pav;
    tw_matrix *A, *B, *P, *V, *AV;
    tw_sequence *seq;
    (void)state;
    fill(TW_DOUBLE, RANDOM, N, a, N);
    fill(TW_DOUBLE, SYMMETRIC, N, b, N);
    for (int i = 0; i < N * N; i++)
        p[i] = v[i] = av[i] = 0;
    A = tt_enter(&pa, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, a, N, NB);
    B = tt_enter(&pb, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, b, N, NB);
    P = tt_enter(&pp, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, p, N, NB);
    V = tt_enter(&pv, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, v, N, NB);
    AV = tt_enter(&pav, TT_CREATED, TW_DOUBLE, TW_GENERAL, N, N, av, N, NB);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, A, B, (tw_scalar){0, 0}, P, seq), 0);
    assert_int_equal(tw_geev_async(TW_NOVECTORS, TW_VECTORS, P, wr, wi, NULL, V, seq), 0);
    assert_int_equal(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, P, V, (tw_scalar){0, 0}, AV, seq), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    tw_sequence_destroy(seq);
    tt_leave(&pa), tt_leave(&pb), tt_leave(&pp), tt_leave(&pv), tt_leave(&pav);
    judge_vectors("in a sequence", TW_DOUBLE, N, p, N, wr, wi, 0, v, N);
    for (int j = 0; j < N; j++)
        if (wi[j] == 0)
            for (int i = 0; i < N; i++)
                assert_true(fabs(av[i + j * N] - wr[j] * v[i + j * N]) < 1e-10);
    free(a), free(b), free(p), free(v), free(av);
}

/* The checker sees what is wrong: an eigenvalue, a pair that is none, an element of a vector, its length. */
static void checker(void **state)
{
    enum { N = 60 };
    (void)state;
    TT_TYPES(t)
        for (int wrong = 0; wrong < 5; wrong++) {
            void *a = tt_array(t, N, N), *v = tt_array(t, N, N);
            const struct check_array array = {CHECK_GENERAL, t, TW_GENERAL, TW_NONUNIT, N, N, a, N};
            const struct check_matrix A = check_of_array(&array);
            const double off = is_single(t) ? 1e-2 : 1e-6;
            double wr[N], wi[N], residual[2], values;
            struct tt_place pa, pv;
            tw_matrix *X, *V;

            fill(t, RANDOM, N, a, N);
            X = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, N, N, a, N, N);
            V = tt_enter(&pv, TT_CREATED, t, TW_GENERAL, N, N, v, N, N);
            assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, X, wr, wi, NULL, V), 0);
            tt_leave(&pa), tt_leave(&pv);
            for (int i = 0; i < N * N; i++)
                if (wrong == 4 || (wrong == 3 && i == 11 + 7 * N))
                    tt_put(t, v, (size_t)i, tt_get(t, v, (size_t)i) * (1 + 10 * off) + (wrong == 3) * off);
            if (wrong == 1) wr[9] += off * N;
            if (wrong == 2 && wi[N / 2] == 0) wi[N / 2] = off * N;
            if (wrong == 2) wi[N / 2] = -wi[N / 2];
            assert_int_equal(check_geev(&A, wr, wi, 0, v, N, residual), 0);
            assert_int_equal(check_general_values(&A, wr, wi, &values), 0);
            assert_int_equal(residual[0] < 30, wrong == 0 || wrong == 4);
            if (wrong != 2) assert_int_equal(residual[1] < 30, wrong < 2);
            assert_int_equal(values < 30, wrong == 0 || wrong > 2);
            free(a), free(v);
        }
}

/* ---- LAPACK's and LAPACKE's names -------------------------------------------------------------------------------- */

/* way 0: LAPACK's name, 1: LAPACKE's, 2: with _work, 3: LAPACK's own with _work. Of complex types w has all
 * eigenvalues, of real ones the imaginary parts from wi on. */
static int solve(int way, enum tw_type t, int layout, char jobvl, char jobvr, int n, void *a, int lda, void *w,
                 void *wi, void *vl, int ldvl, void *vr, int ldvr, void *work, int lwork)
{
#define REAL(p)                                                                                                        \
    (way == 0   ? (int)tw_##p##geev(jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr)                                \
     : way == 1 ? (int)tw_LAPACKE_##p##geev(layout, jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr)                \
     : way == 2                                                                                                        \
         ? (int)tw_LAPACKE_##p##geev_work(layout, jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr, work, lwork)     \
         : (int)LAPACKE_##p##geev_work(layout, jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr, work, lwork))
#define COMPLEX(p)                                                                                                     \
    (way == 0   ? (int)tw_##p##geev(jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr)                                    \
     : way == 1 ? (int)tw_LAPACKE_##p##geev(layout, jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr)                    \
     : way == 2                                                                                                        \
         ? (int)tw_LAPACKE_##p##geev_work(layout, jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr, work, lwork, wi)     \
         : (int)LAPACKE_##p##geev_work(layout, jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr, work, lwork, wi))
    return t == TW_FLOAT ? REAL(s) : t == TW_DOUBLE ? REAL(d) : t == TW_COMPLEX_FLOAT ? COMPLEX(c) : COMPLEX(z);
#undef REAL
#undef COMPLEX
}
static void values_of(enum tw_type t, int n, const void *w, const void *wi, double *to)
{
    for (int i = 0; i < n; i++) {
        const tt_z x = tt_get(t, w, (size_t)i);
        to[i] = creal(x), to[n + i] = tt_complex(t) ? cimag(x) : creal(tt_get(t, wi, (size_t)i));
    }
}

/* One call with both eigenvectors, brought to columns. */
static void door(enum tw_type t, int way, int layout, int n, const char *jobs)
{
    enum { LD = 67, SPACE = 20000 };
    void *a = tt_array(t, LD, LD), *f = tt_array(t, LD, LD), *v[2], *w = tt_array(t, LD, 2), *wi = tt_array(t, LD, 2),
         *work = malloc(SPACE * tt_size(t)), *columns = tt_array(t, n, n);
    double values[2 * LD], before[2 * LD];

    fill(t, RANDOM, n, a, LD);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, f, tt_layout_at(layout, i, j, LD), tt_get(t, a, (size_t)(i + j * LD)));
    v[0] = tt_array(t, LD, LD), v[1] = tt_array(t, LD, LD);
    tt_expect_info(solve(way, t, layout, jobs[0], jobs[1], n, f, LD, w, wi, v[0], LD, v[1], LD, work, SPACE), 0,
                   "way %d, n = %d", way, n);
    values_of(t, n, w, wi, values);
    judge_values("doors", t, n, a, LD, values, values + n);
    for (int right = 0; right < 2; right++) {
        if (jobs[right] == 'N') continue;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                tt_put(t, columns, (size_t)(i + j * n), tt_get(t, v[right], tt_layout_at(layout, i, j, LD)));
        judge_vectors("doors", t, n, a, LD, values, values + n, !right, columns, n);
    }
    /* LAPACK's eigenvalues are the same, in whatever order: by their sums above; and here in their number of pairs'
     * firsts */
    memcpy(f, a, LD * LD * tt_size(t));
    assert_int_equal(solve(3, t, LAPACK_COL_MAJOR, 'N', 'N', n, f, LD, w, wi, NULL, 1, NULL, 1, work, SPACE), 0);
    values_of(t, n, w, wi, before);
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < n; j++)
            nearest = fmin(nearest, hypot(before[i] - values[j], before[n + i] - values[n + j]));
        assert_true(nearest < 3000 * n * tt_eps(t));
    }
    free(a), free(f), free(v[0]), free(v[1]), free(w), free(wi), free(work), free(columns);
}

static void doors(void **state)
{
    static const char *const jobs[] = {"VV", "NV", "VN", "NN", "vn"};
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int way = 0; way < 3; way++)
                for (int rows = 0; rows < (way ? 2 : 1); rows++)
                    for (int k = 0; k < COUNT(jobs); k++)
                        if (k != 4) door(t, way, rows ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, k == 1 ? 61 : 40, jobs[k]);
        unsetenv("TILEWORK_CROSSOVER");
    }
    door(TW_DOUBLE, 0, LAPACK_COL_MAJOR, 30, "VV");
}

/* Above the crossover the LAPACK door goes by tiles, and with two workers two tasks do the QR iteration; some
 * eigenvalues balancing has found. */
static void large(void **state)
{
    enum { N = 570, FIRST = 9, LAST = 20 };
    (void)state;
    for (int which = 0; which < 3; which++) {
        const enum tw_type t = which < 2 ? TW_DOUBLE : TW_COMPLEX_FLOAT;
        void *a = tt_array(t, N, N), *f, *v = tt_array(t, N, N), *w[2], *wi[2];
        double values[2 * N];
        tw_counters before, after;

        if (!TT_HAS(t)) continue;
        fill(t, RANDOM, N, a, N);
        for (int j = 0; which && j < N; j++)
            for (int i = j + 1; i < N; i++)
                if (j < FIRST || i >= N - LAST) tt_put(t, a, (size_t)(i + j * N), 0);
        f = tt_copy(t, N, N, a);
        for (int vectors = 0; vectors < 2; vectors++) {
            w[vectors] = tt_array(t, N, 1), wi[vectors] = tt_array(t, N, 1);
            memcpy(f, a, N * N * tt_size(t));
            tw_counters_get(&before);
            assert_int_equal(
                solve(0, t, 0, 'N', vectors ? 'V' : 'N', N, f, N, w[vectors], wi[vectors], NULL, 1, v, N, NULL, 0), 0);
            tw_counters_get(&after);
            assert_true(after.tasks > before.tasks);
        }
        assert_memory_equal(w[0], w[1], N * tt_size(t));
        if (!tt_complex(t)) assert_memory_equal(wi[0], wi[1], N * tt_size(t));
        values_of(t, N, w[0], wi[0], values);
        judge_values("LAPACK's door", t, N, a, N, values, values + N);
        judge_vectors("LAPACK's door", t, N, a, N, values, values + N, 0, v, N);
        free(a), free(f), free(v), free(w[0]), free(w[1]), free(wi[0]), free(wi[1]);
    }
}

/* The arguments that LAPACK refuses, by its numbers: ours (LAPACKE's are one more), and LAPACK's own. */
static void refusals(void **state)
{
    double a[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}, w[8], wi[8], l[32], r[32], work[400];
    tw_matrix *A, *V, *W, *F;
    (void)state;
    for (int type = 0; type < 2; type++) {
        const enum tw_type t = type ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
        for (int way = 0; way < 4; way++) {
            const int more = way > 0, fewer = type;
#define REFUSED(jobvl, jobvr, n, lda, ldvl, ldvr, lwork)                                                               \
    solve(way, t, LAPACK_COL_MAJOR, jobvl, jobvr, n, a, lda, w, wi, l, ldvl, r, ldvr, work, lwork)
            assert_int_equal(REFUSED('X', 'V', 4, 4, 4, 4, 100), -1 - more);
            assert_int_equal(REFUSED('V', 'S', 4, 4, 4, 4, 100), -2 - more);
            assert_int_equal(REFUSED('V', 'V', -1, 4, 4, 4, 100), -3 - more);
            assert_int_equal(REFUSED('V', 'V', 4, 3, 4, 4, 100), -5 - more);
            assert_int_equal(REFUSED('V', 'V', 4, 4, 3, 4, 100), -9 + fewer - more);
            assert_int_equal(REFUSED('N', 'V', 4, 4, 0, 4, 100), -9 + fewer - more);
            assert_int_equal(REFUSED('V', 'V', 4, 4, 4, 3, 100), -11 + fewer - more);
            assert_int_equal(REFUSED('V', 'N', 4, 4, 4, 0, 100), -11 + fewer - more);
            assert_int_equal(REFUSED('N', 'N', 0, 1, 1, 1, 100), 0);
            if (way > 1) assert_int_equal(REFUSED('V', 'V', 4, 4, 4, 4, type ? 7 : 15), -14 + fewer);
            if (way > 1) assert_int_equal(REFUSED('V', 'V', 4, 4, 4, 4, -1), 0);
            if (way > 1) assert_true(work[0] >= (type ? 8 : 16));
#define BY_ROWS(lda, ldvl, ldvr)                                                                                       \
    solve(way, t, LAPACK_ROW_MAJOR, 'V', 'V', 4, a, lda, w, wi, l, ldvl, r, ldvr, work, 100)
            if (!way) continue;
            assert_int_equal(BY_ROWS(3, 4, 4), -6);
            assert_int_equal(BY_ROWS(4, 3, 4), -10 + fewer);
            assert_int_equal(BY_ROWS(4, 4, 3), -12 + fewer);
            assert_int_equal(solve(way, t, 7, 'V', 'V', 4, a, 4, w, wi, l, 4, r, 4, work, 100), -1);
        }
    }
    assert_int_equal(tw_dgeev('V', 'V', 4, NULL, 4, w, wi, l, 4, r, 4), -4);
    assert_int_equal(tw_dgeev('V', 'V', 4, a, 4, NULL, wi, l, 4, r, 4), -6);
    assert_int_equal(tw_dgeev('V', 'V', 4, a, 4, w, NULL, l, 4, r, 4), -7);
    assert_int_equal(tw_dgeev('V', 'V', 4, a, 4, w, wi, NULL, 4, r, 4), -8);
    assert_int_equal(tw_dgeev('V', 'V', 4, a, 4, w, wi, l, 4, NULL, 4), -10);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&V, TW_DOUBLE, TW_GENERAL, 4, 4, 3, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_DOUBLE, TW_GENERAL, 4, 5, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_geev((enum tw_jobz)'x', TW_VECTORS, A, w, wi, NULL, V), -1);
    assert_int_equal(tw_geev(TW_NOVECTORS, (enum tw_jobz)0, A, w, wi, NULL, V), -2);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, W, w, wi, NULL, V), -3);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, NULL, w, wi, NULL, V), -3);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, A, NULL, wi, NULL, V), -4);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, A, w, NULL, NULL, V), -5);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, A, w, w, NULL, V), -5);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, A, w, wi, V, V), -6);
    assert_int_equal(tw_geev(TW_VECTORS, TW_VECTORS, A, w, wi, NULL, V), -6);
    assert_int_equal(tw_geev(TW_VECTORS, TW_NOVECTORS, A, w, wi, A, NULL), -6);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, A, w, wi, NULL, W), -7);
    assert_int_equal(tw_geev(TW_NOVECTORS, TW_VECTORS, A, w, wi, NULL, F), -7);
    assert_int_equal(tw_geev(TW_VECTORS, TW_VECTORS, A, w, wi, V, V), -7);
    assert_int_equal(tw_geev_async(TW_NOVECTORS, TW_VECTORS, A, w, wi, NULL, V, NULL), -8);
    tw_matrix_destroy(A), tw_matrix_destroy(V), tw_matrix_destroy(W), tw_matrix_destroy(F);
}

/* NaN and infinity: LAPACKE's functions say which argument, all others that nothing converged. */
static void not_finite(void **state)
{
    enum { N = 80 };
    (void)state;
    for (int small = 0; small < 2; small++) {
        if (!small) setenv("TILEWORK_CROSSOVER", "0", 1);
        TT_TYPES(t)
            for (int bad = 0; bad < 2; bad++) {
                void *a = tt_array(t, N, N), *v = tt_array(t, N, N), *w = tt_array(t, N, 2), *wi = tt_array(t, N, 2),
                     *work = malloc(10000 * tt_size(t));
                double values[2 * N];

                for (int way = 0; way < 3; way++) {
                    fill(t, RANDOM, N, a, N);
                    tt_put(t, a, 5 + 11 * N, bad ? INFINITY : NAN);
                    tt_expect_info(
                        solve(way, t, LAPACK_COL_MAJOR, 'N', 'V', N, a, N, w, wi, NULL, 1, v, N, work, 10000),
                        way == 1 && !bad ? -5 : N, "way %d", way);
                    if (way == 1 && !bad) continue;
                    values_of(t, N, w, wi, values);
                    for (int i = 0; i < 2 * N; i++)
                        assert_true(isnan(values[i]));
                }
                free(a), free(v), free(w), free(wi), free(work);
            }
        unsetenv("TILEWORK_CROSSOVER");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes), cmocka_unit_test(kinds_of), cmocka_unit_test(pairs),
        cmocka_unit_test(async), cmocka_unit_test(checker),  cmocka_unit_test(doors),
        cmocka_unit_test(large), cmocka_unit_test(refusals), cmocka_unit_test(not_finite)};
    return tt_run(tests);
}
