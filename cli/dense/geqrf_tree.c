/* tilework geqrf_tree: the QR factorization by a tree of tiles. */
#include <stdlib.h>
#include "cli/cli.h"
#include "cli_rows.h"

static double flops(double m, double n, double nrhs)
{
    return cli_geqrf.flops_of(m, n, nrhs);
}

static int tiles(struct cli_problem *p)
{
    return tw_geqrf_tree(p->A, p->P);
}

/* Q's first columns as an array, of which the library alone knows how they are stored. */
static int form(struct cli_problem *p, tw_int k, void **q)
{
    tw_matrix *Q = NULL;
    void *copy = NULL;
    int e = tw_matrix_create(&Q, p->type, TW_GENERAL, p->m, k, tw_matrix_nb(p->A), NULL);

    if (!e) e = tw_ungqr_tree(p->A, p->P, Q);
    e = e ? cli_library_error("--check: forming Q", e) : cli_result_of(p, Q, NULL, k, q, &copy);
    tw_matrix_destroy(Q);
    return e;
}

static int check(struct cli_problem *p, struct cli_verdict *v)
{
    const struct check_matrix A = cli_source_matrix(&p->source);
    const tw_int k = p->m < p->n ? p->m : p->n;
    const size_t size = check_sizeof(p->type);
    double residual[2] = {0};
    void *q = NULL, *f, *copy = NULL, *r;
    int e = CLI_FAILED;

    cli_verdict_begin(v, "max(|A - Q R| / (max(m, n) eps |A|), |Q^H Q - I| / (m eps))");
    v->zero_is_odd = p->m >= 64 && p->n >= 64;
    r = cli_alloc((double)k * (double)p->n * (double)size, "--check");
    if (r && !(e = form(p, k, &q)) && !(e = cli_result_a(p, &f, &copy))) {
        check_copy(p->type, k, p->n, f, p->ld, r, k);
        for (tw_int j = 0; j < k; j++)
            for (tw_int i = j + 1; i < k; i++)
                check_set(p->type, r, (size_t)(i + j * k), 0, 0);
        e = check_thin_product(&A, k, q, p->ld, r, k, residual);
        e = cli_verdict_end(p, v, e, check_worse(residual[0], residual[1]));
    }
    free(q), free(copy), free(r);
    return e;
}

CLI_ROUTINE(111, geqrf_tree) = {
    .name = "geqrf_tree",
    .summary = "QR factorization A = Q R by a tree of tiles (TSQR, CAQR)",
    .text =
        "For --m rows (default: as many as columns) and --n columns, many more rows than columns above all: nothing "
        "waits for a whole\n"
        "column. R is geqrf's but for its rows' signs; Q is stored in the library's own way. --output writes R, and "
        "below its diagonal a\n"
        "part of Q. --check: Q's first min(m, n) columns are formed, and the larger of |A - Q R| / (max(m, n) eps |A|) "
        "and\n"
        "|Q^H Q - I| / (m eps) in the 1-norm; above 8192 for four vectors.",
    .example = "tilework geqrf_tree --m 20000 --n 200 --check",
    .general = 1,
    .rectangular = 1,
    .tree = 1,
    .flops_of = flops,
    .tiles = tiles,
    .check = check,
    .check_arrays = 4,
};
