/* getrf, getrs, gesv: LAPACK door, matrix door in every storage, async door; residuals, LAPACK's pivots and info, ties,
 * singular matrices, NaN, wide right-hand sides, illegal arguments, untouched memory.
 *
 * Every path is a process of its own, since the choice is read from the environment: straight to LAPACK, through tiles,
 * by other schedulers and workers. */
#include <complex.h>
#include <math.h>

#include "tt.h"

static const char *path;
#define FOR_TYPES(t) TT_TYPES(t)
#define COUNT(list)  (sizeof list / sizeof *list)

static tw_int max_of(tw_int a, tw_int b)
{
    return a > b ? a : b;
}
static tw_int min_of(tw_int a, tw_int b)
{
    return a < b ? a : b;
}
/* Of each type, where LAPACK's choice cannot depend on rounding in the last place: random candidates of which two agree
 * to 24 bits are not rare. */
static int pivots_are_sure(enum tw_type t)
{
    return t == TW_DOUBLE || t == TW_COMPLEX_DOUBLE;
}

/* Which of equal candidates a GPU takes is cuSOLVER's choice: no exact pivots then, and no exact factors. */
static int ties_are_lapacks(void)
{
    tw_machine m;
    if (!strcmp(path, "direct")) return 1;
    assert_int_equal(tw_machine_info(&m), 0);
    return m.cuda_workers == 0;
}

/* ---- the factors ------------------------------------------------------------------------------------------------ */

static void one_factor(enum tw_type t, int m, int n, int lda)
{
    const int k = (int)min_of(m, n);
    void *a = tt_array(t, lda, n), *f, *r;
    tw_int *ipiv = calloc((size_t)k + 1, sizeof *ipiv);
    int *lapacks = calloc((size_t)k + 1, sizeof *lapacks);

    ipiv[k] = 77;
    tt_random(t, 'G', m, n, a, lda, 101);
    f = tt_copy(t, lda, n, a);
    r = tt_copy(t, lda, n, a);
    tt_expect_info(tt_door_getrf(t, m, n, f, lda, ipiv), 0, "%cgetrf %d x %d", tt_letter(t), m, n);
    assert_int_equal(tt_lapack_getrf(t, m, n, r, lda, lapacks), 0);
    assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
    assert_int_equal(ipiv[k], 77);
    tt_expect("getrf", t, tt_lu_residual(t, m, n, a, lda, f, lda, ipiv), m == n ? n : 0, "%d x %d lda=%d", m, n, lda);
    for (int i = 0; pivots_are_sure(t) && i < k; i++)
        if (ipiv[i] != lapacks[i])
            fail_msg("%cgetrf %d x %d: pivot %d is %lld, LAPACK's %d", tt_letter(t), m, n, i + 1, (long long)ipiv[i],
                     lapacks[i]);
    free(a), free(f), free(r), free(ipiv), free(lapacks);
}

static void factors_are_lapacks(void **state)
{
    static const int sizes[][2] = {{0, 0},     {0, 5},     {5, 0},     {1, 1},    {1, 40},   {40, 1},   {18, 18},
                                   {19, 19},   {20, 20},   {19, 20},   {20, 19},  {37, 38},  {38, 57},  {57, 38},
                                   {101, 101}, {211, 211}, {97, 211},  {211, 97}, {13, 300}, {300, 13}, {128, 128},
                                   {127, 129}, {331, 193}, {193, 331}, {257, 64}, {64, 257}, {401, 241}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++)
            one_factor(t, sizes[s][0], sizes[s][1], (int)max_of(1, sizes[s][0]) + (s % 2 ? 3 : 0));
}

/* Exact in every type, and most columns have several candidates of the same size: the pivots have to be LAPACK's. */
static void one_dyadic(enum tw_type t, int m, int n, const tw_int *zero, int zeros)
{
    const int k = (int)min_of(m, n), lda = m + 1, nrhs = 3;
    void *a = tt_array(t, lda, n), *f, *b = tt_array(t, m, nrhs), *x;
    tw_int *want = calloc((size_t)k + 1, sizeof *want), *ipiv = calloc((size_t)k + 1, sizeof *ipiv), info = 0;
    const int exact = ties_are_lapacks();
    int ties = 0;

    tt_dyadic(t, m, n, a, lda, 7, zero, zeros, want);
    f = tt_copy(t, lda, n, a);
    for (int z = 0; z < zeros; z++)
        info = info == 0 || zero[z] < info ? zero[z] : info;
    tt_expect_info(tt_door_getrf(t, m, n, f, lda, ipiv), info, "%cgetrf of ties, %d x %d", tt_letter(t), m, n);
    assert_int_equal(tt_touched(t, 'G', m, n, f, lda), 0);
    for (int i = 0; i < k && exact; i++)
        if (ipiv[i] != want[i])
            fail_msg("%cgetrf of ties, %d x %d: pivot %d is %lld, not %lld", tt_letter(t), m, n, i + 1,
                     (long long)ipiv[i], (long long)want[i]);
    if (exact && !(tt_lu_residual(t, m, n, a, lda, f, lda, ipiv) == 0)) fail_msg("the factors are not exact");
    tt_expect("getrf of ties", t, tt_lu_residual(t, m, n, a, lda, f, lda, ipiv), 0, "%d x %d", m, n);
    for (int j = 0; j < k; j++)
        for (int i = j + 1; i < m; i++) {
            const tt_z l = tt_get(t, f, (size_t)(i + j * lda));
            ties += fabs(creal(l)) + fabs(cimag(l)) == 1;
        }
    if (k > 20 && exact) assert_true(ties > k);
    if (m == n) { /* B as it was, to the bit */
        free(f);
        f = tt_copy(t, lda, n, a);
        tt_random(t, 'G', n, nrhs, b, m, 9);
        x = tt_copy(t, m, nrhs, b);
        tt_expect_info(tt_door_gesv(t, n, nrhs, f, lda, ipiv, x, m), info, "%cgesv of ties, n=%d", tt_letter(t), n);
        for (int i = 0; i < k && exact; i++)
            assert_int_equal(ipiv[i], want[i]);
        if (info) {
            assert_memory_equal(x, b, (size_t)m * (size_t)nrhs * tt_size(t));
            tt_expect("gesv of ties: factors", t, tt_lu_residual(t, m, n, a, lda, f, lda, ipiv), 0, "n=%d", n);
        } else {
            tt_expect("gesv of ties", t, tt_general_solve_residual(t, 'N', n, nrhs, a, lda, b, m, x, m), 0, "n=%d", n);
        }
        free(x);
    }
    free(a), free(f), free(b), free(want), free(ipiv);
}

static void ties_take_the_first_row(void **state)
{
    static const int sizes[][2] = {{1, 1}, {19, 19}, {40, 40}, {131, 131}, {200, 90}, {90, 200}, {257, 257}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++)
            one_dyadic(t, sizes[s][0], sizes[s][1], NULL, 0);
}

static void singular_matrices(void **state)
{
    static const int sizes[] = {1, 20, 38, 131, 200};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            const tw_int n = sizes[s], first = 1, middle = n / 2 + 1, last = n, two[2] = {last, middle};
            one_dyadic(t, (int)n, (int)n, &first, 1);
            one_dyadic(t, (int)n, (int)n, &middle, 1);
            one_dyadic(t, (int)n, (int)n, &last, 1);
            if (n > 2) one_dyadic(t, (int)n, (int)n, two, 2);
            if (n > 2) one_dyadic(t, (int)n + 30, (int)n, &middle, 1);
            if (n > 2) one_dyadic(t, (int)n, (int)n + 30, &middle, 1);
        }
}

static void zero_matrix(void **state)
{
    const int n = 100;
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, n, n), *b = tt_array(t, n, 2), *x;
        tw_int ipiv[100];
        for (size_t i = 0; i < 10000; i++)
            tt_put(t, a, i, 0);
        tt_random(t, 'G', n, 2, b, n, 3);
        x = tt_copy(t, n, 2, b);
        tt_expect_info(tt_door_gesv(t, n, 2, a, n, ipiv, x, n), 1, "zeros");
        assert_memory_equal(x, b, (size_t)(2 * n) * tt_size(t));
        for (int i = 0; i < n; i++)
            assert_int_equal(ipiv[i], i + 1);
        free(a), free(b), free(x);
    }
}

/* ---- solving ------------------------------------------------------------------------------------------------ */

static void one_solve(enum tw_type t, int n, int nrhs)
{
    const int lda = n + 1, ldb = n + 2;
    void *a = tt_array(t, lda, n), *b = tt_array(t, ldb, nrhs), *f, *x;
    tw_int *ipiv = calloc((size_t)n + 1, sizeof *ipiv);

    tt_random(t, 'G', n, n, a, lda, 111);
    tt_random(t, 'G', n, nrhs, b, ldb, 112);
    f = tt_copy(t, lda, n, a);
    tt_expect_info(tt_door_getrf(t, n, n, f, lda, ipiv), 0, "%cgetrf n=%d", tt_letter(t), n);
    for (const char *trans = "NTCntc"; *trans; trans++) {
        void *before = tt_copy(t, lda, n, f);
        const char op = *trans >= 'a' ? (char)(*trans - 32) : *trans;
        x = tt_copy(t, ldb, nrhs, b);
        tt_expect_info(tt_door_getrs(t, *trans, n, nrhs, f, lda, ipiv, x, ldb), 0, "%cgetrs %c n=%d", tt_letter(t),
                       *trans, n);
        assert_int_equal(tt_touched(t, 'G', n, nrhs, x, ldb), 0);
        assert_memory_equal(f, before, (size_t)lda * (size_t)n * tt_size(t));
        tt_expect("getrs", t, tt_general_solve_residual(t, op, n, nrhs, a, lda, b, ldb, x, ldb), nrhs ? n : 0,
                  "%c n=%d nrhs=%d", op, n, nrhs);
        free(x), free(before);
    }
    memcpy(f, a, (size_t)lda * (size_t)n * tt_size(t));
    x = tt_copy(t, ldb, nrhs, b);
    tt_expect_info(tt_door_gesv(t, n, nrhs, f, lda, ipiv, x, ldb), 0, "%cgesv n=%d", tt_letter(t), n);
    assert_int_equal(tt_touched(t, 'G', n, n, f, lda), 0);
    assert_int_equal(tt_touched(t, 'G', n, nrhs, x, ldb), 0);
    tt_expect("gesv", t, tt_general_solve_residual(t, 'N', n, nrhs, a, lda, b, ldb, x, ldb), nrhs ? n : 0,
              "n=%d nrhs=%d", n, nrhs);
    tt_expect("gesv: factors", t, tt_lu_residual(t, n, n, a, lda, f, lda, ipiv), n, "n=%d", n);
    free(a), free(b), free(f), free(x), free(ipiv);
}

static void solutions(void **state)
{
    static const int sizes[] = {1, 2, 19, 20, 64, 131, 307};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            one_solve(t, sizes[s], 1);
            one_solve(t, sizes[s], sizes[s] > 100 ? 337 : 7); /* wider than the matrix, too */
        }
    one_solve(TW_DOUBLE, 100, 0);
}

/* ---- wild numbers --------------------------------------------------------------------------------------------- */

/* Whatever the numbers are, every routine returns, with an info and pivots LAPACK could give. */
static void wild_numbers_end(void **state)
{
    enum { N = 90 };
    static const double values[] = {NAN, INFINITY, -INFINITY, 1e300, 1e-300};
    (void)state;
    FOR_TYPES(t)
        for (size_t v = 0; v < COUNT(values); v++)
            for (int everywhere = 0; everywhere < 2; everywhere++) {
                void *a = tt_array(t, N, N), *b = tt_array(t, N, 3);
                tw_int ipiv[N], info;
                tt_random(t, 'G', N, N, a, N, 5);
                tt_random(t, 'G', N, 3, b, N, 6);
                for (size_t i = 0; i < (size_t)N * N; i++)
                    if (everywhere || i == 40 + 30 * N) tt_put(t, a, i, values[v]);
                info = tt_door_gesv(t, N, 3, a, N, ipiv, b, N);
                if (info < 0 || info > N) fail_msg("gesv on %g: info %lld", values[v], (long long)info);
                for (int i = 0; i < N; i++)
                    if (ipiv[i] <= i || ipiv[i] > N)
                        fail_msg("gesv on %g: pivot %d is %lld", values[v], i + 1, (long long)ipiv[i]);
                free(a), free(b);
            }
}

/* Elements of 1e300 and 1e-300 (1e30 in single), well-conditioned: scaling does not matter to LU. */
static void extreme_sizes(void **state)
{
    enum { N = 70 };
    (void)state;
    FOR_TYPES(t)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double size = pow(2, sign * (t == TW_FLOAT || t == TW_COMPLEX_FLOAT ? 60 : 500));
            void *a = tt_array(t, N, N), *b = tt_array(t, N, 2), *f, *x;
            tw_int ipiv[N];
            tt_random(t, 'G', N, N, a, N, 15);
            tt_random(t, 'G', N, 2, b, N, 16);
            f = tt_copy(t, N, N, a);
            x = tt_copy(t, N, 2, b);
            for (size_t i = 0; i < (size_t)N * N; i++)
                tt_put(t, f, i, size * tt_get(t, f, i));
            tt_expect_info(tt_door_gesv(t, N, 2, f, N, ipiv, x, N), 0, "size %g", size);
            for (size_t i = 0; i < (size_t)N * 2; i++)
                tt_put(t, x, i, size * tt_get(t, x, i));
            tt_expect("gesv, far from 1", t, tt_general_solve_residual(t, 'N', N, 2, a, N, b, N, x, N), N, "size %g",
                      size);
            free(a), free(b), free(f), free(x);
        }
}

/* What names no row exchanges nothing; nothing outside the arrays is touched. */
static void pivots_out_of_range(void **state)
{
    enum { N = 60 };
    static const tw_int wild[] = {0, -1, N + 1, INT64_MAX, INT64_MIN, (tw_int)1 << 32};
    (void)state;
    FOR_TYPES(t)
        for (const char *trans = "NT"; *trans; trans++) {
            void *f = tt_array(t, N, N), *x = tt_array(t, N + 2, 3), *y;
            tw_int ipiv[N], tame[N];
            tt_random(t, 'G', N, N, f, N, 25);
            tt_random(t, 'G', N, 3, x, N + 2, 26);
            for (int i = 0; i < N; i++)
                tt_put(t, f, (size_t)(i * (N + 1)), 40);
            y = tt_copy(t, N + 2, 3, x);
            for (int i = 0; i < N; i++) {
                tame[i] = i + 1 + (i * 7) % (N - i);
                ipiv[i] = tame[i];
                if (i % 5 == 0) tame[i] = i + 1, ipiv[i] = wild[i / 5 % 6];
            }
            tt_expect_info(tt_door_getrs(t, *trans, N, 3, f, N, ipiv, x, N + 2), 0, "wild pivots");
            tt_expect_info(tt_door_getrs(t, *trans, N, 3, f, N, tame, y, N + 2), 0, "tame pivots");
            assert_int_equal(tt_touched(t, 'G', N, 3, x, N + 2), 0);
            tt_expect("wild pivots", t, tt_difference(t, 'G', 'N', N, 3, x, N + 2, y, N + 2), 0, "%c", *trans);
            free(f), free(x), free(y);
        }
}

/* ---- illegal arguments: LAPACK's numbers, and LAPACK itself agrees ------------------------------------------ */

#define SAME(want, mine, lapacks)                                                                                      \
    do {                                                                                                               \
        tt_expect_info(mine, want, #mine);                                                                             \
        assert_true(tw_last_message()[0] != 0);                                                                        \
        assert_int_equal(lapacks, want);                                                                               \
    } while (0)

static void illegal_arguments(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, 8, 8), *b = tt_array(t, 8, 8), *before;
        tw_int ipiv[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        tt_random(t, 'G', 8, 8, a, 8, 1);
        tt_random(t, 'G', 8, 8, b, 8, 2);
        before = tt_copy(t, 8, 8, a);
        SAME(-1, tt_door_getrf(t, -1, 8, a, 8, ipiv), tt_lapack_getrf(t, -1, 8, a, 8, p));
        SAME(-2, tt_door_getrf(t, 8, -1, a, 8, ipiv), tt_lapack_getrf(t, 8, -1, a, 8, p));
        SAME(-4, tt_door_getrf(t, 8, 5, a, 7, ipiv), tt_lapack_getrf(t, 8, 5, a, 7, p));
        SAME(-4, tt_door_getrf(t, 0, 5, a, 0, ipiv), tt_lapack_getrf(t, 0, 5, a, 0, p));
        /* (OpenBLAS 0.3.21's getrs returns 0 whatever it tells XERBLA) */
        tt_expect_info(tt_door_getrs(t, 'X', 8, 8, a, 8, ipiv, b, 8), -1, "getrs 'X'");
        tt_expect_info(tt_door_getrs(t, 'N', -1, 8, a, 8, ipiv, b, 8), -2, "getrs");
        tt_expect_info(tt_door_getrs(t, 'N', 8, -1, a, 8, ipiv, b, 8), -3, "getrs");
        tt_expect_info(tt_door_getrs(t, 'N', 8, 8, a, 7, ipiv, b, 8), -5, "getrs");
        tt_expect_info(tt_door_getrs(t, 'N', 8, 8, a, 8, ipiv, b, 7), -8, "getrs");
        SAME(-1, tt_door_gesv(t, -1, 8, a, 8, ipiv, b, 8), tt_lapack_gesv(t, -1, 8, a, 8, p, b, 8));
        SAME(-2, tt_door_gesv(t, 8, -1, a, 8, ipiv, b, 8), tt_lapack_gesv(t, 8, -1, a, 8, p, b, 8));
        SAME(-4, tt_door_gesv(t, 8, 8, a, 7, ipiv, b, 8), tt_lapack_gesv(t, 8, 8, a, 7, p, b, 8));
        SAME(-7, tt_door_gesv(t, 8, 8, a, 8, ipiv, b, 7), tt_lapack_gesv(t, 8, 8, a, 8, p, b, 7));
        tt_expect_info(tt_door_getrf(t, 8, 8, NULL, 8, ipiv), -3, "no array");
        tt_expect_info(tt_door_getrf(t, 8, 8, a, 8, NULL), -5, "no pivots");
        assert_memory_equal(a, before, 64 * tt_size(t)); /* refused calls change nothing */
        tt_expect_info(tt_door_getrf(t, 0, 3, NULL, 1, NULL), 0, "nothing");
        tt_expect_info(tt_door_getrs(t, 'N', 0, 3, NULL, 1, NULL, NULL, 1), 0, "nothing");
        tt_expect_info(tt_door_gesv(t, 0, 3, NULL, 1, NULL, NULL, 1), 0, "nothing");
        free(a), free(b), free(before);
    }
}

/* ---- the matrix door and the async door ------------------------------------------------------------------------- */

static void pivots_of(tw_matrix *P, tw_int k, tw_int *ipiv)
{
    int32_t *p = malloc((size_t)(k + 1) * sizeof *p);
    assert_non_null(p);
    assert_int_equal(tw_matrix_to_lapack(P, p, max_of(1, k)), 0);
    for (tw_int i = 0; i < k; i++)
        ipiv[i] = p[i];
    free(p);
}

static void one_storage(enum tw_type t, enum tt_storage s, int n, int nrhs, int nb, int nb_b)
{
    const int lda = n + 2;
    void *a = tt_array(t, lda, n), *b = tt_array(t, lda, nrhs), *f, *x;
    struct tt_place pa, pb;
    tw_matrix *A, *B, *P;
    tw_int *ipiv = calloc((size_t)n + 1, sizeof *ipiv);

    tt_random(t, 'G', n, n, a, lda, 201);
    tt_random(t, 'G', n, nrhs, b, lda, 202);
    f = tt_copy(t, lda, n, a);
    x = tt_copy(t, lda, nrhs, b);
    A = tt_enter(&pa, s, t, TW_GENERAL, n, n, f, lda, nb);
    B = tt_enter(&pb, s, t, TW_GENERAL, n, nrhs, x, lda, nb_b);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    tt_expect_info(tw_gesv(A, P, B), 0, "tw_gesv");
    pivots_of(P, n, ipiv);
    tt_leave(&pb);
    tt_leave(&pa);
    tt_expect("tw_gesv", t, tt_general_solve_residual(t, 'N', n, nrhs, a, lda, b, lda, x, lda), n, "%s n=%d nb=%d, %d",
              tt_storage_name(s), n, nb, nb_b);
    tt_expect("tw_gesv: factors", t, tt_lu_residual(t, n, n, a, lda, f, lda, ipiv), n, "%s n=%d nb=%d",
              tt_storage_name(s), n, nb);
    assert_int_equal(tw_matrix_destroy(P), 0);
    free(a), free(b), free(f), free(x), free(ipiv);
}

static void every_storage(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < tt_storages(); s++) {
            one_storage(t, (enum tt_storage)s, 150, 40, 32, 32);
            one_storage(t, (enum tt_storage)s, 149, 70, 48, 31);
            one_storage(t, (enum tt_storage)s, 90, 3, 200, 17);
            one_storage(t, (enum tt_storage)s, 90, 3, 17, 200);
        }
}

/* Tiles that are not square, m and n apart. */
static void rectangular_tiles(void **state)
{
    static const int shapes[][4] = {
        {100, 100, 16, 33}, {100, 100, 70, 9}, {150, 60, 20, 64}, {60, 150, 64, 20}, {30, 90, 64, 20}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < COUNT(shapes); s++) {
            const int m = shapes[s][0], n = shapes[s][1], k = (int)min_of(m, n);
            void *a = tt_array(t, m, n), *f;
            tw_int *ipiv = calloc((size_t)k, sizeof *ipiv);
            tw_matrix *A, *P;
            tt_random(t, 'G', m, n, a, m, 211);
            f = tt_copy(t, m, n, a);
            assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, shapes[s][2], shapes[s][3], NULL), 0);
            assert_int_equal(tw_matrix_set_lapack(A, f, m), 0);
            assert_int_equal(tw_pivots_create(&P, A), 0);
            tt_expect_info(tw_getrf(A, P), 0, "tw_getrf");
            assert_int_equal(tw_matrix_to_lapack(A, f, m), 0);
            pivots_of(P, k, ipiv);
            tt_expect("tw_getrf, any tiles", t, tt_lu_residual(t, m, n, a, m, f, m, ipiv), 0, "%d x %d in %d x %d", m,
                      n, shapes[s][2], shapes[s][3]);
            if (m == n) {
                void *b = tt_array(t, n, 5), *x;
                tw_matrix *B;
                tt_random(t, 'G', n, 5, b, n, 212);
                x = tt_copy(t, n, 5, b);
                assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, n, 5, x, n, 21), 0);
                tt_expect_info(tw_getrs(TW_CONJTRANS, A, P, B), 0, "tw_getrs");
                assert_int_equal(tw_matrix_to_lapack(B, x, n), 0);
                tt_expect("tw_getrs, any tiles", t, tt_general_solve_residual(t, 'C', n, 5, a, n, b, n, x, n), n,
                          "n=%d", n);
                assert_int_equal(tw_matrix_destroy(B), 0);
                free(b), free(x);
            }
            assert_int_equal(tw_matrix_destroy(A), 0);
            assert_int_equal(tw_matrix_destroy(P), 0);
            free(a), free(f), free(ipiv);
        }
}

/* Factor, solve, solve transposed: one graph. Pivots over an array of the caller's. */
static void one_graph(void **state)
{
    enum { N = 160, RHS = 9, NB = 32 };
    (void)state;
    FOR_TYPES(t) {
        void *a = tt_array(t, N, N), *b = tt_array(t, N, RHS), *x = tt_array(t, N, RHS), *y = tt_array(t, N, RHS);
        int32_t p[N] = {0};
        tw_matrix *A, *B, *C, *P;
        tw_sequence *seq;
        tt_random(t, 'G', N, N, a, N, 221);
        tt_random(t, 'G', N, RHS, b, N, 222);
        assert_int_equal(tw_matrix_from_lapack(&A, t, TW_GENERAL, N, N, a, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&B, t, TW_GENERAL, N, RHS, b, N, NB), 0);
        assert_int_equal(tw_matrix_from_lapack(&C, t, TW_GENERAL, N, RHS, b, N, NB), 0);
        assert_int_equal(tw_matrix_wrap(&P, TW_INT32, TW_GENERAL, N, 1, p, N, NB), 0);
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(tw_getrf_async(A, P, seq), 0);
        assert_int_equal(tw_getrs_async(TW_NOTRANS, A, P, B, seq), 0);
        assert_int_equal(tw_getrs_async(TW_TRANS, A, P, C, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 0);
        assert_int_equal(tw_matrix_to_lapack(B, x, N), 0);
        assert_int_equal(tw_matrix_to_lapack(C, y, N), 0);
        tt_expect("async getrs N", t, tt_general_solve_residual(t, 'N', N, RHS, a, N, b, N, x, N), N, "one graph");
        tt_expect("async getrs T", t, tt_general_solve_residual(t, 'T', N, RHS, a, N, b, N, y, N), N, "one graph");
        assert_int_equal(tw_matrix_destroy(P), 0);
        for (int i = 0; i < N; i++)
            assert_true(p[i] > i && p[i] <= N);
        /* a singular one in the same sequence */
        memset(a, 0, (size_t)N * N * tt_size(t));
        assert_int_equal(tw_matrix_set_lapack(A, a, N), 0);
        assert_int_equal(tw_matrix_set_lapack(B, b, N), 0);
        assert_int_equal(tw_pivots_create(&P, A), 0);
        assert_int_equal(tw_gesv_async(A, P, B, seq), 0);
        assert_int_equal(tw_sequence_wait(seq), 1);
        assert_int_equal(tw_matrix_to_lapack(B, x, N), 0);
        assert_memory_equal(x, b, (size_t)N * RHS * tt_size(t));
        assert_int_equal(tw_sequence_destroy(seq), 0);
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
        assert_int_equal(tw_matrix_destroy(C), 0);
        assert_int_equal(tw_matrix_destroy(P), 0);
        free(a), free(b), free(x), free(y);
    }
}

static void matrices_that_do_not_fit(void **state)
{
    tw_matrix *A, *R, *T, *B, *C, *P, *Q, *O;
    double value;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 40, 40, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 40, 30, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&T, TW_DOUBLE, TW_LOWER, 40, 40, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_DOUBLE, TW_GENERAL, 40, 3, 16, NULL), 0);
    assert_int_equal(tw_matrix_create(&C, TW_FLOAT, TW_GENERAL, 40, 3, 16, NULL), 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    assert_int_equal(tw_matrix_rows(P), 40);
    assert_int_equal(tw_matrix_type(P), TW_INT32);
    assert_int_equal(tw_pivots_create(&Q, R), 0);
    assert_int_equal(tw_matrix_create_tiles(&O, TW_INT32, TW_GENERAL, 40, 1, 10, 10, NULL), 0);
    assert_int_equal(tw_getrf(NULL, P), -1);
    assert_int_equal(tw_getrf(T, P), -1);
    assert_int_equal(tw_getrf(A, NULL), -2);
    assert_int_equal(tw_getrf(A, B), -2);
    assert_int_equal(tw_getrf(A, Q), -2);
    assert_int_equal(tw_getrf(A, O), -2);
    assert_int_equal(tw_getrf(P, P), -1);
    assert_int_equal(tw_getrs((enum tw_trans)'X', A, P, B), -1);
    assert_int_equal(tw_getrs(TW_NOTRANS, R, Q, B), -2);
    assert_int_equal(tw_getrs(TW_NOTRANS, A, Q, B), -3);
    assert_int_equal(tw_getrs(TW_NOTRANS, A, P, C), -4);
    assert_int_equal(tw_getrs(TW_NOTRANS, A, P, A), -4);
    assert_int_equal(tw_gesv(R, Q, B), -1);
    assert_int_equal(tw_gesv(A, B, B), -2);
    assert_int_equal(tw_gesv(A, P, NULL), -3);
    /* pivots are no matrix to compute with */
    assert_int_equal(tw_lange(TW_MAX_NORM, P, &value), -2);
    assert_true(tw_gemm(TW_NOTRANS, TW_NOTRANS, (tw_scalar){1, 0}, P, P, (tw_scalar){0, 0}, P) < 0);
    assert_int_equal(tw_matrix_destroy(O), 0);
    assert_true(tw_matrix_create(&O, TW_INT32, TW_GENERAL, 40, 1, 0, NULL) < 0);
    assert_null(O);
    assert_int_equal(tw_pivots_create(&O, NULL), -2);
    assert_int_equal(tw_pivots_create(NULL, A), -1);
    tw_matrix_destroy(A), tw_matrix_destroy(R), tw_matrix_destroy(T), tw_matrix_destroy(B), tw_matrix_destroy(C);
    tw_matrix_destroy(P), tw_matrix_destroy(Q);
}

/* ---- the paths ---------------------------------------------------------------------------------------------- */

static void path_was_taken(void **state)
{
    (void)state;
    assert_int_equal(tw_is_running(), !!strcmp(path, "direct")); /* LAPACK directly starts no runtime */
}

static int run_path(void)
{
    const struct CMUnitTest arrays[] = {
        cmocka_unit_test(factors_are_lapacks), cmocka_unit_test(ties_take_the_first_row),
        cmocka_unit_test(singular_matrices),   cmocka_unit_test(zero_matrix),
        cmocka_unit_test(solutions),           cmocka_unit_test(wild_numbers_end),
        cmocka_unit_test(extreme_sizes),       cmocka_unit_test(pivots_out_of_range),
        cmocka_unit_test(illegal_arguments),   cmocka_unit_test(path_was_taken),
    };
    const struct CMUnitTest matrices[] = {cmocka_unit_test(every_storage), cmocka_unit_test(rectangular_tiles),
                                          cmocka_unit_test(one_graph), cmocka_unit_test(matrices_that_do_not_fit)};
    const struct CMUnitTest few[] = {cmocka_unit_test(ties_take_the_first_row), cmocka_unit_test(singular_matrices),
                                     cmocka_unit_test(one_graph)};
    int failed = !strcmp(path, "matrices") ? tt_run(matrices) : strstr(path, "few") ? tt_run(few) : tt_run(arrays);
    return tw_finalize() != 0 || failed;
}

static int one_path(const char *name, const char *const *env)
{
    static char out[1 << 20];
    int rc = tt_run_self(name, env, 240, out, sizeof out);
    printf("==== path %s: exit %d%s\n%s", name, rc, rc == TT_TIMED_OUT ? " (timed out)" : "", out);
    fflush(stdout);
    return rc != 0;
}

int main(int argc, char **argv)
{
    int failed = 0;

    if (argc > 1) {
        path = argv[1];
        return run_path();
    }
    failed |= one_path("direct", (const char *[]){"TILEWORK_CROSSOVER=1000000", NULL});
    failed |= one_path("tiles", (const char *[]){"TILEWORK_CROSSOVER=0", "TILEWORK_NB=128", NULL});
    failed |= one_path("small-tiles", (const char *[]){"TILEWORK_CROSSOVER=0", "TILEWORK_NB=19", NULL});
    failed |= one_path("matrices", NULL);
    failed |= one_path("few: eager, one worker", (const char *[]){"STARPU_SCHED=eager", "STARPU_NCPU=1",
                                                                  "TILEWORK_CROSSOVER=0", "TILEWORK_NB=19", NULL});
    failed |= one_path("few: dmdas, two workers", (const char *[]){"STARPU_SCHED=dmdas", "STARPU_NCPU=2",
                                                                   "TILEWORK_CROSSOVER=0", "TILEWORK_NB=32", NULL});
    failed |= one_path("few: random",
                       (const char *[]){"STARPU_SCHED=random", "TILEWORK_CROSSOVER=0", "TILEWORK_NB=23", NULL});
    failed |= one_path("few: tilework",
                       (const char *[]){"STARPU_SCHED=tilework", "TILEWORK_CROSSOVER=0", "TILEWORK_NB=23", NULL});
    return failed;
}
