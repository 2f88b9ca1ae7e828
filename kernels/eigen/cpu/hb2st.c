/* Bulge chasing: from a hermitian band matrix to a real symmetric tridiagonal one by Householder reflectors, one column
 * at a time (Schwarz; Murata and Horikoshi 1975; as tasks: Haidar, Ltaief, Dongarra 2011).
 *
 * Step k of sweep s takes H(s, k-1) from the right to the block under its diagonal block, which fills it, clears the
 * first column of that by H(s, k), and takes H(s, k) from the left to the block's other columns and from both sides to
 * the next diagonal block. What else was filled, later sweeps clear, a column each.
 *
 * Vectors come in two planes, x and i x (hb2st_vector.h); with real types there is the first alone. */
#include "kernels/eigen/cpu/chase_block.h"
#include "kernels/eigen/cpu/hb2st.h"

/* ---- the diagonal block, of which the lower triangle is there ---------------------------------------------------- */

/* What columns c … c + COLS - 1 add to p = A v without the diagonal: below it to p's planes, which are to be put
 * together, and as rows to dots. Above the diagonal a vector of a column reaches into the column before it, whose
 * elements there are no other task's meanwhile. */
static inline void triangle_columns(int c, int m, const R *a, size_t lda, const struct space *at)
{
    const int lanes = m * PLANES, full = lanes - lanes % VL, head = c * PLANES / VL * VL;
    V s[COLS][PLANES];

    for (int j = 0; j < COLS; j++)
        for (int p = 0; p < PLANES; p++)
            s[j][p] = (V){0};
    for (int l = head; l < full; l += VL) {
        V below[PLANES];
        for (int p = 0; p < PLANES; p++)
            below[p] = load(at->p.x[p] + l);
        for (int j = 0; j < COLS; j++) {
            V x = load(a + (size_t)(c + j) * lda + l);
            if (l == head) x = keep(lanes_from((c + j + 1) * PLANES - head), x);
            for (int p = 0; p < PLANES; p++) {
                below[p] += x * at->v.x[0][(c + j) * PLANES + p];
                s[j][p] += x * load(at->v.x[p] + l);
            }
        }
        for (int p = 0; p < PLANES; p++)
            store(at->p.x[p] + l, below[p]);
    }
    for (int j = 0; j < COLS; j++)
        for (int p = 0; p < PLANES; p++) {
            R *dots = at->dots + (c + j) * PLANES + p;
            *dots = sum(s[j][p]);
            for (int l = full; l < lanes; l++) {
                const R x = a[(size_t)(c + j) * lda + (size_t)l];
                at->p.x[p][l] += x * at->v.x[0][(c + j) * PLANES + p];
                *dots += x * at->v.x[p][l];
            }
        }
}

/* The same for one of the last columns, which fill no vector. */
static void triangle_column(int c, int m, const R *a, size_t lda, const struct space *at)
{
    for (int p = 0; p < PLANES; p++) {
        R s = 0;
        for (int l = (c + 1) * PLANES; l < m * PLANES; l++) {
            const R x = a[(size_t)c * lda + (size_t)l];
            at->p.x[p][l] += x * at->v.x[0][c * PLANES + p];
            s += x * at->v.x[p][l];
        }
        at->dots[c * PLANES + p] = s;
    }
}

/* p = A v, A hermitian: the planes' sum, Re + i Im, the rows' part and the diagonal. */
static void hermitian_product(int m, const R *a, size_t lda, const struct space *at)
{
    const int whole = m * PLANES / VL * VL / PLANES;
    int c = 0;

    for (int p = 0; p < PLANES; p++)
        memset(at->p.x[p], 0, (size_t)m * PLANES * sizeof(R));
    for (; c + COLS <= whole; c += COLS)
        triangle_columns(c, m, a, lda, at);
    for (; c < m; c++)
        triangle_column(c, m, a, lda, at);
    for (c = 0; c < m; c++) {
        const R diagonal = a[(size_t)c * lda + (size_t)c * PLANES];
        R *to = at->p.x[0] + c * PLANES;
#if TW_IS_COMPLEX
        const R re = to[0] - at->p.x[1][2 * c + 1], im = to[1] + at->p.x[1][2 * c];
        to[0] = re + at->dots[2 * c];
        to[1] = im - at->dots[2 * c + 1];
#else
        to[0] += at->dots[c];
#endif
        for (int p = 0; p < PLANES; p++)
            to[p] += diagonal * at->v.x[0][c * PLANES + p];
    }
}

/* A(:, c) -= w conj(v(c)) + v conj(w(c)) on and below the diagonal. */
static inline void rank_2_column(int c, int m, R *a, struct planes v, struct planes w)
{
    const int lanes = m * PLANES, full = lanes - lanes % VL;
    int l = c * PLANES / VL * VL;
    const struct scalar x = conjugate(element(v.x[0], (size_t)c)), y = conjugate(element(w.x[0], (size_t)c));

    if (l < full) {
        const V old = load(a + l);
        V new = old;
        for (int p = 0; p < PLANES; p++)
            new -= x.x[p] * load(w.x[p] + l) + y.x[p] * load(v.x[p] + l);
        store(a + l, blend(lanes_from(c * PLANES - l), new, old));
        for (l += VL; l < full; l += VL) {
            new = load(a + l);
            for (int p = 0; p < PLANES; p++)
                new -= x.x[p] * load(w.x[p] + l) + y.x[p] * load(v.x[p] + l);
            store(a + l, new);
        }
    } else {
        l = c * PLANES;
    }
    for (; l < lanes; l++)
        for (int p = 0; p < PLANES; p++)
            a[l] -= x.x[p] * w.x[p][l] + y.x[p] * v.x[p][l];
    for (int p = 1; p < PLANES; p++)
        a[c * PLANES + p] = 0;
}

/* A = H^H A H, as LAPACK's hetd2: x = tau A v, w = x - 1/2 tau (x^H v) v, A -= v w^H + w v^H. */
static void both_sides(int m, R *a, size_t lda, struct scalar tau, const struct space *at)
{
    const R half = (R)0.5;
    struct scalar alpha;

    if (is_zero(tau)) return;
    hermitian_product(m, a, lda, at);
    for (int c = 0; c < m; c++) {
        const struct scalar x = times(tau, element(at->p.x[0], (size_t)c));
        memcpy(at->w.x[0] + c * PLANES, x.x, sizeof x);
    }
    alpha = times(tau, conjugate(dot(m, at->v, at->w.x[0])));
    for (int p = 0; p < PLANES; p++)
        alpha.x[p] *= half;
    subtract(m, alpha, at->v, at->w.x[0]);
    times_i(m, at->w);
    for (int c = 0; c < m; c++)
        rank_2_column(c, m, a + (size_t)c * lda, at->v, at->w);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

struct chase {
    const struct tw_hb2st *t;
    R *a;
    size_t ld, across; /* from an element to the next one of its column is 1, of its row `across`; in R's */
    struct space at;
};

static R *at(const struct chase *c, int i, int j)
{
    return c->a + (size_t)(i - j) * PLANES + (size_t)j * c->ld;
}

/* To v's first element and rest from one that keeps tau there, and back. */
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

/* With a band of width 1 nothing is filled: the phase goes on to the next off-diagonal element. */
static void pass_on(struct chase *c, int s, struct scalar tau)
{
    if (s + 2 < c->t->shape.n) {
        R *next = at(c, s + 2, s + 1);
        const struct scalar x = minus(element(next, 0), times(tau, element(next, 0)));
        memcpy(next, x.x, sizeof x);
    }
}

static struct scalar step(struct chase *c, int s, int k, struct scalar tau)
{
    const struct tw_chase_shape *shape = &c->t->shape;
    const int row = tw_chase_row(shape, s, k), m = tw_chase_rows(shape, s, k);

    if (k == 0) {
        tau = reflector(m, at(c, row, s), c->at.v);
    } else {
        const struct planes v = c->at.v;
        tau = block(m, shape->b, at(c, row, row - shape->b), c->across, tau, &c->at);
        c->at.v = c->at.next;
        c->at.next = v;
    }
    both_sides(m, at(c, row, row), c->across, tau, &c->at);
    if (shape->b == 1) pass_on(c, s, tau);
    return tau;
}

static void sweep_part(struct chase *c, int g)
{
    const struct tw_hb2st *t = c->t;
    const struct tw_chase_shape *shape = &t->shape;
    const int s = t->group * shape->depth + g;
    R *carry = (R *)t->carry + (size_t)g * (size_t)shape->b * PLANES, *v = t->v;
    struct scalar tau = {{0}};
    int first, last;

    tw_chase_part(shape, t->group, t->task, g, &first, &last);
    if (first >= last) return;
    if (first > 0) tau = get(c, tw_chase_rows(shape, s, first - 1), carry);
    for (int k = first; k < last; k++) {
        const int m = tw_chase_rows(shape, s, k);
        tau = step(c, s, k, tau);
        if (v) put(c, m, tau, v + (size_t)tw_chase_kept(shape, g, k) * (size_t)shape->b * PLANES);
        if (k == last - 1) put(c, m, tau, carry);
    }
}

/* Column s is final once step 0 of sweep s is done, the last one with the last sweep. */
static void results(const struct chase *c, int s, int *bad)
{
    R *d = c->t->d, *e = c->t->e;
    int finite;

    d[s] = at(c, s, s)[0];
    finite = isfinite(d[s]);
    if (s + 1 < c->t->shape.n) {
        e[s] = at(c, s + 1, s)[0];
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

int TW_ISA_NAME(hb2st)(const struct tw_hb2st *t)
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
