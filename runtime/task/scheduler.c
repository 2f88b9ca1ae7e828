/* Which scheduling policy StarPU starts with: Tilework's, one of StarPU's, or one of a library of the user's
 * (STARPU_SCHED_LIB).
 *
 * StarPU goes on with lws, and a warning that STARPU_SILENT hides, where a name is unknown or a library does not load.
 * An experiment that silently runs another policy is worth less than none, so names and libraries are looked at here,
 * and StarPU gets the policy itself. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>

#include "runtime/base/environment.h"
#include "runtime/base/error.h"
#include "runtime/base/state.h"
#include "runtime/task/task_private.h"

/* ---- a user's library -------------------------------------------------------------------------------------------- */

/* What StarPU asks of one: the policy of a name, or NULL; and, if it likes, all of them. */
typedef struct starpu_sched_policy *policy_of_name(const char *name);
typedef struct starpu_sched_policy **all_policies(void);

static struct {
    void *handle;
    const char *variable, *file; /* who named it, and its name */
    policy_of_name *find;
    all_policies *all;
} library; /* since the last start; kept open while its policy may run */

static void *function(const char *name)
{
    return dlsym(library.handle, name);
}

static int open_library(void)
{
    const char *env = getenv("STARPU_SCHED_LIB");
    void *find, *all;

    if (library.handle) dlclose(library.handle);
    memset(&library, 0, sizeof library);
    library.variable = env && *env ? "STARPU_SCHED_LIB" : "sched_lib";
    library.file = env && *env ? env : tw_rt.config.sched_lib;
    if (!*library.file) return 0;
    library.handle = dlopen(library.file, RTLD_NOW);
    if (!library.handle) return tw_fail(TW_E_OPTION, "%s=%s: %s", library.variable, library.file, dlerror());
    find = function("starpu_get_sched_lib_policy");
    all = function("starpu_get_sched_lib_policies");
    if (!find)
        return tw_fail(TW_E_OPTION,
                       "%s=%s: this library has no function starpu_get_sched_lib_policy, by which StarPU asks for its "
                       "policies",
                       library.variable, library.file);
    memcpy(&library.find, &find, sizeof find); /* C has no conversion between the two kinds of pointers */
    memcpy(&library.all, &all, sizeof all);
    return 0;
}

static int in_library(const void *address)
{
    Dl_info of_find, of_address;
    void *own;

    memcpy(&own, &library.find, sizeof own);
    return dladdr(own, &of_find) && address && dladdr(address, &of_address) &&
           of_find.dli_fbase == of_address.dli_fbase;
}

/* The k-th policy's name, or NULL behind the last. Published examples forget the NULL at the end, so what follows has
 * to be of the library, too. */
static const char *name_in_library(int k)
{
    struct starpu_sched_policy **list = library.all ? library.all() : NULL;

    for (int i = 0; list && i <= k && i < 32; i++) {
        if (!in_library(list[i]) || !in_library(list[i]->policy_name)) return NULL;
        if (i == k) return list[i]->policy_name;
    }
    return NULL;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void add(char *list, size_t size, const char *name)
{
    if (strlen(list) + strlen(name) + 2 < size) strcat(strcat(list, " "), name);
}

/* StarPU's own, of its tests: it holds every task back until the program calls starpu_do_schedule(). */
static int waits_for_ever(const struct starpu_sched_policy *p)
{
    return !strcmp(p->policy_name, "graph_test");
}

/* NULL if there is none. */
static struct starpu_sched_policy *policy_named(const char *name)
{
    struct starpu_sched_policy *found = library.find ? library.find(name) : NULL, **p;

    if (found) return found;
    if (!strcmp(name, tw_policy.policy_name)) return &tw_policy;
    for (p = starpu_sched_get_predefined_policies(); *p; p++)
        if (!strcmp((*p)->policy_name, name)) return *p;
    return NULL;
}

static int unknown(const char *where, const char *name)
{
    char list[900];
    const char *own;

    snprintf(list, sizeof list, " %s", tw_policy.policy_name);
    for (int k = 0; (own = name_in_library(k)); k++)
        add(list, sizeof list, own);
    for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
        if (!waits_for_ever(*p)) add(list, sizeof list, (*p)->policy_name);
    return tw_fail(TW_E_OPTION, "%s=%s: there is no such scheduler%s%s; there are:%s", where, name,
                   library.handle ? ", neither in " : "", library.handle ? library.file : "", list);
}

static int nameless(void)
{
    char list[300] = "";
    const char *own;

    for (int k = 0; (own = name_in_library(k)); k++)
        add(list, sizeof list, own);
    return tw_fail(TW_E_OPTION, "%s=%s: say which of its policies (STARPU_SCHED=NAME)%s%s", library.variable,
                   library.file, *list ? "; it has:" : "", list);
}

/* StarPU would end the program at the first of these that is missing. */
static int complete(const struct starpu_sched_policy *p, const char *name)
{
    const char *lacks = !p->push_task     ? "push_task"
                        : !p->pop_task    ? "pop_task"
                        : !p->policy_name ? "policy_name"
                                          : NULL;

    if (!lacks) return 0;
    return tw_fail(TW_E_OPTION, "%s=%s: its policy %s has no %s", library.variable, library.file, name, lacks);
}

int tw_sched_choose(struct starpu_conf *conf, int cuda)
{
    const char *env = getenv("STARPU_SCHED"), *name = env && *env ? env : tw_rt.config.sched;
    int e = open_library();

    if (e) return e;
    if (!*name && library.handle) return nameless();
    if (!*name) name = cuda ? tw_policy.policy_name : "lws";
    conf->sched_policy = policy_named(name);
    conf->sched_policy_name = NULL;
    if (!conf->sched_policy) return unknown(name == env ? "STARPU_SCHED" : "sched", name);
    for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
        if (*p == conf->sched_policy && waits_for_ever(*p))
            return tw_fail(TW_E_OPTION,
                           "%s=%s: this scheduler holds every task back until the program calls starpu_do_schedule(), "
                           "so that nothing would ever run: choose another one",
                           name == env ? "STARPU_SCHED" : "sched", name);
    if (library.handle && (e = complete(conf->sched_policy, name))) return e;
    conf->sched_policy = tw_rest_between(conf->sched_policy);
    return 0;
}

/* ---- StarPU's start ---------------------------------------------------------------------------------------------- */

static struct {
    const char *name;
    char *value;
} hidden[] = {{"STARPU_SCHED", NULL}, {"STARPU_SCHED_LIB", NULL}};

void tw_sched_hide(void)
{
    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
        const char *value = getenv(hidden[k].name);
        if (value && (hidden[k].value = strdup(value))) unsetenv(hidden[k].name);
    }
}

void tw_sched_show(void)
{
    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
        if (hidden[k].value) (void)tw_environment_set(hidden[k].name, hidden[k].value);
        free(hidden[k].value);
        hidden[k].value = NULL;
    }
}
