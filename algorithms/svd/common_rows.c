/* The first rows of a matrix into one that has more, or fewer, of them. */
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
