/* Chunks of leaves, groups of cells, lists of ids and the order of passes, for both multipole methods. */
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

int tw_chunks_wrap(const struct tw_fmm_chunk *chunk, int nchunks, int targets, struct tw_point_columns of,
                   struct tw_data ***list)
{
    if (!(*list = calloc((size_t)nchunks, sizeof **list))) return TW_E_MEMORY;
    for (int k = 0; k < nchunks; k++) {
        const int begin = targets ? chunk[k].tbegin : chunk[k].sbegin, end = targets ? chunk[k].tend : chunk[k].send;
        if (begin == end) continue;
        (*list)[k] = tw_data_rectangle(of.at + begin, end - begin, of.columns, of.points, sizeof(double), -1, k);
        if (!(*list)[k]) return TW_E_MEMORY;
    }
    return 0;
}

int tw_groups_count(const struct tw_fmm_tree *t, int *group_at)
{
    int count = 0;

    for (int level = 0; level <= t->depth; level++) {
        group_at[level] = count;
        count += (t->level_at[level + 1] - t->level_at[level] + TW_FMM_GROUP - 1) / TW_FMM_GROUP;
    }
    return group_at[t->depth + 1] = count;
}

int tw_group_wrap(struct tw_data **M, struct tw_data **L, double *multipole, double *local, int length, int cells,
                  int level, int g)
{
    M[g] = tw_data_rectangle(multipole, length, cells, length, sizeof(double), level, g);
    L[g] = tw_data_rectangle(local, length, cells, length, sizeof(double), level, g);
    return M[g] && L[g] ? 0 : TW_E_MEMORY;
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

int tw_marks_make(struct tw_marks *m, int limit)
{
    *m = (struct tw_marks){calloc((size_t)limit + 1, 1), malloc(((size_t)limit + 1) * sizeof(int)), 0};
    return m->marked && m->list ? 0 : TW_E_MEMORY;
}

void tw_marks_free(struct tw_marks *m)
{
    free(m->marked), free(m->list);
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int tw_marks_take(struct tw_marks *m, int *id)
{
    const int n = m->n;

    qsort(m->list, (size_t)n, sizeof *m->list, ascending);
    for (int k = 0; k < n; k++) {
        m->marked[m->list[k]] = 0;
        if (id) id[k] = m->list[k];
    }
    m->n = 0;
    return n;
}

int tw_multipole_submit(struct tw_sequence *seq, const struct tw_multipole_passes *passes, void *plan, int top,
                        int depth, const int *group_at, int nchunks)
{
    int e = 0;

    for (int level = depth; level >= top; level--)
        for (int g = group_at[level]; g < group_at[level + 1] && !e; g++)
            e = passes->up(seq, plan, level, g);
    for (int k = 0; k < nchunks && !e; k++)
        e = passes->near(seq, plan, k);
    for (int level = top; level <= depth; level++)
        for (int g = group_at[level]; g < group_at[level + 1] && !e; g++)
            e = passes->down(seq, plan, level, g);
    for (int k = 0; k < nchunks && !e; k++)
        e = passes->end(seq, plan, k);
    return e;
}
