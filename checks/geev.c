/* Eigenvalues and eigenvectors of general matrices: A X - X D of right ones, A^H X - X D^H of left ones, whole up to
 * order CHECK_FULL_MAX, above it for a few vectors; and of eigenvalues alone their sums of powers, which are the traces
 * of A's powers. */
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

/* Conjugate pairs of a real matrix stand together, and are that exactly. */
static int in_pairs(tw_int n, const double *wr, const double *wi)
{
    for (tw_int j = 0; j < n; j++) {
        if (wi[j] == 0) continue;
        if (!(wi[j] > 0) || j + 1 == n || wr[j + 1] != wr[j] || wi[j + 1] != -wi[j]) return 0;
        j++;
    }
    return 1;
}

/* Rows of X := D X, where D has a real matrix' pairs as blocks of two. */
static void multiply(enum tw_type t, tw_int n, tw_int k, int left, const double *wr, const double *wi, void *x)
{
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < n; i++) {
            const size_t at = (size_t)(i + j * n);
            const double im = left ? -wi[i] : wi[i];
            double one[2], two[2];
            check_get(t, x, at, one);
            if (check_is_complex(t)) {
                check_set(t, x, at, wr[i] * one[0] - im * one[1], wr[i] * one[1] + im * one[0]);
            } else if (wi[i] == 0) {
                check_set(t, x, at, wr[i] * one[0], 0);
            } else {
                check_get(t, x, at + 1, two);
                check_set(t, x, at, wr[i] * one[0] + im * two[0], 0);
                check_set(t, x, at + 1, wr[i] * two[0] - im * one[0], 0);
                i++;
            }
        }
}

static double length_off_one(enum tw_type t, tw_int n, const double *wi, const void *v, tw_int ldv)
{
    double most = 0;

    for (tw_int j = 0; j < n; j++) {
        const tw_int together = !check_is_complex(t) && wi[j] != 0 && j + 1 < n ? 2 : 1;
        double sum = 0;
        for (tw_int i = 0; i < together * n; i++) {
            double x[2];
            check_get(t, v, (size_t)(i % n + (j + i / n) * ldv), x);
            sum += x[0] * x[0] + x[1] * x[1];
        }
        most = check_worse(most, fabs(sqrt(sum) - 1));
        j += together - 1;
    }
    return most;
}

int check_geev(const struct check_matrix *A, const double *wr, const double *wi, int left, const void *v, tw_int ldv,
               double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n, k = n > CHECK_FULL_MAX ? CHECK_VECTORS : n;
    void *s = check_room(t, n, k), *x = check_room(t, n, k), *y = check_room(t, n, k);
    double *sums = check_room(TW_DOUBLE, n, 1), size;
    int e = s && x && y && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!e && n > 0) {
        columns(t, n, k, s);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, v, ldv, s, n, 0, x, n);
        e = A->apply(A->context, TW_GENERAL, left ? TW_CONJTRANS : TW_NOTRANS, (int)k, x, y, left ? NULL : sums,
                     left ? sums : NULL);
        multiply(t, n, k, left, wr, wi, s);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, v, ldv, s, n, 0, x, n);
        check_subtract(t, n, k, y, n, x, n);
        size = check_max(n, sums) * check_norm_ge(t, n, n, v, ldv);
        residual[0] = check_quotient(check_norm_ge(t, n, k, y, n), size) / ((double)n * check_eps(t));
        if (k < n) residual[0] /= (double)n; /* signs: of length n in this norm */
        residual[1] = length_off_one(t, n, wi, v, ldv) / ((double)n * check_eps(t));
        if (!check_is_complex(t) && !in_pairs(n, wr, wi)) residual[0] = NAN;
    }
    free(s), free(x), free(y), free(sums);
    return e;
}

/* The sum of a_ij b_ji. */
static void trace_of_product(enum tw_type t, tw_int n, const void *a, const void *b, double sum[2])
{
    sum[0] = sum[1] = 0;
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < n; i++) {
            double x[2], y[2];
            check_get(t, a, (size_t)(i + j * n), x);
            check_get(t, b, (size_t)(j + i * n), y);
            sum[0] += x[0] * y[0] - x[1] * y[1];
            sum[1] += x[0] * y[1] + x[1] * y[0];
        }
}

/* Of p = 1 ... 4: |sum of (w / scale)^p - trace of A^p| / (p n eps |A|_F^p), of p = 1 over the root of n, too: what A +
 * E makes of them, p trace(A^(p-1) E) in first order, is at most p |A^(p-1)|_F |E|_F. */
static double power_sums(enum tw_type t, tw_int n, double eps, const double *wr, const double *wi, double scale,
                         const void *a, const void *square)
{
    double trace[4][2] = {{0}}, frobenius = 0, most = 0;

    for (tw_int i = 0; i < n * n; i++) {
        double x[2];
        check_get(t, a, (size_t)i, x);
        frobenius += x[0] * x[0] + x[1] * x[1];
        if (i % (n + 1) == 0) trace[0][0] += x[0], trace[0][1] += x[1];
    }
    trace_of_product(t, n, a, a, trace[1]);
    trace_of_product(t, n, a, square, trace[2]);
    trace_of_product(t, n, square, square, trace[3]);
    for (int p = 1; p <= 4; p++) {
        double sum[2] = {0, 0}, off;
        for (tw_int i = 0; i < n; i++) {
            double x[2] = {1, 0};
            for (int k = 0; k < p; k++) {
                const double re = x[0] * (wr[i] / scale) - x[1] * (wi[i] / scale);
                x[1] = x[0] * (wi[i] / scale) + x[1] * (wr[i] / scale), x[0] = re;
            }
            sum[0] += x[0], sum[1] += x[1];
        }
        off = hypot(sum[0] - trace[p - 1][0], sum[1] - trace[p - 1][1]);
        off = check_quotient(off, pow(frobenius, p / 2.0) * (p == 1 ? sqrt((double)n) : 1)) / (p * (double)n * eps);
        most = check_worse(most, off);
    }
    return most;
}

int check_general_values(const struct check_matrix *A, const double *wr, const double *wi, double *error)
{
    const enum tw_type given = A->type, t = check_is_complex(given) ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
    const tw_int n = A->n;
    void *a = check_room(given, n, n), *x = check_room(t, n, n), *square = check_room(t, n, n);
    double scale;
    int e = a && x && square ? A->fill(A->context, a, n) : TW_E_MEMORY;

    *error = 0;
    if (!e && n > 0) {
        scale = check_norm_max(given, n, a, n);
        if (!(scale > 0)) scale = 1;
        for (tw_int i = 0; i < n * n; i++) {
            double one[2];
            check_get(given, a, (size_t)i, one);
            check_set(t, x, (size_t)i, one[0] / scale, one[1] / scale);
        }
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, n, n, 1, x, n, x, n, 0, square, n);
        *error = !check_is_complex(t) && !in_pairs(n, wr, wi)
                     ? NAN
                     : power_sums(t, n, check_eps(given), wr, wi, scale, x, square);
    }
    free(a), free(x), free(square);
    return e;
}
