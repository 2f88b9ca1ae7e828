/* tilework stevr, stevx: some eigenvalues, and eigenvectors, of a symmetric tridiagonal matrix. */
#include <stdlib.h>
#include "cli/cli.h"

static int stevr_tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_stevr(cli_jobz(p), o->which, p->n, p->d, p->e, o->vl, o->vu, o->il, o->iu, &p->found, p->w, p->Z);
}
static int stevx_tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_stevx(cli_jobz(p), o->which, p->n, p->d, p->e, o->vl, o->vu, o->il, o->iu, &p->found, p->w, p->Z);
}

#define CALL(name, R, d, e, w)                                                                                         \
    tw_##name((char)cli_jobz(p), (char)o->which, p->n, d, e, (R)o->vl, (R)o->vu, o->il, o->iu, 0, &p->found, w, p->z,  \
              p->ld, each)
static tw_int lapack(struct cli_problem *p, int expert)
{
    const struct cli_options *o = p->o;
    float *d = cli_single_values(p), *e = cli_single_values(p), *w = cli_single_values(p);
    tw_int *each = malloc((size_t)(2 * p->n + 1) * sizeof *each), info = TW_E_MEMORY;
    const int sound = d && e && w && each;

    for (tw_int i = 0; sound && i < p->n; i++)
        d[i] = (float)p->d[i], e[i] = i + 1 < p->n ? (float)p->e[i] : 0;
    if (sound && p->type == TW_FLOAT)
        info = expert ? CALL(sstevx, float, d, e, w) : CALL(sstevr, float, d, e, w);
    else if (sound)
        info = expert ? CALL(dstevx, double, p->d, p->e, p->w) : CALL(dstevr, double, p->d, p->e, p->w);
    free(d), free(e), free(each);
    if (p->type == TW_FLOAT) return cli_keep_single_values(p, w, info);
    free(w);
    return info;
}
static tw_int stevr_lapack(struct cli_problem *p)
{
    return lapack(p, 0);
}
static tw_int stevx_lapack(struct cli_problem *p)
{
    return lapack(p, 1);
}

#define TEXT                                                                                                           \
    "The matrix is the diagonal and the sub-diagonal (--uplo U: super-diagonal) of the one that --kind or --input "    \
    "names. Types s and d.\n"                                                                                          \
    "--range I:1:40: numbers 1 ... 40 in ascending order; V:-1:2.5: those in (-1, 2.5]; A: all.\n"                     \
    "--output writes the eigenvectors, or with --jobz N the eigenvalues; --values FILE writes these. --check as for "  \
    "syevd."

CLI_ROUTINE(149, stevr) = {
    .name = "stevr",
    .summary = "some eigenvalues, and eigenvectors, of a symmetric tridiagonal matrix",
    .text = TEXT,
    .example = "tilework stevr --n 1000 --kind laplacian --range I:1:40 --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 1,
    .ranges = 1,
    .real = 1,
    .tiles = stevr_tiles,
    .lapack = stevr_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
CLI_ROUTINE(150, stevx) = {
    .name = "stevx",
    .summary = "the same as stevr, by LAPACK's expert driver",
    .text = TEXT,
    .example = "tilework stevx --n 1000 --range V:0:5 --jobz N",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 1,
    .ranges = 1,
    .real = 1,
    .tiles = stevx_tiles,
    .lapack = stevx_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
