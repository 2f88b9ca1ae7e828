/* Some eigenvalues and eigenvectors of symmetric (sbevx, real types) and hermitian band matrices (hbevx, complex ones)
 * under the names of LAPACK and LAPACKE. As syevr.c: abstol says nothing, every ifail is 0. With eigenvectors q becomes
 * the unitary Q of the tridiagonal Q^H A Q; by tiles ab stays as it is. A request's a is ab, its b is q. */
#include "algorithms/eigen/from_band.h"
#include "algorithms/lapack/band.h"
#include "algorithms/lapack/range.h"

#define SB(T, INT, INTS, more)                                                                                         \
    char jobz, char range, char uplo, INT n, INT kd, T *ab, INT ldab, T *q, INT ldq, T vl, T vu, INT il, INT iu,       \
        T abstol, INTS *m, T *w, T *z, INT ldz, more
#define HB(T, INT, INTS, R, RS, more)                                                                                  \
    char jobz, char range, char uplo, INT n, INT kd, T *ab, INT ldab, T *q, INT ldq, R vl, R vu, INT il, INT iu,       \
        R abstol, INTS *m, RS *w, T *z, INT ldz, more
#define SBEVX(T, INT, INTS, ...)             SB(T, INT, INTS, INTS *ifail)
#define HBEVX(T, INT, INTS, R, RS, ...)      HB(T, INT, INTS, R, RS, INTS *ifail)
#define SBEVX_WORK(T, INT, INTS, ...)        SB(T, INT, INTS, T *work), INTS *iwork, INTS *ifail
#define HBEVX_WORK(T, INT, INTS, R, RS, ...) HB(T, INT, INTS, R, RS, T *work), RS *rwork, INTS *iwork, INTS *ifail

/* ---- LAPACK itself: its reduction, and divide and conquer, of which what is wanted is kept ----------------------- */

#define ITSELF(p, R, name)                                                                                             \
    static int reduce_##p(char vect, char uplo, int n, int kd, void *ab, int ldab, void *d, void *e, void *q, int ldq) \
    {                                                                                                                  \
        return LAPACKE_##p##name(LAPACK_COL_MAJOR, vect, uplo, n, kd, ab, ldab, d, e, q, ldq);                         \
    }                                                                                                                  \
    static int solve_##p(char compz, int n, void *d, void *e, void *v)                                                 \
    {                                                                                                                  \
        return compz == 'N' ? LAPACKE_##R##sterf(n, d, e)                                                              \
                            : LAPACKE_##p##stedc(LAPACK_COL_MAJOR, compz, n, d, e, v, n);                              \
    }
ITSELF(s, s, sbtrd)
ITSELF(d, d, sbtrd)
ITSELF(c, s, hbtrd)
ITSELF(z, d, hbtrd)
static int (*const reduce[TW_NTYPES])(char, char, int, int, void *, int, void *, void *, void *,
                                      int) = {reduce_s, reduce_d, reduce_c, reduce_z};
static int (*const eigen[TW_NTYPES])(char, int, void *, void *, void *) = {solve_s, solve_d, solve_c, solve_z};

/* The band times a power of two: its digits stay. */
static void scale_band(enum tw_type type, const struct request *r, double scale)
{
    const tw_int reals = tw_is_complex(type) ? 2 : 1;
    tw_int first, last;

    for (tw_int j = 0; j < r->n && scale != 1; j++) {
        band_rows(r->uplo, r->n, r->kd, j, &first, &last);
        for (tw_int i = reals * (j * r->lda + first); i < reals * (j * r->lda + last); i++)
            put_real_at(type, r->a, i, scale * get_real(type, r->a, i));
    }
}

static tw_int straight_sbevx(const char *routine, enum tw_type type, const struct request *r, double scale)
{
    const size_t size = tw_sizeof(type), n = (size_t)r->n;
    const int vectors = r->jobz == 'V';
    char *v = malloc(vectors ? n * n * size : 1), *d = malloc(2 * n * sizeof(double)),
         *e = d ? d + n * sizeof(double) : d;
    tw_int info = TW_E_MEMORY;

    if (v && d) {
        scale_band(type, r, scale);
        info = told(routine, reduce[type](vectors ? 'V' : 'N', r->uplo, (int)n, (int)r->kd, r->a, (int)r->lda, d, e,
                                          r->b, (int)r->ldb));
        for (size_t j = 0; info == 0 && vectors && j < n; j++)
            memcpy(v + j * n * size, (const char *)r->b + j * (size_t)r->ldb * size, n * size);
        if (info == 0) info = told(routine, eigen[type](vectors ? 'V' : 'N', (int)n, d, e, v));
    }
    for (tw_int i = 0; info == 0 && i < r->n; i++)
        put_real_at(type, d, i, get_real(type, d, i) / scale);
    if (info == 0) tw_range_keep(type, r, v, d);
    if (info > 0)
        no_values(type, r->range == 'I' ? tw_numbers(r->il, r->iu) : r->n, r->w); /* which are right is not known */
    free(v), free(d);
    return info == TW_E_MEMORY ? no_memory_for_values(routine, r->n) : info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int tiles(const char *routine, enum tw_type type, const struct request *r)
{
    const tw_int n = r->n, kd = r->kd, columns = tw_range_columns(r);
    const int vectors = r->jobz == 'V', unknown = vectors && r->range == 'V';
    void *room = unknown ? tw_range_room(routine, type, n) : NULL;
    double *values = values_begin(type, n, r->w);
    struct tw_matrix *A = NULL, *Q = NULL, *Z = NULL;
    tw_int m = 0, info;

    if (unknown && !room) {
        values_end(type, 0, values, r->w);
        return TW_E_MEMORY;
    }
    if (!values) {
        free(room);
        return no_memory_for_values(routine, n);
    }
    info = tw_matrix_create_band(&A, type, n, n, r->uplo == 'L' ? kd : 0, r->uplo == 'U' ? kd : 0, 0);
    if (!info) info = tw_matrix_set_band(A, r->a, r->lda);
    if (!info && vectors) info = wrap_for(&Q, &tw_routine_sbevd, type, 'G', n, n, n, r->b, r->ldb);
    if (!info && vectors)
        info = wrap_for(&Z, &tw_routine_sbevd, type, 'G', n, unknown ? n : columns, n, unknown ? room : r->z,
                        unknown ? n : r->ldz);
    if (!info)
        info = tw_sbevx((enum tw_jobz)r->jobz, (enum tw_which)r->range, (enum tw_uplo)r->uplo, A, Q, r->vl, r->vu,
                        r->il, r->iu, &m, values, Z);
    info = overlap(routine, info, 12, 17);
    info = finish(finish(info, A, Z), Q, NULL);
    return tw_range_leave(type, r, info, m, values, room);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static tw_int door(const char *routine, enum tw_type type, struct request *r)
{
    const tw_int n = r->n;
    char *jobz = &r->jobz, *range = &r->range, uplo = r->uplo;
    double largest;

    ARGUMENT(1, (*jobz = letter(*jobz, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(2, (*range = (char)(letter(*range, 'A', 'V') | letter(*range, 'I', 'I'))), "not 'A', 'V' or 'I'");
    UPLO(3);
    r->uplo = uplo;
    SIZE(4, n);
    SIZE(5, r->kd);
    ARGUMENT(7, r->lda > r->kd, "ldab < kd + 1");
    ARGUMENT(9, *jobz == 'N' || r->ldb >= tw_max(1, n), "ldq < max(1, n)");
    ARGUMENT(11, *range != 'V' || n == 0 || r->vl < r->vu, "vl < vu does not hold");
    ARGUMENT(12, *range != 'I' || (r->il >= 1 && r->il <= tw_max(1, n)), "not 1 <= il <= max(1, n)");
    ARGUMENT(13, *range != 'I' || (r->iu >= tw_min(n, r->il) && r->iu <= n), "not min(n, il) <= iu <= n");
    ARGUMENT(18, r->ldz >= (*jobz == 'V' ? tw_max(1, n) : 1), "ldz < max(1, n)");
    ARRAY(15, r->m);
    tw_range_put(r, r->m, 0, 0);
    if (n == 0) return 0;
    ARRAY(6, r->a);
    ARGUMENT(8, r->b || *jobz == 'N', "NULL");
    ARRAY(16, r->w);
    ARGUMENT(17, r->z || *jobz == 'N', "NULL");
    if (r->kd > INT32_MAX / 2 || r->ldb > INT32_MAX ||
        !by_lapack(&tw_routine_sbevd, "sbtrd", 0, type, n, n, r->lda, r->ldz))
        return tiles(routine, type, r);
    band_real_diagonal(type, uplo, n, r->kd, r->a, r->lda);
    largest = band_largest(type, r->uplo, n, r->kd, r->a, r->lda);
    if (isfinite(largest)) return straight_sbevx(routine, type, r, tw_scale_of(type, largest));
    no_values(type, *range == 'I' ? tw_numbers(r->il, r->iu) : n, r->w);
    return n;
}

static tw_int by_rows(const struct tw_lapacke *call, struct request *r)
{
    const int vectors = r->jobz == 'V' || r->jobz == 'v';
    const tw_int n = r->n, ld = tw_max(1, n);
    struct rows AB = {call->type, r->kd + 1, n, r->a, NULL, r->lda},
                Q = {call->type, n, n, vectors ? r->b : NULL, NULL, r->ldb};
    struct request mine = *r;
    int64_t m = 0;
    tw_int info;

    if (vectors && r->z && !(mine.z = tw_transposed_room(call->type, n, tw_min(ld, tw_range_columns_of_rows(r)))))
        return no_memory(call->routine);
    if (rows_begin(&AB) || rows_room(&Q)) {
        rows_end(&AB, 0);
        if (vectors) free(mine.z);
        return no_memory(call->routine);
    }
    mine.a = AB.mine, mine.lda = r->kd + 1;
    mine.b = Q.mine, mine.ldb = mine.ldz = ld;
    info = door(call->lapack, call->type, &mine);
    if (info == 0 && r->m) m = r->int_size == 8 ? *(int64_t *)r->m : *(int32_t *)r->m;
    if (vectors && r->z) tw_transpose(call->type, n, m, mine.z, ld, r->z, r->ldz), free(mine.z);
    rows_end(&Q, info == 0);
    rows_end(&AB, 0);
    return leave(call, info);
}

static tw_int lapacke(const struct tw_lapacke *call, struct request *r)
{
    const int interval = r->range == 'V' || r->range == 'v';

    r->int_size = call->int_size;
    LAYOUT;
    NOT_NAN(7, nan_band(call, r->uplo, r->n, r->kd, r->a, r->lda));
    NOT_NAN(15, r->abstol != r->abstol);
    NOT_NAN(11, interval && r->vl != r->vl);
    NOT_NAN(12, interval && r->vu != r->vu);
    if (ROWS && r->lda < r->n) return tw_illegal(call->routine, 8, "ldab < n");
    if (ROWS && r->ldb < r->n) return tw_illegal(call->routine, 10, "ldq < n");
    if (ROWS && r->ldz < tw_range_columns_of_rows(r))
        return tw_illegal(call->routine, 19, "ldz < the number of columns of z");
    if (ROWS && r->kd >= 0 && r->n >= 0) return by_rows(call, r);
    return leave(call, door(call->lapack, call->type, r)); /* of rows: it is refused */
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

#define PARAMETERS                                                                                                     \
    char jobz, char range, char uplo, tw_int n, tw_int kd, void *ab, tw_int ldab, void *q, tw_int ldq, double vl,      \
        double vu, tw_int il, tw_int iu, double abstol, void *m, void *w, void *z, tw_int ldz
#define REQUEST                                                                                                        \
    {                                                                                                                  \
        .expert = 1, .jobz = jobz, .range = range, .uplo = uplo, .n = n, .kd = kd, .a = ab, .lda = ldab, .b = q,       \
        .ldb = ldq, .vl = vl, .vu = vu, .il = il, .iu = iu, .abstol = abstol, .m = m, .w = w, .z = z, .ldz = ldz,      \
        .each = ifail, .int_size = 8                                                                                   \
    }
static tw_int sbevx(const char *routine, enum tw_type type, PARAMETERS, void *ifail)
{
    struct request r = REQUEST;
    return door(routine, type, &r);
}
static tw_int lapacke_sbevx(const struct tw_lapacke *call, PARAMETERS, void *ifail)
{
    struct request r = REQUEST;
    return lapacke(call, &r);
}
static tw_int lapacke_sbevx_work(const struct tw_lapacke *call, PARAMETERS, void *work, void *iwork, void *ifail)
{
    (void)work, (void)iwork;
    return lapacke_sbevx(call, jobz, range, uplo, n, kd, ab, ldab, q, ldq, vl, vu, il, iu, abstol, m, w, z, ldz, ifail);
}
static tw_int lapacke_hbevx_work(const struct tw_lapacke *call, PARAMETERS, void *work, void *rwork, void *iwork,
                                 void *ifail)
{
    (void)rwork;
    return lapacke_sbevx_work(call, jobz, range, uplo, n, kd, ab, ldab, q, ldq, vl, vu, il, iu, abstol, m, w, z, ldz,
                              work, iwork, ifail);
}
#define hbevx(...)         sbevx(__VA_ARGS__)
#define lapacke_hbevx(...) lapacke_sbevx(__VA_ARGS__)

#define ARGUMENTS jobz, range, uplo, n, kd, ab, ldab, q, ldq, vl, vu, il, iu, abstol, m, w, z, ldz
TW_LAPACK_DOOR_REAL(sbevx, SBEVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_REAL(sbevx, SBEVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_REAL(sbevx, SBEVX_WORK, lapacke_sbevx_work, ARGUMENTS, work, iwork, ifail)
TW_LAPACK_ROW(sbevx, TW_LAPACK_WORDS(SBEVX), TW_LAPACKE_WORDS(SBEVX), TW_LAPACKE_WORDS(SBEVX_WORK))
TW_LAPACK_DOOR_COMPLEX(hbevx, HBEVX, ARGUMENTS, ifail)
TW_LAPACKE_CHECKED_COMPLEX(hbevx, HBEVX, ARGUMENTS, ifail)
TW_LAPACKE_WORK_COMPLEX(hbevx, HBEVX_WORK, lapacke_hbevx_work, ARGUMENTS, work, rwork, iwork, ifail)
TW_LAPACK_ROW(hbevx, TW_LAPACK_WORDS(HBEVX), TW_LAPACKE_WORDS(HBEVX), TW_LAPACKE_WORDS(HBEVX_WORK))
