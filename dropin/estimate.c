/* What reports say of the real routines: what they compute, and about how long they take where no call of this program
 * has shown it. No call is decided by these figures. */
#include <string.h>

#include "dropin/dropin.h"

/* By the product of the dimensions, of values alone and with vectors: flops, as LAPACK's texts count them, and
 * processor time of one core in units of what a product of so many flops takes there: OpenBLAS 0.3.21 (Haswell's
 * kernels), double, one thread, orders 500 and 1000, square, beside dgemm of the same order in the same second. `alone`
 * is the share that more threads do not shorten, a guess: panels, rotations and iterations are one core's, products of
 * vectors the memory's. */
struct cost {
    const char *routine;
    double flops[2], time[2], alone;
};
/* clang-format off */
static const struct cost costs[] = {
    {"potrf", {0.33, 0.33}, {0.5, 0.5}, 0}, {"posv", {0.33, 0.33}, {0.5, 0.5}, 0},
    {"posvx", {0.33, 0.33}, {0.7, 0.7}, 0.2},
    {"potri", {0.67, 0.67}, {1.2, 1.2}, 0}, {"lauum", {0.33, 0.33}, {0.45, 0.45}, 0},
    {"trtri", {0.33, 0.33}, {0.8, 0.8}, 0},
    {"getrf", {0.67, 0.67}, {1, 1}, 0}, {"gesv", {0.67, 0.67}, {1, 1}, 0}, {"gesvx", {0.67, 0.67}, {1.2, 1.2}, 0.1},
    {"getri", {1.33, 1.33}, {2.2, 2.2}, 0},
    {"potrs", {2, 2}, {2.5, 2.5}, 0}, {"getrs", {2, 2}, {2.5, 2.5}, 0}, {"trtrs", {1, 1}, {1.3, 1.3}, 0},
    {"geqrf", {1.33, 1.33}, {2.1, 2.1}, 0.1}, {"gelqf", {1.33, 1.33}, {2.4, 2.4}, 0.1},
    {"gels", {1.33, 1.33}, {2.6, 2.6}, 0.1},
    {"orgqr", {1.33, 1.33}, {2.1, 2.1}, 0.1}, {"orglq", {1.33, 1.33}, {2.1, 2.1}, 0.1},
    {"ormqr", {2, 2}, {3, 3}, 0.1}, {"ormlq", {2, 2}, {3, 3}, 0.1},
    {"geqp3", {1.33, 1.33}, {3.7, 3.7}, 0.5}, {"gelsy", {1.33, 1.33}, {4.6, 4.6}, 0.5},
    {"sytrd", {1.33, 1.33}, {2.9, 2.9}, 0.4}, {"gehrd", {3.33, 3.33}, {7.2, 7.2}, 0.4},
    {"gebrd", {2.67, 2.67}, {8.7, 8.7}, 0.4}, {"sygst", {1, 1}, {1.5, 1.5}, 0.1},
    {"syev", {1.33, 9}, {3.8, 56}, 0.5}, {"syevd", {1.33, 4}, {3.8, 10}, 0.4}, {"syevr", {1.33, 4}, {4, 10.8}, 0.5},
    {"syevx", {1.33, 4}, {4, 49}, 0.5},
    {"sygv", {2.67, 10}, {6.5, 60}, 0.5}, {"sygvd", {2.67, 5.3}, {6.5, 14}, 0.4},
    {"sygvx", {2.67, 5.3}, {6.5, 53}, 0.5},
    {"geev", {10, 25}, {30, 45}, 0.7}, {"geevx", {10, 25}, {30, 45}, 0.7}, {"gees", {10, 25}, {33, 37}, 0.7},
    {"geesx", {10, 25}, {33, 37}, 0.7},
    {"gesdd", {2.67, 8}, {9, 17.5}, 0.4}, {"gesvd", {2.67, 22}, {8.5, 94}, 0.6}, {"gelsd", {4, 4}, {10, 10}, 0.4},
    {"gelss", {4, 4}, {56, 56}, 0.8},
};
/* clang-format on */

/* Complex routines have their own names: heev, unmqr. */
static const struct cost *cost_of(const struct tw_door *d)
{
    char routine[sizeof d->name];

    memcpy(routine, d->name + 1, sizeof routine - 1);
    routine[sizeof routine - 1] = 0;
    if (!strncmp(routine, "he", 2)) memcpy(routine, "sy", 2);
    if (!strncmp(routine, "un", 2)) memcpy(routine, "or", 2);
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (!strcmp(routine, costs[i].routine)) return &costs[i];
    return NULL;
}
static double of_type(const struct tw_door *d)
{
    return strchr("cz", d->name[0]) ? 4 : 1;
}

double tw_flops(const struct tw_door *d, int vectors, double work, double flops)
{
    const struct cost *c = d->blas ? NULL : cost_of(d);
    if (d->blas) return flops;
    return c && work > 0 ? of_type(d) * work * c->flops[vectors] : 0;
}
double tw_seconds_of_real(const struct tw_door *d, int vectors, double work, double flops)
{
    const struct cost *c = d->blas ? NULL : cost_of(d);
    const double rate = tw_core_rate(d), cores = tw_cores_of_real();

    if (d->blas) return flops / (rate * cores);
    if (!c || !(work >= 0)) return -1;
    return of_type(d) * work * c->time[vectors] / rate * ((1 - c->alone) / cores + c->alone);
}
