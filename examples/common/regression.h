/* What gp_regression was asked, what it found, and how it tells. */
#ifndef EXAMPLES_REGRESSION_H
#define EXAMPLES_REGRESSION_H

#include "common/dataset.h"
#include "common/gp.h"

struct options {
    const char *input, *target, *train_text, *seed_text, *subset_text, *type, *picture, *trace;
    int json, help;
    tw_int train, subset;
    uint64_t seed;
};

/* What is timed. */
enum step { READ, START, CHOOSE, BUILD, FACTOR, SOLVE, PREDICT, STEPS };

struct result {
    double seconds[STEPS];
    double rmse, rmse_mean, likelihood, subset_likelihood, residual, factor_gflops;
    int evaluations;
    tw_machine machine;
    tw_int subset;
    double *predicted; /* of the rows from d.train on, in the target's unit */
};

/* One JSON object on one line; likelihoods are those of the target with mean 0 and deviation 1. */
void print_json(const struct options *o, const struct dataset *d, const struct gp *gp, const struct result *r);
/* The same for people. */
void print_text(const struct options *o, const struct dataset *d, const struct gp *gp, const struct result *r);
/* The picture of --output-picture. Leaves with EXIT_FAILED when it cannot be written. */
void draw(const struct options *o, const struct dataset *d, const struct result *r);

#endif
