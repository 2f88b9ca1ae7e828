/* What the tests of the command share: running it in a folder of its own, and looking at what it prints and leaves. */
#ifndef TW_TESTS_CLI_COMMAND_H
#define TW_TESTS_CLI_COMMAND_H
#include "shell.h"

static const char *const routines[] = {"potrf", "potrs", "posv", "potri", "lauum", "trtri", "pocon"};
#define NROUTINES 7

static char program[4096];

/* Exit status of `before tilework arguments`; what it printed lands in out and err. -1: killed by a signal. */
__attribute__((format(printf, 2, 3))) static inline int tilework(const char *before, const char *format, ...)
{
    char arguments[8192];
    va_list list;

    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    return run("%s '%s' %s", before, program, arguments);
}

static inline void expect_text(const char *where, const char *what, const char *text)
{
    if (!strstr(where, text)) fail_msg("%s does not say \"%s\":\n%s", what, text, where);
}

static inline json_t *parse_line(void)
{
    json_error_t e;
    json_t *o = json_loads(out, 0, &e);
    if (!o) fail_msg("not one JSON object: %s\n%s", e.text, out);
    return o;
}

static inline double number(const json_t *o, const char *key)
{
    json_t *v = json_object_get(o, key);
    if (!json_is_number(v)) fail_msg("no number '%s' in %s", key, out);
    return json_number_value(v);
}

static inline const char *string(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (!s) fail_msg("no string '%s' in %s", key, out);
    return s ? s : "";
}

static inline void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static inline int exists(const char *name)
{
    return access(name, F_OK) == 0;
}

/* Files in the folder, without what this test itself leaves there. */
static inline int files(void)
{
    DIR *d = opendir(".");
    int count = 0;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2) count++;
    closedir(d);
    return count;
}

static inline int set_up(void **state)
{
    const char *given = getenv("TILEWORK_BUILD");
    char *build = realpath(given ? given : ".", NULL);

    (void)state;
    if (!build) return -1;
    snprintf(program, sizeof program, "%s/bin/tilework", build);
    snprintf(folder, sizeof folder, "%s/test-cli-XXXXXX", build);
    free(build);
    if (access(program, X_OK) != 0) {
        fprintf(stderr, "%s: %s (TILEWORK_BUILD names the build folder)\n", program, strerror(errno));
        return -1;
    }
    return !mkdtemp(folder) || chdir(folder) ? -1 : 0;
}

static inline int tear_down(void **state)
{
    char command[4200];
    (void)state;
    snprintf(command, sizeof command, "cd / && rm -rf '%s'", folder);
    return system(command);
}
#endif
