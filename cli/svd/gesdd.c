/* tilework gesdd: singular values and vectors of a general matrix. */
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    const int info = tw_gesdd((enum tw_svd_job)cli_svd_job(p), p->A, p->w, p->U, p->Vt);
    if (info == 0) cli_find_rank(p);
    return info;
}

#define CALL(name, R, w) tw_##name(cli_svd_job(p), p->m, p->n, p->a, p->ld, w, p->u, p->ld, p->vt, p->ld)
static tw_int call(struct cli_problem *p)
{
    CLI_VALUES_DOOR(gesdd, p, CALL);
}
static tw_int lapack(struct cli_problem *p)
{
    const tw_int info = call(p);
    if (info == 0) cli_find_rank(p);
    return info;
}

CLI_ROUTINE(190, gesdd) = {
    .name = "gesdd",
    .summary = "singular values, and singular vectors, of a general matrix",
    .text = "A = U diag(s) V^H, --m rows and --n columns. --output writes U, or with --jobz N s; --values FILE writes "
            "s, --vt FILE V^H.\n"
            "Rates count the reduction to bidiagonal form, 4 m n^2 - 4 n^3 / 3 for m >= n. --check: |A - U s V^H| / "
            "(max(m, n) eps |A|),\n"
            "|U^H U - I| / (m eps), |V^H V - I| / (n eps), up to 1024 values (--jobz N: 4096) their distance from "
            "LAPACK's in units of\n"
            "max(m, n) eps |A|; the largest of them. The rank counts values above 2 max(m, n) eps s(1).",
    .example = "tilework gesdd --m 800 --n 500 --check",
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
