/* Singular values and vectors of a real bidiagonal matrix: values alone, and by divide and conquer with vectors of both
 * sides, what the tree of algorithms/eigen/dc.c does with one. */
#include "algorithms/eigen/dc.h"
#include "algorithms/svd/svd_loops.h"

/* Parts but the last one have a last row of zeros. */
static int null_of(const struct tw_dc *t, const struct tw_dc_subproblem *p)
{
    return p->first + p->n < t->n;
}

static void begin(struct tw_sequence *seq, int priority, const struct tw_dc *t)
{
    tw_task_laed0_tear(seq, priority, t->n, t->d, t->e, t->norm); /* nothing is cut: merges look for what they add */
}
static void leaf(struct tw_sequence *seq, int priority, const struct tw_dc *t, const struct tw_dc_subproblem *p)
{
    tw_task_lasd0(seq, priority, p->first, null_of(t, p), t->d, t->e, p->d, p->Q[0].piece[0], p->Q[1].piece[0],
                  tw_info(seq));
}
static void deflate(struct tw_sequence *seq, int priority, const struct tw_dc *t, const struct tw_dc_subproblem *p,
                    const struct tw_dc_subproblem *first, const struct tw_dc_subproblem *second)
{
    tw_task_lasd2(seq, priority, second->first, null_of(t, p), t->d, t->e, first->d, second->d, p->z[0], p->z[1],
                  p->head, p->plan, p->numbers);
}
static int skip(const struct tw_dc *t, const struct tw_dc_subproblem *p, int side)
{
    return side == 0 && null_of(t, p);
}
static void order(struct tw_sequence *seq, int priority, const struct tw_dc *t, struct tw_data *to,
                  struct tw_data *window, int k, int width)
{
    tw_task_lasd0_order(
        seq, priority, t->scale, t->part[0].d, t->e, t->norm,
        &(struct tw_lasd_order){t->first, t->count, t->n - t->first, t->w, t->superb, to, window, k, width},
        tw_info(seq));
}

static const struct tw_dc_method method = {.name = "bdsdc",
                                           .sides = 2,
                                           .begin = begin,
                                           .leaf = leaf,
                                           .deflate = deflate,
                                           .roots = tw_task_lasd4,
                                           .skip = skip,
                                           .vectors = tw_task_lasd3,
                                           .order = order};

static void values(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, int first, int count,
                   double *s, double *superb)
{
    const int priority = tw_priority(seq, 1, 2, 1);
    const char *const before = tw_loop_in_stage(seq, "solve");
    struct tw_data *norm = tw_data_vector(1, sizeof(double), (const int[2]){-1, -1});

    if (norm) {
        tw_task_laed0_tear(seq, priority, d->m, d, e, norm);
        tw_task_lasq1(seq, priority, d, e, tw_info(seq));
        tw_task_lasd0_order(seq, priority, scale, d, e, norm,
                            &(struct tw_lasd_order){.first = first, .values = count, .s = s, .superb = superb},
                            tw_info(seq));
        tw_data_free_later(norm);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a bidiagonal matrix of order %d", d->m);
    }
    (void)tw_loop_in_stage(seq, before);
}

void tw_bdsdc_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, double *s,
                   double *superb, struct tw_matrix *U, struct tw_matrix *V)
{
    if (U || V)
        tw_dc_loop(seq, &method,
                   &(struct tw_dc_problem){.scale = scale, .d = d, .e = e, .w = s, .superb = superb, .S = {U, V}});
    else
        values(seq, scale, d, e, 0, d->m, s, superb);
}

void tw_bdsdc_some_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                        tw_int count, double *s, struct tw_matrix *U, struct tw_matrix *V)
{
    if (U || V)
        tw_dc_loop(seq, &method,
                   &(struct tw_dc_problem){.scale = scale, .d = d, .e = e, .first = (int)first, .S = {U, V}});
    else
        values(seq, scale, d, e, (int)first, (int)count, s, NULL);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

struct args {
    enum tw_uplo uplo;
    tw_int n;
    const double *d, *e;
    double *s;
    struct tw_matrix *U, *Vt;
};

static enum tw_type type_of(const struct args *a)
{
    return a->U ? a->U->type : a->Vt ? a->Vt->type : TW_DOUBLE;
}

/* A lower bidiagonal matrix is an upper one's transpose: V and U. */
static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    const int lower = a->uplo == TW_LOWER;
    const struct tw_svd_side side[2] = {{lower ? a->Vt : a->U, a->n, lower, NULL},
                                        {lower ? a->U : a->Vt, a->n, !lower, NULL}};
    struct tw_matrix *Z[2] = {NULL, NULL};
    struct tw_tridiagonal t;
    int sound = !tw_tridiagonal_begin(seq, &t, type_of(a), a->n, a->d, a->e, a->s);

    for (int k = 0; sound && k < 2; k++) {
        if (!side[k].to) continue;
        Z[k] = tw_matrix_temporary(type_of(a), a->n, a->n, a->n, tw_columns_of_block(a->n));
        if (!Z[k])
            tw_loop_fail(seq, TW_E_MEMORY, "singular vectors of order %lld: %s", (long long)a->n, tw_last_message());
        sound = Z[k] != NULL;
    }
    if (sound) tw_bdsdc_loop(seq, 1, t.d, t.e, a->s, NULL, Z[0], Z[1]);
    for (int k = 0; k < 2; k++) {
        if (!Z[k]) continue;
        if (sound)
            tw_leave_side(seq, &side[k], Z[k]);
        else
            tw_matrix_free_later(Z[k]);
    }
    tw_tridiagonal_end(&t);
}

static const char *bad_vectors(const struct args *a, const struct tw_matrix *U)
{
    const char *why = U ? tw_bad_general(U) : NULL;
    return why ? why : U && (U->m != a->n || U->n != a->n) ? "it is not n x n" : NULL;
}

/* Both sides of a merge and of its halves, and what goes home. */
static double bytes(enum tw_type type, double order)
{
    return (4.5 * (double)tw_sizeof(tw_real_type(type)) + 2 * (double)tw_sizeof(type)) * order * order;
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return s->k > 0 ? bytes(s->type, (double)s->n) : 0;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, a->uplo == TW_UPPER || a->uplo == TW_LOWER ? NULL : "neither TW_UPPER nor TW_LOWER");
    TW_CHECK(who, 2, a->n < 0 ? "negative" : a->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 3, a->d || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 4, a->e || a->n <= 1 ? NULL : "NULL");
    TW_CHECK(who, 5, a->s || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 6, bad_vectors(a, a->U));
    TW_CHECK(who, 7, bad_vectors(a, a->Vt));
    TW_CHECK(who, 7, a->U && a->U == a->Vt ? "it is U, too" : NULL);
    TW_CHECK(who, 7, a->U && a->Vt && a->U->type != a->Vt->type ? "its type differs from U's" : NULL);
    if (a->n == 0) return TW_NOTHING;
    if ((e = tw_stedc_leaf(&(tw_int){0})) || (!a->U && !a->Vt)) return e;
    return tw_eigen_memory(who, bytes(type_of(a), (double)a->n), NULL, a->U, a->Vt);
}

/* Without deflation. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->n;
    return a->U || a->Vt ? 8 * n * n * n / 3 : 20 * n * n;
}

const struct tw_routine tw_routine_bdsdc = {.name = "bdsdc",
                                            .arguments = 7,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, Vt)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "nk kn", .own_bytes = own_bytes}};

int tw_bdsdc(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *U, tw_matrix *Vt)
{
    return tw_run(&tw_routine_bdsdc, &(struct args){uplo, n, d, e, s, U, Vt});
}
int tw_bdsdc_async(enum tw_uplo uplo, tw_int n, const double *d, const double *e, double *s, tw_matrix *U,
                   tw_matrix *Vt, tw_sequence *seq)
{
    return tw_queue(&tw_routine_bdsdc, seq, &(struct args){uplo, n, d, e, s, U, Vt});
}
