/* A program of BLAS' and LAPACK's that knows nothing of Tilework: 1000 random calls from 8 threads, each checked by
 * itself, with forks between, whose children call, too. crowd.sh runs it with libtilework_lapack.so before its
 * libraries.
 *
 * OpenBLAS's locks outlive a fork: a child born while another thread was inside blas_memory_alloc or a threaded product
 * waits for that thread for ever, with Tilework or without (of 200 runs with one thread of OpenBLAS's, 16 did). So the
 * children that compute are born when no call is under way, and those born in the middle of others' calls ask only for
 * what needs no lock of OpenBLAS's: problems of order 0, which pass all that Tilework puts before a call. With more
 * than one thread OpenBLAS does not even bear a fork beside a call: run this with OPENBLAS_NUM_THREADS=1. */
#define _GNU_SOURCE /* a lock that prefers writers */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
                   const int *, const double *, const int *, const double *, double *, const int *, size_t, size_t);
extern void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);
extern void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
extern void dgeqrf_(const int *, const int *, double *, const int *, double *, double *, const int *, int *);
extern void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *, const int *,
                   const double *, double *, const int *, size_t, size_t);

enum { THREADS = 8, CALLS = 125, MOST = 90 };
struct mine {
    uint64_t state;
    double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], work[MOST * 64], tau[MOST];
    int pivots[MOST];
};
static pthread_rwlock_t under_way; /* held for reading by each call */

static int pick(struct mine *m, int least, int most)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return least + (int)((m->state >> 33) % (uint64_t)(most - least + 1));
}
static void wrong(const char *what, int n, double error)
{
    printf("%s of order %d: %g\n", what, n, error);
    fflush(stdout);
    _exit(1);
}
/* a is symmetric positive definite; row i of it adds up to n + 1 + (n - 1) / (1 + ...): sums are computed, not
 * known. */
static void fill(struct mine *m, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            m->a[i + j * n] = 1.0 / (1 + abs(i - j)) + (i == j ? n : 0);
}
static void one(struct mine *m)
{
    const int n = pick(m, 1, MOST), one_ = 1, room = MOST * 64;
    const double plus = 1, none = 0;
    double error = 0;
    int info = 0;

    fill(m, n);
    switch (pick(m, 0, 4)) {
    case 0: /* the product of a with ones is its rows' sums */
        for (int i = 0; i < n * n; i++)
            m->b[i] = 1;
        dgemm_("N", "N", &n, &n, &n, &plus, m->a, &n, m->b, &n, &none, m->c, &n, 1, 1);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += m->a[i + j * n];
            for (int j = 0; j < n; j++)
                error = fmax(error, fabs(m->c[i + j * n] - sum));
        }
        if (!(error < 1e-9)) wrong("dgemm", n, error);
        break;
    case 1: /* L L^T: its diagonal is a's */
        dpotrf_("L", &n, m->a, &n, &info, 1);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j <= i; j++)
                sum += m->a[i + j * n] * m->a[i + j * n];
            error = fmax(error, fabs(sum - (n + 1)));
        }
        if (info || !(error < 1e-9)) wrong("dpotrf", n, error);
        break;
    case 2: /* a x = a ones */
        for (int i = 0; i < n; i++) {
            m->b[i] = 0;
            for (int j = 0; j < n; j++)
                m->b[i] += m->a[i + j * n];
        }
        dgesv_(&n, &one_, m->a, &n, m->pivots, m->b, &n, &info);
        for (int i = 0; i < n; i++)
            error = fmax(error, fabs(m->b[i] - 1));
        if (info || !(error < 1e-9)) wrong("dgesv", n, error);
        break;
    case 3: { /* |R(:, j)| = |a(:, j)| */
        memcpy(m->c, m->a, sizeof(double) * (size_t)n * (size_t)n);
        dgeqrf_(&n, &n, m->a, &n, m->tau, m->work, &room, &info);
        for (int j = 0; j < n; j++) {
            double r = 0, s = 0;
            for (int i = 0; i <= j; i++)
                r += m->a[i + j * n] * m->a[i + j * n];
            for (int i = 0; i < n; i++)
                s += m->c[i + j * n] * m->c[i + j * n];
            error = fmax(error, fabs(sqrt(r) - sqrt(s)));
        }
        if (info || !(error < 1e-9)) wrong("dgeqrf", n, error);
        break;
    }
    default: /* a a^T has a's rows' squares on its diagonal */
        dsyrk_("U", "N", &n, &n, &plus, m->a, &n, &none, m->c, &n, 1, 1);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += m->a[i + j * n] * m->a[i + j * n];
            error = fmax(error, fabs(m->c[i + i * n] - sum));
        }
        if (!(error < 1e-7)) wrong("dsyrk", n, error);
    }
}
static void nothing(struct mine *m)
{
    const int none = 0, least = 1;
    const double one_ = 1;
    int info = 0;
    dgemm_("N", "N", &none, &none, &none, &one_, m->a, &least, m->b, &least, &one_, m->c, &least, 1, 1);
    dpotrf_("L", &none, m->a, &least, &info, 1);
    if (info) wrong("dpotrf", none, info);
    dgesv_(&none, &least, m->a, &least, m->pivots, m->b, &least, &info);
    if (info) wrong("dgesv", none, info);
}
/* A child, born in a quiet moment or among others' calls; the parent waits for it. */
static void have_a_child(struct mine *m, int quiet)
{
    if (quiet) pthread_rwlock_wrlock(&under_way);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* a child that waits for ever */
        for (int i = 0; i < 5; i++)
            (quiet ? one : nothing)(m);
        _exit(0);
    }
    if (quiet) pthread_rwlock_unlock(&under_way);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status) {
        printf("a child born %s: status %d\n", quiet ? "in a quiet moment" : "among calls", status);
        fflush(stdout);
        _exit(1);
    }
}
static void *work(void *number)
{
    struct mine *m = calloc(1, sizeof *m);
    m->state = (uint64_t)(uintptr_t)number * 77 + 5;
    for (int k = 0; k < CALLS; k++) {
        pthread_rwlock_rdlock(&under_way);
        one(m);
        pthread_rwlock_unlock(&under_way);
        if (k % 25 == 12) have_a_child(m, 1);
        if (k % 25 == 20) have_a_child(m, 0);
    }
    free(m);
    return NULL;
}
int main(void)
{
    pthread_t t[THREADS];
    pthread_rwlockattr_t prefers; /* a fork that eight callers would keep waiting */
    pthread_rwlockattr_init(&prefers);
    pthread_rwlockattr_setkind_np(&prefers, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&under_way, &prefers);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(t + i, NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    printf("crowd: %d calls, all right\n", THREADS * CALLS);
    return 0;
}
