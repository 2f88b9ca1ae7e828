/* Tasks over rows and columns: on data objects, whose buffers they get in the order of the objects, or on memory that
 * StarPU does not move. Then tokens order them, and what they work on is told in their arguments:
 *
 * Buffers    done  W   a token
 *            after R   tokens
 *            work  SCRATCH (rows and columns, on GPUs only) */
#include <string.h>
#include "codelets/fft/at.h"

void tw_fft_submit_at(struct tw_sequence *seq, const struct tw_task *like, size_t work, const struct tw_fft_at *t)
{
    struct tw_access *access = malloc((size_t)(t->nafter + 2) * sizeof *access);
    struct tw_task task = *like;
    int n = 0;

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a task's operands", like->codelet->name);
        return;
    }
    access[n++] = (struct tw_access){t->done, TW_W};
    for (int k = 0; k < t->nafter; k++)
        access[n++] = (struct tw_access){t->after[k], TW_R};
    if (work) access[n++] = (struct tw_access){tw_scratch(work), TW_SCRATCH};
    task.access = access;
    task.naccess = n;
    task.priority = t->priority;
    if (t->nmoves) task.moves = t->moves, task.nmoves = t->nmoves;
    task.place = t->place;
    tw_submit(seq, &task);
    free(access);
}

void tw_fft_submit_on(struct tw_sequence *seq, const struct tw_task *like, size_t work, struct tw_data *const *in,
                      struct tw_data *const *out)
{
    const struct tw_fft_args *g = like->args;
    struct tw_access *access = malloc((size_t)(g->nin + g->nout + 1) * sizeof *access);
    struct tw_task task = *like;
    int n = 0;

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a task's operands", like->codelet->name);
        return;
    }
    for (int k = 0; k < g->nin; k++)
        access[n++] = (struct tw_access){in[k], g->nout ? TW_R : TW_RW};
    for (int k = 0; k < g->nout; k++)
        access[n++] = (struct tw_access){out[k], TW_W};
    if (work) access[n++] = (struct tw_access){tw_scratch(work), TW_SCRATCH};
    task.access = access;
    task.naccess = n;
    tw_submit(seq, &task);
    free(access);
}

int tw_fft_run_at(const struct tw_body *body, tw_body_fn run)
{
    const struct tw_fft_args *g = body->args;
    const int count = g->nin + g->nout;
    struct tw_buffer buf[TW_FFT_AT_MOST + 1];
    struct tw_body moved = *body;
    int e;

    if (!g->at) return run(body);
    if (count > TW_FFT_AT_MOST) return TW_E_INTERNAL;
    memcpy(buf, g->at, (size_t)count * sizeof *buf);
    if (body->cuda) buf[count] = body->buf[body->nbuf - 1];
    moved.buf = buf;
    moved.nbuf = count + (body->cuda ? 1 : 0);
    if ((e = run(&moved)) == 0) tw_body_result(body, buf, count);
    return e;
}
