/* The contest of dense routines: Tilework's and LAPACK's calls, and what is checked of them. */
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dense.h"

/* LAPACKE's routine of the place's type. */
#define LAPACKE(p, name, ...)                                                                                          \
    ((p)->type == TW_FLOAT           ? LAPACKE_s##name(LAPACK_COL_MAJOR, __VA_ARGS__)                                  \
     : (p)->type == TW_DOUBLE        ? LAPACKE_d##name(LAPACK_COL_MAJOR, __VA_ARGS__)                                  \
     : (p)->type == TW_COMPLEX_FLOAT ? LAPACKE_c##name(LAPACK_COL_MAJOR, __VA_ARGS__)                                  \
                                     : LAPACKE_z##name(LAPACK_COL_MAJOR, __VA_ARGS__))

/* ---- factorizations ---------------------------------------------------------------------------------------------- */

static int own_getrf(struct dense_place *p)
{
    return tw_getrf(p->A, p->second);
}
static int lapack_getrf(struct dense_place *p)
{
    const int n = (int)p->n;
    return LAPACKE(p, getrf, n, n, p->a, n, p->ipiv);
}
static int check_lu(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    tw_int *ipiv = malloc((size_t)p->n * sizeof *ipiv);
    int e = ipiv ? 0 : TW_E_MEMORY;

    (void)b;
    for (tw_int i = 0; !e && i < p->n; i++)
        ipiv[i] = p->ipiv[i];
    if (!e) e = check_getrf(A, p->a, p->n, ipiv, residual);
    free(ipiv);
    return e;
}

static int own_geqrf(struct dense_place *p)
{
    return tw_geqrf(p->A, p->second);
}
static int lapack_geqrf(struct dense_place *p)
{
    const int n = (int)p->n;
    return LAPACKE(p, geqrf, n, n, p->a, n, p->tau);
}
static int check_qr(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    (void)b;
    return check_geqrf(A, p->a, p->n, p->tau, residual);
}

static int own_gelqf(struct dense_place *p)
{
    return tw_gelqf(p->A, p->second);
}
static int lapack_gelqf(struct dense_place *p)
{
    const int n = (int)p->n;
    return LAPACKE(p, gelqf, n, n, p->a, n, p->tau);
}

/* LQ is the QR of A's adjoint. */
static int check_lq(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    const struct check_matrix AH = check_adjoint(A);
    const tw_int n = p->n;
    void *f = malloc((size_t)n * (size_t)n * bench_sizeof(p->type));
    int e = f ? 0 : TW_E_MEMORY;

    (void)b;
    if (!e) check_adjoint_of_array(p->type, n, n, p->a, n, f, n);
    if (!e) e = check_geqrf(&AH, f, n, p->tau, residual);
    free(f);
    return e;
}

static int own_geqp3(struct dense_place *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    return tw_geqp3(p->A, p->jpvt, p->second);
}
static int own_geqp3_random(struct dense_place *p)
{
    memset(p->jpvt, 0, (size_t)p->n * sizeof *p->jpvt);
    return tw_geqp3_random(p->A, p->jpvt, p->second);
}
static int lapack_geqp3(struct dense_place *p)
{
    const int n = (int)p->n;
    int e;

    memset(p->ipiv, 0, (size_t)n * sizeof *p->ipiv);
    e = LAPACKE(p, geqp3, n, n, p->a, n, p->ipiv, p->tau);
    for (int j = 0; j < n; j++)
        p->jpvt[j] = p->ipiv[j];
    return e;
}
/* LAPACK's own |R(j, j)| may grow a little where norms cancel; docs/dense.md says what geqp3_random's do. */
static int check_pivoted(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    (void)b;
    return check_geqp3(A, p->a, p->n, p->jpvt, p->tau, 100, residual);
}

/* ---- the Cholesky family's inverses: of whatever is in the lower triangle ---------------------------------------- */

static int own_potri(struct dense_place *p)
{
    return tw_potri(TW_LOWER, p->A);
}
static int lapack_potri(struct dense_place *p)
{
    const int n = (int)p->n;
    return LAPACKE(p, potri, 'L', n, p->a, n);
}

/* The input is L, and the result the inverse of L L^H. */
static int check_cholesky_inverse(const struct check_matrix *A, const struct dense_place *p, const void *b,
                                  double *residual)
{
    const tw_int n = p->n;
    const size_t bytes = (size_t)n * (size_t)n * bench_sizeof(p->type);
    void *l = malloc(bytes), *h = malloc(bytes);
    int e = l && h ? A->fill(A->context, l, n) : TW_E_MEMORY;

    (void)b;
    if (!e) {
        const struct check_array product = {CHECK_HERMITIAN, p->type, TW_LOWER, TW_NONUNIT, n, n, h, n};
        const struct check_matrix H = check_of_array(&product);
        check_gemm(p->type, TW_NOTRANS, TW_CONJTRANS, n, n, n, 1, l, n, l, n, 0, h, n);
        e = check_potri(&H, TW_LOWER, p->a, n, residual);
    }
    free(l), free(h);
    return e;
}

static int own_trtri(struct dense_place *p)
{
    return tw_trtri(TW_LOWER, TW_NONUNIT, p->A);
}
static int lapack_trtri(struct dense_place *p)
{
    const int n = (int)p->n;
    return LAPACKE(p, trtri, 'L', 'N', n, p->a, n);
}
static int check_inverse(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    (void)b;
    return check_trtri(A, TW_LOWER, TW_NONUNIT, p->a, p->n, residual);
}

static int own_lauum(struct dense_place *p)
{
    return tw_lauum(TW_LOWER, p->A);
}
static int lapack_lauum(struct dense_place *p)
{
    const int n = (int)p->n;
    return LAPACKE(p, lauum, 'L', n, p->a, n);
}
static int check_product(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    (void)b;
    return check_lauum(A, TW_LOWER, p->a, p->n, residual);
}

/* ---- linear systems ---------------------------------------------------------------------------------------------- */

static int own_gesv(struct dense_place *p)
{
    return tw_gesv(p->A, p->second, p->B);
}
static int lapack_gesv(struct dense_place *p)
{
    const int n = (int)p->n, k = (int)p->nrhs;
    return LAPACKE(p, gesv, n, k, p->a, n, p->ipiv, p->b, n);
}
static int own_posv(struct dense_place *p)
{
    return tw_posv(TW_LOWER, p->A, p->B);
}
static int lapack_posv(struct dense_place *p)
{
    const int n = (int)p->n, k = (int)p->nrhs;
    return LAPACKE(p, posv, 'L', n, k, p->a, n, p->b, n);
}
static int check_b(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    return check_solve(A, TW_NOTRANS, p->nrhs, p->b, p->n, b, p->n, residual);
}

static int own_gesv_mixed(struct dense_place *p)
{
    return tw_gesv_mixed(p->A, p->second, p->B, p->X, &p->iter, NULL);
}
static int lapack_gesv_mixed(struct dense_place *p)
{
    const int n = (int)p->n, k = (int)p->nrhs;
    return p->type == TW_DOUBLE ? LAPACKE_dsgesv(LAPACK_COL_MAJOR, n, k, p->a, n, p->ipiv, p->b, n, p->x, n, &p->iter)
                                : LAPACKE_zcgesv(LAPACK_COL_MAJOR, n, k, p->a, n, p->ipiv, p->b, n, p->x, n, &p->iter);
}
static int own_posv_mixed(struct dense_place *p)
{
    return tw_posv_mixed(TW_LOWER, p->A, p->B, p->X, &p->iter, NULL);
}
static int lapack_posv_mixed(struct dense_place *p)
{
    const int n = (int)p->n, k = (int)p->nrhs;
    return p->type == TW_DOUBLE ? LAPACKE_dsposv(LAPACK_COL_MAJOR, 'L', n, k, p->a, n, p->b, n, p->x, n, &p->iter)
                                : LAPACKE_zcposv(LAPACK_COL_MAJOR, 'L', n, k, p->a, n, p->b, n, p->x, n, &p->iter);
}
static int own_gesv_half(struct dense_place *p)
{
    return tw_gesv_half(p->A, p->second, p->B, p->X, &p->iter, NULL);
}
static int own_posv_half(struct dense_place *p)
{
    return tw_posv_half(TW_LOWER, p->A, p->B, p->X, &p->iter, NULL);
}
static int check_x(const struct check_matrix *A, const struct dense_place *p, const void *b, double *residual)
{
    return check_solve(A, TW_NOTRANS, p->nrhs, p->x, p->n, b, p->n, residual);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define ROW(name_, ...)                                                                                                \
    {                                                                                                                  \
        .name = #name_, .own = own_##name_, __VA_ARGS__                                                                \
    }
static const struct dense_routine routines[] = {
    ROW(getrf, .kind = "random", .second = DENSE_PIVOTS, .cubes = 2 / 3., .lapack = lapack_getrf, .check = check_lu,
        .vendor = 1 + BENCH_GETRF, .device = 1),
    ROW(geqrf, .kind = "random", .second = DENSE_TAU, .cubes = 4 / 3., .lapack = lapack_geqrf, .check = check_qr,
        .vendor = 1 + BENCH_GEQRF, .device = 1),
    ROW(gelqf, .kind = "random", .second = DENSE_TAU, .cubes = 4 / 3., .lapack = lapack_gelqf, .check = check_lq,
        .plain = "geqrf", .device = 1),
    ROW(geqp3, .kind = "random", .second = DENSE_TAU, .columns = 1, .cubes = 4 / 3., .lapack = lapack_geqp3,
        .check = check_pivoted, .plain = "geqrf"),
    ROW(geqp3_random, .kind = "random", .second = DENSE_TAU, .columns = 1, .cubes = 4 / 3., .lapack = lapack_geqp3,
        .check = check_pivoted, .plain = "geqrf"),
    ROW(potri, .kind = "spd", .triangle = 1, .cubes = 2 / 3., .lapack = lapack_potri, .check = check_cholesky_inverse),
    ROW(trtri, .kind = "spd", .triangle = 1, .cubes = 1 / 3., .lapack = lapack_trtri, .check = check_inverse),
    ROW(lauum, .kind = "spd", .triangle = 1, .cubes = 1 / 3., .lapack = lapack_lauum, .check = check_product),
    ROW(gesv, .kind = "random", .second = DENSE_PIVOTS, .solves = 1, .cubes = 2 / 3., .lapack = lapack_gesv,
        .check = check_b),
    ROW(posv, .kind = "spd", .triangle = 1, .solves = 1, .cubes = 1 / 3., .lapack = lapack_posv, .check = check_b),
    ROW(gesv_mixed, .kind = "random", .second = DENSE_PIVOTS, .solves = 1, .refined = 1, .cubes = 2 / 3.,
        .lapack = lapack_gesv_mixed, .check = check_x, .plain = "gesv", .vendor = DENSE_IRS),
    ROW(posv_mixed, .kind = "spd", .triangle = 1, .solves = 1, .refined = 1, .cubes = 1 / 3.,
        .lapack = lapack_posv_mixed, .check = check_x, .plain = "posv"),
    ROW(gesv_half, .kind = "random", .second = DENSE_PIVOTS, .solves = 1, .refined = 1, .cubes = 2 / 3.,
        .check = check_x, .plain = "gesv", .vendor = DENSE_IRS_HALF),
    ROW(posv_half, .kind = "spd", .triangle = 1, .solves = 1, .refined = 1, .cubes = 1 / 3., .check = check_x,
        .plain = "posv"),
    {.name = NULL}};

const struct dense_routine *dense_routine_number(int k)
{
    return routines[k].name ? &routines[k] : NULL;
}
const struct dense_routine *dense_routine(const char *name)
{
    for (const struct dense_routine *r = routines; r->name; r++)
        if (!strcmp(r->name, name)) return r;
    return NULL;
}
