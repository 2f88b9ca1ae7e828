/* P2P: the direct sums of a chunk's targets over the sources near them (U list; small cells of W and X lists, too).
 *
 * Buffers    results  W  nd x nf columns: of every charge vector the potential and, with nf = 4, its gradient
 *            targets  R  columns x, y, z
 *            sources  R  chunks: columns x, y, z, then one per charge vector */
#include <string.h>

#include "codelets/nbody/fmm_local.h"

struct sum {
    const struct tw_body *body;
    const struct tw_fmm *f;
    const struct tw_fmm_chunk *chunk;
};

/* The sources of leaves [begin, end), all of one chunk, on the targets of a leaf. */
static void leaves(const struct sum *x, const struct tw_fmm_cell *to, int begin, int end)
{
    const struct tw_fmm *f = x->f;
    const struct tw_fmm_cell *first = &f->tree.cell[f->tree.leaf[begin]], *last = &f->tree.cell[f->tree.leaf[end - 1]];
    const int chunk = f->chunk_of[begin];

    if (last->send == first->sbegin) return;
    const struct tw_buffer *s = tw_fmm_used(x->body, 2, chunk), *t = &x->body->buf[1];
    const double *sx = (const double *)s->ptr + (first->sbegin - f->chunk[chunk].sbegin),
                 *tx = (const double *)t->ptr + (to->tbegin - x->chunk->tbegin);
    for (int d = 0; d < f->nd; d++) {
        double *out[4];
        tw_fmm_results_in(f->nf, &x->body->buf[0], x->chunk->tbegin, to->tbegin, d, out);
        tw_nbody_cpu()->direct[1](&(struct tw_direct){
            .target = {tx, tx + t->ld, tx + 2 * (size_t)t->ld},
            .source = {sx, sx + s->ld, sx + 2 * (size_t)s->ld, sx + (size_t)(3 + d) * (size_t)s->ld},
            .pot = out[0],
            .grad = {out[1], out[2], out[3]},
            .nt = to->tend - to->tbegin,
            .ns = last->send - first->sbegin});
    }
}

static void visit(void *context, enum tw_fmm_kind kind, int target, int source)
{
    const struct sum *x = context;
    const struct tw_fmm *f = x->f;
    const struct tw_fmm_cell *b = &f->tree.cell[source];

    if (kind != TW_FMM_P2P) return;
    for (int k = b->leaf_begin, end; k < b->leaf_end; k = end) {
        end = (int)tw_min(b->leaf_end, f->chunk[f->chunk_of[k]].leaf_end);
        leaves(x, &f->tree.cell[target], k, end);
    }
}

static int cpu(const struct tw_body *body)
{
    const struct tw_fmm_args *g = body->args;
    const struct tw_fmm *f = g->f;
    const struct tw_buffer *out = &body->buf[0];
    struct sum x = {body, f, &f->chunk[g->id]};

    for (int k = 0; k < out->n; k++)
        memset((double *)out->ptr + (size_t)k * (size_t)out->ld, 0, (size_t)out->m * sizeof(double));
    for (int k = x.chunk->leaf_begin; k < x.chunk->leaf_end; k++) {
        const struct tw_fmm_cell *to = &f->tree.cell[f->tree.leaf[k]];
        if (to->tend > to->tbegin) tw_fmm_walk_leaf(&f->tree, f->tree.leaf[k], visit, &x);
    }
    return 0;
}

static struct tw_codelet codelet = {.name = "p2p", .color = 0xAA3377, .rate = TW_RATE_GEMM, .cpu = cpu};

void tw_task_fmm_p2p(struct tw_sequence *seq, int priority, const struct tw_fmm *f, int chunk,
                     struct tw_fmm_uses chunks, double flops)
{
    const struct tw_fmm_args args = {f, chunks, -1, chunk};
    tw_fmm_submit(seq, &codelet, priority, &args, f->result[chunk], TW_W, f->target[chunk], f->source, 0, flops);
}
