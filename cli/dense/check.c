/* The independent checker: scaled residuals with plain BLAS and LAPACK on all cores, never the library's own kernels, from the
 * input made (or read) again. Up to n = CLI_FULL_CHECK_MAX whole products; above it check_large.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

void cli_judge(const struct cli_problem *p, struct cli_verdict *v)
{
    v->passed = 0;
    v->word = "failed";
    if (!v->done || !(v->residual <= v->fail)) return; /* a NaN fails, too */
    if (v->zero_is_odd && v->residual == 0 && p->n >= 64 && p->source.random) {
        v->word = "failed: exactly 0 on random input";
        return;
    }
    v->passed = 1;
    v->word = v->residual <= v->warn ? "ok" : "warning";
}

static void begin(struct cli_verdict *v, const char *formula)
{
    memset(v, 0, sizeof *v);
    v->formula = formula;
    v->warn = 3;
    v->fail = 30;
    v->zero_is_odd = 1;
}

static void end(struct cli_problem *p, struct cli_verdict *v, double residual)
{
    v->residual = p->n == 0 ? 0 : residual;
    v->done = 1;
    cli_judge(p, v);
}

static int source_error(int e)
{
    if (cli_interrupted()) return 128 + cli_interrupted();
    return e ? cli_library_error("--check", e) : 0;
}

static double square(const struct cli_problem *p)
{
    return (double)p->ld * (double)p->n * (double)cli_sizeof(p->type);
}

/* The input as a full array. */
static int input(const struct cli_problem *p, void **c)
{
    int e;

    if (!(*c = cli_alloc(square(p), "--check"))) return CLI_FAILED;
    e = source_error(cli_source_fill(&p->source, *c, p->ld));
    if (e) free(*c), *c = NULL;
    return e;
}

/* A copy of a triangle, zeros elsewhere. */
static void *triangle(const struct cli_problem *p, const void *from)
{
    void *w = cli_alloc(square(p), "--check");
    if (w) memcpy(w, from, (size_t)square(p));
    if (w) cli_clean_triangle(p->type, p->uplo, p->n, w, p->ld);
    return w;
}

static void subtract_identity(const struct cli_problem *p, void *w)
{
    double v[2];
    for (tw_int i = 0; i < p->n; i++) {
        cli_get(p->type, w, (size_t)(i + i * p->ld), v);
        cli_set(p->type, w, (size_t)(i + i * p->ld), v[0] - 1, v[1]);
    }
}

int cli_exact_anorm(struct cli_problem *p)
{
    double *sums;
    int e;

    if (p->anorm >= 0 || p->n == 0) return p->anorm = p->anorm >= 0 ? p->anorm : 0, 0;
    if (!(sums = cli_alloc((double)p->n * sizeof *sums, "the norm of A"))) return CLI_FAILED;
    e = source_error(cli_source_apply(&p->source, TW_GENERAL, TW_NOTRANS, 0, NULL, NULL, sums, NULL));
    if (!e) p->anorm = cli_max(p->n, sums);
    free(sums);
    return e;
}

/* ---- the four checks of a triangle: full products or operators ------------------------------------------------------- */

typedef int (*full_check)(struct cli_problem *p, const void *f, const void *c, void *w, double *residual);

/* f: the result; c: the input; w: a copy of the triangle that the product starts from. */
static int check_triangle(struct cli_problem *p, struct cli_verdict *v, const char *formula, int start_from_input,
                          full_check full, int (*large)(struct cli_problem *, const void *, double *))
{
    void *f, *copy, *c = NULL, *w = NULL;
    double residual = 0;
    int e;

    begin(v, formula);
    if ((e = cli_result_a(p, &f, &copy))) return e;
    if (p->n > CLI_FULL_CHECK_MAX) {
        e = source_error(large(p, f, &residual));
    } else if (!(e = input(p, &c))) {
        w = triangle(p, start_from_input ? c : f);
        e = w ? full(p, f, c, w, &residual) : CLI_FAILED;
    }
    if (!e) end(p, v, residual);
    free(w);
    free(c);
    free(copy);
    return e;
}

static int full_potrf(struct cli_problem *p, const void *f, const void *c, void *w, double *residual)
{
    int lower = p->uplo == TW_LOWER;

    p->anorm = cli_norm_he(p->type, p->uplo, p->n, c, p->ld);
    cli_trmm(p->type, lower ? TW_RIGHT : TW_LEFT, p->uplo, TW_CONJTRANS, p->n, p->n, f, p->ld, w, p->ld);
    cli_subtract(p->type, (size_t)p->ld * (size_t)p->n, w, c);
    *residual = cli_norm_he(p->type, p->uplo, p->n, w, p->ld) / ((double)p->n * cli_eps(p->type) * p->anorm);
    return 0;
}

static int full_potri(struct cli_problem *p, const void *f, const void *c, void *w, double *residual)
{
    double inverse = cli_norm_he(p->type, p->uplo, p->n, f, p->ld);

    p->anorm = cli_norm_he(p->type, p->uplo, p->n, c, p->ld);
    cli_hemm(p->type, TW_RIGHT, p->uplo, p->n, p->n, f, p->ld, c, p->ld, w, p->ld);
    subtract_identity(p, w);
    *residual = cli_norm_ge(p->type, p->n, p->n, w, p->ld) / ((double)p->n * cli_eps(p->type) * p->anorm * inverse);
    return 0;
}

static int full_lauum(struct cli_problem *p, const void *f, const void *c, void *w, double *residual)
{
    int lower = p->uplo == TW_LOWER;
    double one = cli_norm_tr(p->type, '1', p->uplo, p->n, c, p->ld),
           inf = cli_norm_tr(p->type, 'I', p->uplo, p->n, c, p->ld);

    cli_trmm(p->type, lower ? TW_LEFT : TW_RIGHT, p->uplo, TW_CONJTRANS, p->n, p->n, c, p->ld, w, p->ld);
    cli_subtract(p->type, (size_t)p->ld * (size_t)p->n, w, f);
    *residual = cli_norm_he(p->type, p->uplo, p->n, w, p->ld) / ((double)p->n * cli_eps(p->type) * one * inf);
    return 0;
}

static int full_trtri(struct cli_problem *p, const void *f, const void *c, void *w, double *residual)
{
    double t = cli_norm_tr(p->type, '1', p->uplo, p->n, c, p->ld),
           inverse = cli_norm_tr(p->type, '1', p->uplo, p->n, f, p->ld);

    cli_trmm(p->type, TW_LEFT, p->uplo, TW_NOTRANS, p->n, p->n, c, p->ld, w, p->ld);
    subtract_identity(p, w);
    *residual = cli_norm_tr(p->type, '1', p->uplo, p->n, w, p->ld) / ((double)p->n * cli_eps(p->type) * t * inverse);
    return 0;
}

int cli_check_potrf(struct cli_problem *p, struct cli_verdict *v)
{
    return check_triangle(p, v, p->uplo == TW_LOWER ? "|A - L L^H| / (n eps |A|)" : "|A - U^H U| / (n eps |A|)", 0,
                          full_potrf, cli_large_potrf);
}
/* ---- LU ------------------------------------------------------------------------------------------------------------------- */

/* w = L U - P A; c, the input, is spoilt. */
static int full_getrf(struct cli_problem *p, const void *f, const tw_int *ipiv, void *c, double *residual)
{
    const size_t bytes = (size_t)square(p);
    void *l = cli_alloc((double)bytes, "--check"), *w = cli_alloc((double)bytes, "--check");

    if (l && w) {
        p->anorm = cli_norm_ge(p->type, p->n, p->n, c, p->ld);
        memcpy(l, f, bytes);
        memcpy(w, f, bytes);
        for (tw_int i = 0; i < p->n; i++)
            cli_set(p->type, l, (size_t)(i + i * p->ld), 1, 0);
        cli_clean_triangle(p->type, TW_UPPER, p->n, w, p->ld);
        cli_trmm(p->type, TW_LEFT, TW_LOWER, TW_NOTRANS, p->n, p->n, l, p->ld, w, p->ld);
        cli_exchange(p->type, p->n, p->n, c, p->ld, ipiv, 0);
        cli_subtract(p->type, (size_t)p->ld * (size_t)p->n, w, c);
        *residual = cli_norm_ge(p->type, p->n, p->n, w, p->ld) / ((double)p->n * cli_eps(p->type) * p->anorm);
    }
    free(l);
    free(w);
    return l && w ? 0 : CLI_FAILED;
}

/* Each row has to come from itself or one below. */
static int sound_pivots(const struct cli_problem *p, const tw_int *ipiv)
{
    for (tw_int i = 0; i < p->n; i++)
        if (ipiv[i] <= i || ipiv[i] > p->n) return 0;
    return 1;
}

int cli_check_getrf(struct cli_problem *p, struct cli_verdict *v)
{
    void *f, *copy, *c = NULL;
    tw_int *ipiv;
    double residual = NAN;
    int e;

    begin(v, "|P A - L U| / (n eps |A|)");
    if ((e = cli_result_a(p, &f, &copy))) return e;
    if (!(ipiv = cli_result_pivots(p)))
        e = CLI_FAILED;
    else if (!sound_pivots(p, ipiv))
        cli_error(0, "--check: a pivot names no row");
    else if (p->n > CLI_FULL_CHECK_MAX)
        e = source_error(cli_large_getrf(p, f, ipiv, &residual));
    else if (!(e = input(p, &c)))
        e = p->n ? full_getrf(p, f, ipiv, c, &residual) : 0;
    if (!e) end(p, v, residual);
    free(ipiv);
    free(c);
    free(copy);
    return e;
}

int cli_check_potri(struct cli_problem *p, struct cli_verdict *v)
{
    return check_triangle(p, v, "|I - A inv(A)| / (n eps |A| |inv(A)|)", 0, full_potri, cli_large_potri);
}
int cli_check_lauum(struct cli_problem *p, struct cli_verdict *v)
{
    return check_triangle(p, v,
                          p->uplo == TW_LOWER ? "|L^H L - R| / (n eps |L| |L^H|)" : "|U U^H - R| / (n eps |U| |U^H|)",
                          1, full_lauum, cli_large_lauum);
}
int cli_check_trtri(struct cli_problem *p, struct cli_verdict *v)
{
    return check_triangle(p, v, "|I - T inv(T)| / (n eps |T| |inv(T)|)", 0, full_trtri, cli_large_trtri);
}

/* ---- solves: A X from blocks, for every n -------------------------------------------------------------------------------- */

static double worst_column(const struct cli_problem *p, const void *r, const void *x, const void *b)
{
    const size_t size = cli_sizeof(p->type);
    double worst = 0;

    for (tw_int j = 0; j < p->nrhs && !isnan(worst); j++) {
        size_t at = (size_t)j * (size_t)p->ld * size;
        double rn = cli_norm_ge(p->type, p->n, 1, (const char *)r + at, p->ld);
        double xn = cli_norm_ge(p->type, p->n, 1, (const char *)x + at, p->ld);
        double bn = cli_norm_ge(p->type, p->n, 1, (const char *)b + at, p->ld);
        double scaled = rn == 0 ? 0 : rn / ((p->anorm * xn + bn) * (double)p->n * cli_eps(p->type));
        if (!(scaled <= worst)) worst = scaled;
    }
    return worst;
}

int cli_check_solve(struct cli_problem *p, struct cli_verdict *v)
{
    double bytes = (double)p->ld * (double)p->nrhs * (double)cli_sizeof(p->type), residual = 0;
    void *x, *copy, *b = cli_alloc(bytes, "--check"), *r = cli_alloc(bytes, "--check");
    double *sums = cli_alloc((double)p->n * sizeof *sums, "--check");
    int e = b && r && sums ? 0 : CLI_FAILED;

    begin(v, "max |b - A x| / ((|A| |x| + |b|) n eps)");
    copy = NULL;
    if (!e) e = cli_result_b(p, &x, &copy);
    if (!e) e = source_error(cli_source_fill(&p->rhs, b, p->ld));
    if (!e) e = source_error(cli_source_apply(&p->source, TW_GENERAL, TW_NOTRANS, p->nrhs, x, r, sums, NULL));
    if (!e) {
        p->anorm = cli_max(p->n, sums);
        cli_subtract(p->type, (size_t)p->ld * (size_t)p->nrhs * (p->n > 0), r, b);
        residual = worst_column(p, r, x, b);
        v->zero_is_odd = p->nrhs > 0;
        end(p, v, residual);
    }
    free(copy);
    free(sums);
    free(r);
    free(b);
    return e;
}

/* ---- condition numbers ------------------------------------------------------------------------------------------------------ */

int cli_check_pocon(struct cli_problem *p, struct cli_verdict *v)
{
    void *f, *copy;
    double lapack = 0;
    int e, info;

    begin(v, "max(rcond / LAPACK's, LAPACK's / rcond)");
    v->fail = 10;
    v->zero_is_odd = 0;
    if ((e = cli_result_a(p, &f, &copy))) return e;
    info = p->n == 0 ? 0 : cli_lapack_pocon(p->type, p->uplo, p->n, f, p->ld, p->anorm, &lapack);
    free(copy);
    if (info) return cli_error(CLI_FAILED, "--check: LAPACKE's pocon returned %d", info);
    if (p->n == 0) lapack = 1;
    v->reference = lapack;
    v->residual = p->rcond == lapack ? 1 : p->rcond > lapack ? p->rcond / lapack : lapack / p->rcond;
    v->done = 1;
    cli_judge(p, v);
    return 0;
}
