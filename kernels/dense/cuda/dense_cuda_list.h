/* The list of CUDA kernels, one line each: TW_KERNEL(name, parameters after the queue...), defined by the file that
 * includes this one; see kernels/dense/cpu/dense_cpu_list.h, whose comments hold here, too. No include guard: it is
 * read several times. */

/* work: `bytes` of potrf_work; devinfo: one int. Then *info (int64_t on the device) becomes offset + k if the leading
 * minor of order k fails (or its pivot is NaN) and *info was 0 or larger. */
TW_KERNEL(potrf, char uplo, int n, void *a, int lda, void *work, size_t bytes, int64_t *info, int64_t offset)
TW_KERNEL(potrf_work, char uplo, int n, size_t *bytes) /* devinfo included */
/* The same, and the inverse that a panel's solves are made with, n x n. */
TW_KERNEL(potrf_inverse, char uplo, int n, void *a, int lda, void *inv, int ldi, void *work, size_t bytes,
          int64_t *info, int64_t offset)
TW_KERNEL(potrf_inverse_work, char uplo, int n, size_t *bytes)
/* B = B L^-H (uplo 'L') or U^-H B ('U'), a: the factor, inv: what potrf_inverse made of it. work: m * n elements. */
TW_KERNEL(trsm_inverse, char uplo, int m, int n, const void *a, int lda, const void *inv, int ldi, void *b, int ldb,
          void *work)

TW_KERNEL(gemm, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
          tw_scalar beta, void *c, int ldc)
/* The same of single precision by products of TF32, with up to three times the errors; what meets an infinity becomes a
 * NaN. Of other types it is gemm. work: tw_gemm_split_elements(m, n, k), aligned to 16 bytes. */
TW_KERNEL(gemm_split, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, tw_scalar beta, void *c, int ldc, void *work)
/* gemm of operands rounded to half precision, with sums in single precision: of single precision, double's is gemm.
 * work: tw_gemm_half_elements of both operands as they are stored, aligned to 16 bytes. */
TW_KERNEL(gemm_half, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b,
          int ldb, tw_scalar beta, void *c, int ldc, void *work)
TW_KERNEL(syrk, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, tw_scalar beta, void *c,
          int ldc)
TW_KERNEL(herk, char uplo, char trans, int n, int k, double alpha, const void *a, int lda, double beta, void *c,
          int ldc)
TW_KERNEL(trsm, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda,
          void *b, int ldb)
TW_KERNEL(trmm_to, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda,
          const void *b, int ldb, void *c, int ldc) /* several times as fast as in place */
TW_KERNEL(symm, char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
          tw_scalar beta, void *c, int ldc)
TW_KERNEL(hemm, char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
          tw_scalar beta, void *c, int ldc)
TW_KERNEL(syr2k, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
          tw_scalar beta, void *c, int ldc)
TW_KERNEL(her2k, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
          double beta, void *c, int ldc)
TW_KERNEL(geadd, char trans, int m, int n, tw_scalar alpha, const void *a, int lda, tw_scalar beta, void *b, int ldb)
TW_KERNEL(transpose, char trans, int m, int n, const void *a, int lda, void *b, int ldb)

/* work: n * n elements (trtri), 2 * n * n elements (lauum, sygst). */
TW_KERNEL(trtri, char uplo, char diag, int n, void *a, int lda, void *work)
TW_KERNEL(lauum, char uplo, int n, void *a, int lda, void *work)
TW_KERNEL(sygst, int itype, char uplo, int n, void *a, int lda, const void *b, int ldb, void *work)
/* *info = offset + k of the first exactly zero diagonal element, if *info was 0 or larger. */
TW_KERNEL(trdiag, int n, const void *a, int lda, int64_t *info, int64_t offset)
TW_KERNEL(lacpy, char uplo, int m, int n, const void *a, int lda, void *b, int ldb)
/* lacpy, all of it, if *info is 0; else B stays. */
TW_KERNEL(lacpy_if, const int64_t *info, int m, int n, const void *a, int lda, void *b, int ldb)
/* *lost becomes 1 where the CPU's kernel returns 1; else it stays. */
TW_KERNEL(lag2, char uplo, int m, int n, const void *a, int lda, void *b, int ldb, double *lost)
TW_KERNEL(laset, char uplo, int m, int n, tw_scalar offdiag, tw_scalar diag, void *a, int lda)
TW_KERNEL(lascl_columns, int m, int n, const void *a, int lda, const void *x, void *b, int ldb)
TW_KERNEL(lascl, char uplo, int m, int n, double from, double to, void *a, int lda)

TW_KERNEL(normmax, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, double *value)
TW_KERNEL(normsum, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, double *rows,
          double *cols)
TW_KERNEL(normfro, enum tw_structure s, char uplo, char diag, int m, int n, const void *a, int lda, int weight,
          double acc[2])
TW_KERNEL(colmax, int m, int n, const void *a, int lda, double *cols)
TW_KERNEL(colfro, int m, int n, const void *a, int lda, double *acc)

/* ---- LU. ipiv: int32_t on the device, counted from 1, relative to the first row of the block. ---- */

/* work: `bytes` of getrf_work(m, n). *info becomes offset + k of the first exactly zero U(k,k), if *info was 0 or
 * larger. Pivots by LAPACK's rules, as the CPU's, up to some 135,000 rows on 132 multiprocessors; above, and where
 * blocks cannot be launched together, cuSOLVER's: which of equal candidates becomes the pivot, and what a NaN does, is
 * its choice then. */
TW_KERNEL(getrf, int m, int n, void *a, int lda, int32_t *ipiv, void *work, size_t bytes, int64_t *info, int64_t offset)
TW_KERNEL(getrf_work, int m, int n, size_t *bytes)
/* No workspace. *info as getrf's. */
TW_KERNEL(getrf_nopiv, int m, int n, void *a, int lda, int64_t *info, int64_t offset)
TW_KERNEL(laswp, char direct, int m, int n, void *a, int lda, int k, const int32_t *ipiv)
/* list: memory on the device for a->count of its elements, which tile_list puts there; a->at itself is on the host. */
TW_KERNEL(tile_list, const struct tw_tiles *a, struct tw_tile_at *list)
/* work: TW_LASWP_BYTES(a->count) on the device. */
TW_KERNEL(laswp_tiles, char direct, const struct tw_tiles *a, void *work, int first, int base, int k,
          const int32_t *ipiv)
/* Column first + j of a row of tiles (a->mb columns each, a->n rows, a->m columns in all) changes places with column
 * first + swap[j], j < k, one after another. */
TW_KERNEL(swap_columns, const struct tw_tiles *a, const struct tw_tile_at *list, int first, int k, const int32_t *swap)
/* The CPUs' fix_columns, where the block `begins` with them, and laqps, for a block of k columns from the matrix'
 * column `column` on; it has `columns`. All but `a` on the device: fixed: how many of the matrix' columns stay in
 * front; f: a->n x k; work: tw_laqps_cuda_work bytes; where `stop` (NULL: none) says that it ended, *info may get the
 * column of a NaN, or of an infinity, that one behind all columns. */
TW_KERNEL(laqps, const struct tw_tile_grid *a, int k, int begins, int64_t column, int64_t *fixed, int32_t *jpvt,
          int32_t *swap, void *tau, void *f, double *norm, double *summed, void *work, int64_t columns,
          struct tw_pivot_stop *stop, int64_t *info)
/* ipiv[i] += by, i < k. */
TW_KERNEL(shift_pivots, int k, int by, int32_t *ipiv)

/* ---- QR and LQ. tau and T on the device; T with zeros below the diagonal is needed here. ---- */

/* work: `bytes` of geqrf_work(m, n), gelqf_work(m, n). */
TW_KERNEL(geqrf, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work, size_t bytes)
TW_KERNEL(geqrf_work, int m, int n, size_t *bytes)
TW_KERNEL(gelqf, int m, int n, void *a, int lda, void *tau, void *t, int ldt, void *work, size_t bytes)
TW_KERNEL(gelqf_work, int m, int n, size_t *bytes)
TW_KERNEL(larft, char storev, int p, int k, const void *v, int ldv, const void *tau, void *t, int ldt,
          void *work) /* work: k k elements */
TW_KERNEL(larft_finish, int k, const void *tau, void *t, int ldt, void *work)
/* work: k (k + 2 n) elements (side 'L') or k (k + 2 m) ('R'). */
TW_KERNEL(larfb, char side, char trans, char storev, int m, int n, int k, const void *v, int ldv, const void *t,
          int ldt, void *c, int ldc, void *work)
/* work: k (k + 2 n) elements (orgqr), k (k + 2 m) (orglq). */
TW_KERNEL(orgqr, int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *to, int ldq, void *work)
TW_KERNEL(orglq, int m, int n, int k, const void *v, int ldv, const void *t, int ldt, void *to, int ldq, void *work)

/* work: `bytes` of tpqrt_work(m, n, nb). tpmqrt's: nb (m + 2 n) elements (side 'L'), nb (n + 2 m) ('R'). */
TW_KERNEL(tpqrt, int m, int n, int l, int nb, void *a, int lda, void *b, int ldb, void *t, int ldt, void *work,
          size_t bytes)
TW_KERNEL(tpqrt_work, int m, int n, int nb, size_t *bytes)
TW_KERNEL(tpmqrt, char side, char trans, int m, int n, int k, int l, int nb, const void *v, int ldv, const void *t,
          int ldt, void *a, int lda, void *b, int ldb, void *work)
