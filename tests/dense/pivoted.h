/* What the tests of geqp3 and geqp3_random share: the matrix and async doors on arrays. */
#ifndef TW_TESTS_DENSE_PIVOTED_H
#define TW_TESTS_DENSE_PIVOTED_H
#include "tt.h"

struct pivoted {
    int (*now)(tw_matrix *A, tw_int *jpvt, tw_matrix *tau);
    int (*queued)(tw_matrix *A, tw_int *jpvt, tw_matrix *tau, tw_sequence *seq);
};

/* In tiles of mb x nb. */
static int pivoted_in_tiles(const struct pivoted *which, enum tw_type t, int m, int n, void *a, int lda, tw_int *jpvt,
                            void *tau, int mb, int nb, int async)
{
    tw_matrix *A, *V;
    tw_sequence *seq;
    int info;

    assert_int_equal(tw_matrix_create_tiles(&A, t, TW_GENERAL, m, n, mb, nb, NULL), 0);
    assert_int_equal(tw_matrix_set_lapack(A, a, lda), 0);
    assert_int_equal(tw_tau_create(&V, A), 0);
    if (async) {
        assert_int_equal(tw_sequence_create(&seq), 0);
        assert_int_equal(which->queued(A, jpvt, V, seq), 0);
        info = tw_sequence_wait(seq);
        assert_int_equal(tw_sequence_destroy(seq), 0);
    } else {
        info = which->now(A, jpvt, V);
    }
    assert_int_equal(tw_matrix_to_lapack(A, a, lda), 0);
    assert_int_equal(tw_matrix_to_lapack(V, tau, m < n ? (m ? m : 1) : n ? n : 1), 0);
    assert_int_equal(tw_matrix_destroy(A), 0);
    assert_int_equal(tw_matrix_destroy(V), 0);
    return info;
}
#endif
