/* Bulge chasing from a triangular band on a GPU (kernels/eigen/cuda/chase.cuh); the steps are those of
 * kernels/svd/cpu/tb2bd.c.
 *
 * Step k works on W(k), b rows and, from s + 1 + k b on, at most b columns, right of a diagonal block: U(s, k-1) from
 * the left, its first row's own V(s, k) from the right; and on the diagonal block D(k) of these columns: V(s, k) from
 * the right, its first column's own U(s, k) from the left. The next sweep's are one row and one column further: its
 * W(k) has as its last row D(k)'s first one and W(k+1)'s first element, its D(k) has as its last column W(k+1)'s first
 * one, from the second row on, and D(k+1)'s first element. progress counts these: 2 k + 1 when W(k)'s first column is
 * final, 2 k + 2 when D(k)'s first element is, and either comes after all that earlier blocks of the sweep have become.
 * So a sweep loads D(k), but for its last element, while it works on W(k), and W(k+1), but for its last row, while it
 * works on D(k). */
#include "kernels/eigen/cuda/chase.cuh"

extern "C" {
#include "kernels/svd/cuda/tb2bd.h"
int CUDA(tb2bd)(const struct tw_cuda *q, const struct tw_tb2bd_sweeps *t);
}

enum { U, V }; /* of the two reflectors at hand */

struct tb2bd_sweeps : sweeps {
    T *u[TW_TB2BD_GROUPS], *v[TW_TB2BD_GROUPS];
    template <int ROWS, int C, bool AHEAD>
    static __device__ void step(const tb2bd_sweeps &c, int s, int k, int steps, struct shared<32 * ROWS, C, AHEAD> *x);
};

/* A step's columns, and its two blocks: element (i, j) of either is at i + j (ld - 1). */
struct place {
    int m;
    T *right, *diagonal;
};
static __device__ __forceinline__ place place_of(const struct sweeps &c, int s, int k)
{
    const int at = s + 1 + k * c.b;
    return {min(c.b, c.n - at), c.a + (at - c.b) + at * (c.ld - 1), c.a + at + at * (c.ld - 1)};
}

/* U from the left to the b x m block W in A, V from the right; says when the first column is final. `meanwhile` is done
 * when all threads have A. */
template <int ROWS, class X, class F>
static __device__ void wide_block(const struct sweeps &c, int m, T *a, X *x, T A[ROWS][2 * ROWS], int *progress,
                                  int far, F meanwhile)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T tau = conjugate(x->tau[U]);
    T mine[ROWS], by[2 * ROWS], sums, next, beta = number(0);

    for (int r = 0; r < ROWS; r++)
        mine[r] = x->v[U][lane + 32 * r];
    for (int q = 0; q < 2 * ROWS; q++) {
        by[q] = number(0);
        for (int r = 0; r < ROWS; r++)
            by[q] = sum(by[q], product(conjugate(mine[r]), A[r][q]));
    }
    sums = warp_sums<2 * ROWS>(by);
    for (int q = 0; q < 2 * ROWS; q++) {
        by[q] = product(tau, from_lane(sums, 16 / ROWS * q));
        for (int r = 0; r < ROWS; r++)
            A[r][q] = minus_product(A[r][q], by[q], mine[r]);
        if (lane == 0) x->first[warp + WARPS * q] = conjugate(A[0][q]);
    }
    __syncthreads();
    if (warp == 0) {
        T first[ROWS];
        for (int r = 0; r < ROWS; r++)
            first[r] = x->first[lane + 32 * r];
        reflector<ROWS>(m, first, x->v[V], &x->tau[V]);
        beta = first[0];
    } else {
        meanwhile();
    }
    __syncthreads();
    next = x->tau[V];
    for (int r = 0; r < ROWS; r++) {
        T p = number(0);
        for (int q = 0; q < 2 * ROWS; q++)
            p = sum(p, product(A[r][q], x->v[V][warp + WARPS * q]));
        x->part[warp][lane + 32 * r] = p;
    }
    __syncthreads();
    if (threadIdx.x < 32 * ROWS) x->dots[threadIdx.x] = product(next, parts(x, threadIdx.x));
    __syncthreads();
    for (int q = 0; q < 2 * ROWS; q++) {
        const int j = warp + WARPS * q;
        const T along = conjugate(x->v[V][j]);
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r;
            A[r][q] = i == 0 ? (j == 0 ? beta : number(0)) : minus_product(A[r][q], x->dots[i], along);
            if (q == 0 && warp == 0 && i < c.b) a[i] = A[r][q];
        }
        if (q > 0 || warp > 0) continue;
        __syncwarp();
        if (lane == 0) release(progress, far); /* and what the others wrote before this function */
    }
    if (warp == 0) meanwhile();
    for (int q = 0; q < 2 * ROWS; q++)
        for (int r = 0; r < ROWS; r++) {
            const int i = lane + 32 * r, j = warp + WARPS * q;
            if (j > 0 && i < c.b && j < m) a[i + j * (c.ld - 1)] = A[r][q];
        }
}

/* The sweep's first row: V clears it; and with it the row is final. */
template <int ROWS, class X> static __device__ void first_row(const struct sweeps &c, int s, int m, X *x)
{
    const int lane = threadIdx.x % 32;
    T *row = c.a + s + (s + 1) * (c.ld - 1), y[ROWS];

    for (int r = 0; r < ROWS; r++)
        y[r] = lane + 32 * r < m ? conjugate(fresh(row + (lane + 32 * r) * (c.ld - 1))) : number(0);
    reflector<ROWS>(m, y, x->v[V], &x->tau[V]);
    for (int r = 0; r < ROWS; r++)
        if (lane + 32 * r < m) row[(lane + 32 * r) * (c.ld - 1)] = y[r];
    if (lane == 0) results(c, s, real_part(y[0]));
}

template <int ROWS, int C, bool AHEAD>
__device__ __forceinline__ void tb2bd_sweeps::step(const tb2bd_sweeps &c, int s, int k, int steps,
                                                   struct shared<32 * ROWS, C, AHEAD> *x)
{
    static_assert(C == 1, "a sweep has one block of threads");
    constexpr int B = 32 * ROWS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = s - c.first, last = c.b - 1;
    const int *before = mine > 0 ? c.progress + mine - 1 : NULL;
    const place p = place_of(c, s, k);
    int *progress = c.progress + mine;
    T A[ROWS][2 * ROWS];

    wait_for<C>(before, 2 * k + 3);
    if (k > 0) {
        if (AHEAD) {
            brought();
            take_block<ROWS, C>(x, A);
            for (int r = 0; r < ROWS; r++) /* the last row: the sweep before this one has made it only now */
                for (int q = 0; q < 2 * ROWS; q++) {
                    const int j = warp + WARPS * q;
                    if (lane + 32 * r == last && j < p.m) A[r][q] = fresh(p.right + last + j * (c.ld - 1));
                }
        } else {
            load_block<ROWS, C>(c, c.b, p.m, false, p.right, A);
        }
        wide_block<ROWS>(c, p.m, p.right, x, A, progress, 2 * k + 1, [&] {
            if (AHEAD) bring_block<ROWS, C>(c, p.m, p.m, false, p.diagonal, x);
        });
    } else {
        if (warp == 0) first_row<ROWS>(c, s, p.m, x);
        __syncthreads();
    }
    wait_for<C>(before, 2 * k + 4);
    if (AHEAD && k > 0) {
        brought();
        if (p.m == c.b && lane == last % 32 && warp == last % WARPS)
            x->next[last * (B + 1)] = fresh(p.diagonal + last * c.ld);
        take_block<ROWS, C>(x, A);
    } else {
        load_block<ROWS, C>(c, p.m, p.m, false, p.diagonal, A);
    }
    block<ROWS, C, true>(c, p.m, p.m, p.diagonal, x, V, U, A, progress, 2 * k + 2, [&] {
        if (AHEAD && k + 1 < steps) {
            const place after = place_of(c, s, k + 1);
            bring_block<ROWS, C>(c, last, after.m, false, after.right, x);
        }
    });
    keep(c, c.u[mine / c.depth], mine, k, x->tau[U], x->v[U]);
    keep(c, c.v[mine / c.depth], mine, k, x->tau[V], x->v[V]);
}

static int by_width(const struct tw_cuda *q, const tb2bd_sweeps *c, int blocks)
{
    return c->b <= 32   ? start<tb2bd_sweeps, 1, 1>(q, c, blocks)
           : c->b <= 64 ? start<tb2bd_sweeps, 2, 1>(q, c, blocks)
                        : start<tb2bd_sweeps, 4, 1>(q, c, blocks);
}

int CUDA(tb2bd)(const struct tw_cuda *q, const struct tw_tb2bd_sweeps *t)
{
    struct tb2bd_sweeps c = {};

    c.ld = t->ld, c.a = (T *)t->a + (2 * t->shape.b - 1), c.d = (R *)t->d, c.e = (R *)t->e;
    c.info = (unsigned long long *)t->info;
    for (int g = 0; g < t->groups; g++) {
        c.u[g] = t->u ? (T *)t->u[g] : NULL;
        c.v[g] = t->v ? (T *)t->v[g] : NULL;
    }
    return all_sweeps(q, &t->shape, &c, t->first, t->groups, t->progress, by_width);
}
