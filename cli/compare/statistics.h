/* What times of several settings say: medians, and verdicts on pairs. Plain arithmetic: nothing of the command, of the
 * library, of a machine.
 *
 * The times come by block: in each block every setting ran once, so that what changes slowly (a warmer machine, a
 * neighbour) changes all of them. A verdict looks at the ratios within blocks: of their logarithms, the interval that
 * belongs to Wilcoxon's signed-rank test, which asks no more than that ratios of equal settings are as often above 1 as
 * below, and that single outliers do not move. */
#ifndef CLI_COMPARE_STATISTICS_H
#define CLI_COMPARE_STATISTICS_H

struct compare_median {
    /* order statistics that enclose the true median with at least 95 %; NaN with fewer than 6 times */
    double median, low, high;
    int count;
};
/* Of the count times that are not NaN. */
struct compare_median compare_median(const double *seconds, int count);

enum compare_call { COMPARE_FASTER, COMPARE_SLOWER, COMPARE_SAME, COMPARE_UNDECIDED, COMPARE_NO_DATA };
struct compare_verdict {
    int reference, other; /* settings, counted from 0 */
    int blocks;           /* in which both have a time */
    /* other's time over the reference's, and its interval; low 0, high infinite: too few blocks for one */
    double ratio, low, high;
    enum compare_call call;
    int more; /* UNDECIDED: blocks that would probably decide; 0: more than 1000 */
};

/* The ways of being wrong: of all verdicts on settings that are equal, together, at most this share calls some
 * different. */
#define COMPARE_RISK 0.04

/* With fewer blocks all verdicts on so many settings are "undecided". */
int compare_least_blocks(int settings);
/* Both have a time, or NaN, for each of `blocks` blocks. risk: of this verdict alone. same: as a ratio, 0.02 means that
 * differences of at most 2 % are none. */
struct compare_verdict compare_pair(const double *reference, const double *other, int blocks, double risk, double same);

/* Verdicts of the first setting against each, then of the best against the next, if that pair is not among them
 * (`extra` is 1 then): fills verdict[0 … settings - 2], and [settings - 1] if extra. seconds: settings x blocks, NaN
 * where a run failed. A setting that failed in some block is the best of none. The risk is divided by the number of
 * verdicts. *best, *next: -1 where there is none. Returns the number of verdicts; -1 without memory. */
int compare_all(const double *seconds, int settings, int blocks, double same, struct compare_verdict *verdict,
                int *best, int *next);

/* A small generator for the order of runs: the same seed, the same order. */
unsigned long long compare_random(unsigned long long *state);
void compare_shuffle(int *order, int n, unsigned long long *state);
#endif
