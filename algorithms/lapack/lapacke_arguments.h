/* What the files of the LAPACKE door share: the NaN check, layouts, LAPACKE's argument numbers (one more than LAPACK's). Compiled with 32- and
 * with 64-bit integers. */
#ifndef TW_ALGORITHMS_LAPACK_LAPACKE_ARGUMENTS_H
#define TW_ALGORITHMS_LAPACK_LAPACKE_ARGUMENTS_H
#include <stdio.h>
#include <tilework/lapacke.h>
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
static inline int nan_triangle(enum tw_type type, int layout, char uplo, char diag, tw_int n, const void *a, tw_int lda)
{
    const int low = uplo == 'L' || uplo == 'l', up = uplo == 'U' || uplo == 'u';
    const tw_int unit = diag == 'U' || diag == 'u';

    if (!a || !(low || up) || lda < n) return 0; /* too small an lda: refused later */
    for (tw_int j = 0; j < n; j++) {
        const int below = low == (layout == LAPACK_COL_MAJOR);
        const tw_int from = below ? j + unit : 0, to = tw_min(below ? n : j + 1 - unit, lda);
        if (from < to && nan_run(type, a, j * lda + from, to - from)) return 1;
    }
    return 0;
}

static inline int nan_general(enum tw_type type, int layout, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const int columns = layout == LAPACK_COL_MAJOR;
    const tw_int lines = columns ? n : m, length = columns ? m : n;

    if (lda < length) return 0;
    for (tw_int j = 0; a && length > 0 && j < lines; j++)
        if (nan_run(type, a, j * lda, length)) return 1;
    return 0;
}

/* ---- arguments ------------------------------------------------------------------------------------------------- */

/* LAPACK's info, or the library's, as LAPACKE's. */
static inline lapack_int leave(const char *routine, tw_int info)
{
    char text[512];

    if (info >= 0 || info < TW_E_MEMORY) return (lapack_int)info;
    if (info == TW_E_MEMORY) return LAPACK_WORK_MEMORY_ERROR;
    snprintf(text, sizeof text, "%s", tw_last_message());
    return tw_fail((int)info - 1, "%s: argument %d is illegal (%s)", routine, (int)(1 - info), text);
}

static inline int layout_ok(int layout)
{
    return layout == LAPACK_ROW_MAJOR || layout == LAPACK_COL_MAJOR;
}

/* The functions without _work: layout and NaN. */
#define LAYOUT                                                                                                         \
    if (!layout_ok(matrix_layout)) return tw_illegal(routine, 1, "neither LAPACK_ROW_MAJOR nor LAPACK_COL_MAJOR")
#define NOT_NAN(i, bad)                                                                                                \
    if (tw_LAPACKE_get_nancheck() && (bad)) return tw_illegal(routine, i, "it holds a NaN")

#endif
