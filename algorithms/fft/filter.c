/* Filters: forward, times a table, backward. Where both transforms are slabs on CPUs the table is applied, and the columns are transformed
 * back, while they are in cache: three stages instead of five. */
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/fft.h"

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

static void loop(struct tw_sequence *seq, void *args)
{
    struct call *c = args;
    struct tw_fft_filter *f = c->f;

    tw_fft_filter_slabs(seq, f->forward, f->backward, f->table, c->in, f->spectrum ? f->spectrum : c->out, c->out);
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

static int allocate(struct tw_fft_filter *f, const void *table)
{
    struct tw_fft *p = f->forward;
    tw_int count = (tw_int)(p->out_bytes / p->k->bytes);

    if (posix_memalign(&f->table, 64, p->out_bytes)) f->table = NULL;
    if (p->problem.kind == TW_FFT_R2C && posix_memalign(&f->spectrum, 64, p->out_bytes)) f->spectrum = NULL;
    if (!f->table || (p->problem.kind == TW_FFT_R2C && !f->spectrum))
        return tw_fail(TW_E_MEMORY, "tw_fft_filter_create: no memory for a table of %zu bytes", p->out_bytes);
    memcpy(f->table, table, p->out_bytes);
    p->k->scale(2 * count, 1, f->table, 1 / (double)p->points);
    return 0;
}

int tw_fft_filter_create(tw_fft_filter **out, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n,
                         const void *table, const tw_fft_options *options)
{
    static const char name[] = "tw_fft_filter_create";
    struct tw_fft_filter *f;
    tw_fft_options o;
    int e;

    if (!out) return tw_illegal(name, 1, "NULL");
    *out = NULL;
    if (kind != TW_FFT_C2C && kind != TW_FFT_R2C) return tw_illegal(name, 3, "not TW_FFT_C2C or TW_FFT_R2C");
    if (!table) return tw_illegal(name, 6, "NULL");
    if (options && options->size != sizeof o)
        return tw_illegal(name, 7, "fill the options with tw_fft_options_init first");
    tw_fft_options_init(&o);
    if (options) o = *options;
    o.norm = TW_FFT_UNSCALED; /* the table is scaled */
    if (!(f = calloc(1, sizeof *f))) return tw_fail(TW_E_MEMORY, "%s: no memory", name);
    /* The plan's own checks name the same arguments by the same numbers: 2 to 5. */
    e = tw_fft_plan(&f->forward, type, kind, rank, n, 1, TW_FFT_FORWARD, &o);
    if (!e)
        e = tw_fft_plan(&f->backward, type, kind == TW_FFT_R2C ? TW_FFT_C2R : kind, rank, n, 1, TW_FFT_BACKWARD, &o);
    if (!e) e = allocate(f, table);
    if (e)
        tw_fft_filter_destroy(f);
    else
        *out = f;
    return e;
}

static int by_parts(struct tw_fft_filter *f, const void *in, void *out)
{
    void *spectrum = f->spectrum ? f->spectrum : out;
    tw_int count = (tw_int)(f->forward->out_bytes / f->forward->k->bytes);
    int e = tw_fft_execute(f->forward, in, spectrum);

    if (!e) e = tw_fft_multiply(f->forward, spectrum, f->table, count, 0, 1);
    return e ? e : tw_fft_execute(f->backward, spectrum, out);
}

int tw_fft_filter_execute(tw_fft_filter *f, const void *in, void *out)
{
    struct call c = {f, in, out};
    uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;
    int e;

    if (!f) return tw_illegal("tw_fft_filter_execute", 1, "NULL");
    if (!in) return tw_illegal("tw_fft_filter_execute", 2, "NULL");
    if (!out) return tw_illegal("tw_fft_filter_execute", 3, "NULL");
    if (a != b && a < b + f->backward->out_bytes && b < a + f->forward->in_bytes)
        return tw_illegal("tw_fft_filter_execute", 3, "it overlaps the input without being the same array");
    if (f->forward->method != TW_FFT_BY_SLABS || f->backward->method != TW_FFT_BY_SLABS || f->forward->rows.whole)
        return by_parts(f, in, out);
    /* Whether there are GPUs is known once it runs (another thread may start it just now). */
    if (!tw_is_running() && (e = tw_init(NULL)) && !tw_is_running()) return e;
    if (tw_has_cuda()) return by_parts(f, in, out);
    return tw_call("fft_filter", loop, &c, f->forward->flops + f->backward->flops);
}
