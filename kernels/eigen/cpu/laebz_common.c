/* Bisection, and multisection: what of it is the same for all instruction sets. */
#include "kernels/eigen/cpu/laebz.h"
#include <float.h>
#include <math.h>
#include "kernels/isa.h"

#define DECLARE(isa)                                                                                                   \
    void tw_dsturm_##isa(int, const double *, const double *, int, const double *, int32_t *, struct tw_minor *)
DECLARE(generic);
#ifdef TW_ISA_X86
DECLARE(avx2);
DECLARE(avx512);
#endif

tw_sturm_fn tw_sturm(void)
{
    static const tw_sturm_fn table[] = {
        tw_dsturm_generic,
#ifdef TW_ISA_X86
        tw_dsturm_avx2,
        tw_dsturm_avx512,
#endif
    };
    return table[tw_isa()];
}

/* ---- brackets ---------------------------------------------------------------------------------------------------- */

static int narrow(struct tw_tolerance t, double low, double high)
{
    const double size = fmax(fabs(low), fabs(high)), middle = low + (high - low) / 2;
    return high - low <= fmax(fmax(t.absolute, DBL_MIN), t.relative * size) || !(low < middle && middle < high);
}

/* Eigenvalues [from, to) of those looked for have the same bracket. */
struct shared {
    int from, to;
};
static int wide_brackets(struct tw_tolerance t, int count, const double *low, const double *high, struct shared *s)
{
    int brackets = 0;

    for (int from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && low[to] == low[from] && high[to] == high[from];)
            to++;
        if (!narrow(t, low[from], high[from])) s[brackets++] = (struct shared){from, to};
    }
    return brackets;
}

/* What is known of one eigenvalue's own bracket, beside its ends: the determinants there; which end moved last (-1, 1);
 * and how wide it was some passes ago. */
struct bracket {
    struct tw_minor low, high;
    int moved;
    double before;
    int halve;
};
enum { PASSES = 6 };

/* Points x (ascending) inside the bracket, with their counts: each eigenvalue's new bracket. */
static void cut(struct shared s, int first, int points, const double *x, const int32_t *below,
                const struct tw_minor *minor, double *low, double *high, struct bracket *b)
{
    for (int i = s.from; i < s.to; i++) {
        int p = 0;
        while (p < points && below[p] <= first + i)
            p++;
        if (p > 0) low[i] = x[p - 1], b[i].low = minor[p - 1];
        if (p < points) high[i] = x[p], b[i].high = minor[p];
        if (points > 1) {
            b[i].moved = 0;
            continue;
        }
        if (p > 0 && b[i].moved < 0) b[i].high.power--;
        if (p == 0 && b[i].moved > 0) b[i].low.power--;
        b[i].moved = p > 0 ? -1 : 1;
    }
}

/* Where a line through both ends' determinants is zero, but not so near to an end that what is left could be wide
 * still. */
static double on_the_line(struct tw_tolerance t, double low, double high, const struct bracket *b)
{
    const double power = fmin(fmax((double)(b->high.power - b->low.power), -900), 900),
                 ratio = fabs(b->high.m / b->low.m) * ldexp(1, (int)power), middle = low + (high - low) / 2,
                 least = fmax(t.absolute, t.relative * fmax(fabs(low), fabs(high))) / 2;
    double x;

    if (b->halve || !(ratio >= 0)) return middle;
    x = fmin(fmax(low + (high - low) / (1 + ratio), low + least), high - least);
    return low < x && x < high ? x : middle;
}

/* Has each eigenvalue's own bracket become as narrow in some passes as by halves? */
static void look_back(int pass, int count, const double *low, const double *high, struct bracket *b)
{
    for (int i = 0; i < count && pass % PASSES == 0; i++) {
        const double width = high[i] - low[i];
        b[i].halve = width > b[i].before / (1 << PASSES);
        b[i].before = width;
    }
}

void tw_laebz(int n, const double *d, const double *e2, struct tw_tolerance tolerance, double least, double most,
              int first, int count, double *low, double *high)
{
    const tw_sturm_fn sturm = tw_sturm();
    struct shared s[TW_POINTS];
    struct bracket own[TW_POINTS];
    struct tw_minor minor[TW_POINTS];
    double x[TW_POINTS];
    int32_t below[TW_POINTS];
    int brackets;

    for (int i = 0; i < count; i++) {
        low[i] = least, high[i] = most;
        own[i] = (struct bracket){.low = {NAN, 0}, .high = {NAN, 0}, .before = INFINITY};
    }
    for (int pass = 1; (brackets = wide_brackets(tolerance, count, low, high, s)) > 0; pass++) {
        const int each = TW_POINTS / brackets;
        for (int b = 0; b < brackets; b++) {
            const int i = s[b].from;
            const double from = low[i], step = (high[i] - from) / (each + 1);
            for (int p = 0; p < each; p++)
                x[b * each + p] = each > 1           ? from + step * (p + 1)
                                  : s[b].to == i + 1 ? on_the_line(tolerance, from, high[i], &own[i])
                                                     : from + (high[i] - from) / 2;
        }
        sturm(n, d, e2, brackets * each, x, below, minor);
        for (int b = 0; b < brackets; b++)
            cut(s[b], first, each, x + b * each, below + b * each, minor + b * each, low, high, own);
        look_back(pass, count, low, high, own);
    }
}

/* ---- the matrix -------------------------------------------------------------------------------------------------- */

static double at(int single, const void *x, int i)
{
    return single ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* By Gershgorin's discs; room for rounding as LAPACK's. */
static void discs(int n, const double *d, const double *e2, double precision, double *least, double *most)
{
    double before = 0, room;

    *least = INFINITY, *most = -INFINITY;
    for (int i = 0; i < n; i++) {
        const double behind = i + 1 < n ? sqrt(e2[i + 1]) : 0;
        *least = fmin(*least, d[i] - before - behind);
        *most = fmax(*most, d[i] + before + behind);
        before = behind;
    }
    room = 2.1 * n * precision * fmax(fabs(*least), fabs(*most)) + 4.2 * DBL_MIN;
    *least -= room, *most += room;
}

int tw_laebz_split(int n, int single, const void *diagonal, const void *off, double abstol, double *d, double *e2,
                   int32_t *last, struct tw_laebz_form *f)
{
    const double ulp = single ? (double)FLT_EPSILON : DBL_EPSILON;
    double largest = 0;
    int blocks = 0, power;

    for (int i = 0; i < n; i++) {
        const double x = fabs(at(single, diagonal, i)), y = i + 1 < n ? fabs(at(single, off, i)) : 0;
        if (!isfinite(x) || !isfinite(y)) return 0;
        largest = fmax(largest, fmax(x, y));
    }
    (void)frexp(largest, &power);
    if (largest == 0) power = 0;
    for (int i = 0; i < n; i++)
        d[i] = ldexp(at(single, diagonal, i), -power);
    e2[0] = 0;
    for (int i = 1; i < n; i++) {
        const double e = ldexp(at(single, off, i - 1), -power), square = e * e;
        const int splits = fabs(d[i] * d[i - 1]) * ulp * ulp + DBL_MIN > square;
        e2[i] = splits ? 0 : square;
        if (splits) last[blocks++] = i - 1;
    }
    last[blocks++] = n - 1;
    *f = (struct tw_laebz_form){.power = power, .precision = ulp, .abstol = ldexp(abstol, -power)};
    discs(n, d, e2, ulp, &f->least, &f->most);
    f->from = f->least, f->to = f->most;
    return blocks;
}

struct tw_tolerance tw_laebz_bounds(int n, const double *d, const double *e2, const struct tw_laebz_form *f,
                                    double *least, double *most)
{
    double norm;

    discs(n, d, e2, f->precision, least, most);
    norm = fmax(fabs(*least), fabs(*most));
    *least = fmax(*least, f->from), *most = fmin(*most, f->to);
    return (struct tw_tolerance){f->abstol > 0 ? f->abstol : f->precision * norm, 2 * f->precision};
}
