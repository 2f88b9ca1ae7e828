/* The bidiagonal matrix' singular values and vectors by LAPACK's bdsdc, on a core; and its vectors as columns that go back.
 *
 * bdsdc  Arguments  s: the caller's array; superb: the same, or NULL; scale: of the values; vectors
 *        Buffers    info   RW  LAPACK's, larger than 0: the matrix was not finite, and nothing is done
 *                   d, e   RW  n, n - 1: used up
 *                   U, VT  W   n x n, real (if vectors)
 * embed  Arguments  first: column; transposed
 *        Buffers    X  R  n x n, real
 *                   Z  W  n rows and more */
#include <math.h>
#include <string.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/svd_cpu.h"

struct bdsdc_args {
    double *s, *superb, scale;
    int vectors;
};
struct embed_args {
    int first, transposed;
};

static void clear(const struct tw_body *body, const struct tw_buffer *x)
{
    for (int j = 0; j < x->n; j++)
        memset(tw_at(body, x, 0, j), 0, (size_t)x->m * tw_sizeof(body->type));
}

static double number(const struct tw_body *body, const struct tw_buffer *x, int i)
{
    return tw_is_single(body->type) ? (double)((const float *)x->ptr)[i] : ((const double *)x->ptr)[i];
}

static int bdsdc(const struct tw_body *body)
{
    const struct bdsdc_args *g = body->args;
    const struct tw_buffer *d = &body->buf[1], *e = &body->buf[2], *u = g->vectors ? &body->buf[3] : NULL,
                           *vt = g->vectors ? &body->buf[4] : NULL;
    int64_t *info = body->buf[0].ptr;

    if (*info != 0) {
        if (u) clear(body, u), clear(body, vt);
    } else {
        const int k = tw_svd_kernels[body->type]->bdsdc(d->m, d->ptr, e->ptr, u ? u->ptr : NULL, u ? u->ld : 1,
                                                        vt ? vt->ptr : NULL, vt ? vt->ld : 1);
        if (k < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's bdsdc of order %d", d->m);
        for (int i = 0; k > 0 && g->superb && i + 1 < d->m; i++)
            g->superb[i] = g->scale * number(body, e, i);
        tw_combine_info(info, 0, k);
    }
    if (!g->vectors) /* for fault injection, which looks for tiles */
        tw_body_result(body, &(struct tw_buffer){.ptr = d->ptr, .m = d->m, .n = 1, .ld = d->m, .count = 1}, 1);
    for (int i = 0; i < d->m; i++)
        g->s[i] = *info != 0 ? NAN
                             : g->scale * number(body, d, i);
    return 0;
}

static int embed(const struct tw_body *body)
{
    const struct embed_args *g = body->args;
    const struct tw_buffer *x = &body->buf[0], *z = &body->buf[1];

    tw_svd_kernels[body->type]->embed(x->n, x->ptr, x->ld, g->transposed, g->first, z->n, z->m, z->ptr, z->ld);
    return 0;
}

static struct tw_codelet codelet_bdsdc = {.name = "bdsdc", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.3, .cpu = bdsdc},
                         codelet_embed = {.name = "bdsdc_embed", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.5, .cpu = embed};

void tw_task_bdsdc(struct tw_sequence *seq, int priority, double scale, struct tw_data *d, struct tw_data *e, double *s,
                   double *superb, struct tw_data *U, struct tw_data *VT, struct tw_data *info)
{
    const struct bdsdc_args args = {s, superb, scale, U != NULL};
    const struct tw_access access[] = {{info, TW_RW}, {d, TW_RW}, {e, TW_RW}, {U, TW_W}, {VT, TW_W}};
    const double n = d->m;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_bdsdc,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = U ? 5 : 3,
                                     .priority = priority,
                                     .flops = U ? 16 * n * n * n / 3 : 20 * n * n,
                                     .size = n,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_embed(struct tw_sequence *seq, int priority, int transposed, tw_int first, struct tw_data *X,
                   struct tw_data *Z)
{
    const struct embed_args args = {(int)first, transposed};
    const struct tw_access access[] = {{X, TW_R}, {Z, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_embed,
                                     .type = Z->type,
                                     .second = X->type == Z->type ? 0 : TW_SECOND(X->type),
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 2,
                                     .priority = priority,
                                     .size = tw_smallest(Z->m, Z->n, Z->n),
                                     .coord = {Z->coord[0], Z->coord[1], -1, -1}});
}
