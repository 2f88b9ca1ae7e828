/* What of a least squares problem is between its two products, and what is left of the right-hand sides.
 *
 * divide   Arguments  s, rank: the caller's; k values; first row; rcond; exponent
 *          Buffers    C   RW  a tile of U^H B
 * lengths  Arguments  exponent
 *          Buffers    R   R   all rows of some right-hand sides
 *                     to  W   as many columns */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/svd_cpu.h"

struct divide_args {
    const double *s;
    int *rank;
    double rcond;
    int first, k, e;
};
struct lengths_args {
    int e;
};

static int divide(const struct tw_body *body)
{
    const struct divide_args *g = body->args;
    const struct tw_buffer *c = &body->buf[0];
    const double tol = g->rcond * g->s[0];

    if (g->rank) *g->rank = 0;
    for (int i = 0; g->rank && i < g->k; i++) /* a NaN counts as nothing */
        *g->rank += g->s[i] > tol;
    tw_svd_kernels[body->type]->divide_rows(c->m, c->n, g->first, g->s, tol, g->e, c->ptr, c->ld);
    return 0;
}

static int lengths(const struct tw_body *body)
{
    const struct tw_buffer *r = &body->buf[0], *to = &body->buf[1];

    tw_svd_kernels[body->type]->lengths(r->m, r->n, r->ptr, r->ld, ((const struct lengths_args *)body->args)->e, to->m,
                                        to->ptr, to->ld);
    return 0;
}

static struct tw_codelet
    codelet_divide = {.name = "gelsd_divide", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.3, .cpu = divide},
    codelet_lengths = {
        .name = "gelsd_lengths", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.3, .cpu = lengths};

void tw_task_divide_rows(struct tw_sequence *seq, int priority, tw_int first, tw_int k, const double *s, double rcond,
                         int e, int *rank, struct tw_data *C)
{
    const struct divide_args args = {s, rank, rcond, (int)first, (int)k, e};
    const struct tw_access access[] = {{C, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_divide,
                                     .type = C->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = priority,
                                     .size = tw_smallest(C->m, C->n, C->n),
                                     .coord = {C->coord[0], C->coord[1], -1, -1}});
}

void tw_task_lengths(struct tw_sequence *seq, int priority, int e, struct tw_data *R, struct tw_data *to)
{
    const struct lengths_args args = {e};
    const struct tw_access access[] = {{R, TW_R}, {to, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_lengths,
                                     .type = R->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(R->m, R->n, R->n),
                                     .coord = {R->coord[0], R->coord[1], -1, -1}});
}
