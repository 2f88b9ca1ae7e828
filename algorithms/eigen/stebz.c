/* Some eigenvalues of a symmetric tridiagonal matrix by bisection: LAPACK's stebz. What is wanted is counted first;
 * groups of eigenvalues are then tasks that need nothing of one another. How many there are, the same on every machine,
 * depends on the number of eigenvalues alone. */
#include <math.h>
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/stebz_tasks.h"
#include "codelets/eigen/stedc_tasks.h"
#include "runtime/task/when.h"

enum { GROUP = 64 }; /* at least so many a task, but for the last */

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

struct bisection {
    struct tw_stebz_data x;
    struct tw_bisection to;
    tw_int count; /* of wanted ones, as far as that is known before */
    double scale;
    char order;
};
static void release(void *args)
{
    const struct bisection *b = args;
    if (b->x.T) tw_data_free_later(b->x.T);
    if (b->x.blocks) tw_data_free_later(b->x.blocks);
    if (b->x.head) tw_data_free_later(b->x.head);
}

/* Of an infinite T, or where what made it has failed, nothing is wanted. */
static void with_head(struct tw_sequence *seq, const void *value, void *args)
{
    const struct tw_stebz_head *head = value;
    const struct bisection *b = args;
    const int total = (int)head->total, least = (total + TW_STEBZ_PIECES - 1) / TW_STEBZ_PIECES,
              each = (int)tw_max(GROUP, (least + GROUP - 1) / GROUP * GROUP);
    const struct tw_stebz_results to = {b->to.w, b->to.iblock, b->to.isplit};
    struct tw_data *piece[TW_STEBZ_PIECES];
    int pieces = 0, sound = 1;

    for (tw_int i = 0; i < b->count && head->blocks == 0; i++)
        b->to.w[i] = NAN;
    if (b->to.m) *b->to.m = head->wanted;
    if (b->to.nsplit) *b->to.nsplit = head->blocks;
    for (int first = 0; first < total && sound; first += each) {
        piece[pieces] = tw_data_vector(tw_min(each, total - first), sizeof(double), (const int[2]){-1, -1});
        sound = piece[pieces] != NULL;
        if (sound) tw_task_stebz(seq, tw_priority(seq, 1, 2, 1), first, &b->x, piece[pieces++]);
    }
    if (!sound)
        tw_loop_fail(seq, TW_E_MEMORY, "stebz: no memory for %d eigenvalues", total);
    else if (head->blocks > 0)
        tw_task_stebz_end(seq, tw_priority(seq, 1, 2, 1), head, b->order, b->scale, &b->x, piece, pieces, &to);
    for (int p = 0; p < pieces; p++)
        tw_data_free_later(piece[p]);
}

void tw_stebz_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e,
                   const struct tw_wanted *wanted, double abstol, char order, const struct tw_bisection *to)
{
    const int nowhere[2] = {-1, -1};
    const tw_int n = d->m;
    const tw_int count = tw_wanted_at_least(wanted->which, n, wanted->il, wanted->iu);
    const struct tw_stebz_head modelled = {1, count, 0, count};
    struct bisection b = {.to = *to, .count = count, .scale = scale, .order = order};
    const char *before;

    b.x.T = tw_data_vector(tw_stebz_length(n), sizeof(double), nowhere);
    b.x.blocks = tw_data_vector_of(TW_INT32, 3 * (size_t)n, nowhere);
    b.x.head = tw_data_vector_of(TW_INT64, sizeof modelled / sizeof(int64_t), nowhere);
    if (!b.x.T || !b.x.blocks || !b.x.head) {
        tw_loop_fail(seq, TW_E_MEMORY, "stebz: no memory for order %lld", (long long)n);
        release(&b);
        return;
    }
    before = tw_loop_in_stage(seq, "solve");
    tw_task_stebz_begin(seq, tw_priority(seq, 2, 2, 1), wanted, abstol, d, e, &b.x, tw_info(seq));
    tw_when_owning(seq, b.x.head, &modelled, NULL, 0, with_head, release, &b, sizeof b);
    (void)tw_loop_in_stage(seq, before);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

struct args {
    struct tw_wanted wanted;
    enum tw_order order;
    enum tw_type type;
    tw_int n;
    double abstol;
    const double *d, *e;
    struct tw_bisection to;
};

/* LAPACK's info where no eigenvalue was computed. */
enum { NONE_COMPUTED = 4 };

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    struct tw_tridiagonal t;

    if (tw_tridiagonal_bad(a->type, a->n, a->d, a->e)) {
        if (a->to.nsplit) *a->to.nsplit = 0;
        tw_loop_info(seq, NONE_COMPUTED);
        return;
    }
    if (!tw_tridiagonal_begin(seq, &t, a->type, a->n, a->d, a->e, NULL))
        tw_stebz_loop(seq, 1, t.d, t.e, &a->wanted, a->abstol, (char)a->order, &a->to);
    tw_tridiagonal_end(&t);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_which(a->wanted.which));
    TW_CHECK(who, 2, a->order == TW_ENTIRE || a->order == TW_BY_BLOCKS ? NULL : "neither TW_ENTIRE nor TW_BY_BLOCKS");
    TW_CHECK(who, 3, a->n < 0 ? "negative" : a->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    if ((e = tw_check_wanted(who, 4, &a->wanted, a->n))) return e;
    TW_CHECK(who, 8, isnan(a->abstol) ? "it is no number" : NULL);
    TW_CHECK(who, 9, a->d || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 10, a->e || a->n <= 1 ? NULL : "NULL");
    TW_CHECK(who, 11, a->to.m ? NULL : "NULL");
    TW_CHECK(who, 13, a->to.w || a->n == 0 ? NULL : "NULL");
    *a->to.m = 0;
    if (a->to.nsplit) *a->to.nsplit = 0;
    return a->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *args)
{
    const struct args *a = args;
    return tw_flops_stebz((double)a->n, (double)tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu));
}

const struct tw_routine tw_routine_stebz = {.name = "stebz",
                                            .arguments = 15,
                                            .size = sizeof(struct args),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {""}};

int tw_stebz(enum tw_which which, enum tw_order order, tw_int n, double vl, double vu, tw_int il, tw_int iu,
             double abstol, const double *d, const double *e, tw_int *m, tw_int *nsplit, double *w, tw_int *iblock,
             tw_int *isplit)
{
    return tw_run(
        &tw_routine_stebz,
        &(struct args){{which, vl, vu, il, iu}, order, TW_DOUBLE, n, abstol, d, e, {m, nsplit, w, iblock, isplit}});
}
int tw_stebz_async(enum tw_which which, enum tw_order order, tw_int n, double vl, double vu, tw_int il, tw_int iu,
                   double abstol, const double *d, const double *e, tw_int *m, tw_int *nsplit, double *w,
                   tw_int *iblock, tw_int *isplit, tw_sequence *seq)
{
    return tw_queue(
        &tw_routine_stebz, seq,
        &(struct args){{which, vl, vu, il, iu}, order, TW_DOUBLE, n, abstol, d, e, {m, nsplit, w, iblock, isplit}});
}
int tw_stebz_single(enum tw_which which, enum tw_order order, tw_int n, double vl, double vu, tw_int il, tw_int iu,
                    double abstol, const double *d, const double *e, const struct tw_bisection *to)
{
    return tw_run(&tw_routine_stebz, &(struct args){{which, vl, vu, il, iu}, order, TW_FLOAT, n, abstol, d, e, *to});
}
