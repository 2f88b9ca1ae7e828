/* BLAS-3, geadd and the transposed copy of kernels/dense/cpu against plain loops: four types, all letters, ragged
 * sizes, padding. */
#include <cblas.h>
#include "kernels/tiles.h"

static const struct {
    tw_scalar alpha, beta;
} factors[] = {{{1, 0}, {1, 0}}, {{-1, 0}, {1, 0}}, {{0.7, -0.4}, {-1.3, 0.2}}, {{1, 0}, {0, 0}}, {{0, 0}, {0.5, 0.5}}};
#define NFACTORS ((int)(sizeof factors / sizeof factors[0]))

static zz scalar(enum tw_type t, tw_scalar s)
{
    return make(s.re, tw_is_complex(t) ? s.im : 0);
}

/* want = alpha product + beta c (c is not read when beta is 0), scale likewise in magnitudes. */
static void update(struct tile *c, char uplo, zz alpha, zz beta, zz *product, zz *scale)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++) {
            size_t p = (size_t)i + (size_t)j * (size_t)c->m;
            product[p] *= alpha;
            scale[p] *= size_of(alpha);
            if (beta != 0 && in_part(uplo, i, j)) {
                product[p] += beta * get(c, i, j);
                scale[p] += size_of(beta) * size_of(get(c, i, j));
            }
        }
}

static void one_gemm(enum tw_type t, char ta, char tb, int m, int n, int k, int f)
{
    struct tile a = tile_new(t, ta == 'N' ? m : k, ta == 'N' ? k : m, 3);
    struct tile b = tile_new(t, tb == 'N' ? k : n, tb == 'N' ? n : k, 1), c = tile_new(t, m, n, 2);
    randomise(&a, 'G');
    randomise(&b, 'G');
    if (factors[f].beta.re != 0) randomise(&c, 'G');
    keep(&c);
    zz *da = dense_op(&a, ta), *db = dense_op(&b, tb);
    zz *want = dense_multiply(m, n, k, da, db, 0), *scale = dense_multiply(m, n, k, da, db, 1);
    update(&c, 'G', scalar(t, factors[f].alpha), scalar(t, factors[f].beta), want, scale);
    tw_cpu_kernels[t]->gemm(ta, tb, m, n, k, factors[f].alpha, a.p, a.ld, b.p, b.ld, factors[f].beta, c.p, c.ld);
    close_to(&c, 'G', want, scale, k, "gemm");
    untouched(&c, 'G');
    free(da), free(db), free(want), free(scale);
    tile_free(&a), tile_free(&b), tile_free(&c);
}

static void gemm(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 9; x++)
            for (int s = 0; s < NSIZES; s++)
                for (int f = 0; f < NFACTORS; f++)
                    one_gemm(t, "NTC"[x / 3], "NTC"[x % 3], sizes[s], sizes[(s + x) % NSIZES], sizes[(s * 3 + f) % 7],
                             f);
}

static void one_rank_k(enum tw_type t, int hermitian, char uplo, char trans, int n, int k, int f)
{
    char other = hermitian ? 'C' : 'T';
    struct tile a = tile_new(t, trans == 'N' ? n : k, trans == 'N' ? k : n, 3), c = tile_new(t, n, n, 2);
    tw_scalar alpha = factors[f].alpha, beta = factors[f].beta;
    if (hermitian) alpha.im = beta.im = 0;
    randomise(&a, 'G');
    if (beta.re != 0) randomise(&c, uplo);
    keep(&c);
    zz *da = dense_op(&a, trans == 'N' ? 'N' : other), *db = dense_op(&a, trans == 'N' ? other : 'N');
    zz *want = dense_multiply(n, n, k, da, db, 0), *scale = dense_multiply(n, n, k, da, db, 1);
    update(&c, uplo, scalar(t, alpha), scalar(t, beta), want, scale);
    if (hermitian) { /* imaginary parts of the diagonal are not read and become zero */
        for (int i = 0; i < n; i++)
            want[i + (size_t)i * n] = __real__ want[i + (size_t)i * n];
        tw_cpu_kernels[t]->herk(uplo, trans, n, k, alpha.re, a.p, a.ld, beta.re, c.p, c.ld);
    } else {
        tw_cpu_kernels[t]->syrk(uplo, trans, n, k, alpha, a.p, a.ld, beta, c.p, c.ld);
    }
    close_to(&c, uplo, want, scale, k, hermitian ? "herk" : "syrk");
    untouched(&c, uplo);
    free(da), free(db), free(want), free(scale);
    tile_free(&a), tile_free(&c);
}

static void rank_k(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 8; x++)
            for (int s = 0; s < NSIZES; s++)
                for (int f = 0; f < NFACTORS; f++) {
                    char trans = x & 2 ? (x & 4 ? 'C' : 'T') : 'N';
                    one_rank_k(t, x >> 2, "LU"[x & 1], trans, sizes[s], sizes[1 + (s + f) % 7], f);
                }
}

/* The whole of a symmetric or hermitian matrix behind its triangle. */
static zz *dense_mirrored(const struct tile *a, char uplo, int hermitian)
{
    int n = a->n;
    zz *d = dense_new(n, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            zz x = in_part(uplo, i, j) ? get(a, i, j) : get(a, j, i);
            if (hermitian) x = i == j ? __real__ x : in_part(uplo, i, j) ? x : ~x;
            d[i + (size_t)j * (size_t)n] = x;
        }
    return d;
}

static void one_symm(enum tw_type t, int hermitian, char side, char uplo, int m, int n, int f)
{
    int order = side == 'L' ? m : n;
    struct tile a = tile_new(t, order, order, 3), b = tile_new(t, m, n, 1), c = tile_new(t, m, n, 2);
    tw_scalar alpha = factors[f].alpha, beta = factors[f].beta;
    randomise(&a, uplo);
    randomise(&b, 'G');
    for (int i = 0; i < order && hermitian && tw_is_complex(t); i++)
        put(&a, i, i, make(__real__ get(&a, i, i), 17)); /* not to be read */
    if (beta.re != 0) randomise(&c, 'G');
    keep(&c);
    zz *da = dense_mirrored(&a, uplo, hermitian), *db = dense_op(&b, 'N');
    zz *want = side == 'L' ? dense_multiply(m, n, m, da, db, 0) : dense_multiply(m, n, n, db, da, 0);
    zz *scale = side == 'L' ? dense_multiply(m, n, m, da, db, 1) : dense_multiply(m, n, n, db, da, 1);
    update(&c, 'G', scalar(t, alpha), scalar(t, beta), want, scale);
    (hermitian ? tw_cpu_kernels[t]->hemm : tw_cpu_kernels[t]->symm)(side, uplo, m, n, alpha, a.p, a.ld, b.p, b.ld, beta,
                                                                    c.p, c.ld);
    close_to(&c, 'G', want, scale, order, hermitian ? "hemm" : "symm");
    untouched(&c, 'G');
    free(da), free(db), free(want), free(scale);
    tile_free(&a), tile_free(&b), tile_free(&c);
}

static void symm(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 8; x++)
            for (int s = 0; s < NSIZES; s++)
                for (int f = 0; f < NFACTORS; f++)
                    one_symm(t, x >> 2, "LR"[x & 1], "LU"[x >> 1 & 1], sizes[s], sizes[(s + x + f) % NSIZES], f);
}

static void one_rank_2k(enum tw_type t, int hermitian, char uplo, char trans, int n, int k, int f)
{
    char other = hermitian ? 'C' : 'T';
    struct tile a = tile_new(t, trans == 'N' ? n : k, trans == 'N' ? k : n, 3), b = tile_new(t, a.m, a.n, 1);
    struct tile c = tile_new(t, n, n, 2);
    tw_scalar alpha = factors[f].alpha, beta = factors[f].beta;
    if (hermitian) beta.im = 0;
    randomise(&a, 'G'), randomise(&b, 'G');
    if (beta.re != 0) randomise(&c, uplo);
    keep(&c);
    char first = trans == 'N' ? 'N' : other, second = trans == 'N' ? other : 'N';
    zz *a1 = dense_op(&a, first), *a2 = dense_op(&a, second), *b1 = dense_op(&b, first), *b2 = dense_op(&b, second);
    zz *want = dense_multiply(n, n, k, a1, b2, 0), *scale = dense_multiply(n, n, k, a1, b2, 1);
    zz *ba = dense_multiply(n, n, k, b1, a2, 0), *ba_scale = dense_multiply(n, n, k, b1, a2, 1);
    zz al = scalar(t, alpha), al2 = hermitian ? ~al : al;
    for (size_t p = 0; p < (size_t)n * (size_t)n; p++) {
        want[p] = al * want[p] + al2 * ba[p];
        scale[p] = size_of(al) * (scale[p] + ba_scale[p]);
    }
    update(&c, uplo, 1, scalar(t, beta), want, scale);
    for (int i = 0; i < n && hermitian; i++)
        want[i + (size_t)i * (size_t)n] = __real__ want[i + (size_t)i * (size_t)n];
    if (hermitian)
        tw_cpu_kernels[t]->her2k(uplo, trans, n, k, alpha, a.p, a.ld, b.p, b.ld, beta.re, c.p, c.ld);
    else
        tw_cpu_kernels[t]->syr2k(uplo, trans, n, k, alpha, a.p, a.ld, b.p, b.ld, beta, c.p, c.ld);
    close_to(&c, uplo, want, scale, 2 * k, hermitian ? "her2k" : "syr2k");
    untouched(&c, uplo);
    free(a1), free(a2), free(b1), free(b2), free(want), free(scale), free(ba), free(ba_scale);
    tile_free(&a), tile_free(&b), tile_free(&c);
}

static void rank_2k(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 8; x++)
            for (int s = 0; s < NSIZES; s++)
                for (int f = 0; f < NFACTORS; f++) {
                    char trans = x & 2 ? (x & 4 ? 'C' : 'T') : 'N';
                    one_rank_2k(t, x >> 2, "LU"[x & 1], trans, sizes[s], sizes[1 + (s + f) % 7], f);
                }
}

/* B = alpha op(A) + beta B; the tile with factor 0 is NaN. */
static void add(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NSIZES; s++)
                for (int f = 0; f < NFACTORS; f++) {
                    char trans = "NTC"[x];
                    int m = sizes[s], n = sizes[(s + x + f) % NSIZES];
                    tw_scalar alpha = factors[f].alpha, beta = factors[f].beta;
                    struct tile a = tile_new(t, trans == 'N' ? m : n, trans == 'N' ? n : m, 1),
                                b = tile_new(t, m, n, 2);
                    if (alpha.re != 0) randomise(&a, 'G');
                    if (beta.re != 0) randomise(&b, 'G');
                    keep(&b);
                    zz *want = alpha.re != 0 ? dense_op(&a, trans) : dense_new(m, n), *scale = dense_new(m, n);
                    for (size_t p = 0; p < (size_t)m * (size_t)n; p++)
                        scale[p] = size_of(want[p]);
                    update(&b, 'G', scalar(t, alpha), scalar(t, beta), want, scale);
                    tw_cpu_kernels[t]->geadd(trans, m, n, alpha, a.p, a.ld, beta, b.p, b.ld);
                    close_to(&b, 'G', want, scale, 0, "geadd");
                    untouched(&b, 'G');
                    free(want), free(scale);
                    tile_free(&a), tile_free(&b);
                }
}

static void transposed(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 2; x++)
            for (int s = 0; s < NSIZES * NSIZES; s++) {
                int m = sizes[s / NSIZES], n = sizes[s % NSIZES];
                struct tile a = tile_new(t, m, n, 3), b = tile_new(t, n, m, 1);
                randomise(&a, 'G');
                keep(&b);
                tw_cpu_kernels[t]->transpose("TC"[x], m, n, a.p, a.ld, b.p, b.ld);
                untouched(&b, 'G');
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        assert_true(get(&b, j, i) == (x ? ~get(&a, i, j) : get(&a, i, j)));
                tile_free(&a), tile_free(&b);
            }
}

/* Triangular kernels: op(A) X = alpha B is tested by multiplying back, trmm by the product. */
static void one_triangular(enum tw_type t, int solve, char side, char uplo, char trans, char diag, int m, int n, int f)
{
    int order = side == 'L' ? m : n;
    struct tile a = tile_new(t, order, order, 3), b = tile_new(t, m, n, 2), x;
    tw_scalar alpha = factors[f].alpha;
    random_triangle(&a, uplo, diag);
    if (alpha.re != 0 || alpha.im != 0) randomise(&b, 'G'); /* alpha = 0: B is set, not read */
    keep(&b);
    x = tile_copy(&b);
    if (solve)
        tw_cpu_kernels[t]->trsm(side, uplo, trans, diag, m, n, alpha, a.p, a.ld, x.p, x.ld);
    else
        tw_cpu_kernels[t]->trmm(side, uplo, trans, diag, m, n, alpha, a.p, a.ld, x.p, x.ld);
    struct tile *in = solve ? &x : &b, *out = solve ? &b : &x;
    if (alpha.re == 0 && alpha.im == 0) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                assert_true(get(&x, i, j) == 0);
    } else {
        zz *da = dense_triangle(&a, uplo, trans, diag), *dx = dense_op(in, 'N');
        zz *want = side == 'L' ? dense_multiply(m, n, m, da, dx, 0) : dense_multiply(m, n, n, dx, da, 0);
        zz *scale = side == 'L' ? dense_multiply(m, n, m, da, dx, 1) : dense_multiply(m, n, n, dx, da, 1);
        zz factor = solve ? 1 / scalar(t, alpha) : scalar(t, alpha);
        for (size_t p = 0; p < (size_t)m * (size_t)n; p++)
            want[p] *= factor, scale[p] *= size_of(factor);
        close_to(out, 'G', want, scale, order, solve ? "trsm" : "trmm");
        free(da), free(dx), free(want), free(scale);
    }
    untouched(&x, 'G');
    tile_free(&a), tile_free(&b), tile_free(&x);
}

static void triangular(int solve)
{
    static const int counts[] = {1, 2, 4, 5, 8, 9, 16, 17, 33, 70};
    FOR_TYPES(t)
        for (int x = 0; x < 24; x++)
            for (int s = 0; s < NSIZES; s++)
                for (int f = 0; f < NFACTORS; f++) {
                    int order = sizes[s], count = order == 0 ? 3 : (x + f) % 7 == 6 ? 0 : counts[(x + s + f * 3) % 10];
                    char side = "LR"[x & 1];
                    one_triangular(t, solve, side, "LU"[x >> 1 & 1], "NTC"[x / 8], "NU"[x >> 2 & 1],
                                   side == 'L' ? order : count, side == 'L' ? count : order, f);
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

/* Out of place, to the bit what it is in place. */
static void trmm_to(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 24; x++)
            for (int s = 0; s < NSIZES; s++) {
                char side = "LR"[x & 1], uplo = "LU"[x >> 1 & 1], trans = "NTC"[x / 8], diag = "NU"[x >> 2 & 1];
                int m = sizes[s], n = sizes[(s + x) % NSIZES], order = side == 'L' ? m : n, f = (x + s) % NFACTORS;
                struct tile a = tile_new(t, order, order, 3), b = tile_new(t, m, n, 2), c = tile_new(t, m, n, 1),
                            d = tile_new(t, m, n, 1);
                random_triangle(&a, uplo, diag);
                if (factors[f].alpha.re != 0) randomise(&b, 'G');
                keep(&b), keep(&c);
                tw_cpu_kernels[t]->lacpy('G', m, n, b.p, b.ld, d.p, d.ld);
                tw_cpu_kernels[t]->trmm(side, uplo, trans, diag, m, n, factors[f].alpha, a.p, a.ld, d.p, d.ld);
                tw_cpu_kernels[t]->trmm_to(side, uplo, trans, diag, m, n, factors[f].alpha, a.p, a.ld, b.p, b.ld, c.p,
                                           c.ld);
                untouched(&b, 0x7f), untouched(&c, 'G');
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        assert_true(get(&c, i, j) == get(&d, i, j));
                tile_free(&a), tile_free(&b), tile_free(&c), tile_free(&d);
            }
}

/* alpha = 0: A and B may hold anything. */
static void nothing_read(void **state)
{
    (void)state;
    const tw_scalar zero = {0, 0}, half = {0.5, 0};
    FOR_TYPES(t) {
        const struct tw_cpu_kernels *k = tw_cpu_kernels[t];
        for (int x = 0; x < 4; x++) {
            char uplo = x < 2 ? 'G' : 'L';
            struct tile a = tile_new(t, 70, 70, 1), c = tile_new(t, 70, 70, 2);
            randomise(&c, uplo);
            keep(&c);
            if (x == 0) k->gemm('N', 'C', 70, 70, 70, zero, a.p, a.ld, a.p, a.ld, half, c.p, c.ld);
            if (x == 1) k->symm('L', 'U', 70, 70, zero, a.p, a.ld, a.p, a.ld, half, c.p, c.ld);
            if (x == 2) k->syrk('L', 'N', 70, 70, zero, a.p, a.ld, half, c.p, c.ld);
            if (x == 3) k->syr2k('L', 'N', 70, 70, zero, a.p, a.ld, a.p, a.ld, half, c.p, c.ld);
            struct tile old = tile_copy(&c);
            memcpy(old.p, c.before, tile_bytes(&c));
            for (int j = 0; j < 70; j++)
                for (int i = 0; i < 70; i++)
                    if (in_part(uplo, i, j)) assert_true(get(&c, i, j) == get(&old, i, j) * 0.5);
            tile_free(&a), tile_free(&c), tile_free(&old);
        }
    }
}

/* Largest componentwise backward error |B - A X| / (|A| |X| + |B|), in eps. */
static double backward_error(const struct tile *a, const struct tile *b, const struct tile *x, char uplo)
{
    int m = b->m, n = b->n;
    zz *da = dense_triangle(a, uplo, 'N', 'N'), *dx = dense_op(x, 'N');
    zz *r = dense_multiply(m, n, m, da, dx, 0), *scale = dense_multiply(m, n, m, da, dx, 1);
    double worst = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            size_t p = (size_t)i + (size_t)j * (size_t)m;
            double e = size_of(r[p] - get(b, i, j)) / (__real__ scale[p] + size_of(get(b, i, j)));
            if (!(e <= worst)) worst = e;
        }
    free(da), free(dx), free(r), free(scale);
    return worst / eps_of(b->type);
}

/* A badly scaled triangle (condition above 1e12): the recursive solve is as backward stable as OpenBLAS' own. */
static void trsm_accuracy(void **state)
{
    (void)state;
    for (int u = 0; u < 2; u++) {
        char uplo = "LU"[u];
        struct tile a = tile_new(TW_DOUBLE, 200, 200, 0), b = tile_new(TW_DOUBLE, 200, 70, 0), x, y;
        for (int j = 0; j < 200; j++)
            for (int i = 0; i < 200; i++)
                if (in_part(uplo, i, j)) put(&a, i, j, pow(10, -(i > j ? i : j) / 16.0) * (i == j ? 1 : uniform()));
        randomise(&b, 'G');
        x = tile_copy(&b);
        y = tile_copy(&b);
        tw_cpu_kernels[TW_DOUBLE]->trsm('L', uplo, 'N', 'N', 200, 70, (tw_scalar){1, 0}, a.p, a.ld, x.p, x.ld);
        cblas_dtrsm(CblasColMajor, CblasLeft, uplo == 'L' ? CblasLower : CblasUpper, CblasNoTrans, CblasNonUnit, 200,
                    70, 1, (double *)a.p, a.ld, (double *)y.p, y.ld);
        double ours = backward_error(&a, &b, &x, uplo), plain = backward_error(&a, &b, &y, uplo);
        print_message("trsm '%c', componentwise backward error in eps: %.2f, OpenBLAS %.2f\n", uplo, ours, plain);
        assert_true(ours > 0 && plain > 0);
        assert_true(ours <= 2 * plain + 2);
        tile_free(&a), tile_free(&b), tile_free(&x), tile_free(&y);
    }
}

/* A NaN in one right-hand side stays in it. */
static void trsm_nan(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct tile a = tile_new(t, 65, 65, 0), b = tile_new(t, 65, 40, 0);
        random_triangle(&a, 'L', 'N');
        randomise(&b, 'G');
        put(&b, 30, 7, make(NAN, 0));
        tw_cpu_kernels[t]->trsm('L', 'L', 'N', 'N', 65, 40, (tw_scalar){1, 0}, a.p, a.ld, b.p, b.ld);
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 65; i++)
                assert_int_equal(isnan(__real__ get(&b, i, j)) != 0, j == 7 && i >= 30);
        tile_free(&a), tile_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),          cmocka_unit_test(rank_k),   cmocka_unit_test(trsm),
        cmocka_unit_test(trmm),          cmocka_unit_test(trmm_to),  cmocka_unit_test(nothing_read),
        cmocka_unit_test(trsm_accuracy), cmocka_unit_test(trsm_nan), cmocka_unit_test(symm),
        cmocka_unit_test(rank_2k),       cmocka_unit_test(add),      cmocka_unit_test(transposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
