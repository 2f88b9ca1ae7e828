/* gp:FILE.csv[,length,noise]: the covariance matrix of a Gaussian process on the rows of a table,
 *
 *   A(i, j) = exp(-|x_i - x_j|^2 / (2 length^2)) + noise^2 [i = j],   length 1, noise 0.1 by default.
 *
 * x_i are the numeric columns that vary, missing values replaced by the column's mean, then shifted to mean 0 and
 * scaled to variance 1 over all rows of the table. The matrix uses the first n rows. With n beyond the rows the
 * data set is refined: each further point lies between two rows, x = (1 - t) x_p + t x_q + 0.01 u, with p, q, t in
 * (0, 1) and u uniform in (-1, 1) in each coordinate, all from the seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/dense/generate.h"

static const double JITTER = 0.01;

/* ---- parameters: the file's name may contain commas, so numbers are taken from the end ------------------------- */

static int last_number(char *text, double *value)
{
    char *comma = strrchr(text, ',');
    const char *end;

    if (!comma || tw_number_parse(comma + 1, &end, value) != TW_NUMBER_OK || *end) return 0;
    *comma = 0;
    return 1;
}

static int read_parameters(tw_generator *g, char *text, double *length, double *noise)
{
    double last, first;

    *length = 1.0, *noise = 0.1;
    if (last_number(text, &last)) {
        if (last_number(text, &first))
            *length = first, *noise = last;
        else
            *length = last;
    }
    if (!*text) return tw_kind_fail(g, "write gp:FILE.csv[,length,noise]: there is no file name");
    if (!(*length > 0.0)) return tw_kind_fail(g, "the length must be positive, not %g", *length);
    if (!(*noise >= 0.0)) return tw_kind_fail(g, "the noise must not be negative, it is %g", *noise);
    if (!isfinite(0.5 / *length / *length) || !isfinite(*noise * *noise))
        return tw_kind_fail(g, "length %g and noise %g: out of range", *length, *noise);
    return 0;
}

/* ---- points ---------------------------------------------------------------------------------------------------- */

/* Scale one column of the table in place; 0 if it says nothing (text, or the same value everywhere). */
static int scale_column(double *x, tw_int rows)
{
    double largest = 0.0;
    long double sum = 0, squares = 0;
    tw_int present = 0;

    /* Divided by the largest magnitude first: squares of values near the ends of double's range would overflow or
     * vanish. */
    for (tw_int i = 0; i < rows; i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    if (largest == 0.0) return 0;
    for (tw_int i = 0; i < rows; i++)
        if (!isnan(x[i])) x[i] /= largest, sum += x[i], present++;
    double mean = (double)(sum / present);
    for (tw_int i = 0; i < rows; i++) {
        x[i] = isnan(x[i]) ? 0.0 : x[i] - mean;
        squares += (long double)x[i] * x[i];
    }
    double deviation = (double)sqrtl(squares / rows);
    if (!(deviation > 1e-12)) return 0;
    for (tw_int i = 0; i < rows; i++)
        x[i] /= deviation;
    return 1;
}

/* Keep the numeric columns that vary, scaled, at the front of the table's data; returns how many. */
static tw_int scale_table(tw_table *t)
{
    tw_int kept = 0;
    for (tw_int c = 0; c < t->cols; c++) {
        double *x = t->data + (size_t)c * (size_t)t->rows, *to = t->data + (size_t)kept * (size_t)t->rows;
        if (!t->numeric[c] || !scale_column(x, t->rows)) continue;
        if (to != x) memcpy(to, x, (size_t)t->rows * sizeof *x);
        kept++;
    }
    return kept;
}

/* The row that random number k of point i picks. */
static tw_int pick(const tw_generator *g, tw_int i, tw_int k, tw_int rows)
{
    return (tw_int)(tw_hash(g->stream[0], i, k) % (uint64_t)rows);
}

static void fill_points(tw_generator *g, const tw_table *t)
{
    for (tw_int c = 0; c < g->k; c++) {
        const double *x = t->data + (size_t)c * (size_t)t->rows;
        double *y = g->work + (size_t)c * (size_t)g->n;
        memcpy(y, x, (size_t)tw_min(t->rows, g->n) * sizeof *x);
        for (tw_int i = t->rows; i < g->n; i++) {
            double p = x[pick(g, i, -1, t->rows)], q = x[pick(g, i, -2, t->rows)];
            double s = 0.5 + 0.5 * tw_uniform(g->stream[0], i, -3);
            y[i] = (1.0 - s) * p + s * q + JITTER * tw_uniform(g->stream[1], i, c);
        }
    }
}

static int read_points(tw_generator *g, const char *path)
{
    tw_table t;
    int e = tw_table_read(path, &t);

    if (e) return e;
    g->k = scale_table(&t);
    if (g->k == 0)
        e = tw_fail(TW_E_FORMAT,
                    "%s: no numeric column whose values differ, so there is nothing to make a covariance of", path);
    else if ((g->work = tw_io_alloc("kind \"gp\": the points", g->n, (size_t)g->k * sizeof *g->work, &e)))
        fill_points(g, &t);
    tw_table_free(&t);
    return e;
}

int tw_setup_gp(tw_generator *g, const char *parameters)
{
    char *text = strdup(parameters ? parameters : "");
    double length, noise;
    int e;

    if (!text) return tw_fail(TW_E_MEMORY, "kind \"gp\": no memory for the file's name");
    if (!(e = read_parameters(g, text, &length, &noise))) {
        g->scale = -0.5 / length / length;
        g->shift = noise * noise;
        g->spd = noise > 0.0; /* without noise repeated rows make it singular */
        e = read_points(g, text);
    }
    free(text);
    return e;
}
