/* The matrix door: the Cholesky family on tiles of every shape, in every storage, stored as a triangle or as a
 * whole. */
#include <math.h>

#include "tt.h"

struct shape {
    int nb, n[8];
}; /* -1 ends n */
static const struct shape shapes[] = {
    {1, {0, 1, 2, 9, -1}},          {7, {0, 1, 6, 7, 8, 29, -1}},    {64, {63, 64, 65, 128, 191, -1}},
    {100, {99, 100, 101, 211, -1}}, {200, {199, 200, 201, 409, -1}},
};

/* One case: which matrix, and how it is held. */
struct held {
    enum tw_type t;
    char uplo;
    enum tw_uplo stored;
    enum tt_storage storage;
    int n, nb, lda;
};
typedef void (*check_fn)(const struct held *h);
#define WHERE                                                                                                          \
    "%c n=%d nb=%d %s%s", h->uplo, h->n, h->nb, tt_storage_name(h->storage), h->stored == TW_GENERAL ? " general" : ""

/* Small orders in every storage, larger ones in turn, and with fewer types where the types do not matter much. */
static void each_case(check_fn check, int all_types)
{
    int storages = tt_storages(), turn = 0;

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (const int *n = shapes[s].n; *n >= 0; n++)
            for (int c = 0; c < 16; c++) {
                struct held h = {(enum tw_type)(c & 3), c & 4 ? 'U' : 'L',   TW_GENERAL, 0, *n,
                                 shapes[s].nb,          *n + (c & 1 ? 3 : 1)};
                if (!all_types && *n > 9 && h.t != TW_DOUBLE && h.t != TW_COMPLEX_FLOAT) continue;
                if (c & 8) h.stored = (enum tw_uplo)h.uplo;
                for (int k = 0; k < storages && TT_HAS(h.t); k++) {
                    if (*n > 9 && k != turn % storages) continue;
                    h.storage = (enum tt_storage)k;
                    check(&h);
                }
                turn++;
            }
}

static tw_matrix *enter(struct tt_place *p, const struct held *h, void *a)
{
    tw_matrix *A = tt_enter(p, h->storage, h->t, h->stored, h->n, h->n, a, h->lda, h->nb);
    assert_int_equal(tw_matrix_nb(A), h->nb);
    assert_int_equal(tw_matrix_rows(A), h->n);
    assert_int_equal(tw_matrix_cols(A), h->n);
    assert_int_equal(tw_matrix_type(A), h->t);
    assert_int_equal(tw_matrix_uplo(A), h->stored);
    return A;
}

static void *spd(const struct held *h)
{
    void *a = tt_array(h->t, h->lda, h->n);
    tt_spd(h->t, h->uplo, h->n, a, h->lda, 5);
    return a;
}

static void *factor(const struct held *h, const void *a)
{
    void *f = tt_copy(h->t, h->lda, h->n, a);
    assert_int_equal(tt_lapack_potrf(h->t, h->uplo, h->n, f, h->lda), 0);
    return f;
}

/* ---- factor, solve ------------------------------------------------------------------------------------------ */

static void check_potrf(const struct held *h)
{
    void *a = spd(h), *f = tt_copy(h->t, h->lda, h->n, a);
    struct tt_place p;

    tt_expect_info(tw_potrf((enum tw_uplo)h->uplo, enter(&p, h, f)), 0, WHERE);
    tt_leave(&p);
    assert_int_equal(tt_touched(h->t, h->uplo, h->n, h->n, f, h->lda), 0);
    tt_expect("potrf", h->t, tt_potrf_residual(h->t, h->uplo, h->n, a, h->lda, f, h->lda), h->n, WHERE);
    free(a), free(f);
}

static void check_solves(const struct held *h)
{
    int nrhs = h->n > 100 ? h->nb + 1 : 2, ldb = h->n + 2;
    void *a = spd(h), *f = factor(h, a), *b = tt_array(h->t, ldb, nrhs), *x, *y;
    struct tt_place pa, pb;
    tw_matrix *A;

    tt_random(h->t, 'G', h->n, nrhs, b, ldb, 6);
    x = tt_copy(h->t, ldb, nrhs, b);
    y = tt_copy(h->t, ldb, nrhs, b);
    A = enter(&pa, h, f);
    tt_expect_info(
        tw_potrs((enum tw_uplo)h->uplo, A, tt_enter(&pb, h->storage, h->t, TW_GENERAL, h->n, nrhs, x, ldb, h->nb)), 0,
        WHERE);
    tt_leave(&pb), tt_leave(&pa);
    assert_int_equal(tt_touched(h->t, 'G', h->n, nrhs, x, ldb), 0);
    tt_expect("potrs", h->t, tt_solve_residual(h->t, h->uplo, h->n, nrhs, a, h->lda, b, ldb, x, ldb), h->n, WHERE);

    free(f);
    f = tt_copy(h->t, h->lda, h->n, a);
    A = enter(&pa, h, f);
    tt_expect_info(
        tw_posv((enum tw_uplo)h->uplo, A, tt_enter(&pb, h->storage, h->t, TW_GENERAL, h->n, nrhs, y, ldb, h->nb)), 0,
        WHERE);
    tt_leave(&pb), tt_leave(&pa);
    tt_expect("posv", h->t, tt_solve_residual(h->t, h->uplo, h->n, nrhs, a, h->lda, b, ldb, y, ldb), h->n, WHERE);
    tt_expect("posv: factor", h->t, tt_potrf_residual(h->t, h->uplo, h->n, a, h->lda, f, h->lda), h->n, WHERE);
    free(a), free(f), free(b), free(x), free(y);
}

/* ---- inverses, products, condition -------------------------------------------------------------------------- */

static void check_potri(const struct held *h)
{
    void *a = spd(h), *f = factor(h, a);
    struct tt_place p;

    tt_expect_info(tw_potri((enum tw_uplo)h->uplo, enter(&p, h, f)), 0, WHERE);
    tt_leave(&p);
    assert_int_equal(tt_touched(h->t, h->uplo, h->n, h->n, f, h->lda), 0);
    tt_expect("potri", h->t, tt_inverse_residual(h->t, h->uplo, h->n, a, h->lda, f, h->lda), h->n, WHERE);
    free(a), free(f);
}

static void check_trtri(const struct held *h)
{
    struct tt_place p;

    for (int d = 0; d < 2; d++) {
        char diag = "NU"[d];
        void *a = tt_array(h->t, h->lda, h->n), *f;
        tt_triangle(h->t, h->uplo, diag, h->n, a, h->lda, 7);
        f = tt_copy(h->t, h->lda, h->n, a);
        tt_expect_info(tw_trtri((enum tw_uplo)h->uplo, (enum tw_diag)diag, enter(&p, h, f)), 0, WHERE);
        tt_leave(&p);
        assert_int_equal(tt_touched(h->t, h->uplo, h->n, h->n, f, h->lda), 0);
        tt_expect("trtri", h->t, tt_trtri_residual(h->t, h->uplo, diag, h->n, a, h->lda, f, h->lda), h->n, WHERE);
        free(a), free(f);
    }
}

static void check_lauum(const struct held *h)
{
    void *a = spd(h), *f = factor(h, a), *q = tt_copy(h->t, h->lda, h->n, f);
    struct tt_place p;

    tt_expect_info(tw_lauum((enum tw_uplo)h->uplo, enter(&p, h, q)), 0, WHERE);
    tt_leave(&p);
    assert_int_equal(tt_touched(h->t, h->uplo, h->n, h->n, q, h->lda), 0);
    tt_expect("lauum", h->t, tt_lauum_residual(h->t, h->uplo, h->n, f, h->lda, q, h->lda), h->n, WHERE);
    free(a), free(f), free(q);
}

/* The estimate against LAPACK's, and against the true condition number, which it may not exceed. */
static void check_pocon(const struct held *h)
{
    void *a = spd(h), *f = factor(h, a), *inv;
    tt_z *A = tt_full(TT_HERMITIAN, h->t, h->uplo, 'N', h->n, h->n, a, h->lda), *inverse;
    double anorm = tt_norm('O', h->n, h->n, A), rcond = -1, lapacks = -1, truth;
    struct tt_place p;

    tt_expect_info(tw_pocon((enum tw_uplo)h->uplo, enter(&p, h, f), anorm, &rcond), 0, WHERE);
    tt_leave(&p);
    inv = tt_copy(h->t, h->lda, h->n, f);
    assert_int_equal(tt_lapack_pocon(h->t, h->uplo, h->n, f, h->lda, anorm, &lapacks), 0);
    assert_int_equal(tt_lapack_potri(h->t, h->uplo, h->n, inv, h->lda), 0);
    inverse = tt_full(TT_HERMITIAN, h->t, h->uplo, 'N', h->n, h->n, inv, h->lda);
    truth = h->n ? 1 / (anorm * tt_norm('O', h->n, h->n, inverse)) : 1;
    tt_expect("pocon vs LAPACK", h->t, fabs(rcond - lapacks) / (lapacks * (h->n + 1) * tt_eps(h->t)), 0, WHERE);
    if (!(rcond >= truth * (1 - 100 * (h->n + 1) * tt_eps(h->t)) && rcond <= 10 * truth))
        fail_msg("rcond %g, in truth %g", rcond, truth);
    free(a), free(f), free(inv), free(A), free(inverse);
}

static void factors(void **state)
{
    (void)state, each_case(check_potrf, 1);
}
static void solutions(void **state)
{
    (void)state, each_case(check_solves, 1);
}
static void inverses(void **state)
{
    (void)state, each_case(check_potri, 1);
}
static void triangular_inverses(void **state)
{
    (void)state, each_case(check_trtri, 1);
}
static void products(void **state)
{
    (void)state, each_case(check_lauum, 1);
}
static void conditions(void **state)
{
    (void)state, each_case(check_pocon, 0);
}

/* ---- failures ----------------------------------------------------------------------------------------------- */

/* First, middle and last tile; first and last element of a tile. */
static void check_info(const struct held *h)
{
    int at[] = {1, h->nb, h->nb + 1, (h->n + 1) / 2, h->n - 1, h->n};
    struct tt_place pa, pb;

    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        void *a, *b, *x;
        tw_matrix *A;
        if (at[k] < 1 || at[k] > h->n || (h->n > 70 && k % 2 == 1 && k < 5)) continue;
        a = tt_array(h->t, h->lda, h->n);
        b = tt_array(h->t, h->n, 2);
        tt_spd_failing(h->t, h->uplo, h->n, a, h->lda, 8, at[k]);
        tt_random(h->t, 'G', h->n, 2, b, h->n, 9);
        x = tt_copy(h->t, h->n, 2, b);
        A = enter(&pa, h, a);
        tt_expect_info(
            tw_posv((enum tw_uplo)h->uplo, A, tt_enter(&pb, h->storage, h->t, TW_GENERAL, h->n, 2, x, h->n, h->nb)),
            at[k], WHERE);
        tt_leave(&pb), tt_leave(&pa);
        assert_memory_equal(x, b, (size_t)(2 * h->n) * tt_size(h->t));
        tt_triangle(h->t, h->uplo, 'N', h->n, a, h->lda, 10);
        tt_put(h->t, a, (size_t)((at[k] - 1) * (h->lda + 1)), 0.0);
        free(x);
        x = tt_copy(h->t, h->lda, h->n, a);
        tt_expect_info(tw_trtri((enum tw_uplo)h->uplo, TW_NONUNIT, enter(&pa, h, x)), at[k], WHERE);
        tt_leave(&pa);
        assert_memory_equal(x, a, (size_t)h->lda * (size_t)h->n * tt_size(h->t));
        free(a), free(b), free(x);
    }
}
static void infos(void **state)
{
    (void)state, each_case(check_info, 0);
}

static void illegal_arguments(void **state)
{
    double a[100], value;
    tw_matrix *A, *L, *R, *S, *B, *N, *F;
    (void)state;
    memset(a, 0, sizeof a);
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 10, 10, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_DOUBLE, TW_LOWER, 10, 10, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 10, 9, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, 9, 9, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 10, 2, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 10, 2, 4, NULL), 0);
    tt_expect_info(tw_potrf('X', A), -1, "uplo");
    tt_expect_info(tw_potrf(TW_GENERAL, A), -1, "uplo");
    tt_expect_info(tw_potrf(TW_LOWER, NULL), -2, "NULL");
    tt_expect_info(tw_potrf(TW_LOWER, R), -2, "not square");
    tt_expect_info(tw_potrf(TW_UPPER, L), -2, "the other triangle is stored");
    tt_expect_info(tw_potrs(TW_LOWER, L, NULL), -3, "NULL");
    tt_expect_info(tw_potrs(TW_LOWER, L, S), -3, "rows differ");
    assert_int_equal(tw_matrix_create_tiles(&N, TW_DOUBLE, TW_GENERAL, 10, 10, 5, 4, NULL), 0);
    assert_int_equal(tw_matrix_mb(N), 5);
    assert_int_equal(tw_matrix_nb(N), 4);
    tt_expect_info(tw_potrf(TW_LOWER, N), -2, "tiles not square");
    tt_expect_info(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_UNIT, (tw_scalar){1, 0}, N, B), -6, "tiles not square");
    tt_expect_info(tw_lantr(TW_ONE_NORM, TW_LOWER, TW_NONUNIT, N, &value), -4, "tiles not square");
    assert_non_null(strstr(tw_last_message(), "square"));
    tt_expect_info(tw_posv(TW_LOWER, L, F), -3, "types differ");
    tt_expect_info(tw_trtri(TW_LOWER, 'X', L), -2, "diag");
    tt_expect_info(tw_trtri(TW_LOWER, TW_UNIT, NULL), -3, "NULL");
    tt_expect_info(tw_pocon(TW_LOWER, L, -1, &value), -3, "anorm");
    tt_expect_info(tw_pocon(TW_LOWER, L, 1, NULL), -4, "rcond");
    assert_true(strlen(tw_last_message()) > 10);
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(L) | tw_matrix_destroy(R) | tw_matrix_destroy(S), 0);
    assert_int_equal(tw_matrix_destroy(B) | tw_matrix_destroy(N) | tw_matrix_destroy(F) | tw_matrix_destroy(NULL), 0);

    A = (tw_matrix *)a;
    tt_expect_info(tw_matrix_create(NULL, TW_DOUBLE, TW_GENERAL, 10, 10, 4, NULL), -1, "no place");
    tt_expect_info(tw_matrix_create(&A, 9, TW_GENERAL, 10, 10, 4, NULL), -2, "type");
    assert_null(A);
    tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, 'X', 10, 10, 4, NULL), -3, "uplo");
    tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, -1, 10, 4, NULL), -4, "m");
    tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, 10, -1, 4, NULL), -5, "n");
    tt_expect_info(tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, 10, 10, -4, NULL), -6, "nb");
    tt_expect_info(tw_matrix_create_tiles(&A, TW_DOUBLE, TW_GENERAL, 10, 10, -4, 4, NULL), -6, "mb");
    tt_expect_info(tw_matrix_create_tiles(&A, TW_DOUBLE, TW_GENERAL, 10, 10, 4, -4, NULL), -7, "nb");
    tt_expect_info(tw_matrix_create_tiles(&A, TW_DOUBLE, TW_LOWER, 10, 10, 4, 5, NULL), -6, "a triangle's tiles");
    tt_expect_info(tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, 10, 10, NULL, 10, 4), -6, "NULL array");
    tt_expect_info(tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, 10, 10, a, 9, 4), -7, "lda");
    tt_expect_info(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, 10, 10, a, 9, 4), -7, "lda");
    assert_null(A);
}

/* ---- data in and out ---------------------------------------------------------------------------------------- */

/* Rectangular, ragged, any storage: what goes in comes out, and nothing beside it is written. */
static void round_trips(void **state)
{
    static const int mn[][3] = {{10, 3, 4}, {3, 10, 4}, {64, 65, 32}, {1, 50, 7},
                                {50, 1, 7}, {0, 5, 3},  {5, 0, 3},    {33, 33, 0}};
    int storages = tt_storages();
    (void)state;
    for (size_t c = 0; c < sizeof mn / sizeof *mn; c++)
        for (int k = 0; k < storages * 3 * TW_NTYPES; k++) {
            enum tw_type t = (enum tw_type)(k % TW_NTYPES);
            char uplo = "GLU"[k / TW_NTYPES % 3];
            int m = mn[c][0], n = mn[c][1], lda = m + 2;
            void *a = tt_array(t, lda, n), *b = tt_array(t, lda + 1, n), *w;
            struct tt_place p;
            tw_matrix *A;
            if (!TT_HAS(t)) {
                free(a), free(b);
                continue;
            }
            tt_random(t, uplo, m, n, a, lda, 3);
            w = tt_copy(t, lda, n, a);
            A = tt_enter(&p, (enum tt_storage)(k / TW_NTYPES / 3), t, (enum tw_uplo)uplo, m, n, w, lda, mn[c][2]);
            tt_expect_info(tw_matrix_to_lapack(A, b, lda + 1), 0, "to_lapack");
            assert_int_equal(tt_touched(t, uplo, m, n, b, lda + 1), 0);
            assert_true(tt_difference(t, uplo, 'N', m, n, b, lda + 1, a, lda) == 0);
            tt_leave(&p);
            if (n > 0) assert_memory_equal(w, a, (size_t)lda * (size_t)n * tt_size(t));
            free(a), free(b), free(w);
        }
}

static void release_makes_the_array_valid(void **state)
{
    int n = 90;
    double *a = tt_array(TW_DOUBLE, n, n), *f;
    tw_matrix *A;
    (void)state;
    tt_spd(TW_DOUBLE, 'L', n, a, n, 4);
    f = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, n, n, f, n, 32), 0);
    assert_int_equal(tw_potrf(TW_LOWER, A), 0);
    assert_int_equal(tw_release_to_host(A), 0);
    tt_expect("potrf", TW_DOUBLE, tt_potrf_residual(TW_DOUBLE, 'L', n, a, n, f, n), n, "after tw_release_to_host");
    assert_int_equal(tw_prefetch(A, -1), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    free(a), free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips), cmocka_unit_test(release_makes_the_array_valid),
        cmocka_unit_test(factors),     cmocka_unit_test(solutions),
        cmocka_unit_test(inverses),    cmocka_unit_test(triangular_inverses),
        cmocka_unit_test(products),    cmocka_unit_test(conditions),
        cmocka_unit_test(infos),       cmocka_unit_test(illegal_arguments),
    };
    return tt_run(tests);
}
