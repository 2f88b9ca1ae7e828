/* QR of a few columns by Householder's reflectors, by blocks that run together.
 *
 * One sum over all blocks for each column: with x the column below its diagonal, the products x^H A with all columns
 * give the norm, what the reflector takes from the columns behind it, and T's column from those before it. V, tau and
 * signs are LAPACK's.
 *
 * Range: columns whose largest element is far from 1 are scaled by powers of two, which moves neither V nor tau; where
 * what is left of a column is tiny beside that, the products are taken again with it scaled up. No sum of squares
 * overflows, and none that matters is lost. NaN, or Inf, in a column makes it NaN. */
#include <float.h>
#include <math.h>
#include "kernels/dense/cuda/panel.cuh"

/* Exponents: largest elements within 2^+-FAR are left alone; a sum of squares less than 2^-LOST is taken again with x
 * scaled by 2^STEP, up to TIMES times; beside an x scaled so, numbers from 2^LARGE on are all that counts. */
#define FAR   (TW_IS_SINGLE ? 40 : 400)
#define LOST  (TW_IS_SINGLE ? 90 : 900)
#define STEP  (TW_IS_SINGLE ? 40 : 400)
#define TIMES (TW_IS_SINGLE ? 3 : 2)
#define LARGE (TW_IS_SINGLE ? 50 : 450)

template <int WIDTH> struct shared {
    T sum[WARPS][WIDTH], gathered[WARPS][WIDTH];              /* of the warps; of every eighth block */
    T total[WIDTH], row[WIDTH];                               /* over all rows; the diagonal's row */
    T gain[WIDTH], take_x[WIDTH];                             /* row j gets gain, a row below loses x_i take_x */
    T products[WIDTH][WIDTH + 1], triangle[WIDTH][WIDTH + 1]; /* V^H V above its diagonal, T; [column][row] */
    T tau[WIDTH], factor;                                     /* v = x factor */
    R beta;
    int exponent[WIDTH]; /* A's columns are 2^exponent times what is worked on */
    int again;
};

/* x 2^e, where 2^e may be out of range; rare */
static __device__ __noinline__ T shifted(T x, int e)
{
#if TW_IS_COMPLEX
    x.x = (R)ldexp((double)x.x, e);
    x.y = (R)ldexp((double)x.y, e);
    return x;
#else
    return (R)ldexp((double)x, e);
#endif
}
static __device__ __forceinline__ R imaginary_part(T a)
{
#if TW_IS_COMPLEX
    return a.y;
#else
    (void)a;
    return 0;
#endif
}
static __device__ __forceinline__ R absolute(R x)
{
    return TW_IS_SINGLE ? (R)fabsf((float)x) : (R)fabs((double)x);
}
/* NaN stays. */
static __device__ __forceinline__ R larger(R a, R b)
{
    return a >= b || a != a ? a : b;
}
static __device__ __forceinline__ R largest_part(T a)
{
    return larger(absolute(real_part(a)), absolute(imaginary_part(a)));
}
/* c + conj(a) b */
static __device__ __forceinline__ T plus_conjugate_product(T c, T a, T b)
{
#if TW_IS_COMPLEX
    c.x += a.x * b.x + a.y * b.y;
    c.y += a.x * b.y - a.y * b.x;
    return c;
#else
    return a * b + c;
#endif
}

/* a + b, or the larger of two reals */
static __device__ __forceinline__ T joined(bool most, T a, T b)
{
    return most ? number(larger(real_part(a), real_part(b))) : sum(a, b);
}

/* Over the eight lanes of a group. Lane r gets column r / (8 / COLUMNS). */
template <int COLUMNS> static __device__ __forceinline__ T folded(bool most, T (&d)[COLUMNS])
{
    const int r = (int)threadIdx.x % 8;
    int bit = 4;
#pragma unroll
    for (int half = COLUMNS / 2; half >= 1; half /= 2) {
        const bool upper = r & bit;
#pragma unroll
        for (int c = 0; c < half; c++) {
            const T sent = upper ? d[c] : d[c + half], kept = upper ? d[c + half] : d[c];
            d[c] = joined(most, kept, crossed(sent, bit));
        }
        bit /= 2;
    }
#pragma unroll
    for (; bit >= 1; bit /= 2)
        d[0] = joined(most, d[0], crossed(d[0], bit));
    return d[0];
}

struct talk {
    struct message *memory;
    unsigned tag;
};

/* Waits for an element whose words have this tag. */
static __device__ __forceinline__ T heard(const struct message *from, unsigned tag)
{
    T x = number(0);
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        struct message m;
        do
            m = get(from + w);
        while (m.tag != tag);
        set_word(&x, w, m.payload);
    }
    return x;
}

/* T(0:j, j) = -tau_j T(0:j, 0:j) V^H v_j: a lane has a row. */
template <int WIDTH> static __device__ void triangle_column(struct shared<WIDTH> *s, int j)
{
    const int i = (int)threadIdx.x % 32;
    T mine = number(0);

    if (i > j) return;
    for (int c = i; c < j; c++)
        mine = sum(mine, product(s->triangle[c][i], s->products[j][c]));
    s->triangle[j][i] = i == j ? s->tau[j] : minus_product(number(0), s->tau[j], mine);
}

/* d, which each thread has of its columns, is put together over all rows: warp 0 finds it in s->total, and the row of
 * the diagonal, row j, in s->row. All threads call this, and have to meet before the next time. */
template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void put_together(struct shared<4 * COLUMNS> *s, const struct part<ROWS, COLUMNS> &p,
                                                    int j, bool most, T (&d)[COLUMNS], struct talk *talk)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, blocks = (int)gridDim.x;
    const int every = 8 / COLUMNS, width = 4 * COLUMNS;
    struct message *step = talk->memory + (size_t)(talk->tag & 1) * TW_PANEL_BLOCKS * TW_PANEL_STEP;
    struct message *slot = step + (size_t)blockIdx.x * TW_PANEL_STEP;
    const T mine = folded(most, d);
    T all = number(0);

    if (lane % every == 0) s->sum[warp][p.column(lane % 8 / every)] = mine;
    if (blockIdx.x == 0 && warp == 0 && j % 8 == lane % 8) { /* where the row of the diagonal is */
        T row[COLUMNS];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                if (p.row + 8 * i == j) row[c] = p.a[i][c];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            s->row[p.column(c)] = row[c];
            for (int w = 0; w < WORDS && blocks > 1; w++)
                put(slot + (width + p.column(c)) * WORDS + w, word_of(row[c], w), talk->tag);
        }
    }
    __syncthreads();
    if (warp == 0 && lane < width) {
        all = s->sum[0][lane];
#pragma unroll
        for (int w = 1; w < WARPS; w++)
            all = joined(most, all, s->sum[w][lane]);
        s->total[lane] = all;
        for (int w = 0; w < WORDS && blocks > 1; w++)
            put(slot + lane * WORDS + w, word_of(all, w), talk->tag);
    }
    if (warp == 1 && blockIdx.x == 0 && j > 0) triangle_column(s, j - 1);
    if (blocks > 1) {
        if (lane < width) {
            T got = number(0);
            for (int b = warp; b < blocks; b += AHEAD * WARPS) {
                const int others = (blocks - b + WARPS - 1) / WARPS;
                struct message m[AHEAD][WORDS]; /* all are asked before one is waited for */
#pragma unroll
                for (int e = 0; e < AHEAD; e++)
                    for (int w = 0; w < WORDS; w++)
                        if (e < others)
                            m[e][w] = get(step + (size_t)(b + e * WARPS) * TW_PANEL_STEP + lane * WORDS + w);
#pragma unroll
                for (int e = 0; e < AHEAD; e++) {
                    T x = number(0);
                    if (e >= others) break;
                    for (int w = 0; w < WORDS; w++) {
                        while (m[e][w].tag != talk->tag)
                            m[e][w] = get(step + (size_t)(b + e * WARPS) * TW_PANEL_STEP + lane * WORDS + w);
                        set_word(&x, w, m[e][w].payload);
                    }
                    got = e == 0 && b == warp ? x : joined(most, got, x);
                }
            }
            s->gathered[warp][lane] = got;
            if (warp == WARPS - 1 && blockIdx.x > 0) s->row[lane] = heard(step + (width + lane) * WORDS, talk->tag);
        }
        talk->tag++;
        __syncthreads();
        if (warp == 0 && lane < width) {
            all = s->gathered[0][lane];
#pragma unroll
            for (int w = 1; w < WARPS; w++)
                if (w < blocks) all = joined(most, all, s->gathered[w][lane]);
            s->total[lane] = all;
        }
    }
    if (warp == 0) __syncwarp();
}

static __device__ __forceinline__ R root(R x)
{
    return TW_IS_SINGLE ? (R)sqrtf((float)x) : (R)sqrt((double)x);
}
static __device__ __forceinline__ R with_sign(R x, R of)
{
    return TW_IS_SINGLE ? (R)copysignf((float)x, (float)of) : (R)copysign((double)x, (double)of);
}

/* Warp 0, a lane a column: the reflector of column j, and what it does to the others. x, and with it the sums, is of
 * the column times 2^shift. */
template <int WIDTH> static __device__ __forceinline__ void reflect(struct shared<WIDTH> *s, int j, int shift)
{
    const int lane = (int)threadIdx.x % 32, k = lane < WIDTH ? lane : 0;
    const R tail = real_part(s->total[j]);
    T alpha = s->row[j], tau = number(0), factor = number(1);
    R beta = real_part(alpha);
    int up = shift; /* of alpha, beta and factor */

    if (shift && largest_part(shifted(alpha, shift)) <= (R)ldexp(1.0, LARGE))
        alpha = shifted(alpha, shift);
    else
        up = 0;
    if (tail != 0 || imaginary_part(alpha) != 0) { /* NaN, too */
        const R re = real_part(alpha), im = imaginary_part(alpha);
        const R norm = shift && !up ? (R)hypot((double)re, (double)im) : root(tail + re * re + im * im);
        beta = -with_sign(norm, re);
        tau = number((beta - re) / beta);
        T difference = number(re - beta);
#if TW_IS_COMPLEX
        tau.y = -im / beta;
        difference.y = im;
#endif
        factor = quotient(number(1), difference);
        if (up)
            beta = (R)ldexp((double)beta, -up);
        else if (shift)
            factor = shifted(factor, -shift);
    }
    /* v^H a_k = a_jk + conj(factor) x^H a_k */
    const T row = s->row[k], total = s->total[k],
            take = k > j ? product(conjugate(tau), sum(row, product(conjugate(factor), total))) : number(0);
    if (lane < WIDTH) {
        s->gain[k] = minus_product(number(0), number(1), take);
        s->take_x[k] = product(factor, take);
        if (k < j) s->products[j][k] = sum(conjugate(row), product(conjugate(total), factor));
    }
    if (lane == 0) {
        s->tau[j] = tau;
        s->factor = factor;
        s->beta = beta;
    }
}

/* s->exponent, and A's columns scaled by it. */
template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void scale_columns(struct shared<4 * COLUMNS> *s, struct part<ROWS, COLUMNS> &p,
                                                     struct talk *talk)
{
    T d[COLUMNS];
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        R most = 0;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            most = larger(most, largest_part(p.a[i][c]));
        d[c] = number(most);
    }
    put_together(s, p, 0, true, d, talk);
    if (threadIdx.x < 4 * COLUMNS) {
        const double most = (double)real_part(s->total[threadIdx.x]);
        const int e = most > 0 && isfinite(most) ? ilogb(most) : 0;
        s->exponent[threadIdx.x] = e < -FAR || e > FAR ? e : 0;
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const int e = s->exponent[p.group + 4 * c];
        if (e == 0) continue;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            p.a[i][c] = shifted(p.a[i][c], -e);
    }
}

template <int ROWS, int COLUMNS>
static __device__ __forceinline__ void multiply(const struct part<ROWS, COLUMNS> &p, const T (&x)[ROWS],
                                                T (&d)[COLUMNS])
{
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        d[c] = number(0);
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            d[c] = plus_conjugate_product(d[c], x[i], p.a[i][c]);
    }
}

template <int ROWS, int COLUMNS>
static __global__ void __launch_bounds__(THREADS, 1)
    qr_panel_kernel(int first, int m, int n, T *a, int64_t lda, T *r, int64_t ldr, T *tau, T *t, int64_t ldt,
                    struct message *memory, unsigned tag)
{
    extern __shared__ char bytes[];
    struct shared<4 *COLUMNS> &s = *(struct shared<4 * COLUMNS> *)bytes;
    struct talk talk = {memory, tag};
    struct part<ROWS, COLUMNS> p;
    const int lane = (int)threadIdx.x % 32, k = m < n ? m : n;
    T *below = a + first;
    const R least = (R)ldexp(1.0, -LOST);

    p.load(m, n, below, lda);
    scale_columns(&s, p, &talk);

#pragma unroll 1
    for (int top = 0; top < n; top += 4) {
#pragma unroll 1
        for (int j = top; j < top + 4 && j < k; j++) {
            const int owner = j - top;
            T x[ROWS], d[COLUMNS];

#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                const T mine = shuffled(p.a[i][0], lane % 8 + 8 * owner);
                x[i] = p.row + 8 * i > j ? mine : number(0);
            }
#pragma unroll 1
            for (int shift = 0;; shift += STEP) {
                multiply(p, x, d);
                if (shift && p.group == owner) { /* x^H x, both of them scaled */
                    d[0] = number(0);
#pragma unroll
                    for (int i = 0; i < ROWS; i++)
                        d[0] = plus_conjugate_product(d[0], x[i], x[i]);
                }
                put_together(&s, p, j, false, d, &talk);
                if (threadIdx.x < 32) {
                    const bool again = real_part(s.total[j]) < least && shift < TIMES * STEP;
                    if (lane == 0) s.again = again;
                    if (!again) reflect(&s, j, shift);
                }
                __syncthreads();
                if (!s.again) break;
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    x[i] = shifted(x[i], STEP);
            }

            /* Columns that are done lose nothing, or become NaN where nothing looks. */
            const T factor = s.factor;
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                d[c] = s.take_x[p.column(c)];
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                if (p.row + 8 * i > j && p.group == owner) p.a[i][0] = product(x[i], factor);
                if (p.row + 8 * i > j && p.group > owner) p.a[i][0] = minus_product(p.a[i][0], x[i], d[0]);
#pragma unroll
                for (int c = 1; c < COLUMNS; c++)
                    p.a[i][c] = minus_product(p.a[i][c], x[i], d[c]);
            }
            if (blockIdx.x == 0 && threadIdx.x < 32 && j % 8 == lane % 8) {
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    if (p.row + 8 * i == j) {
                        if (p.group == owner) p.a[i][0] = number(s.beta);
                        if (p.group > owner) p.a[i][0] = sum(p.a[i][0], s.gain[p.column(0)]);
#pragma unroll
                        for (int c = 1; c < COLUMNS; c++)
                            p.a[i][c] = sum(p.a[i][c], s.gain[p.column(c)]);
                    }
            }
        }
        const int column = p.group + top, e = s.exponent[column];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int row = p.row + 8 * i;
            if (row >= m || column >= n) continue;
            below[row + column * lda] = row > column ? p.a[i][0] : number(row == column);
            if (row <= column) r[first + row + column * ldr] = e ? shifted(p.a[i][0], e) : p.a[i][0];
        }
        p.turn();
    }

    for (int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x; e < (int64_t)first * n;
         e += (int64_t)gridDim.x * THREADS) {
        const int64_t i = e % first, j = e / first;
        r[i + j * ldr] = a[i + j * lda];
        a[i + j * lda] = number(0);
    }
    if (blockIdx.x > 0 || threadIdx.x >= 32) return;
    triangle_column(&s, k - 1);
    __syncwarp();
    if (lane < k) {
        tau[lane] = s.tau[lane];
        for (int j = 0; j < k; j++)
            t[lane + j * ldt] = lane <= j ? s.triangle[j][lane] : number(0);
    }
}

/* ---- calls ---- */

int CUDA(qr_panel_width)(int m, int blocks)
{
    return panel_width(m, blocks);
}

int CUDA(qr_panel)(const struct tw_cuda *q, int first, int m, int n, T *a, int lda, T *r, int ldr, T *tau, T *t,
                   int ldt, int blocks, struct tw_panel_talk *talk)
{
    const bool more = blocks_for(m, MANY) > blocks;
    const unsigned tag = talk->tag;

    talk->tag += (TIMES + 1) * (unsigned)n + 1;
    return launch_together(TW_CALL_geqrf, q, blocks_for(m, more ? 2 * MANY : MANY),
                           more ? sizeof(struct shared<2 * FEW>) : sizeof(struct shared<4 * FEW>),
                           more ? qr_panel_kernel<2 * MANY, FEW / 2> : qr_panel_kernel<MANY, FEW>, first, m, n, a,
                           (int64_t)lda, r, (int64_t)ldr, tau, t, (int64_t)ldt, (struct message *)talk->memory, tag);
}
