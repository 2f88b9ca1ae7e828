/* symm, hemm, syr2k, her2k, geadd, the transposed copy and norms of columns on the GPU against the CPU kernels. Skipped
 * where there is no GPU. */
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

/* The largest error of an element of C over the sum of the sizes of its products. */
static double product_error(const struct tile *c, const struct tile *exact, const struct tile *scale)
{
    double worst = 0;
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++)
            worst = fmax(worst, size_of(get(c, i, j) - get(exact, i, j)) / __real__ get(scale, i, j));
    return worst;
}
static struct tile in_double(const struct tile *a, int magnitudes)
{
    struct tile d = tile_new(tw_is_complex(a->type) && !magnitudes ? TW_COMPLEX_DOUBLE : TW_DOUBLE, a->m, a->n, 0);
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            put(&d, i, j, magnitudes ? size_of(get(a, i, j)) : get(a, i, j));
    return d;
}

/* Products made of TF32's are about as accurate as those of single precision, element by element, whatever the
 * elements' sizes: its units cut sums where single precision rounds, which makes errors up to three times as large, and
 * of a few summands, which no task has, some units in the last place. */
static void split(void **state)
{
    static const int shapes[][3] = {{300, 257, 1000}, {64, 500, 33}, {129, 3, 4100}, {1, 1, 1}, {513, 512, 511}};
    const tw_scalar one = {1, 0}, zero = {0, 0};

    (void)state;
    for (int x = 0; x < 9 * 2; x++)
        for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++) {
            const enum tw_type t = TW_FLOAT;
            const char ta = "NTC"[x % 3], tb = "NTC"[x / 3 % 3];
            const int m = shapes[s][0], n = shapes[s][1], k = shapes[s][2], wide = x / 9;
            const struct tw_cuda_kernels *kernels = tw_cuda_kernels[t];
            struct tile a = tile_new(t, ta == 'N' ? m : k, ta == 'N' ? k : m, 3), c = tile_new(t, m, n, 2), own, made;
            struct tile b = tile_new(t, tb == 'N' ? k : n, tb == 'N' ? n : k, 1), exact, scale;
            double own_error, made_error;
            void *da, *db, *dc, *dd, *work = device_alloc(tw_gemm_split_elements(m, n, k) * tw_sizeof(t));

            randomise(&a, 'G'), randomise(&b, 'G');
            for (int j = 0; j < a.n && wide; j++) /* from 2^-40 to 2^40 */
                for (int i = 0; i < a.m; i++)
                    put(&a, i, j, ldexp(1, (i * 7 + j * 13) % 81 - 40) * get(&a, i, j));
            keep(&c);
            da = to_gpu(&a), db = to_gpu(&b), dc = to_gpu(&c), dd = to_gpu(&c);
            KERNEL_OK(kernels->gemm(&q, ta, tb, m, n, k, one, da, a.ld, db, b.ld, zero, dc, c.ld));
            KERNEL_OK(kernels->gemm_split(&q, ta, tb, m, n, k, one, da, a.ld, db, b.ld, zero, dd, c.ld, work));
            own = from_gpu(&c, dc), made = from_gpu(&c, dd);
            untouched(&made, 'G');
            {
                struct tile A = in_double(&a, 0), B = in_double(&b, 0), sa = in_double(&a, 1), sb = in_double(&b, 1);
                exact = tile_new(A.type, m, n, 0), scale = tile_new(TW_DOUBLE, m, n, 0);
                tw_cpu_kernels[A.type]->gemm(ta, tb, m, n, k, one, A.p, A.ld, B.p, B.ld, zero, exact.p, exact.ld);
                tw_cpu_kernels[TW_DOUBLE]->gemm(ta == 'N' ? 'N' : 'T', tb == 'N' ? 'N' : 'T', m, n, k, one, sa.p, sa.ld,
                                                sb.p, sb.ld, zero, scale.p, scale.ld);
                tile_free(&A), tile_free(&B), tile_free(&sa), tile_free(&sb);
            }
            own_error = product_error(&own, &exact, &scale), made_error = product_error(&made, &exact, &scale);
            if (!(made_error <= (k < 256 ? 8 * FLT_EPSILON : 3 * own_error)))
                fail_msg("type %c, '%c' '%c', %d x %d x %d: error %g, of single precision's own product %g",
                         tw_letter(t), ta, tb, m, n, k, made_error, own_error);
            if (getenv("TILEWORK_TEST_VERBOSE"))
                printf("%c %c%c %d x %d x %d wide %d: %.3g, own %.3g\n", tw_letter(t), ta, tb, m, n, k, wide,
                       made_error, own_error);
            CUDA_OK(cudaFree(da));
            CUDA_OK(cudaFree(db));
            CUDA_OK(cudaFree(work));
            tile_free(&a), tile_free(&b), tile_free(&c), tile_free(&own), tile_free(&made);
            tile_free(&exact), tile_free(&scale);
        }
}

/* What is near the type's ends, and what is no number. */
static void split_ends(void **state)
{
    enum { N = 8 };
    static const float specials[] = {FLT_MAX, -FLT_MAX, FLT_MIN, 0x1p-149f, 0, -0.0f, INFINITY, NAN};
    const tw_scalar one = {1, 0}, zero = {0, 0};
    struct tile a = tile_new(TW_FLOAT, N, N, 0), e = tile_new(TW_FLOAT, N, N, 0), c = tile_new(TW_FLOAT, N, N, 0), g;
    void *work = device_alloc(tw_gemm_split_elements(N, N, N) * sizeof(float));

    (void)state;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            put(&a, i, j, i == j ? specials[i] : 0), put(&e, i, j, i == j);
    keep(&c);
    void *da = to_gpu(&a), *db = to_gpu(&e), *dc = to_gpu(&c);
    KERNEL_OK(tw_cuda_kernels[TW_FLOAT]->gemm_split(&q, 'N', 'N', N, N, N, one, da, N, db, N, zero, dc, N, work));
    g = from_gpu(&c, dc);
    for (int i = 0; i < N; i++) {
        const double got = __real__ get(&g, i, i), want = specials[i];
        if (!isfinite(want))
            assert_false(isfinite(got));
        else if (!(fabs(got - want) <= fmax(4 * FLT_EPSILON * fabs(want), FLT_MIN)))
            fail_msg("%g became %g", want, got);
    }
    CUDA_OK(cudaFree(da));
    CUDA_OK(cudaFree(db));
    CUDA_OK(cudaFree(work));
    tile_free(&a), tile_free(&e), tile_free(&c), tile_free(&g);
}

/* Beside the CPU's rounding and a product in double: sums of single precision, which the units may cut where it
 * rounds. */
static void halves(void **state)
{
    static const int shapes[][3] = {{300, 257, 1000}, {64, 500, 33}, {129, 3, 2100}, {1, 1, 1}, {512, 512, 512}};
    const tw_scalar one = {1, 0}, minus_one = {-1, 0}, zero = {0, 0};

    (void)state;
    for (int x = 0; x < 18; x++)
        for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++) {
            const enum tw_type t = x < 9 ? TW_FLOAT : TW_COMPLEX_FLOAT;
            const char ta = "NTC"[x % 3], tb = "NTC"[x / 3 % 3];
            const int m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
            struct tile a = tile_new(t, ta == 'N' ? m : k, ta == 'N' ? k : m, 3), c = tile_new(t, m, n, 2), made, exact,
                        scale;
            struct tile b = tile_new(t, tb == 'N' ? k : n, tb == 'N' ? n : k, 1);
            void *da, *db, *dc,
                *work =
                    device_alloc((tw_gemm_half_elements(a.m, a.n) + tw_gemm_half_elements(b.m, b.n)) * tw_sizeof(t));
            double error;

            if (t == TW_FLOAT && (ta == 'C' || tb == 'C')) continue;
            randomise(&a, 'G'), randomise(&b, 'G');
            keep(&c);
            da = to_gpu(&a), db = to_gpu(&b), dc = to_gpu(&c);
            KERNEL_OK(tw_cuda_kernels[t]->gemm_half(&q, ta, tb, m, n, k, minus_one, da, a.ld, db, b.ld, zero, dc, c.ld,
                                                    work));
            made = from_gpu(&c, dc);
            untouched(&made, 'G');
            tw_cpu_kernels[t]->half(a.m, a.n, a.p, a.ld, a.p, a.ld);
            tw_cpu_kernels[t]->half(b.m, b.n, b.p, b.ld, b.p, b.ld);
            {
                struct tile A = in_double(&a, 0), B = in_double(&b, 0), sa = in_double(&a, 1), sb = in_double(&b, 1);
                exact = tile_new(A.type, m, n, 0), scale = tile_new(TW_DOUBLE, m, n, 0);
                tw_cpu_kernels[A.type]->gemm(ta, tb, m, n, k, minus_one, A.p, A.ld, B.p, B.ld, zero, exact.p, exact.ld);
                tw_cpu_kernels[TW_DOUBLE]->gemm(ta, tb, m, n, k, one, sa.p, sa.ld, sb.p, sb.ld, zero, scale.p,
                                                scale.ld);
                tile_free(&A), tile_free(&B), tile_free(&sa), tile_free(&sb);
            }
            error = product_error(&made, &exact, &scale);
            if (!(error <= 64 * FLT_EPSILON)) fail_msg("'%c' '%c', %d x %d x %d: error %g", ta, tb, m, n, k, error);
            CUDA_OK(cudaFree(da));
            CUDA_OK(cudaFree(db));
            CUDA_OK(cudaFree(work));
            tile_free(&a), tile_free(&b), tile_free(&c), tile_free(&made), tile_free(&exact), tile_free(&scale);
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
        ENQUEUES(k->gemm_split(&q, 'N', 'C', 200, 200, 200, one, a, n, a, n, one, c, n, b));
        ENQUEUES(k->gemm_half(&q, 'N', 'T', 200, 200, 200, one, a, n, a, n, one, c, n, b));
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
        cmocka_unit_test(split),      cmocka_unit_test(split_ends),   cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
