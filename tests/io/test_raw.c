/* Raw binary files, with and without a header. */
#include <complex.h>

#include "common.h"

static void fill(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            tt_put(t, a, (size_t)(i + j * lda), tt_uniform(1, i, j) + I * tt_uniform(2, i, j));
}

/* a's uplo part, zeros elsewhere. */
static double complex part(enum tw_type t, enum tw_uplo uplo, const void *a, tw_int lda, tw_int i, tw_int j)
{
    if ((uplo == TW_LOWER && i < j) || (uplo == TW_UPPER && i > j)) return 0;
    return tt_get(t, a, (size_t)(i + j * lda));
}

static void round_trip(enum tw_type t, enum tw_uplo uplo, tw_int m, tw_int n)
{
    const tw_int lda = m + 3;
    void *a = tt_array(t, lda, n), *b = tt_array(t, lda, n);
    const char *path = in_folder("round.raw");
    tw_file_info info;

    fill(t, m, n, a, lda);
    tt_expect_info(tw_file_write(path, t, uplo, m, n, a, lda), 0, "write");
    tt_expect_info(tw_file_inspect(path, &info), 0, "inspect");
    assert_true(info.m == m && info.n == n && info.nnz == m * n && info.uplo == uplo && !info.symmetric &&
                !info.hermitian);
    assert_int_equal(info.type, tt_complex(t) ? TW_COMPLEX_DOUBLE : TW_DOUBLE);
    tt_expect_info(tw_file_read(path, t, m, n, b, lda), 0, "read");
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            assert_true(tt_get(t, b, (size_t)(i + j * lda)) == part(t, uplo, a, lda, i, j));
    assert_int_equal(tt_touched(t, 'G', m, n, b, lda), 0);

    for (int other = 0; other < TW_NTYPES; other++) { /* read into another type */
        void *c = tt_array(other, lda, n);
        if (tt_complex(t) && !tt_complex(other)) {
            tt_expect_info(tw_file_read(path, other, m, n, c, lda), TW_E_FORMAT, "complex into real");
            expect_place(path, 0);
        } else {
            tt_expect_info(tw_file_read(path, other, m, n, c, lda), 0, "convert");
            for (tw_int j = 0; j < n; j++)
                for (tw_int i = 0; i < m; i++)
                    assert_true(cabs(tt_get(other, c, (size_t)(i + j * lda)) - part(t, uplo, a, lda, i, j)) <=
                                2 * tt_eps(other));
        }
        free(c);
    }
    free(a), free(b);
    assert_int_equal(empty_folder(), 1);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const enum tw_uplo uplos[] = {TW_GENERAL, TW_LOWER, TW_UPPER};
    for (int t = 0; t < TW_NTYPES; t++)
        for (int u = 0; u < 3; u++) {
            round_trip(t, uplos[u], 5, 5);
            round_trip(t, uplos[u], 7, 3);
            round_trip(t, uplos[u], 3, 7);
            round_trip(t, uplos[u], 1, 1);
            round_trip(t, uplos[u], 0, 2);
            round_trip(t, uplos[u], 2, 0);
            round_trip(t, uplos[u], 5000, 2); /* beyond the chunks */
        }
}

static void test_headerless(void **state)
{
    (void)state;
    tw_file_info info;
    for (int t = 0; t < TW_NTYPES; t++) {
        const tw_int m = 100, n = 91;
        const size_t size = tt_size(t);
        char *a = tt_array(t, m, n), *b = tt_array(t, m, n);
        fill(t, m, n, a, m);
        const char *path = make_file("plain.bin", a, (size_t)(m * n) * size);
        tt_expect_info(tw_file_read(path, t, m, n, b, m), 0, "plain");
        assert_memory_equal(a, b, (size_t)(m * n) * size);
        tt_expect_info(tw_file_read(path, t, n, m, b, n), 0, "plain, the other way round");
        tt_expect_info(tw_file_inspect(path, &info), TW_E_FORMAT, "inspect");
        expect_place(path, 0);
        tw_matrix *A = (tw_matrix *)&A;
        tt_expect_info(tw_matrix_load(&A, path, t, TW_GENERAL, 0), TW_E_FORMAT, "load");
        assert_null(A);
        expect_place(path, 0);
        tt_expect_info(tw_file_read(path, t, m, n - 1, b, m), TW_E_FORMAT, "too long");
        expect_place(path, 0);
        expect_in_message("behind byte");
        tt_expect_info(tw_file_read(path, t, m + 1, n, b, m + 1), TW_E_FORMAT, "too short");
        expect_place(path, 0);
        char bytes[64];
        snprintf(bytes, sizeof bytes, "ends at byte %zu", (size_t)(m * n) * size);
        expect_in_message(bytes);
        free(a), free(b);
    }
    tt_expect_info(tw_file_read(make_file("none.bin", "", 0), TW_DOUBLE, 0, 5, NULL, 1), 0, "nothing");
    double x[4];
    tt_expect_info(tw_file_read(in_folder("none.bin"), TW_DOUBLE, 2, 2, x, 2), TW_E_FORMAT, "empty");
    expect_in_message("ends at byte 0");
}

/* ---- damage ---------------------------------------------------------------------------------------------------- */

enum { HEADER = 64, SIZE = HEADER + 4 * 8 };
static unsigned char good[SIZE];

static void make_good(void)
{
    const double a[4] = {1, 2, 3, 4};
    const int64_t shape[2] = {2, 2};
    memset(good, 0, sizeof good);
    memcpy(good, "TWRAW1\ndG", 9);
    memcpy(good + 16, shape, sizeof shape);
    memcpy(good + HEADER, a, sizeof a);
}

static void refuse(const void *content, size_t size, int code, const char *part)
{
    const char *path = make_file("damaged.raw", content, size);
    double a[4];
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 2, a, 2), code, "%s", part);
    expect_place(path, 0);
    expect_in_message(part);
}

static void refuse_change(int at, unsigned char value, const char *part)
{
    unsigned char changed[SIZE];
    memcpy(changed, good, SIZE);
    changed[at] = value;
    refuse(changed, SIZE, TW_E_FORMAT, part);
}

static void test_damage(void **state)
{
    (void)state;
    double a[4];
    unsigned char longer[SIZE + 1] = {0};
    make_good();
    /* The layout is as documented: files stay readable. */
    tt_expect_info(tw_file_read(make_file("good.raw", good, SIZE), TW_DOUBLE, 2, 2, a, 2), 0, "good");
    assert_true(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4);
    const char *path = in_folder("again.raw");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, 2, a, 2), 0, "write");
    FILE *f = fopen(path, "rb");
    assert_int_equal(fread(longer, 1, sizeof longer, f), SIZE);
    fclose(f);
    assert_memory_equal(longer, good, SIZE);

    for (size_t size = 7; size < SIZE; size++)
        refuse(good, size, TW_E_FORMAT, "ends at byte");
    memcpy(longer, good, SIZE);
    refuse(longer, SIZE + 1, TW_E_FORMAT, "behind byte 96");
    refuse_change(7, 'x', "byte 7");
    refuse_change(7, 0, "byte 7");
    refuse_change(8, 'X', "byte 8");
    refuse_change(8, 0, "byte 8");
    for (int at = 9; at < HEADER; at++)
        if (at < 16 || at >= 32) refuse_change(at, 1, "not zero");
    refuse_change(23, 0x80, "negative");
    refuse_change(31, 0xff, "negative");
    refuse_change(16, 3, "3 x 2, not 2 x 2");
    refuse_change(24, 1, "2 x 1, not 2 x 2");
    refuse_change(7, 'z', "complex");
    for (int k = 0; k < 4; k++) {
        unsigned char changed[SIZE];
        const double odd[2] = {NAN, -INFINITY};
        char where[64];
        memcpy(changed, good, SIZE);
        memcpy(changed + HEADER + 8 * k, &odd[k % 2], 8);
        snprintf(where, sizeof where, "byte %d: entry (%d, %d)", HEADER + 8 * k, k % 2 + 1, k / 2 + 1);
        refuse(changed, SIZE, TW_E_FORMAT, where);
    }
    float s[4];
    const double large = 1e39;
    memcpy(good + HEADER + 8, &large, 8);
    tt_expect_info(tw_file_read(make_file("single.raw", good, SIZE), TW_FLOAT, 2, 2, s, 2), TW_E_FORMAT, "1e39");
    expect_in_message("single");
}

static void test_gigantic(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{INT64_MAX, INT64_MAX},
                                        {(int64_t)1 << 32, (int64_t)1 << 32},
                                        {INT64_MAX, 0},
                                        {0, INT64_MAX},
                                        {100000000, 100000000}};
    for (int k = 0; k < 5; k++) {
        tw_file_info info;
        tw_matrix *A = (tw_matrix *)&A;
        make_good();
        memcpy(good + 16, shapes[k], sizeof shapes[k]);
        const char *path = make_file("gigantic.raw", good, SIZE);
        tt_expect_info(tw_file_inspect(path, &info), TW_E_MEMORY, "inspect");
        expect_place(path, 0);
        expect_in_message("bytes");
        tt_expect_info(tw_matrix_load(&A, path, TW_DOUBLE, TW_GENERAL, 0), TW_E_MEMORY, "load");
        assert_null(A);
    }
    expect_in_message("40000000000000000 bytes");
    assert_int_equal(tw_is_running(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trips), cmocka_unit_test(test_headerless),
                                       cmocka_unit_test(test_damage), cmocka_unit_test(test_gigantic)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder) != 0;
}
