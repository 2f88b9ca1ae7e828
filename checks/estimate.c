/* The 1-norm of an operator that is known by its products with a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static double size_of(enum tw_type type, const void *a, size_t i)
{
    double v[2];
    check_get(type, a, i, v);
    return hypot(v[0], v[1]);
}

/* The largest 1-norm of the columns; NaN if there is one. */
static double largest_column(enum tw_type type, tw_int n, const void *y)
{
    double sums[CHECK_VECTORS] = {0};
    for (int c = 0; c < CHECK_VECTORS; c++)
        for (tw_int i = 0; i < n; i++)
            sums[c] += size_of(type, y, (size_t)(i + c * n));
    return check_max(CHECK_VECTORS, sums);
}

/* Columns of +-1/n: the first without signs, the others random. */
static void start_vectors(enum tw_type type, tw_int n, void *x)
{
    uint64_t state = 20;
    for (int c = 0; c < CHECK_VECTORS; c++)
        for (tw_int i = 0; i < n; i++)
            check_set(type, x, (size_t)(i + c * n), (c && next_random(&state) >> 63 ? -1.0 : 1.0) / (double)n, 0);
}

static void signs(enum tw_type type, tw_int n, const void *y, void *s)
{
    double v[2], length;
    for (size_t i = 0; i < (size_t)n * CHECK_VECTORS; i++) {
        check_get(type, y, i, v);
        length = hypot(v[0], v[1]);
        check_set(type, s, i, length > 0 ? v[0] / length : 1, length > 0 ? v[1] / length : 0);
    }
}

/* Unit vectors of the rows of Z with the largest entries. */
static void best_units(enum tw_type type, tw_int n, const void *z, void *x)
{
    tw_int best[CHECK_VECTORS];
    double value[CHECK_VECTORS];
    int count = 0;

    for (tw_int i = 0; i < n; i++) {
        double largest = 0;
        int at;
        for (int c = 0; c < CHECK_VECTORS; c++)
            largest = fmax(largest, size_of(type, z, (size_t)(i + c * n)));
        for (at = count; at > 0 && value[at - 1] < largest; at--)
            if (at < CHECK_VECTORS) value[at] = value[at - 1], best[at] = best[at - 1];
        if (at < CHECK_VECTORS) value[at] = largest, best[at] = i;
        if (count < CHECK_VECTORS) count++;
    }
    memset(x, 0, (size_t)n * CHECK_VECTORS * check_sizeof(type));
    for (int c = 0; c < count; c++)
        check_set(type, x, (size_t)(best[c] + c * n), 1, 0);
}

int check_norm_estimate(enum tw_type type, tw_int n, check_operator op, void *context, double *value)
{
    const size_t bytes = (size_t)n * CHECK_VECTORS * check_sizeof(type);
    double first;
    void *x = malloc(bytes ? bytes : 1), *y = malloc(bytes ? bytes : 1);
    int e = x && y ? 0 : TW_E_MEMORY;

    *value = NAN;
    if (!e) start_vectors(type, n, x);
    if (!e) e = op(context, 0, CHECK_VECTORS, x, y);
    if (!e) {
        *value = first = largest_column(type, n, y);
        signs(type, n, y, x);
        e = op(context, 1, CHECK_VECTORS, x, y);
        if (!e) best_units(type, n, y, x);
        if (!e) e = op(context, 0, CHECK_VECTORS, x, y);
        if (!e) *value = largest_column(type, n, y);
        if (!e) *value = check_worse(*value, first);
    }
    free(x);
    free(y);
    return e;
}
