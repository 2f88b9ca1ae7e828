/* Files of atoms: PDB, PQR, checkpoints. What is accepted is finite and complete, and its links join atoms; what is
 * refused leaves nothing. */
#include "common.h"
#include "io/md/atoms.h"

static void check_links(const tw_atoms *a)
{
    for (tw_int l = 0; l < a->nlinks; l++) {
        REQUIRE(a->link[l].i >= 0 && a->link[l].i < a->n && a->link[l].j >= 0 && a->link[l].j < a->n);
        REQUIRE(isfinite(a->link[l].stiffness) && isfinite(a->link[l].length));
    }
}

static void parse(const uint8_t *data, size_t size, const char *name)
{
    struct tw_reader r;
    tw_atoms a = {0};
    FILE *f = open_input(data, size);
    int e = tw_reader_attach(&r, f, name);

    if (!e) e = tw_atoms_parse(&r, 1, &a, NULL);
    check_answer(e, name);
    if (e) {
        REQUIRE(!a.n && !a.x && !a.v && !a.charge && !a.link);
    } else {
        check_finite(TW_DOUBLE, 3 * a.n, a.x);
        check_finite(TW_DOUBLE, 3 * a.n, a.v);
        check_finite(TW_DOUBLE, a.n, a.charge);
        check_finite(TW_DOUBLE, a.n, a.radius);
        check_links(&a);
    }
    tw_atoms_free(&a);
    tw_reader_close(&r);
    fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    limit_memory();
    parse(data, size, "fuzz.pdb");
    parse(data, size, "fuzz.pqr");
    parse(data, size, "fuzz.atoms");
    parse(data, size, "fuzz"); /* known by its content */
    return 0;
}
