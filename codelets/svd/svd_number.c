/* What singular values alone say of a matrix: its norm, its condition, its rank.
 *
 * Arguments  what, k, rcond; value or rank: the caller's
 * Buffers    info  R   of the routine that found them
 *            S     RW  the values, a vector of k doubles, which that routine's tasks write past StarPU, before they
 *                      write info */
#include <math.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"

struct args {
    enum tw_svd_number what;
    int k;
    double rcond, *value;
    int *rank;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const double *s = body->buf[1].ptr;
    const int found = *(const int64_t *)body->buf[0].ptr == 0;

    switch (g->what) {
    case TW_SVD_NORM: *g->value = found ? s[0] : NAN; break;
    case TW_SVD_CONDITION: *g->value = found && s[g->k - 1] == 0 ? INFINITY : found ? s[0] / s[g->k - 1] : NAN; break;
    default:
        *g->rank = 0;
        for (int i = 0; found && i < g->k; i++)
            *g->rank += s[i] > g->rcond * s[0];
    }
    return 0;
}

static struct tw_codelet codelet = {
    .name = "svd_number", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.3, .cpu = cpu};

void tw_task_svd_number(struct tw_sequence *seq, int priority, enum tw_type type, enum tw_svd_number what, tw_int k,
                        double rcond, struct tw_data *info, struct tw_data *S, double *value, int *rank)
{
    const struct args args = {what, (int)k, rcond, value, rank};
    const struct tw_access access[] = {{info, TW_R}, {S, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = (double)k,
                                     .coord = {-1, -1, -1, -1}});
}
