/* Tiles of any type for the kernel tests, and references computed here with plain loops in double, not by the library.
 *
 * A new tile is NaN everywhere. A test sets what the kernel may read; whatever else is read poisons the result, and
 * whatever else is written is found by comparing bits with a copy (untouched). */
#ifndef TW_TESTS_KERNELS_TILES_H
#define TW_TESTS_KERNELS_TILES_H
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tilework/type.h>
#include "kernels/dense/cpu/dense_cpu.h"
#include "runtime/base/types.h"

typedef double _Complex zz;

struct tile {
    enum tw_type type;
    int m, n, ld;
    char *p, *before; /* before: bits as saved by keep() */
};

static const int sizes[] = {0, 1, 2, 7, 63, 64, 65, 200};
#define NSIZES       ((int)(sizeof sizes / sizeof sizes[0]))
#define FOR_TYPES(t) for (enum tw_type t = TW_FLOAT; t <= TW_COMPLEX_DOUBLE; t++)

static inline double eps_of(enum tw_type t)
{
    return tw_type_eps(t);
}

static inline zz make(double re, double im)
{
    zz x = re;
    __imag__ x = im;
    return x;
}

static inline double size_of(zz x)
{
    return fabs(__real__ x) + fabs(__imag__ x);
}

static inline zz get(const struct tile *a, int i, int j)
{
    size_t k = (size_t)i + (size_t)j * (size_t)a->ld;
    switch (a->type) {
    case TW_FLOAT: return ((float *)a->p)[k];
    case TW_DOUBLE: return ((double *)a->p)[k];
    case TW_COMPLEX_FLOAT: return make(((float *)a->p)[2 * k], ((float *)a->p)[2 * k + 1]);
    default: return make(((double *)a->p)[2 * k], ((double *)a->p)[2 * k + 1]);
    }
}

static inline void put(struct tile *a, int i, int j, zz x)
{
    size_t k = (size_t)i + (size_t)j * (size_t)a->ld;
    switch (a->type) {
    case TW_FLOAT: ((float *)a->p)[k] = (float)__real__ x; break;
    case TW_DOUBLE: ((double *)a->p)[k] = __real__ x; break;
    case TW_COMPLEX_FLOAT:
        ((float *)a->p)[2 * k] = (float)__real__ x;
        ((float *)a->p)[2 * k + 1] = (float)__imag__ x;
        break;
    default: ((double *)a->p)[2 * k] = __real__ x; ((double *)a->p)[2 * k + 1] = __imag__ x;
    }
}

static inline size_t tile_bytes(const struct tile *a)
{
    size_t columns = a->n > 0 ? (size_t)a->n : 1;
    return (size_t)a->ld * columns * tw_sizeof(a->type);
}

/* m x n, leading dimension m + pad, all NaN (0xff bytes). */
static inline struct tile tile_new(enum tw_type t, int m, int n, int pad)
{
    struct tile a = {.type = t, .m = m, .n = n, .ld = (m > 0 ? m : 1) + pad};
    a.p = malloc(tile_bytes(&a));
    a.before = malloc(tile_bytes(&a));
    assert_non_null(a.p);
    assert_non_null(a.before);
    memset(a.p, 0xff, tile_bytes(&a));
    return a;
}

static inline void tile_free(struct tile *a)
{
    free(a->p);
    free(a->before);
}

static inline void keep(struct tile *a)
{
    memcpy(a->before, a->p, tile_bytes(a));
}

static inline struct tile tile_copy(const struct tile *a)
{
    struct tile b = tile_new(a->type, a->m, a->n, a->ld - (a->m > 0 ? a->m : 1));
    memcpy(b.p, a->p, tile_bytes(a));
    keep(&b);
    return b;
}

/* Is (i, j) in the stored part: 'G' all, 'L'/'U' a triangle with its diagonal, 'l'/'u' without, 0x7f nothing? */
static inline int in_part(char uplo, int i, int j)
{
    switch (uplo) {
    case 'L': return i >= j;
    case 'U': return i <= j;
    case 'l': return i > j;
    case 'u': return i < j;
    case 0x7f: return 0;
    default: return 1;
    }
}

/* Every bit outside `uplo` of the m x n tile, padding rows included, is as keep() saw it. */
static inline void untouched(const struct tile *a, char uplo)
{
    size_t w = tw_sizeof(a->type);
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->ld; i++) {
            size_t k = ((size_t)i + (size_t)j * (size_t)a->ld) * w;
            if (i < a->m && in_part(uplo, i, j)) continue;
            if (memcmp(a->p + k, a->before + k, w) != 0)
                fail_msg("type %c: element (%d, %d) outside '%c' was written", tw_letter(a->type), i, j, uplo);
        }
}

static inline double uniform(void)
{
    static uint64_t s = 88172645463325252u;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (double)(s >> 11) / 9007199254740992.0 - 0.5;
}

static inline zz random_value(enum tw_type t)
{
    double re = uniform(), im = uniform();
    return make(re, tw_is_complex(t) ? im : 0);
}

static inline void randomise(struct tile *a, char uplo)
{
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            if (in_part(uplo, i, j)) put(a, i, j, random_value(a->type));
}

/* A triangle one can solve with: off-diagonal elements of size 1/n. diag 'U' leaves the diagonal NaN: it is not to
 * be read. */
static inline void random_triangle(struct tile *a, char uplo, char diag)
{
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++) {
            if (!in_part(uplo, i, j) || (i == j && diag == 'U')) continue;
            put(a, i, j, i == j ? 1.5 + random_value(a->type) : 2 * random_value(a->type) / (1 + a->n));
        }
}

/* ---- shapes that norms know ------------------------------------------------------------------------------------- */

struct shape {
    enum tw_structure s;
    char uplo, diag;
};
static const struct shape shapes[] = {
    {TW_STRUCT_GENERAL, 'G', 'N'},    {TW_STRUCT_SYMMETRIC, 'L', 'N'},  {TW_STRUCT_SYMMETRIC, 'U', 'N'},
    {TW_STRUCT_SYMMETRIC, 'G', 'N'},  {TW_STRUCT_HERMITIAN, 'L', 'N'},  {TW_STRUCT_HERMITIAN, 'U', 'N'},
    {TW_STRUCT_HERMITIAN, 'G', 'N'},  {TW_STRUCT_TRIANGULAR, 'L', 'N'}, {TW_STRUCT_TRIANGULAR, 'U', 'N'},
    {TW_STRUCT_TRIANGULAR, 'L', 'U'}, {TW_STRUCT_TRIANGULAR, 'U', 'U'}, {TW_STRUCT_TRIANGULAR, 'G', 'U'},
};
#define NSHAPES ((int)(sizeof shapes / sizeof shapes[0]))

static inline int mirrored(struct shape h)
{
    return h.uplo != 'G' && (h.s == TW_STRUCT_SYMMETRIC || h.s == TW_STRUCT_HERMITIAN);
}

/* Random in the stored part; NaN where a norm must not look (unit diagonals, imaginary parts of hermitian ones). */
static inline struct tile norm_tile(enum tw_type t, struct shape h, int m, int n)
{
    struct tile a = tile_new(t, m, n, 2);
    randomise(&a, h.uplo);
    for (int i = 0; i < m && i < n && h.diag == 'U' && h.uplo != 'G'; i++)
        put(&a, i, i, make(NAN, NAN)); /* not to be read */
    for (int i = 0; i < m && i < n && h.s == TW_STRUCT_HERMITIAN && h.uplo != 'G' && tw_is_complex(t); i++)
        put(&a, i, i, make(__real__ get(&a, i, i), NAN));
    return a;
}

/* ---- dense references: column-major arrays of zz, tightly stored ------------------------------------------------ */

static inline zz *dense_new(int m, int n)
{
    zz *a = calloc((size_t)(m > 0 ? m : 1) * (size_t)(n > 0 ? n : 1), sizeof *a);
    assert_non_null(a);
    return a;
}

/* op of a whole tile: (trans == 'N' ? m x n : n x m). */
static inline zz *dense_op(const struct tile *a, char trans)
{
    int m = trans == 'N' ? a->m : a->n, n = trans == 'N' ? a->n : a->m;
    zz *d = dense_new(m, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            zz x = trans == 'N' ? get(a, i, j) : get(a, j, i);
            d[i + (size_t)j * m] = trans == 'C' ? ~x : x;
        }
    return d;
}

/* op of a triangle, zeros in the other half, ones on the diagonal for diag 'U'. */
static inline zz *dense_triangle(const struct tile *a, char uplo, char trans, char diag)
{
    int n = a->n;
    zz *d = dense_new(n, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            zz x = !in_part(uplo, i, j) ? 0 : i == j && diag == 'U' ? 1 : get(a, i, j);
            if (trans == 'N')
                d[i + (size_t)j * n] = x;
            else
                d[j + (size_t)i * n] = trans == 'C' ? ~x : x;
        }
    return d;
}

/* c = a b (m x k times k x n); magnitudes != 0: of the absolute values, what rounding errors are measured by. */
static inline zz *dense_multiply(int m, int n, int k, const zz *a, const zz *b, int magnitudes)
{
    zz *c = dense_new(m, n);
    for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++) {
            zz x = b[l + (size_t)j * k];
            double xr = __real__ x, xi = __imag__ x, xs = size_of(x);
            for (int i = 0; i < m; i++) {
                zz y = a[i + (size_t)l * m], *z = &c[i + (size_t)j * m];
                if (magnitudes) {
                    *z += size_of(y) * xs;
                } else {
                    __real__ *z += __real__ y * xr - __imag__ y * xi;
                    __imag__ *z += __real__ y * xi + __imag__ y * xr;
                }
            }
        }
    return c;
}

/* The largest element of a dense matrix; NaN counts as the largest. */
static inline double largest_of(const zz *a, size_t count)
{
    double largest = 0;
    for (size_t p = 0; p < count; p++)
        if (!(size_of(a[p]) <= largest)) largest = size_of(a[p]);
    return largest;
}

/* |got - want| <= 4 (k + 8) eps scale in every element of the part; NaN fails. */
static inline void close_to(const struct tile *got, char uplo, const zz *want, const zz *scale, int k, const char *what)
{
    double unit = 4 * (k + 8) * eps_of(got->type);
    for (int j = 0; j < got->n; j++)
        for (int i = 0; i < got->m; i++) {
            size_t p = (size_t)i + (size_t)j * (size_t)got->m;
            double error = size_of(get(got, i, j) - want[p]);
            if (in_part(uplo, i, j) && !(error <= unit * (size_of(scale[p]) + size_of(want[p])) + 1e-300))
                fail_msg("%s, type %c, %d x %d: element (%d, %d) is %g%+gi, not %g%+gi", what, tw_letter(got->type),
                         got->m, got->n, i, j, __real__ get(got, i, j), __imag__ get(got, i, j), __real__ want[p],
                         __imag__ want[p]);
        }
}
#endif
