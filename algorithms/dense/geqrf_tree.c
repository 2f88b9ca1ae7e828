/* QR and LQ by a tree of tiles, and what is done with their Q: geqrf_tree, unmqr_tree, ungqr_tree; gelqf_tree,
 * unmlq_tree, unglq_tree. Storage is the tree's own (algorithms/dense/tree.h): R or L where LAPACK has it, Q in what is
 * left of A and in T. LQ is the adjoint of the QR of A^H. */
#include "algorithms/dense/tree.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/data/grid.h"

/* ---- T ----------------------------------------------------------------------------------------------------------- */

static int create(const char *who, char storev, tw_matrix **T, const tw_matrix *A, tw_int domain)
{
    struct tw_tree_shape s;
    int e;

    if (!T) return tw_illegal(who, 1, "NULL");
    *T = NULL;
    if (!A || !tw_type_ok(A->type) || A->uplo != TW_GENERAL)
        return tw_illegal(who, 2, A ? "it is not a general matrix" : "NULL");
    if (domain < 0) return tw_illegal(who, 3, "negative number of tiles");
    if ((e = tw_begin())) return e;
    s = tw_tree_shape(A, storev, tw_min(domain, INT32_MAX));
    e = tw_grid_create(who, T, &(struct tw_shape){A->type, TW_GENERAL, s.m, s.n, s.mb, s.nb, 0, 0, 0}, 3, NULL);
    tw_end();
    return e;
}

int tw_tree_create(tw_matrix **T, const tw_matrix *A, tw_int domain)
{
    return create("tw_tree_create", 'C', T, A, domain);
}
int tw_tree_create_lq(tw_matrix **T, const tw_matrix *A, tw_int domain)
{
    return create("tw_tree_create_lq", 'R', T, A, domain);
}

/* Any number of domains that may be asked for. */
static const char *bad_T(char storev, const struct tw_matrix *T, const struct tw_matrix *A)
{
    const char *why = tw_bad_general(T);
    const int tiles = tw_tree_tiles(A, storev), domains = why ? 0 : T->mt - tiles;
    const struct tw_tree_shape s = tw_tree_shape(A, storev, domains > 0 ? (tiles + domains - 1) / domains : 1);

    if (why) return why;
    if (T == A) return "it is the matrix A itself";
    if (T->type != A->type) return "its type differs from A's";
    if (A->m == 0 || A->n == 0) return NULL;
    return T->m != s.m || T->n != s.n || T->mb != s.mb || !tw_same_cuts(T->n, T->nb, s.nb)
               ? storev == 'C' ? "it is not as tw_tree_create makes it for such a matrix"
                               : "it is not as tw_tree_create_lq makes it for such a matrix"
               : NULL;
}

static const char *bad_A(const struct tw_matrix *A)
{
    const char *why = tw_bad_general(A);
    return why ? why : tw_max(A->m, A->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL;
}

/* ---- geqrf_tree -------------------------------------------------------------------------------------------------- */

/* storev: 'C' QR, 'R' LQ; so in all. */
struct factor_args {
    struct tw_matrix *A, *T;
    char storev;
};

static void factor(struct tw_sequence *seq, void *args)
{
    const struct factor_args *a = args;
    struct tw_matrix *A = tw_tree_cut(seq, a->A, a->storev);
    struct tw_tree tree;

    if (!A) return;
    if (!tw_tree_begin(seq, &tree, a->storev, A, a->T)) tw_tree_factor_loop(&tree, NULL);
    tw_tree_end(&tree);
    tw_retiled_end(seq, a->A, A, 1);
}

static int check_factor(const char *who, void *args)
{
    const struct factor_args *a = args;

    TW_CHECK(who, 1, bad_A(a->A));
    TW_CHECK(who, 2, bad_T(a->storev, a->T, a->A));
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops_of_factor(const void *args)
{
    const struct factor_args *a = args;
    const double m = (double)a->A->m, n = (double)a->A->n;
    return a->storev == 'C' ? tw_flops_geqrf(a->A->type, m, n) : tw_flops_gelqf(a->A->type, m, n);
}

/* ---- unmqr_tree -------------------------------------------------------------------------------------------------- */

struct apply_args {
    enum tw_side side;
    enum tw_trans trans;
    struct tw_matrix *A, *T, *C;
    char storev;
};

static void bring_home(struct tw_sequence *seq, const struct tw_matrix *C)
{
    for (int j = 0; j < C->nt; j++)
        for (int i = 0; i < C->mt; i++)
            tw_bring_home(seq, tw_tile(C, i, j));
}

static void identity(struct tw_sequence *seq, const struct tw_matrix *Q)
{
    for (int j = 0; j < Q->nt; j++)
        for (int i = 0; i < Q->mt; i++)
            tw_task_laset(seq, tw_priority(seq, 1, 1, 0), 'G', tw_zero, i == j ? tw_one : tw_zero, tw_tile(Q, i, j));
}

/* C := op(Q) C or C op(Q), in tiles that lie beside A's; LQ's Q is the adjoint of what the tree has. forms: C becomes
 * Q's first columns, or LQ's first rows, whatever it was. */
static void multiply(struct tw_sequence *seq, const struct apply_args *a, int forms)
{
    struct tw_matrix *A = tw_tree_cut(seq, a->A, a->storev), *C;
    const tw_int along = !A                 ? 1
                         : a->storev == 'C' ? A->mb
                                            : A->nb,
                 mb = a->side == TW_LEFT || forms ? along : a->C->mb,
                 nb = a->side == TW_RIGHT || forms ? along : a->C->nb;
    struct tw_tree tree;

    if (!A) return;
    if ((C = tw_retiled_for(seq, a->C, mb, nb, !forms))) {
        if (forms) identity(seq, C);
        if (!tw_tree_begin(seq, &tree, a->storev, A, a->T)) {
            tw_tree_apply_loop(&tree, (char)a->side, (a->trans == TW_NOTRANS) == (a->storev == 'C') ? 'N' : 'C', C,
                               forms);
            if (C == a->C) bring_home(seq, C);
        }
        tw_tree_end(&tree);
    }
    tw_retiled_end(seq, a->C, C, 1);
    tw_retiled_end(seq, a->A, A, 0);
}

static void apply(struct tw_sequence *seq, void *args)
{
    multiply(seq, args, 0);
}

static int check_apply(const char *who, void *args)
{
    const struct apply_args *a = args;

    TW_CHECK(who, 1, tw_bad_side(a->side));
    TW_CHECK(who, 3, bad_A(a->A));
    TW_CHECK(who, 2, tw_bad_trans(a->trans));
    TW_CHECK(who, 2, a->trans == TW_TRANS && tw_is_complex(a->A->type) ? "TW_TRANS, with complex matrices" : NULL);
    TW_CHECK(who, 4, bad_T(a->storev, a->T, a->A));
    TW_CHECK(who, 5, tw_bad_general(a->C));
    TW_CHECK(who, 5, tw_bad_pair(a->A, a->C));
    TW_CHECK(who, 5,
             (a->side == TW_LEFT ? a->C->m : a->C->n) != (a->storev == 'C' ? a->A->m : a->A->n)
                 ? "its shape does not fit Q's order"
                 : NULL);
    TW_CHECK(who, 5, a->A == a->C || a->T == a->C ? "it is another operand" : NULL);
    return a->C->m == 0 || a->C->n == 0 || a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops_of_apply(const void *args)
{
    const struct apply_args *a = args;
    return tw_flops_unmqr(a->C->type, (char)a->side, (double)a->C->m, (double)a->C->n,
                          (double)tw_min(a->A->m, a->A->n));
}

static double bytes_of_lq(const struct tw_sizes *s, tw_int nb)
{
    return tw_tree_bytes(&(struct tw_sizes){s->type, s->n, s->m, 0}, nb);
}
/* Of T, for Q of k reflectors from the left. */
static double bytes_of_applied(const struct tw_sizes *s, tw_int nb)
{
    return tw_tree_bytes(&(struct tw_sizes){s->type, s->m, s->k, 0}, nb);
}

/* ---- ungqr_tree -------------------------------------------------------------------------------------------------- */

struct form_args {
    struct tw_matrix *A, *T, *Q;
    char storev;
};

static void form(struct tw_sequence *seq, void *args)
{
    const struct form_args *a = args;
    multiply(seq, &(struct apply_args){a->storev == 'C' ? TW_LEFT : TW_RIGHT, TW_NOTRANS, a->A, a->T, a->Q, a->storev},
             1);
}

static int check_form(const char *who, void *args)
{
    const struct form_args *a = args;

    TW_CHECK(who, 1, bad_A(a->A));
    TW_CHECK(who, 2, bad_T(a->storev, a->T, a->A));
    TW_CHECK(who, 3, tw_bad_general(a->Q));
    TW_CHECK(who, 3, tw_bad_pair(a->A, a->Q));
    if (a->storev == 'C') {
        TW_CHECK(who, 3, a->Q->m != a->A->m ? "its number of rows is not A's" : NULL);
        TW_CHECK(who, 3, a->Q->n > a->Q->m ? "it has more columns than Q" : NULL);
    } else {
        TW_CHECK(who, 3, a->Q->n != a->A->n ? "its number of columns is not A's" : NULL);
        TW_CHECK(who, 3, a->Q->m > a->Q->n ? "it has more rows than Q" : NULL);
    }
    TW_CHECK(who, 3, a->A == a->Q || a->T == a->Q ? "it is another operand" : NULL);
    return a->Q->m == 0 || a->Q->n == 0 ? TW_NOTHING : 0;
}

static double flops_of_form(const void *args)
{
    const struct form_args *a = args;
    const tw_int order = a->storev == 'C' ? a->Q->m : a->Q->n, count = a->storev == 'C' ? a->Q->n : a->Q->m;
    return tw_flops_ungqr(a->A->type, (double)order, (double)count, (double)tw_min(tw_min(a->A->m, a->A->n), count));
}

/* ---- rows and doors ---------------------------------------------------------------------------------------------- */

#define FACTOR(mode, field)                                                                                            \
    {                                                                                                                  \
        mode, offsetof(struct factor_args, field), 0                                                                   \
    }
#define APPLY(mode, field)                                                                                             \
    {                                                                                                                  \
        mode, offsetof(struct apply_args, field), 0                                                                    \
    }
#define FORM(mode, field)                                                                                              \
    {                                                                                                                  \
        mode, offsetof(struct form_args, field), 0                                                                     \
    }

#define FACTORS(title, bytes)                                                                                          \
    {                                                                                                                  \
        .name = title, .arguments = 2, .size = sizeof(struct factor_args),                                             \
        .operand = TW_OPERANDS(FACTOR(TW_RW, A), FACTOR(TW_W, T)), .check = check_factor, .loop = factor,              \
        .flops = flops_of_factor, .tuning = &tw_tuning_qr, .needs = {                                                  \
            .given = "mn",                                                                                             \
            .given_bytes = bytes                                                                                       \
        }                                                                                                              \
    }
#define APPLIES(title, A_and_C, bytes)                                                                                 \
    {                                                                                                                  \
        .name = title, .arguments = 5, .size = sizeof(struct apply_args),                                              \
        .operand = TW_OPERANDS(APPLY(TW_R, A), APPLY(TW_R, T), APPLY(TW_RW, C)), .check = check_apply, .loop = apply,  \
        .flops = flops_of_apply, .needs = {                                                                            \
            .given = A_and_C,                                                                                          \
            .given_bytes = bytes                                                                                       \
        }                                                                                                              \
    }
#define FORMS(title, bytes)                                                                                            \
    {                                                                                                                  \
        .name = title, .arguments = 3, .size = sizeof(struct form_args),                                               \
        .operand = TW_OPERANDS(FORM(TW_R, A), FORM(TW_R, T), FORM(TW_W, Q)), .check = check_form, .loop = form,        \
        .flops = flops_of_form, .needs = {                                                                             \
            .given = "mn mn",                                                                                          \
            .given_bytes = bytes                                                                                       \
        }                                                                                                              \
    }
const struct tw_routine tw_routine_geqrf_tree = FACTORS("geqrf_tree", tw_tree_bytes),
                        tw_routine_gelqf_tree = FACTORS("gelqf_tree", bytes_of_lq),
                        tw_routine_unmqr_tree = APPLIES("unmqr_tree", "mk mn", bytes_of_applied),
                        tw_routine_unmlq_tree = APPLIES("unmlq_tree", "km mn", bytes_of_applied),
                        tw_routine_ungqr_tree = FORMS("ungqr_tree", tw_tree_bytes),
                        tw_routine_unglq_tree = FORMS("unglq_tree", bytes_of_lq);

int tw_geqrf_tree(tw_matrix *A, tw_matrix *T)
{
    return tw_run(&tw_routine_geqrf_tree, &(struct factor_args){A, T, 'C'});
}
int tw_geqrf_tree_async(tw_matrix *A, tw_matrix *T, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geqrf_tree, seq, &(struct factor_args){A, T, 'C'});
}
int tw_unmqr_tree(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C)
{
    return tw_run(&tw_routine_unmqr_tree, &(struct apply_args){side, trans, A, T, C, 'C'});
}
int tw_unmqr_tree_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C,
                        tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmqr_tree, seq, &(struct apply_args){side, trans, A, T, C, 'C'});
}
int tw_ungqr_tree(tw_matrix *A, tw_matrix *T, tw_matrix *Q)
{
    return tw_run(&tw_routine_ungqr_tree, &(struct form_args){A, T, Q, 'C'});
}
int tw_ungqr_tree_async(tw_matrix *A, tw_matrix *T, tw_matrix *Q, tw_sequence *seq)
{
    return tw_queue(&tw_routine_ungqr_tree, seq, &(struct form_args){A, T, Q, 'C'});
}

int tw_gelqf_tree(tw_matrix *A, tw_matrix *T)
{
    return tw_run(&tw_routine_gelqf_tree, &(struct factor_args){A, T, 'R'});
}
int tw_gelqf_tree_async(tw_matrix *A, tw_matrix *T, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gelqf_tree, seq, &(struct factor_args){A, T, 'R'});
}
int tw_unmlq_tree(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C)
{
    return tw_run(&tw_routine_unmlq_tree, &(struct apply_args){side, trans, A, T, C, 'R'});
}
int tw_unmlq_tree_async(enum tw_side side, enum tw_trans trans, tw_matrix *A, tw_matrix *T, tw_matrix *C,
                        tw_sequence *seq)
{
    return tw_queue(&tw_routine_unmlq_tree, seq, &(struct apply_args){side, trans, A, T, C, 'R'});
}
int tw_unglq_tree(tw_matrix *A, tw_matrix *T, tw_matrix *Q)
{
    return tw_run(&tw_routine_unglq_tree, &(struct form_args){A, T, Q, 'R'});
}
int tw_unglq_tree_async(tw_matrix *A, tw_matrix *T, tw_matrix *Q, tw_sequence *seq)
{
    return tw_queue(&tw_routine_unglq_tree, seq, &(struct form_args){A, T, Q, 'R'});
}
