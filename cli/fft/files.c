/* What comes from files and goes to them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "cli/fft/fft_cli.h"

static int raw_input(struct problem *p)
{
    size_t element = (p->in.single ? 4 : 8) * (size_t)(p->in.is_real ? 1 : 2), row = element * (size_t)p->in.row;
    FILE *f = fopen(p->o.input, "rb");
    int complete = 1;

    if (!f) return cli_error(USAGE, "%s: %s", p->o.input, strerror(errno));
    for (tw_int l = 0; l < p->lines && complete; l++)
        complete = fread((char *)p->in.data + element * (size_t)(l * p->in.pitch), 1, row, f) == row;
    complete = complete && fgetc(f) == EOF;
    fclose(f);
    return complete ? 0
                    : cli_error(USAGE, "%s: it does not hold exactly the elements that --n, --batch and --type say",
                                p->o.input);
}

static double part(const tw_signal *s, tw_int k, int imaginary)
{
    switch (s->type) {
    case TW_FLOAT: return imaginary ? 0 : ((const float *)s->data)[k];
    case TW_DOUBLE: return imaginary ? 0 : ((const double *)s->data)[k];
    case TW_COMPLEX_FLOAT: return ((const float *)s->data)[2 * k + imaginary];
    default: return ((const double *)s->data)[2 * k + imaginary];
    }
}

/* Of several channels of a WAV file the first is taken. */
static int rank_of(const tw_signal *s)
{
    return s->rate > 0 ? 1 : s->rank;
}

static tw_int step_of(const tw_signal *s)
{
    return s->rate > 0 ? s->n[1] : 1;
}

static int half_complex(const struct options *o)
{
    return is_real(o) && !o->r2r && o->sign > 0 && o->operation == TRANSFORM;
}

/* A half-complex file of m elements in a row stands for a real array of 2 m - 2 or 2 m - 1: the file or --n says
 * which. */
static int real_length(const struct problem *p, const tw_signal *s, tw_int m, tw_int given, tw_int *n)
{
    *n = given ? given : s->real_last;
    if (*n && *n / 2 + 1 == m) return 0;
    if (*n)
        return cli_error(USAGE, "--n: a real array of %lld gives %lld half-complex elements, %s has %lld",
                         (long long)*n, (long long)(*n / 2 + 1), p->o.input, (long long)m);
    return cli_error(USAGE, "%s: its %lld half-complex elements stand for a real array of %lld or of %lld: say --n",
                     p->o.input, (long long)m, (long long)(2 * m - 2), (long long)(2 * m - 1));
}

/* The shape of the file is the shape of the transform (for C2R: of its half-complex side, and --n is the real one's);
 * with --batch its first dimension counts the transforms. */
static int shape_from(struct problem *p, const tw_signal *s)
{
    struct options *o = &p->o;
    const int rank = rank_of(s), first = o->batch > 1, given = o->rank;
    const tw_int asked[3] = {o->n[0], o->n[1], o->n[2]};

    if (first && (rank < 2 || s->n[0] != o->batch))
        return cli_error(USAGE, "--batch: the first of %s's dimensions (two at least) has to be as large", o->input);
    if (rank - first > 3) return cli_error(USAGE, "%s: %d dimensions, at most 3 are transformed", o->input, rank);
    o->rank = rank - first;
    for (int d = 0; d < o->rank; d++)
        o->n[d] = s->n[first + d];
    if (half_complex(o)) {
        const int last = o->rank - 1,
                  e = real_length(p, s, o->n[last], given == o->rank ? asked[last] : 0, &o->n[last]);
        if (e) return e;
    }
    if (given && (given != o->rank || memcmp(asked, o->n, sizeof(tw_int) * (size_t)given) != 0))
        return cli_error(USAGE, "--n: %s has a shape of its own, another one", o->input);
    return 0;
}

/* ---- kernels and tables ------------------------------------------------------------------------------------------ */

/* The next even number from n on whose prime factors are 2, 3, 5 and 7. */
static tw_int convenient(tw_int n)
{
    for (n += n % 2;; n += 2) {
        tw_int rest = n;
        for (tw_int f = 2; f <= 7; f++)
            while (rest % f == 0)
                rest /= f;
        if (rest == 1) return n;
    }
}

/* For a convolution that does not wrap around: room for all of it. The part that counts is kept in `valid`. */
static int widen(struct problem *p, const tw_signal *kernel)
{
    for (int d = 0; d < p->o.rank; d++) {
        p->valid[d] = p->o.n[d] + kernel->n[d] - 1;
        if (p->valid[d] > (tw_int)1 << 40) return cli_error(USAGE, "%s: too large", p->o.other);
        p->o.n[d] = convenient(p->valid[d]);
        if (p->o.operation == CORRELATE) p->valid[d] -= kernel->n[d] - 1; /* the lags from 0 on */
    }
    return 0;
}

/* Copy an array of shape `shape` to the beginning of a larger one of shape n, the rest being 0. */
static void embed(struct array *a, int rank, const tw_int *n, const tw_int *shape, const tw_signal *s)
{
    tw_int m[3] = {1, 1, 1}, k[3] = {1, 1, 1}, step = step_of(s);

    for (int d = 0; d < rank; d++) {
        m[3 - rank + d] = shape[d];
        k[3 - rank + d] = n[d];
    }
    memset(a->data, 0, a->bytes);
    for (tw_int i = 0; i < m[0]; i++)
        for (tw_int j = 0; j < m[1]; j++)
            for (tw_int l = 0; l < m[2]; l++) {
                tw_int at = ((i * m[1] + j) * m[2] + l) * step;
                put_element(a, (i * k[1] + j) * a->pitch + l, part(s, at, 0), part(s, at, 1));
            }
}

static int kernel_fits(const struct problem *p, const tw_signal *s)
{
    if (s->type != TW_FLOAT && s->type != TW_DOUBLE) return cli_error(USAGE, "%s: kernels are real", p->o.other);
    if (rank_of(s) != p->o.rank)
        return cli_error(USAGE, "%s: it has %d dimensions, the input %d", p->o.other, rank_of(s), p->o.rank);
    for (int d = 0; d < p->o.rank; d++)
        if (s->n[d] > p->o.n[d] && !p->o.linear)
            return cli_error(USAGE, "%s: it is larger than the input (--linear allows that)", p->o.other);
    return 0;
}

/* The table's shape is that of the transform: the last dimension n / 2 + 1 for real input. */
static int table_fits(const struct problem *p, const tw_signal *s)
{
    int fits = rank_of(s) == p->o.rank;

    for (int d = 0; d < p->o.rank && fits; d++)
        fits = s->n[d] == (d == p->o.rank - 1 && is_real(&p->o) ? p->o.n[d] / 2 + 1 : p->o.n[d]);
    return fits ? 0
                : cli_error(USAGE, "%s: the table's shape has to be that of the input's transform%s", p->o.other,
                            is_real(&p->o) ? " (last dimension n/2 + 1)" : "");
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

struct loaded {
    tw_signal input, other;
    tw_int shape[3]; /* the input's, before it was widened */
};

/* A file that cannot be read is bad input. */
static int input_error(const char *what, int code)
{
    const int status = library_error(what, code);
    return (code == TW_E_IO || code == TW_E_FORMAT) && !cli_interrupted() ? USAGE : status;
}

static int read_input(struct problem *p, struct loaded *l)
{
    int code = tw_signal_read(p->o.input, &l->input);

    /* with --n anything that is not one of the formats is bare elements */
    if (code == TW_E_FORMAT && p->o.rank) return 0;
    if (code) return input_error("--input", code);
    p->rate = l->input.rate;
    /* A file that says of itself that it is half-complex goes back to real data. */
    if (!p->o.typed && p->o.sign > 0 && p->o.operation == TRANSFORM && !p->o.r2r && l->input.real_last)
        p->o.type = l->input.type == TW_COMPLEX_FLOAT ? TW_FLOAT : TW_DOUBLE;
    return shape_from(p, &l->input);
}

static int read_other(struct problem *p, struct loaded *l)
{
    int code = tw_signal_read(p->o.other, &l->other), e;

    if (code) return input_error(p->o.operation == FILTER ? "--filter" : "the kernel", code);
    if (p->o.operation == FILTER) return table_fits(p, &l->other);
    if ((e = kernel_fits(p, &l->other))) return e;
    if (p->o.linear && !l->input.data) return cli_error(USAGE, "--linear: needs an --input that knows its shape");
    return p->o.linear ? widen(p, &l->other) : 0;
}

static int fill(struct problem *p, const struct loaded *l)
{
    tw_int shape[3], last = p->o.n[p->o.rank - 1];
    int filter = p->o.operation == FILTER, e, first = l->input.data && p->o.batch > 1;

    if (p->o.operation != TRANSFORM) {
        tw_int row = filter && is_real(&p->o) ? last / 2 + 1 : last;
        if ((e = make_array(&p->other, !filter, is_single(&p->o), row, row, p->lines))) return e;
        memcpy(shape, l->other.n, sizeof shape);
        embed(&p->other, p->o.rank, p->o.n, shape, &l->other);
    }
    if (!p->o.input) return random_input(p);
    if (!l->input.data) return raw_input(p);
    if (!first) {
        embed(&p->in, p->o.rank, p->o.n, l->shape, &l->input);
        return 0;
    }
    for (tw_int k = 0; k < p->lines; k++)
        for (tw_int i = 0; i < p->in.row; i++) {
            tw_int at = k * p->in.row + i;
            put_element(&p->in, k * p->in.pitch + i, part(&l->input, at, 0), part(&l->input, at, 1));
        }
    return 0;
}

int load_input(struct problem *p)
{
    struct loaded l = {0};
    int e = 0;

    if (p->o.input) e = read_input(p, &l);
    memcpy(l.shape, p->o.n, sizeof l.shape);
    if (l.input.data && p->o.rank) l.shape[p->o.rank - 1] = l.input.n[rank_of(&l.input) - 1];
    if (!e && p->o.operation != TRANSFORM) e = read_other(p, &l);
    if (!e) e = make_arrays(p);
    if (!e) e = fill(p, &l);
    tw_signal_free(&l.input);
    tw_signal_free(&l.other);
    return e;
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

/* The result as it is written, but for its data; n: its last three dimensions as they are stored, m: as they are
 * saved. */
static tw_signal described(const struct problem *p, tw_int n[3], tw_int m[3])
{
    const struct array *a = &p->out;
    tw_signal s = {.type = a->is_real ? (a->single ? TW_FLOAT : TW_DOUBLE)
                                      : (a->single ? TW_COMPLEX_FLOAT : TW_COMPLEX_DOUBLE),
                   .rate = p->rate};

    for (int d = 0; d < 3; d++)
        n[d] = m[d] = 1;
    for (int d = 0; d < p->o.rank; d++) {
        n[3 - p->o.rank + d] = d == p->o.rank - 1 ? a->row : p->o.n[d];
        m[3 - p->o.rank + d] = p->valid[d] ? p->valid[d] : n[3 - p->o.rank + d];
    }
    if (p->o.batch > 1) s.n[s.rank++] = p->o.batch;
    for (int d = 0; d < p->o.rank; d++)
        s.n[s.rank++] = m[3 - p->o.rank + d];
    s.count = p->o.batch * m[0] * m[1] * m[2];
    if (p->kind == TW_FFT_R2C && p->o.operation == TRANSFORM) s.real_last = p->o.n[p->o.rank - 1];
    return s;
}

int output_fits(const struct problem *p)
{
    const char *path = p->o.output, *suffix = path ? strrchr(path, '.') : NULL;
    tw_int n[3], m[3];
    const tw_signal s = described(p, n, m);
    const int sound = suffix && !strcasecmp(suffix, ".wav"), grey = suffix && !strcasecmp(suffix, ".pgm"),
              coloured = suffix && !strcasecmp(suffix, ".ppm"), picture = suffix && !strcasecmp(suffix, ".png");

    if (!sound && !grey && !coloured && !picture) return 0;
    if (s.type != TW_FLOAT && s.type != TW_DOUBLE)
        return cli_error(USAGE, "--output %s: the result is complex, and %s are real; .npy holds it", path,
                         sound ? "sounds" : "pictures");
    if (sound && !(s.rate > 0))
        return cli_error(
            USAGE, "--output %s: a sound has a sampling rate, which an --input .wav brings; .npy needs none", path);
    if (!sound && !(s.rank == 2 && !coloured) && !(s.rank == 3 && s.n[2] == 3 && !grey))
        return cli_error(USAGE,
                         "--output %s: the result has %d dimension%s; a .pgm has two, a .ppm three, of which the "
                         "last is 3, a .png either",
                         path, s.rank, s.rank > 1 ? "s" : "");
    return 0;
}

int save_output(const struct problem *p)
{
    const struct array *a = &p->out;
    const size_t element = (a->single ? 4 : 8) * (size_t)(a->is_real ? 1 : 2);
    tw_int n[3], m[3];
    tw_signal s = described(p, n, m);
    char *to;
    int e;

    if (!(s.data = malloc((size_t)s.count * element))) return cli_error(FAILED, "no memory for a copy of the result");
    to = s.data;
    for (tw_int i = 0; i < p->o.batch * n[0]; i++)
        for (tw_int j = 0; j < n[1]; j++) {
            if (i % n[0] >= m[0] || j >= m[1]) continue;
            memcpy(to, (const char *)a->data + element * (size_t)((i * n[1] + j) * a->pitch), element * (size_t)m[2]);
            to += element * (size_t)m[2];
        }
    e = tw_signal_write(p->o.output, &s);
    free(s.data);
    if (e) return library_error("--output", e);
    cli_has_written();
    return 0;
}
