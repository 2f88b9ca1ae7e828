/* Output files that are complete or absent. */
#include "runtime/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/error.h"

/* "-", or "-.npy" and so on for a format. */
static int standard_output(const char *path)
{
    return path[0] == '-' && (path[1] == 0 || (path[1] == '.' && !strchr(path, '/')));
}

static int open_standard_output(struct tw_outfile *f)
{
    const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);

    fflush(stdout); /* what the program has written comes first */
    f->path = strdup("standard output");
    f->stream = f->path && fd >= 0 ? fdopen(fd, "w") : NULL;
    if (f->stream) return 0;
    const int e = errno;
    if (fd >= 0) close(fd);
    tw_outfile_abandon(f);
    return tw_fail(TW_E_IO, "standard output: cannot write: %s", strerror(e));
}

/* ---- the temporary files that exist, for tw_outfiles_cancel, which runs in signal handlers ----------------------- */

enum { SLOTS = 16, NAME_MAX_BYTES = 4096, FREE = 0, FILLING, LIVE };
static struct {
    atomic_int state;
    char name[NAME_MAX_BYTES];
} slots[SLOTS];
static atomic_int cancelling; /* who reads the names of live slots: none is filled again meanwhile */
static atomic_int cancelled;  /* how often */

static int slot_take(const char *name)
{
    const size_t length = strlen(name) + 1;

    for (int k = 0; k < SLOTS && length <= NAME_MAX_BYTES; k++) {
        int nobody = FREE;
        if (!atomic_compare_exchange_strong(&slots[k].state, &nobody, FILLING)) continue;
        while (atomic_load(&cancelling)) {} /* some unlink(2)s */
        memcpy(slots[k].name, name, length);
        atomic_store(&slots[k].state, LIVE);
        return k + 1;
    }
    return 0; /* it cannot be cancelled, no more */
}

static void slot_free(int slot)
{
    if (slot) atomic_store(&slots[slot - 1].state, FREE);
}

void tw_outfiles_cancel(void)
{
    const int before = errno;

    atomic_fetch_add(&cancelling, 1);
    atomic_fetch_add(&cancelled, 1);
    for (int k = 0; k < SLOTS; k++)
        if (atomic_load(&slots[k].state) == LIVE) unlink(slots[k].name);
    atomic_fetch_sub(&cancelling, 1);
    errno = before;
}

/* A device or a pipe is written to directly: renaming something over it would replace it. */
static int open_special(struct tw_outfile *f, const char *path)
{
    f->path = strdup(path);
    if (!f->path) return tw_fail(TW_E_MEMORY, "%s: no memory for a file name", path);
    f->stream = fopen(path, "w");
    if (!f->stream) {
        int e = errno;
        tw_outfile_abandon(f);
        return tw_fail(TW_E_IO, "%s: cannot write: %s", path, strerror(e));
    }
    return 0;
}

/* What a path stands for where there is no file yet: itself, or what its symbolic link points to, and so on. A copy, or
 * NULL and errno. */
static char *link_end(const char *path)
{
    char *at = strdup(path), *next, to[4096];

    for (int links = 0; at && links < 40; links++) {
        const ssize_t length = readlink(at, to, sizeof to - 1);
        const char *slash = strrchr(at, '/');
        const size_t folder = slash ? (size_t)(slash - at) + 1 : 0;
        if (length < 0) return at;
        to[length] = 0;
        next = malloc(folder + (size_t)length + 1);
        if (next) snprintf(next, folder + (size_t)length + 1, "%.*s%s", *to == '/' ? 0 : (int)folder, at, to);
        free(at);
        at = next;
    }
    if (!at) return NULL; /* no memory */
    free(at);
    errno = ELOOP;
    return NULL;
}

int tw_outfile_open(struct tw_outfile *f, const char *path)
{
    struct stat st;
    char *target;
    size_t length;
    mode_t mode;
    int fd, exists;

    memset(f, 0, sizeof *f);
    if (standard_output(path)) return open_standard_output(f);
    exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) return open_special(f, path);
    target = realpath(path, NULL); /* a symbolic link stays, what it points to is replaced; NULL for a new file */
    errno = ENOMEM;
    f->path = target ? target : link_end(path);
    if (!f->path && errno == ELOOP) return tw_fail(TW_E_IO, "%s: cannot write: %s", path, strerror(ELOOP));
    length = f->path ? strlen(f->path) : 0;
    f->temporary = malloc(length + 16);
    if (!f->path || !f->temporary) {
        tw_outfile_abandon(f);
        return tw_fail(TW_E_MEMORY, "%s: no memory for a file name", path);
    }
    snprintf(f->temporary, length + 16, "%s.tmp-XXXXXX", f->path);
    fd = mkstemp(f->temporary);
    if (fd < 0) {
        int e = errno;
        free(f->temporary);
        f->temporary = NULL;
        tw_outfile_abandon(f);
        return tw_fail(TW_E_IO, "%s: cannot create the file: %s", path, strerror(e));
    }
    f->slot = slot_take(f->temporary);
    if (exists) {
        mode = st.st_mode & 0777; /* who may read and write what is replaced stays as it was */
    } else {
        mode = umask(0); /* mkstemp's 0600 is not what a new file has */
        umask(mode);
        mode = 0666 & ~mode;
    }
    f->stream = fchmod(fd, mode) == 0 ? fdopen(fd, "w") : NULL;
    if (!f->stream) {
        int e = errno;
        close(fd);
        tw_outfile_abandon(f);
        return tw_fail(TW_E_IO, "%s: cannot write: %s", path, strerror(e));
    }
    return 0;
}

/* ---- several files, all of them or none: complete under their temporary names ------------------------------------ */

enum { HELD = 4 };
static _Thread_local struct {
    int on, count;
    struct tw_outfile file[HELD];
} held;

void tw_outfiles_hold(void)
{
    held.on = 1;
}

/* Its own name, at last: 0 or an error number. */
static int appear(const struct tw_outfile *f)
{
    return f->temporary && rename(f->temporary, f->path) != 0 ? errno : 0;
}

static void forget(struct tw_outfile *f)
{
    slot_free(f->slot);
    free(f->temporary);
    free(f->path);
    memset(f, 0, sizeof *f);
}

static int failed(struct tw_outfile *f, int e)
{
    const int gone = e == ENOENT && f->slot && atomic_load(&cancelled);
    const int code = gone ? tw_fail(TW_E_CANCELLED, "%s: cancelled; no file was left", f->path)
                          : tw_fail(TW_E_IO, "%s: writing failed: %s; no file was left", f->path, strerror(e));
    tw_outfile_abandon(f);
    return code;
}

int tw_outfiles_release(int keep)
{
    int e = 0;

    for (int k = 0; k < held.count; k++) {
        struct tw_outfile *f = &held.file[k];
        const int bad = keep && !e ? appear(f) : 0;
        if (bad)
            e = failed(f, bad);
        else if (keep && !e)
            forget(f);
        else
            tw_outfile_abandon(f);
    }
    held.on = held.count = 0;
    return e;
}

int tw_outfile_commit(struct tw_outfile *f)
{
    int bad = ferror(f->stream), e = errno;

    if (!bad && (fflush(f->stream) != 0 || fsync(fileno(f->stream)) != 0)) {
        e = errno;
        bad = e != EINVAL && e != EROFS; /* fsync of what is no regular file (a pipe) is no failure */
    }
    if (fclose(f->stream) != 0 && !bad) {
        e = errno;
        bad = 1;
    }
    f->stream = NULL;
    if (!bad && held.on && f->temporary && held.count < HELD) {
        held.file[held.count++] = *f;
        memset(f, 0, sizeof *f);
        return 0;
    }
    if (!bad) bad = e = appear(f);
    if (bad) return failed(f, e);
    forget(f);
    return 0;
}

void tw_outfile_abandon(struct tw_outfile *f)
{
    if (f->stream) fclose(f->stream);
    if (f->temporary) {
        unlink(f->temporary);
        free(f->temporary);
    }
    slot_free(f->slot);
    free(f->path);
    memset(f, 0, sizeof *f);
}

void tw_make_directories(const char *dir)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", dir);
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            (void)mkdir(path, 0777); /* exists already, or what comes below cannot be made either */
            *p = '/';
        }
    (void)mkdir(path, 0777);
}

int tw_lock_file(const char *path, double seconds)
{
    const struct timespec pause = {0, 10000000};
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    for (double waited = 0; fd >= 0 && waited < seconds; waited += 0.01) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) break;
        nanosleep(&pause, NULL);
    }
    return fd;
}

void tw_unlock_file(int lock)
{
    if (lock >= 0) close(lock);
}
