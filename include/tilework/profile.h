/* The machine profile: what Tilework measured of this machine, from which it predicts how long tasks take and chooses
 * tile orders. Probed in at most 3 s at the first start on a machine, then read from the cache directory. */
#ifndef TILEWORK_PROFILE_H
#define TILEWORK_PROFILE_H

#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One number of the profile. Strings live until tw_finalize(). */
typedef struct tw_profile_entry {
    /* "cpu" (one core), "cuda" (one whole GPU, the first in use), "cuda 1" (CUDA's GPU 1), "link" */
    const char *device;
    /* a kernel ("gemm", "syrk", "trsm", "trmm", "potrf", "tri": inverse of a triangle, "memory": a copy), "launch"
     * (what a task or a GPU kernel costs beside computing), or a link's name ("to_gpu", "from_gpu", "both_ways",
     * "gpu_to_gpu", "host_memcpy"); of each of several GPUs "products" and "memory", what it reaches of the first one's
     * rates; or, last, a performance model ("tw_dgemm"), with the share of a kernel's rate that its tasks were seen to
     * reach: order is the least of its class */
    const char *what;
    char type;          /* 's', 'd', 'c', 'z'; 0 where none */
    int order, streams; /* of the kernel; kernels side by side on the GPU, their rates added up; 0 where none */
    double value;
    const char *unit; /* "Gflop/s", "GB/s", "us"; "of gemm", … */
} tw_profile_entry;
/* Fill up to max entries (NULL with 0: none); returns how many there are, or an error < 0. Starts the library if need
 * be. */
TW_API int tw_profile_entries(tw_profile_entry *entries, int max);

#define TW_PROFILE_KEYS 16
/* Where the profile comes from. Strings belong to the library and live until tw_finalize() or the next
 * tw_calibrate(). */
typedef struct tw_profile_facts {
    const char *path; /* its file; "": there is no place to keep it */
    int kept;         /* the file is there and was read or written */
    double seconds;   /* that measuring took */
    double age;       /* seconds since it was measured */
    int nkeys;        /* what it holds for: with another value of any of these a profile is measured anew */
    const char *key[TW_PROFILE_KEYS], *value[TW_PROFILE_KEYS];
} tw_profile_facts;
/* Returns 0 or an error. Starts the library if need be. */
TW_API int tw_profile_facts_get(tw_profile_facts *facts);

/* Measure the profile again, every number as often as fits into about so many seconds (1 to 600), use it from now on
 * and replace the file. Nothing else should run meanwhile. Returns 0; TW_E_STATE while routines run; TW_E_IO when it
 * could not be kept (it is used all the same); -1 for illegal seconds; or why the library does not start. */
TW_API int tw_calibrate(double seconds);

#ifdef __cplusplus
}
#endif
#endif
