/* A LAPACKE program that became a Tilework program: the header is another one, and calls begin with tw_. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tilework/lapacke.h> /* was: lapacke.h */
#include <tilework/runtime.h>

#include "common/arguments.h"

int main(int argc, char **argv)
{
    int status =
        arguments(argc, argv, 0,
                  "lapacke_prefix     (no arguments: a Cholesky factor that is known, through LAPACKE's prototypes)");
    if (status >= 0) return status;
    tw_blas_reexec(argv); /* new, optional: the right OpenBLAS kernels for this CPU */
    const lapack_int n = 1024;
    double *a = malloc(sizeof(double) * n * n), error = 0;
    if (!a) return 1;
    for (lapack_int j = 0; j < n; j++)
        for (lapack_int i = 0; i < n; i++)
            a[i + (size_t)j * n] = i < j ? i + 1 : j + 1; /* min(i, j), whose Cholesky factor is all ones */

    lapack_int info = tw_LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a, n); /* was: LAPACKE_dpotrf */

    for (lapack_int j = 0; j < n; j++)
        for (lapack_int i = j; i < n; i++)
            error = fmax(error, fabs(a[i + (size_t)j * n] - 1));
    printf("n = %d: info %d, largest error of the factor %.1e\n", (int)n, (int)info, error);
    free(a);
    tw_finalize(); /* new, optional */
    return info == 0 && error < n * DBL_EPSILON ? 0 : 1;
}
