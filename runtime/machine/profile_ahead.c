/* The machine profile before the library runs: what an earlier program left in the cache directory. Nothing is started
 * or measured for it, and CUDA is not asked: which GPUs there are only a file knows. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/error.h"
#include "runtime/base/variables.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/machine_profile.h"

#define PATH 1024
enum { LOOKED_AT = 8 }; /* profiles at most, the newest: a cache directory may be shared by many machines */

struct found {
    char path[PATH];
    struct timespec when;
};

static int newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Among the newest so far, newest first. */
static int insert(struct found *list, int count, const struct found *f)
{
    int at = count < LOOKED_AT ? count++ : LOOKED_AT - 1;

    if (at == LOOKED_AT - 1 && list[at].path[0] && !newer(&f->when, &list[at].when)) return count;
    for (; at > 0 && newer(&f->when, &list[at - 1].when); at--)
        list[at] = list[at - 1];
    list[at] = *f;
    return count;
}

static int newest(const char *dir, struct found *list)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    int count = 0;

    while (d && (e = readdir(d))) {
        const size_t length = strlen(e->d_name);
        struct found f;
        struct stat st;
        if (strncmp(e->d_name, "profile-", 8) != 0 || length < 13 || strcmp(e->d_name + length - 5, ".json") != 0)
            continue;
        if ((size_t)snprintf(f.path, sizeof f.path, "%s/%s", dir, e->d_name) >= sizeof f.path) continue;
        if (stat(f.path, &st) != 0) continue;
        f.when = st.st_mtim;
        count = insert(list, count, &f);
    }
    if (d) closedir(d);
    return count;
}

/* The newest one of these cores that knows of GPUs. */
static int with_gpus(const char *dir, const struct tw_profile_key *cores, struct tw_profile *p)
{
    struct found *list = calloc(LOOKED_AT, sizeof *list);
    const int count = list ? newest(dir, list) : 0;
    int got = 0;

    for (int k = 0; k < count && !got; k++) {
        struct tw_profile_key key;
        const char *why;
        got = tw_profile_read_key(list[k].path, &key) && tw_key_gpus(&key) > 0 && tw_key_same_cores(&key, cores) &&
              tw_profile_read(list[k].path, &key, p, &why);
    }
    free(list);
    return got;
}

static int find(int gpus, struct tw_profile *p)
{
    struct tw_config c = {.ncpu = 0};
    struct tw_profile_key key;
    const char *why;
    char path[PATH];

    if (tw_variable_is_on(TW_TILEWORK_REPROBE)) return 0;
    if (tw_config_cache_dir(&c)) { /* the start will say so again */
        tw_clear_message();
        return 0;
    }
    if (!c.cache_dir[0]) return 0;
    tw_key_make_without_gpus(&key);
    if (gpus && with_gpus(c.cache_dir, &key, p)) return 1;
    snprintf(path, sizeof path, "%s/profile-%016llx.json", c.cache_dir, (unsigned long long)tw_key_hash(&key));
    return tw_profile_read(path, &key, p, &why);
}

int tw_profile_ahead(int gpus, struct tw_profile *p)
{
    return find(gpus, p) ? p->valid = 1 : 0; /* files do not say that they are valid */
}
