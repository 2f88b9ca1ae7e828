/* What writer and reader of .tw files agree on (docs/trace-format.md). */
#ifndef TW_TRACES_FORMAT_H
#define TW_TRACES_FORMAT_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TW_FORMAT_MAGIC "TWTRACE\1"         /* the last byte: the version */
#define TW_FORMAT_BLOCK ((size_t)256 << 10) /* a block that holds so much is ended */
#define TW_FORMAT_MOST  ((size_t)16 << 20)  /* bytes in a block */
/* The fact of a file that grows: it has no end. */
#define TW_FORMAT_UNFINISHED "unfinished"
enum {
    TW_FORMAT_PART = 1,
    TW_FORMAT_FLOPS = 2,
    TW_FORMAT_MOVED = 4,
    TW_FORMAT_PHASES = 8,
    TW_FORMAT_MODELS = 16,
    TW_FORMAT_LOST = 32,
    TW_FORMAT_KNOWN = 63
};

/* Numbers and starts of tasks are differences to those of the task before. */
struct tw_format_last {
    unsigned long id;
    int64_t start;
};

/* CRC-32 of ISO 3309, as zlib's crc32. Start with 0. */
static inline uint32_t tw_crc32(uint32_t sum, const unsigned char *byte, size_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                       0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                       0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

    sum = ~sum;
    for (size_t k = 0; k < n; k++) {
        sum = sum >> 4 ^ table[(sum ^ byte[k]) & 15];
        sum = sum >> 4 ^ table[(sum ^ byte[k] >> 4) & 15];
    }
    return ~sum;
}

/* The writer says these itself. */
static inline int tw_format_own_fact(const char *key)
{
    return !strcmp(key, "machine") || !strcmp(key, "scheduler") || !strcmp(key, "rank") ||
           !strcmp(key, "clock offset ns") || !strcmp(key, "dropped") || !strcmp(key, TW_FORMAT_UNFINISHED);
}
#endif
