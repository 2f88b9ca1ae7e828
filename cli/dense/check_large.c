/* Checks above n = CLI_FULL_CHECK_MAX: the same residuals |E|, but E is known by its products with a few vectors only, and its
 * 1-norm is estimated from those. The input is made again block by block; norms of the input are exact. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define VECTORS 4

/* ---- the block 1-norm estimator ----------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static double size_of(enum tw_type type, const void *a, size_t i)
{
    double v[2];
    cli_get(type, a, i, v);
    return hypot(v[0], v[1]);
}

/* The largest 1-norm of the columns; NaN if there is one. */
static double largest_column(enum tw_type type, tw_int n, const void *y)
{
    double sums[VECTORS] = {0};
    for (int c = 0; c < VECTORS; c++)
        for (tw_int i = 0; i < n; i++)
            sums[c] += size_of(type, y, (size_t)(i + c * n));
    return cli_max(VECTORS, sums);
}

/* Columns of +-1/n: the first without signs, the others random. */
static void start_vectors(enum tw_type type, tw_int n, void *x)
{
    uint64_t state = 20;
    for (int c = 0; c < VECTORS; c++)
        for (tw_int i = 0; i < n; i++)
            cli_set(type, x, (size_t)(i + c * n), (c && next_random(&state) >> 63 ? -1.0 : 1.0) / (double)n, 0);
}

static void signs(enum tw_type type, tw_int n, const void *y, void *s)
{
    double v[2], length;
    for (size_t i = 0; i < (size_t)n * VECTORS; i++) {
        cli_get(type, y, i, v);
        length = hypot(v[0], v[1]);
        cli_set(type, s, i, length > 0 ? v[0] / length : 1, length > 0 ? v[1] / length : 0);
    }
}

/* Unit vectors of the rows of Z with the largest entries. */
static void best_units(enum tw_type type, tw_int n, const void *z, void *x)
{
    tw_int best[VECTORS];
    double value[VECTORS];
    int count = 0;

    for (tw_int i = 0; i < n; i++) {
        double largest = 0;
        int at;
        for (int c = 0; c < VECTORS; c++)
            largest = fmax(largest, size_of(type, z, (size_t)(i + c * n)));
        for (at = count; at > 0 && value[at - 1] < largest; at--)
            if (at < VECTORS) value[at] = value[at - 1], best[at] = best[at - 1];
        if (at < VECTORS) value[at] = largest, best[at] = i;
        if (count < VECTORS) count++;
    }
    memset(x, 0, (size_t)n * VECTORS * cli_sizeof(type));
    for (int c = 0; c < count; c++)
        cli_set(type, x, (size_t)(best[c] + c * n), 1, 0);
}

int cli_norm_estimate(enum tw_type type, tw_int n, cli_operator op, void *context, double *value)
{
    double bytes = (double)n * VECTORS * (double)cli_sizeof(type), first;
    void *x = cli_alloc(bytes, "--check"), *y = cli_alloc(bytes, "--check");
    int e = x && y ? 0 : TW_E_MEMORY;

    *value = NAN;
    if (!e) start_vectors(type, n, x);
    if (!e) e = op(context, 0, VECTORS, x, y);
    if (!e) {
        *value = first = largest_column(type, n, y);
        signs(type, n, y, x);
        e = op(context, 1, VECTORS, x, y);
        if (!e) best_units(type, n, y, x);
        if (!e) e = op(context, 0, VECTORS, x, y);
        if (!e) *value = largest_column(type, n, y);
        if (!e && !(first <= *value)) *value = first; /* NaN stays */
    }
    free(x);
    free(y);
    return e;
}

/* ---- E of each routine --------------------------------------------------------------------------------------------------- */

struct error {
    struct cli_problem *p;
    const void *f;           /* the result */
    const tw_int *ipiv;      /* its pivots, of getrf */
    void *t;                 /* n x VECTORS */
    double *colsum, *rowsum; /* of the input, from the first product */
    double one, inf;         /* its norms */
    int normed;
};

/* y = op(input) x; the first time its norms, too. */
static int by_input(struct error *r, enum tw_uplo uplo, enum tw_trans op, int k, const void *x, void *y)
{
    int first = !r->normed;
    int e = cli_source_apply(&r->p->source, uplo, op, k, x, y, first ? r->colsum : NULL, first ? r->rowsum : NULL);

    if (e || !first) return e;
    r->one = cli_max(r->p->n, r->colsum);
    r->inf = cli_max(r->p->n, r->rowsum);
    r->normed = 1;
    return 0;
}

/* x = op(F) x, F the result's triangle. */
static void by_triangle(const struct error *r, enum tw_trans op, int k, void *x)
{
    const struct cli_problem *p = r->p;
    cli_trmm(p->type, TW_LEFT, p->uplo, op, p->n, k, r->f, p->ld, x, p->n);
}

/* y = F x, F hermitian in one triangle. */
static void by_hermitian(const struct error *r, int k, const void *x, void *y)
{
    const struct cli_problem *p = r->p;
    cli_hemm(p->type, TW_LEFT, p->uplo, p->n, k, r->f, p->ld, x, p->n, y, p->n);
}

static size_t elements(const struct error *r, int k)
{
    return (size_t)r->p->n * (size_t)k;
}

static void copy_to_t(const struct error *r, int k, const void *x)
{
    memcpy(r->t, x, elements(r, k) * cli_sizeof(r->p->type));
}

static int error_potrf(void *context, int adjoint, int k, const void *x, void *y)
{
    struct error *r = context;
    int lower = r->p->uplo == TW_LOWER, e = by_input(r, TW_GENERAL, TW_NOTRANS, k, x, y);

    (void)adjoint; /* hermitian */
    if (e) return e;
    copy_to_t(r, k, x);
    by_triangle(r, lower ? TW_CONJTRANS : TW_NOTRANS, k, r->t);
    by_triangle(r, lower ? TW_NOTRANS : TW_CONJTRANS, k, r->t);
    cli_subtract(r->p->type, elements(r, k), y, r->t);
    return 0;
}

static int error_lauum(void *context, int adjoint, int k, const void *x, void *y)
{
    struct error *r = context;
    int lower = r->p->uplo == TW_LOWER, e;

    (void)adjoint;
    if ((e = by_input(r, r->p->uplo, lower ? TW_NOTRANS : TW_CONJTRANS, k, x, r->t))) return e;
    if ((e = by_input(r, r->p->uplo, lower ? TW_CONJTRANS : TW_NOTRANS, k, r->t, y))) return e;
    by_hermitian(r, k, x, r->t);
    cli_subtract(r->p->type, elements(r, k), y, r->t);
    return 0;
}

/* A inv(A) - I, or its adjoint inv(A) A - I. */
static int error_potri(void *context, int adjoint, int k, const void *x, void *y)
{
    struct error *r = context;
    int e;

    if (adjoint) {
        if ((e = by_input(r, TW_GENERAL, TW_NOTRANS, k, x, r->t))) return e;
        by_hermitian(r, k, r->t, y);
    } else {
        by_hermitian(r, k, x, r->t);
        if ((e = by_input(r, TW_GENERAL, TW_NOTRANS, k, r->t, y))) return e;
    }
    cli_subtract(r->p->type, elements(r, k), y, x);
    return 0;
}

/* T inv(T) - I, or its adjoint. */
static int error_trtri(void *context, int adjoint, int k, const void *x, void *y)
{
    struct error *r = context;
    int e;

    if (adjoint) {
        if ((e = by_input(r, r->p->uplo, TW_CONJTRANS, k, x, y))) return e;
        by_triangle(r, TW_CONJTRANS, k, y);
    } else {
        copy_to_t(r, k, x);
        by_triangle(r, TW_NOTRANS, k, r->t);
        if ((e = by_input(r, r->p->uplo, TW_NOTRANS, k, r->t, y))) return e;
    }
    cli_subtract(r->p->type, elements(r, k), y, x);
    return 0;
}

/* x = op(L) x, L unit lower triangular below F's diagonal: the product with all of that triangle, less the diagonal's part. */
static void by_unit_lower(const struct error *r, enum tw_trans op, int k, void *x)
{
    const struct cli_problem *p = r->p;
    const double conj = op == TW_CONJTRANS ? -1 : 1;
    double d[2], v[2], w[2];
    void *before = cli_alloc((double)elements(r, k) * (double)cli_sizeof(p->type), "--check");

    if (!before) {
        for (size_t i = 0; i < elements(r, k); i++)
            cli_set(p->type, x, i, NAN, 0); /* fails the check */
        return;
    }
    memcpy(before, x, elements(r, k) * cli_sizeof(p->type));
    cli_trmm(p->type, TW_LEFT, TW_LOWER, op, p->n, k, r->f, p->ld, x, p->n);
    for (tw_int i = 0; i < p->n; i++) {
        cli_get(p->type, r->f, (size_t)(i + i * p->ld), d);
        d[0] -= 1, d[1] *= conj;
        for (int c = 0; c < k; c++) {
            const size_t at = (size_t)(i + c * p->n);
            cli_get(p->type, before, at, v);
            cli_get(p->type, x, at, w);
            cli_set(p->type, x, at, w[0] - (d[0] * v[0] - d[1] * v[1]), w[1] - (d[0] * v[1] + d[1] * v[0]));
        }
    }
    free(before);
}
static void by_upper(const struct error *r, enum tw_trans op, int k, void *x)
{
    cli_trmm(r->p->type, TW_LEFT, TW_UPPER, op, r->p->n, k, r->f, r->p->ld, x, r->p->n);
}

/* P A - L U, or its adjoint. */
static int error_getrf(void *context, int adjoint, int k, const void *x, void *y)
{
    struct error *r = context;
    const struct cli_problem *p = r->p;
    int e;

    copy_to_t(r, k, x);
    if (adjoint) cli_exchange(p->type, p->n, k, r->t, p->n, r->ipiv, 1);
    if ((e = by_input(r, TW_GENERAL, adjoint ? TW_CONJTRANS : TW_NOTRANS, k, r->t, y))) return e;
    if (!adjoint) cli_exchange(p->type, p->n, k, y, p->n, r->ipiv, 0);
    copy_to_t(r, k, x);
    if (adjoint) {
        by_unit_lower(r, TW_CONJTRANS, k, r->t);
        by_upper(r, TW_CONJTRANS, k, r->t);
    } else {
        by_upper(r, TW_NOTRANS, k, r->t);
        by_unit_lower(r, TW_NOTRANS, k, r->t);
    }
    cli_subtract(p->type, elements(r, k), y, r->t);
    return 0;
}

/* |E| and the norms of the input. */
static int estimate(struct cli_problem *p, const void *f, cli_operator op, struct error *r, double *value)
{
    const tw_int *ipiv = r->ipiv;
    double n = (double)p->n;
    int e;

    *r = (struct error){.p = p, .f = f, .ipiv = ipiv};
    r->t = cli_alloc(n * VECTORS * (double)cli_sizeof(p->type), "--check");
    r->colsum = cli_alloc(n * sizeof(double), "--check");
    r->rowsum = cli_alloc(n * sizeof(double), "--check");
    e = r->t && r->colsum && r->rowsum ? cli_norm_estimate(p->type, p->n, op, r, value) : TW_E_MEMORY;
    free(r->t);
    free(r->colsum);
    free(r->rowsum);
    *value /= n * cli_eps(p->type);
    return e;
}

int cli_large_potrf(struct cli_problem *p, const void *f, double *residual)
{
    struct error r = {.ipiv = NULL};
    int e = estimate(p, f, error_potrf, &r, residual);
    p->anorm = r.one;
    *residual /= r.one;
    return e;
}

int cli_large_potri(struct cli_problem *p, const void *f, double *residual)
{
    struct error r = {.ipiv = NULL};
    int e = estimate(p, f, error_potri, &r, residual);
    p->anorm = r.one;
    *residual /= r.one * cli_norm_he(p->type, p->uplo, p->n, f, p->ld);
    return e;
}

int cli_large_lauum(struct cli_problem *p, const void *f, double *residual)
{
    struct error r = {.ipiv = NULL};
    int e = estimate(p, f, error_lauum, &r, residual);
    *residual /= r.one * r.inf;
    return e;
}

int cli_large_trtri(struct cli_problem *p, const void *f, double *residual)
{
    struct error r = {.ipiv = NULL};
    int e = estimate(p, f, error_trtri, &r, residual);
    *residual /= r.one * cli_norm_tr(p->type, '1', p->uplo, p->n, f, p->ld);
    return e;
}

int cli_large_getrf(struct cli_problem *p, const void *f, const tw_int *ipiv, double *residual)
{
    struct error r = {.ipiv = ipiv};
    int e = estimate(p, f, error_getrf, &r, residual);
    p->anorm = r.one;
    *residual /= r.one;
    return e;
}
