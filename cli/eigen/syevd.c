/* tilework syevd: eigenvalues and eigenvectors of a symmetric or hermitian matrix. */
#include "cli/cli.h"

/* LAPACK's for real types: the reduction to tridiagonal form; with vectors divide and conquer without deflation and the
 * back-transformation. */
static double flops(double n, double nrhs)
{
    (void)nrhs;
    return 4 * n * n * n / 3;
}

static int tiles(struct cli_problem *p)
{
    return tw_syevd(cli_jobz(p), p->o->uplo, p->A, p->w, p->o->values_only ? NULL : p->A);
}

#define CALL(name, w) tw_##name((char)cli_jobz(p), (char)p->o->uplo, p->n, p->a, p->ld, w)
static tw_int lapack(struct cli_problem *p, int old)
{
    const int single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *w = single ? cli_single_values(p) : NULL;

    if (single && !w) return TW_E_MEMORY;
    switch (p->type) {
    case TW_FLOAT: return cli_keep_single_values(p, w, old ? CALL(ssyev, w) : CALL(ssyevd, w));
    case TW_DOUBLE: return old ? CALL(dsyev, p->w) : CALL(dsyevd, p->w);
    case TW_COMPLEX_FLOAT: return cli_keep_single_values(p, w, old ? CALL(cheev, w) : CALL(cheevd, w));
    default: return old ? CALL(zheev, p->w) : CALL(zheevd, p->w);
    }
}
static tw_int syevd_lapack(struct cli_problem *p)
{
    return lapack(p, 0);
}
static tw_int syev_lapack(struct cli_problem *p)
{
    return lapack(p, 1);
}

CLI_ROUTINE(140, syevd) = {
    .name = "syevd",
    .summary = "eigenvalues, and eigenvectors, of a symmetric or hermitian matrix",
    .text = "A = Z diag(w) Z^H; --jobz N: w alone. --output writes Z, or with --jobz N w; --values FILE writes w.\n"
            "Rates count the reduction to tridiagonal form, 4 n^3 / 3. --check: |A Z - Z w| / (n eps |A|), |Z^H Z - I| "
            "/ (n eps), up\n"
            "to n = 1024 (--jobz N: 4096) the eigenvalues against LAPACK's in units of n eps |A|; the largest of them.",
    .example = "tilework syevd --n 1000 --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .flops = flops,
    .tiles = tiles,
    .lapack = syevd_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
CLI_ROUTINE(141, syev) = {
    .name = "syev",
    .summary = "the same as syevd, by LAPACK's first name",
    .text = "syevd, which see; with --lapack-door tw_dsyev, tw_zheev and so on, whose workspaces are smaller.",
    .example = "tilework syev --n 1000 --jobz N --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .tiles_of = "syevd",
    .flops = flops,
    .tiles = tiles,
    .lapack = syev_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
