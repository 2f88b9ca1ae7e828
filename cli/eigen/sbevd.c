/* tilework sbevd: eigenvalues and eigenvectors of a symmetric or hermitian band matrix. */
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static int tiles(struct cli_problem *p)
{
    const tw_int kl = p->uplo == TW_LOWER ? p->kd : 0;
    tw_matrix *A;
    int e = tw_matrix_create_band(&A, p->type, p->n, p->n, kl, p->kd - kl, 0);

    if (!e) e = tw_matrix_set_band(A, p->ab, p->kd + 1);
    if (!e) e = tw_sbevd(cli_jobz(p), p->uplo, A, p->w, p->A);
    tw_matrix_destroy(A);
    return e;
}

/* With a copy of the band, which LAPACK would destroy. */
static tw_int lapack(struct cli_problem *p)
{
    const size_t bytes = (size_t)(p->kd + 1) * (size_t)p->n * check_sizeof(p->type);
    const char job = (char)cli_jobz(p), uplo = (char)p->uplo;
    const tw_int n = p->n, kd = p->kd;
    float *single = cli_single_values(p);
    void *ab = malloc(bytes + 1);
    tw_int info = TW_E_MEMORY;

    if (ab && single) {
        memcpy(ab, p->ab, bytes);
        switch (p->type) {
        case TW_FLOAT: info = tw_ssbevd(job, uplo, n, kd, ab, kd + 1, single, p->a, p->ld); break;
        case TW_DOUBLE: info = tw_dsbevd(job, uplo, n, kd, ab, kd + 1, p->w, p->a, p->ld); break;
        case TW_COMPLEX_FLOAT: info = tw_chbevd(job, uplo, n, kd, ab, kd + 1, single, p->a, p->ld); break;
        default: info = tw_zhbevd(job, uplo, n, kd, ab, kd + 1, p->w, p->a, p->ld);
        }
    }
    free(ab);
    if (single && (p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT)) return cli_keep_single_values(p, single, info);
    free(single);
    return info;
}

CLI_ROUTINE(145, sbevd) = {
    .name = "sbevd",
    .summary = "eigenvalues, and eigenvectors, of a symmetric or hermitian band matrix",
    .text = "The matrix is the diagonal and --kd sub-diagonals (--uplo U: super-diagonals) of the one that --kind or "
            "--input names.\n"
            "--jobz N: eigenvalues alone. --check as for syevd.",
    .example = "tilework sbevd --n 1000 --kd 20 --check",
    .failure = "not all eigenvalues were found (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 2,
    .tiles = tiles,
    .lapack = lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
