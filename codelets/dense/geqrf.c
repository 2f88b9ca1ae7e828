/* QR factors of a block column, and LQ factors of a block row, with what block reflectors are made of
 * (kernels/dense/cpu/geqrf.c).
 *
 * The panel is one task over the tiles. Where they lie in one array (tw_strip_lies_in_one) it works there;
 * else it gathers them into its workspace, factors that and scatters it again. The first tile's part of V goes into a
 * tile of its own as well, with its ones and zeros: updates are plain products with that tile and with the others as
 * they are.
 *
 * Arguments  storev: 'C' a block column, 'R' a block row; tiles
 * Buffers    tau    W        k = min(m, n) elements
 *            A      RW each  the tiles: LAPACK's storage
 *            front  W        the rows of V ('C': of the first tile, x k) or the columns of V^H ('R': k x) that lie in
 *                            the first tile
 *            T      W        k x k, upper triangular, zeros below
 *            work   SCRATCH  m x n elements, and the kernels' workspace; the latter alone where all lies in one array
 *                            and there is no GPU */
#include "codelets/dense/strip.h"
#include "runtime/base/error.h"
#include "runtime/machine/machine.h"
#include "runtime/task/team.h"

static const tw_scalar zero = {0, 0}, one = {1, 0};

struct args {
    char storev;
    int tiles;
};
enum { TAU, TILES };

/* What the task works on. */
struct panel {
    struct tw_strip tiles;
    const struct tw_buffer *front, *T;
    int array, ld; /* in place; leading dimension of `a` */
    void *a, *tau;
    char *work; /* behind the gathered panel */
    size_t bytes;
};
static struct panel panel_of(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *after = &body->buf[TILES + g->tiles], *work = &after[2];
    struct panel p = {.tiles = tw_strip_of(g->storev, &body->buf[TILES], g->tiles), .front = &after[0], .T = &after[1]};
    const size_t gathered = tw_strip_bytes(body->type, p.tiles.m, p.tiles.n);

    p.array = tw_strip_is_array(&p.tiles, tw_sizeof(body->type));
    p.a = p.array ? p.tiles.at[0].ptr : work->ptr;
    p.ld = p.array ? (int)p.tiles.at[0].ld : p.tiles.m;
    p.tau = body->buf[TAU].ptr;
    p.work = (char *)work->ptr + (p.array ? 0 : gathered);
    p.bytes = work->bytes - (p.array ? 0 : gathered);
    return p;
}

static int cpu(const struct tw_body *body)
{
    const struct panel p = panel_of(body);
    const char storev = p.tiles.storev;
    const int m = p.tiles.m, n = p.tiles.n, length = storev == 'C' ? m : n;
    struct tw_team *team = tw_team_open(body, length / 1024); /* pays from some thousands of rows on */

    if (!p.array) (void)tw_strip_move(body, &p.tiles, p.a, 0);
    if (team)
        (storev == 'C' ? TW_CPU(body)->geqrf_team : TW_CPU(body)->gelqf_team)(team, m, n, p.a, p.ld, p.tau, p.T->ptr,
                                                                              (int)p.T->ld, p.work);
    else
        (storev == 'C' ? TW_CPU(body)->geqrf : TW_CPU(body)->gelqf)(m, n, p.a, p.ld, p.tau, p.T->ptr, (int)p.T->ld,
                                                                    p.work);
    tw_team_close(team);
    TW_CPU(body)->lacpy(storev == 'C' ? 'L' : 'U', p.front->m, p.front->n, p.a, p.ld, p.front->ptr, (int)p.front->ld);
    TW_CPU(body)->laset(storev == 'C' ? 'U' : 'L', p.front->m, p.front->n, zero, one, p.front->ptr, (int)p.front->ld);
    if (!p.array) (void)tw_strip_move(body, &p.tiles, p.a, 1);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct panel p = panel_of(body);
    const char storev = p.tiles.storev;
    int e = p.array ? 0 : tw_strip_move(body, &p.tiles, p.a, 0);

    if (!e)
        e = (storev == 'C' ? TW_CUDA(body)->geqrf : TW_CUDA(body)->gelqf)(
            body->cuda, p.tiles.m, p.tiles.n, p.a, p.ld, p.tau, p.T->ptr, (int)p.T->ld, p.work, p.bytes);
    if (!e)
        e = TW_CUDA(body)->lacpy(body->cuda, storev == 'C' ? 'L' : 'U', p.front->m, p.front->n, p.a, p.ld, p.front->ptr,
                                 (int)p.front->ld);
    if (!e)
        e = TW_CUDA(body)->laset(body->cuda, storev == 'C' ? 'U' : 'L', p.front->m, p.front->n, zero, one, p.front->ptr,
                                 (int)p.front->ld);
    if (!e && !p.array) e = tw_strip_move(body, &p.tiles, p.a, 1);
    return e;
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return (e->v[2] ? tw_cuda_kernels[type]->gelqf_work : tw_cuda_kernels[type]->geqrf_work)(q, e->v[0], e->v[1],
                                                                                             bytes);
}

static struct tw_codelet columns = {.name = "geqrf",
                                    .color = 0xE69F00,
                                    .rate = TW_RATE_POTRF,
                                    .cpu = cpu,
                                    .cuda = TW_CUDA_BODY(cuda),
                                    .urgent = 1},
                         rows = {.name = "gelqf",
                                 .color = 0xD55E00,
                                 .rate = TW_RATE_POTRF,
                                 .cpu = cpu,
                                 .cuda = TW_CUDA_BODY(cuda),
                                 .urgent = 1};

/* The panel's long side is rounded up, so that panels, which get smaller, share few workspaces. */
static size_t work_bytes(char storev, enum tw_type type, struct tw_data *const *tile, int count)
{
    const int length = tw_column_rounded(tw_strip_length(storev, tile, count)), m = storev == 'C' ? length : tile[0]->m,
              n = storev == 'C' ? tile[0]->n : length, k = tw_min(m, n);
    const size_t on_cpu =
                     (storev == 'C' ? (size_t)k * (size_t)n : ((size_t)n + (size_t)k) * (size_t)m) * tw_sizeof(type),
                 on_gpu = tw_cuda_workspace(workspace, type, (struct tw_extent){{m, n, storev == 'R'}}),
                 gathered =
                     tw_has_cuda() || !tw_strip_lies_in_one(storev, tile, count) ? tw_strip_bytes(type, m, n) : 0;
    return gathered + (on_cpu > on_gpu ? on_cpu : on_gpu);
}

void tw_task_geqrf(struct tw_sequence *seq, int priority, char storev, struct tw_data *const *tile, int count,
                   struct tw_data *tau, struct tw_data *front, struct tw_data *T)
{
    const struct args args = {storev, count};
    const enum tw_type type = tile[0]->type;
    const int length = tw_strip_length(storev, tile, count), m = storev == 'C' ? length : tile[0]->m,
              n = storev == 'C' ? tile[0]->n : length;
    const size_t work = work_bytes(storev, type, tile, count);
    struct tw_access few[TW_COLUMN_FEW], *access;
    int naccess = TILES;

    /* of a block row as large as the matrix itself: StarPU would wait for memory that there is not */
    if (work >= (size_t)1 << 28 && tw_memory_check("a panel's workspace", (double)work)) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: %s", storev == 'C' ? "geqrf" : "gelqf", tw_last_message());
        return;
    }
    if (!(access = tw_accesses(seq, "geqrf", TILES + count + 3, few))) return;
    access[TAU] = (struct tw_access){tau, TW_W};
    for (int i = 0; i < count; i++)
        access[naccess++] = (struct tw_access){tile[i], TW_RW};
    access[naccess++] = (struct tw_access){front, TW_W};
    access[naccess++] = (struct tw_access){T, TW_W};
    access[naccess++] = (struct tw_access){tw_scratch(work), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = storev == 'C' ? &columns : &rows,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = storev == 'C' ? tw_flops_geqrf(type, m, n) : tw_flops_gelqf(type, m, n),
                                     .m = m,
                                     .n = n,
                                     .k = tw_min(m, n),
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
