/* geqrf, gelqf, larft, larfb, orgqr, orglq, tpqrt, tpmqrt on the GPU: what every factorization has to fulfil, the rest
 * against the CPU kernels on the same V and T. Skipped where there is no GPU. */
#include "kernels/qr_cases.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"

static struct factored gpu_factored(enum tw_type t, char storev, struct tile a)
{
    struct factored x = {.a = a, .p = storev == 'C' ? a.m : a.n, .k = a.m < a.n ? a.m : a.n};
    const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
    struct tile tau = tile_new(t, x.k, 1, 0), block = tile_new(t, x.k, x.k, 2);
    size_t bytes = 0;
    keep(&tau), keep(&block);
    KERNEL_OK((storev == 'C' ? k->geqrf_work : k->gelqf_work)(&q, a.m, a.n, &bytes));
    void *d = to_gpu(&a), *dtau = to_gpu(&tau), *dt = to_gpu(&block), *work = device_alloc(bytes + 16);
    KERNEL_OK(
        (storev == 'C' ? k->geqrf : k->gelqf)(&q, a.m, a.n, d, a.ld, dtau, dt, block.ld, (char *)work + 16, bytes));
    x.f = from_gpu(&a, d), x.tau = from_gpu(&tau, dtau), x.t = from_gpu(&block, dt);
    untouched(&x.f, 'G'), untouched(&x.t, 'G');
    CUDA_OK(cudaFree(work));
    tile_free(&tau), tile_free(&block);
    return x;
}

static void factor(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 2 * NQR; s++) {
            char storev = "CR"[s & 1];
            struct factored x =
                gpu_factored(t, storev, random_tile(t, qr_shapes[s / 2].m, qr_shapes[s / 2].n, qr_shapes[s / 2].pad));
            check_factored(&x, storev);
            drop(&x);
        }
}

/* Zero columns: tau is 0 or 2, Q is unitary all the same. */
static void zero_columns(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const char storev = 'C';
        int m = 70, n = 40;
        struct tile a = random_tile(t, m, n, 1);
        for (int i = 0; i < m; i++)
            put(&a, i, 0, 0), put(&a, i, 17, 0);
        keep(&a);
        struct factored x = gpu_factored(t, storev, a);
        zz *h = dense_reflectors(&x.f, storev, m, x.k, &x.tau), *v = dense_v(&x, storev),
           *block = dense_block(m, x.k, v, &x.t, 0);
        SMALL(from_unitary(t, h, m));
        SMALL(distance(t, h, block, (size_t)m * (size_t)m, m, 1));
        for (int i = 0; i < m; i++)
            assert_true(size_of(get(&x.f, i, 0)) == 0);
        free(h), free(v), free(block);
        drop(&x);
    }
}

/* The CPU's factors, for what is compared with the CPU. */
static struct factored cpu_factored(enum tw_type t, char storev, struct tile a)
{
    struct factored x = {.a = a, .f = tile_copy(&a), .p = storev == 'C' ? a.m : a.n, .k = a.m < a.n ? a.m : a.n};
    struct tile work = storev == 'C' ? tile_new(t, x.k, a.n, 0) : tile_new(t, a.n + x.k, a.m, 0);
    x.tau = tile_new(t, x.k, 1, 0), x.t = tile_new(t, x.k, x.k, 2);
    (storev == 'C' ? tw_cpu_kernels[t]->geqrf : tw_cpu_kernels[t]->gelqf)(a.m, a.n, x.f.p, x.f.ld, x.tau.p, x.t.p,
                                                                          x.t.ld, work.p);
    keep(&x.f), keep(&x.t), keep(&x.tau);
    tile_free(&work);
    return x;
}

static void triangle(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 2 * NQR; s++) {
            char storev = "CR"[s & 1];
            struct factored x =
                cpu_factored(t, storev, random_tile(t, qr_shapes[s / 2].m, qr_shapes[s / 2].n, qr_shapes[s / 2].pad));
            struct tile block = tile_new(t, x.k, x.k, 1), g, c = tile_copy(&x.t);
            keep(&block);
            void *df = to_gpu(&x.f), *dtau = to_gpu(&x.tau), *dt = to_gpu(&block),
                 *work = device_alloc((size_t)x.k * (size_t)x.k * tw_sizeof(t));
            KERNEL_OK(tw_cuda_kernels[t]->larft(&q, storev, x.p, x.k, df, x.f.ld, dtau, dt, block.ld, work));
            g = from_gpu(&block, dt);
            same(&g, &c, 'G', x.p, "larft");
            CUDA_OK(cudaFree(df));
            CUDA_OK(cudaFree(dtau));
            CUDA_OK(cudaFree(work));
            tile_free(&block);
            drop(&x);
        }
}

static void apply(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 8 * NQR; s++) {
            char storev = "CR"[s & 1], side = "LR"[s >> 1 & 1], trans = s & 4 ? tw_is_complex(t) ? 'C' : 'T' : 'N';
            int count = 1 + s % 37;
            struct factored x =
                cpu_factored(t, storev, random_tile(t, qr_shapes[s / 8].m, qr_shapes[s / 8].n, qr_shapes[s / 8].pad));
            struct tile c = side == 'L' ? random_tile(t, x.p, count, 1) : random_tile(t, count, x.p, 1), g;
            struct tile work = tile_new(t, x.k, count, 0);
            void *df = to_gpu(&x.f), *dt = to_gpu(&x.t), *dc = to_gpu(&c),
                 *dwork = device_alloc((size_t)x.k * (size_t)(x.k + 2 * count) * tw_sizeof(t));
            KERNEL_OK(tw_cuda_kernels[t]->larfb(&q, side, trans, storev, c.m, c.n, x.k, df, x.f.ld, dt, x.t.ld, dc,
                                                c.ld, dwork));
            g = from_gpu(&c, dc);
            tw_cpu_kernels[t]->larfb(side, trans, storev, c.m, c.n, x.k, x.f.p, x.f.ld, x.t.p, x.t.ld, c.p, c.ld,
                                     work.p);
            same(&g, &c, 'G', x.p, "larfb");
            CUDA_OK(cudaFree(df));
            CUDA_OK(cudaFree(dt));
            CUDA_OK(cudaFree(dwork));
            tile_free(&work);
            drop(&x);
        }
}

static void generate(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 6 * NQR; s++) {
            char storev = "CR"[s & 1];
            struct factored x =
                cpu_factored(t, storev, random_tile(t, qr_shapes[s / 6].m, qr_shapes[s / 6].n, qr_shapes[s / 6].pad));
            int count = s / 2 % 3 == 0 ? x.k : s / 2 % 3 == 1 ? x.p : (x.k + x.p) / 2;
            struct tile c = storev == 'C' ? tile_new(t, x.p, count, 3) : tile_new(t, count, x.p, 3), g;
            struct tile work = tile_new(t, x.k, count, 0);
            const struct tw_cpu_kernels *cpu = tw_cpu_kernels[t];
            const struct tw_cuda_kernels *gpu = tw_cuda_kernels[t];
            keep(&c);
            void *df = to_gpu(&x.f), *dt = to_gpu(&x.t), *dc = to_gpu(&c),
                 *dwork = device_alloc((size_t)x.k * (size_t)(x.k + 2 * count) * tw_sizeof(t));
            KERNEL_OK(
                (storev == 'C' ? gpu->orgqr : gpu->orglq)(&q, c.m, c.n, x.k, df, x.f.ld, dt, x.t.ld, dc, c.ld, dwork));
            g = from_gpu(&c, dc);
            (storev == 'C' ? cpu->orgqr : cpu->orglq)(c.m, c.n, x.k, x.f.p, x.f.ld, x.t.p, x.t.ld, c.p, c.ld, work.p);
            same(&g, &c, 'G', x.p, storev == 'C' ? "orgqr" : "orglq");
            CUDA_OK(cudaFree(df));
            CUDA_OK(cudaFree(dt));
            CUDA_OK(cudaFree(dwork));
            tile_free(&work);
            drop(&x);
        }
}

/* Element by element beside the CPU's factors; relative to 1, which the random elements are near. */
static void near(const struct tile *x, const struct tile *y, double unit, const char *what)
{
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->m; i++)
            if (!(size_of(get(x, i, j) - get(y, i, j)) <= unit))
                fail_msg("type %c, %s of %d rows: element (%d, %d) is %g, not %g", tw_letter(x->type), what, x->m, i, j,
                         __real__ get(x, i, j), __real__ get(y, i, j));
}

/* More rows than a block has, than all blocks have with narrow shares, one column, a last block of few rows. */
static void tall(void **state)
{
    static const struct {
        int m, n;
    } shapes[] = {{3000, 1}, {513, 40}, {1025, 33}, {20000, 70}, {70000, 20}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            struct tile a = random_tile(t, shapes[s].m, shapes[s].n, 1);
            struct factored x = gpu_factored(t, 'C', a), y = cpu_factored(t, 'C', tile_copy(&a));
            const double unit = 300 * sqrt((double)a.m) * eps_of(t);
            near(&x.f, &y.f, unit, "V and R"), near(&x.tau, &y.tau, unit, "tau"), near(&x.t, &y.t, unit, "T");
            drop(&x), drop(&y);
        }
}

/* What is below the diagonal tiny beside it; rows that get smaller and smaller: squares get lost, reflectors do not. */
static void tiny(void **state)
{
    const char storev = 'C';
    (void)state;
    FOR_TYPES(t)
        for (int w = 0; w < 3; w++) {
            const int m = 90, n = 40, e = tw_is_single(t) ? (w == 0 ? -60 : -8) : w == 0 ? -500 : -60;
            struct tile a = random_tile(t, m, n, 1);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    put(&a, i, j,
                        get(&a, i, j) * ldexp(1, w == 0   ? (i > j ? e : 0)
                                                 : w == 1 ? e * (i < 14 ? i : 14)
                                                          : 0));
            for (int j = 0; j < n && w == 0; j++) /* far from zero, or the comparison below means nothing */
                put(&a, j, j, 4);
            if (w == 2) /* exactly nothing from row 20 on */
                for (int j = 0; j < n; j++)
                    for (int i = 20; i < m; i++)
                        put(&a, i, j, 0);
            keep(&a);
            struct factored x = gpu_factored(t, storev, a);
            zz *h = dense_reflectors(&x.f, storev, m, x.k, &x.tau), *v = dense_v(&x, storev),
               *block = dense_block(m, x.k, v, &x.t, 0);
            SMALL(from_unitary(t, h, m));
            SMALL(distance(t, h, block, (size_t)m * (size_t)m, m, 1));
            if (w == 0) {
                struct tile g = tile_copy(&a), tau = tile_new(t, n, 1, 0), work = tile_new(t, m + n, 1, 0);
                assert_int_equal(lapack_geqr2(&g, tau.p, work.p), 0);
                near(&x.tau, &tau, 100 * eps_of(t), "tau");
                for (int j = 0; j < n; j++)
                    for (int i = j + 1; i < m; i++)
                        assert_true(size_of(get(&g, i, j) - get(&x.f, i, j)) <= sqrt(eps_of(t)) * ldexp(1, e));
                tile_free(&g), tile_free(&tau), tile_free(&work);
            }
            free(h), free(v), free(block);
            drop(&x);
        }
}

/* Multiplied by powers of two, the same for all columns or not: the same V, tau and T, R multiplied. */
static void scales(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int w = -1; w <= 2; w++) {
            const int m = 900, n = w == 2 ? 16 : 40, e = tw_is_single(t) ? 100 : 1000;
            struct tile a = random_tile(t, m, n, 0), b = tile_copy(&a);
            double factor[40];
            if (w == 0) continue;
            for (int j = 0; j < n; j++) {
                factor[j] = ldexp(1, w == 2 ? (j % 3 - 1) * e : w * e);
                for (int i = 0; i < m; i++)
                    put(&b, i, j, factor[j] * get(&a, i, j));
            }
            keep(&b);
            struct factored x = gpu_factored(t, 'C', a), y = gpu_factored(t, 'C', b);
            for (int j = 0; j < n; j++)
                for (int i = 0; i <= j; i++)
                    put(&y.f, i, j, get(&y.f, i, j) / factor[j]);
            near(&y.f, &x.f, 1000 * eps_of(t), "V and R"), near(&y.tau, &x.tau, 100 * eps_of(t), "tau");
            near(&y.t, &x.t, 100 * eps_of(t), "T");
            drop(&x), drop(&y);
        }
}

/* Columns before the one that holds it are what they are without it; the call ends. */
static void not_a_number(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int w = 0; w < 2; w++) {
            const int m = 1100, n = 70, at = w ? 50 : 9;
            struct tile a = random_tile(t, m, n, 1);
            put(&a, m / 2, at, make(w ? INFINITY : NAN, 0));
            keep(&a);
            struct factored x = gpu_factored(t, 'C', a);
            for (int j = 0; j < at; j++)
                for (int i = 0; i < m; i++)
                    assert_true(isfinite(size_of(get(&x.f, i, j))));
            assert_true(!isfinite(size_of(get(&x.f, at, at))));
            drop(&x);
        }
}

/* ---- trees ---- */

static struct tree gpu_tree(enum tw_type t, int x)
{
    struct tree f = {.m = tree_shapes[x].m, .n = tree_shapes[x].n, .l = tree_shapes[x].l, .nb = tree_shapes[x].nb};
    struct tile block = tile_new(t, f.nb, f.n, 1);
    size_t bytes = 0;
    tree_tiles(t, x, &f.a, &f.b);
    keep(&block);
    KERNEL_OK(tw_cuda_kernels[t]->tpqrt_work(&q, f.m, f.n, f.nb, &bytes));
    void *da = to_gpu(&f.a), *db = to_gpu(&f.b), *dt = to_gpu(&block), *work = device_alloc(bytes + 16);
    KERNEL_OK(tw_cuda_kernels[t]->tpqrt(&q, f.m, f.n, f.l, f.nb, da, f.a.ld, db, f.b.ld, dt, block.ld,
                                        (char *)work + 16, bytes));
    f.fa = from_gpu(&f.a, da), f.fb = from_gpu(&f.b, db), f.t = from_gpu(&block, dt);
    f.q = dense_tree_q(&f.fb, &f.t, f.l, f.nb);
    CUDA_OK(cudaFree(work));
    tile_free(&block);
    return f;
}

static void tree_factor(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NTREES; x++) {
            struct tree f = gpu_tree(t, x);
            check_tree(&f);
            cut(&f);
        }
}

static void tree_apply(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 4 * NTREES; s++) {
            char side = "LR"[s & 1], trans = s & 2 ? tw_is_complex(t) ? 'C' : 'T' : 'N';
            struct tree f = gpu_tree(t, s / 4);
            int m = f.m, n = f.n, count = 1 + s % 23;
            struct tile a = side == 'L' ? random_tile(t, n, count, 1) : random_tile(t, count, n, 1), ga;
            struct tile b = side == 'L' ? random_tile(t, m, count, 2) : random_tile(t, count, m, 2), gb;
            struct tile work = tile_new(t, f.nb, count, 0);
            void *da = to_gpu(&a), *db = to_gpu(&b), *dv = to_gpu(&f.fb), *dt = to_gpu(&f.t),
                 *dwork = device_alloc((size_t)f.nb * (size_t)(m + 2 * count) * tw_sizeof(t));
            KERNEL_OK(tw_cuda_kernels[t]->tpmqrt(&q, side, trans, b.m, b.n, n, f.l, f.nb, dv, f.fb.ld, dt, f.t.ld, da,
                                                 a.ld, db, b.ld, dwork));
            ga = from_gpu(&a, da), gb = from_gpu(&b, db);
            tw_cpu_kernels[t]->tpmqrt(side, trans, b.m, b.n, n, f.l, f.nb, f.fb.p, f.fb.ld, f.t.p, f.t.ld, a.p, a.ld,
                                      b.p, b.ld, work.p);
            same(&ga, &a, 'G', m + n, "tpmqrt, A");
            same(&gb, &b, 'G', m + n, "tpmqrt, B");
            CUDA_OK(cudaFree(dv));
            CUDA_OK(cudaFree(dt));
            CUDA_OK(cudaFree(dwork));
            tile_free(&work);
            cut(&f);
        }
}

static void enqueues(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const struct tw_cuda_kernels *k = tw_cuda_kernels[t];
        int m = 1200, n = 128;
        struct tile host = random_tile(t, m, n, 0);
        size_t bytes = 0, more = 0, square = (size_t)n * (size_t)n * tw_sizeof(t);
        KERNEL_OK(k->geqrf_work(&q, m, n, &bytes));
        KERNEL_OK(k->gelqf_work(&q, n, m, &more));
        bytes = more > bytes ? more : bytes;
        KERNEL_OK(k->tpqrt_work(&q, m, n, 32, &more));
        bytes = more > bytes ? more : bytes;
        bytes = bytes > 4 * tile_bytes(&host) ? bytes : 4 * tile_bytes(&host);
        void *a = to_gpu(&host), *b = to_gpu(&host), *v = to_gpu(&host), *tau = device_alloc((size_t)n * tw_sizeof(t)),
             *block = device_alloc(square), *work = device_alloc(bytes);
        ENQUEUES(k->gelqf(&q, n, m, b, n, tau, block, n, work, bytes));
        ENQUEUES(k->geqrf(&q, m, n, v, m, tau, block, n, work, bytes));
        ENQUEUES(k->larft(&q, 'C', m, n, v, m, tau, block, n, work));
        ENQUEUES(k->larfb(&q, 'L', 'C', 'C', m, n, n, v, m, block, n, a, m, work));
        ENQUEUES(k->orgqr(&q, m, n, n, v, m, block, n, b, m, work));
        ENQUEUES(k->orglq(&q, n, m, n, b, n, block, n, a, n, work));
        ENQUEUES(k->tpqrt(&q, m - n, n, 0, 32, a, m, (char *)a + (size_t)n * tw_sizeof(t), m, block, n, work, bytes));
        ENQUEUES(k->tpmqrt(&q, 'L', 'N', m - n, n, n, 0, 32, v, m, block, n, a, m, b, m, work));
        CUDA_OK(cudaFree(a));
        CUDA_OK(cudaFree(b));
        CUDA_OK(cudaFree(v));
        CUDA_OK(cudaFree(tau));
        CUDA_OK(cudaFree(block));
        CUDA_OK(cudaFree(work));
        tile_free(&host);
    }
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor),     cmocka_unit_test(zero_columns), cmocka_unit_test(triangle),
        cmocka_unit_test(apply),      cmocka_unit_test(generate),     cmocka_unit_test(tree_factor),
        cmocka_unit_test(tree_apply), cmocka_unit_test(enqueues),     cmocka_unit_test(tall),
        cmocka_unit_test(tiny),       cmocka_unit_test(scales),       cmocka_unit_test(not_a_number),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
