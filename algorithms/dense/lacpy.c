/* Copies and fillings of whole matrices, triangles and trapezoids: LAPACK's lacpy, laset, lascl. */
#include <math.h>
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_uplo uplo; /* TW_GENERAL: all of the matrix */
    tw_scalar offdiag, diag;
    double from, to;
    struct tw_matrix *A, *B;
};

/* Rows of tiles [first_row, last_row) of column j hold a part of the triangle; a diagonal tile holds one, the others
 * are full. */
static int first_row(const struct args *a, int j)
{
    return a->uplo == TW_LOWER ? j : 0;
}
static int last_row(const struct args *a, int j)
{
    return a->uplo == TW_UPPER ? (int)tw_min(j + 1, a->A->mt) : a->A->mt;
}
static char part(const struct args *a, int i, int j)
{
    return i == j ? (char)a->uplo : 'G';
}

static void copy(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_copy_part_loop(seq, a->uplo, a->A, a->B, 1);
}

static void set(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = a->A;

    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = first_row(a, j); i < last_row(a, j); i++) {
            if (a->uplo == TW_GENERAL)
                tw_task_laset_diagonal(seq, tw_priority(seq, 0, 1, 0), a->offdiag, a->diag, j * A->nb - i * A->mb,
                                       tw_tile(A, i, j));
            else
                tw_task_laset(seq, tw_priority(seq, 0, 1, 0), part(a, i, j), a->offdiag, i == j ? a->diag : a->offdiag,
                              tw_tile(A, i, j));
            tw_bring_home(seq, tw_tile(A, i, j));
        }
}

static void scale(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *A = a->A;

    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = first_row(a, j); i < last_row(a, j); i++) {
            tw_task_scale(seq, tw_priority(seq, 0, 1, 0), part(a, i, j), a->from, a->to, tw_tile(A, i, j));
            tw_bring_home(seq, tw_tile(A, i, j));
        }
}

/* A matrix of which all, or a triangle or trapezoid, is used. */
static const char *bad_part(const struct tw_matrix *A, enum tw_uplo uplo)
{
    if (!A) return "NULL matrix";
    if (A->band) return "it is a band matrix";
    if (!tw_type_ok(A->type)) return "it holds pivots";
    if (A->uplo != TW_GENERAL && A->uplo != uplo)
        return uplo == TW_GENERAL ? "only one triangle of the matrix is stored"
                                  : "the matrix stores the other triangle";
    return NULL;
}
static const char *bad_uplo(enum tw_uplo uplo)
{
    return uplo == TW_GENERAL || !tw_bad_uplo(uplo) ? NULL : "not TW_GENERAL, TW_LOWER or TW_UPPER";
}

static int check_copy(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, bad_uplo(a->uplo));
    TW_CHECK(who, 2, bad_part(a->A, a->uplo));
    TW_CHECK(who, 3, bad_part(a->B, a->uplo));
    TW_CHECK(who, 3, tw_bad_pair(a->A, a->B));
    TW_CHECK(who, 3, a->A->m != a->B->m || a->A->n != a->B->n ? "its shape is not A's" : NULL);
    TW_CHECK(who, 3, tw_shares(a->A, a->B) ? "it is also an input" : NULL);
    return a->B->m == 0 || a->B->n == 0 ? TW_NOTHING : 0;
}
static int check_set(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, bad_uplo(a->uplo));
    TW_CHECK(who, 4, bad_part(a->A, a->uplo));
    TW_CHECK(who, 4, a->uplo == TW_GENERAL ? NULL : tw_bad_tiles(a->A));
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}
static int check_scale(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 1, bad_uplo(a->uplo));
    TW_CHECK(who, 2, isnan(a->from) || a->from == 0 ? "0 or NaN" : NULL);
    TW_CHECK(who, 3, isnan(a->to) ? "NaN" : NULL);
    TW_CHECK(who, 4, bad_part(a->A, a->uplo));
    TW_CHECK(who, 4, a->uplo == TW_GENERAL ? NULL : tw_bad_tiles(a->A));
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

const struct tw_routine tw_routine_lacpy = {.name = "lacpy",
                                            .arguments = 3,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)),
                                            .check = check_copy,
                                            .loop = copy,
                                            .needs = {"2mn"}};

const struct tw_routine tw_routine_laset = {.name = "laset",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                            .check = check_set,
                                            .loop = set,
                                            .needs = {"mn"}};

const struct tw_routine tw_routine_lascl = {.name = "lascl",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                            .check = check_scale,
                                            .loop = scale,
                                            .needs = {"mn"}};

int tw_lacpy(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B)
{
    return tw_run(&tw_routine_lacpy, &(struct args){.uplo = uplo, .A = A, .B = B});
}

int tw_lacpy_async(enum tw_uplo uplo, tw_matrix *A, tw_matrix *B, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lacpy, seq, &(struct args){.uplo = uplo, .A = A, .B = B});
}

int tw_laset(enum tw_uplo uplo, tw_scalar offdiag, tw_scalar diag, tw_matrix *A)
{
    return tw_run(&tw_routine_laset, &(struct args){.uplo = uplo, .offdiag = offdiag, .diag = diag, .A = A});
}

int tw_laset_async(enum tw_uplo uplo, tw_scalar offdiag, tw_scalar diag, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_laset, seq, &(struct args){.uplo = uplo, .offdiag = offdiag, .diag = diag, .A = A});
}

int tw_lascl(enum tw_uplo uplo, double cfrom, double cto, tw_matrix *A)
{
    return tw_run(&tw_routine_lascl, &(struct args){.uplo = uplo, .from = cfrom, .to = cto, .A = A});
}

int tw_lascl_async(enum tw_uplo uplo, double cfrom, double cto, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lascl, seq, &(struct args){.uplo = uplo, .from = cfrom, .to = cto, .A = A});
}
