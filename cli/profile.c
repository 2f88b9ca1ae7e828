/* The machine profile as a table and as JSON, for info and calibrate. */
#include <jansson.h>
#include <string.h>

#include "cli/cli.h"

#define MAX_ENTRIES 1024
static tw_profile_entry entries[MAX_ENTRIES];

static int get(tw_profile_facts *facts)
{
    int count = tw_profile_entries(entries, MAX_ENTRIES);
    if (count < 0 || tw_profile_facts_get(facts) != 0) return -1;
    return count < MAX_ENTRIES ? count : MAX_ENTRIES;
}

static const char *age(double seconds, char text[64])
{
    if (seconds < 120)
        snprintf(text, 64, "%.0f s", seconds);
    else if (seconds < 2 * 3600)
        snprintf(text, 64, "%.0f min", seconds / 60);
    else if (seconds < 2 * 86400)
        snprintf(text, 64, "%.0f h", seconds / 3600);
    else
        snprintf(text, 64, "%.0f days", seconds / 86400);
    return text;
}

/* ---- text: one line per kernel, one column per order ------------------------------------------------------------- */

static int same_row(const tw_profile_entry *a, const tw_profile_entry *b)
{
    return a->device == b->device && a->what == b->what && a->type == b->type && a->streams == b->streams;
}

static void print_orders(FILE *f, const tw_profile_entry *e, int n)
{
    fprintf(f, "  %-26s", !strcmp(e->device, "cpu") ? "one core, order" : "one GPU, order");
    for (int k = 0; k < n; k++)
        fprintf(f, " %8d", e[k].order);
    fprintf(f, "\n");
}

static void print_row(FILE *f, const tw_profile_entry *e, int n)
{
    char name[64];
    if (e->streams > 1)
        snprintf(name, sizeof name, "%c%s, %d streams", e->type, e->what, e->streams);
    else
        snprintf(name, sizeof name, "%c%s", e->type, e->what);
    fprintf(f, "    %-16s %7s", name, e->unit);
    for (int k = 0; k < n; k++)
        fprintf(f, e[k].value < 1000 ? " %8.1f" : " %8.0f", e[k].value);
    fprintf(f, "\n");
}

static int is_share(const tw_profile_entry *e)
{
    return !strncmp(e->unit, "of ", 3);
}

/* What tasks were seen to reach of a rate above, by their orders' powers of two. */
static void print_shares(FILE *f, const tw_profile_entry *e, int n)
{
    fprintf(f, "    %s, share %s on %s:", e->what, e->unit, !strcmp(e->device, "cpu") ? "one core" : "a GPU");
    for (int k = 0; k < n; k++)
        fprintf(f, " %.2f (%d)", e[k].value, e[k].order);
    fprintf(f, "\n");
}

void cli_print_profile(FILE *f)
{
    tw_profile_facts facts;
    int count = get(&facts), n;
    const char *device = "";
    char text[64];

    if (count < 0) return;
    fprintf(f, "profile      %s\n", *facts.path ? facts.path : "not kept");
    fprintf(f, "             measured %s ago in %.1f s\n", age(facts.age, text), facts.seconds);
    for (int k = 0; k < count; k += n) {
        n = 1;
        if (entries[k].order == 0) {
            fprintf(f, is_share(&entries[k]) ? "  %s %-*s %8.2f %s\n" : "  %s %-*s %8.1f %s\n", entries[k].device,
                    25 - (int)strlen(entries[k].device), entries[k].what, entries[k].value, entries[k].unit);
            continue;
        }
        while (k + n < count && entries[k + n].order && same_row(&entries[k], &entries[k + n]) &&
               entries[k + n].order > entries[k + n - 1].order)
            n++;
        if (is_share(&entries[k])) {
            if (k == 0 || !is_share(&entries[k - 1])) fprintf(f, "  seen of tasks, order in brackets\n");
            print_shares(f, &entries[k], n);
            continue;
        }
        if (strcmp(device, entries[k].device) != 0) print_orders(f, &entries[k], n);
        device = entries[k].device;
        print_row(f, &entries[k], n);
    }
}

/* ---- JSON: an array of numbers that name themselves -------------------------------------------------------------- */

static json_t *entry(const tw_profile_entry *e)
{
    json_t *o = json_pack("{s:s, s:s}", "device", e->device, "what", e->what);
    char type[2] = {e->type, 0};

    if (e->type) json_object_set_new(o, "type", json_string(type));
    if (e->order) json_object_set_new(o, "order", json_integer(e->order));
    if (e->streams) json_object_set_new(o, "streams", json_integer(e->streams));
    json_object_set_new(o, "value", json_real(e->value));
    json_object_set_new(o, "unit", json_string(e->unit));
    return o;
}

struct json_t *cli_profile_json(void)
{
    tw_profile_facts facts;
    int count = get(&facts);
    json_t *list, *key;

    if (count < 0) return json_null();
    list = json_array();
    key = json_object();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, entry(&entries[k]));
    for (int k = 0; k < facts.nkeys; k++)
        json_object_set_new(key, facts.key[k], cli_json_text(facts.value[k]));
    return json_pack("{s:o, s:b, s:f, s:f, s:o, s:o}", "path", cli_json_text(facts.path), "kept", facts.kept, "seconds",
                     facts.seconds, "age", facts.age, "key", key, "rates", list);
}
