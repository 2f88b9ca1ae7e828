/* The Q of a reduction to tridiagonal form (sytrd) from LAPACK's storage.
 *
 * Q = H(1) H(2) ... of uplo 'L', ... H(2) H(1) of 'U', which is the same with the reflectors counted from the end.
 * Blocks of them are written out with their ones and zeros, so that the order of rows does not matter, and each goes
 * over whole blocks of columns of C, or of rows from the right, which know nothing of each other. */
#include <stdlib.h>
#include "algorithms/eigen/trd_apply.h"
#include "codelets/eigen/sytrd_tasks.h"

double tw_trd_bytes(enum tw_type type, tw_int n)
{
    const double b = (double)tw_min(n, tw_sytrd_kept(n));
    return (double)tw_sizeof(type) * ((double)n * (b + 1) + b * b);
}

int tw_trd_begin(struct tw_trd_apply *f, struct tw_matrix *tau)
{
    f->n = (int)tw_min(f->A->m, f->A->n);
    f->b = tw_sytrd_kept(f->n);
    f->blocks = f->n > 1 ? (f->n - 2 + f->b) / f->b : 0;
    if (f->blocks == 0) return 0; /* and tau may be NULL */
    f->list = malloc((size_t)f->A->mt * sizeof *f->list);
    if (!f->list) tw_loop_fail(f->seq, TW_E_MEMORY, "unmtr: no memory for a list of %d tiles", f->A->mt);
    f->tau = f->list ? tw_tau_in(f->seq, f->uplo, f->n - 1, tau) : NULL;
    return f->tau ? 0 : -1;
}
void tw_trd_end(struct tw_trd_apply *f)
{
    if (f->tau) tw_data_free_later(f->tau);
    free(f->list);
}

/* V of a block, out of the tiles that have its reflectors. */
static void load(const struct tw_trd_apply *f, const struct tw_sytrd_panel *p, int priority, struct tw_data *V)
{
    const struct tw_matrix *A = f->A;
    const int low = f->uplo == TW_LOWER, triangle = A->uplo != TW_GENERAL;
    const tw_int first = low ? p->first : f->n - p->first - p->k, last = first + p->k - 1;
    const int left = (int)(first / A->nb), right = (int)(last / A->nb);

    if (left < right)
        tw_task_laset(f->seq, priority, 'G', tw_zero, tw_zero, V); /* what lies above or below the tiles */
    for (int j = left; j <= right; j++) {
        const int top = low ? (int)tw_max((first + 1) / A->mb, triangle ? j : 0) : 0,
                  bottom = low ? A->mt - 1 : (int)tw_min(last / A->mb, triangle ? j : A->mt - 1);
        for (int i = top; i <= bottom; i++)
            f->list[i - top] = tw_tile(A, i, j);
        if (top <= bottom)
            tw_task_sytrd_load(f->seq, priority, p, top * A->mb, j * A->nb, (int)A->mb, f->list, bottom - top + 1, V,
                               left == right);
    }
}

static void block(const struct tw_trd_apply *f, int number, int level)
{
    const int first = number * f->b, k = (int)tw_min(f->b, f->n - 1 - first), rows = f->n - 1 - first;
    const int on_path = tw_priority(f->seq, level, f->blocks, 1), priority = tw_priority(f->seq, level, f->blocks, 0);
    const struct tw_sytrd_panel p = {f->n, first, k, k, (char)f->uplo};
    const tw_int begins = f->uplo == TW_LOWER ? first + 1 : 0;
    struct tw_data *V = tw_data_tile(f->A->type, rows, k), *T = tw_data_tile(f->A->type, k, k);

    if (V && T) {
        load(f, &p, on_path, V);
        tw_task_larft_v(f->seq, on_path, first, f->tau, V, T);
        for (int line = 0; line < (f->side == 'L' ? f->C->nt : f->C->mt); line++) {
            struct tw_data *C = f->side == 'L' ? tw_tile(f->C, 0, line) : tw_tile(f->C, line, 0);
            const tw_int at = line * f->C->nb;
            if (f->identity && (f->uplo == TW_LOWER ? at + C->n <= begins : at >= rows)) continue;
            tw_task_larfb_side(f->seq, priority, f->side, f->op, begins, V, T, C);
        }
    } else {
        tw_loop_fail(f->seq, TW_E_MEMORY, "unmtr: no memory for %d reflectors", k);
    }
    if (V) tw_data_free_later(V);
    if (T) tw_data_free_later(T);
}

/* Q C = H(1) (H(2) ... C): the last block first; C Q the first. */
void tw_trd_blocks(const struct tw_trd_apply *f)
{
    const int forward = (f->side == 'R') == (f->op == 'N');

    for (int s = 0; s < f->blocks && !tw_loop_status(f->seq); s++)
        block(f, forward ? s : f->blocks - 1 - s, f->blocks - s);
}
