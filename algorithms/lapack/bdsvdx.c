/* Some singular values and vectors of real bidiagonal matrices under the names of LAPACK and LAPACKE: bdsvdx. z has the
 * left vectors in its first n rows and the right ones in the next n, each of length 1. d and e, of which LAPACK's makes
 * small numbers 0, stay. Small matrices are LAPACK's work: bdsqr's values, each to high relative accuracy, and bdsdc's
 * vectors, orthogonal where inverse iteration's may be so only roughly. */
#include "algorithms/lapack/singular.h"

#define BDSVDX(T, INT, INTS, ...)                                                                                      \
    char uplo, char jobz, char range, INT n, T *d, T *e, T vl, T vu, INT il, INT iu, INTS *ns, T *s, T *z, INT ldz,    \
        INTS *superb
#define BDSVDX_WORK(T, INT, INTS, ...)                                                                                 \
    char uplo, char jobz, char range, INT n, T *d, T *e, T vl, T vu, INT il, INT iu, INTS *ns, T *s, T *z, INT ldz,    \
        T *work, INTS *iwork

struct call {
    char uplo, jobz, range;
    tw_int n;
    void *d, *e;
    double vl, vu;
    tw_int il, iu;
    void *ns, *s, *z;
    tw_int ldz;
    void *flags; /* as gesvdx.c's */
    tw_int skipped;
    size_t int_size;
};

static tw_int most_found(const struct call *c)
{
    return c->range == 'I' ? tw_numbers(c->il, c->iu) : c->n;
}
static void tell(const struct call *c, tw_int found)
{
    put_int_at(c->int_size, c->ns, 0, found);
    for (tw_int i = 0; c->flags && i < found - c->skipped; i++)
        put_int_at(c->int_size, c->flags, i, 0);
}
/* Columns of z are far between. */
static char *column(const struct call *c, enum tw_type type, tw_int j, tw_int row)
{
    return (char *)c->z + (size_t)(row + j * c->ldz) * tw_sizeof(type);
}

/* ---- LAPACK's routines for all values and vectors, of which what is wanted is kept ------------------------------- */

static void keep(enum tw_type type, const struct call *c, const char *s, const char *u, const char *vt)
{
    const size_t size = tw_sizeof(type), n = (size_t)c->n;
    const struct selection x = select_singular(type, c->range, c->n, c->vl, c->vu, c->il, c->iu, s);

    for (tw_int j = 0; j < x.count; j++) {
        put_real_at(type, c->s, j, get_real(type, s, x.first + j));
        if (c->jobz == 'N') continue;
        memcpy(column(c, type, j, 0), u + (size_t)(x.first + j) * n * size, n * size);
        for (tw_int i = 0; i < c->n; i++)
            put_real_at(type, column(c, type, j, c->n), i, get_real(type, vt, x.first + j + i * c->n));
    }
    tell(c, x.count);
}

static tw_int straight_bdsvdx(const char *routine, enum tw_type type, const struct call *c)
{
    const size_t size = tw_sizeof(type), n = (size_t)c->n;
    const int vectors = c->jobz == 'V', order = (int)c->n;
    char *room = malloc((8 * n + (vectors ? 2 * n * n : 0)) * size), *s = room, *e = s + n * size, *d2 = e + n * size,
         *e2 = d2 + n * size, *work = e2 + n * size, *u = work + 4 * n * size, *vt = u + n * n * size;
    tw_int info;

    if (!room) return no_memory_for_values(routine, c->n);
    memcpy(s, c->d, n * size), memcpy(d2, c->d, n * size);
    if (n > 1) memcpy(e, c->e, (n - 1) * size), memcpy(e2, c->e, (n - 1) * size);
    info = type == TW_FLOAT
               ? LAPACKE_sbdsqr_work(LAPACK_COL_MAJOR, c->uplo, order, 0, 0, 0, (float *)(void *)s, (float *)(void *)e,
                                     NULL, 1, NULL, 1, NULL, 1, (float *)(void *)work)
               : LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, c->uplo, order, 0, 0, 0, (double *)(void *)s,
                                     (double *)(void *)e, NULL, 1, NULL, 1, NULL, 1, (double *)(void *)work);
    if (info == 0 && vectors)
        info =
            told(routine,
                 type == TW_FLOAT
                     ? LAPACKE_sbdsdc(LAPACK_COL_MAJOR, c->uplo, 'I', order, (float *)(void *)d2, (float *)(void *)e2,
                                      (float *)(void *)u, order, (float *)(void *)vt, order, NULL, NULL)
                     : LAPACKE_dbdsdc(LAPACK_COL_MAJOR, c->uplo, 'I', order, (double *)(void *)d2, (double *)(void *)e2,
                                      (double *)(void *)u, order, (double *)(void *)vt, order, NULL, NULL));
    if (info == 0) keep(type, c, s, u, vt);
    if (info > 0) (void)no_values(type, most_found(c), c->s);
    free(room);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int wrap_half(struct tw_matrix **U, enum tw_type type, tw_int n, tw_int columns, char *at, tw_int ld)
{
    return wrap_for(U, &tw_routine_bdsvdx, type, 'G', n, columns, n, at, ld);
}

/* Of an interval it is not known how many columns z has. */
static tw_int tiles(const char *routine, enum tw_type type, const struct call *c)
{
    const tw_int n = c->n, most = most_found(c);
    const int vectors = c->jobz == 'V', unknown = vectors && c->range == 'V';
    const size_t size = tw_sizeof(type);
    const double bytes = unknown ? 2 * (double)n * (double)n * (double)size : 1;
    double *values = malloc((size_t)n * sizeof *values);
    char *room = bytes < (double)PTRDIFF_MAX ? malloc((size_t)bytes) : NULL;
    char *z = unknown ? room : c->z;
    const tw_int ldz = unknown ? 2 * n : c->ldz;
    struct tw_matrix *U = NULL, *V = NULL;
    struct reals r = {NULL, NULL, NULL};
    tw_int found = 0, info = 0;

    if (!values || !room || reals_begin(&r, type, n, c->d, c->e))
        info = tw_fail(
            TW_E_MEMORY,
            "%s: no memory for the singular values and vectors of an interval, up to %lld: %.0f bytes (%.2f GiB)",
            routine, (long long)n, bytes, bytes / 1073741824.0);
    if (!info && vectors) info = wrap_half(&U, type, n, most, z, ldz);
    if (!info && vectors) info = wrap_half(&V, type, n, most, z + (size_t)n * size, ldz);
    if (!info)
        info = tw_bdsvdx_columns(c->uplo == 'U' ? TW_UPPER : TW_LOWER,
                                 (struct tw_wanted){(enum tw_which)c->range, c->vl, c->vu, c->il, c->iu}, n, r.d, r.e,
                                 &found, values, U, V);
    info = finish(info, U, V);
    reals_end(&r, type, 0, NULL);
    for (tw_int i = 0; info >= 0 && i < (info ? most : found); i++)
        put_real_at(type, c->s, i, info ? NAN : values[i]);
    for (tw_int j = 0; info == 0 && unknown && j < found; j++)
        memcpy(column(c, type, j, 0), room + (size_t)(j * ldz) * size, 2 * (size_t)n * size);
    if (info >= 0) tell(c, info ? 0 : found);
    free(values), free(room);
    return info;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static tw_int solve(const char *routine, enum tw_type type, struct call c)
{
    const tw_int n = c.n;

    ARGUMENT(1, (c.uplo = letter(c.uplo, 'U', 'L')), "neither 'U' nor 'L'");
    ARGUMENT(2, (c.jobz = letter(c.jobz, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(3, (c.range = (char)(letter(c.range, 'A', 'V') | letter(c.range, 'I', 'I'))), "not 'A', 'V' or 'I'");
    SIZE(4, n);
    if (n > 0) RANGE_OF_SINGULAR(7, &c, n);
    ARGUMENT(14, c.ldz >= 1 && (c.jobz == 'N' || c.ldz / 2 >= n), "ldz < 1, or with vectors < 2 n");
    ARRAY(11, c.ns);
    tell(&c, 0);
    if (n == 0) return 0;
    ARRAY(5, c.d);
    ARGUMENT(6, c.e || n == 1, "NULL");
    ARRAY(12, c.s);
    ARGUMENT(13, c.z || c.jobz == 'N', "NULL");
    if (!reals_finite(type, n, c.d) || !reals_finite(type, n - 1, c.e)) {
        (void)no_values(type, most_found(&c), c.s);
        return n <= INT32_MAX / 4 ? 2 * n + 1 : n;
    }
    if (!by_lapack(&tw_routine_bdsvdx, "bdsdc", 0, type, n, 0, n, 0)) return tiles(routine, type, &c);
    return straight_bdsvdx(routine, type, &c);
}

#define PARAMETERS                                                                                                     \
    char uplo, char jobz, char range, tw_int n, void *d, void *e, double vl, double vu, tw_int il, tw_int iu,          \
        void *ns, void *s, void *z, tw_int ldz
#define ARGUMENTS uplo, jobz, range, n, d, e, vl, vu, il, iu, ns, s, z, ldz

static tw_int bdsvdx(const char *routine, enum tw_type type, PARAMETERS, void *superb)
{
    return solve(routine, type, (struct call){ARGUMENTS, superb, 1, sizeof(tw_int)});
}

/* ldz of rows is argument 15 here; LAPACKE itself says 3. It wants room for one column more than there are vectors, but
 * of a range of numbers. */
static tw_int lapacke(const struct tw_lapacke *call, struct call c)
{
    const int vectors = letter(c.jobz, 'V', 'V') != 0;
    const tw_int n = c.n, most = letter(c.range, 'I', 'I') ? tw_numbers(c.il, c.iu) : n;
    struct rows Z = {call->type, 2 * counted(n), most, c.z, NULL, c.ldz};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_reals(call, n, c.d));
    NOT_NAN(7, nan_reals(call, n - 1, c.e));
    ROW_LD(15, c.ldz, vectors ? most + !letter(c.range, 'I', 'I') : 0);
    if (ROWS) c.ldz = tw_max(1, 2 * counted(n));
    if (!ROWS || !vectors || n < 0 || most > n) return leave(call, solve(call->lapack, call->type, c));
    if (rows_room(&Z)) return no_memory(call->routine);
    c.z = Z.mine;
    info = solve(call->lapack, call->type, c);
    Z.n = info == 0 ? get_int(c.int_size, c.ns, 0) : 0;
    rows_end(&Z, info == 0);
    return leave(call, info);
}
static tw_int lapacke_bdsvdx(const struct tw_lapacke *call, PARAMETERS, void *superb)
{
    return lapacke(call, (struct call){ARGUMENTS, superb, 1, call->int_size});
}
/* Its workspaces have no lengths. */
static tw_int lapacke_work(const struct tw_lapacke *call, PARAMETERS, void *work, void *iwork)
{
    (void)work;
    return lapacke(call, (struct call){ARGUMENTS, iwork, 0, call->int_size});
}

TW_LAPACK_DOOR_REAL(bdsvdx, BDSVDX, ARGUMENTS, superb)
TW_LAPACKE_CHECKED_REAL(bdsvdx, BDSVDX, ARGUMENTS, superb)
TW_LAPACKE_WORK_REAL(bdsvdx, BDSVDX_WORK, lapacke_work, ARGUMENTS, work, iwork)
TW_LAPACK_ROW(bdsvdx, TW_LAPACK_WORDS(BDSVDX), TW_LAPACKE_WORDS(BDSVDX), TW_LAPACKE_WORDS(BDSVDX_WORK))
