/* Rectangles of host arrays as data objects. */
#include <stdlib.h>
#include <starpu.h>

#include "runtime/data/data.h"
#include "runtime/data/data_private.h"
#include "runtime/watch/watch.h"

struct tw_data *tw_data_rectangle(void *ptr, tw_int m, tw_int n, tw_int ld, size_t elemsize, int i, int j)
{
    struct tw_data *d;

    if (m > INT32_MAX || n > INT32_MAX || ld > INT32_MAX || !(d = malloc(sizeof *d))) return NULL;
    *d = (struct tw_data){.kind = &tw_kind_tile,
                          .m = (int)m,
                          .n = (int)n,
                          .count = 1,
                          .ld = (int)ld,
                          .elemsize = elemsize,
                          .coord = {i, j, -1, -1},
                          .host = ptr};
    return d;
}

void tw_data_forget(struct tw_data *d, int keep)
{
    starpu_data_handle_t h = d ? tw_data_used(d) : NULL;

    if (h) tw_edges_freed(h);
    if (h && keep) starpu_data_unregister(h);
    if (h && !keep) starpu_data_unregister_no_coherency(h);
    free(d);
}
