/* The independent check: sums by the definition in long double, for a few elements. The sums for input elements run over all of the
 * output, so that an error anywhere in it shows. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include "cli/fft/fft.h"

typedef long double _Complex zl;

static zl element(const struct array *a, tw_int line, tw_int at)
{
    tw_int k = line * a->pitch + at;
    if (a->is_real) return a->single ? ((const float *)a->data)[k] : ((const double *)a->data)[k];
    return a->single ? ((const float *)a->data)[2 * k] + I * (zl)((const float *)a->data)[2 * k + 1]
                     : ((const double *)a->data)[2 * k] + I * (zl)((const double *)a->data)[2 * k + 1];
}

/* Element (batch b, index k) of the transform of the logical n[0] x n[1] x n[2] array; the half-complex one stands for a whole one. */
static zl sum(const tw_int n[3], const struct array *a, tw_int b, const tw_int k[3], int sign, zl *const root[3])
{
    zl total = 0;

    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < n[1]; j++) {
            tw_int line = (b * n[0] + i) * n[1] + j, mirror = (b * n[0] + (n[0] - i) % n[0]) * n[1] + (n[1] - j) % n[1];
            zl inner = 0, outer = root[0][i * k[0] % n[0]] * root[1][j * k[1] % n[1]];
            for (tw_int m = 0, turn = 0; m < n[2]; m++, turn = (turn + k[2]) % n[2]) {
                zl x = m < a->row ? element(a, line, m) : conjl(element(a, mirror, n[2] - m));
                inner += x * (sign < 0 ? root[2][turn] : conjl(root[2][turn]));
            }
            total += inner * (sign < 0 ? outer : conjl(outer));
        }
    return total;
}

static double norm_of(const struct array *a, tw_int lines, tw_int n)
{
    long double s = 0;
    for (tw_int l = 0; l < lines; l++)
        for (tw_int m = 0; m < a->row; m++) {
            zl x = element(a, l, m);
            int twice = a->row < n && m > 0 && 2 * m != n; /* its mirror is not stored */
            s += (1 + twice) * (creall(x) * creall(x) + cimagl(x) * cimagl(x));
        }
    return (double)sqrtl(s);
}

static double bound(const struct options *o, double points)
{
    double factor = 4;
    for (int d = 0; d < o->rank; d++) {
        tw_int n = o->n[d];
        for (tw_int p = 2; p <= 13; p++)
            while (n % p == 0 && n > 1)
                n /= p;
        if (n > 1) factor = 10;
    }
    return factor * (o->type == TW_FLOAT || o->type == TW_COMPLEX_FLOAT ? 0x1p-24 : 0x1p-53) *
           sqrt(fmax(1, log2(points)));
}

double check_transform(const struct options *o, const struct array *in, const struct array *out)
{
    tw_int n[3] = {1, 1, 1}, points = 1, lines;
    zl *root[3] = {NULL, NULL, NULL};
    int samples;
    double factor, worst = 0, allowed, xnorm, ynorm, scale;
    uint64_t seed = 99;

    for (int d = 0; d < o->rank; d++)
        n[3 - o->rank + d] = o->n[d];
    for (int d = 0; d < 3; d++) {
        points *= n[d];
        if (!(root[d] = malloc((size_t)n[d] * sizeof **root))) worst = -1;
        for (tw_int m = 0; root[d] && m < n[d]; m++) {
            long double angle = 2 * 3.14159265358979323846264338327950288L * (long double)m / (long double)n[d];
            root[d][m] = cosl(angle) - I * sinl(angle);
        }
    }
    lines = o->batch * n[0] * n[1];
    samples = points > 1 << 22 ? 3 : points > 1 << 16 ? 8 : 32;
    scale = o->norm == TW_FFT_UNSCALED ? 1 : o->norm == TW_FFT_BY_N ? 1 / (double)points : 1 / sqrt((double)points);
    allowed = bound(o, (double)points);
    xnorm = norm_of(in, lines, n[2]);
    ynorm = norm_of(out, lines, n[2]);
    /* Over all elements and in all transforms: |y| = |x| sqrt(points) * scale. */
    factor = sqrt((double)points) * scale;
    if (worst >= 0) worst = fabs(ynorm / (xnorm * factor) - 1) / allowed;
    for (int s = 0; s < samples && worst >= 0; s++) {
        tw_int at[3], b;
        zl y, x;
        double error;
        for (int d = 0; d < 3; d++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            at[d] = (tw_int)((seed >> 33) % (uint64_t)n[d]);
        }
        b = (tw_int)(seed >> 20) % o->batch;
        if (at[2] >= out->row) at[2] = n[2] - at[2]; /* stored there */
        y = sum(n, in, b, at, o->sign, root) * scale - element(out, (b * n[0] + at[0]) * n[1] + at[1], at[2]);
        /* one element's share of the norm; three times it for the largest of some */
        error = (double)cabsl(y) / (3 * allowed * ynorm / sqrt((double)points * (double)o->batch));
        worst = error > worst || error != error ? error : worst;
        if (at[2] >= in->row) at[2] = n[2] - at[2];
        x = sum(n, out, b, at, -o->sign, root) / (scale * (double)points) -
            element(in, (b * n[0] + at[0]) * n[1] + at[1], at[2]);
        error = (double)cabsl(x) / (3 * allowed * xnorm / sqrt((double)points * (double)o->batch));
        worst = error > worst || error != error ? error : worst;
    }
    for (int d = 0; d < 3; d++)
        free(root[d]);
    return worst;
}
