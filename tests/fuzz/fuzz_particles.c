/* Particle files: what is accepted is finite and complete; what is refused leaves nothing. */
#include "common.h"
#include "io/nbody/particles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_reader r;
    tw_particles p = {0};

    limit_memory();
    FILE *f = open_input(data, size);
    int e = tw_reader_attach(&r, f, "fuzz.xyz");
    if (!e) e = tw_particles_parse(&r, 0, &p);
    check_answer(e, "fuzz.xyz");
    if (e) {
        REQUIRE(!p.n && !p.x && !p.v && !p.q);
    } else {
        check_finite(TW_DOUBLE, 3 * p.n, p.x);
        check_finite(TW_DOUBLE, 3 * p.n, p.v);
        check_finite(TW_DOUBLE, p.n, p.q);
    }
    tw_particles_free(&p);
    tw_reader_close(&r);
    fclose(f);
    return 0;
}
