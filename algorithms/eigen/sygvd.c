/* The generalized hermitian eigenvalue problem, with a positive definite B, as one graph: B's Cholesky factor, the
 * standard form, its eigenvalues and eigenvectors, all or some, and these made the problem's. The standard form follows
 * the factorization tile by tile, in a copy of A; what comes after it waits for the factorization's info, as a
 * continuation. */
#include "algorithms/eigen/from_band.h"
#include "runtime/task/arrays.h"

struct args {
    int itype;
    enum tw_jobz jobz;
    struct tw_wanted wanted;
    enum tw_uplo uplo;
    struct tw_matrix *A, *B;
    tw_int *m; /* NULL: all are wanted */
    double *w;
    struct tw_matrix *Z;
};

/* One call. */
struct problem {
    struct args a;
    struct tw_matrix *C; /* the standard form, in B's tiles */
};

static void with_factor(struct tw_sequence *seq, const void *info, void *args)
{
    const struct problem *p = args;
    const struct args *a = &p->a;

    if (*(const int64_t *)info == 0)
        tw_syevr_loop(seq, a->jobz, a->uplo, p->C, a->wanted, a->m, a->w, a->Z, 1,
                      (struct tw_pencil){a->itype, a->uplo, a->B});
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const int64_t definite = 0;
    const struct args *a = args;
    struct problem p = {.a = *a};
    const char *before = tw_loop_in_stage(seq, "standard");

    tw_potrf_rows_loop(seq, a->uplo, a->B, a->A->n);
    if (!tw_loop_status(seq) && (p.C = tw_triangle_copy(seq, a->uplo, a->A, a->B->nb)))
        tw_sygst_loop(seq, a->itype, a->uplo, p.C, a->B);
    (void)tw_loop_in_stage(seq, before);
    if (!p.C) return;
    tw_loop_barrier(seq);
    tw_when(seq, tw_info(seq), &definite,
            (const struct tw_use[]){{NULL, p.C, TW_RW}, {NULL, a->B, TW_R}, {NULL, a->Z, TW_RW}}, 3, with_factor, &p,
            sizeof p);
    tw_matrix_free_later(p.C);
}

/* ---- the routines ------------------------------------------------------------------------------------------------ */

/* uplo, A and B are arguments `at` ... */
static int check_pencil(const char *who, int at, const struct args *a)
{
    TW_CHECK(who, 1, a->itype >= 1 && a->itype <= 3 ? NULL : "not 1, 2 or 3");
    TW_CHECK(who, 2, tw_bad_job(a->jobz));
    if (at > 3) TW_CHECK(who, 3, tw_bad_which(a->wanted.which));
    TW_CHECK(who, at, tw_bad_uplo(a->uplo));
    TW_CHECK(who, at + 1, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, at + 1, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, at + 2, tw_bad_triangle(a->B, a->uplo));
    TW_CHECK(who, at + 2, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, at + 2, a->A->n != a->B->n ? "its order is not A's" : NULL);
    TW_CHECK(who, at + 2, tw_shares(a->A, a->B) ? "it is the matrix A itself" : NULL);
    return 0;
}
/* Z is argument `at`, after w. */
static int check_results(const char *who, int at, const struct args *a)
{
    TW_CHECK(who, at - 1, a->w || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, at, a->jobz == TW_NOVECTORS && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    if (a->jobz == TW_NOVECTORS) return 0;
    TW_CHECK(who, at, tw_bad_general(a->Z));
    TW_CHECK(who, at, tw_bad_pair(a->A, a->Z));
    TW_CHECK(who, at, a->Z->m != a->A->n ? "its number of rows is not the order of A" : NULL);
    TW_CHECK(who, at, tw_shares(a->Z, a->B) ? "it is the matrix B itself" : NULL);
    return 0;
}

static int check_memory(const char *who, const struct args *a)
{
    /* of an interval one is taken, as nobody knows how many there are */
    const tw_int columns =
        a->Z ? tw_max(1, tw_wanted_at_least(a->wanted.which, a->A->n, a->wanted.il, a->wanted.iu)) : 0;
    int e;

    if (a->A->n == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who, tw_sygvd_bytes(a->A->type, a->A->n, (double)columns, a->B->nb), a->A, a->B, a->Z);
}

static int check_all(const char *who, void *p)
{
    const struct args *a = p;
    int e = check_pencil(who, 3, a);

    if (!e) e = check_results(who, 7, a);
    if (e) return e;
    TW_CHECK(who, 7, a->Z && a->Z->n != a->A->n ? "its shape is not A's" : NULL);
    return check_memory(who, a);
}

static int check_some(const char *who, void *p)
{
    const struct args *a = p;
    int e = check_pencil(who, 4, a);

    if (!e) e = tw_check_wanted(who, 7, &a->wanted, a->A->n);
    if (e) return e;
    TW_CHECK(who, 11, a->m ? NULL : "NULL");
    if ((e = check_results(who, 13, a))) return e;
    TW_CHECK(who, 13, a->Z && tw_shares(a->Z, a->A) ? "it is the matrix A itself" : NULL);
    TW_CHECK(who, 13,
             a->Z && a->Z->n < tw_wanted_at_least(a->wanted.which, a->A->n, a->wanted.il, a->wanted.iu)
                 ? "it has too few columns"
                 : NULL);
    *a->m = 0;
    return check_memory(who, a);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const enum tw_type t = a->A->type;
    const double n = (double)a->A->n,
                 m = a->Z ? (double)tw_wanted_at_least(a->wanted.which, a->A->n, a->wanted.il, a->wanted.iu) : 0;

    return tw_flops_potrf(t, n) + tw_flops_sygst(t, n) + tw_flops_syevd(t, n, TW_NOVECTORS) +
           tw_flop_factor(t) * 16 * n * n * m / 3 + tw_flops_trsm(t, 'L', n, m);
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return tw_sygvd_bytes(s->type, s->n, (double)tw_min(s->k, s->n), nb);
}

#define ROW(of, count, check_of)                                                                                       \
    const struct tw_routine tw_routine_##of = {                                                                        \
        .name = #of,                                                                                                   \
        .arguments = count,                                                                                            \
        .size = sizeof(struct args),                                                                                   \
        .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B), TW_OPERAND(TW_RW, Z)),                       \
        .check = check_of,                                                                                             \
        .loop = loop,                                                                                                  \
        .flops = flops,                                                                                                \
        .needs = {.given = "2Tnn nk", .own_bytes = own_bytes}};
ROW(sygvd, 7, check_all)
ROW(sygvx, 13, check_some)

#define ALL                                                                                                            \
    &(struct args)                                                                                                     \
    {                                                                                                                  \
        itype, jobz, {.which = TW_ALL}, uplo, A, B, NULL, w, Z                                                         \
    }
int tw_sygvd(int itype, enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, double *w, tw_matrix *Z)
{
    return tw_run(&tw_routine_sygvd, ALL);
}

int tw_sygvd_async(int itype, enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, double *w, tw_matrix *Z,
                   tw_sequence *seq)
{
    return tw_queue(&tw_routine_sygvd, seq, ALL);
}

#define SOME                                                                                                           \
    &(struct args)                                                                                                     \
    {                                                                                                                  \
        itype, jobz, {which, vl, vu, il, iu}, uplo, A, B, m, w, Z                                                      \
    }
int tw_sygvx(int itype, enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B,
             double vl, double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z)
{
    return tw_run(&tw_routine_sygvx, SOME);
}

int tw_sygvx_async(int itype, enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *B,
                   double vl, double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq)
{
    return tw_queue(&tw_routine_sygvx, seq, SOME);
}
