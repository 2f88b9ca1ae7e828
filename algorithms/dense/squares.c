/* C by growing squares: see squares.h. */
#include "algorithms/dense/squares.h"
#include "runtime/data/travel.h"

enum { FIRST = 6, TOGETHER = 8 }; /* steps whose chains all go on side by side; later chains, of each GPU */

/* So many of `tiles` rows or columns are in the square of this step. */
static int reached(const struct tw_squares *q, int tiles, int step)
{
    return (int)(((int64_t)(step + 1) * tiles + q->steps - 1) / q->steps);
}

static int stored(const struct tw_squares *q, int i, int j)
{
    return q->part == 'G' || (q->part == 'L' ? i >= j : i <= j);
}

struct tw_squares tw_squares_begin(struct tw_sequence *seq, const struct tw_matrix *C, char part, int links)
{
    struct tw_squares q = {
        .seq = seq, .C = C, .mt = C->mt, .nt = C->nt, .links = links, .part = part, .gpus = tw_travels()};
    const int64_t tiles = part == 'G' ? (int64_t)C->mt * C->nt : (int64_t)C->nt * (C->nt + 1) / 2;

    q.steps = (int)tw_max(C->mt, C->nt);
    q.step = -1, q.i = -1;
    q.groups = (int)tw_min(1 << 20, 2 + tiles / (TOGETHER * tw_max(q.gpus, 1)));
    return q;
}

/* The next tile of the squares, stored or not. */
static int next(struct tw_squares *q)
{
    q->i++;
    while (q->i >= q->r1) { /* at the end of a column */
        if (++q->j >= q->c1) {
            if (++q->step >= q->steps) return 0;
            q->r0 = q->r1, q->c0 = q->c1, q->j = 0;
            q->r1 = reached(q, q->mt, q->step), q->c1 = reached(q, q->nt, q->step);
        }
        q->i = q->j < q->c0 ? q->r0 : 0;
    }
    return 1;
}

int tw_squares_next(struct tw_squares *q)
{
    do {
        if (!next(q)) return 0;
    } while (!stored(q, q->i, q->j));
    if (q->step >= FIRST && q->later++ % (TOGETHER * tw_max(q->gpus, 1)) == 0) q->group++;
    return 1;
}

int tw_squares_priority(const struct tw_squares *q, int k)
{
    const double left = (double)(q->links - k) / q->links;

    return q->gpus > 0 ? tw_priority(q->seq, q->groups - 1 - q->group + left, q->groups, 0)
                       : tw_priority(q->seq, left, 1, 0);
}

/* ---- ahead of the tasks ------------------------------------------------------------------------------------------ */

/* Rows of L and columns of R that steps from … to - 1 add. Those of the first steps link by link, as their chains go
 * on, the others line by line. */
static void fetch(struct tw_squares *q, struct tw_factor L, struct tw_factor R, int from, int to, int turn)
{
    const int r0 = from > 0 ? reached(q, q->mt, from - 1) : 0, r1 = reached(q, q->mt, to - 1),
              c0 = from > 0 ? reached(q, q->nt, from - 1) : 0, c1 = reached(q, q->nt, to - 1);

    for (int k = 0; k < q->links; k++) {
        for (int i = r0; L.M && i < r1; i++)
            tw_fetch_tile(q->seq, tw_factor_tile(L, i, k), turn + k);
        for (int j = c0; R.M && j < c1; j++)
            tw_fetch_tile(q->seq, tw_factor_tile(R, k, j), turn + k);
    }
}

void tw_squares_fetch(struct tw_squares *q, struct tw_factor L, struct tw_factor R)
{
    if (q->gpus == 0 || q->asked >= q->steps) return;
    if (q->asked == 0) {
        if (!tw_fetch_helps(q->seq, (const struct tw_matrix *[]){L.M, R.M, q->C}, 3)) {
            q->asked = q->steps;
            return;
        }
        q->asked = (int)tw_min(FIRST, q->steps);
        fetch(q, L, R, 0, q->asked, 0);
    }
    if (q->asked < tw_min(q->steps, q->step + 2)) { /* twice as far each time: most of the requests' time falls beside
                                                       running tasks */
        const int to = (int)tw_min(q->steps, 2 * q->step + 4);
        for (; q->asked < to; q->asked++)
            fetch(q, L, R, q->asked, q->asked + 1, q->asked * q->links);
    }
}
