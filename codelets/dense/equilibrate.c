/* Row and column scalings (LAPACK's geequ and geequb): a look at each element.
 *
 * rowmax       A R, rows RW (m doubles, the largest |a_ij| so far)
 * colmax       A R, rows R, cols RW (n doubles, the largest |a_ij| rows_i so far)
 * reciprocals  out W (n + 3 doubles: the scalings, their spread, the largest of what they are reciprocals of, and the
 *              1-based place of the first zero, 0 if there is none), info RW (offset + that place, if it was 0 or
 *              larger), parts RW each (n doubles together, with radix powers of 2 in their places: they become the
 *              scalings, unless there is a zero), list
 *              SCRATCH (their addresses, for the GPU; only when one is in use) */
#include "codelets/dense/column.h"
#include "kernels/dense/cuda/gmres.h"

static int cpu_rows(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->rowmax(a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
    return 0;
}
static int cpu_cols(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    TW_CPU(body)->colmax_scaled(a->m, a->n, a->ptr, a->ld, body->buf[1].ptr, body->buf[2].ptr);
    return 0;
}
static int cuda_rows(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    return tw_gmres_cuda_kernels[body->type]->rowmax(body->cuda, a->m, a->n, a->ptr, a->ld, body->buf[1].ptr);
}
static int cuda_cols(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0];
    return tw_gmres_cuda_kernels[body->type]->colmax_scaled(body->cuda, a->m, a->n, a->ptr, a->ld, body->buf[1].ptr,
                                                            body->buf[2].ptr);
}
static struct tw_codelet rowmax = {
    .name = "rowmax", .color = 0x66AABB, .rate = TW_RATE_MEMORY, .cpu = cpu_rows, .cuda = TW_CUDA_BODY(cuda_rows)};
static struct tw_codelet colmax = {.name = "colmax_scaled",
                                   .color = 0x66AACC,
                                   .rate = TW_RATE_MEMORY,
                                   .cpu = cpu_cols,
                                   .cuda = TW_CUDA_BODY(cuda_cols)};

static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, struct tw_data *A,
                   struct tw_data *rows, struct tw_data *cols)
{
    const struct tw_access access[] = {{A, TW_R}, {rows, cols ? TW_R : TW_RW}, {cols, TW_RW}};

    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = A->type,
                                     .access = access,
                                     .naccess = cols ? 3 : 2,
                                     .priority = priority,
                                     .size = tw_smallest(A->m, A->n, A->n),
                                     .coord = {A->coord[0], A->coord[1], -1, -1}});
}
void tw_task_rowmax(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *rows)
{
    submit(seq, priority, &rowmax, A, rows, NULL);
}
void tw_task_colmax_scaled(struct tw_sequence *seq, int priority, struct tw_data *A, struct tw_data *rows,
                           struct tw_data *cols)
{
    submit(seq, priority, &colmax, A, rows, cols);
}

struct args {
    int64_t offset;
    int parts, radix;
};

static int cpu_reciprocals(const struct tw_body *body)
{
    const struct args *g = body->args;
    double *out = body->buf[0].ptr, least = 0, most = 0;
    int n = 0, zero = 0;

    for (int k = 2; k < 2 + g->parts; k++) {
        double *x = body->buf[k].ptr;
        if (g->radix) TW_CPU(body)->radix_powers(body->buf[k].m, x);
        for (int i = 0; i < body->buf[k].m; i++, n++) {
            if (n == 0 || x[i] < least) least = x[i];
            if (x[i] > most) most = x[i];
            if (x[i] == 0 && !zero) zero = n + 1;
            out[n] = x[i];
        }
    }
    out[n] = 0;
    out[n + 1] = most;
    out[n + 2] = zero;
    tw_combine_info(body->buf[1].ptr, g->offset, zero);
    if (zero) return 0;
    out[n] = TW_CPU(body)->reciprocals(n, out, least, most);
    for (int k = 2, at = 0; k < 2 + g->parts; k++)
        for (int i = 0; i < body->buf[k].m; i++)
            ((double *)body->buf[k].ptr)[i] = out[at++];
    return 0;
}
static int cuda_reciprocals(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct tw_column parts;
    int e = tw_column_begin(&parts, body, 2, g->parts);

    if (!e)
        e = tw_gmres_cuda_kernels[body->type]->reciprocals(body->cuda, g->radix, &parts.tiles, body->buf[0].ptr,
                                                           body->buf[1].ptr, g->offset, body->buf[2 + g->parts].ptr);
    tw_column_end(&parts);
    return e;
}
static struct tw_codelet reciprocals = {.name = "reciprocals",
                                        .color = 0x66AADD,
                                        .rate = TW_RATE_MEMORY,
                                        .cpu = cpu_reciprocals,
                                        .cuda = TW_CUDA_BODY(cuda_reciprocals)};

void tw_task_reciprocals(struct tw_sequence *seq, int priority, enum tw_type type, int radix,
                         struct tw_data *const *part, int count, struct tw_data *out, tw_int offset,
                         struct tw_data *info)
{
    const struct args args = {offset, count, radix};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "reciprocals", 3 + count, few);
    int naccess = 2 + count;

    if (!access) return;
    access[0] = (struct tw_access){out, TW_RW};
    access[1] = (struct tw_access){info, TW_RW};
    for (int i = 0; i < count; i++)
        access[2 + i] = (struct tw_access){part[i], TW_RW};
    if (tw_has_cuda())
        access[naccess++] =
            (struct tw_access){tw_scratch(((size_t)count + 63) / 64 * 64 * sizeof(struct tw_tile_at)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &reciprocals,
                                     .type = type,
                                     .access = access,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = part[0]->m,
                                     .coord = {-1, -1, -1, -1}});
    if (access != few) free(access);
}
