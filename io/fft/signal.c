/* Signals and images: choosing the format, loading, saving. */
#include "io/fft/signal.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "runtime/base/file.h"
#include "runtime/base/types.h"

size_t tw_signal_element(enum tw_type type)
{
    return tw_sizeof(type);
}

double tw_signal_real(const tw_signal *s, tw_int k)
{
    switch (s->type) {
    case TW_FLOAT: return ((const float *)s->data)[k];
    case TW_DOUBLE: return ((const double *)s->data)[k];
    case TW_COMPLEX_FLOAT: return ((const float *)s->data)[2 * k];
    default: return ((const double *)s->data)[2 * k];
    }
}

int tw_pixel(const tw_signal *s, tw_int k)
{
    double x = tw_signal_real(s, k) * 255;
    return (int)lrint(x != x || x < 0 ? 0 : x > 255 ? 255 : x);
}

int tw_signal_allocate(const char *name, tw_signal *s, tw_int limit)
{
    s->count = 1;
    for (int d = 0; d < s->rank; d++) {
        if (s->n[d] < 1) return tw_fail(TW_E_FORMAT, "%s: a dimension of %lld elements", name, (long long)s->n[d]);
        if (s->n[d] > limit / s->count)
            return tw_fail(TW_E_FORMAT, "%s: the header says more elements than the file has", name);
        s->count *= s->n[d];
    }
    s->data = malloc((size_t)s->count * tw_signal_element(s->type));
    return s->data ? 0 : tw_fail(TW_E_MEMORY, "%s: no memory for %lld elements", name, (long long)s->count);
}

int tw_signal_parse(const char *name, const void *data, size_t size, tw_signal *s)
{
    struct tw_input f = {name, data, size, 0};
    int e;

    memset(s, 0, sizeof *s);
    if (size >= 6 && !memcmp(data, "\x93NUMPY", 6))
        e = tw_npy_parse(&f, s);
    else if (size >= 12 && !memcmp(data, "RIFF", 4) && !memcmp((const char *)data + 8, "WAVE", 4))
        e = tw_wav_parse(&f, s);
    else if (size >= 2 && f.data[0] == 'P' && strchr("2356", f.data[1]) && f.data[1])
        e = tw_pnm_parse(&f, s);
    else
        e = tw_fail(TW_E_FORMAT, "%s: neither NumPy's .npy nor WAV nor PGM or PPM", name);
    if (e) tw_signal_free(s);
    return e;
}

int tw_signal_read(const char *path, tw_signal *s)
{
    struct stat st;
    void *data;
    FILE *f;
    int e;

    tw_clear_message();
    if (!path) return tw_illegal("tw_signal_read", 1, "NULL");
    if (!s) return tw_illegal("tw_signal_read", 2, "NULL");
    memset(s, 0, sizeof *s);
    if (!(f = fopen(path, "rb"))) return tw_fail(TW_E_IO, "%s: %s", path, strerror(errno));
    if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode)) {
        fclose(f);
        return tw_fail(TW_E_IO, "%s: not a regular file", path);
    }
    if (!(data = malloc((size_t)st.st_size + 1))) {
        fclose(f);
        return tw_fail(TW_E_MEMORY, "%s: no memory for %lld bytes", path, (long long)st.st_size);
    }
    if (fread(data, 1, (size_t)st.st_size, f) != (size_t)st.st_size)
        e = tw_fail(TW_E_IO, "%s: reading failed", path);
    else
        e = tw_signal_parse(path, data, (size_t)st.st_size, s);
    free(data);
    fclose(f);
    return e;
}

void tw_signal_free(tw_signal *s)
{
    if (!s) return;
    free(s->data);
    memset(s, 0, sizeof *s);
}

static int ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && !strcasecmp(path + n - m, ending);
}

int tw_signal_write(const char *path, const tw_signal *s)
{
    void (*write)(FILE *, const tw_signal *) = NULL;
    int image, real, e;
    struct tw_outfile f;

    tw_clear_message();
    if (!path) return tw_illegal("tw_signal_write", 1, "NULL");
    if (!s || !s->data || s->rank < 1 || s->rank > 4) return tw_illegal("tw_signal_write", 2, "no signal");
    real = s->type == TW_FLOAT || s->type == TW_DOUBLE;
    image = (!ends_with(path, ".ppm") && s->rank == 2) || (!ends_with(path, ".pgm") && s->rank == 3 && s->n[2] == 3);
    if (ends_with(path, ".npy") || !strcmp(path, "-"))
        write = tw_npy_write;
    else if (ends_with(path, ".pgm") || ends_with(path, ".ppm") || ends_with(path, ".png")) {
        if (!image || !real || s->n[0] > INT32_MAX || s->n[1] > INT32_MAX / 3)
            return tw_fail(
                TW_E_UNSUPPORTED,
                "%s: a PGM is a real array of rank 2, a PPM one of rank 3 whose last dimension is 3, a PNG either",
                path);
        write = ends_with(path, ".png") ? tw_png_write : tw_pnm_write;
    } else if (ends_with(path, ".wav")) {
        if (!real || s->rank > 2 || s->count > 1 << 29 || (s->rank == 2 && s->n[1] > 64) ||
            !(s->rate >= 1 && s->rate < 1e9))
            return tw_fail(
                TW_E_UNSUPPORTED,
                "%s: a WAV is a real array of rank 1, or 2 with up to 64 channels, of at most 2^29 samples with a rate",
                path);
        write = tw_wav_write;
    }
    if ((e = tw_outfile_open(&f, path))) return e;
    if (write)
        write(f.stream, s);
    else
        fwrite(s->data, tw_signal_element(s->type), (size_t)s->count, f.stream); /* commit sees errors */
    return tw_outfile_commit(&f);
}
