/* What the machine profile measures: one call of each kind of kernel on square operands. */
#include "kernels/dense/cpu/dense_cpu.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/warm.h"
#include "kernels/dense/cuda/dense_cuda.h"

static const tw_scalar one = {1, 0}, minus_one = {-1, 0};

static int on_cpu(enum tw_rate rate, enum tw_type type, int n, void *a, void *b, void *c)
{
    const struct tw_cpu_kernels *k = tw_cpu_kernels[type];
    switch (rate) {
    case TW_RATE_GEMM: k->gemm('N', 'C', n, n, n, minus_one, a, n, b, n, one, c, n); return 0;
    case TW_RATE_SYRK: k->herk('L', 'N', n, n, -1, a, n, 1, c, n); return 0;
    case TW_RATE_TRSM: k->trsm('R', 'L', 'C', 'N', n, n, one, a, n, b, n); return 0;
    case TW_RATE_TRMM: k->trmm('L', 'L', 'C', 'N', n, n, one, a, n, b, n); return 0;
    case TW_RATE_POTRF: return k->potrf('L', n, a, n);
    case TW_RATE_TRI: return k->trtri('L', 'N', n, a, n);
    case TW_RATE_MEMORY: k->lacpy('G', n, n, a, n, b, n); return 0;
    default: return 1;
    }
}

static int on_cuda(const struct tw_cuda *q, enum tw_rate rate, enum tw_type type, int n, void *a, void *b, void *c,
                   void *work, size_t work_bytes)
{
    const struct tw_cuda_kernels *k = tw_cuda_kernels[type];
    size_t need = 0;
    switch (rate) {
    case TW_RATE_GEMM: return k->gemm(q, 'N', 'C', n, n, n, minus_one, a, n, b, n, one, c, n);
    case TW_RATE_SYRK: return k->herk(q, 'L', 'N', n, n, -1, a, n, 1, c, n);
    case TW_RATE_TRSM: return k->trsm(q, 'R', 'L', 'C', 'N', n, n, one, a, n, b, n);
    case TW_RATE_TRMM: return k->trmm_to(q, 'L', 'L', 'C', 'N', n, n, one, a, n, b, n, c, n);
    case TW_RATE_POTRF: /* c serves as the info */
        if (k->potrf_work(q, 'L', n, &need) != 0 || need > work_bytes) return 1;
        return k->potrf(q, 'L', n, a, n, work, work_bytes, (int64_t *)c, 0);
    case TW_RATE_TRI: return k->trtri(q, 'L', 'N', n, a, n, work);
    case TW_RATE_MEMORY: return k->lacpy(q, 'G', n, n, a, n, b, n);
    default: return 1;
    }
}

static int run(const struct tw_cuda *cuda, enum tw_rate rate, enum tw_type type, int n, void *a, void *b, void *c,
               void *work, size_t work_bytes)
{
    return cuda ? on_cuda(cuda, rate, type, n, a, b, c, work, work_bytes) : on_cpu(rate, type, n, a, b, c);
}

/* Not static: the static library is linked with -u of this name, else nothing would pull this file in. */
void tw_probe_register(void);
__attribute__((constructor)) void tw_probe_register(void)
{
    tw_profile_register_probe(run);
    tw_warm_list_register();
    tw_cuda_register_status_text(tw_cuda_status_text);
}
