/* getrf, getrf_nopiv, laswp on the GPU: residuals, the CPU's pivots where there are no ties, infos, zero columns, NaN,
 * bits around the block, and that a call only enqueues. Skipped where there is no GPU. */
#include "kernels/lu_cases.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"

#define MOST 80000 /* rows and pivots */
static int32_t ipiv[MOST], theirs[MOST];

static int smaller(const struct tile *a)
{
    return a->m < a->n ? a->m : a->n;
}

/* Factor a's copy *f on the GPU, pivots to ipiv; returns the info that began as 0. The workspace is off alignment. */
static int64_t gpu_getrf(const struct tile *a, struct tile *f)
{
    const struct tw_cuda_kernels *k = tw_cuda_kernels[a->type];
    int64_t info = 0;
    size_t bytes = 0;
    KERNEL_OK(k->getrf_work(&q, a->m, a->n, &bytes));
    memset(ipiv, 0xff, sizeof ipiv);
    void *d = to_gpu(a), *work = device_alloc(bytes + 16), *di = upload(&info, sizeof info),
         *dp = upload(ipiv, sizeof ipiv);
    KERNEL_OK(k->getrf(&q, a->m, a->n, d, a->ld, dp, (char *)work + 16, bytes, di, 0));
    download(&info, di, sizeof info);
    download(ipiv, dp, sizeof ipiv);
    *f = from_gpu(a, d);
    untouched(f, 'G');
    assert_int_equal(ipiv[smaller(a)], -1);
    CUDA_OK(cudaFree(work));
    CUDA_OK(cudaFree(di));
    CUDA_OK(cudaFree(dp));
    return info;
}

static void good(const struct tile *a, const struct tile *f, const int32_t *pivots)
{
    double r = lu_residual(a, f, pivots);
    if (!(r <= 3)) fail_msg("type %c, %d x %d: |PA - LU| is %g n eps |A|", tw_letter(a->type), a->m, a->n, r);
}

static void pivots_in_range(const struct tile *a)
{
    for (int i = 0; i < smaller(a); i++)
        assert_in_range(ipiv[i], i + 1, a->m);
}

static void one_random(struct tile a)
{
    struct tile f, g = tile_copy(&a);
    assert_int_equal(gpu_getrf(&a, &f), 0);
    pivots_in_range(&a);
    good(&a, &f, ipiv);
    if (!tw_is_single(a.type)) {
        assert_int_equal(tw_cpu_kernels[a.type]->getrf(a.m, a.n, g.p, g.ld, theirs), 0);
        assert_memory_equal(ipiv, theirs, (size_t)smaller(&a) * sizeof *ipiv);
    }
    tile_free(&a), tile_free(&f), tile_free(&g);
}

static void factor_random(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct tile large = tile_new(t, 1300, 140, 4);
        for (int x = 0; x < NLU; x++)
            one_random(lu_random(t, x));
        randomise(&large, 'G');
        keep(&large);
        one_random(large);
    }
}

/* Exact arithmetic, whichever of equal candidates is taken; how often it is LAPACK's is printed. */
static void ties(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        int equal = 0, all = 0;
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_dyadic(t, lu_shapes[x].m, lu_shapes[x].n, lu_shapes[x].pad), f, g = tile_copy(&a);
            assert_int_equal(gpu_getrf(&a, &f), 0);
            pivots_in_range(&a);
            assert_true(lu_residual(&a, &f, ipiv) == 0);
            assert_int_equal(tw_cpu_kernels[t]->getrf(a.m, a.n, g.p, g.ld, theirs), 0);
            equal += memcmp(ipiv, theirs, (size_t)smaller(&a) * sizeof *ipiv) == 0, all++;
            tile_free(&a), tile_free(&f), tile_free(&g);
        }
        print_message("type %c: pivots of %d of %d matrices with ties are LAPACK's\n", tw_letter(t), equal, all);
    }
}

static void zero_columns(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++)
            for (int w = 0; w < 4; w++) {
                struct tile a = lu_random(t, x), f;
                int k = smaller(&a), zero = w == 0 ? 0 : w == 1 ? k / 2 : k - 1;
                for (int i = 0; i < a.m && k > 0; i++) {
                    put(&a, i, zero, 0);
                    if (w == 3) put(&a, i, k / 3, 0);
                }
                keep(&a);
                assert_int_equal(gpu_getrf(&a, &f), k == 0 ? 0 : w == 3 ? k / 3 + 1 : zero + 1);
                pivots_in_range(&a);
                good(&a, &f, ipiv);
                tile_free(&a), tile_free(&f);
            }
}

static void not_a_number(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_random(t, x), f;
            if (smaller(&a) > 0) put(&a, a.m / 2, smaller(&a) / 2, make(NAN, 0));
            keep(&a);
            (void)gpu_getrf(&a, &f);
            pivots_in_range(&a);
            tile_free(&a), tile_free(&f);
        }
}

/* The smallest positive info stays; it is 64 bits wide. */
static int64_t gpu_nopiv(const struct tile *a, struct tile *f, int64_t info, int64_t offset)
{
    void *d = to_gpu(a), *di = upload(&info, sizeof info);
    KERNEL_OK(tw_cuda_kernels[a->type]->getrf_nopiv(&q, a->m, a->n, d, a->ld, di, offset));
    download(&info, di, sizeof info);
    *f = from_gpu(a, d);
    untouched(f, 'G');
    CUDA_OK(cudaFree(di));
    return info;
}

/* More rows than a block has, than all blocks have with narrow shares, one column, a last block of few rows. */
static void tall(void **state)
{
    static const struct {
        int m, n;
    } shapes[] = {{3000, 1}, {513, 40}, {1025, 33}, {20000, 70}, {70000, 20}};
    (void)state;
    FOR_TYPES(t)
        for (size_t x = 0; x < sizeof shapes / sizeof *shapes; x++) {
            struct tile a = tile_new(t, shapes[x].m, shapes[x].n, 1);
            randomise(&a, 'G');
            keep(&a);
            one_random(a);
        }
}

/* Multiplied by a power of two: the same pivots and L, U multiplied; at the lower end of the range nothing is promised
 * but an end. */
static void scales(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int w = -1; w <= 1; w += 2) {
            const int m = 900, n = 40;
            const double factor = ldexp(1, w * (tw_is_single(t) ? 100 : 1000));
            struct tile a = tile_new(t, m, n, 0), b, f, g;
            randomise(&a, 'G');
            keep(&a);
            b = tile_copy(&a);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    put(&b, i, j, factor * get(&a, i, j));
            keep(&b);
            assert_int_equal(gpu_getrf(&a, &f), 0);
            memcpy(theirs, ipiv, (size_t)n * sizeof *ipiv);
            assert_int_equal(gpu_getrf(&b, &g), 0);
            assert_memory_equal(ipiv, theirs, (size_t)n * sizeof *ipiv);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++) {
                    const zz x = get(&f, i, j), y = get(&g, i, j) / (i > j ? 1 : factor);
                    if (!(size_of(x - y) <= 1000 * eps_of(t)))
                        fail_msg("type %c, times 2^%d: element (%d, %d)", tw_letter(t), w * 1000, i, j);
                }
            tile_free(&f), tile_free(&g), tile_free(&b);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    put(&a, i, j, (tw_is_single(t) ? 4 * FLT_MIN : 4 * DBL_MIN) * get(&a, i, j));
            keep(&a);
            (void)gpu_getrf(&a, &f);
            pivots_in_range(&a);
            tile_free(&a), tile_free(&f);
        }
}

/* Panels whose blocks wait for each other, on three streams at once, with products beside them: all end, with the
 * results they have alone. */
static void side_by_side(void **state)
{
    enum { STREAMS = 3, TIMES = 20 };
    const enum tw_type t = TW_DOUBLE;
    const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
    const int m = 40000, n = 64;
    struct tw_cuda of[STREAMS];
    struct tile a = tile_new(t, m, n, 0), f, g;
    void *d[STREAMS], *work[STREAMS], *dp[STREAMS], *di[STREAMS], *product = device_alloc((size_t)n * n * 8);
    size_t bytes = 0;
    int64_t info = 0;
    (void)state;
    randomise(&a, 'G');
    keep(&a);
    (void)gpu_getrf(&a, &f);
    KERNEL_OK(k->getrf_work(&q, m, n, &bytes));
    for (int s = 0; s < STREAMS; s++) {
        CUDA_OK(cudaStreamCreateWithFlags((cudaStream_t *)&of[s].stream, cudaStreamNonBlocking));
        assert_int_equal(cublasCreate((cublasHandle_t *)&of[s].blas), CUBLAS_STATUS_SUCCESS);
        assert_int_equal(cublasSetStream(of[s].blas, of[s].stream), CUBLAS_STATUS_SUCCESS);
        assert_int_equal(cusolverDnCreate((cusolverDnHandle_t *)&of[s].solver), CUSOLVER_STATUS_SUCCESS);
        assert_int_equal(cusolverDnSetStream(of[s].solver, of[s].stream), CUSOLVER_STATUS_SUCCESS);
        d[s] = to_gpu(&a), work[s] = device_alloc(bytes), dp[s] = device_alloc((size_t)n * sizeof *ipiv),
        di[s] = upload(&info, sizeof info);
    }
    void *from = to_gpu(&a);
    for (int r = 0; r < TIMES; r++)
        for (int s = 0; s < STREAMS; s++) {
            KERNEL_OK(k->lacpy(&of[s], 'G', m, n, from, m, d[s], m));
            KERNEL_OK(k->getrf(&of[s], m, n, d[s], m, dp[s], work[s], bytes, di[s], 0));
            KERNEL_OK(
                k->gemm(&q, 'C', 'N', n, n, m, (tw_scalar){1, 0}, from, m, from, m, (tw_scalar){0, 0}, product, n));
        }
    for (int s = 0; s < STREAMS; s++) {
        CUDA_OK(cudaStreamSynchronize((cudaStream_t)of[s].stream));
        g = from_gpu(&a, d[s]);
        assert_memory_equal(f.p, g.p, tile_bytes(&f));
        tile_free(&g);
        CUDA_OK(cudaFree(work[s]));
        CUDA_OK(cudaFree(dp[s]));
        CUDA_OK(cudaFree(di[s]));
        assert_int_equal(cusolverDnDestroy(of[s].solver), CUSOLVER_STATUS_SUCCESS);
        assert_int_equal(cublasDestroy(of[s].blas), CUBLAS_STATUS_SUCCESS);
        CUDA_OK(cudaStreamDestroy((cudaStream_t)of[s].stream));
    }
    CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    CUDA_OK(cudaFree(from));
    CUDA_OK(cudaFree(product));
    tile_free(&a), tile_free(&f);
}

static void without_pivots(void **state)
{
    const int64_t far = (int64_t)1 << 33;
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_random(t, x), f;
            int k = smaller(&a);
            for (int i = 0; i < k; i++)
                put(&a, i, i, a.m + get(&a, i, i));
            keep(&a);
            assert_int_equal(gpu_nopiv(&a, &f, 0, far), 0);
            good(&a, &f, NULL);
            tile_free(&f);
            if (k > 0) {
                for (int i = 0; i < a.m; i++)
                    put(&a, i, k - 1, 0);
                keep(&a);
                assert_int_equal(gpu_nopiv(&a, &f, 0, far) - far, k);
                tile_free(&f);
                assert_int_equal(gpu_nopiv(&a, &f, far + k + 1, far) - far, k);
                tile_free(&f);
                assert_int_equal(gpu_nopiv(&a, &f, 1, far), 1);
                tile_free(&f);
                assert_int_equal(gpu_nopiv(&a, &f, -3, far), -3);
                tile_free(&f);
            }
            tile_free(&a);
        }
}

/* Against the CPU, bit for bit; more pivots than one launch takes; pivots out of range, repeated, before their row. */
static void exchanges(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU + 3; x++)
            for (int w = 0; w < 6; w++) {
                int m = x < NLU ? lu_shapes[x].m : 1300, n = x < NLU ? lu_shapes[x].n : 5 + 4 * (x - NLU);
                struct tile a = tile_new(t, m, n, 3), g;
                int k = w & 1 ? m : m / 2;
                randomise(&a, 'G');
                keep(&a);
                for (int i = 0; i < k; i++)
                    ipiv[i] = w < 2 ? i + 1 + pick(m - i) : w < 4 ? 1 + pick(m) : m - pick(3);
                if (k > 2 && w == 3) ipiv[k / 2] = m + 1, ipiv[k / 3] = 0, ipiv[1] = INT32_MAX, ipiv[0] = INT32_MIN;
                void *d = to_gpu(&a), *dp = upload(ipiv, sizeof ipiv);
                KERNEL_OK(tw_cuda_kernels[t]->laswp(&q, 'F', m, n, d, a.ld, k, dp));
                g = from_gpu(&a, d);
                tw_cpu_kernels[t]->laswp('F', m, n, a.p, a.ld, k, ipiv);
                assert_memory_equal(g.p, a.p, tile_bytes(&a));
                d = to_gpu(&g);
                tile_free(&g);
                KERNEL_OK(tw_cuda_kernels[t]->laswp(&q, 'B', m, n, d, a.ld, k, dp));
                g = from_gpu(&a, d);
                assert_memory_equal(g.p, a.before, tile_bytes(&a));
                CUDA_OK(cudaFree(dp));
                tile_free(&a), tile_free(&g);
            }
}

/* In tiles, against the CPU's exchanges in tiles, bit for bit; more tiles than one launch hands over. */
static void exchanges_in_tiles(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int w = 0; w < 12; w++) {
            const int m = 1300, n = 5 + 4 * w,
                      mb = w % 6 < 2   ? 7
                           : w % 6 < 4 ? 256
                                       : 2000,
                      first = w % 2 ? 77 : 0, base = 5000, k = w % 3 ? m - first : 300, count = (m + mb - 1) / mb;
            struct tile a = tile_new(t, m, n, 3), g, back;
            struct tw_tile_at *at = calloc((size_t)count, sizeof *at);
            struct tw_tiles tiles = {m, n, mb, count, at};
            assert_non_null(at);
            randomise(&a, 'G');
            keep(&a);
            for (int i = 0; i < k; i++)
                ipiv[i] = w < 6    ? base + first + i + 1 + pick(m - first - i) /* as LU's */
                          : w < 9  ? base + 1 + pick(m)
                          : w < 11 ? base + m - pick(3)              /* again and again the same ones */
                                   : base + first + 1 + (i + 1) % k; /* one long cycle */
            ipiv[3] = base, ipiv[4] = base + m + 1, ipiv[5] = -1, ipiv[6] = INT32_MAX;
            void *d = to_gpu(&a), *dp = upload(ipiv, sizeof ipiv), *work = device_alloc(TW_LASWP_BYTES(count));
            for (int i = 0; i < count; i++)
                at[i] = (struct tw_tile_at){(char *)d + (size_t)i * (size_t)mb * tw_sizeof(t), a.ld};
            KERNEL_OK(tw_cuda_kernels[t]->laswp_tiles(&q, 'F', &tiles, work, first, base, k, dp));
            g = from_gpu(&a, d);
            d = to_gpu(&g);
            for (int i = 0; i < count; i++)
                at[i].ptr = (char *)d + (size_t)i * (size_t)mb * tw_sizeof(t);
            KERNEL_OK(tw_cuda_kernels[t]->laswp_tiles(&q, 'B', &tiles, work, first, base, k, dp));
            back = from_gpu(&a, d);
            assert_memory_equal(back.p, a.before, tile_bytes(&a));
            tile_free(&back);
            for (int i = 0; i < count; i++)
                at[i] = (struct tw_tile_at){(char *)a.p + (size_t)i * (size_t)mb * tw_sizeof(t), a.ld};
            tw_cpu_kernels[t]->laswp_tiles('F', &tiles, first, base, k, ipiv);
            assert_memory_equal(g.p, a.p, tile_bytes(&a));
            tile_free(&g);
            CUDA_OK(cudaFree(dp));
            CUDA_OK(cudaFree(work));
            free(at);
            tile_free(&a);
        }
}

/* lacpy_if and shift_pivots. */
static void copies_if(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int64_t info = 0; info < 2; info++) {
            struct tile a = tile_new(t, 300, 41, 2), b = tile_new(t, 300, 41, 2), g;
            randomise(&a, 'G');
            randomise(&b, 'G');
            void *da = to_gpu(&a), *db = to_gpu(&b), *di = upload(&info, sizeof info);
            KERNEL_OK(tw_cuda_kernels[t]->lacpy_if(&q, di, a.m, a.n, da, a.ld, db, b.ld));
            g = from_gpu(&b, db);
            for (int j = 0; j < a.n; j++)
                for (int i = 0; i < a.m; i++)
                    assert_true(get(&g, i, j) == (info ? get(&b, i, j) : get(&a, i, j)));
            CUDA_OK(cudaFree(da));
            CUDA_OK(cudaFree(di));
            tile_free(&a), tile_free(&b), tile_free(&g);
        }
    for (int i = 0; i < 1000; i++)
        ipiv[i] = i;
    int32_t *dp = upload(ipiv, 1000 * sizeof *ipiv);
    KERNEL_OK(tw_cuda_kernels[TW_DOUBLE]->shift_pivots(&q, 1000, 70, dp));
    CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    CUDA_OK(cudaMemcpy(ipiv, dp, 1000 * sizeof *ipiv, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 1000; i++)
        assert_int_equal(ipiv[i], i + 70);
    CUDA_OK(cudaFree(dp));
}

static void enqueues(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
        struct tile a = tile_new(t, 1200, 128, 0);
        size_t bytes = 0;
        int64_t info = 0;
        randomise(&a, 'G');
        KERNEL_OK(k->getrf_work(&q, a.m, a.n, &bytes));
        void *d = to_gpu(&a), *work = device_alloc(bytes), *di = upload(&info, sizeof info),
             *dp = device_alloc(sizeof ipiv);
        ENQUEUES(k->getrf(&q, a.m, a.n, d, a.ld, dp, work, bytes, di, 0));
        ENQUEUES(k->laswp(&q, 'F', a.m, a.n, d, a.ld, 128, dp));
        ENQUEUES(k->laswp(&q, 'B', a.m, a.n, d, a.ld, 128, dp));
        ENQUEUES(k->getrf_nopiv(&q, a.m, a.n, d, a.ld, di, 0));
        int status = k->getrf(&q, a.m, a.n, d, a.ld, dp, work, 16, di, 0); /* too little */
        assert_int_not_equal(status, 0);
        assert_non_null(strstr(tw_cuda_status_text(status), "getrf: CUSOLVER_STATUS_INVALID_VALUE"));
        CUDA_OK(cudaFree(d));
        CUDA_OK(cudaFree(work));
        CUDA_OK(cudaFree(di));
        CUDA_OK(cudaFree(dp));
        tile_free(&a);
    }
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_random),  cmocka_unit_test(ties),
        cmocka_unit_test(zero_columns),   cmocka_unit_test(not_a_number),
        cmocka_unit_test(without_pivots), cmocka_unit_test(exchanges),
        cmocka_unit_test(enqueues),       cmocka_unit_test(exchanges_in_tiles),
        cmocka_unit_test(copies_if),      cmocka_unit_test(tall),
        cmocka_unit_test(scales),         cmocka_unit_test(side_by_side),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
