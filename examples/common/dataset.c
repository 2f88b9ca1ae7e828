#include "common/dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/program.h"

static tw_int find_target(const tw_table *t, const char *path, const char *target, const char *word)
{
    for (tw_int j = 0; j < t->cols; j++)
        if (strcmp(t->names[j], target) == 0) {
            if (!t->numeric[j]) fail(EXIT_USAGE, "%s: column '%s' (%s) is not numeric", path, target, word);
            return j;
        }
    size_t length = 1;
    for (tw_int j = 0; j < t->cols; j++)
        length += strlen(t->names[j]) + 2;
    char *list = must_alloc(length), *p = list;
    *p = '\0';
    for (tw_int j = 0; j < t->cols; j++)
        p += sprintf(p, "%s%s", j ? ", " : "", t->names[j]);
    fail(EXIT_USAGE, "%s: no column '%s' (%s); its columns are: %s", path, target, word, list);
}

/* More than half missing is not a column one can fill, and infinity is an error of the file. */
static void check_column(const tw_table *t, tw_int j, const char *path)
{
    const double *v = t->data + j * t->rows;
    tw_int missing = 0;
    for (tw_int i = 0; i < t->rows; i++) {
        if (isinf(v[i]))
            fail(EXIT_USAGE, "%s: column '%s', row %lld: the value is infinite", path, t->names[j], (long long)i + 1);
        missing += isnan(v[i]) != 0;
    }
    if (2 * missing > t->rows)
        fail(EXIT_USAGE, "%s: column '%s': %lld of %lld values are missing; that is too many to fill in", path,
             t->names[j], (long long)missing, (long long)t->rows);
}

/* The rows that have a target, shuffled (Fisher and Yates): rows of a file are often sorted, here by place. */
static tw_int *choose_rows(const double *target, tw_int rows, uint64_t seed, tw_int *kept)
{
    tw_int *row = must_alloc((size_t)rows * sizeof *row), n = 0;
    for (tw_int i = 0; i < rows; i++)
        if (!isnan(target[i])) row[n++] = i;
    uint64_t state = seed;
    for (tw_int i = n - 1; i > 0; i--) {
        tw_int k = (tw_int)(random_bits(&state) % (uint64_t)(i + 1)), swap = row[i];
        row[i] = row[k];
        row[k] = swap;
    }
    *kept = n;
    return row;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the values that are there; NaN when there are none. */
static double median_of(const double *v, tw_int n)
{
    double *sorted = must_alloc((size_t)n * sizeof *sorted);
    tw_int k = 0;
    for (tw_int i = 0; i < n; i++)
        if (!isnan(v[i])) sorted[k++] = v[i];
    qsort(sorted, (size_t)k, sizeof *sorted, by_value);
    double median = k == 0 ? NAN : 0.5 * (sorted[(k - 1) / 2] + sorted[k / 2]);
    free(sorted);
    return median;
}

static void moments(const double *v, tw_int n, double *mean, double *deviation, double *skewness)
{
    double m = 0, s2 = 0, s3 = 0;
    for (tw_int i = 0; i < n; i++)
        m += v[i] / (double)n;
    for (tw_int i = 0; i < n; i++) {
        double c = v[i] - m;
        s2 += c * c / (double)n;
        s3 += c * c * c / (double)n;
    }
    *mean = m;
    *deviation = sqrt(s2);
    *skewness = s2 > 0 ? s3 / (s2 * sqrt(s2)) : 0;
}

/* Fill, unskew and scale one column. Everything is learned from the training rows only. Returns 0 when the column is
 * constant there and says nothing. */
static int prepare_column(struct dataset *d, double *v, int *took_log)
{
    double median = median_of(v, d->train), mean, deviation, skewness, smallest = INFINITY;
    if (isnan(median)) return 0;
    tw_int filled = 0;
    for (tw_int i = 0; i < d->rows; i++) {
        if (isnan(v[i])) {
            v[i] = median;
            filled++;
        }
        smallest = fmin(smallest, v[i]);
    }
    moments(v, d->train, &mean, &deviation, &skewness);
    /* Counts and amounts of money have long tails: their logarithm is close to what a stationary kernel expects. */
    *took_log = smallest > 0 && skewness > 1;
    if (*took_log) {
        for (tw_int i = 0; i < d->rows; i++)
            v[i] = log(v[i]);
        moments(v, d->train, &mean, &deviation, &skewness);
    }
    if (!(deviation > 1e-12 * fabs(mean))) return 0;
    for (tw_int i = 0; i < d->rows; i++)
        v[i] = (v[i] - mean) / deviation;
    d->filled += filled;
    return 1;
}

static void note_ignored(struct dataset *d, const char *name, const char *why)
{
    size_t old = strlen(d->ignored);
    char *s = must_alloc(old + strlen(name) + strlen(why) + 6);
    sprintf(s, "%s%s%s (%s)", d->ignored, old ? ", " : "", name, why);
    free(d->ignored);
    d->ignored = s;
}

static void take_columns(struct dataset *d, const tw_table *t, tw_int target, const tw_int *row, const char *path)
{
    d->x = must_alloc((size_t)d->rows * (size_t)t->cols * sizeof *d->x);
    d->names = must_alloc((size_t)t->cols * sizeof *d->names);
    for (tw_int j = 0; j < t->cols; j++) {
        if (j == target) continue;
        if (!t->numeric[j]) {
            note_ignored(d, t->names[j], "no numbers");
            continue;
        }
        check_column(t, j, path);
        double *v = d->x + d->cols * d->rows;
        for (tw_int i = 0; i < d->rows; i++)
            v[i] = t->data[j * t->rows + row[i]];
        int took_log = 0;
        if (!prepare_column(d, v, &took_log)) {
            note_ignored(d, t->names[j], "constant");
            continue;
        }
        char *name = must_alloc(strlen(t->names[j]) + 5);
        sprintf(name, "%s%s", took_log ? "log " : "", t->names[j]);
        d->names[d->cols++] = name;
        d->logs += took_log;
    }
    if (d->cols == 0) fail(EXIT_USAGE, "%s: no numeric column besides the target: nothing to learn from", path);
}

void dataset_read(struct dataset *d, const char *path, const char *target, tw_int train, uint64_t seed,
                  const struct dataset_words *words)
{
    tw_table t;
    if (tw_table_read(path, &t) != 0) fail(EXIT_USAGE, "%s: %s", words->input, tw_last_message());
    *d = (struct dataset){.train = train, .ignored = calloc(1, 1)};
    if (!d->ignored) fail(EXIT_FAILED, "no memory");
    tw_int j = find_target(&t, path, target, words->target);
    check_column(&t, j, path);
    const double *y = t.data + j * t.rows;
    tw_int *row = choose_rows(y, t.rows, seed, &d->rows);
    d->dropped = t.rows - d->rows;
    if (train < 2 || train >= d->rows)
        fail(EXIT_USAGE, "%s %lld: %s has %lld rows with a target; between 2 and %lld can train, the rest is predicted",
             words->train, (long long)train, path, (long long)d->rows, (long long)d->rows - 1);
    d->y = must_alloc((size_t)d->rows * sizeof *d->y);
    for (tw_int i = 0; i < d->rows; i++)
        d->y[i] = y[row[i]];
    take_columns(d, &t, j, row, path);
    free(row);
    tw_table_free(&t);
}

void dataset_free(struct dataset *d)
{
    for (tw_int j = 0; j < d->cols; j++)
        free(d->names[j]);
    free(d->names);
    free(d->x);
    free(d->y);
    free(d->ignored);
    *d = (struct dataset){0};
}
