/* QR of a tall block column by a tree (TSQR: Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU
 * factorizations", SIAM J. Sci. Comput. 34, 2012): every tile is factored by itself, then their triangles are joined in pairs, and so on. Nothing
 * waits for a whole column of the matrix, as LAPACK's reflectors, which reach from top to bottom, must. Stable as Householder's QR is. */
#include <stdlib.h>
#include "algorithms/dense/tree.h"

/* Tiles below which one panel does as well. */
enum { TILES = 4 };

int tw_tree_suits(const struct tw_matrix *A)
{
    return A->nt == 1 && A->mt >= TILES && A->mb >= A->n && tw_gpus() == 0;
}

double tw_tree_elements(tw_int m, tw_int n, tw_int nb)
{
    const tw_int tiles = tw_tiles_along(m, nb), whole = tiles - (m - (tiles - 1) * nb < n);

    if (n > nb || tiles < TILES || tw_gpus() > 0) return 0;
    return (double)n * ((double)whole * (double)n + (double)(tiles - 1) * tw_tpqrt_block((int)n));
}

int tw_tree_begin(struct tw_sequence *seq, struct tw_tree *t, struct tw_matrix *A)
{
    *t = (struct tw_tree){.seq = seq, .A = A, .T = calloc(2 * (size_t)A->mt, sizeof *t->T)};
    if (!t->T) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a tree over %d tiles", A->mt);
        return -1;
    }
    t->joint = t->T + A->mt;
    return 0;
}

void tw_tree_end(struct tw_tree *t)
{
    for (int i = 0; t->T && i < 2 * t->A->mt; i++)
        if (t->T[i]) tw_data_free_later(t->T[i]);
    free(t->T);
    t->T = NULL;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------ */

/* A last tile with fewer rows than columns has no triangle: the one above takes it as it is, first of all. */
static int whole_tiles(const struct tw_matrix *A)
{
    return A->mt - (tw_tile_rows(A, A->mt - 1) < A->n);
}

static int levels(int tiles)
{
    int count = 0;
    while (1 << count < tiles)
        count++;
    return count;
}

/* Deeper levels first: what is joined last is waited for longest. */
static int priority(const struct tw_tree *t, int level)
{
    return tw_priority(t->seq, levels(t->A->mt) + 2 - level, levels(t->A->mt) + 2, 1);
}

static struct tw_data *memory(const struct tw_tree *t, struct tw_data **T, int m)
{
    const int n = (int)t->A->n;

    if (!*T && !(*T = tw_data_tile(t->A->type, m, n)))
        tw_loop_fail(t->seq, TW_E_MEMORY, "no memory for a tree over %d tiles", t->A->mt);
    return *T;
}

/* Of tile `below`, joined to `above`: rows and trapezoid. */
static void shape_of(const struct tw_tree *t, int below, int *m, int *l)
{
    const int n = (int)t->A->n;
    *m = below < whole_tiles(t->A) ? n : tw_tile_rows(t->A, below);
    *l = below < whole_tiles(t->A) ? n : 0;
}

static void reflect(const struct tw_tree *t, int level, char op, int i, struct tw_matrix *X)
{
    for (int j = 0; X && j < X->nt; j++)
        tw_task_gemqrt(t->seq, priority(t, level), op, tw_tile(t->A, i, 0), t->T[i], tw_tile(X, i, j));
}
static void reflect_joint(const struct tw_tree *t, int level, char op, int above, int below, struct tw_matrix *X)
{
    int m, l;

    shape_of(t, below, &m, &l);
    for (int j = 0; X && j < X->nt; j++)
        tw_task_tpmqrt(t->seq, priority(t, level), op, m, l, tw_tile(t->A, below, 0), t->joint[below],
                       tw_tile(X, above, j), tw_tile(X, below, j));
}

static int join(struct tw_tree *t, int level, int above, int below, struct tw_matrix *X)
{
    int m, l;

    shape_of(t, below, &m, &l);
    if (!memory(t, &t->joint[below], tw_tpqrt_block((int)t->A->n))) return -1;
    tw_task_tpqrt(t->seq, priority(t, level), m, l, tw_tile(t->A, above, 0), tw_tile(t->A, below, 0), t->joint[below]);
    reflect_joint(t, level, 'C', above, below, X);
    return 0;
}

void tw_tree_factor_loop(struct tw_tree *t, struct tw_matrix *X)
{
    const int tiles = whole_tiles(t->A);

    for (int i = 0; i < tiles; i++) {
        if (!memory(t, &t->T[i], (int)t->A->n)) return;
        tw_task_geqrt(t->seq, priority(t, 0), tw_tile(t->A, i, 0), t->T[i]);
        reflect(t, 0, 'C', i, X);
    }
    if (tiles < t->A->mt && join(t, 0, tiles - 1, tiles, X)) return;
    for (int step = 1, level = 1; step < tiles; step *= 2, level++)
        for (int i = 0; i + step < tiles; i += 2 * step)
            if (join(t, level, i, i + step, X)) return;
}

void tw_tree_apply_loop(const struct tw_tree *t, struct tw_matrix *X)
{
    const int tiles = whole_tiles(t->A), top = levels(tiles);

    for (int level = top; level > 0; level--) {
        const int step = 1 << (level - 1);
        for (int i = 0; i + step < tiles; i += 2 * step)
            reflect_joint(t, top - level, 'N', i, i + step, X);
    }
    if (tiles < t->A->mt) reflect_joint(t, top, 'N', tiles - 1, tiles, X);
    for (int i = 0; i < tiles; i++)
        reflect(t, top, 'N', i, X);
}
