/* What the codelets of divide and conquer share. */
#ifndef TW_CODELETS_EIGEN_LAED_BODIES_H
#define TW_CODELETS_EIGEN_LAED_BODIES_H
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/stedc_tasks.h"
#include "kernels/eigen/cpu/laed.h"
#include "kernels/eigen/cuda/laed_cuda.h"

#define TW_LAED(body)      tw_laed_kernels(tw_is_single((body)->type))
#define TW_CUDA_LAED(body) tw_cuda_laed_kernels(tw_is_single((body)->type))

/* How columns are cut into pieces: what a task's arguments keep of struct tw_dc_columns. */
struct tw_dc_shape {
    int rows, pieces, count, width, columns;
};
static inline struct tw_dc_shape tw_dc_shape(const struct tw_dc_columns *q)
{
    return (struct tw_dc_shape){q->rows, q->pieces, q->count, q->width, q->columns};
}
/* The columns that lie in a task's buffers from b on. */
static inline struct tw_merge_columns tw_dc_in(const struct tw_dc_shape *s, const struct tw_buffer *b)
{
    struct tw_merge_columns c = {.count = s->count, .width = s->width, .columns = s->columns, .rows = s->rows};
    for (int p = 0; p < s->pieces; p++)
        c.piece[p] = b[p].ptr, c.ld[p] = b[p].ld;
    return c;
}
static inline int tw_dc_accesses(const struct tw_dc_columns *q, struct tw_access *access)
{
    for (int p = 0; p < q->pieces; p++)
        access[p] = (struct tw_access){q->piece[p], TW_R};
    return q->pieces;
}
/* Of the first k columns, in blocks of `width`, those blocks that hold one of the `count` at[i]: window, the first and
 * how many; at becomes the places among these blocks' columns and those behind the first k. */
static inline void tw_dc_window(int k, int width, int count, int32_t *at, int32_t *window)
{
    int least = k, most = -1, before, formed;

    for (int i = 0; i < count; i++)
        if (at[i] < k) {
            least = (int)tw_min(least, at[i]);
            most = (int)tw_max(most, at[i]);
        }
    window[0] = most < 0 ? 0 : least / width;
    window[1] = most < 0 ? 0 : most / width + 1 - window[0];
    before = window[0] * width;
    formed = (int)tw_min(k, before + window[1] * width) - before;
    for (int i = 0; i < count; i++)
        at[i] -= at[i] < k ? before : k - formed;
}
static inline double tw_real_at(const struct tw_body *body, const struct tw_buffer *v, size_t i)
{
    return tw_is_single(body->type) ? (double)((const float *)v->ptr)[i] : ((const double *)v->ptr)[i];
}

/* A merge's columns, of one side, as laed3's and lasd3's bodies see them: `count` vectors of length k, whose elements
 * are to go to s; then their products with the halves' columns are made. The buffers are laed3.c's. */
struct tw_merge_vectors {
    int side, m, k, count;
    const void *z, *numbers;
    const int32_t *place;
    const void *delta;
    void *s;
};
struct tw_merge_vectors tw_merge_vectors(const struct tw_body *body);
int tw_merge_products(const struct tw_body *body);
void tw_submit_vectors(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, int side,
                       const struct tw_merge_head *head, int n1, struct tw_data *z, struct tw_data *plan,
                       struct tw_data *numbers, struct tw_data *delta, struct tw_data *top, struct tw_data *bottom,
                       struct tw_data *Q);
#endif
