/* Stage 1 alone: A = Q1 B Q1^H, with B and Q1 (applied to the identity) as they are inside of syevd; any tiles, both
 * triangles. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/eigen/eigen_loops.h"
#include "runtime/task/routine.h"
#include <tilework/starpu.h>
#include "tt.h"

#define FOR_TYPES(t) TT_TYPES(t)

struct args {
    struct tw_matrix *A, *Q;
    enum tw_uplo uplo;
    int b, nb;
    void *band; /* 2 b x n */
};

static void reduce(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *L = tw_lower_copy(seq, a->uplo, a->A, a->nb),
                     *Z = tw_matrix_temporary(a->A->type, a->A->n, a->A->n, a->A->n, 40);
    struct tw_band *B = tw_band_create(seq, a->A->type, a->A->n, a->b);
    struct tw_he2hb q;

    assert_true(L && Z && B);
    tw_copy_loop(seq, a->Q, Z, 0);
    assert_int_equal(tw_he2hb_begin(seq, &q, a->A->n, a->b), 0);
    tw_he2hb_loop(seq, &q, L, B, 1);
    tw_he2hb_apply_loop(seq, &q, Z);
    tw_copy_loop(seq, Z, a->Q, 1);
    tw_he2hb_end(&q);
    tw_loop_wait(seq);
    assert_int_equal(starpu_data_acquire(tw_data_handle(B->memory), STARPU_R), 0);
    memcpy(a->band, starpu_data_get_local_ptr(tw_data_handle(B->memory)),
           (size_t)B->ld * (size_t)B->n * tw_sizeof(B->type));
    starpu_data_release(tw_data_handle(B->memory));
    tw_band_free_later(B);
    tw_matrix_free_later(L);
    tw_matrix_free_later(Z);
}

/* The hermitian matrix that the band's b sub-diagonals say; the room for bulges is empty. */
static tt_z *whole_band(enum tw_type t, int n, int b, const void *band)
{
    tt_z *B = calloc((size_t)n * (size_t)n, sizeof *B);

    assert_non_null(B);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 2 * b && j + i < n; i++) {
            const tt_z z = tt_get(t, band, (size_t)i + (size_t)j * 2 * (size_t)b);
            if (i > b) {
                assert_true(z == 0);
                continue;
            }
            B[j + i + (size_t)j * (size_t)n] = z;
            B[j + (size_t)(j + i) * (size_t)n] = conj(z);
            if (i == 0) assert_true(cimag(z) == 0);
        }
    return B;
}

static void one(enum tw_type t, char uplo, int n, int b, int nb, int nb_a)
{
    void *a = tt_array(t, n, n), *q = tt_array(t, n, n), *band = tt_array(t, 2 * b, n);
    struct tt_place pa, pq;
    struct args args = {.uplo = (enum tw_uplo)uplo, .b = b, .nb = nb, .band = band};
    tt_z *A, *B, *Q, *AQ = calloc((size_t)n * (size_t)n, sizeof *AQ);

    tt_random(t, uplo, n, n, a, n, 5);
    for (int i = 0; i < n; i++) /* of a hermitian matrix the diagonal is real */
        tt_put(t, a, (size_t)i * (size_t)(n + 1), creal(tt_get(t, a, (size_t)i * (size_t)(n + 1))));
    for (int k = 0; k < n * n; k++)
        tt_put(t, q, (size_t)k, k % (n + 1) == 0);
    args.A = tt_enter(&pa, TT_CREATED, t, (enum tw_uplo)uplo, n, n, a, n, nb_a);
    args.Q = tt_enter(&pq, TT_CREATED, t, TW_GENERAL, n, n, q, n, nb_a);
    tt_expect_info(tw_call("he2hb", reduce, &args, 0), 0, "n = %d, b = %d", n, b);
    tt_leave(&pa);
    tt_leave(&pq);
    A = tt_full(TT_HERMITIAN, t, uplo, 'N', n, n, a, n);
    Q = tt_full(TT_GENERAL, t, 'G', 'N', n, n, q, n);
    B = whole_band(t, n, b, band);
    tt_multiply(n, n, n, 1, A, Q, 0, AQ);
    tt_expect("|A Q1 - Q1 B|", t, tt_equation_residual(t, n, n, n, Q, B, AQ), 0, "%c, n = %d, b = %d, nb = %d, %d",
              uplo, n, b, nb, nb_a);
    tt_expect("|Q1^H Q1 - I|", t, tt_orthogonality(t, n, n, Q), 0, "%c, n = %d, b = %d", uplo, n, b);
    free(a), free(q), free(band), free(A), free(B), free(Q), free(AQ);
}

static void shapes(void **state)
{
    static const struct {
        int n, b, nb, nb_a;
    } cases[] = {{2, 1, 1, 1},     {3, 1, 2, 2},      {5, 2, 4, 3},     {16, 4, 8, 8},      {17, 4, 8, 8},
                 {33, 8, 16, 16},  {40, 8, 8, 40},    {97, 8, 32, 25},  {97, 16, 32, 97},   {100, 32, 32, 30},
                 {100, 32, 96, 7}, {130, 64, 64, 50}, {58, 32, 32, 58}, {300, 64, 128, 100}};
    (void)state;
    FOR_TYPES(t)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            for (const char *uplo = "LU"; *uplo; uplo++)
                one(t, *uplo, cases[k].n, cases[k].b, cases[k].nb, cases[k].nb_a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes)};
    return tt_run(tests);
}
