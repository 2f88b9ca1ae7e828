/* Cholesky factor of a diagonal tile and the inverse that GPUs solve a panel with (kernels/dense/cuda/inverse.cu): what
 * a CPU worker does when the factorization of the tile falls to it. */
#include <math.h>
#include "kernels/dense/cpu/typed.h"

/* M = L or U^H, lower, zeros above. */
static void copy_lower(char uplo, int n, const T *a, int lda, T *m, int ldm)
{
    for (int j = 0; j < n; j++) {
        T *column = TW_AT(m, ldm, 0, j);
        for (int i = 0; i < j; i++)
            column[i] = 0;
        for (int i = j; i < n; i++)
            column[i] = uplo == 'L' ? *TW_AT(a, lda, i, j) : TW_CONJ(*TW_AT(a, lda, j, i));
    }
}

/* Largest column sum, 1-norms of complex elements; NaN counts as the largest. */
static float largest_column(int n, const T *m, int ldm)
{
    float largest = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = j; i < n; i++)
            sum += fabs((double)TW_RE(*TW_AT(m, ldm, i, j))) + fabs((double)TW_IM(*TW_AT(m, ldm, i, j)));
        if (!((float)sum <= largest)) largest = (float)sum;
    }
    return largest;
}

int CPU(potrf_inverse)(char uplo, int n, void *a, int lda, void *inv, int ldi)
{
    T *m = inv;
    float condition[2];
    int info = CPU(potrf)(uplo, n, a, lda);

    copy_lower(uplo, n, a, lda, m, ldi);
    if (info) return info; /* the panel's content is undefined from here on */
    condition[0] = largest_column(n, m, ldi);
    (void)CPU(trtri)('L', 'N', n, m, ldi); /* no zero on the diagonal of a factor that potrf accepts */
    condition[1] = largest_column(n, m, ldi);
    if (n < TW_INVERSE_MIN) return 0;
    *(float *)TW_AT(m, ldi, 0, n - 1) = condition[0];
    *(float *)TW_AT(m, ldi, 1, n - 1) = condition[1];
    return 0;
}
