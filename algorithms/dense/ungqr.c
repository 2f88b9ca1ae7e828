/* Q itself, over the factors: the first n columns of a QR factorization's Q (ungqr, orgqr), the first m rows of an LQ
 * factorization's (unglq, orglq), as LAPACK's orgqr from the last block to the first.
 *
 * Before block b comes, what is to the right of its block column is that part of the identity times the later blocks.
 * Block b is applied to it, reading V where it lies; then its own block column, of which no task needs V any more,
 * becomes that of the identity less V T V^H's. */
#include "algorithms/dense/reflectors.h"

struct form {
    struct tw_reflectors r;
    struct tw_target t;
    struct tw_matrix *A, *tau;
    int priority;
};

/* Line `line` and the i-th tile in it: a block column of QR's Q, a block row of LQ's. */
static struct tw_data *tile(const struct form *f, int i, int line)
{
    return f->r.storev == 'C' ? tw_tile(f->A, i, line) : tw_tile(f->A, line, i);
}

/* A line of the identity, its tiles from `from` to before `to`. */
static void identity(const struct form *f, int line, int from, int to)
{
    for (int i = from; i < to; i++)
        tw_task_laset(f->r.seq, f->priority, 'G', tw_zero, i == line ? tw_one : tw_zero, tile(f, i, line));
}

/* W is T times the adjoint of V's first rows (LQ: its adjoint); the line is the identity's less V W. W is triangular,
 * so that V's tiles become Q's in place. */
static void own_line(const struct form *f, int b)
{
    struct tw_data *W = tw_target_work(&f->t, &f->r, b, b, 1), *front = f->r.front[b], *T = f->r.T[b];
    const int columns = f->r.storev == 'C';

    if (columns)
        tw_task_gemm(f->r.seq, f->priority, 'N', 'C', tw_one, T, front, tw_zero, W);
    else
        tw_task_gemm(f->r.seq, f->priority, 'C', 'C', tw_one, front, T, tw_zero, W);
    identity(f, b, 0, b + 1);
    tw_task_gemm(f->r.seq, f->priority, 'N', 'N', tw_minus_one, columns ? front : W, columns ? W : front, tw_one,
                 tile(f, b, b));
    for (int i = b + 1; i < tw_reflectors_length(&f->r); i++)
        tw_task_trmm(f->r.seq, f->priority, columns ? 'R' : 'L', columns ? 'U' : 'L', 'N', 'N', tw_minus_one, W,
                     tile(f, i, b));
}

static void form(struct form *f)
{
    const int lines = tw_target_lines(&f->t), blocks = f->r.blocks, length = tw_reflectors_length(&f->r);
    const char op = f->r.storev == 'C' ? 'N' : 'C';

    f->priority = tw_priority(f->r.seq, 1, 1, 0);
    for (int j = blocks; j < lines; j++)
        identity(f, j, 0, length);
    for (int b = blocks - 1; b >= 0 && !tw_loop_status(f->r.seq); b--) {
        const double level = (b + 1) * tw_reflect_cost(&f->r, 0), total = blocks * tw_reflect_cost(&f->r, 0);
        f->priority = tw_priority(f->r.seq, level, total, 0);
        if (tw_reflectors_form(&f->r, b, f->tau, tw_priority(f->r.seq, level, total, 1))) return;
        for (int j = b + 1; j < lines; j++)
            tw_reflect(&f->r, b, op, &f->t, j, f->priority);
        if (tw_reflectors_width(&f->r, b) == (f->r.storev == 'C' ? tw_tile_cols(f->A, b) : tw_tile_rows(f->A, b))) {
            own_line(f, b);
        } else { /* fewer reflectors than columns: V was copied */
            identity(f, b, 0, length);
            tw_reflect(&f->r, b, op, &f->t, b, f->priority);
        }
    }
    for (int j = 0; j < lines; j++)
        for (int i = 0; i < length; i++)
            tw_bring_home(f->r.seq, tile(f, i, j));
}

/* The blocks that f has made are r's as well. */
void tw_form_q_loop(struct tw_reflectors *r, struct tw_matrix *tau)
{
    struct form f = {.r = *r, .A = r->A, .tau = tau};

    if (!tw_target_begin(&f.t, &f.r, r->storev == 'C' ? 'L' : 'R', f.A)) form(&f);
    tw_target_end(&f.t);
    *r = f.r;
}

struct args {
    struct tw_matrix *A, *tau;
};

static void run(struct tw_sequence *seq, char storev, const struct args *a)
{
    struct form f = {.A = tw_retiled(seq, a->A, a->A->nb, a->A->nb), .tau = a->tau};

    if (!f.A) return;
    if (!tw_reflectors_begin(seq, &f.r, storev, f.A, a->tau->m) &&
        !tw_target_begin(&f.t, &f.r, storev == 'C' ? 'L' : 'R', f.A))
        form(&f);
    tw_target_end(&f.t);
    tw_reflectors_end(&f.r);
    tw_retiled_end(seq, a->A, f.A, 1);
}
static void qr(struct tw_sequence *seq, void *p)
{
    run(seq, 'C', p);
}
static void lq(struct tw_sequence *seq, void *p)
{
    run(seq, 'R', p);
}

static int check(const char *who, const struct args *a, char storev)
{
    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, storev == 'C' && a->A->m < a->A->n ? "it has more columns than rows" : NULL);
    TW_CHECK(who, 1, storev == 'R' && a->A->m > a->A->n ? "it has more rows than columns" : NULL);
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL);
    TW_CHECK(who, 2, tw_bad_tau(a->tau, a->A));
    TW_CHECK(who, 2, a->tau->m > tw_min(a->A->m, a->A->n) ? "it has more than min(m, n) rows" : NULL);
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}
static int check_qr(const char *who, void *p)
{
    return check(who, p, 'C');
}
static int check_lq(const char *who, void *p)
{
    return check(who, p, 'R');
}

static double flops(const void *p)
{
    const struct args *a = p;
    return tw_flops_ungqr(a->A->type, (double)tw_max(a->A->m, a->A->n), (double)tw_min(a->A->m, a->A->n),
                          (double)a->tau->m);
}

const struct tw_routine tw_routine_ungqr = {.name = "ungqr",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, tau)),
                                            .check = check_qr,
                                            .loop = qr,
                                            .flops = flops,
                                            .needs = {"mn l1", "2lb 2bn 2fn"}},
                        tw_routine_unglq = {.name = "unglq",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_R, tau)),
                                            .check = check_lq,
                                            .loop = lq,
                                            .flops = flops,
                                            .needs = {"mn l1", "2lb 2bm 2fm"}};

int tw_ungqr(tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_ungqr, &(struct args){A, tau});
}

int tw_ungqr_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_ungqr, seq, &(struct args){A, tau});
}

int tw_unglq(tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_unglq, &(struct args){A, tau});
}

int tw_unglq_async(tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unglq, seq, &(struct args){A, tau});
}
