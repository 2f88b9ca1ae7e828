/* A recording that owns all it points to: read from a file, or made up. */
#ifndef TW_TRACES_RECORDED_H
#define TW_TRACES_RECORDED_H
#include <stddef.h>
#include <tilework/trace.h>
#include "runtime/watch/record.h"
#include "traces/index.h"

struct tw_names {
    char **name;
    int count, room;
};
struct tw_recorded {
    struct tw_recording view; /* of what follows; writers and the analysis see this only */
    struct tw_record *records;
    size_t nrecords, record_room;
    size_t *first_edge; /* nrecords + 1 */
    size_t first_room;
    unsigned *edge;
    size_t nedges, edge_room;
    struct tw_recorded_worker *workers;
    int nworkers, worker_room;
    struct tw_names routines, kernels, stages, texts; /* texts: facts, marks */
    unsigned *colors;                                 /* of the kernels */
    int color_room;
    struct tw_run_fact *facts;
    int nfacts, fact_room;
    struct tw_mark *marks;
    size_t nmarks, mark_room;
    struct tw_stay *stays;
    size_t nstays, stay_room;
    struct tw_transfer *transfers;
    size_t ntransfers, transfer_room;
    struct tw_used *used;
    size_t nused, used_room;
    struct tw_analysis *analysis; /* made at the first question (analysis.h) */
};

/* Each returns 0, or TW_E_MEMORY with a message. Arrays grow with what is added, never by what a file promises. */
int tw_recorded_new(struct tw_recorded **r);
int tw_names_add(struct tw_names *names, const char *text, size_t length);
int tw_recorded_add_worker(struct tw_recorded *r, const char *name, size_t length, int is_cuda, int device);
int tw_recorded_add_kernel(struct tw_recorded *r, const char *name, size_t length, unsigned color);
int tw_recorded_add_fact(struct tw_recorded *r, const char *key, size_t key_length, const char *value, size_t length);
/* replaces: the one with this key, if there is one. */
int tw_recorded_set_fact(struct tw_recorded *r, const char *key, size_t key_length, const char *value, size_t length,
                         int replaces);
int tw_recorded_add_mark(struct tw_recorded *r, const struct tw_mark *mark, const char *name, size_t length);
int tw_recorded_add_stay(struct tw_recorded *r, const struct tw_stay *stay);
int tw_recorded_add_transfer(struct tw_recorded *r, const struct tw_transfer *transfer);
int tw_recorded_add_used(struct tw_recorded *r, const struct tw_used *used);
int tw_recorded_add_task(struct tw_recorded *r, const struct tw_record *t);
int tw_recorded_add_edge(struct tw_recorded *r, unsigned before); /* of the task added last; its `values` ones first */
/* Edges beside those that are there, by the tasks' numbers, sorted here; those of tasks that are not there are left
 * out. Values are put first. */
int tw_recorded_set_waits(struct tw_recorded *r, struct tw_waits *waits, size_t n);
/* Where the tasks are, by their numbers, sorted: *list is to be freed. */
struct tw_numbered {
    unsigned long id;
    unsigned at;
};
int tw_recorded_numbers(const struct tw_recorded *r, struct tw_numbered **list, size_t *n);
const struct tw_numbered *tw_numbered_find(const struct tw_numbered *list, size_t n, unsigned long id); /* or NULL */
/* Copies of names of another recording, each once. *e: 0, or TW_E_MEMORY from then on. */
struct tw_copies {
    struct tw_index index; /* the other's texts */
    struct tw_names names;
};
const char *tw_copies_keep(struct tw_copies *c, const char *text, int *e);
/* Sorts the tasks by start, and makes the view. TW_E_FORMAT, without a message: *why says it. */
int tw_recorded_finish(struct tw_recorded *r, const char **why);
const char *tw_recorded_fact(const struct tw_recording *r, const char *key); /* NULL: none */
/* Several ranks' (merge.c). */
static inline int tw_recorded_is_merged(const struct tw_recording *r)
{
    return tw_recorded_fact(r, "ranks") != NULL;
}
#endif
