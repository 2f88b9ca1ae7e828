/* Eigenvalues and eigenvectors of symmetric (syev) and hermitian matrices (heev), by syevd's means, under the names of
 * LAPACK and LAPACKE; and eigenvalues alone under those of LAPACK's own two stages (syev_2stage). */
#include "algorithms/lapack/syevd.h"

#define SYEV(T, INT, ...)              char jobz, char uplo, INT n, T *a, INT lda, T *w
#define SYEV_WORK(T, INT, ...)         char jobz, char uplo, INT n, T *a, INT lda, T *w, T *work, INT lwork
#define HEEV(T, INT, INTS, R, RS, ...) char jobz, char uplo, INT n, T *a, INT lda, RS *w
#define HEEV_WORK(T, INT, INTS, R, RS, ...)                                                                            \
    char jobz, char uplo, INT n, T *a, INT lda, RS *w, T *work, INT lwork, RS *rwork

/* heev's rwork has no length. */
struct least tw_least_syev(enum tw_type type, int vectors, tw_int n)
{
    (void)vectors;
    n = counted(n);
    return (struct least){tw_max(1, tw_is_complex(type) ? 2 * n - 1 : 3 * n - 1), 0, 0};
}
static struct least least_of_two(enum tw_type type, int vectors, tw_int n)
{
    (void)vectors;
    n = counted(n);
    return (struct least){(tw_is_complex(type) ? n : 2 * n) + two_stages(n), 0, 0};
}

SYEVD_FUNCTIONS(syev, "NV", tw_least_syev)
SYEVD_FUNCTIONS(heev, "NV", tw_least_syev)
SYEVD_FUNCTIONS(syev_2stage, "NN", least_of_two)
SYEVD_FUNCTIONS(heev_2stage, "NN", least_of_two)

#define WORK(name, jobs, least)                                                                                        \
    static tw_int lapacke_sy##name##_work(const struct tw_lapacke *call, char jobz, char uplo, tw_int n, void *a,      \
                                          tw_int lda, void *w, void *work, tw_int lwork)                               \
    {                                                                                                                  \
        return tw_lapacke_syevd(call, jobs, least, jobz, uplo, n, a, lda, w,                                           \
                                &(struct workspaces){work, NULL, NULL, lwork, INT64_MAX, INT64_MAX, call->int_size});  \
    }                                                                                                                  \
    static tw_int lapacke_he##name##_work(const struct tw_lapacke *call, char jobz, char uplo, tw_int n, void *a,      \
                                          tw_int lda, void *w, void *work, tw_int lwork, void *rwork)                  \
    {                                                                                                                  \
        (void)rwork;                                                                                                   \
        return lapacke_sy##name##_work(call, jobz, uplo, n, a, lda, w, work, lwork);                                   \
    }
WORK(ev, "NV", tw_least_syev)
WORK(ev_2stage, "NN", least_of_two)

#define DOORS(name)                                                                                                    \
    TW_LAPACK_DOOR_REAL(sy##name, SYEV, jobz, uplo, n, a, lda, w)                                                      \
    TW_LAPACKE_CHECKED_REAL(sy##name, SYEV, jobz, uplo, n, a, lda, w)                                                  \
    TW_LAPACKE_WORK_REAL(sy##name, SYEV_WORK, lapacke_sy##name##_work, jobz, uplo, n, a, lda, w, work, lwork)          \
    TW_LAPACK_ROW(sy##name, TW_LAPACK_WORDS(SYEV), TW_LAPACKE_WORDS(SYEV), TW_LAPACKE_WORDS(SYEV_WORK))                \
    TW_LAPACK_DOOR_COMPLEX(he##name, HEEV, jobz, uplo, n, a, lda, w)                                                   \
    TW_LAPACKE_CHECKED_COMPLEX(he##name, HEEV, jobz, uplo, n, a, lda, w)                                               \
    TW_LAPACKE_WORK_COMPLEX(he##name, HEEV_WORK, lapacke_he##name##_work, jobz, uplo, n, a, lda, w, work, lwork,       \
                            rwork)                                                                                     \
    TW_LAPACK_ROW(he##name, TW_LAPACK_WORDS(HEEV), TW_LAPACKE_WORDS(HEEV), TW_LAPACKE_WORDS(HEEV_WORK))
DOORS(ev)
DOORS(ev_2stage)
