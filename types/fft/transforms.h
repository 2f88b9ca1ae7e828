/* What the rooms of the FFT family agree on: transforms to be planned, roots of unity, columns, and what comes before
 * and after them.
 *
 * Strides and sizes are in elements: complex ones, or real ones where an array is real. */
#ifndef TW_TYPES_FFT_TRANSFORMS_H
#define TW_TYPES_FFT_TRANSFORMS_H
#include <stddef.h>
#include <tilework/fft.h>
#include "types/fft/stage.h"

/* ---- transforms planned by FFTW ---------------------------------------------------------------------------------- */

enum { TW_FFT_MAX_LOOPS = 5 };
struct tw_fftw_problem {
    enum tw_fft_kind kind;
    int rank, nloops, sign;
    tw_fft_dim dim[3];                 /* n is the logical size: of the real side for R2C and C2R */
    tw_fft_dim loop[TW_FFT_MAX_LOOPS]; /* repetitions, as FFTW's howmany_dims */
    int r2r[3];                        /* enum tw_fft_r2r, by dimension */
    int in_place, aligned;             /* aligned: both arrays as FFTW's own allocator aligns */
    int preserve;                      /* the input must survive (not possible for C2R of rank > 1) */
    enum tw_fft_rigor rigor;
};
/* a plan; lives until it is released as often as it was asked for, and may be run by any number of threads at once */
struct tw_fftw;

/* ---- roots of unity ---------------------------------------------------------------------------------------------- */

/* exp(-2 pi i m / n) for 0 <= m < n as the product of two entries of tables of about sqrt(n) entries, each rounded from
 * long double. */
struct tw_fft_roots {
    tw_int n;
    int shift;             /* coarse step 2^shift */
    double *fine, *coarse; /* (re, im) pairs */
};

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Transforms of length n along the columns of an n x w row-major array, a few columns at a time in a buffer that fits
 * in cache. Normal: out is n x w like in. Transposed: out is w x n, and element (j, i) is multiplied by exp(sign 2 pi i
 * (first + j) i / N) where roots (of N) are given. Everything is multiplied by scale. in == out is allowed for the
 * normal kind. */
/* How the columns of one transform are read, or stored, where they are not simply elements of an array:
 *   REALS    an array of reals; the plan is one from real to half-complex in place, or back, so that a column is n / 2
 *            + 1 elements long on the other side
 *   HALF     the array is the half-complex one of a real transform of `points`: of the logical n x w array, an element
 *            at k = i ld + j beyond points / 2 is the conjugate of the one at points - k
 *   CHIRP    the array has only `points` elements (the rest of n x w are read as 0, and not stored); they are
 *            multiplied by `chirp`. `real`: reading, the array is real; storing, only real parts are stored
 * Then `in` or `out` is the whole array, and columns are counted by `first`. */
enum tw_fft_edge { TW_FFT_PLAIN, TW_FFT_REALS, TW_FFT_HALF, TW_FFT_CHIRP };
struct tw_fft_side {
    enum tw_fft_edge edge;
    tw_int points;
    /* CHIRP, half: the array is the half-complex one of a real transform of odd length: all but its first elements
     * count twice. */
    int real, half;
    const void *chirp;
};

struct tw_fft_columns {
    /* `chunk` contiguous transforms of length n, rows of `pitch` elements, in place, aligned */
    const struct tw_fftw *plan;
    tw_int n, w, chunk, pitch;
    const void *in;
    tw_int ld_in;
    void *out;
    tw_int ld_out;
    int transposed, sign;
    const struct tw_fft_roots *roots; /* NULL: no twiddle factors */
    tw_int first;
    double scale;
    /* A filter: the transforms are multiplied by an n x w table and transformed back before they are stored. */
    const void *table; /* NULL: none */
    tw_int ld_table;
    const struct tw_fftw *back;
    struct tw_fft_side enter, leave;
};

/* ---- chirps (Bluestein, IEEE Trans. Audio Electroacoustics 18, 1970) --------------------------------------------- */

/* Elements from … to - 1 of w_j = exp(sign pi i j^2 / n), the exponent taken modulo 2n exactly, and of the array b of
 * `length` elements to convolve with: conj w_j at j < nout and at length - j, 0 < j < nin. What lies between is the
 * caller's to clear. */
struct tw_fft_chirp {
    const struct tw_fft_roots *roots; /* of 2n */
    tw_int n, nin, nout, length, from, to;
    int sign;
    void *w, *b;
};

/* ---- real transforms of even length 2h through complex ones of length h ------------------------------------------ */

/* Forward: z (h elements, the transform of the even and odd elements as one complex array) becomes the h + 1 elements
 * of the real transform, in place. Backward: the h + 1 elements of `in` become the h elements of out whose backward
 * transform interleaves the real result; in == out is allowed. The pairs (k, h - k), from <= k < to with 0 <= from, to
 * <= h / 2 + 1; different ranges touch different elements. roots: of 2h. */
struct tw_fft_split {
    tw_int h, from, to;
    const void *in;
    void *out;
    const struct tw_fft_roots *roots;
    double scale;
};

/* ---- real-to-real transforms through others ---------------------------------------------------------------------- */

/* Steps from … to - 1 of what comes before a transform of n points (fold: array to what is transformed) or after it
 * (unfold: to the result, times scale). Of kinds 2 to 4 and DHT n / 2 + 1 steps make the whole, of DCT1 n, of DST1 n +
 * 1; different steps touch different elements; in != out. What is transformed: DCT1, DST1: 2(n - 1), 2(n + 1) reals; 2
 * and DHT: n reals; 3: the half-complex array of n reals, backward; 4 (n even): n / 2 complex numbers, forward. roots:
 * of 4n for kinds 2 and 3, of 8n for 4. */
struct tw_fft_fold {
    enum tw_fft_r2r kind;
    tw_int n, from, to;
    const void *in;
    void *out;
    const struct tw_fft_roots *roots;
    double scale;
};

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* Rectangles between any two memories: of this GPU, of another, pinned main memory. */
struct tw_fft_transfer {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, width, rows; /* bytes (multiples of 8), but rows */
    int source, target;                       /* whose memory it is: 0 main memory, g + 1 that of GPU g */
    int stores; /* a kernel here reaches both ends: all such pieces of a call go out side by side */
};
#endif
