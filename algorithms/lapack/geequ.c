/* Scalings of rows and columns under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/bounds.h"
#include "algorithms/lapack/transpose.h"

#define GEEQU(T, INT, INTS, R, RS, ...)                                                                                \
    INT m, INT n, const T *a, INT lda, RS *r, RS *c, RS *rowcnd, RS *colcnd, RS *amax

TW_LAPACK_ITSELF(geequ, GEEQU, m, n, a, lda, (void *)r, (void *)c, (void *)rowcnd, (void *)colcnd, (void *)amax)

static tw_int by_tiles(const char *routine, enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda, void *r,
                       void *c, void *rowcnd, void *colcnd, void *amax)
{
    double *scale = malloc((size_t)(m + n) * sizeof *scale), spread[3];
    struct tw_matrix *A;
    tw_int info;

    if (!scale) return tw_fail(TW_E_MEMORY, "%s: no memory for %lld scalings", routine, (long long)(m + n));
    info = wrap_for(&A, &tw_routine_geequ, type, 'G', m, n, 0, a, lda);
    if (!info) info = tw_geequ(A, scale, scale + m, &spread[0], &spread[1], &spread[2]);
    if (info >= 0) {
        bounds_out(type, m, scale, r);
        put_real(type, amax, spread[2]);
    }
    if (info == 0 || info > m) put_real(type, rowcnd, spread[0]); /* as LAPACK: what is not known stays */
    if (info == 0 || info > m) bounds_out(type, n, scale + m, c);
    if (info == 0) put_real(type, colcnd, spread[1]);
    free(scale);
    return finish(info, A, NULL);
}

static tw_int geequ(const char *routine, enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda, void *r,
                    void *c, void *rowcnd, void *colcnd, void *amax)
{
    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    ARRAY(7, rowcnd);
    ARRAY(8, colcnd);
    ARRAY(9, amax);
    if (m == 0 || n == 0) {
        put_real(type, rowcnd, 1), put_real(type, colcnd, 1), put_real(type, amax, 0);
        return 0;
    }
    ARRAY(3, a);
    ARRAY(5, r);
    ARRAY(6, c);
    if (fits_lapack(&tw_routine_geequ, type, cbrt(9.0 * (double)m * (double)n), n, 0, lda, 0))
        return lapack_geequ[type]((int)m, (int)n, a, (int)lda, r, c, rowcnd, colcnd, amax);
    return by_tiles(routine, type, m, n, a, lda, r, c, rowcnd, colcnd, amax);
}

static tw_int lapacke_geequ(const struct tw_lapacke *call, tw_int m, tw_int n, const void *a, tw_int lda, void *r,
                            void *c, void *rowcnd, void *colcnd, void *amax)
{
    struct rows A = {call->type, m, n, (void *)a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, m, n, a, lda));
    ROW_LD(5, lda, n);
    if (ROWS && rows_begin(&A)) return no_memory(call->routine);
    info =
        geequ(call->lapack, call->type, m, n, ROWS ? A.mine : a, ROWS ? tw_max(1, m) : lda, r, c, rowcnd, colcnd, amax);
    rows_end(&A, 0);
    return leave(call, info);
}

TW_LAPACK_DOORS(geequ, GEEQU, m, n, a, lda, r, c, rowcnd, colcnd, amax)
