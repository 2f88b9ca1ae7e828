/* The tones of an L-shaped drum: eigenvalues of the Laplacian on three unit squares, which no formula gives.
 *
 *   membrane [CELLS [PICTURE.ppm]]     16 cells to a unit, then 32; the picture shows the first six modes
 *
 * Five-point differences on the inner points of a grid of width h make a symmetric matrix. The corner that points
 * inwards makes the lowest eigenvalue's error go with h^(4/3) (L. Fox, P. Henrici, C. Moler, SIAM J. Numer. Anal. 4,
 * 1967), so two grids give a better one. Checks: 9.63972, the value known since that paper, within 0.2 %; the third
 * mode is that of a unit square, whose eigenvalue on the grid is known exactly; and the residual of the six modes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/tilework.h>

#include "common/arguments.h"
#include "common/ppm.h"

/* The inner points, with numbers; 0 is outside or on the edge. c cells to a unit, 2 c + 1 points to a side. */
struct grid {
    int c, side, n, *number;
};
static int number_at(const struct grid *g, int i, int j)
{
    return g->number[i + j * g->side];
}
static int make_grid(struct grid *g, int c)
{
    *g = (struct grid){c, 2 * c + 1, 0, calloc((size_t)(2 * c + 1) * (size_t)(2 * c + 1), sizeof(int))};
    if (!g->number) return -1;
    for (int j = 1; j < 2 * c; j++)
        for (int i = 1; i < 2 * c; i++)
            if (i < c || j < c) g->number[i + j * g->side] = ++g->n; /* not the upper right square, nor its edges */
    return 0;
}

/* Row by row y = A x; or, with x NULL, the matrix itself into a. */
static void laplacian(const struct grid *g, const double *x, double *y, double *a)
{
    const double scale = (double)g->c * g->c;

    for (int j = 1; j < 2 * g->c; j++)
        for (int i = 1; i < 2 * g->c; i++) {
            const int k = number_at(g, i, j) - 1, beside[4] = {number_at(g, i - 1, j), number_at(g, i + 1, j),
                                                               number_at(g, i, j - 1), number_at(g, i, j + 1)};
            if (k < 0) continue;
            if (x) y[k] = 4 * scale * x[k];
            if (a) a[k + (size_t)k * (size_t)g->n] = 4 * scale;
            for (int m = 0; m < 4; m++) {
                if (x && beside[m]) y[k] -= scale * x[beside[m] - 1];
                if (a && beside[m]) a[k + (size_t)(beside[m] - 1) * (size_t)g->n] = -scale;
            }
        }
}

/* The eigenvalues, and the eigenvectors if z is not NULL (to be freed, both): 0, or 1 after a message. */
static int tones(const struct grid *g, double **w, double **z)
{
    double *a = calloc((size_t)g->n * (size_t)g->n, sizeof *a);
    tw_int info;

    *w = malloc((size_t)g->n * sizeof **w);
    if (!a || !*w) return fprintf(stderr, "no memory for a matrix of order %d\n", g->n), 1;
    laplacian(g, NULL, NULL, a);
    info = tw_dsyevd(z ? 'V' : 'N', 'L', g->n, a, g->n, *w);
    if (info) return fprintf(stderr, "tw_dsyevd: info %lld: %s\n", (long long)info, tw_last_message()), 1;
    if (z)
        *z = a;
    else
        free(a);
    return 0;
}

/* The largest |A z - w z| of the first modes, over |A|. */
static double residual(const struct grid *g, const double *w, const double *z, int modes)
{
    double *y = malloc((size_t)g->n * sizeof *y), worst = 0;

    for (int k = 0; y && k < modes; k++) {
        const double *x = z + (size_t)k * (size_t)g->n;
        laplacian(g, x, y, NULL);
        for (int i = 0; i < g->n; i++)
            worst = fmax(worst, fabs(y[i] - w[k] * x[i]));
    }
    free(y);
    return y ? worst / (8.0 * g->c * g->c) : NAN;
}

/* Six modes, three beside each other. */
static int draw(const struct grid *g, const double *z, const char *path)
{
    const int pixel = g->c < 100 ? 200 / (2 * g->c) + 1 : 1, box = g->side * pixel;
    struct ppm p;

    if (ppm_create(&p, 3 * box, 2 * box)) return -1;
    for (int k = 0; k < 6; k++) {
        const double *x = z + (size_t)k * (size_t)g->n;
        double most = 0;
        for (int i = 0; i < g->n; i++)
            most = fmax(most, fabs(x[i]));
        for (int j = 0; j < g->side; j++)
            for (int i = 0; i < g->side; i++) {
                unsigned char rgb[3];
                if (!number_at(g, i, j)) continue;
                ppm_signed(x[number_at(g, i, j) - 1] / most, rgb);
                ppm_square(&p, k % 3 * box + i * pixel, k / 3 * box + (g->side - 1 - j) * pixel, pixel, rgb);
            }
    }
    return ppm_write(&p, path);
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "membrane [CELLS [PICTURE.ppm]]     9 to 60 cells to a unit [16]; fewer are too coarse for 0.2 %";
    const int status = arguments(argc, argv, 2, usage);
    const double cells = argument_number(argc, argv, 1, 16), weight = pow(2, 4.0 / 3), known = 9.63972;
    struct grid coarse, fine;
    double *w, *z, *values, square, third, first, error;

    if (status >= 0) return status;
    if (!(cells >= 9 && cells <= 60) || cells != floor(cells)) return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);
    if (make_grid(&coarse, (int)cells) || make_grid(&fine, 2 * (int)cells)) return 1;
    if (tones(&coarse, &w, &z) || tones(&fine, &values, NULL)) return 1;
    first = (weight * values[0] - w[0]) / (weight - 1);
    square = 8 * fine.c * fine.c * pow(sin(acos(-1) / (2 * fine.c)), 2);
    third = fabs(values[2] / square - 1);
    error = residual(&coarse, w, z, 6);
    printf("lowest eigenvalue: %.5f on %d points, %.5f on %d, together %.5f: %.3f %% from %.5f\n", w[0], coarse.n,
           values[0], fine.n, first, 100 * fabs(first / known - 1), known);
    printf("the square's %.5f is missed by %.1g; six modes leave a residual of %.1g\n", square, third, error);
    if (argc > 2 && draw(&coarse, z, argv[2])) return 1;
    free(w), free(z), free(values), free(coarse.number), free(fine.number);
    tw_finalize();
    if (!(fabs(first / known - 1) < 0.002))
        fprintf(stderr, "check failed: the lowest eigenvalue is not within 0.2 %%\n");
    if (!(third < 1e-11)) fprintf(stderr, "check failed: the square's eigenvalue is missed by %g\n", third);
    if (!(error < 1e-12)) fprintf(stderr, "check failed: the residual of six modes is %g\n", error);
    return !(fabs(first / known - 1) < 0.002 && third < 1e-11 && error < 1e-12);
}
