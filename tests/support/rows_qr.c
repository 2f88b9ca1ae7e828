/* Rows of the QR family: uplo 'L' is QR, 'U' is LQ. */
#include "rows.h"

#define STOREV (c->uplo == 'L' ? 'C' : 'R')

static int geqrf(const struct tt_case *c, tw_sequence *seq)
{
    return c->uplo == 'L' ? TT_RUN(seq, geqrf, c->A, c->V) : TT_RUN(seq, gelqf, c->A, c->V);
}
static double geqrf_residual(const struct tt_case *c)
{
    return tt_qr_residual(c->type, STOREV, c->n, c->n, c->a, c->lda, c->f, c->lda, c->tau);
}

static int unmqr(const struct tt_case *c, tw_sequence *seq)
{
    return c->uplo == 'L' ? TT_RUN(seq, unmqr, TW_LEFT, TW_NOTRANS, c->A, c->V, c->B)
                          : TT_RUN(seq, unmlq, TW_LEFT, TW_NOTRANS, c->A, c->V, c->B);
}
static double unmqr_residual(const struct tt_case *c)
{
    tt_z *q = tt_q(c->type, STOREV, c->n, c->n, c->f, c->lda, c->tau);
    tt_z *b = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->nrhs, c->b, c->lda);
    const double residual = tt_product_residual(c->type, 'G', c->n, c->nrhs, c->n, 1, q, b, 0, b, c->x, c->lda);
    free(q), free(b);
    return residual;
}

static int ungqr(const struct tt_case *c, tw_sequence *seq)
{
    return c->uplo == 'L' ? TT_RUN(seq, ungqr, c->A, c->V) : TT_RUN(seq, unglq, c->A, c->V);
}
static double ungqr_residual(const struct tt_case *c)
{
    tt_z *q = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->f, c->lda);
    const double residual = tt_orthogonality(c->type, c->n, c->n, q);
    free(q);
    return residual;
}

/* 'L' least squares of n rows in n - nrhs unknowns, 'U' the shortest solution of as many equations. */
static int gels(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, gels, TW_NOTRANS, c->A, c->B);
}
static double gels_residual(const struct tt_case *c)
{
    return tt_gels_residual(c->type, 'N', c->m, c->k, c->nrhs, c->a, c->lda, c->b, c->lda, c->x, c->lda);
}

/* R is where a third operand is. */
static int cholqr(const struct tt_case *c, tw_sequence *seq)
{
    static int choleskys;
    return TT_RUN(seq, cholqr, c->A, c->C, &choleskys);
}
static double cholqr_residual(const struct tt_case *c)
{
    tt_z *q = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->f, c->lda),
         *r = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->y, c->cm),
         *a = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->a, c->lda);
    const double product = tt_equation_residual(c->type, c->n, c->n, c->n, q, r, a),
                 residual = tt_orthogonality(c->type, c->n, c->n, q);
    free(q), free(r), free(a);
    return product <= residual ? residual : product;
}

/* 'L' QR, 'U' LQ; Q is where a third operand is. T need not outlive the call: what it was for is in Q. */
static int geqrf_tree(const struct tt_case *c, tw_sequence *seq)
{
    const int qr = c->uplo == 'L';
    tw_matrix *T;
    int e = (qr ? tw_tree_create : tw_tree_create_lq)(&T, c->A, 2);

    if (e) return e;
    e = qr ? TT_RUN(seq, geqrf_tree, c->A, T) : TT_RUN(seq, gelqf_tree, c->A, T);
    if (!e) e = qr ? TT_RUN(seq, ungqr_tree, c->A, T, c->C) : TT_RUN(seq, unglq_tree, c->A, T, c->C);
    tw_matrix_destroy(T);
    return e;
}
static double geqrf_tree_residual(const struct tt_case *c)
{
    const int qr = c->uplo == 'L';
    tt_z *r = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->f, c->lda),
         *q = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->y, c->cm),
         *a = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->n, c->a, c->lda);
    double product, residual;

    for (tw_int j = 0; j < c->n; j++)
        for (tw_int i = 0; i < c->n; i++)
            if (qr ? i > j : i < j) r[i + j * c->n] = 0;
    product = tt_equation_residual(c->type, c->n, c->n, c->n, qr ? q : r, qr ? r : q, a);
    residual = tt_orthogonality(c->type, c->n, c->n, q);
    free(q), free(r), free(a);
    return product <= residual ? residual : product;
}

/* jpvt is where pivots are. */
static int geqp3(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, geqp3, c->A, c->ipiv, c->V);
}
static tw_int geqp3_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, geqp3, c->n, c->n, c->f, c->lda, c->ipiv, c->tau);
}
/* What its task at the end of a block does about what is left is said in tests/dense/test_geqp3rk.c; here it has none
 * left. */
static int geqp3rk(const struct tt_case *c, tw_sequence *seq)
{
    static tw_int k;
    static double norm, quotient;
    return TT_RUN(seq, geqp3rk, c->A, c->n, -1, -1, &k, &norm, &quotient, c->ipiv, c->V);
}
static int geqp3rk_random(const struct tt_case *c, tw_sequence *seq)
{
    static tw_int k;
    static double norm, quotient;
    return TT_RUN(seq, geqp3rk_random, c->A, c->n, -1, -1, &k, &norm, &quotient, c->ipiv, c->V);
}
static tw_int geqp3rk_lapack(const struct tt_case *c)
{
    static tw_int k;
    static float left[2];
    static double norm[2];
    switch (c->type) {
    case TW_FLOAT: return tw_sgeqp3rk(c->n, c->n, 0, c->n, -1, -1, c->f, c->lda, &k, left, left + 1, c->ipiv, c->tau);
    case TW_DOUBLE: return tw_dgeqp3rk(c->n, c->n, 0, c->n, -1, -1, c->f, c->lda, &k, norm, norm + 1, c->ipiv, c->tau);
    case TW_COMPLEX_FLOAT:
        return tw_cgeqp3rk(c->n, c->n, 0, c->n, -1, -1, c->f, c->lda, &k, left, left + 1, c->ipiv, c->tau);
    default: return tw_zgeqp3rk(c->n, c->n, 0, c->n, -1, -1, c->f, c->lda, &k, norm, norm + 1, c->ipiv, c->tau);
    }
}
static int geqp3_random(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, geqp3_random, c->A, c->ipiv, c->V);
}
static tw_int geqp3_random_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, geqp3_random, c->n, c->n, c->f, c->lda, c->ipiv, c->tau);
}
static double geqp3_residual(const struct tt_case *c)
{
    return tt_geqp3_residual(c->type, c->n, c->n, c->a, c->lda, c->f, c->lda, c->ipiv, c->tau);
}

static int gelsy(const struct tt_case *c, tw_sequence *seq)
{
    static int rank;
    return TT_RUN(seq, gelsy, c->A, c->ipiv, tt_eps(c->type), &rank, c->B);
}

const struct tt_row tt_rows_qr[] = {
    {.name = "geqrf", .uplos = "LU", .a = TT_A_GENERAL, .vector = TT_TAU, .matrix = geqrf, .residual = geqrf_residual},
    {.name = "unmqr",
     .uplos = "LU",
     .a = TT_A_QR,
     .b = 1,
     .vector = TT_TAU,
     .matrix = unmqr,
     .residual = unmqr_residual},
    {.name = "ungqr", .uplos = "LU", .a = TT_A_QR, .vector = TT_TAU, .matrix = ungqr, .residual = ungqr_residual},
    {.name = "cholqr", .uplos = "G", .a = TT_A_GENERAL, .c = "nn", .matrix = cholqr, .residual = cholqr_residual},
    {.name = "geqrf_tree",
     .uplos = "LU",
     .a = TT_A_GENERAL,
     .c = "nn",
     .matrix = geqrf_tree,
     .residual = geqrf_tree_residual},
    {.name = "geqp3",
     .uplos = "G",
     .a = TT_A_GENERAL,
     .vector = TT_TAU,
     .matrix = geqp3,
     .lapack = geqp3_lapack,
     .residual = geqp3_residual},
    {.name = "geqp3rk",
     .uplos = "G",
     .a = TT_A_GENERAL,
     .vector = TT_TAU,
     .matrix = geqp3rk,
     .lapack = geqp3rk_lapack,
     .residual = geqp3_residual},
    /* The first task is a part of the sketch, on which only the order of the columns depends; the checker is geqp3's,
     * which notices a fault. */
    {.name = "geqp3_random",
     .repairs = 1,
     .uplos = "G",
     .a = TT_A_GENERAL,
     .vector = TT_TAU,
     .matrix = geqp3_random,
     .lapack = geqp3_random_lapack,
     .residual = geqp3_residual},
    {.name = "geqp3rk_random",
     .repairs = 1,
     .uplos = "G",
     .a = TT_A_GENERAL,
     .vector = TT_TAU,
     .matrix = geqp3rk_random,
     .residual = geqp3_residual},
    {.name = "gels", .uplos = "LU", .a = TT_A_GENERAL, .narrow = 1, .b = 1, .matrix = gels, .residual = gels_residual},
    {.name = "gelsy",
     .uplos = "LU",
     .a = TT_A_GENERAL,
     .narrow = 1,
     .b = 1,
     .matrix = gelsy,
     .residual = gels_residual},
    {.name = NULL},
};
