/* A block of QR with column exchanges. Half of the work, products with one vector, is done here, by one task: the
 * choice of a column needs all of them. Other cores, which have nothing to do meanwhile, help; a GPU does it alone.
 *
 * Arguments  begins: first of all, columns that are to stay in front go there; column: the first one's place in the
 *            matrix; n: of the matrix; mt, nt: tiles
 * Buffers    jpvt   RW       n int32_t
 *            fixed  RW       one int64_t: so many columns stay in front
 *            norms  RW       2 n doubles
 *            swap   W        k int32_t
 *            tau    W        k elements
 *            A      RW each  the tiles from the block's first row and column on, column-major
 *            F      W each   n_j x k, of the block columns behind the first
 *            work   SCRATCH  (k + 1) n + 2 m + 2 k elements, of the tiles' m x n; on a GPU k n, and what its
 *                            kernel wants
 *            stop   RW       a struct tw_pivot_stop, and
 *            info   RW       of the routine, if it may end before the last column */
#include "codelets/dense/grid.h"
#include "kernels/dense/cpu/laqps.h"
#include "kernels/dense/cuda/laqps.h"
#include "runtime/task/team.h"

struct args {
    int begins, mt, nt;
    int64_t column, n;
    int may_stop;
};
enum { JPVT, FIXED, NORMS, SWAP, TAU, TILES };

/* F's rows of the columns behind the block, tile by tile. */
static void f_out(const struct tw_body *body, const struct tw_tile_grid *a, int k, const char *f)
{
    const struct args *g = body->args;
    const struct tw_buffer *to = &body->buf[TILES + g->mt * g->nt];

    for (int j = 1; j < g->nt; j++, to++)
        TW_CPU(body)->lacpy('G', to->m, k, f + (size_t)(j * a->nb) * tw_sizeof(body->type), a->n, to->ptr, (int)to->ld);
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const int k = body->buf[SWAP].m;
    int64_t *fixed = body->buf[FIXED].ptr;
    int32_t *jpvt = (int32_t *)body->buf[JPVT].ptr + g->column;
    double *norms = (double *)body->buf[NORMS].ptr + g->column;
    const struct tw_buffer *behind = &body->buf[TILES + g->mt * g->nt + g->nt - 1];
    struct tw_pivot_stop *stop = g->may_stop ? behind[1].ptr : NULL;
    char *f = behind->ptr;
    struct tw_grid_seen s;
    int e = tw_grid_begin(&s, body, TILES, g->mt, g->nt);

    if (!e) {
        const tw_int ahead = g->begins ? 0 : *fixed - g->column;
        void *work = f + (size_t)s.grid.n * (size_t)k * tw_sizeof(body->type);
        if (g->begins) *fixed = TW_CPU(body)->fix_columns(&s.grid, jpvt);
        struct tw_team *team = tw_team_open(body, tw_laqps_parts(s.grid.n));
        tw_laqps_team[body->type](team, &s.grid, k, (int)(g->begins ? *fixed : tw_max(ahead, -1)), jpvt,
                                  body->buf[SWAP].ptr, body->buf[TAU].ptr, f, s.grid.n, norms, norms + g->n, work,
                                  g->column, stop);
        tw_team_close(team);
        f_out(body, &s.grid, k, f);
        if (stop && stop->stopped)
            tw_combine_info(behind[2].ptr, 0, stop->nan ? (int)stop->nan : stop->inf ? (int)(g->n + stop->inf) : 0);
    }
    tw_grid_end(&s);
    return e;
}

static int f_out_on_gpu(const struct tw_body *body, const struct tw_tile_grid *a, int k, const char *f)
{
    const struct args *g = body->args;
    const struct tw_buffer *to = &body->buf[TILES + g->mt * g->nt];
    int e = 0;

    for (int j = 1; j < g->nt && !e; j++, to++)
        e = TW_CUDA(body)->lacpy(body->cuda, 'G', to->m, k, f + (size_t)(j * a->nb) * tw_sizeof(body->type), a->n,
                                 to->ptr, (int)to->ld);
    return e;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const int k = body->buf[SWAP].m;
    int32_t *jpvt = (int32_t *)body->buf[JPVT].ptr + g->column;
    double *norms = (double *)body->buf[NORMS].ptr + g->column;
    const struct tw_buffer *behind = &body->buf[TILES + g->mt * g->nt + g->nt - 1];
    char *f = behind->ptr;
    struct tw_grid_seen s;
    int e = tw_grid_begin(&s, body, TILES, g->mt, g->nt);

    if (!e)
        e = TW_CUDA(body)->laqps(body->cuda, &s.grid, k, g->begins, g->column, body->buf[FIXED].ptr, jpvt,
                                 body->buf[SWAP].ptr, body->buf[TAU].ptr, f, norms, norms + g->n,
                                 f + (size_t)s.grid.n * (size_t)k * tw_sizeof(body->type), g->n,
                                 g->may_stop ? behind[1].ptr : NULL, g->may_stop ? behind[2].ptr : NULL);
    if (!e) e = f_out_on_gpu(body, &s.grid, k, f);
    tw_grid_end(&s);
    return e;
}

/* It waits for memory, which is read once for two flops. */
static struct tw_codelet codelet = {.name = "laqps",
                                    .color = 0xCC79A7,
                                    .rate = TW_RATE_GEMM,
                                    .share = 0.03,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1};
static size_t work_of(enum tw_type type, size_t m, size_t n, size_t k, int mt, int nt, int mb)
{
    const size_t on_cpu = ((k + 1) * n + 2 * m + 2 * k) * tw_sizeof(type),
                 on_gpu = tw_has_cuda() ? k * n * tw_sizeof(type) +
                                              tw_laqps_cuda_work(tw_sizeof(type), (int)m, (int)n, mt, nt, mb)
                                        : 0;
    return on_cpu > on_gpu ? on_cpu : on_gpu;
}

void tw_task_laqps(struct tw_sequence *seq, int priority, int begins, tw_int column, struct tw_data *const *grid,
                   int mt, int nt, struct tw_data *jpvt, struct tw_data *fixed, struct tw_data *norms,
                   struct tw_data *swap, struct tw_data *tau, struct tw_data *const *F, struct tw_data *stop)
{
    const struct args args = {begins, mt, nt, column, jpvt->m, stop != NULL};
    const struct tw_data *last = grid[mt * nt - 1];
    const enum tw_type type = last->type;
    const size_t k = (size_t)swap->m, m = (size_t)(mt - 1) * (size_t)grid[0]->m + (size_t)last->m,
                 n = (size_t)(nt - 1) * (size_t)grid[0]->n + (size_t)last->n;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "laqps", TILES + mt * nt + nt + 2, few);
    int naccess = TILES;

    if (!access) return;
    access[JPVT] = (struct tw_access){jpvt, TW_RW};
    access[FIXED] = (struct tw_access){fixed, TW_RW};
    access[NORMS] = (struct tw_access){norms, TW_RW};
    access[SWAP] = (struct tw_access){swap, TW_W};
    access[TAU] = (struct tw_access){tau, TW_W};
    for (int i = 0; i < mt * nt; i++)
        access[naccess++] = (struct tw_access){grid[i], TW_RW};
    for (int j = 1; j < nt; j++)
        access[naccess++] = (struct tw_access){F[j - 1], TW_W};
    access[naccess++] = (struct tw_access){tw_scratch(work_of(type, m, n, k, mt, nt, grid[0]->m)), TW_SCRATCH};
    if (stop) {
        access[naccess++] = (struct tw_access){stop, TW_RW};
        access[naccess++] = (struct tw_access){tw_info(seq), TW_RW};
    }
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(type, (double)m, (double)n, (double)k),
                                     .m = (double)m,
                                     .n = (double)n,
                                     .k = (double)k,
                                     .coord = {grid[0]->coord[0], grid[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
