/* Some singular values of a bidiagonal matrix by bisection (kernels/svd/cpu/golub_kahan.h): how many are wanted, the
 * values, and what is selected of values that LAPACK found.
 *
 * count   info    RW      becomes n if the matrix is not finite
 *         d, e    R       n; n - 1 or more
 *         found   W       two int64: the first wanted value, from the largest one on, and how many there are
 *         work    SCRATCH 2 n doubles
 * chain   info    RW      the same
 *         d, e    R
 *         chain   W       doubles: 2 n - 1, then the power and the bound; NaN in its place: the matrix is not finite
 * values  chain   R       the values go to the caller's array
 * select  info    R       other than 0: there are no values
 *         found   W       as above, of the caller's array, whose first ones become these */
#include <math.h>
#include <string.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/golub_kahan.h"

enum { GROUP = 32 }; /* values of a task: a pass counts at twice as many points at once */

static int is_finite(const struct tw_body *body, const struct tw_buffer *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(tw_is_single(body->type) ? (double)((const float *)x->ptr)[i] : ((const double *)x->ptr)[i]))
            return 0;
    return 1;
}
/* 0: it is not finite, and info says so. */
static int enter(const struct tw_body *body, double *chain, int *power, double *most)
{
    const struct tw_buffer *d = &body->buf[1], *e = &body->buf[2];

    if (!is_finite(body, d, d->m) || !is_finite(body, e, d->m - 1)) {
        tw_combine_info(body->buf[0].ptr, 0, d->m);
        return 0;
    }
    tw_gk_chain(d->m, tw_is_single(body->type), d->ptr, e->ptr, chain, power, most);
    return 1;
}

/* ---- how many ---------------------------------------------------------------------------------------------------- */

struct count_args {
    double low, high;
};

static int count(const struct tw_body *body)
{
    const struct count_args *g = body->args;
    const int n = body->buf[1].m;
    int64_t *found = body->buf[3].ptr;
    double *chain = body->buf[4].ptr, most;
    int power, below;

    found[0] = found[1] = 0;
    if (!enter(body, chain, &power, &most)) return 0;
    below = tw_gk_less(n, chain, most, ldexp(g->high, -power));
    found[0] = n - below;
    found[1] = tw_max(0, below - tw_gk_less(n, chain, most, ldexp(g->low, -power)));
    return 0;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static int chain(const struct tw_body *body)
{
    const struct tw_buffer *to = &body->buf[3];
    const int length = 2 * body->buf[1].m - 1;
    double *x = to->ptr;
    int power = 0;

    if (!enter(body, x, &power, x + length + 1)) x[length + 1] = NAN;
    x[length] = power;
    return 0;
}

struct values_args {
    double scale, *s;
    int first, count;
};

static int values(const struct tw_body *body)
{
    const struct values_args *g = body->args;
    const struct tw_buffer *x = &body->buf[0];
    const int length = x->m - 2;
    const double *numbers = x->ptr, most = numbers[length + 1];

    if (isnan(most)) {
        for (int i = 0; i < g->count; i++)
            g->s[i] = NAN;
        return 0;
    }
    tw_gk_values((length + 1) / 2, numbers, most, g->first, g->count, g->s);
    for (int i = 0; i < g->count; i++)
        g->s[i] = ldexp(g->s[i], (int)numbers[length]) * g->scale;
    tw_body_result(body, &(struct tw_buffer){.ptr = g->s, .m = g->count, .n = 1, .ld = g->count, .count = 1}, 1);
    return 0;
}

/* ---- of all values, descending ----------------------------------------------------------------------------------- */

struct select_args {
    struct tw_wanted wanted;
    tw_int k;
    double *s;
};

static int select_values(const struct tw_body *body)
{
    const struct select_args *g = body->args;
    int64_t *found = body->buf[1].ptr, first = 0, end = g->k;

    if (g->wanted.which == TW_INDICES) first = g->wanted.il - 1, end = g->wanted.iu;
    while (g->wanted.which == TW_INTERVAL && first < end && !(g->s[first] < g->wanted.vu))
        first++;
    while (g->wanted.which == TW_INTERVAL && end > first && !(g->s[end - 1] >= g->wanted.vl))
        end--;
    found[0] = first, found[1] = *(const int64_t *)body->buf[0].ptr == 0 ? end - first : 0;
    memmove(g->s, g->s + first, (size_t)found[1] * sizeof *g->s);
    return 0;
}

/* ---- submitting -------------------------------------------------------------------------------------------------- */

static struct tw_codelet codelet_count = {
    .name = "bdsvdx_count", .color = 0xBBBBBB, .rate = TW_RATE_TRI, .share = 0.05, .cpu = count, .urgent = 1};
static struct tw_codelet codelet_chain = {
    .name = "bdsvdx_chain", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = chain, .urgent = 1};
static struct tw_codelet codelet_values = {
    .name = "bdsvdx", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.1, .cpu = values};
static struct tw_codelet codelet_select = {
    .name = "gesvdx_select", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = select_values};

static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, enum tw_type type,
                   const void *args, size_t args_size, const struct tw_access *access, int naccess, double flops,
                   double size)
{
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = type,
                                     .args = args,
                                     .args_size = args_size,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = flops,
                                     .bytes = flops > 0 ? 0 : 16 * size,
                                     .size = size,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_bdsvdx_count(struct tw_sequence *seq, int priority, double low, double high, struct tw_data *d,
                          struct tw_data *e, struct tw_data *found, struct tw_data *info)
{
    const struct count_args args = {low, high};
    const struct tw_access access[] = {{info, TW_RW},
                                       {d, TW_R},
                                       {e, TW_R},
                                       {found, TW_W},
                                       {tw_scratch(2 * (size_t)d->m * sizeof(double)), TW_SCRATCH}};

    submit(seq, priority, &codelet_count, d->type, &args, sizeof args, access, 5, 16.0 * d->m, d->m);
}

size_t tw_bdsvdx_chain_length(int n)
{
    return 2 * (size_t)n + 1;
}
void tw_task_bdsvdx_chain(struct tw_sequence *seq, int priority, struct tw_data *d, struct tw_data *e,
                          struct tw_data *to, struct tw_data *info)
{
    const struct tw_access access[] = {{info, TW_RW}, {d, TW_R}, {e, TW_R}, {to, TW_W}};
    submit(seq, priority, &codelet_chain, d->type, NULL, 0, access, 4, 0, d->m);
}

void tw_task_bdsvdx_values(struct tw_sequence *seq, int priority, double scale, struct tw_data *from, int first,
                           int count_, double *s)
{
    for (int done = 0; done < count_; done += GROUP) {
        const struct values_args args = {scale, s + done, first + done, (int)tw_min(GROUP, count_ - done)};
        const struct tw_access access[] = {{from, TW_R}};
        /* some 60 passes, of which the first ones serve all; each step a division */
        submit(seq, priority, &codelet_values, TW_DOUBLE, &args, sizeof args, access, 1,
               4 * 60.0 * from->m * args.count, args.count);
    }
}

void tw_task_bdsvdx_select(struct tw_sequence *seq, int priority, const struct tw_wanted *wanted, tw_int k, double *s,
                           struct tw_data *found, struct tw_data *info)
{
    const struct select_args args = {*wanted, k, s};
    const struct tw_access access[] = {{info, TW_R}, {found, TW_W}};
    submit(seq, priority, &codelet_select, TW_DOUBLE, &args, sizeof args, access, 2, 0, (double)k);
}
