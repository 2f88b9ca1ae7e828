/* Which tasks a GPU's streams may have at the same time: those whose operands and workspaces fit into its memory together. */
#ifndef TW_RUNTIME_TASK_ADMIT_H
#define TW_RUNTIME_TASK_ADMIT_H

/* StarPU cuts what is small from pieces of 32 MiB and keeps four that are empty: what is large cannot have these, nor the one in which something small lies. */
#define TW_SMALL_PIECES (160.0 * (1 << 20))

/* Bytes of one more task, beside those that others have. total: what StarPU may use, below 1 where no limit is known; held: what stays where it is meanwhile (tw_hold).
 * A task alone is always let in. */
static inline int tw_admits(double others, double bytes, double total, double held)
{
    return others <= 0 || total < 1 || others + bytes + held + TW_SMALL_PIECES <= total;
}

#endif
