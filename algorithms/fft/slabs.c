/* Two and three dimensions, and batches, of arrays without gaps within their rows: every row (all dimensions but the first) is
 * transformed by itself, then, along the first dimension, the columns. The array is a grid of blocks, so that tasks of the first kind
 * take a row of blocks and tasks of the second a column of them: nothing is gathered anywhere, and on several GPUs only the blocks off
 * the diagonal move. From half-complex to real the columns come first. */
#include "algorithms/fft/fft.h"

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

int tw_fft_slabs_suit(struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;
    struct tw_fft_rows *r = &p->rows;
    int whole = p->transforms > 1, first = whole ? 0 : 1, last = q->rank - 1, gaps;
    const tw_fft_dim *outer = whole ? &q->loop[0] : &q->dim[0];

    if (q->kind == TW_FFT_R2R || (!whole && q->rank < 2) || (whole && (q->nloops != 1 || q->loop[0].n < 4))) return 0;
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
    r->k = p->k;
    r->type = p->type;
    r->kind = q->kind;
    r->sign = q->sign;
    r->rank = q->rank - first;
    for (int d = 0; d < r->rank; d++)
        r->n[d] = q->dim[first + d].n;
    r->pad_in = last > first ? q->dim[last - 1].is : r->m_in;
    r->pad_out = last > first ? q->dim[last - 1].os : r->m_out;
    r->chunk =
        tw_max(1, tw_min(4096 / tw_max(r->m_in, r->m_out), tw_fft_ceil(p->nrows, tw_fft_parts(p->reproducible))));
    return 1;
}

int tw_fft_slabs_prepare(struct tw_fft *p)
{
    struct tw_fft_rows *r = &p->rows;
    double part = r->whole ? 1 : 1 - 1.0 / p->problem.rank;

    r->flops = p->flops * part / (double)p->nrows;
    r->scale = r->whole || r->kind == TW_FFT_C2R ? p->scale : 1;
    r->scaled = r->kind == TW_FFT_C2R ? r->m_out : 2 * r->m_out;
    return r->whole ? 0 : tw_fft_plan_columns(p, 0, p->problem.dim[0].n);
}

static tw_int cut(tw_int n, tw_int parts, tw_int multiple)
{
    return tw_min(n, tw_fft_ceil(tw_fft_ceil(n, parts), multiple) * multiple);
}

static int parts_of(const struct tw_fft *p)
{
    int ncuda;
    tw_worker_count(&ncuda);
    return ncuda > 0 ? (int)tw_max(2 * ncuda, (tw_int)(p->out_bytes >> 28)) : tw_fft_parts(p->reproducible);
}

static struct tw_fft_cols columns_of(const struct tw_fft *p, tw_int width, double scale)
{
    return (struct tw_fft_cols){.k = p->k,
                                .plan = p->columns[0].plan,
                                .n = p->columns[0].n,
                                .chunk = p->columns[0].chunk,
                                .pitch = p->columns[0].pitch,
                                .sign = p->problem.sign,
                                .scale = scale,
                                .flops = p->flops / p->problem.rank / (double)width,
                                .type = p->type};
}

void tw_fft_slabs(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out)
{
    const struct tw_fft_variant *v = tw_fft_variant_for(p, in, out);
    struct tw_fft_rows r = p->rows;
    int parts = parts_of(p), backward = r.kind == TW_FFT_C2R, tasks = 0;
    tw_int width = backward ? r.m_in : r.m_out, br = cut(p->nrows, parts, r.chunk),
           bc = r.whole ? width : cut(width, parts, p->columns[0].chunk);
    size_t si = r.kind == TW_FFT_R2C ? p->k->bytes / 2 : p->k->bytes, so = backward ? p->k->bytes / 2 : p->k->bytes;
    struct tw_fft_cols c = columns_of(p, width, backward ? 1 : p->scale);
    struct tw_fft_grid x = {0}, y = {0};

    if (!v) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s", tw_last_message());
        return;
    }
    r.many = v->many;
    r.one = v->one;
    if (!tw_fft_grid_make(seq, &x, in, p->nrows, r.m_in, r.ld_in, si, br, backward ? bc : r.m_in) &&
        !tw_fft_grid_make(seq, &y, out, p->nrows, r.m_out, r.ld_out, so, br, backward ? r.m_out : bc)) {
        struct tw_fft_grid *g = backward ? &x : &y; /* the one with columns */
        tw_fft_rows_prepare(seq, &r, br, p->nrows % br, x.nc, y.nc);
        if (!r.whole) tw_fft_cols_prepare(seq, &c, bc, width % bc);
        for (int pass = 0; pass < 2; pass++) {
            if ((pass == 1) == backward)
                for (int i = 0; i < x.nr; i++, tasks++)
                    tw_task_fft_rows(seq, &r, pass == 0, x.nc, &x.row[i * x.nc], y.nc, &y.row[i * y.nc], i);
            else if (!r.whole)
                for (int j = 0; j < g->nc; j++, tasks++)
                    tw_task_fft_cols(seq, &c, pass == 0, j * bc, g->nr, &g->col[j * g->nr], 0, NULL, j);
        }
        tw_fft_grid_home(seq, &y);
    }
    tw_loop_wait(seq);
    tw_fft_grid_free(&x, 0);
    tw_fft_grid_free(&y, 1);
    atomic_store(&p->tasks, tasks);
}

/* Rows forward; columns forward, times the table, backward; rows backward. */
void tw_fft_filter_slabs(struct tw_sequence *seq, struct tw_fft *forward, struct tw_fft *backward, const char *table,
                         const char *in, char *spectrum, char *out)
{
    const struct tw_fft_variant *there = tw_fft_variant_for(forward, in, spectrum),
                                *back = tw_fft_variant_for(backward, spectrum, out);
    struct tw_fft_rows r = forward->rows, b = backward->rows;
    int parts = parts_of(forward);
    tw_int br = cut(forward->nrows, parts, r.chunk), bc = cut(r.m_out, parts, forward->columns[0].chunk);
    size_t size = forward->k->bytes, outer = r.kind == TW_FFT_R2C ? size / 2 : size;
    struct tw_fft_cols c = columns_of(forward, r.m_out, 1);
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
