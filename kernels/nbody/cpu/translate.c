/* Translations of expansions, M2M, M2L and L2L alike: turn to the z axis, shift, turn back.
 *
 * TW_FMM_LANES translations of one class go together, one per lane, so that turns and shifts are small matrix products
 * with that many columns and everything is vectors. What differs between the lanes is the azimuth only. */
#include "kernels/nbody/cpu/nbody_cpu.h"
#include "kernels/simd.h"

enum { LANES = TW_FMM_LANES };
#define NV    2         /* vectors side by side in a product */
#define CHUNK (NV * VL) /* columns of a product */
#if defined(TW_ISA_avx512)
#define ROWS 8
#else
#define ROWS 4
#endif

/* Row y[i] of Y = sum_j A[i * ai + j * aj] * row x[j] of X, for `rows` (a constant) rows and CHUNK columns. */
static inline __attribute__((always_inline)) void rows_product(int rows, int n, const double *A, ptrdiff_t ai,
                                                               ptrdiff_t aj, const int *x, const double *X,
                                                               const int *y, double *Y)
{
    V c[ROWS][NV];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        c[i][0] = c[i][1] = (V){0};
    for (int j = 0; j < n; j++) {
        const double *from = X + (ptrdiff_t)x[j] * LANES;
        const V x0 = load(from), x1 = load(from + VL);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            const V a = splat(A[i * ai + j * aj]);
            c[i][0] += a * x0;
            c[i][1] += a * x1;
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
        store(Y + (ptrdiff_t)y[i] * LANES, c[i][0]);
        store(Y + (ptrdiff_t)y[i] * LANES + VL, c[i][1]);
    }
}

/* The n x n product for `lanes` columns. */
static void product(int lanes, int n, const double *A, ptrdiff_t ai, ptrdiff_t aj, const int *x, const double *X,
                    const int *y, double *Y)
{
    for (int l = 0; l < lanes; l += CHUNK) {
        int i = 0;
        for (; i + ROWS <= n; i += ROWS)
            rows_product(ROWS, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l);
        switch (n - i) {
#if ROWS == 8
        case 7: rows_product(7, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
        case 6: rows_product(6, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
        case 5: rows_product(5, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
        case 4: rows_product(4, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
#endif
        case 3: rows_product(3, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
        case 2: rows_product(2, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
        case 1: rows_product(1, n, A + i * ai, ai, aj, x, X + l, y + i, Y + l); break;
        default: break;
        }
    }
}

static void rotate(const struct tw_fmm_tables *t, int lanes, const double *rotation, int back, const double *X,
                   double *Y)
{
    for (int l = 0; l <= t->p; l++) {
        const int *c = t->identity + l * l, *s = t->identity + l * l + l + 1;
        product(lanes, l + 1, rotation + t->turn_c[l], back ? 1 : l + 1, back ? l + 1 : 1, c, X, c, Y);
        if (l) product(lanes, l, rotation + t->turn_s[l], back ? 1 : l, back ? l : 1, s, X, s, Y);
    }
}

static void shift_z(const struct tw_fmm_tables *t, int lanes, const double *shift, const double *X, double *Y)
{
    for (int m = 0; m <= t->p; m++) {
        const int n = t->p - m + 1;
        const double *A = shift + t->shift_at[m];
        product(lanes, n, A, n, 1, t->order_c[m], X, t->order_c[m], Y);
        if (m) product(lanes, n, A, n, 1, t->order_s[m], X, t->order_s[m], Y);
    }
}

/* ---- in and out: expansions are rows in memory, columns here ---------------------------------------------------- */

#if defined(TW_ISA_avx512)
/* Transpose 8 x 8. */
static inline __attribute__((always_inline)) void transpose(V r[8])
{
    __m512d a[8], b[8];
    for (int k = 0; k < 8; k += 2) {
        a[k] = _mm512_unpacklo_pd((__m512d)r[k], (__m512d)r[k + 1]);
        a[k + 1] = _mm512_unpackhi_pd((__m512d)r[k], (__m512d)r[k + 1]);
    }
    for (int k = 0; k < 2; k++) {
        b[k] = _mm512_shuffle_f64x2(a[k], a[k + 2], 0x88);
        b[k + 2] = _mm512_shuffle_f64x2(a[k], a[k + 2], 0xdd);
        b[k + 4] = _mm512_shuffle_f64x2(a[k + 4], a[k + 6], 0x88);
        b[k + 6] = _mm512_shuffle_f64x2(a[k + 4], a[k + 6], 0xdd);
    }
    for (int k = 0; k < 2; k++) {
        r[k] = (V)_mm512_shuffle_f64x2(b[k], b[k + 4], 0x88);
        r[k + 4] = (V)_mm512_shuffle_f64x2(b[k], b[k + 4], 0xdd);
        r[k + 2] = (V)_mm512_shuffle_f64x2(b[k + 2], b[k + 6], 0x88);
        r[k + 6] = (V)_mm512_shuffle_f64x2(b[k + 2], b[k + 6], 0xdd);
    }
}
#endif

static void gather(const struct tw_fmm_tables *t, int lanes, int n, const struct tw_fmm_pair *pair, double *X)
{
#if defined(TW_ISA_avx512)
    for (int l = 0; l < lanes; l += 8) {
        const double *from[8];
        for (int k = 0; k < 8; k++)
            from[k] = pair[l + k < n ? l + k : 0].src;
        for (int i = 0; i < t->stride; i += 8) {
            V r[8];
            for (int k = 0; k < 8; k++)
                r[k] = load(from[k] + i);
            transpose(r);
            for (int k = 0; k < 8; k++)
                store(X + (ptrdiff_t)(i + k) * LANES + l, r[k]);
        }
    }
#else
    for (int k = 0; k < lanes; k++) {
        const double *from = pair[k < n ? k : 0].src;
        for (int i = 0; i < t->nc; i++)
            X[(ptrdiff_t)i * LANES + k] = from[i];
    }
#endif
}

/* Lane by lane, so that two of them may have the same destination. */
static void add(const struct tw_fmm_tables *t, int n, const struct tw_fmm_pair *pair, const double *X)
{
#if defined(TW_ISA_avx512)
    for (int l = 0; l < n; l += 8) {
        for (int i = 0; i < t->stride; i += 8) {
            V r[8];
            for (int k = 0; k < 8; k++)
                r[k] = load(X + (ptrdiff_t)(i + k) * LANES + l);
            transpose(r);
            for (int k = 0; k < 8 && l + k < n; k++) {
                double *to = pair[l + k].dst + i;
                store(to, load(to) + r[k]);
            }
        }
    }
#else
    for (int k = 0; k < n; k++)
        for (int i = 0; i < t->nc; i++)
            pair[k].dst[i] += X[(ptrdiff_t)i * LANES + k];
#endif
}

/* cos and sin of m phi of every lane: cs[2 m][lane], cs[2 m + 1][lane]. */
static void azimuths(const struct tw_fmm_tables *t, int n, const struct tw_fmm_pair *pair, double *cs)
{
    for (int k = 0; k < LANES; k++) {
        const ptrdiff_t at = (ptrdiff_t)pair[k < n ? k : 0].phi * (t->p + 1);
        for (int m = 0; m <= t->p; m++) {
            cs[2 * m * LANES + k] = t->cosine[at + m];
            cs[(2 * m + 1) * LANES + k] = t->sine[at + m];
        }
    }
}

/* Turn about z by each lane's azimuth (direction 1), or back (-1), in place. */
static void turn_z(const struct tw_fmm_tables *t, int lanes, double direction, const double *cs, double *X)
{
    for (int l = 1; l <= t->p; l++)
        for (int m = 1; m <= l; m++) {
            double *c = X + (ptrdiff_t)(l * l + m) * LANES, *s = X + (ptrdiff_t)(l * l + l + m) * LANES;
            for (int k = 0; k < lanes; k += VL) {
                const V x = load(c + k), y = load(s + k), a = load(cs + 2 * m * LANES + k),
                        b = splat(direction) * load(cs + (2 * m + 1) * LANES + k);
                store(c + k, a * x + b * y);
                store(s + k, a * y - b * x);
            }
        }
}

void TW_NB(translate)(const struct tw_fmm_tables *t, const double *rotation, const double *shift, int n,
                      const struct tw_fmm_pair *pairs, double *work);
void TW_NB(translate)(const struct tw_fmm_tables *t, const double *rotation, const double *shift, int n,
                      const struct tw_fmm_pair *pairs, double *work)
{
    double *X = work, *Y = X + (ptrdiff_t)t->stride * LANES, *cs = Y + (ptrdiff_t)t->stride * LANES;

    for (int k = 0; k < n; k += LANES) {
        const struct tw_fmm_pair *pair = pairs + k;
        const int some = n - k < LANES ? n - k : LANES, lanes = LANES;
        azimuths(t, some, pair, cs);
        gather(t, lanes, some, pair, X);
        turn_z(t, lanes, 1, cs, X);
        rotate(t, lanes, rotation, 0, X, Y);
        shift_z(t, lanes, shift, Y, X);
        rotate(t, lanes, rotation, 1, X, Y);
        turn_z(t, lanes, -1, cs, Y);
        add(t, some, pair, Y);
    }
}
