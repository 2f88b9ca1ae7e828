/* B = A: all of it, one triangle, or a block of the one into a block of the other; or a block only if an info is 0.
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U'; block: its size, and where it begins in A and in B
 * Buffers    A     R   m x n
 *            B     W   m x n; RW when not all of it is written
 *            info  R   one int64_t; only with the condition */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
    struct tw_block block;
};

static size_t offset(const struct tw_body *body, const struct tw_buffer *b, int i, int j)
{
    return ((size_t)j * (size_t)b->ld + (size_t)i) * tw_sizeof(body->type);
}
#define FROM(body, g) ((char *)(body)->buf[0].ptr + offset(body, &(body)->buf[0], (g)->block.ai, (g)->block.aj))
#define TO(body, g)   ((char *)(body)->buf[1].ptr + offset(body, &(body)->buf[1], (g)->block.bi, (g)->block.bj))

#define INFO(body) ((body)->nbuf > 2 ? (const int64_t *)(body)->buf[2].ptr : NULL)

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    if (INFO(body) && *INFO(body) != 0) return 0;
    TW_CPU(body)->lacpy(g->uplo, g->block.m, g->block.n, FROM(body, g), body->buf[0].ld, TO(body, g), body->buf[1].ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    if (INFO(body))
        return TW_CUDA(body)->lacpy_if(body->cuda, INFO(body), g->block.m, g->block.n, FROM(body, g), body->buf[0].ld,
                                       TO(body, g), body->buf[1].ld);
    return TW_CUDA(body)->lacpy(body->cuda, g->uplo, g->block.m, g->block.n, FROM(body, g), body->buf[0].ld,
                                TO(body, g), body->buf[1].ld);
}

static struct tw_codelet codelet = {
    .name = "lacpy", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

static void submit(struct tw_sequence *seq, int priority, const struct args *args, struct tw_data *A, struct tw_data *B,
                   int overwrites, struct tw_data *info)
{
    const struct tw_access access[] = {{A, TW_R}, {B, overwrites ? TW_W : TW_RW}, {info, TW_R}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = args,
                                     .args_size = sizeof *args,
                                     .access = access,
                                     .naccess = info ? 3 : 2,
                                     .priority = priority,
                                     .size = tw_smallest(args->block.m, args->block.n, args->block.n),
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}

void tw_task_lacpy(struct tw_sequence *seq, int priority, char uplo, struct tw_data *A, struct tw_data *B)
{
    submit(seq, priority, &(struct args){uplo, {.m = A->m, .n = A->n}}, A, B, uplo == 'G', NULL);
}

void tw_task_lacpy_block(struct tw_sequence *seq, int priority, const struct tw_block *block, struct tw_data *A,
                         struct tw_data *B, int overwrites)
{
    submit(seq, priority, &(struct args){'G', *block}, A, B, overwrites, NULL);
}

void tw_task_lacpy_part(struct tw_sequence *seq, int priority, char uplo, const struct tw_block *block,
                        struct tw_data *A, struct tw_data *B, int overwrites)
{
    submit(seq, priority, &(struct args){uplo, *block}, A, B, overwrites, NULL);
}

void tw_task_lacpy_block_if(struct tw_sequence *seq, int priority, const struct tw_block *block, struct tw_data *A,
                            struct tw_data *B, struct tw_data *info)
{
    submit(seq, priority, &(struct args){'G', *block}, A, B, 0, info);
}
