/* tilework syevr, syevx: some eigenvalues, and eigenvectors, of a symmetric or hermitian matrix. */
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

static int syevr_tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_syevr(cli_jobz(p), o->which, o->uplo, p->A, o->vl, o->vu, o->il, o->iu, &p->found, p->w, p->Z);
}
static int syevx_tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_syevx(cli_jobz(p), o->which, o->uplo, p->A, o->vl, o->vu, o->il, o->iu, &p->found, p->w, p->Z);
}

#define CALL(name, R, w)                                                                                               \
    tw_##name((char)cli_jobz(p), (char)o->which, (char)o->uplo, p->n, p->a, p->ld, (R)o->vl, (R)o->vu, o->il, o->iu,   \
              0, &p->found, w, p->z, p->ld, each)
static tw_int lapack(struct cli_problem *p, int expert)
{
    const struct cli_options *o = p->o;
    const int single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    float *w = single ? cli_single_values(p) : NULL;
    tw_int *each = malloc((size_t)(2 * p->n + 1) * sizeof *each), info = TW_E_MEMORY;

    if (each && (w || !single)) switch (p->type) {
        case TW_FLOAT: info = expert ? CALL(ssyevx, float, w) : CALL(ssyevr, float, w); break;
        case TW_DOUBLE: info = expert ? CALL(dsyevx, double, p->w) : CALL(dsyevr, double, p->w); break;
        case TW_COMPLEX_FLOAT: info = expert ? CALL(cheevx, float, w) : CALL(cheevr, float, w); break;
        default: info = expert ? CALL(zheevx, double, p->w) : CALL(zheevr, double, p->w);
        }
    free(each);
    return single ? cli_keep_single_values(p, w, info) : info;
}
static tw_int syevr_lapack(struct cli_problem *p)
{
    return lapack(p, 0);
}
static tw_int syevx_lapack(struct cli_problem *p)
{
    return lapack(p, 1);
}

/* As syevd's: the reduction. */
static double flops(double n, double nrhs)
{
    return cli_syevd.flops(n, nrhs);
}

#define TEXT                                                                                                           \
    "--range I:1:40: numbers 1 ... 40 in ascending order; V:-1:2.5: those in (-1, 2.5]; A: all. The fewer vectors, "   \
    "the less time.\n"                                                                                                 \
    "--output writes the eigenvectors, or with --jobz N the eigenvalues; --values FILE writes these. --check as for "  \
    "syevd."

CLI_ROUTINE(146, syevr) = {
    .name = "syevr",
    .summary = "some eigenvalues, and eigenvectors, of a symmetric or hermitian matrix",
    .text = TEXT,
    .example = "tilework syevr --n 1000 --range I:1:40 --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .ranges = 1,
    .flops = flops,
    .tiles = syevr_tiles,
    .lapack = syevr_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
CLI_ROUTINE(147, syevx) = {
    .name = "syevx",
    .summary = "the same as syevr, by LAPACK's expert driver",
    .text = TEXT,
    .example = "tilework syevx --n 1000 --range V:0:5 --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .ranges = 1,
    .flops = flops,
    .tiles = syevx_tiles,
    .lapack = syevx_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
