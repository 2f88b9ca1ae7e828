/* tilework gemm, symm, hemm, syrk, herk, syr2k, her2k, trmm, trsm: which flags each of them has, and what it calls. */
#include "cli/dense/blas3.h"

static tw_scalar scalar(double x)
{
    return (tw_scalar){x, 0};
}
#define ALPHA scalar(r->o->alpha)
#define BETA  scalar(r->o->beta)

static int tiles_gemm(const struct cli_blas3_run *r)
{
    return tw_gemm(r->o->ta, r->o->tb, ALPHA, r->A.M, r->B.M, BETA, r->C.M);
}
static int tiles_symm(const struct cli_blas3_run *r)
{
    return tw_symm(r->o->side, r->o->uplo, ALPHA, r->A.M, r->B.M, BETA, r->C.M);
}
static int tiles_hemm(const struct cli_blas3_run *r)
{
    return tw_hemm(r->o->side, r->o->uplo, ALPHA, r->A.M, r->B.M, BETA, r->C.M);
}
static int tiles_syrk(const struct cli_blas3_run *r)
{
    return tw_syrk(r->o->uplo, r->o->ta, ALPHA, r->A.M, BETA, r->C.M);
}
static int tiles_herk(const struct cli_blas3_run *r)
{
    return tw_herk(r->o->uplo, r->o->ta, r->o->alpha, r->A.M, r->o->beta, r->C.M);
}
static int tiles_syr2k(const struct cli_blas3_run *r)
{
    return tw_syr2k(r->o->uplo, r->o->ta, ALPHA, r->A.M, r->B.M, BETA, r->C.M);
}
static int tiles_her2k(const struct cli_blas3_run *r)
{
    return tw_her2k(r->o->uplo, r->o->ta, ALPHA, r->A.M, r->B.M, r->o->beta, r->C.M);
}
static int tiles_trmm(const struct cli_blas3_run *r)
{
    return tw_trmm(r->o->side, r->o->uplo, r->o->ta, r->o->diag, ALPHA, r->A.M, r->C.M);
}
static int tiles_trsm(const struct cli_blas3_run *r)
{
    return tw_trsm(r->o->side, r->o->uplo, r->o->ta, r->o->diag, ALPHA, r->A.M, r->C.M);
}

/* BLAS' names by type; the hermitian ones exist for complex types. */
static tw_int ld(const struct cli_blas3_operand *x)
{
    return x->m > 1 ? x->m : 1;
}
#define X(operand) r->operand.a, ld(&r->operand)
#define BLAS(p, real, complex, S, args)                                                                                \
    {                                                                                                                  \
        const struct cli_blas3_options *o = r->o;                                                                      \
        const S alpha = (S)o->alpha, beta = (S)o->beta;                                                                \
        (void)beta;                                                                                                    \
        return tw_##p args;                                                                                            \
    }
#define DOOR(name, real, complex, args)                                                                                \
    static tw_int lapack_##name(const struct cli_blas3_run *r)                                                         \
    {                                                                                                                  \
        switch (r->o->type) {                                                                                          \
        case TW_FLOAT: BLAS(s##real, real, complex, float, args)                                                       \
        case TW_DOUBLE: BLAS(d##real, real, complex, double, args)                                                     \
        case TW_COMPLEX_FLOAT: BLAS(c##complex, real, complex, float, args)                                            \
        default: BLAS(z##complex, real, complex, double, args)                                                         \
        }                                                                                                              \
    }
DOOR(gemm, gemm, gemm, ((char)o->ta, (char)o->tb, o->m, o->n, o->k, alpha, X(A), X(B), beta, X(C)))
DOOR(symm, symm, symm, ((char)o->side, (char)o->uplo, o->m, o->n, alpha, X(A), X(B), beta, X(C)))
DOOR(hemm, symm, hemm, ((char)o->side, (char)o->uplo, o->m, o->n, alpha, X(A), X(B), beta, X(C)))
DOOR(syrk, syrk, syrk, ((char)o->uplo, (char)o->ta, o->n, o->k, alpha, X(A), beta, X(C)))
DOOR(herk, syrk, herk, ((char)o->uplo, (char)o->ta, o->n, o->k, alpha, X(A), beta, X(C)))
DOOR(syr2k, syr2k, syr2k, ((char)o->uplo, (char)o->ta, o->n, o->k, alpha, X(A), X(B), beta, X(C)))
DOOR(her2k, syr2k, her2k, ((char)o->uplo, (char)o->ta, o->n, o->k, alpha, X(A), X(B), beta, X(C)))
DOOR(trmm, trmm, trmm, ((char)o->side, (char)o->uplo, (char)o->ta, (char)o->diag, o->m, o->n, alpha, X(A), X(C)))
DOOR(trsm, trsm, trsm, ((char)o->side, (char)o->uplo, (char)o->ta, (char)o->diag, o->m, o->n, alpha, X(A), X(C)))

const struct cli_blas3 cli_blas3_rows[] = {
    {"gemm", "C = alpha op(A) op(B) + beta C, C m x n, k products for each element.", CLI_GEMM, 0, "abmkc", tiles_gemm,
     lapack_gemm},
    {"symm", "C = alpha A B + beta C or alpha B A + beta C (--side R), A symmetric, C m x n.", CLI_SYMM, 0, "sumc",
     tiles_symm, lapack_symm},
    {"hemm", "C = alpha A B + beta C or alpha B A + beta C (--side R), A hermitian, C m x n.", CLI_SYMM, 1, "sumc",
     tiles_hemm, lapack_hemm},
    {"syrk", "C = alpha A A^T + beta C or alpha A^T A + beta C (--transa T), one triangle of an n x n matrix.",
     CLI_RANK_K, 0, "uakc", tiles_syrk, lapack_syrk},
    {"herk", "C = alpha A A^H + beta C or alpha A^H A + beta C (--transa C), one triangle of an n x n matrix.",
     CLI_RANK_K, 1, "uakc", tiles_herk, lapack_herk},
    {"syr2k",
     "C = alpha (A B^T + B A^T) + beta C or alpha (A^T B + B^T A) + beta C (--transa T), one triangle of an n x n "
     "matrix.",
     CLI_RANK_2K, 0, "uakc", tiles_syr2k, lapack_syr2k},
    {"her2k",
     "C = alpha (A B^H + B A^H) + beta C or alpha (A^H B + B^H A) + beta C (--transa C), one triangle of an n x n "
     "matrix.",
     CLI_RANK_2K, 1, "uakc", tiles_her2k, lapack_her2k},
    {"trmm", "B = alpha op(A) B or alpha B op(A) (--side R), A triangular, B m x n.", CLI_TRMM, 0, "suadm", tiles_trmm,
     lapack_trmm},
    {"trsm", "Solves op(A) X = alpha B or X op(A) = alpha B (--side R), A triangular, B m x n.", CLI_TRSM, 0, "suadm",
     tiles_trsm, lapack_trsm},
    {NULL, NULL, CLI_GEMM, 0, NULL, NULL, NULL}};

#define SUMMARY(name, text)                                                                                            \
    {                                                                                                                  \
#name, text " (tilework " #name " -h)", cli_blas3_run, 2, 0                                                    \
    }
CLI_COMMAND(1, gemm) = SUMMARY(gemm, "a product of two matrices");
CLI_COMMAND(2, symm) = SUMMARY(symm, "a product with a symmetric matrix");
CLI_COMMAND(3, hemm) = SUMMARY(hemm, "a product with a hermitian matrix");
CLI_COMMAND(4, syrk) = SUMMARY(syrk, "a symmetric update of rank k");
CLI_COMMAND(5, herk) = SUMMARY(herk, "a hermitian update of rank k");
CLI_COMMAND(6, syr2k) = SUMMARY(syr2k, "a symmetric update of rank 2k");
CLI_COMMAND(7, her2k) = SUMMARY(her2k, "a hermitian update of rank 2k");
CLI_COMMAND(8, trmm) = SUMMARY(trmm, "a product with a triangular matrix");
CLI_COMMAND(9, trsm) = SUMMARY(trsm, "systems of equations with a triangular matrix");
