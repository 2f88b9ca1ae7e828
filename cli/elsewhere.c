/* Names that other libraries, and Tilework's own headers, have for what a routine does, or for what the command has
 * not. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"

static const struct cli_routine *routine_named(const char *name)
{
    for (int i = 0; cli_routines[i]; i++)
        if (!strcasecmp(name, cli_routines[i]->name)) return cli_routines[i];
    return NULL;
}

/* LAPACK's names of hermitian matrices, its older ones, and NumPy's and SciPy's. */
static const struct cli_routine *by_another_name(const char *name)
{
    static const char *const others[][2] = {{"he", "sy"}, {"hb", "sb"}, {"hp", "sp"}};
    static const char *const names[][2] = {{"sygv", "sygvd"},
                                           {"sbev", "sbevd"},
                                           {"stev", "stevd"},
                                           {"eigh", "syevd"},
                                           {"svd", "gesdd"},
                                           {"eigvalsh", "syevd"},
                                           {"eig", "geev"},
                                           {"eigvals", "geev"},
                                           {"schur", "gees"},
                                           {"hessenberg", "gehrd"},
                                           {"pinv", "gepinv"},
                                           {"lstsq", "gels"},
                                           {"cholesky", "potrf"},
                                           {"polar", "gepolar"},
                                           {"chol", "potrf"},
                                           {"cho_factor", "potrf"},
                                           {"cho_solve", "potrs"},
                                           {"solve", "gesv"},
                                           {"lu", "getrf"},
                                           {"lu_factor", "getrf"},
                                           {"lu_solve", "getrs"},
                                           {"inv", "getri"},
                                           {"qr", "geqrf"},
                                           {"svdvals", "gesdd"},
                                           {"svds", "gersvd"},
                                           {"matrix_rank", "gesdd"},
                                           {"rank", "gesdd"},
                                           {"gesvj", "gesdd"},
                                           {"gejsv", "gesdd"},
                                           {"gesvdq", "gesdd"},
                                           {"trevc", "geev"},
                                           {"trsen", "gees"},
                                           {"trexc", "gees"},
                                           {"cond", "gecon"},
                                           {"solve_triangular", "trtrs"},
                                           {"trsv", "trtrs"},
                                           {"tsqr", "geqrf_tree"},
                                           {"latsqr", "geqrf_tree"}};
    /* Behind d and z: their names have a letter for each precision. */
    static const char *const mixed[][2] = {
        {"sgesv", "gesv_mixed"}, {"cgesv", "gesv_mixed"}, {"sposv", "posv_mixed"}, {"cposv", "posv_mixed"}};
    char own[32];

    if (strlen(name) >= sizeof own) return NULL;
    strcpy(own, name);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strncasecmp(own, others[k][0], 2)) memcpy(own, others[k][1], 2);
    if (strlen(own) > 7 && !strcasecmp(own + strlen(own) - 7, "_2stage")) own[strlen(own) - 7] = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcasecmp(own, names[k][0])) return routine_named(names[k][1]);
    for (size_t k = 0; k < sizeof mixed / sizeof *mixed; k++)
        if (!strcasecmp(own, mixed[k][0])) return routine_named(mixed[k][1]);
    return routine_named(own);
}

/* What a command does with flags of its own, under the names of NumPy, SciPy, FMM3D and Tilework's functions; NULL:
 * none. */
static const char *by_flags(const char *name)
{
    static const char *const names[][2] = {
        {"ifft", "fft --backward"},
        {"ifftn", "fft --backward"},
        {"ifft2", "fft --backward"},
        {"rfft", "fft --type d"},
        {"rfftn", "fft --type d"},
        {"irfft", "fft --type d --backward"},
        {"irfftn", "fft --type d --backward"},
        {"dct", "fft --r2r dct2"},
        {"idct", "fft --r2r dct3"},
        {"dst", "fft --r2r dst2"},
        {"idst", "fft --r2r dst3"},
        {"convolve", "fft --convolve KERNEL"},
        {"fftconvolve", "fft --convolve KERNEL --linear"},
        {"correlate", "fft --correlate KERNEL"},
        {"filter", "fft --filter TABLE"},
        {"matmul", "gemm"},
        {"gemv", "gemm --n 1"},
        {"sqrtm", "syfun --f sqrt, of symmetric matrices"},
        {"lfmm3d", "fmm"},
        {"fmm3d", "fmm"},
        {"rfmm2d", "fmm --plane"},
        {"fmm2d", "fmm --plane"},
        {"yukawa3d", "fmm --kappa K"},
        {"nbody_direct", "direct"},
        {"l3ddir", "direct"},
        {"pairs", "direct"},
        {"leapfrog", "nbody --steps K"},
        {"cutoff_verlet", "md"},
        {"verlet", "md"},
        {"cutoff_minimize", "minimize"},
    };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcasecmp(name, names[k][0])) return names[k][1];
    return NULL;
}

/* What has functions, and no command. */
static int in_library(const char *name)
{
    static const char *const names[] = {"geevx",  "geesx", "hseqr", "gebal",  "gebak", "trevc3", "bdsdc", "bdsqr",
                                        "bdsvdx", "gelss", "ormtr", "unmtr",  "ormhr", "unmhr",  "ormbr", "unmbr",
                                        "orgtr",  "ungtr", "orghr", "unghr",  "orgbr", "ungbr",  "ormqr", "unmqr",
                                        "ormlq",  "unmlq", "orgqr", "ungqr",  "orglq", "unglq",  "gerfs", "porfs",
                                        "trrfs",  "geequ", "poequ", "geequb", "poequb"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcasecmp(name, names[k])) return 1;
    return 0;
}

/* The header that has a function of matrix objects alone, and no command does what it does; NULL: none. */
static const char *in_header(const char *name)
{
    static const char *const names[][2] = {{"genorm2", "svd"},      {"gecond2", "svd"},      {"gerank", "svd"},
                                           {"norm2est", "dense"},   {"geadd", "dense"},      {"gelqf_tree", "dense"},
                                           {"unmqr_tree", "dense"}, {"ungqr_tree", "dense"}, {"unmlq_tree", "dense"},
                                           {"unglq_tree", "dense"}, {"lange", "dense"},      {"lansy", "dense"},
                                           {"lanhe", "dense"},      {"lantr", "dense"},      {"lacpy", "dense"},
                                           {"laset", "dense"},      {"lascl", "dense"}};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcasecmp(name, names[k][0])) return names[k][1];
    return NULL;
}

/* LAPACK's for what is nowhere here, and what does instead: their names are near those of other problems. NULL: none.
 */
static const char *instead(const char *name)
{
    static const char indefinite[] = "symmetric indefinite systems are not offered: take gesv",
                      constrained[] = "least squares with constraints are not offered: take gels or gelsy on what is "
                                      "left once these are eliminated",
                      band[] = "band and packed storage are not offered: take gesv or posv of the whole matrix";
    static const char *const names[][2] = {
        {"sysv", indefinite},
        {"hesv", indefinite},
        {"sytrf", indefinite},
        {"hetrf", indefinite},
        {"sytrs", indefinite},
        {"hetrs", indefinite},
        {"sytri", indefinite},
        {"hetri", indefinite},
        {"sysvx", indefinite},
        {"hesvx", indefinite},
        {"ldl", indefinite},
        {"sysv_rook", indefinite},
        {"hesv_rook", indefinite},
        {"sysv_aa", indefinite},
        {"hesv_aa", indefinite},
        {"pstrf", "pivoted Cholesky is not offered: take geqp3 for a rank, posv for a solution"},
        {"geqlf", "QL is not offered: take geqrf"},
        {"gerqf", "RQ is not offered: take gelqf"},
        {"gglse", constrained},
        {"ggglm", "the general linear model is not offered: take gels or gelsy, weighted by the inverse of its B"},
        {"gbsv", band},
        {"gbtrf", band},
        {"gtsv", band},
        {"pbsv", band},
        {"pbtrf", band},
        {"ppsv", band},
        {"pptrf", band},
        {"ptsv", band},
        {"larfg", "a reflector by itself is not offered: geqrf makes them"},
        {"laswp", "exchanges by themselves are not offered: getrs makes those of getrf"}};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcasecmp(name, names[k][0])) return names[k][1];
    return NULL;
}

/* BLAS-3's, which are no rows of routines. */
static int in_blas3(const char *name)
{
    static const char *const names[] = {"gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcasecmp(name, names[k])) return 1;
    return 0;
}

/* Behind the prefixes of the library's functions; *typed: whether a letter for the type is first. */
static const char *without_prefix(const char *name, int *typed)
{
    static const char *const before[] = {"tw_LAPACKE_", "LAPACKE_", "tw_"};
    const char *bare = name;

    for (size_t k = 0; k < sizeof before / sizeof *before && bare == name; k++)
        if (!strncmp(name, before[k], strlen(before[k]))) bare += strlen(before[k]);
    *typed = *bare && strchr("sdczSDCZ", *bare) &&
             (by_another_name(bare + 1) || in_library(bare + 1) || in_header(bare + 1) || instead(bare + 1));
    return bare;
}

const char *cli_meant(const char *name)
{
    int typed;
    const char *bare = without_prefix(name, &typed);
    const struct cli_routine *r = by_another_name(bare + typed);

    if (r) return r->name;
    return in_library(bare + typed) || in_header(bare + typed) || instead(bare + typed) ? NULL
                                                                                        : cli_nearest(name, cli_word);
}

int cli_elsewhere(const char *name)
{
    const struct cli_routine *r;
    int typed;
    const char *bare = without_prefix(name, &typed);

    if (in_library(bare + typed))
        return cli_error(
            1, "there is no routine or command '%s': it is in the library alone (include/tilework/lapack.h)", name);
    if (in_header(bare + typed))
        return cli_error(1,
                         "there is no routine or command '%s': it is in the library alone (include/tilework/%s.h), for "
                         "matrix objects",
                         name, in_header(bare + typed));
    if (instead(bare + typed))
        return cli_error(1, "there is no routine or command '%s': %s", name, instead(bare + typed));
    if (*bare && strchr("sdczSDCZ", *bare) && in_blas3(bare + 1))
        return cli_error(1, "there is no routine or command '%s': say %s --type %c", name, bare + 1,
                         tolower((unsigned char)*bare));
    if (by_flags(bare)) return cli_error(1, "there is no routine or command '%s': say %s", name, by_flags(bare));
    if (!(r = by_another_name(bare + typed))) return 0;
    if (!typed && bare == name && !strcasecmp(name, r->name)) return 0; /* in capitals: a mistyped word */
    if (typed)
        return cli_error(1, "there is no routine or command '%s': say %s --type %c", name, r->name,
                         tolower((unsigned char)*bare));
    return cli_error(1, "there is no routine or command '%s': say %s", name, r->name);
}
