/* Scalings of positive definite matrices, and those by powers of 2 (poequb), under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/bounds.h"

#define POEQU(T, INT, INTS, R, RS, ...) INT n, const T *a, INT lda, RS *s, RS *scond, RS *amax

TW_LAPACK_ITSELF(poequ, POEQU, n, a, lda, (void *)s, (void *)scond, (void *)amax)
TW_LAPACK_ITSELF(poequb, POEQU, n, a, lda, (void *)s, (void *)scond, (void *)amax)

/* Which of the two. */
struct scalings {
    const struct tw_routine *row;
    int (*by_tiles)(tw_matrix *A, double *s, double *scond, double *amax);
    int (*const *by_lapack)(POEQU(void, int, int32_t, double, void, void, ));
};
static const struct scalings plain = {&tw_routine_poequ, tw_poequ, lapack_poequ},
                             powers = {&tw_routine_poequb, tw_poequb, lapack_poequb};

static tw_int by_tiles(const struct scalings *which, const char *routine, enum tw_type type, tw_int n, const void *a,
                       tw_int lda, void *s, void *scond, void *amax)
{
    double *scale = malloc((size_t)n * sizeof *scale), spread = 0, most = 0;
    struct tw_matrix *A;
    tw_int info;

    if (!scale) return tw_fail(TW_E_MEMORY, "%s: no memory for %lld scalings", routine, (long long)n);
    info = wrap_for(&A, which->row, type, 'G', n, n, 0, a, lda);
    if (!info) info = which->by_tiles(A, scale, &spread, &most);
    if (info >= 0) {
        bounds_out(type, n, scale, s);
        put_real(type, amax, most);
    }
    if (info == 0) put_real(type, scond, spread);
    free(scale);
    return finish(info, A, NULL);
}

static tw_int equilibrate(const struct scalings *which, const char *routine, enum tw_type type, tw_int n, const void *a,
                          tw_int lda, void *s, void *scond, void *amax)
{
    SIZE(1, n);
    LD(3, lda, n);
    ARRAY(5, scond);
    ARRAY(6, amax);
    if (n == 0) {
        put_real(type, scond, 1), put_real(type, amax, 0);
        return 0;
    }
    ARRAY(2, a);
    ARRAY(4, s);
    if (straight(which->row, type, cbrt(6.0 * (double)n), n, 0, lda, 0)) /* a look at the diagonal */
        return which->by_lapack[type]((int)n, a, (int)lda, s, scond, amax);
    return by_tiles(which, routine, type, n, a, lda, s, scond, amax);
}

static tw_int lapacke(const struct scalings *which, const struct tw_lapacke *call, tw_int n, const void *a, tw_int lda,
                      void *s, void *scond, void *amax)
{
    LAYOUT;
    NOT_NAN(3, nan_general(call, n, n, a, lda));
    ROW_LD(4, lda, n);
    if (ROWS && lda < 1) lda = 1;
    return leave(call, equilibrate(which, call->lapack, call->type, n, a, lda, s, scond,
                                   amax)); /* the diagonal is the transpose's */
}

#define ARGUMENTS tw_int n, const void *a, tw_int lda, void *s, void *scond, void *amax
static tw_int poequ(const char *routine, enum tw_type type, ARGUMENTS)
{
    return equilibrate(&plain, routine, type, n, a, lda, s, scond, amax);
}
static tw_int lapacke_poequ(const struct tw_lapacke *call, ARGUMENTS)
{
    return lapacke(&plain, call, n, a, lda, s, scond, amax);
}
static tw_int poequb(const char *routine, enum tw_type type, ARGUMENTS)
{
    return equilibrate(&powers, routine, type, n, a, lda, s, scond, amax);
}
static tw_int lapacke_poequb(const struct tw_lapacke *call, ARGUMENTS)
{
    return lapacke(&powers, call, n, a, lda, s, scond, amax);
}

TW_LAPACK_DOORS(poequ, POEQU, n, a, lda, s, scond, amax)
TW_LAPACK_DOORS(poequb, POEQU, n, a, lda, s, scond, amax)
