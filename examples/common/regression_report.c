#include "common/regression.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/picture.h"
#include "common/program.h"

static const char *const step_name[STEPS] = {"read", "start", "choose", "build", "factor", "solve", "predict"};

static void print_json_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') putchar('\\');
        if ((unsigned char)*s < 0x20)
            printf("\\u%04x", (unsigned)*s);
        else
            putchar(*s);
    }
    putchar('"');
}

void print_json(const struct options *o, const struct dataset *d, const struct gp *gp, const struct result *r)
{
    printf("{\"routine\": \"gp_regression\", \"type\": \"d\", \"input\": ");
    print_json_string(o->input);
    printf(", \"target\": ");
    print_json_string(o->target);
    printf(
        ", \"n\": %lld, \"test\": %lld, \"seed\": %llu, \"subset\": %lld, \"rmse\": %.10g, \"rmse_mean_predictor\": "
        "%.10g, \"log_marginal_likelihood\": %.10g, \"residual\": %.4g, \"info\": 0, \"gflops\": %.4g, \"seconds\": {",
        (long long)d->train, (long long)(d->rows - d->train), (unsigned long long)o->seed, (long long)r->subset,
        r->rmse, r->rmse_mean, r->likelihood, r->residual, r->factor_gflops);
    for (int s = 0; s < STEPS; s++)
        printf("%s\"%s\": %.6f", s ? ", " : "", step_name[s], r->seconds[s]);
    printf("}, \"filled\": %lld, \"dropped\": %lld, \"evaluations\": %d, \"signal\": %.6g, \"noise\": %.6g, "
           "\"lengths\": {",
           (long long)d->filled, (long long)d->dropped, r->evaluations, gp->signal, gp->noise);
    for (tw_int j = 0; j < d->cols; j++) {
        printf("%s", j ? ", " : "");
        print_json_string(d->names[j]);
        printf(": %.6g", gp->length[j]);
    }
    printf("}, \"threads\": %d, \"cpu_workers\": %d, \"cuda_workers\": %d, \"sched\": ", r->machine.cores,
           r->machine.cpu_workers, r->machine.cuda_workers);
    print_json_string(r->machine.sched);
    printf("}\n");
}

void print_text(const struct options *o, const struct dataset *d, const struct gp *gp, const struct result *r)
{
    printf("%s: %lld rows with a target, %lld columns used (%lld as logarithms), %lld missing values filled", o->input,
           (long long)d->rows, (long long)d->cols, (long long)d->logs, (long long)d->filled);
    if (d->dropped) printf(", %lld rows without a target left out", (long long)d->dropped);
    printf("%s%s\n", *d->ignored ? "; ignored: " : "", d->ignored);
    printf("hyperparameters from %lld rows (%d evaluations, log likelihood %.2f): signal %.4g, noise %.4g; length "
           "scales in deviations\n",
           (long long)r->subset, r->evaluations, r->subset_likelihood, gp->signal, gp->noise);
    for (tw_int j = 0; j < d->cols; j++)
        printf("  %-28s %10.4g\n", d->names[j], gp->length[j]);
    for (int s = 0; s < STEPS; s++) {
        printf("  %-8s %9.3f s", step_name[s], r->seconds[s]);
        if (s == FACTOR) printf("   %.1f GF/s, n = %lld", r->factor_gflops, (long long)d->train);
        if (s == PREDICT) printf("   %lld rows", (long long)(d->rows - d->train));
        printf("\n");
    }
    printf("scaled residual of the solve  %.3g\n", r->residual);
    printf("log marginal likelihood       %.2f\n", r->likelihood);
    printf("RMSE on %lld held-out rows  %.6g   (the mean predictor has %.6g)\n", (long long)(d->rows - d->train),
           r->rmse, r->rmse_mean);
}

void draw(const struct options *o, const struct dataset *d, const struct result *r)
{
    char title[256], subtitle[256];
    snprintf(title, sizeof title, "%.120s: RMSE %.6g", o->target, r->rmse);
    snprintf(subtitle, sizeof subtitle, "Gaussian process: %lld rows train, %lld predicted (RMSE of the mean: %.6g)",
             (long long)d->train, (long long)(d->rows - d->train), r->rmse_mean);
    struct picture p = {title, subtitle, o->target, d->y + d->train, r->predicted, d->rows - d->train};
    if (picture_write(o->picture, &p) != 0) fail(EXIT_FAILED, "--output-picture %s: %s", o->picture, strerror(errno));
    if (!o->json) printf("picture: %s\n", o->picture);
}
