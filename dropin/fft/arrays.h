/* Large arrays of fftw_malloc: remembered, and pinned from the first plan of Tilework's on that transforms them until
 * they are freed. Without, each transform on a GPU pins them anew. */
#ifndef TW_DROPIN_FFT_ARRAYS_H
#define TW_DROPIN_FFT_ARRAYS_H
#include <stddef.h>

/* Tilework's functions (runtime/data/data.h): 0, or -1 where nothing can be pinned. What is pinned is told by one
 * pointer. */
typedef int tw_pin_function(const void *base, size_t bytes, void **pinned);
typedef void tw_unpin_function(void **pinned);

void tw_arrays_remember(void *array, size_t bytes);
/* The one that `inside` lies in, if it is one of these. */
void tw_arrays_pin(const void *inside, tw_pin_function *pin);
/* Before it is freed. */
void tw_arrays_forget(void *array, tw_unpin_function *unpin);
/* In a forked child, which has no CUDA: nothing is unpinned there. */
void tw_arrays_fork(int in_child);
void tw_arrays_before_fork(void);
#endif
