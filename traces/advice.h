/* What a recording advises to try: rules, each with its evidence and a command. */
#ifndef TW_TRACES_ADVICE_H
#define TW_TRACES_ADVICE_H
#include "traces/analysis.h"
#include "traces/summary.h"

/* The rules that hold, those about the largest share of the time first; fills up to `max`, returns how many there
 * are. */
int tw_advise(tw_trace_advice *advice, int max, const struct tw_summary *s, const struct tw_analysis *a);
#endif
