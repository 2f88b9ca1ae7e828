/* tilework gepolar: polar decomposition. */
#include <math.h>
#include <stdlib.h>
#include "cli/cli.h"

static double flops(double m, double n, double nrhs)
{
    (void)nrhs;
    return 30 * n * n * n + (m > n ? 6 * m * n * n : 0);
}

static int tiles(struct cli_problem *p)
{
    double steps = 0;
    const int info = tw_gepolar(p->A, p->U);

    p->corrections = tw_figure("steps", &steps) ? (int)steps : 0; /* none where there is nothing */
    return info;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    double residual[3] = {0}, most = 0;
    void *u, *h, *copy_u = NULL, *copy_h = NULL;
    int e;

    cli_verdict_begin(v, "max(|A - U H| / (max(m, n) eps |A|), |U^H U - I| / (m eps), what H lacks of hermitian and "
                         "not negative / (n eps |H|))");
    v->zero_is_odd = 0;
    if (!(e = cli_result_a(p, &u, &copy_u)) && !(e = cli_result_of(p, p->U, NULL, p->n, &h, &copy_h))) {
        e = check_gepolar(&A, u, p->ld, h, p->ld, residual);
        for (int k = 0; k < 3; k++)
            most = check_worse(most, residual[k]);
        e = cli_verdict_end(p, v, e, most);
    }
    free(copy_u), free(copy_h);
    return e;
}

CLI_ROUTINE(195, gepolar) = {
    .name = "gepolar",
    .summary = "polar decomposition A = U H, by the dynamically weighted Halley iteration",
    .text =
        "For --m rows, no fewer than --n columns. --output writes U, --h H. The report has the steps of the iteration, "
        "at "
        "most 6. Rates count\n"
        "30 n^3, and 6 m n^2 where m > n. --check: |A - U H| / (max(m, n) eps |A|), |U^H U - I| / (m eps) and, over "
        "n eps |H|, how far\n"
        "H is from its adjoint, and up to order 1024 the eigenvalue farthest below 0; the largest of them.",
    .example = "tilework gepolar --n 500 --kind svd:1e14 --check",
    .failure = "its columns are dependent, or it has a NaN or an infinity (%lld)",
    .general = 1,
    .rectangular = 1,
    .tall = 1,
    .second = 'H',
    .flops_of = flops,
    .tiles = tiles,
    .check = check,
    .check_arrays = 4,
};
