/* Tiles that travel ahead of their tasks, and home when they are final. */
#ifndef TW_RUNTIME_DATA_TRAVEL_H
#define TW_RUNTIME_DATA_TRAVEL_H
#include "runtime/data/data.h"

struct tw_sequence;

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Do tiles travel to GPUs? As many GPUs as there are, 0; 1 where TILEWORK_GPU_TILES has loops act as if. */
int tw_travels(void);
/* How many of A's tiles the GPUs hold together; LONG_MAX if all of them, with room to spare, or if there are no
 * GPUs. */
long tw_gpu_tiles(const struct tw_matrix *A);
/* No task submitted from here on will use this tile for a while: a GPU may give its place to others first. */
void tw_done_with(struct tw_sequence *seq, struct tw_data *d);
/* Start to bring tile rows and columns from … to - 1 of a matrix to the GPUs: one after another they complete the
 * leading submatrices. Of all orders this one makes most work ready soonest (a factorization can do f^3 of its work
 * with f^2 of its data). */
void tw_fetch_ahead(struct tw_sequence *seq, struct tw_matrix *A, int from, int to);
/* The same for one tile; those of a lower turn travel first. */
void tw_fetch_tile(struct tw_sequence *seq, struct tw_data *d, int turn);
/* For a loop's beginning, of all the matrices (NULL: none) that it works on: 0 where that cannot help (no GPU, more
 * data than they hold, other tasks under way). */
int tw_fetch_helps(struct tw_sequence *seq, const struct tw_matrix *const *M, int count);
/* These tiles have their final value once the tasks submitted so far are done: bring them home as soon as they are
 * (no-op without GPUs, and for matrices that live on a GPU). 0, or -1 without memory: then they come home when they are
 * asked for, so that most callers need not look. */
int tw_bring_home(struct tw_sequence *seq, struct tw_data *d);
/* The same to the memory of GPU g, for a task there that waits for more than this. */
void tw_bring_to(struct tw_sequence *seq, struct tw_data *d, int g);
#pragma GCC visibility pop
#endif
