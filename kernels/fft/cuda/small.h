/* Small transforms of many rows in one pass over memory, by kernels of our own: complex, real and half-complex, cosine,
 * sine and Hartley transforms whose inner complex transform has 2 to 4096 points, a power of two. */
#ifndef TW_KERNELS_FFT_CUDA_SMALL_H
#define TW_KERNELS_FFT_CUDA_SMALL_H
#include <stdint.h>
#include <tilework/fft.h>
#include "kernels/fft/cuda/cache.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Transforms of rank 1 along rows of n points without gaps, ld apart (in elements of their side; rows of one array do
 * not overlap). */
struct tw_fft_cuda_lines {
    int single, sign;
    enum tw_fft_kind kind;
    enum tw_fft_r2r r2r; /* of kind R2R */
    tw_int n, rows, ld_in, ld_out;
    double scale;
};

/* 1 if there is a kernel for them, and the arrays lie as it needs them. In place (in == out, equal pitches in bytes) is
 * allowed. */
int tw_fft_cuda_small_suits(const struct tw_fft_cuda_lines *l, const void *in, const void *out);
/* On a worker, outside of tasks: make ready what the kernel reads. 0, or 1 with the message set. */
int tw_fft_cuda_small_plan(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l);
/* Enqueue it; after tw_fft_cuda_small_plan for the same kind and n on this device. */
int tw_fft_cuda_small(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l, const void *in, void *out);

/* Is that faster on this GPU than cuFFT, with passes before and behind it for real to real transforms? In tasks: as
 * q->answers say; 0 if they do not know. Outside: 0 and *ours, or TW_FFT_ASKS. */
int tw_fft_cuda_small_chosen(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l, const void *in,
                             const void *out);
int tw_fft_cuda_small_choose(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l, const void *in,
                             const void *out, int *ours);

/* ---- between the files of the kernels: small_filters.cuh explains the kinds -------------------------------------- */

enum tw_small_kind {
    TW_SMALL_C2C,
    TW_SMALL_R2C,
    TW_SMALL_C2R,
    TW_SMALL_DHT,
    TW_SMALL_T1,
    TW_SMALL_T2,
    TW_SMALL_T3,
    TW_SMALL_T4,
    TW_SMALL_KINDS
};
enum { TW_SMALL_SIZES = 12 }; /* M = 2, 4 … 4096 */

/* Which are faster on a device. */
enum tw_small_answer { TW_SMALL_UNKNOWN, TW_SMALL_OURS, TW_SMALL_THEIRS };
struct tw_small_answers {
    /* single, kind, m: enum tw_small_answer; read while others are written */
    unsigned char of[2][TW_SMALL_KINDS][TW_SMALL_SIZES + 1];
};
struct tw_small_question {
    int device, single, kind, m;
    struct tw_fft_cuda_lines lines;
};
/* small_measure.cu: on a worker, outside of tasks: run both (some milliseconds). TW_SMALL_UNKNOWN where that is
 * impossible. */
enum tw_small_answer tw_fft_cuda_small_measure(const struct tw_fft_gpu *q, const struct tw_fft_cuda_lines *l);
/* What the answers depend on: the device's name and cuFFT's version. 0, or -1 if CUDA does not say. */
int tw_fft_cuda_small_model(int device, char *name, size_t length, int *cufft);

struct tw_small_args {
    const void *in;
    void *out;
    int64_t rows, ld_in, ld_out; /* pitches in elements of their side, complex or real */
    const void *table;
    double scale;
    int flip;
};
/* A compiled kernel. */
struct tw_small_entry {
    const void *kernel;
    int threads, batch, shared, roots; /* of a block; transforms of a block; bytes; complex numbers in the table */
    void (*fill)(void *table);
};
/* Kind, m = log2 M (1 … TW_SMALL_SIZES) and flip of a transform: 0, or -1 if there is no kernel for it. */
int tw_small_which(const struct tw_fft_cuda_lines *l, int *kind, int *m, int *flip);
const struct tw_small_entry *tw_small_entry_float(int kind, int m);
const struct tw_small_entry *tw_small_entry_double(int kind, int m);
/* small_ready.cu: on a worker, outside of tasks, before a kernel's first launch on this device; its table there; launch
 * it with its one argument. 0, or 1 with the message set. */
int tw_small_make_ready(const struct tw_fft_gpu *q, const struct tw_small_entry *e, int single);
int tw_small_table_of(const struct tw_fft_gpu *q, const struct tw_small_entry *e, const void **table);
int tw_small_launch(const struct tw_fft_gpu *q, const struct tw_small_entry *e, int64_t blocks, void *args);
#ifdef __cplusplus
}
#endif
#endif
