/* The pseudo-inverse by the four conditions of Moore and Penrose, each as what it says of a block of vectors X: the
 * identity, above order CHECK_FULL_MAX a few. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* X is n x count, Y and U m x count, Z and W n x count. */
struct work {
    tw_int count;
    void *x, *y, *z, *u, *w;
};

static void vectors(enum tw_type t, tw_int n, tw_int count, void *x)
{
    uint64_t state = 88172645463325252u;

    memset(x, 0, (size_t)n * (size_t)count * check_sizeof(t));
    for (tw_int j = 0; j < count; j++)
        for (tw_int i = 0; i < n; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            if (count < n || i == j) check_set(t, x, (size_t)(i + j * n), count < n && state & 1 ? -1 : 1, 0);
        }
}

static double distance(enum tw_type t, tw_int m, tw_int count, void *y, const void *x)
{
    check_subtract(t, m, count, y, m, x, m);
    return check_norm_ge(t, m, count, y, m);
}

/* A P A X beside A X; P A X beside (P A)^H X. */
static int from_columns(const struct check_matrix *A, const void *p, tw_int ldp, const struct work *k, double *value,
                        double *skew)
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, c = k->count;
    int e;

    vectors(t, n, c, k->x);
    if ((e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, c, k->x, k->y, NULL, NULL))) return e;
    check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, c, m, 1, p, ldp, k->y, m, 0, k->z, n);
    if ((e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, c, k->z, k->u, NULL, NULL))) return e;
    *value = distance(t, m, c, k->u, k->y);
    check_gemm(t, TW_CONJTRANS, TW_NOTRANS, m, c, n, 1, p, ldp, k->x, n, 0, k->y, m);
    if ((e = A->apply(A->context, TW_GENERAL, TW_CONJTRANS, c, k->y, k->w, NULL, NULL))) return e;
    *skew = distance(t, n, c, k->z, k->w);
    return 0;
}

/* P A P Y beside P Y; A P Y beside (A P)^H Y. */
static int from_rows(const struct check_matrix *A, const void *p, tw_int ldp, const struct work *k, double *value,
                     double *skew)
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, c = k->count;
    int e;

    vectors(t, m, c, k->y);
    check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, c, m, 1, p, ldp, k->y, m, 0, k->z, n);
    if ((e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, c, k->z, k->u, NULL, NULL))) return e;
    check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, c, m, 1, p, ldp, k->u, m, 0, k->w, n);
    *value = distance(t, n, c, k->w, k->z);
    if ((e = A->apply(A->context, TW_GENERAL, TW_CONJTRANS, c, k->y, k->x, NULL, NULL))) return e;
    check_gemm(t, TW_CONJTRANS, TW_NOTRANS, m, c, n, 1, p, ldp, k->x, n, 0, k->y, m);
    *skew = distance(t, m, c, k->u, k->y);
    return 0;
}

int check_gepinv(const struct check_matrix *A, const void *p, tw_int ldp, double rcond, double residual[4])
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, most = m > n ? m : n;
    const int few = most > CHECK_FULL_MAX;
    struct work k = {.count = few ? CHECK_VECTORS : most};
    double norm, inverse, scale;
    int e;

    residual[0] = residual[1] = residual[2] = residual[3] = 0;
    if (m == 0 || n == 0) return 0;
    k.x = check_room(t, n, k.count), k.z = check_room(t, n, k.count), k.w = check_room(t, n, k.count);
    k.y = check_room(t, m, k.count), k.u = check_room(t, m, k.count);
    e = k.x && k.y && k.z && k.u && k.w ? check_anorm(A, &norm) : TW_E_MEMORY;
    if (!few) k.count = n;
    if (!e) e = from_columns(A, p, ldp, &k, &residual[0], &residual[3]);
    if (!few) k.count = m;
    if (!e) e = from_rows(A, p, ldp, &k, &residual[1], &residual[2]);
    if (!e) {
        inverse = check_norm_ge(t, n, m, p, ldp);
        scale = (double)most * check_eps(t) * (few ? (double)most : 1); /* |X| */
        residual[0] = check_quotient(residual[0], norm * (norm * inverse + rcond / check_eps(t)) * scale);
        residual[1] = check_quotient(residual[1], norm * inverse * inverse * scale);
        residual[2] = check_quotient(residual[2], norm * inverse * scale);
        residual[3] = check_quotient(residual[3], norm * inverse * scale);
    }
    free(k.x), free(k.y), free(k.z), free(k.u), free(k.w);
    return e;
}
