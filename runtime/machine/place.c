/* CPUs, GPUs or both: what families say of their work, and one estimate of its time. */
#include "runtime/machine/place.h"

#include <math.h>
#include <string.h>

#include "runtime/machine/gpus.h"
#include "runtime/machine/machine_profile.h"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static const struct tw_place_row *usual_rows[TW_PROFILE_PLACES];
static int nusual;

void tw_place_register(const struct tw_place_row *usual)
{
    if (nusual < TW_PROFILE_PLACES) usual_rows[nusual++] = usual;
}

static const struct tw_place_row *known(const struct tw_profile *p, const char *name)
{
    for (int k = 0; k < p->nplaces; k++)
        if (!strcmp(p->places[k].name, name)) return &p->places[k];
    return NULL;
}

int tw_place_put(struct tw_profile *p, const struct tw_place_row *row)
{
    const struct tw_place_row *old = known(p, row->name);

    if (!old && p->nplaces == TW_PROFILE_PLACES) return -1;
    p->places[old ? old - p->places : p->nplaces++] = *row;
    return 0;
}

void tw_place_complete(struct tw_profile *p)
{
    for (int k = 0; k < nusual; k++)
        if (!known(p, usual_rows[k]->name)) (void)tw_place_put(p, usual_rows[k]);
}

const struct tw_place_row *tw_place_row(const struct tw_place_row *usual)
{
    const struct tw_place_row *row = known(&tw_profile, usual->name);
    return row ? row : usual;
}

void tw_place_visit(struct tw_place_row *row, void (*fn)(void *context, const char *number, double *value),
                    void *context)
{
#define VISIT(number, least, most) fn(context, #number, &row->number);
    TW_PLACE_NUMBERS(VISIT)
#undef VISIT
}

int tw_place_plausible(const struct tw_place_row *row)
{
    const size_t n = strnlen(row->name, TW_PLACE_NAME);

    if (n == 0 || n == TW_PLACE_NAME || strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != n) return 0;
#define SOUND(number, least, most)                                                                                     \
    if (!(row->number >= (least) && row->number <= (most))) return 0;
    TW_PLACE_NUMBERS(SOUND)
#undef SOUND
    return 1;
}

/* ---- seconds ----------------------------------------------------------------------------------------------------- */

/* flop/s of one core or GPU */
static double rate(const struct tw_place_row *r, int is_cuda, enum tw_type type)
{
    const double share = is_cuda ? r->gpu_share : r->cpu_share, order = is_cuda ? r->gpu_order : r->cpu_order,
                 gflops = is_cuda ? r->gpu_gflops : r->cpu_gflops;

    if (share > 0) return 1e9 * share * tw_profile_rate(is_cuda, TW_RATE_GEMM, type, order);
    return 1e9 * gflops * (tw_is_single(type) ? 2 : 1);
}

/* bytes per second of all together; 0: not known */
static double memory(const struct tw_place_row *r, int is_cuda, int units)
{
    return is_cuda ? 1e9 * r->gpu_memory * units : fmin(1e9 * r->cpu_memory, tw_host_copy_speed() * units);
}

double tw_place_seconds(const struct tw_place_row *row, int is_cuda, const struct tw_place_work *w)
{
    const double all = w->units * rate(row, is_cuda, w->type), memory_speed = memory(row, is_cuda, w->units);

    if (w->units < 1) return INFINITY;
    return (is_cuda ? row->gpu_start : row->cpu_start) + (is_cuda ? row->gpu_object : row->cpu_object) * w->objects +
           (all > 0 ? w->flops / all : 0) + (memory_speed > 0 ? w->bytes / memory_speed : 0) + w->seconds;
}

double tw_place_travel(const struct tw_place_row *row, const struct tw_place_way *way)
{
    double to = way->overlaps ? tw_link_speed() : tw_link_alone(0), from = way->overlaps ? to : tw_link_alone(1), moved;

    if (!(to > 0 && from > 0)) return INFINITY;
    if (!way->pinned && way->never && row->pageable > 0)
        to = fmin(to, 1e9 * row->pageable), from = fmin(from, 1e9 * row->pageable);
    moved = way->overlaps ? fmax(way->to / to, way->from / from) : way->to / to + way->from / from;
    if (way->gpus > 1) moved /= row->several * way->gpus;
    return moved + (way->pinned || way->never ? 0 : row->pinning * (way->to + way->from));
}

enum tw_place tw_place_choose(const struct tw_place_row *row, double on_cpu, double on_gpu, double on_both)
{
    if (on_both > 0 && on_both < row->both_pays * fmin(on_cpu, on_gpu)) return TW_PLACE_BOTH;
    return on_gpu < on_cpu ? TW_PLACE_GPU : TW_PLACE_CPU;
}
