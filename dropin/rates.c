/* The machine profile, as runtime/machine/profile_file.c writes it, without the library that has: of its JSON the
 * numbers that predictions need. It may be damaged or somebody else's: sizes are bounded, and a file with a number that
 * no machine has is left alone. */
#define _GNU_SOURCE /* secure_getenv */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tilework/runtime.h>

#include "dropin/machine.h"

const int tw_here_orders[TW_HERE_ORDERS] = {256, 512, 1024, 2048, 4096};
enum { MAX_BYTES = 1 << 20, MAX_DEPTH = 8, MAX_NAME = 64, MAX_FILES = 256, OLDEST = 3, NEWEST = 6 };

/* ---- JSON: every text and every number with its place, {"cpu": {"d": {"gemm": [12, …]}}} ------------------------- */

struct reading {
    const char *at;
    char name[MAX_DEPTH][MAX_NAME]; /* of the objects' members on the way */
    int depth, index;               /* index: in an array */
    /* 0: enough */
    int (*text)(struct reading *r, const char *text);
    int (*number)(struct reading *r, double value);
    void *to;
};

static void skip_blanks(struct reading *r)
{
    r->at += strspn(r->at, " \t\r\n");
}
/* Escapes are no part of what is looked for: kept as they are. */
static int read_text(struct reading *r, char *to, size_t size)
{
    size_t n = 0;

    if (*r->at != '"') return 0;
    for (r->at++; *r->at && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && !*++r->at) return 0;
        if (n + 1 < size) to[n++] = *r->at;
    }
    to[n] = 0;
    return *r->at++ == '"';
}
/* strtod reads what the program's locale calls a number. */
static int read_number(struct reading *r, double *value)
{
    const char *from = r->at;
    const int minus = *r->at == '-';
    int digits = 0, exponent = 0, below = 0;
    double x = 0;

    for (r->at += minus; (*r->at >= '0' && *r->at <= '9') || (*r->at == '.' && !below); r->at++)
        if (*r->at == '.')
            below = 1;
        else {
            x = 10 * x + (*r->at - '0');
            digits++;
            exponent -= below;
        }
    if (*r->at == 'e' || *r->at == 'E') {
        const char *sign = r->at + 1;
        int e = 0;
        for (r->at = sign + (*sign == '-' || *sign == '+'); *r->at >= '0' && *r->at <= '9'; r->at++)
            if (e < 1000) e = 10 * e + (*r->at - '0');
        exponent += *sign == '-' ? -e : e;
    }
    for (; exponent > 0 && exponent <= 1000; exponent--)
        x *= 10;
    for (; exponent < 0 && exponent >= -1000; exponent++)
        x /= 10;
    *value = minus ? -x : x;
    return digits > 0 && r->at - from < 64 && exponent == 0; /* else it is out of range */
}

static int read_value(struct reading *r);
static int read_object(struct reading *r)
{
    if (r->depth == MAX_DEPTH) return 0;
    r->at++;
    for (skip_blanks(r); *r->at != '}'; skip_blanks(r)) {
        const int index = r->index;
        if (!read_text(r, r->name[r->depth], MAX_NAME)) return 0;
        skip_blanks(r);
        if (*r->at++ != ':') return 0;
        r->depth++;
        r->index = -1;
        if (!read_value(r)) return 0;
        r->index = index;
        r->depth--;
        skip_blanks(r);
        if (*r->at == ',')
            r->at++;
        else if (*r->at != '}')
            return 0;
    }
    r->at++;
    return 1;
}
static int read_array(struct reading *r)
{
    const int index = r->index;
    int k = 0;

    if (index >= 0) return 0; /* of arrays: the profile has none */
    r->at++;
    for (skip_blanks(r); *r->at != ']'; skip_blanks(r), k++) {
        r->index = k;
        if (!read_value(r)) return 0;
        skip_blanks(r);
        if (*r->at == ',')
            r->at++;
        else if (*r->at != ']')
            return 0;
    }
    r->at++;
    r->index = index;
    return 1;
}
static int read_value(struct reading *r)
{
    char text[128];
    double number;

    skip_blanks(r);
    switch (*r->at) {
    case '{': return read_object(r);
    case '[': return read_array(r);
    case '"': return read_text(r, text, sizeof text) && r->text(r, text);
    default: return read_number(r, &number) && r->number(r, number);
    }
}

/* ---- one file ---------------------------------------------------------------------------------------------------- */

struct found {
    struct tw_here_rates rates;
    char cpu[96], blas_core[96], gpu[96], tilework[96];
    double written;
    int numbers, bad; /* how many of those that are wanted were there; one that cannot be */
};

static int is_at(const struct reading *r, int depth, const char *a, const char *c)
{
    return r->depth == depth && !strcmp(r->name[0], a) && !strcmp(r->name[depth - 1], c);
}
static int take_text(struct reading *r, const char *text)
{
    struct found *f = r->to;

    if (r->depth != 2 || strcmp(r->name[0], "key")) return 1;
    if (!strcmp(r->name[1], "cpu")) snprintf(f->cpu, sizeof f->cpu, "%.95s", text);
    if (!strcmp(r->name[1], "blas_core")) snprintf(f->blas_core, sizeof f->blas_core, "%.95s", text);
    if (!strcmp(r->name[1], "gpu")) snprintf(f->gpu, sizeof f->gpu, "%.95s", text);
    if (!strcmp(r->name[1], "tilework")) snprintf(f->tilework, sizeof f->tilework, "%.95s", text);
    if (!strcmp(r->name[1], "cores")) f->rates.cores = atoi(text);
    return 1;
}
static void want(struct found *f, double value, double unit, double low, double high, double *to)
{
    f->numbers++;
    if (!(value >= low && value <= high)) f->bad = 1;
    *to = value * unit;
}
static int type_of(const char *name)
{
    const char *at = *name && !name[1] ? strchr("sdcz", *name) : NULL;
    return at ? (int)(at - "sdcz") : -1;
}
/* Bounds as runtime/machine/profile.c has them. */
static int take_number(struct reading *r, double value)
{
    struct found *f = r->to;
    struct tw_here_rates *rates = &f->rates;
    const int k = r->index, type = r->depth == 3 ? type_of(r->name[1]) : -1;
    double unused;

    if (r->depth == 1 && !strcmp(r->name[0], "format")) want(f, value, 1, OLDEST, NEWEST, &unused);
    if (r->depth == 1 && !strcmp(r->name[0], "written")) want(f, value, 1, 0, 1e12, &f->written);
    if (type >= 0 && k >= 0 && k < TW_HERE_ORDERS) {
        if (is_at(r, 3, "cpu", "gemm")) want(f, value, 1e9, 1e-4, 2e3, &rates->core[type]); /* the last one stays */
        if (is_at(r, 3, "cuda", "gemm")) want(f, value, 1e9, 1e-4, 2e6, &rates->gpu[type][k]);
        if (is_at(r, 3, "streams_gain", "2")) want(f, value, 1, 0.5, 2.6, &rates->streams[type][k][0]);
        if (is_at(r, 3, "streams_gain", "4")) want(f, value, 1, 0.5, 5.2, &rates->streams[type][k][1]);
    }
    if (is_at(r, 2, "links", "to_gpu")) want(f, value, 1e9, 1e-3, 1e4, &rates->to_gpu);
    if (is_at(r, 2, "links", "from_gpu")) want(f, value, 1e9, 1e-3, 1e4, &rates->from_gpu);
    if (is_at(r, 2, "links", "host_memcpy")) want(f, value, 1e9, 1e-3, 1e4, &rates->copy);
    return !f->bad;
}
enum { WANTED = 2 + TW_HERE_TYPES * TW_HERE_ORDERS * 4 + 3 };

static int read_file(const char *path, struct found *f)
{
    struct stat there;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct reading *r = calloc(1, sizeof *r);
    char *text = NULL;
    ssize_t n = -1;
    int good;

    if (fd >= 0 && r && fstat(fd, &there) == 0 && S_ISREG(there.st_mode) && there.st_size <= MAX_BYTES &&
        (text = malloc(MAX_BYTES + 1)))
        n = read(fd, text, MAX_BYTES);
    if (fd >= 0) close(fd);
    if ((good = n > 0)) {
        text[n] = 0;
        memset(f, 0, sizeof *f);
        *r = (struct reading){.at = text, .index = -1, .text = take_text, .number = take_number, .to = f};
        good = read_value(r) && f->numbers == WANTED && !f->bad;
        snprintf(f->rates.path, sizeof f->rates.path, "%.1023s", path);
    }
    free(text);
    free(r);
    return good;
}

/* ---- which file -------------------------------------------------------------------------------------------------- */

/* As the key has it: printable characters, 95 at most. */
static void name_of_cpu(char name[96])
{
    char path[PATH_MAX], line[512];
    FILE *f;

    snprintf(name, 96, "unknown CPU");
    snprintf(path, sizeof path, "%s/proc/cpuinfo", tw_settings.root);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f) && line[0] != '\n') {
        const char *value = strncmp(line, "model name", 10) ? NULL : strchr(line, ':');
        if (!value) continue;
        value += 1 + strspn(value + 1, " \t");
        line[strcspn(line, "\n")] = 0;
        if (*value) snprintf(name, 96, "%.95s", value);
        break;
    }
    if (f) fclose(f);
    for (char *c = name; *c; c++)
        if (*c < 32 || *c > 126) *c = '?';
}
/* Better the kernels and the number of cores that the library will have, then the later one. The number of cores
 * changes no rate, so that another one will do. */
static int is_better(const struct found *a, const struct found *b)
{
    const char *core = secure_getenv("OPENBLAS_CORETYPE");
    const int kernels = core && *core ? !strcasecmp(a->blas_core, core) - !strcasecmp(b->blas_core, core) : 0;
    const int cores = (a->rates.cores == tw_here_cores()) - (b->rates.cores == tw_here_cores());

    return kernels ? kernels > 0 : cores ? cores > 0 : a->written > b->written;
}
enum { MAX_FOLDER = 700 };
static int folder_of_profiles(char path[MAX_FOLDER])
{
    const char *dir = secure_getenv("TILEWORK_CACHE_DIR"), *xdg = secure_getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    int n = 0;

    if (dir && *dir)
        n = snprintf(path, MAX_FOLDER, "%s", dir);
    else if (xdg && *xdg)
        n = snprintf(path, MAX_FOLDER, "%s/tilework", xdg);
    else if (home && *home)
        n = snprintf(path, MAX_FOLDER, "%s/.cache/tilework", home);
    return n > 0 && n < MAX_FOLDER;
}
static struct tw_here_rates *find_profile(void)
{
    struct found *all = calloc(2, sizeof *all), *best = all, *next = all ? all + 1 : NULL;
    char folder[MAX_FOLDER], path[sizeof all->rates.path], cpu[96], version[32];
    struct tw_here_rates *rates = NULL;
    DIR *files = all && folder_of_profiles(folder) ? opendir(folder) : NULL;
    int some = 0;

    name_of_cpu(cpu);
    snprintf(version, sizeof version, "%d.%d.%d", TW_VERSION_MAJOR, TW_VERSION_MINOR, TW_VERSION_PATCH);
    for (int looked = 0; files && looked < MAX_FILES;) {
        const struct dirent *entry = readdir(files);
        struct found *swap = best;
        if (!entry) break;
        if (strncmp(entry->d_name, "profile-", 8) || strlen(entry->d_name) < 13 ||
            strcmp(entry->d_name + strlen(entry->d_name) - 5, ".json"))
            continue;
        looked++;
        snprintf(path, sizeof path, "%s/%.255s", folder, entry->d_name);
        if (!read_file(path, next) || strcmp(next->cpu, cpu) || strcmp(next->tilework, version) ||
            (tw_here_gpus() > 0) != (strcmp(next->gpu, "none") != 0) || (some && !is_better(next, best)))
            continue;
        best = next, next = swap, some = 1;
    }
    if (files) closedir(files);
    if (some && (rates = malloc(sizeof *rates))) *rates = best->rates;
    free(all);
    return rates;
}

const struct tw_here_rates *tw_here_profile(void)
{
    static const struct tw_here_rates *_Atomic rates;
    static atomic_int looks; /* before the library runs, and after it */
    int seen = atomic_load(&looks);

    if (atomic_load(&rates) || tw_settings.secure || tw_settings.reproducible) return atomic_load(&rates);
    /* Who comes while another one looks goes by what is known. */
    if (seen < (tw_engine_runs() ? 2 : 1) && atomic_compare_exchange_strong(&looks, &seen, seen + 1)) {
        struct tw_here_rates *found = find_profile();
        const struct tw_here_rates *none = NULL;
        if (found && !atomic_compare_exchange_strong(&rates, &none, found)) free(found);
    }
    return atomic_load(&rates);
}
