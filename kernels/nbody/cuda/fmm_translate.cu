/* Translations as products of matrices. All pairs (target cell, source cell) of one way, a direction of M2L or a child
 * of M2M and L2L, are the rows of one product with that way's dense matrix: E_target += matrix E_source. Ways follow
 * one another, so that a target has one writer at a time.
 *
 * The pairs are listed on the device: first counted by way and block of cells, then numbered, then written, so that
 * their order is always the same. The dense matrices are made from the tables of the CPU's rotations and shifts (or
 * powers, in the plane) when they are needed. */
#include "kernels/nbody/cuda/fmm_local.cuh"
#include "kernels/ptx.cuh"

namespace
{

/* ---- dense matrices ---------------------------------------------------------------------------------------------- */

constexpr int ROWS = 80; /* of the matrix, per block of the product */

__host__ __device__ __forceinline__ int padded(int stride)
{
    return (stride + ROWS - 1) / ROWS * ROWS;
}

/* sum over mu of R_j[mu][k] shift_mu[j][l] R_l[mu][m]: turn, shift, turn back of the cosines (sine = 0) or sines
 * (1). */
__device__ double middle(const struct tw_gpu_tables &t, const double *rotation, const double *shift, int sine, int j,
                         int k, int l, int m)
{
    const int *turn = t.integer + (sine ? t.turn_s : t.turn_c), *shift_at = t.integer + t.shift_at,
              wj = sine ? j : j + 1, wl = sine ? l : l + 1;
    const double *J = rotation + turn[j] + k - sine, *K = rotation + turn[l] + m - sine;
    double sum = 0;
    for (int mu = sine; mu <= j && mu <= l; mu++)
        sum += J[(mu - sine) * wj] * shift[shift_at[mu] + (j - mu) * (t.p - mu + 1) + l - mu] * K[(mu - sine) * wl];
    return sum;
}

/* Which ways, of which level; shifts: Laplace's, or one level of Yukawa's, in which `shift` >= 0 is the one of all
 * ways. */
struct Ways {
    int first, shift;
    const double *shifts, *side; /* side: of the tree */
    int level;
    /* NULL, or where the pairs of a way begin (of way w at w nblocks): a way without pairs needs no matrix */
    const int *pairs;
    int nblocks;
};

/* Element (row, column) of way first + blockIdx.z; the azimuth mixes cosines and sines on both sides. */
__global__ void make_matrices(const struct tw_gpu_tables t, const Ways ways, double *matrix)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    const int *way = t.integer + t.way + 6 * (ways.first + blockIdx.z), *degree = t.integer + t.degree;
    const double *rotation = t.number + t.rotation + (size_t)way[3] * t.turn_total,
                 *shift = ways.shifts + (size_t)(ways.shift >= 0 ? ways.shift : way[4]) * t.shift_total,
                 *cosine = t.number + t.cosine + way[5] * (t.p + 1), *sine = t.number + t.sine + way[5] * (t.p + 1);
    double value = 0;

    if (column >= t.stride) return;
    if (ways.pairs) {
        const int *pairs = ways.pairs + (size_t)(ways.first + blockIdx.z) * ways.nblocks;
        if (pairs[0] == pairs[ways.nblocks]) return;
    }
    if (row < t.nc && column < t.nc) {
        const int j = degree[row], l = degree[column], out = row - j * j > j, in = column - l * l > l,
                  k = row - j * j - out * j, m = column - l * l - in * l;
        const double both[2] = {middle(t, rotation, shift, 0, j, k, l, m),
                                k && m ? middle(t, rotation, shift, 1, j, k, l, m) : 0};
        /* Turned into the plane: (c, s) -> (a c + b s, a s - b c); back: (a c - b s, a s + b c). */
        const double c_in = in ? sine[m] : cosine[m], s_in = in ? cosine[m] : -sine[m];
        value = out ? cosine[k] * both[1] * s_in + sine[k] * both[0] * c_in
                    : cosine[k] * both[0] * c_in - sine[k] * both[1] * s_in;
    }
    matrix[((size_t)blockIdx.z * padded(t.stride) + row) * t.stride + column] = value;
}

/* The plane: result_l = out^l sum_k A_lk in^k source_k with complex numbers in and out; a coefficient is its real part
 * and, `half` farther, its imaginary part. M2L adds a_0 times the logarithm of the distance in the caller's units to
 * b_0. */
__global__ void make_plane_matrices(const struct tw_gpu_tables t, const Ways ways, double *matrix)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, n = t.p + 1;
    const int *way = t.integer + t.way + 6 * (ways.first + blockIdx.z), kind = way[3];
    double value = 0;

    if (column >= t.stride) return;
    const int l = row % t.half, k = column % t.half, row_part = row / t.half, column_part = column / t.half;
    if (row_part < 2 && l < n && k < n) {
        const double *out = t.number + t.plane_out[kind] + 2 * (way[4] * n + l),
                     *in = t.number + t.plane_in[kind] + 2 * (way[4] * n + k),
                     A = t.number[t.plane_A[kind] + l * n + k], re = A * (out[0] * in[0] - out[1] * in[1]),
                     im = A * (out[0] * in[1] + out[1] * in[0]);
        value = row_part == column_part ? re : row_part ? im : -im;
        if (kind == 0 && row == 0 && column == 0)
            value += log(*ways.side / (double)(1 << ways.level) * sqrt((double)(way[0] * way[0] + way[1] * way[1])));
    }
    matrix[((size_t)blockIdx.z * padded(t.stride) + row) * t.stride + column] = value;
}

/* Counting: the number is passed on. */
__global__ void make_counting_matrices(const struct tw_gpu_tables t, double *matrix)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column >= t.stride) return;
    matrix[((size_t)blockIdx.z * padded(t.stride) + row) * t.stride + column] = row == 0 && column == 0;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

enum Kind { M2L, M2M, L2L };

struct Pairs {
    const struct tw_gpu_cell *cell;
    const int *near, *way; /* ways of this kind, 6 integers each */
    enum Kind kind;
    int nways, begin, end, nblocks; /* target cells; blocks of TW_GPU_PAIR_CELLS of them */
    int *count;                     /* nways x nblocks, and the total */
    int2 *pair;
};

/* Whose expansion the target gets by this way, or -1. */
__device__ __forceinline__ int partner(const Pairs &p, int target, const int way[3])
{
    const struct tw_gpu_cell *a = &p.cell[target];
    if (p.kind == M2M) {
        const int child = child_at(a, way[0]);
        return child >= 0 && sources_of(&p.cell[child]) > 0 ? child : -1;
    }
    if (targets_of(a) == 0 || a->parent < 0) return -1;
    if (p.kind == L2L) return ((a->at[0] & 1) << 2 | (a->at[1] & 1) << 1 | (a->at[2] & 1)) == way[0] ? a->parent : -1;
    const struct tw_gpu_cell *parent = &p.cell[a->parent];
    const int x = a->at[0] - way[0], y = a->at[1] - way[1], z = a->at[2] - way[2], dx = (x >> 1) - parent->at[0] + 1,
              dy = (y >> 1) - parent->at[1] + 1, dz = (z >> 1) - parent->at[2] + 1;
    if (dx < 0 || dx > 2 || dy < 0 || dy > 2 || dz < 0 || dz > 2) return -1;
    const int who = p.near[(size_t)27 * a->parent + 9 * dx + 3 * dy + dz];
    if (who < 0 || is_leaf(&p.cell[who])) return -1;
    const int child = child_at(&p.cell[who], (x & 1) << 2 | (y & 1) << 1 | (z & 1));
    return child >= 0 && sources_of(&p.cell[child]) > 0 ? child : -1;
}

/* One thread per way, one block of threads per block of cells. */
template <bool WRITE> __global__ void find_pairs(const Pairs p)
{
    const int w = threadIdx.x, begin = p.begin + blockIdx.x * TW_GPU_PAIR_CELLS,
              end = min(begin + TW_GPU_PAIR_CELLS, p.end);
    if (w >= p.nways) return;
    const int way[3] = {p.way[6 * w], p.way[6 * w + 1], p.way[6 * w + 2]};
    int *count = p.count + (size_t)w * p.nblocks + blockIdx.x, n = WRITE ? *count : 0;
    for (int c = begin; c < end; c++) {
        const int from = partner(p, c, way);
        if (from < 0) continue;
        if (WRITE) p.pair[n] = make_int2(c, from);
        n++;
    }
    if (!WRITE) *count = n;
}

__global__ void __launch_bounds__(SCAN) number_pairs(int *count, int n)
{
    scan(count, n);
}

/* ---- the product ------------------------------------------------------------------------------------------------- */

constexpr int PAIRS = 128, DEPTH = 8, PAD = 12, STAGES = 5, THREADS = 128; /* PAD: 8 rows apart are other banks */
constexpr int WARP_PAIRS = 64, WARP_ROWS = 40, A = WARP_PAIRS / 16, B = WARP_ROWS / 8;
constexpr size_t STAGE = (size_t)(PAIRS + ROWS) * PAD, PRODUCT = STAGES * STAGE * sizeof(double);

/* to[target][row] += sum_k matrix[row][k] from[source][k] for the pairs from *range on. Rows of `from` and `to`: stride
 * numbers, a multiple of 8. A block has 128 pairs and 80 rows, its four warps 64 x 40 each. */
__global__ void __launch_bounds__(THREADS, 2) multiply(const int *begin, const int *end, const int2 *pair,
                                                       const double *matrix, int stride, const double *from, double *to)
{
    TW_DYNAMIC_SHARED(stage);
    const int first = *begin + blockIdx.x * PAIRS, n = min(*end - first, PAIRS), row0 = blockIdx.y * ROWS,
              thread = threadIdx.x, lane = thread % 32, warp = thread / 32, steps = stride / DEPTH;
    if (n <= 0) return;

    /* 16 bytes at a time: 4 per row and step. This thread's rows of A are thread / 4 + 32 i. */
    const double *a_from[PAIRS / 32];
    const int piece = thread % 4 * 2;
    for (int i = 0; i < PAIRS / 32; i++) {
        const int r = thread / 4 + 32 * i;
        a_from[i] = r < n ? from + (size_t)pair[first + r].y * stride + piece : NULL;
    }
    auto load = [&](int step) {
        double *to_a = stage + (step % STAGES) * STAGE, *to_b = to_a + PAIRS * PAD;
        if (step < steps) {
            for (int i = 0; i < PAIRS / 32; i++)
                copy_async(to_a + (thread / 4 + 32 * i) * PAD + piece, a_from[i] ? a_from[i] + step * DEPTH : from,
                           a_from[i] != NULL);
            for (int r = thread / 4; r < ROWS; r += 32)
                copy_async(to_b + r * PAD + piece, matrix + (size_t)(row0 + r) * stride + step * DEPTH + piece, true);
        }
        copy_commit();
    };

    /* The sums start from what is there: those loads overlap the first steps' ones. */
    double c[A][B][4] = {};
    double *out[A][2];
    const int pairs0 = warp / 2 * WARP_PAIRS, rows0 = warp % 2 * WARP_ROWS, r = lane / 4, k = lane % 4;
    for (int s = 0; s < STAGES - 1; s++)
        load(s);
#pragma unroll
    for (int i = 0; i < A; i++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int which = pairs0 + 16 * i + 8 * half + r;
            out[i][half] = which < n ? to + (size_t)pair[first + which].x * stride + row0 + rows0 + 2 * k : NULL;
#pragma unroll
            for (int j = 0; j < B; j++) {
                if (!out[i][half] || row0 + rows0 + 8 * j + 2 * k >= stride) continue;
                const double2 value = *(const double2 *)(out[i][half] + 8 * j);
                c[i][j][2 * half] = value.x;
                c[i][j][2 * half + 1] = value.y;
            }
        }
    for (int step = 0; step < steps; step++) {
        copy_wait<STAGES - 2>();
        __syncthreads();
        load(step + STAGES - 1);
        const double *sa = stage + (step % STAGES) * STAGE + (pairs0 + r) * PAD + k,
                     *sb = stage + (step % STAGES) * STAGE + (PAIRS + rows0 + r) * PAD + k;
        double b[B][2];
#pragma unroll
        for (int j = 0; j < B; j++)
            b[j][0] = sb[8 * j * PAD], b[j][1] = sb[8 * j * PAD + 4];
#pragma unroll
        for (int i = 0; i < A; i++) {
            const double a[4] = {sa[16 * i * PAD], sa[(16 * i + 8) * PAD], sa[16 * i * PAD + 4],
                                 sa[(16 * i + 8) * PAD + 4]};
#pragma unroll
            for (int j = 0; j < B; j++)
                multiply_add(c[i][j], a, b[j]);
        }
    }
#pragma unroll
    for (int i = 0; i < A; i++)
#pragma unroll
        for (int half = 0; half < 2; half++)
#pragma unroll
            for (int j = 0; j < B; j++)
                if (out[i][half] && row0 + rows0 + 8 * j + 2 * k < stride)
                    *(double2 *)(out[i][half] + 8 * j) = make_double2(c[i][j][2 * half], c[i][j][2 * half + 1]);
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

/* List the pairs of target cells [begin, end). */
int list(const struct tw_cuda *q, const struct tw_gpu_fmm *f, enum Kind kind, int begin, int end, Pairs *p)
{
    const int m2l = f->t.nm2l, first = kind == M2L ? 0 : m2l + (kind == L2L ? 8 : 0), nways = kind == M2L ? m2l : 8;
    const unsigned threads = kind == M2L ? 320 : 32;
    int e;

    *p = Pairs{f->cell,
               f->near,
               f->t.integer + f->t.way + 6 * first,
               kind,
               nways,
               begin,
               end,
               (end - begin + TW_GPU_PAIR_CELLS - 1) / TW_GPU_PAIR_CELLS,
               f->count,
               (int2 *)f->pair};
    if ((e = launch(q, (unsigned)p->nblocks, threads, 0, find_pairs<false>, *p))) return e;
    if ((e = launch(q, 1, SCAN, 0, number_pairs, p->count, nways * p->nblocks))) return e;
    return launch(q, (unsigned)p->nblocks, threads, 0, find_pairs<true>, *p);
}

/* Way w of the listed ones, with its matrix. most: pairs there can be. */
int product(const struct tw_cuda *q, const struct tw_gpu_fmm *f, const Pairs &p, int w, const double *matrix,
            const double *from, double *to)
{
    const size_t shared = PRODUCT;
    const int *begin = p.count + (size_t)w * p.nblocks;
    cudaError_t e = cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);

    if (e != cudaSuccess) return fmm_status(e);
    return launch(q, dim3(blocks(p.end - p.begin, PAIRS), (unsigned)(padded(f->t.stride) / ROWS)), THREADS, shared,
                  multiply, begin, begin + p.nblocks, (const int2 *)p.pair, matrix, f->t.stride, from, to);
}

/* `count` matrices from way `first` on; level: of the cells, of M2M and L2L of the children, where translations depend
 * on it. p: NULL, or the pairs that they are for. */
int matrices(const struct tw_cuda *q, const struct tw_gpu_fmm *f, int first, int count, int level, const Pairs *p)
{
    const struct tw_gpu_tables *t = &f->t;
    const dim3 grid(blocks(t->stride, 128), (unsigned)padded(t->stride), (unsigned)count);
    Ways ways = {first, -1, t->number + t->shift, &f->info->side, level, p ? p->count : NULL, p ? p->nblocks : 0};

    if (f->kind == TW_GPU_COUNTING) return launch(q, grid, 128, 0, make_counting_matrices, *t, f->matrix);
    if (f->kind == TW_GPU_PLANE) return launch(q, grid, 128, 0, make_plane_matrices, *t, ways, f->matrix);
    if (f->kind == TW_GPU_YUKAWA) {
        ways.shifts = f->levels + (size_t)(level - f->top) * (size_t)(t->nshifts + 2) * (size_t)t->shift_total;
        if (first >= t->nm2l) ways.shift = t->nshifts + (first >= t->nm2l + 8);
    }
    return launch(q, grid, 128, 0, make_matrices, *t, ways, f->matrix);
}

/* M2M into the cells of a level, or L2L: the eight ways, whose matrices are there. */
int family(const struct tw_cuda *q, const struct tw_gpu_fmm *f, enum Kind kind, int level)
{
    double *E = kind == M2M ? f->M : f->L;
    Pairs p;
    int e = list(q, f, kind, f->level_at[level], f->level_at[level + 1], &p);
    for (int w = 0; w < 8 && !e; w++)
        e = product(q, f, p, w, (const double *)((const char *)f->matrix + w * tw_gpu_matrix_bytes(&f->t)), E, E);
    return e;
}

/* M2L into cells [begin, end), which have the same matrices (those of `level`, where it matters). */
int separated(const struct tw_cuda *q, const struct tw_gpu_fmm *f, int begin, int end, int level)
{
    const size_t one = tw_gpu_matrix_bytes(&f->t), room = f->matrix_bytes / one;
    const int ways = f->t.nm2l, batch = room < (size_t)ways ? (int)room : ways, most = (int)f->pair_cells;
    int e = 0;

    for (; begin < end && !e; begin += most) {
        Pairs p;
        e = list(q, f, M2L, begin, begin + most < end ? begin + most : end, &p);
        for (int w = 0; w < ways && !e; w++) {
            if (w % batch == 0) e = matrices(q, f, w, batch < ways - w ? batch : ways - w, level, &p);
            if (!e)
                e = product(q, f, p, w, (const double *)((const char *)f->matrix + (size_t)(w % batch) * one), f->M,
                            f->L);
        }
    }
    return e;
}

int by_level(const struct tw_gpu_fmm *f)
{
    return f->kind == TW_GPU_YUKAWA || f->kind == TW_GPU_PLANE;
}

} /* namespace */

extern "C" size_t tw_gpu_shared_bytes(int nf, int stride)
{
    const size_t fields = (size_t)nf * (size_t)stride * sizeof(double);
    return fields > PRODUCT ? fields : PRODUCT;
}

extern "C" size_t tw_gpu_matrix_bytes(const struct tw_gpu_tables *t)
{
    return (size_t)padded(t->stride) * (size_t)t->stride * sizeof(double);
}

extern "C" size_t tw_gpu_count_bytes(int cells, size_t pair_cells)
{
    const size_t pairs = TW_GPU_M2L * (pair_cells / TW_GPU_PAIR_CELLS + 1) + 1, tree = (size_t)cells + 16;
    return (pairs > tree ? pairs : tree) * sizeof(int);
}
/* A cell has at most 189 partners in M2L, a level at most as many parents and children as there are cells. */
extern "C" size_t tw_gpu_pair_bytes(int cells, size_t pair_cells)
{
    const size_t pairs = 189 * pair_cells, level = (size_t)cells;
    return (pairs > level ? pairs : level) * sizeof(int2);
}

extern "C" int tw_gpu_up(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    int e = tw_gpu_p2m(q, f);
    for (int level = f->depth - 1; level >= f->top && !e; level--) {
        if (level == f->depth - 1 || f->kind == TW_GPU_YUKAWA) e = matrices(q, f, f->t.nm2l, 8, level + 1, NULL);
        if (!e) e = family(q, f, M2M, level);
    }
    return e || f->space.side <= 0 ? e : tw_gpu_to_first(q, f);
}

/* Lengths are in units of a cell's side: where that makes the matrices the same for all levels, all at once. Of a
 * periodic tree the first two levels are the host's. */
extern "C" int tw_gpu_m2l(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    const int first = f->top < 2 ? 2 : f->top;
    int e = fmm_status(
        cudaMemsetAsync(f->L, 0, (size_t)f->ncells * (size_t)f->t.stride * sizeof(double), (cudaStream_t)q->stream));

    if (e || f->depth < first) return e;
    if (!by_level(f)) return separated(q, f, f->level_at[first], f->ncells, first);
    for (int level = first; level <= f->depth && !e; level++)
        e = separated(q, f, f->level_at[level], f->level_at[level + 1], level);
    return e;
}

extern "C" int tw_gpu_down(const struct tw_cuda *q, const struct tw_gpu_fmm *f)
{
    int e = tw_gpu_p2l(q, f);
    if (!e && f->space.side > 0) e = tw_gpu_from_first(q, f);
    for (int level = f->top + 1; level <= f->depth && !e; level++) {
        if (level == f->top + 1 || f->kind == TW_GPU_YUKAWA) e = matrices(q, f, f->t.nm2l + 8, 8, level, NULL);
        if (!e) e = family(q, f, L2L, level);
    }
    return e;
}
