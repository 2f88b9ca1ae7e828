/* Which machine and which libraries a profile belongs to. Host memory is no part of it: virtual machines have more of
 * it from minute to minute, and no rate depends on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

enum field { CPU, CORES, BLAS_CORE, BLAS, GPU, GPUS, GPU_MEMORY, DRIVER, CUDA, CUBLAS, TILEWORK };
const char *const tw_key_name[TW_KEY_FIELDS] = {"cpu",          "cores",  "blas_core",  "blas",
                                                "gpu",          "gpus",   "gpu_memory", "cuda_driver",
                                                "cuda_runtime", "cublas", "tilework"};
static struct tw_profile_key fakes; /* "" : the true value */

void tw_key_fake(const char *field, const char *value)
{
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        if (!field || !strcmp(field, tw_key_name[k]))
            snprintf(fakes.value[k], sizeof fakes.value[k], "%s", value ? value : "");
}

static void set(struct tw_profile_key *key, enum field f, const char *text)
{
    snprintf(key->value[f], sizeof key->value[f], "%.95s", text);
    for (char *p = key->value[f]; *p; p++) /* names come from outside: the file stays plain text whatever they hold */
        if (*p < 32 || *p > 126) *p = '?';
}
static void set_number(struct tw_profile_key *key, enum field f, long long number)
{
    snprintf(key->value[f], sizeof key->value[f], "%lld", number);
}

/* "2", or "2: 1 3" where these are not CUDA's first: each set of GPUs has its own rates. */
static void set_devices(struct tw_profile_key *key)
{
    char text[96];
    int at = snprintf(text, sizeof text, "%d", tw_rt.ndevices), usual = 1;

    for (int g = 0; g < tw_gpus(); g++)
        usual &= tw_gpu_device(g) == g;
    for (int g = 0; g < tw_gpus() && !usual && at < (int)sizeof text; g++)
        at += snprintf(text + at, sizeof text - (size_t)at, g ? " %d" : ": %d", tw_gpu_device(g));
    set(key, GPUS, text);
}

/* The first one's name and memory, and other kinds' names behind it. */
static int set_names(struct tw_profile_key *key)
{
    char all[512] = "", name[256], last[256] = "";
    size_t memory, at = 0;

    for (int g = 0; g < tw_gpus(); g++) {
        if (tw_device_facts(tw_gpu_device(g), name, sizeof name, &memory) != 0) return g > 0;
        if (g == 0) set_number(key, GPU_MEMORY, (long long)(memory >> 20));
        if (strcmp(name, last) != 0 && at < sizeof all)
            at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", g ? " + " : "", name);
        snprintf(last, sizeof last, "%s", name);
        set(key, GPU, all);
    }
    return tw_gpus() > 0;
}

static void set_gpu(struct tw_profile_key *key)
{
    struct tw_device_versions v;

    if (tw_rt.ncuda == 0 || !set_names(key)) return;
    set_devices(key);
    /* A version that cannot be asked for stays "none" and matches itself. */
    tw_device_versions(&v);
    if (v.driver) set_number(key, DRIVER, v.driver);
    if (v.runtime) set_number(key, CUDA, v.runtime);
    if (v.blas[0]) snprintf(key->value[CUBLAS], sizeof key->value[CUBLAS], "%d.%d.%d", v.blas[0], v.blas[1], v.blas[2]);
}

static void set_fakes(struct tw_profile_key *key)
{
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        if (fakes.value[k][0]) set(key, (enum field)k, fakes.value[k]);
}

void tw_key_make_without_gpus(struct tw_profile_key *key)
{
    memset(key, 0, sizeof *key);
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        snprintf(key->value[k], sizeof key->value[k], "none");
    set(key, CPU, tw_cpu_name());
    set_number(key, CORES, tw_core_count());
    set(key, BLAS_CORE, tw_blas_core());
    set(key, BLAS, tw_blas_version());
    snprintf(key->value[TILEWORK], sizeof key->value[TILEWORK], "%d.%d.%d", TW_VERSION_MAJOR, TW_VERSION_MINOR,
             TW_VERSION_PATCH);
    set_fakes(key);
}

void tw_key_make(struct tw_profile_key *key)
{
    tw_key_make_without_gpus(key);
    set_gpu(key);
    set_fakes(key);
}

int tw_key_same_cores(const struct tw_profile_key *a, const struct tw_profile_key *b)
{
    static const enum field fields[] = {CPU, CORES, BLAS_CORE, BLAS, TILEWORK};

    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (strcmp(a->value[fields[k]], b->value[fields[k]]) != 0) return 0;
    return 1;
}

int tw_key_gpus(const struct tw_profile_key *key)
{
    const long count = strtol(key->value[GPUS], NULL, 10); /* "none" is 0 */
    return count > 0 && count < 1024 ? (int)count : 0;
}

int tw_key_same(const struct tw_profile_key *a, const struct tw_profile_key *b)
{
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        if (strcmp(a->value[k], b->value[k]) != 0) return 0;
    return 1;
}

/* FNV-1a over names and values. */
uint64_t tw_key_hash(const struct tw_profile_key *key)
{
    uint64_t h = 14695981039346656037u;
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        for (int part = 0; part < 2; part++)
            for (const char *p = part ? key->value[k] : tw_key_name[k];; p++) {
                h = (h ^ (unsigned char)*p) * 1099511628211u;
                if (!*p) break;
            }
    return h;
}
