/* Choices made from the machine profile: tile orders, and when LAPACK alone is best. */
#ifndef TW_RUNTIME_MACHINE_TUNING_H
#define TW_RUNTIME_MACHINE_TUNING_H
#include <stdatomic.h>
#include <stdint.h>
#include "runtime/base/types.h"
#include "runtime/machine/rate.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* A problem: the matrix that is factored, or the result, is m x n; k is the inner size of a product, the number of
 * right-hand sides, or 0. */
struct tw_sizes {
    enum tw_type type;
    tw_int m, n, k;
};
/* A problem two of whose sizes are below this is thin: a factorization is one panel, a product a chain over the third
 * size, or reads as much as it computes. No two tasks have anything to share. */
#define TW_THIN 64
/* The second of three sizes, k = 0: of two the lesser. */
static inline tw_int tw_second_size(tw_int m, tw_int n, tw_int k)
{
    return tw_max(tw_min(m, n), tw_min(tw_max(m, n), k));
}
/* Where a problem is solved: what predictions are made for. */
struct tw_profile;
struct tw_workers {
    const struct tw_profile *profile;
    int cores, gpus, streams; /* CPU workers, GPUs, and the streams of all of these */
    double units;             /* the GPUs in units of the first; 0: they are equal */
    int processors;           /* multiprocessors of a GPU; 0: not known */
    int by_inverse;           /* panels are solved as products with the inverse of their diagonal tile */
};
/* The running library's. */
struct tw_workers tw_workers_now(void);

/* Predicted seconds with tiles of order nb; of LAPACK or BLAS itself, with so many of its threads. */
typedef double (*tw_predict_fn)(const struct tw_workers *w, const struct tw_sizes *s, double nb);
typedef double (*tw_lapack_fn)(const struct tw_workers *w, const struct tw_sizes *s, int threads);
/* What was found for a row, for each type: crossover.c's. */
struct tw_crossovers {
    _Atomic uint64_t order[TW_NTYPES];
};

/* How a routine's matrices are best cut; its row names it (struct tw_routine). What is NULL or 0 is a Cholesky
 * factorization's. */
struct tw_tuning {
    /* From the profile: of the orders that are tried, the one with the least is chosen. */
    tw_predict_fn seconds;
    /* Looks at that choice again. In reproducible mode it may go by nothing but sizes and types. NULL: it stands. */
    tw_int (*nb)(const struct tw_sizes *s, tw_int nb);
    /* nb() is about matrices of the library: over users' arrays, whose tiles cores copy to pinned memory, the choice
     * stands. */
    int not_over_arrays;
    /* Columns of the blocks within a panel of nb. NULL: the kernels' own. */
    tw_int (*inner)(enum tw_type type, tw_int nb);
    /* Up to which order LAPACK alone is taken says `lapack` beside `by_tiles` (NULL: beside `seconds`). Orders there
     * are those of the Cholesky factorization with as many flops: a square problem of order n has `flops` times as many
     * as that of order n. */
    tw_lapack_fn lapack;
    tw_predict_fn by_tiles;
    double flops;
    struct tw_crossovers *crossovers;
    /* The same where there is no `lapack`, or no profile yet. */
    tw_int crossover;
};
/* The defaults; a product: there is no critical path, so that cores like larger tiles, as long as each has several of
 * the result's; and a solve with a triangle, much the same. */
extern const struct tw_tuning tw_tuning_factorization, tw_tuning_product, tw_tuning_solve;
/* LU and QR, whose panels go column by column: on GPUs narrower tiles, but for large matrices. The third: other
 * routines with such panels; the fourth: QR with column exchanges; the last: whose pivots are chosen by a sketch. */
extern const struct tw_tuning tw_tuning_lu, tw_tuning_qr, tw_tuning_panels, tw_tuning_exchanges, tw_tuning_sketched;

/* t may be NULL. `source` (may be NULL) says why: "option", "TILEWORK_NB", "reproducible", "profile". */
tw_int tw_choose_nb(const struct tw_tuning *t, const struct tw_sizes *s, const char **source);
/* The same for tiles over a user's array. */
tw_int tw_choose_nb_over_array(const struct tw_tuning *t, const struct tw_sizes *s);
/* 0: the kernels' own. */
tw_int tw_choose_inner(const struct tw_tuning *t, enum tw_type type, tw_int nb);
int tw_wants_reproducible(void); /* asked for, whether the library runs or not */
/* The order up to which LAPACK alone is taken; source: "TILEWORK_CROSSOVER", "reproducible", "profile", "default". */
tw_int tw_crossover(const struct tw_tuning *t, enum tw_type type, const char **source);
/* 1 if a problem of this order is better given to LAPACK directly. Starts nothing. */
int tw_prefers_lapack(const struct tw_tuning *t, enum tw_type type, tw_int order);

/* ---- crossover.c: what the profile says of that ------------------------------------------------------------------ */

/* No prediction is below, or above. */
enum { TW_CROSSOVER_LEAST = 64, TW_CROSSOVER_MOST = 2048 };
/* By the running library's profile, or its last one's; else by the file with which it would start, which is read once.
 * 0: there is none. */
tw_int tw_crossover_predicted(const struct tw_tuning *t, enum tw_type type);
/* The same for workers and threads of LAPACK that are given. */
tw_int tw_crossover_of(const struct tw_tuning *t, const struct tw_workers *w, enum tw_type type, int threads);
/* The library's profile and workers are there, or new. */
void tw_crossover_know(void);
/* For tests: as in a process that has not looked for the file yet. */
void tw_crossover_forget(void);

/* ---- what predictions are made of -------------------------------------------------------------------------------- */

/* Of the orders that are tried, the one with the least seconds, and these (NULL: not asked). */
tw_int tw_best_nb(const struct tw_workers *w, const struct tw_sizes *s, tw_predict_fn predict, double *least);
/* Seconds of one kernel of order nb that runs alone: what the critical path is made of. */
double tw_seconds_alone(const struct tw_workers *w, enum tw_rate rate, enum tw_type type, double flops, double nb);
/* The same as it adds to the work of the machine. */
double tw_seconds_shared(const struct tw_workers *w, enum tw_rate rate, enum tw_type type, double flops, double nb);
/* What is left of both: the work shared by cores or GPUs, and what nothing hides of the path; tasks: how many. */
double tw_seconds_together(const struct tw_workers *w, enum tw_type type, double nb, double work, double path,
                           double tasks);
/* The order of tiles that fills a GPU's multiprocessors once. */
tw_int tw_one_wave(const struct tw_workers *w);

/* Routines, by tiles and by LAPACK itself. k: a product's inner size. */
double tw_predict_cholesky(const struct tw_workers *w, const struct tw_sizes *s, double nb);
double tw_predict_lu(const struct tw_workers *w, const struct tw_sizes *s, double nb);
double tw_predict_qr(const struct tw_workers *w, const struct tw_sizes *s, double nb);
double tw_predict_product(const struct tw_workers *w, const struct tw_sizes *s, double nb);
double tw_lapack_cholesky(const struct tw_workers *w, const struct tw_sizes *s, int threads);
double tw_lapack_lu(const struct tw_workers *w, const struct tw_sizes *s, int threads);
double tw_lapack_qr(const struct tw_workers *w, const struct tw_sizes *s, int threads);
double tw_lapack_product(const struct tw_workers *w, const struct tw_sizes *s, int threads);

/* 1 if panels are solved as products with the inverse of their diagonal tile: on GPUs, unless TILEWORK_TRSM says
 * otherwise. */
int tw_solve_by_inverse(void);
#pragma GCC visibility pop
#endif
