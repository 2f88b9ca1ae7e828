/* What the tests share. Checkers are independent of the library: checks/, own loops in double or long double, or CBLAS
 * and LAPACKE on double complex copies; never a kernel of Tilework's.
 *
 * Residuals are in units of n·eps·norm: a value of 30 or more fails, 3 or more warns, and exactly 0 on random input
 * of order 64 or more fails too (nothing was computed, or it was compared with itself). */
#ifndef TT_H
#define TT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tilework/tilework.h>

/* ---- types and elements (values.c) -------------------------------------------------------------------------- */

typedef double _Complex tt_z;

/* All types. ThreadSanitizer's builds take a real and a complex one: which task touches what depends neither on the
 * precision nor on the tolerance, of which they take the first. */
#ifdef __SANITIZE_THREAD__
#define TT_TOLERANCES(count) 1
#define TT_TYPES(t)          for (enum tw_type t = TW_DOUBLE; (int)t <= TW_COMPLEX_FLOAT; t++)
#define TT_HAS(t)            ((t) == TW_DOUBLE || (t) == TW_COMPLEX_FLOAT) /* for loops that count types in another way */
#else
#define TT_TOLERANCES(count) (count)
#define TT_TYPES(t)          for (enum tw_type t = TW_FLOAT; (int)t < TW_NTYPES; t++)
#define TT_HAS(t)            1
#endif

extern const char tt_uplos[2]; /* 'L', 'U' */
char tt_letter(enum tw_type t);
int tt_complex(enum tw_type t);
int tt_single(enum tw_type t);
size_t tt_size(enum tw_type t);
double tt_eps(enum tw_type t); /* unit roundoff: 2^-24, 2^-53 */
tt_z tt_get(enum tw_type t, const void *a, size_t at);
void tt_put(enum tw_type t, void *a, size_t at, tt_z value);

/* ---- arrays (values.c) -----------------------------------------------------------------------------------------
 * Fresh memory is full of 0xff bytes, which are NaNs: who reads what it should not read spreads them, who writes
 * where it should not write is found by tt_touched(). */

void *tt_array(enum tw_type t, tw_int lda, tw_int n);
void *tt_copy(enum tw_type t, tw_int lda, tw_int n, const void *a);
/* Elements that are no longer 0xff: outside the uplo triangle ('G': none) and in the rows m…lda-1 of the n columns. */
size_t tt_touched(enum tw_type t, char uplo, tw_int m, tw_int n, const void *a, tw_int lda);

/* ---- matrices (values.c): an entry depends on (i, j, seed) only; just the uplo triangle is written ---------- */

double tt_uniform(uint64_t seed, tw_int i, tw_int j); /* (-1, 1) */
/* An m x n array of what the generator of that name makes. */
void *tt_generated(enum tw_type t, const char *kind, tw_int m, tw_int n, uint64_t seed);
void tt_random(enum tw_type t, char uplo, tw_int m, tw_int n, void *a, tw_int lda, uint64_t seed);
/* layout.c: where element (i, j) lies in one of LAPACKE's two layouts; such an array, malloc'ed, whose elements are
 * tt_random's in both. */
size_t tt_layout_at(int layout, int i, int j, int ld);
void *tt_layout_random(enum tw_type t, int layout, int m, int n, int ld, uint64_t seed);
/* Hermitian, n added on the diagonal: well-conditioned and positive definite. */
void tt_spd(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda, uint64_t seed);
/* The same, but the leading minor of order k (1-based) is the first one that is not positive. */
void tt_spd_failing(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda, uint64_t seed, tw_int k);
/* Triangular and well-conditioned, with a diagonal away from 0; diag 'U' leaves NaN on it: it must not be read. */
void tt_triangle(enum tw_type t, char uplo, char diag, tw_int n, void *a, tw_int lda, uint64_t seed);

/* ---- full double complex copies (full.c) -------------------------------------------------------------------- */

enum tt_structure { TT_GENERAL, TT_SYMMETRIC, TT_HERMITIAN, TT_TRIANGULAR };
/* m x n, leading dimension max(1, m). */
tt_z *tt_full(enum tt_structure s, enum tw_type t, char uplo, char diag, tw_int m, tw_int n, const void *a, tw_int lda);
/* op(x) of a full m x n one: n x m unless trans is 'N'; frees x. */
tt_z *tt_op(char trans, tw_int m, tw_int n, tt_z *x);
/* C = alpha A B + beta C on full ones. */
void tt_multiply(tw_int m, tw_int n, tw_int k, tt_z alpha, const tt_z *a, const tt_z *b, tt_z beta, tt_z *c);
/* 'M', 'O', 'I', 'F' in long double; NaN if an element is NaN. */
double tt_norm(char norm, tw_int m, tw_int n, const tt_z *x);

/* ---- residuals (residuals.c), scaled; infinite if NaN turns up ---------------------------------------------- */

/* |A - L L^H| / (n eps |A|) */
double tt_potrf_residual(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, const void *f, tw_int ldf);
/* |B - A X| / (n eps (|A| |X| + |B|)), A Hermitian */
double tt_solve_residual(enum tw_type t, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, const void *b,
                         tw_int ldb, const void *x, tw_int ldx);
/* |I - A inv| / (n eps |A| |inv|), both Hermitian */
double tt_inverse_residual(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, const void *inv, tw_int ldi);
/* |I - T inv| / (n eps |T| |inv|), both triangular */
double tt_trtri_residual(enum tw_type t, char uplo, char diag, tw_int n, const void *a, tw_int lda, const void *inv,
                         tw_int ldi);
/* |P - L^H L| or |P - U U^H| / (n eps |L|^2) */
double tt_lauum_residual(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, const void *p, tw_int ldp);
/* |C - (alpha A B + beta C0)| / (k eps (|alpha| |A| |B| + |beta| |C0|)) over the uplo part of C; A (m x k), B (k x
 * n) and C0 (m x n) are full ones. */
double tt_product_residual(enum tw_type t, char uplo, tw_int m, tw_int n, tw_int k, tt_z alpha, const tt_z *a,
                           const tt_z *b, tt_z beta, const tt_z *c0, const void *c, tw_int ldc);
/* |W - P Q| / (k eps |P| |Q|), full ones: W is m x n, P m x k */
double tt_equation_residual(enum tw_type t, tw_int m, tw_int n, tw_int k, const tt_z *p, const tt_z *q, const tt_z *w);
/* |A - R| / (max(m, n) eps |R|) in the Frobenius norm over the uplo part, diag 'U': without the diagonal. */
double tt_difference(enum tw_type t, char uplo, char diag, tw_int m, tw_int n, const void *a, tw_int lda, const void *r,
                     tw_int ldr);

/* ---- LU (lu.c) ------------------------------------------------------------------------------------------------ */

/* |P A - L U| / (max(m, n) eps |A|); infinite if a pivot is none. */
double tt_lu_residual(enum tw_type t, tw_int m, tw_int n, const void *a, tw_int lda, const void *f, tw_int ldf,
                      const tw_int *ipiv);
/* |I - A inv| / (n eps |A| |inv|) */
double tt_general_inverse_residual(enum tw_type t, tw_int n, const void *a, tw_int lda, const void *inv, tw_int ldi);
/* The largest |b - op(A) x| / (n eps (|A| |x| + |b|)) of all columns, A a triangle; general below */
double tt_triangle_solve_residual(enum tw_type t, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                                  const void *a, tw_int lda, const void *b, tw_int ldb, const void *x, tw_int ldx);
double tt_general_solve_residual(enum tw_type t, char trans, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                                 const void *b, tw_int ldb, const void *x, tw_int ldx);
/* A = P L U with entries in units of 1/4, exact in every type for orders to some thousands, as are all steps of its
 * factorization by LAPACK's rules; most columns are full of ties, complex ones between |re| + |im| of different shapes.
 * ipiv (min(m, n)) gets the pivots that those rules choose. U is zero at `zeros` places of its diagonal (1-based). */
void tt_dyadic(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda, uint64_t seed, const tw_int *zero, int zeros,
               tw_int *ipiv);
int tt_lapack_getrf(enum tw_type t, int m, int n, void *a, int lda, int *ipiv);
int tt_lapack_getrs(enum tw_type t, char trans, int n, int nrhs, const void *a, int lda, const int *ipiv, void *b,
                    int ldb);
int tt_lapack_gesv(enum tw_type t, int n, int nrhs, void *a, int lda, int *ipiv, void *b, int ldb);
tw_int tt_door_getrf(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda, tw_int *ipiv);
tw_int tt_door_getrs(enum tw_type t, char trans, tw_int n, tw_int nrhs, const void *a, tw_int lda, const tw_int *ipiv,
                     void *b, tw_int ldb);
tw_int tt_door_gesv(enum tw_type t, tw_int n, tw_int nrhs, void *a, tw_int lda, tw_int *ipiv, void *b, tw_int ldb);

/* ---- QR, LQ, least squares (qr.c): storev 'C' is QR, 'R' LQ ------------------------------------------------------ */

/* Q (order x order, full) of k reflectors, one by one. */
tt_z *tt_q(enum tw_type t, char storev, tw_int order, tw_int k, const void *f, tw_int ldf, const void *tau);
/* |I - Q^H Q| / (m eps) of a full m x n Q; |I - Q Q^H| / (n eps) if m < n. */
double tt_orthogonality(enum tw_type t, tw_int m, tw_int n, const tt_z *q);
/* |A - Q R| / (max(m, n) eps |A|) or |A - L Q|, or Q's orthogonality, whichever is larger. */
double tt_qr_residual(enum tw_type t, char storev, tw_int m, tw_int n, const void *a, tw_int lda, const void *f,
                      tw_int ldf, const void *tau);
/* The same of A P = Q R: column j of A P is column jpvt[j] of A, from 1; infinite if jpvt is no permutation. */
double tt_geqp3_residual(enum tw_type t, tw_int m, tw_int n, const void *a, tw_int lda, const void *f, tw_int ldf,
                         const tw_int *jpvt, const void *tau);
/* The 1-norm condition of R's (L's) leading triangle. */
double tt_qr_condition(enum tw_type t, char storev, tw_int m, tw_int n, const void *f, tw_int ldf);
/* The worst of all columns: |op(A)^H (b - op(A) x)| / (max(m, n) eps |A| (|A| |x| + |b|)) if op(A) has as many rows as
 * columns or more, else |b - op(A) x| / (max(m, n) eps (|A| |x| + |b|)) and x's distance from op(A)^H's range / (max(m,
 * n) eps |x|). */
double tt_gels_residual(enum tw_type t, char trans, tw_int m, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                        const void *b, tw_int ldb, const void *x, tw_int ldx);
int tt_lapack_geqrf(enum tw_type t, int m, int n, void *a, int lda, void *tau);
int tt_lapack_gelqf(enum tw_type t, int m, int n, void *a, int lda, void *tau);
tw_int tt_door_geqrf(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda, void *tau);
tw_int tt_door_gelqf(enum tw_type t, tw_int m, tw_int n, void *a, tw_int lda, void *tau);
tw_int tt_door_unmqr(enum tw_type t, char side, char trans, tw_int m, tw_int n, tw_int k, const void *a, tw_int lda,
                     const void *tau, void *c, tw_int ldc);
tw_int tt_door_unmlq(enum tw_type t, char side, char trans, tw_int m, tw_int n, tw_int k, const void *a, tw_int lda,
                     const void *tau, void *c, tw_int ldc);
tw_int tt_door_ungqr(enum tw_type t, tw_int m, tw_int n, tw_int k, void *a, tw_int lda, const void *tau);
tw_int tt_door_unglq(enum tw_type t, tw_int m, tw_int n, tw_int k, void *a, tw_int lda, const void *tau);
tw_int tt_door_gels(enum tw_type t, char trans, tw_int m, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b,
                    tw_int ldb);

/* ---- verdicts (verdict.c) ----------------------------------------------------------------------------------- */

enum tt_verdict { TT_PASS, TT_WARN, TT_FAIL };
/* `order` decides whether 0 is suspicious; 0 as order: 0 is fine. */
enum tt_verdict tt_judge(double residual, tw_int order);
/* Note it under `name` for the summary; fail the cmocka test if it fails. `format…` says which case it was. */
void tt_expect(const char *name, enum tw_type t, double residual, tw_int order, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The same from threads other than cmocka's: 1 if it failed, with the reason on stderr. */
int tt_note(const char *name, enum tw_type t, double residual, tw_int order);
/* Print the worst residual of every name. */
void tt_summary(void);
/* info (a tw_int or an int) as expected, with the last message shown if not. */
#define tt_expect_info(got, want, ...) tt_check_info((tw_int)(got), (tw_int)(want), __FILE__, __LINE__, __VA_ARGS__)
void tt_check_info(tw_int got, tw_int want, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- LAPACK by type (lapack.c): LAPACKE's work routines, column-major; info counted as LAPACK counts -------- */

int tt_lapack_potrf(enum tw_type t, char uplo, int n, void *a, int lda);
int tt_lapack_potrs(enum tw_type t, char uplo, int n, int nrhs, const void *a, int lda, void *b, int ldb);
int tt_lapack_posv(enum tw_type t, char uplo, int n, int nrhs, void *a, int lda, void *b, int ldb);
int tt_lapack_potri(enum tw_type t, char uplo, int n, void *a, int lda);
int tt_lapack_lauum(enum tw_type t, char uplo, int n, void *a, int lda);
int tt_lapack_trtri(enum tw_type t, char uplo, char diag, int n, void *a, int lda);
int tt_lapack_pocon(enum tw_type t, char uplo, int n, const void *a, int lda, double anorm, double *rcond);

/* ---- the LAPACK door by type (doors.c) ---------------------------------------------------------------------- */

tw_int tt_door_potrf(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda);
tw_int tt_door_potrs(enum tw_type t, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, void *b, tw_int ldb);
tw_int tt_door_posv(enum tw_type t, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b, tw_int ldb);
tw_int tt_door_potri(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda);
tw_int tt_door_lauum(enum tw_type t, char uplo, tw_int n, void *a, tw_int lda);
tw_int tt_door_trtri(enum tw_type t, char uplo, char diag, tw_int n, void *a, tw_int lda);
tw_int tt_door_pocon(enum tw_type t, char uplo, tw_int n, const void *a, tw_int lda, double anorm, double *rcond);

/* BLAS-3 with real scalars; the hermitian routines are the symmetric ones for real types. */
tw_int tt_door_gemm(enum tw_type t, char ta, char tb, tw_int m, tw_int n, tw_int k, double alpha, const void *a,
                    tw_int lda, const void *b, tw_int ldb, double beta, void *c, tw_int ldc);
tw_int tt_door_hemm(enum tw_type t, char side, char uplo, tw_int m, tw_int n, double alpha, const void *a, tw_int lda,
                    const void *b, tw_int ldb, double beta, void *c, tw_int ldc);
tw_int tt_door_herk(enum tw_type t, char uplo, char trans, tw_int n, tw_int k, double alpha, const void *a, tw_int lda,
                    double beta, void *c, tw_int ldc);
tw_int tt_door_her2k(enum tw_type t, char uplo, char trans, tw_int n, tw_int k, double alpha, const void *a, tw_int lda,
                     const void *b, tw_int ldb, double beta, void *c, tw_int ldc);
tw_int tt_door_trmm(enum tw_type t, char side, char uplo, char trans, char diag, tw_int m, tw_int n, double alpha,
                    const void *a, tw_int lda, void *b, tw_int ldb);
tw_int tt_door_trsm(enum tw_type t, char side, char uplo, char trans, char diag, tw_int m, tw_int n, double alpha,
                    const void *a, tw_int lda, void *b, tw_int ldb);

/* ---- where a tw_matrix lives (storage.c) -------------------------------------------------------------------- */

enum tt_storage { TT_FROM_LAPACK, TT_CREATED, TT_WRAPPED, TT_WRAPPED_DEVICE };
const char *tt_storage_name(enum tt_storage s);
int tt_storages(void); /* how many of them this machine has: the last needs a GPU */
struct tt_place {
    enum tt_storage storage;
    enum tw_type type;
    tw_matrix *A;
    void *host, *device;
    tw_int lda, n;
};
/* A tw_matrix with the content of a; tt_leave brings its content back to a and destroys it. They fail the test on
 * errors. */
tw_matrix *tt_enter(struct tt_place *p, enum tt_storage s, enum tw_type t, enum tw_uplo uplo, tw_int m, tw_int n,
                    void *a, tw_int lda, tw_int nb);
void tt_leave(struct tt_place *p);

/* ---- bounds (guard.c) --------------------------------------------------------------------------------------- */

/* Room for `bytes` with a forbidden page before and after; the array touches the one or the other. */
struct tt_guarded {
    char *base;
    size_t bytes, page;
    void *array;
};
struct tt_guarded tt_guard(size_t bytes, int at_end);
void tt_guard_drop(struct tt_guarded *g);
/* Of an m x n array whose last column ends with its last row: LAPACK may not look at the rest of the leading
 * dimension. */
size_t tt_bytes_of(enum tw_type t, int m, int n, int ld);

/* ---- processes of their own (child.c) ----------------------------------------------------------------------- */

#define TT_TIMED_OUT (-1000)
/* Run this program again with one argument and a changed environment ("NAME=value" sets, "NAME" unsets; NULL ends
 * the list; env may be NULL). What it prints on stdout and stderr goes to out. Returns its exit status, -signal, or
 * TT_TIMED_OUT. */
int tt_run_self(const char *argument, const char *const *env, int timeout_s, char *out, size_t size);
/* What it printed, from the first failure that it told of; its end, where it told of none. */
const char *tt_telling(const char *out);
double tt_seconds(void);     /* wall clock */
double tt_cpu_seconds(void); /* of this process, all threads */

/* From here on the locale writes 1,5 (commas.c); 0: there is none and localedef cannot make it. And the C locale. */
int tt_decimal_commas(void);
void tt_decimal_points(void);

/* Before and after a test that asks for the same bits twice (bits.c): reproducible mode where there are GPUs. */
int tt_same_bits(void **state);
int tt_any_bits(void **state);
#define tt_test_of_bits(test) cmocka_unit_test_setup_teardown(test, tt_same_bits, tt_any_bits)

/* Run a cmocka group and print the residuals. */
#define tt_run(tests) (tt_group_status = cmocka_run_group_tests(tests, NULL, NULL), tt_summary(), tt_group_status != 0)
extern int tt_group_status;

#endif
