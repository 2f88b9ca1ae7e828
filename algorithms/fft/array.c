/* Arrays that live on the GPUs between transforms, spread over all of them (spread.c): as rows (of all dimensions but
 * the first), or, after every second transform, as columns, as one exchange between the GPUs leaves them. On one GPU
 * the array is one block, on a machine without GPUs it lies in main memory. */
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/gate.h"

struct tw_fft_array {
    enum tw_type type;
    int rank, gpus;
    tw_int n[3], width; /* sizes; elements of a row */
    size_t bytes;
    int filled;                  /* it has a value: `set` was called, and nothing failed since */
    int turned;                  /* several GPUs have it as columns, not as rows */
    struct tw_fft_spread spread; /* several GPUs */
    struct tw_fft_grid block;    /* one GPU: one block */
    void *host;                  /* without GPUs */
    unsigned long start;         /* of the library, for which it was made: what it has on GPUs does not outlive that */
};

#define LOST "fft: the library was stopped since the array was made: it can only be destroyed"

static int lost(const struct tw_fft_array *a)
{
    return !tw_is_running() || a->start != tw_starts();
}

static int same_shape(const struct tw_fft_array *a, const struct tw_fft *p)
{
    const struct tw_fftw_problem *q = &p->problem;
    int same = a->type == p->type && a->rank == q->rank && q->kind == TW_FFT_C2C && q->nloops == 0;
    tw_int stride = 1;

    for (int d = q->rank - 1; same && d >= 0; stride *= q->dim[d--].n)
        same = a->n[d] == q->dim[d].n && q->dim[d].is == stride && q->dim[d].os == stride;
    return same;
}

/* Parts of a GPU's rows: the first one's transform and the last one's way to the others are what nothing hides. */
static int parts_of(size_t bytes, tw_int width, int gpus)
{
    int each = (int)tw_max(1, tw_min(8, (tw_int)(bytes >> 26) / gpus));

    /* parts of columns are multiples of 32: the last GPU shall have some, too */
    while (each > 1 && tw_fft_ceil(tw_fft_ceil(width, gpus * each), 32) * 32 * each * (gpus - 1) >= width)
        each--;
    return each;
}

/* ---- its life ---------------------------------------------------------------------------------------------------- */

static void make(struct tw_sequence *seq, void *args)
{
    struct tw_fft_array *a = args;
    int e = 0;

    if (a->gpus == 1)
        (void)tw_fft_grid_temporary(seq, &a->block, a->type, a->n[0], a->width, a->n[0], a->width);
    else
        e = tw_fft_spread_make(&a->spread, a->type, a->gpus, parts_of(a->bytes, a->width, a->gpus), 0, a->n[0],
                               a->width);
    if (e) tw_loop_fail(seq, e, "%s", tw_last_message());
}

int tw_fft_array_destroy(tw_fft_array *a)
{
    if (!a) return 0;
    if (lost(a)) { /* StarPU has given everything back */
        free(a->block.row);
        free(a->block.col);
    } else {
        tw_fft_grid_free(&a->block, 0);
        tw_fft_spread_free(&a->spread);
    }
    free(a->host);
    free(a);
    return 0;
}

int tw_fft_array_create(tw_fft_array **out, tw_fft *p)
{
    static const char name[] = "tw_fft_array_create";
    struct tw_fft_array *a;
    int e = 0;

    tw_clear_message();
    if (!out) return tw_illegal(name, 1, "NULL");
    *out = NULL;
    if (!p) return tw_illegal(name, 2, "NULL");
    TW_INSIDE int refused = tw_begin();
    if (refused) return refused;
    if (!(a = calloc(1, sizeof *a))) return tw_fail(TW_E_MEMORY, "%s: no memory", name);
    *a = (struct tw_fft_array){.type = p->type, .rank = p->problem.rank, .bytes = p->in_bytes, .gpus = tw_gpus()};
    a->start = tw_starts();
    a->width = 1;
    for (int d = 0; d < a->rank; d++) {
        a->n[d] = p->problem.dim[d].n;
        if (d > 0) a->width *= a->n[d];
    }
    if (!same_shape(a, p)) {
        free(a);
        return tw_fail(TW_E_UNSUPPORTED, "%s: the plan is not one of a complex transform without gaps and batch", name);
    }
    /* one dimension stays on one GPU, and so does what several could not share evenly */
    if (a->gpus > 1 && (p->method != &tw_fft_by_slabs || a->n[0] < 4 * a->gpus || a->width < 32 * 4 * a->gpus))
        a->gpus = 1;
    if (a->gpus == 0) {
        if (posix_memalign(&a->host, 64, tw_max(64, a->bytes))) a->host = NULL;
        if (!a->host) e = tw_fail(TW_E_MEMORY, "%s: no memory for %zu bytes", name, a->bytes);
    } else if (!tw_fft_fits((a->gpus == 1 ? 2 : 3) * a->bytes, a->gpus)) {
        e = tw_fail(TW_E_MEMORY, "%s: an array of %zu bytes and its workspace do not fit on %d GPUs", name, a->bytes,
                    a->gpus);
    } else {
        e = tw_call("fft_array", make, a, 0);
    }
    if (e)
        tw_fft_array_destroy(a);
    else
        *out = a;
    return e;
}

#define EMPTY "fft: the array has no value: tw_fft_array_set was not called, or a transform of it failed"

/* ---- to and from a host array ------------------------------------------------------------------------------------ */

struct copy {
    struct tw_fft_array *a;
    char *host;
    int get;
};

static void copy(struct tw_sequence *seq, void *args)
{
    const struct copy *c = args;
    struct tw_fft_array *a = c->a;
    struct tw_fft_grid h = {0}, *g = &a->block;
    size_t size = tw_is_single(a->type) ? 8 : 16;

    tw_loop_wait(seq);
    if (a->gpus > 1) {
        tw_fft_spread_travel(seq, &a->spread, c->host, a->turned, c->get);
        return;
    }
    if (!tw_fft_grid_make(seq, &h, c->host, a->n[0], a->width, a->width, size, g->br, g->bc)) {
        tw_task_fft_move(seq, a->type, TW_ON_GPU(0), c->get ? g->row[0] : h.row[0], c->get ? h.row[0] : g->row[0]);
        if (c->get) tw_bring_home(seq, h.row[0]);
    }
    tw_loop_wait(seq);
    tw_fft_grid_free(&h, c->get);
}

/* A pageable array is pinned meanwhile, as those of tw_fft_execute. */
static int travel(const char *routine, struct copy *c)
{
    struct tw_pinned pinned;
    int e = tw_pin(c->host, c->a->bytes, &pinned);

    if (e) return tw_fail(TW_E_STATE, "%s: other transforms have pinned parts of the host array's pages", routine);
    e = tw_call(routine, copy, c, 0);
    tw_unpin(&pinned);
    return e;
}

int tw_fft_array_set(tw_fft_array *a, const void *host)
{
    struct copy c = {a, (char *)host, 0};
    int e = 0;

    if (!a) return tw_illegal("tw_fft_array_set", 1, "NULL");
    if (!host) return tw_illegal("tw_fft_array_set", 2, "NULL");
    TW_INSIDE int refused = tw_begin_running();
    if (refused || lost(a)) return tw_fail(TW_E_STATE, LOST);
    a->turned = 0;
    if (a->gpus)
        e = travel("fft_array_set", &c);
    else
        memcpy(a->host, host, a->bytes);
    a->filled = !e;
    return e;
}

int tw_fft_array_get(tw_fft_array *a, void *host)
{
    struct copy c = {a, host, 1};

    if (!a) return tw_illegal("tw_fft_array_get", 1, "NULL");
    if (!host) return tw_illegal("tw_fft_array_get", 2, "NULL");
    TW_INSIDE int refused = tw_begin_running();
    if (refused || lost(a)) return tw_fail(TW_E_STATE, LOST);
    if (!a->filled) return tw_fail(TW_E_STATE, EMPTY);
    if (a->gpus) return travel("fft_array_get", &c);
    memcpy(host, a->host, a->bytes);
    return 0;
}

/* ---- transforms -------------------------------------------------------------------------------------------------- */

struct call {
    struct tw_fft *plan;
    struct tw_fft_array *a;
};

static void exchange(struct tw_sequence *seq, struct tw_fft *p, struct tw_fft_array *a)
{
    struct tw_fft_rows r = tw_fft_rows_of(p, a->gpus);
    struct tw_fft_cols c = tw_fft_columns_of(p, a->width, p->scale, a->gpus);

    tw_fft_spread_transform(seq, &a->spread, &r, &c, a->turned);
    if (tw_loop_status(seq)) return;
    atomic_store(&p->tasks, tw_fft_spread_tasks(&a->spread, a->turned));
    a->turned = !a->turned;
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct call *c = args;
    struct tw_fft *p = c->plan;
    struct tw_fft_array *a = c->a;

    tw_loop_wait(seq);
    if (tw_loop_status(seq)) return;
    if (!a->filled) {
        tw_loop_fail(seq, TW_E_STATE, EMPTY);
        return;
    }
    atomic_store(&p->gpus, a->gpus);
    if (a->gpus > 1)
        exchange(seq, p, a);
    else
        tw_fft_one_gpu_block(seq, p, a->block.row[0]);
    a->filled = !tw_loop_status(seq); /* half transformed is nothing */
}

static int check(const char *routine, const struct tw_fft *p, const struct tw_fft_array *a)
{
    if (!p) return tw_illegal(routine, 1, "NULL");
    if (!a) return tw_illegal(routine, 2, "NULL");
    if (!same_shape(a, p) || (a->gpus > 1 && p->method != &tw_fft_by_slabs))
        return tw_illegal(routine, 2,
                          "it was made for another type or other sizes, or with another path, than the plan");
    return 0;
}

int tw_fft_array_execute(tw_fft *p, tw_fft_array *a)
{
    struct call c = {p, a};
    int e = check("tw_fft_array_execute", p, a);

    if (e) return e;
    TW_INSIDE int refused = tw_begin_running();
    if (refused || lost(a)) return tw_fail(TW_E_STATE, LOST);
    if (!a->filled) return tw_fail(TW_E_STATE, EMPTY);
    return a->gpus ? tw_call("fft", loop, &c, p->flops) : tw_fft_execute(p, a->host, a->host);
}

int tw_fft_array_execute_async(tw_fft *p, tw_fft_array *a, tw_sequence *seq)
{
    struct call c = {p, a};
    int e = check("tw_fft_array_execute_async", p, a);

    if (e) return e;
    TW_INSIDE int refused = tw_begin_running();
    if (refused || lost(a)) return tw_fail(TW_E_STATE, LOST);
    if (!seq) return tw_illegal("tw_fft_array_execute_async", 3, "NULL");
    if (!a->filled) return tw_fail(TW_E_STATE, EMPTY);
    return a->gpus ? tw_call_async(seq, "fft", loop, &c, sizeof c, p->flops)
                   : tw_fft_execute_async(p, a->host, a->host, seq);
}
