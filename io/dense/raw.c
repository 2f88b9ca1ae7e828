/* Raw binary files: a header of 64 bytes, then the matrix column by column, little-endian, without gaps.
 *
 *   0  "TWRAW1\n"      7  type: s, d, c or z      8  stored part: G (all), L or U (the other triangle holds zeros)
 *   16 m (int64)       24 n (int64)               the rest is zero
 *
 * Files without a header hold the elements alone; the caller then says type, m and n, and the size must fit
 * exactly. Values that are not finite are refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw files are little-endian: swap bytes here");

enum {
    HEADER = 64,
    MAGIC = sizeof TW_RAW_MAGIC - 1,
    TYPE_AT = 7,
    UPLO_AT = 8,
    M_AT = 16,
    N_AT = 24,
    USED = 32,
    CHUNK = 512
};

/* ---- header ---------------------------------------------------------------------------------------------------- */

static int bad(const struct tw_reader *r, int byte, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s: byte %d of the header: %s", r->name, byte, what);
}

static const char *words(enum tw_type type)
{
    static const char *const word[] = {"float", "double", "complex float", "complex double"};
    return word[type];
}

int tw_raw_header(struct tw_reader *r, struct tw_header *h)
{
    unsigned char b[HEADER] = {0};
    char what[TW_IO_TEXT];
    tw_int got = tw_reader_bytes(r, b, HEADER), size[2];
    const char *letter;

    *h = (struct tw_header){0};
    if (got < 0) return (int)got;
    if (got < HEADER)
        return tw_fail(TW_E_FORMAT, "%s: the file ends at byte %lld, within the header of %d", r->name, (long long)got,
                       HEADER);
    if (memcmp(b, TW_RAW_MAGIC, MAGIC)) return bad(r, 0, "this is no raw file of Tilework");
    if (!b[TYPE_AT] || !(letter = strchr("sdcz", b[TYPE_AT])))
        return bad(r, TYPE_AT, "the type must be one of the letters s, d, c, z");
    if (!b[UPLO_AT] || !strchr("GLU", b[UPLO_AT]))
        return bad(r, UPLO_AT, "the stored part must be one of the letters G, L, U");
    for (int k = UPLO_AT + 1; k < HEADER; k++)
        if ((k < M_AT || k >= USED) && b[k]) return bad(r, k, "not zero: the file is damaged or of a later version");
    memcpy(size, b + M_AT, sizeof size);
    if (size[0] < 0) return bad(r, M_AT, "the number of rows is negative");
    if (size[1] < 0) return bad(r, N_AT, "the number of columns is negative");

    h->stored = (enum tw_type)(letter - "sdcz");
    snprintf(what, sizeof what, "%.400s: byte %d: a %lld x %lld matrix", r->name, M_AT, (long long)size[0],
             (long long)size[1]);
    double least = (double)tw_sizeof(tw_is_complex(h->stored) ? TW_COMPLEX_FLOAT : TW_FLOAT);
    int e = tw_io_fits(what, (double)tw_max(size[0], 1) * (double)tw_max(size[1], 1) * least);
    if (e) return e;
    h->info = (tw_file_info){.m = size[0],
                             .n = size[1],
                             .nnz = size[0] * size[1],
                             .type = tw_is_complex(h->stored) ? TW_COMPLEX_DOUBLE : TW_DOUBLE,
                             .uplo = (enum tw_uplo)b[UPLO_AT]};
    return 0;
}

/* ---- elements -------------------------------------------------------------------------------------------------- */

static int ends_early(const struct tw_reader *r, const struct tw_header *h, unsigned long long start)
{
    const double bytes = (double)h->info.m * (double)h->info.n * (double)tw_sizeof(h->stored);
    return tw_fail(TW_E_FORMAT, "%s: the file ends at byte %llu; a %lld x %lld %s matrix needs %.0f", r->name,
                   r->offset, (long long)h->info.m, (long long)h->info.n, words(h->stored), (double)start + bytes);
}

/* `count` elements of the stored type into a[k…], converted. i, j: the first one's place. */
static int convert(const struct tw_reader *r, const struct tw_header *h, enum tw_type type, const void *from,
                   tw_int count, void *a, size_t k, tw_int i, tw_int j)
{
    for (tw_int l = 0; l < count; l++) {
        double re, im, x, y;
        tw_io_get(h->stored, from, (size_t)l, &re, &im);
        tw_io_set(type, a, k + (size_t)l, re, im);
        tw_io_get(type, a, k + (size_t)l, &x, &y);
        if (!isfinite(x) || !isfinite(y))
            return tw_fail(TW_E_FORMAT, "%s: byte %llu: entry (%lld, %lld) is not a finite number in %s precision",
                           r->name, r->offset - (unsigned long long)(count - l) * tw_sizeof(h->stored),
                           (long long)(i + l + 1), (long long)(j + 1), tw_is_single(type) ? "single" : "double");
    }
    return 0;
}

int tw_raw_body(struct tw_reader *r, const struct tw_header *h, enum tw_type type, void *a, tw_int lda)
{
    const size_t size = tw_sizeof(h->stored);
    const unsigned long long start = r->offset;
    double chunk[2 * CHUNK];
    const char *more;
    tw_int got;
    int e;

    for (tw_int j = 0; j < h->info.n; j++)
        for (tw_int i = 0; i < h->info.m; i += CHUNK) {
            tw_int count = tw_min(CHUNK, h->info.m - i);
            if ((got = tw_reader_bytes(r, chunk, (size_t)count * size)) < 0) return (int)got;
            if ((size_t)got < (size_t)count * size) return ends_early(r, h, start);
            if ((e = convert(r, h, type, chunk, count, a, (size_t)i + (size_t)j * (size_t)lda, i, j))) return e;
        }
    if ((got = tw_reader_peek(r, 1, &more)) < 0) return (int)got;
    if (got == 0) return 0;
    return tw_fail(TW_E_FORMAT, "%s: the file goes on behind byte %llu, where a %lld x %lld %s matrix ends", r->name,
                   r->offset, (long long)h->info.m, (long long)h->info.n, words(h->stored));
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* A full disk is found when the file is committed. */
void tw_raw_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda)
{
    static const char zeros[CHUNK];
    const size_t size = tw_sizeof(type);
    const tw_int shape[2] = {m, n};
    unsigned char b[HEADER] = TW_RAW_MAGIC;

    b[TYPE_AT] = (unsigned char)tw_letter(type);
    b[UPLO_AT] = (unsigned char)uplo;
    memcpy(b + M_AT, shape, sizeof shape);
    fwrite(b, 1, HEADER, out);
    for (tw_int j = 0; j < n && !ferror(out); j++) {
        tw_int from = uplo == TW_LOWER ? tw_min(j, m) : 0, to = uplo == TW_UPPER ? tw_min(j + 1, m) : m;
        for (size_t k = (size_t)from * size; k > 0; k -= k < CHUNK ? k : CHUNK)
            fwrite(zeros, 1, k < CHUNK ? k : CHUNK, out);
        fwrite((const char *)a + ((size_t)from + (size_t)j * (size_t)lda) * size, size, (size_t)(to - from), out);
        for (size_t k = (size_t)(m - to) * size; k > 0; k -= k < CHUNK ? k : CHUNK)
            fwrite(zeros, 1, k < CHUNK ? k : CHUNK, out);
    }
}
