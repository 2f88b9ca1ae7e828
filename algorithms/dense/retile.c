/* A matrix in other tiles: a temporary copy, for routines whose operands are not cut where the algorithm needs it. */
#include "algorithms/dense/dense_loops.h"

/* Where a block lies whose first element is (r, c): the rows of a triangle's column c begin or end at row c. */
struct place {
    tw_int r0, r1, c0, c1;
};
/* The block [r0, r1) x [c0, c1) of the matrices, from the one's tile to the other's. */
static void one_block(struct tw_sequence *seq, int priority, char uplo, struct place p, struct tw_matrix *from, int i,
                      int j, struct tw_matrix *to, int I, int J, int overwrites)
{
    const struct tw_block at = {.m = (int)(p.r1 - p.r0),
                                .n = (int)(p.c1 - p.c0),
                                .ai = (int)(p.r0 - i * from->mb),
                                .aj = (int)(p.c0 - j * from->nb),
                                .bi = (int)(p.r0 - I * to->mb),
                                .bj = (int)(p.c0 - J * to->nb)};
    if (at.m > 0 && at.n > 0)
        tw_task_lacpy_part(seq, priority, uplo, &at, tw_tile(from, i, j), tw_tile(to, I, J), overwrites);
}

/* What the block has of a triangle: its full columns (lower) or rows (upper) apart, the rest begins on the diagonal. */
static void one_part(struct tw_sequence *seq, int priority, enum tw_uplo uplo, struct place p, struct tw_matrix *from,
                     int i, int j, struct tw_matrix *to, int I, int J)
{
    struct place all = p;

    if (uplo == TW_LOWER) {
        all.c1 = tw_min(p.c1, tw_max(p.c0, p.r0)), p.c0 = all.c1, p.r0 = tw_max(p.r0, p.c0);
    } else {
        all.r1 = tw_min(p.r1, tw_max(p.r0, p.c0)), p.r0 = all.r1, p.c0 = tw_max(p.c0, p.r0);
    }
    one_block(seq, priority, 'G', all, from, i, j, to, I, J, 0);
    one_block(seq, priority, (char)uplo, p, from, i, j, to, I, J, 0);
}

void tw_copy_part_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *from, struct tw_matrix *to,
                       int final)
{
    const int priority = tw_priority(seq, 1, 1, 1);

    if (uplo == TW_GENERAL) {
        tw_copy_loop(seq, from, to, final);
        return;
    }
    for (int J = 0; J < to->nt && !tw_loop_status(seq); J++)
        for (int I = 0; I < to->mt; I++) {
            const struct place t = {I * to->mb, tw_min((I + 1) * to->mb, to->m), J * to->nb,
                                    tw_min((J + 1) * to->nb, to->n)};
            if (uplo == TW_LOWER ? t.r1 <= t.c0 : t.c1 <= t.r0) continue; /* wholly in the other triangle */
            for (int j = (int)(t.c0 / from->nb); j * from->nb < t.c1; j++)
                for (int i = (int)(t.r0 / from->mb); i * from->mb < t.r1; i++) {
                    const struct place p = {tw_max(t.r0, i * from->mb), tw_min(t.r1, (i + 1) * from->mb),
                                            tw_max(t.c0, j * from->nb), tw_min(t.c1, (j + 1) * from->nb)};
                    if (uplo == TW_LOWER ? p.r1 > p.c0 : p.c1 > p.r0)
                        one_part(seq, priority, uplo, p, from, i, j, to, I, J);
                }
            if (final) tw_bring_home(seq, tw_tile(to, I, J));
        }
}

/* Every tile of `to` is put together from what lies under it in `from`, which may have fewer columns: those behind
 * stay. The first piece may overwrite all of the tile. info: only if it is 0. */
static void copy(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int final, struct tw_data *info)
{
    const int priority = tw_priority(seq, 1, 1, 1);

    for (int J = 0; J < to->nt && J * to->nb < from->n && !tw_loop_status(seq); J++)
        for (int I = 0; I < to->mt; I++) {
            const tw_int i0 = I * to->mb, j0 = J * to->nb, i1 = tw_min(i0 + to->mb, to->m),
                         j1 = tw_min(j0 + to->nb, from->n);
            int first = j1 == tw_min(j0 + to->nb, to->n);
            for (int j = (int)(j0 / from->nb); j * from->nb < j1; j++)
                for (int i = (int)(i0 / from->mb); i * from->mb < i1; i++) {
                    const tw_int r0 = tw_max(i0, i * from->mb), r1 = tw_min(i1, (i + 1) * from->mb),
                                 c0 = tw_max(j0, j * from->nb), c1 = tw_min(j1, (j + 1) * from->nb);
                    const struct tw_block at = {.m = (int)(r1 - r0),
                                                .n = (int)(c1 - c0),
                                                .ai = (int)(r0 - i * from->mb),
                                                .aj = (int)(c0 - j * from->nb),
                                                .bi = (int)(r0 - i0),
                                                .bj = (int)(c0 - j0)};
                    if (info)
                        tw_task_lacpy_block_if(seq, priority, &at, tw_tile(from, i, j), tw_tile(to, I, J), info);
                    else
                        tw_task_lacpy_block(seq, priority, &at, tw_tile(from, i, j), tw_tile(to, I, J), first);
                    first = 0;
                }
            if (final) tw_bring_home(seq, tw_tile(to, I, J));
        }
}

void tw_copy_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int final)
{
    copy(seq, from, to, final, NULL);
}

/* In A's shape, without content. */
static struct tw_matrix *blank(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb)
{
    struct tw_matrix *T;

    if (!(T = tw_matrix_temporary(A->type, A->m, A->n, mb, nb))) {
        tw_loop_fail(seq, TW_E_MEMORY, "a copy in tiles of %lld x %lld: %s", (long long)mb, (long long)nb,
                     tw_last_message());
        return NULL;
    }
    for (int J = 0; J < T->nt; J++) /* each belongs to whom its first element belongs */
        for (int I = 0; I < T->mt; I++)
            tw_data_set_owner(tw_tile(T, I, J), tw_tile(A, (int)(I * mb / A->mb), (int)(J * nb / A->nb))->owner);
    return T;
}

struct tw_matrix *tw_copied(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb)
{
    struct tw_matrix *T = blank(seq, A, mb, nb);
    if (T) tw_copy_loop(seq, A, T, 0);
    return T;
}

static int fits(const struct tw_matrix *A, tw_int mb, tw_int nb)
{
    return tw_same_cuts(A->m, A->mb, mb) && tw_same_cuts(A->n, A->nb, nb);
}

struct tw_matrix *tw_retiled(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb)
{
    return fits(A, mb, nb) ? A : tw_copied(seq, A, mb, nb);
}

struct tw_matrix *tw_retiled_for(struct tw_sequence *seq, struct tw_matrix *A, tw_int mb, tw_int nb, int reads)
{
    return fits(A, mb, nb) || reads ? tw_retiled(seq, A, mb, nb) : blank(seq, A, mb, nb);
}

void tw_retiled_end(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *T, int written)
{
    if (T == A || !T) return;
    if (written) tw_copy_loop(seq, T, A, 1);
    tw_matrix_free_later(T);
}

void tw_copied_end_if(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *T, struct tw_data *info)
{
    if (!T) return;
    copy(seq, T, A, 1, info);
    tw_matrix_free_later(T);
}
