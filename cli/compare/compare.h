/* tilework compare: what is compared, what came out, and what writes it down. */
#ifndef CLI_COMPARE_COMPARE_H
#define CLI_COMPARE_COMPARE_H
#include <stdio.h>

#include "cli/cli.h"
#include "cli/compare/statistics.h"

enum { COMPARE_AXES = 12, COMPARE_SETTINGS = 200 };

/* What is varied. A flag of the command ("--nb"), a variable, or a switch: a flag without a value, left out and given.
 * A value may be "": that variable is unset then. */
struct compare_axis {
    enum { COMPARE_FLAG, COMPARE_VARIABLE, COMPARE_SWITCH } kind;
    char *name;
    int count;
    char **value;
};

struct compare_plan {
    int naxes;
    struct compare_axis axis[COMPARE_AXES];
    int settings;   /* the product of the axes' counts; the last axis changes first */
    char **command; /* after "--": NULL at the end. From a table: NULL */
    char *title;    /* the command as one line */
    int blocks, runs, json, traces;
    unsigned long long seed;
    double same; /* a ratio: 0.02 */
    const char *metric, *output, *from;
};

/* One run of the command in one process; block 0: the runs before all others, apart; run 1: the first in its process,
 * apart. */
struct compare_run {
    int block, order, setting, run;
    int status; /* exit status of the process, 128 + a signal's number; then one row, run 0, without seconds */
    double seconds, others /* cores that other programs kept busy meanwhile */, started; /* s since the beginning */
};
struct compare_runs {
    struct compare_run *run;
    int count, room;
    int blocks;           /* complete ones, without block 0 */
    char (*message)[400]; /* for each setting: what the last process that failed said */
};

/* ---- plan.c ------------------------------------------------------------------------------------------------------ */

/* 0; CLI_USAGE after a message; CLI_ASKED_HELP. */
int compare_plan_read(struct compare_plan *plan, int argc, char **argv);
void compare_plan_free(struct compare_plan *plan);
int compare_value(const struct compare_plan *plan, int setting, int axis); /* which of the axis' values */
/* "--sched lws --nb 512": what differs between settings, without what does not. */
void compare_label(const struct compare_plan *plan, int setting, char *text, size_t size);
int compare_add_axis(struct compare_plan *plan, int kind, const char *name, const char *values);

/* ---- text.c ------------------------------------------------------------------------------------------------------ */

int compare_text_controls(const char *text); /* it has control characters: C0, DEL or C1 */
int compare_text_clean(const char *text);    /* it is UTF-8 without them */
void compare_text_repair(char *text);        /* '?' for what is not */
void compare_text_cut(char *text);           /* cut off somewhere: it ends with its last whole character */

/* ---- variables.c ------------------------------------------------------------------------------------------------- */

/* 0; CLI_USAGE after a message, with the nearest name, if neither Tilework nor the StarPU that is loaded knows the
 * variable. */
int compare_variable_known(const char *name);

/* ---- runs.c ------------------------------------------------------------------------------------------------------ */

/* Runs all; the table is written after each block. 0 or an exit status after a message. */
int compare_runs_make(const struct compare_plan *plan, struct compare_runs *runs);
/* One run of a setting with a trace under PREFIX. 0 or -1 without a word. */
int compare_run_traced(const struct compare_plan *plan, int setting, const char *prefix);
int compare_runs_add(struct compare_runs *runs, const struct compare_run *run); /* 0, or -1 without memory */
void compare_runs_free(struct compare_runs *runs);
/* 0; 128 + a signal's number after a message, if one came. */
int compare_stopped(const struct compare_plan *plan, const struct compare_runs *runs);

/* ---- table.c ----------------------------------------------------------------------------------------------------- */

int compare_table_write(const struct compare_plan *plan, const struct compare_runs *runs, const char *path);
int compare_table_read(struct compare_plan *plan, struct compare_runs *runs, const char *path);
/* A whole file or none: what `put` writes. 0 or CLI_FAILED after a message. */
int compare_write_file(const char *path, void (*put)(FILE *f, const void *context), const void *context);

/* ---- report.c ---------------------------------------------------------------------------------------------------- */

struct compare_setting {
    char label[300];
    struct compare_median time,
        first;  /* of the blocks' times (each the median of its runs but the first); of the first runs */
    int failed; /* processes, without block 0 */
    const char *message;
};
struct compare_results {
    const struct compare_plan *plan;
    const struct compare_runs *runs;
    int blocks, best, next, nverdicts, failed;
    double *seconds; /* settings x blocks */
    struct compare_setting *setting;
    struct compare_verdict *verdict;
    double others, others_most; /* mean and largest share of the machine's cores that other programs kept busy */
    int others_block;
};
int compare_results_make(struct compare_results *r, const struct compare_plan *plan, const struct compare_runs *runs);
void compare_results_free(struct compare_results *r);
void compare_verdict_text(const struct compare_verdict *v, char *text, size_t size);
void compare_print(const struct compare_results *r);
int compare_print_json(const struct compare_results *r); /* 0 or CLI_FAILED after a message */
int compare_busy(const struct compare_results *r);       /* other programs took enough to be mentioned */

/* ---- page.c ------------------------------------------------------------------------------------------------------ */

/* traced: prefixes of the first's and the best's traces, or NULL. */
int compare_page_write(const struct compare_results *r, const char *path, const char *const traced[2]);
#endif
