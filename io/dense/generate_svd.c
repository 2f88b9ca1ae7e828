/* svd:C[,mode]: a matrix with known singular values, m x n.
 *
 *   A = U D V^H,  U = U_1 U_2 U_3, V = V_1 V_2 V_3,  each factor a reflector I - 2 v v^H  (|v| = 1, from the seed).
 *
 * A reflector from the left subtracts u (2 B^H u)^H, one from the right (2 B v) v^H; the six leave A = D - sum_l x_l
 * y_l^H: the vectors are computed once, then an entry costs six products. Entries are rounded at about 1 / n, so that
 * singular values are D's to a few eps times the largest.
 *
 * Modes as LAPACK's latms has them: 1: one singular value 1, the others 1/C; 2: all 1, the last one 1/C; 3:
 * C^(-i/(k-1)), k = min(m, n); 4: evenly spaced; 5: between 1/C and 1, the logarithms uniform; 6: uniform in (0, 1),
 * whatever C is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/dense/generate.h"
#include "io/dense/vectors.h" /* no fused operations from here on */

enum {
    REFLECTORS = 3,
    VALUES = -1,
    LEFT = -2,
    RIGHT = LEFT - REFLECTORS
}; /* columns of random numbers that no entry uses */

static int read_parameters(tw_generator *g, const char *s, double *c, tw_int *mode)
{
    const char *end;

    *c = tw_is_single(g->type) ? 1e4 : 1e10;
    *mode = 3;
    if (!s) return 0;
    if (tw_number_parse(s, &end, c) != TW_NUMBER_OK || (*end && *end != ',') || !(*c >= 1.0))
        return tw_kind_fail(g, "C must be a number from 1 on, not \"%.200s\"", s);
    if (!*end) return 0;
    if (tw_integer_parse(end + 1, &s, mode) == TW_NUMBER_OK && !*s && *mode >= 1 && *mode <= 6) return 0;
    return tw_kind_fail(g, "the mode is a number from 1 to 6, as in LAPACK's latms, not \"%.200s\"", end + 1);
}

static void fill_values(const tw_generator *g, double *d, tw_int k, double c, tw_int mode)
{
    for (tw_int i = 0; i < k; i++) {
        const double t = k > 1 ? (double)i / (double)(k - 1) : 0.0, u = tw_uniform(g->stream[0], i, VALUES);
        switch (mode) {
        case 1: d[i] = i == 0 ? 1.0 : 1.0 / c; break;
        case 2: d[i] = i < k - 1 || k == 1 ? 1.0 : 1.0 / c; break;
        case 3: d[i] = pow(c, -t); break;
        case 4: d[i] = (1.0 - t) + t / c; break;
        case 5: d[i] = pow(c, -0.5 * (1.0 + u)); break;
        default: d[i] = fabs(u); break;
        }
    }
}

/* y = 2 B^H x, B = D - (the terms before l). */
static void to_the_right(const tw_generator *g, tw_int k, tw_int l, const struct tw_outer *to)
{
    double s[2];

    memset(to->yr, 0, (size_t)g->n * sizeof *to->yr);
    memset(to->yi, 0, (size_t)g->n * sizeof *to->yi);
    for (tw_int i = 0; i < k; i++)
        to->yr[i] = g->work[i] * to->xr[i], to->yi[i] = g->work[i] * to->xi[i];
    for (tw_int b = 0; b < l; b++) {
        const struct tw_outer o = tw_outer_product(g, g->work + k, b);
        tw_vectors_dot(g->m, o.xr, o.xi, to->xr, to->xi, s);
        tw_vectors_subtract(g->n, o.yr, o.yi, s, to->yr, to->yi);
    }
    for (tw_int j = 0; j < g->n; j++)
        to->yr[j] *= 2.0, to->yi[j] *= 2.0;
}

/* x = 2 B y. */
static void to_the_left(const tw_generator *g, tw_int k, tw_int l, const struct tw_outer *to)
{
    double s[2];

    memset(to->xr, 0, (size_t)g->m * sizeof *to->xr);
    memset(to->xi, 0, (size_t)g->m * sizeof *to->xi);
    for (tw_int i = 0; i < k; i++)
        to->xr[i] = g->work[i] * to->yr[i], to->xi[i] = g->work[i] * to->yi[i];
    for (tw_int b = 0; b < l; b++) {
        const struct tw_outer o = tw_outer_product(g, g->work + k, b);
        tw_vectors_dot(g->n, o.yr, o.yi, to->yr, to->yi, s);
        tw_vectors_subtract(g->m, o.xr, o.xi, s, to->xr, to->xi);
    }
    for (tw_int i = 0; i < g->m; i++)
        to->xr[i] *= 2.0, to->xi[i] *= 2.0;
}

int tw_setup_svd(tw_generator *g, const char *parameters)
{
    const tw_int k = tw_min(g->m, g->n);
    double c, doubles = (double)k + 4.0 * REFLECTORS * ((double)g->m + (double)g->n);
    tw_int mode;
    int e;

    if ((e = read_parameters(g, parameters, &c, &mode))) return e;
    if ((e = tw_io_fits("kind \"svd\": its vectors", doubles * sizeof *g->work))) return e;
    if (!(g->work = tw_io_alloc("kind \"svd\": its vectors", (tw_int)doubles, sizeof *g->work, &e))) return e;
    fill_values(g, g->work, k, c, mode);
    for (int l = 0; l < REFLECTORS; l++) {
        const struct tw_outer left = tw_outer_product(g, g->work + k, g->k);
        tw_vectors_unit(g, g->m, LEFT - l, left.xr, left.xi);
        to_the_right(g, k, g->k++, &left);
        const struct tw_outer right = tw_outer_product(g, g->work + k, g->k);
        tw_vectors_unit(g, g->n, RIGHT - l, right.yr, right.yi);
        to_the_left(g, k, g->k++, &right);
    }
    return 0;
}
