/* Pictures of particles: their density on a logarithmic scale, as PPM files. */
#include <math.h>
#include <stdlib.h>

#include "cli/nbody/particles.h"

static void centre_of(const tw_particles *p, double centre[2])
{
    double mass = 0;
    centre[0] = centre[1] = 0;
    for (tw_int i = 0; i < p->n; i++) {
        mass += fabs(p->q[i]);
        for (int k = 0; k < 2; k++)
            centre[k] += fabs(p->q[i]) * p->x[3 * i + k];
    }
    for (int k = 0; k < 2 && mass > 0; k++)
        centre[k] /= mass;
}

static unsigned *count(const struct cli_frames *f, const tw_particles *p)
{
    unsigned *pixel = calloc((size_t)f->size * (size_t)f->size, sizeof *pixel);
    const double scale = f->size / f->width;

    for (tw_int i = 0; pixel && i < p->n; i++) {
        const double x = (p->x[3 * i] - f->centre[0]) * scale + 0.5 * f->size,
                     y = 0.5 * f->size - (p->x[3 * i + 1] - f->centre[1]) * scale;
        if (x >= 0 && x < f->size && y >= 0 && y < f->size) pixel[(size_t)y * (size_t)f->size + (size_t)x]++;
    }
    return pixel;
}

/* Black, blue, orange, white. */
static void colour(double light, unsigned char rgb[3])
{
    rgb[0] = (unsigned char)(255 * fmin(1, 1.6 * light));
    rgb[1] = (unsigned char)(255 * fmin(1, light * light * 1.3));
    rgb[2] = (unsigned char)(255 * fmin(1, 0.5 * sqrt(light) + 0.5 * light * light));
}

int cli_frame(struct cli_frames *f, const tw_particles *p)
{
    const size_t pixels = (size_t)f->size * (size_t)f->size;
    const double full = log1p(8.0 * (double)(p->n + 1) / (double)pixels + 8);
    char path[1200];
    unsigned *pixel;
    FILE *out;
    int e;

    if (!f->started++) centre_of(p, f->centre);
    if (!(pixel = count(f, p))) return cli_error(CLI_FAILED, "--frames: not enough memory for a picture");
    snprintf(path, sizeof path, "%.1000s_%05d.ppm", f->prefix, f->count++);
    if (!(out = fopen(path, "wb"))) {
        free(pixel);
        return cli_error(CLI_FAILED, "--frames: %s cannot be written", path);
    }
    fprintf(out, "P6\n%d %d\n255\n", f->size, f->size);
    for (size_t k = 0; k < pixels; k++) {
        unsigned char rgb[3];
        colour(fmin(1, log1p(pixel[k]) / full), rgb);
        fwrite(rgb, 1, 3, out);
    }
    free(pixel);
    e = ferror(out) | fclose(out);
    return e ? cli_error(CLI_FAILED, "--frames: writing %s failed", path) : CLI_OK;
}
