/* CSV tables. */
#include "common.h"

static int parse(const char *text, tw_table *t)
{
    return tw_table_read(make_file("table.csv", text, strlen(text)), t);
}

static void expect_table(const char *text, tw_int rows, tw_int cols, const char *const *names, const int *numeric,
                         const double *row_major)
{
    tw_table t;
    tt_expect_info(parse(text, &t), 0, "%s", text);
    assert_int_equal(t.rows, rows);
    assert_int_equal(t.cols, cols);
    for (tw_int c = 0; c < cols; c++) {
        assert_string_equal(t.names[c], names[c]);
        assert_int_equal(t.numeric[c], numeric[c]);
        for (tw_int i = 0; i < rows; i++) {
            double got = t.data[i + c * rows], want = row_major[i * cols + c];
            if (isnan(want) ? !isnan(got) : got != want)
                fail_msg("%s: row %d, column %d: %g", text, (int)i, (int)c, got);
        }
    }
    tw_table_free(&t);
    assert_null(t.data);
}

static void test_good(void **state)
{
    (void)state;
    const char *xy[] = {"x", "y"};
    const int both[] = {1, 1}, first[] = {1, 0};
    const double four[] = {1, 2, 3, 4}, text[] = {1, NAN, 3, NAN}, missing[] = {NAN, 2, 3, NAN};
    expect_table("x,y\n1,2\n3,4\n", 2, 2, xy, both, four);
    expect_table("x,y\n1,2\n3,4", 2, 2, xy, both, four);
    expect_table("x,y\r\n1,2\r\n3,4\r\n", 2, 2, xy, both, four);
    expect_table("\xEF\xBB\xBFx,y\n1,2\n3,4\n", 2, 2, xy, both, four);
    expect_table("\n\nx,y\n\n1,2\n  \n3,4\n\n", 2, 2, xy, both, four);
    expect_table(" x , y\n 1,\t2 \n+3 , 4.0e0\n", 2, 2, xy, both, four);
    expect_table("\"x\",\"y\"\n\"1\",\"2\"\n 3, \"4\" \n", 2, 2, xy, both, four);
    expect_table("x,y\n1,two\n3,4\n", 2, 2, xy, first, text);
    expect_table("x,y\n1,\"a,\nb\"\n3,\"say \"\"no\"\"\"\n", 2, 2, xy, first, text);
    expect_table("x,y\n1,\n3,\n", 2, 2, xy, first, text);
    expect_table("x,y\n1,inf.\n3,inf\n", 2, 2, xy, first, text);
    expect_table("x,y\n,2\n3,\n", 2, 2, xy, both, missing);
    expect_table("x,y\nNA,2\n3,NaN\n", 2, 2, xy, both, missing);
    expect_table("x,y\nnan,2\n3,\"\"\n", 2, 2, xy, both, missing);
    const char *one[] = {"a \"b\", c"};
    expect_table("\"a \"\"b\"\", c\"\n-1e-3\n", 1, 1, one, both, (const double[]){-1e-3});
    const char *empty[] = {"", ""};
    expect_table(",\n1,2\n3,4\n", 2, 2, empty, both, four);
}

static void test_data_file(void **state)
{
    (void)state;
    tw_table t;
    tt_expect_info(tw_table_read(test_data("points.csv"), &t), 0, "points.csv");
    assert_int_equal(t.rows, 6);
    assert_int_equal(t.cols, 5);
    assert_string_equal(t.names[2], "place");
    assert_int_equal(t.numeric[0] + t.numeric[1] + t.numeric[3] + t.numeric[4], 4);
    assert_int_equal(t.numeric[2], 0);
    assert_true(t.data[5 + 0 * 6] == -1 && isnan(t.data[3 + 1 * 6]) && isnan(t.data[0 + 2 * 6]) &&
                isnan(t.data[5 + 4 * 6]));
    tw_table_free(&t);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *part;
    } bad[] = {{"", 1, "empty"},
               {"\n \n", 1, "empty"},
               {"x,y\n", 1, "no rows"},
               {"x,y\n\n\n", 3, "no rows"},
               {"x,y\n1,2\n3\n", 3, "1 fields"},
               {"x,y\n1,2,3\n", 2, "3 fields"},
               {"x,y\n1,2\n\n3,4,\n", 4, "3 fields"},
               {"x,y\n1,2\n3,four\n", 3, "\"four\""},
               {"x,y\n1,2\n3,4z\n", 3, "(\"y\")"},
               {"x,y\n1,2\n3,0x4\n", 3, "0x4"},
               {"x,y\n1,inf\n", 2, "\"inf\""},
               {"x,y\n1,2\n-Infinity,2\n", 3, "finite"},
               {"x,y\n1,1e999\n", 2, "1e999"},
               {"x,y\n1,\"2\n3,4\n", 2, "never closed"},
               {"x,y\n1,\"2\"3\n", 2, "closing quote"},
               {"\"x\"y,z\n1,2\n", 1, "closing quote"},
               {"x,y\n\"a\nb\",1\n\"c\",d\n", 4, "\"d\""}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        tw_table t = {.rows = 77};
        tt_expect_info(parse(bad[k].text, &t), TW_E_FORMAT, "%s", bad[k].text);
        expect_place(in_folder("table.csv"), bad[k].line);
        expect_in_message(bad[k].part);
        assert_int_equal(t.rows, 0);
        tw_table_free(&t);
    }
    tw_table t;
    const char *path = make_file("nul.csv", "x\n1\n2\0\n", 7);
    tt_expect_info(tw_table_read(path, &t), TW_E_FORMAT, "NUL");
    expect_place(path, 3);
    tt_expect_info(tw_table_read(in_folder("absent.csv"), &t), TW_E_IO, "absent");
    expect_place(in_folder("absent.csv"), 0);
    tt_expect_info(tw_table_read(folder, &t), TW_E_IO, "a folder");
    expect_place(folder, 0);
    tt_expect_info(tw_table_read(NULL, &t), -1, "path");
    tt_expect_info(tw_table_read("x", NULL), -2, "t");
    tw_table_free(NULL);
}

/* Lines are bounded: 17 MiB without an end, unquoted and within a quote. */
static void test_gigantic_line(void **state)
{
    (void)state;
    const size_t size = (size_t)17 << 20;
    char *text = malloc(size);
    tw_table t;
    memset(text, '1', size);
    memcpy(text, "x\n2\n", 4);
    tt_expect_info(tw_table_read(make_file("long.csv", text, size), &t), TW_E_FORMAT, "long line");
    expect_place(in_folder("long.csv"), 3);
    expect_in_message("longer than");
    memcpy(text, "x\n\"\n2", 5);
    tt_expect_info(tw_table_read(make_file("long.csv", text, size), &t), TW_E_FORMAT, "long record");
    expect_place(in_folder("long.csv"), 2);
    expect_in_message("never closed");
    free(text);
}

/* Rows beyond any buffer, compared with what was printed. */
static void test_large(void **state)
{
    (void)state;
    const char *path = in_folder("large.csv");
    FILE *f = fopen(path, "w");
    tw_table t;
    fprintf(f, "i,text,u\n");
    for (int i = 0; i < 50000; i++)
        fprintf(f, "%d,\"row %d\nof many\",%.17g\n", i, i, tt_uniform(1, i, 0));
    fclose(f);
    tt_expect_info(tw_table_read(path, &t), 0, "large");
    assert_int_equal(t.rows, 50000);
    for (int i = 0; i < 50000; i++)
        assert_true(t.data[i] == i && t.data[100000 + i] == tt_uniform(1, i, 0));
    tw_table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_data_file),
                                       cmocka_unit_test(test_bad), cmocka_unit_test(test_gigantic_line),
                                       cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder) != 0;
}
