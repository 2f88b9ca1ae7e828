/* spectrum:C[,mode]: a symmetric or hermitian positive definite matrix with known eigenvalues.
 *
 *   A = H_k … H_1 D H_1 … H_k,  H_l = I - 2 v_l v_l^H  (|v_l| = 1, from the seed),  k = 3.
 *
 * As in LAPACK's two-sided reduction (sytd2), H B H = B - v w^H - w v^H with p = 2 B v, w = p - (v^H p) v. All k
 * steps applied to D leave A = D - sum_l (v_l w_l^H + w_l v_l^H): 2 k vectors are computed once, then an entry
 * costs O(k). Entries are rounded at about 1 / n, so that eigenvalues are those of D to a few eps: 1e-12 keeps
 * three to four digits in double precision.
 *
 * Modes (LAPACK's latms 3, 4, 1, 2; SLATE's names): geo d_i = C^(-i/(n-1)); arith evenly spaced; cluster0 one
 * eigenvalue 1, the others 1/C; cluster1 all 1, the last one 1/C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/dense/generate.h"
#include "io/dense/vectors.h" /* no fused operations from here on */

/* ---- parameters ------------------------------------------------------------------------------------------------ */

static const char *const modes[] = {"geo", "arith", "cluster0", "cluster1"};

static int read_parameters(tw_generator *g, const char *s, double *c, int *mode)
{
    /* Beyond the limit rounding the entries alone can make the matrix indefinite. */
    const int single = tw_is_single(g->type);
    const double limit = single ? 1e5 : 1e12;
    const char *end;

    *c = single ? 1e4 : 1e12;
    *mode = 0;
    if (!s) return 0;
    if (tw_number_parse(s, &end, c) != TW_NUMBER_OK || (*end && *end != ',') || !(*c >= 1.0 && *c <= limit))
        return tw_kind_fail(g, "C must be a number from 1 to %g (in %s precision), not \"%.200s\"", limit,
                            single ? "single" : "double", s);
    if (!*end) return 0;
    for (*mode = 0; *mode < 4; ++*mode)
        if (!strcmp(end + 1, modes[*mode])) return 0;
    return tw_kind_fail(g, "the spectrum is one of geo, arith, cluster0, cluster1, not \"%.200s\"", end + 1);
}

static void fill_spectrum(double *d, tw_int n, double c, int mode)
{
    for (tw_int i = 0; i < n; i++) {
        double t = n > 1 ? (double)i / (double)(n - 1) : 0.0;
        switch (mode) {
        case 0: d[i] = pow(c, -t); break;
        case 1: d[i] = (1.0 - t) + t / c; break;
        case 2: d[i] = i == 0 ? 1.0 : 1.0 / c; break;
        default: d[i] = i < n - 1 || n == 1 ? 1.0 : 1.0 / c; break;
        }
    }
}

/* ---- the reflectors -------------------------------------------------------------------------------------------- */

/* w_l = p - (v^H p) v, p = 2 B v, B = D - (what the steps before l subtracted). */
static void fill_update(const tw_generator *g, int l)
{
    const tw_int n = g->n;
    const double *d = g->work, *vr = tw_spectrum_vector(g, l, TW_SPECTRUM_VR),
                 *vi = tw_spectrum_vector(g, l, TW_SPECTRUM_VI);
    double *wr = tw_spectrum_vector(g, l, TW_SPECTRUM_WR), *wi = tw_spectrum_vector(g, l, TW_SPECTRUM_WI), s[2];

    for (tw_int i = 0; i < n; i++)
        wr[i] = d[i] * vr[i], wi[i] = d[i] * vi[i];
    for (int k = 0; k < l; k++) {
        tw_vectors_dot(n, tw_spectrum_vector(g, k, TW_SPECTRUM_WR), tw_spectrum_vector(g, k, TW_SPECTRUM_WI), vr, vi,
                       s);
        tw_vectors_subtract(n, tw_spectrum_vector(g, k, TW_SPECTRUM_VR), tw_spectrum_vector(g, k, TW_SPECTRUM_VI), s,
                            wr, wi);
        tw_vectors_dot(n, tw_spectrum_vector(g, k, TW_SPECTRUM_VR), tw_spectrum_vector(g, k, TW_SPECTRUM_VI), vr, vi,
                       s);
        tw_vectors_subtract(n, tw_spectrum_vector(g, k, TW_SPECTRUM_WR), tw_spectrum_vector(g, k, TW_SPECTRUM_WI), s,
                            wr, wi);
    }
    for (tw_int i = 0; i < n; i++)
        wr[i] *= 2.0, wi[i] *= 2.0;
    tw_vectors_dot(n, vr, vi, wr, wi, s);
    s[1] = 0.0; /* v^H B v is real */
    tw_vectors_subtract(n, vr, vi, s, wr, wi);
}

int tw_setup_spectrum(tw_generator *g, const char *parameters)
{
    double c;
    int mode, e;

    if ((e = read_parameters(g, parameters, &c, &mode))) return e;
    g->work =
        tw_io_alloc("kind \"spectrum\": its vectors", g->n, (1 + 4 * TW_SPECTRUM_REFLECTORS) * sizeof *g->work, &e);
    if (!g->work) return e;
    fill_spectrum(g->work, g->n, c, mode);
    g->k = g->n > 1 ? TW_SPECTRUM_REFLECTORS : 0; /* of order 1 a reflector is -1 */
    for (int l = 0; l < g->k; l++) {
        tw_vectors_unit(g, g->n, -1 - l, tw_spectrum_vector(g, l, TW_SPECTRUM_VR),
                        tw_spectrum_vector(g, l, TW_SPECTRUM_VI));
        fill_update(g, l);
    }
    return 0;
}
