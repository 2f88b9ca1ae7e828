/* From a stage's uses to a task. */
#include <stdlib.h>

#include "codelets/nbody/fmm_local.h"

void tw_fmm_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority, const struct tw_fmm_args *args,
                   struct tw_data *written, enum tw_mode mode, struct tw_data *read, struct tw_data *const *of,
                   size_t scratch, double flops)
{
    struct tw_access few[64], *access = few;
    int n = 0;

    if (args->uses.n + 3 > 64 && !(access = malloc((size_t)(args->uses.n + 3) * sizeof *access))) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for the operands of a task of %d buffers", args->uses.n + 3);
        return;
    }
    access[n++] = (struct tw_access){written, mode};
    if (read) access[n++] = (struct tw_access){read, TW_R};
    for (int k = 0; k < args->uses.n; k++)
        access[n++] = (struct tw_access){of[args->uses.id[k]], TW_R};
    if (scratch) access[n++] = (struct tw_access){tw_scratch(scratch), TW_SCRATCH};
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
