/* The tasks of the FFT family. What a task works with is described in structs that live until the routine's tasks are done; a task's
 * own arguments are a pointer to one and a range. */
#ifndef TW_CODELETS_FFT_H
#define TW_CODELETS_FFT_H
#include "kernels/fft_cpu/kernels.h"
#include "runtime/submit.h"

/* One part of a transform that is one call of FFTW on the user's arrays, wherever they lie: CPU only. */
struct tw_fft_pass {
    const struct tw_fft_cpu_kernels *k;
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
/* done: written; after: read (may be NULL). Objects are signs only: data lie in main memory. */
void tw_task_fft_pass(struct tw_sequence *seq, const struct tw_fft_pass *p, tw_int index, struct tw_data *done,
                      int nafter, struct tw_data *const *after);

/* Rows of an array without gaps in the rows: each is transformed over all of its dimensions. */
struct tw_fft_rows {
    const struct tw_fft_cpu_kernels *k;
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
    tw_int n[3], pad_in, pad_out; /* sizes; the elements from one line of the last dimension to the next */
    size_t work;
};
/* Before tasks of `rows` rows (and of `last` rows, 0: none) in blocks like these are submitted. Without GPUs nothing has to be done. */
void tw_fft_rows_prepare(struct tw_sequence *seq, struct tw_fft_rows *r, tw_int rows, tw_int last, int nin, int nout);
void tw_task_fft_rows(struct tw_sequence *seq, const struct tw_fft_rows *r, int priority, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int row);

/* Columns: `in` are blocks one below another; `out` are blocks one below another, or (transposed) one beside another. nout = 0: in
 * place. */
struct tw_fft_cols {
    const struct tw_fft_cpu_kernels *k;
    const struct tw_fftw *plan;
    tw_int n, chunk, pitch;
    int transposed, sign;
    const struct tw_fft_roots *roots;
    double scale, flops; /* of one column */
    enum tw_type type;
    size_t work; /* for GPUs */
    /* CPU only: see struct tw_fft_columns */
    const char *table;
    tw_int ld_table;
    const struct tw_fftw *back;
};
/* Before tasks of w columns (and of `last` columns, 0: none) are submitted. */
void tw_fft_cols_prepare(struct tw_sequence *seq, struct tw_fft_cols *c, tw_int w, tw_int last);
void tw_task_fft_cols(struct tw_sequence *seq, const struct tw_fft_cols *c, int priority, tw_int first, int nin,
                      struct tw_data *const *in, int nout, struct tw_data *const *out, int column);

/* Between a real transform and the complex one of half the length: CPU only. */
struct tw_fft_half {
    const struct tw_fft_cpu_kernels *k;
    struct tw_fft_split split; /* from and to are the task's */
    int join;
    enum tw_type type;
};
void tw_task_fft_half(struct tw_sequence *seq, const struct tw_fft_half *h, tw_int from, tw_int to,
                      struct tw_data *done);

/* c = a b or a conj(b): CPU only. */
struct tw_fft_product {
    const struct tw_fft_cpu_kernels *k;
    const char *a, *b;
    char *c;
    int conjugate;
    double scale;
    enum tw_type type;
};
void tw_task_fft_product(struct tw_sequence *seq, const struct tw_fft_product *p, tw_int from, tw_int to,
                         struct tw_data *done);
#endif
