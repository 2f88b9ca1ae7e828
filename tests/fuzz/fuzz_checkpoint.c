/* Checkpoints of motions: what is accepted is finite and complete; what is refused leaves nothing. The checksum would
 * stop nearly every change, so the second try is with the right one. */
#include "common.h"
#include "io/md/checkpoint.h"

static void parse(const void *data, size_t size)
{
    tw_particles p = {0};
    tw_motion m = {.g = 1};
    FILE *f = open_input(data, size);
    const int e = tw_checkpoint_parse(f, "fuzz.motion", &p, &m);

    check_answer(e, "fuzz.motion");
    if (e) {
        REQUIRE(!p.n && !p.x && !p.v && !p.q);
    } else {
        check_finite(TW_DOUBLE, 3 * p.n, p.x);
        check_finite(TW_DOUBLE, 3 * p.n, p.v);
        check_finite(TW_DOUBLE, p.n, p.q);
        REQUIRE(isfinite(m.g) && isfinite(m.dt) && m.start >= 0);
    }
    tw_particles_free(&p);
    fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u, word;
    unsigned char *copy;

    limit_memory();
    parse(data, size);
    if (size < 8 || size % 8 || !(copy = malloc(size))) return 0;
    memcpy(copy, data, size);
    for (size_t k = 0; k < size - 8; k += 8) {
        memcpy(&word, copy + k, 8);
        h = (h ^ word) * 0x100000001b3u;
    }
    memcpy(copy + size - 8, &h, 8);
    parse(copy, size);
    free(copy);
    return 0;
}
