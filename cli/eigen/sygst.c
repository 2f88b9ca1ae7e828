/* tilework sygst: the standard form of a generalized eigenvalue problem. */
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double n, double nrhs)
{
    (void)nrhs;
    return n * n * n;
}

static int tiles(struct cli_problem *p)
{
    return tw_sygst(p->o->itype, p->uplo, p->A, p->B);
}

static tw_int lapack(struct cli_problem *p)
{
    const int itype = p->o->itype;

    switch (p->type) {
    case TW_FLOAT: return tw_ssygst(itype, (char)p->uplo, p->n, p->a, p->ld, p->b, p->ld);
    case TW_DOUBLE: return tw_dsygst(itype, (char)p->uplo, p->n, p->a, p->ld, p->b, p->ld);
    case TW_COMPLEX_FLOAT: return tw_chegst(itype, (char)p->uplo, p->n, p->a, p->ld, p->b, p->ld);
    default: return tw_zhegst(itype, (char)p->uplo, p->n, p->a, p->ld, p->b, p->ld);
    }
}

static tw_int potrf(struct cli_problem *p)
{
    CLI_LAPACK_DOOR(potrf, p, ((char)p->uplo, p->n, (T *)p->b, p->ld))
}

/* B's Cholesky factor. */
static int before(struct cli_problem *p)
{
    const tw_int info = p->B ? tw_potrf(p->uplo, p->B) : potrf(p);

    if (info < 0) return cli_library_error("potrf", (int)info);
    if (info > 0)
        return cli_error(CLI_FAILED,
                         "potrf: info = %lld: the leading minor of B of that order is not positive definite",
                         (long long)info);
    return 0;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    void *c, *f, *copy[2] = {NULL, NULL};
    double residual = 0;
    int e;

    cli_verdict_begin(v, p->o->itype == 1 ? "|A - L C L^H| / (n eps |C| |L| |L^H|)"
                                          : "|C - L^H A L| / (n eps |A| |L| |L^H|)");
    if (!(e = cli_result_a(p, &c, &copy[0])) && !(e = cli_result_b(p, &f, &copy[1]))) {
        e = check_sygst(p->o->itype, &A, p->uplo, c, p->ld, f, p->ld, &residual);
        e = cli_verdict_end(p, v, e, residual);
    }
    free(copy[0]), free(copy[1]);
    return e;
}

CLI_ROUTINE(149, sygst) = {
    .name = "sygst",
    .summary = "the standard form of a generalized eigenvalue problem",
    .text =
        "inv(L) A inv(L^H) with --itype 1, L^H A L with 2 and 3, in A's place, L L^H = B; with --uplo U by U^H in L's "
        "place. B's\n"
        "factorization comes before the clock. --output writes a symmetric or hermitian file. --check: |A - L C L^H| / "
        "(n eps |C| |L| |L^H|)\n"
        "or |C - L^H A L| / (n eps |A| |L| |L^H|).",
    .example = "tilework sygst --n 1000 --itype 2 --check",
    .kind = "symmetric",
    .has_rhs = 1,
    .pencil = 1,
    .symmetric_result = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .before = before,
    .check = check,
    .check_arrays = 4,
};
