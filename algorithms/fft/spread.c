/* A two- or three-dimensional array spread over the memories of several GPUs, transformed there: its rows (of all
 * dimensions but the first) on the GPUs that have them, then, when each GPU has sent the others their columns, the
 * columns. On each GPU one piece of memory holds its rows and another its columns; all transforms are in place. Sending
 * takes longest, so it begins with the first part and goes on until the last: the first parts of the rows leave as soon
 * as they are transformed, the others together, in the order in which columns need them:
 *
 *   for each part i of the rows:     rows(i); send(i) to every GPU, if it is one of the first
 *   for each part j of the columns:  send to every GPU what part j there needs of the others, columns(j)
 *
 * The next transform goes the other way: columns, then rows. Signs order the tasks: StarPU's own transfers would need
 * blocks of their own on either side of the exchange, and a pass over memory to fill and one to empty them (measured:
 * 21 ms instead of 13 for 1024^3 on four H200s). */
#include <math.h>
#include <stdlib.h>
#include "algorithms/fft/fft_plan.h"

/* ---- what is where ----------------------------------------------------------------------------------------------- */

static tw_int limit(tw_int count, tw_int block, tw_int part)
{
    return tw_min(count, block * part);
}
static int gpu_of(const struct tw_fft_spread *s, int part)
{
    return part / (s->parts / s->gpus);
}
static int place(const struct tw_fft_spread *s, int part)
{
    return s->on_cpus ? TW_ON_CPUS : TW_ON_GPU(gpu_of(s, part));
}
static int on_copy_stream(const struct tw_fft_spread *s, int part)
{
    return s->on_cpus ? TW_ON_CPUS : TW_ON_COPY_STREAM(gpu_of(s, part));
}

/* A rectangle of the array, where it lies as rows or as columns: of the GPU that has it. */
static char *in_rows(const struct tw_fft_spread *s, int gpu, tw_int row, tw_int col)
{
    const tw_int first = s->br * (s->parts / s->gpus) * gpu;
    return (char *)s->rows[gpu].ptr + s->size * (size_t)((row - first) * s->width + col);
}
static char *in_cols(const struct tw_fft_spread *s, int gpu, tw_int row, tw_int col)
{
    return (char *)s->cols[gpu].ptr + s->size * (size_t)(row * s->ld + col - s->ld * gpu);
}

/* ---- its life ---------------------------------------------------------------------------------------------------- */

int tw_fft_spread_make(struct tw_fft_spread *s, enum tw_type type, int gpus, int each, int on_cpus, tw_int n,
                       tw_int width)
{
    int e = 0;

    *s = (struct tw_fft_spread){.type = type,
                                .size = tw_is_single(type) ? 8 : 16,
                                .gpus = gpus,
                                .parts = gpus * each,
                                .on_cpus = on_cpus,
                                .peers = !on_cpus && tw_gpu_peers(),
                                .n = n,
                                .width = width,
                                .br = tw_fft_ceil(n, gpus * each),
                                .bc = tw_fft_ceil(tw_fft_ceil(width, gpus * each), 32) * 32};
    s->ld = s->bc * each;
    for (int g = 0; g < gpus && !e; g++) {
        e = tw_hold(&s->rows[g], type, width, s->br * each, on_cpus ? -1 : g);
        if (!e) e = tw_hold(&s->cols[g], type, s->ld, n, on_cpus ? -1 : g);
    }
    if (e) tw_fft_spread_free(s);
    return e;
}

void tw_fft_spread_free(struct tw_fft_spread *s)
{
    for (int g = 0; g < s->gpus; g++) {
        tw_let_go(&s->rows[g]);
        tw_let_go(&s->cols[g]);
    }
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

struct work {
    struct tw_buffer *rows, *cols;  /* a part each */
    struct tw_fft_transfer *pieces; /* gpus of each part that is sent, then of each that is sent for */
    struct tw_data **computed, **sent,
        **fetched;          /* tokens: of a part; of a first part that left; of what a GPU sends for a part */
    struct tw_data **after; /* room for what a part waits for */
    int first;              /* parts of a GPU that leave as soon as they are computed */
};

/* As many as end soonest. Times are in units of the one in which a part leaves, and of it computing takes a share that
 * falls with the number of GPUs that it leaves to (measured on four H200s: rows of 2^20 elements 0.57, columns of 2^10
 * elements 0.38). */
static int first_parts(const struct tw_fft_spread *s, int turned)
{
    const int each = s->parts / s->gpus;
    const double there = s->gpus > 1 ? s->gpus / (s->gpus - 1.0) : HUGE_VAL, rows = 0.43 * there,
                 columns = 0.285 * there, before = turned ? columns : rows, after = turned ? rows : columns;
    double least = HUGE_VAL;
    int best = 0;

    for (int first = 0; first < each && s->gpus > 1; first++) {
        const double others = fmax(each * before, before + first), /* when they begin to leave */
            end = fmax(others + (each - first) / (double)each + each * after, others + each - first + after);
        if (end < least) least = end, best = first;
    }
    return best;
}

int tw_fft_spread_tasks(const struct tw_fft_spread *s, int turned)
{
    return 3 * s->parts + s->gpus * first_parts(s, turned);
}

static int work_make(struct tw_sequence *seq, const struct tw_fft_spread *s, struct work *w)
{
    const size_t parts = (size_t)s->parts;

    *w = (struct work){.rows = calloc(parts, sizeof *w->rows),
                       .cols = calloc(parts, sizeof *w->cols),
                       .pieces = calloc(2 * parts * (size_t)s->gpus, sizeof *w->pieces),
                       .computed = calloc(parts, sizeof *w->computed),
                       .sent = calloc(parts, sizeof *w->sent),
                       .fetched = calloc(parts, sizeof *w->fetched),
                       .after = calloc(parts + (size_t)s->gpus, sizeof *w->after)};
    if (w->rows && w->cols && w->pieces && w->computed && w->sent && w->fetched && w->after)
        for (int k = 0; k < s->parts; k++)
            if (!(w->computed[k] = tw_data_token()) || !(w->sent[k] = tw_data_token()) ||
                !(w->fetched[k] = tw_data_token()))
                break;
    if (w->fetched && w->fetched[s->parts - 1]) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for %d tasks", tw_fft_spread_tasks(s, 0));
    return -1;
}

static void work_free(const struct tw_fft_spread *s, struct work *w)
{
    for (int k = 0; w->computed && w->sent && w->fetched && k < s->parts; k++) {
        tw_data_free_later(w->computed[k]);
        tw_data_free_later(w->sent[k]);
        tw_data_free_later(w->fetched[k]);
    }
    free(w->rows), free(w->cols), free(w->pieces), free(w->computed), free(w->sent), free(w->fetched), free(w->after);
}

/* What a part of the other kind waits for, in w->after: every first part, and what every GPU sends for it. */
static int all_that_comes(const struct tw_fft_spread *s, struct work *w, int part)
{
    const int each = s->parts / s->gpus;
    int n = 0;

    for (int g = 0; g < s->gpus; g++) {
        for (int k = 0; k < w->first; k++)
            w->after[n++] = w->sent[g * each + k];
        w->after[n++] = w->fetched[g * each + part % each];
    }
    return n;
}

/* One part of the rows, of all columns. */
static void rows(struct tw_sequence *seq, const struct tw_fft_spread *s, struct work *w, const struct tw_fft_rows *r,
                 int i, int second)
{
    const tw_int from = limit(s->n, s->br, i), to = limit(s->n, s->br, i + 1);
    struct tw_buffer *b = &w->rows[i];

    if (from == to) return;
    *b = (struct tw_buffer){
        .ptr = in_rows(s, gpu_of(s, i), from, 0), .m = (int)s->width, .n = (int)(to - from), .ld = (int)s->width};
    tw_task_fft_rows_at(seq, r,
                        &(struct tw_fft_at){.at = b,
                                            .nin = 1,
                                            .done = w->computed[i],
                                            .after = w->after,
                                            .nafter = second ? all_that_comes(s, w, i) : 0,
                                            .place = place(s, i),
                                            .index = i,
                                            .priority = !second});
}

/* One part of the columns, of all rows. */
static void columns(struct tw_sequence *seq, const struct tw_fft_spread *s, struct work *w, const struct tw_fft_cols *c,
                    int j, int second)
{
    const tw_int from = limit(s->width, s->bc, j), to = limit(s->width, s->bc, j + 1);
    struct tw_buffer *b = &w->cols[j];

    if (from == to) return;
    *b = (struct tw_buffer){
        .ptr = in_cols(s, gpu_of(s, j), 0, from), .m = (int)(to - from), .n = (int)s->n, .ld = (int)s->ld};
    tw_task_fft_cols_at(seq, c, from,
                        &(struct tw_fft_at){.at = b,
                                            .nin = 1,
                                            .done = w->computed[j],
                                            .after = w->after,
                                            .nafter = second ? all_that_comes(s, w, j) : 0,
                                            .place = place(s, j),
                                            .index = j,
                                            .priority = !second});
}

/* Parts [begin, end) of the rows of `from` (or, the other way, of its columns) to all GPUs: for all parts of their
 * columns, or, where there is only `part` of theirs to be sent for, for that one of each. */
static void pieces_of(const struct tw_fft_spread *s, struct tw_fft_transfer *piece, int from, int begin, int end,
                      int part, int to_columns)
{
    const int each = s->parts / s->gpus;
    const tw_int b = to_columns ? s->br : s->bc, size = to_columns ? s->n : s->width, far = to_columns ? s->bc : s->br,
                 far_size = to_columns ? s->width : s->n;
    const size_t pitch_rows = s->size * (size_t)s->width, pitch_cols = s->size * (size_t)s->ld;

    for (int k = 0; k < s->gpus; k++) {
        const int to = (from + 1 + k) % s->gpus, first = to * each + (part < 0 ? 0 : part),
                  last = part < 0 ? (to + 1) * each : first + 1;
        const tw_int near0 = limit(size, b, from * each + begin), near1 = limit(size, b, from * each + end),
                     far0 = limit(far_size, far, first), far1 = limit(far_size, far, last);
        const tw_int r0 = to_columns ? near0 : far0, r1 = to_columns ? near1 : far1, c0 = to_columns ? far0 : near0,
                     c1 = to_columns ? far1 : near1;
        char *in_r = in_rows(s, to_columns ? from : to, r0, c0), *in_c = in_cols(s, to_columns ? to : from, r0, c0);

        piece[k] = (struct tw_fft_transfer){.to = to_columns ? in_c : in_r,
                                            .from = to_columns ? in_r : in_c,
                                            .to_pitch = to_columns ? pitch_cols : pitch_rows,
                                            .from_pitch = to_columns ? pitch_rows : pitch_cols,
                                            .width = s->size * (size_t)(c1 - c0),
                                            .rows = (size_t)(r1 - r0),
                                            .source = s->on_cpus ? 0 : from + 1,
                                            .target = s->on_cpus ? 0 : to + 1,
                                            .stores = from == to || s->peers};
    }
}

/* One of the first parts to all GPUs. */
static void send(struct tw_sequence *seq, const struct tw_fft_spread *s, struct work *w, int part, int to_columns)
{
    const int each = s->parts / s->gpus;
    struct tw_fft_transfer *piece = &w->pieces[part * s->gpus];

    pieces_of(s, piece, gpu_of(s, part), part % each, part % each + 1, -1, to_columns);
    tw_task_fft_transfer(seq, s->type, piece, s->gpus,
                         &(struct tw_fft_at){.done = w->sent[part],
                                             .after = &w->computed[part],
                                             .nafter = 1,
                                             .place = on_copy_stream(s, part),
                                             .index = part,
                                             .priority = 2});
}

/* What part `part` of every GPU needs of all the others that `from` has. */
static void send_for(struct tw_sequence *seq, const struct tw_fft_spread *s, struct work *w, int from, int part,
                     int to_columns)
{
    const int each = s->parts / s->gpus, task = from * each + part;
    struct tw_fft_transfer *piece = &w->pieces[(s->parts + task) * s->gpus];

    pieces_of(s, piece, from, w->first, each, part, to_columns);
    tw_task_fft_transfer(seq, s->type, piece, s->gpus,
                         &(struct tw_fft_at){.done = w->fetched[task],
                                             .after = &w->computed[from * each + w->first],
                                             .nafter = each - w->first,
                                             .place = on_copy_stream(s, task),
                                             .index = task,
                                             .priority = 2});
}

/* Parts in the order in which all GPUs have work at once. */
static int in_turn(const struct tw_fft_spread *s, int k)
{
    const int each = s->parts / s->gpus;
    return k % s->gpus * each + k / s->gpus;
}

void tw_fft_spread_transform(struct tw_sequence *seq, struct tw_fft_spread *s, struct tw_fft_rows *r,
                             struct tw_fft_cols *c, int turned)
{
    struct work w;

    r->gpus = c->gpus = s->on_cpus ? 0 : s->gpus;
    c->ld = s->ld;
    r->work = s->row_work;
    c->work = s->col_work;
    if (!r->work) tw_fft_rows_prepare(seq, r, s->br, s->n % s->br, 1, 1);
    if (!c->work) {
        tw_fft_cols_prepare(seq, c, s->bc, s->width % s->bc);
        tw_fft_transfer_prepare(seq);
    }
    if (!work_make(seq, s, &w)) {
        const int each = s->parts / s->gpus;
        w.first = first_parts(s, turned);
        for (int k = 0; k < s->parts; k++) {
            const int part = in_turn(s, k);
            if (turned)
                columns(seq, s, &w, c, part, 0);
            else
                rows(seq, s, &w, r, part, 0);
            if (part % each < w.first) send(seq, s, &w, part, !turned);
        }
        for (int k = 0; k < s->parts; k++)
            send_for(seq, s, &w, k % s->gpus, k / s->gpus, !turned);
        for (int k = 0; k < s->parts; k++) {
            const int part = in_turn(s, k);
            if (turned)
                rows(seq, s, &w, r, part, 1);
            else
                columns(seq, s, &w, c, part, 1);
        }
    }
    tw_loop_wait(seq); /* the tasks point to r, c and w */
    work_free(s, &w);
    if (tw_loop_status(seq)) return;
    s->row_work = r->work;
    s->col_work = c->work;
}

/* ---- to and from a host array ------------------------------------------------------------------------------------ */

void tw_fft_spread_travel(struct tw_sequence *seq, struct tw_fft_spread *s, char *host, int turned, int get)
{
    struct work w;

    if (!work_make(seq, s, &w)) {
        for (int k = 0; k < s->parts; k++) {
            const int part = in_turn(s, k), gpu = gpu_of(s, part);
            const tw_int r0 = turned ? 0 : limit(s->n, s->br, part), r1 = turned ? s->n : limit(s->n, s->br, part + 1),
                         c0 = turned ? limit(s->width, s->bc, part) : 0,
                         c1 = turned ? limit(s->width, s->bc, part + 1) : s->width;
            char *here = turned ? in_cols(s, gpu, r0, c0) : in_rows(s, gpu, r0, c0),
                 *there = host + s->size * (size_t)(r0 * s->width + c0);
            const size_t pitch_here = s->size * (size_t)(turned ? s->ld : s->width), pitch = s->size * (size_t)s->width;

            w.pieces[part] = (struct tw_fft_transfer){.to = get ? there : here,
                                                      .from = get ? here : there,
                                                      .to_pitch = get ? pitch : pitch_here,
                                                      .from_pitch = get ? pitch_here : pitch,
                                                      .width = s->size * (size_t)(c1 - c0),
                                                      .rows = (size_t)(r1 - r0),
                                                      .source = s->on_cpus || !get ? 0 : gpu + 1,
                                                      .target = s->on_cpus || get ? 0 : gpu + 1};
            tw_task_fft_transfer(
                seq, s->type, &w.pieces[part], 1,
                &(struct tw_fft_at){.done = w.sent[part], .place = on_copy_stream(s, part), .index = part});
        }
    }
    tw_loop_wait(seq);
    work_free(s, &w);
}
