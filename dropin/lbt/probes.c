/* libtilework_lbt64.so and libtilework_lbt.so: what Julia's libblastrampoline is given in LBT_DEFAULT_LIBS, behind the
 * BLAS that it had. It loads a library only if it finds how its names end, how long its integers are and how it returns
 * a complex number, and asks isamax, zdotc and sdot for that, which libtilework_lapack.so has not: they are here, and
 * are the real BLAS'. All other names are those of libtilework_lapack.so, which this library needs. docs/dropin.md. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <complex.h>
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef TW_LBT_64
typedef int64_t integer;
#define NAME(x) x##_64_
#else
typedef int32_t integer;
#define NAME(x) x##_
#endif
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
#define DOOR     __attribute__((visibility("default")))

void tw_dropin_under_trampoline(void); /* dropin/find.c */

__attribute__((constructor)) static void begin(void)
{
    tw_dropin_under_trampoline();
}

/* ---- the real ones ----------------------------------------------------------------------------------------------- */

struct search {
    const char *symbol;
    void *found;
};
/* Looked at when dl_iterate_phdr has let its lock go: dlopen inside of it waits for a thread that loads a library,
 * which waits for us. */
enum { MAX_OBJECTS = 1024 };
struct objects {
    char *file[MAX_OBJECTS];
    int count;
};
static int note(struct dl_phdr_info *object, size_t size, void *context)
{
    struct objects *o = context;

    (void)size;
    if (object->dlpi_name && strchr(object->dlpi_name, '/') && o->count < MAX_OBJECTS &&
        (o->file[o->count] = strdup(object->dlpi_name)))
        o->count++;
    return 0;
}
static const char *file_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}
/* The trampoline's, or ours. By the file's name: its folder may be called anything. */
static int is_other(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash : file;
    return strstr(name, "blastrampoline") || strstr(name, "libtilework");
}
/* A plain name may have integers of 64 bits: of three elements the second is the largest, of a negative number of them
 * none is. */
static int is_of_our_width(void *handle)
{
    const int64_t n = (int64_t)0xffffffff00000003, one = 1;
    const float x[3] = {1, 2, 1};
    int (*isamax)(const int64_t *, const float *, const int64_t *);

    if (sizeof(integer) == 8) return 1;
    *(void **)&isamax = dlsym(handle, "isamax_");
    return isamax && isamax(&n, x, &one) == 2;
}
static int look(const char *file, struct search *s)
{
    void *handle, *at;

    if (is_other(file)) return 0;
    handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD); /* not closed: it stays */
    at = handle ? dlsym(handle, s->symbol) : NULL;
    if (!at || is_other(file_of(at)) || !is_of_our_width(handle)) return 0;
    s->found = at;
    return 1;
}
/* None: the loops below. */
static void *real(void *_Atomic *known, const char *symbol)
{
    static const char none;
    void *at = atomic_load_explicit(known, memory_order_acquire);

    if (!at) {
        struct search s = {symbol, NULL};
        struct objects *o = calloc(1, sizeof *o);
        if (o) dl_iterate_phdr(note, o);
        for (int i = 0; o && i < o->count; i++) {
            if (!s.found) (void)look(o->file[i], &s);
            free(o->file[i]);
        }
        free(o);
        at = s.found ? s.found : (void *)(uintptr_t)&none;
        atomic_store(known, at);
    }
    return at == (const void *)&none ? NULL : at;
}

/* ---- the probes -------------------------------------------------------------------------------------------------- */

/* Where BLAS begins with a negative increment. */
static integer start(integer n, integer inc)
{
    return inc < 0 ? (1 - n) * inc : 0;
}

DOOR integer NAME(isamax)(const integer *n, const float *x, const integer *inc);
DOOR integer NAME(isamax)(const integer *n, const float *x, const integer *inc)
{
    static void *_Atomic known;
    integer (*f)(const integer *, const float *, const integer *), best = *n > 0 && *inc > 0;

    if ((*(void **)&f = real(&known, TEXT(NAME(isamax))))) return f(n, x, inc);
    for (integer i = 1; best && i < *n; i++)
        if (fabsf(x[i * *inc]) > fabsf(x[(best - 1) * *inc])) best = i + 1;
    return best;
}

DOOR float NAME(sdot)(const integer *n, const float *x, const integer *incx, const float *y, const integer *incy);
DOOR float NAME(sdot)(const integer *n, const float *x, const integer *incx, const float *y, const integer *incy)
{
    static void *_Atomic known;
    float (*f)(const integer *, const float *, const integer *, const float *, const integer *), sum = 0;

    if ((*(void **)&f = real(&known, TEXT(NAME(sdot))))) return f(n, x, incx, y, incy);
    for (integer i = 0, a = start(*n, *incx), b = start(*n, *incy); i < *n; i++, a += *incx, b += *incy)
        sum += x[a] * y[b];
    return sum;
}

DOOR double complex NAME(zdotc)(const integer *n, const double complex *x, const integer *incx, const double complex *y,
                                const integer *incy);
DOOR double complex NAME(zdotc)(const integer *n, const double complex *x, const integer *incx, const double complex *y,
                                const integer *incy)
{
    static void *_Atomic known;
    double complex (*f)(const integer *, const double complex *, const integer *, const double complex *,
                        const integer *),
        sum = 0;

    if ((*(void **)&f = real(&known, TEXT(NAME(zdotc))))) return f(n, x, incx, y, incy);
    for (integer i = 0, a = start(*n, *incx), b = start(*n, *incy); i < *n; i++, a += *incx, b += *incy)
        sum += conj(x[a]) * y[b];
    return sum;
}
