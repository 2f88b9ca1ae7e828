/* cuFFT's plans: found among those that the codelets keep, or made. */
#include <cstdlib>
#include <cstring>
#include "kernels/fft/cuda/plans.cuh"
extern "C" {
#include "runtime/base/error.h"
}

/* A stream's plans beyond this number are destroyed, the one unused for longest first. */
#define PLANS_OF_A_STREAM 48

static const char *text_of(cufftResult e)
{
    switch (e) {
    case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED";
    case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE";
    case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
    case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
    default: return "an error of cuFFT";
    }
}

int tw_cufft_failed(const char *call, cufftResult e)
{
    if (e == CUFFT_SUCCESS) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s (%d)", call, text_of(e), (int)e);
    return 1;
}

int tw_cufft_no_room(void)
{
    tw_fail(TW_E_INTERNAL, "a task of the FFT has too small a workspace, or operands of another shape than planned");
    return 1;
}

int tw_cufft_key(struct tw_cufft_key *k, const struct tw_fft_gpu *q, cufftType type, int rank)
{
    cudaError_t e;

    memset(k, 0, sizeof *k);
    k->stream = q->stream;
    k->type = type;
    k->rank = rank;
    e = cudaGetDevice(&k->device);
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "cudaGetDevice: %s", cudaGetErrorString(e));
    return 1;
}

static struct tw_cufft *find(struct tw_fft_cache *cache, const struct tw_cufft_key *key)
{
    struct tw_cufft *p;

    pthread_mutex_lock(&cache->lock);
    for (p = cache->plans; p && memcmp(&p->key, key, sizeof *key) != 0;)
        p = p->next;
    if (p) p->used = ++cache->uses;
    pthread_mutex_unlock(&cache->lock);
    return p;
}

/* Takes the stream's oldest plan out of the list if it has too many; only the stream's worker, which is here, uses its
 * plans. */
static struct tw_cufft *one_too_many(struct tw_fft_cache *cache, const struct tw_cufft_key *key)
{
    struct tw_cufft **oldest = NULL, *p = NULL;
    int count = 0;

    pthread_mutex_lock(&cache->lock);
    for (struct tw_cufft **at = &cache->plans; *at; at = &(*at)->next) {
        if ((*at)->key.stream != key->stream || (*at)->key.device != key->device) continue;
        count++;
        if (!oldest || (*at)->used < (*oldest)->used) oldest = at;
    }
    if (count >= PLANS_OF_A_STREAM) {
        p = *oldest;
        *oldest = p->next;
    }
    pthread_mutex_unlock(&cache->lock);
    return p;
}

static int make_room(struct tw_fft_cache *cache, const struct tw_cufft_key *key)
{
    struct tw_cufft *p = one_too_many(cache, key);
    cudaError_t e = cudaSuccess;

    if (!p) return 0;
    e = cudaStreamSynchronize((cudaStream_t)key->stream); /* its last kernels may still run */
    if (e != cudaSuccess) tw_fail(TW_E_DEVICE, "cudaStreamSynchronize: %s", cudaGetErrorString(e));
    (void)cufftDestroy(p->handle); /* what it held is lost to us alone */
    free(p);
    return e != cudaSuccess;
}

static int make(struct tw_fft_cache *cache, const struct tw_cufft_key *key, struct tw_cufft **out)
{
    struct tw_cufft_key k = *key;
    struct tw_cufft *p;

    if (make_room(cache, key)) return 1;
    p = (struct tw_cufft *)calloc(1, sizeof *p);
    if (!p) {
        tw_fail(TW_E_MEMORY, "no memory for a plan of cuFFT");
        return 1;
    }
    p->key = *key;
    if (tw_cufft_failed("cufftCreate", cufftCreate(&p->handle))) {
        free(p);
        return 1;
    }
    if (tw_cufft_failed("cufftSetAutoAllocation", cufftSetAutoAllocation(p->handle, 0)) ||
        tw_cufft_failed("cufftMakePlanMany64",
                        cufftMakePlanMany64(p->handle, k.rank, k.n, k.inembed, k.istride, k.idist, k.onembed, k.ostride,
                                            k.odist, k.type, k.batch, &p->work)) ||
        tw_cufft_failed("cufftSetStream", cufftSetStream(p->handle, (cudaStream_t)key->stream))) {
        (void)cufftDestroy(p->handle); /* the error above is the one to report */
        free(p);
        return 1;
    }
    /* An execution fails if the area that it is given begins where an operand does, even if it needs none. */
    if (p->work == 0) p->work = 512;
    pthread_mutex_lock(&cache->lock);
    p->used = ++cache->uses;
    p->next = cache->plans;
    cache->plans = p;
    pthread_mutex_unlock(&cache->lock);
    *out = p;
    return 0;
}

int tw_cufft_get(const struct tw_fft_gpu *q, const struct tw_cufft_key *key, struct tw_cufft **plan)
{
    *plan = find(q->cache, key);
    return *plan ? 0 : make(q->cache, key, plan);
}

static cufftResult execute(const struct tw_cufft *p, int sign, void *in, void *out)
{
    int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;

    switch (p->key.type) {
    case CUFFT_C2C: return cufftExecC2C(p->handle, (cufftComplex *)in, (cufftComplex *)out, direction);
    case CUFFT_Z2Z: return cufftExecZ2Z(p->handle, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, direction);
    case CUFFT_R2C: return cufftExecR2C(p->handle, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_D2Z: return cufftExecD2Z(p->handle, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    case CUFFT_C2R: return cufftExecC2R(p->handle, (cufftComplex *)in, (cufftReal *)out);
    default: return cufftExecZ2D(p->handle, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    }
}

int tw_cufft_run(const struct tw_cufft *p, int sign, void *in, void *out, void *area)
{
    cufftResult e;

    if (tw_cufft_failed("cufftSetWorkArea", cufftSetWorkArea(p->handle, area))) return 1;
    e = execute(p, sign, in, out);
    if (e == CUFFT_SUCCESS) return 0;
    tw_fail(TW_E_DEVICE, "cufftExec: %s (%d; CUDA says %s; rank %d, n %lld, batch %lld, stride %lld)", text_of(e),
            (int)e, cudaGetErrorName(cudaGetLastError()), p->key.rank, p->key.n[0], p->key.batch, p->key.istride);
    return 1;
}
