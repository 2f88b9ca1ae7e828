/* A check of a Cholesky factor that costs O(n^2) and uses nothing of the library but its generators: A x against L (L^H
 * x). */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/starpu.h>

#include "bench/bench.h"
#include "checks/scaled.h"

typedef double complex z;

static z element(enum tw_type type, const void *a, size_t i)
{
    switch (type) {
    case TW_FLOAT: return ((const float *)a)[i];
    case TW_DOUBLE: return ((const double *)a)[i];
    case TW_COMPLEX_FLOAT: return ((const float complex *)a)[i];
    default: return ((const double complex *)a)[i];
    }
}

struct product {
    const tw_generator *g;
    const struct bench_factor *l;
    const z *x;
    z *t;          /* L^H x */
    z *y;          /* one vector of length n for each thread */
    double *sums;  /* of the rows of |A|, the same */
    char *columns; /* of A, WIDTH for each thread */
};
#define WIDTH 16

/* t(j) = sum_i conj(L(i, j)) x(i) */
static void by_adjoint(void *context, int thread, tw_int first, tw_int last)
{
    struct product *p = context;
    const struct bench_factor *l = p->l;

    (void)thread;
    for (tw_int j = first; j < last; j++) {
        tw_int jt = j / l->nb;
        z sum = 0;
        for (tw_int it = jt; it < l->nt; it++) {
            size_t k = (size_t)(it + jt * l->nt), column = (size_t)(j - jt * l->nb) * (size_t)l->ld[k];
            tw_int rows = l->n - it * l->nb < l->nb ? l->n - it * l->nb : l->nb;
            for (tw_int i = it == jt ? j - jt * l->nb : 0; i < rows; i++)
                sum += conj(element(l->type, l->tile[k], column + (size_t)i)) * p->x[it * l->nb + i];
        }
        p->t[j] = sum;
    }
}

/* y -= L t, in this thread's y */
static void by_factor(void *context, int thread, tw_int first, tw_int last)
{
    struct product *p = context;
    const struct bench_factor *l = p->l;
    z *y = p->y + (size_t)thread * (size_t)l->n;

    for (tw_int j = first; j < last; j++) {
        tw_int jt = j / l->nb;
        for (tw_int it = jt; it < l->nt; it++) {
            size_t k = (size_t)(it + jt * l->nt), column = (size_t)(j - jt * l->nb) * (size_t)l->ld[k];
            tw_int rows = l->n - it * l->nb < l->nb ? l->n - it * l->nb : l->nb;
            for (tw_int i = it == jt ? j - jt * l->nb : 0; i < rows; i++)
                y[it * l->nb + i] -= element(l->type, l->tile[k], column + (size_t)i) * p->t[j];
        }
    }
}

/* y += A x, from the lower triangle of A */
static void by_input(void *context, int thread, tw_int first, tw_int last)
{
    struct product *p = context;
    tw_int n = p->l->n;
    z *y = p->y + (size_t)thread * (size_t)n;
    double *sums = p->sums + (size_t)thread * (size_t)n;
    char *a = p->columns + (size_t)thread * WIDTH * (size_t)n * bench_sizeof(p->l->type);

    if (tw_generator_block(p->g, first, first, n - first, last - first, a, n - first)) {
        y[0] = NAN; /* shows in the residual */
        return;
    }
    for (tw_int j = first; j < last; j++)
        for (tw_int i = j; i < n; i++) {
            z v = element(p->l->type, a, (size_t)(i - first) + (size_t)(j - first) * (size_t)(n - first));
            double size = cabs(v);
            y[i] += v * p->x[j];
            sums[i] += size;
            if (i == j) continue;
            y[j] += conj(v) * p->x[i];
            sums[j] += size;
        }
}

/* Largest entry of the sums over all threads; NaN if there is one. */
static double largest(int threads, tw_int n, const z *y, const double *sums)
{
    double most = 0;
    for (tw_int i = 0; i < n; i++) {
        z v = 0;
        double s = 0, size;
        for (int t = 0; t < threads; t++)
            v += y ? y[(size_t)t * (size_t)n + (size_t)i] : 0, s += sums ? sums[(size_t)t * (size_t)n + (size_t)i] : 0;
        size = y ? cabs(v) : s;
        most = check_worse(most, size);
    }
    return most;
}

double bench_residual(const tw_generator *g, const struct bench_factor *l)
{
    int threads = bench_cores();
    double n = (double)l->n, worst = 0;
    z *x = bench_alloc(n * sizeof *x), *t = bench_alloc(n * sizeof *t), *y = bench_alloc(n * threads * sizeof *y);
    double *sums = bench_alloc(n * threads * sizeof *sums);
    char *columns = bench_alloc(n * threads * WIDTH * (double)bench_sizeof(l->type));
    struct product p = {g, l, x, t, y, sums, columns};
    uint64_t state = 7;

    for (int vector = 0; vector < 2; vector++) {
        double r;
        for (tw_int i = 0; i < l->n; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[i] = state >> 63 ? -1 : 1;
        }
        memset(y, 0, (size_t)l->n * (size_t)threads * sizeof *y);
        memset(sums, 0, (size_t)l->n * (size_t)threads * sizeof *sums);
        bench_parallel(l->n, WIDTH, by_input, &p);
        bench_parallel(l->n, WIDTH, by_adjoint, &p);
        bench_parallel(l->n, WIDTH, by_factor, &p);
        r = check_quotient(largest(threads, l->n, y, NULL), largest(threads, l->n, NULL, sums)) /
            (n * bench_eps(l->type));
        worst = check_worse(worst, r);
    }
    free(x);
    free(t);
    free(y);
    free(sums);
    free(columns);
    return worst;
}

double bench_residual_array(const tw_generator *g, enum tw_type type, tw_int n, const void *a)
{
    const struct bench_factor l = {type, n, n, 1, &a, &n};
    return bench_residual(g, &l);
}

int bench_residual_tiles(const tw_generator *g, tw_matrix *A, double *residual)
{
    tw_int n = tw_matrix_rows(A), nb = tw_matrix_nb(A);
    struct bench_factor l = {tw_matrix_type(A), n, nb, (int)((n + nb - 1) / nb), NULL, NULL};
    size_t count = (size_t)l.nt * (size_t)l.nt;
    int e = 0;

    l.tile = bench_alloc((double)count * sizeof *l.tile);
    l.ld = bench_alloc((double)count * sizeof *l.ld);
    memset(l.tile, 0, count * sizeof *l.tile);
    if (tw_release_to_host(A)) e = bench_fail("--check: %s", tw_last_message());
    for (int j = 0; j < l.nt && !e; j++)
        for (int i = j; i < l.nt && !e; i++) {
            starpu_data_handle_t h = tw_tile_handle(A, i, j);
            size_t k = (size_t)(i + j * l.nt);
            if (!h || starpu_data_acquire(h, STARPU_R)) {
                e = bench_fail("--check: tile (%d, %d) cannot be read", i, j);
                break;
            }
            l.tile[k] = (const void *)starpu_matrix_get_local_ptr(h);
            l.ld[k] = starpu_matrix_get_local_ld(h);
        }
    if (!e) *residual = bench_residual(g, &l);
    for (int j = 0; j < l.nt; j++)
        for (int i = j; i < l.nt; i++)
            if (l.tile[i + j * l.nt]) starpu_data_release(tw_tile_handle(A, i, j));
    free(l.tile);
    free(l.ld);
    return e;
}
