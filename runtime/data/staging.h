/* Staged matrices: over a user's array in pageable memory, but not in place. The tiles live on the GPUs; CPU workers
 * carry them there and back through a little pinned memory of their own (docs/memory.md). */
#ifndef TW_RUNTIME_DATA_STAGING_H
#define TW_RUNTIME_DATA_STAGING_H
#include <tilework/runtime.h>
#include "runtime/data/data.h"

struct tw_sequence;
struct tw_access;

/* ---- a matrix' life (matrix.c) ---------------------------------------------------------------------------------- */

/* 1 if a wrapped array is better staged than used in place: A's shape, base and lda are set, its tiles are not made
 * yet. */
int tw_staging_wanted(const struct tw_matrix *A);
/* The matrix' staging. NULL if there is no memory for it: the array can still be used in place. */
struct tw_staging *tw_staging_open(const struct tw_matrix *A);
/* Make tile (i, j) a staged one, registered by the caller without a home. */
void tw_staging_adopt(struct tw_staging *staging, const struct tw_matrix *A, struct tw_data *d);
/* Submit what brings these tiles in, if they are not; seq (NULL: none) waits for that and learns of failures. 0 or an
 * error. */
int tw_staging_bring_in(struct tw_sequence *seq, struct tw_data *tiles, size_t count);
/* The same for one tile whose handle is given to the user, who may write it at any time. */
int tw_staging_share(struct tw_data *d);
/* Submit what writes changed tiles to the array. Returns at once. */
void tw_staging_send_home(struct tw_data *tiles, size_t count);
/* The same, and wait until the array holds everything. 0, or the first error of any of the matrix' transfers. */
int tw_staging_settle(struct tw_staging *staging, struct tw_data *tiles, size_t count);
/* The array is about to be overwritten: wait for the tasks that use the tiles, then forget their content. */
void tw_staging_forget(struct tw_data *tiles, size_t count);
/* It has been: load again what the user may be looking at. */
int tw_staging_renew(struct tw_data *tiles, size_t count);
void tw_staging_close(struct tw_staging *staging);
/* When the library stops: give the pinned memory back. */
void tw_staging_stop(void);

/* ---- tasks (submit.c) -------------------------------------------------------------------------------------------- */

/* Before a task is submitted: bring in the staged tiles that it reads. 0, or an error that the sequence knows. */
int tw_staging_before(struct tw_sequence *seq, const struct tw_access *access, int naccess, int priority);
/* After it has been: they are there now, and changed if it writes them. */
void tw_staging_after(const struct tw_access *access, int naccess);
/* tw_bring_home for a staged tile. */
void tw_staging_home(struct tw_sequence *seq, struct tw_data *d);

/* ---- how one tile travels (staging_copy.c) ----------------------------------------------------------------------- */

struct tw_trip {
    char *array; /* the tile's place in the user's array */
    size_t lda, elemsize;
    char *tile;
    size_t ld;
    int m, first, last; /* rows; columns first … last - 1 travel */
    enum tw_uplo part;  /* of the tile: what is stored in it */
    int device;         /* CUDA device that holds the tile, -1: main memory */
};
/* Called from a CPU worker. NULL, or what went wrong. */
const char *tw_trip_in(const struct tw_trip *t);
const char *tw_trip_out(const struct tw_trip *t);
/* Slots and streams for every CPU worker; 0 if they are there. */
int tw_lanes_open(void);
void tw_lanes_close(void);
#endif
