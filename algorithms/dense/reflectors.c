/* Block reflectors in tiles: C := C - V op(T) V^H C, or C - C V op(T) V^H, as products of tiles (compact WY form:
 * Schreiber, Van Loan, "A storage-efficient WY representation for products of Householder transformations", SIAM J.
 * Sci. Stat. Comput. 10, 1989). */
#include <stdlib.h>
#include "algorithms/dense/reflectors.h"

/* ---- the reflectors ---------------------------------------------------------------------------------------------- */

int tw_reflectors_begin(struct tw_sequence *seq, struct tw_reflectors *r, char storev, struct tw_matrix *A, tw_int k)
{
    *r = (struct tw_reflectors){.seq = seq, .storev = storev, .A = A, .k = k, .blocks = (int)((k + A->nb - 1) / A->nb)};
    const size_t blocks = (size_t)r->blocks, length = (size_t)tw_reflectors_length(r);

    if (!(r->none = calloc(2 * blocks + length + 1, sizeof *r->none))) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %d block reflectors", r->blocks);
        return -1;
    }
    r->front = r->none;
    r->T = r->front + blocks;
    r->cut = r->T + blocks;
    return 0;
}

void tw_reflectors_end(struct tw_reflectors *r)
{
    const size_t count = r->none ? 2 * (size_t)r->blocks + (size_t)tw_reflectors_length(r) : 0;

    for (size_t i = 0; i < count; i++)
        if (r->none[i]) tw_data_free_later(r->none[i]);
    free(r->none);
    r->none = NULL;
}

int tw_reflectors_add(struct tw_reflectors *r, int b)
{
    const int k = tw_reflectors_width(r, b);

    r->front[b] = r->storev == 'C' ? tw_data_tile(r->A->type, tw_tile_rows(r->A, b), k)
                                   : tw_data_tile(r->A->type, k, tw_tile_cols(r->A, b));
    r->T[b] = tw_data_tile(r->A->type, k, k);
    if (r->front[b] && r->T[b]) return 0;
    tw_loop_fail(r->seq, TW_E_MEMORY, "no memory for block reflector %d", b);
    return -1;
}

/* A's tile i of block b, and V's. */
static struct tw_data *stored(const struct tw_reflectors *r, int b, int i)
{
    return r->storev == 'C' ? tw_tile(r->A, i, b) : tw_tile(r->A, b, i);
}
static struct tw_data *of_V(const struct tw_reflectors *r, int b, int i)
{
    if (i == b) return r->front[b];
    return b == r->blocks - 1 && r->cut[i] ? r->cut[i] : stored(r, b, i);
}

/* V's tiles behind the first, of a block column. */
static struct tw_data *const *below(const struct tw_reflectors *r, int b)
{
    const int first = b + 1;
    return b == r->blocks - 1 && first < r->A->mt && r->cut[first] ? &r->cut[first]
                                                                   : &r->A->tile[first + (size_t)b * (size_t)r->A->mt];
}

/* The last block's tiles may hold columns (rows) that are not V's: products need copies without them. */
static int cut_off(struct tw_reflectors *r, int b, int priority)
{
    const int k = tw_reflectors_width(r, b), columns = r->storev == 'C';

    for (int i = b + 1; i < tw_reflectors_length(r); i++) {
        struct tw_data *a = stored(r, b, i);
        const int m = columns ? a->m : k, n = columns ? k : a->n;
        if (a->m == m && a->n == n) return 0;
        if (!(r->cut[i] = tw_data_tile(a->type, m, n))) {
            tw_loop_fail(r->seq, TW_E_MEMORY, "no memory for block reflector %d", b);
            return -1;
        }
        tw_task_lacpy_block(r->seq, priority, &(struct tw_block){.m = m, .n = n}, a, r->cut[i], 1);
    }
    return 0;
}

int tw_reflectors_form(struct tw_reflectors *r, int b, struct tw_matrix *tau, int priority)
{
    const int count = tw_reflectors_length(r) - b;
    struct tw_data **list;

    if (r->T[b]) return 0;
    if (tw_reflectors_add(r, b)) return -1;
    if (!(list = malloc((size_t)count * sizeof *list))) {
        tw_loop_fail(r->seq, TW_E_MEMORY, "no memory for a list of %d tiles", count);
        return -1;
    }
    for (int i = 0; i < count; i++)
        list[i] = stored(r, b, b + i);
    tw_task_larft(r->seq, priority, r->storev, list, count, tw_tile(tau, b, 0), r->front[b], r->T[b]);
    free(list);
    return b == r->blocks - 1 ? cut_off(r, b, priority) : 0;
}

/* ---- what they are applied to ------------------------------------------------------------------------------------ */

int tw_target_begin(struct tw_target *t, const struct tw_reflectors *r, char side, struct tw_matrix *C)
{
    *t = (struct tw_target){.side = side, .C = C};
    for (int last = 0; last < 2; last++) {
        const int k = r->blocks ? tw_reflectors_width(r, last ? r->blocks - 1 : 0) : 0;
        if (k == 0 || (last && k == tw_reflectors_width(r, 0))) continue;
        for (int w = 0; w < 2; w++) {
            t->work[last][w] = side == 'L' ? tw_matrix_temporary(C->type, k, C->n, k, C->nb)
                                           : tw_matrix_temporary(C->type, C->m, k, C->mb, k);
            if (t->work[last][w]) continue;
            tw_loop_fail(r->seq, TW_E_MEMORY, "the workspace of block reflectors: %s", tw_last_message());
            return -1;
        }
    }
    return 0;
}

void tw_target_end(struct tw_target *t)
{
    for (int i = 0; i < 4; i++)
        if (t->work[i / 2][i % 2]) tw_matrix_free_later(t->work[i / 2][i % 2]);
}

struct tw_data *tw_target_work(const struct tw_target *t, const struct tw_reflectors *r, int b, int line, int which)
{
    struct tw_matrix *W = t->work[b == r->blocks - 1 && t->work[1][0]][which];
    return t->side == 'L' ? tw_tile(W, 0, line) : tw_tile(W, line, 0);
}

static void from_left(const struct tw_reflectors *r, int b, char op, const struct tw_target *t, int j, int priority)
{
    const char V = r->storev == 'C' ? 'N' : 'C', adjoint = r->storev == 'C' ? 'C' : 'N';
    struct tw_data *W = tw_target_work(t, r, b, j, 0), *TW = tw_target_work(t, r, b, j, 1);

    for (int i = b; i < t->C->mt; i++)
        tw_task_gemm(r->seq, priority, adjoint, 'N', tw_one, of_V(r, b, i), tw_tile(t->C, i, j),
                     i == b ? tw_zero : tw_one, W);
    tw_task_gemm(r->seq, priority, op, 'N', tw_one, r->T[b], W, tw_zero, TW);
    for (int i = b; i < (r->storev == 'C' ? b + 1 : t->C->mt); i++)
        tw_task_gemm(r->seq, priority, V, 'N', tw_minus_one, of_V(r, b, i), TW, tw_one, tw_tile(t->C, i, j));
    if (r->storev == 'C')
        tw_task_gemm_column(r->seq, priority, 'N', tw_minus_one, below(r, b), t->C->mt - b - 1, TW,
                            &t->C->tile[b + 1 + (size_t)j * (size_t)t->C->mt],
                            t->C == r->A ? tw_target_lines(t) - b - 1 : tw_target_lines(t));
}

static void from_right(const struct tw_reflectors *r, int b, char op, const struct tw_target *t, int i, int priority)
{
    const char V = r->storev == 'C' ? 'N' : 'C', adjoint = r->storev == 'C' ? 'C' : 'N';
    struct tw_data *W = tw_target_work(t, r, b, i, 0), *WT = tw_target_work(t, r, b, i, 1);

    for (int j = b; j < t->C->nt; j++)
        tw_task_gemm(r->seq, priority, 'N', V, tw_one, tw_tile(t->C, i, j), of_V(r, b, j), j == b ? tw_zero : tw_one,
                     W);
    tw_task_gemm(r->seq, priority, 'N', op, tw_one, W, r->T[b], tw_zero, WT);
    for (int j = b; j < t->C->nt; j++)
        tw_task_gemm(r->seq, priority, 'N', adjoint, tw_minus_one, WT, of_V(r, b, j), tw_one, tw_tile(t->C, i, j));
}

void tw_reflect(const struct tw_reflectors *r, int b, char op, const struct tw_target *t, int line, int priority)
{
    (t->side == 'L' ? from_left : from_right)(r, b, op, t, line, priority);
}

/* QR: Q = H_0 H_1 ...; LQ: Q^H = H_0 H_1 .... So `op` is what happens to H_0 H_1 ..., and the block that stands next to
 * C comes first. */
void tw_apply_q_loop(struct tw_reflectors *r, struct tw_matrix *tau, char side, enum tw_trans trans,
                     struct tw_matrix *C, int final)
{
    const char op = (r->storev == 'C') == (trans == TW_NOTRANS) ? 'N' : 'C';
    const int forward = (side == 'L') == (op == 'C');
    const double step = r->blocks ? tw_reflect_cost(r, 0) : 0, total = r->blocks * step;
    struct tw_target t;

    if (!tw_target_begin(&t, r, side, C))
        for (int s = 0; s < r->blocks && !tw_loop_status(r->seq); s++) {
            const int b = forward ? s : r->blocks - 1 - s;
            const double level = (r->blocks - s) * step;
            if (tw_reflectors_form(r, b, tau, tw_priority(r->seq, level, total, 1))) break;
            for (int line = 0; line < tw_target_lines(&t); line++)
                tw_reflect(r, b, op, &t, line, tw_priority(r->seq, level, total, 0));
        }
    for (int j = 0; final && j < C->nt; j++)
        for (int i = 0; i < C->mt; i++)
            tw_bring_home(r->seq, tw_tile(C, i, j));
    tw_target_end(&t);
}
