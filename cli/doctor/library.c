/* The libraries as they are loaded, and Tilework's as it starts. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include <tilework/profile.h>
#include <tilework/tilework.h>

#include "cli/common.h"
#include "cli/doctor/doctor.h"

void doctor_kernels(void)
{
    const char *better = tw_blas_advice(), *set = cli_variable("OPENBLAS_CORETYPE");
    const char *(*kernels)(void);
    char command[96];

    doctor_looked();
    if (!dlsym(RTLD_DEFAULT, "openblas_get_corename"))
        doctor_found("blas", "update-alternatives --config libblas.so.3-x86_64-linux-gnu",
                     "the BLAS that is loaded is not OpenBLAS: nothing is known of its kernels and its threads");
    doctor_looked();
    *(void **)&kernels = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    if (!better && set && kernels && strcasecmp(kernels(), set) != 0)
        doctor_found(
            "blas-kernels", "unset OPENBLAS_CORETYPE",
            "OPENBLAS_CORETYPE=%.80s is no kernel that OpenBLAS has, or none for this CPU: it runs those of %s", set,
            kernels());
    doctor_looked();
    if (!better) return;
    snprintf(command, sizeof command, "export OPENBLAS_CORETYPE=%s", better);
    if (set)
        doctor_found("blas-kernels", command, "OPENBLAS_CORETYPE=%s chooses slower kernels than this CPU can run", set);
    else
        doctor_found(
            "blas-kernels", command,
            "OpenBLAS does not know this CPU and runs slow kernels in programs of your own (the command cures itself)");
}

/* Gflop/s of one core now: the best of some products as large as the largest of the profile's, by the time that this
 * thread had the core. */
static double gflops_now(void)
{
    enum { N = 520 };
    double *a = calloc((size_t)3 * N * N, sizeof *a), best = 0;
    int (*get)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    void (*set)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    const int threads = get ? get() : 1;

    if (!a || !set) {
        free(a);
        return 0;
    }
    set(1);
    for (int k = 0; k < 6; k++) {
        struct timespec begin, end;
        double seconds;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, a + N * N, N, 0, a + 2 * N * N, N);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        if (seconds > 0 && 2e-9 * N * N * N / seconds > best) best = 2e-9 * N * N * N / seconds;
    }
    set(threads);
    free(a);
    return best;
}

static void profile(void)
{
    static tw_profile_entry entry[2048];
    const int count = tw_profile_entries(entry, 2048);
    tw_profile_facts facts;
    double core = 0, now;

    doctor_looked();
    if (tw_profile_facts_get(&facts)) return;
    if (!facts.kept)
        doctor_found("cache", "export TILEWORK_CACHE_DIR=DIR, of a folder that can be written to",
                     "the machine profile is not kept (%s): every start measures it again",
                     *facts.path ? facts.path : "there is no place for it");
    doctor_looked();
    if (facts.age > 365 * 86400.0)
        doctor_found("profile-old", "tilework calibrate", "the machine profile is %.0f days old", facts.age / 86400);
    for (int k = 0; k < count && k < 2048; k++) {
        const tw_profile_entry *e = &entry[k];
        if (!strcmp(e->device, "cpu") && !strcmp(e->what, "gemm") && e->type == 'd' && e->order >= 500) core = e->value;
        if (!strcmp(e->device, "link") && !strcmp(e->what, "to_gpu") && e->value > 0 && e->value < 4)
            doctor_found("link", "nvidia-smi -q shows the link's width and generation: is the card in the right slot?",
                         "%.1f GB/s to the GPU: a sound link of PCI Express has 12 and more", e->value);
    }
    doctor_looked();
    now = gflops_now();
    if (core > 0 && now > 0 && (core > 3 * now || 3 * core < now))
        doctor_found("profile", "tilework calibrate",
                     "the machine profile says %.1f Gflop/s of a core, which now does %.1f: it was measured on a busy "
                     "machine, or the other way round",
                     core, now);
}

static int older(const char *version, int major, int minor, int patch)
{
    int v[3] = {0, 0, 0};
    if (sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2]) < 2) return 0;
    return v[0] != major ? v[0] < major : v[1] != minor ? v[1] < minor : v[2] < patch;
}

static void starpu(const tw_machine *m)
{
    doctor_looked();
    if (m->starpu_version && older(m->starpu_version, 1, 4, 7))
        doctor_found("starpu", "./quickstart build", "StarPU %s is older than 1.4.7", m->starpu_version);
    doctor_looked();
    if (!cli_variable("STARPU_NCPU") && !cli_variable("STARPU_NCPUS") && !cli_variable("STARPU_WORKERS_CPUID") &&
        !cli_variable("STARPU_RESERVE_NCPU") && m->cpu_workers + m->cuda_workers + 1 < m->cores)
        doctor_found("starpu-workers", "./quickstart build", "StarPU uses %d of %d cores: it was built for no more",
                     m->cpu_workers, m->cores);
    doctor_looked();
    if (m->cpu_workers == 0 && m->cuda_workers > 0)
        doctor_found("no-cores", "export STARPU_NCPU=1", "no core computes: tasks without a CUDA body cannot run");
    doctor_looked();
    if (doctor_exists("/dev/nvidia0") && !cli_variable("TILEWORK_DOCTOR_ROOT") && m->cuda_devices == 0 &&
        !cli_variable("STARPU_NCUDA") && !cli_variable("CUDA_VISIBLE_DEVICES"))
        doctor_found("gpu-idle", "nvidia-smi",
                     "a GPU is here, and none is used: its driver does not answer, or StarPU was built without CUDA");
}

void doctor_library(void)
{
    tw_options options;
    tw_machine machine;
    int e;

    tw_options_init(&options);
    options.progress = 0;
    doctor_looked();
    e = tw_init(&options);
    if (e == 0) e = tw_machine_info(&machine);
    if (e) {
        doctor_found("start", "the reason says what to change", "the library does not start: %s", cli_last_message());
        return;
    }
    starpu(&machine);
    profile();
    (void)tw_finalize();
}
