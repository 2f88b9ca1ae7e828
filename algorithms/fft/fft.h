/* What the files of algorithms/fft/ share. */
#ifndef TW_ALGORITHMS_FFT_H
#define TW_ALGORITHMS_FFT_H
#include <pthread.h>
#include <stdatomic.h>
#include <tilework/fft.h>
#include "codelets/fft/codelets.h"
#include "runtime/submit.h"

enum tw_fft_method { TW_FFT_BY_CALL, TW_FFT_BY_SIX_STEPS, TW_FFT_BY_SLABS, TW_FFT_BY_PASSES };

/* FFTW's plans for one way of being called: in place or not, with arrays as aligned as FFTW likes or not. */
struct tw_fft_variant {
    atomic_int ready;
    const struct tw_fftw *call;              /* TW_FFT_BY_CALL */
    const struct tw_fftw *many, *one;        /* TW_FFT_BY_SLABS: rows */
    const struct tw_fftw *full[2], *rest[2]; /* TW_FFT_BY_PASSES */
};

/* One of the (at most two) passes of TW_FFT_BY_PASSES. */
struct tw_fft_pass_shape {
    struct tw_fftw_problem problem; /* the split loop is loop[0] */
    int from_out;                   /* works in place on `out` (1) or `in` (2) */
    tw_int chunk;
    size_t in_bytes, out_bytes; /* of an element of either side */
};

struct tw_fft {
    enum tw_type type; /* TW_COMPLEX_FLOAT or TW_COMPLEX_DOUBLE */
    const struct tw_fft_cpu_kernels *k;
    struct tw_fftw_problem problem; /* the whole transform */
    enum tw_fft_norm norm;
    double time_limit, scale, flops;
    tw_int points, transforms;
    size_t in_bytes, out_bytes; /* that the arrays span */
    enum tw_fft_method method;
    int reproducible, can_be_in_place;
    struct tw_fft_variant variant[2][2]; /* in place, aligned */

    /* columns of length n[0] (and, six-step, n[1]): plan over a buffer of chunk columns */
    struct {
        tw_int n, chunk, pitch;
        const struct tw_fftw *plan;
    } columns[2];
    struct tw_fft_roots roots, half_roots; /* six-step: of the complex length; real ones also: of the real length */
    struct tw_fft_rows rows;               /* slabs */
    tw_int nrows;
    int npasses;
    struct tw_fft_pass_shape pass[2];

    pthread_mutex_t lock;
    void *workspace; /* kept between executions; NULL while one uses it */
    size_t workspace_bytes;
    atomic_int tasks;
};

struct tw_fft_call {
    struct tw_fft *plan;
    const char *in;
    char *out;
};

/* ---- settings.c: options and variables; how many parts ---------------------------------------------------------------- */
struct tw_fft_settings {
    enum tw_fft_norm norm;
    enum tw_fft_rigor rigor;
    enum tw_fft_path path;
    enum tw_fft_r2r r2r[3];
    double time_limit;
    int reproducible;
};
int tw_fft_settings_resolve(const char *routine, int argument, const tw_fft_options *o, struct tw_fft_settings *s);
/* Into how many parts work is cut on a machine without GPUs: several per core; the same everywhere in reproducible mode. */
int tw_fft_parts(int reproducible);

/* ---- variants.c ------------------------------------------------------------------------------------------------------------ */
/* The plans for these arrays, made now if they are not there; NULL if FFTW has none (message set). */
const struct tw_fft_variant *tw_fft_variant_for(struct tw_fft *p, const void *in, const void *out);
/* A plan for `chunk` contiguous transforms of length n in a buffer: sets chunk and pitch. 0 or an error. */
int tw_fft_plan_columns(struct tw_fft *p, int which, tw_int n);

/* ---- sixstep.c, slabs.c, passes.c: each says whether it suits, and has a loop ------------------------------------------------ */
/* 1 if the method can compute this transform; sets its part of the plan. */
int tw_fft_sixstep_suits(struct tw_fft *p);
int tw_fft_slabs_suit(struct tw_fft *p);
void tw_fft_passes_shape(struct tw_fft *p);
/* The rest of the plan: 0 or an error. */
int tw_fft_sixstep_prepare(struct tw_fft *p);
int tw_fft_slabs_prepare(struct tw_fft *p);
/* Submit, and wait until everything is in main memory. */
void tw_fft_sixstep(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out);
void tw_fft_slabs(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out);
void tw_fft_passes(struct tw_sequence *seq, struct tw_fft *p, const char *in, char *out);
/* Forward, product with the table, backward: `spectrum` may be `out`. Both plans are slabs; CPUs only. */
void tw_fft_filter_slabs(struct tw_sequence *seq, struct tw_fft *forward, struct tw_fft *backward, const char *table,
                         const char *in, char *spectrum, char *out);

/* ---- blocks.c: an array as a grid of data objects ------------------------------------------------------------------------------ */
struct tw_fft_grid {
    int nr, nc;           /* blocks */
    tw_int br, bc;        /* rows and columns of a block but the last */
    struct tw_data **row; /* block (i, j) at i * nc + j */
    struct tw_data **col; /* the same at j * nr + i */
};
/* An array of `rows` rows of `cols` elements, ld apart, in blocks of br x bc. 0, or the sequence fails. */
int tw_fft_grid_make(struct tw_sequence *seq, struct tw_fft_grid *g, const void *base, tw_int rows, tw_int cols,
                     tw_int ld, size_t elemsize, tw_int br, tw_int bc);
void tw_fft_grid_home(struct tw_sequence *seq, struct tw_fft_grid *g);
void tw_fft_grid_free(struct tw_fft_grid *g, int keep);
/* Signs: n vectors that only order tasks. 0, or the sequence fails. */
int tw_fft_signs_make(struct tw_sequence *seq, int n, struct tw_data ***signs);
void tw_fft_signs_free(int n, struct tw_data **signs);

/* ---- product.c: a = scale a b, or scale a conj(b), as tasks if the plan has some; 0 or an error ---- */
int tw_fft_multiply(struct tw_fft *plan, void *a, const void *b, tw_int count, int conjugate, double scale);

/* ---- wisdom.c ---------------------------------------------------------------------------------------------------------------------- */
void tw_fft_wisdom_load(void);

static inline tw_int tw_fft_ceil(tw_int a, tw_int b)
{
    return (a + b - 1) / b;
}
static inline int tw_fft_single(const struct tw_fft *p)
{
    return p->type == TW_COMPLEX_FLOAT;
}
#endif
