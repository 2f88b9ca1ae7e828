/* A hermitian band matrix from its tiles, and what is asked of it before stage 2.
 *
 * enter  Arguments  where the tile's first element is; sub-diagonals; which triangle it belongs to
 *        Buffers    tile  R
 *                   band  as tw_band_accesses says: of an upper triangle's tile the columns that its rows become
 * norm   Buffers    norm  W  one double: the largest |a_ij|, not finite if an element is not
 *                   band  all columns, R
 * scale  Arguments  scale
 *        Buffers    band  all columns, RW */
#include <math.h>
#include <string.h>
#include "codelets/eigen/band.h"
#include "codelets/eigen/eigen_bodies.h"

struct enter_args {
    int row, column, ld, kd, lower;
};
struct scale_args {
    int ld, kd, n;
    double scale;
};

static int reals(const struct tw_body *body)
{
    return tw_is_complex(body->type) ? 2 : 1;
}
static double number(const struct tw_body *body, const void *x, size_t i)
{
    return tw_is_single(body->type) ? (double)((const float *)x)[i] : ((const double *)x)[i];
}
static void put_number(const struct tw_body *body, void *x, size_t i, double value)
{
    if (tw_is_single(body->type))
        ((float *)x)[i] = (float)value;
    else
        ((double *)x)[i] = value;
}

/* Element (i, j) of the tile to where it belongs in the lower triangle. */
static void put(const struct tw_body *body, const struct enter_args *g, int i, int j)
{
    const struct tw_buffer *tile = &body->buf[0], *band = &body->buf[1];
    const int row = g->row + i, column = g->column + j, below = g->lower ? row - column : column - row,
              first = g->lower ? column : row, k = reals(body);
    const size_t from = (size_t)k * ((size_t)i + (size_t)j * (size_t)tile->ld),
                 to = (size_t)k * ((size_t)below + (size_t)first * (size_t)g->ld);

    put_number(body, band->ptr, to, number(body, tile->ptr, from));
    if (k == 1) return;
    put_number(body, band->ptr, to + 1, below == 0 ? 0 : (g->lower ? 1 : -1) * number(body, tile->ptr, from + 1));
}

static int enter(const struct tw_body *body)
{
    const struct enter_args *g = body->args;
    const struct tw_buffer *tile = &body->buf[0];

    for (int j = 0; j < tile->n; j++) {
        /* rows of this column that lie in the band */
        const int at = g->column + j - g->row, low = g->lower ? at : at - g->kd, high = g->lower ? at + g->kd : at;
        for (int i = (int)tw_max(0, low); i <= tw_min(high, tile->m - 1); i++)
            put(body, g, i, j);
    }
    return 0;
}

static int norm(const struct tw_body *body)
{
    const struct scale_args *g = body->args;
    const void *a = body->buf[1].ptr;
    const int k = reals(body);
    double largest = 0;

    for (int j = 0; j < g->n; j++)
        for (int i = 0; i <= g->kd && i < g->n - j; i++) {
            const size_t at = (size_t)k * ((size_t)i + (size_t)j * (size_t)g->ld);
            const double x = k == 1 ? fabs(number(body, a, at)) : hypot(number(body, a, at), number(body, a, at + 1));
            if (!(x <= largest)) largest = x;
            if (!isfinite(x)) goto out; /* a NaN stays */
        }
out:
    *(double *)body->buf[0].ptr = largest;
    return 0;
}

static int scale(const struct tw_body *body)
{
    const struct scale_args *g = body->args;
    void *a = body->buf[0].ptr;
    const size_t k = (size_t)reals(body);

    for (int j = 0; j < g->n; j++)
        for (size_t i = 0; i < k * (size_t)(g->kd + 1); i++) {
            const size_t at = k * (size_t)j * (size_t)g->ld + i;
            put_number(body, a, at, g->scale * number(body, a, at));
        }
    return 0;
}

static struct tw_codelet
    codelet_enter = {.name = "band_enter", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.2, .cpu = enter},
    codelet_norm = {.name = "band_norm", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.2, .cpu = norm},
    codelet_scale = {.name = "band_scale", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .share = 0.2, .cpu = scale};

/* With `first` (NULL: none) before columns from ... to - 1 of the band. */
static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, const void *args, size_t size,
                   struct tw_band *B, struct tw_data *first, enum tw_mode mode, int from, int to,
                   enum tw_mode band_mode)
{
    struct tw_access few[TW_COLUMN_FEW],
        *access = tw_accesses(seq, codelet->name, 1 + tw_band_accesses_most(B, to - from), few);
    int naccess = 0;

    if (!access) return;
    if (first) access[naccess++] = (struct tw_access){first, mode};
    naccess += tw_band_accesses(B, from, to, band_mode, access + naccess);
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = B->type,
                                     .args = args,
                                     .args_size = size,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .bytes = (double)(B->b + 1) * (to - from) * (double)tw_sizeof(B->type),
                                     .size = B->b,
                                     .coord = {from / B->b, -1, -1, -1}});
    if (access != few) free(access);
}

void tw_task_band_enter(struct tw_sequence *seq, int priority, int lower, tw_int row, tw_int column, tw_int kd,
                        struct tw_data *tile, struct tw_band *B)
{
    const struct enter_args args = {(int)row, (int)column, B->ld, (int)kd, lower};
    const int from = lower ? args.column : args.row, count = lower ? tile->n : tile->m;

    submit(seq, priority, &codelet_enter, &args, sizeof args, B, tile, TW_R, from, from + count, TW_RW);
}
void tw_task_band_norm(struct tw_sequence *seq, int priority, struct tw_band *B, struct tw_data *norm_)
{
    const struct scale_args args = {B->ld, B->b, B->n, 1};
    submit(seq, priority, &codelet_norm, &args, sizeof args, B, norm_, TW_W, 0, B->n, TW_R);
}
void tw_task_band_scale(struct tw_sequence *seq, int priority, double factor, struct tw_band *B)
{
    const struct scale_args args = {B->ld, B->b, B->n, factor};
    submit(seq, priority, &codelet_scale, &args, sizeof args, B, NULL, TW_R, 0, B->n, TW_RW);
}
