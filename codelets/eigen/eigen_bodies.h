/* What the codelets share. Most bodies are the same on both kinds of workers: a few of dense's kernels in a row. */
#ifndef TW_CODELETS_EIGEN_EIGEN_BODIES_H
#define TW_CODELETS_EIGEN_EIGEN_BODIES_H
#include "codelets/dense/column.h"
#include "codelets/eigen/eigen_tasks.h"

/* The kernel of the device that the body runs on; a status. Of kernels that both tables have with the same
 * parameters. */
#define TW_DO(body, kernel, ...)                                                                                       \
    ((body)->cuda ? TW_CUDA(body)->kernel((body)->cuda, __VA_ARGS__) : (TW_CPU(body)->kernel(__VA_ARGS__), 0))
/* Leave the body with the first status that is none. */
#define TW_STEP(call)                                                                                                  \
    do {                                                                                                               \
        const int step_ = (call);                                                                                      \
        if (step_) return step_;                                                                                       \
    } while (0)

/* A task on `count` pieces of a tall matrix, which it reads, and n others; its arguments are the number of pieces.
 * flops: of three products m x columns x k. */
struct tw_pieces_args {
    int pieces;
};
void tw_submit_pieces(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, struct tw_data *const *X,
                      int count, const struct tw_access *others, int n, tw_int m, tw_int columns, tw_int k);

/* Element (i, j) of a buffer. */
static inline void *tw_at(const struct tw_body *body, const struct tw_buffer *b, tw_int i, tw_int j)
{
    return (char *)b->ptr + ((size_t)i + (size_t)j * (size_t)b->ld) * tw_sizeof(body->type);
}
#endif
