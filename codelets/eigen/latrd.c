/* A panel of the one-stage reduction to tridiagonal form, and its reflectors put aside.
 *
 * latrd       Arguments  the panel; order of the tiles, rows of them
 *             Buffers    A     R each  the lower triangle's tiles from the panel's first on, column by column
 *                        d, e  RW      of the whole matrix, real
 *                        tau   RW      the same; W by the first panel
 *                        work  SCRATCH
 *                        VWV   W       (n - 1 - first) x 3 k, [V W V]
 * latrd_keep  Arguments  column; k
 *             Buffers    VWV   R
 *                        V     RW      W where it begins */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/sytrd_tasks.h"
#include "kernels/eigen/cpu/latrd.h"
#include "kernels/eigen/cuda/latrd.h" /* its table exists only in builds with CUDA */
#include "runtime/task/team.h"

struct args {
    struct tw_sytrd_panel panel;
    int nb, tiles;
};
static int count_of(int tiles)
{
    return tiles * (tiles + 1) / 2;
}
/* What the kernel works on; at: the list of its tiles. */
static struct tw_latrd latrd_of(const struct tw_body *body, const struct tw_tile_at *at)
{
    const struct args *g = body->args;
    const struct tw_sytrd_panel *p = &g->panel;
    const struct tw_buffer *d = &body->buf[count_of(g->tiles)], *e = d + 1, *tau = d + 2, *vwv = d + 4;
    const size_t size = tw_sizeof(body->type), real = tw_sizeof(tw_real_type(body->type)), first = (size_t)p->first;

    return (struct tw_latrd){.n = p->n - p->first,
                             .columns = p->columns,
                             .nb = g->nb,
                             .skip = p->first % g->nb,
                             .tiles = g->tiles,
                             .at = at,
                             .vwv = vwv->ptr,
                             .ld = vwv->ld,
                             .d = (char *)d->ptr + first * real,
                             .e = (char *)e->ptr + first * real,
                             .tau = (char *)tau->ptr + first * size};
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const int count = count_of(g->tiles);
    struct tw_column c;
    int e = tw_column_begin(&c, body, 0, count);

    if (!e) {
        const struct tw_latrd p = latrd_of(body, c.at);
        struct tw_team *team = tw_team_open(body, count); /* a part for each tile */
        tw_latrd_kernel(body->type)(&p, team, body->buf[count + 3].ptr);
        tw_team_close(team);
    }
    tw_column_end(&c);
    return e;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const int count = count_of(g->tiles);
    struct tw_column c;
    int e = tw_column_begin(&c, body, 0, count);

    if (!e) {
        const struct tw_latrd p = latrd_of(body, c.at);
        e = tw_latrd_cuda[body->type](body->cuda, &p, body->buf[count + 3].ptr);
    }
    tw_column_end(&c);
    return e;
}
static size_t cuda_work(enum tw_type type, int n, int columns, int nb, int tiles)
{
    return tw_has_cuda() ? tw_latrd_cuda_work(type, n, columns, nb, tiles) : 0;
}

/* Half of its flops wait for memory, which is read once for four of them. */
static struct tw_codelet panel = {.name = "latrd",
                                  .color = 0xE69F00,
                                  .rate = TW_RATE_GEMM,
                                  .share = 0.05,
                                  .cpu = cpu,
                                  .cuda = TW_CUDA_BODY(cuda),
                                  .urgent = 1};

void tw_task_latrd(struct tw_sequence *seq, int priority, const struct tw_sytrd_panel *p, int order,
                   struct tw_data *const *tile, int tiles, struct tw_data *d, struct tw_data *e, struct tw_data *tau,
                   struct tw_data *VWV)
{
    const struct args args = {*p, order, tiles};
    const enum tw_type type = VWV->type;
    const int rest = p->n - p->first, n = tw_column_rounded(rest), count = count_of(tiles);
    const size_t on_cpu = tw_latrd_work(type, n, p->columns, tiles),
                 on_gpu = cuda_work(type, n, p->columns, order, tiles);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "latrd", count + 5, few);
    int naccess = 0;

    if (!access) return;
    for (; naccess < count; naccess++)
        access[naccess] = (struct tw_access){tile[naccess], TW_R};
    access[naccess++] = (struct tw_access){d, TW_RW};
    access[naccess++] = (struct tw_access){e, TW_RW};
    access[naccess++] = (struct tw_access){tau, p->first ? TW_RW : TW_W};
    access[naccess++] = (struct tw_access){tw_scratch(on_cpu > on_gpu ? on_cpu : on_gpu), TW_SCRATCH};
    access[naccess++] = (struct tw_access){VWV, TW_W};
    tw_submit(seq, &(struct tw_task){.codelet = &panel,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flop_factor(type) * 2 * (double)rest * rest * p->columns,
                                     .m = rest,
                                     .n = p->columns,
                                     .k = rest,
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}

/* ---- reflectors -------------------------------------------------------------------------------------------------- */

struct keep_args {
    int column, k;
};

static int keep(const struct tw_body *body)
{
    static const tw_scalar zero = {0, 0};
    const struct keep_args *g = body->args;
    const struct tw_buffer *VWV = &body->buf[0], *V = &body->buf[1];
    const int above = V->m - VWV->m;

    if (above > 0) TW_STEP(TW_DO(body, laset, 'G', above, g->k, zero, zero, tw_at(body, V, 0, g->column), V->ld));
    return TW_DO(body, lacpy, 'G', VWV->m, g->k, VWV->ptr, VWV->ld, tw_at(body, V, above, g->column), V->ld);
}

static struct tw_codelet codelet_keep = {
    .name = "latrd_keep", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = keep, .cuda = TW_CUDA_BODY(keep)};

void tw_task_latrd_keep(struct tw_sequence *seq, int priority, int column, struct tw_data *VWV, int k,
                        struct tw_data *V)
{
    const struct keep_args args = {column, k};
    const struct tw_access access[] = {{VWV, TW_R}, {V, column ? TW_RW : TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_keep,
                                     .type = V->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .m = VWV->m,
                                     .n = k,
                                     .coord = {-1, -1, -1, -1}});
}
