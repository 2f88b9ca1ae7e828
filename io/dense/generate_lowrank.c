/* lowrank:R: A = X Y^H, X m x R and Y n x R, whose elements (real and imaginary parts) are odd multiples of 1/8 in (-1,
 * 1).
 *
 * Elements of A are sums of at most 2 R multiples of 1/64: none is rounded, in any type, up to R = 2^17, and so A is
 * exactly of rank R (but where X or Y happens not to be of full rank, which for random elements takes tiny shapes). */
#include "io/dense/generate.h"

enum { LEFT = -1, RIGHT = -2 }; /* columns of random numbers that no entry uses */

static void fill(const tw_generator *g, tw_int n, tw_int from, double *re, double *im)
{
    for (tw_int i = 0; i < n; i++) {
        const uint64_t h = tw_hash(g->stream[0], i, from);
        re[i] = 0.125 * (double)(2 * (int)(h & 7) - 7);
        im[i] = tw_is_complex(g->type) ? 0.125 * (double)(2 * (int)(h >> 3 & 7) - 7) : 0.0;
    }
}

int tw_setup_lowrank(tw_generator *g, const char *parameters)
{
    const tw_int most = tw_min(g->m, g->n);
    const char *end = "";
    double doubles;
    int e;

    if (!parameters || tw_integer_parse(parameters, &end, &g->k) != TW_NUMBER_OK || *end)
        return tw_kind_fail(g, "write lowrank:R with a whole number, not \"%.200s\"", parameters ? parameters : "");
    if (g->k < 0 || g->k > most)
        return tw_kind_fail(g, "%lld does not lie in 0 … min(m, n) = %lld", (long long)g->k, (long long)most);
    doubles = 2.0 * (double)g->k * ((double)g->m + (double)g->n);
    if ((e = tw_io_fits("kind \"lowrank\": its factors", doubles * sizeof *g->work))) return e;
    if (!(g->work = tw_io_alloc("kind \"lowrank\": its factors", (tw_int)doubles, sizeof *g->work, &e))) return e;
    for (tw_int l = 0; l < g->k; l++) {
        const struct tw_outer o = tw_outer_product(g, g->work, l);
        fill(g, g->m, LEFT - 2 * l, o.xr, o.xi);
        fill(g, g->n, RIGHT - 2 * l, o.yr, o.yi);
    }
    return 0;
}
