/* The flags of tilework fft. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/fft/fft.h"

int complain(int status, const char *format, ...)
{
    va_list ap;
    fputs("tilework fft: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    return status;
}

static void usage(void)
{
    puts("usage: tilework fft --n N0[xN1[xN2]] [flags]\n"
         "\n"
         "A transform of random data, or of a file; prints time and rate. Sizes may be written as powers: 2^24, "
         "512x2^9.\n"
         "\n"
         "  --n SIZES           rank 1 to 3; not needed with an --input that knows its shape\n"
         "  --type s|d|c|z      real (s, d: to half-complex, or back with --backward) or complex data; default z\n"
         "  --batch B           B transforms, one after another in memory\n"
         "  --backward          the other sign\n"
         "  --norm none|n|ortho do not scale (default), divide by the number of points, by its root\n"
         "  --in-place          the output replaces the input\n"
         "  --input FILE        .npy, WAV (first channel), PGM, or bare elements of --type with --n\n"
         "  --output FILE       .npy, or bare elements\n"
         "  --seed S            of the random data\n"
         "  --repeat R          R runs (of random data again: the input is restored); default 1\n"
         "  --check             compare elements with the definition, in long double\n"
         "  --path auto|direct|tasks    in this thread, or as tasks; default by size\n"
         "  --rigor estimate|measure|patient, --time-limit SECONDS    how FFTW plans; default measure, 2 s a plan\n"
         "  --json              one JSON object per run\n"
         "\n"
         "Exit status: 0, 1 for a failure or a failed check, 2 for bad usage. Variables: TILEWORK_FFT_PATH, "
         "TILEWORK_FFT_RIGOR,\n"
         "TILEWORK_FFT_TIMELIMIT, and those of `tilework help variables`.");
}

static int whole(const char *flag, const char *text, tw_int least, tw_int *value)
{
    char *end;
    long long x;

    errno = 0;
    x = strtoll(text, &end, 10);
    if (end == text || *end || errno || x < least)
        return complain(USAGE, "%s %s: expected a whole number from %lld on", flag, text, (long long)least);
    *value = x;
    return 0;
}

/* "512x2^9": sizes; 0, or a message. */
static int sizes(const char *text, struct options *o)
{
    const char *at = text;

    for (o->rank = 0; o->rank < 3;) {
        char *end;
        long long n, base, power;
        errno = 0;
        base = n = strtoll(at, &end, 10);
        if (end == at || errno || n < 1) break;
        if (*end == '^') {
            at = end + 1;
            power = strtoll(at, &end, 10);
            if (end == at || power < 0 || power > 62) break;
            for (n = 1; power > 0; power--) {
                if (n > ((long long)1 << 59) / base) return complain(USAGE, "--n %s: too large", text);
                n *= base;
            }
        }
        o->n[o->rank++] = n;
        if (!*end) return 0;
        if (*end != 'x') break;
        at = end + 1;
    }
    return complain(USAGE, "--n %s: expected one to three sizes like 1000, 2^20 or 512x512x512", text);
}

static int word(const char *flag, const char *text, const char *const *words, int *value)
{
    for (int k = 0; words[k]; k++)
        if (!strcmp(text, words[k])) {
            *value = k;
            return 0;
        }
    return complain(USAGE, "%s %s: not known; see tilework fft --help", flag, text);
}

static int valued(const char *flag, const char *text, struct options *o)
{
    static const char *const types[] = {"s", "d", "c", "z", NULL}, *const norms[] = {"none", "n", "ortho", NULL},
                             *const paths[] = {"auto", "direct", "tasks", NULL},
                             *const rigors[] = {"estimate", "measure", "patient", NULL};
    tw_int n = 0;
    int k = 0, e;
    char *end;

    if (!strcmp(flag, "--n")) return sizes(text, o);
    if (!strcmp(flag, "--batch")) return whole(flag, text, 1, &o->batch);
    if (!strcmp(flag, "--input")) return o->input = text, 0;
    if (!strcmp(flag, "--output")) return o->output = text, 0;
    if (!strcmp(flag, "--type")) return (e = word(flag, text, types, &k)) ? e : (o->type = (enum tw_type)k, 0);
    if (!strcmp(flag, "--norm")) return (e = word(flag, text, norms, &k)) ? e : (o->norm = (enum tw_fft_norm)k, 0);
    if (!strcmp(flag, "--path")) return (e = word(flag, text, paths, &k)) ? e : (o->fft.path = (enum tw_fft_path)k, 0);
    if (!strcmp(flag, "--rigor"))
        return (e = word(flag, text, rigors, &k)) ? e : (o->fft.rigor = (enum tw_fft_rigor)k, 0);
    if (!strcmp(flag, "--seed")) return (e = whole(flag, text, 0, &n)) ? e : (o->seed = (uint64_t)n, 0);
    if (!strcmp(flag, "--repeat"))
        return (e = whole(flag, text, 1, &n)) ? e : (o->repeat = n > 1000000 ? 1000000 : (int)n, 0);
    if (!strcmp(flag, "--time-limit")) {
        o->fft.time_limit = strtod(text, &end);
        return end == text || *end || !(o->fft.time_limit >= 0)
                   ? complain(USAGE, "--time-limit %s: expected seconds", text)
                   : 0;
    }
    return complain(USAGE, "%s: no such flag; see tilework fft --help", flag);
}

int options_parse(int argc, char **argv, struct options *o)
{
    *o = (struct options){.batch = 1, .sign = TW_FFT_FORWARD, .repeat = 1, .type = TW_COMPLEX_DOUBLE};
    tw_fft_options_init(&o->fft);
    for (int k = 1; k < argc; k++) {
        const char *flag = argv[k];
        int e;
        if (!strcmp(flag, "-h") || !strcmp(flag, "--help")) {
            usage();
            return OK + 1;
        } else if (!strcmp(flag, "--backward")) {
            o->sign = TW_FFT_BACKWARD;
        } else if (!strcmp(flag, "--in-place")) {
            o->in_place = 1;
        } else if (!strcmp(flag, "--check")) {
            o->check = 1;
        } else if (!strcmp(flag, "--json")) {
            o->json = 1;
        } else {
            if (strncmp(flag, "--", 2) != 0)
                return complain(USAGE, "%s: flags begin with --; see tilework fft --help", flag) + 1;
            if (k + 1 == argc) return complain(USAGE, "%s: no such flag, or its value is missing", flag) + 1;
            if ((e = valued(flag, argv[++k], o))) return e + 1;
        }
    }
    if (!o->rank && !o->input) return complain(USAGE, "--n or --input is needed; see tilework fft --help") + 1;
    return 0;
}
