/* Whose call it is, LAPACK's own functions, infos, and the count of calls. */
#define _GNU_SOURCE /* RTLD_NEXT, dl_iterate_phdr */
#include "dropin/dropin.h"
#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <tilework/runtime.h>
#include "runtime/base/file.h"
#include "runtime/base/gate.h"
#include "runtime/base/variables.h"

/* The program's own if it has one, as LAPACK's test programs do. */
void xerbla_(const char *routine, const int *argument, size_t length);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum { ALL, LAPACK, BLAS, NONE } taken; /* TILEWORK_DROPIN */
static uintptr_t program_begins, program_ends; /* the main program's addresses */
static _Thread_local int inside;               /* a call that was taken is under way in this thread */

static void look_up(struct tw_dropin_door *door)
{
    char name[16] = "";

    for (size_t i = 0; door->name[i] && door->name[i] != ' ' && i < sizeof name - 2; i++)
        name[i] = (char)tolower((unsigned char)door->name[i]), name[i + 1] = '_';
    atomic_store(&door->own, dlsym(RTLD_NEXT, name));
}

/* The first object is the program. */
static int find_program(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    program_begins = UINTPTR_MAX;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t begins = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type != PT_LOAD) continue;
        if (begins < program_begins) program_begins = begins;
        if (begins + object->dlpi_phdr[i].p_memsz > program_ends) program_ends = begins + object->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

static void prepare(void)
{
    static const char *const words[] = {"all", "lapack", "blas", "none", NULL};
    int word = ALL;

    if (tw_variable_word(TW_TILEWORK_DROPIN, words, &word))
        fprintf(stderr, "libtilework_lapack: %s\n", tw_last_message());
    taken = (unsigned)word;
    dl_iterate_phdr(find_program, NULL);
    for (struct tw_dropin_door *d = tw_dropin_doors; d->name; d++)
        look_up(d);
}

static int refused(const struct tw_dropin_door *door)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;

    if (!tw_begin()) return 0;
    if (!atomic_flag_test_and_set(&said))
        fprintf(stderr, "libtilework_lapack: %.6s goes to LAPACK, as do all while this lasts: %s\n", door->name,
                tw_last_message());
    return 1;
}

int tw_dropin_enter(struct tw_dropin_door *door, const void *caller)
{
    const uintptr_t from = (uintptr_t)caller;

    pthread_once(&once, prepare);
    if (inside || tw_at_work()) return !atomic_load(&door->own);
    if (taken != NONE && taken != (door->blas ? LAPACK : BLAS)) {
        inside = 1; /* also while the library starts */
        if (!refused(door)) {
            atomic_fetch_add(from >= program_begins && from < program_ends ? &door->by_program : &door->by_others, 1);
            return 1;
        }
        inside = 0;
    }
    atomic_fetch_add(&door->left, 1);
    return 0;
}

void tw_dropin_leave(const struct tw_dropin_door *door, int64_t code, int32_t *info)
{
    const int lapacke = door->layout && code < 0 && code > -1000;
    const int argument = (int)-code - lapacke;

    tw_end();
    inside = 0;
    if (info) *info = (int32_t)code + lapacke;
    if (code >= 0) return;
    if (code > -1000)
        xerbla_(door->name, &argument, strlen(door->name));
    else /* LAPACK has no such infos, and BLAS none at all */
        fprintf(stderr, "libtilework_lapack: %.6s: %s\n", door->name, tw_last_message());
}

/* ---- TILEWORK_DROPIN_CALLS: a line for each name ---------------------------------------------------------------------------- */

__attribute__((destructor)) static void report(void)
{
    const char *path = tw_variable_text(TW_TILEWORK_DROPIN_CALLS);
    struct tw_outfile f;
    int e;

    if (!path) return;
    e = tw_outfile_open(&f, path);
    if (!e) {
        fprintf(f.stream, "# name, calls taken from the program itself, from its libraries, calls left to LAPACK\n");
        for (const struct tw_dropin_door *d = tw_dropin_doors; d->name; d++)
            fprintf(f.stream, "%-7s %lld %lld %lld\n", d->name, atomic_load(&d->by_program), atomic_load(&d->by_others),
                    atomic_load(&d->left));
        e = tw_outfile_commit(&f);
    }
    if (e) fprintf(stderr, "libtilework_lapack: %s\n", tw_last_message());
}
