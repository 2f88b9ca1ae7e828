/* The problem of one run: its size, where its input comes from, and where its data lives by the door it goes
 * through. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

void *cli_alloc(double bytes, const char *what)
{
    void *p = bytes < 9e18 ? malloc(bytes > 0 ? (size_t)bytes : 1) : NULL;
    if (!p) cli_error(0, "%s: not enough memory: %.0f bytes (%.2f GiB)", what, bytes, bytes / 1073741824.0);
    return p;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* m x n: what bare elements are taken for; m < 0: not said. The reader finds out whether the file is of that
 * size. */
static int inspect(const char *flag, const char *path, const struct cli_options *o, tw_int m, tw_int n,
                   tw_file_info *info)
{
    int e = tw_file_inspect(path, info);

    if (e == TW_E_FORMAT && m >= 0) {
        *info = (tw_file_info){.m = m, .n = n, .type = o->type};
        return 0;
    }
    cli_say_instead("the size of a raw file without a header has to be said: tw_file_read",
                    "a raw file without a header needs --n (or --m) and --type");
    if (e) return cli_input_error(flag, e);
    if (check_is_complex(info->type) && !check_is_complex(o->type))
        return cli_error(CLI_USAGE, "%s %s: the file is complex: choose --type c or z", flag, path);
    return 0;
}

/* rows: of the file; the array may have more, and zeros there. */
static int read_source(struct cli_source *s, tw_int rows, const char *flag, const char *path)
{
    int e;

    s->array = cli_alloc((double)s->m * (double)s->n * check_sizeof(s->type), flag);
    if (!s->array) return CLI_USAGE;
    if (rows < s->m) memset(s->array, 0, (size_t)s->m * (size_t)s->n * check_sizeof(s->type));
    e = tw_file_read(path, s->type, rows, s->n, s->array, s->m > 0 ? s->m : 1);
    return e ? cli_input_error(flag, e) : 0;
}

/* A triangle is read as it stands, its diagonal, too; what the file has beside it is not looked at, and that is
 * said. */
static void other_triangle(const struct cli_problem *p, const struct cli_source *s, const char *path)
{
    const int low = p->uplo == TW_LOWER;
    double v[2] = {0, 0};

    for (tw_int j = 0; j < s->n; j++)
        for (tw_int i = low ? 0 : j + 1; i < (low ? j : s->n); i++) {
            check_get(s->type, s->array, (size_t)(i + j * s->n), v);
            if (v[0] == 0 && v[1] == 0) continue;
            cli_error(0, "note: %s has elements %s its diagonal, which are not read: --uplo %c", path,
                      low ? "above" : "below", p->uplo);
            return;
        }
}

/* The routines use one triangle; a file that is not symmetric gets the other one mirrored from it, and a warning. */
static int mirror(struct cli_problem *p, struct cli_source *s, const char *flag, const char *path)
{
    double low[2], up[2], imaginary = check_is_complex(s->type) ? -1 : 0;
    int differs = 0;

    for (tw_int j = 0; j < s->n; j++)
        for (tw_int i = j; i < s->n; i++) {
            size_t il = (size_t)(i + j * s->n), iu = (size_t)(j + i * s->n);
            check_get(s->type, s->array, il, low);
            check_get(s->type, s->array, iu, up);
            if (low[0] == up[0] && low[1] == imaginary * up[1]) continue;
            differs = 1;
            if (i == j)
                check_set(s->type, s->array, il, low[0], 0);
            else if (p->uplo == TW_LOWER)
                check_set(s->type, s->array, iu, low[0], imaginary * low[1]);
            else
                check_set(s->type, s->array, il, up[0], imaginary * up[1]);
        }
    if (differs && p->routine->values && !p->o->uplo_given)
        return cli_error(CLI_USAGE, "%s %s: the matrix is not %s: say with --uplo which triangle counts", flag, path,
                         check_is_complex(s->type) ? "hermitian" : "symmetric");
    if (differs)
        cli_error(0, "note: %s is not %s; its %s triangle is used", path,
                  check_is_complex(s->type) ? "hermitian" : "symmetric", p->uplo == TW_LOWER ? "lower" : "upper");
    return 0;
}

/* A band is read as it stands; that a file has more than that is said. */
static void beside_band(const struct cli_problem *p, const struct cli_source *s, const char *path)
{
    const int tridiagonal = p->routine->banded == 1;
    const tw_int kd = tridiagonal ? 1 : p->kd;
    double v[2] = {0, 0};

    for (tw_int j = 0; j < s->n; j++)
        for (tw_int i = 0; i < s->n; i++) {
            const int inside = i - j <= kd && j - i <= kd;
            check_get(s->type, s->array, (size_t)(i + j * s->n), v);
            if (inside ? !(tridiagonal && check_is_complex(s->type) && v[1] != 0) : v[0] == 0 && v[1] == 0) continue;
            if (inside)
                cli_error(0, "note: %s is not real; %s uses the real parts", path, p->routine->name);
            else
                cli_error(0, "note: %s has elements beyond %lld diagonal%s on each side, which are not read%s", path,
                          (long long)kd, kd == 1 ? "" : "s", tridiagonal ? "" : ": see --kd");
            return;
        }
}

/* ---- size, memory, input ----------------------------------------------------------------------------------------- */

/* How many values there are. */
static tw_int values_of(const struct cli_problem *p)
{
    return p->routine->singular && p->m < p->n ? p->m : p->n;
}

static int find_size(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    tw_file_info info;
    int e;

    p->n = o->n;
    p->m = p->routine->rectangular && o->m >= 0 ? o->m : o->n;
    if (o->input) {
        if ((e = inspect("--input", o->input, o, o->n < 0 ? -1 : p->m, o->n, &info))) return e;
        if (p->routine->rectangular && o->m >= 0 && o->m != info.m)
            return cli_error(CLI_USAGE, "--m %" PRId64 ": the matrix in %s has %" PRId64 " rows", o->m, o->input,
                             info.m);
        if (info.m != info.n && !p->routine->rectangular)
            return cli_error(CLI_USAGE, "--input %s: %s needs a square matrix, this one is %" PRId64 " x %" PRId64,
                             o->input, p->routine->name, info.m, info.n);
        if (o->n >= 0 && o->n != info.n)
            return cli_error(CLI_USAGE, "--n %" PRId64 ": the matrix in %s %s %" PRId64, o->n, o->input,
                             p->routine->rectangular ? "has as many columns as" : "is of order", info.n);
        p->n = info.n;
        p->m = info.m;
    }
    if (p->routine->tall && p->m < p->n && o->input)
        return cli_error(CLI_USAGE,
                         "--input %s: %s needs no fewer rows than columns, this matrix is %" PRId64 " x %" PRId64,
                         o->input, p->routine->name, p->m, p->n);
    if (p->routine->tall && p->m < p->n)
        return cli_error(CLI_USAGE, "--m %" PRId64 ": %s needs no fewer rows than columns, and --n is %" PRId64, p->m,
                         p->routine->name, p->n);
    if (p->routine->values && o->values_only && o->check && (p->m < p->n ? p->m : p->n) > CHECK_VALUES_MAX)
        return cli_error(
            CLI_USAGE, "--check: %s alone are compared with LAPACK's up to n = %d: choose a smaller --n, or --jobz %c",
            p->routine->singular ? "singular values" : "eigenvalues", CHECK_VALUES_MAX,
            p->routine->singular ? 'S' : 'V');
    if (p->routine->ranges && o->which == TW_INDICES && o->iu > values_of(p))
        return cli_error(CLI_USAGE, "--range I:%" PRId64 ":%" PRId64 ": the matrix %s %" PRId64 "%s", o->il, o->iu,
                         p->routine->singular ? "has" : "is of order", values_of(p),
                         p->routine->singular ? " singular values" : "");
    if (p->routine->truncated && o->tol <= 0 && o->rank > values_of(p)) /* with --tol it is the most of them */
        return cli_error(CLI_USAGE, "--rank %" PRId64 ": the matrix has %" PRId64 " singular values", o->rank,
                         values_of(p));
    if (p->routine->ranges && o->which == TW_INDICES && o->iu < o->il && values_of(p) > 0)
        return cli_error(CLI_USAGE,
                         "--range I:1:0: only a matrix of order 0 has no eigenvalues, this one is of order %" PRId64,
                         values_of(p));
    if (p->routine->values && !p->routine->singular && o->route && !strcmp(o->route, "lapack") && p->n > 46340)
        return cli_error(
            CLI_USAGE,
            "--route lapack: LAPACK's sizes of workspaces end at order 46340: choose a smaller --n, or another route");
    p->nrhs = !p->routine->has_rhs ? 0 : p->routine->pencil ? p->n : o->nrhs >= 0 ? o->nrhs : 1;
    if (o->rhs) {
        const tw_int rows = cli_rows_of_b(p);
        if ((e = inspect("--rhs", o->rhs, o, rows, p->nrhs, &info))) return e;
        if (info.m != rows)
            return cli_error(CLI_USAGE, "--rhs %s: it has %" PRId64 " rows, the matrix %" PRId64 "%s", o->rhs, info.m,
                             rows, o->trans == TW_NOTRANS ? "" : " columns");
        if (o->nrhs >= 0 && o->nrhs != info.n)
            return cli_error(CLI_USAGE, "--nrhs %" PRId64 ": %s has %" PRId64 " columns", o->nrhs, o->rhs, info.n);
        if (p->routine->pencil && info.n != p->n)
            return cli_error(CLI_USAGE, "--rhs %s: it has %" PRId64 " columns, the matrix %" PRId64, o->rhs, info.n,
                             p->n);
        p->nrhs = info.n;
        p->vector = info.vector;
    }
    p->rows = p->m > p->n ? p->m : p->n;
    /* A right-hand side, and some vectors, have as many rows as A has columns; factors have A's. */
    p->ld = !p->routine->has_rhs && (p->routine->growth || p->routine->reflectors) ? p->m : p->rows;
    if (p->ld < 1) p->ld = 1;
    return 0;
}

tw_int cli_rows_of_b(const struct cli_problem *p)
{
    return p->o->trans == TW_NOTRANS ? p->m : p->n;
}
tw_int cli_rows_of_x(const struct cli_problem *p)
{
    return p->o->trans == TW_NOTRANS ? p->n : p->m;
}
char cli_trans(const struct cli_problem *p)
{
    return p->o->trans == TW_CONJTRANS && p->routine->transposes == 2 && !check_is_complex(p->type) ? 'T'
                                                                                                    : (char)p->o->trans;
}

/* A is the result of banded routines, if there are eigenvectors, but for some of them, which are in B. */
static int no_matrix(const struct cli_problem *p)
{
    return p->routine->banded && (p->o->values_only || p->routine->ranges);
}

/* Columns for eigenvectors of routines with --range: of an interval they are not known before. */
tw_int cli_vectors_most(const struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    return o->which == TW_INDICES && o->iu <= values_of(p) ? o->iu - o->il + 1 : values_of(p);
}

/* 0 if so much may be there, else an exit status after a message. */
static int within_memory(const struct cli_problem *p, double need)
{
    const char *source = "";
    char order[64];
    const double limit = (double)tw_host_memory_limit(&source);

    if (limit <= 0 || need <= limit) return 0;
    if (p->m == p->n)
        snprintf(order, sizeof order, "n = %" PRId64, p->n);
    else
        snprintf(order, sizeof order, "%" PRId64 " x %" PRId64, p->m, p->n);
    return cli_error(CLI_USAGE,
                     "%s: %s: %.0f bytes (%.2f GiB) of main memory are needed%s, the limit is %.0f (%.2f "
                     "GiB, from %s): choose a smaller %s, or set TILEWORK_HOST_MEMORY if this machine's memory grows "
                     "as it is used",
                     order, tw_strerror(TW_E_MEMORY), need, need / 1073741824.0, p->o->check ? " (with --check)" : "",
                     limit, limit / 1073741824.0, source, p->m > p->n ? "--m" : "--n");
}

/* What the routine makes beside its operands, where it comes after a factorization, which would have been for
 * nothing. The library is running. */
static int check_own_memory(const struct cli_problem *p)
{
    tw_memory memory;

    if (!p->routine->factor ||
        tw_routine_memory(p->routine->name, p->type, p->m, p->n, p->nrhs, p->o->nb, &memory) != 0)
        return 0;
    return within_memory(p, (double)memory.host + (double)memory.own);
}

/* Everything this run is going to hold, before any work. The library checks its own part again. */
static int check_memory(const struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    const double n = (double)p->n, size = (double)check_sizeof(p->type), square = (double)p->m * n * size;
    const double panel = (double)p->rows * (double)p->nrhs * size;
    double need = panel;

    need += no_matrix(p)                                                          ? (double)(p->kd + 1) * n * size
            : p->door == CLI_TILES && !p->routine->general && !p->routine->banded ? square / 2
                                                                                  : square;
    if (p->routine->general && p->routine->solves && !p->routine->factor) need += panel; /* gesv's copy of B */
    need += p->routine->copies * (square + panel);
    if ((p->routine->singular && !o->values_only) || p->routine->second || p->routine->nonsymmetric) need += 2 * square;
    if (p->routine->ranges && !p->routine->singular && !o->values_only)
        need += (double)p->n * (double)cli_vectors_most(p) * size;
    if (o->input) need += square;
    if (o->rhs) need += panel;
    if (o->check || o->output) need += p->routine->has_rhs ? 2 * panel : p->door == CLI_TILES ? square : 0;
    if (o->check && (n <= CHECK_FULL_MAX || (p->routine->growth && p->m != p->n)))
        need += p->routine->check_arrays * square;
    return within_memory(p, need);
}

static int starts_with(const char *text, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(text, word, n) && (text[n] == 0 || text[n] == ':');
}

/* Kinds of matrices for which an error of exactly 0 is none to believe. */
static int is_random(const char *kind)
{
    static const char *const kinds[] = {"spd", "random",     "symmetric", "spectrum",
                                        "svd", "orthogonal", "graded",    "dominant"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (starts_with(kind, kinds[k])) return 1;
    return 0;
}

/* Kinds that are symmetric, or hermitian, whatever their parameters. Of others a routine that takes a triangle takes
 * that of a symmetric matrix. */
static int is_symmetric(const char *kind)
{
    static const char *const kinds[] = {"spd",       "symmetric", "spectrum", "hilbert", "minij", "lehmer", "kms",
                                        "laplacian", "identity",  "zero",     "gp",      "minor", "nan"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (starts_with(kind, kinds[k])) return 1;
    return 0;
}

static int find_input(struct cli_problem *p)
{
    const struct cli_options *o = p->o;
    int e;

    p->source.type = p->rhs.type = p->type;
    p->source.m = p->m;
    p->source.n = p->n;
    p->rhs.m = p->rows;
    p->rhs.n = p->nrhs;
    p->rhs.random = 1;
    if (o->input) {
        snprintf(p->kind, sizeof p->kind, "file");
        if ((e = read_source(&p->source, p->m, "--input", o->input))) return e;
        if (p->routine->triangular)
            other_triangle(p, &p->source, o->input);
        else if (!p->routine->general && (e = mirror(p, &p->source, "--input", o->input)))
            return e;
        if (p->routine->banded) beside_band(p, &p->source, o->input);
    } else {
        snprintf(p->kind, sizeof p->kind, "%s", o->kind);
        e = tw_generator_create(&p->source.generator, o->kind, p->type, p->m, p->n, o->seed);
        if (e) return cli_input_error("--kind", e);
        p->source.random = is_random(o->kind);
        if (!p->routine->general && !p->routine->triangular && !is_symmetric(o->kind)) {
            p->source.mirrored = p->uplo;
            cli_error(0, "note: --kind %s is not %s; its %s triangle is used", o->kind,
                      check_is_complex(p->type) ? "hermitian" : "symmetric", p->uplo == TW_LOWER ? "lower" : "upper");
        }
    }
    if (!p->routine->has_rhs) return 0;
    if (o->rhs) {
        e = read_source(&p->rhs, cli_rows_of_b(p), "--rhs", o->rhs);
        return !e && p->routine->pencil ? mirror(p, &p->rhs, "--rhs", o->rhs) : e;
    }
    e = tw_generator_create(&p->rhs.generator, p->routine->pencil ? "spd" : "random", p->type, p->rows, p->nrhs,
                            o->seed + 1);
    return e ? cli_input_error("right-hand side", e) : 0;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Pivots, tau or T beside a tiled A. */
static int make_pivots_or_tau(struct cli_problem *p)
{
    if (p->routine->tree) return tw_tree_create(&p->P, p->A, 0);
    if (p->routine->reflectors) {
        const int e = tw_tau_create(&p->P, p->A);
        return e || p->routine->reflectors < 2 ? e : tw_tau_create(&p->P2, p->A);
    }
    return p->routine->general && (!p->routine->rectangular || p->routine->growth) && !p->routine->nonsymmetric
               ? tw_pivots_create(&p->P, p->A)
               : 0;
}

tw_int cli_problem_nb(const struct cli_problem *p, const char **source)
{
    const char *from = "option";
    const tw_int nb = p->o->nb > 0 ? p->o->nb
                                   : tw_routine_nb(p->routine->tiles_of ? p->routine->tiles_of : p->routine->name,
                                                   p->type, p->m, p->n, p->routine->has_rhs ? p->nrhs : 0, &from);
    if (source) *source = from;
    return nb;
}

int cli_problem_tiles(const struct cli_problem *p, tw_int *mb, tw_int *nb)
{
    *mb = *nb = cli_problem_nb(p, NULL);
    if (p->o->nb > 0 || *nb < 0) return *nb < 0 ? (int)*nb : 0;
    return tw_routine_tiles(p->routine->tiles_of ? p->routine->tiles_of : p->routine->name, p->type, p->m, p->n,
                            p->routine->has_rhs ? p->nrhs : 0, mb, nb);
}

/* Eigenvectors need all of the matrix that they overwrite. */
static enum tw_uplo storage(const struct cli_problem *p)
{
    return p->routine->values && !p->o->values_only && !p->routine->ranges
               ? TW_GENERAL
               : p->uplo; /* of singular values it is general */
}

static int allocate(struct cli_problem *p)
{
    const double column = (double)p->ld * (double)check_sizeof(p->type);
    tw_int mb, nb;
    int e = cli_problem_tiles(p, &mb, &nb);

    if (e) return cli_library_error("--nb", e);
    if (p->routine->values && !(p->w = cli_alloc((double)p->n * sizeof *p->w, "--n"))) return CLI_USAGE;
    if (p->routine->banded && (e = cli_band_allocate(p))) return e;
    if (p->routine->pivoted && !(p->jpvt = cli_alloc((double)p->n * sizeof *p->jpvt, "--n"))) return CLI_USAGE;
    if (p->routine->ranges && !p->routine->singular && !p->o->values_only) {
        const double elements = (double)p->ld * (double)cli_vectors_most(p);
        if (p->door == CLI_LAPACK && !(p->z = cli_alloc(elements * (double)check_sizeof(p->type), "--n")))
            return CLI_USAGE;
        if (p->door != CLI_LAPACK &&
            (e = tw_matrix_create(&p->Z, p->type, TW_GENERAL, p->n, cli_vectors_most(p), nb, NULL)))
            return cli_library_error("--n", e);
    }
    if ((p->routine->singular || p->routine->second || p->routine->nonsymmetric) &&
        (e = cli_singular_allocate(p, mb, nb)))
        return e;
    if (no_matrix(p)) return 0;
    if (p->door == CLI_TILES) {
        if ((e = tw_matrix_create_tiles(&p->A, p->type, storage(p), p->m, p->n, mb, nb, NULL)))
            return cli_library_error("--n", e);
        if ((e = make_pivots_or_tau(p))) return cli_library_error("--n", e);
        if (!p->routine->has_rhs) return 0;
        e = tw_matrix_create_tiles(&p->B, p->type, TW_GENERAL, p->rows, p->nrhs, tw_matrix_mb(p->A), tw_matrix_nb(p->A),
                                   NULL);
        return e ? cli_library_error("--nrhs", e) : 0;
    }
    if (!(p->a = cli_alloc(column * (double)p->n, "--n"))) return CLI_USAGE;
    if (p->routine->general && !(p->ipiv = cli_alloc((double)p->n * sizeof *p->ipiv, "--n"))) return CLI_USAGE;
    if (p->routine->reflectors && !(p->tau = cli_alloc((double)p->rows * (double)check_sizeof(p->type), "--n")))
        return CLI_USAGE;
    if (p->routine->reflectors > 1 && !(p->tau2 = cli_alloc((double)p->rows * (double)check_sizeof(p->type), "--n")))
        return CLI_USAGE;
    if (p->routine->has_rhs && !(p->b = cli_alloc(column * (double)p->nrhs, "--nrhs"))) return CLI_USAGE;
    return 0;
}

int cli_problem_create(struct cli_problem *p, const struct cli_routine *routine, const struct cli_options *o)
{
    int e;

    memset(p, 0, sizeof *p);
    p->o = o;
    p->routine = routine;
    p->type = o->type;
    p->uplo = routine->general ? TW_GENERAL : o->uplo;
    p->door = o->door;
    p->anorm = p->largest = p->growth = -1;
    p->found = -1;
    p->kd = routine->banded == 1 ? 1 : o->kd >= 0 ? o->kd : 32;
    p->corrections = -1;
    if ((e = find_size(p)) || (e = check_memory(p)) || (e = cli_start(o)) || (e = check_own_memory(p)) ||
        (e = find_input(p)) || (e = allocate(p)))
        cli_problem_destroy(p);
    return e;
}

void cli_problem_destroy(struct cli_problem *p)
{
    tw_matrix_destroy(p->A);
    tw_matrix_destroy(p->B);
    tw_matrix_destroy(p->P);
    tw_matrix_destroy(p->P2);
    tw_matrix_destroy(p->Z);
    p->Z = NULL;
    cli_singular_free(p);
    tw_generator_destroy(p->source.generator);
    tw_generator_destroy(p->rhs.generator);
    free(p->source.array);
    free(p->rhs.array);
    free(p->a);
    free(p->b);
    free(p->ipiv);
    free(p->jpvt);
    free(p->tau), free(p->tau2);
    free(p->w), free(p->z);
    p->z = NULL;
    cli_band_free(p);
    p->w = NULL;
    p->ipiv = p->jpvt = NULL;
    p->tau = p->tau2 = NULL;
    p->A = p->B = p->P = p->P2 = NULL;
    p->source.generator = p->rhs.generator = NULL;
    p->a = p->b = p->source.array = p->rhs.array = NULL;
}

static int fill(const struct cli_source *s, tw_matrix *matrix, void *array, tw_int ld)
{
    int e;

    if (!matrix) return cli_source_fill(s, array, ld);
    e = s->generator ? tw_matrix_generate(matrix, s->generator)
                     : tw_matrix_set_lapack(matrix, s->array, s->m > 0 ? s->m : 1);
    return e ? e : tw_release_to_host(matrix);
}

int cli_problem_fill(struct cli_problem *p)
{
    int e;

    cli_problem_unwrap(p);
    p->found = values_of(p);
    e = p->routine->banded ? cli_band_fill(p) : fill(&p->source, p->A, p->a, p->ld);
    if (!e && p->routine->has_rhs) e = fill(&p->rhs, p->B, p->b, p->ld);
    return e ? cli_library_error("generating the matrix", e) : 0;
}

int cli_problem_wrap(struct cli_problem *p)
{
    const tw_int nb = cli_problem_nb(p, NULL);
    int e;

    if (p->door != CLI_IN_PLACE || p->A || no_matrix(p)) return 0;
    if (nb < 0) return (int)nb;
    if ((e = tw_matrix_wrap(&p->A, p->type, storage(p), p->m, p->n, p->a, p->ld, nb))) return e;
    if ((e = make_pivots_or_tau(p))) return e;
    if (!p->routine->has_rhs) return 0;
    return tw_matrix_wrap(&p->B, p->type, TW_GENERAL, p->rows, p->nrhs, p->b, p->ld, tw_matrix_nb(p->A));
}

void cli_problem_unwrap(struct cli_problem *p)
{
    if (p->door != CLI_IN_PLACE) return;
    tw_matrix_destroy(p->A);
    tw_matrix_destroy(p->B);
    tw_matrix_destroy(p->P);
    tw_matrix_destroy(p->P2);
    p->A = p->B = p->P = p->P2 = NULL;
}

int cli_problem_home(struct cli_problem *p)
{
    int e = 0;

    if (p->A && !p->routine->solves) e = tw_release_to_host(p->A);
    if (!e && p->P) e = tw_release_to_host(p->P);
    if (!e && p->P2) e = tw_release_to_host(p->P2);
    if (!e && p->B) e = tw_release_to_host(p->B);
    if (!e && p->Z) e = tw_release_to_host(p->Z);
    return e ? e : cli_singular_home(p);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

int cli_result_of(struct cli_problem *p, tw_matrix *matrix, void *mine, tw_int columns, void **array, void **copy)
{
    int e;

    *copy = NULL;
    *array = mine;
    if (mine) {
        e = matrix ? tw_release_to_host(matrix) : 0;
        return e ? cli_library_error("reading the result", e) : 0;
    }
    *copy = *array = cli_alloc((double)p->ld * (double)columns * (double)check_sizeof(p->type), "reading the result");
    if (!*array) return CLI_FAILED;
    e = tw_matrix_to_lapack(matrix, *array, p->ld);
    if (!e) return 0;
    free(*copy);
    *copy = *array = NULL;
    return cli_library_error("reading the result", e);
}

int cli_result_a(struct cli_problem *p, void **array, void **copy)
{
    return cli_result_of(p, p->A, p->a, p->n, array, copy);
}

int cli_result_z(struct cli_problem *p, void **array, void **copy)
{
    return p->routine->ranges ? cli_result_of(p, p->Z, p->z, cli_vectors_most(p), array, copy)
                              : cli_result_a(p, array, copy);
}

int cli_result_b(struct cli_problem *p, void **array, void **copy)
{
    return cli_result_of(p, p->B, p->b, p->nrhs, array, copy);
}

tw_int *cli_result_pivots(struct cli_problem *p)
{
    const tw_int n = p->m < p->n ? p->m : p->n;
    tw_int *ipiv = cli_alloc((double)n * sizeof *ipiv, "reading the pivots");
    int32_t *few = cli_alloc((double)n * sizeof *few, "reading the pivots");
    int e = ipiv && few ? 0 : -1;

    if (!e && p->P && (e = tw_matrix_to_lapack(p->P, few, p->ld))) cli_library_error("reading the pivots", e);
    for (tw_int i = 0; !e && i < n; i++)
        ipiv[i] = p->P ? few[i] : p->ipiv[i];
    free(few);
    if (!e) return ipiv;
    free(ipiv);
    return NULL;
}

static void *result_tau(struct cli_problem *p, tw_matrix *P, const void *mine)
{
    const tw_int k = p->m < p->n ? p->m : p->n;
    void *tau = cli_alloc((double)k * (double)check_sizeof(p->type), "reading tau");
    const int e = tau && P ? tw_matrix_to_lapack(P, tau, k > 0 ? k : 1) : 0;

    if (tau && !P) memcpy(tau, mine, (size_t)k * check_sizeof(p->type));
    if (!e) return tau;
    cli_library_error("reading tau", e);
    free(tau);
    return NULL;
}

void *cli_result_tau(struct cli_problem *p)
{
    return result_tau(p, p->P, p->tau);
}
void *cli_result_tau2(struct cli_problem *p)
{
    return result_tau(p, p->P2, p->tau2);
}

double cli_flops(const struct cli_problem *p, const struct cli_routine *routine)
{
    const double real = routine->flops_of ? routine->flops_of((double)p->m, (double)p->n, (double)p->nrhs)
                        : routine->flops  ? routine->flops((double)p->n, (double)p->nrhs)
                                          : NAN;
    return real * (check_is_complex(p->type) ? 4 : 1);
}
