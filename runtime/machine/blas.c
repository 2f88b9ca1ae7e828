/* OpenBLAS: its threads and its kernels.
 *
 * Memory: OpenBLAS (0.3.21 at least) asks for a buffer that the system refuses again and again, for ever: see
 * tw_blas_reserve. Threads: tasks run BLAS with one thread; what the program had set is restored when no call is in
 * progress. Kernels: OpenBLAS picks them by CPU model when it is loaded. A version older than the CPU does not know the
 * model and falls back to kernels that run at a fifth to a half of the speed; OPENBLAS_CORETYPE cures that but is read
 * at load time. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

/* Looked up at run time, so that another BLAS behind the same library names works, too. */
static void *symbol(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static int (*get_threads)(void);
static void find_threads(void)
{
    get_threads = (int (*)(void))symbol("openblas_get_num_threads");
}

static atomic_int threads_before = -1;

void tw_blas_single(void)
{
    int (*get)(void) = (int (*)(void))symbol("openblas_get_num_threads");
    void (*set)(int) = (void (*)(int))symbol("openblas_set_num_threads");
    if (!get || !set) return;
    const int before = get();
    atomic_store(&threads_before, before);
    if (before != 1) set(1);
}

/* Asked before every call of more than the smallest order: the symbol is looked for once. */
int tw_blas_threads(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int before = atomic_load(&threads_before);

    pthread_once(&once, find_threads);
    return before > 0 ? before : get_threads ? get_threads() : 0;
}

void tw_blas_restore(void)
{
    void (*set)(int) = (void (*)(int))symbol("openblas_set_num_threads");
    const int before = atomic_exchange(&threads_before, -1);
    if (set && before > 1) set(before);
}

/* A buffer is 128 MiB of address space on x86-64, of which what is touched becomes memory; it is kept, and goes from
 * call to call. */
int tw_blas_reserve(int threads)
{
    enum { MOST = 128 };
    const size_t largest = (size_t)256 << 20; /* of any of OpenBLAS's builds */
    void *(*take)(int) = (void *(*)(int))symbol("blas_memory_alloc");
    void (*give)(void *) = (void (*)(void *))symbol("blas_memory_free");
    void *buffer[MOST];
    int n = 0, e = 0;

    if (!take || !give) return 0;
    for (; n < threads && n < MOST && !e; n++) {
        void *room = mmap(NULL, largest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED) {
            e = tw_fail(TW_E_MEMORY,
                        "OpenBLAS needs 128 MiB of address space for each of %d threads, and there is room for %d: "
                        "raise the limit (ulimit -v, ulimit -d), or start fewer workers (STARPU_NCPU)",
                        threads, n);
            break;
        }
        munmap(room, largest);
        buffer[n] = take(0);
    }
    while (n > 0)
        give(buffer[--n]);
    return e;
}

const char *tw_blas_core(void)
{
    char *(*core)(void) = (char *(*)(void))symbol("openblas_get_corename");
    return core ? core() : "unknown";
}

const char *tw_blas_version(void)
{
    static char text[64]; /* always the same content */
    char *(*config)(void) = (char *(*)(void))symbol("openblas_get_config");
    const char *c = config ? config() : "unknown", *end = strchr(c, ' ');

    if (end) end = strchr(end + 1, ' ');
    snprintf(text, sizeof text, "%.*s", end ? (int)(end - c) : 60, c);
    return text;
}

static int rank_of(const char *core)
{
    static const struct {
        const char *name;
        int rank;
    } known[] = {{"SapphireRapids", 4}, {"Cooperlake", 3}, {"SkylakeX", 3},  {"Zen", 2},        {"Haswell", 2},
                 {"Excavator", 1},      {"Piledriver", 1}, {"Bulldozer", 1}, {"Sandybridge", 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcasecmp(core, known[i].name)) return known[i].rank;
    return 0; /* Prescott, Nehalem, Core2, generic, … */
}

const char *tw_blas_advice(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    const char *core = tw_blas_core();
    if (!strcmp(core, "unknown")) return NULL;
    __builtin_cpu_init();
    int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx512 && rank_of(core) < 3) return "SkylakeX";
    if (avx2 && rank_of(core) < 2) return "Haswell";
#endif
    return NULL;
}

void tw_blas_reexec(char **argv)
{
    const char *advice;
    char self[4096];
    ssize_t length;

    if (!argv || getenv("OPENBLAS_CORETYPE")) return; /* the user's choice, or ours already */
    advice = tw_blas_advice();
    if (!advice) return;
    length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return;
    self[length] = 0;
    if (setenv("OPENBLAS_CORETYPE", advice, 1) != 0) return;
    execv(self, argv);
    unsetenv("OPENBLAS_CORETYPE"); /* exec failed: go on with what is loaded */
}
