/* What the files of tilework-fft share. */
#ifndef TW_CLI_FFT_FFT_CLI_H
#define TW_CLI_FFT_FFT_CLI_H
#include <tilework/fft.h>
#include <tilework/matrix.h>
#include <tilework/type.h>

#include "cli/common.h"

enum { OK = CLI_OK, FAILED = CLI_FAILED, USAGE = CLI_USAGE };

/* What is done with the input: a transform, or two with a product between them. */
enum operation { TRANSFORM, CONVOLVE, CORRELATE, FILTER };

struct options {
    tw_int n[3], batch;
    int rank, sign, repeat, check, json, in_place;
    enum tw_type type; /* TW_FLOAT and TW_DOUBLE: real transforms */
    int typed, r2r;    /* --type was given; real to real */
    enum operation operation;
    const char *other; /* the file of the operation: kernel or table */
    int linear;        /* a convolution that does not wrap around */
    enum tw_fft_norm norm;
    const char *input, *output;
    uint64_t seed;
    tw_fft_options fft;
};
/* 0, or an exit status + 1 after a message (help counts as status 0). */
int options_parse(int argc, char **argv, struct options *o);
/* The library's last message after a failure; returns the exit status. */
int library_error(const char *what, int code);
int is_real(const struct options *o);
int is_single(const struct options *o);
double seconds(void);

/* An array of the transform: how it is stored. */
struct array {
    void *data;
    size_t bytes;
    int is_real, single;
    tw_int row;   /* stored elements of the last dimension */
    tw_int pitch; /* from one line of the last dimension to the next */
};
struct problem {
    struct options o;
    enum tw_fft_kind kind;
    struct array in, out, other; /* other: kernel (as large as `in`) or table (as large as the transform) */
    void *pristine;              /* a copy of the input, where the input is overwritten */
    tw_int lines;                /* of the last dimension, all transforms together */
    tw_int valid[3];             /* the part of the result that is saved, where it is not all of it; 0: all */
    double rate;                 /* of a WAV file */
};

/* ---- arrays.c, files.c: 0, or an exit status after a message ----------------------------------------------------- */
int make_array(struct array *a, int real, int single, tw_int row, tw_int pitch, tw_int lines);
int make_arrays(struct problem *p);
void put_element(struct array *a, tw_int k, double re, double im);
int random_input(struct problem *p);
/* Random numbers, or the file's; sets the shape where the file knows it. */
int load_input(struct problem *p);
int load_other(struct problem *p);
/* Whether --output's format can hold the result, before anything is computed. */
int output_fits(const struct problem *p);
int save_output(const struct problem *p);

/* ---- check.c ----------------------------------------------------------------------------------------------------- */
/* The largest of: some output elements against their definition, some input elements against the inverse transform of
 * the whole output, both in long double, as a fraction of the bound on the relative error. < 0 without memory. */
double check_transform(const struct problem *p, const struct array *in, const struct array *out);
/* Some elements of the result of a convolution, correlation or filter, likewise. */
double check_operation(const struct problem *p, const struct array *in, const struct array *out);

/* ---- report.c ---------------------------------------------------------------------------------------------------- */
struct timing {
    double planning, seconds, checking, residual;
    int passed;
};
/* One line, or one JSON object. plan: NULL where there is none to ask. */
void report(const struct problem *p, tw_fft *plan, const struct timing *t);
#endif
