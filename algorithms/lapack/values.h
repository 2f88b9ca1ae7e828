/* What the doors of eigenvalue routines share: LAPACK's workspaces of several kinds, and real arrays, which the matrix
 * door has as doubles. */
#ifndef TW_ALGORITHMS_LAPACK_VALUES_H
#define TW_ALGORITHMS_LAPACK_VALUES_H
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/lapack/qr.h"

/* ---- integers of the caller's, which have so many bytes ---------------------------------------------------------- */

static inline tw_int get_int(size_t int_size, const void *from, tw_int i)
{
    return int_size == 8 ? ((const int64_t *)from)[i] : ((const int32_t *)from)[i];
}
static inline void put_int_at(size_t int_size, void *to, tw_int i, tw_int value)
{
    if (int_size == 8)
        ((int64_t *)to)[i] = value;
    else
        ((int32_t *)to)[i] = (int32_t)value;
}
static inline void put_int(size_t int_size, void *to, tw_int value)
{
    put_int_at(int_size, to, 0, value);
}

/* ---- workspaces: the caller's, which are not used; LAPACK's least sizes are asked for all the same --------------- */

struct workspaces {
    void *work, *rwork, *iwork;
    tw_int lwork, lrwork, liwork;
    size_t int_size; /* of iwork's elements */
};
static const struct workspaces own_workspaces = {.lwork = INT64_MAX, .lrwork = INT64_MAX, .liwork = INT64_MAX};
/* 0: the routine has none such with a length. */
struct least {
    tw_int work, rwork, iwork;
};

/* n, of which workspaces are counted: no routine takes more than 2^29 rows, and four times the square of this is a
 * number. */
static inline tw_int counted(tw_int n)
{
    return tw_min(n, (tw_int)1 << 30);
}

static inline int is_query(const struct workspaces *w)
{
    return w->lwork == -1 || w->lrwork == -1 || w->liwork == -1;
}
/* work is argument `at`; after it and lwork come rwork, lrwork (if there are), iwork, liwork. 0; 1: it was a query,
 * answered; or the illegal argument's number. */
static inline tw_int enter_workspaces(const char *routine, enum tw_type type, int at, struct least least,
                                      const struct workspaces *w)
{
    const int at_int = at + (least.rwork ? 4 : 2);

    if (is_query(w)) {
        ARGUMENT(at, w->work, "NULL");
        if (least.rwork) ARGUMENT(at + 2, w->rwork, "NULL");
        if (least.iwork) ARGUMENT(at_int, w->iwork, "NULL");
        put_lwork(type, w->work, least.work);
        if (least.rwork) put_lwork(tw_real_type(type), w->rwork, least.rwork);
        if (least.iwork)
            put_int(w->int_size, w->iwork, w->int_size == 8 ? least.iwork : tw_min(least.iwork, INT32_MAX));
        return 1;
    }
    ARGUMENT(at + 1, w->lwork >= least.work, "lwork < what LAPACK needs at least");
    ARGUMENT(at + 3, !least.rwork || w->lrwork >= least.rwork, "lrwork < what LAPACK needs at least");
    ARGUMENT(at_int + 1, !least.iwork || w->liwork >= least.iwork, "liwork < what LAPACK needs at least");
    return 0;
}

/* ---- real arrays ------------------------------------------------------------------------------------------------- */

static inline int reals_finite(enum tw_type type, tw_int n, const void *x)
{
    for (tw_int i = 0; i < n; i++)
        if (!isfinite(get_real(type, x, i))) return 0;
    return 1;
}
static inline int nan_reals(const struct tw_lapacke *call, tw_int n, const void *x)
{
    return x && n > 0 && nan_run(tw_real_type(call->type), x, 0, n);
}

/* The imaginary parts of a hermitian matrix' diagonal, which nobody is to read, become 0: `stride` elements from one to
 * the next. LAPACKE would refuse a NaN there. */
static inline void real_diagonal(enum tw_type type, tw_int n, void *first, tw_int stride)
{
    for (tw_int j = 0; j < n && tw_is_complex(type); j++)
        put_real_at(type, first, 2 * j * stride + 1, 0);
}

/* LAPACK has no defined answer to NaN and infinity. */
static inline int triangle_finite(enum tw_type type, char uplo, tw_int n, const void *a, tw_int lda)
{
    const tw_int reals = tw_is_complex(type) ? 2 : 1;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = reals * (j * lda + (uplo == 'L' ? j : 0)); i < reals * (j * lda + (uplo == 'L' ? n : j + 1));
             i++)
            if (!isfinite(get_real(type, a, i))) return 0;
    return 1;
}

static inline int general_finite(enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const tw_int reals = tw_is_complex(type) ? 2 : 1;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = reals * j * lda; i < reals * (j * lda + m); i++)
            if (!isfinite(get_real(type, a, i))) return 0;
    return 1;
}

/* LAPACK itself is asked, for its routine of this name: small problems, and those of a dense matrix (`dense`) as
 * TILEWORK_ROUTE says: tiles refuse words that mean nothing, and in reproducible mode LAPACK's route is theirs, too, as
 * one task on a core. What is so is told. */
static inline int by_lapack(const struct tw_routine *r, const char *vendor, int dense, enum tw_type type, tw_int n,
                            tw_int nrhs, tw_int lda, tw_int ldb)
{
    const double limit = INT32_MAX;
    enum tw_route route = TW_ROUTE_AUTO;
    int yes;

    if (dense && tw_route(&route)) return 0;
    if (route == TW_ROUTE_LAPACK)
        yes = !tw_wants_reproducible() && n <= 46340 && (double)n * (double)lda <= limit &&
              (double)nrhs * (double)ldb <= limit;
    else
        yes = route == TW_ROUTE_AUTO && fits_lapack(r, type, (double)n, n, nrhs, lda, ldb);
    if (!yes) return 0;
    by_vendor(vendor, n);
    if (dense) tw_account_figure("route", TW_ROUTE_LAPACK);
    return 1;
}

/* Room for n eigenvalues, fewer than 2^31: w itself where it is double. NULL without memory. */
static inline double *values_begin(enum tw_type type, tw_int n, void *w)
{
    return tw_is_single(type) ? malloc((size_t)tw_max(1, n) * sizeof(double)) : w;
}
/* The first n of them to w. */
static inline void values_end(enum tw_type type, tw_int n, double *values, void *w)
{
    if (values == w) return;
    for (tw_int i = 0; values && i < n; i++)
        put_real_at(type, w, i, values[i]);
    free(values);
}
static inline tw_int no_memory_for_values(const char *routine, tw_int n)
{
    return tw_fail(TW_E_MEMORY, "%s: no memory for %lld eigenvalues", routine, (long long)n);
}
/* The answer to NaN and infinity, for which LAPACK has none. */
static inline tw_int no_values(enum tw_type type, tw_int n, void *w)
{
    for (tw_int i = 0; i < n; i++)
        put_real_at(type, w, i, NAN);
    return n;
}
/* LAPACKE's info, of one of its functions that allocate, as the library's. */
static inline tw_int told(const char *routine, int info)
{
    return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR
               ? tw_fail(TW_E_MEMORY, "%s: no memory for LAPACK's workspace", routine)
               : info;
}

/* A tridiagonal matrix' n and n - 1 numbers as doubles: 0, or -1 without memory; tridiagonal_end in any case. */
struct reals {
    double *d, *e, *own;
};
static inline int reals_begin(struct reals *r, enum tw_type type, tw_int n, void *d, void *e)
{
    *r = (struct reals){d, e, NULL};
    if (!tw_is_single(type)) return 0;
    if (n > INT32_MAX || !(r->own = malloc((size_t)tw_max(2, 2 * n) * sizeof(double)))) return -1;
    r->d = r->own, r->e = r->own + n;
    for (tw_int i = 0; i < n; i++)
        r->d[i] = get_real(type, d, i);
    for (tw_int i = 0; i + 1 < n; i++)
        r->e[i] = get_real(type, e, i);
    return 0;
}
/* The eigenvalues, which are in r->d, to d. */
static inline void reals_end(struct reals *r, enum tw_type type, tw_int n, void *d)
{
    for (tw_int i = 0; r->own && i < n; i++)
        put_real_at(type, d, i, r->d[i]);
    free(r->own);
}
#endif
