/* What .tw files are made of: for the writer of whole ones (tw.c) and of those that grow (part.c). */
#ifndef TW_TRACES_ENCODE_H
#define TW_TRACES_ENCODE_H
#include <stdio.h>
#include "runtime/watch/record.h"
#include "traces/format.h"
#include "traces/index.h"

struct tw_block {
    unsigned char *byte;
    size_t count, room;
    FILE *f;
    int failed; /* no memory */
};
void tw_block_number(struct tw_block *b, uint64_t v);
void tw_block_signed(struct tw_block *b, int64_t v);
void tw_block_text(struct tw_block *b, const char *text);
void tw_block_real(struct tw_block *b, double v);
void tw_block_fact(struct tw_block *b, const char *key, const char *value);
/* Tag, length, content, checksum of all three. The block is empty then. */
void tw_block_end(struct tw_block *b, const char tag[4]);

void tw_block_workers(struct tw_block *b, const struct tw_recording *r); /* all of them, the block WORK */

/* Kernels and stages, by the numbers that tasks refer to them by. */
struct tw_lists {
    struct tw_index kernel, stage;
    unsigned *color; /* of the kernels */
    int colors;
};
int tw_lists_find(struct tw_lists *l, const struct tw_recording *r); /* those of its tasks; 0, or TW_E_MEMORY */
void tw_lists_free(struct tw_lists *l);

/* The recording's task i, with its predecessors but for those of tw_block_values; *last: the one before in the file. */
void tw_block_task(struct tw_block *b, const struct tw_recording *r, const struct tw_lists *l, size_t i,
                   struct tw_format_last *last);
/* All of them, in blocks of their own. */
void tw_block_marks(struct tw_block *b, const struct tw_recording *r);
void tw_block_stays(struct tw_block *b, const struct tw_recording *r);
void tw_block_transfers(struct tw_block *b, const struct tw_recording *r);
/* Runs of tasks whose times are the GPU's own; before: so many tasks are in the file already. */
void tw_block_clocks(struct tw_block *b, const struct tw_recording *r, size_t before);
void tw_block_used(struct tw_block *b, const struct tw_recording *r);
/* Predecessors that wrote values which submissions waited for. */
void tw_block_values(struct tw_block *b, const struct tw_recording *r);
#endif
