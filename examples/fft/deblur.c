/* Sharpen an image that was blurred by a Gaussian of SIGMA pixels and has noise of standard deviation NOISE (grey
 * values are 0 to 1): Wiener's filter h / (h^2 + noise / signal), which divides by the blur where there is signal left
 * and stops where there is none. The image is taken as periodic. Without files, a made image is blurred and deblurred.
 *
 *   fft_deblur [SIGMA [NOISE [IN.pgm OUT.pgm]]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    *s = (tw_signal){.type = TW_DOUBLE, .rank = 2, .n = {288, 400}, .count = 288 * 400};
    if (!(s->data = malloc(sizeof(double) * (size_t)s->count))) return TW_E_MEMORY;
    for (tw_int i = 0; i < s->count; i++)
        ((double *)s->data)[i] = ((i / 400 / 36 + i % 400 / 40) % 2 ? 0.7 : 0.1) + 0.2 * (double)(i % 400) / 400;
    return 0;
}

/* Multiply the image's transform by that of the blur (ratio < 0), or by Wiener's filter for it. The Gaussian's
 * transform is exp(-2 pi^2 sigma^2 f^2), f in cycles per pixel. */
static int apply(const tw_int n[2], double sigma, double ratio, double *image)
{
    tw_int half = n[1] / 2 + 1;
    double *table = calloc((size_t)(n[0] * half), 2 * sizeof *table);
    tw_fft_filter *filter = NULL;
    int e = TW_E_MEMORY;

    if (!table) return e;
    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < half; j++) {
            double fy = (double)(i <= n[0] / 2 ? i : i - n[0]) / (double)n[0], fx = (double)j / (double)n[1];
            double h = exp(-2 * PI * PI * sigma * sigma * (fy * fy + fx * fx));
            table[2 * (i * half + j)] = ratio < 0 ? h : h / (h * h + ratio);
        }
    e = tw_fft_filter_create(&filter, TW_DOUBLE, TW_FFT_R2C, 2, n, table, NULL);
    if (!e) e = tw_fft_filter_execute(filter, image, image);
    tw_fft_filter_destroy(filter);
    free(table);
    return e;
}

/* Sum of twelve uniform numbers less six: nearly normal, standard deviation 1. */
static double normal(unsigned *state)
{
    double x = -6;
    for (int k = 0; k < 12; k++)
        x += (*state = *state * 1664525u + 1013904223u) / 4294967296.0;
    return x;
}

static double variance(const double *x, tw_int count)
{
    double sum = 0, squares = 0;
    for (tw_int i = 0; i < count; i++)
        sum += x[i], squares += x[i] * x[i];
    return squares / (double)count - sum * sum / ((double)count * (double)count);
}

static double distance(const double *a, const double *b, tw_int count)
{
    double sum = 0;
    for (tw_int i = 0; i < count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / (double)count);
}

/* Blur the made image, add noise, sharpen it: how far from the image is it before and after? */
static int demonstrate(double sigma, double noise)
{
    double *x, *sharp = NULL, before = 0, after = 0;
    unsigned state = 1;
    tw_signal s;
    int e = made(&s);

    if (e) return failed("the image", e);
    x = s.data;
    if (!(sharp = malloc(sizeof *sharp * (size_t)s.count))) e = TW_E_MEMORY;
    if (!e) {
        memcpy(sharp, x, sizeof *sharp * (size_t)s.count);
        e = apply(s.n, sigma, -1, x);
    }
    if (!e) {
        for (tw_int i = 0; i < s.count; i++)
            x[i] += noise * normal(&state);
        before = distance(x, sharp, s.count);
        e = apply(s.n, sigma, noise * noise / variance(x, s.count), x);
        after = distance(x, sharp, s.count);
    }
    if (!e)
        printf("%lld x %lld pixels blurred by %g, noise %g: off by %.4f (root of the mean square), by %.4f when "
               "sharpened\n",
               (long long)s.n[1], (long long)s.n[0], sigma, noise, before, after);
    free(sharp);
    tw_signal_free(&s);
    if (e) return failed("the filter", e);
    return !(after < 0.8 * before);
}

static int sharpen(double sigma, double noise, const char *from, const char *to)
{
    tw_signal s;
    int e = tw_signal_read(from, &s);

    if (e) return failed("the image", e);
    if (s.rank != 2 || s.type != TW_DOUBLE) {
        tw_signal_free(&s);
        return fprintf(stderr, "%s: not a grey image\n", from), 1;
    }
    e = apply(s.n, sigma, noise * noise / fmax(variance(s.data, s.count), 1e-12), s.data);
    if (!e) e = tw_signal_write(to, &s);
    tw_signal_free(&s);
    return e ? failed(to, e) : 0;
}

int main(int argc, char **argv)
{
    static const char usage[] = "fft_deblur [SIGMA [NOISE [IN.pgm OUT.pgm]]]     blur in pixels [2], noise [0.005]";
    double sigma = argument_number(argc, argv, 1, 2), noise = argument_number(argc, argv, 2, 0.005);
    int e = arguments(argc, argv, 4, usage);

    if (e >= 0) return e;
    if (argc == 4 || !(sigma > 0) || !(noise > 0)) return fprintf(stderr, "usage: %s\n", usage), 2;
    e = argc == 5 ? sharpen(sigma, noise, argv[3], argv[4]) : demonstrate(sigma, noise);
    return tw_finalize() || e;
}
