/* What libtilework_lapack.so and libtilework_fftw.so can take of a program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/doctor/doctor.h"
#include "cli/preload.h"

struct taken {
    void *library[2]; /* ours; the second may be missing */
    char **name;
    size_t count;
    int mpi_open, mpi_mpich;
};

/* Ours has it itself, not a library that it needs. */
static int is_taken(const struct taken *t, const char *name)
{
    static const char *const own[] = {"libtilework_lapack", "libtilework_fftw"};
    Dl_info info;

    if (*name == '_') return 0; /* _exit, which ours has for its report */
    for (int k = 0; k < 2; k++) {
        void *at = t->library[k] ? dlsym(t->library[k], name) : NULL;
        if (at && dladdr(at, &info) && info.dli_fname && strstr(info.dli_fname, own[k])) return 1;
    }
    return 0;
}

static void add(struct taken *t, const char *name)
{
    char **more, *copy;

    for (size_t k = 0; k < t->count; k++)
        if (!strcmp(t->name[k], name)) return;
    more = realloc(t->name, (t->count + 1) * sizeof *more);
    if (more) t->name = more;
    if (more && (copy = strdup(name))) t->name[t->count++] = copy;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* " name name ...", in order, for free(). NULL: no memory. */
static char *names_of(struct taken *t)
{
    size_t length = 1;
    char *text, *end;

    if (t->count) qsort(t->name, t->count, sizeof *t->name, by_name);
    for (size_t k = 0; k < t->count; k++)
        length += strlen(t->name[k]) + 1;
    if (!(text = end = malloc(length))) return NULL;
    *end = 0;
    for (size_t k = 0; k < t->count; k++)
        end += sprintf(end, " %s", t->name[k]);
    return text;
}

/* A part of a file of so many bytes, whatever a damaged header says. */
static int lies_within(Elf64_Off offset, Elf64_Xword length, off_t size)
{
    return offset <= (Elf64_Off)size && length <= (Elf64_Off)size - offset;
}
static void look_at_symbols(struct taken *t, const char *text, off_t size, const Elf64_Shdr *symbols,
                            const Elf64_Shdr *names)
{
    if (!lies_within(symbols->sh_offset, symbols->sh_size, size) ||
        !lies_within(names->sh_offset, names->sh_size, size))
        return;
    for (size_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        const char *name = text + names->sh_offset;
        memcpy(&symbol, text + symbols->sh_offset + i * sizeof symbol, sizeof symbol);
        if (symbol.st_shndx != SHN_UNDEF || symbol.st_name >= names->sh_size) continue;
        name += symbol.st_name;
        if (!*name || !memchr(name, 0, names->sh_size - symbol.st_name)) continue;
        if (is_taken(t, name)) add(t, name);
    }
}

/* The names that a file needs and ours has. */
static void look_into(struct taken *t, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat s;
    const char *text = fd >= 0 && fstat(fd, &s) == 0 && s.st_size > (off_t)sizeof(Elf64_Ehdr)
                           ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                           : MAP_FAILED;
    const Elf64_Ehdr *h = (const void *)text;

    if (fd >= 0) close(fd);
    if (text == MAP_FAILED) return;
    if (!memcmp(text, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64 &&
        lies_within(h->e_shoff, (size_t)h->e_shnum * sizeof(Elf64_Shdr), s.st_size)) {
        for (int k = 0; k < h->e_shnum; k++) {
            Elf64_Shdr symbols, names;
            memcpy(&symbols, text + h->e_shoff + (size_t)k * sizeof symbols, sizeof symbols);
            if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= h->e_shnum) continue;
            memcpy(&names, text + h->e_shoff + symbols.sh_link * sizeof names, sizeof names);
            look_at_symbols(t, text, s.st_size, &symbols, &names);
        }
    }
    munmap((void *)(uintptr_t)text, (size_t)s.st_size);
}

/* The program's libraries, as the loader finds them: it is asked, and does not run the program. */
static void look_at_libraries(struct taken *t, const char *program)
{
    char line[4600];
    FILE *list;
    int pipes[2];
    pid_t child;

    if (pipe(pipes)) return;
    child = fork();
    if (child == 0) {
        dup2(pipes[1], 1);
        close(pipes[0]);
        setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    list = fdopen(pipes[0], "r");
    while (list && fgets(line, sizeof line, list)) {
        char *path = strstr(line, "=> /");
        if (strstr(line, "libmpi.so")) t->mpi_open++;
        if (strstr(line, "libmpich.so")) t->mpi_mpich++;
        if (!path) continue;
        path += 3;
        path[strcspn(path, " \n")] = 0;
        if (!strstr(path, "libtilework")) look_into(t, path);
    }
    if (list) fclose(list);
}

/* Programs that start another one. */
static int is_launcher(const char *program)
{
    static const char *const list[] = {"mpirun",  "mpiexec", "mpiexec.hydra", "orterun", "prterun", "srun",
                                       "env",     "nice",    "time",          "timeout", "nohup",   "taskset",
                                       "numactl", "stdbuf",  "setsid",        "ionice",  "chrt",    "xvfb-run"};
    const char *name = strrchr(program, '/');

    name = name ? name + 1 : program;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (!strcmp(name, list[k])) return 1;
    return 0;
}
/* The program behind a launcher: the first word that is one, and no flag, variable or number. */
static char **behind(char **argv)
{
    char program[4096];

    while (*argv && is_launcher(*argv)) {
        char **next = argv + 1;
        while (*next && (**next == '-' || strchr(*next, '=') || !cli_preload_program(*next, program)))
            next++;
        if (!*next) return argv;
        doctor_note("%s starts %s, which is looked at", *argv, *next);
        argv = next;
    }
    return argv;
}

void doctor_command(char **argv)
{
    char library[4096 + 32], name[4096], program[4096], why[600], begin[4] = "", *names;
    struct taken t = {0};
    int fd;

    doctor_looked();
    if (!cli_preload_library(library)) {
        doctor_found("no-library", "cmake --install build", "libtilework_lapack.so.0 is not beside libtilework.so");
        return;
    }
    doctor_looked();
    if (!cli_preload_name(library, name))
        doctor_found(
            "preload-name", "export TMPDIR=DIR, of a folder that takes a link and has no blank in its name",
            "%s: the loader cannot be given a name with a blank, a colon or a '$', and there is no place for a "
            "link to it",
            library);
    else if (strcmp(name, library) != 0)
        doctor_note(
            "%s cannot be named in LD_PRELOAD, which is taken apart at blanks and colons: tilework run names %s",
            library, name);
    argv = behind(argv);
    doctor_looked();
    if (!cli_preload_program(argv[0], program)) {
        doctor_found("no-program", "name a program that is on PATH, or its file as ./FILE", "'%s': %s", argv[0],
                     cli_preload_no_program(argv[0]));
        return;
    }
    doctor_looked();
    if (cli_preload_obstacle(program, why)) {
        doctor_found("not-taken", "link it dynamically, without other rights than its user's", "%s", why);
        return;
    }
    fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (read(fd, begin, 4) != 4) begin[0] = 0;
        close(fd);
    }
    if (memcmp(begin, ELFMAG, SELFMAG) != 0) {
        doctor_note("%s is a script: what its interpreter calls is taken (tilework run --report shows it)", program);
        return;
    }
    t.library[0] = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!t.library[0]) {
        doctor_found("no-library", "cmake --install build", "%s", dlerror());
        return;
    }
    memcpy(strrchr(library, '/') + 1, "libtilework_fftw.so.0", sizeof "libtilework_fftw.so.0");
    t.library[1] = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    look_into(&t, program);
    look_at_libraries(&t, program);
    names = names_of(&t);
    doctor_looked();
    if (t.mpi_open && t.mpi_mpich)
        doctor_found("mpi-mixed", "link it with one MPI", "%s loads libraries of Open MPI and of MPICH", program);
    if (t.count && names)
        doctor_note("of %s and its libraries can be taken, where that pays (tilework run --report says what was):%s",
                    program, names);
    else
        doctor_note("%s and its libraries call no name that can be taken by themselves; modules that it loads later "
                    "may (tilework run --report shows it)",
                    program);
    for (size_t k = 0; k < t.count; k++)
        free(t.name[k]);
    free(t.name);
    free(names);
}
