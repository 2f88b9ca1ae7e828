/* What singular values alone say of a matrix: its norm and its condition in the 2-norm, exact, and its rank. All of
 * them are computed, without vectors; a task looks at them, and nothing waits. */
#include <float.h>
#include <math.h>
#include "algorithms/svd/svd_loops.h"

struct args {
    enum tw_svd_number what;
    struct tw_matrix *A;
    double rcond, *value;
    int *rank;
};

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    const tw_int k = tw_min(a->A->m, a->A->n);
    struct tw_data *S = tw_data_vector((size_t)k, sizeof(double), (int[2]){-1, -1});

    if (!S) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %lld singular values", (long long)k);
        return;
    }
    tw_gesdd_loop(seq, a->A, S->host, NULL, (struct tw_svd_side){.token = S}, (struct tw_svd_side){0});
    tw_task_svd_number(seq, tw_priority(seq, 0, 1, 0), a->A->type, a->what, k, a->rcond, tw_info(seq), S, a->value,
                       a->rank);
    tw_data_free_later(S);
}

static int check_matrix(const char *who, const struct args *a)
{
    int e;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    if (a->A->m == 0 || a->A->n == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who, tw_svd_bytes(a->A->type, a->A->m, a->A->n, 0, 0, a->A->nb), a->A, NULL, NULL);
}

/* Without elements the norm is 0, and the condition, as LAPACK has it of gecon, 1. */
static int check(const char *who, void *args)
{
    const struct args *a = args;

    TW_CHECK(who, 2, a->value ? NULL : "NULL");
    *a->value = a->what == TW_SVD_NORM ? 0 : 1;
    return check_matrix(who, a);
}

static int check_rank(const char *who, void *args)
{
    struct args *a = args;
    const char *why = tw_bad_general(a->A);

    TW_CHECK(who, 1, why);
    TW_CHECK(who, 2, isnan(a->rcond) ? "NaN" : NULL);
    TW_CHECK(who, 3, a->rank ? NULL : "NULL");
    *a->rank = 0;
    if (!(a->rcond > 0 && a->rcond < 1))
        a->rcond = (tw_is_single(a->A->type) ? FLT_EPSILON : DBL_EPSILON) / 2 * (double)tw_max(a->A->m, a->A->n);
    return check_matrix(who, a);
}

static double flops(const void *args)
{
    const struct tw_matrix *A = ((const struct args *)args)->A;
    return tw_flops_gebrd(A->type, (double)tw_max(A->m, A->n), (double)tw_min(A->m, A->n));
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return tw_svd_bytes(s->type, s->m, s->n, 0, 0, nb);
}

#define ROW(name_, arguments_, check_)                                                                                 \
    const struct tw_routine tw_routine_##name_ = {.name = #name_,                                                      \
                                                  .arguments = arguments_,                                             \
                                                  .size = sizeof(struct args),                                         \
                                                  .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),                         \
                                                  .check = check_,                                                     \
                                                  .loop = loop,                                                        \
                                                  .flops = flops,                                                      \
                                                  .needs = {.given = "mn", .own_bytes = own_bytes}};
ROW(genorm2, 2, check)
ROW(gecond2, 2, check)
ROW(gerank, 3, check_rank)

int tw_genorm2(tw_matrix *A, double *value)
{
    return tw_run(&tw_routine_genorm2, &(struct args){TW_SVD_NORM, A, 0, value, NULL});
}

int tw_genorm2_async(tw_matrix *A, double *value, tw_sequence *seq)
{
    return tw_queue(&tw_routine_genorm2, seq, &(struct args){TW_SVD_NORM, A, 0, value, NULL});
}

int tw_gecond2(tw_matrix *A, double *value)
{
    return tw_run(&tw_routine_gecond2, &(struct args){TW_SVD_CONDITION, A, 0, value, NULL});
}

int tw_gecond2_async(tw_matrix *A, double *value, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gecond2, seq, &(struct args){TW_SVD_CONDITION, A, 0, value, NULL});
}

int tw_gerank(tw_matrix *A, double rcond, int *rank)
{
    return tw_run(&tw_routine_gerank, &(struct args){TW_SVD_RANK, A, rcond, NULL, rank});
}

int tw_gerank_async(tw_matrix *A, double rcond, int *rank, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gerank, seq, &(struct args){TW_SVD_RANK, A, rcond, NULL, rank});
}
