/* The formats of traces: writers register themselves, and TILEWORK_TRACE_FORMATS names those that are wanted. */
#include <stdio.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/variables.h"
#include "runtime/watch/record_private.h"

#define MAX_WRITERS 16
static struct {
    const char *format;
    int usual;
    tw_trace_writer write;
} writers[MAX_WRITERS];
static int nwriters;

void tw_trace_register_format(const char *format, int usual, tw_trace_writer writer)
{
    if (nwriters == MAX_WRITERS) return;
    writers[nwriters].format = format;
    writers[nwriters].usual = usual;
    writers[nwriters++].write = writer;
}

void tw_trace_register_writer(tw_trace_writer writer)
{
    tw_trace_register_format("", 1, writer);
}

static int writer_named(const char *word, size_t length)
{
    for (int k = 0; k < nwriters; k++)
        if (length > 0 && strlen(writers[k].format) == length && !strncmp(writers[k].format, word, length)) return k;
    return -1;
}

static int unknown_format(const char *what, const char *word, size_t length)
{
    char list[300] = "";

    for (int k = 0; k < nwriters; k++)
        if (*writers[k].format)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", writers[k].format);
    return tw_fail(TW_E_OPTION, "%s: there is no format '%.*s'; there are: %s", what, (int)(length < 60 ? length : 60),
                   word, list);
}

/* How many are wanted, or TW_E_OPTION. */
static int read_formats(const char *formats, const char *what, int wanted[MAX_WRITERS])
{
    int n = 0, k;

    for (k = 0; k < nwriters; k++)
        n += wanted[k] = !*formats && writers[k].usual;
    for (const char *at = formats; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if ((k = writer_named(at, length)) < 0) return unknown_format(what, at, length);
        n += !wanted[k];
        wanted[k] = 1;
        at += length;
    }
    return n;
}

int tw_trace_formats_check(void)
{
    const char *formats = tw_variable_text(TW_TILEWORK_TRACE_FORMATS);
    int wanted[MAX_WRITERS];
    const int n = formats && nwriters ? read_formats(formats, "TILEWORK_TRACE_FORMATS", wanted) : 0;

    return n < 0 ? n : 0;
}

int tw_trace_call_writers(const struct tw_recording *recording, const char *prefix, const char *formats,
                          const char *what, struct tw_trace_written *written)
{
    int wanted[MAX_WRITERS], e = 0;
    const int n = read_formats(formats, what, wanted);

    if (n < 0) return n;
    for (int k = 0; k < nwriters && !e; k++) {
        if (!wanted[k]) continue;
        e = writers[k].write(recording, prefix);
        if (!e && !strcmp(writers[k].format, "tw")) written->tw = 1;
        if (e != TW_E_UNSUPPORTED || n == 1) continue;
        snprintf(written->left_out, sizeof written->left_out, "%s", tw_last_message());
        tw_clear_message();
        e = 0; /* the other formats can hold this recording */
    }
    return e;
}

int tw_trace_wants(const char *format)
{
    const char *formats = tw_variable_text(TW_TILEWORK_TRACE_FORMATS);
    const int k = writer_named(format, strlen(format));

    if (k < 0) return 0;
    if (!formats) return writers[k].usual;
    for (const char *at = formats; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        if (length == strlen(format) && !strncmp(at, format, length)) return 1;
        at += length;
    }
    return 0;
}

int tw_trace_has_writers(void)
{
    return nwriters > 0;
}
