/* The public functions of a routine under LAPACK's and LAPACKE's names, of one list of its parameters: four types,
 * LAPACKE's with and without _work, and with 32- and 64-bit integers.
 *
 *   #define GETRF(T, INT, INTS, ...) INT m, INT n, T *a, INT lda, INTS *ipiv            in LAPACK's order
 *   TW_LAPACK_DOORS(getrf, GETRF, m, n, a, lda, ipiv)
 *
 * The types are T of elements, INT of integers and INTS of arrays of them, R of real numbers and RS of arrays of them,
 * W of LAPACK's second workspace where there is one, and S of a function that selects eigenvalues. Two functions of the
 * same file do the work for all types and widths: arrays come as void *, real numbers as double; ipiv is tw_int *, or
 * in LAPACKE's, whose width is in the call, void *.
 *
 *   static tw_int getrf(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *ipiv);
 *   static tw_int lapacke_getrf(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *ipiv);
 *
 * The headers' prototypes are written out: tests/dense/test_lapack_rows.c compares them with the rows that are made
 * here. */
#ifndef TW_ALGORITHMS_LAPACK_DOORS_H
#define TW_ALGORITHMS_LAPACK_DOORS_H
#include "runtime/base/blas_table.h"
#include "runtime/base/doing.h"
#include <tilework/lapack.h>
#include <tilework/lapacke.h>
#include "runtime/base/types.h"

/* A routine's parameters as the headers have them (INT stands for lapack_int), of the LAPACK door, of the LAPACKE door
 * and of its function with _work; NULL: it has no such, or another row of that name has it. no_layout: LAPACKE's
 * functions have none, for there is no matrix. */
struct tw_lapack_row {
    const char *name, *lapack, *lapacke, *work;
    int no_layout;
};
/* The routines, each of which has its file and in it its TW_LAPACK_ROW. */
/* clang-format off */
#define TW_LAPACK_ROUTINES(X)                                                                                         \
    X(potrf) X(potrs) X(posv) X(potri) X(lauum) X(trtri) X(pocon) X(getrf) X(getrs) X(gesv) X(getri) X(trtrs)         \
    X(gecon) X(trcon) X(gesvx) X(posvx) X(geequ) X(poequ) X(geequb) X(poequb) X(gerfs) X(porfs) X(trrfs)          \
    X(getrf_nopiv) X(gesv_nopiv)                                                                                      \
    X(gemm) X(symm) X(hemm) X(syrk) X(herk) X(syr2k) X(her2k) X(trmm) X(trsm) X(geqrf) X(gelqf) X(ormqr) X(unmqr)     \
    X(ormlq) X(unmlq) X(orgqr) X(ungqr) X(orglq) X(unglq) X(gels) X(syevd) X(heevd) X(geqp3) X(geqp3_complex)         \
    X(geqp3_random) X(geqp3rk) X(geqp3rk_random) X(gelsy) X(gelsy_complex) X(dsgesv) X(zcgesv) X(dsposv) X(zcposv)    \
    X(stedc) X(stedc_complex) X(stevd) X(sterf) X(syevd_2stage) X(heevd_2stage) X(syev) X(heev) X(syev_2stage)        \
    X(heev_2stage) X(sygst) X(hegst) X(sygvd) X(hegvd) X(sygv) X(hegv) X(sygvx) X(hegvx) X(syevr) X(heevr) X(syevx)   \
    X(heevx) X(sbevd) X(hbevd) X(sbevx) X(hbevx) X(sytrd) X(hetrd) X(orgtr) X(ungtr) X(ormtr) X(unmtr) X(gehrd)       \
    X(geev) X(geev_complex) X(geevx) X(geevx_complex) X(gees) X(gees_complex) X(geesx) X(geesx_complex) X(hseqr)      \
    X(hseqr_complex) X(gebal) X(gebak) X(trevc3) X(trevc3_complex) X(orghr) X(unghr) X(ormhr) X(unmhr) X(stebz)       \
    X(stevr) X(stevx) X(gesdd) X(gesdd_complex) X(gesvd) X(gesvd_complex) X(gesvdx) X(gesvdx_complex) X(gelsd)        \
    X(gelsd_complex) X(gelss) X(gelss_complex) X(bdsdc) X(bdsqr) X(bdsvdx) X(gebrd) X(orgbr) X(ungbr) X(ormbr)        \
    X(unmbr)
/* clang-format on */
#define TW_ROW(name) extern const struct tw_lapack_row tw_lapack_row_##name;
TW_LAPACK_ROUTINES(TW_ROW)
#undef TW_ROW
extern const struct tw_lapack_row *const tw_lapack_rows[]; /* NULL after the last */

#define TW_WORDS(...)       TW_WORDS_(__VA_ARGS__)
#define TW_WORDS_(...)      #__VA_ARGS__
#define TW_LAPACK_WORDS(P)  TW_WORDS(P(T, tw_int, tw_int, R, R, W, S))
#define TW_LAPACKE_WORDS(P) TW_WORDS(P(T, INT, INT, R, R, W, S)) /* lapack_int is a macro */

/* What LAPACKE's functions of select return is as wide as their integers. */
typedef int64_t (*tw_lapacke64_s_select_fn)(const float *wr, const float *wi);
typedef int64_t (*tw_lapacke64_d_select_fn)(const double *wr, const double *wi);
typedef int64_t (*tw_lapacke64_c_select_fn)(const lapack_complex_float *w);
typedef int64_t (*tw_lapacke64_z_select_fn)(const lapack_complex_double *w);

/* ---- the LAPACK door --------------------------------------------------------------------------------------------- */

#define TW_LAPACK_DOOR(name, P, ...)                                                                                   \
    TW_LAPACK_DOOR_REAL(name, P, __VA_ARGS__)                                                                          \
    TW_LAPACK_DOOR_COMPLEX(name, P, __VA_ARGS__)
/* Of routines whose names differ: ormqr and unmqr. */
#define TW_LAPACK_DOOR_REAL(name, P, ...)                                                                              \
    TW_LAPACK_DOOR_(name, P, s, TW_FLOAT, float, float, __VA_ARGS__)                                                   \
    TW_LAPACK_DOOR_(name, P, d, TW_DOUBLE, double, double, __VA_ARGS__)
#define TW_LAPACK_DOOR_COMPLEX(name, P, ...)                                                                           \
    TW_LAPACK_DOOR_(name, P, c, TW_COMPLEX_FLOAT, tw_complex_float, float, __VA_ARGS__)                                \
    TW_LAPACK_DOOR_(name, P, z, TW_COMPLEX_DOUBLE, tw_complex_double, double, __VA_ARGS__)
#define TW_LAPACK_DOOR_(name, P, p, TYPE, T, R, ...)                                                                   \
    tw_int tw_##p##name(P(T, tw_int, tw_int, R, R, void, tw_##p##_select_fn))                                          \
    {                                                                                                                  \
        TW_DOOR;                                                                                                       \
        return name("tw_" #p #name, TYPE, __VA_ARGS__);                                                                \
    }

/* ---- the LAPACKE door -------------------------------------------------------------------------------------------- */

/* One call of a function of LAPACKE's. */
struct tw_lapacke {
    const char *routine, *lapack; /* its name, and that of the LAPACK door's function */
    enum tw_type type;
    int layout, checks; /* checks: NaNs are looked for: not by _work */
    size_t int_size;    /* of lapack_int */
};

#define TW_LAPACKE_CHECKED(name, P, ...)                                                                               \
    TW_LAPACKE_CHECKED_REAL(name, P, __VA_ARGS__)                                                                      \
    TW_LAPACKE_CHECKED_COMPLEX(name, P, __VA_ARGS__)
#define TW_LAPACKE_CHECKED_REAL(name, P, ...)    TW_LAPACKE_REAL_(name, , P, 1, lapacke_##name, __VA_ARGS__)
#define TW_LAPACKE_CHECKED_COMPLEX(name, P, ...) TW_LAPACKE_COMPLEX_(name, , P, 1, lapacke_##name, __VA_ARGS__)
/* The function with _work, whose parameters, and what it calls, may be others. */
#define TW_LAPACKE_WORK(name, P, function, ...)                                                                        \
    TW_LAPACKE_WORK_REAL(name, P, function, __VA_ARGS__)                                                               \
    TW_LAPACKE_WORK_COMPLEX(name, P, function, __VA_ARGS__)
#define TW_LAPACKE_WORK_REAL(name, P, function, ...)    TW_LAPACKE_REAL_(name, _work, P, 0, function, __VA_ARGS__)
#define TW_LAPACKE_WORK_COMPLEX(name, P, function, ...) TW_LAPACKE_COMPLEX_(name, _work, P, 0, function, __VA_ARGS__)

#define TW_LAPACKE_REAL_(name, work, P, checks, function, ...)                                                         \
    TW_LAPACKE_32_(name, work, P, checks, function, s, TW_FLOAT, float, float, lapack_int, __VA_ARGS__)                \
    TW_LAPACKE_32_(name, work, P, checks, function, d, TW_DOUBLE, double, double, lapack_int, __VA_ARGS__)             \
    TW_LAPACKE_64_(name, work, P, checks, function, s, TW_FLOAT, float, float, int64_t, __VA_ARGS__)                   \
    TW_LAPACKE_64_(name, work, P, checks, function, d, TW_DOUBLE, double, double, int64_t, __VA_ARGS__)
#define TW_LAPACKE_COMPLEX_(name, work, P, checks, function, ...)                                                      \
    TW_LAPACKE_32_(name, work, P, checks, function, c, TW_COMPLEX_FLOAT, lapack_complex_float, float, float,           \
                   __VA_ARGS__)                                                                                        \
    TW_LAPACKE_32_(name, work, P, checks, function, z, TW_COMPLEX_DOUBLE, lapack_complex_double, double, double,       \
                   __VA_ARGS__)                                                                                        \
    TW_LAPACKE_64_(name, work, P, checks, function, c, TW_COMPLEX_FLOAT, lapack_complex_float, float, float,           \
                   __VA_ARGS__)                                                                                        \
    TW_LAPACKE_64_(name, work, P, checks, function, z, TW_COMPLEX_DOUBLE, lapack_complex_double, double, double,       \
                   __VA_ARGS__)
#define TW_LAPACKE_32_(name, work, P, checks, function, p, TYPE, T, R, W, ...)                                         \
    lapack_int tw_LAPACKE_##p##name##work(int matrix_layout,                                                           \
                                          P(T, lapack_int, lapack_int, R, R, W, tw_lapacke_##p##_select_fn))           \
    {                                                                                                                  \
        const struct tw_lapacke call = {"tw_LAPACKE_" #p #name #work, "tw_" #p #name, TYPE, matrix_layout, checks, 4}; \
        TW_DOOR;                                                                                                       \
        return (lapack_int)function(&call, __VA_ARGS__);                                                               \
    }
/* These names are the library's alone: for programs that define LAPACK_ILP64 the header gives them LAPACKE's. */
#define TW_LAPACKE_64_(name, work, P, checks, function, p, TYPE, T, R, W, ...)                                         \
    TW_API int64_t tw_LAPACKE_##p##name##work##_64(int matrix_layout,                                                  \
                                                   P(T, int64_t, int64_t, R, R, W, tw_lapacke64_##p##_select_fn));     \
    int64_t tw_LAPACKE_##p##name##work##_64(int matrix_layout,                                                         \
                                            P(T, int64_t, int64_t, R, R, W, tw_lapacke64_##p##_select_fn))             \
    {                                                                                                                  \
        const struct tw_lapacke call = {"tw_LAPACKE_" #p #name #work, "tw_" #p #name, TYPE, matrix_layout, checks, 8}; \
        TW_DOOR;                                                                                                       \
        return (int64_t)function(&call, __VA_ARGS__);                                                                  \
    }

/* Without a layout: routines on vectors, of real types. */
#define TW_LAPACKE_VECTORS_REAL(name, work, P, checks, function, ...)                                                  \
    TW_LAPACKE_VECTORS_(name, work, , P, checks, function, s, TW_FLOAT, float, lapack_int, 4, __VA_ARGS__)             \
    TW_LAPACKE_VECTORS_(name, work, , P, checks, function, d, TW_DOUBLE, double, lapack_int, 4, __VA_ARGS__)           \
    TW_LAPACKE_VECTORS_(name, work, _64, P, checks, function, s, TW_FLOAT, float, int64_t, 8, __VA_ARGS__)             \
    TW_LAPACKE_VECTORS_(name, work, _64, P, checks, function, d, TW_DOUBLE, double, int64_t, 8, __VA_ARGS__)
#define TW_LAPACKE_VECTORS_(name, work, width, P, checks, function, p, TYPE, T, INT, int_size, ...)                    \
    TW_API INT tw_LAPACKE_##p##name##work##width(P(T, INT, INT, T, T, INT, ));                                         \
    INT tw_LAPACKE_##p##name##work##width(P(T, INT, INT, T, T, INT, ))                                                 \
    {                                                                                                                  \
        const struct tw_lapacke call = {                                                                               \
            "tw_LAPACKE_" #p #name #work, "tw_" #p #name, TYPE, LAPACK_COL_MAJOR, checks, int_size};                   \
        TW_DOOR;                                                                                                       \
        return (INT)function(&call, __VA_ARGS__);                                                                      \
    }

/* ---- both, and the row ------------------------------------------------------------------------------------------- */

#define TW_LAPACK_ROW(of, ...) TW_LAPACK_ROW_NAMED(of, #of, __VA_ARGS__)
/* For a second row of a name: functions of some types that have other parameters. What follows the three is as in an
 * initializer: .no_layout = 1 */
#define TW_LAPACK_ROW_NAMED(of, named, of_lapack, of_lapacke, of_work, ...)                                            \
    const struct tw_lapack_row tw_lapack_row_##of = {                                                                  \
        .name = named, .lapack = of_lapack, .lapacke = of_lapacke, .work = of_work, __VA_ARGS__};
/* Where all functions have the same parameters. */
#define TW_LAPACK_DOORS(name, P, ...)                                                                                  \
    TW_LAPACK_DOOR(name, P, __VA_ARGS__)                                                                               \
    TW_LAPACKE_CHECKED(name, P, __VA_ARGS__)                                                                           \
    TW_LAPACKE_WORK(name, P, lapacke_##name, __VA_ARGS__)                                                              \
    TW_LAPACK_ROW(name, TW_LAPACK_WORDS(P), TW_LAPACKE_WORDS(P), TW_LAPACKE_WORDS(P))

/* ---- LAPACK itself ----------------------------------------------------------------------------------------------- */

/* lapack_NAME[type]: LAPACK's own routine, column-major; it gets void and int for the types, and returns LAPACK's
 * info. */
#define TW_LAPACK_ITSELF(name, P, ...) TW_LAPACK_ITSELF_NAMED(name, name, P, __VA_ARGS__)
/* lapack_NAME is `name`'s of complex types and real_name's of real ones: unmqr and ormqr. */
#define TW_LAPACK_ITSELF_NAMED(name, real_name, P, ...)                                                                \
    TW_LAPACK_ITSELF_(s, real_name, P, __VA_ARGS__)                                                                    \
    TW_LAPACK_ITSELF_(d, real_name, P, __VA_ARGS__)                                                                    \
    TW_LAPACK_ITSELF_(c, name, P, __VA_ARGS__)                                                                         \
    TW_LAPACK_ITSELF_(z, name, P, __VA_ARGS__)                                                                         \
    static int (*const lapack_##name[TW_NTYPES])(P(void, int, int32_t, double, void, void, )) = {                      \
        lapack_s##real_name, lapack_d##real_name, lapack_c##name, lapack_z##name};
#define TW_LAPACK_ITSELF_(p, name, P, ...)                                                                             \
    static int lapack_##p##name(P(void, int, int32_t, double, void, void, ))                                           \
    {                                                                                                                  \
        return LAPACKE_##p##name##_work(LAPACK_COL_MAJOR, __VA_ARGS__);                                                \
    }

#endif
