/* QR factorization, A = Q R, and LQ factorization, A = L Q: right-looking by block columns (block rows) with block
 * reflectors, as LAPACK's geqrf and gelqf (Schreiber, Van Loan 1989; Bischof, Van Loan 1987), as tasks.
 *
 * A panel is one task over the tiles of its block column. V stays in them, tau and T are objects that stay where they
 * were computed; the updates of the other block columns are products of tiles. Nothing waits for a value: look-ahead is
 * what the priorities make of it. LQ is the same with rows and columns exchanged.
 *
 * Where the GPUs cannot hold the matrix it is right-looking within blocks of lines that they can hold; the panels
 * before a block come to it one by one, each read once, instead of the whole rest of the matrix in and out in each
 * step. */
#include <stdlib.h>
#include "algorithms/dense/reflectors.h"

/* One factorization. A line is a block column (QR) or a block row (LQ); those beyond A's are X's. */
struct factor {
    struct tw_reflectors *r;
    struct tw_matrix *A, *tau;
    struct tw_target on_A, on_X;
    int length;    /* tiles in a line */
    double *panel; /* bottom levels: seconds from the beginning of panel k to the end; [blocks]: 0 */
    double *until; /* seconds of the updates that a line waits for before panel k */
    double below;  /* what the levels of a block of lines stand above those of the blocks behind it */
    double total;
};
#define PRIORITY(k, j, lev, panel_) tw_priority_ahead(f->r->seq, k, j, f->r->blocks, (lev) + f->below, f->total, panel_)

/* The longest way goes from panel to panel through the line next to it. */
static int levels(struct factor *f)
{
    const int blocks = f->r->blocks, columns = f->r->storev == 'C';
    const struct tw_matrix *A = f->A;

    if (!(f->panel = calloc(2 * ((size_t)blocks + 1), sizeof *f->panel))) return -1;
    f->until = f->panel + blocks + 1;
    for (int k = 0; k < blocks; k++)
        f->until[k + 1] = f->until[k] + tw_reflect_cost(f->r, k);
    for (int k = blocks - 1; k >= 0; k--) {
        const double rest = (double)((columns ? A->m : A->n) - k * A->nb), nb = (double)tw_reflectors_width(f->r, k);
        f->panel[k] = tw_cost(TW_RATE_POTRF, A->type, tw_flops_geqrf(A->type, rest, nb), nb) + f->until[k + 1] -
                      f->until[k] + f->panel[k + 1];
    }
    return 0;
}
/* Of what happens in line j (X's are behind all others) at step k: the steps left there, then its panel. */
static double level(const struct factor *f, int k, int j)
{
    const int last = j < f->r->blocks ? j : f->r->blocks;
    return f->until[last] - f->until[k] + f->panel[last];
}

static struct tw_data *tile(const struct factor *f, int i, int j)
{
    return f->r->storev == 'C' ? tw_tile(f->A, i, j) : tw_tile(f->A, j, i);
}

static int panel(struct factor *f, int k, struct tw_data **list)
{
    struct tw_reflectors *r = f->r;

    if (tw_reflectors_add(r, k)) return -1;
    for (int i = k; i < f->length; i++)
        list[i - k] = tile(f, i, k);
    tw_task_geqrf(r->seq, PRIORITY(k, k, f->panel[k], 1), r->storev, list, f->length - k, tw_tile(f->tau, k, 0),
                  r->front[k], r->T[k]);
    tw_bring_home(r->seq, tw_tile(f->tau, k, 0));
    for (int i = k; i < f->length; i++)
        tw_bring_home(r->seq, tile(f, i, k));
    return 0;
}

/* The line next to panel k is the next panel; the others let it go first, as long as the panels take longer than all
 * products. */
static enum tw_lane lane(const struct factor *f, int k, int next)
{
    const struct tw_matrix *A = f->A;
    const double done = (double)(k + 1) * (double)A->nb, m = (double)A->m - done, n = (double)A->n - done;
    const double products =
        m > 0 && n > 0 ? tw_cost(TW_RATE_GEMM, A->type, tw_flops_geqrf(A->type, m, n), (double)A->nb) : 0;

    return next ? TW_LANE_CHAIN : f->panel[k + 1] > products ? TW_LANE_YIELDING : TW_LANE_OWN;
}

/* Panel k comes to line j. */
static void update(const struct factor *f, int k, int j)
{
    const enum tw_lane before = tw_loop_in_lane(f->r->seq, lane(f, k, j == k + 1));

    tw_reflect(f->r, k, f->r->storev == 'C' ? 'C' : 'N', &f->on_A, j, PRIORITY(k, j, level(f, k, j), j == k + 1));
    (void)tw_loop_in_lane(f->r->seq, before);
    tw_bring_home(f->r->seq, tile(f, k, j));
}

/* Lines from … to - 1, to which the panels before them have come: right-looking. 0, or -1: the sequence has failed. */
static int factor_block(struct factor *f, int from, int to, struct tw_matrix *X, struct tw_data **list)
{
    struct tw_sequence *seq = f->r->seq;

    for (int k = from; k < tw_min(to, f->r->blocks) && !tw_loop_status(seq); k++) {
        const enum tw_lane before = tw_loop_in_lane(seq, TW_LANE_CHAIN);
        const int failed = panel(f, k, list);
        (void)tw_loop_in_lane(seq, before);
        if (failed) return -1;
        for (int j = k + 1; j < to; j++)
            update(f, k, j);
        for (int j = 0; X && j < X->nt; j++)
            tw_reflect(f->r, k, 'C', &f->on_X, j, PRIORITY(k, f->r->blocks + j, level(f, k, f->r->blocks), 0));
    }
    return 0;
}

/* The panels before lines from … to - 1 come to them. */
static void catch_up(const struct factor *f, int from, int to)
{
    struct tw_sequence *seq = f->r->seq;

    for (int k = 0; k < tw_min(from, f->r->blocks) && !tw_loop_status(seq); k++) {
        for (int j = from; j < to; j++)
            update(f, k, j);
        for (int i = k; i < f->length; i++)
            tw_done_with(seq, tile(f, i, k));
        tw_done_with(seq, f->r->front[k]);
        tw_done_with(seq, f->r->T[k]);
        tw_loop_throttle(seq,
                         4L * f->length * (to - from)); /* else the scheduler would bring in later panels at once */
    }
}

static void factor(struct factor *f, struct tw_matrix *X, struct tw_data **list)
{
    const int lines = tw_target_lines(&f->on_A), width = tw_block_lines(lines, f->length, tw_gpu_tiles(f->A));
    const int blocks = (lines + width - 1) / width;

    f->total = blocks * f->panel[0];
    for (int b = 0; b < blocks; b++) {
        const int from = b * width, to = (int)tw_min(from + width, lines);
        f->below = (blocks - 1 - b) * f->panel[0];
        catch_up(f, from, to);
        if (factor_block(f, from, to, X, list)) return;
    }
}

void tw_factor_q_loop(struct tw_reflectors *r, struct tw_matrix *tau, struct tw_matrix *X)
{
    struct factor f = {.r = r, .A = r->A, .tau = tau, .length = tw_reflectors_length(r)};
    struct tw_data **list = malloc((size_t)f.length * sizeof *list);

    if (!list || levels(&f))
        tw_loop_fail(r->seq, TW_E_MEMORY, "geqrf: no memory for %d levels", r->blocks);
    else if (!tw_target_begin(&f.on_A, r, r->storev == 'C' ? 'L' : 'R', r->A) &&
             (!X || !tw_target_begin(&f.on_X, r, 'L', X)))
        factor(&f, X, list);
    tw_target_end(&f.on_A);
    tw_target_end(&f.on_X);
    free(f.panel);
    free(list);
}

struct args {
    struct tw_matrix *A, *tau;
};

static void run(struct tw_sequence *seq, char storev, const struct args *a)
{
    struct tw_matrix *A = tw_retiled(seq, a->A, a->A->nb, a->A->nb);
    struct tw_reflectors r;

    if (!A) return;
    if (!tw_reflectors_begin(seq, &r, storev, A, tw_min(A->m, A->n))) tw_factor_q_loop(&r, a->tau, NULL);
    tw_reflectors_end(&r);
    tw_retiled_end(seq, a->A, A, 1);
}
static void qr(struct tw_sequence *seq, void *p)
{
    run(seq, 'C', p);
}
static void lq(struct tw_sequence *seq, void *p)
{
    run(seq, 'R', p);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 2, tw_bad_full_tau(a->tau, a->A));
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops_qr(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_geqrf(A->type, (double)A->m, (double)A->n);
}
static double flops_lq(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_gelqf(A->type, (double)A->m, (double)A->n);
}

const struct tw_routine tw_routine_geqrf = {.name = "geqrf",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tau)),
                                            .check = check,
                                            .loop = qr,
                                            .flops = flops_qr,
                                            .tuning = &tw_tuning_qr,
                                            .needs = {"mn l1", "2lb 2bn 2fn"}},
                        tw_routine_gelqf = {.name = "gelqf",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tau)),
                                            .check = check,
                                            .loop = lq,
                                            .flops = flops_lq,
                                            .tuning = &tw_tuning_qr,
                                            .needs = {"mn l1", "2lb 2mb 2mf"}};

int tw_geqrf(tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_geqrf, &(struct args){A, tau});
}

int tw_geqrf_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geqrf, seq, &(struct args){A, tau});
}

int tw_gelqf(tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_gelqf, &(struct args){A, tau});
}

int tw_gelqf_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gelqf, seq, &(struct args){A, tau});
}
