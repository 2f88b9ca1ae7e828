/* Text files of traces: opened, closed, and filled with other people's names without breaking the format. */
#ifndef TW_TRACES_TEXT_H
#define TW_TRACES_TEXT_H
#include <locale.h>
#include <stdio.h>
#include "runtime/base/file.h"
#include "runtime/watch/record.h"

/* PREFIX + extension, open for writing in the "C" locale (a program with another one would get decimal commas). */
struct tw_tracefile {
    struct tw_outfile out;
    locale_t c, before;
};
/* 0, TW_E_IO or TW_E_MEMORY; then nothing is open. */
int tw_tracefile_open(struct tw_tracefile *f, const char *prefix, const char *extension);
/* status 0: keep the file, and return what that gives. Otherwise throw it away and return status. */
int tw_tracefile_close(struct tw_tracefile *f, int status);

/* The text without the format's own quotes around it. Bytes that are not UTF-8 and control characters become '?'. */
void tw_put_csv(FILE *f, const char *text);
void tw_put_json(FILE *f, const char *text);
void tw_put_script(FILE *f, const char *text); /* JSON, within an HTML page */
void tw_put_xml(FILE *f, const char *text);
void tw_put_paje(FILE *f, const char *text);

/* "12.3 ms": three significant digits and a unit. */
struct tw_short_text {
    char text[64];
};
struct tw_short_text tw_time_text(double seconds);
/* "45.6 GF/s", "1.23 TF/s"; "-" for 0. */
struct tw_short_text tw_rate_text(double gflops);
/* "(3, 1)": the coordinates in use; "" where there are none. */
struct tw_short_text tw_coord_text(const int coord[4]);
/* A count with thousands set apart: "1 234 567". */
struct tw_short_text tw_count_text(size_t n);
#endif
