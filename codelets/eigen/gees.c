/* The Schur form of a general matrix put in an order, and condition numbers of eigenvalues and eigenvectors.
 *
 * trsen  Arguments  the head and the order; wr, wi and what else is the caller's
 *        Buffers    info   RW
 *                   state  R   the info of the QR iteration
 *                   scale  R   n reals, balancing's
 *                   T      RW  n x n
 *                   Z      RW  n x n, if wanted
 * trsna  Arguments  sense, first and how many, s, sep: the caller's
 *        Buffers    T       R  n x n
 *                   VL, VR  R  n x as many, if eigenvalues' are wanted */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/geev_tasks.h"
#include "kernels/eigen/cpu/gees.h"

/* Of the head and the order what counts: there is room for 96 bytes. */
struct order_args {
    int (*select)(void *user, double wr, double wi);
    void *user;
    double norm, norm_to, *wr, *wi;
    struct tw_gees_to to;
    int32_t ilo, ihi;
    char job, sense;
};
struct condition_args {
    double factor, *s, *sep;
    int first, count;
    char sense;
};

static int arrange(const struct tw_body *body)
{
    const struct order_args *g = body->args;
    const struct tw_buffer *t = &body->buf[3], *z = body->nbuf > 4 ? &body->buf[4] : NULL;
    const int before = *(const int32_t *)body->buf[1].ptr;
    const struct tw_geev_head head = {
        .ilo = g->ilo, .ihi = g->ihi, .finite = 1, .job = g->job, .norm = g->norm, .to = g->norm_to};
    const struct tw_gees_order order = {g->select, g->user, g->sense};
    struct tw_gees_found found;
    const int info = tw_gees_kernels[body->type]->arrange(t->m, &head, &order, before, t->ptr, t->ld, z ? z->ptr : NULL,
                                                          z ? z->ld : 1, body->buf[2].ptr, g->wr, g->wi, &found);

    if (info < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's trsen of order %d", t->m);
    if (g->to.sdim) *g->to.sdim = (tw_int)found.sdim;
    if (g->to.rconde) *g->to.rconde = found.rconde;
    if (g->to.rcondv) *g->to.rcondv = found.rcondv;
    tw_combine_info(body->buf[0].ptr, 0, info);
    return 0;
}

static int conditions(const struct tw_body *body)
{
    const struct condition_args *g = body->args;
    const struct tw_buffer *t = &body->buf[0], *l = body->nbuf > 1 ? &body->buf[1] : NULL, *r = l ? l + 1 : NULL;

    if (tw_gees_kernels[body->type]->conditions(g->sense, t->m, g->first, g->count, t->ptr, t->ld, l ? l->ptr : NULL,
                                                l ? l->ld : 1, r ? r->ptr : NULL, r ? r->ld : 1, g->factor,
                                                g->s ? g->s + g->first : NULL, g->sep ? g->sep + g->first : NULL))
        return tw_fail(TW_E_MEMORY, "no memory for LAPACK's trsna of order %d", t->m);
    return 0;
}

static struct tw_codelet codelet_arrange = {
    .name = "trsen", .color = 0x999933, .rate = TW_RATE_TRI, .share = 0.2, .cpu = arrange, .urgent = 1};
static struct tw_codelet codelet_conditions = {
    .name = "trsna", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.2, .cpu = conditions};

/* Each of k eigenvalues goes up by some n / 2 places, at 6 n flops each (12 with vectors); without an order T and Z are
 * read once. */
void tw_task_trsen(struct tw_sequence *seq, int priority, const struct tw_geev_head *head,
                   const struct tw_gees_order *order, double *wr, double *wi, struct tw_gees_to to, struct tw_data *T,
                   struct tw_data *Z, struct tw_data *scale, struct tw_data *state, struct tw_data *info)
{
    const struct order_args args = {.select = order->select,
                                    .user = order->user,
                                    .norm = head->norm,
                                    .norm_to = head->to,
                                    .wr = wr,
                                    .wi = wi,
                                    .to = to,
                                    .ilo = (int32_t)head->ilo,
                                    .ihi = (int32_t)head->ihi,
                                    .job = (char)head->job,
                                    .sense = order->sense};
    const struct tw_access access[] = {{info, TW_RW}, {state, TW_R}, {scale, TW_R}, {T, TW_RW}, {Z, TW_RW}};
    const double n = T->n;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_arrange,
                                     .type = T->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = Z ? 5 : 4,
                                     .priority = priority,
                                     .flops = tw_flop_factor(T->type) * (order->select ? 3 * n : 2) * n * n,
                                     .size = n,
                                     .coord = {-1, -1, -1, -1}});
}

/* An eigenvector's takes moving its eigenvalue to the top of a copy of T, and some solves; an eigenvalue's is a product
 * of two vectors. */
void tw_task_trsna(struct tw_sequence *seq, int priority, char sense, int first, int count, struct tw_data *T,
                   struct tw_data *VL, struct tw_data *VR, double factor, double *s, double *sep)
{
    const struct condition_args args = {factor, s, sep, first, count, sense};
    const struct tw_access access[] = {{T, TW_R}, {VL, TW_R}, {VR, TW_R}};
    const double n = T->n;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_conditions,
                                     .type = T->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = VL ? 3 : 1,
                                     .priority = priority,
                                     .flops = tw_flop_factor(T->type) * count * n * (sense == 'E' ? 6 : 10 * n),
                                     .size = n,
                                     .coord = {first, -1, -1, -1}});
}
