/* Blocks of entries, rounded to the generator's type. */
#include "kernels/dense/cpu/generate.h"
#include <string.h>
#include "runtime/base/types.h"

enum { CHUNK = 512 }; /* rows at a time: two buffers of doubles stay in a core's first cache */

static const tw_column_fn columns[TW_ENTRIES] = {
    [TW_ENTRIES_RANDOM] = tw_column_random,
    [TW_ENTRIES_SPD] = tw_column_spd,
    [TW_ENTRIES_SYMMETRIC] = tw_column_symmetric,
    [TW_ENTRIES_SPECTRUM] = tw_column_spectrum,
    [TW_ENTRIES_HILBERT] = tw_column_hilbert,
    [TW_ENTRIES_MINIJ] = tw_column_minij,
    [TW_ENTRIES_LEHMER] = tw_column_lehmer,
    [TW_ENTRIES_KMS] = tw_column_kms,
    [TW_ENTRIES_LAPLACIAN] = tw_column_laplacian,
    [TW_ENTRIES_IDENTITY] = tw_column_identity,
    [TW_ENTRIES_ZERO] = tw_column_zero,
    [TW_ENTRIES_GP] = tw_column_gp,
    [TW_ENTRIES_MINOR] = tw_column_minor,
    [TW_ENTRIES_NAN] = tw_column_nan,
    [TW_ENTRIES_SVD] = tw_column_svd,
    [TW_ENTRIES_ORTHOGONAL] = tw_column_orthogonal,
    [TW_ENTRIES_LOWRANK] = tw_column_lowrank,
    [TW_ENTRIES_GRADED] = tw_column_graded,
    [TW_ENTRIES_DOMINANT] = tw_column_dominant,
    [TW_ENTRIES_ZEROCOL] = tw_column_zerocol,
    [TW_ENTRIES_KAHAN] = tw_column_kahan,
    [TW_ENTRIES_FOSTER] = tw_column_foster,
    [TW_ENTRIES_WILKINSON] = tw_column_wilkinson,
    [TW_ENTRIES_CHEBYSHEV] = tw_column_chebyshev,
    [TW_ENTRIES_DYADIC] = tw_column_dyadic,
};

static void store(enum tw_type type, tw_int m, const double *restrict re, const double *restrict im, void *restrict a)
{
    float *restrict s = a;
    double *restrict d = a;

    switch (type) {
    case TW_FLOAT:
        for (tw_int i = 0; i < m; i++)
            s[i] = (float)re[i];
        break;
    case TW_DOUBLE: memcpy(d, re, (size_t)m * sizeof *d); break;
    case TW_COMPLEX_FLOAT:
        for (tw_int i = 0; i < m; i++)
            s[2 * i] = (float)re[i], s[2 * i + 1] = (float)im[i];
        break;
    default:
        for (tw_int i = 0; i < m; i++)
            d[2 * i] = re[i], d[2 * i + 1] = im[i];
        break;
    }
}

void tw_kernel_generate(const struct tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    double re[CHUNK], im[CHUNK] = {0}; /* kinds without imaginary parts leave the zeros */
    const size_t size = tw_sizeof(g->type);

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i += CHUNK) {
            tw_int rows = tw_min(CHUNK, m - i);
            columns[g->entries](g, i0 + i, rows, j0 + j, re, tw_is_complex(g->type) ? im : NULL);
            store(g->type, rows, re, im, (char *)a + ((size_t)j * (size_t)lda + (size_t)i) * size);
        }
}
