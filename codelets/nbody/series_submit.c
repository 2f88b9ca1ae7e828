/* From a stage's uses to a task. */
#include <stdlib.h>

#include "codelets/nbody/series_local.h"

void tw_series_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority,
                      const struct tw_series_args *args, struct tw_data *written, enum tw_mode mode,
                      struct tw_data *read, size_t scratch, double flops)
{
    const struct tw_series *s = args->s;
    struct tw_data *const *of[TW_SERIES_KINDS] = {s->source, s->M, s->L};
    const struct tw_series_uses *u = &args->uses;
    struct tw_access few[64], *access = few;
    const int most = u->at[TW_SERIES_KINDS] + 3;
    int n = 0;

    if (most > 64 && !(access = malloc((size_t)most * sizeof *access))) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for the operands of a task of %d buffers", most);
        return;
    }
    access[n++] = (struct tw_access){written, mode};
    if (read) access[n++] = (struct tw_access){read, TW_R};
    for (int kind = 0; kind < TW_SERIES_KINDS; kind++)
        for (int k = u->at[kind]; k < u->at[kind + 1]; k++)
            access[n++] = (struct tw_access){of[kind][u->id[k]], TW_R};
    if (scratch) access[n++] = (struct tw_access){tw_scratch(scratch * sizeof(double)), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = TW_DOUBLE,
                                     .args = args,
                                     .args_size = sizeof *args,
                                     .access = access,
                                     .naccess = n,
                                     .priority = priority,
                                     .flops = flops,
                                     .size = 32,
                                     .coord = {args->level, args->id, -1, -1}});
    if (access != few) free(access);
}
