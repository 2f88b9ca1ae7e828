/* Stage 1 of the reduction to tridiagonal form, A = Q1 B Q1^H with a band matrix B, by panels of b columns: no product
 * with single vectors (Bischof, Lang, Sun, "A framework for symmetric band reduction", ACM Trans. Math. Softw. 26,
 * 2000; Haidar, Ltaief, Dongarra, SC'11).
 *
 * The width b of the band has nothing to do with the order nb of the tiles, so that tasks are large where the band is
 * narrow. A panel is taken out of the tiles already less the update of the panel before it (he2hb_gather), so it is
 * factored while that update goes on: look-ahead of one panel. */
#include <stdlib.h>
#include "algorithms/eigen/eigen_loops.h"

int tw_he2hb_begin(struct tw_sequence *seq, struct tw_he2hb *q, tw_int n, int b)
{
    return tw_reflections_begin(seq, q, n, b, b);
}

int tw_reflections_begin(struct tw_sequence *seq, struct tw_he2hb *q, tw_int n, int b, tw_int begins)
{
    const tw_int panels = n > begins ? (n - begins + b - 1) / b : 0;

    *q = (struct tw_he2hb){.n = n, .begins = begins, .b = b, .panels = (int)panels};
    q->V = calloc(2 * (size_t)panels + 1, sizeof *q->V);
    if (!q->V) {
        tw_loop_fail(seq, TW_E_MEMORY, "he2hb: no memory for %lld panels", (long long)panels);
        return -1;
    }
    q->T = q->V + panels;
    return 0;
}

static void let_go(struct tw_data **d)
{
    if (*d) tw_data_free_later(*d);
    *d = NULL;
}

void tw_he2hb_end(struct tw_he2hb *q)
{
    for (int p = 0; q->V && p < 2 * q->panels; p++)
        let_go(&q->V[p]);
    free(q->V);
    q->V = NULL;
}

/* One reduction. */
struct reduction {
    struct tw_sequence *seq;
    struct tw_he2hb *q;
    struct tw_matrix *A;
    struct tw_band *B;
    struct tw_data **list, *VWV; /* tiles of a column, or pieces of X; of the panel before */
    int keep;
};
/* Levels in panels: what is left of them. */
#define PRIORITY(r, p, panel_) tw_priority((r)->seq, (r)->q->panels + 1 - (p), (r)->q->panels + 1, panel_)

/* Of panels, which become shorter: their copies ask for memory in few sizes. NULL without memory, and then the sequence
 * has failed. */
static struct tw_data *tall(const struct reduction *r, tw_int m, int n)
{
    struct tw_data *d = tw_data_tile(r->A->type, (int)m, n);
    tw_int step = 1;

    if (!d) {
        tw_loop_fail(r->seq, TW_E_MEMORY, "he2hb: no memory for %lld x %d elements", (long long)m, n);
        return NULL;
    }
    while (step <= m / 8)
        step *= 2;
    d->room = (size_t)((m + step - 1) / step * step) * (size_t)n * d->elemsize;
    return d;
}

static struct tw_trailing behind(const struct reduction *r, int p)
{
    return (struct tw_trailing){.first = (p + 1) * r->q->b, .nb = (int)r->A->nb};
}

/* X = A V in pieces, one for each tile row from I on. */
static int multiply(struct reduction *r, int p, struct tw_data *V)
{
    const struct tw_trailing t = behind(r, p);
    const int first = (int)(t.first / r->A->nb), mt = r->A->mt;
    struct tw_data **X = r->list;

    for (int I = first; I < mt; I++)
        if (!(X[I - first] = tall(r, tw_tile_rows(r->A, I) - tw_trailing_skip(&t, I), V->n))) {
            while (I-- > first)
                let_go(&X[I - first]);
            return -1;
        }
    for (int I = first; I < mt; I++)
        for (int K = first; K < mt; K++)
            tw_task_trailing_multiply(r->seq, PRIORITY(r, p, 1), &t, K <= I ? 'N' : 'C', 1, 0,
                                      K <= I ? tw_tile(r->A, I, K) : tw_tile(r->A, K, I), V, K == first, X[I - first]);
    return mt - first;
}

/* The panel P becomes R; V, T and then [V W V]. */
static void factor(struct reduction *r, int p, struct tw_data *P)
{
    const int k = (int)tw_min(P->m, P->n);
    struct tw_data *tau = tw_data_tile(r->A->type, k, 1), *V = tall(r, P->m, k), *T = tw_data_tile(r->A->type, k, k);
    int pieces;

    r->q->V[p] = V, r->q->T[p] = T;
    if (tau && V && T && (r->VWV = tall(r, P->m, 3 * k))) {
        tw_task_geqrf(r->seq, PRIORITY(r, p, 1), 'C', &P, 1, tau, V, T);
        if ((pieces = multiply(r, p, V)) >= 0) {
            tw_task_he2hb_w(r->seq, PRIORITY(r, p, 1), r->list, pieces, V, T, r->VWV);
            while (pieces > 0)
                let_go(&r->list[--pieces]);
        }
    } else if (!tau || !T) {
        tw_loop_fail(r->seq, TW_E_MEMORY, "he2hb: no memory for panel %d", p);
    }
    let_go(&tau);
    if (!r->keep) let_go(&r->q->V[p]), let_go(&r->q->T[p]);
}

static void update(struct reduction *r, int p)
{
    const struct tw_trailing t = behind(r, p);
    const int first = (int)(t.first / r->A->nb);

    for (int K = first; K < r->A->nt; K++)
        for (int I = K; I < r->A->mt; I++)
            tw_task_he2hb_update(r->seq, PRIORITY(r, p, 0), &t, r->VWV, tw_tile(r->A, I, K));
    let_go(&r->VWV);
}

/* Columns p b ... of the band, and below them the panel, if the matrix goes on. */
static void step(struct reduction *r, int p)
{
    const int b = r->q->b, J = (int)((tw_int)p * b / r->A->nb), count = r->A->mt - J;
    const tw_int column = (tw_int)p * b, rest = tw_max(0, r->A->n - column - b);
    struct tw_data *D = tall(r, tw_min(b, r->A->n - column), (int)tw_min(b, r->A->n - column)),
                   *P = rest ? tall(r, rest, b) : NULL;

    if (D && (P || !rest)) {
        for (int i = 0; i < count; i++)
            r->list[i] = tw_tile(r->A, J + i, J);
        tw_task_he2hb_gather(r->seq, PRIORITY(r, p, 1), (int)(column % r->A->nb), r->list, count, r->VWV, D, P);
        if (r->VWV) update(r, p - 1);
        if (P) factor(r, p, P);
        tw_task_band_store(r->seq, PRIORITY(r, p, 0), column, D, P, r->B);
    }
    let_go(&D);
    let_go(&P);
}

void tw_he2hb_loop(struct tw_sequence *seq, struct tw_he2hb *q, struct tw_matrix *A, struct tw_band *B, int keep)
{
    struct reduction r = {.seq = seq, .q = q, .A = A, .B = B, .keep = keep};
    const char *const before = tw_loop_in_stage(seq, "band");

    if (!(r.list = calloc((size_t)A->mt, sizeof *r.list)))
        tw_loop_fail(seq, TW_E_MEMORY, "he2hb: no memory for a list of %d tiles", A->mt);
    for (int p = 0; r.list && (tw_int)p * q->b < A->n && !tw_loop_status(seq); p++)
        step(&r, p);
    let_go(&r.VWV);
    free(r.list);
    (void)tw_loop_in_stage(seq, before);
}

void tw_he2hb_apply_loop(struct tw_sequence *seq, const struct tw_he2hb *q, struct tw_matrix *Z)
{
    const char *const before = tw_loop_in_stage(seq, q->begins == q->b ? "back_band" : "back_tridiagonal");

    tw_reflections_apply_loop(seq, q, Z);
    (void)tw_loop_in_stage(seq, before);
}
