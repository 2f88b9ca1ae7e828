/* A pass of the method for any kernel as a task. */
#include "codelets/nbody/series_local.h"

void tw_series_submit(struct tw_sequence *seq, struct tw_codelet *codelet, int priority,
                      const struct tw_series_args *args, struct tw_data *written, enum tw_mode mode,
                      struct tw_data *read, size_t scratch, double flops)
{
    const struct tw_series *s = args->s;
    struct tw_data *const *of[TW_SERIES_KINDS] = {s->source, s->M, s->L};
    const struct tw_series_uses *u = &args->uses;
    struct tw_fmm_operands uses[TW_SERIES_KINDS];

    for (int kind = 0; kind < TW_SERIES_KINDS; kind++)
        uses[kind] = (struct tw_fmm_operands){of[kind], u->id + u->at[kind], u->at[kind + 1] - u->at[kind]};
    tw_fmm_task_submit(seq, &(struct tw_fmm_task){.codelet = codelet,
                                                  .args = args,
                                                  .args_size = sizeof *args,
                                                  .priority = priority,
                                                  .level = args->level,
                                                  .id = args->id,
                                                  .written = written,
                                                  .mode = mode,
                                                  .read = read,
                                                  .uses = uses,
                                                  .nuses = TW_SERIES_KINDS,
                                                  .scratch = scratch * sizeof(double),
                                                  .flops = flops});
}
