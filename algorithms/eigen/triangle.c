/* A hermitian matrix, given by one triangle in whatever tiles, as a triangle of a copy in square tiles. */
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/sytrd_tasks.h"

/* The piece of from's tile (i, j) that lies in to's tile (I, J): 0 if there is none. */
static int common(const struct tw_matrix *from, int i, int j, const struct tw_matrix *to, int I, int J,
                  struct tw_block *piece)
{
    const tw_int r0 = tw_max(i * from->mb, I * to->mb),
                 r1 = tw_min((i + 1) * from->mb, tw_min((I + 1) * to->mb, to->m)),
                 c0 = tw_max(j * from->nb, J * to->nb),
                 c1 = tw_min((j + 1) * from->nb, tw_min((J + 1) * to->nb, to->n));

    *piece = (struct tw_block){.m = (int)(r1 - r0),
                               .n = (int)(c1 - c0),
                               .ai = (int)(r0 - i * from->mb),
                               .aj = (int)(c0 - j * from->nb),
                               .bi = (int)(r0 - I * to->mb),
                               .bj = (int)(c0 - J * to->nb)};
    return r1 > r0 && c1 > c0;
}

/* Tile (I, J) of `to`, as far as `from` stores it; what else it has is undefined. */
static void assemble(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *from, struct tw_matrix *to, int I,
                     int J)
{
    const int priority = tw_priority(seq, 1, 1, 1);
    struct tw_block piece;
    int overwrites = 1;

    for (int j = (int)(J * to->nb / from->nb); j < from->nt && j * from->nb < (J + 1) * to->nb; j++)
        for (int i = (int)(I * to->mb / from->mb); i < from->mt && i * from->mb < (I + 1) * to->mb; i++) {
            if ((uplo == TW_LOWER ? i < j : i > j) || !common(from, i, j, to, I, J, &piece)) continue;
            tw_task_lacpy_block(seq, priority, &piece, tw_tile(from, i, j), tw_tile(to, I, J), overwrites);
            overwrites = 0;
        }
}

/* Square tiles without content. */
static struct tw_matrix *blank(struct tw_sequence *seq, const struct tw_matrix *A, tw_int nb)
{
    struct tw_matrix *T = tw_matrix_temporary(A->type, A->n, A->n, nb, nb);

    if (!T) tw_loop_fail(seq, TW_E_MEMORY, "a copy of the matrix: %s", tw_last_message());
    return T;
}

struct tw_matrix *tw_triangle_copy(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int nb)
{
    struct tw_matrix *T = blank(seq, A, nb);

    for (int J = 0; T && J < T->nt && !tw_loop_status(seq); J++)
        for (int I = J; I < T->mt; I++)
            assemble(seq, uplo, A, T, uplo == TW_LOWER ? I : J, uplo == TW_LOWER ? J : I);
    return T;
}

struct tw_matrix *tw_lower_copy(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int nb)
{
    struct tw_matrix *T = tw_triangle_copy(seq, uplo, A, nb), *L = T;

    if (!T || uplo == TW_LOWER) return T;
    if ((L = blank(seq, A, nb)))
        for (int J = 0; J < L->nt && !tw_loop_status(seq); J++)
            for (int I = J; I < L->mt; I++)
                tw_task_transpose(seq, tw_priority(seq, 1, 1, 1), 'C', tw_tile(T, J, I), tw_tile(L, I, J));
    tw_matrix_free_later(T);
    return L;
}

/* The same of a copy in the opposite order: rows [r, r + m) of `from` are rows n - r - m ... of `to`. */
static int common_reversed(const struct tw_matrix *from, int i, int j, const struct tw_matrix *to, int I, int J,
                           struct tw_block *piece)
{
    const tw_int n = to->n, r0 = tw_max(I * to->mb, n - tw_min((i + 1) * from->mb, n)),
                 r1 = tw_min(tw_min((I + 1) * to->mb, n), n - i * from->mb),
                 c0 = tw_max(J * to->nb, n - tw_min((j + 1) * from->nb, n)),
                 c1 = tw_min(tw_min((J + 1) * to->nb, n), n - j * from->nb);

    *piece = (struct tw_block){.m = (int)(r1 - r0),
                               .n = (int)(c1 - c0),
                               .ai = (int)(n - r1 - i * from->mb),
                               .aj = (int)(n - c1 - j * from->nb),
                               .bi = (int)(r0 - I * to->mb),
                               .bj = (int)(c0 - J * to->nb)};
    return r1 > r0 && c1 > c0;
}

static void assemble_reversed(struct tw_sequence *seq, struct tw_matrix *from, struct tw_matrix *to, int I, int J)
{
    const int priority = tw_priority(seq, 1, 1, 1);
    struct tw_block piece;
    int overwrites = 1;

    for (int j = 0; j < from->nt; j++)
        for (int i = 0; i <= j; i++) {
            if (!common_reversed(from, i, j, to, I, J, &piece)) continue;
            tw_task_lacpy_reversed(seq, priority, &piece, tw_tile(from, i, j), tw_tile(to, I, J), overwrites);
            overwrites = 0;
        }
}

struct tw_matrix *tw_reversed_copy(struct tw_sequence *seq, struct tw_matrix *A, tw_int nb)
{
    struct tw_matrix *L = blank(seq, A, nb);

    for (int J = 0; L && J < L->nt && !tw_loop_status(seq); J++)
        for (int I = J; I < L->mt; I++)
            assemble_reversed(seq, A, L, I, J);
    return L;
}
