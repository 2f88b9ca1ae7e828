/* The headers of .npy files, and their elements. */
#include "io/npy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/types.h"

static int broken(const char *name, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s: NumPy header: %s", name, what);
}

int tw_npy_begins(const void *data, size_t size)
{
    return size >= 6 && !memcmp(data, "\x93NUMPY", 6);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The text behind 'key': in the header, or NULL. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);

    if (!at) return NULL;
    at += strlen(key);
    while (*at == ' ')
        at++;
    if (*at != ':') return NULL;
    at++;
    while (*at == ' ')
        at++;
    return at;
}

static int shape_of(const char *name, const char *at, struct tw_npy *h)
{
    if (!at || *at != '(') return broken(name, "'shape' is no tuple");
    for (at++;;) {
        long long n;
        char *end;
        while (*at == ' ' || *at == ',')
            at++;
        if (*at == ')') break;
        if (!isdigit((unsigned char)*at)) return broken(name, "'shape' holds something else than sizes");
        n = strtoll(at, &end, 10);
        if (h->rank == TW_NPY_DIMENSIONS) return broken(name, "more than 4 dimensions");
        if (n < 0 || n > (long long)1 << 59) return broken(name, "a size above 2^59");
        h->n[h->rank++] = n;
        at = end + (*end == 'L'); /* Python 2's long integers */
    }
    if (h->rank == 0) h->n[h->rank++] = 1; /* a scalar */
    return 0;
}

static int type_of(const char *name, const char *descr, struct tw_npy *h)
{
    if (!descr || *descr != '\'') return broken(name, "no 'descr' of a plain type");
    if (descr[1] == '>') return broken(name, "big-endian elements are not read");
    if (!descr[1] || !strchr("<|=", descr[1])) return broken(name, "an unknown byte order");
    h->kind = descr[2];
    h->bytes = h->kind ? atoi(descr + 3) : 0;
    if (h->kind == 'f' && (h->bytes == 4 || h->bytes == 8))
        h->type = h->bytes == 4 ? TW_FLOAT : TW_DOUBLE;
    else if (h->kind == 'c' && (h->bytes == 8 || h->bytes == 16))
        h->type = h->bytes == 8 ? TW_COMPLEX_FLOAT : TW_COMPLEX_DOUBLE;
    else if (((h->kind == 'i' || h->kind == 'u') &&
              (h->bytes == 1 || h->bytes == 2 || h->bytes == 4 || h->bytes == 8)) ||
             (h->kind == 'b' && h->bytes == 1))
        h->type = TW_DOUBLE;
    else
        return broken(name, "a type that is not read (f4, f8, c8, c16 and integers are)");
    return 0;
}

/* A comment of Tilework's behind the dictionary, which Python ignores. */
static const char whole_key[] = "# last dimension of the real array: ";

int tw_npy_header(const char *name, const void *data, size_t size, struct tw_npy *h)
{
    enum { TEXT = 1 << 16 };
    const unsigned char *d = data;
    const char *order, *whole;
    char *text;
    size_t length, start;
    int e;

    *h = (struct tw_npy){0};
    if (size < 12 || !tw_npy_begins(data, size)) return broken(name, "it ends too early");
    if (d[6] < 1 || d[6] > 3) return broken(name, "a version that is not 1, 2 or 3");
    length = d[8] | (size_t)d[9] << 8;
    if (d[6] > 1) length |= (size_t)d[10] << 16 | (size_t)d[11] << 24;
    start = d[6] > 1 ? 12 : 10;
    if (length > TEXT) return broken(name, "longer than 64 KiB");
    if (length > size - start) return broken(name, "it ends too early");
    if (!(text = malloc(length + 1))) return tw_fail(TW_E_MEMORY, "%s: no memory for %zu bytes", name, length);
    memcpy(text, d + start, length);
    text[length] = 0;
    h->start = start + length;
    order = value_of(text, "'fortran_order'");
    whole = strstr(text, whole_key);
    e = type_of(name, value_of(text, "'descr'"), h);
    if (!e && (!order || (strncmp(order, "False", 5) != 0 && strncmp(order, "True", 4) != 0)))
        e = broken(name, "no 'fortran_order'");
    if (!e) e = shape_of(name, value_of(text, "'shape'"), h);
    if (!e) h->fortran = order[0] == 'T';
    if (!e && whole) {
        const tw_int n = strtoll(whole + strlen(whole_key), NULL, 10);
        if (n >= 1 && n / 2 + 1 == h->n[h->rank - 1]) h->whole = n;
    }
    free(text);
    return e;
}

void tw_npy_convert(const struct tw_npy *h, const void *data, tw_int count, void *to)
{
    const unsigned char *from = data;

    if (h->kind == 'f' || h->kind == 'c') {
        memcpy(to, from, (size_t)count * (size_t)h->bytes);
        return;
    }
    for (tw_int k = 0; k < count; k++) {
        uint64_t u = 0;
        for (int b = h->bytes - 1; b >= 0; b--)
            u = u << 8 | from[k * h->bytes + b];
        if (h->kind == 'i' && h->bytes < 8 && u >> (8 * h->bytes - 1)) u -= (uint64_t)1 << 8 * h->bytes;
        ((double *)to)[k] = h->kind == 'i' ? (double)(int64_t)u : h->kind == 'b' ? u != 0 : (double)u;
    }
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

void tw_npy_begin(FILE *out, const struct tw_npy *h)
{
    static const char *const names[] = {"<f4", "<f8", "<c8", "<c16"};
    char text[320];
    int at = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (", names[h->type],
                      h->fortran ? "True" : "False"),
        total;

    for (int d = 0; d < h->rank; d++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%" PRId64 "%s", h->n[d],
                       d + 1 < h->rank ? ", "
                       : h->rank == 1  ? ","
                                       : "");
    at += snprintf(text + at, sizeof text - (size_t)at, "), }");
    if (h->whole) at += snprintf(text + at, sizeof text - (size_t)at, "  %s%" PRId64, whole_key, h->whole);
    total = (10 + at + 1 + 63) / 64 * 64; /* the elements begin at a multiple of 64 */
    fputs("\x93NUMPY", out);
    fputc(1, out);
    fputc(0, out);
    fputc((total - 10) & 255, out);
    fputc((total - 10) >> 8, out);
    fprintf(out, "%s%*s\n", text, total - 10 - at - 1, "");
}
