/* The peer: cuFFT on one GPU, with its copies or on data that is there; and the links. */
#ifndef TW_BENCH_FFT_PEER_H
#define TW_BENCH_FFT_PEER_H
#include <stddef.h>

struct peer_times {
    double resident; /* seconds of one execution, arrays on the GPU */
    double host;     /* copy in, execute, copy out, one after another, pinned arrays */
    double in, out;  /* the two copies */
    double duplex;   /* both copies at once */
    double worst;    /* relative difference (2-norm) between cuFFT's result and `result`, over `samples` elements */
};
/* Complex transforms of rank 1 to 3, `batch` of them, from host array `in` (pinned); `result` is compared (NULL: not);
 * scratch: a pinned array as long. 0, or 1 with a message on stderr. */
int peer_measure(struct peer_times *t, int single, int rank, const long long *n, long long batch, const void *in,
                 const void *result, void *scratch, int repeat);
/* Device arrays for our own executions of device pointers: 0 or 1. */
int peer_device_array(void **p, size_t bytes, const void *content);
void peer_device_free(void *p);
int peer_download(void *host, const void *device, size_t bytes);
const char *peer_name(void); /* of GPU 0 */
#endif
