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

static int getri(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, getri, c->A, c->V);
}
static tw_int getri_lapack(const struct tt_case *c)
{
    return TT_LAPACK(c, getri, c->n, c->f, c->lda, c->ipiv);
}
static double getri_residual(const struct tt_case *c)
{
    return tt_general_inverse_residual(c->type, c->n, c->a, c->lda, c->f, c->lda);
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

static int gesv_nopiv(const struct tt_case *c, tw_sequence *seq)
{
    static int iter;
    return TT_RUN(seq, gesv_nopiv, c->A, c->V, c->B, &iter, NULL, NULL);
}
static tw_int gesv_nopiv_lapack(const struct tt_case *c)
{
    tw_int iter;
    return TT_LAPACK(c, gesv_nopiv, c->n, c->nrhs, c->f, c->lda, c->ipiv, c->x, c->lda, &iter, NULL, NULL);
}

/* X, which is the third operand. */
static double solved_apart(const struct tt_case *c)
{
    return tt_general_solve_residual(c->type, 'N', c->n, c->nrhs, c->a, c->lda, c->b, c->lda, c->y, c->cm);
}
static int gesv_mixed(const struct tt_case *c, tw_sequence *seq)
{
    static int iter;
    return TT_RUN(seq, gesv_mixed, c->A, c->V, c->B, c->C, &iter, NULL);
}
static int gesv_half(const struct tt_case *c, tw_sequence *seq)
{
    static int iter;
    return TT_RUN(seq, gesv_half, c->A, c->V, c->B, c->C, &iter, NULL);
}
static tw_int gesv_mixed_lapack(const struct tt_case *c)
{
    tw_int iter;
    return (c->type == TW_DOUBLE ? tw_dsgesv(c->n, c->nrhs, c->f, c->lda, c->ipiv, c->x, c->lda, c->y, c->cm, &iter)
                                 : tw_zcgesv(c->n, c->nrhs, c->f, c->lda, c->ipiv, c->x, c->lda, c->y, c->cm, &iter));
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
    {.name = "getri",
     .uplos = "G",
     .a = TT_A_LU,
     .vector = TT_PIVOTS,
     .matrix = getri,
     .lapack = getri_lapack,
     .residual = getri_residual},
    {.name = "getrf_nopiv",
     .uplos = "G",
     .a = TT_A_DOMINANT,
     .matrix = getrf_nopiv,
     .lapack = getrf_nopiv_lapack,
     .residual = getrf_nopiv_residual},
    {.name = "gesv_nopiv",
     .uplos = "G",
     .repairs = 1,
     .a = TT_A_GENERAL,
     .b = 1,
     .vector = TT_PIVOTS,
     .matrix = gesv_nopiv,
     .lapack = gesv_nopiv_lapack,
     .residual = solved},
    {.name = "gesv_mixed",
     .uplos = "G",
     .types = "dz",
     .repairs = 1,
     .a = TT_A_GENERAL,
     .b = 1,
     .c = "nr",
     .vector = TT_PIVOTS,
     .matrix = gesv_mixed,
     .lapack = gesv_mixed_lapack,
     .residual = solved_apart},
    {.name = "gesv_half",
     .uplos = "G",
     .types = "dz",
     .repairs = 1,
     .a = TT_A_GENERAL,
     .b = 1,
     .c = "nr",
     .vector = TT_PIVOTS,
     .matrix = gesv_half,
     .residual = solved_apart},
    {.name = NULL},
};
