/* What the files of tilework-fft share. */
#ifndef CLI_FFT_FFT_H
#define CLI_FFT_FFT_H
#include <tilework/fft.h>

enum { OK = 0, FAILED = 1, USAGE = 2 };

struct options {
    tw_int n[3], batch;
    int rank, sign, repeat, check, json, in_place;
    enum tw_type type; /* TW_FLOAT and TW_DOUBLE: real transforms */
    enum tw_fft_norm norm;
    const char *input, *output;
    uint64_t seed;
    tw_fft_options fft;
};
/* 0, or an exit status + 1 after a message (help counts as status 0). */
int options_parse(int argc, char **argv, struct options *o);
/* "tilework fft: …" on stderr; returns status. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An array of the transform: how it is stored. */
struct array {
    void *data;
    size_t bytes;
    int is_real, single;
    tw_int row;   /* stored elements of the last dimension */
    tw_int pitch; /* from one line of the last dimension to the next */
};
/* The largest of: some output elements against their definition, some input elements against the inverse transform of the whole output,
 * both in long double, as a fraction of the bound on the relative error. < 0 without memory. */
double check_transform(const struct options *o, const struct array *in, const struct array *out);
#endif
