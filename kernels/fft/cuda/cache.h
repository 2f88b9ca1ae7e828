/* Where the FFT's CUDA kernels run, and what their codelets keep for them between tasks: the kernels fill it and read
 * it. */
#ifndef TW_KERNELS_FFT_CUDA_CACHE_H
#define TW_KERNELS_FFT_CUDA_CACHE_H
#include <pthread.h>

enum { TW_FFT_DEVICES = 64 };
/* What a plan function returns, beside 0 and 1, if it cannot decide: q->question is set; to be called again when
 * q->answers has the answer. */
enum { TW_FFT_ASKS = 2 };

/* Zero but for the lock at the start; one for a process. */
struct tw_fft_cache {
    pthread_mutex_t lock;            /* of the lists and of making lanes */
    struct tw_cufft *plans;          /* plans.cu */
    unsigned long uses;              /* of plans, so far */
    struct tw_small_table *tables;   /* small_ready.cu */
    struct tw_real_factors *factors; /* real.cu */
    struct tw_fft_lane {             /* transfers.cu, by device */
        int ready;
        void *stream, *end; /* cudaStream_t, cudaEvent_t */
    } lane[TW_FFT_DEVICES];
};

struct tw_fft_gpu {
    void *stream; /* cudaStream_t of the worker */
    struct tw_fft_cache *cache;
    const struct tw_small_answers *answers; /* by device */
    struct tw_small_question *question;     /* NULL in tasks */
};
#endif
