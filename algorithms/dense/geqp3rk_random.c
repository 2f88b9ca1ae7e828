/* geqp3rk with columns from a random sketch: geqp3_random's blocks (geqp3_random.c) until no column that is left
 * counts, or a given number of them is done.
 *
 * A block's columns are chosen at once. Behind it norms are summed up again, and with R's rows of the block they say
 * after which of its columns it ends: the reflectors from there on are taken back. With V as it lies and T's part of
 * them they are one more block reflector, whose product with what is left, and with R's columns that are too many,
 * undoes them. */
#include <stdlib.h>
#include "algorithms/dense/pivoted.h"
#include "algorithms/dense/pivoted_random.h"
#include "types/dense/pivot_stop.h"

/* One call; its continuations hand it on. */
struct call {
    struct tw_sketched f;
    struct tw_rank_ends ends;
    struct tw_data *stop, **acc;
    int block, owners; /* the last block that was made; -1: none yet */
};
static void release(void *args)
{
    struct call *c = *(struct call **)args;

    if (--c->owners > 0) return;
    tw_sketched_end(&c->f);
    tw_data_free_later(c->stop);
    free(c->acc);
    free(c);
}
static int priority(const struct call *c)
{
    return tw_priority(c->f.r.seq, 1, 1, 1);
}

/* ---- taking back ------------------------------------------------------------------------------------------------- */

static void zero(const struct call *c, struct tw_data *d)
{
    tw_task_laset(c->f.r.seq, priority(c), 'G', tw_zero, tw_zero, d);
}

/* What R has in the block's columns from the j-th on: upper triangular from row j on, zero elsewhere. */
static struct tw_matrix *columns_of_r(const struct call *c, int j)
{
    struct tw_matrix *A = c->f.A, *Y;
    struct tw_data *d = tw_tile(A, c->block, c->block);

    if (!(Y = tw_matrix_temporary(A->type, A->m, d->n, A->mb, d->n))) return NULL;
    for (int i = c->block; i < Y->mt; i++)
        zero(c, tw_tile(Y, i, 0));
    tw_task_lacpy_part(c->f.r.seq, priority(c), 'U',
                       &(struct tw_block){.m = d->m - j, .n = d->n - j, .ai = j, .aj = j, .bi = j, .bj = j}, d,
                       tw_tile(Y, c->block, 0), 0);
    return Y;
}
static void columns_back(const struct call *c, int j, struct tw_matrix *Y)
{
    struct tw_matrix *A = c->f.A;

    for (int i = c->block; i < A->mt; i++) {
        const int first = i == c->block ? j : 0;
        struct tw_data *d = tw_tile(A, i, c->block);
        tw_task_lacpy_block(
            c->f.r.seq, priority(c),
            &(struct tw_block){.m = d->m - first, .n = d->n - j, .ai = first, .aj = j, .bi = first, .bj = j},
            tw_tile(Y, i, 0), d, 0);
        tw_bring_home(c->f.r.seq, d);
    }
}
/* The block's reflectors from the j-th on do not count. */
static void factors_back(const struct call *c, int j, struct tw_data *none)
{
    struct tw_data *tau = tw_tile(c->f.tau, c->block, 0);

    zero(c, none);
    tw_task_lacpy_block(c->f.r.seq, priority(c), &(struct tw_block){.m = tau->m - j, .n = 1, .bi = j}, none, tau, 0);
    tw_bring_home(c->f.r.seq, tau);
}

/* The block ends after j of its columns. */
static void take_back(struct call *c, int j)
{
    struct tw_reflectors *r = &c->f.r;
    const int b = c->block, k = tw_reflectors_width(r, b);
    struct tw_data *const T = r->T[b], *tail = tw_data_tile(c->f.A->type, k, k),
                          *none = tw_data_tile(c->f.A->type, k, 1);
    struct tw_matrix *Y = columns_of_r(c, j);
    struct tw_target on_Y = {0};

    if (Y && tail && none && !tw_target_begin(&on_Y, r, 'L', Y)) {
        zero(c, tail);
        tw_task_lacpy_block(r->seq, priority(c),
                            &(struct tw_block){.m = k - j, .n = k - j, .ai = j, .aj = j, .bi = j, .bj = j}, T, tail, 0);
        r->T[b] = tail;
        for (int line = b + 1; line < c->f.A->nt; line++)
            tw_reflect(r, b, 'N', &c->f.on_A, line, priority(c));
        tw_reflect(r, b, 'N', &on_Y, 0, priority(c));
        r->T[b] = T;
        columns_back(c, j, Y);
        factors_back(c, j, none);
    } else {
        tw_loop_fail(r->seq, TW_E_MEMORY, "geqp3rk_random: no memory for the end within a block: %s",
                     tw_last_message());
    }
    tw_target_end(&on_Y);
    tw_matrix_free_later(Y);
    tw_data_free_later(tail);
    tw_data_free_later(none);
}

/* ---- block by block ---------------------------------------------------------------------------------------------- */

static void finish(struct tw_sequence *seq, struct call *c, const struct tw_pivot_stop *s)
{
    tw_rank_told(&c->ends, s, tw_min(c->f.A->m, c->f.A->n));
    tw_sketched_finish(&c->f, c->block + 1);
    for (int k = c->block + 1; k < c->f.r.blocks; k++)
        zero(c, tw_tile(c->f.tau, k, 0));
    tw_jpvt_out(seq, c->f.jpvt, c->ends.jpvt);
}

static void look(struct tw_sequence *seq, struct call *c);

static void after_look(struct tw_sequence *seq, const void *value, void *args)
{
    const struct tw_pivot_stop *s = value;
    struct call *c = *(struct call **)args;
    const int64_t at = (int64_t)c->block * c->f.A->nb;

    if (s->stopped || c->block + 1 == c->f.r.blocks) {
        if (c->block >= 0 && s->k > at && s->k < at + tw_reflectors_width(&c->f.r, c->block))
            take_back(c, (int)(s->k - at));
        finish(seq, c, s);
        return;
    }
    c->block++;
    if (!tw_sketched_block(&c->f, c->block)) look(seq, c);
}

/* Norms of what is left behind the block, and a continuation. */
static void look(struct tw_sequence *seq, struct call *c)
{
    static const struct tw_pivot_stop modelled = {0};
    struct tw_matrix *A = c->f.A;
    const struct tw_use uses[] = {{NULL, A, TW_RW}, {NULL, c->f.tau, TW_RW}, {c->f.jpvt, NULL, TW_RW}};
    const int b = c->block, begins = b < 0, sums = A->nt - b - 1, tiles = begins ? 0 : A->nt - b;
    int made = 1;

    for (int j = b + 1; j < A->nt; j++) {
        struct tw_data *acc = tw_data_vector(2 * (size_t)tw_tile_cols(A, j), sizeof(double), (int[2]){-1, j});
        made &= (c->acc[j - b - 1] = acc) != NULL;
        for (int i = b + 1; acc && i < A->mt; i++)
            tw_task_colnorm2(seq, priority(c), tw_tile(A, i, j), acc);
    }
    for (int j = b; j < A->nt && !begins; j++)
        c->f.list[j - b] = tw_tile(A, b, j);
    if (made)
        tw_task_pivot_look(seq, priority(c), A->type, begins ? 0 : b * A->nb, A->n,
                           begins ? 0 : tw_reflectors_width(&c->f.r, b), b + 1 < c->f.r.blocks, c->f.list, tiles,
                           c->acc, sums, c->stop);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "geqp3rk_random: no memory for norms");
    for (int k = 0; k < sums; k++)
        tw_data_free_later(c->acc[k]);
    if (!made) return;
    c->owners++;
    tw_when_owning(seq, c->stop, &modelled, uses, 3, after_look, release, &c, sizeof c);
}

void tw_geqp3rk_random_loop(struct tw_sequence *seq, struct tw_matrix *A, const struct tw_rank_ends *ends,
                            struct tw_matrix *tau)
{
    struct call *c = calloc(1, sizeof *c);

    if (!c) {
        tw_loop_fail(seq, TW_E_MEMORY, "geqp3rk_random: no memory");
        return;
    }
    c->ends = *ends, c->owners = 1, c->block = -1;
    c->stop = tw_pivot_stop_of(A->type, ends);
    c->acc = malloc((size_t)A->nt * sizeof *c->acc);
    if (!c->stop || !c->acc)
        tw_loop_fail(seq, TW_E_MEMORY, "geqp3rk_random: no memory for norms");
    else if (!tw_sketched_begin(&c->f, seq, A, NULL, tau))
        look(seq, c);
    release(&c);
}
