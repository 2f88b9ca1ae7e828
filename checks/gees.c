/* The Schur form of general matrices: A Z - Z T and Z^H Z - I, whole up to order CHECK_FULL_MAX, above it for a few
 * vectors; and T's form, of which the eigenvalues are known. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* k columns of the identity, or of signs that look random. */
static void columns(enum tw_type t, tw_int n, tw_int k, void *x)
{
    uint64_t state = 88172645463325252u;

    memset(x, 0, (size_t)n * (size_t)k * check_sizeof(t));
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < n; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            if (k < n || i == j) check_set(t, x, (size_t)(i + j * n), k == n || state & 1 ? 1 : -1, 0);
        }
}

static double at(enum tw_type type, const void *t, tw_int ldt, tw_int i, tw_int j, int imaginary)
{
    double x[2];
    check_get(type, t, (size_t)(i + j * ldt), x);
    return x[imaginary];
}

/* A real pair's block: equal on the diagonal, the two others of opposite signs, and the eigenvalues that it has. */
static int pair(enum tw_type type, const void *t, tw_int ldt, tw_int i, const double *wr, const double *wi)
{
    const double a = at(type, t, ldt, i, i, 0), b = at(type, t, ldt, i, i + 1, 0), c = at(type, t, ldt, i + 1, i, 0),
                 root = sqrt(fabs(b)) * sqrt(fabs(c));

    return a == at(type, t, ldt, i + 1, i + 1, 0) && (b < 0) != (c < 0) && b != 0 && wr[i] == a && wr[i + 1] == a &&
           wi[i] > 0 && wi[i + 1] == -wi[i] && fabs(wi[i] - root) <= 8 * check_eps(type) * root + DBL_MIN;
}

int check_schur_form(enum tw_type type, tw_int n, const void *t, tw_int ldt, const double *wr, const double *wi)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = j + 1; i < n; i++)
            if ((i > j + 1 || check_is_complex(type)) &&
                (at(type, t, ldt, i, j, 0) != 0 || at(type, t, ldt, i, j, 1) != 0))
                return 0;
    for (tw_int i = 0; i < n; i++) {
        if (!check_is_complex(type) && i + 1 < n && at(type, t, ldt, i + 1, i, 0) != 0) {
            if (!pair(type, t, ldt, i, wr, wi)) return 0;
            if (i + 2 < n && at(type, t, ldt, i + 2, i + 1, 0) != 0) return 0;
            i++;
        } else if (wr[i] != at(type, t, ldt, i, i, 0) || wi[i] != at(type, t, ldt, i, i, 1)) {
            return 0;
        }
    }
    return 1;
}

int check_gees(const struct check_matrix *A, const double *wr, const double *wi, const void *t, tw_int ldt,
               const void *z, tw_int ldz, double residual[2])
{
    const enum tw_type type = A->type;
    const tw_int n = A->n, k = n > CHECK_FULL_MAX ? CHECK_VECTORS : n;
    void *s = check_room(type, n, k), *x = check_room(type, n, k), *y = check_room(type, n, k),
         *u = check_room(type, n, k);
    double *sums = check_room(TW_DOUBLE, n, 1);
    const double unit = (double)n * check_eps(type) * (k < n ? (double)n : 1); /* signs: of length n in this norm */
    int e = s && x && y && u && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!e && n > 0) {
        columns(type, n, k, s);
        check_gemm(type, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, z, ldz, s, n, 0, x, n);
        e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (int)k, x, y, sums, NULL);
        check_gemm(type, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, t, ldt, s, n, 0, u, n);
        check_gemm(type, TW_NOTRANS, TW_NOTRANS, n, k, n, -1, z, ldz, u, n, 1, y, n);
        residual[0] = check_quotient(check_norm_ge(type, n, k, y, n), check_max(n, sums)) / unit;
        check_gemm(type, TW_CONJTRANS, TW_NOTRANS, n, k, n, 1, z, ldz, x, n, 0, u, n);
        check_subtract(type, n, k, u, n, s, n);
        residual[1] = check_norm_ge(type, n, k, u, n) / unit;
        if (!check_schur_form(type, n, t, ldt, wr, wi)) residual[0] = NAN;
    }
    free(s), free(x), free(y), free(u), free(sums);
    return e;
}
