/* Verdicts: the residuals of checks/, with plain BLAS and LAPACK on all cores, never the library's own kernels, from
 * the input made (or read) again. */
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

void cli_verdict_begin(struct cli_verdict *v, const char *formula)
{
    memset(v, 0, sizeof *v);
    v->formula = formula;
    v->warn = 3;
    v->fail = 30;
    v->zero_is_odd = 1;
}

static int check_error(int e)
{
    if (cli_interrupted()) return 128 + cli_interrupted();
    if (e == TW_E_MEMORY) return cli_error(CLI_FAILED, "--check: not enough memory");
    return e ? cli_library_error("--check", e) : 0;
}

int cli_verdict_end(struct cli_problem *p, struct cli_verdict *v, int error, double residual)
{
    const int e = check_error(error);

    if (e) return e;
    v->residual = residual;
    v->done = 1;
    cli_judge(p, v);
    return 0;
}

int cli_exact_anorm(struct cli_problem *p)
{
    const struct check_matrix A = cli_source_matrix(&p->source);

    if (p->anorm >= 0 || p->n == 0) return p->anorm = p->anorm >= 0 ? p->anorm : 0, 0;
    return check_error(check_anorm(&A, &p->anorm));
}

int cli_check_triangle(struct cli_problem *p, struct cli_verdict *v, const char *formula,
                       int (*check)(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf,
                                    double *residual))
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *f, *copy;
    double residual = 0;
    int e;

    cli_verdict_begin(v, formula);
    if ((e = cli_result_a(p, &f, &copy))) return e;
    e = check(&A, p->uplo, f, p->ld, &residual);
    free(copy);
    return cli_verdict_end(p, v, e, residual);
}

int cli_check_condition(struct cli_problem *p, struct cli_verdict *v,
                        int (*of_lapack)(const struct cli_problem *p, const void *f, double *rcond))
{
    void *f, *copy;
    double lapack = 0;
    int e, info;

    cli_verdict_begin(v, "max(rcond / LAPACK's, LAPACK's / rcond)");
    v->fail = 10;
    v->zero_is_odd = 0;
    if ((e = cli_result_a(p, &f, &copy))) return e;
    info = p->n == 0 ? 0 : of_lapack(p, f, &lapack);
    free(copy);
    if (info) return cli_error(CLI_FAILED, "--check: LAPACKE's %s returned %d", p->routine->name, info);
    if (p->n == 0) lapack = 1;
    v->reference = lapack;
    return cli_verdict_end(p, v, 0, p->rcond == lapack ? 1 : p->rcond > lapack ? p->rcond / lapack : lapack / p->rcond);
}

int cli_check_solve(struct cli_problem *p, struct cli_verdict *v)
{
    return cli_check_solve_part(p, v, TW_GENERAL);
}

int cli_check_solve_part(struct cli_problem *p, struct cli_verdict *v, enum tw_uplo uplo)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *x, *copy, *b = cli_alloc((double)p->ld * (double)p->nrhs * (double)check_sizeof(p->type), "--check");
    double residual = 0;
    int e = CLI_FAILED;

    cli_verdict_begin(v, p->o->trans == TW_NOTRANS ? "max |b - A x| / ((|A| |x| + |b|) n eps)"
                                                   : "max |b - op(A) x| / ((|op(A)| |x| + |b|) n eps)");
    v->zero_is_odd = p->nrhs > 0;
    if (b && !(e = cli_result_b(p, &x, &copy))) {
        e = cli_source_fill(&p->rhs, b, p->ld);
        if (!e) e = check_solve_part(&A, uplo, p->o->trans, p->nrhs, x, p->ld, b, p->ld, &residual);
        e = cli_verdict_end(p, v, e, residual);
        free(copy);
    }
    free(b);
    return e;
}
