/* The writers of traces/. Each writes one file, PREFIX and its extension, and returns 0, TW_E_IO or TW_E_MEMORY. */
#ifndef TW_TRACES_WRITERS_H
#define TW_TRACES_WRITERS_H
#include <stdio.h>
#include "traces/summary.h"

int tw_write_tw(const struct tw_recording *recording,
                const char *prefix); /* PREFIX.tw: everything; docs/trace-format.md */
int tw_write_csv(const struct tw_recording *recording, const char *prefix); /* PREFIX.csv: a row a task */
int tw_write_dot(const struct tw_recording *recording,
                 const char *prefix); /* PREFIX.dot: Graphviz, small graphs only */
int tw_write_paje(const struct tw_recording *recording, const char *prefix);     /* PREFIX.paje: ViTE, pj_dump */
int tw_write_perfetto(const struct tw_recording *recording, const char *prefix); /* PREFIX.json: Perfetto, Chrome */
int tw_write_svg(const struct tw_recording *recording, const char *prefix);      /* PREFIX.svg: anything */
int tw_write_html(const struct tw_recording *recording, const char *prefix);     /* PREFIX.html: a browser */

extern const struct tw_trace_part tw_part; /* PREFIX.tw.part, while tasks run */

/* The picture itself, to be embedded in a page; 0 or TW_E_MEMORY. */
int tw_svg_picture(FILE *f, const struct tw_summary *s);
void tw_svg_style(FILE *f, const struct tw_summary *s); /* what its style element has */
#endif
