/* What a task costs: analytic from the machine profile, corrected by what was measured.
 *
 * A codelet names a base rate of the profile and its share of it; use corrects the share, for each codelet, operand
 * types, kind of worker (CPU, GPU) and size class. What was learned is kept in the profile's file when the library
 * stops. */
#ifndef TW_RUNTIME_TASK_COST_H
#define TW_RUNTIME_TASK_COST_H
#include "runtime/base/types.h"
#include "runtime/machine/rate.h"

struct tw_model;
/* The work of a task. */
struct tw_work {
    double flops, bytes; /* bytes: what it reads and writes; the work where the base rate is TW_RATE_MEMORY */
    double order;        /* that its efficiency goes by: tw_order */
};

/* The order of the square kernel that is as efficient as one of m x n x k: the harmonic mean, in which a thin side
 * weighs most. Sides that are not positive do not count; 0 if none does. */
double tw_order(double m, double n, double k);

/* The model of this symbol, made at its first use: what codelets of one symbol and one base rate learn, they share.
 * type: whose base rate. NULL without memory. */
struct tw_model *tw_model_of(const char *symbol, enum tw_rate rate, enum tw_type type, double share);
/* Where a task runs: on a CPU worker, on the GPU that CUDA calls d (TW_COST_GPU + d), on the first GPU in use. */
enum { TW_COST_FIRST_GPU = -1, TW_COST_CPU, TW_COST_GPU };
/* Predicted seconds on one CPU worker, or one stream of a GPU. */
double tw_model_seconds(struct tw_model *m, int where, const struct tw_work *work);
/* It took so many seconds. */
void tw_model_learn(struct tw_model *m, int where, const struct tw_work *work, double seconds);
/* The share of its base rate that the codelet is taken to reach. */
double tw_model_share(const struct tw_model *m, int is_cuda, double order);
/* At the end: what was learned goes to the profile's file, and models are forgotten (unless StarPU goes on with
 * them). */
void tw_models_keep(void);
void tw_models_clear(void);

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Estimated seconds of one task on the best worker for it: what levels of priorities are made of. */
double tw_cost(enum tw_rate rate, enum tw_type type, double flops, double size);
#pragma GCC visibility pop
#endif
