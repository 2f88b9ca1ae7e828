/* The expert driver of positive definite systems under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/expert.h"
#include "algorithms/lapack/transpose.h"

#define POSVX(T, INT, INTS, R, RS, ...)                                                                                \
    char fact, char uplo, INT n, INT nrhs, T *a, INT lda, T *af, INT ldaf, char *equed, RS *s, T *b, INT ldb, T *x,    \
        INT ldx, RS *rcond, RS *ferr, RS *berr
#define POSVX_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char fact, char uplo, INT n, INT nrhs, T *a, INT lda, T *af, INT ldaf, char *equed, RS *s, T *b, INT ldb, T *x,    \
        INT ldx, RS *rcond, RS *ferr, RS *berr, T *work, W *more
TW_LAPACK_ITSELF(posvx, POSVX_WORK, fact, uplo, n, nrhs, a, lda, af, ldaf, equed, (void *)s, b, ldb, x, ldx,
                 (void *)rcond, (void *)ferr, (void *)berr, work, more)

/* A call's arguments; real numbers are floats or doubles, as the type. */
struct system {
    const char *routine;
    enum tw_type type;
    char fact, uplo;
    tw_int n, nrhs;
    void *a;
    tw_int lda;
    void *af;
    tw_int ldaf;
    char *equed;
    void *s, *b;
    tw_int ldb;
    void *x;
    tw_int ldx;
    void *rcond, *ferr, *berr;
};

static tw_int straight_posvx(const struct system *p)
{
    struct condition_work w;
    tw_int info = condition_work_begin(&w, p->routine, p->type, p->n, 3);

    if (info) return info;
    info = lapack_posvx[p->type](p->fact, p->uplo, (int)p->n, (int)p->nrhs, p->a, (int)p->lda, p->af, (int)p->ldaf,
                                 p->equed, p->s, p->b, (int)p->ldb, p->x, (int)p->ldx, p->rcond, p->ferr, p->berr,
                                 w.work, w.more);
    condition_work_end(&w);
    return told_expert(info, p->type, p->n, p->rcond);
}

/* What the matrix door has as doubles. */
struct numbers {
    double *s, rcond;
    struct bounds e;
};

static tw_int solve(const struct system *p, struct numbers *v)
{
    const enum tw_uplo uplo = (enum tw_uplo)p->uplo;
    struct tw_matrix *A = NULL, *F = NULL, *B = NULL, *X = NULL;
    int equed = *p->equed;
    const int none = p->nrhs == 0; /* an address for matrices of no columns */
    tw_int info = wrap_triangle(&F, &tw_routine_posv, p->type, p->uplo, p->n, p->af, p->ldaf), nb;

    nb = info ? 0 : tw_matrix_nb(F);
    if (!info) info = tw_matrix_wrap(&A, p->type, uplo, p->n, p->n, p->a, p->lda, nb);
    if (!info)
        info = tw_matrix_wrap(&B, p->type, TW_GENERAL, p->n, p->nrhs, none ? p->a : p->b, none ? p->lda : p->ldb, nb);
    if (!info)
        info = tw_matrix_wrap(&X, p->type, TW_GENERAL, p->n, p->nrhs, none ? p->af : p->x, none ? p->ldaf : p->ldx, nb);
    if (!info)
        info = tw_posvx((enum tw_fact)p->fact, uplo, A, F, &equed, v->s, B, X, &v->rcond, v->e.ferr, v->e.berr, NULL);
    *p->equed = (char)equed;
    return finish(finish(info, A, F), B, X);
}

static tw_int by_tiles(const struct system *p)
{
    struct numbers v = {calloc((size_t)p->n, sizeof *v.s), 0, {NULL, NULL}};
    tw_int info = v.s ? bounds_begin(&v.e, p->routine, p->nrhs)
                      : tw_fail(TW_E_MEMORY, "%s: no memory for %lld scalings", p->routine, (long long)p->n);

    if (!info) {
        if (p->fact == 'F' && *p->equed == 'Y') scalings_in(p->type, p->n, p->s, v.s);
        info = solve(p, &v);
    }
    if (info >= 0) put_real(p->type, p->rcond, v.rcond);
    if (info >= 0 && p->fact == 'E') bounds_out(p->type, p->n, v.s, p->s);
    (void)bounds_end(&v.e, info == 0 || info == p->n + 1 ? 0 : -1, p->type, p->nrhs, p->ferr, p->berr);
    free(v.s);
    return info;
}

/* LAPACK's checks in LAPACK's order. */
static tw_int checked(struct system *p)
{
    const char *routine = p->routine;
    const tw_int n = p->n, lda = p->lda, ldaf = p->ldaf, ldb = p->ldb, ldx = p->ldx;
    char uplo = p->uplo;

    ARGUMENT(1, (p->fact = (char)(letter(p->fact, 'N', 'E') | letter(p->fact, 'F', 'F'))), "not 'N', 'E' or 'F'");
    UPLO(2);
    p->uplo = uplo;
    SIZE(3, n);
    SIZE(4, p->nrhs);
    LD(6, lda, n);
    LD(8, ldaf, n);
    ARGUMENT(9, p->equed, "NULL");
    if (p->fact != 'F') *p->equed = 'N';
    *p->equed = upper_case(*p->equed);
    ARGUMENT(9, *p->equed == 'N' || *p->equed == 'Y', "neither 'N' nor 'Y'");
    ARGUMENT(10, *p->equed == 'N' || (p->s && all_positive(p->type, p->s, n)), "a scaling is not positive, or NULL");
    LD(12, ldb, n);
    LD(14, ldx, n);
    ARGUMENT(15, p->rcond, "NULL");
    if (p->nrhs > 0) {
        ARRAY(16, p->ferr);
        ARRAY(17, p->berr);
    }
    return 0;
}

static tw_int run(struct system *p)
{
    const char *routine = p->routine;
    const double n = (double)p->n;
    const tw_int e = checked(p);

    if (e) return e;
    if (p->n == 0) {
        put_real(p->type, p->rcond, 1);
        return p->nrhs > 0 ? bounds_of_nothing(p->type, p->nrhs, p->ferr, p->berr) : 0;
    }
    ARRAY(5, p->a);
    ARRAY(7, p->af);
    if (p->fact == 'E') ARRAY(10, p->s);
    if (p->nrhs > 0) {
        ARRAY(11, p->b);
        ARRAY(13, p->x);
    }
    if (fits_lapack(&tw_routine_posv, p->type, cbrt(n * n * (n + 60 * (double)p->nrhs)), p->n, p->nrhs,
                    tw_max(p->lda, p->ldaf), tw_max(p->ldb, p->ldx))) {
        by_vendor("posvx", p->n);
        return straight_posvx(p);
    }
    return by_tiles(p);
}

static tw_int posvx(const char *routine, enum tw_type type, char fact, char uplo, tw_int n, tw_int nrhs, void *a,
                    tw_int lda, void *af, tw_int ldaf, char *equed, void *s, void *b, tw_int ldb, void *x, tw_int ldx,
                    void *rcond, void *ferr, void *berr)
{
    struct system p = {routine, type, fact, uplo, n, nrhs, a,     lda,  af,  ldaf,
                       equed,   s,    b,    ldb,  x, ldx,  rcond, ferr, berr};
    return run(&p);
}

static tw_int lapacke_posvx(const struct tw_lapacke *call, char fact, char uplo, tw_int n, tw_int nrhs, void *a,
                            tw_int lda, void *af, tw_int ldaf, char *equed, void *s, void *b, tw_int ldb, void *x,
                            tw_int ldx, void *rcond, void *ferr, void *berr)
{
    const enum tw_type t = call->type;
    const int given = fact == 'F' || fact == 'f';
    const tw_int ld = tw_max(1, n);
    struct rows A = {t, n, n, a, NULL, lda}, F = {t, n, n, af, NULL, ldaf}, B = {t, n, nrhs, b, NULL, ldb},
                X = {t, n, nrhs, x, NULL, ldx};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(8, given && nan_triangle(call, uplo, 'N', n, af, ldaf));
    NOT_NAN(12, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(7, lda, n);
    ROW_LD(9, ldaf, n);
    ROW_LD(13, ldb, nrhs);
    ROW_LD(15, ldx, nrhs);
    if (ROWS && (rows_begin(&A) || rows_begin(&F) || rows_begin(&B) || rows_begin(&X))) {
        rows_end(&A, 0), rows_end(&F, 0), rows_end(&B, 0);
        return no_memory(call->routine);
    }
    info = posvx(call->lapack, t, fact, uplo, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda, ROWS ? F.mine : af,
                 ROWS ? ld : ldaf, equed, s, ROWS ? B.mine : b, ROWS ? ld : ldb, ROWS ? X.mine : x, ROWS ? ld : ldx,
                 rcond, ferr, berr);
    rows_end(&A, info >= 0), rows_end(&F, info >= 0 && !given), rows_end(&B, info >= 0);
    rows_end(&X, info == 0 || info == n + 1);
    return leave(call, info);
}
/* The workspaces are not used. */
static tw_int lapacke_posvx_work(const struct tw_lapacke *call, char fact, char uplo, tw_int n, tw_int nrhs, void *a,
                                 tw_int lda, void *af, tw_int ldaf, char *equed, void *s, void *b, tw_int ldb, void *x,
                                 tw_int ldx, void *rcond, void *ferr, void *berr, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_posvx(call, fact, uplo, n, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, ldx, rcond, ferr, berr);
}

TW_LAPACK_DOOR(posvx, POSVX, fact, uplo, n, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, ldx, rcond, ferr, berr)
TW_LAPACKE_CHECKED(posvx, POSVX, fact, uplo, n, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, ldx, rcond, ferr, berr)
TW_LAPACKE_WORK(posvx, POSVX_WORK, lapacke_posvx_work, fact, uplo, n, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, ldx,
                rcond, ferr, berr, work, more)
TW_LAPACK_ROW(posvx, TW_LAPACK_WORDS(POSVX), TW_LAPACKE_WORDS(POSVX), TW_LAPACKE_WORDS(POSVX_WORK))
