/* Reading and storing columns that are not simply elements of an array: reals, half-complex arrays, chirps (enum
 * tw_fft_edge). Element (i, j) of the logical array is number i ld + j, so that a row's elements are a range of
 * numbers. */
#include "kernels/fft/cpu/typed_fft.h"

static tw_int within(tw_int count, tw_int most)
{
    return count < 0 ? 0 : count < most ? count : most;
}

/* ---- rows: `count` elements next to each other in the array, `pitch` complex numbers apart in the buffer --------- */

TW_WIDE static void reals_in(tw_int count, tw_int pitch, const R *x, R *b)
{
    for (tw_int j = 0; j < count; j++)
        b[2 * j * pitch] = x[j];
}

TW_WIDE static void reals_out(tw_int count, tw_int pitch, const R *b, R *x, R scale)
{
    for (tw_int j = 0; j < count; j++)
        x[j] = scale * b[2 * j * pitch];
}

/* b = turn-conjugate of x, forwards or (step -1) backwards in memory. */
TW_WIDE static void copy_in(tw_int count, tw_int pitch, const R *x, int step, R turn, R *b)
{
    for (tw_int j = 0; j < count; j++) {
        b[2 * j * pitch] = x[2 * j * step];
        b[2 * j * pitch + 1] = turn * x[2 * j * step + 1];
    }
}

TW_WIDE static void copy_out(tw_int count, tw_int pitch, const R *b, R *x, int step, R scale, R turn)
{
    for (tw_int j = 0; j < count; j++) {
        x[2 * j * step] = scale * b[2 * j * pitch];
        x[2 * j * step + 1] = turn * scale * b[2 * j * pitch + 1];
    }
}

TW_WIDE static void chirped_in(tw_int count, tw_int pitch, const R *x, const R *w, R scale, R *b)
{
    for (tw_int j = 0; j < count; j++) {
        R xr = scale * x[2 * j], xi = scale * x[2 * j + 1];
        b[2 * j * pitch] = xr * w[2 * j] - xi * w[2 * j + 1];
        b[2 * j * pitch + 1] = xr * w[2 * j + 1] + xi * w[2 * j];
    }
}

TW_WIDE static void chirped_reals_in(tw_int count, tw_int pitch, const R *x, const R *w, R *b)
{
    for (tw_int j = 0; j < count; j++) {
        b[2 * j * pitch] = x[j] * w[2 * j];
        b[2 * j * pitch + 1] = x[j] * w[2 * j + 1];
    }
}

TW_WIDE static void chirped_out(tw_int count, tw_int pitch, const R *b, const R *w, R *x, R scale)
{
    for (tw_int j = 0; j < count; j++) {
        R br = scale * b[2 * j * pitch], bi = scale * b[2 * j * pitch + 1];
        x[2 * j] = br * w[2 * j] - bi * w[2 * j + 1];
        x[2 * j + 1] = br * w[2 * j + 1] + bi * w[2 * j];
    }
}

TW_WIDE static void chirped_reals_out(tw_int count, tw_int pitch, const R *b, const R *w, R *x, R scale)
{
    for (tw_int j = 0; j < count; j++)
        x[j] = scale * (b[2 * j * pitch] * w[2 * j] - b[2 * j * pitch + 1] * w[2 * j + 1]);
}

/* ---- columns: element (i, 0) is number k of the array ------------------------------------------------------------ */

/* The rows that are wanted soon, where they are within an array of `points` elements. */
static void ask(const void *array, tw_int k, tw_int points, tw_int w, size_t element, int write)
{
    const char *row = (const char *)array + element * (size_t)k;

    if (k + w > points) return;
    if (write)
        tw_fft_ask_to_write(row, element * (size_t)w);
    else
        tw_fft_ask(row, element * (size_t)w);
}

static void enter_half(const struct tw_fft_columns *c, tw_int k, tw_int w, R *b)
{
    const R *in = c->in;
    tw_int n = c->enter.points, stored = within(n / 2 + 1 - k, w);

    ask(in, k + TW_AHEAD * c->ld_in, n / 2 + 1, w, 2 * sizeof(R), 0);
    copy_in(stored, c->pitch, in + 2 * k, 1, 1, b);
    if (stored < w) copy_in(w - stored, c->pitch, in + 2 * (n - k - stored), -1, -1, b + 2 * stored * c->pitch);
    if (k == 0) b[1] = 0;
}

/* Of column 0 the mirrored half is not computed anew: it has the same numbers. */
static void leave_half(const struct tw_fft_columns *c, tw_int column, tw_int k, tw_int w, const R *b)
{
    R *out = c->out, scale = (R)c->scale;
    tw_int n = c->leave.points, stored = within(n / 2 + 1 - k, w);

    ask(out, k + TW_AHEAD * c->ld_out, n / 2 + 1, w, 2 * sizeof(R), 1);
    copy_out(stored, c->pitch, b, out + 2 * k, 1, scale, 1);
    if (k == 0) out[1] = 0;
    if (stored < w && column + stored == 0) stored++;
    if (stored < w)
        copy_out(w - stored, c->pitch, b + 2 * stored * c->pitch, out + 2 * (n - k - stored), -1, scale, -1);
}

static void enter_chirp(const struct tw_fft_columns *c, tw_int k, tw_int w, R *b)
{
    const struct tw_fft_side *s = &c->enter;
    const R *in = c->in, *chirp = (const R *)s->chirp + 2 * k;
    tw_int count = within(s->points - k, w), ahead = k + TW_AHEAD * c->ld_in;

    ask(in, ahead, s->points, w, sizeof(R) * (s->real ? 1 : 2), 0);
    ask(s->chirp, ahead, s->points, w, 2 * sizeof(R), 0);
    if (s->real)
        chirped_reals_in(count, c->pitch, in + k, chirp, b);
    else
        chirped_in(count, c->pitch, in + 2 * k, chirp, s->half ? 2 : 1, b);
    if (s->half && k == 0) b[0] = in[0], b[1] = 0; /* the first is its own mirror, and real */
    for (tw_int j = count; j < w; j++)
        b[2 * j * c->pitch] = b[2 * j * c->pitch + 1] = 0;
}

static void leave_chirp(const struct tw_fft_columns *c, tw_int k, tw_int w, const R *b)
{
    const struct tw_fft_side *s = &c->leave;
    const R *chirp = (const R *)s->chirp + 2 * k;
    tw_int count = within(s->points - k, w), ahead = k + TW_AHEAD * c->ld_out;

    ask(c->out, ahead, s->points, w, sizeof(R) * (s->real ? 1 : 2), 1);
    ask(s->chirp, ahead, s->points, w, 2 * sizeof(R), 0);
    if (s->real)
        chirped_reals_out(count, c->pitch, b, chirp, (R *)c->out + k, (R)c->scale);
    else
        chirped_out(count, c->pitch, b, chirp, (R *)c->out + 2 * k, (R)c->scale);
    if (s->half && k == 0) ((R *)c->out)[1] = 0;
}

void FFT(enter)(const struct tw_fft_columns *c, tw_int j, tw_int w, R *buffer)
{
    for (tw_int i = 0; i < c->n; i++) {
        tw_int k = i * c->ld_in + c->first + j;
        if (c->enter.edge == TW_FFT_REALS) { /* two reals take the place of a complex number */
            ask(c->in, k + TW_AHEAD * c->ld_in, c->n * c->ld_in, w, sizeof(R), 0);
            reals_in(w, c->pitch, (const R *)c->in + k, buffer + i);
        } else if (c->enter.edge == TW_FFT_HALF)
            enter_half(c, k, w, buffer + 2 * i);
        else
            enter_chirp(c, k, w, buffer + 2 * i);
    }
}

void FFT(leave)(const struct tw_fft_columns *c, tw_int j, tw_int w, const R *buffer)
{
    for (tw_int i = 0; i < c->n; i++) {
        tw_int k = i * c->ld_out + c->first + j;
        if (c->leave.edge == TW_FFT_REALS) {
            ask(c->out, k + TW_AHEAD * c->ld_out, c->n * c->ld_out, w, sizeof(R), 1);
            reals_out(w, c->pitch, buffer + i, (R *)c->out + k, (R)c->scale);
        } else if (c->leave.edge == TW_FFT_HALF)
            leave_half(c, c->first + j, k, w, buffer + 2 * i);
        else
            leave_chirp(c, k, w, buffer + 2 * i);
    }
}

void FFT(chirp)(const struct tw_fft_chirp *c)
{
    R *w = c->w, *b = c->b;
    tw_int period = 2 * c->n,
           at = (tw_int)((unsigned __int128)c->from * (unsigned __int128)c->from % (unsigned __int128)period);

    for (tw_int j = c->from; j < c->to; j++) {
        double re, im;
        tw_fft_root(c->roots, at, &re, &im);
        if (c->sign > 0) im = -im;
        w[2 * j] = (R)re;
        w[2 * j + 1] = (R)im;
        if (j < c->nout) {
            b[2 * j] = (R)re;
            b[2 * j + 1] = (R)-im;
        }
        if (j > 0 && j < c->nin) {
            b[2 * (c->length - j)] = (R)re;
            b[2 * (c->length - j) + 1] = (R)-im;
        }
        at += 2 * j + 1; /* (j + 1)^2 - j^2 < 2n */
        if (at >= period) at -= period;
    }
}
