/* Eigenvalues and eigenvectors of a symmetric tridiagonal matrix T, given by two vectors: LAPACK's stedc, stevd and
 * sterf over the trees of stedc.c and sterf.c. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/stedc_tasks.h"

struct args {
    char compz; /* 'N', 'I' or 'V' */
    tw_int n;
    const double *d, *e;
    double *w;
    struct tw_matrix *Z;
};

/* ---- T ----------------------------------------------------------------------------------------------------------- */

static int bounded(tw_int n, const double *x, double limit)
{
    for (tw_int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= limit)) return 0;
    return 1;
}

int tw_tridiagonal_bad(enum tw_type type, tw_int n, const double *d, const double *e)
{
    const double largest = tw_is_single(type) ? (double)FLT_MAX : DBL_MAX;
    return !bounded(n, d, largest) || !bounded(n - 1, e, largest);
}

int tw_tridiagonal_begin(struct tw_sequence *seq, struct tw_tridiagonal *t, enum tw_type type, tw_int n,
                         const double *d, const double *e, double *w)
{
    const enum tw_type real = tw_real_type(type);

    *t = (struct tw_tridiagonal){NULL, NULL};
    if (tw_tridiagonal_bad(real, n, d, e)) {
        for (tw_int i = 0; i < n; i++)
            w[i] = NAN;
        tw_loop_info(seq, n);
        return -1;
    }
    t->d = tw_data_vector_of(real, (size_t)n, (int[2]){-1, -1});
    t->e = tw_data_vector_of(real, (size_t)tw_max(1, n - 1), (int[2]){-1, -1});
    if (t->d && t->e) {
        tw_task_laed0_enter(seq, tw_priority(seq, 2, 2, 1), d, e, t->d, t->e);
        return 0;
    }
    tw_loop_fail(seq, TW_E_MEMORY, "no memory for a tridiagonal matrix of order %lld", (long long)n);
    return -1;
}

void tw_tridiagonal_end(struct tw_tridiagonal *t)
{
    if (t->d) tw_data_free_later(t->d);
    if (t->e) tw_data_free_later(t->e);
    *t = (struct tw_tridiagonal){NULL, NULL};
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

/* Z := Z S, or S. */
static void into(struct tw_sequence *seq, const struct args *a, struct tw_matrix *S)
{
    struct tw_matrix *Q;

    if (a->compz == 'I') {
        tw_copy_loop(seq, S, a->Z, 1);
    } else if ((Q = tw_copied(seq, a->Z, a->Z->mb, a->Z->nb))) {
        tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, Q, S, tw_zero, a->Z);
        tw_matrix_free_later(Q);
    }
}

static void vectors(struct tw_sequence *seq, const struct args *a, struct tw_tridiagonal *t)
{
    struct tw_matrix *S = tw_matrix_temporary(a->Z->type, a->n, a->n, a->n, tw_columns_of_block(a->n));

    if (!S) {
        tw_loop_fail(seq, TW_E_MEMORY, "eigenvectors of order %lld: %s", (long long)a->n, tw_last_message());
        return;
    }
    tw_stedc_loop(seq, 1, t->d, t->e, 0, a->w, S);
    into(seq, a, S);
    tw_matrix_free_later(S);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_tridiagonal t;

    if (!tw_tridiagonal_begin(seq, &t, a->Z ? a->Z->type : TW_DOUBLE, a->n, a->d, a->e, a->w)) {
        if (a->Z)
            vectors(seq, a, &t);
        else
            tw_sterf_loop(seq, 1, t.d, t.e, 0, a->n, a->w);
    }
    tw_tridiagonal_end(&t);
}

/* ---- the routines: arguments `first` ... are n, d, e, w, Z ------------------------------------------------------- */

static int check_from(const char *who, int first, const struct args *a)
{
    tw_int leaf;
    int e;

    TW_CHECK(who, first, a->n < 0 ? "negative" : a->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, first + 1, a->d || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, first + 2, a->e || a->n <= 1 ? NULL : "NULL");
    TW_CHECK(who, first + 3, a->w || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, first + 4, a->compz == 'N' && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    if (a->compz != 'N') {
        TW_CHECK(who, first + 4, tw_bad_general(a->Z));
        TW_CHECK(who, first + 4, a->Z->m != a->n || a->Z->n != a->n ? "it is not n x n" : NULL);
    }
    if (a->n == 0) return TW_NOTHING;
    if ((e = tw_stedc_leaf(&leaf)) || !a->Z) return e;
    /* Z S: Z's copy is made at once */
    return tw_eigen_memory(who,
                           tw_stedc_bytes(a->Z->type, a->n, (double)a->n) +
                               (a->compz == 'V' ? (double)tw_sizeof(a->Z->type) * (double)a->n * (double)a->n : 0),
                           NULL, NULL, a->Z);
}
static int check_stedc(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, a->compz == 'N' || a->compz == 'I' || a->compz == 'V' ? NULL : "not TW_COMPZ_N, _I or _V");
    return check_from(who, 2, a);
}
static int check_stevd(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, a->compz == 'N' || a->compz == 'I' ? NULL : "neither TW_NOVECTORS nor TW_VECTORS");
    if (a->compz == 'I') TW_CHECK(who, 6, a->Z && tw_is_complex(a->Z->type) ? "its type is complex" : NULL);
    return check_from(who, 2, a);
}
static int check_sterf(const char *who, void *p)
{
    return check_from(who, 1, p);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->n, product = a->compz == 'V' ? tw_flops_gemm(a->Z->type, n, n, n) : 0;
    return a->compz == 'N' ? 20 * n * n : 4 * n * n * n / 3 + product; /* without deflation */
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return s->k > 0 ? tw_stedc_bytes(s->type, s->n, (double)tw_min(s->k, s->n)) : 0;
}

const struct tw_routine tw_routine_stedc = {.name = "stedc",
                                            .arguments = 6,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, Z)),
                                            .check = check_stedc,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "nk", .own_bytes = own_bytes}},
                        tw_routine_stevd = {.name = "stevd",
                                            .arguments = 6,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, Z)),
                                            .check = check_stevd,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "nk", .own_bytes = own_bytes}},
                        tw_routine_sterf = {.name = "sterf",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .check = check_sterf,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {""}};

static struct args stedc(enum tw_compz compz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z)
{
    return (struct args){(char)compz, n, d, e, w, Z};
}
static struct args stevd(enum tw_jobz jobz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z)
{
    const char compz = jobz == TW_VECTORS ? 'I' : jobz == TW_NOVECTORS ? 'N' : 0;
    return (struct args){compz, n, d, e, w, Z};
}

int tw_stedc(enum tw_compz compz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z)
{
    struct args args = stedc(compz, n, d, e, w, Z);
    return tw_run(&tw_routine_stedc, &args);
}
int tw_stedc_async(enum tw_compz compz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z,
                   tw_sequence *seq)
{
    struct args args = stedc(compz, n, d, e, w, Z);
    return tw_queue(&tw_routine_stedc, seq, &args);
}

int tw_stevd(enum tw_jobz jobz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z)
{
    struct args args = stevd(jobz, n, d, e, w, Z);
    return tw_run(&tw_routine_stevd, &args);
}
int tw_stevd_async(enum tw_jobz jobz, tw_int n, const double *d, const double *e, double *w, tw_matrix *Z,
                   tw_sequence *seq)
{
    struct args args = stevd(jobz, n, d, e, w, Z);
    return tw_queue(&tw_routine_stevd, seq, &args);
}

int tw_sterf(tw_int n, const double *d, const double *e, double *w)
{
    return tw_run(&tw_routine_sterf, &(struct args){'N', n, d, e, w, NULL});
}
int tw_sterf_async(tw_int n, const double *d, const double *e, double *w, tw_sequence *seq)
{
    return tw_queue(&tw_routine_sterf, seq, &(struct args){'N', n, d, e, w, NULL});
}
