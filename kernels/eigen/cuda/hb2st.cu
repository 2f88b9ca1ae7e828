/* Bulge chasing from a hermitian band on a GPU (chase.cuh); the steps are those of kernels/eigen/cpu/hb2st.c.
 *
 * Step k works on the block under the diagonal A(k), rows s + 1 + k b ... and the b columns before them, and on the
 * diagonal block D(k) of these rows. The next sweep's are one row and one column further: of step k + 1 its step k
 * needs A(k+1)'s first row and then D(k+1)'s first element, no more. progress counts these: 2 k + 1 with the one, 2 k +
 * 2 with the other, and either comes after all that earlier blocks of the sweep have become. So a sweep loads D(k)
 * while it works on A(k), and A(k+1), but for its last column, while it works on D(k). Of two blocks for a sweep the
 * sums over columns are exchanged once for A(k), with A(k)'s first column, of which both make the reflector, and once
 * for D(k). */
#include "kernels/eigen/cuda/chase.cuh"

extern "C" {
#include "kernels/eigen/cuda/hb2st.h"
int CUDA(hb2st)(const struct tw_cuda *q, const struct tw_hb2st_sweeps *t);
}

struct hb2st_sweeps : sweeps {
    T *v[TW_CHASE_GROUPS];
    template <int ROWS, int C, bool AHEAD>
    static __device__ void step(const hb2st_sweeps &c, int s, int k, int steps, struct shared<32 * ROWS, C, AHEAD> *x);
};

/* A step's rows, and its two blocks: element (i, j) of either is at i + j (ld - 1). */
struct place {
    int m;
    T *under, *diagonal;
};
static __device__ __forceinline__ place place_of(const struct sweeps &c, int s, int k)
{
    const int row = s + 1 + k * c.b;
    return {min(c.b, c.n - row), c.a + row + (row - c.b) * (c.ld - 1), c.a + row + row * (c.ld - 1)};
}

/* The diagonal block, its lower triangle in D, from both sides; says when its first element is final. `meanwhile` is
 * done when all threads have D. */
template <int ROWS, int C, class X, class F>
static __device__ void both_sides(const struct sweeps &c, int m, T *a, X *x, int now, T D[ROWS][2 * ROWS / C],
                                  int *progress, int far, F meanwhile)
{
    constexpr int Q = 2 * ROWS / C;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, rank = rank_of<C>();
    const T tau = x->tau[now];
    const T *v = x->v[now];
    T mine[ROWS], w[ROWS], alpha = number(0), dots[Q], sums;

    for (int r = 0; r < ROWS; r++) {
        const int i = lane + 32 * r;
        T p = number(0);
        mine[r] = v[i];
        for (int q = 0; q < Q; q++) {
            if (i == column<C>(q)) D[r][q] = number(real_part(D[r][q]));
            p = sum(p, product(D[r][q], v[column<C>(q)]));
        }
        x->part[warp][i] = p;
    }
    for (int q = 0; q < Q; q++) {
        dots[q] = number(0);
        for (int r = 0; r < ROWS; r++)
            if (lane + 32 * r > column<C>(q)) dots[q] = sum(dots[q], product(conjugate(D[r][q]), mine[r]));
    }
    sums = warp_sums<Q>(dots);
    if (lane % (32 / Q) == 0) x->dots[column<C>(lane / (32 / Q))] = sums;
    __syncthreads();
    if (threadIdx.x < 32 * ROWS) {
        T here = parts(x, threadIdx.x);
        if ((int)threadIdx.x % C == rank) here = sum(here, x->dots[threadIdx.x]);
        send<C>(&x->sums[1][rank][threadIdx.x], here);
    }
    meanwhile();
    meet<C>();
    for (int r = 0; r < ROWS; r++) {
        w[r] = product(tau, total<C>(x, 1, lane + 32 * r));
        alpha = sum(alpha, product(conjugate(w[r]), mine[r]));
    }
    alpha = scaled(product(tau, warp_sum(alpha)), (R)0.5);
    for (int q = 0; q < Q; q++) {
        const int j = column<C>(q);
        const T vj = conjugate(v[j]), wj = conjugate(minus_product(product(tau, total<C>(x, 1, j)), alpha, v[j]));
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r;
            const T wi = minus_product(w[r], alpha, mine[r]);
            T y = minus_product(minus_product(D[r][q], mine[r], wj), wi, vj);
            if (i == j) y = number(real_part(y));
            D[r][q] = y;
        }
    }
    if (threadIdx.x == 0) {
        if (rank == 0) a[0] = D[0][0];
        release(progress, far); /* what the others wrote before this function */
    }
    for (int q = 0; q < Q; q++)
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r, j = column<C>(q);
            if (i > 0 && i >= j && i < m) a[i + j * (c.ld - 1)] = D[r][q];
        }
}

template <int ROWS, int C, bool AHEAD>
__device__ __forceinline__ void hb2st_sweeps::step(const hb2st_sweeps &c, int s, int k, int steps,
                                                   struct shared<32 * ROWS, C, AHEAD> *x)
{
    constexpr int B = 32 * ROWS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, now = k & 1, mine = s - c.first, rank = rank_of<C>();
    const int last = (c.b - 1) / C; /* the last column is that of its owner */
    const bool owner = (c.b - 1) % C == rank && warp == last % WARPS;
    const int *before = mine > 0 ? c.progress + C * (mine - 1) : NULL;
    const place p = place_of(c, s, k);
    int *progress = c.progress + C * mine + rank;
    T A[ROWS][2 * ROWS / C];

    wait_for<C>(before, 2 * k + 3);
    if (k > 0) {
        if (AHEAD) {
            brought();
            if (owner) /* the sweep before this one has made the last column only now */
                for (int r = 0; r < ROWS; r++) {
                    const int i = lane + 32 * r;
                    if (i < p.m) x->next[i + last * B] = fresh(p.under + i + (c.b - 1) * (c.ld - 1));
                }
            take_block<ROWS, C>(x, A);
        } else {
            load_block<ROWS, C>(c, p.m, c.b, false, p.under, A);
        }
        block<ROWS, C, false>(c, p.m, c.b, p.under, x, 1 - now, now, A, progress, 2 * k + 1, [&] {
            if (AHEAD) bring_block<ROWS, C>(c, p.m, c.b, true, p.diagonal, x);
        });
    } else {
        T *from = c.a + 1 + s * c.ld, first[ROWS];
        if (warp == 0)
            for (int r = 0; r < ROWS; r++)
                first[r] = lane + 32 * r < p.m ? fresh(from + lane + 32 * r) : number(0);
        if (C > 1) meet<C>(); /* both have read what one of them writes */
        if (warp == 0) {
            reflector<ROWS>(p.m, first, x->v[now], &x->tau[now]);
            for (int r = 0; r < ROWS; r++)
                if (rank == 0 && lane + 32 * r < p.m) from[lane + 32 * r] = first[r];
            if (rank == 0 && lane == 0) results(c, s, real_part(first[0]));
        }
        __syncthreads();
    }
    wait_for<C>(before, 2 * k + 4);
    if (AHEAD && k > 0) {
        brought();
        if (p.m == c.b && owner && lane == (c.b - 1) % 32)
            x->next[c.b - 1 + last * B] = fresh(p.diagonal + (c.b - 1) * c.ld);
        take_block<ROWS, C>(x, A);
    } else {
        load_block<ROWS, C>(c, p.m, c.b, true, p.diagonal, A);
    }
    both_sides<ROWS, C>(c, p.m, p.diagonal, x, now, A, progress, 2 * k + 2, [&] {
        if (AHEAD && k + 1 < steps) {
            const place after = place_of(c, s, k + 1);
            bring_block<ROWS, C>(c, after.m, c.b - 1, false, after.under, x);
        }
    });
    if (rank == 0) keep(c, c.v[mine / c.depth], mine, k, x->tau[now], x->v[now]);
}

/* Two multiprocessors to a sweep, where devices have clusters. */
template <int ROWS> static int start(const struct tw_cuda *q, const hb2st_sweeps *c, int blocks)
{
    int device, clusters = 0;

    TW_TRY(TW_STATUS(CUDA, hb2st, cudaGetDevice(&device)));
    TW_TRY(TW_STATUS(CUDA, hb2st, cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device)));
    return clusters ? start<hb2st_sweeps, ROWS, 2>(q, c, blocks) : start<hb2st_sweeps, ROWS, 1>(q, c, blocks);
}

/* Blocks of order 64 are large enough in double complex: 12.8 -> 11.5 us a sweep on an H200, in double 8.1 -> 8.9. */
static int start_64(const struct tw_cuda *q, const hb2st_sweeps *c, int blocks)
{
#if TW_IS_COMPLEX && !TW_IS_SINGLE
    return start<2>(q, c, blocks);
#else
    return start<hb2st_sweeps, 2, 1>(q, c, blocks);
#endif
}

static int by_width(const struct tw_cuda *q, const hb2st_sweeps *c, int blocks)
{
    return c->b <= 32   ? start<hb2st_sweeps, 1, 1>(q, c, blocks)
           : c->b <= 64 ? start_64(q, c, blocks)
                        : start<4>(q, c, blocks);
}

int CUDA(hb2st)(const struct tw_cuda *q, const struct tw_hb2st_sweeps *t)
{
    struct hb2st_sweeps c = {};

    c.ld = t->ld, c.a = (T *)t->a, c.d = (R *)t->d, c.e = (R *)t->e, c.info = (unsigned long long *)t->info;
    for (int g = 0; t->v && g < t->groups; g++)
        c.v[g] = (T *)t->v[g];
    return all_sweeps(q, &t->shape, &c, t->first, t->groups, t->progress, by_width);
}
