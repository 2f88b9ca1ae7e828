/* What the CPU's stages of localized interactions share: vectors of a cluster's 8 lanes, the formulas on them. */
#ifndef TW_KERNELS_MD_CPU_CUTOFF_LOCAL_H
#define TW_KERNELS_MD_CPU_CUTOFF_LOCAL_H
#include "kernels/md/cut.h"
#include "kernels/simd.h"

#define LANES TW_CUT_LANES
typedef T V8 __attribute__((vector_size(LANES * sizeof(T))));
typedef TI I8 __attribute__((vector_size(LANES * sizeof(T))));

static inline V8 splat8(T x)
{
    return x - (V8){0};
}
static inline V8 keep8(I8 mask, V8 x)
{
    return (V8)((I8)x & mask);
}
static inline V8 choose8(I8 mask, V8 x, V8 y)
{
    return (V8)(((I8)x & mask) | ((I8)y & ~mask));
}
static inline int any8(I8 mask)
{
    int any = 0;
    for (int k = 0; k < LANES; k++)
        any |= mask[k] != 0;
    return any;
}
/* All ones in lane k where bit k is set. */
static inline I8 lanes8(uint32_t bits)
{
    I8 mask;
    for (int k = 0; k < LANES; k++)
        mask[k] = -(TI)(bits >> k & 1);
    return mask;
}
static inline V8 exp8(V8 x)
{
    for (int k = 0; k < LANES; k++)
        x[k] = (T)exp((double)x[k]);
    return x;
}
static inline V8 root8(V8 x)
{
#if defined(TW_ISA_avx512) && defined(TW_PRECISION_S)
    const V8 y = (V8)_mm256_rsqrt14_ps((__m256)x), e = 1 - x * y * y;
    return y + y * (e * (T)0.5);
#else
    V part;
    for (size_t k = 0; k < sizeof x; k += sizeof part) {
        memcpy(&part, (char *)&x + k, sizeof part);
        part = rsqrt(part);
        memcpy((char *)&x + k, &part, sizeof part);
    }
    return x;
#endif
}

#define R          V8
#define TW_FN      static inline __attribute__((always_inline, unused))
#define TW_EXP(x)  exp8(x)
#define TW_ROOT(x) root8(x)
#include "kernels/md/cutoff_pair.h"
#include "kernels/md/cutoff_decide.h"

/* An entry of a list: place in the sorted copies (27 bits), image (5). Image k shifts by (k % 3 - 1, k / 3 % 3 - 1, k /
 * 9 - 1) boxes. */
static inline T shift_of(const struct tw_cut_shape *s, int image, int axis)
{
    const int times = axis == 0 ? image % 3 : axis == 1 ? image / 3 % 3 : image / 9;
    return (T)(times - 1) * (T)s->box[axis];
}

/* A cluster's atoms, one per lane. */
struct cluster {
    V8 x, y, z, q;
};
static inline struct cluster cluster_at(const struct tw_cut *c, int cluster)
{
    const T *s = (const T *)c->sorted + (size_t)cluster * LANES * 4;
    struct cluster i;
    for (int k = 0; k < LANES; k++) {
        i.x[k] = s[4 * k];
        i.y[k] = s[4 * k + 1];
        i.z[k] = s[4 * k + 2];
        i.q[k] = s[4 * k + 3];
    }
    return i;
}
static inline V8 column8(const void *a, int cluster, int stride, int k)
{
    const T *s = (const T *)a + (size_t)cluster * LANES * (size_t)stride + k;
    V8 v;
    for (int l = 0; l < LANES; l++)
        v[l] = s[l * stride];
    return v;
}
/* Coordinate of places without an atom: far from everything, its square within the range of float. */
#define NOWHERE ((T)1e17)

void TW_NB(cut_sort)(struct tw_cut *c);
void TW_NB(cut_list)(struct tw_cut *c, int part);
void TW_NB(cut_prune)(struct tw_cut *c, int part);
void TW_NB(cut_force)(struct tw_cut *c, int part);
void TW_NB(cut_self)(struct tw_cut *c, int part);
void TW_NB(cut_chain)(struct tw_cut *c, int part);
void TW_NB(cut_radii)(struct tw_cut *c);
void TW_NB(cut_gather)(struct tw_cut *c);
void TW_NB(cut_collect)(struct tw_cut *c);
void TW_NB(cut_move)(struct tw_cut *c);
#endif
