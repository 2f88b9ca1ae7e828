/* StarPU keeps what it measures of the bus in a folder of the user's. What it does there is not made for a folder that cannot
 * be written to (it aborts) nor for several processes that find it empty at the same time (one may read another's half file,
 * and aborts): both are seen to here, before starpu_init. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/internal.h"

static int lock = -1;
static char *users_own; /* STARPU_PERF_MODEL_DIR as it was */
static int replaced;

/* The folder that StarPU 1.4 will use; it looks at the variables in this order, and at empty ones as it does here. */
static int find_folder(char *path, size_t length)
{
    const char *dir = getenv("STARPU_PERF_MODEL_DIR"), *home = getenv("XDG_CACHE_HOME");

    if (!home) home = getenv("STARPU_HOME");
    if (!home) home = getenv("HOME");
    if (dir && *dir) return snprintf(path, length, "%s", dir) < (int)length;
    if (!home) return 0; /* StarPU takes the folder for temporary files */
    return snprintf(path, length, "%s/.starpu/sampling", home) < (int)length;
}

static int measured(const char *folder)
{
    char host[65] = "", path[1200];
    const char *name = getenv("STARPU_HOSTNAME");

    if (!name || !*name) {
        if (gethostname(host, sizeof host - 1) != 0) return 1;
        host[strcspn(host, ".")] = 0; /* as StarPU names its files */
        name = host;
    }
    if (snprintf(path, sizeof path, "%s/bus/%s.config", folder, name) >= (int)sizeof path) return 1;
    return access(path, F_OK) == 0;
}

static int writable(const char *folder)
{
    tw_make_directories(folder);
    return access(folder, W_OK | X_OK) == 0;
}

/* A folder for this user below the one for temporary files, into which nobody else may have put anything. */
static int use_temporary_folder(char *folder, size_t length)
{
    const char *base = getenv("TMPDIR"), *old = getenv("STARPU_PERF_MODEL_DIR");
    char path[1024];
    struct stat there;

    if (snprintf(path, sizeof path, "%s/tilework-starpu-%ld", base && *base ? base : "/tmp", (long)getuid()) >=
        (int)sizeof path)
        return 0;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return 0;
    if (lstat(path, &there) != 0 || !S_ISDIR(there.st_mode) || there.st_uid != getuid() || (there.st_mode & 022))
        return 0;
    users_own = old ? strdup(old) : NULL;
    if (setenv("STARPU_PERF_MODEL_DIR", path, 1) != 0) return 0;
    replaced = 1;
    tw_log(TW_LOG_INFO, "%s cannot be written to: StarPU keeps its measurements in %s", folder, path);
    return snprintf(folder, length, "%s", path) < (int)length;
}

int tw_sampling_begin(void)
{
    char folder[1024], path[1100];

    if (!find_folder(folder, sizeof folder)) return 0;
    if (!writable(folder) && !use_temporary_folder(folder, sizeof folder)) return 0;
    if (measured(folder)) return 0;
    if (snprintf(path, sizeof path, "%s/tilework.lock", folder) < (int)sizeof path)
        lock = tw_lock_file(path, 60); /* several times what four GPUs take: not for a process that hangs */
    return !measured(folder);
}

void tw_sampling_end(void)
{
    tw_unlock_file(lock);
    lock = -1;
    if (!replaced) return;
    if (users_own)
        setenv("STARPU_PERF_MODEL_DIR", users_own, 1);
    else
        unsetenv("STARPU_PERF_MODEL_DIR");
    free(users_own);
    users_own = NULL;
    replaced = 0;
}
