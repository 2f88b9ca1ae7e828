/* PNG: a signature and chunks with checksums. The pixels are one stream of zlib's, here in stored blocks: every reader
 * takes them, and no
 * library is needed to write them.   https://www.w3.org/TR/png-3, RFC 1950, RFC 1951 */
#include <math.h>
#include "io/fft/signal.h"

enum { BLOCK = 65535 }; /* the longest stored block: one to a chunk */

static uint32_t crc(uint32_t c, int byte)
{
    c ^= (uint32_t)byte;
    for (int k = 0; k < 8; k++)
        c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    return c;
}

/* A byte of a chunk. */
static void put(FILE *out, uint32_t *sum, int byte)
{
    fputc(byte, out);
    *sum = crc(*sum, byte);
}

static void put_word(FILE *out, uint32_t *sum, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put(out, sum, (int)(word >> shift & 255));
}

static uint32_t begin(FILE *out, uint32_t length, const char *name)
{
    uint32_t sum = 0;

    put_word(out, &sum, length);
    sum = 0xFFFFFFFFu; /* from the name on */
    for (int k = 0; k < 4; k++)
        put(out, &sum, name[k]);
    return sum;
}

static void end(FILE *out, uint32_t sum)
{
    uint32_t ignored = 0;
    put_word(out, &ignored, ~sum);
}

/* The stream being written: lines that begin with a 0 (no filter), and its own checksum. */
struct stream {
    const tw_signal *s;
    uint64_t at, size;  /* bytes */
    tw_int line;        /* bytes of a line, the 0 included */
    uint32_t low, high; /* Adler's */
};

static int next(struct stream *z)
{
    tw_int column = (tw_int)(z->at % (uint64_t)z->line), row = (tw_int)(z->at / (uint64_t)z->line);
    int byte = column ? tw_pixel(z->s, row * (z->line - 1) + column - 1) : 0;

    z->at++;
    z->low = (z->low + (uint32_t)byte) % 65521;
    z->high = (z->high + z->low) % 65521;
    return byte;
}

void tw_png_write(FILE *out, const tw_signal *s)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    int colours = s->rank == 3 ? 3 : 1;
    struct stream z = {.s = s, .line = s->n[1] * colours + 1, .low = 1};
    uint32_t sum;

    z.size = (uint64_t)z.line * (uint64_t)s->n[0];
    fwrite(signature, 1, sizeof signature, out);
    sum = begin(out, 13, "IHDR");
    put_word(out, &sum, (uint32_t)s->n[1]);
    put_word(out, &sum, (uint32_t)s->n[0]);
    put(out, &sum, 8);                    /* bits */
    put(out, &sum, colours == 3 ? 2 : 0); /* RGB or grey */
    for (int k = 0; k < 3; k++)
        put(out, &sum, 0);
    end(out, sum);
    while (z.at < z.size) {
        int first = z.at == 0, last = z.size - z.at <= BLOCK;
        uint32_t length = last ? (uint32_t)(z.size - z.at) : BLOCK;
        sum = begin(out, length + 5 + (first ? 2 : 0) + (last ? 4 : 0), "IDAT");
        if (first) put(out, &sum, 0x78), put(out, &sum, 0x01);
        put(out, &sum, last);
        for (int k = 0; k < 2; k++) { /* the length and its complement, the lower byte first */
            uint32_t word = k ? ~length : length;
            put(out, &sum, (int)(word & 255));
            put(out, &sum, (int)(word >> 8 & 255));
        }
        for (uint32_t k = 0; k < length; k++)
            put(out, &sum, next(&z));
        if (last) put_word(out, &sum, z.high << 16 | z.low);
        end(out, sum);
    }
    end(out, begin(out, 0, "IEND"));
}
