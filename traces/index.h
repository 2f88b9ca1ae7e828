/* Numbers for names: recordings come from anywhere, and may have a hundred thousand kernels or workers. */
#ifndef TW_TRACES_INDEX_H
#define TW_TRACES_INDEX_H
#include <stddef.h>

struct tw_index_key {
    const char *text;
    int tag;
};
struct tw_index {
    struct tw_index_key *key; /* in the order in which they came */
    int count, room;
    int *slot; /* open addressing: 1 + the number; 0: none */
    size_t slots;
};

/* The number of this text with this tag: the one that it had before, or the next one. -1: no memory. The text is not
 * copied. */
int tw_index_of(struct tw_index *x, const char *text, int tag);
/* Its number, or -1: not there. */
int tw_index_find(const struct tw_index *x, const char *text, int tag);
void tw_index_free(struct tw_index *x);
#endif
