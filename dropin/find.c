/* The function that a caller would have had without us, and whether its integers have 32 or 64 bits. */
#define _GNU_SOURCE /* RTLD_NEXT, dl_iterate_phdr */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "dropin/dropin.h"

const char *tw_dropin_self(void)
{
    static const char here;
    Dl_info info;
    return dladdr(&here, &info) ? info.dli_fname : NULL;
}
static const void *base_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}
/* The linker's names for where this library begins and ends. */
extern const char __ehdr_start __attribute__((visibility("hidden"))), _end __attribute__((visibility("hidden")));
int tw_dropin_is_self(const void *address)
{
    return (uintptr_t)address >= (uintptr_t)&__ehdr_start && (uintptr_t)address < (uintptr_t)&_end;
}

static int read_loads(struct dl_phdr_info *object, size_t size, void *loads)
{
    (void)size;
    *(unsigned long long *)loads = object->dlpi_adds;
    return 1; /* of the first: all say the same */
}
unsigned long long tw_dropin_loads(void)
{
    unsigned long long loads = 0;
    dl_iterate_phdr(read_loads, &loads);
    return loads;
}

/* Fortran's four endings, and C's three. */
static const char *const fortran_ending[4] = {"_", "", "_64_", "64_"}, *const c_ending[4] = {"", "_64", "64_", ""};
static const char *const kind_prefix[] = {"", "cblas_", "LAPACKE_", "LAPACKE_"};
static int of_fortran(int name)
{
    return tw_door_of(name)->kind == TW_DOOR_FORTRAN;
}
static const char *ending_of(int name)
{
    return (of_fortran(name) ? fortran_ending : c_ending)[name % 4];
}
/* Names that say it; plain ones may be of either width. */
static int says_64(int name)
{
    const int ending = name % 4;
    return of_fortran(name) ? ending >= 2 : ending == 1 || ending == 2;
}
void tw_door_symbol(int name, char symbol[64])
{
    const struct tw_door *d = tw_door_of(name);
    snprintf(symbol, 64, "%s%s%s%s%s", name % TW_NAMES >= 4 ? "scipy_" : "", kind_prefix[d->kind], d->name,
             d->kind == TW_DOOR_LAPACKE_WORK ? "_work" : "", ending_of(name));
}

/* ---- where it is ------------------------------------------------------------------------------------------------- */

/* libblastrampoline, which gives its callers to us, would send us to ourselves. */
atomic_int tw_under_trampoline;
__attribute__((visibility("default"))) void tw_dropin_under_trampoline(void);
void tw_dropin_under_trampoline(void)
{
    atomic_store(&tw_under_trampoline, 1);
}
static int is_trampoline(const void *address)
{
    Dl_info info;
    const char *slash;

    if (!atomic_load(&tw_under_trampoline) || !dladdr(address, &info) || !info.dli_fname) return 0;
    slash = strrchr(info.dli_fname, '/'); /* the file's name: its folder may be called anything */
    return strstr(slash ? slash : info.dli_fname, "blastrampoline") != NULL;
}
/* What a handle's objects have under this name, but for ourselves. */
static void *in_handle(void *handle, const char *symbol)
{
    void *at = dlsym(handle, symbol);
    return at && !tw_dropin_is_self(at) && !is_trampoline(at) ? at : NULL;
}
static void *open_loaded(const char *file)
{
    return file && *file ? dlopen(file, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* All objects that are loaded; their files' names, as dlopen knows them. */
struct objects {
    char *file[1024];
    int count;
};
static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct objects *o = context;
    (void)size;
    if (object->dlpi_name && strchr(object->dlpi_name, '/') && o->count < 1024 &&
        (o->file[o->count] = strdup(object->dlpi_name)))
        o->count++;
    return 0;
}
static int bits(void *handle, const char *prefix);
/* For callers that link no BLAS, but were given pointers to functions of this name, and code that lies in no object:
 * any library that has it, with integers of so many bits; 0: whatever they have. */
static void *in_any(const char *symbol, int width)
{
    struct objects *o = calloc(1, sizeof *o);
    void *found = NULL;

    if (!o) return NULL;
    dl_iterate_phdr(note_object, o);
    for (int i = 0; i < o->count; i++) {
        void *handle = found ? NULL : open_loaded(o->file[i]);
        if (handle) {
            found = in_handle(handle, symbol);
            if (found && width && bits(handle, "") != width) found = NULL;
            (void)dlclose(handle);
        }
        free(o->file[i]);
    }
    free(o);
    return found;
}

/* Before a call would end the program: linked as needed, with us first, a program has no BLAS beside us, since every
 * name was found here. The system's libraries, which stay loaded. */
static void *in_system(int name, const char *symbol)
{
    static const char *const files[2][5] = {
        {"libopenblas.so.0", "liblapacke.so.3", "liblapack.so.3", "libblas.so.3", NULL},
        {"libopenblas64_.so.0", "libopenblas64.so.0", "liblapack64.so.3", "libblas64.so.3", NULL}};

    for (const char *const *file = files[says_64(name)]; *file; file++) {
        void *handle = dlopen(*file, RTLD_LAZY | RTLD_LOCAL), *at = handle ? in_handle(handle, symbol) : NULL;
        if (at) return at;
        if (handle) (void)dlclose(handle);
    }
    return NULL;
}

/* Any of BLAS' or LAPACK's. */
static int has_names(void *handle)
{
    static const char *const names[] = {"dgemm_",     "dgemm_64_",   "dpotrf_",
                                        "dpotrf_64_", "cblas_dgemm", "LAPACKE_dpotrf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (in_handle(handle, names[i])) return 1;
    return 0;
}

/* By the loader's rules: the global scope behind us, then the caller's own. The backend that the user names, and inside
 * of Tilework the libraries that it needs, come before. */
static void *find(int name, const char *symbol, const void *caller)
{
    static void *_Atomic backend;
    Dl_info info;
    void *at = NULL, *handle;

    if (tw_settings.backend) {
        if (!atomic_load(&backend)) {
            handle = dlopen(tw_settings.backend, RTLD_LAZY | RTLD_LOCAL);
            if (!handle)
                tw_dropin_say("TILEWORK_DROPIN_BACKEND: %s", dlerror());
            else if (!has_names(handle))
                tw_dropin_say(
                    "TILEWORK_DROPIN_BACKEND=%.200s has none of the names of BLAS and LAPACK: it is passed over",
                    tw_settings.backend);
            atomic_store(&backend, handle ? handle : RTLD_NEXT); /* not RTLD_DEFAULT, which is NULL: said once */
        }
        handle = atomic_load(&backend);
        if (handle != RTLD_NEXT) at = in_handle(handle, symbol);
    }
    if (!at && tw_engine.handle && tw_engine_at_work()) at = in_handle(tw_engine.handle, symbol);
    if (!at) at = in_handle(RTLD_NEXT, symbol);
    if (!at && dladdr(caller, &info) && (handle = open_loaded(info.dli_fname))) {
        at = in_handle(handle, symbol);
        (void)dlclose(handle);
    }
    if (at) return at;
    if (!atomic_load(&tw_under_trampoline)) {
        at = in_any(symbol, 0);
        return at ? at : in_system(name, symbol);
    }
    /* The trampoline has told callers of both widths apart; a name that has its width may be another library's without
     * it. */
    if (!says_64(name)) return in_any(symbol, 32);
    if (!(at = in_any(symbol, 0))) {
        char plain[64];
        tw_door_symbol(name / 4 * 4, plain);
        at = in_any(plain, 64);
    }
    return at;
}

/* ---- 32 or 64 bits ----------------------------------------------------------------------------------------------- */

/* As libblastrampoline does it: the largest of three elements, or of a negative number of elements. ILAVER, of LAPACKs
 * without BLAS, writes one integer or two halves of it. 0: not known. */
static int bits(void *handle, const char *prefix)
{
    char symbol[32];
    const int64_t n = (int64_t)0xffffffff00000003, one = 1;
    const float x[4] = {1, 2, 3, 4};
    union {
        void *address;
        int64_t (*isamax)(const int64_t *, const float *, const int64_t *);
        void (*ilaver)(int64_t *, int64_t *, int64_t *);
    } f;

    snprintf(symbol, sizeof symbol, "%sisamax_", prefix);
    f.address = dlsym(handle, symbol);
    if (f.address) {
        const int32_t largest = (int32_t)f.isamax(&n, x, &one);
        return largest == 3 ? 32 : largest == 0 ? 64 : 0;
    }
    snprintf(symbol, sizeof symbol, "%silaver_", prefix);
    f.address = dlsym(handle, symbol);
    if (f.address) {
        int64_t version[3] = {-1, -1, -1};
        f.ilaver(&version[0], &version[1], &version[2]);
        return version[0] >= 0 ? 64 : 32;
    }
    return 0;
}

/* What is known of the real function: its file, which stays loaded from now on, its width. */
static void describe(struct tw_site *s)
{
    static const char *const prefix[2] = {"", "scipy_"};
    const int name = s->name, scipy = name % TW_NAMES >= 4, ending = name % 4;
    char symbol[64];
    Dl_info info;
    void *handle;
    int width;

    if (!dladdr(s->real, &info) || !info.dli_fname) return;
    s->provider = strdup(info.dli_fname);
    handle = open_loaded(info.dli_fname); /* not closed: the function must stay */
    if (!handle) handle = dlopen(NULL, RTLD_LAZY);
    if (!handle || !s->provider) return;
    width = says_64(name) ? 64 : bits(handle, prefix[scipy]);
    s->wide = width == 64;
    s->live = width != 0;
    /* A library may have a function dgemm of its own: it is BLAS' only beside a dgemm_ in the same file. */
    if (of_fortran(name) && ending == 1) {
        void *other;
        tw_door_symbol(name - 1, symbol);
        other = dlsym(handle, symbol);
        s->live = s->live && other && base_of(other) == info.dli_fbase;
    }
}

_Thread_local struct tw_site *tw_site_asked;
atomic_int tw_sites_made;
_Thread_local const struct tw_site *tw_forwarding;

/* ---- places ------------------------------------------------------------------------------------------------------ */

atomic_flag tw_sites_busy = ATOMIC_FLAG_INIT;
void tw_sites_lock(void)
{
    while (atomic_flag_test_and_set_explicit(&tw_sites_busy, memory_order_acquire)) {}
}
void tw_sites_unlock(void)
{
    atomic_flag_clear_explicit(&tw_sites_busy, memory_order_release);
}

/* A name that is called from many places has a long list: the latest of each few places is remembered. */
enum { RECENT = 4096 };
static struct tw_site *_Atomic recent[RECENT];
static struct tw_site *known(int name, const void *caller)
{
    struct tw_site *_Atomic *slot = &recent[((uintptr_t)caller ^ (uintptr_t)name * 2654435761u) % RECENT];
    struct tw_site *s = atomic_load_explicit(slot, memory_order_acquire);

    if (s && s->caller == caller && s->name == name) return s;
    for (s = atomic_load(&tw_sites[name]); s; s = s->next)
        if (s->caller == caller) {
            atomic_store_explicit(slot, s, memory_order_release);
            return s;
        }
    return NULL;
}

static void missing(const struct tw_site *s)
{
    char symbol[64];
    tw_door_symbol(s->name, symbol);
    tw_dropin_say("%s was called by %s, and no library of this process has such a function", symbol, s->object);
    abort();
}
/* whose real function, which does not exist, this thread is about to call */
static _Thread_local const struct tw_site *asked;
static void no_such_function(void)
{
    missing(asked);
}

static void who_calls(struct tw_site *s)
{
    const void *program = (const void *)getauxval(AT_PHDR);
    const char *file = "code of no file", *slash;
    Dl_info info;

    if (dladdr(s->caller, &info) && info.dli_fname) {
        file = info.dli_fname;
        s->of_program = info.dli_fbase == base_of(program);
    }
    slash = strrchr(file, '/');
    snprintf(s->object, sizeof s->object, "%s", slash ? slash + 1 : file);
}

/* Found anew for each place, which is asked for once. Nothing is locked while the loader works: two threads may find
 * the same, and the second's is thrown away. */
__attribute__((visibility("hidden"), used)) struct tw_site *tw_dropin_find(long name, const void *caller);
struct tw_site *tw_dropin_find(long name, const void *caller)
{
    struct tw_site *s, *other;
    char symbol[64];

    /* LAPACKE_dpotrf jumps to LAPACKE_dpotrf_work, which returns to us. */
    if (tw_forwarding && tw_forwarding->provider && tw_dropin_is_self(caller)) caller = tw_forwarding->real;
    s = known((int)name, caller);
    if (s) {
        if (!s->provider) asked = s;
        return s;
    }
    tw_dropin_prepare();
    tw_engine_notice();
    s = calloc(1, sizeof *s);
    if (!s) {
        tw_dropin_say("no memory");
        abort();
    }
    s->caller = caller;
    s->name = (int)name;
    who_calls(s);
    tw_door_symbol(s->name, symbol);
    s->real = find(s->name, symbol, caller);
    if (s->real)
        describe(s);
    else {
        union {
            void (*function)(void);
            void *address;
        } none = {no_such_function};
        s->real = none.address;
        asked = s;
    }
    s->threshold = tw_least_work(s);
    if (tw_settings.secure) s->live = 0;
    tw_sites_lock();
    other = known((int)name, caller);
    if (!other) {
        s->next = atomic_load(&tw_sites[name]);
        atomic_fetch_add_explicit(&tw_sites_made, 1, memory_order_release);
        atomic_store_explicit(&tw_sites[name], s, memory_order_release);
    }
    tw_sites_unlock();
    if (!other) return s;
    free(s->provider);
    free(s);
    return other;
}

/* From a name's machine code (doors.awk): its number in eax, the caller behind our own return address; the place goes
 * to r11. A name of ours may be another library's for a function with other arguments (dgemm): all registers in which
 * arguments come stay as they are. */
_Static_assert(offsetof(struct tw_site, caller) == 8 && offsetof(struct tw_site, real) == 16 &&
                   offsetof(struct tw_site, threshold) == 24 && offsetof(struct tw_site, live) == 32 &&
                   offsetof(struct tw_site, wide) == 36,
               "doors.awk has these numbers");
__asm__(".text\n"
        ".globl tw_dropin_site\n"
        ".hidden tw_dropin_site\n"
        ".type tw_dropin_site, @function\n"
        "tw_dropin_site:\n"
        "    .cfi_startproc\n"
        "    push %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    sub $192, %rsp\n"
        "    and $-16, %rsp\n"
        "    mov %rdi, (%rsp)\n"
        "    mov %rsi, 8(%rsp)\n"
        "    mov %rdx, 16(%rsp)\n"
        "    mov %rcx, 24(%rsp)\n"
        "    mov %r8, 32(%rsp)\n"
        "    mov %r9, 40(%rsp)\n"
        "    movups %xmm0, 48(%rsp)\n"
        "    movups %xmm1, 64(%rsp)\n"
        "    movups %xmm2, 80(%rsp)\n"
        "    movups %xmm3, 96(%rsp)\n"
        "    movups %xmm4, 112(%rsp)\n"
        "    movups %xmm5, 128(%rsp)\n"
        "    movups %xmm6, 144(%rsp)\n"
        "    movups %xmm7, 160(%rsp)\n"
        "    mov %eax, %edi\n"
        "    mov 16(%rbp), %rsi\n"
        "    call tw_dropin_find\n"
        "    mov %rax, %r11\n"
        "    mov (%rsp), %rdi\n"
        "    mov 8(%rsp), %rsi\n"
        "    mov 16(%rsp), %rdx\n"
        "    mov 24(%rsp), %rcx\n"
        "    mov 32(%rsp), %r8\n"
        "    mov 40(%rsp), %r9\n"
        "    movups 48(%rsp), %xmm0\n"
        "    movups 64(%rsp), %xmm1\n"
        "    movups 80(%rsp), %xmm2\n"
        "    movups 96(%rsp), %xmm3\n"
        "    movups 112(%rsp), %xmm4\n"
        "    movups 128(%rsp), %xmm5\n"
        "    movups 144(%rsp), %xmm6\n"
        "    movups 160(%rsp), %xmm7\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size tw_dropin_site, .-tw_dropin_site\n");
