/* Arguments, good ones and bad ones. Good arrays are large: each is a window of address space that repeats one small
 * piece of memory, so that a length of 2^31 means memory that is there, and costs nothing. */
#define _GNU_SOURCE /* memfd_create */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tilework/tilework.h>
#ifdef CALLS_FFT
#include <tilework/fft.h>
#endif
#include <unistd.h>

#include "bad_calls.h"
#include "values.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

#define PIECE   ((size_t)64 << 20)
#define WINDOW  ((size_t)128 << 30)
#define WINDOWS 16
static char *window[WINDOWS];
static int used;

static char *make_window(void)
{
    char *base = mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int fd = memfd_create("piece", MFD_CLOEXEC);

    if (base == MAP_FAILED || fd < 0 || ftruncate(fd, (off_t)PIECE) != 0) return NULL;
    for (size_t at = 0; at < WINDOW; at += PIECE)
        if (mmap(base + at, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) return NULL;
    close(fd);
    return base;
}

/* Small numbers without a pattern, and a matrix of order 4 that is positive definite. */
static void *array(int is_float)
{
    char *w = window[used++ % WINDOWS];
    for (int k = 0; k < 512; k++) {
        double x = k < 16 ? (k % 5 == 0 ? 4 : 0.25 + 0.01 * k) : fmod(0.754877666 * k, 1);
        if (is_float)
            ((float *)w)[k] = (float)x;
        else
            ((double *)w)[k] = x;
    }
    return w;
}

/* Zeros that may be written to, as large as any structure. */
/* What calls are given stays theirs. When the child's memory is used up by that, another one goes on (bad_calls.c). */
static void *zeros(void)
{
    void *room = calloc(1, 1 << 20);
    if (!room) _exit(USED_UP);
    return room;
}

/* ---- good objects ------------------------------------------------------------------------------------------------ */

static tw_sequence *sequences[4];
static int nsequences;
static char folder[] = "/tmp/tw-calls-XXXXXX";

static void *new_matrix(void)
{
    double a[16];
    tw_matrix *A = NULL;
    for (int k = 0; k < 16; k++)
        a[k] = k % 5 == 0 ? 4 : 0.25;
    (void)tw_matrix_from_lapack(&A, TW_DOUBLE, TW_GENERAL, 4, 4, a, 4, 2);
    return A;
}

static void *new_sequence(void)
{
    tw_sequence *seq = NULL;
    if (tw_sequence_create(&seq) == 0 && nsequences < 4) sequences[nsequences++] = seq;
    return seq;
}

static void *new_atoms(void)
{
    tw_atoms *a = zeros();
    (void)tw_atoms_generate(a, "argon", 64, 1);
    return a;
}

static void *new_particles(void)
{
    tw_particles *p = zeros();
    (void)tw_particles_generate(p, "plummer", 16, 1);
    return p;
}

static int pairs(const void *user, enum tw_type type, tw_int first_target, int nt, const void *target, int ldt,
                 tw_int first_source, int ns, const void *source, int lds, void *result, int ldr)
{
    (void)user, (void)type, (void)first_target, (void)nt, (void)target, (void)ldt, (void)first_source, (void)ns,
        (void)source;
    (void)lds, (void)result, (void)ldr;
    return 0;
}

static void *new_function(void)
{
    tw_nbody_function *f = NULL;
    (void)tw_nbody_function_create(&f, TW_DOUBLE, 4, 4, 4, pairs, NULL, NULL, 0);
    return f;
}

static void *new_generator(void)
{
    tw_generator *g = NULL;
    (void)tw_generator_create(&g, "random", TW_DOUBLE, 4, 4, 1);
    return g;
}

static void *new_recorded(void)
{
    tw_recorded *r = NULL;
    (void)tw_recorded_example(&r, "chain:n=3");
    return r;
}

static void *new_options(void)
{
    tw_options *o = zeros();
    tw_options_init(o);
    return o;
}

static void *new_cutoff(void)
{
    tw_cutoff *c = zeros();
    tw_cutoff_init(c, 1);
    return c;
}

static void *new_motion(void)
{
    tw_motion *m = zeros();
    m->g = 1, m->softening = 0.1, m->dt = 1e-3;
    return m;
}

static void *new_ints(void)
{
    tw_int *n = zeros();
    for (int k = 0; k < 8; k++)
        n[k] = 8;
    return n;
}

static void *new_text(void)
{
    return strdup("random");
}

#ifdef CALLS_FFT
static void *new_fft(void)
{
    const tw_int n = 64;
    tw_fft *p = NULL;
    (void)tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, TW_FFT_FORWARD, NULL);
    return p;
}
static void *new_fft_array(void)
{
    tw_fft_array *a = NULL;
    (void)tw_fft_array_create(&a, new_fft());
    return a;
}
static void *new_filter(void)
{
    const tw_int n = 64;
    tw_fft_filter *f = NULL;
    (void)tw_fft_filter_create(&f, TW_DOUBLE, TW_FFT_C2C, 1, &n, array(0), NULL);
    return f;
}
static void *new_fft_options(void)
{
    tw_fft_options *o = zeros();
    tw_fft_options_init(o);
    return o;
}
static void *new_dims(void)
{
    tw_fft_dim *d = zeros();
    *d = (tw_fft_dim){8, 1, 1};
    return d;
}
static void *new_signal(void)
{
    tw_signal *s = zeros();
    s->type = TW_DOUBLE;
    s->rank = 1;
    s->n[0] = 8;
    s->n[1] = s->n[2] = s->n[3] = 1;
    s->data = calloc(64, sizeof(double));
    return s;
}
#endif

static const struct {
    const char *type;
    void *(*make)(void);
} makers[] = {
    {"tw_matrix", new_matrix},
    {"tw_sequence", new_sequence},
    {"tw_atoms", new_atoms},
    {"tw_options", new_options},
    {"tw_particles", new_particles},
    {"tw_cutoff", new_cutoff},
    {"tw_motion", new_motion},
    {"tw_nbody_function", new_function},
    {"tw_generator", new_generator},
    {"tw_recorded", new_recorded},
    {"tw_int", new_ints},
    {"char", new_text},
#ifdef CALLS_FFT
    {"tw_fft", new_fft},
    {"tw_fft_array", new_fft_array},
    {"tw_fft_filter", new_filter},
    {"tw_fft_options", new_fft_options},
    {"tw_fft_dim", new_dims},
    {"tw_signal", new_signal},
#endif
};

static void *path(void)
{
    static int count;
    char *text = malloc(100);
    FILE *f;
    snprintf(text, 100, "%s/%d.mtx", folder, count++ % 8);
    if ((f = fopen(text, "w"))) {
        fputs("%%MatrixMarket matrix array real general\n4 4\n4\n0\n0\n0\n0\n4\n0\n0\n0\n0\n4\n0\n0\n0\n0\n4\n", f);
        fclose(f);
    }
    return text;
}

static void *good(const char *type, int stars, const char *name)
{
    int real = !strcmp(type, "double") || !strcmp(type, "float") || strstr(type, "_Complex") || !strcmp(type, "void");

    if (stars == 1 && (!strcmp(name, "path") || !strcmp(name, "prefix"))) return path();
    if (stars == 1 && !strcmp(name, "cuda")) return NULL;
    if (stars == 1 && !strcmp(name, "change")) return calloc(1, 100); /* written to */
#ifdef CALLS_FFT
    if (stars == 1 && !strcmp(name, "array") && !strcmp(type, "void")) return tw_fft_alloc(64);
#endif
    for (size_t k = 0; stars == 1 && k < sizeof makers / sizeof *makers; k++)
        if (!strcmp(type, makers[k].type)) return makers[k].make();
    return stars == 1 && real && strcmp(name, "user") ? array(strstr(type, "float") != NULL) : zeros();
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static int is_bad(const struct bad *b, int k)
{
    return b->argument == k || b->argument == ALL;
}

int64_t number(const struct bad *b, int k, const char *name)
{
    static const int64_t bad[VALUES] = {0,          -1,          2147483648, (int64_t)1 << 62, 7777, INT64_MIN,
                                        2147483647, -2147483648, -64};
    static const struct {
        const char *name;
        int64_t value;
    } good[] = {
        {"uplo", 'L'},   {"diag", 'N'},  {"side", 'L'}, {"norm", 'M'},     {"trans", 'N'},  {"transa", 'N'},
        {"transb", 'N'}, {"nb", 2},      {"rank", 1},   {"batch", 1},      {"nd", 1},       {"steps", 1},
        {"every", 1},    {"first", 0},   {"kind", 0},   {"nloops", 0},     {"sign", -1},    {"matrix_layout", 102},
        {"layout", 102}, {"device", 0},  {"gpu", -1},   {"max", 2},        {"boundary", 0}, {"type", TW_DOUBLE},
        {"istride", 1},  {"ostride", 1}, {"bytes", 64}, {"user_bytes", 0}, {"i", 0},        {"j", 0},
        {"i0", 0},       {"j0", 0},      {"k", 0},      {"bonds", 0},      {"nlinks", 0},   {"step", 1},
        {"idist", 8},    {"odist", 8},   {"seed", 1},   {"correlate", 0},  {"code", 0}};

    if (is_bad(b, k)) return bad[b->which];
    for (size_t g = 0; g < sizeof good / sizeof *good; g++)
        if (!strcmp(name, good[g].name)) return good[g].value;
    return 4;
}

double real(const struct bad *b, int k, const char *name)
{
    const double bad[VALUES] = {0, -1, 2147483648.0, 4.6e18, NAN, INFINITY, -INFINITY, 1e-320, 1e308};
    if (is_bad(b, k)) return bad[b->which];
    if (!strcmp(name, "eps")) return 1e-3;
    if (!strcmp(name, "dt")) return 1e-4;
    return 1;
}

/* NULL; text: empty, long, of no name; numbers: what number() takes; structures: zeros. */
void *pointer(const struct bad *b, int k, const char *type, int stars, const char *name)
{
    if (!is_bad(b, k)) return good(type, stars, name);
    if (b->which == 0 || stars > 1) return NULL;
    if (!strcmp(type, "char")) {
        static const char *const formats[] = {"%.0s", "%5000s", "%5.0s/nonexistent/file.mtx", "%%s%.0s%%n"};
        char *text = calloc(1, 6000);
        snprintf(text, 6000, formats[b->which % 4], "x");
        return text;
    }
    if (!strcmp(type, "tw_int")) {
        const struct bad all = {0, b->which};
        tw_int *n = zeros();
        for (int at = 0; at < 8; at++)
            n[at] = number(&all, 0, "");
        return n;
    }
    if (b->which == 1 && strcmp(type, "tw_matrix") && strcmp(type, "tw_sequence") && strncmp(type, "tw_fft", 6) &&
        strcmp(type, "tw_nbody_function") && strcmp(type, "tw_generator") && strcmp(type, "tw_recorded"))
        return zeros();
    return NULL;
}

static int report(void *user, const void *what, const void *state)
{
    (void)user, (void)what, (void)state;
    return 0;
}

static int select_at(void *user, double wr, double wi)
{
    (void)user, (void)wi;
    return wr > 0;
}
static int select_first(const void *wr, const void *wi)
{
    (void)wi;
    return wr != NULL;
}

void (*function(const struct bad *b, int k, const char *type))(void)
{
    if (is_bad(b, k) || !strcmp(type, "tw_log_fn")) return NULL;
    if (!strcmp(type, "tw_select_fn")) return (void (*)(void))select_at;
    if (strstr(type, "_select_fn")) return (void (*)(void))select_first;
    return !strcmp(type, "tw_nbody_kernel") ? (void (*)(void))pairs : (void (*)(void))report;
}

/* The library runs, so that there is something to crash. */
void before(const char *name)
{
    if (strcmp(name, "tw_init") != 0 && !tw_is_running()) (void)tw_init(NULL);
}

/* What was queued is done before the next call; what belongs to nobody any more stays. */
void after(const char *name)
{
    for (int k = 0; k < nsequences && strcmp(name, "tw_sequence_destroy") != 0; k++)
        (void)tw_sequence_destroy(sequences[k]);
    nsequences = 0;
    used = 0;
}

int values_begin(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0) return 0;
    for (int k = 0; k < WINDOWS; k++)
        if (!window[k] && !(window[k] = make_window())) return 0;
    return 1;
}

void values_end(void)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    while (d && (e = readdir(d)))
        (void)unlinkat(dirfd(d), e->d_name, 0);
    if (d) closedir(d);
    (void)rmdir(folder);
}
