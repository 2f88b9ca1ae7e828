/* Singular values and vectors of a general matrix: LAPACK's gesdd and gesvd. How they are found is in problem.c, and
 * from there in qr_first.c, stages.c and by_lapack.c. */
#include "algorithms/dense/tall.h"
#include "algorithms/svd/gesdd.h"

struct args {
    enum tw_svd_job jobu, jobvt;
    struct tw_matrix *A;
    double *s;
    struct tw_matrix *U, *Vt;
    double *superb;
    struct tw_matrix *over; /* A, if it is overwritten */
};

/* Vectors that a job has, and in which matrix. */
static struct tw_svd_side side_of(enum tw_svd_job job, const struct args *a, struct tw_matrix *own, tw_int all)
{
    const tw_int k = tw_min(a->A->m, a->A->n);
    return (struct tw_svd_side){.to = job == TW_SVD_OVERWRITE ? a->A
                                      : job == TW_SVD_NONE    ? NULL
                                                              : own,
                                .columns = job == TW_SVD_ALL ? all : k};
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;

    tw_gesdd_loop(seq, a->A, a->s, a->superb, side_of(a->jobu, a, a->U, a->A->m), side_of(a->jobvt, a, a->Vt, a->A->n));
}

/* A vector matrix of that shape, which is argument i. */
static const char *bad_vectors(const struct tw_matrix *A, const struct tw_matrix *U, tw_int m, tw_int n)
{
    const char *why = tw_bad_general(U);
    if (!why) why = tw_bad_pair(A, U);
    if (!why && U == A) why = "it is the matrix A itself";
    return why ? why : U->m != m || U->n != n ? "its shape is not that of the vectors" : NULL;
}

static const char *bad_job(enum tw_svd_job job)
{
    return job == TW_SVD_ALL || job == TW_SVD_SOME || job == TW_SVD_OVERWRITE || job == TW_SVD_NONE
               ? NULL
               : "not TW_SVD_ALL, TW_SVD_SOME, TW_SVD_OVERWRITE or TW_SVD_NONE";
}
/* A matrix that has to be there, or must not be. */
static const char *bad_side(const struct args *a, enum tw_svd_job job, const struct tw_matrix *U, tw_int m, tw_int n)
{
    if (job == TW_SVD_NONE) return U ? "a matrix, without vectors asked for" : NULL;
    if (job == TW_SVD_OVERWRITE) return U ? "a matrix, though A becomes these vectors" : NULL;
    return bad_vectors(a->A, U, m, n);
}

/* A, s, U and Vt, the first of which is argument `first`. `alone`: either of U and Vt may be missing. */
static int check_matrices(const char *who, int first, const struct args *a, int alone)
{
    const struct tw_matrix *A = a->A;
    tw_int k;
    int e;

    TW_CHECK(who, first, tw_bad_general(A));
    TW_CHECK(who, first, tw_max(A->m, A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    k = tw_min(A->m, A->n);
    TW_CHECK(who, first + 1, a->s || k == 0 ? NULL : "NULL");
    if (a->U || !alone) TW_CHECK(who, first + 2, bad_side(a, a->jobu, a->U, A->m, a->jobu == TW_SVD_ALL ? A->m : k));
    if (a->Vt || !alone)
        TW_CHECK(who, first + 3, bad_side(a, a->jobvt, a->Vt, a->jobvt == TW_SVD_ALL ? A->n : k, A->n));
    TW_CHECK(who, first + 3, a->U && a->U == a->Vt ? "it is U, too" : NULL);
    if (k == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables()) || (e = tw_tall_variable())) return e;
    const struct tw_svd_side U = side_of(a->jobu, a, a->U, A->m), Vt = side_of(a->jobvt, a, a->Vt, A->n);
    return tw_eigen_memory(who, tw_svd_bytes(A->type, A->m, A->n, U.to ? U.columns : 0, Vt.to ? Vt.columns : 0, A->nb),
                           A, a->U, a->Vt);
}

static int check_gesdd(const char *who, void *p)
{
    struct args *a = p;
    const enum tw_svd_job jobz = a->jobu;

    TW_CHECK(who, 1, bad_job(jobz));
    a->jobvt = jobz;
    if (jobz == TW_SVD_OVERWRITE && a->A) {
        const int tall = a->A->m >= a->A->n;
        a->jobu = tall ? TW_SVD_OVERWRITE : TW_SVD_ALL;
        a->jobvt = tall ? TW_SVD_ALL : TW_SVD_OVERWRITE;
    }
    return check_matrices(who, 2, a, jobz == TW_SVD_ALL || jobz == TW_SVD_SOME);
}
static int check_gesvd(const char *who, void *p)
{
    struct args *a = p;

    TW_CHECK(who, 1, bad_job(a->jobu));
    TW_CHECK(who, 2, bad_job(a->jobvt));
    TW_CHECK(who, 2,
             a->jobu == TW_SVD_OVERWRITE && a->jobvt == TW_SVD_OVERWRITE ? "A cannot become both U and Vt" : NULL);
    return check_matrices(who, 3, a, 0);
}

/* What LAPACK's way would take, about: reduction, divide and conquer without deflation and the back-transformations. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)tw_max(a->A->m, a->A->n), n = (double)tw_min(a->A->m, a->A->n);
    return tw_flops_gebrd(a->A->type, m, n) +
           tw_flop_factor(a->A->type) *
               ((a->jobu == TW_SVD_NONE ? 0 : 4 * m * n * n) + (a->jobvt == TW_SVD_NONE ? 0 : 4 * n * n * n));
}

/* On GPUs large tiles, as for eigenvalues: the host takes longer for a panel's products with a tile each than a GPU.
 * One H200, double, seconds of stage 1 with nb as elsewhere (768, 1024, 1408) / 2048 / 4096: n = 4096 0.083 / 0.056 /
 * 0.051, 8192 0.21 / 0.146 / 0.135, 16384 1.09 / 0.57 / 0.50. Matrices that are much taller or wider have a QR
 * factorization first. */
static tw_int large_tiles(const struct tw_sizes *s, tw_int nb)
{
    const tw_int n = tw_min(s->m, s->n), most = tw_max(s->m, s->n);

    if (tw_reproducible() || tw_gpus() == 0 || n < 4096 || most >= n + n / 2) return nb;
    return n <= 8192 ? 2048 : 4096;
}
const struct tw_tuning tw_tuning_svd = {.nb = large_tiles, .not_over_arrays = 1, .crossover = 512};

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const tw_int k = tw_min(s->k, tw_max(s->m, s->n));
    return tw_svd_bytes(s->type, s->m, s->n, tw_min(k, s->m), tw_min(k, s->n), nb);
}

/* As copy_of() cuts X. */
static tw_int tall(const struct tw_sizes *s)
{
    return tw_tall_for_products(s->m, s->n)
               ? tw_tall_rows_of_products(s->type, s->m, s->n, tw_order_of_tiles(s->type, s->n, tw_svd_band(s->n)))
               : 0;
}

#define OPERANDS TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, Vt), TW_OPERAND(TW_RW, over))
const struct tw_routine tw_routine_gesdd = {.name = "gesdd",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = OPERANDS,
                                            .check = check_gesdd,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_svd,
                                            .tall = tall,
                                            .needs = {.given = "mn mk kn", .own_bytes = own_bytes}},
                        tw_routine_gesvd = {.name = "gesvd",
                                            .arguments = 7,
                                            .size = sizeof(struct args),
                                            .operand = OPERANDS,
                                            .check = check_gesvd,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_svd,
                                            .tall = tall,
                                            .needs = {.given = "mn mk kn", .own_bytes = own_bytes}};

static struct args arguments(enum tw_svd_job jobu, enum tw_svd_job jobvt, struct tw_matrix *A, double *s,
                             struct tw_matrix *U, struct tw_matrix *Vt, double *superb)
{
    const int over = jobu == TW_SVD_OVERWRITE || jobvt == TW_SVD_OVERWRITE;
    return (struct args){jobu, jobvt, A, s, U, Vt, superb, over ? A : NULL};
}

int tw_gesdd(enum tw_svd_job jobz, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt)
{
    struct args a = arguments(jobz, jobz, A, s, U, Vt, NULL);
    return tw_run(&tw_routine_gesdd, &a);
}

int tw_gesdd_async(enum tw_svd_job jobz, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt, tw_sequence *seq)
{
    struct args a = arguments(jobz, jobz, A, s, U, Vt, NULL);
    return tw_queue(&tw_routine_gesdd, seq, &a);
}

int tw_gesvd(enum tw_svd_job jobu, enum tw_svd_job jobvt, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt,
             double *superb)
{
    struct args a = arguments(jobu, jobvt, A, s, U, Vt, superb);
    return tw_run(&tw_routine_gesvd, &a);
}

int tw_gesvd_async(enum tw_svd_job jobu, enum tw_svd_job jobvt, tw_matrix *A, double *s, tw_matrix *U, tw_matrix *Vt,
                   double *superb, tw_sequence *seq)
{
    struct args a = arguments(jobu, jobvt, A, s, U, Vt, superb);
    return tw_queue(&tw_routine_gesvd, seq, &a);
}
