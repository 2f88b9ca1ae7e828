/* A hash table of names. */
#include "traces/index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, with the tag before the text. */
static uint64_t mix(const char *text, int tag)
{
    uint64_t h = (0xcbf29ce484222325ull ^ (unsigned)tag) * 0x100000001b3ull;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3ull;
    return h ^ h >> 32;
}

/* Where it stands, or where it would. */
static size_t place_of(const struct tw_index *x, const char *text, int tag)
{
    size_t at = (size_t)mix(text, tag) & (x->slots - 1);

    while (x->slot[at]) {
        const struct tw_index_key *k = &x->key[x->slot[at] - 1];
        if (k->tag == tag && (k->text == text || !strcmp(k->text, text))) break;
        at = (at + 1) & (x->slots - 1);
    }
    return at;
}

static int make_room(struct tw_index *x)
{
    if (x->count == x->room) {
        struct tw_index_key *more = realloc(x->key, ((size_t)x->room * 2 + 16) * sizeof *more);
        if (!more) return -1;
        x->key = more;
        x->room = 2 * x->room + 16;
    }
    if (2 * ((size_t)x->count + 1) <= x->slots) return 0;
    free(x->slot);
    x->slots = x->slots ? 2 * x->slots : 64;
    if (!(x->slot = calloc(x->slots, sizeof *x->slot))) {
        x->slots = 0;
        return -1;
    }
    for (int k = 0; k < x->count; k++)
        x->slot[place_of(x, x->key[k].text, x->key[k].tag)] = k + 1;
    return 0;
}

int tw_index_of(struct tw_index *x, const char *text, int tag)
{
    const int known = tw_index_find(x, text, tag);

    if (known >= 0) return known;
    if (make_room(x)) return -1;
    x->key[x->count] = (struct tw_index_key){text, tag};
    x->slot[place_of(x, text, tag)] = x->count + 1;
    return x->count++;
}

int tw_index_find(const struct tw_index *x, const char *text, int tag)
{
    return x->slots ? x->slot[place_of(x, text, tag)] - 1 : -1;
}

void tw_index_free(struct tw_index *x)
{
    free(x->key), free(x->slot);
    *x = (struct tw_index){0};
}
