/* The condition number from a Cholesky factor under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/condition.h"

#define POCON(T, INT, INTS, R, RS, ...) char uplo, INT n, const T *a, INT lda, R anorm, RS *rcond
#define POCON_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char uplo, INT n, const T *a, INT lda, R anorm, RS *rcond, T *work, W *more

/* R: real type; MORE: type of the second workspace. */
#define ITSELF(p, R, MORE)                                                                                             \
    static int lapack_##p##pocon(char uplo, int n, const void *a, int lda, double anorm, double *rcond, void *work,    \
                                 void *more)                                                                           \
    {                                                                                                                  \
        R r = 0;                                                                                                       \
        int info = LAPACKE_##p##pocon_work(LAPACK_COL_MAJOR, uplo, n, a, lda, (R)anorm, &r, work, (MORE *)more);       \
        *rcond = r;                                                                                                    \
        return info;                                                                                                   \
    }
ITSELF(s, float, lapack_int)
ITSELF(d, double, lapack_int)
ITSELF(c, float, float)
ITSELF(z, double, double)
static int (*const lapack_pocon[TW_NTYPES])(char, int, const void *, int, double, double *, void *,
                                            void *) = {lapack_spocon, lapack_dpocon, lapack_cpocon, lapack_zpocon};

static tw_int estimate(const char *routine, enum tw_type type, char uplo, tw_int n, const void *a, tw_int lda,
                       double anorm, double *rcond)
{
    struct condition_work w;
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    ARGUMENT(5, anorm >= 0, "negative or NaN");
    *rcond = n == 0 ? 1 : 0;
    if (n == 0 || anorm == 0 || isinf(anorm)) return 0;
    ARRAY(3, a);
    if (straight(&tw_routine_pocon, type, condition_order(n), n, 0, lda, 0)) {
        if ((e = condition_work_begin(&w, routine, type, n, 3))) return e;
        e = lapack_pocon[type](uplo, (int)n, a, (int)lda, anorm, rcond, w.work, w.more);
        condition_work_end(&w);
        return told_condition(e, rcond);
    }
    e = wrap_triangle(&A, &tw_routine_pocon, type, uplo, n, a, lda);
    return finish(e ? e : tw_pocon((enum tw_uplo)uplo, A, anorm, rcond), A, NULL);
}

/* rcond: a float or a double, as the type. */
static tw_int pocon(const char *routine, enum tw_type type, char uplo, tw_int n, const void *a, tw_int lda,
                    double anorm, void *rcond)
{
    double value = 0;
    tw_int info;

    ARGUMENT(6, rcond, "NULL");
    info = estimate(routine, type, uplo, n, a, lda, anorm, &value);
    put_real(type, rcond, value);
    return info;
}

static tw_int lapacke_pocon(const struct tw_lapacke *call, char uplo, tw_int n, const void *a, tw_int lda, double anorm,
                            void *rcond)
{
    LAYOUT;
    NOT_NAN(4, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(6, anorm != anorm);
    TRIANGLE(5);
    return leave(call, pocon(call->lapack, call->type, uplo, n, a, lda, anorm, rcond));
}
/* The workspaces are not used. */
static tw_int lapacke_pocon_work(const struct tw_lapacke *call, char uplo, tw_int n, const void *a, tw_int lda,
                                 double anorm, void *rcond, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_pocon(call, uplo, n, a, lda, anorm, rcond);
}

TW_LAPACK_DOOR(pocon, POCON, uplo, n, a, lda, anorm, rcond)
TW_LAPACKE_CHECKED(pocon, POCON, uplo, n, a, lda, anorm, rcond)
TW_LAPACKE_WORK(pocon, POCON_WORK, lapacke_pocon_work, uplo, n, a, lda, anorm, rcond, work, more)
TW_LAPACK_ROW(pocon, TW_LAPACK_WORDS(POCON), TW_LAPACKE_WORDS(POCON), TW_LAPACKE_WORDS(POCON_WORK))
