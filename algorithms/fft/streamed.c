/* Arrays larger than the GPUs' memory: each of the two kinds of tasks is a pass of its own over the array in main
 * memory, part by part: in, transformed, out, three parts at a time on each GPU. A part is one data object that exists
 * only while its task is under way, so that its memory on the GPU is free for the next part when it is home: nothing is
 * ever pushed out. */
#include "algorithms/fft/fft_plan.h"

enum { AT_ONCE = 3 }; /* one arrives, one computes, one goes home */

static struct tw_data *part(struct tw_sequence *seq, const struct tw_fft_rectangle *a, tw_int row, tw_int rows,
                            tw_int col, tw_int cols, int k)
{
    char *at = a->base + a->elemsize * ((size_t)row * (size_t)a->ld + (size_t)col);
    struct tw_data *d = tw_data_rectangle(at, cols, rows, a->ld, a->elemsize, k, 0);

    if (!d) tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for a data object");
    return d;
}

/* One of a task's two objects could not be made. */
static void drop(struct tw_data *a, struct tw_data *b)
{
    if (a != b) tw_data_forget(a, 0);
    tw_data_forget(b, 0);
}

static void finish(struct tw_sequence *seq, struct tw_data *in, struct tw_data *out)
{
    if (tw_bring_home(seq, out)) tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory to bring results home");
    tw_data_free_later(out);
    if (in != out) tw_data_free_later(in);
}

int tw_fft_stream_columns(struct tw_sequence *seq, struct tw_fft_cols *c, const struct tw_fft_rectangle *in,
                          const struct tw_fft_rectangle *out, tw_int w)
{
    int k = 0;

    c->parts = 0;
    tw_fft_cols_prepare(seq, c, w, in->cols % w);
    for (tw_int first = 0; first < in->cols && !tw_loop_status(seq); first += w, k++) {
        const tw_int m = tw_min(w, in->cols - first);
        struct tw_data *a = part(seq, in, 0, in->rows, first, m, k),
                       *b = !out            ? a
                            : c->transposed ? part(seq, out, first, m, 0, out->cols, k)
                                            : part(seq, out, 0, out->rows, first, m, k);
        if (!a || !b) {
            drop(a, b);
            break;
        }
        tw_loop_throttle(seq, (long)AT_ONCE * c->gpus * 2);
        tw_task_fft_cols(seq, c, 0, first, 1, &a, out ? 1 : 0, &b, k);
        finish(seq, a, b);
    }
    tw_loop_wait_own(seq);
    return k;
}

int tw_fft_stream_rows(struct tw_sequence *seq, struct tw_fft_rows *r, const struct tw_fft_rectangle *in,
                       const struct tw_fft_rectangle *out, tw_int rows)
{
    int k = 0;

    r->parts = 0;
    tw_fft_rows_prepare(seq, r, rows, in->rows % rows, 1, 1);
    for (tw_int first = 0; first < in->rows && !tw_loop_status(seq); first += rows, k++) {
        const tw_int n = tw_min(rows, in->rows - first);
        struct tw_data *a = part(seq, in, first, n, 0, in->cols, k), *b = part(seq, out, first, n, 0, out->cols, k);
        if (!a || !b) {
            drop(a, b);
            break;
        }
        tw_loop_throttle(seq, (long)AT_ONCE * r->gpus * 2);
        tw_task_fft_rows(seq, r, 0, 1, &a, 1, &b, k);
        finish(seq, a, b);
    }
    tw_loop_wait_own(seq);
    return k;
}
