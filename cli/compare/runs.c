/* The processes: a setting's environment and flags, its times, how busy the machine was with others. */
#define _GNU_SOURCE /* memfd_create, wait4 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/compare/compare.h"

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* Seconds of all cores that were spent at work since the start of the machine, and 0 if the system does not tell. */
static double machine_busy(void)
{
    unsigned long long user, nice, kernel, idle, wait, irq, soft, steal = 0;
    FILE *f = fopen("/proc/stat", "r");
    int n = f ? fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &kernel, &idle, &wait, &irq,
                       &soft, &steal)
              : 0;

    if (f) fclose(f);
    return n >= 7 ? (double)(user + nice + kernel + irq + soft + steal) / (double)sysconf(_SC_CLK_TCK) : 0;
}

static double seconds_of(const struct rusage *u)
{
    return (double)u->ru_utime.tv_sec + 1e-6 * (double)u->ru_utime.tv_usec + (double)u->ru_stime.tv_sec +
           1e-6 * (double)u->ru_stime.tv_usec;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped; /* the signal that came */
static volatile pid_t running;        /* the process that is waited for; 0: none */
static pid_t self;

/* The process under way ends within a second of it, and then we do. The second signal ends us where we are, and that
 * process by our end. */
static void on_signal(int number)
{
    const int before = errno;

    stopped = number;
    if (running > 0 && getpid() == self) kill(running, SIGTERM);
    errno = before;
}

static void catch_signals(void)
{
    struct sigaction action;

    self = getpid();
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int compare_stopped(const struct compare_plan *plan, const struct compare_runs *runs)
{
    if (!stopped) return 0;
    if (runs->blocks > 0)
        return cli_error(128 + stopped, "interrupted; the runs of complete blocks are in %s.csv", plan->output);
    return cli_error(128 + stopped, "interrupted, before the first block was complete");
}

/* ---- one process ------------------------------------------------------------------------------------------------- */

struct process {
    int status;
    double wall, others;
    char *out, *err;
};

/* Those that know --repeat: all but what moves particles in time or down a slope. */
static int repeats(const char *name)
{
    return strcmp(name, "nbody") != 0 && strcmp(name, "md") != 0 && strcmp(name, "minimize") != 0;
}

static void put(const char **argv, int *n, const char *word)
{
    if (*n < 1000) argv[(*n)++] = word;
}

/* In the child: the setting's variables, its flags behind the command's own, and the command. */
static void become(const struct compare_plan *plan, int setting, const char *trace)
{
    const char *argv[1002];
    char count[32];
    int n = 0;

    put(argv, &n, "tilework");
    for (char **at = plan->command; *at; at++)
        put(argv, &n, *at);
    unsetenv("TILEWORK_TRACE");
    setenv("TILEWORK_PROGRESS", "0", 1);
    for (int k = 0; k < plan->naxes; k++) {
        const struct compare_axis *a = &plan->axis[k];
        const char *value = a->value[compare_value(plan, setting, k)];
        if (a->kind == COMPARE_VARIABLE) {
            if (*value)
                setenv(a->name, value, 1);
            else
                unsetenv(a->name);
        } else if (a->kind == COMPARE_FLAG || !strcmp(value, "yes")) {
            put(argv, &n, a->name);
            if (a->kind == COMPARE_FLAG) put(argv, &n, value);
        }
    }
    put(argv, &n, "--json");
    if (trace) put(argv, &n, "--trace"), put(argv, &n, trace);
    if (repeats(plan->command[0])) {
        snprintf(count, sizeof count, "%d", trace ? 2 : plan->runs + 1);
        put(argv, &n, "--repeat"), put(argv, &n, count);
    }
    argv[n] = NULL;
    execv("/proc/self/exe", (char *const *)argv);
    fprintf(stderr, "/proc/self/exe: %s\n", strerror(errno));
    _exit(127);
}

/* All of a file in memory as text. */
static char *content(int fd)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    char *text = calloc((size_t)(size > 0 ? size : 0) + 1, 1);
    size_t got = 0;
    ssize_t n = 1;

    lseek(fd, 0, SEEK_SET);
    while (text && got < (size_t)size && n > 0)
        if ((n = read(fd, text + got, (size_t)size - got)) > 0) got += (size_t)n;
    return text;
}

static int start(const struct compare_plan *plan, int setting, const char *trace, struct process *p)
{
    const int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    const double from = cli_seconds(), busy = machine_busy();
    struct rusage used;
    int status = 0;
    const pid_t parent = getpid(), child = out < 0 || err < 0 ? -1 : fork();

    *p = (struct process){0};
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* nothing would wait for its times */
        if (getppid() != parent) _exit(126);
        dup2(out, STDOUT_FILENO), dup2(err, STDERR_FILENO);
        become(plan, setting, trace);
    }
    running = child;
    if (stopped && child > 0) kill(child, SIGTERM); /* it came between */
    while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR) {}
    running = 0;
    if (child > 0) {
        p->wall = cli_seconds() - from;
        p->others = p->wall > 0 ? (machine_busy() - busy - seconds_of(&used)) / p->wall : 0;
        if (p->others < 0) p->others = 0; /* the clock of /proc/stat is coarse */
        p->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        p->out = content(out), p->err = content(err);
    }
    if (out >= 0) close(out);
    if (err >= 0) close(err);
    if (child > 0 && p->out && p->err) return 0;
    free(p->out), free(p->err);
    return cli_error(CLI_FAILED, "compare: a process could not be started: %s", strerror(errno));
}

static void process_free(struct process *p)
{
    free(p->out), free(p->err);
}

/* ---- what it printed --------------------------------------------------------------------------------------------- */

int compare_runs_add(struct compare_runs *runs, const struct compare_run *run)
{
    if (runs->count == runs->room) {
        struct compare_run *more = realloc(runs->run, (2 * (size_t)runs->room + 256) * sizeof *more);
        if (!more) return cli_error(-1, "compare: no memory");
        runs->run = more;
        runs->room = 2 * runs->room + 256;
    }
    runs->run[runs->count++] = *run;
    return 0;
}

void compare_runs_free(struct compare_runs *runs)
{
    free(runs->run), free(runs->message);
}

/* A line's number under the metric's name; NaN: none. Summaries of --repeat have another one. */
static double metric(const char *line, size_t length, const char *key)
{
    json_t *o = json_loadb(line, length, 0, NULL), *v = json_object_get(o, key);
    const double seconds = json_is_number(v) && !json_object_get(o, "summary") ? json_number_value(v) : NAN;

    json_decref(o);
    return seconds;
}

/* The last line that the process wrote to stderr, without the program's name. */
static void remember(struct compare_runs *runs, int setting, const char *err, int status)
{
    const size_t length = strlen(err);
    const char *end = err + length, *from;

    while (end > err && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    for (from = end; from > err && from[-1] != '\n'; from--) {}
    if (!strncmp(from, "tilework: ", 10)) from += 10;
    if (from < end) {
        char *to = runs->message[setting];
        snprintf(to, sizeof runs->message[setting], "%.*s", (int)(end - from), from);
        compare_text_cut(to), compare_text_repair(to); /* it may quote a file, or a library that writes anything */
    } else if (status > 128)
        snprintf(runs->message[setting], sizeof runs->message[setting], "ended by signal %d (%s)", status - 128,
                 strsignal(status - 128));
    else
        snprintf(runs->message[setting], sizeof runs->message[setting], "exit status %d", status);
}

/* What processes say on stderr that end well, such as warnings: of the first one of each setting. */
static void pass_on(const struct compare_plan *plan, int setting, const char *err)
{
    char label[300];

    compare_label(plan, setting, label, sizeof label);
    for (const char *at = err; *at; at += *at == '\n') {
        const int length = (int)strcspn(at, "\n"), name = strncmp(at, "tilework: ", 10) ? 0 : 10;
        if (length > name) {
            char line[600]; /* it may quote a file, or a library that writes anything */
            snprintf(line, sizeof line, "%.*s", length - name, at + name);
            compare_text_cut(line), compare_text_repair(line);
            cli_error(0, "%s: %s", label, line);
        }
        at += length;
    }
}

static int one(const struct compare_plan *plan, struct compare_runs *runs, struct compare_run run)
{
    struct process p;
    int e = start(plan, run.setting, NULL, &p), n = 0;

    if (e) return e;
    if (stopped) {
        process_free(&p);
        return compare_stopped(plan, runs);
    }
    if (run.block == 0 && p.status == 0) pass_on(plan, run.setting, p.err);
    run.status = p.status;
    run.others = p.others;
    for (const char *at = p.out; p.status == 0 && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        run.seconds = metric(at, strcspn(at, "\n"), plan->metric);
        if (!(run.seconds >= 0)) continue;
        run.run = ++n;
        if (compare_runs_add(runs, &run)) e = CLI_FAILED;
    }
    if (p.status == 0 && n == 0 && run.block == 0) { /* it will have none the next time either */
        process_free(&p);
        return cli_error(CLI_FAILED, "--metric %s: the command's JSON has no number \"%s\"", plan->metric,
                         plan->metric);
    }
    if (p.status == 0 && n == 0) {
        run.status = 1;
        snprintf(runs->message[run.setting], sizeof runs->message[run.setting], "its JSON has no number \"%s\"",
                 plan->metric);
    } else if (p.status != 0) {
        remember(runs, run.setting, p.err, p.status);
    }
    if (run.status) {
        run.run = 0, run.seconds = NAN;
        if (compare_runs_add(runs, &run)) e = CLI_FAILED;
    }
    process_free(&p);
    return e;
}

int compare_run_traced(const struct compare_plan *plan, int setting, const char *prefix)
{
    struct process p;
    int status;

    if (start(plan, setting, prefix, &p)) return -1;
    status = p.status;
    process_free(&p);
    return status ? -1 : 0;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static int failed_last(const struct compare_runs *runs)
{
    return runs->count > 0 ? runs->run[runs->count - 1].status : 0;
}

static void say_progress(const struct compare_plan *plan, int block, double since)
{
    const double left = block > 0 ? since / block * (plan->blocks - block) : 0;

    if (!isatty(STDERR_FILENO) || plan->json) return;
    fprintf(stderr, "\rblock %d of %d done, %.0f s, about %.0f s left   ", block, plan->blocks, since, left);
    if (block == plan->blocks) fputc('\n', stderr);
    fflush(stderr);
}

/* Before all blocks each setting runs once: machine profiles, models and files are made then, and what cannot run is
 * seen. */
static int warm_up(const struct compare_plan *plan, struct compare_runs *runs, double begin)
{
    int failed = 0, e;
    char label[300];

    for (int s = 0; s < plan->settings; s++) {
        if ((e = one(plan, runs, (struct compare_run){.order = s, .setting = s, .started = cli_seconds() - begin})))
            return e;
        if (!(e = failed_last(runs))) continue;
        failed++;
        compare_label(plan, s, label, sizeof label);
        if (e == CLI_USAGE) return cli_error(e, "%s: %s", label, runs->message[s]);
    }
    if (failed < plan->settings) return 0;
    return cli_error(CLI_FAILED, "compare: the command fails with every setting: %s", runs->message[0]);
}

int compare_runs_make(const struct compare_plan *plan, struct compare_runs *runs)
{
    unsigned long long random = plan->seed;
    char path[4096];
    int order[COMPARE_SETTINGS], e;
    double begin = cli_seconds(), since;

    runs->message = calloc((size_t)plan->settings, sizeof *runs->message);
    if (!runs->message) return cli_error(CLI_FAILED, "compare: no memory");
    snprintf(path, sizeof path, "%s.csv", plan->output);
    if (plan->blocks < compare_least_blocks(plan->settings))
        cli_error(0, "note: with %d block%s nothing can be decided about %d settings: that takes --blocks %d at least",
                  plan->blocks, plan->blocks == 1 ? "" : "s", plan->settings, compare_least_blocks(plan->settings));
    if (!strncmp(plan->metric, "gflops", 6))
        cli_error(0, "note: --metric %s: the setting with the least of it will be called the best", plan->metric);
    catch_signals();
    if ((e = warm_up(plan, runs, begin))) return e;
    since = cli_seconds();
    for (int s = 0; s < plan->settings; s++)
        order[s] = s;
    for (int b = 1; b <= plan->blocks; b++) {
        compare_shuffle(order, plan->settings, &random);
        for (int k = 0; k < plan->settings; k++) {
            const struct compare_run run = {
                .block = b, .order = k, .setting = order[k], .started = cli_seconds() - begin};
            if ((e = one(plan, runs, run))) return e;
        }
        runs->blocks = b;
        if ((e = compare_table_write(plan, runs, path))) return e;
        say_progress(plan, b, cli_seconds() - since);
    }
    return 0;
}
