/* The Poisson equation -laplace(u) = f in a periodic box, by a real 3-D transform: divide every coefficient by |k|^2
 * and transform back. The solution is known here, u = exp(sin 2 pi x + cos 2 pi y) sin 2 pi z, and smooth: the error is
 * rounding.
 *
 *   fft_poisson [N]        N^3 points, 48 if not given */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/fft.h>

#include "../common/arguments.h"

#define TWO_PI 6.283185307179586476925

/* u, and f = -laplace(u), at a point */
static double solution(double x, double y, double z, double *f)
{
    double sx = sin(TWO_PI * x), cx = cos(TWO_PI * x), sy = sin(TWO_PI * y), cy = cos(TWO_PI * y);
    double u = exp(sx + cy) * sin(TWO_PI * z);
    *f = -u * TWO_PI * TWO_PI * ((cx * cx - sx) + (sy * sy - cy) - 1);
    return u;
}

/* The frequency of index k of n. */
static double frequency(tw_int k, tw_int n)
{
    return TWO_PI * (double)(k <= n / 2 ? k : k - n);
}

static int solve(tw_int n, double *u)
{
    const tw_int shape[3] = {n, n, n}, half = n / 2 + 1;
    double *c = malloc(sizeof *c * 2 * (size_t)(n * n * half));
    tw_fft *forward = NULL, *backward = NULL;
    tw_fft_options options;
    int e = TW_E_MEMORY;

    tw_fft_options_init(&options);
    options.norm = TW_FFT_BY_N; /* of the way back */
    if (c && !(e = tw_fft_plan(&forward, TW_DOUBLE, TW_FFT_R2C, 3, shape, 1, TW_FFT_FORWARD, NULL)) &&
        !(e = tw_fft_plan(&backward, TW_DOUBLE, TW_FFT_C2R, 3, shape, 1, TW_FFT_BACKWARD, &options)) &&
        !(e = tw_fft_execute(forward, u, c))) {
        for (tw_int i = 0; i < n; i++)
            for (tw_int j = 0; j < n; j++)
                for (tw_int k = 0; k < half; k++) {
                    double a = frequency(i, n), b = frequency(j, n), d = frequency(k, n), k2 = a * a + b * b + d * d;
                    double *x = c + 2 * ((i * n + j) * half + k);
                    x[0] = k2 > 0 ? x[0] / k2 : 0; /* the mean of u is free: 0 */
                    x[1] = k2 > 0 ? x[1] / k2 : 0;
                }
        e = tw_fft_execute(backward, c, u);
    }
    tw_fft_destroy(forward);
    tw_fft_destroy(backward);
    free(c);
    return e;
}

int main(int argc, char **argv)
{
    static const char usage[] = "fft_poisson [N]     N^3 points, N from 2 to 2048 [48]";
    const double size = argument_number(argc, argv, 1, 48);
    const tw_int n = size >= 2 && size <= 2048 ? (tw_int)size : 0;
    double *u, worst = 0, f, h;
    int e = arguments(argc, argv, 1, usage);

    if (e >= 0) return e;
    if (n < 2) return fprintf(stderr, "usage: %s\n", usage), 2;
    if (!(u = malloc(sizeof *u * (size_t)(n * n * n)))) return fprintf(stderr, "no memory\n"), 1;
    h = 1 / (double)n;
    for (tw_int i = 0; i < n * n * n; i++) {
        (void)solution(h * (double)(i / n / n), h * (double)(i / n % n), h * (double)(i % n), &f);
        u[i] = f;
    }
    if ((e = solve(n, u))) return fprintf(stderr, "%s\n", *tw_last_message() ? tw_last_message() : tw_strerror(e)), 1;
    for (tw_int i = 0; i < n * n * n; i++)
        worst = fmax(worst,
                     fabs(u[i] - solution(h * (double)(i / n / n), h * (double)(i / n % n), h * (double)(i % n), &f)));
    printf("Poisson equation on %lld^3 points: largest error %.3g of a solution up to 7.4\n", (long long)n, worst);
    free(u);
    return tw_finalize() || (n >= 40 && !(worst < 1e-12));
}
