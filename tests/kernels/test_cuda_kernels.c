/* Every CUDA kernel against the CPU kernel of the same name: four types, all letters, odd sizes, padding, the bits
 * outside the result, infos, NaN, and that a call only enqueues. Skipped where there is no GPU. */
#include "kernels/tiles.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"

static const int orders[] = {0, 1, 2, 7, 64, 65, 200, 530}; /* 530: beyond where trsm recurses */
#define NORDERS ((int)(sizeof orders / sizeof orders[0]))
static const tw_scalar one = {1, 0}, zero = {0, 0};

/* ---- BLAS -------------------------------------------------------------------------------------------------------- */

static void gemm(void **state)
{
    (void)state;
    static const tw_scalar alphas[] = {{1, 0}, {-1, 0}, {0.7, -0.4}, {1, 0}},
                           betas[] = {{1, 0}, {1, 0}, {-1.3, 0.2}, {0, 0}};
    FOR_TYPES(t)
        for (int x = 0; x < 9; x++)
            for (int s = 0; s < NORDERS; s++) {
                char ta = "NTC"[x / 3], tb = "NTC"[x % 3];
                int m = orders[s], n = orders[(s + x) % NORDERS], k = orders[1 + (s * 3 + x) % 6], f = (x + s) % 4;
                struct tile a = tile_new(t, ta == 'N' ? m : k, ta == 'N' ? k : m, 3);
                struct tile b = tile_new(t, tb == 'N' ? k : n, tb == 'N' ? n : k, 1), c = tile_new(t, m, n, 2), g;
                randomise(&a, 'G'), randomise(&b, 'G');
                if (betas[f].re != 0) randomise(&c, 'G');
                keep(&c);
                void *da = to_gpu(&a), *db = to_gpu(&b), *dc = to_gpu(&c);
                KERNEL_OK(
                    tw_cuda_kernels[t]->gemm(&q, ta, tb, m, n, k, alphas[f], da, a.ld, db, b.ld, betas[f], dc, c.ld));
                g = from_gpu(&c, dc);
                tw_cpu_kernels[t]->gemm(ta, tb, m, n, k, alphas[f], a.p, a.ld, b.p, b.ld, betas[f], c.p, c.ld);
                same(&g, &c, 'G', k, "gemm");
                CUDA_OK(cudaFree(da));
                CUDA_OK(cudaFree(db));
                tile_free(&a), tile_free(&b);
            }
}

static void rank_k(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 8; x++)
            for (int s = 0; s < NORDERS; s++) {
                char uplo = "LU"[x & 1], trans = x & 2 ? (x & 4 ? 'C' : 'T') : 'N';
                int n = orders[s], k = orders[1 + (s * 3 + x) % 6], hermitian = x >> 2;
                struct tile a = tile_new(t, trans == 'N' ? n : k, trans == 'N' ? k : n, 3), c = tile_new(t, n, n, 2), g;
                tw_scalar alpha = {-1, 0}, beta = {s % 2 ? 1 : 0.5, hermitian ? 0 : 0.25};
                randomise(&a, 'G'), randomise(&c, uplo);
                keep(&c);
                void *da = to_gpu(&a), *dc = to_gpu(&c);
                if (hermitian)
                    KERNEL_OK(tw_cuda_kernels[t]->herk(&q, uplo, trans, n, k, alpha.re, da, a.ld, beta.re, dc, c.ld));
                else
                    KERNEL_OK(tw_cuda_kernels[t]->syrk(&q, uplo, trans, n, k, alpha, da, a.ld, beta, dc, c.ld));
                g = from_gpu(&c, dc);
                if (hermitian)
                    tw_cpu_kernels[t]->herk(uplo, trans, n, k, alpha.re, a.p, a.ld, beta.re, c.p, c.ld);
                else
                    tw_cpu_kernels[t]->syrk(uplo, trans, n, k, alpha, a.p, a.ld, beta, c.p, c.ld);
                for (int i = 0; i < n && hermitian; i++)
                    assert_true(__imag__ get(&g, i, i) == 0);
                same(&g, &c, uplo, k, hermitian ? "herk" : "syrk");
                CUDA_OK(cudaFree(da));
                tile_free(&a);
            }
}

static void triangular(int solve)
{
    static const int counts[] = {1, 2, 9, 33, 130, 300};
    FOR_TYPES(t)
        for (int x = 0; x < 24; x++)
            for (int s = 0; s < NORDERS; s++) {
                char side = "LR"[x & 1], uplo = "LU"[x >> 1 & 1], diag = "NU"[x >> 2 & 1], trans = "NTC"[x / 8];
                int order = orders[s], count = (x + s) % 11 == 10 ? 0 : counts[(x + s) % 6];
                int m = side == 'L' ? order : count, n = side == 'L' ? count : order;
                tw_scalar alpha = (x + s) % 5 == 4 ? zero : (x + s) % 3 ? one : (tw_scalar){-0.5, 0.75};
                struct tile a = tile_new(t, order, order, 3), b = tile_new(t, m, n, 2), g;
                random_triangle(&a, uplo, diag);
                if (alpha.re != 0) randomise(&b, 'G');
                keep(&b);
                void *da = to_gpu(&a), *db = to_gpu(&b), *copy = solve ? NULL : to_gpu(&b);
                if (solve)
                    KERNEL_OK(tw_cuda_kernels[t]->trsm(&q, side, uplo, trans, diag, m, n, alpha, da, a.ld, db, b.ld));
                else
                    KERNEL_OK(tw_cuda_kernels[t]->trmm_to(&q, side, uplo, trans, diag, m, n, alpha, da, a.ld, copy,
                                                          b.ld, db, b.ld));
                g = from_gpu(&b, db);
                if (solve)
                    tw_cpu_kernels[t]->trsm(side, uplo, trans, diag, m, n, alpha, a.p, a.ld, b.p, b.ld);
                else
                    tw_cpu_kernels[t]->trmm(side, uplo, trans, diag, m, n, alpha, a.p, a.ld, b.p, b.ld);
                same(&g, &b, 'G', order, solve ? "trsm" : "trmm");
                CUDA_OK(cudaFree(da));
                if (copy) CUDA_OK(cudaFree(copy));
                tile_free(&a);
            }
}

static void trsm(void **state)
{
    (void)state;
    triangular(1);
}

static void trmm(void **state)
{
    (void)state;
    triangular(0);
}

/* ---- LAPACK ------------------------------------------------------------------------------------------------------ */

static struct tile positive_definite(enum tw_type t, char uplo, int n)
{
    struct tile a = tile_new(t, n, n, 3);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (in_part(uplo, i, j)) put(&a, i, j, i == j ? 1 + n / 4.0 + uniform() : random_value(t));
    keep(&a);
    return a;
}

/* Factor on the GPU into *g; returns the info that began as `start`. The workspace is deliberately off alignment. */
static int64_t gpu_potrf(const struct tile *a, char uplo, int64_t start, int64_t offset, struct tile *g)
{
    const struct tw_cuda_kernels *k = tw_cuda_kernels[a->type];
    size_t bytes = 0;
    KERNEL_OK(k->potrf_work(&q, uplo, a->n, &bytes));
    void *d = to_gpu(a), *work = device_alloc(bytes + 16), *info = upload(&start, sizeof start);
    KERNEL_OK(k->potrf(&q, uplo, a->n, d, a->ld, (char *)work + 16, bytes, info, offset));
    download(&start, info, sizeof start);
    *g = from_gpu(a, d);
    CUDA_OK(cudaFree(work));
    CUDA_OK(cudaFree(info));
    return start;
}

static void potrf(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 0; s < NORDERS; s++) {
                int n = orders[s];
                char uplo = "LU"[u];
                struct tile a = positive_definite(t, uplo, n), g;
                assert_int_equal(gpu_potrf(&a, uplo, 0, 1000, &g), 0);
                assert_int_equal(tw_cpu_kernels[t]->potrf(uplo, n, a.p, a.ld), 0);
                same(&g, &a, uplo, n, "potrf");
            }
}

/* info - offset with the diagonal elements `bad` (1-based; 0: none) negative and `nan` NaN; `row` > 0: a NaN in its
 * first element. */
static int64_t broken(enum tw_type t, char uplo, int n, int bad, int nan, int row, int64_t start)
{
    const int64_t offset = (int64_t)1 << 33; /* infos are 64 bits wide */
    struct tile a = positive_definite(t, uplo, n), g;
    int64_t info;
    if (bad) put(&a, bad - 1, bad - 1, -1);
    if (nan) put(&a, nan - 1, nan - 1, NAN);
    if (row && uplo == 'L') put(&a, row - 1, 0, make(NAN, 0));
    if (row && uplo == 'U') put(&a, 0, row - 1, make(NAN, 0));
    keep(&a);
    info = gpu_potrf(&a, uplo, start ? start + offset : 0, offset, &g);
    untouched(&g, uplo);
    tile_free(&a), tile_free(&g);
    return info - offset;
}

static void potrf_info(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 1; s < NORDERS; s++) {
                int n = orders[s], middle = (n + 1) / 2;
                char uplo = "LU"[u];
                assert_int_equal(broken(t, uplo, n, 1, 0, 0, 0), 1);
                assert_int_equal(broken(t, uplo, n, middle, 0, 0, 0), middle);
                assert_int_equal(broken(t, uplo, n, n, 0, 0, 0), n);
                assert_int_equal(broken(t, uplo, n, 0, 1, 0, 0), 1);
                assert_int_equal(broken(t, uplo, n, 0, middle, 0, 0), middle);
                assert_int_equal(broken(t, uplo, n, 0, n, 0, 0), n);
                assert_int_equal(broken(t, uplo, n, 0, 0, n, 0), n);
                assert_int_equal(broken(t, uplo, n, n, 0, 0, n + 5), n); /* the smallest positive info stays */
                if (n < 3) continue;
                assert_int_equal(broken(t, uplo, n, n, 0, 0, n - 1), n - 1);
                assert_int_equal(broken(t, uplo, n, n, middle, 0, 0), middle);
                assert_int_equal(broken(t, uplo, n, middle, n, 0, 0), middle);
                assert_int_equal(broken(t, uplo, n, n, 0, middle, 0), middle);
            }
}

static void trtri(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 4; x++)
            for (int s = 0; s < NORDERS; s++) {
                int n = orders[s];
                char uplo = "LU"[x & 1], diag = "NU"[x >> 1];
                struct tile a = tile_new(t, n, n, 3), g;
                random_triangle(&a, uplo, diag);
                keep(&a);
                void *d = to_gpu(&a), *work = device_alloc((size_t)n * (size_t)n * tw_sizeof(t));
                KERNEL_OK(tw_cuda_kernels[t]->trtri(&q, uplo, diag, n, d, a.ld, work));
                g = from_gpu(&a, d);
                assert_int_equal(tw_cpu_kernels[t]->trtri(uplo, diag, n, a.p, a.ld), 0);
                same(&g, &a, diag == 'U' ? uplo + 32 : uplo, n, "trtri");
                CUDA_OK(cudaFree(work));
            }
}

static void lauum(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 0; s < NORDERS; s++) {
                int n = orders[s];
                char uplo = "LU"[u];
                struct tile a = tile_new(t, n, n, 3), g;
                random_triangle(&a, uplo, 'N');
                for (int i = 0; i < n; i++)
                    put(&a, i, i, __real__ get(&a, i, i));
                keep(&a);
                void *d = to_gpu(&a), *work = device_alloc(2 * (size_t)n * (size_t)n * tw_sizeof(t));
                KERNEL_OK(tw_cuda_kernels[t]->lauum(&q, uplo, n, d, a.ld, work));
                g = from_gpu(&a, d);
                tw_cpu_kernels[t]->lauum(uplo, n, a.p, a.ld);
                for (int i = 0; i < n; i++)
                    assert_true(__imag__ get(&g, i, i) == 0);
                same(&g, &a, uplo, n, "lauum");
                CUDA_OK(cudaFree(work));
            }
}

static void trdiag(void **state)
{
    (void)state;
    static const int64_t starts[] = {0, 1, 1000000, -7};
    FOR_TYPES(t)
        for (int s = 0; s < NORDERS; s++)
            for (int x = 0; x < 12; x++) {
                int n = orders[s], zeros = x % 3;
                int64_t info = starts[x / 3], offset = 100, want = starts[x / 3], k;
                struct tile a = tile_new(t, n, n, 3);
                random_triangle(&a, 'L', 'N');
                if (n > 0 && zeros > 0) put(&a, n - 1, n - 1, tw_is_complex(t) ? make(0, 0) : 0);
                if (n > 1 && zeros > 1) put(&a, n / 2, n / 2, 0);
                if (n > 2 && tw_is_complex(t)) put(&a, 0, 0, make(0, 1)); /* not zero */
                k = n == 0 || zeros == 0 ? 0 : zeros > 1 ? n / 2 + 1 : n;
                if (k && (want == 0 || want > offset + k)) want = offset + k;
                void *d = to_gpu(&a), *di = upload(&info, sizeof info);
                KERNEL_OK(tw_cuda_kernels[t]->trdiag(&q, n, d, a.ld, di, offset));
                download(&info, di, sizeof info);
                assert_int_equal(info, want);
                CUDA_OK(cudaFree(d));
                CUDA_OK(cudaFree(di));
                tile_free(&a);
            }
}

/* ---- copies and sets: bit for bit -------------------------------------------------------------------------------- */

static void copy_and_set(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NORDERS * NORDERS; s++) {
                int m = orders[s / NORDERS], n = orders[s % NORDERS];
                char uplo = "GLU"[x];
                tw_scalar off = {0.25, -3}, on = {2, 0.5};
                struct tile a = tile_new(t, m, n, 3), b = tile_new(t, m, n, 1), g;
                randomise(&a, 'G');
                memset(b.p, 0x55, tile_bytes(&b));
                keep(&b);
                void *da = to_gpu(&a), *db = to_gpu(&b);
                KERNEL_OK(tw_cuda_kernels[t]->lacpy(&q, uplo, m, n, da, a.ld, db, b.ld));
                g = from_gpu(&b, db);
                tw_cpu_kernels[t]->lacpy(uplo, m, n, a.p, a.ld, b.p, b.ld);
                assert_memory_equal(g.p, b.p, tile_bytes(&b));
                tile_free(&g), tile_free(&b);
                KERNEL_OK(tw_cuda_kernels[t]->laset(&q, uplo, m, n, off, on, da, a.ld));
                g = from_gpu(&a, da);
                tw_cpu_kernels[t]->laset(uplo, m, n, off, on, a.p, a.ld);
                assert_memory_equal(g.p, a.p, tile_bytes(&a));
                tile_free(&g), tile_free(&a);
            }
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* max, root of the squares, row and column sums of one tile: values[0], [1], then m + n sums (one vector twice if
 * mirrored). */
static double *gpu_norms(const struct tile *a, struct shape h)
{
    const struct tw_cuda_kernels *k = tw_cuda_kernels[a->type];
    size_t count = 4 + (size_t)a->m + (size_t)a->n;
    double *v = calloc(count, sizeof *v);
    v[2] = 1; /* acc = v[1], v[2]; v[3] is a guard between nothing and the sums */
    double *d = upload(v, count * sizeof *v), *rows = d + 4, *cols = d + 4 + a->m;
    void *da = to_gpu(a);
    KERNEL_OK(k->normmax(&q, h.s, h.uplo, h.diag, a->m, a->n, da, a->ld, d));
    KERNEL_OK(k->normfro(&q, h.s, h.uplo, h.diag, a->m, a->n, da, a->ld, 2, d + 1));
    if (mirrored(h)) {
        KERNEL_OK(k->normsum(&q, h.s, h.uplo, h.diag, a->m, a->n, da, a->ld, rows, rows));
        KERNEL_OK(k->normsum(&q, h.s, h.uplo, h.diag, a->m, a->n, da, a->ld, NULL, cols));
    } else {
        KERNEL_OK(k->normsum(&q, h.s, h.uplo, h.diag, a->m, a->n, da, a->ld, rows, cols));
    }
    download(v, d, count * sizeof *v);
    CUDA_OK(cudaFree(d));
    CUDA_OK(cudaFree(da));
    return v;
}

static double *cpu_norms(const struct tile *a, struct shape h)
{
    const struct tw_cpu_kernels *k = tw_cpu_kernels[a->type];
    double *v = calloc(4 + (size_t)a->m + (size_t)a->n, sizeof *v), *rows = v + 4, *cols = v + 4 + a->m;
    v[2] = 1;
    k->normmax(h.s, h.uplo, h.diag, a->m, a->n, a->p, a->ld, v);
    k->normfro(h.s, h.uplo, h.diag, a->m, a->n, a->p, a->ld, 2, v + 1);
    if (mirrored(h)) {
        k->normsum(h.s, h.uplo, h.diag, a->m, a->n, a->p, a->ld, rows, rows);
        k->normsum(h.s, h.uplo, h.diag, a->m, a->n, a->p, a->ld, NULL, cols);
    } else {
        k->normsum(h.s, h.uplo, h.diag, a->m, a->n, a->p, a->ld, rows, cols);
    }
    return v;
}

static void near(double got, double want)
{
    int both_nan = isnan(got) && isnan(want);
    if (!(both_nan || got == want || fabs(got - want) <= 1e-13 * fabs(want)))
        fail_msg("%.17g on the GPU is not %.17g", got, want);
}

static void compare_norms(const struct tile *a, struct shape h)
{
    double *g = gpu_norms(a, h), *again = gpu_norms(a, h), *c = cpu_norms(a, h);
    size_t count = 4 + (size_t)a->m + (size_t)a->n;
    assert_memory_equal(g, again, count * sizeof *g); /* the same bits in every run */
    near(g[0], c[0]);
    near(g[1] * sqrt(g[2]), c[1] * sqrt(c[2]));
    for (size_t p = 3; p < count; p++)
        near(g[p], c[p]);
    free(g), free(again), free(c);
}

static void norms(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NSHAPES; x++)
            for (int s = 0; s < NORDERS * 3; s++) {
                int m = orders[s % NORDERS],
                    n = s < NORDERS || mirrored(shapes[x]) ? m : orders[(s + 1 + s / NORDERS) % NORDERS];
                struct tile a = norm_tile(t, shapes[x], m, n);
                compare_norms(&a, shapes[x]);
                tile_free(&a);
            }
}

static void norms_of_special_values(void **state)
{
    (void)state;
    static const double values[] = {INFINITY, NAN, 1e300, 1e-300, 1e-310, 1e160, 1e-160};
    FOR_TYPES(t)
        for (int v = 0; v < (tw_is_single(t) ? 2 : 7); v++)
            for (int part = 0; part < (tw_is_complex(t) ? 2 : 1); part++)
                for (int place = 0; place < 3; place++) {
                    struct tile a = tile_new(t, 70, 70, 0);
                    if (place == 2)
                        for (int k = 0; k < 70 * 70; k++)
                            put(&a, k % 70, k / 70, 0);
                    else
                        randomise(&a, 'G');
                    put(&a, place ? 69 : 0, place ? 69 : 33, part ? make(1, -values[v]) : make(-values[v], 0));
                    compare_norms(&a, shapes[0]);
                    tile_free(&a);
                }
}

/* ---- a call only enqueues ---------------------------------------------------------------------------------------- */

static void enqueues(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
        int n = 600;
        size_t square = (size_t)n * (size_t)n * tw_sizeof(t), bytes = 0;
        struct tile host = positive_definite(t, 'L', n);
        int64_t start = 0;
        void *a = to_gpu(&host), *b = device_alloc(square), *c = device_alloc(square),
             *info = upload(&start, sizeof start);
        double *v = device_alloc(2 * (size_t)n * sizeof(double));
        KERNEL_OK(k->potrf_work(&q, 'L', n, &bytes));
        bytes = bytes > 2 * square ? bytes : 2 * square;
        void *work = device_alloc(bytes);
        ENQUEUES(k->laset(&q, 'G', n, n, one, one, b, n));
        ENQUEUES(k->laset(&q, 'G', n, n, zero, one, c, n));
        ENQUEUES(k->potrf(&q, 'L', n, a, host.ld, work, bytes, info, 0));
        ENQUEUES(k->potrf(&q, 'U', n, c, n, work, bytes, info, 0));
        ENQUEUES(k->gemm(&q, 'N', 'C', n, n, n, one, b, n, b, n, one, c, n));
        ENQUEUES(k->syrk(&q, 'L', 'N', n, n, one, b, n, one, c, n));
        ENQUEUES(k->herk(&q, 'U', 'C', n, n, 1, b, n, 1, c, n));
        ENQUEUES(k->trsm(&q, 'R', 'L', 'C', 'N', n, n, one, a, host.ld, b, n));
        ENQUEUES(k->trsm(&q, 'L', 'L', 'N', 'N', n, n, one, a, host.ld, b, n));
        ENQUEUES(k->trmm_to(&q, 'L', 'L', 'C', 'N', n, n, one, a, host.ld, b, n, c, n));
        ENQUEUES(k->trdiag(&q, n, a, host.ld, info, 0));
        ENQUEUES(k->lacpy(&q, 'L', n, n, a, host.ld, b, n));
        ENQUEUES(k->normmax(&q, TW_STRUCT_GENERAL, 'G', 'N', n, n, b, n, v));
        ENQUEUES(k->normsum(&q, TW_STRUCT_SYMMETRIC, 'L', 'N', n, n, b, n, v, v));
        ENQUEUES(k->normfro(&q, TW_STRUCT_GENERAL, 'G', 'N', n, n, b, n, 1, v));
        ENQUEUES(k->trtri(&q, 'L', 'N', n, a, host.ld, work));
        ENQUEUES(k->lauum(&q, 'L', n, a, host.ld, work));
        CUDA_OK(cudaFree(a));
        CUDA_OK(cudaFree(b));
        CUDA_OK(cudaFree(c));
        CUDA_OK(cudaFree(info));
        CUDA_OK(cudaFree(v));
        CUDA_OK(cudaFree(work));
        tile_free(&host);
    }
}

/* An error comes back with the routine's name; a handle left in device pointer mode by somebody else is no error. */
static void statuses(void **state)
{
    (void)state;
    void *d = device_alloc(4096);
    int status = tw_cuda_kernels[TW_DOUBLE]->gemm(&q, 'N', 'N', 4, 4, 4, one, d, 1, d, 4, zero, d, 4); /* lda < m */
    assert_int_not_equal(status, 0);
    assert_non_null(strstr(tw_cuda_status_text(status), "cublasDgemm: CUBLAS_STATUS_INVALID_VALUE"));
    status = tw_cuda_kernels[TW_FLOAT]->potrf(&q, 'L', 4, d, 1, d, 4096, d, 0);
    assert_int_not_equal(status, 0);
    assert_non_null(strstr(tw_cuda_status_text(status), "cusolverDnSpotrf: CUSOLVER_STATUS_"));
    assert_int_equal(cublasSetPointerMode(q.blas, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
    KERNEL_OK(tw_cuda_kernels[TW_COMPLEX_DOUBLE]->trsm(&q, 'L', 'L', 'N', 'U', 4, 4, one, d, 4, (char *)d + 1024, 4));
    CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    CUDA_OK(cudaFree(d));
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),         cmocka_unit_test(rank_k),   cmocka_unit_test(trsm),
        cmocka_unit_test(trmm),         cmocka_unit_test(potrf),    cmocka_unit_test(potrf_info),
        cmocka_unit_test(trtri),        cmocka_unit_test(lauum),    cmocka_unit_test(trdiag),
        cmocka_unit_test(copy_and_set), cmocka_unit_test(norms),    cmocka_unit_test(norms_of_special_values),
        cmocka_unit_test(enqueues),     cmocka_unit_test(statuses),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
