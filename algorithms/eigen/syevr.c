/* Some eigenvalues, with their eigenvectors or without, of a hermitian matrix: LAPACK's syevr and syevx. One method
 * serves both: syevd's, whose last merge and way back have only the columns that are wanted. */
#include "algorithms/eigen/from_band.h"

struct args {
    enum tw_jobz jobz;
    enum tw_which which;
    enum tw_uplo uplo;
    struct tw_matrix *A;
    double vl, vu;
    tw_int il, iu;
    tw_int *m;
    double *w;
    struct tw_matrix *Z;
};

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    tw_syevr_loop(seq, a->jobz, a->uplo, a->A, (struct tw_wanted){a->which, a->vl, a->vu, a->il, a->iu}, a->m, a->w,
                  a->Z, 1, (struct tw_pencil){.B = NULL});
}

/* Eigenvectors that there will be, as far as that is known; of an interval it is not, and one is taken. */
static double columns_of(const struct args *a)
{
    return a->jobz == TW_VECTORS ? (double)tw_max(1, tw_wanted_at_least(a->which, a->A->n, a->il, a->iu)) : 0;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobz));
    TW_CHECK(who, 2, tw_bad_which(a->which));
    TW_CHECK(who, 3, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 4, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 4, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    if ((e = tw_check_wanted(who, 5, &(struct tw_wanted){a->which, a->vl, a->vu, a->il, a->iu}, a->A->n))) return e;
    TW_CHECK(who, 9, a->m ? NULL : "NULL");
    TW_CHECK(who, 10, a->w || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 11, a->jobz == TW_NOVECTORS && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    if (a->jobz == TW_VECTORS) {
        TW_CHECK(who, 11, tw_bad_general(a->Z));
        TW_CHECK(who, 11, tw_bad_pair(a->A, a->Z));
        TW_CHECK(who, 11, tw_shares(a->Z, a->A) ? "it is also an input" : NULL);
        TW_CHECK(who, 11, a->Z->m != a->A->n ? "its number of rows is not the order of A" : NULL);
        TW_CHECK(who, 11,
                 a->Z->n < tw_wanted_at_least(a->which, a->A->n, a->il, a->iu) ? "it has too few columns" : NULL);
    }
    *a->m = 0;
    if (a->A->n == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who, tw_syevd_bytes(a->A->type, a->A->n, columns_of(a), a->A->nb), a->A, NULL, a->Z);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->A->n,
                 m = a->jobz == TW_NOVECTORS ? 0 : (double)tw_wanted_at_least(a->which, a->A->n, a->il, a->iu);
    return tw_flops_syevd(a->A->type, n, TW_NOVECTORS) + tw_flop_factor(a->A->type) * 16 * n * n * m / 3;
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return tw_syevd_bytes(s->type, s->n, (double)tw_min(s->k, s->n), nb);
}

#define ROW(of)                                                                                                        \
    const struct tw_routine tw_routine_##of = {.name = #of,                                                            \
                                               .arguments = 11,                                                        \
                                               .size = sizeof(struct args),                                            \
                                               .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, Z)),      \
                                               .check = check,                                                         \
                                               .loop = loop,                                                           \
                                               .flops = flops,                                                         \
                                               .tuning = &tw_tuning_eigen,                                             \
                                               .needs = {.given = "Tnn nk", .own_bytes = own_bytes}};                  \
    int tw_##of(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, double vl, double vu,         \
                tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z)                                              \
    {                                                                                                                  \
        return tw_run(&tw_routine_##of, &(struct args){jobz, which, uplo, A, vl, vu, il, iu, m, w, Z});                \
    }                                                                                                                  \
    int tw_##of##_async(enum tw_jobz jobz, enum tw_which which, enum tw_uplo uplo, tw_matrix *A, double vl, double vu, \
                        tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq)                    \
    {                                                                                                                  \
        return tw_queue(&tw_routine_##of, seq, &(struct args){jobz, which, uplo, A, vl, vu, il, iu, m, w, Z});         \
    }
ROW(syevr)
ROW(syevx)
