/* The profile's file: JSON that a person can read. It is read as something that may be damaged or hostile: its size is
 * bounded, every number must be one that a machine can have, and a checksum tells what a bad disk or a half copy
 * changed. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/c_locale.h"
#include "runtime/base/file.h"
#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

/* dropin/rates.c reads these files, too, without this library. */
#define FORMAT    6 /* 5, which has no GPUs' factors, 4, no places, and 3, no shares either, are read, too */
#define OLDEST    3
#define MAX_BYTES (1 << 20)
static const char *const type_name[TW_NTYPES] = {"s", "d", "c", "z"};

/* ---- every number of a profile, in one order, with its place in the file ----------------------------------------- */

typedef void (*visit_fn)(void *context, const char *const path[4], int index, double *value);

static void visit_rates(struct tw_rates *rates, const char *device, visit_fn visit, void *context)
{
    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_NRATES; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++)
                visit(context, (const char *const[4]){device, type_name[t], tw_rate_name[r], NULL}, k,
                      &rates->gflops[t][r][k]);
}

static void visit_all(struct tw_profile *p, visit_fn visit, void *context)
{
    static const char *const launch[2] = {"cpu", "cuda"};
    static const char *const streams[TW_PROFILE_STREAMS] = {"1", "2", "4"};

    visit_rates(&p->cpu, "cpu", visit, context);
    visit_rates(&p->cuda, "cuda", visit, context);
    for (int t = 0; t < TW_NTYPES; t++)
        for (int s = 0; s < TW_PROFILE_STREAMS; s++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++)
                visit(context, (const char *const[4]){"streams_gain", type_name[t], streams[s], NULL}, k,
                      &p->gain[t][k][s]);
    for (int l = 0; l < TW_NLINKS; l++)
        visit(context, (const char *const[4]){"links", tw_link_name[l], NULL, NULL}, -1, &p->link[l]);
    for (int d = 0; d < 2; d++)
        visit(context, (const char *const[4]){"launch", launch[d], NULL, NULL}, -1, &p->launch[d]);
}

static const char *const device_name[2] = {"cpu", "cuda"};

/* FNV-1a of the numbers as they are printed, so that reading and writing agree to the last digit kept. */
static void add_text(uint64_t *h, const char *text)
{
    for (const char *c = text; *c; c++)
        *h = (*h ^ (unsigned char)*c) * 1099511628211u;
}
static void add_to_sum(void *context, const char *const path[4], int index, double *value)
{
    char text[40];

    (void)path, (void)index;
    snprintf(text, sizeof text, "%.5g,", *value);
    add_text(context, text);
}
static void add_place_to_sum(void *context, const char *number, double *value)
{
    (void)number;
    add_to_sum(context, NULL, -1, value);
}
static int is_known(const struct tw_profile *p, int device)
{
    return p->factor[device][TW_FACTOR_PRODUCTS] > 0 && p->factor[device][TW_FACTOR_MEMORY] > 0;
}
static void checksum(struct tw_profile *p, json_int_t format, char text[24])
{
    uint64_t h = tw_key_hash(&p->key);
    visit_all(p, add_to_sum, &h);
    for (int k = 0; k < p->nshares; k++) {
        struct tw_share_row *row = &p->shares[k];
        add_text(&h, row->symbol);
        add_text(&h, tw_rate_name[row->rate]);
        for (int c = 0; c < 2 * TW_SIZE_CLASSES; c++)
            add_to_sum(&h, NULL, c, &row->share[c / TW_SIZE_CLASSES][c % TW_SIZE_CLASSES]);
    }
    for (int d = 0; format >= 6 && d < TW_PROFILE_GPUS; d++)
        if (is_known(p, d)) {
            snprintf(text, 24, "gpu %d:", d);
            add_text(&h, text);
            for (int k = 0; k < TW_NFACTORS; k++)
                add_to_sum(&h, NULL, -1, &p->factor[d][k]);
        }
    for (int k = 0; format >= 5 && k < p->nplaces; k++) {
        add_text(&h, p->places[k].name);
        tw_place_visit(&p->places[k], add_place_to_sum, &h);
    }
    snprintf(text, 24, "%016llx", (unsigned long long)h);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct reading {
    const json_t *root;
    int bad;
};
static void take(void *context, const char *const path[4], int index, double *value)
{
    struct reading *r = context;
    const json_t *at = r->root;

    for (int k = 0; path[k]; k++)
        at = json_object_get(at, path[k]);
    if (index >= 0) at = json_array_get(at, (size_t)index);
    if (json_is_number(at))
        *value = json_number_value(at);
    else
        r->bad = 1;
}

/* {"tw_dgemm": {"rate": "gemm", "cpu": [20 numbers], "cuda": [20 numbers]}, …}; a device of which nothing is known is
 * left out. 0 if anything else is there. */
static int take_share(const char *symbol, const json_t *o, struct tw_share_row *row)
{
    const char *rate = json_string_value(json_object_get(o, "rate"));

    memset(row, 0, sizeof *row);
    if (!rate || strlen(symbol) >= sizeof row->symbol) return 0;
    memcpy(row->symbol, symbol, strlen(symbol) + 1);
    while (row->rate < TW_NRATES && strcmp(tw_rate_name[row->rate], rate) != 0)
        row->rate++;
    for (int d = 0; d < 2; d++) {
        const json_t *list = json_object_get(o, device_name[d]);
        if (!list) continue;
        if (json_array_size(list) != TW_SIZE_CLASSES) return 0;
        for (int c = 0; c < TW_SIZE_CLASSES; c++) {
            const json_t *number = json_array_get(list, (size_t)c);
            if (!json_is_number(number)) return 0;
            row->share[d][c] = json_number_value(number);
        }
    }
    return tw_share_plausible(row);
}

static int take_shares(json_t *shares, struct tw_profile *p)
{
    const char *symbol;
    json_t *o;

    if (!json_is_object(shares) || json_object_size(shares) > TW_PROFILE_SHARES) return 0;
    json_object_foreach(shares, symbol, o) if (!take_share(symbol, o, &p->shares[p->nshares++])) return 0;
    return 1;
}

struct place_reading {
    const json_t *from;
    int bad;
};
static void take_number(void *context, const char *number, double *value)
{
    struct place_reading *r = context;
    const json_t *at = json_object_get(r->from, number);

    if (json_is_number(at))
        *value = json_number_value(at);
    else
        r->bad = 1;
}

/* {"fft": {"cpu_start": 0.0005, …}, …}, every number of each. */
static int take_places(json_t *places, struct tw_profile *p)
{
    const char *name;
    json_t *o;

    if (!json_is_object(places) || json_object_size(places) > TW_PROFILE_PLACES) return 0;
    p->nplaces = 0;
    json_object_foreach(places, name, o)
    {
        struct tw_place_row row = {.name = ""};
        struct place_reading r = {o, 0};
        if (strlen(name) >= sizeof row.name) return 0;
        memcpy(row.name, name, strlen(name) + 1);
        tw_place_visit(&row, take_number, &r);
        if (r.bad || !tw_place_plausible(&row)) return 0;
        p->places[p->nplaces++] = row;
    }
    return 1;
}

/* {"0": {"products": 1, "memory": 1}, "1": …}, both numbers of each. */
static int take_factors(json_t *gpus, struct tw_profile *p)
{
    const char *number;
    json_t *o;

    memset(p->factor, 0, sizeof p->factor);
    if (!json_is_object(gpus)) return 0;
    json_object_foreach(gpus, number, o)
    {
        char *end, again[16];
        const long d = strtol(number, &end, 10);
        if (d < 0 || d >= TW_PROFILE_GPUS) return 0;
        snprintf(again, sizeof again, "%ld", d);
        if (strcmp(number, again) != 0) return 0;
        for (int k = 0; k < TW_NFACTORS; k++) {
            const json_t *at = json_object_get(o, tw_factor_name[k]);
            if (!json_is_number(at) || !tw_factor_plausible(p->factor[d][k] = json_number_value(at))) return 0;
        }
    }
    return 1;
}

/* The whole file at once: json_loadfd asks for one byte at a time, and every start of every program reads a profile. */
static json_t *parse(int fd, size_t bytes)
{
    char *text = malloc(bytes + 1);
    json_t *root = NULL;
    size_t got = 0;
    ssize_t n = 1;

    while (text && got < bytes && n > 0)
        if ((n = read(fd, text + got, bytes - got)) > 0) got += (size_t)n;
    if (text && n >= 0) root = json_loadb(text, got, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    return root;
}

/* A small regular file only: a pipe would block, a large one is none of ours. */
static json_t *load(const char *path, const char **why)
{
    struct stat st;
    json_t *root = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0) {
        *why = errno == ENOENT ? "no such profile yet" : strerror(errno);
        return NULL;
    }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_BYTES)
        *why = "not a profile";
    else if (!(root = parse(fd, (size_t)st.st_size)))
        *why = "damaged: not JSON";
    close(fd);
    return root;
}

static void take_key(const json_t *root, struct tw_profile_key *key)
{
    const json_t *o = json_object_get(root, "key");
    memset(key, 0, sizeof *key);
    for (int k = 0; k < TW_KEY_FIELDS; k++) {
        const char *text = json_string_value(json_object_get(o, tw_key_name[k]));
        snprintf(key->value[k], sizeof key->value[k], "%s", text ? text : "");
    }
}

static const char *fault(const json_t *root, const struct tw_profile_key *key, struct tw_profile *p)
{
    struct reading r = {root, 0};
    const char *sum = json_string_value(json_object_get(root, "checksum"));
    const json_int_t format = json_integer_value(json_object_get(root, "format"));
    char wanted[24];

    if (format < OLDEST || format > FORMAT) return "of another format";
    take_key(root, &p->key);
    if (!tw_key_same(&p->key, key)) return "of another machine or other libraries";
    if (format < 6 && tw_key_gpus(&p->key) > 1) return "of a format without the rates of each GPU";
    visit_all(p, take, &r);
    if (r.bad) return "damaged: a number is missing";
    p->nshares = 0;
    memset(p->shares, 0, sizeof p->shares);
    if (format >= 4 && !take_shares(json_object_get(root, "shares"), p)) return "damaged: a share that no codelet has";
    p->nplaces = 0;
    if (format >= 5 && !take_places(json_object_get(root, "places"), p)) return "damaged: a place's numbers";
    memset(p->factor, 0, sizeof p->factor);
    if (format >= 6 && !take_factors(json_object_get(root, "gpus"), p)) return "damaged: a GPU's factors";
    if (!tw_profile_plausible(p)) return "damaged: a number that no machine has";
    checksum(p, format, wanted);
    if (!sum || strcmp(sum, wanted) != 0) return "damaged or edited: the checksum differs";
    p->seconds = json_number_value(json_object_get(root, "seconds"));
    if (!(p->seconds >= 0 && p->seconds < 1e4)) p->seconds = 0;
    p->written = json_integer_value(json_object_get(root, "written"));
    if (p->written < 0) p->written = 0;
    return NULL;
}

int tw_profile_read(const char *path, const struct tw_profile_key *key, struct tw_profile *p, const char **why)
{
    json_t *root = load(path, why);
    struct tw_profile *got;

    if (!root) return 0;
    if ((got = malloc(sizeof *got))) {      /* too large for the stack of any thread that may be the first */
        void *locale = tw_c_locale_enter(); /* the checksum is of numbers as they are printed */
        *got = *p;
        *why = fault(root, key, got);
        tw_c_locale_leave(locale);
        if (!*why) {
            tw_profile_tidy(got);
            tw_place_complete(got);
            *p = *got;
        }
    } else {
        *why = "no memory to read it";
    }
    json_decref(root);
    free(got);
    return !*why;
}

int tw_profile_read_key(const char *path, struct tw_profile_key *key)
{
    const char *why;
    json_t *root = load(path, &why);

    if (root) take_key(root, key);
    json_decref(root);
    return root != NULL;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* The object `name` of o, made if it is not there yet; NULL without memory, which every json_ function passes on. */
static json_t *member(json_t *o, const char *name, json_t *(*make)(void))
{
    json_t *m = json_object_get(o, name);
    if (!m && json_object_set_new(o, name, make()) == 0) m = json_object_get(o, name);
    return m;
}

struct writing {
    json_t *root;
    int bad;
};
static void put(void *context, const char *const path[4], int index, double *value)
{
    struct writing *w = context;
    json_t *at = w->root;
    int last = 0;

    while (path[last + 1])
        last++;
    for (int k = 0; k < last; k++)
        at = member(at, path[k], json_object);
    if (index < 0)
        w->bad |= json_object_set_new(at, path[last], json_real(*value));
    else
        w->bad |= json_array_append_new(member(at, path[last], json_array), json_real(*value));
}

static json_t *orders(const int *sizes)
{
    json_t *list = json_array();
    for (int k = 0; k < TW_PROFILE_SIZES; k++)
        json_array_append_new(list, json_integer(sizes[k]));
    return list;
}

static json_t *shares_to_json(const struct tw_profile *p)
{
    json_t *all = json_object();

    for (int k = 0; k < p->nshares; k++) {
        const struct tw_share_row *row = &p->shares[k];
        json_t *o = json_object();
        int bad = json_object_set_new(o, "rate", json_string(tw_rate_name[row->rate]));
        for (int d = 0; d < 2; d++) {
            json_t *list = json_array();
            int known = 0;
            for (int c = 0; c < TW_SIZE_CLASSES; c++) {
                bad |= json_array_append_new(list, json_real(row->share[d][c]));
                known |= row->share[d][c] != 0;
            }
            if (known)
                bad |= json_object_set_new(o, device_name[d], list);
            else
                json_decref(list);
        }
        if (json_object_set_new(all, row->symbol, o) == 0 && !bad) continue;
        json_decref(all);
        return NULL;
    }
    return all;
}

static void put_number(void *context, const char *number, double *value)
{
    struct writing *w = context;
    w->bad |= json_object_set_new(w->root, number, json_real(*value));
}
static json_t *places_to_json(struct tw_profile *p)
{
    json_t *all = json_object();

    for (int k = 0; k < p->nplaces; k++) {
        struct writing w = {json_object(), 0};
        tw_place_visit(&p->places[k], put_number, &w);
        if (json_object_set_new(all, p->places[k].name, w.root) == 0 && !w.bad) continue;
        json_decref(all);
        return NULL;
    }
    return all;
}

static json_t *factors_to_json(const struct tw_profile *p)
{
    json_t *all = json_object();

    for (int d = 0; d < TW_PROFILE_GPUS; d++) {
        char number[16];
        json_t *o;
        int bad = 0;
        if (!is_known(p, d)) continue;
        snprintf(number, sizeof number, "%d", d);
        o = json_object();
        for (int k = 0; k < TW_NFACTORS; k++)
            bad |= json_object_set_new(o, tw_factor_name[k], json_real(p->factor[d][k]));
        if (json_object_set_new(all, number, o) == 0 && !bad) continue;
        json_decref(all);
        return NULL;
    }
    return all;
}

static json_t *to_json(struct tw_profile *p)
{
    struct writing w = {json_object(), 0};
    json_t *key = json_object();
    char sum[24];

    checksum(p, FORMAT, sum);
    for (int k = 0; k < TW_KEY_FIELDS; k++)
        w.bad |= json_object_set_new(key, tw_key_name[k], json_string(p->key.value[k]));
    w.bad |= json_object_set_new(w.root, "format", json_integer(FORMAT));
    w.bad |= json_object_set_new(w.root, "key", key);
    w.bad |= json_object_set_new(w.root, "written", json_integer(p->written));
    w.bad |= json_object_set_new(w.root, "seconds", json_real(p->seconds));
    w.bad |= json_object_set_new(
        w.root, "units",
        json_string(
            "Gflop/s by order; memory and links GB/s; launch seconds; streams_gain: times one stream; shares: of "
            "the rate, by the order's power of two; 0: not known; places: seconds, Gflop/s, GB/s, shares; gpus: times "
            "the first GPU in use"));
    w.bad |= json_object_set_new(w.root, "cpu_orders", orders(tw_profile_size_cpu));
    w.bad |= json_object_set_new(w.root, "cuda_orders", orders(tw_profile_size_cuda));
    visit_all(p, put, &w);
    w.bad |= json_object_set_new(w.root, "shares", shares_to_json(p));
    w.bad |= json_object_set_new(w.root, "places", places_to_json(p));
    w.bad |= json_object_set_new(w.root, "gpus", factors_to_json(p));
    w.bad |= json_object_set_new(w.root, "checksum", json_string(sum));
    if (!w.bad) return w.root;
    json_decref(w.root);
    return NULL;
}

int tw_profile_write(const char *path, const struct tw_profile *p)
{
    struct tw_profile *copy = malloc(sizeof *copy);
    struct tw_outfile f;
    struct stat st;
    json_t *root = NULL;
    int e;

    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* a pipe would block */
        free(copy);
        return tw_fail(TW_E_IO, "%s: not a plain file: the machine profile is not kept", path);
    }
    if (copy) {
        void *locale = tw_c_locale_enter();
        *copy = *p;
        root = to_json(copy);
        tw_c_locale_leave(locale);
        free(copy);
    }

    if (!root) return tw_fail(TW_E_MEMORY, "%s: no memory to write the profile", path);
    if ((e = tw_outfile_open(&f, path)) == 0) {
        if (json_dumpf(root, f.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(5)) != 0 || fputc('\n', f.stream) == EOF) {
            tw_outfile_abandon(&f);
            e = tw_fail(TW_E_IO, "%s: writing failed: %s", path, strerror(errno));
        } else {
            e = tw_outfile_commit(&f);
        }
    }
    json_decref(root);
    return e;
}
