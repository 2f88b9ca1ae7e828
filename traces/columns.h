/* The data behind the report's picture (traces/report/report.js reads it). */
#ifndef TW_TRACES_COLUMNS_H
#define TW_TRACES_COLUMNS_H
#include <stdio.h>
#include "traces/analysis.h"
#include "traces/summary.h"

/* Tasks: columns of numbers of seven bits a byte, in base64; some 20 to 30 bytes a task. *tasks: how many. 0 or
 * TW_E_MEMORY. a: NULL where the recording has no edges. */
int tw_columns_put(FILE *f, const struct tw_summary *s, const struct tw_analysis *a, size_t *tasks);
/* What is not tasks, as a JSON object. */
int tw_columns_put_extras(FILE *f, const struct tw_summary *s, const struct tw_analysis *a, size_t tasks);
#endif
