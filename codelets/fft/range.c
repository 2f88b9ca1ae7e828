/* Submitting a task on a part of arrays in main memory: tokens order it. */
#include <stdlib.h>
#include "codelets/fft/strips.h"

void tw_fft_submit_range(struct tw_sequence *seq, struct tw_codelet *codelet, enum tw_type type,
                         const struct tw_fft_range *part, double flops, struct tw_data *done, int nafter,
                         struct tw_data *const *after)
{
    struct tw_access *access = malloc((size_t)(nafter + 1) * sizeof *access);
    tw_int count = part->to - part->from;

    if (!access) {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for a task's operands", codelet->name);
        return;
    }
    access[0] = (struct tw_access){done, TW_W};
    for (int k = 0; k < nafter; k++)
        access[k + 1] = (struct tw_access){after[k], TW_R};
    tw_submit(seq, &(struct tw_task){.codelet = codelet,
                                     .type = type,
                                     .args = part,
                                     .args_size = sizeof *part,
                                     .access = access,
                                     .naccess = nafter + 1,
                                     .flops = flops * (double)count,
                                     .size = (double)count,
                                     .coord = {(int)(part->from / tw_max(1, count)), -1, -1, -1}});
    free(access);
}
