/* A kernel's status: which library said what, and in which call, in one int (0: all is well).
 *
 *   bits 28..29 library, 24..27 enum tw_type, 16..23 the call, 0..15 the library's own code */
#ifndef TW_KERNELS_STATUS_H
#define TW_KERNELS_STATUS_H

enum tw_cuda_library { TW_LIBRARY_CUDA = 1, TW_LIBRARY_BLAS = 2, TW_LIBRARY_SOLVER = 3 };

/* Calls that can fail, as their names go on after cublas<T> and cusolverDn<T>, or our own kernels. */
/* clang-format off */
#define TW_CUDA_CALLS(X)                                                                                              \
    X(SetPointerMode) X(gemm) X(syrk) X(herk) X(trsm) X(trmm) X(potrf_bufferSize) X(potrf) X(potrf_info) X(trdiag)    \
    X(lacpy) X(lag2) X(laset) X(normmax) X(normsum) X(normfro) X(direct) X(fmm) X(cutoff) X(inverse)                  \
    X(gemmStridedBatched) X(pairs) X(symm) X(hemm) X(syr2k) X(her2k) X(geadd) X(colmax) X(colfro) X(laswp)            \
    X(getrf_bufferSize) X(getrf) X(getrf_nopiv) X(geqrf_bufferSize) X(geqrf) X(larft) X(tpqrt) X(lascl) X(sterf)      \
    X(laed2) X(laed3) X(laed4) X(hb2st) X(dgmm) X(latrd) X(sytrd) X(lahr2) X(labrd) X(gmres) X(lag2_scaled)             \
    X(rsqrt_diagonal) X(rowmax) X(colmax_scaled) X(reciprocals) X(laqps)
/* clang-format on */
#define TW_CALL_ENUM(name) TW_CALL_##name,
enum tw_cuda_call { TW_CUDA_CALLS(TW_CALL_ENUM) TW_NCALLS };

static inline int tw_cuda_status(enum tw_cuda_library library, int type, enum tw_cuda_call call, int code)
{
    return code == 0 ? 0 : (int)library << 28 | type << 24 | (int)call << 16 | (code & 0xffff);
}
#endif
