/* Tilework inside programs that use StarPU themselves: the one public header that includes StarPU's.
 *
 * If StarPU already runs when Tilework starts, it is used and left running. A user's own tasks join the graph through
 * the handles of tiles: StarPU's sequential consistency orders them with Tilework's.
 *
 * Tilework makes cuBLAS and cuSOLVER handles of its own and not StarPU's: a program whose tasks use
 * starpu_cublas_get_local_handle() or starpu_cusolverDn_get_local_handle() calls starpu_cublas_init() or
 * starpu_cusolver_init() itself. */
#ifndef TILEWORK_STARPU_H
#define TILEWORK_STARPU_H

#include <starpu.h>
#include <tilework/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handle of tile (i, j), 0-based, a StarPU matrix interface; NULL if the tile does not exist. Valid while A
 * lives. */
TW_API starpu_data_handle_t tw_tile_handle(tw_matrix *A, tw_int i, tw_int j);
/* Keep StarPU's workers awake between these two (Tilework pauses them between its calls); nestable. */
TW_API int tw_workers_hold(void);
TW_API int tw_workers_release(void);

#ifdef __cplusplus
}
#endif
#endif
