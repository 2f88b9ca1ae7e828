/* GMRES with a preconditioner that may be another one at every step (FGMRES: Saad, SIAM J. Sci. Comput. 14, 1993): for
 * each column by itself A [z_0 ... z_k] = [v_0 ... v_k+1] H, and the combination of the z that leaves the least
 * residual. On CPUs: vectors beside a matrix. Vectors of length n lie one behind the other in V and Z; what goes to the
 * preconditioner and to the product with A lies in tiles.
 *
 * A vector that goes to the preconditioner is brought near 1, since it does with numbers of single precision; FGMRES
 * takes z of any length.
 *
 * gmres_begin  Arguments  count
 *              Buffers    state  W       a struct tw_gmres_column each
 *                         V      W       TW_GMRES_MOST + 1 vectors a column
 *                         r      R each  the rows' scalings
 *                         R      RW each the residual; then what the preconditioner gets
 * gmres_step   Arguments  count, step; first: of the block columns
 *              Buffers    state  RW
 *                         V      RW
 *                         Z      RW      TW_GMRES_MOST vectors a column
 *                         left   RW      a double: 1 if a column is not done; W with the first
 *                         work   SCRATCH a vector
 *                         r      R each
 *                         W      R each  - A z
 *                         R      RW each z; then what the preconditioner gets
 * gmres_end    Arguments  count
 *              Buffers    state  R
 *                         Z      R
 *                         R      W each  the correction */
#include <math.h>
#include <string.h>
#include "codelets/dense/column.h"
#include "types/dense/gmres.h"

enum { MOST = TW_GMRES_MOST };
#define ENOUGH 1e-8 /* of the residual: then it is made anew from X, with fewer rounding errors in it */

struct args {
    int count, step, first;
};

static struct tw_gmres_column *state_of(const struct tw_buffer *b, int j)
{
    return (struct tw_gmres_column *)((char *)b->ptr + (size_t)j * (size_t)b->ld * sizeof(double));
}
static double *vector(const struct tw_buffer *b, int j, int k, int n)
{
    return (double *)b->ptr + (size_t)j * (size_t)b->ld + (size_t)k * (size_t)n;
}

/* Column j of tiles one under the other. */
static void gather(const struct tw_buffer *tile, int count, int j, double *x, double sign)
{
    for (int i = 0; i < count; x += tile[i].m, i++)
        for (int l = 0; l < tile[i].m; l++)
            x[l] = sign * ((const double *)tile[i].ptr)[l + (size_t)j * (size_t)tile[i].ld];
}
static void scatter(const struct tw_buffer *tile, int count, int j, const double *x)
{
    for (int i = 0; i < count; x += tile[i].m, i++)
        memcpy((double *)tile[i].ptr + (size_t)j * (size_t)tile[i].ld, x, (size_t)tile[i].m * sizeof *x);
}
/* diag(r) x, brought near 1; x NULL: zeros, for a column that is done. */
static void hand_on(const struct tw_buffer *r, const struct tw_buffer *tile, int count, int j, const double *x)
{
    double largest = 0;

    for (int i = 0; i < count; i++) {
        double *to = (double *)tile[i].ptr + (size_t)j * (size_t)tile[i].ld;
        for (int l = 0; l < tile[i].m; l++) {
            to[l] = x ? ((const double *)r[i].ptr)[l] * *x++ : 0;
            if (fabs(to[l]) > largest) largest = fabs(to[l]);
        }
    }
    if (!(largest > 0) || !isfinite(largest)) return;
    for (int i = 0; i < count; i++) {
        double *to = (double *)tile[i].ptr + (size_t)j * (size_t)tile[i].ld;
        for (int l = 0; l < tile[i].m; l++)
            to[l] /= largest;
    }
}
static int rows_of(const struct tw_buffer *tile, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        n += tile[i].m;
    return n;
}

/* |x|, whose squares may be beyond the numbers there are. */
static double length(int n, const double *x)
{
    double largest = 0, sum = 0;

    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= largest)) largest = fabs(x[i]); /* a NaN stays */
    if (!(largest > 0) || !isfinite(largest)) return largest;
    for (int i = 0; i < n; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}
static void divide(int n, double *x, double by)
{
    for (int i = 0; i < n; i++)
        x[i] /= by;
}

/* ---- bodies ---- */

static int begin_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *r = &body->buf[2], *tile = &r[g->count];
    const int n = rows_of(tile, g->count);

    for (int j = 0; j < tile[0].n; j++) {
        struct tw_gmres_column *s = state_of(&body->buf[0], j);
        double *v = vector(&body->buf[1], j, 0, n);

        memset(s, 0, sizeof *s);
        gather(tile, g->count, j, v, 1);
        s->first = s->g[0] = length(n, v);
        s->done = !(s->first > 0) || !isfinite(s->first);
        if (!s->done) divide(n, v, s->first);
        hand_on(r, tile, g->count, j, s->done ? NULL : v);
    }
    return 0;
}

/* w less its parts along the first k vectors, which h gets: twice, for they cancel (Giraud, Langou, Rozloznik, van den
 * Eshof, Numer. Math. 101, 2005). */
static void orthogonalize(const struct tw_body *body, int n, int k, const double *v, double *w, double *h)
{
    const tw_scalar one = {1, 0}, zero = {0, 0}, minus_one = {-1, 0};
    double part[MOST + 1];

    memset(h, 0, (size_t)k * sizeof *h);
    for (int again = 0; again < 2; again++) {
        TW_CPU(body)->gemm('T', 'N', k, 1, n, one, v, n, w, n, zero, part, k);
        TW_CPU(body)->gemm('N', 'N', n, 1, k, minus_one, v, n, part, k, one, w, n);
        for (int i = 0; i < k; i++)
            h[i] += part[i];
    }
}

/* The new column of H through the rotations, and one more that takes away what is below its diagonal. */
static void rotate(struct tw_gmres_column *s, int k)
{
    double *h = s->r[k];

    for (int i = 0; i < k; i++) {
        const double x = h[i], y = h[i + 1];
        h[i] = s->c[i] * x + s->s[i] * y;
        h[i + 1] = -s->s[i] * x + s->c[i] * y;
    }
    const double size = hypot(h[k], h[k + 1]);
    s->c[k] = size > 0 ? h[k] / size : 1;
    s->s[k] = size > 0 ? h[k + 1] / size : 0;
    h[k] = size, h[k + 1] = 0;
    s->g[k + 1] = -s->s[k] * s->g[k];
    s->g[k] *= s->c[k];
}

static int step_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *r = &body->buf[5], *product = &r[g->count], *tile = &product[g->count];
    const int n = rows_of(tile, g->count), k = g->step;
    double *w = body->buf[4].ptr, *left = body->buf[3].ptr;

    if (g->first) *left = 0;
    for (int j = 0; j < tile[0].n; j++) {
        struct tw_gmres_column *s = state_of(&body->buf[0], j);
        double *v = vector(&body->buf[1], j, 0, n), *next = v + (size_t)(k + 1) * (size_t)n, rest;

        if (!s->done) {
            gather(tile, g->count, j, vector(&body->buf[2], j, k, n), 1);
            gather(product, g->count, j, w, -1);
            orthogonalize(body, n, k + 1, v, w, s->r[k]);
            s->r[k][k + 1] = rest = length(n, w);
            rotate(s, k);
            if (isfinite(s->r[k][k]) && s->r[k][k] > 0) s->steps = k + 1; /* else the vectors before have to do */
            s->done = s->steps <= k || rest == 0 || fabs(s->g[k + 1]) <= ENOUGH * s->first;
            if (!s->done) {
                divide(n, w, rest);
                memcpy(next, w, (size_t)n * sizeof *w);
                *left = 1;
            }
        }
        hand_on(r, tile, g->count, j, s->done ? NULL : next);
    }
    return 0;
}

static int end_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *tile = &body->buf[2];
    const tw_scalar one = {1, 0}, zero = {0, 0};
    const int n = rows_of(tile, g->count);
    double *x = body->buf[body->nbuf - 1].ptr;

    for (int j = 0; j < tile[0].n; j++) {
        const struct tw_gmres_column *s = state_of(&body->buf[0], j);
        const int k = (int)s->steps;
        double y[MOST];

        memset(x, 0, (size_t)n * sizeof *x);
        for (int i = k - 1; i >= 0; i--) {
            y[i] = s->g[i];
            for (int l = i + 1; l < k; l++)
                y[i] -= s->r[l][i] * y[l];
            y[i] /= s->r[i][i];
        }
        if (k > 0) TW_CPU(body)->gemm('N', 'N', n, 1, k, one, vector(&body->buf[1], j, 0, n), n, y, k, zero, x, n);
        scatter(tile, g->count, j, x);
    }
    return 0;
}

static struct tw_codelet begin = {.name = "gmres_begin", .color = 0xBB7788, .rate = TW_RATE_MEMORY, .cpu = begin_cpu};
static struct tw_codelet step = {.name = "gmres_step", .color = 0xBB77AA, .rate = TW_RATE_MEMORY, .cpu = step_cpu};
static struct tw_codelet end = {.name = "gmres_end", .color = 0xBB77CC, .rate = TW_RATE_MEMORY, .cpu = end_cpu};

/* ---- tasks ---- */

static int put(struct tw_access *access, int at, struct tw_data *const *tile, int count, enum tw_mode mode)
{
    for (int i = 0; i < count; i++)
        access[at++] = (struct tw_access){tile[i], mode};
    return at;
}

static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, const struct args *args,
                   struct tw_data *state, const struct tw_access *access, int naccess)
{
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = TW_DOUBLE,
                                     .args = args,
                                     .args_size = sizeof *args,
                                     .access = access,
                                     .naccess = naccess,
                                     .priority = priority,
                                     .size = 1,
                                     .coord = {state->coord[0], state->coord[1], -1, -1}});
}

void tw_task_gmres_begin(struct tw_sequence *seq, int priority, struct tw_data *const *R, struct tw_data *const *r,
                         int count, struct tw_data *V, struct tw_data *state)
{
    const struct args args = {count, 0, 0};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gmres_begin", 2 + 2 * count, few);

    if (!access) return;
    access[0] = (struct tw_access){state, TW_W};
    access[1] = (struct tw_access){V, TW_W};
    submit(seq, priority, &begin, &args, state, access, put(access, put(access, 2, r, count, TW_R), R, count, TW_RW));
    tw_accesses_free(access, few);
}

void tw_task_gmres_step(struct tw_sequence *seq, int priority, int at, int first, struct tw_data *const *W,
                        struct tw_data *const *R, struct tw_data *const *r, int count, struct tw_data *V,
                        struct tw_data *Z, struct tw_data *state, struct tw_data *left)
{
    const struct args args = {count, at, first};
    const size_t n = (size_t)tw_column_rows(R, count);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gmres_step", 5 + 3 * count, few);

    if (!access) return;
    access[0] = (struct tw_access){state, TW_RW};
    access[1] = (struct tw_access){V, TW_RW};
    access[2] = (struct tw_access){Z, at ? TW_RW : TW_W};
    access[3] = (struct tw_access){left, first ? TW_W : TW_RW};
    access[4] = (struct tw_access){tw_scratch(n * sizeof(double)), TW_SCRATCH};
    submit(seq, priority, &step, &args, state, access,
           put(access, put(access, put(access, 5, r, count, TW_R), W, count, TW_R), R, count, TW_RW));
    tw_accesses_free(access, few);
}

void tw_task_gmres_end(struct tw_sequence *seq, int priority, struct tw_data *const *R, int count, struct tw_data *Z,
                       struct tw_data *state)
{
    const struct args args = {count, 0, 0};
    const size_t n = (size_t)tw_column_rows(R, count);
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gmres_end", 3 + count, few);
    int naccess = 2;

    if (!access) return;
    access[0] = (struct tw_access){state, TW_R};
    access[1] = (struct tw_access){Z, TW_R};
    naccess = put(access, naccess, R, count, TW_W);
    access[naccess++] = (struct tw_access){tw_scratch(n * sizeof(double)), TW_SCRATCH};
    submit(seq, priority, &end, &args, state, access, naccess);
    tw_accesses_free(access, few);
}
