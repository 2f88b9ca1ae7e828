/* Matrices in NumPy's .npy: both orders, the types, columns; what is written; damaged files. */
#include <complex.h>

#include "common.h"

/* A file with that dictionary, padded as NumPy does, then the elements. */
static const char *npy(const char *name, const char *dictionary, const void *elements, size_t size)
{
    char file[4096] = "\x93NUMPY\x01";
    const size_t length = (10 + strlen(dictionary) + 1 + 63) / 64 * 64 - 10;

    file[8] = (char)length;
    memset(file + 10, ' ', length);
    memcpy(file + 10, dictionary, strlen(dictionary));
    file[10 + length - 1] = '\n';
    memcpy(file + 10 + length, elements, size);
    return make_file(name, file, 10 + length + size);
}

static void test_orders(void **state)
{
    static const double rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};
    const char *c = npy("c.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", rows, sizeof rows),
               *f = npy("f.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", columns, sizeof columns);
    tw_file_info info;
    double a[9];
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *path = k ? f : c;
        tt_expect_info(tw_file_inspect(path, &info), 0, "inspect");
        assert_true(info.m == 2 && info.n == 3 && info.type == TW_DOUBLE && info.uplo == TW_GENERAL);
        for (int i = 0; i < 9; i++)
            a[i] = -1;
        tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 3, a, 3), 0, "read");
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                assert_true(a[i + 3 * j] == 1 + 3 * i + j);
        assert_true(a[2] == -1 && a[5] == -1 && a[8] == -1);
        tt_expect_info(tw_file_read(path, TW_DOUBLE, 3, 2, a, 3), TW_E_FORMAT, "another size");
    }
}

static void test_types(void **state)
{
    static const float s[] = {1.5f, -2.25f};
    static const short i[] = {-3, 7};
    static const unsigned char u[] = {255, 1};
    static const float complex z[] = {1 + 2 * I, 3 - 4 * I};
    tw_file_info info;
    double a[2];
    double complex b[2];
    (void)state;
    tt_expect_info(tw_file_read(npy("s.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", s, 8),
                                TW_DOUBLE, 2, 1, a, 2),
                   0, "float");
    assert_true(a[0] == 1.5 && a[1] == -2.25);
    tt_expect_info(tw_file_read(npy("i.npy", "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", i, 4),
                                TW_DOUBLE, 2, 1, a, 2),
                   0, "integers");
    assert_true(a[0] == -3 && a[1] == 7);
    tt_expect_info(tw_file_read(npy("u.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }", u, 2),
                                TW_DOUBLE, 1, 2, a, 1),
                   0, "bytes");
    assert_true(a[0] == 255 && a[1] == 1);
    const char *path = npy("z.npy", "{'descr': '<c8', 'fortran_order': True, 'shape': (2, 1), }", z, 16);
    tt_expect_info(tw_file_inspect(path, &info), 0, "inspect");
    assert_true(info.type == TW_COMPLEX_DOUBLE);
    tt_expect_info(tw_file_read(path, TW_COMPLEX_DOUBLE, 2, 1, b, 2), 0, "complex");
    assert_true(b[0] == 1 + 2 * I && b[1] == 3 - 4 * I);
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 1, a, 2), TW_E_FORMAT, "complex into real");
}

/* NumPy under Python 2 wrote its long integers as they look. */
static void test_long_integers(void **state)
{
    static const double rows[] = {1, 2, 3, 4, 5, 6};
    double a[6];
    (void)state;
    tt_expect_info(tw_file_read(npy("l.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 3L), }", rows, 48),
                                TW_DOUBLE, 2, 3, a, 2),
                   0, "2L, 3L");
    assert_true(a[0] == 1 && a[1] == 4 && a[5] == 6);
    tt_expect_info(tw_file_read(npy("l1.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (6L,), }", rows, 48),
                                TW_DOUBLE, 6, 1, a, 6),
                   0, "6L");
    tt_expect_info(
        tw_file_read(npy("ll.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2LL, 3L), }", rows, 48),
                     TW_DOUBLE, 2, 3, a, 2),
        TW_E_FORMAT, "2LL");
}

/* One dimension in, one dimension out. */
static void test_vectors(void **state)
{
    static const double x[] = {1, -2, 3};
    static const char shape[] = "'shape': (3,)";
    const char *path = in_folder("v.npy");
    char text[128] = {0};
    tw_file_info info;
    double a[3];
    FILE *f;
    (void)state;
    tt_expect_info(tw_file_write_vector(path, TW_DOUBLE, 3, x), 0, "write");
    assert_non_null(f = fopen(path, "rb"));
    assert_int_equal(fread(text, 1, sizeof text - 1, f), sizeof text - 1);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(text + 10, shape));
    tt_expect_info(tw_file_inspect(path, &info), 0, "inspect");
    assert_true(info.m == 3 && info.n == 1 && info.vector);
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 3, 1, a, 3), 0, "read");
    assert_memory_equal(a, x, sizeof x);
    for (int k = 0; k < 2; k++) { /* formats without vectors: a matrix of one column */
        path = in_folder(k ? "v.mtx" : "v.raw");
        tt_expect_info(tw_file_write_vector(path, TW_DOUBLE, 3, x), 0, "write");
        tt_expect_info(tw_file_inspect(path, &info), 0, "inspect");
        assert_true(info.m == 3 && info.n == 1 && !info.vector);
    }
    tt_expect_info(tw_file_write(in_folder("v.npy"), TW_DOUBLE, TW_GENERAL, 3, 1, x, 3), 0, "a column");
    tt_expect_info(tw_file_inspect(in_folder("v.npy"), &info), 0, "inspect");
    assert_false(info.vector);
    tt_expect_info(tw_file_write_vector(NULL, TW_DOUBLE, 3, x), -1, "path");
    tt_expect_info(tw_file_write_vector(path, (enum tw_type)7, 3, x), -2, "type");
    tt_expect_info(tw_file_write_vector(path, TW_DOUBLE, -1, x), -3, "n");
    tt_expect_info(tw_file_write_vector(path, TW_DOUBLE, 3, NULL), -4, "x");
}

/* A triangle stands for the whole matrix. */
static void test_written(void **state)
{
    double complex a[4] = {2, 1 + I, 99, 3}, b[4];
    char text[256] = {0};
    FILE *f;
    (void)state;
    tt_expect_info(tw_file_write(in_folder("w.npy"), TW_COMPLEX_DOUBLE, TW_LOWER, 2, 2, a, 2), 0, "write");
    tt_expect_info(tw_file_read(in_folder("w.npy"), TW_COMPLEX_DOUBLE, 2, 2, b, 2), 0, "read");
    assert_true(b[0] == 2 && b[1] == 1 + I && b[2] == 1 - I && b[3] == 3);
    tt_expect_info(tw_file_write(in_folder("w.npy"), TW_COMPLEX_DOUBLE, TW_GENERAL, 2, 2, a, 2), 0, "write");
    tt_expect_info(tw_file_read(in_folder("w.npy"), TW_COMPLEX_DOUBLE, 2, 2, b, 2), 0, "read");
    assert_memory_equal(a, b, sizeof a);
    assert_non_null(f = fopen(in_folder("w.npy"), "rb"));
    assert_int_equal(fread(text, 1, 255, f), 128 + sizeof a); /* elements begin at a multiple of 64 */
    fclose(f);
    assert_memory_equal(text, "\x93NUMPY\x01\x00", 8);
    assert_true(text[127] == '\n');
    text[127] = 0;
    text[10 + strcspn(text + 10, "}") + 1] = 0;
    assert_string_equal(text + 10, "{'descr': '<c16', 'fortran_order': True, 'shape': (2, 2), }");
    tt_expect_info(tw_file_write(in_folder("w.npy"), TW_DOUBLE, TW_LOWER, 2, 1, a, 2), -5, "a triangle of 2 x 1");
}

static void test_damaged(void **state)
{
    static const double x[] = {1, 2, NAN};
    static const struct {
        const char *dictionary, *says;
        size_t size;
    } bad[] = {
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", "ends at byte", 24},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }", "goes on behind", 24},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (3, 1), }", "not a finite number", 24},
        {"{'descr': '>f8', 'fortran_order': True, 'shape': (3, 1), }", "big-endian", 24},
        {"{'descr': '<f2', 'fortran_order': True, 'shape': (3, 1), }", "not read", 24},
        {"{'descr': '<f8', 'shape': (3, 1), }", "fortran_order", 24},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': 3, }", "tuple", 24},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (3, 1, 1), }", "3 dimensions", 24},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (500000000000, 500000000), }", "bytes", 24},
        {"", "descr", 0},
    };
    double a[4];
    tw_file_info info;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const char *path = npy("bad.npy", bad[k].dictionary, x, bad[k].size);
        int e = tw_file_inspect(path, &info);
        if (!e) e = tw_file_read(path, TW_DOUBLE, info.m, info.n, a, info.m);
        if (e != TW_E_FORMAT && e != TW_E_MEMORY) fail_msg("%s: %d", bad[k].dictionary, e);
        expect_in_message(bad[k].says);
        expect_in_message("bad.npy");
    }
    tt_expect_info(tw_file_inspect(make_file("bad.npy", "\x93NUMPY", 6), &info), TW_E_FORMAT, "cut off");
    tt_expect_info(tw_file_inspect(make_file("bad.npy", "1 2 3", 5), &info), TW_E_FORMAT, "something else");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders),  cmocka_unit_test(test_types),
                                       cmocka_unit_test(test_written), cmocka_unit_test(test_long_integers),
                                       cmocka_unit_test(test_vectors), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder) != 0;
}
