/* QR with column pivoting up to a rank under LAPACK 3.12's names; that LAPACKE has none, and Debian's LAPACK is older:
 * always by tiles. And in that manner with columns from a random sketch. */
#include "algorithms/lapack/condition.h"
#include "algorithms/lapack/qr.h"

#define GEQP3RK(T, INT, INTS, R, RS, ...)                                                                              \
    INT m, INT n, INT nrhs, INT kmax, R abstol, R reltol, T *a, INT lda, INTS *k, RS *maxc2nrmk, RS *relmaxc2nrmk,     \
        INTS *jpiv, T *tau

/* The columns behind the n-th: C = Q^H C, with the k reflectors that there are. */
static tw_int take_along(enum tw_type type, tw_int m, tw_int nrhs, tw_int k, const void *a, tw_int lda, const void *tau,
                         void *c)
{
    struct tw_matrix *A, *t, *C = NULL;
    tw_int info;

    if (nrhs == 0 || k == 0) return 0;
    info = wrap_factors(&A, &t, &tw_routine_unmqr, type, m, k, a, lda, k, tau);
    if (!info) info = tw_matrix_wrap(&C, type, TW_GENERAL, m, nrhs, c, lda, tw_matrix_nb(A));
    if (!info) info = tw_unmqr(TW_LEFT, TW_CONJTRANS, A, t, C);
    return finish(finish(info, A, t), C, NULL);
}

/* The routine, and its matrix door. */
struct method {
    const struct tw_routine *row;
    int (*run)(tw_matrix *, tw_int, double, double, tw_int *, double *, double *, tw_int *, tw_matrix *);
};

/* maxc2nrmk, relmaxc2nrmk: floats or doubles, as the type. */
static tw_int factor(const struct method *by, const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nrhs,
                     tw_int kmax, double abstol, double reltol, void *a, tw_int lda, tw_int *k, void *maxc2nrmk,
                     void *relmaxc2nrmk, tw_int *jpiv, void *tau)
{
    struct tw_matrix *A, *t;
    double left = 0, of_all = 0;
    tw_int info = 0, e;

    SIZE(1, m);
    SIZE(2, n);
    SIZE(3, nrhs);
    SIZE(4, kmax);
    ARGUMENT(5, !isnan(abstol), "NaN");
    ARGUMENT(6, !isnan(reltol), "NaN");
    LD(8, lda, m);
    ARRAY(9, k);
    ARRAY(10, maxc2nrmk);
    ARRAY(11, relmaxc2nrmk);
    *k = 0;
    if (m > 0 && n > 0) {
        ARRAY(7, a);
        ARRAY(12, jpiv);
        ARRAY(13, tau);
        info = wrap_factors(&A, &t, by->row, type, m, n, a, lda, tw_min(m, n), tau);
        if (!info) info = by->run(A, kmax, abstol, reltol, k, &left, &of_all, jpiv, t);
        info = finish(info, A, t);
    }
    put_real(type, maxc2nrmk, left);
    put_real(type, relmaxc2nrmk, of_all);
    if (info < 0 || m == 0 || n == 0) return info;
    e = take_along(type, m, nrhs, *k, a, lda, tau, (char *)a + (size_t)(n * lda) * tw_sizeof(type));
    return e ? e : info;
}

static tw_int geqp3rk(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nrhs, tw_int kmax,
                      double abstol, double reltol, void *a, tw_int lda, tw_int *k, void *maxc2nrmk, void *relmaxc2nrmk,
                      tw_int *jpiv, void *tau)
{
    return factor(&(struct method){&tw_routine_geqp3rk, tw_geqp3rk}, routine, type, m, n, nrhs, kmax, abstol, reltol, a,
                  lda, k, maxc2nrmk, relmaxc2nrmk, jpiv, tau);
}
static tw_int geqp3rk_random(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int nrhs, tw_int kmax,
                             double abstol, double reltol, void *a, tw_int lda, tw_int *k, void *maxc2nrmk,
                             void *relmaxc2nrmk, tw_int *jpiv, void *tau)
{
    return factor(&(struct method){&tw_routine_geqp3rk_random, tw_geqp3rk_random}, routine, type, m, n, nrhs, kmax,
                  abstol, reltol, a, lda, k, maxc2nrmk, relmaxc2nrmk, jpiv, tau);
}

TW_LAPACK_DOOR(geqp3rk, GEQP3RK, m, n, nrhs, kmax, abstol, reltol, a, lda, k, maxc2nrmk, relmaxc2nrmk, jpiv, tau)
TW_LAPACK_ROW(geqp3rk, TW_LAPACK_WORDS(GEQP3RK), NULL, NULL)
TW_LAPACK_DOOR(geqp3rk_random, GEQP3RK, m, n, nrhs, kmax, abstol, reltol, a, lda, k, maxc2nrmk, relmaxc2nrmk, jpiv, tau)
TW_LAPACK_ROW(geqp3rk_random, TW_LAPACK_WORDS(GEQP3RK), NULL, NULL)
