/* Least squares and least norm, and the pseudo-inverse, of matrices of any rank by their singular values (LAPACK's
 * gelsd): X = V inv(S) (U^H B), where values that are small beside the largest one count as none.
 *
 * What waits for values is the largest elements of A and B: a matrix that is not finite has no answer, and B is brought
 * into range. The rank is found by the tasks that divide. */
#include <float.h>
#include <math.h>
#include <tilework/type.h>
#include "algorithms/eigen/from_band.h"
#include "algorithms/svd/svd_loops.h"

struct args {
    struct tw_matrix *A, *B;
    double *s;
    double rcond;
    int *rank;
    struct tw_matrix *P;    /* the pseudo-inverse, in B's place; NULL: least squares */
    struct tw_matrix *over; /* A, if its first rows become V^H */
};

/* One call. */
struct problem {
    struct args a;
    tw_int m, n, k;
    struct tw_matrix *A, *R; /* copies: A, and the rows of B that are read */
    double largest;          /* element of A */
};

/* LAPACK's dlalsd: otherwise it is the rounding unit. */
static double rcond_of(const struct args *a, enum tw_type type)
{
    const double unit = tw_type_eps(type);
    return a->rcond > 0 && a->rcond < 1 ? a->rcond : a->P ? unit * (double)tw_max(a->P->m, a->P->n) : unit;
}

static struct tw_matrix *temporary(struct tw_sequence *seq, const struct problem *p, tw_int m, tw_int n)
{
    struct tw_matrix *T = tw_matrix_temporary(p->A->type, m, n, tw_min(p->A->nb, m), tw_min(p->A->nb, n));
    if (!T) tw_loop_fail(seq, TW_E_MEMORY, "gelsd: %s", tw_last_message());
    return T;
}
static void give_back(struct tw_matrix *T)
{
    if (T) tw_matrix_free_later(T);
}

/* A matrix without right-hand sides has one of zeros. */
static struct tw_matrix *right_sides(struct tw_sequence *seq, const struct problem *p)
{
    struct tw_matrix *C = temporary(seq, p, p->m, tw_max(1, p->a.B->n));

    for (int i = 0; C && p->a.B->n == 0 && i < C->mt; i++)
        tw_task_laset(seq, tw_priority(seq, 1, 1, 1), 'G', tw_zero, tw_zero, tw_tile(C, i, 0));
    if (C && p->a.B->n > 0) tw_common_rows_loop(seq, p->a.B, C, 0);
    return C;
}

/* Below the solution, where there are more rows: a column's sum of squares is that of its residual, if the rank is
 * full. R: B - U U^H B. */
static void leave_residuals(struct tw_sequence *seq, const struct problem *p, int e, struct tw_matrix *R)
{
    struct tw_matrix *whole = tw_retiled(seq, R, p->m, R->nb);

    for (int j = 0; whole && j < whole->nt && !tw_loop_status(seq); j++) {
        const int columns = tw_tile_cols(whole, j);
        struct tw_data *below = tw_data_tile(R->type, (int)(p->m - p->n), columns);
        if (!below) {
            tw_loop_fail(seq, TW_E_MEMORY, "gelsd: no memory for residuals");
            break;
        }
        tw_task_lengths(seq, tw_priority(seq, 0, 1, 0), e, tw_tile(whole, 0, j), below);
        for (int J = 0; J < p->a.B->nt; J++)
            for (int I = 0; I < p->a.B->mt; I++) {
                struct tw_matrix *B = p->a.B;
                const tw_int r0 = tw_max(I * B->mb, p->n), r1 = tw_min((I + 1) * B->mb, p->m),
                             c0 = tw_max(J * B->nb, j * whole->nb),
                             c1 = tw_min((J + 1) * B->nb, j * whole->nb + columns);
                const struct tw_block block = {.m = (int)(r1 - r0),
                                               .n = (int)(c1 - c0),
                                               .ai = (int)(r0 - p->n),
                                               .aj = (int)(c0 - j * whole->nb),
                                               .bi = (int)(r0 - I * B->mb),
                                               .bj = (int)(c0 - J * B->nb)};
                if (block.m > 0 && block.n > 0)
                    tw_task_lacpy_block(seq, tw_priority(seq, 0, 1, 0), &block, below, tw_tile(B, I, J), 0);
            }
        tw_data_free_later(below);
    }
    tw_retiled_end(seq, R, whole, 0);
}

/* How far A is brought up before quotients by its singular values are multiplied with V: an infinity times a zero of V
 * would be a NaN where the solution is 0. */
static int exponent_of(const struct problem *p)
{
    const int far = tw_is_single(p->A->type) ? 20 : 400, e = p->largest > 0 ? ilogb(p->largest) : 0;
    return e < -far ? -e : 0;
}

/* U^H B is divided by the singular values times 2^up, and the product with V gets the rest, 2^(e + up). */
static void solve(struct tw_sequence *seq, const struct problem *p, double scale)
{
    const int e = -ilogb(scale), up = exponent_of(p);
    struct tw_matrix *U = temporary(seq, p, p->m, p->k), *Vt = temporary(seq, p, p->k, p->n), *R = p->R,
                     *C = temporary(seq, p, p->k, tw_max(1, p->a.B->n)),
                     *X = temporary(seq, p, p->n, tw_max(1, p->a.B->n));

    if (scale != 1) tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){scale, 0}, R);
    if (U && Vt && C && X) {
        tw_gesdd_loop(seq, p->A, p->a.s, NULL, (struct tw_svd_side){.to = U, .columns = p->k},
                      (struct tw_svd_side){.to = Vt, .columns = p->k});
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, U, R, tw_zero, C);
        if (p->m > p->n && p->a.B->n > 0) {
            tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_minus_one, U, C, tw_one, R);
            leave_residuals(seq, p, e, R);
        }
        for (int j = 0; j < C->nt && !tw_loop_status(seq); j++)
            for (int i = 0; i < C->mt; i++)
                tw_task_divide_rows(seq, tw_priority(seq, 0, 1, 0), i * C->mb, p->k, p->a.s,
                                    rcond_of(&p->a, p->A->type), -up, i + j == 0 ? p->a.rank : NULL, tw_tile(C, i, j));
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, Vt, C, tw_zero, X);
        tw_scale_by_power_loop(seq, e + up, X);
        if (p->a.B->n > 0) tw_common_rows_loop(seq, X, p->a.B, 1);
        if (p->a.over) tw_common_rows_loop(seq, Vt, p->a.over, 1);
    }
    give_back(U), give_back(Vt), give_back(C), give_back(X);
}

/* P = V (inv(S) U^H) */
static void invert(struct tw_sequence *seq, const struct problem *p)
{
    const int up = exponent_of(p);
    struct tw_matrix *U = temporary(seq, p, p->m, p->k), *Vt = temporary(seq, p, p->k, p->n),
                     *C = temporary(seq, p, p->k, p->m);

    if (U && Vt && C) {
        tw_gesdd_loop(seq, p->A, p->a.s, NULL, (struct tw_svd_side){.to = U, .columns = p->k},
                      (struct tw_svd_side){.to = Vt, .columns = p->k});
        for (int j = 0; j < C->nt && !tw_loop_status(seq); j++)
            for (int i = 0; i < C->mt; i++) {
                tw_task_transpose(seq, tw_priority(seq, 0, 1, 0), 'C', tw_tile(U, j, i), tw_tile(C, i, j));
                tw_task_divide_rows(seq, tw_priority(seq, 0, 1, 0), i * C->mb, p->k, p->a.s,
                                    rcond_of(&p->a, p->A->type), -up, i + j == 0 ? p->a.rank : NULL, tw_tile(C, i, j));
            }
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, Vt, C, tw_zero, p->a.P);
        tw_scale_by_power_loop(seq, up, p->a.P);
    }
    give_back(U), give_back(Vt), give_back(C);
}

static void not_finite(struct tw_sequence *seq, const struct problem *p)
{
    for (tw_int i = 0; i < p->k; i++)
        p->a.s[i] = NAN;
    *p->a.rank = 0;
    tw_loop_info(seq, p->k);
}

static void with_norm_of_b(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;
    const double norm = *(const double *)value;

    if (isfinite(norm))
        solve(seq, p, tw_scale_of(p->A->type, norm));
    else
        not_finite(seq, p);
}

static void with_norm_of_a(struct tw_sequence *seq, const void *value, void *args)
{
    static const double modelled = 1;
    struct problem *p = args;
    const struct tw_use uses[] = {
        {NULL, p->A, TW_RW}, {NULL, p->R, TW_RW}, {NULL, p->a.B, TW_RW}, {NULL, p->a.over, TW_RW}};
    struct tw_data *norm;

    p->largest = *(const double *)value;
    if (!isfinite(p->largest)) {
        not_finite(seq, p);
        return;
    }
    if (p->a.P) {
        invert(seq, p);
    } else if (p->a.B->n == 0) {
        solve(seq, p, 1);
    } else if ((norm = tw_max_norm_tasks(seq, p->R))) {
        tw_when(seq, norm, &modelled, uses, 4, with_norm_of_b, p, sizeof *p);
        tw_data_free_later(norm);
    }
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const double modelled = 1;
    const struct args *a = args;
    struct problem p = {.a = *a, .m = a->A->m, .n = a->A->n, .k = tw_min(a->A->m, a->A->n)};
    struct tw_data *norm;

    p.A = tw_copied(seq, a->A, a->A->nb, a->A->nb);
    p.R = p.A && !a->P ? right_sides(seq, &p) : NULL;
    norm = p.R || (p.A && a->P) ? tw_max_norm_tasks(seq, p.A) : NULL;
    if (norm) {
        const struct tw_use uses[] = {
            {NULL, p.A, TW_RW}, {NULL, p.R, TW_RW}, {NULL, a->P ? a->P : a->B, TW_RW}, {NULL, a->over, TW_RW}};
        tw_when(seq, norm, &modelled, uses, 4, with_norm_of_a, &p, sizeof p);
        tw_data_free_later(norm);
    }
    give_back(p.A), give_back(p.R);
}

/* What all of A's values and vectors take, and these with what they are multiplied with. */
static double bytes(enum tw_type type, tw_int m, tw_int n, int products, tw_int nb)
{
    return tw_svd_bytes(type, m, n, tw_min(m, n), tw_min(m, n), nb) +
           products * (double)tw_sizeof(type) * (double)tw_min(m, n) * (double)tw_max(m, n);
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return bytes(s->type, s->m, s->n, 1, nb);
}
static double own_bytes_of_inverse(const struct tw_sizes *s, tw_int nb)
{
    return bytes(s->type, s->m, s->n, 2, nb);
}

static int check(const char *who, void *args)
{
    const struct args *a = args;
    tw_int k;
    int e;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    TW_CHECK(who, 2, tw_bad_general(a->B));
    TW_CHECK(who, 2, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 2, a->A == a->B ? "it is also A" : NULL);
    TW_CHECK(who, 2, a->B->m != tw_max(a->A->m, a->A->n) ? "it has not max(m, n) rows" : NULL);
    k = tw_min(a->A->m, a->A->n);
    TW_CHECK(who, 3, a->s || k == 0 ? NULL : "NULL");
    TW_CHECK(who, 4, isnan(a->rcond) ? "NaN" : NULL);
    TW_CHECK(who, 5, a->rank ? NULL : "NULL");
    *a->rank = 0;
    if (k == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who, bytes(a->A->type, a->A->m, a->A->n, 1, a->A->nb), a->A, a->B, NULL);
}

static int check_pinv(const char *who, void *args)
{
    const struct args *a = args;
    const char *why;
    tw_int k;
    int e;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    why = tw_bad_general(a->P);
    if (!why) why = tw_bad_pair(a->A, a->P);
    TW_CHECK(who, 2, why);
    TW_CHECK(who, 2, a->A == a->P ? "it is also A" : NULL);
    TW_CHECK(who, 2, a->P->m != a->A->n || a->P->n != a->A->m ? "its shape is not that of A's adjoint" : NULL);
    k = tw_min(a->A->m, a->A->n);
    TW_CHECK(who, 3, a->s || k == 0 ? NULL : "NULL");
    TW_CHECK(who, 4, isnan(a->rcond) ? "NaN" : NULL);
    TW_CHECK(who, 5, a->rank ? NULL : "NULL");
    *a->rank = 0;
    if (k == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who, bytes(a->A->type, a->A->m, a->A->n, 2, a->A->nb), a->A, a->P, NULL);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)tw_max(a->A->m, a->A->n), n = (double)tw_min(a->A->m, a->A->n),
                 r = a->P ? n / 2 : (double)a->B->n;
    return tw_flops_gebrd(a->A->type, m, n) +
           tw_flop_factor(a->A->type) * (4 * m * n * n + 4 * n * n * n + 4 * m * n * r);
}

const struct tw_routine tw_routine_gelsd = {.name = "gelsd",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "mn gk", .own_bytes = own_bytes}},
                        tw_routine_gelss = {.name = "gelss",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, B)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "mn gk", .own_bytes = own_bytes}},
                        tw_routine_gepinv = {.name = "gepinv",
                                             .arguments = 5,
                                             .size = sizeof(struct args),
                                             .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, P)),
                                             .check = check_pinv,
                                             .loop = loop,
                                             .flops = flops,
                                             .needs = {.given = "mn nm", .own_bytes = own_bytes_of_inverse}};

int tw_gelsd(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank)
{
    return tw_run(&tw_routine_gelsd, &(struct args){A, B, s, rcond, rank, NULL, NULL});
}

int tw_gelsd_async(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gelsd, seq, &(struct args){A, B, s, rcond, rank, NULL, NULL});
}

int tw_gelss(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank)
{
    return tw_run(&tw_routine_gelss, &(struct args){A, B, s, rcond, rank, NULL, A});
}

int tw_gelss_async(tw_matrix *A, tw_matrix *B, double *s, double rcond, int *rank, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gelss, seq, &(struct args){A, B, s, rcond, rank, NULL, A});
}

int tw_gepinv(tw_matrix *A, tw_matrix *P, double *s, double rcond, int *rank)
{
    return tw_run(&tw_routine_gepinv, &(struct args){A, NULL, s, rcond, rank, P, NULL});
}

int tw_gepinv_async(tw_matrix *A, tw_matrix *P, double *s, double rcond, int *rank, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gepinv, seq, &(struct args){A, NULL, s, rcond, rank, P, NULL});
}
