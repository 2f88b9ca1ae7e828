/* Tasks on a block column ('C') or a block row ('R') whose kernel wants one array: its list of tiles, put together and
 * taken apart again. All tiles but the last have as many rows (columns) as the first. */
#ifndef TW_CODELETS_DENSE_STRIP_H
#define TW_CODELETS_DENSE_STRIP_H
#include "codelets/dense/column.h"

/* ---- submitting ---- */

/* Rows of a block column, columns of a block row. */
static inline int tw_strip_length(char storev, struct tw_data *const *tile, int count)
{
    return storev == 'C' ? tw_column_rows(tile, count) : (count - 1) * tile[0]->n + tile[count - 1]->n;
}
/* Bytes of the array, m x n, with what is behind it aligned. */
static inline size_t tw_strip_bytes(enum tw_type type, int m, int n)
{
    return ((size_t)m * (size_t)n * tw_sizeof(type) + 255) / 256 * 256;
}
/* Whether CPUs find the tiles in one array. */
static inline int tw_strip_lies_in_one(char storev, struct tw_data *const *tile, int count)
{
    const struct tw_data *t = tile[0];
    const size_t step = (storev == 'C' ? (size_t)t->m : (size_t)t->n * (size_t)t->ld) * t->elemsize;

    for (int i = 0; i < count; i++)
        if (tile[i]->home != 0 || tile[i]->staging || tile[i]->ld != t->ld ||
            (char *)tile[i]->host != (char *)t->host + (size_t)i * step)
            return 0;
    return storev == 'R' || t->ld >= tw_strip_length(storev, tile, count);
}

/* ---- in bodies ---- */

struct tw_strip {
    char storev;
    int count, m, n;
    const struct tw_buffer *at; /* the tiles */
};
static inline struct tw_strip tw_strip_of(char storev, const struct tw_buffer *at, int count)
{
    const struct tw_buffer *last = &at[count - 1];
    if (storev == 'C') return (struct tw_strip){'C', count, (count - 1) * at[0].m + last->m, at[0].n, at};
    return (struct tw_strip){'R', count, at[0].m, (count - 1) * at[0].n + last->n, at};
}
/* Where tile i begins in an array of leading dimension ld. */
static inline size_t tw_strip_offset(const struct tw_strip *s, int i, long long ld, size_t elemsize)
{
    return (size_t)i * (s->storev == 'C' ? (size_t)s->at[0].m : (size_t)s->at[0].n * (size_t)ld) * elemsize;
}
static inline int tw_strip_is_array(const struct tw_strip *s, size_t elemsize)
{
    for (int i = 1; i < s->count; i++)
        if (s->at[i].ld != s->at[0].ld ||
            (char *)s->at[i].ptr != (char *)s->at[0].ptr + tw_strip_offset(s, i, s->at[0].ld, elemsize))
            return 0;
    return s->at[0].ld >= s->m;
}
/* The tiles into an array of leading dimension s->m, or back. A status. */
static inline int tw_strip_move(const struct tw_body *body, const struct tw_strip *s, void *array, int back)
{
    int e = 0;

    for (int i = 0; i < s->count && !e; i++) {
        const struct tw_buffer *b = &s->at[i];
        void *in_array = (char *)array + tw_strip_offset(s, i, s->m, tw_sizeof(body->type)),
             *from = back ? in_array : b->ptr, *to = back ? b->ptr : in_array;
        const int lda = back ? s->m : (int)b->ld, ldb = back ? (int)b->ld : s->m;
        if (body->cuda) {
            e = TW_CUDA(body)->lacpy(body->cuda, 'G', b->m, b->n, from, lda, to, ldb);
            continue;
        }
        TW_CPU(body)->lacpy('G', b->m, b->n, from, lda, to, ldb);
    }
    return e;
}
#endif
