/* What the machine is and what was asked of it: shared by the files of this room and by those above. */
#ifndef TW_RUNTIME_MACHINE_MACHINE_H
#define TW_RUNTIME_MACHINE_MACHINE_H
#include "runtime/base/state.h"
#include "runtime/cuda/device.h"

/* ---- options.c --------------------------------------------------------------------------------------------------- */
int tw_config_resolve(struct tw_config *c, const tw_options *options);
/* What TILEWORK_LOOKAHEAD says by now; -1: auto. 0 or TW_E_OPTION. */
int tw_lookahead(int *ahead);
/* Only the cache directory, from the environment. */
int tw_config_cache_dir(struct tw_config *c);
/* Parse "123", "64K", "2G"; 0 or TW_E_OPTION naming the variable. */
int tw_parse_bytes(const char *name, const char *text, size_t *value);

/* ---- phases.c: where the time of starting and stopping goes ------------------------------------------------------ */
void tw_phases_begin(int stop);
void tw_phase_done(const char *name); /* what was done since the last of these two calls */

/* ---- sampling.c: the folder of StarPU's bus measurements --------------------------------------------------------- */
/* Before starpu_init: chooses a folder that StarPU can write to, and throws measurements away at which it would stop.
 * 0, or TW_E_IO that says what to set. first: StarPU will measure the bus; then processes that start for the first time
 * together take turns, until tw_sampling_end. started: starpu_init has succeeded. */
int tw_sampling_begin(int *first);
void tw_sampling_end(int started);

/* ---- warm.c ------------------------------------------------------------------------------------------------------ */
void tw_warm_forget(void); /* at the end: a later start finds the GPUs cold */

/* ---- blas.c ------------------------------------------------------------------------------------------------------ */
/* That so many threads can be in OpenBLAS at once, which does not return from a call whose buffer the system refuses.
 * TW_E_MEMORY. */
int tw_blas_reserve(int threads);
void tw_blas_single(void);
void tw_blas_restore(void);
int tw_blas_threads(void); /* that the program's own calls use; 0: not known */
const char *tw_blas_core(void);
const char *tw_blas_version(void); /* "OpenBLAS 0.3.21", or "unknown" */

/* ---- machine.c --------------------------------------------------------------------------------------------------- */
int tw_core_count(void);
const char *tw_cpu_name(void);
int tw_gpu_facts(char *name, size_t length, size_t *memory); /* 1 if there is a GPU */
int tw_gpu_count(void);
int tw_gpu_processors(void); /* multiprocessors of the first one, 0 without */
/* 0, or TW_E_MEMORY saying how many bytes `what` needs and how many there are. */
int tw_memory_check(const char *what, double bytes);
void tw_memory_account(double bytes); /* pool bytes taken (> 0) or given back (< 0) */
double tw_memory_accounted(void);     /* that are taken */

#endif
