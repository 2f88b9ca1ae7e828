/* Stage 1 of the reduction to bidiagonal form, A = U1 (B; 0) V1^H with an upper triangular band matrix B, by QR and LQ
 * panels of b columns and rows in turn: no product with single vectors (Grosser, Lang, "Efficient parallel reduction to
 * bidiagonal form", Parallel Computing 25, 1999).
 *
 * The width b of the band has nothing to do with the order nb of the tiles. A step's column and row are taken out of
 * the tiles already less the update of the step before it (ge2tb_gather.c), so that they are factored while that update
 * goes on; and both of a step's updates are one, so that A is read three times a step and written once. */
#include <stdlib.h>
#include "algorithms/svd/svd_loops.h"

int tw_ge2tb_begin(struct tw_sequence *seq, struct tw_ge2tb *q, tw_int m, tw_int n, int b)
{
    const tw_int panels = (n + b - 1) / b;

    *q = (struct tw_ge2tb){.m = m, .n = n, .b = b, .panels = (int)panels};
    q->V = calloc(4 * (size_t)panels + 1, sizeof *q->V);
    if (!q->V) {
        tw_loop_fail(seq, TW_E_MEMORY, "ge2tb: no memory for %lld panels", (long long)panels);
        return -1;
    }
    q->T = q->V + panels, q->W = q->T + panels, q->S = q->W + panels;
    return 0;
}

static void let_go(struct tw_data **d)
{
    if (*d) tw_data_free_later(*d);
    *d = NULL;
}

void tw_ge2tb_end(struct tw_ge2tb *q)
{
    for (int p = 0; q->V && p < 4 * q->panels; p++)
        let_go(&q->V[p]);
    free(q->V);
    q->V = NULL;
}

/* One reduction. */
struct reduction {
    struct tw_sequence *seq;
    struct tw_ge2tb *q;
    struct tw_matrix *A;
    struct tw_band *B;
    struct tw_data **list; /* tiles of a column or row, or pieces of X and Y */
    struct tw_ge2tb_pending pending;
    int left, right;
};
/* Levels in panels: what is left of them. */
#define PRIORITY(r, p, panel_) tw_priority((r)->seq, (r)->q->panels + 1 - (p), (r)->q->panels + 1, panel_)

static void *no_memory(const struct reduction *r, tw_int m, int n)
{
    tw_loop_fail(r->seq, TW_E_MEMORY, "ge2tb: no memory for %lld x %d elements", (long long)m, n);
    return NULL;
}

/* Of panels, which become shorter: their copies ask for memory in few sizes. NULL without memory, and then the sequence
 * has failed. */
static struct tw_data *tall(const struct reduction *r, tw_int m, int n)
{
    struct tw_data *d = tw_data_tile(r->A->type, (int)m, n);
    tw_int step = 1;

    if (!d) return no_memory(r, m, n);
    while (step <= m / 8)
        step *= 2;
    d->room = (size_t)((m + step - 1) / step * step) * (size_t)n * d->elemsize;
    return d;
}

/* A step: from (c, c) on, k columns and rows; what is left of A begins at (c + k, c + k). */
struct step {
    int p, k;
    tw_int c;
    struct tw_trailing t;
    int first; /* the tile row and column in which that lies */
    struct tw_data *P, *G, *W, *S, *V, *T;
};

static void let_pieces_go(struct reduction *r, int count)
{
    while (count-- > 0)
        let_go(&r->list[count]);
}

/* X' = A^H V ('C') or Y' = A W ('N') in pieces, one for each tile column or row of what is left. How many, or -1. */
static int multiply(struct reduction *r, const struct step *s, char op, struct tw_data *V)
{
    struct tw_matrix *A = r->A;
    const int plain = op == 'N', lines = (plain ? A->mt : A->nt) - s->first, terms = plain ? A->nt : A->mt;

    for (int i = 0; i < lines; i++) {
        const int I = s->first + i;
        const tw_int rows = (plain ? tw_tile_rows(A, I) : tw_tile_cols(A, I)) - tw_trailing_skip(&s->t, I);
        if (!(r->list[i] = tall(r, rows, V->n))) {
            let_pieces_go(r, i);
            return -1;
        }
    }
    for (int i = 0; i < lines; i++)
        for (int K = s->first; K < terms; K++)
            tw_task_trailing_multiply(r->seq, PRIORITY(r, s->p, 1), &s->t, op, 0, plain ? 0 : s->k,
                                      plain ? tw_tile(A, s->first + i, K) : tw_tile(A, K, s->first + i), V,
                                      K == s->first, r->list[i]);
    return lines;
}

static int factor(struct reduction *r, const struct step *s, struct tw_data *P, struct tw_data **V, struct tw_data **T)
{
    const int k = (int)tw_min(P->m, P->n);
    struct tw_data *tau = tw_data_tile(r->A->type, k, 1);

    *V = tall(r, P->m, k);
    *T = tw_data_tile(r->A->type, k, k);
    if (tau && *T && *V)
        tw_task_geqrf(r->seq, PRIORITY(r, s->p, 1), 'C', &P, 1, tau, *V, *T);
    else
        no_memory(r, P->m, k);
    let_go(&tau);
    return tw_loop_status(r->seq);
}

/* The row is factored, and what both of the step's reflectors do to the rest of A is made ready. */
static void factor_row(struct reduction *r, struct step *s)
{
    const int l = (int)tw_min(s->G->m, s->k), priority = PRIORITY(r, s->p, 1);
    struct tw_data *XW = tall(r, s->G->m, s->k + l), *VY = tall(r, s->P->m - s->k, s->k + l);
    int pieces;

    r->pending = (struct tw_ge2tb_pending){VY, XW};
    if (!XW || !VY || (pieces = multiply(r, s, 'C', s->V)) < 0) return;
    tw_task_ge2tb_x(r->seq, priority, r->list, pieces, s->G, s->V, s->T, XW);
    let_pieces_go(r, pieces);
    if (factor(r, s, s->G, &s->W, &s->S) || (pieces = multiply(r, s, 'N', s->W)) < 0) return;
    tw_task_ge2tb_y(r->seq, priority, r->list, pieces, s->V, s->W, s->S, XW, VY);
    let_pieces_go(r, pieces);
}

static void gather(struct reduction *r, const struct step *s)
{
    struct tw_matrix *A = r->A;
    const int J = (int)(s->c / A->nb), skip = (int)(s->c % A->nb);

    for (int i = J; i < A->mt; i++)
        r->list[i - J] = tw_tile(A, i, J);
    tw_task_ge2tb_column(r->seq, PRIORITY(r, s->p, 1), skip, r->list, A->mt - J, &r->pending, s->P);
    for (int j = J; j < A->nt; j++)
        r->list[j - J] = tw_tile(A, J, j);
    if (s->G) tw_task_ge2tb_row(r->seq, PRIORITY(r, s->p, 1), skip, r->list, A->nt - J, &r->pending, s->k, s->G);
    for (int j = 0; j < tw_max(A->mt, A->nt); j++)
        r->list[j] = NULL;
}

/* By the step before. */
static void update(struct reduction *r, const struct step *s)
{
    for (int K = s->first; s->G && r->pending.VY && K < r->A->nt; K++)
        for (int I = s->first; I < r->A->mt; I++)
            tw_task_ge2tb_update(r->seq, PRIORITY(r, s->p - 1, 0), &s->t, s->k, &r->pending, tw_tile(r->A, I, K));
    let_go(&r->pending.VY);
    let_go(&r->pending.XW);
}

static void step(struct reduction *r, int p)
{
    struct tw_ge2tb *q = r->q;
    struct step s = {.p = p, .c = (tw_int)p * q->b, .k = (int)tw_min(q->b, q->n - (tw_int)p * q->b)};
    const tw_int right = q->n - s.c - s.k;

    s.t = (struct tw_trailing){.first = s.c + s.k, .nb = (int)r->A->nb};
    s.first = (int)(s.t.first / r->A->nb);
    s.P = tall(r, q->m - s.c, s.k);
    s.G = right > 0 ? tall(r, right, s.k) : NULL;
    if (s.P && (s.G || right == 0)) {
        gather(r, &s);
        update(r, &s);
        if (!factor(r, &s, s.P, &s.V, &s.T) && s.G) factor_row(r, &s);
        if (!tw_loop_status(r->seq)) tw_task_ge2tb_store(r->seq, PRIORITY(r, p, 0), s.c, s.P, s.G, r->B);
    }
    q->V[p] = s.V, q->T[p] = s.T, q->W[p] = s.W, q->S[p] = s.S;
    if (!r->left) let_go(&q->V[p]), let_go(&q->T[p]);
    if (!r->right) let_go(&q->W[p]), let_go(&q->S[p]);
    let_go(&s.P);
    let_go(&s.G);
}

void tw_ge2tb_loop(struct tw_sequence *seq, struct tw_ge2tb *q, struct tw_matrix *A, struct tw_band *B, int left,
                   int right)
{
    struct reduction r = {.seq = seq, .q = q, .A = A, .B = B, .left = left, .right = right};
    const char *const before = tw_loop_in_stage(seq, "band");

    if (!(r.list = calloc((size_t)tw_max(A->mt, A->nt), sizeof *r.list)))
        tw_loop_fail(seq, TW_E_MEMORY, "ge2tb: no memory for a list of %d tiles", A->mt);
    for (int p = 0; r.list && p < q->panels && !tw_loop_status(seq); p++)
        step(&r, p);
    let_go(&r.pending.VY);
    let_go(&r.pending.XW);
    free(r.list);
    (void)tw_loop_in_stage(seq, before);
}

static void apply(struct tw_sequence *seq, const struct tw_ge2tb *q, int right, struct tw_matrix *Z)
{
    const struct tw_he2hb reflections = {.n = Z->m,
                                         .begins = right ? q->b : 0,
                                         .b = q->b,
                                         .panels = q->panels,
                                         .V = right ? q->W : q->V,
                                         .T = right ? q->S : q->T};
    const char *const before = tw_loop_in_stage(seq, "back_band");

    tw_reflections_apply_loop(seq, &reflections, Z);
    (void)tw_loop_in_stage(seq, before);
}
void tw_ge2tb_left_loop(struct tw_sequence *seq, const struct tw_ge2tb *q, struct tw_matrix *Z)
{
    apply(seq, q, 0, Z);
}
void tw_ge2tb_right_loop(struct tw_sequence *seq, const struct tw_ge2tb *q, struct tw_matrix *Z)
{
    apply(seq, q, 1, Z);
}
