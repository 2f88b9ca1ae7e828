/* Some eigenvalues and eigenvectors of symmetric (syevr, syevx: real types) and hermitian matrices (heevr, heevx:
 * complex ones) under the names of LAPACK and LAPACKE. a stays as it is, abstol says nothing, and every isuppz is 1, n
 * (set where all eigenvalues are wanted, as LAPACK's): no element of an eigenvector is known to be 0. */
#include "algorithms/lapack/range.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/syevd.h"

#define SYEV(T, INT, INTS, more)                                                                                       \
    char jobz, char range, char uplo, INT n, T *a, INT lda, T vl, T vu, INT il, INT iu, T abstol, INTS *m, T *w, T *z, \
        INT ldz, more
#define HEEV(T, INT, INTS, R, RS, more)                                                                                \
    char jobz, char range, char uplo, INT n, T *a, INT lda, R vl, R vu, INT il, INT iu, R abstol, INTS *m, RS *w,      \
        T *z, INT ldz, more
#define SYEVR(T, INT, INTS, ...)        SYEV(T, INT, INTS, INTS *isuppz)
#define SYEVX(T, INT, INTS, ...)        SYEV(T, INT, INTS, INTS *ifail)
#define HEEVR(T, INT, INTS, R, RS, ...) HEEV(T, INT, INTS, R, RS, INTS *isuppz)
#define HEEVX(T, INT, INTS, R, RS, ...) HEEV(T, INT, INTS, R, RS, INTS *ifail)
#define SYEVR_WORK(T, INT, INTS, ...)   SYEV(T, INT, INTS, INTS *isuppz), T *work, INT lwork, INTS *iwork, INT liwork
#define SYEVX_WORK(T, INT, INTS, ...)   SYEV(T, INT, INTS, T *work), INT lwork, INTS *iwork, INTS *ifail
#define HEEVR_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    HEEV(T, INT, INTS, R, RS, INTS *isuppz), T *work, INT lwork, RS *rwork, INT lrwork, INTS *iwork, INT liwork
#define HEEVX_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    HEEV(T, INT, INTS, R, RS, T *work), INT lwork, RS *rwork, INTS *iwork, INTS *ifail

void tw_range_put(const struct request *r, void *to, tw_int i, tw_int value)
{
    if (to) put_int_at(r->int_size, to, i, value);
}
/* m, and what is said of each of m eigenvectors. isuppz only of all of them, as LAPACK: for fewer SciPy passes no array
 * at all. */
void tw_range_counts(const struct request *r, tw_int m)
{
    const int all = r->range == 'A' || (r->range == 'I' && tw_numbers(r->il, r->iu) == r->n);

    tw_range_put(r, r->m, 0, m);
    for (tw_int i = 0; i < m && r->jobz == 'V' && (all || r->expert); i++)
        if (r->expert) {
            tw_range_put(r, r->each, i, 0);
        } else {
            tw_range_put(r, r->each, 2 * i, 1);
            tw_range_put(r, r->each, 2 * i + 1, r->n);
        }
}

/* ---- LAPACK itself --------------------------------------------------------------------------------------------------
 * syevd, of which what is wanted is kept: its vectors are orthogonal where syevr's and syevx's may be so only
 * roughly. */

void tw_range_keep(enum tw_type type, const struct request *r, const void *v, const void *w)
{
    const size_t size = tw_sizeof(type);
    tw_int first = r->range == 'I' ? r->il - 1 : 0, end = r->range == 'I' ? r->iu : r->n;

    while (r->range == 'V' && first < r->n && !(get_real(type, w, first) > r->vl))
        first++;
    while (r->range == 'V' && end > first && !(get_real(type, w, end - 1) <= r->vu))
        end--;
    for (tw_int j = 0; j < end - first; j++) {
        put_real_at(type, r->w, j, get_real(type, w, first + j));
        if (r->jobz == 'V')
            memcpy((char *)r->z + (size_t)(j * r->ldz) * size, (const char *)v + (size_t)((first + j) * r->n) * size,
                   (size_t)r->n * size);
    }
    tw_range_counts(r, end - first);
}

static tw_int straight_syevr(const char *routine, enum tw_type type, const struct request *r)
{
    const size_t size = tw_sizeof(type), n = (size_t)r->n;
    char *v = malloc(n * n * size);
    void *w = malloc(n * sizeof(double));
    tw_int info = TW_E_MEMORY;

    for (size_t j = 0; v && j < n; j++) { /* the triangle that counts */
        const size_t from = r->uplo == 'L' ? j : 0, count = r->uplo == 'L' ? n - j : j + 1;
        memcpy(v + (from + j * n) * size, (const char *)r->a + (from + j * (size_t)r->lda) * size, count * size);
    }
    if (v && w) info = tw_straight_syevd(routine, type, r->jobz, r->uplo, r->n, v, r->n, w);
    if (info == 0) tw_range_keep(type, r, v, w);
    for (tw_int i = 0; info > 0 && i < r->n; i++) /* which of them are right is not known */
        put_real_at(type, r->w, i, NAN);
    free(v), free(w);
    return info == TW_E_MEMORY ? no_memory_for_values(routine, r->n) : info;
}

/* LAPACK's sygvx, with the library's own standard form. */
static tw_int straight_sygvx(const char *routine, enum tw_type type, const struct request *r)
{
    tw_int info = tw_straight_potrf(type, r->uplo, r->n, r->b, r->ldb), m;

    tw_account_vendor("potrf", r->n);

    if (info) return r->n + info;
    tw_kernel_sygst(type, (int)r->itype, r->uplo, (int)r->n, r->a, (int)r->lda, r->b, (int)r->ldb);
    if (!triangle_finite(type, r->uplo, r->n, r->a, r->lda)) return no_values(type, r->n, r->w);
    info = straight_syevr(routine, type, r);
    m = r->int_size == 8 ? *(int64_t *)r->m : *(int32_t *)r->m;
    if (info >= 0 && m > 0 && r->jobz == 'V')
        tw_straight_pencil(type, (int)r->itype, r->uplo, (int)r->n, (int)m, r->b, (int)r->ldb, r->z, (int)r->ldz);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

/* Columns that the caller's z is known to have; of an interval that is not known. */
tw_int tw_range_columns(const struct request *r)
{
    return r->range == 'A' ? r->n : r->range == 'I' ? tw_numbers(r->il, r->iu) : 0;
}

void *tw_range_room(const char *routine, enum tw_type type, tw_int n)
{
    const double bytes = (double)n * (double)n * (double)tw_sizeof(type);
    void *room = bytes < (double)PTRDIFF_MAX ? malloc((size_t)n * (size_t)n * tw_sizeof(type)) : NULL;

    if (!room)
        (void)tw_fail(TW_E_MEMORY,
                      "%s: no memory for the eigenvectors of an interval, up to %lld: %.0f bytes (%.2f GiB)", routine,
                      (long long)n, bytes, bytes / 1073741824.0);
    return room;
}

/* w, and the first m columns of an interval's vectors, which went into an array with room for all. */
tw_int tw_range_leave(enum tw_type type, const struct request *r, tw_int info, tw_int m, double *values, void *room)
{
    const size_t size = tw_sizeof(type);

    values_end(type, info < 0 || info > r->n ? 0 : info > 0 ? r->n : m, values, r->w);
    for (tw_int j = 0; room && info == 0 && j < m; j++)
        memcpy((char *)r->z + (size_t)(j * r->ldz) * size, (const char *)room + (size_t)(j * r->n) * size,
               (size_t)r->n * size);
    free(room);
    if (info >= 0) tw_range_counts(r, info ? 0 : m);
    return info;
}

static tw_int tiles(const char *routine, enum tw_type type, const struct request *r)
{
    const struct tw_routine *row = r->pencil ? &tw_routine_sygvx : r->expert ? &tw_routine_syevx : &tw_routine_syevr;
    const int vectors = r->jobz == 'V', unknown = vectors && r->range == 'V';
    const enum tw_which which = (enum tw_which)r->range;
    const enum tw_jobz jobz = vectors ? TW_VECTORS : TW_NOVECTORS;
    const tw_int columns = unknown ? r->n : tw_range_columns(r);
    void *room = unknown ? tw_range_room(routine, type, r->n) : NULL;
    double *values = values_begin(type, r->n, r->w);
    struct tw_matrix *A = NULL, *B = NULL, *Z = NULL;
    tw_int m = 0, info;

    if (unknown && !room) {
        values_end(type, 0, values, r->w);
        return TW_E_MEMORY;
    }
    if (!values) {
        free(room);
        return no_memory_for_values(routine, r->n);
    }
    info = wrap_triangle(&A, row, type, r->uplo, r->n, r->a, r->lda);
    if (!info && vectors)
        info = tw_matrix_wrap(&Z, type, TW_GENERAL, r->n, columns, unknown ? room : r->z, unknown ? r->n : r->ldz,
                              tw_matrix_nb(A));
    if (!info && r->pencil)
        info = tw_matrix_wrap(&B, type, (enum tw_uplo)r->uplo, r->n, r->n, r->b, r->ldb, tw_matrix_nb(A));
    if (!info && r->pencil)
        info = tw_sygvx((int)r->itype, jobz, which, (enum tw_uplo)r->uplo, A, B, r->vl, r->vu, r->il, r->iu, &m, values,
                        Z);
    else if (!info)
        info = tw_syevr(jobz, which, (enum tw_uplo)r->uplo, A, r->vl, r->vu, r->il, r->iu, &m, values, Z);
    info = overlap(routine, info, r->pencil ? 13 : 11, r->pencil ? 17 : 14); /* z */
    if (r->pencil) info = overlap(routine, info, 6, 8);
    info = finish(finish(info, A, Z), B, NULL);
    return tw_range_leave(type, r, info, m, values, room);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static struct least least_of(enum tw_type type, const struct request *r)
{
    const tw_int n = counted(r->n);

    if (r->expert) return (struct least){n <= 1 && !r->pencil ? 1 : tw_max(1, (tw_is_complex(type) ? 2 : 8) * n), 0, 0};
    if (tw_is_complex(type)) return (struct least){tw_max(1, 2 * n), tw_max(1, 24 * n), tw_max(1, 10 * n)};
    return (struct least){tw_max(1, 26 * n), 0, tw_max(1, 10 * n)};
}

tw_int tw_door_range(const char *routine, enum tw_type type, struct request *r, const struct workspaces *work)
{
    const tw_int n = r->n;
    const int before = r->pencil, between = 3 * r->pencil; /* more arguments: itype, then b and ldb */
    char *jobz = &r->jobz, *range = &r->range, uplo = r->uplo;
    tw_int info;

    ARGUMENT(1, !r->pencil || (r->itype >= 1 && r->itype <= 3), "not 1, 2 or 3");
    ARGUMENT(before + 1, (*jobz = letter(*jobz, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(before + 2, (*range = (char)(letter(*range, 'A', 'V') | letter(*range, 'I', 'I'))), "not 'A', 'V' or 'I'");
    UPLO(before + 3);
    r->uplo = uplo;
    SIZE(before + 4, n);
    LD(before + 6, r->lda, n);
    if (r->pencil) LD(9, r->ldb, n);
    ARGUMENT(between + 8, *range != 'V' || n == 0 || r->vl < r->vu, "vl < vu does not hold");
    ARGUMENT(between + 9, *range != 'I' || (r->il >= 1 && r->il <= tw_max(1, n)), "not 1 <= il <= max(1, n)");
    ARGUMENT(between + 10, *range != 'I' || (r->iu >= tw_min(n, r->il) && r->iu <= n), "not min(n, il) <= iu <= n");
    ARGUMENT(between + 15, r->ldz >= (*jobz == 'V' ? tw_max(1, n) : 1), "ldz < max(1, n)");
    if ((info = enter_workspaces(routine, type, between + (r->expert ? 16 : 17), least_of(type, r), work)))
        return info < 0 ? info : 0;
    ARRAY(between + 12, r->m);
    tw_range_put(r, r->m, 0, 0);
    if (n == 0) return 0;
    ARRAY(before + 5, r->a);
    if (r->pencil) ARRAY(8, r->b);
    ARRAY(between + 13, r->w);
    ARGUMENT(between + 14, r->z || *jobz == 'N', "NULL");
    if (!by_lapack(&tw_routine_syevr, "syevd", 1, type, n, n, tw_max(r->lda, r->ldb), r->ldz))
        return tiles(routine, type, r);
    if (r->pencil) return straight_sygvx(routine, type, r);
    return straight_syevr(routine, type, r);
}

/* z's columns in a row-major array. */
tw_int tw_range_columns_of_rows(const struct request *r)
{
    if (r->jobz != 'V' && r->jobz != 'v') return 1;
    if (r->range != 'I' && r->range != 'i') return r->n;
    return tw_max(1, tw_numbers(r->il, r->iu)); /* the door refuses others */
}

static tw_int by_rows(const struct tw_lapacke *call, struct request *r, const struct workspaces *work)
{
    struct rows A = {call->type, r->n, r->n, r->a, NULL, r->lda},
                B = {call->type, r->n, r->n, r->pencil ? r->b : NULL, NULL, r->ldb};
    struct request mine = *r;
    const int vectors = r->jobz == 'V' || r->jobz == 'v';
    int64_t m = 0;
    tw_int info;

    mine.ldz = tw_max(1, r->n);
    mine.lda = mine.ldb = tw_max(1, r->n);
    if (vectors && r->z && !(mine.z = tw_transposed_room(call->type, r->n, tw_range_columns_of_rows(r))))
        return no_memory(call->routine);
    if (rows_begin(&A) || rows_begin(&B)) {
        rows_end(&A, 0);
        if (vectors) free(mine.z);
        return no_memory(call->routine);
    }
    mine.a = A.mine, mine.b = B.mine;
    info = tw_door_range(call->lapack, call->type, &mine, work);
    if (info >= 0 && r->m) m = r->int_size == 8 ? *(int64_t *)r->m : *(int32_t *)r->m;
    if (info >= 0 && vectors) tw_transpose(call->type, r->n, m, mine.z, mine.ldz, r->z, r->ldz);
    if (vectors && r->z) free(mine.z);
    rows_end(&A, 0);
    rows_end(&B, info >= 0);
    return leave(call, info);
}

tw_int tw_lapacke_range(const struct tw_lapacke *call, struct request *r, const struct workspaces *work)
{
    const int before = r->pencil, between = 3 * r->pencil;
    const int interval = r->range == 'V' || r->range == 'v';

    r->int_size = call->int_size;
    LAYOUT;
    NOT_NAN(before + 6, nan_triangle(call, r->uplo, 'N', r->n, r->a, r->lda));
    NOT_NAN(9, r->pencil && nan_triangle(call, r->uplo, 'N', r->n, r->b, r->ldb));
    NOT_NAN(between + 12, r->abstol != r->abstol);
    NOT_NAN(between + 8, interval && r->vl != r->vl);
    NOT_NAN(between + 9, interval && r->vu != r->vu);
    if (ROWS && r->lda < r->n) return tw_illegal(call->routine, before + 7, "lda < n");
    if (ROWS && r->pencil && r->ldb < r->n) return tw_illegal(call->routine, 10, "ldb < n");
    if (ROWS && r->ldz < tw_range_columns_of_rows(r))
        return tw_illegal(call->routine, between + 16, "ldz < the number of columns of z");
    if (ROWS && is_query(work)) r->lda = r->ldb = r->ldz = tw_max(1, r->n);
    return ROWS && !is_query(work) ? by_rows(call, r, work)
                                   : leave(call, tw_door_range(call->lapack, call->type, r, work));
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

#define REQUEST(expert, each)                                                                                          \
    {                                                                                                                  \
        expert, jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz, each, 8, 0, 0, NULL, 0, 0          \
    }
#define PARAMETERS                                                                                                     \
    char jobz, char range, char uplo, tw_int n, void *a, tw_int lda, double vl, double vu, tw_int il, tw_int iu,       \
        double abstol, void *m, void *w, void *z, tw_int ldz
#define FUNCTIONS(name, expert)                                                                                        \
    static tw_int name(const char *routine, enum tw_type type, PARAMETERS, void *each)                                 \
    {                                                                                                                  \
        struct request r = REQUEST(expert, each);                                                                      \
        return tw_door_range(routine, type, &r, &own_workspaces);                                                      \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, PARAMETERS, void *each)                                \
    {                                                                                                                  \
        struct request r = REQUEST(expert, each);                                                                      \
        return tw_lapacke_range(call, &r, &own_workspaces);                                                            \
    }
FUNCTIONS(syevr, 0)
FUNCTIONS(heevr, 0)
FUNCTIONS(syevx, 1)
FUNCTIONS(heevx, 1)

static tw_int lapacke_syevr_work(const struct tw_lapacke *call, PARAMETERS, void *isuppz, void *work, tw_int lwork,
                                 void *iwork, tw_int liwork)
{
    struct request r = REQUEST(0, isuppz);
    return tw_lapacke_range(call, &r,
                            &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});
}
static tw_int lapacke_heevr_work(const struct tw_lapacke *call, PARAMETERS, void *isuppz, void *work, tw_int lwork,
                                 void *rwork, tw_int lrwork, void *iwork, tw_int liwork)
{
    struct request r = REQUEST(0, isuppz);
    return tw_lapacke_range(call, &r, &(struct workspaces){work, rwork, iwork, lwork, lrwork, liwork, call->int_size});
}
static tw_int lapacke_syevx_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *iwork,
                                 void *ifail)
{
    struct request r = REQUEST(1, ifail);
    return tw_lapacke_range(call, &r,
                            &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, INT64_MAX, call->int_size});
}
static tw_int lapacke_heevx_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *rwork,
                                 void *iwork, void *ifail)
{
    struct request r = REQUEST(1, ifail);
    return tw_lapacke_range(call, &r,
                            &(struct workspaces){work, rwork, iwork, lwork, INT64_MAX, INT64_MAX, call->int_size});
}

#define ARGUMENTS jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz
TW_LAPACK_DOOR_REAL(syevr, SYEVR, ARGUMENTS, isuppz)
TW_LAPACKE_CHECKED_REAL(syevr, SYEVR, ARGUMENTS, isuppz)
TW_LAPACKE_WORK_REAL(syevr, SYEVR_WORK, lapacke_syevr_work, ARGUMENTS, isuppz, work, lwork, iwork, liwork)
TW_LAPACK_ROW(syevr, TW_LAPACK_WORDS(SYEVR), TW_LAPACKE_WORDS(SYEVR), TW_LAPACKE_WORDS(SYEVR_WORK))
TW_LAPACK_DOOR_COMPLEX(heevr, HEEVR, ARGUMENTS, isuppz)
TW_LAPACKE_CHECKED_COMPLEX(heevr, HEEVR, ARGUMENTS, isuppz)
TW_LAPACKE_WORK_COMPLEX(heevr, HEEVR_WORK, lapacke_heevr_work, ARGUMENTS, isuppz, work, lwork, rwork, lrwork, iwork,
                        liwork)
TW_LAPACK_ROW(heevr, TW_LAPACK_WORDS(HEEVR), TW_LAPACKE_WORDS(HEEVR), TW_LAPACKE_WORDS(HEEVR_WORK))
TW_LAPACK_DOOR_REAL(syevx, SYEVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_REAL(syevx, SYEVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_REAL(syevx, SYEVX_WORK, lapacke_syevx_work, ARGUMENTS, work, lwork, iwork, ifail)
TW_LAPACK_ROW(syevx, TW_LAPACK_WORDS(SYEVX), TW_LAPACKE_WORDS(SYEVX), TW_LAPACKE_WORDS(SYEVX_WORK))
TW_LAPACK_DOOR_COMPLEX(heevx, HEEVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_COMPLEX(heevx, HEEVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_COMPLEX(heevx, HEEVX_WORK, lapacke_heevx_work, ARGUMENTS, work, lwork, rwork, iwork, ifail)
TW_LAPACK_ROW(heevx, TW_LAPACK_WORDS(HEEVX), TW_LAPACKE_WORDS(HEEVX), TW_LAPACKE_WORDS(HEEVX_WORK))
