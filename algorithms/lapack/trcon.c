/* The condition number of a triangle under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/condition.h"

#define TRCON(T, INT, INTS, R, RS, ...) char norm, char uplo, char diag, INT n, const T *a, INT lda, RS *rcond
#define TRCON_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char norm, char uplo, char diag, INT n, const T *a, INT lda, RS *rcond, T *work, W *more

/* R: real type; MORE: type of the second workspace. */
#define ITSELF(p, R, MORE)                                                                                             \
    static int lapack_##p##trcon(char norm, char uplo, char diag, int n, const void *a, int lda, double *rcond,        \
                                 void *work, void *more)                                                               \
    {                                                                                                                  \
        R r = 0;                                                                                                       \
        int info = LAPACKE_##p##trcon_work(LAPACK_COL_MAJOR, norm, uplo, diag, n, a, lda, &r, work, (MORE *)more);     \
        *rcond = (double)r;                                                                                            \
        return info;                                                                                                   \
    }
ITSELF(s, float, lapack_int)
ITSELF(d, double, lapack_int)
ITSELF(c, float, float)
ITSELF(z, double, double)
static int (*const lapack_trcon[TW_NTYPES])(char, char, char, int, const void *, int, double *, void *,
                                            void *) = {lapack_strcon, lapack_dtrcon, lapack_ctrcon, lapack_ztrcon};

static tw_int estimate(const char *routine, enum tw_type type, char norm, char uplo, char diag, tw_int n, const void *a,
                       tw_int lda, double *rcond)
{
    struct condition_work w;
    struct tw_matrix *A;
    tw_int e;

    NORM(1);
    UPLO(2);
    DIAG(3);
    SIZE(4, n);
    LD(6, lda, n);
    *rcond = n == 0 ? 1 : 0;
    if (n == 0) return 0;
    ARRAY(5, a);
    if (straight(&tw_routine_trcon, type, condition_order(n), n, 0, lda, 0)) {
        if ((e = condition_work_begin(&w, routine, type, n, 3))) return e;
        e = lapack_trcon[type](norm, uplo, diag, (int)n, a, (int)lda, rcond, w.work, w.more);
        condition_work_end(&w);
        return told_condition(e, rcond);
    }
    e = wrap_triangle(&A, &tw_routine_trcon, type, uplo, n, a, lda);
    return finish(e ? e : tw_trcon(norm_of(norm), (enum tw_uplo)uplo, (enum tw_diag)diag, A, rcond), A, NULL);
}

/* rcond: a float or a double, as the type. */
static tw_int trcon(const char *routine, enum tw_type type, char norm, char uplo, char diag, tw_int n, const void *a,
                    tw_int lda, void *rcond)
{
    double value = 0;
    tw_int info;

    ARGUMENT(7, rcond, "NULL");
    info = estimate(routine, type, norm, uplo, diag, n, a, lda, &value);
    put_real(type, rcond, value);
    return info;
}

static tw_int lapacke_trcon(const struct tw_lapacke *call, char norm, char uplo, char diag, tw_int n, const void *a,
                            tw_int lda, void *rcond)
{
    LAYOUT;
    NOT_NAN(6, nan_triangle(call, uplo, diag, n, a, lda));
    if (ROWS) norm = other_norm(norm); /* the array is the transpose */
    TRIANGLE(7);
    return leave(call, trcon(call->lapack, call->type, norm, uplo, diag, n, a, lda, rcond));
}
/* The workspaces are not used. */
static tw_int lapacke_trcon_work(const struct tw_lapacke *call, char norm, char uplo, char diag, tw_int n,
                                 const void *a, tw_int lda, void *rcond, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_trcon(call, norm, uplo, diag, n, a, lda, rcond);
}

TW_LAPACK_DOOR(trcon, TRCON, norm, uplo, diag, n, a, lda, rcond)
TW_LAPACKE_CHECKED(trcon, TRCON, norm, uplo, diag, n, a, lda, rcond)
TW_LAPACKE_WORK(trcon, TRCON_WORK, lapacke_trcon_work, norm, uplo, diag, n, a, lda, rcond, work, more)
TW_LAPACK_ROW(trcon, TW_LAPACK_WORDS(TRCON), TW_LAPACKE_WORDS(TRCON), TW_LAPACKE_WORDS(TRCON_WORK))
