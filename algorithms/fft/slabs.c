/* Two and three dimensions, and batches, of arrays without gaps within their rows: every row (all dimensions but the
 * first) is transformed by itself, then, along the first dimension, the columns. On CPUs they lie where they are, and
 * tokens order the tasks. On GPUs the array is a grid of blocks, so that tasks of the first kind take a row of blocks
 * and tasks of the second a column of them: nothing is gathered anywhere, and on several GPUs only the blocks off the
 * diagonal move. From half-complex to real the columns come first. */
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/fft_plan.h"

/* Are the dimensions from `first` on without gaps? Counts elements of a row. */
static int dense(const struct tw_fftw_problem *q, int first, int output, tw_int *elements)
{
    tw_int count = 1;

    for (int d = q->rank - 1; d >= first; d--) {
        tw_int n =
            d == q->rank - 1 && q->kind == (output ? TW_FFT_R2C : TW_FFT_C2R) ? q->dim[d].n / 2 + 1 : q->dim[d].n;
        if (n > 1 && (output ? q->dim[d].os : q->dim[d].is) != count) return 0;
        count *= n;
    }
    *elements = count;
    return 1;
}

/* Real rows of an in-place transform are padded to the length of the half-complex ones. */
static int dense_padded(const struct tw_fftw_problem *q, int first, int output, tw_int *elements)
{
    int last = q->rank - 1;
    tw_int padded = 2 * (q->dim[last].n / 2 + 1);

    if (q->kind != (output ? TW_FFT_C2R : TW_FFT_R2C) || first >= last) return 0;
    if ((output ? q->dim[last].os : q->dim[last].is) != 1) return 0;
    *elements = q->dim[last].n;
    for (int d = last - 1; d >= first; d--) {
        if ((output ? q->dim[d].os : q->dim[d].is) != padded) return 0;
        *elements += (q->dim[d].n - 1) * padded;
        padded *= q->dim[d].n;
    }
    return 1;
}

#define FITS(x) ((x) < INT32_MAX)

static int suits(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;
    struct tw_fft_rows *r = &p->rows;
    int whole = p->transforms > 1, first = whole ? 0 : 1, last = q->rank - 1, gaps;
    const tw_fft_dim *outer = whole ? &q->loop[0] : &q->dim[0];

    if ((!whole && (q->rank < 2 || q->kind == TW_FFT_R2R)) || (whole && (q->nloops != 1 || q->loop[0].n < 4))) return 0;
    if (!dense(q, first, 0, &r->m_in) && !dense_padded(q, first, 0, &r->m_in)) return 0;
    gaps = !dense(q, first, 1, &r->m_out);
    if (gaps && (p->scale != 1 || !dense_padded(q, first, 1, &r->m_out))) return 0;
    if (outer->is < r->m_in || outer->os < r->m_out) return 0;
    if (!FITS(r->m_in) || !FITS(r->m_out) || !FITS(outer->is) || !FITS(outer->os) || !FITS(outer->n)) return 0;
    /* too few rows to share, or columns too long for a core's cache */
    if (!whole && (q->dim[0].n < 4 || q->dim[0].n > 1 << 20)) return 0;

    p->nrows = outer->n;
    r->whole = whole;
    r->ld_in = outer->is;
    r->ld_out = outer->os;
    r->type = p->type;
    r->kind = q->kind;
    r->sign = q->sign;
    r->rank = q->rank - first;
    for (int d = 0; d < r->rank; d++)
        r->n[d] = q->dim[first + d].n, r->r2r[d] = (enum tw_fft_r2r)q->r2r[first + d];
    r->pad_in = last > first ? q->dim[last - 1].is : r->m_in;
    r->pad_out = last > first ? q->dim[last - 1].os : r->m_out;
    r->chunk =
        tw_max(1, tw_min(4096 / tw_max(r->m_in, r->m_out), tw_fft_ceil(p->nrows, tw_fft_parts(p->reproducible))));
    return 1;
}

static int prepare(struct tw_fft *p)
{
    struct tw_fft_rows *r = &p->rows;
    double part = r->whole ? 1 : 1 - 1.0 / p->problem.rank;

    r->flops = p->flops * part / (double)p->nrows;
    r->scale = r->whole || r->kind == TW_FFT_C2R ? p->scale : 1;
    r->scaled = r->kind == TW_FFT_C2R || r->kind == TW_FFT_R2R ? r->m_out : 2 * r->m_out;
    return r->whole ? 0 : tw_fft_plan_columns(p, 0, p->problem.dim[0].n);
}

/* Rows: the dimensions within a row, and `chunk` rows at once where rows are short. */
static int fill(struct tw_fft *p, struct tw_fft_variant *v, int in_place, int aligned)
{
    const struct tw_fft_rows *r = &p->rows;
    struct tw_fftw_problem q = p->problem;
    int first = r->whole ? 0 : 1;

    q.rank = p->problem.rank - first;
    q.nloops = 0;
    memmove(q.dim, p->problem.dim + first, (size_t)q.rank * sizeof *q.dim);
    if (!(v->one = tw_fft_variant_plan(p, &q, in_place, aligned))) return 0;
    if (r->chunk == 1) return 1;
    q.nloops = 1;
    q.loop[0] = (tw_fft_dim){r->chunk, r->ld_in, r->ld_out};
    return (v->many = tw_fft_variant_plan(p, &q, in_place, aligned)) != NULL;
}

static size_t steps(const struct tw_fft *p)
{
    const struct tw_fft_rows *r = &p->rows;
    const size_t real = tw_sizeof(p->type) / 2;

    return (size_t)r->ld_in * (r->kind == TW_FFT_R2C || r->kind == TW_FFT_R2R ? real : 2 * real) |
           (size_t)r->ld_out * (r->kind == TW_FFT_C2R || r->kind == TW_FFT_R2R ? real : 2 * real);
}

int tw_fft_is_batch(const struct tw_fft *p)
{
    return p->method == &tw_fft_by_slabs && p->rows.whole;
}

static tw_int cut(tw_int n, tw_int parts, tw_int multiple)
{
    return tw_min(n, tw_fft_ceil(tw_fft_ceil(n, parts), multiple) * multiple);
}

static int parts_of(const struct tw_fft *p, int gpus)
{
    const struct tw_fft_rows *r = &p->rows;
    size_t line = r->whole ? 0 : tw_sizeof(p->type) * (size_t)tw_min(r->m_in, r->m_out);

    return gpus ? (int)tw_fft_gpu_parts(tw_max(p->in_bytes, p->out_bytes), line, gpus) : tw_fft_parts(p->reproducible);
}

struct tw_fft_cols tw_fft_columns_of(const struct tw_fft *p, tw_int width, double scale, int gpus)
{
    return (struct tw_fft_cols){.plan = p->columns[0].plan,
                                .n = p->columns[0].n,
                                .chunk = p->columns[0].chunk,
                                .pitch = p->columns[0].pitch,
                                .sign = p->problem.sign,
                                .scale = scale,
                                .flops = p->flops / p->problem.rank / (double)width,
                                .type = p->type,
                                .gpus = gpus};
}

struct tw_fft_rows tw_fft_rows_of(const struct tw_fft *p, int gpus)
{
    struct tw_fft_rows r = p->rows;

    r.gpus = gpus;
    return r;
}

/* in: rows of blocks of x; out: rows of blocks of y. between: the blocks of y are for tasks over columns, `parts` of
 * them. */
static int all_rows(struct tw_sequence *seq, const struct tw_fft_rows *r, int priority, struct tw_fft_grid *x,
                    struct tw_fft_grid *y, int between, int parts)
{
    for (int i = 0; i < x->nr; i++) {
        struct tw_data **out = &y->row[i * y->nc];
        tw_task_fft_rows(seq, r, priority, x->nc, &x->row[i * x->nc], y->nc, out, i);
        if (between)
            tw_fft_travel(seq, r->gpus, parts, out, y->nc, tw_fft_place(r->gpus, r->parts, i));
        else
            for (int j = 0; r->gpus && j < y->nc; j++)
                tw_bring_home(seq, out[j]);
    }
    return x->nr;
}

/* in: columns of blocks of x; out: columns of blocks of y; in place if y is NULL. between: as above, for tasks over
 * rows. */
static int all_columns(struct tw_sequence *seq, const struct tw_fft_cols *c, int priority, struct tw_fft_grid *x,
                       struct tw_fft_grid *y, int between, int parts)
{
    struct tw_fft_grid *to = y ? y : x;

    for (int j = 0; j < x->nc; j++) {
        struct tw_data **out = &to->col[j * to->nr];
        tw_task_fft_cols(seq, c, priority, j * x->bc, x->nr, &x->col[j * x->nr], y ? y->nr : 0, y ? out : NULL, j);
        if (between)
            tw_fft_travel(seq, c->gpus, parts, out, to->nr, tw_fft_place(c->gpus, c->parts, j));
        else
            for (int i = 0; c->gpus && i < to->nr; i++)
                tw_bring_home(seq, out[i]);
    }
    return x->nc;
}

/* Rows and columns of a task's part, and the three grids: what goes in, what lies between the two kinds of tasks, what
 * comes out. If what lies between has no place of its own, tasks over columns work in place. */
struct sides {
    tw_int width, br, bc;
    struct tw_fft_rectangle in, out;
    struct tw_fft_grid x, t, y;
    int apart; /* t is an array of its own, on the GPUs */
};

static int grid(struct tw_sequence *seq, struct tw_fft_grid *g, const struct tw_fft_rectangle *a, tw_int br, tw_int bc)
{
    return tw_fft_grid_make(seq, g, a->base, a->rows, a->cols, a->ld, a->elemsize, br, bc);
}

static int grids(struct tw_sequence *seq, const struct tw_fft *p, int backward, struct sides *s)
{
    const tw_int n = p->nrows;

    if (!s->apart)
        return grid(seq, &s->x, &s->in, s->br, backward ? s->bc : s->in.cols) ||
               grid(seq, &s->y, &s->out, s->br, backward ? s->out.cols : s->bc);
    return grid(seq, &s->x, &s->in, backward ? n : s->br, backward ? s->bc : s->in.cols) ||
           tw_fft_grid_temporary(seq, &s->t, p->type, n, s->width, s->br, s->bc) ||
           grid(seq, &s->y, &s->out, backward ? s->br : n, backward ? s->out.cols : s->bc);
}

static int by_blocks(struct tw_sequence *seq, struct tw_fft *p, struct tw_fft_rows *r, struct tw_fft_cols *c,
                     struct sides *s)
{
    const int backward = r->kind == TW_FFT_C2R, two = !r->whole;
    struct tw_fft_grid *x = &s->x, *y = &s->y, *t = s->apart ? &s->t : backward ? x : y;
    int tasks = 0;

    if (!grids(seq, p, backward, s)) {
        r->parts = t->nr;
        c->parts = t->nc;
        tw_fft_rows_prepare(seq, r, s->br, p->nrows % s->br, backward ? t->nc : 1, backward ? 1 : t->nc);
        if (two) tw_fft_cols_prepare(seq, c, s->bc, s->width % s->bc);
        if (two && backward) tasks += all_columns(seq, c, 1, x, s->apart ? t : NULL, 1, r->parts);
        tasks += all_rows(seq, r, !backward, backward ? t : x, backward ? y : t, two && !backward, c->parts);
        if (two && !backward) tasks += all_columns(seq, c, 0, t, s->apart ? y : NULL, 0, 0);
    }
    tw_fft_grid_finally(seq, x, 0);
    tw_fft_grid_finally(seq, &s->t, 0);
    tw_fft_grid_finally(seq, y, 1);
    return tasks;
}

/* On the CPUs no data moves, so that tokens do: every task of the second kind waits for all of the first. */
static int in_main_memory(struct tw_sequence *seq, struct tw_fft *p, struct tw_fft_rows *r, struct tw_fft_cols *c,
                          const struct sides *s)
{
    const int backward = r->kind == TW_FFT_C2R, rows = (int)tw_fft_ceil(p->nrows, s->br),
              columns = r->whole ? 0 : (int)tw_fft_ceil(s->width, s->bc), count = rows + columns;
    const struct tw_fft_rectangle *middle = backward ? &s->in : &s->out;
    struct tw_buffer *at = tw_loop_keep(seq, (size_t)count * 2 * sizeof *at);
    struct tw_data **done;

    if (!at || tw_fft_tokens_make(seq, count, &done)) return 0;
    for (int k = 0; k < count; k++) { /* in the order of execution */
        const int second = k >= (backward ? columns : rows), is_row = backward ? second : !second,
                  index = second ? k - (backward ? columns : rows) : k;
        struct tw_fft_at t = {.at = &at[2 * k],
                              .nin = 1,
                              .nout = is_row,
                              .done = done[k],
                              .after = done,
                              .nafter = second ? (backward ? columns : rows) : 0,
                              .place = TW_ON_CPUS,
                              .index = index,
                              .priority = !second};
        if (is_row) {
            at[2 * k] = tw_fft_rows_at(&s->in, index * s->br, s->br);
            at[2 * k + 1] = tw_fft_rows_at(&s->out, index * s->br, s->br);
            tw_task_fft_rows_at(seq, r, &t);
        } else {
            at[2 * k] = tw_fft_columns_at(middle, index * s->bc, s->bc);
            tw_task_fft_cols_at(seq, c, index * s->bc, &t);
        }
    }
    return count;
}

static int streamed(struct tw_sequence *seq, struct tw_fft_rows *r, struct tw_fft_cols *c, const struct sides *s)
{
    int backward = r->kind == TW_FFT_C2R, tasks = 0;

    if (backward && !r->whole) tasks += tw_fft_stream_columns(seq, c, &s->in, NULL, s->bc);
    tasks += tw_fft_stream_rows(seq, r, &s->in, &s->out, s->br);
    if (!backward && !r->whole) tasks += tw_fft_stream_columns(seq, c, &s->out, NULL, s->bc);
    return tasks;
}

/* What the tasks point to. */
struct slabs {
    struct tw_fft_rows r;
    struct tw_fft_cols c;
    struct sides s;
};

static void run(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus)
{
    const struct tw_fft_variant *v = gpus ? NULL : tw_fft_variant_for(p, in, out);
    struct slabs *k = tw_loop_keep(seq, sizeof *k);
    const int parts = parts_of(p, gpus), backward = p->rows.kind == TW_FFT_C2R, two = !p->rows.whole,
              fits = gpus && tw_fft_fits(3 * (p->in_bytes + p->out_bytes), gpus);
    const size_t whole = tw_sizeof(p->type), half = whole / 2;
    const tw_int width = backward ? p->rows.m_in : p->rows.m_out;

    if (!gpus && !v) tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
    if (!k || (!gpus && !v)) return;
    struct tw_fft_rows *r = &k->r;
    *r = tw_fft_rows_of(p, gpus);
    if (v) r->many = v->many, r->one = v->one;
    k->c = tw_fft_columns_of(p, width, backward ? 1 : p->scale, gpus);
    k->s = (struct sides){
        .width = width,
        .br = cut(p->nrows, parts, gpus ? 1 : r->chunk),
        .bc = two ? cut(width, parts, gpus ? 32 : p->columns[0].chunk) : width,
        .in = {(char *)in, p->nrows, r->m_in, r->ld_in, r->kind == TW_FFT_R2C || r->kind == TW_FFT_R2R ? half : whole},
        .out = {out, p->nrows, r->m_out, r->ld_out, backward || r->kind == TW_FFT_R2R ? half : whole},
        .apart = fits && two};
    atomic_store(&p->tasks, !gpus   ? in_main_memory(seq, p, r, &k->c, &k->s)
                            : !fits ? streamed(seq, r, &k->c, &k->s)
                                    : by_blocks(seq, p, r, &k->c, &k->s));
}

/* Batches always: their transfers overlap both ways. Of others a graph hides the computing behind the transfers, or
 * uses several GPUs, at the price of some more transfers: below these sizes that does not pay. */
static int splits(const struct tw_fft *p, const void *in, const void *out, int gpus)
{
    const size_t bytes = tw_max(p->in_bytes, p->out_bytes);

    return p->rows.whole || !tw_fft_one_gpu_suits(p, in, out) || bytes >= (size_t)1 << (gpus > 1 ? 27 : 30);
}

const struct tw_fft_method tw_fft_by_slabs = {
    .name = "slabs", .suits = suits, .prepare = prepare, .run = run, .splits = splits, .fill = fill, .steps = steps};

/* Rows forward; columns forward, times the table, backward; rows backward. */
void tw_fft_filter_slabs(struct tw_sequence *seq, struct tw_fft *forward, struct tw_fft *backward, const char *table,
                         const char *in, char *spectrum, char *out)
{
    const struct tw_fft_variant *there = tw_fft_variant_for(forward, in, spectrum),
                                *back = tw_fft_variant_for(backward, spectrum, out);
    struct tw_fft_rows r = forward->rows, b = backward->rows;
    int parts = parts_of(forward, 0);
    tw_int br = cut(forward->nrows, parts, r.chunk), bc = cut(r.m_out, parts, forward->columns[0].chunk);
    size_t size = tw_sizeof(forward->type), outer = r.kind == TW_FFT_R2C ? size / 2 : size;
    struct tw_fft_cols c = tw_fft_columns_of(forward, r.m_out, 1, 0);
    struct tw_fft_grid x = {0}, s = {0}, y = {0};

    if (!there || !back) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
        return;
    }
    r.many = there->many, r.one = there->one, r.scale = 1;
    b.many = back->many, b.one = back->one, b.scale = 1;
    c.table = table;
    c.ld_table = r.m_out;
    c.back = backward->columns[0].plan;
    c.flops *= 2;
    if (!tw_fft_grid_make(seq, &x, in, forward->nrows, r.m_in, r.ld_in, outer, br, r.m_in) &&
        !tw_fft_grid_make(seq, &s, spectrum, forward->nrows, r.m_out, r.ld_out, size, br, bc) &&
        !tw_fft_grid_make(seq, &y, out, forward->nrows, b.m_out, b.ld_out, outer, br, b.m_out)) {
        for (int i = 0; i < x.nr; i++)
            tw_task_fft_rows(seq, &r, 2, 1, &x.row[i], s.nc, &s.row[i * s.nc], i);
        for (int j = 0; j < s.nc; j++)
            tw_task_fft_cols(seq, &c, 1, j * bc, s.nr, &s.col[j * s.nr], 0, NULL, j);
        for (int i = 0; i < y.nr; i++)
            tw_task_fft_rows(seq, &b, 0, s.nc, &s.row[i * s.nc], 1, &y.row[i], i);
    }
    tw_loop_wait(seq);
    tw_fft_grid_free(&x, 0);
    tw_fft_grid_free(&s, 0);
    tw_fft_grid_free(&y, 1);
}
