/* The band between the two stages of a symmetric eigenvalue problem. */
#ifndef TW_CODELETS_EIGEN_BAND_H
#define TW_CODELETS_EIGEN_BAND_H
#include "runtime/task/submit.h"

/* The lower band of a symmetric or hermitian matrix in main memory. Element (i, j), 0 <= i - j < ld, is a[(i - j) + j
 * ld], so a block of it is a dense column-major array of leading dimension ld - 1. Sub-diagonals up to number b are the
 * matrix'; the rest of the ld = 2 b rows is room for bulges, and 0 at the start. b is at most max(1, n - 1) here.
 *
 * A task on columns takes what tw_band_accesses says, and finds `a` in its body as the buffer of `memory`. Columns [k
 * width, (k + 1) width) are ordered by token[k], a data object without bytes; the memory itself is one object that all
 * tasks share (TW_R, though they write there), and stays in main memory, since no task on it has a CUDA body. */
struct tw_band {
    enum tw_type type;
    int n, b, ld;
    int width, segments;
    struct tw_data *memory; /* ld x n elements */
    struct tw_data **token;
};

/* All zeros. NULL: the sequence has failed, for want of memory. n >= 0, b >= 1. */
struct tw_band *tw_band_create(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b);
/* The same for an upper triangular matrix with b diagonals above the main one, the band of a singular value problem
 * (codelets/svd/): ld is 3 b, and element (i, j), -2 b < i - j < b, is a[(i - j + 2 b - 1) + j ld]. */
struct tw_band *tw_band_create_triangular(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b);
/* Given back once all submitted tasks have used it. NULL is allowed. */
void tw_band_free_later(struct tw_band *B);

/* The accesses of a task that reads (TW_R) or writes (TW_RW) columns first … last - 1: the memory, then the tokens.
 * Returns how many there are, at most tw_band_accesses_most; access may hold fewer columns' than all, so ask for no
 * more than `columns` said there. */
int tw_band_accesses(const struct tw_band *B, int first, int last, enum tw_mode mode, struct tw_access *access);
static inline int tw_band_accesses_most(const struct tw_band *B, int columns)
{
    return 1 + (columns + B->width - 1) / B->width + 1;
}

/* A tile of the matrix, whose first element is (row, column), from 0: what it has of the lower (or the upper)
 * triangle's kd diagonals beside the main one, and of that. */
void tw_task_band_enter(struct tw_sequence *seq, int priority, int lower, tw_int row, tw_int column, tw_int kd,
                        struct tw_data *tile, struct tw_band *B);
/* norm (a double): the largest |a_ij|, not finite if an element is not. And a factor for all elements. */
void tw_task_band_norm(struct tw_sequence *seq, int priority, struct tw_band *B, struct tw_data *norm);
void tw_task_band_scale(struct tw_sequence *seq, int priority, double factor, struct tw_band *B);
#endif
