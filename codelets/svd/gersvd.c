/* Randomised singular values: what was found, and whether that is near enough.
 *
 * Arguments  count, most, factor, scale, tol; s, rank, error: the caller's
 * Buffers    info     R   of the routine that found the values; not 0: they are NaN
 *            S        R   `count` values, doubles, written past StarPU before Z is
 *            lengths  R   a row of them
 *            norm     R   A's Frobenius norm, a factor and a sum of squares
 *            found    W   a struct tw_gersvd_found
 *            Z        R   hidden: a tile that is written once S is */
#include <math.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"

static double length(const struct tw_body *body, const struct tw_buffer *x, int j)
{
    const double *d = tw_at(body, x, 0, j);
    const float *f = tw_at(body, x, 0, j);
    return tw_is_single(body->type) ? (double)*f : *d;
}

/* What is left with so many of the values is the part outside the range and, in it, the values that are not taken: at
 * right angles; and no more than all of A. */
static double error_with(const struct tw_gersvd_wanted *g, const double *value, tw_int rank, double outside, double all)
{
    const double left = rank < g->count ? hypot(outside, value[rank] / g->scale) : outside;
    return left > all ? all : left; /* NaN stays */
}

static int cpu(const struct tw_body *body)
{
    const struct tw_gersvd_wanted *g = body->args;
    const struct tw_buffer *s = &body->buf[1], *lengths = &body->buf[2];
    const double *value = s->ptr, *norm = body->buf[3].ptr, all = norm[0] * sqrt(norm[1]) / g->scale;
    struct tw_gersvd_found *f = body->buf[4].ptr;
    double outside = 0;

    for (int j = 0; j < lengths->n; j++)
        if (!(length(body, lengths, j) <= outside)) outside = length(body, lengths, j);
    outside *= g->factor / g->scale;
    f->rank = tw_min(g->count, g->most);
    while (g->tol > 0 && f->rank > 0 && error_with(g, value, (tw_int)f->rank - 1, outside, all) <= g->tol)
        f->rank--;
    f->error = error_with(g, value, (tw_int)f->rank, outside, all);
    f->enough = !(g->tol > 0) || f->error <= g->tol || *(const int64_t *)body->buf[0].ptr != 0;
    for (tw_int i = 0; i < g->most; i++)
        g->s[i] = i < f->rank ? value[i] / g->scale : 0;
    *g->rank = (int)f->rank;
    *g->error = f->error;
    return 0;
}

static struct tw_codelet codelet = {
    .name = "gersvd_look", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.3, .cpu = cpu};

void tw_task_gersvd_look(struct tw_sequence *seq, int priority, const struct tw_gersvd_wanted *wanted,
                         struct tw_data *info, struct tw_data *S, struct tw_data *lengths, struct tw_data *norm,
                         struct tw_data *found, struct tw_data *Z)
{
    const struct tw_access access[] = {{info, TW_R}, {S, TW_R},     {lengths, TW_R},
                                       {norm, TW_R}, {found, TW_W}, {Z, TW_R}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = Z->type,
                                     .args = wanted,
                                     .args_size = sizeof *wanted,
                                     .access = access,
                                     .naccess = 6,
                                     .hidden = 1,
                                     .priority = priority,
                                     .size = (double)wanted->count,
                                     .coord = {-1, -1, -1, -1}});
}
