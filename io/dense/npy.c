/* Matrices in NumPy's .npy. They are written in Fortran's order, which is theirs; both orders are read. An array of one
 * dimension is a column. Values that are not finite are refused. */
#include "io/npy.h"

#include <math.h>
#include <string.h>

#include "io/io.h"

enum { CHUNK = 512 };

int tw_npy_matrix_header(struct tw_reader *r, struct tw_header *h)
{
    const char *start;
    char skipped[64], what[TW_IO_TEXT];
    struct tw_npy *npy = &h->npy;
    const tw_int got = tw_reader_peek(r, TW_NPY_HEADER_MAX, &start);
    int e;

    *h = (struct tw_header){0};
    if (got < 0) return (int)got;
    if ((e = tw_npy_header(r->name, start, (size_t)got, npy))) return e;
    if (npy->rank > 2) return tw_fail(TW_E_FORMAT, "%s: an array of %d dimensions is no matrix", r->name, npy->rank);
    for (size_t left = npy->start; left > 0; left -= left < sizeof skipped ? left : sizeof skipped)
        if (tw_reader_bytes(r, skipped, left < sizeof skipped ? left : sizeof skipped) < 0) return TW_E_IO;
    const tw_int m = npy->n[0], n = npy->rank == 2 ? npy->n[1] : 1;
    snprintf(what, sizeof what, "%.400s: a %lld x %lld matrix", r->name, (long long)m, (long long)n);
    if ((e = tw_io_fits(what, (double)tw_max(m, 1) * (double)tw_max(n, 1) * npy->bytes))) return e;
    h->stored = npy->type;
    h->info = (tw_file_info){.m = m,
                             .n = n,
                             .nnz = m * n,
                             .type = tw_is_complex(npy->type) ? TW_COMPLEX_DOUBLE : TW_DOUBLE,
                             .uplo = TW_GENERAL,
                             .vector = npy->rank == 1};
    return 0;
}

int tw_npy_matrix_body(struct tw_reader *r, const struct tw_header *h, enum tw_type type, void *a, tw_int lda)
{
    const struct tw_npy *npy = &h->npy;
    const int columns = npy->fortran || npy->rank == 1; /* the file goes along them */
    const tw_int m = h->info.m, n = h->info.n, line = columns ? m : n;
    double file[2 * CHUNK], kept[2 * CHUNK];
    const char *more;
    tw_int got;

    for (tw_int at = 0, count; at < m * n; at += count) {
        count = tw_min(CHUNK, m * n - at);
        const size_t bytes = (size_t)count * (size_t)npy->bytes;
        if ((got = tw_reader_bytes(r, file, bytes)) < 0) return (int)got;
        if ((size_t)got < bytes)
            return tw_fail(TW_E_FORMAT, "%s: the file ends at byte %llu, before the last of %lld x %lld elements",
                           r->name, r->offset, (long long)m, (long long)n);
        tw_npy_convert(npy, file, count, kept);
        for (tw_int k = 0; k < count; k++) {
            const tw_int along = (at + k) % line, across = (at + k) / line;
            const tw_int row = columns ? along : across, column = columns ? across : along;
            const size_t to = (size_t)row + (size_t)column * (size_t)lda;
            double re, im, x, y;
            tw_io_get(npy->type, kept, (size_t)k, &re, &im);
            tw_io_set(type, a, to, re, im);
            tw_io_get(type, a, to, &x, &y);
            if (!isfinite(x) || !isfinite(y))
                return tw_fail(TW_E_FORMAT, "%s: entry (%lld, %lld) is not a finite number in %s precision", r->name,
                               (long long)(row + 1), (long long)(column + 1), tw_is_single(type) ? "single" : "double");
        }
    }
    if ((got = tw_reader_peek(r, 1, &more)) < 0) return (int)got;
    if (got == 0) return 0;
    return tw_fail(TW_E_FORMAT, "%s: the file goes on behind byte %llu, where its %lld x %lld elements end", r->name,
                   r->offset, (long long)m, (long long)n);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Element (i, j) of the symmetric or hermitian matrix that a triangle stands for. */
static void mirrored(enum tw_type type, enum tw_uplo uplo, tw_int i, tw_int j, const void *a, tw_int lda, void *to)
{
    const int other = uplo == TW_LOWER ? i < j : i > j;
    double re, im;

    tw_io_get(type, a, (size_t)(other ? j : i) + (size_t)(other ? i : j) * (size_t)lda, &re, &im);
    tw_io_set(type, to, 0, re, other ? -im : im);
}

/* A triangle is written as the whole matrix: the format has no word for less. A full disk is found when the file is
 * committed. */
void tw_npy_matrix_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda,
                         int vector)
{
    const size_t size = tw_sizeof(type);
    double element[2];

    tw_npy_begin(out, &(struct tw_npy){.type = type, .rank = vector ? 1 : 2, .n = {m, n}, .fortran = 1});
    for (tw_int j = 0; j < n && !ferror(out); j++) {
        if (uplo == TW_GENERAL) {
            fwrite((const char *)a + (size_t)j * (size_t)lda * size, size, (size_t)m, out);
            continue;
        }
        for (tw_int i = 0; i < m; i++) {
            mirrored(type, uplo, i, j, a, lda, element);
            fwrite(element, size, 1, out);
        }
    }
}
