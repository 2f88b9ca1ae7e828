/* The reduction to Hessenberg form: a panel, and what it does to a block column behind it.
 *
 * gehrd_panel   Arguments  the panel
 *               Buffers    A     RW, then R each  block columns of all rows, from the panel's own on
 *                          tau   RW               all of them, a column
 *                          T, Y, V  W
 *                          work  SCRATCH
 * gehrd_update  Arguments  the panel; the tile's first column
 *               Buffers    V, T, Y  R
 *                          A        RW   a block column
 *                          work     SCRATCH  2 k x (columns of A) elements */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/gehrd_tasks.h"
#include "kernels/dense/cuda/one_stage.h"
#include "kernels/eigen/cpu/lahr2.h"
#include "kernels/eigen/cuda/lahr2.h" /* its table exists only in builds with CUDA */
#include "runtime/task/team.h"

static const tw_scalar zero = {0, 0}, one = {1, 0}, minus_one = {-1, 0};

struct panel_args {
    struct tw_gehrd_panel panel;
    int blocks;
};

_Static_assert((int)TW_GEHRD_PANEL_ON_GPU <= (int)TW_PANEL_MOST, "the GPU's kernel has room for a panel's columns");

/* What the kernels work on; at: the list of block columns. */
static struct tw_lahr2 lahr2_of(const struct tw_body *body, const struct tw_tile_at *at)
{
    const struct panel_args *g = body->args;
    const struct tw_buffer *tau = &body->buf[g->blocks], *t = tau + 1, *y = tau + 2, *v = tau + 3;

    return (struct tw_lahr2){.first = g->panel.first,
                             .columns = g->panel.columns,
                             .last = g->panel.last,
                             .width = g->panel.width,
                             .blocks = g->blocks,
                             .at_first = g->panel.first / g->panel.width * g->panel.width,
                             .at = at,
                             .v = v->ptr,
                             .y = y->ptr,
                             .t = t->ptr,
                             .tau = tw_at(body, tau, g->panel.first, 0),
                             .ldv = v->ld,
                             .ldy = y->ld,
                             .ldt = t->ld};
}

static int panel(const struct tw_body *body)
{
    const struct panel_args *g = body->args;
    struct tw_column c;
    int e = tw_column_begin(&c, body, 0, g->blocks);

    if (!e) {
        const struct tw_lahr2 p = lahr2_of(body, c.at);
        struct tw_team *team = tw_team_open(body, g->blocks);
        tw_lahr2_kernels[body->type]->panel(&p, team, body->buf[g->blocks + 4].ptr);
        tw_team_close(team);
    }
    tw_column_end(&c);
    return e;
}

/* The whole matrix is one block column there. */
static int panel_on_gpu(const struct tw_body *body)
{
    const struct tw_tile_at all = {body->buf[0].ptr, body->buf[0].ld};
    const struct tw_lahr2 p = lahr2_of(body, &all);

    return tw_lahr2_cuda[body->type](body->cuda, &p, body->buf[5].ptr);
}

struct update_args {
    struct tw_gehrd_panel panel;
    int column;
};

/* A - Y V^H, then (I - V T^H V^H) of that. */
static int update(const struct tw_body *body)
{
    const struct update_args *g = body->args;
    const struct tw_buffer *V = &body->buf[0], *T = &body->buf[1], *Y = &body->buf[2], *A = &body->buf[3];
    const int k = V->n, behind = g->panel.first + g->panel.columns, skip = tw_max(0, behind - g->column),
              n = A->n - skip, right = tw_min(n, g->panel.last - g->column - skip);
    const char adjoint = tw_real_trans(body->type, 'C');
    char *w = body->buf[4].ptr, *tw = w + (size_t)k * (size_t)A->n * tw_sizeof(body->type);
    void *below = tw_at(body, A, g->panel.first + 1, skip);

    if (right > 0)
        TW_STEP(TW_DO(body, gemm, 'N', adjoint, Y->m, right, k, minus_one, Y->ptr, Y->ld,
                      tw_at(body, V, g->column + skip - g->panel.first - 1, 0), V->ld, one, tw_at(body, A, 0, skip),
                      A->ld));
    TW_STEP(TW_DO(body, gemm, adjoint, 'N', k, n, V->m, one, V->ptr, V->ld, below, A->ld, zero, w, k));
    TW_STEP(TW_DO(body, gemm, adjoint, 'N', k, n, k, one, T->ptr, T->ld, w, k, zero, tw, k));
    return TW_DO(body, gemm, 'N', 'N', V->m, n, k, minus_one, V->ptr, V->ld, tw, k, one, below, A->ld);
}

/* Half of its flops wait for memory. */
static struct tw_codelet codelet_panel = {.name = "gehrd_panel",
                                          .color = 0xE69F00,
                                          .rate = TW_RATE_GEMM,
                                          .share = 0.05,
                                          .cpu = panel,
                                          .cuda = TW_CUDA_BODY(panel_on_gpu),
                                          .urgent = 1},
                         codelet_update = {.name = "gehrd_update",
                                           .color = 0x56B4E9,
                                           .rate = TW_RATE_GEMM,
                                           .cpu = update,
                                           .cuda = TW_CUDA_BODY(update)};

void tw_task_gehrd_panel(struct tw_sequence *seq, int priority, const struct tw_gehrd_panel *p,
                         struct tw_data *const *block, int blocks, struct tw_data *tau, struct tw_data *V,
                         struct tw_data *T, struct tw_data *Y)
{
    const struct panel_args args = {*p, blocks};
    const int rows = p->last - p->first - 1, most = tw_column_rounded(rows);
    const size_t work = p->place == TW_ON_CPUS ? tw_lahr2_work(V->type, most, p->columns, blocks)
                                               : tw_lahr2_cuda_work(V->type, most, p->last, p->columns);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gehrd_panel", blocks + 5, few);
    int naccess = 0;

    if (!access) return;
    for (; naccess < blocks; naccess++)
        access[naccess] = (struct tw_access){block[naccess], naccess ? TW_R : TW_RW};
    access[naccess++] = (struct tw_access){tau, TW_RW};
    access[naccess++] = (struct tw_access){T, TW_W};
    access[naccess++] = (struct tw_access){Y, TW_W};
    access[naccess++] = (struct tw_access){V, TW_W};
    access[naccess++] = (struct tw_access){tw_scratch(work), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_panel,
                                     .type = V->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flop_factor(V->type) * 2 * (double)rows * p->last * p->columns,
                                     .m = rows,
                                     .n = p->columns,
                                     .k = rows,
                                     .coord = {block[0]->coord[0], block[0]->coord[1], -1, -1},
                                     .place = p->place});
    if (access != few) free(access);
}

void tw_task_gehrd_update(struct tw_sequence *seq, int priority, const struct tw_gehrd_panel *p, tw_int column,
                          struct tw_data *V, struct tw_data *T, struct tw_data *Y, struct tw_data *A)
{
    const struct update_args args = {*p, (int)column};
    const size_t work = 2 * (size_t)V->n * (size_t)A->n * tw_sizeof(A->type);
    const struct tw_access access[] = {{V, TW_R}, {T, TW_R}, {Y, TW_R}, {A, TW_RW}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_update,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 5,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(A->type, Y->m + 2 * (double)V->m, A->n, V->n),
                                     .m = V->m,
                                     .n = A->n,
                                     .k = V->n,
                                     .coord = {A->coord[0], A->coord[1], -1, -1},
                                     .place = p->place});
}
