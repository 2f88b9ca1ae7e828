/* What the doors of QR, LQ and least squares share: LAPACK's workspaces, and tiles over the arrays. storev 'C' is QR,
 * 'R' LQ. */
#ifndef TW_ALGORITHMS_LAPACK_QR_H
#define TW_ALGORITHMS_LAPACK_QR_H
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "algorithms/lapack/doors.h"
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/transpose.h"
#include "types/dense/tiles.h"

/* ---- workspaces: of LAPACKE's functions with _work the caller's, which the library does not use ------------------ */

struct workspace {
    void *work; /* may be NULL without a query */
    tw_int lwork;
};
/* The LAPACK door and LAPACKE's functions without _work have none. */
#define OWN_WORKSPACE ((struct workspace){NULL, INT64_MAX})

/* A float is rounded up, so that it names room enough. */
static inline void put_lwork(enum tw_type type, void *work, tw_int lwork)
{
    if (tw_is_single(type)) {
        const float f = (float)lwork;
        *(float *)work = (tw_int)f < lwork ? nextafterf(f, INFINITY) : f;
    } else {
        *(double *)work = (double)lwork;
    }
}
/* lwork is argument i, behind work; `least` is LAPACK's. The query ends here. */
#define WORKSPACE(i, w, least)                                                                                         \
    do {                                                                                                               \
        if ((w).lwork == -1) {                                                                                         \
            ARGUMENT((i)-1, (w).work, "NULL");                                                                         \
            put_lwork(type, (w).work, tw_max(1, least));                                                               \
            return 0;                                                                                                  \
        }                                                                                                              \
        ARGUMENT(i, (w).lwork >= tw_max(1, least), "lwork < what LAPACK needs at least");                              \
    } while (0)

/* LAPACK's own routines want workspace: of the size that their query put in `query`. NULL without memory. */
static inline void *work_for_lapack(enum tw_type type, const void *query, int *lwork)
{
    float single;
    double size;
    memcpy(&single, query, sizeof single);
    memcpy(&size, query, sizeof size);
    if (tw_is_single(type)) size = (double)single;
    *lwork = size >= INT32_MAX ? INT32_MAX : size > 1 ? (int)size : 1;
    return malloc((size_t)*lwork * tw_sizeof(type));
}
/* info = CALL(work, lwork), which returns LAPACK's info and is made twice: as query and for good. */
#define STRAIGHT(info, CALL)                                                                                           \
    do {                                                                                                               \
        double query_[2] = {1, 0};                                                                                     \
        int lwork_ = -1;                                                                                               \
        void *work_;                                                                                                   \
        (void)CALL(query_, lwork_);                                                                                    \
        work_ = work_for_lapack(type, query_, &lwork_);                                                                \
        (info) = work_ ? CALL(work_, lwork_) : tw_fail(TW_E_MEMORY, "%s: no memory for LAPACK's workspace", routine);  \
        free(work_);                                                                                                   \
    } while (0)

static inline void copy_columns(enum tw_type type, tw_int m, tw_int n, const void *from, tw_int ldf, void *to,
                                tw_int ldt)
{
    const size_t size = tw_sizeof(type);
    for (tw_int j = 0; j < n; j++)
        memcpy((char *)to + (size_t)(j * ldt) * size, (const char *)from + (size_t)(j * ldf) * size, (size_t)m * size);
}

/* What LAPACK works on. OpenBLAS 0.3.21's cgemv and zgemv read past the last column of their matrix, where memory may
 * end: LQ's routines (storev 'R'), and QR's with pivoting, get a copy of complex matrices (not empty) with room behind
 * it. */
struct roomy {
    void *a; /* NULL: no memory */
    int lda, copied;
};
static inline struct roomy roomy_begin(enum tw_type type, char storev, int m, int n, void *a, int lda)
{
    const size_t bytes = (size_t)m * (size_t)n * tw_sizeof(type),
                 room = 256 + TW_COLUMNS_BEHIND * (size_t)m * tw_sizeof(type);
    struct roomy r = {a, lda, storev == 'R' && tw_is_complex(type)};

    if (!r.copied) return r;
    r.lda = m;
    if (!(r.a = malloc(bytes + room))) return r;
    copy_columns(type, m, n, a, lda, r.a, m);
    memset((char *)r.a + bytes, 0, room);
    return r;
}
static inline void roomy_end(const struct roomy *r, int written, enum tw_type type, int m, int n, void *a, int lda)
{
    if (!r->copied || !r->a) return;
    if (written) copy_columns(type, m, n, r->a, m, a, lda);
    free(r->a);
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

/* A (m x n) and the k factors in tau over the user's arrays, for routine r. */
static inline int wrap_factors(struct tw_matrix **A, struct tw_matrix **tau, const struct tw_routine *r,
                               enum tw_type type, tw_int m, tw_int n, const void *a, tw_int lda, tw_int k,
                               const void *factors)
{
    int e = wrap_for(A, r, type, 'G', m, n, 0, a, lda);
    *tau = NULL;
    if (!e) e = tw_matrix_wrap_tiles(tau, type, TW_GENERAL, k, 1, (void *)factors, tw_max(1, k), tw_matrix_nb(*A), 1);
    return e;
}
/* The order of the Cholesky factorization with as many flops (those of a real type). */
static inline double order_of(double flops)
{
    return cbrt(3 * flops);
}
#endif
