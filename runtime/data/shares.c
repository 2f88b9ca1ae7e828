/* Whether two matrices are of the same elements: the same one, or two over users' arrays that overlap. */
#include "runtime/data/data.h"

#include "runtime/base/types.h"

/* Rows [r0, r1) and columns [c0, c1) of a matrix: are elements of its stored part among them? */
static int is_stored(const struct tw_matrix *A, tw_int r0, tw_int r1, tw_int c0, tw_int c1)
{
    if (r0 >= r1 || c0 >= c1) return 0;
    return A->uplo == TW_LOWER ? r1 - 1 >= c0 : A->uplo == TW_UPPER ? r0 <= c1 - 1 : 1;
}

/* A's array begins before B's. Arrays of other leading dimensions are told apart by their ends alone where A is one
 * column, and are not known otherwise. */
static int overlap(const struct tw_matrix *A, const struct tw_matrix *B)
{
    const tw_int size = (tw_int)tw_sizeof(A->type), apart = (tw_int)((uintptr_t)B->base - (uintptr_t)A->base);
    tw_int row, column;

    if (apart >= ((A->n - 1) * A->lda + A->m) * size || apart % size) return 0;
    if (A->lda != B->lda) return !apart;
    row = apart / size % A->lda, column = apart / size / A->lda;
    /* B lies at (row, column) of A or, where its rows reach into A's next column, at (row - lda, column + 1) */
    for (int next = 0; next < 2; next++, row -= A->lda, column++) {
        const tw_int r0 = row > 0 ? row : 0, r1 = row + B->m < A->m ? row + B->m : A->m,
                     c1 = column + B->n < A->n ? column + B->n : A->n;
        if (is_stored(A, r0, r1, column, c1) && is_stored(B, r0 - row, r1 - row, 0, c1 - column)) return 1;
    }
    return 0;
}

static int is_over_users(const struct tw_matrix *A)
{
    return A->storage == TW_STORAGE_HOST || A->storage == TW_STORAGE_STAGED || A->storage == TW_STORAGE_DEVICE;
}

int tw_shares(const struct tw_matrix *A, const struct tw_matrix *B)
{
    if (A == B || !A || !B) return A == B;
    if (!is_over_users(A) || !is_over_users(B) || A->type != B->type || !A->m || !A->n || !B->m || !B->n) return 0;
    /* both triangles of one array: two matrices but for the diagonal */
    if (A->uplo != B->uplo && A->uplo != TW_GENERAL && B->uplo != TW_GENERAL) return 0;
    return (uintptr_t)A->base <= (uintptr_t)B->base ? overlap(A, B) : overlap(B, A);
}
