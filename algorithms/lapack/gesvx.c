/* The expert driver of general systems under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/expert.h"
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/transpose.h"

#define GESVX(T, INT, INTS, R, RS, ...)                                                                                \
    char fact, char trans, INT n, INT nrhs, T *a, INT lda, T *af, INT ldaf, INTS *ipiv, char *equed, RS *r, RS *c,     \
        T *b, INT ldb, T *x, INT ldx, RS *rcond, RS *ferr, RS *berr, RS *rpivot
#define GESVX_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char fact, char trans, INT n, INT nrhs, T *a, INT lda, T *af, INT ldaf, INTS *ipiv, char *equed, RS *r, RS *c,     \
        T *b, INT ldb, T *x, INT ldx, RS *rcond, RS *ferr, RS *berr, T *work, W *more
TW_LAPACK_ITSELF(gesvx, GESVX_WORK, fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, (void *)r, (void *)c, b, ldb,
                 x, ldx, (void *)rcond, (void *)ferr, (void *)berr, work, more)

/* A call's arguments; real numbers are floats or doubles, as the type. */
struct system {
    const char *routine;
    enum tw_type type;
    char fact, trans;
    tw_int n, nrhs;
    void *a;
    tw_int lda;
    void *af;
    tw_int ldaf;
    tw_int *ipiv;
    char *equed;
    void *r, *c, *b;
    tw_int ldb;
    void *x;
    tw_int ldx;
    void *rcond, *ferr, *berr, *rpivot;
};

static tw_int straight_gesvx(const struct system *s)
{
    struct condition_work w;
    struct tw_pivots p;
    tw_int info = tw_pivots_begin(&p, s->routine, s->n);

    if (info) return info;
    if (s->fact == 'F') tw_pivots_from_user(s->n, s->ipiv, p.at);
    if (!(info = condition_work_begin(&w, s->routine, s->type, s->n, 4))) {
        info = lapack_gesvx[s->type](s->fact, s->trans, (int)s->n, (int)s->nrhs, s->a, (int)s->lda, s->af, (int)s->ldaf,
                                     p.at, s->equed, s->r, s->c, s->b, (int)s->ldb, s->x, (int)s->ldx, s->rcond,
                                     s->ferr, s->berr, w.work, w.more);
        put_real(s->type, s->rpivot, get_real(s->type, tw_is_complex(s->type) ? w.more : w.work, 0));
        if (info >= 0 && s->fact != 'F') tw_pivots_to_user(s->n, p.at, s->ipiv);
        condition_work_end(&w);
        info = told_expert(info, s->type, s->n, s->rcond);
    }
    tw_pivots_end(&p);
    return info;
}

static int by_rows(const struct system *s)
{
    return *s->equed == 'R' || *s->equed == 'B';
}
static int by_columns(const struct system *s)
{
    return *s->equed == 'C' || *s->equed == 'B';
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

/* What the matrix door has as doubles. */
struct numbers {
    double *r, *c, rcond, rpivot;
    struct bounds e;
};

static tw_int solve(const struct system *s, struct numbers *v)
{
    struct tw_matrix *A = NULL, *B = NULL;
    struct tw_lu_tiles t;
    struct tw_pivots p;
    int equed = *s->equed;
    const int none = s->nrhs == 0; /* an address for matrices of no columns */
    tw_int info = tw_lu_wrap(&t, &tw_routine_gesv, s->type, s->n, s->n, s->af, s->ldaf, s->nrhs, none ? s->af : s->x,
                             none ? s->ldaf : s->ldx);

    if (!info) info = tw_matrix_wrap(&A, s->type, TW_GENERAL, s->n, s->n, s->a, s->lda, tw_matrix_nb(t.A));
    if (!info && s->fact == 'F' && !(info = tw_pivots_begin(&p, s->routine, s->n))) {
        tw_pivots_from_user(s->n, s->ipiv, p.at);
        info = tw_matrix_set_lapack(t.ipiv, p.at, s->n);
        tw_pivots_end(&p);
    }
    if (!info)
        info = tw_matrix_wrap(&B, s->type, TW_GENERAL, s->n, s->nrhs, none ? s->a : s->b, none ? s->lda : s->ldb,
                              tw_matrix_nb(t.A));
    if (!info)
        info = tw_gesvx((enum tw_fact)s->fact, (enum tw_trans)s->trans, A, t.A, t.ipiv, &equed, v->r, v->c, B, t.B,
                        &v->rcond, v->e.ferr, v->e.berr, &v->rpivot, NULL);
    *s->equed = (char)equed;
    info = finish(info, A, B);
    return tw_lu_leave(s->routine, info, &t, s->n, s->fact == 'F' ? NULL : s->ipiv);
}

static tw_int by_tiles(const struct system *s)
{
    const int given = s->fact == 'F', scaled = s->fact == 'E';
    double *scale = calloc(2 * (size_t)s->n, sizeof *scale);
    struct numbers v = {scale, scale ? scale + s->n : NULL, 0, 0, {NULL, NULL}};
    tw_int info = scale ? bounds_begin(&v.e, s->routine, s->nrhs)
                        : tw_fail(TW_E_MEMORY, "%s: no memory for %lld scalings", s->routine, (long long)(2 * s->n));

    if (!info) {
        if (given && by_rows(s)) scalings_in(s->type, s->n, s->r, v.r);
        if (given && by_columns(s)) scalings_in(s->type, s->n, s->c, v.c);
        info = solve(s, &v);
    }
    if (info >= 0) {
        put_real(s->type, s->rcond, v.rcond);
        put_real(s->type, s->rpivot, v.rpivot);
        if (scaled) bounds_out(s->type, s->n, v.r, s->r);
        if (scaled) bounds_out(s->type, s->n, v.c, s->c);
    }
    (void)bounds_end(&v.e, info == 0 || info == s->n + 1 ? 0 : -1, s->type, s->nrhs, s->ferr, s->berr);
    free(scale);
    return info;
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

/* LAPACK's checks in LAPACK's order. */
static tw_int checked(struct system *s)
{
    const char *routine = s->routine;
    const tw_int n = s->n, lda = s->lda, ldaf = s->ldaf, ldb = s->ldb, ldx = s->ldx;
    char trans = s->trans;

    ARGUMENT(1, (s->fact = (char)(letter(s->fact, 'N', 'E') | letter(s->fact, 'F', 'F'))), "not 'N', 'E' or 'F'");
    TRANS(2);
    s->trans = trans;
    SIZE(3, n);
    SIZE(4, s->nrhs);
    LD(6, lda, n);
    LD(8, ldaf, n);
    ARGUMENT(10, s->equed, "NULL");
    if (s->fact != 'F') *s->equed = 'N';
    *s->equed = upper_case(*s->equed);
    ARGUMENT(10, *s->equed == 'N' || by_rows(s) || by_columns(s), "not 'N', 'R', 'C' or 'B'");
    ARGUMENT(11, !by_rows(s) || (s->r && all_positive(s->type, s->r, n)), "a scaling is not positive, or NULL");
    ARGUMENT(12, !by_columns(s) || (s->c && all_positive(s->type, s->c, n)), "a scaling is not positive, or NULL");
    LD(14, ldb, n);
    LD(16, ldx, n);
    ARGUMENT(17, s->rcond, "NULL");
    if (s->nrhs > 0) {
        ARRAY(18, s->ferr);
        ARRAY(19, s->berr);
    }
    ARGUMENT(20, s->rpivot, "NULL");
    return 0;
}

static tw_int run(struct system *s)
{
    const char *routine = s->routine;
    const double n = (double)s->n;
    const tw_int e = checked(s);

    if (e) return e;
    if (s->n == 0) {
        put_real(s->type, s->rcond, 1), put_real(s->type, s->rpivot, 1);
        return s->nrhs > 0 ? bounds_of_nothing(s->type, s->nrhs, s->ferr, s->berr) : 0;
    }
    ARRAY(5, s->a);
    ARRAY(7, s->af);
    ARRAY(9, s->ipiv);
    if (s->fact == 'E') ARRAY(11, s->r);
    if (s->fact == 'E') ARRAY(12, s->c);
    if (s->nrhs > 0) {
        ARRAY(13, s->b);
        ARRAY(15, s->x);
    }
    if (fits_lapack(&tw_routine_gesv, s->type, cbrt(n * n * (2 * n + 60 * (double)s->nrhs)), s->n, s->nrhs,
                    tw_max(s->lda, s->ldaf), tw_max(s->ldb, s->ldx))) {
        by_vendor("gesvx", s->n);
        return straight_gesvx(s);
    }
    return by_tiles(s);
}

static tw_int gesvx(const char *routine, enum tw_type type, char fact, char trans, tw_int n, tw_int nrhs, void *a,
                    tw_int lda, void *af, tw_int ldaf, tw_int *ipiv, char *equed, void *r, void *c, void *b, tw_int ldb,
                    void *x, tw_int ldx, void *rcond, void *ferr, void *berr, void *rpivot)
{
    struct system s = {routine, type, fact, trans, n,   nrhs, a,   lda,   af,   ldaf, ipiv,
                       equed,   r,    c,    b,     ldb, x,    ldx, rcond, ferr, berr, rpivot};
    return run(&s);
}

static tw_int lapacke_gesvx(const struct tw_lapacke *call, char fact, char trans, tw_int n, tw_int nrhs, void *a,
                            tw_int lda, void *af, tw_int ldaf, void *ipiv, char *equed, void *r, void *c, void *b,
                            tw_int ldb, void *x, tw_int ldx, void *rcond, void *ferr, void *berr, void *rpivot)
{
    const enum tw_type t = call->type;
    const int given = fact == 'F' || fact == 'f';
    const tw_int ld = tw_max(1, n);
    struct rows A = {t, n, n, a, NULL, lda}, F = {t, n, n, af, NULL, ldaf}, B = {t, n, nrhs, b, NULL, ldb},
                X = {t, n, nrhs, x, NULL, ldx};
    tw_int *piv, info;

    LAYOUT;
    NOT_NAN(6, nan_general(call, n, n, a, lda));
    NOT_NAN(8, given && nan_general(call, n, n, af, ldaf));
    NOT_NAN(14, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(7, lda, n);
    ROW_LD(9, ldaf, n);
    ROW_LD(15, ldb, nrhs);
    ROW_LD(17, ldx, nrhs);
    if (!(piv = tw_pivots_room(n)) ||
        (ROWS && (rows_begin(&A) || rows_begin(&F) || rows_begin(&B) || rows_begin(&X)))) {
        rows_end(&A, 0), rows_end(&F, 0), rows_end(&B, 0), free(piv);
        return no_memory(call->routine);
    }
    if (given && ipiv && (ROWS || (lda >= n && ldaf >= n))) tw_pivots_in(call, n, ipiv, piv);
    info = gesvx(call->lapack, t, fact, trans, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda, ROWS ? F.mine : af,
                 ROWS ? ld : ldaf, ipiv ? piv : NULL, equed, r, c, ROWS ? B.mine : b, ROWS ? ld : ldb,
                 ROWS ? X.mine : x, ROWS ? ld : ldx, rcond, ferr, berr, rpivot);
    if (info >= 0 && !given) tw_pivots_out(call, n, piv, ipiv);
    rows_end(&A, info >= 0), rows_end(&F, info >= 0 && !given), rows_end(&B, info >= 0);
    rows_end(&X, info == 0 || info == n + 1), free(piv);
    return leave(call, info);
}
/* The workspaces are not used but for what LAPACK returns in their first element. */
static tw_int lapacke_gesvx_work(const struct tw_lapacke *call, char fact, char trans, tw_int n, tw_int nrhs, void *a,
                                 tw_int lda, void *af, tw_int ldaf, void *ipiv, char *equed, void *r, void *c, void *b,
                                 tw_int ldb, void *x, tw_int ldx, void *rcond, void *ferr, void *berr, void *work,
                                 void *more)
{
    return lapacke_gesvx(call, fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, ldb, x, ldx, rcond, ferr,
                         berr, tw_is_complex(call->type) ? more : work);
}

TW_LAPACK_DOOR(gesvx, GESVX, fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, ldb, x, ldx, rcond, ferr,
               berr, rpivot)
TW_LAPACKE_CHECKED(gesvx, GESVX, fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, ldb, x, ldx, rcond, ferr,
                   berr, rpivot)
TW_LAPACKE_WORK(gesvx, GESVX_WORK, lapacke_gesvx_work, fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b,
                ldb, x, ldx, rcond, ferr, berr, work, more)
TW_LAPACK_ROW(gesvx, TW_LAPACK_WORDS(GESVX), TW_LAPACKE_WORDS(GESVX), TW_LAPACKE_WORDS(GESVX_WORK))
