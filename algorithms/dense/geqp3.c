/* QR with column pivoting, A P = Q R: in each step the column of the largest norm comes next (Businger, Golub, "Linear
 * least squares solutions by Householder transformations", Numer. Math. 7, 1965), by blocks as LAPACK's geqp3.
 *
 * A block column is one task over all tiles from it on, since the choice of a column needs the norms of all; what it
 * owes the tiles below and to the right of it are products of tiles. Exchanges in the rows above happen at the end.
 * Nothing waits for a value. */
#include "algorithms/dense/pivoted.h"
#include <stdlib.h>
#include "algorithms/dense/pivoted_random.h"

static int priority(const struct tw_pivoted *f, int k, int panel)
{
    return tw_priority(f->seq, f->blocks - k, f->blocks, panel);
}

int tw_pivoted_panel(struct tw_pivoted *f, int k)
{
    struct tw_matrix *A = f->A;
    const int mt = A->mt - k, nt = A->nt - k, width = tw_tile(f->tau, k, 0)->m;
    int made = (f->swap[k] = tw_data_vector_of(TW_INT32, (size_t)width, (int[2]){k, k})) != NULL;

    for (int j = 0; j < nt; j++)
        for (int i = 0; i < mt; i++)
            f->grid[i + j * mt] = tw_tile(A, k + i, k + j);
    for (int j = 1; j < nt; j++)
        made &= (f->F[j - 1] = tw_data_tile(A->type, tw_tile_cols(A, k + j), width)) != NULL;
    if (made)
        tw_task_laqps(f->seq, priority(f, k, 1), k == 0, k * A->nb, f->grid, mt, nt, f->jpvt, f->fixed, f->norms,
                      f->swap[k], tw_tile(f->tau, k, 0), f->F, f->stop);
    else
        tw_loop_fail(f->seq, TW_E_MEMORY, "geqp3: no memory for block %d", k);
    return made ? 0 : -1;
}

static void forget(struct tw_pivoted *f)
{
    for (int j = 0; f->F && j < f->A->nt; j++) {
        tw_data_free_later(f->F[j]);
        f->F[j] = NULL;
    }
}

void tw_pivoted_update(struct tw_pivoted *f, int k)
{
    struct tw_matrix *A = f->A;

    for (int j = 1; j < A->nt - k; j++)
        for (int i = 1; i < A->mt - k; i++)
            tw_task_gemm(f->seq, priority(f, k, 0), 'N', 'C', tw_minus_one, tw_tile(A, k + i, k), f->F[j - 1], tw_one,
                         tw_tile(A, k + i, k + j));
    forget(f);
}

void tw_pivoted_finish(struct tw_pivoted *f, int blocks)
{
    struct tw_matrix *A = f->A;

    for (int i = 0; i < A->mt; i++) {
        const int first = i + 1;
        if (first < blocks) {
            for (int j = first; j < A->nt; j++)
                f->grid[j - first] = tw_tile(A, i, j);
            tw_task_swap_columns(f->seq, priority(f, f->blocks, 0), f->grid, A->nt - first, f->swap + first,
                                 blocks - first);
        }
        for (int j = 0; j < A->nt; j++)
            tw_bring_home(f->seq, tw_tile(A, i, j));
    }
}

int tw_pivoted_begin(struct tw_pivoted *f, struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *jpvt,
                     struct tw_matrix *tau)
{
    const int none[2] = {-1, -1};
    const size_t tiles = (size_t)A->mt * (size_t)A->nt;

    *f = (struct tw_pivoted){.seq = seq, .A = A, .tau = tau, .jpvt = jpvt, .blocks = tau->mt};
    f->fixed = tw_data_vector(1, sizeof(int64_t), none);
    f->norms = tw_data_vector(2 * (size_t)A->n, sizeof(double), none);
    f->swap = calloc((size_t)f->blocks, sizeof *f->swap);
    f->grid = calloc(tiles, sizeof *f->grid);
    f->F = calloc((size_t)A->nt, sizeof *f->F);
    if (f->fixed && f->norms && f->swap && f->grid && f->F) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "geqp3: no memory for %zu tiles", tiles);
    return -1;
}

void tw_pivoted_end(struct tw_pivoted *f)
{
    forget(f);
    for (int k = 0; f->swap && k < f->blocks; k++)
        tw_data_free_later(f->swap[k]);
    tw_data_free_later(f->fixed);
    tw_data_free_later(f->norms);
    free(f->swap), free(f->grid), free(f->F);
}

void tw_geqp3_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_data *jpvt, struct tw_matrix *tau)
{
    struct tw_pivoted f;

    if (!tw_pivoted_begin(&f, seq, A, jpvt, tau)) {
        int k = 0;
        for (; k < f.blocks && !tw_loop_status(seq) && !tw_pivoted_panel(&f, k); k++)
            tw_pivoted_update(&f, k);
        if (k == f.blocks) tw_pivoted_finish(&f, k);
    }
    tw_pivoted_end(&f);
}

/* ---- the caller's jpvt ------------------------------------------------------------------------------------------- */

struct tw_data *tw_jpvt_in(struct tw_sequence *seq, tw_int n, const tw_int *jpvt)
{
    struct tw_data *v = tw_data_vector_of(TW_INT32, (size_t)n, (int[2]){-1, -1});

    if (!v) tw_loop_fail(seq, TW_E_MEMORY, "geqp3: no memory for the numbers of %lld columns", (long long)n);
    for (tw_int j = 0; v && j < n; j++)
        ((int32_t *)v->host)[j] = jpvt[j] != 0;
    return v;
}

static void put(struct tw_sequence *seq, const void *value, void *args)
{
    const int32_t *v = value;
    struct {
        tw_int *to, n;
    } *a = args;

    (void)seq;
    for (tw_int j = 0; j < a->n; j++)
        a->to[j] = v[j];
}

void tw_jpvt_out(struct tw_sequence *seq, struct tw_data *vector, tw_int *to)
{
    const struct {
        tw_int *to, n;
    } a = {to, vector->m};

    tw_when(seq, vector, NULL, NULL, 0, put, &a, sizeof a);
}

void tw_jpvt_of_no_rows(tw_int n, tw_int *jpvt)
{
    tw_int fixed = 0;

    for (tw_int j = 0; jpvt && j < n; j++) {
        const int first = jpvt[j] != 0;
        jpvt[j] = j + 1;
        if (!first) continue;
        jpvt[j] = jpvt[fixed];
        jpvt[fixed++] = j + 1;
    }
}

/* ---- the routine, and geqp3_random, which differs in its loop ---------------------------------------------------- */

struct args {
    struct tw_matrix *A;
    tw_int *jpvt;
    struct tw_matrix *tau;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);
    struct tw_data *jpvt = A ? tw_jpvt_in(seq, A->n, a->jpvt) : NULL;

    if (jpvt) {
        tw_geqp3_loop(seq, A, jpvt, a->tau);
        tw_jpvt_out(seq, jpvt, a->jpvt);
        tw_data_free_later(jpvt);
    }
    tw_retiled_end(seq, a->A, A, 1);
}

static void loop_random(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);

    if (A) tw_geqp3_random_loop(seq, A, a->jpvt, a->tau);
    tw_retiled_end(seq, a->A, A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 2, a->jpvt || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 3, tw_bad_full_tau(a->tau, a->A));
    if (a->A->m == 0) tw_jpvt_of_no_rows(a->A->n, a->jpvt);
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_geqrf(A->type, (double)A->m, (double)A->n);
}

/* F of one panel, behind which the next one waits. */
double tw_pivoted_elements(tw_int m, tw_int n, tw_int nb)
{
    return (double)tw_max(0, n - nb) * (double)tw_min(nb, tw_min(m, n));
}
double tw_pivoted_bytes(const struct tw_sizes *s, tw_int nb)
{
    return (double)tw_sizeof(s->type) * tw_pivoted_elements(s->m, s->n, nb);
}

#define ROW(name_, loop_, tuning_, ...)                                                                                \
    const struct tw_routine tw_routine_##name_ = {.name = #name_,                                                      \
                                                  .arguments = 3,                                                      \
                                                  .size = sizeof(struct args),                                         \
                                                  .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tau)), \
                                                  .check = check,                                                      \
                                                  .loop = loop_,                                                       \
                                                  .flops = flops,                                                      \
                                                  .tuning = &tuning_,                                                  \
                                                  .needs = {"mn l1", __VA_ARGS__}}
ROW(geqp3, loop, tw_tuning_exchanges, NULL, NULL, tw_pivoted_bytes);
ROW(geqp3_random, loop_random, tw_tuning_sketched, TW_SKETCHED_SHAPES);

int tw_geqp3(tw_matrix *A, tw_int *jpvt, tw_matrix *tau)
{
    return tw_run(&tw_routine_geqp3, &(struct args){A, jpvt, tau});
}

int tw_geqp3_async(tw_matrix *A, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geqp3, seq, &(struct args){A, jpvt, tau});
}

int tw_geqp3_random(tw_matrix *A, tw_int *jpvt, tw_matrix *tau)
{
    return tw_run(&tw_routine_geqp3_random, &(struct args){A, jpvt, tau});
}

int tw_geqp3_random_async(tw_matrix *A, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geqp3_random, seq, &(struct args){A, jpvt, tau});
}
