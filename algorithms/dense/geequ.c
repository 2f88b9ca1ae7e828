/* Scalings of rows, then of columns, after which the largest element of each is 1 (LAPACK's geequ), or by powers of 2
 * near it (geequb): the rows' as one sweep over the tiles, and, as soon as they are known, the columns' as another. */
#include <stdlib.h>
#include "algorithms/dense/dense_loops.h"

struct args {
    struct tw_matrix *A;
    double *r, *c, *rowcnd, *colcnd, *amax;
    int radix;
};
/* Largest elements of the block rows and block columns, and what they give (codelets/dense/equilibrate.c). */
struct state {
    struct args a;
    struct tw_matrix *rows, *cols; /* m x 1 and n x 1 of doubles, as the codelets' vectors */
    struct tw_data *row_out, *col_out, *info;
};

/* What a sweep gave: the place of a zero, or 0. */
static tw_int take(const double *out, tw_int n, double *scale, double *spread)
{
    for (tw_int i = 0; i < n; i++)
        scale[i] = out[i];
    if (out[n + 2] == 0) *spread = out[n];
    return (tw_int)out[n + 2];
}

static void columns_done(struct tw_sequence *seq, const void *value, void *p)
{
    const struct args *a = &((const struct state *)p)->a;

    (void)seq;
    (void)take(value, a->A->n, a->c, a->colcnd);
}

static void rows_done(struct tw_sequence *seq, const void *value, void *p)
{
    const struct state *s = p;
    const struct args *a = &s->a;
    struct tw_matrix *A = a->A;
    const tw_int zero = take(value, A->m, a->r, a->rowcnd);
    const int priority = tw_priority(seq, 1, 1, 0);

    *a->amax = ((const double *)value)[A->m + 1];
    if (zero) return;
    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < A->mt; i++)
            tw_task_colmax_scaled(seq, priority, tw_tile(A, i, j), tw_tile(s->rows, i, 0), tw_tile(s->cols, j, 0));
    tw_task_reciprocals(seq, priority, A->type, a->radix, s->cols->tile, A->nt, s->col_out, A->m, s->info);
    tw_when(seq, s->col_out, NULL, (const struct tw_use[]){{NULL, A, TW_R}}, 1, columns_done, s, sizeof *s);
}

static void clear(struct tw_sequence *seq, struct tw_matrix *v)
{
    for (int i = 0; i < v->mt; i++)
        tw_task_laset(seq, tw_priority(seq, 1, 1, 0), 'G', tw_zero, tw_zero, tw_tile(v, i, 0));
}

static void sweep(struct tw_sequence *seq, const struct state *s)
{
    const struct tw_use uses[] = {
        {NULL, s->a.A, TW_R}, {NULL, s->rows, TW_RW}, {NULL, s->cols, TW_RW}, {s->col_out, NULL, TW_RW}};
    struct tw_matrix *A = s->a.A;
    const int priority = tw_priority(seq, 1, 1, 0);

    clear(seq, s->rows);
    clear(seq, s->cols);
    for (int j = 0; j < A->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < A->mt; i++)
            tw_task_rowmax(seq, priority, tw_tile(A, i, j), tw_tile(s->rows, i, 0));
    tw_task_reciprocals(seq, priority, A->type, s->a.radix, s->rows->tile, A->mt, s->row_out, 0, s->info);
    tw_when(seq, s->row_out, NULL, uses, 4, rows_done, s, sizeof *s);
}

void tw_geequ_loop(struct tw_sequence *seq, struct tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd,
                   double *amax, int radix, struct tw_data *info)
{
    const int none[2] = {-1, -1};
    const struct state s = {{A, r, c, rowcnd, colcnd, amax, radix},
                            tw_matrix_temporary(TW_DOUBLE, A->m, 1, A->mb, 1),
                            tw_matrix_temporary(TW_DOUBLE, A->n, 1, A->nb, 1),
                            tw_data_vector((size_t)A->m + 3, sizeof(double), none),
                            tw_data_vector((size_t)A->n + 3, sizeof(double), none),
                            info};

    if (s.rows && s.cols && s.row_out && s.col_out)
        sweep(seq, &s);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "geequ: no memory for scalings of %lld rows and %lld columns", (long long)A->m,
                     (long long)A->n);
    tw_matrix_free_later(s.rows);
    tw_matrix_free_later(s.cols);
    tw_data_free_later(s.row_out);
    tw_data_free_later(s.col_out);
}

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_geequ_loop(seq, a->A, a->r, a->c, a->rowcnd, a->colcnd, a->amax, a->radix, tw_info(seq));
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 2, a->r ? NULL : "NULL");
    TW_CHECK(who, 3, a->c ? NULL : "NULL");
    TW_CHECK(who, 4, a->rowcnd ? NULL : "NULL");
    TW_CHECK(who, 5, a->colcnd ? NULL : "NULL");
    TW_CHECK(who, 6, a->amax ? NULL : "NULL");
    *a->rowcnd = *a->colcnd = 1;
    *a->amax = 0;
    if (a->A->m == 0 || a->A->n == 0) return TW_NOTHING;
    return a->A->m > INT32_MAX - 3 || a->A->n > INT32_MAX - 3
               ? tw_fail(TW_E_UNSUPPORTED, "%s: a dimension exceeds 2^31 - 4", who)
               : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return 3 * (double)A->m * (double)A->n;
}

#define ROW(routine)                                                                                                   \
    {                                                                                                                  \
        .name = routine, .arguments = 6, .size = sizeof(struct args), .operand = TW_OPERANDS(TW_OPERAND(TW_R, A)),     \
        .check = check, .loop = loop, .flops = flops, .needs = {                                                       \
            "mn"                                                                                                       \
        }                                                                                                              \
    }
const struct tw_routine tw_routine_geequ = ROW("geequ");
const struct tw_routine tw_routine_geequb = ROW("geequb");

int tw_geequ(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax)
{
    return tw_run(&tw_routine_geequ, &(struct args){A, r, c, rowcnd, colcnd, amax, 0});
}

int tw_geequ_async(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geequ, seq, &(struct args){A, r, c, rowcnd, colcnd, amax, 0});
}

int tw_geequb(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax)
{
    return tw_run(&tw_routine_geequb, &(struct args){A, r, c, rowcnd, colcnd, amax, 1});
}

int tw_geequb_async(tw_matrix *A, double *r, double *c, double *rowcnd, double *colcnd, double *amax, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geequb, seq, &(struct args){A, r, c, rowcnd, colcnd, amax, 1});
}
