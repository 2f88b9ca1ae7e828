/* The LAPACKE door of LU.
 *
 * A row-major array read as column-major holds the transpose, and the LU factors of A^T are not those of A: such arrays are transposed into
 * temporaries and back, as LAPACKE does. Compiled twice: lapacke_lu64.c is this file with 64-bit integers. */
#include <stdlib.h>
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/transpose.h"

/* tw_int pivots beside the caller's. */
static tw_int *pivots_room(tw_int k)
{
    return malloc((size_t)tw_max(1, k) * sizeof(tw_int));
}
static void pivots_out(tw_int info, tw_int k, const tw_int *from, lapack_int *to)
{
    for (tw_int i = 0; info >= 0 && to && i < k; i++)
        to[i] = (lapack_int)from[i];
}
static void pivots_in(tw_int k, const lapack_int *from, tw_int *to)
{
    for (tw_int i = 0; i < k; i++)
        to[i] = from[i];
}
static lapack_int no_memory(const char *routine)
{
    return tw_fail(LAPACK_TRANSPOSE_MEMORY_ERROR, "%s: no memory for transposed arrays", routine);
}

/* A routine's row-major arrays as column-major ones. Their shapes are sound: checked before. */
struct rows {
    enum tw_type type;
    tw_int m, n;
    void *user, *mine;
    tw_int ld;
};
static int rows_begin(struct rows *r)
{
    if (!r->user || !(r->mine = tw_transposed_room(r->type, r->m, r->n))) return r->user ? -1 : 0;
    tw_transpose(r->type, r->n, r->m, r->user, r->ld, r->mine, tw_max(1, r->m));
    return 0;
}
static void rows_end(struct rows *r, int written)
{
    if (r->mine && written) tw_transpose(r->type, r->m, r->n, r->mine, tw_max(1, r->m), r->user, r->ld);
    free(r->mine);
}

#define ROW_LD(i, ld, n)                                                                                               \
    if (rows && (ld) < (n)) return tw_illegal(routine, i, #ld " < " #n)

#define LU(p, TYPE, T)                                                                                                 \
    lapack_int tw_LAPACKE_##p##getrf_work(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,         \
                                          lapack_int *ipiv)                                                            \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "getrf_work";                                                           \
        const int rows = matrix_layout == LAPACK_ROW_MAJOR;                                                            \
        struct rows A = {TYPE, m, n, a, NULL, lda};                                                                    \
        tw_int *piv, info, k = tw_min(m, n);                                                                           \
        LAYOUT;                                                                                                        \
        ROW_LD(5, lda, n);                                                                                             \
        if (!(piv = pivots_room(k)) || (rows && rows_begin(&A))) {                                                     \
            free(piv);                                                                                                 \
            return no_memory(routine);                                                                                 \
        }                                                                                                              \
        info = tw_##p##getrf(m, n, rows ? A.mine : (void *)a, rows ? tw_max(1, m) : lda, ipiv ? piv : NULL);           \
        pivots_out(info, k, piv, ipiv);                                                                                \
        rows_end(&A, info >= 0);                                                                                       \
        free(piv);                                                                                                     \
        return leave(routine, info);                                                                                   \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##getrf(int matrix_layout, lapack_int m, lapack_int n, T *a, lapack_int lda,              \
                                     lapack_int *ipiv)                                                                 \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "getrf";                                                                \
        LAYOUT;                                                                                                        \
        NOT_NAN(4, nan_general(TYPE, matrix_layout, m, n, a, lda));                                                    \
        return tw_LAPACKE_##p##getrf_work(matrix_layout, m, n, a, lda, ipiv);                                          \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##getrs_work(int matrix_layout, char trans, lapack_int n, lapack_int nrhs, const T *a,    \
                                          lapack_int lda, const lapack_int *ipiv, T *b, lapack_int ldb)                \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "getrs_work";                                                           \
        const int rows = matrix_layout == LAPACK_ROW_MAJOR;                                                            \
        struct rows A = {TYPE, n, n, (void *)a, NULL, lda}, B = {TYPE, n, nrhs, b, NULL, ldb};                         \
        tw_int *piv, info;                                                                                             \
        LAYOUT;                                                                                                        \
        ROW_LD(6, lda, n);                                                                                             \
        ROW_LD(9, ldb, nrhs);                                                                                          \
        if (!(piv = pivots_room(n)) || (rows && (rows_begin(&A) || rows_begin(&B)))) {                                 \
            rows_end(&A, 0);                                                                                           \
            free(piv);                                                                                                 \
            return no_memory(routine);                                                                                 \
        }                                                                                                              \
        if (ipiv && (rows || (lda >= n && ldb >= n))) pivots_in(n, ipiv, piv); /* else refused below, unread */        \
        info = tw_##p##getrs(trans, n, nrhs, rows ? A.mine : (void *)a, rows ? tw_max(1, n) : lda, ipiv ? piv : NULL,  \
                             rows ? B.mine : (void *)b, rows ? tw_max(1, n) : ldb);                                    \
        rows_end(&A, 0);                                                                                               \
        rows_end(&B, info >= 0);                                                                                       \
        free(piv);                                                                                                     \
        return leave(routine, info);                                                                                   \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##getrs(int matrix_layout, char trans, lapack_int n, lapack_int nrhs, const T *a,         \
                                     lapack_int lda, const lapack_int *ipiv, T *b, lapack_int ldb)                     \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "getrs";                                                                \
        LAYOUT;                                                                                                        \
        NOT_NAN(5, nan_general(TYPE, matrix_layout, n, n, a, lda));                                                    \
        NOT_NAN(8, nan_general(TYPE, matrix_layout, n, nrhs, b, ldb));                                                 \
        return tw_LAPACKE_##p##getrs_work(matrix_layout, trans, n, nrhs, a, lda, ipiv, b, ldb);                        \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##gesv_work(int matrix_layout, lapack_int n, lapack_int nrhs, T *a, lapack_int lda,       \
                                         lapack_int *ipiv, T *b, lapack_int ldb)                                       \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "gesv_work";                                                            \
        const int rows = matrix_layout == LAPACK_ROW_MAJOR;                                                            \
        struct rows A = {TYPE, n, n, a, NULL, lda}, B = {TYPE, n, nrhs, b, NULL, ldb};                                 \
        tw_int *piv, info;                                                                                             \
        LAYOUT;                                                                                                        \
        ROW_LD(5, lda, n);                                                                                             \
        ROW_LD(8, ldb, nrhs);                                                                                          \
        if (!(piv = pivots_room(n)) || (rows && (rows_begin(&A) || rows_begin(&B)))) {                                 \
            rows_end(&A, 0);                                                                                           \
            free(piv);                                                                                                 \
            return no_memory(routine);                                                                                 \
        }                                                                                                              \
        info = tw_##p##gesv(n, nrhs, rows ? A.mine : (void *)a, rows ? tw_max(1, n) : lda, ipiv ? piv : NULL,          \
                            rows ? B.mine : (void *)b, rows ? tw_max(1, n) : ldb);                                     \
        pivots_out(info, n, piv, ipiv);                                                                                \
        rows_end(&A, info >= 0);                                                                                       \
        rows_end(&B, info == 0);                                                                                       \
        free(piv);                                                                                                     \
        return leave(routine, info);                                                                                   \
    }                                                                                                                  \
    lapack_int tw_LAPACKE_##p##gesv(int matrix_layout, lapack_int n, lapack_int nrhs, T *a, lapack_int lda,            \
                                    lapack_int *ipiv, T *b, lapack_int ldb)                                            \
    {                                                                                                                  \
        const char *routine = "tw_LAPACKE_" #p "gesv";                                                                 \
        LAYOUT;                                                                                                        \
        NOT_NAN(4, nan_general(TYPE, matrix_layout, n, n, a, lda));                                                    \
        NOT_NAN(7, nan_general(TYPE, matrix_layout, n, nrhs, b, ldb));                                                 \
        return tw_LAPACKE_##p##gesv_work(matrix_layout, n, nrhs, a, lda, ipiv, b, ldb);                                \
    }

LU(s, TW_FLOAT, float)
LU(d, TW_DOUBLE, double)
LU(c, TW_COMPLEX_FLOAT, lapack_complex_float)
LU(z, TW_COMPLEX_DOUBLE, lapack_complex_double)
