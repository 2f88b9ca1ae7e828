/* Addresses of other libraries' functions, past what a program preloads. */
#define _GNU_SOURCE /* dladdr1 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtime/base/foreign.h"

/* A library that an object needs, and has loaded; NULL: it is not there under this name. */
struct needed {
    void *handle;
    ElfW(Addr) base;
};
static struct needed open_needed(const char *soname)
{
    struct needed n = {dlopen(soname, RTLD_LAZY | RTLD_NOLOAD), 0};
    struct link_map *map;

    if (n.handle && dlinfo(n.handle, RTLD_DI_LINKMAP, &map) == 0)
        n.base = map->l_addr;
    else if (n.handle)
        (void)dlclose(n.handle), n.handle = NULL;
    return n;
}

/* Its own function of that name, not one of a library that it needs itself. */
static void *own(const struct needed *n, const char *name)
{
    void *at = dlsym(n->handle, name);
    Dl_info where;

    return at && dladdr(at, &where) && (ElfW(Addr))where.dli_fbase == n->base ? at : NULL;
}

void tw_foreign_bind(const void *near, const char *const *name, void *table, size_t count)
{
    const ElfW(Dyn) * entry;
    const char *strings = NULL;
    struct link_map *map = NULL;
    Dl_info info;

    if (!dladdr1(near, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !map->l_ld) return;
    for (entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB) strings = (const char *)entry->d_un.d_ptr;
    for (entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != DT_NEEDED) continue;
        const struct needed n = open_needed(strings + entry->d_un.d_val);
        for (size_t k = 0; n.handle && k < count; k++) {
            void *at = own(&n, name[k]);
            if (at) memcpy((char *)table + k * sizeof at, &at, sizeof at); /* functions of all types */
        }
        if (n.handle) (void)dlclose(n.handle); /* this object keeps it loaded */
    }
}
