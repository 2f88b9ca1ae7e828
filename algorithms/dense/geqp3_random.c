/* QR with column pivoting whose pivots come from a sketch: A P = Q R by blocks (Martinsson, Quintana-Orti, Heavner, van
 * de Geijn, "Householder QR factorization with randomization for column pivoting", SIAM J. Sci. Comput. 39, 2017;
 * Duersch, Gu, "Randomized QR with column pivoting", same volume).
 *
 * S = A^H X, X a matrix of random numbers as wide as a block, has a row for each column of A, of about its norm:
 * Gaussian elimination of S with partial pivoting brings rows to the front that are large and far from dependent, and
 * these are the block's columns (Melnichenko et al., "CholeskyQR with randomization and pivoting for tall matrices",
 * 2023). Then the block is factored as geqrf's are, and its reflectors are applied to X, too: what the block takes from
 * A's columns is R12^H X1 of S, so that S stays the sketch of what is left, with no solve with R11.
 *
 * geqp3 looks at all columns between any two; here all but one panel's work are products of tiles. Nothing waits for a
 * value. */
#include "algorithms/dense/pivoted_random.h"
#include <stdlib.h>
#include <string.h>
#include "algorithms/dense/pivoted.h"
#include "types/dense/generator.h"

#define PRIORITY(lev, on_path) tw_priority(f->r.seq, lev, f->panel[0], on_path)

static struct tw_data **column(const struct tw_matrix *M, int i)
{
    return &M->tile[i];
}

static int levels(struct tw_sketched *f)
{
    const struct tw_matrix *A = f->A;
    const int blocks = f->r.blocks;

    if (!(f->panel = calloc((size_t)blocks + 1, sizeof *f->panel))) return -1;
    f->step = tw_reflect_cost(&f->r, blocks / 2);
    for (int k = blocks - 1; k >= 0; k--) {
        const double rest = (double)(A->m - k * A->nb), columns = (double)(A->n - k * A->nb),
                     nb = (double)tw_reflectors_width(&f->r, k);
        f->panel[k] = tw_cost(TW_RATE_POTRF, A->type, tw_flops_geqrf(A->type, rest, nb), nb) +
                      tw_cost(TW_RATE_POTRF, A->type, tw_flops_getrf(A->type, columns, nb), nb) + f->step +
                      f->panel[k + 1];
    }
    return 0;
}

/* ---- the sketch -------------------------------------------------------------------------------------------------- */

static int random_block(const void *generator, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    tw_generate_entries(generator, i0, j0, m, n, a, lda);
    return 0;
}

/* The same numbers in every call: same columns for the same matrix. */
#define NUMBERS(t)                                                                                                     \
    [t] = {.entries = TW_ENTRIES_RANDOM, .type = (t), .m = INT64_MAX, .n = INT64_MAX, .stream = {20231, 11172}}
static const struct tw_generator numbers[TW_NTYPES] = {NUMBERS(TW_FLOAT), NUMBERS(TW_DOUBLE), NUMBERS(TW_COMPLEX_FLOAT),
                                                       NUMBERS(TW_COMPLEX_DOUBLE)};

/* Row j of S: A's rows from tile `first` on, or what row `first` alone takes from it. */
static void sketch(const struct tw_sketched *f, int j, int first, int last, tw_scalar alpha, tw_scalar beta,
                   int priority)
{
    for (int i = first; i < last; i++)
        tw_task_gemm(f->r.seq, priority, 'C', 'N', alpha, tw_tile(f->A, i, j), tw_tile(f->X, i, 0),
                     i == first ? beta : tw_one, tw_tile(f->S, j, 0));
}

static void first_sketch(const struct tw_sketched *f)
{
    for (int i = 0; i < f->A->mt; i++)
        tw_task_generate(f->r.seq, random_block, &numbers[f->A->type], 'G', (tw_int)i * f->A->mb, 0,
                         tw_tile(f->X, i, 0));
    for (int j = 0; j < f->A->nt; j++)
        sketch(f, j, 0, f->A->mt, tw_one, tw_zero, PRIORITY(f->panel[0], 1));
}

/* ---- one block --------------------------------------------------------------------------------------------------- */

/* Some temporary tiles of a block in which the columns that come first end. */
struct fixed {
    struct tw_data *tau, *front, *T, *Y, *Z, *first, *top, *identity, *zero, **V;
};

static int made(struct tw_data **d, enum tw_type type, int m, int n)
{
    return (*d = tw_data_tile(type, m, n)) != NULL;
}

/* Row k of tiles of Q^H M, for the Q of these columns: into `to`, of which as many rows as there are reflectors are
 * right. M's column j of tiles. */
static void top_rows(const struct tw_sketched *f, const struct fixed *x, int k, const struct tw_matrix *M, int j,
                     struct tw_data *Y, struct tw_data *Z, struct tw_data *to, int priority)
{
    struct tw_sequence *seq = f->r.seq;

    for (int i = k; i < M->mt; i++)
        tw_task_gemm(seq, priority, 'C', 'N', tw_one, i == k ? x->front : x->V[i - k], tw_tile(M, i, j),
                     i == k ? tw_zero : tw_one, Y);
    tw_task_gemm(seq, priority, 'C', 'N', tw_one, x->T, Y, tw_zero, Z);
    tw_task_lacpy(seq, priority, 'G', tw_tile(M, k, j), to);
    tw_task_gemm(seq, priority, 'N', 'N', tw_minus_one, x->front, Z, tw_one, to);
}

/* W has block k's first `count` columns chosen, whatever they are: they are factored on the side, what they take from
 * the others is taken from the sketch, and their own rows there become those of the identity, with zeros below, so that
 * elimination begins with them and chooses of the others as if there were no such. */
static int settle(struct tw_sketched *f, int k, int count)
{
    struct tw_sequence *seq = f->r.seq;
    struct tw_matrix *A = f->A, *W = f->W, *X = f->X;
    const int priority = PRIORITY(f->panel[k], 1), rows = tw_tile_rows(A, k), s = (int)X->n, own = tw_tile_cols(A, k);
    struct fixed x = {.V = calloc((size_t)(A->mt - k), sizeof *x.V)};
    int ready = x.V && made(&x.tau, A->type, count, 1) && made(&x.front, A->type, rows, count) &&
                made(&x.T, A->type, count, count) && made(&x.Y, A->type, count, s) && made(&x.Z, A->type, count, s) &&
                made(&x.first, A->type, rows, s) && made(&x.top, A->type, rows, s) &&
                made(&x.identity, A->type, own, s) && made(&x.zero, A->type, (int)A->nb, count);

    for (int i = k; ready && i < A->mt; i++) {
        const int m = tw_tile_rows(A, i);
        if ((ready = made(&x.V[i - k], A->type, m, count)))
            tw_task_lacpy_block(seq, priority, &(struct tw_block){.m = m, .n = count}, tw_tile(A, i, k), x.V[i - k], 1);
    }
    if (ready) {
        tw_task_geqrf(seq, priority, 'C', x.V, A->mt - k, x.tau, x.front, x.T);
        top_rows(f, &x, k, X, 0, x.Y, x.Z, x.first, priority);
        tw_task_laset(seq, priority, 'G', tw_zero, tw_zero, x.top);
        tw_task_lacpy_block(seq, priority, &(struct tw_block){.m = count, .n = s}, x.first, x.top, 0);
        tw_task_laset(seq, priority, 'G', tw_zero, tw_one, x.identity);
        tw_task_laset(seq, priority, 'G', tw_zero, tw_zero, x.zero);
    }
    for (int j = k; ready && j < A->nt; j++) {
        const int n = tw_tile_cols(A, j);
        struct tw_data *Y = NULL, *Z = NULL, *R = NULL;
        if ((ready = made(&Y, A->type, count, n) && made(&Z, A->type, count, n) && made(&R, A->type, rows, n))) {
            top_rows(f, &x, k, A, j, Y, Z, R, priority);
            tw_task_gemm(seq, priority, 'C', 'N', tw_minus_one, R, x.top, tw_one, tw_tile(W, j, 0));
            if (j > k)
                tw_task_lacpy_block(seq, priority, &(struct tw_block){.m = n, .n = count}, x.zero, tw_tile(W, j, 0), 0);
        }
        tw_data_free_later(Y), tw_data_free_later(Z), tw_data_free_later(R);
    }
    if (ready) {
        tw_task_lacpy_block(seq, priority, &(struct tw_block){.m = own, .n = count}, x.identity, tw_tile(W, k, 0), 0);
        tw_task_lacpy_block(seq, priority, &(struct tw_block){.m = count, .n = s}, x.identity, tw_tile(W, k, 0), 0);
    }
    for (int i = 0; x.V && i < A->mt - k; i++)
        tw_data_free_later(x.V[i]);
    tw_data_free_later(x.tau), tw_data_free_later(x.front), tw_data_free_later(x.T);
    tw_data_free_later(x.Y), tw_data_free_later(x.Z), tw_data_free_later(x.first), tw_data_free_later(x.top);
    tw_data_free_later(x.identity), tw_data_free_later(x.zero);
    free(x.V);
    return ready ? 0 : -1;
}

/* Which columns: swap[k], from the block's first one on. The sketch's rows are exchanged, too. */
static int choose(struct tw_sketched *f, int k)
{
    struct tw_sequence *seq = f->r.seq;
    struct tw_matrix *S = f->S, *W = f->W;
    const tw_int rest = S->m - (tw_int)k * S->mb;
    const int priority = PRIORITY(f->panel[k], 1);

    if (!(f->swap[k] = tw_data_vector_of(TW_INT32, (size_t)tw_min(rest, S->n), (int[2]){k, k}))) return -1;
    for (int j = k; j < S->mt; j++)
        tw_task_lacpy(seq, priority, 'G', tw_tile(S, j, 0), tw_tile(W, j, 0));
    if (f->fixed > (tw_int)k * f->A->nb && settle(f, k, (int)(f->fixed - (tw_int)k * f->A->nb))) return -1;
    /* as if there was one row less than none above: pivots from 0 */
    tw_task_getrf(seq, priority, column(W, k), W->mt - k, -1, f->swap[k], f->info);
    if (k + 1 < f->r.blocks) tw_task_laswp(seq, priority, 'F', column(S, k), S->mt - k, -1, &f->swap[k], 1, -1);
    tw_task_swap_numbers(seq, PRIORITY(0, 0), f->A->type, (tw_int)k * f->A->nb, f->swap[k], f->jpvt);
    return 0;
}

static void exchange(const struct tw_sketched *f, int i, int first, int pieces, int priority)
{
    struct tw_matrix *A = f->A;

    for (int j = first; j < A->nt; j++)
        f->list[j - first] = tw_tile(A, i, j);
    tw_task_swap_columns(f->r.seq, priority, f->list, A->nt - first, f->swap + first, pieces);
}

static int panel(struct tw_sketched *f, int k)
{
    const int priority = PRIORITY(f->panel[k], 1);

    if (tw_reflectors_add(&f->r, k)) return -1;
    for (int i = k; i < f->A->mt; i++)
        f->list[i - k] = tw_tile(f->A, i, k);
    tw_task_geqrf(f->r.seq, priority, 'C', f->list, f->A->mt - k, tw_tile(f->tau, k, 0), f->r.front[k], f->r.T[k]);
    tw_bring_home(f->r.seq, tw_tile(f->tau, k, 0));
    for (int i = k; i < f->A->mt; i++)
        tw_bring_home(f->r.seq, tw_tile(f->A, i, k));
    return 0;
}

static int block(struct tw_sketched *f, int k)
{
    const tw_scalar minus = tw_minus_one;
    const int more = k + 1 < f->r.blocks && f->first < f->r.blocks; /* X and the sketch are wanted */

    if (k >= f->first) {
        if (choose(f, k)) return -1;
        for (int i = k; i < f->A->mt; i++)
            exchange(f, i, k, 1, PRIORITY(f->panel[k], 1));
    }
    if (panel(f, k)) return -1;
    if (more) tw_reflect(&f->r, k, 'C', &f->on_X, 0, PRIORITY(f->panel[k + 1] + f->step, 1));
    for (int j = k + 1; j < f->A->nt; j++) { /* the next choice wants the first row of tiles of all of them */
        tw_reflect(&f->r, k, 'C', &f->on_A, j, PRIORITY(f->panel[k + 1] + f->step, more));
        if (more) sketch(f, j, k, k + 1, minus, tw_one, PRIORITY(f->panel[k + 1] + f->step, 1));
    }
    return 0;
}

int tw_sketched_block(struct tw_sketched *f, int k)
{
    if (!block(f, k)) return 0;
    tw_loop_fail(f->r.seq, TW_E_MEMORY, "geqp3_random: no memory for block %d", k);
    return -1;
}

void tw_sketched_finish(struct tw_sketched *f, int blocks)
{
    struct tw_matrix *A = f->A;

    for (int i = 0; i < A->mt; i++) {
        const int from = (int)tw_max(i + 1, f->first);
        if (from < blocks) exchange(f, i, from, blocks - from, PRIORITY(0, 0));
        for (int j = i + 1; j < A->nt; j++)
            tw_bring_home(f->r.seq, tw_tile(A, i, j));
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* The columns' numbers, those that come first in front; how many there are, and each one's exchange with the one in its
 * place. */
static struct tw_data *in_order(struct tw_sequence *seq, tw_int n, const tw_int *jpvt, tw_int *fixed, int32_t *swap)
{
    struct tw_data *v = tw_data_vector_of(TW_INT32, (size_t)n, (int[2]){-1, -1});
    int32_t *number = v ? v->host : NULL;

    if (!v) tw_loop_fail(seq, TW_E_MEMORY, "geqp3_random: no memory for the numbers of %lld columns", (long long)n);
    for (tw_int j = 0; v && j < n; j++)
        number[j] = (int32_t)(j + 1);
    for (tw_int j = 0; v && jpvt && j < n; j++)
        if (jpvt[j]) {
            number[j] = number[*fixed], number[*fixed] = (int32_t)(j + 1);
            swap[(*fixed)++] = (int32_t)j;
        }
    return v;
}

/* Those that come first to the front. */
static int to_the_front(struct tw_sketched *f, const int32_t *swap)
{
    struct tw_data *v;
    int moves = 0;

    for (tw_int j = 0; j < f->fixed; j++)
        moves |= swap[j] != j;
    if (!moves) return 0;
    if (!(v = tw_data_vector_of(TW_INT32, (size_t)f->fixed, (int[2]){-1, -1}))) return -1;
    memcpy(v->host, swap, (size_t)f->fixed * sizeof *swap);
    for (int i = 0; i < f->A->mt; i++) {
        for (int j = 0; j < f->A->nt; j++)
            f->list[j] = tw_tile(f->A, i, j);
        tw_task_swap_columns(f->r.seq, PRIORITY(f->panel[0], 1), f->list, f->A->nt, &v, 1);
    }
    tw_data_free_later(v);
    return 0;
}

static int prepare(struct tw_sketched *f, struct tw_sequence *seq, const tw_int *jpvt, int32_t *swap)
{
    struct tw_matrix *A = f->A;
    const tw_int nb = A->nb, width = tw_min(nb, tw_min(A->m, A->n));

    if (tw_reflectors_begin(seq, &f->r, 'C', A, tw_min(A->m, A->n)) ||
        !(f->jpvt = in_order(seq, A->n, jpvt, &f->fixed, swap)))
        return -1;
    f->first = f->fixed < tw_min(A->m, A->n) ? (int)(f->fixed / nb) : f->r.blocks;
    f->X = tw_matrix_temporary(A->type, A->m, width, nb, width);
    f->S = tw_matrix_temporary(A->type, A->n, width, nb, width);
    f->W = tw_matrix_temporary(A->type, A->n, width, nb, width);
    f->info = tw_data_vector(1, sizeof(int64_t), (int[2]){-1, -1});
    f->swap = calloc((size_t)f->r.blocks, sizeof *f->swap);
    f->list = malloc((size_t)tw_max(A->mt, A->nt) * sizeof *f->list);
    if (!f->X || !f->S || !f->W || !f->info || !f->swap || !f->list || levels(f) || to_the_front(f, swap)) {
        tw_loop_fail(seq, TW_E_MEMORY, "geqp3_random: no memory for the sketch, 3 x %lld x %lld elements",
                     (long long)tw_max(A->m, A->n), (long long)width);
        return -1;
    }
    return tw_target_begin(&f->on_A, &f->r, 'L', A) || tw_target_begin(&f->on_X, &f->r, 'L', f->X) ? -1 : 0;
}

int tw_sketched_begin(struct tw_sketched *f, struct tw_sequence *seq, struct tw_matrix *A, const tw_int *jpvt,
                      struct tw_matrix *tau)
{
    int32_t *swap = malloc((size_t)(jpvt ? A->n : 1) * sizeof *swap);
    int e = -1;

    *f = (struct tw_sketched){.A = A, .tau = tau};
    if (swap)
        e = prepare(f, seq, jpvt, swap);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "geqp3_random: no memory for %lld exchanges", (long long)A->n);
    free(swap);
    if (!e && f->first < f->r.blocks) first_sketch(f);
    return e;
}

void tw_sketched_end(struct tw_sketched *f)
{
    for (int k = 0; f->swap && k < f->r.blocks; k++)
        tw_data_free_later(f->swap[k]);
    tw_target_end(&f->on_A);
    tw_target_end(&f->on_X);
    tw_reflectors_end(&f->r);
    tw_matrix_free_later(f->X);
    tw_matrix_free_later(f->S);
    tw_matrix_free_later(f->W);
    tw_data_free_later(f->info);
    tw_data_free_later(f->jpvt);
    free(f->swap), free(f->list), free(f->panel);
}

void tw_geqp3_random_loop(struct tw_sequence *seq, struct tw_matrix *A, tw_int *jpvt, struct tw_matrix *tau)
{
    struct tw_sketched f;

    if (!tw_sketched_begin(&f, seq, A, jpvt, tau)) {
        int k = 0;
        while (k < f.r.blocks && !tw_loop_status(seq) && !tw_sketched_block(&f, k))
            k++;
        if (k == f.r.blocks) tw_sketched_finish(&f, k);
        tw_jpvt_out(seq, f.jpvt, jpvt);
    }
    tw_sketched_end(&f);
}
