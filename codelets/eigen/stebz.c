/* Some eigenvalues of a tridiagonal matrix by bisection: LAPACK's stebz in three steps.
 *
 * begin   info    RW      one int64
 *         d       R       n
 *         e       R       at least n - 1
 *         T       W       doubles: the matrix scaled, its diagonal and the squares beside it, 2 n, then a struct
 *                         tw_laebz_form
 *         blocks  W       int32, 3 n: of each block its last row, the first wanted eigenvalue (from 0), and how many
 *                         are wanted
 *         head    W       int64, a struct tw_stebz_head
 * values  T       R
 *         blocks  R
 *         w       W       doubles: as many of the list of wanted eigenvalues, block by block, from place `first` on
 * end     T       R
 *         blocks  R
 *         work    SCRATCH
 *         pieces  R each  of that list */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/stebz_tasks.h"
#include "kernels/eigen/cpu/laebz.h"

enum { FORM = (sizeof(struct tw_laebz_form) + sizeof(double) - 1) / sizeof(double) };

size_t tw_stebz_length(tw_int n)
{
    return 2 * (size_t)n + FORM;
}

/* The matrix as bodies see it. */
struct matrix {
    int n;
    double *d, *e2;
    struct tw_laebz_form form;
    int32_t *last, *first, *count;
};
static struct matrix matrix_of(const struct tw_buffer *T, const struct tw_buffer *blocks)
{
    const int n = blocks->m / 3;
    double *d = T->ptr;
    int32_t *last = blocks->ptr;
    struct matrix x = {.n = n, .d = d, .e2 = d + n, .last = last, .first = last + n, .count = last + 2 * n};

    memcpy(&x.form, d + 2 * n, sizeof x.form);
    return x;
}

/* ---- begin: which eigenvalues of which blocks -------------------------------------------------------------------- */

struct begin_args {
    struct tw_wanted wanted;
    double abstol;
};

/* Numbers il ... iu, counted from 0, are between from and to, with others that are as good as equal to them. */
static void between_indices(struct matrix *x, tw_int il, tw_int iu)
{
    double least, most, low, high;
    const struct tw_tolerance t = tw_laebz_bounds(x->n, x->d, x->e2, &x->form, &least, &most);

    tw_laebz(x->n, x->d, x->e2, t, least, most, (int)il, 1, &low, &high);
    x->form.from = low;
    tw_laebz(x->n, x->d, x->e2, t, least, most, (int)iu, 1, &low, &high);
    x->form.to = high;
}

/* In (from, to], block by block; also how many are at most `from` of all. */
static void count_blocks(struct matrix *x, int blocks, struct tw_stebz_head *head, int64_t *before)
{
    const double ends[2] = {x->form.from, x->form.to};
    const tw_sturm_fn sturm = tw_sturm();
    int32_t below[2];

    *before = head->total = 0;
    for (int b = 0, row = 0; b < blocks; row = x->last[b++] + 1) {
        sturm(x->last[b] + 1 - row, x->d + row, x->e2 + row, 2, ends, below, NULL);
        x->first[b] = below[0];
        x->count[b] = (int32_t)tw_max(0, below[1] - below[0]);
        *before += below[0];
        head->total += x->count[b];
    }
}

static int begin(const struct tw_body *body)
{
    const struct begin_args *g = body->args;
    const struct tw_buffer *d = &body->buf[1], *e = &body->buf[2];
    struct matrix x = matrix_of(&body->buf[3], &body->buf[4]);
    struct tw_stebz_head *head = body->buf[5].ptr;
    const tw_int il = g->wanted.il - 1, iu = g->wanted.iu - 1;
    int64_t before = 0;

    memset(head, 0, sizeof *head);
    if (*(const int64_t *)body->buf[0].ptr != 0) return 0; /* what made T has failed */
    head->blocks = tw_laebz_split(x.n, tw_is_single(body->type), d->ptr, e->ptr, g->abstol, x.d, x.e2, x.last, &x.form);
    if (head->blocks == 0) {
        tw_combine_info(body->buf[0].ptr, 0, x.n);
        return 0;
    }
    if (g->wanted.which == TW_INDICES) {
        between_indices(&x, il, iu);
    } else if (g->wanted.which == TW_INTERVAL) {
        x.form.from = fmin(fmax(x.form.least, ldexp(g->wanted.vl, -x.form.power)), x.form.most);
        x.form.to = fmin(fmax(x.form.least, ldexp(g->wanted.vu, -x.form.power)), x.form.most);
    }
    count_blocks(&x, (int)head->blocks, head, &before);
    head->wanted = head->total;
    if (g->wanted.which == TW_INDICES) {
        head->left_out = tw_max(0, tw_min(il - before, head->total));
        head->wanted = tw_min(iu - il + 1, head->total - head->left_out);
    }
    memcpy(x.d + 2 * x.n, &x.form, sizeof x.form);
    return 0;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct values_args {
    int first;
};

/* Eigenvalues number `first` ... of the block in rows row ... row + n - 1. */
static void of_block(const struct matrix *x, int row, int n, int first, int count, double *w)
{
    double low[TW_POINTS], high[TW_POINTS], least, most;
    const struct tw_tolerance t = tw_laebz_bounds(n, x->d + row, x->e2 + row, &x->form, &least, &most);

    if (n == 1) {
        *w = x->d[row];
        return;
    }
    for (int done = 0; done < count; done += TW_POINTS) {
        const int some = (int)tw_min(TW_POINTS, count - done);
        tw_laebz(n, x->d + row, x->e2 + row, t, least, most, first + done, some, low, high);
        for (int i = 0; i < some; i++)
            w[done + i] = low[i] + (high[i] - low[i]) / 2;
    }
}

static int values(const struct tw_body *body)
{
    const struct matrix x = matrix_of(&body->buf[0], &body->buf[1]);
    const struct tw_buffer *w = &body->buf[2];
    const int from = ((const struct values_args *)body->args)->first, to = from + w->m;

    for (int b = 0, row = 0, place = 0; place < to; place += x.count[b], row = x.last[b++] + 1) {
        const int skip = (int)tw_max(0, from - place), end = (int)tw_min(x.count[b], to - place);
        if (skip < end)
            of_block(&x, row, x.last[b] + 1 - row, x.first[b] + skip, end - skip,
                     (double *)w->ptr + place + skip - from);
    }
    tw_body_result(body, &(struct tw_buffer){.ptr = w->ptr, .m = w->m, .n = 1, .ld = w->m, .count = 1}, 1);
    return 0;
}

/* ---- end: into the caller's arrays ------------------------------------------------------------------------------- */

struct end_args {
    struct tw_stebz_head head;
    struct tw_stebz_results to;
    double scale;
    int pieces;
    char order;
};

struct found {
    double w;
    int32_t place, block;
};
static int by_value(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->w < y->w ? -1 : x->w > y->w ? 1 : x->place - y->place;
}
/* Within a block ascending: neighbours that were found apart may be in the wrong order by their tolerance. */
static int by_block(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->block != y->block ? x->block - y->block : by_value(a, b);
}

static int end(const struct tw_body *body)
{
    const struct end_args *g = body->args;
    const struct matrix x = matrix_of(&body->buf[0], &body->buf[1]);
    struct found *all = body->buf[2 + g->pieces].ptr, *wanted = all + g->head.left_out;
    int place = 0, block = 0, in_block = 0;

    for (int p = 0; p < g->pieces; p++)
        for (int i = 0; i < body->buf[2 + p].m; i++) {
            while (in_block == x.count[block])
                block++, in_block = 0;
            in_block++;
            all[place] = (struct found){((const double *)body->buf[2 + p].ptr)[i], place, block};
            place++;
        }
    qsort(all, (size_t)g->head.total, sizeof *all, by_value);
    if (g->order == 'B') qsort(wanted, (size_t)g->head.wanted, sizeof *wanted, by_block);
    for (int i = 0; i < g->head.wanted; i++) {
        g->to.w[i] = ldexp(wanted[i].w, x.form.power) * g->scale;
        if (g->to.iblock) g->to.iblock[i] = wanted[i].block + 1;
    }
    for (int b = 0; b < g->head.blocks && g->to.isplit; b++)
        g->to.isplit[b] = x.last[b] + 1;
    return 0;
}

/* ---- submitting -------------------------------------------------------------------------------------------------- */

static struct tw_codelet codelet_begin = {
    .name = "stebz_begin", .color = 0xBBBBBB, .rate = TW_RATE_TRI, .share = 0.05, .cpu = begin, .urgent = 1};
static struct tw_codelet codelet_values = {
    .name = "stebz", .color = 0xCC6677, .rate = TW_RATE_TRI, .share = 0.1, .cpu = values};
static struct tw_codelet codelet_end = {.name = "stebz_end", .color = 0xDDDDDD, .rate = TW_RATE_MEMORY, .cpu = end};

void tw_task_stebz_begin(struct tw_sequence *seq, int priority, const struct tw_wanted *wanted, double abstol,
                         struct tw_data *d, struct tw_data *e, const struct tw_stebz_data *x, struct tw_data *info)
{
    const struct begin_args args = {*wanted, abstol};
    const struct tw_access access[] = {{info, TW_RW}, {d, TW_R},         {e, TW_R},
                                       {x->T, TW_W},  {x->blocks, TW_W}, {x->head, TW_W}};
    const double passes = wanted->which == TW_INDICES ? 20 * TW_POINTS : 2;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_begin,
                                     .type = d->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 6,
                                     .priority = priority,
                                     .flops = 4 * passes * d->m,
                                     .size = d->m,
                                     .coord = {-1, -1, -1, -1}});
}

/* About 30 passes for each value, four operations for each row. */
double tw_flops_stebz(double n, double count)
{
    return 4 * 30 * n * count;
}

void tw_task_stebz(struct tw_sequence *seq, int priority, int first, const struct tw_stebz_data *x, struct tw_data *w)
{
    const struct values_args args = {first};
    const struct tw_access access[] = {{x->T, TW_R}, {x->blocks, TW_R}, {w, TW_W}};

    tw_submit(seq, &(struct tw_task){.codelet = &codelet_values,
                                     .type = TW_DOUBLE,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_stebz(x->blocks->m / 3.0, w->m),
                                     .size = w->m,
                                     .coord = {first, -1, -1, -1}});
}

void tw_task_stebz_end(struct tw_sequence *seq, int priority, const struct tw_stebz_head *head, char order,
                       double scale, const struct tw_stebz_data *x, struct tw_data *const *w, int pieces,
                       const struct tw_stebz_results *to)
{
    const struct end_args args = {*head, *to, scale, pieces, order};
    struct tw_access access[TW_STEBZ_PIECES + 3] = {{x->T, TW_R}, {x->blocks, TW_R}};

    for (int p = 0; p < pieces; p++)
        access[2 + p] = (struct tw_access){w[p], TW_R};
    access[2 + pieces] =
        (struct tw_access){tw_scratch((size_t)tw_max(1, head->total) * sizeof(struct found)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = &codelet_end,
                                     .type = TW_DOUBLE,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = 3 + pieces,
                                     .priority = priority,
                                     .bytes = 48.0 * (double)head->total,
                                     .size = (double)head->total,
                                     .coord = {-1, -1, -1, -1}});
}
