/* Tilework: matrices made of tiles, and what fills, reads and writes them.
 *
 * A tw_matrix is m x n, cut into tiles of mb rows and nb columns, as a rule square ones (the last row and column of
 * tiles are ragged). With uplo TW_LOWER or TW_UPPER only the tiles of that triangle exist. Its data lives in the
 * library's pinned pool, or in place in a LAPACK array of the user (host or GPU memory). */
#ifndef TILEWORK_MATRIX_H
#define TILEWORK_MATRIX_H

#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tw_matrix tw_matrix;

/* Who owns tile (i, j): a rank number. NULL means "rank 0 owns all". For the MPI library to come. */
typedef struct tw_distribution {
    int (*owner)(tw_int i, tw_int j, void *user);
    void *user;
} tw_distribution;

/* All of these: nb = 0 lets the library choose: what a Cholesky factorization wants; tw_routine_nb (dense.h) tells what
 * others do. On failure *A is NULL. Errors: -i for argument i, TW_E_MEMORY (the last message says how many bytes are
 * needed), TW_E_NO_WORKER, …
 *
 * Tiles in pinned memory of the library's pool; content undefined. */
TW_API int tw_matrix_create(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb,
                            const tw_distribution *dist);
/* The same with tiles of mb rows and nb columns (0: as many as of the other). A triangle is stored in square tiles. */
TW_API int tw_matrix_create_tiles(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int mb,
                                  tw_int nb, const tw_distribution *dist);
/* Pivots of A, for tw_getrf: min(m, n) x 1 of type TW_INT32, in tiles of as many rows as A's tiles have columns. Such a
 * matrix may as well be made by tw_matrix_wrap over an array of int32_t, with that tile size. */
TW_API int tw_pivots_create(tw_matrix **ipiv, const tw_matrix *A);
/* The factors of A's reflectors, for tw_geqrf and tw_gelqf: min(m, n) x 1 of A's type, in tiles of as many rows as A's
 * tiles have columns. Such a matrix may as well be made by tw_matrix_wrap_tiles over an array, with that tile size. */
TW_API int tw_tau_create(tw_matrix **tau, const tw_matrix *A);
/* The first one, with the content of a column-major array (only the uplo triangle of it is read). */
TW_API int tw_matrix_from_lapack(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                                 tw_int lda, tw_int nb);
/* A column-major array of the user, in place; with GPUs, large pageable arrays are copied to the GPUs and back instead,
 * without a second copy in main memory (docs/memory.md). While the matrix lives the array belongs to the library: its
 * content is defined again after tw_release_to_host() or tw_matrix_destroy(). The other triangle is never written.
 * Blocks of one array may be operands of one call: where one that is written has elements of another one it is an
 * illegal argument, as the same matrix would be.
 * tw_matrix_destroy() returns TW_E_DEVICE if results could not be brought home. */
TW_API int tw_matrix_wrap(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a, tw_int lda,
                          tw_int nb);
/* The same with tiles of mb rows and nb columns. */
TW_API int tw_matrix_wrap_tiles(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a,
                                tw_int lda, tw_int mb, tw_int nb);
/* In place, in square tiles, for an array in the memory of CUDA device `device` (CUDA's numbering). Its content must
 * have arrived: tasks run in streams that wait for no other, and cudaMemcpy of a small pageable array may return before
 * that (cudaDeviceSynchronize). */
TW_API int tw_matrix_wrap_device(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a,
                                 tw_int lda, tw_int nb, int device);
/* The same with tiles of mb rows and nb columns. */
TW_API int tw_matrix_wrap_device_tiles(tw_matrix **A, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, void *a,
                                       tw_int lda, tw_int mb, tw_int nb, int device);
/* An m x n band matrix with kl diagonals below the main one and ku above it, in the pool: only the tiles that hold one
 * of them exist. For matrices of which one triangle counts (LAPACK's pb) give 0 for the other side. Content undefined.
 * It is filled from LAPACK's band array, in which A(i, j), 0-based, is ab[ku + i - j + j * ldab]: what its tiles hold
 * beside the band becomes 0. Routines say so if they take band matrices. */
TW_API int tw_matrix_create_band(tw_matrix **A, enum tw_type type, tw_int m, tw_int n, tw_int kl, tw_int ku, tw_int nb);
TW_API int tw_matrix_set_band(tw_matrix *A, const void *ab, tw_int ldab);
/* Only elements of the band are written. Waits for the tasks that write A. */
TW_API int tw_matrix_to_band(tw_matrix *A, void *ab, tw_int ldab);
/* Waits for the tasks that use it. NULL is allowed. */
TW_API int tw_matrix_destroy(tw_matrix *A);

/* Copy into a column-major array (only the uplo triangle is written). Waits for the tasks that write A. */
TW_API int tw_matrix_to_lapack(tw_matrix *A, void *a, tw_int lda);
/* Fill from a column-major array. */
TW_API int tw_matrix_set_lapack(tw_matrix *A, const void *a, tw_int lda);

/* -1 for NULL. */
TW_API enum tw_type tw_matrix_type(const tw_matrix *A);
TW_API enum tw_uplo tw_matrix_uplo(const tw_matrix *A);
TW_API tw_int tw_matrix_rows(const tw_matrix *A);
TW_API tw_int tw_matrix_cols(const tw_matrix *A);
/* Rows and columns of a tile. */
TW_API tw_int tw_matrix_mb(const tw_matrix *A);
TW_API tw_int tw_matrix_nb(const tw_matrix *A);

/* Start copying A to a GPU (0, 1, …, StarPU's numbering of those in use), or to main memory (-1). Returns at once. */
TW_API int tw_prefetch(tw_matrix *A, int gpu);
/* Wait for the tasks that write A and make main memory hold the valid copy. */
TW_API int tw_release_to_host(tw_matrix *A);

/* Bytes that an m x n matrix needs in host memory (pool tiles), and the most that one GPU holds when it all fits. nb 0:
 * starts the library, which chooses it. */
TW_API int tw_matrix_memory(enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb, size_t *host_bytes,
                            size_t *device_bytes);
/* Bytes the library may still plan with on the host, and where the limit comes from ("cgroup", "memory", "rlimit",
 * "TILEWORK_HOST_MEMORY", "option"). */
TW_API size_t tw_host_memory_limit(const char **source);

/* ---- generators ---------------------------------------------------------------------------------------------
 * An entry depends only on (i, j, seed) and the kind: neither on the tile size nor on who computes it. */
typedef struct tw_generator tw_generator;

/* A generator from a description "name" or "name:parameter[,parameter…]"; `tilework help kinds` lists them:
 *   random      entries uniform in (-1, 1) (real and imaginary part)
 *   spd         random symmetric/hermitian with n added on the diagonal: well-conditioned, positive definite
 *   symmetric   random symmetric/hermitian, indefinite
 *   spectrum:C[,geo|arith|cluster0|cluster1]   positive definite with known spectrum from 1 to 1/C (default 1e12, geo),
 *               a product of Householder reflections given by the seed
 *   hilbert, minij, lehmer, kms:rho, laplacian (1-D second difference), identity, zero
 *   gp:FILE.csv[,length,noise]   covariance exp(-|x_i - x_j|^2 / (2 length^2)) + noise^2 [i = j] of the scaled numeric
 *                                columns
 *   minor:K     the SPD matrix of `spd` whose leading minor of order K fails (for tests of info)
 *   nan:I,J     `spd` with a NaN at (I, J) and (J, I) (1-based)
 * General matrices, of any shape unless they say so, k = min(m, n):
 *   svd:C[,mode]  singular values as in LAPACK's latms: 1: 1, the others 1/C; 2: all 1, the last one 1/C; 3:
 *                 C^(-i/(k-1)), i = 0 … k-1; 4: evenly spaced;
 *               5: from 1/C to 1, logarithms uniform; 6: uniform in (0, 1). Default 1e10 (1e4 in single precision), 3.
 *               Right to some eps times the largest
 *   orthogonal  orthonormal columns (rows if m < n), no element much larger than 1/sqrt(max(m, n)): Hartley's or
 *               Fourier's matrix permuted
 *   lowrank:R   X Y^H of rank R <= k: no element was rounded, so that the rank is exact (R <= 2^17)
 *   graded:G    `random` of the same seed, row i and column j times powers of two that fall from 1 to 1/sqrt(G)
 *               (default 1e12)
 *   dominant    random, a diagonal twice as large as all others of its row or column: partial pivoting exchanges
 *               nothing
 *   zerocol:J   `random` with column J zero: getrf's info is J (J <= k)
 *   kahan:theta sin(theta)^i times (1 on the diagonal, -cos(theta) right of it), and some eps more on the diagonal
 *   (default 1.2): QR with column
 *               pivoting exchanges nothing, and |r_kk| is far above the smallest singular value
 *   wilkinson   square: 1 on the diagonal and in the last column, -1 below: the last element of U is 2^(n-1)
 *   foster      square: a quadrature's matrix whose last element of U grows as (21/11)^n
 *   chebyshev   A(i, j) = T_(j-1)(x_i), x_i the zeros of T_m: orthogonal columns, singular values sqrt(m) and sqrt(m/2)
 *               (n <= m)
 *   dyadic      P^T L U, elements small multiples of 1/8: every step of LU with partial pivoting is exact in every
 *               type, in any order; most columns have several candidates for the pivot, a third of the rows are
 *               exchanged
 * m x n is the order of the matrix that it will fill. Errors: TW_E_OPTION, TW_E_IO, TW_E_FORMAT, TW_E_MEMORY. */
TW_API int tw_generator_create(tw_generator **g, const char *kind, enum tw_type type, tw_int m, tw_int n,
                               uint64_t seed);
TW_API void tw_generator_destroy(tw_generator *g);
/* Write the block of rows i0…i0+m-1 and columns j0…j0+n-1 (0-based) into a column-major array. Thread-safe. */
TW_API int tw_generator_block(const tw_generator *g, tw_int i0, tw_int j0, tw_int m, tw_int n, void *a, tw_int lda);
/* 1 if the matrix is symmetric/hermitian positive definite by construction. */
TW_API int tw_generator_is_spd(const tw_generator *g);
/* The element type that it was made for. */
TW_API enum tw_type tw_generator_type(const tw_generator *g);
/* The k-th generator's name and one line about it, k = 0, 1, …; NULL past the last. */
TW_API const char *tw_generator_name(int k, const char **text);
/* Fill A; the tiles are generated by tasks. */
TW_API int tw_matrix_generate(tw_matrix *A, const tw_generator *g);

/* ---- files --------------------------------------------------------------------------------------------------
 * Matrix Market (array and coordinate; real, integer, complex, pattern; general, symmetric, skew-symmetric, hermitian),
 * NumPy's .npy (either order, one or two dimensions) and raw binary: read by content, written by name (".mtx", ".npy"
 * or anything else). The name "-" is standard output, in Matrix Market's format; "-.npy" and so on are standard output
 * in another. Errors: TW_E_IO, TW_E_FORMAT (with file and line in the last message), TW_E_MEMORY. Files are written
 * under a temporary name in the same directory, flushed and renamed. */
typedef struct tw_file_info {
    tw_int m, n, nnz;  /* nnz: entries stated in the file */
    enum tw_type type; /* the narrowest double type that holds it: TW_DOUBLE or TW_COMPLEX_DOUBLE */
    enum tw_uplo uplo; /* TW_GENERAL, or TW_LOWER for symmetric and hermitian files */
    int symmetric, hermitian, skew, coordinate;
    int vector; /* an array of one dimension, which is read as a column: n is 1 */
} tw_file_info;
TW_API int tw_file_inspect(const char *path, tw_file_info *info);
/* Read a whole file into a column-major array a (m x n, lda) of the given type; symmetric content is expanded to both
 * triangles. A complex file into a real type is TW_E_FORMAT. */
TW_API int tw_file_read(const char *path, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda);
/* Write; uplo TW_LOWER or TW_UPPER writes a "symmetric"/"hermitian" Matrix Market file from that triangle, or a raw
 * file with zeros in the other one, or all of the symmetric (hermitian) matrix as .npy. */
TW_API int tw_file_write(const char *path, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                         tw_int lda);
/* Write n elements: a .npy file of one dimension, an n x 1 matrix in the other formats. */
TW_API int tw_file_write_vector(const char *path, enum tw_type type, tw_int n, const void *x);
TW_API int tw_matrix_load(tw_matrix **A, const char *path, enum tw_type type, enum tw_uplo uplo, tw_int nb);
TW_API int tw_matrix_save(tw_matrix *A, const char *path);

/* ---- tables (CSV) -------------------------------------------------------------------------------------------
 * Numeric table with a header line. Text columns become NaN columns marked `numeric = 0`; empty fields are NaN. */
typedef struct tw_table {
    tw_int rows, cols;
    char **names; /* cols names */
    int *numeric; /* per column */
    double *data; /* column-major rows x cols; NaN where missing */
} tw_table;
TW_API int tw_table_read(const char *path, tw_table *t);
TW_API void tw_table_free(tw_table *t);

#ifdef __cplusplus
}
#endif
#endif
