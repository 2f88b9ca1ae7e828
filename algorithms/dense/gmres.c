/* Tasks of GMRES (codelets/dense/gmres.c) and what lies between two of its steps: solves with the factors, a product
 * with A. The caller looks at `left` in a continuation. */
#include "algorithms/dense/gmres.h"

static int priority(struct tw_sequence *seq)
{
    return tw_priority(seq, 1, 1, 0);
}
static struct tw_data *const *column(const struct tw_matrix *M, int j)
{
    return &M->tile[(size_t)j * (size_t)M->mt];
}
static void clear(struct tw_sequence *seq, const struct tw_matrix *M)
{
    for (int j = 0; j < M->nt; j++)
        for (int i = 0; i < M->mt; i++)
            tw_task_laset(seq, priority(seq), 'G', tw_zero, tw_zero, tw_tile(M, i, j));
}

int tw_gmres_make(struct tw_gmres *g, const struct tw_matrix *X)
{
    const tw_int n = X->m, words = sizeof(struct tw_gmres_column) / sizeof(double), most = TW_GMRES_MOST;
    const int none[2] = {-1, -1};

    g->rows = tw_matrix_temporary(TW_DOUBLE, n, 1, X->mb, 1);
    g->cols = tw_matrix_temporary(TW_DOUBLE, n, 1, X->mb, 1);
    g->zeros = tw_matrix_temporary(X->type, n, X->n, X->mb, X->nb);
    g->W = tw_matrix_temporary(X->type, n, X->n, X->mb, X->nb);
    g->V = tw_matrix_temporary(X->type, n * (most + 1), X->n, n * (most + 1), X->nb);
    g->Z = tw_matrix_temporary(X->type, n * most, X->n, n * most, X->nb);
    g->state = tw_matrix_temporary(TW_DOUBLE, words, X->n, words, X->nb);
    g->left = tw_data_vector(1, sizeof(double), none);
    return g->rows && g->cols && g->zeros && g->W && g->V && g->Z && g->state && g->left ? 0 : -1;
}

void tw_gmres_end(struct tw_gmres *g)
{
    struct tw_matrix *const matrices[] = {g->rows, g->cols, g->zeros, g->W, g->V, g->Z, g->state};

    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        tw_matrix_free_later(matrices[k]);
    tw_data_free_later(g->left);
}

/* Of the rows first, then of the columns with these. A row or column of zeros is what makes a matrix singular. */
static void general_scalings(struct tw_sequence *seq, const struct tw_gmres *g, const struct tw_matrix *A,
                             struct tw_data *info)
{
    const int none[2] = {-1, -1};
    struct tw_data *out = tw_data_vector((size_t)A->n + 3, sizeof(double), none);

    if (!out) {
        tw_loop_fail(seq, TW_E_MEMORY, "scalings: %s", tw_last_message());
        return;
    }
    clear(seq, g->rows);
    clear(seq, g->cols);
    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < A->mt; i++)
            tw_task_rowmax(seq, priority(seq), tw_tile(A, i, j), tw_tile(g->rows, i, 0));
    tw_task_reciprocals(seq, priority(seq), A->type, 0, g->rows->tile, A->mt, out, 0, info);
    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < A->mt; i++)
            tw_task_colmax_scaled(seq, priority(seq), tw_tile(A, i, j), tw_tile(g->rows, i, 0), tw_tile(g->cols, j, 0));
    tw_task_reciprocals(seq, priority(seq), A->type, 0, g->cols->tile, A->nt, out, 0, info);
    tw_data_free_later(out);
}

void tw_gmres_scalings(struct tw_sequence *seq, const struct tw_gmres *g, const struct tw_matrix *A,
                       struct tw_data *info)
{
    if (g->system.structure == TW_STRUCT_GENERAL) {
        general_scalings(seq, g, A, info);
        return;
    }
    for (int k = 0; k < A->nt; k++) {
        tw_task_rsqrt_diagonal(seq, priority(seq), tw_tile(A, k, k), tw_tile(g->rows, k, 0), k * A->nb, info);
        tw_task_lacpy(seq, priority(seq), 'G', tw_tile(g->rows, k, 0), tw_tile(g->cols, k, 0));
    }
}

void tw_gmres_begin(struct tw_sequence *seq, const struct tw_gmres *g)
{
    for (int j = 0; j < g->R->nt; j++)
        tw_task_gmres_begin(seq, priority(seq), column(g->R, j), g->rows->tile, g->R->mt, tw_tile(g->V, 0, j),
                            tw_tile(g->state, 0, j));
}

void tw_gmres_step(struct tw_sequence *seq, const struct tw_gmres *g, int step)
{
    struct tw_refinement system = g->system;

    for (int j = 0; j < g->R->nt; j++)
        for (int i = 0; i < g->R->mt; i++)
            tw_task_lag2_scaled(seq, priority(seq), 'G', tw_tile(g->R, i, j), NULL, NULL, tw_tile(g->SX, i, j));
    tw_inverse_loop(seq, &g->inverse, TW_NOTRANS, g->SX);
    for (int j = 0; j < g->R->nt; j++)
        for (int i = 0; i < g->R->mt; i++)
            tw_task_lag2_scaled(seq, priority(seq), 'G', tw_tile(g->SX, i, j), tw_tile(g->cols, i, 0), NULL,
                                tw_tile(g->R, i, j));
    if (step == 0) clear(seq, g->zeros);
    system.B = g->zeros, system.X = g->R;
    for (int j = 0; j < g->R->nt && !tw_loop_status(seq); j++) {
        tw_residual_loop(seq, &system, j, column(g->W, j), NULL);
        tw_task_gmres_step(seq, priority(seq), step, j == 0, column(g->W, j), column(g->R, j), g->rows->tile, g->R->mt,
                           tw_tile(g->V, 0, j), tw_tile(g->Z, 0, j), tw_tile(g->state, 0, j), g->left);
    }
}

void tw_gmres_correction(struct tw_sequence *seq, const struct tw_gmres *g)
{
    for (int j = 0; j < g->R->nt; j++)
        tw_task_gmres_end(seq, priority(seq), column(g->R, j), g->R->mt, tw_tile(g->Z, 0, j), tw_tile(g->state, 0, j));
}

double tw_gmres_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return (double)s->k * (double)sizeof(struct tw_gmres_column);
}
