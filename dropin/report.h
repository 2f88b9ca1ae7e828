/* What a report is made of (report.c), and the advice below it (advice.c). */
#ifndef TW_DROPIN_REPORT_H
#define TW_DROPIN_REPORT_H
#include "dropin/dropin.h"

/* The places of one caller and one name together. */
struct tw_line {
    const struct tw_site *site;
    long long why[TW_WHYS], calls, inner, unknown;
    double flops, flops_taken, seconds, seconds_taken, seconds_inner, without;
    double compared, compared_without; /* of taken calls whose like was forwarded, too */
    long long predicted;
    double predicted_with, predicted_without;
};
struct tw_lines {
    struct tw_line *line; /* what took longest first */
    int count, size;
    long long calls, taken;
    double seconds, seconds_inner; /* those of inner calls are part of others' */
    long long children;            /* calls of forked children that have ended or not, and their seconds */
    double seconds_of_children;
};
/* A sentence, or NULL. */
const char *tw_advice(const struct tw_lines *all);
#endif
