/* The index arithmetic of the CUDA kernels, run for every thread of a grid on the CPU: the transposing store reads and
 * writes every element once, to the right place, and consecutive threads touch consecutive addresses. */
#include "reference.h"
#include "kernels/fft/cuda/nest.h"

static void transpose(tw_int n, tw_int w, tw_int i0, tw_int i1, tw_int ldd)
{
    double *src = malloc(sizeof *src * (size_t)(n * w)), *dst = malloc(sizeof *dst * (size_t)(w * ldd));
    int *reads = calloc((size_t)(n * w), sizeof *reads), *writes = calloc((size_t)(w * ldd), sizeof *writes);
    tw_int tiles_i = (i1 - i0 + TW_FFT_TILE - 1) / TW_FFT_TILE, tiles_j = (w + TW_FFT_TILE - 1) / TW_FFT_TILE;

    for (tw_int k = 0; k < n * w; k++)
        src[k] = (double)k;
    for (tw_int t = 0; t < tiles_i * tiles_j; t++) {
        double tile[TW_FFT_TILE][TW_FFT_TILE + 1];
        for (int phase = 0; phase < 2; phase++)
            for (int ty = 0; ty < TW_FFT_TILE_ROWS; ty++)
                for (int step = 0; step < TW_FFT_TILE; step += TW_FFT_TILE_ROWS) {
                    tw_int before = -1;
                    for (int tx = 0; tx < TW_FFT_TILE; tx++) {
                        struct tw_fft_at a = phase == 0 ? tw_fft_tile_load(t / tiles_j, t % tiles_j, tx, ty, step)
                                                        : tw_fft_tile_store(t / tiles_j, t % tiles_j, tx, ty, step);
                        tw_int at = phase == 0 ? (i0 + a.i) * w + a.j : a.j * ldd + a.i;
                        assert_in_range(a.row, 0, TW_FFT_TILE - 1);
                        assert_in_range(a.column, 0, TW_FFT_TILE - 1);
                        if (i0 + a.i >= i1 || a.j >= w) continue;
                        if (phase == 0)
                            tile[a.row][a.column] = src[at], reads[at]++;
                        else
                            dst[at] = tile[a.row][a.column], writes[at]++;
                        assert_true(before < 0 || at == before + 1);
                        before = at;
                    }
                }
    }
    for (tw_int i = 0; i < n; i++)
        for (tw_int j = 0; j < w; j++)
            assert_int_equal(reads[i * w + j], i >= i0 && i < i1);
    for (tw_int j = 0; j < w; j++)
        for (tw_int i = 0; i < ldd; i++) {
            assert_int_equal(writes[j * ldd + i], i < i1 - i0);
            if (i < i1 - i0) assert_true(dst[j * ldd + i] == src[(i0 + i) * w + j]);
        }
    free(src), free(dst), free(reads), free(writes);
}

static void every_element_once(void **state)
{
    static const tw_int sizes[] = {1, 7, 31, 32, 33, 64, 100};
    (void)state;
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (size_t b = 0; b < sizeof sizes / sizeof *sizes; b++) {
            tw_int n = sizes[a], w = sizes[b];
            transpose(n, w, 0, n, n);
            transpose(n, w, n / 3, n, n + 5);
            transpose(n, w, 0, n / 2 + 1, n);
        }
}

static void turns(void **state)
{
    const tw_int n1 = 4096 * 4095, n2 = 4097;
    (void)state;
    assert_int_equal(tw_fft_root_index(0, 5, 7), 0);
    assert_int_equal(tw_fft_root_index(3, 5, 7), 1);
    for (tw_int k = 1; k < 50; k++) {
        tw_int i = n1 - k * k, j = n2 - k;
        assert_true(tw_fft_root_index(i, j, n1 * n2) == (tw_int)((__int128)i * j % ((__int128)n1 * n2)));
    }
}

/* Nested loops as one counter: the innermost runs first, loops without a gap between them are one. */
static void nests(void **state)
{
    static const int64_t n[3] = {3, 4, 5},
                         strides[][3] = {{20, 5, 1}, {1, 3, 12}, {100, 7, 1}, {40, 10, 2}, {5, 1, 30}};
    static const int levels[] = {1, 3, 3, 1, 3};
    struct tw_nest none = {0};
    (void)state;
    assert_int_equal(tw_nest_at(&none, 0), 0);
    for (size_t s = 0; s < sizeof levels / sizeof *levels; s++) {
        struct tw_nest t = {0};
        int64_t k = 0;

        for (int l = 0; l < 3; l++)
            tw_nest_add(&t, n[l], strides[s][l]), tw_nest_add(&t, 1, 17);
        assert_int_equal(t.levels, levels[s]);
        for (int64_t a = 0; a < n[0]; a++)
            for (int64_t b = 0; b < n[1]; b++)
                for (int64_t c = 0; c < n[2]; c++)
                    assert_int_equal(tw_nest_at(&t, k++), a * strides[s][0] + b * strides[s][1] + c * strides[s][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_element_once), cmocka_unit_test(turns),
                                       cmocka_unit_test(nests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
