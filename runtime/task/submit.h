/* The one door through which every task goes. */
#ifndef TW_RUNTIME_TASK_SUBMIT_H
#define TW_RUNTIME_TASK_SUBMIT_H
#include <tilework/runtime.h>
#include "runtime/base/move.h"
#include "runtime/base/error.h"
#include "runtime/base/facts.h"
#include "runtime/base/loop.h"
#include "runtime/base/types.h"
#include "runtime/data/data.h"
#include "runtime/data/travel.h"
#include "runtime/machine/cuda.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/rate.h"
#include "runtime/machine/tuning.h"
#include "runtime/task/cost.h"
#include "runtime/task/routine.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

/* ---- what a kernel is to the runtime ------------------------------------------------------------------------ */

struct tw_body {
    enum tw_type type;           /* the task's */
    enum tw_type second;         /* the one that it names beside; the same if it names none */
    const void *args;            /* the task's copy of the argument struct */
    const struct tw_buffer *buf; /* in the order of the accesses */
    int nbuf;
    const struct tw_cuda *cuda; /* CUDA bodies only */
    struct tw_task_state *task; /* runtime's */
};
/* A CPU body whose results are not in its buffers shows them, as if they were: a build with fault injection, which
 * tests the checkers, spoils them there. Nothing in others. */
void tw_body_result(const struct tw_body *body, const struct tw_buffer *result, int n);
/* A body that knows how many real flops it did, where its task could only guess, says so: counters, times and traces
 * count these. */
void tw_body_flops(const struct tw_body *body, double flops);
/* Its sequence has failed or was cancelled: nobody needs what a long body would still do. */
int tw_body_stopped(const struct tw_body *body);
/* A body returns 0 or an error: TW_E_… from CPU bodies, a kernels/cuda status from CUDA bodies (checked by the runtime,
 * which then fails the sequence). Numerical infos do not travel this way but through an info data object. CUDA bodies
 * only enqueue. */
typedef int (*tw_body_fn)(const struct tw_body *body);

struct tw_codelet {
    /* LAPACK's name of the kernel: trace name; the performance model is tw_<letters of the types><name> */
    const char *name;
    unsigned color;    /* 0xRRGGBB in traces */
    enum tw_rate rate; /* the profile's rate that it goes by, */
    double share;      /* and how much of it it reaches, about; 0: all. Use corrects that (runtime/task/cost.h) */
    tw_body_fn cpu;
    tw_body_fn cuda; /* NULL: CPU only. Write TW_CUDA_BODY(f), which is NULL in builds without CUDA. */
    int urgent;      /* on the critical path: a GPU serves its kernels before others (runtime/machine/cuda.h) */
    struct tw_variant *variant; /* runtime's: a list, one for each tuple of types, made at its first submission */
};
/* A CUDA body is always compiled; in a build without CUDA nothing refers to it. */
#define TW_CUDA_BODY(f) (TW_BUILT_WITH_CUDA ? (f) : (tw_body_fn)0)

/* ---- submitting ----------------------------------------------------------------------------------------------- */

#define TW_ARGS_MAX 96
struct tw_task {
    struct tw_codelet *codelet;
    enum tw_type type;
    /* TW_SECOND(type) of operands of another type: float beside double, a real scale beside a complex tile, pivots; 0:
     * none */
    int second;
    const void *args; /* copied; at most TW_ARGS_MAX bytes */
    size_t args_size;
    const struct tw_access *access;
    int naccess;
    int priority;
    double flops; /* real flops (complex ones counted as such) */
    /* that it reads and writes of memory that is no data object's, and lies where it runs but for what `moves` says; 0
     * for most */
    double bytes;
    /* of such memory: counted with StarPU's transfers, and shown; a task without flops is a copy */
    const struct tw_move *moves;
    int nmoves;
    /* what it works on, for the kernel's efficiency: m x n results, sums of k products; 0 where there is none */
    double m, n, k;
    double size;  /* in place of these: the order of a square kernel that is as efficient */
    int coord[4]; /* of the tile it computes; -1 where unused */
    int hidden;   /* of the last accesses, that only order it: bodies do not see them */
    int place;    /* TW_ANYWHERE, TW_ON_CPUS, TW_ON_GPU(g), or TW_ON_COPY_STREAM(g) */
};
#define TW_SECOND(type) ((int)(type) + 1)
/* Where a task may run, for algorithms that lay their data out themselves. TW_ON_GPU(g) is the first stream of GPU g =
 * 0 … tw_gpus() - 1: for kernels that fill the GPU alone, whose workspace would only be multiplied by several
 * streams. */
enum { TW_ANYWHERE = 0, TW_ON_CPUS = -1 };
#define TW_ON_GPU(g) ((g) + 1)
/* The last stream of GPU g, for copies beside the kernels of its first one. */
#define TW_ON_COPY_STREAM(g) (-2 - (g))
/* Submit. On failure the sequence fails and this and later tasks do nothing: callers need not look. Blocks while the
 * sequence has its full window of unfinished tasks. */
void tw_submit(struct tw_sequence *seq, const struct tw_task *task);

/* The key of a workspace's size: what it depends on beside the type, such as {uplo, n} or {m, n, nb}. */
struct tw_extent {
    int v[4];
};
/* Bytes of workspace that `query` asks for, run on a CUDA worker once for each (query, type, extent); 0 without one. */
typedef int (*tw_workspace_fn)(const struct tw_cuda *cuda, enum tw_type type, const struct tw_extent *extent,
                               size_t *bytes);
size_t tw_cuda_workspace(tw_workspace_fn query, enum tw_type type, struct tw_extent extent);

/* ---- routines and sequences -------------------------------------------------------------------------------------- */

/* The info object (one int64_t, 0 at the start) of the routine being submitted. Tasks take it TW_RW and store the
 * smallest positive value. */
struct tw_data *tw_info(struct tw_sequence *seq);
/* Inside a loop: wait for the tasks that write this routine's info and return it (0 if no info object was asked
 * for). */
tw_int tw_info_wait(struct tw_sequence *seq);
/* ---- priorities -------------------------------------------------------------------------------------------------- */

/* `level`: length of the longest path from the task to the end of the routine, in the same unit as `total` (the
 * routine's whole critical path); panel: 1 for tasks on the panel. Gives the integer that StarPU gets, by the mode in
 * force, with an offset so that earlier routines of a sequence go first. */
int tw_priority(struct tw_sequence *seq, double level, double total, int panel);
/* The same of a factorization of so many steps, each a panel: where TILEWORK_LOOKAHEAD says a depth d, which level and
 * total are not looked at for, what step `step` does to block column `column` (its own: the panel) comes with step
 * min(step, column - d), in front of what later steps do elsewhere. Columns behind the last panel: any number from
 * `steps` on. */
int tw_priority_ahead(struct tw_sequence *seq, int step, int column, int steps, double level, double total, int panel);
#pragma GCC visibility pop
#endif
