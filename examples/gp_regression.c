/* Gaussian-process regression on a table: an n x n covariance matrix factored and solved by Tilework.
 *
 *   gp_regression --input FILE.csv --target COLUMN --train N [--seed S] [--subset K] [--type d]
 *                 [--output-picture FILE.svg] [--trace PREFIX] [--json]
 *
 * N rows, chosen at random, train; all others are predicted. The numeric columns are scaled, gaps are filled with
 * medians, the hyperparameters maximise the log marginal likelihood of K training rows. Exit status: 0; 1 when the
 * factorization, the residual or a file to write failed; 2 for bad input or usage. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/dataset.h"
#include "common/gp.h"
#include "common/picture.h"
#include "common/program.h"
#include "common/regression.h"

static const char usage[] =
    "usage: gp_regression --input FILE.csv --target COLUMN --train N [options]\n"
    "Fit a Gaussian process (RBF covariance with noise) to N rows of a table and predict the others.\n"
    "  --input FILE.csv            a table with a header line; text columns are ignored, gaps filled with medians\n"
    "  --target COLUMN             the column to predict\n"
    "  --train N                   rows that train, chosen at random; the covariance matrix takes 8 N^2 bytes\n"
    "  --seed S                    of that choice (default 1)\n"
    "  --subset K                  training rows that choose the hyperparameters (default 3000)\n"
    "  --type d                    precision; a covariance matrix needs d\n"
    "  --output-picture FILE.svg   predicted against true values\n"
    "  --trace PREFIX              record factorization and solve: PREFIX.paje, .json, .svg, .html\n"
    "  --json                      one JSON object on one line instead of text\n";

/* A trace's own picture is PREFIX.svg: it must not be the one that was asked for. */
static void keep_apart(const char *picture, const char *trace)
{
    size_t length = strlen(trace);
    if (strncmp(picture, trace, length) == 0 && strcmp(picture + length, ".svg") == 0)
        fail(EXIT_USAGE, "--output-picture %s and --trace %s would write the same file", picture, trace);
}

static void parse(struct options *o, int argc, char **argv)
{
    const struct option_spec specs[] = {
        {"--input", &o->input, NULL},
        {"--target", &o->target, NULL},
        {"--train", &o->train_text, NULL},
        {"--seed", &o->seed_text, NULL},
        {"--subset", &o->subset_text, NULL},
        {"--type", &o->type, NULL},
        {"--output-picture", &o->picture, NULL},
        {"--trace", &o->trace, NULL},
        {"--json", NULL, &o->json},
        {"--help", NULL, &o->help},
        {"-h", NULL, &o->help},
        {NULL, NULL, NULL},
    };
    read_options(argc, argv, specs);
    if (o->help) {
        fputs(usage, stdout);
        exit(0);
    }
    if (!o->input) fail(EXIT_USAGE, "--input FILE.csv is missing (--help explains)");
    if (!o->target) fail(EXIT_USAGE, "--target COLUMN is missing (--help explains)");
    if (!o->train_text) fail(EXIT_USAGE, "--train N is missing (--help explains)");
    o->train = option_integer("--train", o->train_text, 2, 1000000);
    o->seed = (uint64_t)(o->seed_text ? option_integer("--seed", o->seed_text, 0, INT64_MAX) : 1);
    o->subset = o->subset_text ? option_integer("--subset", o->subset_text, 2, 20000) : 3000;
    if (o->type && strcmp(o->type, "d") != 0)
        fail(EXIT_USAGE, "--type %s: only d: a covariance matrix with little noise is too ill-conditioned for less",
             o->type);
    if (o->subset > o->train) o->subset = o->train;
    if (o->picture && o->trace) keep_apart(o->picture, o->trace);
    if (o->picture && picture_writable(o->picture) != 0)
        fail(EXIT_USAGE, "--output-picture %s: %s", o->picture, strerror(errno));
    const char *source = "";
    size_t limit = tw_host_memory_limit(&source), bytes = (size_t)o->train * (size_t)o->train * sizeof(double);
    if (bytes > limit)
        fail(EXIT_USAGE, "--train %lld: the covariance matrix takes %zu bytes, %zu can be used (%s)",
             (long long)o->train, bytes, limit, source);
}

/* The step that began then ends now. Returns now. */
static double finish(struct result *r, enum step step, double began)
{
    double now = seconds_now();
    r->seconds[step] = now - began;
    return now;
}

static void check(tw_int code, const char *what)
{
    if (code > 0)
        fail(EXIT_FAILED, "%s: info = %lld: the covariance matrix is not positive definite in floating point", what,
             (long long)code);
    if (code < 0) {
        const char *message = tw_last_message();
        fail(EXIT_FAILED, "%s: %s", what, *message ? message : tw_strerror((int)code));
    }
}

/* Training targets with mean 0 and deviation 1. */
static double *scale_target(const struct dataset *d, double *mean, double *deviation)
{
    double *y = must_alloc((size_t)d->train * sizeof *y), sum = 0, squares = 0;
    for (tw_int i = 0; i < d->train; i++)
        sum += d->y[i];
    *mean = sum / (double)d->train;
    for (tw_int i = 0; i < d->train; i++)
        squares += (d->y[i] - *mean) * (d->y[i] - *mean);
    *deviation = sqrt(squares / (double)d->train);
    if (!(*deviation > 0))
        fail(EXIT_USAGE, "--target: the column is constant over the training rows: nothing to learn");
    for (tw_int i = 0; i < d->train; i++)
        y[i] = (d->y[i] - *mean) / *deviation;
    return y;
}

/* The weights alpha = K^-1 y of the training points z: build, factor, solve, and check. */
static double *train(const struct gp *gp, const double *z, const double *y, tw_int n, int trace, struct result *r)
{
    double *K = malloc((size_t)n * (size_t)n * sizeof *K), *alpha = must_alloc((size_t)n * sizeof *alpha);
    if (!K) fail(EXIT_FAILED, "--train %lld: no memory for the covariance matrix", (long long)n);
    double t = seconds_now();
    gp_covariance(gp, z, n, K, r->machine.cores);
    finish(r, BUILD, t);
    memcpy(alpha, y, (size_t)n * sizeof *y);
    if (trace) check(tw_trace_start(), "--trace");
    t = seconds_now();
    check(tw_dpotrf('L', n, K, n), "tw_dpotrf");
    t = finish(r, FACTOR, t);
    check(tw_dpotrs('L', n, 1, K, n, alpha, n), "tw_dpotrs");
    finish(r, SOLVE, t);
    if (trace) check(tw_trace_stop(), "--trace");
    r->factor_gflops = (double)n * (double)n * (double)n / 3e9 / r->seconds[FACTOR];
    r->likelihood = gp_log_likelihood(K, y, alpha, n);
    free(K);
    r->residual = gp_residual(gp, z, n, y, alpha, r->machine.cores);
    return alpha;
}

static void predict(const struct gp *gp, const struct dataset *d, const double *z, const double *alpha, double mean,
                    double deviation, struct result *r)
{
    const tw_int rest = d->rows - d->train;
    double *p = must_alloc((size_t)rest * (size_t)d->cols * sizeof *p), t = seconds_now(), error = 0, spread = 0;
    r->predicted = must_alloc((size_t)rest * sizeof *r->predicted);
    gp_scale(gp, d->x + d->train, d->rows, rest, p);
    gp_mean(gp, z, d->train, alpha, p, rest, r->predicted, r->machine.cores);
    for (tw_int i = 0; i < rest; i++) {
        double truth = d->y[d->train + i];
        r->predicted[i] = mean + deviation * r->predicted[i];
        error += (r->predicted[i] - truth) * (r->predicted[i] - truth);
        spread += (mean - truth) * (mean - truth);
    }
    finish(r, PREDICT, t);
    r->rmse = sqrt(error / (double)rest);
    r->rmse_mean = sqrt(spread / (double)rest);
    free(p);
}

static void write_trace(const struct options *o)
{
    if (tw_trace_count() == 0) {
        fprintf(stderr, "gp_regression: --trace: no task was recorded: a matrix this small goes straight to LAPACK\n");
        return;
    }
    check(tw_trace_write(o->trace), "--trace");
    if (!o->json)
        printf("trace: %s.paje (ViTE), %s.json (Perfetto), %s.svg, %s.html\n", o->trace, o->trace, o->trace, o->trace);
}

int main(int argc, char **argv)
{
    tw_blas_reexec(argv);
    struct options o = {0};
    parse(&o, argc, argv);

    struct result r = {0};
    struct dataset d;
    double t = seconds_now(), mean, deviation;
    dataset_read(&d, o.input, o.target, o.train, o.seed, &(struct dataset_words){"--input", "--target", "--train"});
    if (d.cols > GP_MAX_COLUMNS) fail(EXIT_USAGE, "%s: more than %d numeric columns", o.input, GP_MAX_COLUMNS);
    double *y = scale_target(&d, &mean, &deviation);
    t = finish(&r, READ, t);
    check(tw_machine_info(&r.machine), "starting Tilework");
    t = finish(&r, START, t);

    struct gp gp = {.cols = d.cols};
    r.subset = o.subset;
    check(gp_choose(&gp, d.x, d.rows, r.subset, y, r.machine.cores, &r.subset_likelihood, &r.evaluations),
          "choosing hyperparameters");
    finish(&r, CHOOSE, t);

    double *z = must_alloc((size_t)d.train * (size_t)d.cols * sizeof *z);
    gp_scale(&gp, d.x, d.rows, d.train, z);
    double *alpha = train(&gp, z, y, d.train, o.trace != NULL, &r);
    predict(&gp, &d, z, alpha, mean, deviation, &r);

    (o.json ? print_json : print_text)(&o, &d, &gp, &r);
    if (o.picture) draw(&o, &d, &r);
    if (o.trace) write_trace(&o);
    int good = isfinite(r.rmse) && r.residual < 30;
    if (!good)
        fprintf(stderr, "gp_regression: the check failed: residual %g (must be below 30), RMSE %g\n", r.residual,
                r.rmse);

    free(alpha);
    free(z);
    free(y);
    free(r.predicted);
    dataset_free(&d);
    check(tw_finalize(), "tw_finalize");
    return good ? 0 : EXIT_FAILED;
}
