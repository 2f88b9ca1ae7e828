/* Seconds of each route, stage by stage, from the rates of the machine profile. What no rate says is a measurement, on
 * two cores of a Xeon and an H200, that stands beside its constant. The orders of magnitude decide: what is overlapped
 * is left out of both sides alike. */
#include "algorithms/eigen/route_model.h"
#include <math.h>
#include "runtime/machine/machine_profile.h"

struct place {
    enum tw_type type, real;
    int gpu;
    double units; /* cores, or GPUs */
    double cores; /* that work, beside GPUs, too */
    double n;
};

/* Flops per second of products whose inner size is k, on all of the place. A core's tiles are such cubes. A GPU has
 * slabs of n rows and columns, which fill it, so that it does not matter that a cube of order k would not: an H200 does
 * 18, 30, 40 TF of syr2k with k = 64, 128, 256, and 57 of large gemms. */
static double product(const struct place *at, enum tw_type type, double k)
{
    const double rate = at->gpu ? tw_profile_rate(1, TW_RATE_GEMM, type, fmin(at->n, 4096)) * k / (k + 115)
                                : tw_profile_rate(0, TW_RATE_GEMM, type, k);
    return 1e9 * at->units * rate;
}

/* Bytes per second of a triangle that is read once for a product with a vector: half of what a copy moves in a cache,
 * what a copy has of main memory. Two cores (Xeon, 2 MB of cache each) read 1500^2 doubles at 9 and 12 GB/s, one and
 * both of them. A GPU's latrd reached 0.4 of its copies. */
static double reading(const struct place *at, double n)
{
    const double inside = tw_profile_rate(at->gpu, TW_RATE_MEMORY, at->type, fmin(n, at->gpu ? 4096 : 520));

    if (at->gpu) return 1e9 * at->units * 0.4 * inside;
    return 1e9 * pow(fmin(at->units, 8), 0.4) *
           (n * n * (double)tw_sizeof(at->type) <= 4e6 ? 0.5 * inside
                                                       : fmin(0.5 * inside, tw_profile_link(TW_LINK_HOST)));
}

/* Small steps of vectors, one after another: a core's factorization of order 32 is of that kind. It takes some
 * microseconds, which a busy machine spoils first: a twelfth of the product's rate, as on a quiet one, is what it is
 * taken for at least. */
static double steps(const struct place *at)
{
    return 1e9 * 0.7 * at->units *
           fmax(tw_profile_rate(0, TW_RATE_POTRF, at->type, 32), tw_profile_rate(0, TW_RATE_GEMM, at->type, 32) / 12);
}

/* T's eigenvalues alone: sterf's rotations take 25 ns each and are a core's; from order 256 on bisection, 30 passes of
 * 0.25 ns for each row and eigenvalue, is all cores'; on an H200 it takes 5.3 us a row. */
static double values(const struct place *at, double n)
{
    return at->gpu ? 5.3e-6 * n : n < 256 ? 25e-9 * n * n : 8e-9 * n * n / at->cores;
}

/* Divide and conquer: leaves of 256; merges, of which deflation leaves about half of 8/3 n^3 flops on a spectrum
 * without structure, the last one for the wanted columns. */
static double divide(const struct place *at, double n, double columns)
{
    const double leaf = fmin(n, 256), leaves = ceil(n / 256),
                 small = leaf * leaf * leaf * 4 / (1e9 * tw_profile_rate(0, TW_RATE_TRI, at->real, 64)),
                 merges = n <= 256 ? 0 : (n * n * n / 3 + n * n * columns) / product(at, at->real, 256);

    return small * ceil(leaves / at->cores) + merges + (at->gpu ? 2e-3 * log2(fmax(2, n / 256)) : 0);
}

/* One column after another: half of the flops wait for memory, which has each element of the shrinking triangle once a
 * column. */
static double one_stage(const struct place *at, double n)
{
    const double f = tw_flop_factor(at->type), elements = n * n * n / 6,
                 column = at->gpu         ? 50e-6 /* launches and waits, H200 */
                          : at->units > 1 ? 8e-6  /* a team's meeting */
                                          : 1e-6;

    return elements * (double)tw_sizeof(at->type) / reading(at, n) + n * column +
           f * n * n * n * 2 / 3 / (0.7 * product(at, at->type, at->gpu ? 256 : 32));
}

/* A GPU's sweeps of bulge chasing: on an H200 8 us each with 64 sub-diagonals, 14 with 128, as long as all that could
 * be on their way have a multiprocessor, a sweep for each 1.5 b rows (or two, where two work on it): up to some 12,700
 * rows. Of longer ones the last rows alone go at that pace. */
static double sweeps(double n, double b, double f)
{
    const double most = 12700, paced = n <= most ? n : most + (n * n - most * most) / (2 * most);
    return paced * (2e-6 + 0.095e-6 * b) * fmax(1, f / 2);
}

/* Panels, and rank-2b updates; then 6 n^2 b flops in steps of which each sweep's follow the last one's. */
static double two_stages(const struct place *at, double n, double b)
{
    const double f = tw_flop_factor(at->type), panels = at->gpu ? n / b * 0.4e-3 : f * 4 * n * n * b / steps(at) / 4,
                 update = f * n * n * n * 4 / 3 /
                          (at->gpu ? 0.6 * product(at, at->type, 4 * b) : 0.5 * product(at, at->type, b)),
                 chase = at->gpu ? sweeps(n, b, f) : f * 6 * n * n * b / steps(at);

    return panels + update + chase;
}

/* Tasks, of which the host hands each out: `first` of them, and `each` a row, fewer below some hundred rows, where
 * tiles are the matrix (counted at orders 64 to 1500). Chains of them on more than two cores are no shorter than on
 * two. */
static double overhead(const struct place *at, double n, double first, double each)
{
    return (first + each * n * n / (n + 150)) * (at->gpu ? 22e-6 : tw_profile_launch(0) / fmin(2, at->units));
}

/* Those of two stages, for each row. A GPU computes beside most of them; from order 4096 on its tiles are large
 * (tw_tuning_eigen). */
static double each_of_two(const struct place *at, int vectors)
{
    if (!at->gpu) return vectors ? 0.9 : 0.5;
    return (vectors ? 0.2 : 0.1) + (at->n >= 4096 ? 0 : vectors ? 0.3 : 0.2);
}

static double seconds(const struct place *at, enum tw_route route, const struct tw_route_problem *p)
{
    const double n = p->n, m = p->columns, f = tw_flop_factor(p->type),
                 solve = m > 0 ? divide(at, n, route == TW_ROUTE_LAPACK ? n : m) : values(at, n),
                 back = m > 0 ? 2 * f * n * n * (route == TW_ROUTE_LAPACK ? n : m) : 0,
                 home = at->gpu
                            ? (n * n + n * m) * (double)tw_sizeof(p->type) *
                                  (1 / tw_profile_link(TW_LINK_TO_GPU) + 1 / tw_profile_link(TW_LINK_FROM_GPU)) / 2e9
                            : 0;

    switch (route) {
    case TW_ROUTE_LAPACK:
        return one_stage(at, n) + solve + back / (0.7 * product(at, p->type, 32)) + overhead(at, n, 8, 0);
    case TW_ROUTE_ONE:
        return one_stage(at, n) + solve + back / (0.7 * product(at, p->type, 128)) + home +
               overhead(at, n, 10, m > 0 ? 0.4 : 0.2);
    default:
        return two_stages(at, n, p->b) + solve + back * 2 / (0.7 * product(at, p->type, at->gpu ? 256 : p->b)) + home +
               overhead(at, n, 10, each_of_two(at, m > 0));
    }
}

void tw_route_predict(const struct tw_route_problem *p, struct tw_route_seconds *s)
{
    const enum tw_type real = tw_real_type(p->type);
    const double several = fmax(1, fmin(p->cores, p->n / 128)); /* that many find work side by side */
    const struct place core = {p->type, real, 0, 1, 1, p->n}, cores = {p->type, real, 0, several, several, p->n},
                       gpus = {p->type, real, 1, p->gpus, fmax(1, p->cores), p->n};

    for (int r = 0; r <= TW_ROUTE_TWO; r++)
        s->at[r] = s->on_gpu[r] = INFINITY;
    s->at[TW_ROUTE_LAPACK] = seconds(&core, TW_ROUTE_LAPACK, p); /* a task is one core's */
    s->at[TW_ROUTE_ONE] = seconds(&cores, TW_ROUTE_ONE, p);
    s->at[TW_ROUTE_TWO] = seconds(&cores, TW_ROUTE_TWO, p);
    if (p->gpus == 0) return;
    s->on_gpu[TW_ROUTE_ONE] = seconds(&gpus, TW_ROUTE_ONE, p);
    s->on_gpu[TW_ROUTE_TWO] = seconds(&gpus, TW_ROUTE_TWO, p);
}

double tw_route_least(const struct tw_route_seconds *s, enum tw_route route)
{
    return fmin(s->at[route], s->on_gpu[route]);
}

enum tw_route tw_route_choose(const struct tw_route_problem *p, const struct tw_route_seconds *s, double lapack_most)
{
    const double lapack = tw_route_least(s, TW_ROUTE_LAPACK), one = tw_route_least(s, TW_ROUTE_ONE),
                 two = tw_route_least(s, TW_ROUTE_TWO);

    if (p->n <= fmin(lapack_most, 46340) && lapack <= 0.5 && lapack < fmin(one, two)) return TW_ROUTE_LAPACK;
    /* A team whose cores are lost to other programs waits a time slice a column: of two routes that lie near each other
     * it is the one without teams. */
    return one < 0.85 * two ? TW_ROUTE_ONE : TW_ROUTE_TWO;
}

/* A GPU's products are taken to read at 0.8 of what its copies move, and a step to take 8 us beside that, launches and
 * small sums: both were aimed at, not measured. */
void tw_one_stage_predict(const struct tw_one_stage *p, int cores, double *on_cores, double *on_gpu)
{
    const double size = (double)tw_sizeof(p->type), n = sqrt(p->m * p->n), f = tw_flop_factor(p->type),
                 several = fmax(1, fmin(cores, p->n / 128)), bytes = p->elements * size,
                 travel = p->m * p->n * size *
                          (1 / tw_profile_link(TW_LINK_TO_GPU) + 1 / tw_profile_link(TW_LINK_FROM_GPU)) / 1e9;
    const enum tw_type real = tw_real_type(p->type);
    const struct place core = {p->type, real, 0, several, several, n}, gpu = {p->type, real, 1, 1, 1, n};

    *on_cores = bytes / reading(&core, n) + p->steps * (several > 1 ? 8e-6 : 1e-6) +
                f * p->flops / (0.7 * product(&core, p->type, 32));
    *on_gpu = bytes / (0.8e9 * tw_profile_rate(1, TW_RATE_MEMORY, p->type, fmin(n, 4096))) + p->steps * 8e-6 +
              f * p->flops / (0.7 * product(&gpu, p->type, 64)) + travel + overhead(&gpu, n, 10, 4. / 64);
}
