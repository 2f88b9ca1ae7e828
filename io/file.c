/* Matrices in files: which format, and what every format has to check. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "io/io.h"
#include "runtime/base/file.h"

static int named(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && !strcasecmp(path + n - m, ending);
}
/* Standard output gets what a reader can look at. */
static int named_mtx(const char *path)
{
    return named(path, ".mtx") || !strcmp(path, "-");
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

int tw_file_header(struct tw_reader *r, enum tw_format *format, struct tw_header *h)
{
    static const char banner[] = "%%MatrixMarket";
    const size_t length = sizeof banner - 1, magic = sizeof TW_RAW_MAGIC - 1;
    const char *start;
    tw_int got = tw_reader_peek(r, length, &start);

    *h = (struct tw_header){0};
    if (got < 0) return (int)got;
    if (((size_t)got == length && !strncasecmp(start, banner, length)) || named_mtx(r->name)) {
        *format = TW_FORMAT_MATRIX_MARKET;
        return tw_matrix_market_header(r, h);
    }
    if ((size_t)got >= magic && !memcmp(start, TW_RAW_MAGIC, magic)) {
        *format = TW_FORMAT_RAW;
        return tw_raw_header(r, h);
    }
    if (tw_npy_begins(start, (size_t)got) || named(r->name, ".npy")) {
        *format = TW_FORMAT_NPY;
        return tw_npy_matrix_header(r, h);
    }
    *format = TW_FORMAT_HEADERLESS;
    return 0;
}

int tw_file_body(struct tw_reader *r, enum tw_format format, const struct tw_header *h, enum tw_type type, tw_int m,
                 tw_int n, void *a, tw_int lda)
{
    if (format == TW_FORMAT_HEADERLESS) {
        const struct tw_header raw = {.info = {.m = m, .n = n}, .stored = type};
        return tw_raw_body(r, &raw, type, a, lda);
    }
    if (h->info.m != m || h->info.n != n)
        return tw_fail(TW_E_FORMAT, "%s: the matrix is %lld x %lld, not %lld x %lld", r->name, (long long)h->info.m,
                       (long long)h->info.n, (long long)m, (long long)n);
    if (tw_is_complex(h->info.type) && !tw_is_complex(type))
        return tw_fail(TW_E_FORMAT, "%s: the matrix is complex and cannot be read into a real type", r->name);
    if (format == TW_FORMAT_NPY) return tw_npy_matrix_body(r, h, type, a, lda);
    return format == TW_FORMAT_RAW ? tw_raw_body(r, h, type, a, lda) : tw_matrix_market_body(r, h, type, a, lda);
}

int tw_file_inspect(const char *path, tw_file_info *info)
{
    struct tw_reader r;
    struct tw_header h;
    enum tw_format format;
    int e;

    if (!path) return tw_illegal("tw_file_inspect", 1, "NULL");
    if (!info) return tw_illegal("tw_file_inspect", 2, "NULL");
    *info = (tw_file_info){.type = TW_DOUBLE, .uplo = TW_GENERAL};
    if (!(e = tw_reader_open(&r, path)) && !(e = tw_file_header(&r, &format, &h))) {
        if (format == TW_FORMAT_HEADERLESS)
            e = tw_fail(TW_E_FORMAT,
                        "%s: line 1, byte 0: neither a Matrix Market file (its first line begins with "
                        "%%%%MatrixMarket) nor NumPy's .npy nor a raw file "
                        "of Tilework; the size of a raw file without a header has to be said: tw_file_read",
                        path);
        else
            *info = h.info;
    }
    tw_reader_close(&r);
    return e;
}

int tw_file_read(const char *path, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda)
{
    const char *routine = "tw_file_read";
    struct tw_reader r;
    struct tw_header h;
    enum tw_format format;
    int e;

    if (!path) return tw_illegal(routine, 1, "NULL");
    if (!tw_type_ok(type)) return tw_illegal(routine, 2, "not a type");
    if (m < 0) return tw_illegal(routine, 3, "m must not be negative");
    if (n < 0) return tw_illegal(routine, 4, "n must not be negative");
    if (!a && m > 0 && n > 0) return tw_illegal(routine, 5, "NULL");
    if (lda < tw_max(1, m)) return tw_illegal(routine, 6, "lda must be at least max(1, m)");
    if (!(e = tw_reader_open(&r, path)) && !(e = tw_file_header(&r, &format, &h)))
        e = tw_file_body(&r, format, &h, type, m, n, a, lda);
    tw_reader_close(&r);
    return e;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static int check_finite(const char *path, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                        tw_int lda)
{
    for (tw_int j = 0; j < n; j++) {
        tw_int from = uplo == TW_LOWER ? tw_min(j, m) : 0, to = uplo == TW_UPPER ? tw_min(j + 1, m) : m;
        for (tw_int i = from; i < to; i++) {
            double re, im;
            tw_io_get(type, a, (size_t)i + (size_t)j * (size_t)lda, &re, &im);
            if (!isfinite(re) || !isfinite(im))
                return tw_fail(TW_E_FORMAT, "%s: entry (%lld, %lld) of the matrix is not finite: no file was written",
                               path, (long long)i + 1, (long long)j + 1);
        }
    }
    return 0;
}

/* vector: a column, which .npy has a shape of its own for. */
static int write_file(const char *path, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                      tw_int lda, int vector)
{
    struct tw_outfile out;
    int e;

    if ((e = check_finite(path, type, uplo, m, n, a, lda)) || (e = tw_outfile_open(&out, path))) return e;
    if (named_mtx(path))
        tw_matrix_market_write(out.stream, type, uplo, m, n, a, lda);
    else if (named(path, ".npy"))
        tw_npy_matrix_write(out.stream, type, uplo, m, n, a, lda, vector);
    else
        tw_raw_write(out.stream, type, uplo, m, n, a, lda);
    return tw_outfile_commit(&out);
}

int tw_file_write(const char *path, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const char *routine = "tw_file_write";

    if (!path) return tw_illegal(routine, 1, "NULL");
    if (!tw_type_ok(type)) return tw_illegal(routine, 2, "not a type");
    if (uplo != TW_GENERAL && uplo != TW_LOWER && uplo != TW_UPPER) return tw_illegal(routine, 3, "not a uplo");
    if (m < 0) return tw_illegal(routine, 4, "m must not be negative");
    if (n < 0) return tw_illegal(routine, 5, "n must not be negative");
    if (uplo != TW_GENERAL && m != n && (named_mtx(path) || named(path, ".npy")))
        return tw_illegal(routine, 5, "a symmetric file holds a square matrix");
    if (!a && m > 0 && n > 0) return tw_illegal(routine, 6, "NULL");
    if (lda < tw_max(1, m)) return tw_illegal(routine, 7, "lda must be at least max(1, m)");
    return write_file(path, type, uplo, m, n, a, lda, 0);
}

int tw_file_write_vector(const char *path, enum tw_type type, tw_int n, const void *x)
{
    const char *routine = "tw_file_write_vector";

    if (!path) return tw_illegal(routine, 1, "NULL");
    if (!tw_type_ok(type)) return tw_illegal(routine, 2, "not a type");
    if (n < 0) return tw_illegal(routine, 3, "n must not be negative");
    if (n > PTRDIFF_MAX / (tw_int)tw_sizeof(type)) return tw_illegal(routine, 3, "no array has so many elements");
    if (!x && n > 0) return tw_illegal(routine, 4, "NULL");
    return write_file(path, type, TW_GENERAL, n, 1, x, tw_max(1, n), 1);
}
