/* CSV tables: whatever is accepted is rectangular, finite or missing, with columns that are one thing. */
#include "common.h"

static void check_table(const tw_table *t)
{
    REQUIRE(t->rows > 0 && t->cols > 0 && t->names && t->numeric && t->data);
    for (tw_int c = 0; c < t->cols; c++) {
        tw_int present = 0;
        REQUIRE(strlen(t->names[c]) < TW_LINE_MAX);
        for (tw_int i = 0; i < t->rows; i++) {
            double x = t->data[i + c * t->rows];
            REQUIRE(!isinf(x));
            present += !isnan(x);
        }
        REQUIRE(t->numeric[c] == (present > 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_reader r;
    tw_table t;

    limit_memory();
    FILE *f = open_input(data, size);
    int e = tw_reader_attach(&r, f, "fuzz.csv");
    if (!e) e = tw_table_parse(&r, &t);
    check_answer(e, "fuzz.csv");
    if (e)
        REQUIRE(!t.rows && !t.data && !t.names);
    else
        check_table(&t);
    tw_table_free(&t);
    tw_reader_close(&r);
    fclose(f);
    return 0;
}
