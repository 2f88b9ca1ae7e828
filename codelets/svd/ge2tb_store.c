/* What a step of stage 1 leaves in the band: R, and right of it L.
 *
 * Arguments  column: the first, 0-based; the band's leading dimension and number of super-diagonals
 * Buffers    P     R   at least k rows, k columns: R in its upper triangle
 *            G     R   n x k (if the matrix does not end with P): L's adjoint in its upper trapezoid
 *            band  as tw_band_accesses says */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/svd_cpu.h"

struct args {
    int column, ld, b, right;
};

static int store(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *P = &body->buf[0], *G = &body->buf[1], *band = &body->buf[1 + g->right];
    const size_t diagonal = (size_t)(2 * g->b - 1) + (size_t)g->column * (size_t)g->ld;

    tw_svd_kernels[body->type]->store_band(P->n, P->ptr, P->ld, g->right ? (int)tw_min(G->m, G->n) : 0,
                                           g->right ? G->ptr : NULL, g->right ? G->ld : 0,
                                           (char *)band->ptr + diagonal * tw_sizeof(body->type), g->ld - 1);
    return 0;
}

static struct tw_codelet codelet = {.name = "ge2tb_store", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .cpu = store};

void tw_task_ge2tb_store(struct tw_sequence *seq, int priority, tw_int column, struct tw_data *P, struct tw_data *G,
                         struct tw_band *B)
{
    const struct args args = {(int)column, B->ld, B->b, G != NULL};
    const int columns = P->n + (G ? (int)tw_min(G->m, G->n) : 0);
    struct tw_access few[TW_COLUMN_FEW],
        *access = tw_accesses(seq, "ge2tb_store", 2 + tw_band_accesses_most(B, columns), few);
    int naccess = 0;

    if (!access) return;
    access[naccess++] = (struct tw_access){P, TW_R};
    if (G) access[naccess++] = (struct tw_access){G, TW_R};
    naccess += tw_band_accesses(B, (int)column, (int)column + columns, TW_RW, access + naccess);
    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = B->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = P->n,
                                     .coord = {(int)column / B->b, -1, -1, -1}});
    if (access != few) free(access);
}
