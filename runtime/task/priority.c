/* Priorities: from a level (longest remaining path) to the integer that StarPU's scheduler gets. */
#include "runtime/base/state.h"
#include "runtime/task/submit.h"
#include "runtime/task/task_private.h"

int tw_priority(struct tw_sequence *seq, double level, double total, int panel)
{
    /* 2^20 steps within a routine; later routines of a sequence sit below earlier ones, as far as integers reach. */
    const double steps = 1048576.0;
    double p;

    switch (tw_rt.config.priority) {
    case TW_PRIORITY_NONE: return 0;
    case TW_PRIORITY_PANEL: p = panel ? 1 : 0; break;
    default:
        p = total > 0 ? steps * level / total : 0;
        p -= steps * (seq->run->order < 1000 ? seq->run->order - 1 : 999);
        break;
    }
    if (p > tw_rt.max_prio) p = tw_rt.max_prio;
    if (p < tw_rt.min_prio) p = tw_rt.min_prio;
    return (int)p;
}

int tw_priority_ahead(struct tw_sequence *seq, int step, int column, int steps, double level, double total, int panel)
{
    const int d = seq->run->ahead;

    if (d < 0) return tw_priority(seq, level, total, panel);
    return tw_priority(seq, steps - tw_min(step, column - d) + (panel ? 0.5 : 0), steps + d + 1., panel);
}
