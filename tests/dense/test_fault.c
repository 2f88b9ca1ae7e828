/* Do the checkers check? In a build with fault injection (TILEWORK_FAULT=1 spoils one tile of every routine by 1e-6)
 * every one of them has to fail; in a normal build the same runs have to pass. */
#include <complex.h>

#include "tt.h"

enum { N = 200, NB = 48, RHS = 60 };

static tw_matrix *A, *B;
static void *a, *b, *x, *f;
static struct tt_place pa, pb;

static void prepare(enum tw_type t, char uplo, int factored)
{
    a = tt_array(t, N, N);
    b = tt_array(t, N, RHS);
    tt_spd(t, uplo, N, a, N, 1);
    tt_random(t, 'G', N, RHS, b, N, 2);
    f = tt_copy(t, N, N, a);
    x = tt_copy(t, N, RHS, b);
    if (factored) assert_int_equal(tt_lapack_potrf(t, uplo, N, f, N), 0);
    A = tt_enter(&pa, TT_FROM_LAPACK, t, (enum tw_uplo)uplo, N, N, f, N, NB);
    B = tt_enter(&pb, TT_FROM_LAPACK, t, TW_GENERAL, N, RHS, x, N, NB);
}
static void collect(void)
{
    tt_leave(&pa);
    tt_leave(&pb);
}
static void clean(void)
{
    free(a), free(b), free(x), free(f);
}

/* One routine each: the residual its checker gives. */
static double potrf(enum tw_type t, char uplo)
{
    prepare(t, uplo, 0);
    (void)tw_potrf((enum tw_uplo)uplo, A);
    collect();
    return tt_potrf_residual(t, uplo, N, a, N, f, N);
}
static double potrf_against_lapack(enum tw_type t, char uplo)
{
    void *r;
    double residual;
    prepare(t, uplo, 0);
    (void)tw_potrf((enum tw_uplo)uplo, A);
    collect();
    r = tt_copy(t, N, N, a);
    (void)tt_lapack_potrf(t, uplo, N, r, N);
    residual = tt_difference(t, uplo, 'N', N, N, f, N, r, N);
    free(r);
    return residual;
}
static double potrs(enum tw_type t, char uplo)
{
    prepare(t, uplo, 1);
    (void)tw_potrs((enum tw_uplo)uplo, A, B);
    collect();
    return tt_solve_residual(t, uplo, N, RHS, a, N, b, N, x, N);
}
static double posv(enum tw_type t, char uplo)
{
    prepare(t, uplo, 0);
    (void)tw_posv((enum tw_uplo)uplo, A, B);
    collect();
    return tt_solve_residual(t, uplo, N, RHS, a, N, b, N, x, N);
}
static double potri(enum tw_type t, char uplo)
{
    prepare(t, uplo, 1);
    (void)tw_potri((enum tw_uplo)uplo, A);
    collect();
    return tt_inverse_residual(t, uplo, N, a, N, f, N);
}
static double trtri(enum tw_type t, char uplo)
{
    prepare(t, uplo, 1);
    memcpy(a, f, (size_t)N * N * tt_size(t));
    (void)tw_trtri((enum tw_uplo)uplo, TW_NONUNIT, A);
    collect();
    return tt_trtri_residual(t, uplo, 'N', N, a, N, f, N);
}
static double lauum(enum tw_type t, char uplo)
{
    prepare(t, uplo, 1);
    memcpy(a, f, (size_t)N * N * tt_size(t));
    (void)tw_lauum((enum tw_uplo)uplo, A);
    collect();
    return tt_lauum_residual(t, uplo, N, a, N, f, N);
}
static double trsm(enum tw_type t, char uplo)
{
    tt_z *T, *X, *W;
    double residual;
    prepare(t, uplo, 1);
    (void)tw_trsm(TW_LEFT, (enum tw_uplo)uplo, TW_NOTRANS, TW_NONUNIT, (tw_scalar){1, 0}, A, B);
    collect();
    T = tt_full(TT_TRIANGULAR, t, uplo, 'N', N, N, f, N);
    X = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, x, N);
    W = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    residual = tt_equation_residual(t, N, RHS, N, T, X, W);
    free(T), free(X), free(W);
    return residual;
}
static double trmm(enum tw_type t, char uplo)
{
    tt_z *T, *W;
    double residual;
    prepare(t, uplo, 1);
    (void)tw_trmm(TW_LEFT, (enum tw_uplo)uplo, TW_NOTRANS, TW_NONUNIT, (tw_scalar){1, 0}, A, B);
    collect();
    T = tt_full(TT_TRIANGULAR, t, uplo, 'N', N, N, f, N);
    W = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    residual = tt_product_residual(t, 'G', N, RHS, N, 1, T, W, 0, W, x, N);
    free(T), free(W);
    return residual;
}
static double rank_k(enum tw_type t, char uplo)
{
    tt_z *W, *C0, *V;
    double residual;
    tw_scalar one = {1, 0};
    prepare(t, uplo, 0);
    (void)(tt_complex(t) ? tw_herk((enum tw_uplo)uplo, TW_NOTRANS, 1, B, 1, A)
                         : tw_syrk((enum tw_uplo)uplo, TW_NOTRANS, one, B, one, A));
    collect();
    W = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    V = tt_op('C', N, RHS, tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N));
    C0 = tt_full(TT_HERMITIAN, t, uplo, 'N', N, N, a, N);
    residual = tt_product_residual(t, uplo, N, N, RHS, 1, W, V, 1, C0, f, N);
    free(W), free(V), free(C0);
    return residual;
}
/* A times B into a third one. */
static double hemm(enum tw_type t, char uplo)
{
    void *c = tt_array(t, N, RHS);
    struct tt_place pc;
    tt_z *W, *V;
    double residual;
    prepare(t, uplo, 0);
    tt_random(t, uplo, N, N, a, N, 5); /* beside a large diagonal the fault would be small */
    assert_int_equal(tw_matrix_set_lapack(A, a, N), 0);
    (void)(uplo == 'L' ? tw_hemm : tw_symm)(TW_LEFT, (enum tw_uplo)uplo, (tw_scalar){1, 0}, A, B, (tw_scalar){0, 0},
                                            tt_enter(&pc, TT_CREATED, t, TW_GENERAL, N, RHS, c, N, NB));
    collect();
    tt_leave(&pc);
    W = tt_full(uplo == 'L' ? TT_HERMITIAN : TT_SYMMETRIC, t, uplo, 'N', N, N, a, N);
    V = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    residual = tt_product_residual(t, 'G', N, RHS, N, 1, W, V, 0, V, c, N);
    free(W), free(V), free(c);
    return residual;
}
/* B B^H or B B^T twice. */
static double rank_2k(enum tw_type t, char uplo)
{
    const int her = uplo == 'L';
    const tw_scalar one = {1, 0};
    tt_z *W, *C0, *V;
    double residual;
    prepare(t, uplo, 0);
    (void)(her ? tw_her2k((enum tw_uplo)uplo, TW_NOTRANS, one, B, B, 1, A)
               : tw_syr2k((enum tw_uplo)uplo, TW_NOTRANS, one, B, B, one, A));
    collect();
    W = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    V = tt_op(her ? 'C' : 'T', N, RHS, tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N));
    C0 = tt_full(her ? TT_HERMITIAN : TT_SYMMETRIC, t, uplo, 'N', N, N, a, N);
    residual = tt_product_residual(t, uplo, N, N, RHS, 2, W, V, 1, C0, f, N);
    free(W), free(V), free(C0);
    return residual;
}
static double geadd(enum tw_type t, char uplo)
{
    void *c = tt_array(t, RHS, N);
    struct tt_place pc;
    tt_z *V, *E, *C0;
    double residual;
    prepare(t, uplo, 0);
    tt_random(t, 'G', RHS, N, c, RHS, 3);
    C0 = tt_full(TT_GENERAL, t, 'G', 'N', RHS, N, c, RHS);
    (void)tw_geadd(TW_CONJTRANS, (tw_scalar){0.7, 0.2}, B, (tw_scalar){0.3, -0.1},
                   tt_enter(&pc, TT_CREATED, t, TW_GENERAL, RHS, N, c, RHS, NB));
    collect();
    tt_leave(&pc);
    V = tt_op('C', N, RHS, tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N));
    E = calloc(N * N, sizeof *E);
    assert_non_null(E);
    for (int i = 0; i < N; i++)
        E[i * (N + 1)] = 1;
    residual = tt_product_residual(t, 'G', RHS, N, N, tt_complex(t) ? CMPLX(0.7, 0.2) : 0.7, V, E,
                                   tt_complex(t) ? CMPLX(0.3, -0.1) : 0.3, C0, c, RHS) *
               N / 3; /* three operations, not N */
    free(V), free(E), free(C0), free(c);
    return residual;
}
/* The LU family: general matrices, whatever uplo. */
static tw_int pivots[N];
static double lu(enum tw_type t, int what)
{
    int32_t p[N] = {0};
    tw_matrix *P;
    double residual;

    prepare(t, 'G', 0);
    assert_int_equal(tw_pivots_create(&P, A), 0);
    if (what == 2) {
        int of_lapack[N];
        collect();
        assert_int_equal(tt_lapack_getrf(t, N, N, f, N, of_lapack), 0);
        for (int i = 0; i < N; i++)
            p[i] = of_lapack[i];
        A = tt_enter(&pa, TT_FROM_LAPACK, t, TW_GENERAL, N, N, f, N, NB);
        B = tt_enter(&pb, TT_FROM_LAPACK, t, TW_GENERAL, N, RHS, x, N, NB);
        assert_int_equal(tw_matrix_set_lapack(P, p, N), 0);
    }
    (void)(what == 0 ? tw_getrf(A, P) : what == 1 ? tw_gesv(A, P, B) : tw_getrs(TW_NOTRANS, A, P, B));
    assert_int_equal(tw_matrix_to_lapack(P, p, N), 0);
    assert_int_equal(tw_matrix_destroy(P), 0);
    for (int i = 0; i < N; i++)
        pivots[i] = p[i];
    collect();
    residual = what == 0 ? tt_lu_residual(t, N, N, a, N, f, N, pivots)
                         : tt_general_solve_residual(t, 'N', N, RHS, a, N, b, N, x, N);
    return residual;
}
static double getrf(enum tw_type t, char uplo)
{
    (void)uplo;
    return lu(t, 0);
}
static double gesv(enum tw_type t, char uplo)
{
    (void)uplo;
    return lu(t, 1);
}
static double getrs(enum tw_type t, char uplo)
{
    (void)uplo;
    return lu(t, 2);
}
/* The QR family: 'L' is QR, 'U' is LQ. */
static double reflected(enum tw_type t, char uplo, int what)
{
    const char storev = uplo == 'L' ? 'C' : 'R';
    void *tau = tt_array(t, N, 1);
    tw_matrix *T;
    tt_z *q, *y;
    double residual;

    prepare(t, 'G', 0);
    if (what > 0) { /* factors of LAPACK's */
        collect();
        assert_int_equal(storev == 'C' ? tt_lapack_geqrf(t, N, N, f, N, tau) : tt_lapack_gelqf(t, N, N, f, N, tau), 0);
        A = tt_enter(&pa, TT_FROM_LAPACK, t, TW_GENERAL, N, N, f, N, NB);
        B = tt_enter(&pb, TT_FROM_LAPACK, t, TW_GENERAL, N, RHS, x, N, NB);
    }
    assert_int_equal(tw_tau_create(&T, A), 0);
    if (what > 0) assert_int_equal(tw_matrix_set_lapack(T, tau, N), 0);
    if (what == 0)
        (void)(storev == 'C' ? tw_geqrf(A, T) : tw_gelqf(A, T));
    else if (what == 1)
        (void)(storev == 'C' ? tw_unmqr(TW_LEFT, TW_NOTRANS, A, T, B) : tw_unmlq(TW_LEFT, TW_NOTRANS, A, T, B));
    else
        (void)(storev == 'C' ? tw_ungqr(A, T) : tw_unglq(A, T));
    assert_int_equal(tw_matrix_to_lapack(T, tau, N), 0);
    assert_int_equal(tw_matrix_destroy(T), 0);
    q = tt_q(t, storev, N, N, f, N, tau);
    collect();
    y = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    residual = what == 0   ? tt_qr_residual(t, storev, N, N, a, N, f, N, tau)
               : what == 1 ? tt_product_residual(t, 'G', N, RHS, N, 1, q, y, 0, y, x, N)
                           : 0;
    free(q), free(y);
    if (what == 2) {
        q = tt_full(TT_GENERAL, t, 'G', 'N', N, N, f, N);
        residual = tt_orthogonality(t, N, N, q);
        free(q);
    }
    free(tau);
    return residual;
}
static double geqrf(enum tw_type t, char uplo)
{
    return reflected(t, uplo, 0);
}
static double unmqr(enum tw_type t, char uplo)
{
    return reflected(t, uplo, 1);
}
static double ungqr(enum tw_type t, char uplo)
{
    return reflected(t, uplo, 2);
}
/* 'L' least squares of the right-hand sides' N rows in N - RHS unknowns, 'U' least norm of as many equations. */
static double gels(enum tw_type t, char uplo)
{
    const int m = uplo == 'L' ? N : N - RHS, n = uplo == 'L' ? N - RHS : N;
    double residual;

    prepare(t, 'G', 0);
    collect();
    A = tt_enter(&pa, TT_FROM_LAPACK, t, TW_GENERAL, m, n, f, N, NB);
    B = tt_enter(&pb, TT_FROM_LAPACK, t, TW_GENERAL, N, RHS, x, N, NB);
    (void)tw_gels(TW_NOTRANS, A, B);
    collect();
    residual = tt_gels_residual(t, 'N', m, n, RHS, a, N, b, N, x, N);
    return residual;
}
static double gemm(enum tw_type t, char uplo)
{
    void *c = tt_array(t, N, N);
    struct tt_place pc;
    tt_z *W, *V;
    double residual;
    prepare(t, uplo, 0);
    (void)tw_gemm(TW_NOTRANS, TW_CONJTRANS, (tw_scalar){1, 0}, B, B, (tw_scalar){0, 0},
                  tt_enter(&pc, TT_CREATED, t, TW_GENERAL, N, N, c, N, NB));
    collect();
    tt_leave(&pc);
    W = tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N);
    V = tt_op('C', N, RHS, tt_full(TT_GENERAL, t, 'G', 'N', N, RHS, b, N));
    residual = tt_product_residual(t, 'G', N, N, RHS, 1, W, V, 0, V, c, N);
    free(W), free(V), free(c);
    return residual;
}

static const struct {
    const char *name;
    double (*run)(enum tw_type, char);
} routines[] = {
    {"potrf", potrf},    {"potrf vs LAPACK", potrf_against_lapack},
    {"potrs", potrs},    {"posv", posv},
    {"potri", potri},    {"trtri", trtri},
    {"lauum", lauum},    {"trsm", trsm},
    {"trmm", trmm},      {"syrk/herk", rank_k},
    {"gemm", gemm},      {"getrf", getrf},
    {"gesv", gesv},      {"getrs", getrs},
    {"symm/hemm", hemm}, {"syr2k/her2k", rank_2k},
    {"geadd", geadd},    {"geqrf", geqrf},
    {"unmqr", unmqr},    {"ungqr", ungqr},
    {"gels", gels},
};

static void checkers(void **state)
{
    int wrong = 0;
    (void)state;
    for (enum tw_type t = TW_FLOAT; (int)t < TW_NTYPES; t++)
        for (int u = 0; u < 2; u++)
            for (size_t r = 0; r < sizeof routines / sizeof *routines; r++) {
                double residual = routines[r].run(t, tt_uplos[u]);
                int failed = tt_judge(residual, N) == TT_FAIL;
                clean();
#ifdef TILEWORK_FAULT_INJECTION
                int bad = !failed;
#else
                int bad = failed;
#endif
                printf("%c%-16s %c residual %10.3g%s\n", tt_letter(t), routines[r].name, tt_uplos[u], residual,
                       bad ? "  WRONG VERDICT" : "");
                wrong += bad;
            }
    assert_int_equal(wrong, 0);
    assert_int_equal(tw_finalize(), 0);
}

/* The judge itself: the limits, NaN, and the answer that is too good. */
static void judge(void **state)
{
    (void)state;
    assert_int_equal(tt_judge(0.1, 100), TT_PASS);
    assert_int_equal(tt_judge(3, 100), TT_WARN);
    assert_int_equal(tt_judge(29.9, 100), TT_WARN);
    assert_int_equal(tt_judge(30, 100), TT_FAIL);
    assert_int_equal(tt_judge(0.0 / 0.0, 100), TT_FAIL);
    assert_int_equal(tt_judge(1.0 / 0.0, 100), TT_FAIL);
    assert_int_equal(tt_judge(0, 64), TT_FAIL);
    assert_int_equal(tt_judge(0, 63), TT_PASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(judge), cmocka_unit_test(checkers)};
    setenv("TILEWORK_FAULT", "1", 1);
    return tt_run(tests);
}
