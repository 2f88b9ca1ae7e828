/* Eigenvalues and eigenvectors of a hermitian band matrix, all (LAPACK's sbevd and hbevd) or some (sbevx and hbevx).
 * There is no stage 1: the band is copied to where stage 2 has it. */
#include <math.h>
#include "algorithms/eigen/from_band.h"
#include "runtime/task/when.h"

struct args {
    enum tw_jobz jobz;
    struct tw_wanted wanted;
    enum tw_uplo uplo;
    struct tw_matrix *A, *Q; /* Q: NULL: not asked for */
    tw_int *m;               /* NULL: all are wanted */
    double *w;
    struct tw_matrix *Z;
};

/* Sub-diagonals, of the triangle that counts. */
static tw_int width(const struct args *a)
{
    return tw_min(a->uplo == TW_LOWER ? a->A->kl : a->A->ku, tw_max(0, a->A->n - 1));
}

static void copy(struct tw_sequence *seq, const struct args *a, struct tw_band *B)
{
    struct tw_matrix *A = a->A;
    const int lower = a->uplo == TW_LOWER;

    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = lower ? j : 0; i < (lower ? A->mt : j + 1); i++)
            if (tw_tile(A, i, j))
                tw_task_band_enter(seq, tw_priority(seq, 1, 1, 1), lower, i * A->mb, j * A->nb, width(a),
                                   tw_tile(A, i, j), B);
}

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    struct tw_spectrum *p = args;
    const double norm = *(const double *)value;

    if (!isfinite(norm)) {
        tw_not_finite(seq, p->n, p->wanted, p->w, p->m);
        return;
    }
    p->scale = tw_scale_of(p->type, norm);
    if (p->scale != 1) tw_task_band_scale(seq, tw_priority(seq, 1, 1, 1), p->scale, p->B);
    tw_from_band_loop(seq, p);
}
static void release(void *p)
{
    tw_from_band_end(p);
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const double modelled = 1;
    const struct args *a = args;
    const struct tw_use uses[] = {{NULL, a->Z, TW_RW}, {NULL, a->Q, TW_RW}};
    struct tw_data *norm = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});
    struct tw_spectrum p = {.type = a->A->type,
                            .n = a->A->n,
                            .b = (int)tw_max(1, width(a)),
                            .wanted = a->wanted,
                            .scale = 1,
                            .w = a->w,
                            .m = a->m,
                            .Z = a->Z,
                            .final = 1,
                            .Q = a->Q};

    if (!tw_from_band_begin(seq, &p) && norm) {
        copy(seq, a, p.B);
        tw_task_band_norm(seq, tw_priority(seq, 1, 1, 1), p.B, norm);
        tw_when_owning(seq, norm, &modelled, uses, 2, with_norm, release, &p, sizeof p);
    } else {
        if (!tw_loop_status(seq)) tw_loop_fail(seq, TW_E_MEMORY, "a band matrix: no memory for a number");
        tw_from_band_end(&p);
    }
    if (norm) tw_data_free_later(norm);
}

static const char *bad_band(const struct tw_matrix *A)
{
    if (!A) return "NULL matrix";
    if (!A->band) return "not a band matrix (tw_matrix_create_band)";
    if (A->m != A->n) return "the matrix is not square";
    if (!tw_type_ok(A->type)) return "it holds pivots";
    return A->n > INT32_MAX / 4 ? "more than 2^29 rows" : tw_bad_tiles(A);
}
/* An n x n matrix for results. */
static const char *bad_result(const struct args *a, const struct tw_matrix *X)
{
    const char *why = tw_bad_general(X);

    if (!why) why = tw_bad_pair(a->A, X);
    return why ? why : X->m != a->A->n || X->n != a->A->n ? "its shape is not A's" : NULL;
}

static tw_int wanted_at_least(const struct args *a)
{
    return a->jobz == TW_VECTORS ? tw_wanted_at_least(a->wanted.which, a->A->n, a->wanted.il, a->wanted.iu) : 0;
}
static int check_memory(const char *who, const struct args *a)
{
    const double temporaries = tw_sbevd_bytes(a->A->type, a->A->n, width(a), (double)tw_max(1, wanted_at_least(a)));
    int e;

    if (a->A->n == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables()) || a->jobz == TW_NOVECTORS) return e;
    return tw_eigen_memory(who, temporaries, a->A, a->Q, a->Z);
}

static int check_all(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_job(a->jobz));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, bad_band(a->A));
    TW_CHECK(who, 4, a->w || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->jobz == TW_NOVECTORS && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    TW_CHECK(who, 5, a->jobz == TW_VECTORS ? bad_result(a, a->Z) : NULL);
    return check_memory(who, a);
}

static int check_some(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobz));
    TW_CHECK(who, 2, tw_bad_which(a->wanted.which));
    TW_CHECK(who, 3, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 4, bad_band(a->A));
    TW_CHECK(who, 5, a->jobz == TW_NOVECTORS && a->Q ? "a matrix, without eigenvectors asked for" : NULL);
    TW_CHECK(who, 5, a->Q ? bad_result(a, a->Q) : NULL);
    if ((e = tw_check_wanted(who, 6, &a->wanted, a->A->n))) return e;
    TW_CHECK(who, 10, a->m ? NULL : "NULL");
    TW_CHECK(who, 11, a->w || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 12, a->jobz == TW_NOVECTORS && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    if (a->jobz == TW_VECTORS) {
        TW_CHECK(who, 12, tw_bad_general(a->Z));
        TW_CHECK(who, 12, tw_bad_pair(a->A, a->Z));
        TW_CHECK(who, 12, tw_shares(a->Z, a->Q) ? "it is the matrix Q itself" : NULL);
        TW_CHECK(who, 12, a->Z->m != a->A->n ? "its number of rows is not the order of A" : NULL);
        TW_CHECK(who, 12, a->Z->n < wanted_at_least(a) ? "it has too few columns" : NULL);
    }
    *a->m = 0;
    return check_memory(who, a);
}

/* Stage 2, and with vectors as if nothing were deflated: the last merge, three quarters of its work, and the way back
 * are those of the wanted ones. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->A->n, b = (double)width(a), m = (double)wanted_at_least(a);
    const double back = b > 0 ? 2 * n * n * m : 0, q = a->Q && b > 0 ? 2 * n * n * n : 0;
    const double vectors = a->jobz == TW_VECTORS ? n * n * n / 3 + n * n * m : 0;
    return tw_flop_factor(a->A->type) * (6 * n * n * b + vectors + back + q);
}

/* Of m sub-diagonals, and k eigenvectors; without sbevx's Q. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return tw_sbevd_bytes(s->type, s->n, tw_min(s->m, s->n - 1), (double)tw_min(s->k, s->n));
}

#define ROW(of, count, check_of)                                                                                       \
    const struct tw_routine tw_routine_##of = {                                                                        \
        .name = #of,                                                                                                   \
        .arguments = count,                                                                                            \
        .size = sizeof(struct args),                                                                                   \
        .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, Q), TW_OPERAND(TW_RW, Z)),                       \
        .check = check_of,                                                                                             \
        .loop = loop,                                                                                                  \
        .flops = flops,                                                                                                \
        .needs = {.given = "Bmn nk", .own_bytes = own_bytes}};
ROW(sbevd, 5, check_all)
ROW(sbevx, 12, check_some)

#define ALL                                                                                                            \
    &(struct args)                                                                                                     \
    {                                                                                                                  \
        jobz, {.which = TW_ALL}, uplo, A, NULL, NULL, w, Z                                                             \
    }
int tw_sbevd(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z)
{
    return tw_run(&tw_routine_sbevd, ALL);
}

int tw_sbevd_async(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z, tw_sequence *seq)
{
    return tw_queue(&tw_routine_sbevd, seq, ALL);
}

#define SOME                                                                                                           \
    &(struct args)                                                                                                     \
    {                                                                                                                  \
        jobz, {which, vl, vu, il, iu}, uplo, A, Q, m, w, Z                                                             \
    }
int tw_sbevx(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *Q, double vl,
             double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z)
{
    return tw_run(&tw_routine_sbevx, SOME);
}

int tw_sbevx_async(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, tw_matrix *Q, double vl,
                   double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq)
{
    return tw_queue(&tw_routine_sbevx, seq, SOME);
}
