/* The independent check: sums by the definition in long double, for a few elements. The sums for input elements run
 * over all of the output, so that an error anywhere in it shows. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include "cli/fft/fft_cli.h"

typedef long double _Complex zl;

static zl element(const struct array *a, tw_int line, tw_int at)
{
    tw_int k = line * a->pitch + at;
    if (a->is_real) return a->single ? ((const float *)a->data)[k] : ((const double *)a->data)[k];
    return a->single ? ((const float *)a->data)[2 * k] + I * (zl)((const float *)a->data)[2 * k + 1]
                     : ((const double *)a->data)[2 * k] + I * (zl)((const double *)a->data)[2 * k + 1];
}

enum { PIECE = 1024 };

static zl root(tw_int n, tw_int turns)
{
    long double angle = 2 * 3.14159265358979323846264338327950288L * (long double)turns / (long double)n;
    return cosl(angle) - I * sinl(angle);
}

/* Roots of unity of one element's sum: along a line they are those of its first PIECE elements, times one for each
 * piece: two table entries that stay in the cache instead of n of them. */
struct roots {
    zl *outer[2], *piece, first[PIECE];
};

static int roots_make(struct roots *r, const tw_int n[3])
{
    for (int d = 0; d < 2; d++)
        r->outer[d] = malloc((size_t)n[d] * sizeof **r->outer);
    r->piece = malloc((size_t)(n[2] / PIECE + 1) * sizeof *r->piece);
    return r->outer[0] && r->outer[1] && r->piece;
}

static void roots_free(struct roots *r)
{
    free(r->outer[0]);
    free(r->outer[1]);
    free(r->piece);
}

/* turns[j] = root of unity to the power j k step, j < count */
static void powers(zl *turns, tw_int count, tw_int n, tw_int k, tw_int step, int sign)
{
    for (tw_int j = 0, by = (tw_int)((__int128)k * step % n), at = 0; j < count; j++, at = (at + by) % n)
        turns[j] = sign < 0 ? root(n, at) : conjl(root(n, at));
}

/* Element (batch b, index k) of the transform of the logical n[0] x n[1] x n[2] array; the half-complex one stands for
 * a whole one. */
static zl sum(const tw_int n[3], const struct array *a, tw_int b, const tw_int k[3], int sign, struct roots *r)
{
    zl total = 0;

    for (int d = 0; d < 2; d++)
        powers(r->outer[d], n[d], n[d], k[d], 1, sign);
    powers(r->first, n[2] < PIECE ? n[2] : PIECE, n[2], k[2], 1, sign);
    powers(r->piece, n[2] / PIECE + 1, n[2], k[2], PIECE, sign);
    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < n[1]; j++) {
            tw_int line = (b * n[0] + i) * n[1] + j, mirror = (b * n[0] + (n[0] - i) % n[0]) * n[1] + (n[1] - j) % n[1];
            zl inner = 0;
            for (tw_int at = 0; at < n[2]; at += PIECE) {
                tw_int end = n[2] - at < PIECE ? n[2] : at + PIECE;
                zl part = 0;
                for (tw_int m = at; m < end; m++)
                    part += (m < a->row ? element(a, line, m) : conjl(element(a, mirror, n[2] - m))) * r->first[m - at];
                inner += part * r->piece[at / PIECE];
            }
            total += inner * r->outer[0][i] * r->outer[1][j];
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
    return factor * tw_type_eps(o->type) * sqrt(fmax(1, log2(points)));
}

static uint64_t draw(uint64_t *seed)
{
    return (*seed = *seed * 6364136223846793005u + 1442695040888963407u) >> 33;
}

static tw_int shape_of(const struct options *o, tw_int n[3])
{
    tw_int points = 1;

    n[0] = n[1] = n[2] = 1;
    for (int d = 0; d < o->rank; d++)
        points *= n[3 - o->rank + d] = o->n[d];
    return points;
}

static void larger(double *worst, double error)
{
    if (error > *worst || error != error) *worst = error;
}

/* ---- real to real ------------------------------------------------------------------------------------------------ */

/* Factor of x[j] in y[k]; inverse kinds (times the number that TW_FFT_BY_N divides by) give x back. */
static long double term(enum tw_fft_r2r kind, tw_int n, tw_int j, tw_int k)
{
    static const long double pi = 3.14159265358979323846264338327950288L;
    tw_int a = 2 * j + 1, b = 2 * k + 1, angle,
           whole = 4 * n; /* 2 pi angle / whole, angle reduced while it is an integer */
    int cosine = kind <= TW_FFT_DCT4;

    switch (kind) {
    case TW_FFT_DCT1: angle = j * k, whole = 2 * n - 2; break;
    case TW_FFT_DCT2: angle = a * k; break;
    case TW_FFT_DCT3: angle = j * b; break;
    case TW_FFT_DST1: angle = (j + 1) * (k + 1), whole = 2 * n + 2; break;
    case TW_FFT_DST2: angle = a * (k + 1); break;
    case TW_FFT_DST3: angle = (j + 1) * b; break;
    case TW_FFT_DHT: angle = j * k, whole = n; break;
    default: angle = a * b, whole = 8 * n;
    }
    {
        long double turn = 2 * pi * (long double)(angle % whole) / (long double)whole;
        /* the ends of kinds 1 and 3 count once */
        if ((kind == TW_FFT_DCT1 && (j == 0 || j == n - 1)) || (kind == TW_FFT_DCT3 && j == 0)) return cosl(turn);
        if (kind == TW_FFT_DST3 && j == n - 1) return sinl(turn);
        if (kind == TW_FFT_DHT) return cosl(turn) + sinl(turn);
        return 2 * (cosine ? cosl(turn) : sinl(turn));
    }
}

static const enum tw_fft_r2r inverse[] = {TW_FFT_DCT1, TW_FFT_DCT3, TW_FFT_DCT2, TW_FFT_DCT4, TW_FFT_DST1,
                                          TW_FFT_DST3, TW_FFT_DST2, TW_FFT_DST4, TW_FFT_DHT};

static double logical(enum tw_fft_r2r kind, tw_int n)
{
    double m = (double)n;
    return kind == TW_FFT_DHT ? m : kind == TW_FFT_DCT1 ? 2 * (m - 1) : kind == TW_FFT_DST1 ? 2 * (m + 1) : 2 * m;
}

static zl real_sum(const tw_int n[3], const struct array *a, tw_int b, const tw_int k[3], long double *const factor[3])
{
    long double total = 0;
    (void)k;
    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < n[1]; j++) {
            long double inner = 0;
            for (tw_int m = 0; m < n[2]; m++)
                inner += creall(element(a, (b * n[0] + i) * n[1] + j, m)) * factor[2][m];
            total += inner * factor[0][i] * factor[1][j];
        }
    return total;
}

/* The factors of element at[] of what `kinds` give. */
static void factors(const struct options *o, const tw_int n[3], const tw_int at[3], int backward,
                    long double *const factor[3])
{
    for (int d = 0; d < 3; d++) {
        int k = d - 3 + o->rank;
        for (tw_int j = 0; j < n[d]; j++)
            factor[d][j] = k < 0      ? 1
                           : backward ? term(inverse[o->fft.r2r[k]], n[d], j, at[d])
                                      : term(o->fft.r2r[k], n[d], j, at[d]);
    }
}

static double check_real(const struct options *o, const struct array *in, const struct array *out)
{
    tw_int n[3], points = shape_of(o, n), lines = o->batch * n[0] * n[1];
    long double *factor[3] = {NULL, NULL, NULL};
    double whole = 1, scale, worst = 0, allowed = bound(o, (double)points), xnorm = norm_of(in, lines, n[2]),
           ynorm = norm_of(out, lines, n[2]), share = 3 * allowed / sqrt((double)points * (double)o->batch);
    uint64_t seed = 99;

    for (int d = 0; d < 3; d++)
        if (!(factor[d] = malloc((size_t)n[d] * sizeof **factor))) worst = -1;
    for (int d = 0; d < o->rank; d++)
        whole *= logical(o->fft.r2r[d], o->n[d]);
    scale = o->norm == TW_FFT_UNSCALED ? 1 : o->norm == TW_FFT_BY_N ? 1 / whole : 1 / sqrt(whole);
    for (int s = points > 1 << 22 ? 3 : 8; s > 0 && worst >= 0; s--) {
        tw_int at[3], b = (tw_int)(draw(&seed) % (uint64_t)o->batch), line;
        for (int d = 0; d < 3; d++)
            at[d] = (tw_int)(draw(&seed) % (uint64_t)n[d]);
        line = (b * n[0] + at[0]) * n[1] + at[1];
        factors(o, n, at, 0, factor);
        larger(&worst,
               (double)cabsl(real_sum(n, in, b, at, factor) * scale - element(out, line, at[2])) / (share * ynorm));
        factors(o, n, at, 1, factor);
        larger(&worst, (double)cabsl(real_sum(n, out, b, at, factor) / (scale * whole) - element(in, line, at[2])) /
                           (share * xnorm));
    }
    for (int d = 0; d < 3; d++)
        free(factor[d]);
    return worst;
}

/* ---- complex and half-complex ------------------------------------------------------------------------------------ */

/* An element of the output, and one of the input, of the same batch: what the other side says of them. */
struct probe {
    tw_int batch, out[3], in[3];
    double error[2];
};
enum { PROBES = 32 };
struct probes {
    const struct options *o;
    const struct array *in, *out;
    tw_int n[3], points, lines;
    double scale, norm[2];
    struct probe probe[PROBES];
};

/* Two norms, then two elements of each probe. */
static void look(void *context, long k)
{
    struct probes *c = context;
    struct probe *p = &c->probe[k / 2 - (k > 1)];
    struct roots roots;
    const struct array *in = c->in, *out = c->out;
    const tw_int *n = c->n, *at = k % 2 ? p->in : p->out, line = (p->batch * n[0] + at[0]) * n[1] + at[1];

    if (k < 2) {
        c->norm[k] = norm_of(k ? out : in, c->lines, n[2]);
        return;
    }
    if (!roots_make(&roots, n))
        p->error[k % 2] = -1;
    else if (k % 2)
        p->error[1] = (double)cabsl(sum(n, out, p->batch, at, -c->o->sign, &roots) / (c->scale * (double)c->points) -
                                    element(in, line, at[2]));
    else
        p->error[0] =
            (double)cabsl(sum(n, in, p->batch, at, c->o->sign, &roots) * c->scale - element(out, line, at[2]));
    roots_free(&roots);
}

static void draw_probe(struct probe *p, const struct probes *c, uint64_t *seed)
{
    p->batch = (tw_int)(draw(seed) % (uint64_t)c->o->batch);
    for (int d = 0; d < 3; d++)
        p->out[d] = p->in[d] = (tw_int)(draw(seed) % (uint64_t)c->n[d]);
    if (p->out[2] >= c->out->row) p->out[2] = c->n[2] - p->out[2]; /* stored there */
    p->in[2] = p->out[2] >= c->in->row ? c->n[2] - p->out[2] : p->out[2];
}

double check_transform(const struct problem *problem, const struct array *in, const struct array *out)
{
    const struct options *o = &problem->o;
    struct probes c = {.o = o, .in = in, .out = out};
    const tw_int points = shape_of(o, c.n);
    const int samples = points > 1 << 22 ? 3 : points > 1 << 16 ? 8 : PROBES;
    const double allowed = bound(o, (double)points), share = 3 * allowed / sqrt((double)points * (double)o->batch);
    double worst;
    uint64_t seed = 99;

    if (o->r2r) return check_real(o, in, out);
    c.points = points;
    c.lines = o->batch * c.n[0] * c.n[1];
    c.scale = o->norm == TW_FFT_UNSCALED ? 1 : o->norm == TW_FFT_BY_N ? 1 / (double)points : 1 / sqrt((double)points);
    for (int s = 0; s < samples; s++)
        draw_probe(&c.probe[s], &c, &seed);
    cli_parallel(2 + 2 * samples, look, &c);
    /* Over all elements and in all transforms: |y| = |x| sqrt(points) * scale. */
    worst = fabs(c.norm[1] / (c.norm[0] * sqrt((double)points) * c.scale) - 1) / allowed;
    for (int s = 0; s < samples; s++) {
        if (c.probe[s].error[0] < 0 || c.probe[s].error[1] < 0) return -1;
        /* one element's share of the norm; three times it for the largest of some */
        larger(&worst, c.probe[s].error[0] / (share * c.norm[1]));
        larger(&worst, c.probe[s].error[1] / (share * c.norm[0]));
    }
    return worst;
}

/* ---- convolutions and filters ------------------------------------------------------------------------------------ */

/* An element of the transform of the result against the product of those of its factors, at some frequencies: each is a
 * sum over all elements of the arrays. */
double check_operation(const struct problem *p, const struct array *in, const struct array *out)
{
    const struct options *o = &p->o;
    tw_int n[3], points = shape_of(o, n);
    struct roots roots;
    double worst = roots_make(&roots, n) ? 0 : -1, allowed = 3 * bound(o, (double)points), all, typical;
    uint64_t seed = 99;

    /* what an element of the result's transform, and of the kernel's (or the table), is like */
    all = norm_of(out, n[0] * n[1], n[2]);
    typical = norm_of(&p->other, n[0] * n[1], n[2]) / (o->operation == FILTER ? sqrt((double)points) : 1);
    for (int s = points > 1 << 22 ? 3 : 8; s > 0 && worst >= 0; s--) {
        tw_int at[3];
        double error;
        zl h, x;
        for (int d = 0; d < 3; d++)
            at[d] = (tw_int)(draw(&seed) % (uint64_t)n[d]);
        if (o->operation == FILTER && at[2] >= p->other.row) at[2] = n[2] - at[2];
        h = o->operation == FILTER ? element(&p->other, at[0] * n[1] + at[1], at[2])
                                   : sum(n, &p->other, 0, at, TW_FFT_FORWARD, &roots);
        if (o->operation == CORRELATE) h = conjl(h);
        x = sum(n, in, 0, at, TW_FFT_FORWARD, &roots);
        error = (double)cabsl(sum(n, out, 0, at, TW_FFT_FORWARD, &roots) - h * x);
        if (error != 0) larger(&worst, error / (allowed * (all + (double)cabsl(x) * ((double)cabsl(h) + typical))));
    }
    roots_free(&roots);
    return worst;
}
