/* The Schur form of a general matrix put in an order, and condition numbers: LAPACK's trsen and trsna, and around them
 * what LAPACK's gees and geesx do. */
#include <math.h>
#include <stdlib.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/eigen/cpu/gees.h"

/* ---- which eigenvalues come first -------------------------------------------------------------------------------- */

static int chosen(const struct tw_gees_order *order, double wr, double wi)
{
    return order->select(order->user, wr, wi) != 0;
}

/* The workspaces of trsen, whose sizes depend on how many are selected. */
static lapack_int trsen(const struct tw_gees_order *order, const lapack_int *select, int n, void *t, int ldt, void *z,
                        int ldz, T *w, R *wi, struct tw_gees_found *found)
{
    const char compq = z ? 'V' : 'N';
    lapack_int m = 0, info, lwork = -1, liwork = -1, ints = 1;
    T query = 0, *work = &query;
    lapack_int *iwork = &ints;
    R s = 1, sep = 0;

    (void)wi;
    if (!z) ldz = 1;
    for (int pass = 0;; pass++) {
#if TW_IS_COMPLEX
        (void)iwork;
        info = LAPACKE(trsen_work)(LAPACK_COL_MAJOR, order->sense, compq, select, n, t, ldt, z, ldz, w, &m, &s, &sep,
                                   work, lwork);
#else
        info = LAPACKE(trsen_work)(LAPACK_COL_MAJOR, order->sense, compq, select, n, t, ldt, z, ldz, w, wi, &m, &s,
                                   &sep, work, lwork, iwork, liwork);
#endif
        if (pass == 1) break;
        lwork = tw_max(n, TW_RE(query) < (R)INT32_MAX ? (lapack_int)TW_RE(query) : INT32_MAX - 64) + 64;
        liwork = tw_max(1, ints);
        work = malloc(((size_t)lwork + (size_t)n) * sizeof *work), iwork = malloc((size_t)liwork * sizeof *iwork);
        if (!work || !iwork) {
            info = -1;
            break;
        }
    }
    free(work), free(iwork);
    *found = (struct tw_gees_found){m, (double)s, (double)sep};
    return info;
}

/* OpenBLAS' zdotc (0.3.21, Haswell kernels), which trsen's condition numbers call along rows of T, reads one element
 * behind a row's last: T is given a column more, and the workspace above n elements. */
static lapack_int trsen_with_room(const struct tw_gees_order *order, const lapack_int *select, int n, void *t, int ldt,
                                  void *z, int ldz, T *w, R *wi, struct tw_gees_found *found)
{
    const int conditions = TW_IS_COMPLEX && order->sense != 'N';
    T *room = conditions ? malloc((size_t)n * ((size_t)n + 1) * sizeof *room) : NULL;
    lapack_int info;

    if (!conditions) return trsen(order, select, n, t, ldt, z, ldz, w, wi, found);
    if (!room) return -1;
    CPU(lacpy)('G', n, n, t, ldt, room, n);
    info = trsen(order, select, n, room, n, z, ldz, w, wi, found);
    CPU(lacpy)('G', n, n, room, n, t, ldt);
    free(room);
    return info;
}

/* How many of the leading eigenvalues are selected now, of real matrices: 0; or there are others between them. */
static int look_again(int n, const struct tw_gees_order *order, const double *wr, const double *wi, int64_t *sdim)
{
    int ended = 0, mixed = 0;

    *sdim = 0;
    for (int i = 0, size; i < n; i += size) {
        int yes = chosen(order, wr[i], wi[i]);
        size = wi[i] != 0 && i + 1 < n ? 2 : 1;
        if (size == 2) yes |= chosen(order, wr[i + 1], wi[i + 1]);
        if (yes) *sdim += size, mixed |= ended;
        ended |= !yes;
    }
    return mixed;
}

/* ---- back to the matrix as it was -------------------------------------------------------------------------------- */

#if !TW_IS_COMPLEX
/* A pair whose block lost its upper element to underflow: its rows and columns change places, so that T is a triangle
 * there. */
static void exchange_pair(int n, int i, T *t, int ldt, T *z, int ldz)
{
    const T below = *TW_AT(t, ldt, i + 1, i);

    for (int k = 0; k < i; k++) {
        const T x = *TW_AT(t, ldt, k, i);
        *TW_AT(t, ldt, k, i) = *TW_AT(t, ldt, k, i + 1), *TW_AT(t, ldt, k, i + 1) = x;
    }
    for (int k = i + 2; k < n; k++) {
        const T x = *TW_AT(t, ldt, i, k);
        *TW_AT(t, ldt, i, k) = *TW_AT(t, ldt, i + 1, k), *TW_AT(t, ldt, i + 1, k) = x;
    }
    for (int k = 0; z && k < n; k++) {
        const T x = *TW_AT(z, ldz, k, i);
        *TW_AT(z, ldz, k, i) = *TW_AT(z, ldz, k, i + 1), *TW_AT(z, ldz, k, i + 1) = x;
    }
    *TW_AT(t, ldt, i, i + 1) = below, *TW_AT(t, ldt, i + 1, i) = 0;
}
#endif

/* Blocks of pairs may have lost an element to underflow; then the pair is one of real eigenvalues. */
static void underflown(int n, T *t, int ldt, T *z, int ldz, double *wi)
{
#if TW_IS_COMPLEX
    (void)n, (void)t, (void)ldt, (void)z, (void)ldz, (void)wi;
#else
    for (int i = 0; i + 1 < n; i++) {
        if (!(wi[i] > 0)) continue; /* NaN: it was not found */
        if (*TW_AT(t, ldt, i + 1, i) == 0)
            wi[i] = wi[i + 1] = 0;
        else if (*TW_AT(t, ldt, i, i + 1) == 0)
            exchange_pair(n, i, t, ldt, z, ldz), wi[i] = wi[i + 1] = 0;
        i++;
    }
#endif
}

static int arrange(int n, const struct tw_geev_head *head, const struct tw_gees_order *order, int info, void *t,
                   int ldt, void *z, int ldz, const void *scale, double *wr, double *wi, struct tw_gees_found *found)
{
    const double factor = head->to > 0 ? head->norm / head->to : 1;
    const int sorts = order->select && info == 0;
    T *w = malloc((size_t)n * sizeof *w);
    R *imaginary = malloc((size_t)n * sizeof *imaginary);
    lapack_int *select = calloc((size_t)n, sizeof *select);

    *found = (struct tw_gees_found){0, 0, 0};
    if (!w || !imaginary || !select) info = -1;
    for (int i = 0; sorts && info == 0 && i < n; i++)
        select[i] = chosen(order, wr[i], wi[i]);
    if (sorts && info == 0) {
        tw_account_vendor("trsen", n);
        const lapack_int failed = trsen_with_room(order, select, n, t, ldt, z, ldz, w, imaginary, found);
        info = failed < 0 ? -1 : failed > 0 ? n + 1 : 0;
        for (int i = 0; info >= 0 && i < n; i++) {
            wr[i] = (double)TW_RE(w[i]) * factor;
            wi[i] = (double)(TW_IS_COMPLEX ? TW_IM(w[i]) : imaginary[i]) * factor;
        }
        found->rcondv *= factor;
    }
    if (info >= 0) {
        if (z) LAPACKE(gebak_work)
        (LAPACK_COL_MAJOR, (char)head->job, 'R', n, (lapack_int)head->ilo, (lapack_int)head->ihi, scale, n, z, ldz);
        if (head->to > 0) {
            CPU(lascl)('G', n, n, head->to, head->norm, t, ldt);
            underflown(n, t, ldt, z, ldz, wi);
        }
        for (int i = 0; i < n; i++) { /* the numbers that T has, rounded as they are there */
            const T x = *TW_AT((const T *)t, ldt, i, i);
            if (!isnan(wr[i])) wr[i] = (double)TW_RE(x);
            if (TW_IS_COMPLEX && !isnan(wr[i])) wi[i] = (double)TW_IM(x);
        }
    }
    if (sorts && info == 0 && !TW_IS_COMPLEX && look_again(n, order, wr, wi, &found->sdim)) info = n + 2;
    free(w), free(imaginary), free(select);
    return info;
}

/* ---- condition numbers ------------------------------------------------------------------------------------------- */

static int conditions(char sense, int n, int first, int count, const void *t, int ldt, const void *vl, int ldvl,
                      const void *vr, int ldvr, double factor, double *s, double *sep)
{
    const size_t room = sense == 'E' ? 1 : (size_t)n * ((size_t)n + 6);
    lapack_int *select = calloc((size_t)n, sizeof *select), found = 0, info = -1;
    R *size = malloc(2 * (size_t)count * sizeof *size);
    T *work = malloc(room * sizeof *work);
#if TW_IS_COMPLEX
    R *more = malloc((size_t)n * sizeof *more);
#else
    lapack_int *more = malloc(2 * (size_t)n * sizeof *more);
#endif

    for (int j = first; select && j < first + count; j++)
        select[j] = 1;
    tw_account_vendor("trsna", n);
    if (select && size && work && more)
        info = LAPACKE(trsna_work)(LAPACK_COL_MAJOR, sense, 'S', select, n, t, ldt, vl, vl ? ldvl : tw_max(1, n), vr,
                                   vr ? ldvr : tw_max(1, n), size, size + count, count, &found, work,
                                   sense == 'E' ? 1 : n, more);
    for (int j = 0; info == 0 && j < count; j++) {
        if (s) s[j] = (double)size[j];
        if (sep) sep[j] = (double)size[count + j] * factor;
    }
    free(select), free(size), free(work), free(more);
    return info == 0 && found == count ? 0 : -1;
}

const struct tw_gees_kernels CPU(gees) = {arrange, conditions};
