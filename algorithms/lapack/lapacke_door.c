/* The LAPACKE door: layouts, the NaN check and LAPACKE's argument numbers (one more than LAPACK's) around the LAPACK
 * door.
 *
 * Row-major arrays need no transposition. Read as column-major, a row-major array holds the transpose:
 *   - the triangle of a hermitian A that LAPACKE calls 'L' is the 'U' triangle of A^T. If A = L L^H then A^T =
 *     conj(L) L^T = (L^T)^H L^T = U^H U with U = L^T: the factor of A^T (unique, its diagonal is positive) read as
 *     row-major is L itself, without any conjugation. inv(A^T) = inv(A)^T, U U^H = (L^H L)^T and inv(L^T) = inv(L)^T
 *     likewise; A and A^T = conj(A) have the same condition number. Other triangle, same routine.
 *   - right-hand sides that are rows: A X = B means X^T A^T = B^T, and X^T is what the array of X holds. So X^T (U^H
 *     U) = B^T is solved from the right (tw_lapack_potrs_rows), again without conjugation or copies.
 *
 * Compiled twice: lapacke_door64.c is this file with 64-bit integers. */
#include <stdlib.h>
#include "algorithms/lapack/lapack_door.h"
#include "algorithms/lapack/lapacke_arguments.h"

#ifndef LAPACK_ILP64
static int nancheck = -1; /* -1: the environment decides */

void tw_LAPACKE_set_nancheck(int flag)
{
    __atomic_store_n(&nancheck, flag != 0, __ATOMIC_RELAXED);
}

int tw_LAPACKE_get_nancheck(void)
{
    const int known = __atomic_load_n(&nancheck, __ATOMIC_RELAXED);
    const char *text = known < 0 ? getenv("LAPACKE_NANCHECK") : NULL;
    return known >= 0 ? known : text ? atoi(text) != 0 : 1;
}
#endif

/* ---- arguments ------------------------------------------------------------------------------------------------- */

static int letter_ok(char c, char first, char second)
{
    const char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    return upper == first || upper == second;
}

/* The layout, and a row-major triangle as the column-major one it is. LAPACKE looks at a row-major lda before all
 * else. */
static tw_int enter(const char *routine, int layout, char *uplo, tw_int n, lapack_int *lda, int lda_argument)
{
    if (layout == LAPACK_COL_MAJOR) return 0;
    if (layout != LAPACK_ROW_MAJOR) return tw_illegal(routine, 1, "neither LAPACK_ROW_MAJOR nor LAPACK_COL_MAJOR");
    if (*lda < n) return tw_illegal(routine, lda_argument, "lda < n");
    if (*lda < 1) *lda = 1;
    if (letter_ok(*uplo, 'L', 'L'))
        *uplo = 'U';
    else if (letter_ok(*uplo, 'U', 'U'))
        *uplo = 'L';
    return 0;
}

/* What is left to check before rows are solved for. */
static tw_int enter_rows(const char *routine, char uplo, tw_int n, tw_int nrhs, tw_int ldb)
{
    if (ldb < nrhs) return tw_illegal(routine, 8, "ldb < nrhs");
    if (!letter_ok(uplo, 'U', 'L')) return tw_illegal(routine, 2, "neither 'U' nor 'L'");
    if (n < 0) return tw_illegal(routine, 3, "n < 0");
    if (nrhs < 0) return tw_illegal(routine, 4, "nrhs < 0");
    return 0;
}

/* ---- the functions --------------------------------------------------------------------------------------------- */

/* potrf, potri, lauum: uplo, n, a, lda. */
#define TRIANGLE(p, TYPE, T, x)                                                                                        \
    lapack_int tw_LAPACKE_##p##x##_work(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)              \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p #x "_work";                                                             \
        const tw_int e = enter(routine, matrix_layout, &uplo, n, &lda, 5);                                             \
        return e ? (lapack_int)e : leave(routine, tw_##p##x(uplo, n, (void *)a, lda));                                 \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##x(int matrix_layout, char uplo, lapack_int n, T *a, lapack_int lda)                     \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p #x;                                                                     \
        LAYOUT;                                                                                                        \
        NOT_NAN(4, nan_triangle(TYPE, matrix_layout, uplo, 'N', n, a, lda));                                           \
        return tw_LAPACKE_##p##x##_work(matrix_layout, uplo, n, a, lda);                                               \
    }

#define SOLVE(p, TYPE, T)                                                                                              \
    lapack_int tw_LAPACKE_##p##potrs_work(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, const T *a,     \
                                          lapack_int lda, T *b, lapack_int ldb)                                        \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "potrs_work";                                                           \
        tw_int e = enter(routine, matrix_layout, &uplo, n, &lda, 6);                                                   \
        if (e) return (lapack_int)e;                                                                                   \
        if (matrix_layout == LAPACK_COL_MAJOR)                                                                         \
            return leave(routine, tw_##p##potrs(uplo, n, nrhs, (const void *)a, lda, (void *)b, ldb));                 \
        if ((e = enter_rows(routine, uplo, n, nrhs, ldb)) || n == 0 || nrhs == 0) return (lapack_int)e;                \
        return leave(routine, tw_lapack_potrs_rows(TYPE, uplo, n, nrhs, a, lda, b, ldb));                              \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##potrs(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, const T *a,          \
                                     lapack_int lda, T *b, lapack_int ldb)                                             \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "potrs";                                                                \
        LAYOUT;                                                                                                        \
        NOT_NAN(5, nan_triangle(TYPE, matrix_layout, uplo, 'N', n, a, lda));                                           \
        NOT_NAN(7, nan_general(TYPE, matrix_layout, n, nrhs, b, ldb));                                                 \
        return tw_LAPACKE_##p##potrs_work(matrix_layout, uplo, n, nrhs, a, lda, b, ldb);                               \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##posv_work(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a,            \
                                         lapack_int lda, T *b, lapack_int ldb)                                         \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "posv_work";                                                            \
        tw_int e = enter(routine, matrix_layout, &uplo, n, &lda, 6);                                                   \
        if (e) return (lapack_int)e;                                                                                   \
        if (matrix_layout == LAPACK_COL_MAJOR)                                                                         \
            return leave(routine, tw_##p##posv(uplo, n, nrhs, (void *)a, lda, (void *)b, ldb));                        \
        if ((e = enter_rows(routine, uplo, n, nrhs, ldb))) return (lapack_int)e;                                       \
        e = tw_##p##potrf(uplo, n, (void *)a, lda);                                                                    \
        if (e == 0 && n > 0 && nrhs > 0) e = tw_lapack_potrs_rows(TYPE, uplo, n, nrhs, a, lda, b, ldb);                \
        return leave(routine, e);                                                                                      \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##posv(int matrix_layout, char uplo, lapack_int n, lapack_int nrhs, T *a, lapack_int lda, \
                                    T *b, lapack_int ldb)                                                              \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "posv";                                                                 \
        LAYOUT;                                                                                                        \
        NOT_NAN(5, nan_triangle(TYPE, matrix_layout, uplo, 'N', n, a, lda));                                           \
        NOT_NAN(7, nan_general(TYPE, matrix_layout, n, nrhs, b, ldb));                                                 \
        return tw_LAPACKE_##p##posv_work(matrix_layout, uplo, n, nrhs, a, lda, b, ldb);                                \
    }

#define TRTRI(p, TYPE, T)                                                                                              \
    lapack_int tw_LAPACKE_##p##trtri_work(int matrix_layout, char uplo, char diag, lapack_int n, T *a, lapack_int lda) \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "trtri_work";                                                           \
        const tw_int e = enter(routine, matrix_layout, &uplo, n, &lda, 6);                                             \
        return e ? (lapack_int)e : leave(routine, tw_##p##trtri(uplo, diag, n, (void *)a, lda));                       \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##trtri(int matrix_layout, char uplo, char diag, lapack_int n, T *a, lapack_int lda)      \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "trtri";                                                                \
        LAYOUT;                                                                                                        \
        NOT_NAN(5, nan_triangle(TYPE, matrix_layout, uplo, diag, n, a, lda));                                          \
        return tw_LAPACKE_##p##trtri_work(matrix_layout, uplo, diag, n, a, lda);                                       \
    }

#define POCON(p, TYPE, T, R, W)                                                                                        \
    lapack_int tw_LAPACKE_##p##pocon_work(int matrix_layout, char uplo, lapack_int n, const T *a, lapack_int lda,      \
                                          R anorm, R *rcond, T *work, W *more)                                         \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "pocon_work";                                                           \
        const tw_int e = enter(routine, matrix_layout, &uplo, n, &lda, 5);                                             \
        (void)work, (void)more;                                                                                        \
        return e ? (lapack_int)e : leave(routine, tw_##p##pocon(uplo, n, (const void *)a, lda, anorm, rcond));         \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##pocon(int matrix_layout, char uplo, lapack_int n, const T *a, lapack_int lda, R anorm,  \
                                     R *rcond)                                                                         \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "pocon";                                                                \
        LAYOUT;                                                                                                        \
        NOT_NAN(4, nan_triangle(TYPE, matrix_layout, uplo, 'N', n, a, lda));                                           \
        NOT_NAN(6, anorm != anorm);                                                                                    \
        return tw_LAPACKE_##p##pocon_work(matrix_layout, uplo, n, a, lda, anorm, rcond, NULL, NULL);                   \
    }

#define DOOR(p, TYPE, T, R, W)                                                                                         \
    TRIANGLE(p, TYPE, T, potrf)                                                                                        \
    TRIANGLE(p, TYPE, T, potri)                                                                                        \
    TRIANGLE(p, TYPE, T, lauum)                                                                                        \
    SOLVE(p, TYPE, T)                                                                                                  \
    TRTRI(p, TYPE, T)                                                                                                  \
    POCON(p, TYPE, T, R, W)

DOOR(s, TW_FLOAT, float, float, lapack_int)
DOOR(d, TW_DOUBLE, double, double, lapack_int)
DOOR(c, TW_COMPLEX_FLOAT, lapack_complex_float, float, float)
DOOR(z, TW_COMPLEX_DOUBLE, lapack_complex_double, double, double)
