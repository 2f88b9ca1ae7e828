/* min |B - op(A) X| for tall A where there are GPUs: QR by domains of many rows (TSQR: Demmel, Grigori, Hoemmen,
 * Langou, "Communication-optimal parallel and sequential QR and LU factorizations", SIAM J. Sci. Comput. 34, 2012).
 *
 * A domain is one tile of A and one task, whose panel is as long as a GPU's kernel takes well; the domains' triangles,
 * one under the other, are domains again, until there is one: one level more for a million rows. So 1,000,000 x 256 are
 * tens of tasks, and a domain is factored while the next ones travel.
 *
 * Whether to scale is LAPACK's rule: by the size of A's largest element, which is known when all of A has been looked
 * at. Nobody waits for that: each domain is scaled by what it has itself, where that is out of range, and its triangle
 * is brought to A's scale later, before triangles are joined. V does not depend on either. In range nothing is scaled,
 * and the only thing that waits, domain by domain, is a look at a number. */
#include <stdlib.h>
#include "algorithms/dense/least_squares.h"
#include "algorithms/dense/tall.h"
#include "runtime/base/error.h"
#include "runtime/base/variables.h"

/* Columns: of wider matrices the products beside panels are worth tiles. Rows: longer panels take longer a column (on
 * an H200 4.8 us with 32,768 rows, 6.3 with 65,536) and begin later, shorter ones are more tasks. As many as DOMAINS or
 * more, for the first to work while others travel. */
enum { WIDEST = 1024, TALL = 64, MOST_ROWS = 32768, LEAST_ROWS = 4096, DOMAINS = 8, STEP = 512, LEVELS = 32 };

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

int tw_tall_variable(void)
{
    tw_int rows;
    return tw_variable_integer(TW_TILEWORK_TALL, &rows);
}

int tw_tall_as_on_gpus(void)
{
    tw_int rows = -1;

    (void)tw_variable_integer(TW_TILEWORK_TALL, &rows);
    return rows < 0 ? tw_gpus() > 0 : rows > 0;
}

tw_int tw_tall_rows(tw_int m, tw_int n)
{
    tw_int rows = -1;

    if (n < 1 || n > WIDEST) return 0;
    (void)tw_variable_integer(TW_TILEWORK_TALL, &rows); /* checked before */
    if (rows < 0 && (tw_gpus() == 0 || m < TALL * n)) return 0;
    if (rows < 0) {
        rows = (m / DOMAINS + STEP - 1) / STEP * STEP;
        rows = tw_max(LEAST_ROWS, tw_min(rows, MOST_ROWS));
    } else if (rows > 0) {
        rows = tw_max(rows, n);
    }
    return rows > 0 && m > rows ? rows : 0;
}

/* Tiles of the user's own that are not far from what would be chosen stay. */
static tw_int cut(tw_int m, tw_int n, tw_int mb, tw_int nb)
{
    const tw_int rows = m >= n ? tw_tall_rows(m, n) : 0;
    return rows && nb >= n && mb >= n && mb >= rows / 4 && mb / 4 <= rows ? tw_min(mb, m) : rows;
}
tw_int tw_tall_cut(const struct tw_matrix *A)
{
    return cut(A->m, A->n, A->mb, A->nb);
}

int tw_tall_for_products(tw_int m, tw_int n)
{
    return tw_tall_as_on_gpus() && n > 0 && n <= WIDEST && m >= 16 * n;
}
tw_int tw_tall_rows_of_products(enum tw_type type, tw_int m, tw_int n, tw_int nb)
{
    const double bytes = tw_gpus() > 0 ? 32 << 20 : 1 << 20, row = (double)tw_sizeof(type) * (double)tw_min(n, nb);
    return nb * tw_max(1, tw_min((tw_int)(bytes / row), m / 8) / nb);
}

/* Triangles of order n in a domain of the next level. */
static tw_int group(tw_int rows, tw_int n)
{
    return tw_max(2, rows / n);
}

/* As make_levels() does. */
double tw_tall_elements(tw_int m, tw_int n, tw_int nrhs, tw_int nb)
{
    const tw_int first = cut(m, n, nb, nb);
    double elements = tw_same_cuts(m, first, nb) && nb >= n ? 0 : (double)m * (double)n; /* A in such tiles */

    if (!first) return 0;
    for (tw_int rows = first;; rows = group(first, n) * n) {
        const tw_int domains = tw_tiles_along(m, rows), last = tw_min(m - (domains - 1) * rows, n);
        m = (domains - 1) * n + last;
        elements += (double)m * (double)n; /* T */
        if (domains == 1) break;
        elements += (double)m * (double)(n + nrhs); /* what the triangles and X are stacked in */
    }
    return elements + (double)n * (double)n;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

/* Domains: tiles of M, one tile wide, which are factored into R and V, with T; and X's rows that go with them. */
struct level {
    struct tw_matrix *M, *T, *X;
};
enum job { LEAST_SQUARES, LEAST_NORM, FORM_Q };
struct tall {
    enum tw_type type;
    enum job job;
    int levels;
    tw_int n, group;
    struct level level[LEVELS];  /* [0]: A and X */
    struct tw_matrix *Y, *R;     /* the triangle's right-hand side and solution, or the identity; the triangle */
    struct tw_matrix *Q, *own_R; /* FORM_Q: where they go */
    double b_scale, a_scale;
    double scale[]; /* of A's domains */
};
/* What a domain's continuation gets. */
struct domain {
    struct tall *t;
    int i;
};

/* Rows of the triangle, or trapezoid, that domain i becomes. */
static int triangle_rows(const struct level *l, int i)
{
    return (int)tw_min(tw_tile_rows(l->M, i), l->M->n);
}
/* The domains of the first level go one after the other, each with all that is its own. */
static int priority(struct tw_sequence *seq, const struct tall *t, int level, int i, int urgent)
{
    const int domains = t->level[0].M->mt;
    return tw_priority(seq, (level ? 0 : domains - i) + t->levels - level, domains + t->levels, urgent);
}

static struct tw_matrix *temporary(struct tw_sequence *seq, const struct tall *t, tw_int m, tw_int n, tw_int mb,
                                   tw_int nb)
{
    struct tw_matrix *M = tw_loop_status(seq) ? NULL : tw_matrix_temporary(t->type, m, n, mb, nb);

    if (!M && !tw_loop_status(seq))
        tw_loop_fail(seq, TW_E_MEMORY, "%lld x %lld beside a tall matrix: %s", (long long)m, (long long)n,
                     tw_last_message());
    return M;
}

/* 0, or the sequence has failed. */
static int make_levels(struct tw_sequence *seq, struct tall *t, tw_int nrhs, tw_int nb)
{
    const tw_int n = t->n;

    for (struct level *l = t->level;; l++, t->levels++) {
        const int last = triangle_rows(l, l->M->mt - 1);
        const tw_int before = (tw_int)(l->M->mt - 1) * n;
        l->T = temporary(seq, t, n, before + last, n, n);
        if (!l->T) return -1;
        if (l->M->mt == 1) break;
        l[1].M = temporary(seq, t, before + last, n, t->group * n, n);
        l[1].X = temporary(seq, t, before + last, nrhs, t->group * n, nb);
        if (!l[1].M || !l[1].X) return -1;
    }
    t->levels++;
    return 0;
}

static void free_levels(struct tall *t)
{
    for (struct level *l = t->level; l < t->level + LEVELS; l++) {
        if (l->T) tw_matrix_free_later(l->T);
        if (l == t->level) continue;
        if (l->M) tw_matrix_free_later(l->M);
        if (l->X) tw_matrix_free_later(l->X);
    }
}

/* ---- a domain ---------------------------------------------------------------------------------------------------- */

static void factor(struct tw_sequence *seq, const struct tall *t, int level, int i)
{
    const struct level *l = &t->level[level];
    tw_task_geqrt(seq, priority(seq, t, level, i, 1), 'C', tw_tile(l->M, i, 0), tw_tile(l->T, 0, i));
}
/* X's rows there become Q^H times them ('C'), or Q ('N'). */
static void apply(struct tw_sequence *seq, const struct tall *t, int level, int i, char op)
{
    const struct level *l = &t->level[level];

    for (int j = 0; j < l->X->nt; j++)
        tw_task_gemqrt(seq, priority(seq, t, level, i, 0), 'C', 'L', op, tw_tile(l->M, i, 0), tw_tile(l->T, 0, i),
                       tw_tile(l->X, i, j));
}

/* Its triangle to the next level, where it is one of a domain's: for the first time, when the first one clears what
 * they lie in, or once more. */
static void lift_triangle(struct tw_sequence *seq, const struct tall *t, int level, int i, int first)
{
    const struct level *l = &t->level[level];
    const struct tw_block block = {.m = triangle_rows(l, i), .n = (int)t->n, .bi = (int)(i % t->group) * (int)t->n};
    struct tw_data *to = tw_tile(l[1].M, (int)(i / t->group), 0);

    if (first && block.bi == 0) tw_task_laset(seq, priority(seq, t, level, i, 0), 'G', tw_zero, tw_zero, to);
    tw_task_lacpy_part(seq, priority(seq, t, level, i, 0), 'U', &block, tw_tile(l->M, i, 0), to, 0);
}
/* The rows of X that belong to it, there or back. */
static void move_rows(struct tw_sequence *seq, const struct tall *t, int level, int i, int back)
{
    const struct level *l = &t->level[level];
    const int m = triangle_rows(l, i), at = (int)(i % t->group) * (int)t->n, to = (int)(i / t->group);

    for (int j = 0; j < l->X->nt; j++) {
        struct tw_data *here = tw_tile(l->X, i, j), *there = tw_tile(l[1].X, to, j);
        const struct tw_block up = {.m = m, .n = here->n, .bi = at}, down = {.m = m, .n = here->n, .ai = at};
        if (back)
            tw_task_lacpy_block(seq, priority(seq, t, level, i, 0), &down, there, here, m == here->m);
        else
            tw_task_lacpy_block(seq, priority(seq, t, level, i, 0), &up, here, there, at == 0);
    }
}

/* ---- when A's largest element is known --------------------------------------------------------------------------- */

static void scale(struct tw_sequence *seq, double by, struct tw_matrix *M)
{
    if (by != 1) tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){by, 0}, M);
}

/* Triangles whose domain was scaled otherwise than A is. */
static void to_one_scale(struct tw_sequence *seq, const struct tall *t)
{
    for (int i = 0; i < t->level[0].M->mt; i++) {
        if (t->scale[i] == t->a_scale) continue;
        tw_task_scale(seq, priority(seq, t, 0, i, 0), 'U', t->scale[i], t->a_scale, tw_tile(t->level[0].M, i, 0));
        if (t->levels > 1) lift_triangle(seq, t, 0, i, 0);
    }
}

/* Levels above the first. */
static void join(struct tw_sequence *seq, const struct tall *t)
{
    for (int level = 1; level < t->levels; level++)
        for (int i = 0; i < t->level[level].M->mt; i++) {
            factor(seq, t, level, i);
            if (t->job == LEAST_SQUARES) apply(seq, t, level, i, 'C');
            if (level == t->levels - 1) continue;
            lift_triangle(seq, t, level, i, 1);
            if (t->job == LEAST_SQUARES) move_rows(seq, t, level, i, 0);
        }
}

static void take_triangle(struct tw_sequence *seq, const struct tall *t)
{
    const struct tw_block block = {.m = (int)t->n, .n = (int)t->n};
    tw_task_lacpy_part(seq, priority(seq, t, t->levels - 1, 0, 1), 'U', &block,
                       tw_tile(t->level[t->levels - 1].M, 0, 0), tw_tile(t->R, 0, 0), 1);
}
/* Y becomes the solution with it. */
static void solve_triangle(struct tw_sequence *seq, const struct tall *t)
{
    take_triangle(seq, t);
    tw_task_trdiag(seq, priority(seq, t, t->levels - 1, 0, 1), tw_tile(t->R, 0, 0), 0, tw_info(seq));
    tw_trsm_loop(seq, TW_LEFT, TW_UPPER, t->job == LEAST_NORM ? TW_CONJTRANS : TW_NOTRANS, TW_NONUNIT, tw_one, t->R,
                 t->Y, 0);
    scale(seq, t->a_scale, t->Y);
}

/* Y to the first rows of the last level's X. */
static void from_Y(struct tw_sequence *seq, const struct tall *t)
{
    tw_copy_rows_loop(seq, t->Y, t->level[t->levels - 1].X, 0);
}
/* X = Q [Y; 0] */
static void times_Y(struct tw_sequence *seq, const struct tall *t)
{
    for (int level = t->levels - 1; level >= 0; level--) {
        const struct level *l = &t->level[level];
        for (int i = 0; i < l->M->mt; i++) {
            for (int j = 0; j < l->X->nt; j++)
                tw_task_laset(seq, priority(seq, t, level, i, 0), 'G', tw_zero, tw_zero, tw_tile(l->X, i, j));
            if (level < t->levels - 1) move_rows(seq, t, level, i, 1);
        }
        if (level == t->levels - 1) from_Y(seq, t);
        for (int i = 0; i < l->M->mt; i++)
            apply(seq, t, level, i, 'N');
    }
}

static void least_squares(struct tw_sequence *seq, const struct tall *t)
{
    tw_copy_loop(seq, t->level[t->levels - 1].X, t->Y, 0);
    solve_triangle(seq, t);
    from_Y(seq, t);
    for (int level = t->levels - 2; level >= 0; level--)
        for (int i = 0; i < t->level[level].M->mt; i++)
            move_rows(seq, t, level, i, 1);
}
static void least_norm(struct tw_sequence *seq, const struct tall *t)
{
    solve_triangle(seq, t);
    times_Y(seq, t);
}

static void form_q(struct tw_sequence *seq, const struct tall *t)
{
    const int p = priority(seq, t, 0, 0, 0);

    take_triangle(seq, t);
    if (t->a_scale != 1) tw_task_scale(seq, p, 'U', t->a_scale, 1, tw_tile(t->R, 0, 0));
    for (int j = 0; j < t->own_R->nt; j++)
        for (int i = 0; i < t->own_R->mt; i++)
            tw_task_laset(seq, p, 'G', tw_zero, tw_zero, tw_tile(t->own_R, i, j));
    tw_copy_part_loop(seq, TW_UPPER, t->R, t->own_R, 0);
    tw_task_laset(seq, p, 'G', tw_zero, tw_one, tw_tile(t->Y, 0, 0));
    times_Y(seq, t);
    tw_copy_loop(seq, t->level[0].X, t->Q, 1);
}

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    static void (*const finish[])(struct tw_sequence *, const struct tall *) = {least_squares, least_norm, form_q};
    struct tall *t = *(struct tall **)args;

    if (*(const double *)value == 0 && t->job != FORM_Q) { /* the zero matrix has no rank, but a solution */
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, t->level[0].X);
        return;
    }
    t->a_scale = tw_safe_scale(t->type, *(const double *)value);
    to_one_scale(seq, t);
    join(seq, t);
    finish[t->job](seq, t);
    if (t->job != FORM_Q) scale(seq, 1 / t->b_scale, t->level[0].X);
}
static void release(void *args)
{
    free(*(struct tall **)args);
}

/* ---- when less is known ------------------------------------------------------------------------------------------ */

static const double modelled_norm = 1;

/* What the right-hand sides are in. */
static struct tw_matrix *given(const struct tall *t)
{
    return t->job == LEAST_NORM ? t->Y : t->level[0].X;
}
static void with_norm_of_B(struct tw_sequence *seq, const void *value, void *args)
{
    struct tall *t = *(struct tall **)args;

    t->b_scale = tw_safe_scale(t->type, *(const double *)value);
    scale(seq, t->b_scale, given(t));
}

static void with_norm_of_domain(struct tw_sequence *seq, const void *value, void *args)
{
    const struct domain *d = args;
    struct tall *t = d->t;

    t->scale[d->i] = tw_safe_scale(t->type, *(const double *)value);
    if (t->scale[d->i] != 1)
        tw_task_lascl(seq, priority(seq, t, 0, d->i, 0), 'G', 0, (tw_scalar){t->scale[d->i], 0},
                      tw_tile(t->level[0].M, d->i, 0));
    factor(seq, t, 0, d->i);
}

static struct tw_data *number(struct tw_sequence *seq)
{
    struct tw_data *x = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});

    if (!x) tw_loop_fail(seq, TW_E_MEMORY, "no memory for a number");
    return x;
}

/* `all` is the largest element of the domains so far. That continuations use it keeps what looks at it behind them: all
 * that they find is known then. */
static void one_domain(struct tw_sequence *seq, struct tall *t, int i, struct tw_data *all)
{
    struct tw_data *A = tw_tile(t->level[0].M, i, 0), *own = number(seq);
    const struct tw_use uses[] = {{A, NULL, TW_RW}, {all, NULL, TW_RW}};

    if (!own) return;
    tw_task_normmax(seq, priority(seq, t, 0, i, 1), TW_STRUCT_GENERAL, 'G', 'N', A, own);
    tw_when(seq, own, &modelled_norm, uses, 2, with_norm_of_domain, &(struct domain){t, i}, sizeof(struct domain));
    tw_task_vecmax(seq, priority(seq, t, 0, i, 1), own, all);
    tw_data_free_later(own);
    if (t->job == LEAST_SQUARES) apply(seq, t, 0, i, 'C');
    if (t->levels == 1) return;
    lift_triangle(seq, t, 0, i, 1);
    if (t->job == LEAST_SQUARES) move_rows(seq, t, 0, i, 0);
}

static void look_at_B(struct tw_sequence *seq, struct tall *t, struct tw_data *all)
{
    const struct tw_use uses[] = {{NULL, given(t), TW_RW}, {all, NULL, TW_RW}};
    struct tw_data *norm = tw_max_norm_tasks(seq, given(t));

    if (!norm) return;
    tw_when(seq, norm, &modelled_norm, uses, 2, with_norm_of_B, &t, sizeof t);
    tw_data_free_later(norm);
}

/* t, which is given back. */
static void begin(struct tw_sequence *seq, struct tall *t, struct tw_data *all)
{
    struct tw_use uses[3 * LEVELS + 4];
    int n = 0;

    for (int level = 0; level < t->levels; level++) {
        uses[n++] = (struct tw_use){NULL, t->level[level].M, TW_RW};
        uses[n++] = (struct tw_use){NULL, t->level[level].T, TW_RW};
        uses[n++] = (struct tw_use){NULL, t->level[level].X, TW_RW};
    }
    uses[n++] = (struct tw_use){NULL, t->Y, TW_RW};
    uses[n++] = (struct tw_use){NULL, t->R, TW_RW};
    uses[n++] = (struct tw_use){NULL, t->Q, TW_RW};
    uses[n++] = (struct tw_use){NULL, t->own_R, TW_RW};
    if (t->job != FORM_Q) look_at_B(seq, t, all);
    for (int i = 0; i < t->level[0].M->mt && !tw_loop_status(seq); i++)
        one_domain(seq, t, i, all);
    tw_when_owning(seq, all, &modelled_norm, uses, n, with_norm, release, &t, sizeof t);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* A call: t, which is gone where it was begun, and what is given back at the end. */
struct call {
    struct tall *t, kept;
    struct tw_matrix *A; /* in domains */
    struct tw_data *all;
};

/* X gets what B has, or B's shape: m x nrhs in tiles of nb columns. 0, or the sequence has failed; call_end in any
 * case. */
static int call_begin(struct tw_sequence *seq, struct call *c, enum job job, struct tw_matrix *A, struct tw_matrix *B,
                      tw_int nrhs, tw_int nb)
{
    struct tall *t = NULL;

    *c = (struct call){.A = tw_retiled(seq, A, tw_tall_cut(A), A->n)};
    if (!c->A) return -1;
    if (!(t = calloc(1, sizeof *t + (size_t)c->A->mt * sizeof *t->scale))) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %d domains", c->A->mt);
        return -1;
    }
    t->type = A->type, t->job = job, t->n = A->n, t->group = group(c->A->mb, A->n);
    t->level[0].M = c->A;
    t->level[0].X = B ? tw_copied(seq, B, c->A->mb, nb) : temporary(seq, t, A->m, nrhs, c->A->mb, nb);
    t->Y = temporary(seq, t, A->n, nrhs, A->n, nb);
    t->R = temporary(seq, t, A->n, A->n, A->n, A->n);
    c->all = number(seq);
    if (!tw_loop_status(seq)) (void)make_levels(seq, t, nrhs, nb);
    c->kept = *t;
    c->t = t;
    if (!tw_loop_status(seq)) return 0;
    free(t);
    return -1;
}

static void call_end(struct tw_sequence *seq, struct call *c, struct tw_matrix *A)
{
    free_levels(&c->kept);
    if (c->kept.level[0].X) tw_matrix_free_later(c->kept.level[0].X);
    if (c->kept.Y) tw_matrix_free_later(c->kept.Y);
    if (c->kept.R) tw_matrix_free_later(c->kept.R);
    if (c->all) tw_data_free_later(c->all);
    tw_retiled_end(seq, A, c->A, 0); /* nobody knows what to do with a copy's factors */
}

void tw_tall_gels_loop(struct tw_sequence *seq, enum tw_trans trans, struct tw_matrix *A, struct tw_matrix *B)
{
    const enum job job = trans == TW_NOTRANS ? LEAST_SQUARES : LEAST_NORM;
    struct call c;

    if (!call_begin(seq, &c, job, A, job == LEAST_SQUARES ? B : NULL, B->n, B->nb)) {
        if (job == LEAST_NORM) tw_copy_loop(seq, B, c.kept.Y, 0);
        begin(seq, c.t, c.all);
        tw_copied_end_if(seq, B, c.kept.level[0].X, tw_info(seq));
        c.kept.level[0].X = NULL;
    }
    call_end(seq, &c, A);
}

void tw_tall_form_q_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *R)
{
    struct call c;

    if (!call_begin(seq, &c, FORM_Q, A, NULL, A->n, A->n)) {
        c.t->Q = A, c.t->own_R = R;
        begin(seq, c.t, c.all);
    }
    call_end(seq, &c, A);
}
