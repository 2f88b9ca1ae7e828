/* What a QR factorization with pivoting says about the rank, and the shortest solution: LAPACK's ?gelsy, behind
 * ?geqp3. */
#include <math.h>
#include "kernels/dense/cpu/tile_grid.h"

#define LAIC1 TW_CAT3(, TW_P, laic1_)
#if TW_IS_COMPLEX
#define ORMRZ   LAPACKE(unmrz_work)
#define ADJOINT 'C'
#else
#define ORMRZ   LAPACKE(ormrz_work)
#define ADJOINT 'T'
#endif

/* Singular values of the triangle so far, the smallest and the largest, with the vectors that belong to them. */
struct extreme {
    lapack_int job; /* 1 the largest, 2 the smallest */
    R value, next;
    T *x, s, c;
};
static void look_at(struct extreme *e, lapack_int j, const T *column, T gamma)
{
    LAIC1(&e->job, &j, e->x, &e->value, column, &gamma, &e->next, &e->s, &e->c);
}
static void accept(struct extreme *e, int j)
{
    for (int i = 0; i < j; i++)
        e->x[i] = tw_mul(e->s, e->x[i]);
    e->x[j] = e->c;
    e->value = e->next;
}

int CPU(rank)(const struct tw_tile_grid *r, int k, double rcond, void *work)
{
    T *column = work, first = *tw_grid_at(r, 0, 0);
    const R size = (R)hypot((double)TW_RE(first), (double)TW_IM(first));
    struct extreme most = {1, size, 0, column + k, 0, 0}, least = {2, size, 0, column + 2 * (size_t)k, 0, 0};
    int j = 1;

    if (size == 0) return 0;
    most.x[0] = least.x[0] = 1;
    for (; j < k; j++) {
        tw_grid_move(r, 0, j + 1, j, column, 0);
        look_at(&least, j, column, column[j]);
        look_at(&most, j, column, column[j]);
        if (!(most.next * (R)rcond <= least.next)) break;
        accept(&least, j);
        accept(&most, j);
    }
    return j;
}

void CPU(tzrzf)(const struct tw_tile_grid *a, int m, double by, void *f_, void *tau, void *work)
{
    T *f = f_, *column = work;
    const int n = a->n;

    memset(f, 0, (size_t)m * (size_t)(n + TW_COLUMNS_BEHIND) * sizeof(T));
    for (int j = 0; j < n; j++)
        tw_grid_move(a, 0, tw_min(m, j + 1), j, TW_AT(f, m, 0, j), 0);
    tw_account_vendor("tzrzf", n);
    LAPACKE(tzrzf_work)(LAPACK_COL_MAJOR, m, n, f, m, tau, work, 32 * m);
    for (int j = 0; j < n; j++) {
        if (j >= m || by == 1) {
            tw_grid_move(a, 0, tw_min(m, j + 1), j, TW_AT(f, m, 0, j), 1);
            continue;
        }
        for (int i = 0; i <= j; i++)
            column[i] = *TW_AT(f, m, i, j) * (R)by;
        tw_grid_move(a, 0, j + 1, j, column, 1);
    }
}

void CPU(minimum_norm)(int m, int n, void *f, const void *tau, const struct tw_tile_grid *y,
                       const struct tw_tile_grid *x, void *work)
{
    const int k = x->n;
    T *c = work;

    for (int j = 0; j < k; j++)
        tw_grid_move(y, 0, m, j, TW_AT(c, n, 0, j), 0);
    CPU(trsm)('L', 'U', 'N', 'N', m, k, tw_one, f, m, c, n);
    for (int j = 0; j < k; j++)
        memset(TW_AT(c, n, m, j), 0, (size_t)(n - m) * sizeof(T));
    if (m < n)
        ORMRZ(LAPACK_COL_MAJOR, 'L', ADJOINT, n, k, m, n - m, f, m, tau, c, n, c + (size_t)n * (size_t)k,
              32 * k + 4160);
    for (int j = 0; j < k; j++)
        tw_grid_move(x, 0, n, j, TW_AT(c, n, 0, j), 1);
}

void CPU(permute_rows)(const struct tw_tile_grid *x, const int32_t *jpvt, void *work)
{
    T *c = work;

    for (int j = 0; j < x->n; j++) {
        for (int i = 0; i < x->m; i++)
            c[jpvt[i] - 1] = *tw_grid_at(x, i, j);
        tw_grid_move(x, 0, x->m, j, c, 1);
    }
}
