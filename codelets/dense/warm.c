/* The CUDA kernels that the dense routines use, called once so that CUDA loads them: cuBLAS and cuSOLVER pick kernels
 * by order, so most are called with several. A new codelet adds a function and a line to the table. */
#include "codelets/dense/dense_bodies.h"
#include "runtime/machine/warm.h"

#define LARGEST 2048 /* tiles above use the same kernels */
#define SMALL   256  /* what a further stream of a GPU is given, for what belongs to its handles */

/* Square operands of leading dimension n and their workspace; a is the identity whenever a factor or a triangle is
 * wanted. */
struct operands {
    const struct tw_cuda_kernels *k;
    const struct tw_cuda *q;
    enum tw_type type;
    int n;
    void *a, *b, *c, *work;
    size_t work_bytes;
    int64_t *info;
};
static const tw_scalar one = {1, 0}, zero = {0, 0}, minus_one = {-1, 0};

static int identity(const struct operands *o, void *x)
{
    return o->k->laset(o->q, 'G', o->n, o->n, zero, one, x, o->n);
}

static int gemm(const struct operands *o)
{
    char h = tw_real_trans(o->type, 'C');
    int n = o->n, e = o->k->gemm(o->q, 'N', h, n, n, n, minus_one, o->a, n, o->b, n, one, o->c, n);
    if (!e) e = o->k->gemm(o->q, h, 'N', n, n, n, minus_one, o->a, n, o->b, n, one, o->c, n);
    return e ? e : o->k->gemm(o->q, 'N', 'N', n, n, n, minus_one, o->a, n, o->b, n, one, o->c, n);
}
/* What single precision's products are made of, which loads other kernels. */
static int products(const struct operands *o)
{
    const int single = o->type == TW_FLOAT;
    if (!single || tw_gemm_split_elements(o->n, o->n, o->n) * tw_sizeof(o->type) > o->work_bytes) return 0;
    return o->k->gemm_split(o->q, 'N', 'N', o->n, o->n, o->n, minus_one, o->a, o->n, o->b, o->n, one, o->c, o->n,
                            o->work);
}
static int herk(const struct operands *o)
{
    int n = o->n, e = o->k->herk(o->q, 'L', 'N', n, n, -1, o->a, n, 1, o->c, n);
    return e ? e : o->k->herk(o->q, 'U', tw_real_trans(o->type, 'C'), n, n, -1, o->a, n, 1, o->c, n);
}
static int trsm(const struct operands *o)
{
    char h = tw_real_trans(o->type, 'C');
    int n = o->n, e = o->k->trsm(o->q, 'R', 'L', h, 'N', n, n, one, o->a, n, o->b, n);
    if (!e) e = o->k->trsm(o->q, 'L', 'U', h, 'N', n, n, one, o->a, n, o->b, n);
    if (!e) e = o->k->trsm(o->q, 'L', 'L', 'N', 'U', n, n, one, o->a, n, o->b, n);
    return e ? e : o->k->trsm(o->q, 'L', 'L', 'N', 'N', n, n, one, o->a, n, o->b, n);
}
static int trmm(const struct operands *o)
{
    return o->k->trmm_to(o->q, 'L', 'L', tw_real_trans(o->type, 'C'), 'N', o->n, o->n, one, o->a, o->n, o->b, o->n,
                         o->c, o->n);
}
static int potrf(const struct operands *o)
{
    for (const char *uplo = "LU"; *uplo; uplo++) {
        size_t need = 0;
        int e = o->k->potrf_work(o->q, *uplo, o->n, &need);
        if (e) return e;
        if (need > o->work_bytes) continue; /* far more than any version asks for: the task's own call loads it */
        if ((e = o->k->potrf(o->q, *uplo, o->n, o->a, o->n, o->work, o->work_bytes, o->info, 0))) return e;
    }
    return 0;
}
/* a, the identity, is its own factor, and b gets its inverse. */
static int by_inverse(const struct operands *o)
{
    for (const char *uplo = "LU"; *uplo; uplo++) {
        size_t need = 0;
        int e = o->k->potrf_inverse_work(o->q, *uplo, o->n, &need);
        if (e) return e;
        if (need > o->work_bytes) continue;
        e = o->k->potrf_inverse(o->q, *uplo, o->n, o->a, o->n, o->b, o->n, o->work, o->work_bytes, o->info, 0);
        if (!e) e = o->k->trsm_inverse(o->q, *uplo, o->n, o->n, o->a, o->n, o->b, o->n, o->c, o->n, o->work);
        if (e) return e;
    }
    return 0;
}
static int inverses(const struct operands *o)
{
    int e = o->k->trtri(o->q, 'L', 'N', o->n, o->a, o->n, o->work);
    return e ? e : o->k->lauum(o->q, 'L', o->n, o->a, o->n, o->work);
}
/* Panels of LU and QR; the largest orders use the same kernels. */
static int panels(const struct operands *o)
{
    size_t lu = 0, qr = 0;
    int n = o->n, e = o->k->getrf_work(o->q, n, n, &lu);
    if (!e) e = o->k->geqrf_work(o->q, n, n, &qr);
    if (e || n > 1024) return e;
    if (lu <= o->work_bytes) e = o->k->getrf(o->q, n, n, o->a, n, o->c, o->work, o->work_bytes, o->info, 0);
    if (!e) e = identity(o, o->a);
    if (!e && qr <= o->work_bytes) e = o->k->geqrf(o->q, n, n, o->a, n, o->c, o->b, n, o->work, o->work_bytes);
    return e;
}
static int copies(const struct operands *o)
{
    int e = o->k->lacpy(o->q, 'L', o->n, o->n, o->a, o->n, o->b, o->n);
    return e ? e : o->k->trdiag(o->q, o->n, o->a, o->n, o->info, 0);
}

static int (*const kernels[])(const struct operands *) = {gemm,  products,   herk,     trsm,   trmm,
                                                          potrf, by_inverse, inverses, panels, copies};
static const int orders[] = {SMALL, 512, 1024, LARGEST};

/* a, b, c, then 2 n * n elements of workspace (and at least what a small potrf wants), then the info. */
static size_t square(enum tw_type type, int n)
{
    return (size_t)n * (size_t)n * tw_sizeof(type);
}
static size_t work_bytes(enum tw_type type, int n)
{
    return 2 * square(type, n) + ((size_t)4 << 20);
}
static size_t bytes(enum tw_type type, int full)
{
    int n = full ? LARGEST : SMALL;
    return 3 * square(type, n) + work_bytes(type, n) + 256;
}

static int run(const struct tw_cuda *cuda, enum tw_type type, int full, void *memory)
{
    int largest = full ? LARGEST : SMALL, e = 0;
    size_t s = square(type, largest);
    char *base = memory;
    struct operands o = {tw_cuda_kernels[type],     cuda, type, 0, base, base + s, base + 2 * s, base + 3 * s,
                         work_bytes(type, largest), NULL};

    o.info = (int64_t *)(base + 3 * s + o.work_bytes);
    for (size_t k = 0; k < sizeof orders / sizeof *orders && orders[k] <= largest && !e; k++) {
        o.n = orders[k];
        for (size_t f = 0; f < sizeof kernels / sizeof *kernels && !e; f++)
            if (!(e = identity(&o, o.a)) && !(e = identity(&o, o.b)) && !(e = identity(&o, o.c))) e = kernels[f](&o);
    }
    return e;
}

static const struct tw_warm_list warm_list = {bytes, run};

/* Called by codelets/dense/probe.c. */
void tw_warm_list_register(void)
{
    tw_warm_register(&warm_list);
}
