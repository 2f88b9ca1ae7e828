/* What the files of algorithms/fft/ share. */
#ifndef TW_ALGORITHMS_FFT_FFT_PLAN_H
#define TW_ALGORITHMS_FFT_FFT_PLAN_H
#include <stdatomic.h>
#include <tilework/fft.h>
#include "codelets/fft/fft_tasks.h"
#include "runtime/base/threads.h"
#include "runtime/task/arrays.h"
#include "runtime/task/submit.h"

enum { TW_FFT_MAX_GPUS = 16 };

struct tw_fft_variant;
/* A method of computing transforms: all that the rest knows of it. Each has a file of its own; the order in which plans
 * try them is plan.c's list. */
struct tw_fft_method {
    const char *name; /* tw_fft_info.path */
    /* 1 if it can compute this transform; sets its part of the plan. */
    int (*suits)(struct tw_fft *p);
    /* The rest of the plan, which `free` gives up, made in part, too: 0 or an error. Both may be NULL. */
    int (*prepare)(struct tw_fft *p);
    void (*free)(struct tw_fft *p);
    /* Submit; on GPUs some wait until everything is in main memory. gpus: how many of them do it; 0: the CPUs. Sets
     * p->tasks. */
    void (*run)(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus);
    /* Whether several tasks do it on GPUs, or one task on one; NULL: always one. */
    int (*splits)(const struct tw_fft *p, const void *in, const void *out, int gpus);
    /* FFTW's plans for the caller's arrays: 1, or 0 if there is no memory; and from where to where they are applied:
     * all steps between the places, in bytes, or'ed. NULL: FFTW only sees the plan's own buffers. */
    int (*fill)(struct tw_fft *p, struct tw_fft_variant *v, int in_place, int aligned);
    size_t (*steps)(const struct tw_fft *p);
    size_t (*kept)(const struct tw_fft *p); /* bytes that it keeps beside tables and p->workspace_bytes; may be NULL */
    int two_factors;                        /* of p->columns' lengths, which tw_fft_info shows */
};
extern const struct tw_fft_method tw_fft_by_call, tw_fft_by_six_steps, tw_fft_by_slabs, tw_fft_by_passes,
    tw_fft_by_odd_length, tw_fft_by_bluestein, tw_fft_by_folding;

/* FFTW's plans for one way of being called: in place or not, with arrays as aligned as FFTW likes or not. */
struct tw_fft_variant {
    atomic_int ready;
    const struct tw_fftw *call;              /* tw_fft_by_call */
    const struct tw_fftw *many, *one;        /* tw_fft_by_slabs: rows */
    const struct tw_fftw *full[2], *rest[2]; /* tw_fft_by_passes */
};

/* One of the (at most two) passes of tw_fft_by_passes. */
struct tw_fft_pass_shape {
    struct tw_fftw_problem problem; /* the split loop is loop[0] */
    int from_out;                   /* works in place on `out` (1) or `in` (2) */
    tw_int chunk;
    size_t in_bytes, out_bytes; /* of an element of either side */
};

/* Transforms of length n along `chunk` columns, contiguous in a buffer, `pitch` complex elements apart. */
struct tw_fft_column_plan {
    tw_int n, chunk, pitch;
    const struct tw_fftw *plan;
};

struct tw_fft {
    enum tw_type type;              /* TW_COMPLEX_FLOAT or TW_COMPLEX_DOUBLE */
    struct tw_fftw_problem problem; /* the whole transform */
    enum tw_fft_norm norm;
    double time_limit, scale, flops;
    tw_int points, transforms;
    size_t in_bytes, out_bytes; /* that the arrays span */
    const struct tw_fft_method *method;
    int reproducible, can_be_in_place;
    struct tw_fft_variant variant[2][2]; /* in place, aligned */

    struct tw_fft_column_plan columns[2];  /* of length n[0] (and, six-step, n[1]) */
    struct tw_fft_roots roots, half_roots; /* six-step: of the complex length; real ones also: of the real length */
    struct tw_fft_rows rows;               /* slabs */
    tw_int nrows;
    int npasses;
    struct tw_fft_pass_shape pass[2];
    struct tw_fft_odd_length *odd;      /* odd_length.c */
    struct tw_fft_bluestein *bluestein; /* bluestein.c */
    struct tw_fft_folded *folded;       /* folded.c */
    struct tw_fft *each;                /* one_by_one.c: one transform of a batch; NULL: the method does it */

    starpu_pthread_mutex_t lock;
    void *workspace; /* kept between executions; NULL while one uses it */
    size_t workspace_bytes;
    atomic_int tasks;
    double cpu_seconds, gpu_seconds,
        both_seconds;              /* estimates of the latest execution on a machine with GPUs; 0: none */
    atomic_int gpus;               /* that the latest execution used */
    atomic_llong cpu_rows;         /* transforms of the batch that it left to the CPUs, if it used GPUs */
    struct tw_fft_shared {         /* what the latest shared executions took; hybrid.c */
        int runs, pinned;          /* for arrays that were, or were not */
        double cpu_each, gpu_each; /* as in struct tw_fft_speeds; 0: not measured */
    } shared;
    /* one_gpu.c: bytes of workspace on each GPU, out of place and in place; 0: not known yet */
    atomic_size_t one_gpu_work[TW_FFT_MAX_GPUS][2];
};

struct tw_fft_call {
    struct tw_fft *plan;
    const char *in;
    char *out;
};

/* ---- settings.c: options and variables; how many parts ----------------------------------------------------------- */
struct tw_fft_settings {
    enum tw_fft_norm norm;
    enum tw_fft_rigor rigor;
    enum tw_fft_path path;
    enum tw_fft_r2r r2r[3];
    double time_limit;
    int reproducible;
};
int tw_fft_settings_resolve(const char *routine, int argument, const tw_fft_options *o, struct tw_fft_settings *s);
/* Into how many parts work is cut on a machine without GPUs: several per core; the same everywhere in reproducible
 * mode. */
int tw_fft_parts(int reproducible);

/* ---- variants.c -------------------------------------------------------------------------------------------------- */
/* The plans for these arrays, made now if they are not there; NULL if FFTW has none (message set). */
const struct tw_fft_variant *tw_fft_variant_for(struct tw_fft *p, const void *in, const void *out);
/* A plan for `chunk` contiguous transforms of length n in a buffer: sets chunk and pitch. 0 or an error. */
int tw_fft_plan_columns(struct tw_fft *p, int which, tw_int n);
/* The same of any kind but R2R, for another place: real columns have the room of their half-complex side. */
int tw_fft_plan_column(struct tw_fft *p, struct tw_fft_column_plan *c, enum tw_fft_kind kind, tw_int n, int sign);
/* Give up all of FFTW's plans. */
void tw_fft_variants_free(struct tw_fft *p);

/* For methods' `fill`: FFTW's plan of q for the caller's arrays; NULL without memory. */
const struct tw_fftw *tw_fft_variant_plan(struct tw_fft *p, struct tw_fftw_problem *q, int in_place, int aligned);

/* ---- direct.c: at once, in this thread --------------------------------------------------------------------------- */
int tw_fft_call_now(struct tw_fft *p, const void *in, void *out);

/* ---- sixstep.c, slabs.c, for others ------------------------------------------------------------------------------ */
/* The largest divisor up to the square root, 0 if the two factors are too unlike for tasks along both; the plan's
 * workspace (NULL after a failure), which is given back when the routine's tasks are done, and of which a routine has
 * one: its stages use it one after another; the pass over pairs before (join) or after the complex transform behind a
 * real one, which returns the number of its tasks. */
tw_int tw_fft_divide(tw_int n);
void *tw_fft_workspace_take(struct tw_sequence *seq, struct tw_fft *p, int gpus);
int tw_fft_pairs(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int join, double scale);
/* 1: a batch that the slabs' rows are: each row a transform. */
int tw_fft_is_batch(const struct tw_fft *p);
/* Forward, product with the table, backward: `spectrum` may be `out`. Both plans are slabs; CPUs only. */
void tw_fft_filter_slabs(struct tw_sequence *seq, struct tw_fft *forward, struct tw_fft *backward, const char *table,
                         const char *in, char *spectrum, char *out);

/* What the tasks over rows and columns need, for other loops over them. */
struct tw_fft_rows tw_fft_rows_of(const struct tw_fft *p, int gpus);
struct tw_fft_cols tw_fft_columns_of(const struct tw_fft *p, tw_int width, double scale, int gpus);

/* ---- hybrid_share.c, hybrid.c: a batch of transforms in both places ---------------------------------------------- */
struct tw_fft_speeds {
    double cpu_start, cpu_each; /* seconds of the first tasks; of as many transforms as the CPUs do at once */
    tw_int cpu_at_once;
    double gpu_start, gpu_each; /* of one transform on all GPUs */
};
/* How many of 2 or more transforms the CPUs should take, at least one and not all, so that both are done soonest: after
 * *seconds. */
tw_int tw_fft_cpu_share(const struct tw_fft_speeds *s, tw_int rows, double *seconds);
/* A measured duration replaces the estimated one of a transform (or of as many as run side by side), smoothed. */
double tw_fft_learned(double before, double seconds, double start, tw_int rounds);
/* The last cpu_rows transforms on the CPUs, the others on GPUs, 0 < cpu_rows < p->nrows; waits. How many GPUs took
 * part: none if the arrays cannot be pinned. */
int tw_fft_hybrid(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpus, tw_int cpu_rows);

/* ---- place.c ----------------------------------------------------------------------------------------------------- */
/* How many GPUs should do it (0: the CPUs), by the estimates, which it sets, or by TILEWORK_FFT_PLACE; cpu_rows: how
 * many transforms of a batch the CPUs should do meanwhile. The library runs. */
int tw_fft_gpus(struct tw_fft *p, const void *in, const void *out, tw_int *cpu_rows);
/* What a shared batch begins with: when each place starts, and how many transforms the CPUs do side by side; no
 * speeds. */
struct tw_fft_speeds tw_fft_starts(const struct tw_fft *p);
/* Pageable arrays are pinned while GPUs use them: 0, or -1 if that cannot be; unpin both in either case. */
int tw_fft_pin(const void *in, size_t in_bytes, const void *out, size_t out_bytes, struct tw_pinned pinned[2]);
/* Into how many parts GPUs cut an array of so many bytes: a multiple of their number. line: the bytes of the lines that
 * are cut (0: none are); pieces of less than 64 KiB travel at eight to nine tenths of the link's speed. */
tw_int tw_fft_gpu_parts(size_t bytes, size_t line, int gpus);
/* Do so many bytes, spread evenly, fit the GPUs' memory? */
int tw_fft_fits(size_t bytes, int gpus);

/* ---- one_gpu.c --------------------------------------------------------------------------------------------------- */
/* Can one GPU transform these host arrays at once? */
int tw_fft_one_gpu_suits(const struct tw_fft *p, const void *in, const void *out);
/* 0, or -1 before anything was submitted: with cuFFT's workspace it does not fit. */
int tw_fft_one_gpu_host(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out);
/* A data object that holds the whole complex array, in place, on GPU 0. */
void tw_fft_one_gpu_block(struct tw_sequence *seq, struct tw_fft *p, struct tw_data *block);
/* Arrays on GPU number gpu. */
void tw_fft_one_gpu_device(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, int gpu);

/* ---- streamed.c: arrays larger than the GPUs' memory ------------------------------------------------------------- */
struct tw_fft_rectangle {
    char *base;
    tw_int rows, cols, ld;
    size_t elemsize;
};
/* One pass in parts of w columns (of `rows` rows) from in to out (columns: NULL, in place); waits for its end. How many
 * tasks. */
int tw_fft_stream_columns(struct tw_sequence *seq, struct tw_fft_cols *c, const struct tw_fft_rectangle *in,
                          const struct tw_fft_rectangle *out, tw_int w);
int tw_fft_stream_rows(struct tw_sequence *seq, struct tw_fft_rows *r, const struct tw_fft_rectangle *in,
                       const struct tw_fft_rectangle *out, tw_int rows);

/* ---- blocks.c: an array as a grid of data objects ---------------------------------------------------------------- */
struct tw_fft_grid {
    int nr, nc;           /* blocks */
    tw_int br, bc;        /* rows and columns of a block but the last */
    struct tw_data **row; /* block (i, j) at i * nc + j */
    struct tw_data **col; /* the same at j * nr + i */
    int homeless;         /* temporaries: only the GPUs have them */
};
/* Temporary blocks of complex elements, for an array of that shape. */
int tw_fft_grid_temporary(struct tw_sequence *seq, struct tw_fft_grid *g, enum tw_type type, tw_int rows, tw_int cols,
                          tw_int br, tw_int bc);
/* An array of `rows` rows of `cols` elements, ld apart, in blocks of br x bc. 0, or the sequence fails. */
int tw_fft_grid_make(struct tw_sequence *seq, struct tw_fft_grid *g, const void *base, tw_int rows, tw_int cols,
                     tw_int ld, size_t elemsize, tw_int br, tw_int bc);
/* After the task that writes `count` blocks, on the GPU of place `from`: each sets out to the GPU of the one of `parts`
 * tasks that reads it. Nothing on CPUs. */
void tw_fft_travel(struct tw_sequence *seq, int gpus, int parts, struct tw_data *const *block, int count, int from);
void tw_fft_grid_free(struct tw_fft_grid *g, int keep);
/* Columns, or rows, of a rectangle from `from` on, at most so many, as what a task works on. */
struct tw_buffer tw_fft_columns_at(const struct tw_fft_rectangle *a, tw_int from, tw_int w);
struct tw_buffer tw_fft_rows_at(const struct tw_fft_rectangle *a, tw_int from, tw_int count);
/* The same once the routine's tasks are done. */
void tw_fft_grid_finally(struct tw_sequence *seq, struct tw_fft_grid *g, int keep);
/* n tokens (tw_data_token), given back when the routine's tasks are done. 0, or the sequence fails. */
int tw_fft_tokens_make(struct tw_sequence *seq, int n, struct tw_data ***tokens);

/* ---- sixstep_gpus.c: one large transform through the memories of GPUs -------------------------------------------- */
/* The two halves of the six-step algorithm: x to t to y, in parts of w1 columns of x and w2 of y. */
struct tw_fft_sixstep {
    struct tw_fft_cols first, second;
    struct tw_fft_rectangle x, t, y; /* t.base: NULL if only the GPUs have it */
    tw_int w1, w2;
};
/* x and y are pinned, and every GPU can write to all others' memory. on_cpus: GPUs are pieces of main memory, for
 * tests. Waits for the end; how many tasks, or -1 before anything was submitted: it does not fit. */
int tw_fft_sixstep_gpus(struct tw_sequence *seq, struct tw_fft_sixstep *h, int gpus, int on_cpus);

/* One at a time of those that hold memory for a transform: two that hold half of what they need would wait for each
 * other. */
extern starpu_pthread_mutex_t tw_fft_holding;

/* ---- triple.c: one large transform through the memory of one GPU, in three stages -------------------------------- */
/* 1 if the GPUs have kernels for the stages: a power of two from 2^24 to 2^33 points. */
int tw_fft_triple_suits(const struct tw_fft *p);
/* in and out are pinned. on_cpus: the GPU is a piece of main memory, for tests, and any power of two from 8 on will do.
 * Waits for the end; how many tasks, or -1 before anything was submitted: it does not fit. */
int tw_fft_triple(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, double scale, int on_cpus);

/* ---- spread.c: an array spread over several GPUs, as rows or as columns ------------------------------------------ */
struct tw_fft_spread {
    enum tw_type type;
    size_t size; /* bytes of an element */
    /* parts / gpus to each, in order, of the rows and of the columns; the last ones may be smaller, or empty */
    int gpus, parts;
    int on_cpus;     /* "GPUs" are pieces of main memory: for tests */
    int peers;       /* GPUs reach each other's memory */
    tw_int n, width; /* rows and columns of the array */
    tw_int br, bc;   /* of a part */
    tw_int ld;       /* columns of a GPU: a row of `cols` */
    struct tw_held rows[TW_FFT_MAX_GPUS], cols[TW_FFT_MAX_GPUS];
    /* workspace of the tasks; 0: not asked for yet, which takes longer than small transforms */
    size_t row_work, col_work;
};
/* n rows of `width` elements over gpus GPUs in `each` parts, within a routine's loop: 0, or an error with the message
 * set. */
int tw_fft_spread_make(struct tw_fft_spread *s, enum tw_type type, int gpus, int each, int on_cpus, tw_int n,
                       tw_int width);
void tw_fft_spread_free(struct tw_fft_spread *s);
/* Tasks of a transform. */
int tw_fft_spread_tasks(const struct tw_fft_spread *s, int turned);
/* Rows, then columns, which leaves it turned: as columns; or, of an array that is turned, columns, then rows. Waits for
 * the end. */
void tw_fft_spread_transform(struct tw_sequence *seq, struct tw_fft_spread *s, struct tw_fft_rows *r,
                             struct tw_fft_cols *c, int turned);
/* From (get: to) a host array of `width` elements a row. Waits for the end. */
void tw_fft_spread_travel(struct tw_sequence *seq, struct tw_fft_spread *s, char *host, int turned, int get);

/* ---- product.c: a *= b, as tasks if the plan has some; 0 or an error ---- */
int tw_fft_multiply(struct tw_fft *plan, void *a, const void *b, tw_int count);

/* ---- wisdom.c ---------------------------------------------------------------------------------------------------- */
void tw_fft_wisdom_load(void);
/* NULL if the text of a file (length bytes, a 0 behind them) can be shown to FFTW from *wisdom on; else why not, and
 * whether it is of no use at all. */
const char *tw_fft_wisdom_fault(enum tw_type type, const char *text, size_t length, const char **wisdom, int *useless);

static inline tw_int tw_fft_ceil(tw_int a, tw_int b)
{
    return (a + b - 1) / b;
}
static inline int tw_fft_single(const struct tw_fft *p)
{
    return p->type == TW_COMPLEX_FLOAT;
}
#endif
