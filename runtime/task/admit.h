/* Which tasks a GPU's streams may have at the same time: those whose operands and workspaces fit into its memory
 * together. */
#ifndef TW_RUNTIME_TASK_ADMIT_H
#define TW_RUNTIME_TASK_ADMIT_H

#include <stddef.h>

/* StarPU cuts what is small from pieces of 32 MiB and keeps four that are empty: what is large cannot have these, nor
 * the one in which something small lies. */
#define TW_SMALL_PIECES (160.0 * (1 << 20))

/* What an operand, or a workspace, may keep from large blocks. Small ones may each lie in another of StarPU's pieces;
 * where a GPU has less than 4 GiB that may be most of them. (With more, what is above 512 KiB lies in pieces of ours,
 * and there are many.) */
static inline double tw_keeps(double bytes, double total)
{
    const double piece = 32.0 * (1 << 20), small = 4.0 * (1 << 20);

    return total > 0 && total < 4.0 * (1 << 30) && bytes > 0 && bytes <= small ? piece : bytes;
}

/* Bytes of one more task, beside those that others have. total: what StarPU may use, below 1 where no limit is known;
 * held: what stays where it is meanwhile (tw_hold). A task alone is always let in. */
static inline int tw_admits(double others, double bytes, double total, double held)
{
    return others <= 0 || total < 1 || others + bytes + held + TW_SMALL_PIECES <= total;
}

/* ---- what a stream has ------------------------------------------------------------------------------------------- */

/* The tasks that a stream has taken and not ended: one, or several where StarPU's pipeline was asked for (four at
 * most). By address, since tasks end on it, too, that nobody asked for here: StarPU gives those for one given worker to
 * it directly. Its own thread changes it. */
#define TW_STREAM_TASKS 8
struct tw_stream_has {
    const void *task[TW_STREAM_TASKS];
    double bytes[TW_STREAM_TASKS];
};

static inline double tw_stream_bytes(const struct tw_stream_has *s)
{
    double sum = 0;
    for (int k = 0; k < TW_STREAM_TASKS; k++)
        if (s->task[k]) sum += s->bytes[k];
    return sum;
}
static inline void tw_stream_takes(struct tw_stream_has *s, const void *task, double bytes)
{
    for (int k = 0; k < TW_STREAM_TASKS; k++)
        if (!s->task[k]) {
            s->task[k] = task;
            s->bytes[k] = bytes;
            return;
        }
}
/* 1: it was there. */
static inline int tw_stream_gives(struct tw_stream_has *s, const void *task)
{
    for (int k = 0; k < TW_STREAM_TASKS; k++)
        if (s->task[k] == task) {
            s->task[k] = NULL;
            return 1;
        }
    return 0;
}

#endif
