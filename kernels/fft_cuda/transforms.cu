/* Bodies: gather blocks into a contiguous buffer, cuFFT, scatter. Plans belong to a worker (its stream and device), are made outside of
 * tasks and live as long as the process; their work areas are parts of the tasks' workspace. */
#include <cufft.h>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include "kernels/fft_cuda/moves.cuh"
extern "C" {
#include "runtime/error.h"
#include "runtime/submit.h" /* struct tw_buffer */
}

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

static int failed(const char *call, cufftResult e)
{
    if (e == CUFFT_SUCCESS) return 0;
    tw_fail(TW_E_DEVICE, "%s: %s (%d)", call, text_of(e), (int)e);
    return 1;
}

/* ---- plans ------------------------------------------------------------------------------------------------------------ */

struct key {
    void *stream;
    int device, rank;
    cufftType type;
    long long n[3], inembed[3], istride, idist, onembed[3], ostride, odist, batch;
};
struct plan {
    struct key key;
    cufftHandle handle;
    size_t work;
    struct plan *next;
};
static struct plan *plans;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t aligned(size_t bytes)
{
    return (bytes + 511) & ~(size_t)511;
}

static int find(const struct key *key, struct plan **hit)
{
    pthread_mutex_lock(&lock);
    *hit = plans;
    while (*hit && memcmp(&(*hit)->key, key, sizeof *key) != 0)
        *hit = (*hit)->next;
    pthread_mutex_unlock(&lock);
    return *hit != NULL;
}

/* Runs on the worker whose device and stream the key names. */
static int make(const struct key *key, struct plan **out)
{
    struct key k = *key;
    struct plan *p;

    if (find(key, out)) return 0;
    p = (struct plan *)calloc(1, sizeof *p);
    if (!p) {
        tw_fail(TW_E_MEMORY, "no memory for a plan of cuFFT");
        return 1;
    }
    p->key = *key;
    if (failed("cufftCreate", cufftCreate(&p->handle))) {
        free(p);
        return 1;
    }
    if (failed("cufftSetAutoAllocation", cufftSetAutoAllocation(p->handle, 0)) ||
        failed("cufftMakePlanMany64", cufftMakePlanMany64(p->handle, k.rank, k.n, k.inembed, k.istride, k.idist,
                                                          k.onembed, k.ostride, k.odist, k.type, k.batch, &p->work)) ||
        failed("cufftSetStream", cufftSetStream(p->handle, (cudaStream_t)key->stream))) {
        (void)cufftDestroy(p->handle); /* the error above is the one to report */
        free(p);
        return 1;
    }
    pthread_mutex_lock(&lock);
    p->next = plans;
    plans = p;
    pthread_mutex_unlock(&lock);
    *out = p;
    return 0;
}

static int start_key(struct key *k, const struct tw_cuda *q, cufftType type, int rank)
{
    cudaError_t e;

    memset(k, 0, sizeof *k); /* compared as bytes */
    k->stream = q->stream;
    k->type = type;
    k->rank = rank;
    e = cudaGetDevice(&k->device);
    if (e == cudaSuccess) return 0;
    tw_fail(TW_E_DEVICE, "cudaGetDevice: %s", cudaGetErrorString(e));
    return 1;
}

static int run(const struct plan *p, int sign, void *in, void *out, void *area)
{
    int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;

    if (failed("cufftSetWorkArea", cufftSetWorkArea(p->handle, area))) return 1;
    switch (p->key.type) {
    case CUFFT_C2C:
        return failed("cufftExecC2C", cufftExecC2C(p->handle, (cufftComplex *)in, (cufftComplex *)out, direction));
    case CUFFT_Z2Z:
        return failed("cufftExecZ2Z",
                      cufftExecZ2Z(p->handle, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, direction));
    case CUFFT_R2C: return failed("cufftExecR2C", cufftExecR2C(p->handle, (cufftReal *)in, (cufftComplex *)out));
    case CUFFT_D2Z:
        return failed("cufftExecD2Z", cufftExecD2Z(p->handle, (cufftDoubleReal *)in, (cufftDoubleComplex *)out));
    case CUFFT_C2R: return failed("cufftExecC2R", cufftExecC2R(p->handle, (cufftComplex *)in, (cufftReal *)out));
    default: return failed("cufftExecZ2D", cufftExecZ2D(p->handle, (cufftDoubleComplex *)in, (cufftDoubleReal *)out));
    }
}

static int no_plan(void)
{
    tw_fail(TW_E_INTERNAL, "a task of the FFT found no plan of cuFFT, or too small a workspace, on its worker");
    return 1;
}

/* ---- columns ------------------------------------------------------------------------------------------------------------- */

static size_t complex_bytes(int single)
{
    return single ? sizeof(cufftComplex) : sizeof(cufftDoubleComplex);
}

static int columns_key(struct key *k, const struct tw_cuda *q, int single, tw_int n, tw_int w)
{
    if (start_key(k, q, single ? CUFFT_C2C : CUFFT_Z2Z, 1)) return 1;
    k->n[0] = k->inembed[0] = k->onembed[0] = n;
    k->istride = k->ostride = w;
    k->idist = k->odist = 1;
    k->batch = w;
    return 0;
}

int tw_fft_cuda_columns_plan(int single, tw_int n, tw_int w, size_t *bytes, const struct tw_cuda *q)
{
    struct key k;
    struct plan *p;

    if (columns_key(&k, q, single, n, w) || make(&k, &p)) return 1;
    *bytes = aligned((size_t)n * (size_t)w * complex_bytes(single)) + p->work;
    return 0;
}

int tw_fft_cuda_columns(const struct tw_cuda *q, const struct tw_fft_cuda_columns *c, void *work, size_t bytes)
{
    size_t size = complex_bytes(c->single), buffer = aligned((size_t)c->n * (size_t)c->w * size);
    struct key key;
    struct plan *p;
    int64_t row = 0;

    if (columns_key(&key, q, c->single, c->n, c->w)) return 1;
    if (!find(&key, &p) || bytes < buffer + p->work) return no_plan();
    for (int b = 0; b < c->nin; row += c->in[b++].n)
        if (tw_fft_cuda_copy(q, c->single, 2, c->in[b].n, c->w, c->in[b].ptr, c->in[b].ld,
                             (char *)work + size * (size_t)(row * c->w), c->w, 1))
            return 1;
    if (run(p, c->sign, work, work, (char *)work + buffer)) return 1;
    row = 0;
    for (int b = 0; b < c->nout; b++) {
        const struct tw_buffer *o = &c->out[b];
        int e = c->transposed
                    ? tw_fft_cuda_transpose(q, c->single, row, row + o->m, c->w, work, o->ptr, o->ld, c->sign, c->roots,
                                            c->first, c->scale)
                    : tw_fft_cuda_copy(q, c->single, 2, o->n, c->w, (char *)work + size * (size_t)(row * c->w), c->w,
                                       o->ptr, o->ld, c->scale);
        if (e) return 1;
        row += c->transposed ? o->m : o->n;
    }
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

static int rows_key(struct key *k, const struct tw_cuda *q, const struct tw_fft_cuda_rows *r)
{
    static const cufftType types[3][2] = {{CUFFT_Z2Z, CUFFT_C2C}, {CUFFT_D2Z, CUFFT_R2C}, {CUFFT_Z2D, CUFFT_C2R}};

    if (start_key(k, q, types[r->kind][r->single ? 1 : 0], r->rank)) return 1;
    for (int d = 0; d < r->rank; d++)
        k->n[d] = k->inembed[d] = k->onembed[d] = r->n[d];
    k->inembed[r->rank - 1] = r->pad_in; /* the first is not looked at, those between are without gaps */
    k->onembed[r->rank - 1] = r->pad_out;
    k->istride = k->ostride = 1;
    k->idist = r->m_in;
    k->odist = r->m_out;
    k->batch = r->rows;
    return 0;
}

/* cuFFT destroys the input of C2R; blocks side by side have to become rows. */
static size_t in_buffer(const struct tw_fft_cuda_rows *r)
{
    size_t size = complex_bytes(r->single) / (r->kind == TW_FFT_R2C ? 2 : 1);
    return r->nin > 1 || r->kind == TW_FFT_C2R ? aligned((size_t)r->rows * (size_t)r->m_in * size) : 0;
}
static size_t out_buffer(const struct tw_fft_cuda_rows *r)
{
    size_t size = complex_bytes(r->single) / (r->kind == TW_FFT_C2R ? 2 : 1);
    return r->nout > 1 ? aligned((size_t)r->rows * (size_t)r->m_out * size) : 0;
}

int tw_fft_cuda_rows_plan(const struct tw_fft_cuda_rows *r, size_t *bytes, const struct tw_cuda *q)
{
    struct key k;
    struct plan *p;

    if (rows_key(&k, q, r) || make(&k, &p)) return 1;
    *bytes = in_buffer(r) + out_buffer(r) + p->work;
    return 0;
}

int tw_fft_cuda_rows(const struct tw_cuda *q, const struct tw_fft_cuda_rows *r, void *work, size_t bytes)
{
    size_t si = complex_bytes(r->single) / (r->kind == TW_FFT_R2C ? 2 : 1),
           so = complex_bytes(r->single) / (r->kind == TW_FFT_C2R ? 2 : 1);
    size_t ib = in_buffer(r), ob = out_buffer(r);
    int ri = r->kind == TW_FFT_R2C ? 1 : 2, ro = r->kind == TW_FFT_C2R ? 1 : 2;
    char *in = ib ? (char *)work : (char *)r->in->ptr, *out = ob ? (char *)work + ib : (char *)r->out->ptr;
    struct key key;
    struct plan *p;
    int64_t column = 0;

    if (rows_key(&key, q, r)) return 1;
    /* StarPU allocates blocks on a GPU without gaps. */
    if (!find(&key, &p) || bytes < ib + ob + p->work || (!ib && r->in->ld != r->m_in) ||
        (!ob && r->out->ld != r->m_out))
        return no_plan();
    for (int b = 0; ib && b < r->nin; column += r->in[b++].m)
        if (tw_fft_cuda_copy(q, r->single, ri, r->rows, r->in[b].m, r->in[b].ptr, r->in[b].ld, in + si * (size_t)column,
                             r->m_in, 1))
            return 1;
    if (run(p, r->sign, in, out, (char *)work + ib + ob)) return 1;
    if (!ob)
        return r->scale == 1
                   ? 0
                   : tw_fft_cuda_copy(q, r->single, ro, r->rows, r->m_out, out, r->m_out, out, r->m_out, r->scale);
    column = 0;
    for (int b = 0; b < r->nout; column += r->out[b++].m)
        if (tw_fft_cuda_copy(q, r->single, ro, r->rows, r->out[b].m, out + so * (size_t)column, r->m_out, r->out[b].ptr,
                             r->out[b].ld, r->scale))
            return 1;
    return 0;
}
