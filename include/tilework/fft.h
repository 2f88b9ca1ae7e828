/* Tilework: fast Fourier transforms as task graphs. Part of libtilework_fft (link with -ltilework_fft -ltilework).
 *
 * Plans are made once and executed many times, by any number of threads at once, as FFTW's and cuFFT's. Arrays are
 * row-major: the last dimension varies fastest. Transforms are not normalised unless that is asked for:
 *
 *   C2C   X[k] = sum_j x[j] exp(sign 2 pi i j k / n), over each dimension
 *   R2C   the same with sign -1 of a real array; of the last dimension only the elements 0 … n/2 are stored
 *   C2R   the same with sign +1, from what R2C stores to a real array. The input of a transform of rank 2 or 3 is
 *         overwritten, and so may be the padding between real rows that are as long as the half-complex ones
 *   R2R   real to real, each dimension by its own kind (enum tw_fft_r2r)
 *
 * Small transforms are computed in the caller's thread; large ones become tasks, and the library starts itself for
 * them. libtilework_fft stands on FFTW and is therefore under the GPL, version 2 or later, when distributed;
 * libtilework is not. */
#ifndef TILEWORK_FFT_H
#define TILEWORK_FFT_H
#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tw_fft_kind { TW_FFT_C2C, TW_FFT_R2C, TW_FFT_C2R, TW_FFT_R2R };
enum tw_fft_sign { TW_FFT_FORWARD = -1, TW_FFT_BACKWARD = 1 };

/* The real transforms of n points, j and k from 0, unnormalised, as FFTW's and (times 2) as in the books:
 *   DCT1  x[0] + (-1)^k x[n-1] + 2 sum_{j=1}^{n-2} x[j] cos(pi j k / (n-1)), n >= 2     DST1  2 sum x[j] sin(pi
 *         (j+1)(k+1) / (n+1))
 *   DCT2  2 sum x[j] cos(pi (j+1/2) k / n)                                              DST2  2 sum x[j] sin(pi
 *         (j+1/2)(k+1) / n)
 *   DCT3  x[0] + 2 sum_{j>=1} x[j] cos(pi j (k+1/2) / n)            DST3  (-1)^k x[n-1] + 2 sum_{j<n-1} x[j] sin(pi
 *         (j+1)(k+1/2) / n)
 *   DCT4  2 sum x[j] cos(pi (j+1/2)(k+1/2) / n)                                         DST4  2 sum x[j] sin(pi
 *         (j+1/2)(k+1/2) / n)
 *   DHT   sum x[j] (cos(2 pi j k / n) + sin(2 pi j k / n)), the Hartley transform
 * 1, 4 and DHT are their own inverses, 2 and 3 each other's, up to the factor that TW_FFT_BY_N divides by. */
enum tw_fft_r2r {
    TW_FFT_DCT1,
    TW_FFT_DCT2,
    TW_FFT_DCT3,
    TW_FFT_DCT4,
    TW_FFT_DST1,
    TW_FFT_DST2,
    TW_FFT_DST3,
    TW_FFT_DST4,
    TW_FFT_DHT
};

/* BY_N divides by the number of points, so that forward and backward, one of them so normalised, give back the input;
 * ORTHO by its square root. For R2R the number is, by dimension: 2(n-1) for DCT1, 2(n+1) for DST1, n for DHT, 2n for
 * the others. */
enum tw_fft_norm { TW_FFT_UNSCALED, TW_FFT_BY_N, TW_FFT_ORTHO };
/* How hard FFTW looks for a good plan: not at all, by measuring, by measuring more. */
enum tw_fft_rigor { TW_FFT_ESTIMATE, TW_FFT_MEASURE, TW_FFT_PATIENT };
enum tw_fft_path { TW_FFT_AUTO, TW_FFT_DIRECT, TW_FFT_TASKS };

/* One dimension of a transform, or one loop of transforms: size, and the strides of input and output in elements. */
typedef struct tw_fft_dim {
    tw_int n, is, os;
} tw_fft_dim;

/* Fill with tw_fft_options_init(), then change what matters. A NULL where options are asked for means the defaults. */
typedef struct tw_fft_options {
    size_t size;             /* sizeof(tw_fft_options): later versions only append */
    enum tw_fft_norm norm;   /* TW_FFT_UNSCALED */
    enum tw_fft_rigor rigor; /* TW_FFT_MEASURE (TILEWORK_FFT_RIGOR=estimate|measure|patient) */
    double time_limit;       /* seconds for each of FFTW's plans, of which a transform needs one to four;
                               * < 0: 2 s (TILEWORK_FFT_TIMELIMIT) */
    enum tw_fft_path path;   /* TW_FFT_AUTO: by size (TILEWORK_FFT_PATH=auto|direct|tasks) */
    enum tw_fft_r2r r2r[3];  /* the kinds of an R2R transform, by dimension */
} tw_fft_options;
TW_API void tw_fft_options_init(tw_fft_options *options);

typedef struct tw_fft tw_fft;

/* Plan a transform of arrays without gaps: rank 1 to 3, sizes n[0…rank-1], `batch` transforms one after another. type:
 * TW_DOUBLE or TW_FLOAT, the precision (the complex types mean the same). sign: TW_FFT_FORWARD or TW_FFT_BACKWARD;
 * ignored but for C2C. In place (in == out at execution): R2C and C2R arrays then have rows of 2 (n/2 + 1) reals, which
 * needs tw_fft_plan_many or _guru. Returns 0; -i for argument i; TW_E_OPTION for a wrong variable; TW_E_MEMORY. Sizes
 * are positive; an array has less than 2^62 bytes. */
TW_API int tw_fft_plan(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch,
                       int sign, const tw_fft_options *options);

/* The same in the manner of fftw_plan_many_dft and cufftPlanMany, arguments in their order: element (j0, j1, j2) of
 * transform b lies at b * dist + ((j0 * embed[1] + j1) * embed[2] + j2) * stride. A NULL embed means the sizes
 * themselves (of the half-complex or real array where it is one). */
TW_API int tw_fft_plan_many(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n,
                            tw_int batch, const tw_int *inembed, tw_int istride, tw_int idist, const tw_int *onembed,
                            tw_int ostride, tw_int odist, int sign, const tw_fft_options *options);

/* The same in the manner of FFTW's guru interface: any positive strides; nloops from 0 to 3 loops of transforms. */
TW_API int tw_fft_plan_guru(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_fft_dim *dims,
                            int nloops, const tw_fft_dim *loops, int sign, const tw_fft_options *options);

/* Transform in to out, arrays with the plan's shapes; in == out (same strides) works in place. They are host arrays
 * (pinned ones, from tw_fft_alloc or CUDA, travel to GPUs several times as fast), or, while the library runs (tw_init),
 * both arrays on one of the GPUs in use (complex or half-complex: one loop of transforms, each stride a multiple of the
 * next, which is what cuFFT knows; real to real: any). Errors: -1 … -3 for a NULL or for arrays that overlap without
 * being the same, TW_E_MEMORY, and what running tasks can give. */
TW_API int tw_fft_execute(tw_fft *plan, const void *in, void *out);
/* The same as part of a sequence: returns at once. Plan and arrays have to live until the sequence has been waited for.
 * The arrays are operands by their addresses: the transform follows the sequence's earlier transforms, and routines on
 * matrices made by tw_matrix_wrap, whose memory overlaps, and what comes after on such memory follows it; it runs
 * beside all others. Routines on other plain arrays (particles) come one after another with it. */
TW_API int tw_fft_execute_async(tw_fft *plan, const void *in, void *out, tw_sequence *seq);
/* No execution may be under way or queued. NULL is allowed. */
TW_API int tw_fft_destroy(tw_fft *plan);

/* How a plan computes. */
typedef struct tw_fft_info {
    const char *path; /* "direct", "six-step", "slabs", "passes", "bluestein", "folded" */
    tw_int points;    /* of one transform */
    tw_int transforms;
    double flops;     /* 5 N log2 N per complex transform, half of it for real ones */
    size_t workspace; /* bytes of host memory that an execution takes beside the arrays */
    tw_int n1, n2;    /* six-step: the two factors; bluestein: of the convolution's length */
    int tasks;        /* of the latest execution; 0 if none ran */
    int gpus;         /* that the latest execution used; 0: it ran on the CPUs */
    /* estimates of both for the latest execution by tasks on a machine with GPUs: the less decides, unless */
    double cpu_seconds;
    double gpu_seconds;  /* TILEWORK_FFT_PLACE=cpu|gpu|both does (auto: as the estimates say). 0: not estimated */
    double both_seconds; /* of a batch in host memory that CPUs and GPUs share, likewise */
    /* of the batch, that the latest execution left to the CPUs while GPUs did the others; 0: it was not shared */
    tw_int cpu_transforms;
} tw_fft_info;
TW_API int tw_fft_get_info(tw_fft *plan, tw_fft_info *info);

/* Memory for arrays: pinned where there are GPUs, so that they travel at full speed and while GPUs compute; kept for
 * the next call when freed. Starts the library. NULL without memory. Free with the same number of bytes (an array that
 * is none of these is left alone, with a warning). */
TW_API void *tw_fft_alloc(size_t bytes);
TW_API void tw_fft_free(void *array, size_t bytes);

/* Arrays that stay on the GPUs, spread over all of them, between transforms (on a machine without GPUs: in main
 * memory). Made for a plan of a complex transform of rank 1 to 3 without gaps; `set` copies a host array to it, `get`
 * copies it to a host array, always in the plan's row-major order. execute transforms it in place by that plan or
 * another one of the same type and sizes (the other sign). On several GPUs an array of rank 2 or 3 is exchanged once
 * per transform, and lies by rows and by columns in turns: nobody has to care. Errors: -i; TW_E_UNSUPPORTED for other
 * plans; TW_E_MEMORY if it and its workspace do not fit the GPUs; TW_E_STATE if it has no value (set was not called, or
 * a transform of it failed), if other threads have pinned parts of the host array's pages, or if the library was
 * stopped (tw_finalize) since it was made: then it can only be destroyed. One thread at a time uses an array. */
typedef struct tw_fft_array tw_fft_array;
TW_API int tw_fft_array_create(tw_fft_array **array, tw_fft *plan);
TW_API int tw_fft_array_set(tw_fft_array *array, const void *host);
TW_API int tw_fft_array_get(tw_fft_array *array, void *host);
TW_API int tw_fft_array_execute(tw_fft *plan, tw_fft_array *array);
TW_API int tw_fft_array_execute_async(tw_fft *plan, tw_fft_array *array, tw_sequence *seq);
/* After its executions have ended. NULL is allowed. */
TW_API int tw_fft_array_destroy(tw_fft_array *array);

/* One-liners: complex, without gaps, unnormalised. Plans of the latest calls are kept. in == out is allowed. */
TW_API int tw_fft_1d(enum tw_type type, tw_int n, const void *in, void *out, int sign);
TW_API int tw_fft_2d(enum tw_type type, tw_int n0, tw_int n1, const void *in, void *out, int sign);
TW_API int tw_fft_3d(enum tw_type type, tw_int n0, tw_int n1, tw_int n2, const void *in, void *out, int sign);

/* Circular convolution c[k] = sum_j a[j] b[(k - j) mod n] of real arrays of rank 1 to 3, or correlation
 * c[k] = sum_j a[(k + j) mod n] b[j] where correlate is not 0. Pad with zeros for a linear one. c may be a or b, but
 * not a part of a. */
TW_API int tw_fft_convolve(enum tw_type type, int rank, const tw_int *n, const void *a, const void *b, void *c,
                           int correlate);

/* A linear filter: out = backward(table * forward(in)) / N, in two fewer passes over memory than its parts where the
 * array has two or three dimensions. kind TW_FFT_C2C: complex arrays; TW_FFT_R2C: real ones. table: complex, in the
 * shape that forward gives (the last dimension n/2 + 1 long for real arrays), copied. Arrays without gaps; in == out is
 * allowed. A convolution with b is the filter whose table is b's transform. Errors as tw_fft_plan's (-6: table is NULL)
 * and tw_fft_execute's. An execution is for one thread at a time. */
typedef struct tw_fft_filter tw_fft_filter;
TW_API int tw_fft_filter_create(tw_fft_filter **filter, enum tw_type type, enum tw_fft_kind kind, int rank,
                                const tw_int *n, const void *table, const tw_fft_options *options);
TW_API int tw_fft_filter_execute(tw_fft_filter *filter, const void *in, void *out);
TW_API int tw_fft_filter_destroy(tw_fft_filter *filter);

/* Keep what FFTW's planner found (its wisdom) in the cache directory, now. The library reads it at its first plan and
 * saves it when the program ends. 0 or TW_E_IO. */
TW_API int tw_fft_save_wisdom(void);

/* ---- files of signals and images --------------------------------------------------------------------------------- */

/* An array of a file: elements of one type, row-major; free with tw_signal_free. */
typedef struct tw_signal {
    enum tw_type type;
    int rank; /* 1 to 4 */
    tw_int n[4];
    tw_int count; /* product of n */
    void *data;
    double rate; /* WAV: samples per second */
    /* .npy of a half-complex array: the last dimension of the real array (n[rank - 1] = real_last / 2 + 1); 0: not
     * known */
    tw_int real_last;
} tw_signal;
/* NumPy's .npy (versions 1 to 3, C order, f4 f8 c8 c16 and the integers up to 64 bits, little endian), WAV (PCM 8 to 32
 * bits and float, n = {frames, channels}, scaled to [-1, 1)), PGM and PPM (P2, P3, P5, P6, n = {height, width} or
 * {height, width, 3}, in [0, 1]), by content. Real elements become double but for f4, c8. 0, TW_E_IO, TW_E_FORMAT (with
 * the place) or TW_E_MEMORY. */
TW_API int tw_signal_read(const char *path, tw_signal *signal);
TW_API void tw_signal_free(tw_signal *signal);
/* Written by the name's ending: .npy, .pgm (rank 2), .ppm (rank 3, n[2] = 3), .png (either) with values clipped to [0,
 * 1], .wav (rank 1, or 2 with channels) with 16 bits, clipped to [-1, 1]; anything else: the bare elements. The name
 * "-" is standard output, in NumPy's format; "-.wav" and so on are standard output in another. 0, TW_E_IO, or
 * TW_E_UNSUPPORTED. */
TW_API int tw_signal_write(const char *path, const tw_signal *signal);

#ifdef __cplusplus
}
#endif
#endif
