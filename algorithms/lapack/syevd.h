/* Eigenvalues of hermitian matrices under several of LAPACK's names, which differ in their workspaces: what they share
 * (syevd.c). */
#ifndef TW_ALGORITHMS_LAPACK_SYEVD_H
#define TW_ALGORITHMS_LAPACK_SYEVD_H
#include "algorithms/lapack/values.h"

/* LAPACK's least workspaces. */
typedef struct least (*least_fn)(enum tw_type type, int vectors, tw_int n);
struct least tw_least_syevd(enum tw_type type, int vectors, tw_int n);
struct least tw_least_syev(enum tw_type type, int vectors, tw_int n);
/* LAPACK's own, after all checks; a matrix that is not finite gives values that are NaN and n. */
tw_int tw_straight_syevd(const char *routine, enum tw_type type, char jobz, char uplo, tw_int n, void *a, tw_int lda,
                         void *w);
/* jobs: the letters of jobz that there are, "NV" or "NN". */
tw_int tw_door_syevd(const char *routine, enum tw_type type, const char jobs[2], least_fn least, char jobz, char uplo,
                     tw_int n, void *a, tw_int lda, void *w, const struct workspaces *work);
tw_int tw_lapacke_syevd(const struct tw_lapacke *call, const char jobs[2], least_fn least, char jobz, char uplo,
                        tw_int n, void *a, tw_int lda, void *w, const struct workspaces *work);

/* The functions of a name, without workspaces. */
#define SYEVD_FUNCTIONS(name, jobs, least)                                                                             \
    static tw_int name(const char *routine, enum tw_type type, char jobz, char uplo, tw_int n, void *a, tw_int lda,    \
                       void *w)                                                                                        \
    {                                                                                                                  \
        return tw_door_syevd(routine, type, jobs, least, jobz, uplo, n, a, lda, w, &own_workspaces);                   \
    }                                                                                                                  \
    static tw_int lapacke_##name(const struct tw_lapacke *call, char jobz, char uplo, tw_int n, void *a, tw_int lda,   \
                                 void *w)                                                                              \
    {                                                                                                                  \
        return tw_lapacke_syevd(call, jobs, least, jobz, uplo, n, a, lda, w, &own_workspaces);                         \
    }
/* What of LAPACK's two stages with a band of one sub-diagonal, the least there is, n numbers take besides. */
static inline tw_int two_stages(tw_int n)
{
    return 9 * counted(n) + 2;
}
#endif
