/* Chunks of leaves and lists of ids, for both multipole methods. */
#include <stdlib.h>

#include "algorithms/nbody/chunks.h"

enum { CHUNK_POINTS = 2048 };

int tw_chunks_make(const struct tw_fmm_tree *t, struct tw_fmm_chunk **chunk, int **chunk_of, int *nchunks)
{
    *chunk = malloc((size_t)t->nleaves * sizeof **chunk);
    *chunk_of = malloc((size_t)t->nleaves * sizeof **chunk_of);
    if (!*chunk || !*chunk_of) return TW_E_MEMORY;
    for (int k = 0; k < t->nleaves; k++) {
        const struct tw_fmm_cell *c = &t->cell[t->leaf[k]];
        struct tw_fmm_chunk *last = *nchunks ? *chunk + *nchunks - 1 : NULL;
        if (!last || last->send - last->sbegin + last->tend - last->tbegin >= 2 * CHUNK_POINTS) {
            last = *chunk + (*nchunks)++;
            *last = (struct tw_fmm_chunk){.leaf_begin = k, .sbegin = c->sbegin, .tbegin = c->tbegin};
        }
        last->leaf_end = k + 1;
        last->send = c->send;
        last->tend = c->tend;
        (*chunk_of)[k] = *nchunks - 1;
    }
    return 0;
}

int tw_chunk_wrap(struct tw_data **d, double *column, tw_int total, int begin, int end, int columns, int chunk)
{
    if (begin == end) return 0;
    *d = tw_data_rectangle(column + begin, end - begin, columns, total, sizeof(double), -1, chunk);
    return *d ? 0 : TW_E_MEMORY;
}

void tw_chunks_forget(struct tw_data **d, int n, int keep)
{
    for (int k = 0; d && k < n; k++)
        tw_data_forget(d[k], keep);
    free(d);
}

int *tw_keep_ids(struct tw_kept_ids *kept, int n)
{
    if (kept->n == kept->capacity) {
        const int capacity = kept->capacity ? 2 * kept->capacity : 256;
        int **list = realloc(kept->list, (size_t)capacity * sizeof *list);
        if (!list) return NULL;
        kept->list = list, kept->capacity = capacity;
    }
    int *const id = malloc((size_t)(n + 1) * sizeof *id);
    if (id) kept->list[kept->n++] = id;
    return id;
}

void tw_kept_ids_free(struct tw_kept_ids *kept)
{
    for (int k = 0; k < kept->n; k++)
        free(kept->list[k]);
    free(kept->list);
    *kept = (struct tw_kept_ids){0};
}

int tw_ids_ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
