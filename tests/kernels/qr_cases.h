/* Shapes for the tests of QR kernels, and the plain, dense unitary matrices to compare with. */
#ifndef TW_TESTS_KERNELS_QR_CASES_H
#define TW_TESTS_KERNELS_QR_CASES_H
#include "kernels/lapack_types.h"

static const struct {
    int m, n, pad;
} qr_shapes[] = {{1, 1, 0},   {5, 1, 2},   {1, 6, 0},    {7, 7, 1},    {9, 8, 3},   {8, 9, 0}, {40, 17, 1}, {17, 40, 5},
                 {64, 64, 0}, {65, 64, 3}, {120, 33, 7}, {33, 120, 2}, {90, 90, 1}, {0, 3, 1}, {3, 0, 1}};
#define NQR ((int)(sizeof qr_shapes / sizeof qr_shapes[0]))

static const struct {
    int m, n, l, nb;
} tree_shapes[] = {{1, 1, 0, 1},    {1, 1, 1, 1},     {5, 3, 0, 2},     {5, 3, 2, 3},     {20, 20, 20, 20},
                   {20, 20, 0, 8},  {33, 20, 20, 7},  {40, 33, 0, 33},  {40, 33, 11, 16}, {33, 40, 33, 40},
                   {33, 40, 9, 12}, {64, 64, 64, 32}, {70, 64, 64, 64}, {0, 4, 0, 4}};
#define NTREES ((int)(sizeof tree_shapes / sizeof tree_shapes[0]))

static inline struct tile random_tile(enum tw_type t, int m, int n, int pad)
{
    struct tile a = tile_new(t, m, n, pad);
    randomise(&a, 'G');
    keep(&a);
    return a;
}

/* v of reflector j out of a factored tile: columnwise below the diagonal, or rowwise (V^H is stored) right of it. */
static inline zz reflector_of(const struct tile *f, char storev, int i, int j)
{
    if (i < j) return 0;
    if (i == j) return 1;
    return storev == 'C' ? get(f, i, j) : ~get(f, j, i);
}

/* H(1) H(2) ... H(k) of order p, as a dense matrix, a reflector at a time from tau. */
static inline zz *dense_reflectors(const struct tile *f, char storev, int p, int k, const struct tile *tau)
{
    zz *h = dense_new(p, p);
    for (int i = 0; i < p; i++)
        h[i + (size_t)i * (size_t)p] = 1;
    for (int j = 0; j < k; j++)
        for (int r = 0; r < p; r++) { /* row r of H times I - tau v v^H */
            zz sum = 0;
            for (int i = j; i < p; i++)
                sum += h[r + (size_t)i * (size_t)p] * reflector_of(f, storev, i, j);
            sum *= get(tau, j, 0);
            for (int i = j; i < p; i++)
                h[r + (size_t)i * (size_t)p] -= sum * ~reflector_of(f, storev, i, j);
        }
    return h;
}

/* I - V T V^H of order p from dense V (p x k) and the upper triangle of `t`, from its column `first`. */
static inline zz *dense_block(int p, int k, const zz *v, const struct tile *t, int first)
{
    zz *d = dense_new(k, k), *vt, *vh = dense_new(k, p), *h;
    for (int j = 0; j < k; j++)
        for (int i = 0; i <= j; i++)
            d[i + (size_t)j * (size_t)k] = get(t, i, first + j);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < p; i++)
            vh[j + (size_t)i * (size_t)k] = ~v[i + (size_t)j * (size_t)p];
    vt = dense_multiply(p, k, k, v, d, 0);
    h = dense_multiply(p, p, k, vt, vh, 0);
    for (int j = 0; j < p; j++)
        for (int i = 0; i < p; i++)
            h[i + (size_t)j * (size_t)p] = (i == j) - h[i + (size_t)j * (size_t)p];
    free(d), free(vt), free(vh);
    return h;
}

static inline zz *dense_adjoint(const zz *a, int m, int n)
{
    zz *b = dense_new(n, m);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            b[j + (size_t)i * (size_t)n] = ~a[i + (size_t)j * (size_t)m];
    return b;
}

/* Largest |a - b| in units of n eps `size`. */
static inline double distance(enum tw_type t, const zz *a, const zz *b, size_t count, int n, double size)
{
    double error = 0;
    for (size_t p = 0; p < count; p++)
        if (!(size_of(a[p] - b[p]) <= error)) error = size_of(a[p] - b[p]);
    return error / (eps_of(t) * (n > 10 ? n : 10) * (size > 0 ? size : 1));
}

static inline double from_unitary(enum tw_type t, const zz *q, int n)
{
    zz *h = dense_adjoint(q, n, n), *product = dense_multiply(n, n, n, h, q, 0), *one = dense_new(n, n);
    for (int i = 0; i < n; i++)
        one[i + (size_t)i * (size_t)n] = 1;
    double d = distance(t, product, one, (size_t)n * (size_t)n, n, 1);
    free(h), free(product), free(one);
    return d;
}

/* Q of tpqrt, of order n + m: the product of its blocks' I - V T V^H, V the identity on top of b (its last l rows a
 * trapezoid). */
static inline zz *dense_tree_q(const struct tile *b, const struct tile *t, int l, int nb)
{
    int m = b->m, n = b->n, p = m + n;
    zz *q = dense_new(p, p);
    for (int i = 0; i < p; i++)
        q[i + (size_t)i * (size_t)p] = 1;
    for (int first = 0; first < n; first += nb) {
        int k = n - first < nb ? n - first : nb;
        zz *v = dense_new(p, k), *h, *product;
        for (int j = 0; j < k; j++) {
            v[first + j + (size_t)j * (size_t)p] = 1;
            for (int i = 0; i < m; i++)
                if (i - (m - l) <= first + j) v[n + i + (size_t)j * (size_t)p] = get(b, i, first + j);
        }
        h = dense_block(p, k, v, t, first);
        product = dense_multiply(p, p, p, q, h, 0);
        free(q), free(v), free(h);
        q = product;
    }
    return q;
}

/* What tpqrt factors: a triangle, and a tile with a trapezoid below; NaN where it must not look. */
static inline void tree_tiles(enum tw_type t, int x, struct tile *a, struct tile *b)
{
    int m = tree_shapes[x].m, n = tree_shapes[x].n, l = tree_shapes[x].l;
    *a = tile_new(t, n, n, 2);
    randomise(a, 'U');
    keep(a);
    *b = tile_new(t, m, n, 1);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (i - (m - l) <= j) put(b, i, j, random_value(t));
    keep(b);
}

static inline zz *dense_stacked(const struct tile *a, const struct tile *b, int l, int with_b)
{
    int m = b->m, n = a->n, p = m + n;
    zz *s = dense_new(p, n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i <= j; i++)
            s[i + (size_t)j * (size_t)p] = get(a, i, j);
        for (int i = 0; i < m && with_b; i++)
            if (i - (m - l) <= j) s[n + i + (size_t)j * (size_t)p] = get(b, i, j);
    }
    return s;
}
#define SMALL(value)                                                                                                   \
    do {                                                                                                               \
        double r_ = (value);                                                                                           \
        if (!(r_ <= 3)) fail_msg("type %c, '%c', %d x %d: %s is %g n eps", tw_letter(t), storev, m, n, #value, r_);    \
    } while (0)

/* A factored by QR ('C') or LQ ('R'), and what came beside it. */
struct factored {
    struct tile a, f, tau, t;
    int p, k; /* order of H, reflectors */
};

static inline void drop(struct factored *x)
{
    tile_free(&x->a), tile_free(&x->f), tile_free(&x->tau), tile_free(&x->t);
}

static inline zz *dense_v(const struct factored *x, char storev)
{
    zz *v = dense_new(x->p, x->k);
    for (int j = 0; j < x->k; j++)
        for (int i = 0; i < x->p; i++)
            v[i + (size_t)j * (size_t)x->p] = reflector_of(&x->f, storev, i, j);
    return v;
}

/* A = Q R or L Q, Q unitary, T belongs to V and tau, the diagonal is real, and signs are LAPACK's. */
static inline void check_factored(const struct factored *x, char storev)
{
    enum tw_type t = x->a.type;
    int m = x->a.m, n = x->a.n;
    zz *a = dense_op(&x->a, 'N'), *r = dense_new(m, n), *product;
    zz *h = dense_reflectors(&x->f, storev, x->p, x->k, &x->tau), *q = dense_adjoint(h, x->p, x->p);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (in_part(storev == 'C' ? 'U' : 'L', i, j)) r[i + (size_t)j * (size_t)m] = get(&x->f, i, j);
    product = storev == 'C' ? dense_multiply(m, n, m, h, r, 0) : dense_multiply(m, n, n, r, q, 0);
    SMALL(distance(t, a, product, (size_t)m * (size_t)n, x->p, 1));
    SMALL(from_unitary(t, h, x->p));
    zz *v = dense_v(x, storev), *block = dense_block(x->p, x->k, v, &x->t, 0);
    SMALL(distance(t, h, block, (size_t)x->p * (size_t)x->p, x->p, 1));
    for (int j = 0; j < x->k; j++) {
        for (int i = j + 1; i < x->k; i++)
            assert_true(get(&x->t, i, j) == 0);
        assert_true(get(&x->t, j, j) == get(&x->tau, j, 0));
        assert_true(__imag__ get(&x->f, j, j) == 0);
    }
    struct tile g = tile_copy(&x->a), tau = tile_new(t, x->k, 1, 0), work = tile_new(t, m + n, 1, 0);
    if (x->k > 0) {
        assert_int_equal(storev == 'C' ? lapack_geqr2(&g, tau.p, work.p) : lapack_gelq2(&g, tau.p, work.p), 0);
        for (int j = 0; j < x->k; j++)
            assert_true(size_of(get(&tau, j, 0) - get(&x->tau, j, 0)) <= sqrt(eps_of(t)));
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                assert_true(size_of(get(&g, i, j) - get(&x->f, i, j)) <= sqrt(eps_of(t)));
    }
    tile_free(&g), tile_free(&tau), tile_free(&work);
    free(a), free(r), free(product), free(h), free(q), free(v), free(block);
}

struct tree {
    struct tile a, b, fa, fb, t;
    int m, n, l, nb;
    zz *q;
};

static inline void cut(struct tree *f)
{
    tile_free(&f->a), tile_free(&f->b), tile_free(&f->fa), tile_free(&f->fb), tile_free(&f->t);
    free(f->q);
}

/* [A; B] = Q [R; 0], Q unitary, nothing touched that is not of the triangle or the trapezoid. */
static inline void check_tree(const struct tree *f)
{
    const char storev = 'C';
    enum tw_type t = f->a.type;
    int m = f->m, n = f->n, p = m + n;
    zz *a = dense_stacked(&f->a, &f->b, f->l, 1), *r = dense_stacked(&f->fa, &f->fb, f->l, 0);
    zz *product = dense_multiply(p, n, p, f->q, r, 0);
    untouched(&f->fa, 'U'), untouched(&f->t, 'G');
    for (int j = 0; j < n; j++) /* below the trapezoid: NaN as before */
        for (int i = m - f->l + j + 1; i < m; i++)
            assert_true(isnan(__real__ get(&f->fb, i, j)));
    SMALL(from_unitary(t, f->q, p));
    SMALL(distance(t, a, product, (size_t)p * (size_t)n, p, 1));
    free(a), free(r), free(product);
}
#endif
