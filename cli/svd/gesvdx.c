/* tilework gesvdx: some singular values, and their vectors, of a general matrix. */
#include <stdlib.h>
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return tw_gesvdx(cli_jobz(p), cli_jobz(p), o->which, p->A, o->vl, o->vu, o->il, o->iu, &p->found, p->w, p->U,
                     p->Vt);
}

#define CALL(name, R, w)                                                                                               \
    tw_##name((char)cli_jobz(p), (char)cli_jobz(p), (char)o->which, p->m, p->n, p->a, p->ld, (R)o->vl, (R)o->vu,       \
              o->il, o->iu, &p->found, w, p->u, p->ld, p->vt, p->ld, NULL)
static tw_int lapack(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    CLI_VALUES_DOOR(gesvdx, p, CALL);
}

CLI_ROUTINE(196, gesvdx) = {
    .name = "gesvdx",
    .summary = "some singular values, and their vectors, of a general matrix",
    .text = "--range I:1:10: numbers 1 ... 10, the largest first; V:0.5:2.5: those in [0.5, 2.5); A: all. The fewer "
            "vectors, the less time.\n"
            "--output writes the columns of U, or with --jobz N s; --values FILE writes s, --vt FILE the rows of V^H. "
            "Rates count the reduction to "
            "bidiagonal form.\n"
            "--check: |A V - U s| / (max(m, n) eps |A|), |A^H U - V s| / (max(m, n) eps |A^H|), |U^H U - I| / (m eps), "
            "|V^H V - I| / (n eps)\n"
            "and, of up to 1024 values (--jobz N: 4096), their distance from LAPACK's; the largest of them.",
    .example = "tilework gesvdx --m 800 --n 500 --range I:1:10 --check",
    .failure = "not all singular values and vectors were found, or it has a NaN or an infinity (%lld)",
    .general = 1,
    .rectangular = 1,
    .values = 1,
    .singular = 1,
    .ranges = 1,
    .flops_of = cli_gebrd_flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_some_singular,
    .check_arrays = 5,
};
