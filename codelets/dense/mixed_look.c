/* Are solutions good enough? LAPACK's criterion in dsgesv: max |r| <= max |x| |A| eps sqrt(n) in every column, |A| in
 * the infinity-norm, |z| being |re| + |im|, or less than sqrt(n) (tw_mixed_limit). Without exchanges, where LAPACK has
 * no say, 2 eps or more.
 *
 * Arguments  n: the order; lost: how many; parts: how many block columns; limit: of the growth; 0: it is not looked at
 * Buffers    state  W       one struct tw_mixed
 *            anorm  R       one double, |A|
 *            info   R       one int64_t, of the factorization in single precision, or without exchanges
 *            amax   R       one double, the largest |a_ij|, and
 *            umax   R       one double, the largest |u_ij|: with a limit of the growth alone
 *            lost   R each  one double, 1 where a conversion met a number beyond single precision's
 *            x      R each  k doubles, max |x| of the columns of one block column
 *            r      R each  k doubles, max |r| */
#include <math.h>
#include "codelets/dense/column.h"
#include "types/dense/mixed.h"

struct args {
    int64_t n;
    double limit;
    int lost, parts;
};
enum { STATE, ANORM, INFO, AMAX, UMAX };

static int lists(const struct args *g)
{
    return g->limit > 0 ? UMAX + 1 : AMAX;
}

static int is_lost(const struct tw_body *body)
{
    const struct args *g = body->args;
    int lost = 0;

    for (int k = 0; k < g->lost; k++)
        lost |= *(const double *)body->buf[lists(g) + k].ptr != 0;
    return lost;
}

/* Too large: nothing that is made of U is to be believed. */
static void look_at_growth(const struct tw_body *body, struct tw_mixed *s)
{
    const struct args *g = body->args;
    const double a = *(const double *)body->buf[AMAX].ptr, u = *(const double *)body->buf[UMAX].ptr;

    s->growth = a != 0 ? u / a : 1;
    if (s->growth > g->limit) s->status = TW_MIXED_OVERFLOW;
    if (s->growth != s->growth) s->status = TW_MIXED_LOST;
}

static void look_at_columns(const struct tw_body *body, struct tw_mixed *s)
{
    const struct args *g = body->args;
    const double anorm = *(const double *)body->buf[ANORM].ptr, eps = tw_is_single(body->type) ? 0x1p-24 : 0x1p-53,
                 limit = anorm * eps * fmax(g->limit > 0 ? 2 : 0, tw_mixed_limit((double)g->n));

    for (int k = 0; k < g->parts; k++) {
        const struct tw_buffer *b = &body->buf[lists(g) + g->lost + k];
        const double *x = b->ptr, *r = b[g->parts].ptr;
        for (int j = 0; j < b->m * b->n; j++) {
            if (!isfinite(x[j]) || !isfinite(r[j])) s->status = TW_MIXED_LOST;
            if (s->status == TW_MIXED_LOST) return;
            if (r[j] > x[j] * limit) s->status = TW_MIXED_MORE;
            if (r[j] > s->berr * (anorm * x[j])) s->berr = r[j] / (anorm * x[j]);
        }
    }
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_mixed *s = body->buf[STATE].ptr;

    *s = (struct tw_mixed){TW_MIXED_GOOD, 0, 0};
    if (g->limit > 0) look_at_growth(body, s);
    if (is_lost(body))
        s->status = TW_MIXED_OVERFLOW;
    else if (*(const int64_t *)body->buf[INFO].ptr != 0)
        s->status = TW_MIXED_SINGULAR;
    else if (s->status == TW_MIXED_GOOD)
        look_at_columns(body, s);
    return 0;
}

static struct tw_codelet codelet = {.name = "mixed_look", .color = 0xBB7799, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_mixed_look(struct tw_sequence *seq, int priority, enum tw_type type, tw_int n, struct tw_data *state,
                        struct tw_data *anorm, struct tw_data *info, struct tw_data *const *lost, int nlost,
                        struct tw_data *const *x, struct tw_data *const *r, int parts, const struct tw_growth *growth)
{
    const struct args args = {n, growth ? growth->limit : 0, nlost, parts};
    const int first = lists(&args), naccess = first + nlost + 2 * parts;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "mixed_look", naccess, few);

    if (!access) return;
    access[STATE] = (struct tw_access){state, TW_W};
    access[ANORM] = (struct tw_access){anorm, TW_R};
    access[INFO] = (struct tw_access){info, TW_R};
    if (growth) access[AMAX] = (struct tw_access){growth->amax, TW_R};
    if (growth) access[UMAX] = (struct tw_access){growth->umax, TW_R};
    for (int k = 0; k < nlost; k++)
        access[first + k] = (struct tw_access){lost[k], TW_R};
    for (int k = 0; k < parts; k++) {
        access[first + nlost + k] = (struct tw_access){x[k], TW_R};
        access[first + nlost + parts + k] = (struct tw_access){r[k], TW_R};
    }
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = 1,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}
