/* What the tests of the trace writers share: a folder, writing all formats into it, and what well-formed means. */
#ifndef TW_TESTS_TRACES_WRITTEN_H
#define TW_TESTS_TRACES_WRITTEN_H
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "synthetic.h"
#include "traces/summary.h"
#include "traces/text.h"
#include "traces/writers.h"

static const tw_trace_writer writers[] = {tw_write_paje, tw_write_perfetto, tw_write_svg, tw_write_html};
static const char *const extensions[] = {".paje", ".json", ".svg", ".html"};
enum { PAJE, JSON, SVG, HTML, NFORMATS };

static char directory[4096], prefix[4160];

/* ---- the folder the files go to ------------------------------------------------------------------------------ */

static inline int make_directory(void **state)
{
    const char *base = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/tilework-traces-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(directory)) return -1;
    snprintf(prefix, sizeof prefix, "%s/run", directory);
    return 0;
}

static inline int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static inline int remove_directory(void **state)
{
    (void)state;
    return nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static int entries;
static inline int count_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)path, (void)st, (void)ftw;
    entries += type != FTW_D;
    return 0;
}

static inline int count_files(void)
{
    entries = 0;
    assert_int_equal(nftw(directory, count_entry, 8, FTW_PHYS), 0);
    return entries;
}

static inline char *read_all(int format, size_t *length)
{
    char path[4200];
    struct stat st;

    snprintf(path, sizeof path, "%s%s", prefix, extensions[format]);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    char *text = malloc((size_t)st.st_size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)st.st_size, f), st.st_size);
    text[st.st_size] = '\0';
    fclose(f);
    assert_int_equal(strlen(text), st.st_size);
    if (length) *length = (size_t)st.st_size;
    return text;
}

static inline void write_all(const struct tw_recording *r)
{
    for (int k = 0; k < NFORMATS; k++) {
        int status = writers[k](r, prefix);
        if (status) print_error("%s: %s\n", extensions[k], tw_last_message());
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_files(), NFORMATS); /* and no temporary file */
}

/* ---- what well-formed means ------------------------------------------------------------------------------------ */

static inline size_t count_text(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

/* Elements open and close in order, attributes are quoted, and & begins an entity. Returns the number of elements. */
static inline size_t check_xml(const char *text)
{
    const char *open[64], *p = text;
    size_t length[64], elements = 0;
    int depth = 0;

    while (*p) {
        if (*p == '&') {
            size_t n = strspn(p + 1, "#0123456789abcdefghijklmnopqrstuvwxyz");
            assert_true(n > 1 && n < 8 && p[1 + n] == ';');
        }
        if (*p++ != '<') continue;
        const char *end = p;
        for (char quote = 0; *end && (quote || *end != '>'); end++) {
            if (*end == '"') quote = !quote;
            assert_true(*end != '<');
        }
        assert_int_equal(*end, '>');
        if (*p == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal((size_t)(end - p - 1), length[depth]);
            assert_memory_equal(p + 1, open[depth], length[depth]);
        } else if (strncmp(p, "script", 6) == 0) { /* its content is no markup */
            elements++;
            assert_non_null(p = strstr(end, "</script>"));
            p += strlen("</script>");
            continue;
        } else if (*p != '?' && *p != '!') {
            elements++;
            if (end[-1] != '/') {
                assert_true(depth < 64);
                open[depth] = p;
                length[depth++] = strcspn(p, " \n/>");
            }
        }
        p = end + 1;
    }
    assert_int_equal(depth, 0);
    return elements;
}

struct paje {
    size_t lines[16]; /* by event number */
    size_t kernels;
    double end;
};

/* Definitions first, then events: known numbers, as many fields as defined, times in order. */
static inline struct paje check_paje(char *text)
{
    static const int fields[] = {0, 4, 4, 5, 5, 6, 4, 5, 10, 5, 6, 8, 7}; /* the event's number included */
    struct paje c = {0};
    double before = 0;
    int began = 0;

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '%') {
            assert_false(began);
            continue;
        }
        began = 1;
        int event = atoi(line), n = 0, quoted = 0;
        assert_in_range(event, 1, 12);
        for (const char *p = line; *p; p++) {
            if (!quoted && *p != ' ' && (p == line || p[-1] == ' ')) n++;
            if (*p == '"') quoted = !quoted;
        }
        assert_false(quoted);
        assert_int_equal(n, fields[event]);
        c.lines[event]++;
        if (event == 4) c.kernels++;
        if (event < 5) continue;
        double time = atof(line + 2);
        assert_true(time >= before);
        before = time;
    }
    c.end = before;
    return c;
}

static inline json_t *check_json(size_t *tasks)
{
    json_error_t error;
    size_t length, i, n = 0;
    char *text = read_all(JSON, &length);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error), *event;

    if (!root) print_error("line %d: %s\n", error.line, error.text);
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *ph = json_string_value(json_object_get(event, "ph"));
        assert_non_null(ph);
        if (*ph != 'X') continue;
        n++;
        assert_true(json_number_value(json_object_get(event, "dur")) >= 0);
        assert_true(json_is_string(json_object_get(json_object_get(event, "args"), "tile")));
    }
    free(text);
    if (tasks) *tasks = n;
    return root;
}

static inline void check_all(size_t tasks, size_t workers, size_t kernels)
{
    size_t n;
    char *text = read_all(PAJE, NULL);
    struct paje paje = check_paje(text);

    free(text);
    assert_int_equal(paje.lines[8], tasks);
    assert_int_equal(paje.lines[5], workers + 1);
    assert_int_equal(paje.lines[6], workers + 1);
    assert_int_equal(paje.kernels, kernels + 1); /* and idle */
    json_decref(check_json(&n));
    assert_int_equal(n, tasks);
    for (int format = SVG; format <= HTML; format++) {
        text = read_all(format, NULL);
        assert_true(check_xml(text) > 10);
        free(text);
    }
}

#define WITH_DIRECTORY(f) cmocka_unit_test_setup_teardown(f, make_directory, remove_directory)
#endif
