/* Divide and conquer for the eigenvectors of a tridiagonal matrix: how it is cut, and what the deflation of a merge
 * finds.
 *
 * T is cut in two again and again; at a cut of element e, |e| is taken from the diagonal on both sides, and what is
 * missing is a matrix of rank one. A merge puts together T1 = Q1 D1 Q1^T and T2 = Q2 D2 Q2^T: with z from the last row
 * of Q1 and the first of Q2, diag(D1, D2) + rho z z^T has the eigenvalues that are wanted. Where z(i) is small, or two
 * d's are close (a rotation makes one z(i) zero then), an eigenvalue is that of a half already: deflation. The other k
 * are the roots of a secular equation. J. J. M. Cuppen, Numer. Math. 36 (1981); M. Gu and S. C. Eisenstat, SIAM J.
 * Matrix Anal. Appl. 16 (1995); LAPACK's laed1, laed2, laed3, laed4 have the names of the steps. */
#ifndef TW_TYPES_EIGEN_MERGE_H
#define TW_TYPES_EIGEN_MERGE_H
#include <stddef.h>
#include <stdint.h>

/* The order of the first half of a matrix of order n > 1; those of order at most `leaf` are not cut. */
static inline int tw_merge_half(int n)
{
    return n / 2;
}

/* What deflation found, for a merge of n1 + n2 = m columns. The k that stay are grouped: k1 that have rows of Q1 alone,
 * k2 of both, k3 of Q2 alone. */
struct tw_merge_head {
    int64_t k, k1, k2, k3, rotations;
};
/* In which order they are: a vector of 5 m int32. Columns are numbered as Q1's and then Q2's. */
static inline size_t tw_merge_plan_size(int m)
{
    return 5 * (size_t)m;
}
struct tw_merge_plan {
    int32_t *source; /* m: the column at each place: the k that stay, grouped, then the deflated ones */
    int32_t *dest;   /* m: the place of each column */
    int32_t *place;  /* k: the place of each of those that stay, in ascending order of d */
    int32_t *pair;   /* 2 each: the columns of the rotations, in their order */
};
/* And their numbers: a vector of 5 m + 2 reals. */
static inline size_t tw_merge_numbers_size(int m)
{
    return 5 * (size_t)m + 2;
}
/* Where they begin: d of those that stay, ascending; z, of length 1; d of the deflated ones; cosine and sine of the
 * rotations; rho; and behind it, for singular values, what d and the roots are to be multiplied with. */
enum { TW_MERGE_D = 0, TW_MERGE_Z = 1, TW_MERGE_DEFLATED = 2, TW_MERGE_ROTATIONS = 3, TW_MERGE_RHO = 5 };

static inline struct tw_merge_plan tw_merge_plan(int32_t *v, int m)
{
    return (struct tw_merge_plan){v, v + m, v + 2 * (size_t)m, v + 3 * (size_t)m};
}
#define TW_MERGE_SCALE(numbers, m)    (TW_MERGE_AT(numbers, m, TW_MERGE_RHO) + 1)
#define TW_MERGE_AT(numbers, m, what) ((numbers) + (size_t)(what) * (size_t)(m))

/* A matrix' columns, in pieces: blocks of `width` columns, the last of the `count` ones with what is left of the first
 * `columns`; and behind them one more piece with the rest. */
enum { TW_MERGE_PIECES = 40 };
struct tw_merge_columns {
    const void *piece[TW_MERGE_PIECES];
    int ld[TW_MERGE_PIECES];
    int count, width, columns; /* count: without the piece with the rest */
    int rows;
};
#endif
