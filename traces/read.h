/* A .tw file from any stream (for the fuzzer). */
#ifndef TW_TRACES_READ_H
#define TW_TRACES_READ_H
#include <stdio.h>
#include <tilework/trace.h>

/* As tw_recorded_read; name: for messages. */
int tw_recorded_read_stream(struct tw_recorded **recorded, FILE *f, const char *name);
#endif
