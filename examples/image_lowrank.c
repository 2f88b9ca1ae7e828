/* A picture from few singular values: how far A_k, the best matrix of rank k (Eckart and Young, 1936), is from it.
 *
 *   image_lowrank [FILE.pgm|- [RANK [PREFIX]]]
 *
 * FILE.pgm: a grey picture (P5, 8 bits); without one, or with -, one is made: rings, bars, a gradient and noise, 480 x
 * 640. PREFIX.pgm becomes the picture of RANK [20], PREFIX.svg the curve of the error over the rank.
 *
 * All of A = U diag(s) V' comes from tw_dgesdd. Checks: for 1, 2, 4, ... values |A - A_k| in Frobenius' norm is the
 * root of the sum of the squares of those left out, to 1e-12 of |A|; and tw_gersvd, which finds the first RANK by
 * random vectors, is no nearer than that, and not farther in the 2-norm than it says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/arguments.h"
#include "common/program.h"

struct image {
    tw_int rows, columns;
    double *a; /* column-major, 0 black to 1 white */
};

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* The next number of a header; comments are skipped. */
static int header_number(FILE *f)
{
    int c, value;
    while ((c = fgetc(f)) == '#' || c == ' ' || c == '\n' || c == '\r' || c == '\t')
        while (c == '#' && (c = fgetc(f)) != '\n' && c != EOF)
            c = '#';
    ungetc(c, f);
    return fscanf(f, "%d", &value) == 1 ? value : -1;
}

static void read_image(struct image *p, const char *path)
{
    FILE *f = fopen(path, "rb");
    int width, height, most;

    if (!f) fail(EXIT_USAGE, "%s: cannot be read", path);
    if (fgetc(f) != 'P' || fgetc(f) != '5') fail(EXIT_USAGE, "%s: no PGM file (P5)", path);
    width = header_number(f), height = header_number(f), most = header_number(f);
    if (width < 1 || height < 1 || most < 1 || most > 255 || width > 20000 || height > 20000)
        fail(EXIT_USAGE, "%s: no PGM file of 8 bits, or too large", path);
    fgetc(f);
    *p = (struct image){height, width, must_alloc((size_t)width * (size_t)height * sizeof *p->a)};
    for (tw_int i = 0; i < p->rows; i++)
        for (tw_int j = 0; j < p->columns; j++) {
            const int c = fgetc(f);
            if (c == EOF) fail(EXIT_USAGE, "%s: it ends in row %lld of %d", path, (long long)i + 1, height);
            p->a[i + j * p->rows] = (double)c / most;
        }
    fclose(f);
}

static void make_image(struct image *p)
{
    uint64_t state = 2026;

    *p = (struct image){480, 640, must_alloc((size_t)480 * 640 * sizeof *p->a)};
    for (tw_int j = 0; j < p->columns; j++)
        for (tw_int i = 0; i < p->rows; i++) {
            const double x = (double)j / 640, y = (double)i / 480, ring = hypot(x - 0.3, (y - 0.4) * 0.75),
                         bars = x > 0.6 && y > 0.5 ? ((int)(40 * x) + (int)(20 * y)) % 2 : 0;
            p->a[i + j * p->rows] =
                0.3 + 0.2 * x * y + 0.2 * cos(60 * ring) * exp(-6 * ring) + 0.25 * bars + 0.01 * random_normal(&state);
        }
}

static int write_image(const struct image *p, const char *prefix)
{
    char path[4096];
    FILE *f;
    int bad;

    snprintf(path, sizeof path, "%s.pgm", prefix);
    if (!(f = fopen(path, "wb"))) return perror(path), -1;
    bad = fprintf(f, "P5\n%lld %lld\n255\n", (long long)p->columns, (long long)p->rows) < 0;
    for (tw_int i = 0; i < p->rows; i++)
        for (tw_int j = 0; j < p->columns; j++)
            bad |= fputc((int)lround(255 * fmax(0, fmin(1, p->a[i + j * p->rows]))), f) == EOF;
    bad |= fclose(f) != 0;
    return bad ? fprintf(stderr, "%s: could not be written\n", path), -1 : 0;
}

/* The error over the rank, both from 1, in powers of ten. */
static int write_curve(tw_int k, const double *left, double norm, const char *prefix)
{
    char path[4096];
    FILE *f;
    double lowest = 0;

    for (tw_int i = 0; i < k; i++)
        if (left[i] > 0) lowest = fmin(lowest, log10(left[i] / norm));
    lowest = fmin(floor(lowest), -1);
    snprintf(path, sizeof path, "%s.svg", prefix);
    if (!(f = fopen(path, "w"))) return perror(path), -1;
    fprintf(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"420\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"640\" height=\"420\" fill=\"white\"/>\n<text x=\"60\" y=\"20\">|A - A_k| / "
        "|A| over the rank k</text>\n");
    for (int e = 0; e >= (int)lowest; e--)
        fprintf(f,
                "<line x1=\"60\" x2=\"620\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"20\" "
                "y=\"%.1f\">1e%d</text>\n",
                40 + 340 * e / lowest, 40 + 340 * e / lowest, 44 + 340 * e / lowest, e);
    fprintf(f, "<polyline fill=\"none\" stroke=\"#4477aa\" stroke-width=\"2\" points=\"");
    for (tw_int i = 0; i < k && left[i] > 0; i++)
        fprintf(f, "%.1f,%.1f ", 60 + 560 * log((double)i + 1) / log((double)k + 1),
                40 + 340 * log10(left[i] / norm) / lowest);
    fprintf(f, "\"/>\n<text x=\"60\" y=\"405\">1</text><text x=\"600\" y=\"405\">%lld</text>\n</svg>\n", (long long)k);
    return fclose(f) ? fprintf(stderr, "%s: could not be written\n", path), -1 : 0;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

/* to = A - U diag(s) V' of so many values, and its norm; with `from` NULL the sum itself. */
static double difference(tw_int m, tw_int n, tw_int values, const double *from, const double *u, const double *s,
                         const double *vt, tw_int ldvt, double *to)
{
    double *us = must_alloc((size_t)(m * (values > 0 ? values : 1)) * sizeof *us), sum = 0;
    tw_int info;

    for (tw_int k = 0; k < values; k++)
        for (tw_int i = 0; i < m; i++)
            us[i + k * m] = u[i + k * m] * s[k];
    if (from) memcpy(to, from, (size_t)(m * n) * sizeof *to);
    info = tw_dgemm('N', 'N', m, n, values, from ? -1 : 1, us, m, vt, ldvt, from ? 1 : 0, to, m);
    if (info) fail(EXIT_FAILED, "tw_dgemm: %lld: %s", (long long)info, tw_last_message());
    free(us);
    for (tw_int i = 0; i < m * n; i++)
        sum += to[i] * to[i];
    return sqrt(sum);
}

static double by_random_vectors(const struct image *p, tw_int k, double *error, double *work)
{
    double *s = must_alloc((size_t)k * sizeof *s), *u = must_alloc((size_t)(p->rows * k) * sizeof *u),
           *vt = must_alloc((size_t)(k * p->columns) * sizeof *vt), distance;
    tw_matrix *A = NULL, *U = NULL, *Vt = NULL;
    int rank, e;

    e = tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, p->rows, p->columns, p->a, p->rows, 256);
    if (!e) e = tw_matrix_wrap(&U, TW_DOUBLE, TW_GENERAL, p->rows, k, u, p->rows, 256);
    if (!e) e = tw_matrix_wrap(&Vt, TW_DOUBLE, TW_GENERAL, k, p->columns, vt, k, 256);
    if (!e) e = tw_gersvd(A, 0, 10, 2, 1, s, U, Vt, &rank, error);
    if (e) fail(EXIT_FAILED, "tw_gersvd: %d: %s", e, tw_last_message());
    tw_matrix_destroy(A), tw_matrix_destroy(U), tw_matrix_destroy(Vt);
    distance = difference(p->rows, p->columns, k, p->a, u, s, vt, k, work);
    free(s), free(u), free(vt);
    return distance;
}

int main(int argc, char **argv)
{
    static const char usage[] = "image_lowrank [FILE.pgm|- [RANK [PREFIX]]]     - makes a picture; rank from 1 [20]";
    const int made = argc < 2 || !strcmp(argv[1], "-"),
              status = argc > 1 && made ? arguments(argc - 1, argv + 1, 2, usage) : arguments(argc, argv, 3, usage);
    const double wanted = argument_number(argc, argv, 2, 20);
    struct image p, shown;
    double *s, *u, *vt, *work, *left, norm, worst = 0, error, random;
    tw_int info;

    if (status >= 0) return status;
    if (!(wanted >= 1 && wanted <= 20000) || wanted != floor(wanted)) return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);
    if (made)
        make_image(&p);
    else
        read_image(&p, argv[1]);

    const tw_int m = p.rows, n = p.columns, k = m < n ? m : n, rank = wanted < (double)k ? (tw_int)wanted : k;
    s = must_alloc((size_t)k * sizeof *s), u = must_alloc((size_t)(m * k) * sizeof *u),
    vt = must_alloc((size_t)(k * n) * sizeof *vt), work = must_alloc((size_t)(m * n) * sizeof *work),
    left = must_alloc((size_t)(k + 1) * sizeof *left);
    memcpy(work, p.a, (size_t)(m * n) * sizeof *work);
    if ((info = tw_dgesdd('S', m, n, work, m, s, u, m, vt, k)))
        fail(EXIT_FAILED, "tw_dgesdd: info %lld: %s", (long long)info, tw_last_message());
    for (tw_int i = k, first = 1; i >= 0; i--) { /* left[i]: behind i + 1 values */
        const double before = first ? 0 : left[i];
        if (i > 0) left[i - 1] = first ? 0 : hypot(before, s[i]);
        first = 0;
    }
    norm = hypot(left[0], s[0]);
    printf("%lld x %lld pixels, |A| = %.6g\n", (long long)m, (long long)n, norm);
    for (tw_int i = 1; i <= k; i = i < k && 2 * i > k ? k : 2 * i) {
        const double distance = difference(m, n, i, p.a, u, s, vt, k, work);
        printf("  rank %4lld: |A - A_k| / |A| = %.4e, in %.1f %% of the numbers\n", (long long)i, distance / norm,
               100 * (double)(i * (m + n + 1)) / (double)(m * n));
        worst = fmax(worst, fabs(distance - left[i - 1]) / norm);
    }
    random = by_random_vectors(&p, rank, &error, work);
    printf(
        "by the values left out it is the same to %.1g; rank %lld by random vectors: %.4e, the best is %.4e; at most "
        "%.4e in the 2-norm, where the best is %.4e\n",
        worst, (long long)rank, random / norm, left[rank - 1] / norm, error, rank < k ? s[rank] : 0);
    if (argc > 3) {
        shown = (struct image){m, n, work};
        (void)difference(m, n, rank, NULL, u, s, vt, k, work);
        if (write_image(&shown, argv[3]) || write_curve(k, left, norm, argv[3])) return 1;
    }
    const int good = worst < 1e-12 && random >= left[rank - 1] - 1e-12 * norm &&
                     random <= 2 * left[rank - 1] + 1e-12 * norm && error >= (rank < k ? s[rank] : 0) - 1e-12 * norm;
    free(p.a), free(s), free(u), free(vt), free(work), free(left);
    tw_finalize();
    return !good;
}
