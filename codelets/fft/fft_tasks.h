/* The tasks of the FFT family. What a task works with is described in structs that live until the routine's tasks are
 * done; a task's own arguments are a pointer to one and a range. */
#ifndef TW_CODELETS_FFT_FFT_TASKS_H
#define TW_CODELETS_FFT_FFT_TASKS_H
#include "runtime/task/submit.h"
#include "types/fft/transforms.h"

/* Where task `index` of `parts` goes; parts = 0: in turns. */
static inline int tw_fft_place(int gpus, int parts, int index)
{
    if (gpus == 0) return TW_ON_CPUS;
    return TW_ON_GPU(parts ? (int)((long)index * gpus / parts) : index % gpus);
}

/* ---- plans.c --------------------------------------------------------------------------------------------------------
 * What tasks on CPUs need before, and what is too little for a task. type: TW_COMPLEX_FLOAT or TW_COMPLEX_DOUBLE. */

/* Plan (or find) a transform: NULL if FFTW refuses or memory is short. limit: seconds for this planning. Serialised. */
const struct tw_fftw *tw_fft_prepare(enum tw_type type, const struct tw_fftw_problem *p, double limit);
void tw_fft_release(enum tw_type type, const struct tw_fftw *plan); /* NULL is allowed */
/* Does p begin as FFTW's own arrays do? */
int tw_fft_aligned(enum tw_type type, const void *p);
void tw_fft_run(enum tw_type type, const struct tw_fftw *plan, const void *in, void *out);
/* Multiply count elements (reals), stride apart, by scale. */
void tw_fft_scale(enum tw_type type, tw_int count, tw_int stride, void *x, double scale);
/* a *= b, elementwise over complex arrays. */
void tw_fft_times(enum tw_type type, tw_int count, void *a, const void *b);
/* Tables of roots of unity: 0, or -1 without memory. */
int tw_fft_roots_prepare(struct tw_fft_roots *r, tw_int n);
void tw_fft_roots_release(struct tw_fft_roots *r);
/* What FFTW has learnt: malloc'ed text, or NULL; 0 if it is none; plans made so far in measuring modes: is there
 * something to save? */
char *tw_fft_wisdom_export(enum tw_type type);
int tw_fft_wisdom_import(enum tw_type type, const char *text);
int tw_fft_wisdom_planned(enum tw_type type);
const char *tw_fft_wisdom_version(enum tw_type type); /* of FFTW */

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

/* One part of a transform that is one call of FFTW on the user's arrays, wherever they lie: CPU only. */
struct tw_fft_pass {
    const struct tw_fftw *full, *rest; /* for `chunk` steps of the split loop, and for the last task's */
    const char *in;
    char *out;
    tw_int n, chunk;          /* of the split loop */
    size_t in_step, out_step; /* bytes from one step of the split loop to the next */
    double scale;
    int nlevels; /* what is scaled after a step: nested loops over reals, the innermost first */
    struct tw_fft_level {
        tw_int n, stride;
    } level[7];
    enum tw_type type;
    double flops; /* of one step */
};
/* done: written; after: read (may be NULL). Objects are tokens only: data lie in main memory. */
void tw_task_fft_pass(struct tw_sequence *seq, const struct tw_fft_pass *p, tw_int index, struct tw_data *done,
                      int nafter, struct tw_data *const *after);

/* run(what), which is one call of FFTW. */
void tw_task_fft_call(struct tw_sequence *seq, enum tw_type type, void (*run)(void *what), void *what, double flops);

/* Rows of an array without gaps in the rows: each is transformed over all of its dimensions. */
struct tw_fft_rows {
    const struct tw_fftw *many, *one; /* `chunk` rows at once, and one row */
    tw_int chunk, m_in, m_out;        /* rows per plan; elements of a row */
    tw_int ld_in, ld_out;
    double scale;
    tw_int scaled; /* reals of a row of out */
    double flops;  /* of one row */
    enum tw_type type;
    /* for GPUs */
    enum tw_fft_kind kind;
    int sign, rank, whole;        /* whole: nothing but these rows is the transform */
    enum tw_fft_r2r r2r[3];       /* real to real: then also on GPUs without gaps */
    tw_int n[3], pad_in, pad_out; /* sizes; the elements from one line of the last dimension to the next */
    size_t work;
    int gpus, parts; /* the `parts` tasks go to this many GPUs in order; 0: to CPUs */
};
/* Before tasks of `rows` rows (and of `last` rows, 0: none) in blocks like these are submitted. Without GPUs nothing
 * has to be done. */
void tw_fft_rows_prepare(struct tw_sequence *seq, struct tw_fft_rows *r, tw_int rows, tw_int last, int nin, int nout);
void tw_task_fft_rows(struct tw_sequence *seq, const struct tw_fft_rows *r, int priority, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int row);

/* Columns: `in` are blocks one below another; `out` are blocks one below another, or (transposed) one beside another.
 * nout = 0: in place. */
struct tw_fft_cols {
    const struct tw_fftw *plan;
    tw_int n, chunk, pitch;
    int transposed, sign;
    const struct tw_fft_roots *roots;
    double scale, flops; /* of one column */
    enum tw_type type;
    size_t work; /* for GPUs */
    int gpus, parts;
    tw_int ld; /* tw_task_fft_cols_at in place: elements from one row of the block to the next; 0: no gaps */
    /* CPU only: see struct tw_fft_columns */
    const char *table;
    tw_int ld_table;
    const struct tw_fftw *back;
};
/* Before tasks of w columns (and of `last` columns, 0: none) are submitted. */
void tw_fft_cols_prepare(struct tw_sequence *seq, struct tw_fft_cols *c, tw_int w, tw_int last);
void tw_task_fft_cols(struct tw_sequence *seq, const struct tw_fft_cols *c, int priority, tw_int first, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int column);

/* The same on memory that is held (tw_hold) or the user's: `at` are nin buffers and, unless in place, nout more (1 and
 * at most 1 + 16 of them), and live until the tasks are done. done: the token that it sets; after: those it waits for.
 * place: see runtime/task/submit.h. */
struct tw_fft_at {
    const struct tw_buffer *at;
    int nin, nout;
    struct tw_data *done;
    struct tw_data *const *after;
    int nafter, place, index, priority;
    const struct tw_move *moves; /* what of it lies in other memories than where it runs */
    int nmoves;
};
void tw_task_fft_rows_at(struct tw_sequence *seq, const struct tw_fft_rows *r, const struct tw_fft_at *t);
void tw_task_fft_cols_at(struct tw_sequence *seq, const struct tw_fft_cols *c, tw_int first, const struct tw_fft_at *t);

/* A stage of a long transform (types/fft/stage.h), on memory that is held; lives until its task is done. */
struct tw_fft_stage_task {
    const struct tw_fftw *plan;       /* CPU only: of n points, one transform */
    const struct tw_fft_roots *roots; /* CPU only: of the whole length */
    struct tw_fft_stage stage;
    const void *in;
    void *out;
    double flops;
    enum tw_type type;
};
void tw_task_fft_stage(struct tw_sequence *seq, const struct tw_fft_stage_task *s, const struct tw_fft_at *t);
/* 0 if one of the GPUs in use has too little shared memory for stages of n points. */
int tw_fft_stage_fits(enum tw_type type, tw_int n);
/* On GPUs before the first of n points. */
void tw_fft_stage_prepare(struct tw_sequence *seq, enum tw_type type, tw_int n);

/* Rectangles from anywhere to anywhere: `count` of them, which live until the tasks are done. On GPUs after
 * tw_fft_transfer_prepare. */
void tw_fft_transfer_prepare(struct tw_sequence *seq);
void tw_task_fft_transfer(struct tw_sequence *seq, enum tw_type type, const struct tw_fft_transfer *piece, int count,
                          const struct tw_fft_at *t);

/* Between a real transform and the complex one of half the length: CPU only. */
struct tw_fft_real_pairs {
    struct tw_fft_split split; /* from and to are the task's */
    int join;
    enum tw_type type;
};
void tw_task_fft_real_pairs(struct tw_sequence *seq, const struct tw_fft_real_pairs *h, tw_int from, tw_int to,
                            struct tw_data *done);

/* a *= b: CPU only. */
struct tw_fft_product {
    char *a;
    const char *b;
    enum tw_type type;
};
void tw_task_fft_product(struct tw_sequence *seq, const struct tw_fft_product *p, tw_int from, tw_int to,
                         struct tw_data *done);

/* A whole transform on one GPU. in, out: data objects, or both NULL and pointers into the GPU's memory. out == in: in
 * place. */
struct tw_fft_many {
    enum tw_type type;
    enum tw_fft_kind kind;
    enum tw_fft_r2r r2r[3];
    int nloops; /* real to real: the loops, with any strides; others: batch, idist, odist */
    tw_fft_dim loop[3];
    int sign, rank, in_place, dense, gpu;
    tw_int n[3], is[3], os[3], idist, odist, batch;
    size_t in_bytes, out_bytes, work;
    double scale, flops;
    const void *from; /* device arrays */
    void *to;
};
/* 0, or the sequence fails. */
int tw_fft_many_prepare(struct tw_sequence *seq, struct tw_fft_many *w);
void tw_task_fft_many(struct tw_sequence *seq, const struct tw_fft_many *w, struct tw_data *in, struct tw_data *out);
/* What memory p points to, and the GPU g that it is on (-1: none of those in use). Without GPUs everything is
 * pageable. */
enum tw_fft_memory { TW_FFT_PAGEABLE, TW_FFT_PINNED, TW_FFT_IN_GPU };
enum tw_fft_memory tw_fft_where(const void *p, int *gpu);

/* out(i, j) = in(i, j) for rectangles of the same elements, whole. */
void tw_task_fft_move(struct tw_sequence *seq, enum tw_type type, int place, struct tw_data *in, struct tw_data *out);
#endif
