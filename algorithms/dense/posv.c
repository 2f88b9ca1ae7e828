/* Solve A X = B, A positive definite: factor, then solve. The solve follows the factorization tile by tile and so does
 * not know yet whether that will succeed: it works on a copy, which replaces B once the factor's info is known to be 0.
 * B is unchanged when it is not, as LAPACK has it. */
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A, *B;
};
struct replacement {
    struct tw_matrix *X, *B;
};

static void replace(struct tw_sequence *seq, const void *info, void *p)
{
    const struct replacement *r = p;
    if (*(const int64_t *)info == 0) tw_copy_loop(seq, r->X, r->B, 1);
}

static void loop(struct tw_sequence *seq, void *p)
{
    static const int64_t definite = 0;
    const struct args *a = p;
    struct replacement r = {NULL, a->B};

    tw_potrf_loop(seq, a->uplo, a->A);
    if (a->B->n == 0 || tw_loop_status(seq)) return;
    if (!(r.X = tw_matrix_temporary(a->B->type, a->B->m, a->B->n, a->A->nb, a->B->nb))) {
        tw_loop_fail(seq, TW_E_MEMORY, "posv: a copy of B: %s", tw_last_message());
        return;
    }
    tw_copy_loop(seq, a->B, r.X, 0);
    tw_potrs_loop(seq, a->uplo, a->A, r.X);
    tw_when(seq, tw_info(seq), &definite, (const struct tw_use[]){{NULL, r.X, TW_R}, {NULL, a->B, TW_RW}}, 2, replace,
            &r, sizeof r);
    tw_matrix_free_later(r.X);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 3, tw_bad_general(a->B));
    TW_CHECK(who, 3, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 3, a->A->n != a->B->m ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(who, 3, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *B = ((const struct args *)p)->B;
    return tw_flops_potrf(B->type, (double)B->m) + 2 * tw_flops_trsm(B->type, 'L', (double)B->m, (double)B->n);
}

const struct tw_routine tw_routine_posv = {.name = "posv",
                                           .arguments = 3,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, B)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops,
                                           .tuning = &tw_tuning_factorization,
                                           .needs = {"Tnn nk", "nk", "nb"}};

int tw_posv(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_posv, &(struct args){uplo, A, B});
}

int tw_posv_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_posv, seq, &(struct args){uplo, A, B});
}
