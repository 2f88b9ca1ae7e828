/* The STARPU_ variables, looked at before StarPU does: it stops the program at one that it cannot read. */
#ifndef TW_RUNTIME_MACHINE_STARPU_VARIABLES_H
#define TW_RUNTIME_MACHINE_STARPU_VARIABLES_H

/* 0, or TW_E_OPTION naming the first variable that StarPU would stop at or misread, its value, and what is expected. */
int tw_starpu_variables_check(void);
/* A warning about limits of main memory with which tasks may wait for ever: all where there is no disk to swap to. */
void tw_starpu_limit_notice(const char *disk_dir);
/* The distinct logical cores that STARPU_WORKERS_CPUID, else STARPU_WORKERS_COREID, lists; 0 where neither is set. */
int tw_starpu_listed_cores(void);
/* Logical cores and GPUs of the options: 0, or TW_E_OPTION. */
int tw_core_ids_check(const int *ids, int count);
int tw_gpu_ids_check(const int *ids, int count);
/* The folder that StarPU swaps to, by the option or variable of that name: 0, or TW_E_OPTION. */
int tw_swap_folder_check(const char *name, const char *dir);
#endif
