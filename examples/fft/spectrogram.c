/* The spectrogram of a sound as a picture: overlapping frames under a Hann window, all transformed as one batch. Time
 * runs to the right, frequency upwards, brightness is decibels. Without files, a made sound: a tone that rises from 200
 * to 3000 Hz.
 *
 *   fft_spectrogram [IN.wav OUT.png]          (or OUT.ppm) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/fft.h>

#include "../common/arguments.h"

#define PI 3.141592653589793238463
enum { FRAME = 1024, HOP = 256, BINS = FRAME / 2 + 1 };

static int failed(const char *what, int e)
{
    fprintf(stderr, "%s: %s\n", what, *tw_last_message() ? tw_last_message() : tw_strerror(e));
    return 1;
}

static int made(tw_signal *s)
{
    enum { RATE = 8000, LENGTH = 3 * RATE };
    *s = (tw_signal){.type = TW_DOUBLE, .rank = 2, .n = {LENGTH, 1}, .count = LENGTH, .rate = RATE};
    if (!(s->data = malloc(sizeof(double) * LENGTH))) return TW_E_MEMORY;
    for (int i = 0; i < LENGTH; i++) {
        double t = (double)i / RATE;
        ((double *)s->data)[i] = 0.5 * sin(2 * PI * (200 + (3000 - 200) / 6.0 * t) * t);
    }
    return 0;
}

/* Power of every bin of every frame; NULL on failure. */
static double *powers(const tw_signal *s, tw_int frames, int *e)
{
    double *x = malloc(sizeof *x * (size_t)(frames * FRAME)), *c = malloc(sizeof *c * 2 * (size_t)(frames * BINS));
    const tw_int n = FRAME;
    tw_fft *plan = NULL;

    *e = TW_E_MEMORY;
    if (x && c && !(*e = tw_fft_plan(&plan, TW_DOUBLE, TW_FFT_R2C, 1, &n, frames, TW_FFT_FORWARD, NULL))) {
        for (tw_int f = 0; f < frames; f++)
            for (tw_int i = 0; i < FRAME; i++)
                x[f * FRAME + i] = ((double *)s->data)[(f * HOP + i) * s->n[1]] *
                                   (0.5 - 0.5 * cos(2 * PI * ((double)i + 0.5) / FRAME));
        *e = tw_fft_execute(plan, x, c);
        for (tw_int k = 0; k < frames * BINS; k++)
            c[k] = c[2 * k] * c[2 * k] + c[2 * k + 1] * c[2 * k + 1];
    }
    tw_fft_destroy(plan);
    free(x);
    if (!*e) return c;
    free(c);
    return NULL;
}

/* 80 dB from black over blue and red to yellow. */
static int paint(const char *path, const double *power, tw_int frames)
{
    tw_signal image = {.type = TW_DOUBLE, .rank = 3, .n = {BINS, frames, 3}, .count = BINS * frames * 3};
    double top = 1e-300, *pixel;
    int e;

    if (!(image.data = malloc(sizeof(double) * (size_t)image.count))) return TW_E_MEMORY;
    for (tw_int k = 0; k < frames * BINS; k++)
        top = fmax(top, power[k]);
    pixel = image.data;
    for (tw_int bin = BINS - 1; bin >= 0; bin--)
        for (tw_int f = 0; f < frames; f++, pixel += 3) {
            double level = 1 + 10 * log10(fmax(power[f * BINS + bin] / top, 1e-30)) / 80;
            pixel[0] = 2 * level - 0.6;
            pixel[1] = 3 * level - 2;
            pixel[2] = level < 0.5 ? 2 * level : 2 - 2.4 * level;
        }
    e = tw_signal_write(path, &image);
    free(image.data);
    return e;
}

int main(int argc, char **argv)
{
    double *power, expected, peak;
    tw_int frames, middle, best = 0;
    tw_signal s;
    static const char usage[] = "fft_spectrogram [IN.wav OUT.png]     a PPM file where OUT ends with .ppm";
    int e = arguments(argc, argv, 2, usage);

    if (e >= 0) return e;
    if (argc == 2) return fprintf(stderr, "usage: %s\n", usage), 2;
    if ((e = argc == 3 ? tw_signal_read(argv[1], &s) : made(&s))) return failed("the sound", e);
    if (!(s.rate > 0) || s.n[0] < FRAME)
        return tw_signal_free(&s), fprintf(stderr, "%s: no WAV file of %d samples or more\n", argv[1], FRAME), 1;
    frames = (s.n[0] - FRAME) / HOP + 1;
    if (!(power = powers(&s, frames, &e))) return failed("the transforms", e);
    middle = frames / 2;
    for (tw_int k = 1; k < BINS; k++)
        if (power[middle * BINS + k] > power[middle * BINS + best]) best = k;
    peak = (double)best * s.rate / FRAME;
    printf("%lld frames of %d samples; the loudest frequency in the middle is %.0f Hz\n", (long long)frames, FRAME,
           peak);
    e = argc == 3 ? paint(argv[2], power, frames) : 0;
    if (e) return failed(argv[2], e);
    expected = 200 + 2 * (3000 - 200) / 6.0 * ((double)(middle * HOP) + FRAME / 2.0) / 8000; /* the made sound's */
    e = argc == 1 && !(fabs(peak - expected) < 2 * s.rate / FRAME);
    free(power);
    tw_signal_free(&s);
    return tw_finalize() || e;
}
