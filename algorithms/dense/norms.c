/* Norms of general, symmetric, hermitian and triangular (also trapezoidal) matrices: LAPACK's lange, lansy, lanhe,
 * lantr.
 *
 * Every tile adds to a small vector of doubles; the vectors become one number. All sums run in the order of
 * submission, so a norm is the same bits from run to run. NaN anywhere in what is read gives NaN. Sums are kept in
 * double for all types. */
#include <math.h>
#include <stdlib.h>
#include "algorithms/dense/dense_loops.h"

struct args {
    enum tw_norm norm;
    enum tw_structure structure;
    char uplo, diag; /* uplo 'G': the whole matrix */
    struct tw_matrix *A;
    double *value;
};

static int mirrored(const struct args *a)
{
    return a->structure == TW_STRUCT_SYMMETRIC || a->structure == TW_STRUCT_HERMITIAN;
}
static int first_row(const struct args *a, int j)
{
    return a->uplo == 'L' ? j : 0;
}
static int last_row(const struct args *a, int j)
{
    return a->uplo == 'U' ? (int)tw_min(j + 1, a->A->mt) : a->A->mt;
}
/* Diagonal tiles hold one triangle, the others are full. */
static char part(const struct args *a, int i, int j)
{
    return i == j ? a->uplo : 'G';
}

/* Partial results: `count` vectors of doubles, all of the given length or, if that is 0, as long as A's tiles. */
struct parts {
    struct tw_data **v, *result;
    int count;
};
static int make_parts(struct tw_sequence *seq, struct parts *p, const struct tw_matrix *A, int count, int length,
                      int rows, int result)
{
    p->count = count;
    p->v = calloc((size_t)count, sizeof *p->v);
    p->result = tw_data_vector((size_t)result, sizeof(double), (int[2]){-1, -1});
    for (int k = 0; p->v && k < count; k++) {
        const int size = length ? length : rows ? tw_tile_rows(A, k) : tw_tile_cols(A, k);
        p->v[k] = tw_data_vector((size_t)size, sizeof(double), (int[2]){rows ? k : -1, rows ? -1 : k});
        if (!p->v[k]) break;
    }
    if (p->result && p->v && p->v[count - 1]) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "no memory for the %d vectors of a norm", count);
    return TW_E_MEMORY;
}
static void free_parts(struct parts *p)
{
    for (int k = 0; p->v && k < p->count; k++)
        if (p->v[k]) tw_data_free_later(p->v[k]);
    if (p->result) tw_data_free_later(p->result);
    free(p->v);
}
/* Wait for the final vector and read it; nothing is read of a sequence that failed. */
static int read_result(struct tw_sequence *seq, struct parts *p, double *to)
{
    return tw_loop_value(seq, p->result, to, to);
}

/* One value for each column of tiles, of a mirrored or triangular matrix, too; of tall ones for each row. */
static void max_tasks(struct tw_sequence *seq, const struct args *a, int priority, struct parts *p)
{
    struct tw_matrix *A = a->A;
    const int rows = A->mt > A->nt;

    for (int j = 0; j < A->nt; j++)
        for (int i = first_row(a, j); i < last_row(a, j); i++)
            tw_task_normmax(seq, priority, a->structure, part(a, i, j), a->diag, tw_tile(A, i, j), p->v[rows ? i : j]);
    for (int k = 0; k < p->count; k++)
        tw_task_vecmax(seq, priority, p->v[k], p->result);
}

static void max_norm(struct tw_sequence *seq, const struct args *a)
{
    struct parts p;
    double value = 0;

    if (make_parts(seq, &p, a->A, (int)tw_max(a->A->mt, a->A->nt), 1, 0, 1) == 0) {
        max_tasks(seq, a, tw_priority(seq, 0, 1, 0), &p);
        if (!read_result(seq, &p, &value)) *a->value = value;
    }
    free_parts(&p);
}

static struct tw_data *max_value(struct tw_sequence *seq, const struct args *a)
{
    const int count = (int)tw_max(a->A->mt, a->A->nt);
    struct tw_data *value = NULL;
    struct parts p;

    if (make_parts(seq, &p, a->A, count, 1, 0, 1) == 0) {
        max_tasks(seq, a, tw_priority(seq, 1, 1, 1), &p);
        value = p.result;
        p.result = NULL;
    }
    free_parts(&p);
    return value;
}

struct tw_data *tw_max_norm_tasks(struct tw_sequence *seq, struct tw_matrix *A)
{
    return max_value(seq, &(struct args){TW_MAX_NORM, TW_STRUCT_GENERAL, 'G', 'N', A, NULL});
}

struct tw_data *tw_max_norm_of_upper(struct tw_sequence *seq, struct tw_matrix *A)
{
    return max_value(seq, &(struct args){TW_MAX_NORM, TW_STRUCT_TRIANGULAR, 'U', 'N', A, NULL});
}

struct tw_data *tw_max_norm_of_triangle(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A)
{
    return max_value(seq, &(struct args){TW_MAX_NORM, TW_STRUCT_HERMITIAN, (char)uplo, 'N', A, NULL});
}

static int square_tasks(struct tw_sequence *seq, const struct args *a, int priority, struct parts *p)
{
    struct tw_matrix *A = a->A;
    const int e = make_parts(seq, p, A, A->nt, 2, 0, 2);

    for (int j = 0; !e && j < A->nt; j++) {
        for (int i = first_row(a, j); i < last_row(a, j); i++)
            tw_task_normfro(seq, priority, a->structure, part(a, i, j), a->diag, mirrored(a) && i != j ? 2 : 1,
                            tw_tile(A, i, j), p->v[j]);
        tw_task_frosum(seq, priority, p->v[j], p->result);
    }
    return e;
}

static void frobenius_norm(struct tw_sequence *seq, const struct args *a)
{
    struct parts p;
    double acc[2] = {0, 0};

    if (square_tasks(seq, a, tw_priority(seq, 0, 1, 0), &p) == 0 && !read_result(seq, &p, acc))
        *a->value = acc[0] * sqrt(acc[1]);
    free_parts(&p);
}

struct tw_data *tw_frobenius_norm_tasks(struct tw_sequence *seq, struct tw_matrix *A)
{
    const struct args a = {TW_FROBENIUS_NORM, TW_STRUCT_GENERAL, 'G', 'N', A, NULL};
    struct tw_data *value = NULL;
    struct parts p;

    if (square_tasks(seq, &a, tw_priority(seq, 0, 1, 0), &p) == 0) {
        value = p.result;
        p.result = NULL;
    }
    free_parts(&p);
    return value;
}

/* One vector of sums for each column of tiles (one norm) or row of tiles (infinity norm); for mirrored matrices both
 * are the same, and a tile off the diagonal adds to its row's and to its column's vector. */
static int sum_tasks(struct tw_sequence *seq, const struct args *a, int priority, struct parts *p)
{
    const int rows = a->norm == TW_INF_NORM && !mirrored(a);
    struct tw_matrix *A = a->A;
    int e = make_parts(seq, p, A, rows ? A->mt : A->nt, 0, rows, 1);

    if (e) return e;
    for (int j = 0; j < A->nt; j++)
        for (int i = first_row(a, j); i < last_row(a, j); i++)
            tw_task_normsum(seq, priority, a->structure, part(a, i, j), a->diag, tw_tile(A, i, j),
                            rows || (mirrored(a) && i != j) ? p->v[i] : NULL, rows ? NULL : p->v[j]);
    for (int k = 0; k < p->count; k++)
        tw_task_vecmax(seq, priority, p->v[k], p->result);
    return 0;
}

static void sum_norm(struct tw_sequence *seq, const struct args *a)
{
    struct parts p;
    double value = 0;

    if (sum_tasks(seq, a, tw_priority(seq, 0, 1, 0), &p) == 0 && !read_result(seq, &p, &value)) *a->value = value;
    free_parts(&p);
}

struct tw_data *tw_sum_norm_tasks(struct tw_sequence *seq, enum tw_norm norm, enum tw_structure structure,
                                  enum tw_uplo uplo, enum tw_diag diag, struct tw_matrix *A, int urgent)
{
    const struct args a = {norm, structure, (char)uplo, (char)diag, A, NULL};
    struct tw_data *value = NULL;
    struct parts p;

    if (sum_tasks(seq, &a, tw_priority(seq, urgent, 1, urgent), &p) == 0) {
        value = p.result;
        p.result = NULL;
    }
    free_parts(&p);
    return value;
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;

    if (a->norm == TW_MAX_NORM)
        max_norm(seq, a);
    else if (a->norm == TW_FROBENIUS_NORM)
        frobenius_norm(seq, a);
    else
        sum_norm(seq, a);
}

/* Letters; what is no uplo or diag becomes 0, which the checks refuse. */
static char uplo_letter(enum tw_uplo uplo)
{
    return tw_bad_uplo(uplo) ? 0 : (char)uplo;
}
static char diag_letter(enum tw_diag diag)
{
    return tw_bad_diag(diag) ? 0 : (char)diag;
}

/* The value is argument `last`, the matrix is sound. */
static int check(const char *who, struct args *a, int last)
{
    const enum tw_norm n = a->norm;

    TW_CHECK(who, 1,
             n == TW_MAX_NORM || n == TW_ONE_NORM || n == TW_INF_NORM || n == TW_FROBENIUS_NORM
                 ? NULL
                 : "not TW_MAX_NORM, TW_ONE_NORM, TW_INF_NORM or TW_FROBENIUS_NORM");
    TW_CHECK(who, last, a->value ? NULL : "NULL");
    *a->value = 0;
    return a->A->m == 0 || a->A->n == 0 ? TW_NOTHING : 0;
}

static int check_general(const char *who, void *p)
{
    TW_CHECK(who, 2, tw_bad_general(((struct args *)p)->A));
    return check(who, p, 3);
}
static int check_symmetric(const char *who, void *p)
{
    const struct args *a = p;
    TW_CHECK(who, 2, tw_bad_uplo((enum tw_uplo)a->uplo));
    TW_CHECK(who, 3, tw_bad_triangle(a->A, (enum tw_uplo)a->uplo));
    return check(who, p, 4);
}
static int check_triangular(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A;
    TW_CHECK(who, 2, tw_bad_uplo((enum tw_uplo)a->uplo));
    TW_CHECK(who, 3, tw_bad_diag((enum tw_diag)a->diag));
    TW_CHECK(who, 4, A ? NULL : "NULL matrix");
    TW_CHECK(who, 4, tw_type_ok(A->type) ? NULL : "it holds pivots");
    TW_CHECK(who, 4, A->uplo != TW_GENERAL && (char)A->uplo != a->uplo ? "the matrix stores the other triangle" : NULL);
    TW_CHECK(who, 4, A->band ? "it is a band matrix" : tw_bad_tiles(A));
    return check(who, p, 5);
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flop_factor(A->type) * (double)A->m * (double)A->n;
}

const struct tw_routine tw_routine_lange = {.name = "lange",
                                            .arguments = 3,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check_general,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"mn"}};

const struct tw_routine tw_routine_lansy = {.name = "lansy",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check_symmetric,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"Tnn"}};

const struct tw_routine tw_routine_lanhe = {.name = "lanhe",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check_symmetric,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"Tnn"}};

const struct tw_routine tw_routine_lantr = {.name = "lantr",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),
                                            .check = check_triangular,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {"mn"}};

int tw_lange(enum tw_norm norm, tw_matrix *A, double *value)
{
    return tw_run(&tw_routine_lange, &(struct args){norm, TW_STRUCT_GENERAL, 'G', 'N', A, value});
}

int tw_lange_async(enum tw_norm norm, tw_matrix *A, double *value, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lange, seq, &(struct args){norm, TW_STRUCT_GENERAL, 'G', 'N', A, value});
}

int tw_lansy(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value)
{
    return tw_run(&tw_routine_lansy, &(struct args){norm, TW_STRUCT_SYMMETRIC, uplo_letter(uplo), 'N', A, value});
}

int tw_lansy_async(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lansy, seq,
                    &(struct args){norm, TW_STRUCT_SYMMETRIC, uplo_letter(uplo), 'N', A, value});
}

int tw_lanhe(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value)
{
    return tw_run(&tw_routine_lanhe, &(struct args){norm, TW_STRUCT_HERMITIAN, uplo_letter(uplo), 'N', A, value});
}

int tw_lanhe_async(enum tw_norm norm, enum tw_uplo uplo, tw_matrix *A, double *value, tw_sequence *seq)
{
    return tw_queue(&tw_routine_lanhe, seq,
                    &(struct args){norm, TW_STRUCT_HERMITIAN, uplo_letter(uplo), 'N', A, value});
}

int tw_lantr(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *value)
{
    return tw_run(&tw_routine_lantr,
                  &(struct args){norm, TW_STRUCT_TRIANGULAR, uplo_letter(uplo), diag_letter(diag), A, value});
}

int tw_lantr_async(enum tw_norm norm, enum tw_uplo uplo, enum tw_diag diag, tw_matrix *A, double *value,
                   tw_sequence *seq)
{
    return tw_queue(&tw_routine_lantr, seq,
                    &(struct args){norm, TW_STRUCT_TRIANGULAR, uplo_letter(uplo), diag_letter(diag), A, value});
}
