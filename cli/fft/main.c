/* tilework-fft, which `tilework fft` starts. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "cli/fft/fft.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int library_error(const char *what, int code)
{
    return complain(code == TW_E_OPTION ? USAGE : FAILED, "%s: %s", what,
                    *tw_last_message() ? tw_last_message() : tw_strerror(code));
}

static int is_real(const struct options *o)
{
    return o->type == TW_FLOAT || o->type == TW_DOUBLE;
}
static int is_single(const struct options *o)
{
    return o->type == TW_FLOAT || o->type == TW_COMPLEX_FLOAT;
}

/* ---- the arrays -------------------------------------------------------------------------------------------------------- */

struct problem {
    struct options o;
    enum tw_fft_kind kind;
    struct array in, out;
    void *pristine; /* a copy of the input, where the input is overwritten */
    tw_int lines;   /* of the last dimension, all transforms together */
    double rate;    /* of a WAV file */
};

static int allocate(struct array *a, int real, int single, tw_int row, tw_int pitch, tw_int lines)
{
    double bytes = (double)pitch * (double)lines * (single ? 4 : 8) * (real ? 1 : 2);

    *a = (struct array){.is_real = real, .single = single, .row = row, .pitch = pitch};
    if (bytes > 1e18 || posix_memalign(&a->data, 4096, (size_t)bytes + 1)) {
        a->data = NULL;
        return complain(FAILED, "no memory for an array of %.0f bytes", bytes);
    }
    a->bytes = (size_t)bytes;
    return 0;
}

static int make_arrays(struct problem *p)
{
    const struct options *o = &p->o;
    tw_int last = o->n[o->rank - 1], half = last / 2 + 1, padded = 2 * half;
    double lines = (double)o->batch;
    int e, single = is_single(o);

    for (int d = 0; d < o->rank - 1; d++)
        lines *= (double)o->n[d];
    if (lines > 1e18) return complain(USAGE, "--n: too large");
    p->lines = (tw_int)lines;
    p->kind = !is_real(o) ? TW_FFT_C2C : o->sign < 0 ? TW_FFT_R2C : TW_FFT_C2R;
    e = p->kind == TW_FFT_C2R   ? allocate(&p->in, 0, single, half, half, p->lines)
        : p->kind == TW_FFT_R2C ? allocate(&p->in, 1, single, last, o->in_place ? padded : last, p->lines)
                                : allocate(&p->in, 0, single, last, last, p->lines);
    if (e) return e;
    if (o->in_place) {
        p->out = p->in;
        p->out.is_real = p->kind == TW_FFT_C2R;
        p->out.row = p->kind == TW_FFT_R2C ? half : last;
        p->out.pitch = p->kind == TW_FFT_R2C ? half : p->kind == TW_FFT_C2R ? padded : last;
        return 0;
    }
    return p->kind == TW_FFT_R2C   ? allocate(&p->out, 0, single, half, half, p->lines)
           : p->kind == TW_FFT_C2R ? allocate(&p->out, 1, single, last, last, p->lines)
                                   : allocate(&p->out, 0, single, last, last, p->lines);
}

static void put(struct array *a, tw_int k, double re, double im)
{
    tw_int at = a->is_real ? k : 2 * k;
    if (a->single) {
        ((float *)a->data)[at] = (float)re;
        if (!a->is_real) ((float *)a->data)[at + 1] = (float)im;
    } else {
        ((double *)a->data)[at] = re;
        if (!a->is_real) ((double *)a->data)[at + 1] = im;
    }
}

static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)(int64_t)(z ^ (z >> 31)) * 0x1p-63;
}

/* Half-complex data of a real array are symmetric: random ones are the transform of random reals. */
static int random_half_complex(struct problem *p)
{
    size_t count = (size_t)p->lines * (size_t)p->o.n[p->o.rank - 1], real = p->in.single ? 4 : 8;
    struct array x = {.is_real = 1, .single = p->in.single};
    uint64_t state = p->o.seed;
    tw_fft *plan = NULL;
    int e;

    if (!(x.data = malloc(count * real + 1))) return complain(FAILED, "no memory for %zu random numbers", count);
    for (size_t k = 0; k < count; k++)
        put(&x, (tw_int)k, uniform(&state), 0);
    e = tw_fft_plan(&plan, p->o.type, TW_FFT_R2C, p->o.rank, p->o.n, p->o.batch, TW_FFT_FORWARD, NULL);
    if (!e) e = tw_fft_execute(plan, x.data, p->in.data);
    tw_fft_destroy(plan);
    free(x.data);
    return e ? library_error("making random data", e) : 0;
}

static int random_input(struct problem *p)
{
    uint64_t state = p->o.seed;

    if (p->kind == TW_FFT_C2R) return random_half_complex(p);
    for (tw_int l = 0; l < p->lines; l++)
        for (tw_int k = 0; k < p->in.row; k++) {
            double re = uniform(&state), im = p->in.is_real ? 0 : uniform(&state);
            put(&p->in, l * p->in.pitch + k, re, im);
        }
    return 0;
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

static int raw_input(struct problem *p)
{
    size_t element = (p->in.single ? 4 : 8) * (size_t)(p->in.is_real ? 1 : 2), row = element * (size_t)p->in.row;
    FILE *f = fopen(p->o.input, "rb");
    int complete = 1;

    if (!f) return complain(FAILED, "%s: %s", p->o.input, strerror(errno));
    for (tw_int l = 0; l < p->lines && complete; l++)
        complete = fread((char *)p->in.data + element * (size_t)(l * p->in.pitch), 1, row, f) == row;
    complete = complete && fgetc(f) == EOF;
    fclose(f);
    return complete ? 0
                    : complain(FAILED, "%s: it does not hold exactly the elements that --n, --batch and --type say",
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

/* The shape of the file is the shape of the transform (for C2R: of its half-complex side, with an even last size). Of several channels
 * of a WAV file the first is taken. */
static int shape_from(struct problem *p, const tw_signal *s)
{
    struct options *o = &p->o;
    int rank = s->rate > 0 ? 1 : s->rank;

    if (rank > 3) return complain(FAILED, "%s: %d dimensions, at most 3 are transformed", o->input, rank);
    if (o->rank) return complain(USAGE, "--n: %s has a shape of its own", o->input);
    o->rank = rank;
    for (int d = 0; d < rank; d++)
        o->n[d] = s->n[d];
    if (is_real(o) && o->sign > 0) o->n[rank - 1] = 2 * (s->n[rank - 1] - 1);
    return o->n[rank - 1] < 1 ? complain(FAILED, "%s: too few elements for a half-complex array", o->input) : 0;
}

static int file_input(struct problem *p, const tw_signal *s)
{
    tw_int step = s->rate > 0 ? s->n[1] : 1;

    for (tw_int l = 0; l < p->lines; l++)
        for (tw_int k = 0; k < p->in.row; k++) {
            tw_int at = (l * p->in.row + k) * step;
            put(&p->in, l * p->in.pitch + k, part(s, at, 0), part(s, at, 1));
        }
    return 0;
}

static int save(const struct problem *p)
{
    const struct array *a = &p->out;
    size_t element = (a->single ? 4 : 8) * (size_t)(a->is_real ? 1 : 2), row = element * (size_t)a->row;
    tw_signal s = {.type = a->is_real ? (a->single ? TW_FLOAT : TW_DOUBLE)
                                      : (a->single ? TW_COMPLEX_FLOAT : TW_COMPLEX_DOUBLE)};
    int e;

    if (p->o.batch > 1) s.n[s.rank++] = p->o.batch;
    for (int d = 0; d < p->o.rank - 1; d++)
        s.n[s.rank++] = p->o.n[d];
    s.n[s.rank++] = a->row;
    s.count = p->lines * a->row;
    if (!(s.data = malloc((size_t)s.count * element))) return complain(FAILED, "no memory for a copy of the result");
    for (tw_int l = 0; l < p->lines; l++)
        memcpy((char *)s.data + row * (size_t)l, (const char *)a->data + element * (size_t)(l * a->pitch), row);
    s.rate = p->rate;
    e = tw_signal_write(p->o.output, &s);
    free(s.data);
    return e ? library_error(p->o.output, e) : 0;
}

/* ---- running ---------------------------------------------------------------------------------------------------------------- */

static int plan_it(struct problem *p, tw_fft **plan)
{
    const struct options *o = &p->o;
    tw_int is = p->in.pitch, os = p->out.pitch;
    tw_fft_dim dim[3], loop;

    dim[o->rank - 1] = (tw_fft_dim){o->n[o->rank - 1], 1, 1};
    for (int d = o->rank - 2; d >= 0; d--) {
        dim[d] = (tw_fft_dim){o->n[d], is, os};
        is *= o->n[d];
        os *= o->n[d];
    }
    loop = (tw_fft_dim){o->batch, is, os};
    return tw_fft_plan_guru(plan, o->type, p->kind, o->rank, dim, 1, &loop, o->sign, &o->fft);
}

static void report(const struct problem *p, tw_fft *plan, double planning, double time, double residual, int passed)
{
    const struct options *o = &p->o;
    tw_fft_info info = {0};
    tw_machine m = {0};
    char shape[80];
    int at = 0;

    (void)tw_fft_get_info(plan, &info); /* neither argument is NULL */
    for (int d = 0; d < o->rank; d++)
        at += snprintf(shape + at, sizeof shape - (size_t)at, "%s%lld", d ? "x" : "", (long long)o->n[d]);
    if (tw_is_running()) (void)tw_machine_info(&m); /* it runs: this only reads */
    if (o->json) {
        json_t *j = json_pack(
            "{s:s, s:s#, s:s, s:I, s:s, s:f, s:f, s:f, s:s, s:i, s:I, s:I, s:I, s:i, s:s, s:i, s:i, s:b}", "routine",
            "fft", "type", &"sdcz"[o->type], 1, "n", shape, "batch", (json_int_t)o->batch, "kind",
            (const char *[]){"c2c", "r2c", "c2r"}[p->kind], "seconds", time, "plan_seconds", planning, "gflops",
            info.flops / time / 1e9, "path", info.path, "tasks", info.tasks, "workspace", (json_int_t)info.workspace,
            "n1", (json_int_t)info.n1, "n2", (json_int_t)info.n2, "info", 0, "sched", m.sched ? m.sched : "",
            "cpu_workers", m.cpu_workers, "cuda_workers", m.cuda_workers, "in_place", o->in_place);
        if (j && o->check) {
            json_object_set_new(j, "residual", json_real(residual));
            json_object_set_new(j, "check", json_string(passed ? "ok" : "failed"));
        }
        if (j) json_dumpf(j, stdout, 0);
        puts("");
        json_decref(j);
        return;
    }
    printf("fft %s %c %s%s%s: %.6f s, %.2f Gflop/s, planned in %.2f s, %s", shape, "sdcz"[o->type],
           o -> sign<0 ? "forward" : "backward", o->batch> 1 ? ", batched" : "", o->in_place ? ", in place" : "", time,
           info.flops / time / 1e9, planning, info.path);
    if (info.tasks)
        printf(", %d tasks on %d CPU and %d GPU workers (%s)", info.tasks, m.cpu_workers, m.cuda_workers, m.sched);
    if (o->check) printf(", error %.3g of the bound: %s", residual, passed ? "ok" : "FAILED");
    puts("");
}

static int run(struct problem *p)
{
    const struct options *o = &p->o;
    double planning = seconds(), residual = 0;
    int e, passed = 1;
    tw_fft_info info;
    tw_fft *plan;

    if ((e = plan_it(p, &plan))) return library_error("the plan", e);
    planning = seconds() - planning;
    /* starting the library is not part of a transform's time */
    if ((e = tw_fft_get_info(plan, &info)) || (strcmp(info.path, "direct") != 0 && (e = tw_init(NULL)))) {
        tw_fft_destroy(plan);
        return library_error("starting the library", e);
    }
    for (int r = 0; r < o->repeat; r++) {
        struct array before = p->in;
        double time;
        if (p->pristine) memcpy(p->in.data, p->pristine, p->in.bytes);
        time = seconds();
        e = tw_fft_execute(plan, p->in.data, p->out.data);
        time = seconds() - time;
        if (e) {
            tw_fft_destroy(plan);
            return library_error("the transform", e);
        }
        if (p->pristine) before.data = p->pristine;
        if (o->check) {
            residual = check_transform(o, &before, &p->out);
            if (residual < 0) return complain(FAILED, "no memory for the check");
            if (!(residual <= 1)) passed = 0;
        }
        report(p, plan, planning, time, residual, residual <= 1);
    }
    tw_fft_destroy(plan);
    return passed ? OK : FAILED;
}

static int prepare(struct problem *p)
{
    tw_signal s = {0};
    int e = 0, known = 0;

    if (p->o.input) {
        int code = tw_signal_read(p->o.input, &s);
        known = code == 0;
        /* with --n anything that is not one of the formats is bare elements */
        if (!known && (code != TW_E_FORMAT || !p->o.rank)) return library_error("--input", code);
        p->rate = s.rate;
        if (known) e = shape_from(p, &s);
    }
    if (!e) e = make_arrays(p);
    if (!e) e = known ? file_input(p, &s) : p->o.input ? raw_input(p) : random_input(p);
    tw_signal_free(&s);
    /* What is overwritten is kept for the next run and for the check. */
    if (!e && (p->o.in_place || p->kind == TW_FFT_C2R)) {
        if (!(p->pristine = malloc(p->in.bytes + 1))) return complain(FAILED, "no memory for a copy of the input");
        memcpy(p->pristine, p->in.data, p->in.bytes);
    }
    return e;
}

int main(int argc, char **argv)
{
    struct problem p = {0};
    int e = options_parse(argc, argv, &p.o);

    if (e) return e - 1;
    p.o.fft.norm = p.o.norm;
    if (!(e = prepare(&p)) && !(e = run(&p)) && p.o.output) e = save(&p);
    if (tw_finalize() && !e) e = FAILED;
    free(p.pristine);
    if (p.out.data != p.in.data) free(p.out.data);
    free(p.in.data);
    return e;
}
