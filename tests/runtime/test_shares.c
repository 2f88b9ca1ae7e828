/* Matrices over one array: do blocks of it share elements? Beside all elements, one by one; and calls that are refused
 * or not for it. */
#include <string.h>

#include "tt.h"
#include <tilework/tilework.h>
#include "runtime/data/data.h"

enum { LDA = 9, COLUMNS = 7 };

struct block {
    int i, j, m, n;
    enum tw_uplo uplo;
};

static tw_matrix *wrapped(const struct block *b, double *array)
{
    tw_matrix *A;
    tt_expect_info(
        tw_matrix_wrap(&A, TW_DOUBLE, b->uplo, b->m, b->n, array + b->i + b->j * LDA, LDA, b->m > b->n ? b->m : b->n),
        0, "wrap");
    return A;
}

/* Each element of the block's stored part counts one more. */
static void count(const struct block *b, int *seen)
{
    for (int j = 0; j < b->n; j++)
        for (int i = 0; i < b->m; i++)
            if (b->uplo == TW_GENERAL || (b->uplo == TW_LOWER ? i >= j : i <= j)) seen[b->i + i + (b->j + j) * LDA]++;
}

static unsigned seed = 1;
static int below(int n)
{
    seed = seed * 1103515245u + 12345u;
    return (int)(seed >> 16) % n;
}

/* Blocks may begin in one column and end, by their rows, in the next: of an array's elements that is a block, too. */
static struct block any_block(int triangle)
{
    struct block b = {below(LDA), below(COLUMNS), 1 + below(LDA), 1 + below(COLUMNS), TW_GENERAL};
    if (triangle) b.n = b.m = 1 + below(COLUMNS), b.uplo = triangle == 1 ? TW_LOWER : TW_UPPER;
    return b;
}

static void blocks(void **state)
{
    static double array[(LDA + 1) * (2 * COLUMNS + 2)];
    int shared = 0, apart = 0;
    (void)state;
    for (int k = 0; k < 20000; k++) {
        /* two triangles are told apart by which they are, where they are not the same one */
        const int first = k % 3, second = k % 5 > 2 ? first : 0;
        const struct block a = any_block(first), b = any_block(second);
        tw_matrix *A = wrapped(&a, array), *B = wrapped(&b, array);
        int seen[(LDA + 1) * (2 * COLUMNS + 2)] = {0}, both = 0;

        count(&a, seen), count(&b, seen);
        for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
            both |= seen[i] == 2;
        if (tw_shares(A, B) != both || tw_shares(B, A) != both)
            fail_msg("%d x %d at (%d, %d), %c, and %d x %d at (%d, %d), %c: %d, %d, not %d", a.m, a.n, a.i, a.j, a.uplo,
                     b.m, b.n, b.i, b.j, b.uplo, tw_shares(A, B), tw_shares(B, A), both);
        *(both ? &shared : &apart) += 1;
        assert_int_equal(tw_matrix_destroy(A), 0);
        assert_int_equal(tw_matrix_destroy(B), 0);
    }
    assert_true(shared > 1000 && apart > 1000);
}

/* Over the user's arrays in place, and where their tiles are copied to the GPUs and back (TILEWORK_STAGE). */
static void calls(void **state)
{
    static const tw_scalar one = {1, 0}, zero = {0, 0};
    static double array[80 * 80];
    tw_matrix *A, *B, *C;
    (void)state;
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, 40, 40, array, 80, 16), 0);
    assert_int_equal(tw_matrix_wrap(&B, TW_DOUBLE, TW_GENERAL, 40, 40, array + 40, 80, 16), 0);
    assert_int_equal(tw_matrix_wrap(&C, TW_DOUBLE, TW_GENERAL, 40, 40, array + 39 + 39 * 80, 80, 16), 0);
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, A, zero, B), 0, "beside each other");
    tt_expect_info(tw_gemm(TW_NOTRANS, TW_NOTRANS, one, A, B, zero, C), -7, "one element of A's");
    tt_expect_info(tw_trsm(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, one, C, A), -7, "and of C's");
    tw_matrix *all[] = {A, B, C};
    for (int k = 0; k < 3; k++)
        assert_int_equal(tw_matrix_destroy(all[k]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks), cmocka_unit_test(calls)};
    return tt_run(tests);
}
