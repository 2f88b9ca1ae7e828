/* The interaction lists alone: every source reaches every target exactly once, whatever the tree looks like. */
#include <math.h>

#include "algorithms/nbody/fmm.h"
#include "tt.h"

struct counter {
    const struct tw_fmm_tree *t;
    double *target, *cell; /* sources that a leaf's targets, or a cell's expansion, received */
    int m2p, p2l;
};
/* Images count differently, so that none can stand for another. */
static double weight(const struct tw_fmm_tree *t, int source)
{
    return t->periodic ? 1 << source / t->ncells : 1;
}
static void count_leaf(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct counter *c = context;
    const struct tw_fmm_cell *b = &c->t->cell[tw_fmm_origin(c->t, source)];
    assert_true(kind == TW_FMM_P2P || kind == TW_FMM_M2P);
    c->m2p += kind == TW_FMM_M2P;
    c->target[c->t->cell[target].leaf_begin] += weight(c->t, source) * (b->send - b->sbegin);
}
static void count_cell(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct counter *c = context;
    const struct tw_fmm_cell *a = &c->t->cell[target], b = tw_fmm_image(c->t, source);
    if (kind == TW_FMM_M2L) {
        assert_int_equal(a->level, b.level);
        for (int k = 0; k < 3; k++)
            assert_true(abs(a->at[k] - b.at[k]) <= 3);
    } else {
        assert_int_equal(kind, TW_FMM_P2L);
        c->p2l++;
    }
    assert_false(tw_fmm_touch(a, &b));
    assert_true(a->level >= (c->t->periodic ? 1 : 2));
    c->cell[target] += weight(c->t, source) * (b.send - b.sbegin);
}

/* Parents' expansions go down; a leaf's targets get their cell's and their own sums. */
static struct counter check_tree(const struct tw_fmm_tree *t, int n)
{
    struct counter c = {t, calloc((size_t)t->nleaves, sizeof(double)), calloc((size_t)t->ncells, sizeof(double)), 0, 0};
    for (int k = 0; k < t->ncells; k++) {
        tw_fmm_walk_cell(t, k, count_cell, &c);
        tw_fmm_walk_large(t, k, count_cell, &c);
        if (t->cell[k].parent >= 0) c.cell[k] += c.cell[t->cell[k].parent];
    }
    for (int k = 0; k < t->nleaves; k++) {
        const struct tw_fmm_cell *leaf = &t->cell[t->leaf[k]];
        if (leaf->tend == leaf->tbegin) continue;
        tw_fmm_walk_leaf(t, t->leaf[k], count_leaf, &c);
        const double all = t->periodic ? ((1 << 27) - 1.0) * n : n;
        if (c.target[k] + c.cell[t->leaf[k]] != all)
            fail_msg("leaf %d of %d: %g + %g sources instead of %g", k, t->nleaves, c.target[k], c.cell[t->leaf[k]],
                     all);
    }
    free(c.target), free(c.cell);
    return c;
}

/* Points of many scales: coordinates are powers of uniform numbers. */
static double *points(int n, double power, uint64_t seed)
{
    double *x = malloc((size_t)n * 3 * sizeof *x);
    for (int i = 0; i < 3 * n; i++)
        x[i] = pow(0.5 + 0.5 * tt_uniform(seed, i, 0), power);
    return x;
}

static struct counter check(double *source, int ns, double *target, int nt, int leaf, int few, int periodic)
{
    struct tw_points s = {.type = TW_DOUBLE, .xyz = source, .n = ns}, x = {.type = TW_DOUBLE, .xyz = target, .n = nt};
    uint64_t *key[2] = {malloc(((size_t)ns + 1) * 8), malloc(((size_t)nt + 1) * 8)};
    uint32_t *order = malloc(((size_t)(ns > nt ? ns : nt) + 1) * 4);
    struct tw_fmm_tree t = {.few = few, .periodic = periodic};
    struct tw_box box;
    struct counter c;

    tw_box_empty(&box);
    tw_box_add(&box, &s);
    tw_box_add(&box, &x);
    tw_box_cube(&box, t.corner, &t.side);
    assert_int_equal(tw_morton_sort(&s, t.corner, t.side, key[0], order), 0);
    assert_int_equal(tw_morton_sort(&x, t.corner, t.side, key[1], order), 0);
    for (int i = 1; i < nt; i++)
        assert_true(key[1][i - 1] <= key[1][i]);
    assert_int_equal(tw_fmm_tree_make(&t, key[0], ns, key[1], nt, leaf), 0);
    c = check_tree(&t, ns);
    tw_fmm_tree_free(&t);
    free(key[0]), free(key[1]), free(order);
    return c;
}

static void every_pair(int periodic)
{
    static const int leaves[] = {1, 3, 10, 60}, fews[] = {0, 2, 20, 1000};
    int m2p = 0, p2l = 0;
    for (int power = 1; power <= 9; power += 4)
        for (int same = 0; same < 2; same++) {
            double *s = points(1500, power, 3), *x = same ? s : points(900, power == 5 ? 1 : power, 4);
            for (int k = 0; k < 16; k++) {
                struct counter c = check(s, 1500, x, same ? 1500 : 900, leaves[k % 4], fews[k / 4], periodic);
                m2p += c.m2p, p2l += c.p2l;
            }
            if (!same) free(x);
            free(s);
        }
    assert_true(m2p > 1000 && p2l > 1000); /* these lists were there */
}

static void every_pair_once(void **state)
{
    (void)state, every_pair(0);
}
/* In a periodic box: every image of the 26 neighbours once. */
static void every_image_once(void **state)
{
    (void)state, every_pair(1);
}

static void odd_sets(void **state)
{
    double one[3] = {5, -7, 1e100}, line[300 * 3] = {0}, place[200 * 3];
    (void)state;
    check(one, 1, one, 1, 1, 0, 0);
    check(one, 1, one, 1, 1, 0, 1);
    check(one, 1, one, 0, 1, 0, 0);
    check(one, 1, one, 0, 1, 0, 1);
    for (int i = 0; i < 300; i++)
        line[3 * i] = i * 0.1;
    check(line, 300, line, 300, 5, 0, 0);
    check(line, 300, line, 300, 5, 0, 1);
    for (int i = 0; i < 600; i++)
        place[i] = i % 3;
    check(place, 200, place, 200, 5, 0, 0);
    check(place, 200, place, 200, 5, 0, 1);
    check(place, 200, line, 300, 5, 0, 0);
    check(place, 200, line, 300, 5, 0, 1);
}

struct sorting {
    struct tw_points points;
    double corner[3];
    uint64_t *key;
    uint32_t *order;
    int status;
};
static void sort_loop(struct tw_sequence *seq, void *p)
{
    struct sorting *s = p;
    s->status = tw_morton_sort_by_tasks(seq, &s->points, s->corner, 1, s->key, s->order);
}
/* Tasks give the order that one thread gives, of equal keys, too. */
static void sorted_by_tasks(void **state)
{
    enum { N = 100000 };
    double *x = points(N, 3, 5);
    uint64_t *key = malloc(N * 8);
    uint32_t *order = malloc(N * 4);
    struct sorting s = {.points = {TW_DOUBLE, x, N}, .key = malloc(N * 8), .order = malloc(N * 4), .status = -1};
    (void)state;
    memcpy(x + 3 * (N / 2), x, N / 10 * 24); /* equal keys, far apart */
    assert_int_equal(tw_morton_sort(&s.points, s.corner, 1, key, order), 0);
    tt_expect_info(tw_call("sort", sort_loop, &s, 0), 0, "sort");
    assert_int_equal(s.status, 0);
    assert_memory_equal(key, s.key, N * 8);
    assert_memory_equal(order, s.order, N * 4);
    for (int i = 1; i < N; i++)
        assert_true(key[i - 1] < key[i] || (key[i - 1] == key[i] && order[i - 1] < order[i]));
    free(x), free(key), free(order), free(s.key), free(s.order);
}

struct growing {
    struct tw_fmm_tree t;
    const uint64_t *key;
    int n, status;
};
static void tree_loop(struct tw_sequence *seq, void *p)
{
    struct growing *g = p;
    g->status = tw_fmm_tree_make_by_tasks(seq, &g->t, g->key, g->n, g->key, g->n, 5);
}
/* Tasks make the tree and the lists that one thread makes. */
static void grown_by_tasks(void **state)
{
    enum { N = 60000 };
    double *x = points(N, 2, 7);
    const struct tw_points s = {.type = TW_DOUBLE, .xyz = x, .n = N};
    const double corner[3] = {0};
    uint64_t *key = malloc(N * 8);
    uint32_t *order = malloc(N * 4);
    (void)state;
    assert_int_equal(tw_morton_sort(&s, corner, 1, key, order), 0);
    for (int periodic = 0; periodic < 2; periodic++) {
        struct tw_fmm_tree one = {.side = 1, .periodic = periodic};
        struct growing g = {.t = one, .key = key, .n = N, .status = -1};
        assert_int_equal(tw_fmm_tree_make(&one, key, N, key, N, 5), 0);
        tt_expect_info(tw_call("tree", tree_loop, &g, 0), 0, "tree");
        assert_int_equal(g.status, 0);
        assert_true(one.ncells > 20000); /* several tasks */
        assert_int_equal(one.ncells, g.t.ncells);
        assert_int_equal(one.depth, g.t.depth);
        assert_int_equal(one.nleaves, g.t.nleaves);
        assert_memory_equal(one.level_at, g.t.level_at, sizeof one.level_at);
        assert_memory_equal(one.cell, g.t.cell, (size_t)one.ncells * sizeof *one.cell);
        assert_memory_equal(one.leaf, g.t.leaf, (size_t)one.nleaves * sizeof *one.leaf);
        int lists = 0;
        for (int c = 0; c < one.ncells; c++)
            lists = (int)tw_max(lists, one.cell[c].near_end);
        assert_memory_equal(one.near, g.t.near, (size_t)lists * sizeof *one.near);
        tw_fmm_tree_free(&one), tw_fmm_tree_free(&g.t);
    }
    free(x), free(key), free(order);
}

static void touching(void **state)
{
    struct tw_fmm_cell big = {.level = 2, .at = {1, 1, 1}}, small = {.level = 4, .at = {8, 4, 4}};
    (void)state;
    assert_true(tw_fmm_touch(&big, &small) && tw_fmm_touch(&small, &big));
    small.at[0] = 9;
    assert_false(tw_fmm_touch(&big, &small) || tw_fmm_touch(&small, &big));
    small.at[0] = 3, small.at[1] = 3, small.at[2] = 3; /* a corner */
    assert_true(tw_fmm_touch(&big, &small));
    small.at[2] = 2;
    assert_false(tw_fmm_touch(&big, &small));
    assert_true(tw_fmm_touch(&big, &big));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_once), cmocka_unit_test(every_image_once),
                                       cmocka_unit_test(odd_sets),        cmocka_unit_test(sorted_by_tasks),
                                       cmocka_unit_test(grown_by_tasks),  cmocka_unit_test(touching)};
    return tt_run(tests);
}
