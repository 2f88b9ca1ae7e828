/* A = Q R of a tall matrix with Q itself, by Cholesky factorizations: A^H A = R1^H R1, Q1 = A inv(R1), and the same of
 * Q1 once more (CholeskyQR2: Yamamoto, Nakatsukasa, Yanagisawa, Fukaya, "Roundoff error analysis of the CholeskyQR2
 * algorithm", ETNA 44, 2015). All of it is products and solves with tiles.
 *
 * That works while A's condition is well below 1 / sqrt(eps), and whether it does is looked at twice: R1's condition is
 * computed before A is overwritten, and |Q1^H Q1 - I| after. Where one of them is too large Householder's QR goes on
 * with what there is: from A, or from Q1. A's columns are scaled by powers of two where the Gram matrix would overflow
 * or underflow. */
#include <math.h>
#include "algorithms/dense/reflectors.h"
#include "algorithms/dense/tall.h"
#include "algorithms/dense/tree.h"
#include "runtime/task/reduce.h"

struct args {
    struct tw_matrix *A, *R;
    int *choleskys;
};

enum { PARTS = 8 }; /* sums that go side by side where A is one tile wide */

/* One call; what its continuations get. */
struct problem {
    struct tw_matrix *A, *R;
    struct tw_matrix *R1, *R2, *W;         /* n x n, in A's columns' tiles: the factors; what their looks need */
    struct tw_matrix *forth, *back, *even; /* a number for each column (codelets/dense/scale_columns.c) */
    struct tw_matrix *L, *M;               /* A one tile wide, on GPUs: a factor's adjoint and its inverse, or NULL */
    struct tw_matrix *S;                   /* Q is to be left as A inv(S); NULL: as A */
    struct tw_data *info;                  /* Cholesky's own */
    double norm;                           /* of R1 */
    int *choleskys;                        /* NULL: not asked for */
};

static int priority(struct tw_sequence *seq, int urgent)
{
    return tw_priority(seq, 1, 1, urgent);
}
static void clear(struct tw_sequence *seq, struct tw_matrix *M, tw_scalar diagonal)
{
    for (int j = 0; j < M->nt; j++)
        for (int i = 0; i < M->mt; i++)
            tw_task_laset(seq, priority(seq, 1), 'G', tw_zero, i == j ? diagonal : tw_zero, tw_tile(M, i, j));
}
static void scale_columns(struct tw_sequence *seq, const struct tw_matrix *x, struct tw_matrix *M)
{
    for (int j = 0; j < M->nt; j++)
        for (int i = 0; i < M->mt; i++)
            tw_task_scale_columns(seq, priority(seq, 0), tw_tile(x, 0, j), tw_tile(M, i, j));
}

/* ---- the Gram matrix --------------------------------------------------------------------------------------------- */

struct shape {
    enum tw_type type;
    int m, n;
};
static struct tw_data *make_sum(void *user)
{
    const struct shape *s = user;
    return tw_data_tile(s->type, s->m, s->n);
}
static void clear_sum(struct tw_sequence *seq, int p, struct tw_data *partial, void *user)
{
    (void)user;
    tw_task_laset(seq, p, 'G', tw_zero, tw_zero, partial);
}
static void add_sums(struct tw_sequence *seq, int p, struct tw_data *from, struct tw_data *into, void *user)
{
    (void)user;
    tw_task_geadd(seq, p, 'N', tw_one, from, tw_one, into);
}

/* Partial sums of each tile of a Gram matrix in nt x nt. */
static int sums(tw_int nt)
{
    return nt == 0 || nt >= PARTS ? 1 : (int)tw_max(1, 2 * PARTS / (nt * (nt + 1)));
}

/* Whether a diagonal tile is a plain product: cuBLAS' syrk has a block of threads for each 128 x 128 of the result, ten
 * for 132 multiprocessors, where its gemm cuts long sums. In double precision, where nothing else changes by that. */
static int as_product(const struct tw_matrix *A)
{
    return A->type == TW_DOUBLE && tw_tall_as_on_gpus() && A->mb >= 8 * A->nb;
}
/* A sum that is one, to the diagonal tile, which stays zero below. */
static void upper(struct tw_sequence *seq, struct tw_reduction *sum, struct tw_data *G)
{
    const struct tw_block block = {.m = G->m, .n = G->n};
    struct tw_data *whole = tw_data_tile(G->type, G->m, G->n);

    if (whole) {
        tw_task_laset(seq, priority(seq, 1), 'G', tw_zero, tw_zero, whole);
        tw_reduce_end(sum, whole);
        tw_task_lacpy_part(seq, priority(seq, 1), 'U', &block, whole, G, 0);
        tw_data_free_later(whole);
        return;
    }
    tw_loop_fail(seq, TW_E_MEMORY, "cholqr: no memory for a tile of order %d", G->n);
    tw_reduce_end(sum, G);
}

/* G's upper triangle = A^H A, zeros below. */
static void gram(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *G)
{
    static const struct tw_reduce_ops ops = {make_sum, clear_sum, add_sums};
    const int width = sums(G->nt), products = as_product(A);

    clear(seq, G, tw_zero);
    for (int j = 0; j < G->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i <= j; i++) {
            struct shape shape = {G->type, tw_tile(G, i, j)->m, tw_tile(G, i, j)->n};
            struct tw_reduction sum;

            tw_reduce_begin(&sum, seq, &ops, &shape, width, priority(seq, 1));
            for (int k = 0; k < A->mt; k++) {
                struct tw_data *into = tw_reduce_next(&sum).data;
                if (!into) break;
                if (i == j && !products)
                    tw_task_herk(seq, priority(seq, 0), 'U', 'C', 1, tw_tile(A, k, i), 1, into);
                else
                    tw_task_gemm(seq, priority(seq, 0), 'C', 'N', tw_one, tw_tile(A, k, i), tw_tile(A, k, j), tw_one,
                                 into);
            }
            if (i == j && products)
                upper(seq, &sum, tw_tile(G, i, j));
            else
                tw_reduce_end(&sum, tw_tile(G, i, j));
        }
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void finish(struct tw_sequence *seq, const struct problem *p, int choleskys)
{
    scale_columns(seq, p->back, p->R1);
    tw_copy_loop(seq, p->R1, p->R, 1);
    if (p->choleskys) *p->choleskys = choleskys;
}

/* R1 := R2 R1 */
static void multiply(struct tw_sequence *seq, const struct problem *p)
{
    tw_trmm_loop(seq, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, p->R2, p->R1);
}
/* R, a Gram matrix, becomes its triangle. Where A is one tile wide, as GPUs like it: with the inverse of its adjoint,
 * by which all of A is multiplied in place of a solve, and refined where the condition is above n
 * (kernels/dense/cuda/inverse.cu). */
static void factor(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *R)
{
    if (p->L) {
        tw_task_transpose(seq, priority(seq, 1), 'C', tw_tile(R, 0, 0), tw_tile(p->L, 0, 0));
        tw_task_potrf_inverse(seq, priority(seq, 1), 'L', tw_tile(p->L, 0, 0), tw_tile(p->M, 0, 0), 0, p->info);
        tw_task_transpose(seq, priority(seq, 1), 'C', tw_tile(p->L, 0, 0), tw_tile(R, 0, 0));
    } else {
        tw_potrf_info_loop(seq, TW_UPPER, R, 0, p->info);
    }
}
/* A := A inv(R), the last triangle that was factored. */
static void solve(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *R, int final)
{
    if (!p->L) tw_trsm_loop(seq, TW_RIGHT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, R, p->A, final);
    for (int i = 0; p->L && i < p->A->mt && !tw_loop_status(seq); i++) {
        tw_task_trsm_inverse(seq, priority(seq, 0), 'L', tw_tile(p->L, 0, 0), tw_tile(p->M, 0, 0), tw_tile(p->A, i, 0));
        if (final) tw_bring_home(seq, tw_tile(p->A, i, 0));
    }
}

/* ---- Householder's way: A becomes Q, R2 the triangle ------------------------------------------------------------- */

static void keep_triangle(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *A)
{
    clear(seq, p->R2, tw_zero);
    tw_copy_part_loop(seq, TW_UPPER, A, p->R2, 0);
}

static void by_tree(struct tw_sequence *seq, const struct problem *p)
{
    struct tw_matrix *Q = tw_matrix_temporary(p->A->type, p->A->m, p->A->n, p->A->mb, p->A->nb);
    struct tw_tree tree;

    if (!Q) {
        tw_loop_fail(seq, TW_E_MEMORY, "cholqr: Q beside A: %s", tw_last_message());
        return;
    }
    if (!tw_tree_begin(seq, &tree, 'C', p->A, NULL)) {
        tw_tree_factor_loop(&tree, NULL);
        keep_triangle(seq, p, p->A);
        clear(seq, Q, tw_one);
        tw_tree_apply_loop(&tree, 'L', 'N', Q, 1);
        tw_copy_loop(seq, Q, p->A, 1);
    }
    tw_tree_end(&tree);
    tw_matrix_free_later(Q);
}

static void by_panels(struct tw_sequence *seq, const struct problem *p)
{
    const tw_int n = p->A->n, nb = p->A->nb;
    struct tw_matrix *A = tw_retiled(seq, p->A, nb, nb), *tau = tw_matrix_temporary(p->A->type, n, 1, nb, 1);
    struct tw_reflectors r;

    if (A && !tau) tw_loop_fail(seq, TW_E_MEMORY, "cholqr: %lld factors: %s", (long long)n, tw_last_message());
    if (A && tau) {
        if (!tw_reflectors_begin(seq, &r, 'C', A, n)) {
            tw_factor_q_loop(&r, tau, NULL);
            keep_triangle(seq, p, A);
            tw_form_q_loop(&r, tau);
        }
        tw_reflectors_end(&r);
    }
    if (tau) tw_matrix_free_later(tau);
    tw_retiled_end(seq, p->A, A, 1);
}

static void by_reflectors(struct tw_sequence *seq, const struct problem *p, int choleskys)
{
    if (tw_tall_cut(p->A))
        tw_tall_form_q_loop(seq, p->A, p->R2);
    else
        (tw_tree_suits(p->A, 'C') ? by_tree : by_panels)(seq, p);
    if (p->S) clear(seq, p->S, tw_one);
    if (choleskys)
        multiply(seq, p);
    else
        tw_copy_loop(seq, p->R2, p->R1, 0);
    finish(seq, p, choleskys);
}

/* ---- Cholesky's way, look by look -------------------------------------------------------------------------------- */

static void when(struct tw_sequence *seq, struct tw_data *value, const void *modelled, tw_when_fn fn,
                 const struct problem *p)
{
    const struct tw_use uses[] = {{NULL, p->A, TW_RW},   {NULL, p->R, TW_RW},   {NULL, p->R1, TW_RW},
                                  {NULL, p->R2, TW_RW},  {NULL, p->W, TW_RW},   {NULL, p->forth, TW_R},
                                  {NULL, p->back, TW_R}, {NULL, p->even, TW_R}, {p->info, NULL, TW_RW},
                                  {NULL, p->S, TW_RW},   {NULL, p->L, TW_RW},   {NULL, p->M, TW_RW}};

    if (value) tw_when(seq, value, modelled, uses, (int)(sizeof uses / sizeof *uses), fn, p, sizeof *p);
}
static void when_norm(struct tw_sequence *seq, enum tw_structure structure, struct tw_matrix *M, tw_when_fn fn,
                      const struct problem *p)
{
    static const double modelled = 0;
    struct tw_data *norm = tw_sum_norm_tasks(
        seq, TW_ONE_NORM, structure, structure == TW_STRUCT_HERMITIAN ? TW_UPPER : TW_GENERAL, TW_NONUNIT, M, 1);

    when(seq, norm, &modelled, fn, p);
    if (norm) tw_data_free_later(norm);
}

/* A is Q1. With a half, Q1's condition is below 2, and the second factorization leaves rounding errors only. */
static void with_error(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;

    if (!(*(const double *)value <= 0.5)) {
        by_reflectors(seq, p, 1);
        return;
    }
    factor(seq, p, p->R2);
    if (p->S)
        tw_copy_loop(seq, p->R2, p->S, 0);
    else
        solve(seq, p, p->R2, 1);
    multiply(seq, p);
    finish(seq, p, 2);
}

/* The condition up to which Q1 is worth a look: where it is not orthogonal enough then, its columns are still of about
 * the length 1. */
static double largest_condition(enum tw_type type)
{
    return tw_is_single(type) ? 0x1p13 : 0x1p28;
}

static void with_inverse(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;

    if (!(p->norm * *(const double *)value <= largest_condition(p->A->type))) {
        by_reflectors(seq, p, 0);
        return;
    }
    solve(seq, p, p->R1, 0);
    gram(seq, p->A, p->R2);
    clear(seq, p->W, tw_one);
    for (int j = 0; j < p->W->nt; j++)
        for (int i = 0; i <= j; i++)
            tw_task_geadd(seq, priority(seq, 1), 'N', tw_one, tw_tile(p->R2, i, j), tw_minus_one, tw_tile(p->W, i, j));
    when_norm(seq, TW_STRUCT_HERMITIAN, p->W, with_error, p);
}

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;

    p->norm = *(const double *)value;
    tw_trtri_loop(seq, TW_UPPER, TW_NONUNIT, p->W, 0);
    when_norm(seq, TW_STRUCT_GENERAL, p->W, with_inverse, p);
}

static void with_info(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;

    if (*(const int64_t *)value) {
        by_reflectors(seq, p, 0);
        return;
    }
    tw_copy_loop(seq, p->R1, p->W, 0);
    scale_columns(seq, p->even, p->W);
    when_norm(seq, TW_STRUCT_GENERAL, p->W, with_norm, p);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* The columns' largest elements, then their factors. part: PARTS x n doubles, a row to a tile. */
static void look_at_columns(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *part)
{
    struct tw_matrix *A = p->A;

    clear(seq, part, tw_zero);
    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++) {
        for (int i = 0; i < A->mt; i++)
            tw_task_colmax(seq, priority(seq, 0), tw_tile(A, i, j), tw_tile(part, i % part->mt, j));
        tw_task_column_factors(seq, priority(seq, 1), tw_tile(p->forth, 0, j), tw_tile(p->back, 0, j),
                               tw_tile(p->even, 0, j), &part->tile[(size_t)j * (size_t)part->mt], part->mt);
    }
    scale_columns(seq, p->forth, A);
}

static void begin(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *part)
{
    static const int64_t definite = 0;

    look_at_columns(seq, p, part);
    gram(seq, p->A, p->R1);
    factor(seq, p, p->R1);
    when(seq, p->info, &definite, with_info, p);
}

void tw_cholqr_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *R, struct tw_matrix *S,
                    int *choleskys)
{
    const enum tw_type type = A->type;
    const tw_int n = A->n, nb = A->nb;
    struct problem p = {.A = A, .R = R, .S = S, .choleskys = choleskys};
    struct tw_matrix *part = tw_matrix_temporary(TW_DOUBLE, tw_min(PARTS, p.A->mt), n, 1, nb),
                     **square[] = {&p.R1, &p.R2, &p.W}, **row[] = {&p.forth, &p.back, &p.even};
    int made = part != NULL;

    for (int k = 0; k < 3; k++) {
        made &= (*square[k] = tw_matrix_temporary(type, n, n, nb, nb)) != NULL;
        made &= (*row[k] = tw_matrix_temporary(type, 1, n, 1, nb)) != NULL;
    }
    if (A->nt == 1 && tw_tall_as_on_gpus()) {
        made &= (p.L = tw_matrix_temporary(type, n, n, nb, nb)) != NULL;
        made &= (p.M = tw_matrix_temporary(type, n, n, nb, nb)) != NULL;
    }
    made &= (p.info = tw_data_vector(1, sizeof(int64_t), (int[2]){-1, -1})) != NULL;
    if (made)
        begin(seq, &p, part);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "cholqr: three triangles of order %lld: %s", (long long)n, tw_last_message());
    for (int k = 0; k < 3; k++) {
        tw_matrix_free_later(*square[k]);
        tw_matrix_free_later(*row[k]);
    }
    tw_matrix_free_later(part);
    tw_matrix_free_later(p.L);
    tw_matrix_free_later(p.M);
    tw_data_free_later(p.info);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    tw_cholqr_loop(seq, a->A, a->R, NULL, a->choleskys);
}

static int check(const char *who, void *args)
{
    const struct args *a = args;
    int e;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, a->A->m < a->A->n ? "it has more columns than rows" : NULL);
    TW_CHECK(who, 1, a->A->m > INT32_MAX ? "more than 2^31 - 1 rows" : NULL);
    TW_CHECK(who, 2, tw_bad_general(a->R));
    TW_CHECK(who, 2, tw_bad_pair(a->A, a->R));
    TW_CHECK(who, 2, a->R->m != a->A->n || a->R->n != a->A->n ? "it is not n x n" : NULL);
    TW_CHECK(who, 2, tw_shares(a->A, a->R) ? "it is the matrix A itself" : NULL);
    TW_CHECK(who, 3, a->choleskys ? NULL : "NULL");
    if ((e = tw_tall_variable())) return e;
    *a->choleskys = 0;
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *args)
{
    const struct tw_matrix *A = ((const struct args *)args)->A;
    const double m = (double)A->m, n = (double)A->n;
    return tw_flops_geqrf(A->type, m, n) + tw_flops_ungqr(A->type, m, n, n);
}

/* The Gram matrix' partial sums; and where A is too ill-conditioned, when these are gone, reflectors: by a tree with Q
 * beside A. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const tw_int mt = tw_tiles_along(s->m, nb), parts = tw_min(sums(tw_tiles_along(s->n, nb)), mt);
    const double tree = tw_tree_elements(s->m, s->n, nb), tall = tw_tall_elements(s->m, s->n, s->n, nb),
                 q = (double)s->m * (double)s->n,
                 reflectors = tall > 0   ? tall + q + (double)s->n * (double)s->n
                              : tree > 0 ? tree + q
                                         : tw_reflectors_elements(s->n, nb, (double)s->n);

    const double inverse = tw_tall_as_on_gpus() && nb >= s->n ? 2 * (double)s->n * (double)s->n : 0;

    return (double)tw_sizeof(s->type) * inverse +
           (double)tw_sizeof(s->type) * fmax((double)parts * tw_tile_triangle(s->n, nb), reflectors) +
           (double)tw_sizeof(TW_DOUBLE) * (double)tw_min(PARTS, mt) * (double)s->n;
}

static tw_int tall(const struct tw_sizes *s)
{
    return tw_tall_for_products(s->m, s->n) ? tw_tall_rows_of_products(s->type, s->m, s->n, s->n) : 0;
}

const struct tw_routine tw_routine_cholqr = {.name = "cholqr",
                                             .arguments = 3,
                                             .size = sizeof(struct args),
                                             .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, R)),
                                             .check = check,
                                             .loop = loop,
                                             .flops = flops,
                                             .tuning = &tw_tuning_product,
                                             .tall = tall,
                                             .needs = {"mn nn", "3nn 31n", NULL, own_bytes}};

int tw_cholqr(tw_matrix *A, tw_matrix *R, int *choleskys)
{
    return tw_run(&tw_routine_cholqr, &(struct args){A, R, choleskys});
}

int tw_cholqr_async(tw_matrix *A, tw_matrix *R, int *choleskys, tw_sequence *seq)
{
    return tw_queue(&tw_routine_cholqr, seq, &(struct args){A, R, choleskys});
}
