/* The list of variables is ours once a name has been added to it: it has room for more, and is never given back. A new
 * entry is complete before the list shows it, and behind the last one there is always a NULL. What a reader found in an
 * earlier list is still there. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* environ */

#include "runtime/base/environment.h"

enum { SPARE = 64 };
#define NOWHERE ((size_t)-1)

static struct list {
    struct list *next;
    size_t room;
    char *entry[]; /* room + 1 of them; those behind the last one are NULL */
} * lists;
static struct text {
    struct text *next;
    char text[];
} * texts; /* entries that were made, once each: they are kept, as readers may have them */

static char *text_of(const char *name, const char *value)
{
    const size_t length = strlen(name) + strlen(value) + 2;
    struct text *t = malloc(sizeof *t + length);

    if (!t) return NULL;
    snprintf(t->text, length, "%s=%s", name, value);
    for (const struct text *k = texts; k; k = k->next)
        if (!strcmp(k->text, t->text)) {
            free(t);
            return (char *)k->text;
        }
    t->next = texts;
    texts = t;
    return t->text;
}

static void store(char **entry, char *text)
{
    __atomic_store_n(entry, text, __ATOMIC_RELEASE);
}

/* A list of ours with what the present one has, `count` entries, and room: the last one that was made, where it has
 * enough, since the program's own setenv may have put another in its place. */
static int take_over(size_t count)
{
    struct list *l = lists;

    if (!l || count >= l->room) {
        if (!(l = calloc(1, sizeof *l + (count + SPARE + 1) * sizeof *l->entry))) return -1;
        l->room = count + SPARE;
        l->next = lists;
        lists = l;
    }
    for (size_t k = 0; k < count; k++)
        store(&l->entry[k], environ[k]);
    for (size_t k = count; k < l->room; k++)
        store(&l->entry[k], NULL);
    __atomic_store_n(&environ, l->entry, __ATOMIC_RELEASE);
    return 0;
}

int tw_environment_set(const char *name, const char *value)
{
    const size_t length = strlen(name);
    size_t count = 0, at = NOWHERE;
    char *text = text_of(name, value);

    if (!text) return -1;
    for (; environ && environ[count]; count++)
        if (at == NOWHERE && !strncmp(environ[count], name, length) && environ[count][length] == '=') at = count;
    if (at == NOWHERE) {
        at = count;
        if ((!lists || environ != lists->entry || count >= lists->room) && take_over(count)) return -1;
    }
    store(&environ[at], text);
    return 0;
}
