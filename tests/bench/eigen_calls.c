/* The contest of eigenvalues: LAPACK's routines and Tilework's under LAPACK's names, by type. */
#include <lapacke.h>
#include <tilework/lapack.h>

#include "bench/eigen.h"

/* name(arguments) of LAPACKE's real or complex routine. */
#define LAPACKE(p, sy, he, ...)                                                                                        \
    ((p)->type == TW_FLOAT           ? LAPACKE_s##sy(LAPACK_COL_MAJOR, __VA_ARGS__)                                    \
     : (p)->type == TW_DOUBLE        ? LAPACKE_d##sy(LAPACK_COL_MAJOR, __VA_ARGS__)                                    \
     : (p)->type == TW_COMPLEX_FLOAT ? LAPACKE_c##he(LAPACK_COL_MAJOR, __VA_ARGS__)                                    \
                                     : LAPACKE_z##he(LAPACK_COL_MAJOR, __VA_ARGS__))
#define TILEWORK(p, sy, he, ...)                                                                                       \
    ((p)->type == TW_FLOAT           ? tw_s##sy(__VA_ARGS__)                                                           \
     : (p)->type == TW_DOUBLE        ? tw_d##sy(__VA_ARGS__)                                                           \
     : (p)->type == TW_COMPLEX_FLOAT ? tw_c##he(__VA_ARGS__)                                                           \
                                     : tw_z##he(__VA_ARGS__))

/* Real matrices' eigenvalues are their real and then their imaginary parts. */
static int lapack_geev(const struct eigen_problem *p, const struct eigen_place *at)
{
    const int n = (int)p->n;
    const char job = p->vectors ? 'V' : 'N';

    switch (p->type) {
    case TW_FLOAT:
        return LAPACKE_sgeev(LAPACK_COL_MAJOR, 'N', job, n, at->a, n, at->w, (float *)at->w + n, NULL, n, at->z, n);
    case TW_DOUBLE:
        return LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', job, n, at->a, n, at->w, (double *)at->w + n, NULL, n, at->z, n);
    case TW_COMPLEX_FLOAT: return LAPACKE_cgeev(LAPACK_COL_MAJOR, 'N', job, n, at->a, n, at->w, NULL, n, at->z, n);
    default: return LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', job, n, at->a, n, at->w, NULL, n, at->z, n);
    }
}
static tw_int array_geev(const struct eigen_problem *p, const struct eigen_place *at)
{
    const tw_int n = p->n;
    const char job = p->vectors ? 'V' : 'N';

    switch (p->type) {
    case TW_FLOAT: return tw_sgeev('N', job, n, at->a, n, at->w, (float *)at->w + n, NULL, n, at->z, n);
    case TW_DOUBLE: return tw_dgeev('N', job, n, at->a, n, at->w, (double *)at->w + n, NULL, n, at->z, n);
    case TW_COMPLEX_FLOAT: return tw_cgeev('N', job, n, at->a, n, at->w, NULL, n, at->z, n);
    default: return tw_zgeev('N', job, n, at->a, n, at->w, NULL, n, at->z, n);
    }
}

int eigen_lapack(const struct eigen_problem *p, const struct eigen_place *at)
{
    const int n = (int)p->n;
    const char job = p->vectors ? 'V' : 'N';
    lapack_int found = 0;
    int info;

    switch (p->routine) {
    case SYEVD: info = LAPACKE(p, syevd, heevd, job, 'L', n, at->a, n, at->w); break;
    case SYEVR:
        info = LAPACKE(p, syevr, heevr, job, 'I', 'L', n, at->a, n, 0, 0, 1, (int)p->m, 0, &found, at->w, at->z, n,
                       (lapack_int *)at->each);
        break;
    case GESDD:
        info = LAPACKE(p, gesdd, gesdd, p->vectors ? 'S' : 'N', (int)p->rows, n, at->a, (int)p->rows, at->w, at->z,
                       (int)p->rows, at->vt, n);
        break;
    case GEEV: info = lapack_geev(p, at); break;
    case SYGVD: info = LAPACKE(p, sygvd, hegvd, 1, job, 'L', n, at->a, n, at->b, n, at->w); break;
    default: info = LAPACKE(p, stedc, stedc, p->vectors ? 'I' : 'N', n, at->d, at->e, at->z, n);
    }
    return info ? bench_fail("LAPACK: info = %d", info) : 0;
}

int eigen_array(const struct eigen_problem *p, const struct eigen_place *at)
{
    const tw_int n = p->n;
    const char job = p->vectors ? 'V' : 'N';
    tw_int found = 0, info;

    switch (p->routine) {
    case SYEVD: info = TILEWORK(p, syevd, heevd, job, 'L', n, at->a, n, at->w); break;
    case SYEVR:
        info =
            TILEWORK(p, syevr, heevr, job, 'I', 'L', n, at->a, n, 0, 0, 1, p->m, 0, &found, at->w, at->z, n, at->each);
        break;
    case GESDD:
        info = TILEWORK(p, gesdd, gesdd, p->vectors ? 'S' : 'N', p->rows, n, at->a, p->rows, at->w, at->z, p->rows,
                        at->vt, n);
        break;
    case GEEV: info = array_geev(p, at); break;
    case SYGVD: info = TILEWORK(p, sygvd, hegvd, 1, job, 'L', n, at->a, n, at->b, n, at->w); break;
    default: info = TILEWORK(p, stedc, stedc, p->vectors ? 'I' : 'N', n, at->d, at->e, at->z, n);
    }
    return info ? bench_fail("Tilework: info = %lld: %s", (long long)info, tw_last_message()) : 0;
}
