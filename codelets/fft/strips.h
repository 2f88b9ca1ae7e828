/* Tasks on arrays that lie in main memory, ordered by tokens: CPU only. What a task works with is described in structs
 * that live until the routine's tasks are done. */
#ifndef TW_CODELETS_FFT_STRIPS_H
#define TW_CODELETS_FFT_STRIPS_H
#include "codelets/fft/fft_tasks.h"

/* Elements, columns or steps from … to - 1 of what is described by a struct of the codelet's: the arguments of all of
 * these tasks. */
struct tw_fft_range {
    const void *what;
    tw_int from, to;
};
/* flops: of one element. done: written; after: read (nafter of them). */
void tw_fft_submit_range(struct tw_sequence *seq, struct tw_codelet *codelet, enum tw_type type,
                         const struct tw_fft_range *part, double flops, struct tw_data *done, int nafter,
                         struct tw_data *const *after);

/* Transforms along the `width` columns of an array, `block` of them to a task. `columns` describes all of them: w and
 * first are the task's, and so is what `in`, `out` and `table` have to be moved on by. */
struct tw_fft_strips {
    struct tw_fft_columns columns;
    tw_int width, block;
    double flops; /* of one column */
    enum tw_type type;
};
/* done: written; after: read. */
void tw_task_fft_strip(struct tw_sequence *seq, const struct tw_fft_strips *s, tw_int index, struct tw_data *done,
                       int nafter, struct tw_data *const *after);

/* A part of a chirp and of the array to be convolved with (struct tw_fft_chirp), the zeros in its middle included. */
struct tw_fft_chirps {
    struct tw_fft_chirp chirp; /* from and to are the task's */
    enum tw_type type;
};
void tw_task_fft_chirp(struct tw_sequence *seq, const struct tw_fft_chirps *c, tw_int from, tw_int to,
                       struct tw_data *done);

/* What comes before (fold) or after (unfold) the transform behind a real-to-real one. */
struct tw_fft_folds {
    struct tw_fft_fold fold; /* from and to are the task's */
    int after;
    enum tw_type type;
};
void tw_task_fft_fold(struct tw_sequence *seq, const struct tw_fft_folds *f, tw_int from, tw_int to,
                      struct tw_data *done);
#endif
