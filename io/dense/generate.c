/* Generators: what a description means, and blocks of entries in the four types. The kinds are in generate_*.c. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"

enum { CHUNK = 512 }; /* rows at a time: two buffers of doubles stay in a core's first cache */

static const struct tw_kind kinds[] = {
    {"random", "entries uniform in (-1, 1), real and imaginary part", 0, 1, 0, NULL, tw_column_random},
    {"spd", "random symmetric or hermitian, n and more on the diagonal: positive definite, well-conditioned", 1, 1, 1,
     NULL, tw_column_spd},
    {"symmetric", "random symmetric or hermitian, indefinite", 1, 1, 0, NULL, tw_column_symmetric},
    {"spectrum",
     "spectrum:C[,geo|arith|cluster0|cluster1]: positive definite, eigenvalues from 1 down to 1/C (1e12, geo)", 1, 1, 1,
     tw_setup_spectrum, tw_column_spectrum},
    {"hilbert", "1 / (i + j - 1)", 0, 0, 1, NULL, tw_column_hilbert},
    {"minij", "min(i, j)", 0, 0, 1, NULL, tw_column_minij},
    {"lehmer", "min(i, j) / max(i, j)", 0, 0, 1, NULL, tw_column_lehmer},
    {"kms", "kms:rho: rho^|i - j|, |rho| < 1 (0.5)", 0, 0, 1, tw_setup_kms, tw_column_kms},
    {"laplacian", "the 1-D second difference: 2 on the diagonal, -1 beside it", 0, 0, 1, NULL, tw_column_laplacian},
    {"identity", "ones on the diagonal", 0, 0, 1, NULL, tw_column_identity},
    {"zero", "zeros", 0, 0, 0, NULL, tw_column_zero},
    {"gp", "gp:FILE.csv[,length,noise]: Gaussian-process covariance of the scaled numeric columns (1, 0.1)", 1, 0, 1,
     tw_setup_gp, tw_column_gp},
    {"minor", "minor:K: the matrix of spd, made to fail first at the leading minor of order K", 1, 1, 0, tw_setup_entry,
     tw_column_minor},
    {"nan", "nan:I,J: the matrix of spd with a NaN at (I, J) and (J, I)", 1, 1, 0, tw_setup_entry, tw_column_nan},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

const char *tw_generator_name(int k, const char **text)
{
    if (k < 0 || k >= NKINDS) return NULL;
    if (text) *text = kinds[k].text;
    return kinds[k].name;
}

/* ---- descriptions ---------------------------------------------------------------------------------------------- */

static void list_kinds(char *text, size_t size)
{
    size_t used = 0;
    for (int k = 0; k < NKINDS && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", kinds[k].name);
}

int tw_kind_fail(const tw_generator *g, const char *format, ...)
{
    char what[640], list[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    list_kinds(list, sizeof list);
    return tw_fail(TW_E_OPTION, "kind \"%s\": %s; the kinds are %s", g->kind->name, what, list);
}

static const struct tw_kind *find_kind(const char *name, size_t length)
{
    for (int k = 0; k < NKINDS; k++)
        if (strlen(kinds[k].name) == length && !memcmp(kinds[k].name, name, length)) return &kinds[k];
    return NULL;
}

static int setup(tw_generator *g, const char *parameters)
{
    if (g->kind->square && g->m != g->n)
        return tw_kind_fail(g, "the matrix must be square, not %lld x %lld", (long long)g->m, (long long)g->n);
    g->spd = g->kind->spd && g->m == g->n;
    if (g->kind->setup) return g->kind->setup(g, parameters);
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
        char list[256];
        list_kinds(list, sizeof list);
        return tw_fail(TW_E_OPTION, "kind \"%.200s\" is unknown; the kinds are %s", description, list);
    }
    tw_generator *g = calloc(1, sizeof *g);
    if (!g) return tw_fail(TW_E_MEMORY, "%s: %zu bytes could not be allocated", routine, sizeof *g);
    *g = (tw_generator){.kind = kind, .type = type, .m = m, .n = n};
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

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

static void store(enum tw_type type, tw_int m, const double *restrict re, const double *restrict im, void *restrict a)
{
    float *restrict s = a;
    double *restrict d = a;

    switch (type) {
    case TW_FLOAT:
        for (tw_int i = 0; i < m; i++)
            s[i] = (float)re[i];
        break;
    case TW_DOUBLE: memcpy(d, re, (size_t)m * sizeof *d); break;
    case TW_COMPLEX_FLOAT:
        for (tw_int i = 0; i < m; i++)
            s[2 * i] = (float)re[i], s[2 * i + 1] = (float)im[i];
        break;
    default:
        for (tw_int i = 0; i < m; i++)
            d[2 * i] = re[i], d[2 * i + 1] = im[i];
        break;
    }
}

static int check_block(const tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, const void *a, tw_int lda)
{
    const char *routine = "tw_generator_block";

    if (!g) return tw_illegal(routine, 1, "NULL");
    if (i0 < 0 || i0 > g->m) return tw_illegal(routine, 2, "the first row lies outside the generator's matrix");
    if (j0 < 0 || j0 > g->n) return tw_illegal(routine, 3, "the first column lies outside the generator's matrix");
    if (m < 0 || m > g->m - i0) return tw_illegal(routine, 4, "the rows reach beyond the generator's matrix");
    if (n < 0 || n > g->n - j0) return tw_illegal(routine, 5, "the columns reach beyond the generator's matrix");
    if (!a && m > 0 && n > 0) return tw_illegal(routine, 6, "NULL");
    if (lda < tw_max(1, m)) return tw_illegal(routine, 7, "lda must be at least max(1, m)");
    return 0;
}

int tw_generator_block(const tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda)
{
    double re[CHUNK], im[CHUNK] = {0}; /* kinds without imaginary parts leave the zeros */
    int e = check_block(g, i0, j0, m, n, a, lda);

    if (e) return e;
    const size_t size = tw_sizeof(g->type);
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i += CHUNK) {
            tw_int rows = tw_min(CHUNK, m - i);
            g->kind->column(g, i0 + i, rows, j0 + j, re, tw_is_complex(g->type) ? im : NULL);
            store(g->type, rows, re, im, (char *)a + ((size_t)j * (size_t)lda + (size_t)i) * size);
        }
    return 0;
}
