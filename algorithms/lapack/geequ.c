/* Scalings of rows and columns, and those by powers of 2 (geequb), under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/bounds.h"
#include "algorithms/lapack/transpose.h"

#define GEEQU(T, INT, INTS, R, RS, ...)                                                                                \
    INT m, INT n, const T *a, INT lda, RS *r, RS *c, RS *rowcnd, RS *colcnd, RS *amax

TW_LAPACK_ITSELF(geequ, GEEQU, m, n, a, lda, (void *)r, (void *)c, (void *)rowcnd, (void *)colcnd, (void *)amax)
TW_LAPACK_ITSELF(geequb, GEEQU, m, n, a, lda, (void *)r, (void *)c, (void *)rowcnd, (void *)colcnd, (void *)amax)

/* Which of the two. */
struct scalings {
    const struct tw_routine *row;
    int (*by_tiles)(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax);
    int (*const *by_lapack)(GEEQU(void, int, int32_t, double, void, void, ));
};
static const struct scalings plain = {&tw_routine_geequ, tw_geequ, lapack_geequ},
                             powers = {&tw_routine_geequb, tw_geequb, lapack_geequb};

static tw_int by_tiles(const struct scalings *s, const char *routine, enum tw_type type, tw_int m, tw_int n,
                       const void *a, tw_int lda, void *r, void *c, void *rowcnd, void *colcnd, void *amax)
{
    double *scale = malloc((size_t)(m + n) * sizeof *scale), spread[3];
    struct tw_matrix *A;
    tw_int info;

    if (!scale) return tw_fail(TW_E_MEMORY, "%s: no memory for %lld scalings", routine, (long long)(m + n));
    info = wrap_for(&A, s->row, type, 'G', m, n, 0, a, lda);
    if (!info) info = s->by_tiles(A, scale, scale + m, &spread[0], &spread[1], &spread[2]);
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

static tw_int equilibrate(const struct scalings *s, const char *routine, enum tw_type type, tw_int m, tw_int n,
                          const void *a, tw_int lda, void *r, void *c, void *rowcnd, void *colcnd, void *amax)
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
    if (straight(s->row, type, cbrt(9.0 * (double)m * (double)n), n, 0, lda, 0))
        return s->by_lapack[type]((int)m, (int)n, a, (int)lda, r, c, rowcnd, colcnd, amax);
    return by_tiles(s, routine, type, m, n, a, lda, r, c, rowcnd, colcnd, amax);
}

static tw_int lapacke(const struct scalings *s, const struct tw_lapacke *call, tw_int m, tw_int n, const void *a,
                      tw_int lda, void *r, void *c, void *rowcnd, void *colcnd, void *amax)
{
    struct rows A = {call->type, m, n, (void *)a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, m, n, a, lda));
    ROW_LD(5, lda, n);
    if (ROWS && rows_begin(&A)) return no_memory(call->routine);
    info = equilibrate(s, call->lapack, call->type, m, n, ROWS ? A.mine : a, ROWS ? tw_max(1, m) : lda, r, c, rowcnd,
                       colcnd, amax);
    rows_end(&A, 0);
    return leave(call, info);
}

#define ARGUMENTS                                                                                                      \
    tw_int m, tw_int n, const void *a, tw_int lda, void *r, void *c, void *rowcnd, void *colcnd, void *amax
static tw_int geequ(const char *routine, enum tw_type type, ARGUMENTS)
{
    return equilibrate(&plain, routine, type, m, n, a, lda, r, c, rowcnd, colcnd, amax);
}
static tw_int lapacke_geequ(const struct tw_lapacke *call, ARGUMENTS)
{
    return lapacke(&plain, call, m, n, a, lda, r, c, rowcnd, colcnd, amax);
}
static tw_int geequb(const char *routine, enum tw_type type, ARGUMENTS)
{
    return equilibrate(&powers, routine, type, m, n, a, lda, r, c, rowcnd, colcnd, amax);
}
static tw_int lapacke_geequb(const struct tw_lapacke *call, ARGUMENTS)
{
    return lapacke(&powers, call, m, n, a, lda, r, c, rowcnd, colcnd, amax);
}

TW_LAPACK_DOORS(geequ, GEEQU, m, n, a, lda, r, c, rowcnd, colcnd, amax)
TW_LAPACK_DOORS(geequb, GEEQU, m, n, a, lda, r, c, rowcnd, colcnd, amax)
