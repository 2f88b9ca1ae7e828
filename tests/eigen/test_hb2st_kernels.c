/* Kernels of bulge chasing and of its diamonds, beside loops: reflectors applied one by one, all orders that are
 * allowed and two that are not. */
#include <time.h>
#include "bands.h"
#include "kernels/eigen/cpu/diamond.h"
#include "kernels/eigen/cpu/hb2st.h"
#include "runtime/base/types.h"

#define BIG 9 /* rows of memory below what a kernel may use */

struct result {
    struct tw_chase_shape shape;
    int ld, groups;
    void *a, *d, *e, **v; /* d, e: of the real type */
    int bad;
};

enum order { ROWS, WAVES, TOO_EARLY };

static void one_task(struct result *r, enum tw_type t, int S, int J, void **carry, void *work)
{
    const struct tw_hb2st task = {r->shape, S, J, r->a, r->ld, r->d, r->e, carry[S], r->v[S], work};
    const int bad = tw_hb2st_kernel(t)(&task);
    if (bad > 0 && (r->bad == 0 || bad < r->bad)) r->bad = bad;
}

static void chase(struct result *r, const struct band_case *c, struct tw_chase_shape shape, enum order order)
{
    const size_t size = tw_sizeof(c->t), b = (size_t)shape.b;
    void **carry, *work = malloc(tw_hb2st_work(c->t, shape.b));
    int waves = 0;

    *r = (struct result){.shape = shape, .ld = 2 * shape.b + BIG, .groups = tw_chase_groups(&shape)};
    r->a = tt_array(c->t, r->ld, c->n + 1);
    for (int j = 0; j < c->n; j++)
        memset((char *)r->a + (size_t)j * (size_t)r->ld * size, 0, 2 * b * size);
    band_columns(c, 0, c->n, r->a, r->ld);
    r->d = calloc((size_t)c->n + 1, sizeof(double)), r->e = calloc((size_t)c->n + 1, sizeof(double));
    r->v = calloc((size_t)r->groups + 1, sizeof *r->v), carry = calloc((size_t)r->groups + 1, sizeof *carry);
    for (int S = 0; S < r->groups; S++) {
        const int tasks = tw_chase_tasks(&shape, S);
        carry[S] = tt_array(c->t, shape.b, shape.depth);
        r->v[S] = tt_array(c->t, shape.b, tw_chase_room(&shape, S));
        waves = waves > tasks + 2 * S ? waves : tasks + 2 * S;
    }
    for (int S = 0; S < r->groups && order == ROWS; S++)
        for (int J = 0; J < tw_chase_tasks(&shape, S); J++)
            one_task(r, c->t, S, J, carry, work);
    /* the latest that each task may come: behind (S - 1, J + 1) alone; or one too early */
    for (int wave = 0; wave < waves && order != ROWS; wave++)
        for (int S = r->groups - 1; S >= 0; S--) {
            const int J = wave - (order == WAVES ? 2 : 1) * S;
            if (J >= 0 && J < tw_chase_tasks(&shape, S)) one_task(r, c->t, S, J, carry, work);
        }
    for (int S = 0; S < r->groups; S++)
        free(carry[S]);
    free(carry), free(work);
}
static void drop(struct result *r)
{
    for (int S = 0; S < r->groups; S++)
        free(r->v[S]);
    free(r->v), free(r->a), free(r->d), free(r->e);
}

static void numbers(const struct result *r, enum tw_type t, double *d, double *e)
{
    for (int i = 0; i < r->shape.n; i++) {
        d[i] = creal(tt_get(tw_real_type(t), r->d, (size_t)i));
        e[i] = creal(tt_get(tw_real_type(t), r->e, (size_t)i));
    }
}

/* Q = H(0,0) H(0,1) ... H(1,0) ... from the right, one by one. */
static tt_z *product(const struct result *r, enum tw_type t)
{
    const struct tw_chase_shape *c = &r->shape;
    const int n = c->n;
    tt_z *q = matrix_of(n), *v = matrix_of(c->b);

    for (int i = 0; i < n; i++)
        q[i + (size_t)i * (size_t)n] = 1;
    for (int s = 0; s < tw_chase_sweeps(c); s++)
        for (int k = 0; k < tw_chase_steps(c, s); k++) {
            const int row = tw_chase_row(c, s, k), rows = tw_chase_rows(c, s, k);
            const int slot = tw_chase_kept(c, s % c->depth, k);
            const void *kept = r->v[s / c->depth];
            const tt_z tau = tt_get(t, kept, (size_t)slot * (size_t)c->b);
            for (int i = 0; i < rows; i++)
                v[i] = i == 0 ? 1 : tt_get(t, kept, (size_t)slot * (size_t)c->b + (size_t)i);
            for (int i = 0; i < n; i++) {
                tt_z w = 0;
                for (int j = 0; j < rows; j++)
                    w += q[i + (size_t)(row + j) * (size_t)n] * v[j];
                for (int j = 0; j < rows; j++)
                    q[i + (size_t)(row + j) * (size_t)n] -= tau * w * conj(v[j]);
            }
        }
    free(v);
    return q;
}

static struct tw_chase_shape shape_of(int n, int b, int depth, int width)
{
    const int most = n > 1 ? n - 1 : 1;
    return (struct tw_chase_shape){n, b < most ? b : most, depth, width, 0};
}

static double diamonds_error(const struct result *r, enum tw_type t, const tt_z *q, int downwards, int gemm);

/* Nothing is written below row 2 b - 1 of the band, and what is left is tridiagonal. */
static void only_the_band(const struct result *r, const struct band_case *c)
{
    assert_int_equal(tt_touched(c->t, 'G', 2 * r->shape.b, c->n, r->a, r->ld), 0);
    for (int j = 0; j < c->n; j++)
        for (int i = 2; i < 2 * r->shape.b && j + i < c->n; i++)
            if (tt_get(c->t, r->a, (size_t)i + (size_t)j * (size_t)r->ld) != 0)
                fail_msg("element (%d, %d) is left, n %d, b %d", i + j, j, c->n, c->b);
}

static void one_case(enum tw_type t, int n, int b, enum kind kind, int depth, int width)
{
    struct band_case c = {t, n, b, kind, NULL};
    struct result r;
    double *d = calloc((size_t)n + 1, sizeof *d), *e = calloc((size_t)n + 1, sizeof *e);
    tt_z *q;

    band_make(&c);
    chase(&r, &c, shape_of(n, b, depth, width), ROWS);
    assert_int_equal(r.bad, 0);
    only_the_band(&r, &c);
    numbers(&r, t, d, e);
    q = product(&r, t);
    band_expect("hb2st: B - Q T Q^H", &c, band_residual(&c, d, e, q));
    band_expect("hb2st: values", &c, band_values_error(&c, d, e));
    if (n > 1) band_expect("diamonds", &c, diamonds_error(&r, t, q, 0, 0));
    if (n > 1) band_expect("diamonds by gemm", &c, diamonds_error(&r, t, q, 0, 1));
    r.shape.lead = 1;
    if (n > 1) band_expect("diamonds that begin a row higher", &c, diamonds_error(&r, t, q, 0, 0));
    if (n > 1) band_expect("the same by gemm", &c, diamonds_error(&r, t, q, 0, 1));
    free(q), free(d), free(e), free(c.full);
    drop(&r);
}

static void shapes(void **state)
{
    static const int n[] = {1, 2, 3, 7, 8, 9, 31, 33, 97, 120}, b[] = {1, 2, 3, 8, 16, 20, 32};
    (void)state;
    TT_TYPES(t)
        for (size_t i = 0; i < sizeof n / sizeof *n; i++)
            for (size_t j = 0; j < sizeof b / sizeof *b; j++) {
                one_case(t, n[i], b[j], RANDOM, 4, 8);
                one_case(t, n[i], b[j], RANDOM, 1, 3);
                one_case(t, n[i], b[j], RANDOM, 8, 32);
            }
}

static void kinds(void **state)
{
    (void)state;
    TT_TYPES(t)
        for (enum kind k = RANDOM; k < KINDS; k++) {
            one_case(t, 97, 8, k, 8, 8);
            one_case(t, 60, 24, k, 3, 12);
        }
}

/* Every allowed order gives the same bits, whatever the tasks' size; a step too early gives another matrix. */
static void orders(void **state)
{
    (void)state;
    TT_TYPES(t) {
        struct band_case c = {t, 131, 9, RANDOM, NULL};
        const size_t bytes = 131 * tw_sizeof(tw_real_type(t));
        struct result steps, waves, groups, early;
        double d[131], e[131];

        band_make(&c);
        chase(&steps, &c, shape_of(131, 9, 1, 4), ROWS);
        chase(&waves, &c, shape_of(131, 9, 1, 4), WAVES);
        chase(&groups, &c, shape_of(131, 9, 4, 4), WAVES);
        chase(&early, &c, shape_of(131, 9, 1, 4), TOO_EARLY);
        assert_memory_equal(steps.d, waves.d, bytes);
        assert_memory_equal(steps.e, waves.e, bytes);
        assert_memory_equal(steps.d, groups.d, bytes);
        assert_memory_equal(steps.e, groups.e, bytes);
        numbers(&early, t, d, e);
        assert_true(band_values_error(&c, d, e) > 1000);
        drop(&steps), drop(&waves), drop(&groups), drop(&early);
        free(c.full);
    }
}

/* NaN and infinities come out, and nothing hangs. */
static void not_finite(void **state)
{
    static const double what[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    TT_TYPES(t)
        for (int k = 0; k < 3; k++)
            for (int at = 0; at < 60; at += 29) {
                struct band_case c = {t, 60, 8, RANDOM, NULL};
                struct result r;
                band_make(&c);
                c.full[at * 61 + (at < 58)] = what[k];
                chase(&r, &c, shape_of(60, 8, 4, 4), ROWS);
                assert_in_range(r.bad, 1, 60);
                drop(&r);
                free(c.full);
            }
}

/* ---- diamonds ---------------------------------------------------------------------------------------------------- */

static double diamonds_error(const struct result *r, enum tw_type t, const tt_z *q, int downwards, int gemm)
{
    const struct tw_chase_shape *c = &r->shape;
    const int n = c->n, per = c->width / c->depth;
    const size_t ld = (size_t)tw_chase_ld(c), columns = 2 * (size_t)c->width;
    void *z = tt_array(t, n, n), *diamond = tt_array(t, (tw_int)ld, (tw_int)columns);
    void *work = tt_array(t, c->width, (tw_int)(n + 2 * c->width + 1));
    tt_z *error = matrix_of(n);
    double value;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, z, (size_t)i + (size_t)j * (size_t)n, i == j);
    for (int bundle = tw_chase_bundles(c) - 1; bundle >= 0; bundle--) {
        const int steps = tw_chase_steps(c, bundle * c->width);
        for (int step = 0; step < steps; step++) {
            const int k = downwards ? steps - 1 - step : step;
            tw_diamond_kernels[t]->form(c, bundle, k, (const void *const *)r->v + bundle * per, diamond, work);
            (gemm ? tw_diamond_kernels[t]->apply : tw_diamond_apply(t, c))(c, bundle, k, diamond, n, z, n, work);
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            error[i + (size_t)j * (size_t)n] =
                tt_get(t, z, (size_t)i + (size_t)j * (size_t)n) - q[i + (size_t)j * (size_t)n];
    value = tt_norm('F', n, n, error) / (n * tt_eps(t));
    free(z), free(diamond), free(work), free(error);
    return isnan(value) ? INFINITY : value;
}

static void reversed_diamonds_are_wrong(void **state)
{
    (void)state;
    TT_TYPES(t) {
        struct band_case c = {t, 120, 8, RANDOM, NULL};
        struct result r;
        tt_z *q;

        band_make(&c);
        chase(&r, &c, shape_of(120, 8, 4, 8), ROWS);
        q = product(&r, t);
        assert_true(diamonds_error(&r, t, q, 0, 0) < 3);
        assert_true(diamonds_error(&r, t, q, 1, 0) > 1000);
        free(q), free(c.full);
        drop(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(kinds), cmocka_unit_test(orders),
                                       cmocka_unit_test(not_finite), cmocka_unit_test(reversed_diamonds_are_wrong)};
    return tt_run(tests);
}
