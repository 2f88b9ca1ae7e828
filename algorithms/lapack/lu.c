/* Pivots in all their widths, and tiles over the arrays of LU's routines. */
#include "algorithms/lapack/lu.h"
#include <stdlib.h>
#include "algorithms/lapack/lapack_arguments.h"

int tw_pivots_begin(struct tw_pivots *p, const char *routine, tw_int k)
{
    p->at = k <= 512 ? p->few : malloc((size_t)k * sizeof *p->at);
    return p->at ? 0 : tw_fail(TW_E_MEMORY, "%s: no memory for %lld pivots", routine, (long long)k);
}
void tw_pivots_end(struct tw_pivots *p)
{
    if (p->at != p->few) free(p->at);
}
void tw_pivots_to_user(tw_int k, const int32_t *from, tw_int *to)
{
    for (tw_int i = 0; i < k; i++)
        to[i] = from[i];
}
void tw_pivots_from_user(tw_int k, const tw_int *from, int32_t *to)
{
    for (tw_int i = 0; i < k; i++)
        to[i] = (int32_t)(from[i] >= 1 && from[i] <= k ? from[i] : i + 1);
}

/* ---- LAPACKE's pivots -------------------------------------------------------------------------------------------- */

tw_int *tw_pivots_room(tw_int k)
{
    return malloc((size_t)tw_max(1, k) * sizeof(tw_int));
}
void tw_pivots_out(const struct tw_lapacke *call, tw_int k, const tw_int *from, void *to)
{
    for (tw_int i = 0; to && i < k; i++)
        if (call->int_size == 4)
            ((int32_t *)to)[i] = (int32_t)from[i];
        else
            ((int64_t *)to)[i] = from[i];
}
void tw_pivots_in(const struct tw_lapacke *call, tw_int k, const void *from, tw_int *to)
{
    for (tw_int i = 0; i < k; i++)
        to[i] = call->int_size == 4 ? ((const int32_t *)from)[i] : ((const int64_t *)from)[i];
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

int tw_lu_wrap(struct tw_lu_tiles *t, const struct tw_routine *r, enum tw_type type, tw_int m, tw_int n, const void *a,
               tw_int lda, tw_int nrhs, void *b, tw_int ldb)
{
    int e = wrap_for(&t->A, r, type, 'G', m, n, nrhs, a, lda);

    t->ipiv = t->B = NULL;
    if (!e) e = tw_pivots_create(&t->ipiv, t->A);
    if (!e && b) e = tw_matrix_wrap(&t->B, type, TW_GENERAL, n, nrhs, b, ldb, tw_matrix_nb(t->A));
    return e;
}
tw_int tw_lu_leave(const char *routine, tw_int info, struct tw_lu_tiles *t, tw_int k, tw_int *ipiv)
{
    struct tw_pivots p;

    if (info >= 0 && ipiv) {
        int e = tw_pivots_begin(&p, routine, k);
        if (!e) e = tw_matrix_to_lapack(t->ipiv, p.at, tw_max(1, k));
        if (!e) tw_pivots_to_user(k, p.at, ipiv);
        if (p.at) tw_pivots_end(&p);
        if (e) info = e;
    }
    info = finish(info, t->A, t->B);
    return finish(info, t->ipiv, NULL);
}
