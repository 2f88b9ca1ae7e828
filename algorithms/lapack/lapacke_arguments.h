/* What the routines' LAPACKE doors share: the NaN check, layouts, LAPACKE's argument numbers (one more than LAPACK's).
 *
 * Row-major arrays of which one triangle counts need no transposition. Read as column-major, a row-major array holds
 * the transpose:
 *   - the triangle of a hermitian A that LAPACKE calls 'L' is the 'U' triangle of A^T. If A = L L^H then A^T =
 *     conj(L) L^T = (L^T)^H L^T = U^H U with U = L^T: the factor of A^T (unique, its diagonal is positive) read as
 *     row-major is L itself, without any conjugation. inv(A^T) = inv(A)^T, U U^H = (L^H L)^T and inv(L^T) = inv(L)^T
 *     likewise; A and A^T = conj(A) have the same condition number. Other triangle, same routine.
 *   - right-hand sides that are rows: A X = B means X^T A^T = B^T, and X^T is what the array of X holds. So X^T (U^H
 *     U) = B^T is solved from the right (tw_lapack_potrs_rows), again without conjugation or copies.
 * The others are copied to column-major arrays and back, as LAPACKE does (struct rows in transpose.h). */
#ifndef TW_ALGORITHMS_LAPACK_LAPACKE_ARGUMENTS_H
#define TW_ALGORITHMS_LAPACK_LAPACKE_ARGUMENTS_H
#include <stdio.h>
#include "algorithms/lapack/doors.h"
#include "runtime/base/error.h"
#include "runtime/base/types.h"

/* ---- NaN ------------------------------------------------------------------------------------------------------- */

/* Without an early exit, so that compilers vectorise it. */
static inline int nan_run(enum tw_type type, const void *a, tw_int offset, tw_int count)
{
    const tw_int reals = tw_is_complex(type) ? 2 : 1;
    int bad = 0;

    if (tw_is_single(type)) {
        const float *x = (const float *)a + reals * offset;
        for (tw_int i = 0; i < reals * count; i++)
            bad |= x[i] != x[i];
    } else {
        const double *x = (const double *)a + reals * offset;
        for (tw_int i = 0; i < reals * count; i++)
            bad |= x[i] != x[i];
    }
    return bad;
}

/* As LAPACKE: unknown letters have no NaN (they are refused later), nothing beyond lda is read, 'U' skips a unit
 * diagonal. */
static inline int nan_triangle(const struct tw_lapacke *call, char uplo, char diag, tw_int n, const void *a, tw_int lda)
{
    const int low = uplo == 'L' || uplo == 'l', up = uplo == 'U' || uplo == 'u';
    const tw_int unit = diag == 'U' || diag == 'u';
    const enum tw_type type = call->type;
    const int layout = call->layout;

    if (!a || !(low || up) || lda < n) return 0; /* too small an lda: refused later */
    for (tw_int j = 0; j < n; j++) {
        const int below = low == (layout == LAPACK_COL_MAJOR);
        const tw_int from = below ? j + unit : 0, to = tw_min(below ? n : j + 1 - unit, lda);
        if (from < to && nan_run(type, a, j * lda + from, to - from)) return 1;
    }
    return 0;
}

static inline int nan_general(const struct tw_lapacke *call, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const int columns = call->layout == LAPACK_COL_MAJOR;
    const tw_int lines = columns ? n : m, length = tw_min(lda, columns ? m : n); /* a short lda is refused later */

    for (tw_int j = 0; a && length > 0 && j < lines; j++)
        if (nan_run(call->type, a, j * lda, length)) return 1;
    return 0;
}

/* ---- arguments ------------------------------------------------------------------------------------------------- */

/* LAPACK's info, or the library's, as LAPACKE's. */
static inline tw_int leave(const struct tw_lapacke *call, tw_int info)
{
    char text[512];

    if (info >= 0 || info < TW_E_MEMORY) return info;
    if (info == TW_E_MEMORY) return LAPACK_WORK_MEMORY_ERROR;
    snprintf(text, sizeof text, "%s", tw_last_message());
    return tw_fail((int)info - 1, "%s: argument %d is illegal (%s)", call->routine, (int)(1 - info), text);
}

#define ROWS (call->layout == LAPACK_ROW_MAJOR)
/* What LAPACKE looks at first: the layout; without _work NaNs; leading dimensions of row-major arrays. */
#define LAYOUT                                                                                                         \
    if (!ROWS && call->layout != LAPACK_COL_MAJOR)                                                                     \
    return tw_illegal(call->routine, 1, "neither LAPACK_ROW_MAJOR nor LAPACK_COL_MAJOR")
#define NOT_NAN(i, bad)                                                                                                \
    if (call->checks && tw_LAPACKE_get_nancheck() && (bad)) return tw_illegal(call->routine, i, "it holds a NaN")
#define ROW_LD(i, ld, n)                                                                                               \
    if (ROWS && (ld) < (n)) return tw_illegal(call->routine, i, #ld " < " #n)

/* A row-major triangle as the column-major one it is. Unknown letters stay: the LAPACK door refuses them. */
#define TRIANGLE(i_lda)                                                                                                \
    ROW_LD(i_lda, lda, n);                                                                                             \
    if (ROWS) {                                                                                                        \
        if (lda < 1) lda = 1;                                                                                          \
        uplo = uplo == 'L' || uplo == 'l' ? 'U' : uplo == 'U' || uplo == 'u' ? 'L' : uplo;                             \
    }

#endif
