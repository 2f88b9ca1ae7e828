/* Elements of four types behind one interface, arrays that show who touched them, and test matrices. */
#include "tt.h"

#include <complex.h>

const char tt_uplos[2] = {'L', 'U'};

char tt_letter(enum tw_type t)
{
    return tw_type_letter(t);
}
int tt_single(enum tw_type t)
{
    return t == TW_FLOAT || t == TW_COMPLEX_FLOAT;
}
int tt_complex(enum tw_type t)
{
    return tw_type_is_complex(t);
}
size_t tt_size(enum tw_type t)
{
    return tw_type_size(t);
}
double tt_eps(enum tw_type t)
{
    return tw_type_eps(t);
}

tt_z tt_get(enum tw_type t, const void *a, size_t at)
{
    switch (t) {
    case TW_FLOAT: return ((const float *)a)[at];
    case TW_DOUBLE: return ((const double *)a)[at];
    case TW_COMPLEX_FLOAT: return ((const float _Complex *)a)[at];
    default: return ((const tt_z *)a)[at];
    }
}

void tt_put(enum tw_type t, void *a, size_t at, tt_z v)
{
    switch (t) {
    case TW_FLOAT: ((float *)a)[at] = (float)creal(v); break;
    case TW_DOUBLE: ((double *)a)[at] = creal(v); break;
    case TW_COMPLEX_FLOAT: ((float _Complex *)a)[at] = (float _Complex)v; break;
    default: ((tt_z *)a)[at] = v;
    }
}

/* ---- arrays ------------------------------------------------------------------------------------------------- */

/* Some slack at the end: OpenBLAS 0.3.21's clauum and zlauum, called for comparison, read past the end of their
 * argument. That the library itself does not is test_bounds' business. */
void *tt_array(enum tw_type t, tw_int lda, tw_int n)
{
    size_t bytes = (size_t)(lda > 0 ? lda : 1) * (size_t)(n > 0 ? n : 1) * tt_size(t), slack = (size_t)(lda + 8) * 16;
    void *a = malloc(bytes + slack);
    if (!a) {
        fprintf(stderr, "no memory for a test array of %zu bytes\n", bytes);
        exit(1);
    }
    return memset(a, 0xff, bytes + slack);
}

void *tt_copy(enum tw_type t, tw_int lda, tw_int n, const void *a)
{
    void *b = tt_array(t, lda, n);
    return lda > 0 && n > 0 ? memcpy(b, a, (size_t)lda * (size_t)n * tt_size(t)) : b;
}

static int inside(char uplo, tw_int i, tw_int j)
{
    return uplo == 'L' ? i >= j : uplo == 'U' ? i <= j : 1;
}

size_t tt_touched(enum tw_type t, char uplo, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const unsigned char *bytes = a;
    size_t size = tt_size(t), touched = 0;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < lda; i++) {
            const unsigned char *e = bytes + (size_t)(i + j * lda) * size;
            if (i < m && inside(uplo, i, j)) continue;
            for (size_t b = 0; b < size; b++)
                if (e[b] != 0xff) {
                    touched++;
                    break;
                }
        }
    return touched;
}

/* ---- matrices ----------------------------------------------------------------------------------------------- */

/* splitmix64's mixing of (seed, i, j), top 53 bits; never exactly 0. */
double tt_uniform(uint64_t seed, tw_int i, tw_int j)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xbf58476d1ce4e5b9u + (uint64_t)j * 0x94d049bb133111ebu;
    for (int round = 0; round < 2; round++) {
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x ^= x >> 31;
    }
    return ((double)(x >> 11) + 0.5) * 0x1p-52 - 1.0;
}

static tt_z element(enum tw_type t, uint64_t seed, tw_int i, tw_int j)
{
    double re = tt_uniform(seed, i, j);
    return tt_complex(t) ? CMPLX(re, tt_uniform(seed + 1, i, j)) : re;
}

void *tt_generated(enum tw_type t, const char *kind, tw_int m, tw_int n, uint64_t seed)
{
    tw_generator *g;
    void *a = tt_array(t, m, n);

    tt_expect_info(tw_generator_create(&g, kind, t, m, n, seed), 0, "%s", kind);
    tt_expect_info(tw_generator_block(g, 0, 0, m, n, a, m), 0, "%s", kind);
    tw_generator_destroy(g);
    return a;
}

void tt_random(enum tw_type t, char uplo, tw_int m, tw_int n, void *a, tw_int lda, uint64_t seed)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            if (inside(uplo, i, j)) tt_put(t, a, (size_t)(i + j * lda), element(t, seed, i, j));
}

void tt_spd(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda, uint64_t seed)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < n; i++) {
            tt_z v;
            if (!inside(uplo, i, j)) continue;
            v = i >= j ? element(t, seed, i, j) : conj(element(t, seed, j, i));
            if (i == j) v = creal(v) + (double)n + 1.0;
            tt_put(t, a, (size_t)(i + j * lda), v);
        }
}

/* The minors before k do not see element (k, k); with a negative one the pivot k is negative, far from 0. */
void tt_spd_failing(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda, uint64_t seed, tw_int k)
{
    tt_spd(t, uplo, n, a, lda, seed);
    tt_put(t, a, (size_t)((k - 1) * (lda + 1)), -(double)n);
}

void tt_triangle(enum tw_type t, char uplo, char diag, tw_int n, void *a, tw_int lda, uint64_t seed)
{
    double scale = 1.0 / (n > 4 ? (double)n / 4.0 : 1.0);

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < n; i++) {
            size_t at = (size_t)(i + j * lda);
            if (!inside(uplo, i, j) || (i == j && diag == 'U')) continue;
            if (i != j)
                tt_put(t, a, at, scale * element(t, seed, i, j));
            else
                tt_put(t, a, at, (tt_uniform(seed, i, i) > 0 ? 1.0 : -1.0) + 0.4 * element(t, seed + 2, i, i));
        }
}
