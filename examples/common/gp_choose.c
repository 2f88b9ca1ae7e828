/* Hyperparameters of a Gaussian process: the log marginal likelihood and its gradient (Rasmussen and Williams,
 * equation 5.9), maximised over the logarithms of lengths, signal and noise by L-BFGS (Nocedal and Wright, algorithm
 * 7.4). */
#include "common/gp.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/lapack.h>

#include "common/program.h"

enum { MAX_STEPS = 80, HISTORY = 8, MAX_PARAMETERS = GP_MAX_COLUMNS + 2 };

struct problem {
    const double *x, *y;
    tw_int ldx, n;
    int threads, evaluations, parameters;
    struct gp gp;
    double *z, *K, *W, *alpha, *WZ;
};

/* Data without any noise would drive it to 0 and the covariance out of floating point's reach. */
static const double least_noise = 1e-3;

/* theta = log of length_1 … length_d, signal, noise */
static void set_parameters(struct gp *gp, const double *theta)
{
    for (tw_int d = 0; d < gp->cols; d++)
        gp->length[d] = exp(theta[d]);
    gp->signal = exp(theta[gp->cols]);
    gp->noise = fmax(least_noise, exp(theta[gp->cols + 1]));
}

/* With G = alpha alpha' - K^-1 the derivative by any parameter t is 1/2 tr(G dK/dt). For W = G o (K - noise^2 I),
 * entry by entry, and s its row sums, this is s'z_d^2 - z_d'W z_d for the logarithm of length d, sum(s) for that of
 * the signal, and noise^2 tr(G) for that of the noise. On entry K holds K^-1 and W the covariance without noise
 * (lower triangles). */
static void gradient_from_inverse(struct problem *p, double *gradient)
{
    const tw_int n = p->n, cols = p->gp.cols;
    double trace = 0, *s = must_alloc((size_t)n * sizeof *s);
    memset(s, 0, (size_t)n * sizeof *s);
    for (tw_int j = 0; j < n; j++) {
        double *w = p->W + j * n, *inverse = p->K + j * n, sum = 0;
        trace += p->alpha[j] * p->alpha[j] - inverse[j];
        for (tw_int i = j; i < n; i++)
            w[i] *= p->alpha[i] * p->alpha[j] - inverse[i];
        for (tw_int i = j + 1; i < n; i++) {
            s[i] += w[i];
            sum += w[i];
        }
        s[j] += sum + w[j];
    }
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, (int)n, (int)cols, 1.0, p->W, (int)n, p->z, (int)n, 0.0, p->WZ,
                (int)n);
    for (tw_int d = 0; d < cols; d++) {
        const double *z = p->z + d * n, *wz = p->WZ + d * n;
        gradient[d] = 0;
        for (tw_int i = 0; i < n; i++)
            gradient[d] += s[i] * z[i] * z[i] - z[i] * wz[i];
    }
    gradient[cols] = 0;
    for (tw_int i = 0; i < n; i++)
        gradient[cols] += s[i];
    gradient[cols + 1] = p->gp.noise > least_noise ? p->gp.noise * p->gp.noise * trace : 0;
    free(s);
}

/* The log marginal likelihood at theta and its gradient. Returns 0, info > 0 where the covariance is not positive
 * definite in floating point, or a negative code. */
static tw_int evaluate(struct problem *p, const double *theta, double *value, double *gradient)
{
    const tw_int n = p->n;
    p->evaluations++;
    set_parameters(&p->gp, theta);
    gp_scale(&p->gp, p->x, p->ldx, n, p->z);
    gp_covariance(&p->gp, p->z, n, p->K, p->threads);
    for (tw_int j = 0; j < n; j++) {
        memcpy(p->W + j * n + j, p->K + j * n + j, (size_t)(n - j) * sizeof *p->K);
        p->W[j * n + j] = p->gp.signal * p->gp.signal;
    }
    memcpy(p->alpha, p->y, (size_t)n * sizeof *p->y);
    tw_int info = tw_dposv('L', n, 1, p->K, n, p->alpha, n);
    if (info) return info;
    *value = gp_log_likelihood(p->K, p->y, p->alpha, n);
    info = tw_dpotri('L', n, p->K, n);
    if (info == 0) gradient_from_inverse(p, gradient);
    return info;
}

static double dot(const double *a, const double *b, int n)
{
    return cblas_ddot(n, a, 1, b, 1);
}

/* The pairs (step, change of gradient) that L-BFGS remembers, oldest first. */
struct history {
    int count;
    double s[HISTORY][MAX_PARAMETERS], y[HISTORY][MAX_PARAMETERS];
};

/* direction = H gradient, H the inverse Hessian that the history implies (two-loop recursion), for a maximum: the
 * history's y are changes of the negative gradient. */
static void direction_of(const struct history *h, const double *gradient, int n, double *direction)
{
    double a[HISTORY];
    memcpy(direction, gradient, (size_t)n * sizeof *gradient);
    for (int k = h->count - 1; k >= 0; k--) {
        a[k] = dot(h->s[k], direction, n) / dot(h->s[k], h->y[k], n);
        cblas_daxpy(n, -a[k], h->y[k], 1, direction, 1);
    }
    if (h->count > 0) {
        const double *s = h->s[h->count - 1], *y = h->y[h->count - 1];
        cblas_dscal(n, dot(s, y, n) / dot(y, y, n), direction, 1);
    }
    for (int k = 0; k < h->count; k++) {
        double b = dot(h->y[k], direction, n) / dot(h->s[k], h->y[k], n);
        cblas_daxpy(n, a[k] - b, h->s[k], 1, direction, 1);
    }
    /* A step moves no logarithm by more than 1, and the first, unscaled one by no more than 1/2: likelihoods have
     * cliffs. */
    double largest = fabs(direction[cblas_idamax(n, direction, 1)]), limit = h->count > 0 ? 1.0 : 0.5;
    if (largest > limit) cblas_dscal(n, limit / largest, direction, 1);
}

static void remember(struct history *h, const double *step, const double *old, const double *new, int n)
{
    double y[MAX_PARAMETERS];
    for (int i = 0; i < n; i++)
        y[i] = old[i] - new[i];
    if (!(dot(step, y, n) > 1e-10 * dot(y, y, n))) return; /* no curvature seen: nothing to learn */
    if (h->count == HISTORY) {
        memmove(h->s[0], h->s[1], (HISTORY - 1) * sizeof h->s[0]);
        memmove(h->y[0], h->y[1], (HISTORY - 1) * sizeof h->y[0]);
        h->count--;
    }
    memcpy(h->s[h->count], step, (size_t)n * sizeof *step);
    memcpy(h->y[h->count++], y, (size_t)n * sizeof *y);
}

/* Halve the step until the likelihood grows enough (Armijo). Returns 1 when it grew, 0 when there is nothing to
 * gain, or a negative code. theta, value and gradient become those of the new place; step is what was added to
 * theta. */
static tw_int line_search(struct problem *p, double *theta, double *value, double *gradient, double *step)
{
    const int n = p->parameters;
    const double slope = dot(gradient, step, n);
    double place[MAX_PARAMETERS], there, slope_there[MAX_PARAMETERS];
    for (int tries = 0; tries < 12; tries++) {
        for (int i = 0; i < n; i++)
            place[i] = theta[i] + step[i];
        tw_int info = evaluate(p, place, &there, slope_there);
        if (info < 0) return info;
        if (info == 0 && there >= *value + 1e-4 * ldexp(slope, -tries)) {
            memcpy(theta, place, (size_t)n * sizeof *theta);
            memcpy(gradient, slope_there, (size_t)n * sizeof *gradient);
            *value = there;
            return 1;
        }
        cblas_dscal(n, 0.5, step, 1);
    }
    return 0;
}

static tw_int maximise(struct problem *p, double *theta, double *value)
{
    const int n = p->parameters;
    double gradient[MAX_PARAMETERS], old[MAX_PARAMETERS], step[MAX_PARAMETERS];
    struct history *h = must_alloc(sizeof *h);
    h->count = 0;
    tw_int info = evaluate(p, theta, value, gradient);
    for (int k = 0; info == 0 && k < MAX_STEPS; k++) {
        double before = *value;
        memcpy(old, gradient, sizeof old);
        direction_of(h, gradient, n, step);
        tw_int grew = line_search(p, theta, value, gradient, step);
        if (grew < 0) info = grew;
        if (grew <= 0 && h->count == 0) break;
        if (grew == 0) h->count = 0; /* try once more along the gradient itself */
        if (grew <= 0) continue;
        remember(h, step, old, gradient, n);
        if (*value - before < 1e-5 * (double)p->n) break;
    }
    free(h);
    return info;
}

/* A start where every column has the same length, the signal explains the target and the noise a tenth of its
 * variance. */
static void start_at(double length, tw_int cols, double *theta)
{
    for (tw_int d = 0; d < cols; d++)
        theta[d] = log(length);
    theta[cols] = 0;
    theta[cols + 1] = log(0.3);
}

int gp_choose(struct gp *gp, const double *x, tw_int ldx, tw_int n, const double *y, int threads, double *likelihood,
              int *evaluations)
{
    const size_t square = (size_t)n * (size_t)n * sizeof(double), tall = (size_t)n * (size_t)gp->cols * sizeof(double);
    struct problem p = {.x = x,
                        .y = y,
                        .ldx = ldx,
                        .n = n,
                        .threads = threads,
                        .parameters = (int)gp->cols + 2,
                        .gp = *gp,
                        .z = must_alloc(tall),
                        .WZ = must_alloc(tall),
                        .K = must_alloc(square),
                        .W = must_alloc(square),
                        .alpha = must_alloc((size_t)n * sizeof(double))};
    /* Likelihoods of real data have several maxima: "all is smooth, the rest is noise" and "it changes within a
     * short way". One start from each side, the better end wins. */
    const double starts[] = {sqrt((double)gp->cols), 0.45};
    tw_int info = 0;
    *likelihood = -INFINITY;
    for (int k = 0; k < 2 && info >= 0; k++) {
        double theta[MAX_PARAMETERS], value;
        start_at(starts[k], gp->cols, theta);
        tw_int ended = maximise(&p, theta, &value);
        if (ended == 0 && value > *likelihood) {
            *likelihood = value;
            set_parameters(gp, theta);
        } else if (ended != 0 && (info == 0 || ended < 0)) {
            info = ended;
        }
    }
    *evaluations = p.evaluations;
    free(p.z);
    free(p.WZ);
    free(p.K);
    free(p.W);
    free(p.alpha);
    return info > 0 && isfinite(*likelihood) ? 0 : (int)info; /* one good end is enough */
}
