/* gepinv: Penrose's four conditions of matrices of full and lesser rank. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tt.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))
enum { MOST = 150 };

/* A product of m x rank and rank x n matrices far from singular. */
static void fill(enum tw_type t, int m, int n, int rank, void *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            tt_z sum = 0;
            for (int k = 0; k < rank; k++)
                sum += ((i == k ? 12 : 0) + tt_uniform(3, i, k) + (tt_complex(t) ? I * tt_uniform(4, i, k) : 0)) *
                       ((j == k ? 12 : 0) + tt_uniform(5, k, j));
            tt_put(t, a, (size_t)i + (size_t)j * (size_t)lda, sum);
        }
}

/* |A P - (A P)^H| in units of order eps: 0 for a hermitian product. */
static double skew(enum tw_type t, int n, const tt_z *x)
{
    tt_z *d = calloc((size_t)n * (size_t)n, sizeof *d);
    double norm;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            d[i + j * n] = x[i + j * n] - conj(x[j + i * n]);
    norm = tt_norm('O', n, n, d) / (n * tt_eps(t));
    free(d);
    return norm;
}

static void conditions(enum tw_type t, int m, int n, int rank, const tt_z *A, const tt_z *P)
{
    tt_z *AP = calloc((size_t)m * (size_t)m, sizeof *AP), *PA = calloc((size_t)n * (size_t)n, sizeof *PA);
    const double condition = tt_norm('F', m, n, A) * tt_norm('F', n, m, P);

    tt_multiply(m, m, n, 1, A, P, 0, AP);
    tt_multiply(n, n, m, 1, P, A, 0, PA);
    tt_expect("|A P A - A|", t, tt_equation_residual(t, m, n, m, AP, A, A), 0, "%d x %d, rank %d", m, n, rank);
    tt_expect("|P A P - P|", t, tt_equation_residual(t, n, m, n, PA, P, P), 0, "%d x %d, rank %d", m, n, rank);
    tt_expect("|A P - (A P)^H|", t, skew(t, m, AP) / condition, 0, "%d x %d, rank %d", m, n, rank);
    tt_expect("|P A - (P A)^H|", t, skew(t, n, PA) / condition, 0, "%d x %d, rank %d", m, n, rank);
    free(AP), free(PA);
}

static void penrose(void **state)
{
    static const int shapes[][3] = {{1, 1, 1},    {3, 2, 2},    {60, 60, 60},  {90, 40, 40}, {40, 90, 40},
                                    {70, 60, 20}, {50, 80, 30}, {40, 530, 20}, {540, 30, 30}};
    (void)state;
    setenv("TILEWORK_BAND", "8", 1);
    TT_TYPES(t)
        for (int k = 0; k < COUNT(shapes); k++) {
            const int m = shapes[k][0], n = shapes[k][1], rank = shapes[k][2];
            void *a = tt_array(t, m, n), *p = tt_array(t, n, m);
            double s[MOST];
            struct tt_place pa, pp;
            tw_matrix *A, *P;
            tt_z *wide, *inverse;
            int found = -1;

            fill(t, m, n, rank, a, m);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, m, n, a, m, 24);
            P = tt_enter(&pp, TT_CREATED, t, TW_GENERAL, n, m, p, n, k % 2 ? 24 : 17);
            tt_expect_info(tw_gepinv(A, P, s, k % 2 ? 0.001 : 0, &found), 0, "%d x %d", m, n);
            tt_leave(&pa), tt_leave(&pp);
            if (k % 2) assert_int_equal(found, rank);
            wide = tt_full(TT_GENERAL, t, 'G', 'N', m, n, a, m), inverse = tt_full(TT_GENERAL, t, 'G', 'N', n, m, p, n);
            conditions(t, m, n, rank, wide, inverse);
            free(a), free(p), free(wide), free(inverse);
        }
    unsetenv("TILEWORK_BAND");
}

/* Inverses of numbers below all normal ones: an infinity where the inverse is beyond the range, and else what it is, 0
 * too. */
static void beyond_the_range(void **state)
{
    enum { M = 30, N = 20 };
    static const char *const what[] = {"in range", "beyond"};
    (void)state;
    TT_TYPES(t)
        for (int far = 0; far < 2; far++) { /* unit columns, times a power of two whose inverse is in range or not */
            const int e = (tt_eps(t) > 1e-10 ? 126 : 1022) + 6 * far;
            void *a = tt_array(t, M, N), *p = tt_array(t, N, M);
            struct tt_place pa, pp;
            tw_matrix *A, *P;
            double s[N];
            int rank = -1;

            for (int j = 0; j < N; j++)
                for (int i = 0; i < M; i++)
                    tt_put(t, a, (size_t)(i + j * M), i == j + 3 ? ldexp(j % 2 ? -1 : 1, -e) : 0);
            A = tt_enter(&pa, TT_CREATED, t, TW_GENERAL, M, N, a, M, 8);
            P = tt_enter(&pp, TT_CREATED, t, TW_GENERAL, N, M, p, N, 8);
            tt_expect_info(tw_gepinv(A, P, s, 0, &rank), 0, "%s", what[far]);
            tt_leave(&pa), tt_leave(&pp);
            assert_int_equal(rank, N);
            for (int j = 0; j < M; j++)
                for (int i = 0; i < N; i++) {
                    const tt_z x = tt_get(t, p, (size_t)(i + j * N));
                    if (j != i + 3)
                        assert_true(cabs(x) == 0);
                    else if (far)
                        assert_true(isinf(creal(x)) && (creal(x) < 0) == (i % 2));
                    else
                        assert_true(fabs(ldexp(creal(x), -e) - (i % 2 ? -1 : 1)) <= 100 * tt_eps(t));
                }
            free(a), free(p);
        }
}

static void bad_input(void **state)
{
    double a[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 5, NAN}, s[4];
    int rank = 7;
    tw_matrix *A, *P, *W;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 4, 3, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&P, TW_DOUBLE, TW_GENERAL, 3, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&W, TW_FLOAT, TW_GENERAL, 3, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, 4), 0);
    assert_int_equal(tw_gepinv(NULL, P, s, 0, &rank), -1);
    assert_int_equal(tw_gepinv(A, A, s, 0, &rank), -2);
    assert_int_equal(tw_gepinv(A, W, s, 0, &rank), -2);
    assert_int_equal(tw_gepinv(A, NULL, s, 0, &rank), -2);
    assert_int_equal(tw_gepinv(A, P, NULL, 0, &rank), -3);
    assert_int_equal(tw_gepinv(A, P, s, NAN, &rank), -4);
    assert_int_equal(tw_gepinv(A, P, s, 0, NULL), -5);
    assert_int_equal(tw_gepinv_async(A, P, s, 0, &rank, NULL), -6);
    assert_int_equal(tw_gepinv(A, P, s, 0, &rank), 3);
    assert_true(rank == 0 && isnan(s[0]));
    tw_matrix_destroy(A), tw_matrix_destroy(P), tw_matrix_destroy(W);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(penrose), cmocka_unit_test(beyond_the_range),
                                       cmocka_unit_test(bad_input)};
    return tt_run(tests);
}
