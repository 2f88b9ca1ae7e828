/* Q2: the reflectors of bulge chasing, kept by its tasks, and Z = Q2 Z with them (Auckenthaler et al. 2011; Haidar et
 * al. 2014).
 *
 * Q2 = H(0,0) H(0,1) ... H(1,0) ...: bundles of sweeps from the last to the first act on Z, steps ascending inside
 * them. Diamonds are formed once for some bundles, and all blocks of columns read them; each block goes its way
 * alone. */
#include <stdlib.h>
#include "algorithms/eigen/chase_private.h"
#include "codelets/eigen/chase_tasks.h"

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

double tw_chase_back_bytes(enum tw_type type, tw_int n, tw_int b)
{
    const struct tw_chase_shape c = shape_of(n, b);
    const int bundles = tw_chase_bundles(&c), count = together(&c);
    double columns = 0;

    for (int first = 0; first < bundles; first += count)
        columns += (double)tw_chase_diamond_columns(&c, first, (int)tw_min(count, bundles - first));
    return columns * (double)tw_chase_ld(&c) * (double)tw_sizeof(type);
}

static void some_bundles(struct tw_sequence *seq, struct tw_chase *chase, struct tw_matrix *Z, int first, int count)
{
    const struct tw_chase_shape *c = &chase->shape;
    const int total = tw_chase_bundles(c), priority = tw_priority(seq, first + 1, total + 1, 1);
    struct tw_data *diamonds = tw_data_tile(chase->type, tw_chase_ld(c), tw_chase_diamond_columns(c, first, count));

    if (!diamonds) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for diamonds");
        return;
    }
    tw_task_diamond(seq, priority, c, first, count, chase->v, diamonds);
    for (int j = 0; j < Z->nt; j++)
        tw_task_unmtr_hb2st(seq, tw_priority(seq, first + 1, total + 1, 0), c, first, count, diamonds,
                            tw_tile(Z, 0, j));
    tw_data_free_later(diamonds);
}

void tw_chase_apply_loop(struct tw_sequence *seq, struct tw_chase *chase, const char *stage, struct tw_matrix *Z)
{
    const struct tw_chase_shape *c = &chase->shape;
    const int bundles = tw_chase_bundles(c), step = together(c);
    const char *before;

    if (bundles == 0 || Z->nt == 0) return;
    before = tw_loop_in_stage(seq, stage);
    for (int first = (bundles - 1) / step * step; first >= 0 && !tw_loop_status(seq); first -= step)
        some_bundles(seq, chase, Z, first, (int)tw_min(step, bundles - first));
    (void)tw_loop_in_stage(seq, before);
}
