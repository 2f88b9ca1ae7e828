/* A polynomial of several variables through data by least squares: Q R against Q R with column pivoting.
 *
 *   polynomial_regression [FILE.csv|- [TARGET [TRAIN [DEGREE]]]]
 *
 * FILE.csv: a table whose numeric columns explain TARGET [median_house_value]; so many rows are for training [4 of 5;
 * TRAIN 0], the others are held out. Columns are scaled as gp_regression's: logarithms of long tails, mean 0, deviation
 * 1; then halved and held to [-1, 1]. Without a file, or with -, data are made: 8 columns, a polynomial of degree 4 and
 * noise. All monomials up to DEGREE [4] are the matrix' columns: 495 of 8 columns.
 *
 * tw_dgels wants full rank; tw_dgelsy finds the rank (of columns that depend on each other nothing is lost but their
 * number) and the shortest solution. Checks: the residuals of both are orthogonal to the columns, to rounding; with
 * full rank both predict the same; held-out rows are predicted better than by their mean, and made ones as well as
 * their noise allows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/lapack.h>
#include <tilework/runtime.h>

#include "common/arguments.h"
#include "common/dataset.h"
#include "common/program.h"

enum { DEGREE_MOST = 8, COLUMNS_MOST = 64, TERMS_MOST = 20000, MADE = 4000, MADE_COLUMNS = 8 };
static const double NOISE = 0.1, RCOND = 1e-12;

/* ---- the monomials ----------------------------------------------------------------------------------------------- */

struct polynomial {
    int columns, degree, terms;
    int *factor; /* of each term `degree` columns whose product it is; -1: one */
};

/* How many there are: binomial(columns + degree, degree). */
static double count_terms(int columns, int degree)
{
    double terms = 1;
    for (int k = 1; k <= degree; k++)
        terms = terms * (columns + k) / k;
    return rint(terms);
}
/* Factors in falling order, from -1 on: as a counter counts. */
static void make_polynomial(struct polynomial *p, int columns, int degree)
{
    int now[DEGREE_MOST];

    *p = (struct polynomial){columns, degree, (int)count_terms(columns, degree), NULL};
    p->factor = must_alloc((size_t)p->terms * (size_t)degree * sizeof *p->factor);
    for (int k = 0; k < degree; k++)
        now[k] = -1;
    for (int t = 0; t < p->terms; t++) {
        int at = degree - 1;
        memcpy(p->factor + (size_t)t * (size_t)degree, now, (size_t)degree * sizeof *now);
        while (at > 0 && now[at] == now[at - 1])
            at--;
        now[at]++;
        for (int k = at + 1; k < degree; k++)
            now[k] = -1;
    }
}
/* Terms of the rows from `first` on: rows x terms. x: all rows, column by column. */
static double *evaluate(const struct polynomial *p, const double *x, tw_int all, tw_int first, tw_int rows)
{
    double *a = must_alloc((size_t)rows * (size_t)p->terms * sizeof *a);

    for (int t = 0; t < p->terms; t++) {
        double *to = a + (size_t)t * (size_t)rows;
        for (tw_int i = 0; i < rows; i++)
            to[i] = 1;
        for (int k = 0; k < p->degree; k++) {
            const int c = p->factor[(size_t)t * (size_t)p->degree + (size_t)k];
            for (tw_int i = 0; c >= 0 && i < rows; i++)
                to[i] *= x[(size_t)c * (size_t)all + (size_t)(first + i)];
        }
    }
    return a;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* A polynomial with random coefficients, deviation about 1, of columns in [-1, 1], and noise. */
static void make_data(struct dataset *d)
{
    struct polynomial p;
    uint64_t state = 2026;

    *d = (struct dataset){.rows = MADE, .cols = MADE_COLUMNS};
    d->x = must_alloc((size_t)(d->rows * d->cols) * sizeof *d->x), d->y = must_alloc((size_t)d->rows * sizeof *d->y);
    for (tw_int i = 0; i < d->rows * d->cols; i++)
        d->x[i] = 2 * random_uniform(&state) - 1;
    make_polynomial(&p, MADE_COLUMNS, 4);
    double *a = evaluate(&p, d->x, d->rows, 0, d->rows);
    for (tw_int i = 0; i < d->rows; i++)
        d->y[i] = NOISE * random_normal(&state);
    for (int t = 0; t < p.terms; t++) {
        const double c = random_normal(&state) / 3;
        for (tw_int i = 0; i < d->rows; i++)
            d->y[i] += c * a[i + (tw_int)t * d->rows];
    }
    free(a), free(p.factor);
}
static void read_data(struct dataset *d, const char *path, const char *target, tw_int train)
{
    dataset_read(d, path, target, train, 1, &(struct dataset_words){"FILE.csv", "TARGET", "TRAIN"});
    for (tw_int i = 0; i < d->rows * d->cols; i++)
        d->x[i] = fmin(fmax(d->x[i] / 2, -1), 1);
}

/* ---- what came out ----------------------------------------------------------------------------------------------- */

/* The root mean square of y - A c. */
static double deviation(tw_int m, int n, const double *a, const double *c, const double *y)
{
    double *left = must_alloc((size_t)m * sizeof *left), sum = 0;

    memcpy(left, y, (size_t)m * sizeof *left);
    for (int t = 0; t < n; t++)
        for (tw_int i = 0; i < m; i++)
            left[i] -= c[t] * a[i + (tw_int)t * m];
    for (tw_int i = 0; i < m; i++)
        sum += left[i] * left[i];
    free(left);
    return sqrt(sum / (double)m);
}
/* |A' (y - A c)| / (|A| (|A| |c| + |y|) max(m, n) eps), Frobenius' and Euclid's norms. */
static double residual(tw_int m, int n, const double *a, const double *c, const double *y)
{
    double *left = must_alloc((size_t)m * sizeof *left), norm = 0, size = 0, right = 0, slant = 0;

    memcpy(left, y, (size_t)m * sizeof *left);
    for (int t = 0; t < n; t++)
        for (tw_int i = 0; i < m; i++)
            left[i] -= c[t] * a[i + (tw_int)t * m], norm += a[i + (tw_int)t * m] * a[i + (tw_int)t * m];
    for (int t = 0; t < n; t++) {
        double sum = 0;
        for (tw_int i = 0; i < m; i++)
            sum += a[i + (tw_int)t * m] * left[i];
        slant += sum * sum, size += c[t] * c[t];
    }
    for (tw_int i = 0; i < m; i++)
        right += y[i] * y[i];
    free(left);
    norm = sqrt(norm);
    return sqrt(slant) / (norm * (norm * sqrt(size) + sqrt(right)) * fmax((double)m, n) * 0x1p-53);
}

int main(int argc, char **argv)
{
    static const char usage[] = "polynomial_regression [FILE.csv|- [TARGET [TRAIN [DEGREE]]]]     - makes data; a "
                                "column's name [median_house_value], rows [4 of "
                                "5: 0], degree 1 to 8 [4]";
    const int made = argc < 2 || !strcmp(argv[1], "-"),
              status = argc > 1 && made ? arguments(argc - 1, argv + 1, 3, usage) : arguments(argc, argv, 4, usage);
    const double wanted = argument_number(argc, argv, 3, 0), degree = argument_number(argc, argv, 4, 4);
    struct dataset d;
    struct polynomial p;

    if (status >= 0) return status;
    if (!(wanted >= 0 && wanted < 1e9 && degree >= 1 && degree <= DEGREE_MOST) || wanted != floor(wanted) ||
        degree != floor(degree))
        return fprintf(stderr, "usage: %s\n", usage), 2;
    tw_blas_reexec(argv);

    tw_int m = (tw_int)wanted;
    if (made) {
        make_data(&d);
    } else {
        const char *target = argc > 2 ? argv[2] : "median_house_value";
        read_data(&d, argv[1], target, m ? m : 2);
        if (!m) { /* now that the number of rows is known */
            m = d.rows * 4 / 5;
            dataset_free(&d);
            read_data(&d, argv[1], target, m);
        }
    }
    m = m ? m : d.rows * 4 / 5;
    if (d.cols > COLUMNS_MOST || count_terms((int)d.cols, (int)degree) > TERMS_MOST)
        return fprintf(stderr, "%.0f terms of %lld columns are too many: choose a lower degree\n",
                       count_terms((int)d.cols, (int)degree), (long long)d.cols),
               2;
    make_polynomial(&p, (int)d.cols, (int)degree);
    if (m < p.terms || m >= d.rows)
        return fprintf(stderr, "%d terms need as many rows for training, and one to hold out: not %lld of %lld\n",
                       p.terms, (long long)m, (long long)d.rows),
               2;

    const int n = p.terms;
    const tw_int out = d.rows - m;
    double *a = evaluate(&p, d.x, d.rows, 0, m), *held = evaluate(&p, d.x, d.rows, m, out),
           *f = must_alloc((size_t)m * (size_t)n * sizeof *f), *c[2], left[2], rmse[2], mean = 0, spread = 0, apart = 0,
           seconds;
    tw_int *jpvt = calloc((size_t)n, sizeof *jpvt), rank = n, info;
    if (!jpvt) return fprintf(stderr, "no memory for %d terms\n", n), 1;

    if ((info = tw_init(NULL))) /* here, and not on the first routine's clock */
        return fprintf(stderr, "tw_init: %s: %s\n", tw_strerror((int)info), tw_last_message()), 1;
    printf("%lld rows for training, %lld held out; %lld columns, %d monomials to degree %d\n", (long long)m,
           (long long)out, (long long)d.cols, n, p.degree);
    for (int way = 0; way < 2; way++) {
        c[way] = must_alloc((size_t)m * sizeof **c);
        memcpy(c[way], d.y, (size_t)m * sizeof **c);
        memcpy(f, a, (size_t)m * (size_t)n * sizeof *f);
        seconds = seconds_now();
        info = way == 0 ? tw_dgels('N', m, n, 1, f, m, c[way], m)
                        : tw_dgelsy(m, n, 1, f, m, c[way], m, jpvt, RCOND, &rank);
        seconds = seconds_now() - seconds;
        if (info)
            return fprintf(stderr, "tw_dgels%s: info %lld: %s\n", way ? "y" : "", (long long)info, tw_last_message()),
                   1;
        left[way] = residual(m, n, a, c[way], d.y);
        rmse[way] = deviation(out, n, held, c[way], d.y + m);
        printf("%s: %.3f s, scaled residual %.3g, RMSE %.6g on the training rows, %.6g on those held out",
               way ? "gelsy" : "gels ", seconds, left[way], deviation(m, n, a, c[way], d.y), rmse[way]);
        printf(way ? "; rank %lld\n" : "\n", (long long)rank);
    }
    for (tw_int i = 0; i < m; i++)
        mean += d.y[i] / (double)m;
    for (tw_int i = m; i < d.rows; i++)
        spread += (d.y[i] - mean) * (d.y[i] - mean) / (double)out;
    spread = sqrt(spread);
    for (int t = 0; t < n; t++)
        c[1][t] -= c[0][t];
    for (tw_int i = 0; i < out; i++) { /* of the two predictions */
        double sum = 0;
        for (int t = 0; t < n; t++)
            sum += held[i + (tw_int)t * out] * c[1][t];
        apart = fmax(apart, fabs(sum));
    }
    printf("predicting the mean: RMSE %.6g; the two predictions differ by at most %.2g\n", spread, apart);
    /* As many coefficients as n take their part of the noise: sqrt(1 + n / m) of it at the least. */
    const int good = left[0] < 30 && left[1] < 30 && rmse[0] < spread && rmse[1] < spread &&
                     (rank < n || apart < 1e-6 * spread) &&
                     !(made && degree == 4 && rmse[1] > 1.3 * NOISE * sqrt(1 + (double)n / (double)m));
    free(a), free(held), free(f), free(c[0]), free(c[1]), free(jpvt), free(p.factor);
    if (made) d.cols = 0; /* they have no names */
    dataset_free(&d);
    tw_finalize();
    return !good;
}
