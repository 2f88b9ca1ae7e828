/* Entries from a table that was made before: of a spectrum (io/dense/generate_spectrum.c: A = D - sum_l (v_l w_l^H +
 * w_l v_l^H)), and of a Gaussian process (io/dense/generate_gp.c). */
#include <math.h>
#include <string.h>
#include "kernels/dense/cpu/generate.h"

/* A(j, i) is the conjugate of A(i, j) bit for bit because the formulas below are, product by product: no fused
 * operations. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

static void add_real(const tw_generator *g, int l, tw_int i0, tw_int m, tw_int j, double *restrict x)
{
    const double *restrict v = tw_spectrum_vector(g, l, TW_SPECTRUM_VR) + i0, *restrict w = tw_spectrum_vector(
                                                                                                g, l, TW_SPECTRUM_WR) +
                                                                                            i0;
    const double vj = v[j - i0], wj = w[j - i0];

    for (tw_int i = 0; i < m; i++)
        x[i] += v[i] * wj + w[i] * vj;
}

static void add_complex(const tw_generator *g, int l, tw_int i0, tw_int m, tw_int j, double *restrict x,
                        double *restrict y)
{
    const double *restrict vr = tw_spectrum_vector(g, l, TW_SPECTRUM_VR) + i0, *restrict vi =
                                                                                   tw_spectrum_vector(g, l,
                                                                                                      TW_SPECTRUM_VI) +
                                                                                   i0;
    const double *restrict wr = tw_spectrum_vector(g, l, TW_SPECTRUM_WR) + i0, *restrict wi =
                                                                                   tw_spectrum_vector(g, l,
                                                                                                      TW_SPECTRUM_WI) +
                                                                                   i0;
    const double vrj = vr[j - i0], vij = vi[j - i0], wrj = wr[j - i0], wij = wi[j - i0];

    for (tw_int i = 0; i < m; i++) {
        x[i] += (vr[i] * wrj + vi[i] * wij) + (wr[i] * vrj + wi[i] * vij);
        y[i] += (vi[i] * wrj - vr[i] * wij) + (wi[i] * vrj - wr[i] * vij);
    }
}

void tw_column_spectrum(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im)
{
    memset(re, 0, (size_t)m * sizeof *re);
    if (im) memset(im, 0, (size_t)m * sizeof *im);
    for (int l = 0; l < g->k; l++)
        if (im)
            add_complex(g, l, i0, m, j, re, im);
        else
            add_real(g, l, i0, m, j, re);
    for (tw_int i = 0; i < m; i++)
        re[i] = (i0 + i == j ? g->work[j] : 0.0) - re[i];
    if (im)
        for (tw_int i = 0; i < m; i++)
            im[i] = 0.0 - im[i];
}

/* exp(-|x_i - x_j|^2 / (2 length^2)) + noise^2 [i = j]. */
void tw_column_gp(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *restrict re, double *im)
{
    (void)im;
    memset(re, 0, (size_t)m * sizeof *re);
    for (tw_int c = 0; c < g->k; c++) {
        const double *restrict x = g->work + (size_t)c * (size_t)g->n + i0;
        const double xj = x[j - i0];
        for (tw_int i = 0; i < m; i++)
            re[i] += (x[i] - xj) * (x[i] - xj);
    }
    for (tw_int i = 0; i < m; i++)
        re[i] = exp(g->scale * re[i]);
    if (j >= i0 && j < i0 + m) re[j - i0] += g->shift;
}
