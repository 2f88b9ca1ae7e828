/* The job that ./quickstart runs: a Gaussian process over 31 real trees, refined to 4096 points, solved with tiles
 * and traced.
 *
 * Prints the machine, time, rate, scaled residual and who ran what; leaves tilework-quickstart.paje (ViTE), .json
 * (Perfetto), .svg and .html in the current directory. Exit status 1 when a call fails or the scaled residual is 30
 * or more. */
#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "common/data.h"
#include "common/gp.h"
#include "common/program.h"

enum { POINTS = 4096, COLUMNS = 2, MAX_WORKERS = 256 };
static const char prefix[] = "tilework-quickstart";

struct scale {
    double mean, deviation;
};

static void check(tw_int code, const char *what)
{
    if (code == 0) return;
    const char *message = tw_last_message();
    fail(EXIT_FAILED, "%s returned %lld: %s", what, (long long)code, *message ? message : tw_strerror((int)code));
}

/* 31 rows make a matrix that no one needs a library for. So points are put between the rows: each lies on the line
 * between a tree and the next thicker one, plus the error of a tape (0.2 inches, 1 foot) and what two such trees
 * differ by (2 cubic feet). The seed is fixed: everyone's run solves the same system. */
static void refine(double *x, double *y)
{
    uint64_t seed = 1976;
    for (int i = 0; i < POINTS; i++) {
        const struct tree *a = &trees[i % (TREES - 1)], *b = a + 1;
        double t = random_uniform(&seed);
        x[i] = a->diameter + t * (b->diameter - a->diameter) + 0.2 * random_normal(&seed);
        x[POINTS + i] = a->height + t * (b->height - a->height) + random_normal(&seed);
        y[i] = a->volume + t * (b->volume - a->volume) + 2 * random_normal(&seed);
    }
}

/* Make mean 0 and deviation 1, and remember what they were. */
static struct scale standardise(double *v, int n)
{
    struct scale s = {0, 0};
    for (int i = 0; i < n; i++)
        s.mean += v[i] / n;
    for (int i = 0; i < n; i++)
        s.deviation += (v[i] - s.mean) * (v[i] - s.mean) / n;
    s.deviation = sqrt(s.deviation);
    for (int i = 0; i < n; i++)
        v[i] = (v[i] - s.mean) / s.deviation;
    return s;
}

/* Factor and solve in one sequence: the solve's tasks start while the factorization still runs. Host to host. */
static double solve(const double *K, double *x, tw_int *nb)
{
    tw_matrix *A, *B;
    tw_sequence *seq;
    check(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, POINTS, POINTS, K, POINTS, 0), "tw_matrix_from_lapack");
    *nb = tw_matrix_nb(A);
    check(tw_matrix_from_lapack(&B, TW_DOUBLE, TW_GENERAL, POINTS, 1, x, POINTS, *nb), "tw_matrix_from_lapack");
    check(tw_sequence_create(&seq), "tw_sequence_create");
    check(tw_trace_start(), "tw_trace_start");
    tw_counters_reset();
    double began = seconds_now();
    check(tw_potrf_async(TW_LOWER, A, seq), "tw_potrf_async");
    check(tw_potrs_async(TW_LOWER, A, B, seq), "tw_potrs_async");
    check(tw_sequence_wait(seq), "tw_sequence_wait");
    check(tw_matrix_to_lapack(B, x, POINTS), "tw_matrix_to_lapack");
    double seconds = seconds_now() - began;
    check(tw_trace_stop(), "tw_trace_stop");
    check(tw_sequence_destroy(seq), "tw_sequence_destroy");
    check(tw_matrix_destroy(B), "tw_matrix_destroy");
    check(tw_matrix_destroy(A), "tw_matrix_destroy");
    return seconds;
}

/* |b - K x| / ((|K| |x| + |b|) n eps) in the infinity norm, with OpenBLAS and the matrix as it was before. */
static double scaled_residual(const double *K, const double *x, const double *b)
{
    double *r = must_alloc(POINTS * sizeof *r), norm_K = 0, norm_x = 0, norm_b = 0, norm_r = 0;
    memset(r, 0, POINTS * sizeof *r);
    for (int j = 0; j < POINTS; j++) /* row sums of |K| from its lower triangle */
        for (int i = j; i < POINTS; i++) {
            double entry = fabs(K[(size_t)j * POINTS + i]);
            r[i] += entry;
            if (i != j) r[j] += entry;
        }
    for (int i = 0; i < POINTS; i++)
        norm_K = fmax(norm_K, r[i]);
    memcpy(r, b, POINTS * sizeof *r);
    cblas_dsymv(CblasColMajor, CblasLower, POINTS, -1.0, K, POINTS, x, 1, 1.0, r, 1);
    int finite = 1;
    for (int i = 0; i < POINTS; i++) {
        finite &= isfinite(r[i]) != 0;
        norm_x = fmax(norm_x, fabs(x[i]));
        norm_b = fmax(norm_b, fabs(b[i]));
        norm_r = fmax(norm_r, fabs(r[i]));
    }
    free(r);
    return finite ? norm_r / ((norm_K * norm_x + norm_b) * POINTS * 0.5 * DBL_EPSILON) : INFINITY;
}

static void print_machine(void)
{
    tw_machine m;
    check(tw_machine_info(&m), "tw_machine_info");
    printf("Tilework %d.%d.%d, StarPU %s: %s, %d CPU workers (OpenBLAS kernels: %s)", TW_VERSION_MAJOR,
           TW_VERSION_MINOR, TW_VERSION_PATCH, m.starpu_version, m.cpu_name, m.cpu_workers, m.blas_core);
    if (m.cuda_devices > 0)
        printf(", %d x %s (%d workers)", m.cuda_devices, m.gpu_name, m.cuda_workers);
    else
        printf(", no GPU");
    printf(", scheduler %s\n", m.sched);
}

static void print_workers(double seconds)
{
    struct tw_worker_report *r = must_alloc(MAX_WORKERS * sizeof *r);
    int workers = tw_worker_reports(r, MAX_WORKERS);
    double flops[2] = {0, 0}; /* on CPUs, on GPUs */
    printf("who ran what:\n");
    for (int i = 0; i < workers && i < MAX_WORKERS; i++) {
        flops[r[i].is_cuda != 0] += r[i].flops;
        printf("  %-28s %6llu tasks   busy %5.1f %%   %8.2f GF\n", r[i].name, (unsigned long long)r[i].tasks,
               100 * r[i].busy_seconds / seconds, r[i].flops / 1e9);
    }
    double all = flops[0] + flops[1];
    if (all > 0)
        printf("  of the flops, CPUs did %.0f %% and GPUs %.0f %%\n", 100 * flops[0] / all, 100 * flops[1] / all);
    free(r);
}

/* The volume of trees of that diameter and height, in cubic feet. */
static void predict(const struct gp *gp, const double *z, const double *alpha, const struct scale *s,
                    const double *diameter, const double *height, int count, double *volume, int threads)
{
    double *p = must_alloc(COLUMNS * (size_t)count * sizeof *p);
    for (int i = 0; i < count; i++) {
        p[i] = (diameter[i] - s[0].mean) / s[0].deviation / gp->length[0];
        p[count + i] = (height[i] - s[1].mean) / s[1].deviation / gp->length[1];
    }
    gp_mean(gp, z, POINTS, alpha, p, count, volume, threads);
    for (int i = 0; i < count; i++)
        volume[i] = s[2].mean + s[2].deviation * volume[i];
    free(p);
}

static void print_prediction(const struct gp *gp, const double *z, const double *alpha, const struct scale *s,
                             int threads)
{
    double diameter[TREES + 1], height[TREES + 1], volume[TREES + 1], squares = 0;
    for (int i = 0; i < TREES; i++) {
        diameter[i] = trees[i].diameter;
        height[i] = trees[i].height;
    }
    diameter[TREES] = 15;
    height[TREES] = 78;
    predict(gp, z, alpha, s, diameter, height, TREES + 1, volume, threads);
    for (int i = 0; i < TREES; i++)
        squares += (volume[i] - trees[i].volume) * (volume[i] - trees[i].volume);
    printf("prediction: a black cherry tree 15 inches thick and 78 feet high holds %.1f cubic feet of timber\n"
           "            (the volumes of the %d measured trees are met to %.1f cubic feet, root mean square)\n",
           volume[TREES], TREES, sqrt(squares / TREES));
}

int main(int argc, char **argv)
{
    tw_blas_reexec(argv);
    int help = 0;
    read_options(argc, argv, (struct option_spec[]){{"--help", NULL, &help}, {"-h", NULL, &help}, {NULL, NULL, NULL}});
    if (help)
        return printf("usage: quickstart_gp     (no arguments: it solves a fixed system and leaves %s.* here)\n",
                      prefix) < 0;
    print_machine();
    tw_machine machine;
    check(tw_machine_info(&machine), "tw_machine_info");

    /* Covariance: correlation over 1.5 deviations of diameter and height, noise a tenth of the volume's deviation. */
    const struct gp gp = {.cols = COLUMNS, .signal = 1, .noise = 0.1, .length = {1.5, 1.5}};
    double *points = must_alloc(COLUMNS * POINTS * sizeof *points), *z = must_alloc(COLUMNS * POINTS * sizeof *z);
    double *y = must_alloc(POINTS * sizeof *y), *alpha = must_alloc(POINTS * sizeof *alpha);
    double *K = must_alloc((size_t)POINTS * POINTS * sizeof *K);
    refine(points, y);
    struct scale s[3] = {standardise(points, POINTS), standardise(points + POINTS, POINTS), standardise(y, POINTS)};
    gp_scale(&gp, points, POINTS, POINTS, z);
    gp_covariance(&gp, z, POINTS, K, machine.cores);

    tw_int nb;
    memcpy(alpha, y, POINTS * sizeof *y);
    double seconds = solve(K, alpha, &nb), residual = scaled_residual(K, alpha, y);
    double flops = (double)POINTS * POINTS * POINTS / 3 + 2.0 * POINTS * POINTS;
    printf("covariance matrix of %d points between %d cherry trees, n = %d, tiles of %lld: Cholesky and solve\n",
           POINTS, TREES, POINTS, (long long)nb);
    printf("time %.3f s, %.1f GF/s, scaled residual %.2g (must be below 30)\n", seconds, flops / seconds / 1e9,
           residual);
    print_workers(seconds);
    print_prediction(&gp, z, alpha, s, machine.cores);
    check(tw_trace_write(prefix), "tw_trace_write");
    printf("trace: %s.paje (ViTE), %s.json (Perfetto); pictures for a browser: %s.svg, %s.html\n", prefix, prefix,
           prefix, prefix);

    free(K);
    free(alpha);
    free(y);
    free(z);
    free(points);
    check(tw_finalize(), "tw_finalize");
    if (!(residual < 30)) fail(EXIT_FAILED, "the scaled residual is %g: the system was not solved", residual);
    return 0;
}
