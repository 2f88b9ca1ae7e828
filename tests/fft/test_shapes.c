/* Two and three dimensions, odd shapes, batches, strides, in place, all kinds, in the caller's thread and as tasks. */
#include "reference.h"

static const enum tw_type types[2] = {TW_FLOAT, TW_DOUBLE};
static int quick; /* under a sanitizer: one precision */

static void both_paths(struct fft_case c)
{
    for (int t = quick; t < 2; t++)
        for (int path = TW_FFT_DIRECT; path <= TW_FFT_TASKS; path++) {
            c.type = types[t];
            c.path = (enum tw_fft_path)path;
            check_case(&c);
        }
}

static const tw_int shapes[][3] = {{1, 1, 1},  {2, 3, 5},  {7, 1, 4},  {16, 16, 16}, {15, 9, 21},
                                   {4, 33, 6}, {31, 5, 2}, {64, 3, 1}, {5, 64, 12}};
enum { NSHAPES = sizeof shapes / sizeof *shapes };

static void dense_arrays(void **state)
{
    (void)state;
    for (int s = 0; s < NSHAPES; s++)
        for (int rank = 2; rank <= 3; rank++)
            for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2R; kind++)
                for (int place = 0; place < 2; place++) {
                    const tw_int *n = shapes[s];
                    tw_int batch = s % 3 == 1 ? 3 : s % 4 == 3 ? 40 : 1;
                    struct fft_case c =
                        place ? in_place_case(TW_DOUBLE, (enum tw_fft_kind)kind, rank, n[0], n[1], n[2], batch)
                              : dense_case(TW_DOUBLE, (enum tw_fft_kind)kind, rank, n[0], n[1], n[2], batch);
                    if (batch == 40 && rank == 3) continue;
                    c.sign = s % 2 ? 1 : -1;
                    c.norm = (enum tw_fft_norm)((s + rank) % 3);
                    for (int d = 0; d < 3; d++)
                        c.r2r[d] = (enum tw_fft_r2r)(1 + (s + 3 * d) % 8);
                    both_paths(c);
                }
}

static void batches(void **state)
{
    (void)state;
    for (tw_int n = 1; n <= 130; n = 2 * n + 1)
        for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2R; kind++)
            for (tw_int batch = 2; batch <= 700; batch = 5 * batch + 3) {
                struct fft_case c = dense_case(TW_DOUBLE, (enum tw_fft_kind)kind, 1, n, 0, 0, batch);
                c.r2r[0] = TW_FFT_DCT2;
                c.norm = batch % 2 ? TW_FFT_UNSCALED : TW_FFT_BY_N;
                both_paths(c);
                if (kind == TW_FFT_C2C) c.in_place = 1, both_paths(c);
            }
}

/* The elements of one array between those of others, dimensions in any order, gaps everywhere. */
static void strides(void **state)
{
    struct fft_case c = {.type = TW_DOUBLE, .sign = -1, .rigor = TW_FFT_ESTIMATE};
    (void)state;
    for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2R; kind++) {
        c.kind = (enum tw_fft_kind)kind;
        c.norm = kind % 2 ? TW_FFT_ORTHO : TW_FFT_UNSCALED;
        c.r2r[0] = TW_FFT_DST4, c.r2r[1] = TW_FFT_DHT, c.r2r[2] = TW_FFT_DCT3;
        c.rank = 1, c.nloops = 0;
        c.dim[0] = (tw_fft_dim){90, 3, 2};
        both_paths(c);
        c.nloops = 1, c.loop[0] = (tw_fft_dim){35, 1, 190}, c.dim[0] = (tw_fft_dim){90, 37, 2}; /* columns to rows */
        both_paths(c);
        c.nloops = 2, c.loop[0] = (tw_fft_dim){3, 1, 1}, c.loop[1] = (tw_fft_dim){20, 3 * 40, 3 * 41},
        c.dim[0] = (tw_fft_dim){40, 3, 3};
        both_paths(c); /* three interleaved channels */
        c.rank = 2, c.nloops = 1;
        c.dim[0] = (tw_fft_dim){12, 1, 25}, c.dim[1] = (tw_fft_dim){20, 13, 1},
        c.loop[0] = (tw_fft_dim){2, 13 * 20, 25 * 12};
        both_paths(c); /* transposed */
        c.rank = 3, c.nloops = 0;
        c.dim[0] = (tw_fft_dim){6, 200, 300}, c.dim[1] = (tw_fft_dim){9, 20, 30}, c.dim[2] = (tw_fft_dim){14, 1, 1};
        both_paths(c); /* rows and planes with gaps */
        c.nloops = 1, c.loop[0] = (tw_fft_dim){5, 2000, 3000};
        both_paths(c);
        c.nloops = 3, c.rank = 1; /* three loops */
        c.loop[0] = (tw_fft_dim){2, 600, 1}, c.loop[1] = (tw_fft_dim){3, 200, 100}, c.loop[2] = (tw_fft_dim){5, 40, 12};
        c.dim[0] = (tw_fft_dim){6, 2, 400};
        both_paths(c);
    }
    /* in place with gaps: rows of 20 in 25 */
    c = (struct fft_case){
        .type = TW_DOUBLE, .sign = 1, .rank = 2, .in_place = 1, .rigor = TW_FFT_ESTIMATE, .norm = TW_FFT_BY_N};
    c.dim[0] = (tw_fft_dim){18, 25, 25}, c.dim[1] = (tw_fft_dim){20, 1, 1};
    both_paths(c);
}

/* One dimension without two like factors (Bluestein), and real ones of odd lengths: all kinds, in place, as part of a
 * sequence. */
static void awkward_lengths(void **state)
{
    static const tw_int n[] = {2,    3,       5,    7,  11, 13,  46,  97,   274,  509,  1018,
                               2003, 3 * 751, 4099, 15, 45, 105, 343, 1155, 2401, 3375, 9409};
    (void)state;
    for (size_t k = 0; k < sizeof n / sizeof *n; k++)
        for (int kind = TW_FFT_C2C; kind <= TW_FFT_C2R; kind++)
            for (int place = 0; place < 2; place++) {
                struct fft_case c = place ? in_place_case(TW_DOUBLE, (enum tw_fft_kind)kind, 1, n[k], 0, 0, 1)
                                          : dense_case(TW_DOUBLE, (enum tw_fft_kind)kind, 1, n[k], 0, 0, 1);
                if (quick && (k + (size_t)place) % 2) continue;
                c.sign = k % 2 ? 1 : -1;
                c.norm = (enum tw_fft_norm)(k % 3);
                c.path = TW_FFT_TASKS;
                c.async = place;
                for (int t = quick; t < 2; t++) {
                    c.type = types[t];
                    check_case(&c);
                }
            }
}

/* Rows long enough, and enough of them, that every task has whole and partial chunks. */
static void larger_slabs(void **state)
{
    static const tw_int n[][3] = {{120, 77, 24}, {33, 250, 16}, {9, 40, 400}};
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int kind = TW_FFT_C2C; kind <= TW_FFT_C2R; kind++) {
            struct fft_case c = s == 1
                                    ? in_place_case(TW_DOUBLE, (enum tw_fft_kind)kind, 3, n[s][0], n[s][1], n[s][2], 1)
                                    : dense_case(TW_DOUBLE, (enum tw_fft_kind)kind, 3, n[s][0], n[s][1], n[s][2], 1);
            if (quick && s != kind) continue;
            c.path = TW_FFT_TASKS;
            c.norm = TW_FFT_ORTHO;
            c.rigor = TW_FFT_MEASURE;
            c.async = s == 2;
            check_case(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dense_arrays), cmocka_unit_test(batches),
                                       cmocka_unit_test(strides), cmocka_unit_test(awkward_lengths),
                                       cmocka_unit_test(larger_slabs)};
    const char *sanitizer = getenv("TILEWORK_TEST_SANITIZE");
    int failed;

    quick = sanitizer && *sanitizer;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() ? 1 : failed;
}
