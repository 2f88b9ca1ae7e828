/* The eigenvalue problem of a general matrix around its reduction to Hessenberg form: balancing, the QR iteration,
 * eigenvectors of the Schur form, all of them LAPACK's, and the eigenvectors' lengths and phases as LAPACK's geev has
 * them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/eigen/cpu/geev.h"

#define TREVC3 TW_CAT3(, TW_P, trevc3_)
#define LAQR0  TW_CAT3(, TW_P, laqr0_)

/* The largest real or imaginary part; NaN if there is one. */
static double largest(int n, const T *a, int lda)
{
    const int reals = TW_IS_COMPLEX ? 2 : 1;
    R most = 0;
    int bad = 0;

    for (int j = 0; j < n; j++) {
        const R *x = (const R *)TW_AT(a, lda, 0, j);
        for (int i = 0; i < reals * n; i++) {
            const R size = x[i] < 0 ? -x[i] : x[i];
            bad |= x[i] != x[i];
            most = size > most ? size : most;
        }
    }
    return bad ? NAN : (double)most;
}

static double one_norm(int n, const T *a, int lda)
{
    double most = 0;

    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += hypot((double)TW_RE(*TW_AT(a, lda, i, j)), (double)TW_IM(*TW_AT(a, lda, i, j)));
        most = sum > most ? sum : most;
    }
    return most;
}

static void balance(char job, int one, int n, void *a, int lda, void *scale, struct tw_geev_head *head)
{
    const double tiny = sizeof(R) == 4 ? FLT_MIN : DBL_MIN, eps = sizeof(R) == 4 ? FLT_EPSILON : DBL_EPSILON,
                 low = sqrt(tiny) / eps, high = 1 / low;
    const double norm = largest(n, a, lda);
    lapack_int ilo = 1, ihi = n;

    *head = (struct tw_geev_head){.ilo = 1, .ihi = n, .job = job, .finite = isfinite(norm), .norm = norm};
    for (int i = 0; i < n; i++)
        ((R *)scale)[i] = 1;
    if (!head->finite) return;
    head->to = norm > 0 && norm < low ? low : norm > high ? high : 0;
    if (head->to > 0) CPU(lascl)('G', n, n, norm, head->to, a, lda);
    LAPACKE(gebal_work)(LAPACK_COL_MAJOR, job, n, a, lda, &ilo, &ihi, scale);
    head->ilo = ilo, head->ihi = ihi;
    if (one) head->one = one_norm(n, a, lda) * (head->to > 0 ? norm / head->to : 1);
}

/* Some rows of Z alone: what LAPACK's hseqr does with matrices that are not small. */
static lapack_int iterate_rows(int n, const struct tw_geev_head *head, void *h, int ldh, T *w, R *wi, void *z, int ldz,
                               int rows, T *work, int lwork)
{
    const lapack_int yes = 1, order = n, ilo = (lapack_int)head->ilo, ihi = (lapack_int)head->ihi, ld = ldh, ld_z = ldz,
                     first = 1, last = rows, length = lwork;
    lapack_int info = 0;

#if TW_IS_COMPLEX
    (void)wi;
    LAQR0(&yes, &yes, &order, &ilo, &ihi, h, &ld, w, &first, &last, z, &ld_z, work, &length, &info);
#else
    LAQR0(&yes, &yes, &order, &ilo, &ihi, h, &ld, w, wi, &first, &last, z, &ld_z, work, &length, &info);
#endif
    return info;
}

/* rows: of Z, n of them or fewer. */
static lapack_int iterate(int n, const struct tw_geev_head *head, void *h, int ldh, T *w, R *wi, void *z, int ldz,
                          int rows, T *work, int lwork)
{
    const lapack_int ilo = (lapack_int)head->ilo, ihi = (lapack_int)head->ihi;
    const char compz = z ? 'V' : 'N';

    if (z && rows < n && lwork != -1) return iterate_rows(n, head, h, ldh, w, wi, z, ldz, rows, work, lwork);
#if TW_IS_COMPLEX
    (void)wi;
    return LAPACKE(hseqr_work)(LAPACK_COL_MAJOR, 'S', compz, n, ilo, ihi, h, ldh, w, z, z ? tw_max(n, ldz) : 1, work,
                               lwork);
#else
    return LAPACKE(hseqr_work)(LAPACK_COL_MAJOR, 'S', compz, n, ilo, ihi, h, ldh, w, wi, z, z ? tw_max(n, ldz) : 1,
                               work, lwork);
#endif
}

/* Which columns of T have a real eigenvalue (0) and which a pair's first (1) and second (2). */
static void find_pairs(int n, const T *t, int ldt, int32_t *pair)
{
    for (int j = 0; j < n; j++)
        pair[j] = j > 0 && pair[j - 1] == 1                                                ? 2
                  : !TW_IS_COMPLEX && j + 1 < n && TW_RE(*TW_AT(t, ldt, j + 1, j)) != (R)0 ? 1
                                                                                           : 0;
}

/* What laqr0 leaves to hseqr: eigenvalues that balancing found, and what is below T. */
static void round_off(int n, const struct tw_geev_head *head, T *h, int ldh, T *w, R *imaginary)
{
    for (int i = 0; i < n; i++)
        if (i + 1 < head->ilo || i + 1 > head->ihi) w[i] = *TW_AT(h, ldh, i, i), imaginary[i] = 0;
    for (int j = 0; j + 2 < n; j++)
        memset(TW_AT(h, ldh, j + 2, j), 0, (size_t)(n - j - 2) * sizeof(T));
}

/* All of T is computed for eigenvalues alone, too, so that they are the same bits. */
static int schur(int n, const struct tw_geev_head *head, void *h, int ldh, void *z, int ldz, int rows, double *wr,
                 double *wi, int32_t *pair)
{
    T *w = malloc((size_t)n * sizeof *w), *work = NULL, query = 0;
    R *imaginary = malloc((size_t)n * sizeof *imaginary);
    const double scale = head->to > 0 ? head->norm / head->to : 1;
    int info = -1, lwork;

    if (w && imaginary) {
        (void)iterate(n, head, h, ldh, w, imaginary, z, ldz, rows, &query, -1);
        lwork = tw_max(n, (int)TW_RE(query)) + 64;
        work = malloc((size_t)lwork * sizeof *work);
    }
    if (work) {
        tw_account_vendor("hseqr", head->ihi - head->ilo + 1);
        info = (int)iterate(n, head, h, ldh, w, imaginary, z, ldz, rows, work, lwork);
        if (z && rows < n) round_off(n, head, h, ldh, w, imaginary);
        for (int i = 0; wr && i < n; i++) { /* which of those that did not converge are right is not known */
            const int found = i + 1 < head->ilo || i >= info;
            wr[i] = found ? (double)TW_RE(w[i]) * scale : NAN;
            wi[i] = found ? (double)(TW_IS_COMPLEX ? TW_IM(w[i]) : imaginary[i]) * scale : NAN;
        }
        if (pair) find_pairs(n, h, ldh, pair);
    }
    free(w), free(imaginary), free(work);
    return info;
}

/* Also where squares are beyond the range. */
static double length(int n, const T *x)
{
    double most = 0, sum = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, fmax(fabs((double)TW_RE(x[i])), fabs((double)TW_IM(x[i]))));
    if (!(most > 0) || isinf(most)) return most;
    for (int i = 0; i < n; i++) {
        const double re = (double)TW_RE(x[i]) / most, im = (double)TW_IM(x[i]) / most;
        sum += re * re + im * im;
    }
    return most * sqrt(sum);
}

#if TW_IS_COMPLEX
/* Length 1, the largest element real. */
static void normalise(int n, int count, const int32_t *pair, T *v, int ldv)
{
    (void)pair;
    for (int j = 0; j < count; j++) {
        T *x = TW_AT(v, ldv, 0, j), factor;
        const R scale = (R)(1 / length(n, x));
        R most = -1;
        int at = 0;
        for (int i = 0; i < n; i++) {
            x[i] *= scale;
            const R size = TW_RE(x[i]) * TW_RE(x[i]) + TW_IM(x[i]) * TW_IM(x[i]);
            if (size > most) most = size, at = i;
        }
        factor = TW_CONJ(x[at]) / (R)sqrt((double)most);
        for (int i = 0; i < n; i++)
            x[i] = tw_mul(x[i], factor);
        x[at] = TW_RE(x[at]);
    }
}
#else
/* Length 1; of a pair, real and imaginary part, the largest element real. */
static void normalise(int n, int count, const int32_t *pair, T *v, int ldv)
{
    for (int j = 0; j < count; j++) {
        T *x = TW_AT(v, ldv, 0, j), *y = x + ldv;
        if (pair[j] == 0) {
            const R scale = (R)(1 / length(n, x));
            for (int i = 0; i < n; i++)
                x[i] *= scale;
        } else {
            const R scale = (R)(1 / hypot(length(n, x), length(n, y)));
            R most = -1, r, c, s;
            int at = 0;
            for (int i = 0; i < n; i++) {
                x[i] *= scale, y[i] *= scale;
                const R size = x[i] * x[i] + y[i] * y[i];
                if (size > most) most = size, at = i;
            }
            r = (R)hypot((double)x[at], (double)y[at]);
            c = x[at] / r, s = y[at] / r;
            for (int i = 0; i < n; i++) {
                const R re = c * x[i] + s * y[i];
                y[i] = c * y[i] - s * x[i];
                x[i] = re;
            }
            y[at] = 0;
            j++;
        }
    }
}
#endif

/* LAPACK changes a complex T on its way: it gets the part that counts as a copy. */
static int solve(char side, int n, int first, int count, const void *t, int ldt, void *x, int ldx)
{
    const char howmny = 'S';
    const int right = side == 'R', from = right ? 0 : first, order = right ? first + count : n - first;
    const T *part = TW_AT((const T *)t, ldt, from, from);
    lapack_int *select = calloc((size_t)order, sizeof *select), size = order, ld = ldt, columns = count, found = 0,
               info = -1, ldv = ldx, one = 1, lwork = 3 * order;
    T *work = malloc((size_t)lwork * sizeof *work), *own = NULL;

    for (int j = 0; select && j < count; j++)
        select[right ? first + j : j] = 1;
#if TW_IS_COMPLEX
    lapack_int lrwork = order;
    R *rwork = malloc((size_t)order * sizeof *rwork);
    if (select && work && rwork && (own = malloc(((size_t)order + 1) * (size_t)order * sizeof *own))) {
        for (int j = 0; j < order; j++)
            memcpy(TW_AT(own, order, 0, j), TW_AT(part, ldt, 0, j), (size_t)(j + 1) * sizeof *own);
        ld = order;
        TREVC3(&side, &howmny, select, &size, own, &ld, right ? NULL : x, right ? &one : &ldv, right ? x : NULL,
               right ? &ldv : &one, &columns, &found, work, &lwork, rwork, &lrwork, &info, 1, 1);
    }
    free(rwork);
#else
    if (select && work)
        TREVC3(&side, &howmny, select, &size, part, &ld, right ? NULL : x, right ? &one : &ldv, right ? x : NULL,
               right ? &ldv : &one, &columns, &found, work, &lwork, &info, 1, 1);
#endif
    free(select), free(work), free(own);
    return info == 0 && found == count ? 0 : -1;
}

static void finish(char side, int n, int count, const struct tw_geev_head *head, const void *scale, const int32_t *pair,
                   void *v, int ldv)
{
    LAPACKE(gebak_work)
    (LAPACK_COL_MAJOR, (char)head->job, side, n, (lapack_int)head->ilo, (lapack_int)head->ihi, scale, count, v, ldv);
    normalise(n, count, pair, v, ldv);
}

const struct tw_geev_kernels CPU(geev) = {balance, schur, solve, finish};
