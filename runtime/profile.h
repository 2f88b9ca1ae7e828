/* The machine profile: measured rates of this machine's cores and GPUs, probed once and kept in the cache directory, and
 * the analytic cost model made of them. */
#ifndef TW_RUNTIME_PROFILE_H
#define TW_RUNTIME_PROFILE_H
#include "runtime/submit.h"

/* Orders at which rates are measured; between them they are interpolated over log(order), outside extrapolated. */
#define TW_PROFILE_SIZES 5
extern const int tw_profile_size_cpu[TW_PROFILE_SIZES], tw_profile_size_cuda[TW_PROFILE_SIZES];

struct tw_rates {
    double gflops[TW_NTYPES][TW_NRATES][TW_PROFILE_SIZES]; /* TW_RATE_MEMORY: GB/s */
};
struct tw_profile {
    int valid;
    struct tw_rates cpu;  /* one core, the other cores idle */
    struct tw_rates cuda; /* one whole GPU, one stream */
    char path[1024];
};
extern struct tw_profile tw_profile;

/* codelets/ registers what runs (or enqueues) one kernel of order n on square operands a, b, c of leading dimension n: a has a
 * dominant diagonal. cuda is NULL for the CPU. Returns 0, or non-zero when the kernel cannot run. */
typedef int (*tw_probe_fn)(const struct tw_cuda *cuda, enum tw_rate rate, enum tw_type type, int n, void *a, void *b,
                           void *c, void *work, size_t work_bytes);
void tw_profile_register_probe(tw_probe_fn probe);
/* kernels' text for CUDA statuses, registered the same way. */
void tw_cuda_register_status_text(const char *(*text)(int status));

/* Load from the cache directory or probe (≤ 3 s) and save. */
void tw_profile_load(void);
/* Gflop/s (GB/s) of a kernel of this order on one CPU worker or one GPU used by one stream. */
double tw_profile_rate(int is_cuda, enum tw_rate rate, enum tw_type type, double size);
/* Real flops of the probe's kernel of order n. */
double tw_profile_flops(enum tw_rate rate, enum tw_type type, double n);
#endif
