/* A generalized eigenvalue problem's standard form, sygst (real types) and hegst (complex ones), under the names of
 * LAPACK and LAPACKE. Small matrices go to the library's own kernel: OpenBLAS' chegst and zhegst are not safe in
 * several threads. */
#include <math.h>
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"

#define SYGST(T, INT, ...) INT itype, char uplo, INT n, T *a, INT lda, const T *b, INT ldb

static tw_int sygst(const char *routine, enum tw_type type, tw_int itype, char uplo, tw_int n, void *a, tw_int lda,
                    const void *b, tw_int ldb)
{
    struct tw_matrix *A, *B;
    int e;

    ARGUMENT(1, itype >= 1 && itype <= 3, "not 1, 2 or 3");
    UPLO(2);
    SIZE(3, n);
    LD(5, lda, n);
    LD(7, ldb, n);
    if (n == 0) return 0;
    ARRAY(4, a);
    ARRAY(6, b);
    if (fits_lapack(&tw_routine_sygst, type, cbrt(3) * (double)n, n, n, lda, ldb)) {
        tw_straight_begins();
        tw_kernel_sygst(type, (int)itype, uplo, (int)n, a, (int)lda, b, (int)ldb);
        return 0;
    }
    e = wrap_triangle(&A, &tw_routine_sygst, type, uplo, n, a, lda);
    B = NULL;
    if (!e) e = tw_matrix_wrap(&B, type, (enum tw_uplo)uplo, n, n, (void *)b, ldb, tw_matrix_nb(A));
    if (!e) e = tw_sygst((int)itype, (enum tw_uplo)uplo, A, B);
    return finish((int)overlap(routine, e, 4, 6), A, B);
}

/* The transpose of inv(L) A inv(L^H) is inv(U^H) A^T inv(U) with U = L^T, and so for the other types: in a row-major
 * array the other triangle, by the same routine. */
static tw_int lapacke_sygst(const struct tw_lapacke *call, tw_int itype, char uplo, tw_int n, void *a, tw_int lda,
                            const void *b, tw_int ldb)
{
    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(7, nan_triangle(call, uplo, 'N', n, b, ldb));
    TRIANGLE(6);
    ROW_LD(8, ldb, n);
    if (ROWS && ldb < 1) ldb = 1;
    return leave(call, sygst(call->lapack, call->type, itype, uplo, n, a, lda, b, ldb));
}
#define hegst(...)         sygst(__VA_ARGS__)
#define lapacke_hegst(...) lapacke_sygst(__VA_ARGS__)

TW_LAPACK_DOOR_REAL(sygst, SYGST, itype, uplo, n, a, lda, b, ldb)
TW_LAPACKE_CHECKED_REAL(sygst, SYGST, itype, uplo, n, a, lda, b, ldb)
TW_LAPACKE_WORK_REAL(sygst, SYGST, lapacke_sygst, itype, uplo, n, a, lda, b, ldb)
TW_LAPACK_ROW(sygst, TW_LAPACK_WORDS(SYGST), TW_LAPACKE_WORDS(SYGST), TW_LAPACKE_WORDS(SYGST))
TW_LAPACK_DOOR_COMPLEX(hegst, SYGST, itype, uplo, n, a, lda, b, ldb)
TW_LAPACKE_CHECKED_COMPLEX(hegst, SYGST, itype, uplo, n, a, lda, b, ldb)
TW_LAPACKE_WORK_COMPLEX(hegst, SYGST, lapacke_hegst, itype, uplo, n, a, lda, b, ldb)
TW_LAPACK_ROW(hegst, TW_LAPACK_WORDS(SYGST), TW_LAPACKE_WORDS(SYGST), TW_LAPACKE_WORDS(SYGST))
