/* The triangle T of a block reflector whose V is written out, with ones and zeros, in whatever order of rows.
 *
 * Arguments  first: element of tau
 * Buffers    tau   R
 *            V     R        m x k
 *            T     W        k x k, zeros below its diagonal
 *            work  SCRATCH  k x k elements */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/sytrd_tasks.h"

struct args {
    int first;
};

static int form(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *tau = &body->buf[0], *V = &body->buf[1], *T = &body->buf[2];

    TW_STEP(TW_DO(body, herk, 'U', tw_real_trans(body->type, 'C'), V->n, V->m, 1, V->ptr, V->ld, 0, T->ptr, T->ld));
    return TW_DO(body, larft_finish, V->n, tw_at(body, tau, g->first, 0), T->ptr, T->ld, body->buf[3].ptr);
}

static struct tw_codelet codelet = {
    .name = "larft_v", .color = 0xF0E442, .rate = TW_RATE_SYRK, .cpu = form, .cuda = TW_CUDA_BODY(form)};

void tw_task_larft_v(struct tw_sequence *seq, int priority, int first, struct tw_data *tau, struct tw_data *V,
                     struct tw_data *T)
{
    const struct args args = {first};
    const size_t work = (size_t)V->n * (size_t)V->n * tw_sizeof(V->type);
    const struct tw_access access[] = {{tau, TW_R}, {V, TW_R}, {T, TW_W}, {tw_scratch(work), TW_SCRATCH}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = T->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 4,
                                     .priority = priority,
                                     .flops = tw_flops_syrk(T->type, V->n, V->m),
                                     .m = V->n,
                                     .n = V->n,
                                     .k = V->m,
                                     .coord = {-1, -1, -1, -1}});
}
