/* C := Q C, Q^H C, C Q or C Q^H with the Q of a QR (unmqr, ormqr) or an LQ factorization (unmlq, ormlq): its block
 * reflectors one after another, their triangles formed again from V and tau. */
#include "algorithms/dense/reflectors.h"

struct args {
    enum tw_side side;
    enum tw_trans trans;
    struct tw_matrix *A, *tau, *C;
};

static void run(struct tw_sequence *seq, char storev, const struct args *a)
{
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb), *C = A ? tw_facing(seq, a->side, A, a->C) : NULL;
    struct tw_reflectors r;

    if (C) {
        if (!tw_reflectors_begin(seq, &r, storev, A, a->tau->m))
            tw_apply_q_loop(&r, a->tau, (char)a->side, a->trans, C, C == a->C);
        tw_reflectors_end(&r);
    }
    tw_retiled_end(seq, a->C, C, 1);
    tw_retiled_end(seq, a->A, A, 0);
}
static void qr(struct tw_sequence *seq, void *p)
{
    run(seq, 'C', p);
}
static void lq(struct tw_sequence *seq, void *p)
{
    run(seq, 'R', p);
}

static int check(const char *who, const struct args *a, char storev)
{
    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 3, tw_bad_general(a->A));
    TW_CHECK(who, 2, tw_bad_q_trans(a->trans, a->A));
    TW_CHECK(who, 3, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 4, tw_bad_tau(a->tau, a->A));
    TW_CHECK(who, 4, a->tau->m > tw_min(a->A->m, a->A->n) ? "it has more than min(m, n) rows" : NULL);
    TW_CHECK(who, 5, tw_bad_general(a->C));
    TW_CHECK(who, 5, tw_bad_pair(a->A, a->C));
    TW_CHECK(who, 5,
             (a->side == TW_LEFT ? a->C->m : a->C->n) != (storev == 'C' ? a->A->m : a->A->n)
                 ? "its shape does not fit Q's order"
                 : NULL);
    TW_CHECK(who, 5, a->A == a->C || a->tau == a->C ? "it is another operand" : NULL);
    return a->C->m == 0 || a->C->n == 0 || a->tau->m == 0 ? TW_NOTHING : 0;
}
static int check_qr(const char *who, void *p)
{
    return check(who, p, 'C');
}
static int check_lq(const char *who, void *p)
{
    return check(who, p, 'R');
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_unmqr(a->C->type, (char)a->side, (double)a->C->m, (double)a->C->n, (double)a->tau->m);
}

const struct tw_routine tw_routine_unmqr = {.name = "unmqr",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, tau),
                                                                   TW_OPERAND(TW_RW, C)),
                                            .check = check_qr,
                                            .loop = qr,
                                            .flops = flops,
                                            .needs = {"mk k1 mn", "2kb 2bn 2en"}},
                        tw_routine_unmlq = {
                            .name = "unmlq",
                            .arguments = 5,
                            .size = sizeof(struct args),
                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_R, tau), TW_OPERAND(TW_RW, C)),
                            .check = check_lq,
                            .loop = lq,
                            .flops = flops,
                            .needs = {"km k1 mn", "2kb 2bn 2en"}};

int tw_unmqr(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C)
{
    return tw_run(&tw_routine_unmqr, &(struct args){side, trans, A, tau, C});
}

int tw_unmqr_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmqr, seq, &(struct args){side, trans, A, tau, C});
}

int tw_unmlq(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C)
{
    return tw_run(&tw_routine_unmlq, &(struct args){side, trans, A, tau, C});
}

int tw_unmlq_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *tau, tw_matrix *C, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmlq, seq, &(struct args){side, trans, A, tau, C});
}
