/* Signals and images (.npy, WAV, PGM, PPM): an error is one of the documented codes and names the file; what is
 * accepted has the shape it says, is no larger than the file justifies, and survives being written as .npy and read
 * again; images and sounds can be written as such, and have their shape when they are read again. */
#include "common.h"
#include "io/fft/signal.h"

static void again(const tw_signal *s)
{
    char *text = NULL;
    size_t size = 0, bytes = (size_t)s->count * tw_signal_element(s->type);
    FILE *f = open_memstream(&text, &size);
    tw_signal t;

    REQUIRE(f);
    tw_npy_write(f, s);
    REQUIRE(fclose(f) == 0);
    REQUIRE(tw_signal_parse("again", text, size, &t) == 0);
    REQUIRE(t.type == s->type && t.rank == s->rank && t.count == s->count);
    REQUIRE(!memcmp(t.n, s->n, (size_t)s->rank * sizeof *s->n) && !memcmp(t.data, s->data, bytes));
    tw_signal_free(&t);
    free(text);
}

static void written(const tw_signal *s, void (*write)(FILE *, const tw_signal *), int readable)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    tw_signal t;

    REQUIRE(f);
    write(f, s);
    REQUIRE(fclose(f) == 0 && size > 0);
    if (readable) {
        REQUIRE(tw_signal_parse("written", text, size, &t) == 0);
        REQUIRE(t.count == s->count && t.n[0] == s->n[0]);
        tw_signal_free(&t);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* its end is guarded */
    tw_int count = 1;
    tw_signal s;
    int e;

    REQUIRE(copy);
    if (size) memcpy(copy, data, size);
    e = tw_signal_parse("input", copy, size, &s);
    check_answer(e, "input");
    if (!e) {
        REQUIRE(s.rank >= 1 && s.rank <= 4 && s.data);
        for (int d = 0; d < s.rank; d++)
            count *= s.n[d];
        REQUIRE(count == s.count && count >= 1 && (size_t)count <= size);
        again(&s);
        if (s.type == TW_DOUBLE && (s.rank == 2 || (s.rank == 3 && s.n[2] == 3)) && s.rate == 0) {
            written(&s, tw_pnm_write, 1);
            written(&s, tw_png_write, 0);
        }
        if (s.rate >= 1 && s.rate < 1e9 && s.n[1] <= 64) written(&s, tw_wav_write, 1);
    }
    tw_signal_free(&s);
    free(copy);
    return 0;
}
