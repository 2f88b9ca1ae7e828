/* A panel of the one-stage reduction to tridiagonal form (LAPACK's latrd: Dongarra, Hammarling, Sorensen, "Block
 * reduction of matrices to condensed forms for eigenvalue computations", J. Comput. Appl. Math. 27, 1989). Each column
 * needs a product of the whole rest of A with its reflector: tile by tile, each is read once and serves two segments of
 * the result, which go to places of their own and are summed up in a fixed order.
 *
 * Lanes are real numbers; with complex types, conj(a) x sums up lane by lane, to its real part with x, to its imaginary
 * part with -i x, the second plane of x, and a c is a Re(c) + i (a Im(c)), put together at the end (hb2st_vector.h). */
#include <math.h>
#include "runtime/base/blas_table.h" /* before the letters T and R are types */
#include "kernels/eigen/cpu/hb2st_vector.h"
#include "kernels/eigen/cpu/latrd.h"

#define CHUNK  (512 / PLANES) /* rows whose sums stay in a core's nearest cache */
#define ROWS   TW_LATRD_ROWS
#define INLINE static inline __attribute__((always_inline))

struct scalar {
    R x[PLANES];
};
struct panel {
    const struct tw_latrd *p;
    int c, k; /* the column; reflectors in all */
    R *x;     /* the column, rows from c on at their places */
    R *v[2];  /* its reflector in two planes (real types: one) */
    R *slots; /* tiles x n: parts of A v */
    R *part;  /* sums of chunks of rows: 2 k each */
    R *coef;  /* 2 k */
    R *dots;  /* w^H v of chunks of rows */
    struct scalar tau, alpha;
    int first_tile, tile_parts; /* of the product */
};

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

static inline struct scalar times(struct scalar a, struct scalar b)
{
#if TW_IS_COMPLEX
    return (struct scalar){{a.x[0] * b.x[0] - a.x[1] * b.x[1], a.x[0] * b.x[1] + a.x[1] * b.x[0]}};
#else
    return (struct scalar){{a.x[0] * b.x[0]}};
#endif
}
static inline struct scalar get(const R *a, size_t i)
{
    struct scalar s;
    for (int p = 0; p < PLANES; p++)
        s.x[p] = a[i * PLANES + (size_t)p];
    return s;
}
static inline void put(R *a, size_t i, struct scalar s)
{
    for (int p = 0; p < PLANES; p++)
        a[i * PLANES + (size_t)p] = s.x[p];
}
static inline struct scalar plus(struct scalar a, struct scalar b)
{
    for (int p = 0; p < PLANES; p++)
        a.x[p] += b.x[p];
    return a;
}
static inline struct scalar conjugate(struct scalar a)
{
#if TW_IS_COMPLEX
    a.x[1] = -a.x[1];
#endif
    return a;
}

/* sums[p] += a c in two planes; s[j] += conj(a(:, j)) v: of `count` columns, `lanes` lanes each. Either may be left
 * out. */
INLINE void multiply_columns(const int count, const int rows_too, const int columns_too, int lanes, const R *a,
                             size_t lda, const R *v0, const R *v1, const R *c, R *p0, R *p1, R *s)
{
    V part[4][PLANES];
    int l = 0;

    for (int j = 0; j < count; j++)
        for (int p = 0; p < PLANES; p++)
            part[j][p] = (V){0};
    for (; l + VL <= lanes; l += VL) {
        V y0 = rows_too ? load(p0 + l) : (V){0}, y1 = rows_too && PLANES == 2 ? load(p1 + l) : (V){0};
        const V x0 = columns_too ? load(v0 + l) : (V){0}, x1 = columns_too && PLANES == 2 ? load(v1 + l) : (V){0};
        for (int j = 0; j < count; j++) {
            const V e = load(a + (size_t)j * lda + l);
            if (rows_too) y0 += e * c[j * PLANES];
            if (rows_too && PLANES == 2) y1 += e * c[j * PLANES + PLANES - 1];
            if (columns_too) part[j][0] += e * x0;
            if (columns_too && PLANES == 2) part[j][PLANES - 1] += e * x1;
        }
        if (rows_too) store(p0 + l, y0);
        if (rows_too && PLANES == 2) store(p1 + l, y1);
    }
    for (int j = 0; j < count; j++) {
        const R *e = a + (size_t)j * lda;
        R more[PLANES] = {0};
        for (int r = l; r < lanes; r++) {
            if (rows_too) p0[r] += e[r] * c[j * PLANES];
            if (rows_too && PLANES == 2) p1[r] += e[r] * c[j * PLANES + PLANES - 1];
            if (columns_too) more[0] += e[r] * v0[r];
            if (columns_too && PLANES == 2) more[PLANES - 1] += e[r] * v1[r];
        }
        for (int p = 0; columns_too && p < PLANES; p++)
            s[j * PLANES + p] += sum(part[j][p]) + more[p];
    }
}
/* The same of any number of columns. */
INLINE void columns(const int rows_too, const int columns_too, int n, int lanes, const R *a, size_t lda, const R *v0,
                    const R *v1, const R *c, R *p0, R *p1, R *s)
{
    int j = 0;
    for (; j + 4 <= n; j += 4)
        multiply_columns(4, rows_too, columns_too, lanes, a + (size_t)j * lda, lda, v0, v1, c + j * PLANES, p0, p1,
                         s + j * PLANES);
    for (; j < n; j++)
        multiply_columns(1, rows_too, columns_too, lanes, a + (size_t)j * lda, lda, v0, v1, c + j * PLANES, p0, p1,
                         s + j * PLANES);
}
/* y += sign (p0 + i p1) */
INLINE void join(int lanes, R sign, const R *p0, const R *p1, R *y)
{
#if TW_IS_COMPLEX
    for (int l = 0; l < lanes; l += 2) {
        y[l] += sign * (p0[l] - p1[l + 1]);
        y[l + 1] += sign * (p0[l + 1] + p1[l]);
    }
#else
    (void)p1;
    for (int l = 0; l < lanes; l++)
        y[l] += sign * p0[l];
#endif
}
/* y -= A c for the n columns of A, `rows` rows. */
static void subtract(int rows, int n, const R *a, size_t lda, const R *c, R *y)
{
    R p[2][CHUNK * PLANES];

    for (int from = 0; from < rows; from += CHUNK) {
        const int lanes = (rows - from < CHUNK ? rows - from : CHUNK) * PLANES;
        memset(p[0], 0, (size_t)lanes * sizeof(R));
        memset(p[1], 0, (size_t)lanes * sizeof(R));
        columns(1, 0, n, lanes, a + (size_t)from * PLANES, lda, p[0], p[1], c, p[0], p[1], p[0]);
        join(lanes, -1, p[0], p[1], y + (size_t)from * PLANES);
    }
}

/* ---- A v: tiles -------------------------------------------------------------------------------------------------- */

/* Rows of a tile row that count, and the row of what is left where they begin. */
struct rows {
    int skip, count, at;
};
static struct rows rows_of(const struct panel *q, int ti)
{
    const struct tw_latrd *p = q->p;
    const int begin = p->skip + q->c + 1 - ti * p->nb, end = p->skip + p->n - ti * p->nb, skip = begin > 0 ? begin : 0;
    return (struct rows){skip, (end < p->nb ? end : p->nb) - skip, ti * p->nb + skip - p->skip};
}

/* Rows i and columns j of what is left: y(i) += A v(j), y(j) += A^H v(i). */
static void rectangle(const struct panel *q, int i, int m, int j, int n, const R *a, size_t lda, R *yi, R *yj)
{
    const R *const v = q->v[0];
    R p[2][CHUNK * PLANES];

    for (int from = 0; from < m; from += CHUNK) {
        const int lanes = (m - from < CHUNK ? m - from : CHUNK) * PLANES;
        const size_t at = (size_t)(i + from) * PLANES;
        memset(p[0], 0, (size_t)lanes * sizeof(R));
        memset(p[1], 0, (size_t)lanes * sizeof(R));
        columns(1, 1, n, lanes, a + (size_t)from * PLANES, lda, v + at, q->v[1] + at, v + (size_t)j * PLANES, p[0],
                p[1], yj + (size_t)j * PLANES);
        join(lanes, 1, p[0], p[1], yi + at);
    }
}

/* The same of one column of a triangle: what is below the diagonal, and that, which is real. */
static void triangle(const struct panel *q, int i, int m, const R *a, size_t lda, R *y)
{
    for (int j = 0; j < m; j++, a += lda + PLANES) {
        const size_t at = (size_t)(i + j) * PLANES;
        const int below = m - 1 - j;
        for (int p = 0; p < PLANES; p++)
            y[at + (size_t)p] += a[0] * q->v[0][at + (size_t)p];
        if (below > 0) rectangle(q, i + j + 1, below, i + j, 1, a + PLANES, lda, y, y);
    }
}

enum { CORNER = 32 };
/* A hermitian block, of which the lower triangle is there: corners, and what is below them. */
static void hermitian(const struct panel *q, int i, int m, const R *a, size_t lda, R *y)
{
    for (int j = 0; j < m; j += CORNER) {
        const int width = m - j < CORNER ? m - j : CORNER, below = m - j - width;
        const R *corner = a + (size_t)j * lda + (size_t)j * PLANES;
        triangle(q, i + j, width, corner, lda, y);
        if (below > 0) rectangle(q, i + j + width, below, i + j, width, corner + (size_t)width * PLANES, lda, y, y);
    }
}

/* Tile (ti, tk): its two segments of A v. */
static void tile(const struct panel *q, int ti, int tk)
{
    const struct tw_latrd *p = q->p;
    const struct tw_tile_at *t = &p->at[tw_latrd_at(p, ti, tk)];
    const struct rows r = rows_of(q, ti), s = rows_of(q, tk);
    const size_t lda = (size_t)t->ld * PLANES, n = (size_t)p->n * PLANES;
    const R *a = (const R *)t->ptr + (size_t)s.skip * lda + (size_t)r.skip * PLANES;
    R *yi = q->slots + (size_t)tk * n, *yj = q->slots + (size_t)ti * n;

    memset(yi + (size_t)r.at * PLANES, 0, (size_t)r.count * PLANES * sizeof(R));
    if (ti == tk) {
        hermitian(q, r.at, r.count, a, lda, yi);
        return;
    }
    memset(yj + (size_t)s.at * PLANES, 0, (size_t)s.count * PLANES * sizeof(R));
    rectangle(q, r.at, r.count, s.at, s.count, a, lda, yi, yj);
}

/* ---- parts of a column's rounds: tiles, or rows ------------------------------------------------------------------ */

static int chunks_from(const struct panel *q, int first)
{
    return (q->p->n - first + ROWS - 1) / ROWS;
}
static int chunk(const struct panel *q, int first, int part, int *row)
{
    *row = first + part * ROWS;
    return q->p->n - *row < ROWS ? q->p->n - *row : ROWS;
}
/* Row r >= 1 of V (which 0), W (1) or the second V (2), column j. */
static R *panel_at(const struct panel *q, int which, int r, int j)
{
    return (R *)q->p->vwv + ((size_t)(r - 1) + (size_t)(which * q->k + j) * (size_t)q->p->ld) * PLANES;
}

/* W's column before this one becomes w + alpha v; the column of A less what the panel has not subtracted there. */
static void column_part(void *args, int part)
{
    const struct panel *q = args;
    const struct tw_latrd *p = q->p;
    int row, rows = chunk(q, q->c, part, &row);

    for (int r = row; r < row + rows;) {
        const int at = p->skip + r, ti = at / p->nb, end = (ti + 1) * p->nb - p->skip;
        const int count = (end < row + rows ? end : row + rows) - r;
        const struct tw_tile_at *t = &p->at[tw_latrd_at(p, ti, 0)];
        memcpy(q->x + (size_t)r * PLANES,
               (const R *)t->ptr + ((size_t)(p->skip + q->c) * (size_t)t->ld + (size_t)(at - ti * p->nb)) * PLANES,
               (size_t)count * PLANES * sizeof(R));
        r += count;
    }
    if (q->c == 0) return;
    R *w = panel_at(q, 1, row, q->c - 1);
    const R *v = panel_at(q, 0, row, q->c - 1);
    for (int r = 0; r < rows; r++)
        put(w, (size_t)r, plus(get(w, (size_t)r), times(q->alpha, get(v, (size_t)r))));
    const size_t ld = (size_t)p->ld * PLANES;
    subtract(rows, q->c, panel_at(q, 0, row, 0), ld, q->coef, q->x + (size_t)row * PLANES);
    subtract(rows, q->c, panel_at(q, 1, row, 0), ld, q->coef + q->c * PLANES, q->x + (size_t)row * PLANES);
}

/* A v, and W^H v and V^H v. */
static void product_part(void *args, int part)
{
    const struct panel *q = args;
    const int first = q->first_tile, tiles = q->p->tiles;

    if (part < q->tile_parts) {
        int tk = first;
        for (int left = tiles - tk; part >= left; left--)
            part -= left, tk++;
        tile(q, tk + part, tk);
        return;
    }
    part -= q->tile_parts;
    int row, rows = chunk(q, q->c + 1, part, &row);
    R *s = q->part + (size_t)part * 2 * (size_t)q->k * PLANES;
    memset(s, 0, 2 * (size_t)q->c * PLANES * sizeof(R));
    for (int from = 0; from < rows; from += CHUNK, row += CHUNK) {
        const int lanes = (rows - from < CHUNK ? rows - from : CHUNK) * PLANES;
        const R *v0 = q->v[0] + (size_t)row * PLANES, *v1 = q->v[1] + (size_t)row * PLANES;
        for (int which = 0; which < 2; which++) /* W's for V's columns, V's for W's */
            columns(0, 1, q->c, lanes, panel_at(q, 1 - which, row, 0), (size_t)q->p->ld * PLANES, v0, v1, s, s, s,
                    s + which * q->c * PLANES);
    }
}

/* w = tau (A v - V (W^H v) - W (V^H v)), and w^H v. */
static void w_part(void *args, int part)
{
    const struct panel *q = args;
    const struct tw_latrd *p = q->p;
    const size_t n = (size_t)p->n * PLANES, ld = (size_t)p->ld * PLANES;
    int row, rows = chunk(q, q->c + 1, part, &row);
    const R *v0 = q->v[0] + (size_t)row * PLANES, *v1 = q->v[1] + (size_t)row * PLANES;
    R *w = panel_at(q, 1, row, q->c), dot[PLANES] = {0};

    memset(w, 0, (size_t)rows * PLANES * sizeof(R));
    for (int ti = q->first_tile; ti < p->tiles; ti++) {
        const R *s = q->slots + (size_t)ti * n + (size_t)row * PLANES;
        for (int l = 0; l < rows * PLANES; l++)
            w[l] += s[l];
    }
    subtract(rows, q->c, panel_at(q, 0, row, 0), ld, q->coef, w);
    subtract(rows, q->c, panel_at(q, 1, row, 0), ld, q->coef + q->c * PLANES, w);
    for (int r = 0; r < rows; r++)
        put(w, (size_t)r, times(q->tau, get(w, (size_t)r)));
    columns(0, 1, 1, rows * PLANES, w, ld, v0, v1, w, w, w, dot);
    for (int i = 0; i < PLANES; i++)
        q->dots[part * PLANES + i] = dot[i];
}

/* ---- the panel --------------------------------------------------------------------------------------------------- */

static double squares(int lanes, const R *x)
{
    double part[8] = {0};
    int l = 0;
    for (; l + 8 <= lanes; l += 8)
        for (int k = 0; k < 8; k++)
            part[k] += (double)x[l + k] * (double)x[l + k];
    for (; l < lanes; l++)
        part[0] += (double)x[l] * (double)x[l];
    return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}
static int in_range(double s)
{
    return TW_IS_SINGLE ? s > 1e-60 && s < 1e60 : s > 1e-260 && s < 1e260;
}

/* LAPACK's larfg of x, m elements: x(0) becomes beta, real, and v(0) = 1 is not stored; the rest of x becomes v's. */
static struct scalar reflector(int m, R *x)
{
    const double tail = squares((m - 1) * PLANES, x + PLANES), re = (double)x[0],
                 im = PLANES == 2 ? (double)x[PLANES - 1] : 0, norm = sqrt(tail + re * re + im * im),
                 beta = -copysign(norm, re);
    struct scalar tau = {{0}}, scale = {{0}};

    if (tail == 0 && im == 0) return tau;
    if (!in_range(norm * norm)) {
        LAPACKE(larfg_work)(m, (void *)x, (void *)(x + PLANES), 1, (void *)tau.x);
        return tau;
    }
    tau.x[0] = (R)((beta - re) / beta);
#if TW_IS_COMPLEX
    const double size = (re - beta) * (re - beta) + im * im;
    tau.x[1] = (R)(-im / beta);
    scale = (struct scalar){{(R)((re - beta) / size), (R)(-im / size)}};
#else
    scale.x[0] = (R)(1 / (re - beta));
#endif
    for (int i = 1; i < m; i++)
        put(x, (size_t)i, times(scale, get(x, (size_t)i)));
    x[0] = (R)beta;
    return tau;
}

/* v, from row c + 1 on, to its places. */
static void keep_v(const struct panel *q, const R *x)
{
    const int c = q->c, rows = q->p->n - 1 - c;
    const size_t from = (size_t)(c + 1) * PLANES, bytes = (size_t)rows * PLANES * sizeof(R);
    R *v = q->v[0] + from, *turned = q->v[1] + from;

    memcpy(v, x + from, bytes);
    memset(v, 0, PLANES * sizeof(R));
    v[0] = 1;
#if TW_IS_COMPLEX
    for (int i = 0; i < rows; i++) {
        turned[2 * i] = v[2 * i + 1];
        turned[2 * i + 1] = -v[2 * i];
    }
#else
    (void)turned; /* it is v */
#endif
    for (int which = 0; which < 3; which++)
        memset(panel_at(q, which, 1, c), 0, (size_t)c * PLANES * sizeof(R));
    memcpy(panel_at(q, 0, c + 1, c), v, bytes);
    memcpy(panel_at(q, 2, c + 1, c), v, bytes);
}

/* What row c of the panel multiplies its columns with: conj(W(c, :)), conj(V(c, :)). */
static void coefficients(struct panel *q)
{
    const int c = q->c;

    for (int j = 0; j < c; j++) {
        struct scalar w = get(panel_at(q, 1, c, j), 0), v = get(panel_at(q, 0, c, j), 0);
        if (j == c - 1) w = plus(w, times(q->alpha, v));
        put(q->coef, (size_t)j, conjugate(w));
        put(q->coef, (size_t)(c + j), conjugate(v));
    }
}
/* The sums of the parts, in their order. */
static void gather_sums(struct panel *q, int parts)
{
    const int count = 2 * q->c * PLANES;

    memset(q->coef, 0, (size_t)count * sizeof(R));
    for (int i = 0; i < parts; i++)
        for (int l = 0; l < count; l++)
            q->coef[l] += q->part[(size_t)i * 2 * (size_t)q->k * PLANES + (size_t)l];
}

/* Few rows are not worth calling anyone. */
static struct tw_team *worth(const struct panel *q, struct tw_team *team, int least)
{
    return q->p->n - q->c >= least ? team : NULL;
}

static void one_column(struct panel *q, struct tw_team *team)
{
    const struct tw_latrd *p = q->p;
    const int c = q->c, last = c >= q->k;
    R *below = q->x + (size_t)(c + 1) * PLANES;

    coefficients(q);
    tw_team_run(worth(q, team, 4096), chunks_from(q, c), column_part, q);
    ((R *)p->d)[c] = q->x[(size_t)c * PLANES];
    if (last) return;
    q->tau = reflector(p->n - 1 - c, below);
    put(p->tau, (size_t)c, q->tau);
    ((R *)p->e)[c] = below[0];
    keep_v(q, q->x);

    const int parts = chunks_from(q, c + 1), first = (p->skip + c + 1) / p->nb, tiles = p->tiles - first;
    q->first_tile = first;
    q->tile_parts = tiles * (tiles + 1) / 2;
    tw_team_run(worth(q, team, 256), q->tile_parts + (c ? parts : 0), product_part, q);
    gather_sums(q, c ? parts : 0);
    tw_team_run(worth(q, team, 4096), parts, w_part, q);
    struct scalar dot = {{0}}, half = {{(R)-0.5}};
    for (int i = 0; i < parts; i++)
        dot = plus(dot, get(q->dots, (size_t)i));
    q->alpha = times(times(half, q->tau), dot);
}

void TW_ISA_NAME(latrd)(const struct tw_latrd *p, struct tw_team *team, void *work)
{
    const int k = tw_latrd_reflectors(p);
    const size_t n = (size_t)p->n * PLANES, chunks = (size_t)p->n / ROWS + 2, sums = 2 * (size_t)p->columns * PLANES;
    R *at = work;
    struct panel q = {.p = p, .k = k, .x = at, .v = {at + n, at + (PLANES == 2 ? 2 * n : n)}, .slots = at + 3 * n};

    q.coef = q.slots + (size_t)p->tiles * n;
    q.part = q.coef + sums;
    q.dots = q.part + sums * chunks;
    for (q.c = 0; q.c < p->columns; q.c++)
        one_column(&q, team);
    if (p->columns > k) return; /* the last column's own round has completed W */
    for (int r = q.c; r < p->n && k > 0; r++) {
        R *w = panel_at(&q, 1, r, k - 1);
        put(w, 0, plus(get(w, 0), times(q.alpha, get(panel_at(&q, 0, r, k - 1), 0))));
    }
}
