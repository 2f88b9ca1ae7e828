/* What a task's body, and a kernel, sees of a data object. */
#ifndef TW_RUNTIME_BASE_BUFFER_H
#define TW_RUNTIME_BASE_BUFFER_H
#include <stddef.h>

struct tw_buffer {
    void *ptr;
    int m, n, ld;  /* tiles; vectors have n = 1, ld = m */
    int count;     /* of matrices of a batch, else 1 */
    size_t stride; /* elements from one matrix of a batch to the next */
    size_t bytes;  /* of vectors and scratch */
    int shape[4];  /* the object's, of a family's own kind */
};
#endif
