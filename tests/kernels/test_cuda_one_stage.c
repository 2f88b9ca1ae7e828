/* lahr2 and labrd on the GPU: panels of the one-stage reductions to Hessenberg and to bidiagonal form. Beside the
 * CPU's, which the tests of gehrd and gebrd hold against LAPACK's; and what they have to fulfil, in plain loops, where
 * a matrix does not determine them well. Skipped where there is no GPU. */
#include "kernels/qr_cases.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include "kernels/cuda_tiles.h"
#include "kernels/eigen/cpu/lahr2.h"
#include "kernels/eigen/cuda/lahr2.h"
#include "kernels/svd/cpu/labrd.h"
#include "kernels/svd/cuda/labrd.h"

#define COUNT(list) ((int)(sizeof list / sizeof *list))

/* Element by element; relative to `size`. */
static void near(const struct tile *x, const struct tile *y, double size, double unit, const char *what)
{
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->m; i++)
            if (!(size_of(get(x, i, j) - get(y, i, j)) <= unit * size))
                fail_msg("type %c, %s of %d rows: element (%d, %d) is %g, not %g", tw_letter(x->type), what, x->m, i, j,
                         __real__ get(x, i, j), __real__ get(y, i, j));
}
/* Padding and columns outside first ... end - 1 are as they were; of the others, rows before `from` in the first
 * one. */
static void kept(const struct tile *f, int first, int end, int from)
{
    const size_t w = tw_sizeof(f->type);
    for (int j = 0; j < f->n; j++)
        for (int i = 0; i < f->ld; i++) {
            const size_t k = ((size_t)i + (size_t)j * (size_t)f->ld) * w;
            if (i < f->m && j >= first && j < end && (j > first || i >= from)) continue;
            if (memcmp(f->p + k, f->before + k, w) != 0)
                fail_msg("type %c: element (%d, %d) was written", tw_letter(f->type), i, j);
        }
}

enum kind { RANDOM, ZERO_COLUMN, ZERO, GRADED, RANK_ONE, KINDS };
static struct tile made(enum tw_type t, enum kind kind, int m, int n, int column, int pad)
{
    struct tile a = random_tile(t, m, n, pad);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            zz x = get(&a, i, j);
            if (kind == ZERO || (kind == ZERO_COLUMN && j == column)) x = 0;
            if (kind == GRADED) x *= ldexp(1, tw_is_single(t) ? -i / 4 : -i);
            if (kind == RANK_ONE) x = (1 + i % 3) * (0.5 + j % 5);
            put(&a, i, j, x);
        }
    keep(&a);
    return a;
}
static struct tile scaled(const struct tile *a, int e)
{
    struct tile b = tile_copy(a);
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            put(&b, i, j, get(a, i, j) * ldexp(1, e));
    keep(&b);
    return b;
}

/* ---- Hessenberg -------------------------------------------------------------------------------------------------- */

static const struct {
    int n, first, last, b, pad;
} hess_shapes[] = {{2, 0, 2, 1, 0},       {3, 0, 3, 2, 1},      {5, 1, 4, 2, 0},        {33, 0, 33, 32, 1},
                   {70, 0, 70, 20, 0},    {97, 32, 97, 32, 3},  {130, 0, 130, 64, 1},   {131, 64, 120, 55, 0},
                   {300, 64, 300, 64, 1}, {577, 5, 560, 33, 0}, {1000, 0, 1000, 64, 0}, {999, 64, 999, 64, 2}};
enum { SMALL_HESS = 8 }; /* of these are small enough for loops */

struct hess {
    int first, last, b;
    struct tile f, v, y, t, tau;
};
static struct tw_lahr2 panel_of(const struct hess *h, const struct tw_tile_at *at, void *v, void *y, void *t, void *tau)
{
    return (struct tw_lahr2){.first = h->first,
                             .columns = h->b,
                             .last = h->last,
                             .width = h->f.n,
                             .blocks = 1,
                             .at = at,
                             .v = v,
                             .y = y,
                             .t = t,
                             .tau = tau,
                             .ldv = h->v.ld,
                             .ldy = h->y.ld,
                             .ldt = h->t.ld};
}
static struct hess empty_hess(const struct tile *a, int first, int last, int b)
{
    struct hess h = {.first = first,
                     .last = last,
                     .b = b,
                     .f = tile_copy(a),
                     .v = tile_new(a->type, last - first - 1, b, 1),
                     .y = tile_new(a->type, last, b, 2),
                     .t = tile_new(a->type, b, b, 1),
                     .tau = tile_new(a->type, b, 1, 0)};
    keep(&h.v), keep(&h.y), keep(&h.t), keep(&h.tau);
    return h;
}
static void drop_hess(struct hess *h)
{
    tile_free(&h->f), tile_free(&h->v), tile_free(&h->y), tile_free(&h->t), tile_free(&h->tau);
}

static struct hess cpu_hess(const struct tile *a, int first, int last, int b)
{
    struct hess h = empty_hess(a, first, last, b);
    const struct tw_tile_at at = {h.f.p, h.f.ld};
    const struct tw_lahr2 p = panel_of(&h, &at, h.v.p, h.y.p, h.t.p, h.tau.p);
    void *work = malloc(tw_lahr2_work(a->type, h.v.m, b, 1));
    assert_non_null(work);
    tw_lahr2_kernels[a->type]->panel(&p, NULL, work);
    free(work);
    return h;
}

static struct hess gpu_hess(const struct tile *a, int first, int last, int b)
{
    struct hess h = empty_hess(a, first, last, b), g = h;
    const size_t bytes = tw_lahr2_cuda_work(a->type, h.v.m, last, b);
    void *f = to_gpu(&h.f), *v = to_gpu(&h.v), *y = to_gpu(&h.y), *t = to_gpu(&h.t), *tau = to_gpu(&h.tau);
    char *work = device_alloc(bytes + 32), behind[24];
    const struct tw_tile_at at = {f, h.f.ld};
    const struct tw_lahr2 p = panel_of(&h, &at, v, y, t, tau);

    KERNEL_OK(tw_lahr2_cuda[a->type](&q, &p, work + 8));
    g.f = from_gpu(&h.f, f), g.v = from_gpu(&h.v, v), g.y = from_gpu(&h.y, y), g.t = from_gpu(&h.t, t);
    g.tau = from_gpu(&h.tau, tau);
    download(behind, work + 8 + bytes, sizeof behind);
    for (size_t i = 0; i < sizeof behind; i++)
        assert_int_equal((unsigned char)behind[i], 0xff);
    CUDA_OK(cudaFree(work));
    kept(&g.f, first, first + b, first + 1);
    drop_hess(&h);
    return g;
}

static void hess_beside_cpu(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < COUNT(hess_shapes); s++) {
            const int n = hess_shapes[s].n, first = hess_shapes[s].first, last = hess_shapes[s].last,
                      b = hess_shapes[s].b;
            struct tile a = random_tile(t, n, n, hess_shapes[s].pad);
            struct hess g = gpu_hess(&a, first, last, b), c = cpu_hess(&a, first, last, b);
            const double unit = 200 * n * eps_of(t);
            near(&g.v, &c.v, 1, unit, "V"), near(&g.tau, &c.tau, 1, unit, "tau"), near(&g.t, &c.t, 1, unit, "T");
            near(&g.y, &c.y, sqrt(n), unit, "Y"), near(&g.f, &c.f, sqrt(n), unit, "A");
            drop_hess(&g), drop_hess(&c);
            tile_free(&a);
        }
}

/* Q = I - V T V^H is unitary, Y = A V T, and Q^H A Q has the panel's columns. */
static void check_hess(const struct tile *a, const struct hess *h)
{
    const enum tw_type type = a->type;
    const int n = a->n, p = h->last - h->first - 1, b = h->b, from = h->first + 1;
    zz *v = dense_op(&h->v, 'N'), *t = dense_triangle(&h->t, 'U', 'N', 'N'), *vt = dense_multiply(p, b, b, v, t, 0),
       *block = dense_block(p, b, v, &h->t, 0), *Q = dense_new(n, n), *A = dense_op(a, 'N'), *AQ, *QH, *H;
    const double size = largest_of(A, (size_t)n * (size_t)n), unit = 100 * n * eps_of(type);

    for (int i = 0; i < n; i++)
        Q[i + (size_t)i * (size_t)n] = 1;
    for (int j = 0; j < p; j++)
        for (int i = 0; i < p; i++)
            Q[from + i + (size_t)(from + j) * (size_t)n] = block[i + (size_t)j * (size_t)p];
    assert_true(from_unitary(type, Q, n) <= 3);
    AQ = dense_multiply(n, n, n, A, Q, 0), QH = dense_adjoint(Q, n, n), H = dense_multiply(n, n, n, QH, AQ, 0);
    for (int j = 0; j < b; j++) {
        for (int i = 0; i < h->last; i++) {
            const zz want = i <= from + j ? get(&h->f, i, h->first + j) : 0;
            if (!(size_of(H[i + (size_t)(h->first + j) * (size_t)n] - want) <= unit * size))
                fail_msg("type %c, n = %d: H(%d, %d)", tw_letter(type), n, i, h->first + j);
        }
        for (int i = 0; i < p; i++) {
            const zz is = get(&h->v, i, j);
            if (i < j ? is != 0 : i == j ? is != 1 : is != get(&h->f, from + i, h->first + j))
                fail_msg("V(%d, %d)", i, j);
        }
        for (int i = 0; i < h->last; i++) {
            zz want = 0;
            for (int l = 0; l < p; l++)
                want += A[i + (size_t)(from + l) * (size_t)n] * vt[l + (size_t)j * (size_t)p];
            if (!(size_of(get(&h->y, i, j) - want) <= unit * size))
                fail_msg("type %c, n = %d: Y(%d, %d)", tw_letter(type), n, i, j);
        }
        for (int i = 0; i < b; i++)
            if (i == j ? get(&h->t, i, j) != get(&h->tau, j, 0) : i > j && get(&h->t, i, j) != 0)
                fail_msg("T(%d, %d)", i, j);
    }
    free(v), free(t), free(vt), free(block), free(Q), free(A), free(AQ), free(QH), free(H);
}

static void hess_kinds(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++)
            for (int s = 0; s < SMALL_HESS; s++) {
                const int n = hess_shapes[s].n, first = hess_shapes[s].first;
                struct tile a = made(t, (enum kind)kind, n, n, first + 1, hess_shapes[s].pad);
                struct hess g = gpu_hess(&a, first, hess_shapes[s].last, hess_shapes[s].b);
                check_hess(&a, &g);
                drop_hess(&g), tile_free(&a);
            }
}

/* ---- bidiagonal -------------------------------------------------------------------------------------------------- */

static const struct {
    int m, n, first, b, pad;
} bi_shapes[] = {{1, 1, 0, 1, 0},        {2, 2, 0, 1, 1},       {2, 2, 0, 2, 1},        {3, 2, 0, 2, 0},
                 {5, 4, 1, 2, 2},        {33, 33, 0, 32, 0},    {70, 50, 0, 30, 1},     {97, 97, 32, 32, 0},
                 {130, 128, 64, 64, 3},  {300, 130, 64, 64, 0}, {600, 577, 300, 33, 1}, {900, 20, 0, 20, 1},
                 {1000, 1000, 0, 64, 0}, {1001, 999, 64, 64, 1}};
enum { SMALL_BI = 9 };

struct bi {
    int first, b;
    struct tile f, vx, yu, rows, d, e, tauq, taup;
};
static struct tw_labrd bi_panel(const struct bi *x, const struct tw_tile_at *at, void *const p[7])
{
    return (struct tw_labrd){.m = x->f.m,
                             .n = x->f.n,
                             .first = x->first,
                             .columns = x->b,
                             .width = x->f.n,
                             .blocks = 1,
                             .at = at,
                             .vx = p[0],
                             .yu = p[1],
                             .rows = p[2],
                             .d = p[3],
                             .e = p[4],
                             .tauq = p[5],
                             .taup = p[6],
                             .ldvx = x->vx.ld,
                             .ldyu = x->yu.ld,
                             .ldrows = x->rows.ld};
}
static void each(struct bi *x, struct tile *part[7])
{
    struct tile *const all[7] = {&x->vx, &x->yu, &x->rows, &x->d, &x->e, &x->tauq, &x->taup};
    memcpy(part, all, sizeof all);
}
static struct bi empty_bi(const struct tile *a, int first, int b)
{
    const enum tw_type t = a->type, real = tw_real_type(t);
    const int m = a->m - first, n = a->n - first;
    struct bi x = {.first = first,
                   .b = b,
                   .f = tile_copy(a),
                   .vx = tile_new(t, m, 2 * b, 1),
                   .yu = tile_new(t, n, 2 * b, 2),
                   .rows = tile_new(t, n - b, b, 1),
                   .d = tile_new(real, b, 1, 0),
                   .e = tile_new(real, n == b ? b - 1 : b, 1, 0),
                   .tauq = tile_new(t, b, 1, 0),
                   .taup = tile_new(t, b, 1, 0)};
    struct tile *part[7];
    each(&x, part);
    for (int k = 0; k < 7; k++)
        keep(part[k]);
    return x;
}
static void drop_bi(struct bi *x)
{
    struct tile *part[7];
    each(x, part);
    for (int k = 0; k < 7; k++)
        tile_free(part[k]);
    tile_free(&x->f);
}

static struct bi cpu_bi(const struct tile *a, int first, int b)
{
    struct bi x = empty_bi(a, first, b);
    struct tile *part[7];
    void *p[7], *work = malloc(tw_labrd_work(a->type, x.vx.m, b, 1));
    const struct tw_tile_at at = {x.f.p, x.f.ld};

    assert_non_null(work);
    each(&x, part);
    for (int k = 0; k < 7; k++)
        p[k] = part[k]->p;
    const struct tw_labrd l = bi_panel(&x, &at, p);
    tw_labrd_kernels[a->type]->panel(&l, NULL, work);
    free(work);
    return x;
}

static struct bi gpu_bi(const struct tile *a, int first, int b)
{
    struct bi x = empty_bi(a, first, b), g = x;
    const size_t bytes = tw_labrd_cuda_work(a->type, x.vx.m, x.yu.m, b);
    char *work = device_alloc(bytes + 32), behind[24];
    struct tile *sent[7], *came[7];
    void *p[7], *f = to_gpu(&x.f);
    const struct tw_tile_at at = {f, x.f.ld};

    each(&x, sent), each(&g, came);
    for (int k = 0; k < 7; k++)
        p[k] = to_gpu(sent[k]);
    const struct tw_labrd l = bi_panel(&x, &at, p);
    KERNEL_OK(tw_labrd_cuda[a->type](&q, &l, work + 8));
    g.f = from_gpu(&x.f, f);
    for (int k = 0; k < 7; k++)
        *came[k] = from_gpu(sent[k], p[k]);
    download(behind, work + 8 + bytes, sizeof behind);
    for (size_t i = 0; i < sizeof behind; i++)
        assert_int_equal((unsigned char)behind[i], 0xff);
    CUDA_OK(cudaFree(work));
    kept(&g.f, first, first + b, first);
    drop_bi(&x);
    return g;
}

/* What is defined of [V X] (or [Y U]), the rest zero. */
static void defined(struct tile *x, int b, int left)
{
    for (int j = 0; j < 2 * b; j++)
        for (int i = 0; i < x->m; i++)
            if ((left ? j < b : j >= b) && i < j % b + 1) put(x, i, j, 0);
}
static void compare_bi(struct bi *g, struct bi *c, int n)
{
    const double unit = 200 * n * eps_of(g->f.type);
    struct tile *is[7], *want[7];

    if (g->yu.m == g->b) /* the last column has no row: nothing of X and U */
        for (int i = 0; i < g->vx.m; i++) {
            put(&g->vx, i, 2 * g->b - 1, 0), put(&c->vx, i, 2 * g->b - 1, 0);
            if (i < g->yu.m)
                put(&g->yu, i, 2 * g->b - 1, 0), put(&c->yu, i, 2 * g->b - 1, 0), put(&g->yu, i, g->b - 1, 0),
                    put(&c->yu, i, g->b - 1, 0);
        }
    defined(&g->vx, g->b, 0), defined(&c->vx, g->b, 0), defined(&g->yu, g->b, 1), defined(&c->yu, g->b, 1);
    each(g, is), each(c, want);
    for (int k = 0; k < 7; k++) {
        static const char *const name[] = {"[V X]", "[Y U]", "rows", "d", "e", "tauq", "taup"};
        near(is[k], want[k], k < 5 ? sqrt(n) : 1, unit, name[k]);
    }
    near(&g->f, &c->f, sqrt(n), unit, "A");
}

static void bi_beside_cpu(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int s = 0; s < COUNT(bi_shapes); s++) {
            const int m = bi_shapes[s].m, n = bi_shapes[s].n, first = bi_shapes[s].first, b = bi_shapes[s].b;
            struct tile a = random_tile(t, m, n, bi_shapes[s].pad);
            struct bi g = gpu_bi(&a, first, b), c = cpu_bi(&a, first, b);
            compare_bi(&g, &c, m);
            drop_bi(&g), drop_bi(&c);
            tile_free(&a);
        }
}

/* x := x - tau v (v^H x) of `count` vectors; ld: between elements of one, step: between vectors. adjoint: of tau. */
static void reflect(zz *a, int length, size_t ld, int count, size_t step, const zz *v, zz tau)
{
    for (int k = 0; k < count; k++) {
        zz sum = 0, *x = a + (size_t)k * step;
        for (int i = 0; i < length; i++)
            sum += ~v[i] * x[(size_t)i * ld];
        for (int i = 0; i < length; i++)
            x[(size_t)i * ld] -= v[i] * (tau * sum);
    }
}

/* The panel's reflectors, one after another, make of A what d and e say, and behind them A - V Y^H - X U^H. */
static void check_bi(const struct tile *a, const struct bi *x)
{
    const enum tw_type type = a->type;
    const int f = x->first, m = a->m - f, n = a->n - f, b = x->b;
    zz *A = dense_new(m, n), *v = dense_new(m, 1), *u = dense_new(n, 1);
    double size = 0;
    const double unit = 100 * a->m * eps_of(type);

    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            size = fmax(size, size_of(A[i + (size_t)j * (size_t)m] = get(a, f + i, f + j)));
    for (int c = 0; c < b; c++) {
        for (int i = 0; i < m; i++) {
            v[i] = get(&x->vx, i, c);
            if (i < c ? v[i] != 0 : i == c ? v[i] != 1 : v[i] != get(&x->f, f + i, f + c)) fail_msg("V(%d, %d)", i, c);
        }
        reflect(A, m, 1, n, (size_t)m, v, ~get(&x->tauq, c, 0)); /* H^H */
        if (c == n - 1) break;
        for (int i = 0; i < n; i++) {
            u[i] = get(&x->yu, i, b + c);
            const zz stored = i < b ? ~get(&x->f, f + c, f + i) : i <= c ? 0 : get(&x->rows, i - b, c);
            if (i <= c ? u[i] != 0 : i == c + 1 ? u[i] != 1 : u[i] != stored) fail_msg("U(%d, %d)", i, c);
            if (i == c + 1) assert_true(stored == get(&x->e, c, 0));
            u[i] = ~u[i]; /* rows are vectors of A^T */
        }
        reflect(A, n, (size_t)m, m, 1, u, get(&x->taup, c, 0)); /* G, its conjugate reflects them */
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            zz want = 0;
            if (i < b && j < n && j == i) want = get(&x->d, i, 0);
            if (i < b && j == i + 1) want = get(&x->e, i, 0);
            if (i >= b && j >= b) {
                want = get(a, f + i, f + j);
                for (int c = 0; c < b; c++)
                    want -= get(&x->vx, i, c) * ~get(&x->yu, j, c) + get(&x->vx, i, b + c) * ~get(&x->yu, j, b + c);
            }
            if (!(size_of(A[i + (size_t)j * (size_t)m] - want) <= unit * size))
                fail_msg("type %c, %d x %d, first %d: (%d, %d) is %g, not %g", tw_letter(type), a->m, a->n, f, i, j,
                         __real__ A[i + (size_t)j * (size_t)m], __real__ want);
        }
    free(A), free(v), free(u);
}

static void bi_kinds(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int kind = 0; kind < KINDS; kind++)
            for (int s = 0; s < SMALL_BI; s++) {
                struct tile a =
                    made(t, (enum kind)kind, bi_shapes[s].m, bi_shapes[s].n, bi_shapes[s].first + 1, bi_shapes[s].pad);
                struct bi g = gpu_bi(&a, bi_shapes[s].first, bi_shapes[s].b);
                check_bi(&a, &g);
                drop_bi(&g), tile_free(&a);
            }
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* Multiplied by a power of two: the same reflectors, results multiplied. Squares would overflow or get lost. */
static void scales(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int w = -1; w <= 1; w += 2) {
            const int n = 90, b = 20, e = w * (tw_is_single(t) ? 100 : 990);
            struct tile a = random_tile(t, n, n, 1), s = scaled(&a, e), f;
            struct hess h = gpu_hess(&a, 3, n, b), hs = gpu_hess(&s, 3, n, b);
            struct bi x = gpu_bi(&a, 3, b), xs = gpu_bi(&s, 3, b);
            const double unit = 1000 * eps_of(t);
            near(&hs.v, &h.v, 1, unit, "V"), near(&hs.tau, &h.tau, 1, unit, "tau"), near(&hs.t, &h.t, 1, unit, "T");
            f = scaled(&hs.y, -e), near(&f, &h.y, 10, unit, "Y"), tile_free(&f);
            f = scaled(&xs.d, -e), near(&f, &x.d, 10, unit, "d"), tile_free(&f);
            f = scaled(&xs.e, -e), near(&f, &x.e, 10, unit, "e"), tile_free(&f);
            near(&xs.tauq, &x.tauq, 1, unit, "tauq"), near(&xs.taup, &x.taup, 1, unit, "taup");
            drop_hess(&h), drop_hess(&hs), drop_bi(&x), drop_bi(&xs);
            tile_free(&a), tile_free(&s);
        }
}

/* The call ends; what comes before is what it is without it. */
static void not_a_number(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int w = 0; w < 2; w++) {
            const int n = 300, b = 64, at = 9;
            struct tile a = random_tile(t, n, n, 1);
            put(&a, n / 2, at, make(w ? INFINITY : NAN, 0));
            struct hess h = gpu_hess(&a, 0, n, b);
            struct bi x = gpu_bi(&a, 0, b);
            assert_false(isfinite(size_of(get(&h.tau, b - 1, 0))));
            assert_false(isfinite(size_of(get(&x.tauq, b - 1, 0))));
            assert_true(isfinite(size_of(get(&x.d, 0, 0))));
            drop_hess(&h), drop_bi(&x);
            tile_free(&a);
        }
}

/* Bit for bit the same a second time. */
static void repeats(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const int n = 700, b = 64;
        struct tile a = random_tile(t, n, n, 0);
        struct hess h = gpu_hess(&a, 0, n, b), g = gpu_hess(&a, 0, n, b);
        struct bi x = gpu_bi(&a, 0, b), y = gpu_bi(&a, 0, b);
        assert_memory_equal(h.f.p, g.f.p, tile_bytes(&h.f));
        assert_memory_equal(h.y.p, g.y.p, tile_bytes(&h.y));
        assert_memory_equal(x.f.p, y.f.p, tile_bytes(&x.f));
        assert_memory_equal(x.rows.p, y.rows.p, tile_bytes(&x.rows));
        drop_hess(&h), drop_hess(&g), drop_bi(&x), drop_bi(&y);
        tile_free(&a);
    }
}

static void enqueues(void **state)
{
    (void)state;
    FOR_TYPES(t) {
        const int n = 900, b = 64;
        const size_t one = tw_lahr2_cuda_work(t, n - 1, n, b), two = tw_labrd_cuda_work(t, n, n, b);
        struct tile a = random_tile(t, n, n, 0), thin = tile_new(t, n, 2 * b, 0), small = tile_new(t, 2 * b, b, 0);
        void *f = to_gpu(&a), *v = to_gpu(&thin), *y = to_gpu(&thin), *rows = to_gpu(&a), *k[5],
             *work = device_alloc(one > two ? one : two);
        struct hess h = {.first = 0, .last = n, .b = b, .f = a, .v = thin, .y = thin, .t = small};
        struct bi x = {.first = 0, .b = b, .f = a, .vx = thin, .yu = thin, .rows = a};
        const struct tw_tile_at at = {f, n};
        for (int i = 0; i < 5; i++)
            k[i] = to_gpu(&small);
        const struct tw_lahr2 p = panel_of(&h, &at, v, y, k[0], k[1]);
        const struct tw_labrd l = bi_panel(&x, &at, (void *[7]){v, y, rows, k[0], k[1], k[2], k[3]});
        ENQUEUES(tw_lahr2_cuda[t](&q, &p, work));
        ENQUEUES(tw_labrd_cuda[t](&q, &l, work));
        for (int i = 0; i < 5; i++)
            CUDA_OK(cudaFree(k[i]));
        CUDA_OK(cudaFree(f));
        CUDA_OK(cudaFree(v));
        CUDA_OK(cudaFree(y));
        CUDA_OK(cudaFree(rows));
        CUDA_OK(cudaFree(work));
        tile_free(&a), tile_free(&thin), tile_free(&small);
    }
}

int main(void)
{
    if (no_gpu()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hess_beside_cpu), cmocka_unit_test(hess_kinds), cmocka_unit_test(bi_beside_cpu),
        cmocka_unit_test(bi_kinds),        cmocka_unit_test(scales),     cmocka_unit_test(not_a_number),
        cmocka_unit_test(repeats),         cmocka_unit_test(enqueues),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
#endif
