/* What the files of io/ share: the generators' families, the line reader, the formats. */
#ifndef TW_IO_IO_H
#define TW_IO_IO_H
#include <stdio.h>
#include <tilework/matrix.h>
#include "io/npy.h"
#include "runtime/base/error.h"
#include "runtime/base/types.h"

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
/* While writing: this thread's locale is C between the two, whatever the program set. */
void *tw_c_locale_enter(void);
void tw_c_locale_leave(void *before);

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

/* ---- dense/matrix_market.c, dense/raw.c, dense/npy.c, file.c ---------------------------------------------------------------------------- */

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
void tw_npy_matrix_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                         tw_int lda);

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

/* ---- generate*.c ----------------------------------------------------------------------------------------------- */

/* Rows i0…i0+m-1 of column j, in double: the driver rounds to the generator's type. im is NULL for real types.
 * Kinds without `imaginary` leave im alone. */
typedef void (*tw_column_fn)(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);

struct tw_kind {
    const char *name, *text;
    int square;    /* the matrix must be */
    int imaginary; /* complex types get imaginary parts */
    int spd;       /* by construction, for square shapes; setup may change the generator's copy */
    /* Read the parameters (the text after the colon; NULL without one) and precompute. NULL: the kind takes none. */
    int (*setup)(tw_generator *g, const char *parameters);
    tw_column_fn column;
};
struct tw_generator {
    const struct tw_kind *kind;
    enum tw_type type;
    tw_int m, n;
    int spd;
    uint64_t stream[2];  /* of the real and the imaginary part, from the seed */
    tw_int at[2];        /* minor, nan: 0-based row and column of the odd entry */
    double scale, shift; /* kind's own numbers */
    tw_int k;            /* spectrum: reflectors; gp: columns of the points */
    double *work;        /* kind's own table, one malloc */
};
/* TW_E_OPTION: `kind "…": ` + what is wrong + the legal kinds. */
int tw_kind_fail(const tw_generator *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

int tw_setup_entry(tw_generator *g, const char *parameters); /* minor:K and nan:I,J */
int tw_setup_kms(tw_generator *g, const char *parameters);
int tw_setup_spectrum(tw_generator *g, const char *parameters);
int tw_setup_gp(tw_generator *g, const char *parameters);
void tw_column_random(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_symmetric(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_spd(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_minor(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_nan(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_hilbert(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_minij(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_lehmer(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_kms(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_laplacian(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_identity(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_zero(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_spectrum(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);
void tw_column_gp(const tw_generator *g, tw_int i0, tw_int m, tw_int j, double *re, double *im);

/* The counter-based random numbers of all kinds: SplitMix64's finaliser (Steele, Lea, Flood 2014) of a word that
 * is affine in the counters. Multipliers: odd, from the golden ratio and from sqrt(3) - 1. */
static inline uint64_t tw_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static inline uint64_t tw_hash(uint64_t stream, tw_int i, tw_int j)
{
    return tw_mix(stream + (uint64_t)i * 0x9E3779B97F4A7C15u + (uint64_t)j * 0xBB67AE8584CAA73Bu);
}
/* Uniform in (-1, 1), symmetric about 0, never 0: the upper 52 bits become a double in [2, 4). */
static inline double tw_uniform(uint64_t stream, tw_int i, tw_int j)
{
    union {
        uint64_t u;
        double d;
    } x = {.u = tw_hash(stream, i, j) >> 12 | 0x4000000000000000u};
    return x.d - (3.0 - 0x1p-52);
}
#endif
