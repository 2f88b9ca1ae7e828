/* What submission waited for. A value is its last writers; a wait for all that a sequence had to do is the task of it
 * that ended last. */
#include "runtime/task/values.h"

#include "runtime/data/data_private.h"
#include "runtime/task/thread.h"

struct tw_values tw_values_of(const struct tw_data *d)
{
    struct tw_values v = {.count = 0};

    if (tw_record_on()) {
        v.count = tw_edges_writers(tw_data_used(d) ? (const void *)tw_data_used(d) : d, v.writer, TW_VALUES);
        v.since = tw_record_coming_id();
    }
    return v;
}

static int has(const struct tw_values *v, unsigned long writer)
{
    for (int k = 0; k < v->count; k++)
        if (v->writer[k] == writer) return 1;
    return 0;
}

/* A writer that was submitted when the older ones were there ended after them. */
struct tw_values tw_values_after(const struct tw_values *older, const struct tw_values *newer)
{
    struct tw_values merged = *newer;
    int again = 1;

    for (int k = 0; k < newer->count; k++)
        again = again && has(older, newer->writer[k]);
    if (again) return *older;
    for (int k = 0; k < newer->count; k++)
        if (!older->count || newer->writer[k] >= older->since) return *newer;
    for (int k = 0; k < older->count && merged.count < TW_VALUES; k++)
        if (!has(newer, older->writer[k])) merged.writer[merged.count++] = older->writer[k];
    return merged;
}

static struct tw_values ended(const struct tw_sequence *seq) /* with its lock held */
{
    return (struct tw_values){.writer = {seq->last_ran}, .count = seq->any_ran, .since = tw_record_coming_id()};
}

const struct tw_values *tw_values_now(struct tw_sequence *seq)
{
    if (seq->emptied) {
        starpu_pthread_mutex_lock(&seq->lock);
        const struct tw_values newer = ended(seq);
        starpu_pthread_mutex_unlock(&seq->lock);
        seq->values = tw_values_after(&seq->values, &newer);
        seq->emptied = 0;
    }
    return &seq->values;
}

void tw_values_thread_waited(struct tw_sequence *seq)
{
    const struct tw_values older = tw_thread_waited(), newer = ended(seq), all = tw_values_after(&older, &newer);
    tw_thread_set_waited(&all);
}
