/* lacpy, laset and the pieces of norms of kernels/cpu: four types, all parts, ragged tiles, NaN, Inf, huge and tiny
 * values. */
#include "kernels/tiles.h"

static void copy(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NSIZES * NSIZES; s++) {
                int m = sizes[s / NSIZES], n = sizes[s % NSIZES];
                char uplo = "GLU"[x];
                struct tile a = tile_new(t, m, n, 3), b = tile_new(t, m, n, 1);
                randomise(&a, 'G');
                if (m > 0 && n > 0) put(&a, 0, 0, make(NAN, 0));
                memset(b.p, 0x55, tile_bytes(&b));
                keep(&b);
                tw_cpu_kernels[t]->lacpy(uplo, m, n, a.p, a.ld, b.p, b.ld);
                untouched(&b, uplo);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++) {
                        zz p = get(&a, i, j), q = get(&b, i, j);
                        if (in_part(uplo, i, j)) assert_memory_equal(&p, &q, sizeof p);
                    }
                tile_free(&a), tile_free(&b);
            }
}

static void set(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NSIZES * NSIZES; s++) {
                int m = sizes[s / NSIZES], n = sizes[s % NSIZES];
                char uplo = "GLU"[x];
                struct tile a = tile_new(t, m, n, 2);
                double im = tw_is_complex(t) ? 1 : 0;
                keep(&a);
                tw_cpu_kernels[t]->laset(uplo, m, n, (tw_scalar){0.25, -3}, (tw_scalar){2, 0.5}, a.p, a.ld);
                untouched(&a, uplo);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        if (in_part(uplo, i, j))
                            assert_true(get(&a, i, j) == (i == j ? make(2, 0.5 * im) : make(0.25, -3 * im)));
                tile_free(&a);
            }
}

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* The element of the whole tile that a norm sees. */
static zz seen(const struct tile *a, struct shape h, int i, int j)
{
    if (h.uplo == 'G') return get(a, i, j);
    if (i == j && h.s == TW_STRUCT_TRIANGULAR && h.diag == 'U') return 1;
    if (i == j && h.s == TW_STRUCT_HERMITIAN) return __real__ get(a, i, j);
    if (in_part(h.uplo, i, j)) return get(a, i, j);
    return mirrored(h) ? get(a, j, i) : 0;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-13 * fabs(want) + 1e-320)) fail_msg("%.17g is not %.17g", got, want);
}

/* Sums of |a| by row, by column, largest, and root of the squares, in long double. */
static void one_norm(enum tw_type t, struct shape h, int m, int n)
{
    const struct tw_cpu_kernels *k = tw_cpu_kernels[t];
    struct tile a = norm_tile(t, h, m, n);
    double *rows = calloc((size_t)m + 1, sizeof *rows), *cols = calloc((size_t)n + 1, sizeof *cols);
    long double *r = calloc((size_t)m + 1, sizeof *r), *c = calloc((size_t)n + 1, sizeof *c), squares = 0, max = 0;
    double value = 0, acc[2] = {0, 1};
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            zz x = seen(&a, h, i, j);
            long double re = __real__ x, im = __imag__ x, s = sqrtl(re * re + im * im);
            r[i] += s, c[j] += s, squares += s * s;
            if (s > max) max = s;
        }
    rows[m] = cols[n] = 5; /* guards */
    k->normmax(h.s, h.uplo, h.diag, m, n, a.p, a.ld, &value);
    near(value, (double)max);
    value = 1e9;
    k->normmax(h.s, h.uplo, h.diag, m, n, a.p, a.ld, &value);
    near(value, 1e9);
    k->normsum(h.s, h.uplo, h.diag, m, n, a.p, a.ld, mirrored(h) ? NULL : rows, cols);
    if (mirrored(h)) k->normsum(h.s, h.uplo, h.diag, m, n, a.p, a.ld, rows, NULL);
    for (int i = 0; i < m; i++)
        near(rows[i], (double)r[i]);
    for (int j = 0; j < n; j++)
        near(cols[j], (double)c[j]);
    assert_true(rows[m] == 5 && cols[n] == 5);
    if (mirrored(h)) { /* both names for one vector: added once more, not twice */
        k->normsum(h.s, h.uplo, h.diag, m, n, a.p, a.ld, rows, rows);
        for (int i = 0; i < m; i++)
            near(rows[i], 2 * (double)r[i]);
    } else { /* one of the two only */
        k->normsum(h.s, h.uplo, h.diag, m, n, a.p, a.ld, NULL, cols);
        k->normsum(h.s, h.uplo, h.diag, m, n, a.p, a.ld, rows, NULL);
        for (int i = 0; i < m; i++)
            near(rows[i], 2 * (double)r[i]);
        for (int j = 0; j < n; j++)
            near(cols[j], 2 * (double)c[j]);
    }
    k->normfro(h.s, h.uplo, h.diag, m, n, a.p, a.ld, 1, acc);
    near(acc[0] * sqrt(acc[1]), (double)sqrtl(squares));
    k->normfro(h.s, h.uplo, h.diag, m, n, a.p, a.ld, 2, acc);
    near(acc[0] * sqrt(acc[1]), (double)sqrtl(3 * squares));
    free(rows), free(cols), free(r), free(c);
    tile_free(&a);
}

static void norms(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NSHAPES; x++)
            for (int s = 0; s < NSIZES * NSIZES; s++) {
                int m = sizes[s / NSIZES], n = sizes[s % NSIZES];
                if (m == n || !mirrored(shapes[x])) one_norm(t, shapes[x], m, n);
            }
}

/* The norms of one general tile, and whether they are all NaN or all Inf. */
static void all_norms(const struct tile *a, double out[4])
{
    const struct tw_cpu_kernels *k = tw_cpu_kernels[a->type];
    double *rows = calloc((size_t)a->m, sizeof *rows), *cols = calloc((size_t)a->n, sizeof *cols), acc[2] = {0, 1};
    out[0] = out[1] = out[2] = 0;
    k->normmax(TW_STRUCT_GENERAL, 'G', 'N', a->m, a->n, a->p, a->ld, &out[0]);
    k->normsum(TW_STRUCT_GENERAL, 'G', 'N', a->m, a->n, a->p, a->ld, rows, cols);
    k->normfro(TW_STRUCT_GENERAL, 'G', 'N', a->m, a->n, a->p, a->ld, 1, acc);
    for (int i = 0; i < a->m; i++)
        if (rows[i] > out[1] || isnan(rows[i])) out[1] = rows[i];
    for (int j = 0; j < a->n; j++)
        if (cols[j] > out[2] || isnan(cols[j])) out[2] = cols[j];
    out[3] = acc[0] * sqrt(acc[1]);
    free(rows), free(cols);
}

static void special_values(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int place = 0; place < 4; place++) {
            struct tile a = tile_new(t, 9, 9, 0);
            double norm[4];
            int i = place & 1 ? 8 : 0, j = place & 2 ? 8 : 0;
            randomise(&a, 'G');
            put(&a, i, j, make(-INFINITY, 0));
            all_norms(&a, norm);
            for (int k = 0; k < 4; k++)
                assert_true(isinf(norm[k]) && norm[k] > 0);
            put(&a, 4, 4, make(1, tw_is_complex(t) ? INFINITY : 0));
            put(&a, i, j, tw_is_complex(t) && place & 1 ? make(1, NAN) : make(NAN, 0));
            all_norms(&a, norm);
            for (int k = 0; k < 4; k++)
                assert_true(isnan(norm[k]));
            put(&a, i, j, tw_is_complex(t) ? make(INFINITY, NAN) : make(NAN, 0));
            all_norms(&a, norm);
            for (int k = 0; k < 4; k++)
                assert_true(isnan(norm[k]));
            tile_free(&a);
        }
}

/* A NaN or Inf that an earlier tile left in the running values stays. */
static void running_values(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const struct tw_cpu_kernels *k = tw_cpu_kernels[t];
        struct tile a = tile_new(t, 5, 5, 0), inf = tile_new(t, 5, 5, 0);
        double value = NAN, acc[2] = {0, 1};
        randomise(&a, 'G');
        randomise(&inf, 'G');
        put(&inf, 2, 2, INFINITY);
        k->normmax(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, a.p, a.ld, &value);
        assert_true(isnan(value));
        k->normfro(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, inf.p, inf.ld, 1, acc);
        k->normfro(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, inf.p, inf.ld, 1, acc); /* Inf / Inf must not come up */
        k->normfro(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, a.p, a.ld, 1, acc);
        assert_true(isinf(acc[0] * sqrt(acc[1])));
        put(&a, 1, 1, NAN);
        k->normfro(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, a.p, a.ld, 1, acc);
        assert_true(isnan(acc[0] * sqrt(acc[1])));
        put(&a, 1, 1, 1);
        k->normfro(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, a.p, a.ld, 1, acc);
        k->normfro(TW_STRUCT_GENERAL, 'G', 'N', 5, 5, inf.p, inf.ld, 1, acc);
        assert_true(isnan(acc[0] * sqrt(acc[1])));
        tile_free(&a), tile_free(&inf);
    }
}

/* No overflow and no underflow on the way. */
static void extreme_values(void **state)
{
    (void)state;
    static const double powers[] = {1e300, 1e-300, 1e-310, 5e-324, 1.7e308};
    for (int type = 1; type < 4; type += 2)
        for (int p = 0; p < 5; p++) {
            enum tw_type t = (enum tw_type)type;
            struct tile a = tile_new(t, 2, 2, 0);
            double norm[4], x = powers[p];
            for (int k = 0; k < 4; k++)
                put(&a, k / 2, k % 2, 0);
            put(&a, 0, 0, x);
            put(&a, 1, 1, tw_is_complex(t) ? make(0, x) : x);
            all_norms(&a, norm);
            near(norm[0], x);
            near(norm[1], x);
            near(norm[2], x);
            if (x < 1e308 && x > 1e-320) near(norm[3] / x, sqrt(2));
            if (x == 5e-324) assert_true(norm[3] == 5e-324); /* sqrt(2) of the smallest number, rounded */
            put(&a, 0, 1, make(3 * (x / 8), tw_is_complex(t) ? 4 * (x / 8) : 0));
            all_norms(&a, norm);
            if (x > 1e-310 && x < 1e308 && tw_is_complex(t)) near(norm[1], x + 5 * (x / 8));
            tile_free(&a);
        }
}

/* lascl: exact for powers of two, over the whole range and in one part, where to / from itself is out of range. */
static void scale(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < 3; x++)
            for (int s = 0; s < NSIZES; s++) {
                int m = sizes[s], n = sizes[(s + x) % NSIZES], far = tw_is_single(t) ? 100 : 900;
                char uplo = "GLU"[x];
                struct tile a = tile_new(t, m, n, 2);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        if (in_part(uplo, i, j)) put(&a, i, j, ldexp(1, -far) * random_value(t));
                keep(&a);
                struct tile b = tile_copy(&a);
                tw_cpu_kernels[t]->lascl(uplo, m, n, ldexp(1, -far), ldexp(1, far), b.p,
                                         b.ld); /* 2^(2 far) is infinite */
                untouched(&b, uplo);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        if (in_part(uplo, i, j))
                            assert_true(get(&b, i, j) == ldexp(1, far) * (ldexp(1, far) * get(&a, i, j)));
                tw_cpu_kernels[t]->lascl(uplo, m, n, ldexp(1, far), ldexp(1, -far), b.p, b.ld);
                untouched(&b, 0x7f); /* as before */
                tw_cpu_kernels[t]->lascl(uplo, m, n, 3, 0, b.p, b.ld);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++)
                        if (in_part(uplo, i, j)) assert_true(get(&b, i, j) == 0);
                tile_free(&a), tile_free(&b);
            }
}

/* Norms of columns, on top of what was there; NaN stays in its column. */
static void columns(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < NSIZES; s++) {
            int m = sizes[s], n = 9;
            struct tile a = tile_new(t, m, n, 3);
            double most[9], acc[18];
            randomise(&a, 'G');
            if (m > 1) put(&a, m / 2, 4, make(NAN, 0)), put(&a, 0, 6, 1e30);
            for (int j = 0; j < n; j++)
                most[j] = j == 5 ? 100 : 0, acc[2 * j] = 1, acc[2 * j + 1] = 0;
            tw_cpu_kernels[t]->colmax(m, n, a.p, a.ld, most);
            tw_cpu_kernels[t]->colfro(m, n, a.p, a.ld, acc);
            for (int j = 0; j < n; j++) {
                double largest = j == 5 ? 100 : 0, sum = 0;
                for (int i = 0; i < m; i++) {
                    zz x = get(&a, i, j);
                    largest = fmax(largest, size_of(x));
                    sum += __real__ x * __real__ x + __imag__ x * __imag__ x;
                }
                if (m > 1 && j == 4) {
                    assert_true(isnan(most[j]) && isnan(acc[9]));
                    continue;
                }
                assert_true(fabs(most[j] - largest) <= eps_of(t) * largest);
                assert_true(fabs(acc[2 * j] * sqrt(acc[2 * j + 1]) - sqrt(sum)) <= 100 * DBL_EPSILON * sqrt(sum));
            }
            tile_free(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),        cmocka_unit_test(scale),
        cmocka_unit_test(copy),           cmocka_unit_test(set),
        cmocka_unit_test(norms),          cmocka_unit_test(special_values),
        cmocka_unit_test(running_values), cmocka_unit_test(extreme_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
