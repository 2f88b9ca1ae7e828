/* A program as people have them, linked with BLAS, LAPACK and their C interfaces and not with Tilework:
 * tests/dropin/taken.sh runs it with and without libtilework_lapack.so before these, and compares.
 *
 *   calls results FILE        BLAS-3 and the Cholesky family of four types, all letters, both layouts: results as
 *                             numbers
 *   calls compare FILE FILE   the same up to rounding
 *   calls separations         LAPACK's tgsyl, whose estimate goes on with what gecon leaves in its workspace
 *   calls threads             random calls of 8 threads, right or not
 *   calls forks               calls, forks whose children call, calls
 *   calls endings             calls of functions that run at exit
 *   calls errors              illegal arguments: what is said on stderr and stdout, by whom
 *   calls overhead            nanoseconds of a product of order 1
 *   calls times N             seconds of products and factorizations of order N, called four times each */
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cblas.h>
#include <lapacke.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *, size_t, size_t);
void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);

static uint64_t state = 1;
static double number(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 33) / 2147483648.0 - 0.5;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

enum { LD = 40, ROOM = LD * LD * 2 };
static double da[ROOM], db[ROOM], dc[ROOM];
static float sa[ROOM], sb[ROOM], sc[ROOM];
static FILE *out;

/* A is dominant, for solves, and its diagonal real; both precisions have the same numbers. */
static void fill(const char *call)
{
    const char *letter = strchr(call, '_');
    const int step = letter && (letter[1] == 'c' || letter[1] == 'z') ? 2 : 1;

    state = 7;
    for (int i = 0; i < ROOM; i++) {
        da[i] = number(&state) / LD, db[i] = number(&state), dc[i] = number(&state);
        sa[i] = (float)da[i], sb[i] = (float)db[i], sc[i] = (float)dc[i];
    }
    for (int i = 0; i < LD; i++) {
        const int at = step * i * (LD + 1);
        da[at] = sa[at] = 2;
        if (step == 2) da[at + 1] = sa[at + 1] = 0, dc[at + 1] = sc[at + 1] = 0;
    }
}
static void print_d(const char *what, const double *x)
{
    fprintf(out, "%s", what);
    for (int i = 0; i < ROOM; i += 3)
        fprintf(out, " %.10g", x[i]);
    fputc('\n', out);
}
static void print_s(const char *what, const float *x)
{
    fprintf(out, "%s", what);
    for (int i = 0; i < ROOM; i += 3)
        fprintf(out, " %.6g", (double)x[i]);
    fputc('\n', out);
}

static const CBLAS_ORDER layouts[] = {CblasColMajor, CblasRowMajor};
static const CBLAS_TRANSPOSE transposes[] = {CblasNoTrans, CblasTrans, CblasConjTrans};
static const CBLAS_UPLO uplos[] = {CblasUpper, CblasLower};
static const CBLAS_SIDE sides[] = {CblasLeft, CblasRight};
static const CBLAS_DIAG diags[] = {CblasNonUnit, CblasUnit};
static const double complex zalpha = 1.5 - 0.5 * I, zbeta = 0.25 + 0.5 * I;
static const float complex calpha = 1.5f - 0.5f * I, cbeta = 0.25f + 0.5f * I;

#define ALL(k, count) for (int k = 0; k < (count); k++)
#define DO(TYPE, call, result)                                                                                         \
    do {                                                                                                               \
        fill(#call);                                                                                                   \
        call;                                                                                                          \
        print_##TYPE(#call, result);                                                                                   \
    } while (0)

static void products(void)
{
    const int m = 21, n = 33, k = 13;

    ALL(l, 2)
        ALL(ta, 3)
            ALL(tb, 3) {
                DO(s,
                   cblas_sgemm(layouts[l], transposes[ta], transposes[tb], m, n, k, 1.5f, sa, LD, sb, LD, 0.5f, sc, LD),
                   sc);
                DO(d,
                   cblas_dgemm(layouts[l], transposes[ta], transposes[tb], m, n, k, 1.5, da, LD, db, LD, 0.5, dc, LD),
                   dc);
                DO(s,
                   cblas_cgemm(layouts[l], transposes[ta], transposes[tb], m, n, k, &calpha, sa, LD, sb, LD, &cbeta, sc,
                               LD),
                   sc);
                DO(d,
                   cblas_zgemm(layouts[l], transposes[ta], transposes[tb], m, n, k, &zalpha, da, LD, db, LD, &zbeta, dc,
                               LD),
                   dc);
            }
    ALL(l, 2)
        ALL(u, 2)
            ALL(s, 2) {
                DO(s, cblas_ssymm(layouts[l], sides[s], uplos[u], m, n, 1.5f, sa, LD, sb, LD, 0.5f, sc, LD), sc);
                DO(d, cblas_dsymm(layouts[l], sides[s], uplos[u], m, n, 1.5, da, LD, db, LD, 0.5, dc, LD), dc);
                DO(d, cblas_zsymm(layouts[l], sides[s], uplos[u], m, n, &zalpha, da, LD, db, LD, &zbeta, dc, LD), dc);
                DO(s, cblas_csymm(layouts[l], sides[s], uplos[u], m, n, &calpha, sa, LD, sb, LD, &cbeta, sc, LD), sc);
                DO(d, cblas_zhemm(layouts[l], sides[s], uplos[u], m, n, &zalpha, da, LD, db, LD, &zbeta, dc, LD), dc);
                DO(s, cblas_chemm(layouts[l], sides[s], uplos[u], m, n, &calpha, sa, LD, sb, LD, &cbeta, sc, LD), sc);
            }
}
static void ranks(void)
{
    const int n = 33, k = 13;

    ALL(l, 2)
        ALL(u, 2)
            ALL(t, 2) {
                const CBLAS_TRANSPOSE h = t ? CblasConjTrans : CblasNoTrans;
                DO(s, cblas_ssyrk(layouts[l], uplos[u], transposes[t], n, k, 1.5f, sa, LD, 0.5f, sc, LD), sc);
                DO(d, cblas_dsyrk(layouts[l], uplos[u], transposes[t], n, k, 1.5, da, LD, 0.5, dc, LD), dc);
                DO(s, cblas_csyrk(layouts[l], uplos[u], transposes[t], n, k, &calpha, sa, LD, &cbeta, sc, LD), sc);
                DO(d, cblas_zsyrk(layouts[l], uplos[u], transposes[t], n, k, &zalpha, da, LD, &zbeta, dc, LD), dc);
                DO(s, cblas_cherk(layouts[l], uplos[u], h, n, k, 1.5f, sa, LD, 0.5f, sc, LD), sc);
                DO(d, cblas_zherk(layouts[l], uplos[u], h, n, k, 1.5, da, LD, 0.5, dc, LD), dc);
                DO(s, cblas_ssyr2k(layouts[l], uplos[u], transposes[t], n, k, 1.5f, sa, LD, sb, LD, 0.5f, sc, LD), sc);
                DO(d, cblas_dsyr2k(layouts[l], uplos[u], transposes[t], n, k, 1.5, da, LD, db, LD, 0.5, dc, LD), dc);
                DO(d, cblas_zsyr2k(layouts[l], uplos[u], transposes[t], n, k, &zalpha, da, LD, db, LD, &zbeta, dc, LD),
                   dc);
                DO(s, cblas_cher2k(layouts[l], uplos[u], h, n, k, &calpha, sa, LD, sb, LD, 0.5f, sc, LD), sc);
                DO(d, cblas_zher2k(layouts[l], uplos[u], h, n, k, &zalpha, da, LD, db, LD, 0.5, dc, LD), dc);
            }
}
static void triangles(void)
{
    const int m = 21, n = 33;

    ALL(l, 2)
        ALL(s, 2)
            ALL(u, 2)
                ALL(t, 3)
                    ALL(d, 2) {
                        DO(s,
                           cblas_strmm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, 1.5f, sa, LD, sb,
                                       LD),
                           sb);
                        DO(d,
                           cblas_dtrmm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, 1.5, da, LD, db,
                                       LD),
                           db);
                        DO(d,
                           cblas_ztrmm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, &zalpha, da, LD,
                                       db, LD),
                           db);
                        DO(s,
                           cblas_strsm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, 1.5f, sa, LD, sb,
                                       LD),
                           sb);
                        DO(d,
                           cblas_dtrsm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, 1.5, da, LD, db,
                                       LD),
                           db);
                        DO(s,
                           cblas_ctrsm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, &calpha, sa, LD,
                                       sb, LD),
                           sb);
                        DO(d,
                           cblas_ztrsm(layouts[l], sides[s], uplos[u], transposes[t], diags[d], m, n, &zalpha, da, LD,
                                       db, LD),
                           db);
                    }
}
static void cholesky(void)
{
    const int n = 33, nrhs = 5;
    double complex *const za = (void *)da, *const zb = (void *)db;
    float complex *const ca = (void *)sa;
    int info;

    ALL(l, 2)
        ALL(u, 2) {
            const int layout = layouts[l], uplo = u ? 'L' : 'U';
            DO(s, info = LAPACKE_spotrf(layout, (char)uplo, n, sa, LD), sa);
            DO(d, info |= LAPACKE_dpotrf(layout, (char)uplo, n, da, LD), da);
            DO(s, info |= LAPACKE_cpotrf(layout, (char)uplo, n, ca, LD), sa);
            DO(d, info |= LAPACKE_zpotrf_work(layout, (char)uplo, n, za, LD), da);
            DO(d, info |= LAPACKE_dposv(layout, (char)uplo, n, nrhs, da, LD, db, LD), db);
            DO(d, info |= LAPACKE_zposv(layout, (char)uplo, n, nrhs, za, LD, zb, LD), db);
            DO(d, (LAPACKE_dpotrf(layout, (char)uplo, n, da, LD), LAPACKE_dpotri(layout, (char)uplo, n, da, LD)), da);
            DO(d,
               (LAPACKE_dpotrf(layout, (char)uplo, n, da, LD),
                LAPACKE_dpotrs(layout, (char)uplo, n, nrhs, da, LD, db, LD)),
               db);
            DO(d, LAPACKE_dtrtri(layout, (char)uplo, 'N', n, da, LD), da);
            DO(d, LAPACKE_dlauum(layout, (char)uplo, n, da, LD), da);
            fprintf(out, "info %d\n", info);
            fill("_d");
            da[20 * (LD + 1)] = -1;
            fprintf(out, "info %d\n", LAPACKE_dpotrf(layout, (char)uplo, n, da, LD));
        }
}

static int results(const char *file)
{
    out = fopen(file, "w");
    if (!out) return 1;
    products(), ranks(), triangles(), cholesky();
    return fclose(out) != 0;
}

static int compare(const char *one, const char *other)
{
    FILE *f = fopen(one, "r"), *g = fopen(other, "r");
    char a[256], b[256];
    long numbers = 0, wrong = 0, zeros = 0;

    if (!f || !g) return 1;
    while (fscanf(f, "%255s", a) == 1) {
        char *end, *other_end;
        double x, y;
        if (fscanf(g, "%255s", b) != 1) return printf("the second is shorter\n"), 1;
        x = strtod(a, &end), y = strtod(b, &other_end);
        if (*end || *other_end) {
            wrong += strcmp(a, b) != 0;
            continue;
        }
        numbers++, zeros += x == 0;
        if (!(fabs(x - y) <= 2e-5 * (fabs(x) + 1)) && wrong++ < 5) printf("%s is %s\n", a, b);
    }
    if (fscanf(g, "%255s", b) == 1) return printf("the first is shorter\n"), 1;
    printf("%ld numbers, %ld differ\n", numbers, wrong);
    return wrong > 0 || numbers < 100000 || zeros > numbers / 2;
}

/* Dif of pairs of triangles by both estimates, a line each. */
static int separations(void)
{
    enum { M = 12, N = 9 };
    static double a[M * M], b[N * N], c[M * N], d[M * M], e[N * N], f[M * N];

    for (int ijob = 1; ijob <= 4; ijob++) {
        double scale = 0, dif = -1;
        state = 11;
        for (int i = 0; i < M * M; i++)
            a[i] = i % M > i / M ? 0 : number(&state), d[i] = i % M > i / M ? 0 : number(&state);
        for (int i = 0; i < N * N; i++)
            b[i] = i % N > i / N ? 0 : number(&state), e[i] = i % N > i / N ? 0 : number(&state);
        for (int i = 0; i < M * N; i++)
            c[i] = number(&state), f[i] = number(&state);
        for (int i = 0; i < M; i++)
            d[i * (M + 1)] += 2;
        for (int i = 0; i < N; i++)
            e[i * (N + 1)] += 2, b[i * (N + 1)] += 3;
        const int info =
            LAPACKE_dtgsyl(LAPACK_COL_MAJOR, 'N', ijob, M, N, a, M, b, N, c, M, d, M, e, N, f, M, &scale, &dif);
        printf("tgsyl %d: info %d, scale %.4g, dif %.4g\n", ijob, info, scale, dif);
        if (info || !(dif > 0)) return 1;
    }
    return 0;
}

/* ---- right by itself --------------------------------------------------------------------------------------------- */

/* A product and a factorization of random order; 0: right. */
static int one_call(uint64_t *s)
{
    const int n = 1 + (int)((number(s) + 0.5) * 60), with_product = number(s) > 0;
    double *a = malloc(sizeof *a * (size_t)(n * n)), *b = malloc(sizeof *b * (size_t)(n * n)),
           *c = calloc((size_t)(n * n), sizeof *c);
    const double one = 1, zero = 0;
    double worst = 0;
    int info = 0;

    for (int i = 0; i < n * n; i++)
        a[i] = number(s), b[i] = number(s);
    if (with_product)
        dgemm_("N", "T", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
    else {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                b[i + j * n] = (i < j ? i : j) + 1, c[i + j * n] = i >= j ? 1 : b[i + j * n];
        dpotrf_("L", &n, b, &n, &info, 1);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double x = 0, e;
            if (with_product)
                for (int k = 0; k < n; k++)
                    x += a[i + k * n] * b[j + k * n];
            else
                x = b[i + j * n];
            e = fabs(x - c[i + j * n]);
            if (!(e <= worst)) worst = e;
        }
    free(a), free(b), free(c);
    return !(worst < 1e-10) || info;
}
static void *calls_of_thread(void *seed)
{
    uint64_t s = (uint64_t)(intptr_t)seed;
    intptr_t wrong = 0;
    for (int k = 0; k < 40; k++)
        wrong += one_call(&s);
    return (void *)wrong;
}
static int in_threads(void)
{
    pthread_t thread[8];
    long wrong = 0;

    for (intptr_t k = 0; k < 8; k++)
        if (pthread_create(&thread[k], NULL, calls_of_thread, (void *)(k + 1))) return 1;
    for (int k = 0; k < 8; k++) {
        void *result;
        pthread_join(thread[k], &result);
        wrong += (intptr_t)result;
    }
    printf("%ld of 320 calls are wrong\n", wrong);
    return wrong != 0;
}

static int forks(void)
{
    int wrong = 0, status;

    for (int k = 0; k < 3; k++) {
        pid_t child;
        wrong += in_threads();
        fflush(NULL);
        child = fork();
        if (child < 0) return 1;
        if (child == 0) {
            const int w = in_threads();
            fflush(NULL);
            exit(w ? 3 : 0);
        }
        if (waitpid(child, &status, 0) != child || status != 0) wrong++;
    }
    return wrong + in_threads() != 0;
}

static void at_exit(void)
{
    if (one_call(&state)) _exit(4);
}
__attribute__((destructor)) static void at_the_very_end(void)
{
    if (getenv("CALLS_ENDINGS") && one_call(&state)) _exit(5);
}
static int endings(void)
{
    setenv("CALLS_ENDINGS", "1", 1);
    return atexit(at_exit) || one_call(&state) || atexit(at_exit);
}

static int errors(void)
{
    const int n = 4, less = 3;
    const double one = 1;
    int info = 0;

    dpotrf_("?", &n, da, &n, &info, 1);
    printf("info %d\n", info);
    dpotrf_("L", &n, da, &less, &info, 1);
    printf("info %d\n", info);
    dgemm_("N", "N", &n, &n, &n, &one, da, &less, db, &n, &one, dc, &n, 1, 1);
    printf("info %d\n", LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', 4, da, 3));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 4, 4, 4, 1, da, 3, db, 4, 1, dc, 4);
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int overhead(void)
{
    const int one = 1, calls = 2000000;
    const double x = 1;
    double best = 1;

    for (int r = 0; r < 7; r++) {
        const double begin = now();
        double seconds;
        for (int k = 0; k < calls; k++)
            dgemm_("N", "N", &one, &one, &one, &x, da, &one, db, &one, &x, dc, &one, 1, 1);
        seconds = (now() - begin) / calls;
        if (seconds < best) best = seconds;
    }
    printf("%.1f\n", best * 1e9);
    return 0;
}

static int times(int n)
{
    const size_t size = (size_t)n * (size_t)n;
    double *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *c = calloc(size, sizeof *c), begin;
    const double one = 1, zero = 0;
    int info = 0;

    if (n < 1 || !a || !b || !c) return 1;
    for (size_t k = 0; k < size; k++)
        a[k] = number(&state), b[k] = number(&state);
    for (int r = 0; r < 4; r++) {
        begin = now();
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
        printf("dgemm %d %.4f\n", n, now() - begin);
        fflush(stdout);
    }
    for (int r = 0; r < 4; r++) {
        for (size_t k = 0; k < size; k++)
            c[k] = a[k];
        for (int i = 0; i < n; i++)
            c[(size_t)i * (size_t)(n + 1)] = n;
        begin = now();
        dpotrf_("L", &n, c, &n, &info, 1);
        printf("dpotrf %d %.4f info %d\n", n, now() - begin, info);
        fflush(stdout);
    }
    free(a), free(b), free(c);
    return info;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "results") && argc == 3) return results(argv[2]);
    if (!strcmp(what, "compare") && argc == 4) return compare(argv[2], argv[3]);
    if (!strcmp(what, "separations")) return separations();
    if (!strcmp(what, "threads")) return in_threads();
    if (!strcmp(what, "forks")) return forks();
    if (!strcmp(what, "endings")) return endings();
    if (!strcmp(what, "errors")) return errors();
    if (!strcmp(what, "overhead")) return overhead();
    if (!strcmp(what, "times") && argc == 3) return times(atoi(argv[2]));
    return 2;
}
