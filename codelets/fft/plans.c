/* FFTW's plans, roots of unity and wisdom for what submits tasks. */
#include "codelets/fft/fft_bodies.h"

const struct tw_fftw *tw_fft_prepare(enum tw_type type, const struct tw_fftw_problem *p, double limit)
{
    return tw_fft_kernels(type)->plan(p, limit);
}

void tw_fft_release(enum tw_type type, const struct tw_fftw *plan)
{
    tw_fft_kernels(type)->release(plan);
}

int tw_fft_aligned(enum tw_type type, const void *p)
{
    return tw_fft_kernels(type)->aligned(p);
}

void tw_fft_run(enum tw_type type, const struct tw_fftw *plan, const void *in, void *out)
{
    tw_fft_kernels(type)->run(plan, in, out);
}

void tw_fft_scale(enum tw_type type, tw_int count, tw_int stride, void *x, double scale)
{
    tw_fft_kernels(type)->scale(count, stride, x, scale);
}

void tw_fft_times(enum tw_type type, tw_int count, void *a, const void *b)
{
    tw_fft_kernels(type)->multiply(count, a, b);
}

int tw_fft_roots_prepare(struct tw_fft_roots *r, tw_int n)
{
    return tw_fft_roots_init(r, n);
}

void tw_fft_roots_release(struct tw_fft_roots *r)
{
    tw_fft_roots_free(r);
}

char *tw_fft_wisdom_export(enum tw_type type)
{
    return tw_fft_kernels(type)->wisdom_export();
}

int tw_fft_wisdom_import(enum tw_type type, const char *text)
{
    return tw_fft_kernels(type)->wisdom_import(text);
}

int tw_fft_wisdom_planned(enum tw_type type)
{
    return tw_fft_kernels(type)->planned();
}

const char *tw_fft_wisdom_version(enum tw_type type)
{
    return tw_fft_kernels(type)->version();
}
