/* getrf, getrf_nopiv, laswp of kernels/dense/cpu: residuals, LAPACK's pivots and info, zero columns, NaN, the bits
 * around the block. */
#include "kernels/lapack_types.h"
#include "kernels/lu_cases.h"

static int32_t ipiv[400];
static int theirs[400];

static int smaller(const struct tile *a)
{
    return a->m < a->n ? a->m : a->n;
}

static void factor_random(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_random(t, x), f = tile_copy(&a), g = tile_copy(&a);
            int k = smaller(&a);
            memset(ipiv, 0xff, sizeof ipiv);
            assert_int_equal(tw_cpu_kernels[t]->getrf(a.m, a.n, f.p, f.ld, ipiv), 0);
            untouched(&f, 'G');
            assert_int_equal(ipiv[k], -1);
            for (int i = 0; i < k; i++)
                assert_in_range(ipiv[i], i + 1, a.m);
            double r = lu_residual(&a, &f, ipiv);
            if (!(r <= 3)) fail_msg("type %c, %d x %d: |PA - LU| is %g n eps |A|", tw_letter(t), a.m, a.n, r);
            for (int j = 0; j < k; j++)
                for (int i = j + 1; i < a.m; i++) {
                    zz l = get(&f, i, j);
                    assert_true(hypot(__real__ l, __imag__ l) <= (tw_is_complex(t) ? 1.42 : 1));
                }
            if (!tw_is_single(t) && k > 0) {
                assert_int_equal(lapack_getrf(&g, theirs), 0);
                assert_memory_equal(ipiv, theirs, (size_t)k * sizeof *ipiv);
            }
            tile_free(&a), tile_free(&f), tile_free(&g);
        }
}

/* A team that takes the parts backwards. */
static void backwards(struct tw_team *team, int parts, tw_part_fn part, void *args)
{
    (void)team;
    for (int i = parts; i-- > 0;)
        part(args, i);
}

/* Panels by a team: the same bits whoever takes which part, LAPACK's pivots, small residuals; ties and NaN as LAPACK
 * has them. */
static void by_a_team(void **state)
{
    static const int sizes[][2] = {{3000, 48}, {2047, 33}, {1024, 8}, {1100, 1}, {5000, 19}, {700, 100}, {40, 64}};
    struct tw_team team = {backwards};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int m = sizes[s][0], n = sizes[s][1], k = m < n ? m : n;
            for (int kind = 0; kind < 3; kind++) { /* random; full of ties; a NaN */
                struct tile a = kind == 1 ? lu_dyadic(t, m, n, 3) : tile_new(t, m, n, 3), f, g, h;
                int32_t *p[2] = {malloc((size_t)k * sizeof **p), malloc((size_t)k * sizeof **p)};
                int *reference = malloc((size_t)k * sizeof *reference), info[2];
                if (kind != 1) randomise(&a, 'G');
                if (kind == 2) put(&a, m / 2, n / 2, NAN);
                keep(&a);
                f = tile_copy(&a), g = tile_copy(&a), h = tile_copy(&a);
                info[0] = tw_cpu_kernels[t]->getrf_team(NULL, m, n, f.p, f.ld, p[0]);
                info[1] = tw_cpu_kernels[t]->getrf_team(&team, m, n, g.p, g.ld, p[1]);
                assert_int_equal(info[0], info[1]);
                assert_memory_equal(p[0], p[1], (size_t)k * sizeof **p);
                assert_memory_equal(f.p, g.p, (size_t)f.ld * (size_t)n * tw_sizeof(t));
                untouched(&f, 'G');
                if (kind == 0) {
                    double r = lu_residual(&a, &f, p[0]);
                    if (!(r <= 3)) fail_msg("type %c, %d x %d: |PA - LU| is %g n eps |A|", tw_letter(t), m, n, r);
                }
                if (kind == 1 || (kind == 0 && !tw_is_single(t))) {
                    assert_int_equal(lapack_getrf(&h, reference), info[0]);
                    for (int i = 0; i < k; i++)
                        if (reference[i] != p[0][i])
                            fail_msg("type %c, %d x %d, kind %d: pivot %d is %d, not %d", tw_letter(t), m, n, kind,
                                     i + 1, p[0][i], reference[i]);
                }
                free(p[0]), free(p[1]), free(reference);
                tile_free(&a), tile_free(&f), tile_free(&g), tile_free(&h);
            }
        }
}

/* Ties take the first row: plain elimination decides, whose arithmetic is exact here, and LAPACK agrees. */
static int plain_elimination(const struct tile *a, int *pivots)
{
    int m = a->m, n = a->n, info = 0;
    zz *d = dense_op(a, 'N');
    for (int j = 0; j < m && j < n; j++) {
        int p = j;
        for (int i = j + 1; i < m; i++)
            if (size_of(d[i + (size_t)j * (size_t)m]) > size_of(d[p + (size_t)j * (size_t)m])) p = i;
        pivots[j] = p + 1;
        for (int c = 0; c < n; c++) {
            zz *x = &d[j + (size_t)c * (size_t)m], *y = &d[p + (size_t)c * (size_t)m], z = *x;
            *x = *y;
            *y = z;
        }
        zz pivot = d[j + (size_t)j * (size_t)m];
        if (pivot == 0) {
            if (!info) info = j + 1;
            continue;
        }
        for (int i = j + 1; i < m; i++) {
            zz l = d[i + (size_t)j * (size_t)m] / pivot;
            for (int c = j + 1; c < n; c++)
                d[i + (size_t)c * (size_t)m] -= l * d[j + (size_t)c * (size_t)m];
        }
    }
    free(d);
    return info;
}

static void ties(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++)
            for (int turn = 0; turn < 4; turn++) {
                struct tile a = lu_dyadic(t, lu_shapes[x].m, lu_shapes[x].n, lu_shapes[x].pad), f = tile_copy(&a),
                            g = tile_copy(&a);
                int k = smaller(&a), info = plain_elimination(&a, theirs);
                assert_int_equal(tw_cpu_kernels[t]->getrf(a.m, a.n, f.p, f.ld, ipiv), info);
                for (int i = 0; i < k; i++)
                    if (ipiv[i] != theirs[i])
                        fail_msg("type %c, %d x %d: pivot %d is %d, not %d", tw_letter(t), a.m, a.n, i + 1, ipiv[i],
                                 theirs[i]);
                assert_true(lu_residual(&a, &f, ipiv) == 0); /* exact */
                if (k > 0) {
                    assert_int_equal(lapack_getrf(&g, theirs), info);
                    assert_memory_equal(ipiv, theirs, (size_t)k * sizeof *ipiv);
                }
                tile_free(&a), tile_free(&f), tile_free(&g);
            }
}

/* A zero pivot in the first, a middle, the last column: its index, and P A = L U all the same. */
static void zero_columns(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++)
            for (int w = 0; w < 4; w++) {
                struct tile a = lu_random(t, x), f;
                int k = smaller(&a), zero = w == 0 ? 0 : w == 1 ? k / 2 : k - 1;
                if (k == 0) {
                    tile_free(&a);
                    continue;
                }
                for (int i = 0; i < a.m; i++) {
                    put(&a, i, zero, 0);
                    if (w == 3) put(&a, i, k / 3, 0);
                }
                f = tile_copy(&a);
                /* in a square the last pivot is what is left of one element */
                assert_int_equal(tw_cpu_kernels[t]->getrf(a.m, a.n, f.p, f.ld, ipiv), w == 3 ? k / 3 + 1 : zero + 1);
                assert_true(lu_residual(&a, &f, ipiv) <= 3);
                tile_free(&a), tile_free(&f);
            }
}

/* NaN: no pivot is out of range, nothing hangs, and in the first column the rule can be seen. */
static void not_a_number(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_random(t, x), f;
            int k = smaller(&a);
            if (k == 0) {
                tile_free(&a);
                continue;
            }
            put(&a, 0, 0, make(NAN, 0));
            f = tile_copy(&a);
            assert_int_equal(tw_cpu_kernels[t]->getrf(a.m, a.n, f.p, f.ld, ipiv), 0);
            assert_int_equal(ipiv[0], 1); /* the first candidate stays: nothing is larger than NaN */
            tile_free(&f);
            put(&a, 0, 0, 0.25);
            put(&a, a.m - 1, 0, make(tw_is_complex(t) ? 0 : NAN, NAN));
            f = tile_copy(&a);
            (void)tw_cpu_kernels[t]->getrf(a.m, a.n, f.p, f.ld, ipiv);
            assert_int_equal(ipiv[0] == a.m, a.m == 1); /* NaN is not larger than anything */
            for (int i = 0; i < k; i++)
                assert_in_range(ipiv[i], i + 1, a.m);
            untouched(&f, 'G');
            tile_free(&a), tile_free(&f);
        }
}

/* Pivots near the ends of the range: no reciprocal that overflows. */
static void tiny_pivots(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct tile a = tile_new(t, 20, 20, 1), f;
        randomise(&a, 'G');
        double scale = tw_is_single(t) ? 1e-42 : 1e-318;
        for (int i = 0; i < 20; i++)
            put(&a, i, 0, scale * (i + 1));
        f = tile_copy(&a);
        assert_int_equal(tw_cpu_kernels[t]->getrf(20, 20, f.p, f.ld, ipiv), 0);
        assert_int_equal(ipiv[0], 20);
        for (int i = 1; i < 20; i++)
            assert_true(size_of(get(&f, i, 0)) <= 1 && size_of(get(&f, i, 0)) >= 0.04);
        tile_free(&a), tile_free(&f);
    }
}

/* Wilkinson's matrix: the pivots stay, the last column doubles from row to row. */
static void growth(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        int n = 24;
        struct tile a = tile_new(t, n, n, 0);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                put(&a, i, j, i == j || j == n - 1 ? 1 : i > j ? -1 : 0);
        assert_int_equal(tw_cpu_kernels[t]->getrf(n, n, a.p, a.ld, ipiv), 0);
        for (int i = 0; i < n; i++) {
            assert_int_equal(ipiv[i], i + 1);
            assert_true(get(&a, i, n - 1) == ldexp(1, i));
        }
        tile_free(&a);
    }
}

static void without_pivots(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_random(t, x), f;
            int k = smaller(&a);
            for (int i = 0; i < k; i++)
                put(&a, i, i, a.m + get(&a, i, i));
            f = tile_copy(&a);
            assert_int_equal(tw_cpu_kernels[t]->getrf_nopiv(a.m, a.n, f.p, f.ld), 0);
            untouched(&f, 'G');
            assert_true(lu_residual(&a, &f, NULL) <= 3);
            tile_free(&f);
            if (k > 0) { /* row and column of the last pivot without anything: it is zero exactly */
                for (int i = 0; i < a.m; i++)
                    put(&a, i, k - 1, 0);
                f = tile_copy(&a);
                assert_int_equal(tw_cpu_kernels[t]->getrf_nopiv(a.m, a.n, f.p, f.ld), k);
                tile_free(&f);
            }
            tile_free(&a);
        }
}

static void exchanges(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++) {
            struct tile a = lu_random(t, x), f = tile_copy(&a);
            int k = a.m;
            for (int i = 0; i < k; i++)
                ipiv[i] = i + 1 + pick(a.m - i);
            if (k > 2) ipiv[k / 2] = a.m + 1, ipiv[k / 3] = 0; /* out of range: no exchange */
            tw_cpu_kernels[t]->laswp('F', a.m, a.n, f.p, f.ld, k, ipiv);
            if (k > 2) ipiv[k / 2] = k / 2 + 1, ipiv[k / 3] = k / 3 + 1;
            zz *want = dense_op(&a, 'N');
            exchange_rows(want, a.m, a.n, k, ipiv);
            for (int j = 0; j < a.n; j++)
                for (int i = 0; i < a.m; i++)
                    assert_true(get(&f, i, j) == want[i + (size_t)j * (size_t)a.m]);
            untouched(&f, 'G');
            tw_cpu_kernels[t]->laswp('B', a.m, a.n, f.p, f.ld, k, ipiv);
            untouched(&f, 0x7f); /* all as before */
            free(want);
            tile_free(&a), tile_free(&f);
        }
}

/* The block in tiles: rows of a block column that begins above or at the first pivot's, of a matrix in which it begins
 * at row `base`. */
static void exchanges_in_tiles(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NLU; x++)
            for (int mb = 1; mb <= 64; mb *= 4) {
                struct tile a = lu_random(t, x), f = tile_copy(&a);
                const int first = a.m / 3, k = a.m - first, base = 1000, count = (a.m + mb - 1) / mb;
                struct tw_tile_at *at = calloc((size_t)count + 1, sizeof *at);
                assert_non_null(at);
                for (int i = 0; i < count; i++)
                    at[i] = (struct tw_tile_at){(char *)f.p + (size_t)i * (size_t)mb * tw_sizeof(t), f.ld};
                const struct tw_tiles tiles = {f.m, f.n, mb, count, at};
                for (int i = 0; i < k; i++)
                    ipiv[i] = base + first + i + 1 + pick(k - i);
                if (k > 2) ipiv[k / 2] = base + a.m + 1, ipiv[k / 3] = base;
                tw_cpu_kernels[t]->laswp_tiles('F', &tiles, first, base, k, ipiv);
                zz *want = dense_op(&a, 'N');
                for (int i = 0; i < k; i++)
                    ipiv[i] = k > 2 && (i == k / 2 || i == k / 3) ? first + i + 1 : ipiv[i] - base;
                for (int i = 0; i < k; i++)
                    for (int j = 0; j < a.n; j++) {
                        zz *column = want + (size_t)j * (size_t)a.m, z = column[first + i];
                        column[first + i] = column[ipiv[i] - 1];
                        column[ipiv[i] - 1] = z;
                    }
                for (int j = 0; j < a.n; j++)
                    for (int i = 0; i < a.m; i++)
                        assert_true(get(&f, i, j) == want[i + (size_t)j * (size_t)a.m]);
                untouched(&f, 'G');
                for (int i = 0; i < k; i++)
                    ipiv[i] += base;
                tw_cpu_kernels[t]->laswp_tiles('B', &tiles, first, base, k, ipiv);
                untouched(&f, 0x7f); /* all as before */
                free(want), free(at);
                tile_free(&a), tile_free(&f);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_in_tiles), cmocka_unit_test(factor_random),
        cmocka_unit_test(by_a_team),          cmocka_unit_test(ties),
        cmocka_unit_test(zero_columns),       cmocka_unit_test(not_a_number),
        cmocka_unit_test(tiny_pivots),        cmocka_unit_test(growth),
        cmocka_unit_test(without_pivots),     cmocka_unit_test(exchanges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
