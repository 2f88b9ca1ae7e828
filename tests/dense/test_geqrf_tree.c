/* geqrf_tree, unmqr_tree, ungqr_tree, and with adjoints gelqf_tree, unmlq_tree, unglq_tree: shapes, tiles and domains,
 * both doors; R beside LAPACK's; Q from both sides; numbers at both ends; NaN; refusals; a graph with what comes after;
 * gels of matrices that are several tiles wide. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include "tt.h"

#define COUNT(list) (sizeof list / sizeof *list)

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

/* One call, or its async twin and a wait. */
#define BY(queued, name, ...)                                                                                          \
    do {                                                                                                               \
        int info_;                                                                                                     \
        if (queued) {                                                                                                  \
            tw_sequence *seq_;                                                                                         \
            assert_int_equal(tw_sequence_create(&seq_), 0);                                                            \
            assert_int_equal(tw_##name##_async(__VA_ARGS__, seq_), 0);                                                 \
            info_ = tw_sequence_wait(seq_);                                                                            \
            assert_int_equal(tw_sequence_destroy(seq_), 0);                                                            \
        } else {                                                                                                       \
            info_ = tw_##name(__VA_ARGS__);                                                                            \
        }                                                                                                              \
        tt_expect_info(info_, 0, #name);                                                                               \
    } while (0)

struct shape {
    int m, n, mb, nb, domain;
};
struct factored {
    tw_matrix *A, *T;
    enum tw_type t;
    struct shape s;
    int lq; /* A holds the adjoint, and its LQ factors */
};

/* n x m, of an m x n array. */
static void *adjoint(enum tw_type t, int m, int n, const void *a, int lda)
{
    void *b = tt_array(t, n, m);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            tt_put(t, b, (size_t)(j + i * n), conj(tt_get(t, a, (size_t)(i + j * lda))));
    return b;
}

/* M, m x n, as an array; it holds an adjoint, or does not. */
static void *array_of(enum tw_type t, int m, int n, int is_adjoint, tw_matrix *M)
{
    void *a = tt_array(t, m, n), *b;

    assert_int_equal(tw_matrix_to_lapack(M, a, is_adjoint ? n : m), 0);
    if (!is_adjoint) return a;
    b = adjoint(t, n, m, a, n);
    free(a);
    return b;
}

static struct factored factor_adjoint(enum tw_type t, const struct shape *s, const void *a, int lda, int queued)
{
    struct factored f = {.t = t, .s = *s, .lq = 1};
    void *b = adjoint(t, s->m, s->n, a, lda);

    assert_int_equal(tw_matrix_create_tiles(&f.A, t, TW_GENERAL, s->n, s->m, s->nb, s->mb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(f.A, b, s->n), 0);
    assert_int_equal(tw_tree_create_lq(&f.T, f.A, s->domain), 0);
    BY(queued, gelqf_tree, f.A, f.T);
    free(b);
    return f;
}

static struct factored factor(enum tw_type t, const struct shape *s, const void *a, int lda, int queued)
{
    struct factored f = {.t = t, .s = *s};

    assert_int_equal(tw_matrix_create_tiles(&f.A, t, TW_GENERAL, s->m, s->n, s->mb, s->nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(f.A, a, lda), 0);
    assert_int_equal(tw_tree_create(&f.T, f.A, s->domain), 0);
    BY(queued, geqrf_tree, f.A, f.T);
    return f;
}
static void end(struct factored *f)
{
    assert_int_equal(tw_matrix_destroy(f->A), 0);
    assert_int_equal(tw_matrix_destroy(f->T), 0);
}

/* R, min(m, n) x n. */
static tt_z *triangle(const struct factored *f)
{
    const int m = f->s.m, n = f->s.n, k = min_of(m, n);
    void *a = array_of(f->t, m, n, f->lq, f->A);
    tt_z *r;

    r = tt_full(TT_GENERAL, f->t, 'G', 'N', k, n, a, m);
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < k; i++)
            r[i + j * k] = 0;
    free(a);
    return r;
}

/* Q's first columns, in tiles that are not A's. */
static tt_z *columns(const struct factored *f, int count, int queued)
{
    const int m = f->s.m, mb = f->s.nb, nb = queued ? f->s.nb : 11;
    void *q;
    tw_matrix *Q;
    tt_z *full;

    if (f->lq) {
        assert_int_equal(tw_matrix_create_tiles(&Q, f->t, TW_GENERAL, count, m, nb, mb, NULL), 0);
        BY(queued, unglq_tree, f->A, f->T, Q);
    } else {
        assert_int_equal(tw_matrix_create_tiles(&Q, f->t, TW_GENERAL, m, count, mb, nb, NULL), 0);
        BY(queued, ungqr_tree, f->A, f->T, Q);
    }
    q = array_of(f->t, m, count, f->lq, Q);
    assert_int_equal(tw_matrix_destroy(Q), 0);
    full = tt_full(TT_GENERAL, f->t, 'G', 'N', m, count, q, m);
    free(q);
    return full;
}

/* A = Q R with Q's columns orthonormal, and R's elements as large as those of LAPACK's. */
static void judge(const struct factored *f, const void *a, int lda, int queued)
{
    const int m = f->s.m, n = f->s.n, k = min_of(m, n);
    tt_z *q = columns(f, k, queued), *r = triangle(f), *A = tt_full(TT_GENERAL, f->t, 'G', 'N', m, n, a, lda);

    tt_expect(f->lq ? "gelqf_tree" : "geqrf_tree", f->t, tt_equation_residual(f->t, m, n, k, q, r, A), 0,
              "%d x %d in %d x %d, domain %d", m, n, f->s.mb, f->s.nb, f->s.domain);
    tt_expect(f->lq ? "unglq_tree" : "ungqr_tree", f->t, tt_orthogonality(f->t, m, k, q), 0,
              "%d x %d in %d x %d, domain %d", m, n, f->s.mb, f->s.nb, f->s.domain);
    free(q), free(r), free(A);
}

/* op(Q) C and C op(Q) beside products with all of Q. */
static void multiply(const struct factored *f, int queued)
{
    static const enum tw_trans trans[] = {TW_NOTRANS, TW_CONJTRANS};
    const int m = f->s.m, other = 13;
    tt_z *q = columns(f, m, 0);

    tt_expect("ungqr_tree", f->t, tt_orthogonality(f->t, m, m, q), 0, "all of Q, m=%d", m);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) {
            const int cm = side ? other : m, cn = side ? m : other;
            void *c = tt_array(f->t, cm, cn), *before;
            tt_z *op = tt_op(k ? 'C' : 'N', m, m,
                             memcpy(malloc(sizeof *op * (size_t)(m * m)), q, sizeof *q * (size_t)(m * m))),
                 *C;
            tw_matrix *M;

            tt_random(f->t, 'G', cm, cn, c, cm, 5);
            before = tt_copy(f->t, cm, cn, c);
            C = tt_full(TT_GENERAL, f->t, 'G', 'N', cm, cn, before, cm);
            assert_int_equal(tw_matrix_create_tiles(&M, f->t, TW_GENERAL, cm, cn, queued ? 7 : f->s.mb, f->s.nb, NULL),
                             0);
            assert_int_equal(tw_matrix_set_lapack(M, c, cm), 0);
            if (f->lq)
                BY(queued, unmlq_tree, side ? TW_RIGHT : TW_LEFT, trans[1 - k], f->A, f->T, M);
            else
                BY(queued, unmqr_tree, side ? TW_RIGHT : TW_LEFT, trans[k], f->A, f->T, M);
            assert_int_equal(tw_matrix_to_lapack(M, c, cm), 0);
            assert_int_equal(tw_matrix_destroy(M), 0);
            tt_expect("unmqr_tree", f->t,
                      tt_product_residual(f->t, 'G', cm, cn, m, 1, side ? C : op, side ? op : C, 0, C, c, cm), 0,
                      "m=%d side %d trans %d domain %d lq %d", m, side, k, f->s.domain, f->lq);
            free(c), free(before), free(op), free(C);
        }
    free(q);
}

/* Blocks within T are 32 columns: some tiles are wider. Last tiles with fewer rows than columns, of rows alone, of one
 * row. */
static const struct shape shapes[] = {
    {1, 1, 4, 4, 0},       {9, 1, 4, 4, 1},       {1, 9, 4, 4, 0},      {30, 30, 8, 8, 1},    {33, 31, 8, 8, 2},
    {31, 33, 8, 8, 3},     {100, 40, 16, 16, 0},  {40, 100, 16, 16, 2}, {97, 60, 9, 16, 1},   {60, 97, 40, 7, 100},
    {64, 64, 64, 64, 0},   {50, 64, 100, 100, 0}, {200, 5, 16, 16, 1},  {205, 20, 64, 20, 2}, {130, 12, 50, 12, 1},
    {211, 90, 40, 40, 1},  {211, 90, 40, 40, 2},  {211, 90, 40, 40, 9}, {121, 41, 40, 40, 1}, {161, 81, 80, 80, 2},
    {162, 160, 40, 40, 3}, {90, 170, 40, 40, 2},  {283, 47, 47, 47, 4}, {5, 120, 16, 16, 0},  {16, 16, 4, 4, 4},
};

static void any_shape(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < COUNT(shapes); k++)
            for (int way = 0; way < 3; way++) {
                const struct shape *s = &shapes[k];
                const int lda = s->m + 2, queued = way == 2 ? (int)(k / 2) % 2 : way;
                void *a = tt_array(t, lda, s->n);
                struct factored f;

                tt_random(t, 'G', s->m, s->n, a, lda, 301 + k);
                f = (way == 2 ? factor_adjoint : factor)(t, s, a, lda, queued);
                judge(&f, a, lda, queued);
                if (s->m <= 170 && (k + (size_t)way) % 2 == 0) multiply(&f, queued);
                end(&f);
                free(a);
            }
}

/* |R| is that of LAPACK's; rows may have other signs. */
static void beside_lapack(void **state)
{
    const struct shape s = {180, 75, 24, 24, 2};
    double *a = tt_array(TW_DOUBLE, s.m, s.n), *c, tau[75];
    struct factored f;
    tt_z *r;
    (void)state;
    tt_random(TW_DOUBLE, 'G', s.m, s.n, a, s.m, 8);
    c = tt_copy(TW_DOUBLE, s.m, s.n, a);
    f = factor(TW_DOUBLE, &s, a, s.m, 0);
    r = triangle(&f);
    assert_int_equal(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, s.m, s.n, c, s.m, tau), 0);
    for (int j = 0; j < s.n; j++)
        for (int i = 0; i <= j; i++)
            assert_true(fabs(fabs(creal(r[i + j * s.n])) - fabs(c[i + j * s.m])) < 1e-11);
    end(&f);
    free(a), free(c), free(r);
}

/* Zeros, numbers whose squares do not exist; a NaN ends it, and is seen. */
static void odd_numbers(void **state)
{
    const struct shape s = {90, 36, 12, 12, 2};
    (void)state;
    TT_TYPES(t) {
        const int single = t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
        void *a = tt_array(t, s.m, s.n);
        struct factored f;
        tt_z *r;
        int nans = 0;

        for (int way = 0; way < 3; way++) {
            const double by = way == 0 ? 0 : way == 1 ? (single ? 1e30 : 1e250) : (single ? 1e-30 : 1e-250);
            tt_random(t, 'G', s.m, s.n, a, s.m, 3);
            for (int j = 0; j < s.m * s.n; j++)
                tt_put(t, a, (size_t)j, by == 0 ? 0 : tt_get(t, a, (size_t)j) * by);
            f = (way == 1 ? factor_adjoint : factor)(t, &s, a, s.m, 0);
            r = columns(&f, s.n, 0);
            tt_expect("ungqr_tree", t, tt_orthogonality(t, s.m, s.n, r), 0, "times %g", by);
            end(&f);
            free(r);
        }
        tt_random(t, 'G', s.m, s.n, a, s.m, 3);
        tt_put(t, a, 70 + 5 * (size_t)s.m, NAN);
        f = factor(t, &s, a, s.m, 0);
        r = triangle(&f);
        for (int j = 0; j < s.n * s.n; j++)
            nans += isnan(creal(r[j]));
        assert_true(nans > 0);
        end(&f);
        free(a), free(r);
    }
}

/* The same call gives the same bits; all domains give the same up to roundings, which differ. */
static void same_bits(void **state)
{
    const struct shape s = {150, 40, 16, 16, 0};
    double *a = tt_array(TW_DOUBLE, s.m, s.n), *first = tt_array(TW_DOUBLE, s.m, s.n),
           *second = tt_array(TW_DOUBLE, s.m, s.n);
    (void)state;
    tt_random(TW_DOUBLE, 'G', s.m, s.n, a, s.m, 17);
    for (int k = 0; k < 3; k++) {
        struct factored f = factor(TW_DOUBLE, &s, a, s.m, k == 1);
        assert_int_equal(tw_matrix_to_lapack(f.A, k ? second : first, s.m), 0);
        if (k) assert_memory_equal(first, second, (size_t)s.m * (size_t)s.n * sizeof *first);
        end(&f);
    }
    free(a), free(first), free(second);
}

static void refusals(void **state)
{
    tw_matrix *A, *L, *T, *S, *C, *Z, *none = (tw_matrix *)&none;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 20, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_DOUBLE, TW_GENERAL, 20, 20, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_FLOAT, TW_GENERAL, 20, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 4, 4, 2, NULL), 0);
    assert_int_equal(tw_matrix_create(&Z, TW_DOUBLE, TW_GENERAL, 0, 8, 4, NULL), 0);
    tt_expect_info(tw_tree_create(NULL, A, 0), -1, "T");
    tt_expect_info(tw_tree_create(&none, NULL, 0), -2, "A");
    assert_null(none);
    tt_expect_info(tw_tree_create(&T, L, 0), -2, "a triangle");
    tt_expect_info(tw_tree_create(&T, A, -1), -3, "domain");
    assert_int_equal(tw_tree_create(&T, A, 3), 0);
    tt_expect_info(tw_geqrf_tree(NULL, T), -1, "A");
    tt_expect_info(tw_geqrf_tree(L, T), -1, "a triangle");
    tt_expect_info(tw_geqrf_tree(A, NULL), -2, "T");
    tt_expect_info(tw_geqrf_tree(A, A), -2, "A as T");
    tt_expect_info(tw_geqrf_tree(A, C), -2, "another shape");
    tt_expect_info(tw_geqrf_tree(S, T), -2, "another type");
    assert_int_equal(tw_geqrf_tree(A, T), 0);
    tt_expect_info(tw_unmqr_tree((enum tw_side)'X', TW_NOTRANS, A, T, C), -1, "side");
    tt_expect_info(tw_unmqr_tree(TW_LEFT, (enum tw_trans)'X', A, T, C), -2, "trans");
    tt_expect_info(tw_unmqr_tree(TW_LEFT, TW_NOTRANS, NULL, T, C), -3, "A");
    tt_expect_info(tw_unmqr_tree(TW_LEFT, TW_NOTRANS, A, NULL, C), -4, "T");
    tt_expect_info(tw_unmqr_tree(TW_LEFT, TW_NOTRANS, A, T, NULL), -5, "C");
    tt_expect_info(tw_unmqr_tree(TW_RIGHT, TW_NOTRANS, A, T, A), -5, "C's shape");
    tt_expect_info(tw_unmqr_tree(TW_LEFT, TW_NOTRANS, A, T, S), -5, "C's type");
    tt_expect_info(tw_ungqr_tree(NULL, T, C), -1, "A");
    tt_expect_info(tw_ungqr_tree(A, C, C), -2, "T");
    tt_expect_info(tw_ungqr_tree(A, T, NULL), -3, "Q");
    tt_expect_info(tw_ungqr_tree(A, T, A), -3, "A as Q");
    tt_expect_info(tw_ungqr_tree(A, T, S), -3, "Q's type");
    tt_expect_info(tw_ungqr_tree(A, T, Z), -3, "Q's rows");
    assert_int_equal(tw_matrix_destroy(T), 0);
    tt_expect_info(tw_tree_create_lq(NULL, A, 0), -1, "T");
    tt_expect_info(tw_tree_create_lq(&T, L, 0), -2, "a triangle");
    tt_expect_info(tw_tree_create_lq(&T, A, -1), -3, "domain");
    assert_int_equal(tw_tree_create_lq(&T, A, 1), 0);
    tt_expect_info(tw_gelqf_tree(L, T), -1, "a triangle");
    tt_expect_info(tw_gelqf_tree(A, C), -2, "another shape");
    assert_int_equal(tw_gelqf_tree(A, T), 0);
    tt_expect_info(tw_geqrf_tree(A, T), -2, "LQ's T");
    tt_expect_info(tw_unmlq_tree((enum tw_side)'X', TW_NOTRANS, A, T, C), -1, "side");
    tt_expect_info(tw_unmlq_tree(TW_LEFT, TW_NOTRANS, A, T, C), -5, "C's shape");
    tt_expect_info(tw_unmlq_tree(TW_RIGHT, TW_NOTRANS, A, C, A), -4, "T");
    tt_expect_info(tw_unglq_tree(A, T, A), -3, "A as Q");
    tt_expect_info(tw_unglq_tree(A, T, C), -3, "Q's columns");
    assert_int_equal(tw_matrix_destroy(T), 0);
    assert_int_equal(tw_tree_create_lq(&T, Z, 0), 0);
    assert_int_equal(tw_gelqf_tree(Z, T), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    assert_int_equal(tw_tree_create(&T, Z, 0), 0);
    assert_int_equal(tw_geqrf_tree(Z, T), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(C), 0);
    assert_int_equal(tw_matrix_destroy(S), 0);
    assert_int_equal(tw_matrix_destroy(L), 0);
    assert_int_equal(tw_matrix_destroy(Z), 0);
}

/* A, Q^H A and Q R again in one sequence, operands given back before it has ended. */
static void before_others(void **state)
{
    const int m = 100, n = 30;
    double *a = tt_array(TW_DOUBLE, m, n), *b;
    tw_matrix *A, *T, *B;
    tw_sequence *seq;
    (void)state;
    tt_random(TW_DOUBLE, 'G', m, n, a, m, 9);
    b = tt_copy(TW_DOUBLE, m, n, a);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, m, n, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, m, n, 16, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
    assert_int_equal(tw_matrix_set_lapack(B, b, m), 0);
    assert_int_equal(tw_tree_create(&T, A, 2), 0);
    assert_int_equal(tw_sequence_create(&seq), 0);
    assert_int_equal(tw_geqrf_tree_async(A, T, seq), 0);
    assert_int_equal(tw_unmqr_tree_async(TW_LEFT, TW_TRANS, A, T, B, seq), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    assert_int_equal(tw_matrix_to_lapack(A, a, m), 0);
    assert_int_equal(tw_matrix_to_lapack(B, b, m), 0);
    assert_int_equal(tw_sequence_wait(seq), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            assert_true(fabs(b[i + j * m] - (i <= j ? a[i + j * m] : 0)) < 1e-12);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(B), 0);
    free(a), free(b);
}

/* Matrices that are several tiles wide, tall enough for the tree, or as many high and wide enough: all four
 * problems. */
static void least_squares(void **state)
{
    static const struct shape of[] = {{1000, 40, 16, 16, 0}, {333, 20, 10, 10, 0}, {700, 20, 64, 20, 0},
                                      {40, 900, 16, 16, 0},  {20, 333, 10, 10, 0}, {20, 700, 20, 64, 0}};
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < COUNT(of); k++)
            for (int trans = 0; trans < 2; trans++) {
                const int m = of[k].m, n = of[k].n, ldb = m > n ? m : n, nrhs = 3;
                void *a = tt_array(t, m, n), *b = tt_array(t, ldb, nrhs), *x;
                tw_matrix *A, *B;

                tt_random(t, 'G', m, n, a, m, 91);
                tt_random(t, 'G', ldb, nrhs, b, ldb, 92);
                x = tt_copy(t, ldb, nrhs, b);
                assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, of[k].mb, of[k].nb, NULL), 0);
                assert_int_equal(tw_matrix_create_tiles(&B, t, TW_GENERAL, ldb, nrhs, of[k].mb, of[k].nb, NULL), 0);
                assert_int_equal(tw_matrix_set_lapack(A, a, m), 0);
                assert_int_equal(tw_matrix_set_lapack(B, x, ldb), 0);
                assert_int_equal(tw_gels(trans ? TW_CONJTRANS : TW_NOTRANS, A, B), 0);
                assert_int_equal(tw_matrix_to_lapack(B, x, ldb), 0);
                tt_expect("gels", t, tt_gels_residual(t, trans ? 'C' : 'N', m, n, nrhs, a, m, b, ldb, x, ldb), 0,
                          "%d x %d trans %d", m, n, trans);
                assert_int_equal(tw_matrix_destroy(A), 0);
                assert_int_equal(tw_matrix_destroy(B), 0);
                free(a), free(b), free(x);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_shape),     cmocka_unit_test(beside_lapack), cmocka_unit_test(odd_numbers),
        tt_test_of_bits(same_bits),      cmocka_unit_test(refusals),      cmocka_unit_test(before_others),
        cmocka_unit_test(least_squares),
    };
    return tt_run(tests);
}
