/* Systems whose factors are cheap, and refined: in single precision for double, or without row exchanges. */
#ifndef TW_ALGORITHMS_DENSE_MIXED_H
#define TW_ALGORITHMS_DENSE_MIXED_H
#include "algorithms/dense/refine.h"
#include "types/dense/gmres.h"

struct tw_mixed_problem {
    enum tw_factors of;         /* LU or Cholesky */
    enum tw_uplo uplo;          /* of the latter */
    struct tw_matrix *A, *ipiv; /* of double precision, as B and X */
    struct tw_matrix *B, *X;
    int *iter;
    double *berr;   /* NULL: not asked for */
    int half;       /* products of half precision's numbers, and GMRES */
    int nopiv;      /* LU without row exchanges, of any type; ipiv then says so */
    double *growth; /* and the growth of U's elements, or NULL */
};
/* A X = B as LAPACK's dsgesv and dsposv solve it (Langou, Langou, Luszczek, Kurzak, Buttari, Dongarra, "Exploiting the
 * performance of 32 bit floating point arithmetic in obtaining 64 bit accuracy", SC 2006). *iter >= 0: that many
 * corrections, and A is unchanged; < 0: A has its factors of double precision, because a number was beyond single
 * precision's (-2), the factorization in it failed (-3), or 30 corrections did not do, or met a NaN or an infinity
 * (-31). ipiv is of the factors that were used. Nothing waits. half: *iter counts GMRES' steps, 50 at most, fewer
 * where they come to nothing; -2 does not happen, for A is scaled. nopiv: A gets its factors in any case, without
 * exchanges with *iter >= 0, else with them: U's elements grew by more than 1 / sqrt(eps) (-2), a pivot was 0 (-3), or
 * corrections did not do (-31). X and the info are getrf's then, *berr and *growth of what is there in the end. */
void tw_mixed_loop(struct tw_sequence *seq, const struct tw_mixed_problem *p);

/* GMRES' vectors lie one behind the other in a tile, whose rows are counted in 32 bits. */
#define TW_HALF_ROWS (INT32_MAX / (TW_GMRES_MOST + 1))

/* What both routines check; arguments A, B, X, iter have these numbers. */
int tw_mixed_check(const char *who, const struct tw_mixed_problem *p, int b);
#endif
