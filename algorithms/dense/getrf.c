/* LU factorization with partial pivoting, P A = L U: right-looking by block columns (Dongarra, Du Croz, Hammarling,
 * Duff, "A set of level 3 basic linear algebra subprograms", ACM TOMS 16, 1990, as getrf of LAPACK), as tasks.
 *
 * A panel is one task over the tiles of its block column. Its pivots are an object that stays where it was computed;
 * the exchanges in every other block column are a task that reads them there. Nothing waits for a value: look-ahead is
 * what the priorities make of it.
 *
 * To the left of a panel no task needs the exchanged rows before the end. On CPUs, and where the GPUs cannot hold the
 * matrix, they are exchanged then, by all later panels' pivots at once; else panel by panel, so that a row of tiles is
 * final with its own panel and L travels home all the time, not at the end.
 *
 * Where the GPUs cannot hold the matrix it is right-looking within blocks of columns that they can hold; the panels
 * before a block come to it one by one, each read once, instead of the whole rest of the matrix in and out in each
 * step. */
#include <limits.h>
#include <stdlib.h>
#include "algorithms/dense/dense_loops.h"

/* One factorization. Block columns beyond A's are those of X. */
struct getrf {
    struct tw_sequence *seq;
    struct tw_matrix *A, *ipiv, *X;
    struct tw_data *info;
    int panels, at_once; /* exchanges to the left: panel by panel */
    double step; /* an exchange, a solve and an update of one tile: what a block column waits for between two panels */
    double *panel; /* bottom levels: seconds from the beginning of panel k to the end; [panels]: 0 */
    long room;     /* tiles that the GPUs hold; LONG_MAX: all */
    double below;  /* what the levels of a block of columns stand above those of the blocks behind it */
    double total;
};
#define PANEL(k, j, lev)  tw_priority_ahead(f->seq, k, j, f->panels, (lev) + f->below, f->total, 1)
#define UPDATE(k, j, lev) tw_priority_ahead(f->seq, k, j, f->panels, (lev) + f->below, f->total, 0)

/* The tiles of a block column from row k of tiles down. */
static struct tw_data **column(const struct tw_matrix *A, int k, int j)
{
    return &A->tile[k + (size_t)j * (size_t)A->mt];
}

/* The longest way goes from panel to panel through the block column next to it. */
static int levels(struct getrf *f)
{
    const struct tw_matrix *A = f->A;
    const struct tw_costs c = tw_costs_of(A);
    const double exchange = tw_cost(TW_RATE_MEMORY, A->type, 0, (double)A->nb);

    if (!(f->panel = malloc(((size_t)f->panels + 1) * sizeof *f->panel))) return -1;
    f->step = exchange + c.trsm + c.gemm;
    f->panel[f->panels] = 0;
    for (int k = f->panels - 1; k >= 0; k--) {
        const double rows = (double)(A->m - k * A->nb), nb = (double)tw_min(A->nb, A->n);
        f->panel[k] =
            tw_cost(TW_RATE_POTRF, A->type, tw_flops_getrf(A->type, rows, nb), nb) + f->step + f->panel[k + 1];
    }
    return 0;
}
/* Of what happens in block column j (X's are behind all others) at step k: the steps left there, then its panel. */
static double level(const struct getrf *f, int k, int j)
{
    const int last = j < f->panels ? j : f->panels;
    return (last - k) * f->step + f->panel[last];
}

/* The block column next to panel k is the next panel; the others let it go first, as long as the panels take longer
 * than all products. */
static enum tw_lane lane(const struct getrf *f, int k, int next)
{
    const struct tw_matrix *A = f->A;
    const double done = (double)(k + 1) * (double)A->nb, m = (double)A->m - done, n = (double)A->n - done;
    const double products =
        m > 0 && n > 0 ? tw_cost(TW_RATE_GEMM, A->type, tw_flops_getrf(A->type, m, n), (double)A->nb) : 0;

    return next ? TW_LANE_CHAIN : f->panel[k + 1] > products ? TW_LANE_YIELDING : TW_LANE_OWN;
}

/* Block column j of M, which is A or X, at step k. */
static void update(const struct getrf *f, int k, struct tw_matrix *M, int j)
{
    const int c = M == f->A ? j : f->panels + j; /* X is behind A */
    const double lev = level(f, k, M == f->A ? j : f->panels);
    struct tw_data *pivots = tw_tile(f->ipiv, k, 0);
    const enum tw_lane before = tw_loop_in_lane(f->seq, lane(f, k, M == f->A && j == k + 1));

    tw_task_laswp(f->seq, PANEL(k, c, lev), 'F', column(M, k, j), M->mt - k, k * f->A->nb, &pivots, 1, k * f->A->nb);
    tw_task_trsm(f->seq, PANEL(k, c, lev), 'L', 'L', 'N', 'U', tw_one, tw_tile(f->A, k, k), tw_tile(M, k, j));
    if (M == f->A) tw_bring_home(f->seq, tw_tile(M, k, j));
    tw_task_gemm_column(f->seq, UPDATE(k, c, lev), 'N', tw_minus_one, column(f->A, k + 1, k), M->mt - k - 1,
                        tw_tile(M, k, j), column(M, k + 1, j), M->nt - (M == f->A ? k + 1 : 0));
    (void)tw_loop_in_lane(f->seq, before);
}

/* Exchanges to the left of panel k: row k of tiles is final with them. */
static void exchange_left(const struct getrf *f, int k)
{
    struct tw_matrix *A = f->A;
    struct tw_data *pivots = tw_tile(f->ipiv, k, 0);

    for (int j = 0; j < k; j++) {
        tw_task_laswp(f->seq, UPDATE(f->panels, INT_MAX, 0), 'F', column(A, k, j), A->mt - k, k * A->nb, &pivots, 1,
                      k * A->nb);
        tw_bring_home(f->seq, tw_tile(A, k, j));
    }
    tw_bring_home(f->seq, tw_tile(A, k, k));
}

/* The same for block column j by all later panels. */
static void exchange_late(const struct getrf *f, int j)
{
    struct tw_matrix *A = f->A;

    if (j + 1 < f->panels)
        tw_task_laswp(f->seq, UPDATE(f->panels, INT_MAX, 0), 'F', column(A, j + 1, j), A->mt - j - 1, (j + 1) * A->nb,
                      column(f->ipiv, j + 1, 0), f->panels - j - 1, (j + 1) * A->nb);
}

/* Panel k is factored. */
static void panel(const struct getrf *f, int k)
{
    struct tw_matrix *A = f->A;
    const enum tw_lane before = tw_loop_in_lane(f->seq, TW_LANE_CHAIN);

    tw_task_getrf(f->seq, PANEL(k, k, f->panel[k]), column(A, k, k), A->mt - k, k * A->nb, tw_tile(f->ipiv, k, 0),
                  f->info);
    (void)tw_loop_in_lane(f->seq, before);
    tw_bring_home(f->seq, tw_tile(f->ipiv, k, 0));
}

/* Block columns from … to - 1, to which the panels before them have come: right-looking. */
static void factor_block(const struct getrf *f, int from, int to)
{
    for (int k = from; k < tw_min(to, f->panels) && !tw_loop_status(f->seq); k++) {
        panel(f, k);
        for (int j = k + 1; j < to; j++)
            update(f, k, f->A, j);
        for (int j = 0; f->X && j < f->X->nt; j++)
            update(f, k, f->X, j);
        if (f->at_once) exchange_left(f, k);
    }
}

/* The panels before block columns from … to - 1 come to them. */
static void catch_up(const struct getrf *f, int from, int to)
{
    struct tw_matrix *A = f->A;

    for (int k = 0; k < tw_min(from, f->panels) && !tw_loop_status(f->seq); k++) {
        for (int j = from; j < to; j++)
            update(f, k, A, j);
        for (int i = k; i < A->mt; i++)
            tw_done_with(f->seq, tw_tile(A, i, k));
        tw_loop_throttle(f->seq, 2L * A->mt * (to - from)); /* else the scheduler would bring in later panels at once */
    }
}

static void factor(struct getrf *f)
{
    struct tw_matrix *A = f->A;
    const int width = tw_block_lines(A->nt, A->mt, f->room), blocks = (A->nt + width - 1) / width;

    f->total = blocks * f->panel[0];
    for (int b = 0; b < blocks; b++) {
        const int from = b * width, to = (int)tw_min(from + width, A->nt);
        f->below = (blocks - 1 - b) * f->panel[0];
        catch_up(f, from, to);
        factor_block(f, from, to);
    }
    for (int j = 0; j < f->panels && !tw_loop_status(f->seq); j++) {
        if (!f->at_once) exchange_late(f, j);
        for (int i = f->at_once ? f->panels : j; i < A->mt; i++)
            tw_bring_home(f->seq, tw_tile(A, i, j));
    }
}

void tw_getrf_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *ipiv, struct tw_matrix *X)
{
    tw_getrf_info_loop(seq, A, ipiv, X, tw_info(seq));
}

void tw_getrf_info_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *ipiv, struct tw_matrix *X,
                        struct tw_data *info)
{
    struct getrf f = {
        .seq = seq, .A = A, .ipiv = ipiv, .X = X, .info = info, .panels = ipiv->mt, .room = tw_gpu_tiles(A)};

    f.at_once = tw_has_cuda() && f.room == LONG_MAX;

    if (levels(&f))
        tw_loop_fail(seq, TW_E_MEMORY, "getrf: no memory for %d levels", f.panels);
    else
        factor(&f);
    free(f.panel);
}

struct args {
    struct tw_matrix *A, *ipiv;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);

    if (!A) return;
    tw_getrf_loop(seq, A, a->ipiv, NULL);
    tw_retiled_end(seq, a->A, A, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, a->A->m > INT32_MAX ? "more than 2^31 - 1 rows" : NULL);
    TW_CHECK(who, 2, tw_bad_pivots(a->ipiv, a->A));
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_getrf(A->type, (double)A->m, (double)A->n);
}

const struct tw_routine tw_routine_getrf = {.name = "getrf",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, ipiv)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_lu,
                                            .needs = {"mn l1:i"}};

int tw_getrf(tw_matrix *A, tw_matrix *ipiv)
{
    return tw_run(&tw_routine_getrf, &(struct args){A, ipiv});
}

int tw_getrf_async(tw_matrix *A, tw_matrix *ipiv, tw_sequence *seq)
{
    return tw_queue(&tw_routine_getrf, seq, &(struct args){A, ipiv});
}
