/* Staged matrices: when a tile is brought to its GPU, and when it goes home.
 *
 * A tile's handle has no home in main memory. Before the first task that reads it a load is submitted: the handle is
 * acquired for writing in the GPU's memory, which gives a device pointer; then CPU workers copy the tile there from the
 * user's array, in pieces, several at once (staging_copy.c); with the last piece the handle is released. Unloads are
 * the same the other way round. StarPU's sequential consistency on the handle orders all of them with the kernels, no
 * GPU stream is held up by them, and while the handle is held the tile is not evicted.
 *
 * Loads and unloads run even if their sequence has failed or was cancelled: what a tile holds is then what the kernels
 * that did run have left, as it is for a matrix in place. Only a tile whose load failed never goes home. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/loop.h"
#include "runtime/machine/gpus.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/tuning.h"
#include "runtime/data/staging.h"

/* Bits of tw_data.staging_state. */
enum {
    PRESENT = 1, /* the handle has content, or a task that writes it has been submitted */
    CHANGED = 2, /* … which differs, or will, from the user's array */
    SHARED = 4,  /* the user has the handle: take it as changed */
    LOST = 8     /* its load failed: what it holds must not reach the user's array */
};

struct tw_staging {
    starpu_pthread_mutex_t order; /* held while a tile's state is changed and what belongs to it submitted */
    starpu_pthread_mutex_t lock;  /* for what follows; may be taken inside the other */
    starpu_pthread_cond_t quiet;
    long moving; /* loads and unloads submitted and not finished */
    int error;   /* the first failure of one of them */
    char message[256];
    size_t lda;
    enum tw_uplo uplo;
    int nodes[STARPU_MAXNODES], nnodes, down; /* the GPUs' memory nodes, as a grid of `down` rows */
};

/* One load or unload, and its pieces, each a task. */
struct move;
struct piece {
    struct move *move;
    struct starpu_task *task;
    int first, last; /* columns */
    struct tw_move moves;
    double submit;
};
struct move {
    struct tw_sequence *seq; /* NULL: nobody's */
    struct tw_data *data;
    int out, priority, npieces;
    atomic_int left; /* pieces that have not finished, and 1 while they are being submitted */
    struct piece piece[];
};

/* Bytes: a piece occupies a core for about 1 ms, and a task costs some 20 us. */
enum { PIECE = 8 << 20 };

static int state_of(const struct tw_data *d)
{
    return __atomic_load_n(&d->staging_state, __ATOMIC_ACQUIRE);
}
static void set_state(struct tw_data *d, int on, int off)
{
    if (off) __atomic_fetch_and(&d->staging_state, ~off, __ATOMIC_ACQ_REL);
    if (on) __atomic_fetch_or(&d->staging_state, on, __ATOMIC_ACQ_REL);
}

/* ---- the tasks --------------------------------------------------------------------------------------------------- */

static void note(struct tw_staging *s, int code, const char *text)
{
    starpu_pthread_mutex_lock(&s->lock);
    if (!s->error) {
        s->error = code;
        snprintf(s->message, sizeof s->message, "%s", text);
    }
    starpu_pthread_mutex_unlock(&s->lock);
}

static void fail(struct move *m, int code, const char *text)
{
    if (!m->out) set_state(m->data, LOST, 0);
    note(m->data->staging, code, text);
    if (m->seq) tw_sequence_fail(m->seq, code, text);
}

static void body(void *buffers[], void *arg)
{
    const struct piece *p = arg;
    struct move *m = p->move;
    struct tw_data *d = m->data;
    unsigned node = (unsigned)d->node;
    void *tile = starpu_data_get_interface_on_node(tw_data_used(d), node);
    struct tw_trip trip = {.array = d->host,
                           .lda = d->staging->lda,
                           .elemsize = d->elemsize,
                           .tile = (char *)STARPU_MATRIX_GET_PTR(tile),
                           .ld = STARPU_MATRIX_GET_LD(tile),
                           .m = d->m,
                           .first = p->first,
                           .last = p->last,
                           .part = d->coord[0] == d->coord[1] ? d->staging->uplo : TW_GENERAL,
                           .device = -1};
    const char *why;
    char text[256];

    (void)buffers;
    if (state_of(d) & LOST) return;
    if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) trip.device = starpu_memory_node_get_devid(node);
    why = m->out ? tw_trip_out(&trip) : tw_trip_in(&trip);
    if (!why) return;
    snprintf(text, sizeof text, "copying tile (%d, %d) %s GPU %d: %s", d->coord[0], d->coord[1], m->out ? "from" : "to",
             trip.device, why);
    fail(m, TW_E_DEVICE, text);
}

/* One core moves about 8 GB/s. */
static double cost_us(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    const struct piece *p = task->cl_arg;
    (void)arch, (void)nimpl;
    return 10 + p->moves.bytes / 8e3;
}

static struct starpu_perfmodel models[2] = {
    {.type = STARPU_PER_ARCH, .arch_cost_function = cost_us, .symbol = "tw_load"},
    {.type = STARPU_PER_ARCH, .arch_cost_function = cost_us, .symbol = "tw_unload"},
};
static struct starpu_codelet codelets[2] = {
    {.name = "load", .color = 0x99AA88, .where = STARPU_CPU, .cpu_funcs = {body}, .model = &models[0]},
    {.name = "unload", .color = 0x88AA99, .where = STARPU_CPU, .cpu_funcs = {body}, .model = &models[1]},
};

/* In use; -1: main memory, which stands for one where staging is tried without. */
static int gpu_of(unsigned node)
{
    return starpu_node_get_kind(node) == STARPU_CUDA_RAM ? tw_gpu_of_device(starpu_memory_node_get_devid(node)) : -1;
}

static void record(const struct piece *p)
{
    const struct move *m = p->move;
    struct starpu_profiling_task_info *info = p->task->profiling_info;
    int worker = starpu_worker_get_id();

    if (!info || worker < 0) return;
    const double moved = tw_times_carried(worker, &p->moves, info);
    if (!tw_record_on()) return;
    if (moved > 0)
        tw_record_transfer(&(struct tw_transfer){.from = starpu_timing_timespec_to_us(&info->start_time) * 1e-6,
                                                 .to = starpu_timing_timespec_to_us(&info->end_time) * 1e-6,
                                                 .bytes = moved,
                                                 .source = p->moves.from,
                                                 .target = p->moves.to});
    tw_record_task(&(struct tw_record){.submit = p->submit,
                                       .start = starpu_timing_timespec_to_us(&info->start_time) * 1e-6,
                                       .end = starpu_timing_timespec_to_us(&info->end_time) * 1e-6,
                                       .moved = moved,
                                       .name = codelets[m->out].name,
                                       .color = codelets[m->out].color,
                                       .worker = worker,
                                       .priority = m->priority,
                                       .coord = {m->data->coord[0], m->data->coord[1], -1, -1},
                                       .type = (unsigned char)m->data->type,
                                       .routine = m->seq ? m->seq->routine_id : 0});
}

/* The last thing that happens to the staging: whoever waits for it may free it. */
static void moved(struct tw_staging *s)
{
    starpu_pthread_mutex_lock(&s->lock);
    if (--s->moving == 0) starpu_pthread_cond_broadcast(&s->quiet);
    starpu_pthread_mutex_unlock(&s->lock);
}

static void finish(struct move *m)
{
    struct tw_staging *s = m->data->staging;

    if (m->seq)
        tw_sequence_end_task(m->seq);
    else
        tw_leave();
    free(m);
    moved(s);
}

static void one_less(struct move *m)
{
    if (atomic_fetch_sub(&m->left, 1) != 1) return;
    starpu_data_release_on_node(tw_data_used(m->data), m->data->node);
    finish(m);
}

static void piece_done(void *arg)
{
    struct piece *p = arg;
    record(p);
    one_less(p->move);
}

static __attribute__((constructor)) void tell_whose(void)
{
    tw_own_except(piece_done);
}

/* The tile is where it has to be: cut it. Runs in any thread, a GPU's worker among them. */
static void acquired(void *arg)
{
    struct move *m = arg;
    const int gpu = gpu_of((unsigned)m->data->node);
    int n = m->data->n, e;

    for (int k = 0; k < m->npieces; k++) {
        struct piece *p = &m->piece[k];
        *p = (struct piece){.move = m,
                            .task = starpu_task_create(),
                            .first = (int)((long long)n * k / m->npieces),
                            .last = (int)((long long)n * (k + 1) / m->npieces),
                            .submit = tw_record_on() ? tw_now() : 0};
        p->moves = (struct tw_move){.from = m->out ? gpu : -1,
                                    .to = m->out ? -1 : gpu,
                                    .bytes = (double)m->data->m * (p->last - p->first) * (double)m->data->elemsize};
        p->task->cl = &codelets[m->out];
        p->task->cl_arg = p;
        p->task->callback_func = piece_done;
        p->task->callback_arg = p;
        p->task->name = codelets[m->out].name;
        p->task->color = codelets[m->out].color;
        p->task->priority = m->priority;
        atomic_fetch_add(&m->left, 1);
        if (!(e = starpu_task_submit(p->task))) continue;
        p->task->destroy = 0;
        starpu_task_destroy(p->task);
        fail(m, e == -ENODEV ? TW_E_NO_WORKER : TW_E_STARPU, "a tile cannot be copied: no CPU worker takes the task");
        one_less(m);
    }
    one_less(m);
}

/* With the staging's order held. A move of a sequence counts as a callback: the full window must not block here.
 * Without a sequence the move itself keeps the workers awake. */
static int submit(struct tw_sequence *seq, struct tw_data *d, int out, int priority)
{
    struct tw_staging *s = d->staging;
    double bytes = (double)d->m * (double)d->n * (double)d->elemsize;
    int pieces = (int)tw_max(1, tw_min(d->n, (tw_int)(bytes / PIECE)));
    struct move *m = malloc(sizeof *m + (size_t)pieces * sizeof *m->piece);
    starpu_data_handle_t handle;

    if (!m) return tw_fail(TW_E_MEMORY, "no memory to move a tile");
    *m = (struct move){.seq = seq, .data = d, .out = out, .priority = priority, .npieces = pieces};
    atomic_init(&m->left, 1);
    starpu_pthread_mutex_lock(&s->lock);
    s->moving++;
    starpu_pthread_mutex_unlock(&s->lock);
    if (seq)
        tw_sequence_begin_callback(seq);
    else
        tw_enter();
    handle = tw_data_handle(d);
    if (handle && starpu_data_acquire_on_node_cb(handle, d->node, out ? STARPU_R : STARPU_W, acquired, m) == 0)
        return 0;
    finish(m);
    return tw_fail(TW_E_STARPU, "starpu_data_acquire_on_node_cb refused a tile");
}

/* ---- there and back ---------------------------------------------------------------------------------------------- */

static int bring_in(struct tw_sequence *seq, struct tw_data *d, int priority, int also)
{
    int e = 0;

    starpu_pthread_mutex_lock(&d->staging->order);
    if (!(state_of(d) & PRESENT)) {
        e = submit(seq, d, 0, priority);
        if (!e) set_state(d, PRESENT, 0);
    }
    if (!e) set_state(d, also, 0);
    starpu_pthread_mutex_unlock(&d->staging->order);
    return e;
}

/* Behind all loads: those are what the GPUs wait for. The mark goes before the submission: a writer that comes between
 * sets it again, and the tile travels once more. */
static void send_home(struct tw_sequence *seq, struct tw_data *d)
{
    int e;

    if (!(state_of(d) & (CHANGED | SHARED))) return;
    starpu_pthread_mutex_lock(&d->staging->order);
    set_state(d, 0, CHANGED);
    e = submit(seq, d, 1, tw_rt.min_prio);
    if (e) set_state(d, CHANGED, 0);
    starpu_pthread_mutex_unlock(&d->staging->order);
    if (!e) return;
    note(d->staging, e, tw_last_message());
    if (seq) tw_sequence_fail(seq, e, tw_last_message());
}

int tw_staging_before(struct tw_sequence *seq, const struct tw_access *access, int naccess, int priority)
{
    int e = 0;

    for (int k = 0; k < naccess && !e; k++) {
        struct tw_data *d = access[k].data;
        if (!d || !d->staging || !(access[k].mode & TW_R)) continue;
        if (!(state_of(d) & PRESENT)) e = bring_in(seq, d, priority, 0);
        if (state_of(d) & LOST)
            e = tw_fail(TW_E_DEVICE, "tile (%d, %d) could not be copied to its GPU", d->coord[0], d->coord[1]);
        if (e) tw_sequence_fail(seq, e, tw_last_message());
    }
    return e;
}

void tw_staging_after(const struct tw_access *access, int naccess)
{
    for (int k = 0; k < naccess; k++) {
        struct tw_data *d = access[k].data;
        if (d && d->staging && access[k].mode & TW_W) set_state(d, PRESENT | CHANGED, 0);
    }
}

void tw_staging_home(struct tw_sequence *seq, struct tw_data *d)
{
    send_home(seq, d);
}

int tw_staging_bring_in(struct tw_sequence *seq, struct tw_data *tiles, size_t count)
{
    int e = 0;
    for (size_t k = 0; k < count && !e; k++)
        e = bring_in(seq, &tiles[k], 0, 0);
    return e;
}

int tw_staging_share(struct tw_data *d)
{
    return bring_in(NULL, d, 0, SHARED);
}

void tw_staging_send_home(struct tw_data *tiles, size_t count)
{
    for (size_t k = 0; k < count; k++)
        send_home(NULL, &tiles[k]);
}

int tw_staging_settle(struct tw_staging *s, struct tw_data *tiles, size_t count)
{
    int e;

    tw_staging_send_home(tiles, count);
    starpu_pthread_mutex_lock(&s->lock);
    while (s->moving > 0)
        starpu_pthread_cond_wait(&s->quiet, &s->lock);
    if ((e = s->error)) tw_set_message(s->message);
    starpu_pthread_mutex_unlock(&s->lock);
    return e;
}

void tw_staging_forget(struct tw_data *tiles, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (state_of(&tiles[k]) & PRESENT) {
            starpu_data_invalidate(tw_data_used(&tiles[k])); /* waits for the tasks that use it */
            set_state(&tiles[k], 0, PRESENT | CHANGED | LOST);
        }
}

/* Tiles whose handles the user has are never without content. */
int tw_staging_renew(struct tw_data *tiles, size_t count)
{
    int e = 0;
    for (size_t k = 0; k < count && !e; k++)
        if (state_of(&tiles[k]) & SHARED) e = bring_in(NULL, &tiles[k], 0, 0);
    return e;
}

/* ---- which arrays, and where their tiles go ---------------------------------------------------------------------- */

/* Small arrays and small tiles: what a transfer costs beside its bytes is as much by either way. A matrix that does not
 * fit the GPUs would be evicted to main memory that StarPU takes for it, a second copy: it stays in place. */
int tw_staging_wanted(const struct tw_matrix *A)
{
    double bytes = (double)A->m * (double)A->n * (double)tw_sizeof(A->type),
           tile = (double)tw_min(A->mb, A->m) * (double)tw_min(A->nb, A->n) * (double)tw_sizeof(A->type);

    if (bytes == 0 || tw_rt.ncpu == 0 || tw_rt.config.staging == 0) return 0;
    if (getenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS"))
        return 0; /* StarPU aborts where a callback's submission would have to wait */
    if (tw_rt.config.staging > 0) return 1;
    if (A->uplo != TW_GENERAL) bytes /= 2;
    return tw_rt.ncuda > 0 && bytes >= 8 << 20 && tile >= 128 << 10 && tw_gpu_tiles(A) == LONG_MAX &&
           !tw_device_knows(A->base);
}

struct tw_staging *tw_staging_open(const struct tw_matrix *A)
{
    struct tw_staging *s;

    if (tw_lanes_open() != 0 || !(s = calloc(1, sizeof *s))) return NULL;
    starpu_pthread_mutex_init(&s->order, NULL);
    starpu_pthread_mutex_init(&s->lock, NULL);
    starpu_pthread_cond_init(&s->quiet, NULL);
    s->lda = (size_t)A->lda;
    s->uplo = A->uplo;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++) /* main memory: without GPUs, for tests */
        if (starpu_node_get_kind(node) == (tw_rt.ncuda > 0 ? STARPU_CUDA_RAM : STARPU_CPU_RAM))
            s->nodes[s->nnodes++] = (int)node;
    s->down = 1;
    for (int k = 2; k * k <= s->nnodes; k++)
        if (s->nnodes % k == 0) s->down = k;
    return s;
}

/* Block-cyclic over the GPUs, as square as their number allows, as tiles in the pool are (travel.c). */
void tw_staging_adopt(struct tw_staging *s, const struct tw_matrix *A, struct tw_data *d)
{
    int i = d->coord[0], j = d->coord[1], across = s->nnodes / s->down;

    d->host = (char *)A->base + ((size_t)i * (size_t)A->mb + (size_t)j * (size_t)A->nb * (size_t)A->lda) * d->elemsize;
    d->staging = s;
    d->node = s->nodes[i % s->down * across + j % across];
}

void tw_staging_close(struct tw_staging *s)
{
    if (!s) return;
    starpu_pthread_mutex_lock(&s->lock); /* whoever signalled last has left */
    starpu_pthread_mutex_unlock(&s->lock);
    starpu_pthread_cond_destroy(&s->quiet);
    starpu_pthread_mutex_destroy(&s->lock);
    starpu_pthread_mutex_destroy(&s->order);
    free(s);
}

void tw_staging_stop(void)
{
    tw_lanes_close();
}
