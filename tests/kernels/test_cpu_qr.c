/* geqrf, gelqf, larft, larfb, orgqr, orglq, tpqrt, tpmqrt of kernels/dense/cpu against plain loops and LAPACK's
 * unblocked routines. */
#include "kernels/dense/cpu/laqps.h"
#include "kernels/qr_cases.h"

/* A team that takes the parts backwards. */
static void backwards(struct tw_team *team, int parts, tw_part_fn part, void *args)
{
    (void)team;
    for (int i = parts; i-- > 0;)
        part(args, i);
}
static struct tw_team a_team = {backwards};
enum by { BY_ONE, BY_NOBODY_ELSE, BY_A_TEAM };

static struct factored factored_by(enum by by, enum tw_type t, char storev, struct tile a)
{
    const struct tw_cpu_kernels *k = tw_cpu_kernels[t];
    struct tw_team *team = by == BY_A_TEAM ? &a_team : NULL;
    struct factored x = {.a = a, .f = tile_copy(&a), .p = storev == 'C' ? a.m : a.n, .k = a.m < a.n ? a.m : a.n};
    struct tile work = storev == 'C' ? tile_new(t, x.k, a.n, 0) : tile_new(t, a.n + x.k, a.m, 0);
    x.tau = tile_new(t, x.k, 1, 0), x.t = tile_new(t, x.k, x.k, 2);
    keep(&x.t);
    if (by == BY_ONE)
        (storev == 'C' ? k->geqrf : k->gelqf)(a.m, a.n, x.f.p, x.f.ld, x.tau.p, x.t.p, x.t.ld, work.p);
    else
        (storev == 'C' ? k->geqrf_team : k->gelqf_team)(team, a.m, a.n, x.f.p, x.f.ld, x.tau.p, x.t.p, x.t.ld, work.p);
    untouched(&x.f, 'G'), untouched(&x.t, 'G');
    tile_free(&work);
    return x;
}
static struct factored factored(enum tw_type t, char storev, struct tile a)
{
    return factored_by(BY_ONE, t, storev, a);
}

/* The same bits whoever takes which part, and what one finds; a column of zeros, one that is tiny among them. */
static void by_a_team(void **state)
{
    static const int sizes[][2] = {{1, 1}, {30, 7}, {1100, 21}, {1040, 1}, {3000, 40}};
    (void)state;
    FOR_TYPES(t)
        for (size_t s = 0; s < 2 * sizeof sizes / sizeof *sizes; s++)
            for (int odd = 0; odd < 2; odd++) {
                const char storev = "CR"[s & 1];
                const int longer = sizes[s / 2][0], shorter = sizes[s / 2][1], m = storev == 'C' ? longer : shorter,
                          n = storev == 'C' ? shorter : longer;
                struct tile a = random_tile(t, m, n, 3);
                struct factored x, y;
                for (int i = 0; odd && i < longer; i++)
                    for (int j = 0; j < shorter; j += 5) {
                        const int r = storev == 'C' ? i : j, c = storev == 'C' ? j : i;
                        put(&a, r, c, j % 15 == 0 ? 0 : get(&a, r, c) * (j % 15 == 5 ? 1e-30 : 0.25));
                    }
                keep(&a);
                x = factored_by(BY_NOBODY_ELSE, t, storev, tile_copy(&a));
                y = factored_by(BY_A_TEAM, t, storev, tile_copy(&a));
                assert_memory_equal(x.f.p, y.f.p, (size_t)x.f.ld * (size_t)n * tw_sizeof(t));
                assert_memory_equal(x.tau.p, y.tau.p, (size_t)x.k * tw_sizeof(t));
                assert_memory_equal(x.t.p, y.t.p, (size_t)x.t.ld * (size_t)x.k * tw_sizeof(t));
                drop(&y);
                y = factored(t, storev, tile_copy(&a)); /* by one: checked below */
                zz *mine = dense_op(&x.f, 'N'), *one = dense_op(&y.f, 'N');
                SMALL(distance(t, mine, one, (size_t)m * (size_t)n, longer, largest_of(one, (size_t)m * (size_t)n)) /
                      3);
                free(mine), free(one);
                mine = dense_op(&x.t, 'N'), one = dense_op(&y.t, 'N');
                SMALL(distance(t, mine, one, (size_t)x.k * (size_t)x.k, longer, 1) / 3);
                free(mine), free(one);
                drop(&x), drop(&y);
                tile_free(&a);
            }
}

static void factor(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 2 * NQR; s++) {
            char storev = "CR"[s & 1];
            struct factored x =
                factored(t, storev, random_tile(t, qr_shapes[s / 2].m, qr_shapes[s / 2].n, qr_shapes[s / 2].pad));
            check_factored(&x, storev);
            drop(&x);
        }
}

/* T from V and tau alone. */
static void triangle(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 2 * NQR; s++) {
            char storev = "CR"[s & 1];
            int m = qr_shapes[s / 2].m, n = qr_shapes[s / 2].n;
            struct factored x = factored(t, storev, random_tile(t, m, n, qr_shapes[s / 2].pad));
            struct tile again = tile_new(t, x.k, x.k, 1);
            keep(&again);
            tw_cpu_kernels[t]->larft(storev, x.p, x.k, x.f.p, x.f.ld, x.tau.p, again.p, again.ld);
            untouched(&again, 'G');
            zz *one = dense_op(&x.t, 'N'), *two = dense_op(&again, 'N');
            SMALL(distance(t, one, two, (size_t)x.k * (size_t)x.k, x.p, largest_of(one, (size_t)x.k * (size_t)x.k)));
            free(two);
            struct tile work = tile_new(t, x.k, x.k, 0); /* and from the products of V's columns */
            for (int j = 0; j < x.k; j++)
                for (int i = 0; i < x.k; i++) {
                    zz sum = 0;
                    for (int r = 0; r < x.p; r++)
                        sum += ~reflector_of(&x.f, storev, r, i) * reflector_of(&x.f, storev, r, j);
                    put(&again, i, j, i < j ? sum : 0.0 / 0.0);
                }
            tw_cpu_kernels[t]->larft_finish(x.k, x.tau.p, again.p, again.ld, work.p);
            untouched(&again, 'G');
            two = dense_op(&again, 'N');
            SMALL(distance(t, one, two, (size_t)x.k * (size_t)x.k, x.p, largest_of(one, (size_t)x.k * (size_t)x.k)));
            free(one), free(two);
            tile_free(&again), tile_free(&work);
            drop(&x);
        }
}

/* op(H) C and C op(H), against the dense H. */
static void apply(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 8 * NQR; s++) {
            char storev = "CR"[s & 1], side = "LR"[s >> 1 & 1], trans = s & 4 ? tw_is_complex(t) ? 'C' : 'T' : 'N';
            int m = qr_shapes[s / 8].m, n = qr_shapes[s / 8].n, count = 1 + s % 37;
            struct factored x = factored(t, storev, random_tile(t, m, n, qr_shapes[s / 8].pad));
            struct tile c = side == 'L' ? random_tile(t, x.p, count, 1) : random_tile(t, count, x.p, 1);
            struct tile work = tile_new(t, x.k, count, 0);
            zz *h = dense_reflectors(&x.f, storev, x.p, x.k, &x.tau), *op = dense_adjoint(h, x.p, x.p);
            zz *before = dense_op(&c, 'N'), *factor = trans == 'N' ? h : op;
            zz *want = side == 'L' ? dense_multiply(c.m, c.n, x.p, factor, before, 0)
                                   : dense_multiply(c.m, c.n, x.p, before, factor, 0);
            tw_cpu_kernels[t]->larfb(side, trans, storev, c.m, c.n, x.k, x.f.p, x.f.ld, x.t.p, x.t.ld, c.p, c.ld,
                                     work.p);
            untouched(&c, 'G');
            zz *got = dense_op(&c, 'N');
            SMALL(distance(t, got, want, (size_t)c.m * (size_t)c.n, x.p, 1));
            free(h), free(op), free(before), free(want), free(got);
            tile_free(&c), tile_free(&work);
            drop(&x);
        }
}

/* Columns or rows of Q, from as many as there are reflectors to all. */
static void generate(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 6 * NQR; s++) {
            char storev = "CR"[s & 1];
            int m = qr_shapes[s / 6].m, n = qr_shapes[s / 6].n;
            struct factored x = factored(t, storev, random_tile(t, m, n, qr_shapes[s / 6].pad));
            int count = s / 2 % 3 == 0 ? x.k : s / 2 % 3 == 1 ? x.p : (x.k + x.p) / 2;
            struct tile q = storev == 'C' ? tile_new(t, x.p, count, 3) : tile_new(t, count, x.p, 3),
                        work = tile_new(t, x.k, count, 0);
            zz *h = dense_reflectors(&x.f, storev, x.p, x.k, &x.tau), *adjoint = dense_adjoint(h, x.p, x.p);
            keep(&q);
            if (storev == 'C')
                tw_cpu_kernels[t]->orgqr(q.m, q.n, x.k, x.f.p, x.f.ld, x.t.p, x.t.ld, q.p, q.ld, work.p);
            else
                tw_cpu_kernels[t]->orglq(q.m, q.n, x.k, x.f.p, x.f.ld, x.t.p, x.t.ld, q.p, q.ld, work.p);
            untouched(&q, 'G');
            for (int j = 0; j < q.n; j++)
                for (int i = 0; i < q.m; i++) {
                    zz want = (storev == 'C' ? h : adjoint)[i + (size_t)j * (size_t)x.p];
                    assert_true(size_of(get(&q, i, j) - want) <= 3 * eps_of(t) * (x.p + 10));
                }
            free(h), free(adjoint);
            tile_free(&q), tile_free(&work);
            drop(&x);
        }
}

/* Zero columns, elements near the ends of the range (where reflectors are found by scaling), as LAPACK's. */
static void extremes(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < 6; s++) {
            static const double of_float[] = {0, 1e-44, 1e-36, 1e-20, 1e18, 1e36},
                                of_double[] = {0, 1e-322, 1e-305, 1e-170, 1e160, 1e305};
            double scale = (tw_is_single(t) ? of_float : of_double)[s];
            struct tile a = tile_new(t, 60, 24, 1);
            randomise(&a, 'G');
            for (int i = 0; i < 60; i++) {
                put(&a, i, 0, scale * get(&a, i, 0));
                put(&a, i, 13, 0);
                if (i > 20) put(&a, i, 20, 0), put(&a, i, 5, scale * get(&a, i, 5));
            }
            keep(&a);
            struct factored x = factored(t, 'C', a);
            struct tile g = tile_copy(&a), tau = tile_new(t, 24, 1, 0), work = tile_new(t, 24, 1, 0);
            assert_int_equal(lapack_geqr2(&g, tau.p, work.p), 0);
            for (int j = 0; j < 14;
                 j++) { /* then there is a column in the span of those before it, whose signs are chance */
                double largest = 0;
                for (int i = 0; i < 60; i++)
                    largest = fmax(largest, size_of(get(&g, i, j)));
                if (j < 13) assert_true(size_of(get(&tau, j, 0) - get(&x.tau, j, 0)) <= sqrt(eps_of(t)));
                for (int i = 0; i < 60; i++)
                    if (!(size_of(get(&g, i, j) - get(&x.f, i, j)) <= sqrt(eps_of(t)) * (largest + 1)))
                        fail_msg("type %c, scale %g: (%d, %d)", tw_letter(t), scale, i, j);
            }
            zz *h = dense_reflectors(&x.f, 'C', 60, 24, &x.tau);
            assert_true(from_unitary(t, h, 60) <= 3);
            free(h);
            tile_free(&g), tile_free(&tau), tile_free(&work);
            drop(&x);
        }
}

static void not_a_number(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        struct tile a = random_tile(t, 50, 30, 1);
        put(&a, 17, 4, make(NAN, 0));
        keep(&a);
        struct factored x = factored(t, 'C', a);
        for (int j = 0; j < 4; j++)
            assert_true(isfinite(__real__ get(&x.f, j, j)));
        assert_true(isnan(__real__ get(&x.f, 4, 4)));
        drop(&x);
    }
}

/* ---- trees ---- */

static struct tree tree(enum tw_type t, int x)
{
    struct tree f = {.m = tree_shapes[x].m, .n = tree_shapes[x].n, .l = tree_shapes[x].l, .nb = tree_shapes[x].nb};
    struct tile work = tile_new(t, f.nb, f.n, 0);
    tree_tiles(t, x, &f.a, &f.b);
    f.fa = tile_copy(&f.a), f.fb = tile_copy(&f.b), f.t = tile_new(t, f.nb, f.n, 1);
    keep(&f.t);
    tw_cpu_kernels[t]->tpqrt(f.m, f.n, f.l, f.nb, f.fa.p, f.fa.ld, f.fb.p, f.fb.ld, f.t.p, f.t.ld, work.p);
    f.q = dense_tree_q(&f.fb, &f.t, f.l, f.nb);
    tile_free(&work);
    return f;
}

static void tree_factor(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int x = 0; x < NTREES; x++) {
            struct tree f = tree(t, x);
            check_tree(&f);
            cut(&f);
        }
}

static void tree_apply(void **state)
{
    (void)state;
    const char storev = 'C';
    FOR_TYPES(t)
        for (int s = 0; s < 4 * NTREES; s++) {
            char side = "LR"[s & 1], trans = s & 2 ? tw_is_complex(t) ? 'C' : 'T' : 'N';
            struct tree f = tree(t, s / 4);
            int m = f.m, n = f.n, p = m + n, count = 1 + s % 23;
            struct tile a = side == 'L' ? random_tile(t, n, count, 1) : random_tile(t, count, n, 1);
            struct tile b = side == 'L' ? random_tile(t, m, count, 2) : random_tile(t, count, m, 2);
            struct tile work = tile_new(t, f.nb, count, 0);
            zz *c = dense_new(p, count), *adjoint = dense_adjoint(f.q, p, p), *want;
            zz *factor = trans == 'N' ? f.q : adjoint;
            for (int j = 0; j < count; j++)
                for (int i = 0; i < p; i++) {
                    zz *to = side == 'L' ? &c[i + (size_t)j * (size_t)p] : &c[j + (size_t)i * (size_t)count];
                    if (side == 'L') *to = i < n ? get(&a, i, j) : get(&b, i - n, j);
                    if (side == 'R') *to = i < n ? get(&a, j, i) : get(&b, j, i - n);
                }
            want = side == 'L' ? dense_multiply(p, count, p, factor, c, 0) : dense_multiply(count, p, p, c, factor, 0);
            tw_cpu_kernels[t]->tpmqrt(side, trans, b.m, b.n, n, f.l, f.nb, f.fb.p, f.fb.ld, f.t.p, f.t.ld, a.p, a.ld,
                                      b.p, b.ld, work.p);
            untouched(&a, 'G'), untouched(&b, 'G');
            for (int j = 0; j < count; j++)
                for (int i = 0; i < p; i++) {
                    zz w = side == 'L' ? want[i + (size_t)j * (size_t)p] : want[j + (size_t)i * (size_t)count], g;
                    if (side == 'L')
                        g = i < n ? get(&a, i, j) : get(&b, i - n, j);
                    else
                        g = i < n ? get(&a, j, i) : get(&b, j, i - n);
                    SMALL(size_of(g - w) / (eps_of(t) * (p + 10)));
                }
            free(c), free(adjoint), free(want);
            tile_free(&a), tile_free(&b), tile_free(&work);
            cut(&f);
        }
}

/* A block with column exchanges, in tiles of 100 columns: the same bits, whoever takes which part of a product. */
static void exchanged_by_a_team(void **state)
{
    enum { ROWS = 310, COLS = 430, NB = 100, K = 30, TILES_M = 4, TILES_N = 5 };
    (void)state;
    FOR_TYPES(t) {
        struct tile a[3], f[3], tau[3], work = tile_new(t, 2 * ROWS + COLS + 2 * K, 1, 0);
        int32_t jpvt[3][COLS], swap[3][K];
        double norm[3][COLS], summed[3][COLS];
        a[BY_ONE] = tile_new(t, ROWS, COLS, 3);
        randomise(&a[BY_ONE], 'G');
        for (int by = BY_NOBODY_ELSE; by <= BY_A_TEAM; by++)
            a[by] = tile_copy(&a[BY_ONE]);
        for (int by = BY_ONE; by <= BY_A_TEAM; by++) {
            struct tw_tile_at at[TILES_M * TILES_N];
            for (int j = 0; j < TILES_N; j++)
                for (int i = 0; i < TILES_M; i++)
                    at[i + j * TILES_M] = (struct tw_tile_at){
                        a[by].p + ((size_t)(i * NB) + (size_t)(j * NB) * (size_t)a[by].ld) * tw_sizeof(t), a[by].ld};
            const struct tw_tile_grid grid = {ROWS, COLS, NB, NB, TILES_M, at};
            f[by] = tile_new(t, COLS, K, 0), tau[by] = tile_new(t, K, 1, 0);
            for (int j = 0; j < COLS; j++)
                jpvt[by][j] = j + 1;
            if (by == BY_ONE)
                tw_cpu_kernels[t]->laqps(&grid, K, 0, jpvt[by], swap[by], tau[by].p, f[by].p, COLS, norm[by],
                                         summed[by], work.p, 0, NULL);
            else
                tw_laqps_team[t](by == BY_A_TEAM ? &a_team : NULL, &grid, K, 0, jpvt[by], swap[by], tau[by].p, f[by].p,
                                 COLS, norm[by], summed[by], work.p, 0, NULL);
            assert_memory_equal(a[by].p, a[BY_ONE].p, tile_bytes(&a[by]));
            assert_memory_equal(f[by].p, f[BY_ONE].p, tile_bytes(&f[by]));
            assert_memory_equal(tau[by].p, tau[BY_ONE].p, tile_bytes(&tau[by]));
            assert_memory_equal(jpvt[by], jpvt[BY_ONE], sizeof jpvt[by]);
            assert_memory_equal(swap[by], swap[BY_ONE], sizeof swap[by]);
        }
        for (int by = BY_ONE; by <= BY_A_TEAM; by++)
            tile_free(&a[by]), tile_free(&f[by]), tile_free(&tau[by]);
        tile_free(&work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor),       cmocka_unit_test(by_a_team),
        cmocka_unit_test(triangle),     cmocka_unit_test(apply),
        cmocka_unit_test(generate),     cmocka_unit_test(extremes),
        cmocka_unit_test(not_a_number), cmocka_unit_test(tree_factor),
        cmocka_unit_test(tree_apply),   cmocka_unit_test(exchanged_by_a_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
