/* Rows of BLAS on tiles. */
#include <complex.h>

#include "rows.h"

#define UPLO ((enum tw_uplo)c->uplo)
static const tw_scalar one = {1, 0}, zero = {0, 0};

static tt_z *full_b(const struct tt_case *c)
{
    return tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->nrhs, c->b, c->lda);
}
static tt_z *full_a(const struct tt_case *c, enum tt_structure s)
{
    return tt_full(s, c->type, c->uplo, 'N', c->n, c->n, c->a, c->lda);
}

static int trsm(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, trsm, TW_LEFT, UPLO, TW_NOTRANS, TW_NONUNIT, one, c->A, c->B);
}
static double trsm_residual(const struct tt_case *c)
{
    tt_z *t = full_a(c, TT_TRIANGULAR), *x = tt_full(TT_GENERAL, c->type, 'G', 'N', c->n, c->nrhs, c->x, c->lda);
    tt_z *b = full_b(c);
    const double residual = tt_equation_residual(c->type, c->n, c->nrhs, c->n, t, x, b);
    free(t), free(x), free(b);
    return residual;
}

static int trmm(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, trmm, TW_LEFT, UPLO, TW_NOTRANS, TW_NONUNIT, one, c->A, c->B);
}
static double trmm_residual(const struct tt_case *c)
{
    tt_z *t = full_a(c, TT_TRIANGULAR), *b = full_b(c);
    const double residual = tt_product_residual(c->type, 'G', c->n, c->nrhs, c->n, 1, t, b, 0, b, c->x, c->lda);
    free(t), free(b);
    return residual;
}

/* A + B B^H, of real types by syrk. */
static int rank_k(const struct tt_case *c, tw_sequence *seq)
{
    return tt_complex(c->type) ? TT_RUN(seq, herk, UPLO, TW_NOTRANS, 1, c->B, 1, c->A)
                               : TT_RUN(seq, syrk, UPLO, TW_NOTRANS, one, c->B, one, c->A);
}
static double rank_k_residual(const struct tt_case *c)
{
    tt_z *b = full_b(c), *h = tt_op('C', c->n, c->nrhs, full_b(c)), *a = full_a(c, TT_HERMITIAN);
    const double residual = tt_product_residual(c->type, c->uplo, c->n, c->n, c->nrhs, 1, b, h, 1, a, c->f, c->lda);
    free(b), free(h), free(a);
    return residual;
}

/* A + 2 B B^H ('L') or A + 2 B B^T ('U'). */
static int rank_2k(const struct tt_case *c, tw_sequence *seq)
{
    return c->uplo == 'L' ? TT_RUN(seq, her2k, UPLO, TW_NOTRANS, one, c->B, c->B, 1, c->A)
                          : TT_RUN(seq, syr2k, UPLO, TW_NOTRANS, one, c->B, c->B, one, c->A);
}
static double rank_2k_residual(const struct tt_case *c)
{
    const int her = c->uplo == 'L';
    tt_z *b = full_b(c), *h = tt_op(her ? 'C' : 'T', c->n, c->nrhs, full_b(c));
    tt_z *a = full_a(c, her ? TT_HERMITIAN : TT_SYMMETRIC);
    const double residual = tt_product_residual(c->type, c->uplo, c->n, c->n, c->nrhs, 2, b, h, 1, a, c->f, c->lda);
    free(b), free(h), free(a);
    return residual;
}

/* A B, A hermitian ('L') or symmetric ('U'). Not beside a large diagonal, where a fault would be small. */
static int hemm(const struct tt_case *c, tw_sequence *seq)
{
    return c->uplo == 'L' ? TT_RUN(seq, hemm, TW_LEFT, UPLO, one, c->A, c->B, zero, c->C)
                          : TT_RUN(seq, symm, TW_LEFT, UPLO, one, c->A, c->B, zero, c->C);
}
static double hemm_residual(const struct tt_case *c)
{
    tt_z *a = full_a(c, c->uplo == 'L' ? TT_HERMITIAN : TT_SYMMETRIC), *b = full_b(c);
    const double residual = tt_product_residual(c->type, 'G', c->n, c->nrhs, c->n, 1, a, b, 0, b, c->y, c->cm);
    free(a), free(b);
    return residual;
}

static int gemm(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, gemm, TW_NOTRANS, TW_CONJTRANS, one, c->B, c->B, zero, c->C);
}
static double gemm_residual(const struct tt_case *c)
{
    tt_z *b = full_b(c), *h = tt_op('C', c->n, c->nrhs, full_b(c));
    const double residual = tt_product_residual(c->type, 'G', c->n, c->n, c->nrhs, 1, b, h, 0, h, c->y, c->cm);
    free(b), free(h);
    return residual;
}

static int geadd(const struct tt_case *c, tw_sequence *seq)
{
    return TT_RUN(seq, geadd, TW_CONJTRANS, (tw_scalar){0.7, 0.2}, c->B, (tw_scalar){0.3, -0.1}, c->C);
}
static double geadd_residual(const struct tt_case *c)
{
    const int n = c->n, complex_type = tt_complex(c->type);
    tt_z *h = tt_op('C', n, c->nrhs, full_b(c)), *identity = calloc((size_t)n * (size_t)n, sizeof *identity);
    tt_z *before = tt_full(TT_GENERAL, c->type, 'G', 'N', c->cm, c->cn, c->c, c->cm);
    double residual;

    assert_non_null(identity);
    for (int i = 0; i < n; i++)
        identity[i * (n + 1)] = 1;
    residual = tt_product_residual(c->type, 'G', c->cm, c->cn, n, complex_type ? CMPLX(0.7, 0.2) : 0.7, h, identity,
                                   complex_type ? CMPLX(0.3, -0.1) : 0.3, before, c->y, c->cm) *
               n / 3; /* three operations, not n */
    free(h), free(identity), free(before);
    return residual;
}

const struct tt_row tt_rows_blas[] = {
    {.name = "trsm", .uplos = "LU", .a = TT_A_TRIANGLE, .b = 1, .matrix = trsm, .residual = trsm_residual},
    {.name = "trmm", .exact = 1, .uplos = "LU", .a = TT_A_TRIANGLE, .b = 1, .matrix = trmm, .residual = trmm_residual},
    {.name = "syrk/herk",
     .exact = 1,
     .uplos = "LU",
     .a = TT_A_SPD,
     .b = 1,
     .matrix = rank_k,
     .residual = rank_k_residual},
    {.name = "syr2k/her2k",
     .exact = 1,
     .uplos = "LU",
     .a = TT_A_SPD,
     .b = 1,
     .matrix = rank_2k,
     .residual = rank_2k_residual},
    {.name = "symm/hemm",
     .exact = 1,
     .uplos = "LU",
     .a = TT_A_HERMITIAN,
     .b = 1,
     .c = "nr",
     .matrix = hemm,
     .residual = hemm_residual},
    {.name = "gemm",
     .exact = 1,
     .uplos = "G",
     .a = TT_A_GENERAL,
     .b = 1,
     .c = "nn",
     .matrix = gemm,
     .residual = gemm_residual},
    {.name = "geadd",
     .exact = 1,
     .uplos = "G",
     .a = TT_A_GENERAL,
     .b = 1,
     .c = "rn",
     .matrix = geadd,
     .residual = geadd_residual},
    {.name = NULL},
};
