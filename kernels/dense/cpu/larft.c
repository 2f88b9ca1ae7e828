/* The triangle T of a block reflector H = H(1) H(2) ... H(k) = I - V T V^H, from V and tau: halves, joined by
 * products. */
#include "kernels/dense/cpu/typed.h"

#define BASE 8 /* columns of T that are done one by one */

void CPU(clear_below)(int n, T *t, int ldt)
{
    for (int j = 0; j + 1 < n; j++)
        for (int i = j + 1; i < n; i++)
            *TW_AT(t, ldt, i, j) = 0;
}

void CPU(larft_join)(char storev, int p, int n1, int n2, const T *v, int ldv, T *t, int ldt)
{
    T *t12 = TW_AT(t, ldt, 0, n1), *t22 = TW_AT(t, ldt, n1, n1);
    int rest = p - n1 - n2;

    if (storev == 'C') { /* V2 begins in row n1, with a unit lower triangle */
        const T *below = v + n1, *v2 = TW_AT(v, ldv, n1, n1);
        CPU(transpose)('C', n2, n1, below, ldv, t12, ldt);
        CPU(trmm)('R', 'L', 'N', 'U', n1, n2, tw_one, v2, ldv, t12, ldt);
        if (rest > 0) CPU(gemm)('C', 'N', n1, n2, rest, tw_one, below + n2, ldv, v2 + n2, ldv, tw_one, t12, ldt);
    } else {
        const T *beside = TW_AT(v, ldv, 0, n1), *v2 = TW_AT(v, ldv, n1, n1);
        CPU(lacpy)('G', n1, n2, beside, ldv, t12, ldt);
        CPU(trmm)('R', 'U', 'C', 'U', n1, n2, tw_one, v2, ldv, t12, ldt);
        if (rest > 0) CPU(gemm)
        ('N', 'C', n1, n2, rest, tw_one, TW_AT(beside, ldv, 0, n2), ldv, TW_AT(v2, ldv, 0, n2), ldv, tw_one, t12, ldt);
    }
    CPU(trmm)('L', 'U', 'N', 'N', n1, n2, tw_minus_one, t, ldt, t12, ldt);
    CPU(trmm)('R', 'U', 'N', 'N', n1, n2, tw_one, t22, ldt, t12, ldt);
}

static void form(char storev, int p, int k, const T *v, int ldv, const T *tau, T *t, int ldt)
{
    int n1 = tw_half(k), n2 = k - n1;
    if (k <= BASE) { /* add a reflector at a time */
        for (int j = 0; j < k; j++) {
            *TW_AT(t, ldt, j, j) = tau[j];
            if (j > 0) CPU(larft_join)(storev, p, j, 1, v, ldv, t, ldt);
        }
        return;
    }
    form(storev, p, n1, v, ldv, tau, t, ldt);
    form(storev, p - n1, n2, TW_AT(v, ldv, n1, n1), ldv, tau + n1, TW_AT(t, ldt, n1, n1), ldt);
    CPU(larft_join)(storev, p, n1, n2, v, ldv, t, ldt);
}

void CPU(larft)(char storev, int p, int k, const void *v, int ldv, const void *tau, void *t, int ldt)
{
    if (k <= 0) return;
    form(storev, p, k, v, ldv, tau, t, ldt);
    CPU(clear_below)(k, t, ldt);
}

/* With U the strict upper triangle of V^H V and D = diag(tau), the recurrence of LAPACK's larft, T(0:j, j) = -tau_j
 * T(0:j, 0:j) U(0:j, j), is T (I + U D) = D: a triangular solve with a unit diagonal, which a tau of 0 does not
 * disturb. */
void CPU(larft_finish)(int k, const void *tau_, void *t_, int ldt, void *work)
{
    const T *tau = tau_;
    T *t = t_, *system = work;

    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            *TW_AT(system, k, i, j) = i < j ? tw_mul(*TW_AT(t, ldt, i, j), tau[j]) : (T)(i == j);
            *TW_AT(t, ldt, i, j) = i == j ? tau[j] : 0;
        }
    if (k > 0) CPU(trsm)('R', 'U', 'N', 'U', k, k, tw_one, system, k, t, ldt);
}
