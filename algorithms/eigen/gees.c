/* The Schur form of a general matrix, A = Z T Z^H: behind LAPACK's QR iteration (schur.c) one task brings the
 * eigenvalues that are wanted first (LAPACK's trsen), takes balancing and scaling back, and says how sensitive these
 * eigenvalues and their invariant subspace are. */
#include <math.h>
#include "algorithms/eigen/schur.h"
#include "runtime/base/error.h"

struct args {
    enum tw_jobz jobvs;
    struct tw_gees_order order;
    struct tw_matrix *A;
    struct tw_gees_to to;
    double *wr, *wi;
    struct tw_matrix *VS;
};
struct problem {
    struct tw_schur s;
    struct args a;
};

enum { SMALL = 512 };

static void no_order(const struct tw_gees_to *to)
{
    if (to->sdim) *to->sdim = 0;
    if (to->rconde) *to->rconde = NAN;
    if (to->rcondv) *to->rcondv = NAN;
}

/* Rotations of small matrices leave Z^H Z some n eps away from I, LAPACK's up to 6.6: one Newton-Schulz step, Z := Z -
 * Z (Z^H Z - I) / 2, which costs a few hundredths of the QR iteration, leaves what rounding makes of that sum. Where n
 * is large the n eps are enough by themselves. */
static void orthonormal(struct tw_sequence *seq, struct tw_matrix *Z)
{
    const int priority = tw_priority(seq, 2, 4, 1), n = (int)Z->n;
    struct tw_matrix *before = tw_matrix_temporary(Z->type, n, n, n, n), *E = tw_matrix_temporary(Z->type, n, n, n, n);

    if (before && E) {
        tw_task_lacpy(seq, priority, 'G', tw_only_tile(Z), tw_only_tile(before));
        tw_task_laset(seq, priority, 'G', tw_zero, tw_minus_one, tw_only_tile(E));
        tw_task_herk(seq, priority, 'L', 'C', 1, tw_only_tile(Z), 1, tw_only_tile(E));
        tw_task_symm(seq, priority, 1, 'R', 'L', (tw_scalar){-0.5, 0}, tw_only_tile(E), tw_only_tile(before), tw_one,
                     tw_only_tile(Z));
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "gees: Z of order %d: %s", n, tw_last_message());
    }
    if (before) tw_matrix_free_later(before);
    if (E) tw_matrix_free_later(E);
}

/* Permutations alone: scaling would not leave Z unitary. */
static void with_head(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;
    struct tw_matrix *Z = NULL;

    if (tw_schur_reduce(seq, &p->s, value)) {
        no_order(&p->a.to);
    } else {
        const char *before = tw_loop_in_stage(seq, "order");
        if (p->s.Z) Z = tw_retiled(seq, p->s.Z, p->s.n, p->s.n);
        if (Z || !p->s.Z) {
            tw_task_trsen(seq, tw_priority(seq, 2, 4, 1), &p->s.head, &p->a.order, p->a.wr, p->a.wi, p->a.to,
                          tw_only_tile(p->s.H), tw_only_tile(Z), p->s.scale, p->s.state, tw_info(seq));
            if (Z && p->s.n <= SMALL) orthonormal(seq, Z);
            tw_copy_loop(seq, p->s.H, p->a.A, 1);
            if (Z) tw_copy_loop(seq, Z, p->a.VS, 1);
        }
        if (Z) tw_retiled_end(seq, p->s.Z, Z, 0);
        (void)tw_loop_in_stage(seq, before);
    }
    tw_schur_end(&p->s);
}

static void loop(struct tw_sequence *seq, void *args)
{
    struct problem p = {.a = *(const struct args *)args};
    const struct tw_use uses[] = {{NULL, p.a.A, TW_RW}, {NULL, p.a.VS, TW_RW}};
    const char sense = p.a.order.sense;

    p.s = (struct tw_schur){
        .who = sense != 'N' ? "geesx" : "gees", .vectors = p.a.VS != NULL, .wr = p.a.wr, .wi = p.a.wi};
    if (sense != 'E' && sense != 'B') p.a.to.rconde = NULL;
    if (sense != 'V' && sense != 'B') p.a.to.rcondv = NULL;
    tw_schur_begin(seq, &p.s, sizeof p, p.a.A, 'P', NULL, with_head, uses, p.a.VS ? 2 : 1);
}

/* ---- the routines ------------------------------------------------------------------------------------------------ */

/* `more`: an argument lies before A. */
static int sound(const char *who, const struct args *a, int more)
{
    TW_CHECK(who, 4 + more, tw_bad_square(a->A));
    TW_CHECK(who, 4 + more, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 5 + more, a->to.sdim ? NULL : "NULL");
    TW_CHECK(who, 6 + more, a->wr || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 7 + more, a->wi || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 7 + more, a->wi == a->wr && a->A->n > 0 ? "it is wr, too" : NULL);
    TW_CHECK(who, 8 + more, tw_bad_vectors(a->jobvs, a->A, a->VS));
    return 0;
}

/* H and Z, each of which is copied while it is made; and what makes Z orthogonal once more. */
static double bytes(enum tw_type type, tw_int n, int vectors)
{
    return (vectors ? n <= SMALL ? 6 : 4 : 2) * 2 * tw_sytrd_bytes(type, n);
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return bytes(s->type, s->n, s->k > 0);
}
static int room(const char *who, const struct args *a)
{
    if (a->A->n == 0) {
        *a->to.sdim = 0;
        if (a->to.rconde) *a->to.rconde = 1;
        if (a->to.rcondv) *a->to.rcondv = 0;
        return TW_NOTHING;
    }
    return tw_eigen_memory(who, bytes(a->A->type, a->A->n, a->VS != NULL), a->A, a->VS, NULL);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobvs));
    return (e = sound(who, a, 0)) ? e : room(who, a);
}

static int check_sense(const char *who, void *p)
{
    const struct args *a = p;
    const int values = a->order.sense == TW_SENSE_VALUES || a->order.sense == TW_SENSE_BOTH,
              vectors = a->order.sense == TW_SENSE_VECTORS || a->order.sense == TW_SENSE_BOTH;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobvs));
    TW_CHECK(who, 4, tw_bad_sense(a->order.sense));
    TW_CHECK(who, 4,
             a->order.sense != TW_SENSE_NONE && !a->order.select ? "there is no order, which it is about" : NULL);
    if ((e = sound(who, a, 1))) return e;
    TW_CHECK(who, 10, a->to.rconde || !values ? NULL : "NULL");
    TW_CHECK(who, 11, a->to.rcondv || !vectors ? NULL : "NULL");
    return room(who, a);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double n = (double)a->A->n;
    return tw_flops_gehrd(a->A->type, n) +
           tw_flop_factor(a->A->type) * n * n * n * (10 + (a->VS ? 5 + 4.0 / 3 : 0) + (a->order.select ? 3 : 0));
}

#define ROUTINE(of, checks, count)                                                                                     \
    const struct tw_routine tw_routine_##of = {.name = #of,                                                            \
                                               .tuning = &tw_tuning_general,                                           \
                                               .arguments = count,                                                     \
                                               .size = sizeof(struct args),                                            \
                                               .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, VS)),    \
                                               .check = checks,                                                        \
                                               .loop = loop,                                                           \
                                               .flops = flops,                                                         \
                                               .needs = {.given = "nn nk", .own_bytes = own_bytes}};
ROUTINE(gees, check, 8)
ROUTINE(geesx, check_sense, 11)

#define GEES                                                                                                           \
    {                                                                                                                  \
        jobvs, {select, user, 'N'}, A, {sdim, NULL, NULL}, wr, wi, VS                                                  \
    }
int tw_gees(enum tw_jobz jobvs, tw_select_fn select, void *user, tw_matrix *A, tw_int *sdim, double *wr, double *wi,
            tw_matrix *VS)
{
    return tw_run(&tw_routine_gees, &(struct args)GEES);
}

int tw_gees_async(enum tw_jobz jobvs, tw_select_fn select, void *user, tw_matrix *A, tw_int *sdim, double *wr,
                  double *wi, tw_matrix *VS, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gees, seq, &(struct args)GEES);
}

/* A letter that is none stays none. */
#define GEESX                                                                                                          \
    {                                                                                                                  \
        jobvs, {select, user, (int)sense > 0 && (int)sense < 128 ? (char)sense : (char)0}, A, {sdim, rconde, rcondv},  \
            wr, wi, VS                                                                                                 \
    }
int tw_geesx(enum tw_jobz jobvs, tw_select_fn select, void *user, enum tw_sense sense, tw_matrix *A, tw_int *sdim,
             double *wr, double *wi, tw_matrix *VS, double *rconde, double *rcondv)
{
    return tw_run(&tw_routine_geesx, &(struct args)GEESX);
}

int tw_geesx_async(enum tw_jobz jobvs, tw_select_fn select, void *user, enum tw_sense sense, tw_matrix *A, tw_int *sdim,
                   double *wr, double *wi, tw_matrix *VS, double *rconde, double *rcondv, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geesx, seq, &(struct args)GEESX);
}
