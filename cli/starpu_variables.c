/* Which variables StarPU has. It tells none: but what it asks the environment for stands as text in its library. */
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT, memmem */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"

enum { NAMES = 1024, FEW = 50 };
static char *names[NAMES + 1];
static int count, looked;

static void add(const char *text, size_t length)
{
    if (count < NAMES && (names[count] = strndup(text, length))) count++;
}

/* Whole words that end a string; digits of a device's number stand there as a format. */
static void search(const char *text, size_t size)
{
    const char *end = text + size;

    for (const char *at = text; (at = memmem(at, (size_t)(end - at), "STARPU_", 7)); at += 7) {
        size_t length = 0;
        while (at + length < end && at[length] && length < 62 &&
               (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_%", at[length]) || (length && at[length - 1] == '%')))
            length++;
        if (length > 7 && at + length < end && !at[length]) add(at, length);
    }
}

static void look(void)
{
    Dl_info library;
    void *init = dlsym(RTLD_DEFAULT, "starpu_init");
    struct stat s;
    char *text;
    int fd;

    if (looked) return;
    looked = 1;
    if (!init || !dladdr(init, &library) || (fd = open(library.dli_fname, O_RDONLY | O_CLOEXEC)) < 0) return;
    text = fstat(fd, &s) == 0 ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (text == MAP_FAILED) return;
    search(text, (size_t)s.st_size);
    munmap(text, (size_t)s.st_size);
}

/* STARPU_LIMIT_CUDA_0_MEM is STARPU_LIMIT_CUDA_%d_MEM. */
static int same(const char *format, const char *name, size_t length)
{
    size_t i = 0;
    for (; *format; format++) {
        if (*format == '%' && format[1]) {
            const size_t from = i;
            format++;
            while (i < length && name[i] >= '0' && name[i] <= '9')
                i++;
            if (i == from && *format != 's') return 0;
            if (*format == 's') /* a kind of device */
                while (i < length && name[i] != '_')
                    i++;
        } else if (i >= length || name[i++] != *format)
            return 0;
    }
    return i == length;
}

/* Of a library that has few of them it cannot be said that one is not there. */
int cli_starpu_variable_known(const char *name, size_t length)
{
    look();
    for (int k = 0; k < count; k++)
        if (same(names[k], name, length)) return 1;
    return count <= FEW;
}

const char *cli_starpu_variable_nearest(const char *name, size_t length)
{
    const char *nearest = NULL;
    int best = 4; /* beyond three letters it is another word */

    look();
    for (int k = 0; k < count; k++) {
        const int d = cli_distance(names[k], name, length);
        if (d < best) best = d, nearest = names[k];
    }
    return nearest;
}
