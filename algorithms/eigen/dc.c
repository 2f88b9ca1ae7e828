/* Divide and conquer (types/eigen/merge.h has the method and its sources), as a tree of tasks.
 *
 * Leaves are LAPACK's work, one task each. What a merge has to do is known once its deflation is: its tasks are then
 * submitted by a continuation (tw_when), and the merge above it follows when both of its halves have been. So merges of
 * one level, and of several, go side by side. Work that cannot begin before all of it has, on the vectors, is held back
 * behind these continuations. */
#include <math.h>
#include <stdlib.h>
#include "algorithms/eigen/dc.h"
#include "runtime/base/account.h"
#include "runtime/base/variables.h"

enum { LEAF = 256 };

struct merge_args {
    struct tw_dc *tree;
    int part;
};

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void let_go(struct tw_data **d)
{
    if (*d) tw_data_free_later(*d);
    *d = NULL;
}
static void let_go_columns(struct tw_dc_columns *q)
{
    for (int p = 0; p < q->pieces; p++)
        let_go(&q->piece[p]);
    q->pieces = 0;
}
static void let_go_merge(struct tw_dc_subproblem *p)
{
    let_go(&p->z[0]), let_go(&p->z[1]), let_go(&p->head), let_go(&p->plan), let_go(&p->numbers);
}

static void leave(struct tw_dc *t)
{
    if (--t->users > 0) return;
    for (int p = 0; p < t->parts; p++) {
        let_go(&t->part[p].d);
        let_go_columns(&t->part[p].Q[0]), let_go_columns(&t->part[p].Q[1]);
        let_go_merge(&t->part[p]);
    }
    let_go(&t->norm);
    free(t);
}
static void release(void *args)
{
    leave(((struct merge_args *)args)->tree);
}

static struct tw_data *reals(const struct tw_dc *t, size_t length)
{
    return tw_data_vector_of(t->real, length, (const int[2]){-1, -1});
}
static void no_memory(struct tw_sequence *seq, const struct tw_dc *t, int n)
{
    tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a part of order %d", t->method->name, n);
}

/* ---- merges ------------------------------------------------------------------------------------------------------ */

static int priority(struct tw_sequence *seq, const struct tw_dc *t, int p, int panel)
{
    int level = 1;
    for (; p > 0; p = (p - 1) / 2)
        level++;
    return tw_priority(seq, level, t->depth + 2, panel);
}

static void done(struct tw_sequence *seq, struct tw_dc *t, int p);

/* What a merge's products are made of: all are let go at the end. */
struct products {
    int k, width, count;
    struct tw_data *z, *top[2], *bottom[2], *lambda[TW_MERGE_PIECES], *delta[TW_MERGE_PIECES], *piece[TW_MERGE_PIECES];
};
static void products_end(struct products *x)
{
    let_go(&x->z);
    for (int side = 0; side < 2; side++)
        let_go(&x->top[side]), let_go(&x->bottom[side]);
    for (int c = 0; c < x->count; c++)
        let_go(&x->lambda[c]), let_go(&x->delta[c]), let_go(&x->piece[c]);
}

/* Only some of the last merge's columns are formed. */
static int some_of(const struct tw_dc *t, int at)
{
    return at == 0 && t->count < t->part[0].n;
}
/* Merges need both sides' vectors, the last one only those that are asked for. */
static int formed(const struct tw_dc *t, int at, int side)
{
    return side < t->method->sides && (at > 0 || t->S[side]);
}

/* About 16 blocks of columns, not too narrow for products; of more and narrower ones where not all are formed. */
static int width_of(int k, int some_of_them)
{
    const int least = (tw_gpus() > 0 ? 512 : 128) / (some_of_them ? 4 : 1), some = k / (some_of_them ? 32 : 16) + 1,
              most = (k + TW_MERGE_PIECES - 2) / (TW_MERGE_PIECES - 1);
    const int width = some < least ? least : some > 1024 ? 1024 : some;
    return width < most ? most : width;
}

static int side_begin(const struct tw_dc *t, struct tw_dc_subproblem *p, const struct tw_merge_head *h,
                      struct products *x, int side)
{
    const int half = tw_merge_half(p->n), k12 = (int)(h->k1 + h->k2), k23 = (int)(h->k2 + h->k3);
    struct tw_dc_columns *Q = &p->Q[side];
    int sound = 1;

    *Q = (struct tw_dc_columns){.rows = p->n, .width = x->width, .columns = x->k};
    if (k12) sound &= (x->top[side] = tw_data_tile(t->real, half, k12)) != NULL;
    if (k23) sound &= (x->bottom[side] = tw_data_tile(t->real, p->n - half, k23)) != NULL;
    for (int c = 0; c < x->count; c++)
        sound &= (Q->piece[c] = tw_data_tile(t->real, p->n, (int)tw_min(x->width, x->k - c * x->width))) != NULL;
    Q->pieces = Q->count = x->count;
    if (x->k < p->n) sound &= (Q->piece[Q->pieces++] = tw_data_tile(t->real, p->n, p->n - x->k)) != NULL;
    return sound;
}

static int products_begin(struct tw_sequence *seq, const struct tw_dc *t, int at, struct tw_dc_subproblem *p,
                          const struct tw_merge_head *h, struct products *x)
{
    const int k = (int)h->k;
    int sound = 1;

    *x = (struct products){.k = k, .width = width_of(k, some_of(t, at))};
    x->count = (k + x->width - 1) / x->width;
    for (int side = 0; side < 2; side++)
        if (formed(t, at, side)) sound &= side_begin(t, p, h, x, side);
    if (k) sound &= (x->z = reals(t, (size_t)k)) != NULL;
    for (int c = 0; c < x->count; c++) {
        const int columns = (int)tw_min(x->width, k - c * x->width);
        sound &= (x->lambda[c] = reals(t, (size_t)columns)) != NULL;
        sound &= (x->piece[c] = reals(t, (size_t)k)) != NULL;
        sound &= (x->delta[c] = tw_data_tile(t->real, k, columns)) != NULL;
    }
    sound &= (p->d = reals(t, (size_t)p->n)) != NULL;
    if (!sound) no_memory(seq, t, p->n);
    return sound ? 0 : -1;
}

/* What is left of a merge once its products are submitted, or cannot be. */
static void merged(struct tw_dc *t, int at, struct products *x)
{
    struct tw_dc_subproblem *p = &t->part[at], *half[2] = {&t->part[2 * at + 1], &t->part[2 * at + 2]};

    products_end(x);
    for (int h = 0; h < 2; h++) {
        let_go_columns(&half[h]->Q[0]), let_go_columns(&half[h]->Q[1]);
        let_go(&half[h]->d);
    }
    let_go_merge(p);
}

/* The columns of blocks `from`, from + 1, ..., `count` of them, and those that were deflated, of a side. */
static void columns(struct tw_sequence *seq, struct tw_dc *t, int at, const struct tw_merge_head *h, struct products *x,
                    int side, int from, int count)
{
    struct tw_dc_subproblem *p = &t->part[at], *first = &t->part[2 * at + 1], *second = &t->part[2 * at + 2];
    struct tw_dc_columns *Q = &p->Q[side];

    tw_task_laed2_gather(seq, priority(seq, t, at, 1), h, t->method->skip ? t->method->skip(t, p, side) : 0,
                         &first->Q[side], &second->Q[side], p->plan, p->numbers, x->top[side], x->bottom[side],
                         x->k < p->n ? Q->piece[Q->count] : NULL);
    for (int c = from; c < from + count; c++)
        t->method->vectors(seq, priority(seq, t, at, 0), side, h, first->n, x->z, p->plan, p->numbers, x->delta[c],
                           x->top[side], x->bottom[side], Q->piece[c]);
}

/* The last merge's blocks, of which only some are wanted, the same ones of both sides: known when all roots are. */
struct last_args {
    struct tw_dc *tree;
    struct tw_merge_head head;
    struct products x;
    struct tw_data *order, *window;
};
static void release_last(void *args)
{
    struct last_args *l = args;
    products_end(&l->x);
    let_go(&l->order), let_go(&l->window);
    leave(l->tree);
}
static void last_columns(struct tw_sequence *seq, const void *value, void *args)
{
    const int32_t *window = value;
    const struct last_args *l = args;
    struct tw_dc *t = l->tree;
    struct products x = l->x;

    for (int side = 0; side < 2; side++) {
        struct tw_matrix *S = t->S[side];
        struct tw_dc_columns *Q = &t->part[0].Q[side], some = {.rows = Q->rows, .width = Q->width, .count = window[1]};

        if (!formed(t, 0, side)) continue;
        columns(seq, t, 0, &l->head, &x, side, window[0], window[1]);
        some.pieces = some.count;
        some.columns = (int)tw_min(x.k - window[0] * Q->width, window[1] * Q->width);
        for (int c = 0; c < some.count; c++)
            some.piece[c] = Q->piece[window[0] + c];
        if (Q->pieces > Q->count) some.piece[some.pieces++] = Q->piece[Q->count];
        for (int j = 0; j < S->nt; j++)
            tw_task_laed0_sort(seq, priority(seq, t, 0, 0), (int)(j * S->nb), &some, l->order, tw_tile(S, 0, j));
    }
}
static void begin_last(struct tw_sequence *seq, struct tw_dc *t, const struct tw_merge_head *h,
                       const struct products *x)
{
    struct tw_dc_subproblem *root = &t->part[0];
    const struct tw_use uses[] = {{NULL, t->S[0], TW_RW}, {NULL, t->S[1], TW_RW}};
    const int32_t modelled[2] = {0, x->k > 0};
    struct last_args l = {t, *h, *x, tw_data_vector_of(TW_INT32, (size_t)t->count, (const int[2]){-1, -1}),
                          tw_data_vector_of(TW_INT32, 2, (const int[2]){-1, -1})};

    t->users++;
    if (l.order && l.window) {
        t->method->order(seq, priority(seq, t, 0, 1), t, l.order, l.window, x->k, x->width);
        tw_when_owning(seq, l.window, modelled, uses, 2, last_columns, release_last, &l, sizeof l);
        return;
    }
    no_memory(seq, t, root->n);
    release_last(&l);
}

/* The head is known: the rest of a merge. */
static void merge(struct tw_sequence *seq, const void *value, void *args)
{
    const struct tw_merge_head *h = value;
    struct tw_dc *t = ((struct merge_args *)args)->tree;
    const int at = ((struct merge_args *)args)->part, urgent = priority(seq, t, at, 1);
    struct tw_dc_subproblem *p = &t->part[at];
    struct products x;

    if (at == 0) tw_account_figure("deflated", 1 - (double)h->k / p->n);
    if (products_begin(seq, t, at, p, h, &x)) {
        merged(t, at, &x);
        return;
    }
    for (int c = 0; c < x.count; c++)
        t->method->roots(seq, urgent, p->n, x.k, c * x.width, p->numbers, x.lambda[c], x.delta[c], x.piece[c]);
    if (x.k) tw_task_laed3_weights(seq, urgent, p->n, x.piece, x.count, p->numbers, x.z);
    tw_task_laed1_values(seq, urgent, x.k, x.lambda, x.count, p->numbers, p->d);
    if (some_of(t, at)) {
        begin_last(seq, t, h, &x); /* the rest is given back with the tree */
        return;
    }
    for (int side = 0; side < 2; side++)
        if (formed(t, at, side)) columns(seq, t, at, h, &x, side, 0, x.count);
    merged(t, at, &x);
    if (!tw_loop_status(seq)) done(seq, t, at);
}

/* Both halves are there. */
static void begin_merge(struct tw_sequence *seq, struct tw_dc *t, int at)
{
    struct tw_dc_subproblem *p = &t->part[at], *first = &t->part[2 * at + 1], *second = &t->part[2 * at + 2];
    const int urgent = priority(seq, t, at, 1);
    const int last = t->method->sides - 1;
    const struct merge_args args = {t, at};
    struct tw_use uses[5] = {{t->d, NULL, TW_R}, {t->e, NULL, TW_R}, {t->norm, NULL, TW_R}};
    int used = 3;

    p->z[0] = reals(t, (size_t)first->n), p->z[1] = reals(t, (size_t)second->n);
    p->head = tw_data_vector_of(TW_INT64, 5, (const int[2]){-1, -1});
    p->plan = tw_data_vector_of(TW_INT32, tw_merge_plan_size(p->n), (const int[2]){-1, -1});
    p->numbers = reals(t, tw_merge_numbers_size(p->n));
    if (!p->z[0] || !p->z[1] || !p->head || !p->plan || !p->numbers) {
        no_memory(seq, t, p->n);
        return;
    }
    tw_task_laed1_row(seq, urgent, 1, &first->Q[last], p->z[0]);
    tw_task_laed1_row(seq, urgent, 0, &second->Q[last], p->z[1]);
    t->method->deflate(seq, urgent, t, p, first, second);
    for (int side = 0; side < 2; side++)
        if (t->S[side]) uses[used++] = (struct tw_use){NULL, t->S[side], TW_RW};
    t->users++;
    tw_when_owning(seq, p->head, NULL, uses, used, merge, release, &args, sizeof args);
}

/* All of it is there: values and vectors in their order, those that are wanted. */
static void finish(struct tw_sequence *seq, struct tw_dc *t)
{
    struct tw_dc_subproblem *root = &t->part[0];
    struct tw_data *order = tw_data_vector_of(TW_INT32, (size_t)t->count, (const int[2]){-1, -1});

    if (!order) {
        no_memory(seq, t, root->n);
        return;
    }
    t->method->order(seq, priority(seq, t, 0, 1), t, order, NULL, 0, 0);
    for (int side = 0; side < 2; side++)
        for (int j = 0; t->S[side] && j < t->S[side]->nt; j++)
            tw_task_laed0_sort(seq, priority(seq, t, 0, 0), (int)(j * t->S[side]->nb), &root->Q[side], order,
                               tw_tile(t->S[side], 0, j));
    tw_data_free_later(order);
}

static void done(struct tw_sequence *seq, struct tw_dc *t, int at)
{
    if (at == 0)
        finish(seq, t);
    else if (++t->part[(at - 1) / 2].halves_done == 2)
        begin_merge(seq, t, (at - 1) / 2);
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static void solve_leaf(struct tw_sequence *seq, struct tw_dc *t, int at)
{
    struct tw_dc_subproblem *p = &t->part[at];
    int sound = (p->d = reals(t, (size_t)p->n)) != NULL;

    for (int side = 0; side < t->method->sides; side++) {
        p->Q[side] = (struct tw_dc_columns){.rows = p->n, .count = 1, .pieces = 1, .width = p->n, .columns = p->n};
        sound &= (p->Q[side].piece[0] = tw_data_tile(t->real, p->n, p->n)) != NULL;
    }
    if (sound)
        t->method->leaf(seq, priority(seq, t, at, 0), t, p);
    else
        no_memory(seq, t, p->n);
}

/* The parts below part `at`, in their order. */
static void grow(struct tw_sequence *seq, struct tw_dc *t, int at, int first, int n)
{
    t->part[at].first = first;
    t->part[at].n = n;
    if (n <= t->leaf) {
        solve_leaf(seq, t, at);
        if (!tw_loop_status(seq)) done(seq, t, at);
        return;
    }
    grow(seq, t, 2 * at + 1, first, tw_merge_half(n));
    grow(seq, t, 2 * at + 2, first + tw_merge_half(n), n - tw_merge_half(n));
}

int tw_stedc_leaf(tw_int *order)
{
    *order = LEAF;
    return tw_variable_integer(TW_TILEWORK_LEAF, order);
}
/* The caller has refused other values. */
static int leaf_order(void)
{
    tw_int order;
    (void)tw_stedc_leaf(&order);
    return (int)order;
}

static int parts_of(int n, int leaf, int at)
{
    const int half = tw_merge_half(n);
    return n <= leaf ? at + 1 : (int)tw_max(parts_of(half, leaf, 2 * at + 1), parts_of(n - half, leaf, 2 * at + 2));
}

static double leaves_of(int n, int leaf)
{
    const int half = tw_merge_half(n);
    return n <= leaf ? (double)n * n : leaves_of(half, leaf) + leaves_of(n - half, leaf);
}

struct tw_dc_footprint tw_dc_footprint(enum tw_type type, tw_int order, double columns, int sides, int wanted)
{
    const int n = (int)order, leaf = leaf_order(), some = columns < (double)n;
    const double size = (double)tw_sizeof(tw_real_type(type)), square = (double)n * n,
                 most = some ? fmin(n, columns + 2 * width_of(n, 1)) : n;

    if (n <= leaf) return (struct tw_dc_footprint){.leaves = sides * size * square};
    return (struct tw_dc_footprint){
        .leaves = sides * size * leaves_of(n, leaf),
        .merge = size * ((sides + wanted) * square / 2 + square + wanted * (double)n * most),
        .merged = some ? 0 : wanted * size * square,
        .some = some,
    };
}

void tw_dc_loop(struct tw_sequence *seq, const struct tw_dc_method *method, const struct tw_dc_problem *p)
{
    const int n = p->d->m, leaf = leaf_order(), parts = parts_of(n, leaf, 0);
    struct tw_dc *t = calloc(1, sizeof *t + (size_t)parts * sizeof *t->part);
    const char *const before = tw_loop_in_stage(seq, "solve");

    if (t) {
        *t = (struct tw_dc){.method = method,
                            .users = 1,
                            .real = p->d->type,
                            .n = n,
                            .leaf = leaf,
                            .parts = parts,
                            .first = p->first,
                            .count = (int)tw_min(n, tw_max(p->S[0] ? p->S[0]->n : 0, p->S[1] ? p->S[1]->n : 0)),
                            .scale = p->scale,
                            .w = p->w,
                            .superb = p->superb,
                            .d = p->d,
                            .e = p->e,
                            .norm = tw_data_vector(1, sizeof(double), (const int[2]){-1, -1}),
                            .S = {p->S[0], p->S[1]}};
        for (int at = parts - 1; at > 0; at = (at - 1) / 2)
            t->depth++;
    }
    if (!t || !t->norm) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a matrix of order %d", method->name, n);
    } else {
        method->begin(seq, priority(seq, t, 0, 1), t);
        grow(seq, t, 0, 0, n);
    }
    if (t) leave(t);
    (void)tw_loop_in_stage(seq, before);
}
