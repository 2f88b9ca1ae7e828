/* Memory of matrix tiles on GPUs, cut from large pieces (tile_memory.c). */
#ifndef TW_RUNTIME_DATA_TILE_MEMORY_H
#define TW_RUNTIME_DATA_TILE_MEMORY_H
#include <starpu.h>

/* When StarPU runs: how large pieces are on each of its memory nodes. */
void tw_tile_memory_choose(void);
/* As starpu_matrix_data_register_allocsize. */
void tw_tile_register(starpu_data_handle_t *handle, int home, uintptr_t at, uint32_t ld, uint32_t m, uint32_t n,
                      size_t elemsize, size_t bytes);
/* What the pieces of a memory node hold now, and how many there have been since the library was loaded. */
struct tw_tile_memory {
    size_t held, taken; /* bytes of pieces, of tiles in them */
    size_t pieces, tiles, got;
};
void tw_tile_memory(unsigned node, struct tw_tile_memory *m);
#endif
