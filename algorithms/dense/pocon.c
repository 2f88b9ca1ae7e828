/* Reciprocal 1-norm condition number from the Cholesky factor: 1 / (anorm |inv(A)|_1), the norm of the inverse by
 * Higham's estimator ("FORTRAN codes for estimating the one-norm of a real or complex matrix", ACM TOMS 14, 1988),
 * LAPACK's ?lacn2. It asks for a handful of solves; each is a potrs loop on an n x 1 matrix. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include "algorithms/dense/dense_loops.h"

struct estimate {
    enum tw_type type;
    lapack_int n, kase, isave[3], *isgn;
    void *v, *x;
    union {
        float s;
        double d;
    } norm;
};

/* One turn of the reverse communication. kase != 0: wants x replaced by inv(A) x (or its conjugate transpose: A is
 * hermitian). */
static lapack_int turn(struct estimate *e)
{
    switch (e->type) {
    case TW_FLOAT: LAPACKE_slacn2_work(e->n, e->v, e->x, e->isgn, &e->norm.s, &e->kase, e->isave); break;
    case TW_DOUBLE: LAPACKE_dlacn2_work(e->n, e->v, e->x, e->isgn, &e->norm.d, &e->kase, e->isave); break;
    case TW_COMPLEX_FLOAT: LAPACKE_clacn2_work(e->n, e->v, e->x, &e->norm.s, &e->kase, e->isave); break;
    default: LAPACKE_zlacn2_work(e->n, e->v, e->x, &e->norm.d, &e->kase, e->isave); break;
    }
    return e->kase;
}

/* Overflow in a solve, or NaN from the factor: the estimate ends, the matrix counts as singular. */
static int finite_vector(enum tw_type type, const void *x, tw_int n)
{
    const tw_int count = tw_is_complex(type) ? 2 * n : n;
    for (tw_int i = 0; i < count; i++)
        if (!isfinite(tw_is_single(type) ? ((const float *)x)[i] : ((const double *)x)[i])) return 0;
    return 1;
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
    double anorm, *rcond;
};

/* The estimate of |inv(A)|_1; 0 when it is not finite. */
static double inverse_norm(struct tw_sequence *seq, const struct args *a, struct tw_matrix *X, struct estimate *e)
{
    while (turn(e)) {
        int status = tw_loop_status(seq) ? 0 : tw_matrix_set_lapack(X, e->x, e->n);
        tw_potrs_loop(seq, a->uplo, a->A, X);
        if (!status) status = tw_matrix_to_lapack(X, e->x, e->n);
        if (status) tw_loop_fail(seq, status, "pocon: %s", tw_last_message());
        if (tw_loop_status(seq) || !finite_vector(e->type, e->x, e->n)) return 0;
    }
    return tw_is_single(e->type) ? (double)e->norm.s : e->norm.d;
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const size_t n = (size_t)a->A->n, size = tw_sizeof(a->A->type);
    struct estimate e = {.type = a->A->type, .n = (lapack_int)a->A->n};
    struct tw_matrix *X = NULL;
    double norm;

    tw_loop_settle(seq); /* X is read below by other ways than tasks */
    e.isgn = malloc(n * sizeof *e.isgn);
    e.v = malloc(n * size);
    e.x = malloc(n * size);
    if (!e.isgn || !e.v || !e.x) {
        tw_loop_fail(seq, TW_E_MEMORY, "pocon: no memory for %zu bytes of vectors", n * (2 * size + sizeof *e.isgn));
    } else if (tw_matrix_create(&X, e.type, TW_GENERAL, a->A->n, 1, a->A->nb, NULL) != 0) {
        tw_loop_fail(seq, TW_E_MEMORY, "pocon: %s", tw_last_message());
    } else {
        norm = inverse_norm(seq, a, X, &e);
        if (!tw_loop_status(seq)) *a->rcond = norm > 0 && isfinite(norm) ? 1 / norm / a->anorm : 0;
    }
    tw_matrix_destroy(X);
    free(e.x);
    free(e.v);
    free(e.isgn);
}

/* rcond is 0 when A is singular to working precision beyond measure: a solve overflows, or the factor has a NaN
 * (LAPACK would hand on a NaN, which no comparison catches). anorm: < 0 or NaN is illegal; 0 or Inf give rcond = 0. */
static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(A, a->uplo));
    TW_CHECK(who, 3, a->anorm >= 0 ? NULL : "negative or NaN");
    TW_CHECK(who, 4, a->rcond ? NULL : "NULL");
    *a->rcond = A->n == 0 ? 1 : 0;
    if (A->n == 0 || a->anorm == 0 || isinf(a->anorm)) return TW_NOTHING;
    return A->n > INT32_MAX ? tw_fail(TW_E_UNSUPPORTED, "%s: the order exceeds 2^31 - 1", who) : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return 5 * 2 * tw_flops_trsm(A->type, 'L', (double)A->n, 1); /* five solves, as a rule */
}

const struct tw_routine tw_routine_pocon = {.name = "pocon",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops};

int tw_pocon(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond)
{
    return tw_run(&tw_routine_pocon, &(struct args){uplo, A, anorm, rcond});
}

int tw_pocon_async(enum tw_uplo uplo, tw_matrix *A, double anorm, double *rcond, tw_sequence *seq)
{
    return tw_queue(&tw_routine_pocon, seq, &(struct args){uplo, A, anorm, rcond});
}
