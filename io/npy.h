/* NumPy's .npy: a magic string, two version bytes, the length of a header, the header (a Python dictionary of three
 * entries), the elements. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 * For matrices (io/dense) and signals (io/fft). */
#ifndef TW_IO_NPY_H
#define TW_IO_NPY_H
#include <stddef.h>
#include <stdio.h>
#include <tilework/matrix.h>

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

enum { TW_NPY_DIMENSIONS = 4, TW_NPY_HEADER_MAX = (1 << 16) + 12 };
struct tw_npy {
    enum tw_type type; /* that the library keeps the elements in: whole numbers and truth values as doubles */
    char kind;         /* f, c, i, u, b */
    int bytes;         /* of an element in the file */
    int rank;          /* 1 to 4 */
    tw_int n[TW_NPY_DIMENSIONS];
    int fortran;  /* the first index runs fastest */
    tw_int whole; /* of a half-complex array: the last dimension of the real one, if Tilework wrote the file; else 0 */
    size_t start; /* where the elements begin */
};
/* 1 if these are the first bytes of such a file. */
int tw_npy_begins(const void *data, size_t size);
/* The header in the first `size` bytes of a file; TW_NPY_HEADER_MAX are enough. 0, or TW_E_FORMAT with the message
 * set. */
int tw_npy_header(const char *name, const void *data, size_t size, struct tw_npy *h);
/* Elements of the file as the library keeps them. */
void tw_npy_convert(const struct tw_npy *h, const void *from, tw_int count, void *to);
/* Everything before the elements of h's type, rank, n, order and whole. Errors show at the stream. */
void tw_npy_begin(FILE *out, const struct tw_npy *h);
#pragma GCC visibility pop
#endif
