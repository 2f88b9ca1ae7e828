/* One large transform of one dimension in host memory (sixstep.c has the formulas) through the memories of one or
 * several GPUs, which hold all of it. On each GPU two pieces of memory: the parts as they arrive, which later hold the
 * parts that leave; and what lies between the halves, where the first half's kernels store their results, on whichever
 * GPU will need them.
 *
 *   for each part q of x's columns:   arrive(q), first(q)
 *   for each part r of y's columns:   second(r), leave(r)
 *
 * Parts arrive and leave one behind another on a stream of their own, so that the link has no pause; the transforms
 * hide behind it, but for the last first(q) and the first second(r). */
#include <stdlib.h>
#include "algorithms/fft/fft_plan.h"

/* Columns from … to - 1 of x or of y, which a GPU takes at once. */
struct part {
    tw_int from, to;
    int gpu;
    char *at; /* its memory there */
};

struct through {
    const struct tw_fft_sixstep *h;
    int gpus, on_cpus, nx, ny;
    struct part *x, *y; /* nx and ny of them */
    /* GPU g has columns first[g] … first[g + 1] - 1 of y, and of what lies between */
    tw_int first[TW_FFT_MAX_GPUS + 1];
    tw_int ld; /* from one row of what lies between to the next */
    struct tw_held slots[TW_FFT_MAX_GPUS], between[TW_FFT_MAX_GPUS];
    /* what lies between, on each GPU; in main memory, where CPU bodies want one array, beside each other */
    char *middle[TW_FFT_MAX_GPUS];
    struct tw_fft_transfer *move; /* of each part */
    struct tw_buffer *buffer;     /* 1 + gpus of each part */
    struct tw_data **token;       /* two of each part: it is there, and it is transformed; or the other way round */
};

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* On several GPUs, whose links have time to spare, what leaves first should be there soon: a quarter of a part, but no
 * shorter lines than the link likes. One GPU's would lose more by shorter lines. */
#define SHORTEST_LINE 32768
static tw_int sliver_of(tw_int w, size_t size)
{
    const tw_int least = SHORTEST_LINE / (tw_int)size;
    return tw_min(w, tw_max(least, w / 128 * 32));
}

/* `columns` columns on gpus GPUs, in parts of w, each GPU's first one cut into `sliver` and what is left of w. Returns
 * how many parts, which are stored if `part` is not NULL. first: where each GPU's begin; may be NULL. */
static int cut(tw_int columns, tw_int w, int gpus, tw_int sliver, struct part *part, tw_int *first)
{
    const tw_int parts = tw_fft_ceil(columns, w);
    int count = 0;

    for (int g = 0; g < gpus; g++) {
        const tw_int from = tw_min(columns, w * (g * parts / gpus)),
                     end = tw_min(columns, w * ((g + 1) * parts / gpus));
        if (first) first[g] = from, first[g + 1] = end;
        for (tw_int at = from, to; at < end; at = to) {
            to = tw_min(end, at == from ? at + sliver : from + (at - from) / w * w + w);
            if (part) part[count] = (struct part){.from = at, .to = to, .gpu = g};
            count++;
        }
    }
    return count;
}

/* Where each GPU's parts lie: one behind another. Returns the elements of the longest row of them. */
static tw_int lay_out(struct part *part, int count, tw_int rows, size_t size, char *const *base)
{
    size_t at[TW_FFT_MAX_GPUS] = {0}, most = 0;

    for (int k = 0; k < count; k++) {
        struct part *p = &part[k];
        if (base) p->at = base[p->gpu] + at[p->gpu];
        at[p->gpu] += size * (size_t)(rows * (p->to - p->from));
        if (at[p->gpu] > most) most = at[p->gpu];
    }
    return (tw_int)(most / size);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int hold(struct through *t, enum tw_type type)
{
    const struct tw_fft_sixstep *h = t->h;
    const size_t size = h->x.elemsize;
    const tw_int elements =
                     tw_max(lay_out(t->x, t->nx, h->x.rows, size, NULL), lay_out(t->y, t->ny, h->y.rows, size, NULL)),
                 lines = tw_fft_ceil(elements, 1 << 20);
    char *base[TW_FFT_MAX_GPUS];
    int e = 0;

    t->ld = t->on_cpus ? h->y.cols : 0;
    for (int g = 0; !t->on_cpus && g < t->gpus; g++)
        t->ld = tw_max(t->ld, t->first[g + 1] - t->first[g]);
    for (int g = 0; g < t->gpus && !e; g++) {
        e = tw_hold(&t->slots[g], type, 1 << 20, lines, t->on_cpus ? -1 : g);
        if (!e && (g == 0 || !t->on_cpus)) e = tw_hold(&t->between[g], type, t->ld, h->t.rows, t->on_cpus ? -1 : g);
        base[g] = t->slots[g].ptr;
        t->middle[g] = t->on_cpus ? (char *)t->between[0].ptr + size * (size_t)t->first[g] : t->between[g].ptr;
    }
    if (e) return e;
    (void)lay_out(t->x, t->nx, h->x.rows, size, base);
    (void)lay_out(t->y, t->ny, h->y.rows, size, base);
    return 0;
}

static int make(struct through *t, enum tw_type type)
{
    const struct tw_fft_sixstep *h = t->h;
    const tw_int sliver = t->gpus > 1 ? sliver_of(h->w2, h->y.elemsize) : h->w2;
    const size_t count = (size_t)(t->nx = cut(h->x.cols, h->w1, t->gpus, h->w1, NULL, NULL)) +
                         (size_t)(t->ny = cut(h->y.cols, h->w2, t->gpus, sliver, NULL, NULL));

    t->x = calloc(count, sizeof *t->x);
    t->move = calloc(count, sizeof *t->move);
    t->buffer = calloc(count * (size_t)(1 + t->gpus), sizeof *t->buffer);
    t->token = calloc(count * 2, sizeof *t->token);
    for (size_t k = 0; t->x && t->move && t->buffer && t->token && k < 2 * count; k++)
        if (!(t->token[k] = tw_data_token())) break;
    if (!t->token || !t->token[2 * count - 1]) return tw_fail(TW_E_MEMORY, "fft: no memory for %zu tasks", 2 * count);
    t->y = t->x + t->nx;
    (void)cut(h->x.cols, h->w1, t->gpus, h->w1, t->x, NULL);
    (void)cut(h->y.cols, h->w2, t->gpus, sliver, t->y, t->first);
    return hold(t, type);
}

static void drop(struct through *t)
{
    for (int k = 0; t->token && k < 2 * (t->nx + t->ny); k++)
        tw_data_free_later(t->token[k]);
    for (int g = 0; g < t->gpus; g++) {
        tw_let_go(&t->slots[g]);
        tw_let_go(&t->between[g]);
    }
    free(t->x), free(t->move), free(t->buffer), free(t->token);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

static int place(const struct through *t, const struct part *p, int beside)
{
    return t->on_cpus ? TW_ON_CPUS : beside ? TW_ON_COPY_STREAM(p->gpu) : TW_ON_GPU(p->gpu);
}

/* Between a part's memory, without gaps, and its columns of a host array. */
static void transfer(struct tw_sequence *seq, struct through *t, const struct part *p, const struct tw_fft_rectangle *a,
                     int arrives, struct tw_fft_transfer *move, struct tw_data *done, struct tw_data **after)
{
    const size_t size = a->elemsize, width = size * (size_t)(p->to - p->from), pitch = size * (size_t)a->ld;
    char *host = a->base + size * (size_t)p->from;

    *move = (struct tw_fft_transfer){.to = arrives ? p->at : host,
                                     .from = arrives ? host : p->at,
                                     .to_pitch = arrives ? width : pitch,
                                     .from_pitch = arrives ? pitch : width,
                                     .width = width,
                                     .rows = (size_t)a->rows,
                                     .source = t->on_cpus || arrives ? 0 : p->gpu + 1,
                                     .target = t->on_cpus || !arrives ? 0 : p->gpu + 1};
    tw_task_fft_transfer(seq, t->h->first.type, move, 1,
                         &(struct tw_fft_at){.done = done,
                                             .after = after,
                                             .nafter = after ? 1 : 0,
                                             .place = place(t, p, 1),
                                             .index = (int)(p - (arrives ? t->x : t->y)),
                                             .priority = arrives ? 0 : 2});
}

static void first_steps(struct tw_sequence *seq, struct through *t, int q)
{
    const struct tw_fft_sixstep *h = t->h;
    const struct part *p = &t->x[q];
    struct tw_buffer *b = &t->buffer[q * (1 + t->gpus)];
    struct tw_data **done = &t->token[q], **arrived = &t->token[t->nx + t->ny + q];
    struct tw_move moves[TW_FFT_MAX_GPUS];
    int nout = 0;

    transfer(seq, t, p, &h->x, 1, &t->move[q], *arrived, NULL);
    b[0] = (struct tw_buffer){
        .ptr = p->at, .m = (int)(p->to - p->from), .n = (int)h->x.rows, .ld = (int)(p->to - p->from)};
    for (int g = 0; g < t->gpus; g++)
        if (t->first[g + 1] > t->first[g]) {
            moves[nout] = (struct tw_move){t->on_cpus ? -1 : p->gpu, t->on_cpus ? -1 : g,
                                           (double)h->x.elemsize * (double)(p->to - p->from) *
                                               (double)(t->first[g + 1] - t->first[g])};
            b[1 + nout++] = (struct tw_buffer){.ptr = t->middle[g] + h->x.elemsize * (size_t)(p->from * t->ld),
                                               .m = (int)(t->first[g + 1] - t->first[g]),
                                               .n = (int)(p->to - p->from),
                                               .ld = (int)t->ld};
        }
    tw_task_fft_cols_at(seq, &h->first, p->from,
                        &(struct tw_fft_at){.at = b,
                                            .nin = 1,
                                            .nout = nout,
                                            .done = *done,
                                            .after = arrived,
                                            .nafter = 1,
                                            .place = place(t, p, 0),
                                            .index = q,
                                            .priority = 1,
                                            .moves = moves,
                                            .nmoves = nout});
}

static void last_steps(struct tw_sequence *seq, struct through *t, int r)
{
    const struct tw_fft_sixstep *h = t->h;
    const struct part *p = &t->y[r];
    struct tw_buffer *b = &t->buffer[(t->nx + r) * (1 + t->gpus)];
    struct tw_data **done = &t->token[t->nx + r], *left = t->token[2 * t->nx + t->ny + r];

    b[0] = (struct tw_buffer){.ptr = t->middle[p->gpu] + h->y.elemsize * (size_t)(p->from - t->first[p->gpu]),
                              .m = (int)(p->to - p->from),
                              .n = (int)h->t.rows,
                              .ld = (int)t->ld};
    b[1] = (struct tw_buffer){
        .ptr = p->at, .m = (int)(p->to - p->from), .n = (int)h->y.rows, .ld = (int)(p->to - p->from)};
    tw_task_fft_cols_at(seq, &h->second, p->from,
                        &(struct tw_fft_at){.at = b,
                                            .nin = 1,
                                            .nout = 1,
                                            .done = *done,
                                            .after = t->token,
                                            .nafter = t->nx,
                                            .place = place(t, p, 0),
                                            .index = r,
                                            .priority = 1});
    transfer(seq, t, p, &h->y, 0, &t->move[t->nx + r], left, done);
}

/* Every GPU's first part, then every GPU's second: their links work at the same time. */
static void in_turn(struct tw_sequence *seq, struct through *t, const struct part *part, int count,
                    void (*submit)(struct tw_sequence *seq, struct through *t, int index))
{
    for (int round = 0, done = 0; done < count; round++)
        for (int k = 0, nth = 0; k < count; k++) {
            nth = k > 0 && part[k].gpu == part[k - 1].gpu ? nth + 1 : 0;
            if (nth == round) submit(seq, t, k), done++;
        }
}

/* cuFFT's plans and the workspace, for parts of all widths that there are. */
static void prepare(struct tw_sequence *seq, struct tw_fft_cols *c, const struct part *part, int count)
{
    size_t most = 0;

    for (int k = 0; k < count; k++) {
        int known = 0;
        for (int l = 0; l < k; l++)
            known |= part[l].to - part[l].from == part[k].to - part[k].from;
        if (known) continue;
        tw_fft_cols_prepare(seq, c, part[k].to - part[k].from, 0);
        most = c->work > most ? c->work : most;
    }
    c->work = most;
}

starpu_pthread_mutex_t tw_fft_holding = STARPU_PTHREAD_MUTEX_INITIALIZER;

int tw_fft_sixstep_gpus(struct tw_sequence *seq, struct tw_fft_sixstep *h, int gpus, int on_cpus)
{
    struct through t = {.h = h, .gpus = gpus, .on_cpus = on_cpus};
    int e;

    starpu_pthread_mutex_lock(&tw_fft_holding);
    if (!(e = make(&t, h->first.type))) {
        prepare(seq, &h->first, t.x, t.nx);
        prepare(seq, &h->second, t.y, t.ny);
        in_turn(seq, &t, t.x, t.nx, first_steps);
        in_turn(seq, &t, t.y, t.ny, last_steps);
    }
    tw_loop_wait_own(seq);
    drop(&t);
    starpu_pthread_mutex_unlock(&tw_fft_holding);
    return e ? -1 : 2 * (t.nx + t.ny);
}
