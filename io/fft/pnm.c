/* PGM and PPM: a header in words, comments behind #, then samples in words (P2, P3) or bytes (P5, P6: two, the higher
 * first, above 255). */
#include "io/fft/signal.h"

static int broken(const struct tw_input *f, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s: PGM or PPM, byte %zu: %s", f->name, f->at, what);
}

static int is_space(int c)
{
    return c == ' ' || (c >= 9 && c <= 13);
}

/* The next number below 2^31, or -1. */
static tw_int number(struct tw_input *f)
{
    tw_int x = 0;

    while (f->at < f->size && (is_space(f->data[f->at]) || f->data[f->at] == '#')) {
        if (f->data[f->at] == '#')
            while (f->at < f->size && f->data[f->at] != '\n')
                f->at++;
        else
            f->at++;
    }
    if (f->at >= f->size || f->data[f->at] < '0' || f->data[f->at] > '9') return -1;
    while (f->at < f->size && f->data[f->at] >= '0' && f->data[f->at] <= '9') {
        x = 10 * x + f->data[f->at++] - '0';
        if (x > INT32_MAX) return -1;
    }
    return x;
}

int tw_pnm_parse(struct tw_input *f, tw_signal *s)
{
    char kind = (char)f->data[1];
    int colours = kind == '3' || kind == '6' ? 3 : 1, words = kind < '4', bytes, e;
    tw_int most, left;
    double *to;

    f->at = 2;
    s->type = TW_DOUBLE;
    s->rank = colours == 3 ? 3 : 2;
    s->n[1] = number(f);
    s->n[0] = number(f);
    s->n[2] = colours == 3 ? 3 : 0;
    most = number(f);
    if (s->n[0] < 1 || s->n[1] < 1 || most < 1 || most > 65535)
        return broken(f, "no width, height and largest value (up to 65535)");
    if (f->at >= f->size || !is_space(f->data[f->at])) return broken(f, "no white space behind the header");
    f->at++;
    bytes = most > 255 ? 2 : 1;
    left = (tw_int)(f->size - f->at);
    if ((e = tw_signal_allocate(f->name, s, words ? left : left / bytes))) return e;
    to = s->data;
    for (tw_int k = 0; k < s->count; k++) {
        tw_int x = words ? number(f) : bytes == 2 ? f->data[f->at] << 8 | f->data[f->at + 1] : f->data[f->at];
        if (!words) f->at += (size_t)bytes;
        if (x < 0 || x > most) return broken(f, "a sample that is no number up to the largest value");
        to[k] = (double)x / (double)most;
    }
    return 0;
}

void tw_pnm_write(FILE *out, const tw_signal *s)
{
    fprintf(out, "P%d\n%lld %lld\n255\n", s->rank == 3 ? 6 : 5, (long long)s->n[1], (long long)s->n[0]);
    for (tw_int k = 0; k < s->count; k++)
        fputc(tw_pixel(s, k), out);
}
