/* What was done, at the end of a process: TILEWORK_DROPIN_REPORT and TILEWORK_DROPIN_CALLS. */
#define _GNU_SOURCE /* program_invocation_name */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dropin/machine.h"
#include "dropin/report.h"

struct tw_children *tw_children;

static struct tw_line *line_of(struct tw_lines *all, const struct tw_site *s)
{
    for (int i = 0; i < all->count; i++)
        if (all->line[i].site->name == s->name && !strcmp(all->line[i].site->object, s->object)) return &all->line[i];
    if (all->count == all->size) {
        struct tw_line *more = realloc(all->line, sizeof *more * (size_t)(2 * all->size + 16));
        if (!more) return NULL;
        all->line = more;
        all->size = 2 * all->size + 16;
    }
    memset(&all->line[all->count], 0, sizeof *all->line);
    all->line[all->count].site = s;
    return &all->line[all->count++];
}

static void add_site(struct tw_lines *all, const struct tw_site *s)
{
    struct tw_line *l;
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
    l->unknown += atomic_load(&s->unknown);
    l->compared += s->compared;
    l->compared_without += s->compared_without;
    l->inner += atomic_load(&s->inner);
    l->seconds_inner += s->seconds_inner;
    all->seconds += s->seconds - s->seconds_inner;
    all->seconds_inner += s->seconds_inner;
    l->predicted += atomic_load(&s->predicted);
    l->predicted_with += s->predicted_with;
    l->predicted_without += s->predicted_without;
    all->calls += calls;
    all->taken += atomic_load(&s->why[TW_TAKEN]);
}

static int by_seconds(const void *a, const void *b)
{
    const struct tw_line *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void gather(struct tw_lines *all)
{
    for (int name = 0; name < tw_door_count * TW_NAMES; name++)
        for (const struct tw_site *s = atomic_load(&tw_sites[name]); s; s = s->next)
            add_site(all, s);
    if (all->count) qsort(all->line, (size_t)all->count, sizeof *all->line, by_seconds);
}

/* ---- text and JSON ----------------------------------------------------------------------------------------------- */

static void whys(FILE *f, const struct tw_line *l)
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

/* Whole tables are short, or leave out what took no time: what others call inside can be hundreds of lines. */
enum { SHORT = 16 };
static int is_left_out(const struct tw_lines *all, const struct tw_line *l)
{
    return all->count > SHORT && l->seconds < 0.0005 && !l->why[TW_TAKEN];
}
static void number(FILE *f, int width, const char *format, double value, int known)
{
    char text[32] = "-";
    if (known) snprintf(text, sizeof text, format, value);
    fprintf(f, " %*s", width, text);
}
/* Lines of calls from inside others are set back. */
static int set_back(const struct tw_line *l)
{
    return l->inner == l->calls ? 2 : 0;
}
static void table(FILE *f, const struct tw_lines *all)
{
    int width = 9, names = 20, left_out = 0;

    for (int i = 0; i < all->count; i++) {
        const struct tw_line *l = &all->line[i];
        char symbol[64];
        if (is_left_out(all, l)) continue;
        tw_door_symbol(l->site->name, symbol);
        if ((int)strlen(symbol) + set_back(l) > names) names = (int)strlen(symbol) + set_back(l);
        if ((int)strlen(l->site->object) > width) width = (int)strlen(l->site->object);
    }
    fprintf(f, "  %-*s %-*s %8s %8s %11s %9s %9s  %s\n", names, "name", width, "called by", "calls", "taken", "flops",
            "seconds", "without", "forwarded");
    for (int i = 0; i < all->count; i++) {
        const struct tw_line *l = &all->line[i];
        char symbol[64];
        if (is_left_out(all, l)) {
            left_out++;
            continue;
        }
        tw_door_symbol(l->site->name, symbol);
        fprintf(f, "  %*s%-*s %-*s %8lld %8lld", set_back(l), "", names - set_back(l), symbol, width, l->site->object,
                l->calls, l->why[TW_TAKEN]);
        number(f, 11, "%.3g", l->flops, l->flops > 0);
        number(f, 9, "%.3f", l->seconds, 1);
        number(f, 9, "%.3f", l->without, !l->unknown);
        fprintf(f, "  ");
        whys(f, l);
        fputc('\n', f);
    }
    if (left_out) fprintf(f, "  and %d lines of less than half a millisecond each\n", left_out);
    fprintf(f, "  %.3f s in all%s", all->seconds,
            all->seconds_inner > 0 ? " (lines that are set back: inside of others)" : "");
    fputc('\n', f);
}

static void text(FILE *f, const struct tw_lines *all)
{
    const char *say = tw_advice(all);

    fprintf(f, "libtilework_lapack: %s (process %ld): %lld call%s, %lld taken\n", program_invocation_short_name,
            (long)getpid(), all->calls, all->calls == 1 ? "" : "s", all->taken);
    if (all->count)
        table(f, all);
    else if (!all->children)
        fprintf(f, "  nothing was called by the names that it has (`tilework doctor -- COMMAND` may know why)\n");
    if (all->children)
        fprintf(f, "  forked children: %lld calls, %.3f s, none taken\n", all->children, all->seconds_of_children);
    if (tw_engine_started_in > 0)
        fprintf(f, "  the library was started in %.3f s, which are in no line\n", (double)tw_engine_started_in);
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

static void json(FILE *f, const struct tw_lines *all)
{
    const char *say = tw_advice(all);
    const struct tw_here_rates *rates = all->count ? tw_here_profile() : NULL;

    fprintf(f, "{\"library\": \"libtilework_lapack\", \"program\": ");
    quoted(f, program_invocation_short_name);
    fprintf(f,
            ", \"process\": %ld, \"forked\": %s, \"calls\": %lld, \"taken\": %lld, "
            "\"seconds\": %.6g, \"start\": %.6g, \"children\": {\"calls\": %lld, \"seconds\": %.6g}, \"routines\": [",
            (long)getpid(), atomic_load(&tw_forked) ? "true" : "false", all->calls, all->taken, all->seconds,
            (double)tw_engine_started_in, all->children, all->seconds_of_children);
    for (int i = 0; i < all->count; i++) {
        const struct tw_line *l = &all->line[i];
        char symbol[64];
        char without[32] = "null";
        int some = 0;

        if (!l->unknown) snprintf(without, sizeof without, "%.6g", l->without);
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
                "}, \"inner\": %lld, \"flops\": %.6g, \"flops_taken\": %.6g, \"seconds\": %.6g, "
                "\"seconds_taken\": %.6g, \"seconds_inner\": %.6g, \"seconds_without\": %s, \"predicted\": {\"calls\": "
                "%lld, \"with\": %.6g, \"without\": %.6g}}",
                l->inner, l->flops, l->flops_taken, l->seconds, l->seconds_taken, l->seconds_inner, without,
                l->predicted, l->predicted_with, l->predicted_without);
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
static void append(const char *path, const struct tw_lines *all)
{
    char *line = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&line, &length);
    int fd;

    if (!f) return;
    /* JSON has points, whatever the program's locale; of "C" glibc hands out one static object */
    const locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    json(f, all);
    uselocale(before);
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

static pid_t child; /* a forked child's number, and what it blocked when it began */
static sigset_t blocked;
void tw_report_forget(void)
{
    child = getpid();
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    atomic_store(&tw_engine_started_in, 0);
    for (int name = 0; name < tw_door_count * TW_NAMES; name++)
        for (struct tw_site *s = atomic_load(&tw_sites[name]); s; s = s->next) {
            for (int w = 0; w < TW_WHYS; w++)
                atomic_store(&s->why[w], 0);
            s->flops = s->flops_taken = s->seconds = s->seconds_taken = s->without = s->seconds_inner = 0;
            s->compared = s->compared_without = 0;
            atomic_store(&s->predicted, 0);
            atomic_store(&s->unknown, 0);
            atomic_store(&s->inner, 0);
            s->predicted_with = s->predicted_without = 0;
        }
}

/* Standard error as it was at the start, for programs that close theirs at their end (ls). A number that the program
 * has given another file meanwhile is not ours any more. */
static struct {
    int number;
    struct stat file;
} kept = {.number = -1};
static void keep_stderr(void)
{
    enum { HIGH = 200 }; /* out of the way of programs that count on the lowest ones */
    kept.number = fcntl(2, F_DUPFD_CLOEXEC, HIGH);
    if (kept.number >= 0 && fstat(kept.number, &kept.file)) kept.number = -1;
}
static void to_stderr(const struct tw_lines *all)
{
    struct stat now;
    FILE *f = NULL;

    if (kept.number >= 0 && fcntl(2, F_GETFD) < 0 && fstat(kept.number, &now) == 0 && now.st_dev == kept.file.st_dev &&
        now.st_ino == kept.file.st_ino)
        f = fdopen(kept.number, "w");
    text(f ? f : stderr, all);
    if (f) fflush(f);
}

static void tell(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    struct tw_lines all = {0};

    if (atomic_flag_test_and_set(&done)) return;
    if (tw_settings.calls && !atomic_load(&tw_forked)) calls(tw_settings.calls);
    if (!tw_settings.report) return;
    gather(&all);
    if (tw_children && !atomic_load(&tw_forked)) {
        all.children = atomic_load(&tw_children->calls);
        all.seconds_of_children = tw_children->seconds;
    }
    if (!strcmp(tw_settings.report, "1")) {
        if (all.calls || all.children || tw_settings.run == (long)getpid()) to_stderr(&all);
    } else if (all.calls || all.children)
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

/* Signal handlers may end a process so, in the middle of anything: who has more signals blocked than at the fork may be
 * one, and has no report. */
static int may_be_a_handler(void)
{
    sigset_t now;

    pthread_sigmask(SIG_BLOCK, NULL, &now);
    for (int i = 1; i < NSIG; i++)
        if (sigismember(&now, i) == 1 && sigismember(&blocked, i) != 1) return 1;
    return 0;
}
/* Workers of Python's multiprocessing end so. Children of vfork, for which no handler of fork ran, have their parent's
 * memory, and another number than the one that is kept: they just end. */
__attribute__((visibility("default"), noreturn)) void _exit(int status);
__attribute__((visibility("default"), noreturn)) void _exit(int status)
{
    if (child && child == getpid() && tw_settings.counts && !may_be_a_handler()) {
        child = 0;
        report();
    }
    for (;;)
        (void)syscall(SYS_exit_group, status);
}
__attribute__((visibility("default"), noreturn)) void _Exit(int status);
__attribute__((visibility("default"), noreturn)) void _Exit(int status)
{
    _exit(status);
}

/* Children that a signal ends have no report of their own (a pool's workers); what they called is in their parent's. */
__attribute__((constructor)) static void share_with_children(void)
{
    void *at;

    tw_dropin_prepare();
    if (!tw_settings.report) return;
    if (!strcmp(tw_settings.report, "1")) keep_stderr();
    at = mmap(NULL, sizeof *tw_children, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED) tw_children = at;
}
