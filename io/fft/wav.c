/* WAV: RIFF chunks, of which "fmt " says how the samples in "data" are stored. */
#include <math.h>
#include <string.h>
#include "io/fft/signal.h"

enum { PCM = 1, FLOATS = 3, EXTENSIBLE = 0xFFFE };

static int broken(const struct tw_input *f, const char *what)
{
    return tw_fail(TW_E_FORMAT, "%s: WAV: %s", f->name, what);
}

static double sample(const unsigned char *p, int format, int bytes)
{
    uint32_t u;
    if (format == FLOATS && bytes == 8) {
        double x;
        memcpy(&x, p, 8);
        return isfinite(x) ? x : 0;
    }
    if (bytes == 1) return (p[0] - 128) / 128.0; /* the only unsigned one */
    u = tw_little(p, bytes) << (32 - 8 * bytes);
    if (format == FLOATS) {
        float x;
        memcpy(&x, &u, 4);
        return isfinite(x) ? x : 0;
    }
    return (double)(int32_t)u * 0x1p-31;
}

int tw_wav_parse(struct tw_input *f, tw_signal *s)
{
    const unsigned char *fmt = NULL, *data = NULL;
    size_t fmt_size = 0, data_size = 0;
    int format, channels, bits, bytes, e;

    for (size_t at = 12; f->size - at >= 8 && !data;) {
        const unsigned char *chunk = f->data + at;
        size_t size = tw_little(chunk + 4, 4), left = f->size - at - 8;
        if (!memcmp(chunk, "fmt ", 4)) fmt = chunk + 8, fmt_size = size < left ? size : left;
        if (!memcmp(chunk, "data", 4))
            data = chunk + 8, data_size = size < left ? size : left; /* streams do not know their length */
        if (size > left) break;
        at += 8 + size + (size & 1);
        if (at > f->size) break;
    }
    if (!fmt || fmt_size < 16) return broken(f, "no chunk 'fmt ' before the samples");
    if (!data) return broken(f, "no chunk 'data'");
    format = (int)tw_little(fmt, 2);
    channels = (int)tw_little(fmt + 2, 2);
    s->rate = tw_little(fmt + 4, 4);
    bits = (int)tw_little(fmt + 14, 2);
    if (format == EXTENSIBLE && fmt_size >= 26) format = (int)tw_little(fmt + 24, 2);
    bytes = bits / 8;
    if (channels < 1 || channels > 64) return broken(f, "not 1 to 64 channels");
    if (bits % 8 || !((format == PCM && bytes >= 1 && bytes <= 4) || (format == FLOATS && (bytes == 4 || bytes == 8))))
        return broken(f, "samples that are not PCM of 8 to 32 bits or floats");
    s->type = TW_DOUBLE;
    s->rank = 2;
    s->n[0] = (tw_int)(data_size / ((size_t)bytes * (size_t)channels));
    s->n[1] = channels;
    if ((e = tw_signal_allocate(f->name, s, (tw_int)(data_size / (size_t)bytes)))) return e;
    for (tw_int k = 0; k < s->count; k++)
        ((double *)s->data)[k] = sample(data + k * bytes, format, bytes);
    return 0;
}

static void little(FILE *out, uint32_t x, int bytes)
{
    for (int k = 0; k < bytes; k++)
        fputc((int)(x >> 8 * k & 255), out);
}

void tw_wav_write(FILE *out, const tw_signal *s)
{
    uint32_t channels = s->rank == 2 ? (uint32_t)s->n[1] : 1, rate = (uint32_t)s->rate, bytes = (uint32_t)s->count * 2;

    fputs("RIFF", out), little(out, 36 + bytes, 4), fputs("WAVEfmt ", out);
    little(out, 16, 4), little(out, PCM, 2), little(out, channels, 2), little(out, rate, 4);
    little(out, rate * channels * 2, 4), little(out, channels * 2, 2), little(out, 16, 2);
    fputs("data", out), little(out, bytes, 4);
    for (tw_int k = 0; k < s->count; k++) {
        double x = tw_signal_real(s, k) * 32768;
        x = x != x ? 0 : x < -32768 ? -32768 : x > 32767 ? 32767 : x;
        little(out, (uint32_t)(int32_t)lrint(x), 2);
    }
}
