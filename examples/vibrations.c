/* How a molecule moves: the normal modes of its elastic network, springs between all atoms that are near each other (M.
 * M. Tirion, Phys. Rev. Lett. 77, 1996).
 *
 *   vibrations [FILE.pdb|- [REACH [PICTURE.svg]]]     springs up to 8 Angstrom; without a file, or with -, a made
 *                                                     peptide
 *
 * The second derivatives of the energy at rest make a symmetric matrix of order 3 n. A body that does not come apart
 * and does not bend without a cost moves freely in six ways, three shifts and three turns: the check is that there are
 * exactly six zero eigenvalues, that these six ways are in their span, and that none is negative. The picture shows the
 * slowest other mode as arrows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/arguments.h"

/* Spring by spring: 1 / r^2 times the outer product of their difference, on four blocks of three. */
static long stiffness(const tw_atoms *a, double reach, double *h)
{
    const size_t n = 3 * (size_t)a->n;
    long springs = 0;

    for (tw_int i = 0; i < a->n; i++)
        for (tw_int j = 0; j < i; j++) {
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++)
                d[k] = a->x[3 * i + k] - a->x[3 * j + k], r2 += d[k] * d[k];
            if (!(r2 > 0 && r2 <= reach * reach)) continue;
            springs++;
            for (int k = 0; k < 3; k++)
                for (int m = 0; m < 3; m++) {
                    const double f = d[k] * d[m] / r2;
                    h[(size_t)(3 * i + k) + (size_t)(3 * i + m) * n] += f;
                    h[(size_t)(3 * j + k) + (size_t)(3 * j + m) * n] += f;
                    h[(size_t)(3 * i + k) + (size_t)(3 * j + m) * n] -= f;
                    h[(size_t)(3 * j + k) + (size_t)(3 * i + m) * n] -= f;
                }
        }
    return springs;
}

/* What of the six rigid motions, each of length 1, lies outside of the first six modes: the largest. */
static double outside(const tw_atoms *a, const double *z)
{
    const size_t n = 3 * (size_t)a->n;
    double *v = malloc(n * sizeof *v), worst = 0;

    for (int motion = 0; v && motion < 6; motion++) {
        const int k = motion % 3, p = (k + 1) % 3, q = (k + 2) % 3;
        double length = 0, rest = 0;
        memset(v, 0, n * sizeof *v);
        for (tw_int i = 0; i < a->n; i++) {
            if (motion < 3) v[3 * i + k] = 1;
            if (motion >= 3) v[3 * i + p] = -a->x[3 * i + q], v[3 * i + q] = a->x[3 * i + p];
        }
        for (size_t i = 0; i < n; i++)
            length += v[i] * v[i];
        for (int m = 0; m < 6; m++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += v[i] * z[i + (size_t)m * n];
            for (size_t i = 0; i < n; i++)
                v[i] -= dot * z[i + (size_t)m * n];
        }
        for (size_t i = 0; i < n; i++)
            rest += v[i] * v[i];
        worst = fmax(worst, sqrt(rest / length));
    }
    free(v);
    return v ? worst : NAN;
}

static int draw(const tw_atoms *a, double reach, const double *mode, const char *path)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, most = 0, scale;
    FILE *f = fopen(path, "w");
    int bad;

    if (!f) return perror(path), -1;
    for (tw_int i = 0; i < a->n; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], a->x[3 * i + k]), high[k] = fmax(high[k], a->x[3 * i + k]);
            most = fmax(most, fabs(mode[3 * i + k]));
        }
    scale = 560 / fmax(fmax(high[0] - low[0], high[1] - low[1]), 1);
#define X(i) (40 + scale * (a->x[3 * (i)] - low[0]))
#define Y(i) (40 + scale * (high[1] - a->x[3 * (i) + 1]))
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='640' height='640' viewBox='0 0 640 640'>\n"
               "<rect width='100%%' height='100%%' fill='white'/>\n<g stroke='#dde3e9'>\n");
    for (tw_int i = 0; i < a->n; i++)
        for (tw_int j = 0; j < i; j++)
            if (hypot(hypot(a->x[3 * i] - a->x[3 * j], a->x[3 * i + 1] - a->x[3 * j + 1]),
                      a->x[3 * i + 2] - a->x[3 * j + 2]) <= fmin(reach, 4))
                fprintf(f, "<path d='M%.1f %.1fL%.1f %.1f'/>\n", X(i), Y(i), X(j), Y(j));
    fprintf(f, "</g>\n<g stroke='#d1495b' stroke-width='2' fill='#1769aa'>\n");
    for (tw_int i = 0; i < a->n; i++) {
        fprintf(f, "<path d='M%.1f %.1fl%.1f %.1f'/>\n", X(i), Y(i), 40 * mode[3 * i] / most,
                -40 * mode[3 * i + 1] / most);
        fprintf(f, "<circle cx='%.1f' cy='%.1f' r='3.5' stroke='none'/>\n", X(i), Y(i));
    }
    fprintf(f, "</g>\n</svg>\n");
    bad = ferror(f);
    bad |= fclose(f) != 0;
    if (bad) perror(path);
    return bad ? -1 : 0;
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "vibrations [FILE.pdb|- [REACH [PICTURE.svg]]]     - is a made peptide; REACH in Angstrom [8]";
    int status =
        argc > 1 && !strcmp(argv[1], "-") ? arguments(argc - 1, argv + 1, 2, usage) : arguments(argc, argv, 3, usage);
    const double reach = argument_number(argc, argv, 2, 8);
    double *h, *w, apart;
    tw_int info, zeros = 0, n;
    long springs;
    tw_atoms a;

    if (status >= 0) return status;
    if (!(reach > 0 && reach < 1e6)) return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);
    if (argc > 1 && strcmp(argv[1], "-") ? tw_atoms_read(argv[1], 0, &a) : tw_atoms_generate(&a, "peptide", 90, 1))
        return fprintf(stderr, "vibrations: %s\n", tw_last_message()), 2;
    n = 3 * a.n;
    h = a.n > 2 ? calloc((size_t)n * (size_t)n, sizeof *h) : NULL, w = malloc((size_t)(n + 1) * sizeof *w);
    if (!h || !w) return fprintf(stderr, "vibrations: %lld atoms are too few, or too many\n", (long long)a.n), 2;
    if (!(springs = stiffness(&a, reach, h)))
        return fprintf(stderr, "vibrations: no two atoms are within %g Angstrom of each other\n", reach), 1;
    if ((info = tw_dsyevd('V', 'L', n, h, n, w)))
        return fprintf(stderr, "tw_dsyevd: info %lld: %s\n", (long long)info, tw_last_message()), 1;
    while (zeros < n && fabs(w[zeros]) < 1e-11 * w[n - 1])
        zeros++;
    apart = zeros == 6 ? outside(&a, h) : NAN;
    printf(
        "%lld atoms, %ld springs: %lld zero modes; the others from %.4g to %.4g; shifts and turns are missed by %.1g\n",
        (long long)a.n, springs, (long long)zeros, zeros < n ? w[zeros] : NAN, w[n - 1], apart);
    if (zeros != 6) printf("a body in one piece has six: it comes apart, or bends freely; a longer reach may help\n");
    if (argc > 3 && zeros == 6 && draw(&a, reach, h + 6 * (size_t)n, argv[3])) return 1;
    status = !(zeros == 6 && w[0] > -1e-11 * w[n - 1] && w[6] > 1e-8 * w[n - 1] && apart < 1e-8);
    free(h), free(w);
    tw_atoms_free(&a);
    tw_finalize();
    return status;
}
