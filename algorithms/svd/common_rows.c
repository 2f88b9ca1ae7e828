/* Matrices on their way home: the first rows of one into one that has more, or fewer, of them; adjoints. */
#include "algorithms/svd/svd_loops.h"

static void one_tile(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int I, int J,
                     int overwrites)
{
    const tw_int rows = tw_min(from->m, to->m);

    for (int j = (int)(J * to->nb / from->nb); j < from->nt && j * from->nb < (J + 1) * to->nb; j++)
        for (int i = (int)(I * to->mb / from->mb); i < from->mt && i * from->mb < (I + 1) * to->mb; i++) {
            const tw_int r0 = tw_max(i * from->mb, I * to->mb), c0 = tw_max(j * from->nb, J * to->nb),
                         r1 = tw_min(tw_min((i + 1) * from->mb, (I + 1) * to->mb), rows),
                         c1 = tw_min(tw_min((j + 1) * from->nb, (J + 1) * to->nb), from->n);
            const struct tw_block block = {.m = (int)(r1 - r0),
                                           .n = (int)(c1 - c0),
                                           .ai = (int)(r0 - i * from->mb),
                                           .aj = (int)(c0 - j * from->nb),
                                           .bi = (int)(r0 - I * to->mb),
                                           .bj = (int)(c0 - J * to->nb)};
            if (r1 <= r0) continue;
            tw_task_lacpy_block(seq, tw_priority(seq, 1, 1, 1), &block, tw_tile(from, i, j), tw_tile(to, I, J),
                                overwrites);
            overwrites = 0;
        }
}

void tw_common_rows_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int content)
{
    for (int J = 0; J < to->nt && !tw_loop_status(seq); J++)
        for (int I = 0; I < to->mt && I * to->mb < from->m; I++) {
            one_tile(seq, from, to, I, J, !content);
            if (content) tw_bring_home(seq, tw_tile(to, I, J));
        }
}

struct tw_matrix *tw_adjoint(struct tw_sequence *seq, struct tw_matrix *A)
{
    struct tw_matrix *T = tw_matrix_temporary(A->type, A->n, A->m, A->nb, A->mb);

    if (!T && !tw_loop_status(seq)) tw_loop_fail(seq, TW_E_MEMORY, "an adjoint matrix: %s", tw_last_message());
    for (int j = 0; T && j < T->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < T->mt; i++)
            tw_task_transpose(seq, tw_priority(seq, 1, 1, 1), 'C', tw_tile(A, j, i), tw_tile(T, i, j));
    return T;
}

void tw_copy_home_loop(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to)
{
    if (from->m < to->m)
        tw_common_rows_loop(seq, from, to, 1);
    else
        tw_copy_loop(seq, from, to, 1);
}

void tw_leave_side(struct tw_sequence *seq, const struct tw_svd_side *side, struct tw_matrix *Z)
{
    struct tw_matrix *H = side->adjoint ? tw_adjoint(seq, Z) : Z;

    if (H) tw_copy_home_loop(seq, H, side->to);
    if (H && H != Z) tw_matrix_free_later(H);
    tw_matrix_free_later(Z);
}
