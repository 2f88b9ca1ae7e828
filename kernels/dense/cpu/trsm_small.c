/* Triangular solve of small order: where OpenBLAS' trsm loses its time (15 to 30 GF beside gemm's 86 and more).
 *
 * All sixteen variants become one: X row by row from T X = B, T lower. Rows are spread over vectors, so that one
 * step is a multiply-add of whole vectors; B is brought to that form and back through a buffer in the first-level
 * cache. Complex numbers are split into real and imaginary vectors. The diagonal is inverted first, as in OpenBLAS. */
#include <string.h>
#include "kernels/dense/cpu/typed.h"

#define LANES   (64 / (int)sizeof(R))                      /* of the longest vectors that a CPU has */
#define VECTORS 4                                          /* of these in one row of the buffer */
#define IMAG    (VECTORS / 2)                              /* the first imaginary one */
#define WIDTH   (LANES * (TW_IS_COMPLEX ? IMAG : VECTORS)) /* right-hand sides that fit */

struct panel {
    R re[TW_TRSM_SMALL][TW_TRSM_SMALL], im[TW_IS_COMPLEX ? TW_TRSM_SMALL : 1][TW_TRSM_SMALL];
    R x[TW_TRSM_SMALL][VECTORS * LANES] __attribute__((aligned(64)));
};

/* T and its inverted diagonal, in the order of elimination. */
static void pack_triangle(const struct tw_trsm_variant *s, int n, const T *a, int lda, struct panel *p)
{
    int flip = s->left == (s->trans == 'N');
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            int ii = s->forward ? i : n - 1 - i, kk = s->forward ? k : n - 1 - k;
            T t = flip ? *TW_AT(a, lda, ii, kk) : *TW_AT(a, lda, kk, ii);
            if (i == k) t = s->diag == 'U' ? 1 : 1 / t;
            p->re[i][k] = TW_RE(t);
            if (TW_IS_COMPLEX) p->im[i][k] = s->trans == 'C' ? -TW_IM(t) : TW_IM(t);
        }
}

static inline void put(struct panel *p, int i, int l, T alpha, T x)
{
    R *row = p->x[i];
#if TW_IS_COMPLEX
    row[l] = TW_RE(alpha) * TW_RE(x) - TW_IM(alpha) * TW_IM(x);
    row[l + IMAG * LANES] = TW_RE(alpha) * TW_IM(x) + TW_IM(alpha) * TW_RE(x);
#else
    row[l] = alpha * x;
#endif
}

static inline T get(const struct panel *p, int i, int l)
{
    const R *row = p->x[i];
    T x = row[l];
#if TW_IS_COMPLEX
    __imag__ x = row[l + IMAG * LANES];
#endif
    return x;
}

/* Both walk along the columns of B in memory: with a leading dimension of 2^k rows would fall out of the cache. */
static void pack(const struct tw_trsm_variant *s, int n, int width, T alpha, const T *b, int ldb, struct panel *p)
{
    if (width < WIDTH) memset(p->x, 0, (size_t)n * sizeof p->x[0]);
    if (s->left) {
        for (int l = 0; l < width; l++)
            for (int i = 0; i < n; i++)
                put(p, i, l, alpha, *TW_AT(b, ldb, s->forward ? i : n - 1 - i, l));
    } else {
        for (int i = 0; i < n; i++)
            for (int l = 0; l < width; l++)
                put(p, i, l, alpha, *TW_AT(b, ldb, l, s->forward ? i : n - 1 - i));
    }
}

static void unpack(const struct tw_trsm_variant *s, int n, int width, const struct panel *p, T *b, int ldb)
{
    if (s->left) {
        for (int l = 0; l < width; l++)
            for (int i = 0; i < n; i++)
                *TW_AT(b, ldb, s->forward ? i : n - 1 - i, l) = get(p, i, l);
    } else {
        for (int i = 0; i < n; i++)
            for (int l = 0; l < width; l++)
                *TW_AT(b, ldb, l, s->forward ? i : n - 1 - i) = get(p, i, l);
    }
}

#define BYTES 16
#include "kernels/dense/cpu/trsm_eliminate.h"
#define BYTES 32
#include "kernels/dense/cpu/trsm_eliminate.h"
#define BYTES 64
#include "kernels/dense/cpu/trsm_eliminate.h"

/* Compiled for what the CPU may have (ifuncs of target_clones do not go with the thread sanitizer). */
#if defined(__x86_64__)
__attribute__((target("avx512f,fma"))) static void eliminate_avx512(int n, int width, struct panel *p)
{
    eliminate64_some(n, width, p);
}
__attribute__((target("avx2,fma"))) static void eliminate_avx2(int n, int width, struct panel *p)
{
    eliminate32_some(n, width, p);
}
#endif
static void eliminate_plain(int n, int width, struct panel *p)
{
    eliminate16_some(n, width, p);
}

static void run(int n, int width, struct panel *p)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        eliminate_avx512(n, width, p);
        return;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        eliminate_avx2(n, width, p);
        return;
    }
#endif
    eliminate_plain(n, width, p);
}

void CPU(trsm_small)(const struct tw_trsm_variant *s, int n, int count, T alpha, const T *a, int lda, T *b, int ldb)
{
    struct panel p;
    pack_triangle(s, n, a, lda, &p);
    for (int c = 0; c < count; c += WIDTH) {
        T *part = s->left ? TW_AT(b, ldb, 0, c) : TW_AT(b, ldb, c, 0);
        int width = count - c < WIDTH ? count - c : WIDTH;
        pack(s, n, width, alpha, part, ldb, &p);
        run(n, width, &p);
        unpack(s, n, width, &p, part, ldb);
    }
}
