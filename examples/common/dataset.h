/* From a CSV file to what a regression needs: scaled columns without gaps, a target, training rows first. */
#ifndef EXAMPLES_DATASET_H
#define EXAMPLES_DATASET_H

#include <stdint.h>
#include <tilework/matrix.h>

struct dataset {
    tw_int rows, train, cols; /* rows with a target, in seeded random order: the first `train` are for training */
    double *x;      /* rows x cols, column-major; each column has mean 0 and deviation 1 over the training rows */
    double *y;      /* the target, in its own unit */
    char **names;   /* of the columns of x; "log NAME" where the logarithm was taken */
    tw_int logs;    /* columns whose logarithm was taken */
    tw_int filled;  /* missing values replaced by their column's median */
    tw_int dropped; /* rows without a target, left out */
    char *ignored;  /* "NAME (no numbers), NAME (constant)": columns left out; "" if none */
};

/* What the program's user calls these: "--target" or "TARGET". */
struct dataset_words {
    const char *input, *target, *train;
};

/* Read `path` and prepare it. Leaves with EXIT_USAGE, naming the file, the column or the word for `train`, when the
 * file cannot be read, has no such column (the columns are listed), the target is text, more than half of a column is
 * missing, a value is infinite, nothing is left to learn from, or `train` is not in 2 … rows-1. */
void dataset_read(struct dataset *d, const char *path, const char *target, tw_int train, uint64_t seed,
                  const struct dataset_words *words);
void dataset_free(struct dataset *d);

#endif
