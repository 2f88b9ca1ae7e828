/* Names, numbers and files of the trace writers. */
#include "traces/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"

int tw_tracefile_open(struct tw_tracefile *f, const char *prefix, const char *extension)
{
    size_t length = strlen(prefix) + strlen(extension) + 1;
    char *path = malloc(length);
    int status;

    memset(f, 0, sizeof *f);
    f->c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!path || f->c == (locale_t)0) {
        status = tw_fail(TW_E_MEMORY, "%s%s: no memory to write the trace", prefix, extension);
    } else {
        snprintf(path, length, "%s%s", prefix, extension);
        status = tw_outfile_open(&f->out, path);
    }
    if (status == 0)
        f->before = uselocale(f->c);
    else if (f->c != (locale_t)0)
        freelocale(f->c);
    free(path);
    return status;
}

int tw_tracefile_close(struct tw_tracefile *f, int status)
{
    uselocale(f->before);
    freelocale(f->c);
    if (status == 0) return tw_outfile_commit(&f->out);
    tw_outfile_abandon(&f->out);
    return status;
}

/* Length of the UTF-8 character at p that is legal in JSON and in XML, 0 if there is none (RFC 3629, section 4). */
static int utf8_length(const unsigned char *p)
{
    unsigned low = 0x80, high = 0xBF;
    int length;

    if (p[0] < 0x80) return p[0] >= 0x20 && p[0] != 0x7F;
    if (p[0] >= 0xC2 && p[0] <= 0xDF)
        length = 2;
    else if (p[0] >= 0xE0 && p[0] <= 0xEF)
        length = 3;
    else if (p[0] >= 0xF0 && p[0] <= 0xF4)
        length = 4;
    else
        return 0;
    if (p[0] == 0xE0) low = 0xA0;  /* no overlong forms */
    if (p[0] == 0xED) high = 0x9F; /* no surrogates */
    if (p[0] == 0xF0) low = 0x90;
    if (p[0] == 0xF4) high = 0x8F; /* nothing beyond U+10FFFF */
    if (p[1] < low || p[1] > high) return 0;
    for (int i = 2; i < length; i++)
        if (p[i] < 0x80 || p[i] > 0xBF) return 0;
    if (p[0] == 0xC2 && p[1] < 0xA0) return 0;                  /* U+0080 … U+009F: control characters */
    if (p[0] == 0xEF && p[1] == 0xBF && p[2] >= 0xBE) return 0; /* U+FFFE, U+FFFF: no characters in XML */
    return length;
}

/* Copy text, with a format's own way to write a character (NULL: as it is). */
static void put_text(FILE *f, const char *text, const char *(*special)(char c))
{
    const unsigned char *p = (const unsigned char *)(text ? text : "");

    while (*p) {
        int length = utf8_length(p);
        const char *written = length == 1 ? special((char)*p) : NULL;
        if (written)
            fputs(written, f);
        else if (length)
            fwrite(p, 1, (size_t)length, f);
        else
            fputc('?', f);
        p += length ? length : 1;
    }
}

static const char *json_special(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

/* JSON inside of a page: nothing that could end a script element. */
static const char *script_special(char c)
{
    return c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : json_special(c);
}

static const char *xml_special(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    }
    return NULL;
}

/* Paje knows no escapes: a quote would end the name. */
static const char *paje_special(char c)
{
    return c == '"' ? "'" : c == '\\' ? "/" : NULL;
}

static const char *csv_special(char c)
{
    return c == '"' ? "\"\"" : NULL;
}

void tw_put_csv(FILE *f, const char *text)
{
    put_text(f, text, csv_special);
}
void tw_put_json(FILE *f, const char *text)
{
    put_text(f, text, json_special);
}
void tw_put_script(FILE *f, const char *text)
{
    put_text(f, text, script_special);
}
void tw_put_xml(FILE *f, const char *text)
{
    put_text(f, text, xml_special);
}
void tw_put_paje(FILE *f, const char *text)
{
    put_text(f, text, paje_special);
}

/* Three significant digits without an exponent. */
static int three_digits(double value)
{
    return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

struct tw_short_text tw_time_text(double seconds)
{
    static const struct {
        double scale;
        const char *name;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "µs"}, {1e9, "ns"}};
    struct tw_short_text t = {"0 s"};
    int u = 0;

    if (!(seconds > 0)) return t;
    while (u < 3 && seconds * units[u].scale < 0.9995)
        u++;
    double value = seconds * units[u].scale;
    snprintf(t.text, sizeof t.text, "%.*f %s", three_digits(value), value, units[u].name);
    return t;
}

struct tw_short_text tw_rate_text(double gflops)
{
    struct tw_short_text t = {"-"};

    if (!(gflops > 0)) return t;
    if (gflops >= 999.5)
        snprintf(t.text, sizeof t.text, "%.*f TF/s", three_digits(gflops * 1e-3), gflops * 1e-3);
    else
        snprintf(t.text, sizeof t.text, "%.*f GF/s", three_digits(gflops), gflops);
    return t;
}

struct tw_short_text tw_coord_text(const int coord[4])
{
    struct tw_short_text t = {""};
    int n = 4, at = 0;

    while (n > 0 && coord[n - 1] < 0)
        n--;
    for (int i = 0; i < n; i++)
        at += snprintf(t.text + at, sizeof t.text - (size_t)at, "%s%d", i ? ", " : "(", coord[i]);
    if (n) snprintf(t.text + at, sizeof t.text - (size_t)at, ")");
    return t;
}

struct tw_short_text tw_count_text(size_t n)
{
    struct tw_short_text t = {""};
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%zu", n), at = 0;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) t.text[at++] = ' ';
        t.text[at++] = digits[i];
    }
    return t;
}
