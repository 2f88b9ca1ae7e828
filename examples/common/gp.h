/* A Gaussian process with the covariance
 *     k(x, x') = signal^2 exp(-1/2 sum_d ((x_d - x'_d) / length_d)^2) + noise^2 [x is x'],
 * as in Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), chapters 2 and 5. */
#ifndef EXAMPLES_GP_H
#define EXAMPLES_GP_H

#include <tilework/runtime.h>

enum { GP_MAX_COLUMNS = 256 };

struct gp {
    tw_int cols;
    double signal, noise;
    double length[GP_MAX_COLUMNS]; /* one per column: automatic relevance determination */
};

/* z(i, d) = x(i, d) / length_d: in these units the covariance needs no lengths. x has leading dimension ldx; z is
 * rows x cols. */
void gp_scale(const struct gp *gp, const double *x, tw_int ldx, tw_int rows, double *z);

/* The lower triangle of the covariance of the n points z (column-major K, leading dimension n), built by `threads`
 * threads. The noise is added on the diagonal. The other triangle is not touched. */
void gp_covariance(const struct gp *gp, const double *z, tw_int n, double *K, int threads);

/* mean[j] = sum_i k(z_i, p_j) alpha_i for m points p, without the noise: the prediction. The cross covariance is
 * made and used tile by tile, never stored. */
void gp_mean(const struct gp *gp, const double *z, tw_int n, const double *alpha, const double *p, tw_int m,
             double *mean, int threads);

/* From a factor L (lower triangle of L) of the covariance of n points, y and alpha = K^-1 y: the log marginal
 * likelihood
 *     -1/2 y' alpha - sum_i log L_ii - n/2 log(2 pi). */
double gp_log_likelihood(const double *L, const double *y, const double *alpha, tw_int n);

/* Scaled residual |y - K alpha| / ((|K| |alpha| + |y|) n eps) in the infinity norm, K made anew from its definition. */
double gp_residual(const struct gp *gp, const double *z, tw_int n, const double *y, const double *alpha, int threads);

/* Choose signal, noise and lengths by maximising the log marginal likelihood of the n points x (leading dimension
 * ldx) with targets y of mean 0 and deviation 1; gp->cols is given. *likelihood is the value reached, *evaluations
 * how often it was computed. Returns 0, or the code of the Tilework call that failed. */
int gp_choose(struct gp *gp, const double *x, tw_int ldx, tw_int n, const double *y, int threads, double *likelihood,
              int *evaluations);

#endif
