/* Files of atoms: what PDB and PQR files say, older habits and several models; checkpoints bit by bit; what is
 * refused. */
#include <math.h>
#include <unistd.h>

#include "tt.h"

static char folder[] = "/tmp/tilework-atoms-XXXXXX";
static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
static const char *written(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path_of(name);
}

static const char pdb[] = "HEADER    PEPTIDE\n"
                          "ATOM      1  N   ALA A   1       1.364   0.735  -0.870  1.00  0.00           N\n"
                          "ATOM      2  CA AALA A   1       2.290   0.000   0.000  1.00  0.00           C\n"
                          "ATOM      3  CA BALA A   1       9.390   0.000   0.000  1.00  0.00           C\n"
                          "ATOM      4  C   ALA A   1       1.491   0.730   1.100\n"
                          "HETATM    5 FE   HEM A   2      10.000  10.000  10.000  1.00  0.00\n"
                          "HETATM    6 1HB  HEM A   2      14.000  10.000  10.000  1.00  0.00\n"
                          "CONECT    5    6   77\n"
                          "ENDMDL\n"
                          "ATOM      1  N   ALA A   1       9.364   0.735  -0.870  1.00  0.00           N\n";

static int linked(const tw_atoms *a, tw_int i, tw_int j)
{
    int found = 0;
    for (tw_int l = 0; l < a->nlinks; l++)
        found += (a->link[l].i == i && a->link[l].j == j) || (a->link[l].i == j && a->link[l].j == i);
    return found;
}

static void read_pdb(void **state)
{
    static const double mass[] = {14.007, 12.011, 12.011, 55.845, 1.008};
    tw_atoms a;
    (void)state;
    tt_expect_info(tw_atoms_read(written("a.pdb", pdb), 0, &a), 0, "read");
    assert_int_equal(a.n, 5);
    for (int i = 0; i < 5; i++)
        assert_true(a.mass[i] == mass[i]);
    assert_string_equal(a.name[1], "CA");
    assert_true(a.x[3] == 2.29 && a.x[8] == 1.1 && a.x[9] == 10);
    assert_int_equal(a.nlinks, 1); /* CONECT */
    assert_true(linked(&a, 3, 4) && a.link[0].length == 4);
    tw_atoms_free(&a);
    tt_expect_info(tw_atoms_read(path_of("a.pdb"), 1, &a), 0, "with bonds");
    assert_int_equal(a.nlinks, 4); /* N-CA, CA-C, the angle between them, CONECT */
    assert_true(linked(&a, 0, 1) == 1 && linked(&a, 1, 2) == 1 && linked(&a, 0, 2) == 1 && linked(&a, 3, 4) == 1);
    tw_atoms_free(&a);
}

static void read_pqr(void **state)
{
    tw_atoms a;
    (void)state;
    tt_expect_info(
        tw_atoms_read(written("a.pqr", "ATOM 1 N ALA 1 1.5 0 -2e1 -0.28 1.82\nATOM 2 O HOH A 2 7 0 0 .5 1.7\n"), 0, &a),
        0, "read");
    assert_int_equal(a.n, 2);
    assert_true(a.x[2] == -20 && a.charge[0] == -0.28 && a.radius[0] == 1.82 && a.charge[1] == 0.5 &&
                a.mass[1] == 15.999);
    tw_atoms_free(&a);
    /* Words behind the radius; a digit as the chain; a residue's number with a letter. */
    tt_expect_info(tw_atoms_read(written("b.pqr", "ATOM 1 N ALA 1 1.5 0 -2 -0.28 1.82 N 7\n"
                                                  "ATOM 2 O HOH 1 2 7 0 0 .5 1.7 O extra words of any number 1 2 3\n"
                                                  "ATOM 3 O HOH A -2B 8 0 0 .5 1.7\n"
                                                  "ATOM 4 O HOH 52A 9 0 0 .5 1.7\n"),
                                 0, &a),
                   0, "more words");
    assert_int_equal(a.n, 4);
    for (int i = 0; i < 4; i++)
        assert_true(a.x[3 * i] == (i ? 6 + i : 1.5) && a.radius[i] == (i ? 1.7 : 1.82));
    tw_atoms_free(&a);
    tt_expect_info(tw_atoms_read(written("a.xyz", "2\n\nC 1 2 3 -1\nC 4 5 6 2\n"), 0, &a), 0, "xyz");
    assert_true(a.n == 2 && a.charge[1] == 2 && a.x[5] == 6 && a.radius[0] > 1);
    tw_atoms_free(&a);
}

static void checkpoints(void **state)
{
    tw_atoms a, b;
    tw_int step = 0;
    (void)state;
    assert_int_equal(tw_atoms_generate(&a, "peptide", 40, 7), 0);
    assert_true(a.nlinks > a.n);
    a.box[1] = 1.0 / 3;
    a.born = malloc((size_t)a.n * sizeof(double));
    a.volume = malloc((size_t)a.n * sizeof(double));
    for (tw_int i = 0; i < a.n; i++) {
        a.born[i] = 1 + 0.1 * (double)i / 3;
        a.volume[i] = exp((double)i / 7);
        a.v[3 * i] = sqrt((double)i);
    }
    tt_expect_info(tw_atoms_checkpoint(path_of("a.atoms"), &a, 123456789012), 0, "write");
    tt_expect_info(tw_atoms_restart(path_of("a.atoms"), &b, &step), 0, "read");
    const size_t n = (size_t)a.n * sizeof(double);
    assert_true(step == 123456789012 && a.n == b.n && a.nlinks == b.nlinks);
    assert_memory_equal(a.x, b.x, 3 * n);
    assert_memory_equal(a.v, b.v, 3 * n);
    assert_memory_equal(a.mass, b.mass, n);
    assert_memory_equal(a.charge, b.charge, n);
    assert_memory_equal(a.radius, b.radius, n);
    assert_memory_equal(a.depth, b.depth, n);
    assert_memory_equal(a.born, b.born, n);
    assert_memory_equal(a.volume, b.volume, n);
    assert_memory_equal(a.name, b.name, (size_t)a.n * TW_ATOM_NAME);
    assert_memory_equal(a.link, b.link, (size_t)a.nlinks * sizeof(tw_bond));
    assert_memory_equal(a.box, b.box, sizeof a.box);
    tw_atoms_free(&b);
    /* The same with the settings of a run. */
    tw_cutoff c, d = {.cutoff = 1};
    double dt = -1;
    tw_cutoff_init(&c, 7.0 / 3);
    c.vdw = TW_VDW_SHIFT, c.electrostatics = TW_ELECTROSTATICS_BORN, c.type = TW_FLOAT, c.reuse = 3;
    c.constant = -0.1, c.eps_in = 4.0 / 3, c.eps_out = INFINITY, c.skin = 0;
    tt_expect_info(tw_cutoff_load(path_of("a.atoms"), &b, &d, &dt, &step), 0, "without settings");
    assert_true(d.cutoff == 0 && dt == 0 && b.n == a.n);
    tw_atoms_free(&b);
    tt_expect_info(tw_cutoff_save(path_of("s.atoms"), &a, &c, 0.1 / 3, 77), 0, "write");
    tt_expect_info(tw_cutoff_load(path_of("s.atoms"), &b, &d, &dt, &step), 0, "read");
    assert_true(step == 77 && dt == 0.1 / 3 && d.cutoff == c.cutoff && d.skin == 0 && d.vdw == c.vdw &&
                d.electrostatics == c.electrostatics && d.constant == c.constant && d.eps_in == c.eps_in &&
                isinf(d.eps_out) && d.switch_on == c.switch_on && d.type == c.type && d.reuse == 3);
    assert_memory_equal(a.x, b.x, 3 * n);
    tw_atoms_free(&b);
    tt_expect_info(tw_atoms_restart(path_of("s.atoms"), &b, NULL), 0, "read without them");
    assert_memory_equal(a.x, b.x, 3 * n);
    tw_atoms_free(&b);
    /* Written as a PDB file and read again: three digits, the same elements. */
    tt_expect_info(tw_atoms_write(path_of("b.pdb"), &a), 0, "write");
    tt_expect_info(tw_atoms_read(path_of("b.pdb"), 1, &b), 0, "read");
    assert_true(a.n == b.n && a.nlinks == b.nlinks);
    for (tw_int i = 0; i < 3 * a.n; i++)
        assert_true(fabs(a.x[i] - b.x[i]) < 6e-4 && a.mass[i / 3] == b.mass[i / 3]);
    tw_atoms_free(&b);
    a.x[0] = 1e5;
    tt_expect_info(tw_atoms_write(path_of("b.pdb"), &a), TW_E_FORMAT, "too far away for a PDB file");
    tt_expect_info(tw_atoms_write(path_of("b.xyz"), &a), 0, "XYZ");
    tt_expect_info(tw_atoms_read(path_of("b.xyz"), 0, &b), 0, "read");
    assert_memory_equal(a.x, b.x, 3 * n);
    tw_atoms_free(&a), tw_atoms_free(&b);
}

/* Names of any bytes, and of all 8 of them, come back from checkpoints; other files take what they can hold. */
static void names(void **state)
{
    static const char *const name[] = {"C 1", "100%", "a%41", "tab\tbed", "8 bytes!", "N"};
    tw_atoms a, b;
    (void)state;
    assert_int_equal(tw_atoms_alloc(&a, 6, 0), 0);
    for (int i = 0; i < 6; i++) {
        memcpy(a.name[i], name[i], strlen(name[i]) < TW_ATOM_NAME ? strlen(name[i]) + 1 : TW_ATOM_NAME);
        a.x[3 * i] = i;
    }
    tt_expect_info(tw_atoms_checkpoint(path_of("n.atoms"), &a, 1), 0, "write");
    tt_expect_info(tw_atoms_restart(path_of("n.atoms"), &b, NULL), 0, "read");
    assert_memory_equal(a.name, b.name, 6 * TW_ATOM_NAME);
    tw_atoms_free(&b);
    tt_expect_info(tw_atoms_write(path_of("n.xyz"), &a), 0, "XYZ");
    tt_expect_info(tw_atoms_read(path_of("n.xyz"), 0, &b), 0, "read");
    assert_true(b.n == 6 && b.x[15] == 5);
    tw_atoms_free(&a), tw_atoms_free(&b);
    tt_expect_info(
        tw_atoms_restart(written("n.atoms", "tilework atoms 1\n1 0 0 0 0 0 0\nabcdefghi 0 0 0 0 0 0 1 0 0 0\nend\n"),
                         &b, NULL),
        TW_E_FORMAT, "too long a name");
}

/* A long chain is linked in a moment, and as its short beginning is. */
static void chains(void **state)
{
    tw_atoms a, b;
    (void)state;
    assert_int_equal(tw_atoms_generate(&a, "peptide", 500, 7), 0);
    assert_int_equal(tw_atoms_generate(&b, "peptide", 200000, 7), 0);
    assert_true(b.n == 200000 && fabs((double)b.nlinks / (double)a.nlinks / 400 - 1) < 0.01);
    for (tw_int l = 0; l < a.nlinks; l++)
        if (a.link[l].i < 40 && a.link[l].j < 40) assert_int_equal(linked(&b, a.link[l].i, a.link[l].j), 1);
    tw_atoms_free(&a), tw_atoms_free(&b);
}

static void refused(void **state)
{
    static const char *const bad[][2] = {
        {"c.pdb", "REMARK\n"},
        {"c.pdb", "ATOM      1  N   ALA A   1       1.364     nan  -0.870\n"},
        {"c.pdb", "ATOM      1  N   ALA A   1       1.364\n"},
        {"c.pqr", "ATOM 1 N ALA 1 1 2 3 4\n"},
        {"c.pqr", "ATOM 1 N ALA 1 1 2 3 4 -5\n"},
        {"c.pqr", "ATOM 1 N ALA 1 1 2 inf 4 5\n"},
        {"c.atoms", "tilework atoms 2\n"},
        {"c.atoms", "tilework atoms 1\n1 0 0 0 0 0 0\n"},
        {"c.atoms", "tilework atoms 1\n1 0 0 0 0 0 0\nN 0 0 0 0 0 0 1 0 0 0\n"},
        {"c.atoms", "tilework atoms 1\n1 0 0 0 0 0 0\nN 0 0 0 0 0 0 1 0 0\nend\n"},
        {"c.atoms", "tilework atoms 1\n1 1 0 0 0 0 0\nN 0 0 0 0 0 0 1 0 0 0\n0 1 2 3\nend\n"}};
    tw_atoms a;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tt_expect_info(tw_atoms_read(written(bad[k][0], bad[k][1]), 0, &a), TW_E_FORMAT, bad[k][1]);
        assert_non_null(strstr(tw_last_message(), bad[k][0]));
        assert_true(a.n == 0 && !a.x);
    }
    tt_expect_info(tw_atoms_read(path_of("missing.pdb"), 0, &a), TW_E_IO, "missing");
    tt_expect_info(tw_atoms_read(NULL, 0, &a), -1, "NULL");
    tt_expect_info(tw_atoms_write("a.png", &a), -1, "ending");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_pdb),    cmocka_unit_test(read_pqr),
                                       cmocka_unit_test(checkpoints), cmocka_unit_test(names),
                                       cmocka_unit_test(chains),      cmocka_unit_test(refused)};
    char command[300];
    if (!mkdtemp(folder)) return 1;
    const int failed = tt_run(tests);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) || failed;
}
