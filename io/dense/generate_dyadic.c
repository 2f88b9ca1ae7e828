/* dyadic: A = P^T L U whose LU factorization is exact in every type, in whatever order it is computed, and full of
 * ties.
 *
 * Elements of L are 0, 1/2 or as large as a multiplier can be, in LAPACK's measure of magnitude: ties with the pivot;
 * those of U powers of two (1/2, 1, 2) times a sign or a unit, complex pivots also times 1 + i, where equal |re| + |im|
 * are no equal moduli. A column of U has its diagonal and three others. So every Schur complement is a sum of at most
 * four small multiples of 1/8. Rows have levels 0, 1, 2 and depend on rows of lower levels only: (L - I)^3 = 0, and
 * inverses of L's blocks are small and exact, too.
 *
 * Pivoting takes the first of equal candidates. Rows a < b of disjoint pairs, from the seed, are exchanged at step a:
 * the table below has each row's partner (itself if none). At step k rows before the pivot's must be smaller:
 * kernels/dense/cpu/generate_dyadic_common.c. */
#include <stdlib.h>

#include "io/dense/generate.h"

enum { SHUFFLE = -2, PAIRS = -3, LEVELS = -4 }; /* columns of random numbers that no entry uses */

static void pair(const tw_generator *g, tw_int a, tw_int b, double *partner)
{
    if (tw_min(a, b) >= tw_min(g->m, g->n) || tw_hash(g->stream[0], a, PAIRS) % 4 == 0) return;
    partner[a] = (double)b;
    partner[b] = (double)a;
}

int tw_setup_dyadic(tw_generator *g, const char *parameters)
{
    int e;

    if (parameters) return tw_kind_fail(g, "it takes no parameters, but \"%.200s\" was given", parameters);
    double *order = tw_io_alloc("kind \"dyadic\": its order of rows", g->m, sizeof *order, &e);
    if (!order) return e;
    if (!(g->work = tw_io_alloc("kind \"dyadic\": its table", g->m, 2 * sizeof *g->work, &e))) {
        free(order);
        return e;
    }
    for (tw_int i = 0; i < g->m; i++) {
        const tw_int k = (tw_int)(tw_hash(g->stream[0], i, SHUFFLE) % (uint64_t)(i + 1));
        order[i] = order[k];
        order[k] = (double)i;
        g->work[i] = (double)i;
        g->work[g->m + i] = (double)(tw_hash(g->stream[0], i, LEVELS) % 3);
    }
    for (tw_int i = 0; i + 1 < g->m; i += 2)
        pair(g, (tw_int)order[i], (tw_int)order[i + 1], g->work);
    free(order);
    return 0;
}
