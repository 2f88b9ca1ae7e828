/* Blocks cut from large pieces: see pieces.h. A piece is a chain of blocks without gaps, taken ones and free ones, in
 * which no two free ones are neighbours. A record is made when a block is taken, so that giving one back needs no
 * memory and cannot fail. */
#include <stdlib.h>
#include <string.h>

#include "runtime/data/pieces.h"

#define GRAIN ((size_t)4096)

struct block {
    char *at;
    size_t bytes;
    int taken;
    struct block *before, *after;
};
struct tw_piece {
    char *base;
    size_t bytes, free, largest; /* largest: bytes of the largest free block */
    struct block *first;
    struct tw_piece *before, *after; /* of the open ones */
};

/* ---- a piece ----------------------------------------------------------------------------------------------------- */

static void measure(struct tw_piece *t)
{
    t->largest = 0;
    for (const struct block *b = t->first; b; b = b->after)
        if (!b->taken && b->bytes > t->largest) t->largest = b->bytes;
}

static struct block *tightest(const struct tw_piece *t, size_t bytes)
{
    struct block *best = NULL;

    for (struct block *b = t->first; b; b = b->after)
        if (!b->taken && b->bytes >= bytes && (!best || b->bytes < best->bytes)) best = b;
    return best;
}

/* The free block b is taken, but for what is left behind `bytes` bytes. 0, or -1 without memory. */
static int cut(struct tw_piece *t, struct block *b, size_t bytes)
{
    if (b->bytes > bytes) {
        struct block *rest = malloc(sizeof *rest);
        if (!rest) return -1;
        *rest = (struct block){b->at + bytes, b->bytes - bytes, 0, b, b->after};
        if (b->after) b->after->before = rest;
        b->after = rest;
        b->bytes = bytes;
    }
    b->taken = 1;
    t->free -= bytes;
    measure(t);
    return 0;
}

/* The block behind b becomes part of it. */
static void swallow(struct block *b)
{
    struct block *next = b->after;

    b->bytes += next->bytes;
    b->after = next->after;
    if (b->after) b->after->before = b;
    free(next);
}

static void release(struct tw_piece *t, struct block *b)
{
    t->free += b->bytes;
    b->taken = 0;
    if (b->after && !b->after->taken) swallow(b);
    if (b->before && !b->before->taken) swallow(b = b->before);
    if (b->bytes > t->largest) t->largest = b->bytes;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static void open_piece(struct tw_pieces *p, struct tw_piece *t)
{
    t->before = NULL;
    t->after = p->open;
    if (p->open) p->open->before = t;
    p->open = t;
}
static void close_piece(struct tw_pieces *p, struct tw_piece *t)
{
    if (t->before)
        t->before->after = t->after;
    else
        p->open = t->after;
    if (t->after) t->after->before = t->before;
}

/* How many begin at or before this address. */
static size_t up_to(const struct tw_pieces *p, const char *at)
{
    size_t low = 0, high = p->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (p->all[middle]->base <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void forget_list(struct tw_pieces *p)
{
    if (p->count > 0) return;
    free(p->all);
    p->all = NULL;
    p->room = 0;
}

static void *get(struct tw_pieces *p, size_t bytes, size_t *got)
{
    for (size_t blocks = p->now / bytes; blocks >= 2; blocks /= 2) {
        void *base = p->source.get(p->source.whose, *got = blocks * bytes);
        if (base) {
            p->now = blocks * bytes < p->most / 2 ? 2 * blocks * bytes : p->most;
            return base;
        }
        p->now = (blocks / 2 > 2 ? blocks / 2 : 2) * bytes; /* the next time it is not tried from the top */
    }
    return NULL;
}

/* A new piece for such blocks, in its place among all. */
static struct tw_piece *add(struct tw_pieces *p, size_t bytes)
{
    struct tw_piece *t = malloc(sizeof *t);
    struct block *b = malloc(sizeof *b);
    size_t at;

    if (t && b && p->count == p->room) {
        struct tw_piece **more = realloc(p->all, (2 * p->room + 16) * sizeof *more);
        if (more) p->all = more, p->room = 2 * p->room + 16;
    }
    if (t && b && p->count < p->room && (t->base = get(p, bytes, &t->bytes))) {
        *b = (struct block){t->base, t->bytes, 0, NULL, NULL};
        t->free = t->largest = t->bytes;
        t->first = b;
        at = up_to(p, t->base);
        memmove(p->all + at + 1, p->all + at, (p->count - at) * sizeof *p->all);
        p->all[at] = t;
        p->count++;
        p->held += t->bytes;
        p->got++;
        open_piece(p, t);
        return t;
    }
    free(t);
    free(b);
    forget_list(p);
    return NULL;
}

static void remove_at(struct tw_pieces *p, size_t at)
{
    struct tw_piece *t = p->all[at];

    close_piece(p, t);
    p->count--;
    memmove(p->all + at, p->all + at + 1, (p->count - at) * sizeof *p->all);
    forget_list(p);
    p->held -= t->bytes;
    p->now = p->most; /* there is memory again */
    free(t->first);
}

/* Without the lock: nobody else knows of it any more. */
static void give(struct tw_pieces *p, struct tw_piece *t)
{
    p->source.give(p->source.whose, t->base, t->bytes);
    free(t);
}

void *tw_pieces_take(struct tw_pieces *p, size_t bytes)
{
    struct tw_piece *best = NULL, *drop = NULL;
    struct block *b = NULL;

    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = bytes ? (bytes + GRAIN - 1) / GRAIN * GRAIN : GRAIN;
    starpu_pthread_mutex_lock(&p->lock);
    for (struct tw_piece *t = p->open; t; t = t->after)
        if (t->largest >= bytes && (!best || t->free < best->free)) best = t;
    if (!best && bytes <= p->most / 2) best = add(p, bytes);
    if (best && (b = tightest(best, bytes)) && cut(best, b, bytes) != 0) b = NULL;
    if (b) {
        p->taken += b->bytes;
        p->blocks++;
        if (best->free == 0) close_piece(p, best);
    } else if (best && best->free == best->bytes) { /* without memory for a record a new piece is of no use */
        remove_at(p, up_to(p, best->base) - 1);
        drop = best;
    }
    starpu_pthread_mutex_unlock(&p->lock);
    if (drop) give(p, drop);
    return b ? b->at : NULL;
}

int tw_pieces_return(struct tw_pieces *p, void *block)
{
    struct tw_piece *t = NULL;
    struct block *b = NULL;
    size_t at;
    int known = 0, empty = 0;

    starpu_pthread_mutex_lock(&p->lock);
    at = up_to(p, block);
    if (at > 0 && (char *)block < p->all[at - 1]->base + p->all[at - 1]->bytes) {
        t = p->all[at - 1];
        known = -1;
        for (b = t->first; b && b->at != (char *)block;)
            b = b->after;
    }
    if (b && b->taken) {
        known = 1;
        p->taken -= b->bytes;
        p->blocks--;
        if (t->free == 0) open_piece(p, t);
        release(t, b);
        empty = t->free == t->bytes;
        if (empty) remove_at(p, at - 1);
    }
    starpu_pthread_mutex_unlock(&p->lock);
    if (empty) give(p, t);
    return known;
}

void tw_pieces_choose(struct tw_pieces *p, size_t most)
{
    starpu_pthread_mutex_lock(&p->lock);
    p->most = p->now = most;
    starpu_pthread_mutex_unlock(&p->lock);
}
