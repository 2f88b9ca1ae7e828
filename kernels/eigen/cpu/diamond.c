/* Diamonds: the reflectors of one step of consecutive sweeps, each one row below the one before it, as a block
 * reflector. */
#include <string.h>
#include "kernels/dense/cpu/typed.h"
#include "kernels/eigen/cpu/diamond.h"

/* Row q of V^H: zeros, a one in column q behind the leading ones, the reflector's rest, zeros. tau(q) beside it. */
static void expand(const struct tw_chase_shape *c, int bundle, int k, const void *const *v, T *to, T *tau)
{
    const struct tw_diamond d = tw_chase_diamond(c, bundle, k);

    memset(to, 0, (size_t)tw_chase_ld(c) * (size_t)c->width * sizeof(T));
    to = TW_AT(to, c->width, 0, c->lead);
    for (int q = 0; q < d.columns; q++) {
        const int g = q % c->depth, rows = tw_chase_rows(c, bundle * c->width + q, k);
        const T *from = (const T *)v[q / c->depth] + (size_t)tw_chase_kept(c, g, k) * (size_t)c->b;
        tau[q] = from[0];
        *TW_AT(to, c->width, q, q) = 1;
        for (int r = 1; r < rows; r++)
            *TW_AT(to, c->width, q, q + r) = TW_CONJ(from[r]);
    }
}

static void form(const struct tw_chase_shape *c, int bundle, int k, const void *const *v, void *to, void *work)
{
    const struct tw_diamond d = tw_chase_diamond(c, bundle, k);
    const int ld = tw_chase_ld(c), width = c->width;
    T *vh = to, *vt = TW_AT(vh, width, 0, ld), *t = work, *more = TW_AT(t, width, 0, width),
      *tau = TW_AT(more, width, 0, width);

    expand(c, bundle, k, v, vh, tau);
    memset(vt, 0, (size_t)ld * (size_t)width * sizeof(T));
    vh = TW_AT(vh, width, 0, c->lead);
    CPU(herk)('U', 'N', d.columns, d.rows, 1, vh, width, 0, t, width);
    CPU(larft_finish)(d.columns, tau, t, width, more);
    CPU(gemm)
    (TW_IS_COMPLEX ? 'C' : 'T', 'N', d.rows, d.columns, d.columns, tw_one, vh, width, t, width, tw_zero, vt + c->lead,
     ld);
}

static void apply(const struct tw_chase_shape *c, int bundle, int k, const void *diamond, int columns, void *z, int ldz,
                  void *work)
{
    const struct tw_diamond d = tw_chase_diamond(c, bundle, k);
    const int ld = tw_chase_ld(c);
    const T *vh = TW_AT((const T *)diamond, c->width, 0, c->lead),
            *vt = TW_AT((const T *)diamond, c->width, 0, ld) + c->lead;
    T *rows = (T *)z + d.row;

    CPU(gemm)('N', 'N', d.columns, columns, d.rows, tw_one, vh, c->width, rows, ldz, tw_zero, work, c->width);
    CPU(gemm)('N', 'N', d.rows, columns, d.columns, tw_minus_one, vt, ld, work, c->width, tw_one, rows, ldz);
}

const struct tw_diamond_kernels CPU(diamond) = {form, apply};
