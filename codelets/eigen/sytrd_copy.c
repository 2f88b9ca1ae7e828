/* Copies between a matrix in LAPACK's storage and the objects of the one-stage reduction.
 *
 * sytrd_store     Arguments  panel; scale; the tile
 *                 Buffers    VWV   R   the panel's reflectors in its first k columns
 *                            d, e  R   of the whole matrix, real
 *                            A     RW  a tile of LAPACK's storage
 * sytrd_load      Arguments  panel; the tiles' places
 *                 Buffers    A     R each  tiles of a block column, one under the other
 *                            V     W   m x k, with ones and zeros; RW when not all of it is written
 * sytrd_leave     Arguments  uplo; scale; where to
 *                 Buffers    d, e  R
 * lacpy_reversed  Arguments  block
 *                 Buffers    A     R
 *                            B     W   RW when not all of it is written */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/sytrd_tasks.h"
#include "kernels/eigen/cpu/sytrd.h"
#include "kernels/eigen/cuda/sytrd.h" /* its table exists only in builds with CUDA */

/* ---- a panel to a tile ------------------------------------------------------------------------------------------- */

struct store_args {
    struct tw_sytrd_panel panel;
    struct tw_sytrd_tile tile;
    double scale;
};
static const void *from(const struct tw_body *body, int buffer, int first)
{
    return (const char *)body->buf[buffer].ptr + (size_t)first * tw_sizeof(tw_real_type(body->type));
}

static int store(const struct tw_body *body)
{
    const struct store_args *g = body->args;
    const struct tw_buffer *v = &body->buf[0], *a = &body->buf[3];
    const void *d = from(body, 1, g->panel.first), *e = from(body, 2, g->panel.first);

    if (body->cuda)
        return tw_sytrd_cuda[body->type]->store(body->cuda, &g->panel, &g->tile, v->ptr, v->ld, d, e, g->scale, a->ptr,
                                                a->ld);
    tw_sytrd_kernels[body->type]->store(&g->panel, &g->tile, v->ptr, v->ld, d, e, g->scale, a->ptr, a->ld);
    return 0;
}

static struct tw_codelet codelet_store = {
    .name = "sytrd_store", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = store, .cuda = TW_CUDA_BODY(store)};

void tw_task_sytrd_store(struct tw_sequence *seq, int priority, const struct tw_sytrd_panel *p, double scale,
                         struct tw_data *VWV, struct tw_data *d, struct tw_data *e, tw_int row, tw_int column,
                         struct tw_data *A)
{
    const struct store_args args = {*p, {(int)row, (int)column, A->m, A->n}, scale};
    const struct tw_access access[] = {{VWV, TW_R}, {d, TW_R}, {e, TW_R}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_store,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .m = A->m,
                                     .n = p->columns,
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

/* ---- tiles to reflectors ----------------------------------------------------------------------------------------- */

struct load_args {
    struct tw_sytrd_panel panel;
    int row, column, mb, count; /* where the first tile begins, its rows; how many */
};
_Static_assert(sizeof(struct load_args) <= TW_ARGS_MAX && sizeof(struct store_args) <= TW_ARGS_MAX,
               "arguments of a task");

static int load(const struct tw_body *body)
{
    const struct load_args *g = body->args;
    const struct tw_buffer *V = &body->buf[g->count];

    for (int i = 0; i < g->count; i++) {
        const struct tw_buffer *a = &body->buf[i];
        const struct tw_sytrd_tile t = {g->row + i * g->mb, g->column, a->m, a->n};
        if (body->cuda) {
            TW_STEP(tw_sytrd_cuda[body->type]->load(body->cuda, &g->panel, &t, a->ptr, a->ld, V->ptr, V->ld));
            continue;
        }
        tw_sytrd_kernels[body->type]->load(&g->panel, &t, a->ptr, a->ld, V->ptr, V->ld);
    }
    return 0;
}

static struct tw_codelet codelet_load = {
    .name = "sytrd_load", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = load, .cuda = TW_CUDA_BODY(load)};

void tw_task_sytrd_load(struct tw_sequence *seq, int priority, const struct tw_sytrd_panel *p, tw_int row,
                        tw_int column, int mb, struct tw_data *const *tile, int count, struct tw_data *V,
                        int overwrites)
{
    const struct load_args args = {*p, (int)row, (int)column, mb, count};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "sytrd_load", count + 1, few);

    if (!access) return;
    for (int i = 0; i < count; i++)
        access[i] = (struct tw_access){tile[i], TW_R};
    access[count] = (struct tw_access){V, overwrites ? TW_W : TW_RW};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_load,
                                     .type = V->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = count + 1,
                                     .priority = priority,
                                     .m = V->m,
                                     .n = V->n,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}

/* ---- d and e to the caller --------------------------------------------------------------------------------------- */

struct leave_args {
    char uplo;
    double scale, *d, *e;
};

static void reals(const struct tw_body *body, const void *x, int n, double *to)
{
    const struct leave_args *g = body->args;

    for (int i = 0; i < n; i++) /* rounded as the tiles' are */
        to[g->uplo == 'L' ? i : n - 1 - i] = tw_is_single(body->type)
                                                 ? (double)((float)g->scale * ((const float *)x)[i])
                                                 : g->scale * ((const double *)x)[i];
}
static int leave(const struct tw_body *body)
{
    const struct leave_args *g = body->args;
    const struct tw_buffer *d = &body->buf[0], *e = &body->buf[1];

    reals(body, d->ptr, d->m, g->d);
    reals(body, e->ptr, d->m - 1, g->e);
    return 0;
}

static struct tw_codelet codelet_leave = {
    .name = "sytrd_leave", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = leave};

void tw_task_sytrd_leave(struct tw_sequence *seq, int priority, char uplo, double scale, struct tw_data *d,
                         struct tw_data *e, double *to_d, double *to_e)
{
    const struct leave_args args = {uplo, scale, to_d, to_e};
    const struct tw_access access[] = {{d, TW_R}, {e, TW_R}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_leave,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = d->m,
                                     .coord = {-1, -1, -1, -1}});
}

/* ---- from the end ------------------------------------------------------------------------------------------------ */

struct reversed_args {
    struct tw_block block;
};

static int reversed(const struct tw_body *body)
{
    const struct tw_block *k = &((const struct reversed_args *)body->args)->block;
    const struct tw_buffer *A = &body->buf[0], *B = &body->buf[1];
    const void *a = tw_at(body, A, k->ai, k->aj);
    void *b = tw_at(body, B, k->bi, k->bj);

    if (body->cuda) return tw_sytrd_cuda[body->type]->reversed(body->cuda, k->m, k->n, a, A->ld, b, B->ld);
    tw_sytrd_kernels[body->type]->reversed(k->m, k->n, a, A->ld, b, B->ld);
    return 0;
}

static struct tw_codelet codelet_reversed = {.name = "lacpy_reversed",
                                             .color = 0xBBBBBB,
                                             .rate = TW_RATE_MEMORY,
                                             .cpu = reversed,
                                             .cuda = TW_CUDA_BODY(reversed)};

void tw_task_lacpy_reversed(struct tw_sequence *seq, int priority, const struct tw_block *block, struct tw_data *A,
                            struct tw_data *B, int overwrites)
{
    const struct reversed_args args = {*block};
    const struct tw_access access[] = {{A, TW_R}, {B, overwrites ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_reversed,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .m = block->m,
                                     .n = block->n,
                                     .coord = {B->coord[0], B->coord[1], -1, -1}});
}
