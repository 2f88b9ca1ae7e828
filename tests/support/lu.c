/* LU: matrices whose factors are exact, LAPACK's and the library's routines by type. */
#include "tt.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>

static void exchange_rows(tw_int n, tt_z *x, tw_int ldx, tw_int i, tw_int p)
{
    for (tw_int j = 0; j < n; j++) {
        tt_z t = x[i + j * ldx];
        x[i + j * ldx] = x[p + j * ldx];
        x[p + j * ldx] = t;
    }
}

/* ---- exact factors --------------------------------------------------------------------------------------------- */

/* A pseudorandom whole number below `below`. */
static int whole(uint64_t seed, tw_int i, tw_int j, int below)
{
    const double u = (tt_uniform(seed, i, j) + 1) / 2;
    const int v = (int)(u * below);
    return v < below ? v : below - 1;
}
static tt_z unit(enum tw_type t, int k)
{
    static const int re[4] = {1, -1, 0, 0}, im[4] = {0, 0, 1, -1};
    return tt_complex(t) ? re[k] + im[k] * (tt_z)I : (tt_z)(k % 2 ? -1 : 1);
}

void tt_dyadic(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda, uint64_t seed, const tw_int *zero, int zeros,
               tw_int *ipiv)
{
    const tw_int k = m < n ? m : n;
    tt_z *l = calloc((size_t)(m * k + 1), sizeof *l), *u = calloc((size_t)(k * n + 1), sizeof *u),
         *full = calloc((size_t)(m * n + 1), sizeof *full);
    tw_int *row_at = malloc((size_t)(m + 1) * sizeof *row_at); /* which of the final rows stands where, before step j */

    if (!l || !u || !full || !row_at) exit(1);
    for (tw_int j = 0; j < k; j++) {
        ipiv[j] = j + 1 + whole(seed, j, 7001, (int)(m - j));
        for (int z = 0; z < zeros; z++)
            if (zero[z] == j + 1) ipiv[j] = j + 1; /* all candidates are zero: the first one it is */
    }
    for (tw_int i = 0; i < m; i++)
        row_at[i] = i;
    for (tw_int j = k - 1; j >= 0; j--) {
        const tw_int p = ipiv[j] - 1, x = row_at[j];
        int is_zero = 0;
        row_at[j] = row_at[p];
        row_at[p] = x;
        for (int z = 0; z < zeros; z++)
            is_zero |= zero[z] == j + 1;
        l[j + j * m] = 1;
        for (tw_int q = j; q < m && !is_zero; q++) {
            const tw_int i = row_at[q];
            if (q == p) continue;
            /* Above the pivot smaller ones; below it as large ones, which come too late. */
            switch (whole(seed, i, j, 4)) {
            case 0: l[i + j * m] = 0; break;
            case 1: l[i + j * m] = 0.5 * unit(t, whole(seed + 1, i, j, 4)); break;
            case 2: l[i + j * m] = q > p ? unit(t, whole(seed + 2, i, j, 4)) : 0; break;
            default:
                l[i + j * m] = q > p && tt_complex(t)
                                   ? 0.5 * (unit(t, whole(seed + 3, i, j, 2)) + unit(t, 2 + whole(seed + 4, i, j, 2)))
                                   : 0.25 * unit(t, whole(seed + 3, i, j, 4));
            }
        }
    }
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < k && i <= j; i++)
            u[i + j * k] = i == j ? (1 + whole(seed + 5, i, j, 2)) * unit(t, whole(seed + 6, i, j, 4))
                                  : (double)(whole(seed + 7, i, j, 3) - 1) * unit(t, whole(seed + 8, i, j, 4));
    for (int z = 0; z < zeros; z++)
        u[zero[z] - 1 + (zero[z] - 1) * k] = 0;
    tt_multiply(m, n, k, 1, l, u, 0, full);
    for (tw_int j = k - 1; j >= 0; j--)
        if (ipiv[j] != j + 1) exchange_rows(n, full, m, j, ipiv[j] - 1);
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            tt_put(t, a, (size_t)(i + j * lda), full[i + j * m]);
    free(l), free(u), free(full), free(row_at);
}

/* ---- LAPACK's, and the LAPACK door ----------------------------------------------------------------------------- */

#define BY_TYPE(t, pre, name, post, ...)                                                                               \
    switch (t) {                                                                                                       \
    case TW_FLOAT: return pre##s##name##post(__VA_ARGS__);                                                             \
    case TW_DOUBLE: return pre##d##name##post(__VA_ARGS__);                                                            \
    case TW_COMPLEX_FLOAT: return pre##c##name##post(__VA_ARGS__);                                                     \
    default: return pre##z##name##post(__VA_ARGS__);                                                                   \
    }

static int work_getrf(enum tw_type t, int m, int n, void *a, int lda, int *ipiv)
{
    BY_TYPE(t, LAPACKE_, getrf, _work, LAPACK_COL_MAJOR, m, n, a, lda, ipiv)
}
static int work_getrs(enum tw_type t, char trans, int n, int nrhs, const void *a, int lda, const int *ipiv, void *b,
                      int ldb)
{
    BY_TYPE(t, LAPACKE_, getrs, _work, LAPACK_COL_MAJOR, trans, n, nrhs, a, lda, ipiv, b, ldb)
}
static int work_gesv(enum tw_type t, int n, int nrhs, void *a, int lda, int *ipiv, void *b, int ldb)
{
    BY_TYPE(t, LAPACKE_, gesv, _work, LAPACK_COL_MAJOR, n, nrhs, a, lda, ipiv, b, ldb)
}
int tt_lapack_getrf(enum tw_type t, int m, int n, void *a, int lda, int *ipiv)
{
    const int info = work_getrf(t, m, n, a, lda, ipiv);
    return info < 0 ? info + 1 : info;
}
int tt_lapack_getrs(enum tw_type t, char trans, int n, int nrhs, const void *a, int lda, const int *ipiv, void *b,
                    int ldb)
{
    const int info = work_getrs(t, trans, n, nrhs, a, lda, ipiv, b, ldb);
    return info < 0 ? info + 1 : info;
}
int tt_lapack_gesv(enum tw_type t, int n, int nrhs, void *a, int lda, int *ipiv, void *b, int ldb)
{
    const int info = work_gesv(t, n, nrhs, a, lda, ipiv, b, ldb);
    return info < 0 ? info + 1 : info;
}

tw_int tt_door_getrf(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda,
                     tw_int *ipiv){BY_TYPE(t, tw_, getrf, , m, n, a, lda, ipiv)} tw_int
    tt_door_getrs(enum tw_type t, char trans, tw_int n, tw_int nrhs, const void *a, tw_int lda, const tw_int *ipiv,
                  void *b, tw_int ldb){BY_TYPE(t, tw_, getrs, , trans, n, nrhs, a, lda, ipiv, b, ldb)} tw_int
    tt_door_gesv(enum tw_type t, tw_int n, tw_int nrhs, void *a, tw_int lda, tw_int *ipiv, void *b, tw_int ldb)
{
    BY_TYPE(t, tw_, gesv, , n, nrhs, a, lda, ipiv, b, ldb)
}
