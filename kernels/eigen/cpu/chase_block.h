/* What bulge chasing is made of, from a hermitian band (hb2st.c) and from a triangular one (kernels/svd/cpu/tb2bd.c):
 * reflectors, and a block between two of them.
 *
 * Vectors come in two planes, x and i x (hb2st_vector.h); with real types there is the first alone. */
#ifndef TW_KERNELS_EIGEN_CPU_CHASE_BLOCK_H
#define TW_KERNELS_EIGEN_CPU_CHASE_BLOCK_H
#include <math.h>
#include "runtime/base/blas_table.h" /* before the letters T and R are types */
#include "kernels/eigen/cpu/hb2st_vector.h"

struct scalar {
    R x[PLANES]; /* real and imaginary part */
};
struct planes {
    R *x[PLANES];
};
struct space {
    struct planes v, next, w, p;
    R *dots;
};

static inline struct scalar times(struct scalar a, struct scalar b)
{
#if TW_IS_COMPLEX
    return (struct scalar){{a.x[0] * b.x[0] - a.x[1] * b.x[1], a.x[0] * b.x[1] + a.x[1] * b.x[0]}};
#else
    return (struct scalar){{a.x[0] * b.x[0]}};
#endif
}
static inline struct scalar minus(struct scalar a, struct scalar b)
{
    for (int p = 0; p < PLANES; p++)
        a.x[p] -= b.x[p];
    return a;
}
static inline struct scalar conjugate(struct scalar a)
{
    for (int p = 1; p < PLANES; p++)
        a.x[p] = -a.x[p];
    return a;
}
static inline struct scalar element(const R *a, size_t at)
{
    struct scalar s;
    for (int p = 0; p < PLANES; p++)
        s.x[p] = a[at * PLANES + (size_t)p];
    return s;
}
static inline int is_zero(struct scalar a)
{
    for (int p = 0; p < PLANES; p++)
        if (a.x[p] != 0) return 0;
    return 1;
}

/* The second plane: i times the first. */
static void times_i(int m, struct planes x)
{
    for (int p = 1; p < PLANES; p++)
        for (int i = 0; i < m; i++) {
            x.x[p][2 * i] = -x.x[0][2 * i + 1];
            x.x[p][2 * i + 1] = x.x[0][2 * i];
        }
}

/* x^H y */
static struct scalar dot(int m, struct planes x, const R *y)
{
    struct scalar s;
    for (int p = 0; p < PLANES; p++) {
        V part = {0};
        int l = 0;
        for (; l + VL <= m * PLANES; l += VL)
            part += load(x.x[p] + l) * load(y + l);
        s.x[p] = sum(part);
        for (; l < m * PLANES; l++)
            s.x[p] += x.x[p][l] * y[l];
    }
    return s;
}

/* y -= c x */
static void subtract(int m, struct scalar c, struct planes x, R *y)
{
    for (int p = 0; p < PLANES; p++)
        for (int l = 0; l < m * PLANES; l++)
            y[l] -= c.x[p] * x.x[p][l];
}

/* ---- reflectors -------------------------------------------------------------------------------------------------- */

/* Are squares, their sum and 1 / (alpha - beta) far from the ends of the range? */
static int in_range(double s)
{
    return TW_IS_SINGLE ? s > 1e-60 && s < 1e60 : s > 1e-260 && s < 1e260;
}

static double sum_squares(int m, const R *x)
{
    double part[8] = {0};
    int l = 0;
    for (; l + 8 <= m * PLANES; l += 8)
        for (int k = 0; k < 8; k++)
            part[k] += (double)x[l + k] * (double)x[l + k];
    for (; l < m * PLANES; l++)
        part[0] += (double)x[l] * (double)x[l];
    return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

#if TW_IS_SINGLE
typedef double wide;
#else
typedef long double wide;
#endif

/* tau such that H = I - tau v v^H is unitary with the v that was stored, whose tail came out of products with a rounded
 * factor: |tau|^2 v^H v = 2 Re(tau). What is missing there is small, so that it is summed in a wider type. */
static struct scalar unitary(struct scalar tau, int m, const R *v)
{
    wide part[4] = {0}, s, size = 0;
    int l = PLANES;
    double r;

    for (; l + 4 <= m * PLANES; l += 4)
        for (int k = 0; k < 4; k++)
            part[k] += (wide)v[l + k] * (wide)v[l + k];
    for (; l < m * PLANES; l++)
        part[0] += (wide)v[l] * (wide)v[l];
    s = 1 + ((part[0] + part[2]) + (part[1] + part[3]));
    for (int p = 0; p < PLANES; p++)
        size += (wide)tau.x[p] * (wide)tau.x[p];
    r = (double)((2 * (wide)tau.x[0] - size * s) / (size * s));
    for (int p = 0; p < PLANES; p++)
        tau.x[p] = (R)((double)tau.x[p] + r * (double)tau.x[p]);
    return tau;
}

/* H = I - tau v v^H with H^H x = (beta, 0), beta real, LAPACK's larfg: x (m elements) becomes that, v (v(0) = 1) and i
 * v are made. */
static struct scalar reflector(int m, R *x, struct planes v)
{
    const double tail = sum_squares(m - 1, x + PLANES), re = (double)x[0], im = PLANES == 2 ? (double)x[PLANES - 1] : 0;
    const double norm = sqrt(tail + re * re + im * im), beta = -copysign(norm, re);
    struct scalar tau = {{0}}, scale = {{(R)(re - beta)}};

    memcpy(v.x[0], x, (size_t)m * PLANES * sizeof(R));
    if (tail == 0 && im == 0) { /* nothing to do, or NaN above zeros */
    } else if (!in_range(norm * norm)) {
        LAPACKE(larfg_work)(m, (void *)v.x[0], (void *)(v.x[0] + PLANES), 1, (void *)tau.x);
        x[0] = v.x[0][0];
    } else {
        tau.x[0] = (R)((beta - re) / beta);
#if TW_IS_COMPLEX
        const double size = (re - beta) * (re - beta) + im * im;
        tau.x[1] = (R)(-im / beta);
        scale = (struct scalar){{(R)((re - beta) / size), (R)(-im / size)}};
        for (int i = 1; i < m; i++) {
            const struct scalar y = times(scale, element(x, (size_t)i));
            memcpy(v.x[0] + 2 * i, y.x, sizeof y);
        }
#else
        scale.x[0] = (R)(1 / (re - beta));
        for (int i = 1; i < m; i++)
            v.x[0][i] = scale.x[0] * x[i];
#endif
        tau = unitary(tau, m, v.x[0]);
        x[0] = (R)beta;
    }
    memset(x + 1, 0, ((size_t)m * PLANES - 1) * sizeof(R));
    memset(v.x[0], 0, PLANES * sizeof(R));
    v.x[0][0] = 1;
    times_i(m, v);
    return tau;
}

/* ---- the block under a diagonal block ---------------------------------------------------------------------------- */

/* `count` vectors of rows of w = A v. */
static inline __attribute__((always_inline)) void product_rows(const int count, int n, const R *a, size_t lda,
                                                               const R *v, R *w)
{
    V s[8][PLANES];

    for (int r = 0; r < count; r++)
        for (int p = 0; p < PLANES; p++)
            s[r][p] = (V){0};
    for (int j = 0; j < n; j++, a += lda, v += PLANES)
        for (int r = 0; r < count; r++) {
            const V x = load(a + r * VL);
            for (int p = 0; p < PLANES; p++)
                s[r][p] += x * v[p];
        }
    for (int r = 0; r < count; r++) {
#if TW_IS_COMPLEX
        for (int l = 0; l < VL; l += 2) {
            s[r][0][l] -= s[r][1][l + 1];
            s[r][0][l + 1] += s[r][1][l];
        }
#endif
        store(w + r * VL, s[r][0]);
    }
}

/* w = A v, A m x n */
static void product(int m, int n, const R *a, size_t lda, const R *v, struct planes w)
{
    const int lanes = m * PLANES;
    int l = 0;

    for (; l + 8 * VL <= lanes; l += 8 * VL)
        product_rows(8, n, a + l, lda, v, w.x[0] + l);
    for (; l + 4 * VL <= lanes; l += 4 * VL)
        product_rows(4, n, a + l, lda, v, w.x[0] + l);
    for (; l + VL <= lanes; l += VL)
        product_rows(1, n, a + l, lda, v, w.x[0] + l);
    for (; l < lanes; l += PLANES) {
        struct scalar s = {{0}};
        for (int j = 0; j < n; j++) {
            const struct scalar x = times(element(a + l, (size_t)j * lda / PLANES), element(v, (size_t)j));
            for (int p = 0; p < PLANES; p++)
                s.x[p] += x.x[p];
        }
        memcpy(w.x[0] + l, s.x, sizeof s);
    }
    times_i(m, w);
}

/* `count` columns: A(j) -= c(j) w + t(j) v, c(j) = tau conj(u(j)), t(j) = conj(next) v^H (A(j) - c(j) w). */
static inline __attribute__((always_inline)) void update_columns(const int count, int m, R *a, size_t lda,
                                                                 struct planes w, struct planes v, struct scalar tau,
                                                                 const R *u, struct scalar next, struct scalar vw)
{
    const int lanes = m * PLANES, full = lanes - lanes % VL;
    struct scalar c[4], t[4];
    V s[4][PLANES];

    for (int j = 0; j < count; j++)
        for (int p = 0; p < PLANES; p++)
            s[j][p] = (V){0};
    for (int l = 0; l < full; l += VL)
        for (int j = 0; j < count; j++) {
            const V x = load(a + (size_t)j * lda + l);
            for (int p = 0; p < PLANES; p++)
                s[j][p] += x * load(v.x[p] + l);
        }
    for (int j = 0; j < count; j++) {
        for (int p = 0; p < PLANES; p++) {
            t[j].x[p] = sum(s[j][p]);
            for (int l = full; l < lanes; l++)
                t[j].x[p] += a[(size_t)j * lda + (size_t)l] * v.x[p][l];
        }
        c[j] = times(tau, conjugate(element(u, (size_t)j)));
        t[j] = times(conjugate(next), minus(t[j], times(c[j], vw)));
    }
    for (int l = 0; l < full; l += VL)
        for (int j = 0; j < count; j++) {
            V x = load(a + (size_t)j * lda + l);
            for (int p = 0; p < PLANES; p++)
                x -= c[j].x[p] * load(w.x[p] + l) + t[j].x[p] * load(v.x[p] + l);
            store(a + (size_t)j * lda + l, x);
        }
    for (int l = full; l < lanes; l++)
        for (int j = 0; j < count; j++)
            for (int p = 0; p < PLANES; p++)
                a[(size_t)j * lda + (size_t)l] -= c[j].x[p] * w.x[p][l] + t[j].x[p] * v.x[p][l];
}

/* H(s, k-1) = (tau, v) from the right, then the first column's own H(s, k) from the left: A is m x n, n the length of
 * v. */
static struct scalar block(int m, int n, R *a, size_t lda, struct scalar tau, const struct space *at)
{
    struct scalar next, vw;
    int j = 1;

    product(m, n, a, lda, at->v.x[0], at->w);
    subtract(m, tau, at->w, a); /* v(0) = 1 */
    next = reflector(m, a, at->next);
    if (is_zero(tau) && is_zero(next)) return next;
    vw = dot(m, at->next, at->w.x[0]);
    for (; j + 4 <= n; j += 4)
        update_columns(4, m, a + (size_t)j * lda, lda, at->w, at->next, tau, at->v.x[0] + j * PLANES, next, vw);
    for (; j < n; j++)
        update_columns(1, m, a + (size_t)j * lda, lda, at->w, at->next, tau, at->v.x[0] + j * PLANES, next, vw);
    return next;
}
#endif
