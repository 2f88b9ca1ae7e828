/* Medians and verdicts. Wilcoxon's test and its interval: M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods,
 * sections 3.1 and 3.3; the median's interval: section 3.6. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/statistics.h"

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(const double *sorted, long n)
{
    return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

/* ---- one setting ------------------------------------------------------------------------------------------------- */

/* The largest k such that fewer than k of n fair coins fall heads with at most 2.5 %: the k-th smallest time is below
 * the true median with 97.5 % then. 0: none. */
static int order_statistic(int n)
{
    double p = pow(0.5, n), sum = 0;
    int k = 0;

    for (;; k++) {
        sum += p;
        if (sum > 0.025 || k > n / 2) return k;
        p *= (double)(n - k) / (k + 1);
    }
}

struct compare_median compare_median(const double *seconds, int count)
{
    struct compare_median m = {NAN, NAN, NAN, 0};
    double *sorted = malloc((count > 0 ? (size_t)count : 1) * sizeof *sorted);

    for (int i = 0; sorted && i < count; i++)
        if (!isnan(seconds[i])) sorted[m.count++] = seconds[i];
    if (m.count > 0) {
        qsort(sorted, (size_t)m.count, sizeof *sorted, ascending);
        m.median = middle(sorted, m.count);
        const int k = m.count < 1000 ? order_statistic(m.count) : (int)(0.5 * m.count - 0.98 * sqrt(m.count));
        if (k > 0) m.low = sorted[k - 1], m.high = sorted[m.count - k];
    }
    free(sorted);
    return m;
}

/* ---- a pair ------------------------------------------------------------------------------------------------------ */

#define EXACT 60

/* The quantile of the normal distribution, by Newton's method on erfc: p in (0, 1/2). */
static double normal_quantile(double p)
{
    double z = -sqrt(-2 * log(p));

    for (int i = 0; i < 60; i++) {
        const double f = 0.5 * erfc(-z / sqrt(2.0)) - p, slope = exp(-0.5 * z * z) / sqrt(2 * acos(-1.0));
        if (!(slope > 0)) break;
        z -= f / slope;
    }
    return z;
}

/* How many of the sorted means of pairs lie outside of the interval on either side: the largest c with P(T < c) <= tail
 * for the signed-rank statistic T of n; 0: even the outermost two do not make an interval. */
static long outside(int n, double tail)
{
    const int most = n * (n + 1) / 2;
    double ways[EXACT * (EXACT + 1) / 2 + 1] = {1}, sum = 0, all = pow(2, n);

    if (n > EXACT) { /* normal */
        const double c = 0.5 * most + normal_quantile(tail) * sqrt((double)n * (n + 1) * (2.0 * n + 1) / 24) + 0.5;
        return c > 0 ? (long)c : 0;
    }
    for (int rank = 1; rank <= n; rank++) /* of subsets of 1 … n, by their sums */
        for (int s = most; s >= rank; s--)
            ways[s] += ways[s - rank];
    for (long c = 0;; c++) {
        sum += ways[c] / all;
        if (sum > tail || 2 * c >= most) return c;
    }
}

/* Fewer blocks have no interval: even if all of them say the same, chance may have done it. */
static int least_for(double risk)
{
    int n = 1;

    while (pow(0.5, n) > 0.5 * risk)
        n++;
    return n;
}

static double risk_of_each(int settings)
{
    return COMPARE_RISK / (settings > 2 ? settings : 1);
}

int compare_least_blocks(int settings)
{
    return least_for(risk_of_each(settings));
}

/* Blocks that would narrow the interval until it decides, if nothing else changes: half widths go with
 * 1/sqrt(blocks). */
static int more_blocks(const struct compare_verdict *v, double risk, double same)
{
    const double half = 0.5 * (log(v->high) - log(v->low)), at = fabs(log(v->ratio)), room = log1p(same);
    double needed = INFINITY;
    const int least = least_for(risk);

    if (!isfinite(half) || v->low <= 0) return least > v->blocks ? least - v->blocks : 1;
    if (at > 0) needed = pow(half / at, 2);
    if (at < room) needed = fmin(needed, pow(half / (room - at), 2));
    needed = ceil(1.1 * needed * v->blocks) - v->blocks; /* a little more: the estimates move, too */
    if (!(needed <= 1000)) return 0;
    return needed < 1 ? 1 : (int)needed;
}

static void judge(struct compare_verdict *v, double risk, double same)
{
    const double room = 1 + same;

    if (v->blocks == 0)
        v->call = COMPARE_NO_DATA;
    else if (v->low >= 1 / room && v->high <= room) /* also where it is surely different, but by less than matters */
        v->call = COMPARE_SAME;
    else if (v->high < 1)
        v->call = COMPARE_FASTER;
    else if (v->low > 1)
        v->call = COMPARE_SLOWER;
    else
        v->call = COMPARE_UNDECIDED;
    v->more = v->call == COMPARE_UNDECIDED ? more_blocks(v, risk, same) : 0;
}

/* The k-th smallest (from 0), by partition (C. A. R. Hoare's FIND): of half a million means only four are asked for. */
static double smallest(double *a, long n, long k)
{
    for (long low = 0, high = n - 1; low < high;) {
        const double pivot = a[low + (high - low) / 2];
        long i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i > j) break;
            const double kept = a[i];
            a[i++] = a[j], a[j--] = kept;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return a[k];
}

struct compare_verdict compare_pair(const double *reference, const double *other, int blocks, double risk, double same)
{
    struct compare_verdict v = {.low = 0, .high = INFINITY, .ratio = NAN, .call = COMPARE_NO_DATA};
    double *d = malloc((blocks > 0 ? (size_t)blocks : 1) * sizeof *d), *means;
    long n = 0, count = 0, out;

    for (int b = 0; d && b < blocks; b++)
        if (reference[b] > 0 && other[b] > 0) d[n++] = log(other[b] / reference[b]);
    means = malloc((size_t)(n * (n + 1) / 2 + 1) * sizeof *means);
    if (!d || !means || n == 0) {
        free(d), free(means);
        return v;
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++)
            means[count++] = 0.5 * (d[i] + d[j]);
    v.blocks = (int)n;
    v.ratio = exp(0.5 * (smallest(means, count, (count - 1) / 2) + smallest(means, count, count / 2)));
    out = outside((int)n, 0.5 * risk);
    if (out > 0) v.low = exp(smallest(means, count, out - 1)), v.high = exp(smallest(means, count, count - out));
    judge(&v, risk, same);
    free(d), free(means);
    return v;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* The least median, but for setting `but`; of settings that never failed. */
static int least(const double *seconds, int settings, int blocks, int but)
{
    double found = INFINITY;
    int best = -1;

    for (int s = 0; s < settings; s++) {
        const struct compare_median m = compare_median(seconds + (long)s * blocks, blocks);
        if (s == but || m.count < blocks || m.count == 0 || !(m.median < found)) continue;
        found = m.median, best = s;
    }
    return best;
}

int compare_all(const double *seconds, int settings, int blocks, double same, struct compare_verdict *verdict,
                int *best, int *next)
{
    const double risk = risk_of_each(settings);
    int n = 0;

    *best = least(seconds, settings, blocks, -1);
    *next = *best < 0 ? -1 : least(seconds, settings, blocks, *best);
    for (int s = 1; s < settings; s++) {
        verdict[n] = compare_pair(seconds, seconds + (long)s * blocks, blocks, risk, same);
        verdict[n].reference = 0;
        verdict[n++].other = s;
    }
    if (*best > 0 && *next > 0) {
        verdict[n] = compare_pair(seconds + (long)*next * blocks, seconds + (long)*best * blocks, blocks, risk, same);
        verdict[n].reference = *next;
        verdict[n++].other = *best;
    }
    return n;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* splitmix64 */
unsigned long long compare_random(unsigned long long *state)
{
    unsigned long long z = *state += 0x9E3779B97F4A7C15ULL;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

void compare_shuffle(int *order, int n, unsigned long long *state)
{
    for (int k = n - 1; k > 0; k--) {
        const int j = (int)(compare_random(state) % (unsigned)(k + 1)), kept = order[k];
        order[k] = order[j];
        order[j] = kept;
    }
}
