/* Principal components of a table, by singular values: the directions in which its rows differ most.
 *
 *   pca [FILE.csv|- [TARGET [PICTURE.ppm]]]
 *
 * FILE.csv: a table with numeric columns; TARGET [median_house_value] is left out of them, and colours the picture.
 * Columns are scaled as gp_regression's: logarithms of long tails, mean 0, deviation 1. Without a file, or with -, a
 * table is made: 1000 rows, 8 columns that follow 3 hidden ones, and noise.
 *
 * X = U diag(s) V' by tw_dgesdd; s(k)^2 / (rows - 1) is the variance along column k of V, U diag(s) are the rows'
 * places there. The picture shows their places along the first two, blue for a low target, red for a high one. Checks:
 * the variances add up to the columns' own; the places along different directions are uncorrelated; and where one
 * column is there twice the rank is one less than the number of columns. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/lapack.h>
#include <tilework/runtime.h>

#include "common/arguments.h"
#include "common/dataset.h"
#include "common/ppm.h"
#include "common/program.h"

enum { MADE = 1000, MADE_COLUMNS = 8, HIDDEN = 3 };

static void make_data(struct dataset *d)
{
    static char *names[MADE_COLUMNS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    double mix[HIDDEN][MADE_COLUMNS];
    uint64_t state = 2026;

    *d = (struct dataset){.rows = MADE, .cols = MADE_COLUMNS, .names = names};
    d->x = must_alloc((size_t)(d->rows * d->cols) * sizeof *d->x), d->y = must_alloc((size_t)d->rows * sizeof *d->y);
    for (int k = 0; k < HIDDEN; k++)
        for (int j = 0; j < MADE_COLUMNS; j++)
            mix[k][j] = random_normal(&state) / (k + 1);
    for (tw_int i = 0; i < d->rows; i++) {
        double hidden[HIDDEN];
        for (int k = 0; k < HIDDEN; k++)
            hidden[k] = random_normal(&state);
        d->y[i] = hidden[0];
        for (int j = 0; j < MADE_COLUMNS; j++) {
            d->x[i + j * d->rows] = 0.1 * random_normal(&state);
            for (int k = 0; k < HIDDEN; k++)
                d->x[i + j * d->rows] += hidden[k] * mix[k][j];
        }
    }
}

/* All rows count here: every column has mean 0; its variance. */
static double centre(tw_int rows, double *x)
{
    double mean = 0, sum = 0;
    for (tw_int i = 0; i < rows; i++)
        mean += x[i] / (double)rows;
    for (tw_int i = 0; i < rows; i++)
        x[i] -= mean, sum += x[i] * x[i];
    return sum / (double)(rows - 1);
}

/* A table's singular values, and with u and vt vectors: x stays. */
static void decompose(char job, tw_int m, tw_int n, const double *x, double *s, double *u, double *vt)
{
    double *a = must_alloc((size_t)(m * n) * sizeof *a);
    tw_int info;

    memcpy(a, x, (size_t)(m * n) * sizeof *a);
    if ((info = tw_dgesdd(job, m, n, a, m, s, u, m, vt, n)))
        fail(EXIT_FAILED, "tw_dgesdd: info %lld: %s", (long long)info, tw_last_message());
    free(a);
}

static tw_int rank_of(tw_int m, tw_int n, const double *s)
{
    tw_int rank = 0;
    while (rank < n && s[rank] > (double)m * DBL_EPSILON * s[0])
        rank++;
    return rank;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How far along a direction all but 1 of 200 rows are. */
static double reach(tw_int rows, const double *u)
{
    double *sorted = must_alloc((size_t)rows * sizeof *sorted), most;

    for (tw_int i = 0; i < rows; i++)
        sorted[i] = fabs(u[i]);
    qsort(sorted, (size_t)rows, sizeof *sorted, by_size);
    most = sorted[rows - 1 - rows / 200];
    free(sorted);
    return most > 0 ? 1.05 * most : 1;
}

/* Rows along the first two directions, coloured by y's place between its 5th and 95th of 100. */
static int draw(tw_int rows, const double *u, const double *y, const char *path)
{
    enum { SIZE = 760, BORDER = 20 };
    double *sorted = must_alloc((size_t)rows * sizeof *sorted), low, high;
    const double across = reach(rows, u), up = reach(rows, u + rows);
    struct ppm p;

    memcpy(sorted, y, (size_t)rows * sizeof *sorted);
    qsort(sorted, (size_t)rows, sizeof *sorted, by_size);
    low = sorted[rows / 20], high = sorted[rows - 1 - rows / 20];
    free(sorted);
    if (ppm_create(&p, SIZE + 2 * BORDER, SIZE + 2 * BORDER)) return -1;
    for (tw_int i = 0; i < rows; i++) {
        const double place = high > low ? 2 * (y[i] - low) / (high - low) - 1 : 0;
        unsigned char rgb[3];
        ppm_signed(fmax(-1, fmin(1, place)), rgb);
        for (int k = 0; k < 3; k++)
            rgb[k] = (unsigned char)(rgb[k] * 0.85); /* white does not show on white */
        ppm_square(&p, BORDER + (int)((u[i] / across + 1) / 2 * SIZE),
                   BORDER + (int)((1 - u[i + rows] / up) / 2 * SIZE), 3, rgb);
    }
    return ppm_write(&p, path);
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "pca [FILE.csv|- [TARGET [PICTURE.ppm]]]     - makes a table; a column's name [median_house_value]";
    const int made = argc < 2 || !strcmp(argv[1], "-"),
              status = argc > 1 && made ? arguments(argc - 1, argv + 1, 2, usage) : arguments(argc, argv, 3, usage);
    const char *target = argc > 2 ? argv[2] : "median_house_value";
    static const struct dataset_words words = {"FILE.csv", "TARGET", "TARGET"};
    struct dataset d;
    double total = 0, sum = 0, *s, *u, *vt, *twice, worst = 0;

    if (status >= 0) return status;
    tw_blas_reexec(argv);
    if (made) {
        make_data(&d);
    } else {
        dataset_read(&d, argv[1], target, 2, 1, &words);
        const tw_int all = d.rows;
        dataset_free(&d); /* again, now that the number of rows is known */
        dataset_read(&d, argv[1], target, all - 1, 1, &words);
    }

    const tw_int m = d.rows, n = d.cols;
    if (n < 2 || m <= n + 1) fail(EXIT_USAGE, "%lld rows of %lld columns are too few", (long long)m, (long long)n);
    s = must_alloc((size_t)(n + 1) * sizeof *s), u = must_alloc((size_t)(m * n) * sizeof *u),
    vt = must_alloc((size_t)(n * n) * sizeof *vt), twice = must_alloc((size_t)(m * (n + 1)) * sizeof *twice);
    for (tw_int j = 0; j < n; j++)
        total += centre(m, d.x + j * m);
    decompose('S', m, n, d.x, s, u, vt);
    for (tw_int k = 0; k < n; k++)
        sum += s[k] * s[k] / (double)(m - 1);
    for (tw_int k = 0; k < n; k++) /* uncorrelated */
        for (tw_int l = 0; l < k; l++) {
            double product = 0;
            for (tw_int i = 0; i < m; i++)
                product += u[i + k * m] * u[i + l * m];
            worst = fmax(worst, fabs(product));
        }
    printf("%lld rows, %lld columns; variance along each direction, of all of it:\n", (long long)m, (long long)n);
    for (tw_int k = 0; k < n; k++) {
        tw_int most = 0;
        for (tw_int j = 1; j < n; j++)
            if (fabs(vt[k + j * n]) > fabs(vt[k + most * n])) most = j;
        printf("  %2lld  %5.1f %%   mostly %s\n", (long long)k + 1, 100 * s[k] * s[k] / (double)(m - 1) / total,
               d.names[most]);
    }
    if (argc > 3 && draw(m, u, d.y, argv[3])) return 1;

    const tw_int rank = rank_of(m, n, s);
    memcpy(twice, d.x, (size_t)(m * n) * sizeof *twice);
    memcpy(twice + m * n, d.x, (size_t)m * sizeof *twice);
    decompose('N', m, n + 1, twice, s, NULL, NULL);
    printf("the variances add up to 1 within %.1g; directions are uncorrelated to %.1g; rank %lld, with one column "
           "twice %lld "
           "of %lld\n",
           fabs(sum / total - 1), worst, (long long)rank, (long long)rank_of(m, n + 1, s), (long long)n + 1);
    const int good = fabs(sum / total - 1) < 1e-12 && worst < 1e-12 && rank == rank_of(m, n + 1, s) && rank <= n;
    free(s), free(u), free(vt), free(twice);
    if (made)
        free(d.x), free(d.y);
    else
        dataset_free(&d);
    tw_finalize();
    return !good;
}
