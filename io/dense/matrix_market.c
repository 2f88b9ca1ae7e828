/* Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935).
 *
 * Read: array and coordinate; real, integer, complex, pattern; general, symmetric, skew-symmetric, hermitian, in
 * any case of letters. Comments and blank lines may stand anywhere behind the banner. One entry per line.
 * Coordinate entries that occur more than once are summed. Symmetric files hold the lower triangle only: entries
 * above the diagonal are refused, as are entries on the diagonal of a skew-symmetric file, imaginary parts on that
 * of a hermitian one, and values that are not finite. Written: array format with enough digits to be read back bit
 * for bit. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "io/io.h"

static int bad(const struct tw_reader *r, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s:%lld: %s", r->name, (long long)r->line, what);
}

static int bad_word(const struct tw_reader *r, const char *what, const char *word)
{
    char quoted[TW_QUOTE_MAX];
    return tw_fail(TW_E_FORMAT, "%s:%lld: %s %s", r->name, (long long)r->line, what, tw_quote(quoted, word));
}

/* ---- banner and size ------------------------------------------------------------------------------------------- */

/* The index of the word among `words`, case ignored; -1 if it is none of them. */
static int choose(const char *word, const char *const *words)
{
    for (int k = 0; words[k]; k++)
        if (word && !strcasecmp(word, words[k])) return k;
    return -1;
}

static int read_banner(struct tw_reader *r, char *line, struct tw_header *h)
{
    static const char *const objects[] = {"matrix", NULL}, *const formats[] = {"array", "coordinate", NULL};
    static const char *const fields[] = {"real", "double", "integer", "complex", "pattern", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
    char *rest, *word[6];

    for (int k = 0; k < 6; k++)
        word[k] = strtok_r(k ? NULL : line, " \t", &rest);
    if (!word[0] || strcasecmp(word[0], "%%MatrixMarket"))
        return bad(r, "the first line must begin with %%MatrixMarket");
    for (int k = 1; k < 5; k++)
        if (!word[k]) return bad(r, "the banner needs five words: %%MatrixMarket matrix FORMAT FIELD SYMMETRY");
    if (choose(word[1], objects) < 0) return bad_word(r, "only the object matrix can be read, not", word[1]);
    int format = choose(word[2], formats), field = choose(word[3], fields), symmetry = choose(word[4], symmetries);
    if (format < 0) return bad_word(r, "the format is array or coordinate, not", word[2]);
    if (field < 0) return bad_word(r, "the field is real, integer, complex or pattern, not", word[3]);
    if (symmetry < 0)
        return bad_word(r, "the symmetry is general, symmetric, skew-symmetric or hermitian, not", word[4]);
    if (word[5]) return bad_word(r, "unexpected in the banner:", word[5]);

    h->info.coordinate = format == 1;
    h->integer = field == 2;
    h->pattern = field == 4;
    h->info.type = field == 3 ? TW_COMPLEX_DOUBLE : TW_DOUBLE;
    h->info.symmetric = symmetry == 1;
    h->info.skew = symmetry == 2;
    h->info.hermitian = symmetry == 3;
    h->info.uplo = symmetry ? TW_LOWER : TW_GENERAL;
    if (h->pattern && !h->info.coordinate)
        return bad(r, "a pattern has coordinates: array and pattern exclude each other");
    if (h->info.hermitian && field != 3) return bad(r, "only complex matrices are hermitian");
    if (h->pattern && h->info.skew) return bad(r, "a pattern cannot be skew-symmetric");
    return 0;
}

/* The next line that is neither blank nor a comment, its leading blanks skipped: 1, 0 at the end, an error < 0. */
static int next_line(struct tw_reader *r, const char **text)
{
    char *line;
    size_t length;
    int got;

    while ((got = tw_reader_line(r, 0, &line, &length)) == 1) {
        *text = line + strspn(line, " \t");
        if (**text && **text != '%') return 1;
    }
    return got;
}

/* `count` whole numbers that fill the line. */
static int read_integers(const struct tw_reader *r, const char *s, int count, tw_int *v, const char *what)
{
    for (int k = 0; k < count; k++) {
        s += strspn(s, " \t");
        enum tw_number got = tw_integer_parse(s, &s, &v[k]);
        if (got == TW_NUMBER_RANGE)
            return tw_fail(TW_E_FORMAT, "%s:%lld: a number is beyond 64 bits where %s should stand", r->name,
                           (long long)r->line, what);
        if (got != TW_NUMBER_OK || (*s && *s != ' ' && *s != '\t'))
            return tw_fail(TW_E_FORMAT, "%s:%lld: %s should stand here", r->name, (long long)r->line, what);
    }
    if (s[strspn(s, " \t")])
        return tw_fail(TW_E_FORMAT, "%s:%lld: more than %s on the line", r->name, (long long)r->line, what);
    return 0;
}

/* What an array file of this kind holds; at most m n, and m n is known to be small enough. */
static tw_int array_entries(const tw_file_info *f)
{
    if (f->uplo == TW_GENERAL) return f->m * f->n;
    return f->skew ? f->n * (f->n - 1) / 2 : f->n * (f->n + 1) / 2;
}

int tw_matrix_market_header(struct tw_reader *r, struct tw_header *h)
{
    char *line, what[TW_IO_TEXT];
    const char *text = NULL;
    size_t length;
    tw_int v[3] = {0, 0, 0};
    int e, got;

    *h = (struct tw_header){0};
    if ((got = tw_reader_line(r, 0, &line, &length)) < 0) return got;
    if (got == 0) return bad(r, "the file is empty");
    if ((e = read_banner(r, line, h))) return e;
    if ((got = next_line(r, &text)) < 0) return got;
    if (got == 0) return bad(r, "the file ends before the line with the sizes");
    if (h->info.coordinate)
        e = read_integers(r, text, 3, v, "rows, columns and number of entries");
    else
        e = read_integers(r, text, 2, v, "rows and columns");
    if (e) return e;
    if (v[0] < 0 || v[1] < 0 || v[2] < 0) return bad(r, "a size is negative");
    if (h->info.uplo != TW_GENERAL && v[0] != v[1])
        return bad(r, "a symmetric, skew-symmetric or hermitian matrix must be square");

    /* Refused before anything is allocated, here and again for the type that is asked for. An empty matrix counts
     * as one line of entries, so that no size comes near 2^63 afterwards. */
    snprintf(what, sizeof what, "%.400s:%lld: a dense %lld x %lld matrix", r->name, (long long)r->line, (long long)v[0],
             (long long)v[1]);
    double least = (double)tw_sizeof(tw_is_complex(h->info.type) ? TW_COMPLEX_FLOAT : TW_FLOAT);
    if ((e = tw_io_fits(what, (double)tw_max(v[0], 1) * (double)tw_max(v[1], 1) * least))) return e;
    h->info.m = v[0];
    h->info.n = v[1];
    h->info.nnz = h->info.coordinate ? v[2] : array_entries(&h->info);
    return 0;
}

/* ---- entries --------------------------------------------------------------------------------------------------- */

/* Where the entries of one file go. */
struct target {
    struct tw_reader *r;
    const struct tw_header *h;
    enum tw_type type;
    char *a;
    tw_int lda;
};

/* One real number at *s, behind blanks. */
static int read_value(const struct target *t, const char **s, double *x)
{
    const char *start = *s + strspn(*s, " \t");
    char word[TW_QUOTE_MAX];
    enum tw_number got = tw_number_parse(start, s, x);

    if (got == TW_NUMBER_OK && **s && **s != ' ' && **s != '\t') got = TW_NUMBER_NONE;
    if (got == TW_NUMBER_NONE && !*start) return bad(t->r, "a number is missing");
    if (got == TW_NUMBER_NONE) return bad_word(t->r, "not a number:", start);
    if (got == TW_NUMBER_OK && t->h->integer && strcspn(start, ".eE") < (size_t)(*s - start))
        return bad_word(t->r, "not a whole number, in an integer file:", start);
    if (got == TW_NUMBER_OK && (!tw_is_single(t->type) || isfinite((float)*x))) return 0;
    return tw_fail(TW_E_FORMAT, "%s:%lld: %s is not a finite number in %s precision", t->r->name, (long long)t->r->line,
                   tw_quote(word, start), tw_is_single(t->type) ? "single" : "double");
}

/* The value part of a line, up to its end. */
static int read_entry(const struct target *t, const char *s, double v[2])
{
    int e;
    v[0] = 1, v[1] = 0;
    if (!t->h->pattern && (e = read_value(t, &s, &v[0]))) return e;
    if (tw_is_complex(t->h->info.type) && (e = read_value(t, &s, &v[1]))) return e;
    s += strspn(s, " \t");
    return *s ? bad_word(t->r, "unexpected behind the entry:", s) : 0;
}

/* A(i, j) = v in array files, += v in coordinate files, where the sum must stay finite. */
static int put(const struct target *t, tw_int i, tw_int j, double re, double im)
{
    const size_t k = (size_t)i + (size_t)j * (size_t)t->lda;
    double x = 0, y = 0;

    if (t->h->info.coordinate) tw_io_get(t->type, t->a, k, &x, &y), re += x, im += y;
    tw_io_set(t->type, t->a, k, re, im);
    tw_io_get(t->type, t->a, k, &x, &y);
    return isfinite(x) && isfinite(y) ? 0 : bad(t->r, "the sum of the entries given for this place overflows");
}

/* One entry and its mirror image. */
static int place(const struct target *t, tw_int i, tw_int j, const double v[2])
{
    const tw_file_info *f = &t->h->info;
    int e;

    if (f->uplo != TW_GENERAL && i < j)
        return bad(t->r, "an entry above the diagonal: such files hold the lower triangle only");
    if (f->skew && i == j) return bad(t->r, "an entry on the diagonal of a skew-symmetric matrix");
    if (f->hermitian && i == j && v[1] != 0)
        return bad(t->r, "an imaginary part on the diagonal of a hermitian matrix");
    if ((e = put(t, i, j, v[0], v[1])) || f->uplo == TW_GENERAL || i == j) return e;
    return put(t, j, i, f->skew ? -v[0] : v[0], f->skew || f->hermitian ? -v[1] : v[1]);
}

static int too_few(const struct target *t, tw_int got)
{
    return tw_fail(TW_E_FORMAT, "%s:%lld: the file ends after %lld of %lld entries", t->r->name, (long long)t->r->line,
                   (long long)got, (long long)t->h->info.nnz);
}

static int read_array(const struct target *t)
{
    const tw_file_info *f = &t->h->info;
    const char *text;
    double v[2];
    tw_int count = 0;
    int e, got;

    for (tw_int j = 0; j < f->n; j++)
        for (tw_int i = f->uplo == TW_GENERAL ? 0 : j + f->skew; i < f->m; i++, count++) {
            if ((got = next_line(t->r, &text)) < 0) return got;
            if (got == 0) return too_few(t, count);
            if ((e = read_entry(t, text, v)) || (e = place(t, i, j, v))) return e;
        }
    return 0;
}

/* An index at *s, from 1 to `largest`. */
static int read_index(const struct target *t, const char **s, const char *what, tw_int largest, tw_int *v)
{
    const char *start = *s + strspn(*s, " \t");
    enum tw_number got = tw_integer_parse(start, s, v);

    if (got == TW_NUMBER_NONE || (**s && **s != ' ' && **s != '\t'))
        return tw_fail(TW_E_FORMAT, "%s:%lld: the entry's %s is no whole number", t->r->name, (long long)t->r->line,
                       what);
    if (got != TW_NUMBER_OK || *v < 1 || *v > largest)
        return tw_fail(TW_E_FORMAT, "%s:%lld: the entry's %s does not lie in 1 to %lld", t->r->name,
                       (long long)t->r->line, what, (long long)largest);
    return 0;
}

static int read_coordinates(const struct target *t)
{
    const tw_file_info *f = &t->h->info;
    const char *text;
    double v[2];
    tw_int i, j;
    int e, got;

    for (tw_int k = 0; k < f->nnz; k++) {
        if ((got = next_line(t->r, &text)) < 0) return got;
        if (got == 0) return too_few(t, k);
        if ((e = read_index(t, &text, "row", f->m, &i)) || (e = read_index(t, &text, "column", f->n, &j)) ||
            (e = read_entry(t, text, v)) || (e = place(t, i - 1, j - 1, v)))
            return e;
    }
    return 0;
}

int tw_matrix_market_body(struct tw_reader *r, const struct tw_header *h, enum tw_type type, void *a, tw_int lda)
{
    const struct target t = {r, h, type, a, lda};
    const char *text;
    int e, got;

    for (tw_int j = 0; j < h->info.n; j++)
        memset(t.a + (size_t)j * (size_t)lda * tw_sizeof(type), 0, (size_t)h->info.m * tw_sizeof(type));
    if ((e = h->info.coordinate ? read_coordinates(&t) : read_array(&t))) return e;
    if ((got = next_line(r, &text)) < 0) return got;
    if (got == 0) return 0;
    return tw_fail(TW_E_FORMAT, "%s:%lld: more entries follow than the %lld that were announced", r->name,
                   (long long)r->line, (long long)h->info.nnz);
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* A triangle of a complex matrix is taken for a hermitian one's, unless its diagonal has imaginary parts, which a
 * hermitian file cannot hold: then the file is called symmetric. Either way the triangle itself is read back as it
 * was. */
static int real_diagonal(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    double re, im;
    for (tw_int j = 0; j < n; j++) {
        tw_io_get(type, a, (size_t)j * (size_t)(lda + 1), &re, &im);
        if (im != 0) return 0;
    }
    return 1;
}

static void write_entry(FILE *out, enum tw_type type, double re, double im)
{
    const int digits = tw_is_single(type) ? 9 : 17;
    if (tw_is_complex(type))
        fprintf(out, "%.*g %.*g\n", digits, re, digits, im);
    else
        fprintf(out, "%.*g\n", digits, re);
}

/* A full disk is found when the file is committed. */
void tw_matrix_market_write(FILE *out, enum tw_type type, enum tw_uplo uplo, tw_int m, tw_int n, const void *a,
                            tw_int lda)
{
    const int hermitian = uplo != TW_GENERAL && tw_is_complex(type) && real_diagonal(type, n, a, lda);
    void *locale = tw_c_locale_enter();
    double re, im;

    fprintf(out, "%%%%MatrixMarket matrix array %s %s\n%lld %lld\n", tw_is_complex(type) ? "complex" : "real",
            uplo == TW_GENERAL ? "general"
            : hermitian        ? "hermitian"
                               : "symmetric",
            (long long)m, (long long)n);
    for (tw_int j = 0; j < n && !ferror(out); j++)
        for (tw_int i = uplo == TW_GENERAL ? 0 : j; i < m; i++) {
            const size_t k =
                uplo == TW_UPPER ? (size_t)j + (size_t)i * (size_t)lda : (size_t)i + (size_t)j * (size_t)lda;
            tw_io_get(type, a, k, &re, &im);
            write_entry(out, type, re, uplo == TW_UPPER && hermitian ? -im : im);
        }
    tw_c_locale_leave(locale);
}
