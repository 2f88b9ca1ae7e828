/* One step of the estimates of the 1-norms of k operators, LAPACK's lacn2: looks at the product that was computed in X,
 * a block column, and puts there what is to be multiplied next. Estimates that want another product than most wait with
 * zeros for theirs. On CPUs only: what it does is proportional to X, and what comes next depends on it.
 *
 * Arguments  product: which of the two X holds (types/dense/lacn2.h), 0 at the beginning; careful: X is to be taken
 *            times powers of two; again: it can be repeated so, if it is not finite now; weighted: the operator is
 *            inv(A)^H diag(w), its adjoint diag(w) inv(A); tiles: how many
 * Buffers    state  RW       k struct tw_lacn2
 *            isgn   RW       n x k int32_t
 *            v      RW       n x k elements: lacn2's
 *            kept   RW       n x k elements: what X was before the product
 *            e      R        an exponent for each tile, careful ones only
 *            w      R each   tiles like X's, whose real parts are the weights; weighted ones only
 *            x      SCRATCH  n elements
 *            X      RW each  (W at the beginning)  the tiles */
#include <math.h>
#include "codelets/dense/column.h"
#include "types/dense/lacn2.h"

struct args {
    int product, tiles;
    char careful, again, weighted;
};
enum { STATE, ISGN, V, KEPT, REST };

static size_t elements_at(const struct tw_body *body, size_t at)
{
    return at * tw_sizeof(body->type);
}
static char *tile_at(const struct tw_column *c, const struct tw_body *body, int i, int j)
{
    return (char *)c->tiles.at[i].ptr + elements_at(body, (size_t)j * (size_t)c->tiles.at[i].ld);
}

/* Column j of X (to != 0: into it), which lies in x. */
static void carry(const struct tw_body *body, const struct tw_column *c, int j, char *x, int to)
{
    size_t first = 0;

    for (int i = 0; i < c->tiles.count; i++) {
        const int rows = tw_column_tile_rows(&c->tiles, i);
        char *at = x + elements_at(body, first);
        if (to)
            TW_CPU(body)->lacpy('G', rows, 1, at, rows, tile_at(c, body, i, j), rows);
        else
            TW_CPU(body)->lacpy('G', rows, 1, tile_at(c, body, i, j), rows, at, rows);
        first += (size_t)rows;
    }
}

static void clear(const struct tw_body *body, const struct tw_column *c, int j)
{
    static const tw_scalar zero = {0, 0};

    for (int i = 0; i < c->tiles.count; i++) {
        const int rows = tw_column_tile_rows(&c->tiles, i);
        TW_CPU(body)->laset('G', rows, 1, zero, zero, tile_at(c, body, i, j), rows);
    }
}

/* x times the powers of two of its tiles. Hopeless ones become infinite. */
static void unscale(const struct tw_body *body, const struct tw_column *c, char *x)
{
    const int64_t *e = body->buf[REST].ptr;
    size_t first = 0;

    for (int i = 0; i < c->tiles.count; i++) {
        const int rows = tw_column_tile_rows(&c->tiles, i);
        TW_CPU(body)->shift(rows, x + elements_at(body, first), e[i] == TW_HOPELESS ? 0 : e[i]);
        if (e[i] == TW_HOPELESS && tw_is_single(body->type))
            *(float *)(void *)(x + elements_at(body, first)) = INFINITY;
        if (e[i] == TW_HOPELESS && !tw_is_single(body->type))
            *(double *)(void *)(x + elements_at(body, first)) = INFINITY;
        first += (size_t)rows;
    }
}

/* x times the weights, column j of w. */
static void weigh(const struct tw_body *body, const struct tw_column *w, int j, char *x)
{
    const int re = tw_is_complex(body->type) ? 2 : 1;
    size_t at = 0;

    for (int i = 0; i < w->tiles.count; i++) {
        const char *from = tile_at(w, body, i, j);
        for (int r = 0; r < tw_column_tile_rows(&w->tiles, i); r++)
            for (int part = 0; part < re; part++, at++)
                if (tw_is_single(body->type))
                    ((float *)(void *)x)[at] *= ((const float *)(const void *)from)[re * r];
                else
                    ((double *)(void *)x)[at] *= ((const double *)(const void *)from)[re * r];
    }
}

/* The step of column j. */
static void step(const struct tw_body *body, const struct tw_column *c, const struct tw_column *w, int j, char *x)
{
    const struct args *g = body->args;
    struct tw_lacn2 *s = (struct tw_lacn2 *)body->buf[STATE].ptr + j;
    const int n = c->tiles.m;
    const size_t column = (size_t)j * (size_t)n;

    if (g->product) {
        if (s->status == TW_LACN2_OVERFLOW) s->status = TW_LACN2_RUNNING;
        if (s->status != TW_LACN2_RUNNING || s->kase != g->product) return;
        carry(body, c, j, x, 0);
        if (g->careful) unscale(body, c, x);
        if (g->weighted && g->product == 1) weigh(body, w, j, x);
        if (!TW_CPU(body)->finite(n, 1, x, n)) {
            s->status = g->again ? TW_LACN2_OVERFLOW : TW_LACN2_HOPELESS;
            if (!g->again) s->est = INFINITY;
            return;
        }
    } else {
        *s = (struct tw_lacn2){0};
    }
    TW_CPU(body)->lacn2(n, (char *)body->buf[V].ptr + elements_at(body, column), x,
                        (int32_t *)body->buf[ISGN].ptr + column, &s->est, &s->kase, s->isave);
    if (s->kase == 0) s->status = TW_LACN2_DONE;
    if (s->kase == 2 && g->weighted) weigh(body, w, j, x);
    TW_CPU(body)->lacpy('G', n, 1, x, n, (char *)body->buf[KEPT].ptr + elements_at(body, column), n);
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_lacn2 *s = body->buf[STATE].ptr;
    const int weights = REST + g->careful, x = weights + (g->weighted ? g->tiles : 0), k = body->buf[x + 1].n;
    struct tw_column c, w = {.at = w.few};
    int e = tw_column_begin(&c, body, x + 1, g->tiles), next;

    if (!e && g->weighted) e = tw_column_begin(&w, body, weights, g->tiles);
    for (int j = 0; j < k && !e; j++)
        step(body, &c, &w, j, body->buf[x].ptr);
    next = e ? 0 : tw_lacn2_next(s, k);
    for (int j = 0; j < k && !e; j++)
        if (next && s[j].status == TW_LACN2_RUNNING && s[j].kase == next)
            carry(body, &c, j, (char *)body->buf[KEPT].ptr + elements_at(body, (size_t)j * (size_t)c.tiles.m), 1);
        else
            clear(body, &c, j);
    tw_column_end(&c);
    tw_column_end(&w);
    return e;
}

static struct tw_codelet codelet = {.name = "lacn2", .color = 0x997755, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_lacn2(struct tw_sequence *seq, int priority, const struct tw_lacn2_vectors *v, int product, int again,
                   struct tw_data *e, struct tw_data *const *w, struct tw_data *const *X, int count)
{
    const struct args args = {product, count, e != NULL, (char)again, w != NULL};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "lacn2", REST + 2 + 2 * count, few);
    const int n = tw_column_rows(X, count);
    int naccess = REST;

    if (!access) return;
    access[STATE] = (struct tw_access){v->state, TW_RW};
    access[ISGN] = (struct tw_access){v->isgn, TW_RW};
    access[V] = (struct tw_access){v->v, TW_RW};
    access[KEPT] = (struct tw_access){v->kept, TW_RW};
    if (e) access[naccess++] = (struct tw_access){e, TW_R};
    for (int i = 0; w && i < count; i++)
        access[naccess++] = (struct tw_access){w[i], TW_R};
    access[naccess++] = (struct tw_access){tw_scratch((size_t)n * tw_sizeof(X[0]->type)), TW_SCRATCH};
    for (int i = 0; i < count; i++)
        access[naccess++] = (struct tw_access){X[i], product ? TW_RW : TW_W};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = X[0]->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = X[0]->n,
                                     .coord = {X[0]->coord[0], X[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
