/* A routine is one row: its name, its operands, its checks, its loop, its flops. Both doors run it from there. */
#ifndef TW_RUNTIME_TASK_ROUTINE_H
#define TW_RUNTIME_TASK_ROUTINE_H
#include <stddef.h>
#include "runtime/data/claims.h"
#include "runtime/data/data.h"
#include "runtime/machine/tuning.h"

struct tw_sequence;

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */

typedef void (*tw_loop_fn)(struct tw_sequence *seq, void *args); /* a routine's submission loop */

/* An operand: where the argument struct has a pointer to an object that begins with a struct tw_living (a matrix); NULL
 * pointers do not count. With `count`, one more than where it has an int: the pointer is to so many such pointers. */
struct tw_operand {
    enum tw_mode mode; /* 0 after the last */
    size_t at, count;
};
/* Any number: .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, B)), with A and B of the file's struct
 * args. */
#define TW_OPERAND(mode, field)                                                                                        \
    {                                                                                                                  \
        mode, offsetof(struct args, field), 0                                                                          \
    }
#define TW_OPERAND_LIST(mode, field, count)                                                                            \
    {                                                                                                                  \
        mode, offsetof(struct args, field), offsetof(struct args, count) + 1                                           \
    }
#define TW_OPERANDS(...)                                                                                               \
    (const struct tw_operand[])                                                                                        \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            0, 0, 0                                                                                                    \
        }                                                                                                              \
    }

/* What a check says where there is nothing to compute. */
#define TW_NOTHING 1

/* What it needs memory for, as lists of shapes (needs.c says how they are written), the sizes being those of struct
 * tw_sizes: the matrices that it is given, those that it makes for a while, and what it makes where there are GPUs
 * alone. own_bytes: more of the second kind, where shapes do not say it, in tiles of order nb; given_bytes: of the
 * first. */
struct tw_needs {
    const char *given, *own, *on_gpus;
    double (*own_bytes)(const struct tw_sizes *s, tw_int nb);
    double (*given_bytes)(const struct tw_sizes *s, tw_int nb);
};

struct tw_routine {
    const char *name;     /* "potrf": the functions are tw_potrf and tw_potrf_async, and traces show it */
    const char *function; /* of the matrix door, if it is not tw_NAME; NULL: it is */
    int arguments;        /* of the matrix door's function; the async door's last one is the sequence */
    size_t size;          /* of the argument struct, which the async door copies */
    const struct tw_operand *operand;
    /* 0, -i by tw_illegal(who, i, …), another error, or TW_NOTHING. NULL: the caller has checked. May set results that
     * an early return leaves behind. */
    int (*check)(const char *who, void *args);
    tw_loop_fn loop;
    double (*flops)(const void *args); /* real ones, for progress and rates; NULL: none */
    const struct tw_tuning *tuning;    /* how its matrices are best cut; NULL: as a Cholesky factorization's */
    /* Rows of the tiles of a library matrix that is better cut into tiles as wide as it is; 0: square ones. NULL: never
     * so. */
    tw_int (*tall)(const struct tw_sizes *s);
    struct tw_needs needs; /* given NULL: not counted; "": there are no matrices */
};

/* Matrix door: check, run the loop in this thread, wait; 0, info or an error. */
int tw_run(const struct tw_routine *r, void *args);
/* Async door: check and queue. Objects among the operands may be destroyed or read at any time after: that waits for
 * the loop. */
int tw_queue(const struct tw_routine *r, struct tw_sequence *seq, void *args);
/* tw_queue, or tw_run if seq is NULL. */
int tw_run_or_queue(const struct tw_routine *r, struct tw_sequence *seq, void *args);

/* The same for a routine on plain arrays, whose arguments are sound. In a sequence one that does not say on which
 * arrays it works begins when those before it that work on arrays have ended. */
int tw_call(const char *routine, tw_loop_fn loop, void *args, double flops);
int tw_call_async(struct tw_sequence *seq, const char *routine, tw_loop_fn loop, const void *args, size_t size,
                  double flops);
/* One whose arrays (1 or 2) are operands, by their addresses: its tasks follow those of earlier routines of the
 * sequence that work on overlapping addresses, also under another name (tw_matrix_wrap), and no others. Nothing waits;
 * what its tasks point to is kept by what runtime/task/arrays.h has. */
int tw_call_arrays_async(struct tw_sequence *seq, const char *routine, tw_loop_fn loop, const void *args, size_t size,
                         double flops, const struct tw_range *range, int n);
#pragma GCC visibility pop
#endif
