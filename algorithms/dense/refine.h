/* Iterative refinement and error bounds, for systems of every structure. */
#ifndef TW_ALGORITHMS_DENSE_REFINE_H
#define TW_ALGORITHMS_DENSE_REFINE_H
#include "algorithms/dense/estimate.h"

struct tw_refinement {
    enum tw_structure structure; /* of A: general, hermitian, triangular */
    enum tw_uplo uplo;           /* of the two latter */
    enum tw_diag diag;
    enum tw_trans trans;
    struct tw_matrix *A;
    struct tw_inverse inverse;
    struct tw_matrix *B,
        *X;              /* n x nrhs each, cut where A is and at the same columns, TW_LACN2_MOST or fewer to a tile */
    int most;            /* corrections of each solution: 5 as LAPACK; 0: X stays, the bounds alone */
    double *ferr, *berr; /* nrhs each */
    int *steps;          /* the most corrections that a solution took, or NULL */
};
/* As LAPACK refines: with a Cholesky factor AF, and with LU factors. */
static inline struct tw_refinement tw_cholesky_refinement(enum tw_uplo uplo, struct tw_matrix *A, struct tw_matrix *AF,
                                                          struct tw_matrix *B, struct tw_matrix *X, double *ferr,
                                                          double *berr, int *steps)
{
    return (struct tw_refinement){.structure = TW_STRUCT_HERMITIAN,
                                  .uplo = uplo,
                                  .trans = TW_NOTRANS,
                                  .inverse = {.of = TW_CHOLESKY_FACTOR, .A = AF, .uplo = uplo},
                                  .most = 5,
                                  .A = A,
                                  .B = B,
                                  .X = X,
                                  .ferr = ferr,
                                  .berr = berr,
                                  .steps = steps};
}
static inline struct tw_refinement tw_lu_refinement(enum tw_trans trans, struct tw_matrix *A, struct tw_matrix *AF,
                                                    struct tw_matrix *ipiv, struct tw_matrix *B, struct tw_matrix *X,
                                                    double *ferr, double *berr, int *steps)
{
    struct tw_refinement r = tw_cholesky_refinement(TW_GENERAL, A, AF, B, X, ferr, berr, steps);

    r.structure = TW_STRUCT_GENERAL, r.uplo = (enum tw_uplo)0, r.trans = trans;
    r.inverse = (struct tw_inverse){.of = TW_LU_FACTORS, .A = AF, .ipiv = ipiv};
    return r;
}
/* Block column j: R = B - op(A) X and, if W is not NULL, W = |op(A)| |X| + |B|, lists of tiles as X's column has. Of r,
 * what describes the system counts. */
void tw_residual_loop(struct tw_sequence *seq, const struct tw_refinement *r, int j, struct tw_data *const *R,
                      struct tw_data *const *W);
/* X := X + inv(op(A)) (B - op(A) X) until the componentwise backward error is down to eps, does not halve any more, or
 * `most` is reached (LAPACK's gerfs; Skeel, "Iterative refinement implies numerical stability for Gaussian
 * elimination", Math. Comp. 35, 1980). berr is that error; ferr bounds, as an estimate, the largest |x_i - true x_i| /
 * the largest |x_i|. Block columns do not wait for each other, nor does anything else. */
void tw_refine_loop(struct tw_sequence *seq, const struct tw_refinement *r);

/* The same with B and X in whatever tiles; ipiv and all. */
void tw_refine_any_loop(struct tw_sequence *seq, const struct tw_refinement *r);

/* For the rows of gerfs, porfs and trrfs. The last arguments, B being argument `first`, and then X, ferr and berr,
 * which are set to 0; A is sound. */
int tw_refine_check(const char *who, int first, const struct tw_refinement *r);
/* Argument `at`: A's factors, where they lie beside it; their own check comes before. */
const char *tw_bad_factors_of(const struct tw_matrix *A, const struct tw_matrix *AF);
/* Residuals, weights and the estimates' vectors; and copies of B and X where their tiles are wider than an
 * estimate's. */
double tw_refine_bytes(const struct tw_sizes *s, tw_int nb);
double tw_refine_flops(const struct tw_refinement *r);
#endif
