/* A codelet's body as StarPU calls it: its buffers, its errors, and the faults that test the checkers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/order.h"
#include "runtime/base/sequence.h"
#include "runtime/base/state.h"
#include "runtime/cuda/nvtx.h"
#include "runtime/cuda/timing.h"
#include "runtime/data/data_private.h"
#include "runtime/task/task_private.h"
#include "runtime/task/task_state.h"
#include "runtime/task/team.h"

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
    struct tw_buffer small[TW_BUFFERS_ON_STACK], *buf = small;
    char text[512];
    int e;

    if (tw_sequence_stopped(s->seq)) return; /* a failed or cancelled sequence drains */
    s->ran = 1;
    s->begun = tw_stage_task_begins(s->stage);
    if (s->nbuf > TW_BUFFERS_ON_STACK && !(buf = malloc((size_t)s->nbuf * sizeof *buf))) {
        tw_sequence_fail(s->seq, TW_E_MEMORY, "no memory for a task's buffer list");
        return;
    }
    for (int k = 0; k < s->nbuf; k++)
        if (s->has_tokens &&
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

void tw_run_on_cpu(void *buffers[], void *arg)
{
    struct tw_task_state *s = tw_handed_over(arg);
    tw_team_worker_busy(1);
    tw_data_taken(s->task, s->nbuf);
    run_body(s, buffers, s->codelet->cpu, NULL);
    tw_data_left(s->task, s->nbuf);
    tw_team_worker_busy(0);
}

void tw_run_on_gpu(void *buffers[], void *arg)
{
    struct tw_task_state *s = tw_handed_over(arg);
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
