/* LU factors of a block column with partial pivoting: P A = L U.
 *
 * The panel is one task over the tiles. Where they lie one under the other in one array
 * (tw_column_lies_in_array) it works there; else it gathers them into its workspace, factors that and scatters it
 * again: two copies of a panel beside nb times as much arithmetic.
 *
 * Arguments  row: rows of the matrix above the block column; tiles
 * Buffers    ipiv  W        min(m, n) int32_t: LAPACK's pivots, 1-based rows of the matrix
 *            info  RW       one int64_t: the first k with U(k, k) exactly zero in the whole matrix, 0 if none
 *            A     RW each  the tiles
 *            work  SCRATCH  m x n elements, and cuSOLVER's workspace; not where all lies in one array and there is no
 *                           GPU */
#include "codelets/dense/column.h"
#include "runtime/task/team.h"

struct args {
    int64_t row;
    int tiles;
};
enum { IPIV, INFO, TILES };

static size_t gathered_bytes(enum tw_type type, int m, int n)
{
    return ((size_t)m * (size_t)n * tw_sizeof(type) + 255) / 256 * 256;
}

/* The panel into the workspace, or back. */
static void move(const struct tw_body *body, const struct tw_tiles *t, char *work, int back)
{
    for (int i = 0; i < t->count; i++) {
        char *in_work = work + (size_t)i * (size_t)t->mb * tw_sizeof(body->type);
        const int rows = tw_column_tile_rows(t, i), ld = (int)t->at[i].ld;
        if (back)
            TW_CPU(body)->lacpy('G', rows, t->n, in_work, t->m, t->at[i].ptr, ld);
        else
            TW_CPU(body)->lacpy('G', rows, t->n, t->at[i].ptr, ld, in_work, t->m);
    }
}

/* A team pays from some thousands of rows on. */
static int panel(const struct tw_body *body, int m, int n, void *a, int lda, int32_t *ipiv)
{
    struct tw_team *team = tw_team_open(body, n >= 16 ? m / 1024 : 1);
    const int k = team ? TW_CPU(body)->getrf_team(team, m, n, a, lda, ipiv) : TW_CPU(body)->getrf(m, n, a, lda, ipiv);

    tw_team_close(team);
    return k;
}

static int factor(const struct tw_body *body, const struct tw_tiles *t)
{
    const struct args *g = body->args;
    int32_t *ipiv = body->buf[IPIV].ptr;
    int k;

    if (tw_column_is_array(t, tw_sizeof(body->type))) {
        k = panel(body, t->m, t->n, t->at[0].ptr, (int)t->at[0].ld, ipiv);
    } else {
        char *work = body->buf[TILES + g->tiles].ptr;
        move(body, t, work, 0);
        k = panel(body, t->m, t->n, work, t->m, ipiv);
        move(body, t, work, 1);
    }
    for (int i = 0; i < body->buf[IPIV].m; i++)
        ipiv[i] += (int32_t)g->row;
    tw_combine_info(body->buf[INFO].ptr, g->row, k);
    return 0;
}

static int cpu(const struct tw_body *body)
{
    struct tw_column c;
    int e = tw_column_begin(&c, body, TILES, ((const struct args *)body->args)->tiles);

    if (!e) e = factor(body, &c.tiles);
    tw_column_end(&c);
    return e;
}

static int move_on_gpu(const struct tw_body *body, const struct tw_tiles *t, char *work, int back)
{
    int e = 0;
    for (int i = 0; i < t->count && !e; i++) {
        char *in_work = work + (size_t)i * (size_t)t->mb * tw_sizeof(body->type);
        const int rows = tw_column_tile_rows(t, i), ld = (int)t->at[i].ld;
        e = back ? TW_CUDA(body)->lacpy(body->cuda, 'G', rows, t->n, in_work, t->m, t->at[i].ptr, ld)
                 : TW_CUDA(body)->lacpy(body->cuda, 'G', rows, t->n, t->at[i].ptr, ld, in_work, t->m);
    }
    return e;
}

static int factor_on_gpu(const struct tw_body *body, const struct tw_tiles *t)
{
    const struct args *g = body->args;
    const struct tw_buffer *work = &body->buf[TILES + g->tiles];
    const size_t gathered = gathered_bytes(body->type, t->m, t->n);
    const int array = tw_column_is_array(t, tw_sizeof(body->type));
    char *panel = array ? t->at[0].ptr : work->ptr;
    int e = array ? 0 : move_on_gpu(body, t, panel, 0);

    if (!e)
        e = TW_CUDA(body)->getrf(body->cuda, t->m, t->n, panel, array ? (int)t->at[0].ld : t->m, body->buf[IPIV].ptr,
                                 (char *)work->ptr + gathered, work->bytes - gathered, body->buf[INFO].ptr, g->row);
    if (!e) e = TW_CUDA(body)->shift_pivots(body->cuda, body->buf[IPIV].m, (int)g->row, body->buf[IPIV].ptr);
    if (!e && !array) e = move_on_gpu(body, t, panel, 1);
    return e;
}

static int cuda(const struct tw_body *body)
{
    struct tw_column c;
    int e = tw_column_begin(&c, body, TILES, ((const struct args *)body->args)->tiles);

    if (!e) e = factor_on_gpu(body, &c.tiles);
    tw_column_end(&c);
    return e;
}
static int workspace(const struct tw_cuda *q, enum tw_type type, const struct tw_extent *e, size_t *bytes)
{
    return tw_cuda_kernels[type]->getrf_work(q, e->v[0], e->v[1], bytes);
}

static struct tw_codelet codelet = {
    .name = "getrf", .color = 0xE69F00, .rate = TW_RATE_POTRF, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda), .urgent = 1};

void tw_task_getrf(struct tw_sequence *seq, int priority, struct tw_data *const *tile, int count, tw_int row,
                   struct tw_data *ipiv, struct tw_data *info)
{
    const struct args args = {row, count};
    const enum tw_type type = tile[0]->type;
    const int m = tw_column_rows(tile, count), n = tile[0]->n;
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "getrf", TILES + count + 1, few);
    int naccess = TILES;

    if (!access) return;
    access[IPIV] = (struct tw_access){ipiv, TW_W};
    access[INFO] = (struct tw_access){info, TW_RW};
    for (int i = 0; i < count; i++)
        access[naccess++] = (struct tw_access){tile[i], TW_RW};
    if (tw_has_cuda() || !tw_column_lies_in_array(tile, count)) {
        const int room = tw_column_rounded(m);
        access[naccess++] =
            (struct tw_access){tw_scratch(gathered_bytes(type, room, n) +
                                          tw_cuda_workspace(workspace, type, (struct tw_extent){{room, n}})),
                               TW_SCRATCH};
    }
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .flops = tw_flops_getrf(type, m, n),
                                     .m = m,
                                     .n = n,
                                     .k = tw_min(m, n),
                                     .coord = {tile[0]->coord[0], tile[0]->coord[1], -1, -1}});
    if (access != few) free(access);
}
