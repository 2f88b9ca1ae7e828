/* What routines of least squares share. */
#include "algorithms/dense/least_squares.h"
#include <float.h>
#include <math.h>

double tw_safe_scale(enum tw_type type, double norm)
{
    const int single = type == TW_FLOAT || type == TW_COMPLEX_FLOAT;
    const double small = single ? (double)FLT_MIN / (double)FLT_EPSILON : DBL_MIN / DBL_EPSILON;

    if (norm > 0 && norm < small) return small / norm;
    return norm > 1 / small && !isinf(norm) ? 1 / small / norm : 1;
}
void tw_copy_rows_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int overwrites)
{
    const int mt = (int)tw_min(from->mt, to->mt), priority = tw_priority(seq, 1, 1, 1);

    for (int j = 0; j < to->nt; j++)
        for (int i = 0; i < mt; i++) {
            struct tw_data *a = tw_tile(from, i, j), *b = tw_tile(to, i, j);
            const struct tw_block block = {.m = (int)tw_min(a->m, b->m), .n = b->n};
            tw_task_lacpy_block(seq, priority, &block, a, b, overwrites || block.m == b->m);
        }
}
