/* The Cholesky contest: what potrf.c measures and potrf_report.c prints. */
#ifndef BENCH_POTRF_H
#define BENCH_POTRF_H
#include "bench/bench.h"

enum contestant { TILES, ARRAY, LAPACK, CUSOLVER_RESIDENT, CUSOLVER_HOST, MG_RESIDENT, MG_HOST, CONTESTANTS };
struct result {
    int takes_part;
    char skipped[256]; /* why it does not, though it was asked for */
    double first;      /* seconds of the first call at this order */
    double *seconds;   /* of the runs that count, in their order */
    tw_times *times;   /* Tilework's: of each of them; NULL where nothing was recorded */
    double residual;   /* --check; negative: not done */
    double difference; /* from LAPACK's factor, relative; negative: not compared */
    tw_int nb;         /* Tilework's */
};
struct contest {
    enum tw_type type;
    tw_int n;
    int rounds;
    struct result result[CONTESTANTS];
    struct bench_ceiling ceiling; /* gflops 0: not measured */
};

extern const char *const bench_contestant[CONTESTANTS]; /* names in the JSON */
/* Index of the run whose time is the (lower) median. */
int bench_median_run(const struct result *r, int rounds);
/* Prints; 0 only if what was checked is right. */
int bench_potrf_report(const struct bench_options *o, const struct contest *c);
#endif
