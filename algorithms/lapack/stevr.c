/* Some eigenvalues and eigenvectors of real tridiagonal matrices under the names of LAPACK and LAPACKE: stevr, stevx.
 * As syevr.c: abstol says nothing, every isuppz is 1, n. A request's a is d, its b is e. */
#include "algorithms/lapack/range.h"

#define STEV(T, INT, INTS, more)                                                                                       \
    char jobz, char range, INT n, T *d, T *e, T vl, T vu, INT il, INT iu, T abstol, INTS *m, T *w, T *z, INT ldz, more
#define STEVR(T, INT, INTS, ...)      STEV(T, INT, INTS, INTS *isuppz)
#define STEVX(T, INT, INTS, ...)      STEV(T, INT, INTS, INTS *ifail)
#define STEVR_WORK(T, INT, INTS, ...) STEV(T, INT, INTS, INTS *isuppz), T *work, INT lwork, INTS *iwork, INT liwork
#define STEVX_WORK(T, INT, INTS, ...) STEV(T, INT, INTS, T *work), INTS *iwork, INTS *ifail

/* ---- LAPACK itself: stevd, of which what is wanted is kept ------------------------------------------------------- */

static tw_int straight_stevr(const char *routine, enum tw_type type, const struct request *r)
{
    const size_t size = tw_sizeof(type), n = (size_t)r->n;
    const int vectors = r->jobz == 'V', order = (int)r->n;
    char *v = malloc(vectors ? n * n * size : 1), *d = malloc(2 * n * size), *e = d ? d + n * size : NULL;
    tw_int info = TW_E_MEMORY;

    by_vendor("stevd", r->n);
    if (v && d) {
        memcpy(d, r->a, n * size);
        if (n > 1) memcpy(e, r->b, (n - 1) * size);
        info = told(routine, type == TW_FLOAT ? LAPACKE_sstevd(LAPACK_COL_MAJOR, r->jobz, order, (float *)(void *)d,
                                                               (float *)(void *)e, (float *)(void *)v, order)
                                              : LAPACKE_dstevd(LAPACK_COL_MAJOR, r->jobz, order, (double *)(void *)d,
                                                               (double *)(void *)e, (double *)(void *)v, order));
    }
    if (info == 0) tw_range_keep(type, r, v, d);
    if (info > 0)
        no_values(type, r->range == 'I' ? tw_numbers(r->il, r->iu) : r->n, r->w); /* which are right is not known */
    free(v), free(d);
    return info == TW_E_MEMORY ? no_memory_for_values(routine, r->n) : info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int tiles(const char *routine, enum tw_type type, const struct request *r)
{
    const int vectors = r->jobz == 'V', unknown = vectors && r->range == 'V';
    const tw_int columns = unknown ? r->n : tw_range_columns(r);
    void *room = unknown ? tw_range_room(routine, type, r->n) : NULL;
    double *values = values_begin(type, r->n, r->w);
    struct tw_matrix *Z = NULL;
    struct reals x = {NULL, NULL, NULL};
    tw_int m = 0, info = 0;

    if (unknown && !room) {
        values_end(type, 0, values, r->w);
        return TW_E_MEMORY;
    }
    if (!values || reals_begin(&x, type, r->n, r->a, r->b)) {
        free(room), values_end(type, 0, values, r->w);
        return no_memory_for_values(routine, r->n);
    }
    if (vectors)
        info = wrap_for(&Z, &tw_routine_stevd, type, 'G', r->n, columns, r->n, unknown ? room : r->z,
                        unknown ? r->n : r->ldz);
    if (!info)
        info = (r->expert ? tw_stevx : tw_stevr)((enum tw_jobz)r->jobz, (enum tw_which)r->range, r->n, x.d, x.e, r->vl,
                                                 r->vu, r->il, r->iu, &m, values, Z);
    info = finish(info, Z, NULL);
    reals_end(&x, type, 0, NULL);
    return tw_range_leave(type, r, info, m, values, room);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static tw_int door(const char *routine, enum tw_type type, struct request *r, const struct workspaces *work)
{
    const tw_int n = r->n;
    const tw_int some = tw_max(0, tw_min(n, INT64_MAX / 32)); /* 20 n is a number */
    const struct least least = {r->expert ? 0 : tw_max(1, 20 * some), 0, r->expert ? 0 : tw_max(1, 10 * some)};
    char *jobz = &r->jobz, *range = &r->range;
    tw_int info;

    ARGUMENT(1, (*jobz = letter(*jobz, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(2, (*range = (char)(letter(*range, 'A', 'V') | letter(*range, 'I', 'I'))), "not 'A', 'V' or 'I'");
    SIZE(3, n);
    ARGUMENT(7, *range != 'V' || n == 0 || r->vl < r->vu, "vl < vu does not hold");
    ARGUMENT(8, *range != 'I' || (r->il >= 1 && r->il <= tw_max(1, n)), "not 1 <= il <= max(1, n)");
    ARGUMENT(9, *range != 'I' || (r->iu >= tw_min(n, r->il) && r->iu <= n), "not min(n, il) <= iu <= n");
    ARGUMENT(14, r->ldz >= (*jobz == 'V' ? tw_max(1, n) : 1), "ldz < max(1, n)");
    if ((info = enter_workspaces(routine, type, 16, least, work))) return info < 0 ? info : 0;
    ARRAY(11, r->m);
    tw_range_put(r, r->m, 0, 0);
    if (n == 0) return 0;
    ARRAY(4, r->a);
    ARGUMENT(5, r->b || n == 1, "NULL");
    ARRAY(12, r->w);
    ARGUMENT(13, r->z || *jobz == 'N', "NULL");
    if (!fits_lapack(&tw_routine_stevd, type, (double)n, n, n, n, r->ldz)) return tiles(routine, type, r);
    if (reals_finite(type, n, r->a) && reals_finite(type, n - 1, r->b)) return straight_stevr(routine, type, r);
    no_values(type, *range == 'I' ? tw_numbers(r->il, r->iu) : n, r->w);
    return n;
}

static tw_int by_rows(const struct tw_lapacke *call, struct request *r, const struct workspaces *work)
{
    struct request mine = *r;
    int64_t m = 0;
    tw_int info;

    mine.ldz = tw_max(1, r->n);
    if (r->z && !(mine.z = tw_transposed_room(call->type, r->n, tw_range_columns_of_rows(r))))
        return no_memory(call->routine);
    info = door(call->lapack, call->type, &mine, work);
    if (info >= 0 && r->m) m = r->int_size == 8 ? *(int64_t *)r->m : *(int32_t *)r->m;
    if (info >= 0) tw_transpose(call->type, r->n, m, mine.z, mine.ldz, r->z, r->ldz);
    if (r->z) free(mine.z);
    return leave(call, info);
}

static tw_int lapacke(const struct tw_lapacke *call, struct request *r, const struct workspaces *work)
{
    const int interval = r->range == 'V' || r->range == 'v', vectors = r->jobz == 'V' || r->jobz == 'v';

    r->int_size = call->int_size;
    LAYOUT;
    NOT_NAN(11, r->abstol != r->abstol);
    NOT_NAN(5, nan_reals(call, r->n, r->a));
    NOT_NAN(6, nan_reals(call, r->n - 1, r->b));
    NOT_NAN(7, interval && r->vl != r->vl);
    NOT_NAN(8, interval && r->vu != r->vu);
    if (ROWS && r->ldz < tw_range_columns_of_rows(r))
        return tw_illegal(call->routine, 15, "ldz < the number of columns of z");
    if (ROWS && vectors && !is_query(work)) return by_rows(call, r, work);
    if (ROWS) r->ldz = tw_max(1, r->n);
    return leave(call, door(call->lapack, call->type, r, work));
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

#define REQUEST(of, more)                                                                                              \
    {                                                                                                                  \
        .expert = of, .jobz = jobz, .range = range, .n = n, .a = d, .b = e, .vl = vl, .vu = vu, .il = il, .iu = iu,    \
        .abstol = abstol, .m = m, .w = w, .z = z, .ldz = ldz, .each = more, .int_size = 8                              \
    }
#define PARAMETERS                                                                                                     \
    char jobz, char range, tw_int n, void *d, void *e, double vl, double vu, tw_int il, tw_int iu, double abstol,      \
        void *m, void *w, void *z, tw_int ldz
#define FUNCTIONS(name, expert)                                                                                        \
    static tw_int name(const char *routine, enum tw_type type, PARAMETERS, void *each_)                                \
    {                                                                                                                  \
        struct request r = REQUEST(expert, each_);                                                                     \
        return door(routine, type, &r, &own_workspaces);                                                               \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, PARAMETERS, void *each_)                               \
    {                                                                                                                  \
        struct request r = REQUEST(expert, each_);                                                                     \
        return lapacke(call, &r, &own_workspaces);                                                                     \
    }
FUNCTIONS(stevr, 0)
FUNCTIONS(stevx, 1)

static tw_int lapacke_stevr_work(const struct tw_lapacke *call, PARAMETERS, void *isuppz, void *work, tw_int lwork,
                                 void *iwork, tw_int liwork)
{
    struct request r = REQUEST(0, isuppz);
    return lapacke(call, &r, &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});
}
static tw_int lapacke_stevx_work(const struct tw_lapacke *call, PARAMETERS, void *work, void *iwork, void *ifail)
{
    struct request r = REQUEST(1, ifail);
    (void)work, (void)iwork;
    return lapacke(call, &r, &own_workspaces);
}

#define ARGUMENTS jobz, range, n, d, e, vl, vu, il, iu, abstol, m, w, z, ldz
TW_LAPACK_DOOR_REAL(stevr, STEVR, ARGUMENTS, isuppz)
TW_LAPACKE_CHECKED_REAL(stevr, STEVR, ARGUMENTS, isuppz)
TW_LAPACKE_WORK_REAL(stevr, STEVR_WORK, lapacke_stevr_work, ARGUMENTS, isuppz, work, lwork, iwork, liwork)
TW_LAPACK_ROW(stevr, TW_LAPACK_WORDS(STEVR), TW_LAPACKE_WORDS(STEVR), TW_LAPACKE_WORDS(STEVR_WORK))
TW_LAPACK_DOOR_REAL(stevx, STEVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_REAL(stevx, STEVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_REAL(stevx, STEVX_WORK, lapacke_stevx_work, ARGUMENTS, work, iwork, ifail)
TW_LAPACK_ROW(stevx, TW_LAPACK_WORDS(STEVX), TW_LAPACKE_WORDS(STEVX), TW_LAPACKE_WORDS(STEVX_WORK))
