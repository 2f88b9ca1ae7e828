/* The one door for tasks: from a codelet and its accesses to a StarPU task, and back when it has run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/sequence.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/base/state.h"
#include "runtime/task/admit.h"
#include "runtime/task/cost.h"
#include "runtime/task/order.h"
#include "runtime/machine/lane.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/cuda/part.h"
#include "runtime/cuda/timing.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"
#include "runtime/task/team.h"
#include "runtime/task/values.h"
#include "runtime/watch/watch.h"
#include "runtime/data/staging.h"

/* A codelet for operands of some types: what StarPU knows. */
struct tw_variant {
    struct tw_codelet *codelet;
    enum tw_type type;
    int second; /* TW_SECOND of the other operands' type, or 0 */
    struct tw_model *cost;
    struct starpu_codelet starpu;
    struct starpu_perfmodel model;
    char symbol[TW_SYMBOL_MAX];
    struct tw_variant *next, *sibling; /* of all, of the codelet's */
};

/* How a body sees one buffer: copied, since a temporary may be gone before its last task runs. */
struct tw_seen {
    void (*view)(const int shape[4], struct tw_buffer *b);
    int shape[4];
};

/* A task's own block: the argument of its bodies, freed when it is done. */
struct tw_task_state {
    struct tw_sequence *seq;
    struct tw_codelet *codelet;
    struct tw_variant *variant;
    struct tw_stage *stage; /* NULL: of none */
    unsigned begun;         /* what its end is told to the stage with */
    double asked;           /* when its body began to put work into the GPU's stream, where that is timed */
    struct starpu_task *task;
    enum tw_type type;
    struct tw_work work;
    enum tw_lane lane;                        /* by which way a GPU serves it */
    double did, submit;                       /* did: flops */
    double lost[2];                           /* tw_lost_so_far at the body's start and end */
    int nbuf, priority, routine, ran, timing; /* timing: the GPU's own (runtime/cuda/timing.h); 0: none */
    unsigned long run;
    int coord[4];
    unsigned long id;
    int has_signs;
    struct tw_move *moves;
    int nmoves;
    struct tw_seen *seen; /* how the bodies see the buffers, where an object's kind has its own view; else NULL */
    atomic_int handed;    /* written last, read first: see handed_over() */
    _Alignas(16) char args[TW_ARGS_MAX];
};

/* StarPU hands a task that waits for data from thread to thread under spinlocks of its own, which ThreadSanitizer cannot see: this
 * pair, stored before the submission, is the order that it sees. */
static struct tw_task_state *handed_over(void *arg)
{
    struct tw_task_state *s = arg;
    (void)atomic_load_explicit(&s->handed, memory_order_acquire);
    return s;
}

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_variant *variants;
#define MAX_BUFFERS_ON_STACK 32

/* ---- bodies ------------------------------------------------------------------------------------------------------------------- */

static void decode(struct tw_buffer *b, void *interface)
{
    switch (*(enum starpu_data_interface_id *)interface) {
    case STARPU_MATRIX_INTERFACE_ID:
        *b = (struct tw_buffer){.ptr = (void *)STARPU_MATRIX_GET_PTR(interface),
                                .m = (int)STARPU_MATRIX_GET_NX(interface),
                                .n = (int)STARPU_MATRIX_GET_NY(interface),
                                .ld = (int)STARPU_MATRIX_GET_LD(interface),
                                .count = 1};
        break;
    case STARPU_BLOCK_INTERFACE_ID:
        *b = (struct tw_buffer){.ptr = (void *)STARPU_BLOCK_GET_PTR(interface),
                                .m = (int)STARPU_BLOCK_GET_NX(interface),
                                .n = (int)STARPU_BLOCK_GET_NY(interface),
                                .ld = (int)STARPU_BLOCK_GET_LDY(interface),
                                .count = (int)STARPU_BLOCK_GET_NZ(interface),
                                .stride = STARPU_BLOCK_GET_LDZ(interface)};
        break;
    default:
        *b = (struct tw_buffer){.ptr = (void *)STARPU_VECTOR_GET_PTR(interface),
                                .m = (int)STARPU_VECTOR_GET_NX(interface),
                                .n = 1,
                                .ld = (int)STARPU_VECTOR_GET_NX(interface),
                                .count = 1,
                                .bytes =
                                    (size_t)STARPU_VECTOR_GET_NX(interface) * STARPU_VECTOR_GET_ELEMSIZE(interface)};
    }
}

#ifdef TILEWORK_FAULT_INJECTION
/* For testing the checkers: spoil the first tile that each routine computes. */
static void inject_fault(const struct tw_task_state *s, const struct tw_buffer *b, int n)
{
    static atomic_ulong last;
    if (!tw_rt.config.fault || s->work.flops <= 0 || s->work.order < 2 || atomic_load(&last) == s->run) return;
    if (!tw_type_ok(s->type) || s->variant->second) return; /* which buffers are of which type is not known here */
    for (int k = n - 1; k >= 0; k--) {
        if (!b[k].ld || b[k].bytes || b[k].m < 2) continue;
        size_t reals = tw_is_complex(s->type) ? 2 : 1,
               corner[2] = {(size_t)b[k].m - 1, (size_t)(b[k].n - 1) * (size_t)b[k].ld};
        for (int c = 0; c < 2; c++) {
            if (tw_is_single(s->type))
                ((float *)b[k].ptr)[corner[c] * reals] += 0.2f * (1 + (float)s->work.order);
            else
                ((double *)b[k].ptr)[corner[c] * reals] += 1e-6 * (1 + s->work.order);
        }
        atomic_store(&last, s->run);
        return;
    }
}
#endif

void tw_body_result(const struct tw_body *body, const struct tw_buffer *result, int n)
{
#ifdef TILEWORK_FAULT_INJECTION
    if (!body->cuda) inject_fault(body->task, result, n);
#else
    (void)body, (void)result, (void)n;
#endif
}

void tw_body_flops(const struct tw_body *body, double flops)
{
    if (flops >= 0 && isfinite(flops)) body->task->did = flops;
}

int tw_body_stopped(const struct tw_body *body)
{
    return tw_sequence_stopped(body->task->seq) != 0;
}

static void run_body(struct tw_task_state *s, void *buffers[], tw_body_fn fn, const struct tw_cuda *cuda)
{
    struct tw_buffer small[MAX_BUFFERS_ON_STACK], *buf = small;
    char text[512];
    int e;

    if (tw_sequence_stopped(s->seq)) return; /* a failed or cancelled sequence drains */
    s->ran = 1;
    s->begun = tw_stage_task_begins(s->stage);
    if (s->nbuf > MAX_BUFFERS_ON_STACK && !(buf = malloc((size_t)s->nbuf * sizeof *buf))) {
        tw_sequence_fail(s->seq, TW_E_MEMORY, "no memory for a task's buffer list");
        return;
    }
    for (int k = 0; k < s->nbuf; k++)
        if (s->has_signs &&
            starpu_data_get_interface_id(STARPU_TASK_GET_HANDLE(s->task, k)) == STARPU_VOID_INTERFACE_ID)
            buf[k] = (struct tw_buffer){0};
        else
            decode(&buf[k], buffers[k]);
    for (int k = 0; s->seen && k < s->nbuf; k++) {
        memcpy(buf[k].shape, s->seen[k].shape, sizeof buf[k].shape);
        if (s->seen[k].view) s->seen[k].view(buf[k].shape, &buf[k]);
    }
    const int range = tw_nvtx_on();
    if (range) tw_nvtx_push(s->variant->symbol + sizeof "tw_" - 1, s->codelet->color, (long)s->id);
    if (tw_record_on()) s->lost[0] = tw_lost_so_far();
    e = fn(&(struct tw_body){.type = s->type,
                             .second = s->variant->second ? (enum tw_type)(s->variant->second - 1) : s->type,
                             .args = s->args,
                             .buf = buf,
                             .nbuf = s->nbuf,
                             .cuda = cuda,
                             .task = s});
    if (tw_record_on()) s->lost[1] = tw_lost_so_far();
    if (range) tw_nvtx_pop();
#ifdef TILEWORK_FAULT_INJECTION
    if (!cuda) inject_fault(s, buf, s->nbuf);
#endif
    if (buf != small) free(buf);
    if (!e) return;
    if (cuda) {
        snprintf(text, sizeof text, "%s on GPU %d: %s", s->codelet->name,
                 starpu_worker_get_devid(starpu_worker_get_id()),
                 *tw_last_message() ? tw_last_message() : tw_cuda_text(e));
        tw_clear_message();
        e = TW_E_DEVICE;
    } else {
        /* What the body said in this worker's thread, else the code's own text. */
        snprintf(text, sizeof text, "%s: %s", s->codelet->name,
                 *tw_last_message() ? tw_last_message() : tw_strerror(e));
        tw_clear_message();
    }
    tw_sequence_fail(s->seq, e, text);
}

struct tw_body_facts tw_body_facts(const struct tw_body *body)
{
    const struct tw_task_state *s = body->task;
    return (struct tw_body_facts){s->codelet->color, s->type, s->id, s->routine};
}

static void cpu_body(void *buffers[], void *arg)
{
    struct tw_task_state *s = handed_over(arg);
    tw_team_worker_busy(1);
    tw_data_taken(s->task, s->nbuf);
    run_body(s, buffers, s->codelet->cpu, NULL);
    tw_data_left(s->task, s->nbuf);
    tw_team_worker_busy(0);
}

static void cuda_body(void *buffers[], void *arg)
{
    struct tw_task_state *s = handed_over(arg);
    struct tw_cuda cuda = tw_cuda_local();
    int e = tw_cuda_lane_begin(&cuda, s->lane);

    if (!e && tw_rt.config.trace_events && tw_record_on()) {
        s->asked = tw_now();
        s->timing = tw_timing_begin(cuda.stream);
    }
    if (!e) run_body(s, buffers, s->codelet->cuda, &cuda);
    if (s->timing) tw_timing_end(s->timing, cuda.stream);
    if (!e) e = tw_cuda_lane_end(&cuda, s->lane);
    if (e) tw_sequence_fail(s->seq, TW_E_DEVICE, tw_device_text(e));
}

/* ---- variants ------------------------------------------------------------------------------------------------------------------- */

/* Per architecture, not per worker: some policies (dmdasd, pheft, heteroprio) ask for the former only. */
static double cost_us(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    const struct tw_task_state *s = handed_over(task->cl_arg);
    (void)nimpl;
    return 1e6 * tw_model_seconds(s->variant->cost, arch->devices[0].type == STARPU_CUDA_WORKER, &s->work);
}

static struct tw_variant *make_variant(struct tw_codelet *c, enum tw_type type, int second)
{
    struct tw_variant *v = calloc(1, sizeof *v);
    char letters[3] = {tw_letter(type), 0, 0};

    if (!v) return NULL;
    v->codelet = c;
    v->type = type;
    v->second = second;
    if (second) letters[1] = tw_letter((enum tw_type)(second - 1));
    snprintf(v->symbol, sizeof v->symbol, "tw_%s%s", letters, c->name);
    if (!(v->cost = tw_model_of(v->symbol, c->rate, type, c->share))) {
        free(v);
        return NULL;
    }
    v->model.type = STARPU_PER_ARCH;
    v->model.arch_cost_function = cost_us;
    v->model.symbol = v->symbol;
    starpu_codelet_init(&v->starpu);
    v->starpu.name = c->name;
    v->starpu.color = c->color;
    v->starpu.model = &v->model;
    v->starpu.nbuffers = STARPU_VARIABLE_NBUFFERS;
    if (c->cpu) {
        v->starpu.cpu_funcs[0] = cpu_body;
        v->starpu.where |= STARPU_CPU;
    }
    if (c->cuda) {
        v->starpu.cuda_funcs[0] = cuda_body;
        v->starpu.cuda_flags[0] = STARPU_CUDA_ASYNC;
        /* Reproducible: one kind of worker per kernel, since the two kinds round differently. */
        if ((tw_rt.config.force_cuda || tw_rt.config.reproducible) && tw_rt.ncuda > 0)
            v->starpu.where = STARPU_CUDA;
        else
            v->starpu.where |= STARPU_CUDA;
    }
    return v;
}

static struct tw_variant *find(struct tw_variant *v, enum tw_type type, int second)
{
    while (v && (v->type != type || v->second != second))
        v = v->sibling;
    return v;
}

static struct tw_variant *variant_of(struct tw_codelet *c, enum tw_type type, int second)
{
    struct tw_variant *v = find(__atomic_load_n(&c->variant, __ATOMIC_ACQUIRE), type, second);
    if (v) return v;
    starpu_pthread_mutex_lock(&lock);
    v = find(c->variant, type, second);
    if (!v && (v = make_variant(c, type, second))) {
        v->next = variants;
        variants = v;
        v->sibling = c->variant;
        __atomic_store_n(&c->variant, v, __ATOMIC_RELEASE);
    }
    starpu_pthread_mutex_unlock(&lock);
    return v;
}

/* After StarPU has stopped (a StarPU that is not ours keeps using its models). */
void tw_variants_clear(void)
{
    if (!tw_rt.owns_starpu) return;
    while (variants) {
        struct tw_variant *v = variants;
        variants = v->next;
        v->codelet->variant = NULL;
        free(v);
    }
    tw_models_clear();
}

/* ---- what the watchers are told ----------------------------------------------------------------------------------------------------- */

static struct tw_seen_kernel seen_kernel(const struct tw_variant *v)
{
    const struct tw_codelet *c = v->codelet;
    return (struct tw_seen_kernel){.id = c,
                                   .name = c->name,
                                   .rate = c->rate,
                                   .type = v->type,
                                   .second = v->second,
                                   .on_cpu = c->cpu != NULL,
                                   .on_gpu = c->cuda != NULL};
}

static void show(const struct tw_task_state *s, const struct tw_task *t)
{
    struct tw_seen_access small[MAX_BUFFERS_ON_STACK], *access = small;

    if (t->naccess > MAX_BUFFERS_ON_STACK && !(access = malloc((size_t)t->naccess * sizeof *access))) return;
    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data *d = t->access[k].data;
        const enum tw_mode mode = t->access[k].mode;
        if (!d || mode == TW_SCRATCH)
            access[k] = (struct tw_seen_access){0};
        else /* Temporaries (tiles of no matrix) and what lives on a GPU need not travel. */
            access[k] = (struct tw_seen_access){d,
                                                tw_data_used(d),
                                                tw_data_bytes(d),
                                                mode != TW_W,
                                                mode != TW_R,
                                                d->home == 0 || d->stage,
                                                d->stage != NULL,
                                                mode == TW_RW_COMMUTE && !tw_rt.config.reproducible};
    }
    if (tw_record_on()) {
        tw_edges_task(s->id, access, t->naccess);
        const struct tw_values *v = tw_values_now(s->seq);
        if (v->count) tw_edges_values(s->id, v->writer, v->count);
    }
    if (tw_times_on())
        tw_times_submitted(
            &(struct tw_seen_task){seen_kernel(s->variant), t->flops, s->work.order, t->bytes, access, t->naccess});
    if (access != small) free(access);
}

/* ---- completion ------------------------------------------------------------------------------------------------------------------- */

static void free_state(struct tw_task_state *s)
{
    free(s->moves);
    free(s->seen);
    free(s);
}

/* What a recording has beside start and end: what StarPU's profiling knows, and the models before they learn from this task. */
static void tell_phases(struct tw_record *r, const struct tw_task_state *s, struct starpu_profiling_task_info *info)
{
    r->ready = starpu_timing_timespec_to_us(&info->push_start_time) * 1e-6;
    r->taken = starpu_timing_timespec_to_us(&info->pop_end_time) * 1e-6;
    r->loaded = starpu_timing_timespec_to_us(&info->acquire_data_end_time) * 1e-6;
    if (s->codelet->cpu) r->predicted[0] = tw_model_seconds(s->variant->cost, 0, &s->work);
    if (s->codelet->cuda && tw_rt.ncuda > 0) r->predicted[1] = tw_model_seconds(s->variant->cost, 1, &s->work);
}

static void record_moves(const struct tw_task_state *s, double start, double end)
{
    for (int k = 0; k < s->nmoves; k++)
        if (s->moves[k].from != s->moves[k].to)
            tw_record_transfer(&(struct tw_transfer){.from = start,
                                                     .to = end,
                                                     .bytes = s->moves[k].bytes,
                                                     .source = s->moves[k].from,
                                                     .target = s->moves[k].to,
                                                     .task = s->id + 1});
}

/* When it ran, by the GPU's own clock. StarPU hands a stream its next task before it has seen the end of the one before, and counts the next from there on: the GPU may begin it
 * sooner, but not before its body put it into the stream. */
static int by_gpu(const struct tw_task_state *s, struct starpu_profiling_task_info *info, double gpu[2])
{
    const int ran = info && s->ran;
    return tw_timing_read(s->timing, ran ? fmin(s->asked, starpu_timing_timespec_to_us(&info->start_time) * 1e-6) : NAN,
                          ran ? starpu_timing_timespec_to_us(&info->end_time) * 1e-6 : NAN, &gpu[0], &gpu[1]);
}

static void task_done(void *arg)
{
    struct tw_task_state *s = arg;
    struct tw_sequence *seq = s->seq;
    struct starpu_profiling_task_info *info = s->task->profiling_info;
    int worker = starpu_worker_get_id();
    double moved = 0, gpu[2] = {0, 0};
    const int timed = s->timing && by_gpu(s, info, gpu);

    if (worker >= 0 && s->ran)
        tw_stage_task_ended(s->stage, s->begun, starpu_worker_get_type(worker) == STARPU_CUDA_WORKER,
                            info ? starpu_timing_timespec_to_us(&info->end_time) * 1e-6 : tw_now());
    if (info && worker >= 0 && s->ran) {
        double start = starpu_timing_timespec_to_us(&info->start_time) * 1e-6,
               end = starpu_timing_timespec_to_us(&info->end_time) * 1e-6;
        tw_counters_done(worker, s->did, end - start);
        for (int k = 0; k < s->nmoves; k++)
            moved += tw_times_moved(worker, &s->moves[k], info);
        if (tw_times_on()) {
            const struct tw_seen_kernel kernel = seen_kernel(s->variant);
            tw_times_done(worker, &kernel, s->did, s->work.order, s->work.bytes, moved > 0 && s->work.flops <= 0, info);
        }
        if (tw_record_on()) {
            struct tw_record r = {.submit = s->submit,
                                  .start = timed ? gpu[0] : start,
                                  .end = timed ? gpu[1] : end,
                                  .by_gpu = timed,
                                  .flops = s->did,
                                  .moved = moved,
                                  .name = s->codelet->name,
                                  .stage = tw_stage_name(s->stage),
                                  .color = s->codelet->color,
                                  .worker = worker,
                                  .priority = s->priority,
                                  .type = (unsigned char)s->type,
                                  .id = s->id,
                                  .routine = s->routine};
            memcpy(r.coord, s->coord, sizeof r.coord);
            tell_phases(&r, s, info);
            if (!timed) tw_lost_tell(&r, s->lost[0], s->lost[1]); /* a core's, not the GPU's */
            record_moves(s, r.start, r.end);
            tw_record_task(&r);
            tw_sequence_ran(seq, s->id, r.end);
        }
        tw_model_learn(s->variant->cost, starpu_worker_get_type(worker) == STARPU_CUDA_WORKER, &s->work, end - start);
    }
    free_state(s);
    tw_sequence_end_task(seq);
}

static __attribute__((constructor)) void tell_whose(void)
{
    tw_own_except(task_done);
}

enum tw_lane tw_task_lane(const struct starpu_task *task)
{
    return task->callback_func == task_done ? handed_over(task->cl_arg)->lane : TW_LANE_OWN;
}

/* ---- submission --------------------------------------------------------------------------------------------------------------------- */

static enum starpu_data_access_mode starpu_mode(enum tw_mode m)
{
    switch (m) {
    case TW_R: return STARPU_R;
    case TW_W: return STARPU_W;
    case TW_RW_COMMUTE: return tw_rt.config.reproducible ? STARPU_RW : STARPU_RW | STARPU_COMMUTE;
    case TW_SCRATCH: return STARPU_SCRATCH | STARPU_NOFOOTPRINT;
    default: return STARPU_RW;
    }
}

static int attach_buffers(struct starpu_task *task, const struct tw_task *t)
{
    starpu_data_handle_t *handles = task->handles;
    enum starpu_data_access_mode *modes = task->modes;

    task->nbuffers = t->naccess;
    if (t->naccess > STARPU_NMAXBUFS) { /* StarPU frees both with the task */
        task->dyn_handles = handles = malloc((size_t)t->naccess * sizeof *handles);
        task->dyn_modes = modes = malloc((size_t)t->naccess * sizeof *modes);
        if (!handles || !modes) return TW_E_MEMORY;
    }
    for (int k = 0; k < t->naccess; k++) {
        if (!t->access[k].data) return TW_E_INTERNAL;
        if (!(handles[k] = tw_data_handle(t->access[k].data)))
            return t->access[k].data->home == TW_HOME_GONE ? TW_E_STATE : TW_E_MEMORY;
        modes[k] = starpu_mode(t->access[k].mode);
    }
    return 0;
}

static double bytes_of(const struct tw_task *t)
{
    double b = t->bytes;
    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data *d = t->access[k].data;
        if (d && t->access[k].mode != TW_SCRATCH)
            b += tw_data_bytes(d) * ((t->access[k].mode & TW_RW) == TW_RW ? 2 : 1);
    }
    return b;
}

/* Whether there are signs among the operands, and kinds with views of their own. */
static int look_at_kinds(struct tw_task_state *s, const struct tw_task *t)
{
    int views = 0;

    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data_kind *kind = t->access[k].data ? t->access[k].data->kind : NULL;
        s->has_signs |= kind == &tw_kind_sign;
        views |= kind && kind->view;
    }
    if (!views) return 0;
    if (!(s->seen = calloc((size_t)t->naccess, sizeof *s->seen))) return TW_E_MEMORY;
    for (int k = 0; k < t->naccess; k++)
        if (t->access[k].data) {
            s->seen[k].view = t->access[k].data->kind->view;
            memcpy(s->seen[k].shape, t->access[k].data->shape, sizeof s->seen[k].shape);
        }
    return 0;
}

static double order_of(const struct tw_task *t)
{
    return t->m > 0 || t->n > 0 || t->k > 0 ? tw_order(t->m, t->n, t->k) : t->size;
}

/* What the loop wants, where there are GPUs with such ways. Not in reproducible mode: cuBLAS might take another kernel on a part of the multiprocessors, and what yields
 * goes by predictions. */
static enum tw_lane lane_of(const struct tw_sequence *seq, const struct tw_codelet *c)
{
    if (seq->lane != TW_LANE_OWN && tw_part_left() > 0 && !tw_rt.config.reproducible) return seq->lane;
    return c->urgent ? TW_LANE_URGENT : TW_LANE_OWN;
}

static struct tw_task_state *make_state(struct tw_sequence *seq, struct tw_variant *v, const struct tw_task *t)
{
    struct tw_task_state *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = (struct tw_task_state){.seq = seq,
                                .codelet = t->codelet,
                                .variant = v,
                                .stage = tw_stage_of(seq->stage),
                                .type = t->type,
                                .lane = lane_of(seq, t->codelet),
                                .work = {.flops = t->flops, .bytes = bytes_of(t), .order = order_of(t)},
                                .did = t->flops,
                                .nbuf = t->naccess - t->hidden,
                                .run = seq->run->number,
                                .priority = t->priority,
                                .routine = seq->run->routine_id,
                                .id = tw_record_next_id()};
    if (t->nmoves > 0 && (s->moves = malloc((size_t)t->nmoves * sizeof *s->moves)))
        memcpy(s->moves, t->moves, (size_t)(s->nmoves = t->nmoves) * sizeof *s->moves);
    if (look_at_kinds(s, t) || s->nmoves < t->nmoves) {
        free_state(s);
        return NULL;
    }
    memcpy(s->coord, t->coord, sizeof s->coord);
    if (t->args_size) memcpy(s->args, t->args, t->args_size);
    if (tw_record_on()) s->submit = tw_now();
    return s;
}

static void refuse(struct tw_sequence *seq, const struct tw_task *t, int code, const char *why)
{
    char text[256];
    snprintf(text, sizeof text, "task %s: %s", t->codelet->name, why);
    tw_sequence_fail(seq, code, text);
}

/* Where all CPU workers together would add less than 5 % to the GPUs' rate, the scheduler need not weigh them for every task, and a
 * CPU never starts what a GPU would have ended long before. */
static int gpus_alone(const struct tw_task_state *s)
{
    const enum tw_rate rate = s->codelet->rate;
    if (tw_rt.ncuda == 0 || !s->codelet->cuda || !s->codelet->cpu || s->work.flops <= 0) return 0;
    return tw_rt.ncpu * tw_profile_rate(0, rate, s->type, s->work.order) <
           0.05 * tw_rt.ndevices * tw_profile_rate(1, rate, s->type, s->work.order);
}

/* Operands that a GPU cannot hold at the same time, even if it holds nothing else: StarPU would try again for ever. 2: for certain; 1: if what is small lies in its way. */
static int too_large(const struct tw_task *t)
{
    double bytes = 0, kept = 0, largest = 0, total;

    if (tw_rt.ncuda == 0 || !t->codelet->cuda || !(total = (double)tw_gpu_memory())) return 0;
    for (int k = 0; k < t->naccess; k++) {
        const double b = t->access[k].data ? tw_data_bytes(t->access[k].data) : 0;
        bytes += b;
        kept += tw_keeps(b, total);
        if (b > largest) largest = b;
    }
    if (bytes >= 0x1p26 && bytes + TW_SMALL_PIECES > total) return 2;
    return tw_keeps(largest, total) == largest && largest >= 0x1p24 && kept + TW_SMALL_PIECES > total;
}

/* 0, or -1 if there is no such GPU. StarPU keeps the pointer to the set of workers: there is one per GPU, for good. */
static int place(struct starpu_task *task, int where)
{
    static uint32_t set[STARPU_NMAXWORKERS][(STARPU_NMAXWORKERS + 31) / 32];
    int worker;

    if (where == TW_ON_CPUS) task->where = STARPU_CPU;
    if (where == TW_ANYWHERE || where == TW_ON_CPUS) return 0;
    worker = where > 0 ? tw_gpu_worker(where - 1) : tw_gpu_last_worker(-2 - where);
    if (worker < 0) return -1;
    /* the same value whoever writes it */
    __atomic_store_n(&set[worker][worker / 32], (uint32_t)1 << worker % 32, __ATOMIC_RELAXED);
    task->workerids = set[worker];
    task->workerids_len = (STARPU_NMAXWORKERS + 31) / 32;
    task->where = STARPU_CUDA;
    return 0;
}

/* A task that was not submitted: StarPU destroys the others itself, and stops the program at who does so too early. */
static void discard(struct starpu_task *task)
{
    task->destroy = 0;
    starpu_task_destroy(task);
}

/* How many tasks this thread has submitted so far: libtilework_lapack asks by dlsym, for none more means that nothing of a call had begun when it failed. */
__attribute__((visibility("default"))) long tw_tasks_of_this_thread(void);
static _Thread_local long submitted_here;
long tw_tasks_of_this_thread(void)
{
    return submitted_here;
}

void tw_submit(struct tw_sequence *seq, const struct tw_task *t)
{
    if (seq->run && (seq->run->claimant || seq->run->fence) && !t->hidden)
        tw_submit_with_token(seq, t);
    else if (!seq->pending || !tw_pending_task(seq, t))
        tw_submit_now(seq, t);
}

void tw_submit_now(struct tw_sequence *seq, const struct tw_task *t)
{
    struct tw_variant *v;
    struct tw_task_state *s;
    struct starpu_task *task;
    int large, e;

    if (tw_sequence_stopped(seq) || tw_staging_before(seq, t->access, t->naccess, t->priority)) return;
    if (t->args_size > TW_ARGS_MAX) {
        refuse(seq, t, TW_E_INTERNAL, "argument struct too large");
        return;
    }
    v = variant_of(t->codelet, t->type, t->second);
    s = v ? make_state(seq, v, t) : NULL;
    if (!s) {
        refuse(seq, t, TW_E_MEMORY, "no memory");
        return;
    }
    task = s->task = starpu_task_create();
    task->cl = &v->starpu;
    task->cl_arg = s;
    task->callback_func = task_done;
    task->callback_arg = s;
    task->name = t->codelet->name;
    task->color = t->codelet->color;
    task->flops = t->flops;
    task->priority = t->priority;
    if (place(task, t->place)) {
        refuse(seq, t, TW_E_NO_WORKER, "the GPU that it is meant for is not there");
        discard(task);
        free_state(s);
        return;
    }
    large = t->place == TW_ANYWHERE ? too_large(t) : 0;
    if (large && (large == 2 || t->codelet->cpu)) {
        task->where = STARPU_CPU;
        if (!t->codelet->cpu) {
            refuse(seq, t, TW_E_MEMORY, "the GPUs' memory does not hold its operands");
            discard(task);
            free_state(s);
            return;
        }
    } else if (t->place == TW_ANYWHERE && gpus_alone(s)) {
        task->where = STARPU_CUDA;
    }
    if ((e = attach_buffers(task, t))) {
        refuse(seq, t, e,
               e == TW_E_MEMORY  ? "no memory"
               : e == TW_E_STATE ? "the library was stopped since its matrix was made, which can only be destroyed"
                                 : "an operand does not exist");
        discard(task);
        free_state(s);
        return;
    }
    if (tw_times_on() || tw_record_on()) show(s, t);
    tw_sequence_begin_task(seq);
    tw_task_recorded(task);
    atomic_store_explicit(&s->handed, 1, memory_order_release);
    submitted_here++;
    e = starpu_task_submit(task);
    if (!e) tw_staging_after(t->access, t->naccess);
    if (e) {
        refuse(seq, t, e == -ENODEV ? TW_E_NO_WORKER : TW_E_STARPU,
               e == -ENODEV ? "no worker in use can run it (are all CPU workers switched off?)" : strerror(-e));
        discard(task);
        free_state(s);
        tw_sequence_end_task(seq);
    }
}
