/* LAPACK's and BLAS' own names as a program has them that links libtilework_lapack.so before LAPACK: whose a call is,
 * XERBLA, workspaces, threads, fork. What the routines compute is tested by LAPACK's own programs
 * (dropin/lapack-tests.sh).
 *
 *   doors          the tests
 *   doors fork     those that fork in a running library
 *   doors calls    a few calls of every kind, for those that start it with other variables and read the count */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { N = 50 };
void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);
void dpotrs_(const char *, const int *, const int *, const double *, const int *, double *, const int *, int *, size_t);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgeqrf_(const int *, const int *, double *, const int *, double *, double *, const int *, int *);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *, size_t, size_t);
void dgees_(const char *, const char *, int (*)(const double *, const double *), const int *, double *, const int *,
            int *, double *, double *, double *, const int *, double *, const int *, int *, int *, size_t, size_t);

static const char *self;
static const int n = N, one = 1;

/* The program's own XERBLA, which LAPACK's and Tilework's routines call alike. */
static char refused[16];
static int refused_argument, refusals;
static pthread_t refused_in;
__attribute__((visibility("default"))) void xerbla_(const char *routine, const int *argument, size_t length);
void xerbla_(const char *routine, const int *argument, size_t length)
{
    snprintf(refused, sizeof refused, "%.*s", (int)length, routine);
    refused_argument = *argument;
    refused_in = pthread_self();
    refusals++;
}

/* min(i, j) + 1: factor and inverse are known. b: its first unit vector's product. */
static void fill(double *a, double *b)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            a[i + j * N] = (i < j ? i : j) + 1;
        b[j] = 1;
    }
}

/* 0 if a factorization and a solve are right. */
static int solve(void)
{
    double *a = malloc(sizeof *a * N * N), b[N];
    int info = -100, wrong = 0;

    fill(a, b);
    dpotrf_("L", &n, a, &n, &info, 1);
    if (info == 0) dpotrs_("l", &n, &one, a, &n, b, &n, &info, 1);
    if (info) wrong = 1;
    for (int i = 0; i < N; i++)
        if (!(b[i] - (i == 0) < 1e-10 && b[i] - (i == 0) > -1e-10)) wrong = 2;
    free(a);
    return wrong;
}

static void solves(void **state)
{
    (void)state;
    assert_int_equal(solve(), 0);
}

static void xerbla(void **state)
{
    double a[4] = {1, 0, 0, 1}, tau[2], work[2], alpha = 1;
    const int two = 2, minus = -1, zero = 0;
    int info = 0;

    (void)state;
    refusals = 0;
    dpotrf_("X", &two, a, &two, &info, 1);
    assert_int_equal(info, -1);
    assert_int_equal(refusals, 1);
    assert_string_equal(refused, "DPOTRF");
    assert_int_equal(refused_argument, 1);
    assert_true(pthread_equal(refused_in, pthread_self()));
    dgetrf_(&two, &two, a, &one, NULL, &info); /* lda */
    assert_int_equal(info, -4);
    dgeqrf_(&two, &two, a, &two, tau, work, &one, &info); /* lwork */
    assert_int_equal(info, -7);
    assert_string_equal(refused, "DGEQRF");
    assert_int_equal(refused_argument, 7);
    assert_int_equal(refusals, 3);
    dgemm_("N", "N", &minus, &two, &two, &alpha, a, &two, a, &two, &alpha, a, &two, 1, 1);
    assert_string_equal(refused, "DGEMM "); /* XERBLAs of six letters read six */
    assert_int_equal(refused_argument, 3);
    assert_int_equal(refusals, 4);
    dpotrf_("U", &zero, NULL, &one, &info, 1);
    assert_int_equal(info, 0);
    assert_int_equal(refusals, 4);
}

static void workspace(void **state)
{
    double a[6] = {3, 0, 4, 1, 2, 3}, tau[2], work[2] = {0, 0};
    const int three = 3, two = 2, query = -1;
    int info = -100;

    (void)state;
    refusals = 0;
    dgeqrf_(&three, &two, a, &three, tau, work, &query, &info);
    assert_int_equal(info, 0);
    assert_true(work[0] >= 2);
    assert_true(a[0] == 3); /* a query touches nothing else */
    dgeqrf_(&three, &two, a, &three, tau, work, &two, &info);
    assert_int_equal(info, 0);
    assert_true(a[0] > -5.0000001 && a[0] < -4.9999999);
    assert_int_equal(refusals, 0);
}

static void *many(void *wrong)
{
    for (int k = 0; k < 20; k++)
        *(int *)wrong += solve() != 0;
    return NULL;
}
static void threads(void **state)
{
    pthread_t thread[4];
    int wrong[4] = {0};

    (void)state;
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, many, &wrong[k]), 0);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(pthread_join(thread[k], NULL), 0);
        assert_int_equal(wrong[k], 0);
    }
}

/* ---- whose calls: the program once more with other variables, and its count -------------------------------------- */

/* gees in an order is the real routine's, in this thread, unless the user says that another one may ask. */
static pthread_t caller;
static int elsewhere;
static int is_left(const double *wr, const double *wi)
{
    (void)wi;
    elsewhere |= !pthread_equal(caller, pthread_self());
    return *wr < 0;
}
static int orders(void)
{
    enum { WORK = 64 * N };
    static const int length = WORK;
    double a[N * N], b[N], wr[N], wi[N], vs[N * N], work[WORK];
    int info = 0, sdim = -1, bwork[N], bad = 0;

    caller = pthread_self();
    for (int sorts = 0; sorts < 2; sorts++) {
        fill(a, b);
        for (int j = 0; j < N; j += 2) /* eigenvalues on both sides of 0 */
            for (int i = 0; i < N; i++)
                a[i + j * N] = -a[i + j * N];
        dgees_("V", sorts ? "S" : "N", is_left, &n, a, &n, &sdim, wr, wi, vs, &n, work, &length, bwork, &info, 1, 1);
        bad |= info || (sorts ? sdim < 1 || sdim > N : sdim != 0);
        for (int i = 0; i < N; i++)
            bad |= sorts && (wr[i] < 0) != (i < sdim);
    }
    return bad || (elsewhere && !getenv("TILEWORK_DROPIN_SELECT"));
}

static int calls(void)
{
    double a[N * N], b[N * N], alpha = 1, beta = 0, c[N * N];
    int info, ipiv[N];

    if (orders()) return 1;
    fill(a, b);
    fill(b, c);
    dgemm_("N", "T", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n, 1, 1);
    dgetrf_(&n, &n, c, &n, ipiv, &info);
    return info || solve();
}

/* How many calls of `name` were taken from the program, from others, and left: three digits. */
static int count_of(const char *file, const char *name)
{
    char line[256], found[16];
    int program, others, left, all = -1;
    FILE *f = fopen(file, "r");

    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%15s %d %d %d", found, &program, &others, &left) == 4 && !strcmp(found, name))
            all = 100 * program + 10 * others + left;
    fclose(f);
    return all;
}

static void counted(const char *takes, const char *crossover, int lapack, int blas, int select)
{
    char file[] = "/tmp/tw-doors-XXXXXX";
    const int fd = mkstemp(file);
    int status;
    pid_t child;

    assert_true(fd >= 0);
    close(fd);
    child = fork();
    assert_true(child >= 0);
    if (!child) {
        setenv("TILEWORK_DROPIN", takes, 1);
        setenv("TILEWORK_DROPIN_MIN", "0", 1);
        setenv("TILEWORK_DROPIN_CALLS", file, 1);
        setenv("TILEWORK_CROSSOVER", crossover, 1);
        if (select) setenv("TILEWORK_DROPIN_SELECT", "1", 1);
        execl(self, self, "calls", (char *)NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(count_of(file, "DPOTRF"), lapack);
    assert_int_equal(count_of(file, "DPOTRS"), lapack);
    assert_int_equal(count_of(file, "DGETRF"), lapack);
    assert_int_equal(count_of(file, "DGEES"), lapack == 1 ? 2 : select ? 200 : 101);
    assert_int_equal(count_of(file, "DGEMM"), blas);
    assert_int_equal(count_of(file, "ZGEMM"), 0);
    assert_int_equal(unlink(file), 0);
}

/* With a crossover Tilework calls LAPACK and BLAS by these very names, and meets their own functions: the counts are
 * the same. */
static void whose(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *crossover = k ? "1000" : "0";
        counted("all", crossover, 100, 100, k);
        counted("lapack", crossover, 100, 1, 0);
        counted("blas", crossover, 1, 100, 1);
        counted("none", crossover, 1, 1, 0);
    }
}

static void after_fork(void **state)
{
    int status;
    pid_t child;

    (void)state;
    assert_int_equal(solve(), 0);
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (!child) _exit(solve()); /* by LAPACK: the library's threads are not there */
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(solve(), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whose), cmocka_unit_test(solves), cmocka_unit_test(xerbla),
                                       cmocka_unit_test(workspace), cmocka_unit_test(threads)};
    const struct CMUnitTest forks[] = {cmocka_unit_test(after_fork)};

    self = argv[0];
    if (argc > 1 && !strcmp(argv[1], "calls")) return calls();
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "8", 1);
    setenv("TILEWORK_DROPIN_MIN", "0", 1);
    if (argc > 1 && !strcmp(argv[1], "fork")) return cmocka_run_group_tests(forks, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
