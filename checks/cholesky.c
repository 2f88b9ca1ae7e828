/* potrf, potri, lauum, trtri: whole products up to order CHECK_FULL_MAX, above it products with a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* ---- whole products ---------------------------------------------------------------------------------------------- */

/* c: the input; w: room, both n x n; ld: theirs. The error's norm over n eps and the norms of the formula. */
struct full {
    const struct check_error *r;
    tw_int n, ld;
    void *c, *w;
};

/* w = the triangle of `from`, zeros elsewhere. */
static void triangle(const struct full *p, const void *from, tw_int ldf)
{
    check_copy(p->r->A->type, p->n, p->n, from, ldf, p->w, p->ld);
    check_clean_triangle(p->r->A->type, p->r->uplo, p->n, p->n, p->w, p->ld);
}

static void unit_diagonal(const struct full *p)
{
    for (tw_int i = 0; p->r->diag == TW_UNIT && i < p->n; i++)
        check_set(p->r->A->type, p->w, (size_t)(i + i * p->ld), 1, 0);
}

static void subtract_identity(const struct full *p)
{
    double v[2];
    for (tw_int i = 0; i < p->n; i++) {
        check_get(p->r->A->type, p->w, (size_t)(i + i * p->ld), v);
        check_set(p->r->A->type, p->w, (size_t)(i + i * p->ld), v[0] - 1, v[1]);
    }
}

static double full_potrf(const struct full *p)
{
    const struct check_error *r = p->r;
    const enum tw_type t = r->A->type;

    triangle(p, r->f, r->ldf);
    check_trmm(t, r->uplo == TW_LOWER ? TW_RIGHT : TW_LEFT, r->uplo, TW_CONJTRANS, TW_NONUNIT, p->n, p->n, r->f, r->ldf,
               p->w, p->ld);
    check_subtract(t, p->n, p->n, p->w, p->ld, p->c, p->ld);
    return check_quotient(check_norm_he(t, r->uplo, p->n, p->w, p->ld), check_norm_he(t, r->uplo, p->n, p->c, p->ld));
}

static double full_potri(const struct full *p)
{
    const struct check_error *r = p->r;
    const enum tw_type t = r->A->type;

    check_hemm(t, TW_RIGHT, r->uplo, p->n, p->n, r->f, r->ldf, p->c, p->ld, p->w, p->ld);
    subtract_identity(p);
    return check_quotient(check_norm_ge(t, p->n, p->n, p->w, p->ld),
                          check_norm_he(t, r->uplo, p->n, p->c, p->ld) * check_norm_he(t, r->uplo, p->n, r->f, r->ldf));
}

static double full_lauum(const struct full *p)
{
    const struct check_error *r = p->r;
    const enum tw_type t = r->A->type;

    triangle(p, p->c, p->ld);
    check_trmm(t, r->uplo == TW_LOWER ? TW_LEFT : TW_RIGHT, r->uplo, TW_CONJTRANS, TW_NONUNIT, p->n, p->n, p->c, p->ld,
               p->w, p->ld);
    check_subtract(t, p->n, p->n, p->w, p->ld, r->f, r->ldf);
    return check_quotient(check_norm_he(t, r->uplo, p->n, p->w, p->ld),
                          check_norm_tr(t, '1', r->uplo, p->n, p->c, p->ld) *
                              check_norm_tr(t, 'I', r->uplo, p->n, p->c, p->ld));
}

/* |C F - I|, F the result, with sums in long double. */
static double careful_trtri(const struct full *p)
{
    const struct check_error *r = p->r;
    const enum tw_type t = r->A->type;
    const int lower = r->uplo == TW_LOWER;
    double norm = 0;

    for (tw_int j = 0; j < p->n; j++) {
        double column = 0;
        for (tw_int i = lower ? j : 0; i < (lower ? p->n : j + 1); i++) {
            long double re = i == j ? -1 : 0, im = 0;
            for (tw_int k = lower ? j : i; k <= (lower ? i : j); k++) {
                double c[2] = {1, 0}, f[2] = {1, 0};
                if (i != k || r->diag != TW_UNIT) check_get(t, p->c, (size_t)(i + k * p->ld), c);
                if (k != j || r->diag != TW_UNIT) check_get(t, r->f, (size_t)(k + j * r->ldf), f);
                re += (long double)c[0] * f[0] - (long double)c[1] * f[1];
                im += (long double)c[0] * f[1] + (long double)c[1] * f[0];
            }
            column += (double)hypotl(re, im);
        }
        if (!(column <= norm)) norm = column;
    }
    return norm;
}

static double full_trtri(const struct full *p)
{
    const struct check_error *r = p->r;
    const enum tw_type t = r->A->type;
    double inverse, error;

    triangle(p, r->f, r->ldf);
    unit_diagonal(p);
    inverse = check_norm_tr(t, '1', r->uplo, p->n, p->w, p->ld);
    check_trmm(t, TW_LEFT, r->uplo, TW_NOTRANS, r->diag, p->n, p->n, p->c, p->ld, p->w, p->ld);
    subtract_identity(p);
    error = check_norm_tr(t, '1', r->uplo, p->n, p->w, p->ld);
    /* a solver that added in the product's order has cancelled all of it (a unit triangle on a GPU): to be told from
     * results that nobody computed */
    if (error == 0) error = careful_trtri(p);
    return check_quotient(error, check_norm_tr(t, '1', r->uplo, p->n, p->c, p->ld) * inverse);
}

static int by_whole_products(struct check_error *r, double (*full)(const struct full *p), double *residual)
{
    const tw_int n = r->A->n, ld = n > 0 ? n : 1;
    const struct full p = {r, n, ld, check_room(r->A->type, ld, n), check_room(r->A->type, ld, n)};
    int e = p.c && p.w ? r->A->fill(r->A->context, p.c, ld) : TW_E_MEMORY;

    if (!e) *residual = full(&p) / ((double)n * check_eps(r->A->type));
    free(p.c);
    free(p.w);
    return e;
}

/* The same in double precision, whatever the type. A GPU's sums of single precision may be rounded as those of the
 * check would be: lauum's then are the check's, and a unit triangle's inverse by substitution cancels to the last bit,
 * so that both read an error of exactly 0. */
static int by_wide_products(const struct check_error *r, double (*full)(const struct full *p), double *residual)
{
    const enum tw_type given = r->A->type, t = check_is_complex(given) ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
    const tw_int n = r->A->n, numbers = n * n * (check_is_complex(t) ? 2 : 1);
    const struct check_matrix A = {.type = t, .m = n, .n = n};
    struct check_error wide = *r;
    const struct full p = {&wide, n, n, check_room(t, n, n), check_room(t, n, n)};
    void *f = check_room(t, n, n);
    int e = p.c && p.w && f ? r->A->fill(r->A->context, p.c, n) : TW_E_MEMORY;

    wide.A = &A, wide.f = f, wide.ldf = n;
    if (!e) {
        check_copy(given, n, n, r->f, r->ldf, f, n);
        if (given != t) check_widen(numbers, p.c), check_widen(numbers, f);
        *residual = full(&p) / ((double)n * check_eps(given));
    }
    free(p.c), free(p.w), free(f);
    return e;
}

/* ---- products with vectors --------------------------------------------------------------------------------------- */

/* x = op(F) x, F the result's triangle. */
static void by_triangle(const struct check_error *r, enum tw_trans op, int k, void *x)
{
    check_trmm(r->A->type, TW_LEFT, r->uplo, op, r->diag, r->A->n, k, r->f, r->ldf, x, r->A->n);
}

/* y = F x, F hermitian in one triangle. */
static void by_hermitian(const struct check_error *r, int k, const void *x, void *y)
{
    check_hemm(r->A->type, TW_LEFT, r->uplo, r->A->n, k, r->f, r->ldf, x, r->A->n, y, r->A->n);
}

static void copy_to_t(const struct check_error *r, int k, const void *x)
{
    check_copy(r->A->type, r->A->n, k, x, r->A->n, r->t, r->A->n);
}

static void less(const struct check_error *r, int k, void *y, const void *x)
{
    check_subtract(r->A->type, r->A->n, k, y, r->A->n, x, r->A->n);
}

static int error_potrf(void *context, int adjoint, int k, const void *x, void *y)
{
    struct check_error *r = context;
    int lower = r->uplo == TW_LOWER, e = check_by_input(r, TW_GENERAL, TW_NOTRANS, k, x, y);

    (void)adjoint; /* hermitian */
    if (e) return e;
    copy_to_t(r, k, x);
    by_triangle(r, lower ? TW_CONJTRANS : TW_NOTRANS, k, r->t);
    by_triangle(r, lower ? TW_NOTRANS : TW_CONJTRANS, k, r->t);
    less(r, k, y, r->t);
    return 0;
}

static int error_lauum(void *context, int adjoint, int k, const void *x, void *y)
{
    struct check_error *r = context;
    int lower = r->uplo == TW_LOWER, e;

    (void)adjoint;
    if ((e = check_by_input(r, r->uplo, lower ? TW_NOTRANS : TW_CONJTRANS, k, x, r->t))) return e;
    if ((e = check_by_input(r, r->uplo, lower ? TW_CONJTRANS : TW_NOTRANS, k, r->t, y))) return e;
    by_hermitian(r, k, x, r->t);
    less(r, k, y, r->t);
    return 0;
}

/* A inv(A) - I, or its adjoint inv(A) A - I. */
static int error_potri(void *context, int adjoint, int k, const void *x, void *y)
{
    struct check_error *r = context;
    int e;

    if (adjoint) {
        if ((e = check_by_input(r, TW_GENERAL, TW_NOTRANS, k, x, r->t))) return e;
        by_hermitian(r, k, r->t, y);
    } else {
        by_hermitian(r, k, x, r->t);
        if ((e = check_by_input(r, TW_GENERAL, TW_NOTRANS, k, r->t, y))) return e;
    }
    less(r, k, y, x);
    return 0;
}

/* T inv(T) - I, or its adjoint. */
static int error_trtri(void *context, int adjoint, int k, const void *x, void *y)
{
    struct check_error *r = context;
    int e;

    if (adjoint) {
        if ((e = check_by_input(r, r->uplo, TW_CONJTRANS, k, x, y))) return e;
        by_triangle(r, TW_CONJTRANS, k, y);
    } else {
        copy_to_t(r, k, x);
        by_triangle(r, TW_NOTRANS, k, r->t);
        if ((e = check_by_input(r, r->uplo, TW_NOTRANS, k, r->t, y))) return e;
    }
    less(r, k, y, x);
    return 0;
}

/* ---- the checks -------------------------------------------------------------------------------------------------- */

static int is_large(const struct check_matrix *A)
{
    return A->n > CHECK_FULL_MAX;
}

int check_potrf(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual)
{
    struct check_error r = {.A = A, .uplo = uplo, .diag = TW_NONUNIT, .f = f, .ldf = ldf};
    int e;

    *residual = 0;
    if (A->n == 0) return 0;
    if (!is_large(A)) return by_whole_products(&r, full_potrf, residual);
    e = check_estimate(&r, error_potrf, residual);
    *residual = check_quotient(*residual, r.one);
    return e;
}

int check_potri(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual)
{
    struct check_error r = {.A = A, .uplo = uplo, .diag = TW_NONUNIT, .f = f, .ldf = ldf};
    int e;

    *residual = 0;
    if (A->n == 0) return 0;
    if (!is_large(A)) return by_whole_products(&r, full_potri, residual);
    e = check_estimate(&r, error_potri, residual);
    *residual = check_quotient(*residual, r.one * check_norm_he(A->type, uplo, A->n, f, ldf));
    return e;
}

int check_lauum(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, double *residual)
{
    struct check_error r = {.A = A, .uplo = uplo, .diag = TW_NONUNIT, .f = f, .ldf = ldf};
    int e;

    *residual = 0;
    if (A->n == 0) return 0;
    if (!is_large(A)) return by_wide_products(&r, full_lauum, residual);
    e = check_estimate(&r, error_lauum, residual);
    *residual = check_quotient(*residual, r.one * r.inf);
    return e;
}

int check_trtri(const struct check_matrix *A, enum tw_uplo uplo, enum tw_diag diag, const void *f, tw_int ldf,
                double *residual)
{
    struct check_error r = {.A = A, .uplo = uplo, .diag = diag, .f = f, .ldf = ldf};
    int e;

    *residual = 0;
    if (A->n == 0) return 0;
    if (!is_large(A)) return by_wide_products(&r, full_trtri, residual);
    e = check_estimate(&r, error_trtri, residual);
    *residual = check_quotient(*residual, r.one * check_norm_tr(A->type, '1', uplo, A->n, f, ldf));
    return e;
}
