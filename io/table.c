/* Numeric tables from CSV files (RFC 4180: a header line, commas, quotes, doubled quotes inside them).
 *
 * Blank lines are skipped. Fields lose the blanks around them unless quoted. Empty fields, NA and NaN (in any
 * case) are missing. The first value that is not missing decides whether a column is numeric or text; a text
 * further down in a numeric column is an error, since a silently lost column is worse. Infinite values are errors.
 * A column without any value is not numeric. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/io.h"

enum column { UNKNOWN, NUMERIC, TEXT };

struct builder {
    struct tw_reader *r;
    tw_int rows, cols, capacity; /* capacity in rows */
    char **names;
    enum column *column;
    double *value; /* row-major while it grows */
};

/* ---- fields ---------------------------------------------------------------------------------------------------- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The quoted field at s (behind its opening quote), its doubled quotes undone in place; returns what follows the
 * closing quote. The reader has made sure that there is one. */
static char *unquote(char *s)
{
    char *to = s;
    for (; *s; *to++ = *s++)
        if (*s == '"' && *++s != '"') break;
    if (to != s) *to = 0;
    return s;
}

/* Cut the next field off *s: its text, NUL-terminated. *s is behind its comma afterwards, NULL behind the last field.
 * NULL: something follows a closing quote. */
static char *next_field(char **s)
{
    char *field = *s, *end;

    while (is_blank(*field))
        field++;
    if (*field == '"') {
        end = unquote(++field);
        while (is_blank(*end))
            end++;
        if (*end && *end != ',') return NULL;
        *s = *end ? end + 1 : NULL;
        return field;
    }
    end = field + strcspn(field, ",");
    *s = *end ? end + 1 : NULL;
    while (end > field && is_blank(end[-1]))
        end--;
    *end = 0;
    return field;
}

static int bad_quote(const struct builder *b, tw_int c)
{
    return tw_fail(TW_E_FORMAT, "%s:%lld: field %lld: text follows the closing quote", b->r->name,
                   (long long)b->r->line, (long long)c + 1);
}

/* ---- the header ------------------------------------------------------------------------------------------------ */

static int out_of_memory(const struct builder *b, const char *what)
{
    return tw_fail(TW_E_MEMORY, "%s: no memory for %s", b->r->name, what);
}

static int take_names(struct builder *b, char *line)
{
    tw_int capacity = 0;
    for (char *s = line; s;) {
        char *name = next_field(&s);
        if (!name) return bad_quote(b, b->cols);
        if (b->cols == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            char **larger = realloc(b->names, (size_t)capacity * sizeof *larger);
            if (!larger) return out_of_memory(b, "the columns' names");
            b->names = larger;
        }
        if (!(b->names[b->cols] = strdup(name))) return out_of_memory(b, "the columns' names");
        b->cols++;
    }
    b->column = calloc((size_t)b->cols, sizeof *b->column);
    return b->column ? 0 : out_of_memory(b, "the columns");
}

/* The next line that is not blank: 1, 0 at the end, an error < 0. */
static int next_record(struct builder *b, char **line)
{
    size_t length;
    int got;
    while ((got = tw_reader_line(b->r, 1, line, &length)) == 1)
        if ((*line)[strspn(*line, " \t")]) return 1;
    return got;
}

static int read_header(struct builder *b)
{
    char *line;
    const char *start;
    char mark[3];
    int got;

    if (tw_reader_peek(b->r, 3, &start) == 3 && !memcmp(start, "\xEF\xBB\xBF", 3)) tw_reader_bytes(b->r, mark, 3);
    got = next_record(b, &line);
    if (got == 0)
        return tw_fail(TW_E_FORMAT, "%s:1: the file is empty: a header line with the columns' names is missing",
                       b->r->name);
    return got < 0 ? got : take_names(b, line);
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static int is_missing(const char *s)
{
    return !*s || !strcasecmp(s, "na") || !strcasecmp(s, "nan");
}

static int bad_value(const struct builder *b, tw_int c, const char *field, const char *what)
{
    char name[TW_QUOTE_MAX], value[TW_QUOTE_MAX];
    return tw_fail(TW_E_FORMAT, "%s:%lld: column %lld (%s): %s: %s", b->r->name, (long long)b->r->line,
                   (long long)c + 1, tw_quote(name, b->names[c]), tw_quote(value, field), what);
}

static int take_value(struct builder *b, tw_int c, const char *field, double *x)
{
    const char *end;
    enum tw_number got;

    *x = NAN;
    if (b->column[c] == TEXT || is_missing(field)) return 0;
    got = tw_number_parse(field, &end, x);
    if (*end || got == TW_NUMBER_NONE) {
        *x = NAN;
        if (b->column[c] == NUMERIC)
            return bad_value(b, c, field, "not a number, in a column that begins with numbers");
        b->column[c] = TEXT;
        return 0;
    }
    if (got != TW_NUMBER_OK)
        return bad_value(b, c, field, "not a finite number (missing values are written empty, NA or NaN)");
    b->column[c] = NUMERIC;
    return 0;
}

static int grow(struct builder *b)
{
    char what[TW_IO_TEXT];
    tw_int capacity = b->capacity ? 2 * b->capacity : 64;
    double bytes = (double)capacity * (double)b->cols * sizeof(double);
    int e;

    /* Twice: at the end the rows are transposed into columns. */
    snprintf(what, sizeof what, "%.400s: a table of more than %lld rows and %lld columns", b->r->name,
             (long long)b->rows, (long long)b->cols);
    if ((e = tw_io_fits(what, 2 * bytes))) return e;
    double *larger = realloc(b->value, (size_t)capacity * (size_t)b->cols * sizeof *larger);
    if (!larger) return out_of_memory(b, "the rows");
    b->value = larger;
    b->capacity = capacity;
    return 0;
}

static int take_row(struct builder *b, char *line)
{
    tw_int c = 0;
    int e;

    if (b->rows == b->capacity && (e = grow(b))) return e;
    double *x = b->value + (size_t)b->rows * (size_t)b->cols;
    for (char *s = line; s; c++) {
        char *field = next_field(&s);
        if (!field) return bad_quote(b, c);
        if (c < b->cols && (e = take_value(b, c, field, &x[c]))) return e;
    }
    if (c != b->cols)
        return tw_fail(TW_E_FORMAT, "%s:%lld: %lld fields, but the header line has %lld", b->r->name,
                       (long long)b->r->line, (long long)c, (long long)b->cols);
    b->rows++;
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------------------------- */

static int finish(struct builder *b, tw_table *t)
{
    const size_t rows = (size_t)b->rows, cols = (size_t)b->cols;
    double *data = malloc(rows * cols * sizeof *data);
    int *numeric = malloc(cols * sizeof *numeric);

    if (!data || !numeric) {
        free(data);
        free(numeric);
        return out_of_memory(b, "the table");
    }
    for (size_t c = 0; c < cols; c++)
        numeric[c] = b->column[c] == NUMERIC;
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < cols; c++)
            data[c * rows + i] = b->value[i * cols + c];
    *t = (tw_table){.rows = b->rows, .cols = b->cols, .names = b->names, .numeric = numeric, .data = data};
    b->names = NULL;
    b->cols = 0;
    return 0;
}

static void free_names(char **names, tw_int count)
{
    for (tw_int c = 0; c < count; c++)
        free(names[c]);
    free(names);
}

int tw_table_parse(struct tw_reader *r, tw_table *t)
{
    struct builder b = {.r = r};
    char *line;
    int e, got = 0;

    *t = (tw_table){0};
    if (!(e = read_header(&b)))
        while ((got = next_record(&b, &line)) == 1 && !(e = take_row(&b, line))) {}
    if (got < 0) e = got;
    if (!e && b.rows == 0)
        e = tw_fail(TW_E_FORMAT, "%s:%lld: no rows follow the header line", r->name, (long long)r->line);
    if (!e) e = finish(&b, t);
    free_names(b.names, b.cols);
    free(b.column);
    free(b.value);
    return e;
}

int tw_table_read(const char *path, tw_table *t)
{
    struct tw_reader r;
    int e;

    if (!path) return tw_illegal("tw_table_read", 1, "NULL");
    if (!t) return tw_illegal("tw_table_read", 2, "NULL");
    *t = (tw_table){0};
    if (!(e = tw_reader_open(&r, path))) e = tw_table_parse(&r, t);
    tw_reader_close(&r);
    return e;
}

void tw_table_free(tw_table *t)
{
    if (!t) return;
    free_names(t->names, t->cols);
    free(t->numeric);
    free(t->data);
    *t = (tw_table){0};
}
