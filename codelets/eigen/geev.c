/* The eigenvalue problem of a general matrix around its reduction to Hessenberg form.
 *
 * gebal       Buffers    scale  W   n reals
 *                        head   W   a struct tw_geev_head
 *                        A      RW  n x n
 * hseqr       Arguments  the head; wr, wi: the caller's
 *             Buffers    info   RW
 *                        state  W   n + 1 int32
 *                        H      RW  n x n
 *                        Z      RW  n x n, if wanted
 * trevc       Arguments  side, first column
 *             Buffers    T  R  n x n
 *                        X  W  some columns, of those rows that are not zero
 * trevc_back  Arguments  side, first column
 *             Buffers    Z  R  n x n
 *                        X  R
 *                        V  W  n x as many
 * gebak       Arguments  side, first column, the head
 *             Buffers    scale, state  R
 *                        V             RW */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/geev_tasks.h"
#include "kernels/eigen/cpu/geev.h"

static const tw_scalar zero = {0, 0}, one = {1, 0};

struct schur_args {
    struct tw_geev_head head;
    double *wr, *wi;
};
struct vector_args {
    struct tw_geev_head head; /* gebak's */
    int first;
    char side;
};

static int balance(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[2];

    if (tw_geev_kernels[body->type]->balance(a->m, a->ptr, a->ld, body->buf[0].ptr, body->buf[1].ptr))
        return tw_fail(TW_E_MEMORY, "no memory for balancing a matrix of order %d", a->m);
    return 0;
}

static int schur(const struct tw_body *body)
{
    const struct schur_args *g = body->args;
    const struct tw_buffer *h = &body->buf[2], *z = body->nbuf > 3 ? &body->buf[3] : NULL;
    int32_t *state = body->buf[1].ptr;

    state[0] = tw_geev_kernels[body->type]->schur(h->m, &g->head, h->ptr, h->ld, z ? z->ptr : NULL, z ? z->ld : 1,
                                                  g->wr, g->wi, state + 1);
    if (state[0] < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's hseqr of order %d", h->m);
    tw_combine_info(body->buf[0].ptr, 0, state[0]);
    return 0;
}

static int solve(const struct tw_body *body)
{
    const struct vector_args *g = body->args;
    const struct tw_buffer *t = &body->buf[0], *x = &body->buf[1];

    if (tw_geev_kernels[body->type]->solve(g->side, t->m, g->first, x->n, t->ptr, t->ld, x->ptr, x->ld))
        return tw_fail(TW_E_MEMORY, "no memory for LAPACK's trevc3 of order %d", t->m);
    return 0;
}

static int back(const struct tw_body *body)
{
    const struct vector_args *g = body->args;
    const struct tw_buffer *z = &body->buf[0], *x = &body->buf[1], *v = &body->buf[2];

    return TW_DO(body, gemm, 'N', 'N', v->m, v->n, x->m, one, tw_at(body, z, 0, g->side == 'L' ? g->first : 0), z->ld,
                 x->ptr, x->ld, zero, v->ptr, v->ld);
}

static int finish(const struct tw_body *body)
{
    const struct vector_args *g = body->args;
    const struct tw_buffer *v = &body->buf[2];

    tw_geev_kernels[body->type]->finish(g->side, v->m, v->n, &g->head, body->buf[0].ptr,
                                        (const int32_t *)body->buf[1].ptr + 1 + g->first, v->ptr, v->ld);
    return 0;
}

static struct tw_codelet codelet_balance = {
    .name = "gebal", .color = 0xDDAA33, .rate = TW_RATE_MEMORY, .share = 0.1, .cpu = balance, .urgent = 1};
static struct tw_codelet codelet_schur = {
    .name = "hseqr", .color = 0x882255, .rate = TW_RATE_TRI, .share = 0.3, .cpu = schur, .urgent = 1};
static struct tw_codelet codelet_solve = {
    .name = "trevc", .color = 0x44AA99, .rate = TW_RATE_TRI, .share = 0.2, .cpu = solve};
static struct tw_codelet codelet_back = {
    .name = "trevc_back", .color = 0x117733, .rate = TW_RATE_GEMM, .cpu = back, .cuda = TW_CUDA_BODY(back)};
static struct tw_codelet codelet_finish = {
    .name = "gebak", .color = 0xBBBBBB, .rate = TW_RATE_MEMORY, .share = 0.3, .cpu = finish};

void tw_task_gebal(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *scale,
                   struct tw_data *head)
{
    const struct tw_access access[] = {{scale, TW_W}, {head, TW_W}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_balance,
                                     .type = A->type,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .size = A->n,
                                     .coord = {-1, -1, -1, -1}});
}

/* Some 10 n^3 flops for T, and for Z as many as for half of it (K. Braman, R. Byers, R. Mathias, SIAM J. Matrix Anal. Appl. 23, 2002, count up to 25 n^3 without early deflation). */
void tw_task_hseqr(struct tw_sequence *seq, int priority, const struct tw_geev_head *head, double *wr, double *wi,
                   struct tw_data *H, struct tw_data *Z, struct tw_data *state, struct tw_data *info)
{
    const struct schur_args args = {*head, wr, wi};
    const struct tw_access access[] = {{info, TW_RW}, {state, TW_W}, {H, TW_RW}, {Z, TW_RW}};
    const double n = H->n;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_schur,
                                     .type = H->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = Z ? 4 : 3,
                                     .priority = priority,
                                     .flops = tw_flop_factor(H->type) * (Z ? 15 : 10) * n * n * n,
                                     .size = n,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_trevc(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *T, struct tw_data *X)
{
    const struct vector_args args = {.first = first, .side = side};
    const struct tw_access access[] = {{T, TW_R}, {X, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_solve,
                                     .type = T->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .flops = tw_flops_trsm(T->type, 'L', X->m, X->n),
                                     .size = tw_smallest(X->m, X->n, X->n),
                                     .coord = {first, side == 'L', -1, -1}});
}

void tw_task_trevc_back(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *Z,
                        struct tw_data *X, struct tw_data *V)
{
    const struct vector_args args = {.first = first, .side = side};
    const struct tw_access access[] = {{Z, TW_R}, {X, TW_R}, {V, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_back,
                                     .type = Z->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(Z->type, V->m, V->n, X->m),
                                     .m = V->m,
                                     .n = V->n,
                                     .k = X->m,
                                     .coord = {first, side == 'L', -1, -1}});
}

void tw_task_gebak(struct tw_sequence *seq, int priority, char side, int first, const struct tw_geev_head *head,
                   struct tw_data *scale, struct tw_data *state, struct tw_data *V)
{
    const struct vector_args args = {.head = *head, .first = first, .side = side};
    const struct tw_access access[] = {{scale, TW_R}, {state, TW_R}, {V, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_finish,
                                     .type = V->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .size = tw_smallest(V->m, V->n, V->n),
                                     .coord = {first, side == 'L', -1, -1}});
}
