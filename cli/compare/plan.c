/* The command line of tilework compare: every flag before "--" that is not its own is an axis. */
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"

static int usage(void)
{
    printf("usage: tilework compare [axes] [flags] -- COMMAND [its flags]\n"
           "       tilework compare --from P.csv\n\n"
           "Runs a command of Tilework's with different settings, a process for each, and says which are faster, and "
           "by how much.\n\n"
           "Axes; with several, all combinations are compared. The first value of each makes the setting that the "
           "others are compared with.\n"
           "  --FLAG A,B[,C...]  a flag of the command, as --sched lws,prio or --nb 256,512\n"
           "  --set VAR=A,B      a variable, STARPU_... or TILEWORK_...; an empty value: unset\n"
           "  --switch FLAG      a flag without a value: left out, and given\n"
           "A single value is a setting of all.\n\n"
           "  --blocks B         blocks: each runs every setting once, in an order of its own [10]\n"
           "  --runs R           runs in each process, besides the first, which counts apart; a block's time is their "
           "median [2]\n"
           "  --seed S           of the order [1]\n"
           "  --same P           differences of up to P %% count as none [2]\n"
           "  --metric KEY       the number of the command's JSON that is compared, smaller is better [seconds]\n"
           "  --output P         P.csv (all runs) and P.html (plots) [compare]\n"
           "  --no-traces        no further runs of the first and the best setting with a trace (P-first, P-best)\n"
           "  --from P.csv       look at the runs of that table again; --same, --output and --json go with it\n"
           "  --json             one JSON object\n\n"
           "Verdicts are those of Wilcoxon's signed-rank test on the ratios within blocks, with the interval that "
           "belongs to it; all of them "
           "together\n"
           "call settings that are equal different in at most 4 of 100 comparisons.\n"
           "Exit status: 0, 1 if the command failed in some blocks, 2 for bad usage or bad input.\n");
    return CLI_ASKED_HELP;
}

/* ---- flags of the command ---------------------------------------------------------------------------------------- */

/* Whole flags that others begin with: these are not meant as short for others. tests/cli/compare.sh looks for them in
 * the commands. */
static const char *const whole[] = {"check", "eps", "f", "g", "h", "k", "m", "n", "r", "sched", "to", "tol", "trans"};

static int is_whole(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        if (strlen(whole[k]) == length && !strncmp(whole[k], name, length)) return 1;
    return 0;
}

/* Two words, as "--nb" and "--nb=2", set the same flag: commands take any beginning of a flag for it that no other one
 * has. */
static int same_flag(const char *a, const char *b)
{
    if (strncmp(a, "--", 2) != 0 || strncmp(b, "--", 2) != 0) return 0;
    const size_t n = strcspn(a += 2, "="), m = strcspn(b += 2, "="), shorter = n < m ? n : m;

    if (shorter == 0 || strncmp(a, b, shorter) != 0) return 0;
    return n == m || !is_whole(a, shorter);
}

/* What compare gives the command itself: its name, or NULL. */
static const char *own_flag(const char *word)
{
    static const char *const own[] = {"--json", "--repeat", "--trace"};

    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (same_flag(word, own[k])) return own[k];
    return NULL;
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static int no_memory(void)
{
    return cli_error(CLI_FAILED, "compare: no memory");
}

int compare_add_axis(struct compare_plan *plan, int kind, const char *name, const char *values)
{
    struct compare_axis *a = &plan->axis[plan->naxes];

    if (plan->naxes == COMPARE_AXES) return cli_error(CLI_USAGE, "%s: there are %d axes already", name, COMPARE_AXES);
    for (int k = 0; k < plan->naxes; k++)
        if (!strcmp(plan->axis[k].name, name) || same_flag(plan->axis[k].name, name))
            return cli_error(CLI_USAGE, "%s: given twice", name);
    if (!compare_text_clean(name))
        return cli_error(CLI_USAGE, "compare: an axis' name with control characters, or not in UTF-8");
    *a = (struct compare_axis){.kind = kind};
    plan->naxes++;
    if (!(a->name = strdup(name))) return no_memory();
    for (const char *at = values;; at++) {
        const size_t length = strcspn(at, ",");
        char **more = realloc(a->value, ((size_t)a->count + 1) * sizeof *more);
        if (!more) return no_memory();
        a->value = more;
        if (!(more[a->count] = strndup(at, length))) return no_memory();
        for (int k = 0; k < a->count; k++)
            if (!strcmp(more[k], more[a->count])) {
                free(more[a->count]);
                return cli_error(CLI_USAGE, "%s %s: %s stands there twice", name, values, more[k]);
            }
        if (compare_text_controls(more[a->count++]))
            return cli_error(CLI_USAGE, "%s: a value with a control character", name);
        if (kind == COMPARE_FLAG && length == 0) return cli_error(CLI_USAGE, "%s %s: a value is empty", name, values);
        at += length;
        if (!*at) return 0;
    }
}

static int add_variable(struct compare_plan *plan, const char *value)
{
    const char *equal = strchr(value, '=');
    char name[128];
    int e;

    if (!equal || equal == value || (size_t)(equal - value) >= sizeof name)
        return cli_error(CLI_USAGE, "--set %s: expected VAR=A,B, as STARPU_SCHED=lws,prio", value);
    snprintf(name, sizeof name, "%.*s", (int)(equal - value), value);
    if ((e = compare_variable_known(name))) return e;
    return compare_add_axis(plan, COMPARE_VARIABLE, name, equal + 1);
}

static int add_switch(struct compare_plan *plan, const char *flag)
{
    char name[128];

    flag += strspn(flag, "-");
    if (!*flag || strlen(flag) > 100) return cli_error(CLI_USAGE, "--switch %s: expected a flag's name", flag);
    snprintf(name, sizeof name, "--%s", flag);
    if (own_flag(name))
        return cli_error(CLI_USAGE, "--switch %s: compare gives the command %s itself", flag, own_flag(name));
    return compare_add_axis(plan, COMPARE_SWITCH, name, "no,yes");
}

int compare_value(const struct compare_plan *plan, int setting, int axis)
{
    for (int k = plan->naxes - 1; k > axis; k--)
        setting /= plan->axis[k].count;
    return setting % plan->axis[axis].count;
}

void compare_label(const struct compare_plan *plan, int setting, char *text, size_t size)
{
    size_t used = 0;

    *text = 0;
    for (int k = 0; k < plan->naxes; k++) {
        const struct compare_axis *a = &plan->axis[k];
        const char *value = a->value[compare_value(plan, setting, k)];
        if (a->count == 1 || used >= size) continue;
        if (a->kind == COMPARE_SWITCH)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? " " : "",
                                     strcmp(value, "no") ? "" : "without ", a->name);
        else
            used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", used ? " " : "", a->name,
                                     a->kind == COMPARE_VARIABLE ? "=" : " ", *value ? value : "(unset)");
    }
    if (used >= size) compare_text_cut(text);
    compare_text_repair(text);
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

static int whole_number(const char *flag, const char *value, int low, int high, int *to)
{
    long long v = 0;

    if (cli_whole_number(flag, value, low, high, &v)) return CLI_USAGE;
    *to = (int)v;
    return 0;
}

static int text(const char *flag, const char *value, const char **to)
{
    if (!*value) return cli_error(CLI_USAGE, "%s: the name is empty", flag);
    if (!strcmp(flag, "--metric") && !compare_text_clean(value)) /* a line of the table, a text in JSON */
        return cli_error(CLI_USAGE, "%s: a name with control characters, or not in UTF-8", flag);
    *to = value;
    return 0;
}

static int one_flag(struct compare_plan *plan, const char *flag, const char *value)
{
    long long seed = 0;

    if (!strcmp(flag, "--blocks")) return whole_number(flag, value, 1, 1000, &plan->blocks);
    if (!strcmp(flag, "--runs")) return whole_number(flag, value, 1, 10000, &plan->runs);
    if (!strcmp(flag, "--seed")) {
        if (cli_whole_number(flag, value, 0, INT64_MAX, &seed)) return CLI_USAGE;
        plan->seed = (unsigned long long)seed;
        return 0;
    }
    if (!strcmp(flag, "--same")) {
        if (cli_real(flag, value, 0, 50, &plan->same)) return CLI_USAGE;
        plan->same *= 0.01;
        return 0;
    }
    if (!strcmp(flag, "--metric")) return text(flag, value, &plan->metric);
    if (!strcmp(flag, "--output")) return text(flag, value, &plan->output);
    if (!strcmp(flag, "--from")) return text(flag, value, &plan->from);
    if (!strcmp(flag, "--set")) return add_variable(plan, value);
    if (!strcmp(flag, "--switch")) return add_switch(plan, value);
    if (same_flag(flag, "--repeat"))
        return cli_error(CLI_USAGE, "%s: say --runs: all runs of a process but the first", flag);
    if (same_flag(flag, "--trace"))
        return cli_error(CLI_USAGE, "%s: runs with a trace are other runs; compare makes some (P-first, P-best)", flag);
    if (own_flag(flag)) return cli_error(CLI_USAGE, "%s: compare gives the command %s itself", flag, own_flag(flag));
    return compare_add_axis(plan, COMPARE_FLAG, flag, value);
}

static int read_flags(struct compare_plan *plan, int argc, char **argv)
{
    int k, e;

    for (k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        char flag[128];
        const char *equal = strchr(argv[k], '='), *value = equal ? equal + 1 : NULL;
        if (!strcmp(argv[k], "-h")) return usage();
        if (strncmp(argv[k], "--", 2) != 0)
            return cli_error(CLI_USAGE, "%s: not a flag; the command stands behind -- (see: tilework help compare)",
                             argv[k]);
        snprintf(flag, sizeof flag, "%.*s", (int)(equal ? equal - argv[k] : 127), argv[k]);
        if (!strcmp(flag, "--json") || !strcmp(flag, "--no-traces")) {
            if (value) return cli_error(CLI_USAGE, "%s: takes no value", flag);
            if (!strcmp(flag, "--json"))
                plan->json = 1;
            else
                plan->traces = 0;
            continue;
        }
        if (!value && (k + 1 == argc || !strcmp(argv[k + 1], "--")))
            return cli_error(CLI_USAGE, "%s: needs a value", flag);
        if ((e = one_flag(plan, flag, value ? value : argv[++k]))) return e;
    }
    if (k < argc) plan->command = argv + k + 1;
    return 0;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* The command's own flag that an axis sets, too: the later one would count, whatever the title says. */
static int is_axis(const struct compare_plan *plan, const char *flag)
{
    for (int k = 0; k < plan->naxes; k++)
        if (plan->axis[k].kind != COMPARE_VARIABLE && same_flag(flag, plan->axis[k].name)) return 1;
    return 0;
}

static int computes(const char *name)
{
    for (int k = 0; cli_routines[k]; k++)
        if (!strcmp(name, cli_routines[k]->name)) return 1;
    for (int k = 0; cli_commands[k]; k++)
        if (!strcmp(name, cli_commands[k]->name)) return cli_commands[k]->computes == 2 || !strcmp(name, "fft");
    return 0;
}

static int no_command(const char *name)
{
    const char *nearest = cli_nearest(name, cli_word);
    const char *last = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;

    if (!strcmp(last, "tilework"))
        return cli_error(CLI_USAGE, "compare: -- %s: the command's name alone: -- potrf --n 4096", name);
    if (nearest && computes(nearest))
        return cli_error(CLI_USAGE, "compare: -- %s: there is no such command; did you mean %s?", name, nearest);
    return cli_error(CLI_USAGE,
                     "compare: -- %s: expected a command of Tilework's that computes, such as potrf --n 4096 "
                     "(tilework help lists them)",
                     name);
}

static int check_command(const struct compare_plan *plan)
{
    const char *name = plan->command ? plan->command[0] : NULL;

    if (!name)
        return cli_error(CLI_USAGE, "compare: the command is missing: -- potrf --n 4096 (see: tilework help compare)");
    if (!computes(name)) return no_command(name);
    for (char **at = plan->command + 1; *at; at++)
        if (own_flag(*at)) return cli_error(CLI_USAGE, "%s: compare gives the command %s itself", *at, own_flag(*at));
    for (char **at = plan->command + 1; *at; at++)
        if (is_axis(plan, *at)) return cli_error(CLI_USAGE, "%s: it stands in the command, and is compared, too", *at);
    return 0;
}

static int title_of(struct compare_plan *plan)
{
    size_t length = 1;

    for (char **at = plan->command; *at; at++)
        length += strlen(*at) + 1;
    if (!(plan->title = calloc(length, 1))) return no_memory();
    for (char **at = plan->command; *at; at++) {
        if (at != plan->command) strcat(plan->title, " ");
        strcat(plan->title, *at);
    }
    for (char *c = plan->title; *c; c++) /* it is one line of the table */
        if ((unsigned char)*c < ' ') *c = ' ';
    compare_text_repair(plan->title);
    return 0;
}

static int check(struct compare_plan *plan)
{
    int e;

    if (plan->from) {
        if (plan->command || plan->naxes)
            return cli_error(CLI_USAGE, "--from: the table says what was compared; no axes, no command");
        return 0;
    }
    if ((e = check_command(plan)) || (e = title_of(plan))) return e;
    plan->settings = 1;
    for (int k = 0; k < plan->naxes; k++) {
        plan->settings *= plan->axis[k].count;
        if (plan->settings > COMPARE_SETTINGS)
            return cli_error(CLI_USAGE, "compare: more than %d settings", COMPARE_SETTINGS);
    }
    if (plan->settings < 2)
        return cli_error(
            CLI_USAGE,
            "compare: one setting only: give an axis two values, as --sched lws,prio or --set STARPU_NCPU=1,2");
    return 0;
}

int compare_plan_read(struct compare_plan *plan, int argc, char **argv)
{
    int e;

    *plan = (struct compare_plan){
        .blocks = 10, .runs = 2, .seed = 1, .same = 0.02, .metric = "seconds", .output = NULL, .traces = 1};
    e = read_flags(plan, argc, argv);
    return e ? e : check(plan);
}

void compare_plan_free(struct compare_plan *plan)
{
    for (int k = 0; k < plan->naxes; k++) {
        for (int v = 0; v < plan->axis[k].count; v++)
            free(plan->axis[k].value[v]);
        free(plan->axis[k].value);
        free(plan->axis[k].name);
    }
    free(plan->title);
}
