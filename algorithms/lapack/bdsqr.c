/* Singular values of real bidiagonal matrices, and their vectors applied to three matrices, under the names of LAPACK
 * and LAPACKE: bdsqr. d becomes the values; e, which LAPACK's destroys, stays. With few vectors LAPACK's rotations of
 * these alone take less time than all vectors do: it is asked then. */
#include "algorithms/lapack/values.h"
#include "algorithms/svd/svd_loops.h"

#define BDSQR(T, INT, INTS, R, RS, ...)                                                                                \
    char uplo, INT n, INT ncvt, INT nru, INT ncc, RS *d, RS *e, T *vt, INT ldvt, T *u, INT ldu, T *c, INT ldc
#define BDSQR_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    char uplo, INT n, INT ncvt, INT nru, INT ncc, RS *d, RS *e, T *vt, INT ldvt, T *u, INT ldu, T *c, INT ldc, RS *work

/* Not LAPACKE's function with a workspace of its own, which looks for NaN in the three matrices and then says so with
 * its own number. */
#define ITSELF(p)                                                                                                      \
    static int lapack_##p##bdsqr(BDSQR_WORK(void, int, int, void, void, void))                                         \
    {                                                                                                                  \
        return LAPACKE_##p##bdsqr_work(LAPACK_COL_MAJOR, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc,      \
                                       work);                                                                          \
    }
ITSELF(s)
ITSELF(d)
ITSELF(c)
ITSELF(z)
static int (*const lapack_bdsqr[TW_NTYPES])(BDSQR_WORK(void, int, int, void, void, void)) = {
    lapack_sbdsqr, lapack_dbdsqr, lapack_cbdsqr, lapack_zbdsqr};

/* The three matrices: n x ncvt, nru x n, n x ncc. */
struct call {
    char uplo;
    tw_int n, ncvt, nru, ncc;
    void *d, *e, *vt, *u, *c;
    tw_int ldvt, ldu, ldc;
};

static tw_int tiles(const char *routine, enum tw_type type, const struct call *c)
{
    struct tw_matrix *Vt = NULL, *U = NULL, *C = NULL;
    const tw_int n = c->n;
    struct reals r;
    tw_int info = 0;

    if (reals_begin(&r, type, n, c->d, c->e)) return no_memory_for_values(routine, n);
    if (c->ncvt > 0) info = wrap_for(&Vt, &tw_routine_bdsqr, type, 'G', n, c->ncvt, n, c->vt, c->ldvt);
    if (c->nru > 0 && !info) info = wrap_for(&U, &tw_routine_bdsqr, type, 'G', c->nru, n, n, c->u, c->ldu);
    if (c->ncc > 0 && !info) info = wrap_for(&C, &tw_routine_bdsqr, type, 'G', n, c->ncc, n, c->c, c->ldc);
    if (!info) info = tw_bdsqr(c->uplo == 'U' ? TW_UPPER : TW_LOWER, n, r.d, r.e, r.d, Vt, U, C);
    info = finish(finish(info, Vt, U), C, NULL);
    reals_end(&r, type, info >= 0 ? n : 0, c->d);
    return info;
}

/* Rotations: 12 flops for each of some n^2 and each column, at a tenth of a product's rate; all vectors: 8/3 n^3 flops
 * in products. */
static int few_columns(const struct call *c)
{
    const double columns = (double)c->ncvt + (double)c->nru + (double)c->ncc; /* any numbers at all */

    return !tw_wants_reproducible() && 32 * columns < (double)c->n && columns > 0 && c->n <= 46340 &&
           tw_max(c->ldvt, tw_max(c->ldu, c->ldc)) <= INT32_MAX;
}

static tw_int straight_bdsqr(const char *routine, enum tw_type type, const struct call *c)
{
    void *work = malloc(4 * (size_t)c->n * tw_sizeof(tw_real_type(type)));
    tw_int info;

    if (!work) return tw_fail(TW_E_MEMORY, "%s: no memory for LAPACK's workspace", routine);
    info = lapack_bdsqr[type](c->uplo, (int)c->n, (int)c->ncvt, (int)c->nru, (int)c->ncc, c->d, c->e, c->vt,
                              (int)c->ldvt, c->u, (int)c->ldu, c->c, (int)c->ldc, work);
    free(work);
    return info;
}

static tw_int solve(const char *routine, enum tw_type type, struct call c)
{
    const tw_int n = c.n, ld = tw_max(c.ldvt, tw_max(c.ldu, c.ldc)), columns = tw_max(c.ncvt, c.ncc);

    ARGUMENT(1, (c.uplo = letter(c.uplo, 'U', 'L')), "neither 'U' nor 'L'");
    SIZE(2, n);
    SIZE(3, c.ncvt);
    SIZE(4, c.nru);
    SIZE(5, c.ncc);
    ARGUMENT(9, c.ldvt >= (c.ncvt > 0 ? tw_max(1, n) : 1), "ldvt < max(1, n)");
    ARGUMENT(11, c.ldu >= tw_max(1, c.nru), "ldu < max(1, nru)");
    ARGUMENT(13, c.ldc >= (c.ncc > 0 ? tw_max(1, n) : 1), "ldc < max(1, n)");
    if (n == 0) return 0;
    ARRAY(6, c.d);
    ARGUMENT(7, c.e || n == 1, "NULL");
    ARGUMENT(8, c.vt || c.ncvt == 0, "NULL");
    ARGUMENT(10, c.u || c.nru == 0, "NULL");
    ARGUMENT(12, c.c || c.ncc == 0, "NULL");
    if (few_columns(&c))
        by_vendor("bdsqr", n);
    else if (!by_lapack(&tw_routine_bdsqr, "bdsqr", 0, type, n, columns, ld, ld))
        return tiles(routine, type, &c);
    if (!reals_finite(type, n, c.d) || !reals_finite(type, n - 1, c.e)) return no_values(type, n, c.d);
    return straight_bdsqr(routine, type, &c);
}

static tw_int bdsqr(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int ncvt, tw_int nru, tw_int ncc,
                    void *d, void *e, void *vt, tw_int ldvt, void *u, tw_int ldu, void *c, tw_int ldc)
{
    return solve(routine, type, (struct call){uplo, n, ncvt, nru, ncc, d, e, vt, u, c, ldvt, ldu, ldc});
}

static tw_int lapacke_bdsqr(const struct tw_lapacke *call, char uplo, tw_int n, tw_int ncvt, tw_int nru, tw_int ncc,
                            void *d, void *e, void *vt, tw_int ldvt, void *u, tw_int ldu, void *c, tw_int ldc)
{
    struct rows Vt = {call->type, n, ncvt, ncvt > 0 ? vt : NULL, NULL, ldvt},
                U = {call->type, nru, n, nru > 0 ? u : NULL, NULL, ldu},
                C = {call->type, n, ncc, ncc > 0 ? c : NULL, NULL, ldc};
    struct call own = {uplo, n, ncvt, nru, ncc, d, e, vt, u, c, ldvt, ldu, ldc};
    tw_int info;

    LAYOUT;
    if (ncc != 0) NOT_NAN(13, nan_general(call, n, ncc, c, ldc));
    NOT_NAN(7, nan_reals(call, n, d));
    NOT_NAN(8, nan_reals(call, n - 1, e));
    if (nru != 0) NOT_NAN(11, nan_general(call, nru, n, u, ldu));
    if (ncvt != 0) NOT_NAN(9, nan_general(call, n, ncvt, vt, ldvt));
    ROW_LD(14, ldc, ncc);
    ROW_LD(12, ldu, n);
    ROW_LD(10, ldvt, ncvt);
    if (!ROWS || n < 0 || ncvt < 0 || nru < 0 || ncc < 0) return leave(call, solve(call->lapack, call->type, own));
    if (rows_begin(&Vt) || rows_begin(&U) || rows_begin(&C)) {
        rows_end(&Vt, 0), rows_end(&U, 0), rows_end(&C, 0);
        return no_memory(call->routine);
    }
    own.vt = Vt.mine, own.u = U.mine, own.c = C.mine;
    own.ldvt = own.ldc = tw_max(1, n), own.ldu = tw_max(1, nru);
    info = solve(call->lapack, call->type, own);
    rows_end(&Vt, info >= 0), rows_end(&U, info >= 0), rows_end(&C, info >= 0);
    return leave(call, info);
}
/* Its workspace has no length. */
static tw_int lapacke_bdsqr_work(const struct tw_lapacke *call, char uplo, tw_int n, tw_int ncvt, tw_int nru,
                                 tw_int ncc, void *d, void *e, void *vt, tw_int ldvt, void *u, tw_int ldu, void *c,
                                 tw_int ldc, void *work)
{
    (void)work;
    return lapacke_bdsqr(call, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc);
}

TW_LAPACK_DOOR(bdsqr, BDSQR, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc)
TW_LAPACKE_CHECKED(bdsqr, BDSQR, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc)
TW_LAPACKE_WORK(bdsqr, BDSQR_WORK, lapacke_bdsqr_work, uplo, n, ncvt, nru, ncc, d, e, vt, ldvt, u, ldu, c, ldc, work)
TW_LAPACK_ROW(bdsqr, TW_LAPACK_WORDS(BDSQR), TW_LAPACKE_WORDS(BDSQR), TW_LAPACKE_WORDS(BDSQR_WORK))
