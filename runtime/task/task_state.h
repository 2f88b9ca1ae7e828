/* A task on its way: what body.c, variant.c, done.c and submit.c know of it. */
#ifndef TW_RUNTIME_TASK_TASK_STATE_H
#define TW_RUNTIME_TASK_TASK_STATE_H
#include <stdatomic.h>
#include <starpu.h>

#include "runtime/machine/lane.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/cost.h"
#include "runtime/task/submit.h"
#include "runtime/watch/watch.h"

/* A codelet for operands of some types: what StarPU knows. */
struct tw_variant {
    struct tw_codelet *codelet;
    enum tw_type type;
    int second; /* TW_SECOND of the other operands' type, or 0 */
    struct tw_model *cost;
    struct starpu_codelet starpu;
    struct starpu_perfmodel model;
    char symbol[TW_SYMBOL_MAX];
    struct tw_variant *next, *sibling; /* of all, of the codelet's */
};

/* How a body sees one buffer: copied, since a temporary may be gone before its last task runs. */
struct tw_seen {
    void (*view)(const int shape[4], struct tw_buffer *b);
    int shape[4];
};

/* A task's own block: the argument of its bodies, freed when it is done. */
struct tw_task_state {
    struct tw_sequence *seq;
    struct tw_codelet *codelet;
    struct tw_variant *variant;
    struct tw_stage *stage; /* NULL: of none */
    unsigned begun;         /* what its end is told to the stage with */
    double asked;           /* when its body began to put work into the GPU's stream, where that is timed */
    struct starpu_task *task;
    enum tw_type type;
    struct tw_work work;
    enum tw_lane lane;                        /* by which way a GPU serves it */
    double did, submit;                       /* did: flops */
    double lost[2];                           /* tw_lost_so_far at the body's start and end */
    int nbuf, priority, routine, ran, timing; /* timing: the GPU's own (runtime/cuda/timing.h); 0: none */
    unsigned long run;
    int coord[4];
    unsigned long id;
    int has_tokens;
    struct tw_move *moves;
    int nmoves;
    struct tw_seen *seen; /* how the bodies see the buffers, where an object's kind has its own view; else NULL */
    atomic_int handed;    /* written last, read first: see tw_handed_over() */
    _Alignas(16) char args[TW_ARGS_MAX];
};

/* StarPU hands a task that waits for data from thread to thread under spinlocks of its own, which ThreadSanitizer
 * cannot see: this pair, stored before the submission, is the order that it sees. */
static inline struct tw_task_state *tw_handed_over(void *arg)
{
    struct tw_task_state *s = arg;
    (void)atomic_load_explicit(&s->handed, memory_order_acquire);
    return s;
}

/* More need an allocation. */
#define TW_BUFFERS_ON_STACK 32

/* ---- body.c ---- */

void tw_run_on_cpu(void *buffers[], void *arg); /* as StarPU calls them */
void tw_run_on_gpu(void *buffers[], void *arg);

/* ---- variant.c ---- */

struct tw_variant *tw_variant_of(struct tw_codelet *c, enum tw_type type, int second); /* NULL: no memory */

/* ---- done.c ---- */

/* Before its submission: what the watchers are told of the task. */
void tw_task_show(const struct tw_task_state *s, const struct tw_task *t);
void tw_task_done(void *arg); /* as StarPU calls it */
void tw_task_state_free(struct tw_task_state *s);
#endif
