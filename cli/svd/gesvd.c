/* tilework gesvd: singular values and vectors by the routine with a job for each side. */
#include <stdlib.h>
#include "cli/cli.h"

/* gesdd's O overwrites one side, which gesvd wants to be told. */
static char left(const struct cli_problem *p)
{
    const char job = cli_svd_job(p);
    return (char)(job == 'O' && p->m < p->n ? 'S' : job);
}
static char right(const struct cli_problem *p)
{
    const char job = cli_svd_job(p);
    return (char)(job == 'O' && p->m >= p->n ? 'S' : job);
}

static int tiles(struct cli_problem *p)
{
    const int info = tw_gesvd((enum tw_svd_job)left(p), (enum tw_svd_job)right(p), p->A, p->w, p->U, p->Vt, NULL);
    if (info == 0) cli_find_rank(p);
    return info;
}

#define CALL(name, R, w) tw_##name(left(p), right(p), p->m, p->n, p->a, p->ld, w, p->u, p->ld, p->vt, p->ld, NULL)
static tw_int call(struct cli_problem *p)
{
    CLI_VALUES_DOOR(gesvd, p, CALL);
}
static tw_int lapack(struct cli_problem *p)
{
    const tw_int info = call(p);
    if (info == 0) cli_find_rank(p);
    return info;
}

CLI_ROUTINE(191, gesvd) = {
    .name = "gesvd",
    .summary = "singular values, and singular vectors, by the routine with a job for each side (gesdd's method)",
    .text =
        "A = U diag(s) V^H as gesdd's, whose flags and check it has; --jobz is the job of both sides, with O that of "
        "the side that is\n"
        "as large as A. --output writes U, or with --jobz N s; --values FILE writes s, --vt FILE V^H.",
    .example = "tilework gesvd --m 500 --n 800 --jobz O --check",
    .failure = "not all singular values were found, or the matrix has a NaN or an infinity (%lld)",
    .general = 1,
    .rectangular = 1,
    .values = 1,
    .singular = 1,
    .flops_of = cli_gebrd_flops,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_singular,
    .check_arrays = 4,
};
