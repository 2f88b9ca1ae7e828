/* Buffered input that knows the line and the byte it is at. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"

enum { FIRST_CAPACITY = 1 << 16 };

int tw_reader_attach(struct tw_reader *r, FILE *stream, const char *name)
{
    *r = (struct tw_reader){.stream = stream, .name = name, .next_line = 1, .capacity = FIRST_CAPACITY};
    r->buffer = malloc(r->capacity + 1); /* one more for the NUL behind a last line */
    if (!r->buffer) return tw_fail(TW_E_MEMORY, "%s: no memory for a buffer", name);
    return 0;
}

int tw_reader_open(struct tw_reader *r, const char *path)
{
    FILE *stream = fopen(path, "rb");

    *r = (struct tw_reader){0};
    if (!stream) return tw_fail(TW_E_IO, "%s: cannot open the file: %s", path, strerror(errno));
    int e = tw_reader_attach(r, stream, path);
    r->owned = 1;
    if (e) tw_reader_close(r);
    return e;
}

void tw_reader_close(struct tw_reader *r)
{
    if (r->owned) fclose(r->stream);
    free(r->buffer);
    *r = (struct tw_reader){0};
}

static int read_failed(const struct tw_reader *r)
{
    return tw_fail(TW_E_IO, "%s: reading failed behind byte %llu: %s", r->name, r->offset, strerror(errno));
}

/* More bytes into the buffer, which grows when it is full. Only called while the stream has not ended. */
static int fill(struct tw_reader *r)
{
    if (r->begin > 0) {
        memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    if (r->end == r->capacity) {
        char *larger = realloc(r->buffer, 2 * r->capacity + 1);
        if (!larger) return tw_fail(TW_E_MEMORY, "%s: no memory for a buffer of %zu bytes", r->name, 2 * r->capacity);
        r->buffer = larger;
        r->capacity *= 2;
    }
    size_t got = fread(r->buffer + r->end, 1, r->capacity - r->end, r->stream);
    if (got == 0) {
        if (ferror(r->stream)) return read_failed(r);
        r->at_end = 1;
    }
    r->end += got;
    return 0;
}

tw_int tw_reader_peek(struct tw_reader *r, size_t bytes, const char **p)
{
    int e;
    while (r->end - r->begin < bytes && !r->at_end)
        if ((e = fill(r))) return e;
    *p = r->buffer + r->begin;
    return (tw_int)(r->end - r->begin < bytes ? r->end - r->begin : bytes);
}

tw_int tw_reader_bytes(struct tw_reader *r, void *p, size_t bytes)
{
    size_t ready = r->end - r->begin < bytes ? r->end - r->begin : bytes, got = 0;

    memcpy(p, r->buffer + r->begin, ready);
    r->begin += ready;
    r->offset += ready;
    if (ready < bytes && !r->at_end) {
        got = fread((char *)p + ready, 1, bytes - ready, r->stream);
        r->offset += got;
        if (got < bytes - ready) {
            if (ferror(r->stream)) return read_failed(r);
            r->at_end = 1;
        }
    }
    return (tw_int)(ready + got);
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

/* Where a search for the end of a record stands. A quote opens a quoted field only where a field begins. */
struct scan {
    size_t at;       /* relative to begin */
    tw_int newlines; /* inside quotes */
    int field_start, quoted_field, inside;
};

/* The position of the line feed that ends the record, or 0 with s->at moved to the end of what is there. */
static int find_end(const struct tw_reader *r, struct scan *s, int quoted)
{
    const char *text = r->buffer + r->begin;
    const size_t length = r->end - r->begin;

    if (!quoted) {
        const char *found = memchr(text + s->at, '\n', length - s->at);
        s->at = found ? (size_t)(found - text) : length;
        return found != NULL;
    }
    for (; s->at < length; s->at++) {
        const char c = text[s->at];
        if (c == '"' && s->field_start) {
            s->quoted_field = s->inside = 1;
        } else if (c == '"' && s->quoted_field) {
            s->inside = !s->inside; /* a doubled quote leaves and enters again */
        } else if (c == '\n') {
            if (!s->inside) return 1;
            s->newlines++;
        }
        if (!s->inside && c == ',')
            s->field_start = 1, s->quoted_field = 0;
        else if (c != ' ' && c != '\t')
            s->field_start = 0;
    }
    return 0;
}

int tw_reader_line(struct tw_reader *r, int quoted, char **line, size_t *length)
{
    struct scan s = {.field_start = 1};
    int found, e;

    r->line = r->next_line;
    while (!(found = find_end(r, &s, quoted)) && !r->at_end) {
        if (s.at > TW_LINE_MAX)
            return tw_fail(TW_E_FORMAT, "%s:%lld: the line is longer than %zu bytes%s", r->name, (long long)r->line,
                           TW_LINE_MAX, s.inside ? ": a quote that opens a field is never closed" : "");
        if ((e = fill(r))) return e;
    }
    if (!found && s.at == 0) {
        r->line = tw_max(1, r->next_line - 1);
        return 0;
    }
    if (!found && s.inside)
        return tw_fail(TW_E_FORMAT, "%s:%lld: a quote that opens a field is never closed", r->name, (long long)r->line);

    char *text = r->buffer + r->begin;
    size_t n = s.at;
    r->begin += n + (size_t)found;
    r->offset += n + (size_t)found;
    r->next_line += s.newlines + 1;
    if (n > 0 && text[n - 1] == '\r') n--;
    text[n] = 0;
    if (memchr(text, 0, n))
        return tw_fail(TW_E_FORMAT, "%s:%lld: the line contains a NUL byte: this is no text file", r->name,
                       (long long)r->line);
    *line = text;
    *length = n;
    return 1;
}
