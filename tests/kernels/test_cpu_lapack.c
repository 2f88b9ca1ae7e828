/* potrf, trtri, lauum, trdiag of kernels/cpu: against plain loops, LAPACKE's info, and what the reference LAPACK
 * does with NaN. */
#include <lapacke.h>
#include "kernels/tiles.h"

/* A hermitian positive definite triangle; its diagonal carries imaginary parts, which LAPACK ignores. */
static struct tile positive_definite(enum tw_type t, char uplo, int n)
{
    struct tile a = tile_new(t, n, n, 3);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            if (!in_part(uplo, i, j)) continue;
            put(&a, i, j, i == j ? make(1 + n / 4.0 + uniform(), 17) : random_value(t));
        }
    keep(&a);
    return a;
}

/* The whole matrix behind a hermitian triangle. */
static zz *dense_hermitian(const struct tile *a, char uplo)
{
    zz *d = dense_new(a->n, a->n);
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->n; i++) {
            zz x = in_part(uplo, i, j) ? get(a, i, j) : ~get(a, j, i);
            d[i + (size_t)j * a->n] = i == j ? make(__real__ x, 0) : x;
        }
    return d;
}

/* Is the triangle in a a factor of `want`, with a real, positive diagonal? */
static void expect_factor(const struct tile *a, char uplo, const zz *want)
{
    const enum tw_type t = a->type;
    const int n = a->n;
    zz *f = dense_triangle(a, uplo, 'N', 'N'), *g = dense_triangle(a, uplo, 'C', 'N');
    zz *product = uplo == 'L' ? dense_multiply(n, n, n, f, g, 0) : dense_multiply(n, n, n, g, f, 0);
    zz *scale = uplo == 'L' ? dense_multiply(n, n, n, f, g, 1) : dense_multiply(n, n, n, g, f, 1);

    for (size_t p = 0; p < (size_t)n * (size_t)n; p++)
        if (!(size_of(product[p] - want[p]) <= 4 * (n + 8) * eps_of(t) * __real__ scale[p]))
            fail_msg("type %c, '%c', n %d: residual at %zu", tw_letter(t), uplo, n, p);
    for (int i = 0; i < n; i++) {
        assert_true(__real__ get(a, i, i) > 0);
        assert_true(__imag__ get(a, i, i) == 0);
    }
    free(f), free(g), free(product), free(scale);
}

static void factor(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 0; s < NSIZES + 1; s++) {
                int n = s < NSIZES ? sizes[s] : 333;
                char uplo = "LU"[u];
                struct tile a = positive_definite(t, uplo, n);
                zz *want = dense_hermitian(&a, uplo);
                assert_int_equal(tw_cpu_kernels[t]->potrf(uplo, n, a.p, a.ld), 0);
                untouched(&a, uplo);
                expect_factor(&a, uplo, want);
                free(want);
                tile_free(&a);
            }
}

static int reference_info(const struct tile *a, char uplo)
{
    struct tile b = tile_copy(a);
    int info;
    switch (a->type) {
    case TW_FLOAT: info = LAPACKE_spotrf_work(LAPACK_COL_MAJOR, uplo, b.n, (float *)b.p, b.ld); break;
    case TW_DOUBLE: info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, uplo, b.n, (double *)b.p, b.ld); break;
    case TW_COMPLEX_FLOAT: info = LAPACKE_cpotrf_work(LAPACK_COL_MAJOR, uplo, b.n, (void *)b.p, b.ld); break;
    default: info = LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, uplo, b.n, (void *)b.p, b.ld);
    }
    tile_free(&b);
    return info;
}

/* info with the diagonal elements `bad` (1-based; 0: none) negative and `nan` NaN; `row` > 0: a NaN in its first
 * element, too. */
static int broken(enum tw_type t, char uplo, int n, int bad, int nan, int row)
{
    struct tile a = positive_definite(t, uplo, n);
    int info;
    if (bad) put(&a, bad - 1, bad - 1, -1);
    if (nan) put(&a, nan - 1, nan - 1, NAN);
    if (row && uplo == 'L') put(&a, row - 1, 0, make(NAN, 0));
    if (row && uplo == 'U') put(&a, 0, row - 1, make(NAN, 0));
    keep(&a);
    if (bad && !nan && !row) assert_int_equal(reference_info(&a, uplo), bad);
    info = tw_cpu_kernels[t]->potrf(uplo, n, a.p, a.ld);
    untouched(&a, uplo);
    tile_free(&a);
    return info;
}

static void info(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 1; s < NSIZES; s++) {
                int n = sizes[s], middle = (n + 1) / 2;
                char uplo = "LU"[u];
                assert_int_equal(broken(t, uplo, n, 1, 0, 0), 1);
                assert_int_equal(broken(t, uplo, n, middle, 0, 0), middle);
                assert_int_equal(broken(t, uplo, n, n, 0, 0), n);
                assert_int_equal(broken(t, uplo, n, 0, 1, 0), 1);
                assert_int_equal(broken(t, uplo, n, 0, middle, 0), middle);
                assert_int_equal(broken(t, uplo, n, 0, n, 0), n);
                assert_int_equal(broken(t, uplo, n, 0, 0, n), n); /* a NaN in row i reaches the pivot i */
                if (n < 3) continue;
                assert_int_equal(broken(t, uplo, n, n, middle, 0), middle); /* the first failure counts */
                assert_int_equal(broken(t, uplo, n, middle, n, 0), middle);
                assert_int_equal(broken(t, uplo, n, n, 0, middle), middle);
                assert_int_equal(broken(t, uplo, n, 1, 0, middle), 1);
            }
}

/* A pivot of exactly zero is a failure; an infinite one is not. */
static void zero_and_infinite_pivots(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct tile a = tile_new(t, 40, 40, 0);
        for (int j = 0; j < 40; j++)
            for (int i = j; i < 40; i++)
                put(&a, i, j, i == j && i != 30 ? 1 : 0);
        assert_int_equal(tw_cpu_kernels[t]->potrf('L', 40, a.p, a.ld), 31);
        put(&a, 30, 30, INFINITY);
        assert_int_equal(tw_cpu_kernels[t]->potrf('L', 40, a.p, a.ld), 0);
        assert_true(isinf(__real__ get(&a, 30, 30)));
        tile_free(&a);
    }
}

/* A team that takes the parts backwards. */
static void backwards(struct tw_team *team, int parts, tw_part_fn part, void *args)
{
    (void)team;
    for (int i = parts; i-- > 0;)
        part(args, i);
}

/* Tiles by a team: the same bits whoever takes which part, the same answers as by one. */
static void factor_by_a_team(void **state)
{
    static const int orders[] = {1, 192, 250, 401};
    struct tw_team team = {backwards};
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (size_t s = 0; s < sizeof orders / sizeof *orders; s++)
                for (int bad = 0; bad < 3; bad++) {
                    const int n = orders[s], at = bad == 0 ? 0 : bad == 1 ? (n + 1) / 2 : n;
                    const char uplo = "LU"[u];
                    struct tile a = positive_definite(t, uplo, n), f, g;
                    zz *want = dense_hermitian(&a, uplo);
                    if (at) put(&a, at - 1, at - 1, -1);
                    keep(&a);
                    f = tile_copy(&a), g = tile_copy(&a);
                    assert_int_equal(tw_cpu_kernels[t]->potrf_team(NULL, uplo, n, f.p, f.ld), at);
                    assert_int_equal(tw_cpu_kernels[t]->potrf_team(&team, uplo, n, g.p, g.ld), at);
                    assert_memory_equal(f.p, g.p, (size_t)f.ld * (size_t)n * tw_sizeof(t));
                    untouched(&f, uplo);
                    if (!at) expect_factor(&f, uplo, want);
                    free(want);
                    tile_free(&a), tile_free(&f), tile_free(&g);
                }
}

static void invert(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 4; x++)
            for (int s = 0; s < NSIZES + 1; s++) {
                int n = s < NSIZES ? sizes[s] : 333;
                char uplo = "LU"[x & 1], diag = "NU"[x >> 1];
                struct tile a = tile_new(t, n, n, 3), b;
                random_triangle(&a, uplo, diag);
                keep(&a);
                b = tile_copy(&a);
                assert_int_equal(tw_cpu_kernels[t]->trtri(uplo, diag, n, b.p, b.ld), 0);
                untouched(&b, diag == 'U' ? uplo + 32 : uplo);
                zz *f = dense_triangle(&a, uplo, 'N', diag), *g = dense_triangle(&b, uplo, 'N', diag);
                zz *product = dense_multiply(n, n, n, g, f, 0), *scale = dense_multiply(n, n, n, g, f, 1);
                for (int i = 0; i < n; i++)
                    product[i + (size_t)i * n] -= 1;
                for (size_t p = 0; p < (size_t)n * (size_t)n; p++)
                    if (!(size_of(product[p]) <= 4 * (n + 8) * eps_of(t) * (__real__ scale[p] + 1)))
                        fail_msg("type %c, '%c' '%c', n %d: residual at %zu", tw_letter(t), uplo, diag, n, p);
                free(f), free(g), free(product), free(scale);
                tile_free(&a), tile_free(&b);
            }
}

/* A zero on the diagonal: its index, and nothing is written. With diag 'U' the diagonal does not matter. */
static void singular(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 1; s < NSIZES; s++) {
                int n = sizes[s];
                char uplo = "LU"[u];
                struct tile a = tile_new(t, n, n, 3);
                random_triangle(&a, uplo, 'N');
                assert_int_equal(tw_cpu_kernels[t]->trdiag(n, a.p, a.ld), 0);
                put(&a, n - 1, n - 1, 0);
                assert_int_equal(tw_cpu_kernels[t]->trdiag(n, a.p, a.ld), n);
                put(&a, n / 2, n / 2, 0);
                keep(&a);
                assert_int_equal(tw_cpu_kernels[t]->trdiag(n, a.p, a.ld), n / 2 + 1);
                assert_int_equal(tw_cpu_kernels[t]->trtri(uplo, 'N', n, a.p, a.ld), n / 2 + 1);
                untouched(&a, 0x7f); /* no element belongs to this part */
                put(&a, 0, 0, make(NAN, 0));
                if (n > 2) assert_int_equal(tw_cpu_kernels[t]->trdiag(n, a.p, a.ld), n / 2 + 1);
                assert_int_equal(tw_cpu_kernels[t]->trtri(uplo, 'U', n, a.p, a.ld), 0);
                tile_free(&a);
            }
}

static void lauum(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 0; s < NSIZES + 2; s++) {
                int n = s < NSIZES    ? sizes[s]
                        : s == NSIZES ? 125
                                      : 333; /* 125 + 3: the recursive path of large orders */
                char uplo = "LU"[u];
                struct tile a = tile_new(t, n, n, 3);
                random_triangle(&a, uplo, 'N');
                for (int i = 0; i < n; i++)
                    put(&a, i, i, __real__ get(&a, i, i));
                keep(&a);
                zz *f = dense_triangle(&a, uplo, 'N', 'N'), *g = dense_triangle(&a, uplo, 'C', 'N');
                zz *want = uplo == 'L' ? dense_multiply(n, n, n, g, f, 0) : dense_multiply(n, n, n, f, g, 0);
                zz *scale = uplo == 'L' ? dense_multiply(n, n, n, g, f, 1) : dense_multiply(n, n, n, f, g, 1);
                tw_cpu_kernels[t]->lauum(uplo, n, a.p, a.ld);
                close_to(&a, uplo, want, scale, n, "lauum");
                untouched(&a, uplo);
                free(f), free(g), free(want), free(scale);
                tile_free(&a);
            }
}

static float condition_at(const struct tile *m, int row)
{
    float x;
    memcpy(&x, m->p + ((size_t)row + (size_t)(m->n - 1) * (size_t)m->ld) * tw_sizeof(m->type), sizeof x);
    return x;
}

/* The factor is potrf's to the bit; M is the inverse of L or U^H, with zeros above but for the condition. */
static void factor_with_inverse(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 0; s < NSIZES; s++) {
                int n = sizes[s];
                char uplo = "LU"[u];
                struct tile a = positive_definite(t, uplo, n), b = tile_copy(&a), m = tile_new(t, n, n, 5);
                keep(&m);
                assert_int_equal(tw_cpu_kernels[t]->potrf(uplo, n, b.p, b.ld), 0);
                assert_int_equal(tw_cpu_kernels[t]->potrf_inverse(uplo, n, a.p, a.ld, m.p, m.ld), 0);
                assert_memory_equal(a.p, b.p, tile_bytes(&a));
                untouched(&m, 'G');
                if (n >= TW_INVERSE_MIN) {
                    double most[2] = {0, 0};
                    for (int j = 0; j < n; j++) {
                        double l = 0, inverse = 0;
                        for (int i = j; i < n; i++)
                            l += size_of(uplo == 'L' ? get(&a, i, j) : get(&a, j, i)),
                                inverse += size_of(get(&m, i, j));
                        most[0] = fmax(most[0], l), most[1] = fmax(most[1], inverse);
                    }
                    for (int k = 0; k < 2; k++) {
                        assert_true(fabs(condition_at(&m, k) - most[k]) <= 1e-5 * most[k]);
                        put(&m, k, n - 1, 0);
                    }
                }
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < j; i++)
                        assert_true(get(&m, i, j) == 0);
                zz *f = dense_triangle(&a, uplo, uplo == 'L' ? 'N' : 'C', 'N'), *g = dense_triangle(&m, 'L', 'N', 'N');
                zz *product = dense_multiply(n, n, n, g, f, 0), *scale = dense_multiply(n, n, n, g, f, 1);
                for (int p = 0; p < n * n; p++)
                    if (!(size_of(product[p] - (p % (n + 1) == 0)) <=
                          4 * (n + 8) * eps_of(t) * (__real__ scale[p] + 1)))
                        fail_msg("type %c, '%c', n %d: M L differs from 1 at %d", tw_letter(t), uplo, n, p);
                free(f), free(g), free(product), free(scale);
                tile_free(&a), tile_free(&b), tile_free(&m);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_with_inverse),
        cmocka_unit_test(factor),
        cmocka_unit_test(factor_by_a_team),
        cmocka_unit_test(info),
        cmocka_unit_test(zero_and_infinite_pivots),
        cmocka_unit_test(invert),
        cmocka_unit_test(singular),
        cmocka_unit_test(lauum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
