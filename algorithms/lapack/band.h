/* Hermitian band matrices in LAPACK's storage: what the doors of their routines share. */
#ifndef TW_ALGORITHMS_LAPACK_BAND_H
#define TW_ALGORITHMS_LAPACK_BAND_H
#include "algorithms/lapack/values.h"

/* Rows [first, last) of column j of ab that are the matrix'. */
static inline void band_rows(char uplo, tw_int n, tw_int kd, tw_int j, tw_int *first, tw_int *last)
{
    *first = uplo == 'U' ? tw_max(0, kd - j) : 0;
    *last = uplo == 'U' ? kd + 1 : tw_min(kd + 1, n - j);
}
static inline void band_real_diagonal(enum tw_type type, char uplo, tw_int n, tw_int kd, void *ab, tw_int ldab)
{
    real_diagonal(type, n, (char *)ab + (size_t)(uplo == 'U' ? kd : 0) * tw_sizeof(type), ldab);
}
/* The largest real or imaginary part; infinity if there is one, or a NaN. */
static inline double band_largest(enum tw_type type, char uplo, tw_int n, tw_int kd, const void *ab, tw_int ldab)
{
    const tw_int reals = tw_is_complex(type) ? 2 : 1;
    double largest = 0;
    tw_int first, last;

    for (tw_int j = 0; j < n; j++) {
        band_rows(uplo, n, kd, j, &first, &last);
        for (tw_int i = reals * (j * ldab + first); i < reals * (j * ldab + last); i++) {
            const double x = fabs(get_real(type, ab, i));
            if (!isfinite(x)) return INFINITY;
            largest = fmax(largest, x);
        }
    }
    return largest;
}
/* As LAPACKE: ab's elements that are none of the matrix' may be anything. */
static inline int nan_band(const struct tw_lapacke *call, char uplo, tw_int n, tw_int kd, const void *ab, tw_int ldab)
{
    const char part = letter(uplo, 'L', 'U');
    tw_int first, last;

    if (!ab || !part || kd < 0 || ldab < (ROWS ? n : kd + 1)) return 0;
    for (tw_int j = 0; j < n; j++) {
        band_rows(part, n, kd, j, &first, &last);
        if (!ROWS && nan_run(call->type, ab, j * ldab + first, last - first)) return 1;
        for (tw_int i = first; ROWS && i < last; i++)
            if (nan_run(call->type, ab, i * ldab + j, 1)) return 1;
    }
    return 0;
}
#endif
