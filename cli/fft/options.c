/* The flags of tilework fft. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/fft/fft_cli.h"

static void usage(void)
{
    puts(
        "usage: tilework fft --n N0[xN1[xN2]] [flags]\n"
        "       tilework fft --input FILE [--convolve|--correlate|--filter FILE] [flags]\n"
        "\n"
        "A transform of random data, or of a file; prints time and rate. Sizes may be written as powers: 2^24, "
        "512x2^9.\n"
        "\n"
        "  --n SIZES           rank 1 to 3; not needed with an --input that knows its shape\n"
        "  --type s|d|c|z      real (s, d: to half-complex, or back with --backward) or complex data; default z, but "
        "d\n"
        "                      for --r2r, --convolve and --correlate; --backward of a .npy file that says it is "
        "half-complex: real\n"
        "  --r2r KIND[,KIND…]  real to real, all dimensions or each by its kind: dct1 … dct4, dst1 … dst4, dht\n"
        "  --batch B           B transforms, one after another in memory (the first dimension of an --input)\n"
        "  --backward          the other sign\n"
        "  --norm none|n|ortho do not scale (default), divide by the number of points (for --r2r see FFTW's), by its "
        "root\n"
        "  --in-place          the output replaces the input\n"
        "  --input FILE        .npy, WAV (first channel), PGM, or bare elements of --type with --n; -: standard input\n"
        "  --output FILE       .npy; .pgm, .ppm, .png and .wav for real results; .raw, .bin or no suffix: bare "
        "elements; -: .npy\n"
        "                      on standard output\n"
        "  --seed S            of the random data\n"
        "  --repeat R          R runs (of random data again: the input is restored), then median, least and spread; "
        "default 1\n"
        "  --check             compare elements with the definition, in long double\n"
        "  --path auto|direct|tasks    in this thread, or as tasks; default by size\n"
        "  --rigor estimate|measure|patient, --time-limit SECONDS    how FFTW plans; default measure, 2 s a plan\n"
        "  --json              one JSON object per run: also where it was computed, and both estimates\n"
        "  --sched P[,P…]      StarPU's scheduling policy, or several in turn\n"
        "  --sched-lib FILE    library of your own with the policies that --sched names\n"
        "  --ncpu C, --ncuda G, --limit-cuda-mem MB    CPU workers, GPUs, memory used on each GPU\n"
        "  --trace PREFIX      trace of the run: PREFIX.tw, .paje (ViTE), .json (Perfetto), .svg, .html (browser)\n"
        "\n"
        "Instead of a transform, with the input and the array of another file (.npy, PGM, WAV):\n"
        "\n"
        "  --convolve KERNEL   circular convolution of real arrays: sum_j in[j] kernel[(k - j) mod n], the kernel "
        "filled up "
        "with zeros\n"
        "  --correlate KERNEL  circular correlation: sum_j in[(k + j) mod n] kernel[j]\n"
        "  --linear            of either: nothing wraps around. The convolution has n + m - 1 elements, the "
        "correlation the "
        "lags from 0 on\n"
        "  --filter TABLE      the transform times a (complex) table of its shape, and back, divided by the number of "
        "points\n"
        "\n"
        "Exit status: 0, 1 for a failure or a failed check, 2 for bad usage, 128 + the signal after Ctrl-C. Variables: "
        "TILEWORK_FFT_PATH,\n"
        "TILEWORK_FFT_RIGOR, TILEWORK_FFT_TIMELIMIT, TILEWORK_FFT_PLACE, and those of `tilework help variables`.");
}

static int whole_number(const char *flag, const char *text, tw_int least, tw_int *value)
{
    long long x;

    if (cli_whole_number(flag, text, least, INT64_MAX, &x)) return USAGE;
    *value = x;
    return 0;
}

/* "512x2^9": sizes; 0, or a message. */
static int sizes(const char *text, struct options *o)
{
    const char *const all = text;
    char piece[64];

    for (o->rank = 0; o->rank < 3; text++) {
        const size_t length = strcspn(text, "x");
        if (length == 0 || length >= sizeof piece) break;
        memcpy(piece, text, length);
        piece[length] = 0;
        if (cli_whole_number("--n", piece, 1, 1LL << 59, (long long *)&o->n[o->rank++])) return USAGE;
        text += length;
        if (!*text) return 0;
    }
    return cli_error(USAGE, "--n %s: expected one to three sizes like 1000, 2^20 or 512x512x512", all);
}

static int word(const char *flag, const char *text, const char *const *words, int *value)
{
    char list[128];

    for (int k = 0; words[k]; k++)
        if (!strcmp(text, words[k])) {
            *value = k;
            return 0;
        }
    snprintf(list, sizeof list, "%s", words[0]);
    for (int k = 1; words[k]; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", words[k + 1] ? ", " : " or ", words[k]);
    return cli_error(USAGE, "%s %s: expected %s", flag, text, list);
}

/* "dct2" or "dct2,dht": a kind for each dimension; fewer kinds than dimensions: the last one serves the rest. */
static int kinds(const char *text, struct options *o)
{
    static const char *const names[] = {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", NULL};
    const char *at = text;
    int k = 0, given = 0;

    for (; given < 3; given++) {
        size_t length = strcspn(at, ",");
        for (k = 0; names[k] && (strlen(names[k]) != length || strncmp(names[k], at, length) != 0); k++)
            ;
        if (!names[k]) break;
        for (int d = given; d < 3; d++)
            o->fft.r2r[d] = (enum tw_fft_r2r)k;
        at += length;
        if (!*at) return o->r2r = given + 1, 0;
        at++;
    }
    return cli_error(USAGE, "--r2r %s: expected up to three of dct1 … dct4, dst1 … dst4, dht", text);
}

static int operation(enum operation what, const char *flag, const char *file, struct options *o)
{
    if (o->operation != TRANSFORM) return cli_error(USAGE, "%s: there is another operation already", flag);
    o->operation = what;
    o->other = file;
    return 0;
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
    if (!strcmp(flag, "--batch")) return whole_number(flag, text, 1, &o->batch);
    if (!strcmp(flag, "--input")) return o->input = text, 0;
    if (!strcmp(flag, "--output")) return o->output = text, 0;
    if (!strcmp(flag, "--r2r")) return kinds(text, o);
    if (!strcmp(flag, "--convolve")) return operation(CONVOLVE, flag, text, o);
    if (!strcmp(flag, "--correlate")) return operation(CORRELATE, flag, text, o);
    if (!strcmp(flag, "--filter")) return operation(FILTER, flag, text, o);
    if (!strcmp(flag, "--type"))
        return (e = word(flag, text, types, &k)) ? e : (o->type = (enum tw_type)k, o->typed = 1, 0);
    if (!strcmp(flag, "--norm")) return (e = word(flag, text, norms, &k)) ? e : (o->norm = (enum tw_fft_norm)k, 0);
    if (!strcmp(flag, "--path")) return (e = word(flag, text, paths, &k)) ? e : (o->fft.path = (enum tw_fft_path)k, 0);
    if (!strcmp(flag, "--rigor"))
        return (e = word(flag, text, rigors, &k)) ? e : (o->fft.rigor = (enum tw_fft_rigor)k, 0);
    if (!strcmp(flag, "--seed")) return (e = whole_number(flag, text, 0, &n)) ? e : (o->seed = (uint64_t)n, 0);
    if (!strcmp(flag, "--repeat"))
        return (e = whole_number(flag, text, 1, &n)) ? e : (o->repeat = n > 1000000 ? 1000000 : (int)n, 0);
    if (!strcmp(flag, "--time-limit")) {
        o->fft.time_limit = strtod(text, &end);
        return end == text || *end || !(o->fft.time_limit >= 0)
                   ? cli_error(USAGE, "--time-limit %s: expected seconds", text)
                   : 0;
    }
    return cli_error(USAGE, "%s: no such flag; see tilework fft --help", flag);
}

/* What does not go together. */
static int consistent(struct options *o)
{
    int real = o->r2r || o->operation == CONVOLVE || o->operation == CORRELATE;

    if (!o->rank && !o->input) return cli_error(USAGE, "--n or --input is needed; see tilework fft --help");
    if (real && !o->typed) o->type = TW_DOUBLE;
    if (real && o->type != TW_FLOAT && o->type != TW_DOUBLE)
        return cli_error(USAGE, "--type: %s is for real data, s or d", o->r2r ? "--r2r" : "a convolution");
    if (o->rank && o->r2r > o->rank) return cli_error(USAGE, "--r2r: more kinds than dimensions");
    if (o->operation == TRANSFORM)
        return o->linear ? cli_error(USAGE, "--linear: only with --convolve or --correlate") : 0;
    if (o->r2r || o->batch > 1 || o->sign > 0 || o->norm != TW_FFT_UNSCALED)
        return cli_error(USAGE,
                         "--r2r, --batch, --backward and --norm are for transforms, not for convolutions and filters");
    if (o->linear && o->operation == FILTER) return cli_error(USAGE, "--linear: only with --convolve or --correlate");
    return 0;
}

static int plain(const char *flag, struct options *o)
{
    if (!strcmp(flag, "--backward"))
        o->sign = TW_FFT_BACKWARD;
    else if (!strcmp(flag, "--in-place"))
        o->in_place = 1;
    else if (!strcmp(flag, "--check"))
        o->check = 1;
    else if (!strcmp(flag, "--linear"))
        o->linear = 1;
    else
        o->json = 1;
    return 0;
}

static const struct option flags[] = {{"n", 1, NULL, 0},         {"batch", 1, NULL, 0},    {"input", 1, NULL, 0},
                                      {"output", 1, NULL, 0},    {"r2r", 1, NULL, 0},      {"convolve", 1, NULL, 0},
                                      {"correlate", 1, NULL, 0}, {"filter", 1, NULL, 0},   {"type", 1, NULL, 0},
                                      {"norm", 1, NULL, 0},      {"path", 1, NULL, 0},     {"rigor", 1, NULL, 0},
                                      {"seed", 1, NULL, 0},      {"repeat", 1, NULL, 0},   {"time-limit", 1, NULL, 0},
                                      {"backward", 0, NULL, 0},  {"in-place", 0, NULL, 0}, {"check", 0, NULL, 0},
                                      {"linear", 0, NULL, 0},    {"json", 0, NULL, 0},     {NULL, 0, NULL, 0}};

/* The flag of "--n" or "--n=1000", whose value stands behind the =; NULL: there is none of that name. */
static const struct option *find(const char *word, const char **value)
{
    const size_t length = strcspn(word, "=");

    *value = word[length] ? word + length + 1 : NULL;
    if (strncmp(word, "--", 2) != 0) return NULL;
    for (const struct option *f = flags; f->name; f++)
        if (strlen(f->name) == length - 2 && !strncmp(f->name, word + 2, length - 2)) return f;
    return NULL;
}

int options_parse(int argc, char **argv, struct options *o)
{
    *o = (struct options){.batch = 1, .sign = TW_FFT_FORWARD, .repeat = 1, .type = TW_COMPLEX_DOUBLE};
    tw_fft_options_init(&o->fft);
    for (int k = 1; k < argc; k++) {
        const struct option *flag;
        const char *value = NULL;
        char name[32];
        int e;
        if (!strcmp(argv[k], "-h") || !strcmp(argv[k], "--help")) {
            usage();
            return OK + 1;
        }
        if (argv[k][0] != '-' || !argv[k][1])
            return cli_error(USAGE, "%s: flags begin with --; see tilework fft --help", argv[k]) + 1;
        if (!(flag = find(argv[k], &value)) || (value && !flag->has_arg))
            return cli_unknown_flag(argv[k], flags, "tilework fft --help") + 1;
        if (flag->has_arg && !value && !(value = argv[++k]))
            return cli_error(USAGE, "--%s: needs a value", flag->name) + 1;
        snprintf(name, sizeof name, "--%s", flag->name);
        if ((e = flag->has_arg ? valued(name, value, o) : plain(name, o))) return e + 1;
    }
    {
        static const char *const suffixes[] = {".npy", ".wav", ".pgm", ".ppm", ".png", ".raw", ".bin", NULL};
        int e = consistent(o);
        if (!e) e = cli_input_file("--input", &o->input);
        if (!e) e = cli_input_file(o->operation == FILTER ? "--filter" : "the kernel", &o->other);
        if (!e && o->output) e = cli_output_file("--output", o->output, suffixes, 1);
        return e ? e + 1 : 0;
    }
}
