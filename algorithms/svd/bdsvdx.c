/* Some singular values of a real bidiagonal matrix, with their vectors or without: LAPACK's bdsvdx. Values by bisection
 * of the Golub-Kahan form, each to high relative accuracy, in groups that need nothing of one another; where many are
 * wanted, dqds finds them all in less time. Vectors by divide and conquer, whose last merge forms those that are wanted
 * and no others: unlike inverse iteration's, which LAPACK's has, they are orthogonal to rounding however near the
 * values are to one another. */
#include <math.h>
#include "algorithms/svd/svd_loops.h"
#include "runtime/task/when.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

static struct tw_data *copy_of(struct tw_sequence *seq, struct tw_data *x)
{
    struct tw_data *y = tw_data_vector_of(x->type, (size_t)x->m, (int[2]){-1, -1});

    if (y) tw_task_lacpy_block(seq, tw_priority(seq, 2, 2, 1), &(struct tw_block){.m = x->m, .n = 1}, x, y, 1);
    return y;
}

static void by_dqds(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                    tw_int count, double *s)
{
    struct tw_tridiagonal t = {copy_of(seq, d), copy_of(seq, e)};

    if (t.d && t.e)
        tw_bdsdc_some_loop(seq, scale, t.d, t.e, first, count, s, NULL, NULL);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a bidiagonal matrix of order %d", d->m);
    tw_tridiagonal_end(&t);
}

static void by_bisection(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                         tw_int count, double *s)
{
    const char *const before = tw_loop_in_stage(seq, "solve");
    struct tw_data *chain = tw_data_vector(tw_bdsvdx_chain_length(d->m), sizeof(double), (int[2]){-1, -1});

    if (chain) {
        tw_task_bdsvdx_chain(seq, tw_priority(seq, 2, 2, 1), d, e, chain, tw_info(seq));
        tw_task_bdsvdx_values(seq, tw_priority(seq, 1, 2, 1), scale, chain, (int)first, (int)count, s);
        tw_data_free_later(chain);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for a bidiagonal matrix of order %d", d->m);
    }
    (void)tw_loop_in_stage(seq, before);
}

/* A GPU's dqds is bisection of all of them side by side. */
void tw_bdsvdx_values_loop(struct tw_sequence *seq, double scale, struct tw_data *d, struct tw_data *e, tw_int first,
                           tw_int count, double *s)
{
    (tw_gpus() == 0 && count <= d->m / 8 ? by_bisection : by_dqds)(seq, scale, d, e, first, count, s);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

struct args {
    enum tw_uplo uplo;
    struct tw_wanted wanted;
    tw_int n;
    const double *d, *e;
    tw_int *ns;
    double *s;
    struct tw_matrix *U, *Vt;
    int columns; /* vectors of the right side are the columns of Vt, not its rows */
};

static enum tw_type type_of(const struct args *a)
{
    return a->U ? a->U->type : a->Vt ? a->Vt->type : TW_DOUBLE;
}

int tw_too_many_singular(struct tw_sequence *seq, tw_int room, tw_int count)
{
    if (count <= room) return 0;
    tw_loop_fail(seq, TW_E_MEMORY,
                 "the interval holds %lld singular values, and a matrix for vectors has room for %lld",
                 (long long)count, (long long)room);
    return 1;
}

/* A lower bidiagonal matrix is an upper one's transpose: V and U. */
static void vectors(struct tw_sequence *seq, const struct args *a, struct tw_tridiagonal *t, tw_int first, tw_int count)
{
    const int lower = a->uplo == TW_LOWER;
    const struct tw_svd_side left = {a->U, count, 0, NULL}, right = {a->Vt, count, !a->columns, NULL},
                             side[2] = {lower ? right : left, lower ? left : right};
    struct tw_matrix *Z[2] = {NULL, NULL};
    int sound = 1;

    for (int k = 0; sound && k < 2; k++) {
        if (!side[k].to) continue;
        Z[k] = tw_matrix_temporary(type_of(a), a->n, count, a->n, tw_columns_of_block(count));
        sound = Z[k] != NULL;
    }
    if (sound)
        tw_bdsdc_some_loop(seq, 1, t->d, t->e, first, count, NULL, Z[0], Z[1]);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "singular vectors of order %lld: %s", (long long)a->n, tw_last_message());
    for (int k = 0; k < 2; k++) {
        if (!Z[k]) continue;
        if (sound)
            tw_leave_side(seq, &side[k], Z[k]);
        else
            tw_matrix_free_later(Z[k]);
    }
}

static void solve(struct tw_sequence *seq, const struct args *a, struct tw_tridiagonal *t, tw_int first, tw_int count)
{
    const tw_int room = tw_min(a->U ? a->U->n : INT64_MAX, !a->Vt ? INT64_MAX : a->columns ? a->Vt->n : a->Vt->m);

    *a->ns = count;
    if (tw_too_many_singular(seq, room, count) || count <= 0) return;
    tw_bdsvdx_values_loop(seq, 1, t->d, t->e, first, count, a->s);
    if (a->U || a->Vt) vectors(seq, a, t, first, count);
}

struct counting {
    struct args a;
    struct tw_tridiagonal t;
};
static void release(void *args)
{
    tw_tridiagonal_end(&((struct counting *)args)->t);
}
static void counted(struct tw_sequence *seq, const void *value, void *args)
{
    const int64_t *found = value;
    struct counting *c = args;
    solve(seq, &c->a, &c->t, found[0], found[1]);
}

/* The continuation has its own *t then. */
static void count(struct tw_sequence *seq, const struct args *a, struct tw_tridiagonal *t)
{
    const int64_t modelled[2] = {0, tw_max(1, a->n / 10)};
    const struct tw_use uses[] = {{NULL, a->U, TW_RW}, {NULL, a->Vt, TW_RW}};
    const struct counting c = {*a, *t};
    struct tw_data *found = tw_data_vector_of(TW_INT64, 2, (int[2]){-1, -1});

    if (!found) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for two numbers");
        return;
    }
    tw_task_bdsvdx_count(seq, tw_priority(seq, 2, 2, 1), a->wanted.vl, a->wanted.vu, t->d, t->e, found, tw_info(seq));
    tw_when_owning(seq, found, modelled, uses, 2, counted, release, &c, sizeof c);
    tw_data_free_later(found);
    *t = (struct tw_tridiagonal){NULL, NULL};
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    const tw_int known = a->wanted.which == TW_INDICES ? tw_numbers(a->wanted.il, a->wanted.iu) : a->n;
    struct tw_tridiagonal t;

    if (tw_tridiagonal_bad(type_of(a), a->n, a->d, a->e)) {
        for (tw_int i = 0; i < known; i++)
            a->s[i] = NAN;
        tw_loop_info(seq, 2 * a->n + 1);
        return;
    }
    if (!tw_tridiagonal_begin(seq, &t, type_of(a), a->n, a->d, a->e, NULL)) {
        if (a->wanted.which == TW_INTERVAL)
            count(seq, a, &t);
        else
            solve(seq, a, &t, a->wanted.which == TW_INDICES ? a->wanted.il - 1 : 0, known);
    }
    tw_tridiagonal_end(&t);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

int tw_check_singular_range(const char *who, int first, const struct tw_wanted *x, tw_int k)
{
    if (k == 0) return 0;
    if (x->which == TW_INTERVAL) {
        TW_CHECK(who, first, x->vl >= 0 ? NULL : "not vl >= 0");
        TW_CHECK(who, first + 1, x->vl < x->vu ? NULL : "vl < vu does not hold");
    }
    if (x->which == TW_INDICES) {
        TW_CHECK(who, first + 2, x->il < 1 || x->il > k ? "not 1 <= il <= the number of singular values" : NULL);
        TW_CHECK(who, first + 3, x->iu < x->il || x->iu > k ? "not il <= iu <= the number of singular values" : NULL);
    }
    return 0;
}

static const char *bad_vectors(const struct args *a, const struct tw_matrix *U, tw_int rows, tw_int vectors_)
{
    const char *why = tw_bad_general(U);

    if (why) return why;
    return rows != a->n ? "its vectors are not of length n"
           : vectors_ < tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu)
               ? "it has room for too few vectors"
               : NULL;
}

/* Both sides of the last merge's halves, and what goes home. */
static double bytes(enum tw_type type, double n, double columns)
{
    return (double)tw_sizeof(tw_real_type(type)) * n * (2.5 * n + 2 * columns) +
           2 * (double)tw_sizeof(type) * n * columns;
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return s->k > 0 ? bytes(s->type, (double)s->n, (double)s->k) : 0;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const double n = (double)a->n,
                 columns = (double)tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu),
                 real = (double)tw_sizeof(tw_real_type(type_of(a))), size = (double)tw_sizeof(type_of(a));
    int e;

    TW_CHECK(who, 1, a->uplo == TW_UPPER || a->uplo == TW_LOWER ? NULL : "neither TW_UPPER nor TW_LOWER");
    TW_CHECK(who, 2, tw_bad_which(a->wanted.which));
    TW_CHECK(who, 3, a->n < 0 ? "negative" : a->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 4, a->d || a->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->e || a->n <= 1 ? NULL : "NULL");
    if ((e = tw_check_singular_range(who, 6, &a->wanted, a->n))) return e;
    TW_CHECK(who, 10, a->ns ? NULL : "NULL");
    TW_CHECK(who, 11, a->s || a->n == 0 ? NULL : "NULL");
    if (a->U) TW_CHECK(who, 12, bad_vectors(a, a->U, a->U->m, a->U->n));
    if (a->Vt)
        TW_CHECK(who, 13,
                 a->columns ? bad_vectors(a, a->Vt, a->Vt->m, a->Vt->n) : bad_vectors(a, a->Vt, a->Vt->n, a->Vt->m));
    TW_CHECK(who, 13, a->U && a->U == a->Vt ? "it is U, too" : NULL);
    TW_CHECK(who, 13, a->U && a->Vt && a->U->type != a->Vt->type ? "its type differs from U's" : NULL);
    *a->ns = 0;
    if (a->n == 0) return TW_NOTHING;
    if ((e = tw_stedc_leaf(&(tw_int){0})) || (!a->U && !a->Vt)) return e;
    /* both sides of the last merge's halves, and what goes home */
    return tw_eigen_memory(who, real * n * (2.5 * n + 2 * columns) + 2 * size * n * columns, NULL, a->U, a->Vt);
}

/* Without deflation; the last merge is three quarters of it. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->n,
                 columns = (double)tw_wanted_at_least(a->wanted.which, a->n, a->wanted.il, a->wanted.iu);
    return a->U || a->Vt ? 2 * n * n * n / 3 + 2 * n * n * columns : fmin(20 * n * n, 500 * n * columns);
}

static const struct tw_tuning tuning = {.crossover = 256};

const struct tw_routine tw_routine_bdsvdx = {.name = "bdsvdx",
                                             .tuning = &tuning,
                                             .arguments = 13,
                                             .size = sizeof(struct args),
                                             .operand = TW_OPERANDS(TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, Vt)),
                                             .check = check,
                                             .loop = loop,
                                             .flops = flops,
                                             .needs = {.given = "nk kn", .own_bytes = own_bytes}};

int tw_bdsvdx(enum tw_uplo uplo, enum tw_which which, tw_int n, const double *d, const double *e, double vl, double vu,
              tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt)
{
    return tw_run(&tw_routine_bdsvdx, &(struct args){uplo, {which, vl, vu, il, iu}, n, d, e, ns, s, U, Vt, 0});
}
int tw_bdsvdx_async(enum tw_uplo uplo, enum tw_which which, tw_int n, const double *d, const double *e, double vl,
                    double vu, tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt,
                    tw_sequence *seq)
{
    return tw_queue(&tw_routine_bdsvdx, seq, &(struct args){uplo, {which, vl, vu, il, iu}, n, d, e, ns, s, U, Vt, 0});
}
int tw_bdsvdx_columns(enum tw_uplo uplo, struct tw_wanted wanted, tw_int n, const double *d, const double *e,
                      tw_int *ns, double *s, tw_matrix *U, tw_matrix *V)
{
    return tw_run(&tw_routine_bdsvdx, &(struct args){uplo, wanted, n, d, e, ns, s, U, V, 1});
}
