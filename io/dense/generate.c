/* Generators: what a description means. Kinds with parameters are in generate_*.c. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/dense/generate.h"

static const struct tw_kind kinds[TW_ENTRIES] = {
    [TW_ENTRIES_RANDOM] = {"random", "entries uniform in (-1, 1), real and imaginary part", 0, 1, 0, NULL},
    [TW_ENTRIES_SPD] =
        {"spd", "random symmetric or hermitian, n and more on the diagonal: positive definite, well-conditioned", 1, 1,
         1, NULL},
    [TW_ENTRIES_SYMMETRIC] = {"symmetric", "random symmetric or hermitian, indefinite", 1, 1, 0, NULL},
    [TW_ENTRIES_SPECTRUM] =
        {"spectrum",
         "spectrum:C[,geo|arith|cluster0|cluster1]: positive definite, eigenvalues from 1 down to 1/C (1e12, geo)", 1,
         1, 1, tw_setup_spectrum},
    [TW_ENTRIES_HILBERT] = {"hilbert", "1 / (i + j - 1)", 0, 0, 1, NULL},
    [TW_ENTRIES_MINIJ] = {"minij", "min(i, j)", 0, 0, 1, NULL},
    [TW_ENTRIES_LEHMER] = {"lehmer", "min(i, j) / max(i, j)", 0, 0, 1, NULL},
    [TW_ENTRIES_KMS] = {"kms", "kms:rho: rho^|i - j|, |rho| < 1 (0.5)", 0, 0, 1, tw_setup_kms},
    [TW_ENTRIES_LAPLACIAN] = {"laplacian", "the 1-D second difference: 2 on the diagonal, -1 beside it", 0, 0, 1, NULL},
    [TW_ENTRIES_IDENTITY] = {"identity", "ones on the diagonal", 0, 0, 1, NULL},
    [TW_ENTRIES_ZERO] = {"zero", "zeros", 0, 0, 0, NULL},
    [TW_ENTRIES_GP] = {"gp",
                       "gp:FILE.csv[,length,noise]: Gaussian-process covariance of the scaled numeric columns (1, 0.1)",
                       1, 0, 1, tw_setup_gp},
    [TW_ENTRIES_MINOR] = {"minor", "minor:K: the matrix of spd, made to fail first at the leading minor of order K", 1,
                          1, 0, tw_setup_entry},
    [TW_ENTRIES_NAN] = {"nan", "nan:I,J: the matrix of spd with a NaN at (I, J) and (J, I)", 1, 1, 0, tw_setup_entry},
    [TW_ENTRIES_SVD] = {"svd",
                        "svd:C[,mode]: singular values from 1 to 1/C, modes 1 to 6 as in LAPACK's latms (1e10, 3)", 0,
                        1, 0, tw_setup_svd},
    [TW_ENTRIES_ORTHOGONAL] = {"orthogonal", "orthonormal columns, or rows where there are fewer", 0, 1, 0,
                               tw_setup_orthogonal},
    [TW_ENTRIES_LOWRANK] = {"lowrank", "lowrank:R: of rank R, exactly", 0, 1, 0, tw_setup_lowrank},
    [TW_ENTRIES_GRADED] = {"graded",
                           "graded:G: random, rows and columns scaled by powers of two from 1 to 1/G in all (1e12)", 0,
                           1, 0, tw_setup_graded},
    [TW_ENTRIES_DOMINANT] = {"dominant", "random, the diagonal larger than all others of a row or column: no pivoting",
                             0, 1, 0, NULL},
    [TW_ENTRIES_ZEROCOL] = {"zerocol", "zerocol:J: random, column J zero: LU's info is J", 0, 1, 0, tw_setup_entry},
    [TW_ENTRIES_KAHAN] =
        {"kahan", "kahan:theta: Kahan's triangle, whose near-singularity QR with column pivoting does not show (1.2)",
         0, 0, 0, tw_setup_kahan},
    [TW_ENTRIES_FOSTER] = {"foster", "Foster's matrix: LU's elements grow as 1.9^n", 1, 0, 0, NULL},
    [TW_ENTRIES_WILKINSON] = {"wilkinson", "Wilkinson's matrix: LU's elements grow to 2^(n-1)", 1, 0, 0, NULL},
    [TW_ENTRIES_CHEBYSHEV] = {"chebyshev", "Chebyshev polynomials at the zeros of the m-th: orthogonal columns", 0, 0,
                              0, tw_setup_chebyshev},
    [TW_ENTRIES_DYADIC] = {"dyadic", "LU with row exchanges that is exact in every type and full of ties", 0, 1, 0,
                           tw_setup_dyadic},
};

const char *tw_generator_name(int k, const char **text)
{
    if (k < 0 || k >= (int)TW_ENTRIES) return NULL;
    if (text) *text = kinds[k].text;
    return kinds[k].name;
}

/* ---- descriptions ---------------------------------------------------------------------------------------------- */

static void list_kinds(char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < (int)TW_ENTRIES && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", kinds[k].name);
}

int tw_kind_fail(const tw_generator *g, const char *format, ...)
{
    char what[640];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    return tw_fail(TW_E_OPTION, "kind \"%s\": %s", kinds[g->entries].name, what);
}

static const struct tw_kind *find_kind(const char *name, size_t length)
{
    for (int k = 0; k < (int)TW_ENTRIES; k++)
        if (strlen(kinds[k].name) == length && !memcmp(kinds[k].name, name, length)) return &kinds[k];
    return NULL;
}

static int setup(tw_generator *g, const char *parameters)
{
    const struct tw_kind *kind = &kinds[g->entries];

    if (kind->square && g->m != g->n)
        return tw_kind_fail(g, "the matrix must be square, not %lld x %lld", (long long)g->m, (long long)g->n);
    g->spd = kind->spd && g->m == g->n;
    if (kind->setup) return kind->setup(g, parameters);
    if (parameters) return tw_kind_fail(g, "it takes no parameters, but \"%.200s\" was given", parameters);
    return 0;
}

int tw_generator_create(tw_generator **out, const char *description, enum tw_type type, tw_int m, tw_int n,
                        uint64_t seed)
{
    const char *routine = "tw_generator_create";
    int e;

    if (!out) return tw_illegal(routine, 1, "NULL");
    *out = NULL;
    if (!description) return tw_illegal(routine, 2, "NULL");
    if (!tw_type_ok(type)) return tw_illegal(routine, 3, "not a type");
    if (m < 0) return tw_illegal(routine, 4, "m must not be negative");
    if (n < 0) return tw_illegal(routine, 5, "n must not be negative");

    size_t length = strcspn(description, ":");
    const struct tw_kind *kind = find_kind(description, length);
    if (!kind) {
        char list[512];
        list_kinds(list, sizeof list);
        return tw_fail(TW_E_OPTION, "kind \"%.200s\" is unknown; the kinds are %s", description, list);
    }
    tw_generator *g = calloc(1, sizeof *g);
    if (!g) return tw_fail(TW_E_MEMORY, "%s: %zu bytes could not be allocated", routine, sizeof *g);
    *g = (tw_generator){.entries = (enum tw_entries)(kind - kinds), .type = type, .m = m, .n = n};
    g->stream[0] = tw_mix(seed + 0x9E3779B97F4A7C15u); /* seeds 0, 1, 2 … give unrelated streams */
    g->stream[1] = tw_mix(g->stream[0] + 0x9E3779B97F4A7C15u);
    if ((e = setup(g, description[length] ? description + length + 1 : NULL))) {
        tw_generator_destroy(g);
        return e;
    }
    *out = g;
    return 0;
}

void tw_generator_destroy(tw_generator *g)
{
    if (!g) return;
    free(g->work);
    free(g);
}

enum tw_type tw_generator_type(const tw_generator *g)
{
    return g ? g->type : (enum tw_type) - 1;
}

int tw_generator_is_spd(const tw_generator *g)
{
    return g && g->spd;
}
