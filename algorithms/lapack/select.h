/* The functions by which callers of LAPACK select eigenvalues, and eigenvalues as LAPACK has them. */
#ifndef TW_ALGORITHMS_LAPACK_SELECT_H
#define TW_ALGORITHMS_LAPACK_SELECT_H
#include "algorithms/lapack/values.h"

typedef void (*tw_any_select)(void);
/* fn: of that type, what it returns has int_size bytes. */
struct selector {
    tw_any_select fn;
    enum tw_type type;
    size_t int_size;
};

#define TW_SELECTED(T, ...)                                                                                            \
    (s->int_size == 8 ? ((int64_t(*)(T))s->fn)(__VA_ARGS__) != 0 : ((int32_t(*)(T))s->fn)(__VA_ARGS__) != 0)
#define TW_COMMA ,
/* As the matrix door calls it. */
static inline int selects(void *selector, double wr, double wi)
{
    const struct selector *s = selector;
    const float single[2] = {(float)wr, (float)wi};
    const double pair[2] = {wr, wi};

    switch (s->type) {
    case TW_FLOAT: return TW_SELECTED(const float *TW_COMMA const float *, &single[0], &single[1]);
    case TW_DOUBLE: return TW_SELECTED(const double *TW_COMMA const double *, &pair[0], &pair[1]);
    case TW_COMPLEX_FLOAT: return TW_SELECTED(const lapack_complex_float *, (const void *)single);
    default: return TW_SELECTED(const lapack_complex_double *, (const void *)pair);
    }
}

/* As LAPACK itself calls it, in the caller's thread: one call at a time. */
static _Thread_local struct selector selector_here;
static inline lapack_logical select_s(const float *wr, const float *wi)
{
    return selects(&selector_here, (double)*wr, (double)*wi);
}
static inline lapack_logical select_d(const double *wr, const double *wi)
{
    return selects(&selector_here, *wr, *wi);
}
static inline lapack_logical select_c(const lapack_complex_float *w)
{
    return selects(&selector_here, (double)__real__ * w, (double)__imag__ * w);
}
static inline lapack_logical select_z(const lapack_complex_double *w)
{
    return selects(&selector_here, __real__ * w, __imag__ * w);
}

/* Two arrays of n real and imaginary parts as doubles, as LAPACK's: of complex types wr has both. */
static inline void put_eigenvalues(enum tw_type type, tw_int n, const double *w, void *wr, void *wi)
{
    const int pairs = tw_is_complex(type);

    for (tw_int i = 0; i < n; i++) {
        put_real_at(type, wr, pairs ? 2 * i : i, w[i]);
        put_real_at(type, pairs ? wr : wi, pairs ? 2 * i + 1 : i, w[n + i]);
    }
}
#endif
