/* Options: tw_options, TILEWORK_ and STARPU_ variables, one precedence.
 *
 * Tilework's own knobs: option > TILEWORK_ variable > tuned > default. StarPU's knobs: STARPU_ variable > option >
 * default (StarPU reads its variables itself, so nothing is needed here but leaving them alone). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/error.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/starpu_variables.h"

void tw_options_init(tw_options *o)
{
    if (!o) return;
    memset(o, 0, sizeof *o);
    o->size = sizeof *o;
    o->ncpu = o->ncuda = o->workers_per_cuda = -1;
    o->progress = o->reproducible = o->verbose = -1;
}

int tw_parse_bytes(const char *name, const char *text, size_t *value)
{
    char *end;
    double v = tw_strtod(text, &end), unit = 1;

    if (end != text) {
        switch (*end) {
        case 'k':
        case 'K':
            unit = 1024.0;
            end++;
            break;
        case 'm':
        case 'M':
            unit = 1048576.0;
            end++;
            break;
        case 'g':
        case 'G':
            unit = 1073741824.0;
            end++;
            break;
        case 't':
        case 'T':
            unit = 1099511627776.0;
            end++;
            break;
        }
    }
    if (end == text || *end || !(v * unit >= 1 && v * unit < 9e18))
        return tw_fail(TW_E_OPTION, "%s=%s: expected a number of bytes such as 800000000, 64M or 2G", name, text);
    *value = (size_t)(v * unit);
    return 0;
}

static int resolve_priority(struct tw_config *c, const char *option)
{
    static const char *const names[] = {"none", "panel", "bottom-level", NULL}; /* as the variable's words */
    int mode = TW_PRIORITY_BOTTOM_LEVEL, e = option ? 0 : tw_variable_word(TW_TILEWORK_PRIORITY, &mode);

    if (option && *option) {
        for (mode = 0; names[mode] && strcmp(option, names[mode]) != 0;)
            mode++;
        if (!names[mode])
            e = tw_fail(TW_E_OPTION, "priority=%s: expected none, panel or bottom-level", option), mode = 0;
    }
    c->priority = (enum tw_priority_mode)mode;
    return e;
}

int tw_lookahead(int *ahead)
{
    tw_int depth = -1;
    const int e = tw_variable_integer(TW_TILEWORK_LOOKAHEAD, &depth);

    *ahead = (int)depth;
    return e;
}

static int resolve_trsm(struct tw_config *c)
{
    int mode = TW_TRSM_AUTO, e = tw_variable_word(TW_TILEWORK_TRSM, &mode);

    c->trsm = (enum tw_trsm_mode)mode;
    return e;
}

static int resolve_fp32(struct tw_config *c)
{
    int mode = TW_FP32_AUTO, e = tw_variable_word(TW_TILEWORK_FP32, &mode);

    c->fp32 = (enum tw_fp32_mode)mode;
    return e;
}

static int copy_text(char *to, size_t length, const char *name, const char *from)
{
    if (snprintf(to, length, "%s", from ? from : "") >= (int)length)
        return tw_fail(TW_E_OPTION, "%s: longer than %zu characters", name, length - 1);
    return 0;
}

static int resolve_cache_dir(struct tw_config *c, const char *option)
{
    const char *dir = option ? option : tw_variable_text(TW_TILEWORK_CACHE_DIR);
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *name = xdg && *xdg ? "XDG_CACHE_HOME" : "HOME";
    int length = 0;

    if (dir && *dir) return copy_text(c->cache_dir, sizeof c->cache_dir, "TILEWORK_CACHE_DIR", dir);
    if (xdg && *xdg)
        length = snprintf(c->cache_dir, sizeof c->cache_dir, "%s/tilework", xdg);
    else if (home && *home)
        length = snprintf(c->cache_dir, sizeof c->cache_dir, "%s/.cache/tilework", home);
    else
        c->cache_dir[0] = 0; /* nowhere to keep it: probed each time */
    if (length >= (int)sizeof c->cache_dir)
        return tw_fail(TW_E_OPTION,
                       "%s: the folder of the machine profile below it has a name of more than %zu characters", name,
                       sizeof c->cache_dir - 1);
    return 0;
}

int tw_config_cache_dir(struct tw_config *c)
{
    return resolve_cache_dir(c, NULL);
}

static int flag(enum tw_variable_id id, int option, int *value)
{
    *value = option > 0;
    return option >= 0 ? 0 : tw_variable_word(id, value);
}

static int in_range(const char *name, tw_int v, tw_int low, tw_int high)
{
    if (v >= low && v <= high) return 0;
    return tw_fail(TW_E_OPTION, "tw_options.%s = %lld: expected %lld to %lld, or the value of tw_options_init", name,
                   (long long)v, (long long)low, (long long)high);
}

/* What StarPU would stop at, or what has one sense only. */
static int check(const tw_options *o)
{
    int e = 0;

    if (o->ncpu != -1) e = in_range("ncpu", o->ncpu, 0, STARPU_MAXCPUS);
    if (!e && o->ncuda != -1) e = in_range("ncuda", o->ncuda, 0, STARPU_MAXCUDADEVS);
    if (!e && o->workers_per_cuda != -1)
        e = in_range("workers_per_cuda", o->workers_per_cuda, 1, STARPU_NMAXWORKERS - 1);
    if (!e && o->cpu_ids && o->ncpu > 0) e = tw_core_ids_check(o->cpu_ids, o->ncpu);
    if (!e && o->cuda_ids && o->ncuda > 0) e = tw_gpu_ids_check(o->cuda_ids, o->ncuda);
    if (!e && o->cuda_memory_limit && (o->cuda_memory_limit >> 20 < 1 || o->cuda_memory_limit >> 20 > INT_MAX))
        e = tw_fail(TW_E_OPTION, "tw_options.cuda_memory_limit = %zu: expected bytes, 1 MiB or more",
                    o->cuda_memory_limit);
    if (!e && o->disk_dir && *o->disk_dir) e = tw_swap_folder_check("tw_options.disk_dir", o->disk_dir);
    if (!e) e = in_range("nb", o->nb, 0, 1 << 20);
    if (!e) e = in_range("window", o->window, 0, LONG_MAX);
    if (!e && o->progress != -1) e = in_range("progress", o->progress, 0, 1);
    if (!e && o->reproducible != -1) e = in_range("reproducible", o->reproducible, 0, 1);
    if (!e && o->verbose != -1) e = in_range("verbose", o->verbose, 0, 3);
    return e;
}

/* All variables, those of families and those that are read later with them; not those in whose place an option is. */
static int check_variables(const tw_options *o)
{
    unsigned char given[TW_VARIABLES] = {0};

    given[TW_TILEWORK_NB] = o->nb > 0;
    given[TW_TILEWORK_PRIORITY] = o->priority != NULL;
    given[TW_TILEWORK_WINDOW] = o->window > 0;
    given[TW_TILEWORK_PROGRESS] = o->progress >= 0;
    given[TW_TILEWORK_REPRODUCIBLE] = o->reproducible >= 0;
    return tw_variables_check(given);
}

static int resolve_clock(struct tw_config *c)
{
    c->trace_events = 0;
    return tw_variable_word(TW_TILEWORK_TRACE_GPU, &c->trace_events);
}

static int resolve_idle(struct tw_config *c)
{
    c->idle = -1;
    return tw_variable_real(TW_TILEWORK_IDLE, &c->idle);
}

/* TILEWORK_STAGE: auto, 0, 1, or the size of a slot, which also means "always". */
static int resolve_staging(struct tw_config *c)
{
    const char *text = tw_variable_text(TW_TILEWORK_STAGE);
    size_t least = 64, most = (size_t)64 << 20;
    int e;

    c->staging = -1;
    c->staging_slot = (size_t)2 << 20;
    if (!text || !strcmp(text, "auto")) return 0;
    c->staging = strcmp(text, "0") != 0;
    if (!strcmp(text, "0") || !strcmp(text, "1")) return 0;
    if ((e = tw_parse_bytes("TILEWORK_STAGE", text, &c->staging_slot))) return e;
    if (c->staging_slot >= least && c->staging_slot <= most) return 0;
    return tw_fail(TW_E_OPTION, "TILEWORK_STAGE=%s: expected auto, 0, 1, or the bytes of a slot, 64 to 64M", text);
}

/* TILEWORK_GPU_PIECE: MiB, or main:MiB. */
static int resolve_piece(struct tw_config *c)
{
    tw_int mib = 256;
    int e = tw_variable_integer_with(TW_TILEWORK_GPU_PIECE, &mib, &c->piece_main);

    c->piece = (size_t)mib << 20;
    return e;
}

/* TILEWORK_GPU_RATES: numbers with commas, the k-th of them of CUDA's GPU k. */
static int resolve_gpu_rates(struct tw_config *c)
{
    const char *text = tw_variable_text(TW_TILEWORK_GPU_RATES), *at = text;

    c->gpu_rates = 0;
    while (at) {
        char *end;
        const double rate = tw_strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(rate >= 0.01 && rate <= 100) || c->gpu_rates == TW_GPU_RATES_MOST)
            return tw_fail(TW_E_OPTION,
                           "TILEWORK_GPU_RATES=%.80s: expected numbers from 0.01 to 100 with commas, %d at most: the "
                           "relative rates of GPUs, such as 1,0.5",
                           text, TW_GPU_RATES_MOST);
        c->gpu_rate[c->gpu_rates++] = rate;
        at = *end ? end + 1 : NULL;
    }
    return 0;
}

/* What Open MPI, MPICH and its like, and Slurm tell their processes. What they say is no wish of the user's: nonsense
 * is passed over. */
static int resolve_rank(struct tw_config *c)
{
    static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};

    c->rank = 0;
    if (tw_variable_text(TW_TILEWORK_RANK)) return tw_variable_integer(TW_TILEWORK_RANK, &c->rank);
    for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++) {
        const char *text = getenv(launchers[k]);
        char *end;
        const long rank = text && *text ? strtol(text, &end, 10) : -1;
        if (rank < 0 || rank > TW_RANK_MOST || *end) continue;
        c->rank = rank;
        break;
    }
    return 0;
}

int tw_config_resolve(struct tw_config *c, const tw_options *given)
{
    tw_options o;
    tw_int v;
    int e;

    tw_options_init(&o);
    if (given) {
        if (given->size == 0 || given->size > 4096)
            return tw_fail(TW_E_OPTION, "tw_options: call tw_options_init() before filling the structure");
        memcpy(&o, given, given->size < sizeof o ? given->size : sizeof o);
    }
    if ((e = check(&o)) || (e = check_variables(&o))) return e;
    memset(c, 0, sizeof *c);
    c->ncpu = o.ncpu;
    c->ncuda = o.ncuda;
    c->workers_per_cuda = o.workers_per_cuda;
    if (o.cpu_ids && o.ncpu > 0) c->cpu_ids = o.cpu_ids, c->ncpu_ids = o.ncpu;
    if (o.cuda_ids && o.ncuda > 0) c->cuda_ids = o.cuda_ids, c->ncuda_ids = o.ncuda;
    c->cuda_memory_limit = o.cuda_memory_limit;
    if ((e = copy_text(c->sched, sizeof c->sched, "sched", o.sched))) return e;
    if ((e = copy_text(c->sched_lib, sizeof c->sched_lib, "sched_lib", o.sched_lib))) return e;
    if ((e = copy_text(c->disk_dir, sizeof c->disk_dir, "disk_dir", o.disk_dir))) return e;
    if ((e = copy_text(c->trace, sizeof c->trace, "TILEWORK_TRACE",
                       o.trace ? o.trace : tw_variable_text(TW_TILEWORK_TRACE))))
        return e;
    if ((e = resolve_cache_dir(c, o.cache_dir))) return e;
    if ((e = resolve_priority(c, o.priority))) return e;
    if ((e = resolve_trsm(c))) return e;
    if ((e = resolve_fp32(c))) return e;
    if ((e = resolve_staging(c))) return e;
    if ((e = resolve_piece(c))) return e;
    if ((e = resolve_gpu_rates(c))) return e;
    if ((e = resolve_idle(c))) return e;
    if ((e = tw_variable_integer(TW_TILEWORK_REST, &c->rest))) return e;

    c->nb_source = o.nb > 0 ? "option" : NULL;
    c->nb = o.nb > 0 ? o.nb : 0;
    if (!c->nb) {
        v = 0;
        if ((e = tw_variable_integer(TW_TILEWORK_NB, &v))) return e;
        if (v) c->nb = v, c->nb_source = "TILEWORK_NB";
    }
    v = o.window > 0 ? o.window : 0;
    if (!v && (e = tw_variable_integer(TW_TILEWORK_WINDOW, &v))) return e;
    c->window = v ? v : 16384;
    v = 8;
    if ((e = tw_variable_integer(TW_TILEWORK_TEAM, &v))) return e;
    c->team = v;
    if ((e = tw_variable_integer_with(TW_TILEWORK_TRACE_LIMIT, &c->trace_limit, &c->trace_last))) return e;
    if ((e = resolve_clock(c))) return e;
    if ((e = flag(TW_TILEWORK_NVTX, -1, &c->nvtx))) return e;
    if ((e = resolve_rank(c))) return e;
    if ((e = flag(TW_TILEWORK_PROGRESS, o.progress, &c->progress))) return e;
    if ((e = flag(TW_TILEWORK_REPRODUCIBLE, o.reproducible, &c->reproducible))) return e;
    if ((e = flag(TW_TILEWORK_FORCE_CUDA, -1, &c->force_cuda))) return e;
    if ((e = flag(TW_TILEWORK_MODELLED, -1, &c->modelled))) return e;
    if ((e = tw_variable_integer(TW_TILEWORK_GPU_TILES, &c->gpu_tiles))) return e;
    if ((e = flag(TW_TILEWORK_FAULT, -1, &c->fault))) return e; /* looked at in builds for testing the checkers alone */
    tw_set_verbose(o.verbose);
    c->host_memory_limit = o.host_memory_limit;
    const char *limit = tw_variable_text(TW_TILEWORK_HOST_MEMORY);
    if (!c->host_memory_limit && limit && (e = tw_parse_bytes("TILEWORK_HOST_MEMORY", limit, &c->host_memory_limit)))
        return e;
    return 0;
}

int tw_cache_dir(char *path, size_t length)
{
    struct tw_config c = tw_rt.config;

    if (!c.cache_dir[0] && tw_config_cache_dir(&c)) return TW_E_OPTION;
    if (!c.cache_dir[0] || (size_t)snprintf(path, length, "%s", c.cache_dir) >= length) return TW_E_IO;
    return 0;
}
