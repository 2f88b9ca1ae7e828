/* Z = (I - V T V^H) Z with V a parallelogram, for some columns of Z at a time: W = V^H Z, Z -= (V T) W, in registers,
 * without V's zeros.
 *
 * V's column q reaches from row q to q + b - 1; V T's to there from row 0. A column of Z is computed alike whatever
 * columns are beside it. */
#include "kernels/eigen/cpu/diamond.h"
#include "kernels/eigen/cpu/hb2st_vector.h"

#if defined(TW_ISA_avx512)
#define STRIP (10 / PLANES) /* columns of Z: with two vectors and a column's element all registers but a few */
#else
#define STRIP (6 / PLANES)
#endif
#define INLINE static inline __attribute__((always_inline))

struct diamond {
    int b, width, ld, rows, columns;
    const R *vh, *vt;
};

/* x + i y, in lanes */
static inline V together(V x, V y)
{
#if TW_IS_COMPLEX
    for (int l = 0; l < VL; l += 2) {
        x[l] -= y[l + 1];
        x[l + 1] += y[l];
    }
#else
    (void)y;
#endif
    return x;
}
INLINE V joined(const V s[PLANES])
{
    return together(s[0], s[PLANES - 1]);
}

/* s += V^H(q0 …, r) Z(r, :), the vectors first … last - 1 of the two, rows from … to - 1 */
INLINE void gather(const int first, const int last, const int count, int from, int to, const R *vh, size_t width,
                   const R *z, size_t ldz, V s[2][STRIP][PLANES])
{
    for (int r = from; r < to; r++) {
        V x[2];
        for (int v = first; v < last; v++)
            x[v] = load(vh + (size_t)r * width + v * VL);
        for (int c = 0; c < count; c++)
            for (int p = 0; p < PLANES; p++) {
                const R y = z[(size_t)c * ldz + (size_t)(r * PLANES + p)];
                for (int v = first; v < last; v++)
                    s[v][c][p] += x[v] * y;
            }
    }
}

/* W(q, :) for the elements q of two vectors, of `count` columns. */
INLINE void inner(const int count, const struct diamond *d, int q, const R *z, size_t ldz, R *w)
{
    const size_t width = (size_t)d->width * PLANES;
    const int one = d->rows < q + EACH ? d->rows : q + EACH, end = q + EACH + d->b - 1, last = end + EACH;
    const int two = d->rows < end ? d->rows : end, three = d->rows < last ? d->rows : last;
    const R *vh = d->vh + (size_t)q * PLANES;
    V s[2][STRIP][PLANES];

    for (int v = 0; v < 2; v++)
        for (int c = 0; c < count; c++)
            for (int p = 0; p < PLANES; p++)
                s[v][c][p] = (V){0};
    gather(0, 1, count, q, one, vh, width, z, ldz, s);
    gather(0, 2, count, one, two, vh, width, z, ldz, s);
    gather(1, 2, count, two, three, vh, width, z, ldz, s);
    for (int v = 0; v < 2; v++)
        for (int c = 0; c < count; c++)
            store(w + (size_t)c * width + (size_t)(q * PLANES + v * VL), joined(s[v][c]));
}

/* Z(r …, :) -= V T(r …, :) W for the rows of two vectors, of which `rows` are there. */
INLINE void outer(const int count, const struct diamond *d, int r, int rows, const R *w, R *z, size_t ldz)
{
    const size_t ld = (size_t)d->ld * PLANES, width = (size_t)d->width * PLANES;
    const R *vt = d->vt + (size_t)r * PLANES;
    V s[2][STRIP][PLANES];

    for (int v = 0; v < 2; v++)
        for (int c = 0; c < count; c++)
            for (int p = 0; p < PLANES; p++)
                s[v][c][p] = (V){0};
    for (int q = r >= d->b ? r - d->b + 1 : 0; q < d->columns; q++) {
        V x[2];
        for (int v = 0; v < 2; v++)
            x[v] = load(vt + (size_t)q * ld + v * VL);
        for (int c = 0; c < count; c++)
            for (int p = 0; p < PLANES; p++) {
                const R y = w[(size_t)c * width + (size_t)(q * PLANES + p)];
                for (int v = 0; v < 2; v++)
                    s[v][c][p] += x[v] * y;
            }
    }
    for (int c = 0; c < count; c++)
        for (int v = 0; v < 2; v++) {
            R *to = z + (size_t)c * ldz + (size_t)(r * PLANES + v * VL), part[VL];
            const V x = joined(s[v][c]);
            if ((v + 1) * EACH <= rows) {
                store(to, load(to) - x);
                continue;
            }
            store(part, x);
            for (int l = 0; l < (rows - v * EACH) * PLANES; l++)
                to[l] -= part[l];
        }
}

INLINE void strip(const int count, const struct diamond *d, R *z, size_t ldz, R *w)
{
    for (int q = 0; q < d->columns; q += 2 * EACH)
        inner(count, d, q, z, ldz, w);
    for (int r = 0; r < d->rows; r += 2 * EACH)
        outer(count, d, r, d->rows - r < 2 * EACH ? d->rows - r : 2 * EACH, w, z, ldz);
}

void TW_ISA_NAME(diamond_apply)(const struct tw_chase_shape *c, int bundle, int k, const void *diamond, int columns,
                                void *z, int ldz, void *work)
{
    const struct tw_diamond shape = tw_chase_diamond(c, bundle, k);
    const R *vh = diamond;
    const struct diamond d = {.b = c->b,
                              .width = c->width,
                              .ld = tw_chase_ld(c),
                              .rows = shape.rows,
                              .columns = shape.columns,
                              .vh = vh + (size_t)c->lead * (size_t)c->width * PLANES,
                              .vt = vh + ((size_t)c->width * (size_t)tw_chase_ld(c) + (size_t)c->lead) * PLANES};
    const size_t across = (size_t)ldz * PLANES;
    R *at = (R *)z + (size_t)shape.row * PLANES;
    int j = 0;

    for (; j + STRIP <= columns; j += STRIP, at += STRIP * across)
        strip(STRIP, &d, at, across, work);
    for (; j + STRIP / 2 <= columns; j += STRIP / 2, at += STRIP / 2 * across)
        strip(STRIP / 2, &d, at, across, work);
    for (; j < columns; j++, at += across)
        strip(1, &d, at, across, work);
}
/* Bundles are to be so many vectors' elements wide. */
const int TW_ISA_NAME(diamond_step) = 2 * EACH;
