/* The backward errors of a block column of solutions, and what is to be done about each: LAPACK's rules in ?gerfs. A
 * column that is to be corrected keeps its residual in R; one that is done gets zeros there, so that its correction is
 * none, and the weights of its forward error in F.
 *
 * Arguments  first: nothing was looked at before; most: corrections that are allowed; tiles: how many
 * Buffers    state  RW      k struct tw_refined
 *            X      R each  the solutions
 *            W      R each  |op(A)| |X| + |B|
 *            F      RW each
 *            R      RW each B - op(A) X */
#include <math.h>
#include <tilework/type.h>
#include "codelets/dense/column.h"
#include "types/dense/refine.h"

struct args {
    int first, most, tiles;
};

/* Column j of tile i of the part that begins at buffer `first`. */
static char *at(const struct tw_body *body, int part, int i, int j)
{
    const struct args *g = body->args;
    const struct tw_buffer *b = &body->buf[1 + part * g->tiles + i];
    return (char *)b->ptr + (size_t)j * (size_t)b->ld * tw_sizeof(body->type);
}
enum { X, W, F, RESIDUAL };

static void clear(const struct tw_body *body, int j)
{
    static const tw_scalar zero = {0, 0};
    const struct args *g = body->args;

    for (int i = 0; i < g->tiles; i++)
        TW_CPU(body)->laset('G', body->buf[1 + i].m, 1, zero, zero, at(body, RESIDUAL, i, j), body->buf[1 + i].m);
}

static void column(const struct tw_body *body, double nz, struct tw_refined *s, int j)
{
    const struct args *g = body->args;
    const double eps = tw_type_eps(body->type);

    s->last = g->first ? 3 : s->berr;
    s->berr = 0;
    if (g->first) s->steps = 0;
    for (int i = 0; i < g->tiles && s->berr == s->berr; i++) {
        const double part = TW_CPU(body)->berr(body->buf[1 + i].m, nz, at(body, RESIDUAL, i, j), at(body, W, i, j));
        if (!(part <= s->berr)) s->berr = part;
    }
    s->active = s->berr > eps && 2 * s->berr <= s->last && s->steps < g->most;
    if (s->active) {
        s->steps++;
        return;
    }
    s->xnorm = 0;
    for (int i = 0; i < g->tiles; i++) {
        const int m = body->buf[1 + i].m;
        s->xnorm = fmax(s->xnorm, TW_CPU(body)->max1(m, at(body, X, i, j)));
        TW_CPU(body)->ferr_weights(m, nz, at(body, RESIDUAL, i, j), at(body, W, i, j), at(body, F, i, j));
    }
    clear(body, j);
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_refined *s = body->buf[0].ptr;
    double nz = 1;

    for (int i = 0; i < g->tiles; i++)
        nz += body->buf[1 + i].m;
    for (int j = 0; j < body->buf[1].n; j++)
        if (g->first || s[j].active)
            column(body, nz, &s[j], j);
        else
            clear(body, j);
    return 0;
}

static struct tw_codelet codelet = {.name = "berr", .color = 0xBB7766, .rate = TW_RATE_MEMORY, .cpu = cpu};

void tw_task_berr(struct tw_sequence *seq, int priority, int first, int most, struct tw_data *state,
                  struct tw_data *const *x, struct tw_data *const *w, struct tw_data *const *f,
                  struct tw_data *const *r, int count)
{
    const struct args args = {first, most, count};
    struct tw_data *const *const part[] = {x, w, f, r};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "berr", 1 + 4 * count, few);
    int naccess = 1;

    if (!access) return;
    access[0] = (struct tw_access){state, TW_RW};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < count; i++)
            access[naccess++] = (struct tw_access){part[k][i], k < F ? TW_R : TW_RW};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = x[0]->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = x[0]->n,
                                     .coord = {x[0]->coord[0], x[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
