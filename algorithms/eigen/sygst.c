/* The generalized problem A x = lambda B x (itype 1), A B x = lambda x (2) or B A x = lambda x (3) to standard form,
 * with B's Cholesky factor: A := inv(L) A inv(L^H), or L^H A L. LAPACK's blocked algorithm (its Working Note 18) with
 * tiles for blocks: n^3 flops.
 *
 * Both triangles are one algorithm: A(m, k), m >= k, is a tile of the lower triangle or the adjoint of tile (k, m) of
 * the upper one, and so with the factor L, or U = L^H. A product's adjoint has its factors in the other order, a
 * triangle stands on the other side, and nothing else changes. */
#include "algorithms/eigen/eigen_loops.h"

struct reduction {
    struct tw_sequence *seq;
    struct tw_matrix *A, *B;
    int lower, nt;
    char uplo, left, right; /* sides, as the lower triangle has them */
    double step;            /* of the critical path */
};
#define TILE(X, m, k)         (r->lower ? tw_tile(r->X, m, k) : tw_tile(r->X, k, m))
#define A(m, k)               TILE(A, m, k)
#define L(m, k)               TILE(B, m, k)
#define PRIORITY(left, panel) tw_priority(r->seq, (left)*r->step, r->nt * r->step, panel)

static const tw_scalar half = {0.5, 0}, minus_half = {-0.5, 0};

/* Z += alpha op(X) op(Y) */
static void product(const struct reduction *r, int priority, tw_scalar alpha, char tx, struct tw_data *X, char ty,
                    struct tw_data *Y, struct tw_data *Z)
{
    if (r->lower)
        tw_task_gemm(r->seq, priority, tx, ty, alpha, X, Y, tw_one, Z);
    else
        tw_task_gemm(r->seq, priority, ty, tx, alpha, Y, X, tw_one, Z);
}

/* A(i, j) += alpha (A L^H + L A^H) of panel k: tiles (i, k) and (j, k) of a column, or (k, i) and (k, j) of a row,
 * whose adjoint comes first. */
static void update(const struct reduction *r, int k, int i, int j, tw_scalar alpha, int column)
{
    const int priority = PRIORITY(column ? r->nt - k - 1 : r->nt - k, 0);
    struct tw_data *Ai = column ? A(i, k) : A(k, i), *Aj = column ? A(j, k) : A(k, j), *Li = column ? L(i, k) : L(k, i),
                   *Lj = column ? L(j, k) : L(k, j);
    const char first = column ? 'N' : 'C', second = column ? 'C' : 'N';

    if (i == j) {
        tw_task_syr2k(r->seq, priority, 1, r->uplo, r->lower ? first : second, alpha, Ai, Li, tw_one, A(i, i));
    } else {
        product(r, priority, alpha, first, Ai, second, Lj, A(i, j));
        product(r, priority, alpha, first, Li, second, Aj, A(i, j));
    }
}

/* itype 1, step k: column k becomes (A - L A(k, k) / 2) inv(L(k, k)^H), updates what is right of it, and what is left
 * to do is a solve with the rest of L, on which nothing waits. */
static void divide(const struct reduction *r, int k)
{
    const int panel = PRIORITY(r->nt - k, 1), later = PRIORITY(r->nt - k - 1, 0);

    tw_task_sygst(r->seq, panel, 1, r->uplo, A(k, k), L(k, k));
    for (int m = k + 1; m < r->nt; m++) {
        tw_task_trsm(r->seq, panel, r->right, r->uplo, 'C', 'N', tw_one, L(k, k), A(m, k));
        tw_task_symm(r->seq, panel, 1, r->right, r->uplo, minus_half, A(k, k), L(m, k), tw_one, A(m, k));
    }
    for (int j = k + 1; j < r->nt; j++)
        for (int i = j; i < r->nt; i++)
            update(r, k, i, j, tw_minus_one, 1);
    for (int m = k + 1; m < r->nt; m++)
        tw_task_symm(r->seq, later, 1, r->right, r->uplo, minus_half, A(k, k), L(m, k), tw_one, A(m, k));
    for (int s = k + 1; s < r->nt; s++) {
        tw_task_trsm(r->seq, later, r->left, r->uplo, 'N', 'N', tw_one, L(s, s), A(s, k));
        for (int m = s + 1; m < r->nt; m++)
            product(r, later, tw_minus_one, 'N', L(m, s), 'N', A(s, k), A(m, k));
        tw_bring_home(r->seq, A(s, k));
    }
    tw_bring_home(r->seq, A(k, k));
}

/* itypes 2 and 3, step k: row k, times the part of L above it, updates that part's result. */
static void multiply(const struct reduction *r, int k)
{
    const int panel = PRIORITY(r->nt - k, 1), last = PRIORITY(r->nt - k - 1, 0);

    for (int j = 0; j < k; j++) {
        tw_task_trmm(r->seq, panel, r->right, r->uplo, 'N', 'N', tw_one, L(j, j), A(k, j));
        for (int i = j + 1; i < k; i++)
            product(r, panel, tw_one, 'N', A(k, i), 'N', L(i, j), A(k, j));
        tw_task_symm(r->seq, panel, 1, r->left, r->uplo, half, A(k, k), L(k, j), tw_one, A(k, j));
    }
    for (int j = 0; j < k; j++)
        for (int i = j; i < k; i++)
            update(r, k, i, j, tw_one, 0);
    for (int j = 0; j < k; j++) {
        tw_task_symm(r->seq, last, 1, r->left, r->uplo, half, A(k, k), L(k, j), tw_one, A(k, j));
        tw_task_trmm(r->seq, last, r->left, r->uplo, 'C', 'N', tw_one, L(k, k), A(k, j));
    }
    tw_task_sygst(r->seq, last, 2, r->uplo, A(k, k), L(k, k));
}

void tw_sygst_loop(struct tw_sequence *seq, int itype, enum tw_uplo uplo, struct tw_matrix *A, struct tw_matrix *B)
{
    const int lower = uplo == TW_LOWER;
    const struct tw_costs c = tw_costs_of(A);
    const struct reduction r = {.seq = seq,
                                .A = A,
                                .B = B,
                                .lower = lower,
                                .nt = A->nt,
                                .uplo = (char)uplo,
                                .left = lower ? 'L' : 'R',
                                .right = lower ? 'R' : 'L',
                                .step = c.tri + c.trsm + 2 * c.syrk};

    for (int k = 0; k < A->nt && !tw_loop_status(seq); k++)
        (itype == 1 ? divide : multiply)(&r, k);
}

struct args {
    int itype;
    enum tw_uplo uplo;
    struct tw_matrix *A, *B;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = a->A;

    if (!tw_same_cuts(A->n, A->nb, a->B->nb) && !(A = tw_triangle_copy(seq, a->uplo, a->A, a->B->nb))) return;
    tw_sygst_loop(seq, a->itype, a->uplo, A, a->B);
    if (A == a->A) return;
    tw_copy_part_loop(seq, a->uplo, A, a->A, 1);
    tw_matrix_free_later(A);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, a->itype >= 1 && a->itype <= 3 ? NULL : "not 1, 2 or 3");
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 4, tw_bad_triangle(a->B, a->uplo));
    TW_CHECK(who, 4, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 4, a->A->n != a->B->n ? "its order is not A's" : NULL);
    TW_CHECK(who, 4, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *args)
{
    const struct args *a = args;
    return tw_flops_sygst(a->A->type, (double)a->A->n);
}

const struct tw_routine tw_routine_sygst = {.name = "sygst",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, B)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"2Tnn"}};

int tw_sygst(int itype, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_sygst, &(struct args){itype, uplo, A, B});
}

int tw_sygst_async(int itype, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_sygst, seq, &(struct args){itype, uplo, A, B});
}
