/* A = offdiag everywhere and diag on the tile's own diagonal, all of it or one triangle; or on another diagonal.
 *
 * Arguments  uplo: 'G' (all), 'L' or 'U' (the triangle with its diagonal); offdiag, diag; shift: the elements (r, c)
 *            with r = c + shift get diag, 0 but with 'G'
 * Buffers    A  W  m x n; RW when only a triangle is written */
#include "codelets/dense/dense_bodies.h"

struct args {
    char uplo;
    tw_scalar offdiag, diag;
    tw_int shift;
};

/* What of the tile begins on its diagonal, m x n from `at` on; 0 if there is nothing. */
static int on_diagonal(const struct tw_body *body, const struct args *g, int *m, int *n, char **at)
{
    const struct tw_buffer *a = &body->buf[0];
    const tw_int row = tw_max(g->shift, 0), col = tw_max(-g->shift, 0);

    if (row >= a->m || col >= a->n) return 0;
    *m = a->m - (int)row, *n = a->n - (int)col;
    *at = (char *)a->ptr + ((size_t)col * (size_t)a->ld + (size_t)row) * tw_sizeof(body->type);
    return 1;
}

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    int m, n;
    char *at;

    TW_CPU(body)->laset(g->uplo, a->m, a->n, g->offdiag, g->shift ? g->offdiag : g->diag, a->ptr, a->ld);
    if (g->shift && on_diagonal(body, g, &m, &n, &at)) TW_CPU(body)->laset('G', m, n, g->offdiag, g->diag, at, a->ld);
    return 0;
}

static int cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[0];
    int m, n, e;
    char *at;

    e = TW_CUDA(body)->laset(body->cuda, g->uplo, a->m, a->n, g->offdiag, g->shift ? g->offdiag : g->diag, a->ptr,
                             a->ld);
    if (e || !g->shift || !on_diagonal(body, g, &m, &n, &at)) return e;
    return TW_CUDA(body)->laset(body->cuda, 'G', m, n, g->offdiag, g->diag, at, a->ld);
}

static struct tw_codelet codelet = {
    .name = "laset", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = cpu, .cuda = TW_CUDA_BODY(cuda)};

static void submit(struct tw_sequence *seq, int priority, const struct args *args, struct tw_data *A)
{
    const struct tw_access access[] = {{A, args->uplo == 'G' ? TW_W : TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = args,
                                     .args_size = sizeof *args,
                                     .access = access,
                                     .naccess = 1,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}

void tw_task_laset(struct tw_sequence *seq, int priority, char uplo, tw_scalar offdiag, tw_scalar diag,
                   struct tw_data *A)
{
    submit(seq, priority, &(struct args){uplo, offdiag, diag, 0}, A);
}

void tw_task_laset_diagonal(struct tw_sequence *seq, int priority, tw_scalar offdiag, tw_scalar diag, tw_int shift,
                            struct tw_data *A)
{
    submit(seq, priority, &(struct args){'G', offdiag, diag, shift}, A);
}
