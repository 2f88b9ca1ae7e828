/* Solve op(A) X = alpha B or X op(A) = alpha B, A triangular, X over B: right-looking on cores, where the longest way
 * counts; on GPUs, where tiles have to travel, tile by tile in growing squares of X.
 *
 * alpha goes into the first thing that happens to each tile of B: the solve of the first row (column) of tiles, or
 * the first update of the others. */
#include "algorithms/dense/dense_loops.h"
#include "algorithms/dense/squares.h"
#include "runtime/data/travel.h"

struct args {
    enum tw_side side;
    enum tw_uplo uplo;
    enum tw_trans trans;
    enum tw_diag diag;
    tw_scalar alpha;
    struct tw_matrix *A, *B;
};

#define B(i, j) tw_tile(B, i, j)
/* Tile (i, j) of op(A), before its own transposition. */
#define OP(i, j) (trans == TW_NOTRANS ? tw_tile(A, i, j) : tw_tile(A, j, i))

/* op(A) is block lower triangular: solve from the top down; else from the bottom up. Row r is the s-th to be solved.
 * The rows below wait for (mt-1-s) more solves and updates: that is the bottom level. */
static void left(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_scalar alpha,
                 struct tw_matrix *A, struct tw_matrix *B, int final)
{
    const int down = (uplo == TW_LOWER) == (trans == TW_NOTRANS), mt = B->mt;
    const struct tw_costs c = tw_costs_of(B);
    const double total = mt * (c.trsm + c.gemm);

    for (int s = 0; s < mt && !tw_loop_status(seq); s++) {
        const int r = down ? s : mt - 1 - s;
        const tw_scalar first = s == 0 ? alpha : tw_one;
        const double level = c.trsm + (mt - 1 - s) * (c.trsm + c.gemm);
        for (int j = 0; j < B->nt; j++) {
            tw_task_trsm(seq, tw_priority(seq, level, total, 1), 'L', (char)uplo, (char)trans, (char)diag, first,
                         tw_tile(A, r, r), B(r, j));
            if (final) tw_bring_home(seq, B(r, j));
        }
        for (int q = s + 1; q < mt; q++) {
            const int i = down ? q : mt - 1 - q;
            const double later = (q - s) * c.gemm + c.trsm + (mt - 1 - q) * (c.trsm + c.gemm);
            for (int j = 0; j < B->nt; j++)
                tw_task_gemm(seq, tw_priority(seq, later, total, 0), (char)trans, 'N', tw_minus_one, OP(i, r), B(r, j),
                             first, B(i, j));
        }
    }
}

/* The same with columns: op(A) upper triangular goes from the left to the right. */
static void right(struct tw_sequence *seq, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag, tw_scalar alpha,
                  struct tw_matrix *A, struct tw_matrix *B, int final)
{
    const int forward = (uplo == TW_UPPER) == (trans == TW_NOTRANS), nt = B->nt;
    const struct tw_costs c = tw_costs_of(B);
    const double total = nt * (c.trsm + c.gemm);

    for (int s = 0; s < nt && !tw_loop_status(seq); s++) {
        const int r = forward ? s : nt - 1 - s;
        const tw_scalar first = s == 0 ? alpha : tw_one;
        const double level = c.trsm + (nt - 1 - s) * (c.trsm + c.gemm);
        for (int i = 0; i < B->mt; i++) {
            tw_task_trsm(seq, tw_priority(seq, level, total, 1), 'R', (char)uplo, (char)trans, (char)diag, first,
                         tw_tile(A, r, r), B(i, r));
            if (final) tw_bring_home(seq, B(i, r));
        }
        for (int q = s + 1; q < nt; q++) {
            const int j = forward ? q : nt - 1 - q;
            const double later = (q - s) * c.gemm + c.trsm + (nt - 1 - q) * (c.trsm + c.gemm);
            for (int i = 0; i < B->mt; i++)
                tw_task_gemm(seq, tw_priority(seq, later, total, 0), 'N', (char)trans, tw_minus_one, B(i, r), OP(r, j),
                             first, B(i, j));
        }
    }
}

/* ---- by squares of X --------------------------------------------------------------------------------------------- */

/* One call, a's; forward: lines are solved from the first one to the last. */
struct solve {
    struct tw_sequence *seq;
    struct args a;
    int forward;
};

/* Where line q, in the order of solving, lies: B's row q (left) or column q. */
static int line(const struct solve *s, int q)
{
    const int lines = s->a.side == TW_LEFT ? s->a.B->mt : s->a.B->nt;
    return s->forward ? q : lines - 1 - q;
}
/* The tile of X that the squares tell, whose rows (left) or columns are in the order of solving. */
static struct tw_data *solution(const struct solve *s, int i, int j)
{
    return s->a.side == TW_LEFT ? tw_tile(s->a.B, line(s, i), j) : tw_tile(s->a.B, i, line(s, j));
}
/* What line p adds to line q goes through this tile of A. */
static struct tw_data *factor(const struct solve *s, int q, int p)
{
    const int to = line(s, q), from = line(s, p);
    return (s->a.side == TW_LEFT) == (s->a.trans == TW_NOTRANS) ? tw_tile(s->a.A, to, from) : tw_tile(s->a.A, from, to);
}

/* All that makes one tile of X: a line needs those before it. */
static void one_tile(const struct solve *s, const struct tw_squares *t, int final)
{
    const int left = s->a.side == TW_LEFT, q = left ? t->i : t->j, lines = left ? t->mt : t->nt;
    const double level = t->steps - t->step - (double)q / lines;
    struct tw_data *X = solution(s, t->i, t->j);

    for (int p = 0; p < q; p++) {
        const int priority = tw_priority(s->seq, level, t->steps, 0);
        const tw_scalar beta = p == 0 ? s->a.alpha : tw_one;
        struct tw_data *before = left ? solution(s, p, t->j) : solution(s, t->i, p);
        if (left)
            tw_task_gemm(s->seq, priority, (char)s->a.trans, 'N', tw_minus_one, factor(s, q, p), before, beta, X);
        else
            tw_task_gemm(s->seq, priority, 'N', (char)s->a.trans, tw_minus_one, before, factor(s, q, p), beta, X);
    }
    tw_task_trsm(s->seq, tw_priority(s->seq, level, t->steps, 1), (char)s->a.side, (char)s->a.uplo, (char)s->a.trans,
                 (char)s->a.diag, q == 0 ? s->a.alpha : tw_one, factor(s, q, q), X);
    if (final) tw_bring_home(s->seq, X);
}

/* Up to that step, B's tiles, and A's of each line with its first one. */
static void fetch(const struct solve *s, struct tw_squares *ahead, int step)
{
    while (ahead->step < step && tw_squares_next(ahead)) {
        const int left = s->a.side == TW_LEFT, q = left ? ahead->i : ahead->j;
        for (int p = 0; p <= q && (left ? ahead->j : ahead->i) == 0; p++)
            tw_fetch_tile(s->seq, factor(s, q, p), ahead->step);
        tw_fetch_tile(s->seq, solution(s, ahead->i, ahead->j), ahead->step);
    }
}

static void by_squares(const struct solve *s, int final)
{
    struct tw_squares t = tw_squares_begin(s->seq, s->a.B, 'G', 1), ahead = t;
    const int fetches = tw_fetch_helps(s->seq, (const struct tw_matrix *[]){s->a.A, s->a.B}, 2);

    while (tw_squares_next(&t) && !tw_loop_status(s->seq)) {
        if (fetches && ahead.step < t.step + 2) fetch(s, &ahead, 2 * t.step + 4);
        one_tile(s, &t, final);
    }
}

void tw_trsm_loop(struct tw_sequence *seq, enum tw_side side, enum tw_uplo uplo, enum tw_trans trans, enum tw_diag diag,
                  tw_scalar alpha, struct tw_matrix *A, struct tw_matrix *B, int final)
{
    const int to_the_left = side == TW_LEFT, several = to_the_left ? B->nt > 1 : B->mt > 1;
    const int forward = ((uplo == TW_LOWER) == (trans == TW_NOTRANS)) == to_the_left;

    if (tw_is(B->type, alpha, 0))
        tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, B); /* A is not read, nor is B */
    else if (several && tw_travels() > 0)
        by_squares(&(struct solve){seq, {side, uplo, trans, diag, alpha, A, B}, forward}, final);
    else
        (to_the_left ? left : right)(seq, uplo, trans, diag, alpha, A, B, final);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *B = tw_facing(seq, a->side, a->A, a->B);

    if (B) tw_trsm_loop(seq, a->side, a->uplo, a->trans, a->diag, a->alpha, a->A, B, B == a->B);
    tw_retiled_end(seq, a->B, B, 1);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A, *B = a->B;

    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, tw_bad_trans(a->trans));
    TW_CHECK(who, 4, tw_bad_diag(a->diag));
    TW_CHECK(who, 6, tw_bad_triangle(A, a->uplo));
    TW_CHECK(who, 7, tw_bad_general(B));
    TW_CHECK(who, 7, tw_bad_pair(A, B));
    TW_CHECK(who, 7, A->n != (a->side == TW_LEFT ? B->m : B->n) ? "its shape does not fit A's" : NULL);
    TW_CHECK(who, 7, tw_shares(A, B) ? "it is the matrix A itself" : NULL);
    return B->m == 0 || B->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_trsm(a->B->type, (char)a->side, (double)a->B->m, (double)a->B->n);
}

const struct tw_routine tw_routine_trsm = {.name = "trsm",
                                           .arguments = 7,
                                           .size = sizeof(struct args),
                                           .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                           .check = check,
                                           .loop = loop,
                                           .flops = flops,
                                           .tuning = &tw_tuning_solve,
                                           .needs = {"Tmm mn"}};

int tw_trsm(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
            tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_trsm, &(struct args){side, uplo, transa, diag, alpha, A, B});
}

int tw_trsm_async(enum tw_side side, enum tw_uplo uplo, enum tw_trans transa, enum tw_diag diag, tw_scalar alpha,
                  tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_trsm, seq, &(struct args){side, uplo, transa, diag, alpha, A, B});
}
