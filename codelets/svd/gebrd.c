/* The one-stage reduction to bidiagonal form: a panel of columns and rows, and what it does to a block column behind
 * it.
 *
 * gebrd_panel   Arguments  the panel
 *               Buffers    A                 RW, then R each  block columns of all rows, from the panel's own on
 *                          d, e, tauq, taup  RW               all of them, columns
 *                          YU, rows, VX      W                rows is left out by the last panel
 *                          work              SCRATCH
 * gebrd_update  Arguments  the panel; the tile's first column
 *               Buffers    VX, YU, rows  R
 *                          A             RW  a block column */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/gebrd_tasks.h"
#include "kernels/dense/cuda/one_stage.h"
#include "kernels/svd/cpu/labrd.h"
#include "kernels/svd/cuda/labrd.h" /* its table exists only in builds with CUDA */
#include "runtime/task/team.h"

static const tw_scalar one = {1, 0}, minus_one = {-1, 0};

struct panel_args {
    struct tw_gebrd_panel panel;
    int blocks, rows;
};

_Static_assert((int)TW_GEBRD_PANEL_ON_GPU <= (int)TW_PANEL_MOST, "the GPU's kernel has room for a panel's columns");

/* What the kernels work on; at: the list of block columns. */
static struct tw_labrd labrd_of(const struct tw_body *body, const struct tw_tile_at *at)
{
    const struct panel_args *g = body->args;
    const struct tw_gebrd_panel *p = &g->panel;
    const struct tw_buffer *d = &body->buf[g->blocks], *e = d + 1, *tauq = d + 2, *taup = d + 3, *yu = d + 4,
                           *rows = g->rows ? d + 5 : NULL, *vx = d + 5 + g->rows;
    const size_t size = tw_sizeof(body->type), real = tw_sizeof(tw_real_type(body->type)), first = (size_t)p->first;

    return (struct tw_labrd){.m = p->m,
                             .n = p->n,
                             .first = p->first,
                             .columns = p->columns,
                             .width = p->width,
                             .blocks = g->blocks,
                             .at_first = p->first / p->width * p->width,
                             .at = at,
                             .vx = vx->ptr,
                             .yu = yu->ptr,
                             .rows = rows ? rows->ptr : yu->ptr, /* nothing is written */
                             .d = (char *)d->ptr + first * real,
                             .e = (char *)e->ptr + first * real,
                             .tauq = (char *)tauq->ptr + first * size,
                             .taup = (char *)taup->ptr + first * size,
                             .ldvx = vx->ld,
                             .ldyu = yu->ld,
                             .ldrows = rows ? rows->ld : 0};
}
static void *work_of(const struct tw_body *body)
{
    const struct panel_args *g = body->args;
    return body->buf[g->blocks + 6 + g->rows].ptr;
}

static int panel(const struct tw_body *body)
{
    const struct panel_args *g = body->args;
    struct tw_column c;
    int status = tw_column_begin(&c, body, 0, g->blocks);

    if (!status) {
        const struct tw_labrd p = labrd_of(body, c.at);
        struct tw_team *team = tw_team_open(body, g->blocks);
        tw_labrd_kernels[body->type]->panel(&p, team, work_of(body));
        tw_team_close(team);
    }
    tw_column_end(&c);
    return status;
}

/* The whole matrix is one block column there. */
static int panel_on_gpu(const struct tw_body *body)
{
    const struct tw_tile_at all = {body->buf[0].ptr, body->buf[0].ld};
    const struct tw_labrd p = labrd_of(body, &all);

    return tw_labrd_cuda[body->type](body->cuda, &p, work_of(body));
}

struct update_args {
    struct tw_gebrd_panel panel;
    int column;
};

static int update(const struct tw_body *body)
{
    const struct update_args *g = body->args;
    const struct tw_gebrd_panel *p = &g->panel;
    const struct tw_buffer *VX = &body->buf[0], *YU = &body->buf[1], *rows = &body->buf[2], *A = &body->buf[3];
    const int k = p->columns, behind = p->first + k, skip = tw_max(0, behind - g->column), n = A->n - skip,
              column = g->column + skip;

    if (n <= 0) return 0;
    TW_STEP(TW_DO(body, transpose, tw_real_trans(body->type, 'C'), n, k, tw_at(body, rows, column - behind, 0),
                  rows->ld, tw_at(body, A, p->first, skip), A->ld));
    if (behind >= p->m) return 0;
    return TW_DO(body, gemm, 'N', tw_real_trans(body->type, 'C'), p->m - behind, n, 2 * k, minus_one,
                 tw_at(body, VX, k, 0), VX->ld, tw_at(body, YU, column - p->first, 0), YU->ld, one,
                 tw_at(body, A, behind, skip), A->ld);
}

/* Nearly all of its flops wait for memory. */
static struct tw_codelet codelet_panel = {.name = "gebrd_panel",
                                          .color = 0xE69F00,
                                          .rate = TW_RATE_GEMM,
                                          .share = 0.05,
                                          .cpu = panel,
                                          .cuda = TW_CUDA_BODY(panel_on_gpu),
                                          .urgent = 1},
                         codelet_update = {.name = "gebrd_update",
                                           .color = 0x56B4E9,
                                           .rate = TW_RATE_GEMM,
                                           .cpu = update,
                                           .cuda = TW_CUDA_BODY(update)};

void tw_task_gebrd_panel(struct tw_sequence *seq, int priority, const struct tw_gebrd_panel *p,
                         struct tw_data *const *block, int blocks, struct tw_data *d, struct tw_data *e,
                         struct tw_data *tauq, struct tw_data *taup, const struct tw_gebrd_left *left)
{
    const struct panel_args args = {*p, blocks, left->rows != NULL};
    const int rows = p->m - p->first, most = tw_column_rounded(rows);
    const enum tw_type type = left->VX->type;
    const size_t work = p->place == TW_ON_CPUS
                            ? tw_labrd_work(type, most, p->columns, blocks)
                            : tw_labrd_cuda_work(type, most, tw_column_rounded(p->n - p->first), p->columns);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gebrd_panel", blocks + 8, few);
    struct tw_data *const columns[] = {d, e, tauq, taup};
    int naccess = 0;

    if (!access) return;
    for (; naccess < blocks; naccess++)
        access[naccess] = (struct tw_access){block[naccess], naccess ? TW_R : TW_RW};
    for (int i = 0; i < 4; i++)
        access[naccess++] = (struct tw_access){columns[i], TW_RW};
    access[naccess++] = (struct tw_access){left->YU, TW_W};
    if (left->rows) access[naccess++] = (struct tw_access){left->rows, TW_W};
    access[naccess++] = (struct tw_access){left->VX, TW_W};
    access[naccess++] = (struct tw_access){tw_scratch(work), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_panel,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flop_factor(type) * 4 * (double)rows * (p->n - p->first) * p->columns,
                                     .m = rows,
                                     .n = p->columns,
                                     .k = p->n - p->first,
                                     .coord = {block[0]->coord[0], block[0]->coord[1], -1, -1},
                                     .place = p->place});
    if (access != few) free(access);
}

void tw_task_gebrd_update(struct tw_sequence *seq, int priority, const struct tw_gebrd_panel *p, tw_int column,
                          const struct tw_gebrd_left *left, struct tw_data *A)
{
    const struct update_args args = {*p, (int)column};
    const struct tw_access access[] = {{left->VX, TW_R}, {left->YU, TW_R}, {left->rows, TW_R}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_update,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(A->type, left->VX->m, A->n, left->VX->n),
                                     .m = left->VX->m,
                                     .n = A->n,
                                     .k = left->VX->n,
                                     .coord = {A->coord[0], A->coord[1], -1, -1},
                                     .place = p->place});
}
