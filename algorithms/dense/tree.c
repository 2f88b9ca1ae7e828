/* QR by trees of tiles (TSQR, CAQR: Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU factorizations",
 * SIAM J. Sci. Comput. 34, 2012; the tiles and their kernels: Buttari, Langou, Kurzak, Dongarra, "A class of parallel tiled linear algebra algorithms for
 * multicore architectures", Parallel Computing 35, 2009; domains: Hadri, Ltaief, Agullo, Dongarra, IPDPS 2010). Nothing waits for a whole column of the
 * matrix, as LAPACK's reflectors, which reach from top to bottom, must. Stable as Householder's QR is. */
#include "algorithms/dense/tree.h"
#include <math.h>
#include <stdlib.h>

/* How many times as many tiles on top of each other as side by side it takes for a panel not to do as well: where there is one block column, and where there are more. On two cores least
 * squares by trees took 0.4 to 0.7 of the time by panels with 800 tiles by 1, 3100 by 4 and 160 by 8, and 1.1 to 1.3 with 80 by 8. */
enum { NARROW = 4, WIDE = 16 };

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

static int is_tall(tw_int m, tw_int n, tw_int mb)
{
    const tw_int wide = tw_tiles_along(n, mb);
    return tw_tiles_along(m, mb) >= (wide > 1 ? WIDE * wide : NARROW) && tw_gpus() == 0;
}

int tw_tree_suits(const struct tw_matrix *A)
{
    return A->n > 0 && (A->nt == 1 ? A->mb >= A->n : A->mb == A->nb) && is_tall(A->m, A->n, A->mb);
}

tw_int tw_tree_nb(const struct tw_sizes *s, tw_int nb)
{
    const tw_int least = s->n <= 128 ? 128 : 256;
    return !tw_wants_reproducible() && nb < least && s->n > 0 && is_tall(s->m, s->n, least) ? least : nb;
}

tw_int tw_tree_rows(const struct tw_matrix *A)
{
    return A->nt == 1 && A->mb >= A->n ? A->mb : A->nb;
}

/* Domains of equal length, as nearly as that goes: their number is what T's shape tells. */
static tw_int domains_of(tw_int tiles, tw_int domain)
{
    return domain > 0 ? (tiles + domain - 1) / domain : 1;
}

/* Every worker has one at least, a few more where there are many tiles: what is one domain's goes one after the other. Of many block columns the products
 * beside a panel are enough for all. In reproducible mode nothing but the shape decides. */
static tw_int chosen(tw_int tiles, tw_int wide)
{
    const struct tw_workers w = tw_workers_now();
    const tw_int workers = tw_reproducible() ? 8 : tw_max(1, w.cores + w.streams),
                 domains = tw_max(1, 4 * workers / tw_max(1, wide));
    return tw_max(1, (tiles + domains - 1) / domains);
}

static struct tw_tree_shape shape(tw_int m, tw_int n, tw_int mb, tw_int nb, tw_int domain)
{
    const tw_int k = tw_min(m, n), block = tw_tpqrt_block((int)tw_max(1, tw_min(nb, k)));
    const tw_int tiles = tw_tiles_along(m, mb), wide = tw_tiles_along(n, nb);

    return (struct tw_tree_shape){(tiles + domains_of(tiles, domain ? domain : chosen(tiles, wide))) * block, k, block,
                                  nb};
}

struct tw_tree_shape tw_tree_shape(const struct tw_matrix *A, tw_int domain)
{
    return shape(A->m, A->n, tw_tree_rows(A), A->nb, domain);
}

double tw_tree_bytes(const struct tw_sizes *z, tw_int nb)
{
    const struct tw_tree_shape s = shape(z->m, z->n, nb, nb, 0);
    const double tiles = (double)(s.m / s.mb), width = (double)nb, size = (double)tw_sizeof(z->type),
                 rest = (double)(s.n % nb);
    return tiles *
           ((double)(s.n / nb) * ceil((double)s.mb * width * size / 256) + ceil((double)s.mb * rest * size / 256)) *
           256;
}

double tw_tree_elements(tw_int m, tw_int n, tw_int nb)
{
    const struct tw_tree_shape s = shape(m, n, nb, nb, 0);
    return n > 0 && is_tall(m, n, nb) ? (double)s.m * (double)s.n : 0;
}

/* ---- a panel's steps ---------------------------------------------------------------------------------------------------- */

struct tw_tree_step {
    int above; /* the tile on top; -1: a tile is factored by itself */
    int tile;  /* its row of tiles */
    int slot;  /* T's row of tiles */
    int m, l;  /* rows of the lower one, and how many are a trapezoid */
    int depth; /* steps before it */
};

int tw_tree_begin(struct tw_sequence *seq, struct tw_tree *t, struct tw_matrix *A, struct tw_matrix *T)
{
    const struct tw_tree_shape s = tw_tree_shape(A, 0);

    *t = (struct tw_tree){.seq = seq, .A = A, .T = T, .own = !T, .panels = (int)tw_min(A->mt, A->nt)};
    t->step = malloc(2 * ((size_t)A->mt + 1) * sizeof *t->step);
    if (!T) t->T = tw_matrix_temporary(A->type, s.m, s.n, s.mb, s.nb);
    if (!t->T || !t->step) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a tree over %d x %d tiles", A->mt, A->nt);
        return -1;
    }
    t->domain = t->T->mt > A->mt ? (A->mt + t->T->mt - A->mt - 1) / (t->T->mt - A->mt) : 1;
    return 0;
}

void tw_tree_end(struct tw_tree *t)
{
    free(t->step);
    if (t->own && t->T) tw_matrix_free_later(t->T);
    t->T = NULL;
}

/* The deepest there can be. */
static int depth(const struct tw_tree *t)
{
    int count = t->domain + 1;
    for (int domains = 1; domains < domains_of(t->A->mt, t->domain); domains *= 2)
        count++;
    return count;
}

/* Those of panel k, each behind those that it needs. A last tile with fewer rows than columns has no triangle: it is the last domain's last one. */
static int steps(const struct tw_tree *t, int k)
{
    const struct tw_matrix *A = t->A;
    const int n = tw_tile_cols(A, k), last = A->mt - 1, whole = A->mt - (last > k && tw_tile_rows(A, last) < n);
    const int heads = (int)domains_of(whole - k, t->domain);
    struct tw_tree_step *s = t->step;

    for (int x = 0; x < heads; x++)
        *s++ = (struct tw_tree_step){-1, k + x * t->domain, A->mt + x, 0, 0, 0};
    for (int within = 1; within <= t->domain; within++)
        for (int x = 0; x < heads; x++) {
            const int head = k + x * t->domain, tile = head + within,
                      end = x + 1 < heads ? head + t->domain : A->mt; /* the short one, too */
            if (tile < end) *s++ = (struct tw_tree_step){head, tile, tile, tw_tile_rows(A, tile), 0, within};
        }
    for (int step = 1, level = 1; step < heads; step *= 2, level++)
        for (int x = 0; x + step < heads; x += 2 * step) {
            const int tile = k + (x + step) * t->domain;
            *s++ = (struct tw_tree_step){k + x * t->domain, tile, tile, n, n, t->domain + level};
        }
    return (int)(s - t->step);
}

/* ---- tasks -------------------------------------------------------------------------------------------------------------- */

/* Of what happens at that depth of panel k to block column `line`: what is left until that is a panel, and behind it. */
static int priority(const struct tw_tree *t, int k, int line, int at)
{
    const double panel = depth(t) + 1, until = tw_min(line, t->panels) - k;
    return tw_priority(t->seq, (t->panels - k) * panel - until * panel / 2 - at * (until > 0 ? 0.5 : 1),
                       t->panels * panel, line == k);
}

static void factor(const struct tw_tree *t, const struct tw_tree_step *s, int k)
{
    struct tw_data *own = tw_tile(t->A, s->tile, k), *T = tw_tile(t->T, s->slot, k);

    if (s->above < 0)
        tw_task_geqrt(t->seq, priority(t, k, k, s->depth), own, T);
    else
        tw_task_tpqrt(t->seq, priority(t, k, k, s->depth), s->m, s->l, tw_tile(t->A, s->above, k), own, T);
}

static void apply(const struct tw_tree *t, const struct tw_tree_step *s, int k, char side, char op,
                  const struct tw_matrix *C, int line, int priority_)
{
    struct tw_data *V = tw_tile(t->A, s->tile, k), *T = tw_tile(t->T, s->slot, k),
                   *D = side == 'L' ? tw_tile(C, s->tile, line) : tw_tile(C, line, s->tile);

    if (s->above < 0)
        tw_task_gemqrt(t->seq, priority_, side, op, V, T, D);
    else
        tw_task_tpmqrt(t->seq, priority_, side, op, s->m, s->l, V, T,
                       side == 'L' ? tw_tile(C, s->above, line) : tw_tile(C, line, s->above), D);
}

void tw_tree_factor_loop(struct tw_tree *t, struct tw_matrix *X)
{
    const struct tw_matrix *A = t->A;

    for (int k = 0; k < t->panels && !tw_loop_status(t->seq); k++) {
        const int count = steps(t, k);
        for (const struct tw_tree_step *s = t->step; s < t->step + count; s++) {
            factor(t, s, k);
            for (int j = k + 1; j < A->nt; j++)
                apply(t, s, k, 'L', 'C', A, j, priority(t, k, j, s->depth));
            for (int j = 0; X && j < X->nt; j++)
                apply(t, s, k, 'L', 'C', X, j, priority(t, k, t->panels, s->depth));
        }
        for (int i = k; i < A->mt; i++)
            tw_bring_home(t->seq, tw_tile(A, i, k));
        for (int j = k + 1; j < A->nt; j++)
            tw_bring_home(t->seq, tw_tile(A, k, j));
    }
}

void tw_tree_apply_loop(const struct tw_tree *t, char side, char op, struct tw_matrix *C, int identity)
{
    const int forward = (side == 'L') == (op == 'C'), lines = side == 'L' ? C->nt : C->mt;

    for (int p = 0; p < t->panels && !tw_loop_status(t->seq); p++) {
        const int k = forward ? p : t->panels - 1 - p, count = steps(t, k),
                  first = identity ? (int)((tw_int)k * t->A->nb / C->nb) : 0;
        for (int x = 0; x < count; x++) {
            const struct tw_tree_step *s = &t->step[forward ? x : count - 1 - x];
            for (int j = first; j < lines; j++)
                apply(t, s, k, side, op, C, j, tw_priority(t->seq, t->panels - p, t->panels, 0));
        }
    }
}
