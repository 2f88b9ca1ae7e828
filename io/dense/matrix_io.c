/* Files straight into and out of a tw_matrix. The whole matrix passes through one column-major array: coordinate
 * files come in any order. */
#include <stdlib.h>

#include "io/io.h"

/* Everything that loading holds at once: the array and the tiles. */
static int fits(const char *path, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb)
{
    char what[TW_IO_TEXT];
    size_t tiles = 0, device = 0;

    if (tw_matrix_memory(type, uplo, m, n, nb, &tiles, &device)) tiles = 0;
    snprintf(what, sizeof what, "%.400s: loading a %lld x %lld matrix", path, (long long)m, (long long)n);
    return tw_io_fits(what, (double)m * (double)n * (double)tw_sizeof(type) + (double)tiles);
}

static int load(tw_matrix **A, struct tw_reader *r, enum tw_type type, enum tw_uplo uplo, tw_int nb)
{
    struct tw_header h;
    enum tw_format format;
    void *a = NULL;
    int e = tw_file_header(r, &format, &h);

    if (e) return e;
    const tw_int m = h.info.m, n = h.info.n;
    if (format == TW_FORMAT_HEADERLESS)
        return tw_fail(TW_E_FORMAT,
                       "%s: line 1, byte 0: neither a Matrix Market file nor NumPy's .npy nor a raw file of Tilework",
                       r->name);
    if (uplo != TW_GENERAL && m != n)
        return tw_fail(TW_E_FORMAT, "%s: the matrix is %lld x %lld: only a square one has a triangle to load", r->name,
                       (long long)m, (long long)n);
    if ((e = fits(r->name, type, uplo, m, n, nb)) || !(a = tw_io_alloc(r->name, m * n, tw_sizeof(type), &e))) return e;
    if (!(e = tw_file_body(r, format, &h, type, m, n, a, tw_max(1, m))))
        e = tw_matrix_from_lapack(A, type, uplo, m, n, a, tw_max(1, m), nb);
    free(a);
    return e;
}

int tw_matrix_load(tw_matrix **A, const char *path, enum tw_type type, enum tw_uplo uplo, tw_int nb)
{
    const char *routine = "tw_matrix_load";
    struct tw_reader r;
    int e;

    if (!A) return tw_illegal(routine, 1, "NULL");
    *A = NULL;
    if (!path) return tw_illegal(routine, 2, "NULL");
    if (!tw_type_ok(type)) return tw_illegal(routine, 3, "not a type");
    if (uplo != TW_GENERAL && uplo != TW_LOWER && uplo != TW_UPPER) return tw_illegal(routine, 4, "not a uplo");
    if (nb < 0) return tw_illegal(routine, 5, "nb must not be negative");
    if (!(e = tw_reader_open(&r, path))) e = load(A, &r, type, uplo, nb);
    tw_reader_close(&r);
    return e;
}

int tw_matrix_save(tw_matrix *A, const char *path)
{
    int e;

    if (!A) return tw_illegal("tw_matrix_save", 1, "NULL");
    if (!path) return tw_illegal("tw_matrix_save", 2, "NULL");
    const enum tw_type type = tw_matrix_type(A);
    const tw_int m = tw_matrix_rows(A), n = tw_matrix_cols(A), lda = tw_max(1, m);
    void *a = tw_io_alloc(path, m * n, tw_sizeof(type), &e);
    if (!a) return e;
    if (!(e = tw_matrix_to_lapack(A, a, lda))) e = tw_file_write(path, type, tw_matrix_uplo(A), m, n, a, lda);
    free(a);
    return e;
}
