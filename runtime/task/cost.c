/* Models of costs and what they learn. A share is a slow mean of what was measured, within a factor of 4 of what the
 * codelet declares, so that one bad timing cannot drive the scheduler astray. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/task/cost.h"

#define WEIGHT 0.05 /* of one measurement */
#define BOUND  4.0
#define ENOUGH 16 /* measurements that make a share worth keeping */

struct tw_model {
    char symbol[TW_SYMBOL_MAX];
    enum tw_rate rate;
    enum tw_type type;
    float declared;
    _Atomic float slowness[2][TW_SIZE_CLASSES]; /* 1 / share; 0: as declared */
    atomic_uchar measured[2][TW_SIZE_CLASSES];  /* times, in this process; stays at 255 */
    struct tw_model *next;
};
static struct tw_model *models;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

double tw_order(double m, double n, double k)
{
    const double side[3] = {m, n, k};
    double inverse = 0;
    int sides = 0;

    for (int i = 0; i < 3; i++)
        if (side[i] > 0) inverse += 1 / side[i], sides++;
    return sides ? sides / inverse : 0;
}

static int size_class(double order)
{
    return !(order >= 2) ? 0 : (int)fmin(ilogb(order), TW_SIZE_CLASSES - 1);
}

/* ---- analytic ---------------------------------------------------------------------------------------------------- */

static double analytic(int where, enum tw_rate rate, enum tw_type type, double work, double order)
{
    const int is_cuda = where != TW_COST_CPU;
    const double r = tw_profile_rate(is_cuda, rate, type, order) * 1e9,
                 own = where >= TW_COST_GPU ? r * tw_gpu_factor(where - TW_COST_GPU, rate) : r;
    double seconds = (is_cuda ? 8e-6 : 1e-6) + (own > 0 ? work / own : 0);

    if (is_cuda && tw_rt.ndevices > 0 && rate != TW_RATE_MEMORY) {
        /* Several streams share the GPU: a kernel that fills it alone takes `streams` times as long beside others. */
        double streams = (double)tw_rt.ncuda / tw_rt.ndevices,
               peak = tw_profile_rate(1, TW_RATE_GEMM, type, 4096) * 1e9;
        double share = peak > 0 ? streams * r / peak : 1;
        if (share > 1) seconds *= share < streams ? share : streams;
    }
    return seconds;
}

static double work_of(enum tw_rate rate, const struct tw_work *w)
{
    return rate == TW_RATE_MEMORY ? w->bytes : w->flops;
}

double tw_cost(enum tw_rate rate, enum tw_type type, double flops, double size)
{
    return analytic(tw_rt.ncuda > 0 ? TW_COST_FIRST_GPU : TW_COST_CPU, rate, type, rate == TW_RATE_MEMORY ? 0 : flops,
                    size);
}

/* ---- learned ----------------------------------------------------------------------------------------------------- */

static float slowness(const struct tw_model *m, int where, double order)
{
    const float s = atomic_load_explicit(&m->slowness[where != 0][size_class(order)], memory_order_relaxed);
    return s > 0 ? s : 1 / m->declared;
}

double tw_model_share(const struct tw_model *m, int is_cuda, double order)
{
    return 1 / (double)slowness(m, is_cuda, order);
}

double tw_model_seconds(struct tw_model *m, int where, const struct tw_work *w)
{
    return slowness(m, where, w->order) * analytic(where, m->rate, m->type, work_of(m->rate, w), w->order);
}

/* A slow GPU's sample is compared with what is predicted of that GPU: shares are all GPUs'. */
void tw_model_learn(struct tw_model *m, int where, const struct tw_work *w, double seconds)
{
    const int c = size_class(w->order);
    _Atomic float *s = &m->slowness[where != 0][c];
    atomic_uchar *times = &m->measured[where != 0][c];
    const unsigned char before = atomic_load_explicit(times, memory_order_relaxed);
    double ratio;

    if (w->flops <= 0 || work_of(m->rate, w) <= 0) return;
    ratio = seconds / analytic(where, m->rate, m->type, work_of(m->rate, w), w->order) * m->declared;
    if (!(ratio > 0)) return;
    ratio = fmin(fmax(ratio, 1 / BOUND), BOUND) / m->declared;
    atomic_store_explicit(s, (float)((1 - WEIGHT) * slowness(m, where, w->order) + WEIGHT * ratio),
                          memory_order_relaxed);
    if (before < 255) atomic_store_explicit(times, (unsigned char)(before + 1), memory_order_relaxed);
}

/* ---- kept -------------------------------------------------------------------------------------------------------- */

/* What the profile knows, unless it is far from what the codelet declares by now. */
static void recall(struct tw_model *m)
{
    const struct tw_share_row *row = tw_profile_share(&tw_profile, m->symbol, m->rate);

    for (int d = 0; row && d < 2; d++)
        for (int c = 0; c < TW_SIZE_CLASSES; c++) {
            const double share = row->share[d][c], ratio = share / m->declared;
            if (ratio >= 1 / BOUND && ratio <= BOUND) atomic_store(&m->slowness[d][c], (float)(1 / share));
        }
}

struct tw_model *tw_model_of(const char *symbol, enum tw_rate rate, enum tw_type type, double share)
{
    struct tw_model *m;

    starpu_pthread_mutex_lock(&lock);
    for (m = models; m; m = m->next)
        if (m->rate == rate && !strcmp(m->symbol, symbol)) break;
    if (!m && (m = calloc(1, sizeof *m))) {
        snprintf(m->symbol, sizeof m->symbol, "%s", symbol);
        m->rate = rate;
        m->type = type;
        m->declared = (float)(share > 0 ? share : 1);
        recall(m);
        m->next = models;
        models = m;
    }
    starpu_pthread_mutex_unlock(&lock);
    return m;
}

/* The model's row of what was measured often enough; 1 if anything in it is new, or differs by more than 10 % from what
 * the file has. */
static int learned(const struct tw_model *m, struct tw_share_row *row)
{
    const struct tw_share_row *old = tw_profile_share(&tw_profile, m->symbol, m->rate);
    int news = 0;

    *row = (struct tw_share_row){.rate = m->rate};
    snprintf(row->symbol, sizeof row->symbol, "%s", m->symbol);
    for (int d = 0; d < 2; d++)
        for (int c = 0; c < TW_SIZE_CLASSES; c++) {
            const double known = old ? old->share[d][c] : 0;
            if (atomic_load(&m->measured[d][c]) < ENOUGH) continue;
            row->share[d][c] = 1 / (double)atomic_load(&m->slowness[d][c]);
            news |= !(known > 0 && fabs(row->share[d][c] / known - 1) <= 0.1);
        }
    return news;
}

void tw_models_keep(void)
{
    struct tw_share_row *rows = NULL;
    int count = 0, news = 0;

    starpu_pthread_mutex_lock(&lock);
    for (const struct tw_model *m = models; m; m = m->next)
        count++;
    if (count) rows = malloc((size_t)count * sizeof *rows);
    count = 0;
    for (const struct tw_model *m = models; rows && m; m = m->next)
        news |= learned(m, &rows[count++]);
    starpu_pthread_mutex_unlock(&lock);
    if (news && !tw_rt.config.gpu_rates) tw_profile_keep_shares(rows, count); /* learned by rates that were made up */
    free(rows);
}

void tw_models_clear(void)
{
    while (models) {
        struct tw_model *m = models;
        models = m->next;
        free(m);
    }
}
