/* Raw files with and without a header, matrices as .npy, and the choice between formats. The first byte says the type
 * and the shape that the caller asks for; the rest is the file. */
#include "common.h"

static void round_trip(enum tw_type type, tw_int m, tw_int n, const void *a)
{
    const tw_int lda = tw_max(1, m);
    const size_t bytes = (size_t)(m * n) * tw_sizeof(type);
    enum tw_format format;
    struct tw_reader r;
    struct tw_header h;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    void *b = malloc(bytes + 1);

    REQUIRE(f && b);
    tw_raw_write(f, type, TW_GENERAL, m, n, a, lda);
    REQUIRE(fclose(f) == 0);
    f = open_input(text, size);
    REQUIRE(tw_reader_attach(&r, f, "again.raw") == 0 && tw_file_header(&r, &format, &h) == 0 &&
            format == TW_FORMAT_RAW);
    REQUIRE(h.info.m == m && h.info.n == n && h.stored == type);
    REQUIRE(tw_file_body(&r, format, &h, type, m, n, b, lda) == 0 && !memcmp(a, b, bytes));
    tw_reader_close(&r);
    fclose(f);
    free(b);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned choice = size ? data[0] : 0;
    const enum tw_type type = (enum tw_type)(choice % 4);
    tw_int m = choice / 4 % 8, n = choice / 32;
    enum tw_format format;
    struct tw_reader r;
    struct tw_header h;

    limit_memory();
    FILE *f = open_input(data + (size > 0), size - (size > 0));
    int e = tw_reader_attach(&r, f, "fuzz.raw");
    if (!e && !(e = tw_file_header(&r, &format, &h))) {
        if (format != TW_FORMAT_HEADERLESS && h.info.m * h.info.n <= ELEMENTS && choice % 32 < 16)
            m = h.info.m, n = h.info.n;
        void *a = malloc((size_t)(m * n + 1) * tw_sizeof(type));
        REQUIRE(a);
        e = tw_file_body(&r, format, &h, type, m, n, a, tw_max(1, m));
        if (!e) {
            check_finite(type, m * n, a);
            round_trip(type, m, n, a);
        }
        free(a);
    }
    check_answer(e, "fuzz.raw");
    tw_reader_close(&r);
    fclose(f);
    return 0;
}
