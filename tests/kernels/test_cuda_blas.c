/* symm, hemm, syr2k, her2k, geadd, the transposed copy and norms of columns on the GPU against the CPU kernels. Skipped where there is
 * no GPU. */
#include "kernels/tiles.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"

static const int orders[] = {0, 1, 2, 7, 33, 64, 65, 200};
#define NORDERS ((int)(sizeof orders / sizeof orders[0]))
/* A factor of 0: that operand is NaN, and not to be read. */
static const tw_scalar alphas[] = {{1, 0}, {-1, 0}, {0.7, -0.4}, {1, 0}, {0, 0}},
                       betas[] = {{1, 0}, {1, 0}, {-1.3, 0.2}, {0, 0}, {0.5, 0.25}};

static struct tile operand(enum tw_type t, int m, int n, int pad, char uplo, tw_scalar factor)
{
    struct tile a = tile_new(t, m, n, pad);
    if (factor.re != 0) randomise(&a, uplo);
    keep(&a);
    return a;
}

static void symm(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 8; x++)
            for (int s = 0; s < NORDERS * 5; s++) {
                char side = "LR"[x & 1], uplo = "LU"[x >> 1 & 1];
                int hermitian = x >> 2, f = s % 5, m = orders[s / 5], n = orders[(s + x) % NORDERS],
                    order = side == 'L' ? m : n;
                struct tile a = operand(t, order, order, 3, uplo, alphas[f]), b = operand(t, m, n, 1, 'G', alphas[f]);
                struct tile c = operand(t, m, n, 2, 'G', betas[f]), g;
                for (int i = 0; i < order && hermitian && tw_is_complex(t); i++)
                    put(&a, i, i, make(__real__ get(&a, i, i), 17)); /* not to be read */
                void *da = to_gpu(&a), *db = to_gpu(&b), *dc = to_gpu(&c);
                const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
                KERNEL_OK((hermitian ? k->hemm : k->symm)(&q, side, uplo, m, n, alphas[f], da, a.ld, db, b.ld, betas[f],
                                                          dc, c.ld));
                g = from_gpu(&c, dc);
                (hermitian ? tw_cpu_kernels[t]->hemm : tw_cpu_kernels[t]->symm)(side, uplo, m, n, alphas[f], a.p, a.ld,
                                                                                b.p, b.ld, betas[f], c.p, c.ld);
                same(&g, &c, 'G', order, hermitian ? "hemm" : "symm");
                CUDA_OK(cudaFree(da));
                CUDA_OK(cudaFree(db));
                tile_free(&a), tile_free(&b);
            }
}

static void rank_2k(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 8; x++)
            for (int s = 0; s < NORDERS * 5; s++) {
                char uplo = "LU"[x & 1], trans = x & 2 ? (x & 4 ? 'C' : 'T') : 'N';
                int hermitian = x >> 2, f = s % 5, n = orders[s / 5], k = orders[1 + (s + x) % 7];
                struct tile a = operand(t, trans == 'N' ? n : k, trans == 'N' ? k : n, 3, 'G', alphas[f]);
                struct tile b = operand(t, a.m, a.n, 1, 'G', alphas[f]), c = operand(t, n, n, 2, uplo, betas[f]), g;
                void *da = to_gpu(&a), *db = to_gpu(&b), *dc = to_gpu(&c);
                if (hermitian)
                    KERNEL_OK(tw_cuda_kernels[t]->her2k(&q, uplo, trans, n, k, alphas[f], da, a.ld, db, b.ld,
                                                        betas[f].re, dc, c.ld));
                else
                    KERNEL_OK(tw_cuda_kernels[t]->syr2k(&q, uplo, trans, n, k, alphas[f], da, a.ld, db, b.ld, betas[f],
                                                        dc, c.ld));
                g = from_gpu(&c, dc);
                if (hermitian)
                    tw_cpu_kernels[t]->her2k(uplo, trans, n, k, alphas[f], a.p, a.ld, b.p, b.ld, betas[f].re, c.p,
                                             c.ld);
                else
                    tw_cpu_kernels[t]->syr2k(uplo, trans, n, k, alphas[f], a.p, a.ld, b.p, b.ld, betas[f], c.p, c.ld);
                same(&g, &c, uplo, 2 * k, hermitian ? "her2k" : "syr2k");
                CUDA_OK(cudaFree(da));
                CUDA_OK(cudaFree(db));
                tile_free(&a), tile_free(&b);
            }
}

static void add(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NORDERS * 5; s++) {
                char trans = "NTC"[x];
                int f = s % 5, m = orders[s / 5], n = orders[(s + x) % NORDERS];
                struct tile a = operand(t, trans == 'N' ? m : n, trans == 'N' ? n : m, 3, 'G', alphas[f]);
                struct tile b = operand(t, m, n, 2, 'G', betas[f]), g;
                void *da = to_gpu(&a), *db = to_gpu(&b);
                KERNEL_OK(tw_cuda_kernels[t]->geadd(&q, trans, m, n, alphas[f], da, a.ld, betas[f], db, b.ld));
                g = from_gpu(&b, db);
                tw_cpu_kernels[t]->geadd(trans, m, n, alphas[f], a.p, a.ld, betas[f], b.p, b.ld);
                same(&g, &b, 'G', 1, "geadd");
                CUDA_OK(cudaFree(da));
                tile_free(&a);
            }
}

/* Bit for bit, infinities and all. */
static void transposed(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 2; x++)
            for (int s = 0; s < NORDERS * NORDERS; s++) {
                int m = orders[s / NORDERS], n = orders[s % NORDERS];
                struct tile a = tile_new(t, m, n, 3), b = tile_new(t, n, m, 1), g;
                randomise(&a, 'G');
                if (m > 0 && n > 0) put(&a, m - 1, n - 1, INFINITY);
                keep(&b);
                void *da = to_gpu(&a), *db = to_gpu(&b);
                KERNEL_OK(tw_cuda_kernels[t]->transpose(&q, "TC"[x], m, n, da, a.ld, db, b.ld));
                g = from_gpu(&b, db);
                tw_cpu_kernels[t]->transpose("TC"[x], m, n, a.p, a.ld, b.p, b.ld);
                assert_memory_equal(g.p, b.p, tile_bytes(&b));
                CUDA_OK(cudaFree(da));
                tile_free(&a), tile_free(&b), tile_free(&g);
            }
}

static void columns(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < NORDERS; s++) {
            int m = orders[s], n = 9;
            struct tile a = tile_new(t, m, n, 3);
            double cpu[27], gpu[27];
            randomise(&a, 'G');
            if (m > 1) put(&a, m / 2, 4, make(NAN, 0)), put(&a, 0, 6, 1e30);
            for (int j = 0; j < n; j++)
                cpu[j] = j == 5 ? 100 : 0, cpu[9 + 2 * j] = 1, cpu[10 + 2 * j] = 0;
            void *da = to_gpu(&a);
            double *d = upload(cpu, sizeof cpu);
            KERNEL_OK(tw_cuda_kernels[t]->colmax(&q, m, n, da, a.ld, d));
            KERNEL_OK(tw_cuda_kernels[t]->colfro(&q, m, n, da, a.ld, d + 9));
            download(gpu, d, sizeof gpu);
            tw_cpu_kernels[t]->colmax(m, n, a.p, a.ld, cpu);
            tw_cpu_kernels[t]->colfro(m, n, a.p, a.ld, cpu + 9);
            for (int j = 0; j < n; j++) {
                double g = gpu[9 + 2 * j] * sqrt(gpu[10 + 2 * j]), c = cpu[9 + 2 * j] * sqrt(cpu[10 + 2 * j]);
                if (m > 1 && j == 4) {
                    assert_true(isnan(gpu[j]) && isnan(g));
                    continue;
                }
                assert_true(fabs(gpu[j] - cpu[j]) <= 4 * DBL_EPSILON * cpu[j]);
                assert_true(fabs(g - c) <= 100 * DBL_EPSILON * c);
            }
            CUDA_OK(cudaFree(da));
            CUDA_OK(cudaFree(d));
            tile_free(&a);
        }
}

static void trmm_to(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 24; x++)
            for (int s = 0; s < NORDERS; s++) {
                char side = "LR"[x & 1], uplo = "LU"[x >> 1 & 1], trans = "NTC"[x / 8], diag = "NU"[x >> 2 & 1];
                int m = orders[s], n = orders[(s + x) % NORDERS], order = side == 'L' ? m : n, f = (x + s) % 5;
                struct tile a = tile_new(t, order, order, 3), b = operand(t, m, n, 2, 'G', alphas[f]),
                            c = tile_new(t, m, n, 1), g;
                random_triangle(&a, uplo, diag);
                keep(&c);
                void *da = to_gpu(&a), *db = to_gpu(&b), *dc = to_gpu(&c);
                KERNEL_OK(tw_cuda_kernels[t]->trmm_to(&q, side, uplo, trans, diag, m, n, alphas[f], da, a.ld, db, b.ld,
                                                      dc, c.ld));
                g = from_gpu(&c, dc);
                tw_cpu_kernels[t]->trmm_to(side, uplo, trans, diag, m, n, alphas[f], a.p, a.ld, b.p, b.ld, c.p, c.ld);
                same(&g, &c, 'G', order, "trmm_to");
                CUDA_OK(cudaFree(da));
                CUDA_OK(cudaFree(db));
                tile_free(&a), tile_free(&b);
            }
}

/* alpha = 0: A and B may hold anything. */
static void nothing_read(void **state)
{
    (void)state;
    const tw_scalar zero = {0, 0}, half = {0.5, 0};
    FOR_TYPES(t)
        for (int x = 0; x < 4; x++) {
            const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
            char uplo = x < 2 ? 'G' : 'L';
            int n = 70;
            struct tile a = tile_new(t, n, n, 1), c = tile_new(t, n, n, 2), g;
            if (x != 1) randomise(&c, uplo);
            keep(&c);
            void *da = to_gpu(&a), *dc = to_gpu(&c);
            if (x == 0) KERNEL_OK(k->gemm(&q, 'N', 'C', n, n, n, zero, da, a.ld, da, a.ld, half, dc, c.ld));
            if (x == 1) KERNEL_OK(k->trmm_to(&q, 'L', 'U', 'N', 'N', n, n, zero, da, a.ld, dc, c.ld, dc, c.ld));
            if (x == 2) KERNEL_OK(k->syrk(&q, 'L', 'N', n, n, zero, da, a.ld, half, dc, c.ld));
            if (x == 3) KERNEL_OK(k->herk(&q, 'L', 'N', n, n, 0, da, a.ld, 0.5, dc, c.ld));
            g = from_gpu(&c, dc);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) {
                    zz want = x == 1 ? 0 : get(&c, i, j) * 0.5;
                    if (x == 3 && i == j) want = __real__ want;
                    if (in_part(uplo, i, j)) assert_true(get(&g, i, j) == want);
                }
            CUDA_OK(cudaFree(da));
            tile_free(&a), tile_free(&c), tile_free(&g);
        }
}

static void scale(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NORDERS; s++) {
                int m = orders[s], n = orders[(s + x) % NORDERS], far = tw_is_single(t) ? 100 : 900;
                char uplo = "GLU"[x];
                struct tile a = tile_new(t, m, n, 2), g;
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        if (in_part(uplo, i, j)) put(&a, i, j, ldexp(1, -far) * random_value(t));
                keep(&a);
                void *d = to_gpu(&a);
                KERNEL_OK(tw_cuda_kernels[t]->lascl(&q, uplo, m, n, ldexp(1, -far), ldexp(1, far), d, a.ld));
                g = from_gpu(&a, d);
                tw_cpu_kernels[t]->lascl(uplo, m, n, ldexp(1, -far), ldexp(1, far), a.p, a.ld);
                assert_memory_equal(g.p, a.p, tile_bytes(&a)); /* powers of two */
                tile_free(&a), tile_free(&g);
            }
}

static void enqueues(void **state)
{
    (void)state;
    const tw_scalar one = {1, 0};
    FOR_TYPES(t) {
        const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
        int n = 600;
        size_t square = (size_t)n * (size_t)n * tw_sizeof(t);
        void *a = device_alloc(square), *b = device_alloc(square), *c = device_alloc(square);
        double *v = device_alloc(2 * (size_t)n * sizeof(double));
        ENQUEUES(k->symm(&q, 'L', 'U', n, n, one, a, n, b, n, one, c, n));
        ENQUEUES(k->hemm(&q, 'R', 'L', n, n, one, a, n, b, n, one, c, n));
        ENQUEUES(k->syr2k(&q, 'L', 'N', n, n, one, a, n, b, n, one, c, n));
        ENQUEUES(k->her2k(&q, 'U', 'C', n, n, one, a, n, b, n, 1, c, n));
        ENQUEUES(k->geadd(&q, 'C', n, n, one, a, n, one, c, n));
        ENQUEUES(k->transpose(&q, 'C', n, n, a, n, c, n));
        ENQUEUES(k->trmm_to(&q, 'L', 'L', 'C', 'N', n, n, one, a, n, b, n, c, n));
        ENQUEUES(k->lascl(&q, 'L', n, n, 3, 5, c, n));
        ENQUEUES(k->colmax(&q, n, n, a, n, v));
        ENQUEUES(k->colfro(&q, n, n, a, n, v));
        CUDA_OK(cudaFree(a));
        CUDA_OK(cudaFree(b));
        CUDA_OK(cudaFree(c));
        CUDA_OK(cudaFree(v));
    }
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symm),       cmocka_unit_test(rank_2k),      cmocka_unit_test(add),
        cmocka_unit_test(transposed), cmocka_unit_test(columns),      cmocka_unit_test(enqueues),
        cmocka_unit_test(trmm_to),    cmocka_unit_test(nothing_read), cmocka_unit_test(scale),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
