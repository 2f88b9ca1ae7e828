/* The one door for tasks: from a codelet and its accesses to a StarPU task, and back when it has run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/sequence.h"
#include "runtime/data/data_private.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/base/state.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"
#include "runtime/watch/watch.h"
#include "runtime/data/staging.h"
#ifdef TILEWORK_CUDA
#include <cuda_runtime_api.h>
#endif

/* A codelet for one type: what StarPU knows. */
struct tw_variant {
    struct tw_codelet *codelet;
    enum tw_type type;
    struct starpu_codelet starpu;
    struct starpu_perfmodel model;
    char symbol[48];
    struct tw_variant *next;
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
    struct starpu_task *task;
    enum tw_type type;
    double flops, size, bytes, submit;
    int nbuf, priority, routine, ran;
    unsigned long run;
    int coord[4];
    unsigned long id;
    int has_signs;
    struct tw_seen *seen; /* how the bodies see the buffers, where an object's kind has its own view; else NULL */
    _Alignas(16) char args[TW_ARGS_MAX];
};

static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
static struct tw_variant *variants;
static atomic_ulong next_id;
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
    if (!tw_rt.config.fault || s->flops <= 0 || s->size < 2 || atomic_load(&last) == s->run) return;
    for (int k = n - 1; k >= 0; k--) {
        if (!b[k].ld || b[k].bytes || b[k].m < 2) continue;
        size_t reals = tw_is_complex(s->type) ? 2 : 1,
               corner[2] = {(size_t)b[k].m - 1, (size_t)(b[k].n - 1) * (size_t)b[k].ld};
        for (int c = 0; c < 2; c++) {
            if (tw_is_single(s->type))
                ((float *)b[k].ptr)[corner[c] * reals] += 0.2f * (1 + s->size);
            else
                ((double *)b[k].ptr)[corner[c] * reals] += 1e-6 * (1 + s->size);
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

static void run_body(struct tw_task_state *s, void *buffers[], tw_body_fn fn, const struct tw_cuda *cuda)
{
    struct tw_buffer small[MAX_BUFFERS_ON_STACK], *buf = small;
    char text[512];
    int e;

    if (tw_sequence_stopped(s->seq)) return; /* a failed or cancelled sequence drains */
    s->ran = 1;
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
    e = fn(&(struct tw_body){s->type, s->args, buf, s->nbuf, cuda, s});
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

static void cpu_body(void *buffers[], void *arg)
{
    struct tw_task_state *s = arg;
    run_body(s, buffers, s->codelet->cpu, NULL);
}

#ifdef TILEWORK_CUDA
static void cuda_body(void *buffers[], void *arg)
{
    struct tw_task_state *s = arg;
    struct tw_cuda cuda = tw_cuda_local();
    int urgent = s->codelet->urgent, e = urgent ? tw_cuda_urgent_begin(&cuda) : 0;

    if (!e) run_body(s, buffers, s->codelet->cuda, &cuda);
    if (!e && urgent) e = tw_cuda_urgent_end(&cuda);
    if (e) tw_sequence_fail(s->seq, TW_E_DEVICE, cudaGetErrorString((cudaError_t)e));
}
#endif

/* ---- cost: analytic from the profile, refined by what was measured ---------------------------------------------------------------
 * Correction factors per kernel, kind of worker and power-of-two size class: a slow moving mean of measured / predicted, kept
 * within [1/4, 4] so that one bad timing cannot drive the scheduler astray. */

#define SIZE_CLASSES 20
static _Atomic float correction[2][TW_NRATES][TW_NTYPES][SIZE_CLASSES];

static int size_class(double size)
{
    int c = 0;
    while (size >= 2 && c < SIZE_CLASSES - 1)
        size /= 2, c++;
    return c;
}

static double analytic(int is_cuda, enum tw_rate rate, enum tw_type type, double flops, double bytes, double size)
{
    double work = rate == TW_RATE_MEMORY ? bytes : flops, r = tw_profile_rate(is_cuda, rate, type, size) * 1e9;
    double seconds = (is_cuda ? 8e-6 : 1e-6) + (r > 0 ? work / r : 0);
    if (is_cuda && tw_rt.ndevices > 0 && rate != TW_RATE_MEMORY) {
        /* Several streams share the GPU: a kernel that fills it alone takes `streams` times as long beside others. */
        double streams = (double)tw_rt.ncuda / tw_rt.ndevices,
               peak = tw_profile_rate(1, TW_RATE_GEMM, type, 4096) * 1e9;
        double share = peak > 0 ? streams * r / peak : 1;
        if (share > 1) seconds *= share < streams ? share : streams;
    }
    return seconds;
}

static double refined(const struct tw_task_state *s, int is_cuda)
{
    float f = atomic_load_explicit(&correction[is_cuda][s->codelet->rate][s->type][size_class(s->size)],
                                   memory_order_relaxed);
    return analytic(is_cuda, s->codelet->rate, s->type, s->flops, s->bytes, s->size) * (f > 0 ? f : 1);
}

/* Per architecture, not per worker: some policies (dmdasd, pheft, heteroprio) ask for the former only. */
static double cost_us(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned nimpl)
{
    (void)nimpl;
    return 1e6 * refined(task->cl_arg, arch->devices[0].type == STARPU_CUDA_WORKER);
}

static void learn(const struct tw_task_state *s, int is_cuda, double seconds)
{
    double predicted = analytic(is_cuda, s->codelet->rate, s->type, s->flops, s->bytes, s->size),
           ratio = seconds / predicted;
    _Atomic float *f = &correction[is_cuda][s->codelet->rate][s->type][size_class(s->size)];
    float old = atomic_load_explicit(f, memory_order_relaxed);

    if (!(ratio > 0) || s->flops <= 0 || (s->codelet->rate == TW_RATE_MEMORY && s->bytes <= 0)) return;
    ratio = ratio < 0.25 ? 0.25 : ratio > 4 ? 4 : ratio;
    atomic_store_explicit(f, (float)((old > 0 ? old : 1) * 0.95 + ratio * 0.05), memory_order_relaxed);
}

double tw_cost(enum tw_rate rate, enum tw_type type, double flops, double size)
{
    return analytic(tw_rt.ncuda > 0, rate, type, flops, 0, size);
}

/* ---- variants ------------------------------------------------------------------------------------------------------------------- */

static struct tw_variant *make_variant(struct tw_codelet *c, enum tw_type type)
{
    struct tw_variant *v = calloc(1, sizeof *v);

    if (!v) return NULL;
    v->codelet = c;
    v->type = type;
    snprintf(v->symbol, sizeof v->symbol, "tw_%c%s", tw_letter(type), c->name);
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
#ifdef TILEWORK_CUDA
    if (c->cuda) {
        v->starpu.cuda_funcs[0] = cuda_body;
        v->starpu.cuda_flags[0] = STARPU_CUDA_ASYNC;
        /* Reproducible: one kind of worker per kernel, since the two kinds round differently. */
        if ((tw_rt.config.force_cuda || tw_rt.config.reproducible) && tw_rt.ncuda > 0)
            v->starpu.where = STARPU_CUDA;
        else
            v->starpu.where |= STARPU_CUDA;
    }
#endif
    return v;
}

static struct tw_variant *variant_of(struct tw_codelet *c, enum tw_type type)
{
    struct tw_variant *v = __atomic_load_n(&c->variant[type], __ATOMIC_ACQUIRE);
    if (v) return v;
    starpu_pthread_mutex_lock(&lock);
    v = c->variant[type];
    if (!v && (v = make_variant(c, type))) {
        v->next = variants;
        variants = v;
        __atomic_store_n(&c->variant[type], v, __ATOMIC_RELEASE);
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
        v->codelet->variant[v->type] = NULL;
        free(v);
    }
}

/* ---- what the watchers are told ----------------------------------------------------------------------------------------------------- */

static struct tw_seen_kernel seen_kernel(const struct tw_codelet *c, enum tw_type type)
{
    return (struct tw_seen_kernel){c, c->name, c->rate, type, c->cpu != NULL, c->cuda != NULL};
}

static void show(const struct tw_task *t)
{
    struct tw_seen_access small[MAX_BUFFERS_ON_STACK], *access = small;

    if (t->naccess > MAX_BUFFERS_ON_STACK && !(access = malloc((size_t)t->naccess * sizeof *access))) return;
    for (int k = 0; k < t->naccess; k++) {
        const struct tw_data *d = t->access[k].data;
        const enum tw_mode mode = t->access[k].mode;
        if (!d || mode == TW_SCRATCH)
            access[k] = (struct tw_seen_access){0};
        else /* Temporaries (tiles of no matrix) and what lives on a GPU need not travel. */
            access[k] =
                (struct tw_seen_access){d, tw_data_bytes(d), mode != TW_W, mode != TW_R, d->home == 0 || d->stage};
    }
    tw_times_submitted(&(struct tw_seen_task){seen_kernel(t->codelet, t->type), t->flops, t->size, access, t->naccess});
    if (access != small) free(access);
}

/* ---- completion ------------------------------------------------------------------------------------------------------------------- */

static void free_state(struct tw_task_state *s)
{
    free(s->seen);
    free(s);
}

static void task_done(void *arg)
{
    struct tw_task_state *s = arg;
    struct tw_sequence *seq = s->seq;
    struct starpu_profiling_task_info *info = s->task->profiling_info;
    int worker = starpu_worker_get_id();

    if (info && worker >= 0 && s->ran) {
        double start = starpu_timing_timespec_to_us(&info->start_time) * 1e-6,
               end = starpu_timing_timespec_to_us(&info->end_time) * 1e-6;
        tw_counters_done(worker, s->flops, end - start);
        if (tw_times_on()) {
            const struct tw_seen_kernel kernel = seen_kernel(s->codelet, s->type);
            tw_times_done(worker, &kernel, s->flops, s->size, info);
        }
        learn(s, starpu_worker_get_type(worker) == STARPU_CUDA_WORKER, end - start);
        if (tw_record_on()) {
            struct tw_record r = {.submit = s->submit,
                                  .start = start,
                                  .end = end,
                                  .flops = s->flops,
                                  .name = s->codelet->name,
                                  .color = s->codelet->color,
                                  .worker = worker,
                                  .priority = s->priority,
                                  .type = (unsigned char)s->type,
                                  .id = s->id,
                                  .routine = s->routine};
            memcpy(r.coord, s->coord, sizeof r.coord);
            tw_record_task(&r);
        }
    }
    free_state(s);
    tw_sequence_end_task(seq);
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

static struct tw_task_state *make_state(struct tw_sequence *seq, const struct tw_task *t)
{
    struct tw_task_state *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = (struct tw_task_state){.seq = seq,
                                .codelet = t->codelet,
                                .type = t->type,
                                .flops = t->flops,
                                .size = t->size,
                                .bytes = bytes_of(t),
                                .nbuf = t->naccess,
                                .run = seq->run->number,
                                .priority = t->priority,
                                .routine = seq->run->routine_id,
                                .id = atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed)};
    if (look_at_kinds(s, t)) {
        free(s);
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
    if (tw_rt.ncuda == 0 || !s->codelet->cuda || !s->codelet->cpu || s->flops <= 0) return 0;
    return tw_rt.ncpu * tw_profile_rate(0, rate, s->type, s->size) <
           0.05 * tw_rt.ndevices * tw_profile_rate(1, rate, s->type, s->size);
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

void tw_submit(struct tw_sequence *seq, const struct tw_task *t)
{
    if (!seq->pending || !tw_pending_task(seq, t)) tw_submit_now(seq, t);
}

void tw_submit_now(struct tw_sequence *seq, const struct tw_task *t)
{
    struct tw_variant *v;
    struct tw_task_state *s;
    struct starpu_task *task;
    int e;

    if (tw_sequence_stopped(seq) || tw_stage_before(seq, t->access, t->naccess, t->priority)) return;
    if (t->args_size > TW_ARGS_MAX) {
        refuse(seq, t, TW_E_INTERNAL, "argument struct too large");
        return;
    }
    v = variant_of(t->codelet, t->type);
    s = v ? make_state(seq, t) : NULL;
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
    if (t->place == TW_ANYWHERE && gpus_alone(s)) task->where = STARPU_CUDA;
    if ((e = attach_buffers(task, t))) {
        refuse(seq, t, e,
               e == TW_E_MEMORY  ? "no memory"
               : e == TW_E_STATE ? "the library was stopped since its matrix was made, which can only be destroyed"
                                 : "an operand does not exist");
        discard(task);
        free_state(s);
        return;
    }
    if (tw_times_on()) show(t);
    tw_sequence_begin_task(seq);
    e = starpu_task_submit(task);
    if (!e) tw_stage_after(t->access, t->naccess);
    if (e) {
        refuse(seq, t, e == -ENODEV ? TW_E_NO_WORKER : TW_E_STARPU,
               e == -ENODEV ? "no worker in use can run it (are all CPU workers switched off?)" : strerror(-e));
        discard(task);
        free_state(s);
        tw_sequence_end_task(seq);
    }
}

/* ---- workspaces of CUDA routines ------------------------------------------------------------------------------------------------------ */

#ifdef TILEWORK_CUDA
struct query {
    tw_workspace_fn fn;
    enum tw_type type;
    char uplo;
    int n, status;
    size_t bytes;
};
static void run_query(void *arg)
{
    struct query *q = arg;
    struct tw_cuda cuda = tw_cuda_local();
    q->status = q->fn(&cuda, q->type, q->uplo, q->n, &q->bytes);
}

size_t tw_cuda_workspace(tw_workspace_fn fn, enum tw_type type, char uplo, int n)
{
    static struct query known[64];
    static int nknown;
    struct query q = {fn, type, uplo, n, 0, 0};
    unsigned worker = 0;

    if (tw_rt.ncuda == 0) return 0;
    starpu_pthread_mutex_lock(&lock);
    for (int k = 0; k < nknown; k++)
        if (known[k].fn == fn && known[k].type == type && known[k].uplo == uplo && known[k].n == n)
            q.bytes = known[k].bytes;
    starpu_pthread_mutex_unlock(&lock);
    if (q.bytes) return q.bytes;
    while (worker < starpu_worker_get_count() && starpu_worker_get_type((int)worker) != STARPU_CUDA_WORKER)
        worker++;
    starpu_execute_on_specific_workers(run_query, &q, 1, &worker, "tw_workspace");
    if (q.status) {
        tw_log(TW_LOG_ERROR, "a GPU workspace query failed: %s", tw_cuda_text(q.status));
        return 0;
    }
    starpu_pthread_mutex_lock(&lock);
    known[nknown++ % 64] = q;
    if (nknown > 63) nknown = 63;
    starpu_pthread_mutex_unlock(&lock);
    return q.bytes;
}
#else
size_t tw_cuda_workspace(tw_workspace_fn fn, enum tw_type type, char uplo, int n)
{
    (void)fn, (void)type, (void)uplo, (void)n;
    return 0;
}
#endif
