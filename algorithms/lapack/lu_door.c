/* The LAPACK door of LU: pivots are tw_int here, int32_t in the tiles' tasks and int in LAPACK. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <tilework/lapack.h>
#include "algorithms/lapack/lapack_arguments.h"

/* ---- LAPACK itself, by type ------------------------------------------------------------------------------------ */

struct lapack {
    int (*getrf)(int m, int n, void *a, int lda, int32_t *ipiv);
    int (*getrs)(char trans, int n, int nrhs, const void *a, int lda, const int32_t *ipiv, void *b, int ldb);
};
#define CALLS(p)                                                                                                       \
    static int p##getrf(int m, int n, void *a, int lda, int32_t *ipiv)                                                 \
    {                                                                                                                  \
        return LAPACKE_##p##getrf_work(LAPACK_COL_MAJOR, m, n, a, lda, ipiv);                                          \
    }                                                                                                                  \
    static int p##getrs(char trans, int n, int nrhs, const void *a, int lda, const int32_t *ipiv, void *b, int ldb)    \
    {                                                                                                                  \
        return LAPACKE_##p##getrs_work(LAPACK_COL_MAJOR, trans, n, nrhs, a, lda, ipiv, b, ldb);                        \
    }
CALLS(s)
CALLS(d)
CALLS(c)
CALLS(z)
static const struct lapack lapack[TW_NTYPES] = {{sgetrf, sgetrs}, {dgetrf, dgetrs}, {cgetrf, cgetrs}, {zgetrf, zgetrs}};

/* ---- pivots ---------------------------------------------------------------------------------------------------- */

/* Those of small problems sit on the stack. */
struct pivots {
    int32_t few[512], *at;
};
static int pivots_begin(struct pivots *p, const char *routine, tw_int k)
{
    p->at = k <= 512 ? p->few : malloc((size_t)k * sizeof *p->at);
    return p->at ? 0 : tw_fail(TW_E_MEMORY, "%s: no memory for %lld pivots", routine, (long long)k);
}
static void pivots_end(struct pivots *p)
{
    if (p->at != p->few) free(p->at);
}
static void to_user(tw_int k, const int32_t *from, tw_int *to)
{
    for (tw_int i = 0; i < k; i++)
        to[i] = from[i];
}
/* What names no row exchanges nothing: the row itself. LAPACK would leave the array. */
static void from_user(tw_int k, const tw_int *from, int32_t *to)
{
    for (tw_int i = 0; i < k; i++)
        to[i] = (int32_t)(from[i] >= 1 && from[i] <= k ? from[i] : i + 1);
}

/* ---- the routines ---------------------------------------------------------------------------------------------- */

#define TRANS(i) ARGUMENT(i, (trans = (char)(letter(trans, 'N', 'T') | letter(trans, 'C', 'C'))), "not 'N', 'T' or 'C'")

/* A over the user's array, its pivots and, if b is not NULL, B in tiles that fit. */
struct tiles {
    struct tw_matrix *A, *ipiv, *B;
};
static int wrap(struct tiles *t, enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda, tw_int nrhs, void *b,
                tw_int ldb)
{
    int e = tw_matrix_wrap(&t->A, type, TW_GENERAL, m, n, (void *)a, lda, 0);

    t->ipiv = t->B = NULL;
    if (!e) e = tw_pivots_create(&t->ipiv, t->A);
    if (!e && b) e = tw_matrix_wrap(&t->B, type, TW_GENERAL, n, nrhs, b, ldb, tw_matrix_nb(t->A));
    return e;
}
/* The arrays' content is defined again, and ipiv, if it is not NULL, gets the pivots. */
static tw_int leave(const char *routine, tw_int info, struct tiles *t, tw_int k, tw_int *ipiv)
{
    struct pivots p;

    if (info >= 0 && ipiv) {
        int e = pivots_begin(&p, routine, k);
        if (!e) e = tw_matrix_to_lapack(t->ipiv, p.at, tw_max(1, k));
        if (!e) to_user(k, p.at, ipiv);
        if (p.at) pivots_end(&p);
        if (e) info = e;
    }
    info = finish(info, t->A, t->B);
    return finish(info, t->ipiv, NULL);
}

static tw_int straight_getrf(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda,
                             tw_int *ipiv)
{
    const tw_int k = tw_min(m, n);
    struct pivots p;
    tw_int info = pivots_begin(&p, routine, k);

    if (info) return info;
    info = lapack[type].getrf((int)m, (int)n, a, (int)lda, p.at);
    to_user(k, p.at, ipiv);
    pivots_end(&p);
    return info;
}

static tw_int straight_getrs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                             tw_int lda, const tw_int *ipiv, void *b, tw_int ldb)
{
    struct pivots p;
    tw_int info = pivots_begin(&p, routine, n);

    if (info) return info;
    from_user(n, ipiv, p.at);
    info = lapack[type].getrs(trans, (int)n, (int)nrhs, a, (int)lda, p.at, b, (int)ldb);
    pivots_end(&p);
    return info;
}

static tw_int getrf(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *ipiv)
{
    const double order = cbrt(3 * tw_flops_getrf(TW_DOUBLE, (double)m, (double)n));
    struct tiles t;
    tw_int e;

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    if (m == 0 || n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, ipiv);
    if (straight(type, order, n, 0, lda, 0)) return straight_getrf(routine, type, m, n, a, lda, ipiv);
    e = wrap(&t, type, m, n, a, lda, 0, NULL, 0);
    return leave(routine, e ? e : tw_getrf(t.A, t.ipiv), &t, tw_min(m, n), ipiv);
}

static tw_int getrs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                    tw_int lda, const tw_int *ipiv, void *b, tw_int ldb)
{
    const double order = cbrt(6.0 * (double)n * (double)n * (double)nrhs);
    struct pivots p;
    struct tiles t;
    tw_int e;

    TRANS(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(8, ldb, n);
    if (n == 0 || nrhs == 0) return 0;
    ARRAY(4, a);
    ARRAY(6, ipiv);
    ARRAY(7, b);
    if (straight(type, order, n, nrhs, lda, ldb))
        return straight_getrs(routine, type, trans, n, nrhs, a, lda, ipiv, b, ldb);
    if ((e = pivots_begin(&p, routine, n))) return e;
    from_user(n, ipiv, p.at);
    e = wrap(&t, type, n, n, a, lda, nrhs, b, ldb);
    if (!e) e = tw_matrix_set_lapack(t.ipiv, p.at, n);
    pivots_end(&p);
    return leave(routine, e ? e : tw_getrs((enum tw_trans)trans, t.A, t.ipiv, t.B), &t, 0, NULL);
}

static tw_int gesv(const char *routine, enum tw_type type, tw_int n, tw_int nrhs, void *a, tw_int lda, tw_int *ipiv,
                   void *b, tw_int ldb)
{
    const double order = cbrt((double)n * (double)n * (2.0 * (double)n + 6.0 * (double)nrhs));
    struct tiles t;
    tw_int info;

    SIZE(1, n);
    SIZE(2, nrhs);
    LD(4, lda, n);
    LD(7, ldb, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, ipiv);
    if (nrhs > 0) ARRAY(6, b);
    if (straight(type, order, n, nrhs, lda, ldb)) {
        info = straight_getrf(routine, type, n, n, a, lda, ipiv);
        if (info || nrhs == 0) return info;
        return straight_getrs(routine, type, 'N', n, nrhs, a, lda, ipiv, b, ldb);
    }
    info = wrap(&t, type, n, n, a, lda, nrhs, nrhs > 0 ? b : NULL, ldb);
    if (!info) info = t.B ? tw_gesv(t.A, t.ipiv, t.B) : tw_getrf(t.A, t.ipiv);
    return leave(routine, info, &t, n, ipiv);
}

/* ---- the public names ------------------------------------------------------------------------------------------ */

#define DOOR(p, TYPE, T)                                                                                               \
    tw_int tw_##p##getrf(tw_int m, tw_int n, T *a, tw_int lda, tw_int *ipiv)                                           \
    {                                                                                                                  \
        return getrf("tw_" #p "getrf", TYPE, m, n, a, lda, ipiv);                                                      \
    }                                                                                                                  \
    tw_int tw_##p##getrs(char trans, tw_int n, tw_int nrhs, const T *a, tw_int lda, const tw_int *ipiv, T *b,          \
                         tw_int ldb)                                                                                   \
    {                                                                                                                  \
        return getrs("tw_" #p "getrs", TYPE, trans, n, nrhs, a, lda, ipiv, b, ldb);                                    \
    }                                                                                                                  \
    tw_int tw_##p##gesv(tw_int n, tw_int nrhs, T *a, tw_int lda, tw_int *ipiv, T *b, tw_int ldb)                       \
    {                                                                                                                  \
        return gesv("tw_" #p "gesv", TYPE, n, nrhs, a, lda, ipiv, b, ldb);                                             \
    }
DOOR(s, TW_FLOAT, float)
DOOR(d, TW_DOUBLE, double)
DOOR(c, TW_COMPLEX_FLOAT, tw_complex_float)
DOOR(z, TW_COMPLEX_DOUBLE, tw_complex_double)
