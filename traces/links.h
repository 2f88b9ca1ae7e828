/* What tasks wait for on the links between memories, as far as a recording says: for replays. */
#ifndef TW_TRACES_LINKS_H
#define TW_TRACES_LINKS_H
#include <stddef.h>
#include "runtime/watch/record.h"

/* Something that a task waits for before it starts. */
struct tw_link_span {
    size_t record;
    int link; /* 0 ...: a pair of memories, one direction; -1: another task's transfer: no link is held */
    /* the same for any number of GPUs: 0 from main memory to the worker's, 1 from another GPU's, 2 + g from GPU g to
     * main memory */
    int way;
    double from, to;
    double seconds; /* for which it had the link: those of a link come one after another, in the order of their ends */
};
struct tw_links {
    struct tw_link_span *span; /* in order of their ends, which do not lie behind their tasks' starts */
    size_t n;
    int count, ways;        /* links; ways are below this */
    unsigned char *carries; /* of each record: 1: all it does is to carry data from one memory to another itself */
};
/* 0 or TW_E_MEMORY. Recordings without transfers have no spans either. */
int tw_links_find(struct tw_links *l, const struct tw_recording *r);
void tw_links_free(struct tw_links *l);
#endif
