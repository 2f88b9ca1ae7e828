/* Rows of the LU family. */
#include "rows.h"

static int getrf(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, getrf, c->A, c->V);
}
static tw_int getrf_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, getrf, c->n, c->n, c->f, c->lda, c->ipiv);
}
static double getrf_residual(const struct tt_case *c)
{
    return tt_lu_residual(c->type, c->n, c->n, c->a, c->lda, c->f, c->lda, c->ipiv);
}

static double solved(const struct tt_case *c)
{
    return tt_general_solve_residual(c->type, 'N', c->n, c->nrhs, c->a, c->lda, c->b, c->lda, c->x, c->lda);
}

static int gesv(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, gesv, c->A, c->V, c->B);
}
static tw_int gesv_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, gesv, c->n, c->nrhs, c->f, c->lda, c->ipiv, c->x, c->lda);
}

static int getrs(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, getrs, TW_NOTRANS, c->A, c->V, c->B);
}
static tw_int getrs_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, getrs, 'N', c->n, c->nrhs, c->f, c->lda, c->ipiv, c->x, c->lda);
}

static int getrf_nopiv(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, getrf_nopiv, c->A);
}
static tw_int getrf_nopiv_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, getrf_nopiv, c->n, c->n, c->f, c->lda);
}
static double getrf_nopiv_residual(const struct tt_case *c)
{
    return tt_lu_residual(c->type, c->n, c->n, c->a, c->lda, c->f, c->lda, NULL);
}

const struct tt_row tt_rows_lu[] = {
    {.name = "getrf",
     .uplos = "G",
     .a = TT_A_GENERAL,
     .vector = TT_PIVOTS,
     .matrix = getrf,
     .lapack = getrf_lapack,
     .residual = getrf_residual},
    {.name = "gesv",
     .uplos = "G",
     .a = TT_A_GENERAL,
     .b = 1,
     .vector = TT_PIVOTS,
     .matrix = gesv,
     .lapack = gesv_lapack,
     .residual = solved},
    {.name = "getrs",
     .uplos = "G",
     .a = TT_A_LU,
     .b = 1,
     .vector = TT_PIVOTS,
     .matrix = getrs,
     .lapack = getrs_lapack,
     .residual = solved},
    {.name = "getrf_nopiv",
     .uplos = "G",
     .a = TT_A_DOMINANT,
     .matrix = getrf_nopiv,
     .lapack = getrf_nopiv_lapack,
     .residual = getrf_nopiv_residual},
    {.name = NULL},
};
