/* What a block reflector is applied with, from V and tau alone: the clean copy of V's first tile, and the triangle T.
 *
 * V^H V is summed up over the tiles where T will be; then T is a triangular solve (kernels/dense/cpu/larft.c). Nothing
 * is gathered.
 *
 * Arguments  storev: 'C' V in a block column, 'R' V^H in a block row; tiles
 * Buffers    tau    R       k elements
 *            A      R each  the tiles; their first k columns ('C') or rows ('R') count
 *            front  W       the rows of V or columns of V^H in the first tile, with ones and zeros
 *            T      W       k x k, upper triangular, zeros below
 *            work   SCRATCH k x k elements */
#include "codelets/dense/strip.h"

static const tw_scalar zero = {0, 0}, one = {1, 0};

struct args {
    char storev;
    int tiles;
};
enum { TAU, TILES };

/* Tile i of V as products see it: the first one is the clean copy. */
static const struct tw_buffer *of_V(const struct tw_body *body, int i)
{
    const struct args *g = body->args;
    return &body->buf[i == 0 ? TILES + g->tiles : TILES + i];
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[TILES], *f = of_V(body, 0), *t = f + 1, *work = f + 2;
    const int columns = g->storev == 'C', k = t->m;

    TW_CPU(body)->lacpy(columns ? 'L' : 'U', f->m, f->n, a->ptr, (int)a->ld, f->ptr, (int)f->ld);
    TW_CPU(body)->laset(columns ? 'U' : 'L', f->m, f->n, zero, one, f->ptr, (int)f->ld);
    for (int i = 0; i < g->tiles; i++) {
        const struct tw_buffer *v = of_V(body, i);
        TW_CPU(body)->herk('U', columns ? tw_real_trans(body->type, 'C') : 'N', k, columns ? v->m : v->n, 1, v->ptr,
                           (int)v->ld, i > 0, t->ptr, (int)t->ld);
    }
    TW_CPU(body)->larft_finish(k, body->buf[TAU].ptr, t->ptr, (int)t->ld, work->ptr);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[TILES], *f = of_V(body, 0), *t = f + 1, *work = f + 2;
    const int columns = g->storev == 'C', k = t->m;
    int e = TW_CUDA(body)->lacpy(body->cuda, columns ? 'L' : 'U', f->m, f->n, a->ptr, (int)a->ld, f->ptr, (int)f->ld);

    if (!e) e = TW_CUDA(body)->laset(body->cuda, columns ? 'U' : 'L', f->m, f->n, zero, one, f->ptr, (int)f->ld);
    for (int i = 0; i < g->tiles && !e; i++) {
        const struct tw_buffer *v = of_V(body, i);
        e = TW_CUDA(body)->herk(body->cuda, 'U', columns ? tw_real_trans(body->type, 'C') : 'N', k,
                                columns ? v->m : v->n, 1, v->ptr, (int)v->ld, i > 0, t->ptr, (int)t->ld);
    }
    return e ? e : TW_CUDA(body)->larft_finish(body->cuda, k, body->buf[TAU].ptr, t->ptr, (int)t->ld, work->ptr);
}

static struct tw_codelet codelet = {
    .name = "larft", .color = 0xF0E442, .rate = TW_RATE_SYRK, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda), .urgent = 1};

void tw_task_larft(struct tw_sequence *seq, int priority, char storev, struct tw_data *const *tile, int count,
                   struct tw_data *tau, struct tw_data *front, struct tw_data *T)
{
    const struct args args = {storev, count};
    const int length = tw_strip_length(storev, tile, count), k = T->m;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "larft", TILES + count + 3, few);
    int naccess = TILES;

    if (!access) return;
    access[TAU] = (struct tw_access){tau, TW_R};
    for (int i = 0; i < count; i++)
        access[naccess++] = (struct tw_access){tile[i], TW_R};
    access[naccess++] = (struct tw_access){front, TW_W};
    access[naccess++] = (struct tw_access){T, TW_W};
    access[naccess++] = (struct tw_access){tw_scratch((size_t)k * (size_t)k * tw_sizeof(T->type)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = T->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_syrk(T->type, k, length),
                                     .m = k,
                                     .n = k,
                                     .k = length,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
