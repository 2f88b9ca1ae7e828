/* Points: checks, their cube, and their order along the Morton curve. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/nbody_loops.h"
#include "codelets/range.h"
#include "types/nbody/cube.h"

void tw_box_empty(struct tw_box *b)
{
    for (int k = 0; k < 3; k++)
        b->low[k] = DBL_MAX, b->high[k] = -DBL_MAX;
}
void tw_box_add(struct tw_box *b, const struct tw_points *p)
{
    for (tw_int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) {
            const double x = tw_number_at(p->type, p->xyz, 3 * i + k);
            b->low[k] = x < b->low[k] ? x : b->low[k];
            b->high[k] = x > b->high[k] ? x : b->high[k];
        }
}
void tw_box_shift(struct tw_box *b, double shift[3])
{
    for (int k = 0; k < 3; k++) {
        const double near = fabs(b->low[k]) < fabs(b->high[k]) ? b->low[k] : b->high[k], wide = b->high[k] - b->low[k];
        shift[k] = b->low[k] * near > 0 && b->high[k] * near > 0 && fabs(near) >= wide ? near : 0;
        b->low[k] -= shift[k];
        b->high[k] -= shift[k];
    }
}

/* The squares of the inverse widths of its cells, of level 20, have to be finite. kernels/nbody/cuda/fmm_points.cu has
 * the same. */
#define SMALLEST_SIDE 1e-100
void tw_box_cube(const struct tw_box *b, double corner[3], double *side)
{
    double widest = 0, far = DBL_MIN;
    for (int k = 0; k < 3; k++) {
        widest = fmax(widest, b->high[k] - b->low[k]);
        far = fmax(far, fmax(fabs(b->low[k]), fabs(b->high[k])));
    }
    /* A little more than needed, so that no point lies on the far faces; a single place gets a cube of its own. */
    *side = widest > 4 * DBL_EPSILON * far ? widest * (1 + 1e-9) : far;
    if (*side < SMALLEST_SIDE) *side = SMALLEST_SIDE;
    for (int k = 0; k < 3; k++)
        corner[k] = fma(-tw_box_middle(b->high[k] - b->low[k], *side), *side, 0.5 * (b->low[k] + b->high[k]));
}

/* Bit k of x to bit 3 k, for 21 bits. */
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

struct item {
    uint64_t key;
    uint32_t index;
};
/* A radix sort, byte after byte: every part counts its bytes, then moves its items to where they belong behind those of
 * lower bytes and of the same byte in earlier parts. */
struct sort {
    const struct tw_points *p;
    const double *corner;
    double scale;
    struct item *from, *to;
    int shift;
    tw_int at[TW_RANGE_PARTS][256];
    uint64_t *key;
    uint32_t *order;
};

static void make_keys(void *context, int part, tw_int begin, tw_int end)
{
    const struct sort *s = context;
    const struct tw_points *p = s->p;
    (void)part;
    for (tw_int i = begin; i < end; i++) {
        uint64_t at[3];
        for (int k = 0; k < 3; k++) {
            const double x = (tw_number_at(p->type, p->xyz, 3 * i + k) - p->shift[k] - s->corner[k]) * s->scale;
            at[k] = x <= 0 ? 0 : x >= (1 << TW_FMM_BITS) - 1 ? (1 << TW_FMM_BITS) - 1 : (uint64_t)x;
        }
        s->from[i] = (struct item){spread(at[0]) << 2 | spread(at[1]) << 1 | spread(at[2]), (uint32_t)i};
    }
}
static void count_bytes(void *context, int part, tw_int begin, tw_int end)
{
    struct sort *s = context;
    tw_int n[256] = {0};
    for (tw_int i = begin; i < end; i++)
        n[s->from[i].key >> s->shift & 255]++;
    memcpy(s->at[part], n, sizeof n);
}
static void move(void *context, int part, tw_int begin, tw_int end)
{
    struct sort *s = context;
    tw_int at[256];
    memcpy(at, s->at[part], sizeof at);
    for (tw_int i = begin; i < end; i++)
        s->to[at[s->from[i].key >> s->shift & 255]++] = s->from[i];
}
static void unpack(void *context, int part, tw_int begin, tw_int end)
{
    const struct sort *s = context;
    (void)part;
    for (tw_int i = begin; i < end; i++) {
        s->key[i] = s->from[i].key;
        s->order[i] = s->from[i].index;
    }
}

/* Counts become places; 0 if all bytes are the same: nothing to move. */
static int find_places(struct sort *s, tw_int n)
{
    tw_int sum = 0;
    for (int byte = 0; byte < 256; byte++) {
        const tw_int before = sum;
        for (int part = 0; part < tw_range_parts(n); part++) {
            const tw_int count = s->at[part][byte];
            s->at[part][byte] = sum;
            sum += count;
        }
        if (sum - before == n) return 0;
    }
    return 1;
}

int tw_morton_sort_by_tasks(struct tw_sequence *seq, const struct tw_points *p, const double corner[3], double side,
                            uint64_t *key, uint32_t *order)
{
    struct item *items = malloc((size_t)p->n * 2 * sizeof *items + 1);
    struct sort *s = malloc(sizeof *s);
    const int e = items && s ? 0 : TW_E_MEMORY;

    if (!e) {
        s->p = p, s->corner = corner, s->scale = (double)(1 << TW_FMM_BITS) / side;
        s->from = items, s->to = items + p->n;
        s->key = key, s->order = order;
        tw_range_run(seq, make_keys, s, p->n);
        for (s->shift = 0; s->shift < 3 * TW_FMM_BITS && !(seq && tw_loop_status(seq)); s->shift += 8) {
            struct item *swap = s->from;
            tw_range_run(seq, count_bytes, s, p->n);
            if ((seq && tw_loop_status(seq)) || !find_places(s, p->n)) continue;
            tw_range_run(seq, move, s, p->n);
            s->from = s->to;
            s->to = swap;
        }
        tw_range_run(seq, unpack, s, p->n);
    }
    free(items);
    free(s);
    return e ? e : seq ? tw_loop_status(seq) : 0;
}

int tw_morton_sort(const struct tw_points *p, const double corner[3], double side, uint64_t *key, uint32_t *order)
{
    return tw_morton_sort_by_tasks(NULL, p, corner, side, key, order);
}
