/* GMRES' CUDA kernels beside the CPU's: a system with three right-hand sides, one of them zeros, in tiles and chunks
 * that do not fit each other; the scaled matrix and the scalings to the last bit; and that they only enqueue. */
#include "kernels/tiles.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"
#include "kernels/dense/cpu/gmres.h"
#include "kernels/dense/cuda/gmres.h"

enum { ROWS = 2 * TW_GMRES_CHUNK + 301, MB = 700, TILES = (ROWS + MB - 1) / MB, COLUMNS = 3, MOST = TW_GMRES_MOST };

/* A block column, all of it in memory of the host or of the GPU; x and w as the host's copies. */
struct problem {
    enum tw_type type;
    int gpu;
    struct tile x, w, b; /* b: the right-hand sides */
    double *r;
    char *dx, *dw, *v, *z, *state, *work;
    double *dr, *left;
    struct tw_tile_at at[3][TILES];
};

static struct tw_gmres_block block(struct problem *p)
{
    char *const base[3] = {p->dx, p->dw, (char *)p->dr};
    struct tw_tiles t[3];

    for (int l = 0; l < 3; l++) {
        const size_t size = l == 2 ? sizeof(double) : tw_sizeof(p->type);
        for (int i = 0; i < TILES; i++)
            p->at[l][i] = (struct tw_tile_at){base[l] + (size_t)i * MB * size, ROWS};
        t[l] = (struct tw_tiles){ROWS, l == 2 ? 1 : COLUMNS, MB, TILES, p->at[l]};
    }
    return (struct tw_gmres_block){t[0],
                                   t[1],
                                   t[2],
                                   (struct tw_gmres_column *)p->state,
                                   sizeof(struct tw_gmres_column),
                                   p->v,
                                   p->z,
                                   (MOST + 1) * ROWS,
                                   MOST * ROWS};
}
static void *memory(const struct problem *p, size_t bytes)
{
    void *m = p->gpu ? device_alloc(bytes) : calloc(1, bytes);
    assert_non_null(m);
    return m;
}
static void let_go(const struct problem *p, void *m)
{
    if (p->gpu)
        CUDA_OK(cudaFree(m));
    else
        free(m);
}
static void move(const struct problem *p, void *to, const void *from, size_t bytes)
{
    if (p->gpu) CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    if (p->gpu)
        CUDA_OK(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    else
        memcpy(to, from, bytes);
}

/* A x of a matrix near 1: the diagonal, and one beside it. */
static zz times(const struct tile *x, int i, int j)
{
    const zz d = make(1 + 0.25 * sin(i), x->type >= TW_COMPLEX_FLOAT ? 0.25 * cos(3 * i) : 0);
    return d * get(x, i, j) + (i + 1 < ROWS ? 0.125 * get(x, i + 1, j) : 0);
}

static void start(struct problem *p, enum tw_type t, int gpu)
{
    *p = (struct problem){.type = t, .gpu = gpu};
    p->x = tile_new(t, ROWS, COLUMNS, 0), p->w = tile_new(t, ROWS, COLUMNS, 0), p->b = tile_new(t, ROWS, COLUMNS, 0);
    p->r = malloc(ROWS * sizeof(double));
    for (int i = 0; i < ROWS; i++) {
        p->r[i] = 1 + 0.125 * cos(i);
        for (int j = 0; j < COLUMNS; j++)
            put(&p->b, i, j, j == 1 ? 0 : make(sin(i + j), t >= TW_COMPLEX_FLOAT ? cos(2 * i) : 0));
    }
    p->dx = memory(p, tile_bytes(&p->x)), p->dw = memory(p, tile_bytes(&p->w));
    p->v = memory(p, (size_t)(MOST + 1) * ROWS * COLUMNS * tw_sizeof(t));
    p->z = memory(p, (size_t)MOST * ROWS * COLUMNS * tw_sizeof(t));
    p->state = memory(p, COLUMNS * sizeof(struct tw_gmres_column));
    p->work = memory(p, tw_gmres_cuda_work(ROWS, COLUMNS, TILES));
    p->dr = memory(p, ROWS * sizeof(double)), p->left = memory(p, sizeof(double));
    move(p, p->dr, p->r, ROWS * sizeof(double));
    move(p, p->dx, p->b.p, tile_bytes(&p->b));
}
static void finish(struct problem *p)
{
    void *const all[] = {p->dx, p->dw, p->v, p->z, p->state, p->work, p->dr, p->left};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        let_go(p, all[i]);
    tile_free(&p->x), tile_free(&p->w), tile_free(&p->b);
    free(p->r);
}

/* x becomes the correction; how many steps were made. */
static int solve(struct problem *p, struct tw_gmres_column *states)
{
    const struct tw_gmres_block g = block(p);
    double left = 1;
    int k = 0;

    if (p->gpu)
        KERNEL_OK(tw_gmres_cuda_kernels[p->type]->begin(&q, &g, p->work));
    else
        tw_gmres_kernels[p->type]->begin(&g);
    for (; k < MOST && left != 0; k++) {
        move(p, p->x.p, p->dx, tile_bytes(&p->x)); /* the preconditioner is 1 */
        for (int j = 0; j < COLUMNS; j++)
            for (int i = 0; i < ROWS; i++)
                put(&p->w, i, j, -times(&p->x, i, j));
        move(p, p->dw, p->w.p, tile_bytes(&p->w));
        if (p->gpu)
            KERNEL_OK(tw_gmres_cuda_kernels[p->type]->step(&q, &g, k, 1, p->left, p->work));
        else
            *p->left = tw_gmres_kernels[p->type]->step(&g, k);
        move(p, &left, p->left, sizeof left);
    }
    if (p->gpu)
        KERNEL_OK(tw_gmres_cuda_kernels[p->type]->end(&q, &g, p->work));
    else
        tw_gmres_kernels[p->type]->end(&g);
    move(p, p->x.p, p->dx, tile_bytes(&p->x));
    move(p, states, p->state, COLUMNS * sizeof *states);
    return k;
}
static double length_of(const struct problem *p, int residual, int j)
{
    double sum = 0;

    for (int i = 0; i < ROWS; i++) {
        const zz x = get(&p->b, i, j) - (residual ? times(&p->x, i, j) : 0);
        sum += __real__(x * ~x);
    }
    return sqrt(sum);
}

static void systems(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct problem mine, gpu;
        struct tw_gmres_column a[COLUMNS], b[COLUMNS];
        start(&mine, t, 0), start(&gpu, t, 1);
        const int steps = solve(&mine, a);
        assert_int_equal(solve(&gpu, b), steps);
        assert_true(steps >= 3);
        for (int j = 0; j < COLUMNS; j++) {
            const double whole = length_of(&mine, 0, j), rest[] = {length_of(&mine, 1, j), length_of(&gpu, 1, j)},
                         said = hypot(a[j].g[(int)a[j].steps].re, a[j].g[(int)a[j].steps].im);
            assert_true(a[j].done == b[j].done && (j == 1) == (a[j].steps == 0));
            assert_true(a[j].steps == b[j].steps);
            /* the residual is what GMRES says it is, and much less than before */
            for (int i = 0; i < 2; i++)
                if (!(rest[i] <= said + 100 * eps_of(t) * whole) || (whole > 0 && !(rest[i] <= 1e-2 * whole)))
                    fail_msg("type %c, column %d, %s: %g of %g is left, %g was to be", tw_letter(t), j,
                             i ? "GPU" : "CPU", rest[i], whole, said);
        }
        finish(&mine), finish(&gpu);
    }
}

/* ---- scalings ---------------------------------------------------------------------------------------------------- */

static enum tw_type other(enum tw_type t)
{
    return t == TW_FLOAT           ? TW_DOUBLE
           : t == TW_DOUBLE        ? TW_FLOAT
           : t == TW_COMPLEX_FLOAT ? TW_COMPLEX_DOUBLE
                                   : TW_COMPLEX_FLOAT;
}

static void conversions(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 1; s < NSIZES; s++)
            for (int which = 0; which < 12; which++) {
                const char uplo = "GLU"[which % 3];
                const int rows = which / 3 % 2, columns = which / 6;
                struct tile a = tile_new(t, sizes[s], sizes[s] + 3, 2),
                            b = tile_new(other(t), sizes[s], sizes[s] + 3, 1);
                struct tile r = tile_new(TW_DOUBLE, sizes[s] + 3, 1, 0);
                randomise(&a, uplo), randomise(&r, 'G');
                keep(&b);
                void *da = to_gpu(&a), *db = to_gpu(&b);
                double *dr = to_gpu(&r);
                KERNEL_OK(tw_gmres_cuda_kernels[t]->lag2_scaled(&q, uplo, a.m, a.n, da, a.ld, rows ? dr : NULL,
                                                                columns ? dr : NULL, db, b.ld));
                struct tile made = from_gpu(&b, db);
                untouched(&made, uplo);
                tw_gmres_kernels[t]->lag2_scaled(uplo, a.m, a.n, a.p, a.ld, rows ? (double *)r.p : NULL,
                                                 columns ? (double *)r.p : NULL, b.p, b.ld);
                assert_memory_equal(made.p, b.p, tile_bytes(&b));
                CUDA_OK(cudaFree(da));
                CUDA_OK(cudaFree(dr));
                tile_free(&a), tile_free(&b), tile_free(&r), tile_free(&made);
            }
}

static void scalings(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 1; s < NSIZES; s++) {
            const int n = sizes[s];
            const struct tw_gmres_cuda_kernels *k = tw_gmres_cuda_kernels[t];
            struct tile a = tile_new(t, n, n, 3), r = tile_new(TW_DOUBLE, n, 1, 0), c = tile_new(TW_DOUBLE, n, 1, 0);
            int64_t info = 0, wanted = 0;
            randomise(&a, 'G');
            for (int i = 0; i < n; i++)
                put(&r, i, 0, 0.5 + i % 3), put(&c, i, 0, i % 5);
            void *da = to_gpu(&a), *dr = to_gpu(&r), *dc = to_gpu(&c), *di = upload(&info, sizeof info);
            KERNEL_OK(k->rowmax(&q, n, n, da, a.ld, dr));
            KERNEL_OK(k->colmax_scaled(&q, n, n, da, a.ld, dr, dc));
            tw_cpu_kernels[t]->rowmax(n, n, a.p, a.ld, (double *)r.p);
            tw_cpu_kernels[t]->colmax_scaled(n, n, a.p, a.ld, (double *)r.p, (double *)c.p);
            struct tile mr = from_gpu(&r, dr), mc = from_gpu(&c, dc);
            assert_memory_equal(mr.p, r.p, tile_bytes(&r));
            assert_memory_equal(mc.p, c.p, tile_bytes(&c));

            dr = to_gpu(&r);
            KERNEL_OK(k->rsqrt_diagonal(&q, n, da, a.ld, dr, di, 40));
            const int bad = tw_gmres_kernels[t]->rsqrt_diagonal(n, a.p, a.ld, (double *)r.p);
            wanted = bad ? 40 + bad : 0;
            download(&info, di, sizeof info);
            assert_true(info == wanted);
            tile_free(&mr);
            mr = from_gpu(&r, dr);
            for (int i = 0; i < n; i++)
                assert_true(fabs(((double *)mr.p)[i] / ((double *)r.p)[i] - 1) <= 0x1p-51);
            CUDA_OK(cudaFree(da));
            CUDA_OK(cudaFree(di));
            tile_free(&a), tile_free(&r), tile_free(&c), tile_free(&mr), tile_free(&mc);
        }
}

/* Numbers at both ends, and a zero. */
static void reciprocal_scalings(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int way = 0; way < 4; way++) {
            const int zero = way % 2, radix = way / 2; /* no powers of 2, whose logarithms may be rounded either way */
            enum { N = 700, PART = 256 };
            double x[N], out[N + 3], parts[N], least = INFINITY, most = 0, spread;
            int64_t info = 0;
            for (int i = 0; i < N; i++)
                x[i] = i == 300 && zero            ? 0
                       : i == 400                  ? 1e-310
                       : i == 500 && t != TW_FLOAT ? 1e300
                                                   : (radix ? 1.1 : 1) * (1 + i % 17);
            double *dx = upload(x, sizeof x), *dout = device_alloc(sizeof out);
            int64_t *di = upload(&info, sizeof info);
            struct tw_tile_at at[3] = {{dx, PART}, {dx + PART, PART}, {dx + 2 * PART, N - 2 * PART}};
            struct tw_tile_at *list = device_alloc(sizeof at);
            const struct tw_tiles tiles = {N, 1, PART, 3, at};
            KERNEL_OK(tw_gmres_cuda_kernels[t]->reciprocals(&q, radix, &tiles, dout, di, 7, list));
            if (radix) tw_cpu_kernels[t]->radix_powers(N, x);
            for (int i = 0; i < N; i++)
                least = fmin(least, x[i]), most = fmax(most, x[i]);
            download(out, dout, sizeof out);
            download(parts, dx, sizeof parts);
            download(&info, di, sizeof info);
            assert_true(info == (zero ? 308 : 0) && out[N + 1] == most && out[N + 2] == (zero ? 301 : 0));
            spread = zero ? 0 : tw_cpu_kernels[t]->reciprocals(N, x, least, most);
            assert_true(out[N] == spread);
            assert_memory_equal(out, x, sizeof x);
            assert_memory_equal(parts, x, sizeof x);
            CUDA_OK(cudaFree(dx));
            CUDA_OK(cudaFree(dout));
            CUDA_OK(cudaFree(di));
            CUDA_OK(cudaFree(list));
        }
}

static void enqueues(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const struct tw_gmres_cuda_kernels *k = tw_gmres_cuda_kernels[t];
        struct problem p;
        start(&p, t, 1);
        const struct tw_gmres_block g = block(&p);
        int64_t *info = device_alloc(sizeof *info);
        ENQUEUES(k->begin(&q, &g, p.work));
        ENQUEUES(k->step(&q, &g, 0, 1, p.left, p.work));
        ENQUEUES(k->end(&q, &g, p.work));
        ENQUEUES(k->lag2_scaled(&q, 'G', 300, 2, p.dw, ROWS, p.dr, p.dr, p.v, ROWS));
        ENQUEUES(k->rsqrt_diagonal(&q, 2, p.dw, ROWS, p.dr, info, 0));
        ENQUEUES(k->rowmax(&q, 300, 2, p.dw, ROWS, p.dr));
        ENQUEUES(k->colmax_scaled(&q, 300, 2, p.dw, ROWS, p.dr, (double *)p.v));
        ENQUEUES(k->reciprocals(&q, 0, &g.r, (double *)p.v, info, 0, (struct tw_tile_at *)p.work));
        CUDA_OK(cudaFree(info));
        finish(&p);
    }
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems),  cmocka_unit_test(conversions),         cmocka_unit_test(enqueues),
        cmocka_unit_test(scalings), cmocka_unit_test(reciprocal_scalings),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
