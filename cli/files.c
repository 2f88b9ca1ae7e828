/* Files that the command reads and writes: "-", suffixes, and what is said about them before any work. */
#define _GNU_SOURCE /* memfd_create, eaccess */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"

static FILE *reports; /* NULL: standard output */

FILE *cli_reports(void)
{
    return reports ? reports : stdout;
}

/* ---- input ------------------------------------------------------------------------------------------------------ */

/* All of an open file in one without a name: readers look at a file twice, or at its size. */
static int spool(const char *flag, const char *path, const char *shown, int from, int to)
{
    char piece[1 << 16];
    ssize_t got, put;

    while ((got = read(from, piece, sizeof piece)) != 0) {
        if (got < 0 && errno == EINTR && !cli_interrupted()) continue;
        if (got < 0) return cli_error(CLI_USAGE, "%s %s: %s cannot be read: %s", flag, path, shown, strerror(errno));
        for (ssize_t done = 0; done < got; done += put)
            if ((put = write(to, piece + done, (size_t)(got - done))) < 0)
                return cli_error(CLI_FAILED, "%s %s: %s cannot be kept: %s", flag, path, shown, strerror(errno));
    }
    return 0;
}

/* What was kept of standard input and of pipes, for further turns of the same command. */
static struct kept {
    const char *flag;
    char *path, name[32];
} kept[4];
enum { KEPT = sizeof kept / sizeof *kept };

static int keep(const char *flag, const char **path, int from, const char *shown)
{
    struct kept *k = kept;
    int file, e;

    while (k < kept + KEPT && k->flag && (strcmp(k->flag, flag) != 0 || strcmp(k->path, *path) != 0))
        if (!strcmp((k++)->path, "-") && !strcmp(*path, "-"))
            return cli_error(CLI_USAGE, "%s -: %s is standard input already", flag, k[-1].flag);
    if (k == kept + KEPT) return cli_error(CLI_USAGE, "%s %s: too many pipes", flag, *path);
    if (!k->flag) {
        if (!(k->path = strdup(*path))) return cli_error(CLI_FAILED, "%s: no memory for a file name", flag);
        if ((file = memfd_create("input", MFD_CLOEXEC)) < 0)
            return cli_error(CLI_FAILED, "%s %s: %s cannot be kept: %s", flag, *path, shown, strerror(errno));
        k->flag = flag;
        if ((e = spool(flag, *path, shown, from, file))) return e;
        snprintf(k->name, sizeof k->name, "/dev/fd/%d", file);
        cli_say_instead(k->name, shown);
    }
    *path = k->name;
    return 0;
}

int cli_input_file(const char *flag, const char **path)
{
    struct stat there;
    int e, from;

    if (!*path) return 0;
    if (!strcmp(*path, "-")) return keep(flag, path, STDIN_FILENO, "standard input");
    if (stat(*path, &there) != 0 || !S_ISFIFO(there.st_mode)) return 0;
    for (int k = 0; k < KEPT && kept[k].flag; k++) /* it was read, and may not even be opened a second time */
        if (!strcmp(kept[k].flag, flag) && !strcmp(kept[k].path, *path)) return *path = kept[k].name, 0;
    if ((from = open(*path, O_RDONLY | O_CLOEXEC)) < 0) return 0; /* the reader says why */
    e = keep(flag, path, from, *path);
    close(from);
    return e;
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

int cli_is_standard_output(const char *path)
{
    return path[0] == '-' && (path[1] == 0 || (path[1] == '.' && !strchr(path, '/')));
}

/* Where a file that does not exist is going to be: under its name, or where its symbolic link points to. A copy, or
 * NULL and errno. */
static char *target(const char *path)
{
    struct stat there;
    char *name;
    int file;

    if (lstat(path, &there) != 0) return strdup(path);
    file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC,
                0600); /* a link that leads to nothing yet: a trial, which leaves nothing either */
    if (file < 0) return NULL;
    name = realpath(path, NULL);
    if (name && fstat(file, &there) == 0 && there.st_size == 0) unlink(name);
    close(file);
    return name;
}

/* shown: for messages, the name that the user gave. */
static int can_write(const char *flag, const char *path, const char *shown)
{
    struct stat there;
    char *folder, *slash;
    int e = 0;

    if (cli_is_standard_output(path)) {
        reports = stderr;
        return 0;
    }
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) return cli_error(CLI_FAILED, "%s: %s is a folder", flag, shown);
        if (!S_ISREG(there.st_mode)) /* a device or a pipe: written to as it is */
            return eaccess(path, W_OK) == 0
                       ? 0
                       : cli_error(CLI_FAILED, "%s: %s: cannot write: %s", flag, shown, strerror(errno));
    }
    /* Files are written under another name and renamed: the folder counts. */
    if (!(folder = realpath(path, NULL)) && !(folder = target(path)))
        return cli_error(CLI_FAILED, "%s: %s: cannot write: %s", flag, shown, strerror(errno));
    slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    if (stat(slash ? folder : ".", &there) != 0)
        e = errno;
    else if (!S_ISDIR(there.st_mode))
        e = ENOTDIR;
    else if (eaccess(slash ? folder : ".", W_OK | X_OK) != 0)
        e = errno;
    free(folder);
    return e ? cli_error(CLI_FAILED, "%s: %s: cannot write: %s", flag, shown, strerror(e)) : 0;
}

int cli_can_write(const char *flag, const char *path)
{
    return can_write(flag, path, path);
}

int cli_can_write_prefix(const char *flag, const char *prefix)
{
    char path[4096];

    if (!strcmp(prefix, "-")) return cli_error(CLI_USAGE, "%s -: several files cannot go to standard output", flag);
    const size_t length = strlen(prefix);

    if (length > 3 && !strcmp(prefix + length - 3, ".tw"))
        return cli_error(CLI_USAGE, "%s %s: expected how the files' names begin: %.*s, of which %s is one", flag,
                         prefix, (int)length - 3, prefix, prefix);
    if (*prefix && prefix[length - 1] == '/')
        return cli_error(CLI_USAGE, "%s %s: a folder: expected how the files' names begin, such as %srun", flag, prefix,
                         prefix);
    snprintf(path, sizeof path, "%s.x", prefix); /* a folder of the prefix's name is no obstacle */
    return can_write(flag, path, prefix);
}

/* Where a file is or is going to be, without links, "." and "..": a copy, or NULL. */
static char *place(const char *path)
{
    char *name = realpath(path, NULL), *slash, *folder, *whole = NULL;

    if (name || !(name = target(path))) return name;
    slash = strrchr(name, '/');
    if (slash) *slash = 0;
    if ((folder = realpath(!slash ? "." : *name ? name : "/", NULL))) {
        const char *last = slash ? slash + 1 : name;
        const size_t room = strlen(folder) + strlen(last) + 2;
        if ((whole = malloc(room))) snprintf(whole, room, "%s/%s", folder, last);
    }
    free(folder), free(name);
    return whole;
}

int cli_two_files(const char *flag, const char *path, const char *other, const char *others)
{
    struct stat there;
    char *a, *b;
    int same;

    if (cli_is_standard_output(path) && cli_is_standard_output(others))
        return cli_error(CLI_USAGE, "%s %s: %s goes to standard output already", flag, path, other);
    if (cli_is_standard_output(path) || cli_is_standard_output(others)) return 0;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) return 0; /* a device or a pipe takes both */
    a = place(path), b = place(others);
    same = a && b && !strcmp(a, b);
    free(a), free(b);
    return same ? cli_error(CLI_USAGE, "%s %s: that is the file of %s, too", flag, path, other) : 0;
}

/* ".npy" of a name; NULL without. */
static const char *suffix_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot;

    name = name ? name + 1 : path;
    dot = strrchr(name, '.');
    return dot && (dot > name || cli_is_standard_output(path)) ? dot : NULL;
}

static int unknown_suffix(const char *flag, const char *path, const char *const *suffixes, int bare)
{
    char list[256];
    int at = 0;

    for (int k = 0; suffixes[k]; k++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", k ? ", " : "", suffixes[k]);
    return cli_error(CLI_USAGE, "%s %s: expected a name that ends in one of %s%s, or - for standard output", flag, path,
                     list, bare ? " or has no suffix" : "");
}

int cli_output_file(const char *flag, const char *path, const char *const *suffixes, int bare)
{
    const char *suffix = suffix_of(path);
    int known = suffix == NULL && (bare || cli_is_standard_output(path)), e;

    for (int k = 0; suffixes[k] && suffix; k++)
        known |= !strcasecmp(suffix, suffixes[k]);
    if (!known) return unknown_suffix(flag, path, suffixes, bare);
    if ((e = cli_can_write(flag, path))) return e;
    cli_will_write(cli_is_standard_output(path) ? "standard output" : path);
    return 0;
}
