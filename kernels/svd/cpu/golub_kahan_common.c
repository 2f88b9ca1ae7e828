/* Bisection, and multisection, for singular values: what of it is the same for all instruction sets. Intervals are cut
 * between numbers as their bits count them, so that tiny values take no more steps than others and none stays
 * inexact. */
#include "kernels/svd/cpu/golub_kahan.h"
#include <math.h>
#include <string.h>
#include "kernels/isa.h"

#define DECLARE(isa) void tw_dgk_count_##isa(int, const double *, int, const double *, int32_t *)
DECLARE(generic);
#ifdef TW_ISA_X86
DECLARE(avx2);
DECLARE(avx512);
#endif

tw_gk_count_fn tw_gk_count(void)
{
    static const tw_gk_count_fn table[] = {
        tw_dgk_count_generic,
#ifdef TW_ISA_X86
        tw_dgk_count_avx2,
        tw_dgk_count_avx512,
#endif
    };
    return table[tw_isa()];
}

/* ---- numbers in their order: of those that are not negative the bits are ----------------------------------------- */

static uint64_t place(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static double number(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- the chain --------------------------------------------------------------------------------------------------- */

static double at(int single, const void *x, int i)
{
    return fabs(single ? (double)((const float *)x)[i] : ((const double *)x)[i]);
}

/* The largest element q about 2^25: then both q^2 / x, which a pivot may become, and x beside the smallest pivot,
 * 2^-1022, keep their digits for values x down to 2^-990 of the largest. */
enum { LARGEST = 25 };

void tw_gk_chain(int n, int single, const void *d, const void *e, double *chain, int *power, double *most)
{
    double largest = 0;

    for (int i = 0; i < n; i++) {
        chain[2 * i] = at(single, d, i);
        if (i + 1 < n) chain[2 * i + 1] = at(single, e, i);
    }
    for (int i = 0; i < 2 * n - 1; i++)
        largest = fmax(largest, chain[i]);
    *power = 0;
    if (largest > 0) (void)frexp(largest, power), *power -= LARGEST;
    for (int i = 0; i < 2 * n - 1; i++)
        chain[i] = ldexp(chain[i], -*power);
    *most = 2 * ldexp(largest, -*power) * (1 + 1e-14); /* |B| is at most the largest d and the largest e */
}

int tw_gk_less(int n, const double *chain, double most, double x)
{
    double before;
    int32_t below;

    if (!(x > 0)) return 0;
    if (x > most) return n;
    before = number(place(x) - 1);
    tw_gk_count()(2 * n - 1, chain, 1, &before, &below);
    return below > n ? below - n : 0;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Values [from, to) of those looked for have the same bracket. */
struct shared {
    int from, to;
};
static int wide_brackets(int count, const uint64_t *low, const uint64_t *high, struct shared *s)
{
    int brackets = 0;

    for (int from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && low[to] == low[from] && high[to] == high[from];)
            to++;
        if (high[from] - low[from] > 1) s[brackets++] = (struct shared){from, to};
    }
    return brackets;
}

/* Point p (from 0) of `points` between low and high, which differ by more than 1; some may be the same, and low
 * itself. */
static uint64_t point(uint64_t low, uint64_t high, int p, int points)
{
    const uint64_t gap = (high - low) / (uint64_t)(points + 1), rest = (high - low) % (uint64_t)(points + 1);
    return low + gap * (uint64_t)(p + 1) + rest * (uint64_t)(p + 1) / (uint64_t)(points + 1);
}

void tw_gk_values(int n, const double *chain, double most, int first, int count, double *s)
{
    const tw_gk_count_fn count_below = tw_gk_count();
    uint64_t low[TW_GK_POINTS], high[TW_GK_POINTS]; /* the place of value i is in (low, high] */
    struct shared shared[TW_GK_POINTS];
    double x[TW_GK_POINTS];
    int32_t below[TW_GK_POINTS];
    int brackets;

    for (int i = 0; i < count; i++)
        low[i] = 0, high[i] = place(most) + 1;
    while ((brackets = wide_brackets(count, low, high, shared)) > 0) {
        const int each = TW_GK_POINTS / brackets;
        for (int b = 0; b < brackets; b++)
            for (int p = 0; p < each; p++)
                x[b * each + p] = number(point(low[shared[b].from], high[shared[b].from], p, each));
        count_below(2 * n - 1, chain, brackets * each, x, below);
        for (int b = 0; b < brackets; b++)
            for (int i = shared[b].from; i < shared[b].to; i++) {
                const int needed = n + (n - 1 - (first + i)); /* at most so many eigenvalues are at most low */
                int p = 0;
                while (p < each && below[b * each + p] <= needed)
                    p++;
                if (p > 0) low[i] = place(x[b * each + p - 1]);
                if (p < each) high[i] = place(x[b * each + p]);
            }
    }
    for (int i = 0; i < count; i++)
        s[i] = number(high[i] == 1 ? 0 : high[i]); /* the smallest number of all is nothing's value */
}
