/* What the doors of singular value routines share. */
#ifndef TW_ALGORITHMS_LAPACK_SINGULAR_H
#define TW_ALGORITHMS_LAPACK_SINGULAR_H
#include "algorithms/lapack/values.h"
#include "algorithms/svd/svd_loops.h"

/* LAPACK's own, column-major (gesdd.c). */
extern int (*const tw_lapack_gesdd[TW_NTYPES])(char jobz, int m, int n, void *a, int lda, void *s, void *u, int ldu,
                                               void *vt, int ldvt);

/* As by_lapack, of an m x n matrix: its order is that of a square one with as much work. LAPACK's workspaces have
 * 32-bit sizes. */
static inline int svd_by_lapack(const struct tw_routine *r, const char *vendor, enum tw_type type, tw_int m, tw_int n,
                                tw_int lda, tw_int ldu, tw_int ldvt)
{
    const double least = (double)tw_min(m, n), most = (double)tw_max(m, n), limit = INT32_MAX,
                 order = cbrt(most * least * least);
    const int fits = (double)lda * (double)n <= limit && (double)ldu * most <= limit && (double)ldvt * most <= limit &&
                     5 * least * least + 10 * most <= limit;
    enum tw_route route = TW_ROUTE_AUTO;

    if (!fits || tw_route(&route) || route == TW_ROUTE_TWO) return 0;
    if (route == TW_ROUTE_LAPACK ? tw_wants_reproducible() : !tw_prefers_lapack(r->tuning, type, (tw_int)order))
        return 0;
    by_vendor(vendor, (tw_int)least);
    tw_account_figure("route", TW_ROUTE_LAPACK);
    return 1;
}

/* ---- some of them ------------------------------------------------------------------------------------------------ */

/* LAPACK's checks of a range of k values, whose vl is argument i. */
#define RANGE_OF_SINGULAR(i, r, k)                                                                                     \
    do {                                                                                                               \
        ARGUMENT(i, (r)->range != 'V' || (r)->vl >= 0, "vl < 0");                                                      \
        ARGUMENT((i) + 1, (r)->range != 'V' || (r)->vl < (r)->vu, "vl < vu does not hold");                            \
        ARGUMENT((i) + 2, (r)->range != 'I' || ((r)->il >= 1 && (r)->il <= (k)),                                       \
                 "not 1 <= il <= the number of values");                                                               \
        ARGUMENT((i) + 3, (r)->range != 'I' || ((r)->iu >= (r)->il && (r)->iu <= (k)),                                 \
                 "not il <= iu <= the number of values");                                                              \
    } while (0)
/* The wanted ones of k values s, which are of the real type and descend: in [vl, vu), as LAPACK has them, or numbers il
 * ... iu. */
struct selection {
    tw_int first, count;
};
static inline struct selection select_singular(enum tw_type type, char range, tw_int k, double vl, double vu, tw_int il,
                                               tw_int iu, const void *s)
{
    tw_int first = range == 'I' ? il - 1 : 0, end = range == 'I' ? iu : k;

    while (range == 'V' && first < end && !(get_real(type, s, first) < vu))
        first++;
    while (range == 'V' && end > first && !(get_real(type, s, end - 1) >= vl))
        end--;
    return (struct selection){first, end - first};
}

/* A job's letter, of both cases; 0 for others. */
static inline char svd_letter(char job)
{
    const char some = letter(job, 'A', 'S');
    return some ? some : letter(job, 'O', 'N');
}

/* U or V^T of that shape in tiles over the caller's array; NULL where it has none. 0 or an error. */
static inline int svd_wrap(struct tw_matrix **U, enum tw_type type, int wanted, tw_int m, tw_int n, void *u, tw_int ldu,
                           tw_int nb)
{
    *U = NULL;
    return wanted ? tw_matrix_wrap(U, type, TW_GENERAL, m, n, u, ldu, nb) : 0;
}
#endif
