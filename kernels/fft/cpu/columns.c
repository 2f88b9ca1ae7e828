/* Transforms along columns: gathered a chunk at a time into a buffer in cache, transformed there, multiplied by twiddle
 * factors on the way back. Reading and writing are the only passes over memory (the six-step method of Bailey, J.
 * Supercomputing 4, 1990). */
#include <string.h>
#include "kernels/fft/cpu/typed_fft.h"

enum { FINE = 64 }; /* twiddle factors of a column: one product of a coarse and a fine table, made for the column */

/* A complex number moves as one. */
struct pair {
    R re, im;
};

TW_WIDE static void gather(tw_int n, tw_int w, tw_int pitch, const R *in, tw_int ld, R *buffer)
{
    for (tw_int i = 0; i < n; i++) {
        const struct pair *row = (const struct pair *)in + i * ld;
        struct pair *column = (struct pair *)buffer + i;
        if (i + TW_AHEAD < n) tw_fft_ask(row + TW_AHEAD * ld, (size_t)w * sizeof *row);
        for (tw_int j = 0; j < w; j++)
            column[j * pitch] = row[j];
    }
}

TW_WIDE static void scatter(tw_int n, tw_int w, tw_int pitch, const R *buffer, R *out, tw_int ld, R scale)
{
    for (tw_int i = 0; i < n; i++) {
        struct pair *row = (struct pair *)out + i * ld;
        const struct pair *column = (const struct pair *)buffer + i;
        if (i + TW_AHEAD < n) tw_fft_ask_to_write(row + TW_AHEAD * ld, (size_t)w * sizeof *row);
        if (scale == 1)
            for (tw_int j = 0; j < w; j++)
                row[j] = column[j * pitch];
        else
            for (tw_int j = 0; j < w; j++) {
                row[j].re = scale * column[j * pitch].re;
                row[j].im = scale * column[j * pitch].im;
            }
    }
}

/* y = x * (br + i bi) * f, elementwise, for a run of up to FINE elements. */
TW_WIDE static void twist(tw_int count, const R *x, R br, R bi, const R *f, R *y)
{
    for (tw_int i = 0; i < count; i++) {
        R wr = br * f[2 * i] - bi * f[2 * i + 1], wi = br * f[2 * i + 1] + bi * f[2 * i];
        R xr = x[2 * i], xi = x[2 * i + 1];
        y[2 * i] = xr * wr - xi * wi;
        y[2 * i + 1] = xr * wi + xi * wr;
    }
}

/* Row j of the transposed output: element i times exp(sign 2 pi i j i / N). */
static void twisted_row(const struct tw_fft_columns *c, tw_int n, tw_int j, const R *x, R *y)
{
    R fine[2 * FINE];
    double re, im, turn = c->sign < 0 ? 1 : -1;
    tw_int N = c->roots->n, at = 0, step = j % N;

    for (int i = 0; i < FINE && i < n; i++) {
        tw_fft_root(c->roots, at, &re, &im);
        fine[2 * i] = (R)re;
        fine[2 * i + 1] = (R)(turn * im);
        at += step;
        if (at >= N) at -= N;
    }
    step = (tw_int)((__int128)j * FINE % N);
    at = 0;
    for (tw_int i = 0; i < n; i += FINE) {
        tw_fft_root(c->roots, at, &re, &im);
        twist(n - i < FINE ? n - i : FINE, x + 2 * i, (R)(c->scale * re), (R)(c->scale * turn * im), fine, y + 2 * i);
        at += step;
        if (at >= N) at -= N;
    }
}

TW_WIDE static void filter(tw_int n, tw_int w, tw_int pitch, const R *table, tw_int ld, R *buffer)
{
    for (tw_int i = 0; i < n; i++) {
        const R *row = table + 2 * i * ld;
        R *column = buffer + 2 * i;
        if (i + TW_AHEAD < n) tw_fft_ask(row + 2 * TW_AHEAD * ld, (size_t)w * 2 * sizeof *row);
        for (tw_int j = 0; j < w; j++) {
            R re = column[2 * j * pitch], im = column[2 * j * pitch + 1];
            column[2 * j * pitch] = re * row[2 * j] - im * row[2 * j + 1];
            column[2 * j * pitch + 1] = re * row[2 * j + 1] + im * row[2 * j];
        }
    }
}

int FFT(columns)(const struct tw_fft_columns *c)
{
    R *buffer = tw_fft_buffer((size_t)(c->chunk * c->pitch) * 2 * sizeof(R));
    /* of half-complex columns n / 2 + 1 elements are complex */
    tw_int rows_in = c->leave.edge == TW_FFT_REALS ? c->n / 2 + 1 : c->n,
           rows_out = c->enter.edge == TW_FFT_REALS ? c->n / 2 + 1 : c->n;

    if (!buffer) return -1;
    memset(buffer, 0,
           (size_t)(c->chunk * c->pitch) * 2 *
               sizeof(R)); /* a last chunk of fewer columns transforms zeros, not NaNs */
    for (tw_int j = 0; j < c->w; j += c->chunk) {
        tw_int w = c->w - j < c->chunk ? c->w - j : c->chunk;
        if (c->enter.edge == TW_FFT_PLAIN)
            gather(rows_in, w, c->pitch, (const R *)c->in + 2 * j, c->ld_in, buffer);
        else
            FFT(enter)(c, j, w, buffer);
        FFT(run)(c->plan, buffer, buffer);
        if (c->table) {
            filter(c->n, w, c->pitch, (const R *)c->table + 2 * j, c->ld_table, buffer);
            FFT(run)(c->back, buffer, buffer);
        }
        if (c->leave.edge != TW_FFT_PLAIN)
            FFT(leave)(c, j, w, buffer);
        else if (!c->transposed)
            scatter(c->n, w, c->pitch, buffer, (R *)c->out + 2 * j, c->ld_out, (R)c->scale);
        else
            for (tw_int k = 0; k < w; k++)
                twisted_row(c, rows_out, c->first + j + k, buffer + 2 * k * c->pitch,
                            (R *)c->out + 2 * (j + k) * c->ld_out);
    }
    return 0;
}
