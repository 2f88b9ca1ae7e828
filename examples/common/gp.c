#include "common/gp.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/program.h"

/* Work comes in blocks of columns of the covariance; a column is made in strips short enough for the first-level
 * cache. */
enum { BLOCK = 32, STRIP = 512, MAX_THREADS = 256 };

struct work {
    const struct gp *gp;
    const double *z, *p, *alpha;
    double *out;
    tw_int n, m;
    void (*block)(const struct work *w, tw_int j0, tw_int j1);
    atomic_llong next;
};

/* out[0…count-1] = k(z_(i0+i), p_j) without the noise. Plain differences instead of |z|^2 + |p|^2 - 2 z'p: close
 * points, the ones that matter, lose nothing to cancellation. */
static void covariance_strip(const struct work *w, tw_int i0, tw_int count, tw_int j, double *out)
{
    double distance[STRIP];
    memset(distance, 0, (size_t)count * sizeof *distance);
    for (tw_int d = 0; d < w->gp->cols; d++) {
        const double *column = w->z + d * w->n + i0;
        const double here = w->p[d * w->m + j];
        for (tw_int i = 0; i < count; i++)
            distance[i] += (column[i] - here) * (column[i] - here);
    }
    const double variance = w->gp->signal * w->gp->signal;
    for (tw_int i = 0; i < count; i++)
        out[i] = variance * exp(-0.5 * distance[i]);
}

static tw_int smaller(tw_int a, tw_int b)
{
    return a < b ? a : b;
}

static void lower_block(const struct work *w, tw_int j0, tw_int j1)
{
    for (tw_int j = j0; j < j1; j++) {
        double *column = w->out + j * w->n;
        for (tw_int i = j; i < w->n; i += STRIP)
            covariance_strip(w, i, smaller(STRIP, w->n - i), j, column + i);
        column[j] += w->gp->noise * w->gp->noise;
    }
}

static void mean_block(const struct work *w, tw_int j0, tw_int j1)
{
    double k[STRIP];
    for (tw_int j = j0; j < j1; j++)
        w->out[j] = 0;
    for (tw_int i = 0; i < w->n; i += STRIP) /* the strip of z stays in cache for the whole block */
        for (tw_int j = j0; j < j1; j++) {
            tw_int count = smaller(STRIP, w->n - i);
            covariance_strip(w, i, count, j, k);
            double sum = 0;
            for (tw_int l = 0; l < count; l++)
                sum += k[l] * w->alpha[i + l];
            w->out[j] += sum;
        }
}

static void *run_blocks(void *argument)
{
    struct work *w = argument;
    for (;;) {
        tw_int j = atomic_fetch_add(&w->next, BLOCK);
        if (j >= w->m) return NULL;
        w->block(w, j, smaller(j + BLOCK, w->m));
    }
}

/* The blocks in any order on `threads` threads, this one included. Fewer threads than asked for is slower, not
 * wrong. */
static void run_work(struct work *w, int threads)
{
    pthread_t thread[MAX_THREADS];
    int started = 0;
    while (started < threads - 1 && started < MAX_THREADS && pthread_create(&thread[started], NULL, run_blocks, w) == 0)
        started++;
    run_blocks(w);
    while (started > 0)
        pthread_join(thread[--started], NULL);
}

void gp_scale(const struct gp *gp, const double *x, tw_int ldx, tw_int rows, double *z)
{
    for (tw_int d = 0; d < gp->cols; d++)
        for (tw_int i = 0; i < rows; i++)
            z[d * rows + i] = x[d * ldx + i] / gp->length[d];
}

void gp_covariance(const struct gp *gp, const double *z, tw_int n, double *K, int threads)
{
    struct work w = {.gp = gp, .z = z, .p = z, .out = K, .n = n, .m = n, .block = lower_block};
    run_work(&w, threads);
}

void gp_mean(const struct gp *gp, const double *z, tw_int n, const double *alpha, const double *p, tw_int m,
             double *mean, int threads)
{
    struct work w = {.gp = gp, .z = z, .p = p, .alpha = alpha, .out = mean, .n = n, .m = m, .block = mean_block};
    run_work(&w, threads);
}

double gp_log_likelihood(const double *L, const double *y, const double *alpha, tw_int n)
{
    double fit = 0, log_determinant = 0;
    for (tw_int i = 0; i < n; i++) {
        fit += y[i] * alpha[i];
        log_determinant += log(L[i * n + i]);
    }
    return -0.5 * fit - log_determinant - 0.5 * (double)n * log(6.283185307179586);
}

double gp_residual(const struct gp *gp, const double *z, tw_int n, const double *y, const double *alpha, int threads)
{
    double *product = must_alloc((size_t)n * sizeof *product), *ones = must_alloc((size_t)n * sizeof *ones);
    double *row_sum = must_alloc((size_t)n * sizeof *row_sum), noise2 = gp->noise * gp->noise;
    for (tw_int i = 0; i < n; i++)
        ones[i] = 1;
    gp_mean(gp, z, n, alpha, z, n, product, threads);
    gp_mean(gp, z, n, ones, z, n, row_sum, threads); /* the covariance is positive: row sums give its infinity norm */
    double residual = 0, norm_K = 0, norm_alpha = 0, norm_y = 0;
    int finite = 1;
    for (tw_int i = 0; i < n; i++) {
        double difference = fabs(y[i] - product[i] - noise2 * alpha[i]);
        finite &= isfinite(difference) != 0;
        residual = fmax(residual, difference);
        norm_K = fmax(norm_K, row_sum[i] + noise2);
        norm_alpha = fmax(norm_alpha, fabs(alpha[i]));
        norm_y = fmax(norm_y, fabs(y[i]));
    }
    free(product);
    free(ones);
    free(row_sum);
    return finite ? residual / ((norm_K * norm_alpha + norm_y) * (double)n * 0.5 * DBL_EPSILON) : INFINITY;
}
