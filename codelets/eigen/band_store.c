/* What a panel of stage 1 leaves in the band: the lower triangle of its diagonal block, and below it R.
 *
 * Arguments  column: the first, 0-based; the band's leading dimension and number of sub-diagonals
 * Buffers    D     R   k x k, lower triangle
 *            R     R   at least b x k, upper trapezoid (if the matrix does not end with D)
 *            band  as tw_band_accesses says */
#include <string.h>
#include "codelets/eigen/band.h"
#include "codelets/eigen/eigen_bodies.h"

struct args {
    int column, ld, b, below;
};

/* Rounding has left imaginary parts on the diagonal of a hermitian matrix. */
static void make_real(const struct tw_body *body, int n, char *at, int step)
{
    for (int i = 0; i < n && tw_is_complex(body->type); i++, at += (size_t)step * tw_sizeof(body->type))
        memset(at + tw_sizeof(body->type) / 2, 0, tw_sizeof(body->type) / 2);
}

static int store(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *D = &body->buf[0], *R = &body->buf[1], *band = &body->buf[1 + g->below];
    const size_t size = tw_sizeof(body->type);
    char *at = (char *)band->ptr +
               (size_t)g->column * (size_t)g->ld * size; /* a row on the diagonal is ld - 1 elements from the next */

    TW_CPU(body)->lacpy('L', D->m, D->n, D->ptr, D->ld, at, g->ld - 1);
    make_real(body, D->n, at, g->ld);
    if (g->below)
        TW_CPU(body)->lacpy('U', (int)tw_min(R->m, g->b), R->n, R->ptr, R->ld, at + (size_t)D->m * size, g->ld - 1);
    return 0;
}

static struct tw_codelet codelet = {.name = "band_store", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = store};

void tw_task_band_store(struct tw_sequence *seq, int priority, tw_int column, struct tw_data *D, struct tw_data *R,
                        struct tw_band *B)
{
    const struct args args = {(int)column, B->ld, B->b, R != NULL};
    struct tw_access few[TW_COLUMN_FEW],
        *access = tw_accesses(seq, "band_store", 2 + tw_band_accesses_most(B, D->n), few);
    int naccess = 0;

    if (!access) return;
    access[naccess++] = (struct tw_access){D, TW_R};
    if (R) access[naccess++] = (struct tw_access){R, TW_R};
    naccess += tw_band_accesses(B, (int)column, (int)column + D->n, TW_RW, access + naccess);
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = D->n,
                                     .coord = {(int)column / B->b, -1, -1, -1}});
    if (access != few) free(access);
}
