/* Least squares and least norm under the names of LAPACK and LAPACKE. */
#include <string.h>
#include "algorithms/lapack/qr.h"

#define GELS(T, INT, ...)      char trans, INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb
#define GELS_WORK(T, INT, ...) char trans, INT m, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, T *work, INT lwork

TW_LAPACK_ITSELF(gels, GELS_WORK, trans, m, n, nrhs, a, lda, b, ldb, work, lwork)

/* LAPACK's own has overwritten B when it finds that A has not full rank. */
static tw_int straight_gels(const char *routine, enum tw_type type, char trans, int m, int n, int nrhs, void *a,
                            int lda, void *b, int ldb)
{
    const tw_int rows = tw_max(m, n);
    const struct roomy r = roomy_begin(type, m < n ? 'R' : 'C', m, n, a, lda);
    void *before = malloc((size_t)rows * (size_t)nrhs * tw_sizeof(type));
    tw_int info = TW_E_MEMORY;

    if (before && r.a) {
        copy_columns(type, rows, nrhs, b, ldb, before, rows);
#define CALL(work, lwork) lapack_gels[type](trans, m, n, nrhs, r.a, r.lda, b, ldb, work, lwork)
        STRAIGHT(info, CALL);
#undef CALL
        if (info > 0) copy_columns(type, rows, nrhs, before, rows, b, ldb);
    } else {
        tw_fail(TW_E_MEMORY, "%s: no memory for copies of A and B", routine);
    }
    roomy_end(&r, info >= 0, type, m, n, a, lda);
    free(before);
    return info;
}

static tw_int solve(const char *routine, enum tw_type type, char trans, tw_int m, tw_int n, tw_int nrhs, void *a,
                    tw_int lda, void *b, tw_int ldb, struct workspace w)
{
    const tw_int longest = tw_max(m, n), k = tw_min(m, n);
    struct tw_matrix *A, *B = NULL;
    tw_int info;

    ARGUMENT(1, (trans = letter(trans, 'N', tw_is_complex(type) ? 'C' : 'T')),
             tw_is_complex(type) ? "neither 'N' nor 'C'" : "neither 'N' nor 'T'");
    SIZE(2, m);
    SIZE(3, n);
    SIZE(4, nrhs);
    LD(6, lda, m);
    ARGUMENT(8, ldb >= tw_max(1, longest), "ldb < max(1, m, n)");
    WORKSPACE(10, w, k + tw_max(k, nrhs));
    if (longest == 0 || nrhs == 0) return 0;
    ARRAY(7, b);
    for (tw_int j = 0; k == 0 && j < nrhs; j++)
        memset((char *)b + (size_t)(j * ldb) * tw_sizeof(type), 0, (size_t)longest * tw_sizeof(type));
    if (k == 0) return 0;
    ARRAY(5, a);
    if (straight(&tw_routine_gels, type,
                 order_unless_thin(order_of(tw_flops_geqrf(TW_DOUBLE, (double)longest, (double)k) +
                                            4 * (double)longest * (double)k * (double)nrhs),
                                   longest, tw_max(k, nrhs)),
                 n, nrhs, lda, ldb))
        return straight_gels(routine, type, trans, (int)m, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    /* QR's tiles: in LAPACK's storage there are no trees. */
    info = wrap_for(&A, &tw_routine_geqrf, type, 'G', m, n, nrhs, a, lda);
    if (!info) info = tw_matrix_wrap(&B, type, TW_GENERAL, longest, nrhs, b, ldb, tw_matrix_nb(A));
    return finish(info ? info : tw_gels_in_lapacks_storage((enum tw_trans)trans, A, B), A, B);
}

static tw_int gels(const char *routine, enum tw_type type, char trans, tw_int m, tw_int n, tw_int nrhs, void *a,
                   tw_int lda, void *b, tw_int ldb)
{
    return solve(routine, type, trans, m, n, nrhs, a, lda, b, ldb, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, char trans, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda,
                      void *b, tw_int ldb, struct workspace w)
{
    const tw_int longest = tw_max(m, n);
    struct rows A = {call->type, m, n, a, NULL, lda}, B = {call->type, longest, nrhs, b, NULL, ldb};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_general(call, m, n, a, lda));
    NOT_NAN(8, nan_general(call, longest, nrhs, b, ldb));
    ROW_LD(7, lda, n);
    ROW_LD(9, ldb, nrhs);
    if (!ROWS || w.lwork == -1)
        return leave(call, solve(call->lapack, call->type, trans, m, n, nrhs, a, ROWS ? tw_max(1, m) : lda, b,
                                 ROWS ? tw_max(1, longest) : ldb, w));
    if (rows_begin(&A) || rows_begin(&B)) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    info = solve(call->lapack, call->type, trans, m, n, nrhs, A.mine, tw_max(1, m), B.mine, tw_max(1, longest), w);
    rows_end(&A, info >= 0);
    rows_end(&B, info == 0);
    return leave(call, info);
}

static tw_int lapacke_gels(const struct tw_lapacke *call, char trans, tw_int m, tw_int n, tw_int nrhs, void *a,
                           tw_int lda, void *b, tw_int ldb)
{
    return lapacke(call, trans, m, n, nrhs, a, lda, b, ldb, OWN_WORKSPACE);
}
static tw_int lapacke_gels_work(const struct tw_lapacke *call, char trans, tw_int m, tw_int n, tw_int nrhs, void *a,
                                tw_int lda, void *b, tw_int ldb, void *work, tw_int lwork)
{
    return lapacke(call, trans, m, n, nrhs, a, lda, b, ldb, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(gels, GELS, trans, m, n, nrhs, a, lda, b, ldb)
TW_LAPACKE_CHECKED(gels, GELS, trans, m, n, nrhs, a, lda, b, ldb)
TW_LAPACKE_WORK(gels, GELS_WORK, lapacke_gels_work, trans, m, n, nrhs, a, lda, b, ldb, work, lwork)
TW_LAPACK_ROW(gels, TW_LAPACK_WORDS(GELS), TW_LAPACKE_WORDS(GELS), TW_LAPACKE_WORDS(GELS_WORK))
