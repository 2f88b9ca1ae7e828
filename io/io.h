/* What the files of io/ share: the line reader, the formats. */
#ifndef TW_IO_IO_H
#define TW_IO_IO_H
#include <stdio.h>
#include <tilework/matrix.h>
#include "io/npy.h"
#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "types/random.h"

enum { TW_IO_TEXT = 512 }; /* descriptions inside messages */

/* ---- io.c: memory and numbers ---------------------------------------------------------------------------------- */

/* 0 if `bytes` (a double: it may lie beyond 64 bits) fit in what the library may plan with, else TW_E_MEMORY
 * saying how many bytes `what` needs. Called before anything is allocated. */
int tw_io_fits(const char *what, double bytes);
/* malloc of count elements of `size` bytes behind that check, *e = 0; on failure NULL, *e an error, the message set. */
void *tw_io_alloc(const char *what, tw_int count, size_t size, int *e);

enum tw_number {
    TW_NUMBER_OK,
    TW_NUMBER_NONE,     /* no decimal number begins here (hexadecimal ones are none) */
    TW_NUMBER_RANGE,    /* beyond the largest double */
    TW_NUMBER_NONFINITE /* the words inf, infinity or nan */
};
/* A decimal number at s, the same in every locale; *end is set behind it. */
enum tw_number tw_number_parse(const char *s, const char **end, double *value);
/* An integer at s, with the same results (RANGE: beyond 64 bits). */
enum tw_number tw_integer_parse(const char *s, const char **end, tw_int *value);
/* A text from a file for a message: in quotes, shortened, without control characters. Returns buffer. */
enum { TW_QUOTE_MAX = 64 };
const char *tw_quote(char buffer[TW_QUOTE_MAX], const char *text);

/* ---- reader.c: buffered input that knows where it is ----------------------------------------------------------- */

#define TW_LINE_MAX ((size_t)16 << 20) /* bytes; longer lines are refused */

struct tw_reader {
    FILE *stream;
    const char *name; /* for messages */
    char *buffer;
    size_t begin, end, capacity;
    int owned;   /* tw_reader_close closes the stream */
    int at_end;  /* the stream has no more */
    tw_int line; /* 1-based number of the line last returned (the first of a record's; the last of all at the end) */
    tw_int next_line;
    unsigned long long offset; /* bytes consumed so far */
};
/* Open a file ("name: cannot open" otherwise), or read from a stream that stays the caller's. 0 or TW_E_IO,
 * TW_E_MEMORY. */
int tw_reader_open(struct tw_reader *r, const char *path);
int tw_reader_attach(struct tw_reader *r, FILE *stream, const char *name);
/* Close what tw_reader_open opened, free the buffer. */
void tw_reader_close(struct tw_reader *r);
/* At least `bytes` unread bytes at *p, fewer at the end of the file. Returns how many, or an error < 0. */
tw_int tw_reader_peek(struct tw_reader *r, size_t bytes, const char **p);
/* The next line without its end (LF or CRLF), NUL-terminated, valid until the next call: 1; 0 at the end of the
 * file; an error < 0. quoted = 1: line ends inside "…" belong to the record. A NUL byte in the line is
 * TW_E_FORMAT. */
int tw_reader_line(struct tw_reader *r, int quoted, char **line, size_t *length);
/* Up to `bytes` bytes into p. Returns how many, fewer only at the end of the file, or an error < 0. */
tw_int tw_reader_bytes(struct tw_reader *r, void *p, size_t bytes);

/* ---- dense/matrix_market.c, dense/raw.c, dense/npy.c, file.c ----------------------------------------------------- */

struct tw_header {
    tw_file_info info;
    int integer, pattern; /* Matrix Market fields */
    enum tw_type stored;  /* of the elements in a raw file */
    struct tw_npy npy;
};
int tw_matrix_market_header(struct tw_reader *r, struct tw_header *h);
int tw_matrix_market_body(struct tw_reader *r, const struct tw_header *h, enum tw_type type, void *a, tw_int lda);
void tw_matrix_market_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                            tw_int lda);
#define TW_RAW_MAGIC "TWRAW1\n"
int tw_raw_header(struct tw_reader *r, struct tw_header *h);
int tw_raw_body(struct tw_reader *r, const struct tw_header *h, enum tw_type type, void *a, tw_int lda);
void tw_raw_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda);
int tw_npy_matrix_header(struct tw_reader *r, struct tw_header *h);
int tw_npy_matrix_body(struct tw_reader *r, const struct tw_header *h, enum tw_type type, void *a, tw_int lda);
void tw_npy_matrix_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a, tw_int lda,
                         int vector);

/* Which format the content (then the name) says. */
enum tw_format { TW_FORMAT_MATRIX_MARKET, TW_FORMAT_RAW, TW_FORMAT_NPY, TW_FORMAT_HEADERLESS };
int tw_file_header(struct tw_reader *r, enum tw_format *format, struct tw_header *h);
/* m, n: what the caller expects. For headerless files also what the file is taken for. */
int tw_file_body(struct tw_reader *r, enum tw_format format, const struct tw_header *h, enum tw_type type, tw_int m,
                 tw_int n, void *a, tw_int lda);

/* One element, real and imaginary part, of any type. */
static inline void tw_io_get(enum tw_type type, const void *a, size_t k, double *re, double *im)
{
    *im = 0;
    switch (type) {
    case TW_FLOAT: *re = ((const float *)a)[k]; break;
    case TW_DOUBLE: *re = ((const double *)a)[k]; break;
    case TW_COMPLEX_FLOAT: *re = ((const float *)a)[2 * k], *im = ((const float *)a)[2 * k + 1]; break;
    default: *re = ((const double *)a)[2 * k], *im = ((const double *)a)[2 * k + 1]; break;
    }
}
static inline void tw_io_set(enum tw_type type, void *a, size_t k, double re, double im)
{
    switch (type) {
    case TW_FLOAT: ((float *)a)[k] = (float)re; break;
    case TW_DOUBLE: ((double *)a)[k] = re; break;
    case TW_COMPLEX_FLOAT: ((float *)a)[2 * k] = (float)re, ((float *)a)[2 * k + 1] = (float)im; break;
    default: ((double *)a)[2 * k] = re, ((double *)a)[2 * k + 1] = im; break;
    }
}

/* ---- table.c --------------------------------------------------------------------------------------------------- */

int tw_table_parse(struct tw_reader *r, tw_table *t);
#endif
