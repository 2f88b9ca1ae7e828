/* tilework sbevd, sbevx: eigenvalues and eigenvectors, all or some, of a symmetric or hermitian band matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static int band(const struct cli_problem *p, tw_matrix **A)
{
    const tw_int kl = p->uplo == TW_LOWER ? p->kd : 0;
    int e = tw_matrix_create_band(A, p->type, p->n, p->n, kl, p->kd - kl, 0);

    return e ? e : tw_matrix_set_band(*A, p->ab, p->kd + 1);
}
static int sbevd_tiles(struct cli_problem *p)
{
    tw_matrix *A = NULL;
    int e = band(p, &A);

    if (!e) e = tw_sbevd(cli_jobz(p), p->uplo, A, p->w, p->A);
    tw_matrix_destroy(A);
    return e;
}
static int sbevx_tiles(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    tw_matrix *A = NULL, *Q = NULL;
    int e = band(p, &A);

    if (!e && p->q) e = tw_matrix_create(&Q, p->type, TW_GENERAL, p->n, p->n, 0, NULL);
    if (!e) e = tw_sbevx(cli_jobz(p), o->which, p->uplo, A, Q, o->vl, o->vu, o->il, o->iu, &p->found, p->w, p->Z);
    if (!e && p->q) e = tw_matrix_to_lapack(Q, p->q, p->ld);
    tw_matrix_destroy(A), tw_matrix_destroy(Q);
    return e;
}

/* With a copy of the band, which LAPACK would destroy. */
static tw_int sbevd_lapack(struct cli_problem *p)
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

#define CALL(name, R, w)                                                                                               \
    tw_##name((char)cli_jobz(p), (char)o->which, (char)p->uplo, n, kd, ab, kd + 1, q, p->ld, (R)o->vl, (R)o->vu,       \
              o->il, o->iu, 0, &p->found, w, p->z, p->ld, ifail)
static tw_int sbevx_lapack(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    const size_t size = check_sizeof(p->type), bytes = (size_t)(p->kd + 1) * (size_t)p->n * size;
    const int is_single = p->type == TW_FLOAT || p->type == TW_COMPLEX_FLOAT;
    const tw_int n = p->n, kd = p->kd;
    float *single = cli_single_values(p);
    tw_int *ifail = malloc((size_t)(n + 1) * sizeof *ifail), info = TW_E_MEMORY;
    void *ab = malloc(bytes + 1), *q = p->q ? p->q : malloc(o->values_only ? 1 : (size_t)p->ld * (size_t)n * size + 1);

    if (ab && q && ifail && single) {
        memcpy(ab, p->ab, bytes);
        switch (p->type) {
        case TW_FLOAT: info = CALL(ssbevx, float, single); break;
        case TW_DOUBLE: info = CALL(dsbevx, double, p->w); break;
        case TW_COMPLEX_FLOAT: info = CALL(chbevx, float, single); break;
        default: info = CALL(zhbevx, double, p->w);
        }
    }
    free(ab), free(ifail);
    if (q != p->q) free(q);
    if (single && is_single) return cli_keep_single_values(p, single, info);
    free(single);
    return info;
}

/* With --check Q is asked for, too. */
static int sbevx_before(struct cli_problem *p)
{
    if (!p->o->check || p->o->values_only || p->q || p->n > CHECK_FULL_MAX) return 0;
    p->q = cli_alloc((double)p->ld * (double)p->n * check_sizeof(p->type), "--check");
    return p->q ? 0 : CLI_USAGE;
}

static int sbevx_check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_band array = {p->type, p->uplo, p->n, p->kd, p->ab, p->kd + 1};
    const struct check_matrix A = check_of_band(&array);
    double residual[2], worst;
    int e = cli_check_values(p, v);

    if (e || !p->q) return e;
    v->formula =
        "max(|A Z - Z w| / (n eps |A|), |Z^H Z - I| / (n eps), |A Q - Q T| / (n eps |A|), |Q^H Q - I| / (n eps))";
    e = check_band_q(&A, p->q, p->ld, residual);
    worst = check_worse(residual[0], residual[1]);
    return cli_verdict_end(p, v, e, check_worse(worst, v->residual));
}

CLI_ROUTINE(145, sbevd) = {
    .name = "sbevd",
    .summary = "eigenvalues, and eigenvectors, of a symmetric or hermitian band matrix",
    .text = "The matrix is the diagonal and --kd sub-diagonals (--uplo U: super-diagonals) of the one that --kind or "
            "--input names.\n"
            "--jobz N: eigenvalues alone. --output writes the eigenvectors, or with --jobz N the eigenvalues; --values "
            "FILE writes these.\n"
            "--check as for syevd.",
    .example = "tilework sbevd --n 1000 --kd 20 --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 2,
    .tiles = sbevd_tiles,
    .lapack = sbevd_lapack,
    .check = cli_check_values,
    .check_arrays = 4,
};
CLI_ROUTINE(145, sbevx) = {
    .name = "sbevx",
    .summary = "some eigenvalues, and eigenvectors, of a symmetric or hermitian band matrix",
    .text = "The matrix is the diagonal and --kd sub-diagonals (--uplo U: super-diagonals) of the one that --kind or "
            "--input names.\n"
            "--range I:1:40: numbers 1 ... 40 in ascending order; V:-1:2.5: those in (-1, 2.5]; A: all. The fewer "
            "vectors, the less time.\n"
            "--output and --values as for sbevd. --check as for syevd, and of Q, which is asked for then, up to n = "
            "8192: |A Q - Q T| / (n eps |A|), |Q^H "
            "Q - I| / (n eps).",
    .example = "tilework sbevx --n 1000 --kd 20 --range I:1:40 --check",
    .failure = "not all eigenvalues were found, or the matrix has a NaN or an infinity (%lld)",
    .kind = "symmetric",
    .values = 1,
    .banded = 2,
    .ranges = 1,
    .tiles = sbevx_tiles,
    .lapack = sbevx_lapack,
    .before = sbevx_before,
    .check = sbevx_check,
    .check_arrays = 6,
};
