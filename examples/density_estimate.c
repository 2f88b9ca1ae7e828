/* A kernel of one's own over all pairs, for CPUs and GPUs: the density of a cloud of points, estimated by a Gaussian
 * around each of them.
 *
 *   density_estimate [POINTS [TILE]]      20000 points in tiles of 512 (a GPU wants some 16384)
 *
 * The points are drawn from the normal distribution of width 1, so that the estimate with Gaussians of width h is, but
 * for their number, that of width sqrt(1 + h^2): the check. Targets are a tenth of as many places within it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tilework/tilework.h>

#include "common/arguments.h"

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int code_ = (call);                                                                                            \
        if (code_ != 0) {                                                                                              \
            fprintf(stderr, "%s: %s %s\n", #call, tw_strerror(code_), tw_last_message());                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

struct width {
    double two_h2; /* 2 h^2 */
};

/* What the sources of a tile add at the targets of another; matrices by columns. */
static int gaussians(const void *user, enum tw_type type, tw_int first_target, int nt, const void *targets,
                     int ld_target, tw_int first_source, int ns, const void *sources, int ld_source, void *result,
                     int ld_result)
{
    const double *t = targets, *s = sources, two_h2 = ((const struct width *)user)->two_h2;
    double *sum = result;
    (void)type, (void)first_target, (void)first_source,
        (void)ld_result; /* double; rows need not be known; one column */

    for (int i = 0; i < nt; i++)
        for (int j = 0; j < ns; j++) {
            const double x = t[i] - s[j], y = t[i + ld_target] - s[j + ld_source],
                         z = t[i + 2 * ld_target] - s[j + 2 * ld_source];
            sum[i] += exp(-(x * x + y * y + z * z) / two_h2);
        }
    return 0;
}

/* The same for one pair, for GPUs. */
static const char cuda[] =
    "struct width { double two_h2; };\n"
    "__device__ void tw_pair(tw_index, const tw_real *t, tw_index, const tw_real *s, tw_real *sum,\n"
    "                        const void *user)\n"
    "{\n"
    "    const double x = t[0] - s[0], y = t[1] - s[1], z = t[2] - s[2];\n"
    "    *sum += exp(-(x * x + y * y + z * z) / ((const width *)user)->two_h2);\n"
    "}\n";

static double uniform(void)
{
    static uint64_t state = 2026;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}
static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "density_estimate [POINTS [TILE]]     at least 10 points [20000], tiles of at least 3 [512]";
    const int status = arguments(argc, argv, 2, usage);
    const double points = argument_number(argc, argv, 1, 20000), tile = argument_number(argc, argv, 2, 512);
    const int sensible = points >= 10 && points <= 1e9 && tile >= 3 && tile <= 1e9; /* and numbers at all */
    const tw_int n = sensible ? (tw_int)points : 0, m = n / 10, nb = sensible ? (tw_int)tile : 0;
    const double h = 0.5, spread2 = 1 + h * h;
    const struct width width = {2 * h * h};
    double *source, *target, *density, error = 0, time;
    tw_nbody_function *kernel;
    tw_matrix *S, *T, *D;

    if (status >= 0) return status;
    if (!sensible) return fprintf(stderr, "usage: %s\n", usage), 2;
    source = malloc((size_t)(3 * n) * sizeof *source);
    target = malloc((size_t)(3 * m) * sizeof *target);
    density = malloc((size_t)m * sizeof *density);
    if (!source || !target || !density) return 1;
    for (tw_int k = 0; k < 3 * n; k++)
        source[k] = normal();
    for (tw_int k = 0; k < 3 * m; k++)
        target[k] = 2 * uniform() - 1;

    TRY(tw_nbody_function_create(&kernel, TW_DOUBLE, 3, 3, 1, gaussians, cuda, &width, sizeof width));
    TRY(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, n, 3, source, n, nb));
    TRY(tw_matrix_from_lapack(&T, TW_DOUBLE, TW_GENERAL, m, 3, target, m, nb));
    TRY(tw_matrix_create(&D, TW_DOUBLE, TW_GENERAL, m, 1, nb, NULL));
    time = seconds();
    TRY(tw_nbody_apply(kernel, S, T, D));
    TRY(tw_matrix_to_lapack(D, density, m));
    time = seconds() - time;

    for (tw_int i = 0; i < m; i++) {
        const double x = target[i], y = target[i + m], z = target[i + 2 * m],
                     exact = pow(2 * M_PI * spread2, -1.5) * exp(-(x * x + y * y + z * z) / (2 * spread2)),
                     estimate = density[i] / ((double)n * pow(2 * M_PI * h * h, 1.5));
        error += pow(estimate / exact - 1, 2);
    }
    error = sqrt(error / (double)m);
    printf("the density at %lld places by %lld points: %.1f %% from the exact one, %.2g pairs per second\n",
           (long long)m, (long long)n, 100 * error, (double)n * (double)m / time);
    TRY(tw_matrix_destroy(S));
    TRY(tw_matrix_destroy(T));
    TRY(tw_matrix_destroy(D));
    TRY(tw_nbody_function_destroy(kernel));
    free(source), free(target), free(density);
    return error < 4 / sqrt((double)n) ? 0 : 1; /* chance makes it some 2 / sqrt(n) here */
}
