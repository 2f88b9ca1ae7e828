/* Transforms whose stages work on arrays in main memory: real ones of odd length, and Bluestein's. */
#ifndef TW_ALGORITHMS_FFT_STRIPS_H
#define TW_ALGORITHMS_FFT_STRIPS_H
#include "algorithms/fft/fft_plan.h"
#include "codelets/fft/strips.h"

/* Memory to be freed with free(): large blocks in huge pages, which are there much sooner. NULL without memory. */
void *tw_fft_block(size_t bytes);
/* Memory beside the arrays: workspace and what the method keeps. */
size_t tw_fft_workspace_bytes(const struct tw_fft *p);

/* ---- one_by_one.c: sets p->each where a batch is better done one after another; 0 or an error -------------------- */
int tw_fft_one_by_one_prepare(struct tw_fft *p);
void tw_fft_one_by_one_info(struct tw_fft *p, tw_fft_info *info);
/* Transforms first … first + count - 1 of the batch, while the routine `whole` that they are a part of is sound. How
 * many tasks. */
int tw_fft_one_by_one(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out, tw_int first, tw_int count,
                      struct tw_sequence *whole);

/* ---- filter.c: the real filter that convolves, or correlates, with b. To be destroyed even after an error. ------- */
int tw_fft_filter_with(tw_fft_filter **filter, enum tw_type type, int rank, const tw_int *n, const void *b,
                       int correlate);

/* ---- strips.c: stages of transforms along columns ---------------------------------------------------------------- */
struct tw_fft_signs {
    int n;
    struct tw_data **token;
};
/* All columns of an array, stored as an array. */
struct tw_fft_strips tw_fft_strips_of(const struct tw_fft *p, const struct tw_fft_column_plan *c, tw_int width,
                                      const void *in, tw_int ld_in, void *out, tw_int ld_out);
/* Stored transposed, multiplied by powers of roots. */
void tw_fft_strips_twist(struct tw_fft_strips *s, const struct tw_fft_roots *roots, int sign);
/* Submit the stage, each task after all that `after` (or nothing: NULL) stands for. Returns the number of tasks; 0: the
 * sequence failed. */
int tw_fft_strips(struct tw_sequence *seq, const struct tw_fft_strips *s, const struct tw_fft_signs *after,
                  struct tw_fft_signs *done);
#endif
