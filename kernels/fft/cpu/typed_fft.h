/* What the FFT family's CPU kernels share. Compiled for TW_PRECISION_C and TW_PRECISION_Z. */
#ifndef TW_KERNELS_FFT_CPU_TYPED_FFT_H
#define TW_KERNELS_FFT_CPU_TYPED_FFT_H
#include "kernels/fft/cpu/fftw_table.h"
#include "kernels/fft/cpu/fft_cpu.h"
#include "kernels/precision.h"

#define FFT(x) TW_NAME(tw_fft_cpu_, x)
#if TW_IS_SINGLE
#define FFTW(x) fftwf_##x
#else
#define FFTW(x) fftw_##x
#endif

struct tw_fftw {
    FFTW(plan) plan;
    enum tw_fft_kind kind;
    struct tw_fftw_problem problem; /* the key */
    int users;
    struct tw_fftw *next;
};

/* Loops over complex numbers profit from wide registers, which a portable build does not assume: the dynamic linker
 * chooses. Sanitizers run before that choice can be made. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__) && !defined(TW_NO_CLONES)
#define TW_WIDE __attribute__((target_clones("arch=haswell", "default")))
#else
#define TW_WIDE
#endif

/* Rows of columns are far apart, which the hardware does not foresee: they are asked for TW_AHEAD rows ahead (worth a
 * quarter of a pass). */
enum { TW_AHEAD = 12 };
static inline void tw_fft_ask(const void *row, size_t bytes)
{
    for (size_t k = 0; k < bytes; k += 64)
        __builtin_prefetch((const char *)row + k);
}
static inline void tw_fft_ask_to_write(const void *row, size_t bytes)
{
    for (size_t k = 0; k < bytes; k += 64)
        __builtin_prefetch((const char *)row + k, 1);
}

const struct tw_fftw *FFT(plan)(const struct tw_fftw_problem *p, double limit);
void FFT(release)(const struct tw_fftw *plan);
void FFT(run)(const struct tw_fftw *plan, const void *in, void *out);
int FFT(aligned)(const void *p);
int FFT(columns)(const struct tw_fft_columns *c);
void FFT(enter)(const struct tw_fft_columns *c, tw_int j, tw_int w, R *buffer);
void FFT(leave)(const struct tw_fft_columns *c, tw_int j, tw_int w, const R *buffer);
int FFT(stage)(const struct tw_fft_stage *s, const struct tw_fftw *plan, const struct tw_fft_roots *roots,
               const void *in, void *out);
void FFT(chirp)(const struct tw_fft_chirp *c);
void FFT(fold)(const struct tw_fft_fold *f);
void FFT(unfold)(const struct tw_fft_fold *f);
void FFT(split)(const struct tw_fft_split *s);
void FFT(join)(const struct tw_fft_split *s);
void FFT(scale)(tw_int count, tw_int stride, void *x, double scale);
void FFT(multiply)(tw_int count, void *a, const void *b);
char *FFT(wisdom_export)(void);
int FFT(wisdom_import)(const char *text);
const char *FFT(version)(void);
int FFT(planned)(void);
/* This thread's buffer of at least `bytes`, kept until the thread ends; NULL without memory. */
void *tw_fft_buffer(size_t bytes);
/* FFTW's planners of both precisions are not thread safe and read no other lock. */
void tw_fftw_lock(void);
void tw_fftw_unlock(void);
#endif
