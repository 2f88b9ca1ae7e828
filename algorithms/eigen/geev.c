/* Eigenvalues and eigenvectors of a general matrix: A is balanced, reduced to Hessenberg form H = Q^H A Q by tasks (gehrd.c), H to its Schur form T = Z^H H Z by LAPACK's QR iteration, one task; T's
 * eigenvectors are solved for, some columns in each task, and multiplied by Q Z. One graph: what waits for a value, without holding up other work, is the reduction, for balancing's ilo and ihi, and the
 * eigenvectors, for which columns of T belong together in a pair.
 *
 * T is computed in full for eigenvalues alone, too, so that they are the same bits with and without eigenvectors. */
#include <math.h>
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/gehrd_tasks.h"
#include "codelets/eigen/geev_tasks.h"
#include "runtime/base/error.h"

struct args {
    enum tw_jobz jobvl, jobvr;
    struct tw_matrix *A;
    double *wr, *wi;
    struct tw_matrix *VL, *VR;
};

/* One call. H: A's copy, which becomes T, one tile; Z: NULL without eigenvectors, one tile or two, one below the other. */
struct problem {
    struct args a;
    enum tw_type type;
    int n;
    struct tw_geev_head head;
    struct tw_matrix *H, *Z, *tau, *again; /* again: H for the second half of Z's rows */
    struct tw_data *scale, *state;
};

static struct tw_data *tile(const struct tw_matrix *A)
{
    return A ? tw_tile(A, 0, 0) : NULL;
}

/* ---- eigenvectors --------------------------------------------------------------------------------------------------------- */

/* V's columns are `to`'s from number `first` on. */
static void leave(struct tw_sequence *seq, struct tw_data *V, int first, struct tw_matrix *to)
{
    const int last = first + V->n;

    for (int j = (int)(first / to->nb); j < to->nt && j * to->nb < last; j++)
        for (int i = 0; i < to->mt; i++) {
            const int at = (int)(j * to->nb), c0 = tw_max(first, at), c1 = tw_min(last, at + tw_tile_cols(to, j));
            const struct tw_block block = {.m = tw_tile_rows(to, i),
                                           .n = c1 - c0,
                                           .ai = (int)(i * to->mb),
                                           .aj = c0 - first,
                                           .bj = c0 - at};
            tw_task_lacpy_block(seq, tw_priority(seq, 1, 2, 0), &block, V, tw_tile(to, i, j),
                                block.n == tw_tile_cols(to, j));
            if (c1 == at + tw_tile_cols(to, j)) tw_bring_home(seq, tw_tile(to, i, j));
        }
}

/* Columns first ... end - 1. */
static void block_of(struct tw_sequence *seq, const struct problem *p, char side, int first, int end,
                     struct tw_matrix *to)
{
    const int rows = side == 'R' ? end : p->n - first, priority = tw_priority(seq, 2 * p->n + rows, 4 * p->n, 0);
    struct tw_data *X = tw_data_tile(p->type, rows, end - first), *V = tw_data_tile(p->type, p->n, end - first);

    if (X && V) {
        tw_task_trevc(seq, priority, side, first, tile(p->H), X);
        tw_task_trevc_back(seq, priority, side, first, p->Z->tile, p->Z->mt, X, V);
        tw_task_gebak(seq, priority, side, first, &p->head, p->scale, p->state, V);
        leave(seq, V, first, to);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "geev: no memory for %d eigenvectors", end - first);
    }
    if (X) tw_data_free_later(X);
    if (V) tw_data_free_later(V);
}

/* state: the info, and which columns are a pair's. */
static void with_schur_form(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;
    const int32_t *state = value, *pair = state + 1;
    const int width = (int)tw_columns_of_block(p->n);
    const char *before;

    if (state[0] != 0) return; /* LAPACK has no eigenvectors then either */
    before = tw_loop_in_stage(seq, "vectors");
    for (int first = 0, end; first < p->n && !tw_loop_status(seq); first = end) {
        end = tw_min(first + width, p->n);
        if (end < p->n && pair[end] == 2) end++;
        if (p->a.VL) block_of(seq, p, 'L', first, end, p->a.VL);
        if (p->a.VR) block_of(seq, p, 'R', first, end, p->a.VR);
    }
    (void)tw_loop_in_stage(seq, before);
}

/* ---- what comes before ---------------------------------------------------------------------------------------------------- */

static void not_finite(struct tw_sequence *seq, const struct problem *p)
{
    for (int i = 0; i < p->n; i++)
        p->a.wr[i] = p->a.wi[i] = NAN;
    tw_loop_info(seq, p->n);
}

/* The QR iteration of H takes most of the time that it and Z's rows take, on one core; where there are more, each of two takes half of Z's rows, and does all of H, of which neither has to wait for the
 * other: the same numbers. Double, n = 2000, two cores: 1.38 s in place of 1.59. */
static int in_halves(const struct problem *p)
{
    int ncuda;
    return p->head.ihi - p->head.ilo >= 512 && tw_worker_count(&ncuda) - ncuda > 1 && !tw_reproducible();
}

/* H in LAPACK's storage, which hseqr can do with, and Z := Q. */
static int hessenberg(struct tw_sequence *seq, struct problem *p)
{
    const tw_int ilo = p->head.ilo, ihi = p->head.ihi;
    const int vectors = p->a.VL || p->a.VR, reduces = ihi - ilo > 1;

    if (reduces && !(p->tau = tw_matrix_temporary(p->type, p->n - 1, 1, p->n - 1, 1))) goto no_memory;
    if (reduces) tw_gehrd_loop(seq, ilo, ihi, p->H, p->tau);
    if (!vectors) return 0;
    if (reduces) {
        const int halves = in_halves(p);
        if (!(p->Z = tw_copied(seq, p->H, halves ? (p->n + 1) / 2 : p->n, p->n))) return -1;
        tw_unghr_loop(seq, TW_LEFT, 'N', ilo, ihi, p->Z, p->tau, NULL);
        return !halves || (p->again = tw_copied(seq, p->H, p->n, p->n)) ? 0 : -1;
    }
    if (!(p->Z = tw_matrix_temporary(p->type, p->n, p->n, p->n, p->n))) goto no_memory;
    tw_task_laset_diagonal(seq, tw_priority(seq, 1, 2, 1), tw_zero, tw_one, 0, tile(p->Z));
    return 0;
no_memory:
    tw_loop_fail(seq, TW_E_MEMORY, "geev: Q of order %d: %s", p->n, tw_last_message());
    return -1;
}

static void with_head(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;
    const struct tw_geev_head *head = value;
    const char *before;

    p->head = *head;
    if (!head->finite) {
        not_finite(seq, p);
        return;
    }
    before = tw_loop_in_stage(seq, "hessenberg");
    if (!hessenberg(seq, p)) {
        (void)tw_loop_in_stage(seq, "schur");
        tw_task_hseqr(seq, tw_priority(seq, 3, 4, 1), head, p->a.wr, p->a.wi, tile(p->H), tile(p->Z), p->state,
                      tw_info(seq));
        if (p->again)
            tw_task_hseqr(seq, tw_priority(seq, 3, 4, 1), head, NULL, NULL, tile(p->again), tw_tile(p->Z, 1, 0), NULL,
                          NULL);
        if (p->Z) {
            const struct tw_use uses[] = {{NULL, p->H, TW_R},     {NULL, p->Z, TW_R},     {NULL, p->a.VL, TW_RW},
                                          {NULL, p->a.VR, TW_RW}, {p->scale, NULL, TW_R}, {p->state, NULL, TW_R}};
            tw_when(seq, p->state, NULL, uses, 6, with_schur_form, p, sizeof *p);
        }
    }
    (void)tw_loop_in_stage(seq, before);
    if (p->tau) tw_matrix_free_later(p->tau);
    if (p->Z) tw_matrix_free_later(p->Z);
    if (p->again) tw_matrix_free_later(p->again);
}

static void loop(struct tw_sequence *seq, void *args)
{
    struct problem p = {.a = *(const struct args *)args};
    struct tw_matrix *A = p.a.A;
    const struct tw_geev_head modelled = {.ilo = 1, .ihi = A->n, .finite = 1, .norm = 1};
    struct tw_data *head = tw_data_vector(1, sizeof modelled, (int[2]){-1, -1});
    const char *before = tw_loop_in_stage(seq, "balance");

    p.type = A->type, p.n = (int)A->n;
    p.scale = tw_data_vector_of(tw_real_type(p.type), (size_t)p.n, (int[2]){-1, -1});
    p.state = tw_data_vector_of(TW_INT32, (size_t)p.n + 1, (int[2]){-1, -1});
    if (!head || !p.scale || !p.state)
        tw_loop_fail(seq, TW_E_MEMORY, "geev: no memory for %d factors", p.n);
    else if ((p.H = tw_copied(seq, A, p.n, p.n)))
        tw_task_gebal(seq, tw_priority(seq, 4, 4, 1), tile(p.H), p.scale, head);
    (void)tw_loop_in_stage(seq, before);
    if (p.H) {
        const struct tw_use uses[] = {{NULL, p.H, TW_RW},     {NULL, p.a.VL, TW_RW},  {NULL, p.a.VR, TW_RW},
                                      {p.scale, NULL, TW_RW}, {p.state, NULL, TW_RW}};
        tw_when(seq, head, &modelled, uses, 5, with_head, &p, sizeof p);
        tw_matrix_free_later(p.H);
    }
    if (head) tw_data_free_later(head);
    if (p.scale) tw_data_free_later(p.scale);
    if (p.state) tw_data_free_later(p.state);
}

/* ---- the routine ----------------------------------------------------------------------------------------------------------- */

static const char *bad_job(enum tw_jobz job)
{
    return job == TW_NOVECTORS || job == TW_VECTORS ? NULL : "neither TW_NOVECTORS nor TW_VECTORS";
}
static const char *bad_vectors(enum tw_jobz job, const struct tw_matrix *A, const struct tw_matrix *V)
{
    const char *why;

    if (job == TW_NOVECTORS) return V ? "a matrix, without these eigenvectors asked for" : NULL;
    if (!(why = tw_bad_general(V))) why = tw_bad_pair(A, V);
    if (!why && V == A) why = "it is the matrix A itself";
    return why ? why : V->m != A->n || V->n != A->n ? "its shape is not A's" : NULL;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, bad_job(a->jobvl));
    TW_CHECK(who, 2, bad_job(a->jobvr));
    TW_CHECK(who, 3, tw_bad_square(a->A));
    TW_CHECK(who, 3, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 4, a->wr || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->wi || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 6, bad_vectors(a->jobvl, a->A, a->VL));
    TW_CHECK(who, 7, bad_vectors(a->jobvr, a->A, a->VR));
    TW_CHECK(who, 7, a->VR && a->VR == a->VL ? "it is VL, too" : NULL);
    if (a->A->n == 0) return TW_NOTHING;
    /* H, with eigenvectors twice, and Z, and a copy of it while it is made; eigenvectors on their way */
    return tw_eigen_memory(who, (a->VL || a->VR ? 5 : 2) * 2 * tw_sytrd_bytes(a->A->type, a->A->n), a->A, a->VL, a->VR);
}

/* The reduction to Hessenberg form; with eigenvectors its Q, and products with them. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->A->n;
    return tw_flops_gehrd(a->A->type, n) + tw_flop_factor(a->A->type) * n * n * n *
                                               (10 + (a->VL || a->VR ? 5 + 4.0 / 3 : 0) + (a->VL ? 1 : 0) + (a->VR ? 1 : 0));
}

static const struct tw_tuning tuning = {.crossover = 512};

const struct tw_routine tw_routine_geev = {.name = "geev",
                                           .tuning = &tuning,
                                           .arguments = 7,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, VL),
                                                                  TW_OPERAND(TW_RW, VR)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops};

int tw_geev(enum tw_jobz jobvl, enum tw_jobz jobvr, tw_matrix *A, double *wr, double *wi, tw_matrix *VL, tw_matrix *VR)
{
    return tw_run(&tw_routine_geev, &(struct args){jobvl, jobvr, A, wr, wi, VL, VR});
}

int tw_geev_async(enum tw_jobz jobvl, enum tw_jobz jobvr, tw_matrix *A, double *wr, double *wi, tw_matrix *VL,
                  tw_matrix *VR, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geev, seq, &(struct args){jobvl, jobvr, A, wr, wi, VL, VR});
}
