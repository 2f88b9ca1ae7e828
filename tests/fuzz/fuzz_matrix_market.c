/* Matrix Market: whatever is read in full has the structure its banner says, and survives being written and read
 * again. */
#include "common.h"

static int read_all(const void *data, size_t size, enum tw_type type, struct tw_header *h, void **a)
{
    FILE *f = open_input(data, size);
    struct tw_reader r;
    int e = tw_reader_attach(&r, f, "fuzz.mtx");

    *a = NULL;
    if (!e && !(e = tw_matrix_market_header(&r, h)) && h->info.m * h->info.n <= ELEMENTS) {
        *a = malloc((size_t)(h->info.m * h->info.n + 1) * tw_sizeof(type));
        REQUIRE(*a);
        e = tw_file_body(&r, TW_FORMAT_MATRIX_MARKET, h, type, h->info.m, h->info.n, *a, tw_max(1, h->info.m));
    }
    tw_reader_close(&r);
    fclose(f);
    check_answer(e, "fuzz.mtx");
    return e;
}

static void check_structure(const tw_file_info *f, enum tw_type type, const void *a)
{
    for (tw_int j = 0; j < f->n; j++)
        for (tw_int i = j; i < f->m; i++) {
            double x, y, u, v;
            tw_io_get(type, a, (size_t)(i + j * f->m), &x, &y);
            tw_io_get(type, a, (size_t)(j + i * f->m), &u, &v);
            if (f->symmetric) REQUIRE(x == u && y == v);
            if (f->hermitian) REQUIRE(x == u && y == -v);
            if (f->skew) REQUIRE(x == -u && y == -v);
        }
}

static void round_trip(const tw_file_info *f, enum tw_type type, const void *a)
{
    const enum tw_uplo uplo = f->skew ? TW_GENERAL : f->uplo;
    /* Complex symmetric matrices with a real diagonal are written as hermitian: only the triangle given is kept. */
    const int lower = f->symmetric && tw_is_complex(type);
    struct tw_header h;
    char *text = NULL;
    size_t size = 0;
    void *b;
    FILE *out = open_memstream(&text, &size);

    REQUIRE(out);
    tw_matrix_market_write(out, type, uplo, f->m, f->n, a, tw_max(1, f->m));
    REQUIRE(fclose(out) == 0);
    REQUIRE(read_all(text, size, type, &h, &b) == 0 && h.info.m == f->m && h.info.n == f->n);
    for (tw_int j = 0; j < f->n; j++)
        for (tw_int i = lower ? j : 0; i < f->m; i++) {
            double x, y, u, v;
            tw_io_get(type, a, (size_t)(i + j * f->m), &x, &y);
            tw_io_get(type, b, (size_t)(i + j * f->m), &u, &v);
            REQUIRE(x == u && y == v);
        }
    free(text);
    free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    limit_memory();
    for (int type = 0; type < TW_NTYPES; type++) {
        struct tw_header h;
        void *a;
        if (read_all(data, size, type, &h, &a) == 0 && a) {
            check_finite(type, h.info.m * h.info.n, a);
            if (h.info.uplo != TW_GENERAL) check_structure(&h.info, type, a);
            round_trip(&h.info, type, a);
        }
        free(a);
    }
    return 0;
}
