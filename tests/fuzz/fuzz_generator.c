/* Descriptions of generators. The first bytes say type and shape, then comes the description up to a line feed,
 * then the table that a description gp:… reads (whatever name it gives). Blocks must not depend on how the matrix
 * is cut. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

/* gp:NAME,… becomes gp:/proc/self/fd/N,… with the table in that file. */
static int put_table(char *description, size_t room, const uint8_t *table, size_t size)
{
    char rest[512];
    int fd = memfd_create("table", 0);
    const char *comma = strchr(description, ',');

    REQUIRE(fd >= 0 && write(fd, table, size) == (ssize_t)size);
    snprintf(rest, sizeof rest, "%s", comma ? comma : "");
    snprintf(description, room, "gp:/proc/self/fd/%d%s", fd, rest);
    return fd;
}

static void check_blocks(const tw_generator *g, enum tw_type type, tw_int m, tw_int n, tw_int bm, tw_int bn)
{
    const size_t size = tw_sizeof(type);
    char *whole = malloc((size_t)(m * n + 1) * size), *block = malloc((size_t)(bm * bn + 1) * size);

    REQUIRE(whole && block);
    REQUIRE(tw_generator_block(g, 0, 0, m, n, whole, tw_max(1, m)) == 0);
    for (tw_int j0 = 0; j0 < n; j0 += bn)
        for (tw_int i0 = 0; i0 < m; i0 += bm) {
            tw_int rows = tw_min(bm, m - i0), cols = tw_min(bn, n - j0);
            REQUIRE(tw_generator_block(g, i0, j0, rows, cols, block, bm) == 0);
            for (tw_int j = 0; j < cols; j++)
                REQUIRE(!memcmp(block + (size_t)(j * bm) * size, whole + (size_t)((j0 + j) * m + i0) * size,
                                (size_t)rows * size));
        }
    for (tw_int k = 0; tw_generator_is_spd(g) && k < n; k++) {
        double re, im;
        tw_io_get(type, whole, (size_t)(k * (m + 1)), &re, &im);
        REQUIRE(re > 0 && im == 0);
    }
    free(whole);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char description[600];
    tw_generator *g;
    int fd = -1;

    limit_memory();
    if (size < 4) return 0;
    const enum tw_type type = (enum tw_type)(data[0] % 4);
    const tw_int m = data[1] % 64, n = data[0] & 4 ? data[2] % 64 : m, bm = 1 + data[3] % 16, bn = 1 + data[3] / 16;
    const uint8_t *text = data + 4, *end = memchr(text, '\n', size - 4);
    size_t length = end ? (size_t)(end - text) : size - 4;
    if (length > 500) return 0;
    memcpy(description, text, length);
    description[length] = 0;
    if (!strncmp(description, "gp:", 3) && description[3] && description[3] != ',') {
        size_t used = 4 + length + (end != NULL);
        fd = put_table(description, sizeof description, data + used, size - used);
    }
    int e = tw_generator_create(&g, description, type, m, n, data[3]);
    REQUIRE(e == 0 || e == TW_E_OPTION || e == TW_E_FORMAT || e == TW_E_MEMORY || e == TW_E_IO);
    REQUIRE((e == 0) == (g != NULL) && (e == 0 || *tw_last_message()));
    if (!e) check_blocks(g, type, m, n, bm, bn);
    tw_generator_destroy(g);
    if (fd >= 0) close(fd);
    return 0;
}
