/* The CUDA kernels that solve a panel with an inverse, against the CPU's: factor, inverse, condition, and solves with
 * well and badly conditioned triangles. Skipped where there is no GPU. */
#include "kernels/tiles.h"

#ifndef TILEWORK_CUDA
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#else
#include <cublas_v2.h>
#include "cuda_ok.h"
#include <cusolverDn.h>
#include "kernels/dense/cuda/dense_cuda.h"

static struct tw_cuda q;
static const int orders[] = {8, 31, 64, 65, 128, 192, 200, 320, 530};
#define NORDERS ((int)(sizeof orders / sizeof orders[0]))

#define KERNEL_OK(call)                                                                                                \
    do {                                                                                                               \
        int s_ = (call);                                                                                               \
        if (s_ != 0) fail_msg("%s", tw_cuda_status_text(s_));                                                          \
    } while (0)

static void *on_gpu(const struct tile *a)
{
    void *d = NULL;
    CUDA_OK(cudaMalloc(&d, tile_bytes(a)));
    CUDA_OK(cudaMemcpy(d, a->p, tile_bytes(a), cudaMemcpyHostToDevice));
    CUDA_OK(cudaDeviceSynchronize());
    return d;
}

static void back(struct tile *a, void *d)
{
    CUDA_OK(cudaStreamSynchronize((cudaStream_t)q.stream));
    CUDA_OK(cudaMemcpy(a->p, d, tile_bytes(a), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaFree(d));
}

/* A = L L^H or U^H U of a factor whose diagonal falls from 1 to `smallest`; only the triangle is set. */
static struct tile with_factor(enum tw_type t, char uplo, int n, double smallest)
{
    struct tile f = tile_new(t, n, n, 0), a = tile_new(t, n, n, 3);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            put(&f, i, j, i == j ? pow(smallest, (double)j / n) : random_value(t) * pow(smallest, (double)j / n) / n);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            zz sum = 0;
            for (int k = 0; k <= j; k++)
                sum += get(&f, i, k) * ~get(&f, j, k);
            if (uplo == 'L')
                put(&a, i, j, sum);
            else
                put(&a, j, i, ~sum);
        }
    tile_free(&f);
    return a;
}

static float condition_of(const struct tile *m)
{
    const char *corner = m->p + (size_t)(m->n - 1) * (size_t)m->ld * tw_sizeof(m->type);
    float a, b;
    memcpy(&a, corner, sizeof a);
    memcpy(&b, corner + tw_sizeof(m->type), sizeof b);
    return a * b;
}

/* Factor and inverse in tiles a and m (new), B solved in place: all on the GPU. */
static void solve_on_gpu(char uplo, struct tile *a, struct tile *m, struct tile *b)
{
    const struct tw_cuda_kernels *k = tw_cuda_kernels[a->type];
    const int n = a->n;
    int64_t info = 0;
    size_t bytes;
    void *da = on_gpu(a), *dm = on_gpu(m), *db = on_gpu(b), *di, *work, *copy;

    KERNEL_OK(k->potrf_inverse_work(&q, uplo, n, &bytes));
    CUDA_OK(cudaMalloc(&work, bytes));
    CUDA_OK(cudaMalloc(&copy, (size_t)b->m * (size_t)b->n * tw_sizeof(b->type)));
    CUDA_OK(cudaMalloc(&di, sizeof info));
    CUDA_OK(cudaMemset(di, 0, sizeof info));
    CUDA_OK(cudaDeviceSynchronize());
    KERNEL_OK(k->potrf_inverse(&q, uplo, n, da, a->ld, dm, m->ld, work, bytes, di, 0));
    KERNEL_OK(k->trsm_inverse(&q, uplo, b->m, b->n, da, a->ld, dm, m->ld, db, b->ld, copy));
    back(b, db), back(m, dm), back(a, da);
    CUDA_OK(cudaMemcpy(&info, di, sizeof info, cudaMemcpyDeviceToHost));
    assert_int_equal(info, 0);
    CUDA_OK(cudaFree(di));
    CUDA_OK(cudaFree(copy));
    CUDA_OK(cudaFree(work));
}

/* Largest element of B - X L^H (or B - U^H X), over that of |X| |L|. */
static double residual(char uplo, const struct tile *f, const struct tile *x, const struct tile *b)
{
    double worst = 0, scale = 0;
    for (int j = 0; j < b->n; j++)
        for (int i = 0; i < b->m; i++) {
            zz sum = get(b, i, j);
            double sizes_sum = 0;
            const int row = uplo == 'L' ? j : i;
            for (int k = 0; k <= row; k++) {
                zz l = uplo == 'L' ? ~get(f, row, k) : ~get(f, k, row), v = uplo == 'L' ? get(x, i, k) : get(x, k, j);
                sum -= l * v;
                sizes_sum += size_of(l) * size_of(v);
            }
            worst = fmax(worst, size_of(sum)), scale = fmax(scale, sizes_sum);
        }
    return worst / scale;
}

static void panel(void **state)
{
    (void)state;
    FOR_TYPES(t)
        for (int u = 0; u < 2; u++)
            for (int s = 0; s < NORDERS; s++)
                for (int ill = 0; ill < 2; ill++) {
                    const int n = orders[s], other = orders[(s * 5 + 3) % NORDERS];
                    const char uplo = "LU"[u];
                    struct tile a = with_factor(t, uplo, n, ill ? (tw_is_single(t) ? 1e-3 : 1e-6) : 0.5), f;
                    struct tile m = tile_new(t, n, n, 5), want = tile_new(t, n, n, 5);
                    struct tile b = tile_new(t, uplo == 'L' ? other : n, uplo == 'L' ? n : other, 2), x;
                    randomise(&b, 'G');
                    keep(&a), keep(&m), keep(&b);
                    x = tile_copy(&b), f = tile_copy(&a);
                    solve_on_gpu(uplo, &f, &m, &x);
                    untouched(&f, uplo), untouched(&m, 'G'), untouched(&x, 'G');
                    assert_int_equal(tw_cpu_kernels[t]->potrf_inverse(uplo, n, a.p, a.ld, want.p, want.ld), 0);
                    assert_true(fabsf(condition_of(&m) / condition_of(&want) - 1) < (ill ? 0.1f : 1e-3f));
                    assert_true(!ill || condition_of(&m) > (float)n); /* so that refinement is what is tested */
                    const double r = residual(uplo, &f, &x, &b);
                    if (!(r <= 8 * (n + 8) * eps_of(t)))
                        fail_msg("type %c, '%c', order %d, %s: the residual of a panel's solve is %g", tw_letter(t),
                                 uplo, n, ill ? "ill-conditioned" : "well-conditioned", r);
                    for (int j = 0; !ill && j < n; j++)
                        for (int i = 0; i < n; i++) {
                            if (j == n - 1 && i < 2) continue; /* the condition */
                            if (!(size_of(get(&m, i, j) - get(&want, i, j)) <= 64 * (n + 8) * eps_of(t)))
                                fail_msg("type %c, '%c', order %d: inverse at (%d, %d)", tw_letter(t), uplo, n, i, j);
                        }
                    tile_free(&a), tile_free(&f), tile_free(&m), tile_free(&want), tile_free(&b), tile_free(&x);
                }
}

/* Entries so small that the norms leave the range of float: the decision to refine must not be lost with them. */
static void beyond_float(void **state)
{
    (void)state;
    for (int u = 0; u < 2; u++)
        for (int complex_type = 0; complex_type < 2; complex_type++) {
            const enum tw_type t = complex_type ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
            const int n = 200;
            const char uplo = "LU"[u];
            struct tile a = with_factor(t, uplo, n, 1e-6), m = tile_new(t, n, n, 5), b = tile_new(t, n, n, 2), x;
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    if (in_part(uplo, i, j)) put(&a, i, j, get(&a, i, j) * 1e-140);
            randomise(&b, 'G');
            keep(&a), keep(&m), keep(&b);
            x = tile_copy(&b);
            solve_on_gpu(uplo, &a, &m, &x);
            assert_false(condition_of(&m) <= (float)n);
            const double r = residual(uplo, &a, &x, &b);
            if (!(r <= 8 * (n + 8) * eps_of(t))) fail_msg("type %c, '%c': the residual is %g", tw_letter(t), uplo, r);
            tile_free(&a), tile_free(&m), tile_free(&b), tile_free(&x);
        }
}

static int have_gpu(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

static int setup(void **state)
{
    static cudaStream_t stream;
    static cublasHandle_t blas;
    static cusolverDnHandle_t solver;
    (void)state;
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    assert_int_equal(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cublasSetStream(blas, stream), CUBLAS_STATUS_SUCCESS);
    assert_int_equal(cusolverDnCreate(&solver), CUSOLVER_STATUS_SUCCESS);
    assert_int_equal(cusolverDnSetStream(solver, stream), CUSOLVER_STATUS_SUCCESS);
    q = (struct tw_cuda){stream, blas, solver};
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(panel), cmocka_unit_test(beyond_float)};
    if (!have_gpu()) {
        printf("skipped: no GPU\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, setup, NULL);
}
#endif
