/* A long run of everything at once: threads that call random routines, cancel some of them and make and destroy
 * matrices and sequences, while another thread stops the library again and again.
 *
 *   soak [SECONDS [THREADS [SEED]]]
 *
 * Every result is compared with one that was computed before, alone. A call may return 0 (then its result must be
 * right), TW_E_CANCELLED or TW_E_STATE (the library was being stopped, or was stopped since the matrix was made);
 * anything else, a wrong number, a crash, or a minute without progress is a failure. In runs of five minutes and more
 * the memory in use may not grow by 5 % after the first fifth. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/cutoff.h>
#include <tilework/starpu.h>
#include <tilework/tilework.h>
#ifdef SOAK_FFT
#include <tilework/fft.h>
#endif
#include <time.h>
#include <unistd.h>

enum { ORDERS = 4, POINTS = 1500, ATOMS = 216, LENGTH = 4096, ROUTINES = 10 };
static const int order[ORDERS] = {60, 150, 333, 700};

/* ---- random numbers, time, memory -------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static int below(uint64_t *s, int n)
{
    return (int)(next(s) % (uint64_t)n);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double megabytes(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (f) fclose(f);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) * 1e-6;
}

/* ---- problems, and what comes out of them ------------------------------------------------------------------------ */

static struct dense {
    double *a, *b, *factor, *x;
} dense[ORDERS];
static double source[3 * POINTS], charge[POINTS], potential[POINTS];
static tw_atoms atoms;
static double *moved;
static tw_particles bodies;
static double *flown;
static double signal_in[2 * LENGTH], signal_out[2 * LENGTH];

static double difference(const double *a, const double *b, size_t n)
{
    double d = 0, s = 0;
    for (size_t k = 0; k < n; k++)
        d += (a[k] - b[k]) * (a[k] - b[k]), s += b[k] * b[k];
    return sqrt(d / (s > 0 ? s : 1));
}

static double *copy(const double *from, size_t n)
{
    double *to = malloc((n ? n : 1) * sizeof *to);
    if (!to) abort();
    if (n) memcpy(to, from, n * sizeof *to);
    return to;
}

static tw_atoms copy_atoms(void)
{
    tw_atoms a = atoms;
    const size_t n = (size_t)a.n;
    a.x = copy(atoms.x, 3 * n);
    a.v = copy(atoms.v, 3 * n);
    return a;
}

static void make_dense(struct dense *d, int n, uint64_t *s)
{
    d->a = malloc(sizeof(double) * (size_t)n * (size_t)n);
    d->b = malloc(sizeof(double) * (size_t)n);
    for (int j = 0; j < n; j++) {
        d->b[j] = (double)below(s, 1000) * 1e-3;
        for (int i = 0; i <= j; i++)
            d->a[i + j * n] = d->a[j + i * n] = (i == j ? n : 0) + (double)below(s, 1000) * 1e-3;
    }
}

/* ---- the routines: 0, or the first code that is not 0; *error is the difference from what is right --------------- */

static int potrf(uint64_t *s, double *error)
{
    const int k = below(s, ORDERS), n = order[k];
    double *a = copy(dense[k].a, (size_t)n * (size_t)n);
    const int e = (int)tw_dpotrf('L', n, a, n);

    for (int j = 0; !e && j < n; j++)
        *error = fmax(*error, difference(a + j + j * n, dense[k].factor + j + j * n, (size_t)(n - j)));
    free(a);
    return e;
}

static int posv(uint64_t *s, double *error)
{
    const int k = below(s, ORDERS), n = order[k];
    double *a = copy(dense[k].a, (size_t)n * (size_t)n), *b = copy(dense[k].b, (size_t)n);
    const int e = (int)tw_dposv('L', n, 1, a, n, b, n);

    if (!e) *error = difference(b, dense[k].x, (size_t)n);
    free(a);
    free(b);
    return e;
}

/* x = A^-1 b by matrices, each made, filled, read and destroyed here. */
static int matrices(uint64_t *s, double *error)
{
    const int k = below(s, ORDERS), n = order[k];
    double *a = copy(dense[k].a, (size_t)n * (size_t)n), *b = copy(dense[k].b, (size_t)n);
    tw_matrix *A = NULL, *B = NULL;
    int e = tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, n, n, a, n, 64);

    if (!e) e = tw_matrix_wrap(&B, TW_DOUBLE, TW_GENERAL, n, 1, b, n, 64);
    if (!e && below(s, 4) == 0) e = tw_prefetch(A, -1);
    if (!e) e = tw_posv(TW_LOWER, A, B);
    if (!e) e = tw_release_to_host(B);
    (void)tw_matrix_destroy(B);
    if (!e && below(s, 2)) e = tw_matrix_to_lapack(A, a, n);
    (void)tw_matrix_destroy(A);
    if (!e) *error = difference(b, dense[k].x, (size_t)n);
    free(a);
    free(b);
    return e;
}

static int queued(uint64_t *s, double *error)
{
    const int k = below(s, ORDERS), n = order[k];
    double *a = copy(dense[k].a, (size_t)n * (size_t)n), *b = copy(dense[k].b, (size_t)n);
    tw_sequence *seq = NULL;
    tw_matrix *A = NULL, *B = NULL;
    int e = tw_sequence_create(&seq), w;

    if (!e) e = tw_matrix_wrap(&A, TW_DOUBLE, TW_LOWER, n, n, a, n, 80);
    if (!e) e = tw_matrix_wrap(&B, TW_DOUBLE, TW_GENERAL, n, 1, b, n, 80);
    if (!e) e = tw_potrf_async(TW_LOWER, A, seq);
    if (!e) e = tw_potrs_async(TW_LOWER, A, B, seq);
    if (seq && below(s, 8) == 0) (void)tw_sequence_cancel(seq);
    w = seq ? tw_sequence_wait(seq) : 0;
    (void)tw_matrix_destroy(A);
    (void)tw_matrix_destroy(B);
    if (seq) (void)tw_sequence_destroy(seq);
    if (!e) e = w;
    if (!e) *error = difference(b, dense[k].x, (size_t)n);
    free(a);
    free(b);
    return e;
}

static int multipole(uint64_t *s, double *error)
{
    double *pot = calloc(POINTS, sizeof *pot);
    int e;
    (void)s;
    e = tw_fmm3d(1e-6, 1, POINTS, source, charge, pot, NULL, 0, NULL, NULL, NULL);
    if (!e) *error = difference(pot, potential, POINTS) * 1e-4; /* of another order in each run */
    free(pot);
    return e;
}

static int go_on(void *user, const tw_atoms *a, const tw_verlet_state *state)
{
    (void)a, (void)state;
    return tw_finalize() == TW_E_STATE ? 0 : (*(int *)user = 1);
}

static int molecules(uint64_t *s, double *error)
{
    tw_atoms a = copy_atoms();
    tw_cutoff c;
    int stopped = 0, e;

    tw_cutoff_init(&c, 2.5);
    e = tw_cutoff_verlet(&c, &a, 1e-3, 0, 20, below(s, 2) ? 10 : 0, go_on, &stopped);
    if (stopped) e = -77; /* tw_finalize was not refused inside of a call */
    if (!e) *error = difference(a.x, moved, 3 * (size_t)a.n);
    free(a.x);
    free(a.v);
    return e;
}

static int leapfrog(uint64_t *s, double *error)
{
    tw_particles p = bodies;
    const tw_motion m = {.g = 1, .softening = 0.1, .dt = 1e-3};
    int e;
    (void)s;

    p.x = copy(bodies.x, 3 * (size_t)p.n);
    p.v = copy(bodies.v, 3 * (size_t)p.n);
    e = tw_leapfrog(&p, &m, 3, NULL, NULL);
    if (!e) *error = difference(p.x, flown, 3 * (size_t)p.n);
    free(p.x);
    free(p.v);
    return e;
}

static int transform(uint64_t *s, double *error)
{
    int e = 0;
    (void)s;
#ifdef SOAK_FFT
    double *out = malloc(sizeof signal_out);
    e = tw_fft_1d(TW_DOUBLE, LENGTH, signal_in, out, TW_FFT_FORWARD);
    if (!e) *error = difference(out, signal_out, 2 * LENGTH);
    free(out);
#else
    (void)error;
#endif
    return e;
}

/* What only asks. */
static int questions(uint64_t *s, double *error)
{
    tw_machine m;
    tw_counters c;
    tw_worker_report r[8];
    tw_phase p[16];
    size_t host;
    int e = tw_machine_info(&m), f;

    if (!e && (m.cpu_workers < 1 || !m.starpu_version)) *error = 1;
    (void)tw_counters_get(&c);
    (void)tw_worker_reports(r, 8);
    (void)tw_start_phases(p, 16);
    (void)tw_stop_phases(p, 16);
    (void)tw_is_running();
    (void)tw_host_memory_limit(NULL);
    f = tw_matrix_memory(TW_DOUBLE, TW_GENERAL, 100, 100, 0, &host, NULL);
    if (f ? f != TW_E_STATE : host < 80000) *error = 1;
    if (below(s, 4) == 0) tw_counters_reset();
    if (below(s, 4) == 0 && !tw_workers_hold()) (void)tw_workers_release();
    return e;
}

static int recordings(uint64_t *s, double *error)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    static tw_times t;
    int e;

    pthread_mutex_lock(&one);
    e = tw_times_start();
    if (!e) e = posv(s, error);
    (void)tw_times_stop(&t);
    if (!e && below(s, 2) && !(e = tw_trace_start())) {
        e = potrf(s, error);
        (void)tw_trace_stop();
    }
    pthread_mutex_unlock(&one);
    return e;
}

static const struct routine {
    const char *name;
    int (*run)(uint64_t *s, double *error);
} routine[ROUTINES] = {{"dpotrf", potrf},        {"dposv", posv},       {"matrices", matrices}, {"sequence", queued},
                       {"fmm3d", multipole},     {"verlet", molecules}, {"leapfrog", leapfrog}, {"fft", transform},
                       {"questions", questions}, {"times", recordings}};

/* What each gives alone. */
static int prepare(uint64_t *s)
{
    double nothing;
    int e = 0;

    for (int k = 0; k < ORDERS; k++) {
        const int n = order[k];
        const size_t nn = (size_t)n * (size_t)n;
        make_dense(&dense[k], n, s);
        dense[k].factor = copy(dense[k].a, nn);
        dense[k].x = copy(dense[k].b, (size_t)n);
        e |= tw_dposv('L', n, 1, dense[k].factor, n, dense[k].x, n) != 0;
    }
    for (int k = 0; k < 3 * POINTS; k++)
        source[k] = (double)below(s, 1 << 20) / (1 << 20);
    for (int k = 0; k < POINTS; k++)
        charge[k] = 1 + (double)below(s, 1000) * 1e-3;
    e |= tw_fmm3d(1e-6, 1, POINTS, source, charge, potential, NULL, 0, NULL, NULL, NULL) != 0;
    e |= tw_atoms_generate(&atoms, "argon", ATOMS, 3) != 0;
    e |= tw_particles_generate(&bodies, "plummer", 300, 4) != 0;
    moved = flown = NULL;
    if (!e) {
        tw_atoms a = copy_atoms();
        tw_cutoff c;
        const tw_motion m = {.g = 1, .softening = 0.1, .dt = 1e-3};
        tw_particles p = bodies;
        tw_cutoff_init(&c, 2.5);
        e |= tw_cutoff_verlet(&c, &a, 1e-3, 0, 20, 0, NULL, NULL) != 0;
        moved = a.x;
        free(a.v);
        p.x = flown = copy(bodies.x, 3 * (size_t)p.n);
        p.v = copy(bodies.v, 3 * (size_t)p.n);
        e |= tw_leapfrog(&p, &m, 3, NULL, NULL) != 0;
        free(p.v);
    }
    for (int k = 0; k < 2 * LENGTH; k++)
        signal_in[k] = (double)below(s, 1000) * 1e-3;
#ifdef SOAK_FFT
    e |= tw_fft_1d(TW_DOUBLE, LENGTH, signal_in, signal_out, TW_FFT_FORWARD) != 0;
#endif
    (void)nothing;
    if (e) fprintf(stderr, "soak: %s\n", tw_last_message());
    return e;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static atomic_int over, failures;
static atomic_long calls[ROUTINES], right, cancelled, refused, stops;
static _Atomic double latest;

static void fail(const char *name, int code, double error)
{
    atomic_fetch_add(&failures, 1);
    fprintf(stderr, "soak: %s: code %d (%s), difference %g: %s\n", name, code, tw_strerror(code), error,
            tw_last_message());
}

static void refused_now(void)
{
    const struct timespec pause = {0, 1000000};
    atomic_fetch_add(&refused, 1);
    nanosleep(&pause, NULL);
}

static void *user(void *arg)
{
    uint64_t s = *(uint64_t *)arg;

    while (!atomic_load(&over)) {
        const int k = below(&s, ROUTINES);
        double error = 0;
        int e = routine[k].run(&s, &error);
        atomic_fetch_add(&calls[k], 1);
        if (e == 0 && error < 1e-9)
            atomic_fetch_add(&right, 1);
        else if (e == TW_E_CANCELLED)
            atomic_fetch_add(&cancelled, 1);
        else if (e == TW_E_STATE)
            refused_now();
        else
            fail(routine[k].name, e, error);
        if (below(&s, 40) == 0) tw_cancel_all();
        atomic_store(&latest, seconds());
    }
    return NULL;
}

static void *stopper(void *arg)
{
    uint64_t s = *(uint64_t *)arg;

    while (!atomic_load(&over)) {
        const struct timespec pause = {0, 20000000L * (1 + below(&s, 20))};
        int e;
        nanosleep(&pause, NULL);
        e = tw_finalize();
        if (e == 0)
            atomic_fetch_add(&stops, 1);
        else if (e != TW_E_STATE)
            fail("tw_finalize", e, 0);
        if (below(&s, 3) == 0 && (e = tw_init(NULL)) && e != TW_E_STATE) fail("tw_init", e, 0);
    }
    return NULL;
}

/* Samples of the memory in use: the mean of the second fifth of the time, and of the last. */
struct memory {
    double sum[5];
    int count[5];
};

static double watch(double duration)
{
    struct memory m = {{0}, {0}};
    const double begin = seconds();
    double now;

    atomic_store(&latest, begin);
    while ((now = seconds()) < begin + duration && !atomic_load(&failures)) {
        const struct timespec pause = {0, 100000000};
        const int fifth = (int)(5 * (now - begin) / duration);
        nanosleep(&pause, NULL);
        m.sum[fifth > 4 ? 4 : fifth] += megabytes();
        m.count[fifth > 4 ? 4 : fifth]++;
        if (now - atomic_load(&latest) > 120) {
            fprintf(stderr, "soak: no call has ended for two minutes\n");
            abort();
        }
    }
    for (int k = 0; k < 5; k++)
        if (!m.count[k]) return 0;
    printf("memory: %.1f MB in the second fifth, %.1f MB in the last\n", m.sum[1] / m.count[1], m.sum[4] / m.count[4]);
    return (m.sum[4] / m.count[4]) / (m.sum[1] / m.count[1]) - 1;
}

int main(int argc, char **argv)
{
    const double duration = argc > 1 ? atof(argv[1]) : 10;
    const int threads = argc > 2 ? atoi(argv[2]) : 3;
    uint64_t s = argc > 3 ? strtoull(argv[3], NULL, 10) : 1, seed[17];
    pthread_t thread[17];
    double growth;
    int bad;

    if (threads < 1 || threads > 16 || !(duration > 0)) return fprintf(stderr, "soak [SECONDS [THREADS [SEED]]]\n"), 2;
    setenv("TILEWORK_CROSSOVER", "100", 0);
    if (prepare(&s)) return 1;
    for (int k = 0; k <= threads; k++) {
        seed[k] = next(&s);
        if (pthread_create(&thread[k], NULL, k < threads ? user : stopper, &seed[k])) return 1;
    }
    growth = watch(duration);
    atomic_store(&over, 1);
    for (int k = 0; k <= threads; k++)
        pthread_join(thread[k], NULL);
    bad = tw_finalize() != 0 || atomic_load(&failures) > 0;
    for (int k = 0; k < ROUTINES; k++)
        printf("%-10s %8ld calls\n", routine[k].name, atomic_load(&calls[k]));
    printf("%ld right, %ld cancelled, %ld refused, %ld stops, %d failures, memory %+.1f %%\n", atomic_load(&right),
           atomic_load(&cancelled), atomic_load(&refused), atomic_load(&stops), atomic_load(&failures), 100 * growth);
    if (duration >= 300 && growth > 0.05) bad = 1;
    tw_atoms_free(&atoms);
    tw_particles_free(&bodies);
    return bad;
}
