/* What a task says of bytes that it carries itself, on memory that StarPU does not move. */
#ifndef TW_RUNTIME_BASE_MOVE_H
#define TW_RUNTIME_BASE_MOVE_H

/* Bytes that a task itself carries from one memory to another: -1 is main memory, 0, 1, ... the GPUs in use. */
struct tw_move {
    int from, to;
    double bytes;
};
#endif
