/* lapack.h and lapacke.h, which are written out, against the rows that the functions are made of: every prototype word
 * by word, in both directions. That the four types and both widths of integers are those of the rows the compiler and
 * the linker see. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/lapack/doors.h"
#include "tt.h"

/* A header with every run of blanks, ends of lines and backslashes as one blank, none behind an opening parenthesis;
 * NULL: a bundle without sources. */
static char *header(const char *name)
{
    char path[4096], *text = NULL;
    size_t length = 0;
    FILE *f;
    int c;

    snprintf(path, sizeof path, "%s/include/tilework/%s", getenv("TILEWORK_SOURCE"), name);
    if (!(f = fopen(path, "r"))) return NULL;
    assert_non_null(text = malloc(1 << 17));
    while ((c = fgetc(f)) != EOF && length + 2 < 1 << 17) {
        if (c == '\\' || isspace(c)) c = ' ';
        if (c != ' ' || (length && text[length - 1] != ' ' && text[length - 1] != '(')) text[length++] = (char)c;
    }
    assert_int_equal(fclose(f), 0);
    text[length] = 0;
    return text;
}

static void has(const char *text, const char *prototype)
{
    const char *at = strstr(text, prototype);
    if (!at) fail_msg("the header does not have: %s", prototype);
    assert_null(strstr(at + 1, prototype));
}

/* The row's INT as the header has it. */
static const char *with_lapack_int(const char *parameters)
{
    static char text[1024];
    size_t length = 0;

    for (const char *at = parameters; *at; length = strlen(text))
        if (!strncmp(at, "INT ", 4))
            length += (size_t)snprintf(text + length, sizeof text - length, "lapack_int "), at += 4;
        else
            snprintf(text + length, sizeof text - length, "%c", *at++);
    return text;
}

enum { LAPACK, LAPACKE, LAPACKE_WORK, LONGEST = 1280 };

/* A row's prototype as its header has it; NULL: it has no such. */
static const char *prototype(const struct tw_lapack_row *r, int which)
{
    const char *parameters = which == LAPACK ? r->lapack : which == LAPACKE ? r->lapacke : r->work;
    const char *end = which == LAPACKE_WORK ? "_work" : "";
    static char text[LONGEST];

    if (!parameters) return NULL;
    if (which == LAPACK)
        snprintf(text, sizeof text, "TW_API tw_int tw_##p##%s(%s);", r->name, parameters);
    else
        snprintf(text, sizeof text,
                 "TW_API lapack_int tw_LAPACKE_##p##%s%s(%s%s) TW_LAPACKE_SYMBOL(\"tw_LAPACKE_\" #p \"%s%s\");",
                 r->name, end, r->no_layout ? "" : "int matrix_layout, ", with_lapack_int(parameters), r->name, end);
    return text;
}

/* Some row's prototype stands there. */
static int is_a_rows(const char *at, int first, int last)
{
    for (const struct tw_lapack_row *const *r = tw_lapack_rows; *r; r++)
        for (int which = first; which <= last; which++) {
            const char *text = prototype(*r, which);
            if (text && !strncmp(at, text, strlen(text))) return 1;
        }
    return 0;
}

/* The prototypes of the header, which begin so, and those of the rows are the same; which ones are not is said. */
static void same(const char *name, const char *begin, int first, int last, int least)
{
    char *text = header(name);
    int rows = 0, without = 0;

    if (!text) skip();
    for (const struct tw_lapack_row *const *r = tw_lapack_rows; *r; r++)
        for (int which = first; which <= last; which++)
            if (prototype(*r, which)) has(text, prototype(*r, which)), rows++;
    for (const char *at = strstr(text, begin); at; at = strstr(at + 1, begin))
        if (!is_a_rows(at, first, last)) {
            print_error("FAILED: %s has %.*s, and algorithms/lapack/doors.h no such row (TW_LAPACK_ROUTINES)\n", name,
                        (int)strcspn(at, ";"), at);
            without++;
        }
    if (without) fail_msg("%s: %d prototypes without a row", name, without);
    assert_true(rows >= least);
    free(text);
}

static void lapack(void **state)
{
    (void)state;
    same("lapack.h", "TW_API", LAPACK, LAPACK, 10);
}

static void lapacke(void **state)
{
    (void)state;
    same("lapacke.h", "TW_API lapack_int", LAPACKE, LAPACKE_WORK, 20);
}

/* Rows and functions are made by the same words: a row's name is its function's, with every type's letter before it. */
static void names(void **state)
{
    (void)state;
    for (const struct tw_lapack_row *const *r = tw_lapack_rows; *r; r++) {
        assert_true((*r)->lapack || (*r)->work);
        for (const struct tw_lapack_row *const *s = tw_lapack_rows; s < r; s++)
            /* gesv, dsgesv, zcgesv: what differs is their parameters, each of which is in the headers once */
            if (!strcmp((*r)->name, (*s)->name))
                assert_true((*r)->work && (*s)->work && strcmp((*r)->work, (*s)->work));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lapack), cmocka_unit_test(lapacke), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
