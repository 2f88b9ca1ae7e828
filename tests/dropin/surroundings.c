/* What a program sees of a call that Tilework takes, beside its results (tests/dropin/surroundings.sh). It is linked
 * with BLAS and LAPACK alone.
 *
 *   surroundings lengths     workspaces' first elements after calls that were given their lengths
 *   surroundings fault       a handler of the program's for SIGSEGV, and a matrix that is not there: exit status 42
 *   surroundings call        one factorization: 0 if it is right */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void dgeqrf_(const int *, const int *, double *, const int *, double *, double *, const int *, int *);
void sgeqrf_(const int *, const int *, float *, const int *, float *, float *, const int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *,
             const int *, double *, const int *, int *, int *, size_t);
void zheevd_(const char *, const char *, const int *, double complex *, const int *, double *, double complex *,
             const int *, double *, const int *, int *, const int *, int *, size_t, size_t);
void dsyevr_(const char *, const char *, const char *, const int *, double *, const int *, const double *,
             const double *, const int *, const int *, const double *, int *, double *, double *, const int *, int *,
             double *, const int *, int *, const int *, int *, size_t, size_t, size_t);
int LAPACKE_dgeqrf_work(int, int, int, double *, int, double *, double *, int);

enum { N = 40, ROOM = 20000, LONG = (1 << 24) + 1 };

static int wrong;
static void expect(const char *what, double found, double least, double most)
{
    if (found >= least && found <= most) return;
    printf("%s: %.17g, not %.17g\n", what, found, least);
    wrong = 1;
}
static void fill(double *a)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i + j * N] = 1.0 / (1 + i + j) + (i == j);
}
/* At least what was given, for that is enough; the real LAPACK says less where it needs less. */
static int lengths(int taken)
{
    static double a[N * N], u[N * N], v[N * N], work[ROOM], rwork[ROOM], s[N], zero;
    static double complex z[N * N], zwork[ROOM];
    static float fa[N * N], fs[N];
    static int iwork[ROOM], of_vectors[2 * N];
    float *const fwork = calloc(LONG, sizeof *fwork);
    const int n = N, given = ROOM, one = 1, longest = LONG;
    const double least = taken ? ROOM : 1;
    int info, m;

    if (!fwork) return 1;
    fill(a), work[0] = -5;
    dgeqrf_(&n, &n, a, &n, s, work, &given, &info);
    expect("dgeqrf work", work[0], least, ROOM);
    for (int i = 0; i < N * N; i++)
        fa[i] = (float)a[i], z[i] = a[i];
    fwork[0] = -5;
    sgeqrf_(&n, &n, fa, &n, fs, fwork, &longest, &info);
    expect("sgeqrf work", (double)fwork[0], taken ? LONG : 1, LONG + 2); /* never less: LONG is no float */
    fill(a), work[0] = -5;
    dgesdd_("A", &n, &n, a, &n, s, u, &n, v, &n, work, &given, iwork, &info, 1);
    expect("dgesdd work", work[0], least, ROOM);
    zwork[0] = rwork[0] = -5, iwork[0] = -5;
    zheevd_("V", "L", &n, z, &n, s, zwork, &given, rwork, &given, iwork, &given, &info, 1, 1);
    expect("zheevd work", creal(zwork[0]), least, ROOM), expect("zheevd work, imaginary", cimag(zwork[0]), 0, 0);
    expect("zheevd rwork", rwork[0], least, ROOM), expect("zheevd iwork", iwork[0], least, ROOM);
    fill(a), work[0] = -5, iwork[0] = iwork[1] = -5;
    dsyevr_("V", "A", "L", &n, a, &n, &zero, &zero, &one, &n, &zero, &m, s, u, &n, of_vectors, work, &given, iwork,
            &given, &info, 1, 1, 1);
    expect("dsyevr work", work[0], least, ROOM), expect("dsyevr iwork", iwork[0], least, ROOM);
    fill(a), work[0] = -5;
    LAPACKE_dgeqrf_work(102, N, N, a, N, s, work, ROOM);
    expect("LAPACKE_dgeqrf_work work", work[0], least, ROOM);
    free(fwork);
    return wrong;
}

static int call(double *a)
{
    static double own[N * N];
    const int n = N;
    int pivots[N], info = 0;

    if (!a) fill(a = own);
    dgetrf_(&n, &n, a, &n, pivots, &info);
    return info != 0 || !isfinite(a[N * N - 1]);
}

static void handled(int signal)
{
    (void)signal;
    _exit(42);
}
static int fault(void)
{
    static char other_stack[1 << 16];
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handled;
    action.sa_flags = SA_ONSTACK;
    if (sigaltstack(&stack, NULL) || sigaction(SIGSEGV, &action, NULL) || sigaction(SIGBUS, &action, NULL)) return 1;
    if (call(NULL)) return 1;
    return call((double *)(uintptr_t)4096);
}

/* A thread with little stack, and one with enough. */
static void *factor(void *unused)
{
    static double a[N * N], tau[N], work[64 * N];
    const int n = N, length = 64 * N;
    int info = 0;

    (void)unused;
    fill(a);
    dgeqrf_(&n, &n, a, &n, tau, work, &length, &info);
    return (void *)(intptr_t)info;
}
static int stacks(void)
{
    static const size_t size[] = {160 << 10, 1 << 20};

    for (int i = 0; i < 2; i++) {
        pthread_attr_t attributes;
        pthread_t thread;
        void *info = NULL;
        if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, size[i]) ||
            pthread_create(&thread, &attributes, factor, NULL) || pthread_join(thread, &info) || info)
            return 1;
        pthread_attr_destroy(&attributes);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "lengths")) return lengths(argc > 2);
    if (!strcmp(what, "fault")) return fault();
    if (!strcmp(what, "stacks")) return stacks();
    return call(NULL);
}
