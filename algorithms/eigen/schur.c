/* A general matrix' way to its Schur form. What waits for a value, without holding up other work, is the reduction, for
 * balancing's ilo and ihi.
 *
 * T is computed in full for eigenvalues alone, too, so that they are the same bits with and without vectors. */
#include <math.h>
#include "algorithms/eigen/schur.h"
#include "runtime/base/error.h"

static void not_finite(struct tw_sequence *seq, const struct tw_schur *s)
{
    for (int i = 0; i < s->n; i++)
        s->wr[i] = s->wi[i] = NAN;
    tw_loop_info(seq, s->n);
}

/* The QR iteration of H takes most of the time that it and Z's rows take, on one core; where there are more, each of
 * two takes half of Z's rows, and does all of H, of which neither has to wait for the other: the same numbers. Double,
 * n = 2000, two cores: 1.38 s in place of 1.59. */
static int in_halves(const struct tw_schur *s)
{
    int ncuda;
    return s->head.ihi - s->head.ilo >= 512 && tw_worker_count(&ncuda) - ncuda > 1 && !tw_reproducible();
}

/* H in LAPACK's storage, which hseqr can do with, and Z := Q. */
static int hessenberg(struct tw_sequence *seq, struct tw_schur *s)
{
    const tw_int ilo = s->head.ilo, ihi = s->head.ihi;
    const int reduces = ihi - ilo > 1;

    if (reduces && !(s->tau = tw_matrix_temporary(s->type, s->n - 1, 1, s->n - 1, 1))) goto no_memory;
    if (reduces) tw_gehrd_loop(seq, ilo, ihi, s->H, s->tau);
    if (!s->vectors) return 0;
    if (reduces) {
        const int halves = in_halves(s);
        if (!(s->Z = tw_copied(seq, s->H, halves ? (s->n + 1) / 2 : s->n, s->n))) return -1;
        tw_unghr_loop(seq, TW_LEFT, 'N', ilo, ihi, s->Z, s->tau, NULL);
        return !halves || (s->again = tw_copied(seq, s->H, s->n, s->n)) ? 0 : -1;
    }
    if (!(s->Z = tw_matrix_temporary(s->type, s->n, s->n, s->n, s->n))) goto no_memory;
    tw_task_laset_diagonal(seq, tw_priority(seq, 1, 2, 1), tw_zero, tw_one, 0, tw_only_tile(s->Z));
    return 0;
no_memory:
    tw_loop_fail(seq, TW_E_MEMORY, "%s: Q of order %d: %s", s->who, s->n, tw_last_message());
    return -1;
}

int tw_schur_reduce(struct tw_sequence *seq, struct tw_schur *s, const struct tw_geev_head *head)
{
    const char *before;
    int e;

    s->head = *head;
    if (!head->finite) {
        not_finite(seq, s);
        return -1;
    }
    before = tw_loop_in_stage(seq, "hessenberg");
    if (!(e = hessenberg(seq, s))) {
        (void)tw_loop_in_stage(seq, "schur");
        tw_task_hseqr(seq, tw_priority(seq, 3, 4, 1), head, s->wr, s->wi, tw_only_tile(s->H), tw_only_tile(s->Z),
                      s->state, tw_info(seq));
        if (s->again)
            tw_task_hseqr(seq, tw_priority(seq, 3, 4, 1), head, NULL, NULL, tw_only_tile(s->again), tw_tile(s->Z, 1, 0),
                          NULL, NULL);
    }
    (void)tw_loop_in_stage(seq, before);
    return e;
}

void tw_schur_end(struct tw_schur *s)
{
    if (s->tau) tw_matrix_free_later(s->tau);
    if (s->Z) tw_matrix_free_later(s->Z);
    if (s->again) tw_matrix_free_later(s->again);
}

void tw_schur_begin(struct tw_sequence *seq, struct tw_schur *problem, size_t size, struct tw_matrix *A, char job,
                    double *to, tw_when_fn next, const struct tw_use *uses, int nuses)
{
    const struct tw_geev_head modelled = {.ilo = 1, .ihi = A->n, .job = job, .finite = 1, .norm = 1};
    struct tw_data *head = tw_data_vector(1, sizeof modelled, (int[2]){-1, -1});
    const char *before = tw_loop_in_stage(seq, "balance");
    struct tw_schur *s = problem;

    s->type = A->type, s->n = (int)A->n;
    s->scale = tw_data_vector_of(tw_real_type(s->type), (size_t)s->n, (int[2]){-1, -1});
    s->state = tw_data_vector_of(TW_INT32, (size_t)s->n + 1, (int[2]){-1, -1});
    if (!head || !s->scale || !s->state)
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for %d factors", s->who, s->n);
    else if ((s->H = tw_copied(seq, A, s->n, s->n)))
        tw_task_gebal(seq, tw_priority(seq, 4, 4, 1), job, tw_only_tile(s->H), s->scale, head, to);
    (void)tw_loop_in_stage(seq, before);
    if (s->H) {
        struct tw_use all[3 + TW_SCHUR_USES] = {{NULL, s->H, TW_RW}, {s->scale, NULL, TW_RW}, {s->state, NULL, TW_RW}};
        for (int k = 0; k < nuses; k++)
            all[3 + k] = uses[k];
        tw_when(seq, head, &modelled, all, 3 + nuses, next, problem, size);
        tw_matrix_free_later(s->H);
    }
    if (head) tw_data_free_later(head);
    if (s->scale) tw_data_free_later(s->scale);
    if (s->state) tw_data_free_later(s->state);
}

const char *tw_bad_vectors(enum tw_jobz job, const struct tw_matrix *A, const struct tw_matrix *V)
{
    const char *why;

    if (job == TW_NOVECTORS) return V ? "a matrix, without these vectors asked for" : NULL;
    if (!(why = tw_bad_general(V))) why = tw_bad_pair(A, V);
    if (!why && V == A) why = "it is the matrix A itself";
    return why ? why : V->m != A->n || V->n != A->n ? "its shape is not A's" : NULL;
}
