/* The real parts of a tile's diagonal, and where the first one is that is not positive.
 *
 * Arguments  first: where in d its first one goes
 * Buffers    A  R   m x n
 *            d  RW  doubles
 *            info RW one int64_t: first + its 1-based place on the diagonal, if it was 0 or larger */
#include "codelets/dense/dense_bodies.h"

struct args {
    int64_t first;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    double *d = (double *)body->buf[1].ptr + g->first;
    const int re = tw_is_complex(body->type) ? 2 : 1;
    int bad = 0;

    for (int i = 0; i < tw_min(a->m, a->n); i++) {
        const size_t at = (size_t)re * ((size_t)i + (size_t)i * (size_t)a->ld);
        d[i] = tw_is_single(body->type) ? (double)((const float *)a->ptr)[at] : ((const double *)a->ptr)[at];
        if (!(d[i] > 0) && !bad) bad = i + 1;
    }
    tw_combine_info(body->buf[2].ptr, g->first, bad);
    return 0;
}

static struct tw_codelet codelet = {.name = "lacpy_diagonal", .color = 0x66AAEE, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_lacpy_diagonal(struct tw_sequence *seq, int priority, struct tw_data *A, tw_int first, struct tw_data *d,
                            struct tw_data *info)
{
    const struct args args = {first};
    const struct tw_access access[] = {{A, TW_R}, {d, TW_RW}, {info, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .size = 1,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
