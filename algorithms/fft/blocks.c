/* Arrays as grids of data objects, and signs: objects that only order tasks. */
#include <stdlib.h>
#include "algorithms/fft/fft.h"

int tw_fft_grid_make(struct tw_sequence *seq, struct tw_fft_grid *g, const void *base, tw_int rows, tw_int cols,
                     tw_int ld, size_t elemsize, tw_int br, tw_int bc)
{
    *g = (struct tw_fft_grid){(int)tw_fft_ceil(rows, br), (int)tw_fft_ceil(cols, bc), (int)br, (int)bc, NULL, NULL};
    g->row = calloc((size_t)g->nr * (size_t)g->nc, sizeof *g->row);
    g->col = calloc((size_t)g->nr * (size_t)g->nc, sizeof *g->col);
    for (int i = 0; g->row && g->col && i < g->nr; i++)
        for (int j = 0; j < g->nc; j++) {
            char *at = (char *)base + elemsize * ((size_t)i * (size_t)br * (size_t)ld + (size_t)j * (size_t)bc);
            struct tw_data *d =
                tw_data_rectangle(at, tw_min(bc, cols - j * bc), tw_min(br, rows - i * br), ld, elemsize, i, j);
            if (!d) {
                tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for %d x %d data objects", g->nr, g->nc);
                return -1;
            }
            g->row[i * g->nc + j] = g->col[j * g->nr + i] = d;
        }
    if (g->row && g->col) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for %d x %d data objects", g->nr, g->nc);
    return -1;
}

void tw_fft_grid_home(struct tw_sequence *seq, struct tw_fft_grid *g)
{
    for (int k = 0; k < g->nr * g->nc; k++)
        tw_bring_home(seq, g->row[k]);
}

void tw_fft_grid_free(struct tw_fft_grid *g, int keep)
{
    for (int k = 0; g->row && g->col && k < g->nr * g->nc; k++)
        tw_data_forget(g->row[k], keep);
    free(g->row);
    free(g->col);
    g->row = g->col = NULL;
}

int tw_fft_signs_make(struct tw_sequence *seq, int n, struct tw_data ***signs)
{
    *signs = calloc((size_t)n, sizeof **signs);
    for (int k = 0; *signs && k < n; k++)
        if (!((*signs)[k] = tw_data_vector(1, sizeof(double), (int[2]){k, -1}))) {
            tw_fft_signs_free(k, *signs);
            *signs = NULL;
        }
    if (*signs) return 0;
    tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for %d data objects", n);
    return -1;
}

void tw_fft_signs_free(int n, struct tw_data **signs)
{
    for (int k = 0; signs && k < n; k++)
        tw_data_free_later(signs[k]);
    free(signs);
}
