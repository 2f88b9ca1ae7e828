/* The same matrix in every storage that tw_matrix knows. */
#include "tt.h"

#ifdef TILEWORK_CUDA
#include <cuda_runtime_api.h>
#endif

const char *tt_storage_name(enum tt_storage s)
{
    static const char *const names[] = {"from_lapack", "created", "wrapped", "wrapped on the GPU"};
    return names[s];
}

int tt_storages(void)
{
    tw_machine m;
    return tw_machine_info(&m) == 0 && m.cuda_devices > 0 ? 4 : 3;
}

static size_t bytes_of(const struct tt_place *p)
{
    return (size_t)(p->lda > 0 ? p->lda : 1) * (size_t)(p->n > 0 ? p->n : 1) * tt_size(p->type);
}

/* The array moves to the GPU as it is, NaNs around the triangle included. */
static void to_device(struct tt_place *p)
{
#ifdef TILEWORK_CUDA
    assert_int_equal(cudaMalloc(&p->device, bytes_of(p)), cudaSuccess);
    assert_int_equal(cudaMemcpy(p->device, p->host, bytes_of(p), cudaMemcpyHostToDevice), cudaSuccess);
    /* small arrays may still be on their way, and streams of tasks do not wait for it */
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
#else
    (void)p;
    fail_msg("a GPU in a build without CUDA");
#endif
}

static void from_device(struct tt_place *p)
{
#ifdef TILEWORK_CUDA
    assert_int_equal(cudaMemcpy(p->host, p->device, bytes_of(p), cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaFree(p->device), cudaSuccess);
#else
    (void)p;
    (void)bytes_of;
#endif
}

tw_matrix *tt_enter(struct tt_place *p, enum tt_storage s, enum tw_type t, enum tw_uplo uplo, tw_int m, tw_int n,
                    void *a, tw_int lda, tw_int nb)
{
    int e;

    *p = (struct tt_place){s, t, NULL, a, NULL, lda, n};
    switch (s) {
    case TT_FROM_LAPACK: e = tw_matrix_from_lapack(&p->A, t, uplo, m, n, a, lda, nb); break;
    case TT_CREATED:
        e = tw_matrix_create(&p->A, t, uplo, m, n, nb, NULL);
        if (!e) e = tw_matrix_set_lapack(p->A, a, lda);
        break;
    case TT_WRAPPED: e = tw_matrix_wrap(&p->A, t, uplo, m, n, a, lda, nb); break;
    default: to_device(p); e = tw_matrix_wrap_device(&p->A, t, uplo, m, n, p->device, lda, nb, 0);
    }
    if (e || !p->A)
        fail_msg("%s matrix %lld x %lld, nb %lld: %d: %s", tt_storage_name(s), (long long)m, (long long)n,
                 (long long)nb, e, tw_last_message());
    return p->A;
}

void tt_leave(struct tt_place *p)
{
    int e = 0;
    if (p->storage == TT_FROM_LAPACK || p->storage == TT_CREATED) e = tw_matrix_to_lapack(p->A, p->host, p->lda);
    if (!e) e = tw_matrix_destroy(p->A);
    if (e) fail_msg("taking a %s matrix back: %d: %s", tt_storage_name(p->storage), e, tw_last_message());
    if (p->storage == TT_WRAPPED_DEVICE) from_device(p);
    p->A = NULL;
}
