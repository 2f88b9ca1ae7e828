/* A panel of the one-stage reduction to bidiagonal form (LAPACK's labrd): J. J. Dongarra, D. C. Sorensen, S. J.
 * Hammarling, "Block reduction of matrices to condensed forms for eigenvalue computations", J. Comput. Appl. Math. 27,
 * 1989.
 *
 * Column i becomes v and d(i), H(i)^H A = A - v y^H with y = tauq A^H v; row i then, as its adjoint, u and e(i), A G(i)
 * = A - x u^H with x = taup A u. A itself stays as it was when the panel began, so that every product is one with it,
 * less what [V X] [Y U]^H takes from it. Both products read all of what is behind the panel from memory, block column
 * by block column, a part of a team's work each. */
#include <string.h>
#include "kernels/dense/cpu/vectors.h"
#include "kernels/svd/cpu/labrd.h"

struct panel {
    const struct tw_labrd *p;
    int c;    /* the column of the panel: row and column first + c of the matrix */
    T *slots; /* for each block column a part of A u */
    T *w;     /* two numbers for each column of the panel */
};

/* Row and column of the four, counted from row `first` of the matrix. */
static T *v_at(const struct panel *q, int i, int j)
{
    return TW_AT((T *)q->p->vx, q->p->ldvx, i, j);
}
static T *x_at(const struct panel *q, int i, int j)
{
    return TW_AT((T *)q->p->vx, q->p->ldvx, i, q->p->columns + j);
}
static T *y_at(const struct panel *q, int i, int j)
{
    return TW_AT((T *)q->p->yu, q->p->ldyu, i, j);
}
static T *u_at(const struct panel *q, int i, int j)
{
    return TW_AT((T *)q->p->yu, q->p->ldyu, i, q->p->columns + j);
}

/* Columns of block k behind the panel's column c: how many; skip: those of it before. */
static int block_columns(const struct panel *q, int k, int *skip)
{
    const struct tw_labrd *p = q->p;
    const int begin = p->at_first + k * p->width, from = tw_max(begin, p->first + q->c + 1),
              end = tw_min(begin + p->width, p->n);
    *skip = from - begin;
    return end - from;
}
static const T *block_at(const struct panel *q, int k, int row, int skip)
{
    return TW_AT((const T *)q->p->at[k].ptr, q->p->at[k].ld, row, skip);
}

/* y's elements that block k gives: A(i ..., block)^H v. */
static void left_part(void *args, int k)
{
    const struct panel *q = args;
    const struct tw_labrd *p = q->p;
    int skip;
    const int n = block_columns(q, k, &skip), row = p->first + q->c;

    if (n > 0)
        tw_adjoint_times(p->m - row, n, block_at(q, k, row, skip), p->at[k].ld, v_at(q, q->c, q->c),
                         y_at(q, p->at_first + k * p->width + skip - p->first, q->c));
}
/* Its part of A(i + 1 ..., i + 1 ...) u. */
static void right_part(void *args, int k)
{
    const struct panel *q = args;
    const struct tw_labrd *p = q->p;
    int skip;
    const int n = block_columns(q, k, &skip), row = p->first + q->c + 1, rows = p->m - row;
    T *x = q->slots + (size_t)k * (size_t)rows;

    memset(x, 0, (size_t)rows * sizeof *x);
    if (n > 0)
        tw_add_times(rows, n, 1, block_at(q, k, row, skip), p->at[k].ld,
                     u_at(q, p->at_first + k * p->width + skip - p->first, q->c), x);
}

/* w = the adjoint of a row of `count` columns. */
static const T *conjugates(const struct panel *q, const T *row, int ld, int count)
{
    for (int j = 0; j < count; j++)
        q->w[j] = TW_CONJ(row[(size_t)j * (size_t)ld]);
    return q->w;
}
/* y -= B (C^H x), of as many columns. */
static void take_product(const struct panel *q, int columns, int m, const T *b, int ldb, int n, const T *c, int ldc,
                         const T *x, T *y)
{
    if (columns == 0) return;
    tw_adjoint_times(n, columns, c, ldc, x, q->w);
    tw_add_times(m, columns, -1, b, ldb, q->w, y);
}

/* Column i, from the diagonal down: v, d, tauq. */
static void column(struct panel *q)
{
    const struct tw_labrd *p = q->p;
    const int c = q->c, i = p->first + c, rows = p->m - i;
    T *a = TW_AT((T *)p->at[0].ptr, p->at[0].ld, i, i - p->at_first), *v = v_at(q, 0, c), tau = 0;

    if (c > 0) {
        tw_add_times(rows, c, -1, v_at(q, c, 0), p->ldvx, conjugates(q, y_at(q, c, 0), p->ldyu, c), a);
        tw_add_times(rows, c, -1, x_at(q, c, 0), p->ldvx, conjugates(q, u_at(q, c, 0), p->ldyu, c), a);
    }
    LAPACKE(larfg_work)(rows, a, a + (rows > 1), 1, &tau);
    memset(v, 0, (size_t)c * sizeof *v);
    v[c] = 1;
    memcpy(v + c + 1, a + 1, (size_t)(rows - 1) * sizeof *v);
    ((R *)p->d)[c] = TW_RE(*a);
    ((T *)p->tauq)[c] = tau;
}

/* y = tauq A^H v, of what the reflectors before leave of A. */
static void left_product(struct panel *q, struct tw_team *team)
{
    const struct tw_labrd *p = q->p;
    const int c = q->c, i = p->first + c, rows = p->m - i, n = p->n - 1 - i;
    const T *v = v_at(q, c, c), tau = ((T *)p->tauq)[c];
    T *y = y_at(q, c + 1, c);

    tw_team_run(team, p->blocks, left_part, q);
    take_product(q, c, n, y_at(q, c + 1, 0), p->ldyu, rows, v_at(q, c, 0), p->ldvx, v, y);
    take_product(q, c, n, u_at(q, c + 1, 0), p->ldyu, rows, x_at(q, c, 0), p->ldvx, v, y);
    for (int j = 0; j < n; j++)
        y[j] = tw_mul(tau, y[j]);
}

/* Row i behind the diagonal, as its adjoint: u, e, taup; and where LAPACK has it. */
static void row(struct panel *q)
{
    const struct tw_labrd *p = q->p;
    const int c = q->c, i = p->first + c, n = p->n - 1 - i, own = p->columns - 1 - c;
    T *u = u_at(q, c + 1, c), tau = 0, beta;

    for (int k = 0; k < p->blocks; k++) {
        int skip;
        const int count = block_columns(q, k, &skip), to = p->at_first + k * p->width + skip - i - 1;
        for (int j = 0; j < count; j++)
            u[to + j] = TW_CONJ(*block_at(q, k, i, skip + j));
    }
    tw_add_times(n, c + 1, -1, y_at(q, c + 1, 0), p->ldyu, conjugates(q, v_at(q, c, 0), p->ldvx, c + 1), u);
    if (c > 0) tw_add_times(n, c, -1, u_at(q, c + 1, 0), p->ldyu, conjugates(q, x_at(q, c, 0), p->ldvx, c), u);
    LAPACKE(larfg_work)(n, u, u + (n > 1), 1, &tau);
    beta = *u;
    ((R *)p->e)[c] = TW_RE(beta);
    ((T *)p->taup)[c] = tau;
    for (int j = 0; j < own; j++)
        *TW_AT((T *)p->at[0].ptr, p->at[0].ld, i, i + 1 + j - p->at_first) = TW_CONJ(u[j]);
    memcpy(TW_AT((T *)p->rows, p->ldrows, 0, c), u + own, (size_t)(n - own) * sizeof *u);
    *u = 1;
    memset(u_at(q, 0, c), 0, (size_t)(c + 1) * sizeof *u);
}

/* x = taup A u. */
static void right_product(struct panel *q, struct tw_team *team)
{
    const struct tw_labrd *p = q->p;
    const int c = q->c, i = p->first + c, rows = p->m - 1 - i, n = p->n - 1 - i;
    const T *u = u_at(q, c + 1, c), tau = ((T *)p->taup)[c];
    T *x = x_at(q, c + 1, c);

    tw_team_run(team, p->blocks, right_part, q);
    memcpy(x, q->slots, (size_t)rows * sizeof *x);
    for (int k = 1; k < p->blocks; k++)
        for (int j = 0; j < rows; j++)
            x[j] += q->slots[(size_t)k * (size_t)rows + (size_t)j];
    take_product(q, c + 1, rows, v_at(q, c + 1, 0), p->ldvx, n, y_at(q, c + 1, 0), p->ldyu, u, x);
    take_product(q, c, rows, x_at(q, c + 1, 0), p->ldvx, n, u_at(q, c + 1, 0), p->ldyu, u, x);
    for (int j = 0; j < rows; j++)
        x[j] = tw_mul(tau, x[j]);
}

static void panel(const struct tw_labrd *p, struct tw_team *team, void *work)
{
    struct panel q = {.p = p, .slots = work};

    q.w = q.slots + (size_t)p->blocks * (size_t)(p->m - p->first);
    for (q.c = 0; q.c < p->columns; q.c++) {
        column(&q);
        if (p->first + q.c == p->n - 1) { /* no row behind it */
            ((T *)p->taup)[q.c] = 0;
            break;
        }
        left_product(&q, team);
        row(&q);
        right_product(&q, team);
    }
}

const struct tw_labrd_kernels CPU(labrd) = {panel};
