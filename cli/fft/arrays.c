/* The arrays of a transform, and random data for them. */
#include <stdlib.h>
#include <string.h>
#include "cli/fft/fft_cli.h"

int is_real(const struct options *o)
{
    return o->type == TW_FLOAT || o->type == TW_DOUBLE;
}
int is_single(const struct options *o)
{
    return o->type == TW_FLOAT || o->type == TW_COMPLEX_FLOAT;
}

/* Pages are made when they are first written to: before the clock starts, not in the first run, which took up to five
 * times as long. */
enum { PIECE = 1 << 22 };
static void touch(void *array, long k)
{
    const struct array *a = array;
    const size_t begin = (size_t)k * PIECE;
    memset((char *)a->data + begin, 0, a->bytes - begin < PIECE ? a->bytes - begin : PIECE);
}

int make_array(struct array *a, int real, int single, tw_int row, tw_int pitch, tw_int lines)
{
    double bytes = (double)pitch * (double)lines * (single ? 4 : 8) * (real ? 1 : 2);

    *a = (struct array){.is_real = real, .single = single, .row = row, .pitch = pitch};
    if (bytes > 1e18 || posix_memalign(&a->data, 4096, (size_t)bytes + 1)) {
        a->data = NULL;
        return cli_error(USAGE, "no memory for an array of %.0f bytes", bytes);
    }
    a->bytes = (size_t)bytes;
    cli_parallel((long)((a->bytes + PIECE - 1) / PIECE), touch, a);
    return 0;
}

static enum tw_fft_kind kind_of(const struct options *o)
{
    if (o->r2r) return TW_FFT_R2R;
    if (!is_real(o)) return TW_FFT_C2C;
    return o->sign < 0 ? TW_FFT_R2C : TW_FFT_C2R;
}

/* In place: the input's memory, seen as the output. */
static void overlay(struct problem *p, tw_int last, tw_int half)
{
    p->out = p->in;
    if (p->kind == TW_FFT_R2C) {
        p->out.is_real = 0;
        p->out.row = p->out.pitch = half;
    } else if (p->kind == TW_FFT_C2R) {
        p->out.is_real = 1;
        p->out.row = last;
        p->out.pitch = 2 * half;
    }
}

/* What the arrays need, compared with the memory that may be planned with, before either is made. */
static int room(double points, const struct options *o)
{
    const double bytes = points * (is_single(o) ? 4 : 8) * (is_real(o) ? 1 : 2) * (o->in_place ? 1 : 2);
    const char *source = "";
    const double limit = (double)tw_host_memory_limit(&source);

    if (bytes <= limit) return 0;
    return cli_error(
        USAGE,
        "not enough memory: %.0f bytes (%.2f GiB) of main memory are needed, the limit is %.0f (%.2f GiB, "
        "from %s): choose a smaller --n%s, or set TILEWORK_HOST_MEMORY if this machine's memory grows as it "
        "is used",
        bytes, bytes / 0x1p30, limit, limit / 0x1p30, source, o->in_place ? "" : ", --in-place");
}

int make_arrays(struct problem *p)
{
    const struct options *o = &p->o;
    tw_int last = o->n[o->rank - 1], half = last / 2 + 1, row;
    int single = is_single(o), same = o->operation != TRANSFORM, real, e;
    double lines = (double)o->batch;

    for (int d = 0; d < o->rank - 1; d++)
        lines *= (double)o->n[d];
    if (lines > 1e18) return cli_error(USAGE, "--n: too large");
    if ((e = room(lines * (double)last, o))) return e;
    p->lines = (tw_int)lines;
    p->kind = kind_of(o);
    real = p->kind == TW_FFT_R2C || p->kind == TW_FFT_R2R;
    row = p->kind == TW_FFT_C2R ? half : last;
    e = make_array(&p->in, real, single, row, p->kind == TW_FFT_R2C && o->in_place && !same ? 2 * half : row, p->lines);
    if (e) return e;
    if (o->in_place) {
        if (same)
            p->out = p->in;
        else
            overlay(p, last, half);
        return 0;
    }
    real = same ? real : p->kind == TW_FFT_C2R || p->kind == TW_FFT_R2R;
    row = !same && p->kind == TW_FFT_R2C ? half : last;
    return make_array(&p->out, real, single, row, row, p->lines);
}

void put_element(struct array *a, tw_int k, double re, double im)
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

    if (!(x.data = malloc(count * real + 1))) return cli_error(FAILED, "no memory for %zu random numbers", count);
    for (size_t k = 0; k < count; k++)
        put_element(&x, (tw_int)k, uniform(&state), 0);
    e = tw_fft_plan(&plan, p->o.type, TW_FFT_R2C, p->o.rank, p->o.n, p->o.batch, TW_FFT_FORWARD, NULL);
    if (!e) e = tw_fft_execute(plan, x.data, p->in.data);
    tw_fft_destroy(plan);
    free(x.data);
    return e ? library_error("making random data", e) : 0;
}

int random_input(struct problem *p)
{
    uint64_t state = p->o.seed;

    if (p->kind == TW_FFT_C2R) return random_half_complex(p);
    for (tw_int l = 0; l < p->lines; l++)
        for (tw_int k = 0; k < p->in.row; k++) {
            double re = uniform(&state), im = p->in.is_real ? 0 : uniform(&state);
            put_element(&p->in, l * p->in.pitch + k, re, im);
        }
    return 0;
}
