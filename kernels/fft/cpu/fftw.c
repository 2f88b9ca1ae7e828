/* FFTW's plans: made once per problem under one lock (its planner is not thread safe), run by all threads with new
 * arrays. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/fft/cpu/typed_fft.h"

/* Measuring on arrays larger than this takes longer than it can gain, and as much memory again. */
#define MEASURE_BYTES ((size_t)1 << 28)

/* Plans by use, the latest first; the ones that are not in use are kept up to a number. All under the lock. */
enum { KEPT = 256 };
static struct tw_fftw *plans;
static int idle;
static atomic_int measured;

static unsigned flags_of(const struct tw_fftw_problem *p)
{
    static const unsigned rigor[] = {
        [TW_FFT_ESTIMATE] = FFTW_ESTIMATE, [TW_FFT_MEASURE] = FFTW_MEASURE, [TW_FFT_PATIENT] = FFTW_PATIENT};
    return rigor[p->rigor] | (p->aligned ? 0 : FFTW_UNALIGNED) |
           (p->preserve && !p->in_place ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT);
}

/* Elements that an array spans, from its first one. */
static tw_int extent(const struct tw_fftw_problem *p, int output)
{
    tw_int last = 0;
    for (int d = 0; d < p->rank; d++) {
        int half = d == p->rank - 1 && p->kind == (output ? TW_FFT_R2C : TW_FFT_C2R);
        last += (half ? p->dim[d].n / 2 : p->dim[d].n - 1) * (output ? p->dim[d].os : p->dim[d].is);
    }
    for (int l = 0; l < p->nloops; l++)
        last += (p->loop[l].n - 1) * (output ? p->loop[l].os : p->loop[l].is);
    return last + 1;
}

static size_t reals(const struct tw_fftw_problem *p, int output)
{
    int is_real = p->kind == TW_FFT_R2R || p->kind == (output ? TW_FFT_C2R : TW_FFT_R2C);
    return (size_t)extent(p, output) * (is_real ? 1 : 2);
}

static FFTW(plan) make(const struct tw_fftw_problem *p, R *in, R *out)
{
    FFTW(iodim64) dim[3], loop[TW_FFT_MAX_LOOPS];
    static const FFTW(r2r_kind) kinds[] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00,
                                           FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11, FFTW_DHT};
    FFTW(r2r_kind) r2r[3] = {FFTW_DHT, FFTW_DHT, FFTW_DHT};
    unsigned flags = flags_of(p);

    for (int d = 0; d < p->rank; d++) {
        dim[d] = (FFTW(iodim64)){p->dim[d].n, p->dim[d].is, p->dim[d].os};
        r2r[d] = kinds[p->r2r[d]];
    }
    for (int l = 0; l < p->nloops; l++)
        loop[l] = (FFTW(iodim64)){p->loop[l].n, p->loop[l].is, p->loop[l].os};
    switch (p->kind) {
    case TW_FFT_C2C:
        return FFTW(plan_guru64_dft)(p->rank, dim, p->nloops, loop, (FFTW(complex) *)in, (FFTW(complex) *)out, p->sign,
                                     flags);
    case TW_FFT_R2C: return FFTW(plan_guru64_dft_r2c)(p->rank, dim, p->nloops, loop, in, (FFTW(complex) *)out, flags);
    case TW_FFT_C2R: return FFTW(plan_guru64_dft_c2r)(p->rank, dim, p->nloops, loop, (FFTW(complex) *)in, out, flags);
    default: return FFTW(plan_guru64_r2r)(p->rank, dim, p->nloops, loop, in, out, r2r, flags);
    }
}

/* Planning overwrites its arrays, so it gets its own; only a planner that measures touches them. */
static FFTW(plan) measure(const struct tw_fftw_problem *asked, double limit)
{
    struct tw_fftw_problem estimated = *asked;
    const struct tw_fftw_problem *p =
        (reals(asked, 0) + reals(asked, 1)) * sizeof(R) > MEASURE_BYTES ? &estimated : asked;
    size_t ni = reals(p, 0), no = reals(p, 1), n = p->in_place && no > ni ? no : ni;
    R *in = FFTW(malloc)((n + 4) * sizeof(R)), *out = p->in_place ? in : FFTW(malloc)((no + 4) * sizeof(R));
    FFTW(plan) plan = NULL;

    estimated.rigor = TW_FFT_ESTIMATE;
    if (in && out) {
        if (p->rigor != TW_FFT_ESTIMATE) {
            memset(in, 0, n * sizeof(R)); /* denormals would spoil the timings */
            memset(out, 0, (p->in_place ? n : no) * sizeof(R));
        }
        FFTW(set_timelimit)(limit);
        plan = make(p, in, out);
        if (plan && p->rigor != TW_FFT_ESTIMATE) atomic_fetch_add(&measured, 1);
    }
    if (out != in) FFTW(free)(out);
    FFTW(free)(in);
    return plan;
}

const struct tw_fftw *FFT(plan)(const struct tw_fftw_problem *problem, double limit)
{
    struct tw_fftw_problem key;
    struct tw_fftw *f, **at;

    /* Unused entries and padding are zero, so that keys compare as bytes. */
    memset(&key, 0, sizeof key);
    key.kind = problem->kind;
    key.rank = problem->rank;
    key.sign = problem->kind == TW_FFT_C2C ? problem->sign : 0;
    key.in_place = problem->in_place;
    key.aligned = problem->aligned;
    key.preserve = problem->preserve && !problem->in_place && (problem->kind != TW_FFT_C2R || problem->rank == 1);
    key.rigor = problem->rigor;
    for (int d = 0; d < key.rank; d++) {
        key.dim[d] = problem->dim[d];
        key.r2r[d] = key.kind == TW_FFT_R2R ? problem->r2r[d] : 0;
    }
    for (int l = 0; l < problem->nloops; l++)
        if (problem->loop[l].n != 1) key.loop[key.nloops++] = problem->loop[l];

    tw_fftw_lock();
    for (at = &plans; (f = *at); at = &f->next)
        if (memcmp(&f->problem, &key, sizeof key) == 0) break;
    if (f) {
        *at = f->next;
        idle -= f->users == 0;
    } else if ((f = calloc(1, sizeof *f))) {
        memcpy(&f->problem, &key, sizeof key);
        f->kind = key.kind;
        if (!(f->plan = measure(&key, limit))) {
            free(f);
            f = NULL;
        }
    }
    if (f) {
        f->users++;
        f->next = plans;
        plans = f;
    }
    tw_fftw_unlock();
    return f;
}

/* The least recently planned of those that are not in use. */
static void drop_one(void)
{
    struct tw_fftw **at, **last = NULL, *f;

    for (at = &plans; *at; at = &(*at)->next)
        if ((*at)->users == 0) last = at;
    if (!last) return;
    f = *last;
    *last = f->next;
    FFTW(destroy_plan)(f->plan);
    free(f);
    idle--;
}

void FFT(release)(const struct tw_fftw *plan)
{
    if (!plan) return;
    tw_fftw_lock();
    /* the caller only sees a constant */
    idle += --((struct tw_fftw *)plan)->users == 0;
    if (idle > KEPT) drop_one();
    tw_fftw_unlock();
}

void FFT(run)(const struct tw_fftw *f, const void *in, void *out)
{
    switch (f->kind) {
    case TW_FFT_C2C: FFTW(execute_dft)(f->plan, (FFTW(complex) *)in, out); break;
    case TW_FFT_R2C: FFTW(execute_dft_r2c)(f->plan, (R *)in, out); break;
    case TW_FFT_C2R: FFTW(execute_dft_c2r)(f->plan, (FFTW(complex) *)in, out); break;
    default: FFTW(execute_r2r)(f->plan, (R *)in, out); break;
    }
}

int FFT(aligned)(const void *p)
{
    return FFTW(alignment_of)((R *)p) == 0;
}

char *FFT(wisdom_export)(void)
{
    char *text, *copy = NULL;

    tw_fftw_lock();
    text = FFTW(export_wisdom_to_string)();
    tw_fftw_unlock();
    if (text) copy = strdup(text);
    free(text);
    return copy;
}

int FFT(wisdom_import)(const char *text)
{
    int ok;
    tw_fftw_lock();
    ok = FFTW(import_wisdom_from_string)(text);
    tw_fftw_unlock();
    return ok;
}

const char *FFT(version)(void)
{
    return FFTW(version);
}

int FFT(planned)(void)
{
    return atomic_load(&measured);
}
