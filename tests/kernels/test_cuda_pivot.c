/* laqps on the GPU: blocks of QR with column exchanges. Whole factorizations are made of them, with what a block owes
 * the others done here, beside the same by the CPU's, which the tests of geqp3 hold against LAPACK's; and A P = Q R in
 * plain loops. Skipped where there is no GPU. */
#include "kernels/qr_cases.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"
#include "kernels/dense/cuda/laqps.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))

/* ---- whole factorizations ---------------------------------------------------------------------------------------- */

struct pivoted {
    int nb, k, fixed;
    struct tile a, tau;
    int32_t *jpvt;
};
static void drop_pivoted(struct pivoted *x)
{
    tile_free(&x->a), tile_free(&x->tau);
    free(x->jpvt);
}

/* One block: from row and column `at` on. */
struct block {
    int at, k;
    int64_t fixed;
    double *norms;
    int32_t *swap;
    struct tile f;
    struct tw_pivot_stop *stop;
    int64_t info;
};
static void *place(const struct tile *a, char *p, int i, int j)
{
    return p + ((size_t)i + (size_t)j * (size_t)a->ld) * tw_sizeof(a->type);
}
static struct tw_tile_grid grid_of(const struct pivoted *x, char *p, int at, struct tw_tile_at *list)
{
    const int nb = x->nb, m = x->a.m - at, n = x->a.n - at, mt = (m + nb - 1) / nb;

    for (int j = 0; j * nb < n; j++)
        for (int i = 0; i < mt; i++)
            list[i + j * mt] = (struct tw_tile_at){place(&x->a, p, at + i * nb, at + j * nb), x->a.ld};
    return (struct tw_tile_grid){m, n, nb, nb, mt, list};
}

static void block_by_cpu(struct pivoted *x, struct block *b, struct tw_tile_at *list)
{
    const enum tw_type t = x->a.type;
    const struct tw_tile_grid grid = grid_of(x, x->a.p, b->at, list);
    struct tile work = tile_new(t, 2 * grid.m + grid.n + 2 * b->k, 1, 0);
    int32_t *jpvt = x->jpvt + b->at;
    double *norms = b->norms + b->at;

    if (b->at == 0) b->fixed = tw_cpu_kernels[t]->fix_columns(&grid, jpvt);
    const int ahead = b->fixed < b->at ? -1 : (int)b->fixed - b->at;
    tw_cpu_kernels[t]->laqps(&grid, b->k, ahead, jpvt, b->swap, place(&x->tau, x->tau.p, b->at, 0), b->f.p, grid.n,
                             norms, norms + x->a.n, work.p, b->at, b->stop);
    if (b->stop && b->stop->stopped) b->info = b->stop->nan ? b->stop->nan : b->stop->inf ? x->a.n + b->stop->inf : 0;
    tile_free(&work);
}

static void block_by_gpu(struct pivoted *x, struct block *b, struct tw_tile_at *list)
{
    const enum tw_type t = x->a.type;
    const size_t n = (size_t)x->a.n;
    char *a = to_gpu(&x->a);
    const struct tw_tile_grid grid = grid_of(x, a, b->at, list);
    const size_t bytes = tw_laqps_cuda_work(tw_sizeof(t), grid.m, grid.n, grid.mt, (grid.n + x->nb - 1) / x->nb, x->nb);
    void *fixed = upload(&b->fixed, sizeof b->fixed), *tau = to_gpu(&x->tau), *f = to_gpu(&b->f),
         *swap = upload(b->swap, (size_t)b->k * sizeof *b->swap);
    int32_t *jpvt = upload(x->jpvt, n * sizeof *x->jpvt);
    double *norms = upload(b->norms, 2 * n * sizeof *b->norms);
    char *work = device_alloc(bytes + 32), behind[24];
    struct tw_pivot_stop *stop = b->stop ? upload(b->stop, sizeof *stop) : NULL;
    int64_t *info = upload(&b->info, sizeof *info);

    KERNEL_OK(tw_cuda_kernels[t]->laqps(&q, &grid, b->k, b->at == 0, b->at, fixed, jpvt + b->at, swap,
                                        place(&x->tau, tau, b->at, 0), f, norms + b->at, norms + b->at + n, work + 8,
                                        x->a.n, stop, info));
    download(behind, work + 8 + bytes, sizeof behind);
    for (size_t i = 0; i < sizeof behind; i++)
        assert_int_equal((unsigned char)behind[i], 0xff);
    download(x->a.p, a, tile_bytes(&x->a)), download(x->tau.p, tau, tile_bytes(&x->tau));
    download(b->f.p, f, tile_bytes(&b->f)), download(b->swap, swap, (size_t)b->k * sizeof *b->swap);
    download(x->jpvt, jpvt, n * sizeof *x->jpvt), download(b->norms, norms, 2 * n * sizeof *b->norms);
    download(&b->fixed, fixed, sizeof b->fixed), download(&b->info, info, sizeof b->info);
    if (stop) download(b->stop, stop, sizeof *stop);
    CUDA_OK(cudaFree(stop));
    CUDA_OK(cudaFree(info));
    CUDA_OK(cudaFree(a));
    CUDA_OK(cudaFree(fixed));
    CUDA_OK(cudaFree(tau));
    CUDA_OK(cudaFree(f));
    CUDA_OK(cudaFree(swap));
    CUDA_OK(cudaFree(jpvt));
    CUDA_OK(cudaFree(norms));
    CUDA_OK(cudaFree(work));
}

/* What the block owes the tiles behind it, and its exchanges in the rows above. */
static void rest_of_block(struct pivoted *x, const struct block *b)
{
    const enum tw_type t = x->a.type;
    const int behind = b->at + x->nb, m = x->a.m - behind, n = x->a.n - behind;

    if (m > 0 && n > 0)
        tw_cpu_kernels[t]->gemm('N', tw_is_complex(t) ? 'C' : 'T', m, n, b->k, (tw_scalar){-1, 0},
                                place(&x->a, x->a.p, behind, b->at), x->a.ld, place(&b->f, b->f.p, x->nb, 0), b->f.ld,
                                (tw_scalar){1, 0}, place(&x->a, x->a.p, behind, behind), x->a.ld);
    for (int j = 0; j < b->k; j++)
        for (int i = 0; i < b->at; i++) {
            const int c = b->at + j, d = b->at + b->swap[j];
            const zz e = get(&x->a, i, c);
            put(&x->a, i, c, get(&x->a, i, d)), put(&x->a, i, d, e);
        }
}

enum by { CPUS, GPU };
/* first: columns that are to come first have a 1; NULL: none. */
static struct pivoted factored_until(enum by by, const struct tile *a, int nb, const char *first,
                                     struct tw_pivot_stop *stop, int64_t *info)
{
    const enum tw_type t = a->type;
    const int n = a->n, k = a->m < n ? a->m : n, tiles = (a->m / nb + 1) * (n / nb + 1);
    struct pivoted x = {.nb = nb, .k = k, .a = tile_copy(a), .tau = tile_new(t, k, 1, 0)};
    struct tw_tile_at *list = malloc((size_t)tiles * sizeof *list);
    struct block b = {
        .stop = stop, .norms = malloc(2 * (size_t)n * sizeof(double)), .swap = malloc((size_t)nb * sizeof(int32_t))};

    x.jpvt = malloc((size_t)n * sizeof *x.jpvt);
    assert_true(list && b.norms && b.swap && x.jpvt);
    memset(b.norms, 0xff, 2 * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        x.jpvt[j] = first && first[j];
    for (b.at = 0; b.at < k && !(stop && stop->stopped); b.at += nb) {
        b.k = k - b.at < nb ? k - b.at : nb;
        b.f = tile_new(t, n - b.at, b.k, 0);
        memset(b.swap, 0xff, (size_t)b.k * sizeof *b.swap);
        (by == GPU ? block_by_gpu : block_by_cpu)(&x, &b, list);
        for (int j = 0; j < b.k; j++)
            assert_true(b.swap[j] >= j && b.swap[j] < n - b.at);
        rest_of_block(&x, &b);
        tile_free(&b.f);
    }
    x.fixed = (int)b.fixed;
    if (info) *info = b.info;
    free(list), free(b.norms), free(b.swap);
    untouched(&x.a, 'G');
    return x;
}
static struct pivoted factored(enum by by, const struct tile *a, int nb, const char *first)
{
    return factored_until(by, a, nb, first, NULL, NULL);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static double absolute(zz x)
{
    return hypot(__real__ x, __imag__ x);
}
static double largest_of_tile(const struct tile *a)
{
    double most = 0;
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            most = fmax(most, size_of(get(a, i, j)));
    return most;
}

/* jpvt is a permutation, with the columns that are to come first in front, and R's diagonal falls, down to rounding. */
static void check_order(const struct tile *a, const struct pivoted *x, const char *first)
{
    const double slack = tw_is_single(a->type) ? 1e-2 : 1e-6;
    char *seen = calloc((size_t)a->n, 1);
    double top = 0;

    for (int j = 0; j < a->n; j++) {
        const int from = x->jpvt[j] - 1;
        assert_true(from >= 0 && from < a->n && !seen[from]);
        seen[from] = 1;
        assert_int_equal(j < x->fixed, first && first[from]);
    }
    free(seen);
    for (int j = 0; j < x->fixed && j < x->k; j++)
        top = fmax(top, absolute(get(&x->a, j, j)));
    for (int j = x->fixed; j < x->k; j++) {
        const double one = absolute(get(&x->a, j, j)), next = j + 1 < x->k ? absolute(get(&x->a, j + 1, j + 1)) : 0;
        top = fmax(top, one);
        if (one <= (a->m + a->n) * eps_of(a->type) * top) break;
        if (next > one * (1 + slack))
            fail_msg("type %c, %d x %d: |R(%d, %d)| = %g, the next one %g", tw_letter(a->type), a->m, a->n, j, j, one,
                     next);
    }
}

/* A P = Q R, Q unitary. */
static void check_product(const struct tile *a, const struct pivoted *x)
{
    const enum tw_type t = a->type;
    const int m = a->m, n = a->n;
    const double size = largest_of_tile(a), unit = 10.0 * (m + n) * eps_of(t);
    zz *Q = dense_reflectors(&x->a, 'C', m, x->k, &x->tau), *R_ = dense_new(m, n), *product;

    assert_true(from_unitary(t, Q, m) <= 3);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j && i < m; i++)
            R_[i + (size_t)j * (size_t)m] = size > 0 ? get(&x->a, i, j) / size : 0;
    product = dense_multiply(m, n, m, Q, R_, 0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const zz want = size > 0 ? get(a, i, x->jpvt[j] - 1) / size : 0;
            if (!(size_of(product[i + (size_t)j * (size_t)m] - want) <= unit))
                fail_msg("type %c, %d x %d, tiles of %d: (Q R)(%d, %d) is %g, not %g", tw_letter(t), m, n, x->nb, i, j,
                         __real__ product[i + (size_t)j * (size_t)m], __real__ want);
        }
    free(Q), free(R_), free(product);
}

static void same_pivots(const struct pivoted *x, const struct pivoted *y, int count)
{
    for (int j = 0; j < count; j++)
        if (x->jpvt[j] != y->jpvt[j])
            fail_msg("type %c, %d x %d, tiles of %d: column %d was %d, by the CPU %d", tw_letter(x->a.type), x->a.m,
                     x->a.n, x->nb, j, x->jpvt[j], y->jpvt[j]);
}
/* Element by element, where the exchanges are the same. A NaN is as good as another one. */
static void same_factors(const struct pivoted *x, const struct pivoted *y)
{
    const double unit = 200.0 * (x->a.m + x->a.n) * eps_of(x->a.type), size = largest_of_tile(&y->a);

    for (int j = 0; j < x->a.n; j++)
        for (int i = 0; i < x->a.m; i++) {
            const zz a = get(&x->a, i, j), b = get(&y->a, i, j);
            if (isnan(size_of(a)) && isnan(size_of(b))) continue;
            if (!(size_of(a - b) <= unit * fmax(size, 1)))
                fail_msg("type %c, %d x %d, tiles of %d: element (%d, %d) is %g, by the CPU %g", tw_letter(x->a.type),
                         x->a.m, x->a.n, x->nb, i, j, __real__ a, __real__ b);
        }
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

static const struct {
    int m, n, nb, pad;
} shapes_of_blocks[] = {{1, 1, 1, 0},      {1, 5, 3, 1},     {5, 1, 8, 0},      {7, 7, 7, 1},      {5, 9, 4, 0},
                        {9, 5, 4, 2},      {33, 40, 7, 0},   {64, 64, 64, 0},   {70, 50, 64, 1},   {50, 70, 64, 0},
                        {129, 130, 32, 3}, {65, 300, 64, 0}, {300, 65, 100, 1}, {260, 280, 130, 0}};
enum { SMALL = 11 };

enum kind { RANDOM, TIES, ZERO_COLUMN, ZERO, KAHAN, PARALLEL, GRADED, RANK_TWO, TINY, HUGE_ONE, KINDS };
static struct tile made(enum tw_type t, enum kind kind, int m, int n, int pad)
{
    struct tile a = random_tile(t, m, n, pad);
    const double s = 0.9, c = sqrt(1 - s * s), off = tw_is_single(t) ? 1e-3 : 1e-7;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            zz x = get(&a, i, j);
            switch (kind) {
            case TIES: x = (i * 7 + j * 3 + i * j) % 5 < 2 ? -1 : 1; break;
            case ZERO_COLUMN: x = j == n / 2 ? 0 : x; break;
            case ZERO: x = 0; break;
            case KAHAN: x = i > j ? 0 : pow(s, i) * (i == j ? 1 : -c); break;
            case PARALLEL: x = 1 + i % 3 + off * x; break; /* norms cancel at once */
            case GRADED: x *= pow(tw_is_single(t) ? 0.8 : 0.5, i); break;
            case RANK_TWO: x = (1 + i % 3) * (0.5 + j % 5) + (i % 2) * (j % 3); break;
            case TINY: x *= tw_is_single(t) ? 1e-36 : 1e-300; break;
            case HUGE_ONE: x *= tw_is_single(t) ? 1e36 : 1e300; break;
            default: break;
            }
            put(&a, i, j, x);
        }
    keep(&a);
    return a;
}

/* Which columns are to come first: none, one in three, all, the last one alone. */
enum { CHOICES = 4 };
static char *columns_first(int n, int which)
{
    char *first = calloc((size_t)n, 1);
    for (int j = 0; j < n; j++)
        first[j] = which == 1 ? j % 3 == 1 : which == 2 ? 1 : which == 3 ? j == n - 1 : 0;
    return first;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void beside_cpu(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < COUNT(shapes_of_blocks); s++)
            for (int which = 0; which < CHOICES; which++) {
                const int n = shapes_of_blocks[s].n, nb = shapes_of_blocks[s].nb;
                struct tile a = random_tile(t, shapes_of_blocks[s].m, n, shapes_of_blocks[s].pad);
                char *first = columns_first(n, which);
                struct pivoted x = factored(GPU, &a, nb, first), y = factored(CPUS, &a, nb, first);

                check_order(&a, &x, first);
                if (!tw_is_single(t)) same_pivots(&x, &y, n), same_factors(&x, &y);
                if (s < SMALL) check_product(&a, &x);
                drop_pivoted(&x), drop_pivoted(&y), tile_free(&a);
                free(first);
            }
}

static void kinds(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++)
            for (int s = 0; s < SMALL; s++)
                for (int which = 0; which < 2; which++) {
                    const int m = shapes_of_blocks[s].m, n = shapes_of_blocks[s].n, nb = shapes_of_blocks[s].nb;
                    struct tile a = made(t, (enum kind)kind, m, n, shapes_of_blocks[s].pad);
                    char *first = columns_first(n, which);
                    struct pivoted x = factored(GPU, &a, nb, first), y = factored(CPUS, &a, nb, first);

                    check_order(&a, &x, first);
                    check_product(&a, &x);
                    assert_int_equal(x.fixed, y.fixed);
                    same_pivots(&x, &y, kind == ZERO ? n : x.fixed + (kind == TIES && x.fixed == 0 && x.k > 0));
                    drop_pivoted(&x), drop_pivoted(&y), tile_free(&a);
                    free(first);
                }
}

/* Powers of two, as far as the type has them, move neither exchanges nor V nor tau. */
static void scales(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int e = -1; e <= 1; e += 2) {
            const int n = 60, m = 70, by = e * (tw_is_single(t) ? 100 : 900);
            struct tile a = random_tile(t, m, n, 1), b = tile_copy(&a);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < m; i++)
                    put(&b, i, j, get(&a, i, j) * ldexp(1, by));
            keep(&b);
            struct pivoted x = factored(GPU, &a, 32, NULL), y = factored(GPU, &b, 32, NULL);
            same_pivots(&y, &x, n);
            for (int j = 0; j < n; j++) {
                assert_true(size_of(get(&x.tau, j, 0) - get(&y.tau, j, 0)) <= 1e4 * eps_of(t));
                for (int i = 0; i < m; i++)
                    assert_true(size_of(get(&x.a, i, j) - get(&y.a, i, j) * (i > j ? 1 : ldexp(1, -by))) <=
                                1e4 * eps_of(t));
            }
            drop_pivoted(&x), drop_pivoted(&y), tile_free(&a), tile_free(&b);
        }
}

/* A NaN, or an infinity, ends as the CPU's does: where it comes to its own turn, all that follows is NaN. */
static void not_a_number(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int kind = 0; kind < 2; kind++)
            for (int at = 0; at < 40; at += 13) {
                const int n = 40;
                struct tile a = random_tile(t, 45, n, 1);
                put(&a, 17, at, kind ? INFINITY : NAN);
                keep(&a);
                struct pivoted x = factored(GPU, &a, 16, NULL), y = factored(CPUS, &a, 16, NULL);
                if (!tw_is_single(t)) same_pivots(&x, &y, n);
                if (!tw_is_single(t) && !kind) same_factors(&x, &y);
                drop_pivoted(&x), drop_pivoted(&y), tile_free(&a);
            }
}

/* What ends before the last column: after a number of them, at a norm, a share of the first one's, a rank, a NaN, an
 * infinity: where the CPUs' does, and leaves the same. */
static void ends(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int which = 0; which < 9; which++) {
            const int m = 75, n = 90, nb = 32;
            struct tw_pivot_stop stop[2];
            int64_t info[2];
            struct tile a = made(t, which == 7 ? RANK_TWO : which == 8 ? ZERO : GRADED, m, n, 1);
            if (which == 5 || which == 6) put(&a, 40, 21, which == 5 ? NAN : INFINITY);
            keep(&a);
            for (int by = 0; by < 2; by++)
                stop[by] = (struct tw_pivot_stop){.kmax = which == 0   ? 0
                                                          : which == 1 ? 20
                                                          : which == 2 ? 64
                                                                       : 1000,
                                                  .abstol = which == 3 ? 1e-3 : -1,
                                                  .reltol = which == 4   ? 1e-2
                                                            : which == 7 ? 1e-3
                                                                         : -1};
            struct pivoted x = factored_until(GPU, &a, nb, NULL, &stop[0], &info[0]),
                           y = factored_until(CPUS, &a, nb, NULL, &stop[1], &info[1]);
            assert_int_equal(stop[0].k, stop[1].k);
            assert_int_equal(stop[0].stopped, stop[1].stopped);
            assert_int_equal(stop[0].nan, stop[1].nan);
            assert_int_equal(stop[0].inf, stop[1].inf);
            assert_int_equal(info[0], info[1]);
            if (which < 5 && !tw_is_single(t)) {
                same_pivots(&x, &y, n);
                same_factors(&x, &y);
                for (int j = 0; j < x.k && j < (stop[0].k / nb + 1) * nb; j++)
                    if (j >= stop[0].k) assert_true(get(&x.tau, j, 0) == get(&y.tau, j, 0));
            }
            drop_pivoted(&x), drop_pivoted(&y), tile_free(&a);
        }
}

/* Tiles of more rows than a block of threads takes, of more reflectors than are taken at a time, and more columns than
 * are summed up side by side. */
static void larger_ones(void **state)
{
    static const struct {
        int m, n, nb;
    } large[] = {{2300, 90, 1100}, {700, 650, 300}, {900, 1000, 128}};
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < COUNT(large); s++)
            for (int kind = 0; kind < 2; kind++) {
                struct tile a = made(t, kind ? PARALLEL : RANDOM, large[s].m, large[s].n, 1);
                struct pivoted x = factored(GPU, &a, large[s].nb, NULL), y = factored(CPUS, &a, large[s].nb, NULL);
                check_order(&a, &x, NULL);
                if (!tw_is_single(t) && !kind) same_pivots(&x, &y, large[s].n), same_factors(&x, &y);
                drop_pivoted(&x), drop_pivoted(&y), tile_free(&a);
            }
}

/* Bit for bit the same a second time. */
static void repeats(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int kind = 0; kind < 2; kind++) {
            struct tile a = made(t, kind ? PARALLEL : RANDOM, 500, 520, 0);
            struct pivoted x = factored(GPU, &a, 128, NULL), y = factored(GPU, &a, 128, NULL);
            assert_memory_equal(x.a.p, y.a.p, tile_bytes(&x.a));
            assert_memory_equal(x.tau.p, y.tau.p, tile_bytes(&x.tau));
            assert_memory_equal(x.jpvt, y.jpvt, (size_t)a.n * sizeof *x.jpvt);
            drop_pivoted(&x), drop_pivoted(&y), tile_free(&a);
        }
}

static void enqueues(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const int n = 900, k = 128;
        struct tile a = random_tile(t, n, n, 0), f = tile_new(t, n, k, 0);
        struct pivoted x = {.nb = k, .a = a};
        struct tw_tile_at list[64];
        char *d = to_gpu(&a);
        const struct tw_tile_grid grid = grid_of(&x, d, 0, list);
        const size_t bytes = tw_laqps_cuda_work(tw_sizeof(t), n, n, grid.mt, grid.mt, k);
        void *df = to_gpu(&f), *work = device_alloc(bytes), *numbers = device_alloc(64 * (size_t)n);
        int32_t *jpvt = numbers, *swap = jpvt + n;
        double *norm = (double *)(swap + n), *summed = norm + n;
        int64_t *fixed = (int64_t *)(summed + n);
        char *tau = (char *)(fixed + 2);
        ENQUEUES(tw_cuda_kernels[t]->laqps(&q, &grid, k, 1, 0, fixed, jpvt, swap, tau, df, norm, summed, work, n, NULL,
                                           NULL));
        CUDA_OK(cudaFree(d));
        CUDA_OK(cudaFree(df));
        CUDA_OK(cudaFree(work));
        CUDA_OK(cudaFree(numbers));
        tile_free(&a), tile_free(&f);
    }
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_cpu),   cmocka_unit_test(kinds),    cmocka_unit_test(scales),
        cmocka_unit_test(not_a_number), cmocka_unit_test(ends),     cmocka_unit_test(larger_ones),
        cmocka_unit_test(repeats),      cmocka_unit_test(enqueues),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
