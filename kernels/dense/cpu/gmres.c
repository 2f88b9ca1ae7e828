/* GMRES' vectors (codelets/dense/gmres.c), and the scaled matrix whose factors precondition it. */
#include "kernels/dense/cpu/gmres.h"
#include <math.h>
#include <string.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/dense/gmres_column.h"

#if TW_IS_SINGLE
typedef double other;
#else
typedef float other;
#endif
enum { PARTS = TW_IS_COMPLEX ? 2 : 1 };

static struct tw_gmres_column *state_of(const struct tw_gmres_block *b, int j)
{
    return (struct tw_gmres_column *)((char *)b->state + j * b->ld_state);
}
static T *vector(void *at, long long ld, int j, int k, int n)
{
    return (T *)at + (size_t)j * (size_t)ld + (size_t)k * (size_t)n;
}

/* ---- columns of tiles ---- */

static int rows_of(const struct tw_tiles *t, int i)
{
    return tw_min(t->mb, t->m - i * t->mb);
}
static T *column_of(const struct tw_tiles *t, int i, int j)
{
    return (T *)t->at[i].ptr + (size_t)j * (size_t)t->at[i].ld;
}
static void gather(const struct tw_tiles *t, int j, T *x, R sign)
{
    for (int i = 0; i < t->count; x += rows_of(t, i), i++)
        for (int l = 0; l < rows_of(t, i); l++)
            x[l] = sign * column_of(t, i, j)[l];
}
static R size_of(T x)
{
    const double re = fabs((double)TW_RE(x)), im = fabs((double)TW_IM(x));
    return (R)(im > re ? im : re);
}
/* diag(r) x, brought near 1; x NULL: zeros, for a column that is done. */
static void hand_on(const struct tw_gmres_block *b, int j, const T *x)
{
    R largest = 0;

    for (int i = 0; i < b->x.count; i++) {
        T *to = column_of(&b->x, i, j);
        const double *r = b->r.at[i].ptr;
        for (int l = 0; l < rows_of(&b->x, i); l++) {
            to[l] = x ? (R)r[l] * *x++ : 0;
            if (size_of(to[l]) > largest) largest = size_of(to[l]);
        }
    }
    if (!(largest > 0) || !isfinite(largest)) return;
    for (int i = 0; i < b->x.count; i++)
        for (int l = 0; l < rows_of(&b->x, i); l++)
            column_of(&b->x, i, j)[l] /= largest;
}

/* |x|, whose squares may be beyond the numbers there are; a NaN is one. */
static double length(int n, const T *x)
{
    double largest = 0, sum = 0;

    for (int i = 0; i < n; i++) {
        if (x[i] != x[i]) return NAN;
        if ((double)size_of(x[i]) > largest) largest = (double)size_of(x[i]);
    }
    if (!(largest > 0) || !isfinite(largest)) return largest;
    for (int i = 0; i < n; i++) {
        const double re = (double)TW_RE(x[i]) / largest, im = (double)TW_IM(x[i]) / largest;
        sum += re * re + im * im;
    }
    return largest * sqrt(sum);
}
static void divide(int n, T *x, double by)
{
    for (int i = 0; i < n; i++)
        x[i] /= (R)by;
}

/* ---- steps ---- */

static void begin(const struct tw_gmres_block *b)
{
    for (int j = 0; j < b->x.n; j++) {
        struct tw_gmres_column *s = state_of(b, j);
        T *v = vector(b->v, b->ldv, j, 0, b->x.m);

        memset(s, 0, sizeof *s);
        gather(&b->x, j, v, 1);
        tw_gmres_first(s, length(b->x.m, v));
        if (!s->done) divide(b->x.m, v, s->first);
        hand_on(b, j, s->done ? NULL : v);
    }
}

/* w less its parts along the first k vectors, which h gets: twice, for they cancel (Giraud, Langou, Rozloznik, van den
 * Eshof, Numer. Math. 101, 2005). */
static void orthogonalize(int n, int k, const T *v, T *w, struct tw_gmres_number *h)
{
    T part[TW_GMRES_MOST + 1];

    memset(h, 0, (size_t)k * sizeof *h);
    for (int again = 0; again < 2; again++) {
        CPU(gemm)(TW_IS_COMPLEX ? 'C' : 'T', 'N', k, 1, n, tw_one, v, n, w, n, tw_zero, part, k);
        CPU(gemm)('N', 'N', n, 1, k, tw_minus_one, v, n, part, k, tw_one, w, n);
        for (int i = 0; i < k; i++)
            h[i].re += (double)TW_RE(part[i]), h[i].im += (double)TW_IM(part[i]);
    }
}

static int step(const struct tw_gmres_block *b, int k)
{
    const int n = b->x.m;
    int left = 0;

    for (int j = 0; j < b->x.n; j++) {
        struct tw_gmres_column *s = state_of(b, j);
        T *v = vector(b->v, b->ldv, j, 0, n), *next = v + (size_t)(k + 1) * (size_t)n;

        if (!s->done) {
            gather(&b->x, j, vector(b->z, b->ldz, j, k, n), 1);
            gather(&b->w, j, next, -1);
            orthogonalize(n, k + 1, v, next, s->r[k]);
            const double rest = length(n, next);
            tw_gmres_turn(s, k, rest);
            if (!s->done) divide(n, next, rest);
            left |= !s->done;
        }
        hand_on(b, j, s->done ? NULL : next);
    }
    return left;
}

static void end(const struct tw_gmres_block *b)
{
    const int n = b->x.m;

    for (int j = 0; j < b->x.n; j++) {
        const struct tw_gmres_column *s = state_of(b, j);
        const T *z = vector(b->z, b->ldz, j, 0, n);
        struct tw_gmres_number y[TW_GMRES_MOST];

        tw_gmres_solve(s, y);
        for (int i = 0, from = 0; i < b->x.count; from += rows_of(&b->x, i), i++) {
            T *x = column_of(&b->x, i, j);
            memset(x, 0, (size_t)rows_of(&b->x, i) * sizeof *x);
            for (int k = 0; k < (int)s->steps; k++) {
                const tw_scalar by = {y[k].re, y[k].im};
                for (int l = 0; l < rows_of(&b->x, i); l++)
                    x[l] += tw_mul(tw_value(by), z[(size_t)k * (size_t)n + (size_t)(from + l)]);
            }
        }
    }
}

/* ---- the scaled matrix ---- */

/* The numbers of double precision: single's are converted first. */
static void lag2_scaled(char uplo, int m, int n, const void *a_, int lda, const double *r, const double *c, void *b_,
                        int ldb)
{
    for (int j = 0; j < n; j++) {
        const R *a = (const R *)TW_AT((const T *)a_, lda, 0, j);
        other *b = (other *)b_ + PARTS * (size_t)ldb * (size_t)j;
        for (int i = uplo == 'L' ? j : 0; i < (uplo == 'U' && j + 1 < m ? j + 1 : m); i++) {
            const double by = (c ? c[j] : 1) * (r ? r[i] : 1);
            for (int k = PARTS * i; k < PARTS * (i + 1); k++)
                b[k] = (other)(by * (double)a[k]);
        }
    }
}

static int rsqrt_diagonal(int n, const void *a_, int lda, double *scale)
{
    const T *a = a_;
    int bad = 0;

    for (int i = 0; i < n; i++) {
        const double x = (double)TW_RE(*TW_AT(a, lda, i, i));
        if (!(x > 0) && !bad) bad = i + 1;
        scale[i] = x > 0 && isfinite(x) ? 1 / sqrt(x) : 1;
    }
    return bad;
}

extern const struct tw_gmres_kernels CPU(gmres);
const struct tw_gmres_kernels CPU(gmres) = {begin, step, end, lag2_scaled, rsqrt_diagonal};
