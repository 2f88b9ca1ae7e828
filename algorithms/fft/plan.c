/* Plans: checking what was asked for, and choosing how to compute it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/strips.h"

/* Below this much work tasks do not pay: waking the workers and registering the arrays takes about 0.2 ms. */
#define DIRECT_FLOPS 8e6

static int half_dimension(const struct tw_fftw_problem *q, int output, int d)
{
    return d == q->rank - 1 && q->kind == (output ? TW_FFT_R2C : TW_FFT_C2R);
}

/* The number that TW_FFT_BY_N divides by, for one dimension. */
static double logical(const struct tw_fftw_problem *q, int d)
{
    double n = (double)q->dim[d].n;
    if (q->kind != TW_FFT_R2R || q->r2r[d] == TW_FFT_DHT) return n;
    return q->r2r[d] == TW_FFT_DCT1 ? 2 * (n - 1) : q->r2r[d] == TW_FFT_DST1 ? 2 * (n + 1) : 2 * n;
}

/* Bytes that an array spans; < 0: too many. */
static double span(const struct tw_fftw_problem *q, int output, size_t complex_bytes)
{
    int is_real = q->kind == TW_FFT_R2R || q->kind == (output ? TW_FFT_C2R : TW_FFT_R2C);
    double last = 0;

    for (int d = 0; d < q->rank; d++) {
        double n = (double)(half_dimension(q, output, d) ? q->dim[d].n / 2 + 1 : q->dim[d].n);
        last += (n - 1) * (double)(output ? q->dim[d].os : q->dim[d].is);
    }
    for (int l = 0; l < q->nloops; l++)
        last += (double)(q->loop[l].n - 1) * (double)(output ? q->loop[l].os : q->loop[l].is);
    return (last + 1) * (double)(is_real ? complex_bytes / 2 : complex_bytes);
}

static int in_place_possible(const struct tw_fftw_problem *q)
{
    tw_int fi = q->kind == TW_FFT_C2R ? 2 : 1, fo = q->kind == TW_FFT_R2C ? 2 : 1;

    for (int d = 0; d < q->rank; d++) {
        int last = d == q->rank - 1 && fi != fo;
        if (q->dim[d].n > 1 && (last ? q->dim[d].is != 1 || q->dim[d].os != 1 : q->dim[d].is * fi != q->dim[d].os * fo))
            return 0;
    }
    for (int l = 0; l < q->nloops; l++)
        if (q->loop[l].n > 1 && q->loop[l].is * fi != q->loop[l].os * fo) return 0;
    return 1;
}

/* The first that suits. The last one suits everything. */
static const struct tw_fft_method *const by_tasks[] = {&tw_fft_by_six_steps, &tw_fft_by_slabs,   &tw_fft_by_odd_length,
                                                       &tw_fft_by_bluestein, &tw_fft_by_folding, &tw_fft_by_passes};

static int choose(struct tw_fft *p, enum tw_fft_path path)
{
    int k = 0, e;

    if (path == TW_FFT_DIRECT || (path == TW_FFT_AUTO && p->flops < DIRECT_FLOPS)) {
        p->method = &tw_fft_by_call;
        return 0;
    }
    while (!by_tasks[k]->suits(p))
        k++;
    p->method = by_tasks[k];
    if (p->method->prepare && (e = p->method->prepare(p))) return e;
    return tw_fft_one_by_one_prepare(p);
}

static void measure(struct tw_fft *p)
{
    struct tw_fftw_problem *q = &p->problem;
    double n = 1, divisor = 1, count = 1, log_n = 0;

    for (int d = 0; d < q->rank; d++) {
        n *= (double)q->dim[d].n;
        log_n += log2(fmax(2, (double)q->dim[d].n));
        divisor *= logical(q, d);
    }
    for (int l = 0; l < q->nloops; l++)
        count *= (double)q->loop[l].n;
    p->points = (tw_int)n;
    p->transforms = (tw_int)count;
    p->flops = (q->kind == TW_FFT_C2C ? 5 : 2.5) * n * log_n * count;
    if (divisor <= 0) divisor = 1; /* DCT1 of one point is refused before */
    p->scale = p->norm == TW_FFT_UNSCALED ? 1 : p->norm == TW_FFT_BY_N ? 1 / divisor : 1 / sqrt(divisor);
}

static void dismantle(struct tw_fft *p)
{
    tw_fft_destroy(p->each);
    if (p->method && p->method->free) p->method->free(p);
    tw_fft_variants_free(p);
    tw_fft_roots_release(&p->roots);
    tw_fft_roots_release(&p->half_roots);
    free(p->workspace);
    starpu_pthread_mutex_destroy(&p->lock);
    free(p);
}

/* Everything has been checked but the extents. */
static int build(const char *routine, tw_fft **out, enum tw_type type, const struct tw_fftw_problem *q,
                 const struct tw_fft_settings *s)
{
    struct tw_fft *p = calloc(1, sizeof *p);
    double in, to;
    int e = 0;

    if (!p) return tw_fail(TW_E_MEMORY, "%s: no memory for a plan", routine);
    starpu_pthread_mutex_init(&p->lock, NULL);
    p->type = tw_is_single(type) ? TW_COMPLEX_FLOAT : TW_COMPLEX_DOUBLE;
    p->problem = *q;
    p->problem.rigor = s->rigor;
    for (int d = 0; d < 3; d++)
        p->problem.r2r[d] = (int)s->r2r[d];
    p->norm = s->norm;
    p->time_limit = s->time_limit;
    p->reproducible = s->reproducible;
    in = span(&p->problem, 0, tw_sizeof(p->type));
    to = span(&p->problem, 1, tw_sizeof(p->type));
    if (in >= 0x1p62 || to >= 0x1p62)
        e = tw_fail(TW_E_MEMORY, "%s: arrays of %.3g and %.3g bytes are too large for any machine", routine, in, to);
    for (int d = 0; d < q->rank && !e; d++)
        if (q->kind == TW_FFT_R2R && s->r2r[d] == TW_FFT_DCT1 && q->dim[d].n < 2)
            e = tw_illegal(routine, 5, "a DCT1 has at least 2 points");
    if (!e) {
        p->in_bytes = (size_t)in;
        p->out_bytes = (size_t)to;
        p->can_be_in_place = in_place_possible(&p->problem);
        measure(p);
        if (!s->reproducible) tw_fft_wisdom_load();
        e = choose(p, s->path);
    }
    /* The variant that most calls need. Its absence shows here, not at the first execution. */
    if (!e && !p->each && !tw_fft_variant_for(p, NULL, (void *)(uintptr_t)4096)) e = TW_E_MEMORY;
    if (e)
        dismantle(p);
    else
        *out = p;
    return e;
}

static int check_common(const char *routine, tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank,
                        const void *sizes)
{
    tw_clear_message();
    if (!plan) return tw_illegal(routine, 1, "NULL");
    *plan = NULL;
    if (!tw_type_ok(type)) return tw_illegal(routine, 2, "not a type");
    if ((int)kind < 0 || kind > TW_FFT_R2R) return tw_illegal(routine, 3, "none of enum tw_fft_kind");
    if (rank < 1 || rank > 3) return tw_illegal(routine, 4, "the rank is not 1, 2 or 3");
    if (!sizes) return tw_illegal(routine, 5, "NULL");
    return 0;
}

static int sign_of(const char *routine, int argument, enum tw_fft_kind kind, int sign, int *result)
{
    if (kind == TW_FFT_C2C && sign != TW_FFT_FORWARD && sign != TW_FFT_BACKWARD)
        return tw_illegal(routine, argument, "not TW_FFT_FORWARD or TW_FFT_BACKWARD");
    *result = kind == TW_FFT_R2C ? TW_FFT_FORWARD : kind == TW_FFT_C2R ? TW_FFT_BACKWARD : sign;
    return 0;
}

#define LARGE ((tw_int)1 << 59)

int tw_fft_plan_guru(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_fft_dim *dims,
                     int nloops, const tw_fft_dim *loops, int sign, const tw_fft_options *options)
{
    static const char name[] = "tw_fft_plan_guru";
    struct tw_fftw_problem q = {.kind = kind, .rank = rank};
    struct tw_fft_settings s;
    int e = check_common(name, plan, type, kind, rank, dims);

    if (e) return e;
    if (nloops < 0 || nloops > 3) return tw_illegal(name, 6, "the number of loops is not 0 to 3");
    if (nloops > 0 && !loops) return tw_illegal(name, 7, "NULL");
    for (int d = 0; d < rank; d++)
        if (dims[d].n < 1 || dims[d].is < 1 || dims[d].os < 1 || dims[d].n > LARGE || dims[d].is > LARGE ||
            dims[d].os > LARGE)
            return tw_illegal(name, 5, "a size or stride is not in 1 … 2^59");
    for (int l = 0; l < nloops; l++)
        if (loops[l].n < 1 || loops[l].is < 1 || loops[l].os < 1 || loops[l].n > LARGE || loops[l].is > LARGE ||
            loops[l].os > LARGE)
            return tw_illegal(name, 7, "a size or stride is not in 1 … 2^59");
    if ((e = sign_of(name, 8, kind, sign, &q.sign)) || (e = tw_fft_settings_resolve(name, 9, options, &s))) return e;
    memcpy(q.dim, dims, (size_t)rank * sizeof *dims);
    for (int l = 0; l < nloops; l++)
        if (loops[l].n > 1) q.loop[q.nloops++] = loops[l];
    return build(name, plan, type, &q, &s);
}

/* The sizes of an array's dimensions as it is stored. */
static void stored(enum tw_fft_kind kind, int output, int rank, const tw_int *n, tw_int *size)
{
    for (int d = 0; d < rank; d++)
        size[d] = d == rank - 1 && kind == (output ? TW_FFT_R2C : TW_FFT_C2R) ? n[d] / 2 + 1 : n[d];
}

/* stride[] of an array embedded in `embed`; 0, or -1 if it does not fit or is too large. */
static int strides(int rank, const tw_int *size, const tw_int *embed, tw_int stride, tw_int *result)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (stride < 1 || stride > LARGE) return -1;
        result[d] = stride;
        if (d > 0 && (embed[d] < size[d] || embed[d] > LARGE / stride)) return -1;
        if (d > 0) stride *= embed[d];
    }
    return 0;
}

int tw_fft_plan_many(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch,
                     const tw_int *inembed, tw_int istride, tw_int idist, const tw_int *onembed, tw_int ostride,
                     tw_int odist, int sign, const tw_fft_options *options)
{
    static const char name[] = "tw_fft_plan_many";
    struct tw_fftw_problem q = {.kind = kind, .rank = rank};
    struct tw_fft_settings s;
    tw_int in[3], out[3], is[3], os[3];
    int e = check_common(name, plan, type, kind, rank, n);

    if (e) return e;
    for (int d = 0; d < rank; d++)
        if (n[d] < 1 || n[d] > LARGE) return tw_illegal(name, 5, "a size is not in 1 … 2^59");
    if (batch < 1 || batch > LARGE) return tw_illegal(name, 6, "the batch is not in 1 … 2^59");
    stored(kind, 0, rank, n, in);
    stored(kind, 1, rank, n, out);
    if (istride < 1) return tw_illegal(name, 8, "not positive");
    if (ostride < 1) return tw_illegal(name, 11, "not positive");
    if (strides(rank, in, inembed ? inembed : in, istride, is))
        return tw_illegal(name, 7, "smaller than the array, or too large");
    if (strides(rank, out, onembed ? onembed : out, ostride, os))
        return tw_illegal(name, 10, "smaller than the array, or too large");
    if (batch > 1 && (idist < 1 || idist > LARGE)) return tw_illegal(name, 9, "not in 1 … 2^59");
    if (batch > 1 && (odist < 1 || odist > LARGE)) return tw_illegal(name, 12, "not in 1 … 2^59");
    if ((e = sign_of(name, 13, kind, sign, &q.sign)) || (e = tw_fft_settings_resolve(name, 14, options, &s))) return e;
    for (int d = 0; d < rank; d++)
        q.dim[d] = (tw_fft_dim){n[d], is[d], os[d]};
    if (batch > 1) q.loop[q.nloops++] = (tw_fft_dim){batch, idist, odist};
    return build(name, plan, type, &q, &s);
}

int tw_fft_plan(tw_fft **plan, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch,
                int sign, const tw_fft_options *options)
{
    static const char name[] = "tw_fft_plan";
    struct tw_fftw_problem q = {.kind = kind, .rank = rank};
    struct tw_fft_settings s;
    tw_int in[3], out[3], is[3], os[3];
    int e = check_common(name, plan, type, kind, rank, n);

    if (e) return e;
    for (int d = 0; d < rank; d++)
        if (n[d] < 1 || n[d] > LARGE) return tw_illegal(name, 5, "a size is not in 1 … 2^59");
    if (batch < 1 || batch > LARGE) return tw_illegal(name, 6, "the batch is not in 1 … 2^59");
    if ((e = sign_of(name, 7, kind, sign, &q.sign)) || (e = tw_fft_settings_resolve(name, 8, options, &s))) return e;
    stored(kind, 0, rank, n, in);
    stored(kind, 1, rank, n, out);
    if (strides(rank, in, in, 1, is) || strides(rank, out, out, 1, os) || in[0] > LARGE / is[0] ||
        out[0] > LARGE / os[0])
        return tw_fail(TW_E_MEMORY, "%s: the array is too large for any machine", name);
    for (int d = 0; d < rank; d++)
        q.dim[d] = (tw_fft_dim){n[d], is[d], os[d]};
    if (batch > 1) q.loop[q.nloops++] = (tw_fft_dim){batch, in[0] * is[0], out[0] * os[0]};
    return build(name, plan, type, &q, &s);
}

int tw_fft_destroy(tw_fft *p)
{
    if (p) dismantle(p);
    return 0;
}

int tw_fft_get_info(tw_fft *p, tw_fft_info *info)
{
    if (!p) return tw_illegal("tw_fft_get_info", 1, "NULL");
    if (!info) return tw_illegal("tw_fft_get_info", 2, "NULL");
    *info = (tw_fft_info){.path = p->method->name,
                          .points = p->points,
                          .transforms = p->transforms,
                          .flops = p->flops,
                          .workspace = tw_fft_workspace_bytes(p),
                          .tasks = atomic_load(&p->tasks),
                          .gpus = atomic_load(&p->gpus),
                          .cpu_transforms = (tw_int)atomic_load(&p->cpu_rows)};
    starpu_pthread_mutex_lock(&p->lock);
    info->cpu_seconds = p->cpu_seconds;
    info->gpu_seconds = p->gpu_seconds;
    info->both_seconds = p->both_seconds;
    starpu_pthread_mutex_unlock(&p->lock);
    if (p->method->two_factors) info->n1 = p->columns[0].n, info->n2 = p->columns[1].n;
    if (p->each && !info->gpus) tw_fft_one_by_one_info(p, info);
    return 0;
}
