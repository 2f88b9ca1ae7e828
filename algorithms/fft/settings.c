/* Options of a plan: what the caller set, else the TILEWORK_FFT_ variables, else the defaults. */
#define _GNU_SOURCE 1 /* sched_getaffinity */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "algorithms/fft/fft_plan.h"
#include "runtime/base/variables.h"

void tw_fft_options_init(tw_fft_options *o)
{
    if (!o) return;
    *o = (tw_fft_options){
        .size = sizeof *o, .norm = TW_FFT_UNSCALED, .rigor = (enum tw_fft_rigor) - 1, .time_limit = -1};
}

static int reproducible(void)
{
    return tw_is_running() ? tw_reproducible() : tw_variable_is_on(TW_TILEWORK_REPRODUCIBLE);
}

int tw_fft_settings_resolve(const char *routine, int argument, const tw_fft_options *o, struct tw_fft_settings *s)
{
    int rigor = TW_FFT_MEASURE, path = TW_FFT_AUTO, e;

    *s = (struct tw_fft_settings){.time_limit = 2, .reproducible = reproducible()};
    if (o && o->size != sizeof *o)
        return tw_illegal(routine, argument, "fill the options with tw_fft_options_init first");
    if ((e = tw_variable_word(TW_TILEWORK_FFT_RIGOR, &rigor)) || (e = tw_variable_word(TW_TILEWORK_FFT_PATH, &path)) ||
        (e = tw_variable_real(TW_TILEWORK_FFT_TIMELIMIT, &s->time_limit)) ||
        (e = tw_variable_check(TW_TILEWORK_FFT_PLACE)))
        return e;
    if (o) {
        if ((int)o->norm < 0 || o->norm > TW_FFT_ORTHO)
            return tw_illegal(routine, argument, "norm is none of enum tw_fft_norm");
        if ((int)o->rigor < -1 || (int)o->rigor > TW_FFT_PATIENT)
            return tw_illegal(routine, argument, "rigor is none of enum tw_fft_rigor");
        if ((int)o->path < 0 || o->path > TW_FFT_TASKS)
            return tw_illegal(routine, argument, "path is none of enum tw_fft_path");
        for (int d = 0; d < 3; d++)
            if ((int)o->r2r[d] < 0 || o->r2r[d] > TW_FFT_DHT)
                return tw_illegal(routine, argument, "r2r holds none of enum tw_fft_r2r");
        s->norm = o->norm;
        if ((int)o->rigor >= 0) rigor = (int)o->rigor;
        if (o->path != TW_FFT_AUTO) path = (int)o->path;
        if (o->time_limit >= 0) s->time_limit = o->time_limit;
        memcpy(s->r2r, o->r2r, sizeof s->r2r);
    }
    s->rigor = s->reproducible ? TW_FFT_ESTIMATE : (enum tw_fft_rigor)rigor; /* measured plans differ from run to run */
    s->path = (enum tw_fft_path)path;
    return 0;
}

int tw_fft_parts(int same_everywhere)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    if (same_everywhere) return 16;
    return cores < 2 ? 4 : cores > 8 ? 32 : 4 * cores;
}
