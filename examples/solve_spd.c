/* Solve A x = b with a symmetric positive definite A: LAPACK's dposv through Tilework. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/lapack.h>

#include "common/arguments.h"

int main(int argc, char **argv)
{
    int status =
        arguments(argc, argv, 0, "solve_spd     (no arguments: solves a system of order 2000 whose solution is known)");
    if (status >= 0) return status;
    tw_blas_reexec(argv); /* the right OpenBLAS kernels for this CPU */
    const tw_int n = 2000;
    double *A = malloc((size_t)(n * n) * sizeof *A), *b = malloc((size_t)n * sizeof *b), error = 0;
    if (!A || !b) return 1;
    for (tw_int j = 0; j < n; j++) { /* Lehmer's matrix, and the right-hand side whose solution is all ones */
        b[j] = 0;
        for (tw_int i = 0; i < n; i++) {
            A[i + j * n] = i < j ? (double)(i + 1) / (double)(j + 1) : (double)(j + 1) / (double)(i + 1);
            b[j] += A[i + j * n];
        }
    }
    tw_int info = tw_dposv('L', n, 1, A, n, b, n);
    if (info != 0) fprintf(stderr, "tw_dposv: %s\n", info < 0 ? tw_last_message() : "not positive definite");
    for (tw_int i = 0; i < n && info == 0; i++)
        error = fmax(error, fabs(b[i] - 1)); /* b now holds x */
    printf("n = %lld: info %lld, largest error %.1e\n", (long long)n, (long long)info, error);
    free(A);
    free(b);
    tw_finalize();
    return info == 0 && error < 1e-7 ? 0 : 1; /* the condition number is about n^2 */
}
