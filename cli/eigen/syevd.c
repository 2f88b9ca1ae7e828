/* tilework syevd: eigenvalues and eigenvectors of a symmetric or hermitian matrix. */
#include "cli/cli.h"

/* LAPACK's for real types: the reduction to tridiagonal form; with vectors divide and conquer without deflation and the back-transformation. */
static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 4 * n * n * n / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_syevd(cli_jobz(p), p->o->uplo, p->A, p->w, p->o->values_only ? NULL : p->A);
}

static tw_int lapack(struct cli_problem *p)
{
    const char job = (char)cli_jobz(p), uplo = (char)p->o->uplo;
    float *single;

    if (p->type == TW_DOUBLE) return tw_dsyevd(job, uplo, p->n, p->a, p->ld, p->w);
    if (p->type == TW_COMPLEX_DOUBLE) return tw_zheevd(job, uplo, p->n, p->a, p->ld, p->w);
    if (!(single = cli_single_values(p))) return TW_E_MEMORY;
    return cli_keep_single_values(p, single,
                                  p->type == TW_FLOAT ? tw_ssyevd(job, uplo, p->n, p->a, p->ld, single)
                                                      : tw_cheevd(job, uplo, p->n, p->a, p->ld, single));
}

CLI_ROUTINE(140, syevd) = {
    .name = "syevd",
    .summary = "eigenvalues, and eigenvectors, of a symmetric or hermitian matrix (two stages)",
    .text = "A = Z diag(w) Z^H; --jobz N: w alone. --output writes Z, or with --jobz N w; --values FILE writes w.\n"
            "Rates count the reduction to tridiagonal form, 4 n^3 / 3. --check: |A Z - Z w| / (n eps |A|), |Z^H Z - I| "
            "/ (n eps), up\n"
            "to n = 1024 (--jobz N: 4096) the eigenvalues against LAPACK's in units of n eps |A|; the largest of them.",
    .example = "tilework syevd --n 1000 --check",
    .failure = "not all eigenvalues were found (%lld)",
    .kind = "symmetric",
    .values = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
