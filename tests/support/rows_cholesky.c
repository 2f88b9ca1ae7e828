/* Rows of the Cholesky family. */
#include "rows.h"

#define UPLO ((enum tw_uplo)c->uplo)

static int potrf(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, potrf, UPLO, c->A);
}
static tw_int potrf_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, potrf, c->uplo, c->n, c->f, c->lda);
}
static double potrf_residual(const struct tt_case *c)
{
    return tt_potrf_residual(c->type, c->uplo, c->n, c->a, c->lda, c->f, c->lda);
}

static double potrf_against_lapack(const struct tt_case *c)
{
    void *r = tt_copy(c->type, c->lda, c->n, c->a);
    double residual;

    assert_int_equal(tt_lapack_potrf(c->type, c->uplo, c->n, r, c->lda), 0);
    residual = tt_difference(c->type, c->uplo, 'N', c->n, c->n, c->f, c->lda, r, c->lda);
    free(r);
    return residual;
}

static double solved(const struct tt_case *c)
{
    return tt_solve_residual(c->type, c->uplo, c->n, c->nrhs, c->a, c->lda, c->b, c->lda, c->x, c->lda);
}

static int potrs(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, potrs, UPLO, c->A, c->B);
}
static tw_int potrs_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, potrs, c->uplo, c->n, c->nrhs, c->f, c->lda, c->x, c->lda);
}

static int posv(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, posv, UPLO, c->A, c->B);
}
static tw_int posv_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, posv, c->uplo, c->n, c->nrhs, c->f, c->lda, c->x, c->lda);
}

static int potri(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, potri, UPLO, c->A);
}
static tw_int potri_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, potri, c->uplo, c->n, c->f, c->lda);
}
static double potri_residual(const struct tt_case *c)
{
    return tt_inverse_residual(c->type, c->uplo, c->n, c->a, c->lda, c->f, c->lda);
}

static int trtri(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, trtri, UPLO, TW_NONUNIT, c->A);
}
static tw_int trtri_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, trtri, c->uplo, 'N', c->n, c->f, c->lda);
}
static double trtri_residual(const struct tt_case *c)
{
    return tt_trtri_residual(c->type, c->uplo, 'N', c->n, c->a, c->lda, c->f, c->lda);
}

static int trtrs(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, trtrs, UPLO, TW_CONJTRANS, TW_NONUNIT, c->A, c->B);
}
static tw_int trtrs_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, trtrs, c->uplo, 'C', 'N', c->n, c->nrhs, c->f, c->lda, c->x, c->lda);
}
static double trtrs_residual(const struct tt_case *c)
{
    return tt_triangle_solve_residual(c->type, c->uplo, 'C', 'N', c->n, c->nrhs, c->a, c->lda, c->b, c->lda, c->x,
                                      c->lda);
}

static int lauum(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, lauum, UPLO, c->A);
}
static tw_int lauum_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, lauum, c->uplo, c->n, c->f, c->lda);
}
static double lauum_residual(const struct tt_case *c)
{
    return tt_lauum_residual(c->type, c->uplo, c->n, c->a, c->lda, c->f, c->lda);
}

/* X is the third operand. */
static double solved_apart(const struct tt_case *c)
{
    return tt_solve_residual(c->type, c->uplo, c->n, c->nrhs, c->a, c->lda, c->b, c->lda, c->y, c->cm);
}
static int posv_mixed(const struct tt_case *c, tw_sequence *seq)
{
    static int iter;
    return TT_RUN(seq, posv_mixed, UPLO, c->A, c->B, c->C, &iter, NULL);
}
static tw_int posv_mixed_lapack(const struct tt_case *c)
{
    tw_int iter;
    return (c->type == TW_DOUBLE ? tw_dsposv(c->uplo, c->n, c->nrhs, c->f, c->lda, c->x, c->lda, c->y, c->cm, &iter)
                                 : tw_zcposv(c->uplo, c->n, c->nrhs, c->f, c->lda, c->x, c->lda, c->y, c->cm, &iter));
}

const struct tt_row tt_rows_cholesky[] = {
    {.name = "potrf",
     .uplos = "LU",
     .a = TT_A_SPD,
     .matrix = potrf,
     .lapack = potrf_lapack,
     .residual = potrf_residual},
    {.name = "potrf vs LAPACK", .uplos = "LU", .a = TT_A_SPD, .matrix = potrf, .residual = potrf_against_lapack},
    {.name = "potrs",
     .uplos = "LU",
     .a = TT_A_SPD_FACTORED,
     .b = 1,
     .matrix = potrs,
     .lapack = potrs_lapack,
     .residual = solved},
    {.name = "posv", .uplos = "LU", .a = TT_A_SPD, .b = 1, .matrix = posv, .lapack = posv_lapack, .residual = solved},
    {.name = "potri",
     .uplos = "LU",
     .a = TT_A_SPD_FACTORED,
     .matrix = potri,
     .lapack = potri_lapack,
     .residual = potri_residual},
    {.name = "trtri",
     .uplos = "LU",
     .a = TT_A_TRIANGLE,
     .matrix = trtri,
     .lapack = trtri_lapack,
     .residual = trtri_residual},
    {.name = "trtrs",
     .uplos = "LU",
     .a = TT_A_TRIANGLE,
     .b = 1,
     .matrix = trtrs,
     .lapack = trtrs_lapack,
     .residual = trtrs_residual},
    {.name = "lauum",
     .uplos = "LU",
     .a = TT_A_TRIANGLE,
     .matrix = lauum,
     .lapack = lauum_lapack,
     .residual = lauum_residual},
    {.name = "posv_mixed",
     .uplos = "LU",
     .types = "dz",
     .repairs = 1,
     .a = TT_A_SPD,
     .b = 1,
     .c = "nr",
     .matrix = posv_mixed,
     .lapack = posv_mixed_lapack,
     .residual = solved_apart},
    {.name = NULL},
};
