/* What was done, at the end of a process: TILEWORK_DROPIN_REPORT and TILEWORK_DROPIN_CALLS. */
#define _GNU_SOURCE /* program_invocation_name */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dropin/machine.h"

/* The places of one caller and one name together. */
struct line {
    const struct tw_site *site;
    long long why[TW_WHYS], calls;
    double flops, flops_taken, seconds, seconds_taken, without;
    long long predicted;
    double predicted_with, predicted_without;
};
struct lines {
    struct line *line;
    int count, size;
    long long calls, taken;
};

static struct line *line_of(struct lines *all, const struct tw_site *s)
{
    for (int i = 0; i < all->count; i++)
        if (all->line[i].site->name == s->name && !strcmp(all->line[i].site->object, s->object)) return &all->line[i];
    if (all->count == all->size) {
        struct line *more = realloc(all->line, sizeof *more * (size_t)(2 * all->size + 16));
        if (!more) return NULL;
        all->line = more;
        all->size = 2 * all->size + 16;
    }
    memset(&all->line[all->count], 0, sizeof *all->line);
    all->line[all->count].site = s;
    return &all->line[all->count++];
}

static void add_site(struct lines *all, const struct tw_site *s)
{
    struct line *l;
    long long calls = 0;

    for (int w = 0; w < TW_WHYS; w++)
        calls += atomic_load(&s->why[w]);
    if (!calls || !(l = line_of(all, s))) return;
    for (int w = 0; w < TW_WHYS; w++)
        l->why[w] += atomic_load(&s->why[w]);
    l->calls += calls;
    l->flops += s->flops;
    l->flops_taken += s->flops_taken;
    l->seconds += s->seconds;
    l->seconds_taken += s->seconds_taken;
    /* As the forwarded calls went, or as the model has it. */
    l->without += s->seconds - s->seconds_taken + s->without;
    l->predicted += atomic_load(&s->predicted);
    l->predicted_with += s->predicted_with;
    l->predicted_without += s->predicted_without;
    all->calls += calls;
    all->taken += atomic_load(&s->why[TW_TAKEN]);
}

static int by_seconds(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void gather(struct lines *all)
{
    for (int name = 0; name < tw_door_count * TW_NAMES; name++)
        for (const struct tw_site *s = atomic_load(&tw_sites[name]); s; s = s->next)
            add_site(all, s);
    if (all->count) qsort(all->line, (size_t)all->count, sizeof *all->line, by_seconds);
}

/* ---- advice ------------------------------------------------------------------------------------------------------------------ */

static const char *advice(const struct lines *all)
{
    const struct line *l = all->line; /* what took longest */
    static char text[256];
    char symbol[64];

    if (!all->count) return NULL;
    tw_door_symbol(l->site->name, symbol);
    if (atomic_load(&tw_forked) && l->why[TW_FORKED])
        return "calls in forked children are forwarded: let workers be spawned";
    if (l->why[TW_OFF] > l->calls / 2) return "TILEWORK_DROPIN leaves these names to their libraries";
    if (l->why[TW_REFUSED]) return "the library did not run: `tilework doctor` says why";
    if (l->why[TW_STARTING] && !l->why[TW_TAKEN])
        return "the program ended before a start of the library would have paid";
    if (l->why[TW_BUSY] > l->calls / 2) return "other programs fill the machine: on an idle one these calls are taken";
    if (l->why[TW_SMALL] > l->calls / 2 && l->seconds > 1) {
        snprintf(text, sizeof text, "%s is called with small problems: larger ones, fewer at a time, could be taken",
                 symbol);
        return text;
    }
    if (l->why[TW_TAKEN] && l->without < l->seconds) {
        snprintf(text, sizeof text,
                 "%s was slower than estimated without us: --min (TILEWORK_DROPIN_MIN) leaves more to the library",
                 symbol);
        return text;
    }
    return NULL;
}

/* ---- text and JSON ----------------------------------------------------------------------------------------------------------- */

static void whys(FILE *f, const struct line *l)
{
    const char *before = "";
    for (int w = TW_TAKEN + 1; w < TW_WHYS; w++)
        if (l->why[w]) {
            fprintf(f, "%s%lld %s", before, l->why[w], tw_why_name[w]);
            before = ", ";
        }
    if (l->predicted)
        fprintf(f, "%spredicted for %lld: %.3g s with, %.3g s without", *before ? "; " : "", l->predicted,
                l->predicted_with, l->predicted_without);
}

static void text(FILE *f, const struct lines *all)
{
    const char *say = advice(all);

    fprintf(f, "libtilework_lapack: %s (process %ld): %lld calls, %lld taken\n", program_invocation_short_name,
            (long)getpid(), all->calls, all->taken);
    if (!all->count) {
        fprintf(f, "  nothing was called by the names that it has (`tilework doctor -- COMMAND` may know why)\n");
        return;
    }
    fprintf(f, "  %-20s %-32s %8s %8s %11s %9s %9s  %s\n", "name", "called by", "calls", "taken", "flops", "seconds",
            "without", "forwarded");
    for (int i = 0; i < all->count; i++) {
        const struct line *l = &all->line[i];
        char symbol[64];
        tw_door_symbol(l->site->name, symbol);
        fprintf(f, "  %-20s %-32.32s %8lld %8lld %11.3g %9.3f %9.3f  ", symbol, l->site->object, l->calls,
                l->why[TW_TAKEN], l->flops, l->seconds, l->without);
        whys(f, l);
        fputc('\n', f);
    }
    for (int i = 0; i < all->count; i++)
        if (all->line[i].predicted) {
            const struct tw_here_rates *rates = tw_here_profile();
            fprintf(f, "  predicted by what calls had shown, else by %s\n",
                    rates ? rates->path : "constants: no machine profile yet");
            break;
        }
    if (say) fprintf(f, "  advice: %s\n", say);
}

static void quoted(FILE *f, const char *s)
{
    fputc('"', f);
    for (; s && *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < 32)
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, f);
    fputc('"', f);
}

static void json(FILE *f, const struct lines *all)
{
    const char *say = advice(all);
    const struct tw_here_rates *rates = all->count ? tw_here_profile() : NULL;

    fprintf(f, "{\"program\": ");
    quoted(f, program_invocation_short_name);
    fprintf(f, ", \"process\": %ld, \"forked\": %s, \"calls\": %lld, \"taken\": %lld, \"routines\": [", (long)getpid(),
            atomic_load(&tw_forked) ? "true" : "false", all->calls, all->taken);
    for (int i = 0; i < all->count; i++) {
        const struct line *l = &all->line[i];
        char symbol[64];
        int some = 0;

        tw_door_symbol(l->site->name, symbol);
        fprintf(f, "%s{\"routine\": \"%s\", \"name\": \"%s\", \"caller\": ", i ? ", " : "",
                tw_door_of(l->site->name)->name, symbol);
        quoted(f, l->site->object);
        fprintf(f, ", \"real\": ");
        quoted(f, l->site->provider);
        fprintf(f, ", \"bits\": %d, \"calls\": %lld, \"taken\": %lld, \"forwarded\": {", l->site->wide ? 64 : 32,
                l->calls, l->why[TW_TAKEN]);
        for (int w = TW_TAKEN + 1; w < TW_WHYS; w++)
            if (l->why[w]) fprintf(f, "%s\"%s\": %lld", some++ ? ", " : "", tw_why_name[w], l->why[w]);
        fprintf(f,
                "}, \"flops\": %.6g, \"flops_taken\": %.6g, \"seconds\": %.6g, \"seconds_taken\": %.6g, "
                "\"seconds_without\": %.6g, \"predicted\": {\"calls\": %lld, \"with\": %.6g, \"without\": %.6g}}",
                l->flops, l->flops_taken, l->seconds, l->seconds_taken, l->without, l->predicted, l->predicted_with,
                l->predicted_without);
    }
    fprintf(f, "], \"profile\": ");
    if (rates)
        quoted(f, rates->path);
    else
        fprintf(f, "null");
    fprintf(f, ", \"advice\": ");
    if (say)
        quoted(f, say);
    else
        fprintf(f, "null");
    fprintf(f, "}\n");
}

/* One write, so that lines of several processes do not mix. */
static void append(const char *path, const struct lines *all)
{
    char *line = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&line, &length);
    int fd;

    if (!f) return;
    json(f, all);
    if (fclose(f) == 0) {
        /* a pipe that nobody reads is an error, not a wait */
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
        if (fd < 0 || write(fd, line, length) != (ssize_t)length) tw_dropin_say("%s: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
    }
    free(line);
}

/* A line for each routine, for dropin/lapack-tests.sh: Fortran's names together. */
static void calls(const char *path)
{
    FILE *f = fopen(path, "we");

    if (!f) {
        tw_dropin_say("%s: %s", path, strerror(errno));
        return;
    }
    fprintf(f, "# name, calls taken from the program itself, from its libraries, calls left to LAPACK\n");
    for (int door = 0; door < tw_door_count; door++) {
        long long n[3] = {0, 0, 0};
        if (tw_doors[door].kind != TW_DOOR_FORTRAN) continue;
        for (int name = door * TW_NAMES; name < (door + 1) * TW_NAMES; name++)
            for (const struct tw_site *s = atomic_load(&tw_sites[name]); s; s = s->next)
                for (int w = 0; w < TW_WHYS; w++)
                    n[w != TW_TAKEN ? 2 : s->of_program ? 0 : 1] += atomic_load(&s->why[w]);
        for (const char *c = tw_doors[door].name; *c; c++)
            fputc(toupper((unsigned char)*c), f);
        fprintf(f, " %lld %lld %lld\n", n[0], n[1], n[2]);
    }
    if (fclose(f)) tw_dropin_say("%s: %s", path, strerror(errno));
}

void tw_report_forget(void)
{
    for (int name = 0; name < tw_door_count * TW_NAMES; name++)
        for (struct tw_site *s = atomic_load(&tw_sites[name]); s; s = s->next) {
            for (int w = 0; w < TW_WHYS; w++)
                atomic_store(&s->why[w], 0);
            s->flops = s->flops_taken = s->seconds = s->seconds_taken = s->without = 0;
            atomic_store(&s->predicted, 0);
            s->predicted_with = s->predicted_without = 0;
        }
}

static void tell(void)
{
    struct lines all = {0};

    if (tw_settings.calls && !atomic_load(&tw_forked)) calls(tw_settings.calls);
    if (!tw_settings.report) return;
    gather(&all);
    if (!strcmp(tw_settings.report, "1")) {
        if (all.calls || tw_settings.run == (long)getpid()) text(stderr, &all);
    } else if (all.calls)
        append(tw_settings.report, &all);
    free(all.line);
}
__attribute__((destructor)) static void report(void)
{
    struct tw_signals signals;

    tw_dropin_prepare();
    if (!tw_settings.counts) return;
    tw_dropin_signals_block(&signals);
    tell();
    tw_dropin_signals_restore(&signals);
}
