/* QR with columns chosen from a random sketch, in the manner of LAPACK's geqp3, whose arguments these are: always by
 * tiles. */
#include "algorithms/lapack/qr.h"
#include "algorithms/dense/pivoted.h"

#define GEQP3_RANDOM(T, INT, INTS, ...) INT m, INT n, T *a, INT lda, INTS *jpvt, T *tau

static tw_int geqp3_random(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda,
                           tw_int *jpvt, void *tau)
{
    struct tw_matrix *A, *t;
    tw_int info;

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    if (m == 0) tw_jpvt_of_no_rows(n, jpvt); /* NULL is nobody's */
    if (m == 0 || n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, jpvt);
    ARRAY(6, tau);
    info = wrap_factors(&A, &t, &tw_routine_geqp3_random, type, m, n, a, lda, tw_min(m, n), tau);
    if (!info) info = tw_geqp3_random(A, jpvt, t);
    return finish(info, A, t);
}

TW_LAPACK_DOOR(geqp3_random, GEQP3_RANDOM, m, n, a, lda, jpvt, tau)
TW_LAPACK_ROW(geqp3_random, TW_LAPACK_WORDS(GEQP3_RANDOM), NULL, NULL)
