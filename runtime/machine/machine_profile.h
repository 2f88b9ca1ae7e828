/* The machine profile: measured rates of this machine's cores, GPUs and links, probed once and kept in the cache
 * directory. The analytic cost models and the choice of tile orders are made of it.
 *
 *   profile.c        the numbers: asking for them, finding or measuring them at the start
 *   profile_probe.c  measuring
 *   profile_file.c   the file: written, read, and refused when it cannot be true
 *   profile_shares.c what codelets were seen to reach of their base rates
 *   profile_gpus.c   GPUs that are not as fast as the first
 *   profile_ahead.c  the numbers before the library runs
 *   place.c          whether work runs on cores, GPUs or both, by the profile's rows for that
 *   profile_key.c    which machine and which libraries a profile belongs to */
#ifndef TW_RUNTIME_MACHINE_MACHINE_PROFILE_H
#define TW_RUNTIME_MACHINE_MACHINE_PROFILE_H
#include <stdint.h>
#include "runtime/base/state.h"
#include "runtime/base/types.h"
#include "runtime/machine/cuda.h"
#include "runtime/machine/place.h"
#include "runtime/machine/rate.h"

/* Orders at which rates are measured; between them they are interpolated over log(order), outside extrapolated. */
#define TW_PROFILE_SIZES 5
extern const int tw_profile_size_cpu[TW_PROFILE_SIZES], tw_profile_size_cuda[TW_PROFILE_SIZES];

struct tw_rates {
    double gflops[TW_NTYPES][TW_NRATES][TW_PROFILE_SIZES]; /* TW_RATE_MEMORY: GB/s */
};

/* Kernels of several streams share a GPU: the numbers of streams that are measured. */
#define TW_PROFILE_STREAMS 3
extern const int tw_profile_stream_count[TW_PROFILE_STREAMS]; /* 1, 2, 4 */

enum tw_link {
    TW_LINK_TO_GPU,     /* pinned host memory to one GPU, alone */
    TW_LINK_FROM_GPU,   /* one GPU to pinned host memory, alone */
    TW_LINK_BOTH_WAYS,  /* both at once, the sum */
    TW_LINK_GPU_TO_GPU, /* between two GPUs, one way */
    TW_LINK_HOST,       /* memcpy of one core, bytes copied (not read + written) */
    TW_NLINKS
};

/* What a codelet with operands of some types reaches of its base rate, by size class: class c is for orders of 2^c …
 * 2^(c+1) - 1. */
#define TW_SYMBOL_MAX     48
#define TW_SIZE_CLASSES   20
#define TW_PROFILE_SHARES 256
struct tw_share_row {
    char symbol[TW_SYMBOL_MAX]; /* the performance model's: "tw_dgemm" */
    enum tw_rate rate;
    double share[2][TW_SIZE_CLASSES]; /* of a CPU worker, of a GPU; 0: not known */
};

/* GPUs may be unequal: what each of them reaches of the first one's rates, that of the first in use. */
enum tw_factor { TW_FACTOR_PRODUCTS, TW_FACTOR_MEMORY, TW_NFACTORS };
#define TW_PROFILE_GPUS TW_GPU_RATES_MOST

#define TW_KEY_FIELDS 11
struct tw_profile_key {
    char value[TW_KEY_FIELDS][96];
};

struct tw_profile {
    int valid;
    struct tw_rates cpu;  /* one core, the other cores idle */
    struct tw_rates cuda; /* one whole GPU, one stream; kernels back to back, without launch latency */
    /* gemm's rate with so many streams on one GPU over its rate with one stream, at the orders of
     * tw_profile_size_cuda */
    double gain[TW_NTYPES][TW_PROFILE_SIZES][TW_PROFILE_STREAMS];
    double link[TW_NLINKS];                      /* GB/s */
    double launch[2];                            /* seconds: a CPU task's, a GPU kernel's cost beside its computing */
    double factor[TW_PROFILE_GPUS][TW_NFACTORS]; /* by CUDA's number of the GPU; 0: not known */
    struct tw_share_row shares[TW_PROFILE_SHARES];
    int nshares;
    struct tw_place_row places[TW_PROFILE_PLACES]; /* what deciding between cores and GPUs goes by */
    int nplaces;
    struct tw_profile_key key;
    int64_t written; /* seconds since 1970 */
    double seconds;  /* that measuring took */
    char path[1024]; /* "": nowhere */
    int kept;        /* the file at path holds this */
};
extern struct tw_profile tw_profile;

/* codelets/ registers what runs (or enqueues) one kernel of order n on square operands a, b, c of leading dimension n:
 * a has a dominant diagonal, and up to 8 calls one after another meet no overflow and no failure. cuda is NULL for the
 * CPU. Returns 0, or non-zero when the kernel cannot run. */
typedef int (*tw_probe_fn)(const struct tw_cuda *cuda, enum tw_rate rate, enum tw_type type, int n, void *a, void *b,
                           void *c, void *work, size_t work_bytes);
void tw_profile_register_probe(tw_probe_fn probe);
/* Load from the cache directory (0), or probe in at most 3 s and save (1). */
int tw_profile_load(void);
/* Gflop/s (GB/s) of a kernel of this order on one CPU worker or one GPU used by one stream. Types without a rate of
 * their own have that of the real type that is nearest in size. */
double tw_profile_rate(int is_cuda, enum tw_rate rate, enum tw_type type, double size);
/* Gflop/s of one whole GPU on which so many streams run gemms of this order side by side, all of them together. */
double tw_profile_streams(enum tw_type type, double size, double streams);
/* The same of a profile that need not be the library's. */
double tw_rate_of(const struct tw_profile *p, int is_cuda, enum tw_rate rate, enum tw_type type, double size);
double tw_streams_of(const struct tw_profile *p, enum tw_type type, double size, double streams);
/* GB/s (10^9 bytes per second) of a link; TW_LINK_GPU_TO_GPU of a machine with one GPU is a guess. */
double tw_profile_link(enum tw_link link);
/* Seconds that a task costs beside what its kernel computes: submission to completion of an empty task on a CPU worker,
 * or of the smallest kernel in a stream of a GPU. */
double tw_profile_launch(int is_cuda);
/* ---- profile_gpus.c: unequal GPUs -------------------------------------------------------------------------------- */

/* What the GPU that CUDA calls so reaches of the profile's rate, which is the first one's: 1 of that, of those that
 * were found equal, and where nothing is known. */
double tw_gpu_factor(int device, enum tw_rate rate);
/* The GPUs in use in units of the first: as many as there are where they are equal. */
double tw_gpu_units(enum tw_factor which);
/* The fastest one's factor. */
double tw_gpu_best(enum tw_factor which);
/* 1: they are equal. */
int tw_gpus_alike(void);

/* Real flops of the probe's kernel of order n (TW_RATE_MEMORY: bytes). */
double tw_profile_flops(enum tw_rate rate, enum tw_type type, double n);

/* ---- between the profile's files, and for tests ------------------------------------------------------------------ */

extern const char *const tw_rate_name[TW_NRATES], *const tw_link_name[TW_NLINKS], *const tw_factor_name[TW_NFACTORS];
/* What holds where nothing was measured. */
void tw_profile_guess(struct tw_profile *p);
/* Replace the numbers of p by measured ones, within about so many seconds; samples: how often each is measured at most.
 * The workers sleep. */
void tw_profile_measure(struct tw_profile *p, double cpu_seconds, double cuda_seconds, int samples);
/* What one bad sample may have spoilt: no kernel far above gemm, no order far slower than the one below it. */
void tw_profile_tidy(struct tw_profile *p);
/* 1 if every number is one that a machine can have. */
int tw_profile_plausible(const struct tw_profile *p);

/* A GPU's factor from what the first and it took for the same; 1 if they are equal within what such measurements tell,
 * 0: not known. */
double tw_factor_of(double first, double seconds);
int tw_factor_plausible(double factor);
/* Factors that count from now on, of `count` GPUs in use by CUDA's numbers: TILEWORK_GPU_RATES', else these. */
void tw_gpu_factors_use(const double (*factor)[TW_NFACTORS], const int *device, int count);
/* The same with the profile's and the running library's GPUs. */
void tw_gpu_factors_take(const struct tw_profile *p);

/* NULL: nothing is known. */
const struct tw_share_row *tw_profile_share(const struct tw_profile *p, const char *symbol, enum tw_rate rate);
int tw_share_plausible(const struct tw_share_row *row);
/* Put these beside and in place of those in the profile's file, if there is one: what cannot be written is not kept. */
void tw_profile_keep_shares(const struct tw_share_row *rows, int count);

extern const char *const tw_key_name[TW_KEY_FIELDS];
void tw_key_make(struct tw_profile_key *key);
/* The same for a process that uses no GPU; asks nothing of the running library, nor of CUDA. */
void tw_key_make_without_gpus(struct tw_profile_key *key);
/* 1 if they differ in their GPUs at most, and in what drives these. */
int tw_key_same_cores(const struct tw_profile_key *a, const struct tw_profile_key *b);
int tw_key_gpus(const struct tw_profile_key *key);
int tw_key_same(const struct tw_profile_key *a, const struct tw_profile_key *b);
uint64_t tw_key_hash(const struct tw_profile_key *key);
/* Pretend that a field (NULL: every one) has this value; NULL: its true one again. */
void tw_key_fake(const char *field, const char *value);

/* 1 and p's numbers, when and how, if the file is sound and belongs to this key; otherwise 0, p untouched, and *why. */
int tw_profile_read(const char *path, const struct tw_profile_key *key, struct tw_profile *p, const char **why);
/* The key that a file says it is for: 1, or 0 if it is no profile. */
int tw_profile_read_key(const char *path, struct tw_profile_key *key);
/* Of a library that does not run: the profile in the cache directory with which it would start, as far as files tell.
 * With `gpus` GPUs are expected: then it is the newest one of these cores with GPUs, if there is one. 1, or 0 and p
 * untouched. */
int tw_profile_ahead(int gpus, struct tw_profile *p);
/* 0, or TW_E_IO with the message set; then no file was touched. */
int tw_profile_write(const char *path, const struct tw_profile *p);
#endif
