/* Compiling a user's function of a pair. NVRTC is opened when it is first needed: programs that need none do not depend
 * on it.
 *
 * The kernel around the function is the direct sum's (direct.cu): a block owns TARGETS targets, PER_LANE of them in
 * each lane's registers, the same ones in every warp; sources pass through shared memory, each warp takes its share of
 * them, and the warps' sums are added in their order, without atomics: the same bits in every run. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "kernels/nbody/cuda/pairs.h"
extern "C" {
#include "runtime/base/error.h"
#include "runtime/base/variables.h"
}

namespace
{

const char before[] = R"(
typedef long long tw_index;
__device__ void tw_pair(tw_index i, const tw_real *target, tw_index j, const tw_real *source, tw_real *result,
                        const void *user);
#line 1 "source"
)";

/* struct Tiles is struct tw_pairs_tiles. */
const char after[] = R"(
#line 1 "tilework"
constexpr int TW_BLOCK = 256, TW_LANES = 32, TW_WARPS = TW_BLOCK / TW_LANES, TW_PER_LANE = 2,
              TW_TARGETS = TW_LANES * TW_PER_LANE;
__device__ constexpr int tw_alignment(int bytes) { return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4; }
template <int N> struct alignas(tw_alignment(N * (int)sizeof(tw_real))) tw_columns { tw_real v[N]; };
struct tw_tiles {
    const tw_real *target, *source;
    tw_real *result;
    tw_index first_target, first_source;
    int nt, ns, ld_target, ld_source, ld_result, first;
};
struct alignas(16) tw_parameters { unsigned char bytes[TW_USER]; };

extern "C" __global__ void __launch_bounds__(TW_BLOCK) tw_pairs(const __grid_constant__ tw_tiles a,
                                                                const __grid_constant__ tw_parameters user)
{
    __shared__ tw_columns<TW_SOURCE> tile[TW_BLOCK];
    __shared__ tw_real part[TW_WARPS][TW_TARGETS];
    const int lane = threadIdx.x % TW_LANES, warp = threadIdx.x / TW_LANES, base = blockIdx.x * TW_TARGETS;
    tw_columns<TW_TARGET> target[TW_PER_LANE];
    tw_columns<TW_RESULT> sum[TW_PER_LANE] = {};
    tw_index row[TW_PER_LANE];

#pragma unroll
    for (int r = 0; r < TW_PER_LANE; r++) {
        const int i = base + r * TW_LANES + lane, from = i < a.nt ? i : a.nt - 1; /* what is beyond is never stored */
        row[r] = a.first_target + from;
#pragma unroll
        for (int c = 0; c < TW_TARGET; c++)
            target[r].v[c] = a.target[from + (tw_index)c * a.ld_target];
    }
    for (int j0 = 0; j0 < a.ns; j0 += TW_BLOCK) {
        const int j = j0 + threadIdx.x, mine = j0 + warp * TW_LANES,
                  count = a.ns - mine < TW_LANES ? a.ns - mine : TW_LANES;
        __syncthreads();
#pragma unroll
        for (int c = 0; c < TW_SOURCE; c++)
            if (j < a.ns) tile[threadIdx.x].v[c] = a.source[j + (tw_index)c * a.ld_source];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < count; k++) {
            const tw_columns<TW_SOURCE> source = tile[warp * TW_LANES + k];
#pragma unroll
            for (int r = 0; r < TW_PER_LANE; r++)
                tw_pair(row[r], target[r].v, a.first_source + mine + k, source.v, sum[r].v, &user);
        }
    }
#pragma unroll
    for (int c = 0; c < TW_RESULT; c++) {
        __syncthreads();
#pragma unroll
        for (int r = 0; r < TW_PER_LANE; r++)
            part[warp][r * TW_LANES + lane] = sum[r].v[c];
        __syncthreads();
        const int i = base + threadIdx.x;
        if (threadIdx.x < TW_TARGETS && i < a.nt) {
            tw_real *to = a.result + i + (tw_index)c * a.ld_result, value = 0;
            for (int w = 0; w < TW_WARPS; w++)
                value += part[w][threadIdx.x];
            *to = a.first ? value : *to + value;
        }
    }
}
)";

/* NVRTC's interface as far as it is used: nothing of it has to be there when this is compiled. */
typedef void *Program;
enum { SUCCESS = 0, OUT_OF_MEMORY = 1, DOES_NOT_COMPILE = 6 };
struct Nvrtc {
    void *library;
    int (*create)(Program *, const char *source, const char *name, int, const char *const *, const char *const *);
    int (*destroy)(Program *);
    int (*compile)(Program, int count, const char *const *options);
    int (*log_size)(Program, size_t *);
    int (*log)(Program, char *);
    int (*cubin_size)(Program, size_t *);
    int (*cubin)(Program, char *);
    int (*ptx_size)(Program, size_t *);
    int (*ptx)(Program, char *);
    int (*count_archs)(int *);
    int (*archs)(int *);
    const char *(*text)(int);
};

template <typename F> bool symbol(void *library, const char *name, F *f)
{
    *f = reinterpret_cast<F>(dlsym(library, name));
    return *f != nullptr;
}

bool symbols(Nvrtc *n)
{
    void *l = n->library;
    return symbol(l, "nvrtcCreateProgram", &n->create) && symbol(l, "nvrtcDestroyProgram", &n->destroy) &&
           symbol(l, "nvrtcCompileProgram", &n->compile) && symbol(l, "nvrtcGetProgramLogSize", &n->log_size) &&
           symbol(l, "nvrtcGetProgramLog", &n->log) && symbol(l, "nvrtcGetCUBINSize", &n->cubin_size) &&
           symbol(l, "nvrtcGetCUBIN", &n->cubin) && symbol(l, "nvrtcGetPTXSize", &n->ptx_size) &&
           symbol(l, "nvrtcGetPTX", &n->ptx) && symbol(l, "nvrtcGetNumSupportedArchs", &n->count_archs) &&
           symbol(l, "nvrtcGetSupportedArchs", &n->archs) && symbol(l, "nvrtcGetErrorString", &n->text);
}

/* Opened anew for every source, and never closed: the loader counts. */
bool opens(Nvrtc *n, const char *name)
{
    n->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return n->library && symbols(n);
}

/* In the folder that a variable names, if it is set. */
bool opens_in(Nvrtc *n, const char *folder, const char *name)
{
    char path[4096];
    return folder && *folder && (size_t)snprintf(path, sizeof path, "%s/lib64/%s", folder, name) < sizeof path &&
           opens(n, path);
}

/* $TILEWORK_NVRTC alone, if it is set; else by the loader's path or in the toolkit's folder, the version this was built
 * for first. */
int open_nvrtc(Nvrtc *n)
{
    const char *asked = tw_variable_text(TW_TILEWORK_NVRTC);
    char own[32];

    if (asked) {
        if (opens(n, asked)) return 0;
        return tw_fail(TW_E_UNSUPPORTED, "CUDA source needs NVRTC, and TILEWORK_NVRTC=%s is not it", asked);
    }
    snprintf(own, sizeof own, "libnvrtc.so.%d", CUDART_VERSION / 1000);
    for (const char *name : {(const char *)own, "libnvrtc.so"})
        if (opens(n, name) || opens_in(n, getenv("CUDA_HOME"), name) || opens_in(n, getenv("CUDA_PATH"), name) ||
            opens_in(n, "/usr/local/cuda", name))
            return 0;
    return tw_fail(
        TW_E_UNSUPPORTED,
        "CUDA source needs NVRTC, which is not there (%s): install the CUDA toolkit's libnvrtc, or say where it "
        "is by TILEWORK_NVRTC",
        own);
}

/* The best kind of GPU up to arch that this NVRTC knows. */
int known(const Nvrtc &n, int arch)
{
    int count = 0, best = 0, *list = nullptr;

    if (n.count_archs(&count) == SUCCESS && count > 0) list = (int *)malloc((size_t)count * sizeof *list);
    if (list && n.archs(list) == SUCCESS)
        for (int k = 0; k < count; k++)
            if (list[k] <= arch && list[k] > best) best = list[k];
    free(list);
    return best;
}

/* After a failure; program: may be none. */
int failed(const Nvrtc &n, Program program, int e)
{
    size_t bytes = 0;
    char *log = nullptr;
    int status;

    if (program && n.log_size(program, &bytes) == SUCCESS && bytes > 0) log = (char *)malloc(bytes);
    if (log && n.log(program, log) != SUCCESS) *log = 0;
    if (e == DOES_NOT_COMPILE)
        status = tw_fail(TW_E_FORMAT, "the CUDA source does not compile:\n%s", log ? log : "");
    else
        status = tw_fail(e == OUT_OF_MEMORY ? TW_E_MEMORY : TW_E_DEVICE, "NVRTC: %s\n%s", n.text(e), log ? log : "");
    free(log);
    return status;
}

/* Machine code for GPUs that this NVRTC knows, else code that the GPU's driver compiles further. */
int compile(const Nvrtc &n, Program program, const struct tw_pairs_shape *s, int arch, char **image)
{
    const int best = known(n, arch);
    const bool machine = best == 0 || best == arch;
    char option[6][48];
    const char *list[] = {option[0], option[1], option[2],     option[3],
                          option[4], option[5], "--std=c++17", "--disable-warnings"};
    int e;
    size_t bytes = 0;

    snprintf(option[0], sizeof *option, "--gpu-architecture=%s_%d", machine ? "sm" : "compute", machine ? arch : best);
    snprintf(option[1], sizeof *option, "-Dtw_real=%s", s->type == TW_FLOAT ? "float" : "double");
    snprintf(option[2], sizeof *option, "-DTW_TARGET=%d", s->target);
    snprintf(option[3], sizeof *option, "-DTW_SOURCE=%d", s->source);
    snprintf(option[4], sizeof *option, "-DTW_RESULT=%d", s->result);
    snprintf(option[5], sizeof *option, "-DTW_USER=%zu", tw_pairs_parameters(s->user_bytes));
    e = n.compile(program, (int)(sizeof list / sizeof *list), list);
    if (e == SUCCESS) e = machine ? n.cubin_size(program, &bytes) : n.ptx_size(program, &bytes);
    if (e != SUCCESS) return failed(n, program, e);
    *image = (char *)malloc(bytes + 1);
    if (!*image) return tw_fail(TW_E_MEMORY, "no memory for a compiled kernel");
    e = machine ? n.cubin(program, *image) : n.ptx(program, *image);
    if (e == SUCCESS) return 0;
    free(*image);
    *image = nullptr;
    return failed(n, program, e);
}

} /* namespace */

extern "C" int tw_pairs_compile(const struct tw_pairs_shape *s, const char *source, int arch, char **image)
{
    const size_t bytes = sizeof before + strlen(source) + sizeof after;
    Program program = nullptr;
    int e;
    char *text;
    Nvrtc n;
    int status;

    *image = nullptr;
    if ((status = open_nvrtc(&n))) return status;
    if (!(text = (char *)malloc(bytes))) return tw_fail(TW_E_MEMORY, "no memory for a source");
    snprintf(text, bytes, "%s%s%s", before, source, after);
    e = n.create(&program, text, "tilework_pairs", 0, nullptr, nullptr);
    status = e == SUCCESS ? compile(n, program, s, arch, image) : failed(n, nullptr, e);
    if (program) (void)n.destroy(&program); /* nothing could be done about it */
    free(text);
    return status;
}
