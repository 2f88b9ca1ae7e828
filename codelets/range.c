/* A part of a loop over arrays in main memory. No buffers: the routine's loop waits before anything else sees the
 * arrays. CPU only.
 *
 * Arguments  the function and its context; the part and its range */
#include "codelets/range.h"

struct args {
    tw_range_fn fn;
    void *context;
    int part;
    tw_int begin, end;
};

static int cpu(const struct tw_body *body)
{
    const struct args *a = body->args;
    a->fn(a->context, a->part, a->begin, a->end);
    return 0;
}

static struct tw_codelet codelet = {.name = "range", .color = 0x999933, .rate = TW_RATE_MEMORY, .cpu = cpu};

enum { GRAIN = 16384 };

int tw_range_parts_by(tw_int n, tw_int grain)
{
    const tw_int parts = n / grain;
    return parts < 1 ? 1 : parts > TW_RANGE_PARTS ? TW_RANGE_PARTS : (int)parts;
}
int tw_range_parts(tw_int n)
{
    return tw_range_parts_by(n, GRAIN);
}

static void submit(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n, int parts)
{
    int ncuda;

    if (!seq || parts == 1 || tw_worker_count(&ncuda) == ncuda) {
        for (int k = 0; k < parts; k++)
            fn(context, k, n * k / parts, n * (k + 1) / parts);
        return;
    }
    for (int k = 0; k < parts; k++) {
        const struct args args = {fn, context, k, n * k / parts, n * (k + 1) / parts};
        tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                         .type = TW_DOUBLE,
                                         .args = &args,
                                         .args_size = sizeof args,
                                         .priority = tw_priority(seq, 4, 4, 1),
                                         .size = 8,
                                         .coord = {k, -1, -1, -1},
                                         .place = TW_ON_CPUS});
    }
}

void tw_range_submit(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n)
{
    submit(seq, fn, context, n, tw_range_parts(n));
}
void tw_range_run(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n)
{
    tw_range_run_by(seq, fn, context, n, GRAIN);
}
void tw_range_run_by(struct tw_sequence *seq, tw_range_fn fn, void *context, tw_int n, tw_int grain)
{
    submit(seq, fn, context, n, tw_range_parts_by(n, grain));
    if (seq) tw_loop_wait(seq);
}
