/* Q2: the reflectors of bulge chasing, kept by its tasks, and Z = Q2 Z with them (Auckenthaler et al. 2011; Haidar et
 * al. 2014).
 *
 * Q2 = H(0,0) H(0,1) ... H(1,0) ...: bundles of sweeps from the last to the first act on Z, steps ascending inside
 * them. Diamonds are formed once for some bundles, and all blocks of columns read them; each block goes its way
 * alone. Forming waits for nothing but the reflectors; late, for Z's first block to be AHEAD steps behind. */
#include <stdlib.h>
#include "algorithms/eigen/chase_private.h"
#include "codelets/eigen/chase_tasks.h"

enum { AHEAD = 2 };

static int make(struct tw_chase *chase)
{
    const struct tw_chase_shape *c = &chase->shape;

    chase->groups = tw_chase_groups(c);
    if (!(chase->v = calloc((size_t)chase->groups + 1, sizeof *chase->v))) return -1;
    for (int S = 0; S < chase->groups; S++)
        if (!(chase->v[S] = tw_data_tile(chase->type, c->b, tw_chase_room(c, S)))) return -1;
    return 0;
}

struct tw_chase *tw_chase_shaped(struct tw_sequence *seq, enum tw_type type, struct tw_chase_shape shape)
{
    struct tw_chase *chase = calloc(1, sizeof *chase);

    if (chase) {
        chase->type = type;
        chase->shape = shape;
        if (make(chase) == 0) return chase;
    }
    tw_chase_free_later(chase);
    tw_loop_fail(seq, TW_E_MEMORY, "no memory for the reflectors of a band matrix of order %d", shape.n);
    return NULL;
}

static struct tw_chase_shape shape_of(tw_int n, tw_int b)
{
    struct tw_chase_shape shape = tw_chase_shape((int)n, (int)tw_max(1, tw_min(b, n - 1)));

    /* GPUs want large products more than few. */
    if (tw_gpus() > 0) {
        shape.width = (shape.b + shape.depth - 1) / shape.depth * shape.depth;
        shape.lead = 1;
    }
    return shape;
}

struct tw_chase *tw_chase_create(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b)
{
    return tw_chase_shaped(seq, type, shape_of(n, b));
}

double tw_chase_bytes(enum tw_type type, tw_int n, tw_int b)
{
    const struct tw_chase_shape c = shape_of(n, b);
    double reflectors = 0;

    for (int S = 0; S < tw_chase_groups(&c); S++)
        reflectors += (double)tw_chase_room(&c, S);
    return reflectors * c.b * (double)tw_sizeof(type);
}

void tw_chase_free_later(struct tw_chase *chase)
{
    if (!chase) return;
    for (int S = 0; chase->v && S < chase->groups; S++)
        tw_data_free_later(chase->v[S]);
    free(chase->v);
    free(chase);
}

/* Bundles whose diamonds are formed by one task, and applied by one. */
static int together(const struct tw_chase_shape *c)
{
    return (int)tw_min(tw_gpus() > 0 ? 8 : 2, tw_chase_bundles(c));
}

double tw_chase_back_bytes(enum tw_type type, tw_int n, tw_int b, int late)
{
    const struct tw_chase_shape c = shape_of(n, b);
    const int bundles = tw_chase_bundles(&c), count = together(&c), all = bundles ? (bundles + count - 1) / count : 0;
    double columns = 0;

    for (int k = 0; k < (late ? tw_min(AHEAD + 1, all) : all); k++) /* the first steps' bundles are the longest */
        columns += (double)tw_chase_diamond_columns(&c, k * count, (int)tw_min(count, bundles - k * count));
    return columns * (double)tw_chase_ld(&c) * (double)tw_sizeof(type);
}

/* The diamonds of step s, of the bundles from s * together on. after: what is read for order's sake, or NULL. */
static struct tw_data *form(struct tw_sequence *seq, const struct tw_chase *chase, int s, struct tw_data *after)
{
    const struct tw_chase_shape *c = &chase->shape;
    const int total = tw_chase_bundles(c), first = s * together(c), count = (int)tw_min(together(c), total - first);
    struct tw_data *diamonds = tw_data_tile(chase->type, tw_chase_ld(c), tw_chase_diamond_columns(c, first, count));

    if (diamonds)
        tw_task_diamond(seq, tw_priority(seq, first + 1, total + 1, 1), c, first, count, chase->v, after, diamonds);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for diamonds");
    return diamonds;
}

static void act(struct tw_sequence *seq, const struct tw_chase *chase, int s, struct tw_data *diamonds,
                struct tw_matrix *Z)
{
    const struct tw_chase_shape *c = &chase->shape;
    const int total = tw_chase_bundles(c), first = s * together(c), count = (int)tw_min(together(c), total - first);

    for (int j = 0; j < Z->nt; j++)
        tw_task_unmtr_hb2st(seq, tw_priority(seq, first + 1, total + 1, 0), c, first, count, diamonds,
                            tw_tile(Z, 0, j));
}

void tw_chase_apply_loop(struct tw_sequence *seq, struct tw_chase *chase, const char *stage, struct tw_matrix *Z,
                         int late)
{
    const int bundles = tw_chase_bundles(&chase->shape), step = together(&chase->shape);
    struct tw_data *diamonds[AHEAD] = {NULL};
    const char *before;

    if (bundles == 0 || Z->nt == 0) return;
    before = tw_loop_in_stage(seq, stage);
    for (int s = (bundles - 1) / step; s >= -AHEAD && !tw_loop_status(seq); s--) {
        struct tw_data **d = &diamonds[(s + AHEAD) % AHEAD];
        if (*d) {
            act(seq, chase, s + AHEAD, *d, Z);
            tw_data_free_later(*d);
        }
        *d = s >= 0 ? form(seq, chase, s, late ? tw_tile(Z, 0, 0) : NULL) : NULL;
    }
    for (int k = 0; k < AHEAD; k++)
        if (diamonds[k]) tw_data_free_later(diamonds[k]); /* after a failure */
    (void)tw_loop_in_stage(seq, before);
}
