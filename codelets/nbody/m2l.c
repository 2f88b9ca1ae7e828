/* M2L: local expansions of a group's cells from the multipole expansions of the cells that are well separated from them
 * (V list); zero where there are none. The group's lists are found here, sorted by class of direction, and translated
 * class by class.
 *
 * Buffers    L       W  the group's expansions
 *            groups  R  with the sources' expansions
 *            work    scratch: the kernel's, then the pairs */
#include <string.h>

#include "codelets/nbody/fmm_local.h"

enum { MOST = 189 }; /* cells of one level that touch the parent, not the cell */

struct found {
    const double *src;
    double *dst;
    unsigned char class, phi;
};
struct search {
    const struct tw_body *body;
    const struct tw_fmm *f;
    struct found *list;
    int n, count[64];
};

static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    struct search *s = context;
    const struct tw_fmm_tables *t = s->f->tables;
    const struct tw_fmm_cell *a = &s->f->tree.cell[target], *b = &s->f->tree.cell[source];

    (void)kind;
    const int way = 49 * (a->at[0] - b->at[0] + 3) + 7 * (a->at[1] - b->at[1] + 3) + a->at[2] - b->at[2] + 3;
    s->list[s->n++] =
        (struct found){tw_fmm_expansion(&s->f->tree, tw_fmm_used(s->body, 1, tw_fmm_group(s->f, source)), source),
                       tw_fmm_expansion(&s->f->tree, &s->body->buf[0], target), t->m2l_class[way], t->m2l_phi[way]};
    s->count[t->m2l_class[way]]++;
}

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    const struct tw_fmm *f = g->f;
    const struct tw_fmm_tables *t = f->tables;
    const struct tw_buffer *L = &body->buf[0];
    double *work = body->buf[1 + g->uses.n].ptr;
    struct tw_fmm_pair *pair = (struct tw_fmm_pair *)(work + t->work);
    struct search s = {body, f, (struct found *)(pair + MOST * TW_FMM_GROUP), 0, {0}};
    int begin, end, at[64], from = 0;

    memset(L->ptr, 0, (size_t)L->ld * (size_t)L->n * sizeof(double));
    tw_fmm_group_cells(f, g->level, g->id, &begin, &end);
    for (int c = begin; c < end; c++)
        tw_fmm_walk_cell(&f->tree, c, visit, &s);
    for (int k = 0; k < t->nm2l; from += s.count[k++])
        at[k] = from;
    for (int k = 0; k < s.n; k++)
        pair[at[s.list[k].class]++] = (struct tw_fmm_pair){s.list[k].src, s.list[k].dst, s.list[k].phi};
    for (int d = 0; d < f->nd; d++) {
        for (int k = 0; k < t->nm2l; k++)
            if (s.count[k])
                tw_nbody_cpu()->translate(t, t->rotation[t->m2l[k].rotation], t->shift[t->m2l[k].shift], s.count[k],
                                          pair + at[k] - s.count[k], work);
        for (int k = 0; k < s.n; k++)
            pair[k].src += t->stride, pair[k].dst += t->stride;
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "m2l", .color = 0x228833, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_m2l(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int level, int group,
                     struct tw_fmm_uses groups, double flops)
{
    const struct tw_fmm_args args = {f, groups, level, group};
    const size_t scratch = f->tables->work * sizeof(double) +
                           (size_t)MOST * TW_FMM_GROUP * (sizeof(struct tw_fmm_pair) + sizeof(struct found));
    tw_fmm_submit(seq, &codelet, priority, &args, f->L[group], TW_W, NULL, f->M, scratch, flops);
}
