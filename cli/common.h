/* What the commands `tilework` and `tilework-fft` share: messages, numbers, Ctrl-C, files, and the flags that all of
 * them know. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include <getopt.h>
#include <stdio.h>
#include <tilework/runtime.h>

/* Exit statuses of the command; a signal gives 128 + its number. */
enum cli_exit { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* ---- message.c -------------------------------------------------------------------------------------------------- */

extern const char *cli_program; /* before every message: "tilework", "tilework fft" */
/* "tilework: …" on stderr; returns status. */
int cli_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a library call that returned `code`: prints its message (not after Ctrl-C), returns the exit status it
 * deserves. */
int cli_library_error(const char *what, int code);
/* The same about input: a file that cannot be read, or not be understood, is bad input. */
int cli_input_error(const char *what, int code);
/* The library's last message, in the user's words: valid until the next call. */
const char *cli_last_message(void);
/* From now on messages of the library say `now` where they say `then`: a flag for the variable behind it. */
void cli_say_instead(const char *then, const char *now);

/* ---- number.c --------------------------------------------------------------------------------------------------- */

/* A whole number in [low, high]: 4096, 1e3, 2^20, 64K (K, M, G, T: powers of 1024). 0, or -1 after a message that names
 * the flag. */
int cli_whole_number(const char *flag, const char *text, long long low, long long high, long long *value);
/* A real number within [low, high]: 0, or -1 after a message that names the flag. */
int cli_real(const char *flag, const char *text, double low, double high, double *value);

/* ---- nearest.c -------------------------------------------------------------------------------------------------- */

/* How many letters of a are missing, superfluous, wrong or exchanged with their neighbours in the first `length`
 * letters of b. */
int cli_distance(const char *a, const char *b, size_t length);
/* Which of the known words (known(k), NULL behind the last) a mistyped one is nearest to; NULL: none is near. */
const char *cli_nearest(const char *word, const char *(*known)(int k));

/* ---- refused.c -------------------------------------------------------------------------------------------------- */

/* The argument at which getopt_long gave '?'. */
const char *cli_refused(char **argv);
/* Why getopt_long, or a parser like it, refused argument `given`, with the flag that was probably meant, and where to
 * look: CLI_USAGE. */
int cli_unknown_flag(const char *given, const struct option *flags, const char *page);

/* ---- interrupt.c ------------------------------------------------------------------------------------------------ */

/* From now on SIGINT and SIGTERM cancel what runs, and end the command within a second whatever it does. */
void cli_catch_signals(void);
int cli_interrupted(void); /* the signal's number, or 0 */
/* The file that is going to be written in the end (NULL: none), for what is said after Ctrl-C; and that it was. */
void cli_will_write(const char *path);
void cli_has_written(void);
/* What every main function returns: says that a signal came, or that standard output could not be written (unless its
 * reader has left), and gives the exit status. */
int cli_end(int status);
/* At the very beginning: closed standard files, limits of files' sizes. */
void cli_begin(void);
/* Reports so far reach their reader: 0, or CLI_FAILED when they cannot; cli_end says so. */
int cli_flush(void);

/* ---- files.c ---------------------------------------------------------------------------------------------------- */

/* Where reports go: standard output, or standard error when that takes a file. */
FILE *cli_reports(void);
/* "-" in *path becomes a file that holds standard input, once in a run, and a pipe one that holds what comes through
 * it. 0 or an exit status after a message. */
int cli_input_file(const char *flag, const char **path);
/* Before any work: the name ends in one of the suffixes (".mtx", …; NULL ends them) or, if `bare`, in none; it is "-"
 * (or "-.mtx", …); and it can be written. 0 or an exit status after a message. */
int cli_output_file(const char *flag, const char *path, const char *const *suffixes, int bare);
/* The same for what is only written, whatever its name: a table, a checkpoint, the files of a trace. */
int cli_can_write(const char *flag, const char *path);
/* "-", or "-.npy" and so on. */
int cli_is_standard_output(const char *path);
/* Two flags' outputs: 0, or, if they are one file or both standard output, CLI_USAGE after a message. */
int cli_two_files(const char *flag, const char *path, const char *other, const char *others);
/* The same for files whose names begin so. */
int cli_can_write_prefix(const char *flag, const char *prefix);

/* ---- machine.c: flags that all commands know -------------------------------------------------------------------- */

extern const char cli_machine_help[]; /* for the usage texts of commands besides the routines */
/* Takes --sched, --sched-lib, --ncpu, --ncuda, --limit-cuda-mem and (if `trace`) --trace out of argv and sets what they
 * stand for; then runs the command, once for each of --sched's policies. Returns its exit status, the first that is not
 * 0. */
int cli_run_on_machine(int argc, char **argv, int trace, int (*run)(int argc, char **argv));
/* Where this turn's trace goes: PREFIX, or PREFIX-POLICY where --sched has several. For commands that read
 * --trace themselves; it stays until the next turn. */
const char *cli_trace_of_policy(const char *prefix);
/* Variables named TILEWORK_… that mean nothing: a warning each, with the nearest name. names: those that mean
 * something, NULL at the end. */
void cli_warn_of_variables(const char *(*name)(int k));
/* Once the library runs: what was asked of this machine and is not there. */
void cli_warn_of_workers(void);

/* ---- parallel.c ------------------------------------------------------------------------------------------------- */

int cli_cores(void); /* that this process may use */
/* body(context, k) for 0 <= k < count, by a thread on every core, in any order; after Ctrl-C not all of them. */
void cli_parallel(long count, void (*body)(void *context, long k), void *context);

/* ---- repeat.c --------------------------------------------------------------------------------------------------- */

/* The times of --repeat. */
struct cli_times {
    double *seconds;
    int count;
};
/* One run more; without memory it is left out. */
void cli_times_add(struct cli_times *t, double seconds);
/* The median, the least and the spread of two or more times, as a line or a JSON object; forgets them. */
void cli_times_report(struct cli_times *t, const char *routine, int json);

/* Tilework's own variables: the k-th name, NULL behind the last; what one is set to, NULL for nothing; a line each, for
 * a shell's eval, too. */
const char *cli_variable_name(int k);
const char *cli_variable(const char *name);
void cli_print_variables(const char *indent, int with_values);

/* ---- starpu_variables.c: StarPU's own, as its library names them ------------------------------------------------- */

/* 1 where that cannot be said, too. */
int cli_starpu_variable_known(const char *name, size_t length);
/* The one that was probably meant; NULL: none is near. */
const char *cli_starpu_variable_nearest(const char *name, size_t length);

/* ---- json_text.c ------------------------------------------------------------------------------------------------- */

/* A new jansson string with '?' for what JSON or a terminal cannot take; null for NULL. NULL without memory. */
struct json_t *cli_json_text(const char *text);

#endif
