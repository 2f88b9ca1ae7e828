/* The condition number from LU factors under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/condition.h"
#include "algorithms/lapack/transpose.h"

#define GECON(T, INT, INTS, R, RS, ...) char norm, INT n, const T *a, INT lda, R anorm, RS *rcond
#define GECON_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char norm, INT n, const T *a, INT lda, R anorm, RS *rcond, T *work, W *more

/* R: real type; MORE: type of the second workspace. */
#define ITSELF(p, R, MORE)                                                                                             \
    static int lapack_##p##gecon(char norm, int n, const void *a, int lda, double anorm, double *rcond, void *work,    \
                                 void *more)                                                                           \
    {                                                                                                                  \
        R r = 0;                                                                                                       \
        int info = LAPACKE_##p##gecon_work(LAPACK_COL_MAJOR, norm, n, a, lda, (R)anorm, &r, work, (MORE *)more);       \
        *rcond = (double)r;                                                                                            \
        return info;                                                                                                   \
    }
ITSELF(s, float, lapack_int)
ITSELF(d, double, lapack_int)
ITSELF(c, float, float)
ITSELF(z, double, double)
static int (*const lapack_gecon[TW_NTYPES])(char, int, const void *, int, double, double *, void *,
                                            void *) = {lapack_sgecon, lapack_dgecon, lapack_cgecon, lapack_zgecon};

static tw_int estimate(const char *routine, enum tw_type type, char norm, tw_int n, const void *a, tw_int lda,
                       double anorm, double *rcond)
{
    struct condition_work w;
    struct tw_matrix *A;
    tw_int e;

    NORM(1);
    SIZE(2, n);
    LD(4, lda, n);
    ARGUMENT(5, anorm >= 0, "negative or NaN");
    *rcond = n == 0 ? 1 : 0;
    if (n == 0 || anorm == 0 || isinf(anorm)) return 0;
    ARRAY(3, a);
    if (straight(&tw_routine_gecon, type, condition_order(n), n, 0, lda, 0)) {
        if ((e = condition_work_begin(&w, routine, type, n, 4))) return e;
        e = lapack_gecon[type](norm, (int)n, a, (int)lda, anorm, rcond, w.work, w.more);
        condition_work_end(&w);
        return told_condition(e, rcond);
    }
    e = wrap_for(&A, &tw_routine_gecon, type, 'G', n, n, 0, a, lda);
    return finish(e ? e : tw_gecon(norm_of(norm), A, anorm, rcond), A, NULL);
}

/* rcond: a float or a double, as the type. */
static tw_int gecon(const char *routine, enum tw_type type, char norm, tw_int n, const void *a, tw_int lda,
                    double anorm, void *rcond)
{
    double value = 0;
    tw_int info;

    ARGUMENT(6, rcond, "NULL");
    info = estimate(routine, type, norm, n, a, lda, anorm, &value);
    put_real(type, rcond, value);
    return info;
}

static tw_int lapacke_gecon(const struct tw_lapacke *call, char norm, tw_int n, const void *a, tw_int lda, double anorm,
                            void *rcond)
{
    struct rows A = {call->type, n, n, (void *)a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, n, n, a, lda));
    NOT_NAN(6, anorm != anorm);
    ROW_LD(5, lda, n);
    if (ROWS && rows_begin(&A)) return no_memory(call->routine);
    info = gecon(call->lapack, call->type, norm, n, ROWS ? A.mine : a, ROWS ? tw_max(1, n) : lda, anorm, rcond);
    rows_end(&A, 0);
    return leave(call, info);
}
/* The workspaces are not used. */
static tw_int lapacke_gecon_work(const struct tw_lapacke *call, char norm, tw_int n, const void *a, tw_int lda,
                                 double anorm, void *rcond, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_gecon(call, norm, n, a, lda, anorm, rcond);
}

TW_LAPACK_DOOR(gecon, GECON, norm, n, a, lda, anorm, rcond)
TW_LAPACKE_CHECKED(gecon, GECON, norm, n, a, lda, anorm, rcond)
TW_LAPACKE_WORK(gecon, GECON_WORK, lapacke_gecon_work, norm, n, a, lda, anorm, rcond, work, more)
TW_LAPACK_ROW(gecon, TW_LAPACK_WORDS(GECON), TW_LAPACKE_WORDS(GECON), TW_LAPACKE_WORDS(GECON_WORK))
