/* Girko's circular law: the eigenvalues of a large matrix of independent random elements fill a disk.
 *
 *   circular_law [ORDER [PICTURE.ppm]]     2000; the picture shows the eigenvalues in the plane, and the circle
 *
 * Elements are normal with deviation sigma = 1; the eigenvalues lie evenly in the disk of radius sqrt(n) sigma (V. L.
 * Girko, Theory Probab. Appl. 29, 1985; T. Tao, V. Vu, Ann. Probab. 38, 2010). Checks: at least 97 % of them within
 * 1.02 sqrt(n) sigma; as many within half the radius as its share of the area, a quarter, says; of real ones sqrt(2 n /
 * pi), with a deviation of 0.68 n^(1/4) (A. Edelman, E. Kostlan, M. Shub, J. Amer. Math. Soc. 7, 1994; P. J. Forrester,
 * T. Nagao, Phys. Rev. Lett. 99, 2007); conjugate ones in pairs; and their sum is the trace. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/tilework.h>

#include "common/arguments.h"
#include "common/ppm.h"

/* Marsaglia's xorshift, and Box and Muller. */
static double uniform(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(uint64_t *state)
{
    const double u = uniform(state), v = uniform(state);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* A picture of 640 points' width, of 1.25 times the circle. */
static int draw(int n, const double *wr, const double *wi, const char *path)
{
    enum { SIDE = 640, DOT = 3 };
    static const unsigned char grey[3] = {160, 160, 160};
    const double unit = SIDE / (2.5 * sqrt((double)n));
    struct ppm p;

    if (ppm_create(&p, SIDE, SIDE)) return -1;
    for (int k = 0; k < 4 * SIDE; k++) {
        const double angle = 6.283185307179586 * k / (4 * SIDE), radius = SIDE / 2.5;
        ppm_square(&p, (int)lround(SIDE / 2 + radius * cos(angle)), (int)lround(SIDE / 2 + radius * sin(angle)), 1,
                   grey);
    }
    for (int i = 0; i < n; i++)
        ppm_square(&p, (int)lround(SIDE / 2 + unit * wr[i]) - DOT / 2, (int)lround(SIDE / 2 - unit * wi[i]) - DOT / 2,
                   DOT, ppm_class(wi[i] == 0));
    return ppm_write(&p, path);
}

int main(int argc, char **argv)
{
    static const char usage[] = "circular_law [ORDER [PICTURE.ppm]]     an order from 200 to 20000 [2000]";
    const int status = arguments(argc, argv, 2, usage);
    const double order = argument_number(argc, argv, 1, 2000);
    double *a, *wr, *wi, trace = 0, sum = 0, share, half, expected, deviation;
    int inside = 0, inner = 0, real = 0, paired = 1;
    uint64_t state = 88172645463325252u;
    tw_int info;

    if (status >= 0) return status;
    if (!(order >= 200 && order <= 20000) || order != floor(order)) return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);
    const int n = (int)order;
    const double radius = sqrt(order);

    a = malloc((size_t)n * (size_t)n * sizeof *a), wr = malloc((size_t)n * sizeof *wr),
    wi = malloc((size_t)n * sizeof *wi);
    if (!a || !wr || !wi) return fprintf(stderr, "no memory for a matrix of order %d\n", n), 1;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        a[k] = normal(&state);
    for (int i = 0; i < n; i++)
        trace += a[(size_t)i * ((size_t)n + 1)];
    if ((info = tw_dgeev('N', 'N', n, a, n, wr, wi, NULL, 1, NULL, 1)))
        return fprintf(stderr, "tw_dgeev: info %lld: %s\n", (long long)info, tw_last_message()), 1;
    for (int i = 0; i < n; i++) {
        const double size = hypot(wr[i], wi[i]);
        inside += size <= 1.02 * radius, inner += size <= radius / 2, real += wi[i] == 0, sum += wr[i];
        if (wi[i] > 0) paired &= i + 1 < n && wr[i + 1] == wr[i] && wi[i + 1] == -wi[i];
    }
    share = inside / order, half = inner / order;
    expected = sqrt(2 * order / acos(-1)), deviation = 0.68 * sqrt(sqrt(order));
    printf("%d eigenvalues: %.2f %% within 1.02 sqrt(n), %.2f %% within half the radius (25 %% of the area)\n", n,
           100 * share, 100 * half);
    printf("%d are real (%.1f expected, give or take %.1f); their sum misses the trace by %.1g\n", real, expected,
           deviation, fabs(sum - trace));
    if (argc > 2 && draw(n, wr, wi, argv[2])) return 1;
    free(a), free(wr), free(wi);
    tw_finalize();
    return !(share >= 0.97 && fabs(half - 0.25) < 0.6 / radius && fabs(real - expected) < 5 * deviation && paired &&
             fabs(sum - trace) < 1e-14 * order * radius);
}
