/* Blur an image by multiplying its transform with that of a Gaussian of SIGMA pixels. Without files, a made image.
 *
 *   fft_lowpass [SIGMA [IN.pgm OUT.pgm]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/fft.h>

#include "../common/arguments.h"

#define PI 3.141592653589793238463

static int failed(const char *what, int e)
{
    fprintf(stderr, "%s: %s\n", what, *tw_last_message() ? tw_last_message() : tw_strerror(e));
    return 1;
}

/* Squares on a slope. */
static int made(tw_signal *s)
{
    *s = (tw_signal){.type = TW_DOUBLE, .rank = 2, .n = {300, 405}, .count = 300 * 405};
    if (!(s->data = malloc(sizeof(double) * (size_t)s->count))) return TW_E_MEMORY;
    for (tw_int i = 0; i < s->count; i++)
        ((double *)s->data)[i] = ((i / 405 / 32 + i % 405 / 32) % 2 ? 0.7 : 0.1) + 0.2 * (double)(i % 405) / 405;
    return 0;
}

/* Gaussian of the frequencies: exp(-2 pi^2 sigma^2 (fy^2 + fx^2)), frequencies in cycles per pixel. */
static void filter(const tw_int n[2], double sigma, double *c)
{
    tw_int half = n[1] / 2 + 1;

    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < half; j++) {
            double fy = (double)(i <= n[0] / 2 ? i : i - n[0]) / (double)n[0], fx = (double)j / (double)n[1];
            double g = exp(-2 * PI * PI * sigma * sigma * (fy * fy + fx * fx));
            c[2 * (i * half + j)] *= g;
            c[2 * (i * half + j) + 1] *= g;
        }
}

static int blur(const tw_int n[2], double sigma, double *image)
{
    double *c = malloc(sizeof *c * 2 * (size_t)(n[0] * (n[1] / 2 + 1)));
    tw_fft *forward = NULL, *backward = NULL;
    tw_fft_options options;
    int e = TW_E_MEMORY;

    tw_fft_options_init(&options);
    options.norm = TW_FFT_BY_N;
    if (c && !(e = tw_fft_plan(&forward, TW_DOUBLE, TW_FFT_R2C, 2, n, 1, TW_FFT_FORWARD, NULL)) &&
        !(e = tw_fft_plan(&backward, TW_DOUBLE, TW_FFT_C2R, 2, n, 1, TW_FFT_BACKWARD, &options)) &&
        !(e = tw_fft_execute(forward, image, c))) {
        filter(n, sigma, c);
        e = tw_fft_execute(backward, c, image);
    }
    tw_fft_destroy(forward);
    tw_fft_destroy(backward);
    free(c);
    return e;
}

/* The middle pixel by its definition: a sum over the periodic image. */
static double middle(const tw_int n[2], double sigma, const double *image)
{
    double sum = 0, weights = 0;

    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < n[1]; j++) {
            double dy = (double)(i - n[0] / 2), dx = (double)(j - n[1] / 2),
                   w = exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
            sum += w * image[i * n[1] + j];
            weights += w;
        }
    return sum / weights;
}

int main(int argc, char **argv)
{
    static const char usage[] = "fft_lowpass [SIGMA [IN.pgm OUT.pgm]]     blur in pixels [5]";
    double sigma = argument_number(argc, argv, 1, 5), expected, got;
    tw_signal s;
    int e = arguments(argc, argv, 3, usage);

    if (e >= 0) return e;
    if (argc == 3 || !(sigma > 0)) return fprintf(stderr, "usage: %s\n", usage), 2;
    if ((e = argc == 4 ? tw_signal_read(argv[2], &s) : made(&s))) return failed("the image", e);
    if (s.rank != 2 || s.type != TW_DOUBLE)
        return tw_signal_free(&s), fprintf(stderr, "%s: not a grey image\n", argv[2]), 1;
    expected = middle(s.n, sigma, s.data);
    if ((e = blur(s.n, sigma, s.data))) return failed("the transform", e);
    got = ((double *)s.data)[s.n[0] / 2 * s.n[1] + s.n[1] / 2];
    if (argc == 4 && (e = tw_signal_write(argv[3], &s))) return failed("the result", e);
    printf("%lld x %lld pixels blurred by %g: the middle one is %.6f, by its definition %.6f\n", (long long)s.n[1],
           (long long)s.n[0], sigma, got, expected);
    /* The definition above cuts the Gaussian off at the image's edge, and samples it. */
    e = sigma >= 1 && sigma < (double)s.n[0] / 16 && sigma < (double)s.n[1] / 16 && !(fabs(got - expected) < 1e-6);
    tw_signal_free(&s);
    return tw_finalize() || e;
}
