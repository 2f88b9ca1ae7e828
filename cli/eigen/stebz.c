/* tilework stebz: some eigenvalues of a symmetric tridiagonal matrix by bisection. */
#include <stdlib.h>
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_stebz(o->which, TW_ENTIRE, p->n, o->vl, o->vu, o->il, o->iu, 0, p->d, p->e, &p->found, NULL, p->w, NULL,
                    NULL);
}

static tw_int of_singles(struct cli_problem *p, tw_int *nsplit, tw_int *blocks)
{
    const struct cli_options *o = p->o;
    float *w = cli_single_values(p), *d = cli_single_values(p), *e = cli_single_values(p);
    tw_int info = TW_E_MEMORY;

    if (w && d && e) {
        for (tw_int i = 0; i < p->n; i++)
            d[i] = (float)p->d[i], e[i] = i + 1 < p->n ? (float)p->e[i] : 0;
        info = tw_sstebz((char)o->which, 'E', p->n, (float)o->vl, (float)o->vu, o->il, o->iu, 0, d, e, &p->found,
                         nsplit, w, blocks, blocks + p->n);
    }
    free(d), free(e);
    return cli_keep_single_values(p, w, info);
}

static tw_int lapack(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    tw_int *blocks = malloc((size_t)(2 * p->n + 1) * sizeof *blocks), nsplit, info = TW_E_MEMORY;

    if (blocks)
        info = p->type == TW_FLOAT ? of_singles(p, &nsplit, blocks)
                                   : tw_dstebz((char)o->which, 'E', p->n, o->vl, o->vu, o->il, o->iu, 0, p->d, p->e,
                                               &p->found, &nsplit, p->w, blocks, blocks + p->n);
    free(blocks);
    return info;
}

CLI_ROUTINE(148, stebz) = {
    .name = "stebz",
    .summary = "some eigenvalues of a symmetric tridiagonal matrix (bisection)",
    .text =
        "The matrix is the diagonal and the sub-diagonal (--uplo U: super-diagonal) of the one that --kind or --input "
        "names.\n"
        "Types s and d; the tiles' door computes in double. --range I:1:40: numbers 1 ... 40 in ascending order; "
        "V:-1:2.5: "
        "those in (-1, 2.5]; A: all.\n"
        "--output and --values write the eigenvalues, which --check compares with LAPACK's.",
    .example = "tilework stebz --n 3000 --kind laplacian --range I:1:30 --check",
    .failure = "the matrix is not finite (%lld)",
    .kind = "symmetric",
    .values = 1,
    .only_values = 1,
    .banded = 1,
    .ranges = 1,
    .real = 1,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_values,
    .check_arrays = 3,
};
