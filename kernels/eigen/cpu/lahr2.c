/* A panel of the reduction to Hessenberg form (LAPACK's lahr2): G. Quintana-Orti, R. van de Geijn, "Improving the
 * performance of reduction to Hessenberg form", ACM Trans. Math. Softw. 32, 2006.
 *
 * Every column needs a product with all of the matrix behind it; that is read from memory each time, block column by
 * block column, a part of a team's work each. The rows above the panel's reflectors come at its end as products of
 * matrices, chunk by chunk. */
#include <string.h>
#include "kernels/dense/cpu/vectors.h"
#include "kernels/eigen/cpu/lahr2.h"

enum { ROWS = 256 }; /* of a chunk */

struct panel {
    const struct tw_lahr2 *p;
    int c, rows; /* the column; rows of V */
    T *slots;    /* for each block column a part of A v */
    T *w;        /* two numbers for each column of the panel */
};

static T *v_at(const struct panel *q, int i, int j)
{
    return TW_AT((T *)q->p->v, q->p->ldv, i, j);
}
static T *t_at(const struct panel *q, int i, int j)
{
    return TW_AT((T *)q->p->t, q->p->ldt, i, j);
}
/* Y's rows that V has, too. */
static T *y_below(const struct panel *q, int j)
{
    return TW_AT((T *)q->p->y, q->p->ldy, q->p->first + 1, j);
}

/* Columns of block k that count from column `from` on: how many; skip: those of it before. */
static int block_columns(const struct tw_lahr2 *p, int k, int from, int *skip)
{
    const int begin = p->at_first + k * p->width, first = tw_max(begin, from), end = tw_min(begin + p->width, p->last);
    *skip = first - begin;
    return end - first;
}

/* Its part of A(first + 1 ..., first + c + 1 ...) v. */
static void product_part(void *args, int k)
{
    const struct panel *q = args;
    const struct tw_lahr2 *p = q->p;
    T *y = q->slots + (size_t)k * (size_t)q->rows;
    int skip;
    const int n = block_columns(p, k, p->first + q->c + 1, &skip);

    memset(y, 0, (size_t)q->rows * sizeof *y);
    if (n > 0)
        tw_add_times(q->rows, n, 1, TW_AT((const T *)p->at[k].ptr, p->at[k].ld, p->first + 1, skip), p->at[k].ld,
                     v_at(q, p->at_first + k * p->width + skip - p->first - 1, q->c), y);
}

/* Rows above the panel's reflectors: Y = A V T, then the panel's own columns there. */
static void above_part(void *args, int part)
{
    const T one = 1, zero = 0, minus = -1;
    const struct panel *q = args;
    const struct tw_lahr2 *p = q->p;
    const int row = part * ROWS, m = tw_min(ROWS, p->first + 1 - row), b = p->columns, own = tw_min(b - 1, q->rows);
    T *y = TW_AT((T *)p->y, p->ldy, row, 0);

    for (int k = 0, begun = 0; k < p->blocks; k++) {
        int skip;
        const int n = block_columns(p, k, p->first + 1, &skip);
        if (n <= 0) continue;
        BLAS(gemm)
        (CblasColMajor, CblasNoTrans, CblasNoTrans, m, b, n, TW_ARG(one),
         TW_AT((const T *)p->at[k].ptr, p->at[k].ld, row, skip), p->at[k].ld,
         v_at(q, p->at_first + k * p->width + skip - p->first - 1, 0), p->ldv, begun ? TW_ARG(one) : TW_ARG(zero), y,
         p->ldy);
        begun = 1;
    }
    BLAS(trmm)
    (CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, b, TW_ARG(one), p->t, p->ldt, y, p->ldy);
    if (own > 0) BLAS(gemm)
    (CblasColMajor, CblasNoTrans, CblasConjTrans, m, own, b, TW_ARG(minus), y, p->ldy, p->v, p->ldv, TW_ARG(one),
     TW_AT((T *)p->at[0].ptr, p->at[0].ld, row, p->first + 1 - p->at_first), p->at[0].ld);
}

/* The column a (rows first + 1 ...) after the reflectors before it, from both sides. */
static void bring_up(const struct panel *q, T *a)
{
    const struct tw_lahr2 *p = q->p;
    const int c = q->c;
    T *w = q->w;

    for (int j = 0; j < c; j++)
        w[j] = TW_CONJ(*v_at(q, c - 1, j));
    tw_add_times(q->rows, c, -1, y_below(q, 0), p->ldy, w, a);
    tw_adjoint_times(q->rows, c, p->v, p->ldv, a, w);
    for (int j = c - 1; j >= 0; j--) { /* T^H w */
        T sum = 0;
        for (int i = 0; i <= j; i++)
            sum += tw_mul(TW_CONJ(*t_at(q, i, j)), w[i]);
        w[j] = sum;
    }
    tw_add_times(q->rows, c, -1, p->v, p->ldv, w, a);
}

static void one_column(struct panel *q, struct tw_team *team)
{
    const struct tw_lahr2 *p = q->p;
    const int c = q->c, rows = q->rows;
    T *a = TW_AT((T *)p->at[0].ptr, p->at[0].ld, p->first + 1, p->first + c - p->at_first), *v = v_at(q, 0, c),
      *y = y_below(q, c), *t = t_at(q, 0, c), tau = 0;

    if (c > 0) bring_up(q, a);
    LAPACKE(larfg_work)(rows - c, a + c, a + c + (rows - c > 1), 1, &tau);
    memset(v, 0, (size_t)c * sizeof *v);
    v[c] = 1;
    memcpy(v + c + 1, a + c + 1, (size_t)(rows - c - 1) * sizeof *v);

    tw_team_run(team, p->blocks, product_part, q);
    memcpy(y, q->slots, (size_t)rows * sizeof *y);
    for (int k = 1; k < p->blocks; k++)
        for (int i = 0; i < rows; i++)
            y[i] += q->slots[(size_t)k * (size_t)rows + (size_t)i];
    tw_adjoint_times(rows, c, p->v, p->ldv, v, q->w);
    tw_add_times(rows, c, -1, y_below(q, 0), p->ldy, q->w, y);
    for (int i = 0; i < rows; i++)
        y[i] = tw_mul(tau, y[i]);
    for (int i = 0; i < p->columns; i++) /* -tau T w, and zeros below */
        t[i] = 0;
    for (int i = 0; i < c; i++) {
        T sum = 0;
        for (int j = i; j < c; j++)
            sum += tw_mul(*t_at(q, i, j), q->w[j]);
        t[i] = -tw_mul(tau, sum);
    }
    t[c] = tau;
    ((T *)p->tau)[c] = tau;
}

static void panel(const struct tw_lahr2 *p, struct tw_team *team, void *work)
{
    struct panel q = {.p = p, .rows = p->last - p->first - 1, .slots = work};

    q.w = q.slots + (size_t)p->blocks * (size_t)q.rows;
    for (q.c = 0; q.c < p->columns; q.c++)
        one_column(&q, team);
    tw_team_run(team, (p->first + 1 + ROWS - 1) / ROWS, above_part, &q);
}

const struct tw_lahr2_kernels CPU(lahr2) = {panel};
