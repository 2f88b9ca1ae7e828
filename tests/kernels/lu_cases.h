/* Matrices for the tests of LU kernels, and what every LU factorization has to fulfil. */
#ifndef TW_TESTS_KERNELS_LU_CASES_H
#define TW_TESTS_KERNELS_LU_CASES_H
#include "kernels/tiles.h"

static const struct {
    int m, n, pad;
} lu_shapes[] = {{1, 1, 0},     {5, 1, 2},    {1, 6, 0},   {7, 7, 1},   {8, 8, 0},    {9, 8, 3},
                 {40, 17, 1},   {17, 40, 5},  {64, 64, 0}, {65, 64, 3}, {201, 33, 7}, {33, 201, 2},
                 {130, 130, 1}, {333, 97, 0}, {0, 5, 1},   {5, 0, 1}};
#define NLU ((int)(sizeof lu_shapes / sizeof lu_shapes[0]))

static inline struct tile lu_random(enum tw_type t, int x)
{
    struct tile a = tile_new(t, lu_shapes[x].m, lu_shapes[x].n, lu_shapes[x].pad);
    randomise(&a, 'G');
    keep(&a);
    return a;
}

static inline int pick(int n)
{
    return (int)((uniform() + 0.5) * n) % n;
}

/* P L U in a random order of rows, small integers in U, powers of two on its diagonal, and in each row of L one
 * multiplier beside the 1, of size 1/2 or 1: exact in every type whichever of equal candidates is taken (it takes the
 * place of the row that it equals), full of ties. */
static inline struct tile lu_dyadic(enum tw_type t, int m, int n, int pad)
{
    int k = m < n ? m : n;
    zz *l = dense_new(m, k), *u = dense_new(k, n), *product;
    struct tile a = tile_new(t, m, n, pad);
    for (int i = 0; i < m; i++) {
        int parents = i < k ? i : k;
        zz unit = tw_is_complex(t) && pick(2) ? make(0, pick(2) ? 1 : -1) : pick(2) ? 1 : -1;
        if (parents > 0) l[i + (size_t)(pick(parents) / 3 * 3) * (size_t)m] = unit * (pick(3) ? 1 : 0.5);
        if (i < k) l[i + (size_t)i * (size_t)m] = 1;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j && i < k; i++)
            u[i + (size_t)j * (size_t)k] =
                i == j ? 1 << pick(2) : make(pick(3) - 1, tw_is_complex(t) ? pick(3) - 1 : 0);
    product = dense_multiply(m, n, k, l, u, 0);
    for (int i = m - 1; i > 0; i--) {
        int p = pick(i + 1);
        for (int j = 0; j < n; j++) {
            zz *x = &product[i + (size_t)j * (size_t)m], *y = &product[p + (size_t)j * (size_t)m], z = *x;
            *x = *y;
            *y = z;
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            put(&a, i, j, product[i + (size_t)j * (size_t)m]);
    keep(&a);
    free(l), free(u), free(product);
    return a;
}

/* Rows of a dense m x n in the order that the pivots give. */
static inline void exchange_rows(zz *a, int m, int n, int k, const int32_t *ipiv)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) {
            zz *x = &a[i + (size_t)j * (size_t)m], *y = &a[ipiv[i] - 1 + (ptrdiff_t)j * m], z = *x;
            *x = *y;
            *y = z;
        }
}

/* |P A - L U| in units of n eps |A| (largest elements), f the factored a. ipiv NULL: no exchanges. */
static inline double lu_residual(const struct tile *a, const struct tile *f, const int32_t *ipiv)
{
    int m = a->m, n = a->n, k = m < n ? m : n;
    zz *l = dense_new(m, k), *u = dense_new(k, n), *pa = dense_op(a, 'N'), *product;
    size_t count = (size_t)m * (size_t)n;
    double error = 0, size = largest_of(pa, count);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            if (i > j && j < k) l[i + (size_t)j * (size_t)m] = get(f, i, j);
            if (i == j) l[i + (size_t)j * (size_t)m] = 1;
            if (i <= j && i < k) u[i + (size_t)j * (size_t)k] = get(f, i, j);
        }
    if (ipiv) exchange_rows(pa, m, n, k, ipiv);
    product = dense_multiply(m, n, k, l, u, 0);
    for (size_t p = 0; p < count; p++)
        if (!(size_of(product[p] - pa[p]) <= error)) error = size_of(product[p] - pa[p]);
    free(l), free(u), free(pa), free(product);
    return count == 0 || size == 0 ? error : error / (size * eps_of(a->type) * (n > 10 ? n : 10));
}
#endif
