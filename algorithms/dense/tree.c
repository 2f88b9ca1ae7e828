/* QR and LQ by trees of tiles (TSQR, CAQR: Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and
 * sequential QR and LU factorizations", SIAM J. Sci. Comput. 34, 2012; the tiles and their kernels: Buttari, Langou,
 * Kurzak, Dongarra, "A class of parallel tiled linear algebra algorithms for multicore architectures", Parallel
 * Computing 35, 2009; domains: Hadri, Ltaief, Agullo, Dongarra, IPDPS 2010). Nothing waits for a whole column of the
 * matrix, as LAPACK's reflectors, which reach from top to bottom, must. Stable as Householder's QR is. */
#include "algorithms/dense/tree.h"
#include <math.h>
#include <stdlib.h>
#include "runtime/data/grid.h"

/* How many times as many tiles on top of each other as side by side it takes for a panel not to do as well: where there
 * is one block column, and where there are more. On two cores least squares by trees took 0.4 to 0.7 of the time by
 * panels with 800 tiles by 1, 3100 by 4 and 160 by 8, and 1.1 to 1.3 with 80 by 8. */
enum { NARROW = 4, WIDE = 16 };

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static int is_tall(tw_int m, tw_int n, tw_int mb)
{
    const tw_int wide = tw_tiles_along(n, mb);
    return tw_tiles_along(m, mb) >= (wide > 1 ? WIDE * wide : NARROW) && tw_gpus() == 0;
}

/* A, or its adjoint, as QR has it. */
struct view {
    tw_int m, n, mb, nb;
};
static struct view view(const struct tw_matrix *A, char storev)
{
    return storev == 'C' ? (struct view){A->m, A->n, A->mb, A->nb} : (struct view){A->n, A->m, A->nb, A->mb};
}
/* Rows of a tile where A is cut. */
static tw_int rows_of(const struct view *v)
{
    return tw_tiles_along(v->n, v->nb) == 1 && v->mb >= v->n ? v->mb : v->nb;
}

int tw_tree_suits(const struct tw_matrix *A, char storev)
{
    const struct view v = view(A, storev);
    return v.n > 0 && (rows_of(&v) == v.mb) && is_tall(v.m, v.n, v.mb);
}

tw_int tw_tree_nb(const struct tw_sizes *s, tw_int nb)
{
    const tw_int m = tw_max(s->m, s->n), n = tw_min(s->m, s->n), least = n <= 128 ? 128 : 256;
    return !tw_wants_reproducible() && nb < least && n > 0 && is_tall(m, n, least) ? least : nb;
}

struct tw_matrix *tw_tree_cut(struct tw_sequence *seq, struct tw_matrix *A, char storev)
{
    const struct view v = view(A, storev);
    return storev == 'C' ? tw_retiled(seq, A, rows_of(&v), v.nb) : tw_retiled(seq, A, v.nb, rows_of(&v));
}

int tw_tree_tiles(const struct tw_matrix *A, char storev)
{
    const struct view v = view(A, storev);
    return (int)tw_tiles_along(v.m, rows_of(&v));
}

/* Domains of equal length, as nearly as that goes: their number is what T's shape tells. */
static tw_int domains_of(tw_int tiles, tw_int domain)
{
    return domain > 0 ? (tiles + domain - 1) / domain : 1;
}

/* Every worker has one at least, a few more where there are many tiles: what is one domain's goes one after the other.
 * Of many block columns the products beside a panel are enough for all. In reproducible mode nothing but the shape
 * decides. */
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

struct tw_tree_shape tw_tree_shape(const struct tw_matrix *A, char storev, tw_int domain)
{
    const struct view v = view(A, storev);
    return shape(v.m, v.n, rows_of(&v), v.nb, domain);
}

double tw_tree_bytes(const struct tw_sizes *z, tw_int nb)
{
    const struct tw_tree_shape s = shape(z->m, z->n, nb, nb, 0);
    return tw_matrix_bytes(&(struct tw_shape){z->type, TW_GENERAL, s.m, s.n, s.mb, nb, 0, 0, 0});
}

double tw_tree_elements(tw_int m, tw_int n, tw_int nb)
{
    const tw_int most = tw_max(m, n), least = tw_min(m, n);
    const struct tw_tree_shape s = shape(most, least, nb, nb, 0);
    return least > 0 && is_tall(most, least, nb) ? (double)s.m * (double)s.n : 0;
}

/* ---- a panel's steps --------------------------------------------------------------------------------------------- */

struct tw_tree_step {
    int above; /* the tile on top; -1: a tile is factored by itself */
    int tile;  /* its row of tiles */
    int slot;  /* T's row of tiles */
    int m, l;  /* rows of the lower one, and how many are a trapezoid */
    int depth; /* steps before it */
};

/* Tiles of A, or of its adjoint: i down, k across; how many there are, and their rows and columns. */
static struct tw_data *tile_of(const struct tw_tree *t, int i, int k)
{
    return t->storev == 'C' ? tw_tile(t->A, i, k) : tw_tile(t->A, k, i);
}
static int tiles_down(const struct tw_tree *t)
{
    return t->storev == 'C' ? t->A->mt : t->A->nt;
}
static int tiles_across(const struct tw_tree *t)
{
    return t->storev == 'C' ? t->A->nt : t->A->mt;
}
static int rows(const struct tw_tree *t, int i)
{
    return t->storev == 'C' ? tw_tile_rows(t->A, i) : tw_tile_cols(t->A, i);
}
static int columns(const struct tw_tree *t, int k)
{
    return t->storev == 'C' ? tw_tile_cols(t->A, k) : tw_tile_rows(t->A, k);
}

int tw_tree_begin(struct tw_sequence *seq, struct tw_tree *t, char storev, struct tw_matrix *A, struct tw_matrix *T)
{
    const struct tw_tree_shape s = tw_tree_shape(A, storev, 0);
    int down;

    *t = (struct tw_tree){.seq = seq, .storev = storev, .A = A, .T = T, .own = !T, .panels = (int)tw_min(A->mt, A->nt)};
    down = tiles_down(t);
    t->step = malloc(2 * ((size_t)down + 1) * sizeof *t->step);
    if (!T) t->T = tw_matrix_temporary(A->type, s.m, s.n, s.mb, s.nb);
    if (!t->T || !t->step) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a tree over %d x %d tiles", A->mt, A->nt);
        return -1;
    }
    t->domain = t->T->mt > down ? (down + t->T->mt - down - 1) / (t->T->mt - down) : 1;
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
    for (int domains = 1; domains < domains_of(tiles_down(t), t->domain); domains *= 2)
        count++;
    return count;
}

/* Those of panel k, each behind those that it needs. A last tile with fewer rows than columns has no triangle: it is
 * the last domain's last one. */
static int steps(const struct tw_tree *t, int k)
{
    const int n = columns(t, k), down = tiles_down(t), last = down - 1, whole = down - (last > k && rows(t, last) < n);
    const int heads = (int)domains_of(whole - k, t->domain);
    struct tw_tree_step *s = t->step;

    for (int x = 0; x < heads; x++)
        *s++ = (struct tw_tree_step){-1, k + x * t->domain, down + x, 0, 0, 0};
    for (int within = 1; within <= t->domain; within++)
        for (int x = 0; x < heads; x++) {
            const int head = k + x * t->domain, tile = head + within,
                      end = x + 1 < heads ? head + t->domain : down; /* the short one, too */
            if (tile < end) *s++ = (struct tw_tree_step){head, tile, tile, rows(t, tile), 0, within};
        }
    for (int step = 1, level = 1; step < heads; step *= 2, level++)
        for (int x = 0; x + step < heads; x += 2 * step) {
            const int tile = k + (x + step) * t->domain;
            *s++ = (struct tw_tree_step){k + x * t->domain, tile, tile, n, n, t->domain + level};
        }
    return (int)(s - t->step);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* Of what happens at that depth of panel k to block column `line`: what is left until that is a panel, and behind
 * it. */
static int priority(const struct tw_tree *t, int k, int line, int at)
{
    const double panel = depth(t) + 1, until = tw_min(line, t->panels) - k;
    return tw_priority(t->seq, (t->panels - k) * panel - until * panel / 2 - at * (until > 0 ? 0.5 : 1),
                       t->panels * panel, line == k);
}

static void factor(const struct tw_tree *t, const struct tw_tree_step *s, int k)
{
    struct tw_data *own = tile_of(t, s->tile, k), *T = tw_tile(t->T, s->slot, k);

    if (s->above < 0)
        tw_task_geqrt(t->seq, priority(t, k, k, s->depth), t->storev, own, T);
    else
        tw_task_tpqrt(t->seq, priority(t, k, k, s->depth), t->storev, s->m, s->l, tile_of(t, s->above, k), own, T);
}

static void apply(const struct tw_tree *t, const struct tw_tree_step *s, int k, char side, char op,
                  const struct tw_matrix *C, int line, int priority_)
{
    struct tw_data *V = tile_of(t, s->tile, k), *T = tw_tile(t->T, s->slot, k),
                   *D = side == 'L' ? tw_tile(C, s->tile, line) : tw_tile(C, line, s->tile);

    if (s->above < 0)
        tw_task_gemqrt(t->seq, priority_, t->storev, side, op, V, T, D);
    else
        tw_task_tpmqrt(t->seq, priority_, t->storev, side, op, s->m, s->l, V, T,
                       side == 'L' ? tw_tile(C, s->above, line) : tw_tile(C, line, s->above), D);
}

/* A's further columns become Q^H times them; of an adjoint its further rows them times Q. */
void tw_tree_factor_loop(struct tw_tree *t, struct tw_matrix *X)
{
    const int across = tiles_across(t), down = tiles_down(t), qr = t->storev == 'C';

    for (int k = 0; k < t->panels && !tw_loop_status(t->seq); k++) {
        const int count = steps(t, k);
        for (const struct tw_tree_step *s = t->step; s < t->step + count; s++) {
            factor(t, s, k);
            for (int j = k + 1; j < across; j++)
                apply(t, s, k, qr ? 'L' : 'R', qr ? 'C' : 'N', t->A, j, priority(t, k, j, s->depth));
            for (int j = 0; X && j < X->nt; j++)
                apply(t, s, k, 'L', 'C', X, j, priority(t, k, t->panels, s->depth));
        }
        for (int i = k; i < down; i++)
            tw_bring_home(t->seq, tile_of(t, i, k));
        for (int j = k + 1; j < across; j++)
            tw_bring_home(t->seq, tile_of(t, k, j));
    }
}

void tw_tree_apply_loop(const struct tw_tree *t, char side, char op, struct tw_matrix *C, int identity)
{
    const int forward = (side == 'L') == (op == 'C'), lines = side == 'L' ? C->nt : C->mt;
    const tw_int width = t->storev == 'C' ? t->A->nb : t->A->mb;

    for (int p = 0; p < t->panels && !tw_loop_status(t->seq); p++) {
        const int k = forward ? p : t->panels - 1 - p, count = steps(t, k),
                  first = identity ? (int)((tw_int)k * width / (side == 'L' ? C->nb : C->mb)) : 0;
        for (int x = 0; x < count; x++) {
            const struct tw_tree_step *s = &t->step[forward ? x : count - 1 - x];
            for (int j = first; j < lines; j++)
                apply(t, s, k, side, op, C, j, tw_priority(t->seq, t->panels - p, t->panels, 0));
        }
    }
}
