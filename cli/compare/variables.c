/* Which variables there are. Tilework tells its own. StarPU tells nobody: but what it asks the environment for stands as text in its library. */
#define _GNU_SOURCE /* dl_iterate_phdr, memmem */
#include <ctype.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"

struct names {
    char **name;
    int count, room;
};

static void add(struct names *n, const char *text, size_t length)
{
    if (n->count == n->room) {
        char **bigger = realloc(n->name, ((size_t)n->room * 2 + 256) * sizeof *bigger);
        if (!bigger) return;
        n->name = bigger;
        n->room = 2 * n->room + 256;
    }
    if ((n->name[n->count] = strndup(text, length))) n->count++;
}

/* Whole words STARPU_… that end a string. */
static void search(struct names *n, const char *from, size_t size)
{
    const char *at = from, *end = from + size;

    while ((at = memmem(at, (size_t)(end - at), "STARPU_", 7))) {
        size_t length = 7;
        while (at + length < end &&
               (isupper((unsigned char)at[length]) || isdigit((unsigned char)at[length]) || at[length] == '_'))
            length++;
        if (length > 7 && at + length < end && !at[length]) add(n, at, length);
        at += length;
    }
}

static int look_into(struct dl_phdr_info *object, size_t size, void *names)
{
    (void)size;
    if (!object->dlpi_name || !strstr(object->dlpi_name, "libstarpu-")) return 0;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[k];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) && !(segment->p_flags & PF_W))
            search(names, (const char *)(object->dlpi_addr + segment->p_vaddr), segment->p_filesz);
    }
    return 0;
}

static struct names starpu;

static const char *any_name(int k)
{
    int own = 0;

    while (cli_variable_name(own))
        own++;
    if (k < own) return cli_variable_name(k);
    return k - own < starpu.count ? starpu.name[k - own] : NULL;
}

int compare_variable_known(const char *name)
{
    const char *word, *nearest = NULL;
    int known = 0, best = 4; /* beyond three letters it is another word */

    if (strncmp(name, "STARPU_", 7) != 0 && strncmp(name, "TILEWORK_", 9) != 0)
        return cli_error(CLI_USAGE, "--set %s: expected a variable STARPU_... or TILEWORK_...", name);
    dl_iterate_phdr(look_into, &starpu);
    if (starpu.count == 0 && !strncmp(name, "STARPU_", 7)) known = 1; /* linked in: nothing to look into */
    for (int k = 0; !known && (word = any_name(k)); k++) {
        const int d = cli_distance(word, name, strlen(name));
        known = d == 0;
        if (d < best) best = d, nearest = word;
    }
    if (!known)
        cli_error(0, "--set %s: there is no such variable%s%s%s (see: tilework help variables)", name,
                  nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    while (starpu.count > 0)
        free(starpu.name[--starpu.count]);
    free(starpu.name);
    starpu = (struct names){0};
    return known ? 0 : CLI_USAGE;
}
