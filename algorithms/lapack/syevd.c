/* Eigenvalues and eigenvectors of symmetric (syevd, real types) and hermitian matrices (heevd, complex ones) under the
 * names of LAPACK and LAPACKE, and eigenvalues alone under those of LAPACK's own two stages (syevd_2stage). */
#include "algorithms/lapack/syevd.h"

#define SYEVD(T, INT, ...) char jobz, char uplo, INT n, T *a, INT lda, T *w
#define SYEVD_WORK(T, INT, INTS, ...)                                                                                  \
    char jobz, char uplo, INT n, T *a, INT lda, T *w, T *work, INT lwork, INTS *iwork, INT liwork
#define HEEVD(T, INT, INTS, R, RS, ...) char jobz, char uplo, INT n, T *a, INT lda, RS *w
#define HEEVD_WORK(T, INT, INTS, R, RS, ...)                                                                           \
    char jobz, char uplo, INT n, T *a, INT lda, RS *w, T *work, INT lwork, RS *rwork, INT lrwork, INTS *iwork,         \
        INT liwork

/* ---- LAPACK itself ----------------------------------------------------------------------------------------------- */

#define ITSELF(p, name)                                                                                                \
    static int lapack_##p##name(char jobz, char uplo, int n, void *a, int lda, void *w)                                \
    {                                                                                                                  \
        return LAPACKE_##p##name(LAPACK_COL_MAJOR, jobz, uplo, n, a, lda, w);                                          \
    }
ITSELF(s, syevd)
ITSELF(d, syevd)
ITSELF(c, heevd)
ITSELF(z, heevd)
static int (*const lapack_syevd[TW_NTYPES])(char, char, int, void *, int, void *) = {lapack_ssyevd, lapack_dsyevd,
                                                                                     lapack_cheevd, lapack_zheevd};

tw_int tw_straight_syevd(const char *routine, enum tw_type type, char jobz, char uplo, tw_int n, void *a, tw_int lda,
                         void *w)
{
    struct roomy r;
    tw_int info;

    real_diagonal(type, n, a, lda + 1);
    if (!triangle_finite(type, uplo, n, a, lda)) return no_values(type, n, w);
    r = roomy_begin(type, 'R', (int)n, (int)n, a, (int)lda);
    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of the matrix", routine);
    info = told(routine, lapack_syevd[type](jobz, uplo, (int)n, r.a, r.lda, w));
    roomy_end(&r, jobz == 'V' && info >= 0, type, (int)n, (int)n, a, (int)lda);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int tiles(const char *routine, enum tw_type type, char jobz, char uplo, tw_int n, void *a, tw_int lda,
                    void *w)
{
    const int vectors = jobz == 'V';
    double *values = values_begin(type, n, w);
    struct tw_matrix *A;
    tw_int info;

    if (!values) return no_memory_for_values(routine, n);
    info = wrap_for(&A, &tw_routine_syevd, type, vectors ? 'G' : uplo, n, n, n, a, lda);
    if (!info) info = tw_syevd(vectors ? TW_VECTORS : TW_NOVECTORS, (enum tw_uplo)uplo, A, values, vectors ? A : NULL);
    values_end(type, info >= 0 ? n : 0, values, w);
    return finish(info, A, NULL);
}

tw_int tw_door_syevd(const char *routine, enum tw_type type, const char jobs[2], least_fn least, char jobz, char uplo,
                     tw_int n, void *a, tw_int lda, void *w, const struct workspaces *work)
{
    tw_int info;

    ARGUMENT(1, (jobz = letter(jobz, jobs[0], jobs[1])), jobs[1] == 'V' ? "neither 'N' nor 'V'" : "not 'N'");
    UPLO(2);
    SIZE(3, n);
    LD(5, lda, n);
    if ((info = enter_workspaces(routine, type, 7, least(type, jobz == 'V', n), work))) return info < 0 ? info : 0;
    if (n == 0) return 0;
    ARRAY(4, a);
    ARRAY(6, w);
    if (by_lapack(&tw_routine_syevd, "syevd", 1, type, n, 0, lda, 0))
        return tw_straight_syevd(routine, type, jobz, uplo, n, a, lda, w);
    return tiles(routine, type, jobz, uplo, n, a, lda, w);
}

tw_int tw_lapacke_syevd(const struct tw_lapacke *call, const char jobs[2], least_fn least, char jobz, char uplo,
                        tw_int n, void *a, tw_int lda, void *w, const struct workspaces *work)
{
    struct rows A = {call->type, n, n, a, NULL, lda};
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, 'N', n, a, lda));
    ROW_LD(6, lda, n);
    if (!ROWS || is_query(work))
        return leave(call, tw_door_syevd(call->lapack, call->type, jobs, least, jobz, uplo, n, a,
                                         ROWS ? tw_max(1, n) : lda, w, work));
    if (rows_begin(&A)) return no_memory(call->routine);
    info = tw_door_syevd(call->lapack, call->type, jobs, least, jobz, uplo, n, A.mine, tw_max(1, n), w, work);
    rows_end(&A, info >= 0 && (jobz == 'V' || jobz == 'v'));
    return leave(call, info);
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

struct least tw_least_syevd(enum tw_type type, int vectors, tw_int n)
{
    tw_int all;

    n = counted(n), all = 2 * n * n;
    if (n <= 1) return (struct least){1, tw_is_complex(type), 1};
    if (!tw_is_complex(type)) return (struct least){vectors ? 1 + 6 * n + all : 2 * n + 1, 0, vectors ? 3 + 5 * n : 1};
    return vectors ? (struct least){2 * n + n * n, 1 + 5 * n + all, 3 + 5 * n} : (struct least){n + 1, n, 1};
}
static struct least least_of_two(enum tw_type type, int vectors, tw_int n)
{
    struct least l = tw_least_syevd(type, vectors, n);
    if (n > 1) l.work += two_stages(n);
    return l;
}

SYEVD_FUNCTIONS(syevd, "NV", tw_least_syevd)
SYEVD_FUNCTIONS(heevd, "NV", tw_least_syevd)
SYEVD_FUNCTIONS(syevd_2stage, "NN", least_of_two)
SYEVD_FUNCTIONS(heevd_2stage, "NN", least_of_two)

#define WORK(name, jobs, least)                                                                                        \
    static tw_int lapacke_sy##name##_work(const struct tw_lapacke *call, char jobz, char uplo, tw_int n, void *a,      \
                                          tw_int lda, void *w, void *work, tw_int lwork, void *iwork, tw_int liwork)   \
    {                                                                                                                  \
        return tw_lapacke_syevd(call, jobs, least, jobz, uplo, n, a, lda, w,                                           \
                                &(struct workspaces){work, NULL, iwork, lwork, INT64_MAX, liwork, call->int_size});    \
    }                                                                                                                  \
    static tw_int lapacke_he##name##_work(const struct tw_lapacke *call, char jobz, char uplo, tw_int n, void *a,      \
                                          tw_int lda, void *w, void *work, tw_int lwork, void *rwork, tw_int lrwork,   \
                                          void *iwork, tw_int liwork)                                                  \
    {                                                                                                                  \
        return tw_lapacke_syevd(call, jobs, least, jobz, uplo, n, a, lda, w,                                           \
                                &(struct workspaces){work, rwork, iwork, lwork, lrwork, liwork, call->int_size});      \
    }
WORK(evd, "NV", tw_least_syevd)
WORK(evd_2stage, "NN", least_of_two)

#define DOORS(name)                                                                                                    \
    TW_LAPACK_DOOR_REAL(sy##name, SYEVD, jobz, uplo, n, a, lda, w)                                                     \
    TW_LAPACKE_CHECKED_REAL(sy##name, SYEVD, jobz, uplo, n, a, lda, w)                                                 \
    TW_LAPACKE_WORK_REAL(sy##name, SYEVD_WORK, lapacke_sy##name##_work, jobz, uplo, n, a, lda, w, work, lwork, iwork,  \
                         liwork)                                                                                       \
    TW_LAPACK_ROW(sy##name, TW_LAPACK_WORDS(SYEVD), TW_LAPACKE_WORDS(SYEVD), TW_LAPACKE_WORDS(SYEVD_WORK))             \
    TW_LAPACK_DOOR_COMPLEX(he##name, HEEVD, jobz, uplo, n, a, lda, w)                                                  \
    TW_LAPACKE_CHECKED_COMPLEX(he##name, HEEVD, jobz, uplo, n, a, lda, w)                                              \
    TW_LAPACKE_WORK_COMPLEX(he##name, HEEVD_WORK, lapacke_he##name##_work, jobz, uplo, n, a, lda, w, work, lwork,      \
                            rwork, lrwork, iwork, liwork)                                                              \
    TW_LAPACK_ROW(he##name, TW_LAPACK_WORDS(HEEVD), TW_LAPACKE_WORDS(HEEVD), TW_LAPACKE_WORDS(HEEVD_WORK))
DOORS(evd)
DOORS(evd_2stage)
