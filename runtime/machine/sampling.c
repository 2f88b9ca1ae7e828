/* StarPU keeps what it measures of the bus in a folder of the user's. What it does there is not made for a folder that
 * cannot be written to, nor for damaged files (it aborts at both), nor for several processes that find the folder empty
 * at the same time (one may read another's half file, and aborts). All are seen to here, before starpu_init: the folder
 * is tried out, the files are compared with a checksum that is written beside them, and processes that measure take
 * turns. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <starpu.h>

#include "runtime/base/environment.h"
#include "runtime/base/file.h"
#include "runtime/base/error.h"
#include "runtime/machine/gpus.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

static int lock = -1;
static char files[1200]; /* <folder>/bus/<host>, of which all files' names are made */

/* ---- the environment during starpu_init -------------------------------------------------------------------------- */

static struct variable {
    const char *name;
    char *before;
    int changed;
} variables[] = {{"STARPU_PERF_MODEL_DIR", NULL, 0}, {"XDG_CACHE_HOME", NULL, 0}};

static int set(struct variable *v, const char *value)
{
    const char *before = getenv(v->name);

    if (before && !strcmp(before, value)) return 0;
    v->before = before ? strdup(before) : NULL;
    v->changed = (!before || v->before) && tw_environment_set(v->name, value) == 0;
    return v->changed ? 0 : tw_fail(TW_E_MEMORY, "no memory for the environment variable %s", v->name);
}

static void restore(struct variable *v)
{
    if (v->changed && v->before)
        (void)tw_environment_set(v->name, v->before);
    else if (v->changed)
        unsetenv(v->name);
    free(v->before);
    v->before = NULL;
    v->changed = 0;
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

/* The folder that StarPU 1.4 will use; it looks at the variables in this order. Empty ones, which it takes for the root
 * folder, count as unset here. */
static int find_folder(char *path, size_t length)
{
    static const char *const homes[] = {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"};
    const char *dir = getenv("STARPU_PERF_MODEL_DIR");

    if (dir && *dir) return snprintf(path, length, "%s", dir) < (int)length;
    for (int k = 0; k < 3; k++)
        if ((dir = getenv(homes[k])) && *dir) return snprintf(path, length, "%s/.starpu/sampling", dir) < (int)length;
    return 0;
}

/* More than the measurements take can be written to a new file there, and the folders that StarPU wants can be made. */
static int usable(const char *folder)
{
    static const char *const below[] = {"bus", "codelets"};
    static const char zeros[65536];
    char path[1200];

    for (int k = 0; k < 2; k++) {
        int fd, sound;
        if (snprintf(path, sizeof path, "%s/%s", folder, below[k]) >= (int)sizeof path - 32) return 0;
        tw_make_directories(path);
        strcat(path, "/tilework.tmp-XXXXXX");
        if ((fd = mkstemp(path)) < 0) return 0;
        sound = write(fd, zeros, sizeof zeros) == (ssize_t)sizeof zeros;
        sound &= close(fd) == 0;
        unlink(path);
        if (!sound) return 0;
    }
    return 1;
}

/* A folder for this user below the one for temporary files, into which nobody else may have put anything. */
static int use_temporary_folder(char *folder, size_t length)
{
    const char *base = getenv("TMPDIR");
    char path[1024], wanted[1024];
    struct stat st;

    snprintf(wanted, sizeof wanted, "%s", folder);
    if (!base || !*base) base = "/tmp";
    if (snprintf(path, sizeof path, "%s/tilework-starpu-%ld", base, (long)getuid()) < (int)sizeof path &&
        (mkdir(path, 0700) == 0 || errno == EEXIST) && lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
        st.st_uid == getuid() && !(st.st_mode & 022) && usable(path)) {
        snprintf(folder, length, "%s", path);
        tw_log(TW_LOG_INFO, "%s cannot be written to: StarPU keeps its measurements in %s",
               *wanted ? wanted : "no home", path);
        return 0;
    }
    return tw_fail(
        TW_E_IO,
        "StarPU needs a folder for its measurements: %s%scannot be written to, and no private folder can be made in "
        "%s. Set STARPU_PERF_MODEL_DIR, HOME or TMPDIR to a folder that can be written to",
        *wanted ? wanted : "HOME is not set", *wanted ? " " : " or ", base);
}

/* ---- its files --------------------------------------------------------------------------------------------------- */

/* The first four are read by StarPU, the others written only. */
static const char *const suffix[] = {"config",       "affinity",        "latency",     "bandwidth",
                                     "platform.xml", "platform.v4.xml", "tilework-sum"};
enum { READ = 4, SUM = 6, SUFFIXES = 7 };

static int name_files(const char *folder)
{
    char host[65] = "";
    const char *name = getenv("STARPU_MPI_HOSTNAMES");

    if (name && *name) return 0; /* StarPU chooses one of them by its rank */
    name = getenv("STARPU_HOSTNAME");
    if (!name || !*name) {
        if (gethostname(host, sizeof host - 1) != 0) return 0;
        host[strcspn(host, ".")] = 0; /* as StarPU names its files */
        name = host;
    }
    snprintf(files, sizeof files, "%s/bus/%.64s", folder, name);
    return 1;
}

static const char *name_of(int k, char path[1240])
{
    snprintf(path, 1240, "%s.%s", files, suffix[k]);
    return path;
}

/* What is no plain file (a pipe would block who opens it) counts as missing. */
static FILE *open_plain(const char *path)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    FILE *f = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;

    if (!f && fd >= 0) close(fd);
    return f;
}

/* FNV-1a of the files that StarPU reads; 0 if one is missing. */
static uint64_t checksum(void)
{
    uint64_t h = 14695981039346656037u;
    char path[1240];

    for (int k = 0; k < READ; k++) {
        int c;
        FILE *f;
        if (!(f = open_plain(name_of(k, path)))) return 0;
        while ((c = getc(f)) != EOF)
            h = (h ^ (unsigned char)c) * 1099511628211u;
        h = (h ^ 0x100) * 1099511628211u;
        fclose(f);
    }
    return h ? h : 1;
}

static int measured(void)
{
    unsigned long long sum = 0;
    char path[1240];
    FILE *f = open_plain(name_of(SUM, path));

    if (!f) return 0;
    if (fscanf(f, "%llx", &sum) != 1) sum = 0;
    fclose(f);
    return sum && sum == checksum();
}

static void keep_sum(void)
{
    uint64_t sum = checksum();
    struct tw_outfile f;
    char path[1240];

    if (!sum || tw_outfile_open(&f, name_of(SUM, path))) return; /* the next start measures again */
    fprintf(f.stream, "%016llx\n", (unsigned long long)sum);
    (void)tw_outfile_commit(&f);
}

/* What was not measured by us, or was changed since, might stop StarPU: away with it. 0 if something stays. */
static int throw_away(void)
{
    char path[1240];
    struct stat st;
    int gone = 1;

    if (access(name_of(0, path), F_OK) == 0)
        tw_log(TW_LOG_INFO, "StarPU's measurements in %s were not kept by Tilework, or are damaged: measured again",
               path);
    for (int k = 0; k < SUFFIXES; k++) {
        (void)remove(name_of(k, path)); /* an empty folder, too */
        if (lstat(path, &st) == 0) gone = 0;
    }
    return gone;
}

/* ---- before and after starpu_init -------------------------------------------------------------------------------- */

/* 1 if StarPU may be started with this folder, -1 if it must not, or an error. */
static int enter(const char *folder, int *first)
{
    char path[1100];
    int e = set(&variables[0], folder);

    if (!e) e = set(&variables[1], folder); /* StarPU would look for measurements below its home, too */
    if (e) return e;
    if (!name_files(folder) || measured()) return 1;
    if (snprintf(path, sizeof path, "%s/tilework.lock", folder) < (int)sizeof path)
        lock = tw_lock_file(path, 60); /* several times what four GPUs take: not for a process that hangs */
    *first = !measured();
    return !*first || throw_away() ? 1 : -1;
}

int tw_sampling_begin(int *first)
{
    char folder[1024] = "";
    int e = 0, found = find_folder(folder, sizeof folder);

    *first = 0;
    files[0] = 0;
    if (!found || !usable(folder)) e = use_temporary_folder(folder, sizeof folder);
    if (!e) e = enter(folder, first);
    if (e == -1) {
        tw_sampling_end(0);
        e = use_temporary_folder(folder, sizeof folder);
        if (!e) e = enter(folder, first);
        if (e == -1) e = tw_fail(TW_E_IO, "%s.config and its like, StarPU's measurements, cannot be removed", files);
    }
    if (e == 1) return 0;
    tw_sampling_end(0);
    return e;
}

/* StarPU measures again by itself where the machine has changed. */
void tw_sampling_end(int started)
{
    if (started && files[0] && !measured()) keep_sum();
    tw_unlock_file(lock);
    lock = -1;
    restore(&variables[0]);
    restore(&variables[1]);
}
