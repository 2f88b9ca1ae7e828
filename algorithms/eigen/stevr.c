/* Some eigenvalues, with their eigenvectors or without, of a symmetric tridiagonal matrix: LAPACK's stevr and stevx.
 * One method serves both: stevd's, whose last merge has only the columns that are wanted; values alone by bisection, if
 * they are few. */
#include <math.h>
#include "algorithms/eigen/from_band.h"
#include "codelets/eigen/stedc_tasks.h"

struct args {
    enum tw_jobz jobz;
    struct tw_wanted wanted;
    tw_int n;
    const double *d, *e;
    tw_int *m;
    double *w;
    struct tw_matrix *Z;
};

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_spectrum p = {.type = a->Z ? a->Z->type : TW_DOUBLE,
                            .n = a->n,
                            .wanted = a->wanted,
                            .scale = 1, /* each step brings T to the order of 1 itself */
                            .w = a->w,
                            .m = a->m,
                            .Z = a->Z,
                            .final = 1};

    if (tw_tridiagonal_bad(p.type, a->n, a->d, a->e)) {
        tw_not_finite(seq, a->n, a->wanted, a->w, a->m);
        return;
    }
    if (tw_from_band_begin(seq, &p)) {
        tw_from_band_end(&p);
        return;
    }
    tw_task_laed0_enter(seq, tw_priority(seq, 2, 2, 1), a->d, a->e, p.d, p.e);
    tw_from_band_loop(seq, &p);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    tw_int leaf;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobz));
    TW_CHECK(who, 2, tw_bad_which(a->wanted.which));
    TW_CHECK(who, 3, a->n < 0 ? "negative" : a->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 4, a->d || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->e || a->n <= 1 ? NULL : "NULL");
    if ((e = tw_check_wanted(who, 6, &a->wanted, a->n))) return e;
    TW_CHECK(who, 10, a->m ? NULL : "NULL");
    TW_CHECK(who, 11, a->w || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 12, a->jobz == TW_NOVECTORS && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    if (a->jobz == TW_VECTORS) {
        TW_CHECK(who, 12, tw_bad_general(a->Z));
        TW_CHECK(who, 12, tw_is_complex(a->Z->type) ? "its type is complex" : NULL);
        TW_CHECK(who, 12, a->Z->m != a->n ? "its number of rows is not n" : NULL);
        TW_CHECK(who, 12,
                 a->Z->n < tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu)
                     ? "it has too few columns"
                     : NULL);
    }
    *a->m = 0;
    if (a->n == 0) return TW_NOTHING;
    if ((e = tw_stedc_leaf(&leaf)) || !a->Z) return e;
    return tw_eigen_memory(
        who,
        tw_stedc_bytes(a->Z->type, a->n,
                       (double)tw_max(1, tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu))),
        NULL, NULL, a->Z);
}

/* Divide and conquer without deflation, whose last merge is three quarters of its work. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->n, m = (double)tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu);
    return a->jobz == TW_VECTORS ? n * n * n / 3 + n * n * m : 20 * n * n;
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return s->k > 0 ? tw_stedc_bytes(s->type, s->n, (double)tw_min(s->k, s->n)) : 0;
}

#define ROW(of)                                                                                                        \
    const struct tw_routine tw_routine_##of = {.name = #of,                                                            \
                                               .arguments = 12,                                                        \
                                               .size = sizeof(struct args),                                            \
                                               .operand = TW_OPERANDS(TW_OPERAND(TW_RW, Z)),                           \
                                               .check = check,                                                         \
                                               .loop = loop,                                                           \
                                               .flops = flops,                                                         \
                                               .needs = {.given = "nk", .own_bytes = own_bytes}};                      \
    int tw_##of(enum tw_jobz jobz, enum tw_which which, tw_int n, const double *d, const double *e, double vl,         \
                double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z)                                   \
    {                                                                                                                  \
        return tw_run(&tw_routine_##of, &(struct args){jobz, {which, vl, vu, il, iu}, n, d, e, m, w, Z});              \
    }                                                                                                                  \
    int tw_##of##_async(enum tw_jobz jobz, enum tw_which which, tw_int n, const double *d, const double *e, double vl, \
                        double vu, tw_int il, tw_int iu, tw_int *m, double *w, tw_matrix *Z, tw_sequence *seq)         \
    {                                                                                                                  \
        return tw_queue(&tw_routine_##of, seq, &(struct args){jobz, {which, vl, vu, il, iu}, n, d, e, m, w, Z});       \
    }
ROW(stevr)
ROW(stevx)
