/* Inverse of a triangular matrix, in place, tile by tile (Agullo, Bouwmeester, Dongarra, Kurzak, Langou, Rosenberg,
 * "Towards an efficient tile matrix inversion of symmetric positive definite matrices on multicore architectures",
 * VECPAR 2010). */
#include "algorithms/dense/dense_loops.h"

#define A(i, j)         tw_tile(A, i, j)
#define PRIORITY(panel) tw_priority(seq, (A->nt - k) * step, A->nt * step, panel)

struct then {
    enum tw_uplo uplo;
    enum tw_diag diag;
    struct tw_matrix *A;
    void (*fn)(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A);
};
static void go_on(struct tw_sequence *seq, const void *info, void *p)
{
    const struct then *t = p;
    if (*(const int64_t *)info == 0) t->fn(seq, t->uplo, t->diag, t->A);
}

void tw_when_regular(struct tw_sequence *seq, struct tw_matrix *A, const struct tw_use *uses, int nuses,
                     tw_when_fn then, const void *args, size_t size)
{
    static const int64_t regular = 0;
    struct tw_data *info = tw_info(seq);

    for (int k = 0; k < A->nt; k++)
        tw_task_trdiag(seq, tw_priority(seq, 1, 1, 1), A(k, k), k * A->nb, info);
    if (info) tw_when(seq, info, &regular, uses, nuses, then, args, size);
}

void tw_unless_singular(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A,
                        void (*fn)(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A))
{
    const struct then then = {uplo, diag, A, fn};

    tw_when_regular(seq, A, &(struct tw_use){NULL, A, TW_RW}, 1, go_on, &then, sizeof then);
}

/* Step k: rows 0…k-1 hold the inverse so far. The diagonal tile is inverted, and the panel below it becomes -L(m,k)
 * inv(L(k,k)), which updates what is below and to the left; then row k itself is finished. The products with
 * inv(L(k,k)) could be solves with L(k,k), which is what GPUs are slow at; as it is a part of the result, they are what
 * Higham ("Accuracy and Stability of Numerical Algorithms", section 14.2) calls method 2C. */
static void lower(struct tw_sequence *seq, enum tw_diag diag, struct tw_matrix *A, int final)
{
    const struct tw_costs c = tw_costs_of(A);
    const double step = c.trmm + c.gemm;

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++) {
        tw_task_trtri(seq, PRIORITY(1), 'L', (char)diag, A(k, k));
        if (final) tw_bring_home(seq, A(k, k));
        for (int m = k + 1; m < A->nt; m++)
            tw_task_trmm(seq, PRIORITY(1), 'R', 'L', 'N', (char)diag, tw_minus_one, A(k, k), A(m, k));
        for (int m = k + 1; m < A->nt; m++)
            for (int n = 0; n < k; n++)
                tw_task_gemm(seq, PRIORITY(0), 'N', 'N', tw_one, A(m, k), A(k, n), tw_one, A(m, n));
        for (int n = 0; n < k; n++) {
            tw_task_trmm(seq, PRIORITY(1), 'L', 'L', 'N', (char)diag, tw_one, A(k, k), A(k, n));
            if (final) tw_bring_home(seq, A(k, n));
        }
    }
}

static void upper(struct tw_sequence *seq, enum tw_diag diag, struct tw_matrix *A, int final)
{
    const struct tw_costs c = tw_costs_of(A);
    const double step = c.trmm + c.gemm;

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++) {
        tw_task_trtri(seq, PRIORITY(1), 'U', (char)diag, A(k, k));
        if (final) tw_bring_home(seq, A(k, k));
        for (int n = k + 1; n < A->nt; n++)
            tw_task_trmm(seq, PRIORITY(1), 'L', 'U', 'N', (char)diag, tw_minus_one, A(k, k), A(k, n));
        for (int n = k + 1; n < A->nt; n++)
            for (int m = 0; m < k; m++)
                tw_task_gemm(seq, PRIORITY(0), 'N', 'N', tw_one, A(m, k), A(k, n), tw_one, A(m, n));
        for (int m = 0; m < k; m++) {
            tw_task_trmm(seq, PRIORITY(1), 'R', 'U', 'N', (char)diag, tw_one, A(k, k), A(m, k));
            if (final) tw_bring_home(seq, A(m, k));
        }
    }
}

void tw_trtri_loop(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A, int final)
{
    if (uplo == TW_LOWER)
        lower(seq, diag, A, final);
    else
        upper(seq, diag, A, final);
}

static void invert(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A)
{
    tw_trtri_loop(seq, uplo, diag, A, 1);
}

struct args {
    enum tw_uplo uplo;
    enum tw_diag diag;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;

    if (a->diag == TW_UNIT)
        tw_trtri_loop(seq, a->uplo, a->diag, a->A, 1);
    else /* singular: A stays as it is */
        tw_unless_singular(seq, a->uplo, a->diag, a->A, invert);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_diag(a->diag));
    TW_CHECK(who, 3, tw_bad_triangle(a->A, a->uplo));
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_trtri(A->type, (double)A->n);
}

const struct tw_routine tw_routine_trtri = {.name = "trtri",
                                            .arguments = 3,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_factorization,
                                            .needs = {"Tnn"}};

int tw_trtri(enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A)
{
    return tw_run(&tw_routine_trtri, &(struct args){uplo, diag, A});
}

int tw_trtri_async(enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_trtri, seq, &(struct args){uplo, diag, A});
}
