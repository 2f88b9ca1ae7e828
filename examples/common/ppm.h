/* Pictures as PPM files: a canvas of pixels, colours for numbers from -1 to 1 and for classes. */
#ifndef EXAMPLES_PPM_H
#define EXAMPLES_PPM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ppm {
    int width, height;
    unsigned char *rgb; /* row by row from the top */
};

/* White; 0, or -1 without memory. */
static inline int ppm_create(struct ppm *p, int width, int height)
{
    *p = (struct ppm){width, height, malloc(3 * (size_t)width * (size_t)height)};
    if (p->rgb) memset(p->rgb, 255, 3 * (size_t)width * (size_t)height);
    return p->rgb ? 0 : -1;
}
static inline void ppm_put(struct ppm *p, int x, int y, const unsigned char rgb[3])
{
    if (x >= 0 && x < p->width && y >= 0 && y < p->height)
        memcpy(p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x), rgb, 3);
}
static inline void ppm_square(struct ppm *p, int x, int y, int side, const unsigned char rgb[3])
{
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            ppm_put(p, x + i, y + j, rgb);
}
/* Blue for -1, white for 0, red for 1. */
static inline void ppm_signed(double v, unsigned char rgb[3])
{
    const double fade = 1 - fmin(fabs(v), 1);
    rgb[0] = (unsigned char)lround(v > 0 ? 255 - 50 * (1 - fade) : 255 * fade);
    rgb[1] = (unsigned char)lround(255 * fade);
    rgb[2] = (unsigned char)lround(v < 0 ? 255 - 50 * (1 - fade) : 255 * fade);
}
/* Some colours that differ well; they repeat. */
static inline const unsigned char *ppm_class(int k)
{
    static const unsigned char colours[][3] = {{68, 119, 170},  {238, 102, 119}, {34, 136, 51},   {204, 187, 68},
                                               {102, 204, 238}, {170, 51, 119},  {187, 187, 187}, {238, 119, 51},
                                               {0, 153, 136},   {136, 34, 85}};
    return colours[k % 10];
}
/* Written and freed; 0, or -1 after a message. */
static inline int ppm_write(struct ppm *p, const char *path)
{
    FILE *f = fopen(path, "wb");
    const size_t bytes = 3 * (size_t)p->width * (size_t)p->height;
    int bad = !f;

    if (f) {
        bad = fprintf(f, "P6\n%d %d\n255\n", p->width, p->height) < 0 || fwrite(p->rgb, 1, bytes, f) != bytes;
        bad |= fclose(f) != 0;
    }
    free(p->rgb);
    if (bad) perror(path);
    return bad ? -1 : 0;
}
#endif
