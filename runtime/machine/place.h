/* Whether work runs on cores, on GPUs, or is shared: one estimate for every family that lays out its data itself (FFTs,
 * the multipole method, interactions with a cut-off). What is known of a family is a row of the machine profile; rates
 * and links are the profile's, too. */
#ifndef TW_RUNTIME_MACHINE_PLACE_H
#define TW_RUNTIME_MACHINE_PLACE_H
#include "runtime/base/types.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* X(name, least, most): the numbers of a row, in the order of the file. 0: does not count, unless something else is
 * said. */
#define TW_PLACE_NUMBERS(X)                                                                                            \
    X(cpu_start, 0, 10) /* seconds whatever the size: a graph of tasks */                                              \
    X(cpu_object, 0, 1) /* for each thing that one thread does: a point to be planned, an object that orders tasks */  \
    X(cpu_gflops, 0, 2e3) /* of a core, double precision; twice that in single */                                      \
    X(cpu_share, 0, 10)   /* or: of what a core reaches in gemm at this order */                                       \
    X(cpu_order, 0, 1e6)                                                                                               \
    X(cpu_memory, 0, 1e5) /* GB/s that all cores reach together; a core reaches what a copy does */                    \
    X(gpu_start, 0, 10)   /* the same of GPUs: launches */                                                             \
    X(gpu_object, 0, 1)                                                                                                \
    X(gpu_gflops, 0, 2e6) /* of a GPU */                                                                               \
    X(gpu_share, 0, 10)                                                                                                \
    X(gpu_order, 0, 1e6)                                                                                               \
    X(gpu_memory, 0, 1e5)  /* GB/s of each GPU */                                                                      \
    X(pinning, 0, 1e-6)    /* seconds per byte of the caller's array */                                                \
    X(pageable, 0, 1e4)    /* GB/s of arrays that are too small to be pinned; 0: the link's */                         \
    X(several, 0.01, 1)    /* of their links' speed is what several GPUs get together */                               \
    X(both_start, 0, 10)   /* seconds more where both work: two routines at once */                                    \
    X(both_slower, 1, 100) /* each side takes so many times as long then: memory is shared */                          \
    X(both_pays, 0, 1)     /* shared if that takes less than this part of the better place's time */

enum { TW_PLACE_NAME = 24, TW_PROFILE_PLACES = 32 };
struct tw_place_row {
    char name[TW_PLACE_NAME]; /* a to z, 0 to 9, _ */
#define TW_PLACE_FIELD(number, least, most) double number;
    TW_PLACE_NUMBERS(TW_PLACE_FIELD)
#undef TW_PLACE_FIELD
};
/* What holds where no profile says otherwise. At load time; the row stays the caller's. */
void tw_place_register(const struct tw_place_row *usual);
/* The profile's row of that name, else the usual one. */
const struct tw_place_row *tw_place_row(const struct tw_place_row *usual);

struct tw_place_work {
    enum tw_type type; /* whose rates */
    int units;         /* cores or GPUs that take part */
    double flops, objects;
    double bytes;   /* that pass through the units' memory */
    double seconds; /* on the links, and what else is known: tw_place_travel */
};
/* INFINITY where nobody is to do it. */
double tw_place_seconds(const struct tw_place_row *row, int is_cuda, const struct tw_place_work *work);

struct tw_place_way {
    double to, from; /* bytes of main memory that go to the GPUs and come back */
    int gpus;
    int overlaps; /* both directions at once: parts of the result are ready before all operands are there */
    int pinned;   /* they are already */
    int never;    /* and will not be: they are too small */
};
/* Seconds; INFINITY if a link has no speed. */
double tw_place_travel(const struct tw_place_row *row, const struct tw_place_way *way);

/* Cores or GPUs, or, with seconds for it (0: it cannot be), both. */
enum tw_place { TW_PLACE_CPU, TW_PLACE_GPU, TW_PLACE_BOTH };
enum tw_place tw_place_choose(const struct tw_place_row *row, double on_cpu, double on_gpu, double on_both);
#pragma GCC visibility pop

/* ---- for the profile --------------------------------------------------------------------------------------------- */

struct tw_profile;
/* Adds the registered ones that are not there. */
void tw_place_complete(struct tw_profile *p);
/* Replaces the row of that name, or is added: 0, or -1 if there is no room. */
int tw_place_put(struct tw_profile *p, const struct tw_place_row *row);
int tw_place_plausible(const struct tw_place_row *row);
/* fn(context, its name, the number) for each number. */
void tw_place_visit(struct tw_place_row *row, void (*fn)(void *context, const char *number, double *value),
                    void *context);
#endif
