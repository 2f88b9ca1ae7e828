/* tilework doctor: what its files share. A check looks at one thing and tells of what it finds by doctor_found; it
 * changes nothing. */
#ifndef CLI_DOCTOR_DOCTOR_H
#define CLI_DOCTOR_DOCTOR_H
#include <stddef.h>

/* A check has looked; and a finding of its: a name for scripts, why it matters, and a shell command (or an action) that
 * puts it right. */
void doctor_looked(void);
void doctor_found(const char *name, const char *command, const char *why, ...) __attribute__((format(printf, 3, 4)));
/* A remark that is no finding. */
void doctor_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The first line of a file of the system's, such as /proc/loadavg (below TILEWORK_DOCTOR_ROOT, for tests); 0: there is
 * none. */
int doctor_read(const char *path, char *line, size_t size);
/* What stands behind a word at the beginning of a line of such a file, such as "MemTotal:"; 0: there is no such
 * line. */
int doctor_field(const char *path, const char *word, char *text, size_t size);
/* The same as a number; < 0: not there. */
double doctor_number(const char *path, const char *word);
int doctor_exists(const char *path);
/* Numbers in a list such as 0-3,8; 0 for none. */
int doctor_count(const char *list);

/* OpenMP binds threads to cores, this one as well: the variable that says so, or NULL. */
const char *doctor_binding(void);

void doctor_machine(void);        /* cores, memory, limits, GPUs' nodes */
void doctor_variables(void);      /* misspelt or harmful ones, threads, MPI */
void doctor_library(void);        /* StarPU, BLAS, the profile: starts the library */
void doctor_kernels(void);        /* BLAS as it is loaded: starts nothing */
void doctor_command(char **argv); /* what of a program can be taken */
#endif
