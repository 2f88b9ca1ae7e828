/* B = alpha op(A) + beta B; and B = A^T or A^H. Where A's tiles do not meet B's, a copy of it in such tiles takes its
 * place. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_trans trans;
    tw_scalar alpha, beta;
    struct tw_matrix *A, *B;
};

static struct tw_matrix *meeting(struct tw_sequence *seq, const struct args *a)
{
    return a->trans == TW_NOTRANS ? tw_retiled(seq, a->A, a->B->mb, a->B->nb)
                                  : tw_retiled(seq, a->A, a->B->nb, a->B->mb);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const int plain = a->trans == TW_NOTRANS, priority = tw_priority(seq, 0, 1, 0);
    struct tw_matrix *A, *B = a->B;

    if (tw_is(B->type, a->alpha, 0)) {
        tw_scale_loop(seq, TW_GENERAL, 0, a->beta, B); /* A is not read */
        return;
    }
    A = meeting(seq, a);
    for (int j = 0; A && j < B->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < B->mt; i++) {
            tw_task_geadd(seq, priority, (char)a->trans, a->alpha, plain ? tw_tile(A, i, j) : tw_tile(A, j, i), a->beta,
                          tw_tile(B, i, j));
            tw_bring_home(seq, tw_tile(B, i, j));
        }
    tw_retiled_end(seq, a->A, A, 0);
}

static void transpose(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    const int priority = tw_priority(seq, 0, 1, 0);
    struct tw_matrix *A = meeting(seq, a), *B = a->B;

    for (int j = 0; A && j < B->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < B->mt; i++) {
            tw_task_transpose(seq, priority, (char)a->trans, tw_tile(A, j, i), tw_tile(B, i, j));
            tw_bring_home(seq, tw_tile(B, i, j));
        }
    tw_retiled_end(seq, a->A, A, 0);
}

/* A and B are arguments `first` and `second`. */
static int check(const char *who, const struct args *a, int first, int second)
{
    const struct tw_matrix *A = a->A, *B = a->B;
    const int plain = a->trans == TW_NOTRANS;

    TW_CHECK(who, first, tw_bad_general(A));
    TW_CHECK(who, second, tw_bad_general(B));
    TW_CHECK(who, second, tw_bad_pair(A, B));
    TW_CHECK(who, second,
             B->m != (plain ? A->m : A->n) || B->n != (plain ? A->n : A->m) ? "its shape does not fit A's" : NULL);
    TW_CHECK(who, second, tw_shares(A, B) ? "it is also an input" : NULL);
    return B->m == 0 || B->n == 0 ? TW_NOTHING : 0;
}
static int check_add(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, tw_bad_trans(a->trans));
    return check(who, a, 3, 5);
}
static int check_transpose(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, a->trans == TW_TRANS || a->trans == TW_CONJTRANS ? NULL : "neither TW_TRANS nor TW_CONJTRANS");
    return check(who, a, 2, 3);
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return tw_flops_geadd(B->type, (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_geadd = {.name = "geadd",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                            .check = check_add,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"2mn"}};

const struct tw_routine tw_routine_transpose_to = {.name = "transpose_to",
                                                   .arguments = 3,
                                                   .size = sizeof(struct args),
                                                   .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                                   .check = check_transpose,
                                                   .loop = transpose,
                                                   .needs = {"2mn"}};

int tw_geadd(enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *B)
{
    return tw_run(&tw_routine_geadd, &(struct args){trans, alpha, beta, A, B});
}

int tw_geadd_async(enum tw_trans trans, tw_scalar alpha, tw_matrix *A, tw_scalar beta, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geadd, seq, &(struct args){trans, alpha, beta, A, B});
}

int tw_transpose_to(enum tw_trans trans, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_transpose_to, &(struct args){trans, tw_one, tw_zero, A, B});
}

int tw_transpose_to_async(enum tw_trans trans, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_transpose_to, seq, &(struct args){trans, tw_one, tw_zero, A, B});
}
