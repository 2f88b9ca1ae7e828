/* Near: the direct sums of a chunk's targets over the sources near them.
 *
 * Buffers    results  W  nd x nf columns: of every charge vector the potential and, if wanted, its gradient
 *            targets  R  columns x, y, z
 *            sources  R  chunks: columns x, y, z, then one per charge vector */
#include <string.h>

#include "codelets/nbody/series_local.h"

enum { BLOCK = 512 }; /* targets that are moved at a time, to meet an image */

struct sum {
    const struct tw_body *body;
    const struct tw_series *s;
    const struct tw_fmm_chunk *chunk;
};

/* Targets [from, from + n), at x (three columns, ld apart), and the sources of leaves [begin, end), all of one
 * chunk. */
static void leaves(const struct sum *u, const double *x, size_t ld, int from, int n, int begin, int end)
{
    const struct tw_series *s = u->s;
    const struct tw_fmm_tree *t = &s->tree;
    const struct tw_fmm_cell *first = &t->cell[t->leaf[begin]], *last = &t->cell[t->leaf[end - 1]];
    const int chunk = s->chunk_of[begin];

    if (last->send == first->sbegin) return;
    const struct tw_buffer *b = tw_series_used(u->body, 2, TW_SERIES_SOURCES, chunk);
    const double *sx = (const double *)b->ptr + (first->sbegin - s->chunk[chunk].sbegin);
    for (int d = 0; d < s->nd; d++) {
        double *out[4];
        tw_fmm_results_in(s->nf, &u->body->buf[0], u->chunk->tbegin, from, d, out);
        s->ops->p2p(s, &(struct tw_direct){
                           .target = {x, x + ld, x + 2 * ld},
                           .source = {sx, sx + b->ld, sx + 2 * (size_t)b->ld, sx + (size_t)(3 + d) * (size_t)b->ld},
                           .pot = out[0],
                           .grad = {out[1], out[2], out[3]},
                           .nt = n,
                           .ns = last->send - first->sbegin});
    }
}

static void chunks(const struct sum *u, const double *x, size_t ld, int from, int n, const struct tw_fmm_cell *source)
{
    const struct tw_series *s = u->s;
    for (int k = source->leaf_begin, end; k < source->leaf_end; k = end) {
        end = (int)tw_min(source->leaf_end, s->chunk[s->chunk_of[k]].leaf_end);
        leaves(u, x, ld, from, n, k, end);
    }
}

static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct sum *u = context;
    const struct tw_fmm_tree *t = &u->s->tree;
    const struct tw_fmm_cell *to = &t->cell[target], *from = &t->cell[tw_fmm_origin(t, source)];
    const struct tw_buffer *b = &u->body->buf[1];
    const double *x = (const double *)b->ptr + (to->tbegin - u->chunk->tbegin);
    const int nt = to->tend - to->tbegin;

    if (kind != TW_FMM_P2P) return;
    if (source < t->ncells) {
        chunks(u, x, (size_t)b->ld, to->tbegin, nt, from);
        return;
    }
    for (int i = 0; i < nt; i += BLOCK) { /* the sources stay, so the targets move the other way */
        double moved[3][BLOCK];
        const int n = (int)tw_min(BLOCK, nt - i);
        for (int axis = 0; axis < 3; axis++) {
            const double by = t->side * tw_fmm_image_shift(t, source, axis);
            for (int k = 0; k < n; k++)
                moved[axis][k] = x[(size_t)axis * (size_t)b->ld + (size_t)(i + k)] - by;
        }
        chunks(u, moved[0], BLOCK, to->tbegin + i, n, from);
    }
}

static int cpu(const struct tw_body *body)
{
    const struct tw_series_args *g = body->args;
    const struct tw_series *s = g->s;
    const struct tw_buffer *out = &body->buf[0];
    struct sum u = {body, s, &s->chunk[g->id]};

    for (int k = 0; k < out->n; k++)
        memset((double *)out->ptr + (size_t)k * (size_t)out->ld, 0, (size_t)out->m * sizeof(double));
    for (int k = u.chunk->leaf_begin; k < u.chunk->leaf_end; k++) {
        const struct tw_fmm_cell *to = &s->tree.cell[s->tree.leaf[k]];
        if (to->tend > to->tbegin) tw_fmm_walk_leaf(&s->tree, s->tree.leaf[k], visit, &u);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "series_near", .color = 0xAA3377, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_series_near(struct tw_sequence *seq, int priority, const struct tw_series *s, int chunk,
                         struct tw_series_uses uses, double flops)
{
    const struct tw_series_args args = {s, uses, -1, chunk};
    tw_series_submit(seq, &codelet, priority, &args, s->result[chunk], TW_W, s->target[chunk], 0, flops);
}
