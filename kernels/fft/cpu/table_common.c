/* The tables by precision, and what both precisions share. */
#include <pthread.h>
#include <stdlib.h>
#include "kernels/fft/cpu/fft_cpu.h"

extern const struct tw_fft_cpu_kernels tw_fft_cpu_table_c, tw_fft_cpu_table_z;
const struct tw_fft_cpu_kernels *const tw_fft_cpu[2] = {&tw_fft_cpu_table_c, &tw_fft_cpu_table_z};

void tw_fftw_lock(void);
void tw_fftw_unlock(void);
void *tw_fft_buffer(size_t bytes);

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
void tw_fftw_lock(void)
{
    pthread_mutex_lock(&planner);
}
void tw_fftw_unlock(void)
{
    pthread_mutex_unlock(&planner);
}

struct buffer {
    void *p;
    size_t bytes;
};
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void drop(void *arg)
{
    struct buffer *b = arg;
    free(b->p);
    free(b);
}
static void make_key(void)
{
    (void)pthread_key_create(&key, drop);
}

void *tw_fft_buffer(size_t bytes)
{
    struct buffer *b;

    pthread_once(&once, make_key);
    b = pthread_getspecific(key);
    if (!b) {
        if (!(b = calloc(1, sizeof *b))) return NULL;
        if (pthread_setspecific(key, b) != 0) {
            free(b);
            return NULL;
        }
    }
    if (b->bytes < bytes) {
        free(b->p);
        b->bytes = 0;
        if (posix_memalign(&b->p, 4096, bytes) != 0) {
            b->p = NULL;
            return NULL;
        }
        b->bytes = bytes;
    }
    return b->p;
}
