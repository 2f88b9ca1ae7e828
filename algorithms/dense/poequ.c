/* Scalings that make a positive definite matrix' diagonal ones (LAPACK's poequ), or powers of 2 that bring it near them
 * (poequb). Only its diagonal is looked at, when it is there; an element that is not positive is the routine's info. */
#include <math.h>
#include "algorithms/dense/dense_loops.h"

struct args {
    struct tw_matrix *A;
    double *s, *scond, *amax;
    int radix;
};

/* 1 / sqrt(d), or the power of 2 near it whose exponent LAPACK takes: by logarithms, cut towards 0. */
static double scaling(const struct args *a, double d)
{
    if (!a->radix || isinf(d)) return tw_is_single(a->A->type) ? (double)(1 / sqrtf((float)d)) : 1 / sqrt(d);
    return ldexp(1, tw_is_single(a->A->type) ? (int)(-0.5F / logf(2) * logf((float)d)) : (int)(-0.5 / log(2) * log(d)));
}

static void diagonal(struct tw_sequence *seq, const void *value, void *p)
{
    const struct args *a = p;
    const double *d = value;
    double least = d[0], most = d[0];

    (void)seq;
    for (tw_int i = 0; i < a->A->n; i++) {
        a->s[i] = d[i];
        least = fmin(least, d[i]);
        most = fmax(most, d[i]);
    }
    *a->amax = most;
    for (tw_int i = 0; i < a->A->n; i++)
        if (!(d[i] > 0)) return; /* the info says which */
    for (tw_int i = 0; i < a->A->n; i++)
        a->s[i] = scaling(a, d[i]);
    *a->scond =
        tw_is_single(a->A->type) ? (double)(sqrtf((float)least) / sqrtf((float)most)) : sqrt(least) / sqrt(most);
}

void tw_poequ_loop(struct tw_sequence *seq, struct tw_matrix *A, double *s, double *scond, double *amax, int radix,
                   struct tw_data *info)
{
    const struct args a = {A, s, scond, amax, radix};
    struct tw_data *d = tw_data_vector((size_t)A->n, sizeof(double), (int[2]){-1, -1});
    const int priority = tw_priority(seq, 1, 1, 1);

    if (!d) {
        tw_loop_fail(seq, TW_E_MEMORY, "poequ: no memory for a diagonal");
        return;
    }
    for (int k = 0; k < A->nt; k++)
        tw_task_lacpy_diagonal(seq, priority, tw_tile(A, k, k), k * A->nb, d, info);
    tw_when(seq, d, NULL, &(struct tw_use){NULL, A, TW_R}, 1, diagonal, &a, sizeof a);
    tw_data_free_later(d);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_poequ_loop(seq, a->A, a->s, a->scond, a->amax, a->radix, tw_info(seq));
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A;

    TW_CHECK(who, 1, A ? tw_bad_triangle(A, A->uplo) : "NULL matrix");
    TW_CHECK(who, 2, a->s ? NULL : "NULL");
    TW_CHECK(who, 3, a->scond ? NULL : "NULL");
    TW_CHECK(who, 4, a->amax ? NULL : "NULL");
    *a->scond = A->n == 0 ? 1 : 0;
    *a->amax = 0;
    if (A->n == 0) return TW_NOTHING;
    return A->n > INT32_MAX ? tw_fail(TW_E_UNSUPPORTED, "%s: the order exceeds 2^31 - 1", who) : 0;
}

static double flops(const void *p)
{
    return 2 * (double)((const struct args *)p)->A->n;
}

#define ROW(routine)                                                                                                   \
    {                                                                                                                  \
        .name = routine, .arguments = 4, .size = sizeof(struct args), .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),     \
        .check = check, .loop = loop, .flops = flops, .needs = {                                                       \
            "Tnn"                                                                                                      \
        }                                                                                                              \
    }
const struct tw_routine tw_routine_poequ = ROW("poequ");
const struct tw_routine tw_routine_poequb = ROW("poequb");

int tw_poequ(tw_matrix *A, double *s, double *scond, double *amax)
{
    return tw_run(&tw_routine_poequ, &(struct args){A, s, scond, amax, 0});
}

int tw_poequ_async(tw_matrix *A, double *s, double *scond, double *amax, tw_sequence *seq)
{
    return tw_queue(&tw_routine_poequ, seq, &(struct args){A, s, scond, amax, 0});
}

int tw_poequb(tw_matrix *A, double *s, double *scond, double *amax)
{
    return tw_run(&tw_routine_poequb, &(struct args){A, s, scond, amax, 1});
}

int tw_poequb_async(tw_matrix *A, double *s, double *scond, double *amax, tw_sequence *seq)
{
    return tw_queue(&tw_routine_poequb, seq, &(struct args){A, s, scond, amax, 1});
}
