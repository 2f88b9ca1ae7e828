/* Filters: forward, times a table, backward. Where both transforms are slabs, or complex six-step ones, on CPUs the
 * table is applied, and the columns are transformed back, while they are in cache: three stages instead of five. */
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/strips.h"
#include "runtime/base/gate.h"

struct tw_fft_filter {
    tw_fft *forward, *backward;
    void *table;    /* divided by the number of points */
    void *spectrum; /* NULL where the output array serves */
};

struct call {
    struct tw_fft_filter *f;
    const char *in;
    char *out;
};

static void slabs(struct tw_sequence *seq, void *args)
{
    struct call *c = args;
    struct tw_fft_filter *f = c->f;

    tw_fft_filter_slabs(seq, f->forward, f->backward, f->table, c->in, f->spectrum ? f->spectrum : c->out, c->out);
}

/* Of the six steps there and back the middle two are along the same columns: see bluestein.c. The last stage is in
 * place. */
static void six_steps(struct tw_sequence *seq, void *args)
{
    struct call *c = args;
    struct tw_fft *there = c->f->forward, *back = c->f->backward;
    tw_int n1 = there->columns[0].n, n2 = there->columns[1].n;
    void *t = tw_fft_workspace_take(seq, there, 0);
    struct tw_fft_strips first = tw_fft_strips_of(there, &there->columns[0], n2, c->in, n2, t, n1),
                         middle = tw_fft_strips_of(there, &there->columns[1], n1, t, n1, c->out, n2),
                         last = tw_fft_strips_of(back, &back->columns[0], n2, c->out, n2, c->out, n2);
    struct tw_fft_signs done[3] = {{0}};

    tw_fft_strips_twist(&first, &there->roots, TW_FFT_FORWARD);
    tw_fft_strips_twist(&middle, &there->roots, TW_FFT_BACKWARD);
    middle.columns.table = c->f->table;
    middle.columns.ld_table = n1;
    middle.columns.back = back->columns[1].plan;
    middle.flops *= 2;
    if (t && tw_fft_strips(seq, &first, NULL, &done[0]) && tw_fft_strips(seq, &middle, &done[0], &done[1]))
        (void)tw_fft_strips(seq, &last, &done[1], &done[2]);
    tw_loop_wait(seq); /* the tasks point to what lies here */
}

/* The loop that fuses the table with the transforms around it; NULL: none does. */
static tw_loop_fn fused(const struct tw_fft_filter *f)
{
    const struct tw_fft *p = f->forward;

    if (p->method != f->backward->method) return NULL;
    if (p->method == &tw_fft_by_slabs) return slabs;
    return p->method == &tw_fft_by_six_steps && p->problem.kind == TW_FFT_C2C ? six_steps : NULL;
}

int tw_fft_filter_destroy(tw_fft_filter *f)
{
    if (!f) return 0;
    tw_fft_destroy(f->forward);
    tw_fft_destroy(f->backward);
    free(f->table);
    free(f->spectrum);
    free(f);
    return 0;
}

/* Plans and room for a table that is still to be filled. The plan's own checks name the caller's arguments by the same
 * numbers: 2 to 5. */
static int make(struct tw_fft_filter *f, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n,
                const tw_fft_options *options)
{
    tw_fft_options o;
    size_t bytes;
    int e;

    tw_fft_options_init(&o);
    if (options) o = *options;
    o.norm = TW_FFT_UNSCALED; /* the table is scaled */
    e = tw_fft_plan(&f->forward, type, kind, rank, n, 1, TW_FFT_FORWARD, &o);
    if (!e)
        e = tw_fft_plan(&f->backward, type, kind == TW_FFT_R2C ? TW_FFT_C2R : kind, rank, n, 1, TW_FFT_BACKWARD, &o);
    if (e) return e;
    bytes = f->forward->out_bytes;
    f->table = tw_fft_block(bytes);
    if (kind == TW_FFT_R2C) f->spectrum = tw_fft_block(bytes);
    if (f->table && (f->spectrum || kind == TW_FFT_C2C)) return 0;
    return tw_fail(TW_E_MEMORY, "tw_fft_filter: no memory for a table of %zu bytes", bytes);
}

static tw_int elements(const struct tw_fft_filter *f)
{
    return (tw_int)(f->forward->out_bytes / tw_sizeof(f->forward->type));
}

/* The backward transform divides by nothing: the table does. */
static void scale_table(struct tw_fft_filter *f)
{
    tw_fft_scale(f->forward->type, 2 * elements(f), 1, f->table, 1 / (double)f->forward->points);
}

int tw_fft_filter_create(tw_fft_filter **out, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n,
                         const void *table, const tw_fft_options *options)
{
    static const char name[] = "tw_fft_filter_create";
    struct tw_fft_filter *f;
    int e;

    if (!out) return tw_illegal(name, 1, "NULL");
    *out = NULL;
    if (kind != TW_FFT_C2C && kind != TW_FFT_R2C) return tw_illegal(name, 3, "not TW_FFT_C2C or TW_FFT_R2C");
    if (!table) return tw_illegal(name, 6, "NULL");
    if (options && options->size != sizeof *options)
        return tw_illegal(name, 7, "fill the options with tw_fft_options_init first");
    if (!(f = calloc(1, sizeof *f))) return tw_fail(TW_E_MEMORY, "%s: no memory", name);
    if ((e = make(f, type, kind, rank, n, options))) {
        tw_fft_filter_destroy(f);
        return e;
    }
    memcpy(f->table, table, f->forward->out_bytes);
    scale_table(f);
    *out = f;
    return 0;
}

int tw_fft_filter_with(tw_fft_filter **out, enum tw_type type, int rank, const tw_int *n, const void *b, int correlate)
{
    struct tw_fft_filter *f = *out = calloc(1, sizeof *f);
    int e;

    if (!f) return tw_fail(TW_E_MEMORY, "tw_fft_convolve: no memory");
    if ((e = make(f, type, TW_FFT_R2C, rank, n, NULL)) || (e = tw_fft_execute(f->forward, b, f->table))) return e;
    scale_table(f);
    /* the conjugate: the imaginary parts change their sign */
    if (correlate)
        tw_fft_scale(f->forward->type, elements(f), 2, (char *)f->table + tw_sizeof(f->forward->type) / 2, -1);
    return 0;
}

static int by_parts(struct tw_fft_filter *f, const void *in, void *out)
{
    void *spectrum = f->spectrum ? f->spectrum : out;
    int e = tw_fft_execute(f->forward, in, spectrum);

    if (!e) e = tw_fft_multiply(f->forward, spectrum, f->table, elements(f));
    return e ? e : tw_fft_execute(f->backward, spectrum, out);
}

int tw_fft_filter_execute(tw_fft_filter *f, const void *in, void *out)
{
    struct call c = {f, in, out};
    uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;

    if (!f) return tw_illegal("tw_fft_filter_execute", 1, "NULL");
    if (!in) return tw_illegal("tw_fft_filter_execute", 2, "NULL");
    if (!out) return tw_illegal("tw_fft_filter_execute", 3, "NULL");
    if (a != b && a < b + f->backward->out_bytes && b < a + f->forward->in_bytes)
        return tw_illegal("tw_fft_filter_execute", 3, "it overlaps the input without being the same array");
    if (!fused(f)) return by_parts(f, in, out);
    /* Whether there are GPUs is known once it runs (another thread may start it just now). */
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (tw_has_cuda()) return by_parts(f, in, out);
    return tw_call("fft_filter", fused(f), &c, f->forward->flops + f->backward->flops);
}
