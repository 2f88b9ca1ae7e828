/* Functions of a hermitian matrix, F = Z f(diag(w)) Z^H by its eigenvalues and eigenvectors (N. J. Higham, "Functions
 * of Matrices", SIAM 2008, 1.2). What f says of each eigenvalue is found by a task, the products go on meanwhile, and F
 * gets them if the info is 0 by then. */
#include <math.h>
#include "algorithms/eigen/eigen_loops.h"

struct args {
    enum tw_function f;
    tw_function_fn fn;
    void *user;
    enum tw_uplo uplo;
    struct tw_matrix *A;
    double *w;
    struct tw_matrix *F;
};

/* Z and G = Z diag(f), T = G Z^H, all in square tiles. */
struct product {
    struct tw_matrix *Z, *G, *T;
    struct tw_data *x;
};
static void product_end(struct product *p)
{
    if (p->x) tw_data_free_later(p->x);
    tw_matrix_free_later(p->Z), tw_matrix_free_later(p->G), tw_matrix_free_later(p->T);
}
static int product_begin(struct tw_sequence *seq, const struct tw_matrix *A, struct product *p)
{
    struct tw_matrix **const all[] = {&p->Z, &p->G, &p->T};
    int sound = 1;

    *p = (struct product){.x = tw_data_vector_of(A->type, (size_t)A->n, (int[2]){-1, -1})};
    for (int k = 0; k < 3 && sound; k++)
        sound = (*all[k] = tw_matrix_temporary(A->type, A->n, A->n, A->nb, A->nb)) != NULL;
    if (sound && p->x) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "syfun: order %lld: %s", (long long)A->n, tw_last_message());
    product_end(p);
    return -1;
}

/* T = G Z^H: its lower triangle, of which the upper one is the adjoint. */
static void multiply(struct tw_sequence *seq, const struct product *p)
{
    const int nt = p->T->nt;

    for (int j = 0; j < nt && !tw_loop_status(seq); j++)
        for (int i = j; i < nt; i++) {
            for (int k = 0; k < nt; k++)
                tw_task_gemm(seq, tw_priority(seq, nt - k, nt + 2, 0), 'N', 'C', tw_one, tw_tile(p->G, i, k),
                             tw_tile(p->Z, j, k), k == 0 ? tw_zero : tw_one, tw_tile(p->T, i, j));
            if (i == j)
                tw_task_lascl(seq, tw_priority(seq, 1, nt + 2, 0), 'G', 1, tw_one, tw_tile(p->T, j, j));
            else
                tw_task_transpose(seq, tw_priority(seq, 1, nt + 2, 0), 'C', tw_tile(p->T, i, j), tw_tile(p->T, j, i));
        }
}

static void with_norm(struct tw_sequence *seq, const void *norm, void *args)
{
    const struct args *a = args;
    struct product p;

    if (!isfinite(*(const double *)norm)) {
        for (tw_int i = 0; i < a->A->n; i++)
            a->w[i] = NAN;
        tw_loop_info(seq, a->A->n);
        return;
    }
    if (product_begin(seq, a->A, &p)) return;
    tw_syevd_loop(seq, TW_VECTORS, a->uplo, a->A, a->w, p.Z, 0);
    tw_task_syfun_values(seq, tw_priority(seq, 1, 1, 1), a->f, a->fn, a->user, a->w, tw_tile(p.Z, 0, 0), p.x,
                         tw_info(seq));
    for (int k = 0; k < p.Z->nt; k++)
        for (int i = 0; i < p.Z->mt; i++)
            tw_task_lascl_columns(seq, tw_priority(seq, 1, 1, 0), k * p.Z->nb, tw_tile(p.Z, i, k), p.x,
                                  tw_tile(p.G, i, k));
    multiply(seq, &p);
    tw_copied_end_if(seq, a->F, p.T, tw_info(seq));
    p.T = NULL;
    product_end(&p);
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const double modelled = 1;
    const struct args *a = args;
    const struct tw_use uses[] = {{NULL, a->A, TW_R}, {NULL, a->F, TW_RW}};
    struct tw_data *norm = tw_max_norm_of_triangle(seq, a->uplo, a->A);

    if (!norm) return;
    tw_when(seq, norm, &modelled, uses, 2, with_norm, a, sizeof *a);
    tw_data_free_later(norm);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, a->f >= TW_SQRT && a->f <= TW_FUNCTION ? NULL : "not one of the functions");
    TW_CHECK(who, 2, a->f == TW_FUNCTION && !a->fn ? "NULL" : NULL);
    TW_CHECK(who, 2, a->f != TW_FUNCTION && a->fn ? "a function, beside another one's name" : NULL);
    TW_CHECK(who, 4, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 5, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 5, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 6, a->w || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 7, tw_bad_general(a->F));
    TW_CHECK(who, 7, tw_bad_pair(a->A, a->F));
    TW_CHECK(who, 7, a->F->m != a->A->n || a->F->n != a->A->n ? "its shape is not A's" : NULL);
    if (a->A->n == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who, tw_syfun_bytes(a->A->type, a->A->n, a->A->nb), a->A, NULL, a->F);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const enum tw_type t = a->A->type;
    const double n = (double)a->A->n;

    return tw_flops_syevd(t, n, TW_VECTORS) + tw_flops_syrk(t, n, n);
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return tw_syfun_bytes(s->type, s->n, nb);
}

const struct tw_routine tw_routine_syfun = {.name = "syfun",
                                            .arguments = 7,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, F)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "Tnn nn", .own_bytes = own_bytes}};

int tw_syfun(enum tw_function f, tw_function_fn fn, void *user, enum tw_uplo uplo, tw_matrix *A, double *w,
             tw_matrix *F)
{
    return tw_run(&tw_routine_syfun, &(struct args){f, fn, user, uplo, A, w, F});
}

int tw_syfun_async(enum tw_function f, tw_function_fn fn, void *user, enum tw_uplo uplo, tw_matrix *A, double *w,
                   tw_matrix *F, tw_sequence *seq)
{
    return tw_queue(&tw_routine_syfun, seq, &(struct args){f, fn, user, uplo, A, w, F});
}
