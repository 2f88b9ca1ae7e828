/* Files of FFTW's wisdom. FFTW ends the program when what it is shown is damaged: only a text that is exactly as long
 * as its first line says, with the checksum that it says, may get there. */
#include "algorithms/fft/fft_plan.h"
#include "common.h"

static uint64_t checksum(const unsigned char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a, 64 bits */
    for (size_t k = 0; k < length; k++) {
        h ^= text[k];
        h *= 0x100000001b3u;
    }
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *wisdom = NULL, *why;
    int useless = -1;
    char *text = malloc(size + 1);

    REQUIRE(text);
    if (size) memcpy(text, data, size);
    text[size] = 0;
    why = tw_fft_wisdom_fault(TW_COMPLEX_DOUBLE, text, size, &wisdom, &useless);
    REQUIRE(useless == 0 || (useless == 1 && why));
    if (!useless) { /* whole, though it may be of another version of FFTW */
        const char *line = memchr(text, '\n', size);
        unsigned long long bytes, sum;
        REQUIRE(line && wisdom == line + 1);
        REQUIRE(sscanf(text, "tilework-wisdom 1 %*99s %llu %llx", &bytes, &sum) == 2);
        REQUIRE(bytes == size - (size_t)(wisdom - text) && sum == checksum((const unsigned char *)wisdom, bytes));
        if (!why) (void)tw_fft_wisdom_import(TW_COMPLEX_DOUBLE, wisdom); /* FFTW may have other codelets here */
    }
    free(text);
    return 0;
}
