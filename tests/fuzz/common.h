/* What the fuzzers share. A broken promise ends in abort(), which libFuzzer and the replaying driver report. */
#ifndef TESTS_FUZZ_COMMON_H
#define TESTS_FUZZ_COMMON_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s; last message: %s\n", __FILE__, __LINE__, #condition, tw_last_message());       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A fixed limit: no input depends on the machine, and none makes the process large. */
static inline void limit_memory(void)
{
    static int done;
    if (!done++) setenv("TILEWORK_HOST_MEMORY", "64M", 1);
}

static inline FILE *open_input(const void *data, size_t size)
{
    FILE *f = size ? fmemopen((void *)data, size, "rb") : fopen("/dev/null", "rb");
    REQUIRE(f);
    return f;
}

/* What a reader may answer; the message names the file. */
static inline void check_answer(int e, const char *name)
{
    REQUIRE(e == 0 || e == TW_E_FORMAT || e == TW_E_MEMORY);
    REQUIRE(e == 0 || strstr(tw_last_message(), name));
}

/* All of a column-major array without gaps. */
static inline void check_finite(enum tw_type type, tw_int count, const void *a)
{
    for (tw_int k = 0; k < count; k++) {
        double re, im;
        tw_io_get(type, a, (size_t)k, &re, &im);
        REQUIRE(isfinite(re) && isfinite(im));
    }
}

enum { ELEMENTS = 1 << 14 }; /* larger matrices are not read: only their headers */
#endif
