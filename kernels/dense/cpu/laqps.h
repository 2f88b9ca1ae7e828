/* dense_cpu_list.h's laqps by several threads, one function per precision: the same bits whichever come. */
#ifndef TW_KERNELS_DENSE_CPU_LAQPS_H
#define TW_KERNELS_DENSE_CPU_LAQPS_H
#include "kernels/dense/cpu/dense_cpu.h"
#include "runtime/base/parts.h"

/* team: its helpers, or NULL. */
typedef void (*tw_laqps_fn)(struct tw_team *team, const struct tw_tile_grid *a, int k, int fixed, int32_t *jpvt,
                            int32_t *swap, void *tau, void *f, int ldf, double *norm, double *summed, void *work,
                            int64_t at, struct tw_pivot_stop *stop);
extern const tw_laqps_fn tw_laqps_team[TW_NTYPES];
/* Parts of a step of a matrix of so many columns. */
int tw_laqps_parts(int columns);
#endif
