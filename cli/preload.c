/* Whether a library can be loaded into a program before its own. */
#define _GNU_SOURCE /* dladdr */
#include "cli/preload.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <tilework/runtime.h>
#include <unistd.h>

int cli_preload_library(char path[4096])
{
    union {
        int (*function)(void);
        void *address;
    } ours = {tw_finalize};
    char real[PATH_MAX];
    Dl_info info;
    char *slash;

    if (!dladdr(ours.address, &info) || !info.dli_fname || !realpath(info.dli_fname, real)) return 0;
    slash = strrchr(real, '/');
    if (!slash) return 0;
    *slash = 0;
    return snprintf(path, 4096, "%s/libtilework_lapack.so.0", real) < 4096 && access(path, R_OK) == 0;
}

static int loader_reads(const char *path)
{
    return !path[strcspn(path, " :$\t\n")];
}

/* A folder that no other user can put a link into; made where it is not there. */
static int own_folder(const char *path)
{
    struct stat s;

    if (mkdir(path, 0700) != 0 && errno != EEXIST) return 0;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & 022);
}

/* A link to this folder, which stays for the next program; an older one that leads there serves as well. */
static int link_in(const char *place, const char *folder, char link[4096])
{
    char own[2048], to[PATH_MAX];

    if (!place || *place != '/' || !loader_reads(place) ||
        snprintf(own, sizeof own, "%s/tilework-preload-%ld", place, (long)geteuid()) >= (int)sizeof own ||
        !own_folder(own))
        return 0;
    for (int i = 0; i < 1000; i++) {
        ssize_t length;
        if (snprintf(link, 4096, "%s/%d", own, i) >= 4096) return 0;
        if (symlink(folder, link) == 0) return 1;
        length = errno == EEXIST ? readlink(link, to, sizeof to - 1) : -1;
        if (length < 0) return 0;
        to[length] = 0;
        if (!strcmp(to, folder)) return 1;
    }
    return 0;
}

int cli_preload_name(const char *library, char name[4096])
{
    const char *places[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"}, *slash = strrchr(library, '/');
    char folder[4096], link[4096];

    if (loader_reads(library)) return snprintf(name, 4096, "%s", library) < 4096;
    if (!slash) return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - library), library);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (link_in(places[i], folder, link)) return snprintf(name, 4096, "%s%s", link, slash) < 4096;
    return 0;
}

static int is_program(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

int cli_preload_program(const char *word, char path[4096])
{
    const char *list = getenv("PATH");

    if (strchr(word, '/')) return snprintf(path, 4096, "%s", word) < 4096 && is_program(path);
    for (const char *from = list ? list : "/usr/bin:/bin"; *word;) {
        const size_t length = strcspn(from, ":");
        if (snprintf(path, 4096, "%.*s%s%s", (int)length, from, length ? "/" : "", word) < 4096 && is_program(path))
            return 1;
        if (!from[length]) break;
        from += length + 1;
    }
    return 0;
}

const char *cli_preload_no_program(const char *word)
{
    const size_t length = strlen(word);
    struct stat s;

    if (stat(word, &s) != 0)
        return length && strchr(word + 1, '=') ? "is a variable with a value: put env before it"
                                               : "there is no program of this name";
    if (S_ISREG(s.st_mode) && length > 3 && !strcmp(word + length - 3, ".py") && access(word, X_OK) != 0)
        return "is a program in Python: put python3 before it";
    if (!strchr(word, '/'))
        return is_program(word) ? "is not on PATH: for the one in this folder put ./ before its name"
                                : "there is no program of this name";
    return S_ISDIR(s.st_mode) ? "is a folder, not a program" : "is not executable (chmod +x)";
}

static int says(char why[600], const char *path, const char *text)
{
    snprintf(why, 600, "%.300s %s", path, text);
    return 1;
}

/* An ELF file: the loader has to come first, and be glibc's of this machine. */
static int obstacle_in_elf(int fd, const char *path, char why[600])
{
    static const char damaged[] = "is damaged: the file ends before its program does";
    char loader[256] = "";
    struct stat s;
    Elf64_Ehdr h;
    Elf64_Phdr p;

    if (pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h) return says(why, path, damaged);
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != EM_X86_64)
        return says(why, path, "is a program for another kind of processor");
    for (int i = 0; i < h.e_phnum; i++) {
        if (pread(fd, &p, sizeof p, (off_t)(h.e_phoff + (unsigned)i * sizeof p)) != (ssize_t)sizeof p)
            return says(why, path, damaged);
        /* what is to be mapped has to be there */
        if (p.p_type == PT_LOAD && fstat(fd, &s) == 0 && p.p_offset + p.p_filesz > (Elf64_Off)s.st_size)
            return says(why, path, damaged);
        if (p.p_type != PT_INTERP || *loader) continue;
        if (pread(fd, loader, sizeof loader - 1, (off_t)p.p_offset) < 1) return says(why, path, damaged);
        loader[sizeof loader - 1] = 0;
    }
    if (*loader) {
        return strstr(loader, "musl") ? says(why, path, "is linked with musl, not with glibc") : 0;
    }
    return says(why, path, "is linked statically: nothing can be loaded before its own BLAS. Link it dynamically");
}

static int obstacle(const char *path, char why[600], int depth)
{
    char begin[256] = "", program[4096];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat s;
    int found = 0;

    if (fd < 0) return 0; /* not to be read: not known */
    if (fstat(fd, &s) == 0 && (s.st_mode & (S_ISUID | S_ISGID)) && geteuid() != 0)
        found = says(why, path, "is set-user-ID or set-group-ID: the loader does not load what its user names");
    else if (fgetxattr(fd, "security.capability", NULL, 0) > 0 && geteuid() != 0)
        found = says(why, path, "has file capabilities: the loader does not load what its user names");
    else if (pread(fd, begin, sizeof begin - 1, 0) < 4)
        found = 0;
    else if (!memcmp(begin, ELFMAG, SELFMAG))
        found = obstacle_in_elf(fd, path, why);
    else if (begin[0] == '#' && begin[1] == '!' && depth < 4) {
        char *word = begin + 2 + strspn(begin + 2, " \t"), *more;
        word[strcspn(word, "\n")] = 0;
        more = word + strcspn(word, " \t");
        if (*more) *more++ = 0;
        more += strspn(more, " \t");
        if (strlen(word) > 4 && !strcmp(word + strlen(word) - 4, "/env") && *more && *more != '-') {
            more[strcspn(more, " \t")] = 0;
            word = more;
        }
        if (cli_preload_program(word, program)) found = obstacle(program, why, depth + 1);
    }
    close(fd);
    return found;
}

int cli_preload_obstacle(const char *path, char why[600])
{
    return obstacle(path, why, 0);
}
