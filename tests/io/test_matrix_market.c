/* Matrix Market files: every flavour, written ones read back bit for bit, every kind of damage named with file and
 * line. */
#include <complex.h>
#include <locale.h>
#include <sys/stat.h>

#include "common.h"

/* ---- flavours -------------------------------------------------------------------------------------------------- */

struct flavour {
    const char *name;
    tw_file_info info;
    double re[9], im[9]; /* row by row, as they look */
};
#define INFO(nnz, type, uplo, symmetric, hermitian, skew, coordinate)                                                  \
    {                                                                                                                  \
        3, 3, nnz, type, uplo, symmetric, hermitian, skew, coordinate, 0                                               \
    }
static const struct flavour flavours[] = {
    {"array_real_general.mtx", INFO(9, TW_DOUBLE, TW_GENERAL, 0, 0, 0, 0), {1.5, 4, 7, -2, 5.25, .5, 3, -6, 9}, {0}},
    {"array_real_symmetric.mtx", INFO(6, TW_DOUBLE, TW_LOWER, 1, 0, 0, 0), {1.5, -2, 3, -2, 5.25, -6, 3, -6, 9}, {0}},
    {"array_real_skew.mtx", INFO(3, TW_DOUBLE, TW_LOWER, 0, 0, 1, 0), {0, 2, -3, -2, 0, 6, 3, -6, 0}, {0}},
    {"array_integer_general.mtx", INFO(9, TW_DOUBLE, TW_GENERAL, 0, 0, 0, 0), {1, 4, 7, -2, 5, 8, 3, -6, 9}, {0}},
    {"array_complex_general.mtx",
     INFO(9, TW_COMPLEX_DOUBLE, TW_GENERAL, 0, 0, 0, 0),
     {1.5, 4, 7, -2, 5.25, .5, 3, -6, 9},
     {.5, 0, 1, 1, 2, .1, -1, -3, -9}},
    {"array_complex_hermitian.mtx",
     INFO(6, TW_COMPLEX_DOUBLE, TW_LOWER, 0, 1, 0, 0),
     {1.5, -2, 3, -2, 5.25, -6, 3, -6, 9},
     {0, -1, 1, 1, 0, 3, -1, -3, 0}},
    {"array_complex_symmetric.mtx",
     INFO(6, TW_COMPLEX_DOUBLE, TW_LOWER, 1, 0, 0, 0),
     {1.5, -2, 3, -2, 5.25, -6, 3, -6, 9},
     {2, 1, -1, 1, 0, -3, -1, -3, 4}},
    {"coordinate_real_general.mtx", INFO(4, TW_DOUBLE, TW_GENERAL, 0, 0, 0, 1), {1, 0, 0, 0, 0, 1e-3, -2.5, 0, 4}, {0}},
    {"coordinate_real_symmetric.mtx",
     INFO(4, TW_DOUBLE, TW_LOWER, 1, 0, 0, 1),
     {1, 0, -2.5, 0, 0, .5, -2.5, .5, 4},
     {0}},
    {"coordinate_real_skew.mtx", INFO(2, TW_DOUBLE, TW_LOWER, 0, 0, 1, 1), {0, -1.5, 0, 1.5, 0, 7, 0, -7, 0}, {0}},
    {"coordinate_integer_general.mtx", INFO(2, TW_DOUBLE, TW_GENERAL, 0, 0, 0, 1), {0, 0, -4, 0, 17, 0, 0, 0, 0}, {0}},
    {"coordinate_pattern_general.mtx", INFO(3, TW_DOUBLE, TW_GENERAL, 0, 0, 0, 1), {1, 0, 0, 0, 0, 1, 0, 1, 0}, {0}},
    {"coordinate_pattern_symmetric.mtx", INFO(3, TW_DOUBLE, TW_LOWER, 1, 0, 0, 1), {1, 1, 0, 1, 0, 0, 0, 0, 1}, {0}},
    {"coordinate_complex_general.mtx",
     INFO(2, TW_COMPLEX_DOUBLE, TW_GENERAL, 0, 0, 0, 1),
     {0, 1.5, 0, 0, 0, 0, 0, 0, 0},
     {0, -2, 0, 0, 0, 0, 0, 0, 1}},
    {"coordinate_complex_hermitian.mtx",
     INFO(3, TW_COMPLEX_DOUBLE, TW_LOWER, 0, 1, 0, 1),
     {2, 0, 1.5, 0, 0, 0, 1.5, 0, 5},
     {0, 0, 2, 0, 0, 0, -2, 0, 0}},
    {"coordinate_complex_skew.mtx",
     INFO(1, TW_COMPLEX_DOUBLE, TW_LOWER, 0, 0, 1, 1),
     {0, 0, -1.5, 0, 0, 0, 1.5, 0, 0},
     {0, 0, 2, 0, 0, 0, -2, 0, 0}},
    {"coordinate_crlf_duplicates.mtx",
     INFO(5, TW_DOUBLE, TW_GENERAL, 0, 0, 0, 1),
     {1.25, 0, 0, 0, -100, 0, 0, 7, 1},
     {0}},
};
enum { NFLAVOURS = sizeof flavours / sizeof flavours[0] };

static void test_flavours(void **state)
{
    (void)state;
    for (int k = 0; k < NFLAVOURS; k++) {
        const struct flavour *f = &flavours[k];
        const char *path = test_data(f->name);
        tw_file_info info;
        tt_expect_info(tw_file_inspect(path, &info), 0, "%s", f->name);
        assert_true(info.m == f->info.m && info.n == f->info.n && info.nnz == f->info.nnz &&
                    info.type == f->info.type && info.uplo == f->info.uplo && info.symmetric == f->info.symmetric &&
                    info.hermitian == f->info.hermitian && info.skew == f->info.skew &&
                    info.coordinate == f->info.coordinate);
        for (int t = 0; t < TW_NTYPES; t++) {
            const tw_int lda = 5;
            void *a = tt_array(t, lda, 3);
            if (tt_complex(info.type) && !tt_complex(t)) {
                tt_expect_info(tw_file_read(path, t, 3, 3, a, lda), TW_E_FORMAT, "%s", f->name);
                expect_place(path, 0);
                expect_in_message("complex");
                assert_int_equal(tt_touched(t, 'G', 0, 3, a, lda), 0);
            } else {
                tt_expect_info(tw_file_read(path, t, 3, 3, a, lda), 0, "%s", f->name);
                assert_int_equal(tt_touched(t, 'G', 3, 3, a, lda), 0);
                for (int i = 0; i < 9; i++) {
                    double complex want = f->re[i] + I * f->im[i], got = tt_get(t, a, (size_t)(i / 3 + i % 3 * lda));
                    if (cabs(got - want) > tt_eps(t) * cabs(want))
                        fail_msg("%s: entry (%d, %d)", f->name, i / 3, i % 3);
                }
            }
            free(a);
        }
    }
}

/* ---- round trips ----------------------------------------------------------------------------------------------- */

/* Numbers of all sizes, where digits get lost if any do. */
static void fill(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda, int hermitian)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            double x = tt_uniform(1, i, j) * pow(10, (double)((i * 7 + j * 3) % 60 - 30)), y = tt_uniform(2, i, j);
            if (i == j && hermitian) y = 0;
            tt_put(t, a, (size_t)(i + j * lda), x + I * y);
        }
}

static void round_trip(enum tw_type t, enum tw_uplo uplo, tw_int m, tw_int n, int hermitian)
{
    const tw_int lda = m + 2;
    void *a = tt_array(t, lda, n), *b = tt_array(t, lda, n);
    const char *path = in_folder("round.mtx");
    tw_file_info info;

    fill(t, m, n, a, lda, hermitian);
    tt_expect_info(tw_file_write(path, t, uplo, m, n, a, lda), 0, "write");
    tt_expect_info(tw_file_inspect(path, &info), 0, "inspect");
    assert_int_equal(info.m, m);
    assert_int_equal(info.n, n);
    assert_int_equal(info.uplo, uplo == TW_GENERAL ? TW_GENERAL : TW_LOWER);
    assert_int_equal(info.hermitian, uplo != TW_GENERAL && tt_complex(t) && hermitian);
    tt_expect_info(tw_file_read(path, t, m, n, b, lda), 0, "read");
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            const int mirrored = (uplo == TW_LOWER && i < j) || (uplo == TW_UPPER && i > j);
            double complex want = tt_get(t, a, (size_t)(mirrored ? j + i * lda : i + j * lda));
            if (mirrored && hermitian) want = conj(want);
            double complex got = tt_get(t, b, (size_t)(i + j * lda));
            assert_true(creal(got) == creal(want) && cimag(got) == cimag(want));
        }
    assert_int_equal(tt_touched(t, 'G', m, n, b, lda), 0);
    free(a), free(b);
    assert_int_equal(empty_folder(), 1); /* and no temporary file */
}

static void test_round_trips(void **state)
{
    (void)state;
    for (int t = 0; t < TW_NTYPES; t++) {
        round_trip(t, TW_GENERAL, 37, 23, 0);
        round_trip(t, TW_GENERAL, 1, 1, 0);
        round_trip(t, TW_GENERAL, 0, 4, 0);
        round_trip(t, TW_GENERAL, 4, 0, 0);
        for (int u = 0; u < 2; u++)
            for (int hermitian = 0; hermitian < 2; hermitian++) {
                round_trip(t, tt_uplos[u], 31, 31, hermitian || !tt_complex(t));
                round_trip(t, tt_uplos[u], 0, 0, 1);
            }
    }
}

/* Switch to a locale that writes 1,5: one that is installed, or one made in the test's folder. */
static int decimal_commas(void)
{
    char command[1200];
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        snprintf(command, sizeof command, "localedef --no-archive -f UTF-8 -i de_DE %s/locale/de_DE.UTF-8 2>/dev/null",
                 folder);
        if (mkdir(in_folder("locale"), 0700) || system(command)) return 0;
        setenv("LOCPATH", in_folder("locale"), 1);
        if (!setlocale(LC_ALL, "de_DE.UTF-8")) return 0;
    }
    return !strcmp(localeconv()->decimal_point, ",");
}

static void remove_locale(void)
{
    char command[1200];
    snprintf(command, sizeof command, "rm -rf %s", in_folder("locale"));
    assert_int_equal(system(command), 0);
    unsetenv("LOCPATH");
}

/* Denormal, largest, shortest, longest. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } number[] = {{"0", 0},
                  {"-0", -0.0},
                  {"+1", 1},
                  {"1.", 1},
                  {".5", .5},
                  {"-.5e+1", -5},
                  {"1E2", 100},
                  {"1e-2", 1e-2},
                  {"9007199254740993", 9007199254740993.0},
                  {"123456789012345678901234567890", 123456789012345678901234567890.0},
                  {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
                  {"1.7976931348623157e308", 1.7976931348623157e308},
                  {"4.9406564584124654e-324", 4.9406564584124654e-324},
                  {"1e-400", 0},
                  {"2.2250738585072011e-308", 2.2250738585072011e-308},
                  {"1e22", 1e22},
                  {"1e23", 1e23},
                  {"8.5e-23", 8.5e-23},
                  {"0e999", 0},
                  {"0000000000000000000000000000001", 1},
                  {"3.14159265358979312", 3.14159265358979312},
                  {"6.0221407621234567e+23", 6.0221407621234567e+23}};
    /* A program's locale changes neither reading nor writing. */
    if (!decimal_commas()) print_message("no locale with decimal commas on this machine: tested with points only\n");
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) {
        char text[256];
        double x = 7, y = 7;
        int size = snprintf(text, sizeof text, "%%%%MatrixMarket matrix array real general\n1 1\n%s\n", number[k].text);
        const char *path = make_file("number.mtx", text, (size_t)size);
        tt_expect_info(tw_file_read(path, TW_DOUBLE, 1, 1, &x, 1), 0, "%s", number[k].text);
        assert_memory_equal(&x, &number[k].value, sizeof x);
        tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 1, 1, &x, 1), 0, "%s", number[k].text);
        tt_expect_info(tw_file_read(path, TW_DOUBLE, 1, 1, &y, 1), 0, "%s", number[k].text);
        assert_memory_equal(&x, &y, sizeof x);
    }
    setlocale(LC_ALL, "C");
    remove_locale();
}

/* ---- damage ---------------------------------------------------------------------------------------------------- */

#define ARRAY      "%%MatrixMarket matrix array real general\n"
#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
struct damage {
    const char *text;
    int line;
    const char *part;
};
static const struct damage damages[] = {
    {"", 1, "empty"},
    {"\n", 1, "%%MatrixMarket"},
    {"1 2 3\n", 1, "%%MatrixMarket"},
    {"%MatrixMarket matrix array real general\n1 1\n1\n", 1, "%%MatrixMarket"},
    {"%%MatrixMarketmatrix array real general\n1 1\n1\n", 1, "%%MatrixMarket"},
    {"%%MatrixMarket\n", 1, "five words"},
    {"%%MatrixMarket matrix array real\n1 1\n1\n", 1, "five words"},
    {"%%MatrixMarket vector array real general\n1 1\n1\n", 1, "\"vector\""},
    {"%%MatrixMarket matrix dense real general\n1 1\n1\n", 1, "\"dense\""},
    {"%%MatrixMarket matrix array quaternion general\n1 1\n1\n", 1, "\"quaternion\""},
    {"%%MatrixMarket matrix array real triangular\n1 1\n1\n", 1, "\"triangular\""},
    {"%%MatrixMarket matrix array real general again\n1 1\n1\n", 1, "\"again\""},
    {"%%MatrixMarket matrix array pattern general\n1 1\n", 1, "pattern"},
    {"%%MatrixMarket matrix array real hermitian\n1 1\n1\n", 1, "hermitian"},
    {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", 1, "skew"},
    {ARRAY, 1, "ends before"},
    {ARRAY "% only\n\n% comments\n", 4, "ends before"},
    {ARRAY "3\n", 2, "rows and columns"},
    {ARRAY "3 x\n", 2, "rows and columns"},
    {ARRAY "3 3.0\n", 2, "rows and columns"},
    {ARRAY "3 3 9\n", 2, "more than"},
    {ARRAY "-3 3\n", 2, "negative"},
    {ARRAY "3 99999999999999999999\n", 2, "64 bits"},
    {COORDINATE "% c\n2 2\n", 3, "number of entries"},
    {COORDINATE "2 2 -1\n", 2, "negative"},
    {"%%MatrixMarket matrix array real symmetric\n2 3\n", 2, "square"},
    {"%%MatrixMarket matrix coordinate complex hermitian\n% c\n3 2 1\n", 3, "square"},
    {ARRAY "2 2\n1\n2\n3\n", 5, "3 of 4"},
    {ARRAY "2 2\n", 2, "0 of 4"},
    {ARRAY "2 2\n1\n2\n3\n4\n\n% c\n5\n", 9, "more entries"},
    {ARRAY "2 2\n1\ntwo\n3\n4\n", 4, "\"two\""},
    {ARRAY "2 2\n1\n2\n3x\n4\n", 5, "\"3x\""},
    {ARRAY "2 2\n1 2\n3 4\n", 3, "\"2\""},
    {ARRAY "2 2\n1\n0x10\n3\n4\n", 4, "0x10"},
    {ARRAY "2 2\n1\n1,5\n3\n4\n", 4, "1,5"},
    {ARRAY "2 2\n1\nnan\n3\n4\n", 4, "not a finite"},
    {ARRAY "2 2\n1\n2\n-Inf\n4\n", 5, "not a finite"},
    {ARRAY "2 2\n1\n2\n3\n1e999\n", 6, "not a finite"},
    {ARRAY "2 2\n1\n-\n3\n4\n", 4, "\"-\""},
    {"%%MatrixMarket matrix array integer general\n2 2\n1\n2.5\n3\n4\n", 4, "whole"},
    {"%%MatrixMarket matrix array complex general\n2 2\n1 1\n2\n3 0\n4 0\n", 4, "missing"},
    {"%%MatrixMarket matrix array complex general\n2 2\n1 1\n2 0\n3 0 1\n4 0\n", 5, "\"1\""},
    {"%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 5\n4 1e-30\n", 5, "imaginary"},
    {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n", 4, "2 of 3"},
    {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n", 6, "more entries"},
    {"%%MatrixMarket matrix array real skew-symmetric\n2 2\n1\n2\n", 4, "more entries"},
    {COORDINATE "2 2 2\n1 1 1\n", 3, "1 of 2"},
    {COORDINATE "2 2 9223372036854775807\n1 1 1\n", 3, "1 of 9223372036854775807"},
    {COORDINATE "2 2 1\n1 1 1\n2 2 1\n", 4, "more entries"},
    {COORDINATE "2 2 1\n0 1 1\n", 3, "row"},
    {COORDINATE "2 2 1\n3 1 1\n", 3, "1 to 2"},
    {COORDINATE "2 2 2\n1 1 1\n1 -1 1\n", 4, "column"},
    {COORDINATE "2 2 1\n1 99999999999999999999 1\n", 3, "column"},
    {COORDINATE "2 2 1\n1 1.0 1\n", 3, "column"},
    {COORDINATE "2 2 1\n1 1\n", 3, "missing"},
    {COORDINATE "2 2 1\n1\n", 3, "column"},
    {COORDINATE "2 2 1\n1 1 1 1\n", 3, "\"1\""},
    {COORDINATE "2 2 1\n1 1 NaN\n", 3, "not a finite"},
    {COORDINATE "2 2 2\n1 1 1.7e308\n1 1 1.7e308\n", 4, "overflows"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", 3, "\"1\""},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", 3, "above the diagonal"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n", 3, "on the diagonal"},
    {"%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 1\n", 3, "imaginary"},
};

static void test_damage(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++)
        for (int crlf = 0; crlf < 2; crlf++) {
            double complex a[4];
            char text[512];
            size_t size = 0;
            for (const char *s = damages[k].text; *s; s++) {
                if (crlf && *s == '\n') text[size++] = '\r';
                text[size++] = *s;
            }
            const char *path = make_file("damaged.mtx", text, size);
            tt_expect_info(tw_file_read(path, TW_COMPLEX_DOUBLE, 2, 2, a, 2), TW_E_FORMAT, "%s", damages[k].text);
            expect_place(path, damages[k].line);
            expect_in_message(damages[k].part);
        }
    double a[9];
    const char *path = make_file("nul.mtx", ARRAY "1 1\n1\0\n", sizeof ARRAY - 1 + 7);
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 1, 1, a, 1), TW_E_FORMAT, "NUL");
    expect_place(path, 3);
    expect_in_message("NUL");
    path = test_data("array_real_general.mtx");
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 3, 2, a, 3), TW_E_FORMAT, "shape");
    expect_place(path, 0);
    expect_in_message("3 x 3, not 3 x 2");

    /* single precision ends sooner */
    float s[1];
    path = make_file("single.mtx", ARRAY "1 1\n1e39\n", sizeof ARRAY - 1 + 9);
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 1, 1, a, 1), 0, "1e39");
    tt_expect_info(tw_file_read(path, TW_FLOAT, 1, 1, s, 1), TW_E_FORMAT, "1e39");
    expect_place(path, 3);
    expect_in_message("single");
}

/* A header that asks for more than there is: refused before anything is allocated. */
static void test_gigantic(void **state)
{
    (void)state;
    static const char *const sizes[][2] = {{"9223372036854775807 9223372036854775807", "bytes"},
                                           {"4294967296 4294967296", "bytes"},
                                           {"100000000 100000000", "40000000000000000 bytes"},
                                           {"9223372036854775807 0", "bytes"},
                                           {"0 9223372036854775807", "bytes"}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        char text[256];
        tw_file_info info;
        tw_matrix *A = (tw_matrix *)&A;
        int size = snprintf(text, sizeof text, "%s%s%s", k % 2 ? ARRAY : COORDINATE, sizes[k][0],
                            k % 2 ? "\n1\n" : " 1\n1 1 1\n");
        const char *path = make_file("gigantic.mtx", text, (size_t)size);
        tt_expect_info(tw_file_inspect(path, &info), TW_E_MEMORY, "%s", sizes[k][0]);
        expect_place(path, 2);
        expect_in_message(sizes[k][1]);
        tt_expect_info(tw_matrix_load(&A, path, TW_DOUBLE, TW_GENERAL, 0), TW_E_MEMORY, "%s", sizes[k][0]);
        assert_null(A);
        expect_place(path, 2);
    }
    assert_int_equal(tw_is_running(), 0); /* none of this started the library */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flavours), cmocka_unit_test(test_round_trips),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_damage),
                                       cmocka_unit_test(test_gigantic)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder) != 0;
}
