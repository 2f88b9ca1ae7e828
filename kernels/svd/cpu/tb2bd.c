/* Bulge chasing: from an upper triangular band matrix to a real bidiagonal one by Householder reflectors from both
 * sides, one row at a time (as tasks: Haidar, Ltaief, Luszczek, Dongarra, IPDPS 2012; Haidar, Kurzak, Luszczek, SC'13).
 *
 * Step k of sweep s takes the left reflector U(s, k-1) to the block right of its diagonal block, which fills it, clears
 * the first row of that by V(s, k) from the right, takes V(s, k) to the block's other rows and to the next diagonal
 * block, which fills that, and clears that one's first column by U(s, k) from the left. What else was filled, later
 * sweeps clear, a row and a column each. Rows and columns of both are those of hb2st's reflectors. */
#include "kernels/eigen/cpu/chase_block.h"
#include "kernels/svd/cpu/tb2bd.h"

/* ---- the block right of a diagonal block ------------------------------------------------------------------------- */

/* dots(j) = factor v^H A(j) for `count` columns. */
static inline __attribute__((always_inline)) void dot_columns(const int count, int m, const R *a, size_t lda,
                                                              struct planes v, struct scalar factor, R *dots)
{
    const int lanes = m * PLANES, full = lanes - lanes % VL;
    V s[4][PLANES];

    for (int j = 0; j < count; j++)
        for (int p = 0; p < PLANES; p++)
            s[j][p] = (V){0};
    for (int l = 0; l < full; l += VL)
        for (int j = 0; j < count; j++) {
            const V x = load(a + (size_t)j * lda + l);
            for (int p = 0; p < PLANES; p++)
                s[j][p] += x * load(v.x[p] + l);
        }
    for (int j = 0; j < count; j++) {
        struct scalar t;
        for (int p = 0; p < PLANES; p++) {
            t.x[p] = sum(s[j][p]);
            for (int l = full; l < lanes; l++)
                t.x[p] += a[(size_t)j * lda + (size_t)l] * v.x[p][l];
        }
        t = times(factor, t);
        memcpy(dots + j * PLANES, t.x, sizeof t);
    }
}

/* A(j) -= c(j) u + t conj(v(j)) z for `count` columns. */
static inline __attribute__((always_inline)) void subtract_columns(const int count, int m, R *a, size_t lda,
                                                                   const R *dots, struct planes u, struct scalar tau,
                                                                   const R *v, struct planes z)
{
    const int lanes = m * PLANES, full = lanes - lanes % VL;
    struct scalar c[4], t[4];

    for (int j = 0; j < count; j++) {
        c[j] = element(dots, (size_t)j);
        t[j] = times(tau, conjugate(element(v, (size_t)j)));
    }
    for (int l = 0; l < full; l += VL)
        for (int j = 0; j < count; j++) {
            V x = load(a + (size_t)j * lda + l);
            for (int p = 0; p < PLANES; p++)
                x -= c[j].x[p] * load(u.x[p] + l) + t[j].x[p] * load(z.x[p] + l);
            store(a + (size_t)j * lda + l, x);
        }
    for (int l = full; l < lanes; l++)
        for (int j = 0; j < count; j++)
            for (int p = 0; p < PLANES; p++)
                a[(size_t)j * lda + (size_t)l] -= c[j].x[p] * u.x[p][l] + t[j].x[p] * z.x[p][l];
}

/* The first row of A (m x n) from y, which holds its adjoint: a real element and zeros. */
static void put_row(int n, R *a, size_t lda, const R *y)
{
    for (int j = 0; j < n; j++)
        memcpy(a + (size_t)j * lda, y + j * PLANES, PLANES * sizeof(R));
}

/* U(s, k-1) = (tau, at->v) from the left, then the first row's own V(s, k), at->next, from the right: A is m x n, m the
 * length of at->v. */
static struct scalar wide_block(int m, int n, R *a, size_t lda, struct scalar tau, const struct space *at)
{
    R *dots = at->dots, *y = at->p.x[0];
    struct scalar next, along = {{0}};
    int j = 0;

    for (; j + 4 <= n; j += 4)
        dot_columns(4, m, a + (size_t)j * lda, lda, at->v, conjugate(tau), dots + j * PLANES);
    for (; j < n; j++)
        dot_columns(1, m, a + (size_t)j * lda, lda, at->v, conjugate(tau), dots + j * PLANES);
    for (j = 0; j < n; j++) { /* v(0) = 1 */
        const struct scalar x = conjugate(minus(element(a + (size_t)j * lda, 0), element(dots, (size_t)j)));
        memcpy(y + j * PLANES, x.x, sizeof x);
    }
    next = reflector(n, y, at->next);
    if (!is_zero(tau) || !is_zero(next)) {
        product(m, n, a, lda, at->next.x[0], at->w);
        for (j = 0; j < n; j++) {
            const struct scalar x = times(element(dots, (size_t)j), element(at->next.x[0], (size_t)j));
            for (int p = 0; p < PLANES; p++)
                along.x[p] += x.x[p];
        }
        subtract(m, along, at->v, at->w.x[0]);
        times_i(m, at->w);
        for (j = 0; j + 4 <= n; j += 4)
            subtract_columns(4, m, a + (size_t)j * lda, lda, dots + j * PLANES, at->v, next, at->next.x[0] + j * PLANES,
                             at->w);
        for (; j < n; j++)
            subtract_columns(1, m, a + (size_t)j * lda, lda, dots + j * PLANES, at->v, next, at->next.x[0] + j * PLANES,
                             at->w);
    }
    put_row(n, a, lda, y);
    return next;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

struct chase {
    const struct tw_tb2bd *t;
    R *a;
    size_t ld, across; /* from an element to the next one of its column is 1, of its row `across`; in R's */
    struct space at;   /* v: the reflector that was made last */
};

static R *at(const struct chase *c, int i, int j)
{
    return c->a + (size_t)(i - j + 2 * c->t->shape.b - 1) * PLANES + (size_t)j * c->ld;
}

static void exchange(struct chase *c)
{
    const struct planes v = c->at.v;
    c->at.v = c->at.next;
    c->at.next = v;
}

/* Of m elements of at->v: to one that keeps tau in the place of the leading 1, and back. */
static void put(const struct chase *c, int m, struct scalar tau, R *to)
{
    memcpy(to, tau.x, sizeof tau);
    memcpy(to + PLANES, c->at.v.x[0] + PLANES, (size_t)(m - 1) * sizeof tau);
    memset(to + (size_t)m * PLANES, 0, (size_t)(c->t->shape.b - m) * sizeof tau);
}
static struct scalar get(const struct chase *c, int m, const R *from)
{
    const struct scalar tau = element(from, 0);
    R *v = c->at.v.x[0];

    memcpy(v, from, (size_t)m * PLANES * sizeof(R));
    memset(v, 0, sizeof tau);
    v[0] = 1;
    times_i(m, c->at.v);
    return tau;
}

/* The first row of a sweep: V(s, 0) clears it. */
static struct scalar first_row(struct chase *c, int s, int m)
{
    R *row = at(c, s, s + 1), *y = c->at.p.x[0];
    struct scalar tau;

    for (int j = 0; j < m; j++) {
        const struct scalar x = conjugate(element(row + (size_t)j * c->across, 0));
        memcpy(y + j * PLANES, x.x, sizeof x);
    }
    tau = reflector(m, y, c->at.next);
    put_row(m, row, c->across, y);
    return tau;
}

/* With a band of width 1 nothing is filled: the phase goes on to the next off-diagonal element. */
static void pass_on(struct chase *c, int s, struct scalar tau)
{
    if (s + 2 < c->t->shape.n) {
        R *next = at(c, s + 1, s + 2);
        const struct scalar x = minus(element(next, 0), times(conjugate(tau), element(next, 0)));
        memcpy(next, x.x, sizeof x);
    }
}

/* at->v, tau: U(s, k-1) before, U(s, k) afterwards. right: room for V(s, k), or NULL. */
static struct scalar step(struct chase *c, int s, int k, struct scalar tau, R *right)
{
    const struct tw_chase_shape *shape = &c->t->shape;
    const int row = tw_chase_row(shape, s, k), m = tw_chase_rows(shape, s, k);

    tau = k == 0 ? first_row(c, s, m) : wide_block(shape->b, m, at(c, row - shape->b, row), c->across, tau, &c->at);
    exchange(c);
    if (right) put(c, m, tau, right);
    tau = block(m, m, at(c, row, row), c->across, tau, &c->at);
    exchange(c);
    if (shape->b == 1) pass_on(c, s, tau);
    return tau;
}

static R *kept(const struct tw_chase_shape *shape, void *reflectors, int g, int k)
{
    return reflectors ? (R *)reflectors + (size_t)tw_chase_kept(shape, g, k) * (size_t)shape->b * PLANES : NULL;
}

static void sweep_part(struct chase *c, int g)
{
    const struct tw_tb2bd *t = c->t;
    const struct tw_chase_shape *shape = &t->shape;
    const int s = t->group * shape->depth + g;
    R *carry = (R *)t->carry + (size_t)g * (size_t)shape->b * PLANES;
    struct scalar tau = {{0}};
    int first, last;

    tw_chase_part(shape, t->group, t->task, g, &first, &last);
    if (first >= last) return;
    if (first > 0) tau = get(c, tw_chase_rows(shape, s, first - 1), carry);
    for (int k = first; k < last; k++) {
        const int m = tw_chase_rows(shape, s, k);
        tau = step(c, s, k, tau, kept(shape, t->v, g, k));
        if (t->u) put(c, m, tau, kept(shape, t->u, g, k));
        if (k == last - 1) put(c, m, tau, carry);
    }
}

/* Row s is final once step 0 of sweep s is done, the last one with the last sweep. */
static void results(const struct chase *c, int s, int *bad)
{
    R *d = c->t->d, *e = c->t->e;
    int finite;

    d[s] = at(c, s, s)[0];
    finite = isfinite(d[s]);
    if (s + 1 < c->t->shape.n) {
        e[s] = at(c, s, s + 1)[0];
        finite &= isfinite(e[s]);
    }
    if (!finite && *bad == 0) *bad = s + 1;
}

static struct planes carve(R **from, size_t length)
{
    struct planes x;
    for (int p = 0; p < PLANES; p++, *from += length)
        x.x[p] = *from;
    return x;
}

int TW_ISA_NAME(tb2bd)(const struct tw_tb2bd *t)
{
    const int n = t->shape.n, sweeps = tw_chase_sweeps(&t->shape), first = t->group * t->shape.depth;
    const size_t ld = (size_t)t->ld * PLANES, length = ((size_t)t->shape.b + 15) / 16 * 16 * PLANES;
    R *work = (R *)(((size_t)t->work + 63) / 64 * 64);
    struct chase c = {.t = t, .a = t->a, .ld = ld, .across = ld - PLANES};
    int bad = 0;

    c.at.v = carve(&work, length), c.at.next = carve(&work, length);
    c.at.w = carve(&work, length), c.at.p = carve(&work, length);
    c.at.dots = work;
    for (int g = 0; g < t->shape.depth && first + g < sweeps; g++) {
        sweep_part(&c, g);
        if (t->task == 0) results(&c, first + g, &bad);
    }
    if (t->task == 0 && first + t->shape.depth >= sweeps && n > 0) results(&c, n - 1, &bad);
    return bad;
}
