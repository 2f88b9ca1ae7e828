/* The async door: two factorizations, a product and a solve queued in one go. Nothing waits until
 * tw_sequence_wait(); tasks of the later routines start as soon as the tiles they need are ready. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/tilework.h>

#include "common/arguments.h"

enum { N = 1200, NB = 200 };

static void try(int code, const char *what)
{
    if (code == 0) return;
    fprintf(stderr, "%s: %s %s\n", what, tw_strerror(code), tw_last_message());
    exit(1);
}

static tw_matrix *matrix(enum tw_uplo uplo, tw_int cols, const double *a)
{
    tw_matrix *M;
    try(tw_matrix_from_lapack(&M, TW_DOUBLE, uplo, N, cols, a, N, NB), "tw_matrix_from_lapack");
    return M;
}

int main(int argc, char **argv)
{
    int status = arguments(
        argc, argv, 0, "async     (no arguments: two factorizations, a product and a solve in one sequence, checked)");
    if (status >= 0) return status;
    tw_blas_reexec(argv);
    double *a = malloc(sizeof(double) * N * N), x[N], b[N] = {0}, error = 0, rcond = 0;
    if (!a) return 1;
    for (int j = 0; j < N; j++) /* a(i, j) = 0.9^|i-j|: condition number about 360, 1-norm below 19 */
        for (int i = 0; i < N; i++)
            a[i + (size_t)j * N] = pow(0.9, abs(i - j));
    for (int i = 0; i < N; i++)
        x[i] = sin(i);
    tw_matrix *G = matrix(TW_GENERAL, N, a), *A = matrix(TW_LOWER, N, a), *X = matrix(TW_GENERAL, 1, x),
              *B = matrix(TW_GENERAL, 1, b);
    tw_sequence *seq;
    try(tw_sequence_create(&seq), "tw_sequence_create");
    tw_scalar one = {1, 0}, zero = {0, 0};
    try(tw_gemm_async(TW_NOTRANS, TW_NOTRANS, one, G, X, zero, B, seq), "tw_gemm_async"); /* B = G X */
    try(tw_potrf_async(TW_LOWER, A, seq), "tw_potrf_async");                              /* beside it */
    try(tw_potrs_async(TW_LOWER, A, B, seq), "tw_potrs_async");                           /* after both: B = X again */
    try(tw_pocon_async(TW_LOWER, A, 19.0, &rcond, seq), "tw_pocon_async");                /* beside the solve */
    try(tw_sequence_wait(seq), "the sequence"); /* the first error of all four, LAPACK's info included */
    try(tw_matrix_to_lapack(B, b, N), "tw_matrix_to_lapack");
    for (int i = 0; i < N; i++)
        error = fmax(error, fabs(b[i] - x[i]));
    printf("solution to %.1e, condition number about %.0f\n", error, 1 / rcond);
    tw_sequence_destroy(seq);
    tw_matrix_destroy(G), tw_matrix_destroy(A), tw_matrix_destroy(X), tw_matrix_destroy(B);
    free(a);
    return tw_finalize() == 0 && error < 1e-11 && rcond > 1e-3 && rcond < 1e-2 ? 0 : 1;
}
