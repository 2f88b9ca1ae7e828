/* Points: checks, their cube, and their order along the Morton curve. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/nbody/nbody.h"

const char *tw_bad_numbers(enum tw_type type, const void *a, tw_int count, double limit, char text[128])
{
    for (tw_int k = 0; k < count; k++) {
        const double x = tw_number_at(type, a, k);
        if (fabs(x) <= limit) continue;
        if (isfinite(x))
            snprintf(text, 128, "number %lld of it is %g: larger than %g", (long long)k, x, limit);
        else
            snprintf(text, 128, "number %lld of it is %s", (long long)k, isnan(x) ? "NaN" : "infinite");
        return text;
    }
    return NULL;
}

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
void tw_box_cube(const struct tw_box *b, double corner[3], double *side)
{
    double widest = 0, far = DBL_MIN;
    for (int k = 0; k < 3; k++) {
        widest = fmax(widest, b->high[k] - b->low[k]);
        far = fmax(far, fmax(fabs(b->low[k]), fabs(b->high[k])));
    }
    /* A little more than needed, so that no point lies on the far faces; a single place gets a cube of its own. */
    *side = widest > 4 * DBL_EPSILON * far ? widest * (1 + 1e-9) : far;
    for (int k = 0; k < 3; k++)
        corner[k] = 0.5 * (b->low[k] + b->high[k]) - 0.5 * *side;
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

static void make_keys(const struct tw_points *p, const double corner[3], double side, uint64_t *key)
{
    const double scale = (double)(1 << TW_FMM_BITS) / side;
    for (tw_int i = 0; i < p->n; i++) {
        uint64_t at[3];
        for (int k = 0; k < 3; k++) {
            const double x = (tw_number_at(p->type, p->xyz, 3 * i + k) - corner[k]) * scale;
            at[k] = x <= 0 ? 0 : x >= (1 << TW_FMM_BITS) - 1 ? (1 << TW_FMM_BITS) - 1 : (uint64_t)x;
        }
        key[i] = spread(at[0]) << 2 | spread(at[1]) << 1 | spread(at[2]);
    }
}

struct item {
    uint64_t key;
    uint32_t index;
};

/* One pass of the radix sort, by the byte at `shift`; 0 if all bytes there are the same (nothing moved). */
static int pass(const struct item *from, struct item *to, tw_int n, int shift)
{
    tw_int at[256] = {0}, sum = 0;
    for (tw_int i = 0; i < n; i++)
        at[from[i].key >> shift & 255]++;
    for (int k = 0; k < 256; k++) {
        const tw_int count = at[k];
        if (count == n) return 0;
        at[k] = sum;
        sum += count;
    }
    for (tw_int i = 0; i < n; i++)
        to[at[from[i].key >> shift & 255]++] = from[i];
    return 1;
}

int tw_morton_sort(const struct tw_points *p, const double corner[3], double side, uint64_t *key, uint32_t *order)
{
    struct item *a = malloc((size_t)p->n * sizeof *a + 1), *b = malloc((size_t)p->n * sizeof *b + 1);

    if (!a || !b) {
        free(a), free(b);
        return TW_E_MEMORY;
    }
    make_keys(p, corner, side, key);
    for (tw_int i = 0; i < p->n; i++)
        a[i] = (struct item){key[i], (uint32_t)i};
    for (int shift = 0; shift < 64; shift += 8)
        if (pass(a, b, p->n, shift)) {
            struct item *swap = a;
            a = b;
            b = swap;
        }
    for (tw_int i = 0; i < p->n; i++) {
        key[i] = a[i].key;
        order[i] = a[i].index;
    }
    free(a);
    free(b);
    return 0;
}
