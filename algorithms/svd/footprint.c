/* What problems of singular values hold at the same time: algorithms/eigen/footprint.c says how that is counted. */
#include <math.h>
#include "algorithms/eigen/footprint.h"
#include "algorithms/svd/gesdd.h"

/* What is reduced, X or R of its QR factorization: rows; and in elements what the factorization has beside X, and what
 * stays until the vectors have gone back. X has Q then; of reflectors there are a panel's, too, and what is below the
 * vectors in U is written before these come. */
struct reduced {
    double rows, beside, stays;
};
static struct reduced reduced(const struct tw_svd_shape *x)
{
    const double m = (double)x->m, n = (double)x->n, left = (double)x->left;

    if (!tw_svd_by_qr(x->m, x->n)) return (struct reduced){m, 0, 0};
    if (tw_svd_by_cholesky(x->m, x->n, x->left)) return (struct reduced){n, 0, left > 0 ? m * n : 0};
    const double panel = m * (double)tw_min(x->nb, x->n);
    return (struct reduced){n, panel, left > 0 ? m * n + panel + (m - n) * left : 0};
}

/* The first step of stage 1: P and G, V, W and what both do to the rest. */
static double step(double rows, double n, double b)
{
    return b * (5 * rows + (n > b ? 4 * (n - b) : 0)) + 2 * b * b;
}

static double two_stages(const struct tw_svd_shape *x)
{
    const double size = (double)tw_sizeof(x->type), n = (double)x->n, all = size * (double)x->m * n;
    const int b = tw_svd_band(x->n), wanted = (x->left > 0) + (x->right > 0);
    const struct reduced r = reduced(x);
    const tw_int rows = (tw_int)r.rows, rest = x->n - b, columns = tw_max(x->left, x->right);
    const double matrix = size * r.rows * n, stays = size * r.stays,
                 first = (rows < x->m ? all : 0) + matrix + size * (r.beside + 3 * b * n + step(r.rows, n, b));
    const struct tw_footprint footprint = {
        .type = x->type,
        .n = x->n,
        .b = b,
        .rows = 3 * b,
        .sides = 2,
        .wanted = wanted,
        .columns = (double)tw_min(columns, x->n),
        .matrix = matrix,
        .reflectors = (x->left > 0 ? tw_reflections_bytes(x->type, rows, x->n, b, 0) : 0) +
                      (x->right > 0 ? tw_reflections_bytes(x->type, rest, rest, b, 0) : 0) + stays,
        .joined = (x->left > 0 ? tw_reflections_bytes(x->type, rows, x->n, b, x->left) : 0) +
                  (x->right > 0 ? tw_reflections_bytes(x->type, rest, rest, b, x->right) : 0) + stays,
        .vectors = size * (r.rows * (double)(rows < x->m ? tw_min(x->left, x->n) : x->left) + n * (double)x->right)};

    return fmax(fmax(first, x->adjoint ? 2 * all : 0), tw_footprint_from_band(&footprint));
}

double tw_svd_bytes(enum tw_type type, tw_int m, tw_int n, tw_int left, tw_int right, tw_int nb)
{
    const tw_int most = tw_max(m, n), least = tw_min(m, n);
    const double size = (double)tw_sizeof(type), all = size * (double)most * (double)least;
    struct tw_svd_shape x = {type, most, least, nb, m < n ? right : left, m < n ? left : right, 0};
    enum tw_route route;

    if (least <= 1 || most > INT32_MAX / 4) return all;
    (void)tw_route(&route); /* checked before */
    if (route == TW_ROUTE_LAPACK) return all + (left || right ? all + size * (double)least * (double)least : 0);
    x.adjoint = m < n && tw_order_of_tiles(type, tw_min(nb, most), tw_svd_band(least)) != nb;
    return two_stages(&x);
}
