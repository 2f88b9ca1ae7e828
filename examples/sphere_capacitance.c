/* The capacitance of a sphere by boundary elements: C = 4 pi eps0 r is known, so the whole way to it can be checked.
 *
 *   sphere_capacitance [PANELS [RADIUS]]     about so many triangles [5000]; metres [0.1]
 *
 * A conductor at one volt carries a charge density s with  integral of s(y) / (4 pi eps0 |x - y|) over its surface = 1
 *                                                          at every point x of it. Here s is constant on each
 * of n flat triangles, and the equation holds at their centres (R. Harrington, Field Computation by Moment Methods,
 * 1968): a general, full matrix, A(i, j) = the potential at centre i of triangle j with density 1, solved by tw_dgesv.
 * A triangle's potential at its own centre has a closed form; of near ones it is integrated over smaller triangles.
 * Checks: C within 1 %, or 5/n for few panels (the errors go with 1/n), the solve's residual, and a density that is
 * nearly the same everywhere. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/lapack.h>
#include <tilework/runtime.h>

#include "common/arguments.h"

static const double EPS0 = 8.8541878128e-12; /* F/m, CODATA 2018 */

struct vector {
    double x, y, z;
};
static struct vector combine(double a, struct vector u, double b, struct vector v, double c, struct vector w)
{
    return (struct vector){a * u.x + b * v.x + c * w.x, a * u.y + b * v.y + c * w.y, a * u.z + b * v.z + c * w.z};
}
static struct vector minus(struct vector u, struct vector v)
{
    return (struct vector){u.x - v.x, u.y - v.y, u.z - v.z};
}
static double dot(struct vector u, struct vector v)
{
    return u.x * v.x + u.y * v.y + u.z * v.z;
}
static struct vector cross(struct vector u, struct vector v)
{
    return (struct vector){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
static double length(struct vector u)
{
    return sqrt(dot(u, u));
}

/* ---- the surface ------------------------------------------------------------------------------------------------- */

struct panel {
    struct vector corner[3], centre;
    double area, size; /* size: the longest way from the centre to a corner */
};

static struct panel make_panel(struct vector a, struct vector b, struct vector c)
{
    struct panel p = {{a, b, c}, combine(1. / 3, a, 1. / 3, b, 1. / 3, c), 0, 0};
    p.area = 0.5 * length(cross(minus(b, a), minus(c, a)));
    for (int k = 0; k < 3; k++)
        p.size = fmax(p.size, length(minus(p.corner[k], p.centre)));
    return p;
}

/* A point of a face of the icosahedron in the barycentric grid of f steps, moved out to the sphere. */
static struct vector on_sphere(const struct vector face[3], int i, int j, int f, double radius)
{
    const struct vector v = combine((double)(f - i - j) / f, face[0], (double)i / f, face[1], (double)j / f, face[2]);
    return combine(radius / length(v), v, 0, v, 0, v);
}

/* 20 f^2 triangles of about one size, corners on the sphere. */
static struct panel *make_sphere(int f, double radius)
{
    const double g = (1 + sqrt(5)) / 2;
    const struct vector v[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                 {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    struct panel *panels = malloc((size_t)20 * (size_t)f * (size_t)f * sizeof *panels), *p = panels;

    for (int k = 0; panels && k < 20; k++) {
        const struct vector face[3] = {v[faces[k][0]], v[faces[k][1]], v[faces[k][2]]};
        for (int i = 0; i < f; i++)
            for (int j = 0; i + j < f; j++) {
                const struct vector a = on_sphere(face, i, j, f, radius), b = on_sphere(face, i + 1, j, f, radius),
                                    c = on_sphere(face, i, j + 1, f, radius);
                *p++ = make_panel(a, b, c);
                if (i + j + 1 < f) *p++ = make_panel(b, on_sphere(face, i + 1, j + 1, f, radius), c);
            }
    }
    return panels;
}

/* ---- potentials: integrals of 1 / |x - y| over a triangle -------------------------------------------------------- */

/* At its own centre: the sum over the edges of h (asinh(t2 / h) - asinh(t1 / h)), h the edge's distance, t along it. */
static double own_potential(const struct panel *p)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const struct vector a = minus(p->corner[k], p->centre), b = minus(p->corner[(k + 1) % 3], p->centre),
                            e = minus(b, a);
        const double along = length(e), h = length(cross(a, e)) / along;
        sum += h * (asinh(dot(b, e) / along / h) - asinh(dot(a, e) / along / h));
    }
    return sum;
}
/* At x elsewhere: near ones are quartered, those far enough count at their centre. */
static double potential(const struct panel *p, struct vector x)
{
    const double away = length(minus(x, p->centre));
    double sum = 0;

    if (away > 4 * p->size) return p->area / away;
    const struct vector *c = p->corner, ab = combine(0.5, c[0], 0.5, c[1], 0, c[0]),
                        bc = combine(0.5, c[1], 0.5, c[2], 0, c[0]), ca = combine(0.5, c[2], 0.5, c[0], 0, c[0]);
    const struct panel quarter[4] = {make_panel(c[0], ab, ca), make_panel(ab, c[1], bc), make_panel(ca, bc, c[2]),
                                     make_panel(ab, bc, ca)};
    for (int k = 0; k < 4; k++)
        sum += potential(&quarter[k], x);
    return sum;
}
static double entry(const struct panel *panels, int i, int j)
{
    return i == j ? own_potential(&panels[i]) : potential(&panels[j], panels[i].centre);
}

/* |b - A s| / ((|A| |s| + |b|) n eps) in the largest norm, A made anew from its definition; b is all ones times
 * `right`. */
static double residual(const struct panel *panels, int n, const double *s, double right)
{
    double worst = 0, norm = 0, largest = 0;

    for (int i = 0; i < n; i++) {
        double sum = right, row = 0;
        for (int j = 0; j < n; j++) {
            const double a = entry(panels, i, j);
            sum -= a * s[j];
            row += a;
        }
        worst = fmax(worst, fabs(sum)), norm = fmax(norm, row), largest = fmax(largest, fabs(s[i]));
    }
    return worst / ((norm * largest + right) * n * 0x1p-53);
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "sphere_capacitance [PANELS [RADIUS]]     20 to 100000 panels [5000], a radius in metres [0.1]";
    const int status = arguments(argc, argv, 2, usage);
    const double wanted = argument_number(argc, argv, 1, 5000), radius = argument_number(argc, argv, 2, 0.1);

    if (status >= 0) return status;
    if (!(wanted >= 20 && wanted <= 100000 && radius >= 1e-9 && radius <= 1e9))
        return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);

    const int f = (int)ceil(sqrt(wanted / 20) - 1e-9), n = 20 * f * f;
    const double pi = acos(-1), right = 4 * pi * EPS0, known = 4 * pi * EPS0 * radius;
    struct panel *panels = make_sphere(f, radius);
    double *a = malloc((size_t)n * (size_t)n * sizeof *a), *s = malloc((size_t)n * sizeof *s), charge = 0,
           least = INFINITY, most = 0;
    tw_int *ipiv = malloc((size_t)n * sizeof *ipiv);
    if (!panels || !a || !s || !ipiv) return fprintf(stderr, "no memory for %d panels\n", n), 1;

    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            a[i + (size_t)j * (size_t)n] = entry(panels, i, j);
        s[j] = right; /* one volt */
    }
    const tw_int info = tw_dgesv(n, 1, a, n, ipiv, s, n);
    if (info) return fprintf(stderr, "tw_dgesv: info %lld: %s\n", (long long)info, tw_last_message()), 1;
    for (int j = 0; j < n; j++) {
        charge += s[j] * panels[j].area;
        least = fmin(least, s[j]), most = fmax(most, s[j]);
    }
    const double error = charge / known - 1, uneven = most / least - 1, left = residual(panels, n, s, right);
    printf("%d panels: %.6g pF, 4 pi eps0 r = %.6g pF: %+.3f %%; densities differ by %.2f %%; scaled residual %.3g\n",
           n, 1e12 * charge, 1e12 * known, 100 * error, 100 * uneven, left);
    free(panels), free(a), free(s), free(ipiv);
    tw_finalize();
    return !(fabs(error) < fmax(0.01, 5.0 / n) && uneven < 0.2 && left < 30);
}
