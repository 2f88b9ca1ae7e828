/* Holds a share of a GPU's multiprocessors, so that what else runs there finds a slower one: for measurements with
 * unequal GPUs (tests/bench/unequal.sh).
 *
 *   spin [--device D] [--share S] [--seconds T]
 *       A process of its own, until T seconds (60) have passed or a signal ends it. Where no MPS daemon runs GPUs serve
 *       processes by turns: the other process has all multiprocessors, half of the time.
 *   SPIN_DEVICE=D SPIN_SHARE=S LD_PRELOAD=libspin.so tilework ...
 *       Inside the program itself, from when it has begun to use GPU D until its end: then it shares the GPU's
 *       multiprocessors at each moment. At its end a line on stderr says how much of the time they were held.
 *
 * A block of the kernel takes all shared memory of a multiprocessor, which leaves room for no other block. It sleeps
 * and looks at the clock. A kernel lasts 20 ms: the CUDA calls that wait for all work on the GPU (cudaFree, the loading
 * of a kernel) come between two of them. Its stream has the highest priority, so that the next one gets its places back
 * as blocks of others end. */
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <unistd.h>

#define PERIOD 20e-3 /* seconds */

static __global__ void hold(unsigned long long nanoseconds)
{
    unsigned long long begin, now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        __nanosleep(2000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}

struct spinner {
    int device;
    double share, most; /* of the multiprocessors; seconds */
    int blocks, processors;
    cudaStream_t stream;
    cudaEvent_t ended;
    size_t shared;
    double held, all; /* seconds */
};
static std::atomic<bool> stop{false};

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static int failed(const char *what, cudaError_t e)
{
    std::fprintf(stderr, "spin: %s: %s\n", what, cudaGetErrorString(e));
    return 1;
}
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const cudaError_t e_ = (call);                                                                                 \
        if (e_ != cudaSuccess) return failed(#call, e_);                                                               \
    } while (0)

static int prepare(spinner *s)
{
    int shared = 0, least = 0, greatest = 0;

    TRY(cudaSetDevice(s->device));
    TRY(cudaDeviceGetAttribute(&s->processors, cudaDevAttrMultiProcessorCount, s->device));
    TRY(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, s->device));
    s->blocks = (int)(s->share * s->processors);
    s->shared = (size_t)shared;
    TRY(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    TRY(cudaFuncSetAttribute(hold, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TRY(cudaStreamCreateWithPriority(&s->stream, cudaStreamNonBlocking, greatest));
    TRY(cudaEventCreateWithFlags(&s->ended, cudaEventBlockingSync | cudaEventDisableTiming));
    return 0;
}

static int run(spinner *s)
{
    const double begin = now() - s->all;

    while (!stop && now() - begin < s->most) {
        if (s->blocks > 0) {
            hold<<<s->blocks, 1, s->shared, s->stream>>>((unsigned long long)(PERIOD * 1e9));
            TRY(cudaGetLastError());
            TRY(cudaEventRecord(s->ended, s->stream));
            TRY(cudaEventSynchronize(s->ended));
            s->held += PERIOD;
        } else {
            usleep((useconds_t)(PERIOD * 1e6));
        }
        s->all = now() - begin;
    }
    return 0;
}

/* ---- inside a program -------------------------------------------------------------------------------------------- */

static spinner inside;
static std::thread *worker;

/* Has anybody begun to use the GPU? Nothing of CUDA is woken up by the question. */
static bool is_used(int device)
{
    typedef int (*state_fn)(int, unsigned *, int *);
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    const state_fn state = driver ? (state_fn)dlsym(driver, "cuDevicePrimaryCtxGetState") : NULL;
    unsigned flags = 0;
    int active = 0;
    const bool used = state && state(device, &flags, &active) == 0 && active;

    if (driver) dlclose(driver);
    return used;
}

/* Registered when CUDA runs: called before its own end. */
static void end_inside()
{
    stop = true;
    worker->join();
    std::fprintf(stderr, "spin: %d of %d multiprocessors of GPU %d were held for %.1f %% of %.2f s\n", inside.blocks,
                 inside.processors, inside.device, inside.all > 0 ? 100 * inside.held / inside.all : 0, inside.all);
}

/* A program may reset its GPUs, as StarPU does when it has measured its links: then from the beginning. */
static void spin_inside()
{
    bool registered = false;

    for (int tries = 0; tries < 20 && !stop; tries++) {
        while (!is_used(inside.device)) {
            if (stop) return;
            usleep(2000);
        }
        usleep(200000); /* the program sets it up */
        if (prepare(&inside)) continue;
        if (!registered) std::atexit(end_inside), registered = true;
        if (!run(&inside)) return;
    }
}

static bool number(const char *text, double low, double high, double *value)
{
    char *end;
    *value = std::strtod(text, &end);
    return end != text && !*end && *value >= low && *value <= high;
}

static __attribute__((constructor)) void begin_inside()
{
    const char *device = std::getenv("SPIN_DEVICE"), *share = std::getenv("SPIN_SHARE");
    double d = 0, s = 0.5;

    /* not in env, timeout and what else stands between a script and the program */
    if (!device || std::strncmp(program_invocation_short_name, "tilework", 8) != 0) return;
    if (!number(device, 0, 1023, &d) || (share && !number(share, 0, 1, &s))) {
        std::fprintf(stderr, "spin: SPIN_DEVICE=%s SPIN_SHARE=%s: expected a GPU's number, and 0 to 1\n", device,
                     share ? share : "");
        return;
    }
    inside.device = (int)d;
    inside.share = s;
    inside.most = 1e9;
    worker = new std::thread(spin_inside);
}

/* ---- a process of its own ---------------------------------------------------------------------------------------- */

#ifdef SPIN_PROGRAM
static void on_signal(int)
{
    stop = true;
}

static int usage(const char *what)
{
    std::fprintf(stderr, "spin: %s\nusage: spin [--device D] [--share S] [--seconds T]\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    spinner s = {};
    double d = 0;

    s.share = 0.5;
    s.most = 60;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) return usage("a flag without a value, or none");
        if (!std::strcmp(argv[i], "--device") ? !number(argv[i + 1], 0, 1023, &d)
            : !std::strcmp(argv[i], "--share")
                ? !number(argv[i + 1], 0, 1, &s.share)
                : std::strcmp(argv[i], "--seconds") || !number(argv[i + 1], 0, 86400, &s.most))
            return usage("--device wants a GPU's number, --share 0 to 1, --seconds 0 to 86400");
    }
    s.device = (int)d;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    if (prepare(&s)) return 1;
    std::printf("spin: holds %d of %d multiprocessors of GPU %d\n", s.blocks, s.processors, s.device);
    std::fflush(stdout);
    if (run(&s)) return 1;
    std::printf("spin: they were held for %.1f %% of %.2f s\n", s.all > 0 ? 100 * s.held / s.all : 0, s.all);
    return 0;
}
#endif
