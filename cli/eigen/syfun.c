/* tilework syfun: a function of a symmetric or hermitian matrix. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

/* The reduction to tridiagonal form, as syevd counts, and the product that the function is made by. */
static double flops(double n, double nrhs)
{
    return cli_syevd.flops(n, nrhs) + n * n * n;
}

static int tiles(struct cli_problem *p)
{
    return tw_syfun(p->o->function, NULL, NULL, p->o->uplo, p->A, p->w, p->A);
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    static const char *const formulas[] = {"|F F - A| / (3 n eps |F|^2)",
                                           "|A F - I| / (n eps |A| |F|)",
                                           "|F A F - I| / (n eps |F|^2 |A|)",
                                           "|F - exp(A)| / (n eps max(|F|, |A| max |f'|))",
                                           "|F - log(A)| / (n eps max(|F|, |A| max |f'|))",
                                           "|F - abs(A)| / (n eps max(|F|, |A| max |f'|))"};
    const struct check_matrix A = cli_source_matrix(&p->source);
    double residual = 0;
    void *f, *copy = NULL;
    int e;

    cli_verdict_begin(v, formulas[p->o->function]);
    v->orthogonality = v->eigenvalue_error = NAN;
    if ((e = cli_result_a(p, &f, &copy))) return e;
    e = check_syfun(p->o->function, &A, f, p->ld, &residual);
    e = cli_verdict_end(p, v, e, residual);
    free(copy);
    return e;
}

CLI_ROUTINE(144, syfun) = {
    .name = "syfun",
    .summary = "a function of a symmetric or hermitian matrix: sqrt, inverse, exp, log, ...",
    .text = "F = Z f(diag(w)) Z^H, with --f sqrt, inverse, inverse-sqrt, exp, log or abs. --output writes F; --values "
            "FILE writes w.\n"
            "Rates count the reduction to tridiagonal form and the product, 7 n^3 / 3. --check: |F F - A| for sqrt, |A "
            "F - I| for "
            "inverse, |F A F - I| for\n"
            "inverse-sqrt; the others against LAPACK's eigenvectors, which takes a while. Exit status 1, with F not "
            "written, where "
            "the function has no\n"
            "value at an eigenvalue.",
    .example = "tilework syfun --f sqrt --n 500 --check",
    .failure =
        "the function has no finite value at eigenvalue %lld, counted in ascending order, or the matrix is not finite",
    .kind = "spd",
    .values = 1,
    .functions = 1,
    .flops = flops,
    .tiles = tiles,
    .check = check,
    .check_arrays = 5,
};
