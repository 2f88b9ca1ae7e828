/* CPU kernels of the FFT family: FFTW for the transforms themselves, our own loops for what lies between them. One
 * table per precision (float, double). Part of libtilework_fft, not of libtilework: FFTW is GPL.
 *
 * Strides and sizes are in elements: complex ones, or real ones where an array is real. */
#ifndef TW_KERNELS_FFT_CPU_FFT_CPU_H
#define TW_KERNELS_FFT_CPU_FFT_CPU_H
#include "types/fft/transforms.h"

/* 0, or -1 without memory. */
int tw_fft_roots_init(struct tw_fft_roots *r, tw_int n);
void tw_fft_roots_free(struct tw_fft_roots *r);
static inline void tw_fft_root(const struct tw_fft_roots *r, tw_int m, double *re, double *im)
{
    const double *f = r->fine + 2 * (m & (((tw_int)1 << r->shift) - 1)), *c = r->coarse + 2 * (m >> r->shift);
    *re = c[0] * f[0] - c[1] * f[1];
    *im = c[0] * f[1] + c[1] * f[0];
}

struct tw_fft_cpu_kernels {
    /* Plan (or find) a transform: NULL if FFTW refuses or memory is short. limit: seconds for this planning.
     * Serialised. */
    const struct tw_fftw *(*plan)(const struct tw_fftw_problem *p, double limit);
    void (*release)(const struct tw_fftw *plan); /* NULL is allowed */
    void (*run)(const struct tw_fftw *plan, const void *in, void *out);
    int (*aligned)(const void *p);
    /* 0, or -1 without memory for the buffer. */
    int (*columns)(const struct tw_fft_columns *c);
    /* A stage of a long transform. plan: one contiguous transform in place, aligned; roots: of a multiple of the
     * stage's. 0, or -1 without memory for the buffer. */
    int (*stage)(const struct tw_fft_stage *s, const struct tw_fftw *plan, const struct tw_fft_roots *roots,
                 const void *in, void *out);
    void (*chirp)(const struct tw_fft_chirp *c);
    void (*fold)(const struct tw_fft_fold *f);
    void (*unfold)(const struct tw_fft_fold *f);
    void (*split)(const struct tw_fft_split *s);
    void (*join)(const struct tw_fft_split *s);
    /* Multiply count elements (reals), stride apart, by scale. */
    void (*scale)(tw_int count, tw_int stride, void *x, double scale);
    /* a *= b, elementwise over complex arrays. */
    void (*multiply)(tw_int count, void *a, const void *b);
    char *(*wisdom_export)(void); /* malloc'ed text, or NULL */
    int (*wisdom_import)(const char *text);
    const char *(*version)(void); /* FFTW's, without blanks */
    int (*planned)(void);         /* plans made so far in measuring modes: is there wisdom to save? */
    size_t bytes;                 /* of a complex element */
};
/* [0] float, [1] double */
extern const struct tw_fft_cpu_kernels *const tw_fft_cpu[2];
#endif
