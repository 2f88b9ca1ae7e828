/* Blocks of memory cut from large pieces, where getting memory is slow however little it is (cudaMalloc). What is known
 * of a piece and its blocks is kept outside of them: they may lie where the calling thread cannot read. */
#ifndef TW_RUNTIME_DATA_PIECES_H
#define TW_RUNTIME_DATA_PIECES_H
#include <stddef.h>
#include <starpu.h>

/* Where pieces come from. `get` is called by one thread at a time, NULL: there is no such piece; `give` by any
 * number. */
struct tw_piece_source {
    void *(*get)(void *whose, size_t bytes);
    void (*give)(void *whose, void *piece, size_t bytes);
    void *whose;
};

struct tw_piece;
struct tw_pieces {
    struct tw_piece_source source;
    starpu_pthread_mutex_t lock;
    size_t most;                /* bytes of a piece; 0: none is cut */
    size_t now;                 /* … as long as so many cannot be had */
    struct tw_piece **all;      /* by address */
    struct tw_piece *open;      /* those that are not full */
    size_t count, room;         /* of `all` */
    size_t held, taken, blocks; /* bytes of pieces, bytes of blocks, how many these are */
    size_t got;                 /* pieces since the beginning */
};
#define TW_PIECES(get, give, whose, most)                                                                              \
    {                                                                                                                  \
        {get, give, whose}, STARPU_PTHREAD_MUTEX_INITIALIZER, most, most, NULL, NULL, 0, 0, 0, 0, 0, 0                 \
    }

/* A block of so many bytes, from a piece that has room, the fullest one first, so that others become empty; else from a
 * new piece, which holds as many such blocks as fit `most`, or, if that cannot be had, half as many, and so on down to
 * two. NULL if there is none, and where two do not fit. It begins at a multiple of 4096 bytes from its piece's
 * beginning. */
void *tw_pieces_take(struct tw_pieces *p, size_t bytes);
/* 1: it is given back, with its piece if that is empty now; 0: it is from none of these pieces; -1: it is from one, but
 * no block begins there. */
int tw_pieces_return(struct tw_pieces *p, void *block);
/* For pieces to come. */
void tw_pieces_choose(struct tw_pieces *p, size_t most);
#endif
