/* A function of a hermitian matrix: its values at the eigenvalues, and eigenvectors times them.
 *
 * syfun_values   Arguments  the function; w: n eigenvalues, doubles of the caller's
 *                Buffers    x     W   n elements: the function's values, 0 from the first place on where it has none
 *                           info  RW  one int64_t: that place, 1-based
 *                           Z     R   hidden: a tile that is written once w is
 * syfun_columns  Arguments  first: of x, that column 0 is multiplied by
 *                Buffers    Z     R   m x n
 *                           x     R
 *                           G     W   m x n, Z diag(x) */
#include <float.h>
#include <math.h>
#include <tilework/type.h>
#include "codelets/eigen/eigen_bodies.h"

struct values {
    enum tw_function f;
    tw_function_fn fn;
    void *user;
    const double *w;
};

/* y = f(x): 0; or it is not defined there. Below `tiny` an eigenvalue's sign, and whether it is 0, are not known. */
static int at(const struct values *g, double x, double tiny, double *y)
{
    switch (g->f) {
    case TW_SQRT: *y = x > 0 ? sqrt(x) : 0; return x < -tiny;
    case TW_INVERSE: *y = 1 / x; return fabs(x) <= tiny;
    case TW_INVERSE_SQRT: *y = 1 / sqrt(x); return x <= tiny;
    case TW_EXP: *y = exp(x); return 0;
    case TW_LOG: *y = log(x); return x <= tiny;
    case TW_ABS: *y = fabs(x); return 0;
    default: return g->fn(g->user, x, y);
    }
}

static void put(enum tw_type type, void *x, int i, double value)
{
    const int at_real = tw_is_complex(type) ? 2 * i : i;

    if (tw_is_single(type))
        ((float *)x)[at_real] = (float)value;
    else
        ((double *)x)[at_real] = value;
    if (type == TW_COMPLEX_FLOAT) ((float *)x)[at_real + 1] = 0;
    if (type == TW_COMPLEX_DOUBLE) ((double *)x)[at_real + 1] = 0;
}

static int values(const struct tw_body *body)
{
    const struct values *g = body->args;
    const struct tw_buffer *x = &body->buf[0];
    const double most = tw_is_single(body->type) ? (double)FLT_MAX : DBL_MAX, eps = tw_type_eps(body->type);
    const double tiny = x->m > 0 ? x->m * eps * fmax(fabs(g->w[0]), fabs(g->w[x->m - 1])) : 0;
    int place = 0;

    for (int i = 0; i < x->m; i++) {
        double y = NAN;                      /* a function that says nothing has no value */
        if (tw_body_stopped(body)) return 0; /* a caller's function may take long */
        if (!place && (at(g, g->w[i], tiny, &y) || !(fabs(y) <= most))) place = i + 1;
        put(body->type, x->ptr, i, place ? 0 : y);
    }
    tw_combine_info(body->buf[1].ptr, 0, place);
    return 0;
}

struct columns {
    int first;
};

static int columns(const struct tw_body *body)
{
    const struct columns *g = body->args;
    const struct tw_buffer *z = &body->buf[0], *x = &body->buf[1], *to = &body->buf[2];
    return TW_DO(body, lascl_columns, z->m, z->n, z->ptr, z->ld,
                 (const char *)x->ptr + (size_t)g->first * tw_sizeof(body->type), to->ptr, to->ld);
}

static struct tw_codelet codelet_values = {.name = "syfun_values",
                                           .color = 0xBBBBBB,
                                           .rate = TW_RATE_MEMORY,
                                           .cpu = values},
                         codelet_columns = {.name = "lascl_columns",
                                            .color = 0xDDCC77,
                                            .rate = TW_RATE_MEMORY,
                                            .cpu = columns,
                                            .cuda = TW_CUDA_BODY(columns)};

void tw_task_syfun_values(struct tw_sequence *seq, int priority, enum tw_function f, tw_function_fn fn, void *user,
                          const double *w, struct tw_data *Z, struct tw_data *x, struct tw_data *info)
{
    const struct values args = {f, fn, user, w};
    const struct tw_access access[] = {{x, TW_W}, {info, TW_RW}, {Z, TW_R}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_values,
                                     .type = x->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .hidden = 1,
                                     .priority = priority,
                                     .size = x->m,
                                     .coord = {-1, -1, -1, -1}});
}

void tw_task_lascl_columns(struct tw_sequence *seq, int priority, tw_int first, struct tw_data *Z, struct tw_data *x,
                           struct tw_data *G)
{
    const struct columns args = {(int)first};
    const struct tw_access access[] = {{Z, TW_R}, {x, TW_R}, {G, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_columns,
                                     .type = G->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_geadd(G->type, G->m, G->n),
                                     .size = tw_smallest(G->m, G->n, G->n),
                                     .coord = {G->coord[0], G->coord[1], -1, -1}});
}
