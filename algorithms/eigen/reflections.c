/* The way back through stage 1, Z = Q1 Z with Q1 = H(0) H(1) ... H(panels - 1), each a block reflector I - V T V^H: the
 * last one acts first.
 *
 * Where the band is narrow, products with a panel's few columns are slow: on cores two panels are joined to one where Z
 * has columns enough to pay for it (n = 4000, 64 columns, one core of an EPYC with AVX-512: 76 GF/s alone where large
 * products had 94; in pairs 91, where they had 106 on another run). */
#include "algorithms/eigen/eigen_loops.h"

static void let_go(struct tw_data **d)
{
    if (*d) tw_data_free_later(*d);
    *d = NULL;
}
static void let_go_panel(const struct tw_he2hb *q, int p)
{
    let_go(&q->V[p]), let_go(&q->T[p]);
}

static void act(struct tw_sequence *seq, const struct tw_he2hb *q, int p, struct tw_data *V, struct tw_data *T,
                struct tw_matrix *Z)
{
    for (int j = 0; j < Z->nt; j++)
        tw_task_larfb_rows(seq, tw_priority(seq, p + 1, q->panels + 1, 0), q->begins + (tw_int)p * q->b, V, T,
                           tw_tile(Z, 0, j));
}

/* Panels p and p + 1 at once. */
static void act_in_pair(struct tw_sequence *seq, const struct tw_he2hb *q, int p, struct tw_matrix *Z)
{
    const int k = q->V[p]->n + q->V[p + 1]->n;
    struct tw_data *V = tw_data_tile(Z->type, q->V[p]->m, k), *T = tw_data_tile(Z->type, k, k);

    if (V && T) {
        tw_task_larft_pair(seq, tw_priority(seq, p + 2, q->panels + 1, 1), q->V[p], q->T[p], q->V[p + 1], q->T[p + 1],
                           V, T);
        let_go_panel(q, p), let_go_panel(q, p + 1);
        act(seq, q, p, V, T, Z);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for two panels of %d rows", q->V[p]->m);
    }
    let_go(&V), let_go(&T);
}

static int in_pairs(tw_int columns, tw_int b)
{
    return tw_gpus() == 0 && columns >= 4 * b;
}

/* Panel p's rows and columns, where it is there. */
static double rows_of(tw_int rows, tw_int b, tw_int p)
{
    return (double)(rows - p * b);
}
static double columns_of(tw_int rows, tw_int count, tw_int b, tw_int p)
{
    return (double)tw_min(b, tw_min(rows, count) - p * b);
}

double tw_reflections_bytes(enum tw_type type, tw_int rows, tw_int count, tw_int b, tw_int columns)
{
    const tw_int panels = (tw_max(0, tw_min(rows, count)) + b - 1) / b;
    double elements = 0;

    for (tw_int p = panels - 1; p >= 0; p--) {
        double k = columns_of(rows, count, b, p);
        if (in_pairs(columns, b) && p % 2) k += columns_of(rows, count, b, --p);
        elements += rows_of(rows, b, p) * k + k * k;
    }
    return elements * (double)tw_sizeof(type);
}

void tw_reflections_apply_loop(struct tw_sequence *seq, const struct tw_he2hb *q, struct tw_matrix *Z)
{
    const int pairs = in_pairs(Z->n, q->b);

    for (int p = q->panels - 1; p >= 0 && !tw_loop_status(seq); p--) {
        if (!q->V[p]) continue; /* there is none */
        if (pairs && p % 2 && q->V[p - 1]) {
            act_in_pair(seq, q, --p, Z);
        } else {
            act(seq, q, p, q->V[p], q->T[p], Z);
            let_go_panel(q, p);
        }
    }
}
