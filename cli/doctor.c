/* tilework doctor: what is wrong with this machine, these variables, this installation, or a program that is to be run
 * with Tilework. */
#define _GNU_SOURCE /* vasprintf */
#include <getopt.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/compare/compare.h"
#include "cli/doctor/doctor.h"

static json_t *findings, *notes;
static int looked;

static int usage(void)
{
    printf(
        "usage: tilework doctor [--json] [--no-start] [-- PROGRAM]\n"
        "\n"
        "Looks for what makes Tilework slow, wrong or unusable here: for each finding its name, why it matters, and "
        "what\n"
        "puts it right, a command where there is one. Changes nothing but what any start keeps in the cache folder. "
        "With a PROGRAM also what `tilework run` can take of it.\n"
        "  --json      one object: findings (finding, why, command), notes, looked (how many things were looked at)\n"
        "  --no-start  does not start the library: says nothing of StarPU's workers and the machine profile\n"
        "Exit status: 0 without a finding, 1 with one, 2 for bad usage.\n");
    return CLI_OK;
}

void doctor_looked(void)
{
    looked++;
}
/* Names and values of variables may be any bytes: JSON has no text that is not UTF-8, and a finding would be lost. */
void doctor_found(const char *name, const char *command, const char *why, ...)
{
    char text[2600], action[2600];
    va_list list;

    va_start(list, why);
    vsnprintf(text, sizeof text, why, list);
    va_end(list);
    snprintf(action, sizeof action, "%s", command);
    compare_text_repair(text);
    compare_text_repair(action);
    json_array_append_new(findings, json_pack("{s:s, s:s, s:s}", "finding", name, "why", text, "command", action));
}
void doctor_note(const char *format, ...)
{
    char *text = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&text, format, list) >= 0) {
        compare_text_repair(text);
        json_array_append_new(notes, json_string(text));
    }
    va_end(list);
    free(text);
}

/* ---- the system's files ------------------------------------------------------------------------------------------ */

static FILE *open_system(const char *path)
{
    const char *root = cli_variable("TILEWORK_DOCTOR_ROOT");
    char whole[4096];
    FILE *f;

    snprintf(whole, sizeof whole, "%s%s", root ? root : "", path);
    f = fopen(whole, "re");
    return f;
}
int doctor_read(const char *path, char *line, size_t size)
{
    FILE *f = open_system(path);
    const int there = f && fgets(line, (int)size, f);

    if (f) fclose(f);
    if (there) line[strcspn(line, "\n")] = 0;
    return there;
}
int doctor_field(const char *path, const char *word, char *text, size_t size)
{
    FILE *f = open_system(path);
    char line[512];
    int found = 0;

    while (f && !found && fgets(line, sizeof line, f)) {
        const char *at = line + strlen(word);
        if (strncmp(line, word, strlen(word)) != 0) continue;
        at += strspn(at, " \t");
        snprintf(text, size, "%.*s", (int)strcspn(at, "\n"), at);
        found = 1;
    }
    if (f) fclose(f);
    return found;
}
double doctor_number(const char *path, const char *word)
{
    char text[64];
    double number;
    return doctor_field(path, word, text, sizeof text) && sscanf(text, "%lf", &number) == 1 ? number : -1;
}
int doctor_exists(const char *path)
{
    const char *root = cli_variable("TILEWORK_DOCTOR_ROOT");
    char whole[4096];
    return snprintf(whole, sizeof whole, "%s%s", root ? root : "", path) < (int)sizeof whole &&
           access(whole, F_OK) == 0;
}
int doctor_count(const char *list)
{
    int count = 0, from, to, length;

    while (sscanf(list, "%d%n", &from, &length) == 1) {
        list += length;
        to = from;
        if (*list == '-' && sscanf(list + 1, "%d%n", &to, &length) == 1) list += 1 + length;
        count += to - from + 1;
        if (*list != ',') break;
        list++;
    }
    return count;
}

/* ---- what is said ------------------------------------------------------------------------------------------------ */

static int print_json(void)
{
    json_t *all = json_pack("{s:O, s:O, s:i}", "findings", findings, "notes", notes, "looked", looked);
    if (!all || json_dumpf(all, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER)) return CLI_FAILED;
    printf("\n");
    json_decref(all);
    return CLI_OK;
}
static void print_text(void)
{
    json_t *f;
    size_t k;

    json_array_foreach(findings, k, f)
        printf("%s\n  why  %s\n  fix  %s\n", json_string_value(json_object_get(f, "finding")),
               json_string_value(json_object_get(f, "why")), json_string_value(json_object_get(f, "command")));
    json_array_foreach(notes, k, f) printf("note: %s\n", json_string_value(f));
    printf("%zu finding%s; %d things were looked at\n", json_array_size(findings),
           json_array_size(findings) == 1 ? "" : "s", looked);
}

static int run(int argc, char **argv)
{
    static const struct option flags[] = {
        {"json", no_argument, NULL, 'j'}, {"no-start", no_argument, NULL, 'n'}, {"help", no_argument, NULL, 'h'}, {0}};
    int json = 0, start = 1, c;

    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, "+h", flags, NULL)) != -1)
        switch (c) {
        case 'h': return usage();
        case 'j': json = 1; break;
        case 'n': start = 0; break;
        default: return cli_unknown_flag(cli_refused(argv), flags, "tilework doctor -h");
        }
    findings = json_array(), notes = json_array();
    if (!findings || !notes) return cli_error(CLI_FAILED, "doctor: no memory");
    doctor_machine();
    doctor_variables();
    doctor_kernels();
    if (start) doctor_library();
    if (optind < argc) doctor_command(argv + optind);
    c = json_array_size(findings) > 0 ? CLI_FAILED : CLI_OK;
    if (!json)
        print_text();
    else if (print_json())
        c = CLI_FAILED;
    return c;
}

CLI_COMMAND(98, doctor) = {
    .name = "doctor",
    .summary = "what is wrong here, why, and a command against it; what of a program can be taken:  tilework doctor -- "
               "PROGRAM",
    .run = run,
};
