/* The eigenvalue problem of a general matrix around its reduction to Hessenberg form.
 *
 * gebal       Arguments  job; scale: the caller's, or NULL
 *             Buffers    scale  W   n reals
 *                        head   W   a struct tw_geev_head
 *                        A      RW  n x n
 * hseqr       Arguments  the head; wr, wi: the caller's
 *             Buffers    info   RW
 *                        state  W   n + 1 int32
 *                        H      RW  n x n
 *                        Z      RW  n columns, if wanted
 *             or         H, Z   RW
 * trevc       Arguments  side, first column
 *             Buffers    T  R  n x n
 *                        X  W  some columns, of those rows that are not zero
 * trevc_back  Arguments  side, first column
 *             Buffers    Z  R  each  one or two, n columns, together n rows
 *                        X  R
 *                        V  W  n x as many
 * gebak       Arguments  side, first column, the head
 *             Buffers    scale, state  R
 *                        V             RW */
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/geev_tasks.h"
#include "kernels/eigen/cpu/geev.h"

static const tw_scalar zero = {0, 0}, one = {1, 0};

struct balance_args {
    double *scale;
    char job;
};
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
    const struct balance_args *g = body->args;
    const struct tw_buffer *a = &body->buf[2];
    const void *scale = body->buf[0].ptr;

    tw_geev_kernels[body->type]->balance(g->job, g->scale != NULL, a->m, a->ptr, a->ld, body->buf[0].ptr,
                                         body->buf[1].ptr);
    for (int i = 0; g->scale && i < a->m; i++)
        g->scale[i] = tw_is_single(body->type) ? (double)((const float *)scale)[i] : ((const double *)scale)[i];
    return 0;
}

static int schur(const struct tw_body *body)
{
    const struct schur_args *g = body->args;
    const int at = g->wr ? 2 : 0; /* what comes before H */
    const struct tw_buffer *h = &body->buf[at], *z = body->nbuf > at + 1 ? &body->buf[at + 1] : NULL;
    int32_t *state = g->wr ? body->buf[1].ptr : NULL;
    const int info = tw_geev_kernels[body->type]->schur(h->m, &g->head, h->ptr, h->ld, z ? z->ptr : NULL, z ? z->ld : 1,
                                                        z ? z->m : 0, g->wr, g->wi, state ? state + 1 : NULL);

    if (info < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's hseqr of order %d", h->m);
    if (!state) return 0;
    state[0] = info;
    tw_combine_info(body->buf[0].ptr, 0, info);
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
    const int pieces = body->nbuf - 2;
    const struct tw_buffer *x = &body->buf[pieces], *v = x + 1;

    for (int k = 0, row = 0; k < pieces; row += body->buf[k++].m)
        TW_STEP(TW_DO(body, gemm, 'N', 'N', body->buf[k].m, v->n, x->m, one,
                      tw_at(body, &body->buf[k], 0, g->side == 'L' ? g->first : 0), body->buf[k].ld, x->ptr, x->ld,
                      zero, tw_at(body, v, row, 0), v->ld));
    return 0;
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

void tw_task_gebal(struct tw_sequence *seq, int priority, char job, struct tw_data *A, struct tw_data *scale,
                   struct tw_data *head, double *to)
{
    const struct balance_args args = {to, job};
    const struct tw_access access[] = {{scale, TW_W}, {head, TW_W}, {A, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_balance,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .size = A->n,
                                     .coord = {-1, -1, -1, -1}});
}

/* Some 10 n^3 flops for T, and for Z as many as for half of it (K. Braman, R. Byers, R. Mathias, SIAM J. Matrix Anal.
 * Appl. 23, 2002, count up to 25 n^3 without early deflation). */
void tw_task_hseqr(struct tw_sequence *seq, int priority, const struct tw_geev_head *head, double *wr, double *wi,
                   struct tw_data *H, struct tw_data *Z, struct tw_data *state, struct tw_data *info)
{
    const struct schur_args args = {*head, wr, wi};
    const struct tw_access access[] = {{info, TW_RW}, {state, TW_W}, {H, TW_RW}, {Z, TW_RW}};
    const int skip = state ? 0 : 2;
    const double n = H->n, rows = Z ? Z->m / n : 0;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_schur,
                                     .type = H->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access + skip,
                                     .naccess = (Z ? 4 : 3) - skip,
                                     .priority = priority,
                                     .flops = tw_flop_factor(H->type) * (10 + 5 * rows) * n * n * n,
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

void tw_task_trevc_back(struct tw_sequence *seq, int priority, char side, int first, struct tw_data *const *Z,
                        int pieces, struct tw_data *X, struct tw_data *V)
{
    const struct vector_args args = {.first = first, .side = side};
    const int two = pieces == 2;
    const struct tw_access access[] = {
        {Z[0], TW_R}, {two ? Z[1] : X, TW_R}, {two ? X : V, two ? TW_R : TW_W}, {V, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_back,
                                     .type = V->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = pieces + 2,
                                     .priority = priority,
                                     .flops = tw_flops_gemm(V->type, V->m, V->n, X->m),
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
