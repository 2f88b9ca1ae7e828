/* GMRES with a preconditioner that may be another one at every step (FGMRES: Saad, SIAM J. Sci. Comput. 14, 1993): for
 * each column by itself A [z_0 ... z_k] = [v_0 ... v_k+1] H, and the combination of the z that leaves the least
 * residual. Vectors of length n lie one behind the other in V and Z; what goes to the preconditioner and to the product
 * with A lies in tiles.
 *
 * A vector that goes to the preconditioner is brought near 1, since it does with numbers of single precision; FGMRES
 * takes z of any length.
 *
 * gmres_begin  Arguments  count
 *              Buffers    state  W       a struct tw_gmres_column each
 *                         V      W       TW_GMRES_MOST + 1 vectors a column
 *                         r      R each  the rows' scalings
 *                         R      RW each the residual; then what the preconditioner gets
 *                         work   SCRATCH for the GPU, only when one is in use; as the two below
 * gmres_step   Arguments  count, step; first: of the block columns
 *              Buffers    state  RW
 *                         V      RW
 *                         Z      RW      TW_GMRES_MOST vectors a column
 *                         left   RW      a double: 1 if a column is not done; W with the first
 *                         r      R each
 *                         W      R each  - A z
 *                         R      RW each z; then what the preconditioner gets
 *                         work   SCRATCH
 * gmres_end    Arguments  count
 *              Buffers    state  R
 *                         Z      R
 *                         R      W each  the correction
 *                         work   SCRATCH */
#include "codelets/dense/column.h"
#include "kernels/dense/cpu/gmres.h"
#include "kernels/dense/cuda/gmres.h"

struct args {
    int count, step, first;
};

/* ---- bodies ---- */

struct seen {
    struct tw_gmres_block block;
    struct tw_column x, w, r;
};

/* Lists of tiles begin at these buffers; 0: there is none. 0 or TW_E_MEMORY; unsee in any case. */
static int see(struct seen *s, const struct tw_body *body, int r, int w, int x)
{
    const struct args *g = body->args;
    const int first[] = {r, w, x};
    struct tw_column *const to[] = {&s->r, &s->w, &s->x};

    *s = (struct seen){0};
    for (int i = 0; i < 3; i++)
        if (first[i] && tw_column_begin(to[i], body, first[i], g->count)) return TW_E_MEMORY;
    s->block.r = s->r.tiles, s->block.w = s->w.tiles, s->block.x = s->x.tiles;
    s->block.state = body->buf[0].ptr;
    s->block.ld_state = (long long)body->buf[0].ld * (long long)sizeof(double);
    return 0;
}
static void unsee(struct seen *s)
{
    if (s->r.at) tw_column_end(&s->r);
    if (s->w.at) tw_column_end(&s->w);
    if (s->x.at) tw_column_end(&s->x);
}
static void *work_of(const struct tw_body *body)
{
    return body->buf[body->nbuf - 1].ptr;
}

static int see_begin(struct seen *s, const struct tw_body *body)
{
    const struct args *g = body->args;
    const int e = see(s, body, 2, 0, 2 + g->count);

    s->block.v = body->buf[1].ptr, s->block.ldv = body->buf[1].ld;
    return e;
}
static int begin_cpu(const struct tw_body *body)
{
    struct seen s;
    const int e = see_begin(&s, body);

    if (!e) tw_gmres_kernels[body->type]->begin(&s.block);
    unsee(&s);
    return e;
}
static int begin_cuda(const struct tw_body *body)
{
    struct seen s;
    int e = see_begin(&s, body);

    if (!e) e = tw_gmres_cuda_kernels[body->type]->begin(body->cuda, &s.block, work_of(body));
    unsee(&s);
    return e;
}

static int see_step(struct seen *s, const struct tw_body *body)
{
    const struct args *g = body->args;
    const int e = see(s, body, 4, 4 + g->count, 4 + 2 * g->count);

    s->block.v = body->buf[1].ptr, s->block.ldv = body->buf[1].ld;
    s->block.z = body->buf[2].ptr, s->block.ldz = body->buf[2].ld;
    return e;
}
static int step_cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    double *left = body->buf[3].ptr;
    struct seen s;
    const int e = see_step(&s, body);

    if (g->first) *left = 0;
    if (!e && tw_gmres_kernels[body->type]->step(&s.block, g->step)) *left = 1;
    unsee(&s);
    return e;
}
static int step_cuda(const struct tw_body *body)
{
    const struct args *g = body->args;
    struct seen s;
    int e = see_step(&s, body);

    if (!e)
        e = tw_gmres_cuda_kernels[body->type]->step(body->cuda, &s.block, g->step, g->first, body->buf[3].ptr,
                                                    work_of(body));
    unsee(&s);
    return e;
}

static int see_end(struct seen *s, const struct tw_body *body)
{
    const int e = see(s, body, 0, 0, 2);

    s->block.z = body->buf[1].ptr, s->block.ldz = body->buf[1].ld;
    return e;
}
static int end_cpu(const struct tw_body *body)
{
    struct seen s;
    const int e = see_end(&s, body);

    if (!e) tw_gmres_kernels[body->type]->end(&s.block);
    unsee(&s);
    return e;
}
static int end_cuda(const struct tw_body *body)
{
    struct seen s;
    int e = see_end(&s, body);

    if (!e) e = tw_gmres_cuda_kernels[body->type]->end(body->cuda, &s.block, work_of(body));
    unsee(&s);
    return e;
}

static struct tw_codelet begin = {.name = "gmres_begin",
                                  .color = 0xBB7788,
                                  .rate = TW_RATE_MEMORY,
                                  .cpu = begin_cpu,
                                  .cuda = TW_CUDA_BODY(begin_cuda)};
static struct tw_codelet step = {
    .name = "gmres_step", .color = 0xBB77AA, .rate = TW_RATE_MEMORY, .cpu = step_cpu, .cuda = TW_CUDA_BODY(step_cuda)};
static struct tw_codelet end = {
    .name = "gmres_end", .color = 0xBB77CC, .rate = TW_RATE_MEMORY, .cpu = end_cpu, .cuda = TW_CUDA_BODY(end_cuda)};

/* ---- tasks ---- */

static int put(struct tw_access *access, int at, struct tw_data *const *tile, int count, enum tw_mode mode)
{
    for (int i = 0; i < count; i++)
        access[at++] = (struct tw_access){tile[i], mode};
    return at;
}

/* `naccess` of them, and the GPU's workspace. */
static void submit(struct tw_sequence *seq, int priority, struct tw_codelet *codelet, const struct args *args,
                   struct tw_data *const *R, struct tw_data *state, struct tw_access *access, int naccess)
{
    const tw_int rows = tw_column_rows(R, args->count);

    if (tw_has_cuda())
        access[naccess++] = (struct tw_access){tw_scratch(tw_gmres_cuda_work(rows, R[0]->n, args->count)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = R[0]->type,
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
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gmres_begin", 3 + 2 * count, few);

    if (!access) return;
    access[0] = (struct tw_access){state, TW_W};
    access[1] = (struct tw_access){V, TW_W};
    submit(seq, priority, &begin, &args, R, state, access,
           put(access, put(access, 2, r, count, TW_R), R, count, TW_RW));
    tw_accesses_free(access, few);
}

void tw_task_gmres_step(struct tw_sequence *seq, int priority, int at, int first, struct tw_data *const *W,
                        struct tw_data *const *R, struct tw_data *const *r, int count, struct tw_data *V,
                        struct tw_data *Z, struct tw_data *state, struct tw_data *left)
{
    const struct args args = {count, at, first};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gmres_step", 5 + 3 * count, few);

    if (!access) return;
    access[0] = (struct tw_access){state, TW_RW};
    access[1] = (struct tw_access){V, TW_RW};
    access[2] = (struct tw_access){Z, at ? TW_RW : TW_W};
    access[3] = (struct tw_access){left, first ? TW_W : TW_RW};
    submit(seq, priority, &step, &args, R, state, access,
           put(access, put(access, put(access, 4, r, count, TW_R), W, count, TW_R), R, count, TW_RW));
    tw_accesses_free(access, few);
}

void tw_task_gmres_end(struct tw_sequence *seq, int priority, struct tw_data *const *R, int count, struct tw_data *Z,
                       struct tw_data *state)
{
    const struct args args = {count, 0, 0};
    struct tw_access few[TW_COLUMN_FEW], *access = tw_accesses(seq, "gmres_end", 3 + count, few);

    if (!access) return;
    access[0] = (struct tw_access){state, TW_R};
    access[1] = (struct tw_access){Z, TW_R};
    submit(seq, priority, &end, &args, R, state, access, put(access, 2, R, count, TW_W));
    tw_accesses_free(access, few);
}
