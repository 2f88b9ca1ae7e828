/* From a pass's uses to a task. */
#include "codelets/nbody/fmm_task.h"
#include "codelets/accesses.h"

void tw_fmm_task_submit(struct tw_sequence *seq, const struct tw_fmm_task *t)
{
    struct tw_access few[TW_ACCESSES_FEW], *access;
    int n = 0, count = 3;

    for (int l = 0; l < t->nuses; l++)
        count += t->uses[l].n;
    if (!(access = tw_accesses(seq, t->codelet->name, count, few))) return;
    access[n++] = (struct tw_access){t->written, t->mode};
    if (t->read) access[n++] = (struct tw_access){t->read, TW_R};
    for (int l = 0; l < t->nuses; l++)
        for (int k = 0; k < t->uses[l].n; k++)
            access[n++] = (struct tw_access){t->uses[l].of[t->uses[l].id[k]], TW_R};
    if (t->scratch) access[n++] = (struct tw_access){tw_scratch(t->scratch), TW_SCRATCH};
    tw_submit(seq, &(struct tw_task){.codelet = t->codelet,
                                     .type = TW_DOUBLE,
                                     .args = t->args,
                                     .args_size = t->args_size,
                                     .access = access,
                                     .naccess = n,
                                     .priority = t->priority,
                                     .flops = t->flops,
                                     .size = 32,
                                     .coord = {t->level, t->id, -1, -1}});
    tw_accesses_free(access, few);
}
