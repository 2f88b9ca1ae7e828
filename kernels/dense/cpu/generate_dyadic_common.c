/* Matrices whose LU factorization is exact and full of ties (io/dense/generate_dyadic.c): entries of L, of U, and of
 * their product. */
#include "kernels/dense/cpu/generate.h"
#include "runtime/base/types.h"

enum {
    DIAGONAL = -5,
    UPPER = -6,
    OTHERS = 3
}; /* columns of random numbers that no entry uses; elements of U above the diagonal */

struct number {
    double re, im;
};

static struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* A sign, or for complex types one of 1, i, -1, -i, times x. */
static struct number unit(int complex, uint64_t h, double x)
{
    if (h & 1) x = -x;
    return complex && h & 2 ? (struct number){0.0, x} : (struct number){x, 0.0};
}

static tw_int partner(const struct tw_generator *g, tw_int i)
{
    return (tw_int)g->work[i];
}

/* Pivots of half of the columns of complex matrices point along 1 + i. */
static int is_oblique(const struct tw_generator *g, uint64_t h)
{
    return tw_is_complex(g->type) && (h >> 8 & 1);
}

static struct number diagonal(const struct tw_generator *g, tw_int k)
{
    const uint64_t h = tw_hash(g->stream[0], k, DIAGONAL);
    const struct number u = unit(tw_is_complex(g->type), h, 0.5 * (double)(1 << (h >> 4) % 3));
    return is_oblique(g, h) ? times(u, (struct number){1.0, 1.0}) : u;
}

/* A multiplier that makes an element as large as the pivot, by |re| + |im|: a unit, or (1 + i)/2 beside a pivot along
 * an axis, 1 - i beside one along 1 + i. */
static struct number tie(const struct tw_generator *g, uint64_t h, tw_int k)
{
    const int complex = tw_is_complex(g->type);
    const struct number u = unit(complex, h, 1.0);

    if (!complex || h & 4) return u;
    return times(u, is_oblique(g, tw_hash(g->stream[0], k, DIAGONAL)) ? (struct number){1.0, -1.0}
                                                                      : (struct number){0.5, 0.5});
}

/* Where row i of L U, i > k, is before the exchange of step k. Its own exchange, if any, is at step min(i, partner). */
static tw_int position(const struct tw_generator *g, tw_int i, tw_int k)
{
    const tw_int p = partner(g, i);
    return k <= tw_min(i, p) ? p : i;
}

static struct number lower(const struct tw_generator *g, tw_int i, tw_int k)
{
    const double *levels = g->work + g->m;

    if (i == k) return (struct number){1.0, 0.0};
    if (i < k || levels[i] <= levels[k]) return (struct number){0.0, 0.0};
    const uint64_t h = tw_hash(g->stream[0], i, k);
    const int kind = (int)(h >> 16 & 7);
    if (kind == 0) return (struct number){0.0, 0.0};
    return kind > 4 || position(g, i, k) < partner(g, k) ? unit(tw_is_complex(g->type), h, 0.5) : tie(g, h, k);
}

void tw_column_dyadic(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    const tw_int pivots = tw_min(g->m, g->n), above = tw_min(j, pivots);
    const int others = above > 0 ? OTHERS : 0;
    tw_int row[OTHERS + 1];
    struct number u[OTHERS + 1];
    int count = 0;

    for (; count < others; count++) {
        const uint64_t h = tw_hash(g->stream[0], j, UPPER - count);
        row[count] = (tw_int)((h >> 16) % (uint64_t)above);
        u[count] = unit(tw_is_complex(g->type), h, 0.5 * (double)(1 << (h >> 4 & 15) % 3));
    }
    if (j < pivots) row[count] = j, u[count++] = diagonal(g, j);
    for (tw_int i = 0; i < m; i++) {
        const tw_int final = partner(g, i0 + i);
        struct number s = {0.0, 0.0};
        for (int k = 0; k < count; k++) {
            const struct number t = times(lower(g, final, row[k]), u[k]);
            s.re += t.re, s.im += t.im;
        }
        re[i] = s.re;
        if (im) im[i] = s.im;
    }
}
