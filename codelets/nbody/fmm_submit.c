/* A pass of the method for Laplace's kernel as a task. */
#include "codelets/nbody/fmm_local.h"

void tw_fmm_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority, const struct tw_fmm_args *args,
                   struct tw_data *written, enum tw_mode mode, struct tw_data *read, struct tw_data *const *of,
                   size_t scratch, double flops)
{
    tw_fmm_task_submit(seq, &(struct tw_fmm_task){.codelet = codelet,
                                                  .args = args,
                                                  .args_size = sizeof *args,
                                                  .priority = priority,
                                                  .level = args->level,
                                                  .id = args->id,
                                                  .written = written,
                                                  .mode = mode,
                                                  .read = read,
                                                  .uses = &(struct tw_fmm_operands){of, args->uses.id, args->uses.n},
                                                  .nuses = 1,
                                                  .scratch = scratch,
                                                  .flops = flops});
}
