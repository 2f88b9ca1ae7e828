/* StarPU's tasks.rec, which its starpu_fxt_tool makes of a trace. */
#ifndef TW_TRACES_TASKS_REC_H
#define TW_TRACES_TASKS_REC_H
#include <stdio.h>
#include <tilework/trace.h>

/* Whether a file that begins so may be one: its first line is "Key: value". */
int tw_is_tasks_rec(const unsigned char *byte, size_t n);
/* The rest of a file whose first n bytes were read already. 0, TW_E_FORMAT or TW_E_MEMORY, with a message that has the
 * byte. */
int tw_read_tasks_rec(struct tw_recorded **recorded, FILE *f, const char *name, const unsigned char *begin, size_t n);
#endif
