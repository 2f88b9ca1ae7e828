/* Arrays as grids of data objects, and tokens: objects that only order tasks. */
#include <stdlib.h>
#include "algorithms/fft/fft_plan.h"

static int make(struct tw_sequence *seq, struct tw_fft_grid *g, tw_int rows, tw_int cols, tw_int br, tw_int bc,
                struct tw_data *(*object)(const void *what, tw_int i, tw_int j, tw_int m, tw_int n), const void *what)
{
    g->nr = (int)tw_fft_ceil(rows, br), g->nc = (int)tw_fft_ceil(cols, bc);
    g->br = br, g->bc = bc;
    g->row = calloc((size_t)g->nr * (size_t)g->nc, sizeof *g->row);
    g->col = calloc((size_t)g->nr * (size_t)g->nc, sizeof *g->col);
    for (int i = 0; g->row && g->col && i < g->nr; i++)
        for (int j = 0; j < g->nc; j++) {
            struct tw_data *d = object(what, i, j, tw_min(bc, cols - j * bc), tw_min(br, rows - i * br));
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

struct array {
    char *base;
    tw_int ld, br, bc;
    size_t elemsize;
};
static struct tw_data *part(const void *what, tw_int i, tw_int j, tw_int m, tw_int n)
{
    const struct array *a = what;
    char *at = a->base + a->elemsize * ((size_t)(i * a->br) * (size_t)a->ld + (size_t)(j * a->bc));
    return tw_data_rectangle(at, m, n, a->ld, a->elemsize, (int)i, (int)j);
}

int tw_fft_grid_make(struct tw_sequence *seq, struct tw_fft_grid *g, const void *base, tw_int rows, tw_int cols,
                     tw_int ld, size_t elemsize, tw_int br, tw_int bc)
{
    const struct array a = {(char *)base, ld, br, bc, elemsize};

    *g = (struct tw_fft_grid){0};
    return make(seq, g, rows, cols, br, bc, part, &a);
}

static struct tw_data *temporary(const void *what, tw_int i, tw_int j, tw_int m, tw_int n)
{
    (void)i, (void)j;
    return m > INT32_MAX || n > INT32_MAX ? NULL : tw_data_tile(*(const enum tw_type *)what, (int)m, (int)n);
}

int tw_fft_grid_temporary(struct tw_sequence *seq, struct tw_fft_grid *g, enum tw_type type, tw_int rows, tw_int cols,
                          tw_int br, tw_int bc)
{
    *g = (struct tw_fft_grid){.homeless = 1};
    return make(seq, g, rows, cols, br, bc, temporary, &type);
}

void tw_fft_travel(struct tw_sequence *seq, int gpus, int parts, struct tw_data *const *block, int count, int from)
{
    for (int k = 0; gpus && k < count; k++)
        if (tw_fft_place(gpus, parts, k) != from) tw_bring_to(seq, block[k], tw_fft_place(gpus, parts, k) - 1);
}

void tw_fft_grid_free(struct tw_fft_grid *g, int keep)
{
    for (int k = 0; g->row && g->col && k < g->nr * g->nc; k++) {
        if (g->homeless)
            tw_data_free_later(g->row[k]);
        else
            tw_data_forget(g->row[k], keep);
    }
    free(g->row);
    free(g->col);
    g->row = g->col = NULL;
}

struct grid {
    struct tw_fft_grid g;
    int keep;
};
static void free_grid(void *arg)
{
    struct grid *g = arg;
    tw_fft_grid_free(&g->g, g->keep);
}

void tw_fft_grid_finally(struct tw_sequence *seq, struct tw_fft_grid *g, int keep)
{
    struct grid *kept = tw_loop_keep(seq, sizeof *kept);

    if (!kept) {
        tw_loop_wait_own(seq);
        tw_fft_grid_free(g, keep);
        return;
    }
    *kept = (struct grid){*g, keep};
    tw_loop_finally(seq, free_grid, kept);
}

struct tw_buffer tw_fft_columns_at(const struct tw_fft_rectangle *a, tw_int from, tw_int w)
{
    return (struct tw_buffer){.ptr = a->base + a->elemsize * (size_t)from,
                              .m = (int)tw_min(w, a->cols - from),
                              .n = (int)a->rows,
                              .ld = (int)a->ld};
}
struct tw_buffer tw_fft_rows_at(const struct tw_fft_rectangle *a, tw_int from, tw_int count)
{
    return (struct tw_buffer){.ptr = a->base + a->elemsize * ((size_t)from * (size_t)a->ld),
                              .m = (int)a->cols,
                              .n = (int)tw_min(count, a->rows - from),
                              .ld = (int)a->ld};
}

struct tokens {
    int n;
    struct tw_data *token[];
};
static void free_tokens(void *arg)
{
    struct tokens *s = arg;
    for (int k = 0; k < s->n; k++)
        tw_data_free_later(s->token[k]);
}

int tw_fft_tokens_make(struct tw_sequence *seq, int n, struct tw_data ***tokens)
{
    struct tokens *s = tw_loop_keep(seq, sizeof *s + (size_t)n * sizeof *s->token);

    *tokens = NULL;
    if (!s) return -1;
    while (s->n < n && (s->token[s->n] = tw_data_token()))
        s->n++;
    tw_loop_finally(seq, free_tokens, s);
    if (s->n < n) tw_loop_fail(seq, TW_E_MEMORY, "fft: no memory for %d data objects", n);
    if (tw_loop_status(seq)) return -1;
    *tokens = s->token;
    return 0;
}
