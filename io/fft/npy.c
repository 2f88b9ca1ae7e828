/* NumPy's .npy: a magic string, two version bytes, the length of a header, the header (a Python dictionary of three entries), the elements.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "io/fft/signal.h"

enum { HEADER_MAX = 1 << 16 };

static int broken(const struct tw_input *f, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s: NumPy header: %s", f->name, what);
}

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

static int shape_of(const struct tw_input *f, const char *at, tw_signal *s)
{
    if (!at || *at != '(') return broken(f, "'shape' is no tuple");
    for (at++;;) {
        long long n;
        char *end;
        while (*at == ' ' || *at == ',')
            at++;
        if (*at == ')') break;
        if (!isdigit((unsigned char)*at)) return broken(f, "'shape' holds something else than sizes");
        n = strtoll(at, &end, 10);
        if (s->rank == 4) return broken(f, "more than 4 dimensions");
        if (n < 1 || n > (long long)1 << 59) return broken(f, "a size below 1 or above 2^59");
        s->n[s->rank++] = n;
        at = end;
    }
    if (s->rank == 0) s->n[s->rank++] = 1; /* a scalar */
    return 0;
}

/* Elements of the file as the library keeps them. */
static void convert(const unsigned char *from, char kind, int bytes, tw_signal *s)
{
    double *to = s->data;

    for (tw_int k = 0; k < s->count; k++) {
        uint64_t u = 0;
        for (int b = bytes - 1; b >= 0; b--)
            u = u << 8 | from[k * bytes + b];
        if (kind == 'i' && bytes < 8 && u >> (8 * bytes - 1)) u -= (uint64_t)1 << 8 * bytes;
        to[k] = kind == 'i' ? (double)(int64_t)u : kind == 'b' ? u != 0 : (double)u;
    }
}

int tw_npy_parse(struct tw_input *f, tw_signal *s)
{
    const char *descr, *order;
    char header[HEADER_MAX + 1], kind;
    size_t length, start;
    int wide, bytes, e;

    if (f->size < 12) return broken(f, "it ends too early");
    if (f->data[6] < 1 || f->data[6] > 3) return broken(f, "a version that is not 1, 2 or 3");
    wide = f->data[6] > 1;
    length = tw_little(f->data + 8, wide ? 4 : 2);
    start = wide ? 12 : 10;
    if (length > HEADER_MAX) return broken(f, "longer than 64 KiB");
    if (length > f->size - start) return broken(f, "it ends too early");
    memcpy(header, f->data + start, length);
    header[length] = 0;

    descr = value_of(header, "'descr'");
    order = value_of(header, "'fortran_order'");
    if (!descr || *descr != '\'') return broken(f, "no 'descr' of a plain type");
    if (!order || (strncmp(order, "False", 5) != 0 && strncmp(order, "True", 4) != 0))
        return broken(f, "no 'fortran_order'");
    if (descr[1] == '>') return broken(f, "big-endian elements are not read");
    if (!descr[1] || !strchr("<|=", descr[1])) return broken(f, "an unknown byte order");
    kind = descr[2];
    bytes = kind ? atoi(descr + 3) : 0;
    if ((e = shape_of(f, value_of(header, "'shape'"), s))) return e;
    if (order[0] == 'T' && s->rank > 1)
        return broken(f, "Fortran order is not read (numpy.ascontiguousarray changes it)");
    if (kind == 'f' && (bytes == 4 || bytes == 8))
        s->type = bytes == 4 ? TW_FLOAT : TW_DOUBLE;
    else if (kind == 'c' && (bytes == 8 || bytes == 16))
        s->type = bytes == 8 ? TW_COMPLEX_FLOAT : TW_COMPLEX_DOUBLE;
    else if ((strchr("iu", kind) && kind && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)) ||
             (kind == 'b' && bytes == 1))
        s->type = TW_DOUBLE;
    else
        return broken(f, "a type that is not read (f4, f8, c8, c16 and integers are)");
    start += length;
    if ((e = tw_signal_allocate(f->name, s, (tw_int)((f->size - start) / (size_t)bytes)))) return e;
    if (kind == 'f' || kind == 'c')
        memcpy(s->data, f->data + start, (size_t)s->count * (size_t)bytes);
    else
        convert(f->data + start, kind, bytes, s);
    return 0;
}

void tw_npy_write(FILE *out, const tw_signal *s)
{
    static const char *const names[] = {"<f4", "<f8", "<c8", "<c16"};
    char header[256];
    int at = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (", names[s->type]),
        total;

    for (int d = 0; d < s->rank; d++)
        at += snprintf(header + at, sizeof header - (size_t)at, "%" PRId64 "%s", s->n[d],
                       d + 1 < s->rank ? ", "
                       : s->rank == 1  ? ","
                                       : "");
    at += snprintf(header + at, sizeof header - (size_t)at, "), }");
    total = (10 + at + 1 + 63) / 64 * 64; /* the elements begin at a multiple of 64 */
    fputs("\x93NUMPY", out);
    fputc(1, out);
    fputc(0, out);
    fputc((total - 10) & 255, out);
    fputc((total - 10) >> 8, out);
    fprintf(out, "%s%*s\n", header, total - 10 - at - 1, "");
    fwrite(s->data, tw_signal_element(s->type), (size_t)s->count, out);
}
